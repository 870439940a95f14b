//! Exponential and trigonometric integrals and the dilogarithm.
//!
//! Tables of the scaled functions on pieces of the half line, power series at the origin, asymptotic series beyond 64
//! (DLMF 6.6, 6.12, 25.12).

use super::pieces::{centred, octaves};
use super::tables as t;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real, ShortWays};
use crate::shared;
use std::f64::consts::{EULER_GAMMA, FRAC_PI_2, PI};

const INF: f64 = f64::INFINITY;
/// From here on the asymptotic series are polynomials in `1/x`.
const FAR: f64 = 64.0;

/// `x` where the mask is set, else a point at which the piece is defined.
#[inline(always)]
fn inside<R: Real>(on: R::Mask, x: R, otherwise: f64) -> R {
    R::select(on, x, R::lit(otherwise))
}

/// `x e^x E1(x)` for `x >= 1/2`.
#[inline(always)]
fn exp1_scaled<R: Real>(x: R) -> R {
    let near = octaves(-1, &t::EXP1, inside(x.lt(R::lit(FAR)), x, 1.0));
    R::select(x.lt(R::lit(FAR)), near, centred(&t::EXP1_FAR, R::lit(1.0) / x, 1.0 / FAR))
}

/// The exponential integral `E1` of a positive argument.
#[inline(always)]
pub fn exp1<R: Real>(x: R) -> R {
    named!("exp1", |x| {
        let small = x.lt(R::lit(0.5));
        let y = inside(small, R::lit(1.0), 1.0);
        let y = R::select(small, y, x);
        let tail = shared::exp(-y) * exp1_scaled(y) / y;
        let z = inside(small, x, 0.25);
        let near = z.fma(e::polynomial(z, &t::EIN), R::lit(-EULER_GAMMA)) - shared::log(z);
        let out = R::select(small, near, tail);
        let out = R::select(x.eq(R::lit(INF)), R::lit(0.0), out);
        R::select(x.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}

/// The exponential integral `Ei`, a principal value for positive arguments.
#[inline(always)]
pub fn expi<R: Real>(x: R) -> R {
    named!("expi", |x| {
        let (zero, half) = (R::lit(0.0), R::lit(0.5));
        let negative = x.lt(zero);
        let small = x.lt(half);
        let y = R::select(small, R::lit(1.0), x);
        let close = y.lt(R::lit(FAR));
        let scaled = octaves(-1, &t::EXPI, inside(close, y, 1.0));
        let scaled = R::select(close, scaled, centred(&t::EXPI_FAR, R::lit(1.0) / y, 1.0 / FAR));
        // In two factors where e^x overflows before the quotient does
        let halved = y.gt(R::lit(700.0));
        let power = shared::exp(R::select(halved, y * half, y));
        let right = power * (scaled / y) * R::select(halved, power, R::lit(1.0));
        let z = inside(small.and(negative.not()), x, 0.25);
        let near = z.fma(e::polynomial(-z, &t::EIN), R::lit(EULER_GAMMA)) + shared::log(z);
        let out = R::select(small, near, right);
        let [out] = R::when(
            negative,
            [out],
            #[inline(always)]
            || [-shared::exp1(-x)],
        );
        let out = R::select(x.gt(R::lit(720.0)), R::lit(INF), out);
        R::select(x.is_nan(), x, out)
    })
}

/// `x f(x)` and `x^2 g(x)` of the auxiliary functions of sine and cosine integrals, for `x >= 4`.
#[inline(always)]
fn auxiliary<R: Real>(x: R) -> (R, R) {
    let close = x.lt(R::lit(FAR));
    let y = inside(close, x, 4.0);
    let r = R::lit(1.0) / x;
    let z = r * r;
    let [f, g] = R::when(
        close.not(),
        [octaves(2, &t::SICI_F, y), octaves(2, &t::SICI_G, y)],
        #[inline(always)]
        || {
            let end = 1.0 / (FAR * FAR);
            [centred(&t::SICI_F_FAR, z, end), centred(&t::SICI_G_FAR, z, end)]
        },
    );
    (f * r, g * z)
}

/// The sine integral for `|x| < 4`.
#[inline(always)]
fn si_near<R: Real>(x: R) -> R {
    let z = inside(x.abs().lt(R::lit(4.0)), x, 0.0);
    z * centred(&t::SI, z * z, 16.0)
}

/// The cosine integral for `|x| < 4`.
#[inline(always)]
fn ci_near<R: Real>(x: R) -> R {
    let y = x.abs();
    let z = inside(y.lt(R::lit(4.0)), y, 1.0);
    let square = z * z;
    (R::lit(EULER_GAMMA) + shared::log(z)) - square * centred(&t::CIN, square, 16.0)
}

/// The class of a point that is not near.
#[inline(always)]
fn beyond<R: Real>(x: R) -> R {
    R::select(x.abs().lt(R::lit(4.0)), R::lit(0.0), R::lit(1.0))
}

/// `f(x)` where any lane is `on`.
#[inline(always)]
fn only_near<R: Real>(x: R, on: R::Mask, f: impl Fn(R) -> R) -> R {
    let [out] = R::when(
        on,
        [R::lit(0.0)],
        #[inline(always)]
        || [f(x)],
    );
    out
}

/// The sine integral near 0.
pub struct SiNear;
impl ShortWays<1> for SiNear {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [x]: [R; 1]) -> [R; 2] {
        let left = beyond(x);
        [only_near(x, left.eq(R::lit(0.0)), si_near::<R>), left]
    }
}

/// The cosine integral near 0.
pub struct CiNear;
impl ShortWays<1> for CiNear {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [x]: [R; 1]) -> [R; 2] {
        let left = beyond(x);
        [only_near(x, left.eq(R::lit(0.0)), ci_near::<R>), left]
    }
}

/// The sine integral.
#[inline(always)]
pub fn sici_si<R: Real>(x: R) -> R {
    named!("sici_si", |x| {
        let y = x.abs();
        let far = y.ge(R::lit(4.0)).and(y.lt(R::lit(INF)));
        let near = only_near(y, far.not(), si_near::<R>);
        let [out] = R::when(
            far,
            [near],
            #[inline(always)]
            || {
                let (f, g) = auxiliary(inside(far, y, 4.0));
                let (sin, cos) = e::sin_cos(y);
                [R::lit(FRAC_PI_2) - cos * f - sin * g]
            },
        );
        let out = R::select(y.eq(R::lit(INF)), R::lit(FRAC_PI_2), out);
        R::select(x.is_nan(), x, out.copysign(x))
    })
}

/// The cosine integral of a positive argument, its real part for a negative one.
#[inline(always)]
pub fn sici_ci<R: Real>(x: R) -> R {
    named!("sici_ci", |x| {
        let y = x.abs();
        let far = y.ge(R::lit(4.0)).and(y.lt(R::lit(INF)));
        let near = only_near(y, far.not(), ci_near::<R>);
        let [out] = R::when(
            far,
            [near],
            #[inline(always)]
            || {
                let (f, g) = auxiliary(inside(far, y, 4.0));
                let (sin, cos) = e::sin_cos(y);
                [sin * f - cos * g]
            },
        );
        let out = R::select(x.eq(R::lit(INF)), R::lit(0.0), out);
        R::select(x.is_nan().or(x.eq(R::lit(-INF))), R::lit(f64::NAN), out)
    })
}

/// The hyperbolic sine integral.
#[inline(always)]
pub fn shichi_shi<R: Real>(x: R) -> R {
    named!("shichi_shi", |x| {
        let y = x.abs();
        let one = R::lit(1.0);
        // DLMF 6.6.5 with i x: sum of x^(2k + 1) / ((2k + 1) (2k + 1)!)
        let z = R::select(y.lt(one), y * y, one);
        let mut near = R::lit(0.0);
        let coefs =
            [1.0, 18.0, 600.0, 35280.0, 3265920.0, 439084800.0, 80951270400.0, 1.961511552e13, 6.046686277632e15];
        for k in coefs.iter().rev() {
            near = near.fma(z, R::lit(1.0 / k));
        }
        let far = y.ge(one);
        let [out] = R::when(
            far,
            [y * near],
            #[inline(always)]
            || [(shared::expi(y) + shared::exp1(y)) * R::lit(0.5)],
        );
        R::select(x.is_nan(), x, out.copysign(x))
    })
}

/// The hyperbolic cosine integral of a positive argument, its real part for a negative one.
#[inline(always)]
pub fn shichi_chi<R: Real>(x: R) -> R {
    named!("shichi_chi", |x| {
        let y = x.abs();
        let one = R::lit(1.0);
        let z = R::select(y.lt(one), y * y, one);
        let mut near = R::lit(0.0);
        let coefs = [4.0, 96.0, 4320.0, 322560.0, 36288000.0, 5748019200.0, 1220496076800.0, 334764638208000.0];
        for k in coefs.iter().rev() {
            near = near.fma(z, R::lit(1.0 / k));
        }
        let near = z.fma(near, R::lit(EULER_GAMMA) + shared::log(y));
        let far = y.ge(one);
        let [out] = R::when(
            far,
            [near],
            #[inline(always)]
            || [(shared::expi(y) - shared::exp1(y)) * R::lit(0.5)],
        );
        R::select(x.is_nan(), x, out)
    })
}

/// `Li2(1 - e^-w)` for `|w| <= log 2`, by the series of Bernoulli numbers.
#[inline(always)]
fn dilog_exp<R: Real>(w: R) -> R {
    let z = w * w;
    let odd = z * e::polynomial(z, &t::SPENCE);
    w * (R::lit(1.0) - w * R::lit(0.25) + odd)
}

/// The dilogarithm `Li2(1 - x)`.
#[inline(always)]
pub fn spence<R: Real>(x: R) -> R {
    named!("spence", |x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let log = shared::log(x);
        let low = x.lt(half);
        let high = x.gt(R::lit(2.0));
        // DLMF 25.12.4, 25.12.6: to 1 - x and to 1 / x
        let rest = shared::log1p(-R::select(low, x, half));
        let inner = dilog_exp(R::select(low, -rest, -log));
        let [inner] = R::when(
            high,
            [inner],
            #[inline(always)]
            || {
                // 1 - 1/x again lies in the half next to 1
                let rest = shared::log1p(-(one / x));
                let below = R::lit(PI * PI / 6.0) + log * rest - dilog_exp(-rest);
                [-(log * log * half) - below]
            },
        );
        let product = R::select(x.eq(zero), zero, log * rest);
        let out = R::select(low, R::lit(PI * PI / 6.0) - product - inner, inner + zero);
        let out = R::select(x.eq(R::lit(INF)), R::lit(-INF), out);
        R::select(x.ge(zero), out, R::lit(f64::NAN))
    })
}

