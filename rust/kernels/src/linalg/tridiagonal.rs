//! Hermitian eigenvalue decompositions, one matrix per SIMD lane, by tridiagonal form and implicit QR steps (Golub and Van Loan,
//! Matrix Computations, 4th ed., 8.3), where rotations take longer. Every lane has its own window, where the others rest.

use super::field::{Lanes, RealLanes, Scalar};
use super::rotations::{Parts, Reflection, one, reflection, zero};
use super::small::MAX_LANES;

/// QR steps per row after which an item counts as failed; usually 2 are enough.
const STEPS: usize = 30;

/// Rows that rotations are applied to together, for the sake of the latency of one.
const ROWS: usize = 4;

/// The memory of decompositions of n rows.
pub(super) struct Tridiagonal<L: Lanes> {
    n: usize,
    /// The diagonal, and what is below it.
    d: Vec<Parts<L>>,
    e: Vec<Parts<L>>,
    /// 1 at k where element (k + 1, k) is in a lane's window, the last block of more than one row.
    live: Vec<Parts<L>>,
    cosines: Vec<Parts<L>>,
    sines: Vec<Parts<L>>,
    tau: Vec<L>,
    reflector: Vec<L>,
    product: Vec<L>,
}

impl<L: Lanes> Tridiagonal<L> {
    #[inline(always)]
    pub(super) fn new(n: usize) -> Self {
        let numbers = || vec![zero::<L>(); n + 1];
        let elements = || vec![L::ZERO; n];
        Tridiagonal {
            n,
            d: numbers(),
            e: numbers(),
            live: numbers(),
            cosines: numbers(),
            sines: numbers(),
            tau: elements(),
            reflector: elements(),
            product: elements(),
        }
    }

    /// Diagonalizes Hermitian matrices in the upper triangle of `a`, with largest elements near 1; the eigenvectors become the
    /// columns of `v` unless that is empty, the eigenvalues `w`, ascending. Returns the lanes that did not converge.
    #[inline(always)]
    pub(super) fn eigh(&mut self, a: &mut [L], v: &mut [L], w: &mut [Parts<L>]) -> u32 {
        let n = self.n;
        for i in 0..n {
            for j in 0..i {
                a[i * n + j] = a[j * n + i].conj();
            }
        }
        self.reduce(a);
        if !v.is_empty() {
            self.accumulate(a, v);
        }
        let failed = self.steps(v);
        self.sort(v, w);
        failed
    }

    /// A = Q T Q^H from the lower triangle; the vectors of the reflections end up below the first subdiagonal.
    #[inline(always)]
    fn reduce(&mut self, a: &mut [L]) {
        let n = self.n;
        let half = Parts::<L>::all(L::Real::HALF);
        for k in 0..n - 1 {
            let mut rest = zero::<L>();
            for i in k + 2..n {
                rest = rest + a[i * n + k].square();
            }
            let Reflection { tau, beta, divisor, needed } = reflection(a[(k + 1) * n + k], rest, one::<L>());
            self.tau[k] = tau;
            self.d[k] = a[k * n + k].re();
            self.e[k] = beta;
            let (v, p) = (&mut self.reflector[..n], &mut self.product[..n]);
            v[k + 1] = L::from_re(one::<L>());
            for i in k + 2..n {
                v[i] = a[i * n + k].div(divisor).scaled(needed);
                a[i * n + k] = v[i];
            }
            // p = tau B v, from the lower triangle of B.
            for i in k + 1..n {
                let row = &a[i * n..i * n + i];
                let mut sum = L::ZERO.add_mul(v[i], L::from_re(a[i * n + i].re()));
                for j in k + 1..i {
                    sum = sum.add_mul(row[j], v[j]);
                    p[j] = p[j].add_mul(row[j].conj(), v[i]);
                }
                p[i] = sum;
            }
            let mut dot = L::ZERO;
            for i in k + 1..n {
                p[i] = L::ZERO.add_mul(p[i], tau);
                dot = dot.add_mul(v[i].conj(), p[i]);
            }
            let factor = L::ZERO.add_mul(dot, tau.conj()).scaled(half);
            for i in k + 1..n {
                p[i] = p[i].sub_mul(factor, v[i]);
            }
            // B - v p^H - p v^H
            for i in k + 1..n {
                let row = &mut a[i * n..i * n + i + 1];
                let (x, y) = (v[i], p[i]);
                for j in k + 1..i + 1 {
                    row[j] = row[j].sub_mul_conj(x, p[j]).sub_mul_conj(y, v[j]);
                }
            }
        }
        self.d[n - 1] = a[n * n - 1].re();
    }

    /// The product Q of the reflections.
    #[inline(always)]
    fn accumulate(&mut self, a: &[L], q: &mut [L]) {
        let n = self.n;
        q.fill(L::ZERO);
        for i in 0..n {
            q[i * n + i] = L::from_re(one::<L>());
        }
        for k in (0..n - 1).rev() {
            for i in k + 2..n {
                self.reflector[i] = a[i * n + k];
            }
            reflect_rows(&self.reflector, self.tau[k], q, n, k + 1, [k + 1, n], &mut self.product);
        }
    }

