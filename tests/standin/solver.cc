// A stand-in for cuBLAS and cuSOLVER beside that of `cuda.cc` for the driver. LAPACK of the host does the work, when the stream
// comes to it. Refused is what a GPU could answer with anything: matrices that reach outside of a block of the device's memory,
// leading dimensions that are too small, working memory of another size than was asked for, handles without a stream or a
// workspace, matrices that are not finite in iterations that do not survive them.
//
// STANDIN_LAPACK is the path of a library with LAPACK's names as `scipy-openblas64` has them.
#include "driver.h"

#include <math.h>
#include <string.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {
typedef void (*Routine)(...);
enum { OK = 0, BLAS_INVALID = 7, SOLVER_INVALID = 3, NO_VECTORS = 0, VECTORS = 1, LOWER = 0 };

struct Handle {
    void *stream;
    Address workspace;
};

int send(const Handle *h, const std::function<void()> &work)
{
    send(h->stream, work);
    return OK;
}

bool refuse(const char *call, const char *why)
{
    report(call, why);
    return false;
}

// Element types by LAPACK's letters.
bool is_complex(char t) { return t == 'c' || t == 'z'; }
bool is_double(char t) { return t == 'd' || t == 'z'; }
size_t size_of(char t) { return (is_double(t) ? 8 : 4) * (is_complex(t) ? 2 : 1); }
char real_of(char t) { return is_double(t) ? 'd' : 's'; }
char complex_of(char t) { return is_double(t) ? 'z' : 'c'; }
char letter(int type) { return type == 0 ? 's' : type == 1 ? 'd' : type == 4 ? 'c' : type == 5 ? 'z' : '?'; }

Routine lapack(char t, const char *name)
{
    static void *library = dlopen(getenv("STANDIN_LAPACK"), RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, ("scipy_" + std::string(1, t) + name + "_64_").c_str()) : 0;
    if (!found) {
        fprintf(stderr, "stand-in: there is no LAPACK routine %c%s in %s\n", t, name, getenv("STANDIN_LAPACK"));
        abort();
    }
    return (Routine)found;
}

char flag(int operation) { return "NTC"[operation]; }

// Columns of `rows` elements, `ld` elements apart.
bool is_matrix(const char *call, char t, Address at, int64_t rows, int64_t columns, int64_t ld)
{
    if (rows <= 0 || columns <= 0 || ld < rows) return refuse(call, "a leading dimension or a size is too small");
    return is_inside(at, ((columns - 1) * ld + rows) * size_of(t)) || refuse(call, "a matrix is outside of the device's memory");
}

bool is_memory(const char *call, const void *at, size_t bytes)
{
    return (at && is_inside((Address)at, bytes)) || refuse(call, "an array is outside of the device's memory");
}

std::mutex counting;
std::map<std::string, long> calls;

bool is_ready(const char *call, const Handle *h, bool blas)
{
    {
        const std::lock_guard<std::mutex> lock(counting);
        ++calls[call];
    }
    if (!h->stream) return refuse(call, "the handle has no stream");
    return !blas || h->workspace || refuse(call, "the handle has no workspace");
}

// What a routine asks for: bytes of the device, and of the host where it works there too.
struct Sizes {
    size_t device, host;
};
Sizes sizes_of(char t, int64_t m, int64_t n, bool host) { return {(size_t)(m + n) * 8 * size_of(t), host ? (size_t)n * 24 : 0}; }

bool is_room(const char *call, Sizes asked, const void *device, size_t device_bytes, void *host, size_t host_bytes)
{
    if (asked.device != device_bytes || asked.host != host_bytes) return refuse(call, "the working memory has another size");
    if (host_bytes && !host) return refuse(call, "there is no working memory on the host");
    if (host_bytes) memset(host, 0xFD, host_bytes);
    return is_memory(call, device, device_bytes);
}

