//! Eigenvalues and eigenvectors of small matrices without symmetry, one matrix per SIMD lane: balancing (Parlett and Reinsch,
//! Numer. Math. 13, 1969), Hessenberg form, QR steps with two shifts (Francis, Comput. J. 4, 1961), complex matrices as well,
//! and substitution. Every lane has its own window, where the others rest, so an item's bits depend on the item alone.
#![allow(unsafe_code)]

use super::Failures;
use super::batch::Batch;
use super::field::{Field, Job, Lanes, RealLanes, Scalar, apart};
use super::mat::Mat;
use super::rotations::{Parts, Reflection, clear, one, product, reflect_column, reflection, zero};
use super::small::{Groups, load, places, store};
use super::tridiagonal::Windows;
use faer::traits::ComplexField as _;
use num_complex::Complex;
use std::ops::Range;

/// The largest matrix that is worked on this way.
pub(crate) const MAX: usize = 256;

/// QR steps per row after which an item counts as failed; usually 2 are enough.
const STEPS: usize = 30;

#[inline(always)]
fn all<L: Lanes>(x: L::Real) -> Parts<L> {
    Parts::<L>::all(x)
}

#[inline(always)]
fn number<L: Lanes>(x: f64) -> Parts<L> {
    all::<L>(num_traits::NumCast::from(x).unwrap_or(L::Real::ONE))
}

#[inline(always)]
fn larger<S: RealLanes>(x: S, y: S) -> S {
    x.greater(y, x, y)
}

#[inline(always)]
fn smaller<S: RealLanes>(x: S, y: S) -> S {
    x.greater(y, y, x)
}

/// `d`, where it is smaller than `least` that.
#[inline(always)]
fn at_least<L: Lanes>(d: L, least: Parts<L>) -> L {
    L::chosen(least.greater(d.size(), one::<L>(), zero::<L>()), L::from_re(least), d)
}

/// Numbers x of a row become x (I - tau v v^H), where the first element of v is 1.
#[inline(always)]
fn reflect_row<L: Lanes, const K: usize>(row: &mut [L], tau: L, v: [L; 2]) {
    let mut sum = row[0];
    for i in 1..K {
        sum = sum.add_mul(row[i], v[i - 1]);
    }
    let sum = L::ZERO.add_mul(sum, tau);
    row[0] = row[0].minus(sum);
    for i in 1..K {
        row[i] = row[i].sub_mul_conj(sum, v[i - 1]);
    }
}

/// Numbers (x, y) of a row become (c x + conj(s) y, c y - s x).
#[inline(always)]
fn rotate_row<L: Lanes>(row: &mut [L], c: Parts<L>, s: L) {
    let (x, y) = (row[0], row[1]);
    row[0] = x.scaled(c).minus(L::ZERO.sub_mul_conj(y, s));
    row[1] = y.scaled(c).sub_mul(s, x);
}

/// Matrices of a group in the lanes, row by row.
struct Eigen<L: Lanes> {
    n: usize,
    /// The distance of rows in `h` and `z`: odd, since those at powers of two would share a few places of the cache.
    ld: usize,
    /// The matrices, later their Schur forms; where there is a column beyond the last it is 0.
    h: Vec<L>,
    /// The Schur vectors; empty without eigenvectors.
    z: Vec<L>,
    tau: Vec<L>,
    /// 1 in the rows that no reordering separates from others.
    inside: Vec<Parts<L>>,
    /// What balancing multiplied the columns by, and divided the rows.
    factors: Vec<Parts<L>>,
    /// 1 at k where element (k, k - 1) is not negligible.
    coupled: Vec<Parts<L>>,
    /// 1 at those of a lane's window, the last block of more than two rows.
    live: Vec<Parts<L>>,
    /// 1 in the row where the step of a lane begins.
    begins: Vec<Parts<L>>,
    /// What the matrices were divided by, and their largest elements then.
    power: Parts<L>,
    norm: Parts<L>,
    w: Vec<L::Complex>,
    v: Vec<L::Complex>,
    /// An eigenvector of the Schur form and what is left of the right-hand side.
    x: Vec<L::Complex>,
    rest: Vec<L::Complex>,
}

impl<L: Lanes> Eigen<L> {
    #[inline(always)]
    fn new(n: usize, vectors: bool) -> Self {
        let ld = n | 1;
        let rows = if vectors { n } else { 0 };
        Eigen {
            n,
            ld,
            h: vec![L::ZERO; n * ld],
            z: vec![L::ZERO; rows * ld],
            tau: vec![L::ZERO; n],
            inside: vec![one::<L>(); n],
            factors: vec![one::<L>(); n],
            coupled: vec![zero::<L>(); n],
            live: vec![zero::<L>(); n + 2],
            begins: vec![zero::<L>(); n],
            power: one::<L>(),
            norm: one::<L>(),
            w: vec![L::Complex::ZERO; n],
            v: vec![L::Complex::ZERO; rows * n],
            x: vec![L::Complex::ZERO; rows],
            rest: vec![L::Complex::ZERO; rows],
        }
    }

    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> L {
        self.h[i * self.ld + j]
    }

