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
