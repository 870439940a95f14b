//! Bessel functions of order 0 and 1: tables on pieces below 8, beyond amplitude and phase with Hankel's functions P and Q
//! from tables, from 64 on from their expansions (DLMF 10.17, 10.40).

use super::pieces::{centred, octaves, octaves_sum, units, units_sum};
use super::tables as t;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real, Rows};
use crate::shared;
use std::f64::consts::FRAC_2_PI;

const INF: f64 = f64::INFINITY;
const NEAR: f64 = 8.0;
const FAR: f64 = 64.0;

/// The tables of one order.
struct Order {
    p: &'static Rows<13, 12>,
    q: &'static Rows<13, 12>,
    p_far: [f64; 5],
    q_far: [f64; 5],
    first: bool,
}

static ZERO: Order =
    Order { p: &t::BESSEL_P0, q: &t::BESSEL_Q0, p_far: t::BESSEL_P0_FAR, q_far: t::BESSEL_Q0_FAR, first: false };
static ONE: Order =
    Order { p: &t::BESSEL_P1, q: &t::BESSEL_Q1, p_far: t::BESSEL_P1_FAR, q_far: t::BESSEL_Q1_FAR, first: true };

/// `J`, or `Y` where `SECOND`, of `8 <= x < inf` with its sine and cosine.
#[inline(always)]
fn wave<R: Real, const SECOND: bool>(order: &'static Order, x: R, (s, c): (R, R)) -> R {
    let close = x.lt(R::lit(FAR));
    let y = R::select(close, x, R::lit(NEAR));
    let r = R::lit(1.0) / x;
    let z = r * r;
    let [p, q] = R::when(
        close.not(),
        [octaves(3, order.p, y), octaves(3, order.q, y)],
        #[inline(always)]
        || {
            let end = 1.0 / (FAR * FAR);
            [centred(&order.p_far, z, end), centred(&order.q_far, z, end)]
        },
    );
    let q = q * r;
    // sqrt(2) cos and sin of x - (2n + 1) pi/4
    let (cos, sin) = if order.first { (s - c, -(s + c)) } else { (s + c, s - c) };
    let sum = if SECOND { p * sin + q * cos } else { p * cos - q * sin };
    sum / x.sqrt()
}

/// `x` below 8, elsewhere a point where the tables are defined.
#[inline(always)]
fn inner<R: Real>(x: R) -> R {
    R::select(x.lt(R::lit(NEAR)), x, R::lit(1.0))
}

/// `near` below 8, the wave beyond, 0 at infinity.
#[inline(always)]
fn with_wave<R: Real, const SECOND: bool>(order: &'static Order, x: R, near: R) -> R {
    let far = x.ge(R::lit(NEAR)).and(x.lt(R::lit(INF)));
    let [out] = R::when(
        far,
        [near],
        #[inline(always)]
        || {
            let x = R::select(far, x, R::lit(NEAR));
            [wave::<R, SECOND>(order, x, e::sin_cos(x))]
        },
    );
    let out = R::select(x.eq(R::lit(INF)), R::lit(0.0), out);
    R::select(x.is_nan(), x, out)
}

/// Bessel function of the first kind of order 0.
#[inline(always)]
pub fn j0<R: Real>(x: R) -> R {
    named!("j0", |x| {
        let y = x.abs();
        with_wave::<R, false>(&ZERO, y, units(&t::J0, inner(y)))
    })
}

/// Bessel function of the first kind of order 1.
#[inline(always)]
pub fn j1<R: Real>(x: R) -> R {
    named!("j1", |x| {
        let y = x.abs();
        let out = with_wave::<R, false>(&ONE, y, y * units(&t::J1, inner(y)));
        R::select(e::is_negative(x), -out, out)
    })
}

/// `Y` with its pole at 0, NaN for negative arguments.
#[inline(always)]
fn second<R: Real>(order: &'static Order, x: R, near: R) -> R {
    let out = with_wave::<R, true>(order, x, near);
    let out = R::select(x.eq(R::lit(0.0)), R::lit(-INF), out);
    R::select(x.ge(R::lit(0.0)), out, R::lit(f64::NAN))
}

