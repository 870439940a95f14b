//! Logarithms.
//!
//! A mantissa `m` is multiplied by a tabulated reciprocal of a nearby point `c`, which leaves `log(c) + log1p(m/c - 1)` with a
//! short series (P. T. P. Tang, "Table-driven implementation of the logarithm function", 1990); the table has 16 entries, so
//! that it fits into registers.

use super::coefficients::{LN2_GRID, LOG, LOG1P, LOG1P_TAIL};
use super::polynomial;
use crate::dd::Dd;
use crate::named;
use crate::real::{Bits, Mask, ROUND_MAGIC, Real};

const LOG2_E: (f64, f64) = (std::f64::consts::LOG2_E, 2.0355273740931033e-17);
const LOG10_E: (f64, f64) = (std::f64::consts::LOG10_E, 1.098319650216765e-17);
const LOG10_2: (f64, f64) = (std::f64::consts::LOG10_2, -2.8037281277851704e-18);

/// The bit pattern of 0.703125, where the intervals of the table begin.
const FIRST: i64 = 0x3fe68 << 44;

/// `x = 2^k m` with `m` in the table's range, the reciprocal of a point in the interval that holds it, and the point's logarithm, whose
/// leading part has digits to spare.
pub(crate) struct Split<R: Real> {
    pub k: R,
    pub m: R,
    pub inverse: R,
    pub point: Dd<R>,
}

/// `k` and `m` of a positive normal `x = 2^k m`, and bits of which the lower 52 count from the beginning of the table's range.
#[inline(always)]
fn octave<R: Real>(x: R) -> (R::Bits, R, R) {
    let bits = x.to_bits().add(R::Bits::lit((1024 << 52) - FIRST));
    let biased = bits.shr(52).or(R::Bits::lit(ROUND_MAGIC.to_bits() as i64));
    let m = bits.and(R::Bits::lit((1 << 52) - 1)).add(R::Bits::lit(FIRST));
    (bits, R::from_bits(biased) - R::lit(ROUND_MAGIC + 1024.0), R::from_bits(m))
}

/// `log(x)` of a positive normal `x` to 1e-4, for what corrects a rounding.
#[inline(always)]
pub(crate) fn rough_log<R: Real>(x: R) -> R {
    let (_, k, m) = octave(x);
    let u = m - R::lit(1.0);
    k.fma(R::lit(LN2_GRID.0), u * polynomial(u, &[0.999264, -0.502181, 0.360102, -0.233225]))
}

/// Splits a positive normal number.
#[inline(always)]
pub(crate) fn split<R: Real>(x: R) -> Split<R> {
    let (bits, k, m) = octave(x);
    let interval = bits.shr(48).and(R::Bits::lit(15));
    Split {
        k,
        m,
        inverse: R::column(&LOG, 0, interval),
        point: Dd::new(R::column(&LOG, 1, interval), R::column(&LOG, 2, interval)),
    }
}

/// The point's logarithm plus `k` times ln2; the leading part is exact.
#[inline(always)]
fn base<R: Real>(k: R, point: Dd<R>) -> Dd<R> {
    Dd::new(k.fma(R::lit(LN2_GRID.0), point.hi), k.fma(R::lit(LN2_GRID.1), point.lo))
}

/// `m / c - 1` as an exact sum, at most 1/32 in magnitude.
#[inline(always)]
fn relative<R: Real>(s: &Split<R>) -> Dd<R> {
    let p = Dd::two_prod(s.m, s.inverse);
    Dd::new(p.hi - R::lit(1.0), p.lo)
}

/// `base + log(1 + r)`, to about 60 bits, unnormalized.
#[inline(always)]
fn add_log1p<R: Real>(base: Dd<R>, r: Dd<R>) -> Dd<R> {
    let lead = Dd::fast_two_sum(base.hi, r.hi);
    let tail = (r.hi * r.hi).fma(polynomial(r.hi, &LOG1P), (-r.lo).fma(r.hi, r.lo));
    Dd::new(lead.hi, lead.lo + (base.lo + tail))
}

/// `f(x, 0)` for positive normal `x`; subnormal `x` are given to `f` as `f(2^54 x, -54)`, and the others have special values.
#[inline(always)]
fn log_of<R: Real>(x: R, f: impl Fn(R, R) -> R) -> R {
    let inf = R::lit(f64::INFINITY);
    let ordinary = x.ge(R::lit(f64::MIN_POSITIVE)).and(x.lt(inf));
    let y = f(x, R::lit(0.0));
    let [y] = R::when(
        ordinary.not(),
        [y],
        #[inline(always)]
        || {
            let special = R::select(x.eq(R::lit(0.0)), R::lit(f64::NEG_INFINITY), R::lit(f64::NAN));
            R::when(
                x.gt(R::lit(0.0)).and(x.lt(R::lit(f64::MIN_POSITIVE))),
                [R::select(x.eq(inf), inf, special)],
                #[inline(always)]
                || [f(x * R::lit((1u64 << 54) as f64), R::lit(-54.0))],
            )
        },
    );
    y
}

/// The natural logarithm.
#[inline(always)]
pub fn log<R: Real>(x: R) -> R {
    named!("log", |x| log_of(
        x,
        #[inline(always)]
        |x, offset| {
            let s = split(x);
            add_log1p(base(s.k + offset, s.point), relative(&s)).value()
        }
    ))
}

