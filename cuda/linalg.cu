// Small matrices, one per group of threads, the whole batch in one launch: the algorithms, and with fused products the bits, of
// `rust/kernels/src/linalg` (small.rs, rotations.rs). Thread i of a group mostly works on row or column i.
//
// Defines: SA_T is float, double, sa_c64 or sa_c128; SA_G, a power of two up to 32, is the size of a group and the largest
// number of rows and columns.

typedef sa_traits<SA_T>::part sa_real;
typedef SA_T sa_field;

enum {
    // What two matrices per group leave of 48 KiB of shared memory.
    SA_BLOCK = sizeof(SA_T) > 8 ? 32 : 64,
    SA_GROUPS = SA_BLOCK / SA_G,
    // One more than the rows, so that a column does not fall on one bank.
    SA_LD = SA_G + 1,
    SA_SWEEPS = 60
};

SA_DEVICE float sa_fma(float a, float b, float c) { return fmaf(a, b, c); }
SA_DEVICE double sa_fma(double a, double b, double c) { return fma(a, b, c); }
SA_DEVICE float sa_root(float x) { return sqrtf(x); }
SA_DEVICE double sa_root(double x) { return sqrt(x); }
SA_DEVICE float sa_magnitude(float x) { return fabsf(x); }
SA_DEVICE double sa_magnitude(double x) { return fabs(x); }
SA_DEVICE float sa_sign_of(float x, float s) { return copysignf(x, s); }
SA_DEVICE double sa_sign_of(double x, double s) { return copysign(x, s); }
// Where the square of an element is below this, it has too few digits for a rotation; and the spacing at 1.
SA_DEVICE float sa_tiny(float) { return 0x1p-100f; }
SA_DEVICE double sa_tiny(double) { return 0x1p-1000; }
SA_DEVICE float sa_spacing(float) { return 0x1p-23f; }
SA_DEVICE double sa_spacing(double) { return 0x1p-52; }
SA_DEVICE sa_real sa_nan_real() { return (sa_real)sa_from_bits(0x7ff8000000000000LL); }

// Real numbers.
template <class R> SA_DEVICE R sa_re(R x) { return x; }
template <class R> SA_DEVICE R sa_im(R) { return 0; }
template <class R> SA_DEVICE R sa_conj(R x) { return x; }
template <class R> SA_DEVICE R sa_size(R x) { return sa_magnitude(x); }
template <class R> SA_DEVICE R sa_square(R x) { return x * x; }
template <class R> SA_DEVICE R sa_sub_mul(R s, R a, R b) { return sa_fma(-a, b, s); }
template <class R> SA_DEVICE R sa_sub_mul_conj(R s, R a, R b) { return sa_fma(-a, b, s); }
template <class R> SA_DEVICE R sa_add_mul(R s, R a, R b) { return sa_fma(a, b, s); }
template <class R> SA_DEVICE R sa_scaled(R x, sa_real r) { return x * r; }
template <class R> SA_DEVICE R sa_div(R a, R b) { return a / b; }
SA_DEVICE void sa_set(sa_real &x, sa_real re, sa_real) { x = re; }