// Longer batches fail in some kernels.
bool is_batch(const char *call, int64_t items) { return (items > 0 && items <= 65535) || refuse(call, "the batch is too long"); }

// Where the library has a type of two numbers it may load both at once.
bool is_factor(const char *call, char t, const void *at)
{
    return (uintptr_t)at % size_of(t) == 0 || refuse(call, "a factor is not aligned as its type");
}

void poison(void *at, size_t bytes) { memset(at, 0xFD, bytes); }

void check_finite(const char *call, char t, const void *a, int64_t elements)
{
    for (int64_t i = 0; i < elements * (is_complex(t) ? 2 : 1); ++i)
        if (!isfinite(is_double(t) ? ((const double *)a)[i] : ((const float *)a)[i])) {
            refuse(call, "an element is not finite");
            abort();
        }
}

// Working memory of LAPACK, by what the routine says when it is asked.
struct Work {
    std::vector<char> work, reals;
    std::vector<int64_t> integers;
    int64_t length;
    Work(char t, int64_t n, const std::function<void(void *, int64_t *, void *, int64_t *, int64_t *, int64_t *)> &ask)
    {
        char first[16] = {0}, real[8] = {0};
        int64_t query = -1, integer = 0;
        ask(first, &query, real, &query, &integer, &query);
        length = (int64_t)(is_double(t) ? *(double *)first : *(float *)first) + 64;
        const double reals_wanted = is_double(t) ? *(double *)real : *(float *)real;
        work.resize(length * size_of(t));
        reals.resize(((size_t)(reals_wanted > 0 ? reals_wanted : 0) + 8 * n + 64) * 8);
        integers.resize(integer + 8 * n + 64);
    }
};
}

