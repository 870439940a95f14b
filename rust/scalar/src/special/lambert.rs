//! The real branches of Lambert's function and Wright's omega function.
//!
//! R. M. Corless et al., "On the Lambert W function" (Adv. Comput. Math. 5, 1996); the iteration is of order four (F. N.
//! Fritsch, R. E. Shafer, W. P. Crowley, CACM 16, 1973); near the branch point a table in the square root of the distance.

use super::pieces::intervals;
use super::tables as t;
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

const INF: f64 = f64::INFINITY;
/// e in two parts.
const E: (f64, f64) = (std::f64::consts::E, 1.4456468917292502e-16);

/// `sqrt(2 (e x + 1))`, NaN left of the branch point, 0 at the double nearest to it.
#[inline(always)]
fn distance<R: Real>(x: R) -> R {
    let p = Dd::lit(E.0, E.1).times(x).plus(R::lit(1.0)).value();
    let p = R::select(p.abs().lt(R::lit(1e-16)), R::lit(0.0), p);
    (p + p).sqrt()
}

/// `W` next to the branch point from the signed distance.
#[inline(always)]
fn branch<R: Real>(p: R) -> R {
    p.fma(intervals(&t::LAMBERT, p, -0.5, 0.125), R::lit(-1.0))
}

/// A step of Fritsch's iteration, given `z = log(x / w) - w`.
#[inline(always)]
fn refine<R: Real>(w: R, z: R) -> R {
    let s = w + R::lit(1.0);
    let q = R::lit(2.0) * s * z.fma(R::lit(2.0 / 3.0), s);
    (w * (z / s)).fma((q - z) / (q - z - z), w)
}

/// The principal branch on `[-1/e, inf)`.
#[inline(always)]
pub fn lambertw_0<R: Real>(x: R) -> R {
    named!("lambertw_0", |x| {
        let one = R::lit(1.0);
        let p = distance(x);
        let near = p.lt(R::lit(0.5));
        let inner = branch(R::select(near, p, R::lit(0.0)));
        // S. Winitzki's uniform approximation to two digits, which is right in both limits
        let ordinary = near.not().and(p.ge(R::lit(0.0))).and(x.lt(R::lit(INF))).and(x.ne(R::lit(0.0)));
        let y = R::select(ordinary, x, one);
        let l = shared::log1p(y);
        let mut w = l * (one - shared::log1p(l) / (R::lit(2.0) + l));
        for _ in 0..2 {
            w = refine(w, shared::log(y / w) - w);
        }
        let out = R::select(near, inner, w);
        R::select(near.or(ordinary), out, R::select(x.lt(R::lit(0.0)), R::lit(f64::NAN), x))
    })
}

/// The branch below -1 on `[-1/e, 0)`.
#[inline(always)]
pub fn lambertw_m1<R: Real>(x: R) -> R {
    named!("lambertw_m1", |x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let p = distance(x);
        let near = p.lt(R::lit(0.5));
        let inner = branch(R::select(near, -p, zero));
        let ordinary = near.not().and(x.lt(zero)).and(p.ge(zero));
        let y = R::select(ordinary, -x, R::lit(0.1));
        let log = shared::log(y);
        // D. A. Barry et al., "Analytical approximations for real values of the Lambert W-function", 2000
        let s = -log - one;
        let root = s.sqrt();
        let bend = one + R::lit(-0.0042) * s * shared::exp(R::lit(-0.0201) * root);
        let inside = one / (one + R::lit(0.3361 * std::f64::consts::FRAC_1_SQRT_2) * root / bend);
        let mut w = -one - s - R::lit(2.0 / 0.3361) * (one - inside);
        for _ in 0..2 {
            w = refine(w, log - shared::log(-w) - w);
        }
        let out = R::select(near, inner, w);
        let out = R::select(x.eq(zero), R::lit(-INF), out);
        R::select(near.or(ordinary).or(x.eq(zero)), out, R::lit(f64::NAN))
    })
}

/// The solution of `w + log(w) = x`.
#[inline(always)]
pub fn wrightomega<R: Real>(x: R) -> R {
    named!("wrightomega", |x| {
        let one = R::lit(1.0);
        let left = x.lt(one);
        let low = shared::lambertw_0(shared::exp(R::select(left, x, one)));
        let y = R::select(x.ge(one), x, one);
        let l = shared::log(y);
        let mut w = y - l + l / (y + one);
        for _ in 0..2 {
            // r and the step in the form of ACM TOMS algorithm 917 (P. W. Lawrence, R. M. Corless, D. J. Jeffrey, 2012)
            w = refine(w, (y - w) - shared::log(w));
        }
        let out = R::select(left, low, R::select(x.lt(R::lit(1e18)), w, x));
        R::select(x.is_nan(), x, out)
    })
}
