//! The error function, its complements and inverses, and the normal distribution.

use super::coefficients as c;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Bits, Mask, Real};
use crate::shared;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, SQRT_2};

const INF: f64 = f64::INFINITY;
/// `2 / sqrt(pi)` in two parts.
const TWO_ROOT_PI: (f64, f64) = (std::f64::consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);
/// `sqrt(pi) / 2` in two parts.
const HALF_ROOT_PI: (f64, f64) = (0.886226925452758, -3.8345995500705094e-17);
/// Below this magnitude the series of erfinv serves.
const INVERSE_SERIES_TO: f64 = 0.53;
/// Below this magnitude the series of erf serves, for erfc as well.
const SERIES_TO: f64 = 0.65;
/// erfc underflows beyond.
const ERFC_ZERO: f64 = 27.3;

/// erf of `|x| < 0.65`.
#[inline(always)]
fn erf_core<R: Real>(x: R) -> Dd<R> {
    let z = x * x;
    let lead = Dd::two_prod(x, R::lit(TWO_ROOT_PI.0));
    Dd::new(lead.hi, lead.lo + x * (R::lit(TWO_ROOT_PI.1) + z * e::polynomial(z, &c::ERF)))
}

/// erfcx of `0.5 <= x < 32`, from the row of its eighth of an octave.
#[inline(always)]
fn erfcx_core<R: Real>(x: R) -> Dd<R> {
    // Three bits of the fraction beside the exponent name the row; with the next bit set they are its middle.
    let bits = x.to_bits().shr(49);
    let row = bits.sub(R::Bits::lit(1022 << 3));
    let t = x - R::from_bits(bits.shl(49).or(R::Bits::lit(1 << 48)));
    // Fourteen numbers per row.
    let at = row.shl(4).sub(row.shl(1));
    let mut slope = R::gather(&c::ERFCX, at.add(R::Bits::lit(13)));
    for k in (2..13).rev() {
        slope = slope.fma(t, R::gather(&c::ERFCX, at.add(R::Bits::lit(k))));
    }
    let sum = Dd::fast_two_sum(R::gather(&c::ERFCX, at), slope * t);
    Dd::new(sum.hi, sum.lo + R::gather(&c::ERFCX, at.add(R::Bits::lit(1))))
}

/// erfc of `0.5 <= x` as `e^(-x^2) erfcx(x)`; zero beyond the range.
#[inline(always)]
fn erfc_tail<R: Real>(x: R) -> R {
    let inside = R::select(x.lt(R::lit(ERFC_ZERO)), x, R::lit(ERFC_ZERO));
    let (k, r) = e::reduce_ln2(-Dd::two_prod(inside, inside));
    let product = (e::exp_reduced(r).normalize() * erfcx_core(inside)).value().scale(k);
    R::select(x.lt(R::lit(ERFC_ZERO)), product, R::lit(0.0))
}

/// Error function.
#[inline(always)]
pub fn erf<R: Real>(x: R) -> R {
    named!("erf", |x| {
        let y = x.abs();
        let one = R::lit(1.0);
        let near = y.lt(R::lit(SERIES_TO));
        let core = erf_core(R::select(near, x, R::lit(0.0))).value();
        let outer = (one - erfc_tail(R::select(near, one, y))).copysign(x);
        let out = R::select(near, core, outer);
        R::select(x.is_nan().or(x.eq(R::lit(0.0))), x, out)
    })
}

/// `1 - erf(x)` without cancellation.
#[inline(always)]
pub fn erfc<R: Real>(x: R) -> R {
    named!("erfc", |x| {
        let y = x.abs();
        let one = R::lit(1.0);
        let near = y.lt(R::lit(SERIES_TO));
        let core = erf_core(R::select(near, x, R::lit(0.0)));
        let head = Dd::two_sum(one, -core.hi);
        let tail = erfc_tail(R::select(near, one, y));
        let outer = R::select(x.lt(R::lit(0.0)), R::lit(2.0) - tail, tail);
        let out = R::select(near, head.hi + (head.lo - core.lo), outer);
        R::select(x.is_nan(), x, out)
    })
}

/// `e^(x^2) erfc(x)`.
#[inline(always)]
pub fn erfcx<R: Real>(x: R) -> R {
    named!("erfcx", |x| {
        let y = x.abs();
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let inside = R::select(y.lt(half), half, R::select(y.lt(R::lit(31.0)), y, R::lit(31.0)));
        let core = erfcx_core(inside).value();
        // DLMF 7.12.1
        let r = one / y;
        let z = r * r;
        let series = e::polynomial(z, &[1.0, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875]);
        let far = R::lit(TWO_ROOT_PI.0 / 2.0) * r * series;
        let positive = R::select(y.lt(R::lit(31.0)), core, far);
        // e^(x^2), with the rounding of the square put back
        let bound = R::select(y.lt(R::lit(27.0)), y, R::lit(27.0));
        let square = bound * bound;
        let growth = shared::exp(square);
        let growth = growth.fma(bound.fma(bound, -square), growth);
        let near = growth * shared::erfc(R::select(y.lt(half), x, half));
        let left = growth + growth - positive;
        let out = R::select(x.lt(R::lit(0.0)), left, positive);
        let out = R::select(x.lt(R::lit(-26.9)), R::lit(INF), out);
        R::select(x.is_nan(), x, R::select(y.lt(half), near, out))
    })
}

