//! What is accumulated: one type per kind of reduction.

use super::number::{Accumulate, Deviation, Ordered, Widen};
use crate::Element;
use std::marker::PhantomData;

/// Elements that are reduced to one value before values are combined pairwise. With 16 lanes each addend passes through
/// 16 + 4 + log2(n / 256) additions, NumPy's bound for its pairwise sum.
pub(super) const ORDERED_BLOCK: usize = 256;

/// Lanes of a block: element `i` of a block goes to lane `i % LANES`.
pub(super) const LANES: usize = 16;

/// A reduction of `T`s. The first element of a lane is lifted, so no identity is needed (there is none for complex products
/// with infinities, nor for minima).
pub(super) trait Fold<T: Copy>: Copy + Sync {
    type Acc: Copy + Send + Sync;
    /// What the reduction of one output needs to know, such as a mean.
    type Param: Copy;
    const BLOCK: usize = ORDERED_BLOCK;
    /// Whether order and grouping leave the bits as they are, so that elements may be visited in memory order.
    const EXACT: bool = false;

    fn param(&self, output: usize) -> Self::Param;
    /// The accumulator of the element at logical position `at`.
    fn lift(&self, p: Self::Param, x: T, at: usize) -> Self::Acc;
    /// Combines with `b`, which comes later in logical order.
    fn merge(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
    #[inline(always)]
    fn step(&self, a: Self::Acc, p: Self::Param, x: T, at: usize) -> Self::Acc {
        self.merge(a, self.lift(p, x, at))
    }
    /// One block of at most `BLOCK` elements, at least one; `before` is the value of the block before it.
    #[inline(always)]
    fn block(&self, p: Self::Param, x: &[T], at: usize, before: Option<Self::Acc>) -> Self::Acc {
        let _ = before;
        if Self::EXACT { straight(self, p, x, at) } else { lanes(self, p, x, at) }
    }
    /// The value that no further element can change.
    #[inline(always)]
    fn absorbing(&self) -> Option<Self::Acc> {
        None
    }
    #[inline(always)]
    fn is_absorbing(&self, _: Self::Acc) -> bool {
        false
    }
}

/// Combines lanes `i` and `i + width` for width 8, 4, 2, 1, as far as there are lanes.
#[inline(always)]
fn fold_lanes<A: Copy>(lanes: &mut [A; LANES], filled: usize, merge: impl Fn(A, A) -> A) -> A {
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            if i + width < filled {
                lanes[i] = merge(lanes[i], lanes[i + width]);
            }
        }
        width /= 2;
    }
    lanes[0]
}

/// A block in [`LANES`] lanes.
#[inline(always)]
fn lanes<T: Copy, F: Fold<T>>(fold: &F, p: F::Param, x: &[T], at: usize) -> F::Acc {
    let merge = |a, b| fold.merge(a, b);
    let (chunks, rest) = x.as_chunks::<LANES>();
    let Some((first, chunks)) = chunks.split_first() else {
        let mut acc = [fold.lift(p, rest[0], at); LANES];
        for i in 1..rest.len() {
            acc[i] = fold.lift(p, rest[i], at + i);
        }
        return fold_lanes(&mut acc, rest.len(), merge);
    };
    let mut acc: [F::Acc; LANES] = std::array::from_fn(|i| fold.lift(p, first[i], at + i));
    let mut at = at + LANES;
    for chunk in chunks {
        for i in 0..LANES {
            acc[i] = fold.step(acc[i], p, chunk[i], at + i);
        }
        at += LANES;
    }
    for (i, &v) in rest.iter().enumerate() {
        acc[i] = fold.step(acc[i], p, v, at + i);
    }
    fold_lanes(&mut acc, LANES, merge)
}

/// A block whose grouping is free, as the plain loop that compilers vectorize.
#[inline(always)]
fn straight<T: Copy, F: Fold<T>>(fold: &F, p: F::Param, x: &[T], at: usize) -> F::Acc {
    let first = fold.lift(p, x[0], at);
    x[1..].iter().enumerate().fold(first, |a, (i, &v)| fold.step(a, p, v, at + 1 + i))
}

