//! Inverse trigonometric functions.

use super::coefficients::{ASIN, ATAN};
use super::trig::{FRAC_PI_2, PI};
use super::{is_negative, polynomial, pow2};
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};

/// `asin(s) - s` for a normalized `s` up to 1/2, next to which `s.lo` itself is to be added.
#[inline(always)]
pub(crate) fn asin_tail<R: Real>(s: R, z: R) -> R {
    s * (z * polynomial(z, &ASIN))
}

/// What `asin` and `acos` share: whether `|x| > 1/2`, and then `sqrt((1 - |x|)/2)`, whose arc sine is half of `acos(|x|)`; else `x`.
#[inline(always)]
fn asin_argument<R: Real>(x: R) -> (R::Mask, Dd<R>, R) {
    let a = x.abs();
    let upper = a.gt(R::lit(0.5));
    let half = (R::lit(1.0) - a) * R::lit(0.5);
    let root = half.sqrt();
    let rest = (-root).fma(root, half) / (root + root);
    let rest = R::select(half.eq(R::lit(0.0)), R::lit(0.0), rest);
    let z = R::select(upper, half, x * x);
    let s = Dd::new(R::select(upper, root, x), R::select(upper, rest, R::lit(0.0)));
    (upper, s, z)
}

/// The arc sine.
#[inline(always)]
pub fn asin<R: Real>(x: R) -> R {
    named!("asin", |x| {
        let (upper, s, z) = asin_argument(x);
        let tail = asin_tail(s.hi, z) + s.lo;
        let two = R::lit(2.0);
        let lead = Dd::fast_two_sum(R::lit(FRAC_PI_2.0), s.hi * -two);
        let high = lead.hi + (lead.lo + (R::lit(FRAC_PI_2.1) - tail * two));
        R::select(upper, high.copysign(x), R::select(x.eq(R::lit(0.0)), x, s.hi + tail))
    })
}

/// The arc cosine.
#[inline(always)]
pub fn acos<R: Real>(x: R) -> R {
    named!("acos", |x| {
        let (upper, s, z) = asin_argument(x);
        let tail = asin_tail(s.hi, z) + s.lo;
        let two = R::lit(2.0);
        // Above 1/2 twice the arc sine of the root, below -1/2 pi less that, between them pi/2 less asin(x).
        let negative = x.lt(R::lit(0.0));
        let pi = R::select(negative, R::lit(PI.0), R::lit(0.0));
        let pi_low = R::select(negative, R::lit(PI.1), R::lit(0.0));
        let base = Dd::new(R::select(upper, pi, R::lit(FRAC_PI_2.0)), R::select(upper, pi_low, R::lit(FRAC_PI_2.1)));
        let factor = R::select(upper, R::select(negative, -two, two), R::lit(-1.0));
        let lead = Dd::two_sum(base.hi, s.hi * factor);
        lead.hi + (lead.lo + tail.fma(factor, base.lo))
    })
}

/// `atan(y/x)` for `x, y >= 0`, not both 0, as a sum; `x` and `y` well inside the range of doubles unless one is 0.
///
/// The quotient is taken of `(y, x)`, `(y - x, y + x)` or `(-x, y)`, whichever is below `tan(pi/8)` in magnitude.
#[inline(always)]
fn atan_quotient<R: Real>(y: R, x: R) -> Dd<R> {
    const TAN_PI_8: f64 = std::f64::consts::SQRT_2 - 1.0;
    let zero = R::lit(0.0);
    let low = y.lt(x * R::lit(TAN_PI_8));
    let high = x.lt(y * R::lit(TAN_PI_8));
    let (difference, sum) = (Dd::two_sum(y, -x), Dd::two_sum(y, x));
    let n = Dd::select(high, Dd::new(-x, zero), difference);
    let d = Dd::select(high, Dd::new(y, zero), sum);
    let n = Dd::select(low, Dd::new(y, zero), n);
    let d = Dd::select(low, Dd::new(x, zero), d);
    let q = n.hi / d.hi;
    let rest = ((-q).fma(d.hi, n.hi) + (-q).fma(d.lo, n.lo)) / d.hi;
    let quarter = R::lit(0.5 * FRAC_PI_2.0);
    let quarter_low = R::lit(0.5 * FRAC_PI_2.1);
    let base = R::select(low, zero, R::select(high, R::lit(FRAC_PI_2.0), quarter));
    let base_low = R::select(low, zero, R::select(high, R::lit(FRAC_PI_2.1), quarter_low));
    let z = q * q;
    let cubic = q * (z * polynomial(z, &ATAN));
    let lead = Dd::fast_two_sum(base, q);
    Dd::new(lead.hi, lead.lo + (cubic + (rest + base_low)))
}