/// `Y` of order 0 for `0 < x < 8` with `2/pi log(x)`.
#[inline(always)]
fn second_zero<R: Real>(x: R, log: R) -> R {
    log.fma(units(&t::J0, x), units(&t::Y0, x))
}

/// The same of order 1.
#[inline(always)]
fn second_one<R: Real>(x: R, log: R) -> R {
    let smooth = x * log.fma(units(&t::J1, x), units(&t::Y1, x));
    smooth - R::lit(FRAC_2_PI) / x
}

/// Bessel function of the second kind of order 0.
#[inline(always)]
pub fn y0<R: Real>(x: R) -> R {
    named!("y0", |x| {
        let y = inner(x);
        second(&ZERO, x, second_zero(y, shared::log(y) * R::lit(FRAC_2_PI)))
    })
}

/// Bessel function of the second kind of order 1.
#[inline(always)]
pub fn y1<R: Real>(x: R) -> R {
    named!("y1", |x| {
        let y = inner(x);
        second(&ONE, x, second_one(y, shared::log(y) * R::lit(FRAC_2_PI)))
    })
}

/// `Y` of the orders 0 and 1 for `0 < x < inf`.
#[inline(always)]
pub(super) fn second_pair<R: Real>(x: R) -> [R; 2] {
    let close = x.lt(R::lit(NEAR));
    let near = R::when(
        close,
        [R::lit(0.0); 2],
        #[inline(always)]
        || {
            let x = inner(x);
            let log = shared::log(x) * R::lit(FRAC_2_PI);
            [second_zero(x, log), second_one(x, log)]
        },
    );
    R::when(
        close.not(),
        near,
        #[inline(always)]
        || {
            let x = R::select(close, R::lit(NEAR), x);
            let turns = e::sin_cos(x);
            [wave::<R, true>(&ZERO, x, turns), wave::<R, true>(&ONE, x, turns)]
        },
    )
}

/// By a table on `[2^low, 64)`, and beyond, where `f` is `sqrt(x)` times it, by a polynomial in `1/x`; elsewhere anything.
#[inline(always)]
fn falling<R: Real, const C: usize>(low: i64, table: &'static Rows<14, C>, far: &[f64; 9], x: R) -> Dd<R> {
    let (start, end, zero, one) = (R::lit(2f64.powi(low as i32)), R::lit(FAR), R::lit(0.0), R::lit(1.0));
    let close = x.lt(end);
    let y = R::select(close.and(x.ge(start)), x, start);
    let z = R::select(close, end, x);
    // Over the root with what that and its reciprocal have rounded off
    let root = z.sqrt();
    let (inverse, gap) = (one / root, (-root).fma(root, z));
    let rest = (-inverse).fma(root, one) - gap * inverse * inverse * R::lit(0.5);
    let over = Dd::two_prod(centred(far, one / z, 1.0 / FAR), inverse);
    let rest = R::select(z.lt(R::lit(INF)), over.hi.fma(rest, over.lo), zero);
    Dd::select(close, octaves_sum(low, table, y, zero), Dd::new(over.hi, rest))
}

/// `e^-x I0(x)` for `x >= 0`.
#[inline(always)]
fn i0_scaled<R: Real>(x: R) -> Dd<R> {
    let near = units_sum(&t::I0E, inner(x));
    let near = Dd::select(x.eq(R::lit(0.0)), Dd::lit(1.0, 0.0), near);
    Dd::select(x.lt(R::lit(NEAR)), near, falling(3, &t::I0E_RIGHT, &t::I0E_FAR, x))
}

/// `e^-x I1(x)` for `x >= 0`.
#[inline(always)]
fn i1_scaled<R: Real>(x: R) -> Dd<R> {
    let near = units_sum(&t::I1E, inner(x)).times(x);
    Dd::select(x.lt(R::lit(NEAR)), near, falling(3, &t::I1E_RIGHT, &t::I1E_FAR, x))
}

