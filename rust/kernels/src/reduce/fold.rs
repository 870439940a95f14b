//! What is accumulated: one type per kind of reduction.

use super::number::{Accumulate, Deviation, Ordered, Widen};
use crate::Element;
use std::marker::PhantomData;

/// Elements that are reduced to one value before values are combined pairwise. With 16 lanes each addend passes through
/// 16 + 4 + log2(n / 256) additions, NumPy's bound for its pairwise sum.
pub(super) const ORDERED_BLOCK: usize = 256;

/// Lanes of a block: element `i` of a block goes to lane `i % LANES`.
pub(super) const LANES: usize = 16;

/// How values that stand for parts of the elements are combined.
pub(super) trait Merge: 'static {
    type Acc: Copy + 'static;
    /// Combines with `b`, which comes later in logical order.
    fn merge(a: Self::Acc, b: Self::Acc) -> Self::Acc;
}

/// A reduction of `T`s. The first element of a lane is lifted, so no identity is needed (there is none for complex products
/// with infinities, nor for minima).
pub(super) trait Fold<T: Copy>: Merge {
    /// What the reduction of one output needs to know, such as a mean.
    type Param: Copy;
    const BLOCK: usize = ORDERED_BLOCK;
    /// Whether grouping leaves the bits as they are.
    const EXACT: bool = false;
    /// Whether elements may be visited in memory order, too.
    const FREE_ORDER: bool = Self::EXACT;
    /// Whether outputs one after the other, and side by side, come to this fold at all.
    const BY_BLOCKS: bool = true;
    const BY_ROWS: bool = true;
    /// The value, of accumulators that are booleans, that no further element can change.
    const ABSORBING: Option<bool> = None;

