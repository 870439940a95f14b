//! The limiting distribution of Kolmogorov's statistic.

use crate::named;
use crate::real::{Mask, Real};
use crate::shared;
use std::f64::consts::PI;

const INF: f64 = f64::INFINITY;
/// The theta series in `e^(-2 x^2)` serves from here on, its transform below (DLMF 20.7.32).
const MEET: f64 = 0.82;

/// The survival function `2 sum (-1)^(k-1) e^(-2 k^2 x^2)`, its derivatives for orders 1 and 2, for `x` at least about 0.8 and
/// the exponential of the first term.
#[inline(always)]
fn right<R: Real>(x: R, first: R, order: usize) -> R {
    let z = x * x * R::lit(-2.0);
    // The others over the first, unless they are so small that they do not count and their powers would take long to underflow.
    let u = first.max(R::lit(1e-10));
    let square = u * u;
    let cube = square * u;
    let third = square * (cube * cube);
    let fifth = (third * third) * third;
    let fourth = third * (cube * square) * square;
    let mut sum = R::lit(0.0);
    for (k, power) in [(5, fifth), (4, fourth), (3, third), (2, cube), (1, R::lit(1.0))] {
        let kk = (k * k) as f64;
        let factor = match order {
            0 => R::lit(2.0),
            1 => x * R::lit(-8.0 * kk),
            _ => (z + z).fma(R::lit(kk), R::lit(1.0)) * R::lit(-8.0 * kk),
        };
        sum = if k % 2 == 1 { power.fma(factor, sum) } else { (-power).fma(factor, sum) };
    }
    sum * first
}

/// The exponent of the first term of the other series.
#[inline(always)]
fn exponent<R: Real>(r: R) -> R {
    r * r * R::lit(PI * PI / 8.0)
}

/// The distribution function `sqrt(2 pi) / x sum e^(-(2k - 1)^2 pi^2 / (8 x^2))`, its derivatives, for `r = 1 / x`, `x` up to
/// about 0.8 and the exponential of the first term.
#[inline(always)]
fn left<R: Real>(r: R, first: R, order: usize) -> R {
    let q = exponent(r);
    // e^-q to the powers of 8, 24 and 48, where they count
    let square = first.max(R::lit(1e-5));
    let square = square * square;
    let t = (square * square) * (square * square);
    let cube = t * t * t;
    let mut sum = R::lit(0.0);
    for (odd, power) in [(7, cube * cube), (5, cube), (3, t), (1, R::lit(1.0))] {
        let a = q * R::lit((odd * odd) as f64);
        // f = e^-a / x: f' = f (2a - 1) / x, f'' = f (4 a^2 - 10 a + 2) / x^2
        let factor = match order {
            0 => R::lit(1.0),
            1 => a + a - R::lit(1.0),
            _ => (a * R::lit(4.0) - R::lit(10.0)) * a + R::lit(2.0),
        };
        sum = power.fma(factor, sum);
    }
    let scale = match order {
        0 => r,
        1 => r * r,
        _ => r * r * r,
    };
    sum * first * scale * R::lit(2.5066282746310002)
}

/// The series that serves `x`, and whether it is that of the survival function.
struct Side<R: Real> {
    far: R::Mask,
    x: R,
    r: R,
    first: R,
}

impl<R: Real> Side<R> {
    #[inline(always)]
    fn of(x: R) -> Self {
        let far = x.ge(R::lit(MEET));
        let r = R::lit(1.0) / R::select(far, R::lit(MEET), x);
        let first = shared::exp(R::select(far, x * x * R::lit(-2.0), -exponent(r)));
        Side { far, x: R::select(far, x, R::lit(MEET)), r, first }
    }
    /// The survival function and the distribution function, neither as a difference where it is small; for orders 1 and 2
    /// their derivatives.
    #[inline(always)]
    fn both(&self, order: usize) -> [R; 2] {
        let (high, low) = (right(self.x, self.first, order), left(self.r, self.first, order));
        let one = R::lit(if order == 0 { 1.0 } else { 0.0 });
        [R::select(self.far, high, one - low), R::select(self.far, one - high, low)]
    }
}

/// One of the functions on both sides; `at` are the values for `x <= 0` and infinity.
#[inline(always)]
fn pieces<R: Real>(x: R, order: usize, at: (f64, f64)) -> R {
    let below = x.lt(R::lit(0.03));
    let [out, _] = Side::of(R::select(below, R::lit(0.5), x.min(R::lit(100.0)))).both(order);
    let out = R::select(below, R::lit(at.0), out);
    R::select(x.is_nan(), x, R::select(x.ge(R::lit(100.0)), R::lit(at.1), out))
}

/// The survival function of Kolmogorov's distribution.
#[inline(always)]
pub fn kolmogorov<R: Real>(x: R) -> R {
    named!("kolmogorov", |x| pieces(x, 0, (1.0, 0.0)))
}

/// The derivative of [`kolmogorov`]: less the density.
#[inline(always)]
pub fn kolmogorov_dx<R: Real>(x: R) -> R {
    named!("kolmogorov_dx", |x| pieces(x, 1, (-0.0, 0.0)))
}

/// The second derivative of [`kolmogorov`].
#[inline(always)]
pub fn kolmogorov_dxx<R: Real>(x: R) -> R {
    named!("kolmogorov_dxx", |x| pieces(x, 2, (0.0, 0.0)))
}

/// The `x` with `kolmogorov(x) = p`: Newton's method on the logarithm of the smaller tail.
#[inline(always)]
pub fn kolmogi<R: Real>(p: R) -> R {
    named!("kolmogi", |p| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let inside = p.gt(zero).and(p.lt(one));
        let p0 = R::select(inside, p, R::lit(0.3));
        let upper = p0.lt(R::lit(0.5));
        let tail = R::select(upper, p0, one - p0);
        let l = shared::log(tail);
        let high = ((R::lit(std::f64::consts::LN_2) - l) * R::lit(0.5)).sqrt();
        let low = R::lit(PI) / ((R::lit(1.5) - l) * R::lit(8.0)).sqrt();
        let [x, _] = R::repeat(
            [R::select(upper, high, low), one],
            40,
            #[inline(always)]
            |[x, last]| {
                let side = Side::of(x);
                let ([sf, cdf], [sf_slope, cdf_slope]) = (side.both(0), side.both(1));
                let value = R::select(upper, sf, cdf);
                let slope = R::select(upper, sf_slope, cdf_slope);
                let step = (shared::log(value) - l) * value / slope;
                // The second derivative of the logarithm has one sign on either side: no step may double x.
                let next = (x - step).max(x * R::lit(0.5)).min(x + x);
                let size = (next - x).abs();
                ([next, size], size.gt(x * R::lit(1e-15)).and(size.lt(last).or(size.gt(x * R::lit(1e-8)))))
            },
        );
        // Of a small tail the series has one term.
        let x = R::select(p0.lt(R::lit(1e-10)), high, x);
        let out = R::select(inside, x, R::lit(f64::NAN));
        R::select(p.eq(zero), R::lit(INF), R::select(p.eq(one), zero, out))
    })
}
