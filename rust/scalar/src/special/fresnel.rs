//! Fresnel integrals.

use super::coefficients as c;
use super::erf::octave_row;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real, inlined};
use crate::shared;
use std::f64::consts::PI;

/// The table serves from 1 up to here.
const TABLE_TO: f64 = 8.0;

/// `sin(pi x^2 / 2)` and `cos(pi x^2 / 2)`.
#[inline(always)]
fn chirp<R: Real>(x: R) -> [R; 2] {
    let (half, two) = (R::lit(0.5), R::lit(2.0));
    // Beyond, the amplitude is nothing beside 1/2.
    let x = x.min(R::lit(1e17));
    let square = Dd::two_prod(x * half, x);
    let turn = inlined(
        #[inline(always)]
        |v: R| v - two * (v * half).round(),
    );
    let phase = Dd::two_sum(turn(square.hi), turn(square.lo));
    let (s, k) = (shared::sinpi(phase.hi), shared::cospi(phase.hi));
    let rest = phase.lo * R::lit(PI);
    [rest.fma(k, s), (-rest).fma(s, k)]
}

/// The auxiliary functions f and g of `x >= 1` (DLMF 7.2.10, 7.12.2).
#[inline(always)]
fn auxiliary<R: Real>(x: R) -> [R; 2] {
    let near = x.lt(R::lit(TABLE_TO));
    let inside = R::select(near, x, R::lit(1.0));
    let r = R::lit(1.0 / PI) / x;
    let t = r / x;
    let z = t * t;
    // (1/2)(3/2)...(2m - 1/2) 4^m and its neighbour
    let f = r * e::polynomial(
        z,
        &[1.0, -3.0, 105.0, -10395.0, 2027025.0, -654729075.0, 316234143225.0, -213458046676875.0],
    );
    let g = r
        * t
        * e::polynomial(
            z,
            &[1.0, -15.0, 945.0, -135135.0, 34459425.0, -13749310575.0, 7905853580625.0, -6190283353629375.0],
        );
    [
        R::select(near, octave_row(&c::FRESNEL_F, 0, inside).value(), f),
        R::select(near, octave_row(&c::FRESNEL_G, 0, inside).value(), g),
    ]
}

/// Fresnel's S where `SINE`, else his C.
#[inline(always)]
fn fresnel<R: Real, const SINE: bool>(x: R) -> R {
    let (one, half) = (R::lit(1.0), R::lit(0.5));
    let y = x.abs();
    let near = y.lt(one);
    let square = R::select(near, x * x, one);
    let series = if SINE {
        x * square * e::polynomial(square * square, &c::FRESNEL_S)
    } else {
        x * e::polynomial(square * square, &c::FRESNEL_C)
    };
    let [out] = R::when(
        near.not(),
        [series],
        #[inline(always)]
        || {
            let y = R::select(near, one, y);
            let [f, g] = auxiliary(y);
            let [s, k] = chirp(y);
            let wave = if SINE { f * k + g * s } else { g * k - f * s };
            let wave = R::select(y.lt(R::lit(1e17)), wave, R::lit(0.0));
            [(half - wave).copysign(x)]
        },
    );
    R::select(x.is_nan(), x, out)
}

/// Fresnel's `S(x)`, the integral of `sin(pi t^2 / 2)`.
#[inline(always)]
pub fn fresnel_s<R: Real>(x: R) -> R {
    named!("fresnel_s", |x| fresnel::<R, true>(x))
}

/// Fresnel's `C(x)`, the integral of `cos(pi t^2 / 2)`.
#[inline(always)]
pub fn fresnel_c<R: Real>(x: R) -> R {
    named!("fresnel_c", |x| fresnel::<R, false>(x))
}
