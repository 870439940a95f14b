// Convolutions y[t] = sum_j b[j] x[t + offset - j] along the last axis, of the products whose elements exist. Many results are a
// thread each, with the order of the sums, and so the bits, of `rust/kernels/src/fir.rs`. Few results of long sums are cut into
// chunks of products, which blocks add up in a fixed tree.
//
// Define: SA_T is float, double, sa_c64 or sa_c128.

enum { SA_THREADS = 256, SA_CHUNK = 8192 };

struct sa_fir {
    const SA_T *b, *x;
    SA_T *y;
    // Along the last axis.
    sa_i64 b_step, x_step, y_step;
    // Coefficients, samples, results of a line.
    sa_i64 taps, n, m, offset, n_lines;
    // By chunks: their number, and per line, result and chunk its sum.
    sa_i64 n_chunks;
    SA_T *sums;
    sa_layout<3> lines;
};

// Result t is the sum over i of b[taps - 1 - i] x[t + low + i] for these i.
struct sa_fir_range { sa_i64 from, to; };
SA_DEVICE sa_i64 sa_fir_low(const sa_fir &p) { return p.offset - (p.taps - 1); }
SA_DEVICE sa_fir_range sa_fir_terms(const sa_fir &p, sa_i64 t)
{
    const sa_i64 first = t + sa_fir_low(p), from = first < 0 ? -first : 0;
    return {from, sa_min(p.taps, p.n - first)};
}

// Blocks of as many threads as results; coefficients and samples pass through shared memory.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_fir_tiles)
SA_KERNEL(sa_fir_tiles, sa_fir)
{
    SA_SHARED SA_T b[SA_THREADS];
    SA_SHARED SA_T x[2 * SA_THREADS];
    const int thread = threadIdx.x;
    const sa_i64 tiles = (p.m + SA_THREADS - 1) / SA_THREADS;
    for (sa_i64 item = blockIdx.x; item < p.n_lines * tiles; item += gridDim.x) {
        const sa_i64 first = item % tiles * SA_THREADS, t = first + thread;
        sa_i64 at[3];
        sa_offsets(p.lines, item / tiles, at);
        const sa_fir_range own = sa_fir_terms(p, t);
        // The last result's terms begin first, and the first one's end last.
        const sa_i64 begin = sa_fir_terms(p, sa_min(first + SA_THREADS, p.m) - 1).from, end = sa_fir_terms(p, first).to;
        SA_T sum = SA_T();
        for (sa_i64 i = begin; i < end; i += SA_THREADS) {
            if (i + thread < end) b[thread] = p.b[at[0] + (p.taps - 1 - i - thread) * p.b_step];
            for (int k = thread; k < 2 * SA_THREADS; k += SA_THREADS) {
                const sa_i64 source = first + sa_fir_low(p) + i + k;
                if (source >= 0 && source < p.n) x[k] = p.x[at[1] + source * p.x_step];
            }
            __syncthreads();
            if (t < p.m) {
                const sa_i64 to = sa_min(sa_min(i + SA_THREADS, end), own.to);
                for (sa_i64 k = own.from > i ? own.from : i; k < to; ++k) sum = sum + b[k - i] * x[thread + (k - i)];
            }
            __syncthreads();
        }
        if (t < p.m) p.y[at[2] + t * p.y_step] = sum;
    }
}
#endif

// First launch by chunks.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_fir_chunks)
SA_KERNEL(sa_fir_chunks, sa_fir)
{
    SA_SHARED SA_T sums[SA_THREADS];
    const int thread = threadIdx.x;
    for (sa_i64 item = blockIdx.x; item < p.n_lines * p.m * p.n_chunks; item += gridDim.x) {
        const sa_i64 t = item / p.n_chunks % p.m;
        sa_i64 at[3];
        sa_offsets(p.lines, item / (p.n_chunks * p.m), at);
        const sa_fir_range terms = sa_fir_terms(p, t);
        const sa_i64 from = terms.from + item % p.n_chunks * SA_CHUNK, to = sa_min(from + SA_CHUNK, terms.to);
        const SA_T *b = p.b + at[0] + (p.taps - 1) * p.b_step, *x = p.x + at[1] + (t + sa_fir_low(p)) * p.x_step;
        SA_T sum = SA_T();
        for (sa_i64 i = from + thread; i < to; i += SA_THREADS) sum = sum + b[-i * p.b_step] * x[i * p.x_step];
        sums[thread] = sum;
        for (int apart = SA_THREADS / 2; apart > 0; apart /= 2) {
            __syncthreads();
            if (thread < apart) sums[thread] = sums[thread] + sums[thread + apart];
        }
        if (thread == 0) p.sums[item] = sums[0];
        __syncthreads();
    }
}
#endif

// Second launch: a thread per result.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_fir_join)
SA_KERNEL(sa_fir_join, sa_fir)
{
    for (sa_i64 item = sa_thread(); item < p.n_lines * p.m; item += sa_threads()) {
        sa_i64 at[3];
        sa_offsets(p.lines, item / p.m, at);
        SA_T sum = SA_T();
        for (sa_i64 c = 0; c < p.n_chunks; ++c) sum = sum + p.sums[item * p.n_chunks + c];
        p.y[at[2] + item % p.m * p.y_step] = sum;
    }
}
#endif
