//! Hyperbolic functions and their inverses.

use super::exp::{exp_reduced, expm1_scaled, reduce_ln2};
use super::log::log1p_sum;
use super::pow2;
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};

/// Below this `f(x) = x + O(x^3)` rounds to `x`.
const LINEAR: f64 = 1.0 / (1u64 << 28) as f64;

/// The odd function whose value at `|x|` is `y`; tiny and NaN arguments stay as they are.
#[inline(always)]
fn odd<R: Real>(x: R, y: R) -> R {
    R::select(x.abs().lt(R::lit(LINEAR)).or(x.is_nan()), x, y.copysign(x))
}

/// `sinh(x) = (e + e / (e + 1)) / 2` with `e = e^|x| - 1`.
#[inline(always)]
pub fn sinh<R: Real>(x: R) -> R {
    named!("sinh", |x| {
        let a = x.abs();
        let (k, p) = expm1_scaled(a);
        // From k = 100 on the quotient is below the last place, and so the exact power does not matter.
        let shrink = pow2(R::select(k.lt(R::lit(100.0)), -k, R::lit(-100.0)));
        let quotient = p / (p + Dd::new(shrink, R::lit(0.0)));
        let y = (p + quotient.times_pow2(shrink)).value().scale(k - R::lit(1.0));
        odd(x, R::select(a.gt(R::lit(711.0)), R::lit(f64::INFINITY), y))
    })
}

/// `cosh(x) = (e + 1/e) / 2` with `e = e^|x|`.
#[inline(always)]
pub fn cosh<R: Real>(x: R) -> R {
    named!("cosh", |x| {
        let a = x.abs();
        let (k, r) = reduce_ln2(Dd::new(a, R::lit(0.0)));
        let p = exp_reduced(r).normalize();
        let shrink = pow2(R::select(k.lt(R::lit(100.0)), k * R::lit(-2.0), R::lit(-200.0)));
        let inverse = Dd::new(R::lit(1.0), R::lit(0.0)) / p;
        let y = (p + inverse.times_pow2(shrink)).value().scale(k - R::lit(1.0));
        R::select(a.gt(R::lit(711.0)), R::lit(f64::INFINITY), y)
    })
}

/// `tanh(x) = e / (e + 2)` with `e = e^(2|x|) - 1`.
#[inline(always)]
pub fn tanh<R: Real>(x: R) -> R {
    named!("tanh", |x| {
        let a = x.abs();
        // Beyond 22 the result rounds to 1.
        let a = R::select(a.gt(R::lit(22.0)), R::lit(22.0), a);
        let (k, p) = expm1_scaled(a + a);
        let two = pow2(R::lit(1.0) - k);
        odd(x, p.quotient(p + Dd::new(two, R::lit(0.0))))
    })
}

/// From here on `sqrt(x^2 +- 1)` is `x` to all digits that reach the logarithm, which then is `log(x) + ln2`.
const LARGE: f64 = (1u64 << 30) as f64;

/// `asinh(x) = log1p(x + x^2 / (1 + sqrt(x^2 + 1)))` for `x >= 0`.
#[inline(always)]
pub fn asinh<R: Real>(x: R) -> R {
    named!("asinh", |x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let large = x.abs().gt(R::lit(LARGE));
        let a = x.abs();
        let square = Dd::two_prod(a, a);
        let root = square.plus(one).sqrt();
        let z = (square / root.plus(one)).plus(a);
        let z = Dd::select(large, Dd::new(a, -one), z);
        let y = log1p_sum(z, R::select(large, one, zero)).value();
        odd(x, R::select(a.eq(R::lit(f64::INFINITY)), a, y))
    })
}

/// `acosh(x) = log1p(t + sqrt(t (t + 2)))` with `t = x - 1`.
#[inline(always)]
pub fn acosh<R: Real>(x: R) -> R {
    named!("acosh", |x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let large = x.gt(R::lit(LARGE));
        let t = Dd::two_sum(x, -one);
        let root = (t * t.plus(R::lit(2.0))).sqrt();
        let z = Dd::select(large, Dd::new(x, -one), t + root);
        let y = log1p_sum(z, R::select(large, one, zero)).value();
        let y = R::select(x.eq(one), zero, y);
        let y = R::select(x.eq(R::lit(f64::INFINITY)), x, y);
        R::select(x.ge(one), y, R::lit(f64::NAN))
    })
}

/// `atanh(x) = log1p(2x / (1 - x)) / 2` for `x >= 0`.
#[inline(always)]
pub fn atanh<R: Real>(x: R) -> R {
    named!("atanh", |x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let a = x.abs();
        let z = Dd::new(a + a, zero) / Dd::two_sum(one, -a);
        let y = log1p_sum(z, zero).value() * R::lit(0.5);
        let y = R::select(a.eq(one), R::lit(f64::INFINITY), y);
        odd(x, R::select(a.gt(one), R::lit(f64::NAN), y))
    })
}
