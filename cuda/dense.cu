// What stands before and after the calls of NVIDIA's libraries on large matrices: copies between layouts, scales, failures, and
// the addresses of a batch. What stands before this text is in linalg.h.

enum {
    // Only a triangle is there, or only the upper one; beside it are zeros.
    SA_UPPER = 256,
    // The diagonal is real.
    SA_HERMITIAN = 512,
    // Divided by the scale, or multiplied with it.
    SA_DOWN = 1024,
    SA_UP = 2048,
    // Rows go to the places that the order names, instead of coming from there.
    SA_SCATTER = 4096,
    // A diagonal counts as failed where it is not positive, instead of where it is zero.
    SA_POSITIVE = 8192,
    // Integers are of 32 bits.
    SA_NARROW = 16384,
    SA_THREADS = 256
};

SA_DEVICE bool sa_is_there(sa_i64 flags, sa_i64 i, sa_i64 j)
{
    return !((flags & SA_LOWER && i < j) || (flags & SA_UPPER && i > j));
}

struct sa_measuring {
    sa_matrix a;
    sa_real *scales;
    sa_i64 m, n, items, flags;
    sa_layout<1> batch;
};

// The power of two below the largest element of each item, a block per item; NaN where an element is not finite.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_measure)
SA_KERNEL(sa_measure, sa_measuring)
{
    SA_SHARED sa_real most[SA_THREADS];
    const int t = threadIdx.x;
    for (sa_i64 item = blockIdx.x; item < p.items; item += gridDim.x) {
        sa_i64 at[1];
        sa_offsets(p.batch, item, at);
        sa_real largest = 0, check = 0;
        for (sa_i64 k = t; k < p.m * p.n; k += SA_THREADS) {
            const sa_i64 i = k / p.n, j = k % p.n;
            if (!sa_is_there(p.flags, i, j)) continue;
            const sa_real size = sa_size(p.a.data[at[0] + i * p.a.row + j * p.a.column]);
            if (size > largest) largest = size;
            check += size * 0;
        }
        most[t] = check == 0 ? largest : sa_nan_real();
        __syncthreads();
        for (int half = SA_THREADS / 2; half > 0; half /= 2) {
            if (t < half && !(most[t] >= most[t + half]) && most[t] == most[t]) most[t] = most[t + half];
            __syncthreads();
        }
        if (t == 0) p.scales[item] = most[0] == most[0] ? sa_scale_below(most[0]) : most[0];
        __syncthreads();
    }
}
#endif

struct sa_moving {
    // The identity where there is no `from`.
    sa_matrix from, to;
    // Each of these may be missing. Items whose scale is NaN, or whose info is not 0, become NaN, or 0 with SA_DOWN.
    const sa_real *scales;
    const sa_i32 *info;
    const sa_i64 *order;
    sa_i64 m, n, items, flags;
    sa_layout<2> batch;
};

// Matrices from one layout to another.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_move)
SA_KERNEL(sa_move, sa_moving)
{
    const sa_i64 size = p.m * p.n;
    for (sa_i64 k = sa_thread(); k < p.items * size; k += sa_threads()) {
        const sa_i64 item = k / size, i = k % size / p.n, j = k % p.n;
        sa_i64 at[2];
        sa_offsets(p.batch, item, at);
        const sa_i64 other = p.order ? p.order[item * p.m + i] : i;
        const sa_i64 row = p.flags & SA_SCATTER ? i : other, place = p.flags & SA_SCATTER ? other : i;
        SA_T x = row == j ? sa_one() : sa_zero();
        if (p.from.data) x = p.from.data[at[0] + row * p.from.row + j * p.from.column];
        if (p.flags & SA_CONJ) x = sa_conj(x);
        if (p.flags & SA_HERMITIAN && i == j) x = sa_of(sa_re(x), 0);
        const sa_real scale = p.scales ? p.scales[item] : (sa_real)1;
        if (p.flags & SA_DOWN) x = sa_scaled(x, 1 / scale);
        else if (p.flags & SA_UP) x = sa_scaled(x, scale);
        if (!sa_is_there(p.flags, i, j)) x = sa_zero();
        if (scale != scale || (p.info && p.info[item] != 0)) x = p.flags & SA_DOWN ? sa_zero() : sa_nan();
        p.to.data[at[1] + place * p.to.row + j * p.to.column] = x;
    }
}
#endif

struct sa_pairing {
    // Columns one behind the other; pairs of conjugates have the real and the imaginary part of the first.
    const SA_T *from;
    const sa_complex<sa_real> *values;
    sa_complex<sa_real> *to;
    const sa_real *scales;
    const sa_i32 *info;
    sa_i64 n, items;
};