extern "C" {
long standin_calls(const char *call)
{
    const std::lock_guard<std::mutex> lock(counting);
    return calls[call];
}

int cublasCreate_v2(Handle **h) { return *h = new Handle(), OK; }
int cublasDestroy_v2(Handle *h) { return delete h, OK; }
int cublasSetStream_v2(Handle *h, void *stream)
{
    h->stream = stream;
    h->workspace = 0;
    return OK;
}
int cublasSetWorkspace_v2(Handle *h, Address at, size_t bytes)
{
    if (!is_memory("cublasSetWorkspace", (void *)at, bytes) || at % 256) return BLAS_INVALID;
    h->workspace = at;
    return OK;
}

int cublasGemmStridedBatchedEx_64(Handle *h, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void *alpha, Address a,
                                  int type_a, int64_t lda, long long step_a, Address b, int type_b, int64_t ldb, long long step_b,
                                  const void *beta, Address c, int type_c, int64_t ldc, long long step_c, int64_t items,
                                  int compute, int)
{
    const char *call = "cublasGemmStridedBatchedEx_64", t = letter(type_a);
    if (!is_ready(call, h, true) || !is_batch(call, items)) return BLAS_INVALID;
    if (t == '?' || type_b != type_a || type_c != type_a || compute != (is_double(t) ? 70 : 68) || op_a > 2 || op_b > 2)
        return refuse(call, "types do not fit"), BLAS_INVALID;
    if (!is_factor(call, t, alpha) || !is_factor(call, t, beta)) return BLAS_INVALID;
    const size_t size = size_of(t);
    for (int64_t i = 0; i < items; ++i)
        if (!is_matrix(call, t, a + i * step_a * size, op_a ? k : m, op_a ? m : k, lda) ||
            !is_matrix(call, t, b + i * step_b * size, op_b ? n : k, op_b ? k : n, ldb) ||
            !is_matrix(call, t, c + i * step_c * size, m, n, ldc))
            return BLAS_INVALID;
    if (items > 1 && step_c < (n - 1) * ldc + m) return refuse(call, "results overlap"), BLAS_INVALID;
    const std::vector<char> one((const char *)alpha, (const char *)alpha + size), zero((const char *)beta, (const char *)beta + size);
    return send(h, [=] {
        const char fa = flag(op_a), fb = flag(op_b);
        for (int64_t i = 0; i < items; ++i)
            lapack(t, "gemm")(&fa, &fb, &m, &n, &k, one.data(), a + i * step_a * size, &lda, b + i * step_b * size, &ldb,
                              zero.data(), c + i * step_c * size, &ldc, (size_t)1, (size_t)1);
    });
}

static int solve(const char *call, char t, Handle *h, int side, int fill, int op, int unit, int64_t m, int64_t n, const void *alpha,
                 const void *a, int64_t lda, const void *b, int64_t ldb, bool batch, int64_t items)
{
    const int64_t order = side ? n : m;
    const std::vector<char> one((const char *)alpha, (const char *)alpha + size_of(t));
    const auto fits = [=](Address a, Address b) { return is_matrix(call, t, a, order, order, lda) && is_matrix(call, t, b, m, n, ldb); };
    if (!is_ready(call, h, true) || !is_batch(call, items) || fill > 1 || op > 2) return BLAS_INVALID;
    if (!is_factor(call, t, alpha)) return BLAS_INVALID;
    if (batch ? !is_memory(call, a, 8 * items) || !is_memory(call, b, 8 * items) : !fits((Address)a, (Address)b)) return BLAS_INVALID;
    return send(h, [=] {
        const char s = "LR"[side], f = "LU"[fill], o = flag(op), d = "NU"[unit];
        for (int64_t i = 0; i < items; ++i) {
            const Address at = batch ? ((Address *)a)[i] : (Address)a, to = batch ? ((Address *)b)[i] : (Address)b;
            if (!fits(at, to)) abort();
            lapack(t, "trsm")(&s, &f, &o, &d, &m, &n, one.data(), at, &lda, to, &ldb, (size_t)1, (size_t)1, (size_t)1, (size_t)1);
        }
    });
}

static int lu(const char *call, char t, Handle *h, int n, const void *table, int lda, int *pivots, int *info, int items)
{
    if (!is_ready(call, h, true) || !is_batch(call, items) || lda < n || n <= 0) return BLAS_INVALID;
    if (!is_memory(call, table, 8 * items) || !is_memory(call, pivots, 4ull * n * items) || !is_memory(call, info, 4 * items))
        return BLAS_INVALID;
    return send(h, [=] {
        const int64_t order = n, ld = lda;
        std::vector<int64_t> wide(n);
        for (int i = 0; i < items; ++i) {
            int64_t result;
            const Address a = ((Address *)table)[i];
            if (!is_matrix(call, t, a, n, n, lda)) abort();
            lapack(t, "getrf")(&order, &order, a, &ld, wide.data(), &result);
            for (int k = 0; k < n; ++k) pivots[(int64_t)i * n + k] = (int)wide[k];
            info[i] = (int)result;
        }
    });
}

static int cholesky_batch(const char *call, char t, Handle *h, int fill, int n, const void *table, int lda, int *info, int items)
{
    if (!is_ready(call, h, false) || !is_batch(call, items) || !is_memory(call, table, 8 * items) || !is_memory(call, info, 4 * items)) return SOLVER_INVALID;
    return send(h, [=] {
        for (int i = 0; i < items; ++i) {
            const Address a = ((Address *)table)[i];
            const int64_t order = n, ld = lda;
            int64_t result;
            if (!is_matrix(call, t, a, n, n, lda)) abort();
            lapack(t, "potrf")(&"LU"[fill], &order, a, &ld, &result, (size_t)1);
            // cuSOLVER works in the other triangle.
            for (int j = 0; j < n; ++j) {
                const int from = fill == LOWER ? 0 : j + 1, to = fill == LOWER ? j : n;
                poison((void *)(a + ((int64_t)j * lda + from) * size_of(t)), (to - from) * size_of(t));
            }
            info[i] = (int)result;
        }
    });
}

static int q_length(char t, int m, int n, int k, Address a, int lda, const void *tau, int *length)
{
    const char *call = "cusolverDn<t>orgqr_bufferSize";
    if (m < n || n < k || !is_matrix(call, t, a, m, n, lda) || !is_memory(call, tau, k * size_of(t))) return SOLVER_INVALID;
    return *length = 8 * n, OK;
}

static int q(const char *call, char t, Handle *h, int m, int n, int k, Address a, int lda, const void *tau, const void *work, int length, int *info)
{
    if (!is_ready(call, h, false) || m < n || n < k || length != 8 * n || !is_matrix(call, t, a, m, n, lda)) return SOLVER_INVALID;
    if (!is_memory(call, tau, k * size_of(t)) || !is_memory(call, work, length * size_of(t)) || !is_memory(call, info, 4))
        return SOLVER_INVALID;
    return send(h, [=] {
        const int64_t rows = m, columns = n, reflections = k, ld = lda;
        int64_t result;
        const Routine f = lapack(t, is_complex(t) ? "ungqr" : "orgqr");
        Work w(t, n, [&](void *first, int64_t *query, void *, int64_t *, int64_t *, int64_t *) {
            f(&rows, &columns, &reflections, a, &ld, tau, first, query, &result);
        });
        f(&rows, &columns, &reflections, a, &ld, tau, w.work.data(), &w.length, &result);
        *info = (int)result;
    });
}

#define FOR(t, T, O)                                                                                                   \
    int cublas##T##trsm_v2_64(Handle *h, int s, int f, int o, int u, int64_t m, int64_t n, const void *one, const void *a, int64_t lda, \
                              void *b, int64_t ldb)                                                                    \
    {                                                                                                                  \
        return solve("cublas<t>trsm_v2_64", t, h, s, f, o, u, m, n, one, a, lda, b, ldb, false, 1);                    \
    }                                                                                                                  \
    int cublas##T##trsmBatched_64(Handle *h, int s, int f, int o, int u, int64_t m, int64_t n, const void *one, const void *a,    \
                                  int64_t lda, const void *b, int64_t ldb, int64_t items)                              \
    {                                                                                                                  \
        return solve("cublas<t>trsmBatched_64", t, h, s, f, o, u, m, n, one, a, lda, b, ldb, true, items);             \
    }                                                                                                                  \
    int cublas##T##getrfBatched(Handle *h, int n, const void *a, int lda, int *pivots, int *info, int items)           \
    {                                                                                                                  \
        return lu("cublas<t>getrfBatched", t, h, n, a, lda, pivots, info, items);                                      \
    }                                                                                                                  \
    int cusolverDn##T##potrfBatched(Handle *h, int fill, int n, void *a, int lda, int *info, int items)                \
    {                                                                                                                  \
        return cholesky_batch("cusolverDn<t>potrfBatched", t, h, fill, n, a, lda, info, items);                        \
    }                                                                                                                  \
    int cusolverDn##T##O##gqr_bufferSize(Handle *, int m, int n, int k, Address a, int lda, const void *tau, int *length)  \
    {                                                                                                                  \
        return q_length(t, m, n, k, a, lda, tau, length);                                                              \
    }                                                                                                                  \
    int cusolverDn##T##O##gqr(Handle *h, int m, int n, int k, Address a, int lda, const void *tau, void *work, int length, int *info) \
    {                                                                                                                  \
        return q("cusolverDn<t>orgqr", t, h, m, n, k, a, lda, tau, work, length, info);                                \
    }
