//! Exponentials.

use super::coefficients::EXP;
use super::{polynomial, pow2};
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};

pub(crate) const LN2: (f64, f64) = (std::f64::consts::LN_2, 2.3190468138462996e-17);
const LN10: (f64, f64) = (std::f64::consts::LN_10, -2.1707562233822494e-16);
const LOG10_2: (f64, f64) = (std::f64::consts::LOG10_2, -2.8037281277851704e-18);

/// `x = k ln2 + r` with integral `k` and `|r| <= ln2/2`.
///
/// The leading difference is exact: `x` and the leading double of ln2 are multiples of 2^-54 wherever `k` is not 0.
#[inline(always)]
pub(crate) fn reduce_ln2<R: Real>(x: Dd<R>) -> (R, Dd<R>) {
    let k = (x.hi * R::lit(std::f64::consts::LOG2_E)).round();
    let hi = (-k).fma(R::lit(LN2.0), x.hi);
    let lo = (-k).fma(R::lit(LN2.1), x.lo);
    (k, Dd::fast_two_sum(hi, lo))
}

/// `e^r` for `|r| <= ln2/2`, as a sum whose `lo` may be a few percent of `hi`.
#[inline(always)]
pub(crate) fn exp_reduced<R: Real>(r: Dd<R>) -> Dd<R> {
    let square = r.hi * r.hi;
    let tail = square.fma(r.hi.fma(polynomial(r.hi, &EXP), R::lit(0.5)), r.lo);
    let one = Dd::fast_two_sum(R::lit(1.0), r.hi);
    Dd::new(one.hi, one.lo + tail)
}

/// `e^r - 1` for `|r| <= ln2/2`, normalized, to about 60 bits.
#[inline(always)]
pub(crate) fn expm1_reduced<R: Real>(r: Dd<R>) -> Dd<R> {
    let half_square = Dd::two_prod(r.hi * R::lit(0.5), r.hi);
    let cubic = (r.hi * r.hi) * (r.hi * polynomial(r.hi, &EXP));
    let s = Dd::fast_two_sum(r.hi, half_square.hi);
    Dd::fast_two_sum(s.hi, s.lo + (half_square.lo + (cubic + r.lo.fma(r.hi, r.lo))))
}

/// `p 2^k` with overflow and underflow of the exponent argument `x` in its natural units `limit`.
#[inline(always)]
fn finish<R: Real>(x: R, p: R, k: R, over: f64, under: f64) -> R {
    let y = p.scale(k);
    let y = R::select(x.gt(R::lit(over)), R::lit(f64::INFINITY), y);
    R::select(x.lt(R::lit(under)), R::lit(0.0), y)
}

/// `e^(x.hi + x.lo)` rounded to one double.
#[inline(always)]
pub(crate) fn exp_dd<R: Real>(x: Dd<R>) -> R {
    let (k, r) = reduce_ln2(x);
    finish(x.hi, exp_reduced(r).value(), k, 710.0, -746.0)
}

/// `e^x`.
#[inline(always)]
pub fn exp<R: Real>(x: R) -> R {
    named!("exp", |x| exp_dd(Dd::new(x, R::lit(0.0))))
}

/// `2^x`.
#[inline(always)]
pub fn exp2<R: Real>(x: R) -> R {
    named!("exp2", |x| {
        let k = x.round();
        let r = Dd::lit(LN2.0, LN2.1).times(x - k);
        finish(x, exp_reduced(r).value(), k, 1025.0, -1080.0)
    })
}

/// `10^x`.
#[inline(always)]
pub fn exp10<R: Real>(x: R) -> R {
    named!("exp10", |x| {
        let k = (x * R::lit(std::f64::consts::LOG2_10)).round();
        let hi = (-k).fma(R::lit(LOG10_2.0), x);
        let r = Dd::fast_two_sum(hi, k * R::lit(-LOG10_2.1)) * Dd::lit(LN10.0, LN10.1);
        finish(x, exp_reduced(r).value(), k, 309.0, -325.0)
    })
}

/// `e^x - 1` as `2^k (hi + lo)`, for `x` from -44 to 720, to about 60 bits.
#[inline(always)]
pub(crate) fn expm1_scaled<R: Real>(x: R) -> (R, Dd<R>) {
    let (k, r) = reduce_ln2(Dd::new(x, R::lit(0.0)));
    let p = expm1_reduced(r);
    let shift = R::lit(1.0) - pow2(R::select(k.lt(R::lit(100.0)), -k, R::lit(-100.0)));
    let s = Dd::two_sum(shift, p.hi);
    (k, Dd::fast_two_sum(s.hi, s.lo + p.lo))
}

/// `e^x - 1`, accurate near 0.
#[inline(always)]
pub fn expm1<R: Real>(x: R) -> R {
    named!("expm1", |x| {
        let low = R::lit(-44.0);
        let (k, p) = expm1_scaled(R::select(x.lt(low), low, x));
        let y = p.value().scale(k);
        let y = R::select(x.gt(R::lit(710.0)), R::lit(f64::INFINITY), y);
        // Below 2^-54 the result is x itself, and so is the sign of zero.
        R::select(x.abs().lt(R::lit(f64::EPSILON / 4.0)).or(x.is_nan()), x, y)
    })
}
