//! What faer lacks, in double precision, for where LAPACK is not installed: complex QR factors with a real diagonal, Hessenberg
//! form, and Schur form by implicit QR steps with one shift for complex and two for real matrices (Golub and Van Loan, Matrix
//! Computations, 2013, sections 5.2, 7.4 and 7.5).

use super::fallback::{Double, Wide};
use faer::Mat;
use std::ops::Range;

/// What makes the first element of a vector real and all others zero: beta and tau with (1 - conj(tau) v v^H) x = beta e_1,
/// where v, whose first element is 1, replaces x. None if x is like that already.
fn reflector<E: Double>(x: &mut [E]) -> Option<(E, E)> {
    if x[0].wide().im == 0.0 && x[1..].iter().all(|z| z.wide() == Wide::ZERO) {
        return None;
    }
    // In units of the largest element, because squares could underflow.
    let most = x.iter().map(|z| z.wide().norm()).fold(0.0, f64::max);
    let alpha = x[0].wide() / most;
    let beta = -x.iter().map(|z| (z.wide() / most).norm_sqr()).sum::<f64>().sqrt().copysign(alpha.re);
    x[1..].iter_mut().for_each(|z| *z = E::of(z.wide() / most / (alpha - beta)));
    x[0] = E::of(Wide::ONE);
    Some((E::of((most * beta).into()), E::of((beta - alpha) / beta)))
}

/// (1 - tau v v^H) A, where v begins in row `first`.
fn reflect_rows<E: Double>(a: &mut Mat<E>, v: &[E], tau: E, first: usize, cols: Range<usize>) {
    for j in cols {
        let part = &mut a.col_as_slice_mut(j)[first..first + v.len()];
        let dot = v.iter().zip(&*part).fold(E::of(Wide::ZERO), |s, (&v, &x)| s + v.conjugate() * x);
        part.iter_mut().zip(v).for_each(|(x, &v)| *x -= tau * dot * v);
    }
}

/// A (1 - tau v v^H), where v begins in column `first`.
fn reflect_columns<E: Double>(a: &mut Mat<E>, v: &[E], tau: E, first: usize, rows: Range<usize>) {
    for i in rows {
        let dot = (0..v.len()).fold(E::of(Wide::ZERO), |s, k| s + a[(i, first + k)] * v[k]);
        (0..v.len()).for_each(|k| a[(i, first + k)] -= tau * dot * v[k].conjugate());
    }
}

/// A = Q R: R in place of `a`, and so many columns of Q.
pub(super) fn qr<E: Double>(a: &mut Mat<E>, columns: usize) -> Mat<E> {
    let n = a.ncols();
    let mut steps = vec![];
    for k in 0..n.min(a.nrows()) {
        let mut v = a.col_as_slice(k)[k..].to_vec();
        if let Some((beta, tau)) = reflector(&mut v) {
            replace(a, k, k, beta, v.len());
            reflect_rows(a, &v, tau.conjugate(), k, k + 1..n);
            steps.push((k, v, tau));
        }
    }
    let mut q = Mat::<E>::identity(a.nrows(), columns);
    steps.iter().rev().for_each(|(k, v, tau)| reflect_rows(&mut q, v, *tau, *k, *k..columns));
    q
}

/// `beta` and zeros below it in a column, from row `first` on.
fn replace<E: Double>(a: &mut Mat<E>, first: usize, column: usize, beta: E, len: usize) {
    let part = &mut a.col_as_slice_mut(column)[first..first + len];
    part.fill(E::of(Wide::ZERO));
    part[0] = beta;
}

/// A = Q H Q^H: H in place of `a`, and Q.
pub(super) fn hessenberg<E: Double>(a: &mut Mat<E>) -> Mat<E> {
    let n = a.nrows();
    let mut q = Mat::<E>::identity(n, n);
    for k in 1..n {
        let mut v = a.col_as_slice(k - 1)[k..].to_vec();
        if let Some((beta, tau)) = reflector(&mut v) {
            replace(a, k, k - 1, beta, v.len());
            reflect_rows(a, &v, tau.conjugate(), k, k..n);
            reflect_columns(a, &v, tau, k, 0..n);
            reflect_columns(&mut q, &v, tau, k, 0..n);
        }
    }
    q
}

