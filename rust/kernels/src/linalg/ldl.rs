//! L D L^H and L D L^T with the diagonal pivoting of Bunch and Kaufman (Math. Comp. 31, 1977; Golub and Van Loan, Matrix
//! Computations, 4th ed., 4.4).
#![allow(unsafe_code)]

use super::batch::Batch;
use super::blocked::take_off;
use super::dense::{Columns, is_finite, put, vectors};
use super::field::{Field, Job, Scalar, run};
use super::mat::Mat;
use super::{for_each_large, input, output};
use crate::{View, ViewMut};

/// Which matrices are meant, and which of their triangles is read.
#[derive(Clone, Copy, Debug)]
pub struct Ldl {
    /// A = L D L^H from the lower triangle, with a lower L; else both are upper.
    pub lower: bool,
    /// Otherwise the matrix and D are symmetric, complex or not, and the last factor is L^T.
    pub hermitian: bool,
}

/// P A P^T = L D L^H for `(..., n, n)`: a unit triangle `l`, `d` with blocks of 1 and 2 on the diagonal, and `order`, int64
/// `(..., n)`, the row of A that came to each place. Items that are not finite become NaN.
pub fn ldl(a: &View, l: &mut ViewMut, d: &mut ViewMut, order: &mut ViewMut, kind: Ldl) {
    dispatch_inexact!(a.dtype(), T => ldl_of::<T>(a, l, d, order, kind));
}

fn ldl_of<T: Field>(a: &View, l: &mut ViewMut, d: &mut ViewMut, order: &mut ViewMut, kind: Ldl) {
    let lead = a.ndim() - 2;
    let batch = Batch::new(
        &a.shape()[..lead],
        [&a.strides()[..lead], &l.strides()[..lead], &d.strides()[..lead], &order.strides()[..lead]],
    );
    // In reverse order an upper triangle is a lower one.
    let turn = |m: Mat<T>| if kind.lower { m } else { m.reversed() };
    let (ma, ml, md, mo) = (input::<T>(a), output::<T>(l), output::<T>(d), vectors::<i64>(order));
    let n = ma.rows;
    assert!(ma.cols == n && [ml, md].iter().all(|m| m.rows == n && m.cols == n) && mo.rows == n);
    for_each_large(&batch, (n * n * n) as f64 / 2.0, |_, [oa, ol, od, oo]| {
        let (a, l, d) = (turn(ma.offset(oa)), turn(ml.offset(ol)), turn(md.offset(od)));
        let mut places: Vec<i64> = (0..n as i64).collect();
        let mut memory = Columns::<T>::new(n, n);
        let columns = memory.mat();
        // SAFETY: the views' contracts, and memory of our own; all indices are inside.
        unsafe {
            for j in 0..n {
                (j..n).for_each(|i| columns.set(i, j, a.get(i, j)));
                if kind.hermitian {
                    columns.set(j, j, real(columns.get(j, j)));
                }
            }
            if is_finite(columns) {
                // Complex quotients square their divisors.
                let power = largest_of(columns).power_below();
                let inverse = <T::Part as Scalar>::ONE / power;
                (0..n).for_each(|j| (j..n).for_each(|i| columns.set(i, j, times(columns.get(i, j), inverse))));
                let pairs = factorize(columns, &mut places, kind.hermitian);
                let one = T::from_parts(<T::Part as Scalar>::ONE, <T::Part as Scalar>::ZERO);
                l.fill(T::default());
                d.fill(T::default());
                for j in 0..n {
                    l.set(j, j, one);
                    d.set(j, j, times(columns.get(j, j), power));
                    let below = j + 1 + pairs[j] as usize;
                    (below..n).for_each(|i| l.set(i, j, columns.get(i, j)));
                    if pairs[j] {
                        let x = times(columns.get(j + 1, j), power);
                        d.set(j + 1, j, x);
                        d.set(j, j + 1, x.conjugate_if(kind.hermitian));
                    }
                }
            } else {
                l.fill(<T as Field>::NAN);
                d.fill(<T as Field>::NAN);
            }
            if !kind.lower {
                places.reverse();
                places.iter_mut().for_each(|p| *p = n as i64 - 1 - *p);
            }
            put(&places, mo.offset(oo));
        }
    });
}

fn real<T: Field>(x: T) -> T {
    T::from_parts(x.parts().0, <T::Part as Scalar>::ZERO)
}

fn times<T: Field>(x: T, factor: T::Part) -> T {
    let (re, im) = x.parts();
    T::from_parts(re * factor, im * factor)
}

/// |Re| + |Im|, as LAPACK's.
fn size<T: Field>(x: T) -> T::Part {
    let (re, im) = x.parts();
    num_traits::Float::abs(re) + num_traits::Float::abs(im)
}

/// The size of the largest element of a lower triangle.
///
/// # Safety
/// The triangle is readable.
unsafe fn largest_of<T: Field>(a: Mat<T>) -> T::Part {
    let zero = <T::Part as Scalar>::ZERO;
    // SAFETY: inside.
    (0..a.cols).fold(zero, |m, j| num_traits::Float::max(m, unsafe { largest(a, j, j).1 }))
}

