// A stand-in for cuFFT beside that of `cuda.cc` for the driver: a convolution with a chirp in extended precision does the work, when
// the stream comes to it. Refused is what a GPU could answer with anything: plans that would allocate for themselves, that are made
// while a stream captures (which crashes there), used by another function than they were made for, without a stream or a
// working memory, or after their end, graphs included; lines that overlap, reach outside of a block of the device's memory, or
// begin at an address that is none of a complex number.
//
// What cuFFT does to others' memory is done as well: the input of a transform to real numbers is lost, and the imaginary parts of
// the ends of a spectrum are noise where the length has a prime factor above 127.
#include "driver.h"

#include <math.h>
#include <string.h>

#include <complex>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace {
typedef std::complex<long double> Number;
typedef std::vector<Number> Line;
// Kinds of transforms, with 0x40 in double precision.
enum { OK = 0, INVALID_PLAN = 1, INVALID_TYPE = 3, INVALID_VALUE = 4, EXEC_FAILED = 6, INVALID_SIZE = 8 };
enum { C2C = 0x29, R2C = 0x2a, C2R = 0x2c, DOUBLE = 0x40 };

struct Side {
    long long stride, step, length;
    bool complex;
};

struct Plan {
    bool allocates = true, made = false, destroyed = false;
    void *stream = 0;
    Address room = 0;
    size_t bytes = 0;
    int kind = 0;
    long long n = 0, items = 0;
    Side from, to;
    size_t real() const { return kind & DOUBLE ? 8 : 4; }
    size_t size(const Side &s) const { return real() * (s.complex ? 2 : 1); }
};

std::mutex lock;
std::map<int, std::shared_ptr<Plan>> plans;

int refuse(const char *call, const char *why, int status)
{
    report(call, why);
    return status;
}

std::shared_ptr<Plan> find(int handle)
{
    std::lock_guard<std::mutex> guard(lock);
    auto found = plans.find(handle);
    return found == plans.end() ? 0 : found->second;
}

// exp(-2 pi i k / n)
Number root(long long k, long long n)
{
    const long double angle = -2 * 3.14159265358979323846264338327950288L * (k % n) / n;
    return Number(cosl(angle), sinl(angle));
}

// Of a length that is a power of two, in place.
void transform(Line &z)
{
    const size_t n = z.size();
    for (size_t i = 1, j = 0; i < n; ++i) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(z[i], z[j]);
    }
    for (size_t length = 2; length <= n; length *= 2) {
        Line turns;
        for (size_t k = 0; k < length / 2; ++k) turns.push_back(root(k, length));
        for (size_t start = 0; start < n; start += length)
            for (size_t k = 0; k < length / 2; ++k) {
                const Number a = z[start + k], b = z[start + k + length / 2] * turns[k];
                z[start + k] = a + b, z[start + k + length / 2] = a - b;
            }
    }
}

struct Chirp {
    Line wave, kernel;
    explicit Chirp(long long n)
    {
        size_t m = 1;
        while (m < (size_t)(2 * n - 1)) m *= 2;
        kernel.resize(m);
        for (long long k = 0; k < n; ++k) {
            wave.push_back(root((long long)((unsigned __int128)k * k % (2 * n)), 2 * n));
            kernel[k] = kernel[(m - k) % m] = conj(wave[k]);
        }
        transform(kernel);
    }
};

Line transformed(const Line &x, bool inverse)
{
    static std::mutex alone;
    static std::map<size_t, Chirp> chirps;
    std::lock_guard<std::mutex> guard(alone);
    const size_t n = x.size();
    const Chirp &c = chirps.try_emplace(n, (long long)n).first->second;
    const size_t m = c.kernel.size();
    Line z(m), y(n);
    for (size_t k = 0; k < n; ++k) z[k] = (inverse ? conj(x[k]) : x[k]) * c.wave[k];
    transform(z);
    for (size_t k = 0; k < m; ++k) z[k] = conj(z[k] * c.kernel[k]);
    transform(z);
    for (size_t k = 0; k < n; ++k) {
        y[k] = conj(z[k]) * c.wave[k] / (long double)m;
        if (inverse) y[k] = conj(y[k]);
    }
    return y;
}

