//! The zeta functions of Hurwitz and Riemann and the polygamma functions, with derivatives in their orders.

use super::bessel_order::power_over_gamma;
use super::coefficients as c;
use super::gamma::{exp_times, gamma_parts, gammaln_step};
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{EULER_GAMMA, PI};

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;

/// `unit^s sum (q + k)^-s` for `s > 1`, `q > 0`: terms up to `q + k` about `10 + s/2`, then Euler and Maclaurin (DLMF 25.11.7).
#[inline(always)]
fn hurwitz_in<R: Real>(s: R, q: R, unit: R) -> R {
    named!("hurwitz_in", |s, q, unit| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let end = s.fma(R::lit(0.5), R::lit(10.0));
        let far = q.ge(end);
        let start = R::select(far, end, q);
        let power = inlined(
            #[inline(always)]
            |w: R| shared::pow(w / unit, -s),
        );
        let first = power(start);
        let at = |k: R| Dd::two_sum(start, k);
        let [k, last, sum, low, _] = R::repeat(
            [zero, first, zero, zero, first],
            64,
            #[inline(always)]
            |[k, term, sum, low, _]| {
                // With what rounding of the sum and of q + k leaves
                let total = Dd::two_sum(sum, term);
                let w = at(k);
                let low = low + (total.lo - term * (s * (w.lo / w.hi)));
                let (sum, k) = (total.hi, k + one);
                let w = at(k).hi;
                let next = power(w);
                ([k, next, sum, low, term], w.lt(end).and(next.gt(sum * R::lit(EPS / 16.0))))
            },
        );
        let here = at(k);
        let w = R::select(far, q, here.hi);
        let rest = R::select(far, zero, here.lo);
        let last = R::select(far, power(q), last);
        let (sum, low) = (R::select(far, zero, sum), R::select(far, zero, low));
        // w^-s (w/(s - 1) + 1/2 + sum B(2k)/(2k)! s (s + 1) ... (s + 2k - 2) / w^(2k - 1))
        let r = one / w;
        let z = r * r;
        let mut tail = zero;
        for (k, &b) in c::EULER_MACLAURIN.iter().enumerate().rev() {
            let j = 2.0 * k as f64;
            let factor = if k == 0 { s } else { (s + R::lit(j - 1.0)) * (s + R::lit(j)) * z };
            tail = (tail + R::lit(b)) * factor;
        }
        let product = last * (w / (s - one) + R::lit(0.5) + tail * r);
        // The power is subnormal before the product is.
        let small = far.and(last.lt(R::lit(1e-290)));
        let [tail] = R::when(
            small,
            [product],
            #[inline(always)]
            || [shared::pow(R::select(small, q, one), one - s) * (one / (s - one) + (R::lit(0.5) + tail * r) * r)],
        );
        let tail = tail - tail * ((s - one) * (rest * r));
        let done = last.le(sum * R::lit(EPS / 16.0)).and(far.not());
        let low = R::select(sum.lt(R::lit(INF)), low, zero);
        sum + (low + R::select(done, zero, tail))
    })
}

#[inline(always)]
fn hurwitz<R: Real>(s: R, q: R) -> R {
    hurwitz_in(s, q, R::lit(1.0))
}

/// Hurwitz's zeta function `sum (q + k)^-s`, `s >= 1`; below `q = 0` for integer `s` only, infinite at the poles.
#[inline(always)]
pub fn zeta<R: Real>(s: R, q: R) -> R {
    named!("zeta", |s, q| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        // Powers of a larger one are 0, 1 and infinity too.
        let s = s.min(R::lit(1e22));
        let negative = q.lt(zero);
        let y = q.abs();
        // Below zero the terms left of the origin are those of r, r + 1, ..., |q|, up to the sign (-1)^s.
        let r = y - y.floor();
        let right = hurwitz(s, R::select(negative, one - r, q));
        let [out] = R::when(
            negative,
            [right],
            #[inline(always)]
            || {
                let left = hurwitz(s, R::select(negative, r, one)) - hurwitz(s, R::select(negative, y + one, one));
                let half = s * R::lit(0.5);
                [right + R::select(half.floor().eq(half), left, -left)]
            },
        );
        let whole = s.floor().eq(s);
        let out = R::select(negative.and(whole.not()), R::lit(f64::NAN), out);
        let out = R::select(q.le(zero).and(q.floor().eq(q)).or(s.eq(one)), R::lit(INF), out);
        let out = R::select(q.eq(R::lit(INF)).and(s.gt(one)), zero, out);
        R::select(s.lt(one).or(s.is_nan()).or(q.is_nan()), R::lit(f64::NAN), out)
    })
}

