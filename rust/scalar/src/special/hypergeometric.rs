//! Confluent hypergeometric functions of real arguments with their derivatives in the parameters.
//!
//! The series are summed in double-double arithmetic, on numbers with derivatives, after a transformation to an argument where
//! they converge fast: J. W. Pearson, S. Olver, M. A. Porter, "Numerical methods for the computation of the confluent and Gauss
//! hypergeometric functions", Numer. Algorithms 74, 2017.

use super::debye;
use super::dual::{Dual, at, pack};
use super::equation::{Equation, grown, rescaled};
use super::gamma::gamma_parts;
use super::gauss::THIN;
use super::gauss_climb::found_or_descended;
use super::recurrence::{
    Pair, Recurrence, SPENT, UNITS, added, followed, in_units, parts, sizes, stepped, turned, written,
};
use super::tricomi::moderate;
use super::wide::{NEGLIGIBLE, Param, enough, series};
use crate::dd::Dd;
use crate::elementary::{LN2, log_sum};
use crate::named;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{LOG2_E, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
/// A sum whose largest term exceeds it by this has no digits left.
pub(crate) const HOPELESS: f64 = 1e26;

/// Of larger terms a small sum may be 0 by rounding.
const MODERATE_TERMS: f64 = 1e12;

/// Whether a sum of this magnitude has none; 0 may be one of moderate terms.
#[inline(always)]
pub(crate) fn spent<R: Real>(largest: R, size: R) -> R::Mask {
    let nothing = size.eq(R::lit(0.0)).and(largest.gt(R::lit(MODERATE_TERMS)));
    largest.gt(size * R::lit(HOPELESS)).and(size.ne(R::lit(0.0))).or(nothing)
}

/// How many times as large as such a sum its terms are; one of moderate terms that is 0 is kept where nothing else is found.
#[inline(always)]
pub(crate) fn summed_loss<R: Real>(largest: R, size: R) -> R {
    R::select(size.eq(R::lit(0.0)), R::lit(HOPELESS * 0.5), largest / size)
}

/// Whether something is left of such a sum, or of a double, if what it has lost, or a step adds, becomes so many times as much.
#[inline(always)]
pub(crate) fn bears<R: Real>(largest: R, size: R, times: R) -> R::Mask {
    lost_by(largest, size, times).le(R::lit(SPENT))
}

/// An error of one step in roundings, with some of the bounds' slack.
const OF_A_STEP: f64 = 16.0;

/// How many roundings such a sum has lost, or a double, if what every step adds becomes so many times as much.
#[inline(always)]
pub(crate) fn lost_by<R: Real>(largest: R, size: R, times: R) -> R {
    (largest / size * R::lit(SPENT / HOPELESS)).max(R::lit(OF_A_STEP)) * times
}

/// Sums that are tried where a march fails lose less,
pub(crate) const AGAIN: f64 = 1e21;
/// and their arguments are not beyond this.
pub(crate) const LONG: f64 = 4000.0;

/// Second parameters from here on keep the terms of Kummer's series small for longer.
pub(crate) const WIDE: f64 = 128.0;
/// and up to here it is continued in short steps.
pub(crate) const WIDEST: f64 = 8192.0;
/// Kummer's series is continued by Taylor series where its terms may exceed the sum by `e` to this power,
pub(crate) const MARCH: f64 = 40.0;
/// or to this one where so many terms come before those that alternate.
pub(crate) const MARCH_BEHIND: f64 = 25.0;
pub(crate) const AHEAD: f64 = 32.0;
/// Before, terms exceed 1 by `e` to this power.
pub(crate) const SWING: f64 = 32.0;
/// Terms of 0F1 of the parameter `1 - n` count after number `n` where the root of the argument is beyond this share of `n`.
pub(crate) const BEHIND: f64 = 0.35;
/// and up to this one are a Bessel function.
pub(crate) const ORDERS: f64 = 90_000.0;
/// Kummer's function of first parameters up to this is followed from their fraction
const FOLLOWED: f64 = 90_000.0;
/// where the pole of the second one is farther than this and than four times the argument.
const POLE_FROM: f64 = 200.0;
/// Kummer's function of arguments beyond this may have an asymptotic series.
const FAR: f64 = 30.0;
/// Polynomials up to this degree are found in steps of it.
const DEGREES: f64 = 1e6;

/// Both numbers of parameters in `10 i + j`.
#[inline(always)]
pub(crate) fn digits<R: Real>(code: R) -> [R; 2] {
    let tens = (code * R::lit(0.1)).floor();
    [tens, code - tens * R::lit(10.0)]
}

/// The parameters, which move in the two arguments that derivatives are taken in, from their numbers `10 i + j` or `i`; 0 for none.
/// Numbers from 4 on are those of `n`, `s` and `c`, of which the parameters are `-n`, `n + s`, rounded, and `c` then.
#[inline(always)]
pub(crate) fn directions<R: Real, const N: usize, const K: usize>(code: R, x: [R; N]) -> [Param<R>; N] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let [tens, units] = digits(code);
    let of_degree = units.gt(R::lit(3.0));
    let before = R::select(of_degree, R::lit(3.0), zero);
    let mut out: [Param<R>; N] = each(
        #[inline(always)]
        |i| {
            let here = R::lit((i + 1) as f64) + before;
            let mut speed = [zero; 2];
            if K > 1 {
                speed[0] = R::select(units.eq(here), one, zero);
            }
            if K > 2 {
                speed[1] = R::select(tens.eq(here), one, zero);
            }
            Param::new(x[i], speed)
        },
    );
    if N == 3 {
        let [n, s] = [out[0], out[1]];
        out[0] = Param::select(of_degree, -n, n);
        let sum = Param { value: Dd::new((n + s).rounded(), zero), ..n + s };
        out[1] = Param::select(of_degree, sum, s);
    }
    out
}

/// `base^power` of a positive base.
#[inline(always)]
pub(super) fn power_of<R: Real, const K: usize>(base: Dd<R>, exponent: Dual<R, K>) -> Dual<R, K> {
    let e = exponent.value();
    let value = shared::pow(base.hi, e) * (R::lit(1.0) + e * base.lo / base.hi);
    let l = shared::log(base.hi) + base.lo / base.hi;
    exponent.chain([value, value * l, value * l * l])
}

#[inline(always)]
pub(crate) fn gamma_of<R: Real, const K: usize>(x: Dual<R, K>) -> Dual<R, K> {
    let v = x.value();
    let value = shared::gamma(v);
    let mut f = [value; 3];
    if K > 1 {
        let rate = shared::digamma(v);
        f[1] = value * rate;
        if K > 2 {
            f[2] = value * (rate * rate + shared::trigamma(v));
        }
    }
    x.chain(f)
}

/// `1 / Gamma(x)`, which next to its zeros is what the second double is.
#[inline(always)]
pub(crate) fn rgamma_at<R: Real>(x: Dd<R>) -> R {
    let (zero, v) = (R::lit(0.0), x.hi);
    let value = shared::rgamma(v);
    let gap = v - v.round();
    let beside = x.lo.ne(zero).and(beside_pole(v));
    let [slope] = R::when(
        beside.and(gap.eq(zero)),
        [R::select(beside, value / gap, zero)],
        #[inline(always)]
        || [shared::rgamma_dx(v)],
    );
    R::select(value.abs().lt(R::lit(INF)), slope.fma(x.lo, value), value)
}

#[inline(always)]
pub(crate) fn rgamma_of<R: Real, const K: usize>(x: Param<R>) -> Dual<R, K> {
    let mut f = [rgamma_at(x.value); 3];
    if K > 1 {
        let v = x.rounded();
        f[1] = shared::rgamma_dx(v);
        if K > 2 {
            f[2] = shared::rgamma_dxx(v);
        }
    }
    x.dual::<K>().chain(f)
}

/// Below this a parameter, or the step of a ratio of gamma functions, is slight: derivatives in others are small.
pub(crate) const SLIGHT: f64 = 0.02;

/// Whether the quotient of the gamma functions of these is that of two values.
#[inline(always)]
pub(crate) fn separately<R: Real>(low: R, high: R) -> R::Mask {
    low.abs().max(high.abs()).lt(R::lit(150.0))
}

/// `Gamma(c + m) / Gamma(c)`.
#[inline(always)]
pub(crate) fn gamma_ratio<R: Real, const K: usize>(c: Param<R>, m: Param<R>) -> Dual<R, K> {
    let end = c + m;
    let (low, high) = (c.rounded(), end.rounded());
    let plain = separately(low, high);
    // Derivatives that a slight step makes small, or one of a small part of the arguments, are no differences of others.
    let slight = R::lit(SLIGHT).max(low.min(high) * R::lit(0.25));
    let plain = if K == 1 { plain } else { plain.and(m.rounded().abs().gt(slight)) };
    let one = Dd::lit(1.0, 0.0);
    let near_low = Param::select(plain, c, Param { value: one, speed: c.speed });
    let near_high = Param::select(plain, end, Param { value: one, speed: end.speed });
    let direct = rgamma_of::<R, K>(near_low) * gamma_of(near_high.dual());
    let none = direct.0;
    let out = R::when(
        plain.not(),
        none,
        #[inline(always)]
        || {
            let value = shared::poch(low, m.rounded());
            let mut out = Dual::<R, K>::constant(value);
            if K > 1 {
                let step = inlined(
                    #[inline(always)]
                    |order: f64| shared::polygamma_step(R::lit(order), low, m.rounded()),
                );
                let (a, rise) = (shared::digamma(high), step(0.0));
                let rate = inlined(
                    #[inline(always)]
                    |d: usize| m.speed[d] * a + c.speed[d] * rise,
                );
                out.0[1] = value * rate(0);
                if K > 2 {
                    out.0[2] = value * rate(1);
                    let both = c.speed[0] * c.speed[1];
                    let bend = (end.speed[0] * end.speed[1] - both) * shared::trigamma(high) + both * step(1.0);
                    out.0[3] = value * (rate(0) * rate(1) + bend);
                }
            }
            out.0
        },
    );
    Dual(out)
}

