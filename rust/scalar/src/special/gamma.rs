//! The gamma function, its logarithm and reciprocal, and its logarithmic derivatives.

use super::coefficients as c;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, PI};

const INF: f64 = f64::INFINITY;
/// `log(sqrt(2 pi))` in two parts.
pub(super) const LOG_ROOT_2PI: (f64, f64) = (0.9189385332046728, -3.8782941580672414e-17);
/// The positive root of digamma in two parts.
pub(crate) const DIGAMMA_ROOT: (f64, f64) = (1.4616321449683622, 9.549995429965697e-17);
/// The negative root of digamma next to -1/2 in two parts.
pub(crate) const DIGAMMA_LOW_ROOT: (f64, f64) = (-0.5040830082644554, -8.15428206243813e-18);
/// The reciprocals of that and of 1 above it: `(1/x0 - 1/x) / (x - x0) = 1/(x x0)`.
pub(crate) const DIGAMMA_LOW_STEPS: [f64; 2] = [1.0 / DIGAMMA_LOW_ROOT.0, 1.0 / (1.0 + DIGAMMA_LOW_ROOT.0)];
/// The root of digamma next to -2.61 in two parts, and `gammaln` there.
const DIP: (f64, f64) = (-2.6107208684441447, 9.881960746978353e-17);
const AT_DIP: f64 = -0.11862999102044386;
/// Stirling's series serves from here on.
const STIRLING_FROM: f64 = 8.0;

/// `gammaln(x) - (x - 1/2) log x + x - log(2 pi)/2` for `x >= 8`.
#[inline(always)]
pub(super) fn stirling<R: Real>(x: R) -> R {
    let r = R::lit(1.0) / x;
    r * e::polynomial(r * r, &c::STIRLING)
}

/// What [`stirling`] falls by from `x` to `x + step`, free of cancellation.
#[inline(always)]
pub(super) fn stirling_fall<R: Real>(x: R, step: R) -> R {
    let (r, next) = (R::lit(1.0) / x, R::lit(1.0) / (x + step));
    // The difference of r^k over that of r, and next^k, for k = 1, 3, ...
    let (mut quotient, mut power) = (R::lit(1.0), next);
    let mut sum = R::lit(c::STIRLING[0]);
    for &coefficient in &c::STIRLING[1..] {
        quotient = r.fma(r.fma(quotient, power), power * next);
        power = power * next * next;
        sum = quotient.fma(R::lit(coefficient), sum);
    }
    sum * (step * r * next)
}

/// `x` moved into [1, 2] by whole steps, with the product of the steps, for `0 < x < 8`: gamma is `up / (down * rgamma)`.
#[inline(always)]
fn reduce<R: Real>(x: R) -> (R, R, R) {
    let one = R::lit(1.0);
    let low = x.lt(one);
    let steps = x.floor() - one;
    let base = R::select(low, x, x - steps);
    // The roundings of the product are as many as the steps.
    let mut up = Dd::new(one, R::lit(0.0));
    for j in 0..6 {
        let j = R::lit(f64::from(j));
        let next = Dd::two_prod(up.hi, base + j);
        up = Dd::select(j.lt(steps), Dd::new(next.hi, up.lo.fma(base + j, next.lo)), up);
    }
    (base - R::select(low, R::lit(0.5), R::lit(1.5)), up.value(), R::select(low, x, one))
}

/// `(small, m, log)`: gamma of a positive `x` is `m` where small, `e^log` elsewhere.
#[inline(always)]
pub(super) fn gamma_parts<R: Real>(x: R) -> (R::Mask, R, Dd<R>) {
    let small = x.lt(R::lit(STIRLING_FROM));
    let [m] = R::when(
        small,
        [R::lit(1.0)],
        #[inline(always)]
        || {
            let (t, up, down) = reduce(R::select(small, x, R::lit(1.0)));
            [up / (down * e::polynomial(t, &c::RGAMMA))]
        },
    );
    let [hi, lo] = R::when(
        small.not(),
        [R::lit(0.0); 2],
        #[inline(always)]
        || {
            let rest = stirling(x) + R::lit(LOG_ROOT_2PI.1);
            let log = e::log_sum(x).times(x - R::lit(0.5)).plus(-x).plus(R::lit(LOG_ROOT_2PI.0)).plus(rest);
            [log.hi, log.lo]
        },
    );
    (small, m, Dd::new(hi, lo))
}

