//! Searching sorted data, distinct values, counting by index.
#![allow(unsafe_code)]

use crate::pool::parallel_for;
use crate::sort::Sortable;
use crate::walk::{self, Shared};
use crate::{DType, Element, View, ViewMut, dispatch};

/// Which of the places among equal elements is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before them.
    Left,
    /// After them.
    Right,
}

/// Searches below this number are not worth a second thread.
const MIN_TASK: usize = 1 << 10;

/// Where each of `values` belongs in the 1-D view `sorted` of the same dtype, as int64 into the C-contiguous `dst`; with
/// `sorter`, `sorted[sorter]` is what is sorted. Every index in `sorter` must have passed [`crate::gather::check_indices`]
/// and be at least 0.
pub fn searchsorted(sorted: &View, values: &View, side: Side, sorter: Option<&View>, dst: &mut ViewMut) {
    assert_eq!(sorted.dtype(), values.dtype());
    let sorter = sorter.map(|s| elements::<i64>(s));
    dispatch!(sorted.dtype(), T => {
        let mut keys: Vec<_> = elements::<T>(sorted).into_iter().map(|x| x.key()).collect();
        if let Some(order) = &sorter {
            keys = order.iter().map(|&i| keys[i as usize]).collect();
        }
        find::<T>(&keys, values, side, dst);
    });
}

fn find<T: Sortable>(keys: &[T::Key], values: &View, side: Side, dst: &mut ViewMut) {
    let out = dst.as_slice::<i64>().expect("a contiguous int64 output");
    assert_eq!(out.len(), values.size());
    let dims = walk::dims(values.shape(), [values.strides()], |_| true);
    let (base, out) = (Shared(values.ptr().cast_mut().cast::<T>()), Shared(out.as_mut_ptr()));
    parallel_for(values.size(), MIN_TASK, |range| {
        let (base, out, mut i) = (&base, &out, range.start);
        walk::runs(&dims, range, |[at], n, [step]| {
            for k in 0..n as isize {
                // SAFETY: offsets of the dimensions are within the view.
                let v = unsafe { *base.0.offset(at + k * step) }.key();
                let place = match side {
                    Side::Left => keys.partition_point(|&key| key < v),
                    Side::Right => keys.partition_point(|&key| key <= v),
                };
                // SAFETY: one output per value, and each value belongs to one task.
                unsafe { out.write(i, place as i64) };
                i += 1;
            }
        });
    });
}

/// The elements of a view in C order.
pub(crate) fn elements<T: Element>(src: &View) -> Vec<T> {
    assert_eq!(src.dtype(), T::DTYPE);
    let mut out = Vec::with_capacity(src.size());
    let base = src.ptr().cast::<T>();
    walk::runs(&walk::dims(src.shape(), [src.strides()], |_| true), 0..src.size(), |[at], n, [step]| {
        // SAFETY: offsets of the dimensions are within the view.
        out.extend((0..n as isize).map(|i| unsafe { *base.offset(at + i * step) }));
    });
    out
}

/// Where each run of equal elements starts in a sorted 1-D view; NaNs are one run if `equal_nan`, else each is its own.
///
/// With [`crate::sort::argsort`] this is what the `unique` family needs: values at the starts, counts as differences.
pub fn run_starts(sorted: &View, equal_nan: bool) -> Vec<i64> {
    dispatch!(sorted.dtype(), T => {
        let x = elements::<T>(sorted);
        let starts = |i: &usize| {
            let i = *i;
            i == 0 || if equal_nan { x[i].key() != x[i - 1].key() } else { x[i] != x[i - 1] }
        };
        (0..x.len()).filter(starts).map(|i| i as i64).collect()
    })
}

