//! Gauss's function of large parameters by its differential equation.

use super::dual::{Dual, at, pack};
use super::equation::{Equation, LONGEST, on_axis, rescaled};
use super::gauss::{exchanged, of_differences, slight, within_range};
use super::hypergeometric::{SWING, lost_by, power_of};
use super::recurrence::{DOUBTED, in_units, sizes};
use super::wide::{NEGLIGIBLE, Param, series};
use crate::dd::Dd;
use crate::real::{Mask, Real, inlined, mapped};
use crate::shared;

/// So close to 1 the argument is not: there its distance has no digits.
const CLOSEST: f64 = 1e-14;
/// From here on the rounding of the end of the way counts, by what it is of that distance.
const CLOSE: f64 = 1e-3;

/// Of `t` with `z = -sinh(t)^2` steps are no longer.
const BELOW: f64 = 0.2;

/// Of negative `c` the first series goes to where `a b z` is this part of its square, as `c^2 / e^2` is that of which the terms
/// `(a b z / (k (c + k)))^k` are 1 at the pole.
const BESIDE: f64 = 1.0 / 6.0;

/// The first series goes no farther than here; ways are begun anew where they lose too much,
const FARTHEST: f64 = 0.5;
pub(crate) const ROUNDS: u32 = 3;
/// from here in the second round, and from here in the third one.
const LATER: [f64; 2] = [0.9, 0.97];

/// A way through the equation of `F(p, q; c; z)`.
#[derive(Clone, Copy)]
pub(crate) struct Way<R: Real> {
    pub p: Param<R>,
    pub q: Param<R>,
    pub c: Param<R>,
    /// To here the series about 0 does not cancel.
    pub from: R,
}

impl<R: Real> Way<R> {
    /// For `left` the parameters of DLMF 15.8.1.
    #[inline(always)]
    pub fn new<const K: usize>([a, b, c]: [Param<R>; 3], left: R::Mask) -> Self {
        let less = b.rounded().abs().lt(a.rounded().abs());
        let less = if K == 1 {
            less
        } else {
            exchanged::<R, K>([a, b], slight::<R, K>([a, b]), [R::Mask::lit(false); 2], less, R::lit(0.0))
        };
        let swap = left.and(less);
        let (a, b) = (Param::select(swap, b, a), Param::select(swap, a, b));
        let (p, q) = (a, Param::select(left, c - b, b));
        let longer = p.rounded().abs().max(q.rounded().abs()).max(R::lit(1.0));
        let way = Way { p, q, c, from: R::lit(FARTHEST) };
        // Terms up to the one at a pole of negative `c` are about as large there as the first one.
        let share = R::select(c.rounded().lt(R::lit(0.0)), c.rounded() * R::lit(BESIDE), R::lit(SWING * 0.5));
        let from = R::lit(SWING * SWING * 0.25).max(c.rounded() * share) / way.size();
        Way { from: from.min(R::lit(SWING) / longer).min(way.from), ..way }
    }
    /// The same as it is begun in this round.
    #[inline(always)]
    pub fn begun(self, round: R) -> Self {
        let one = R::lit(1.0);
        let later = R::select(round.gt(one), R::lit(LATER[1]), R::lit(LATER[0]));
        Way { from: R::select(round.lt(one), self.from, self.from.max(later)), ..self }
    }
    /// The same where `on`, elsewhere one that is short.
    #[inline(always)]
    pub fn only(self, on: R::Mask) -> Self {
        let pick = inlined(
            #[inline(always)]
            |p: Param<R>, v: f64| Param::select(on, p, Param::lit(v)),
        );
        let from = R::select(on, self.from, R::lit(0.25));
        Way { p: pick(self.p, 1.0), q: pick(self.q, 1.0), c: pick(self.c, 2.0), from }
    }
    #[inline(always)]
    pub fn equation<const K: usize>(&self) -> Equation<R, K> {
        let (p, q) = (self.p, self.q);
        Equation { bend: 1.0, c: self.c.dual::<K>(), q: (p + q).plus(1.0).dual(), p: p.dual::<K>() * q.dual() }
    }
    /// How many roundings its largest term counts for where the series goes farther.
    #[inline(always)]
    pub fn roundings(&self) -> R {
        let all = self.p.rounded().abs() + self.q.rounded().abs() + self.c.rounded().abs();
        let one = R::lit(1.0);
        R::select(self.from.gt(R::lit(FARTHEST)), (all + one) * R::lit(4.0) / (one - self.from), one)
    }
    #[inline(always)]
    fn size(&self) -> R {
        (self.p.rounded() * self.q.rounded()).abs() + R::lit(1.0)
    }
    /// Of `t` with `z = sin(t)^2`, in which solutions oscillate at equal distances: the step for these, and its parts of `t` and of `pi/2 -
    /// t`, as terms of the solutions like `z^(1 - c)` and `(1 - z)^(c - p - q)` alternate.
    #[inline(always)]
    pub fn strides(&self) -> [R; 3] {
        let share = inlined(
            #[inline(always)]
            |exponent: R| R::lit(0.25).min(R::lit(1.0) / exponent.abs()),
        );
        let [low, high] = mapped([self.c.rounded(), (self.c - self.p - self.q).rounded()], share);
        [R::lit(1.0) / self.size().sqrt(), low, high]
    }
}

/// How many times as large as at the end a derivative was on the way where it is a `minor` one, told beside itself.
#[inline(always)]
pub(crate) fn fallen<R: Real, const K: usize, const P: usize>(minor: R::Mask, highest: R, end: [Dual<R, K>; P]) -> R {
    let one = R::lit(1.0);
    R::select(minor, (highest / sizes(end)[1]).max(one), one)
}