    /// From rows that follow each other in `h` to their places.
    #[inline(always)]
    fn spread(&mut self) {
        let (n, ld) = (self.n, self.ld);
        for i in (0..n).rev() {
            for j in (0..n).rev() {
                self.h[i * ld + j] = self.h[i * n + j];
            }
            self.h[i * ld + n..(i + 1) * ld].fill(L::ZERO);
        }
    }

    /// Divides by the power of two below the largest element the matrices whose products would leave the range. The lanes that
    /// are not finite become 0 and are returned.
    #[inline(always)]
    fn rescale(&mut self) -> u32 {
        let (mut largest, mut check) = (zero::<L>(), zero::<L>());
        for x in &self.h {
            largest = larger(x.size(), largest);
            check = check + x.size() * zero::<L>();
        }
        let bad = !L::from_re(check).zero();
        let least = num_traits::Float::powf(L::Real::TINY, num_traits::NumCast::from(0.1).unwrap_or(L::Real::HALF));
        let inside = all::<L>(L::Real::ONE / least).greater(largest, one::<L>(), zero::<L>());
        let inside = largest.greater(all::<L>(least), inside, zero::<L>());
        self.power = inside.greater(zero::<L>(), one::<L>(), largest.power_below());
        let factor = one::<L>() / self.power;
        self.norm = largest.greater(zero::<L>(), largest * factor, one::<L>());
        if (one::<L>() - inside).some_positive() {
            for x in &mut self.h {
                *x = x.scaled(factor);
            }
        }
        clear(bad, &mut self.h);
        bad
    }

    /// The order of rows and columns that makes as much as possible of the matrix in one lane triangular, and the rows of the rest.
    fn order(&self, lane: usize) -> (Vec<usize>, Range<usize>) {
        let (n, ld) = (self.n, self.ld);
        let mut order: Vec<usize> = (0..n).collect();
        let there = |i: usize, j: usize| i != j && self.h[i * ld + j].get(lane) != L::Elem::default();
        let (mut low, mut high) = (0, n);
        for rows in [true, false] {
            let mut counts = vec![0; n];
            let element = |i: usize, j: usize| if rows { there(i, j) } else { there(j, i) };
            for &i in &order[low..high] {
                counts[i] = order[low..high].iter().filter(|&&j| element(i, j)).count();
            }
            while let Some(at) = (low..high).rev().find(|&at| counts[order[at]] == 0) {
                let alone = order[at];
                if rows {
                    high -= 1;
                    order.swap(at, high);
                } else {
                    order.swap(at, low);
                    low += 1;
                }
                order[low..high].iter().filter(|&&i| element(i, alone)).for_each(|&i| counts[i] -= 1);
            }
        }
        (order, low..high)
    }

    /// Reorders the lanes where that makes a part of the matrix triangular.
    #[inline(always)]
    fn permute(&mut self, orders: &mut [Option<Vec<usize>>]) {
        let n = self.n;
        let mut zeros = 0;
        for i in 0..n {
            for j in 0..n {
                zeros |= if i == j { 0 } else { self.at(i, j).zero() };
            }
        }
        orders.fill(None);
        self.inside.fill(one::<L>());
        if zeros != 0 {
            self.permute_lanes(zeros, orders);
        }
    }

    fn permute_lanes(&mut self, zeros: u32, orders: &mut [Option<Vec<usize>>]) {
        let (n, ld) = (self.n, self.ld);
        for (lane, kept) in orders.iter_mut().enumerate().filter(|(lane, _)| zeros >> lane & 1 == 1) {
            let (order, rest) = self.order(lane);
            for i in (0..n).filter(|i| !rest.contains(i)) {
                self.inside[i].set_lane(lane, <L::Real as Scalar>::ZERO);
            }
            if (0..n).any(|i| order[i] != i) {
                let old: Vec<L::Elem> = self.h.iter().map(|x| x.get(lane)).collect();
                for i in 0..n {
                    (0..n).for_each(|j| self.h[i * ld + j].set(lane, old[order[i] * ld + order[j]]));
                }
                *kept = Some(order);
            }
        }
    }