/// `log(x) / log(base)`, where `factor` is `1 / log(base)` and `unit` is `log(2) / log(base)`.
#[inline(always)]
fn log_base<R: Real>(x: R, factor: (f64, f64), unit: (f64, f64)) -> R {
    log_of(
        x,
        #[inline(always)]
        |x, offset| {
            let s = split(x);
            let l = add_log1p(s.point, relative(&s)).normalize() * Dd::lit(factor.0, factor.1);
            let k = Dd::two_prod(s.k + offset, R::lit(unit.0));
            let sum = Dd::fast_two_sum(k.hi, l.hi);
            sum.hi + (sum.lo + ((s.k + offset).fma(R::lit(unit.1), k.lo) + l.lo))
        },
    )
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

/// `log(1 + z) + n ln2` for a normalized `z` with `1 + z` a positive normal number, relatively accurate to about 60 bits also
/// near 0, unnormalized.
#[inline(always)]
pub(crate) fn log1p_sum<R: Real>(z: Dd<R>, n: R) -> Dd<R> {
    let u = Dd::two_sum(R::lit(1.0), z.hi);
    let s = split(u.hi);
    let p = Dd::two_prod(s.m, s.inverse);
    // The scaled rest of u is at most 2^-53; where u is large it is not needed and may underflow.
    let rest = (u.lo + z.lo).scale_plainly(-s.k) * s.inverse;
    let r = Dd::fast_two_sum(p.hi - R::lit(1.0), p.lo + rest);
    // In the interval of 1 no digit of z may be lost.
    let near = z.hi.abs().lt(R::lit(1.0 / 64.0));
    add_log1p(base(s.k + n, s.point), Dd::select(near, z, r))
}

/// `log(1 + x)`, accurate near 0.
#[inline(always)]
pub fn log1p<R: Real>(x: R) -> R {
    named!("log1p", |x| {
        let (zero, inf) = (R::lit(0.0), R::lit(f64::INFINITY));
        let y = log1p_sum(Dd::new(x, zero), zero).value();
        let ordinary = x.gt(R::lit(-1.0)).and(x.lt(inf)).and(x.ne(zero));
        let [y] = R::when(
            ordinary.not(),
            [y],
            #[inline(always)]
            || {
                let outside = R::select(x.eq(R::lit(-1.0)), R::lit(f64::NEG_INFINITY), R::lit(f64::NAN));
                [R::select(x.eq(inf).or(x.eq(zero)), x, outside)]
            },
        );
        y
    })
}

/// `log(x)` of a finite positive `x` to about 60 bits, unnormalized.
#[inline(always)]
pub(crate) fn log_pair<R: Real>(x: R) -> Dd<R> {
    let subnormal = x.lt(R::lit(f64::MIN_POSITIVE));
    let s = split(R::select(subnormal, x * R::lit((1u64 << 54) as f64), x));
    add_log1p(base(s.k - R::select(subnormal, R::lit(54.0), R::lit(0.0)), s.point), relative(&s))
}

/// `log(u / (v + rest))` of positive numbers with a normal quotient to about 60 bits, also next to 1, unnormalized.
#[inline(always)]
pub(crate) fn log_quotient<R: Real>(u: R, v: R, rest: R) -> Dd<R> {
    let ratio = u / v;
    let s = split(ratio);
    let log = add_log1p(base(s.k, s.point), relative(&s));
    Dd::new(log.hi, log.lo + (-ratio).fma(rest, (-ratio).fma(v, u)) / u)
}

/// [`log_sum`] of two doubles.
#[inline(always)]
pub(crate) fn log_wide<R: Real>(x: Dd<R>) -> Dd<R> {
    log_sum(x.hi).plus(x.lo / x.hi)
}

/// `log(x)` of a finite positive `x` to about 2^-70 relative, for powers.
#[inline(always)]
pub(crate) fn log_sum<R: Real>(x: R) -> Dd<R> {
    let subnormal = x.lt(R::lit(f64::MIN_POSITIVE));
    let s = split(R::select(subnormal, x * R::lit((1u64 << 54) as f64), x));
    let base = base(s.k - R::select(subnormal, R::lit(54.0), R::lit(0.0)), s.point);
    let r = relative(&s);
    // The terms to r^3 / 3 need more than a double.
    let square = Dd::two_prod(r.hi * R::lit(0.5), r.hi);
    let two_thirds = Dd::two_prod(r.hi, R::lit(2.0 / 3.0));
    let cube = Dd::two_prod(square.hi, two_thirds.hi);
    let cube_rest = r.hi.fma(R::lit(3.700743415417188e-17), two_thirds.lo) * square.hi + square.lo * two_thirds.hi;
    let fourth = (square.hi * square.hi) * (R::lit(4.0) * polynomial(r.hi, &LOG1P_TAIL));
    let first = Dd::fast_two_sum(base.hi, r.hi);
    let second = Dd::fast_two_sum(first.hi, -square.hi);
    let third = Dd::fast_two_sum(second.hi, cube.hi);
    let small = (cube.lo + cube_rest - square.lo) + r.lo * r.hi.fma(r.hi - R::lit(1.0), R::lit(1.0));
    let lo = (first.lo + second.lo) + (third.lo + (base.lo + (small + fourth)));
    Dd::fast_two_sum(third.hi, lo)
}