// Complex numbers.
template <class R> SA_DEVICE R sa_re(sa_complex<R> x) { return x.re; }
template <class R> SA_DEVICE R sa_im(sa_complex<R> x) { return x.im; }
template <class R> SA_DEVICE sa_complex<R> sa_conj(sa_complex<R> x) { return {x.re, -x.im}; }
template <class R> SA_DEVICE R sa_size(sa_complex<R> x) { return sa_magnitude(x.re) + sa_magnitude(x.im); }
template <class R> SA_DEVICE R sa_square(sa_complex<R> x) { return sa_fma(x.im, x.im, x.re * x.re); }
template <class R> SA_DEVICE sa_complex<R> sa_sub_mul(sa_complex<R> s, sa_complex<R> a, sa_complex<R> b)
{
    return {sa_fma(a.im, b.im, sa_fma(-a.re, b.re, s.re)), sa_fma(-a.im, b.re, sa_fma(-a.re, b.im, s.im))};
}
template <class R> SA_DEVICE sa_complex<R> sa_sub_mul_conj(sa_complex<R> s, sa_complex<R> a, sa_complex<R> b)
{
    return {sa_fma(-a.im, b.im, sa_fma(-a.re, b.re, s.re)), sa_fma(-a.im, b.re, sa_fma(a.re, b.im, s.im))};
}
template <class R> SA_DEVICE sa_complex<R> sa_add_mul(sa_complex<R> s, sa_complex<R> a, sa_complex<R> b)
{
    return {sa_fma(-a.im, b.im, sa_fma(a.re, b.re, s.re)), sa_fma(a.im, b.re, sa_fma(a.re, b.im, s.im))};
}
template <class R> SA_DEVICE sa_complex<R> sa_scaled(sa_complex<R> x, sa_real r) { return {x.re * r, x.im * r}; }
// Without overflow or underflow on the way.
template <class R> SA_DEVICE sa_complex<R> sa_div(sa_complex<R> a, sa_complex<R> b)
{
    const R x = sa_magnitude(b.re), y = sa_magnitude(b.im), s = x > y ? x : y, c = b.re / s, d = b.im / s;
    const R norm = sa_fma(d, d, c * c), re = sa_fma(a.im, d, a.re * c), im = sa_fma(-a.re, d, a.im * c);
    return {re / norm / s, im / norm / s};
}
SA_DEVICE void sa_set(sa_complex<sa_real> &x, sa_real re, sa_real im) { x.re = re, x.im = im; }

SA_DEVICE SA_T sa_of(sa_real re, sa_real im)
{
    SA_T x;
    sa_set(x, re, im);
    return x;
}
SA_DEVICE SA_T sa_zero() { return sa_of(0, 0); }
SA_DEVICE SA_T sa_one() { return sa_of(1, 0); }
SA_DEVICE SA_T sa_nan() { return sa_of(sa_nan_real(), sa_traits<SA_T>::kind == 3 ? sa_nan_real() : 0); }
SA_DEVICE bool sa_is_zero(SA_T x) { return sa_re(x) == 0 && sa_im(x) == 0; }

struct sa_matrix {
    SA_T *data;
    // Strides in elements.
    sa_i64 row, column;
};

enum { SA_LOWER = 1, SA_UNIT = 2, SA_TRANSPOSED = 4, SA_CONJ = 8, SA_IDENTITY = 16, SA_LOGARITHM = 32 };

struct sa_linalg {
    // What is read and what is written, as each kernel says; their offsets per item are in `batch`.
    sa_matrix a, x, y;
    // Per item and without gaps: real results, pivots, and 0 or 1 + the place of the first pivot that fails.
    sa_real *values;
    sa_i64 *pivots, *info;
    sa_i64 m, n, columns, items, flags;
    sa_layout<3> batch;
};

// The item of this thread's group, its shared memory and its offsets. Groups beyond the last item repeat it.
struct sa_group {
    sa_i64 item, at[3];
    int thread;
    bool stores;
    SA_T *a, *b;
    sa_real *row;
};

SA_DEVICE sa_group sa_enter(const sa_linalg &p, sa_i64 first, SA_T *a, SA_T *b, sa_real *rows)
{
    sa_group g;
    const int slot = threadIdx.x / SA_G;
    g.thread = threadIdx.x % SA_G;
    g.item = first + slot;
    g.stores = g.item < p.items;
    if (!g.stores) g.item = p.items - 1;
    sa_offsets(p.batch, g.item, g.at);
    g.a = a + slot * SA_G * SA_LD;
    g.b = b + slot * SA_G * SA_LD;
    g.row = rows + slot * SA_G;
    return g;
}

#define SA_EACH_ITEM(p)                                                                                                \
    SA_SHARED SA_T shared_a[SA_GROUPS * SA_G * SA_LD];                                                                 \
    SA_SHARED SA_T shared_b[SA_GROUPS * SA_G * SA_LD];                                                                 \
    SA_SHARED sa_real shared_row[SA_GROUPS * SA_G];                                                                    \
    for (sa_i64 first = (sa_i64)blockIdx.x * SA_GROUPS; first < (p).items; first += (sa_i64)gridDim.x * SA_GROUPS)