/// A Halley step from `y >= 1/2` towards `log erfc(y) = log q`.
#[inline(always)]
fn erfcinv_step<R: Real>(y: R, log_q: R) -> R {
    let y = R::select(y.lt(R::lit(26.6)), y, R::lit(26.6));
    let scaled = erfcx_core(y).value();
    let residual = shared::log(scaled) - y.fma(y, log_q);
    // d log erfc / dy = -s, and ds/dy = s (s - 2 y)
    let s = R::lit(TWO_ROOT_PI.0) / scaled;
    let newton = residual / s;
    y + newton / (newton * (s - (y + y))).fma(R::lit(0.5), R::lit(1.0))
}

/// A polynomial about the middle of its interval.
#[inline(always)]
fn erfcinv_start<R: Real>(s: R, (middle, coefs): &(f64, [f64; 9])) -> R {
    e::polynomial(s - R::lit(*middle), coefs)
}

/// Inverse of erfc for `0 < q <= 0.47`: seven digits from a polynomial, the rest from one step.
#[inline(always)]
fn erfcinv_tail<R: Real>(q: R) -> R {
    let log_q = shared::log(q);
    let s = (-log_q).sqrt();
    let [left, middle, right] = &c::ERFCINV;
    let far = R::select(s.lt(R::lit(7.0)), erfcinv_start(s, middle), erfcinv_start(s, right));
    erfcinv_step(R::select(s.lt(R::lit(2.5)), erfcinv_start(s, left), far), log_q)
}

/// Inverse of erf for `|p| <= 0.53`.
#[inline(always)]
fn erfinv_core<R: Real>(p: R) -> R {
    let z = p * p;
    let out = p.fma(R::lit(HALF_ROOT_PI.0), p * z.fma(e::polynomial(z, &c::ERFINV), R::lit(HALF_ROOT_PI.1)));
    // the sign of zero
    R::select(p.eq(R::lit(0.0)), p, out)
}

/// Inverse of erf; infinite at -1 and 1.
#[inline(always)]
pub fn erfinv<R: Real>(x: R) -> R {
    named!("erfinv", |x| {
        let one = R::lit(1.0);
        let y = x.abs();
        let core = y.lt(R::lit(INVERSE_SERIES_TO));
        let inner = erfinv_core(R::select(core, x, R::lit(0.0)));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), one - y)).copysign(x);
        let out = R::select(core, inner, tail);
        let out = R::select(y.eq(one), R::lit(INF).copysign(x), out);
        R::select(y.le(one), out, R::lit(f64::NAN))
    })
}

/// Inverse of erfc; infinite at 0 and 2.
#[inline(always)]
pub fn erfcinv<R: Real>(x: R) -> R {
    named!("erfcinv", |x| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let left = x.gt(one);
        let q = R::select(left, two - x, x);
        let core = q.gt(R::lit(1.0 - INVERSE_SERIES_TO));
        let inner = -erfinv_core(R::select(core, x - one, zero));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), q));
        let out = R::select(core, inner, R::select(left, -tail, tail));
        let out = R::select(q.eq(zero), R::select(left, R::lit(-INF), R::lit(INF)), out);
        R::select(q.ge(zero), out, R::lit(f64::NAN))
    })
}

/// Standard normal distribution function.
#[inline(always)]
pub fn ndtr<R: Real>(x: R) -> R {
    named!("ndtr", |x| R::lit(0.5) * erfc(x * R::lit(-FRAC_1_SQRT_2)))
}

/// Logarithm of the standard normal distribution function.
#[inline(always)]
pub fn log_ndtr<R: Real>(x: R) -> R {
    named!("log_ndtr", |x| {
        let t = x * R::lit(FRAC_1_SQRT_2);
        let right = shared::log1p(shared::erfc(t) * R::lit(-0.5));
        let left = shared::log(shared::erfcx(-t)) - R::lit(LN_2) - x * x * R::lit(0.5);
        let out = R::select(x.lt(R::lit(-1.0)), left, right);
        R::select(x.eq(R::lit(-INF)), x, out)
    })
}

/// Inverse of [`ndtr`].
#[inline(always)]
pub fn ndtri<R: Real>(x: R) -> R {
    named!("ndtri", |x| {
        let half = R::lit(0.5);
        let left = x.le(half);
        let p = R::select(left, x, R::lit(1.0) - x);
        let core = p.gt(R::lit(0.5 - 0.5 * INVERSE_SERIES_TO));
        // 2 (x - 1/2) is exact where the root is near.
        let inner = erfinv_core(R::select(core, (x - half) * R::lit(2.0), R::lit(0.0)));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), p + p));
        let out = R::select(core, inner, R::select(left, -tail, tail)) * R::lit(SQRT_2);
        let out = R::select(p.eq(R::lit(0.0)), R::select(left, R::lit(-INF), R::lit(INF)), out);
        R::select(p.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}