/// Whether a ratio of gamma functions is in range; none is where `p` is a pole of its denominator.
#[inline(always)]
pub(crate) fn in_range<R: Real, const K: usize>(ratio: Dual<R, K>, p: Param<R>) -> R::Mask {
    let size = ratio.value().abs();
    size.gt(R::lit(1e-290)).and(size.lt(R::lit(INF))).or(p.ends())
}

/// Whether an argument of the gamma function is next to a pole.
#[inline(always)]
pub(crate) fn beside_pole<R: Real>(x: R) -> R::Mask {
    x.lt(R::lit(-0.5)).and((x - x.round()).abs().lt(R::lit(0.25)))
}

/// An argument of the gamma function by one double, and the distances of that and of `x` from the next pole, equal where a rounding
/// does not count.
#[inline(always)]
fn off_pole<R: Real>(x: Dd<R>) -> (R, [R; 2]) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let gap = x.hi - x.hi.round();
    let beside = beside_pole(x.hi).and(x.lo.ne(zero));
    // None is on a pole that `x` is not on.
    let v = R::select(beside.and(gap.eq(zero)), x.hi * R::lit(1.0 + f64::EPSILON), x.hi);
    (v, [R::select(beside, v - v.round(), one), R::select(beside, gap + x.lo, one)])
}

/// The digamma function of both doubles.
#[inline(always)]
pub(crate) fn digamma_at<R: Real>(x: Dd<R>) -> R {
    let (v, [from, to]) = off_pole(x);
    let one = R::lit(1.0);
    let smooth = R::select(beside_pole(x.hi), R::lit(0.0), x.lo);
    shared::trigamma(v).fma(smooth, shared::digamma(v)) + (one / from - one / to)
}

/// The logarithm of the magnitude of the gamma function, and its sign; next to a pole of both doubles.
#[inline(always)]
fn log_gamma<R: Real, const K: usize>(p: Param<R>) -> (Dual<R, K>, R) {
    let one = R::lit(1.0);
    let (v, [from, to]) = off_pole(p.value.normalize());
    let ratio = to / from;
    let mut f = [shared::gammaln(v) - shared::log(ratio.abs()); 3];
    if K > 1 {
        let (near, far) = (one / to, one / from);
        f[1] = shared::digamma(v) + (far - near);
        if K > 2 {
            f[2] = shared::trigamma(v) + (near - far) * (near + far);
        }
    }
    (p.dual::<K>().chain(f), shared::gammasgn(v) * one.copysign(ratio))
}

/// The logarithm of the magnitude of a quotient of products of gamma functions, and its sign.
#[inline(always)]
pub(crate) fn log_gammas<R: Real, const K: usize, const N: usize>(
    above: [Param<R>; N],
    below: [Param<R>; N],
) -> (Dual<R, K>, R) {
    let (mut log, mut sign) = (Dual::lit(0.0), R::lit(1.0));
    for (p, q) in above.into_iter().zip(below) {
        for (p, up) in [(p, 1.0), (q, -1.0)] {
            let (f, side) = log_gamma::<R, K>(p);
            log = log + f.scaled(up);
            sign = sign * side;
        }
    }
    (log, sign)
}

/// A number from that.
#[inline(always)]
pub(crate) fn from_logarithm<R: Real, const K: usize>((log, sign): (Dual<R, K>, R)) -> Dual<R, K> {
    log.chain([sign * shared::exp(log.value()); 3])
}

/// `Gamma(q) / Gamma(p) y^(p - q) e^x` by logarithms, for factors out of range.
#[inline(always)]
pub(crate) fn by_logarithms<R: Real, const K: usize>(parameters: [Param<R>; 2], y: R, x: R) -> Dual<R, K> {
    let (log, sign) = logarithm_of_front(parameters, y);
    from_logarithm((log + Dual::constant(x), sign))
}

/// The logarithm of the magnitude of `Gamma(q) / Gamma(p) y^(p - q)`, and its sign.
#[inline(always)]
fn logarithm_of_front<R: Real, const K: usize>([p, q]: [Param<R>; 2], y: R) -> (Dual<R, K>, R) {
    let (log, sign) = log_gammas([q], [p]);
    (log + (p - q).dual().times(shared::log(y)), sign)
}

/// A sum in units of powers of `2^512` times `e^x`.
#[inline(always)]
pub(super) fn unscale<R: Real, const K: usize>(v: Dual<R, K>, scale: R, x: R) -> Dual<R, K> {
    let one = R::lit(1.0);
    let plain = scale.eq(R::lit(0.0));
    let root = shared::exp(x * R::lit(0.5));
    let factors = R::when(
        plain.not(),
        [root, root, one, one],
        #[inline(always)]
        || {
            // Powers of two are exact, and three of them, since the parts may overflow where the product does not.
            let turns = (x * R::lit(LOG2_E)).round();
            let rest = turns.fma(R::lit(-LN2.0), x) - turns * R::lit(LN2.1);
            let total = scale.fma(R::lit(512.0), turns);
            let third = (total * R::lit(1.0 / 3.0)).round();
            let power = shared::exp2(third);
            let last = shared::exp2(total - third - third);
            mapped(
                [(root, shared::exp(rest)), (root, power), (one, power), (one, last)],
                #[inline(always)]
                |(near, scaled)| R::select(plain, near, scaled),
            )
        },
    );
    v.times(factors[0]).times(factors[1]).times(factors[2]).times(factors[3])
}

/// `0F1(; b; x)` of `x > 0` and a parameter below -30, or a derivative in it: with `w = 1 - b` and `y = sqrt(x)` it is
/// `y^w / Gamma(w) (pi / sin(pi w) I_w(2y) + 2 K_w(2y))` (DLMF 10.39.9, 10.27.2), in one exponent.
#[inline(always)]
fn connected<R: Real, const K: usize>(b: R, x: R, on: R::Mask) -> R {
    let (b, x) = (R::select(on, b, R::lit(-200.5)), R::select(on, x, R::lit(1.0)));
    let (w, y) = (R::lit(1.0) - b, x.sqrt());
    let log = log_sum(y);
    let (_, _, gamma) = gamma_parts(w);
    let shift = log.times(w) - gamma;
    let [i, k] = debye::monotone::<R, K>(w, y + y, 1.0, [shift; 2], on);
    let order = Dual::<R, K>::variable(w, 3);
    let (sine, cosine) = (shared::sinpi(b), shared::cospi(b));
    let pole = R::lit(PI) / sine;
    let turn = R::lit(PI) * cosine / sine;
    let poles = order.chain([pole, pole * turn, pole * turn.fma(turn + turn, R::lit(PI * PI))]);
    let mut front = [R::lit(1.0); 3];
    if K > 1 {
        front[1] = log.value() - shared::digamma(w);
        if K > 2 {
            front[2] = front[1] * front[1] - shared::trigamma(w);
        }
    }
    let out = (order.chain(front) * (i * poles + k.scaled(2.0))).top();
    if K == 2 { -out } else { out }
}

