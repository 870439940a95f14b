// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) and the variates of `rust/kernels/src/random`, number for number: the
// value of an element is a function of key, position and its index alone. The functions that it calls are printed from there.
//
// Defines: SA_DIST is uniform, exponential, normal, integers, gamma, beta, poisson or binomial; SA_T is a type.

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
    // Parameters. Of the integers: both ends belong to the range, and have their type.
    const void *first, *second;
    sa_u64 position[2];
    sa_u32 key[2];
    sa_i64 n;
    // Those of the parameters, at the output's shape.
    sa_layout<2> layout;
};

SA_DEVICE double sa_exponential(sa_u64 word)
{
    const double unit = 0x1p-32;
    return sa_negative_log_sum((double)(word >> 32) * unit, ((double)(word & 0xFFFFFFFFu) + 0.5) * (unit * unit));
}

SA_DEVICE float sa_uniform(sa_u64 word, float) { return (float)(word >> 40) * 0x1p-24f; }
SA_DEVICE double sa_uniform(sa_u64 word, double) { return (double)(word >> 11) * 0x1p-53; }

// Box and Muller; the angle is the nearest quarter turn and a rest.
SA_DEVICE void sa_normal_pair(sa_block b, double *x, double *y)
{
    const double radius = sqrt(2.0 * sa_exponential(b.word[0]));
    const sa_u64 shifted = b.word[1] + (1ULL << 61);
    const int quarter = (int)(shifted >> 62);
    const sa_i64 rest = (sa_i64)(shifted & ((1ULL << 62) - 1)) - (1LL << 61);
    double s, c;
    sa_sin_cos_reduced((double)rest * (0x1.921fb54442d18p+0 / 0x1p62), &s, &c);
    const double turned_s = quarter & 1 ? c : s, turned_c = quarter & 1 ? -s : c;
    *x = radius * (quarter & 2 ? -turned_c : turned_c);
    *y = radius * (quarter & 2 ? -turned_s : turned_s);
}

// Elements 2i and 2i + 1 share block i; the second, if the last pair is half, does not exist.
SA_DEVICE void sa_store_pair(const sa_random &p, sa_i64 i, SA_T x, SA_T y)
{
    p.out[2 * i] = x;
    if (2 * i + 1 < p.n) p.out[2 * i + 1] = y;
}

template <class T> SA_DEVICE void sa_draw_uniform(const sa_random &p, sa_i64 i)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)i, 0);
    sa_store_pair(p, i, sa_uniform(b.word[0], T()), sa_uniform(b.word[1], T()));
}

template <class T> SA_DEVICE void sa_draw_exponential(const sa_random &p, sa_i64 i)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)i, 0);
    sa_store_pair(p, i, (T)sa_exponential(b.word[0]), (T)sa_exponential(b.word[1]));
}

template <class T> SA_DEVICE void sa_draw_normal(const sa_random &p, sa_i64 i)
{
    double x, y;
    sa_normal_pair(sa_philox(p.key, p.position, (sa_u64)i, 0), &x, &y);
    sa_store_pair(p, i, (T)x, (T)y);
}

template <class T> SA_DEVICE T sa_from_word(sa_u64 word, T) { return (T)word; }
SA_DEVICE bool sa_from_word(sa_u64 word, bool) { return word & 1; }

// Lemire 2019: the upper word of a product; rejected words are replaced by those of the next draws.
template <class T> SA_DEVICE void sa_draw_integers(const sa_random &p, sa_i64 i)
{
    const sa_block b = sa_philox(p.key, p.position, (sa_u64)i, 0);
    for (int k = 0; k < 2 && 2 * i + k < p.n; ++k) {
        sa_i64 at[2];
        sa_offsets(p.layout, 2 * i + k, at);
        const sa_u64 low = (sa_u64)((const T *)p.first)[at[0]], span = (sa_u64)((const T *)p.second)[at[1]] - low + 1;
        sa_u64 word = b.word[k];
        if (span != 0) {
            if (word * span < span) {
                const sa_u64 threshold = (0 - span) % span;
                for (sa_u32 draw = 1; word * span < threshold; ++draw)
                    word = sa_philox(p.key, p.position, (sa_u64)i, draw).word[k];
            }
            word = __umul64hi(word, span);
        }
        p.out[2 * i + k] = sa_from_word(word + low, T());
    }
}

