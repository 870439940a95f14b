// Fourier transforms of lines: forward, by Stockham's passes in shared memory, several short lines per block. Inverse ones exchange
// real and imaginary parts before and after. Long lines are two transforms, of columns and of rows, with a turn between them
// (D. Bailey, J. Supercomputing 4, 1990); lengths with large prime factors are convolutions with a chirp (L. Bluestein, IEEE
// Trans. Audio Electroacoust. 18, 1970), whose factors are tables here.
//
// Define: SA_T is float or double.

typedef sa_complex<SA_T> sa_number;

enum {
    // Of the longest line, in two buffers of together 32 KiB.
    SA_MOST = 16384 / sizeof(sa_number),
    SA_THREADS = 256,
    SA_REAL_X = 1,     // the input is real
    SA_HALF_X = 2,     // the input is the first half of the spectrum of a real signal
    SA_REAL_Y = 4,     // the real part of the result is kept
    SA_HALF_Y = 8,     // the result is the spectrum of a real signal
    SA_MIRROR_Y = 16,  // both halves of it are stored
    SA_CONJ_Y = 32,
    // Real and imaginary parts exchanged: of the input, before the result's factors, after them.
    SA_SWAP_X = 64,
    SA_SWAP_Y = 128,
    SA_SWAP_END = 256,
    // Threads next to each other take lines rather than elements next to each other.
    SA_ACROSS_X = 512,
    SA_ACROSS_Y = 1024,
    // A line of real numbers is half as many complex ones, each a pair of neighbours; `before` or `after` is exp(-2 pi i k / n).
    SA_PAIRS = 2048
};

struct sa_fft {
    const void *x;
    void *y;
    // exp(-2 pi i k / length) for k < length; factors of the input and of the result, or none.
    const sa_number *roots, *before, *after;
    // Of a column, exp(-2 pi i k / size) for k < 2^shift and for its multiples: result k is turned by k times the column's place.
    const sa_c128 *fine, *coarse;
    double scale;
    // `radices` has four bits per pass, the first one lowest. `n` is the length of the whole transform.
    sa_i64 length, radices, n, n_lines, shift, flags;
    // Along a line: strides of input and result, and of their places in the whole transform. Of these, places of the input from
    // `j_count` on are 0 (from `x_count` on, too, with the input's factors), and those of the result from `y_count` on are dropped.
    sa_i64 x_step, y_step, j_step, k_step, j_count, x_count, y_count;
    // Strides from a place of the whole transform to the next one.
    sa_i64 x_next, y_next;
    // Input, result, and their places in the whole transform.
    sa_layout<4> lines;
};

SA_DEVICE sa_number sa_swapped(sa_number z, bool swaps) { return swaps ? sa_number{z.im, z.re} : z; }
// -i z
SA_DEVICE sa_number sa_turned(sa_number z) { return {z.im, -z.re}; }
SA_DEVICE sa_number sa_times(sa_number z, SA_T r) { return {z.re * r, z.im * r}; }

SA_DEVICE sa_number sa_conjugate(sa_number z) { return {z.re, -z.im}; }

// The input at a place of the whole transform.
SA_DEVICE sa_number sa_fft_input(const sa_fft &p, sa_i64 source, sa_i64 place)
{
    sa_number z = {0, 0};
    if (place < p.x_count) {
        if (p.flags & SA_REAL_X) z.re = ((const SA_T *)p.x)[source];
        else z = ((const sa_number *)p.x)[source];
    }
    // No real signal has an imaginary part there.
    if (p.flags & SA_HALF_X && (place == 0 || 2 * place == p.n)) z.im = 0;
    return z;
}

SA_DEVICE sa_number sa_fft_load_pair(const sa_fft &p, const sa_i64 (&at)[4], sa_i64 i)
{
    const bool real = p.flags & SA_REAL_X;
    const sa_i64 first = real ? 2 * i : i, second = real ? 2 * i + 1 : p.length - i;
    const sa_number a = sa_fft_input(p, at[0] + first * p.x_next, first);
    const sa_number b = sa_conjugate(sa_fft_input(p, at[0] + second * p.x_next, second));
    if (real) return {a.re, b.re};
    // The spectrum of the neighbours with even places, and of those with odd ones.
    const sa_number even = a + b, odd = (a - b) * sa_conjugate(p.before[i]);
    return sa_swapped({even.re - odd.im, even.im + odd.re}, p.flags & SA_SWAP_X);
}