    /// Makes rows and columns similar in size by powers of two. They are measured by the Euclidean norm and with the diagonal, else
    /// some matrices lose digits (James, Langou and Lowery, arXiv:1401.5766).
    #[inline(always)]
    fn balance(&mut self) {
        let (n, ld) = (self.n, self.ld);
        self.factors.fill(one::<L>());
        let (most, least) = (all::<L>(L::Real::ONE / L::Real::EPS), all::<L>(L::Real::EPS));
        for _ in 0..10 {
            let mut changed = zero::<L>();
            for i in 0..n {
                let (mut col, mut row) = (zero::<L>(), zero::<L>());
                for j in 0..n {
                    col = col + self.at(j, i).square() * self.inside[j];
                    row = row + self.at(i, j).square() * self.inside[j];
                }
                let (col, row) = (col.sqrt(), row.sqrt());
                let both = col.greater(zero::<L>(), row.greater(zero::<L>(), self.inside[i], zero::<L>()), zero::<L>());
                let ratio = both.greater(zero::<L>(), row / both.greater(zero::<L>(), col, one::<L>()), one::<L>());
                let ratio = smaller(larger(ratio, least), most);
                let f = (number::<L>(std::f64::consts::SQRT_2) * ratio.sqrt()).power_below();
                let gain = (col + row) * number::<L>(0.95) - (col * f + row / f);
                let total = self.factors[i] * f;
                let kept = total.greater(least, most.greater(total, both, zero::<L>()), zero::<L>());
                let apply = gain.greater(zero::<L>(), kept, zero::<L>());
                if !apply.some_positive() {
                    continue;
                }
                changed = larger(changed, apply);
                let f = apply.greater(zero::<L>(), f, one::<L>());
                self.factors[i] = self.factors[i] * f;
                let inverse = one::<L>() / f;
                for j in 0..n {
                    self.h[j * ld + i] = self.h[j * ld + i].scaled(f);
                    self.h[i * ld + j] = self.h[i * ld + j].scaled(inverse);
                }
            }
            if !changed.some_positive() {
                break;
            }
        }
    }

    /// A = Z H Z^H with one subdiagonal in H.
    #[inline(always)]
    fn hessenberg(&mut self) {
        let (n, ld) = (self.n, self.ld);
        let h = &mut self.h[..n * ld];
        self.tau.fill(L::ZERO);
        for k in 0..n.saturating_sub(2) {
            let tau = reflect_column(h, n, ld, k + 1, k);
            self.tau[k] = tau;
            for i in 0..n {
                let mut sum = h[i * ld + k + 1];
                for j in k + 2..n {
                    sum = sum.add_mul(h[i * ld + j], h[j * ld + k]);
                }
                let sum = L::ZERO.add_mul(sum, tau);
                h[i * ld + k + 1] = h[i * ld + k + 1].minus(sum);
                for j in k + 2..n {
                    h[i * ld + j] = h[i * ld + j].sub_mul_conj(sum, h[j * ld + k]);
                }
            }
        }
        if !self.z.is_empty() {
            let rows = n - 1;
            let (head, rest) = self.z.split_at_mut(rows * rows);
            product(&h[ld..], rows, ld, &self.tau, head, rows);
            // To rows and columns from 1 on, the last one first.
            rest.fill(L::ZERO);
            for i in (1..n).rev() {
                for j in (1..n).rev() {
                    self.z[i * ld + j] = self.z[(i - 1) * rows + j - 1];
                }
                self.z[i * ld] = L::ZERO;
            }
            self.z[..n].fill(L::ZERO);
            self.z[0] = L::from_re(one::<L>());
        }
        for i in 2..n {
            h[i * ld..i * ld + i - 1].fill(L::ZERO);
        }
    }

    /// Sets negligible subdiagonal elements to 0 (Ahues and Tisseur, LAPACK Working Note 122, 1997).
    #[inline(always)]
    fn couple(&mut self) {
        let (n, ld) = (self.n, self.ld);
        let h = &mut self.h[..n * ld];
        let (eps, tiny) = (all::<L>(L::Real::EPS), all::<L>(L::Real::TINY));
        // Reflections, which leave out what squares have no digits for, would never bring it to 0.
        let negligible = self.norm * number::<L>(1024.0) * tiny.sqrt();
        for k in 1..n {
            let (x, up) = (h[k * ld + k - 1].size(), h[(k - 1) * ld + k].size());
            let here = h[k * ld + k].size();
            let apart = h[(k - 1) * ld + k - 1].minus(h[k * ld + k]).size();
            let test = here + h[(k - 1) * ld + k - 1].size();
            let test = test.greater(zero::<L>(), test, self.norm);
            let (most, least) = (larger(here, apart), smaller(here, apart));
            let sum = larger(most + larger(x, up), tiny);
            let bound = larger(tiny, eps * (least * (most / sum)));
            let mut there = (smaller(x, up) * (larger(x, up) / sum)).greater(bound, one::<L>(), zero::<L>());
            there = x.greater(eps * test, one::<L>(), there);
            there = x.greater(negligible, there, zero::<L>());
            self.coupled[k] = there;
            h[k * ld + k - 1] = L::chosen(there, h[k * ld + k - 1], L::ZERO);
        }
    }

