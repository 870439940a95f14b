// Reading and writing at integer indices. All operands share the dimensions of the values: along those that are indexed the
// array has stride 0, along the others the index arrays have. Negative indices count from the end.
//
// Writes to one element happen in C order of the values, as on the CPU: the host sorts positions by their target (sort.cu,
// which is stable), and the thread of the first of a run goes through it.
//
// Defines: SA_T is the element type, SA_INDICES the number of index arrays.

SA_DEVICE sa_i64 sa_wrap(sa_i64 i, sa_i64 n) { return i < 0 ? i + n : i; }

struct sa_check {
    const sa_i64 *index;
    // The first position, in C order, of an index that is out of range.
    sa_u64 *bad;
    sa_i64 n, size;
    sa_layout<1> layout;
};

SA_KERNEL(sa_check_indices, sa_check)
{
    for (sa_i64 i = sa_thread(); i < p.n; i += sa_threads()) {
        sa_i64 at[1];
        sa_offsets(p.layout, i, at);
        const sa_i64 v = p.index[at[0]];
        if (v < -p.size || v >= p.size) atomicMin(p.bad, (sa_u64)i);
    }
}

struct sa_gather {
    SA_T *array, *values;
    const sa_i64 *index[SA_INDICES];
    // Of the indexed axes of the array.
    sa_i64 size[SA_INDICES], stride[SA_INDICES];
    sa_i64 n;
    // Array, values, index arrays.
    sa_layout<2 + SA_INDICES> layout;
};

SA_DEVICE void sa_places(const sa_gather &p, sa_i64 i, sa_i64 &array, sa_i64 &value)
{
    sa_i64 at[2 + SA_INDICES];
    sa_offsets(p.layout, i, at);
    array = at[0], value = at[1];
    for (int k = 0; k < SA_INDICES; ++k) array += sa_wrap(p.index[k][at[2 + k]], p.size[k]) * p.stride[k];
}

SA_KERNEL(sa_gather_all, sa_gather)
{
    for (sa_i64 i = sa_thread(); i < p.n; i += sa_threads()) {
        sa_i64 array, value;
        sa_places(p, i, array, value);
        p.values[value] = p.array[array];
    }
}

struct sa_targets {
    sa_gather gather;
    sa_u64 *keys;
};

// Where each value goes, as what to sort by. The array is dense, so that an offset names one element.
SA_KERNEL(sa_scatter_targets, sa_targets)
{
    for (sa_i64 i = sa_thread(); i < p.gather.n; i += sa_threads()) {
        sa_i64 array, value;
        sa_places(p.gather, i, array, value);
        p.keys[i] = (sa_u64)array;
    }
}

struct sa_scatter {
    sa_gather gather;
    const sa_u64 *keys;
    const sa_u32 *order;
};

SA_DEVICE bool sa_sum(bool a, bool b) { return a | b; }
template <class T> SA_DEVICE T sa_sum(T a, T b) { return a + b; }

template <bool ADD> SA_DEVICE void sa_scatter_runs(const sa_scatter &p)
{
    const sa_i64 n = p.gather.n;
    for (sa_i64 i = sa_thread(); i < n; i += sa_threads()) {
        const sa_u64 key = p.keys[i];
        if (i > 0 && p.keys[i - 1] == key) continue;
        SA_T a = p.gather.array[(sa_i64)key];
        for (sa_i64 k = i; k < n && p.keys[k] == key; ++k) {
            sa_i64 at[2 + SA_INDICES];
            sa_offsets(p.gather.layout, (sa_i64)p.order[k], at);
            const SA_T v = p.gather.values[at[1]];
            a = ADD ? sa_sum(a, v) : v;
        }
        p.gather.array[(sa_i64)key] = a;
    }
}

SA_KERNEL(sa_scatter_set, sa_scatter) { sa_scatter_runs<false>(p); }
SA_KERNEL(sa_scatter_add, sa_scatter) { sa_scatter_runs<true>(p); }
