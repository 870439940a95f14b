//! Double-double numbers with derivatives in the parameters of a function, and hypergeometric series in them (DLMF 16.2.1).
//!
//! The terms of such a series may be many orders of magnitude larger than the sum; the second double makes up for that.

use std::ops::{Add, Neg, Sub};

use super::dual::{Dual, product, quotient, root};
use crate::dd::Dd;
use crate::real::{Mask, Real, count, each, mapped};

/// A parameter: a number that moves along the two directions of differentiation at constant speeds.
#[derive(Clone, Copy)]
pub(crate) struct Param<R> {
    pub value: Dd<R>,
    pub speed: [R; 2],
}

impl<R: Real> Param<R> {
    #[inline(always)]
    pub fn new(value: R, speed: [R; 2]) -> Self {
        Param { value: Dd::new(value, R::lit(0.0)), speed }
    }
    #[inline(always)]
    pub fn lit(value: f64) -> Self {
        Param::new(R::lit(value), [R::lit(0.0); 2])
    }
    /// `directions` has the bits of the directions that move it.
    #[inline(always)]
    pub fn moved(value: R, directions: usize) -> Self {
        Param::new(value, [1, 2].map(|bit| R::lit(if directions & bit != 0 { 1.0 } else { 0.0 })))
    }
    #[inline(always)]
    pub fn plus(self, v: f64) -> Self {
        self.step(R::lit(v))
    }
    #[inline(always)]
    pub fn step(self, v: R) -> Self {
        Param { value: self.value.plus(v), speed: self.speed }
    }
    /// Times a number.
    #[inline(always)]
    pub fn scaled(self, v: R) -> Self {
        Param { value: self.value.times(v), speed: [self.speed[0] * v, self.speed[1] * v] }
    }
    #[inline(always)]
    pub fn select(m: R::Mask, a: Self, b: Self) -> Self {
        let speed = [R::select(m, a.speed[0], b.speed[0]), R::select(m, a.speed[1], b.speed[1])];
        Param { value: Dd::select(m, a.value, b.value), speed }
    }
    #[inline(always)]
    pub fn rounded(self) -> R {
        self.value.value()
    }
    #[inline(always)]
    pub fn dual<const K: usize>(self) -> Dual<R, K> {
        let mut d = Dual::constant(self.rounded());
        if K > 1 {
            d.0[1] = self.speed[0];
        }
        if K > 2 {
            d.0[2] = self.speed[1];
        }
        d
    }
    /// Whether it is an integer `<= 0`, where series end or have a pole.
    #[inline(always)]
    pub fn ends(self) -> R::Mask {
        let v = self.rounded();
        v.le(R::lit(0.0)).and(v.floor().eq(v)).and(self.value.hi.eq(v))
    }
    /// The same of one that does not move.
    #[inline(always)]
    pub fn fixed_end(self) -> R::Mask {
        self.ends().and(self.moves().not())
    }
    /// The degree of polynomials that it ends exactly without moving, infinite where it does not.
    #[inline(always)]
    pub fn degree(self) -> R {
        let ends = self.fixed_end().and(self.value.lo.eq(R::lit(0.0)));
        R::select(ends, -self.rounded(), R::lit(f64::INFINITY))
    }
    /// Whether derivatives are taken in it.
    #[inline(always)]
    pub fn moves(self) -> R::Mask {
        self.speed[0].ne(R::lit(0.0)).or(self.speed[1].ne(R::lit(0.0)))
    }
    /// Whether it is not a 0 that stays.
    #[inline(always)]
    pub fn counts(self) -> R::Mask {
        self.rounded().ne(R::lit(0.0)).or(self.moves())
    }
}

impl<R: Real> Add for Param<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Param { value: self.value + o.value, speed: [self.speed[0] + o.speed[0], self.speed[1] + o.speed[1]] }
    }
}

impl<R: Real> Neg for Param<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Param { value: -self.value, speed: [-self.speed[0], -self.speed[1]] }
    }
}

impl<R: Real> Sub for Param<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