    /// Brings the Hessenberg form to blocks of one and two rows on the diagonal. Returns the lanes that did not converge.
    #[inline(always)]
    fn steps(&mut self) -> u32 {
        let n = self.n;
        let (none, some) = (zero::<L>(), one::<L>());
        let (mut last, mut since) = (none, none);
        for _ in 0..STEPS * n {
            self.couple();
            let mut windows = Windows::new(n);
            // The shifts are the eigenvalues of the last two rows.
            let (mut x, mut y, mut w) = (L::ZERO, L::ZERO, L::ZERO);
            let (mut edge, mut end) = (none, none);
            for k in (1..n).rev() {
                let above = if k > 1 { self.coupled[k - 1] } else { none };
                let here = windows.add(k, self.coupled[k], above, &mut self.live);
                if !here.some_positive() {
                    continue;
                }
                x = L::chosen(here, self.at(k, k), x);
                y = L::chosen(here, self.at(k - 1, k - 1), y);
                w = L::chosen(here, L::ZERO.add_mul(self.at(k, k - 1), self.at(k - 1, k)), w);
                edge = here.greater(none, self.at(k, k - 1).size() + self.at(k - 1, k - 2).size(), edge);
                end = here.greater(none, number::<L>(k as f64), end);
            }
            if !windows.started.some_positive() {
                return 0;
            }
            if L::Elem::IS_REAL {
                // Of two real ones that closer to the last element, twice, as LAPACK takes it.
                let (corner, other, product) = (x.re(), y.re(), w.re());
                let half = (other - corner) * all::<L>(L::Real::HALF);
                let square = half * half + product;
                let z = half + larger(square, none).sqrt().with_sign_of(half);
                let real = square.greater(none, z.abs().greater(none, some, none), none);
                let root = L::from_re(corner - product / real.greater(none, z, some));
                x = L::chosen(real, root, x);
                y = L::chosen(real, root, y);
                w = L::chosen(real, L::ZERO, w);
            }
            // Where ten steps have not split anything off, other ones.
            let same = end.greater(last, none, last.greater(end, none, some));
            since = (since + some) * same;
            last = end;
            let strange = since.greater(number::<L>(9.5), some, none);
            if strange.some_positive() {
                let shift = x.minus(L::from_re(edge * number::<L>(-0.75)));
                x = L::chosen(strange, shift, x);
                y = L::chosen(strange, shift, y);
                w = L::chosen(strange, L::from_re(edge * edge * number::<L>(-0.4375)), w);
                since = since * (some - strange);
            }
            self.step(windows.top, windows.bottom, [x, y, w]);
        }
        let mut unfinished = none;
        self.couple();
        for k in 2..n {
            unfinished = larger(unfinished, self.coupled[k] * self.coupled[k - 1]);
        }
        !L::from_re(unfinished).zero()
    }

    /// One QR step with both shifts in the windows, whose couplings are from `top` to `bottom`. The shifts are the eigenvalues of
    /// a matrix with x and y on its diagonal, where w is the product of the others.
    #[inline(always)]
    fn step(&mut self, top: usize, bottom: usize, [x, y, w]: [L; 3]) {
        let (none, some) = (zero::<L>(), one::<L>());
        let eps = all::<L>(L::Real::EPS);
        self.begins[top - 1..bottom].fill(none);
        let mut found = none;
        let mut head = [L::ZERO; 3];
        for m in (top - 1..bottom - 1).rev() {
            let inside = self.live[m + 1] * self.live[m + 2] * (some - found);
            if !inside.some_positive() {
                continue;
            }
            let z = self.at(m, m);
            let (r, s) = (x.minus(z), y.minus(z));
            let p = L::ZERO.add_mul(r, s).minus(w).div(self.at(m + 1, m).or_one()).add_scaled(self.at(m, m + 1), some);
            let q = self.at(m + 1, m + 1).minus(z).minus(r).minus(s);
            let r = self.at(m + 2, m + 1);
            let total = p.size() + q.size() + r.size();
            let inverse = some / total.greater(none, total, some);
            let (p, q, r) = (p.scaled(inverse), q.scaled(inverse), r.scaled(inverse));
            // Where two subdiagonal elements in a row are small enough, a step may begin between them.
            let mut begin = inside;
            if m >= top {
                let sizes = self.at(m - 1, m - 1).size() + z.size() + self.at(m + 1, m + 1).size();
                let before = self.at(m, m - 1).size() * (q.size() + r.size());
                let apart = before.greater(eps * p.size() * sizes, none, inside);
                begin = self.live[m].greater(none, apart, inside);
            }
            self.begins[m] = begin;
            found = larger(found, begin);
            head = [L::chosen(begin, p, head[0]), L::chosen(begin, q, head[1]), L::chosen(begin, r, head[2])];
        }
        let (n, ld) = (self.n, self.ld);
        let mut on = none;
        for k in top - 1..bottom {
            let begins = self.begins[k];
            on = larger(on, begins) * self.live[k + 1];
            if !on.some_positive() {
                continue;
            }
            let three = k + 2 < n;
            let mut column = [L::ZERO; 3];
            if k > 0 {
                for i in 0..2 + three as usize {
                    column[i] = self.h[(k + i) * ld + k - 1];
                }
            }
            let a = L::chosen(begins, head[0], column[0]);
            let b = L::chosen(begins, head[1], column[1]);
            let c = L::chosen(begins, head[2], column[2]);
            // Squares in range.
            let total = a.size() + b.size() + c.size();
            let total = total.greater(none, total, some);
            let inverse = some / total;
            let (a, b, c) = (a.scaled(inverse), b.scaled(inverse), c.scaled(inverse));
            let Reflection { tau, beta, divisor, needed } = reflection(a, b.square() + c.square(), on);
            let (v1, v2) = (b.div(divisor).scaled(needed), c.div(divisor).scaled(needed));
            if k > 0 {
                // A window that begins here leaves the small element before it, reflected.
                let begun = column[0].sub_mul_conj(column[0], tau);
                let ended = L::chosen(on, L::from_re(beta * total), column[0]);
                self.h[k * ld + k - 1] = L::chosen(begins, begun, ended);
                for i in 1..2 + three as usize {
                    self.h[(k + i) * ld + k - 1] = column[i].scaled(some - on);
                }
            }
            if three {
                self.reflect::<3>(k, tau, [v1, v2], top, bottom);
            } else {
                self.reflect::<2>(k, tau, [v1, v2], top, bottom);
            }
        }
    }