    /// Diagonalizes the tridiagonal form. Returns the lanes that did not converge.
    #[inline(always)]
    fn steps(&mut self, v: &mut [L]) -> u32 {
        let n = self.n;
        let (none, some) = (zero::<L>(), one::<L>());
        let eps = Parts::<L>::all(<L::Real as Scalar>::EPS);
        let tiny = eps * largest(&self.d, &self.e) * Parts::<L>::all(L::Real::HALF * L::Real::HALF * L::Real::HALF);
        let mut started = none;
        for _ in 0..STEPS * n {
            let mut windows = Windows::new(n);
            let (mut a, mut b, mut off) = (none, none, none);
            self.live[n - 1] = none;
            for k in (0..n - 1).rev() {
                let e = self.e[k];
                let bound = eps * eps * self.d[k].abs() * self.d[k + 1].abs() + tiny * tiny;
                let coupled = (e * e).greater(bound, some, none);
                self.e[k] = coupled.greater(none, e, none);
                let last = windows.add(k, coupled, some, &mut self.live);
                a = last.greater(none, self.d[k], a);
                b = last.greater(none, self.d[k + 1], b);
                off = last.greater(none, e, off);
            }
            let Windows { top, bottom, .. } = windows;
            started = windows.started;
            if !started.some_positive() {
                return 0;
            }
            let shift = wilkinson(a, off, b);
            let (mut x, mut z) = (none, none);
            for k in top..bottom + 1 {
                let on = self.live[k];
                let begins = if k > top { on * (some - self.live[k - 1]) } else { on };
                let x_here = begins.greater(none, self.d[k] - shift, x);
                let z_here = begins.greater(none, self.e[k], z);
                let (c, s, r) = givens::<L>(x_here, z_here, on);
                if k > top {
                    self.e[k - 1] = (on - begins).greater(none, r, self.e[k - 1]);
                }
                let e = self.e[k];
                let t = s * (self.d[k + 1] - self.d[k]) + (c + c) * e;
                let moved = s * t;
                self.d[k] = self.d[k] + moved;
                self.d[k + 1] = self.d[k + 1] - moved;
                self.e[k] = c * t - e;
                x = self.e[k];
                z = s * self.e[k + 1];
                self.e[k + 1] = c * self.e[k + 1];
                (self.cosines[k], self.sines[k]) = (c, s);
            }
            rotate_rows(v, n, &self.cosines[..bottom + 1], &self.sines[..bottom + 1], top);
        }
        !L::from_re(started).zero()
    }

    /// Eigenvalues in ascending order, and the columns with them.
    #[inline(always)]
    fn sort(&mut self, v: &mut [L], w: &mut [Parts<L>]) {
        let n = self.n;
        w.copy_from_slice(&self.d[..n]);
        if let Some(orders) = sorted(w, false) {
            reorder(&orders, v, n, &mut self.product);
        }
    }
}

/// Multiplies the rows from `head` on, in some columns, by I - tau v v^H from the left; the rows end with those of v, whose
/// element `head` counts as 1.
#[inline(always)]
pub(super) fn reflect_rows<L: Lanes>(
    v: &[L],
    tau: L,
    rows: &mut [L],
    stride: usize,
    head: usize,
    [first, end]: [usize; 2],
    sums: &mut [L],
) {
    let sums = &mut sums[first..end];
    sums.copy_from_slice(&rows[head * stride + first..head * stride + end]);
    for i in head + 1..v.len() {
        let (x, row) = (v[i].conj(), &rows[i * stride + first..i * stride + end]);
        for j in 0..row.len() {
            sums[j] = sums[j].add_mul(x, row[j]);
        }
    }
    let row = &mut rows[head * stride + first..head * stride + end];
    for j in 0..row.len() {
        sums[j] = L::ZERO.add_mul(tau, sums[j]);
        row[j] = row[j].minus(sums[j]);
    }
    for i in head + 1..v.len() {
        let (x, row) = (v[i], &mut rows[i * stride + first..i * stride + end]);
        for j in 0..row.len() {
            row[j] = row[j].sub_mul(x, sums[j]);
        }
    }
}

/// Sorts the values of each lane; the places that they came from, if they were not in order.
pub(super) fn sorted<S: RealLanes>(values: &mut [S], descending: bool) -> Option<Vec<[u16; MAX_LANES]>> {
    let mut orders = vec![[0; MAX_LANES]; values.len()];
    let old = values.to_vec();
    let mut moved = false;
    let mut order: Vec<u16> = Vec::with_capacity(values.len());
    for lane in 0..S::LANES {
        order.clear();
        order.extend(0..values.len() as u16);
        let key = |i: u16| old[i as usize].lane(lane);
        order.sort_by(|&i, &j| {
            let (x, y) = if descending { (key(j), key(i)) } else { (key(i), key(j)) };
            x.partial_cmp(&y).unwrap_or(std::cmp::Ordering::Equal)
        });
        for (p, &from) in order.iter().enumerate() {
            values[p].set_lane(lane, key(from));
            orders[p][lane] = from;
            moved |= usize::from(from) != p;
        }
    }
    moved.then_some(orders)
}

