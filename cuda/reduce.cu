// Reductions with the tree of `rust/kernels/src/reduce`, so with its bits. The reduced elements of an output, in C order, are
// cut into blocks of 256; element i of a block goes to lane i % 16; lanes are folded; blocks are combined pairwise, the left
// part being the largest power of two. 64 blocks are a unit, a node of that tree.
//
// Defines: SA_FOLD is one of the structures below without its prefix, SA_IN, SA_ACC and SA_OUT are types.

enum { SA_LANES = 16, SA_BLOCK = 256, SA_UNIT = 64, SA_DEPTH = 7, SA_GROUP = 512 };

// Sums and products. Without an identity: the first element of a lane is lifted.
template <class T, class A> struct sa_fold_sum {
    typedef A acc;
    typedef char param;
    SA_MEMBER A lift(T x, sa_i64, const param *) { return sa_cast<A>(x); }
    SA_MEMBER A merge(A a, A b) { return a + b; }
    SA_MEMBER A result(A a) { return a; }
};
template <class T, class A> struct sa_fold_prod : sa_fold_sum<T, A> {
    SA_MEMBER A merge(A a, A b) { return a * b; }
};
// The sum of squared distances from a mean.
template <class T, class A> struct sa_fold_squares : sa_fold_sum<T, A> {
    typedef double param;
    SA_MEMBER A lift(T x, sa_i64, const double *mean)
    {
        const double d = (double)x - *mean;
        return d * d;
    }
};
template <class T, class A> struct sa_fold_squares<sa_complex<T>, A> : sa_fold_sum<sa_complex<T>, A> {
    typedef sa_c128 param;
    SA_MEMBER A lift(sa_complex<T> x, sa_i64, const sa_c128 *mean)
    {
        const double re = (double)x.re - mean->re, im = (double)x.im - mean->im;
        return re * re + im * im;
    }
};
template <class T, class A> struct sa_fold_count : sa_fold_sum<T, A> {
    SA_MEMBER A lift(T x, sa_i64, const char *) { return sa_cast<bool>(x); }
};
template <class T, class A> struct sa_fold_any : sa_fold_count<T, A> {
    SA_MEMBER A merge(A a, A b) { return a | b; }
};
template <class T, class A> struct sa_fold_all : sa_fold_count<T, A> {
    SA_MEMBER A merge(A a, A b) { return a & b; }
};
// Extrema and their places: of equal elements, and of NaNs, the first.
template <class T> struct sa_place {
    sa_i64 at;
    T value;
};
template <class T, bool MAX> struct sa_fold_place {
    typedef sa_place<T> acc;
    typedef char param;
    SA_MEMBER acc lift(T x, sa_i64 at, const char *)
    {
        acc a;
        a.at = at, a.value = x;
        return a;
    }
    SA_MEMBER acc merge(acc a, acc b)
    {
        if (sa_beats<MAX>(b.value, a.value)) return b;
        return b.at < a.at && !sa_beats<MAX>(a.value, b.value) ? b : a;
    }
    SA_MEMBER T result(acc a) { return a.value; }
};
template <class T, class A> struct sa_fold_min : sa_fold_place<T, false> {};
template <class T, class A> struct sa_fold_max : sa_fold_place<T, true> {};
template <class T, class A> struct sa_fold_argmin : sa_fold_place<T, false> {
    SA_MEMBER sa_i64 result(sa_place<T> a) { return a.at; }
};
template <class T, class A> struct sa_fold_argmax : sa_fold_place<T, true> {
    SA_MEMBER sa_i64 result(sa_place<T> a) { return a.at; }
};

#define SA_JOIN_(a, b) a##b
#define SA_JOIN(a, b) SA_JOIN_(a, b)
typedef SA_JOIN(sa_fold_, SA_FOLD)<SA_IN, SA_ACC> sa_fold;
typedef sa_fold::acc sa_acc;