// The words of one element: those of block i, one draw after the other.
struct sa_words {
    const sa_random *p;
    sa_i64 i;
    sa_u32 taken;
    sa_block block;
};

SA_DEVICE sa_words sa_words_of(const sa_random &p, sa_i64 i)
{
    sa_words w;
    w.p = &p, w.i = i, w.taken = 0;
    return w;
}

SA_DEVICE sa_u64 sa_next(sa_words &w)
{
    if (w.taken % 2 == 0) w.block = sa_philox(w.p->key, w.p->position, (sa_u64)w.i, w.taken / 2);
    return w.block.word[w.taken++ % 2];
}

SA_DEVICE double sa_next_uniform(sa_words &w) { return sa_uniform(sa_next(w), 0.0); }

// The variate factor * exp(exponent): a small shape makes the product underflow.
struct sa_scaled {
    double factor, exponent;
};

// Marsaglia and Tsang 2000; a shape below 1 is that of shape + 1 times u^(1 / shape).
SA_DEVICE sa_scaled sa_gamma_variate(sa_words &words, double shape)
{
    const bool boosted = shape < 1.0;
    const double d = (boosted ? shape + 1.0 : shape) - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        sa_block first;
        first.word[0] = sa_next(words), first.word[1] = sa_next(words);
        double x, other;
        sa_normal_pair(first, &x, &other);
        const double u = sa_next_uniform(words), e = sa_exponential(sa_next(words)), t = c * x;
        if (t <= -1.0) continue;
        const double square = x * x;
        if (u < 1.0 - 0.0331 * square * square ||
            sa_log(u) < 0.5 * square + d * (3.0 * sa_log1p(t) - t * (3.0 + t * (3.0 + t)))) {
            sa_scaled r;
            r.factor = d * ((1.0 + t) * (1.0 + t) * (1.0 + t));
            r.exponent = boosted ? -e / shape : 0.0;
            return r;
        }
    }
}

SA_DEVICE double sa_parameter(const void *values, sa_i64 at) { return ((const double *)values)[at]; }

template <class T> SA_DEVICE void sa_draw_gamma(const sa_random &p, sa_i64 i)
{
    sa_i64 at[2];
    sa_offsets(p.layout, i, at);
    const double shape = sa_parameter(p.first, at[0]);
    sa_words words = sa_words_of(p, i);
    const sa_scaled r = sa_gamma_variate(words, shape >= 0.0 ? shape : 0.0 / 0.0);
    p.out[i] = (T)(r.factor * sa_exp(r.exponent));
}

// 1 / (1 + Y / X) of two gamma variates, whose ratio exists where both underflow.
template <class T> SA_DEVICE void sa_draw_beta(const sa_random &p, sa_i64 i)
{
    sa_i64 at[2];
    sa_offsets(p.layout, i, at);
    double a = sa_parameter(p.first, at[0]), b = sa_parameter(p.second, at[1]);
    a = a > 0.0 ? a : 0.0 / 0.0, b = b > 0.0 ? b : 0.0 / 0.0;
    sa_words words = sa_words_of(p, i);
    const sa_scaled x = sa_gamma_variate(words, a), y = sa_gamma_variate(words, b);
    const double lowest = -1.0 / 0.0;
    double ratio = y.factor / x.factor, exponent = y.exponent - x.exponent;
    if (x.exponent == lowest && y.exponent == lowest) {
        // Both exponents overflowed: all the mass is at 0 and 1, in the proportion b to a.
        const double odds = (b < 1.0 ? b : 1.0) / (a < 1.0 ? a : 1.0);
        ratio = sa_next_uniform(words) * (1.0 + odds) < 1.0 ? 0.0 : 1.0 / 0.0, exponent = 0.0;
    }
    p.out[i] = (T)(1.0 / (1.0 + ratio * sa_exp(exponent)));
}