/// Row and value of the largest element of a column from row `start` on.
///
/// # Safety
/// The column is readable.
unsafe fn largest<T: Field>(a: Mat<T>, start: usize, j: usize) -> (usize, T::Part) {
    let mut best = (start, <T::Part as Scalar>::ZERO);
    for i in start..a.rows {
        // SAFETY: inside.
        let s = size(unsafe { a.get(i, j) });
        if s > best.1 {
            best = (i, s);
        }
    }
    best
}

/// Factorizes the lower triangle in place; the result names the columns in which a block of 2 starts, whose element below
/// the diagonal is in the matrix.
///
/// # Safety
/// `a` is column-major and may be read and written.
unsafe fn factorize<T: Field>(a: Mat<T>, order: &mut [i64], hermitian: bool) -> Vec<bool> {
    let n = a.rows;
    let mut pairs = vec![false; n];
    // (1 + sqrt 17) / 8, with which elements grow least.
    let alpha: T::Part = num_traits::NumCast::from(0.640_388_203_202_207_6).unwrap_or(<T::Part as Scalar>::ONE);
    let mut first: Vec<T> = Vec::with_capacity(n);
    let mut second: Vec<T> = Vec::with_capacity(n);
    let mut k = 0;
    while k < n {
        // SAFETY: all indices are inside.
        unsafe {
            let here = size(a.get(k, k));
            let (row, below) = if k + 1 < n { largest(a, k + 1, k) } else { (k, <T::Part as Scalar>::ZERO) };
            if here == <T::Part as Scalar>::ZERO && below == <T::Part as Scalar>::ZERO {
                k += 1;
                continue;
            }
            let (mut pivot, mut width) = (k, 1);
            if here < alpha * below {
                let mut across = if row + 1 < n { largest(a, row + 1, row).1 } else { <T::Part as Scalar>::ZERO };
                (k..row).for_each(|j| across = num_traits::Float::max(across, size(a.get(row, j))));
                if here < alpha * below * (below / across) {
                    pivot = row;
                    width = if size(a.get(row, row)) >= alpha * across { 1 } else { 2 };
                }
            }
            exchange(a, k + width - 1, pivot, hermitian);
            order.swap(k + width - 1, pivot);
            pairs[k] = width == 2;
            let next = k + width;
            first.clear();
            second.clear();
            first.extend((next..n).map(|i| a.get(i, k)));
            if width == 1 {
                let x = a.get(k, k);
                (next..n).for_each(|i| a.set(i, k, a.get(i, k) / x));
            } else {
                second.extend((next..n).map(|i| a.get(i, k + 1)));
                // (c1, c2) B^-1, with all numbers over the element beside the diagonal of B, which is large in it.
                let x = a.get(k + 1, k);
                let (re, im) = x.parts();
                let s = T::from_parts(num_traits::Float::hypot(re, im), <T::Part as Scalar>::ZERO);
                let (u, v) = (x / s, x.conjugate_if(hermitian) / s);
                let (p, q) = (a.get(k + 1, k + 1) / s, a.get(k, k) / s);
                let det = p * q - u * v;
                for (i, (&c1, &c2)) in (next..n).zip(first.iter().zip(&second)) {
                    a.set(i, k, (c1 * p - c2 * u) / det / s);
                    a.set(i, k + 1, (c2 * q - c1 * v) / det / s);
                }
            }
            run(Update { a, k, next, columns: [&first, &second], hermitian });
            k = next;
        }
    }
    pairs
}

/// Exchanges rows and columns `p <= q` of a matrix of which the lower triangle is there, and rows of the factor left of it.
///
/// # Safety
/// `a` may be read and written.
unsafe fn exchange<T: Field>(a: Mat<T>, p: usize, q: usize, hermitian: bool) {
    if p == q {
        return;
    }
    // SAFETY: all indices are inside, and the places differ.
    unsafe {
        (0..p).for_each(|j| a.at(p, j).swap(a.at(q, j)));
        (q + 1..a.rows).for_each(|i| a.at(i, p).swap(a.at(i, q)));
        for i in p + 1..q {
            let (x, y) = (a.get(i, p), a.get(q, i));
            a.set(i, p, y.conjugate_if(hermitian));
            a.set(q, i, x.conjugate_if(hermitian));
        }
        a.set(q, p, a.get(q, p).conjugate_if(hermitian));
        a.at(p, p).swap(a.at(q, q));
    }
}

/// What is left of the lower triangle after columns `k..next` of the factor, which are in `a`; `columns` are those of the
/// matrix.
struct Update<'a, T> {
    a: Mat<T>,
    k: usize,
    next: usize,
    columns: [&'a [T]; 2],
    hermitian: bool,
}

impl<T: Field> Job for Update<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Update { a, k, next, columns, hermitian } = self;
        for j in next..a.cols {
            let mut factors = [T::default(); 2];
            for (factor, column) in factors.iter_mut().zip(columns).take(next - k) {
                *factor = column[j - next].conjugate_if(hermitian);
            }
            // SAFETY: all indices are inside, and the columns are contiguous by the contract of `factorize`.
            unsafe {
                if next - k == 2 {
                    take_off::<T::Lanes<FMA>, 2>(a, [k, k + 1], factors, j, j);
                } else {
                    take_off::<T::Lanes<FMA>, 1>(a, [k], [factors[0]], j, j);
                }
            }
            if hermitian {
                // SAFETY: inside.
                unsafe { a.set(j, j, T::from_parts(a.get(j, j).parts().0, <T::Part as Scalar>::ZERO)) }
            }
        }
    }
}
