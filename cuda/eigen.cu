// Hessenberg and Schur forms, and eigenvalues and eigenvectors of small matrices without symmetry: the algorithm of
// `rust/kernels/src/linalg/eigen.rs`. The groups of a warp take their QR steps together, each in its own window. What stands before this text is in linalg.h.

typedef sa_complex<sa_real> sa_pair;

SA_DEVICE sa_pair sa_wide(sa_real x) { return {x, 0}; }
SA_DEVICE sa_pair sa_wide(sa_pair x) { return x; }
SA_DEVICE sa_real sa_length(sa_real a, sa_real b)
{
    const sa_real x = sa_magnitude(a), y = sa_magnitude(b), most = x > y ? x : y, least = x > y ? y : x;
    return most > 0 ? most * sa_root(1 + least / most * (least / most)) : 0;
}
SA_DEVICE sa_pair sa_root(sa_pair z)
{
    const sa_real most = sa_root((sa_length(z.re, z.im) + sa_magnitude(z.re)) / 2), least = most > 0 ? sa_magnitude(z.im) / (2 * most) : 0;
    return z.re < 0 ? sa_pair{least, sa_sign_of(most, z.im)} : sa_pair{most, sa_sign_of(least, z.im)};
}

// As `sa_rescale`; what is not finite becomes 0.
SA_DEVICE sa_real sa_eig_scale(const sa_group &g, int n, bool &finite)
{
    const sa_real back = sa_rescale(g, n, n, finite);
    if (!finite)
        SA_EACH(j, 0, n)
            for (int i = 0; i < n; ++i) A(i, j) = sa_zero();
    sa_wait();
    return back;
}

// A = Z H Z^H with one subdiagonal in H; Z in B with `vectors`.
SA_DEVICE void sa_eig_hessenberg(const sa_group &g, int n, bool vectors)
{
    for (int k = 0; k + 1 < n; ++k) {
        const SA_T factor = sa_reflect_column(g, n, n, k + 1, k);
        SA_EACH(i, 0, n) {
            SA_T sum = A(i, k + 1);
            for (int j = k + 2; j < n; ++j) sum = sa_add_mul(sum, A(i, j), A(j, k));
            sum = sa_add_mul(sa_zero(), sum, factor);
            A(i, k + 1) = A(i, k + 1) - sum;
            for (int j = k + 2; j < n; ++j) A(i, j) = sa_sub_mul_conj(A(i, j), sum, A(j, k));
        }
        sa_wait();
    }
    if (vectors) sa_product(g, n, n, n, 1);
    SA_EACH(j, 0, n)
        for (int i = j + 2; i < n; ++i) A(i, j) = sa_zero();
    sa_wait();
}

// Whether element (k, k - 1) is not negligible (Ahues and Tisseur, LAPACK Working Note 122, 1997).
SA_DEVICE bool sa_eig_couples(const sa_group &g, int k)
{
    const sa_real eps = sa_spacing(sa_real()), tiny = sa_tiny(sa_real());
    const sa_real x = sa_size(A(k, k - 1)), up = sa_size(A(k - 1, k)), here = sa_size(A(k, k));
    const sa_real apart = sa_size(A(k - 1, k - 1) - A(k, k)), sizes = here + sa_size(A(k - 1, k - 1));
    // The largest element is about 1. An element whose square has no digits would be left by every reflection.
    if (!(x * x > tiny)) return false;
    if (x > eps * (sizes > 0 ? sizes : 1)) return true;
    const sa_real most = here > apart ? here : apart, least = here > apart ? apart : here;
    const sa_real far = x > up ? x : up, near = x > up ? up : x;
    const sa_real sum = most + far > tiny ? most + far : tiny, bound = eps * (least * (most / sum));
    return near * (far / sum) > (bound > tiny ? bound : tiny);
}

