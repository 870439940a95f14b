//! The differential equation of the hypergeometric functions, integrated by Taylor series.

use super::dual::{Dual, at, pack};
use super::recurrence::sizes;
use super::wide::RESCALE;
use crate::complex::Complex;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;

/// The part of a root that one step covers, for series within their radius about 0.
const STRIDE: f64 = 0.25;

/// Taylor series on one way at most.
pub(crate) const LONGEST: u32 = 4000;

/// The equation `z (1 - s z) f'' + (c - q z) f' - p f = 0` with `s` = `bend`.
pub(crate) struct Equation<R, const K: usize> {
    pub bend: f64,
    pub c: Dual<R, K>,
    pub q: Dual<R, K>,
    pub p: Dual<R, K>,
}

impl<R: Real, const K: usize> Equation<R, K> {
    /// The solution and its slope at `to` from those at `from`, both positive, by Taylor series at distances of roots up to `width`, NaN
    /// where that takes too many; how many times as large beside it an error on the way becomes, as other solutions gain on it, and the
    /// power of `2^512` in whose units they are.
    #[inline(always)]
    pub fn along(
        &self,
        [from, to]: [R; 2],
        width: R,
        [value, slope]: [Dual<R, K>; 2],
        on: R::Mask,
    ) -> ([Dual<R, K>; 2], [R; 2]) {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let up = to.gt(from);
        let state = R::repeat(
            pack::<R, K, 2, 4, 12>([value, slope], [from, one, one, zero]),
            LONGEST,
            #[inline(always)]
            |state| {
                let (before, z) = ([at(&state, 0), at::<R, K, 12>(&state, 1)], state[8]);
                let root = z.sqrt();
                // Terms of the solution like z^(1 - c) alternate.
                let share = (R::lit(2.0) / self.c.value().abs()).min(R::lit(STRIDE));
                let stride = width.min(root * share);
                let root = root + R::select(up, stride, -stride);
                let end = root * root;
                let last = R::select(up, end - to, to - end).ge(zero);
                let end = R::select(last, to, end);
                let [f, slope] = self.stepped([z, end - z], before, on);
                let pairs = [[[before[0]], [before[1]]], [[f], [slope]]];
                let [[over, most], _] = self.followed_by([[state[9], state[10]]; 2], on_axis([z, end]), pairs);
                let [unit, power] = rescaled(f.size().max(slope.size()), state[11]);
                (pack([f.times(unit), slope.times(unit)], [end, over, most, power]), last.not().and(on))
            },
        );
        let ends = each(
            #[inline(always)]
            |i| Dual::select(state[8].eq(to), at(&state, i), Dual::nan()),
        );
        (ends, [state[10], state[11]])
    }
    /// What others have gained on a solution, as [`grown`] counts it, after a step between two places, and beside its highest derivative.
    #[inline(always)]
    pub fn followed_by<const P: usize>(
        &self,
        follow: [[R; 2]; 2],
        [from, to]: [Complex<R>; 2],
        pairs: [[[Dual<R, K>; P]; 2]; 2],
    ) -> [[R; 2]; 2] {
        let [before, after] = mapped(
            pairs,
            #[inline(always)]
            |[f, slope]| [sizes(f), sizes(slope)],
        );
        let [own, top] = each(
            #[inline(always)]
            |i| self.extent(from, [before[0][i], before[1][i]]) / self.extent(to, [after[0][i], after[1][i]]),
        );
        let gain = self.wronskian([from, to]) * own;
        [grown(follow[0], gain * own), grown(follow[1], gain * top)]
    }