/// H = Z T Z^H for a Hessenberg matrix: T in place of `h`, and `z` times Z in its place. T is triangular; for real matrices
/// pairs of complex eigenvalues keep blocks with equal diagonal elements. The row where the iteration did not converge.
pub(super) fn schur<E: Double>(h: &mut Mat<E>, z: &mut Mat<E>) -> Result<(), usize> {
    let Some(mut high) = h.nrows().checked_sub(1) else { return Ok(()) };
    let mut steps = 0;
    while high > 0 {
        let low = (1..=high).rev().find(|&k| is_negligible(h, k)).unwrap_or(0);
        if low > 0 {
            h[(low, low - 1)] = E::of(Wide::ZERO);
        }
        if low == high {
            (high, steps) = (high - 1, 0);
        } else if E::IS_REAL && low + 1 == high {
            standardize(h, z, low);
            (high, steps) = (low.saturating_sub(1), 0);
        } else {
            steps += 1;
            if steps > 60 {
                return Err(high);
            }
            let start = if E::IS_REAL { two_shifts(h, low, high, steps) } else { one_shift(h, low, high, steps) };
            sweep(h, z, low, high, start);
        }
    }
    Ok(())
}

/// Below this, in a matrix of elements near 1, rounding errors are those of subnormal numbers.
const FLOOR: f64 = f64::MIN_POSITIVE / f64::EPSILON;

fn is_negligible<E: Double>(h: &Mat<E>, k: usize) -> bool {
    let at = |i, j| h[(i, j)].wide().l1_norm();
    let size = at(k - 1, k - 1) + at(k, k);
    // Beside a zero diagonal the neighbours tell the size.
    let size = if size == 0.0 { at(k - 1, k) + h[(0, 0)].wide().l1_norm() } else { size };
    at(k, k - 1) <= f64::EPSILON * size || at(k, k - 1) < FLOOR
}

/// The size of the first and last elements of a block, in units of which shifts are computed: their squares could underflow.
fn size<E: Double>(h: &Mat<E>, low: usize, high: usize) -> f64 {
    let corners = [low, (low + 1).min(high - 1), high - 1]
        .into_iter()
        .flat_map(|k| [(k, k), (k, k + 1), (k + 1, k), (k + 1, k + 1)]);
    corners.map(|place| h[place].wide().l1_norm()).fold(0.0, f64::max)
}

/// A multiple of the first column of H - s, s the eigenvalue of the last block nearer to its last element (Wilkinson).
fn one_shift<E: Double>(h: &Mat<E>, low: usize, high: usize, steps: usize) -> [E; 3] {
    let size = size(h, low, high);
    let at = |i, j| h[(i, j)].wide() / size;
    let last = at(high, high);
    let shift = if steps.is_multiple_of(10) {
        last + 0.75 * at(high, high - 1).l1_norm()
    } else {
        let half = 0.5 * (at(high - 1, high - 1) - last);
        let product = at(high - 1, high) * at(high, high - 1);
        let root = (half * half + product).sqrt();
        let sum = if (half + root).norm() >= (half - root).norm() { half + root } else { half - root };
        if sum.l1_norm() < 1e-100 { last } else { last - product / sum }
    };
    [at(low, low) - shift, at(low + 1, low), Wide::ZERO].map(E::of)
}