// The first column, over rows m to m + 2 and to scale, of the product of the Hessenberg form less each of the two shifts: the
// eigenvalues of a matrix with x and y on its diagonal, where w is the product of the others.
SA_DEVICE void sa_eig_head(const sa_group &g, int m, SA_T x, SA_T y, SA_T w, SA_T (&head)[3])
{
    const SA_T z = A(m, m), r = x - z, s = y - z, divisor = sa_is_zero(A(m + 1, m)) ? sa_one() : A(m + 1, m);
    head[0] = sa_add_mul(sa_div(sa_add_mul(sa_zero(), r, s) - w, divisor), A(m, m + 1), sa_one());
    head[1] = A(m + 1, m + 1) - z - r - s;
    head[2] = A(m + 2, m + 1);
    const sa_real total = sa_size(head[0]) + sa_size(head[1]) + sa_size(head[2]), inverse = 1 / (total > 0 ? total : 1);
    for (int i = 0; i < 3; ++i) head[i] = sa_scaled(head[i], inverse);
}

// Whether a step may begin in row m because two subdiagonal elements in a row are small enough.
SA_DEVICE bool sa_eig_begins(const sa_group &g, int m, const SA_T (&head)[3])
{
    const sa_real sizes = sa_size(A(m - 1, m - 1)) + sa_size(A(m, m)) + sa_size(A(m + 1, m + 1));
    return sa_size(A(m, m - 1)) * (sa_size(head[1]) + sa_size(head[2])) <= sa_spacing(sa_real()) * sa_size(head[0]) * sizes;
}

// One QR step with both shifts in rows start..bottom of the window from `top`; groups that are not active only wait.
SA_DEVICE void sa_eig_step(const sa_group &g, int n, bool active, bool vectors, int top, int start, int bottom, const SA_T (&head)[3])
{
    for (int s = 0;; ++s) {
        const int k = start + s, rows = k + 2 <= bottom ? 3 : 2;
        const bool on = active && k < bottom;
        if (!sa_any(on)) break;
        SA_T column[3] = {sa_zero(), sa_zero(), sa_zero()}, v[3] = {sa_one(), sa_zero(), sa_zero()}, tau = sa_zero();
        sa_real beta = 0;
        if (on) {
            sa_real total = 0;
            for (int i = 0; i < rows; ++i) column[i] = s > 0 ? A(k + i, k - 1) : head[i], total += sa_size(column[i]);
            // Squares in range.
            if (!(total > 0)) total = 1;
            for (int i = 0; i < 3; ++i) column[i] = sa_scaled(column[i], 1 / total);
            const sa_reflection r = sa_reflection_of(column[0], sa_square(column[1]) + sa_square(column[2]));
            tau = r.tau, beta = r.beta * total;
            for (int i = 1; i < 3; ++i) v[i] = sa_scaled(sa_div(column[i], r.scale), r.needed);
            // Eigenvalues alone need nothing outside of the window.
            SA_EACH(j, k, vectors ? n : bottom + 1) {
                SA_T sum = sa_conj(A(k, j));
                for (int i = 1; i < rows; ++i) sum = sa_add_mul(sum, sa_conj(A(k + i, j)), v[i]);
                sum = sa_add_mul(sa_zero(), sa_conj(sum), sa_conj(tau));
                A(k, j) = A(k, j) - sum;
                for (int i = 1; i < rows; ++i) A(k + i, j) = sa_sub_mul(A(k + i, j), v[i], sum);
            }
        }
        sa_wait();
        if (on) {
            // What the reflection was made of, which all threads have read by now.
            if (g.thread == 0 && s > 0) {
                A(k, k - 1) = sa_of(beta, 0);
                for (int i = 1; i < rows; ++i) A(k + i, k - 1) = sa_zero();
            } else if (g.thread == 0 && k > top) {
                // A step that begins here leaves the small element before it, reflected.
                A(k, k - 1) = sa_sub_mul_conj(A(k, k - 1), A(k, k - 1), tau);
            }
            for (int of_z = 0; of_z <= vectors; ++of_z) {
                const int first = of_z || vectors ? 0 : top, end = of_z ? n : (k + 3 < bottom ? k + 3 : bottom) + 1;
                SA_EACH(r, first, end) {
                    SA_T *row = (of_z ? g.b : g.a) + r * SA_LD + k;
                    SA_T sum = row[0];
                    for (int i = 1; i < rows; ++i) sum = sa_add_mul(sum, row[i], v[i]);
                    sum = sa_add_mul(sa_zero(), sum, tau);
                    row[0] = row[0] - sum;
                    for (int i = 1; i < rows; ++i) row[i] = sa_sub_mul_conj(row[i], sum, v[i]);
                }
            }
        }
        sa_wait();
    }
}