FOR('s', S, or)
FOR('d', D, or)
FOR('c', C, un)
FOR('z', Z, un)

int cusolverDnCreate(Handle **h) { return *h = new Handle(), OK; }
int cusolverDnDestroy(Handle *h) { return delete h, OK; }
int cusolverDnSetStream(Handle *h, void *stream) { return h->stream = stream, OK; }
int cusolverDnCreateParams(void **p) { return *p = malloc(1), OK; }
int cusolverDnDestroyParams(void *p) { return free(p), OK; }

int cusolverDnXgetrf_bufferSize(Handle *, void *, int64_t m, int64_t n, int type, const void *, int64_t, int, size_t *device, size_t *host)
{
    const Sizes s = sizes_of(letter(type), m, n, false);
    return *device = s.device, *host = s.host, OK;
}
int cusolverDnXgetrf(Handle *h, void *params, int64_t m, int64_t n, int type, Address a, int64_t lda, int64_t *pivots, int compute,
                     void *device, size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    const char *call = "cusolverDnXgetrf", t = letter(type);
    if (!is_ready(call, h, false) || !params || t == '?' || compute != type || !is_matrix(call, t, a, m, n, lda)) return SOLVER_INVALID;
    if (!is_memory(call, pivots, 8 * (m < n ? m : n)) || !is_memory(call, info, 4)) return SOLVER_INVALID;
    if (!is_room(call, sizes_of(t, m, n, false), device, device_bytes, host, host_bytes)) return SOLVER_INVALID;
    return send(h, [=] {
        int64_t result;
        poison(device, device_bytes);
        lapack(t, "getrf")(&m, &n, a, &lda, pivots, &result);
        *info = (int)result;
    });
}