#define A(i, j) g.a[(i) * SA_LD + (j)]
#define B(i, j) g.b[(i) * SA_LD + (j)]

// Rows and columns from `column` on of a matrix in memory to shared memory, thread j taking column j.
SA_DEVICE void sa_read(SA_T *to, const sa_group &g, const sa_matrix &m, sa_i64 at, int rows, int columns, sa_i64 column, bool conj)
{
    if (g.thread < columns)
        for (int i = 0; i < rows; ++i) {
            const SA_T x = m.data[at + i * m.row + (column + g.thread) * m.column];
            to[i * SA_LD + g.thread] = conj ? sa_conj(x) : x;
        }
    __syncwarp();
}

SA_DEVICE void sa_write(const SA_T *from, const sa_group &g, const sa_matrix &m, sa_i64 at, int rows, int columns, sa_i64 column, bool failed)
{
    __syncwarp();
    if (g.stores && g.thread < columns)
        for (int i = 0; i < rows; ++i)
            m.data[at + i * m.row + (column + g.thread) * m.column] = failed ? sa_nan() : from[i * SA_LD + g.thread];
    __syncwarp();
}

// LU with partial pivoting; row[k] becomes the row that step k exchanged with row k. Returns 1 + the place of the first zero on
// the diagonal, or 0.
SA_DEVICE int sa_lu(const sa_group &g, int n)
{
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        sa_real best = sa_size(A(k, k));
        for (int i = k + 1; i < n; ++i)
            if (sa_size(A(i, k)) > best) best = sa_size(A(i, k)), pivot = i;
        __syncwarp();
        if (g.thread < n && pivot != k) {
            const SA_T x = A(k, g.thread);
            A(k, g.thread) = A(pivot, g.thread);
            A(pivot, g.thread) = x;
        }
        if (g.thread == 0) g.row[k] = (sa_real)pivot;
        __syncwarp();
        const SA_T divisor = sa_is_zero(A(k, k)) ? sa_one() : A(k, k);
        if (g.thread > k && g.thread < n) A(g.thread, k) = sa_div(A(g.thread, k), divisor);
        __syncwarp();
        if (g.thread > k && g.thread < n)
            for (int i = k + 1; i < n; ++i) A(i, g.thread) = sa_sub_mul(A(i, g.thread), A(i, k), A(k, g.thread));
        __syncwarp();
    }
    for (int k = 0; k < n; ++k)
        if (sa_is_zero(A(k, k))) return k + 1;
    return 0;
}

// T X = B in place, a thread per row, for the columns of B that there are.
SA_DEVICE void sa_substitute(const sa_group &g, int n, int columns, sa_i64 flags)
{
    const bool transposed = flags & SA_TRANSPOSED, forward = ((flags & SA_LOWER) != 0) != transposed;
    const int row = g.thread;
    for (int s = 0; s < n; ++s) {
        const int k = forward ? s : n - 1 - s;
        if (row == k && !(flags & SA_UNIT))
            for (int c = 0; c < columns; ++c) B(k, c) = sa_div(B(k, c), A(k, k));
        __syncwarp();
        if (row < n && (forward ? row > k : row < k)) {
            const SA_T factor = transposed ? A(k, row) : A(row, k);
            for (int c = 0; c < columns; ++c) B(row, c) = sa_sub_mul(B(row, c), factor, B(k, c));
        }
        __syncwarp();
    }
}

// Exchanges rows of the columns of B as the factorization did, or takes that back; thread c has column c.
SA_DEVICE void sa_exchange(const sa_group &g, int n, int columns, bool back)
{
    if (g.thread < columns)
        for (int s = 0; s < n; ++s) {
            const int k = back ? n - 1 - s : s, other = (int)g.row[k];
            const SA_T x = B(k, g.thread);
            B(k, g.thread) = B(other, g.thread);
            B(other, g.thread) = x;
        }
    __syncwarp();
}