/// A multiple of the first column of (H - s)(H - t), s and t the eigenvalues of the last block (Francis).
fn two_shifts<E: Double>(h: &Mat<E>, low: usize, high: usize, steps: usize) -> [E; 3] {
    let size = size(h, low, high);
    let at = |i, j| h[(i, j)].wide().re / size;
    let (mut sum, mut product) = (
        at(high - 1, high - 1) + at(high, high),
        at(high - 1, high - 1) * at(high, high) - at(high - 1, high) * at(high, high - 1),
    );
    if steps.is_multiple_of(10) {
        let near = at(high, high - 1).abs() + at(high - 1, high - 2).abs();
        (sum, product) = (1.5 * near, near * near);
    }
    let (a, b, below) = (at(low, low), at(low + 1, low + 1), at(low + 1, low));
    let first = a * (a - sum) + product + at(low, low + 1) * below;
    [first, below * (a + b - sum), below * at(low + 2, low + 1)].map(|x| E::of(x.into()))
}

/// Chases the bulge that a reflection of `start` makes out of the rows from `low` to `high`.
fn sweep<E: Double>(h: &mut Mat<E>, z: &mut Mat<E>, low: usize, high: usize, start: [E; 3]) {
    let n = h.nrows();
    let mut x = start;
    let most = if E::IS_REAL { 3 } else { 2 };
    for k in low..high {
        let size = most.min(high + 1 - k);
        let v = &mut x[..size];
        if let Some((beta, tau)) = reflector(v) {
            if k > low {
                replace(h, k, k - 1, beta, size);
            }
            reflect_rows(h, v, tau.conjugate(), k, k..n);
            reflect_columns(h, v, tau, k, 0..(k + most + 1).min(high + 1));
            reflect_columns(z, v, tau, k, 0..n);
        }
        for (i, x) in x.iter_mut().enumerate() {
            *x = if k + 1 + i <= high { h[(k + 1 + i, k)] } else { E::of(Wide::ZERO) };
        }
    }
}

/// Makes the real block in rows `k` and `k + 1` triangular if its eigenvalues are real, else its diagonal constant (Bai and
/// Demmel, On swapping diagonal blocks in real Schur form, 1993).
fn standardize<E: Double>(h: &mut Mat<E>, z: &mut Mat<E>, k: usize) {
    let block = |h: &Mat<E>| {
        let at = |i, j| h[(k + i, k + j)].wide().re;
        (0.5 * (at(0, 0) - at(1, 1)), at(0, 1), at(1, 0), 0.5 * (at(0, 0) + at(1, 1)))
    };
    let (half, b, c, _) = block(h);
    if half * half + b * c < 0.0 {
        if half != 0.0 {
            let sum = b + c;
            let size = sum.hypot(2.0 * half);
            let cos = (0.5 * (1.0 + sum.abs() / size)).sqrt();
            rotate(h, z, k, cos, -(half / (size * cos)).copysign(half * sum));
        }
        let (_, b, c, mean) = block(h);
        (k..k + 2).for_each(|i| h[(i, i)] = E::of(mean.into()));
        if b * c < 0.0 {
            return;
        }
    }
    let (half, b, c, _) = block(h);
    if c != 0.0 {
        let root = half + (half * half + b * c).max(0.0).sqrt().copysign(half);
        let size = root.hypot(c);
        rotate(h, z, k, root / size, c / size);
        h[(k + 1, k)] = E::of(Wide::ZERO);
    }
}

/// The rows and columns `k` and `k + 1` turned against each other.
fn rotate<E: Double>(h: &mut Mat<E>, z: &mut Mat<E>, k: usize, cos: f64, sin: f64) {
    let n = h.nrows();
    let (cos, sin) = (E::of(cos.into()), E::of(sin.into()));
    for j in k..n {
        let (x, y) = (h[(k, j)], h[(k + 1, j)]);
        (h[(k, j)], h[(k + 1, j)]) = (cos * x + sin * y, cos * y - sin * x);
    }
    for (m, rows) in [(h, k + 2), (z, n)] {
        for i in 0..rows {
            let (x, y) = (m[(i, k)], m[(i, k + 1)]);
            (m[(i, k)], m[(i, k + 1)]) = (cos * x + sin * y, cos * y - sin * x);
        }
    }
}
