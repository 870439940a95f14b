// Cumulative sums, products and extrema. Where there are many lines, a thread scans one, with the steps and so the bits of
// `rust/kernels/src/scan.rs`. Few long lines are cut into chunks, whose tree is fixed but another: floats then differ from the
// CPU's in the last places of the double precision in which they are carried.
//
// Defines: SA_SCAN is sum, prod, min or max; SA_IN, SA_ACC and SA_OUT are types.

template <class A> struct sa_step_sum {
    enum { group = 1 };
    SA_MEMBER A merge(A a, A b) { return a + b; }
};
template <class A> struct sa_step_prod {
    enum { group = 0 };
    SA_MEMBER A merge(A a, A b) { return a * b; }
};
template <class A> struct sa_step_min {
    enum { group = 0 };
    SA_MEMBER A merge(A a, A b) { return sa_beats<false>(b, a) ? b : a; }
};
template <class A> struct sa_step_max {
    enum { group = 0 };
    SA_MEMBER A merge(A a, A b) { return sa_beats<true>(b, a) ? b : a; }
};
#define SA_JOIN_(a, b) a##b
#define SA_JOIN(a, b) SA_JOIN_(a, b)
typedef SA_JOIN(sa_step_, SA_SCAN)<SA_ACC> sa_step;

struct sa_scan {
    const SA_IN *x;
    SA_OUT *y;
    // Chunk totals, then what goes before each chunk, line by line.
    SA_ACC *chunks;
    SA_OUT identity;
    sa_i64 n, n_lines, n_chunks, step_x, step_y, exclusive;
    sa_layout<2> lines;
};

SA_DEVICE SA_ACC sa_lift(const sa_scan &p, const SA_IN *x, sa_i64 i) { return sa_cast<SA_ACC>(x[i * p.step_x]); }

// Value `i` that counts its element goes one further where elements do not count themselves.
SA_DEVICE void sa_show(const sa_scan &p, SA_OUT *y, sa_i64 i, SA_ACC a)
{
    if (i + p.exclusive < p.n) y[(i + p.exclusive) * p.step_y] = sa_cast<SA_OUT>(a);
}

#if !defined(SA_ONLY) || defined(SA_ONLY_sa_scan_lines)
SA_KERNEL(sa_scan_lines, sa_scan)
{
    for (sa_i64 line = sa_thread(); line < p.n_lines; line += sa_threads()) {
        sa_i64 at[2];
        sa_offsets(p.lines, line, at);
        const SA_IN *x = p.x + at[0];
        SA_OUT *y = p.y + at[1];
        SA_ACC carry = sa_lift(p, x, 0);
        if (p.exclusive) y[0] = p.identity;
        sa_show(p, y, 0, carry);
        sa_i64 i = 1;
        if (sa_step::group) {
            for (; i + 4 <= p.n; i += 4) {
                const SA_ACC a = sa_lift(p, x, i), ab = sa_step::merge(a, sa_lift(p, x, i + 1));
                const SA_ACC c = sa_lift(p, x, i + 2), cd = sa_step::merge(c, sa_lift(p, x, i + 3));
                sa_show(p, y, i, sa_step::merge(carry, a));
                sa_show(p, y, i + 1, sa_step::merge(carry, ab));
                sa_show(p, y, i + 2, sa_step::merge(carry, sa_step::merge(ab, c)));
                carry = sa_step::merge(carry, sa_step::merge(ab, cd));
                sa_show(p, y, i + 3, carry);
            }
        }
        for (; i < p.n; ++i) {
            carry = sa_step::merge(carry, sa_lift(p, x, i));
            sa_show(p, y, i, carry);
        }
    }
}
#endif

enum { SA_THREADS = 256, SA_EACH = 8, SA_CHUNK = SA_THREADS * SA_EACH };

// The inclusive scan of a chunk in `tile`: each thread its 8 elements, then all threads' totals by doubling distances.
SA_DEVICE void sa_scan_tile(SA_ACC *tile, SA_ACC *totals, sa_i64 count)
{
    const int t = threadIdx.x;
    const sa_i64 from = (sa_i64)t * SA_EACH, to = sa_min(from + SA_EACH, count);
    for (sa_i64 i = from + 1; i < to; ++i) tile[i] = sa_step::merge(tile[i - 1], tile[i]);
    if (from < to) totals[t] = tile[to - 1];
    __syncthreads();
    for (int apart = 1; apart < SA_THREADS; apart *= 2) {
        SA_ACC sum;
        const bool adds = t >= apart && from < to;
        if (adds) sum = sa_step::merge(totals[t - apart], totals[t]);
        __syncthreads();
        if (adds) totals[t] = sum;
        __syncthreads();
    }
    if (t > 0)
        for (sa_i64 i = from; i < to; ++i) tile[i] = sa_step::merge(totals[t - 1], tile[i]);
    __syncthreads();
}

template <bool SHOW> SA_DEVICE void sa_scan_chunk(const sa_scan &p)
{
    SA_SHARED SA_ACC tile[SA_CHUNK];
    SA_SHARED SA_ACC totals[SA_THREADS];
    for (sa_i64 item = blockIdx.x; item < p.n_lines * p.n_chunks; item += gridDim.x) {
        const sa_i64 line = item / p.n_chunks, chunk = item % p.n_chunks, first = chunk * SA_CHUNK;
        const sa_i64 count = sa_min(SA_CHUNK, p.n - first);
        sa_i64 at[2];
        sa_offsets(p.lines, line, at);
        for (sa_i64 i = threadIdx.x; i < count; i += SA_THREADS) tile[i] = sa_lift(p, p.x + at[0], first + i);
        __syncthreads();
        sa_scan_tile(tile, totals, count);
        if (!SHOW) {
            if (threadIdx.x == 0) p.chunks[item] = tile[count - 1];
        } else {
            SA_OUT *y = p.y + at[1];
            if (first == 0 && threadIdx.x == 0 && p.exclusive) y[0] = p.identity;
            for (sa_i64 i = threadIdx.x; i < count; i += SA_THREADS)
                sa_show(p, y, first + i, chunk > 0 ? sa_step::merge(p.chunks[item], tile[i]) : tile[i]);
        }
        __syncthreads();
    }
}

// First launch: the total of each chunk.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_scan_totals)
SA_KERNEL(sa_scan_totals, sa_scan) { sa_scan_chunk<false>(p); }
#endif

// Second launch: what goes before each chunk, a thread per line.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_scan_carries)
SA_KERNEL(sa_scan_carries, sa_scan)
{
    for (sa_i64 line = sa_thread(); line < p.n_lines; line += sa_threads()) {
        SA_ACC *chunks = p.chunks + line * p.n_chunks;
        SA_ACC carry = chunks[0];
        for (sa_i64 c = 1; c < p.n_chunks; ++c) {
            const SA_ACC total = chunks[c];
            chunks[c] = carry;
            carry = sa_step::merge(carry, total);
        }
    }
}
#endif

// Third launch: the chunks again, with what goes before them. The first chunk's carry is not read.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_scan_show)
SA_KERNEL(sa_scan_show, sa_scan) { sa_scan_chunk<true>(p); }
#endif