// a to factors x and pivots.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_lu_factor)
SA_KERNEL(sa_lu_factor, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        const int zero = sa_lu(g, n);
        sa_write(g.a, g, p.x, g.at[1], n, n, 0, false);
        if (g.stores && g.thread < n) p.pivots[g.item * n + g.thread] = (sa_i64)g.row[g.thread];
        if (g.stores && g.thread == 0) p.info[g.item] = zero;
        __syncwarp();
    }
}
#endif

// a and b in x to the solution in y; the inverse with SA_IDENTITY. Items with a zero pivot become NaN.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_solve)
SA_KERNEL(sa_solve, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        const int zero = sa_lu(g, n);
        for (sa_i64 c = 0; c < p.columns; c += SA_G) {
            const int columns = (int)sa_min(SA_G, p.columns - c);
            if (p.flags & SA_IDENTITY) {
                if (g.thread < columns)
                    for (int i = 0; i < n; ++i) B(i, g.thread) = i == c + g.thread ? sa_one() : sa_zero();
                __syncwarp();
            } else sa_read(g.b, g, p.x, g.at[1], n, columns, c, false);
            sa_exchange(g, n, columns, false);
            sa_substitute(g, n, columns, SA_LOWER | SA_UNIT);
            sa_substitute(g, n, columns, 0);
            sa_write(g.b, g, p.y, g.at[2], n, columns, c, zero != 0);
        }
        if (g.stores && g.thread == 0) p.info[g.item] = zero;
        __syncwarp();
    }
}
#endif

// Factors a, pivots and b in x to the solution in y, of the matrix, its transpose or its adjoint.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_lu_solve)
SA_KERNEL(sa_lu_solve, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n;
        const bool transposed = p.flags & SA_TRANSPOSED;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, p.flags & SA_CONJ);
        if (g.thread < n) g.row[g.thread] = (sa_real)p.pivots[g.item * n + g.thread];
        __syncwarp();
        int zero = 0;
        for (int k = n; k > 0; --k)
            if (sa_is_zero(A(k - 1, k - 1))) zero = k;
        for (sa_i64 c = 0; c < p.columns; c += SA_G) {
            const int columns = (int)sa_min(SA_G, p.columns - c);
            sa_read(g.b, g, p.x, g.at[1], n, columns, c, false);
            if (!transposed) {
                sa_exchange(g, n, columns, false);
                sa_substitute(g, n, columns, SA_LOWER | SA_UNIT);
                sa_substitute(g, n, columns, 0);
            } else {
                sa_substitute(g, n, columns, SA_TRANSPOSED);
                sa_substitute(g, n, columns, SA_LOWER | SA_UNIT | SA_TRANSPOSED);
                sa_exchange(g, n, columns, true);
            }
            sa_write(g.b, g, p.y, g.at[2], n, columns, c, zero != 0);
        }
        if (g.stores && g.thread == 0) p.info[g.item] = zero;
        __syncwarp();
    }
}
#endif

// A triangle of a and b in x to the solution in y, as the flags say.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_triangular)
SA_KERNEL(sa_triangular, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, p.flags & SA_CONJ);
        int zero = 0;
        for (int k = n; k > 0 && !(p.flags & SA_UNIT); --k)
            if (sa_is_zero(A(k - 1, k - 1))) zero = k;
        for (sa_i64 c = 0; c < p.columns; c += SA_G) {
            const int columns = (int)sa_min(SA_G, p.columns - c);
            sa_read(g.b, g, p.x, g.at[1], n, columns, c, false);
            sa_substitute(g, n, columns, p.flags);
            sa_write(g.b, g, p.y, g.at[2], n, columns, c, zero != 0);
        }
        if (g.stores && g.thread == 0) p.info[g.item] = zero;
        __syncwarp();
    }
}
#endif