/// A fold that has the same parameter, none, for every output.
macro_rules! no_param {
    () => {
        type Param = ();
        #[inline(always)]
        fn param(&self, _: usize) {}
    };
}

/// The sum, accumulated in `A`.
#[derive(Clone, Copy)]
pub(super) struct Sum<A>(pub PhantomData<A>);

impl<T: Widen<A>, A: Accumulate> Fold<T> for Sum<A> {
    type Acc = A;
    no_param!();
    const EXACT: bool = A::EXACT;
    #[inline(always)]
    fn lift(&self, (): (), x: T, _: usize) -> A {
        x.widen()
    }
    #[inline(always)]
    fn merge(&self, a: A, b: A) -> A {
        a.plus(b)
    }
}

/// The product, accumulated in `A`.
#[derive(Clone, Copy)]
pub(super) struct Product<A>(pub PhantomData<A>);

impl<T: Widen<A>, A: Accumulate> Fold<T> for Product<A> {
    type Acc = A;
    no_param!();
    const EXACT: bool = A::EXACT;
    #[inline(always)]
    fn lift(&self, (): (), x: T, _: usize) -> A {
        x.widen()
    }
    #[inline(always)]
    fn merge(&self, a: A, b: A) -> A {
        a.times(b)
    }
}

/// The sum of squared absolute deviations from each output's mean.
#[derive(Clone, Copy)]
pub(super) struct SquaredDeviations<'a, M>(pub &'a [M]);

impl<T: Deviation<M>, M: Copy + Send + Sync> Fold<T> for SquaredDeviations<'_, M> {
    type Acc = f64;
    type Param = M;
    #[inline(always)]
    fn param(&self, output: usize) -> M {
        self.0[output]
    }
    #[inline(always)]
    fn lift(&self, mean: M, x: T, _: usize) -> f64 {
        x.squared_deviation(mean)
    }
    #[inline(always)]
    fn merge(&self, a: f64, b: f64) -> f64 {
        a + b
    }
}

/// Block of the reductions whose grouping does not matter, or that scan a block twice and want it in the first-level cache.
const EXACT_BLOCK: usize = 2048;

/// The smallest or the largest element; NaN wins.
#[derive(Clone, Copy)]
pub(super) struct Extremum<const MAX: bool>;

impl<T: Ordered, const MAX: bool> Fold<T> for Extremum<MAX> {
    type Acc = T;
    no_param!();
    const BLOCK: usize = EXACT_BLOCK;
    const EXACT: bool = T::TOTAL;
    #[inline(always)]
    fn lift(&self, (): (), x: T, _: usize) -> T {
        x
    }
    #[inline(always)]
    fn merge(&self, a: T, b: T) -> T {
        a.extremum::<MAX>(b)
    }
    /// First whether there is a NaN, then the extremum of numbers: two simple loops in the first-level cache.
    #[inline(always)]
    fn block(&self, (): (), x: &[T], at: usize, _: Option<T>) -> T {
        if x.iter().fold(false, |any, v| any | v.is_nan())
            && let Some(&nan) = x.iter().find(|v| v.is_nan())
        {
            return nan;
        }
        lanes(&NumberExtremum::<MAX>, (), x, at)
    }
}

/// The extremum where there is no NaN.
#[derive(Clone, Copy)]
struct NumberExtremum<const MAX: bool>;

impl<T: Ordered, const MAX: bool> Fold<T> for NumberExtremum<MAX> {
    type Acc = T;
    no_param!();
    #[inline(always)]
    fn lift(&self, (): (), x: T, _: usize) -> T {
        x
    }
    #[inline(always)]
    fn merge(&self, a: T, b: T) -> T {
        if if MAX { a.less(b) } else { b.less(a) } { b } else { a }
    }
}

/// The extremum and where it occurs first.
#[derive(Clone, Copy)]
pub(super) struct ArgExtremum<const MAX: bool>;