// The Hessenberg form to blocks of one and two rows on the diagonal; whether they were reached.
SA_DEVICE bool sa_eig_steps(const sa_group &g, int n, bool vectors)
{
    const int limit = 30 * n;
    unsigned *coupled = g.marks, *begins = g.others;
    int last = -1, since = 0;
    for (int step = 0;; ++step) {
        SA_EACH(k, 0, n) {
            coupled[k] = k > 0 && sa_eig_couples(g, k);
            if (k > 0 && !coupled[k]) A(k, k - 1) = sa_zero();
        }
        sa_wait();
        int bottom = n - 1;
        while (bottom > 1 && !(coupled[bottom] && coupled[bottom - 1])) --bottom;
        const bool active = bottom > 1;
        int top = bottom;
        while (active && coupled[top]) --top;
        if (step == limit) return !active;
        if (!sa_any(active)) return true;
        SA_T x = sa_zero(), y = x, w = x, head[3] = {x, x, x};
        if (active) {
            x = A(bottom, bottom), y = A(bottom - 1, bottom - 1);
            w = sa_add_mul(sa_zero(), A(bottom, bottom - 1), A(bottom - 1, bottom));
            since = bottom == last ? since + 1 : 0, last = bottom;
            if (since == 10) {
                // Where ten steps have not split anything off, other shifts.
                const sa_real edge = sa_size(A(bottom, bottom - 1)) + sa_size(A(bottom - 1, bottom - 2));
                x = x + sa_of((sa_real)0.75 * edge, 0), y = x, w = sa_of(edge * edge * (sa_real)-0.4375, 0);
                since = 0;
            }
            SA_EACH(m, top, bottom - 1) {
                sa_eig_head(g, m, x, y, w, head);
                begins[m] = m == top || sa_eig_begins(g, m, head);
            }
        }
        sa_wait();
        int start = bottom - 2;
        if (active) {
            while (!begins[start]) --start;
            sa_eig_head(g, start, x, y, w, head);
        }
        sa_wait();
        sa_eig_step(g, n, active, vectors, top, start, bottom, head);
    }
}

// The Schur form of a matrix of two rows (a, b, c, d), and the rotation (c, s; -conj(s), c) that makes it. A real one with complex
// eigenvalues gets equal elements on its diagonal and others of opposite signs (Bai and Demmel, Linear Algebra Appl. 186, 1993).
SA_DEVICE void sa_standard(sa_real (&x)[4], sa_real &cosine, sa_real &sine)
{
    const sa_real a = x[0], b = x[1], c = x[2], d = x[3];
    cosine = 1, sine = 0;
    if (c == 0) return;
    if (b == 0) {
        x[0] = d, x[1] = -c, x[2] = 0, x[3] = a;
        cosine = 0, sine = 1;
        return;
    }
    const bool opposite = (b > 0) != (c > 0);
    if (a == d && opposite) return;
    const sa_real p = (a - d) / 2, size_b = sa_magnitude(b), size_c = sa_magnitude(c);
    const sa_real most = size_b > size_c ? size_b : size_c, least = (size_b > size_c ? size_c : size_b) * (opposite ? -1 : 1);
    const sa_real scale = sa_magnitude(p) > most ? sa_magnitude(p) : most, square = p / scale * p + most / scale * least;
    if (square >= 4 * sa_spacing(sa_real()) * scale) {
        const sa_real z = p + sa_sign_of(sa_root(scale) * sa_root(square), p), length = sa_length(c, z);
        x[0] = d + z, x[1] = b - c, x[2] = 0, x[3] = d - most / z * least;
        cosine = z / length, sine = c / length;
        return;
    }
    // Complex eigenvalues, or nearly equal ones: equal elements on the diagonal.
    const sa_real sum = b + c, length = sa_length(sum, a - d);
    cosine = sa_root((1 + sa_magnitude(sum) / length) / 2);
    sine = -(p / (length * cosine)) * sa_sign_of((sa_real)1, sum);
    const sa_real aa = a * cosine + b * sine, bb = b * cosine - a * sine, cc = c * cosine + d * sine, dd = d * cosine - c * sine;
    const sa_real up = bb * cosine + dd * sine, low = cc * cosine - aa * sine;
    const sa_real middle = ((aa * cosine + cc * sine) + (dd * cosine - bb * sine)) / 2;
    x[0] = x[3] = middle, x[1] = up, x[2] = low;
    if (low == 0) return;
    if (up == 0) {
        const sa_real turned = cosine;
        x[1] = -low, x[2] = 0;
        cosine = -sine, sine = turned;
        return;
    }
    if ((up > 0) != (low > 0)) return;
    const sa_real root_up = sa_root(sa_magnitude(up)), root_low = sa_root(sa_magnitude(low));
    const sa_real gap = sa_sign_of(root_up * root_low, low), factor = 1 / sa_root(sa_magnitude(up + low));
    const sa_real c1 = root_up * factor, s1 = root_low * factor, c0 = cosine;
    x[0] = middle + gap, x[1] = up - low, x[2] = 0, x[3] = middle - gap;
    cosine = c0 * c1 - sine * s1, sine = c0 * s1 + sine * c1;
}