bool has_large_factor(long long n)
{
    for (long long p = 2; p <= 127; ++p)
        while (n % p == 0) n /= p;
    return n > 1;
}

long double number(const Plan &p, Address at) { return p.real() == 8 ? *(double *)at : *(float *)at; }
void store(const Plan &p, Address at, long double x)
{
    if (p.real() == 8) *(double *)at = (double)x;
    else *(float *)at = (float)x;
}

bool overlaps(const Side &s, long long items) { return (s.length - 1) * s.stride >= s.step && (items - 1) * s.step >= s.stride; }

bool is_there(const Plan &p, const Side &s, Address at)
{
    return at % (2 * p.real()) == 0 && is_inside(at, ((s.length - 1) * s.stride + (p.items - 1) * s.step + 1) * p.size(s));
}

void work(const Plan &p, Address from, Address to, bool inverse)
{
    memset((void *)p.room, 0xFD, p.bytes);
    const long long n = p.n, half = n / 2;
    std::vector<Line> lines;
    for (long long i = 0; i < p.items; ++i) {
        Line x(n);
        for (long long k = 0; k < p.from.length; ++k) {
            const Address at = from + (i * p.from.step + k * p.from.stride) * p.size(p.from);
            x[k] = Number(number(p, at), p.from.complex ? number(p, at + p.real()) : 0);
        }
        if (!p.to.complex) {
            // Nobody says what these imaginary parts do: anything.
            if (x[0].imag() != 0 || (n % 2 == 0 && x[half].imag() != 0)) x[0] = NAN;
            for (long long k = half + 1; k < n; ++k) x[k] = conj(x[n - k]);
        }
        lines.push_back(transformed(x, inverse || !p.to.complex));
        if (p.from.complex != p.to.complex && p.to.complex) {
            const long double noise = has_large_factor(n) ? 1e-3L : 0;
            lines.back()[0].imag(noise);
            if (n % 2 == 0) lines.back()[half].imag(noise);
        }
    }
    if (!p.to.complex)
        for (long long i = 0; i < p.items; ++i)
            for (long long k = 0; k < p.from.length; ++k)
                memset((void *)(from + (i * p.from.step + k * p.from.stride) * p.size(p.from)), 0xFD, p.size(p.from));
    for (long long i = 0; i < p.items; ++i)
        for (long long k = 0; k < p.to.length; ++k) {
            const Address at = to + (i * p.to.step + k * p.to.stride) * p.size(p.to);
            store(p, at, lines[i][k].real());
            if (p.to.complex) store(p, at + p.real(), lines[i][k].imag());
        }
}

int execute(const char *call, int kind, int handle, Address from, Address to, int direction)
{
    const std::shared_ptr<Plan> p = find(handle);
    if (!p || !p->made || p->kind != kind) return refuse(call, "there is no such plan", INVALID_PLAN);
    if (!p->stream || !p->room) return refuse(call, "the plan has no stream or no working memory", EXEC_FAILED);
    if (direction != 1 && direction != -1) return refuse(call, "there is no such direction", INVALID_VALUE);
    if (!is_inside(p->room, p->bytes)) return refuse(call, "the working memory is outside of the device's memory", EXEC_FAILED);
    if (!is_there(*p, p->from, from) || !is_there(*p, p->to, to) || from == to)
        return refuse(call, "lines are not in the device's memory, or not aligned", INVALID_VALUE);
    // The working memory may be another one when a graph is launched.
    const Plan now = *p;
    const std::function<void()> next = [=] {
        if (p->destroyed) {
            refuse(call, "the plan was destroyed before its work was done", 0);
            abort();
        }
        work(now, from, to, direction > 0);
    };
    send(p->stream, next);
    return OK;
}
}

