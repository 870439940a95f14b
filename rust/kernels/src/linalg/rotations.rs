//! Small QR, Hermitian eigenvalue and singular value decompositions, one matrix per SIMD lane: Householder reflections and
//! Jacobi rotations (Golub and Van Loan, Matrix Computations, 4th ed., 5.2, 8.5 and 8.6.3), which have no branches on data
//! and find small singular values well.
#![allow(unsafe_code)]

use super::Failures;
use super::batch::Batch;
use super::bidiagonal::Bidiagonal;
use super::field::{Field, Job, Lanes, RealLanes, Scalar, apart};
use super::mat::Mat;
use super::small::{Groups, load, places, report, store, unrolled};
use super::tridiagonal::Tridiagonal;
use std::ops::Range;

/// The largest matrix that is worked on this way.
pub(crate) const MAX: usize = 32;

/// The largest matrices whose eigenvalues, and the most columns whose singular values are found by rotations.
const MAX_EIGH: usize = 8;
const MAX_SVD: usize = 8;

/// Sweeps after which an item counts as failed; usually 5 to 9 are enough.
const SWEEPS: usize = 60;

pub(super) type Parts<L> = <L as Lanes>::Size;

#[inline(always)]
pub(super) fn zero<L: Lanes>() -> Parts<L> {
    Parts::<L>::all(<L::Real as Scalar>::ZERO)
}

#[inline(always)]
pub(super) fn one<L: Lanes>() -> Parts<L> {
    Parts::<L>::all(<L::Real as Scalar>::ONE)
}

/// Divides each matrix by the power of two below its largest element, so that squares stay in range. Returns the powers and
/// the lanes that are not finite.
#[inline(always)]
fn rescale<L: Lanes>(a: &mut [L]) -> (Parts<L>, u32) {
    let mut largest = zero::<L>();
    let mut check = zero::<L>();
    for x in a.iter() {
        let size = x.size();
        largest = size.greater(largest, size, largest);
        check = check + size * zero::<L>();
    }
    let power = largest.power_below();
    let factor = one::<L>() / power;
    for x in a.iter_mut() {
        *x = x.scaled(factor);
    }
    (power, !L::from_re(check).zero())
}

/// Sets some lanes to 0.
#[inline(always)]
pub(super) fn clear<L: Lanes>(lanes: u32, values: &mut [L]) {
    if lanes != 0 {
        for lane in (0..L::W).filter(|lane| lanes >> lane & 1 == 1) {
            values.iter_mut().for_each(|x| x.set(lane, L::Elem::default()));
        }
    }
}

/// The rotation that makes the off-diagonal element `g` of ((a, g), (conj g, b)) zero, so that the smaller eigenvalue comes
/// to the place of a: its cosine, its sine with the phase of `g`, and what moves from a to b. Nothing is rotated where
/// `weight` is 0.
///
/// Values in order make sweeps converge quadratically where values repeat too, because equal ones are neighbours then (van
/// Kempen, Numer. Math. 9, 1966; de Rijk, SIAM J. Sci. Stat. Comput. 10, 1989).
#[inline(always)]
fn rotation<L: Lanes>(a: Parts<L>, b: Parts<L>, g: L, weight: Parts<L>) -> (Parts<L>, L, Parts<L>) {
    let (zero, one) = (zero::<L>(), one::<L>());
    let square = g.square();
    let half = (b - a) * Parts::<L>::all(L::Real::HALF);
    // The larger root of x^2 - 2 |half| x - |g|^2: the rotation is (d, g) or (|g|, d g / |g|) over its length.
    let d = half.abs() + (half * half + square).sqrt();
    // The square of a smaller one has too few digits for a sine: between equal a and b it would not fit the cosine.
    let active = square.greater(Parts::<L>::all(L::Real::TINY), weight, zero);
    let unit = active.greater(zero, one, zero);
    let d = active.greater(zero, d, one);
    let factor = one / (d * d + square).sqrt();
    let size = g.magnitude();
    let turned = zero.greater(half, unit, zero);
    let c = turned.greater(zero, size, d) * factor;
    let s = turned.greater(zero, d / active.greater(zero, size, one), one) * factor * unit;
    let moved = turned.greater(zero, d, square / d) * unit;
    (unit.greater(zero, c, one), g.scaled(s), moved)
}