/// Coefficients of a Taylor series in the order of a zeta function.
type Series<R, const K: usize> = [R; K];

#[inline(always)]
fn product<R: Real, const K: usize>(a: Series<R, K>, b: Series<R, K>) -> Series<R, K> {
    let mut out = [R::lit(0.0); K];
    for i in 0..K {
        for j in 0..K - i {
            out[i + j] = a[i].fma(b[j], out[i + j]);
        }
    }
    out
}

/// `e^(x[0]) = front` times the exponential of the rest, `x[k]` being the `k`-th coefficient.
#[inline(always)]
fn exponential<R: Real, const K: usize>(front: R, x: Series<R, K>) -> Series<R, K> {
    let mut out = [front; K];
    for n in 1..K {
        let mut sum = R::lit(0.0);
        for k in 1..=n {
            sum = (x[k] * R::lit(k as f64)).fma(out[n - k], sum);
        }
        out[n] = sum * R::lit(1.0 / n as f64);
    }
    out
}

/// `w^e` as a series in `-e`.
#[inline(always)]
fn power<R: Real, const K: usize>(w: R, e: R) -> Series<R, K> {
    let slope = -shared::log(w);
    let mut x = [R::lit(0.0); K];
    if K > 1 {
        x[1] = slope;
    }
    exponential(shared::pow(w, e), x)
}

/// [`hurwitz`] as a series in `s`, term by term; `t = s - 1` without rounding, and `s > -2`. With `POLE` times `s - 1`.
#[inline(always)]
fn hurwitz_series<R: Real, const K: usize, const POLE: bool>(s: R, t: R, q: R) -> Series<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let end = s.max(zero).fma(R::lit(0.5), R::lit(12.0));
    let far = q.ge(end);
    let start = R::select(far, end, q);
    let tiny = R::lit(EPS / 64.0);
    let [w, s0, s1, s2, s3, last] = R::repeat(
        [start, zero, zero, zero, zero, one],
        72,
        #[inline(always)]
        |[w, s0, s1, s2, s3, _]| {
            let p: [R; K] = power(w, -s);
            let go = w.lt(end);
            let mut sums = [s0, s1, s2, s3];
            for k in 0..K {
                sums[k] = R::select(go, sums[k] + p[k], sums[k]);
            }
            let fresh = p[K - 1].abs().gt(sums[K - 1].abs() * tiny).or(w.lt(R::lit(4.0)));
            ([R::select(go, w + one, w), sums[0], sums[1], sums[2], sums[3], p[K - 1].abs()], go.and(fresh))
        },
    );
    let sums = [s0, s1, s2, s3];
    let w = R::select(far, q, w);
    let r = one / w;
    let z = r * r;
    let mut tail = [zero; K];
    for (k, &b) in c::EULER_MACLAURIN.iter().enumerate().rev() {
        let j = 2.0 * k as f64;
        let mut factor = [zero; K];
        factor[0] = if k == 0 { s } else { (s + R::lit(j - 1.0)) * (s + R::lit(j)) * z };
        if K > 1 {
            factor[1] = if k == 0 { one } else { (s + s + R::lit(2.0 * j - 1.0)) * z };
        }
        if K > 2 && k > 0 {
            factor[2] = z;
        }
        tail[0] = tail[0] + R::lit(b);
        tail = product(tail, factor);
    }
    tail = mapped(
        tail,
        #[inline(always)]
        |x| x * r,
    );
    tail[0] = tail[0] + R::lit(0.5);
    // The power is subnormal before its product with w is.
    let raised = far.and((s * shared::log(w)).gt(R::lit(667.0)));
    let [by, of_pole] = [R::select(raised, r, one), R::select(raised, one, w)];
    let tail = mapped(
        tail,
        #[inline(always)]
        |x| x * by,
    );
    let last_power = power(w, R::select(raised, -t, -s));
    let done = far.not().and(last.le(sums[K - 1].abs() * tiny));
    let mut lead = of_pole / t;
    let mut pole = [lead; K];
    for x in pole.iter_mut().skip(1) {
        lead = -lead / t;
        *x = lead;
    }
    let pole = if POLE {
        mapped(
            last_power,
            #[inline(always)]
            |x| x * of_pole,
        )
    } else {
        product(pole, last_power)
    };
    let tail = product(tail, last_power);
    let regular: Series<R, K> = each(
        #[inline(always)]
        |k| sums[k] + R::select(done, zero, tail[k]),
    );
    let regular = if POLE { product_linear(regular, t) } else { regular };
    each(
        #[inline(always)]
        |k| regular[k] + R::select(done, zero, pole[k]),
    )
}

