//! First-order linear recurrences along an axis.
#![allow(unsafe_code)]

use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::{DType, Element, View, ViewMut};
use num_complex::Complex;
use std::ops::{Add, Mul};

/// Nanoseconds per step: the latency of a multiplication and an addition.
const STEP_NS: f64 = 3.0;

/// `dst[i] = b[i] + a[i] * dst[i - 1]` along `axis`, from the last element to the first with `reverse`; the value before the
/// first one counts as 0. All have one shape and one inexact dtype.
pub fn recurrence(a: &View, b: &View, axis: usize, reverse: bool, dst: &mut ViewMut) {
    match dst.dtype() {
        DType::F32 => lines::<f32>(a, b, axis, reverse, dst),
        DType::F64 => lines::<f64>(a, b, axis, reverse, dst),
        DType::C64 => lines::<Complex<f32>>(a, b, axis, reverse, dst),
        DType::C128 => lines::<Complex<f64>>(a, b, axis, reverse, dst),
        d => unreachable!("a recurrence of {}", d.name()),
    }
}

/// Pointers that threads share; each line is touched by one of them.
#[derive(Clone, Copy)]
struct Lines<T> {
    a: *const T,
    b: *const T,
    y: *mut T,
}
// SAFETY: different lines are different elements of `y`.
unsafe impl<T> Sync for Lines<T> {}

impl<T: Copy + Default + Add<Output = T> + Mul<Output = T>> Lines<T> {
    /// # Safety
    /// The offsets and `n` steps along them stay within the views that the pointers came from.
    unsafe fn run(&self, start: [isize; 3], step: [isize; 3], n: usize, reverse: bool) {
        let mut y = T::default();
        for i in 0..n as isize {
            let i = if reverse { n as isize - 1 - i } else { i };
            // SAFETY: the caller's contract.
            unsafe {
                let a = *self.a.offset(start[0] + i * step[0]);
                y = *self.b.offset(start[1] + i * step[1]) + a * y;
                *self.y.offset(start[2] + i * step[2]) = y;
            }
        }
    }
}

fn lines<T>(a: &View, b: &View, axis: usize, reverse: bool, dst: &mut ViewMut)
where
    T: Element + Add<Output = T> + Mul<Output = T>,
{
    let shape = dst.shape();
    assert!(a.shape() == shape && b.shape() == shape && a.dtype() == T::DTYPE && b.dtype() == T::DTYPE);
    if dst.size() == 0 {
        return;
    }
    let n = shape[axis];
    let strides = [a.strides(), b.strides(), dst.strides()];
    let shared = Lines { a: a.ptr().cast::<T>(), b: b.ptr().cast::<T>(), y: dst.ptr().cast::<T>() };
    let min = (MIN_TASK_NS / (STEP_NS * n as f64)).ceil() as usize;
    parallel_for(dst.size() / n, min, |range| {
        let shared = &shared;
        for line in range {
            let mut rest = line;
            let mut start = [0; 3];
            for d in (0..shape.len()).rev().filter(|&d| d != axis) {
                let at = (rest % shape[d]) as isize;
                rest /= shape[d];
                for k in 0..3 {
                    start[k] += at * strides[k][d];
                }
            }
            // SAFETY: `start` is an index of the views with 0 along `axis`, which has `n` elements.
            unsafe { shared.run(start, strides.map(|s| s[axis]), n, reverse) };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_definition_in_both_directions() {
        let (shape, strides) = ([2usize, 5, 3], [15isize, 3, 1]);
        let a: Vec<f64> = (0..30).map(|i| ((i * 7) % 5) as f64 - 2.0).collect();
        let b: Vec<f64> = (0..30).map(|i| ((i * 11) % 7) as f64 - 3.0).collect();
        for reverse in [false, true] {
            let mut y = vec![0.0; 30];
            // SAFETY: the vectors hold all elements of the shape.
            unsafe {
                let view = |v: &[f64]| View::new(v.as_ptr().cast(), DType::F64, &shape, &strides);
                let mut dst = ViewMut::new(y.as_mut_ptr().cast(), DType::F64, &shape, &strides);
                recurrence(&view(&a), &view(&b), 1, reverse, &mut dst);
            }
            for (i, k) in (0..2).flat_map(|i| (0..3).map(move |k| (i, k))) {
                let mut last = 0.0;
                for j in 0..5 {
                    let at = i * 15 + (if reverse { 4 - j } else { j }) * 3 + k;
                    last = b[at] + a[at] * last;
                    assert_eq!(y[at], last);
                }
            }
        }
    }
}
