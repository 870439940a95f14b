//! Hurwitz's zeta function and the polygamma functions.

use super::coefficients as c;
use super::gamma::{digamma, gamma};
use crate::elementary as e;
use crate::real::{Arith, Mask, Real};

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;

/// `sum (q + k)^-s` for `s > 1`, `q > 0`: terms up to `q + k` about `10 + s/2`, then Euler and Maclaurin (DLMF 25.11.7).
fn hurwitz<R: Real>(s: R, q: R) -> R {
    R::call("hurwitz", [s, q], |[s, q]| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let end = s.fma(R::lit(0.5), R::lit(10.0));
        let far = q.ge(end);
        let start = R::select(far, end, q);
        let first = e::pow(start, s.neg());
        let out = R::repeat([start, first, zero, first], 64, |[w, term, sum, _]| {
            let sum = sum.add(term);
            let w = w.add(one);
            let next = e::pow(w, s.neg());
            ([w, next, sum, term], w.lt(end).and(next.gt(sum.mul(R::lit(EPS / 16.0)))))
        });
        let w = R::select(far, q, out[0]);
        let last = R::select(far, e::pow(q, s.neg()), out[1]);
        let sum = R::select(far, zero, out[2]);
        // w^-s (w/(s - 1) + 1/2 + sum B(2k)/(2k)! s (s + 1) ... (s + 2k - 2) / w^(2k - 1))
        let r = one.div(w);
        let z = r.mul(r);
        let mut tail = zero;
        for (k, &b) in c::EULER_MACLAURIN.iter().enumerate().rev() {
            let j = 2.0 * k as f64;
            let factor = if k == 0 { s } else { s.add(R::lit(j - 1.0)).mul(s.add(R::lit(j))).mul(z) };
            tail = tail.add(R::lit(b)).mul(factor);
        }
        let tail = last.mul(w.div(s.sub(one)).add(R::lit(0.5)).add(tail.mul(r)));
        let done = last.le(sum.mul(R::lit(EPS / 16.0)));
        sum.add(R::select(done, zero, tail))
    })
}

/// Hurwitz's zeta function `sum (q + k)^-s`, `s >= 1`; below `q = 0` for integer `s` only, infinite at the poles.
pub fn zeta<R: Real>(s: R, q: R) -> R {
    R::call("zeta", [s, q], |[s, q]| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let negative = q.lt(zero);
        let y = q.abs();
        // Below zero the terms left of the origin are those of r, r + 1, ..., |q|, up to the sign (-1)^s.
        let r = y.sub(y.floor());
        let right = hurwitz(s, R::select(negative, one.sub(r), q));
        let left = hurwitz(s, R::select(negative, r, one)).sub(hurwitz(s, R::select(negative, y.add(one), one)));
        let half = s.mul(R::lit(0.5));
        let left = R::select(half.floor().eq(half), left, left.neg());
        let out = R::select(negative, right.add(left), right);
        let whole = s.floor().eq(s);
        let out = R::select(negative.and(whole.not()), R::lit(f64::NAN), out);
        let out = R::select(q.le(zero).and(q.floor().eq(q)).or(s.eq(one)), R::lit(INF), out);
        let out = R::select(q.eq(R::lit(INF)).and(s.gt(one)), zero, out);
        R::select(s.lt(one).or(s.is_nan()).or(q.is_nan()), R::lit(f64::NAN), out)
    })
}

/// The `n`-th derivative of digamma, `n` a non-negative integer.
pub fn polygamma<R: Real>(n: R, x: R) -> R {
    R::call("polygamma", [n, x], |[n, x]| {
        let one = R::lit(1.0);
        let order = n.add(one);
        let value = gamma(order).mul(zeta(order, x));
        let half = n.mul(R::lit(0.5));
        let value = R::select(half.floor().eq(half), value.neg(), value);
        let out = R::select(n.eq(R::lit(0.0)), digamma(x), value);
        R::select(n.ge(R::lit(0.0)).and(n.floor().eq(n)), out, R::lit(f64::NAN))
    })
}
