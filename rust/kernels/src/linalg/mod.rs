//! Linear algebra over leading batch axes: float32, float64, complex64, complex128, any strides.
//!
//! Small matrices are worked on together, one per SIMD lane; larger ones go to the [`backend`], one per thread or on all
//! threads. A failing item does not stop the others: its outputs become NaN, except for [`lu_factor`],
//! whose factors of a singular matrix are still right, and it is reported.
#![allow(unsafe_code)]

macro_rules! dispatch_inexact {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            $crate::DType::F32 => {
                type $t = f32;
                $body
            }
            $crate::DType::F64 => {
                type $t = f64;
                $body
            }
            $crate::DType::C64 => {
                type $t = ::num_complex::Complex<f32>;
                $body
            }
            $crate::DType::C128 => {
                type $t = ::num_complex::Complex<f64>;
                $body
            }
            other => unreachable!("no linear algebra for {}", other.name()),
        }
    };
}

mod backend;
mod banded;
pub(crate) mod batch;
mod bidiagonal;
mod blocked;
mod dense;
mod determinant;
mod divide;
mod eigen;
mod fallback;
pub(crate) mod field;
mod householder;
mod lapack;
mod ldl;
pub(crate) mod mat;
mod reflections;
mod rotations;
mod small;
mod transpose;
mod tridiagonal;

pub use banded::solve_banded;
pub use dense::{eig, eigh, hessenberg, pivoted_qr, qr, schur, svd};
pub use determinant::{adjugate, det, inv, slogdet};
pub use lapack::{has_lapack, set_lapack_path};
pub use ldl::{Ldl, ldl};

use crate::pool::{MIN_TASK_NS, num_threads, parallel_for};
use crate::{DType, Element, View, ViewMut};
use backend::backend;
use batch::Batch;
use field::{Field, Lanes, run};
use mat::Mat;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Which form of a matrix enters an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    Transposed,
    /// Conjugated and transposed.
    Adjoint,
}

/// A matrix of a batch that could not be treated, and the row of the pivot where that showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The index in the batch, counted in C order.
    pub item: usize,
    pub pivot: usize,
}

/// Failures as threads find them.
#[derive(Default)]
pub(crate) struct Failures(Mutex<Vec<Failure>>);

impl Failures {
    fn report(&self, item: usize, pivot: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Failure { item, pivot });
    }

    /// In the order of the batch.
    fn sorted(self) -> Vec<Failure> {
        let mut failures = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.sort_unstable();
        failures
    }
}

/// The matrices in the last two axes.
fn matrices<T: Element>(ptr: *const u8, dtype: DType, shape: &[usize], strides: &[isize]) -> Mat<T> {
    assert!(dtype == T::DTYPE && shape.len() >= 2);
    let d = shape.len() - 2;
    Mat { ptr: ptr.cast::<T>().cast_mut(), rows: shape[d], cols: shape[d + 1], rs: strides[d], cs: strides[d + 1] }
}

fn input<T: Element>(v: &View) -> Mat<T> {
    matrices(v.ptr(), v.dtype(), v.shape(), v.strides())
}

fn output<T: Element>(v: &mut ViewMut) -> Mat<T> {
    matrices(v.ptr(), v.dtype(), v.shape(), v.strides())
}

/// Calls `f` for each item of a batch of matrices beyond the small kernels: the items in parallel where there are enough
/// of them, else one after the other with all threads for each.
fn for_each_large<const N: usize>(batch: &Batch<N>, steps: f64, f: impl Fn(usize, [isize; N]) + Sync) {
    if batch.len() < num_threads() {
        batch.for_each(0..batch.len(), f);
    } else {
        let min = (MIN_TASK_NS / (0.3 * steps)).ceil() as usize;
        parallel_for(batch.len(), min, |range| batch.for_each(range, &f));
    }
}

