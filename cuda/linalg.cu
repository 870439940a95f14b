// Systems and decompositions of small matrices: the algorithms, and with fused products the bits, of `rust/kernels/src/linalg`
// (small.rs, rotations.rs). What stands before this text is in linalg.h.

// What is for parts of warps alone.
#if SA_G <= 32

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
        const sa_group g = SA_ENTER(p);
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

// Exchanges in the pivots to the order of rows that they lead to, as integers in the values; a thread per item.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_row_order)
SA_KERNEL(sa_row_order, sa_linalg)
{
    for (sa_i64 item = sa_thread(); item < p.items; item += sa_threads()) {
        const sa_i64 *pivots = p.pivots + item * p.n;
        sa_i64 *order = (sa_i64 *)p.values + item * p.n, bad = 0;
        for (sa_i64 i = 0; i < p.n; ++i) order[i] = i;
        for (sa_i64 i = 0; i < p.n && !bad; ++i) {
            const sa_i64 other = pivots[i];
            if (other < 0 || other >= p.n) {
                bad = i + 1;
                continue;
            }
            const sa_i64 row = order[i];
            order[i] = order[other], order[other] = row;
        }
        p.info[item] = bad;
    }
}
#endif

// a and b in x to the solution in y; the inverse with SA_IDENTITY. Items with a zero pivot become NaN.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_solve)
SA_KERNEL(sa_solve, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = SA_ENTER(p);
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
        const sa_group g = SA_ENTER(p);
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
        const sa_group g = SA_ENTER(p);
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
        const sa_group g = SA_ENTER(p);
        const int n = (int)p.n;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        sa_lu(g, n);
        if (g.stores && g.thread == 0) {
            bool odd = false;
            for (int k = 0; k < n; ++k) odd ^= (int)g.row[k] != k;
            sa_factors product = sa_factors_of(odd);
            for (int k = 0; k < n && !product.zero; ++k) sa_take_factor(product, A(k, k), p.flags & SA_LOGARITHM);
            p.x.data[g.at[1]] = product.zero ? sa_zero() : product.value;
            if (p.flags & SA_LOGARITHM) p.values[g.item] = product.log;
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
        const sa_group g = SA_ENTER(p);
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
        const sa_group g = SA_ENTER(p);
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

// a, m x n with m >= n (its conjugate with SA_CONJ), to its singular values, descending, and, where x and y are there, U with
// `columns` columns and V^H; these conjugated with SA_CONJ. Columns are made orthogonal by rotations from the right; U is the
// orthogonal factor of what they become, so it is orthogonal whatever the rank.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_svd)
SA_KERNEL(sa_svd, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = SA_ENTER(p);
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
            for (int k = 0; k < n; ++k) sa_reflect_column(g, m, n, k, k);
            sa_product(g, m, n, columns, 0);
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
#endif

// Exchanges rows and columns p <= q of a matrix of which the lower triangle is there, and rows of the factor left of it.
SA_DEVICE void sa_exchange_both(const sa_group &g, int n, int p, int q, bool hermitian)
{
    if (p == q) return;
    SA_EACH(t, 0, n) {
        SA_T *x = &A(t, p), *y = &A(t, q);
        if (t < p) x = &A(p, t), y = &A(q, t);
        else if (t == p) y = &A(q, q);
        else if (t <= q) y = &A(q, t);
        if (t == q) y = x;
        const bool turned = hermitian && t > p && t <= q;
        const SA_T first = turned ? sa_conj(*x) : *x, second = turned ? sa_conj(*y) : *y;
        *x = second, *y = first;
    }
    if (g.thread == 0) {
        const unsigned row = g.order[p];
        g.order[p] = g.order[q], g.order[q] = row;
    }
}

// a, of which the lower triangle is read, to a unit triangle x and a block diagonal y, with the pivots of Bunch and Kaufman: the
// algorithm of `rust/kernels/src/linalg/ldl.rs`. Hermitian with SA_CONJ, else symmetric. Without SA_LOWER the matrices come in
// reverse order of rows and columns, and so leaves that of the rows, which goes to the pivots. Groups of a warp take their steps
// together, of one or two columns each.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_ldl)
SA_KERNEL(sa_ldl, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = SA_ENTER(p);
        const int n = (int)p.n;
        const bool hermitian = p.flags & SA_CONJ;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        SA_EACH(t, 0, n) {
            for (int i = 0; i < t; ++i) A(i, t) = sa_zero();
            if (hermitian) A(t, t) = sa_of(sa_re(A(t, t)), 0);
            // A mark is a block of two rows that begins here.
            g.order[t] = t, g.marks[t] = 0;
        }
        sa_wait();
        bool finite;
        const sa_real back = sa_rescale(g, n, n, finite), alpha = (sa_real)0.6403882032022076;
        for (int step = 0, k = 0; step < n; ++step) {
            const bool active = finite && k < n;
            int pivot = k, width = 1;
            sa_real here = 0, below = 0;
            if (active) {
                const sa_largest none = {0, k};
                const sa_largest under = sa_fold(g, k + 1, n, none, [&](int i) { return sa_largest{sa_size(A(i, k)), i}; });
                const int row = under.at;
                here = sa_size(A(k, k)), below = under.size;
                if (here < alpha * below) {
                    const auto beside = [&](int i) { return sa_largest{i == row ? 0 : sa_size(i < row ? A(row, i) : A(i, row)), i}; };
                    const sa_real across = sa_fold(g, k, n, none, beside).size;
                    if (here < alpha * below * (below / across)) {
                        pivot = row;
                        width = sa_size(A(row, row)) >= alpha * across ? 1 : 2;
                    }
                }
            }
            const bool acts = active && !(here == 0 && below == 0);
            const int next = k + width;
            sa_wait();
            if (acts) sa_exchange_both(g, n, next - 1, pivot, hermitian);
            sa_wait();
            if (acts) {
                SA_EACH(t, k, n) B(t, 0) = A(t, k), B(t, 1) = width == 2 ? A(t, k + 1) : sa_zero();
                if (g.thread == 0) g.marks[k] = width == 2;
            }
            sa_wait();
            if (acts)
                SA_EACH(t, next, n) {
                    if (width == 1) A(t, k) = sa_div(A(t, k), A(k, k));
                    else {
                        // With all numbers over the element beside the diagonal, which is large in its block.
                        const SA_T z = A(k + 1, k), s = sa_of((sa_real)hypot((double)sa_re(z), (double)sa_im(z)), 0);
                        const SA_T u = sa_div(z, s), v = sa_div(hermitian ? sa_conj(z) : z, s);
                        const SA_T q = sa_div(A(k, k), s), r = sa_div(A(k + 1, k + 1), s), det = r * q - u * v;
                        const SA_T x = B(t, 0), y = B(t, 1);
                        A(t, k) = sa_div(sa_div(x * r - y * u, det), s);
                        A(t, k + 1) = sa_div(sa_div(y * q - x * v, det), s);
                    }
                }
            sa_wait();
            if (acts)
                SA_EACH(j, next, n) {
                    const SA_T first = hermitian ? sa_conj(B(j, 0)) : B(j, 0), second = hermitian ? sa_conj(B(j, 1)) : B(j, 1);
                    for (int i = j; i < n; ++i) {
                        SA_T x = sa_sub_mul(A(i, j), A(i, k), first);
                        if (width == 2) x = sa_sub_mul(x, A(i, k + 1), second);
                        A(i, j) = x;
                    }
                    if (hermitian) A(j, j) = sa_of(sa_re(A(j, j)), 0);
                }
            sa_wait();
            k = acts ? next : k + 1;
        }
        SA_EACH(t, 0, n)
            for (int i = 0; i < n; ++i) B(i, t) = i == t ? sa_one() : i > t + (int)g.marks[t] ? A(i, t) : sa_zero();
        sa_write(g.b, g, p.x, g.at[1], n, n, 0, !finite);
        SA_EACH(t, 0, n) {
            for (int i = 0; i < n; ++i) B(i, t) = i == t ? sa_scaled(A(t, t), back) : sa_zero();
            if (g.marks[t]) B(t + 1, t) = sa_scaled(A(t + 1, t), back);
            if (t > 0 && g.marks[t - 1]) B(t - 1, t) = sa_scaled(hermitian ? sa_conj(A(t, t - 1)) : A(t, t - 1), back);
        }
        sa_write(g.b, g, p.y, g.at[2], n, n, 0, !finite);
        if (g.stores)
            SA_EACH(t, 0, n) {
                const bool turned = !(p.flags & SA_LOWER);
                p.pivots[g.item * n + (turned ? n - 1 - t : t)] = turned ? n - 1 - (sa_i64)g.order[t] : (sa_i64)g.order[t];
            }
        sa_wait();
    }
}
#endif

// Exchanges column k of those from k on for the one with the longest part in rows from k on.
SA_DEVICE void sa_longest(const sa_group &g, int m, int n, int k)
{
    const sa_share s = sa_sharing(g, n - k);
    for (int c = k; c < n; c += s.width) {
        const int j = c + s.column, rows = j < n ? m : 0;
        sa_real sum = 0, largest = 0, power = 1;
        for (int i = k + s.first; i < rows; i += s.step) sum += sa_square(A(i, j));
        sum = sa_total(g, s, sum);
        if (j >= n || s.first > 0) continue;
        if (!(sum > sa_tiny(sa_real()))) {
            // Squares in range.
            for (int i = k; i < m; ++i) largest = sa_size(A(i, j)) > largest ? sa_size(A(i, j)) : largest;
            power = sa_scale_below(largest), sum = 0;
            for (int i = k; i < m; ++i) sum += sa_square(sa_scaled(A(i, j), 1 / power));
        }
        g.row[j] = sa_root(sum) * power;
    }
    sa_wait();
    const int other = sa_fold(g, k + 1, n, sa_largest{g.row[k], k}, [&](int j) { return sa_largest{g.row[j], j}; }).at;
    if (g.thread == 0) {
        const unsigned place = g.order[k];
        g.order[k] = g.order[other], g.order[other] = place;
    }
    SA_EACH(i, 0, m) {
        const SA_T x = A(i, k);
        A(i, k) = A(i, other);
        A(i, other) = x;
    }
    sa_wait();
}

// a, m x n, to q in x with `columns` columns, unless there is none, and as many rows of r in y, or min(m, n). With SA_PIVOTING the
// columns are taken in the order that goes to the pivots.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_qr)
SA_KERNEL(sa_qr, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = SA_ENTER(p);
        const int m = (int)p.m, n = (int)p.n, columns = (int)p.columns;
        sa_read(g.a, g, p.a, g.at[0], m, n, 0, false);
        SA_EACH(j, 0, n) g.order[j] = j;
        bool finite;
        const sa_real back = sa_rescale(g, m, n, finite);
        for (int k = 0; k < m && k < n; ++k) {
            if (p.flags & SA_PIVOTING) sa_longest(g, m, n, k);
            sa_reflect_column(g, m, n, k, k);
        }
        if (p.x.data) {
            sa_product(g, m, n, columns, 0);
            sa_write(g.b, g, p.x, g.at[1], m, columns, 0, !finite);
        }
        SA_EACH(j, 0, n)
            for (int i = 0; i < m; ++i) A(i, j) = i > j ? sa_zero() : sa_scaled(A(i, j), back);
        sa_write(g.a, g, p.y, g.at[2], columns, n, 0, !finite);
        if (p.flags & SA_PIVOTING && g.stores)
            SA_EACH(j, 0, n) p.pivots[g.item * n + j] = finite ? (sa_i64)g.order[j] : j;
        sa_wait();
    }
}
#endif