/// (x, y) becomes (c x - conj(s) y, s x + c y).
#[inline(always)]
fn rotate<L: Lanes>(x: &mut L, y: &mut L, c: Parts<L>, s: L) {
    let (u, v) = (*x, *y);
    *x = u.scaled(c).sub_mul_conj(v, s);
    *y = v.scaled(c).add_mul(s, u);
}

/// Exchanges the lanes of `x` and `y` where `mask` is 1.
#[inline(always)]
fn exchange<L: Lanes>(mask: Parts<L>, x: &mut L, y: &mut L) {
    L::swap_where(mask, 1, x, y);
}

/// Diagonalizes Hermitian matrices in the upper triangle of `a`; the eigenvectors become the columns of `v` unless that is
/// empty, the eigenvalues `w`, ascending. Returns the lanes that did not converge.
#[inline(always)]
fn eigh<L: Lanes>(a: &mut [L], v: &mut [L], w: &mut [Parts<L>], n: usize) -> u32 {
    let w = &mut w[..n];
    let vectors = !v.is_empty();
    if vectors {
        for (k, x) in v.iter_mut().enumerate() {
            *x = if k % (n + 1) == 0 { L::from_re(one::<L>()) } else { L::ZERO };
        }
    }
    let eps = <L::Real as Scalar>::EPS;
    let tolerance = Parts::<L>::all(eps * eps);
    let mut active = one::<L>();
    for _ in 0..SWEEPS {
        let mut norm = zero::<L>();
        let mut off = zero::<L>();
        for p in 0..n {
            norm = norm + a[p * n + p].square();
            for q in p + 1..n {
                let square = a[p * n + q].square();
                off = square.greater(off, square, off);
            }
        }
        // Off-diagonal elements of eps times the norm show in the eigenvalues no more than the rounding of the matrix does, and
        // the rotations before made the eigenvectors as good.
        active = off.greater(norm * tolerance, active, zero::<L>());
        if !active.some_positive() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let (c, s, moved) = rotation(a[p * n + p].re(), a[q * n + q].re(), a[p * n + q], active);
                a[p * n + p] = L::from_re(a[p * n + p].re() - moved);
                a[q * n + q] = L::from_re(a[q * n + q].re() + moved);
                let g = a[p * n + q];
                // A lane at rest keeps its element.
                a[p * n + q] = g.scaled(one::<L>() - active);
                for k in 0..p {
                    let (mut x, mut y) = (a[k * n + p], a[k * n + q]);
                    rotate(&mut x, &mut y, c, s);
                    (a[k * n + p], a[k * n + q]) = (x, y);
                }
                for k in p + 1..q {
                    let (mut x, mut y) = (a[p * n + k].conj(), a[k * n + q]);
                    rotate(&mut x, &mut y, c, s);
                    (a[p * n + k], a[k * n + q]) = (x.conj(), y);
                }
                for k in q + 1..n {
                    let (mut x, mut y) = (a[p * n + k].conj(), a[q * n + k].conj());
                    rotate(&mut x, &mut y, c, s);
                    (a[p * n + k], a[q * n + k]) = (x.conj(), y.conj());
                }
                if vectors {
                    for k in 0..n {
                        let (mut x, mut y) = (v[k * n + p], v[k * n + q]);
                        rotate(&mut x, &mut y, c, s);
                        (v[k * n + p], v[k * n + q]) = (x, y);
                    }
                }
            }
        }
    }
    for k in 0..n {
        w[k] = a[k * n + k].re();
    }
    // A sorting network of neighbours.
    for end in (1..n).rev() {
        for p in 0..end {
            let wrong = w[p].greater(w[p + 1], one::<L>(), zero::<L>());
            let (low, high) = (wrong.greater(zero::<L>(), w[p + 1], w[p]), wrong.greater(zero::<L>(), w[p], w[p + 1]));
            (w[p], w[p + 1]) = (low, high);
            if vectors {
                for k in 0..n {
                    let (mut x, mut y) = (v[k * n + p], v[k * n + p + 1]);
                    exchange(wrong, &mut x, &mut y);
                    (v[k * n + p], v[k * n + p + 1]) = (x, y);
                }
            }
        }
    }
    !L::from_re(active).zero()
}