/// Calls `f` with ranges that cover a batch and fill the lanes of a small kernel, which takes so many steps per item.
fn for_each_small<T: Field>(items: usize, steps: usize, f: impl Fn(Range<usize>) + Sync) {
    let lanes = <T::Lanes<true> as Lanes>::W;
    let min = MIN_TASK_NS / (10.0 + 0.3 * steps as f64) / lanes as f64;
    parallel_for(items.div_ceil(lanes), min.ceil() as usize, |groups| {
        f(groups.start * lanes..items.min(groups.end * lanes));
    });
}

/// P A = L U with partial pivoting: `a` and `lu` are `(..., n, n)`, `piv` is int64 `(..., n)`.
///
/// Row i was exchanged with row `piv[i] >= i`, in the order of i, counted from 0. Where U has a zero on its diagonal the
/// item is reported with the first such row; its factors are right nevertheless. `lu` may be `a` itself.
pub fn lu_factor(a: &View, lu: &mut ViewMut, piv: &mut ViewMut) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => lu_factor_of::<T>(a, lu, piv))
}

fn lu_factor_of<T: Field>(a: &View, lu: &mut ViewMut, piv: &mut ViewMut) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    let (ma, ml) = (input::<T>(a), output::<T>(lu));
    let n = ma.rows;
    assert!(ma.cols == n && a.shape() == lu.shape() && piv.dtype() == DType::I64);
    assert!(piv.shape() == &a.shape()[..=lead]);
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &lu.strides()[..lead], &piv.strides()[..lead]]);
    let pivots = Mat { ptr: piv.ptr().cast::<i64>(), rows: n, cols: 1, rs: piv.strides()[lead], cs: 0 };
    let failures = Failures::default();
    if small::factorizes::<T>(small::MAX_LU, n, batch.len()) {
        for_each_small::<T>(batch.len(), n * n * n, |range| {
            run(small::Lu { a: ma, lu: ml, pivots, batch: &batch, range, failures: &failures });
        });
    } else {
        for_each_large(&batch, (n * n * n) as f64, |item, [oa, ol, op]| {
            let pivots = pivots.offset(op);
            let mut swaps = vec![0; n];
            // SAFETY: the views' contracts, and the shapes agree as asserted above; items of the outputs do not overlap.
            unsafe {
                let zero = in_columns(ma.offset(oa), ml.offset(ol), |lu| backend::<T>().lu(lu, &mut swaps));
                swaps.iter().enumerate().for_each(|(i, &p)| pivots.set(i, 0, p as i64));
                zero.inspect(|&pivot| failures.report(item, pivot));
            }
        });
    }
    failures.sorted()
}

/// Runs `f` on a copy of `src` in column-major memory that ends up in `dst`: `dst` itself if its columns are contiguous.
///
/// # Safety
/// As [`Mat::copy_from`].
unsafe fn in_columns<T: Field, R>(src: Mat<T>, dst: Mat<T>, f: impl FnOnce(Mat<T>) -> R) -> R {
    // SAFETY: the caller's contract.
    unsafe {
        if dst.rs == 1 {
            dst.copy_from(src);
            return f(dst);
        }
        let mut memory = Vec::with_capacity(dst.rows * dst.cols);
        let columns = Mat::columns(memory.as_mut_ptr(), dst.rows, dst.cols);
        columns.copy_from(src);
        let result = f(columns);
        dst.copy_from(columns);
        result
    }
}

/// Solves A x = b, its transpose or its adjoint from [`lu_factor`]'s output; `b` and `x` are `(..., n, k)`.
///
/// Items with a zero on the diagonal of U become NaN and are reported. `x` may be `b` itself.
pub fn lu_solve(lu: &View, piv: &View, b: &View, x: &mut ViewMut, form: Form) -> Vec<Failure> {
    dispatch_inexact!(lu.dtype(), T => lu_solve_of::<T>(lu, piv, b, x, form))
}