/// `0F1(; b; x)` or a derivative in `b`.
#[inline(always)]
fn limit<R: Real, const K: usize>(b: R, x: R) -> R {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(NAN));
    let on = b.abs().lt(R::lit(1e300)).and(x.abs().lt(R::lit(INF)));
    let p = Param::new(b, [one; 2]);
    let dark = p.ends();
    let on = on.and(dark.not());
    let huge = x.abs().gt(R::lit(1e6)).and(x.abs().gt(b.abs() * R::lit(1e3)));
    let p = Param::select(on, p, Param::lit(1.0));
    // The index of the largest term; many alternating ones cancel.
    let v = p.rounded();
    let peak = ((v * v - x * R::lit(4.0)).abs().sqrt() - v) * R::lit(0.5);
    let from = R::select(v.gt(R::lit(10.0)), R::lit(12.0), R::lit(16.0));
    let wave = on.and(x.lt(zero)).and(peak.gt(from)).and(v.abs().lt(R::lit(ORDERS)));
    // Of a negative parameter those that alternate are small before this.
    let wave = wave.and(v.gt(zero).or((-x).gt(v * v * R::lit(BEHIND * BEHIND))));
    let direct = on.and(wave.not()).and(huge.not());
    let z = R::select(direct, x, zero);
    let s = series::<R, K, 0, 1, false>([], [p], Dd::new(z, zero), 20_000, R::lit(enough(K)), direct);
    let out = unscale(s.value.rounded(), s.scale, zero).top();
    let overflow = R::select(x.gt(zero).and(b.gt(zero)), R::lit(INF), nan);
    let kept = s.good.and(spent(s.largest, s.value.size()).not());
    let out = R::select(huge, overflow, R::select(kept, out, nan));
    let [out] = R::when(
        wave,
        [out],
        #[inline(always)]
        || {
            // DLMF 10.16.9
            let w = (-x).sqrt();
            let order = p.plus(-1.0).dual::<K>();
            // The order of a small parameter is rounded, the gamma function is not to be.
            let (v, b, z) = (order.value(), p.rounded(), w + w);
            let mut j = [shared::jv(v, z); 3];
            if K > 1 {
                j[1] = shared::jv_dv(v, z);
                if K > 2 {
                    j[2] = shared::jv_dvv(v, z);
                }
            }
            let value = order.chain(j);
            let big = v.abs().gt(R::lit(100.0));
            let l = shared::log(w);
            let [f, g] = R::when(
                big,
                [shared::gamma(R::select(big, one, b)), shared::pow(w, R::select(big, one, -v))],
                #[inline(always)]
                || [shared::exp(shared::gammaln(b) - v * l) * shared::gammasgn(b), one],
            );
            // The gamma function may come close to the largest number.
            let front = f * (g * R::lit(2f64.powi(-64)));
            let mut slopes = [front; 3];
            if K > 1 {
                let rate = shared::digamma(b) - l;
                slopes[1] = front * rate;
                if K > 2 {
                    slopes[2] = front * (rate * rate + shared::trigamma(b));
                }
            }
            [(order.chain(slopes) * value).top() * R::lit(2f64.powi(64))]
        },
    );
    // Right of 0 they alternate until a negative parameter is passed.
    let swell = x.gt(zero).and(v.lt(R::lit(-30.0))).and(v.gt(R::lit(-ORDERS)));
    let swell = direct.and(swell).and(s.largest.gt(s.value.size() * R::lit(1e14)));
    let [out] = R::when(
        swell,
        [out],
        #[inline(always)]
        || [connected::<R, K>(v, x, swell)],
    );
    R::select(on, out, nan)
}

/// `0F1(; b; x)`, DLMF 16.2.1.
#[inline(always)]
pub fn hyp0f1<R: Real>(b: R, x: R) -> R {
    named!("hyp0f1", |b, x| {
        let out = limit::<R, 1>(b, x);
        let far = b.eq(R::lit(INF)).and(x.abs().lt(R::lit(INF)));
        R::select(far, R::lit(1.0), out)
    })
}

/// `d 0F1/db`.
#[inline(always)]
pub fn hyp0f1_d1<R: Real>(b: R, x: R) -> R {
    named!("hyp0f1_d1", |b, x| limit::<R, 2>(b, x))
}

/// `d2 0F1/db2`.
#[inline(always)]
pub fn hyp0f1_d2<R: Real>(b: R, x: R) -> R {
    named!("hyp0f1_d2", |b, x| limit::<R, 4>(b, x))
}

/// `-p` and `-q` where they are positive, and whether the terms of Kummer's series cancel too much.
#[inline(always)]
pub(super) fn alternating<R: Real>(p: R, q: R, z: R) -> (R, R, R::Mask) {
    let zero = R::lit(0.0);
    // Alternating terms grow to `e^(2 sqrt(-p z))` before they fall, the function as `e^(z / 2)`.
    let swing = (-p).max(zero);
    // Those of negative `q` alternate from number `-q` on.
    let ahead = (-q).max(zero);
    let wave = ((swing - ahead).max(zero) * z.max(zero)).sqrt() * R::lit(2.0);
    let most = R::select(ahead.gt(R::lit(AHEAD)), R::lit(MARCH_BEHIND), R::lit(MARCH));
    // Of large `q` they grow to `e^(-p z / q)` at most, and the function may fall as much.
    let wide = q.gt(R::lit(WIDE));
    let slow = wide.and((swing * z / q * R::lit(2.0)).le(R::lit(MARCH)));
    let steep = wide.and(q.lt(R::lit(WIDEST))).and(z.lt(q * R::lit(4.0))).and(p.lt(zero));
    (swing, ahead, (wave - z * R::lit(0.5)).gt(most).or(steep).and(slow.not()))
}

/// Kummer's function or a derivative in its parameters.
#[inline(always)]
fn kummer<R: Real, const K: usize>(code: R, a: R, b: R, x: R) -> R {
    let [pa, pb] = directions::<R, 2, K>(code, [a, b]);
    let [out] = found_or_descended::<R, false, K, 1>(
        [pa, Param::lit(1.0), pb],
        [x],
        x.abs().lt(R::lit(INF)),
        #[inline(always)]
        |[pa, _, pb], on| {
            let (value, loss) = kummer_found([pa, pb], x, on);
            ([value], loss)
        },
    );
    out.top()
}