/// Adds to `dst[i]` the weight of every `i` in `indices`, in order: int64 counts without weights, else float64. `dst` is
/// C-contiguous; every index is at least 0 and below its length, else the position of the first that is not is the error.
pub fn bincount(indices: &View, weights: Option<&View>, dst: &mut ViewMut) -> Result<(), usize> {
    let indices = elements::<i64>(indices);
    let n = dst.size() as i64;
    if let Some(bad) = indices.iter().position(|i| !(0..n).contains(i)) {
        return Err(bad);
    }
    match weights {
        None => {
            let out = dst.as_slice::<i64>().expect("a contiguous int64 output");
            out.fill(0);
            indices.iter().for_each(|&i| out[i as usize] += 1);
        }
        Some(weights) => {
            assert!(weights.dtype() == DType::F64 && weights.size() == indices.len());
            let out = dst.as_slice::<f64>().expect("a contiguous float64 output");
            out.fill(0.0);
            indices.iter().zip(elements::<f64>(weights)).for_each(|(&i, w)| out[i as usize] += w);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Array, Bits, Layout, MOST, Sample};
    use num_complex::Complex;

    fn check<T: Sample + Sortable>() {
        let mut bits = Bits(9);
        for n in [0, 1, 2, 30, 300].into_iter().filter(|&n| n <= MOST) {
            let x: Vec<T> = bits.vec(n);
            let mut order: Vec<i64> = (0..n as i64).collect();
            order.sort_by_key(|&i| x[i as usize].key());
            let sorted: Vec<T> = order.iter().map(|&i| x[i as usize]).collect();
            let m = 500.min(MOST / 3);
            let values: Vec<T> = bits.vec(3 * m);
            for (layout, side) in Layout::ALL.into_iter().flat_map(|l| [(l, Side::Left), (l, Side::Right)]) {
                let expected: Vec<i64> = values
                    .iter()
                    .map(|v| {
                        sorted
                            .iter()
                            .filter(|s| if side == Side::Left { s.key() < v.key() } else { s.key() <= v.key() })
                    })
                    .map(|below| below.count() as i64)
                    .collect();
                let (v, s) = (Array::new(&[m, 3], &values, layout), Array::new(&[n], &sorted, layout));
                let mut dst = Array::<i64>::zeros(&[m, 3], Layout::C);
                searchsorted(&s.view(), &v.view(), side, None, &mut dst.view_mut());
                assert_eq!(dst.elements(), expected);
                let (raw, order) = (Array::new(&[n], &x, layout), Array::new(&[n], &order, layout));
                searchsorted(&raw.view(), &v.view(), side, Some(&order.view()), &mut dst.view_mut());
                assert_eq!(dst.elements(), expected);
            }
        }
    }

    #[test]
    fn places_in_sorted_data() {
        check::<f32>();
        if !cfg!(miri) {
            check::<bool>();
            check::<u8>();
            check::<i64>();
            check::<f64>();
            check::<Complex<f64>>();
        }
    }

    #[test]
    fn runs_of_equal_elements() {
        let x = Array::new(&[7], &[-0.0, 0.0, 1.0, 2.0, 2.0, f64::NAN, f64::NAN], Layout::Reversed);
        assert_eq!(run_starts(&x.view(), true), [0, 2, 3, 5]);
        assert_eq!(run_starts(&x.view(), false), [0, 2, 3, 5, 6]);
        assert!(run_starts(&Array::<u8>::zeros(&[0], Layout::C).view(), true).is_empty());
    }

    #[test]
    fn counts_and_weights_by_index() {
        let index = Array::new(&[5], &[0i64, 3, 3, 1, 3], Layout::Gaps);
        let mut counts = Array::<i64>::zeros(&[5], Layout::C);
        assert_eq!(bincount(&index.view(), None, &mut counts.view_mut()), Ok(()));
        assert_eq!(counts.elements(), [1, 1, 0, 3, 0]);
        let weights = Array::new(&[5], &[1.0, 2.0, 4.0, 8.0, 16.0], Layout::Reversed);
        let mut sums = Array::<f64>::zeros(&[4], Layout::C);
        assert_eq!(bincount(&index.view(), Some(&weights.view()), &mut sums.view_mut()), Ok(()));
        assert_eq!(sums.elements(), [1.0, 8.0, 0.0, 22.0]);
        let mut short = Array::<i64>::zeros(&[3], Layout::C);
        assert_eq!(bincount(&index.view(), None, &mut short.view_mut()), Err(1));
    }
}
