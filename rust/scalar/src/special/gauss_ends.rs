//! Gauss's function of large parameters from both ends, with gamma functions by their logarithms.

use super::dual::Dual;
use super::gauss::{apart, both_slight, rounded_with, slight};
use super::hypergeometric::log_gammas;
use super::recurrence::{UNITS, parts, sizes, written};
use super::wide::{NEGLIGIBLE, Param, series};
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use std::f64::consts::LN_2;

/// The variable of series about 1 is taken up to here.
pub(crate) const WIDEST: f64 = 0.95;
/// A part whose error is less times as large as that of the logarithms is not tried in the other form.
const FINE: f64 = 4.0;

/// Where the function is asked for: `1 - z` and `z` of DLMF 15.8.4, or where `left` those of `z / (z - 1)`, by logarithms of magnitudes
/// and by angles.
pub(crate) struct Place<R: Real> {
    pub left: R::Mask,
    pub logs: [R; 2],
    pub angles: [R; 2],
}

/// A series about 1 with its scale, the largest of its terms in units of it and whether it is known.
pub(crate) struct Part<R: Real, const K: usize, const P: usize> {
    pub value: [Dual<R, K>; P],
    pub scale: R,
    pub largest: R,
    pub good: R::Mask,
}

/// `F(a, b; c; z)` by the connection of 0 and 1 (DLMF 15.8.4, where `left` after 15.8.1) with `summed` for the series `F(p, q; r; w)`
/// of `[p, q, r]`, and its error in units of those of double-double numbers, infinite where it is not found.
///
/// Both solutions about 1 have two forms, that differ by the factor `z^(1 - c)`. Sums and factors may be out of range.
#[inline(always)]
pub(crate) fn by_logarithms<R: Real, const K: usize, const P: usize>(
    [a, b, c]: [Param<R>; 3],
    place: &Place<R>,
    on: R::Mask,
    summed: impl Fn([Param<R>; 3], R::Mask) -> Part<R, K, P>,
) -> ([Dual<R, K>; P], R) {
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(f64::INFINITY));
    let none = Dual::<R, K>::lit(0.0);
    let minor = slight::<R, K>([a, b]);
    let both = both_slight::<R, K>([a, b]);
    let b = Param::select(place.left, c - b, b);
    let (ca, cb) = (c - a, c - b);
    let s = ca - b;
    // Derivatives of gamma functions next to poles cancel where both parameters are slight.
    let on = on.and(both.and(apart(s.rounded()).not()).not());
    let mut size = R::lit(16.0);
    for p in [a, b, c, ca, cb, s] {
        size = size + p.rounded().abs();
    }
    // Of four logarithms of gamma functions
    let floor = size * shared::log(size);
    // Small derivatives are differences of those in the logarithms.
    let size_of = inlined(
        #[inline(always)]
        |v: [Dual<R, K>; P]| rounded_with(minor, sizes(v)),
    );
    // Both parts in both forms, in a loop because the code is long: the sum and the part, their errors and the logarithms of their units,
    // the turn
    let state = R::repeat(
        written([[none; P]; 2], [zero, inf, -inf, -inf, zero]),
        4,
        #[inline(always)]
        |state: [R; 21]| {
            let (sum, part) = (parts::<R, K, P>(&state, 0), parts::<R, K, P>(&state, 8));
            let [error, own, unit, own_unit, turn] = [state[16], state[17], state[18], state[19], state[20]];
            let first = turn.lt(R::lit(2.0));
            let other = turn.eq(one).or(turn.eq(R::lit(3.0)));
            let own = R::select(other, own, inf);
            let either = inlined(
                #[inline(always)]
                |p: Param<R>, q: Param<R>| Param::select(first, p, q),
            );
            let e = either(s, -s);
            let r = Param::lit(1.0) - e;
            let [p, q] = mapped(
                [either(a, ca), either(b, cb)],
                #[inline(always)]
                |p| Param::select(other, r - p, p),
            );
            let asks = on.and(other.not().or(own.gt(floor * R::lit(FINE * UNITS))));
            let f = summed([p, q, r], asks);
            let (gammas, sign) = log_gammas::<R, K, 2>([c, e], [either(ca, a), either(cb, b)]);
            let powers = [
                Dual::select(first, none, s.dual()) + Dual::select(place.left, a.dual(), none),
                Dual::select(other, Dual::lit(1.0) - c.dual(), none),
            ];
            let along = inlined(
                #[inline(always)]
                |by: [R; 2]| powers[0].times(by[0]) + powers[1].times(by[1]),
            );
            let power = along(place.logs);
            let scale = f.scale * R::lit(512.0 * LN_2);
            let log = gammas + power + Dual::constant(scale);
            let rates = log.chain([one; 3]);
            let value = mapped(
                f.value,
                #[inline(always)]
                |v| v.times(sign) * rates,
            );
            let value = if P == 1 {
                value
            } else {
                let angle = along(place.angles);
                let (cos, sin) = (shared::cos(angle.value()), shared::sin(angle.value()));
                let (cos, sin) = (angle.chain([cos, -sin, -cos]), angle.chain([sin, cos, -sin]));
                each(
                    #[inline(always)]
                    |i| if i == 0 { value[0] * cos - value[P - 1] * sin } else { value[0] * sin + value[P - 1] * cos },
                )
            };
            let logs = floor + power.value().abs() + scale.abs();
            let wrong = (f.largest / sizes(f.value)[0]).fma(R::lit(1e2), logs * R::lit(UNITS));
            let whole = size_of(value);
            let known = asks.and(f.good).and(wrong.lt(own)).and(whole.lt(inf));
            let (own, own_unit) = (R::select(known, wrong, own), R::select(known, log.value(), own_unit));
            let part: [Dual<R, K>; P] = each(
                #[inline(always)]
                |i| Dual::select(known, value[i], part[i]),
            );
            let done = other.and(on);
            let top = unit.max(own_unit);
            let share = inlined(
                #[inline(always)]
                |unit: R| R::select(unit.eq(-inf), zero, shared::exp(unit - top)),
            );
            let [before, now] = [share(unit), share(own_unit)];
            let wrong = R::select(own_unit.eq(-inf).and(own.lt(inf)), zero, size_of(part) * own * now);
            let error = R::select(done, error.fma(before, wrong), error);
            let sum: [Dual<R, K>; P] = each(
                #[inline(always)]
                |i| Dual::select(done, sum[i].times(before) + part[i].times(now), sum[i]),
            );
            let unit = R::select(done, top, unit);
            (written([sum, part], [error, own, unit, own_unit, turn + one]), on)
        },
    );
    let sum = parts::<R, K, P>(&state, 0);
    let error = state[16] / sizes(sum)[1];
    // By halves, for products in range of factors that are not
    let root = shared::exp(state[18] * R::lit(0.5));
    let whole = mapped(
        sum,
        #[inline(always)]
        |v| v.times(root).times(root),
    );
    (whole, R::select(on.and(error.lt(inf)), error, inf))
}

