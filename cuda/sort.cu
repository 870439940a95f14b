// Stable sorting of lines through keys that order as `rust/kernels/src/sort.rs` orders elements: NaN last, complex numbers by
// real, then imaginary part; and searches in sorted data. Tiles are sorted in shared memory by odd-even merging (Batcher
// 1968), which is stable because the index is part of what is compared; then runs are merged, each element finding its place
// by a search in the other run.
//
// Define: SA_T is the element type, or sa_u64 for keys that are there.

enum { SA_TILE = 1024 };

SA_DEVICE sa_u64 sa_float_bits(double x, bool exact)
{
    const sa_u64 sign = 0x8000000000000000ULL;
    if (x != x) return ~0ULL;
    const sa_u64 bits = (sa_u64)sa_to_bits(exact ? x : x + 0.0);
    return bits & sign ? ~bits : bits | sign;
}
template <class T, int KIND> struct sa_keys {
    // Integers and truth values: the order of signed numbers is that of unsigned ones with the upper bit flipped.
    typedef sa_u64 key;
    SA_MEMBER key of(T x, bool) { return (T)-1 < (T)0 ? (sa_u64)(sa_i64)x ^ 0x8000000000000000ULL : (sa_u64)x; }
};
template <class T> struct sa_keys<T, 0> {
    typedef sa_u64 key;
    SA_MEMBER key of(T x, bool) { return x; }
};
template <class T> struct sa_keys<T, 2> {
    typedef sa_u64 key;
    // A float is a double in the same order.
    SA_MEMBER key of(T x, bool exact) { return sa_float_bits(x, exact); }
};
struct sa_wide_key {
    sa_u64 re, im;
    // 4 where a part is NaN, and which zeros are positive.
    sa_u64 flags;
};
template <class T> struct sa_keys<T, 3> {
    typedef sa_wide_key key;
    SA_MEMBER key of(T x, bool exact)
    {
        key k;
        k.re = sa_float_bits(x.re, false), k.im = sa_float_bits(x.im, false);
        const int re = x.re != 0 || sa_to_bits((double)x.re) >= 0, im = x.im != 0 || sa_to_bits((double)x.im) >= 0;
        k.flags = (sa_is_nan(x) ? 4 : 0) | (exact ? 2 * re + im : 3);
        return k;
    }
};
typedef sa_keys<SA_T, sa_traits<SA_T>::kind> sa_order;
typedef sa_order::key sa_key;

SA_DEVICE bool sa_before(sa_u64 a, sa_u64 b) { return a < b; }
SA_DEVICE bool sa_before(const sa_wide_key &a, const sa_wide_key &b)
{
    if ((a.flags ^ b.flags) & 4) return !(a.flags & 4);
    if (a.re != b.re) return a.re < b.re;
    if (a.im != b.im) return a.im < b.im;
    return a.flags < b.flags;
}
SA_DEVICE sa_u64 sa_mirror(sa_u64 a) { return ~a; }
SA_DEVICE sa_wide_key sa_mirror(sa_wide_key a)
{
    a.re = ~a.re, a.im = ~a.im, a.flags ^= 7;
    return a;
}

struct sa_sort {
    const SA_T *x;
    sa_key *keys;
    sa_u32 *order;
    // The other buffers, of a merge.
    sa_key *keys_to;
    sa_u32 *order_to;
    // What leaves: elements, or indices.
    SA_T *values;
    sa_i64 *indices;
    sa_i64 n, n_lines, run, exact, descending, step_x, step_y;
    sa_layout<2> lines;
};

#if !defined(SA_ONLY) || defined(SA_ONLY_sa_sort_load)
SA_KERNEL(sa_sort_load, sa_sort)
{
    for (sa_i64 i = sa_thread(); i < p.n * p.n_lines; i += sa_threads()) {
        sa_i64 at[2];
        sa_offsets(p.lines, i / p.n, at);
        const sa_key key = sa_order::of(p.x[at[0] + i % p.n * p.step_x], p.exact);
        p.keys[i] = p.descending ? sa_mirror(key) : key;
        p.order[i] = (sa_u32)(i % p.n);
    }
}
#endif

