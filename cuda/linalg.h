// What the kernels of matrices share, one matrix per group of threads and the whole batch in one launch. Thread i of a group
// mostly works on row or column i.
//
// Defines: SA_T is float, double, sa_c64 or sa_c128; SA_G, a power of two, is the size of a group. Up to 32 it is the largest
// number of rows and columns as well, groups are parts of warps, and matrices lie in shared memory. Beyond, a group is a block, for
// matrices of any size in working memory of the block, and thread i has rows or columns i, i + SA_G and so on.

typedef sa_traits<SA_T>::part sa_real;
typedef SA_T sa_field;

#if SA_G > 32
#define SA_LD g.ld
#define SA_EACH(i, from, to) for (int i = (from) + g.thread; i < (to); i += SA_G)
SA_DEVICE void sa_wait() { __syncthreads(); }
SA_DEVICE bool sa_any(bool x) { return x; }
#else
enum {
    // What two matrices per group leave of 48 KiB of shared memory.
    SA_BLOCK = sizeof(SA_T) > 8 ? 32 : 64,
    SA_GROUPS = SA_BLOCK / SA_G,
    // One more than the rows, so that a column does not fall on one bank.
    SA_LD = SA_G + 1,
    SA_SWEEPS = 60
};
// Rows or columns `from` to `to` - 1, as the group's threads share them.
#define SA_EACH(i, from, to) if (const int i = g.thread; i >= (from) && i < (to))
// Until the group's threads are here, which see then what each other wrote.
SA_DEVICE void sa_wait() { __syncwarp(); }
// Groups of a warp go along as long as one of them needs a step.
SA_DEVICE bool sa_any(bool x) { return __any_sync(0xffffffffu, x); }
#endif

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

// A product of factors; or its sign, and the logarithm of its magnitude.
struct sa_factors {
    SA_T value;
    sa_real log;
    // A sign is 0 from the first zero on.
    bool zero;
};

SA_DEVICE sa_factors sa_factors_of(bool negative) { return {negative ? sa_of(-1, 0) : sa_one(), 0, false}; }
SA_DEVICE void sa_take_factor(sa_factors &product, SA_T x, bool logarithm)
{
    if (logarithm) {
        const sa_real size = (sa_real)(sa_traits<SA_T>::kind == 3 ? hypot((double)sa_re(x), (double)sa_im(x)) : fabs((double)sa_re(x)));
        product.zero = size == 0;
        x = sa_of(sa_re(x) / size, sa_im(x) / size);
        product.log = product.zero ? (sa_real)sa_from_bits(0xfff0000000000000LL) : product.log + (sa_real)log((double)size);
    }
    product.value = product.value * x;
}

struct sa_matrix {
    SA_T *data;
    // Strides in elements.
    sa_i64 row, column;
};

enum { SA_LOWER = 1, SA_UNIT = 2, SA_TRANSPOSED = 4, SA_CONJ = 8, SA_IDENTITY = 16, SA_LOGARITHM = 32, SA_SCHUR = 64, SA_PIVOTING = 128 };

struct sa_linalg {
    // What is read and what is written, as each kernel says; their offsets per item are in `batch`.
    sa_matrix a, x, y;
    // Per item and without gaps: real results, pivots, and 0 or 1 + the place of the first pivot that fails.
    sa_real *values;
    sa_i64 *pivots, *info;
    // The working memory of blocks that are groups.
    SA_T *room;
    sa_i64 m, n, columns, items, flags;
    sa_layout<3> batch;
};

// The item of this thread's group, its offsets and its working memory: two matrices, and a number, a place and two marks per row or
// column. Groups beyond the last item repeat it.
struct sa_group {
    sa_i64 item, at[3];
    int thread;
    bool stores;
#if SA_G > 32
    sa_i64 ld;
#endif
    SA_T *a, *b;
    sa_real *row;
    unsigned *order, *marks, *others;
};