fn lu_solve_of<T: Field>(lu: &View, piv: &View, b: &View, x: &mut ViewMut, form: Form) -> Vec<Failure> {
    let lead = lu.ndim() - 2;
    let (ml, mb, mx) = (input::<T>(lu), input::<T>(b), output::<T>(x));
    let n = ml.rows;
    assert!(ml.cols == n && mb.rows == n && b.shape() == x.shape() && piv.dtype() == DType::I64);
    assert!(piv.shape() == &lu.shape()[..=lead] && b.shape()[..lead] == lu.shape()[..lead]);
    let batch = Batch::new(
        &lu.shape()[..lead],
        [&lu.strides()[..lead], &piv.strides()[..lead], &b.strides()[..lead], &x.strides()[..lead]],
    );
    let pivots = Mat { ptr: piv.ptr().cast::<i64>().cast_mut(), rows: n, cols: 1, rs: piv.strides()[lead], cs: 0 };
    let failures = Failures::default();
    if small::solves::<T>(n, mb.cols, batch.len()) {
        for_each_small::<T>(batch.len(), n * n * (1 + mb.cols), |range| {
            run(small::LuSolve { lu: ml, pivots, b: mb, x: mx, form, batch: &batch, range, failures: &failures });
        });
        return failures.sorted();
    }
    for_each_large(&batch, (n * n * mb.cols) as f64, |item, [ol, op, ob, ox]| {
        // SAFETY: the views' contracts, and the shapes agree as asserted above; items of the output do not overlap.
        unsafe {
            let (lu, pivots, x) = (ml.offset(ol), pivots.offset(op), mx.offset(ox));
            x.copy_from(mb.offset(ob));
            let swap = |i: usize| {
                let p = usize::try_from(pivots.get(i, 0)).ok().filter(|&p| p < n).expect("pivots of lu_factor");
                (p != i).then(|| (0..x.cols).for_each(|j| x.at(i, j).swap(x.at(p, j))));
            };
            let triangle = |lower, unit| Triangle { lower, unit, form };
            if form == Form::Plain {
                (0..n).for_each(swap);
                backend::<T>().solve(triangle(true, true), lu, x);
                backend::<T>().solve(triangle(false, false), lu, x);
            } else {
                backend::<T>().solve(triangle(false, false), lu, x);
                backend::<T>().solve(triangle(true, true), lu, x);
                (0..n).rev().for_each(swap);
            }
            if let Some(pivot) = first_zero_on_diagonal(lu) {
                x.fill(T::NAN);
                failures.report(item, pivot);
            }
        }
    });
    failures.sorted()
}

/// x of A x = b, by [`lu_factor`] and [`lu_solve`] with the same bits, but nothing is kept; `a` is `(..., n, n)`, `b` and `x`
/// are `(..., n, k)`. Only small systems: None for those that are not.
pub fn solve_small(a: &View, b: &View, x: &mut ViewMut) -> Option<Vec<Failure>> {
    dispatch_inexact!(a.dtype(), T => solve_small_of::<T>(a, b, x))
}

fn solve_small_of<T: Field>(a: &View, b: &View, x: &mut ViewMut) -> Option<Vec<Failure>> {
    let lead = a.ndim() - 2;
    let (ma, mb, mx) = (input::<T>(a), input::<T>(b), output::<T>(x));
    let n = ma.rows;
    assert!(ma.cols == n && mb.rows == n && b.shape() == x.shape() && b.shape()[..lead] == a.shape()[..lead]);
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &b.strides()[..lead], &x.strides()[..lead]]);
    if !small::solves::<T>(n, mb.cols, batch.len()) {
        return None;
    }
    let failures = Failures::default();
    for_each_small::<T>(batch.len(), n * n * (n + mb.cols), |range| {
        run(small::System { a: ma, b: mb, x: mx, batch: &batch, range, failures: &failures });
    });
    Some(failures.sorted())
}

/// # Safety
/// `a` is readable and square.
unsafe fn first_zero_on_diagonal<T: Field>(a: Mat<T>) -> Option<usize> {
    // SAFETY: the caller's contract.
    (0..a.rows).find(|&i| unsafe { a.get(i, i) } == T::default())
}

