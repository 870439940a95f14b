//! Bessel functions of large order away from the turning point by Debye's expansions (DLMF 10.19(ii), 10.41(ii)).
//!
//! With `rho^2 = |v^2 + x^2|` for the modified functions and `|v^2 - x^2|` for the others the terms are `U_k(v / rho) / v^k`. Exponents
//! and phases grow with the order, so they are sums of two doubles.

use super::dual::{Dual, at, pack};
use super::tables as t;
use crate::complex::ROOT_HALF_PI;
use crate::dd::Dd;
use crate::elementary::{FRAC_PI_2, exp_times, log_sum, polynomial, sin_cos, to_int};
use crate::real::{Mask, Real, count, inlined};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// Sixteen terms are enough from this `rho` on where nothing oscillates, 33 more where the functions do, and from this multiple of
/// `v^(2/3)` on, which is the distance from the turning point.
const LEAST: f64 = 30.0;
const MORE: f64 = 33.0;
pub(crate) const APART: f64 = 4.363;

/// Whether the expansions serve the modified functions for all arguments.
#[inline(always)]
pub(crate) fn serves_modified<R: Real>(v: R) -> R::Mask {
    v.ge(R::lit(LEAST))
}

/// Whether the expansions serve `J` and `Y` left of the turning point.
#[inline(always)]
pub(crate) fn serves_left<R: Real>(v: R, x: R) -> R::Mask {
    let square = (v - x) * (v + x);
    let most = v * v * R::lit(APART * APART * APART);
    // Those of tiny orders are out of range.
    x.lt(v).and(v.ge(R::lit(LEAST))).and((square * square * square).ge(most * most))
}

/// The highest whole number below all orders for which the expansions serve `J` and `Y` right of the turning point, or less than 0.
#[inline(always)]
pub(crate) fn last_order<R: Real>(x: R) -> R {
    let root = shared::cbrt(x);
    let apart = (root * root).fma(R::lit(APART), R::lit(MORE));
    ((x - apart).max(R::lit(0.0)) * (x + apart)).sqrt().floor() - R::lit(1.0)
}

/// The sums of `U_k(p) / v^k` over even `k` and, over `1 / rho`, over odd ones, for `q = (p / v)^2`, which is negative where the
/// functions oscillate.
#[inline(always)]
fn sums<R: Real, const K: usize>(v: R, q: R) -> [Dual<R, K>; 2] {
    let order = Dual::<R, K>::variable(v, 3);
    let qq = q * q;
    let q = order.chain([q, -(v + v) * qq, qq * (v * v * q).fma(R::lit(8.0), R::lit(-2.0))]);
    let square = q * order * order;
    let state = R::over_rows(
        &t::DEBYE,
        pack::<R, K, 2, 0, 8>([Dual::lit(0.0), Dual::lit(0.0)], []),
        #[inline(always)]
        |state, row: [R; 16]| {
            let mut term = Dual::constant(row[15]);
            count::<1, 16>(
                #[inline(always)]
                |i| term = term * square + Dual::constant(row[15 - i]),
            );
            pack::<R, K, 2, 0, 8>([term + q * at(&state, 1), at(&state, 0)], [])
        },
    );
    [at(&state, 0), at(&state, 1)]
}

/// `rho^2` for the sign of `x^2` in it.
#[inline(always)]
fn distance<R: Real>(v: R, x: R, sign: f64) -> Dd<R> {
    Dd::two_prod(v, v) + Dd::two_prod(x, x).times_pow2(R::lit(sign))
}

