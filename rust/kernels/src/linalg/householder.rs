//! Householder reflections in blocks I - V T V^H (Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10, 1989), so that the bulk
//! of large factorizations is matrix products on all threads; LAPACK does a few columns at a time. No bit depends on the threads.
#![allow(unsafe_code)]

use super::dense::Columns;
use super::field::Field;
use super::lapack::Routines;
use super::mat::Mat;
use crate::matmul::gemm;
use crate::pool::{MIN_TASK_NS, parallel_for};
use std::sync::Mutex;

/// The least size that is worth blocks of our own.
pub(super) const LEAST: usize = 128;

/// Reflections of a block.
const PANEL: usize = 64;

/// Columns of a matrix that a block is applied to by one task.
const SIDES: usize = 128;

struct Block<T> {
    v: Columns<T>,
    t: Columns<T>,
}

impl<T: Field> Block<T> {
    /// The product of the reflections below the diagonal of `a`, from its first column on.
    ///
    /// # Safety
    /// `a` is readable, with at least as many rows as columns, as many as there are numbers in `tau`.
    unsafe fn new(a: Mat<T>, tau: &[T]) -> Self {
        let width = a.cols;
        let (mut v, mut t) = (Columns::new(a.rows, width), Columns::new(width, width));
        let mut gram = Columns::<T>::new(width, width);
        let (mv, mt, mg) = (v.mat(), t.mat(), gram.mat());
        // SAFETY: memory of our own, and all indices are inside.
        unsafe {
            for j in 0..width {
                mv.set(j, j, T::one());
                mv.block(j + 1, j, a.rows - j - 1, 1).copy_from(a.block(j + 1, j, a.rows - j - 1, 1));
            }
            gemm(mg, false, T::one(), mv.t(), true, mv, false);
            for j in 0..width {
                mt.set(j, j, tau[j]);
                for i in 0..j {
                    let mut sum = T::default();
                    for k in i..j {
                        sum += mt.get(i, k) * mg.get(k, j);
                    }
                    mt.set(i, j, -(sum * tau[j]));
                }
            }
        }
        Block { v, t }
    }

    /// Multiplies `c` by the block, or its adjoint, from the left.
    ///
    /// # Safety
    /// `c` may be read and written and has as many rows as `v`.
    unsafe fn apply(&self, adjoint: bool, c: Mat<T>) {
        let (v, t) = (self.v.shared(), self.t.shared());
        let (mut products, mut turned) = (Columns::<T>::new(v.cols, c.cols), Columns::<T>::new(v.cols, c.cols));
        let (w, x) = (products.mat(), turned.mat());
        // SAFETY: the caller's contract, and memory of our own.
        unsafe {
            gemm(w, false, T::one(), v.t(), true, c, false);
            gemm(x, false, T::one(), if adjoint { t.t() } else { t }, adjoint, w, false);
            gemm(c, true, -T::one(), v, false, x, false);
        }
    }

    /// The same by several tasks.
    ///
    /// # Safety
    /// As [`Block::apply`].
    unsafe fn apply_wide(&self, adjoint: bool, c: Mat<T>) {
        let ns = 0.1 * (c.rows * self.t.shared().cols * SIDES) as f64;
        parallel_for(c.cols.div_ceil(SIDES), (MIN_TASK_NS / ns).ceil() as usize, |range| {
            for chunk in range {
                let j = chunk * SIDES;
                // SAFETY: the caller's contract; columns of their own.
                unsafe { self.apply(adjoint, c.block(0, j, c.rows, SIDES.min(c.cols - j))) }
            }
        });
    }
}

/// A = Q R in place, as [`Routines::qr`].
///
/// # Safety
/// `a`, in column-major memory, may be read and written.
pub(super) unsafe fn qr<T: Field>(lapack: &Routines, a: Mat<T>, tau: &mut [T]) {
    let (m, n) = (a.rows, a.cols);
    let most = m.min(n);
    if most < LEAST {
        return lapack.qr(a, tau);
    }
    // SAFETY: blocks inside `a` that do not overlap.
    unsafe {
        lapack.qr(a.block(0, 0, m, PANEL), &mut tau[..PANEL]);
        for k in (0..most).step_by(PANEL) {
            let width = PANEL.min(most - k);
            let (next, rows) = (k + width, m - k);
            let (done, ahead) = tau.split_at_mut(next);
            let block = Block::new(a.block(k, k, rows, width), &done[k..]);
            // The next columns are factorized while other threads apply the block to the others.
            let following = PANEL.min(most - next);
            let ahead = Mutex::new(&mut ahead[..following]);
            let ns = 0.1 * (rows * PANEL * PANEL) as f64;
            parallel_for((n - next).div_ceil(PANEL), (MIN_TASK_NS / ns).ceil() as usize, |range| {
                for chunk in range {
                    let j = next + chunk * PANEL;
                    block.apply(true, a.block(k, j, rows, PANEL.min(n - j)));
                    if chunk == 0 && following > 0 {
                        let mut tau = ahead.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        lapack.qr(a.block(next, j, m - next, following), &mut tau);
                    }
                }
            });
        }
    }
}

/// The first columns of Q in place of the reflections, as [`Routines::q`].
///
/// # Safety
/// `a`, in column-major memory, may be read and written, and has at least as many columns as there are numbers in `tau`.
pub(super) unsafe fn q<T: Field>(lapack: &Routines, a: Mat<T>, tau: &[T]) {
    let (m, n, count) = (a.rows, a.cols, tau.len());
    if count < LEAST {
        return lapack.q(a, tau);
    }
    // SAFETY: blocks inside `a`.
    unsafe {
        // Columns of the identity, before the reflections above their diagonal come to them.
        let identity = |first: usize, cols: usize| {
            a.block(0, first, m, cols).fill(T::default());
            (first..first + cols).for_each(|j| a.set(j, j, T::one()));
        };
        identity(count, n - count);
        for k in (0..count).step_by(PANEL).rev() {
            let width = PANEL.min(count - k);
            let block = Block::new(a.block(k, k, m - k, width), &tau[k..k + width]);
            identity(k, width);
            let rest = a.block(k, k + width, width, n - k - width);
            rest.fill(T::default());
            block.apply_wide(false, a.block(k, k, m - k, n - k));
        }
    }
}

/// Multiplies `c` by the product of the reflections below the diagonal of `v` from the left.
///
/// # Safety
/// `v` is readable and `c` may be read and written; they have as many rows, and `v` as many columns as there are numbers in `tau`.
pub(super) unsafe fn multiply<T: Field>(v: Mat<T>, tau: &[T], c: Mat<T>) {
    for k in (0..tau.len()).step_by(PANEL).rev() {
        let width = PANEL.min(tau.len() - k);
        // SAFETY: blocks inside the matrices.
        unsafe {
            let block = Block::new(v.block(k, k, v.rows - k, width), &tau[k..k + width]);
            block.apply_wide(false, c.block(k, 0, c.rows - k, c.cols));
        }
    }
}