#if SA_G > 32
SA_DEVICE sa_group sa_enter(const sa_linalg &p, sa_i64 item)
{
    sa_group g;
    const sa_i64 size = p.m > p.n ? p.m : p.n;
    g.thread = threadIdx.x, g.item = item, g.stores = true;
    sa_offsets(p.batch, item, g.at);
    // A column more than there are, as below.
    g.ld = (p.columns > p.n ? p.columns : p.n) + 1;
    g.a = p.room + blockIdx.x * (2 * p.m * g.ld + 4 * size);
    g.b = g.a + p.m * g.ld;
    SA_T *rest = g.b + p.m * g.ld;
    g.row = (sa_real *)rest;
    g.order = (unsigned *)(rest + size), g.marks = (unsigned *)(rest + 2 * size), g.others = (unsigned *)(rest + 3 * size);
    return g;
}

#define SA_EACH_ITEM(p) for (sa_i64 first = blockIdx.x; first < (p).items; first += gridDim.x)
#define SA_ENTER(p) sa_enter(p, first)
#else
SA_DEVICE sa_group sa_enter(const sa_linalg &p, sa_i64 first, SA_T *a, SA_T *b, sa_real *rows, unsigned *places)
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
    g.order = places + slot * SA_G, g.marks = g.order + SA_BLOCK, g.others = g.marks + SA_BLOCK;
    return g;
}

#define SA_EACH_ITEM(p)                                                                                                \
    SA_SHARED SA_T shared_a[SA_GROUPS * SA_G * SA_LD];                                                                 \
    SA_SHARED SA_T shared_b[SA_GROUPS * SA_G * SA_LD];                                                                 \
    SA_SHARED sa_real shared_row[SA_BLOCK];                                                                            \
    SA_SHARED unsigned shared_places[3 * SA_BLOCK];                                                                    \
    for (sa_i64 first = (sa_i64)blockIdx.x * SA_GROUPS; first < (p).items; first += (sa_i64)gridDim.x * SA_GROUPS)
#define SA_ENTER(p) sa_enter(p, first, shared_a, shared_b, shared_row, shared_places)
#endif

#define A(i, j) g.a[(i) * SA_LD + (j)]
#define B(i, j) g.b[(i) * SA_LD + (j)]
// The factor of reflection k, in the column of B that no matrix has.
#define TAU(k) B(k, SA_LD - 1)

// Rows and columns from `column` on of a matrix in memory to the group's, thread j taking column j.
SA_DEVICE void sa_read(SA_T *to, const sa_group &g, const sa_matrix &m, sa_i64 at, int rows, int columns, sa_i64 column, bool conj)
{
    SA_EACH(j, 0, columns)
        for (int i = 0; i < rows; ++i) {
            const SA_T x = m.data[at + i * m.row + (column + j) * m.column];
            to[i * SA_LD + j] = conj ? sa_conj(x) : x;
        }
    sa_wait();
}

SA_DEVICE void sa_write(const SA_T *from, const sa_group &g, const sa_matrix &m, sa_i64 at, int rows, int columns, sa_i64 column, bool failed)
{
    sa_wait();
    if (g.stores)
        SA_EACH(j, 0, columns)
            for (int i = 0; i < rows; ++i)
                m.data[at + i * m.row + (column + j) * m.column] = failed ? sa_nan() : from[i * SA_LD + j];
    sa_wait();
}

// The largest of some numbers, and the first place where it is.
struct sa_largest {
    sa_real size;
    int at;
};

SA_DEVICE sa_real sa_join(sa_real x, sa_real y) { return x + y; }
SA_DEVICE sa_largest sa_join(sa_largest x, sa_largest y)
{
    return y.size > x.size || (y.size == x.size && y.at < x.at) ? y : x;
}

