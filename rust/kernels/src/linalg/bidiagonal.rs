//! Singular value decompositions, one matrix per SIMD lane, by bidiagonal form and implicit QR steps (Golub and Van Loan, Matrix
//! Computations, 4th ed., 8.6), where rotations of columns take longer. Every lane has its own window, where the others rest.

use super::field::{Lanes, RealLanes, Scalar};
use super::rotations::{Parts, Reflection, one, reflection, zero};
use super::tridiagonal::{Windows, givens, largest, reflect_rows, reorder, rotate_rows, sorted, wilkinson};

/// QR steps per column after which an item counts as failed; usually 2 are enough.
const STEPS: usize = 30;

/// The memory of decompositions of m x n matrices with m >= n.
pub(super) struct Bidiagonal<L: Lanes> {
    m: usize,
    n: usize,
    /// The diagonal, and what is above it: element k at (k, k + 1).
    d: Vec<Parts<L>>,
    e: Vec<Parts<L>>,
    /// 1 at k where `e` is in a lane's window, the last block of more than one column.
    live: Vec<Parts<L>>,
    /// Rotations of rows and columns.
    left: [Vec<Parts<L>>; 2],
    right: [Vec<Parts<L>>; 2],
    tau_left: Vec<L>,
    tau_right: Vec<L>,
    reflector: Vec<L>,
    sums: Vec<L>,
}

impl<L: Lanes> Bidiagonal<L> {
    #[inline(always)]
    pub(super) fn new(m: usize, n: usize) -> Self {
        let numbers = || vec![zero::<L>(); n + 1];
        let elements = |n: usize| vec![L::ZERO; n];
        Bidiagonal {
            m,
            n,
            d: numbers(),
            e: numbers(),
            live: numbers(),
            left: [numbers(), numbers()],
            right: [numbers(), numbers()],
            tau_left: elements(n),
            tau_right: elements(n),
            reflector: elements(m),
            sums: elements(m),
        }
    }

    /// Descending singular values `s` of row-major matrices with largest elements near 1, and unless they are empty the columns
    /// of U, n or m of them, and V. Returns the lanes that did not converge.
    #[inline(always)]
    pub(super) fn svd(&mut self, a: &mut [L], u: &mut [L], v: &mut [L], s: &mut [Parts<L>]) -> u32 {
        let (m, n) = (self.m, self.n);
        self.reduce(a);
        if !v.is_empty() {
            let cols = u.len() / m;
            self.accumulate(a, u, v, cols);
        }
        let failed = self.steps(u, v);
        for k in 0..n {
            let sign = one::<L>().with_sign_of(self.d[k]);
            s[k] = self.d[k].abs();
            for row in v.chunks_exact_mut(n) {
                row[k] = row[k].scaled(sign);
            }
        }
        if let Some(orders) = sorted(s, true)
            && !v.is_empty()
        {
            reorder(&orders, v, n, &mut self.sums);
            reorder(&orders, u, u.len() / m, &mut self.sums);
        }
        failed
    }

    /// A = U B V^H; the vectors of the reflections end up below the diagonal and right of the one above it.
    #[inline(always)]
    fn reduce(&mut self, a: &mut [L]) {
        let (m, n) = (self.m, self.n);
        for k in 0..n {
            let mut rest = zero::<L>();
            for i in k + 1..m {
                rest = rest + a[i * n + k].square();
            }
            let Reflection { tau, beta, divisor, needed } = reflection(a[k * n + k], rest, one::<L>());
            (self.tau_left[k], self.d[k]) = (tau, beta);
            for i in k + 1..m {
                let x = a[i * n + k].div(divisor).scaled(needed);
                a[i * n + k] = x;
                self.reflector[i] = x;
            }
            reflect_rows(&self.reflector, tau.conj(), a, n, k, [k + 1, n], &mut self.sums);
            if k + 1 == n {
                break;
            }
            let row = &mut a[k * n..k * n + n];
            let mut rest = zero::<L>();
            for j in k + 2..n {
                rest = rest + row[j].square();
            }
            let Reflection { tau, beta, divisor, needed } = reflection(row[k + 1].conj(), rest, one::<L>());
            (self.tau_right[k], self.e[k]) = (tau, beta);
            let v = &mut self.reflector[..n];
            v[k + 1] = L::from_re(one::<L>());
            for j in k + 2..n {
                v[j] = row[j].conj().div(divisor).scaled(needed);
                row[j] = v[j];
            }
            for i in k + 1..m {
                let row = &mut a[i * n..i * n + n];
                let mut sum = L::ZERO;
                for j in k + 1..n {
                    sum = sum.add_mul(row[j], v[j]);
                }
                let sum = L::ZERO.add_mul(sum, tau);
                for j in k + 1..n {
                    row[j] = row[j].sub_mul_conj(sum, v[j]);
                }
            }
        }
        self.e[n - 1] = zero::<L>();
    }

