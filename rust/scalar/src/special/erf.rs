//! The error function, its complements and inverses, and the normal distribution.

use super::coefficients as c;
use crate::elementary as e;
use crate::real::{Arith, Bits, Mask, Real};
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, SQRT_2};

const INF: f64 = f64::INFINITY;
/// `2 / sqrt(pi)` in two parts.
const TWO_ROOT_PI: (f64, f64) = (std::f64::consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);
/// Below this the series of erf serves erfc as well.
const ERFC_FROM: f64 = 0.65;
/// erfc underflows beyond.
const ERFC_ZERO: f64 = 27.3;

/// erf of `|x| <= 1` as an unevaluated sum.
fn erf_core<R: Real>(x: R) -> (R, R) {
    let z = x.mul(x);
    let hi = x.mul(R::lit(TWO_ROOT_PI.0));
    let err = x.fma(R::lit(TWO_ROOT_PI.0), hi.neg());
    (hi, err.add(x.mul(R::lit(TWO_ROOT_PI.1).add(z.mul(e::poly(z, &c::ERF))))))
}

/// erfcx of `0.5 <= x < 32` as an unevaluated sum, from the row of its eighth of an octave.
fn erfcx_core<R: Real>(x: R) -> (R, R) {
    // Three bits of the fraction beside the exponent name the row; the next bit set alone is its middle.
    let bits = x.to_bits();
    let row = bits.shr(49).sub(R::Bits::lit(1022 << 3));
    let mid = bits.shr(49).shl(49).or(R::Bits::lit(1 << 48));
    let t = x.sub(R::from_bits(mid));
    // fourteen numbers per row
    let at = row.shl(4).sub(row.shl(1));
    let entry = |k: i64| R::gather(&c::ERFCX, at.add(R::Bits::lit(k)));
    let slope = (2..13).rev().fold(entry(13), |sum, k| sum.fma(t, entry(k)));
    let head = entry(0);
    let rise = slope.mul(t);
    let hi = head.add(rise);
    (hi, head.sub(hi).add(rise).add(entry(1)))
}

/// `e^(-x^2)` as an unevaluated sum, for `|x| < 28`.
fn gauss<R: Real>(x: R) -> (R, R) {
    let z = x.mul(x);
    let (hi, lo) = e::exp_dd(z.neg());
    (hi, lo.sub(hi.mul(x.fma(x, z.neg()))))
}

/// erfc of `0.5 <= x`; zero beyond the range.
fn erfc_tail<R: Real>(x: R) -> R {
    let inside = R::select(x.lt(R::lit(ERFC_ZERO)), x, R::lit(ERFC_ZERO));
    let (gh, gl) = gauss(inside);
    let (fh, fl) = erfcx_core(inside);
    let product = gh.fma(fh, gh.mul(fl).add(gl.mul(fh)));
    R::select(x.lt(R::lit(ERFC_ZERO)), product, R::lit(0.0))
}

/// Error function.
pub fn erf<R: Real>(x: R) -> R {
    R::call("erf", [x], |[x]| {
        let y = x.abs();
        let one = R::lit(1.0);
        let inside = R::select(y.lt(one), x, R::lit(0.0));
        let (hi, lo) = erf_core(inside);
        let outer = one.sub(erfc_tail(R::select(y.lt(one), one, y))).copysign(x);
        let out = R::select(y.lt(one), hi.add(lo), outer);
        R::select(x.is_nan(), x, out)
    })
}

/// `1 - erf(x)` without cancellation.
pub fn erfc<R: Real>(x: R) -> R {
    R::call("erfc", [x], |[x]| {
        let y = x.abs();
        let one = R::lit(1.0);
        let near = y.lt(R::lit(ERFC_FROM));
        let (hi, lo) = erf_core(R::select(near, x, R::lit(0.0)));
        let (head, err) = e::two_sum(one, hi.neg());
        let tail = erfc_tail(R::select(near, one, y));
        let outer = R::select(x.lt(R::lit(0.0)), R::lit(2.0).sub(tail), tail);
        let out = R::select(near, head.add(err.sub(lo)), outer);
        R::select(x.is_nan(), x, out)
    })
}

/// `e^(x^2) erfc(x)`.
pub fn erfcx<R: Real>(x: R) -> R {
    R::call("erfcx", [x], |[x]| {
        let y = x.abs();
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let inside = R::select(y.lt(half), half, R::select(y.lt(R::lit(31.0)), y, R::lit(31.0)));
        let (fh, fl) = erfcx_core(inside);
        let core = fh.add(fl);
        // DLMF 7.12.1
        let r = one.div(y);
        let z = r.mul(r);
        let series = e::poly(z, &[1.0, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875]);
        let far = R::lit(TWO_ROOT_PI.0 / 2.0).mul(r).mul(series);
        let positive = R::select(y.lt(R::lit(31.0)), core, far);
        // e^(x^2), with the rounding of the square put back
        let bound = R::select(y.lt(R::lit(27.0)), y, R::lit(27.0));
        let square = bound.mul(bound);
        let growth = e::exp(square);
        let growth = growth.fma(bound.fma(bound, square.neg()), growth);
        let near = growth.mul(erfc(R::select(y.lt(half), x, half)));
        let left = growth.add(growth).sub(positive);
        let out = R::select(x.lt(R::lit(0.0)), left, positive);
        let out = R::select(x.lt(R::lit(-26.9)), R::lit(INF), out);
        R::select(x.is_nan(), x, R::select(y.lt(half), near, out))
    })
}