SA_DEVICE sa_number sa_fft_load(const sa_fft &p, const sa_i64 (&at)[4], sa_i64 i)
{
    if (p.flags & SA_PAIRS) return sa_fft_load_pair(p, at, i);
    const sa_i64 j = at[2] + i * p.j_step;
    if (j >= p.j_count) return {0, 0};
    const bool mirrored = p.flags & SA_HALF_X && 2 * j > p.n;
    const sa_i64 place = mirrored ? p.n - j : j;
    sa_number z = sa_fft_input(p, at[0] + i * p.x_step + (place - j) * p.x_next, place);
    if (mirrored) z.im = -z.im;
    z = sa_swapped(z, p.flags & SA_SWAP_X);
    return p.before ? z * p.before[j] : z;
}

// Number k of the spectrum of a line of reals, from that of its pairs.
SA_DEVICE sa_number sa_fft_split(const sa_fft &p, const sa_number *pairs, int k)
{
    const int n = (int)p.length;
    const sa_number a = pairs[k < n ? k : 0], b = sa_conjugate(pairs[k ? n - k : 0]);
    return sa_times(a + b + sa_turned(a - b) * p.after[k], (SA_T)0.5);
}

SA_DEVICE void sa_fft_store(const sa_fft &p, const sa_i64 (&at)[4], sa_i64 i, sa_number z)
{
    const sa_i64 k = at[3] + i * p.k_step, target = at[1] + i * p.y_step;
    if (k >= p.y_count) return;
    z = sa_swapped(z, p.flags & SA_SWAP_Y);
    if (p.fine) {
        const sa_i64 turn = at[2] * i;
        const sa_c128 w = p.coarse[turn >> p.shift] * p.fine[turn & ((1LL << p.shift) - 1)];
        z = z * sa_number{(SA_T)w.re, (SA_T)w.im};
    }
    if (p.after && !(p.flags & SA_PAIRS)) z = z * p.after[k];
    z = sa_swapped(sa_times(z, (SA_T)p.scale), p.flags & SA_SWAP_END);
    if (p.flags & SA_REAL_Y) {
        SA_T *y = (SA_T *)p.y + target;
        if (p.flags & SA_PAIRS) y += i * p.y_step, y[p.y_step] = z.im;
        *y = z.re;
        return;
    }
    if (p.flags & SA_HALF_Y && (k == 0 || 2 * k == p.n)) z.im = 0;
    if (p.flags & SA_CONJ_Y) z.im = -z.im;
    ((sa_number *)p.y)[target] = z;
    if (p.flags & SA_MIRROR_Y && k > 0 && 2 * k < p.n) ((sa_number *)p.y)[target + (p.n - 2 * k) * p.y_next] = {z.re, -z.im};
}

// The transforms of a few numbers, in place.
SA_DEVICE void sa_butterfly(sa_number (&z)[2])
{
    const sa_number a = z[0];
    z[0] = a + z[1], z[1] = a - z[1];
}
SA_DEVICE void sa_butterfly(sa_number (&z)[3])
{
    const sa_number sum = z[1] + z[2], middle = z[0] - sa_times(sum, (SA_T)0.5);
    const sa_number side = sa_turned(sa_times(z[1] - z[2], (SA_T)0.86602540378443864676));
    z[0] = z[0] + sum, z[1] = middle + side, z[2] = middle - side;
}
SA_DEVICE void sa_butterfly(sa_number (&z)[4])
{
    const sa_number a = z[0] + z[2], b = z[0] - z[2], c = z[1] + z[3], d = sa_turned(z[1] - z[3]);
    z[0] = a + c, z[1] = b + d, z[2] = a - c, z[3] = b - d;
}
SA_DEVICE void sa_butterfly(sa_number (&z)[5])
{
    // Cosines and sines of 2 pi / 5 and 4 pi / 5.
    const SA_T c1 = (SA_T)0.30901699437494742410, c2 = (SA_T)-0.80901699437494742410;
    const SA_T s1 = (SA_T)0.95105651629515357212, s2 = (SA_T)0.58778525229247312917;
    const sa_number a = z[1] + z[4], b = z[2] + z[3], c = z[1] - z[4], d = z[2] - z[3];
    const sa_number near = z[0] + sa_times(a, c1) + sa_times(b, c2), far = z[0] + sa_times(a, c2) + sa_times(b, c1);
    const sa_number u = sa_turned(sa_times(c, s1) + sa_times(d, s2)), v = sa_turned(sa_times(c, s2) - sa_times(d, s1));
    z[0] = z[0] + a + b, z[1] = near + u, z[2] = far + v, z[3] = far - v, z[4] = near - u;
}