impl<T: Ordered, const MAX: bool> Fold<T> for ArgExtremum<MAX> {
    type Acc = (T, i64);
    no_param!();
    const BLOCK: usize = EXACT_BLOCK;
    #[inline(always)]
    fn lift(&self, (): (), x: T, at: usize) -> (T, i64) {
        (x, at as i64)
    }
    #[inline(always)]
    fn merge(&self, a: (T, i64), b: (T, i64)) -> (T, i64) {
        if b.0.beats::<MAX>(a.0) { b } else { a }
    }
    /// The value first, as a vectorized loop of its own, then its place if it beats the blocks before.
    #[inline(always)]
    fn block(&self, (): (), x: &[T], at: usize, before: Option<(T, i64)>) -> (T, i64) {
        let best = Extremum::<MAX>.block((), x, at, None);
        if let Some(before) = before
            && !best.beats::<MAX>(before.0)
        {
            return before;
        }
        let same = |v: T| v.ties(best);
        let (chunks, rest) = x.as_chunks::<32>();
        let skipped = chunks.iter().take_while(|c| !c.iter().fold(false, |any, &v| any | same(v))).count() * 32;
        let tail = if skipped == chunks.len() * 32 { rest } else { &x[skipped..] };
        let i = skipped + tail.iter().position(|&v| same(v)).unwrap_or(0);
        (x[i], (at + i) as i64)
    }
}

/// The first place of an extremum that is already known, one per output.
#[derive(Clone, Copy)]
pub(super) struct FirstPlace<'a, T>(pub &'a [T]);

impl<T: Ordered> Fold<T> for FirstPlace<'_, T> {
    type Acc = i64;
    type Param = T;
    const EXACT: bool = true;
    #[inline(always)]
    fn param(&self, output: usize) -> T {
        self.0[output]
    }
    #[inline(always)]
    fn lift(&self, best: T, x: T, at: usize) -> i64 {
        if x.ties(best) { at as i64 } else { i64::MAX }
    }
    #[inline(always)]
    fn merge(&self, a: i64, b: i64) -> i64 {
        a.min(b)
    }
}

/// How many elements are not zero.
#[derive(Clone, Copy)]
pub(super) struct CountNonzero;

impl<T: Element> Fold<T> for CountNonzero {
    type Acc = i64;
    no_param!();
    const BLOCK: usize = EXACT_BLOCK;
    const EXACT: bool = true;
    #[inline(always)]
    fn lift(&self, (): (), x: T, _: usize) -> i64 {
        (x != T::default()) as i64
    }
    #[inline(always)]
    fn merge(&self, a: i64, b: i64) -> i64 {
        a + b
    }
    /// Counts up to 128 in lanes of one byte.
    #[inline(always)]
    fn block(&self, (): (), x: &[T], _: usize, _: Option<Self::Acc>) -> i64 {
        x.chunks(128).map(|c| c.iter().map(|&v| (v != T::default()) as u8).sum::<u8>() as i64).sum()
    }
}

/// Whether some element (`ALL` false) or every element is nonzero.
#[derive(Clone, Copy)]
pub(super) struct Truth<const ALL: bool>;

impl<T: Element, const ALL: bool> Fold<T> for Truth<ALL> {
    type Acc = bool;
    no_param!();
    const BLOCK: usize = EXACT_BLOCK;
    const EXACT: bool = true;
    #[inline(always)]
    fn lift(&self, (): (), x: T, _: usize) -> bool {
        x != T::default()
    }
    #[inline(always)]
    fn merge(&self, a: bool, b: bool) -> bool {
        if ALL { a & b } else { a | b }
    }
    #[inline(always)]
    fn block(&self, (): (), x: &[T], _: usize, _: Option<Self::Acc>) -> bool {
        x.iter().fold(ALL, |a, &v| <Self as Fold<T>>::merge(self, a, v != T::default()))
    }
    #[inline(always)]
    fn absorbing(&self) -> Option<bool> {
        Some(!ALL)
    }
    #[inline(always)]
    fn is_absorbing(&self, a: bool) -> bool {
        a != ALL
    }
}