/// The reflection I - tau v v^H, v = (1, x / divisor), whose adjoint brings (alpha, x) to (beta, 0) with a real beta.
#[derive(Clone, Copy)]
pub(super) struct Reflection<L: Lanes> {
    pub(super) tau: L,
    pub(super) beta: Parts<L>,
    pub(super) divisor: L,
    /// 0 in the lanes that stay as they are.
    pub(super) needed: Parts<L>,
}

/// With LAPACK's signs; `rest` is |x|^2. None where `wanted` is 0, and where squares leave the range: what is dropped there is
/// negligible beside elements near 1.
#[inline(always)]
pub(super) fn reflection<L: Lanes>(alpha: L, rest: Parts<L>, wanted: Parts<L>) -> Reflection<L> {
    let im = alpha.im();
    let needed = (rest + im * im).greater(Parts::<L>::all(L::Real::TINY), wanted, zero::<L>());
    let norm = (alpha.square() + rest).sqrt();
    let beta = needed.greater(zero::<L>(), -norm.with_sign_of(alpha.re()), alpha.re());
    let divisor = needed.greater(zero::<L>(), beta, one::<L>());
    let difference = L::from_re(beta).minus(alpha);
    Reflection {
        tau: difference.scaled(needed / divisor),
        beta,
        divisor: difference.scaled(-one::<L>()).or_one(),
        needed,
    }
}

/// Reflects column k of row-major matrices with n columns below row `head` to zero and the columns after it along; v ends up
/// below `head` in column k. Returns tau.
#[inline(always)]
pub(super) fn reflect_column<L: Lanes>(a: &mut [L], m: usize, n: usize, head: usize, k: usize) -> L {
    let mut rest = zero::<L>();
    for i in head + 1..m {
        rest = rest + a[i * n + k].square();
    }
    let Reflection { tau, beta, divisor, needed } = reflection(a[head * n + k], rest, one::<L>());
    for i in head + 1..m {
        a[i * n + k] = a[i * n + k].div(divisor).scaled(needed);
    }
    a[head * n + k] = L::from_re(beta);
    for j in k + 1..n {
        let mut sum = a[head * n + j].conj();
        for i in head + 1..m {
            sum = sum.add_mul(a[i * n + j].conj(), a[i * n + k]);
        }
        // conj(tau) v^H x, conjugated
        let sum = L::ZERO.add_mul(sum, tau).conj();
        a[head * n + j] = a[head * n + j].minus(sum);
        for i in head + 1..m {
            a[i * n + j] = a[i * n + j].sub_mul(a[i * n + k], sum);
        }
    }
    tau
}

/// Reflects the columns of row-major m x n matrices one after the other onto triangles; the vectors of the reflections
/// I - tau v v^H end up below the diagonal.
#[inline(always)]
fn reflect<L: Lanes>(a: &mut [L], m: usize, n: usize, tau: &mut [L; MAX]) {
    for k in 0..m.min(n) {
        tau[k] = reflect_column(a, m, n, k, k);
    }
}

/// The first columns of the product of the reflections that [`reflect`] left in `a`: `q` is m x cols.
#[inline(always)]
pub(super) fn product<L: Lanes>(a: &[L], m: usize, n: usize, tau: &[L], q: &mut [L], cols: usize) {
    for (e, x) in q.iter_mut().enumerate() {
        *x = if e / cols == e % cols { L::from_re(one::<L>()) } else { L::ZERO };
    }
    for k in (0..m.min(n)).rev() {
        for j in k..cols {
            let mut sum = q[k * cols + j];
            for i in k + 1..m {
                // conj(v) q = conj(conj(q) v)
                sum = sum.add_mul(a[i * n + k].conj(), q[i * cols + j]);
            }
            let sum = L::ZERO.add_mul(tau[k], sum);
            q[k * cols + j] = q[k * cols + j].minus(sum);
            for i in k + 1..m {
                q[i * cols + j] = q[i * cols + j].sub_mul(a[i * n + k], sum);
            }
        }
    }
}