SA_DEVICE void sa_standard(sa_pair (&x)[4], sa_real &cosine, sa_pair &sine)
{
    sa_real largest = 0;
    for (int i = 0; i < 4; ++i) largest = sa_size(x[i]) > largest ? sa_size(x[i]) : largest;
    const sa_real scale = sa_power_below(largest);
    const sa_pair a = sa_scaled(x[0], 1 / scale), b = sa_scaled(x[1], 1 / scale), c = sa_scaled(x[2], 1 / scale), d = sa_scaled(x[3], 1 / scale);
    const sa_pair p = sa_scaled(a - d, (sa_real)0.5), root = sa_root(p * p + b * c);
    const sa_pair z = (sa_conj(p) * root).re < 0 ? p - root : p + root;
    // The eigenvector (z, c) of d + z, turned to a real first element.
    const sa_real first = sa_length(z.re, z.im), length = sa_length(first, sa_length(c.re, c.im));
    const sa_pair phase = first > 0 ? sa_scaled(z, 1 / first) : sa_wide(1);
    cosine = first / length, sine = sa_conj(sa_scaled(c * sa_conj(phase), 1 / length));
    const sa_pair left = sa_scaled(a, cosine) + sine * c, right = sa_scaled(b, cosine) + sine * d;
    x[0] = sa_scaled(d + z, scale), x[1] = sa_scaled(sa_scaled(right, cosine) - sine * left, scale), x[2] = sa_wide(0);
    x[3] = sa_scaled(first > 0 ? d - sa_div(b * c, z) : a, scale);
}

// Makes the blocks of two rows triangular, or for real ones with complex eigenvalues the elements of their diagonals equal; the
// eigenvalues to w, where it is there.
SA_DEVICE void sa_eig_standardize(const sa_group &g, int n, bool vectors, sa_pair *w)
{
    if (w)
        SA_EACH(i, 0, n) w[i] = sa_wide(A(i, i));
    sa_wait();
    for (int k = 1; k < n; ++k) {
        const bool split = !sa_is_zero(A(k, k - 1));
        if (!sa_any(split)) continue;
        SA_T x[4] = {A(k - 1, k - 1), A(k - 1, k), A(k, k - 1), A(k, k)}, s = sa_zero();
        sa_real c = 1;
        if (split) sa_standard(x, c, s);
        sa_wait();
        if (split) {
            SA_EACH(j, k + 1, n) {
                const SA_T u = A(k - 1, j), v = A(k, j);
                A(k - 1, j) = sa_add_mul(sa_scaled(u, c), s, v), A(k, j) = sa_sub_mul_conj(sa_scaled(v, c), u, s);
            }
            for (int of_z = 0; of_z <= vectors; ++of_z)
                SA_EACH(i, 0, of_z ? n : k - 1) {
                    SA_T *row = (of_z ? g.b : g.a) + i * SA_LD + k - 1;
                    const SA_T u = row[0], v = row[1];
                    row[0] = sa_scaled(u, c) - sa_sub_mul_conj(sa_zero(), v, s), row[1] = sa_sub_mul(sa_scaled(v, c), s, u);
                }
            if (g.thread == 0) {
                A(k - 1, k - 1) = x[0], A(k - 1, k) = x[1], A(k, k - 1) = x[2], A(k, k) = x[3];
                if (w) {
                    w[k - 1] = sa_wide(x[0]), w[k] = sa_wide(x[3]);
                    if (!sa_is_zero(x[2])) {
                        w[k - 1].im = sa_root(sa_size(x[1])) * sa_root(sa_size(x[2]));
                        w[k].im = -w[k - 1].im;
                    }
                }
            }
        }
        sa_wait();
    }
}

