//! Visiting strided index spaces: dimensions merged where memory allows, positions in C order.
#![allow(unsafe_code)]

use crate::isa::{Isa, isa};
use smallvec::SmallVec;
use std::ops::Range;

/// One dimension of `K` operands: its length and each operand's stride in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim<const K: usize> {
    pub n: usize,
    pub step: [isize; K],
}

/// Dimensions, outermost first.
pub type Dims<const K: usize> = SmallVec<[Dim<K>; 6]>;

/// Appends a dimension inside the others, merged with its neighbour where all operands allow; length 1 vanishes.
pub fn push_dim<const K: usize>(dims: &mut Dims<K>, d: Dim<K>) {
    if d.n == 1 {
        return;
    }
    if let Some(last) = dims.last_mut()
        && (0..K).all(|k| last.step[k] == d.step[k] * d.n as isize)
    {
        *last = Dim { n: last.n * d.n, step: d.step };
        return;
    }
    dims.push(d);
}

/// The dimensions of `K` operands of one shape, merged; `keep` chooses axes.
pub fn dims<const K: usize>(shape: &[usize], strides: [&[isize]; K], keep: impl Fn(usize) -> bool) -> Dims<K> {
    let mut out = Dims::new();
    for axis in (0..shape.len()).filter(|&a| keep(a)) {
        push_dim(&mut out, Dim { n: shape[axis], step: std::array::from_fn(|k| strides[k][axis]) });
    }
    out
}

/// How many positions the dimensions have.
pub fn size<const K: usize>(dims: &[Dim<K>]) -> usize {
    dims.iter().map(|d| d.n).product()
}

/// The offsets of one position.
pub fn offset<const K: usize>(dims: &[Dim<K>], mut position: usize) -> [isize; K] {
    let mut out = [0; K];
    for d in dims.iter().rev() {
        let i = (position % d.n) as isize;
        position /= d.n;
        for k in 0..K {
            out[k] += i * d.step[k];
        }
    }
    out
}

/// Calls `f(offsets, count, steps)` for the straight runs that make up these positions, in order.
#[inline(always)]
pub fn runs<const K: usize>(
    dims: &[Dim<K>],
    positions: Range<usize>,
    mut f: impl FnMut([isize; K], usize, [isize; K]),
) {
    let Range { start, end } = positions;
    if start >= end {
        return;
    }
    match dims {
        [] => f([0; K], 1, [0; K]),
        [d] => f(std::array::from_fn(|k| start as isize * d.step[k]), end - start, d.step),
        [outer @ .., inner] => {
            let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, outer.len());
            let mut rest = start / inner.n;
            for (i, d) in index.iter_mut().zip(outer).rev() {
                *i = rest % d.n;
                rest /= d.n;
            }
            let mut at = offset(dims, start);
            let (mut i, mut left) = (start % inner.n, end - start);
            loop {
                let count = (inner.n - i).min(left);
                f(at, count, inner.step);
                left -= count;
                if left == 0 {
                    return;
                }
                for k in 0..K {
                    at[k] -= i as isize * inner.step[k];
                }
                i = 0;
                for (i, d) in index.iter_mut().zip(outer).rev() {
                    *i += 1;
                    for k in 0..K {
                        at[k] += d.step[k];
                    }
                    if *i < d.n {
                        break;
                    }
                    for k in 0..K {
                        at[k] -= d.step[k] * d.n as isize;
                    }
                    *i = 0;
                }
            }
        }
    }
}

/// The lines of two operands of one shape along an axis: the other dimensions, and what the axis is.
pub(crate) struct Lines<const K: usize> {
    pub others: Dims<K>,
    pub n_lines: usize,
    pub axis: Dim<K>,
}

impl<const K: usize> Lines<K> {
    pub fn new(shape: &[usize], strides: [&[isize]; K], axis: usize) -> Self {
        let others = dims(shape, strides, |a| a != axis);
        Lines {
            n_lines: size(&others),
            others,
            axis: Dim { n: shape[axis], step: std::array::from_fn(|k| strides[k][axis]) },
        }
    }
}

/// Memory that several threads access, where they write at disjoint places.
#[derive(Clone, Copy)]
pub(crate) struct Shared<T>(pub *mut T);

// SAFETY: only a pointer; who dereferences it sees to disjointness.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// # Safety
    /// `i` is within the memory, and no other thread accesses that place meanwhile.
    #[inline(always)]
    pub unsafe fn write(&self, i: usize, v: T) {
        // SAFETY: the contract.
        unsafe { self.0.add(i).write(v) }
    }
}

/// An inner loop over typed memory whose arguments are addresses and counts, so that the driver around it is compiled once
/// for all types. `run` must be `#[inline(always)]`, and so must what it calls to take part.
pub(crate) trait Loop {
    type Args;
    type Output;
    /// # Safety
    /// The memory that the arguments name is what the loop says it needs.
    unsafe fn run(args: &Self::Args) -> Self::Output;
}

/// A loop as compiled for the baseline and for AVX2: what runs at the speed of memory, or of one addition after the other,
/// gains nothing from AVX-512. Nothing is contracted or reassociated, so the result has the same bits on both.
pub(crate) struct Compiled<A, R = ()>([unsafe fn(&A) -> R; 2]);

impl<A, R> Compiled<A, R> {
    pub const fn new<L: Loop<Args = A, Output = R>>() -> Self {
        unsafe fn baseline<L: Loop>(args: &L::Args) -> L::Output {
            // SAFETY: the caller's contract.
            unsafe { L::run(args) }
        }
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma,bmi1,bmi2")]
            unsafe fn avx2<L: Loop>(args: &L::Args) -> L::Output {
                // SAFETY: the caller's contract.
                unsafe { L::run(args) }
            }
            Compiled([baseline::<L>, avx2::<L>])
        }
        #[cfg(not(target_arch = "x86_64"))]
        Compiled([baseline::<L>, baseline::<L>])
    }

    /// # Safety
    /// As [`Loop::run`].
    #[inline(always)]
    pub unsafe fn call(&self, args: &A) -> R {
        // SAFETY: the caller's contract; `isa` only names what the processor has.
        unsafe { self.0[(isa() >= Isa::Avx2) as usize](args) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(dims: &[Dim<1>], range: Range<usize>) -> Vec<isize> {
        let mut out = vec![];
        runs(dims, range, |[at], n, [step]| out.extend((0..n as isize).map(|i| at + i * step)));
        out
    }

    #[test]
    fn runs_visit_every_position_in_c_order() {
        let shape = [3usize, 4, 2, 5];
        for strides in [[40isize, 10, 5, 1], [1, 3, 12, 24], [-40, 10, 0, -2]] {
            let d = dims(&shape, [&strides], |_| true);
            let expected: Vec<isize> = (0..120isize)
                .map(|p| p / 40 * strides[0] + p / 10 % 4 * strides[1] + p / 5 % 2 * strides[2] + p % 5 * strides[3])
                .collect();
            for range in [0..120, 0..0, 7..8, 13..61, 119..120] {
                assert_eq!(positions(&d, range.clone()), expected[range], "{strides:?}");
            }
            for (p, &e) in expected.iter().enumerate() {
                assert_eq!(offset(&d, p), [e]);
            }
        }
    }

    #[test]
    fn contiguous_dimensions_merge() {
        assert_eq!(dims(&[3, 1, 4, 5], [&[20, 7, 5, 1]], |_| true).as_slice(), &[Dim { n: 60, step: [1] }]);
        assert_eq!(positions(&dims(&[], [&[]], |_| true), 0..1), [0]);
    }
}