/// Start of the Newton steps for the inverse of erfc on (0, 1]: 1 % and better.
fn erfcinv_start<R: Real>(q: R) -> R {
    // Winitzki's closed form of erf, inverted, with erf^2 = 1 - q (2 - q).
    let l = e::log(q.mul(R::lit(2.0).sub(q)));
    let k = R::lit(2.0 / (std::f64::consts::PI * 0.147)).add(l.mul(R::lit(0.5)));
    k.mul(k).sub(l.mul(R::lit(1.0 / 0.147))).sqrt().sub(k).sqrt()
}

/// Inverse of erfc on (0, 1] for `q` below about 3/4: Halley steps on the logarithm, `log erfc(y) = log q`.
fn erfcinv_tail<R: Real>(q: R) -> R {
    let log_q = e::log(q);
    let step = |y: R| {
        let y = R::select(y.lt(R::lit(26.6)), y, R::lit(26.6));
        let scaled = erfcx(y);
        let residual = e::log(scaled).sub(y.fma(y, log_q));
        // d log erfc / dy = -s, its own derivative is -s (s - 2 y)
        let s = R::lit(TWO_ROOT_PI.0).div(scaled);
        let newton = residual.div(s);
        let bend = newton.mul(s.sub(y.add(y))).mul(R::lit(0.5));
        y.add(newton.div(R::lit(1.0).add(bend)))
    };
    let y = step(step(erfcinv_start(q)));
    // The last correction compares erfc itself with q, which keeps the digits that the logarithm cannot carry.
    let density = R::lit(TWO_ROOT_PI.0).mul(e::exp(y.mul(y).neg()));
    let fix = erfc(y).sub(q).div(density);
    y.add(R::select(q.lt(R::lit(1e-280)), R::lit(0.0), fix))
}

/// Inverse of erf on [-0.6, 0.6] or so, Halley steps on erf.
fn erfinv_core<R: Real>(p: R) -> R {
    let step = |y: R| {
        let density = R::lit(TWO_ROOT_PI.0).mul(e::exp(y.mul(y).neg()));
        let newton = erf(y).sub(p).div(density);
        y.sub(newton.div(R::lit(1.0).add(newton.mul(y))))
    };
    let first = p.mul(R::lit(1.0 / TWO_ROOT_PI.0));
    let start = first.mul(first.mul(first).fma(R::lit(1.0 / 3.0), R::lit(1.0)));
    let out = step(step(step(start)));
    R::select(p.abs().lt(R::lit(1e-9)), first, out)
}

/// Inverse of erf; infinite at -1 and 1.
pub fn erfinv<R: Real>(x: R) -> R {
    R::call("erfinv", [x], |[x]| {
        let one = R::lit(1.0);
        let y = x.abs();
        let core = y.lt(R::lit(0.5));
        let inner = erfinv_core(R::select(core, x, R::lit(0.0)));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), one.sub(y))).copysign(x);
        let out = R::select(core, inner, tail);
        let out = R::select(y.eq(one), R::lit(INF).copysign(x), out);
        R::select(y.le(one), out, R::lit(f64::NAN))
    })
}

/// Inverse of erfc; infinite at 0 and 2.
pub fn erfcinv<R: Real>(x: R) -> R {
    R::call("erfcinv", [x], |[x]| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let left = x.gt(one);
        let q = R::select(left, two.sub(x), x);
        let core = q.gt(R::lit(0.5));
        let inner = erfinv_core(R::select(core, one.sub(x), zero));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), q));
        let out = R::select(core, inner, R::select(left, tail.neg(), tail));
        let out = R::select(q.eq(zero), R::select(left, R::lit(-INF), R::lit(INF)), out);
        R::select(q.ge(zero), out, R::lit(f64::NAN))
    })
}

/// Standard normal distribution function.
pub fn ndtr<R: Real>(x: R) -> R {
    R::call("ndtr", [x], |[x]| R::lit(0.5).mul(erfc(x.mul(R::lit(-FRAC_1_SQRT_2)))))
}

/// Logarithm of the standard normal distribution function.
pub fn log_ndtr<R: Real>(x: R) -> R {
    R::call("log_ndtr", [x], |[x]| {
        let t = x.mul(R::lit(FRAC_1_SQRT_2));
        let right = e::log1p(erfc(t).mul(R::lit(-0.5)));
        let left = e::log(erfcx(t.neg())).sub(R::lit(LN_2)).sub(x.mul(x).mul(R::lit(0.5)));
        let out = R::select(x.lt(R::lit(-1.0)), left, right);
        R::select(x.eq(R::lit(-INF)), x, out)
    })
}

/// Inverse of [`ndtr`].
pub fn ndtri<R: Real>(x: R) -> R {
    R::call("ndtri", [x], |[x]| {
        let half = R::lit(0.5);
        let left = x.le(half);
        let p = R::select(left, x, R::lit(1.0).sub(x));
        let core = p.gt(R::lit(0.25));
        // 2 (x - 1/2) is exact where the root is near.
        let inner = erfinv_core(R::select(core, x.sub(half).mul(R::lit(2.0)), R::lit(0.0)));
        let tail = erfcinv_tail(R::select(core, half, p.add(p)));
        let out = R::select(core, inner, R::select(left, tail.neg(), tail)).mul(R::lit(SQRT_2));
        let out = R::select(p.eq(R::lit(0.0)), R::select(left, R::lit(-INF), R::lit(INF)), out);
        R::select(p.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}