// x joined with f(from) to f(to - 1). Threads that share the work all begin with x: a sum with 0.
template <class T, class F> SA_DEVICE T sa_fold(const sa_group &g, int from, int to, T x, F f)
{
#if SA_G > 32
    SA_SHARED T parts[SA_G];
    for (int i = from + g.thread; i < to; i += SA_G) x = sa_join(x, f(i));
    parts[g.thread] = x;
    for (int half = SA_G / 2; half > 0; half /= 2) {
        sa_wait();
        if (g.thread < half) parts[g.thread] = sa_join(parts[g.thread], parts[g.thread + half]);
    }
    sa_wait();
    x = parts[0];
    sa_wait();
#else
    for (int i = from; i < to; ++i) x = sa_join(x, f(i));
#endif
    return x;
}

// How a group's threads share columns, `width` at a time: this thread has one of them, and its rows from `first` on in steps. Where
// there are few columns, several threads have one.
struct sa_share {
    int width, column, first, step;
};

SA_DEVICE sa_share sa_sharing(const sa_group &g, int columns)
{
#if SA_G > 32
    int width = SA_G;
    while (width > 8 && width / 2 >= columns) width /= 2;
    return {width, g.thread % width, g.thread / width, SA_G / width};
#else
    return {SA_G, g.thread, 0, 1};
#endif
}

// What the threads with this column have found together.
template <class T> SA_DEVICE T sa_total(const sa_group &g, const sa_share &s, T sum)
{
#if SA_G > 32
    SA_SHARED T parts[SA_G];
    if (s.step == 1) return sum;
    parts[g.thread] = sum;
    sa_wait();
    sum = parts[s.column];
    for (int i = s.column + s.width; i < SA_G; i += s.width) sum = sum + parts[i];
    sa_wait();
#endif
    return sum;
}

// The power of two: a double without fraction.
SA_DEVICE sa_real sa_power_below(sa_real x) { return (sa_real)sa_from_bits(sa_to_bits((double)x) & 0x7ff0000000000000LL); }
// The same where its inverse is in range.
SA_DEVICE sa_real sa_scale_below(sa_real x)
{
    const sa_real smallest = sizeof(sa_real) == 8 ? (sa_real)0x1p-1022 : (sa_real)0x1p-126f;
    return x > smallest ? sa_power_below(x) : smallest;
}

// Divides by the power of two below the largest element, so that squares stay in range. Returns the power; `finite` says
// whether all elements are.
SA_DEVICE sa_real sa_rescale(const sa_group &g, int m, int n, bool &finite)
{
    SA_EACH(j, 0, n) {
        sa_real most = 0, check = 0;
        for (int i = 0; i < m; ++i) {
            const sa_real size = sa_size(A(i, j));
            if (size > most) most = size;
            check += size * 0;
        }
        g.row[j] = check == 0 ? most : sa_nan_real();
    }
    sa_wait();
    sa_real largest = 0;
    finite = true;
    for (int j = 0; j < n; ++j) {
        finite &= g.row[j] == g.row[j];
        if (g.row[j] > largest) largest = g.row[j];
    }
    sa_wait();
    const sa_real power = sa_scale_below(largest), factor = 1 / power;
    SA_EACH(j, 0, n)
        for (int i = 0; i < m; ++i) A(i, j) = sa_scaled(A(i, j), factor);
    sa_wait();
    return power;
}

// The reflection I - tau v v^H that takes a vector to beta and zeros, with LAPACK's signs. v is 1 and then, where anything is
// needed, the rest of the vector divided by `scale`; the rest enters as the sum of its squares. Nothing is where squares leave the
// range: what is dropped is negligible in a vector whose largest element is near 1.
struct sa_reflection {
    SA_T tau, scale;
    sa_real beta;
    bool needed;
};