/// `e^x` times a scaled value.
#[inline(always)]
fn grown<R: Real>(x: R, scaled: Dd<R>) -> R {
    R::select(x.eq(R::lit(INF)), x, e::exp_times(Dd::new(x, R::lit(0.0)), scaled))
}

/// Modified Bessel function of the first kind of order 0.
#[inline(always)]
pub fn i0<R: Real>(x: R) -> R {
    named!("i0", |x| {
        let y = x.abs();
        grown(y, i0_scaled(y))
    })
}

/// `e^-|x| I0(x)`.
#[inline(always)]
pub fn i0e<R: Real>(x: R) -> R {
    named!("i0e", |x| i0_scaled(x.abs()).value())
}

/// Modified Bessel function of the first kind of order 1.
#[inline(always)]
pub fn i1<R: Real>(x: R) -> R {
    named!("i1", |x| {
        let y = x.abs();
        let out = grown(y, i1_scaled(y));
        R::select(e::is_negative(x), -out, out)
    })
}

/// `e^-|x| I1(x)`.
#[inline(always)]
pub fn i1e<R: Real>(x: R) -> R {
    named!("i1e", |x| {
        let out = i1_scaled(x.abs()).value();
        R::select(e::is_negative(x), -out, out)
    })
}

/// `K` below 1, and `e^x K` beyond.
#[inline(always)]
fn decay<R: Real, const FIRST: bool>(x: R) -> [Dd<R>; 2] {
    let y = R::select(x.lt(R::lit(1.0)), x, R::lit(0.5));
    let z = y * y;
    let log = shared::log(y);
    let near = if FIRST {
        let pole = R::lit(1.0) / y;
        let rest = R::select(y.gt(R::lit(0.25)), pole.fma(-y, R::lit(1.0)) * pole, R::lit(0.0));
        let sum = log.fma(e::polynomial(z, &t::I1_SERIES), e::polynomial(z, &t::K1_SERIES));
        let out = Dd::fast_two_sum(pole, y.fma(sum, rest));
        Dd::new(out.hi, R::select(pole.lt(R::lit(INF)), out.lo, R::lit(0.0)))
    } else {
        let [first, rest @ ..] = &t::K0_SERIES;
        let sum = Dd::two_sum(R::lit(*first), z * e::polynomial(z, rest));
        Dd::two_prod(-log, e::polynomial(z, &t::I0_SERIES)) + sum
    };
    let (table, far) = if FIRST { (&t::K1E, &t::K1E_FAR) } else { (&t::K0E, &t::K0E_FAR) };
    [near, falling(0, table, far, x)]
}

/// `K` or, where `SCALED`, `e^x K`.
#[inline(always)]
fn third<R: Real, const FIRST: bool, const SCALED: bool>(x: R) -> R {
    let [near, scaled] = decay::<R, FIRST>(x);
    let small = x.lt(R::lit(1.0));
    let out = if SCALED {
        let y = R::select(small, x, R::lit(0.0));
        R::select(small, e::exp_times(Dd::new(y, R::lit(0.0)), near), scaled.value())
    } else {
        R::select(small, near.value(), e::exp_times(Dd::new(-x, R::lit(0.0)), scaled))
    };
    let out = R::select(x.eq(R::lit(0.0)), R::lit(INF), out);
    let out = R::select(x.eq(R::lit(INF)), R::lit(0.0), out);
    R::select(x.ge(R::lit(0.0)), out, R::lit(f64::NAN))
}

/// Modified Bessel function of the second kind of order 0.
#[inline(always)]
pub fn k0<R: Real>(x: R) -> R {
    named!("k0", |x| third::<R, false, false>(x))
}

/// `e^x K0(x)`.
#[inline(always)]
pub fn k0e<R: Real>(x: R) -> R {
    named!("k0e", |x| third::<R, false, true>(x))
}

/// Modified Bessel function of the second kind of order 1.
#[inline(always)]
pub fn k1<R: Real>(x: R) -> R {
    named!("k1", |x| third::<R, true, false>(x))
}

