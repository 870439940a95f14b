// The words of CUDA for a host compiler, so that tests run the kernels without a GPU. A block is a set of fibers that take
// turns at barriers; blocks run one after the other, so shared memory is static. Fibers run in ascending order in one launch
// and in descending order in the next: a result that depends on a missing barrier differs.
#include <stdio.h>
#include <stdlib.h>
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
    ucontext_t context;
    char *stack;
    State state;
};
const unsigned WARP = 32, STACK = 256 << 10;
static Fiber *fibers;
static unsigned n_fibers, current, launches, warp_flags[64];
static ucontext_t scheduler;
static void (*body)(const void *);
static const void *parameters;

static void enter()
{
    body(parameters);
    fibers[current].state = DONE;
    swapcontext(&fibers[current].context, &scheduler);
}

static void wait(State state)
{
    fibers[current].state = state;
    swapcontext(&fibers[current].context, &scheduler);
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
        for (unsigned i = n_fibers; i < n; ++i) fibers[i].stack = (char *)malloc(STACK);
        n_fibers = n;
    }
    for (unsigned i = 0; i < n; ++i) {
        getcontext(&fibers[i].context);
        fibers[i].context.uc_stack.ss_sp = fibers[i].stack;
        fibers[i].context.uc_stack.ss_size = STACK;
        fibers[i].context.uc_link = 0;
        makecontext(&fibers[i].context, enter, 0);
        fibers[i].state = READY;
    }
    for (;;) {
        bool ran = false, left = false;
        for (unsigned k = 0; k < n; ++k) {
            const unsigned i = launches & 1 ? n - 1 - k : k;
            if (fibers[i].state != READY) continue;
            current = i;
            place(i);
            swapcontext(&scheduler, &fibers[i].context);
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
