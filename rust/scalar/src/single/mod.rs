//! Functions of numbers in single precision: in doubles, but without compensation and by polynomials of few terms.
//!
//! Their errors stay below 2^-30 of the result, so that it is within 0.51 ulp after its only rounding to single precision.
//! Methods are those of [`crate::elementary`] and [`crate::special`]; arguments are doubles that were floats, never subnormal.

mod coefficients;

use coefficients as c;

use crate::elementary::{CODY_WAITE_LIMIT, FRAC_PI_2, bit, clamp, polynomial, pow2, reduce_huge, split, to_int};
use crate::named;
use crate::real::{Bits, Mask, Real};
use crate::special::pieces::{intervals, octaves};
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E, LOG10_2, LOG10_E};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
/// Exponentials of what is larger overflow in single precision, also after a square root; of less they are 0.
const LARGE: f64 = 180.0;

/// `q` and `2^k` with `e^x = 2^k (1 + q)`, for `x` limited to what does not overflow.
#[inline(always)]
fn parts<R: Real>(x: R) -> [R; 2] {
    let x = clamp(x, -LARGE, LARGE);
    let k = (x * R::lit(LOG2_E)).round();
    let r = (-k).fma(R::lit(LN_2), x);
    [(r * r).fma(polynomial(r, &c::EXP), r), pow2(k)]
}

#[inline(always)]
fn grown<R: Real>(x: R) -> R {
    let [q, power] = parts(x);
    power.fma(q, power)
}

/// `e^x - 1`.
#[inline(always)]
fn growth<R: Real>(x: R) -> R {
    let [q, power] = parts(x);
    power.fma(q, power - R::lit(1.0))
}

/// `e^x`.
#[inline(always)]
pub fn exp_single<R: Real>(x: R) -> R {
    named!("exp_single", |x| grown(x))
}

/// `2^x`.
#[inline(always)]
pub fn exp2_single<R: Real>(x: R) -> R {
    named!("exp2_single", |x| {
        let x = clamp(x, -LARGE, LARGE);
        let k = x.round();
        let r = (x - k) * R::lit(LN_2);
        let (q, power) = ((r * r).fma(polynomial(r, &c::EXP), r), pow2(k));
        power.fma(q, power)
    })
}

/// `e^x - 1`, accurate near 0.
#[inline(always)]
pub fn expm1_single<R: Real>(x: R) -> R {
    named!("expm1_single", |x| R::select(x.eq(R::lit(0.0)), x, growth(x)))
}

/// The exponent and the logarithm of the mantissa of a positive number.
#[inline(always)]
fn logarithm<R: Real>(x: R) -> [R; 2] {
    let s = split(x);
    let r = s.m.fma(s.inverse, R::lit(-1.0));
    let rest = (r * r).fma(polynomial(r, &c::LOG1P), r);
    [s.k, s.point.hi + rest]
}

/// `y` for ordinary positive `x`, and what a logarithm is elsewhere.
#[inline(always)]
fn ended<R: Real>(x: R, y: R) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let out = R::select(x.lt(inf), y, x);
    R::select(x.gt(zero), out, R::select(x.eq(zero), -inf, R::lit(NAN)))
}

#[inline(always)]
fn plain_log<R: Real>(x: R) -> R {
    let [k, rest] = logarithm(x);
    ended(x, k.fma(R::lit(LN_2), rest))
}