/// [`Dual`] in double-double arithmetic.
#[derive(Clone, Copy)]
pub(crate) struct Wide<R, const K: usize>(pub [Dd<R>; K]);

impl<R: Real, const K: usize> Wide<R, K> {
    #[inline(always)]
    pub fn constant(v: Dd<R>) -> Self {
        let mut c = [Dd::lit(0.0, 0.0); K];
        c[0] = v;
        Wide(c)
    }
    #[inline(always)]
    pub fn lit(v: f64) -> Self {
        Self::constant(Dd::lit(v, 0.0))
    }
    #[inline(always)]
    pub fn rounded(self) -> Dual<R, K> {
        Dual(mapped(
            self.0,
            #[inline(always)]
            |c| c.value(),
        ))
    }
    #[inline(always)]
    pub fn map(self, f: impl Fn(Dd<R>) -> Dd<R>) -> Self {
        Wide(mapped(self.0, f))
    }
    #[inline(always)]
    pub fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Wide(each(
            #[inline(always)]
            |i| Dd::select(m, a.0[i], b.0[i]),
        ))
    }
    #[inline(always)]
    pub fn of(d: Dual<R, K>) -> Self {
        Wide(mapped(
            d.0,
            #[inline(always)]
            |c| Dd::new(c, R::lit(0.0)),
        ))
    }
    /// Times a parameter.
    #[inline(always)]
    pub fn by(self, p: Param<R>) -> Self {
        let t = self.0;
        let mut h = self.map(
            #[inline(always)]
            |c| c * p.value,
        );
        if K > 1 {
            h.0[1] = h.0[1] + t[0].times(p.speed[0]);
        }
        if K > 2 {
            h.0[2] = h.0[2] + t[0].times(p.speed[1]);
            h.0[3] = h.0[3] + (t[1].times(p.speed[1]) + t[2].times(p.speed[0]));
        }
        h
    }
    /// Divided by a parameter.
    #[inline(always)]
    pub fn over(self, p: Param<R>) -> Self {
        let mut h = self.0;
        h[0] = h[0] / p.value;
        if K > 1 {
            h[1] = (h[1] - h[0].times(p.speed[0])) / p.value;
        }
        if K > 2 {
            h[2] = (h[2] - h[0].times(p.speed[1])) / p.value;
            h[3] = (h[3] - (h[1].times(p.speed[1]) + h[2].times(p.speed[0]))) / p.value;
        }
        Wide(h)
    }
    #[inline(always)]
    pub fn mul(self, o: Self) -> Self {
        Wide(product(
            self.0,
            o.0,
            #[inline(always)]
            |x, y, sum| sum + x * y,
        ))
    }
    #[inline(always)]
    pub fn div(self, o: Self) -> Self {
        Wide(quotient(self.0, o.0))
    }
    /// Square root; a zero may only be moved by nothing.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let none = Dd::lit(0.0, 0.0);
        Wide(root(
            self.0[0].sqrt(),
            self.0,
            #[inline(always)]
            |rest, double| Dd::select(rest.hi.eq(none.hi), none, rest / double),
        ))
    }
    /// Times a power of two.
    #[inline(always)]
    pub fn scaled_pow2(self, v: R) -> Self {
        self.map(
            #[inline(always)]
            |c| c.times_pow2(v),
        )
    }
    /// Times one double.
    #[inline(always)]
    pub fn scaled(self, v: R) -> Self {
        self.map(
            #[inline(always)]
            |c| c.times(v),
        )
    }
    /// Plus a term: all roundings of the leading parts are kept, to be added at the end by [`Wide::normalized`].
    #[inline(always)]
    pub fn gather(self, term: Self) -> Self {
        Wide(each(
            #[inline(always)]
            |i| {
                let s = Dd::two_sum(self.0[i].hi, term.0[i].hi);
                Dd::new(s.hi, (self.0[i].lo + term.0[i].lo) + s.lo)
            },
        ))
    }
    #[inline(always)]
    pub fn normalized(self) -> Self {
        self.map(
            #[inline(always)]
            |c| Dd::two_sum(c.hi, c.lo),
        )
    }
    #[inline(always)]
    pub fn or_zero(self, m: R::Mask) -> Self {
        Wide::select(m, Wide::lit(0.0), self)
    }
    /// The sum of the magnitudes of value and derivatives.
    #[inline(always)]
    pub fn size(self) -> R {
        let mut sum = self.0[0].hi.abs();
        count::<1, K>(
            #[inline(always)]
            |i| sum = sum + self.0[i].hi.abs(),
        );
        sum
    }
    #[inline(always)]
    pub fn times(self, v: Dd<R>) -> Self {
        self.map(
            #[inline(always)]
            |c| c * v,
        )
    }
}

