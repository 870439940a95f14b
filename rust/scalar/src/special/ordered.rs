//! Ways that find no value, only the order: functions whose regions differ much in time are evaluated region by region.

use super::beta::{PRODUCT_TO, STIRLING_FROM, binom_ways, closed_quantile, few_terms};
use super::hypergeometric::{alternating, positive};
use super::polynomials::kummer_climbs;
use crate::real::{CLASSES, Mask, Real, ShortWays};
use crate::shared;
use std::f64::consts::LN_2;
use std::marker::PhantomData;

/// A class from 1 on for a share of the interval [0, 1], in proportion; whatever is outside, or no number, comes first.
#[inline(always)]
pub(super) fn class<R: Real>(share: R) -> R {
    let inside = share.ge(R::lit(0.0)).and(share.le(R::lit(1.0)));
    R::select(inside, (share * R::lit((CLASSES - 2) as f64)).floor(), R::lit(0.0)) + R::lit(1.0)
}

/// No way and no order, for a long function that others call too.
pub struct Apart;
impl<const N: usize> ShortWays<N> for Apart {
    const APART: bool = true;
}

/// No way and no order, for a short function.
pub struct Twofold;
impl<const N: usize> ShortWays<N> for Twofold {
    const TWICE: bool = true;
}

/// By the ratio of two positive arguments.
pub struct ByRatio;
impl ShortWays<2> for ByRatio {
    const COUNT: usize = 1;
    const TWICE: bool = true;
    #[inline(always)]
    fn value<R: Real>(_: usize, [a, x]: [R; 2]) -> [R; 2] {
        [R::lit(0.0), class(x / (a + x))]
    }
}

/// By a probability, the first argument.
pub struct ByFirst;
impl ShortWays<2> for ByFirst {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [p, _]: [R; 2]) -> [R; 2] {
        [R::lit(0.0), class(p)]
    }
}

/// By a probability, the last argument.
pub struct ByLast;
impl<const N: usize> ShortWays<N> for ByLast {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [R; N]) -> [R; 2] {
        [R::lit(0.0), class(x[N - 1])]
    }
}

/// By a probability, the last argument, those of quantiles in closed form behind all others.
pub struct ByQuantile;
impl ShortWays<2> for ByQuantile {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [df, p]: [R; 2]) -> [R; 2] {
        [R::lit(0.0), class(R::select(closed_quantile(df), R::lit(1.0), p))]
    }
}

/// By the way to a binomial coefficient, and its length.
pub struct ByProduct;
impl ShortWays<2> for ByProduct {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [n, k]: [R; 2]) -> [R; 2] {
        let [steps, known] = binom_ways(n, k);
        let behind = R::select(known, R::lit(0.75), R::lit(1.0));
        [R::lit(0.0), class(R::select(steps, k * R::lit(0.5 / PRODUCT_TO), behind))]
    }
}

/// By the number of terms before Euler's and Maclaurin's formula.
pub struct ByTerms;
impl ShortWays<2> for ByTerms {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [s, q]: [R; 2]) -> [R; 2] {
        [R::lit(0.0), class((s.fma(R::lit(0.5), R::lit(10.0)) - q) * R::lit(1.0 / 32.0))]
    }
}

/// By what continues the series of Kummer's function, and its length.
pub struct ByLength;
impl ShortWays<3> for ByLength {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [a, b, x]: [R; 3]) -> [R; 2] {
        let y = x.abs();
        let (p, plain) = positive(a, b, x);
        let (swing, _, march) = alternating(p, b, y);
        // Terms that alternate go with the root of this product, and so does what they lose.
        let turn = (swing * y).sqrt();
        let size = R::select(swing.gt(R::lit(0.0)), turn / (turn + R::lit(15.0)), y / (y + R::lit(40.0)));
        let length = size * R::lit(1.0 / 3.0);
        let behind = R::select(march, R::lit(2.0 / 3.0), R::lit(1.0 / 3.0)) + length;
        [R::lit(0.0), class(R::select(plain, y * R::lit(1.0 / 90.0), behind))]
    }
}

