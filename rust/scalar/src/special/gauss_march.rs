//! Gauss's function of large parameters by its differential equation.

use super::dual::{Dual, at, pack};
use super::equation::{Equation, LONGEST, grown};
use super::hypergeometric::{SWING, bears, power_of};
use super::wide::{NEGLIGIBLE, Param, series};
use crate::complex::Complex;
use crate::dd::Dd;
use crate::real::{Mask, Real, inlined, mapped};
use crate::shared;

/// So close to 1 the argument is not.
const CLOSEST: f64 = 1e-3;

/// `F(a, b; c; x)` of `x < 1` and `c > 0` from where its series does not cancel yet, or NaN where nothing is left of it.
///
/// With `z = sin(t)^2` the solutions oscillate at equal distances of `t`.
#[inline(always)]
pub(crate) fn marched<R: Real, const K: usize>([a, b, c]: [Param<R>; 3], x: R, on: R::Mask) -> Dual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let left = x.lt(zero);
    let swap = left.and(b.rounded().abs().lt(a.rounded().abs()));
    let (a, b) = (Param::select(swap, b, a), Param::select(swap, a, b));
    // DLMF 15.8.1
    let unit = Dd::lit(1.0, 0.0);
    let away = Dd::two_sum(one, -x);
    let w = Dd::select(left, unit / away, away);
    let to = R::select(left, (Dd::new(-x, zero) / away).hi, x);
    let (p, q) = (a, Param::select(left, c - b, b));
    let size = (p.rounded() * q.rounded()).abs() + one;
    let longer = p.rounded().abs().max(q.rounded().abs()).max(one);
    let from = R::lit(SWING * SWING * 0.25).max(c.rounded() * R::lit(SWING * 0.5)) / size;
    let from = from.min(R::lit(SWING) / longer).min(R::lit(0.5));
    let on = on.and(c.rounded().gt(zero)).and(w.hi.gt(R::lit(CLOSEST))).and(from.lt(to));
    let from = R::select(on, from, R::lit(0.25));
    let to = R::select(on, to, R::lit(0.5));
    let pick = inlined(
        #[inline(always)]
        |p: Param<R>, v: f64| Param::select(on, p, Param::lit(v)),
    );
    let (p, q, c) = (pick(p, 1.0), pick(q, 1.0), pick(c, 2.0));
    let start = series::<R, K, 2, 1, false>([p, q], [c], Dd::new(from, zero), 6000, R::lit(NEGLIGIBLE), on);
    let equation = Equation { bend: 1.0, c: c.dual::<K>(), q: (p + q).plus(1.0).dual(), p: p.dual::<K>() * q.dual() };
    let angle = inlined(
        #[inline(always)]
        |z: R| shared::atan((z / (one - z)).sqrt()),
    );
    let (first, last) = (angle(from), angle(to));
    // Terms of the solutions like z^(1 - c) and (1 - z)^(c - p - q) alternate.
    let share = inlined(
        #[inline(always)]
        |exponent: R| R::lit(0.25).min(one / exponent.abs()),
    );
    let [low, high] = mapped([c.rounded(), (c - p - q).rounded()], share);
    let width = one / size.sqrt();
    let value = start.value.rounded();
    let state = R::repeat(
        pack::<R, K, 2, 5, 13>([value, start.slope.rounded().times(one / from)], [first, from, one, one, one]),
        LONGEST,
        #[inline(always)]
        |state| {
            let (f, slope) = (at(&state, 0), at::<R, K, 13>(&state, 1));
            let (t, z, follow) = (state[8], state[9], [state[10], state[11], state[12]]);
            let next = t + width.min(t * low).min((R::lit(std::f64::consts::FRAC_PI_2) - t) * high);
            let done = next.ge(last);
            let sine = shared::sin(next);
            let end = R::select(done, to, sine * sine);
            let [g, g_slope] = equation.stepped([z, end - z], [f, slope], on);
            let magnitudes = inlined(
                #[inline(always)]
                |f: Dual<R, K>, slope: Dual<R, K>| [f.value().abs(), slope.value().abs()],
            );
            let ends = [Complex::new(z, zero), Complex::new(end, zero)];
            let gain = equation.gain(ends, [magnitudes(f, slope), magnitudes(g, g_slope)]);
            let [level, least, most] = grown(follow, gain);
            (pack([g, g_slope], [next, end, level, least, most]), done.not().and(on))
        },
    );
    let f = at::<R, K, 13>(&state, 0);
    let digits = bears(start.largest, start.value.size(), state[12]);
    let kept = start.good.and(start.scale.eq(zero)).and(digits).and(state[9].eq(to)).and(on);
    // By halves, for products in range of factors that are not
    let base = Dd::select(left.and(on), w, unit);
    let root = power_of::<R, K>(base, p.scaled(R::lit(0.5)).dual());
    Dual::select(kept, f * root * root, Dual([R::lit(f64::NAN); K]))
}