struct sa_reduce {
    const SA_IN *x;
    // One per output.
    const sa_fold::param *params;
    // Accumulators of units, a row of outputs per unit; where there is one unit, results instead.
    sa_acc *units;
    SA_OUT *out;
    sa_i64 n_reduced, n_outputs, n_units;
    sa_layout<1> reduced, kept;
};

SA_DEVICE sa_i64 sa_at(const sa_layout<1> &l, sa_i64 i)
{
    sa_i64 at[1];
    sa_offsets(l, i, at);
    return at[0];
}

SA_DEVICE void sa_finish(const sa_reduce &p, sa_i64 unit, sa_i64 output, sa_acc value)
{
    if (p.n_units == 1) p.out[output] = sa_cast<SA_OUT>(sa_fold::result(value));
    else p.units[unit * p.n_outputs + output] = value;
}

// Combines `count` values pairwise into the first; all threads of the block take part.
SA_DEVICE void sa_combine(sa_acc *values, sa_i64 count)
{
    for (sa_i64 apart = 1; apart < count; apart *= 2) {
        for (sa_i64 i = 2 * apart * threadIdx.x; i + apart < count; i += 2 * apart * blockDim.x)
            values[i] = sa_fold::merge(values[i], values[i + apart]);
        __syncthreads();
    }
}

// Folds the lanes of a block, of which so many have elements.
SA_DEVICE sa_acc sa_fold_lanes(const sa_acc *from, int filled)
{
    sa_acc lanes[SA_LANES];
#pragma unroll
    for (int l = 0; l < SA_LANES; ++l)
        if (l < filled) lanes[l] = from[l];
#pragma unroll
    for (int width = SA_LANES / 2; width > 0; width /= 2) {
#pragma unroll
        for (int l = 0; l < SA_LANES / 2; ++l)
            if (l < width && l + width < filled) lanes[l] = sa_fold::merge(lanes[l], lanes[l + width]);
    }
    return lanes[0];
}

// Outputs one after the other: 256 threads, 16 for each of 16 blocks, work on a unit.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_reduce_lines)
SA_KERNEL(sa_reduce_lines, sa_reduce)
{
    // A row per block of elements; the gaps keep threads that read rows out of each other's banks.
    SA_SHARED sa_acc lanes[SA_UNIT * (SA_LANES + 1)];
    SA_SHARED sa_acc values[SA_UNIT];
    const int t = threadIdx.x, lane = t % SA_LANES, part = t / SA_LANES;
    const bool even = p.reduced.ndim <= 1;
    const sa_i64 step = p.reduced.ndim ? p.reduced.stride[0][0] : 0;
    for (sa_i64 item = blockIdx.x; item < p.n_outputs * p.n_units; item += gridDim.x) {
        const sa_i64 output = item / p.n_units, unit = item % p.n_units;
        const SA_IN *x = p.x + sa_at(p.kept, output);
        const sa_i64 first = unit * SA_UNIT * SA_BLOCK;
        const sa_i64 left = sa_min(p.n_reduced - first, SA_UNIT * SA_BLOCK);
        const sa_i64 count = (left + SA_BLOCK - 1) / SA_BLOCK;
        for (int round = 0; round * SA_LANES < count; ++round) {
            const sa_i64 start = (round * SA_LANES + part) * SA_BLOCK;
            const sa_i64 end = sa_min(start + SA_BLOCK, left);
            sa_acc *row = lanes + (round * SA_LANES + part) * (SA_LANES + 1);
            if (even && start + SA_BLOCK <= left) {
                const SA_IN *from = x + (first + start + lane) * step;
                SA_IN read[SA_LANES];
                // All at once: a thread that waits for one element before it asks for the next leaves memory idle.
#pragma unroll
                for (int i = 0; i < SA_LANES; ++i) read[i] = from[i * SA_LANES * step];
                sa_acc a = sa_fold::lift(read[0], first + start + lane, p.params + output);
#pragma unroll
                for (int i = 1; i < SA_LANES; ++i)
                    a = sa_fold::merge(a, sa_fold::lift(read[i], first + start + lane + i * SA_LANES, p.params + output));
                row[lane] = a;
            } else if (start + lane < end) {
                sa_acc a = sa_fold::lift(x[sa_at(p.reduced, first + start + lane)], first + start + lane, p.params + output);
                for (sa_i64 i = start + lane + SA_LANES; i < end; i += SA_LANES)
                    a = sa_fold::merge(a, sa_fold::lift(x[sa_at(p.reduced, first + i)], first + i, p.params + output));
                row[lane] = a;
            }
        }
        __syncthreads();
        if (t < count) values[t] = sa_fold_lanes(lanes + t * (SA_LANES + 1), (int)sa_min(SA_LANES, left - t * SA_BLOCK));
        __syncthreads();
        sa_combine(values, count);
        if (t == 0) sa_finish(p, unit, output, values[0]);
        __syncthreads();
    }
}
#endif

