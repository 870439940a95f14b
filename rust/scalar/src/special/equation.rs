//! The differential equation of the hypergeometric functions, integrated by Taylor series.

use super::dual::{Dual, at, pack};
use crate::real::{Mask, Real, each};

/// The part of a root that one step covers, for series within their radius about 0.
const STRIDE: f64 = 0.25;

/// The equation `z (1 - s z) f'' + (c - q z) f' - p f = 0` with `s` = `bend`.
pub(crate) struct Equation<R, const K: usize> {
    pub bend: f64,
    pub c: Dual<R, K>,
    pub q: Dual<R, K>,
    pub p: Dual<R, K>,
}

impl<R: Real, const K: usize> Equation<R, K> {
    /// The solution and its slope at `to` from those at `from`, both positive, by Taylor series at distances of roots up to `width`; NaN
    /// where that takes too many.
    #[inline(always)]
    pub fn along(&self, [from, to]: [R; 2], width: R, [value, slope]: [Dual<R, K>; 2], on: R::Mask) -> [Dual<R, K>; 2] {
        let zero = R::lit(0.0);
        let up = to.gt(from);
        let state = R::repeat(
            pack::<R, K, 2, 1, 9>([value, slope], [from]),
            4000,
            #[inline(always)]
            |state| {
                let (f, slope, z) = (at(&state, 0), at::<R, K, 9>(&state, 1), state[8]);
                let root = z.sqrt();
                // Terms of the solution like z^(1 - c) alternate.
                let share = (R::lit(2.0) / self.c.value().abs()).min(R::lit(STRIDE));
                let stride = width.min(root * share);
                let root = root + R::select(up, stride, -stride);
                let end = root * root;
                let last = R::select(up, end - to, to - end).ge(zero);
                let end = R::select(last, to, end);
                let [f, slope] = self.stepped([z, end - z], [f, slope], on);
                (pack([f, slope], [end]), last.not().and(on))
            },
        );
        each(
            #[inline(always)]
            |i| Dual::select(state[8].eq(to), at(&state, i), Dual([R::lit(f64::NAN); K])),
        )
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
                let go = term.size().max(q.size()).gt(sum.size() * R::lit(1e-18));
                (pack([q, term, sum, slope], [k + one]), go.and(on))
            },
        );
        [at(&inner, 2), at::<R, K, 17>(&inner, 3).times(one / h)]
    }
}