    /// Reflects rows and columns k to k + `K` - 1.
    #[inline(always)]
    fn reflect<const K: usize>(&mut self, k: usize, tau: L, v: [L; 2], top: usize, bottom: usize) {
        let (n, ld) = (self.n, self.ld);
        // Eigenvalues alone need nothing outside of the windows.
        let (first, end) = if self.z.is_empty() { (top - 1, bottom + 1) } else { (0, n) };
        let h = &mut self.h[..n * ld];
        let adjoint = tau.conj();
        for j in k..end {
            let mut sum = h[k * ld + j].conj();
            for i in 1..K {
                sum = sum.add_mul(h[(k + i) * ld + j].conj(), v[i - 1]);
            }
            // conj(tau) v^H x
            let sum = L::ZERO.add_mul(sum.conj(), adjoint);
            h[k * ld + j] = h[k * ld + j].minus(sum);
            for i in 1..K {
                h[(k + i) * ld + j] = h[(k + i) * ld + j].sub_mul(v[i - 1], sum);
            }
        }
        for i in first..(k + 4).min(end) {
            reflect_row::<L, K>(&mut h[i * ld + k..i * ld + k + K], tau, v);
        }
        if !self.z.is_empty() {
            let z = &mut self.z[..n * ld];
            for i in 0..n {
                reflect_row::<L, K>(&mut z[i * ld + k..i * ld + k + K], tau, v);
            }
        }
    }

    /// Makes the blocks of two rows triangular, or for real ones with complex eigenvalues the elements of their diagonals equal;
    /// the eigenvalues.
    #[inline(always)]
    fn standardize(&mut self) {
        let (n, ld) = (self.n, self.ld);
        for k in 0..n {
            self.w[k] = self.h[k * ld + k].complex();
        }
        for k in 1..n {
            let flat = self.h[k * ld + k - 1].zero();
            let (mut c, mut s) = (one::<L>(), L::ZERO);
            let mut blocks = [[L::Elem::default(); 4]; super::small::MAX_LANES];
            let places = [(k - 1) * ld + k - 1, (k - 1) * ld + k, k * ld + k - 1, k * ld + k];
            let split: Vec<usize> = (0..L::W).filter(|lane| flat >> lane & 1 == 0).collect();
            if split.is_empty() {
                continue;
            }
            for &lane in &split {
                let (block, cosine, sine) = standard(places.map(|place| self.h[place].get(lane)));
                blocks[lane] = block;
                c.set_lane(lane, cosine);
                s.set(lane, sine);
            }
            let h = &mut self.h;
            // (x, y) becomes (c x + s y, c y - conj(s) x).
            for j in k + 1..n {
                let (x, y) = (h[(k - 1) * ld + j], h[k * ld + j]);
                h[(k - 1) * ld + j] = x.scaled(c).add_mul(s, y);
                h[k * ld + j] = y.scaled(c).sub_mul_conj(x, s);
            }
            for i in 0..k - 1 {
                rotate_row(&mut h[i * ld + k - 1..i * ld + k + 1], c, s);
            }
            if !self.z.is_empty() {
                for i in 0..n {
                    rotate_row(&mut self.z[i * ld + k - 1..i * ld + k + 1], c, s);
                }
            }
            for &lane in &split {
                let block = blocks[lane];
                (0..4).for_each(|i| self.h[places[i]].set(lane, block[i]));
                let root = |x: L::Elem| num_traits::Float::sqrt(num_traits::Float::abs(x.parts().0));
                let im = root(block[1]) * root(block[2]);
                let whole = |x: L::Elem| Complex::new(x.parts().0, x.parts().1);
                let mut pair = [whole(block[0]), whole(block[3])];
                if L::Elem::IS_REAL && block[2] != L::Elem::default() {
                    pair = [Complex::new(pair[0].re, im), Complex::new(pair[0].re, -im)];
                }
                (0..2).for_each(|i| self.w[k - 1 + i].set(lane, pair[i]));
            }
        }
    }

