//! The routines of [`super::lapack`] by faer and [`super::reflections`], in double precision, for where that library is not installed.
//!
//! Two defects of faer 0.24.4 are kept out: its divide and conquer gives wrong singular values for orthogonal projectors, so
//! no recursion; and eigenvalues depend on the scale of the matrix, so matrices are scaled to largest elements near 1.
#![allow(unsafe_code)]

use super::field::{Field, Scalar};
use super::mat::Mat;
use super::reflections;
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors, SelfAdjointEvdParams};
use faer::linalg::svd::{self, ComputeSvdVectors, SvdParams};
use faer::traits::ComplexField;
use faer::{Auto, Par, Spec};
use num_complex::Complex;

pub(super) type Wide = Complex<f64>;

/// `f64` and `Complex<f64>`.
pub(super) trait Double:
    ComplexField<Real = f64> + Copy + num_traits::NumAssign + std::ops::Neg<Output = Self>
{
    fn of(z: Wide) -> Self;
    fn wide(self) -> Wide;
    fn conjugate(self) -> Self {
        Self::of(self.wide().conj())
    }
}

impl Double for f64 {
    fn of(z: Wide) -> f64 {
        z.re
    }
    fn wide(self) -> Wide {
        Wide::new(self, 0.0)
    }
}

impl Double for Wide {
    fn of(z: Wide) -> Wide {
        z
    }
    fn wide(self) -> Wide {
        self
    }
}

fn widen<T: Field>(x: T) -> Wide {
    let (re, im) = x.parts();
    Wide::new(
        num_traits::ToPrimitive::to_f64(&re).unwrap_or(f64::NAN),
        num_traits::ToPrimitive::to_f64(&im).unwrap_or(f64::NAN),
    )
}

fn part<T: Field>(x: f64) -> T::Part {
    num_traits::NumCast::from(x).unwrap_or(<T::Part as Scalar>::ZERO)
}

fn narrow<T: Field>(z: Wide) -> T {
    T::from_parts(part::<T>(z.re), part::<T>(z.im))
}

/// The matrix over the power of two below its largest element, and that.
///
/// # Safety
/// `a` is readable.
unsafe fn scaled<T: Field, E: Double>(a: Mat<T>) -> (faer::Mat<E>, f64) {
    // SAFETY: all indices are inside.
    let get = |i, j| widen(unsafe { a.get(i, j) });
    let all = (0..a.rows).flat_map(|i| (0..a.cols).map(move |j| (i, j)));
    let largest = all.map(|(i, j)| get(i, j)).fold(0.0, |m: f64, z| m.max(z.re.abs()).max(z.im.abs()));
    let power = largest.power_below();
    (faer::Mat::from_fn(a.rows, a.cols, |i, j| E::of(get(i, j) / power)), power)
}

/// # Safety
/// `to` is writable and has the shape of `from`.
unsafe fn put<T: Field, E: Double>(from: &faer::Mat<E>, to: Mat<T>, factor: f64) {
    for i in 0..to.rows {
        for j in 0..to.cols {
            // SAFETY: inside.
            unsafe { to.set(i, j, narrow(from[(i, j)].wide() * factor)) }
        }
    }
}

/// [`super::lapack::Routines::eigh`].
///
/// # Safety
/// `a` may be read and written.
pub(crate) unsafe fn eigh<T: Field>(a: Mat<T>, w: &mut [T::Part], vectors: bool) -> Result<(), usize> {
    // SAFETY: the caller's contract.
    unsafe { if T::IS_REAL { eigh_in::<T, f64>(a, w, vectors) } else { eigh_in::<T, Wide>(a, w, vectors) } }
}

