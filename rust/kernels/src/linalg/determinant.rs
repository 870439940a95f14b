//! Determinants and inverses from LU factors that are not kept.
#![allow(unsafe_code)]

use super::batch::Batch;
use super::field::{Field, Job, Lanes, Scalar, run};
use super::mat::Mat;
use super::small::{self, Groups, exchange_rows, load, lu, places, report_zeros, store, substitute, unrolled};
use super::{Failure, Failures, Form, Triangle, backend::backend, for_each_large, for_each_small, input, matrices};
use crate::{View, ViewMut};
use std::ops::Range;

/// The determinants of `(..., n, n)`, which overflow and underflow as their values do.
pub fn det(a: &View, det: &mut ViewMut) {
    dispatch_inexact!(a.dtype(), T => determinants::<T>(a, det, None))
}

/// Sign (a number of magnitude 1, or 0) and logarithm of the magnitude of the determinants of `(..., n, n)`.
pub fn slogdet(a: &View, sign: &mut ViewMut, log: &mut ViewMut) {
    dispatch_inexact!(a.dtype(), T => determinants::<T>(a, sign, Some(log)))
}

/// Numbers, one per item of a batch, as 1 x 1 matrices.
fn numbers<T: crate::Element>(v: &mut ViewMut) -> Mat<T> {
    let shape = [v.shape(), &[1, 1]].concat();
    let strides = [v.strides(), &[0, 0]].concat();
    matrices(v.ptr(), v.dtype(), &shape, &strides)
}

fn determinants<T: Field>(a: &View, out: &mut ViewMut, log: Option<&mut ViewMut>) {
    let lead = a.ndim() - 2;
    let ma = input::<T>(a);
    let n = ma.rows;
    assert!(ma.cols == n && out.shape() == &a.shape()[..lead]);
    let strides_log = log.as_ref().map_or(out.strides(), |log| log.strides());
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], out.strides(), strides_log]);
    let out = numbers::<T>(out);
    let log = log.map(|log| {
        assert!(log.ndim() == lead);
        numbers::<T::Part>(log)
    });
    if small::factorizes::<T>(small::MAX_LU, n, batch.len()) {
        for_each_small::<T>(batch.len(), n * n * n, |range| {
            run(Determinant { a: ma, out, log, batch: &batch, range });
        });
        return;
    }
    for_each_large(&batch, (n * n * n) as f64, |_, [oa, out_at, log_at]| {
        let mut memory = vec![T::default(); n * n];
        let mut swaps = vec![0; n];
        let lu = Mat::columns(memory.as_mut_ptr(), n, n);
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            lu.copy_from(ma.offset(oa));
            backend::<T>().lu(lu, &mut swaps);
            let odd = swaps.iter().enumerate().filter(|(i, p)| i != *p).count() % 2 == 1;
            let (value, size) = combine((0..n).map(|i| lu.get(i, i)), odd, log.is_some());
            out.offset(out_at).set(0, 0, value);
            log.inspect(|log| log.offset(log_at).set(0, 0, size));
        }
    });
}

/// The product of the diagonal; or its sign and the logarithm of its magnitude.
#[inline(always)]
fn combine<T: Field>(diagonal: impl Iterator<Item = T>, odd: bool, logarithm: bool) -> (T, T::Part) {
    let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
    let mut value = if odd { -one } else { one };
    let mut log = <T::Part as Scalar>::ZERO;
    for x in diagonal {
        if !logarithm {
            value *= x;
            continue;
        }
        let (re, im) = x.parts();
        let size = num_traits::Float::hypot(re, im);
        if size == <T::Part as Scalar>::ZERO {
            return (T::default(), num_traits::Float::neg_infinity());
        }
        let unit = T::from_parts(re / size, im / size);
        value *= unit;
        log += num_traits::Float::ln(size);
    }
    (value, log)
}

struct Determinant<'a, T: Field> {
    a: Mat<T>,
    out: Mat<T>,
    log: Option<Mat<T::Part>>,
    batch: &'a Batch<3>,
    range: Range<usize>,
}