extern "C" {
long plans_made;
// For tests: how many plans were made, and how many there are.
long standin_plans_made() { return plans_made; }
long standin_plans()
{
    std::lock_guard<std::mutex> guard(lock);
    return (long)plans.size();
}

int cufftCreate(int *handle)
{
    static int last;
    std::lock_guard<std::mutex> guard(lock);
    plans[*handle = ++last] = std::make_shared<Plan>();
    return OK;
}
int cufftDestroy(int handle)
{
    std::lock_guard<std::mutex> guard(lock);
    auto found = plans.find(handle);
    if (found == plans.end()) return INVALID_PLAN;
    found->second->destroyed = true;
    plans.erase(found);
    return OK;
}
int cufftSetAutoAllocation(int handle, int allocates)
{
    const std::shared_ptr<Plan> p = find(handle);
    if (!p || p->made) return refuse("cufftSetAutoAllocation", "it comes before the plan is made", INVALID_PLAN);
    return p->allocates = allocates != 0, OK;
}
int cufftSetStream(int handle, void *stream)
{
    const std::shared_ptr<Plan> p = find(handle);
    if (!p || !p->made) return refuse("cufftSetStream", "it comes after the plan is made", INVALID_PLAN);
    return p->stream = stream, OK;
}
int cufftSetWorkArea(int handle, Address room)
{
    const std::shared_ptr<Plan> p = find(handle);
    if (!p || !p->made) return refuse("cufftSetWorkArea", "it comes after the plan is made", INVALID_PLAN);
    if (room % 256 || !is_inside(room, p->bytes)) return refuse("cufftSetWorkArea", "it is not the device's memory", INVALID_VALUE);
    return p->room = room, OK;
}
int cufftMakePlanMany64(int handle, int rank, long long *n, long long *from, long long stride, long long step, long long *to,
                        long long to_stride, long long to_step, int kind, long long items, size_t *bytes)
{
    const char *call = "cufftMakePlanMany64";
    const std::shared_ptr<Plan> p = find(handle);
    if (!p || p->made || p->allocates) return refuse(call, "the plan was made, or would allocate", INVALID_PLAN);
    if (driver<bool (*)()>("standin_is_capturing")()) {
        refuse(call, "a stream captures", 0);
        abort();
    }
    const int which = kind & ~DOUBLE;
    if (which != C2C && which != R2C && which != C2R) return INVALID_TYPE;
    if (rank != 1 || !n || n[0] < 1 || items < 1) return INVALID_SIZE;
    const long long half = n[0] / 2 + 1;
    const Side source = {stride, step, which == C2R ? half : n[0], which != R2C};
    const Side target = {to_stride, to_step, which == R2C ? half : n[0], which != C2R};
    if (!from || !to || from[0] < source.length || to[0] < target.length) return refuse(call, "extents are too small", INVALID_VALUE);
    if (stride < 1 || step < 1 || to_stride < 1 || to_step < 1 || overlaps(source, items) || overlaps(target, items))
        return refuse(call, "lines overlap", INVALID_VALUE);
    p->kind = kind, p->n = n[0], p->items = items, p->from = source, p->to = target;
    // None for short lines, as there.
    p->bytes = *bytes = n[0] <= 64 ? 0 : (size_t)(n[0] * items) * 2 * p->real() + 64;
    p->made = true;
    ++plans_made;
    return OK;
}

int cufftExecC2C(int h, Address from, Address to, int direction) { return execute("cufftExecC2C", C2C, h, from, to, direction); }
int cufftExecR2C(int h, Address from, Address to) { return execute("cufftExecR2C", R2C, h, from, to, -1); }
int cufftExecC2R(int h, Address from, Address to) { return execute("cufftExecC2R", C2R, h, from, to, 1); }
int cufftExecZ2Z(int h, Address from, Address to, int direction) { return execute("cufftExecZ2Z", C2C | DOUBLE, h, from, to, direction); }
int cufftExecD2Z(int h, Address from, Address to) { return execute("cufftExecD2Z", R2C | DOUBLE, h, from, to, -1); }
int cufftExecZ2D(int h, Address from, Address to) { return execute("cufftExecZ2D", C2R | DOUBLE, h, from, to, 1); }
}
