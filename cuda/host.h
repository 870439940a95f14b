// The words of CUDA for a host compiler, so that tests run the kernels without a GPU. A block is a set of fibers that take
// turns at barriers; blocks run one after the other, so shared memory is static. Fibers run in ascending order in one launch
// and in descending order in the next: a result that depends on a missing barrier differs.
// Fibers jump, because swapcontext asks the kernel for the signal mask; glibc's check of jumps knows one stack only.
#undef _FORTIFY_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define SA_HOST 1

struct uint3 { unsigned x, y, z; };
static uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace sa_host {
enum State { READY, AT_WARP, AT_BLOCK, DONE };
struct Fiber {
    jmp_buf at;
    State state;
};
const unsigned WARP = 32, STACK = 256 << 10;
static Fiber *fibers;
static unsigned n_fibers, current, launches, warp_flags[64];
static jmp_buf scheduler;
static ucontext_t creator;
static void (*body)(const void *);
static const void *parameters;

__attribute__((noinline)) static void wait(State state)
{
    fibers[current].state = state;
    if (!_setjmp(fibers[current].at)) _longjmp(scheduler, 1);
}

__attribute__((noinline)) static void resume(unsigned i)
{
    current = i;
    if (!_setjmp(scheduler)) _longjmp(fibers[i].at, 1);
}

// What a fiber does: a thread of every block, one after the other.
static void enter()
{
    if (!_setjmp(fibers[current].at)) setcontext(&creator);
    for (;;) {
        body(parameters);
        wait(DONE);
    }
}

static void create(unsigned i)
{
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = malloc(STACK);
    context.uc_stack.ss_size = STACK;
    context.uc_link = 0;
    makecontext(&context, enter, 0);
    current = i;
    swapcontext(&creator, &context);
}

static void place(unsigned i)
{
    threadIdx.x = i % blockDim.x;
    threadIdx.y = i / blockDim.x % blockDim.y;
    threadIdx.z = i / (blockDim.x * blockDim.y);
}

// Whether all of these threads wait at this barrier or have ended, and some wait.
static bool complete(unsigned from, unsigned to, State state)
{
    bool some = false;
    for (unsigned i = from; i < to; ++i) {
        if (fibers[i].state != state && fibers[i].state != DONE) return false;
        some |= fibers[i].state == state;
    }
    return some;
}

static void release(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; ++i)
        if (fibers[i].state != DONE) fibers[i].state = READY;
}

static void run_block()
{
    const unsigned n = blockDim.x * blockDim.y * blockDim.z;
    if (n > n_fibers) {
        fibers = (Fiber *)realloc(fibers, n * sizeof *fibers);
        for (unsigned i = n_fibers; i < n; ++i) create(i);
        n_fibers = n;
    }
    for (unsigned i = 0; i < n; ++i) fibers[i].state = READY;
    for (;;) {
        bool ran = false, left = false;
        for (unsigned k = 0; k < n; ++k) {
            const unsigned i = launches & 1 ? n - 1 - k : k;
            if (fibers[i].state != READY) continue;
            place(i);
            resume(i);
            ran = true;
        }
        for (unsigned w = 0; w < n; w += WARP) {
            const unsigned end = w + WARP < n ? w + WARP : n;
            if (complete(w, end, AT_WARP)) release(w, end), ran = true;
        }
        if (complete(0, n, AT_BLOCK)) release(0, n), ran = true;
        for (unsigned i = 0; i < n; ++i) left |= fibers[i].state != DONE;
        if (!left) return;
        if (!ran) {
            fprintf(stderr, "threads of a block wait at different barriers\n");
            abort();
        }
    }
}

// Grid, then block.
static void run(void (*f)(const void *), const void *p, const unsigned *shape)
{
    body = f;
    parameters = p;
    gridDim = uint3{shape[0], shape[1], shape[2]};
    blockDim = uint3{shape[3], shape[4], shape[5]};
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) run_block();
    ++launches;
}
}

static inline void __syncthreads() { sa_host::wait(sa_host::AT_BLOCK); }
static inline void __syncwarp() { sa_host::wait(sa_host::AT_WARP); }
static inline int __any_sync(unsigned, int flag)
{
    unsigned &any = sa_host::warp_flags[sa_host::current / sa_host::WARP];
    __syncwarp();
    any = 0;
    __syncwarp();
    any |= flag != 0;
    __syncwarp();
    const int result = any != 0;
    __syncwarp();
    return result;
}
static inline unsigned long long atomicMin(unsigned long long *at, unsigned long long v)
{
    const unsigned long long old = *at;
    if (v < old) *at = v;
    return old;
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