impl<R: Real, const K: usize> Add for Wide<R, K> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Wide(each(
            #[inline(always)]
            |i| self.0[i] + o.0[i],
        ))
    }
}

impl<R: Real, const K: usize> Sub for Wide<R, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Wide(each(
            #[inline(always)]
            |i| self.0[i] - o.0[i],
        ))
    }
}

/// Writes wide numbers into the state of a loop, eight places each, and plain ones behind them.
#[inline(always)]
pub(crate) fn pack<R: Real, const K: usize, const D: usize, const P: usize, const N: usize>(
    wides: [Wide<R, K>; D],
    plain: [R; P],
) -> [R; N] {
    each(
        #[inline(always)]
        |i| match (i / 8, i % 8 / 2) {
            (w, k) if w < D && k < K => {
                let c = wides[w].0[k];
                if i % 2 == 0 { c.hi } else { c.lo }
            }
            _ if i >= 8 * D && i < 8 * D + P => plain[i - 8 * D],
            _ => R::lit(0.0),
        },
    )
}

#[inline(always)]
pub(crate) fn at<R: Real, const K: usize, const N: usize>(state: &[R; N], i: usize) -> Wide<R, K> {
    Wide(each(
        #[inline(always)]
        |k| Dd::new(state[8 * i + 2 * k], state[8 * i + 2 * k + 1]),
    ))
}

/// A sum with what is known about its error.
pub(crate) struct Sum<R: Real, const K: usize> {
    pub value: Wide<R, K>,
    /// The sum of `k` times the terms, which is `z d/dz`.
    pub slope: Wide<R, K>,
    /// In units of this power of `2^512`.
    pub scale: R,
    /// The largest term, derivatives included.
    pub largest: R,
    /// That of the highest derivative.
    pub largest_top: R,
    /// The last one.
    pub last: Wide<R, K>,
    /// Whether the last term was negligible.
    pub good: R::Mask,
}

/// Terms next to the least number may stay where they are.
const STALLED: f64 = 1e-318;

/// What is negligible beside part `s` of a sum, of which a derivative may be that small.
#[inline(always)]
pub(crate) fn negligible_size<R: Real>(s: usize, share: R) -> R {
    if s == 0 { share } else { share.max(R::lit(STALLED)) }
}

/// The size of part `s` of the last of two terms, of a derivative the larger of both unless the series is `ASYMPTOTIC`: one may be 0 for
/// once as reciprocals on either side of a pole add up to nothing.
#[inline(always)]
pub(crate) fn part_of<R: Real, const K: usize, const ASYMPTOTIC: bool>([before, last]: [Wide<R, K>; 2], s: usize) -> R {
    let size = last.0[s].hi.abs();
    if s == 0 || ASYMPTOTIC {
        return size;
    }
    R::select(last.size().eq(R::lit(0.0)), size, size.max(before.0[s].hi.abs()))
}

/// Terms are negligible below this share of a sum that keeps its digits, or of one that loses some afterwards.
const SETTLED: f64 = 1e-22;
pub(crate) const NEGLIGIBLE: f64 = 1e-32;

/// The former for a value alone.
pub(crate) const fn enough(k: usize) -> f64 {
    if k == 1 { SETTLED } else { NEGLIGIBLE }
}

pub(crate) const RESCALE: f64 = 1.3407807929942597e154;

