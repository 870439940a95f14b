//! Eigenvectors of large Hermitian matrices and singular vectors: condensed form and divide and conquer by LAPACK (Golub and
//! Van Loan, Matrix Computations, 4th ed., 8.4 and 8.6), the reflections between them in blocks on all threads.
#![allow(unsafe_code)]

use super::dense::Columns;
use super::field::{Field, Scalar};
use super::householder;
use super::lapack::{Routines, routines};
use super::mat::Mat;
use crate::matmul::gemm;
use num_traits::Float;

/// Rows per column from which on a QR decomposition comes before the bidiagonal form (Chan, ACM Trans. Math. Software 8, 1982).
const TALL: f64 = 1.6;

/// As [`Routines::eigh`] with vectors.
///
/// # Safety
/// `a`, in column-major memory, may be read and written.
pub(super) unsafe fn eigh<T: Field>(lapack: &Routines, a: Mat<T>, w: &mut [T::Part]) -> Result<(), usize> {
    let n = a.rows;
    let real = routines::<T::Part>().expect("all element types have them");
    let (mut off, mut tau) = (vec![T::Part::default(); n - 1], vec![T::default(); n - 1]);
    let (mut vectors, mut product) = (Columns::<T::Part>::new(n, n), Columns::<T>::new(n, n));
    let (z, c) = (vectors.mat(), product.mat());
    // SAFETY: the caller's contract, and memory of our own.
    unsafe {
        let power = rescale(a, true);
        lapack.tridiagonal(a, w, &mut off, &mut tau);
        real.divide(w, &mut off, z)?;
        put(z, c);
        householder::multiply(a.block(1, 0, n - 1, n - 1), &tau, c.block(1, 0, n - 1, n));
        a.copy_from(c);
        w.iter_mut().for_each(|x| *x *= power);
    }
    Ok(())
}

/// As [`Routines::svd`] with vectors.
///
/// # Safety
/// The matrices, in column-major memory, may be read and written.
pub(super) unsafe fn svd<T: Field>(
    lapack: &Routines,
    a: Mat<T>,
    s: &mut [T::Part],
    u: Mat<T>,
    vh: Mat<T>,
) -> Result<(), usize> {
    let (m, n) = (a.rows, a.cols);
    // SAFETY: the caller's contract, and memory of our own.
    unsafe {
        if m < n {
            // The adjoint is V S U^H.
            let (mut turned, mut left, mut right) =
                (Columns::<T>::new(n, m), Columns::<T>::new(n, vh.rows), Columns::<T>::new(u.cols, m));
            put_adjoint(a, turned.mat());
            svd(lapack, turned.mat(), s, left.mat(), right.mat())?;
            put_adjoint(left.mat(), vh);
            put_adjoint(right.mat(), u);
            return Ok(());
        }
        if m as f64 >= TALL * n as f64 && u.cols == n {
            let mut tau = vec![T::default(); n];
            householder::qr(lapack, a, &mut tau);
            let (mut upper, mut small) = (Columns::<T>::new(n, n), Columns::<T>::new(n, n));
            for j in 0..n {
                upper.mat().block(0, j, j + 1, 1).copy_from(a.block(0, j, j + 1, 1));
            }
            svd(lapack, upper.mat(), s, small.mat(), vh)?;
            householder::q(lapack, a, &tau);
            gemm(u, false, T::one(), a, false, small.mat(), false);
            return Ok(());
        }
        let power = rescale(a, false);
        let real = routines::<T::Part>().expect("all element types have them");
        let mut off = vec![T::Part::default(); n - 1];
        let (mut tau_q, mut tau_p) = (vec![T::default(); n], vec![T::default(); n]);
        lapack.bidiagonal(a, s, &mut off, &mut tau_q, &mut tau_p);
        let (mut left, mut right) = (Columns::<T::Part>::new(n, n), Columns::<T::Part>::new(n, n));
        real.divide_bidiagonal(s, &mut off, left.mat(), right.mat())?;
        u.fill(T::default());
        put(left.mat(), u.block(0, 0, n, n));
        (n..u.cols).for_each(|j| u.set(j, j, T::one()));
        householder::multiply(a, &tau_q, u);
        // V = P V_b; the vectors of P are the conjugated rows above the diagonal's neighbours.
        let (mut rows, mut v) = (Columns::<T>::new(n - 1, n - 1), Columns::<T>::new(n, n));
        put_adjoint(a.block(0, 1, n - 1, n - 1), rows.mat());
        put(right.mat().t(), v.mat());
        householder::multiply(rows.mat(), &tau_p[..n - 1], v.mat().block(1, 0, n - 1, n));
        put_adjoint(v.mat(), vh);
        s.iter_mut().for_each(|x| *x *= power);
    }
    Ok(())
}

/// Real numbers as elements.
///
/// # Safety
/// `from` is readable, `to` is writable and has its shape.
unsafe fn put<T: Field>(from: Mat<T::Part>, to: Mat<T>) {
    for j in 0..to.cols {
        for i in 0..to.rows {
            // SAFETY: inside.
            unsafe { to.set(i, j, T::from_parts(from.get(i, j), <T::Part as Scalar>::ZERO)) }
        }
    }
}

/// # Safety
/// `from` is readable, `to` is writable and has the shape of its transpose.
unsafe fn put_adjoint<T: Field>(from: Mat<T>, to: Mat<T>) {
    // SAFETY: the caller's contract; all indices are inside.
    unsafe {
        to.copy_from(from.t());
        if !T::IS_REAL {
            (0..to.cols).for_each(|j| (0..to.rows).for_each(|i| to.set(i, j, to.get(i, j).conjugate())));
        }
    }
}

/// Divides by the power of two below the largest element, of the lower triangle alone if `lower`, so that squares stay in range;
/// the power.
///
/// # Safety
/// `a` may be read and written.
unsafe fn rescale<T: Field>(a: Mat<T>, lower: bool) -> T::Part {
    let rows = |j: usize| if lower { j..a.rows } else { 0..a.rows };
    let mut largest = <T::Part as Scalar>::ZERO;
    // SAFETY: all indices are inside.
    unsafe {
        for j in 0..a.cols {
            for i in rows(j) {
                let (re, im) = a.get(i, j).parts();
                largest = Float::max(largest, Float::max(Float::abs(re), Float::abs(im)));
            }
        }
        let power = largest.power_below();
        for j in 0..a.cols {
            for i in rows(j) {
                let (re, im) = a.get(i, j).parts();
                a.set(i, j, T::from_parts(re / power, im / power));
            }
        }
        power
    }
}