impl<T: Field> Job for Determinant<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let places_a = places(self.a);
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut rows = [T::Lanes::<FMA>::row(0); small::MAX];
        let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((_, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, false);
                unrolled!(n => lu(&mut a, n, &mut rows));
                if self.log.is_none() {
                    let mut product = T::Lanes::<FMA>::splat(one);
                    for k in 0..n {
                        product = T::Lanes::<FMA>::ZERO.add_mul(product, a[k * n + k]).negated_unless(rows[k], k);
                    }
                    for (lane, offsets) in group.iter().enumerate() {
                        self.out.offset(offsets[1]).set(0, 0, product.get(lane));
                    }
                    continue;
                }
                for (lane, offsets) in group.iter().enumerate() {
                    let odd = (0..n).filter(|&k| T::Lanes::<FMA>::row_of(&rows[k], lane) != k).count() % 2 == 1;
                    let diagonal = (0..n).map(|i| a[i * n + i].get(lane));
                    let (value, size) = combine(diagonal, odd, true);
                    self.out.offset(offsets[1]).set(0, 0, value);
                    self.log.inspect(|log| log.offset(offsets[2]).set(0, 0, size));
                }
            }
        }
    }
}

/// The inverses of `(..., n, n)`. Singular items become NaN and are reported.
pub fn inv(a: &View, x: &mut ViewMut) -> Vec<Failure> {
    dispatch_inexact!(a.dtype(), T => inv_of::<T>(a, x))
}

fn inv_of<T: Field>(a: &View, x: &mut ViewMut) -> Vec<Failure> {
    let lead = a.ndim() - 2;
    let (ma, mx) = (input::<T>(a), super::output::<T>(x));
    let n = ma.rows;
    assert!(ma.cols == n && a.shape() == x.shape());
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &x.strides()[..lead]]);
    let failures = Failures::default();
    if small::factorizes::<T>(small::MAX_INVERSE, n, batch.len()) {
        for_each_small::<T>(batch.len(), 3 * n * n * n, |range| {
            run(Inverse { a: ma, x: mx, batch: &batch, range, failures: &failures });
        });
        return failures.sorted();
    }
    for_each_large(&batch, 2.0 * (n * n * n) as f64, |item, [oa, ox]| {
        let mut memory = vec![T::default(); n * n];
        let mut swaps = vec![0; n];
        let lu = Mat::columns(memory.as_mut_ptr(), n, n);
        let x = mx.offset(ox);
        // SAFETY: the views' contracts, and memory of our own.
        unsafe {
            lu.copy_from(ma.offset(oa));
            if let Some(pivot) = backend::<T>().lu(lu, &mut swaps) {
                x.fill(<T as Field>::NAN);
                return failures.report(item, pivot);
            }
            identity_rows(x, &swaps);
            let triangle = |lower, unit| Triangle { lower, unit, form: Form::Plain };
            backend::<T>().solve(triangle(true, true), lu, x);
            backend::<T>().solve(triangle(false, false), lu, x);
        }
    });
    failures.sorted()
}

struct Inverse<'a, T> {
    a: Mat<T>,
    x: Mat<T>,
    batch: &'a Batch<2>,
    range: Range<usize>,
    failures: &'a Failures,
}

impl<T: Field> Job for Inverse<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let (places_a, places_x) = (places(self.a), places(self.x));
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut x = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut column = [T::Lanes::<FMA>::ZERO; small::MAX];
        let mut rows = [T::Lanes::<FMA>::row(0); small::MAX];
        let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
        let lower = Triangle { lower: true, unit: true, form: Form::Plain };
        let upper = Triangle { lower: false, unit: false, form: Form::Plain };
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, false);
                unrolled!(n => {
                    lu(&mut a, n, &mut rows);
                    for j in 0..n {
                        for (i, x) in column[..n].iter_mut().enumerate() {
                            *x = if i == j { T::Lanes::<FMA>::splat(one) } else { T::Lanes::<FMA>::ZERO };
                        }
                        exchange_rows(&rows, n, &mut column);
                        substitute(&a, n, lower, &mut column);
                        substitute(&a, n, upper, &mut column);
                        (0..n).for_each(|i| x[i * n + j] = column[i]);
                    }
                });
                store(&x, self.x, &places_x, group, 1);
                let zeros = report_zeros(&a, n, first, group.len(), self.failures);
                for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| zeros >> lane & 1 == 1) {
                    self.x.offset(offsets[1]).fill(<T as Field>::NAN);
                }
            }
        }
    }
}