/// The same, and how many times as large as the value its error is in units of those of double-double numbers, infinite where it is not
/// found.
#[inline(always)]
fn kummer_found<R: Real, const K: usize>([pa, pb]: [Param<R>; 2], x: R, on: R::Mask) -> (Dual<R, K>, R) {
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
    let limit = R::lit(1e100);
    let (a, b) = (pa.rounded(), pb.rounded());
    let finite = on.and(a.abs().lt(limit)).and(b.abs().lt(limit)).and(x.abs().lt(limit));
    let closes = pa.ends().and(a.lt(zero)).and(a.ge(b));
    let on = finite.and(pb.ends().not().or(closes));
    let left = x.lt(zero);
    let y = R::select(on, x.abs(), zero);
    // DLMF 13.2.39; a series that ends at a pole stays as it is, and 1 too.
    let turn = left.and(pb.ends().not()).and(pa.fixed_end().and(a.eq(zero)).not());
    // A slight parameter stays one where the series can bear it.
    let turn = if K == 1 { turn } else { turn.and(a.abs().gt(R::lit(SLIGHT)).or(x.lt(R::lit(-FAR)))) };
    let p = Param::select(on, Param::select(turn, pb - pa, pa), Param::lit(1.0));
    let q = Param::select(on, pb, Param::lit(1.0));
    let gap = Param::select(on.and(turn), pa, q - p);
    // DLMF 13.7.2 with the terms of both exponentials, where their series reach the last digit
    let far = on.and(pb.ends().not()).and(y.gt(R::lit(FAR)));
    // Derivatives of gamma functions next to poles cancel each other.
    let far = if K == 1 {
        far
    } else {
        let (v, gap) = (q.rounded(), (q.rounded() - q.rounded().round()).abs());
        far.and(v.gt(R::lit(0.5)).or(gap.gt(R::lit(1e-3))).or(y.gt(R::lit(1e3))))
    };
    let unknown: [R; 5] = pack([Dual::<R, K>::nan()], [inf]);
    let out = R::when(
        far,
        unknown,
        #[inline(always)]
        || {
            let inverse = Dd::lit(1.0, 0.0) / Dd::new(R::select(far, y, R::lit(1.0)), zero);
            let (one, last) = (Param::lit(1.0), R::lit(1e-17));
            let grow = series::<R, K, 2, 0, true>([gap, one - p], [], inverse, 2500, last, far);
            let fall = series::<R, K, 2, 0, true>([p, one - gap], [], -inverse, 2500, last, far);
            let base = Dd::new(y, zero);
            let turn_rate = R::lit(PI);
            let (s, c) = (shared::sinpi(p.rounded()), shared::cospi(p.rounded()));
            let angle = p.dual::<K>().chain([c, -(s * turn_rate), -(c * turn_rate * turn_rate)]);
            // By halves, for products in range of factors that are not, or by logarithms, and what may overflow last
            let part = inlined(
                #[inline(always)]
                |[p, gap]: [Param<R>; 2], front: Dual<R, K>, series: Dual<R, K>, exponent: R| {
                    let root = power_of(base, gap.scaled(R::lit(-0.5)).dual());
                    let plain = front * root * root;
                    let logs = far.and(in_range(front, p).and(in_range(plain, p)).not());
                    let state: [R; 5] = R::when(
                        logs,
                        pack([plain], [exponent]),
                        #[inline(always)]
                        || {
                            let (log, sign) = logarithm_of_front::<R, K>([p, q], R::select(logs, y, R::lit(1.0)));
                            let excess = (log.value() + exponent - R::lit(300.0)).max(zero);
                            let value = from_logarithm((log + Dual::constant(exponent - excess), sign));
                            pack([value], [excess])
                        },
                    );
                    let rise = shared::exp(state[4] * R::lit(0.5));
                    let whole = Dual(mapped(
                        (at::<R, K, 5>(&state, 0) * series).0,
                        #[inline(always)]
                        |f| R::select(f.eq(zero), zero, f * rise * rise),
                    ));
                    (whole, state[4])
                },
            );
            let fronts = [gamma_ratio::<R, K>(p, gap), gamma_ratio::<R, K>(gap, p)];
            let (first, larger) = part([p, gap], fronts[0], grow.value.rounded(), R::select(turn, zero, y));
            let (second, smaller) = part([gap, p], fronts[1], fall.value.rounded() * angle, R::select(turn, -y, zero));
            // Of two that overflow the larger
            let both = first.value().abs().eq(inf).and(second.value().abs().eq(inf));
            let first = Dual::select(both.and(larger.lt(smaller)), Dual::lit(0.0), first);
            let second = Dual::select(both.and(larger.ge(smaller)), Dual::lit(0.0), second);
            // Also if its factor is out of range
            let gone = turn.and(y.gt(q.rounded().abs() * R::lit(20.0) + R::lit(800.0)));
            let second = Dual::select(gone, Dual::lit(0.0), second);
            let (f, g) = (first.top(), second.top());
            let kept = grow.largest.lt(grow.value.0[0].hi.abs() * R::lit(1e12));
            let kept = if K == 1 {
                kept
            } else {
                kept.and(fall.largest.lt(fall.value.0[0].hi.abs().max(R::lit(1.0)) * R::lit(1e12)))
            };
            let faint = y.gt(R::lit(60.0)).and(fall.value.0[0].hi.abs().lt(R::lit(1e8)));
            // The second part is a factor e^-y below the first, unless parameters are large: then both may be large beside the sum
            // too, and a ratio of gamma functions below the range.
            let beyond = y.ge(R::lit(1e4));
            let whole = f.abs().max(g.abs()).lt((f + g).abs() * R::lit(1e3)).or(f.abs().eq(R::lit(INF)));
            let faint = faint.and(g.abs().lt(f.abs() * R::lit(1e-18)));
            let falls = p.rounded().ge(zero);
            // Of a ratio below the range nothing is known but that it is small.
            let within = in_range(fronts[1], gap).or(falls).or(beyond);
            let accepted = grow.good.and(kept).and(within).and(whole.or(beyond)).and(fall.good.or(faint));
            let sum = Dual::select(accepted, first + second, at(&unknown, 0));
            pack([sum], [R::select(accepted, R::lit(UNITS), inf)])
        },
    );
    let rest = on.and(out[4].eq(inf));
    // Beyond, the series is too long unless it ends.
    let short = y.lt(R::lit(1e4)).or(y.lt(q.rounded().abs() * R::lit(100.0))).or(pb.ends());
    let state: [R; 6] = pack([at::<R, K, 5>(&out, 0)], [out[4], zero]);
    let rest = rest.and(short);
    // Beside a slight parameter the other form has no digits of small derivatives: there on along the negative axis
    let small = if K == 1 { R::Mask::lit(false) } else { rest.and(turn).and(a.abs().le(R::lit(SLIGHT))) };
    let state = R::when(
        small,
        state,
        #[inline(always)]
        || {
            let (p, q) = (Param::select(small, pa, Param::lit(0.5)), Param::select(small, pb, Param::lit(1.0)));
            let from = R::lit(FAR * 0.5);
            let s = series::<R, K, 1, 1, false>([p], [q], Dd::new(-from, zero), 20_000, R::lit(NEGLIGIBLE), small);
            let equation = Equation { bend: 0.0, c: q.dual::<K>(), q: Dual::lit(-1.0), p: -p.dual::<K>() };
            let start = [s.value.rounded(), s.slope.rounded().times(one / from)];
            let to = R::select(small, y, from + one);
            let ([value, _], rest) = equation.along([from, to], one / to.sqrt(), start, small);
            let loss = in_units(lost_by(s.largest, s.value.size(), rest[0]));
            let known = s.good.and(s.scale.eq(zero)).and(rest[1].eq(zero)).and(value.top().is_nan().not());
            pack([value], [R::select(known.and(small), loss, state[4]), zero])
        },
    );
    let rest = rest.and(state[4].eq(inf));
    // On a way from near 0 or by the series, whichever it is that comes first, then by the other and in the other form of DLMF 13.2.39,
    // in a loop because the code is long
    let state = R::when(
        rest,
        state,
        #[inline(always)]
        || {
            R::repeat(
                state,
                3,
                #[inline(always)]
                |state| {
                    let (least, form) = (state[4], state[5]);
                    let (again, other) = (form.gt(zero), form.gt(one));
                    let tries = again.not().or(y.lt(R::lit(LONG)).and(other.and(pb.ends()).not()));
                    let (whole, rest) = (rest, rest.and(tries));
                    let z = R::select(rest, R::select(turn, y, x), zero);
                    let (p, z) = (Param::select(other, q - p, p), R::select(other, -z, z));
                    let shift = R::select(turn, R::select(other, zero, -y), R::select(other, x, zero));
                    let (swing, ahead, alternates) = alternating(p.rounded(), q.rounded(), z);
                    let untried = again.and(other.not()).and(alternates.not());
                    let march = again.not().and(alternates).or(untried).and(rest).and(z.gt(zero)).and(swing.gt(zero));
                    let reach = R::lit(SWING * SWING * 0.25) / swing;
                    let wide = q.rounded().gt(R::lit(WIDE));
                    let reach = R::select(wide, reach.max(q.rounded() * R::lit(SWING * 0.5) / swing), reach);
                    let past = z.gt(reach);
                    let finite = march.and(past).and(p.fixed_end()).and(swing.le(R::lit(DEGREES)));
                    let march = march.and(finite.not());
                    // Of a negative second parameter there is little of the solution that outgrows the others next to 0.
                    let lifted = march.and(ahead.gt(one));
                    let high = q.step(R::select(lifted, ahead.floor() + one, zero));
                    let march = march.and(past);
                    let near = R::select(march, reach, z);
                    let s =
                        series::<R, K, 1, 1, false>([p], [high], Dd::new(near, zero), 20_000, R::lit(enough(K)), rest);
                    let [value, slope] = [s.value.rounded(), s.slope.rounded()];
                    let pair = R::when(
                        march,
                        pack::<R, K, 2, 2, 10>([value, slope], [one, zero]),
                        #[inline(always)]
                        || {
                            let equation =
                                Equation { bend: 0.0, c: high.dual::<K>(), q: Dual::lit(1.0), p: p.dual::<K>() };
                            let slope = slope.times(one / R::select(march, reach, one));
                            let ([value, slope], rest) =
                                equation.along([reach, z], R::lit(2.0) / swing.sqrt(), [value, slope], march);
                            pack([value, slope.times(z)], rest)
                        },
                    );
                    let down = R::when(
                        lifted,
                        pack::<R, K, 1, 2, 6>([at::<R, K, 10>(&pair, 0)], [one, zero]),
                        #[inline(always)]
                        || {
                            let high = Param::select(lifted, high, Param::lit(0.5));
                            let pair = [[at::<R, K, 10>(&pair, 0)], [at(&pair, 1)]];
                            let ([f], rest) = steps_down([p, high], [z], pair, ahead.floor(), lifted);
                            pack([f], rest)
                        },
                    );
                    let value = at::<R, K, 6>(&down, 0);
                    // Polynomials, which are small beside other solutions far out, in steps of the degree
                    let climbed = R::when(
                        finite,
                        pack::<R, K, 1, 1, 5>([value], [zero]),
                        #[inline(always)]
                        || {
                            let degree = R::select(finite, -p.rounded(), one);
                            let q = Param::select(finite, q, Param::lit(1.0));
                            let steps = KummerSteps { c: q, z: [R::select(finite, z, zero)] };
                            let ([value], error) = steps.climbed::<K>(degree, finite);
                            pack([value], [error])
                        },
                    );
                    let value = at::<R, K, 5>(&climbed, 0);
                    let scale = R::select(finite, zero, s.scale + pair[9] + down[5]);
                    let value = unscale(value, scale, shift);
                    // The first way goes where the solution is not outgrown.
                    let gained = R::select(lifted, down[4], pair[8]);
                    let followed = in_units(lost_by(s.largest, s.value.size(), gained));
                    let lost = summed_loss(s.largest, s.value.size());
                    let lost = R::select(march, lost.max(R::lit(UNITS)), lost);
                    let loss = R::select(lifted.or(march.and(again)), followed, lost);
                    let some = s.value.size().gt(zero).or(s.scale.eq(zero));
                    let kept = s.good.and(some).and(spent(s.largest, s.value.size()).not());
                    let loss = R::select(kept, loss, inf);
                    let loss = R::select(finite, in_units(climbed[4]), loss);
                    let better = rest.and(loss.lt(R::select(again, least.min(R::lit(AGAIN)), least)));
                    let value = Dual::select(better, value, at(&state, 0));
                    let least = R::select(better, loss, least);
                    (pack([value], [least, form + one]), whole.and(least.gt(R::lit(THIN))))
                },
            )
        },
    );
    let falls = rest.and(state[4].gt(R::lit(THIN))).and(p.rounded().gt(zero)).and(p.rounded().lt(R::lit(FOLLOWED)));
    let pole = -q.rounded();
    let falls = falls.and(pole.gt(R::lit(POLE_FROM))).and(y.lt(pole * R::lit(0.25))).and(y.gt(one));
    let state = R::when(
        falls,
        state,
        #[inline(always)]
        || {
            let (value, known) = fallen::<R, K>([p, q], y, falls);
            let value = unscale(value, zero, R::select(turn, -y, zero));
            let loss = R::select(known, in_units(R::lit(STEPS_LOSE)), state[4]);
            pack([Dual::select(known, value, at(&state, 0))], [loss, state[5]])
        },
    );
    (at(&state, 0), state[4])
}

/// Roundings in a product of many ratios, each close to 1.
const STEPS_LOSE: f64 = 16.0;