    /// Eigenvectors of norm 1 by substitution in the Schur forms, for every eigenvalue over the rows up to its own.
    #[inline(always)]
    fn vectors(&mut self) {
        let (n, ld) = (self.n, self.ld);
        let paired = L::Elem::IS_REAL;
        let (none, some) = (zero::<L>(), one::<L>());
        let (eps, root) = (all::<L>(L::Real::EPS), num_traits::Float::sqrt(L::Real::TINY));
        let limit = all::<L>(L::Real::ONE / root);
        let unit = L::Complex::from_re(some);
        // 1 in row i where rows i - 1 and i are a block.
        self.live.fill(none);
        if paired {
            for k in 1..n {
                self.live[k] = self.at(k, k - 1).size().greater(none, some, none);
            }
        }
        for e in 0..n {
            let value = self.w[e];
            let least = larger(eps * value.size(), self.norm * all::<L>(root));
            self.x.fill(L::Complex::ZERO);
            self.rest.fill(L::Complex::ZERO);
            let (mut own, mut before, mut after) = (unit, None, None);
            if paired && e + 1 < n && self.live[e + 1].some_positive() {
                let (first, second) = self.pair(e, value.im(), self.live[e + 1]);
                own = L::Complex::chosen(self.live[e + 1], first, own);
                after = Some(L::Complex::chosen(self.live[e + 1], second, L::Complex::ZERO));
            }
            if paired && self.live[e].some_positive() {
                let (first, second) = self.pair(e - 1, value.im(), self.live[e]);
                own = L::Complex::chosen(self.live[e], second, own);
                before = Some(first);
            }
            let highest = e + after.is_some() as usize;
            // The right-hand sides of both rows of a block.
            let mut both = [L::Complex::ZERO; 2];
            for i in (0..=highest).rev() {
                let start = i >= e || (i + 1 == e && before.is_some());
                let mut solved = L::Complex::ZERO;
                if i < e {
                    let here = self.h[i * ld + i].complex();
                    let gap = at_least(here.minus(value), least);
                    let mut divisor = gap;
                    let mut right = self.rest[i];
                    if paired {
                        // A block with equal elements on the diagonal: Cramer's rule, and the determinant from its eigenvalues.
                        let second = self.live[i];
                        let first = self.live[i + 1] * if i + 1 < e { some } else { none };
                        if second.some_positive() || first.some_positive() {
                            let up = i.saturating_sub(1);
                            let (b, c) = (self.h[up * ld + i].complex(), self.h[i * ld + up].complex());
                            let (pb, pc) = (self.h[i * ld + i + 1].complex(), self.h[(i + 1) * ld + i].complex());
                            let product = second.greater(none, -(b.re() * c.re()), -(pb.re() * pc.re()));
                            let size = larger(product, none).sqrt();
                            let (re, im) = (here.re() - value.re(), value.im());

                            let mut det = [
                                at_least(L::Complex::from_parts(re, size - im), least),
                                at_least(L::Complex::from_parts(re, -size - im), least),
                            ];
                            // A real eigenvalue has a real vector.
                            let length = larger(re * re + size * size, least * least);
                            let complex = im.abs();
                            det[0] = L::Complex::chosen(complex, det[0], L::Complex::from_re(length));
                            det[1] = L::Complex::chosen(complex, det[1], unit);
                            let apart = here.minus(value);
                            let as_first = L::Complex::ZERO.add_mul(both[0], apart).sub_mul(pb, both[1]);
                            both = [self.rest[up], self.rest[i]];
                            let as_second = L::Complex::ZERO.add_mul(both[1], apart).sub_mul(c, both[0]);
                            let top = L::Complex::chosen(second, as_second, as_first);
                            let either = larger(second, first);
                            right = L::Complex::chosen(either, top.div(det[0]), right);
                            divisor = L::Complex::chosen(either, det[1], divisor);
                        }
                    }
                    // Nearly repeated eigenvalues make large elements; the vector's length is free.
                    let used = if start { some - self.live[e] } else { some };
                    let excess = used * (right.size() - divisor.size() * limit);
                    if excess.some_positive() {
                        let factor = excess.greater(none, some / right.size(), some);
                        for i in 0..n {
                            self.x[i] = self.x[i].scaled(factor);
                            self.rest[i] = self.rest[i].scaled(factor);
                        }
                        both = [both[0].scaled(factor), both[1].scaled(factor)];
                        right = right.scaled(factor);
                    }
                    solved = right.div(divisor);
                }
                self.x[i] = match (i, start) {
                    (_, false) => solved,
                    (i, _) if i == e => own,
                    (i, _) if i > e => after.unwrap_or(L::Complex::ZERO),
                    _ => L::Complex::chosen(self.live[e], before.unwrap_or(L::Complex::ZERO), solved),
                };
                for l in 0..i {
                    self.rest[l] = self.rest[l].sub_mul(self.h[l * ld + i].complex(), self.x[i]);
                }
            }
            for i in 0..n {
                let mut sum = L::Complex::ZERO;
                for k in 0..=highest {
                    sum = sum.add_mul(self.z[i * ld + k].complex(), self.x[k]);
                }
                self.v[i * n + e] = sum.scaled(self.factors[i]);
            }
            self.normalize(e);
        }
    }

