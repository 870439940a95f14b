// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) and the variates of `rust/kernels/src/random`, number for number: the
// value of an element is a function of key, position and its index alone. The text needs `sa_negative_log_sum` and
// `sa_sin_cos_reduced`, printed from that place.
//
// Defines: SA_DIST is uniform, exponential, normal or integers; SA_T is a type.

struct sa_block {
    sa_u64 word[2];
};

// The block at `position + offset`, positions counting modulo 2^96.
SA_DEVICE sa_block sa_philox(const sa_u32 *key, const sa_u64 *position, sa_u64 offset, sa_u32 draw)
{
    const sa_u64 low = position[0] + offset;
    const sa_u32 high = (sa_u32)position[1] + (low < offset);
    sa_u32 c0 = (sa_u32)low, c1 = (sa_u32)(low >> 32), c2 = high, c3 = draw, k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round) {
        const sa_u64 p0 = (sa_u64)c0 * 0xD2511F53u, p1 = (sa_u64)c2 * 0xCD9E8D57u;
        c0 = (sa_u32)(p1 >> 32) ^ c1 ^ k0, c1 = (sa_u32)p1;
        c2 = (sa_u32)(p0 >> 32) ^ c3 ^ k1, c3 = (sa_u32)p0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    sa_block b;
    b.word[0] = c0 | (sa_u64)c1 << 32, b.word[1] = c2 | (sa_u64)c3 << 32;
    return b;
}

struct sa_random {
    SA_T *out;
    // Of the integers: both ends belong to the range.
    const SA_T *low, *last;
    sa_u64 position[2];
    sa_u32 key[2];
    sa_i64 n;
    // Low and last, at the output's shape.
    sa_layout<2> layout;
};

// Pairs of elements share a block; element n, if the last pair is half, does not exist.
struct sa_pair_of {
    SA_T value[2];
};

SA_DEVICE double sa_exponential(sa_u64 word)
{
    const double unit = 0x1p-32;
    return sa_negative_log_sum((double)(word >> 32) * unit, ((double)(word & 0xFFFFFFFFu) + 0.5) * (unit * unit));
}

SA_DEVICE float sa_uniform(sa_u64 word, float) { return (float)(word >> 40) * 0x1p-24f; }
SA_DEVICE double sa_uniform(sa_u64 word, double) { return (double)(word >> 11) * 0x1p-53; }

template <class T> SA_DEVICE sa_pair_of sa_draw_uniform(const sa_random &p, sa_i64 pair)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)pair, 0);
    sa_pair_of r;
    for (int k = 0; k < 2; ++k) r.value[k] = sa_uniform(b.word[k], T());
    return r;
}

template <class T> SA_DEVICE sa_pair_of sa_draw_exponential(const sa_random &p, sa_i64 pair)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)pair, 0);
    sa_pair_of r;
    for (int k = 0; k < 2; ++k) r.value[k] = (SA_T)sa_exponential(b.word[k]);
    return r;
}

// Box and Muller; the angle is the nearest quarter turn and a rest.
template <class T> SA_DEVICE sa_pair_of sa_draw_normal(const sa_random &p, sa_i64 pair)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)pair, 0);
    const double radius = sqrt(2.0 * sa_exponential(b.word[0]));
    const sa_u64 shifted = b.word[1] + (1ULL << 61);
    const int quarter = (int)(shifted >> 62);
    const sa_i64 rest = (sa_i64)(shifted & ((1ULL << 62) - 1)) - (1LL << 61);
    double s, c;
    sa_sin_cos_reduced((double)rest * (0x1.921fb54442d18p+0 / 0x1p62), &s, &c);
    const double turned_s = quarter & 1 ? c : s, turned_c = quarter & 1 ? -s : c;
    sa_pair_of r;
    r.value[0] = (SA_T)(radius * (quarter & 2 ? -turned_c : turned_c));
    r.value[1] = (SA_T)(radius * (quarter & 2 ? -turned_s : turned_s));
    return r;
}

template <class T> SA_DEVICE T sa_from_word(sa_u64 word, T) { return (T)word; }
SA_DEVICE bool sa_from_word(sa_u64 word, bool) { return word & 1; }

// Lemire 2019: the upper word of a product; rejected words are replaced by those of the next draws.
template <class T> SA_DEVICE sa_pair_of sa_draw_integers(const sa_random &p, sa_i64 pair)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)pair, 0);
    sa_pair_of r;
    for (int k = 0; k < 2; ++k) {
        if (2 * pair + k >= p.n) break;
        sa_i64 at[2];
        sa_offsets(p.layout, 2 * pair + k, at);
        const sa_u64 low = (sa_u64)p.low[at[0]], span = (sa_u64)p.last[at[1]] - low + 1;
        sa_u64 word = b.word[k];
        if (span != 0) {
            if (word * span < span) {
                const sa_u64 threshold = (0 - span) % span;
                for (sa_u32 draw = 1; word * span < threshold; ++draw)
                    word = sa_philox(p.key, p.position, (sa_u64)pair, draw).word[k];
            }
            word = __umul64hi(word, span);
        }
        r.value[k] = sa_from_word(word + low, T());
    }
    return r;
}

#define SA_JOIN_(a, b) a##b
#define SA_JOIN(a, b) SA_JOIN_(a, b)

SA_KERNEL(sa_random_fill, sa_random)
{
    for (sa_i64 pair = sa_thread(); 2 * pair < p.n; pair += sa_threads()) {
        const sa_pair_of r = SA_JOIN(sa_draw_, SA_DIST)<SA_T>(p, pair);
        p.out[2 * pair] = r.value[0];
        if (2 * pair + 1 < p.n) p.out[2 * pair + 1] = r.value[1];
    }
}
