// Products of matrices of any strides: tiles of 16 x 16 elements pass through shared memory, a thread per element of the result,
// whose terms are added in their order.
//
// Define: SA_T is the element type.

enum { SA_EDGE = 16 };

template <class T, int KIND> struct sa_terms {
    SA_MEMBER T add(T sum, T a, T b) { return sum + a * b; }
};
template <class T> struct sa_terms<T, 0> {
    SA_MEMBER T add(T sum, T a, T b) { return sum | (a & b); }
};
template <class T> struct sa_terms<T, 1> {
    SA_MEMBER T add(T sum, T a, T b) { return sa_int_add(sum, sa_int_multiply(a, b)); }
};
template <> struct sa_terms<float, 2> {
    SA_MEMBER float add(float sum, float a, float b) { return fmaf(a, b, sum); }
};
template <> struct sa_terms<double, 2> {
    SA_MEMBER double add(double sum, double a, double b) { return fma(a, b, sum); }
};

struct sa_matmul {
    const SA_T *a, *b;
    SA_T *y;
    // Rows of a, its columns, columns of b; strides in elements.
    sa_i64 n, k, m, a_row, a_column, b_row, b_column, items;
    sa_layout<3> batch;
};

SA_KERNEL(sa_matmul_tiles, sa_matmul)
{
    SA_SHARED SA_T left[SA_EDGE][SA_EDGE + 1];
    SA_SHARED SA_T right[SA_EDGE][SA_EDGE + 1];
    const sa_i64 down = (p.n + SA_EDGE - 1) / SA_EDGE, across = (p.m + SA_EDGE - 1) / SA_EDGE;
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (sa_i64 item = blockIdx.x; item < p.items * down * across; item += gridDim.x) {
        const sa_i64 row = item / across % down * SA_EDGE + ty, column = item % across * SA_EDGE + tx;
        sa_i64 at[3];
        sa_offsets(p.batch, item / (down * across), at);
        SA_T sum = SA_T();
        for (sa_i64 start = 0; start < p.k; start += SA_EDGE) {
            const sa_i64 i = start + tx, j = start + ty;
            left[ty][tx] = row < p.n && i < p.k ? p.a[at[0] + row * p.a_row + i * p.a_column] : SA_T();
            right[ty][tx] = j < p.k && column < p.m ? p.b[at[1] + j * p.b_row + column * p.b_column] : SA_T();
            __syncthreads();
            const int count = (int)sa_min(SA_EDGE, p.k - start);
            for (int s = 0; s < count; ++s) sum = sa_terms<SA_T, sa_traits<SA_T>::kind>::add(sum, left[ty][s], right[s][tx]);
            __syncthreads();
        }
        if (row < p.n && column < p.m) p.y[at[2] + row * p.m + column] = sum;
    }
}
