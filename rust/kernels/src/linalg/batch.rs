//! The leading axes of several operands, walked together.

use smallvec::SmallVec;
use std::ops::Range;

/// An index space and, for each of `N` operands, the strides to walk it with.
pub(crate) struct Batch<const N: usize> {
    axes: SmallVec<[(usize, [isize; N]); 4]>,
    len: usize,
}

impl<const N: usize> Batch<N> {
    /// Axes of length 1 vanish, and neighbours that all operands walk in one stride are merged.
    pub(crate) fn new(shape: &[usize], strides: [&[isize]; N]) -> Self {
        let mut axes: SmallVec<[(usize, [isize; N]); 4]> = SmallVec::new();
        for (d, &n) in shape.iter().enumerate() {
            if n == 1 {
                continue;
            }
            let step: [isize; N] = std::array::from_fn(|o| strides[o][d]);
            match axes.last_mut() {
                Some((m, outer)) if (0..N).all(|o| outer[o] == step[o] * n as isize) => {
                    *m *= n;
                    *outer = step;
                }
                _ => axes.push((n, step)),
            }
        }
        Batch { axes, len: shape.iter().product() }
    }

    /// How many indices there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The strides, when one axis is enough to say them.
    pub(crate) fn single_axis(&self) -> Option<[isize; N]> {
        match self.axes.as_slice() {
            [] => Some([0; N]),
            [(_, strides)] => Some(*strides),
            _ => None,
        }
    }

    /// The walk from an index on, counted in C order.
    pub(crate) fn walk(&self, start: usize) -> Walk<'_, N> {
        let mut walk = Walk { axes: &self.axes, counter: SmallVec::from_elem(0, self.axes.len()), offsets: [0; N] };
        let mut rest = start;
        for (c, (n, step)) in walk.counter.iter_mut().zip(&self.axes).rev() {
            *c = rest % n;
            rest /= n;
            (0..N).for_each(|o| walk.offsets[o] += *c as isize * step[o]);
        }
        walk
    }

    /// Calls `f` with each index of the range and the operands' offsets there.
    pub(crate) fn for_each(&self, range: Range<usize>, mut f: impl FnMut(usize, [isize; N])) {
        if range.is_empty() {
            return;
        }
        let mut walk = self.walk(range.start);
        for index in range {
            f(index, walk.offsets);
            walk.advance();
        }
    }
}

/// A position in a [`Batch`], for loops that are compiled for an instruction set, where a closure would not be.
pub(crate) struct Walk<'a, const N: usize> {
    axes: &'a [(usize, [isize; N])],
    counter: SmallVec<[usize; 4]>,
    pub(crate) offsets: [isize; N],
}

impl<const N: usize> Walk<'_, N> {
    /// To the next index; from the last one to the first.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        for (c, (n, step)) in self.counter.iter_mut().zip(self.axes).rev() {
            *c += 1;
            for o in 0..N {
                self.offsets[o] += step[o];
            }
            if *c < *n {
                break;
            }
            *c = 0;
            for o in 0..N {
                self.offsets[o] -= *n as isize * step[o];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_index() {
        let shape = [3, 1, 4, 5];
        for strides in [[20, 20, 5, 1], [1, 7, 3, 12], [0, 0, -5, -1], [100, 0, 0, 2]] {
            let other = [1isize, 1, 1, 1];
            let batch = Batch::new(&shape, [&strides, &other]);
            for range in [0..60, 7..23, 59..60, 5..5] {
                let mut seen = range.start;
                batch.for_each(range.clone(), |i, [a, b]| {
                    let (x, y, z) = ((i / 20) as isize, (i / 5 % 4) as isize, (i % 5) as isize);
                    assert_eq!(i, seen);
                    assert_eq!(a, x * strides[0] + y * strides[2] + z * strides[3]);
                    assert_eq!(b, x + y + z);
                    seen += 1;
                });
                assert_eq!(seen, range.end);
            }
        }
        assert_eq!(Batch::new(&shape, [&[20, 20, 5, 1]]).single_axis(), Some([1]));
        assert_eq!(Batch::<1>::new(&[], [&[]]).len(), 1);
    }
}