/// The same of real `x < 1`.
#[inline(always)]
pub(crate) fn real_by_logarithms<R: Real, const K: usize>(
    parameters: [Param<R>; 3],
    x: R,
    on: R::Mask,
) -> (Dual<R, K>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let left = x.lt(zero);
    let (unit, half) = (Dd::lit(1.0, 0.0), Dd::lit(0.5, 0.0));
    let away = Dd::two_sum(one, -x);
    let w = Dd::select(left, unit / away, away);
    let z = Dd::select(left, Dd::new(-x, zero) / away, Dd::new(x, zero));
    let on = on.and(w.hi.lt(R::lit(WIDEST))).and(w.hi.gt(zero));
    let parameters = moderate(parameters, on);
    let (w, z) = (Dd::select(on, w, half), Dd::select(on, z, half));
    let log_z = R::select(z.hi.lt(half.hi), shared::log(z.hi), shared::log1p(-w.hi));
    let place = Place { left, logs: [shared::log(w.hi) + w.lo / w.hi, log_z], angles: [zero; 2] };
    let ([value], error) = by_logarithms::<R, K, 1>(
        parameters,
        &place,
        on,
        #[inline(always)]
        |[p, q, r], on| {
            let f = series::<R, K, 2, 1, false>([p, q], [r], w, 6000, R::lit(NEGLIGIBLE), on);
            Part { value: [f.value.rounded()], scale: f.scale, largest: f.largest, good: f.good }
        },
    );
    (value, error)
}

/// Others where a function is not asked for.
#[inline(always)]
pub(crate) fn moderate<R: Real>([a, b, c]: [Param<R>; 3], on: R::Mask) -> [Param<R>; 3] {
    mapped(
        [(a, 0.75), (b, 1.25), (c, 2.5)],
        #[inline(always)]
        |(p, v)| Param::select(on, p, Param::lit(v)),
    )
}
