//! Logarithms.

use super::coefficients::{ATANH, ATANH_TAIL};
use super::exp::LN2;
use super::{from_int, polynomial};
use crate::dd::Dd;
use crate::named;
use crate::real::{Bits, Mask, Real};

const LOG2_E: (f64, f64) = (std::f64::consts::LOG2_E, 2.0355273740931033e-17);
const LOG10_E: (f64, f64) = (std::f64::consts::LOG10_E, 1.098319650216765e-17);
const LOG10_2: (f64, f64) = (std::f64::consts::LOG10_2, -2.8037281277851704e-18);

/// `x = 2^k m` with `sqrt(1/2) <= m < sqrt(2)`, for `0 < x < inf`.
#[inline(always)]
pub(crate) fn split<R: Real>(x: R) -> (R, R) {
    const ONE: i64 = 1023 << 52;
    let subnormal = x.lt(R::lit(f64::MIN_POSITIVE));
    let bits = R::select(subnormal, x * R::lit((1u64 << 54) as f64), x).to_bits();
    let biased = bits.add(R::Bits::lit(ONE - std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64)).shr(52);
    let m = R::from_bits(bits.sub(biased.shl(52)).add(R::Bits::lit(ONE)));
    let bias = R::select(subnormal, R::lit(1023.0 + 54.0), R::lit(1023.0));
    (from_int::<R>(biased) - bias, m)
}

/// `log(1 + f)` for `sqrt(1/2) <= 1 + f < sqrt(2)`, as a sum, to about 58 bits.
///
/// With `s = f / (2 + f)` it is `f - f^2/2 + s (f^2/2 + 2 atanh(s)/s - 2)`, whose first two terms are kept exactly.
#[inline(always)]
pub(crate) fn log1p_reduced<R: Real>(f: Dd<R>) -> Dd<R> {
    let s = f.hi / (f.hi + R::lit(2.0));
    let z = s * s;
    let half_square = Dd::two_prod(f.hi * R::lit(0.5), f.hi);
    let tail = s * (half_square.hi + z * polynomial(z, &ATANH));
    let lead = Dd::fast_two_sum(f.hi, -half_square.hi);
    // d/df log(1 + f) = 1/(1 + f), to the few bits that matter next to f.lo.
    let slope = f.hi.fma(f.hi - R::lit(1.0), R::lit(1.0));
    Dd::fast_two_sum(lead.hi, lead.lo + (tail - half_square.lo + f.lo * slope))
}

/// `k ln2 + log(1 + f)`.
#[inline(always)]
fn add_exponent<R: Real>(k: R, l: Dd<R>, unit: (f64, f64)) -> Dd<R> {
    let p = Dd::two_prod(k, R::lit(unit.0));
    let s = Dd::fast_two_sum(p.hi, l.hi);
    Dd::fast_two_sum(s.hi, s.lo + (k.fma(R::lit(unit.1), p.lo) + l.lo))
}

/// `y` where `0 < x < inf`, else the special values of a logarithm.
#[inline(always)]
fn log_special<R: Real>(x: R, y: R) -> R {
    let inf = R::lit(f64::INFINITY);
    let outside = R::select(x.eq(inf), inf, R::lit(f64::NAN));
    let outside = R::select(x.eq(R::lit(0.0)), R::lit(f64::NEG_INFINITY), outside);
    R::select(x.gt(R::lit(0.0)).and(x.lt(inf)), y, outside)
}

/// `log(x)` of a finite positive `x` as a sum, to about 58 bits.
#[inline(always)]
pub(crate) fn log_sum<R: Real>(x: R) -> Dd<R> {
    let (k, m) = split(x);
    add_exponent(k, log1p_reduced(Dd::new(m - R::lit(1.0), R::lit(0.0))), LN2)
}

/// The natural logarithm.
#[inline(always)]
pub fn log<R: Real>(x: R) -> R {
    named!("log", |x| log_special(x, log_sum(x).value()))
}

/// `log(x) / log(base)` with both factors given to double-double.
#[inline(always)]
fn log_base<R: Real>(x: R, factor: (f64, f64), unit: (f64, f64)) -> R {
    let (k, m) = split(x);
    let l = log1p_reduced(Dd::new(m - R::lit(1.0), R::lit(0.0))) * Dd::lit(factor.0, factor.1);
    log_special(x, add_exponent(k, l, unit).value())
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2<R: Real>(x: R) -> R {
    named!("log2", |x| log_base(x, LOG2_E, (1.0, 0.0)))
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10<R: Real>(x: R) -> R {
    named!("log10", |x| log_base(x, LOG10_E, LOG10_2))
}

/// `log(1 + z) + n ln2` for a normalized finite `z > -1` as a sum, relatively accurate to about 58 bits near 0.
#[inline(always)]
pub(crate) fn log1p_sum<R: Real>(z: Dd<R>, n: R) -> Dd<R> {
    let one = R::lit(1.0);
    let u = Dd::two_sum(one, z.hi);
    let (k, m) = split(u.hi);
    let rest = (u.lo + z.lo).scale(-k);
    let f = Dd::two_sum(m - one, rest);
    let f = Dd::select(k.eq(R::lit(0.0)), z, f);
    add_exponent(k + n, log1p_reduced(f), LN2)
}

/// `log(1 + x)`, accurate near 0.
#[inline(always)]
pub fn log1p<R: Real>(x: R) -> R {
    named!("log1p", |x| {
        let zero = R::lit(0.0);
        let y = log_special(x + R::lit(1.0), log1p_sum(Dd::new(x, zero), zero).value());
        R::select(x.abs().lt(R::lit(f64::EPSILON / 4.0)), x, y)
    })
}

/// `log(x)` of a finite positive `x` to about 2^-70 relative, for powers.
#[inline(always)]
pub(crate) fn log_precise<R: Real>(x: R) -> Dd<R> {
    let (k, m) = split(x);
    let f = m - R::lit(1.0);
    let s = Dd::new(f, R::lit(0.0)) / Dd::two_sum(R::lit(2.0), f);
    let z = s * s;
    // atanh(s) = s + s z (1/3 + z/5 + ...): the terms in 1/3 and 1/5 need more than a double.
    let p = Dd::fast_two_sum(R::lit(0.4), (z.hi * polynomial(z.hi, &ATANH_TAIL)) + R::lit(-2.2204460492503132e-17));
    let p = Dd::lit(2.0 / 3.0, 3.700743415417188e-17) + p * z;
    let l = s.times_pow2(R::lit(2.0)) + s * z * p;
    let t = Dd::two_prod(k, R::lit(LN2.0));
    let t = Dd::fast_two_sum(t.hi, k.fma(R::lit(LN2.1), t.lo));
    t + l
}