/// The adjugates of `(..., n, n)`, which are `det(A) inv(A)` where that exists: by cofactors up to n = 3, then from the
/// inverse of a well-conditioned matrix, else from its singular value decomposition. Items that are not finite become NaN.
pub fn adjugate(a: &View, x: &mut ViewMut) {
    dispatch_inexact!(a.dtype(), T => adjugate_of::<T>(a, x))
}

fn adjugate_of<T: Field>(a: &View, x: &mut ViewMut) {
    let lead = a.ndim() - 2;
    let (ma, mx) = (input::<T>(a), super::output::<T>(x));
    let n = ma.rows;
    assert!(ma.cols == n && a.shape() == x.shape());
    let batch = Batch::new(&a.shape()[..lead], [&a.strides()[..lead], &x.strides()[..lead]]);
    for_each_large(&batch, 4.0 * (n * n * n) as f64, |_, [oa, ox]| {
        let (a, x) = (ma.offset(oa), mx.offset(ox));
        // SAFETY: the views' contracts.
        unsafe {
            if n <= 3 {
                cofactors(a, x);
            } else if !(0..n).all(|i| (0..n).all(|j| a.get(i, j).is_finite())) {
                x.fill(<T as Field>::NAN);
            } else if !by_inverse(a, x) {
                by_singular_values(a, x);
            }
        }
    });
}

/// # Safety
/// At most 3 x 3; `a` is readable, `x` writable.
unsafe fn cofactors<T: Field>(a: Mat<T>, x: Mat<T>) {
    let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
    // SAFETY: the caller's contract.
    let at = |i: usize, j: usize| unsafe { a.get(i % 3, j % 3) };
    for i in 0..a.rows {
        for j in 0..a.rows {
            let value = match a.rows {
                1 => one,
                2 if i == j => at(1 - i, 1 - j),
                2 => -at(i, j),
                // With indices in cyclic order every minor has a plus.
                _ => at(j + 1, i + 1) * at(j + 2, i + 2) - at(j + 1, i + 2) * at(j + 2, i + 1),
            };
            // SAFETY: the caller's contract.
            unsafe { x.set(i, j, value) }
        }
    }
}

/// The determinant of a column-major matrix, which is destroyed.
///
/// # Safety
/// `a` may be read and written.
unsafe fn det_in_place<T: Field>(a: Mat<T>, swaps: &mut [usize]) -> T {
    // SAFETY: the caller's contract.
    unsafe {
        backend::<T>().lu(a, swaps);
        let odd = swaps.iter().enumerate().filter(|(i, p)| i != *p).count() % 2 == 1;
        combine((0..a.rows).map(|i| a.get(i, i)), odd, false).0
    }
}