/// `factor * e^x`, in range wherever the product is.
#[inline(always)]
pub(crate) fn exp_times<R: Real>(x: Dd<R>, factor: R) -> R {
    // The exponent of two is bounded by what `scale` takes.
    let (low, high) = (R::lit(-1400.0), R::lit(1400.0));
    let hi = R::select(x.hi.gt(high), high, R::select(x.hi.lt(low), low, x.hi));
    let (k, r) = e::reduce_ln2(Dd::new(hi, R::select(x.hi.eq(hi), x.lo, R::lit(0.0))));
    e::exp_reduced(r).normalize().times(factor).value().scale(k)
}

/// What `log gamma(x)` gains over a rest that rounding took off `x`, by a rough digamma; nothing far from the positive numbers,
/// where the condition of gamma covers such a rest.
#[inline(always)]
pub(super) fn gammaln_step<R: Real>(x: R, rest: R) -> R {
    let on = x.gt(R::lit(1e-3)).and(x.lt(R::lit(1e300)));
    let at = R::select(on, x, R::lit(1.0));
    R::select(on, rest * (e::rough_log(at) - R::lit(0.5) / at), R::lit(0.0))
}

/// `value (1 + step)` of a tiny step, also of an infinite value.
#[inline(always)]
pub(super) fn nudged<R: Real>(value: R, step: R) -> R {
    R::select(value.abs().lt(R::lit(INF)), value.fma(step, value), value)
}

/// `y sin(pi y) / pi`, the factor of reflection: `gamma(-y) = -1 / (y sin(pi y) / pi * gamma(y))` (DLMF 5.5.3).
#[inline(always)]
fn turn<R: Real>(y: R) -> Dd<R> {
    Dd::two_prod(y, shared::sinpi(y)) * Dd::lit(FRAC_1_PI, -1.9678676675182486e-17)
}

/// Gamma function; NaN at the negative integers, a signed infinity at 0.
#[inline(always)]
pub fn gamma<R: Real>(x: R) -> R {
    named!("gamma", |x| {
        let y = x.abs();
        let negative = x.lt(R::lit(0.0));
        let [out] = R::when(
            x.gt(R::lit(172.0)).not(),
            [R::lit(INF)],
            #[inline(always)]
            || {
                let (small, m, log) = gamma_parts(y);
                let [factor, near] = R::when(
                    negative,
                    [R::lit(1.0), m],
                    #[inline(always)]
                    || {
                        let turn = turn(y);
                        let turned = R::lit(-1.0) / R::select(small, turn.times(m).value(), turn.value());
                        [turned, turned]
                    },
                );
                R::when(
                    small.not(),
                    [near],
                    #[inline(always)]
                    || [exp_times(Dd::select(negative, -log, log), factor)],
                )
            },
        );
        let pole = negative.and(y.eq(y.floor()));
        let out = R::select(pole, R::lit(f64::NAN), out);
        // The pole at 0, where the parts of the reflection overflow.
        R::select(y.lt(R::lit(1e-17)), R::lit(1.0) / x, out)
    })
}

/// `1 / gamma(x)`, zero at the poles of gamma.
#[inline(always)]
pub fn rgamma<R: Real>(x: R) -> R {
    named!("rgamma", |x| {
        let y = x.abs();
        let negative = x.lt(R::lit(0.0));
        let [out] = R::when(
            x.gt(R::lit(180.0)).not(),
            [R::lit(0.0)],
            #[inline(always)]
            || {
                let (small, m, log) = gamma_parts(y);
                let [factor] = R::when(
                    negative,
                    [R::lit(1.0)],
                    #[inline(always)]
                    || {
                        let turn = -turn(y);
                        [R::select(small, turn.times(m).value(), turn.value())]
                    },
                );
                R::when(
                    small.not(),
                    [R::select(negative, factor, R::lit(1.0) / m)],
                    #[inline(always)]
                    || [exp_times(Dd::select(negative, log, -log), factor)],
                )
            },
        );
        let zero = y.eq(R::lit(0.0)).or(negative.and(y.eq(y.floor())));
        // Next to 0 the function is its argument, of which the parts of a product would leave nothing.
        let out = R::select(y.lt(R::lit(1e-17)), x, out);
        R::select(zero, R::select(y.eq(R::lit(0.0)), x, R::lit(0.0)), out)
    })
}

