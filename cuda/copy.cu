// Moving elements of a size: transposition through shared memory, and fills. Other strided copies, and those that convert,
// are programs of no step.
//
// Define: SA_T is a type of the element's size.

struct sa_transpose {
    const SA_T *from;
    SA_T *to;
    // Element (i, j) of an item lies at i * row_from + j, and goes to j * row_to + i.
    sa_i64 rows, columns, row_from, row_to, items;
    sa_layout<2> batch;
};

// Blocks of 32 x 8 threads move tiles of 32 x 32; the column more than that keeps a column of the tile off a single bank.
SA_KERNEL(sa_transpose_tiles, sa_transpose)
{
    SA_SHARED SA_T tile[32][33];
    const sa_i64 down = (p.rows + 31) / 32, across = (p.columns + 31) / 32;
    for (sa_i64 item = blockIdx.x; item < p.items * down * across; item += gridDim.x) {
        const sa_i64 row = item / across % down * 32, column = item % across * 32;
        sa_i64 at[2];
        sa_offsets(p.batch, item / (down * across), at);
        const SA_T *from = p.from + at[0];
        SA_T *to = p.to + at[1];
        const sa_i64 j = column + threadIdx.x, i = row + threadIdx.x;
        for (int k = threadIdx.y; k < 32; k += 8)
            if (row + k < p.rows && j < p.columns) tile[k][threadIdx.x] = from[(row + k) * p.row_from + j];
        __syncthreads();
        for (int k = threadIdx.y; k < 32; k += 8)
            if (column + k < p.columns && i < p.rows) to[(column + k) * p.row_to + i] = tile[threadIdx.x][k];
        __syncthreads();
    }
}

struct sa_fill {
    SA_T *to;
    SA_T value;
    sa_i64 n;
    sa_layout<1> layout;
};

SA_KERNEL(sa_fill_all, sa_fill)
{
    for (sa_i64 i = sa_thread(); i < p.n; i += sa_threads()) {
        sa_i64 at[1];
        sa_offsets(p.layout, i, at);
        p.to[at[0]] = p.value;
    }
}