// The determinant of a in x; or its sign, and in the values the logarithm of its magnitude.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_determinant)
SA_KERNEL(sa_determinant, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        sa_lu(g, n);
        if (g.stores && g.thread == 0) {
            bool odd = false;
            for (int k = 0; k < n; ++k) odd ^= (int)g.row[k] != k;
            SA_T value = odd ? sa_of(-1, 0) : sa_one();
            sa_real log_size = 0;
            bool zero = false;
            for (int k = 0; k < n && !zero; ++k) {
                SA_T d = A(k, k);
                if (p.flags & SA_LOGARITHM) {
                    const sa_real size = (sa_real)(sa_traits<SA_T>::kind == 3 ? hypot((double)sa_re(d), (double)sa_im(d)) : fabs((double)sa_re(d)));
                    zero = size == 0;
                    d = sa_of(sa_re(d) / size, sa_im(d) / size);
                    log_size += (sa_real)log((double)size);
                }
                value = value * d;
            }
            p.x.data[g.at[1]] = zero ? sa_zero() : value;
            if (p.flags & SA_LOGARITHM) p.values[g.item] = zero ? (sa_real)sa_from_bits(0xfff0000000000000LL) : log_size;
        }
        __syncwarp();
    }
}
#endif

// a to its lower factor x.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_cholesky)
SA_KERNEL(sa_cholesky, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n, i = g.thread;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        int failed = 0;
        for (int k = 0; k < n; ++k) {
            SA_T sum = i >= k && i < n ? A(i, k) : sa_zero();
            if (i >= k && i < n)
                for (int j = 0; j < k; ++j) sum = sa_sub_mul_conj(sum, A(i, j), A(k, j));
            __syncwarp();
            if (i == k) A(k, k) = sum;
            __syncwarp();
            const sa_real pivot = sa_re(A(k, k));
            if (!(pivot > 0) && !failed) failed = k + 1;
            const sa_real root = sa_root(pivot);
            __syncwarp();
            if (i == k) A(k, k) = sa_of(root, 0);
            else if (i > k && i < n) A(i, k) = sa_div(sum, sa_of(root, 0)), A(k, i) = sa_zero();
            __syncwarp();
        }
        sa_write(g.a, g, p.x, g.at[1], n, n, 0, failed != 0);
        if (g.stores && g.thread == 0) p.info[g.item] = failed;
        __syncwarp();
    }
}
#endif

// Divides by the power of two below the largest element, so that squares stay in range. Returns the power; `finite` says
// whether all elements are.
SA_DEVICE sa_real sa_rescale(const sa_group &g, int m, int n, bool &finite)
{
    sa_real largest = 0, check = 0;
    if (g.thread < n)
        for (int i = 0; i < m; ++i) {
            const sa_real size = sa_size(A(i, g.thread));
            if (size > largest) largest = size;
            check += size * 0;
        }
    g.row[g.thread] = check == 0 ? largest : sa_nan_real();
    __syncwarp();
    finite = true, largest = 0;
    for (int j = 0; j < n; ++j) {
        finite &= g.row[j] == g.row[j];
        if (g.row[j] > largest) largest = g.row[j];
    }
    __syncwarp();
    const sa_real smallest = sizeof(sa_real) == 8 ? (sa_real)0x1p-1022 : (sa_real)0x1p-126f;
    sa_real power = smallest;
    if (finite && largest > smallest) {
        // A power of two is a double without fraction.
        power = (sa_real)sa_from_bits(sa_to_bits((double)largest) & 0x7ff0000000000000LL);
    }
    const sa_real factor = 1 / power;
    if (g.thread < n)
        for (int i = 0; i < m; ++i) A(i, g.thread) = sa_scaled(A(i, g.thread), factor);
    __syncwarp();
    return power;
}

// The rotation that makes the off-diagonal element z of ((a, z), (conj z, b)) zero: its cosine, its sine with the phase of z,
// and what moves from a to b. Nothing is rotated where it is not wanted or z is too small.
SA_DEVICE void sa_rotation(sa_real a, sa_real b, SA_T z, bool wanted, sa_real &c, SA_T &s, sa_real &moved)
{
    const sa_real square = sa_square(z), size = sa_root(square), divisor = size > 0 ? size : 1;
    const sa_real tau = (b - a) / (2 * divisor);
    sa_real t = sa_sign_of((sa_real)1, tau) / (sa_magnitude(tau) + sa_root(1 + tau * tau));
    if (!(square > sa_tiny(sa_real()) && wanted)) t = 0;
    c = 1 / sa_root(1 + t * t);
    s = sa_scaled(z, t * c / divisor);
    moved = t * size;
}