/// Whether the adjugate could be had from the inverse without losing half of the digits.
///
/// # Safety
/// `a` is readable, `x` writable.
unsafe fn by_inverse<T: Field>(a: Mat<T>, x: Mat<T>) -> bool {
    let n = a.rows;
    let mut memory = vec![T::default(); n * n];
    let mut swaps = vec![0; n];
    let lu = Mat::columns(memory.as_mut_ptr(), n, n);
    let size = |m: Mat<T>| {
        // SAFETY: the caller's contract.
        let column =
            |j| (0..n).map(|i| magnitude(unsafe { m.get(i, j) })).fold(<T::Part as Scalar>::ZERO, |s, x| s + x);
        (0..n).map(column).fold(<T::Part as Scalar>::ZERO, num_traits::Float::max)
    };
    // SAFETY: the caller's contract, and memory of our own.
    unsafe {
        lu.copy_from(a);
        let det = det_in_place(lu, &mut swaps);
        if det == T::default() || !det.is_finite() {
            return false;
        }
        identity_rows(x, &swaps);
        let triangle = |lower, unit| Triangle { lower, unit, form: Form::Plain };
        backend::<T>().solve(triangle(true, true), lu, x);
        backend::<T>().solve(triangle(false, false), lu, x);
        let condition = size(a) * size(x);
        let limit = num_traits::Float::sqrt(<T::Part as Scalar>::EPS);
        if num_traits::Float::is_nan(condition) || condition * limit > <T::Part as Scalar>::ONE {
            return false;
        }
        (0..n).for_each(|i| (0..n).for_each(|j| x.set(i, j, x.get(i, j) * det)));
    }
    true
}

fn magnitude<T: Field>(x: T) -> T::Part {
    let (re, im) = x.parts();
    num_traits::Float::hypot(re, im)
}

/// The identity with rows exchanged as the pivots say.
///
/// # Safety
/// `x` is writable and square.
unsafe fn identity_rows<T: Field>(x: Mat<T>, swaps: &[usize]) {
    let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
    let mut order: Vec<usize> = (0..x.rows).collect();
    swaps.iter().enumerate().for_each(|(i, &p)| order.swap(i, p));
    // SAFETY: the caller's contract.
    unsafe {
        x.fill(T::default());
        order.iter().enumerate().for_each(|(i, &row)| x.set(i, row, one));
    }
}

/// A = U S V^H has the adjugate det(U) det(V^H) V D U^H, where D has the products of all other singular values.
///
/// # Safety
/// `a` is readable, `x` writable.
unsafe fn by_singular_values<T: Field>(a: Mat<T>, x: Mat<T>) {
    let n = a.rows;
    let mut memory = [(); 4].map(|()| vec![T::default(); n * n]);
    let [copy, u, vh, scratch] = memory.each_mut().map(|m| m.as_mut_ptr());
    let mut s = vec![<T::Part as Scalar>::ZERO; n];
    let (shape, strides) = ([n, n], [n as isize, 1]);
    let rows = |ptr| Mat { ptr, rows: n, cols: n, rs: n as isize, cs: 1 };
    // SAFETY: memory of our own, in C order; `a` and `x` by the caller's contract.
    unsafe {
        rows(copy).copy_from(a);
        let failed = super::svd(
            &View::new(copy.cast(), T::DTYPE, &shape, &strides),
            &mut ViewMut::new(s.as_mut_ptr().cast(), <T::Part as crate::Element>::DTYPE, &[n], &[1]),
            Some((
                &mut ViewMut::new(u.cast(), T::DTYPE, &shape, &strides),
                &mut ViewMut::new(vh.cast(), T::DTYPE, &shape, &strides),
            )),
        );
        if !failed.is_empty() {
            return x.fill(<T as Field>::NAN);
        }
        let (u, vh) = (rows(u), rows(vh));
        let mut swaps = vec![0; n];
        let mut det = |m: Mat<T>| {
            let columns = Mat::columns(scratch, n, n);
            columns.copy_from(m);
            det_in_place(columns, &mut swaps)
        };
        let turn = det(u) * det(vh);
        let others = |i: usize| (0..n).filter(|&j| j != i).fold(<T::Part as Scalar>::ONE, |p, j| p * s[j]);
        let weights: Vec<T> = (0..n).map(|i| T::from_parts(others(i), <T::Part as Scalar>::ZERO) * turn).collect();
        for i in 0..n {
            for j in 0..n {
                let terms = (0..n).map(|k| vh.get(k, i).conjugate() * weights[k] * u.get(j, k).conjugate());
                x.set(i, j, terms.fold(T::default(), |sum, t| sum + t));
            }
        }
    }
}