/// Makes the columns of row-major m x n matrices, m >= n, orthogonal by rotations from the right, which `v` collects unless
/// it is empty; then sorts them by their norms `s`, descending. Returns the lanes that did not converge.
#[inline(always)]
fn orthogonalize<L: Lanes>(a: &mut [L], v: &mut [L], s: &mut [Parts<L>], m: usize, n: usize) -> u32 {
    let s = &mut s[..n];
    let vectors = !v.is_empty();
    for (k, x) in v.iter_mut().enumerate() {
        *x = if k % (n + 1) == 0 { L::from_re(one::<L>()) } else { L::ZERO };
    }
    let eps = <L::Real as Scalar>::EPS;
    let size: L::Real = num_traits::NumCast::from(m).unwrap_or(eps);
    let tolerance = Parts::<L>::all(eps * eps * size);
    let tiny = Parts::<L>::all(L::Real::TINY);
    let mut active = one::<L>();
    for _ in 0..SWEEPS {
        if !active.some_positive() {
            break;
        }
        let mut rotated = zero::<L>();
        for p in 0..n {
            for q in p + 1..n {
                let (mut x2, mut y2, mut g) = (zero::<L>(), zero::<L>(), L::ZERO);
                for i in 0..m {
                    let (x, y) = (a[i * n + p], a[i * n + q]);
                    x2 = x2 + x.square();
                    y2 = y2 + y.square();
                    g = g.add_mul(x.conj(), y);
                }
                let needed = g.square().greater(tolerance * x2 * y2 + tiny, active, zero::<L>());
                rotated = needed.greater(zero::<L>(), needed, rotated);
                // The larger norm comes first.
                let (c, sine, _) = rotation(-x2, -y2, L::ZERO.minus(g), needed);
                for i in 0..m {
                    let (mut x, mut y) = (a[i * n + p], a[i * n + q]);
                    rotate(&mut x, &mut y, c, sine);
                    (a[i * n + p], a[i * n + q]) = (x, y);
                }
                if vectors {
                    for i in 0..n {
                        let (mut x, mut y) = (v[i * n + p], v[i * n + q]);
                        rotate(&mut x, &mut y, c, sine);
                        (v[i * n + p], v[i * n + q]) = (x, y);
                    }
                }
            }
        }
        active = rotated;
    }
    for j in 0..n {
        let mut sum = zero::<L>();
        for i in 0..m {
            sum = sum + a[i * n + j].square();
        }
        s[j] = sum.sqrt();
    }
    for end in (1..n).rev() {
        for p in 0..end {
            let wrong = s[p + 1].greater(s[p], one::<L>(), zero::<L>());
            let (high, low) = (wrong.greater(zero::<L>(), s[p + 1], s[p]), wrong.greater(zero::<L>(), s[p], s[p + 1]));
            (s[p], s[p + 1]) = (high, low);
            if !vectors {
                continue;
            }
            for i in 0..m {
                let (mut x, mut y) = (a[i * n + p], a[i * n + p + 1]);
                exchange(wrong, &mut x, &mut y);
                (a[i * n + p], a[i * n + p + 1]) = (x, y);
            }
            for i in 0..n {
                let (mut x, mut y) = (v[i * n + p], v[i * n + p + 1]);
                exchange(wrong, &mut x, &mut y);
                (v[i * n + p], v[i * n + p + 1]) = (x, y);
            }
        }
    }
    !L::from_re(active).zero()
}

/// U of matrices whose columns are orthogonal: R of their QR decomposition is diagonal up to rounding, and Q orthogonal even
/// where a column is 0.
#[inline(always)]
fn left_vectors<L: Lanes>(a: &mut [L], u: &mut [L], tau: &mut [L; MAX], m: usize, n: usize, cols: usize) {
    reflect(a, m, n, tau);
    product(a, m, n, tau, u, cols);
    for j in 0..n {
        let sign = one::<L>().with_sign_of(a[j * n + j].re());
        for i in 0..m {
            u[i * cols + j] = u[i * cols + j].scaled(sign);
        }
    }
}

