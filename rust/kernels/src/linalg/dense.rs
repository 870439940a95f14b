//! Orthogonal and spectral decompositions: small matrices by [`rotations`], larger ones by LAPACK where it is installed,
//! else by faer.
#![allow(unsafe_code)]

use super::batch::Batch;
use super::divide;
use super::eigen;
use super::fallback;
use super::field::{Field, Lanes, Scalar, run};
use super::householder;
use super::lapack::{Routines, routines};
use super::mat::Mat;
use super::rotations::{self, MAX};
use super::{Failure, Failures, for_each_large, for_each_small, input, matrices, output};
use crate::{Element, View, ViewMut};
use num_complex::Complex;

/// The largest matrix that is worked on one per lane when half of the lanes are in use.
const MAX_HALF: usize = 16;

/// The largest matrix whose eigenvalues or singular values are found by QR steps in lanes. Relative to LAPACK's time they take
/// 0.78 and 0.86 for `eigh` and `svd` at 128 rows, 1.06 and 1.28 at 160; values alone 0.86 and 1.07 at 256.
const fn most_steps(vectors: bool) -> usize {
    if vectors { 128 } else { 256 }
}

/// Whether matrices are worked on one per lane, up to the `largest`; with few of them most lanes stay empty, which only tiny
/// ones are worth.
///
/// Microseconds per matrix of batches in double precision, a matrix per lane and LAPACK: at n = 16 qr 1.4 and 5, eigh 4.5 and 20,
/// svd 6.8 and 30, eig 10 and 45; at 32 qr 10 and 22, eigh 25 and 72, svd 43 and 108, eig 59 and 214.
fn is_small<T: Field>(largest: usize, m: usize, n: usize, items: usize) -> bool {
    let size = m.max(n);
    let lanes = <T::Lanes<true> as Lanes>::W;
    let lapack = routines::<T>().is_some();
    let half = 2 * items >= lanes || !lapack;
    size <= 4 || (size <= MAX_HALF && half) || (size <= largest && items >= lanes)
}

/// Works on the items that failed in lanes by another algorithm, `f`, which reports those where that fails as well.
pub(super) fn again<const N: usize>(
    batch: &Batch<N>,
    failures: Failures,
    f: impl Fn(&Failures, usize, [isize; N]),
) -> Vec<Failure> {
    let left = Failures::default();
    for failure in failures.sorted() {
        f(&left, failure.item, batch.walk(failure.item).offsets);
    }
    left.sorted()
}

/// Vectors, one per item of a batch, as matrices with one column.
pub(super) fn vectors<T: Element>(v: &mut ViewMut) -> Mat<T> {
    let shape = [v.shape(), &[1]].concat();
    let strides = [v.strides(), &[0]].concat();
    matrices(v.ptr(), v.dtype(), &shape, &strides)
}

/// # Safety
/// `a` is readable.
pub(super) unsafe fn is_finite<T: Field>(a: Mat<T>) -> bool {
    // Along the memory.
    let a = if a.cs.abs() < a.rs.abs() { a.t() } else { a };
    // SAFETY: all indices are inside.
    (0..a.cols).all(|j| (0..a.rows).all(|i| unsafe { a.get(i, j) }.is_finite()))
}

/// Column-major memory for a matrix.
pub(super) struct Columns<T> {
    memory: Vec<T>,
    rows: usize,
    cols: usize,
}

impl<T: Field> Columns<T> {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        Columns { memory: vec![T::default(); rows * cols], rows, cols }
    }
    pub(super) fn mat(&mut self) -> Mat<T> {
        Mat::columns(self.memory.as_mut_ptr(), self.rows, self.cols)
    }
    /// To be read only.
    pub(super) fn shared(&self) -> Mat<T> {
        Mat::columns(self.memory.as_ptr().cast_mut(), self.rows, self.cols)
    }
}

/// # Safety
/// `a` is writable.
unsafe fn identity<T: Field>(a: Mat<T>) {
    // SAFETY: the caller's contract.
    unsafe {
        a.fill(T::default());
        let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
        (0..a.rows.min(a.cols)).for_each(|i| a.set(i, i, one));
    }
}