int cusolverDnXpotrf_bufferSize(Handle *, void *, int, int64_t n, int type, const void *, int64_t, int, size_t *device, size_t *host)
{
    const Sizes s = sizes_of(letter(type), n, n, false);
    return *device = s.device, *host = s.host, OK;
}
int cusolverDnXpotrf(Handle *h, void *params, int fill, int64_t n, int type, Address a, int64_t lda, int compute, void *device,
                     size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    const char *call = "cusolverDnXpotrf", t = letter(type);
    if (!is_ready(call, h, false) || !params || t == '?' || compute != type || !is_matrix(call, t, a, n, n, lda)) return SOLVER_INVALID;
    if (!is_memory(call, info, 4) || !is_room(call, sizes_of(t, n, n, false), device, device_bytes, host, host_bytes)) return SOLVER_INVALID;
    return send(h, [=] {
        int64_t result;
        poison(device, device_bytes);
        lapack(t, "potrf")(&"LU"[fill], &n, a, &lda, &result, (size_t)1);
        *info = (int)result;
    });
}

int cusolverDnXgeqrf_bufferSize(Handle *, void *, int64_t m, int64_t n, int type, const void *, int64_t, int, const void *, int,
                                size_t *device, size_t *host)
{
    const Sizes s = sizes_of(letter(type), m, n, false);
    return *device = s.device, *host = s.host, OK;
}
int cusolverDnXgeqrf(Handle *h, void *params, int64_t m, int64_t n, int type, Address a, int64_t lda, int type_tau, void *tau,
                     int compute, void *device, size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    const char *call = "cusolverDnXgeqrf", t = letter(type);
    if (!is_ready(call, h, false) || !params || t == '?' || compute != type || type_tau != type) return SOLVER_INVALID;
    if (!is_matrix(call, t, a, m, n, lda) || !is_memory(call, tau, size_of(t) * (m < n ? m : n)) || !is_memory(call, info, 4))
        return SOLVER_INVALID;
    if (!is_room(call, sizes_of(t, m, n, false), device, device_bytes, host, host_bytes)) return SOLVER_INVALID;
    return send(h, [=] {
        int64_t result;
        poison(device, device_bytes);
        Work w(t, n, [&](void *first, int64_t *query, void *, int64_t *, int64_t *, int64_t *) {
            lapack(t, "geqrf")(&m, &n, a, &lda, tau, first, query, &result);
        });
        lapack(t, "geqrf")(&m, &n, a, &lda, tau, w.work.data(), &w.length, &result);
        *info = (int)result;
    });
}