    /// The products of the reflections from the left and from the right.
    #[inline(always)]
    fn accumulate(&mut self, a: &[L], u: &mut [L], v: &mut [L], cols: usize) {
        let (m, n) = (self.m, self.n);
        u.fill(L::ZERO);
        v.fill(L::ZERO);
        for i in 0..cols {
            u[i * cols + i] = L::from_re(one::<L>());
        }
        for i in 0..n {
            v[i * n + i] = L::from_re(one::<L>());
        }
        for k in (0..n).rev() {
            for i in k + 1..m {
                self.reflector[i] = a[i * n + k];
            }
            reflect_rows(&self.reflector, self.tau_left[k], u, cols, k, [k, cols], &mut self.sums);
            if k + 1 < n {
                self.reflector[k + 2..n].copy_from_slice(&a[k * n + k + 2..k * n + n]);
                reflect_rows(&self.reflector[..n], self.tau_right[k], v, n, k + 1, [k + 1, n], &mut self.sums);
            }
        }
    }

    /// Diagonalizes the bidiagonal form. Returns the lanes that did not converge.
    #[inline(always)]
    fn steps(&mut self, u: &mut [L], v: &mut [L]) -> u32 {
        let n = self.n;
        let (none, some) = (zero::<L>(), one::<L>());
        let eps = Parts::<L>::all(<L::Real as Scalar>::EPS);
        let rounding = eps * largest(&self.d, &self.e);
        let tiny = rounding * Parts::<L>::all(L::Real::HALF * L::Real::HALF * L::Real::HALF);
        let mut started = none;
        for _ in 0..STEPS * n {
            let mut windows = Windows::new(n);
            // The last two columns of the window, and the size of the smallest element on its diagonal.
            let (mut a, mut b, mut off, mut before, mut least) = (none, none, none, none, rounding + rounding);
            self.live[n - 1] = none;
            for k in (0..n - 1).rev() {
                let e = self.e[k];
                let bound = eps * (self.d[k].abs() + self.d[k + 1].abs());
                let coupled = e.abs().greater(bound, some, none);
                let coupled = e.abs().greater(tiny, coupled, none);
                self.e[k] = coupled.greater(none, e, none);
                let last = windows.add(k, coupled, some, &mut self.live);
                a = last.greater(none, self.d[k], a);
                b = last.greater(none, self.d[k + 1], b);
                off = last.greater(none, e, off);
                if k > 0 {
                    before = last.greater(none, self.e[k - 1], before);
                }
                let smaller = self.d[k].abs().greater(self.d[k + 1].abs(), self.d[k + 1].abs(), self.d[k].abs());
                least = self.live[k].greater(none, least.greater(smaller, smaller, least), least);
            }
            let Windows { top, bottom, .. } = windows;
            started = windows.started;
            if !started.some_positive() {
                return 0;
            }
            // Wilkinson's shift of B^T B, or none where B is singular to rounding, which splits that value off.
            let shift = wilkinson(a * a + before * before, a * off, b * b + off * off);
            let shifted = least.greater(rounding, some, none);
            let (mut x, mut z) = (none, none);
            for k in top..bottom + 1 {
                let on = self.live[k];
                let begins = if k > top { on * (some - self.live[k - 1]) } else { on };
                let (dk, ek) = (self.d[k], self.e[k]);
                let x_shifted = shifted.greater(none, dk * dk - shift, dk);
                let z_shifted = shifted.greater(none, dk * ek, ek);
                let x_here = begins.greater(none, x_shifted, x);
                let z_here = begins.greater(none, z_shifted, z);
                let (c, s, r) = givens::<L>(x_here, z_here, on);
                if k > top {
                    self.e[k - 1] = (on - begins).greater(none, r, self.e[k - 1]);
                }
                let f = c * dk + s * ek;
                let e = c * ek - s * dk;
                let g = s * self.d[k + 1];
                let d = c * self.d[k + 1];
                (self.right[0][k], self.right[1][k]) = (c, s);
                let (c, s, r) = givens::<L>(f, g, on);
                self.d[k] = on.greater(none, r, dk);
                self.e[k] = c * e + s * d;
                self.d[k + 1] = c * d - s * e;
                x = self.e[k];
                z = s * self.e[k + 1];
                self.e[k + 1] = c * self.e[k + 1];
                (self.left[0][k], self.left[1][k]) = (c, s);
            }
            if !v.is_empty() {
                let cols = u.len() / self.m;
                let end = bottom + 1;
                rotate_rows(v, n, &self.right[0][..end], &self.right[1][..end], top);
                rotate_rows(u, cols, &self.left[0][..end], &self.left[1][..end], top);
            }
        }
        !L::from_re(started).zero()
    }
}