// One pass over the lines of a block, after passes whose radices have the product `done`.
template <int R> SA_DEVICE void sa_fft_pass(const sa_fft &p, const sa_number *from, sa_number *to, int count, int done)
{
    const int n = (int)p.length, m = n / R;
    for (int e = threadIdx.x; e < count * m; e += SA_THREADS) {
        const int line = e / m * n, j = e % m, k = j % done, root = k * (m / done);
        sa_number z[R];
        for (int i = 0; i < R; ++i) z[i] = from[line + j + i * m];
        for (int i = 1; i < R; ++i) z[i] = z[i] * p.roots[i * root];
        sa_butterfly(z);
        for (int i = 0; i < R; ++i) to[line + (j - k) * R + k + i * done] = z[i];
    }
}

// As above, of any radix: a thread per result.
SA_DEVICE void sa_fft_any_pass(const sa_fft &p, const sa_number *from, sa_number *to, int count, int done, int radix)
{
    const int n = (int)p.length, m = n / radix;
    for (int e = threadIdx.x; e < count * n; e += SA_THREADS) {
        const int line = e / n * n, i = e % n / m, j = e % m, k = j % done, root = k * (m / done) + i * m;
        sa_number sum = from[line + j];
        for (int s = 1; s < radix; ++s) sum = sum + from[line + j + s * m] * p.roots[s * root % n];
        to[line + (j - k) * radix + k + i * done] = sum;
    }
}

SA_KERNEL(sa_fft_lines, sa_fft)
{
    SA_SHARED sa_number buffers[2][SA_MOST];
    const int n = (int)p.length, together = SA_MOST / n;
    for (sa_i64 first = (sa_i64)blockIdx.x * together; first < p.n_lines; first += (sa_i64)gridDim.x * together) {
        const int count = (int)sa_min(together, p.n_lines - first);
        for (int e = threadIdx.x; e < count * n; e += SA_THREADS) {
            const int line = p.flags & SA_ACROSS_X ? e % count : e / n, i = p.flags & SA_ACROSS_X ? e / count : e % n;
            sa_i64 at[4];
            sa_offsets(p.lines, first + line, at);
            buffers[0][line * n + i] = sa_fft_load(p, at, i);
        }
        __syncthreads();
        int now = 0, done = 1;
        for (sa_i64 radices = p.radices; radices; radices >>= 4) {
            const int radix = (int)(radices & 15);
            const sa_number *from = buffers[now];
            sa_number *to = buffers[1 - now];
            if (radix == 2) sa_fft_pass<2>(p, from, to, count, done);
            else if (radix == 3) sa_fft_pass<3>(p, from, to, count, done);
            else if (radix == 4) sa_fft_pass<4>(p, from, to, count, done);
            else if (radix == 5) sa_fft_pass<5>(p, from, to, count, done);
            else sa_fft_any_pass(p, from, to, count, done, radix);
            now = 1 - now, done *= radix;
            __syncthreads();
        }
        const bool splits = p.flags & SA_PAIRS && p.flags & SA_REAL_X;
        const int results = splits ? n + 1 : n;
        for (int e = threadIdx.x; e < count * results; e += SA_THREADS) {
            const int line = p.flags & SA_ACROSS_Y ? e % count : e / results, i = p.flags & SA_ACROSS_Y ? e / count : e % results;
            sa_i64 at[4];
            sa_offsets(p.lines, first + line, at);
            const sa_number *z = buffers[now] + line * n;
            sa_fft_store(p, at, i, splits ? sa_fft_split(p, z, i) : z[i]);
        }
        __syncthreads();
    }
}