int cusolverDnXsyevd_bufferSize(Handle *, void *, int, int, int64_t n, int type, const void *, int64_t, int, const void *, int,
                                size_t *device, size_t *host)
{
    const Sizes s = sizes_of(letter(type), n, n, true);
    return *device = s.device, *host = s.host, OK;
}
int cusolverDnXsyevd(Handle *h, void *params, int mode, int fill, int64_t n, int type, Address a, int64_t lda, int type_w, void *w,
                     int compute, void *device, size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    const char *call = "cusolverDnXsyevd", t = letter(type);
    if (!is_ready(call, h, false) || !params || t == '?' || compute != type || letter(type_w) != real_of(t)) return SOLVER_INVALID;
    if (!is_matrix(call, t, a, n, n, lda) || !is_memory(call, w, n * size_of(real_of(t))) || !is_memory(call, info, 4)) return SOLVER_INVALID;
    if (!is_room(call, sizes_of(t, n, n, true), device, device_bytes, host, host_bytes)) return SOLVER_INVALID;
    return send(h, [=] {
        int64_t result;
        poison(device, device_bytes);
        for (int64_t j = 0; j < n; ++j)
            check_finite(call, t, (char *)a + (j * lda + (fill == LOWER ? j : 0)) * size_of(t), fill == LOWER ? n - j : j + 1);
        const Routine f = lapack(t, is_complex(t) ? "heevd" : "syevd");
        const auto run = [&](void *work, int64_t *length, void *reals, int64_t *n_reals, int64_t *integers, int64_t *n_integers) {
            if (is_complex(t)) f(&"NV"[mode], &"LU"[fill], &n, a, &lda, w, work, length, reals, n_reals, integers, n_integers, &result, (size_t)1, (size_t)1);
            else f(&"NV"[mode], &"LU"[fill], &n, a, &lda, w, work, length, integers, n_integers, &result, (size_t)1, (size_t)1);
        };
        Work room(t, n, run);
        int64_t n_reals = room.reals.size() / 8, n_integers = room.integers.size();
        run(room.work.data(), &room.length, room.reals.data(), &n_reals, room.integers.data(), &n_integers);
        if (mode == NO_VECTORS) poison((void *)a, (size_t)(n * lda) * size_of(t));
        *info = (int)result;
    });
}

int cusolverDnXgesvd_bufferSize(Handle *, void *, signed char, signed char, int64_t m, int64_t n, int type, const void *, int64_t, int,
                                const void *, int, const void *, int64_t, int, const void *, int64_t, int, size_t *device, size_t *host)
{
    const Sizes s = sizes_of(letter(type), m, n, true);
    return *device = s.device, *host = s.host, OK;
}
int cusolverDnXgesvd(Handle *h, void *params, signed char job_u, signed char job_v, int64_t m, int64_t n, int type, Address a, int64_t lda,
                     int type_s, void *s, int type_u, Address u, int64_t ldu, int type_v, Address v, int64_t ldv, int compute,
                     void *device, size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    const char *call = "cusolverDnXgesvd", t = letter(type);
    if (!is_ready(call, h, false) || !params || t == '?' || compute != type || type_u != type || type_v != type) return SOLVER_INVALID;
    if (m < n || letter(type_s) != real_of(t) || !is_matrix(call, t, a, m, n, lda)) return SOLVER_INVALID;
    if (!is_memory(call, s, n * size_of(real_of(t))) || !is_memory(call, info, 4) || ldu < m || ldv < n) return SOLVER_INVALID;
    if (job_u != 'N' && !is_matrix(call, t, u, m, job_u == 'A' ? m : n, ldu)) return SOLVER_INVALID;
    if (job_v != 'N' && !is_matrix(call, t, v, n, n, ldv)) return SOLVER_INVALID;
    if (!is_room(call, sizes_of(t, m, n, true), device, device_bytes, host, host_bytes)) return SOLVER_INVALID;
    return send(h, [=] {
        int64_t result;
        const char ju = job_u, jv = job_v;
        poison(device, device_bytes);
        for (int64_t j = 0; j < n; ++j) check_finite(call, t, (char *)a + j * lda * size_of(t), m);
        const auto run = [&](void *work, int64_t *length, void *reals, int64_t *, int64_t *, int64_t *) {
            const Routine f = lapack(t, "gesvd");
            if (is_complex(t)) f(&ju, &jv, &m, &n, a, &lda, s, u, &ldu, v, &ldv, work, length, reals, &result, (size_t)1, (size_t)1);
            else f(&ju, &jv, &m, &n, a, &lda, s, u, &ldu, v, &ldv, work, length, &result, (size_t)1, (size_t)1);
        };
        Work room(t, n, run);
        run(room.work.data(), &room.length, room.reals.data(), 0, 0, 0);
        poison((void *)a, (size_t)((n - 1) * lda + m) * size_of(t));
        *info = (int)result;
    });
}