// a to its Hessenberg form or, with SA_SCHUR, its Schur form in x, and to the unitary factor in y.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_similarity)
SA_KERNEL(sa_similarity, sa_linalg)
{
    SA_EACH_ITEM(p) {
        const sa_group g = SA_ENTER(p);
        const int n = (int)p.n;
        bool finite, converged = true;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        const sa_real back = sa_eig_scale(g, n, finite);
        sa_eig_hessenberg(g, n, true);
        if (p.flags & SA_SCHUR) {
            converged = sa_eig_steps(g, n, true);
            sa_eig_standardize(g, n, true, 0);
        }
        SA_EACH(j, 0, n)
            for (int i = 0; i < n; ++i) A(i, j) = sa_scaled(A(i, j), back);
        sa_write(g.a, g, p.x, g.at[1], n, n, 0, !converged || !finite);
        sa_write(g.b, g, p.y, g.at[2], n, n, 0, !converged || !finite);
        if (g.stores && g.thread == 0) p.info[g.item] = !converged;
        sa_wait();
    }
}
#endif

// What is for parts of warps alone.
#if SA_G <= 32

// The order of rows and columns that makes as much as possible of the matrix triangular: all but what lies in these places, from the
// first up to the second.
SA_DEVICE void sa_eig_order(const sa_group &g, int n, int (&rest)[2])
{
    const int t = g.thread;
    unsigned row = 0, column = 0;
    if (t < n)
        for (int j = 0; j < n; ++j)
            if (j != t) row |= (unsigned)!sa_is_zero(A(t, j)) << j, column |= (unsigned)!sa_is_zero(A(j, t)) << j;
    g.marks[t] = row, g.others[t] = column, g.order[t] = t;
    __syncwarp();
    if (t == 0) {
        int low = 0, high = n;
        unsigned left = 0xffffffffu >> (32 - n);
        for (int pass = 0; pass < 2; ++pass)
            for (int at = high - 1; at >= low;) {
                const unsigned i = g.order[at];
                if ((pass ? g.others[i] : g.marks[i]) & left) {
                    --at;
                    continue;
                }
                const int end = pass ? low++ : --high;
                g.order[at] = g.order[end], g.order[end] = i;
                left &= ~(1u << i);
                at = high - 1;
            }
        rest[0] = low, rest[1] = high;
    }
    __syncwarp();
    if (t < n)
        for (int i = 0; i < n; ++i) B(i, t) = A(g.order[i], g.order[t]);
    __syncwarp();
    if (t < n)
        for (int i = 0; i < n; ++i) A(i, t) = B(i, t);
    __syncwarp();
}

// The norm of column or row i between these rows and columns.
SA_DEVICE sa_real sa_eig_norm(const sa_group &g, int i, int low, int high, bool column)
{
    sa_real largest = 0, sum = 0;
    for (int j = low; j < high; ++j) {
        const sa_real size = sa_size(column ? A(j, i) : A(i, j));
        if (size > largest) largest = size;
    }
    if (!(largest > sa_tiny(sa_real()))) return 0;
    const sa_real inverse = 1 / sa_power_below(largest);
    for (int j = low; j < high; ++j) sum += sa_square(sa_scaled(column ? A(j, i) : A(i, j), inverse));
    return sa_root(sum) / inverse;
}