    /// The accumulator of the element at logical position `at`.
    fn lift(p: Self::Param, x: T, at: usize) -> Self::Acc;
    #[inline(always)]
    fn step(a: Self::Acc, p: Self::Param, x: T, at: usize) -> Self::Acc {
        Self::merge(a, Self::lift(p, x, at))
    }
    /// One block of at most `BLOCK` elements, at least one; `before` is the value of the block before it.
    #[inline(always)]
    fn block(p: Self::Param, x: &[T], at: usize, before: Option<Self::Acc>) -> Self::Acc {
        let _ = before;
        if Self::EXACT { straight::<T, Self>(p, x, at) } else { lanes::<T, Self>(p, x, at) }
    }
    #[inline(always)]
    fn is_absorbing(_: Self::Acc) -> bool {
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

/// Puts lanes where the optimizer keeps them in whole registers until then. What follows a loop that compares or converts
/// leads it to half registers otherwise, and to half the speed.
#[inline(always)]
fn in_memory<A>(lanes: [A; LANES]) -> [A; LANES] {
    std::hint::black_box(lanes)
}

/// A block in [`LANES`] lanes.
#[inline(always)]
fn lanes<T: Copy, F: Fold<T> + ?Sized>(p: F::Param, x: &[T], at: usize) -> F::Acc {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let Some((first, chunks)) = chunks.split_first() else {
        let mut acc = [F::lift(p, rest[0], at); LANES];
        for i in 1..rest.len() {
            acc[i] = F::lift(p, rest[i], at + i);
        }
        return fold_lanes(&mut acc, rest.len(), F::merge);
    };
    let mut acc = [F::lift(p, first[0], at); LANES];
    for i in 1..LANES {
        acc[i] = F::lift(p, first[i], at + i);
    }
    let mut at = at + LANES;
    for chunk in chunks {
        for i in 0..LANES {
            acc[i] = F::step(acc[i], p, chunk[i], at + i);
        }
        at += LANES;
    }
    if size_of::<T>() != size_of::<F::Acc>() {
        acc = in_memory(acc);
    }
    for (i, &v) in rest.iter().enumerate() {
        acc[i] = F::step(acc[i], p, v, at + i);
    }
    fold_lanes(&mut acc, LANES, F::merge)
}

/// A block whose grouping is free, as the plain loop that compilers vectorize.
#[inline(always)]
fn straight<T: Copy, F: Fold<T> + ?Sized>(p: F::Param, x: &[T], at: usize) -> F::Acc {
    let first = F::lift(p, x[0], at);
    x[1..].iter().enumerate().fold(first, |a, (i, &v)| F::step(a, p, v, at + 1 + i))
}

/// Block of the reductions whose grouping does not matter, or that scan a block twice and want it in the first-level cache.
pub(super) const MAX_BLOCK: usize = 2048;

/// The sum, accumulated in `A`.
pub(super) struct Sum<A>(PhantomData<A>);

/// The product, accumulated in `A`.
pub(super) struct Product<A>(PhantomData<A>);

macro_rules! accumulate {
    ($fold:ident, $merge:ident) => {
        impl<A: Accumulate> Merge for $fold<A> {
            type Acc = A;
            #[inline(always)]
            fn merge(a: A, b: A) -> A {
                a.$merge(b)
            }
        }
        impl<T: Widen<A>, A: Accumulate> Fold<T> for $fold<A> {
            type Param = ();
            const BLOCK: usize = if A::EXACT { MAX_BLOCK } else { ORDERED_BLOCK };
            const EXACT: bool = A::EXACT;
            #[inline(always)]
            fn lift((): (), x: T, _: usize) -> A {
                x.widen()
            }
        }
    };
}
accumulate!(Sum, plus);
accumulate!(Product, times);

/// The sum of squared absolute deviations from each output's mean.
pub(super) struct SquaredDeviations;

impl Merge for SquaredDeviations {
    type Acc = f64;
    #[inline(always)]
    fn merge(a: f64, b: f64) -> f64 {
        a + b
    }
}

impl<T: Deviation> Fold<T> for SquaredDeviations {
    type Param = T::Mean;
    #[inline(always)]
    fn lift(mean: T::Mean, x: T, _: usize) -> f64 {
        x.squared_deviation(mean)
    }
}

/// The smallest or the largest `T`; NaN wins.
pub(super) struct Extremum<T, const MAX: bool>(PhantomData<T>);

impl<T: Ordered, const MAX: bool> Merge for Extremum<T, MAX> {
    type Acc = T;
    #[inline(always)]
    fn merge(a: T, b: T) -> T {
        a.extremum::<MAX>(b)
    }
}

impl<T: Ordered, const MAX: bool> Fold<T> for Extremum<T, MAX> {
    type Param = ();
    const BLOCK: usize = MAX_BLOCK;
    const EXACT: bool = T::TOTAL;
    #[inline(always)]
    fn lift((): (), x: T, _: usize) -> T {
        x
    }
    #[inline(always)]
    fn block((): (), x: &[T], at: usize, _: Option<T>) -> T {
        let any_nan = |x: &[T]| x.iter().fold(false, |any, v| any | v.is_nan());
        let (best, found) = if !T::HAS_NAN {
            (straight::<T, NumberExtremum<T, MAX>>((), x, at), false)
        } else if T::TOTAL && x.len() >= LANES {
            numbers_and_nan::<T, MAX>(x)
        } else {
            (lanes::<T, NumberExtremum<T, MAX>>((), x, at), any_nan(x))
        };
        match found {
            true => x.iter().copied().find(|v| v.is_nan()).unwrap_or(best),
            false => best,
        }
    }
}

/// As [`lanes`] the extremum of numbers, and in the same pass whether there is a NaN.
#[inline(always)]
fn numbers_and_nan<T: Ordered, const MAX: bool>(x: &[T]) -> (T, bool) {
    const HALF: usize = LANES / 2;
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut best = chunks[0];
    let mut nans = [T::Mask::default(); HALF];
    for chunk in chunks {
        for i in 0..LANES {
            best[i] = NumberExtremum::<T, MAX>::merge(best[i], chunk[i]);
        }
        for i in 0..HALF {
            nans[i] |= T::mask(chunk[i].is_nan() | chunk[i + HALF].is_nan());
        }
    }
    let mut best = in_memory(best);
    let mut found = nans.iter().fold(false, |any, &m| any | (m != T::Mask::default()));
    for (i, &v) in rest.iter().enumerate() {
        best[i] = NumberExtremum::<T, MAX>::merge(best[i], v);
        found |= v.is_nan();
    }
    (fold_lanes(&mut best, LANES, NumberExtremum::<T, MAX>::merge), found)
}

/// The extremum where there is no NaN.
struct NumberExtremum<T, const MAX: bool>(PhantomData<T>);

impl<T: Ordered, const MAX: bool> Merge for NumberExtremum<T, MAX> {
    type Acc = T;
    #[inline(always)]
    fn merge(a: T, b: T) -> T {
        if if MAX { a.less(b) } else { b.less(a) } { b } else { a }
    }
}

impl<T: Ordered, const MAX: bool> Fold<T> for NumberExtremum<T, MAX> {
    type Param = ();
    #[inline(always)]
    fn lift((): (), x: T, _: usize) -> T {
        x
    }
}

/// The extremum and where it occurs first.
pub(super) struct ArgExtremum<T, const MAX: bool>(PhantomData<T>);

/// An element and its logical position, which lies first in memory for all types.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Place<T> {
    at: i64,
    value: T,
}

impl<T: Ordered, const MAX: bool> Merge for ArgExtremum<T, MAX> {
    type Acc = Place<T>;
    #[inline(always)]
    fn merge(a: Place<T>, b: Place<T>) -> Place<T> {
        if b.value.beats::<MAX>(a.value) { b } else { a }
    }
}

impl<T: Ordered, const MAX: bool> Fold<T> for ArgExtremum<T, MAX> {
    type Param = ();
    const BLOCK: usize = MAX_BLOCK;
    const BY_ROWS: bool = false;
    #[inline(always)]
    fn lift((): (), value: T, at: usize) -> Place<T> {
        Place { at: at as i64, value }
    }
    /// The value first, as a vectorized loop of its own, then its place if it beats the blocks before.
    #[inline(always)]
    fn block((): (), x: &[T], at: usize, before: Option<Place<T>>) -> Place<T> {
        let best = Extremum::<T, MAX>::block((), x, at, None);
        if let Some(before) = before
            && !best.beats::<MAX>(before.value)
        {
            return before;
        }
        let same = |v: T| v.ties(best);
        let mut skipped = 0;
        for chunk in x.as_chunks::<32>().0 {
            if chunk.iter().fold(false, |any, &v| any | same(v)) {
                break;
            }
            skipped += chunk.len();
        }
        let i = skipped + x[skipped..].iter().position(|&v| same(v)).unwrap_or(0);
        Place { at: (at + i) as i64, value: x[i] }
    }
}

/// The first place of an extremum that is already known, one per output.
pub(super) struct FirstPlace;

impl Merge for FirstPlace {
    type Acc = i64;
    #[inline(always)]
    fn merge(a: i64, b: i64) -> i64 {
        a.min(b)
    }
}

impl<T: Ordered> Fold<T> for FirstPlace {
    type Param = T;
    const EXACT: bool = true;
    const FREE_ORDER: bool = false;
    const BY_BLOCKS: bool = false;
    #[inline(always)]
    fn lift(best: T, x: T, at: usize) -> i64 {
        if x.ties(best) { at as i64 } else { i64::MAX }
    }
}

/// How many elements are not zero.
pub(super) struct CountNonzero;

impl Merge for CountNonzero {
    type Acc = i64;
    #[inline(always)]
    fn merge(a: i64, b: i64) -> i64 {
        a + b
    }
}

impl<T: Element> Fold<T> for CountNonzero {
    type Param = ();
    const BLOCK: usize = MAX_BLOCK;
    const EXACT: bool = true;
    #[inline(always)]
    fn lift((): (), x: T, _: usize) -> i64 {
        (x != T::default()) as i64
    }
    /// Counts in lanes as wide as the elements, as far as they reach.
    #[inline(always)]
    fn block((): (), x: &[T], _: usize, _: Option<Self::Acc>) -> i64 {
        let nonzero = |v: &T| *v != T::default();
        match size_of::<T>() {
            2 => x.iter().map(|v| nonzero(v) as u16).sum::<u16>() as i64,
            4 => x.iter().map(|v| nonzero(v) as u32).sum::<u32>() as i64,
            8 => x.iter().map(|v| nonzero(v) as i64).sum(),
            _ => {
                let mut count = 0;
                for chunk in x.chunks(128) {
                    let mut n = 0u8;
                    for v in chunk {
                        n += nonzero(v) as u8;
                    }
                    count += n as i64;
                }
                count
            }
        }
    }
}

/// Whether some element (`ALL` false) or every element is nonzero.
pub(super) struct Truth<const ALL: bool>;

impl<const ALL: bool> Merge for Truth<ALL> {
    type Acc = bool;
    #[inline(always)]
    fn merge(a: bool, b: bool) -> bool {
        if ALL { a & b } else { a | b }
    }
}

impl<T: Element, const ALL: bool> Fold<T> for Truth<ALL> {
    type Param = ();
    const BLOCK: usize = MAX_BLOCK;
    const EXACT: bool = true;
    const ABSORBING: Option<bool> = Some(!ALL);
    #[inline(always)]
    fn lift((): (), x: T, _: usize) -> bool {
        x != T::default()
    }
    #[inline(always)]
    fn block((): (), x: &[T], _: usize, _: Option<Self::Acc>) -> bool {
        if size_of::<T>() == 1 {
            return x.iter().fold(ALL, |a, &v| Self::merge(a, v != T::default()));
        }
        let count = CountNonzero::block((), x, 0, None) as usize;
        if ALL { count == x.len() } else { count > 0 }
    }
    #[inline(always)]
    fn is_absorbing(a: bool) -> bool {
        a != ALL
    }
}