/// Kummer's function of `p > 0` and `q` below `-4y` by DLMF 13.2.42, and whether it is found: `Gamma(1 + p - q) / Gamma(1 - q) U(p, q, y)`,
/// which falls where the terms of the series alternate, and what its terms from number `-q` on add. The first is the minimal solution of
/// the recurrence in `p`: what its ratios lack of 1 by Miller's algorithm (DLMF 3.6.3), to the fraction of `p`, of which the terms fall.
#[inline(always)]
fn fallen<R: Real, const K: usize>([p, q]: [Param<R>; 2], y: R, on: R::Mask) -> (Dual<R, K>, R::Mask) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let p = Param::select(on, p, Param::lit(0.5));
    let q = Param::select(on, q, Param::lit(-1000.5));
    let y = R::select(on, y, one);
    let (a, b) = (p.rounded(), q.rounded());
    let whole = a.floor();
    let above = (R::lit(60.0) + R::lit(30.0) * ((a + one) / y).sqrt() + R::lit(900.0) / y).ceil();
    // What the ratios lack of 1, the logarithm of their product without its value, and that
    let start: [R; 11] = pack([Dual::<R, K>::lit(0.0), Dual::lit(0.0)], [above, one, zero]);
    let state = R::repeat(
        start,
        2 * FOLLOWED as u32,
        #[inline(always)]
        |state| {
            let (lack, log, k) = (at::<R, K, 11>(&state, 0), at(&state, 1), state[8]);
            let here = p.step(k);
            let upper = here.dual() * lack + Dual::constant(y);
            let lack = upper / (upper + (here - q).dual());
            let over = one / (one - lack.value());
            let gone = Dd::two_prod(state[9], lack.value());
            let kept = Dd::two_sum(state[9], -gone.hi);
            let rest = kept.lo + ((state[10] - state[10] * lack.value()) - gone.lo);
            let product = Dd::fast_two_sum(kept.hi, rest);
            let counts = k.le(zero);
            let log = Dual::select(counts, log + lack.chain([zero, -over, -(over * over)]), log);
            let product = Dd::select(counts, product, Dd::new(state[9], state[10]));
            (pack([lack, log], [k - one, product.hi, product.lo]), on.and(k.gt(one - whole)))
        },
    );
    let product = at::<R, K, 11>(&state, 1).chain([Dd::new(state[9], state[10]).value(); 3]);
    let fraction = p.step(-whole);
    let sums: [R; 9] = pack([Dual::<R, K>::lit(1.0), Dual::lit(1.0)], [zero]);
    let sums = R::repeat(
        sums,
        100,
        #[inline(always)]
        |state| {
            let (term, sum, k) = (at::<R, K, 9>(&state, 0), at::<R, K, 9>(&state, 1), state[8]);
            let next = k + one;
            let term = (term * (fraction.step(k).dual() / q.step(k).dual())).times(y / next);
            (pack([term, sum + term], [next]), on.and(term.size().gt(R::lit(1e-18))))
        },
    );
    let value = product * at(&sums, 1);
    let (high, power) = ([(p - q).plus(1.0), (-q).plus(2.0)], (-q).plus(1.0));
    let (gammas, _) = log_gammas::<R, K, 3>([high[0], Param::lit(1.0), Param::lit(1.0)], [power, high[1], p]);
    let (rate, sine) = (R::lit(PI), shared::sinpi(b));
    let (steep, turn) = (sine.abs(), shared::cospi(b) / sine);
    let pole = q.dual().chain([shared::log(rate / steep), -(rate * turn), rate * rate * turn.fma(turn, one)]);
    let front = gammas + power.dual().times(shared::log(y)) + pole;
    // The logarithm of at least its size, with powers for derivatives beside poles
    let most = front.value() + y * (high[0].rounded() / high[1].rounded()) - R::lit(2.0) * shared::log(steep);
    let counts = on.and(most.gt(shared::log(value.value()) - R::lit(60.0)));
    let out: [R; 5] = pack([value], [one]);
    let out = R::when(
        counts,
        out,
        #[inline(always)]
        || {
            let s =
                series::<R, K, 1, 1, false>([high[0]], [high[1]], Dd::new(y, zero), 20_000, R::lit(enough(K)), counts);
            let sum = s.value.rounded();
            let over = one / sum.value();
            let log = front
                + sum.chain([shared::log(sum.value()), over, -(over * over)])
                + Dual::constant(s.scale * R::lit(512.0 * LN2.0));
            let rest = from_logarithm((log, one.copysign(sine)));
            pack([value + rest], [R::select(s.good, one, zero)])
        },
    );
    (at(&out, 0), on.and(out[4].eq(one)))
}

/// Kummer's function of the second parameter `q - 1 - n` from it and `z` times its slope at `q`, in steps of 1 (DLMF 13.3.2), and how
/// many times as large beside it an error of one of them becomes: other solutions grow as the Casoratian does over its square. On the
/// way down it is not dominated by them from where a positive argument is among its zeros. Last, the power of `2^512` in whose units it is.
#[inline(always)]
pub(crate) fn steps_down<R: Real, const K: usize, const P: usize>(
    [p, q]: [Param<R>; 2],
    z: [R; P],
    [value, slope]: Pair<R, K, P>,
    n: R,
    on: R::Mask,
) -> ([Dual<R, K>; P], [R; 2]) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let mut square = zero;
    for part in z {
        square = part.fma(part, square);
    }
    let size = square.sqrt();
    let before = q.plus(-1.0).dual();
    let first: [Dual<R, K>; P] = each(
        #[inline(always)]
        |i| value[i] + slope[i] / before,
    );
    let state = R::repeat(
        written::<R, K, P, 2, 4, 20>([first, value], [zero, one, one, zero]),
        DEGREES as u32,
        #[inline(always)]
        |state| {
            let (f, above): ([Dual<R, K>; P], [Dual<R, K>; P]) = (parts(&state, 0), parts(&state, 8));
            let (k, follow, scale) = (state[16], [state[17], state[18]], state[19]);
            let next = k + one;
            let (here, below) = (q.step(-next), q.step(-next - one));
            let (factor, lead) = ((here - p).dual() / here.dual(), below.step(z[0]).dual());
            let fall = mapped(
                above,
                #[inline(always)]
                |v| factor * v,
            );
            let lower: [Dual<R, K>; P] = each(
                #[inline(always)]
                |i| (turned(f, lead * f[i], z, i) - turned(fall, fall[i].times(z[0]), z, i)) / below.dual(),
            );
            let ratio = (factor.value() / below.rounded()).abs() * size;
            let root = ratio.sqrt();
            let extent = inlined(
                #[inline(always)]
                |low: [Dual<R, K>; P], high: [Dual<R, K>; P]| {
                    let (mut extent, mut scale) = (zero, one);
                    for list in [low, high] {
                        for v in list {
                            extent = extent.max(v.value().abs() * scale);
                        }
                        scale = root;
                    }
                    extent
                },
            );
            let size = extent(lower, f);
            let gain = root * extent(f, above) / size;
            let follow = grown(follow, gain * gain);
            let [unit, scale] = rescaled(size, scale);
            let pair = mapped(
                [lower, f],
                #[inline(always)]
                |v| {
                    mapped(
                        v,
                        #[inline(always)]
                        |part| part.times(unit),
                    )
                },
            );
            let go = k.lt(n).and(on);
            let new: [R; 20] = written(pair, [next, follow[0], follow[1], scale]);
            let kept = each(
                #[inline(always)]
                |i| R::select(go, new[i], state[i]),
            );
            (kept, next.lt(n).and(on))
        },
    );
    (parts(&state, 0), [state[18], state[19]])
}

/// The recurrence of Kummer's polynomials in their degree (DLMF 13.3.1), `F(-k; c; z)`, in differences.
pub(crate) struct KummerSteps<R, const P: usize> {
    pub c: Param<R>,
    pub z: [R; P],
}

impl<R: Real, const P: usize> KummerSteps<R, P> {
    /// The polynomial of a degree from 1 on, and its error.
    #[inline(always)]
    pub fn climbed<const K: usize>(&self, degree: R, on: R::Mask) -> ([Dual<R, K>; P], R) {
        let (one, over) = (R::lit(1.0), Dual::<R, K>::lit(1.0) / self.c.dual());
        let gap = mapped(
            self.z,
            #[inline(always)]
            |z| over.times(-z),
        );
        let mut first = gap;
        first[0] = first[0].plus(1.0);
        followed(self, [one, degree], [first, gap], added([one, R::lit(0.0)], sizes(first)), on)
    }
}

impl<R: Real, const P: usize> Recurrence<R, P> for KummerSteps<R, P> {
    #[inline(always)]
    fn next<const K: usize>(&self, k: R, pair: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]) {
        let over = Dual::lit(1.0) / self.c.step(k).dual();
        stepped([over.times(k), over], None, self.z, pair)
    }
}

/// Beyond this first parameter the first term is no less, beside those after it, than what decides about the end of a sum.
const LEAST: f64 = 1e-3;
pub(crate) const LARGEST: f64 = 100.0;

/// Whether a second parameter serves sums of Kummer's series as it stands, without rescaled terms.
#[inline(always)]
pub(crate) fn summed<R: Real>(b: R) -> R::Mask {
    b.gt(R::lit(1e-100)).and(b.lt(R::lit(LARGEST)))
}