/// # Safety
/// `to` is writable and as long as `values`.
pub(super) unsafe fn put<T: Copy>(values: &[T], to: Mat<T>) {
    // SAFETY: the caller's contract.
    values.iter().enumerate().for_each(|(i, &x)| unsafe { to.set(i, 0, x) });
}

/// A = Q R for `(..., m, n)`, with LAPACK's signs: `r` is `(..., k, n)` and `q`, if wanted, `(..., m, k)`, where k is m or
/// min(m, n). Items that are not finite become NaN.
pub fn qr(a: &View, q: Option<&mut ViewMut>, r: &mut ViewMut) {
    dispatch_inexact!(a.dtype(), T => qr_of::<T>(a, q, r))
}

fn qr_of<T: Field>(a: &View, q: Option<&mut ViewMut>, r: &mut ViewMut) {
    let lead = a.ndim() - 2;
    let strides_q = q.as_ref().map_or(&a.strides()[..lead], |q| &q.strides()[..lead]);
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], strides_q, &r.strides()[..lead]]);
    let (ma, mr) = (input::<T>(a), output::<T>(r));
    let mq = q.map(|q| output::<T>(q));
    let (m, n) = (ma.rows, ma.cols);
    assert!(mr.cols == n && (mr.rows == m || mr.rows == m.min(n)) && r.shape()[..lead] == a.shape()[..lead]);
    assert!(mq.is_none_or(|q| q.rows == m && q.cols == mr.rows));
    if is_small::<T>(MAX, m, n, batch.len()) {
        for_each_small::<T>(batch.len(), 4 * m * n * n, |range| {
            run(rotations::Qr { a: ma, q: mq, r: mr, batch: &batch, range });
        });
        return;
    }
    for_each_large(&batch, 4.0 * (m * n * m.min(n)) as f64, |_, [oa, oq, or]| {
        let (a, q, r) = (ma.offset(oa), mq.map(|q| q.offset(oq)), mr.offset(or));
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            if !is_finite(a) {
                q.inspect(|q| q.fill(<T as Field>::NAN));
                return r.fill(<T as Field>::NAN);
            }
            if m.min(n) == 0 {
                q.inspect(|q| identity(*q));
                return r.fill(T::default());
            }
            let Some(lapack) = routines::<T>() else { return fallback::qr(a, q, r) };
            let mut memory = Columns::new(m, n.max(q.map_or(0, |q| q.cols)));
            let columns = memory.mat();
            columns.block(0, 0, m, n).copy_from(a);
            let mut tau = vec![T::default(); m.min(n)];
            householder::qr(lapack, columns.block(0, 0, m, n), &mut tau);
            take_factors(columns, &tau, q, r);
        }
    });
}

/// R and Q from reflections in column-major memory.
///
/// # Safety
/// The matrices may be read and written.
unsafe fn take_factors<T: Field>(columns: Mat<T>, tau: &[T], q: Option<Mat<T>>, r: Mat<T>) {
    // SAFETY: the caller's contract; all indices are inside.
    unsafe {
        r.copy_from(columns.block(0, 0, r.rows, r.cols));
        (1..r.rows).for_each(|i| r.block(i, 0, 1, i.min(r.cols)).fill(T::default()));
        if let Some(q) = q {
            let part = columns.block(0, 0, columns.rows, q.cols);
            householder::q(routines::<T>().expect("who called had it"), part, tau);
            q.copy_from(part);
        }
    }
}

/// A P = Q R with column pivoting for `(..., m, n)`: as [`qr`], and `order`, int64 `(..., n)`, names the column of A that came
/// to each place.
pub fn pivoted_qr(a: &View, q: &mut ViewMut, r: &mut ViewMut, order: &mut ViewMut) {
    dispatch_inexact!(a.dtype(), T => pivoted_qr_of::<T>(a, q, r, order))
}