/// A series times `t + e`.
#[inline(always)]
fn product_linear<R: Real, const K: usize>(a: Series<R, K>, t: R) -> Series<R, K> {
    each(
        #[inline(always)]
        |k| if k == 0 { a[0] * t } else { a[k].fma(t, a[k - 1]) },
    )
}

/// A derivative of Hurwitz's zeta function in `s > 1`, for `q > 0`.
#[inline(always)]
fn zeta_slope<R: Real, const K: usize>(s: R, q: R, factor: f64) -> R {
    let inside = s.gt(R::lit(1.0)).and(q.gt(R::lit(0.0)));
    let order = R::select(inside.and(s.lt(R::lit(INF))), s, R::lit(2.0));
    let out = hurwitz_series::<R, K, false>(order, order - R::lit(1.0), R::select(inside, q, R::lit(1.0)))[K - 1];
    let out = R::select(q.eq(R::lit(INF)), R::lit(0.0), out * R::lit(factor));
    // Of the terms only q^-s is left.
    let [out] = R::when(
        s.eq(R::lit(INF)),
        [out],
        #[inline(always)]
        || [R::select(q.ge(R::lit(1.0)), R::lit(0.0), R::lit(if K.is_multiple_of(2) { INF } else { -INF }))],
    );
    R::select(inside, out, R::lit(f64::NAN))
}

/// d/ds of [`zeta`].
#[inline(always)]
pub fn zeta_ds<R: Real>(s: R, q: R) -> R {
    named!("zeta_ds", |s, q| zeta_slope::<R, 2>(s, q, 1.0))
}

/// d2/ds2 of [`zeta`].
#[inline(always)]
pub fn zeta_dss<R: Real>(s: R, q: R) -> R {
    named!("zeta_dss", |s, q| zeta_slope::<R, 3>(s, q, 2.0))
}

/// d3/ds3 of [`zeta`].
#[inline(always)]
pub fn zeta_dsss<R: Real>(s: R, q: R) -> R {
    named!("zeta_dsss", |s, q| zeta_slope::<R, 4>(s, q, 6.0))
}

/// `log(2 pi)` in two parts.
pub(crate) const LOG_2PI: (f64, f64) = (1.8378770664093456, -7.756588316134483e-17);

/// `2 (2 pi)^-a gamma(a) v` for `a > 1`.
#[inline(always)]
fn reflected<R: Real>(a: Dd<R>, v: R) -> R {
    let (small, m, log) = gamma_parts(a.hi);
    let front = -(Dd::lit(LOG_2PI.0, LOG_2PI.1) * a);
    let front = Dd::select(small, front, log + front).plus(gammaln_step(a.hi, a.lo));
    let v = v + v;
    exp_times(front, R::select(small, v * m, v))
}

/// `log` of 3, 5 and 7 in two parts.
const LOGS: [(f64, f64); 3] = [
    (1.0986122886681098, -9.07129723500153e-17),
    (1.6094379124341003, 9.280081691085902e-17),
    (1.9459101490553132, 7.323586207904907e-17),
];