/// The first derivative of [`rgamma`], or the second, also at the poles of gamma.
#[inline(always)]
fn rgamma_slope<R: Real, const SECOND: bool>(x: R) -> R {
    let one = R::lit(1.0);
    let left = x.lt(R::lit(0.5));
    // Left of 1/2, 1/gamma(x) = sin(pi x) gamma(1 - x) / pi.
    let y = R::select(left, one - x, x);
    let (value, psi) = (shared::rgamma(y), shared::digamma(y));
    let curvature = if SECOND { shared::trigamma(y) } else { one };
    let right = value * if SECOND { psi * psi - curvature } else { -psi };
    let right = R::select(value.eq(R::lit(0.0)), value, right);
    let [out] = R::when(
        left,
        [right],
        #[inline(always)]
        || {
            let (s, k) = (shared::sinpi(x) * R::lit(1.0 / PI), shared::cospi(x));
            let gamma = shared::gamma(y);
            let waves = if SECOND {
                s * (psi * psi + curvature - R::lit(PI * PI)) - R::lit(2.0) * k * psi
            } else {
                k - s * psi
            };
            [gamma * waves]
        },
    );
    out
}

/// The derivative of [`rgamma`].
#[inline(always)]
pub fn rgamma_dx<R: Real>(x: R) -> R {
    named!("rgamma_dx", |x| rgamma_slope::<R, false>(x))
}

/// The second derivative of [`rgamma`].
#[inline(always)]
pub fn rgamma_dxx<R: Real>(x: R) -> R {
    named!("rgamma_dxx", |x| rgamma_slope::<R, true>(x))
}

/// `gammaln(1 + x)` for `0 <= x <= 1`, without the rounding of `1 + x`.
#[inline(always)]
pub(super) fn gammaln1p<R: Real>(x: R) -> R {
    x * (x - R::lit(1.0)) * e::polynomial(x - R::lit(0.5), &c::GAMMALN)
}

/// `log(gamma(x))` of a positive `x`.
#[inline(always)]
fn gammaln_positive<R: Real>(x: R) -> R {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let (small, low) = (x.lt(R::lit(STIRLING_FROM)), x.lt(R::lit(3.0)));
    // All branches share one logarithm.
    let (below, next) = (x.lt(one), low.and(x.ge(two)));
    let [near] = R::when(
        low,
        [zero],
        #[inline(always)]
        || {
            let base = R::select(below, x, x - R::select(next, two, one));
            [gammaln1p(R::select(base.gt(one), one, base))]
        },
    );
    let [of] = R::when(
        small.and(low.not()),
        [R::select(next, x - one, x)],
        #[inline(always)]
        || {
            let (t, up, _) = reduce(R::select(small, x, R::lit(STIRLING_FROM / 2.0)));
            [up / e::polynomial(t, &c::RGAMMA)]
        },
    );
    let log = e::log(of);
    let signed = R::select(below, -log, R::select(low.and(next.not()), zero, log));
    let [out] = R::when(
        small.not(),
        [near + signed],
        #[inline(always)]
        || [(x - R::lit(0.5)) * (log - one) + (stirling(x) + R::lit(LOG_ROOT_2PI.0 - 0.5))],
    );
    out
}

/// `log|gamma(x)|`.
#[inline(always)]
pub fn gammaln<R: Real>(x: R) -> R {
    named!("gammaln", |x| {
        let y = x.abs();
        let positive = gammaln_positive(y);
        let negative = x.lt(R::lit(0.0));
        let [out] = R::when(
            negative,
            [positive],
            #[inline(always)]
            || [-(shared::log(y * shared::sinpi(y).abs() * R::lit(1.0 / PI)) + positive)],
        );
        let tiny = y.lt(R::lit(1e-17));
        let [out] = R::when(
            tiny,
            [out],
            #[inline(always)]
            || [-shared::log(y)],
        );
        // The parts are large beside the sum, whose slope vanishes.
        let t = x - R::lit(DIP.0) - R::lit(DIP.1);
        let low = t.abs().lt(R::lit(0.05));
        let [out] = R::when(
            low,
            [out],
            #[inline(always)]
            || [(t * t).fma(e::polynomial(t, &c::GAMMALN_DIP), R::lit(AT_DIP))],
        );
        let pole = x.le(R::lit(0.0)).and(y.eq(y.floor()));
        // The sum makes 0 of -0 at 1 and 2.
        R::select(pole.or(y.eq(R::lit(INF))), R::lit(INF), out + R::lit(0.0))
    })
}

/// The real values of the logarithm of the gamma function; NaN for negative `x`.
#[inline(always)]
pub fn loggamma<R: Real>(x: R) -> R {
    named!("loggamma", |x| R::select(x.lt(R::lit(0.0)), R::lit(f64::NAN), shared::gammaln(x)))
}

/// Bernoulli numbers `B(2j)` from 2 on.
pub(crate) const BERNOULLI: [f64; 11] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
    854513.0 / 138.0,
];

