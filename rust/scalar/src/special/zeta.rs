//! Hurwitz's zeta function and the polygamma functions.

use super::coefficients as c;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;

/// `sum (q + k)^-s` for `s > 1`, `q > 0`: terms up to `q + k` about `10 + s/2`, then Euler and Maclaurin (DLMF 25.11.7).
#[inline(always)]
fn hurwitz<R: Real>(s: R, q: R) -> R {
    named!("hurwitz", |s, q| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let end = s.fma(R::lit(0.5), R::lit(10.0));
        let far = q.ge(end);
        let start = R::select(far, end, q);
        let first = shared::pow(start, -s);
        let out = R::repeat(
            [start, first, zero, first],
            64,
            #[inline(always)]
            |[w, term, sum, _]| {
                let sum = sum + term;
                let w = w + one;
                let next = shared::pow(w, -s);
                ([w, next, sum, term], w.lt(end).and(next.gt(sum * R::lit(EPS / 16.0))))
            },
        );
        let w = R::select(far, q, out[0]);
        let last = R::select(far, shared::pow(q, -s), out[1]);
        let sum = R::select(far, zero, out[2]);
        // w^-s (w/(s - 1) + 1/2 + sum B(2k)/(2k)! s (s + 1) ... (s + 2k - 2) / w^(2k - 1))
        let r = one / w;
        let z = r * r;
        let mut tail = zero;
        for (k, &b) in c::EULER_MACLAURIN.iter().enumerate().rev() {
            let j = 2.0 * k as f64;
            let factor = if k == 0 { s } else { (s + R::lit(j - 1.0)) * (s + R::lit(j)) * z };
            tail = (tail + R::lit(b)) * factor;
        }
        let tail = last * (w / (s - one) + R::lit(0.5) + tail * r);
        let done = last.le(sum * R::lit(EPS / 16.0));
        sum + R::select(done, zero, tail)
    })
}

/// Hurwitz's zeta function `sum (q + k)^-s`, `s >= 1`; below `q = 0` for integer `s` only, infinite at the poles.
#[inline(always)]
pub fn zeta<R: Real>(s: R, q: R) -> R {
    named!("zeta", |s, q| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let negative = q.lt(zero);
        let y = q.abs();
        // Below zero the terms left of the origin are those of r, r + 1, ..., |q|, up to the sign (-1)^s.
        let r = y - y.floor();
        let right = hurwitz(s, R::select(negative, one - r, q));
        let left = hurwitz(s, R::select(negative, r, one)) - hurwitz(s, R::select(negative, y + one, one));
        let half = s * R::lit(0.5);
        let left = R::select(half.floor().eq(half), left, -left);
        let out = R::select(negative, right + left, right);
        let whole = s.floor().eq(s);
        let out = R::select(negative.and(whole.not()), R::lit(f64::NAN), out);
        let out = R::select(q.le(zero).and(q.floor().eq(q)).or(s.eq(one)), R::lit(INF), out);
        let out = R::select(q.eq(R::lit(INF)).and(s.gt(one)), zero, out);
        R::select(s.lt(one).or(s.is_nan()).or(q.is_nan()), R::lit(f64::NAN), out)
    })
}

/// The `n`-th derivative of digamma, `n` a non-negative integer.
#[inline(always)]
pub fn polygamma<R: Real>(n: R, x: R) -> R {
    named!("polygamma", |n, x| {
        let one = R::lit(1.0);
        let order = n + one;
        let value = shared::gamma(order) * shared::zeta(order, x);
        let half = n * R::lit(0.5);
        let value = R::select(half.floor().eq(half), -value, value);
        let out = R::select(n.eq(R::lit(0.0)), shared::digamma(x), value);
        R::select(n.ge(R::lit(0.0)).and(n.floor().eq(n)), out, R::lit(f64::NAN))
    })
}