/// How much an error becomes beside the value, or the highest derivative where that has not fallen as the value has.
#[inline(always)]
pub(crate) fn least_of<R: Real>(minor: R::Mask, [value, top]: [R; 2]) -> R {
    R::select(minor.or(top.lt(value).not()), value, top)
}

/// `F(a, b; c; x)` of `x < 1` from where its series does not cancel yet, and its error in units of those of double-double numbers,
/// infinite where nothing is left of it. Where it loses too much the series goes farther: `x^(1 - c)` of a negative `c` grows the more
/// the sooner it ends.
#[inline(always)]
pub(crate) fn marched<R: Real, const K: usize>(parameters: [Param<R>; 3], x: R, on: R::Mask) -> (Dual<R, K>, R) {
    let minor = slight::<R, K>([parameters[0], parameters[1]]);
    let differences = of_differences::<R, K>(parameters);
    // In a loop because the code is long
    let state = R::repeat(
        pack::<R, K, 1, 2, 6>([Dual::nan()], [R::lit(f64::INFINITY), R::lit(0.0)]),
        ROUNDS,
        #[inline(always)]
        |state| {
            let (found, least, round) = (at::<R, K, 6>(&state, 0), state[4], state[5]);
            let asks = on.and(least.gt(R::lit(DOUBTED)));
            // A small derivative has its digits in the equation itself, not beside a power.
            let left = x.lt(R::lit(0.0)).and(differences.or(minor.and(round.eq(R::lit(0.0)))).not());
            let way = Way::new::<K>(parameters, left).begun(round);
            let (value, loss) = along(way, minor, x, left, asks);
            let better = asks.and(loss.lt(least));
            let least = R::select(better, loss, least);
            let next = pack([Dual::select(better, value, found)], [least, round + R::lit(1.0)]);
            (next, on.and(least.gt(R::lit(DOUBTED))))
        },
    );
    (at(&state, 0), in_units(state[4]))
}

/// The same by this way, and how many roundings of it an error becomes.
#[inline(always)]
fn along<R: Real, const K: usize>(way: Way<R>, minor: R::Mask, x: R, left: R::Mask, on: R::Mask) -> (Dual<R, K>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = Dd::lit(1.0, 0.0);
    let away = Dd::two_sum(one, -x);
    let w = Dd::select(left, unit / away, away);
    let whole = Dd::select(left, Dd::new(-x, zero) / away, Dd::new(x, zero));
    let on = on.and(way.c.ends().not()).and(w.hi.gt(R::lit(CLOSEST))).and(way.from.lt(whole.hi.abs()));
    let way = way.only(on);
    let (Way { p, q, c, from }, below) = (way, whole.hi.lt(zero).and(on));
    let from = R::select(below, -from, from);
    let to = R::select(on, whole.hi, R::lit(0.5));
    let rest = R::select(on.and(w.hi.lt(R::lit(CLOSE))), whole.lo, zero);
    let start = series::<R, K, 2, 1, false>([p, q], [c], Dd::new(from, zero), 6000, R::lit(NEGLIGIBLE), on);
    let equation = way.equation::<K>();
    let angle = inlined(
        #[inline(always)]
        |z: R| {
            let root = (z.abs() / (one - R::select(below, zero, z))).sqrt();
            R::select(below, shared::asinh(root), shared::atan(root))
        },
    );
    let (first, last) = (angle(from), angle(to));
    let [width, low, high] = way.strides();
    let value = start.value.rounded();
    let begun = [first, from, one, one, one, one, start.scale, sizes([value])[1]];
    let state = R::repeat(
        pack::<R, K, 2, 8, 16>([value, start.slope.rounded().times(one / from)], begun),
        LONGEST,
        #[inline(always)]
        |state| {
            let (f, slope) = (at(&state, 0), at::<R, K, 16>(&state, 1));
            let (t, z, follow) = (state[8], state[9], [[state[10], state[11]], [state[12], state[13]]]);
            let far = R::select(below, R::lit(BELOW), (R::lit(std::f64::consts::FRAC_PI_2) - t) * high);
            let next = t + width.min(t * low).min(far);
            let done = next.ge(last);
            let sine = R::select(below, shared::sinh(next), shared::sin(next));
            let end = R::select(done, to, R::select(below, -sine, sine) * sine);
            let step = end - z + R::select(done, rest, zero);
            let [g, g_slope] = equation.stepped([z, step], [f, slope], on);
            let [[over, most], [over_top, most_top]] =
                equation.followed_by(follow, on_axis([z, end]), [[[f], [slope]], [[g], [g_slope]]]);
            let [unit, scale] = rescaled(g.size().max(g_slope.size()), state[14]);
            let highest = state[15].max(sizes([g])[1]) * unit;
            let rest = [next, end, over, most, over_top, most_top, scale, highest];
            (pack([g.times(unit), g_slope.times(unit)], rest), done.not().and(on))
        },
    );
    let f = at::<R, K, 16>(&state, 0);
    let most = least_of(minor, [state[11], state[13]]);
    let loss = lost_by(start.largest * way.roundings(), start.value.size(), most) * fallen(minor, state[15], [f]);
    // By quarters, for products in range of factors that are not
    let base = Dd::select(left.and(on), w, unit);
    let exponent = p.scaled(R::lit(0.25));
    let root = power_of::<R, K>(base, exponent.dual()).times(shared::exp2(state[14] * R::lit(128.0)));
    let kept = start.good.and(state[9].eq(to)).and(within_range(exponent, shared::log(base.hi))).and(on);
    (f * root * root * root * root, R::select(kept, loss, R::lit(f64::INFINITY)))
}