// Outputs side by side: a thread works on a unit of one output.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_reduce_rows)
SA_KERNEL(sa_reduce_rows, sa_reduce)
{
    for (sa_i64 item = sa_thread(); item < p.n_outputs * p.n_units; item += sa_threads()) {
        const sa_i64 output = item % p.n_outputs, unit = item / p.n_outputs;
        const SA_IN *x = p.x + sa_at(p.kept, output);
        const sa_fold::param *param = p.params + output;
        const sa_i64 first = unit * SA_UNIT * SA_BLOCK;
        const sa_i64 end = sa_min(p.n_reduced, first + SA_UNIT * SA_BLOCK);
        sa_acc nodes[SA_DEPTH + 1];
        int depth = 0, done = 0;
        for (sa_i64 start = first; start < end; start += SA_BLOCK, ++done) {
            const sa_i64 stop = sa_min(start + SA_BLOCK, end);
            const int filled = (int)sa_min(SA_LANES, stop - start);
            sa_acc lanes[SA_LANES];
#pragma unroll
            for (int l = 0; l < SA_LANES; ++l)
                if (l < filled) lanes[l] = sa_fold::lift(x[sa_at(p.reduced, start + l)], start + l, param);
            for (sa_i64 i = start + SA_LANES; i < stop; i += SA_LANES) {
#pragma unroll
                for (int l = 0; l < SA_LANES; ++l)
                    if (i + l < stop) lanes[l] = sa_fold::merge(lanes[l], sa_fold::lift(x[sa_at(p.reduced, i + l)], i + l, param));
            }
            nodes[depth++] = sa_fold_lanes(lanes, filled);
            for (int bits = done; bits & 1; bits >>= 1, --depth) nodes[depth - 2] = sa_fold::merge(nodes[depth - 2], nodes[depth - 1]);
        }
        for (; depth > 1; --depth) nodes[depth - 2] = sa_fold::merge(nodes[depth - 2], nodes[depth - 1]);
        sa_finish(p, unit, output, nodes[0]);
    }
}
#endif

struct sa_reduce_tree {
    const sa_acc *units;
    sa_acc *next;
    SA_OUT *out;
    sa_i64 n_units, n_outputs;
};

// Combines 512 units into one; the last such launch, of one group, leaves results.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_reduce_units)
SA_KERNEL(sa_reduce_units, sa_reduce_tree)
{
    SA_SHARED sa_acc values[SA_GROUP];
    const sa_i64 groups = (p.n_units + SA_GROUP - 1) / SA_GROUP;
    for (sa_i64 item = blockIdx.x; item < groups * p.n_outputs; item += gridDim.x) {
        const sa_i64 output = item % p.n_outputs, group = item / p.n_outputs;
        const sa_i64 count = sa_min(SA_GROUP, p.n_units - group * SA_GROUP);
        for (sa_i64 i = threadIdx.x; i < count; i += blockDim.x)
            values[i] = p.units[(group * SA_GROUP + i) * p.n_outputs + output];
        __syncthreads();
        sa_combine(values, count);
        if (threadIdx.x == 0) {
            if (groups == 1) p.out[output] = sa_cast<SA_OUT>(sa_fold::result(values[0]));
            else p.next[group * p.n_outputs + output] = values[0];
        }
        __syncthreads();
    }
}
#endif