fn pivoted_qr_of<T: Field>(a: &View, q: &mut ViewMut, r: &mut ViewMut, order: &mut ViewMut) {
    let lead = a.ndim() - 2;
    let batch = Batch::new(
        &a.shape()[..lead],
        [&a.strides()[..lead], &q.strides()[..lead], &r.strides()[..lead], &order.strides()[..lead]],
    );
    let (ma, mq, mr, mo) = (input::<T>(a), output::<T>(q), output::<T>(r), vectors::<i64>(order));
    let (m, n) = (ma.rows, ma.cols);
    assert!(mr.cols == n && mq.rows == m && mq.cols == mr.rows && mo.rows == n);
    assert!(mr.rows == m || mr.rows == m.min(n));
    for_each_large(&batch, 4.0 * (m * n * m.min(n)) as f64, |_, [oa, oq, or, oo]| {
        let (a, q, r) = (ma.offset(oa), mq.offset(oq), mr.offset(or));
        // Places are counted from 1; a column whose place is given would stay in front.
        let mut places: Vec<i64> = vec![0; n];
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            if !is_finite(a) {
                q.fill(<T as Field>::NAN);
                r.fill(<T as Field>::NAN);
                places = (0..n as i64).collect();
            } else if m.min(n) == 0 {
                identity(q);
                r.fill(T::default());
                places = (0..n as i64).collect();
            } else if let Some(lapack) = routines::<T>() {
                let mut memory = Columns::new(m, n.max(q.cols));
                let columns = memory.mat();
                columns.block(0, 0, m, n).copy_from(a);
                let mut tau = vec![T::default(); m.min(n)];
                lapack.pivoted_qr(columns.block(0, 0, m, n), &mut places, &mut tau);
                take_factors(columns, &tau, Some(q), r);
                places.iter_mut().for_each(|p| *p -= 1);
            } else {
                fallback::pivoted_qr(a, q, r, &mut places);
            }
            put(&places, mo.offset(oo));
        }
    });
}

/// Ascending eigenvalues `w`, real `(..., n)`, and eigenvectors, the columns of `v`, of Hermitian `(..., n, n)`, of which
/// only the one triangle is read. Items that are not finite become NaN; those without convergence do and are reported.
pub fn eigh(a: &View, w: &mut ViewMut, v: Option<&mut ViewMut>, upper: bool) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => eigh_of::<T>(a, w, v, upper))
}

fn eigh_of<T: Field>(a: &View, w: &mut ViewMut, v: Option<&mut ViewMut>, upper: bool) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    let strides_v = v.as_ref().map_or(&a.strides()[..lead], |v| &v.strides()[..lead]);
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &w.strides()[..lead], strides_v]);
    let (ma, mw) = (input::<T>(a), vectors::<T::Part>(w));
    let mv = v.map(|v| output::<T>(v));
    let n = ma.rows;
    assert!(ma.cols == n && mw.rows == n && mv.is_none_or(|v| v.rows == n && v.cols == n));
    let whole = |failures: &Failures, item: usize, [oa, ow, ov]: [isize; 3]| {
        let (a, w, v) = (ma.offset(oa), mw.offset(ow), mv.map(|v| v.offset(ov)));
        let mut memory = Columns::<T>::new(n, n);
        let columns = memory.mat();
        let mut values = vec![T::Part::default(); n];
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            // The lower triangle, from the upper one by conjugation; the rest does not count.
            columns.copy_from(if upper { a.t() } else { a });
            for j in 0..n {
                columns.set(j, j, T::from_parts(a.get(j, j).parts().0, <T::Part as Scalar>::ZERO));
                columns.block(0, j, j, 1).fill(T::default());
                if upper && !T::IS_REAL {
                    (j + 1..n).for_each(|i| columns.set(i, j, columns.get(i, j).conjugate()));
                }
            }
            let mut done = Err(0);
            let finite = is_finite(columns);
            if finite {
                done = match routines::<T>() {
                    Some(lapack) if v.is_some() && n >= householder::LEAST => {
                        divide::eigh(lapack, columns, &mut values)
                    }
                    Some(lapack) => lapack.eigh(columns, &mut values, v.is_some()),
                    None => fallback::eigh(columns, &mut values, v.is_some()),
                };
                done.inspect_err(|_| failures.report(item, 0)).ok();
            }
            if done.is_err() {
                values.fill(<T::Part as Field>::NAN);
                columns.fill(<T as Field>::NAN);
            }
            put(&values, w);
            v.inspect(|v| v.copy_from(columns));
        }
    };
    let failures = Failures::default();
    if is_small::<T>(most_steps(mv.is_some()), n, n, batch.len()) {
        for_each_small::<T>(batch.len(), 20 * n * n * n, |range| {
            run(rotations::Eigh { a: ma, w: mw, v: mv, upper, batch: &batch, range, failures: &failures });
        });
        return again(&batch, failures, whole);
    }
    for_each_large(&batch, 8.0 * (n * n * n) as f64, |item, offsets| whole(&failures, item, offsets));
    failures.sorted()
}