/// Where all terms of Kummer's series, after DLMF 13.2.39 for `x < 0`, are positive and few, and its first parameter.
#[inline(always)]
pub(super) fn positive<R: Real>(a: R, b: R, x: R) -> (R, R::Mask) {
    let p = R::select(x.lt(R::lit(0.0)), b - a, a);
    (p, p.gt(R::lit(LEAST)).and(p.lt(R::lit(LARGEST))).and(summed(b)).and(x.abs().lt(R::lit(30.0))))
}

/// Where the terms of Kummer's series alternate at first, after DLMF 13.2.39 for `x < 0`, or all but one are next to nothing, and are
/// few; and its first parameter.
#[inline(always)]
pub(super) fn turning<R: Real>(a: R, b: R, x: R) -> (Dd<R>, R::Mask) {
    let p = Dd::two_sum(a, R::select(x.lt(R::lit(0.0)), -b, R::lit(0.0)));
    let p = Dd::select(x.lt(R::lit(0.0)), -p, p);
    (p, p.hi.le(R::lit(LEAST)).and(p.hi.gt(R::lit(-LARGEST))).and(summed(b)).and(x.abs().lt(R::lit(40.0))))
}

/// The steps of Kummer's series, or of `0F1` without `UPPER`, in double-double arithmetic for parameters below 256, which are split
/// into multiples of 2^-43, to which integers are added without rounding, and rests.
pub(crate) struct Steps<R, const UPPER: bool> {
    p: Dd<R>,
    q: Dd<R>,
}

impl<R: Real, const UPPER: bool> Steps<R, UPPER> {
    #[inline(always)]
    pub(crate) fn of(p: Dd<R>, q: R) -> Self {
        let grid = R::lit(768.0);
        let (p_main, q_main) = ((p.hi + grid) - grid, (q + grid) - grid);
        Steps { p: Dd::new(p_main, p.hi - p_main + p.lo), q: Dd::new(q_main, q - q_main) }
    }
    /// `(p + k) / ((q + k) (k + 1))` times a number.
    #[inline(always)]
    pub(crate) fn factor(&self, k: R, times: R) -> Dd<R> {
        let next = k + R::lit(1.0);
        let above = Dd::two_prod(self.p.hi + k, times);
        let above = Dd::new(above.hi, self.p.lo.fma(times, above.lo));
        let above = if UPPER { above } else { Dd::new(times, R::lit(0.0)) };
        let below = Dd::two_prod(self.q.hi + k, next);
        above / Dd::fast_two_sum(below.hi, self.q.lo.fma(next, below.lo))
    }
    /// Whether terms after the one of number `k` that has this size count beside the sum: a tiny factor may come before those that let
    /// the terms grow.
    #[inline(always)]
    pub(crate) fn go_on(&self, k: R, size: R, sum: R, argument: R) -> R::Mask {
        let one = R::lit(1.0);
        let above = if UPPER { (self.p.hi + k) * argument } else { argument };
        let growing = above.gt((self.q.hi + k) * (k + one));
        let early = if UPPER { growing.or(k.lt(-self.p.hi)) } else { growing };
        size.gt(sum * R::lit(1e-18)).or(early).and(size.gt(R::lit(0.0)))
    }
}

/// So many times may terms exceed their sum in double-double arithmetic.
pub(crate) const EXCESS: f64 = 1e13;

/// Terms below this share of their sum, each less than half of the one before, are summed in one double.
const LIGHT: f64 = 1.0 / 64.0;

/// A sum with the terms of Kummer's series after number `k` in one double, as long as one counts: from `k`, that term and the sum.
#[inline(always)]
fn light_terms<R: Real>([p, q, z]: [R; 3], start: [R; 3], counts: impl Fn(R, R) -> R::Mask) -> R {
    R::repeat(
        start,
        400,
        #[inline(always)]
        |[k, term, sum]| {
            let next = k + R::lit(1.0);
            let term = term * ((p + k) * z) / ((q + k) * next);
            ([next, term, sum + term], counts(term, sum))
        },
    )[2]
}

/// Kummer's series; NaN where it loses too many digits.
#[inline(always)]
fn kummer_sum<R: Real>(p: Dd<R>, q: R, z: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let steps = Steps::<R, true>::of(p, q);
    let [k, t, _, hi, lo, largest] = R::repeat(
        [zero, one, zero, one, zero, one],
        400,
        #[inline(always)]
        |[k, t, t_lo, s, s_lo, largest]| {
            let next = k + one;
            let factor = steps.factor(k, z);
            let lead = Dd::two_prod(t, factor.hi);
            let t_lo = t.fma(factor.lo, t_lo.fma(factor.hi, lead.lo));
            let sum = Dd::two_sum(s, lead.hi);
            let size = lead.hi.abs();
            let light = size.lt(sum.hi.abs() * R::lit(LIGHT)).and(factor.hi.abs().lt(R::lit(0.5)));
            let go = steps.go_on(next, size, sum.hi.abs(), z).and(light.and(next.gt(-p.hi)).not());
            ([next, lead.hi, t_lo, sum.hi, s_lo + (sum.lo + t_lo), largest.max(size)], go)
        },
    );
    let rest = light_terms(
        [p.hi, q, z],
        [k, t, zero],
        #[inline(always)]
        |t, _| t.abs().gt(hi.abs() * R::lit(1e-18)),
    );
    let value = hi + (lo + rest);
    R::select(largest.lt(value.abs() * R::lit(EXCESS)), value, R::lit(NAN))
}

/// Kummer's function `1F1(a; b; x)`, DLMF 13.2.2; infinite at the poles.
#[inline(always)]
pub fn hyp1f1<R: Real>(a: R, b: R, x: R) -> R {
    named!("hyp1f1", |a, b, x| {
        let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
        let (p, plain) = positive(a, b, x);
        let [out] = R::when(
            plain,
            [zero],
            #[inline(always)]
            || {
                let pick = |v: R| R::select(plain, v, one);
                let (p, q, y) = (pick(p), pick(b), R::select(plain, x.abs(), zero));
                let sum = light_terms(
                    [p, q, y],
                    [zero, one, one],
                    #[inline(always)]
                    |term, sum| term.gt(sum * R::lit(f64::EPSILON / 4.0)),
                );
                let [fall] = R::when(
                    x.lt(zero),
                    [one],
                    #[inline(always)]
                    || [shared::exp(-y)],
                );
                [sum * fall]
            },
        );
        let (p, turns) = turning(a, b, x);
        let [out] = R::when(
            turns,
            [out],
            #[inline(always)]
            || {
                let pick = |v: R| R::select(turns, v, one);
                let y = R::select(turns, x.abs(), zero);
                let sum = kummer_sum(Dd::select(turns, p, Dd::lit(1.0, 0.0)), pick(b), y);
                [sum * R::select(x.lt(zero), shared::exp(-y), one)]
            },
        );
        let done = plain.or(turns.and(out.is_nan().not()));
        let [out] = R::when(
            done.not(),
            [out],
            #[inline(always)]
            || [kummer::<R, 1>(zero, a, b, R::select(done, zero, x))],
        );
        let at_pole = b.le(zero).and(b.floor().eq(b)).and(b.abs().lt(inf));
        let closes = a.lt(zero).and(a.floor().eq(a)).and(a.ge(b));
        let out = R::select(at_pole.and(closes.not()), inf, out);
        let out = R::select(b.eq(inf).and(a.abs().lt(inf)).and(x.abs().lt(inf)), one, out);
        R::select(a.is_nan().or(b.is_nan()).or(x.is_nan()), R::lit(NAN), out)
    })
}

/// A first derivative of Kummer's function in `a` (1) or `b` (2).
#[inline(always)]
pub fn hyp1f1_d1<R: Real>(i: R, a: R, b: R, x: R) -> R {
    named!("hyp1f1_d1", |i, a, b, x| kummer::<R, 2>(i, a, b, x))
}

/// A second derivative of Kummer's function in the parameters `10 i + j`.
#[inline(always)]
pub fn hyp1f1_d2<R: Real>(ij: R, a: R, b: R, x: R) -> R {
    named!("hyp1f1_d2", |ij, a, b, x| kummer::<R, 4>(ij, a, b, x))
}