/// The first columns of rows in the orders of [`sorted`].
#[inline(always)]
pub(super) fn reorder<L: Lanes>(orders: &[[u16; MAX_LANES]], rows: &mut [L], stride: usize, old: &mut [L]) {
    let n = orders.len();
    for row in rows.chunks_exact_mut(stride) {
        old[..n].copy_from_slice(&row[..n]);
        for (x, order) in row.iter_mut().zip(orders) {
            for lane in 0..L::W {
                x.set(lane, old[usize::from(order[lane])].get(lane));
            }
        }
    }
}

/// Rotations of columns k and k + 1, from `first` on: (x, y) becomes (c x + s y, c y - s x).
#[inline(always)]
pub(super) fn rotate_rows<L: Lanes>(rows: &mut [L], stride: usize, c: &[Parts<L>], s: &[Parts<L>], first: usize) {
    let mut blocks = rows.chunks_exact_mut(ROWS * stride);
    for block in &mut blocks {
        rotate_some::<L, ROWS>(block, stride, c, s, first);
    }
    for row in blocks.into_remainder().chunks_exact_mut(stride) {
        rotate_some::<L, 1>(row, stride, c, s, first);
    }
}

/// [`rotate_rows`] of R rows.
#[inline(always)]
fn rotate_some<L: Lanes, const R: usize>(rows: &mut [L], n: usize, c: &[Parts<L>], s: &[Parts<L>], first: usize) {
    let mut x = [L::ZERO; R];
    for r in 0..R {
        x[r] = rows[r * n + first];
    }
    for k in first..c.len() {
        let (c, s) = (c[k], s[k]);
        for r in 0..R {
            let y = rows[r * n + k + 1];
            rows[r * n + k] = x[r].scaled(c).add_scaled(y, s);
            x[r] = y.scaled(c).add_scaled(x[r], -s);
        }
    }
    for r in 0..R {
        rows[r * n + c.len()] = x[r];
    }
}

/// The windows of lanes, found from the last coupling of neighbours to the first.
pub(super) struct Windows<S> {
    /// 1 in the lanes that have one.
    pub(super) started: S,
    /// The first and the last coupling in any window.
    pub(super) top: usize,
    pub(super) bottom: usize,
}

impl<S: RealLanes> Windows<S> {
    #[inline(always)]
    pub(super) fn new(n: usize) -> Self {
        Windows { started: S::all(<S::Real as Scalar>::ZERO), top: n, bottom: 0 }
    }

    /// Notes in `live` whether coupling k, 1 where it is, lies in a window, which may end with it where `opens` is 1. Returns the
    /// lanes whose windows do.
    #[inline(always)]
    pub(super) fn add(&mut self, k: usize, coupled: S, opens: S, live: &mut [S]) -> S {
        let (none, some) = (S::all(<S::Real as Scalar>::ZERO), S::all(<S::Real as Scalar>::ONE));
        let last = coupled * opens * (some - self.started);
        live[k] = last.greater(none, last, coupled * live[k + 1]);
        self.started = last.greater(none, last, self.started);
        if live[k].some_positive() {
            (self.top, self.bottom) = (k, self.bottom.max(k));
        }
        last
    }
}

/// Wilkinson's shift: the eigenvalue of ((a, off), (off, b)) that is closer to b.
#[inline(always)]
pub(super) fn wilkinson<S: RealLanes>(a: S, off: S, b: S) -> S {
    let delta = (a - b) * S::all(S::Real::HALF);
    let root = (delta * delta + off * off).sqrt();
    let sum = delta + root.with_sign_of(delta);
    let none = S::all(<S::Real as Scalar>::ZERO);
    b - off * off / sum.abs().greater(none, sum, S::all(<S::Real as Scalar>::ONE))
}

/// The largest magnitude of each lane.
#[inline(always)]
pub(super) fn largest<S: RealLanes>(d: &[S], e: &[S]) -> S {
    let mut largest = S::all(<S::Real as Scalar>::ZERO);
    for k in 0..d.len() {
        largest = d[k].abs().greater(largest, d[k].abs(), largest);
        largest = e[k].abs().greater(largest, e[k].abs(), largest);
    }
    largest
}

/// The rotation that brings (x, z) to (r, 0): its cosine and sine, and r. None where `on` is 0, and where the squares leave the
/// range: what is dropped there is negligible beside elements near 1.
#[inline(always)]
pub(super) fn givens<L: Lanes>(x: Parts<L>, z: Parts<L>, on: Parts<L>) -> (Parts<L>, Parts<L>, Parts<L>) {
    let (none, some) = (zero::<L>(), one::<L>());
    let square = x * x + z * z;
    let turned = square.greater(Parts::<L>::all(L::Real::TINY), on, none);
    let r = turned.greater(none, square.sqrt(), some);
    (turned.greater(none, x / r, some), turned.greater(none, z / r, none), turned.greater(none, r, x))
}