// Sorts tiles of 1024 positions of a line, 256 threads each.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_sort_tiles)
SA_KERNEL(sa_sort_tiles, sa_sort)
{
    SA_SHARED sa_key keys[SA_TILE];
    SA_SHARED sa_u32 order[SA_TILE];
    const sa_i64 tiles = (p.n + SA_TILE - 1) / SA_TILE;
    for (sa_i64 item = blockIdx.x; item < tiles * p.n_lines; item += gridDim.x) {
        const sa_i64 start = item / tiles * p.n + item % tiles * SA_TILE;
        const int n = (int)sa_min(SA_TILE, p.n - item % tiles * SA_TILE);
        for (int i = threadIdx.x; i < n; i += blockDim.x) keys[i] = p.keys[start + i], order[i] = p.order[start + i];
        __syncthreads();
        // What lies beyond n counts as last and never moves.
        for (int size = 1; size < n; size *= 2) {
            for (int apart = size; apart > 0; apart /= 2) {
                for (int i = threadIdx.x; i < SA_TILE / 2; i += blockDim.x) {
                    // The i-th place a where a and a + apart are compared.
                    const int from = apart % size;
                    const int a = from + (i / apart) * 2 * apart + i % apart, b = a + apart;
                    if (b < n && a / (2 * size) == b / (2 * size)) {
                        const bool later = sa_before(keys[b], keys[a]) || (!sa_before(keys[a], keys[b]) && order[b] < order[a]);
                        if (later) {
                            const sa_key k = keys[a];
                            keys[a] = keys[b], keys[b] = k;
                            const sa_u32 o = order[a];
                            order[a] = order[b], order[b] = o;
                        }
                    }
                }
                __syncthreads();
            }
        }
        for (int i = threadIdx.x; i < n; i += blockDim.x) p.keys[start + i] = keys[i], p.order[start + i] = order[i];
        __syncthreads();
    }
}
#endif

// How many of the n keys go before `key`; with `equal`, those that equal it too.
SA_DEVICE sa_i64 sa_count_before(const sa_key *keys, sa_i64 n, const sa_key &key, bool equal)
{
    sa_i64 low = 0;
    while (n > 0) {
        const sa_i64 half = n / 2;
        const bool before = equal ? !sa_before(key, keys[low + half]) : sa_before(keys[low + half], key);
        if (before) low += half + 1, n -= half + 1;
        else n = half;
    }
    return low;
}

// Merges pairs of runs of a line: equal elements of the left run go first.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_sort_merge)
SA_KERNEL(sa_sort_merge, sa_sort)
{
    for (sa_i64 i = sa_thread(); i < p.n * p.n_lines; i += sa_threads()) {
        const sa_i64 at = i % p.n, line = i - at, pair = at / (2 * p.run) * 2 * p.run;
        const sa_i64 middle = sa_min(pair + p.run, p.n), end = sa_min(pair + 2 * p.run, p.n);
        const sa_key key = p.keys[i];
        const sa_i64 to = at < middle ? at + sa_count_before(p.keys + line + middle, end - middle, key, false)
                                      : at - middle + pair + sa_count_before(p.keys + line + pair, middle - pair, key, true);
        p.keys_to[line + to] = key;
        p.order_to[line + to] = p.order[i];
    }
}
#endif

#if !defined(SA_ONLY) || defined(SA_ONLY_sa_sort_store)
SA_KERNEL(sa_sort_store, sa_sort)
{
    for (sa_i64 i = sa_thread(); i < p.n * p.n_lines; i += sa_threads()) {
        sa_i64 at[2];
        sa_offsets(p.lines, i / p.n, at);
        const sa_i64 to = at[1] + i % p.n * p.step_y, from = p.order[i];
        if (p.indices) p.indices[to] = from;
        else p.values[to] = p.x[at[0] + from * p.step_x];
    }
}
#endif

struct sa_search {
    const SA_T *sorted, *values;
    const sa_i64 *sorter;
    sa_i64 *places;
    sa_i64 n, n_values, step, step_sorter, right;
    sa_layout<1> layout;
};

#if !defined(SA_ONLY) || defined(SA_ONLY_sa_search_all)
SA_KERNEL(sa_search_all, sa_search)
{
    for (sa_i64 i = sa_thread(); i < p.n_values; i += sa_threads()) {
        sa_i64 at[1];
        sa_offsets(p.layout, i, at);
        const sa_key key = sa_order::of(p.values[at[0]], false);
        sa_i64 low = 0, n = p.n;
        while (n > 0) {
            const sa_i64 half = n / 2, place = low + half;
            const sa_i64 from = p.sorter ? p.sorter[place * p.step_sorter] : place;
            const sa_key there = sa_order::of(p.sorted[from * p.step], false);
            if (p.right ? !sa_before(key, there) : sa_before(there, key)) low += half + 1, n -= half + 1;
            else n = half;
        }
        p.places[i] = low;
    }
}
#endif