    /// A solution and its slope at `z + h` by its Taylor series at `z`.
    #[inline(always)]
    pub fn stepped(&self, [z, h]: [R; 2], [f, slope]: [Dual<R, K>; 2], on: R::Mask) -> [Dual<R, K>; 2] {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let bend = R::lit(self.bend);
        let linear = one - bend * z;
        let front = -(h / (z * linear));
        let turn = linear - bend * z;
        let drift = self.c - self.q.times(z);
        let second = slope.times(h);
        let inner = R::repeat(
            pack::<R, K, 4, 1, 17>([f, second, f + second, second], [zero]),
            500,
            #[inline(always)]
            |state| {
                let [p, q, sum, slope] = each(
                    #[inline(always)]
                    |i| at::<R, K, 17>(&state, i),
                );
                let k = state[16];
                let mut ahead = drift;
                ahead.0[0] = ahead.0[0] + turn * k;
                let mut low = -(self.q.times(k) + self.p);
                low.0[0] = low.0[0] - bend * k * (k - one);
                let term = (ahead * q + low * p.times(h / (k + one))).times(front / (k + two));
                let (sum, slope) = (sum + term, slope + term.times(k + two));
                let unfinished = inlined(
                    #[inline(always)]
                    |d: usize| term.0[d].abs().max(q.0[d].abs()).gt(sum.0[d].abs() * R::lit(1e-18)),
                );
                // A derivative may be small beside the value.
                let go = if K == 1 { unfinished(0) } else { unfinished(0).or(unfinished(K - 1)) };
                (pack([q, term, sum, slope], [k + one]), go.and(on))
            },
        );
        [at(&inner, 2), at::<R, K, 17>(&inner, 3).times(one / h)]
    }
    /// The factor by which the Wronskian of two solutions changes between two places.
    #[inline(always)]
    fn wronskian(&self, [from, to]: [Complex<R>; 2]) -> R {
        let ratio = inlined(
            #[inline(always)]
            |a: Complex<R>, b: Complex<R>| {
                shared::log((a.re * a.re + a.im * a.im) / (b.re * b.re + b.im * b.im)) * R::lit(0.5)
            },
        );
        let (c, q, one) = (self.c.value(), self.q.value(), R::lit(1.0));
        let power = c * ratio(from, to);
        let rest = if self.bend == 0.0 {
            q * (to.re - from.re)
        } else {
            (q - c) * ratio(Complex::new(one - from.re, -from.im), Complex::new(one - to.re, -to.im))
        };
        shared::exp(power + rest)
    }
    /// The size of a solution, of which the Wronskian is a product of two.
    #[inline(always)]
    fn extent(&self, z: Complex<R>, [value, slope]: [R; 2]) -> R {
        let one = R::lit(1.0);
        let bz = z.scale(R::lit(self.bend));
        let front = (z * Complex::new(one - bz.re, -bz.im)).reciprocal();
        let drift = Complex::new(self.c.value() - self.q.value() * z.re, -(self.q.value() * z.im)) * front;
        let pace = (front.max_part() * self.p.value().abs()).sqrt() + drift.max_part() * R::lit(0.5);
        let root = pace.sqrt();
        (value * root).max(slope / root)
    }
}

/// What takes a solution of this size, in units of a power of `2^512`, back into the middle of the range, and the power then.
#[inline(always)]
pub(crate) fn rescaled<R: Real>(size: R, power: R) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let up = R::select(size.gt(R::lit(RESCALE)), one, zero);
    let down = R::select(size.lt(R::lit(1.0 / RESCALE)).and(size.gt(zero)), one, zero);
    let factor = up.fma(R::lit(1.0 / RESCALE), down.fma(R::lit(RESCALE), one - (up + down)));
    [factor, power + (up - down)]
}

/// Two places of the real axis.
#[inline(always)]
pub(crate) fn on_axis<R: Real>(places: [R; 2]) -> [Complex<R>; 2] {
    mapped(
        places,
        #[inline(always)]
        |z| Complex::new(z, R::lit(0.0)),
    )
}

/// How many times what others have gained on a solution is of the least so far, and the most of that, which is how many times as large
/// beside it an error on the way becomes to which every step adds; both 1 at first, NaN once unknown.
#[inline(always)]
pub(crate) fn grown<R: Real>([over, most]: [R; 2], gain: R) -> [R; 2] {
    let over = over * gain;
    let over = over.fma(over, R::lit(1.0)).sqrt();
    [over, R::select(over.le(most), most, over)]
}