// Makes rows and columns similar in size by powers of two, which multiplied the columns and stay in `row`. They are measured by the
// Euclidean norm and with the diagonal, else some matrices lose digits (James, Langou and Lowery, arXiv:1401.5766).
SA_DEVICE void sa_eig_balance(const sa_group &g, int n, int low, int high)
{
    const int t = g.thread;
    const sa_real least = sa_spacing(sa_real()), most = 1 / least;
    g.row[t] = 1;
    __syncwarp();
    for (int pass = 0; pass < 10; ++pass) {
        bool changed = false;
        for (int s = 0; s < n; ++s) {
            // Groups of a warp go along where they have fewer rows.
            const int i = low + s < high ? low + s : low;
            const sa_real column = sa_eig_norm(g, i, low, high, true), row = sa_eig_norm(g, i, low, high, false);
            const bool both = column > 0 && row > 0;
            sa_real ratio = both ? row / column : 1;
            ratio = ratio > least ? ratio : least;
            ratio = ratio < most ? ratio : most;
            const sa_real f = sa_power_below((sa_real)1.4142135623730951 * sa_root(ratio)), total = g.row[i] * f;
            const sa_real gain = (column + row) * (sa_real)0.95 - (column * f + row / f);
            const bool applies = low + s < high && both && gain > 0 && total > least && total < most;
            __syncwarp();
            if (applies && t < n) A(t, i) = sa_scaled(A(t, i), f), A(i, t) = sa_scaled(A(i, t), 1 / f);
            if (applies && t == i) g.row[i] = total;
            changed |= applies;
            __syncwarp();
        }
        if (!__any_sync(0xffffffffu, changed)) break;
    }
}

SA_DEVICE sa_pair sa_at_least(sa_pair d, sa_real least) { return least > sa_size(d) ? sa_wide(least) : d; }

// Elements i + 1 to `last` of an eigenvector, and right-hand sides, are scaled down where the quotient would be too large:
// nearly repeated eigenvalues make large elements, and the vector's length is free.
SA_DEVICE void sa_eig_shrink(sa_pair &right, sa_pair divisor, sa_pair *x, int i, int last, sa_pair &other)
{
    const sa_real size = sa_size(right);
    if (size > sa_size(divisor) / sa_root(sa_tiny(sa_real()))) {
        const sa_real factor = 1 / size;
        for (int k = i + 1; k <= last; ++k) x[k] = sa_scaled(x[k], factor);
        right = sa_scaled(right, factor), other = sa_scaled(other, factor);
    }
}

// The part of a row of the Schur form that is known already, on the other side.
SA_DEVICE sa_pair sa_eig_right(const sa_group &g, int i, int from, int last, const sa_pair *x)
{
    sa_pair sum = {0, 0};
    for (int k = from; k <= last; ++k) sum = sa_sub_mul(sum, sa_wide(A(i, k)), x[k]);
    return sum;
}