/// `log x - digamma(x)` for large `x`.
#[inline(always)]
pub(super) fn digamma_gap<R: Real>(x: R) -> R {
    let r = R::lit(1.0) / x;
    let z = r * r;
    r.fma(R::lit(0.5), z * e::polynomial(z, &c::DIGAMMA_TAIL))
}

/// Digamma of a positive `x`.
#[inline(always)]
fn digamma_positive<R: Real>(x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (low, high) = (x.lt(one), x.gt(R::lit(2.0)));
    // On [1, 2] the root is a factor; below, one step up first, with the step taken off the root instead, and above one step down.
    let y = R::select(high, x - one, x);
    let away = y - R::lit(DIGAMMA_ROOT.0) - R::lit(DIGAMMA_ROOT.1);
    let away = R::select(low, x - R::lit(DIGAMMA_ROOT.0 - 1.0) - R::lit(DIGAMMA_ROOT.1), away);
    let t = y - R::select(low, R::lit(0.5), R::lit(1.5));
    let step = R::select(low, -one, R::select(high, one, zero));
    let inverse = one / y;
    let rest = inverse.fma(-y, one) * inverse;
    let near = away.fma(e::polynomial(t, &c::DIGAMMA), step * rest) + step * inverse;
    // Above, eight steps up: their sum of reciprocals is one quotient, taken pairwise about the middle of the steps.
    let far = x.ge(R::lit(10.0));
    let m = x * (x + R::lit(7.0));
    let (mut num, mut den) = (zero, one);
    for k in [0.0, 6.0, 10.0, 12.0] {
        let pair = m + R::lit(k);
        num = num * pair + den;
        den = den * pair;
    }
    let steps = num * (x + x + R::lit(7.0)) / den;
    let top = R::select(far, x, x + R::lit(8.0));
    let above = e::log(top) - digamma_gap(top) - R::select(far, zero, steps);
    R::select(x.le(R::lit(3.0)), near, above)
}

/// Logarithmic derivative of gamma; NaN at the negative integers, a signed infinity at 0.
#[inline(always)]
pub fn digamma<R: Real>(x: R) -> R {
    named!("digamma", |x| {
        let y = x.abs();
        let positive = digamma_positive(y);
        // psi(-y) = psi(y) + 1/y + pi cot(pi y)
        let negative = x.lt(R::lit(0.0));
        let [out] = R::when(
            negative,
            [positive],
            #[inline(always)]
            || {
                let reflected = positive + (R::lit(PI) * shared::cospi(y) / shared::sinpi(y) + R::lit(1.0) / y);
                // The parts cancel next to the first root; what two steps up leave is a multiple of the distance.
                let t = x - R::lit(DIGAMMA_LOW_ROOT.0) - R::lit(DIGAMMA_LOW_ROOT.1);
                let [first, second] = DIGAMMA_LOW_STEPS;
                let steps = R::lit(first) / x + R::lit(second) / (x + R::lit(1.0));
                let beside = t * (e::polynomial(t, &c::DIGAMMA_ABOVE_ROOT) + steps);
                [R::select(t.abs().lt(R::lit(0.25)), beside, reflected)]
            },
        );
        let out = R::select(negative.and(y.eq(y.floor())), R::lit(f64::NAN), out);
        let out = R::select(x.eq(R::lit(INF)), x, out);
        // The pole at 0, where the parts of the reflection overflow.
        R::select(y.lt(R::lit(1e-17)), R::lit(-1.0) / x, out)
    })
}

/// Derivative of digamma, infinite at the poles.
#[inline(always)]
pub fn trigamma<R: Real>(x: R) -> R {
    named!("trigamma", |x| {
        let one = R::lit(1.0);
        let negative = x.le(R::lit(0.0));
        let y = R::select(negative, one - x, x);
        let far = y.ge(R::lit(10.0));
        let top = R::select(far, y, y + R::lit(8.0));
        let r = one / top;
        let z = r * r;
        let tail = r + z * R::lit(0.5) + r * z * e::polynomial(z, &c::TRIGAMMA_TAIL);
        let mut steps = tail;
        for k in (0..8).rev() {
            let d = one / (y + R::lit(f64::from(k)));
            steps = steps + d * d;
        }
        let positive = R::select(far, tail, steps);
        let [out] = R::when(
            negative,
            [positive],
            #[inline(always)]
            || {
                let s = R::lit(PI) / shared::sinpi(x);
                [s * s - positive]
            },
        );
        let out = R::select(x.eq(R::lit(-INF)), R::lit(f64::NAN), out);
        R::select(negative.and(x.eq(x.floor())).and(x.gt(R::lit(-INF))), R::lit(INF), out)
    })
}