// log(k!) minus Stirling's formula for integers; 0 for 0.
SA_DEVICE double sa_stirling_error(double k)
{
    const double small[16] = {0.0,
                              0.08106146679532726,
                              0.0413406959554093,
                              0.02767792568499834,
                              0.020790672103765093,
                              0.016644691189821193,
                              0.013876128823070748,
                              0.01189670994589177,
                              0.010411265261972096,
                              0.009255462182712733,
                              0.00833056343336287,
                              0.007573675487951841,
                              0.00694284010720953,
                              0.006408994188004207,
                              0.0059513701127588475,
                              0.005554733551962801};
    if (!(k >= 16.0)) return small[k >= 1.0 ? (int)k : 0];
    const double z = 1.0 / (k * k);
    return (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z * (1.0 / 1188.0))))) / k;
}

SA_DEVICE double sa_deviance(double x, double mean)
{
    const double excess = x - mean;
    return x == 0.0 ? mean : x * sa_log1p(excess / mean) - excess;
}

// A probability as exp(exponent) / sqrt(square).
struct sa_probability {
    double exponent, square;
};

SA_DEVICE double sa_stirling_square(double k) { return k == 0.0 ? 1.0 : 6.283185307179586 * k; }

// A law: the probability of k over that of k - 1, and that of k.
struct sa_poisson_law {
    double mean;
};

SA_DEVICE double sa_ratio(const sa_poisson_law &law, double k) { return law.mean / k; }
SA_DEVICE sa_probability sa_at(const sa_poisson_law &law, double k)
{
    sa_probability r;
    r.exponent = -sa_stirling_error(k) - sa_deviance(k, law.mean), r.square = sa_stirling_square(k);
    return r;
}

struct sa_binomial_law {
    double n, p, odds;
};

SA_DEVICE double sa_ratio(const sa_binomial_law &law, double k) { return (law.n - k + 1.0) / k * law.odds; }
SA_DEVICE sa_probability sa_at(const sa_binomial_law &law, double k)
{
    const double rest = law.n - k;
    sa_probability r;
    r.exponent = sa_stirling_error(law.n) - sa_stirling_error(k) - sa_stirling_error(rest) - sa_deviance(k, law.n * law.p) -
                 sa_deviance(rest, law.n * (1.0 - law.p));
    r.square = sa_stirling_square(k) * sa_stirling_square(rest) / sa_stirling_square(law.n);
    return r;
}

// The first value whose cumulative probability passes a uniform.
template <class L> SA_DEVICE sa_i64 sa_search_variate(sa_words &words, double none, sa_i64 end, const L &law)
{
    for (;;) {
        double u = sa_next_uniform(words), mass = none;
        // Rounding may leave a little of u beyond the last value: then draw anew.
        for (sa_i64 k = 0; k <= end;) {
            if (u < mass) return k;
            u -= mass;
            ++k;
            mass *= sa_ratio(law, (double)k);
        }
    }
}

struct sa_hat {
    double a, b, center, squeeze, alpha;
};

// Transformed rejection with squeeze (Hoermann 1993).
template <class L> SA_DEVICE sa_i64 sa_rejection_variate(sa_words &words, const sa_hat &h, double last, const L &law)
{
    for (;;) {
        const double u = sa_next_uniform(words) - 0.5, v = 1.0 - sa_next_uniform(words), distance = 0.5 - fabs(u);
        const double k = floor((2.0 * h.a / distance + h.b) * u + h.center);
        bool found = distance >= 0.07 && v <= h.squeeze;
        if (!found && k >= 0.0 && k <= last) {
            const double hat = h.a / (distance * distance) + h.b;
            const sa_probability at = sa_at(law, k);
            found = sa_log(v * h.alpha * sqrt(at.square) / hat) <= at.exponent;
        }
        if (found) return k < 0x1p63 ? (sa_i64)k : 0x7FFFFFFFFFFFFFFFLL;
    }
}