/// `Gamma(a) U(a, b, x)` and `Gamma(a + 1) U(a + 1, b, x)` over `e^shift`, and the shift: the integral of DLMF 13.4.4 for `a > 0`
/// by the trapezoidal rule about the peak of the integrand, after a substitution that makes both tails fall off exponentially
/// or faster (H. Takahasi, M. Mori, "Double exponential formulas for numerical integration", Publ. RIMS 9, 1974). The derivatives of a
/// `lowered` one are those in `b` of `Gamma(a - 1) U(a - 1, b, x)`, the integral of which has them for `a > 0` too.
#[inline(always)]
fn tricomi_integral<R: Real, const K: usize>(
    a: Param<R>,
    b: Param<R>,
    x: R,
    lowered: R::Mask,
    on: R::Mask,
) -> ([Dual<R, K>; 2], Dd<R>) {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let power = (b - a).plus(-1.0);
    let c = power.rounded();
    let slope = a.rounded();
    // The peak of t^a (1 + t)^c e^(-x t)
    let linear = x - b.rounded() + one;
    let root = (linear * linear + R::lit(4.0) * slope * x).sqrt();
    let right = linear.gt(zero);
    let peak = R::select(right, two * slope / (linear + root), (root - linear) / (two * x));
    let peak = R::select(on.and(peak.gt(zero)), peak, one);
    let near = one + peak;
    let width = (x * peak - c * peak / (near * near)).abs();
    // log t = log(peak) + d - (e^-v - e^-start) with v = start + d: linear from 1 to the peak, steeper to the left of both
    let log = crate::elementary::log_sum(near).plus((peak - (near - one)) / near);
    let tiny = peak.lt(R::lit(1e-200));
    let log_peak = crate::elementary::log_sum(R::select(tiny, peak * R::lit(1e200), peak));
    let log_peak = Dd::select(tiny, log_peak.plus(R::lit(-460.517_018_598_809_1)), log_peak);
    let bend = one / peak.max(one);
    let step = R::lit(0.125).min(R::lit(0.7) / (width.sqrt() * (one + bend)));
    let state = R::repeat(
        [zero, one, zero, zero, zero, zero, zero, zero, zero, zero],
        16_000,
        #[inline(always)]
        |[k, side, s0, s1, s2, s3, n0, n1, n2, n3]| {
            let v = k * step * side;
            let curve = shared::expm1(-v) * bend;
            let g = v - curve;
            let d = shared::expm1(g);
            let t = peak * shared::exp(g);
            let weight =
                shared::exp(slope * g - x * peak * d + c * shared::log1p(peak * d / near)) * (one + bend + curve);
            let share = t / (one + t);
            let next = weight * share;
            let (mut p, mut q) = ([zero; 4], [zero; 4]);
            p[0] = weight;
            q[0] = next;
            if K > 1 {
                let up = shared::log1p(t);
                let down = log_peak.hi + g - up;
                let rate = inlined(
                    #[inline(always)]
                    |i: usize| {
                        let l = a.speed[i] * down + b.speed[i] * up;
                        R::select(weight.gt(zero), l, zero)
                    },
                );
                let l1 = rate(0);
                p[1] = weight * R::select(lowered.and(share.gt(zero)), l1 / share, l1);
                q[1] = next * l1;
                if K > 2 {
                    let l2 = rate(1);
                    p[2] = weight * l2;
                    q[2] = next * l2;
                    p[3] = p[1] * l2;
                    q[3] = q[1] * l2;
                }
            }
            let mut go = R::Mask::lit(false);
            let tiny = R::lit(1e-18);
            for (term, sum) in [(p[0], s0), (p[1], s1), (p[2], s2), (p[3], s3), (q[0], n0), (q[1], n1), (q[3], n3)] {
                go = go.or(term.abs().gt(sum.abs() * tiny));
            }
            let first = side.gt(zero);
            let k = R::select(go, k + one, one);
            let side = R::select(go, side, -one);
            let out = [k, side, s0 + p[0], s1 + p[1], s2 + p[2], s3 + p[3], n0 + q[0], n1 + q[1], n2 + q[2], n3 + q[3]];
            (out, go.or(first).and(on))
        },
    );
    let sums = mapped(
        [2, 6],
        #[inline(always)]
        |i| {
            Dual(each(
                #[inline(always)]
                |k| state[i + k] * step,
            ))
        },
    );
    // a log t + c log(1 + t) - x t at the peak
    let shift = log_peak * a.value + log * power.value - Dd::two_prod(x, peak);
    (sums, shift)
}

/// `U(a, b, x)` and `U(a + 1, b, x)` for `a > 0`; the derivatives of a `lowered` first one are those in `b` of `U(a - 1, b, x) / (a - 1)`.
#[inline(always)]
fn tricomi_right<R: Real, const K: usize>(
    a: Param<R>,
    b: Param<R>,
    x: R,
    lowered: R::Mask,
    on: R::Mask,
) -> [Dual<R, K>; 2] {
    let (sums, shift) = tricomi_integral::<R, K>(a, b, x, lowered, on);
    let v = a.rounded();
    let large = v.gt(R::lit(150.0));
    let inner = Param::select(large, Param { value: Dd::lit(1.0, 0.0), speed: a.speed }, a);
    let front = rgamma_of::<R, K>(inner);
    let front = R::when(
        large,
        front.0,
        #[inline(always)]
        || {
            let mut f = [R::lit(1.0); 3];
            if K > 1 {
                let rate = shared::digamma(v);
                f[1] = -rate;
                if K > 2 {
                    f[2] = rate * rate - shared::trigamma(v);
                }
            }
            a.dual::<K>().chain(f).0
        },
    );
    let shift = Dd::select(large, shift.plus(-shared::gammaln(v)), shift);
    // By halves, for products in range of factors that are not
    let root = crate::elementary::exp_dd(shift.times_pow2(R::lit(0.5)));
    let front = Dual(front);
    let next = front / a.dual();
    [(front * sums[0]).times(root).times(root), (next * sums[1]).times(root).times(root)]
}

/// Second parameters of Tricomi's function up to here are reached in steps.
const SECOND: f64 = 60.0;

/// `U(a - 1, b, x)` and `U(a, b, x)` for `0 < a <= 1.5` from `U(a, b - m, x)` and `U(a + 1, b - m, x)`: the former is summed (DLMF
/// 13.3.9) from `0 < b - m <= 1`, the others are of one sign (DLMF 13.3.10, 13.3.11).
#[inline(always)]
fn from_below<R: Real, const K: usize>(
    a: Param<R>,
    b: Param<R>,
    m: R,
    x: R,
    [first, next]: [Dual<R, K>; 2],
) -> [Dual<R, K>; 2] {
    let (one, alpha, low) = (R::lit(1.0), a.dual::<K>(), b.step(-m));
    let start = (a + a - low).step(x).dual() * first - alpha * (a - low).plus(1.0).dual() * next;
    let inverse = one / x;
    let state = R::repeat(
        pack::<R, K, 3, 1, 13>([first, next, Dual::lit(0.0)], [R::lit(0.0)]),
        SECOND as u32,
        #[inline(always)]
        |state| {
            let [f, next, sum] = each(
                #[inline(always)]
                |i| at::<R, K, 13>(&state, i),
            );
            let k = state[12];
            let go = k.lt(m);
            let beyond = (low.step(k) - a).plus(-1.0).dual() * next;
            let above = (a.step(x).dual() * f + alpha * beyond).times(inverse);
            let next = Dual::select(go, (beyond + f).times(inverse), next);
            let f = Dual::select(go, above, f);
            let sum = Dual::select(go, sum + f, sum);
            (pack([f, next, sum], [k + one]), (k + one).lt(m))
        },
    );
    [start + a.plus(-1.0).dual() * at::<R, K, 13>(&state, 2), at::<R, K, 13>(&state, 0)]
}

/// Below this first parameter derivatives in the second one are found in units of it.
const HARDLY: f64 = 1.0 / 16.0;

