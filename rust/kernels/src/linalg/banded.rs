//! Systems with banded matrices, by elimination with partial pivoting inside the band.
#![allow(unsafe_code)]

use super::batch::Batch;
use super::field::Field;
use super::mat::Mat;
use super::{Failure, Failures, for_each_large, input, output};
use crate::{View, ViewMut};

/// Solves A x = b for matrices with `lower` diagonals below the main one and `upper` above it; element (i, j) of A is
/// element (upper + i - j, j) of `ab` `(..., lower + upper + 1, n)`; `b` and `x` are `(..., n, k)`. Singular items become NaN and
/// are reported.
pub fn solve_banded(lower: usize, upper: usize, ab: &View, b: &View, x: &mut ViewMut) -> Vec<Failure> {
    dispatch_inexact!(ab.dtype(), T => solve_banded_of::<T>(lower, upper, ab, b, x))
}

fn solve_banded_of<T: Field>(lower: usize, upper: usize, ab: &View, b: &View, x: &mut ViewMut) -> Vec<Failure> {
    let lead = ab.ndim() - 2;
    let (ma, mb, mx) = (input::<T>(ab), input::<T>(b), output::<T>(x));
    assert!(ma.rows == lower + upper + 1 && ma.cols == mb.rows && b.shape() == x.shape());
    assert!(b.shape()[..lead] == ab.shape()[..lead]);
    let batch = Batch::new(&ab.shape()[..lead], [&ab.strides()[..lead], &b.strides()[..lead], &x.strides()[..lead]]);
    let failures = Failures::default();
    let steps = mb.rows * (lower + 1) * (lower + upper + 1 + mb.cols);
    for_each_large(&batch, steps as f64, |item, [oa, ob, ox]| {
        let x = mx.offset(ox);
        // SAFETY: the views' contracts; items of the output do not overlap.
        unsafe {
            x.copy_from(mb.offset(ob));
            if let Some(pivot) = eliminate(lower, upper, ma.offset(oa), x) {
                x.fill(<T as Field>::NAN);
                failures.report(item, pivot);
            }
        }
    });
    failures.sorted()
}

/// # Safety
/// `ab` is readable, `x` may be read and written.
unsafe fn eliminate<T: Field>(lower: usize, upper: usize, ab: Mat<T>, x: Mat<T>) -> Option<usize> {
    let n = x.rows;
    // Row i holds columns i - lower to i + upper + lower, where exchanges of rows lead to.
    let width = 2 * lower + upper + 1;
    let mut band = vec![T::default(); n * width];
    let place = |i: usize, j: usize| i * width + (j + lower - i);
    for i in 0..n {
        for j in i.saturating_sub(lower)..(i + upper + 1).min(n) {
            // SAFETY: inside, by the shape of `ab`.
            band[place(i, j)] = unsafe { ab.get(upper + i - j, j) };
        }
    }
    let size = |x: T| {
        let (re, im) = x.parts();
        num_traits::Float::abs(re) + num_traits::Float::abs(im)
    };
    for k in 0..n {
        let rows = (k + lower + 1).min(n);
        let columns = (k + upper + lower + 1).min(n);
        let mut p = k;
        for i in k + 1..rows {
            if size(band[place(i, k)]) > size(band[place(p, k)]) {
                p = i;
            }
        }
        if p != k {
            (k..columns).for_each(|j| band.swap(place(k, j), place(p, j)));
            // SAFETY: rows of `x`.
            (0..x.cols).for_each(|j| unsafe { x.at(k, j).swap(x.at(p, j)) });
        }
        let pivot = band[place(k, k)];
        if pivot == T::default() {
            return Some(k);
        }
        for i in k + 1..rows {
            let factor = band[place(i, k)] / pivot;
            if factor == T::default() {
                continue;
            }
            for j in k + 1..columns {
                let above = band[place(k, j)];
                band[place(i, j)] -= factor * above;
            }
            // SAFETY: rows of `x`.
            (0..x.cols).for_each(|j| unsafe { x.set(i, j, x.get(i, j) - factor * x.get(k, j)) });
        }
    }
    for k in (0..n).rev() {
        let columns = (k + upper + lower + 1).min(n);
        for side in 0..x.cols {
            // SAFETY: rows of `x`.
            unsafe {
                let known = (k + 1..columns).fold(T::default(), |sum, j| sum + band[place(k, j)] * x.get(j, side));
                x.set(k, side, (x.get(k, side) - known) / band[place(k, k)]);
            }
        }
    }
    None
}