/// The sum over `k >= 2` of `k^-s` for `s >= 1` and `t = s - 1`: powers of the primes up to 9, then Euler and Maclaurin.
#[inline(always)]
fn beyond_one<R: Real>(s: R, t: R) -> R {
    let two = shared::exp2(-s);
    let [three, five, seven] = mapped(
        LOGS,
        #[inline(always)]
        |(hi, lo)| {
            let p = Dd::two_prod(s, R::lit(-hi));
            e::exp_dd(Dd::new(p.hi, s.fma(R::lit(-lo), p.lo)))
        },
    );
    let (four, ten) = (two * two, two * five);
    let mut tail = R::lit(0.0);
    for (k, &b) in c::EULER_MACLAURIN.iter().enumerate().rev() {
        let j = 2.0 * k as f64;
        let factor = if k == 0 { s } else { (s + R::lit(j - 1.0)) * (s + R::lit(j)) * R::lit(0.01) };
        tail = (tail + R::lit(b)) * factor;
    }
    let tail = ten * (R::lit(10.0) / t + R::lit(0.5) + tail * R::lit(0.1));
    let small = (tail + three * three) + (four * two + seven);
    (small + (two * three + five)) + ((four + three) + two)
}

/// From here on `zeta(s) - 1` is its first term, `2^-s`.
const POWER_FROM: f64 = 95.0;

/// Riemann's zeta function, left of -1/2 by reflection (DLMF 25.4.1), from there to the pole by a fit; less `1` where `C`.
#[inline(always)]
fn riemann<R: Real, const C: bool>(s: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let left = s.lt(R::lit(-0.5));
    let near = left.not().and(s.lt(one));
    let far = s.gt(R::lit(POWER_FROM));
    let [power] = R::when(
        far,
        [zero],
        #[inline(always)]
        || [if C { shared::exp2(-s) } else { one }],
    );
    let [close] = R::when(
        near,
        [power],
        #[inline(always)]
        || {
            let regular = e::polynomial(s - R::lit(0.25), &c::ZETA_NEAR);
            let regular = if C { regular - one } else { regular };
            [regular + one / (s - one)]
        },
    );
    let [out] = R::when(
        near.or(far).not(),
        [close],
        #[inline(always)]
        || {
            let Dd { hi: turned, lo: rest } = Dd::two_sum(one, -s);
            let a = R::select(left, turned, s);
            let a = R::select(a.lt(R::lit(400.0)), a, R::lit(400.0));
            let t = R::select(left, -s, s - one);
            let value = beyond_one(a, t);
            let value = if C { R::select(left, value + one, value) } else { value + one };
            R::when(
                left,
                [value],
                #[inline(always)]
                || {
                    let wave = shared::sinpi(s * R::lit(0.5));
                    let out = reflected(Dd::new(a, rest), wave * value);
                    let out = R::select(wave.eq(zero), zero, out);
                    [if C { out - one } else { out }]
                },
            )
        },
    );
    let out = R::select(s.eq(one), R::lit(INF), out);
    R::select(s.eq(R::lit(-INF)).or(s.is_nan()), R::lit(f64::NAN), out)
}

/// Riemann's zeta function of any real argument.
#[inline(always)]
pub fn riemann_zeta<R: Real>(s: R) -> R {
    named!("riemann_zeta", |s| riemann::<R, false>(s))
}

/// Riemann's zeta function less 1.
#[inline(always)]
pub fn zetac<R: Real>(s: R) -> R {
    named!("zetac", |s| riemann::<R, true>(s))
}