/// Descending singular values `s`, real `(..., min(m, n))`, of `(..., m, n)`, and the factors U `(..., m, k)` and
/// V^H `(..., l, n)`, where k is m and l is n, or both min(m, n). Failures as in [`eigh`].
pub fn svd(a: &View, s: &mut ViewMut, factors: Option<(&mut ViewMut, &mut ViewMut)>) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => svd_of::<T>(a, s, factors))
}

fn svd_of<T: Field>(a: &View, s: &mut ViewMut, factors: Option<(&mut ViewMut, &mut ViewMut)>) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    let none = &a.strides()[..lead];
    let (strides_u, strides_v) =
        factors.as_ref().map_or((none, none), |(u, vh)| (&u.strides()[..lead], &vh.strides()[..lead]));
    let ma = input::<T>(a);
    let (m, n) = (ma.rows, ma.cols);
    let strides_s = &s.strides()[..lead];
    let ms = vectors::<T::Part>(s);
    let factors = factors.map(|(u, vh)| (output::<T>(u), output::<T>(vh)));
    assert!(ms.rows == m.min(n));
    assert!(factors.is_none_or(|(u, vh)| {
        u.rows == m && vh.cols == n && ((u.cols, vh.rows) == (m, n) || (u.cols, vh.rows) == (m.min(n), m.min(n)))
    }));
    let batch = Batch::new(&a.shape()[..lead], [none, strides_u, strides_s, strides_v]);
    let whole = |failures: &Failures, item: usize, [oa, ou, os, ov]: [isize; 4]| {
        let a = ma.offset(oa);
        let to = factors.map(|(u, vh)| (u.offset(ou), vh.offset(ov)));
        let mut memory = Columns::<T>::new(m, n);
        let mut memory_u = Columns::<T>::new(m, to.map_or(0, |(u, _)| u.cols));
        let mut memory_v = Columns::<T>::new(to.map_or(0, |(_, vh)| vh.rows), n);
        let (columns, u, vh) = (memory.mat(), memory_u.mat(), memory_v.mat());
        let mut values = vec![T::Part::default(); m.min(n)];
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            if m.min(n) == 0 {
                to.inspect(|(u, vh)| {
                    identity(*u);
                    identity(*vh);
                });
                return;
            }
            let mut done = Err(0);
            if is_finite(a) {
                let factors = to.map(|_| (u, vh));
                columns.copy_from(a);
                let divided = |lapack: &Routines, values: &mut [T::Part]| match factors {
                    Some((u, vh)) if m.min(n) >= householder::LEAST => divide::svd(lapack, columns, values, u, vh),
                    _ => lapack.svd(columns, values, factors, true),
                };
                done = match routines::<T>() {
                    Some(lapack) => divided(lapack, &mut values).or_else(|_| {
                        // Divide and conquer may fail where QR iterations do not.
                        columns.copy_from(a);
                        lapack.svd(columns, &mut values, factors, false)
                    }),
                    None => fallback::svd(columns, &mut values, factors),
                };
                done.inspect_err(|_| failures.report(item, 0)).ok();
            }
            if done.is_err() {
                values.fill(<T::Part as Field>::NAN);
                u.fill(<T as Field>::NAN);
                vh.fill(<T as Field>::NAN);
            }
            put(&values, ms.offset(os));
            if let Some((to_u, to_vh)) = to {
                to_u.copy_from(u);
                to_vh.copy_from(vh);
            }
        }
    };
    let failures = Failures::default();
    let items: usize = a.shape()[..lead].iter().product();
    if is_small::<T>(most_steps(factors.is_some()), m, n, items) {
        // A wide matrix is decomposed as its adjoint.
        let wide = m < n;
        let (a2, f2, strides) = if wide {
            (ma.t(), factors.map(|(u, vh)| (vh.t(), u.t())), [none, strides_v, strides_s, strides_u])
        } else {
            (ma, factors, [none, strides_u, strides_s, strides_v])
        };
        let lanes = Batch::new(&a.shape()[..lead], strides);
        let (m, n) = (a2.rows, a2.cols);
        for_each_small::<T>(items, 30 * m * n * n, |range| {
            run(rotations::Svd { a: a2, s: ms, factors: f2, conj: wide, batch: &lanes, range, failures: &failures });
        });
        return again(&batch, failures, whole);
    }
    for_each_large(&batch, 20.0 * (m * n * m.min(n)) as f64, |item, offsets| whole(&failures, item, offsets));
    failures.sorted()
}