/// `e^x K1(x)`.
#[inline(always)]
pub fn k1e<R: Real>(x: R) -> R {
    named!("k1e", |x| third::<R, true, true>(x))
}

/// A derivative of `e^-y I0(y)` at `y = |x|`: `y^k` times it stands in the tables from 8 on.
#[inline(always)]
fn i0e_slope<R: Real>(x: R, k: u32, near: &'static Rows<14, 8>, right: &'static Rows<14, 12>, far: &[f64; 9]) -> R {
    let y = x.abs();
    let close = y.lt(R::lit(NEAR));
    let z = R::select(close, R::lit(NEAR), y);
    let mut out = falling(3, right, far, z).value();
    for _ in 0..k {
        out = out / z;
    }
    R::select(close, units(near, inner(y)), out)
}

/// First derivative of `e^-y I0(y)` at `y = |x|`.
#[inline(always)]
pub fn i0e_d1<R: Real>(x: R) -> R {
    named!("i0e_d1", |x| i0e_slope(x, 1, &t::I0E_D1, &t::I0E_D1_RIGHT, &t::I0E_D1_FAR))
}

/// Second derivative of `e^-y I0(y)` at `y = |x|`.
#[inline(always)]
pub fn i0e_d2<R: Real>(x: R) -> R {
    named!("i0e_d2", |x| i0e_slope(x, 2, &t::I0E_D2, &t::I0E_D2_RIGHT, &t::I0E_D2_FAR))
}

/// Third derivative of `e^-y I0(y)` at `y = |x|`.
#[inline(always)]
pub fn i0e_d3<R: Real>(x: R) -> R {
    named!("i0e_d3", |x| i0e_slope(x, 3, &t::I0E_D3, &t::I0E_D3_RIGHT, &t::I0E_D3_FAR))
}

/// A derivative of `e^x K0(x)` from 1 on.
#[inline(always)]
fn k0e_slope<R: Real>(x: R, k: u32, table: &'static Rows<14, 24>, far: &[f64; 9], near: R) -> R {
    let mut out = falling(0, table, far, x).value();
    for _ in 0..k {
        out = out / x;
    }
    let out = R::select(x.lt(R::lit(1.0)), near, out);
    let out = R::select(x.eq(R::lit(0.0)), R::lit(if k.is_multiple_of(2) { INF } else { -INF }), out);
    R::select(x.ge(R::lit(0.0)), R::select(x.eq(R::lit(INF)), R::lit(0.0), out), R::lit(f64::NAN))
}

/// First derivative of `e^x K0(x)`.
#[inline(always)]
pub fn k0e_d1<R: Real>(x: R) -> R {
    named!("k0e_d1", |x| {
        let near = shared::k0e(x) - shared::k1e(x);
        k0e_slope(x, 1, &t::K0E_D1, &t::K0E_D1_FAR, near)
    })
}

/// Second derivative of `e^x K0(x)`.
#[inline(always)]
pub fn k0e_d2<R: Real>(x: R) -> R {
    named!("k0e_d2", |x| {
        let (k0, k1) = (shared::k0e(x), shared::k1e(x));
        let near = (k0 - k1) + (k0 - k1) + k1 / x;
        k0e_slope(x, 2, &t::K0E_D2, &t::K0E_D2_FAR, near)
    })
}

/// Third derivative of `e^x K0(x)`.
#[inline(always)]
pub fn k0e_d3<R: Real>(x: R) -> R {
    named!("k0e_d3", |x| {
        let (k0, k1) = (shared::k0e(x), shared::k1e(x));
        let two = R::lit(2.0);
        // From the second one and k1e' = k1e - k0e - k1e / x
        let d1 = k1 - k0 - k1 / x;
        let near = two * (k0 - k1) - two * d1 + (d1 - k1 / x) / x;
        // Terms of both signs overflow.
        let near = R::select(x.lt(R::lit(1e-100)), -two / x / x / x, near);
        k0e_slope(x, 3, &t::K0E_D3, &t::K0E_D3_FAR, near)
    })
}