/// A derivative of Riemann's zeta function.
#[inline(always)]
fn riemann_slope<R: Real, const K: usize>(s: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let left = s.lt(R::lit(-0.5));
    let Dd { hi: turned, lo: rest } = Dd::two_sum(one, -s);
    let a = R::select(left, turned, s);
    let a = R::select(a.lt(R::lit(1100.0)), a, R::lit(1100.0));
    // The first term does not depend on s.
    let near = s.lt(R::lit(4.0));
    let value = hurwitz_series::<R, K, false>(a, a - one, R::select(near, one, R::lit(2.0)));
    let [out] = R::when(
        left,
        [value[K - 1]],
        #[inline(always)]
        || {
            // 2 (2 pi)^-a gamma(a) sin(pi s / 2) zeta(a), all as series in s = 1 - a
            let mut zeta = value;
            for k in (1..K).step_by(2) {
                zeta[k] = -zeta[k];
            }
            let psi = shared::digamma(a) - R::lit(LOG_2PI.0);
            let mut slopes = [zero; K];
            slopes[1] = -psi;
            if K > 2 {
                slopes[2] = shared::trigamma(a) * R::lit(0.5);
            }
            let front = exponential(reflected(Dd::new(a, rest), one), slopes);
            let half = s * R::lit(0.5);
            let (sine, cosine) = (shared::sinpi(half), shared::cospi(half));
            let mut wave = [sine; K];
            wave[1] = cosine * R::lit(PI / 2.0);
            if K > 2 {
                wave[2] = sine * R::lit(-PI * PI / 8.0);
            }
            [product(product(front, wave), zeta)[K - 1]]
        },
    );
    let out = out * R::lit(if K > 2 { 2.0 } else { 1.0 });
    let pole = R::select(s.eq(one), R::lit(if K > 2 { f64::NAN } else { -INF }), out);
    let out = R::select(s.gt(R::lit(1080.0)), zero, pole);
    R::select(s.eq(R::lit(-INF)).or(s.is_nan()), R::lit(f64::NAN), out)
}

/// The first derivative of [`riemann_zeta`].
#[inline(always)]
pub fn riemann_zeta_ds<R: Real>(s: R) -> R {
    named!("riemann_zeta_ds", |s| riemann_slope::<R, 2>(s))
}

/// The second derivative of [`riemann_zeta`].
#[inline(always)]
pub fn riemann_zeta_dss<R: Real>(s: R) -> R {
    named!("riemann_zeta_dss", |s| riemann_slope::<R, 3>(s))
}

/// `-sin(pi x) / (pi x)` as a series about `x >= 0`.
#[inline(always)]
fn sinc_series<R: Real, const K: usize>(x: R) -> Series<R, K> {
    let near = x.lt(R::lit(0.75));
    let y = R::select(near, x, R::lit(0.0));
    // By powers of x: sinc = sum (-1)^j (pi x)^(2j) / (2j + 1)!, differentiated k times.
    let mut series = [R::lit(0.0); K];
    for (k, out) in series.iter_mut().enumerate() {
        let mut c = [0.0; 26];
        let mut term = -1.0;
        for j in 0..13 {
            let n = 2 * j;
            let mut binomial = 1.0;
            for i in 0..k {
                binomial *= (n as f64 - i as f64) / (i + 1) as f64;
            }
            if n >= k {
                c[n - k] = term * binomial;
            }
            term *= -PI * PI / ((n + 2) * (n + 3)) as f64;
        }
        *out = e::polynomial(y, &c);
    }
    let z = R::select(near, R::lit(1.0), x);
    let (sine, cosine) = (shared::sinpi(z), shared::cospi(z));
    let mut far = [R::lit(0.0); K];
    let mut scale = -1.0 / PI;
    for k in 0..K {
        let sign = if k / 2 % 2 == 0 { scale } else { -scale };
        let wave = if k % 2 == 0 { sine } else { cosine };
        let before = if k == 0 { R::lit(0.0) } else { far[k - 1] };
        far[k] = (wave * R::lit(sign) - before) / z;
        scale *= PI / (k + 1) as f64;
    }
    each(
        #[inline(always)]
        |k| R::select(near, series[k], far[k]),
    )
}