// (x, y) becomes (c x - conj(s) y, s x + c y).
SA_DEVICE void sa_rotate(SA_T &x, SA_T &y, sa_real c, SA_T s)
{
    const SA_T u = x, v = y;
    x = sa_sub_mul_conj(sa_scaled(u, c), v, s);
    y = sa_add_mul(sa_scaled(v, c), s, u);
}

// A Hermitian matrix in the upper triangle of a (of the lower one's adjoint with SA_LOWER) to its eigenvalues, ascending, in
// the values and, where x is there, its eigenvectors.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_eigh)
SA_KERNEL(sa_eigh, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int n = (int)p.n, k = g.thread;
        sa_matrix upper = p.a;
        if (p.flags & SA_LOWER) upper.row = p.a.column, upper.column = p.a.row;
        sa_read(g.a, g, upper, g.at[0], n, n, 0, p.flags & SA_LOWER);
        if (k < n)
            for (int i = 0; i < n; ++i) {
                if (i == k) A(k, k) = sa_of(sa_re(A(k, k)), 0);
                if (i > k) A(i, k) = sa_zero();
                B(i, k) = i == k ? sa_one() : sa_zero();
            }
        __syncwarp();
        bool finite;
        const sa_real back = sa_rescale(g, n, n, finite), spacing = sa_spacing(sa_real());
        bool active = finite;
        for (int sweep = 0; sweep < SA_SWEEPS; ++sweep) {
            sa_real norm = 0, off = 0;
            for (int i = 0; i < n; ++i) {
                norm += sa_square(A(i, i));
                for (int j = i + 1; j < n; ++j) {
                    const sa_real square = sa_square(A(i, j));
                    if (square > off) off = square;
                }
            }
            active &= off > norm * (spacing * spacing);
            if (!__any_sync(0xffffffffu, active)) break;
            for (int i = 0; i < n; ++i) {
                for (int j = i + 1; j < n; ++j) {
                    sa_real c, moved;
                    SA_T s;
                    const SA_T z = A(i, j);
                    const sa_real di = sa_re(A(i, i)), dj = sa_re(A(j, j));
                    sa_rotation(di, dj, z, active, c, s, moved);
                    __syncwarp();
                    if (k == i) {
                        A(i, i) = sa_of(di - moved, 0);
                        A(j, j) = sa_of(dj + moved, 0);
                        if (active) A(i, j) = sa_scaled(z, 0);
                    } else if (k < i) {
                        sa_rotate(A(k, i), A(k, j), c, s);
                    } else if (k < j) {
                        SA_T x = sa_conj(A(i, k)), y = A(k, j);
                        sa_rotate(x, y, c, s);
                        A(i, k) = sa_conj(x), A(k, j) = y;
                    } else if (k > j && k < n) {
                        SA_T x = sa_conj(A(i, k)), y = sa_conj(A(j, k));
                        sa_rotate(x, y, c, s);
                        A(i, k) = sa_conj(x), A(j, k) = sa_conj(y);
                    }
                    if (k < n && p.x.data) sa_rotate(B(k, i), B(k, j), c, s);
                    __syncwarp();
                }
            }
        }
        // Each value goes to its place among them; equal ones keep their order.
        const sa_real value = k < n ? sa_re(A(k, k)) : 0;
        int place = 0;
        for (int j = 0; j < n; ++j) {
            const sa_real other = sa_re(A(j, j));
            place += other < value || (other == value && j < k);
        }
        const bool failed = active || !finite;
        if (g.stores && k < n) {
            p.values[g.item * n + (failed ? k : place)] = failed ? sa_nan_real() : value * back;
            if (p.x.data)
                for (int i = 0; i < n; ++i)
                    p.x.data[g.at[1] + i * p.x.row + (failed ? k : place) * p.x.column] = failed ? sa_nan() : B(i, k);
        }
        if (g.stores && k == 0) p.info[g.item] = active;
        __syncwarp();
    }
}
#endif