/// Eigenvalues `w`, complex `(..., n)`, and right eigenvectors of norm 1, the columns of the complex `v`, of `(..., n, n)`.
/// Failures as in [`eigh`].
pub fn eig(a: &View, w: &mut ViewMut, v: Option<&mut ViewMut>) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => eig_of::<T>(a, w, v))
}

fn eig_of<T: Field>(a: &View, w: &mut ViewMut, v: Option<&mut ViewMut>) -> Vec<Failure>
where
    Complex<T::Part>: Field<Part = T::Part>,
{
    let lead = a.ndim() - 2;
    let strides_v = v.as_ref().map_or(&a.strides()[..lead], |v| &v.strides()[..lead]);
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &w.strides()[..lead], strides_v]);
    let (ma, mw) = (input::<T>(a), vectors::<Complex<T::Part>>(w));
    let mv = v.map(|v| output::<Complex<T::Part>>(v));
    let n = ma.rows;
    assert!(ma.cols == n && mw.rows == n && mv.is_none_or(|v| v.rows == n && v.cols == n));
    let whole = |failures: &Failures, item: usize, [oa, ow, ov]: [isize; 3]| {
        let (a, w, v) = (ma.offset(oa), mw.offset(ow), mv.map(|v| v.offset(ov)));
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            let done = if is_finite(a) { eig_item(a, w, v).inspect_err(|_| failures.report(item, 0)) } else { Err(0) };
            if done.is_err() {
                let nan = <Complex<T::Part> as Field>::NAN;
                w.fill(nan);
                v.inspect(|v| v.fill(nan));
            }
        }
    };
    let failures = Failures::default();
    if is_small::<T>(eigen::MAX, n, n, batch.len()) && n > 0 {
        for_each_small::<T>(batch.len(), 40 * n * n * n, |range| {
            run(eigen::Eig { a: ma, w: mw, v: mv, batch: &batch, range, failures: &failures });
        });
        return again(&batch, failures, whole);
    }
    for_each_large(&batch, 25.0 * (n * n * n) as f64, |item, offsets| whole(&failures, item, offsets));
    failures.sorted()
}