/// The number of the first term with the zeros of numerators and the poles of denominators behind it, and one factor after them:
/// next to a zero terms may be small for once, next to a pole they grow again, next to one farther away those of Kummer's series at
/// `z` alone, where its parameters are large enough.
#[inline(always)]
pub(crate) fn beyond_zeros<R: Real>(p: &[Param<R>], q: &[Param<R>], z: R) -> R {
    let mut beyond = R::lit(0.0);
    for (list, farthest) in [(p, -2000.0), (q, -5000.0)] {
        for v in list {
            let v = v.rounded();
            let ahead = v.lt(R::lit(1.0)).and(v.gt(R::lit(farthest)));
            beyond = R::select(ahead, beyond.max(R::lit(2.0) - v), beyond);
        }
    }
    if let ([p], [q]) = (p, q) {
        // The term at the pole is below (2 e^2 z max(|p|, n) / n^2)^n, else e^-n, and then those after it are not e^(n / 2) times as large.
        let n = -q.rounded();
        let large = (z * p.rounded().abs().max(n) * R::lit(40.0)).gt(n * n);
        let ahead = n.gt(R::lit(5000.0)).and(n.lt(R::lit(FARTHEST))).and(large);
        beyond = R::select(ahead, beyond.max(R::lit(2.0) + n), beyond);
    }
    beyond
}

/// Poles up to here are reached within the number of terms of Kummer's series.
const FARTHEST: f64 = 19_000.0;

/// The number of the first term with all poles behind it that a series does not end before: terms grow again next to one.
#[inline(always)]
pub(crate) fn beyond_poles<R: Real>(p: &[Param<R>], q: &[Param<R>]) -> R {
    let mut least = R::lit(0.0);
    for v in q {
        least = least.min(v.rounded());
    }
    let mut ends = R::Mask::lit(false);
    for v in p {
        ends = ends.or(v.fixed_end().and(v.rounded().gt(least)));
    }
    R::select(ends, R::lit(0.0), R::lit(2.0) - least)
}

/// A term as it is: before a pole that it may grow again behind it is kept in range in units of this power of `2^-512`.
#[inline(always)]
pub(crate) fn lowered<R: Real, const K: usize>(raised: Wide<R, K>, lift: R) -> Wide<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let low = R::select(lift.eq(one), R::lit(1.0 / RESCALE), zero);
    raised.scaled_pow2(R::select(lift.eq(zero), one, low))
}

/// The term that is kept so, with a pole `ahead` or not, and that power, from the last one; `plain` is the term where there is none.
#[inline(always)]
pub(crate) fn kept_in_range<R: Real, const K: usize>(
    raised: Wide<R, K>,
    plain: Wide<R, K>,
    lift: R,
    ahead: R::Mask,
) -> (Wide<R, K>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let height = raised.size();
    let up = height.lt(R::lit(1.0 / RESCALE)).and(ahead);
    let down = height.gt(R::lit(RESCALE)).and(lift.gt(zero));
    let f = R::select(up, R::lit(RESCALE), R::select(down, R::lit(1.0 / RESCALE), one));
    let kept = Wide::select(lift.gt(zero).or(up), raised.scaled_pow2(f), plain);
    (kept, lift + R::select(up, one, zero) - R::select(down, one, zero))
}

/// The term of a series `sum_k prod (p)_k / prod (q)_k z^k / k!` after number `k`; zero where it has ended, also beside a pole.
#[inline(always)]
pub(crate) fn next_term<R: Real, const K: usize>(
    term: Wide<R, K>,
    p: &[Param<R>],
    q: &[Param<R>],
    k: R,
    z: Dd<R>,
) -> Wide<R, K> {
    let zero = R::lit(0.0);
    let next = k + R::lit(1.0);
    if K == 1 {
        // The ratio of two terms waits for none of them.
        let (mut high, mut low) = (z, Dd::new(next, zero));
        for v in p {
            high = high * v.step(k).value;
        }
        for v in q {
            low = low * v.step(k).value;
        }
        let ended = high.hi.eq(zero);
        let factor = Dd::select(ended, Dd::lit(0.0, 0.0), high / low);
        Wide::constant(term.0[0] * factor).or_zero(ended)
    } else {
        let mut t = term.times(z);
        for v in p {
            t = t.by(v.step(k));
        }
        let ended = t.size().eq(zero);
        for v in q {
            t = t.over(v.step(k));
        }
        t.over(Param::new(next, [zero; 2])).or_zero(ended)
    }
}