    /// The eigenvector of the block in rows p and p + 1 for its eigenvalue with this imaginary part, in the lanes where there is
    /// a block, from the larger element off its diagonal.
    #[inline(always)]
    fn pair(&self, p: usize, im: Parts<L>, joined: Parts<L>) -> (L::Complex, L::Complex) {
        let (none, some) = (zero::<L>(), one::<L>());
        let (b, c) = (self.at(p, p + 1).re(), self.at(p + 1, p).re());
        let upper = b.abs().greater(c.abs(), some, none);
        let b = upper.greater(none, b, some);
        let c = upper.greater(none, some, joined.greater(none, c, some));
        let first = upper.greater(none, some, -(im.abs() / c));
        let second = upper.greater(none, im / b, some.with_sign_of(im));
        (L::Complex::from_re(first), L::Complex::from_parts(none, second))
    }

    /// Norm 1 for column e; the largest element of a complex one becomes real.
    #[inline(always)]
    fn normalize(&mut self, e: usize) {
        let n = self.n;
        let (none, some) = (zero::<L>(), one::<L>());
        let mut largest = none;
        for i in 0..n {
            largest = larger(self.v[i * n + e].size(), largest);
        }
        let inverse = some / largest.greater(none, largest, some);
        let (mut sum, mut best, mut phase) = (none, none, L::Complex::from_re(some));
        for i in 0..n {
            let x = self.v[i * n + e].scaled(inverse);
            self.v[i * n + e] = x;
            let square = x.square();
            sum = sum + square;
            phase = L::Complex::chosen(square.greater(best, some, none), x, phase);
            best = larger(square, best);
        }
        let turned = if L::Elem::IS_REAL { self.w[e].im().abs() } else { some };
        let size = best.sqrt();
        let phase = phase.conj().scaled(some / size.greater(none, size, some));
        let phase = L::Complex::chosen(turned, phase, L::Complex::from_re(some));
        let length = some / sum.sqrt();
        // 1 up to the first of the largest elements.
        let mut before = turned.greater(none, some, none);
        for i in 0..n {
            let x = self.v[i * n + e];
            let y = L::Complex::ZERO.add_mul(x, phase).scaled(length);
            let top = best.greater(x.square(), none, before);
            before = before - top;
            self.v[i * n + e] = L::Complex::chosen(top, L::Complex::from_re(y.re()), y);
        }
    }
}

/// The Schur form of a matrix of two rows ((a, b), (c, d)), and the rotation (c, s; -conj(s), c) that makes it. A real one with
/// complex eigenvalues gets equal elements on its diagonal and others of opposite signs (Bai and Demmel, Linear Algebra Appl.
/// 186, 1993).
fn standard<T: Field>(block: [T; 4]) -> ([T; 4], T::Part, T) {
    if T::IS_REAL {
        let (block, c, s) = standard_real(block.map(|x| x.parts().0));
        let whole = |x| T::from_parts(x, <T::Part as Scalar>::ZERO);
        return (block.map(whole), c, whole(s));
    }
    let (zero, one, half) = (T::Part::ZERO, <T::Part as Scalar>::ONE, T::Part::HALF);
    let size = |x: T| num_traits::Float::abs(x.parts().0) + num_traits::Float::abs(x.parts().1);
    let scale = block.iter().fold(zero, |m, &x| num_traits::Float::max(m, size(x))).power_below();
    let [a, b, c, d] = block.map(|x| Complex::new(x.parts().0 / scale, x.parts().1 / scale));
    let p = (a - d) * half;
    let root = (p * p + b * c).sqrt();
    let z = if (p.conj() * root).re < zero { p - root } else { p + root };
    // The eigenvector (z, c) of d + z, turned to a real first element.
    let (x, y) = (z.norm(), c.norm());
    let length = num_traits::Float::hypot(x, y);
    let phase = if x > zero { z / x } else { Complex::new(one, zero) };
    let (cosine, s) = (x / length, (c * phase.conj() / length).conj());
    let row = (a * cosine + s * c, b * cosine + s * d);
    let upper = row.1 * cosine - s * row.0;
    let first = d + z;
    let second = if x > zero { d - b * c / z } else { a };
    let back = |x: Complex<T::Part>| T::from_parts(x.re * scale, x.im * scale);
    ([back(first), back(upper), T::default(), back(second)], cosine, T::from_parts(s.re, s.im))
}

