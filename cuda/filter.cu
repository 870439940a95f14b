// Recursive filters y[t] = x[t] - sum_k a[k] y[t - k]. Where there are many lines, a thread filters one, with the steps and so
// the bits of `rust/kernels/src/allpole.rs`. Few long lines with constant coefficients are cut into chunks that start from
// zero; what the samples before a chunk contribute is a sum of `order` fixed responses, added afterwards. Rounding is then
// another, and what follows an infinite sample may be NaN where a single line carries infinity on. Linear recurrences of first
// order with a coefficient per sample are cut likewise, but a chunk runs a second time from the value before it.
//
// Define: SA_T is float, double, sa_c64 or sa_c128.

enum { SA_CHUNK = 256 };

struct sa_filter {
    const SA_T *a, *x;
    SA_T *y;
    // Of the coefficients along time (0 where constant) and order, of the input and of the output along time.
    sa_i64 a_time, a_order, x_time, y_time;
    sa_i64 n, order, reverse, delayed, n_lines, n_chunks;
    // By chunks: per line and order the response to that past sample, and per line and chunk the samples before it.
    SA_T *responses, *states;
    sa_layout<3> lines;
};

SA_DEVICE sa_i64 sa_time(const sa_filter &p, sa_i64 i) { return p.reverse ? p.n - 1 - i : i; }

// Filters samples from..to of a line, constant coefficients of order K, from zero; leaves the last K results in `past`.
template <int K> SA_DEVICE void sa_constant(const sa_filter &p, const sa_i64 (&at)[3], sa_i64 from, sa_i64 to, SA_T (&past)[K])
{
    SA_T a[K];
    for (int k = 0; k < K; ++k) a[k] = p.a[at[0] + k * p.a_order], past[k] = SA_T();
    for (sa_i64 i = from; i < to; ++i) {
        const sa_i64 t = sa_time(p, i);
        SA_T y = p.x[at[1] + t * p.x_time];
        // The newest last: it is the one that is waited for.
        for (int k = K - 1; k >= 0; --k) y = y - a[k] * past[k];
        for (int k = K - 1; k > 0; --k) past[k] = past[k - 1];
        past[0] = y;
        p.y[at[2] + t * p.y_time] = y;
    }
}

// As above, of any order and coefficients; the past is read back.
SA_DEVICE void sa_general(const sa_filter &p, const sa_i64 (&at)[3], sa_i64 from, sa_i64 to)
{
    const sa_i64 back = p.reverse ? 1 : -1;
    for (sa_i64 i = from; i < to; ++i) {
        const sa_i64 t = sa_time(p, i);
        SA_T y = p.x[at[1] + t * p.x_time];
        for (sa_i64 k = sa_min(p.order, i - from); k >= 1; --k) {
            const sa_i64 source = t + k * back, place = p.delayed ? source : t;
            y = y - p.a[at[0] + place * p.a_time + (k - 1) * p.a_order] * p.y[at[2] + source * p.y_time];
        }
        p.y[at[2] + t * p.y_time] = y;
    }
}

SA_DEVICE void sa_filter_part(const sa_filter &p, const sa_i64 (&at)[3], sa_i64 from, sa_i64 to)
{
    SA_T past1[1], past2[2], past3[3], past4[4];
    if (p.a_time == 0 && p.order == 1) sa_constant(p, at, from, to, past1);
    else if (p.a_time == 0 && p.order == 2) sa_constant(p, at, from, to, past2);
    else if (p.a_time == 0 && p.order == 3) sa_constant(p, at, from, to, past3);
    else if (p.a_time == 0 && p.order == 4) sa_constant(p, at, from, to, past4);
    else sa_general(p, at, from, to);
}

#if !defined(SA_ONLY) || defined(SA_ONLY_sa_filter_lines)
SA_KERNEL(sa_filter_lines, sa_filter)
{
    for (sa_i64 line = sa_thread(); line < p.n_lines; line += sa_threads()) {
        sa_i64 at[3];
        sa_offsets(p.lines, line, at);
        sa_filter_part(p, at, 0, p.n);
    }
}
#endif

// First launch by chunks: each from zero.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_filter_chunks)
SA_KERNEL(sa_filter_chunks, sa_filter)
{
    for (sa_i64 item = sa_thread(); item < p.n_lines * p.n_chunks; item += sa_threads()) {
        sa_i64 at[3];
        sa_offsets(p.lines, item / p.n_chunks, at);
        const sa_i64 from = item % p.n_chunks * SA_CHUNK;
        sa_filter_part(p, at, from, sa_min(from + SA_CHUNK, p.n));
    }
}
#endif

// Second launch: the response, without input, to a 1 that lies j + 1 samples before a chunk.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_filter_responses)
SA_KERNEL(sa_filter_responses, sa_filter)
{
    for (sa_i64 item = sa_thread(); item < p.n_lines * p.order; item += sa_threads()) {
        const sa_i64 line = item / p.order, j = item % p.order;
        sa_i64 at[3];
        sa_offsets(p.lines, line, at);
        SA_T *h = p.responses + item * SA_CHUNK;
        for (sa_i64 i = 0; i < SA_CHUNK; ++i) {
            // -a[k] times the sample k + 1 before, which is 1 at k = i + j.
            SA_T y = SA_T();
            for (sa_i64 k = sa_min(p.order, i); k >= 1; --k) y = y - p.a[at[0] + (k - 1) * p.a_order] * h[i - k];
            if (i + j < p.order) y = y - p.a[at[0] + (i + j) * p.a_order];
            h[i] = y;
        }
    }
}
#endif