SA_DEVICE sa_reflection sa_reflection_of(SA_T alpha, sa_real rest)
{
    sa_reflection r;
    r.needed = rest + sa_im(alpha) * sa_im(alpha) > sa_tiny(sa_real());
    const sa_real norm = sa_root(sa_square(alpha) + rest);
    r.beta = r.needed ? -sa_sign_of(norm, sa_re(alpha)) : sa_re(alpha);
    const SA_T difference = sa_of(r.beta - sa_re(alpha), -sa_im(alpha));
    r.tau = sa_scaled(difference, (r.needed ? 1 : 0) / (r.needed ? r.beta : 1));
    r.scale = sa_is_zero(difference) ? sa_one() : sa_scaled(difference, -1);
    return r;
}

// Reflects column k below row `head` to zero, where v ends up, and the columns after it along. Returns tau, which is kept.
SA_DEVICE SA_T sa_reflect_column(const sa_group &g, int m, int n, int head, int k)
{
    sa_real power = 1, inverse = 1;
    const auto square = [&](int i) { return sa_square(sa_scaled(A(i, k), inverse)); };
    sa_real rest = sa_fold(g, head + 1, m, (sa_real)0, square);
    if (!(rest + sa_im(A(head, k)) * sa_im(A(head, k)) > sa_tiny(sa_real()))) {
        const auto size = [&](int i) { return sa_largest{sa_size(A(i, k)), i}; };
        power = sa_scale_below(sa_fold(g, head, m, sa_largest{0, head}, size).size), inverse = 1 / power;
        rest = sa_fold(g, head + 1, m, (sa_real)0, square);
    }
    const sa_reflection r = sa_reflection_of(sa_scaled(A(head, k), inverse), rest);
    sa_wait();
    SA_EACH(i, head + 1, m) A(i, k) = sa_scaled(sa_div(sa_scaled(A(i, k), inverse), r.scale), r.needed ? 1 : 0);
    if (g.thread == 0) A(head, k) = sa_of(r.beta * power, 0), TAU(k) = r.tau;
    sa_wait();
    const sa_share s = sa_sharing(g, n - k - 1);
    for (int c = k + 1; c < n; c += s.width) {
        const int j = c + s.column, rows = j < n ? m : 0;
        const bool begins = j < n && s.first == 0;
        SA_T sum = begins ? sa_conj(A(head, j)) : sa_zero();
        for (int i = head + 1 + s.first; i < rows; i += s.step) sum = sa_add_mul(sum, sa_conj(A(i, j)), A(i, k));
        sum = sa_conj(sa_add_mul(sa_zero(), sa_total(g, s, sum), r.tau));
        if (begins) A(head, j) = A(head, j) - sum;
        for (int i = head + 1 + s.first; i < rows; i += s.step) A(i, j) = sa_sub_mul(A(i, j), A(i, k), sum);
    }
    sa_wait();
    return r.tau;
}

// The first columns of the product of the reflections, of which that of column k has its head `down` rows below the diagonal, to
// B.
SA_DEVICE void sa_product(const sa_group &g, int m, int n, int columns, int down)
{
    SA_EACH(j, 0, columns)
        for (int i = 0; i < m; ++i) B(i, j) = i == j ? sa_one() : sa_zero();
    sa_wait();
    for (int k = (m - down < n ? m - down : n) - 1; k >= 0; --k) {
        const int head = k + down;
        const sa_share s = sa_sharing(g, columns - head);
        for (int c = head; c < columns; c += s.width) {
            const int j = c + s.column, rows = j < columns ? m : 0;
            const bool begins = j < columns && s.first == 0;
            SA_T sum = begins ? B(head, j) : sa_zero();
            for (int i = head + 1 + s.first; i < rows; i += s.step) sum = sa_add_mul(sum, sa_conj(A(i, k)), B(i, j));
            sum = sa_add_mul(sa_zero(), TAU(k), sa_total(g, s, sum));
            if (begins) B(head, j) = B(head, j) - sum;
            for (int i = head + 1 + s.first; i < rows; i += s.step) B(i, j) = sa_sub_mul(B(i, j), A(i, k), sum);
        }
        sa_wait();
    }
}