fn standard_real<R: Scalar>([a, b, c, d]: [R; 4]) -> ([R; 4], R, R) {
    let (zero, one, half) = (<R as Scalar>::ZERO, <R as Scalar>::ONE, R::HALF);
    if c == zero {
        return ([a, b, c, d], one, zero);
    }
    if b == zero {
        return ([d, -c, zero, a], zero, one);
    }
    let opposite = (b > zero) != (c > zero);
    if a == d && opposite {
        return ([a, b, c, d], one, zero);
    }
    let p = (a - d) * half;
    let (most, least) = (num_traits::Float::max(b.abs(), c.abs()), num_traits::Float::min(b.abs(), c.abs()));
    let least = if opposite { -least } else { least };
    let scale = num_traits::Float::max(p.abs(), most);
    let square = p / scale * p + most / scale * least;
    let four = one + one + one + one;
    if square >= four * R::EPS * scale {
        let z = p + (num_traits::Float::sqrt(scale) * num_traits::Float::sqrt(square)).copysign(p);
        let length = num_traits::Float::hypot(c, z);
        return ([d + z, b - c, zero, d - most / z * least], z / length, c / length);
    }
    // Complex eigenvalues, or nearly equal ones: equal elements on the diagonal.
    let (sum, difference) = (b + c, a - d);
    let length = num_traits::Float::hypot(sum, difference);
    let cosine = num_traits::Float::sqrt(half * (one + sum.abs() / length));
    let sine = -(p / (length * cosine)) * one.copysign(sum);
    let (aa, bb) = (a * cosine + b * sine, b * cosine - a * sine);
    let (cc, dd) = (c * cosine + d * sine, d * cosine - c * sine);
    let (a, b) = (aa * cosine + cc * sine, bb * cosine + dd * sine);
    let (c, d) = (cc * cosine - aa * sine, dd * cosine - bb * sine);
    let middle = (a + d) * half;
    if c == zero {
        return ([middle, b, c, middle], cosine, sine);
    }
    if b == zero {
        return ([middle, -c, zero, middle], -sine, cosine);
    }
    if (b > zero) != (c > zero) {
        return ([middle, b, c, middle], cosine, sine);
    }
    let (root_b, root_c) = (num_traits::Float::sqrt(b.abs()), num_traits::Float::sqrt(c.abs()));
    let p = (root_b * root_c).copysign(c);
    let factor = one / num_traits::Float::sqrt((b + c).abs());
    let (c1, s1) = (root_b * factor, root_c * factor);
    ([middle + p, b - c, zero, middle - p], cosine * c1 - sine * s1, cosine * s1 + sine * c1)
}

/// `eig` of a range of the batch; the operands are `a`, the eigenvalues and the eigenvectors.
pub(crate) struct Eig<'a, T: Field> {
    pub(crate) a: Mat<T>,
    pub(crate) w: Mat<Complex<T::Part>>,
    pub(crate) v: Option<Mat<Complex<T::Part>>>,
    pub(crate) batch: &'a Batch<3>,
    pub(crate) range: Range<usize>,
    /// The items that are not finite are not reported.
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for Eig<'_, T>
where
    Complex<T::Part>: Field<Part = T::Part>,
{
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let places_a = places(self.a);
        let places_w = places(self.w);
        let places_v = self.v.map(places);
        let mut eigen = Eigen::<T::Lanes<FMA>>::new(n, self.v.is_some());
        let mut orders = [const { None }; super::small::MAX_LANES];
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut eigen.h, self.a, &places_a, group, 0, false);
                eigen.spread();
                let bad = eigen.rescale();
                eigen.permute(&mut orders);
                apart::<FMA, _>(
                    #[inline(always)]
                    || eigen.balance(),
                );
                apart::<FMA, _>(
                    #[inline(always)]
                    || eigen.hessenberg(),
                );
                let failed = apart::<FMA, _>(
                    #[inline(always)]
                    || eigen.steps(),
                ) & !bad;
                super::small::report(failed, 0, first, group.len(), self.failures);
                eigen.standardize();
                let power = eigen.power;
                if let (Some(to), Some(places)) = (self.v, &places_v) {
                    apart::<FMA, _>(
                        #[inline(always)]
                        || eigen.vectors(),
                    );
                    for (lane, order) in orders.iter().enumerate().filter_map(|(lane, o)| Some((lane, o.as_ref()?))) {
                        for e in 0..n {
                            let column: Vec<_> = (0..n).map(|i| eigen.v[i * n + e].get(lane)).collect();
                            (0..n).for_each(|i| eigen.v[order[i] * n + e].set(lane, column[i]));
                        }
                    }
                    store(&eigen.v, to, places, group, 2);
                }
                eigen.w.iter_mut().for_each(|x| *x = x.scaled(power));
                store(&eigen.w, self.w, &places_w, group, 1);
                for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| (bad | failed) >> lane & 1 == 1) {
                    self.w.offset(offsets[1]).fill(<Complex<T::Part> as Field>::NAN);
                    self.v.inspect(|v| v.offset(offsets[2]).fill(<Complex<T::Part> as Field>::NAN));
                }
            }
        }
    }
}