/// # Safety
/// `a` is readable, the others are writable.
unsafe fn eig_item<T: Field>(
    a: Mat<T>,
    to_w: Mat<Complex<T::Part>>,
    to_v: Option<Mat<Complex<T::Part>>>,
) -> Result<(), usize> {
    let n = a.rows;
    if n == 0 {
        return Ok(());
    }
    // SAFETY: the caller's contract, and memory of our own.
    unsafe {
        let Some(lapack) = routines::<T>() else {
            let mut w = vec![Complex::default(); n];
            let mut v = vec![Complex::default(); if to_v.is_some() { n * n } else { 0 }];
            fallback::eig(a, &mut w, to_v.is_some().then_some(&mut v[..]))?;
            let narrow = |z: Complex<f64>| {
                let cast = |x| num_traits::NumCast::from(x).unwrap_or(<T::Part as Field>::NAN);
                Complex::new(cast(z.re), cast(z.im))
            };
            w.iter().enumerate().for_each(|(i, &z)| to_w.set(i, 0, narrow(z)));
            if let Some(to) = to_v {
                v.iter().enumerate().for_each(|(e, &z)| to.set(e % n, e / n, narrow(z)));
            }
            return Ok(());
        };
        let (mut memory, mut memory_v) = (Columns::<T>::new(n, n), Columns::<T>::new(n, n));
        let (columns, v) = (memory.mat(), memory_v.mat());
        columns.copy_from(a);
        let (mut re, mut im) = (vec![T::default(); n], vec![T::default(); n]);
        lapack.eig(columns, &mut re, &mut im, to_v.map(|_| v))?;
        let whole = |z: T| Complex::new(z.parts().0, z.parts().1);
        let w: Vec<Complex<T::Part>> = re
            .iter()
            .zip(&im)
            .map(|(&x, &y)| if T::IS_REAL { Complex::new(x.parts().0, y.parts().0) } else { whole(x) })
            .collect();
        put(&w, to_w);
        if let Some(to) = to_v {
            if T::IS_REAL {
                fallback::unpack(n, &w, |i, j| v.get(i, j).parts().0, |i, j, z| to.set(i, j, z));
            } else {
                (0..n).for_each(|j| (0..n).for_each(|i| to.set(i, j, whole(v.get(i, j)))));
            }
        }
        Ok(())
    }
}

/// A = Z T Z^H for `(..., n, n)`, T triangular, for real matrices with 2 x 2 blocks on the diagonal.
pub fn schur(a: &View, t: &mut ViewMut, z: &mut ViewMut) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => two_factors::<T>(a, t, z, true))
}

/// A = Q H Q^H for `(..., n, n)`, H zero below its first subdiagonal.
pub fn hessenberg(a: &View, h: &mut ViewMut, q: &mut ViewMut) {
    dispatch_inexact!(a.dtype(), T => two_factors::<T>(a, h, q, false));
}

fn two_factors<T: Field>(a: &View, middle: &mut ViewMut, unitary: &mut ViewMut, schur: bool) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    let batch =
        Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &middle.strides()[..lead], &unitary.strides()[..lead]]);
    let (ma, mm, mu) = (input::<T>(a), output::<T>(middle), output::<T>(unitary));
    let n = ma.rows;
    assert!(ma.cols == n && [mm, mu].iter().all(|m| m.rows == n && m.cols == n));
    let failures = Failures::default();
    for_each_large(&batch, 25.0 * (n * n * n) as f64, |item, [oa, om, ou]| {
        let (mut memory, mut memory_u) = (Columns::<T>::new(n, n), Columns::<T>::new(n, n));
        let (columns, u) = (memory.mat(), memory_u.mat());
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            columns.copy_from(ma.offset(oa));
            let mut done = Err(0);
            if is_finite(columns) {
                done = match routines::<T>() {
                    None => fallback::similarity(columns, u, schur),
                    Some(lapack) if schur => lapack.schur(columns, u),
                    Some(lapack) => {
                        lapack.hessenberg(columns, u);
                        Ok(())
                    }
                };
                done.inspect_err(|_| failures.report(item, 0)).ok();
            }
            if done.is_err() {
                columns.fill(<T as Field>::NAN);
                u.fill(<T as Field>::NAN);
            }
            mm.offset(om).copy_from(columns);
            mu.offset(ou).copy_from(u);
        }
    });
    failures.sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_fail_in_lanes_are_tried_again() {
        let batch = Batch::new(&[2, 3], [&[30, 10], &[3, 1]]);
        let failures = Failures::default();
        [5, 1, 4].into_iter().for_each(|item| failures.report(item, 0));
        let seen = std::sync::Mutex::new(Vec::new());
        let left = again(&batch, failures, |failures, item, offsets| {
            seen.lock().unwrap().push((item, offsets));
            if item == 4 {
                failures.report(item, 0);
            }
        });
        assert_eq!(*seen.lock().unwrap(), [(1, [10, 1]), (4, [40, 4]), (5, [50, 5])]);
        assert_eq!(left, [Failure { item: 4, pivot: 0 }]);
    }
}