/// Row `values` of real numbers of a group's items.
///
/// # Safety
/// The items' rows are writable and as long as `values`.
#[inline(always)]
unsafe fn store_parts<S: RealLanes, const N: usize>(
    values: &[S],
    scale: S,
    row: Mat<S::Real>,
    group: &[[isize; N]],
    operand: usize,
) {
    for (lane, offsets) in group.iter().enumerate() {
        let row = row.offset(offsets[operand]);
        for (i, value) in values.iter().enumerate() {
            // SAFETY: the caller's contract.
            unsafe { row.set(i, 0, value.lane(lane) * scale.lane(lane)) }
        }
    }
}

/// `eigh` of a range of the batch; the operands are `a`, the eigenvalues and the eigenvectors.
pub(crate) struct Eigh<'a, T: Field> {
    pub(crate) a: Mat<T>,
    pub(crate) w: Mat<T::Part>,
    pub(crate) v: Option<Mat<T>>,
    /// Which triangle of `a` is read.
    pub(crate) upper: bool,
    pub(crate) batch: &'a Batch<3>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for Eigh<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        // The conjugate of the transpose is the matrix.
        let upper = if self.upper { self.a } else { self.a.t() };
        let places_a = places(upper);
        let places_v = self.v.map(places);
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut v = vec![T::Lanes::<FMA>::ZERO; if self.v.is_some() { n * n } else { 0 }];
        let mut w = vec![zero::<T::Lanes<FMA>>(); n];
        let mut steps = (n > MAX_EIGH).then(|| Tridiagonal::new(n));
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, upper, &places_a, group, 0, !self.upper);
                // What is below the diagonal is not read.
                for i in 0..n {
                    a[i * n + i] = T::Lanes::<FMA>::from_re(a[i * n + i].re());
                    (0..i).for_each(|j| a[i * n + j] = T::Lanes::<FMA>::ZERO);
                }
                let (back, bad) = rescale(&mut a);
                clear(bad, &mut a);
                let failed = match &mut steps {
                    Some(steps) => apart::<FMA, _>(
                        #[inline(always)]
                        || steps.eigh(&mut a, &mut v, &mut w),
                    ),
                    None => unrolled!(n => apart::<FMA, _>(#[inline(always)] || eigh(&mut a, &mut v, &mut w, n))),
                };
                report(failed, 0, first, group.len(), self.failures);
                store_parts(&w[..n], back, self.w, group, 1);
                if let (Some(to), Some(places)) = (self.v, &places_v) {
                    store(&v, to, places, group, 2);
                }
                for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| (bad | failed) >> lane & 1 == 1) {
                    self.w.offset(offsets[1]).fill(<T::Part as Field>::NAN);
                    self.v.inspect(|v| v.offset(offsets[2]).fill(<T as Field>::NAN));
                }
            }
        }
    }
}

/// `qr` of a range of the batch; the operands are `a`, `q` and `r`, as many rows of which as there are columns of `q`.
pub(crate) struct Qr<'a, T> {
    pub(crate) a: Mat<T>,
    pub(crate) q: Option<Mat<T>>,
    pub(crate) r: Mat<T>,
    pub(crate) batch: &'a Batch<3>,
    pub(crate) range: Range<usize>,
}

