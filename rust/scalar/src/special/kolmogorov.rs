//! The limiting distribution of Kolmogorov's statistic.

use crate::named;
use crate::real::{Mask, Real};
use crate::shared;
use std::f64::consts::PI;

const INF: f64 = f64::INFINITY;
/// The theta series in `e^(-2 x^2)` serves from here on, its transform below (DLMF 20.7.32).
const MEET: f64 = 0.82;

/// The survival function `2 sum (-1)^(k-1) e^(-2 k^2 x^2)`, its derivatives for orders 1 and 2, for `x` at least about 0.8.
#[inline(always)]
fn right<R: Real>(x: R, order: usize) -> R {
    let z = x * x * R::lit(-2.0);
    let mut sum = R::lit(0.0);
    for k in (1..=5).rev() {
        let kk = (k * k) as f64;
        let power = shared::exp(z * R::lit(kk));
        let factor = match order {
            0 => R::lit(2.0),
            1 => x * R::lit(-8.0 * kk),
            _ => (z + z).fma(R::lit(kk), R::lit(1.0)) * R::lit(-8.0 * kk),
        };
        let term = factor * power;
        sum = if k % 2 == 1 { sum + term } else { sum - term };
    }
    sum
}

/// The distribution function `sqrt(2 pi) / x sum e^(-(2k - 1)^2 pi^2 / (8 x^2))`, its derivatives, for `x` up to about 0.8.
#[inline(always)]
fn left<R: Real>(x: R, order: usize) -> R {
    let r = R::lit(1.0) / x;
    let q = r * r * R::lit(PI * PI / 8.0);
    let mut sum = R::lit(0.0);
    for k in (1..=4).rev() {
        let odd = ((2 * k - 1) * (2 * k - 1)) as f64;
        let a = q * R::lit(odd);
        // f = e^-a / x: f' = f (2a - 1) / x, f'' = f (4 a^2 - 10 a + 2) / x^2
        let factor = match order {
            0 => R::lit(1.0),
            1 => a + a - R::lit(1.0),
            _ => (a * R::lit(4.0) - R::lit(10.0)) * a + R::lit(2.0),
        };
        sum = sum + factor * shared::exp(-a);
    }
    let scale = match order {
        0 => r,
        1 => r * r,
        _ => r * r * r,
    };
    sum * scale * R::lit(2.5066282746310002)
}

/// One of the functions on both sides; `at` are the values for `x <= 0` and infinity.
#[inline(always)]
fn pieces<R: Real>(x: R, order: usize, at: (f64, f64)) -> R {
    let far = x.ge(R::lit(MEET));
    let below = x.lt(R::lit(0.03)).and(x.is_nan().not());
    let low = left(R::select(far.or(below), R::lit(0.5), x), order);
    let low = if order == 0 { R::lit(1.0) - low } else { -low };
    let high = right(R::select(far.and(x.lt(R::lit(100.0))), x, R::lit(100.0)), order);
    let out = R::select(far, high, R::select(below, R::lit(at.0), low));
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
                // Either tail by the series that serves it, so that none is a difference.
                let far = x.ge(R::lit(MEET));
                let (a, b) = (R::select(far, x, one), R::select(far, R::lit(0.5), x));
                let (sf, cdf) = (right(a, 0), left(b, 0));
                let sf = R::select(far, sf, one - cdf);
                let cdf = R::select(far, one - sf, cdf);
                let density = R::select(far, -right(a, 1), left(b, 1));
                let value = R::select(upper, sf, cdf);
                let slope = R::select(upper, -density, density);
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
