//! Hyperbolic functions and their inverses.

use super::exp::{exp_reduced, expm1_reduced, expm1_sum, reduce_ln2};
use super::log::log1p_sum;
use super::pow2;
use crate::dd::Dd;
use crate::named;
use crate::real::Real;

/// Below this `f(x) = x + O(x^3)` rounds to `x`.
const LINEAR: f64 = 1.0 / (1u64 << 28) as f64;

/// The odd function whose value at `|x|` is `y`; tiny arguments stay as they are.
#[inline(always)]
fn odd<R: Real>(x: R, y: R) -> R {
    R::select(x.abs().lt(R::lit(LINEAR)), x, y.copysign(x))
}

/// The sum of two sums, `|a| >= |b|`, rounded to one double.
#[inline(always)]
fn sum<R: Real>(a: Dd<R>, b: Dd<R>) -> R {
    let s = Dd::fast_two_sum(a.hi, b.hi);
    s.hi + (s.lo + (a.lo + b.lo))
}

/// `sinh(x) = (e + e / (e + 1)) / 2` with `e = e^|x| - 1`.
#[inline(always)]
pub fn sinh<R: Real>(x: R) -> R {
    named!("sinh", |x| {
        let (k, r) = reduce_ln2(Dd::new(x.abs().min(R::lit(711.0)), R::lit(0.0)));
        let p = expm1_reduced(r);
        let one = Dd::fast_two_sum(R::lit(1.0), p.hi);
        let e = expm1_sum(k, p);
        let quotient = e / Dd::fast_two_sum(one.hi, one.lo + p.lo);
        // From k = 100 on the quotient is below the last place, and so the exact power does not matter.
        let shrink = pow2(-k.min(R::lit(100.0)));
        odd(x, sum(e, quotient.times_pow2(shrink)).scale_plainly(k - R::lit(1.0)))
    })
}

/// `cosh(x) = (e + 1/e) / 2` with `e = e^|x|`.
#[inline(always)]
pub fn cosh<R: Real>(x: R) -> R {
    named!("cosh", |x| {
        let a = x.abs();
        let (k, r) = reduce_ln2(Dd::new(a.min(R::lit(711.0)), R::lit(0.0)));
        let p = exp_reduced(r).normalize();
        let shrink = pow2(k.min(R::lit(100.0)) * R::lit(-2.0));
        let inverse = Dd::new(R::lit(1.0), R::lit(0.0)) / p;
        sum(p, inverse.times_pow2(shrink)).scale_plainly(k - R::lit(1.0))
    })
}

/// `tanh(x) = (e - 1) / (e + 1)` with `e = e^(2|x|) = 2^k (1 + p)`, both sides divided by `2^k`.
#[inline(always)]
pub fn tanh<R: Real>(x: R) -> R {
    named!("tanh", |x| {
        // Beyond 19.5 the result rounds to 1.
        let a = x.abs().min(R::lit(19.5));
        let (k, r) = reduce_ln2(Dd::new(a + a, R::lit(0.0)));
        let p = expm1_reduced(r);
        let (power, one) = (pow2(-k), R::lit(1.0));
        let (minus, plus) = (Dd::fast_two_sum(one, -power), Dd::fast_two_sum(one, power));
        let n = Dd::fast_two_sum(minus.hi, p.hi);
        let d = Dd::fast_two_sum(plus.hi, p.hi);
        let n = Dd::fast_two_sum(n.hi, n.lo + (minus.lo + p.lo));
        let y = n.quotient(Dd::fast_two_sum(d.hi, d.lo + (plus.lo + p.lo)));
        odd(x, y)
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
