//! Kelvin functions and their derivatives: `ber + i bei = I_0(x e^(i pi/4))`, `ker + i kei = K_0(x e^(i pi/4))` (DLMF 10.61).
//!
//! The power series (DLMF 10.65) at small arguments, beyond them the integrals of DLMF 10.32.1 and 10.32.9 by the trapezoidal
//! rule, whose error falls off exponentially. Neither cancels, and a derivative is one more factor in the integrand.

use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, FRAC_PI_4, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const EULER: f64 = 0.577_215_664_901_532_9;
/// The low part of `sqrt(1/2)`.
const ROOT_LOW: f64 = -4.833646656726457e-17;
/// The series of ber and bei, of ker and kei, serve up to here.
const NEAR_I: f64 = 8.0;
const NEAR_K: f64 = 1.0;

/// Derivative `n <= 4` of ber (`kind` = 0), bei (1), ker (2) or kei (3).
#[inline(always)]
pub fn kelvin<R: Real>(kind: R, n: R, x: R) -> R {
    named!("kelvin", |kind, n, x| {
        let (zero, half, one, two, inf) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(2.0), R::lit(INF));
        let second = kind.ge(two);
        let imaginary = kind.eq(one).or(kind.eq(R::lit(3.0)));
        let y = x.abs();
        let on = y.gt(zero).and(y.lt(inf)).and(second.not().or(x.gt(zero)));
        let y = R::select(on, y, one);
        let near = on.and(y.lt(R::select(second, R::lit(NEAR_K), R::lit(NEAR_I))));
        let order = |k: f64| n.ge(R::lit(k));
        let [out] = R::when(
            near,
            [zero],
            #[inline(always)]
            || {
                let y = R::select(near, y, one);
                let w = Dd::two_prod(y * half, y * half);
                let log = shared::log(y * half);
                let inverse = one / y;
                let mut scale = one;
                for k in 1..=4 {
                    scale = R::select(order(f64::from(k)), scale * inverse, scale);
                }
                // Terms w^j / j!^2 of I_0 at w e^(i pi/2), with digamma(j + 1) as -EULER + h
                let state = R::repeat(
                    [one, zero, zero, zero, zero, zero],
                    60,
                    #[inline(always)]
                    |[hi, lo, sum, rest, j, h]| {
                        let term = Dd::new(hi, lo);
                        let m = j + j;
                        // m (m - 1) ... of n factors, and its derivative in m
                        let (mut falling, mut slope) = (one, zero);
                        for k in 0..4 {
                            let factor = m - R::lit(f64::from(k));
                            let use_it = order(f64::from(k + 1));
                            slope = R::select(use_it, slope * factor + falling, slope);
                            falling = R::select(use_it, falling * factor, falling);
                        }
                        let quarter = j - (j * R::lit(0.25)).floor() * R::lit(4.0);
                        let odd = quarter.eq(one).or(quarter.eq(R::lit(3.0)));
                        let sign = R::select(quarter.ge(two), -one, one);
                        let matched = R::select(imaginary, one, zero).eq(R::select(odd, one, zero));
                        let logarithmic = falling * (h - R::lit(EULER) - log) - slope;
                        let turned = falling * R::select(imaginary, R::lit(-FRAC_PI_4), R::lit(FRAC_PI_4));
                        let factor = R::select(
                            second,
                            R::select(matched, logarithmic, turned),
                            R::select(matched, falling, zero),
                        );
                        let t = term.times(factor * sign);
                        let total = Dd::new(sum, rest) + t;
                        let next = j + one;
                        let term = term * w / Dd::new(next * next, zero);
                        let begun = next.lt(R::lit(8.0));
                        let go = (term.hi * next * next * next * next).abs().gt(total.hi.abs() * R::lit(1e-20));
                        let out = [term.hi, term.lo, total.hi, total.lo, next, h + one / next];
                        (out, go.or(begun).and(near))
                    },
                );
                [(state[2] + state[3]) * scale]
            },
        );
        let far = on.and(near.not());
        let [out] = R::when(
            far,
            [out],
            #[inline(always)]
            || {
                let y = R::select(far, y, R::lit(10.0));
                let rate = y * R::lit(FRAC_1_SQRT_2);
                let step = R::lit(0.0625).min(half / y.sqrt());
                let count = (R::lit(PI) / step).ceil();
                let step = R::select(second, step, R::lit(PI) / count);
                // sum of cosh(t)^n e^(-w y (cosh(t) - 1)), the same with cos of the angle, for w = e^(i pi/4)
                let state = R::repeat(
                    [half, zero, one],
                    4000,
                    #[inline(always)]
                    |[re, im, k]| {
                        let t = k * step * half;
                        let s = R::select(second, shared::sinh(t), shared::sin(t));
                        let s = two * s * s;
                        let factor = R::select(second, one + s, one - s);
                        let mut power = one;
                        for k in 1..=4 {
                            power = R::select(order(f64::from(k)), power * factor, power);
                        }
                        let a = rate * s;
                        let last = second.not().and(k.ge(count));
                        let size = shared::exp(-a) * power * R::select(last, half, one);
                        let (s, c) = (shared::sin(a), shared::cos(a));
                        let go = a.lt(R::lit(45.0)).and(last.not());
                        ([re + size * c, im - size * s, k + one], go.and(far))
                    },
                );
                // Times (w or -w)^n e^(w y or -w y)
                let sign = R::select(second, -one, one);
                let angle = Dd::two_prod(y, R::lit(FRAC_1_SQRT_2));
                let low = y.fma(R::lit(ROOT_LOW), angle.lo);
                let turn = n * R::lit(0.25);
                let (s, c) = (shared::sin(angle.hi), shared::cos(angle.hi));
                let (s, c) = (c.fma(low, s) * sign, c - s * low);
                let (st, ct) = (shared::sinpi(turn), shared::cospi(turn));
                let (s, c) = (s * ct + c * st, c * ct - s * st);
                let parity = (n * half).floor().eq(n * half);
                let flip = R::select(second.and(parity.not()), -one, one);
                let (re, im) = (state[0] * c - state[1] * s, state[0] * s + state[1] * c);
                let part = R::select(imaginary, im, re) * step * flip;
                let part = R::select(second, part, part * R::lit(FRAC_1_PI));
                let root = crate::elementary::exp_dd(Dd::new(angle.hi, low).times_pow2(sign * half));
                [part * root * root]
            },
        );
        let even = (n * half).floor().eq(n * half);
        let out = R::select(x.lt(zero).and(even.not()), -out, out);
        // At the origin
        let plain = R::select((kind + n).eq(zero), one, R::select(imaginary.and(n.eq(two)), half, zero));
        let pole = R::select(even, inf, -inf);
        let other = R::select(n.eq(zero), R::lit(-FRAC_PI_4), R::select(n.eq(one), zero, pole));
        let origin = R::select(second, R::select(imaginary, other, pole), plain);
        let out = R::select(x.eq(zero), origin, out);
        let out = R::select(x.abs().eq(inf).and(second).and(x.gt(zero)), zero, out);
        let bad = x.is_nan().or(second.and(x.lt(zero))).or(second.not().and(x.abs().eq(inf)));
        R::select(bad, R::lit(NAN), out)
    })
}