// Householder reflections of the columns onto a triangle, with LAPACK's signs; their vectors end up below the diagonal, their
// factors in `tau`, a value per thread.
SA_DEVICE void sa_reflect(const sa_group &g, int m, int n, SA_T &tau)
{
    const int steps = m < n ? m : n, t = g.thread;
    tau = sa_zero();
    for (int k = 0; k < steps; ++k) {
        const SA_T alpha = A(k, k);
        sa_real rest = 0;
        for (int i = k + 1; i < m; ++i) rest += sa_square(A(i, k));
        const bool needed = rest + sa_magnitude(sa_im(alpha)) > 0;
        const sa_real norm = sa_root(sa_square(alpha) + rest);
        const sa_real beta = needed ? -sa_sign_of(norm, sa_re(alpha)) : sa_re(alpha), divisor = needed ? beta : 1;
        const SA_T difference = sa_of(beta - sa_re(alpha), -sa_im(alpha));
        const SA_T factor = sa_scaled(difference, (needed ? 1 : 0) / divisor);
        const SA_T scale = sa_is_zero(difference) ? sa_one() : sa_scaled(difference, -1);
        if (t == k) tau = factor;
        __syncwarp();
        if (t > k && t < m) A(t, k) = sa_scaled(sa_div(A(t, k), scale), needed ? 1 : 0);
        if (t == k) A(k, k) = sa_of(beta, 0);
        __syncwarp();
        if (t > k && t < n) {
            SA_T sum = sa_conj(A(k, t));
            for (int i = k + 1; i < m; ++i) sum = sa_add_mul(sum, sa_conj(A(i, t)), A(i, k));
            sum = sa_conj(sa_add_mul(sa_zero(), sum, factor));
            A(k, t) = A(k, t) - sum;
            for (int i = k + 1; i < m; ++i) A(i, t) = sa_sub_mul(A(i, t), A(i, k), sum);
        }
        __syncwarp();
    }
}

// The first columns of the product of the reflections, to B; column j is thread j's. The factors come by way of B's last
// column, which no matrix has.
SA_DEVICE void sa_product(const sa_group &g, int m, int n, int columns, SA_T tau)
{
    const int j = g.thread;
    if (j < columns)
        for (int i = 0; i < m; ++i) B(i, j) = i == j ? sa_one() : sa_zero();
    B(j, SA_G) = tau;
    __syncwarp();
    for (int k = (m < n ? m : n) - 1; k >= 0; --k)
        if (j >= k && j < columns) {
            SA_T sum = B(k, j);
            for (int i = k + 1; i < m; ++i) sum = sa_add_mul(sum, sa_conj(A(i, k)), B(i, j));
            sum = sa_add_mul(sa_zero(), B(k, SA_G), sum);
            B(k, j) = B(k, j) - sum;
            for (int i = k + 1; i < m; ++i) B(i, j) = sa_sub_mul(B(i, j), A(i, k), sum);
        }
    __syncwarp();
}

// a, m x n, to q in x with `columns` columns, unless there is none, and as many rows of r in y, or min(m, n).
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_qr)
SA_KERNEL(sa_qr, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int m = (int)p.m, n = (int)p.n, columns = (int)p.columns, t = g.thread;
        sa_read(g.a, g, p.a, g.at[0], m, n, 0, false);
        bool finite;
        const sa_real back = sa_rescale(g, m, n, finite);
        SA_T tau;
        sa_reflect(g, m, n, tau);
        if (p.x.data) {
            sa_product(g, m, n, columns, tau);
            sa_write(g.b, g, p.x, g.at[1], m, columns, 0, !finite);
        }
        if (t < n)
            for (int i = 0; i < m; ++i) A(i, t) = i > t ? sa_zero() : sa_scaled(A(i, t), back);
        sa_write(g.a, g, p.y, g.at[2], columns, n, 0, !finite);
    }
}
#endif

