//! Roots and the Euclidean norm.

use super::coefficients::RCBRT;
use super::log::split;
use super::{polynomial, pow2};
use crate::dd::Dd;
use crate::named;
use crate::real::{Arith, Mask, Real};

/// The square root, correctly rounded.
#[inline(always)]
pub fn sqrt<R: Arith>(x: R) -> R {
    x.sqrt()
}

/// `1 / sqrt(x)`.
#[inline(always)]
pub fn rsqrt<R: Real>(x: R) -> R {
    named!("rsqrt", |x| {
        let y = R::lit(1.0) / x.sqrt();
        // One Newton step with the residual 1 - (x y) y, whose factors stay inside the range.
        let t = Dd::two_prod(x, y);
        let rest = (-t.hi).fma(y, R::lit(1.0)) - t.lo * y;
        let refined = (y * R::lit(0.5)).fma(rest, y);
        R::select(x.gt(R::lit(0.0)).and(x.lt(R::lit(f64::INFINITY))), refined, y)
    })
}

/// The cube root.
#[inline(always)]
pub fn cbrt<R: Real>(x: R) -> R {
    named!("cbrt", |x| {
        let one = R::lit(1.0);
        let (exponent, m) = split(x.abs());
        // |x| = 2^(3 third) v with 1/sqrt(2) <= v < 4 sqrt(2)
        let third = (exponent * R::lit(1.0 / 3.0)).floor();
        let rest = third.fma(R::lit(-3.0), exponent);
        let v = m * pow2(rest);
        // The start is for [1, 2]: below it m is doubled, and the missing powers of two are put in.
        let below = m.lt(one);
        let start = polynomial(R::select(below, m + m, m), &RCBRT);
        let step = R::select(below, rest - one, rest);
        let factor = R::select(step.eq(one), R::lit(INVERSE_CBRT_2), one);
        let factor = R::select(step.eq(R::lit(2.0)), R::lit(INVERSE_CBRT_4), factor);
        let factor = R::select(step.eq(R::lit(-1.0)), R::lit(CBRT_2), factor);
        let mut inverse = start * factor;
        for _ in 0..2 {
            // v^(-1/3) = y (1 - h)^(-1/3) with h = 1 - v y^3, to second order in h.
            let h = (-(v * inverse)).fma(inverse * inverse, one);
            let series = h.fma(R::lit(2.0 / 9.0), R::lit(1.0 / 3.0));
            inverse = (inverse * h).fma(series, inverse);
        }
        let square = inverse * inverse;
        let y = v * square;
        let yy = Dd::two_prod(y, y);
        let residual = (-yy.hi).fma(y, v) - yy.lo * y;
        let refined = (square * R::lit(1.0 / 3.0)).fma(residual, y);
        let r = (refined * pow2(third)).copysign(x);
        let ordinary = x.ne(R::lit(0.0)).and(x.abs().lt(R::lit(f64::INFINITY)));
        R::select(ordinary, r, x)
    })
}

const CBRT_2: f64 = 1.2599210498948732;
const INVERSE_CBRT_2: f64 = 0.7937005259840998;
const INVERSE_CBRT_4: f64 = 0.6299605249474366;

/// `sqrt(x^2 + y^2)` without overflow or underflow on the way.
#[inline(always)]
pub fn hypot<R: Real>(x: R, y: R) -> R {
    named!("hypot", |x, y| {
        let (ax, ay) = (x.abs(), y.abs());
        let swap = ax.lt(ay);
        let (a, b) = (R::select(swap, ay, ax), R::select(swap, ax, ay));
        let shrink = a.gt(R::lit(1e150));
        let grow = a.lt(R::lit(1e-120));
        let step = R::select(shrink, R::lit(-600.0), R::select(grow, R::lit(700.0), R::lit(0.0)));
        let factor = pow2(step);
        let (a, b) = (a * factor, b * factor);
        let square = Dd::two_prod(a, a) + Dd::two_prod(b, b);
        let r = square.sqrt().value() * pow2(-step);
        let sum = a + b;
        let r = R::select(sum.eq(R::lit(0.0)), sum, r);
        let infinite = ax.eq(R::lit(f64::INFINITY)).or(ay.eq(R::lit(f64::INFINITY)));
        R::select(infinite, R::lit(f64::INFINITY), r)
    })
}