impl<T: Field> Job for Qr<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let (m, n, rows) = (self.a.rows, self.a.cols, self.r.rows);
        let cols = self.q.map_or(0, |q| q.cols);
        let (places_a, places_r) = (places(self.a), places(self.r));
        let places_q = self.q.map(places);
        let mut a = vec![T::Lanes::<FMA>::ZERO; m * n];
        let mut q = vec![T::Lanes::<FMA>::ZERO; m * cols];
        let mut tau = [T::Lanes::<FMA>::ZERO; MAX];
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((_, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, false);
                let (back, bad) = rescale(&mut a);
                unrolled!(n => reflect(&mut a, m, n, &mut tau));
                if let (Some(to), Some(places)) = (self.q, &places_q) {
                    unrolled!(n => product(&a, m, n, &tau, &mut q, cols));
                    store(&q, to, places, group, 1);
                }
                for i in 0..rows {
                    for j in 0..n {
                        let x = a[i * n + j];
                        a[i * n + j] = if i > j { T::Lanes::<FMA>::ZERO } else { x.scaled(back) };
                    }
                }
                store(&a[..rows * n], self.r, &places_r, group, 2);
                for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| bad >> lane & 1 == 1) {
                    self.q.inspect(|q| q.offset(offsets[1]).fill(<T as Field>::NAN));
                    self.r.offset(offsets[2]).fill(<T as Field>::NAN);
                }
            }
        }
    }
}

/// `svd` of a range of the batch of matrices with at least as many rows as columns; the operands are `a`, `u`, the singular
/// values and `vh`, whose two factors are both there or both not.
pub(crate) struct Svd<'a, T: Field> {
    pub(crate) a: Mat<T>,
    pub(crate) s: Mat<T::Part>,
    /// `u` and V^H of the decomposition of `a`.
    pub(crate) factors: Option<(Mat<T>, Mat<T>)>,
    /// Whether `a` is the adjoint of the matrix meant, and so `u` holds V and `vh` holds U^H.
    pub(crate) conj: bool,
    pub(crate) batch: &'a Batch<4>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for Svd<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let (m, n) = (self.a.rows, self.a.cols);
        let places_a = places(self.a);
        let cols = self.factors.map_or(0, |(u, _)| u.cols);
        let places_of = self.factors.map(|(u, vh)| (places(u), places(vh)));
        let mut a = vec![T::Lanes::<FMA>::ZERO; m * n];
        let mut v = vec![T::Lanes::<FMA>::ZERO; if cols > 0 { n * n } else { 0 }];
        let mut u = vec![T::Lanes::<FMA>::ZERO; m * cols];
        let mut vh = v.clone();
        let mut tau = [T::Lanes::<FMA>::ZERO; MAX];
        let mut s = vec![zero::<T::Lanes<FMA>>(); n];
        let mut steps = (n > MAX_SVD).then(|| Bidiagonal::new(m, n));
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, self.conj);
                let (back, bad) = rescale(&mut a);
                clear(bad, &mut a);
                let failed = match &mut steps {
                    Some(steps) => apart::<FMA, _>(
                        #[inline(always)]
                        || steps.svd(&mut a, &mut u, &mut v, &mut s),
                    ),
                    None => unrolled!(n => {
                        let failed = apart::<FMA, _>(#[inline(always)] || orthogonalize(&mut a, &mut v, &mut s, m, n));
                        if cols > 0 {
                            apart::<FMA, _>(#[inline(always)] || left_vectors(&mut a, &mut u, &mut tau, m, n, cols));
                        }
                        failed
                    }),
                };
                report(failed, 0, first, group.len(), self.failures);
                store_parts(&s[..n], back, self.s, group, 2);
                if let (Some((to_u, to_vh)), Some((places_u, places_vh))) = (self.factors, &places_of) {
                    for j in 0..n {
                        for i in 0..n {
                            vh[j * n + i] = v[i * n + j].conj();
                        }
                    }
                    if self.conj {
                        // The matrix is V S U^H for what we call U S V^H.
                        u.iter_mut().for_each(|x| *x = x.conj());
                        vh.iter_mut().for_each(|x| *x = x.conj());
                    }
                    store(&u, to_u, places_u, group, 1);
                    store(&vh, to_vh, places_vh, group, 3);
                }
                for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| (bad | failed) >> lane & 1 == 1) {
                    self.s.offset(offsets[2]).fill(<T::Part as Field>::NAN);
                    if let Some((u, vh)) = self.factors {
                        u.offset(offsets[1]).fill(<T as Field>::NAN);
                        vh.offset(offsets[3]).fill(<T as Field>::NAN);
                    }
                }
            }
        }
    }
}