/// The balanced polygamma function of O. Espinosa and V. H. Moll, "A generalized polygamma function" (Integral Transforms and
/// Special Functions 15, 2004), which is the derivative of digamma at the integers: `(d/dn + gamma) zeta(n + 1, x) / gamma(-n)`;
/// its derivative in `n` of order `K - 2`.
#[inline(always)]
fn balanced<R: Real, const K: usize>(n: R, x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let inside = n.ge(zero).and(n.lt(R::lit(169.0))).and(x.gt(zero)).and(x.lt(R::lit(INF)));
    let n = R::select(inside, n, one);
    let at = R::select(inside, x, one);
    let order = n + one;
    let zeta = hurwitz_series::<R, K, true>(order, n, at);
    // 1 / gamma(-n) = -sin(pi n) gamma(n + 1) / pi, here over n
    let mut slopes = [zero; K];
    slopes[1] = shared::digamma(order);
    if K > 2 {
        slopes[2] = shared::trigamma(order) * R::lit(0.5);
    }
    if K > 3 {
        slopes[3] = shared::polygamma(R::lit(2.0), order) * R::lit(1.0 / 6.0);
    }
    let gamma = exponential(shared::gamma(order), slopes);
    let wave = sinc_series::<R, K>(n);
    let f = product(product(gamma, wave), zeta);
    let (k, scale) = (K - 1, if K > 3 { 2.0 } else { 1.0 });
    let out = (f[k] * R::lit(k as f64) + f[k - 1] * R::lit(EULER_GAMMA)) * R::lit(scale);
    R::select(inside, out, R::lit(f64::NAN))
}

/// The `n`-th derivative of digamma; for `x > 0` and orders between the integers the function of Espinosa and Moll.
#[inline(always)]
pub fn polygamma<R: Real>(n: R, x: R) -> R {
    named!("polygamma", |n, x| {
        let one = R::lit(1.0);
        let whole = n.floor().eq(n);
        let (first, second) = (n.eq(R::lit(0.0)), n.eq(one).and(x.gt(R::lit(0.0))));
        let [out] = R::when(
            first,
            [one],
            #[inline(always)]
            || [shared::digamma(x)],
        );
        let [out] = R::when(
            second,
            [out],
            #[inline(always)]
            || [shared::trigamma(x)],
        );
        let [out] = R::when(
            whole.and(first.or(second).not()),
            [out],
            #[inline(always)]
            || {
                let order = n + one;
                let zeta = shared::zeta(order, x);
                let value = shared::gamma(order) * zeta;
                // One of the factors is out of range, which the product need not be.
                let lost = zeta.lt(R::lit(1e-290)).or(order.gt(R::lit(170.0)));
                let lost = lost.and(x.gt(R::lit(0.0))).and(x.lt(R::lit(INF))).and(order.lt(R::lit(INF)));
                let [value] = R::when(
                    lost,
                    [value],
                    #[inline(always)]
                    || {
                        let (order, x) = (R::select(lost, order, R::lit(200.0)), R::select(lost, x, one));
                        let sum = hurwitz_in(order, x, x);
                        let root = shared::pow(x, order * R::lit(-0.5));
                        let few = order.le(R::lit(170.0));
                        let large = R::select(few, R::lit(200.0), order - one);
                        let falling = sum / (x * power_over_gamma(large, x, Dd::lit(0.0, 0.0)));
                        [R::select(few, sum * (shared::gamma(order) * root) * root, falling)]
                    },
                );
                let half = n * R::lit(0.5);
                [R::select(half.floor().eq(half), -value, value)]
            },
        );
        let [out] = R::when(
            whole.not(),
            [out],
            #[inline(always)]
            || [shared::polygamma_between(n, x)],
        );
        R::select(n.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}

/// [`polygamma`] between integer orders.
#[inline(always)]
pub fn polygamma_between<R: Real>(n: R, x: R) -> R {
    named!("polygamma_between", |n, x| balanced::<R, 2>(n, x))
}

/// d/dn of [`polygamma`].
#[inline(always)]
pub fn polygamma_dn<R: Real>(n: R, x: R) -> R {
    named!("polygamma_dn", |n, x| balanced::<R, 3>(n, x))
}

/// d2/dn2 of [`polygamma`].
#[inline(always)]
pub fn polygamma_dnn<R: Real>(n: R, x: R) -> R {
    named!("polygamma_dnn", |n, x| balanced::<R, 4>(n, x))
}
