//! Gauss's function of large parameters and a complex argument from both ends.

use super::dual::ComplexDual;
use super::hypergeometric::{Point, series};
use super::{Complex, angle};
use crate::dd::Dd;
use crate::real::{Mask, Real};
use crate::shared;
use crate::special::gauss_ends::{Part, Place, WIDEST, by_logarithms, moderate};
use crate::special::wide::{NEGLIGIBLE, Param};

/// As [`crate::special::gauss_ends::real_by_logarithms`].
#[inline(always)]
pub(super) fn complex_by_logarithms<R: Real, const K: usize>(
    parameters: [Param<R>; 3],
    z: Complex<R>,
    on: R::Mask,
) -> (ComplexDual<R, K>, R) {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let (r, u) = Point::new(z.re, z.im).polar();
    let (t, v) = Point::to_one(z).polar();
    let left = t.hi.gt(one);
    let w = Dd::select(left, Dd::lit(1.0, 0.0) / t, t);
    let on = on.and(w.hi.lt(R::lit(WIDEST))).and(w.hi.gt(zero));
    let w = Dd::select(on, w, Dd::lit(0.5, 0.0));
    let direction = Point::select(left, v.conj(), v);
    let turned = u.mul(v.conj());
    let u = Point::select(left, Point { re: -turned.re, im: -turned.im }, u);
    let size = R::select(on, R::select(left, r.hi / t.hi, r.hi), half);
    let toward = direction.rounded();
    let near = w.hi * (w.hi - toward.re - toward.re);
    let log_z = R::select(w.hi.lt(half), shared::log1p(R::select(w.hi.lt(half), near, zero)) * half, shared::log(size));
    let place =
        Place { left, logs: [shared::log(w.hi) + w.lo / w.hi, log_z], angles: [angle(toward), angle(u.rounded())] };
    let ([re, im], error) = by_logarithms::<R, K, 2>(
        moderate(parameters, on),
        &place,
        on,
        #[inline(always)]
        |[p, q, low], on| {
            let none = R::Mask::lit(false);
            let f = series::<R, K, 2, 1, false>([p, q], [low], w, direction, 6000, R::lit(NEGLIGIBLE), none, on);
            let value = f.value.rounded();
            Part { value: [value.re, value.im], scale: f.scale, largest: f.largest, good: f.good }
        },
    );
    (ComplexDual { re, im }, error)
}