/// The natural logarithm.
#[inline(always)]
pub fn log_single<R: Real>(x: R) -> R {
    named!("log_single", |x| plain_log(x))
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2_single<R: Real>(x: R) -> R {
    named!("log2_single", |x| {
        let [k, rest] = logarithm(x);
        ended(x, rest.fma(R::lit(LOG2_E), k))
    })
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10_single<R: Real>(x: R) -> R {
    named!("log10_single", |x| {
        let [k, rest] = logarithm(x);
        ended(x, k.fma(R::lit(LOG10_2), rest * R::lit(LOG10_E)))
    })
}

/// `log(1 + x)` of what is less than infinite: that of the rounded sum, and the rounding.
#[inline(always)]
fn log_sum<R: Real>(x: R) -> R {
    let sum = R::lit(1.0) + x;
    plain_log(sum) + (x - (sum - R::lit(1.0)))
}

/// `log(1 + x)`, accurate near 0.
#[inline(always)]
pub fn log1p_single<R: Real>(x: R) -> R {
    named!("log1p_single", |x| R::select(x.eq(R::lit(0.0)).or(x.eq(R::lit(INF))), x, log_sum(x)))
}

/// The quadrant of an angle, and the sine and cosine of what it is beyond.
#[inline(always)]
fn angle<R: Real>(x: R) -> (R::Bits, [R; 2]) {
    let k = (x * R::lit(std::f64::consts::FRAC_2_PI)).round();
    let r = (-k).fma(R::lit(FRAC_PI_2.1), (-k).fma(R::lit(FRAC_PI_2.0), x));
    let [k, r] = R::when(
        x.abs().gt(R::lit(CODY_WAITE_LIMIT)),
        [k, r],
        #[inline(always)]
        || {
            let [k, r, _] = reduce_huge(x);
            [k, r]
        },
    );
    let z = r * r;
    let sine = (z * r).fma(polynomial(z, &c::SIN), r);
    let cosine = z.fma(polynomial(z, &c::COS), R::lit(1.0));
    (to_int(k), [sine, cosine])
}

/// The sine so many quadrants on.
#[inline(always)]
fn wave<R: Real>(x: R, quadrants: i64) -> R {
    let (quadrant, [sine, cosine]) = angle(x);
    let quadrant = quadrant.add(R::Bits::lit(quadrants));
    let y = R::select(bit::<R>(quadrant, 0), cosine, sine);
    R::select(bit::<R>(quadrant, 1), -y, y)
}

/// The sine.
#[inline(always)]
pub fn sin_single<R: Real>(x: R) -> R {
    named!("sin_single", |x| R::select(x.eq(R::lit(0.0)), x, wave(x, 0)))
}

/// The cosine.
#[inline(always)]
pub fn cos_single<R: Real>(x: R) -> R {
    named!("cos_single", |x| wave(x, 1))
}

/// The tangent.
#[inline(always)]
pub fn tan_single<R: Real>(x: R) -> R {
    named!("tan_single", |x| {
        let (quadrant, [sine, cosine]) = angle(x);
        let odd = bit::<R>(quadrant, 0);
        let y = R::select(odd, -cosine, sine) / R::select(odd, sine, cosine);
        R::select(x.eq(R::lit(0.0)), x, y)
    })
}

/// The hyperbolic sine.
#[inline(always)]
pub fn sinh_single<R: Real>(x: R) -> R {
    named!("sinh_single", |x| {
        let e = growth(x.abs());
        (R::lit(0.5) * (e + e / (e + R::lit(1.0)))).copysign(x)
    })
}

/// The hyperbolic cosine.
#[inline(always)]
pub fn cosh_single<R: Real>(x: R) -> R {
    named!("cosh_single", |x| {
        let e = grown(x.abs());
        R::lit(0.5) * (e + R::lit(1.0) / e)
    })
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh_single<R: Real>(x: R) -> R {
    named!("tanh_single", |x| {
        let y = x.abs();
        let e = growth((y + y).min(R::lit(40.0)));
        (e / (e + R::lit(2.0))).copysign(x)
    })
}

/// The logistic function.
#[inline(always)]
pub fn expit_single<R: Real>(x: R) -> R {
    named!("expit_single", |x| R::lit(1.0) / (R::lit(1.0) + grown(-x)))
}

/// `log(1 + e^x)`.
#[inline(always)]
pub fn softplus_single<R: Real>(x: R) -> R {
    named!("softplus_single", |x| {
        let y = log_sum(grown(-x.abs())) + x.max(R::lit(0.0));
        R::select(x.is_nan(), x, y)
    })
}

/// The logarithm of the logistic function.
#[inline(always)]
pub fn log_expit_single<R: Real>(x: R) -> R {
    -softplus_single(-x)
}

/// Error function.
#[inline(always)]
pub fn erf_single<R: Real>(x: R) -> R {
    named!("erf_single", |x| {
        // Beyond, the result rounds to 1.
        let y = x.abs().min(R::lit(3.999));
        let out = (y * intervals(&c::ERF_SINGLE, y, 0.0, 0.25)).copysign(x);
        R::select(x.is_nan(), x, out)
    })
}

/// erfc of `x >= 0`, given `e^(-x^2)`.
#[inline(always)]
fn tail<R: Real>(x: R, bell: R) -> R {
    bell * octaves(0, &c::ERFCX_SINGLE, (x + R::lit(1.0)).min(R::lit(15.9)))
}

/// `1 - erf(x)`.
#[inline(always)]
pub fn erfc_single<R: Real>(x: R) -> R {
    named!("erfc_single", |x| {
        let y = tail(x.abs(), grown(-(x * x)));
        let out = R::select(x.lt(R::lit(0.0)), R::lit(2.0) - y, y);
        R::select(x.is_nan(), x, out)
    })
}

/// The normal distribution function.
#[inline(always)]
pub fn ndtr_single<R: Real>(x: R) -> R {
    named!("ndtr_single", |x| {
        let half = R::lit(0.5);
        let y = tail(x.abs() * R::lit(FRAC_1_SQRT_2), grown(x * x * -half)) * half;
        let out = R::select(x.lt(R::lit(0.0)), y, R::lit(1.0) - y);
        R::select(x.is_nan(), x, out)
    })
}

/// `x log(y)`, 0 where `x` is.
#[inline(always)]
pub fn xlogy_single<R: Real>(x: R, y: R) -> R {
    named!("xlogy_single", |x, y| {
        let zero = R::lit(0.0);
        R::select(x.eq(zero).and(y.is_nan().not()), zero, x * plain_log(y))
    })
}
