//! The gamma function, its logarithm and reciprocal, and its logarithmic derivatives.

use super::coefficients as c;
use crate::elementary as e;
use crate::real::{Arith, Mask, Real};
use std::f64::consts::PI;

const INF: f64 = f64::INFINITY;
/// `log(sqrt(2 pi))` in two parts.
const LOG_ROOT_2PI: (f64, f64) = (0.9189385332046728, -3.8782941580672414e-17);
/// The positive root of digamma in two parts.
const DIGAMMA_ROOT: (f64, f64) = (1.4616321449683622, 9.549995429965697e-17);
/// Stirling's series serves from here on.
const STIRLING_FROM: f64 = 8.0;

/// `gammaln(x) - (x - 1/2) log x + x - log(2 pi)/2` for `x >= 8`.
pub(super) fn stirling<R: Real>(x: R) -> R {
    let r = R::lit(1.0).div(x);
    r.mul(e::poly(r.mul(r), &c::STIRLING))
}

/// `x` moved into [1, 2] by whole steps, with the product of the steps, for `0 < x < 8`: gamma is `up / (down * rgamma)`.
fn reduce<R: Real>(x: R) -> (R, R, R) {
    let one = R::lit(1.0);
    let low = x.lt(one);
    let steps = x.floor().sub(one);
    let base = R::select(low, x, x.sub(steps));
    let up = (0..6).fold(one, |product, j| {
        let j = f64::from(j);
        R::select(R::lit(j).lt(steps), product.mul(base.add(R::lit(j))), product)
    });
    (base.sub(R::select(low, R::lit(0.5), R::lit(1.5))), up, R::select(low, x, one))
}

/// `(small, m, hi, lo)`: gamma of a positive `x` is `m` where small, `e^(hi + lo)` elsewhere.
fn gamma_parts<R: Real>(x: R) -> (R::Mask, R, R, R) {
    let small = x.lt(R::lit(STIRLING_FROM));
    let (t, up, down) = reduce(R::select(small, x, R::lit(1.0)));
    let m = up.div(down.mul(e::poly(t, &c::RGAMMA)));
    let (lh, ll) = e::log_dd(x);
    let h = x.sub(R::lit(0.5));
    let hi = h.mul(lh);
    let lo = h.fma(lh, hi.neg()).add(h.mul(ll));
    let (hi, err) = e::two_sum(hi, x.neg());
    let lo = lo.add(err).add(stirling(x).add(R::lit(LOG_ROOT_2PI.1)));
    let (hi, err) = e::two_sum(hi, R::lit(LOG_ROOT_2PI.0));
    (small, m, hi, lo.add(err))
}

/// Gamma function; NaN at the negative integers, a signed infinity at 0.
pub fn gamma<R: Real>(x: R) -> R {
    R::call("gamma", [x], |[x]| {
        let y = x.abs();
        let (small, m, hi, lo) = gamma_parts(y);
        let negative = x.lt(R::lit(0.0));
        // gamma(-y) = -pi / (y sin(pi y) gamma(y)); the exponential is taken as a square, each half in range.
        let half = R::lit(0.5).copysign(R::select(negative, R::lit(-1.0), R::lit(1.0)));
        let root = e::exp_sum(hi.mul(half), lo.mul(half));
        let factor = R::lit(-PI).div(y.mul(e::sinpi(y)));
        let large = R::select(negative, factor, R::lit(1.0)).mul(root).mul(root);
        let out = R::select(small, R::select(negative, factor.div(m), m), large);
        let pole = negative.and(y.eq(y.floor()));
        let out = R::select(pole, R::lit(f64::NAN), out);
        let out = R::select(x.eq(R::lit(INF)), x, out);
        R::select(y.eq(R::lit(0.0)), R::lit(INF).copysign(x), out)
    })
}

/// `1 / gamma(x)`, zero at the poles of gamma.
pub fn rgamma<R: Real>(x: R) -> R {
    R::call("rgamma", [x], |[x]| {
        let y = x.abs();
        let (small, m, hi, lo) = gamma_parts(y);
        let negative = x.lt(R::lit(0.0));
        let half = R::lit(0.5).copysign(R::select(negative, R::lit(1.0), R::lit(-1.0)));
        let root = e::exp_sum(hi.mul(half), lo.mul(half));
        let factor = y.mul(e::sinpi(y)).mul(R::lit(-1.0 / PI));
        let large = R::select(negative, factor, R::lit(1.0)).mul(root).mul(root);
        let out = R::select(small, R::select(negative, factor.mul(m), R::lit(1.0).div(m)), large);
        let zero = y.eq(R::lit(0.0)).or(negative.and(y.eq(y.floor()))).or(x.eq(R::lit(INF)));
        R::select(zero, R::select(y.eq(R::lit(0.0)), x, R::lit(0.0)), out)
    })
}

/// `gammaln(1 + x)` for `0 <= x <= 1`, without the rounding of `1 + x`.
pub(super) fn gammaln1p<R: Real>(x: R) -> R {
    x.mul(x.sub(R::lit(1.0))).mul(e::poly(x.sub(R::lit(0.5)), &c::GAMMALN))
}