// a, m x n with m >= n (its conjugate with SA_CONJ), to its singular values, descending, and, where x and y are there, U with
// `columns` columns and V^H; these conjugated with SA_CONJ. Columns are made orthogonal by rotations from the right; U is the
// orthogonal factor of what they become, so it is orthogonal whatever the rank.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_svd)
SA_KERNEL(sa_svd, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = sa_enter(p, first, shared_a, shared_b, shared_row);
        const int m = (int)p.m, n = (int)p.n, t = g.thread, columns = (int)p.columns;
        const bool conj = p.flags & SA_CONJ;
        sa_read(g.a, g, p.a, g.at[0], m, n, 0, conj);
        if (t < n)
            for (int i = 0; i < n; ++i) B(i, t) = i == t ? sa_one() : sa_zero();
        __syncwarp();
        bool finite;
        const sa_real back = sa_rescale(g, m, n, finite), spacing = sa_spacing(sa_real()), tiny = sa_tiny(sa_real());
        const sa_real tolerance = spacing * spacing * m;
        bool active = finite;
        for (int sweep = 0; sweep < SA_SWEEPS; ++sweep) {
            if (!__any_sync(0xffffffffu, active)) break;
            bool rotated = false;
            for (int j = 0; j < n; ++j)
                for (int k = j + 1; k < n; ++k) {
                    sa_real x2 = 0, y2 = 0, c, moved;
                    SA_T z = sa_zero(), s;
                    for (int i = 0; i < m; ++i) {
                        const SA_T x = A(i, j), y = A(i, k);
                        x2 += sa_square(x);
                        y2 += sa_square(y);
                        z = sa_add_mul(z, sa_conj(x), y);
                    }
                    const bool needed = active && sa_square(z) > tolerance * x2 * y2 + tiny;
                    rotated |= needed;
                    sa_rotation(x2, y2, z, needed, c, s, moved);
                    __syncwarp();
                    if (needed && t < m) sa_rotate(A(t, j), A(t, k), c, s);
                    if (needed && t < n) sa_rotate(B(t, j), B(t, k), c, s);
                    __syncwarp();
                }
            active = rotated;
        }
        sa_real sum = 0;
        if (t < n)
            for (int i = 0; i < m; ++i) sum += sa_square(A(i, t));
        const sa_real value = sa_root(sum);
        g.row[t] = value;
        __syncwarp();
        int place = 0;
        for (int j = 0; j < n; ++j) place += g.row[j] > value || (g.row[j] == value && j < t);
        const bool failed = active || !finite;
        if (failed) place = t;
        if (g.stores && t < n) p.values[g.item * n + place] = failed ? sa_nan_real() : value * back;
        if (g.stores && t == 0) p.info[g.item] = active;
        if (p.x.data) {
            if (g.stores && t < n)
                for (int i = 0; i < n; ++i) {
                    const SA_T x = B(i, t);
                    p.y.data[g.at[2] + place * p.y.row + i * p.y.column] = failed ? sa_nan() : conj ? x : sa_conj(x);
                }
            __syncwarp();
            // The columns in the order of the values, by way of B.
            if (t < n)
                for (int i = 0; i < m; ++i) B(i, place) = A(i, t);
            __syncwarp();
            if (t < n)
                for (int i = 0; i < m; ++i) A(i, t) = B(i, t);
            __syncwarp();
            SA_T tau;
            sa_reflect(g, m, n, tau);
            sa_product(g, m, n, columns, tau);
            if (t < columns)
                for (int i = 0; i < m; ++i) {
                    const SA_T x = t < n && sa_sign_of((sa_real)1, sa_re(A(t, t))) < 0 ? sa_scaled(B(i, t), -1) : B(i, t);
                    B(i, t) = conj ? sa_conj(x) : x;
                }
            sa_write(g.b, g, p.x, g.at[1], m, columns, 0, failed);
        }
        __syncwarp();
    }
}
#endif