/// Which triangle of a matrix is meant, whether its diagonal counts as ones, and in which form it enters.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    pub lower: bool,
    pub unit: bool,
    pub form: Form,
}

/// Solves T x = b for a triangular T; `a` is `(..., n, n)`, of which the other triangle is not read, `b` and `x` are
/// `(..., n, k)`. Items with a zero on the diagonal become NaN and are reported. `x` may be `b` itself.
pub fn solve_triangular(a: &View, b: &View, x: &mut ViewMut, triangle: Triangle) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => solve_triangular_of::<T>(a, b, x, triangle))
}

fn solve_triangular_of<T: Field>(a: &View, b: &View, x: &mut ViewMut, triangle: Triangle) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    let (ma, mb, mx) = (input::<T>(a), input::<T>(b), output::<T>(x));
    let n = ma.rows;
    assert!(ma.cols == n && mb.rows == n && b.shape() == x.shape() && b.shape()[..lead] == a.shape()[..lead]);
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &b.strides()[..lead], &x.strides()[..lead]]);
    let failures = Failures::default();
    if small::solves::<T>(n, mb.cols, batch.len()) {
        for_each_small::<T>(batch.len(), n * n * (1 + mb.cols), |range| {
            run(small::Solve { a: ma, b: mb, x: mx, triangle, batch: &batch, range, failures: &failures });
        });
        return failures.sorted();
    }
    for_each_large(&batch, (n * n * mb.cols) as f64, |item, [oa, ob, ox]| {
        // SAFETY: the views' contracts, and the shapes agree as asserted above; items of the output do not overlap.
        unsafe {
            let (a, x) = (ma.offset(oa), mx.offset(ox));
            x.copy_from(mb.offset(ob));
            backend::<T>().solve(triangle, a, x);
            if let (false, Some(pivot)) = (triangle.unit, first_zero_on_diagonal(a)) {
                x.fill(T::NAN);
                failures.report(item, pivot);
            }
        }
    });
    failures.sorted()
}

/// A = L L^H for Hermitian positive definite `(..., n, n)`, or A = U^H U if `upper`; only that triangle of `a` is read, the
/// other one of the factor becomes 0. Items that are not positive definite become NaN and are reported.
pub fn cholesky(a: &View, factor: &mut ViewMut, upper: bool) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => cholesky_of::<T>(a, factor, upper))
}

fn cholesky_of<T: Field>(a: &View, factor: &mut ViewMut, upper: bool) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    // A^T = U^T conj(U): the lower factor of the transpose is the transposed upper factor.
    let turn = |m: Mat<T>| if upper { m.t() } else { m };
    let (ma, ml) = (turn(input(a)), turn(output(factor)));
    let n = ma.rows;
    assert!(ma.cols == n && a.shape() == factor.shape());
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &factor.strides()[..lead]]);
    let failures = Failures::default();
    if small::factorizes::<T>(small::MAX_CHOLESKY, n, batch.len()) {
        for_each_small::<T>(batch.len(), n * n * n / 2, |range| {
            run(small::Cholesky { a: ma, l: ml, batch: &batch, range, failures: &failures });
        });
        return failures.sorted();
    }
    for_each_large(&batch, (n * n * n / 2) as f64, |item, [oa, ol]| {
        // SAFETY: the views' contracts, and the shapes agree as asserted above; items of the output do not overlap.
        unsafe {
            let failed = in_columns(ma.offset(oa), ml.offset(ol), |l| {
                let failed = backend::<T>().cholesky(l);
                match failed {
                    Some(_) => l.fill(T::NAN),
                    None => (1..n).for_each(|j| l.block(0, j, j, 1).fill(T::default())),
                }
                failed
            });
            failed.inspect(|&pivot| failures.report(item, pivot));
        }
    });
    failures.sorted()
}

#[cfg(test)]
pub(crate) mod testing;
