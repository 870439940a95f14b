// Systems with banded matrices of any size: the elimination of `rust/kernels/src/linalg/banded.rs`, a warp per item. What stands
// before this text is in linalg.h.

struct sa_banded {
    // Element (i, j) is element (upper + i - j, j) of `ab`.
    sa_matrix ab, b, x;
    // Per item, row i has columns i - lower to i + upper + lower, where exchanges of rows lead to.
    SA_T *band;
    sa_i64 *info;
    sa_i64 lower, upper, n, columns, items;
    sa_layout<3> batch;
};

SA_KERNEL(sa_solve_banded, sa_banded)
{
    const sa_i64 n = p.n, lower = p.lower, upper = p.upper, width = 2 * lower + upper + 1, t = threadIdx.x, step = 32;
    for (sa_i64 item = blockIdx.x; item < p.items; item += gridDim.x) {
        sa_i64 at[3], failed = 0;
        sa_offsets(p.batch, item, at);
        SA_T *band = p.band + item * n * width, *x = p.x.data + at[2];
#define BAND(i, j) band[(i) * width + (j) + lower - (i)]
#define X(i, c) x[(i) * p.x.row + (c) * p.x.column]
        for (sa_i64 e = t; e < n * width; e += step) {
            const sa_i64 i = e / width, j = e % width + i - lower;
            const bool inside = j >= 0 && j < n && j <= i + upper;
            band[e] = inside ? p.ab.data[at[0] + (upper + i - j) * p.ab.row + j * p.ab.column] : sa_zero();
        }
        for (sa_i64 e = t; e < n * p.columns; e += step)
            X(e / p.columns, e % p.columns) = p.b.data[at[1] + e / p.columns * p.b.row + e % p.columns * p.b.column];
        __syncwarp();
        for (sa_i64 k = 0; k < n; ++k) {
            const sa_i64 rows = sa_min(k + lower + 1, n), columns = sa_min(k + upper + lower + 1, n);
            sa_i64 pivot = k;
            sa_real best = sa_size(BAND(k, k));
            for (sa_i64 i = k + 1; i < rows; ++i)
                if (sa_size(BAND(i, k)) > best) best = sa_size(BAND(i, k)), pivot = i;
            __syncwarp();
            if (pivot != k) {
                for (sa_i64 j = k + t; j < columns; j += step) {
                    const SA_T y = BAND(k, j);
                    BAND(k, j) = BAND(pivot, j), BAND(pivot, j) = y;
                }
                for (sa_i64 c = t; c < p.columns; c += step) {
                    const SA_T y = X(k, c);
                    X(k, c) = X(pivot, c), X(pivot, c) = y;
                }
            }
            __syncwarp();
            const SA_T divisor = BAND(k, k);
            if (sa_is_zero(divisor)) {
                failed = k + 1;
                break;
            }
            const sa_i64 across = columns - k - 1, all = across + p.columns;
            for (sa_i64 e = t; e < (rows - k - 1) * all; e += step) {
                const sa_i64 i = k + 1 + e / all, j = e % all;
                const SA_T factor = sa_div(BAND(i, k), divisor);
                if (sa_is_zero(factor)) continue;
                if (j < across) BAND(i, k + 1 + j) = sa_sub_mul(BAND(i, k + 1 + j), factor, BAND(k, k + 1 + j));
                else X(i, j - across) = sa_sub_mul(X(i, j - across), factor, X(k, j - across));
            }
            __syncwarp();
        }
        for (sa_i64 c = t; c < p.columns; c += step)
            for (sa_i64 k = n - 1; k >= 0; --k) {
                SA_T known = sa_zero();
                for (sa_i64 j = k + 1; j < sa_min(k + upper + lower + 1, n); ++j) known = sa_add_mul(known, BAND(k, j), X(j, c));
                X(k, c) = failed ? sa_nan() : sa_div(X(k, c) - known, BAND(k, k));
            }
        if (t == 0) p.info[item] = failed;
        __syncwarp();
#undef BAND
#undef X
    }
}