// Below this mean a search; no value of it is as large as the end.
#define SA_SEARCH_MEAN 10.0
#define SA_SEARCH_END 128

template <class T> SA_DEVICE void sa_draw_poisson(const sa_random &p, sa_i64 i)
{
    sa_i64 at[2];
    sa_offsets(p.layout, i, at);
    sa_poisson_law law;
    law.mean = sa_parameter(p.first, at[0]);
    sa_words words = sa_words_of(p, i);
    if (!(law.mean > 0.0)) {
        p.out[i] = 0;
    } else if (law.mean < SA_SEARCH_MEAN) {
        p.out[i] = sa_search_variate(words, sa_exp(-law.mean), SA_SEARCH_END, law);
    } else {
        sa_hat h;
        h.b = 0.931 + 2.53 * sqrt(law.mean), h.a = -0.059 + 0.02483 * h.b, h.center = law.mean + 0.43;
        h.squeeze = 0.9277 - 3.6224 / (h.b - 2.0), h.alpha = 1.1239 + 1.1328 / (h.b - 3.4);
        p.out[i] = sa_rejection_variate(words, h, 1.0 / 0.0, law);
    }
}

template <class T> SA_DEVICE void sa_draw_binomial(const sa_random &p, sa_i64 i)
{
    sa_i64 at[2];
    sa_offsets(p.layout, i, at);
    const sa_i64 given = ((const sa_i64 *)p.first)[at[0]], trials = given > 0 ? given : 0;
    double chance = sa_parameter(p.second, at[1]);
    chance = chance > 0.0 ? (chance < 1.0 ? chance : 1.0) : 0.0;
    const bool flipped = chance > 0.5;
    sa_binomial_law law;
    law.n = (double)trials, law.p = flipped ? 1.0 - chance : chance, law.odds = law.p / (1.0 - law.p);
    const double mean = law.n * law.p;
    sa_words words = sa_words_of(p, i);
    sa_i64 k = 0;
    if (0.0 < mean && mean < SA_SEARCH_MEAN) {
        const sa_i64 end = trials < SA_SEARCH_END ? trials : SA_SEARCH_END;
        k = sa_search_variate(words, sa_exp(law.n * sa_log1p(-law.p)), end, law);
    } else if (mean != 0.0) {
        const double deviation = sqrt(mean * (1.0 - law.p));
        const sa_probability mode = sa_at(law, floor((law.n + 1.0) * law.p));
        sa_hat h;
        h.b = 1.15 + 2.53 * deviation, h.a = -0.0873 + 0.0248 * h.b + 0.01 * law.p, h.center = mean + 0.5;
        h.squeeze = 0.92 - 4.2 / h.b;
        h.alpha = (2.83 + 5.1 / h.b) * deviation * sa_exp(mode.exponent) / sqrt(mode.square);
        k = sa_rejection_variate(words, h, law.n, law);
    }
    k = k < trials ? k : trials;
    p.out[i] = flipped ? trials - k : k;
}

// How many elements share a block.
#define SA_SHARE_uniform 2
#define SA_SHARE_exponential 2
#define SA_SHARE_normal 2
#define SA_SHARE_integers 2
#define SA_SHARE_gamma 1
#define SA_SHARE_beta 1
#define SA_SHARE_poisson 1
#define SA_SHARE_binomial 1

#define SA_JOIN_(a, b) a##b
#define SA_JOIN(a, b) SA_JOIN_(a, b)

SA_KERNEL(sa_random_fill, sa_random)
{
    for (sa_i64 i = sa_thread(); SA_JOIN(SA_SHARE_, SA_DIST) * i < p.n; i += sa_threads()) SA_JOIN(sa_draw_, SA_DIST)<SA_T>(p, i);
}
