//! Dawson's integral and the imaginary error function.

use super::coefficients as c;
use super::erf::octave_row;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

const INF: f64 = f64::INFINITY;
/// The series serves below, the table up to the next.
const SERIES_TO: f64 = 0.5;
const TABLE_TO: f64 = 31.0;
/// `2 / sqrt(pi)` in two parts.
const TWO_ROOT_PI: (f64, f64) = (std::f64::consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);

/// Dawson's integral `e^(-x^2) int_0^x e^(t^2) dt`.
#[inline(always)]
pub fn dawsn<R: Real>(x: R) -> R {
    named!("dawsn", |x| {
        let one = R::lit(1.0);
        let y = x.abs();
        let near = y.lt(R::lit(SERIES_TO));
        let z = R::select(near, x * x, one);
        let core = x * e::polynomial(z, &c::DAWSN_NEAR);
        let far = y.ge(R::lit(TABLE_TO));
        let [out] = R::when(
            far.not(),
            [one],
            #[inline(always)]
            || [octave_row(&c::DAWSN, -1, y.max(R::lit(SERIES_TO)).min(R::lit(TABLE_TO))).value()],
        );
        let [out] = R::when(
            far,
            [out],
            #[inline(always)]
            || {
                // DLMF 7.12.1 turned by a right angle
                let r = R::lit(0.5) / y;
                let q = r * r * R::lit(2.0);
                [r * e::polynomial(q, &[1.0, 1.0, 3.0, 15.0, 105.0, 945.0])]
            },
        );
        R::select(x.is_nan(), x, R::select(near, core, out.copysign(x)))
    })
}

/// Imaginary error function `-i erf(ix)`.
#[inline(always)]
pub fn erfi<R: Real>(x: R) -> R {
    named!("erfi", |x| {
        let (one, half) = (R::lit(1.0), R::lit(SERIES_TO));
        let y = x.abs();
        let near = y.lt(half);
        let [out] = R::when(
            y.lt(R::lit(26.7)),
            [R::lit(INF).copysign(x)],
            #[inline(always)]
            || {
                let inside = R::select(near, half, y.min(R::lit(27.0)));
                let (k, r) = e::reduce_ln2(Dd::two_prod(inside, inside));
                let d = octave_row(&c::DAWSN, -1, inside) * Dd::lit(TWO_ROOT_PI.0, TWO_ROOT_PI.1);
                let outer = (e::exp_reduced(r).normalize() * d).value().scale(k).copysign(x);
                let z = R::select(near, x * x, one);
                let lead = x * R::lit(TWO_ROOT_PI.0);
                let inner = lead + x * (z * e::polynomial(z, &c::ERFI_NEAR));
                [R::select(near, inner, outer)]
            },
        );
        R::select(x.is_nan().or(x.eq(R::lit(0.0))), x, out)
    })
}

/// The `n`-th derivative of [`dawsn`], `n >= 0` integral.
#[inline(always)]
pub fn dawsn_derivative<R: Real>(n: R, x: R) -> R {
    named!("dawsn_derivative", |n, x| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let near = x.abs().lt(R::lit(6.0));
        // D^(k+1) = -2 x D^(k) - 2 k D^(k-1), and D' = 1 - 2 x D.
        let inside = R::select(near, x, zero);
        let [_, value, _] = R::repeat(
            [zero, shared::dawsn(inside), zero],
            64,
            #[inline(always)]
            |[k, value, before]| {
                let go = k.lt(n);
                let first = R::select(k.eq(zero), one, zero);
                let stepped = (-two * inside).fma(value, first - two * k * before);
                ([k + one, R::select(go, stepped, value), R::select(go, value, before)], go)
            },
        );
        let [out] = R::when(
            near.not(),
            [value],
            #[inline(always)]
            || {
                // The asymptotic series, term by term.
                let r = one / R::select(near, R::lit(6.0), x);
                let z = r * r * R::lit(0.5);
                let half = n * R::lit(0.5);
                let sign = R::select(half.floor().eq(half), R::lit(0.5), R::lit(-0.5));
                let lead = sign * r * shared::gamma(n + one) * shared::pow(r, n);
                let [_, _, sum] = R::repeat(
                    [zero, lead, lead],
                    36,
                    #[inline(always)]
                    |[k, term, sum]| {
                        let j = k + k + one;
                        let term = term * z * (j + n) * (j + one + n) / (j + one);
                        let sum = sum + term;
                        ([k + one, term, sum], term.abs().gt(sum.abs() * R::lit(f64::EPSILON / 8.0)))
                    },
                );
                [sum]
            },
        );
        R::select(x.is_nan(), x, R::select(near, value, out))
    })
}