/// `1 / (1 + x^2)`.
#[inline(always)]
pub fn atan_slope<R: Real>(x: R) -> R {
    named!("atan_slope", |x| {
        let one = R::lit(1.0);
        // The square overflows, and then its reciprocal is subnormal.
        let far = x.abs().gt(R::lit(6.7e153));
        let r = one / x;
        let near = R::select(far, one, x);
        let square = Dd::two_prod(near, near);
        let sum = Dd::two_sum(square.hi, one);
        let quotient = one / sum.hi;
        // What the quotient and the sum have rounded off
        let rest = (-quotient).fma(sum.hi, one) - quotient * (sum.lo + square.lo);
        R::select(far, r * r, quotient.fma(rest, quotient))
    })
}

/// The arc tangent.
#[inline(always)]
pub fn atan<R: Real>(x: R) -> R {
    named!("atan", |x| {
        let a = x.abs();
        // Beyond 2^60 the result is pi/2, and the quotient stays finite.
        let limit = R::lit((1u64 << 60) as f64);
        let y = atan_quotient(R::select(a.gt(limit), limit, a), R::lit(1.0)).value();
        let linear = a.lt(R::lit(1.0 / (1u64 << 28) as f64)).or(x.is_nan());
        R::select(linear, x, y.copysign(x))
    })
}

/// The angle of the point `(x, y)`, from -pi to pi, with the special values of C99.
#[inline(always)]
pub fn atan2<R: Real>(y: R, x: R) -> R {
    named!("atan2", |y, x| {
        let (zero, inf) = (R::lit(0.0), R::lit(f64::INFINITY));
        let (ax, ay) = (x.abs(), y.abs());
        let larger = R::select(ax.lt(ay), ay, ax);
        // Powers of two that keep sums finite and quotients' remainders above the underflow.
        let shrink = larger.gt(R::lit(1e300));
        let grow = larger.lt(R::lit(1e-280));
        let factor = R::select(shrink, pow2(R::lit(-64.0)), R::select(grow, pow2(R::lit(200.0)), R::lit(1.0)));
        let (sx, sy) = (ax * factor, ay * factor);
        let one = R::lit(1.0);
        // Infinite arguments count as 1 beside 1 or 0, and two zeros as y = 0 beside x = 1.
        let any_infinite = larger.eq(inf);
        let none = larger.eq(zero);
        let sx = R::select(any_infinite, R::select(ax.eq(inf), one, zero), R::select(none, one, sx));
        let sy = R::select(any_infinite, R::select(ay.eq(inf), one, zero), sy);
        let sum = atan_quotient(sy, sx);
        let negative = is_negative(x);
        let beyond = Dd::fast_two_sum(R::lit(PI.0), -sum.hi);
        let left = beyond.hi + (beyond.lo + (R::lit(PI.1) - sum.lo));
        // A quotient far below the smallest normal number has no usable remainder: it is the result.
        let tiny = sy.lt(sx * R::lit(f64::EPSILON / 4.0)).and(negative.not());
        let right = R::select(tiny, sy / sx, sum.value());
        let r = R::select(negative, left, right).copysign(y);
        R::select(x.is_nan().or(y.is_nan()), R::lit(f64::NAN), r)
    })
}
