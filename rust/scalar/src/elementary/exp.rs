//! Exponentials.

use super::coefficients::EXP;
use super::{polynomial, pow2};
use crate::dd::Dd;
use crate::named;
use crate::real::Real;

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
    let tail = square.fma(r.hi.fma(polynomial(r.hi, &EXP), R::lit(0.5)), r.lo.fma(r.hi, r.lo));
    let one = Dd::fast_two_sum(R::lit(1.0), r.hi);
    Dd::new(one.hi, one.lo + tail)
}

/// `e^r - 1` for `|r| <= ln2/2` to about 60 bits, as a sum whose `lo` may be a few percent of `hi`.
#[inline(always)]
pub(crate) fn expm1_reduced<R: Real>(r: Dd<R>) -> Dd<R> {
    let half_square = Dd::two_prod(r.hi * R::lit(0.5), r.hi);
    let twice = r.hi + r.hi;
    let tail = half_square.hi.fma(twice * polynomial(r.hi, &EXP), r.lo.fma(r.hi, r.lo));
    let lead = Dd::fast_two_sum(r.hi, half_square.hi);
    Dd::new(lead.hi, lead.lo + (half_square.lo + tail))
}

/// `x` limited to an interval; exponentials use one where they overflow and underflow by themselves.
#[inline(always)]
pub(crate) fn clamp<R: Real>(x: R, low: f64, high: f64) -> R {
    x.max(R::lit(low)).min(R::lit(high))
}

/// [`reduce_ln2`] of what is limited to an interval.
#[inline(always)]
fn reduced<R: Real>(x: Dd<R>, low: f64, high: f64) -> (R, Dd<R>) {
    let inside = clamp(x.hi, low, high);
    reduce_ln2(Dd::new(inside, R::select(inside.eq(x.hi), x.lo, R::lit(0.0))))
}

/// `e^(x.hi + x.lo)` rounded to one double.
#[inline(always)]
pub(crate) fn exp_dd<R: Real>(x: Dd<R>) -> R {
    let (k, r) = reduced(x, -746.0, 710.0);
    exp_reduced(r).value().scale(k)
}

/// `e^x f` rounded once, in range where the exponential alone is not.
#[inline(always)]
pub(crate) fn exp_times<R: Real>(x: Dd<R>, f: Dd<R>) -> R {
    // As far as the power of 2 in it is served
    let (k, r) = reduced(x, -1400.0, 1400.0);
    let e = exp_reduced(r);
    e.hi.fma(f.hi, e.lo.fma(f.hi, e.hi * f.lo)).scale(k)
}

/// `e^x`.
#[inline(always)]
pub fn exp<R: Real>(x: R) -> R {
    named!("exp", |x| {
        let (k, r) = reduce_ln2(Dd::new(clamp(x, -746.0, 710.0), R::lit(0.0)));
        exp_reduced(r).value().scale(k)
    })
}

/// `2^x`.
#[inline(always)]
pub fn exp2<R: Real>(x: R) -> R {
    named!("exp2", |x| {
        let x = clamp(x, -1080.0, 1025.0);
        let k = x.round();
        let r = Dd::lit(LN2.0, LN2.1).times(x - k);
        exp_reduced(r).value().scale(k)
    })
}

/// `10^x`.
#[inline(always)]
pub fn exp10<R: Real>(x: R) -> R {
    named!("exp10", |x| {
        let x = clamp(x, -325.0, 309.0);
        let k = (x * R::lit(std::f64::consts::LOG2_10)).round();
        let hi = (-k).fma(R::lit(LOG10_2.0), x);
        let r = Dd::fast_two_sum(hi, k * R::lit(-LOG10_2.1)) * Dd::lit(LN10.0, LN10.1);
        exp_reduced(r).value().scale(k)
    })
}

/// `e^x - 1` as `2^k (hi + lo)` and to about 60 bits, given `p = e^r - 1` of the reduced argument; `k` from -64 on.
#[inline(always)]
pub(crate) fn expm1_sum<R: Real>(k: R, p: Dd<R>) -> Dd<R> {
    // 1 - 2^-k is exact up to k = 53; well before, the power moves to the lower part.
    let power = pow2(-k.min(R::lit(100.0)));
    let large = k.gt(R::lit(20.0));
    let shift = R::lit(1.0) - R::select(large, R::lit(0.0), power);
    let s = Dd::fast_two_sum(shift, p.hi);
    Dd::fast_two_sum(s.hi, s.lo + (p.lo - R::select(large, power, R::lit(0.0))))
}

/// `e^x - 1`, accurate near 0.
#[inline(always)]
pub fn expm1<R: Real>(x: R) -> R {
    named!("expm1", |x| {
        let (k, r) = reduce_ln2(Dd::new(clamp(x, -44.0, 710.0), R::lit(0.0)));
        let y = expm1_sum(k, expm1_reduced(r)).value().scale_plainly(k);
        // Below 2^-54 the result is x itself, and so is the sign of zero.
        R::select(x.abs().lt(R::lit(f64::EPSILON / 4.0)), x, y)
    })
}