/// `sum_k prod (p)_k / prod (q)_k z^k / k!` of at most `max` terms. An `ASYMPTOTIC` series ends where its terms begin to grow; it
/// is summed to one double. Terms below the share `negligible` of the sum end it, and such as rounding keeps from becoming smaller.
#[inline(always)]
pub(crate) fn series<R: Real, const K: usize, const P: usize, const Q: usize, const ASYMPTOTIC: bool>(
    p: [Param<R>; P],
    q: [Param<R>; Q],
    z: Dd<R>,
    max: u32,
    negligible: R,
    on: R::Mask,
) -> Sum<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = Wide::<R, K>::lit(1.0);
    let lifts = !ASYMPTOTIC && P >= Q;
    let (beyond, poles) = (beyond_zeros(&p, &q, z.hi.abs()), beyond_poles(&p, &q));
    let state = R::repeat(
        pack::<R, K, 3, 6, 30>([unit, unit, Wide::lit(0.0)], [zero, zero, one, one, zero, zero]),
        max,
        #[inline(always)]
        |state| {
            let [term, sum, slope] = each(
                #[inline(always)]
                |i| at::<R, K, 30>(&state, i),
            );
            let [k, scale, largest, lift, largest_top] = [state[24], state[25], state[26], state[28], state[29]];
            let next = k + one;
            let raised = next_term(term, &p, &q, k, z);
            let t = if lifts { lowered(raised, lift) } else { raised };
            let mut go = R::Mask::lit(false);
            let (sum, slope) = (sum.gather(t), slope.gather(t.scaled(next)));
            count::<0, K>(
                #[inline(always)]
                |s| {
                    let part = part_of::<R, K, ASYMPTOTIC>([term, t], s);
                    go = go.or(part.gt(negligible_size(s, sum.0[s].hi.abs() * negligible)));
                },
            );
            let done = go.not();
            let go = go.or(next.lt(beyond)).and(t.0[0].hi.abs().lt(R::lit(f64::INFINITY)));
            let shrinks = raised.size().le(term.size());
            let go = if ASYMPTOTIC { go.and(shrinks.or(next.lt(beyond))) } else { go.or(shrinks.not()) };
            // A series that has ended stays so, also beside a pole further on.
            let go = go.and(raised.size().gt(zero));
            let size = t.0[0].hi.abs();
            // The value may have ended while its derivatives have not.
            let largest = largest.max(t.size());
            let mut wide = [t, sum, slope];
            let (mut scale, mut largest) = (scale, largest);
            let mut largest_top = if K == 1 { zero } else { largest_top.max(t.0[K - 1].hi.abs()) };
            if !ASYMPTOTIC {
                let big = size.max(sum.0[0].hi.abs()).gt(R::lit(RESCALE));
                let f = R::select(big, R::lit(1.0 / RESCALE), one);
                wide = mapped(
                    wide,
                    #[inline(always)]
                    |w| w.scaled_pow2(f),
                );
                scale = R::select(big, scale + one, scale);
                (largest, largest_top) = (largest * f, largest_top * f);
            }
            let mut lift = lift;
            if lifts {
                (wide[0], lift) = kept_in_range(raised, wide[0], lift, next.lt(poles));
            }
            let unsettled = R::select(done, zero, one);
            (pack(wide, [next, scale, largest, unsettled, lift, largest_top]), go.and(on))
        },
    );
    Sum {
        value: at::<R, K, 30>(&state, 1).normalized(),
        slope: at::<R, K, 30>(&state, 2).normalized(),
        scale: state[25],
        largest: state[26],
        largest_top: state[29],
        last: at::<R, K, 30>(&state, 0),
        good: state[27].eq(zero),
    }
}