/// By which of both tails of the beta distribution is found, by what, and its length.
pub struct ByTail;
impl ShortWays<3> for ByTail {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [a, b, x]: [R; 3]) -> [R; 2] {
        let (zero, one, from) = (R::lit(0.0), R::lit(1.0), R::lit(STIRLING_FROM));
        let inside = a.min(b).gt(zero).and(x.gt(zero)).and(x.lt(one));
        let length = R::select((x * (a + b)).lt(a), x, one - x);
        let behind = R::select(a.max(b).lt(from), zero, R::select(a.min(b).lt(from), one, R::lit(2.0)));
        let share = R::select(few_terms(a, b), one, (behind + length) * R::lit(1.0 / 3.0));
        [R::lit(0.0), class(R::select(inside, share, R::lit(-1.0)))]
    }
}

/// By the magnitude of the last argument.
pub struct BySize;
impl<const N: usize> ShortWays<N> for BySize {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [R; N]) -> [R; 2] {
        [R::lit(0.0), class((x[N - 1].abs() * R::lit(1.0 / (CLASSES - 2) as f64)).min(R::lit(1.0)))]
    }
}

/// By a degree that is an integer, others by where Gauss's function of the last argument is summed, and how.
pub struct ByEnd;
impl<const N: usize> ShortWays<N> for ByEnd {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [R; N]) -> [R; 2] {
        let (one, end) = (R::lit(1.0), x[N - 1] + R::lit(1.0));
        let degree = (octaves(x[0]) * R::lit(1.0 / 16.0)).min(one);
        // Legendre functions have no degrees below -1/2.
        let way = if N == 2 { one } else { R::select(x[0].gt(-one), one, R::lit(2.0)) };
        let between = R::select(end.gt(R::lit(0.0)), way + end / (end + R::lit(2.0)), -one);
        let share = R::select(x[0].floor().eq(x[0]), degree, between);
        [R::lit(0.0), class(share * R::lit(1.0 / 3.0))]
    }
}

/// As another order with the last argument `2x - 1`.
pub struct Shifted<W>(PhantomData<W>);
impl<W: ShortWays<N>, const N: usize> ShortWays<N> for Shifted<W> {
    const COUNT: usize = W::COUNT;
    #[inline(always)]
    fn value<R: Real>(way: usize, mut x: [R; N]) -> [R; 2] {
        x[N - 1] = x[N - 1] + x[N - 1] - R::lit(1.0);
        W::value(way, x)
    }
}

pub type ByShiftedEnd = Shifted<ByEnd>;

/// By an integral degree, others by what continues the series of Kummer's function.
pub struct ByKummer;
impl ShortWays<3> for ByKummer {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(way: usize, [n, a, x]: [R; 3]) -> [R; 2] {
        let degree = class((octaves(n) * R::lit(1.0 / 16.0)).min(R::lit(1.0)));
        let c = a + R::lit(1.0);
        let between = ByLength::value(way, [-n, c, x])[1];
        // In place of series that are taken beside no polynomial
        let climbs = class((n + x) * R::lit(1.0 / 512.0));
        [R::lit(0.0), R::select(n.floor().eq(n), degree, R::select(kummer_climbs(n, c, x), climbs, between))]
    }
}

/// The binary logarithm of a degree and 1.
#[inline(always)]
fn octaves<R: Real>(n: R) -> R {
    shared::log(n.abs() + R::lit(1.0)) * R::lit(1.0 / LN_2)
}

/// By the magnitude of the first argument, a degree or a size: one class each for small integers.
pub struct ByDegree;
impl<const N: usize> ShortWays<N> for ByDegree {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [R; N]) -> [R; 2] {
        [R::lit(0.0), class((octaves(x[0]) * R::lit(16.0 / (CLASSES - 2) as f64)).min(R::lit(1.0)))]
    }
}