/// Tricomi's function or a derivative in its parameters.
#[inline(always)]
fn tricomi<R: Real, const K: usize>(code: R, a: R, b: R, x: R) -> R {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(NAN));
    let limit = R::lit(1e15);
    let [pa, pb] = directions::<R, 2, K>(code, [a, b]);
    let on = a.abs().lt(limit).and(b.abs().lt(limit)).and(x.gt(zero)).and(x.lt(R::lit(INF)));
    let unit = Param::lit(1.0);
    // DLMF 13.2.18-13.2.22
    let origin = x.eq(zero).and(b.lt(one)).and(a.abs().max(b.abs()).lt(limit));
    let mut at_origin = [nan];
    if K > 1 {
        at_origin = R::when(
            origin,
            [nan],
            #[inline(always)]
            || {
                let inner = inlined(
                    #[inline(always)]
                    |p: Param<R>| Param::select(origin, p, unit),
                );
                [(gamma_of(inner(unit - pb).dual::<K>()) * rgamma_of(inner((pa - pb).plus(1.0)))).top()]
            },
        );
    }
    let (pa, pb) = (Param::select(on, pa, unit), Param::select(on, pb, unit));
    let x = R::select(on, x, one);
    // DLMF 13.7.3 where its series reaches the last digit
    let far = on.and(x.gt(R::lit(20.0)));
    let out = R::when(
        far,
        [zero, zero],
        #[inline(always)]
        || {
            let z = Dd::lit(-1.0, 0.0) / Dd::new(x, zero);
            let s = series::<R, K, 2, 0, true>([pa, pa - pb + unit], [], z, 200, R::lit(1e-17), far);
            let value = (s.value.rounded() * power_of(Dd::new(x, zero), (-pa).dual())).top();
            let kept = s.largest.lt(s.value.0[0].hi.abs() * R::lit(1e12));
            [value, R::select(s.good.and(kept), one, zero)]
        },
    );
    // Of a function that hardly depends on `b` the derivatives in `b` are not those of parts of it.
    let slight = on.and(pb.moves()).and(pa.moves().not()).and(a.abs().lt(R::lit(HARDLY))).and(a.ne(zero));
    // DLMF 13.2.42 where its terms do not cancel
    let low = on.and(slight.not()).and(pa.rounded().le(zero).and(x.lt(R::lit(20.0))).or(x.lt(R::lit(1e-3))));
    // Next to integers the gamma functions of rounded arguments are off.
    let (second, mirror) = (pb.rounded(), (pa - pb).plus(1.0).rounded());
    let gap = (second - second.round()).abs() * R::lit(64.0);
    let low = low.and(gap.gt(second.abs().max(mirror.abs()).max(one)));
    let out = R::when(
        low,
        out,
        #[inline(always)]
        || {
            let x = R::select(low, x, zero);
            let inner = inlined(
                #[inline(always)]
                |p: Param<R>| Param::select(low, p, Param::lit(0.5)),
            );
            let (p, q) = (inner(pa), inner(pb));
            let (mirror, other) = ((p - q).plus(1.0), Param::lit(2.0) - q);
            let first = series::<R, K, 1, 1, false>([p], [q], Dd::new(x, zero), 3000, R::lit(NEGLIGIBLE), low);
            let second =
                series::<R, K, 1, 1, false>([mirror], [other], Dd::new(x, zero), 3000, R::lit(NEGLIGIBLE), low);
            let rest = (unit - q).dual::<K>();
            let t = gamma_of(rest) * rgamma_of(mirror) * first.value.rounded();
            let base = Dd::new(R::select(low, x, one), zero);
            let u = gamma_of(-rest) * rgamma_of(p) * power_of(base, rest) * second.value.rounded();
            let sum = t + u;
            let fine = inlined(
                #[inline(always)]
                |i: usize| (t.0[i].abs() + u.0[i].abs()).lt(sum.0[i].abs() * R::lit(8.0)),
            );
            let accepted = first.good.and(second.good).and(first.scale.eq(zero)).and(second.scale.eq(zero));
            let accepted = accepted.and(fine(K - 1)).and(sum.top().abs().lt(R::lit(INF))).and(low);
            let kept = R::select(accepted, sum.top(), out[0]);
            [kept, R::select(accepted, one, out[1])]
        },
    );
    let near = on.and(out[1].eq(zero));
    let [out] = R::when(
        near,
        [out[0]],
        #[inline(always)]
        || {
            let short = pa.fixed_end();
            let mirror = (pa - pb).plus(1.0);
            let left = pa.rounded().le(zero);
            // Down from where the asymptotic series is right: nothing outgrows the function on the way.
            let [low, span] = [pa.rounded(), mirror.rounded().abs() - pa.rounded()];
            let from = (low * mirror.rounded()).abs() * R::lit(0.03) + span * R::lit(3.0) + R::lit(50.0);
            let march = near.and(low.lt(-one)).and(mirror.rounded().lt(-one)).and(from.gt(x));
            // Of two polynomials that one whose terms do not cancel
            let turned_short = short.and(mirror.fixed_end()).and(pb.rounded().lt(one));
            let march = march.and(short.not().or(pb.rounded().lt(zero).and(turned_short.not())));
            let march = march.and(x.gt(R::lit(1e-3))).and(from.lt(R::lit(1e5)));
            let marched = R::when(
                march,
                [zero, zero],
                #[inline(always)]
                || {
                    let z = Dd::lit(-1.0, 0.0) / Dd::new(from, zero);
                    let s = series::<R, K, 2, 0, true>([pa, mirror], [], z, 1000, R::lit(1e-17), march);
                    let unit = Dual::lit(1.0);
                    let equation = Equation { bend: 0.0, c: pb.dual::<K>(), q: unit, p: pa.dual::<K>() };
                    let value = s.value.rounded();
                    let slope = (s.slope.rounded() + pa.dual::<K>() * value).times(-(one / from));
                    let width = R::lit(2.0) / (-low).max(one).sqrt();
                    let ([f, _], [_, power]) = equation.along([from, x], width, [value, slope], march);
                    let root = power_of::<R, K>(Dd::new(from, zero), pa.scaled(R::lit(-0.5)).dual());
                    let kept = s.largest.lt(s.value.0[0].hi.abs() * R::lit(1e14));
                    let reached = f.value().is_nan().not();
                    let unit = shared::exp2(power * R::lit(256.0));
                    let f = (f * root).times(unit) * root.times(unit);
                    [f.top(), R::select(s.good.and(kept).and(reached), one, zero)]
                },
            );
            let march = marched[1].ne(zero);
            let near = near.and(march.not());
            // DLMF 13.2.40
            let turn = left.and(short.not()).and(mirror.rounded().gt(pa.rounded())).and(slight.not()).or(turned_short);
            let p = Param::select(turn, mirror, pa);
            let q = Param::select(turn, Param::lit(2.0) - pb, pb);
            // From 0 < a + n <= 1 downwards (DLMF 13.3.7), of derivatives from where they are not those of a function about 0
            let v = p.rounded();
            let n = R::select(v.gt(zero), zero, (-v).floor() + one);
            let n = if K == 1 { n } else { (R::lit(1.5) - v).floor().max(zero) };
            let n = R::select(short, -v, R::select(slight, zero, n));
            let top = Param::select(short, unit, p.step(R::select(slight, one, n)));
            // The first step down loses digits to a large second parameter where little is left of both terms.
            let size = q.rounded();
            let lifted = near.and(short.not()).and(n.gt(zero)).and(size.gt(one)).and(size.lt(R::lit(SECOND)));
            let m = R::select(lifted, size.ceil() - one, zero);
            let pair = tricomi_right::<R, K>(top, q.step(-m), x, slight, near.and(short.not()));
            let pair = R::when(
                lifted,
                pack::<R, K, 2, 0, 8>(pair, []),
                #[inline(always)]
                || pack(from_below(top, q, m, x, pair), []),
            );
            let (f, next) = (at::<R, K, 8>(&pair, 0), at::<R, K, 8>(&pair, 1));
            let n = R::select(lifted, n - one, n);
            let f = Dual::select(short, Dual::lit(1.0), f);
            let next = Dual::select(short, Dual::lit(0.0), next);
            let state = R::repeat(
                pack::<R, K, 2, 1, 9>([f, next], [zero]),
                1_000_000,
                #[inline(always)]
                |state| {
                    let k = state[8];
                    let go = k.lt(n);
                    let (f, next) = (at::<R, K, 9>(&state, 0), at::<R, K, 9>(&state, 1));
                    let alpha = p.step(n - k);
                    let linear = (alpha + alpha - q).step(x).dual::<K>();
                    let below = linear * f - alpha.dual::<K>() * (alpha - q).plus(1.0).dual::<K>() * next;
                    let (now, above) = (Dual::select(go, below, f), Dual::select(go, f, next));
                    (pack([now, above], [k + one]), (k + one).lt(n).and(near))
                },
            );
            let f = at::<R, K, 9>(&state, 0);
            let front = power_of::<R, K>(Dd::new(x, zero), (Param::lit(1.0) - pb).dual());
            let out = Dual::select(turn, front * f, f).top();
            [R::select(march, marched[0], R::select(slight, a * out, out))]
        },
    );
    R::select(on, out, at_origin[0])
}

/// Tricomi's function `U(a, b, x)` of `x >= 0`, DLMF 13.2.6.
#[inline(always)]
pub fn hyperu<R: Real>(a: R, b: R, x: R) -> R {
    named!("hyperu", |a, b, x| {
        let (zero, one, inf, nan) = (R::lit(0.0), R::lit(1.0), R::lit(INF), R::lit(NAN));
        // Linear in `a` next to 0
        let next = a.abs().lt(R::lit(1e-18));
        let near = R::select(next, a.abs().max(R::lit(1e-99)), a);
        let (out, found) = moderate(near, b, x);
        let out = R::select(next, (out - one).fma(a / near, one), out);
        let [out] = R::when(
            found.not(),
            [out],
            #[inline(always)]
            || [tricomi::<R, 1>(zero, a, b, R::select(found, zero, x))],
        );
        // The limits at 0 and at infinity
        let [out] = R::when(
            x.eq(zero),
            [out],
            #[inline(always)]
            || {
                let ends = a.le(zero).and(a.floor().eq(a));
                let polynomial = shared::poch(b, -a) * shared::cospi(a);
                let pole = R::select(b.lt(one), shared::gamma(one - b) * shared::rgamma(a - b + one), inf);
                [R::select(ends, polynomial, pole)]
            },
        );
        let finite = a.abs().lt(inf).and(b.abs().lt(inf));
        let far = R::select(a.gt(zero), zero, R::select(a.eq(zero), one, inf));
        let out = R::select(x.eq(inf), far, out);
        let out = R::select(a.eq(zero).and(x.ge(zero)), one, out);
        R::select(finite.and(x.ge(zero)), out, nan)
    })
}

/// A first derivative of Tricomi's function in `a` (1) or `b` (2).
#[inline(always)]
pub fn hyperu_d1<R: Real>(i: R, a: R, b: R, x: R) -> R {
    named!("hyperu_d1", |i, a, b, x| tricomi::<R, 2>(i, a, b, x))
}

/// A second derivative of Tricomi's function in the parameters `10 i + j`.
#[inline(always)]
pub fn hyperu_d2<R: Real>(ij: R, a: R, b: R, x: R) -> R {
    named!("hyperu_d2", |ij, a, b, x| tricomi::<R, 4>(ij, a, b, x))
}