// Eigenvectors of real matrices as complex numbers, row by row.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_pair_up)
SA_KERNEL(sa_pair_up, sa_pairing)
{
    const sa_i64 n = p.n, size = n * n;
    for (sa_i64 k = sa_thread(); k < p.items * size; k += sa_threads()) {
        const sa_i64 item = k / size, i = k % size / n, j = k % n;
        const SA_T *columns = p.from + item * size + i;
        const sa_real im = p.values[item * n + j].im;
        sa_complex<sa_real> x = {sa_re(columns[j * n]), 0};
        if (im > 0 && j + 1 < n) x.im = sa_re(columns[(j + 1) * n]);
        if (im < 0 && j > 0) x = {sa_re(columns[(j - 1) * n]), -x.re};
        if (p.scales[item] != p.scales[item] || p.info[item] != 0) x = {sa_nan_real(), sa_nan_real()};
        p.to[k] = x;
    }
}
#endif

struct sa_diagonals {
    sa_matrix a;
    // Exchanges, for determinants.
    const sa_i64 *pivots;
    SA_T *products;
    sa_real *logarithms;
    sa_i32 *info;
    sa_i64 n, items, flags;
    sa_layout<1> batch;
};

// Per item 1 + the place of the first number on the diagonal that fails, or 0; a block per item. What failed before stays so.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_first_failure)
SA_KERNEL(sa_first_failure, sa_diagonals)
{
    SA_SHARED sa_i32 places[SA_THREADS];
    const int t = threadIdx.x;
    for (sa_i64 item = blockIdx.x; item < p.items; item += gridDim.x) {
        sa_i64 at[1];
        sa_offsets(p.batch, item, at);
        places[t] = 0x7fffffff;
        for (sa_i64 k = t; k < p.n && places[t] == 0x7fffffff; k += SA_THREADS) {
            const SA_T x = p.a.data[at[0] + k * (p.a.row + p.a.column)];
            if (p.flags & SA_POSITIVE ? !(sa_re(x) > 0) : sa_is_zero(x)) places[t] = (sa_i32)k + 1;
        }
        __syncthreads();
        for (int half = SA_THREADS / 2; half > 0; half /= 2) {
            if (t < half && places[t + half] < places[t]) places[t] = places[t + half];
            __syncthreads();
        }
        if (t == 0 && p.info[item] == 0 && places[0] != 0x7fffffff) p.info[item] = places[0];
        __syncthreads();
    }
}
#endif

// Determinants of factors, as `sa_determinant` has them; a thread per item.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_product_of_factors)
SA_KERNEL(sa_product_of_factors, sa_diagonals)
{
    for (sa_i64 item = sa_thread(); item < p.items; item += sa_threads()) {
        sa_i64 at[1];
        sa_offsets(p.batch, item, at);
        bool odd = false;
        for (sa_i64 k = 0; k < p.n; ++k) odd ^= p.pivots[item * p.n + k] != k;
        sa_factors product = sa_factors_of(odd);
        for (sa_i64 k = 0; k < p.n && !product.zero; ++k)
            sa_take_factor(product, p.a.data[at[0] + k * (p.a.row + p.a.column)], p.flags & SA_LOGARITHM);
        p.products[item] = product.zero ? sa_zero() : product.value;
        if (p.flags & SA_LOGARITHM) p.logarithms[item] = product.log;
    }
}
#endif

struct sa_exchanging {
    const sa_i64 *from;
    sa_i64 *to;
    sa_i64 n, items, flags;
};

// Exchanges as LAPACK counts them, from 1, to ours; such that are none stay in range.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_count_from_0)
SA_KERNEL(sa_count_from_0, sa_exchanging)
{
    for (sa_i64 k = sa_thread(); k < p.items * p.n; k += sa_threads()) {
        const sa_i64 row = k % p.n, other = (p.flags & SA_NARROW ? ((const sa_i32 *)p.from)[k] : p.from[k]) - 1;
        p.to[k] = other < row || other >= p.n ? row : other;
    }
}
#endif

struct sa_addressing {
    sa_u64 *to;
    sa_u64 first;
    sa_i64 size, items;
    sa_layout<1> batch;
};

// The addresses of the items of a batch, whose elements are of `size` bytes.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_address)
SA_KERNEL(sa_address, sa_addressing)
{
    for (sa_i64 item = sa_thread(); item < p.items; item += sa_threads()) {
        sa_i64 at[1];
        sa_offsets(p.batch, item, at);
        p.to[item] = p.first + (sa_u64)(at[0] * p.size);
    }
}
#endif