unsafe fn eigh_in<T: Field, E: Double>(a: Mat<T>, w: &mut [T::Part], vectors: bool) -> Result<(), usize> {
    let n = a.rows;
    // SAFETY: the caller's contract.
    let (m, power) = unsafe { scaled::<T, E>(a) };
    let mut values = Diag::<E>::zeros(n);
    let mut v = faer::Mat::<E>::zeros(n, if vectors { n } else { 0 });
    let params = SelfAdjointEvdParams { recursion_threshold: usize::MAX, ..<SelfAdjointEvdParams as Auto<E>>::auto() };
    let params: Spec<_, E> = params.into();
    let job = if vectors { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let mut memory = MemBuffer::new(evd::self_adjoint_evd_scratch::<E>(n, job, Par::Seq, params));
    let to = vectors.then(|| v.as_mut());
    let done = evd::self_adjoint_evd(m.as_ref(), values.as_mut(), to, Par::Seq, MemStack::new(&mut memory), params);
    done.map_err(|_| n)?;
    (0..n).for_each(|i| w[i] = part::<T>(values[i].wide().re * power));
    if vectors {
        // SAFETY: the caller's contract.
        unsafe { put(&v, a, 1.0) }
    }
    Ok(())
}

/// [`super::lapack::Routines::svd`].
///
/// # Safety
/// `a` is readable, the factors are writable.
pub(crate) unsafe fn svd<T: Field>(
    a: Mat<T>,
    s: &mut [T::Part],
    factors: Option<(Mat<T>, Mat<T>)>,
) -> Result<(), usize> {
    // SAFETY: the caller's contract.
    unsafe { if T::IS_REAL { svd_in::<T, f64>(a, s, factors) } else { svd_in::<T, Wide>(a, s, factors) } }
}

unsafe fn svd_in<T: Field, E: Double>(
    a: Mat<T>,
    s: &mut [T::Part],
    factors: Option<(Mat<T>, Mat<T>)>,
) -> Result<(), usize> {
    let (m, n) = (a.rows, a.cols);
    // SAFETY: the caller's contract.
    let (matrix, power) = unsafe { scaled::<T, E>(a) };
    let mut values = Diag::<E>::zeros(m.min(n));
    let (cols_u, cols_v) = factors.map_or((0, 0), |(u, vh)| (u.cols, vh.rows));
    let (mut u, mut v) = (faer::Mat::<E>::zeros(m, cols_u), faer::Mat::<E>::zeros(n, cols_v));
    let params = SvdParams { recursion_threshold: usize::MAX, ..<SvdParams as Auto<E>>::auto() };
    let params: Spec<_, E> = params.into();
    let job = |cols| match cols {
        0 => ComputeSvdVectors::No,
        c if c == m.min(n) => ComputeSvdVectors::Thin,
        _ => ComputeSvdVectors::Full,
    };
    let scratch = svd::svd_scratch::<E>(m, n, job(cols_u), job(cols_v), Par::Seq, params);
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    let (to_u, to_v) = if factors.is_some() { (Some(u.as_mut()), Some(v.as_mut())) } else { (None, None) };
    svd::svd(matrix.as_ref(), values.as_mut(), to_u, to_v, Par::Seq, stack, params).map_err(|_| m.min(n))?;
    (0..m.min(n)).for_each(|i| s[i] = part::<T>(values[i].wide().re * power));
    if let Some((to_u, to_vh)) = factors {
        // SAFETY: the caller's contract.
        unsafe {
            put(&u, to_u, 1.0);
            for i in 0..to_vh.rows {
                for j in 0..to_vh.cols {
                    to_vh.set(i, j, narrow(v[(j, i)].wide().conj()));
                }
            }
        }
    }
    Ok(())
}

/// All eigenvalues and, where wanted, right eigenvectors of norm 1.
///
/// # Safety
/// `a` is readable.
pub(crate) unsafe fn eig<T: Field>(a: Mat<T>, w: &mut [Wide], v: Option<&mut [Wide]>) -> Result<(), usize> {
    let n = a.rows;
    let vectors = v.is_some();
    let job = if vectors { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let mut columns = faer::Mat::<Wide>::zeros(n, if vectors { n } else { 0 });
    let power;
    if T::IS_REAL {
        // SAFETY: the caller's contract.
        let (m, p) = unsafe { scaled::<T, f64>(a) };
        power = p;
        let (mut re, mut im) = (Diag::<f64>::zeros(n), Diag::<f64>::zeros(n));
        let mut packed = faer::Mat::<f64>::zeros(n, columns.ncols());
        let params = Spec::default();
        let mut memory = MemBuffer::new(evd::evd_scratch::<f64>(n, ComputeEigenvectors::No, job, Par::Seq, params));
        let stack = MemStack::new(&mut memory);
        let to = vectors.then(|| packed.as_mut());
        evd::evd_real(m.as_ref(), re.as_mut(), im.as_mut(), None, to, Par::Seq, stack, params).map_err(|_| n)?;
        (0..n).for_each(|i| w[i] = Wide::new(re[i], im[i]));
        if vectors {
            unpack(n, w, |i, j| packed[(i, j)], |i, j, z| columns[(i, j)] = z);
        }
    } else {
        // SAFETY: the caller's contract.
        let (m, p) = unsafe { scaled::<T, Wide>(a) };
        power = p;
        let mut values = Diag::<Wide>::zeros(n);
        let params = Spec::default();
        let mut memory = MemBuffer::new(evd::evd_scratch::<Wide>(n, ComputeEigenvectors::No, job, Par::Seq, params));
        let stack = MemStack::new(&mut memory);
        let to = vectors.then(|| columns.as_mut());
        evd::evd_cplx(m.as_ref(), values.as_mut(), None, to, Par::Seq, stack, params).map_err(|_| n)?;
        (0..n).for_each(|i| w[i] = values[i]);
    }
    w.iter_mut().for_each(|z| *z *= power);
    if let Some(v) = v {
        for j in 0..n {
            let norm = columns.col(j).norm_l2();
            (0..n).for_each(|i| v[j * n + i] = columns[(i, j)] / norm);
        }
    }
    Ok(())
}

/// Complex eigenvectors from the real form, in which the columns of a pair of conjugate eigenvalues hold real and imaginary
/// part of the first one's.
pub(crate) fn unpack<R: num_traits::Float>(
    n: usize,
    w: &[Complex<R>],
    packed: impl Fn(usize, usize) -> R,
    mut put: impl FnMut(usize, usize, Complex<R>),
) {
    let mut j = 0;
    while j < n {
        let paired = w[j].im != R::zero() && j + 1 < n;
        for i in 0..n {
            let im = if paired { packed(i, j + 1) } else { R::zero() };
            put(i, j, Complex::new(packed(i, j), im));
            if paired {
                put(i, j + 1, Complex::new(packed(i, j), -im));
            }
        }
        j += 1 + paired as usize;
    }
}

/// A = Q R with real numbers on the diagonal of R; `q` has as many columns as `r` has rows.
///
/// # Safety
/// `a` is readable, the factors are writable.
pub(crate) unsafe fn qr<T: Field>(a: Mat<T>, q: Option<Mat<T>>, r: Mat<T>) {
    // SAFETY: the caller's contract.
    unsafe {
        if T::IS_REAL {
            let (m, power) = scaled::<T, f64>(a);
            let factors = m.qr();
            let unitary = |full| if full { factors.compute_Q() } else { factors.compute_thin_Q() };
            put_factors(factors.R(), power, r, q, unitary);
        } else {
            let (m, power) = scaled::<T, Wide>(a);
            put_complex_factors(m, power, r, q);
        }
    }
}

/// A P = Q R with column pivoting, as [`qr`]; `order` becomes the columns of A in their places.
///
/// # Safety
/// `a` is readable, the factors are writable, and `order` is as long as `a` has columns.
pub(crate) unsafe fn pivoted_qr<T: Field>(a: Mat<T>, q: Mat<T>, r: Mat<T>, order: &mut [i64]) {
    // SAFETY: the caller's contract.
    unsafe {
        if T::IS_REAL {
            let (m, power) = scaled::<T, f64>(a);
            let factors = m.col_piv_qr();
            order.iter_mut().zip(factors.P().arrays().0).for_each(|(to, &p)| *to = p as i64);
            let unitary = |full| if full { factors.compute_Q() } else { factors.compute_thin_Q() };
            put_factors(factors.R(), power, r, Some(q), unitary);
        } else {
            let (m, power) = scaled::<T, Wide>(a);
            order.iter_mut().zip(m.col_piv_qr().P().arrays().0).for_each(|(to, &p)| *to = p as i64);
            let exchanged = faer::Mat::from_fn(a.rows, a.cols, |i, j| m[(i, order[j] as usize)]);
            put_complex_factors(exchanged, power, r, Some(q));
        }
    }
}

/// # Safety
/// `r` and `q` are writable, and `q` has as many columns as `r` has rows.
unsafe fn put_factors<T: Field, E: Double>(
    upper: faer::MatRef<E>,
    power: f64,
    r: Mat<T>,
    q: Option<Mat<T>>,
    unitary: impl FnOnce(bool) -> faer::Mat<E>,
) {
    // SAFETY: the caller's contract; all indices are inside.
    unsafe {
        for i in 0..r.rows {
            for j in 0..r.cols {
                r.set(i, j, if i > j { T::default() } else { narrow(upper[(i, j)].wide() * power) });
            }
        }
        q.inspect(|&to| put(&unitary(to.cols == to.rows), to, 1.0));
    }
}

/// Where faer's numbers on the diagonal would be complex and LAPACK's are real.
///
/// # Safety
/// As [`put_factors`].
unsafe fn put_complex_factors<T: Field>(mut a: faer::Mat<Wide>, power: f64, r: Mat<T>, q: Option<Mat<T>>) {
    let unitary = reflections::qr(&mut a, q.map_or(0, |q| q.cols));
    // SAFETY: the caller's contract.
    unsafe { put_factors(a.as_ref(), power, r, q, |_| unitary) }
}

/// A = Z T Z^H with Schur's T, or A = Q H Q^H with one subdiagonal in H, in place of `a`, and the unitary factor.
///
/// # Safety
/// Both may be read and written, and have the same square shape.
pub(crate) unsafe fn similarity<T: Field>(a: Mat<T>, unitary: Mat<T>, to_schur: bool) -> Result<(), usize> {
    // SAFETY: the caller's contract.
    unsafe {
        if T::IS_REAL {
            similarity_in::<T, f64>(a, unitary, to_schur)
        } else {
            similarity_in::<T, Wide>(a, unitary, to_schur)
        }
    }
}

unsafe fn similarity_in<T: Field, E: Double>(a: Mat<T>, unitary: Mat<T>, to_schur: bool) -> Result<(), usize> {
    // SAFETY: the caller's contract.
    unsafe {
        let (mut middle, power) = scaled::<T, E>(a);
        let mut q = reflections::hessenberg(&mut middle);
        if to_schur {
            reflections::schur(&mut middle, &mut q)?;
        }
        put(&middle, a, power);
        put(&q, unitary, 1.0);
    }
    Ok(())
}