// The eigenvector of an eigenvalue of this thread by substitution in the Schur form; of a pair of complex ones of a real matrix
// the second is the first's conjugate.
SA_DEVICE void sa_eig_vector(const sa_group &g, int n, const sa_pair *w, sa_pair *v)
{
    const int t = g.thread;
    const bool first = t + 1 < n && !sa_is_zero(A(t + 1, t)), second = t > 0 && !sa_is_zero(A(t, t - 1));
    const int e = second ? t - 1 : t, last = first || second ? e + 1 : e;
    const sa_pair value = w[e];
    const sa_real spacing = sa_spacing(sa_real()) * sa_size(value), root = sa_root(sa_tiny(sa_real()));
    const sa_real least = spacing > root ? spacing : root;
    sa_pair x[SA_G], none = {0, 0};
    x[e] = sa_wide(1);
    if (last > e) {
        // From the larger element off the diagonal.
        const sa_real up = sa_re(A(e, e + 1)), low = sa_re(A(e + 1, e));
        if (sa_magnitude(up) > sa_magnitude(low)) x[e + 1] = {0, value.im / up};
        else x[e] = sa_wide(-(value.im / low)), x[e + 1] = {0, 1};
    }
    for (int i = e - 1; i >= 0; --i) {
        sa_pair right = sa_eig_right(g, i, i + 1, last, x);
        const sa_pair apart = sa_wide(A(i, i)) - value;
        if (i == 0 || sa_is_zero(A(i, i - 1))) {
            const sa_pair gap = sa_at_least(apart, least);
            sa_eig_shrink(right, gap, x, i, last, none);
            x[i] = sa_div(right, gap);
            continue;
        }
        // A block with equal elements on the diagonal: Cramer's rule, and the determinant from its eigenvalues.
        const sa_pair b = sa_wide(A(i - 1, i)), c = sa_wide(A(i, i - 1));
        const sa_real product = -(b.re * c.re), size = sa_root(product > 0 ? product : 0);
        const sa_pair det0 = sa_at_least({apart.re, apart.im + size}, least), det1 = sa_at_least({apart.re, apart.im - size}, least);
        sa_pair above = sa_eig_right(g, i - 1, i + 1, last, x);
        sa_pair top = sa_div(sa_sub_mul(sa_add_mul(none, above, apart), b, right), det0);
        sa_pair low = sa_div(sa_sub_mul(sa_add_mul(none, right, apart), c, above), det0);
        sa_eig_shrink(low, det1, x, i, last, top);
        sa_eig_shrink(top, det1, x, i, last, low);
        x[i] = sa_div(low, det1), x[i - 1] = sa_div(top, det1);
        // Both divisors are conjugate then, and the vector is real.
        if (value.im == 0) x[i].im = x[i - 1].im = 0;
        --i;
    }
    sa_real largest = 0;
    for (int i = 0; i < n; ++i) {
        sa_pair sum = {0, 0};
        for (int k = 0; k <= last; ++k) sum = sa_add_mul(sum, sa_wide(B(i, k)), x[k]);
        v[i] = sa_scaled(sum, g.row[i]);
        if (sa_size(v[i]) > largest) largest = sa_size(v[i]);
    }
    // Norm 1; the largest element of a complex one becomes real.
    sa_real sum = 0, best = 0;
    int place = 0;
    for (int i = 0; i < n; ++i) {
        v[i] = sa_scaled(v[i], 1 / (largest > 0 ? largest : 1));
        const sa_real square = sa_square(v[i]);
        sum += square;
        if (square > best) best = square, place = i;
    }
    const bool turned = sa_traits<SA_T>::kind == 3 || value.im != 0;
    const sa_real size = sa_root(best), length = 1 / sa_root(sum);
    const sa_pair phase = turned ? sa_scaled(sa_conj(v[place]), 1 / (size > 0 ? size : 1)) : sa_wide(1);
    for (int i = 0; i < n; ++i) {
        v[i] = sa_scaled(sa_add_mul(none, v[i], phase), length);
        if (turned && i == place) v[i].im = 0;
        if (second) v[i] = sa_conj(v[i]);
    }
}

// a to its eigenvalues, complex numbers in the values, and, where x is there, its eigenvectors of norm 1, also complex.
#if !defined(SA_ONLY) || defined(SA_ONLY_sa_eig)
SA_KERNEL(sa_eig, sa_linalg)
{
    SA_SHARED int shared_rest[SA_GROUPS][2];
    SA_SHARED sa_pair shared_w[SA_GROUPS * SA_G];
    SA_EACH_ITEM(p) {
        const sa_group g = SA_ENTER(p);
        const int n = (int)p.n, t = g.thread, slot = threadIdx.x / SA_G;
        const bool vectors = p.x.data != 0;
        int (&rest)[2] = shared_rest[slot];
        sa_pair *w = shared_w + slot * SA_G;
        sa_read(g.a, g, p.a, g.at[0], n, n, 0, false);
        bool finite;
        const sa_real back = sa_eig_scale(g, n, finite);
        sa_eig_order(g, n, rest);
        sa_eig_balance(g, n, rest[0], rest[1]);
        sa_eig_hessenberg(g, n, vectors);
        const bool converged = sa_eig_steps(g, n, vectors), failed = !converged || !finite;
        sa_eig_standardize(g, n, vectors, w);
        const sa_pair bad = {sa_nan_real(), sa_nan_real()};
        if (g.stores && t < n) {
            ((sa_pair *)p.values)[g.item * n + t] = failed ? bad : sa_scaled(w[t], back);
            if (vectors) {
                sa_pair v[SA_G];
                sa_eig_vector(g, n, w, v);
                for (int i = 0; i < n; ++i)
                    ((sa_pair *)p.x.data)[g.at[1] + g.order[i] * p.x.row + t * p.x.column] = failed ? bad : v[i];
            }
        }
        if (g.stores && t == 0) p.info[g.item] = !converged;
        __syncwarp();
    }
}
#endif
#endif