/// `I_v(x)` and `K_v(x)` times the exponentials of the shifts for `sign` = 1, `J_v(x)` and `-pi/2 Y_v(x)` left of the turning point
/// for -1.
#[inline(always)]
pub(crate) fn monotone<R: Real, const K: usize>(
    v: R,
    x: R,
    sign: f64,
    shifts: [Dd<R>; 2],
    on: R::Mask,
) -> [Dual<R, K>; 2] {
    let (one, half) = (R::lit(1.0), R::lit(0.5));
    let (v, x) = (R::select(on, v, R::lit(200.0)), R::select(on, x, R::lit(50.0)));
    let square = distance(v, x, sign);
    let rho = square.sqrt();
    // log((v + rho) / x), the slope of the exponent
    let sum = rho.plus(v);
    let log = (log_sum(sum.hi) - log_sum(x)).plus(sum.lo / sum.hi);
    let exponent = rho - log.times(v);
    let (q, r) = (one / square.value(), one / rho.value());
    let vv = v * v * q;
    let order = Dual::<R, K>::variable(v, 3);
    let [even, odd] = sums::<R, K>(v, q);
    let odd = odd * order.chain([r, -(v * q * r), vv.fma(R::lit(3.0), -one) * (q * r)]);
    let (drift, bend) = (v * q * -half, q * (vv - half));
    let side = inlined(
        #[inline(always)]
        |sum: Dual<R, K>, exponent: Dd<R>, factor: f64, rate: R, r: R| {
            let value = exp_times(exponent, Dd::new(r.abs().sqrt() * R::lit(factor), R::lit(0.0)));
            let slope = drift - rate;
            let front = order.chain([value, value * slope, value * (slope * slope + bend - r)]);
            // An overflow in all derivatives
            Dual::select(value.eq(R::lit(f64::INFINITY)), front, front * sum)
        },
    );
    let rate = log.value();
    [
        side(even + odd, exponent + shifts[0], 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2, rate, r),
        side(even - odd, shifts[1] - exponent, ROOT_HALF_PI, -rate, -r),
    ]
}

/// `J_v(x)` and `Y_v(x)` right of the turning point.
#[inline(always)]
pub(crate) fn waves<R: Real, const K: usize>(v: R, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    let (one, half) = (R::lit(1.0), R::lit(0.5));
    let (v, x) = (R::select(on, v, R::lit(50.0)), R::select(on, x, R::lit(500.0)));
    let square = -distance(v, x, -1.0);
    let rho = square.sqrt();
    let angle = wide_atan(rho, Dd::new(v, R::lit(0.0)));
    let phase = rho - angle.times(v) - Dd::lit(0.5 * FRAC_PI_2.0, 0.5 * FRAC_PI_2.1);
    let (s, c) = sin_cos(phase.hi);
    let shrink = (phase.lo * phase.lo).fma(-half, one);
    let (s, c) = (s.fma(shrink, c * phase.lo), c.fma(shrink, -(s * phase.lo)));
    let (q, r) = (one / square.value(), one / rho.value());
    let vv = v * v * q;
    let order = Dual::<R, K>::variable(v, 3);
    let [even, odd] = sums::<R, K>(v, -q);
    let odd = odd * order.chain([r, v * q * r, vv.fma(R::lit(3.0), one) * (q * r)]);
    let rate = angle.value();
    let drift = v * q * half;
    let front = r.sqrt() * R::lit(ROOT_HALF_PI * 2.0 * FRAC_1_PI);
    let front = order.chain([front, front * drift, front * (drift * drift + q * (vv + half))]);
    let cos = order.chain([c, s * rate, -(c * (rate * rate)) - s * r]);
    let sin = order.chain([s, -(c * rate), c * r - s * (rate * rate)]);
    [front * (even * cos + odd * sin), front * (even * sin - odd * cos)]
}

/// `atan(y / x)` of positive numbers to about 2^-85.
#[inline(always)]
pub(crate) fn wide_atan<R: Real>(y: Dd<R>, x: Dd<R>) -> Dd<R> {
    let steep = y.hi.gt(x.hi);
    let (n, d) = (Dd::select(steep, x, y), Dd::select(steep, y, x));
    let k = (n.hi / d.hi * R::lit(32.0)).round();
    let row = to_int(k);
    let near = k * R::lit(1.0 / 32.0);
    let u = (n - d.times(near)) / (d + n.times(near));
    let square = u * u;
    let z = square.hi;
    let tail = polynomial(z, &[0.2, -1.0 / 7.0, 1.0 / 9.0, -1.0 / 11.0, 1.0 / 13.0]) * (z * z * u.hi);
    let small = u - square * u * Dd::lit(1.0 / 3.0, 1.850371707708594e-17);
    let sum = Dd::new(R::column(&t::ATAN, 0, row), R::column(&t::ATAN, 1, row)) + small.plus(tail);
    Dd::select(steep, Dd::lit(FRAC_PI_2.0, FRAC_PI_2.1) - sum, sum)
}