/// `log(gamma(x))` of a positive `x`.
fn gammaln_positive<R: Real>(x: R) -> R {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let (below, next) = (x.lt(one), x.ge(two));
    let base = R::select(below, x, x.sub(R::select(next, two, one)));
    let near = gammaln1p(R::select(base.gt(one), one, base));
    let shift = e::log(R::select(next, x.sub(one), x));
    let low = R::select(below, near.sub(shift), R::select(next, near.add(shift), near));
    let (t, up, _) = reduce(R::select(x.lt(R::lit(STIRLING_FROM)), x, R::lit(STIRLING_FROM / 2.0)));
    let middle = e::log(up.div(e::poly(t, &c::RGAMMA)));
    let l = e::log(x);
    let huge = x.sub(R::lit(0.5)).mul(l.sub(one)).add(stirling(x).add(R::lit(LOG_ROOT_2PI.0 - 0.5)));
    let out = R::select(x.lt(R::lit(STIRLING_FROM)), middle, huge);
    R::select(x.lt(R::lit(3.0)), low, out)
}

/// `log|gamma(x)|`.
pub fn gammaln<R: Real>(x: R) -> R {
    R::call("gammaln", [x], |[x]| {
        let y = x.abs();
        let positive = gammaln_positive(y);
        let tiny = y.lt(R::lit(1e-17));
        let reflected = e::log(y.mul(e::sinpi(y).abs()).mul(R::lit(1.0 / PI))).add(positive).neg();
        let out = R::select(x.lt(R::lit(0.0)), reflected, positive);
        let out = R::select(tiny, e::log(y).neg(), out);
        let pole = x.le(R::lit(0.0)).and(y.eq(y.floor()));
        R::select(pole.or(y.eq(R::lit(INF))), R::lit(INF), out)
    })
}

/// `log x - digamma(x)` for large `x`.
pub(super) fn digamma_gap<R: Real>(x: R) -> R {
    let r = R::lit(1.0).div(x);
    let z = r.mul(r);
    r.fma(R::lit(0.5), z.mul(e::poly(z, &c::DIGAMMA_TAIL)))
}

/// Digamma of a positive `x`.
fn digamma_positive<R: Real>(x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let low = x.lt(one);
    // On [1, 2] the root is a factor; below, one step up first, with the step taken off the root instead.
    let away = x.sub(R::lit(DIGAMMA_ROOT.0)).sub(R::lit(DIGAMMA_ROOT.1));
    let away = R::select(low, x.sub(R::lit(DIGAMMA_ROOT.0 - 1.0)).sub(R::lit(DIGAMMA_ROOT.1)), away);
    let t = x.sub(R::select(low, R::lit(0.5), R::lit(1.5)));
    let near = away.mul(e::poly(t, &c::DIGAMMA)).sub(R::select(low, one.div(x), zero));
    // Above, eight steps up: their sum of reciprocals is one quotient, taken pairwise about the middle of the steps.
    let far = x.ge(R::lit(10.0));
    let m = x.mul(x.add(R::lit(7.0)));
    let (mut num, mut den) = (zero, one);
    for k in [0.0, 6.0, 10.0, 12.0] {
        let pair = m.add(R::lit(k));
        num = num.mul(pair).add(den);
        den = den.mul(pair);
    }
    let steps = num.mul(x.add(x).add(R::lit(7.0))).div(den);
    let top = R::select(far, x, x.add(R::lit(8.0)));
    let above = e::log(top).sub(digamma_gap(top)).sub(R::select(far, zero, steps));
    R::select(x.le(R::lit(2.0)), near, above)
}

/// Logarithmic derivative of gamma; NaN at the negative integers, a signed infinity at 0.
pub fn digamma<R: Real>(x: R) -> R {
    R::call("digamma", [x], |[x]| {
        let y = x.abs();
        let positive = digamma_positive(y);
        // psi(-y) = psi(y) + 1/y + pi cot(pi y)
        let turn = R::lit(PI).mul(e::cospi(y)).div(e::sinpi(y)).add(R::lit(1.0).div(y));
        let negative = x.lt(R::lit(0.0));
        let out = R::select(negative, positive.add(turn), positive);
        let out = R::select(negative.and(y.eq(y.floor())), R::lit(f64::NAN), out);
        let out = R::select(x.eq(R::lit(INF)), x, out);
        R::select(y.eq(R::lit(0.0)), R::lit(-INF).copysign(x.neg()), out)
    })
}

/// Derivative of digamma, infinite at the poles.
pub fn trigamma<R: Real>(x: R) -> R {
    R::call("trigamma", [x], |[x]| {
        let one = R::lit(1.0);
        let negative = x.le(R::lit(0.0));
        let y = R::select(negative, one.sub(x), x);
        let far = y.ge(R::lit(10.0));
        let top = R::select(far, y, y.add(R::lit(8.0)));
        let r = one.div(top);
        let z = r.mul(r);
        let tail = r.add(z.mul(R::lit(0.5))).add(r.mul(z).mul(e::poly(z, &c::TRIGAMMA_TAIL)));
        let steps = (0..8).rev().fold(tail, |sum, k| {
            let d = one.div(y.add(R::lit(f64::from(k))));
            sum.add(d.mul(d))
        });
        let positive = R::select(far, tail, steps);
        let s = R::lit(PI).div(e::sinpi(x));
        let out = R::select(negative, s.mul(s).sub(positive), positive);
        let out = R::select(x.eq(R::lit(-INF)), R::lit(f64::NAN), out);
        R::select(negative.and(x.eq(x.floor())).and(x.gt(R::lit(-INF))), R::lit(INF), out)
    })
}