/// Kelvin function ber.
#[inline(always)]
pub fn ber<R: Real>(x: R) -> R {
    named!("ber", |x| shared::kelvin(R::lit(0.0), R::lit(0.0), x))
}

/// Kelvin function bei.
#[inline(always)]
pub fn bei<R: Real>(x: R) -> R {
    named!("bei", |x| shared::kelvin(R::lit(1.0), R::lit(0.0), x))
}

/// Kelvin function ker.
#[inline(always)]
pub fn ker<R: Real>(x: R) -> R {
    named!("ker", |x| shared::kelvin(R::lit(2.0), R::lit(0.0), x))
}

/// Kelvin function kei.
#[inline(always)]
pub fn kei<R: Real>(x: R) -> R {
    named!("kei", |x| shared::kelvin(R::lit(3.0), R::lit(0.0), x))
}

/// The derivative of ber.
#[inline(always)]
pub fn berp<R: Real>(x: R) -> R {
    named!("berp", |x| shared::kelvin(R::lit(0.0), R::lit(1.0), x))
}

/// The derivative of bei.
#[inline(always)]
pub fn beip<R: Real>(x: R) -> R {
    named!("beip", |x| shared::kelvin(R::lit(1.0), R::lit(1.0), x))
}

/// The derivative of ker.
#[inline(always)]
pub fn kerp<R: Real>(x: R) -> R {
    named!("kerp", |x| shared::kelvin(R::lit(2.0), R::lit(1.0), x))
}

/// The derivative of kei.
#[inline(always)]
pub fn keip<R: Real>(x: R) -> R {
    named!("keip", |x| shared::kelvin(R::lit(3.0), R::lit(1.0), x))
}