/// `log(x) / (1 - x)`, the derivative of [`spence`].
#[inline(always)]
pub fn spence_dx<R: Real>(x: R) -> R {
    named!("spence_dx", |x| {
        let one = R::lit(1.0);
        let u = x - one;
        let out = -(shared::log(x) / u);
        let out = R::select(u.eq(R::lit(0.0)), -one, out);
        R::select(x.eq(R::lit(INF)), R::lit(0.0), out)
    })
}

/// The second derivative of [`spence`].
#[inline(always)]
pub fn spence_dxx<R: Real>(x: R) -> R {
    named!("spence_dxx", |x| {
        let one = R::lit(1.0);
        let u = x - one;
        let near = u.abs().lt(R::lit(0.25));
        // -log(1 + u) / u = sum (-1)^(k + 1) u^k / (k + 1), differentiated
        let z = R::select(near, u, R::lit(0.0));
        let mut series = R::lit(0.0);
        for k in (1..27).rev() {
            let k = f64::from(k);
            let sign = if k % 2.0 == 0.0 { -1.0 } else { 1.0 };
            series = series.fma(z, R::lit(sign * k / (k + 1.0)));
        }
        let outer = (shared::log(x) - u / x) / (u * u);
        let out = R::select(near, series, outer);
        R::select(x.eq(R::lit(INF)), R::lit(0.0), out)
    })
}