// Sample i of a chunk with the contribution of the `order` samples before it.
SA_DEVICE SA_T sa_with_past(const sa_filter &p, sa_i64 line, sa_i64 chunk, sa_i64 i, SA_T y)
{
    const SA_T *state = p.states + (line * p.n_chunks + chunk) * p.order;
    for (sa_i64 j = 0; j < p.order; ++j) y = y + p.responses[(line * p.order + j) * SA_CHUNK + i] * state[j];
    return y;
}

// Third launch: the samples before each chunk, a thread per line. Orders are below the length of a chunk.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_filter_states)
SA_KERNEL(sa_filter_states, sa_filter)
{
    for (sa_i64 line = sa_thread(); line < p.n_lines; line += sa_threads()) {
        sa_i64 at[3];
        sa_offsets(p.lines, line, at);
        for (sa_i64 j = 0; j < p.order; ++j) p.states[line * p.n_chunks * p.order + j] = SA_T();
        for (sa_i64 c = 1; c < p.n_chunks; ++c)
            for (sa_i64 j = 0; j < p.order; ++j) {
                const sa_i64 i = c * SA_CHUNK - 1 - j;
                const SA_T y = p.y[at[2] + sa_time(p, i) * p.y_time];
                p.states[(line * p.n_chunks + c) * p.order + j] = sa_with_past(p, line, c - 1, SA_CHUNK - 1 - j, y);
            }
    }
}
#endif

// Fourth launch.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_filter_join)
SA_KERNEL(sa_filter_join, sa_filter)
{
    for (sa_i64 item = sa_thread(); item < p.n_lines * p.n; item += sa_threads()) {
        const sa_i64 line = item / p.n, i = item % p.n;
        if (i < SA_CHUNK) continue;
        sa_i64 at[3];
        sa_offsets(p.lines, line, at);
        SA_T *y = p.y + at[2] + sa_time(p, i) * p.y_time;
        *y = sa_with_past(p, line, i / SA_CHUNK, i % SA_CHUNK, *y);
    }
}
#endif

// y[i] = b[i] + a[i] y[i - 1] along an axis, the value before the first one being 0.
struct sa_recurrence {
    const SA_T *a, *b;
    SA_T *y;
    sa_i64 a_step, b_step, y_step, n, reverse, n_lines, n_chunks;
    // By chunks, per line and chunk: the product of its coefficients, and the value before it.
    SA_T *products, *before;
    sa_layout<3> lines;
};

// Samples from..to of a line; the last value. Without SHOW they are not stored, and `product` becomes the coefficients' one.
template <bool SHOW>
SA_DEVICE SA_T sa_recur(const sa_recurrence &p, sa_i64 line, sa_i64 from, sa_i64 to, SA_T y, SA_T &product)
{
    sa_i64 at[3];
    sa_offsets(p.lines, line, at);
    for (sa_i64 i = from; i < to; ++i) {
        const sa_i64 t = p.reverse ? p.n - 1 - i : i;
        const SA_T a = p.a[at[0] + t * p.a_step];
        y = p.b[at[1] + t * p.b_step] + a * y;
        if (SHOW) p.y[at[2] + t * p.y_step] = y;
        else product = i == from ? a : product * a;
    }
    return y;
}

#if !defined(SA_ONLY) || defined(SA_ONLY_sa_recurrence_lines)
SA_KERNEL(sa_recurrence_lines, sa_recurrence)
{
    SA_T none;
    for (sa_i64 line = sa_thread(); line < p.n_lines; line += sa_threads()) sa_recur<true>(p, line, 0, p.n, SA_T(), none);
}
#endif

// First launch by chunks: each from zero, its last value to the place of the chunk.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_recurrence_chunks)
SA_KERNEL(sa_recurrence_chunks, sa_recurrence)
{
    for (sa_i64 item = sa_thread(); item < p.n_lines * p.n_chunks; item += sa_threads()) {
        const sa_i64 from = item % p.n_chunks * SA_CHUNK;
        p.before[item] = sa_recur<false>(p, item / p.n_chunks, from, sa_min(from + SA_CHUNK, p.n), SA_T(), p.products[item]);
    }
}
#endif

// Second launch: from last values to those before each chunk, a thread per line. A product that is infinite does not count
// where it meets nothing.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_recurrence_states)
SA_KERNEL(sa_recurrence_states, sa_recurrence)
{
    for (sa_i64 line = sa_thread(); line < p.n_lines; line += sa_threads()) {
        SA_T y = SA_T();
        for (sa_i64 item = line * p.n_chunks; item < (line + 1) * p.n_chunks; ++item) {
            const SA_T last = p.before[item];
            p.before[item] = y;
            y = y == SA_T() ? last : last + p.products[item] * y;
        }
    }
}
#endif

// Third launch.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_recurrence_show)
SA_KERNEL(sa_recurrence_show, sa_recurrence)
{
    SA_T none;
    for (sa_i64 item = sa_thread(); item < p.n_lines * p.n_chunks; item += sa_threads()) {
        const sa_i64 from = item % p.n_chunks * SA_CHUNK;
        sa_recur<true>(p, item / p.n_chunks, from, sa_min(from + SA_CHUNK, p.n), p.before[item], none);
    }
}
#endif