int cusolverDnXgeev_bufferSize(Handle *, void *, int, int, int64_t n, int type, const void *, int64_t, int, const void *, int, const void *,
                               int64_t, int, const void *, int64_t, int, size_t *device, size_t *host)
{
    const Sizes s = sizes_of(letter(type), n, n, true);
    return *device = s.device, *host = s.host, OK;
}
int cusolverDnXgeev(Handle *h, void *params, int left, int right, int64_t n, int type, Address a, int64_t lda, int type_w, void *w,
                    int type_l, void *, int64_t ldl, int type_r, Address v, int64_t ldv, int compute, void *device,
                    size_t device_bytes, void *host, size_t host_bytes, int *info)
{
    const char *call = "cusolverDnXgeev", t = letter(type);
    if (!is_ready(call, h, false) || !params || t == '?' || compute != type || type_l != type || type_r != type) return SOLVER_INVALID;
    if (left != NO_VECTORS || letter(type_w) != complex_of(t) || ldl < 1 || !is_matrix(call, t, a, n, n, lda)) return SOLVER_INVALID;
    if (!is_memory(call, w, n * size_of(complex_of(t))) || !is_memory(call, info, 4)) return SOLVER_INVALID;
    if (right == VECTORS && !is_matrix(call, t, v, n, n, ldv)) return SOLVER_INVALID;
    if (!is_room(call, sizes_of(t, n, n, true), device, device_bytes, host, host_bytes)) return SOLVER_INVALID;
    return send(h, [=] {
        int64_t result;
        const int64_t one = 1;
        poison(device, device_bytes);
        for (int64_t j = 0; j < n; ++j) check_finite(call, t, (char *)a + j * lda * size_of(t), n);
        std::vector<double> re(n), im(n);
        const auto run = [&](void *work, int64_t *length, void *reals, int64_t *, int64_t *, int64_t *) {
            const Routine f = lapack(t, "geev");
            if (is_complex(t)) f("N", &"NV"[right], &n, a, &lda, w, (void *)0, &one, v, &ldv, work, length, reals, &result, (size_t)1, (size_t)1);
            else f("N", &"NV"[right], &n, a, &lda, re.data(), im.data(), (void *)0, &one, v, &ldv, work, length, &result, (size_t)1, (size_t)1);
        };
        Work room(t, n, run);
        run(room.work.data(), &room.length, room.reals.data(), 0, 0, 0);
        for (int64_t k = 0; k < n && !is_complex(t); ++k)
            for (int part = 0; part < 2; ++part) {
                const std::vector<double> &from = part ? im : re;
                if (is_double(t)) ((double *)w)[2 * k + part] = from[k];
                else ((float *)w)[2 * k + part] = ((const float *)from.data())[k];
            }
        poison((void *)a, (size_t)((n - 1) * lda + n) * size_of(t));
        *info = (int)result;
    });
}
}
