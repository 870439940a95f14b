//! Small matrices, one per SIMD lane: the same steps for all of them, pivots chosen by selection instead of branches.
#![allow(unsafe_code)]

use super::batch::{Batch, Walk};
use super::field::{Field, Job, Lanes};
use super::mat::Mat;
use super::transpose::Transpose;
use super::{Failures, Form, Triangle};
use std::ops::Range;

/// The largest matrices that are worked on this way. Microseconds per matrix of 30 in double precision on one thread, a matrix
/// per lane and blocked: solve 5.4 and 7 at n = 32, 39 and 15 at 48; det 4.9 and 5, 37 and 13; inv 6.5 and 3 at 24, 16 and 9 at
/// 32; cholesky 1.6 and 4 at 32, 9.2 and 16 at 64.
pub(crate) const MAX_LU: usize = 32;
pub(crate) const MAX_INVERSE: usize = 16;
pub(crate) const MAX_CHOLESKY: usize = MAX;
pub(crate) const MAX: usize = 64;

/// The largest matrix that is worked on this way when some lanes stay empty.
const MAX_PARTLY: usize = 16;

/// The largest matrix that is worked on alone this way.
const MAX_ALONE: usize = 3;

/// Whether lanes are worth it, up to the `largest` matrices, though some may stay empty: their time does not depend on how many
/// do. Microseconds for one float64 matrix in a lane and blocked at n = 4, 8 and 16: inv 1.6 and 1.0, 4.4 and 1.8, 18 and 4.1;
/// solve 1.8 and 1.9, 3.2 and 2.7, 9.3 and 4.7.
pub(crate) fn factorizes<T: Field>(largest: usize, n: usize, items: usize) -> bool {
    let lanes = <T::Lanes<true> as Lanes>::W;
    n <= MAX_ALONE || (n <= MAX_PARTLY && 4 * items > lanes) || (n <= largest && items >= lanes)
}

/// Whether systems of this size are solved a matrix per lane; otherwise lanes are better spent on right-hand sides.
pub(crate) fn solves<T: Field>(n: usize, sides: usize, items: usize) -> bool {
    let lanes = <T::Lanes<true> as Lanes>::W;
    factorizes::<T>(MAX_LU, n, items) && (items >= lanes || sides < lanes)
}

/// The most lanes of any element type.
pub(super) const MAX_LANES: usize = 16;

/// A range of a batch in groups of as many items as there are lanes, fewer at the end.
pub(super) struct Groups<'a, const N: usize> {
    walk: Walk<'a, N>,
    /// If the batch has one axis.
    strides: Option<[isize; N]>,
    range: Range<usize>,
    offsets: [[isize; N]; MAX_LANES],
}

impl<'a, const N: usize> Groups<'a, N> {
    pub(super) fn new(batch: &'a Batch<N>, range: Range<usize>) -> Self {
        let strides = batch.single_axis();
        Groups { walk: batch.walk(range.start), strides, range, offsets: [[0; N]; MAX_LANES] }
    }

    /// The first item of the next group and the offsets of all its items.
    #[inline(always)]
    pub(super) fn next(&mut self, lanes: usize) -> Option<(usize, &[[isize; N]])> {
        let first = self.range.start;
        let items = lanes.min(self.range.len());
        match self.strides {
            Some(strides) => {
                for (lane, offsets) in self.offsets[..items].iter_mut().enumerate() {
                    *offsets = strides.map(|stride| (first + lane) as isize * stride);
                }
            }
            None => {
                for offsets in &mut self.offsets[..items] {
                    *offsets = self.walk.offsets;
                    self.walk.advance();
                }
            }
        }
        self.range.start += items;
        (items > 0).then_some((first, &self.offsets[..items]))
    }
}

/// Where the elements of a matrix lie, rows one after the other.
pub(super) struct Places {
    offsets: Vec<isize>,
    /// If they lie side by side in memory from the first one on: the number of the lanes for each number in memory, where
    /// real and imaginary part are two.
    dense: Option<Vec<usize>>,
}

pub(super) fn places<T: Field>(m: Mat<T>) -> Places {
    let row = |i: usize| (0..m.cols).map(move |j| i as isize * m.rs + j as isize * m.cs);
    let offsets: Vec<isize> = (0..m.rows).flat_map(row).collect();
    let mut order = vec![usize::MAX; offsets.len()];
    for (e, &place) in offsets.iter().enumerate() {
        match usize::try_from(place).ok().and_then(|p| order.get_mut(p)) {
            Some(slot) => *slot = e,
            None => return Places { offsets, dense: None },
        }
    }
    let whole = order.iter().all(|&e| e != usize::MAX);
    let parts = if T::IS_REAL { 1 } else { 2 };
    let dense = whole.then(|| order.iter().flat_map(|&e| (0..parts).map(move |part| parts * e + part)).collect());
    Places { offsets, dense }
}

impl Places {
    fn len(&self) -> usize {
        self.offsets.len()
    }
}

/// Element `e` of the matrices of a group, a lane each; lanes beyond the group repeat its first matrix.
///
/// # Safety
/// The matrices are readable at all places, of which there are at most as many as `values`.
#[inline(always)]
pub(super) unsafe fn load<L: Lanes, const N: usize>(
    values: &mut [L],
    m: Mat<L::Elem>,
    places: &Places,
    group: &[[isize; N]],
    operand: usize,
    conj: bool,
) {
    assert!(places.len() <= values.len());
    let mut starts = [m.offset(group[0][operand]).ptr; MAX_LANES];
    for (start, offsets) in starts.iter_mut().zip(group) {
        *start = m.offset(offsets[operand]).ptr;
    }
    if let (Some(order), Some((input, _))) = (&places.dense, L::Real::routines()) {
        // SAFETY: the caller's contract; lanes are arrays of W numbers, complex ones two of them, and pointers are alike.
        unsafe { input(&*(&raw const starts).cast(), order, values.as_mut_ptr().cast()) };
        if conj {
            values[..places.len()].iter_mut().for_each(|x| *x = x.conj());
        }
        return;
    }
    for (value, &place) in values.iter_mut().zip(&places.offsets) {
        for lane in 0..L::W {
            // SAFETY: the caller's contract.
            value.set(lane, unsafe { *starts[lane].offset(place) }.conjugate_if(conj));
        }
    }
}

/// # Safety
/// As [`load`], writable.
#[inline(always)]
pub(super) unsafe fn store<L: Lanes, const N: usize>(
    values: &[L],
    m: Mat<L::Elem>,
    places: &Places,
    group: &[[isize; N]],
    operand: usize,
) {
    assert!(places.len() <= values.len());
    let mut starts = [m.ptr; MAX_LANES];
    for (start, offsets) in starts.iter_mut().zip(group) {
        *start = m.offset(offsets[operand]).ptr;
    }
    let full = group.len() == L::W;
    if let (true, Some(order), Some((_, output))) = (full, &places.dense, L::Real::routines()) {
        // SAFETY: as above.
        return unsafe { output(&*(&raw const starts).cast(), order, values.as_ptr().cast()) };
    }
    for (value, &place) in values.iter().zip(&places.offsets) {
        if full {
            for lane in 0..L::W {
                // SAFETY: the caller's contract.
                unsafe { *starts[lane].offset(place) = value.get(lane) };
            }
        } else {
            for lane in 0..group.len() {
                // SAFETY: as above.
                unsafe { *starts[lane].offset(place) = value.get(lane) };
            }
        }
    }
}

/// Runs the body with `n` as a constant, which closures do not capture, for the sizes where unrolling pays.
macro_rules! unrolled {
    ($n:ident => $body:expr) => {
        match $n {
            2 => {
                #[allow(non_upper_case_globals)]
                const $n: usize = 2;
                $body
            }
            3 => {
                #[allow(non_upper_case_globals)]
                const $n: usize = 3;
                $body
            }
            4 => {
                #[allow(non_upper_case_globals)]
                const $n: usize = 4;
                $body
            }
            _ => $body,
        }
    };
}

pub(super) use unrolled;

/// `lu_factor` of a range of the batch; the operands are `a`, `lu` and the pivots.
pub(crate) struct Lu<'a, T> {
    pub(crate) a: Mat<T>,
    pub(crate) lu: Mat<T>,
    pub(crate) pivots: Mat<i64>,
    pub(crate) batch: &'a Batch<3>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for Lu<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let (places_a, places_out) = (places(self.a), places(self.lu));
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut rows = [T::Lanes::<FMA>::row(0); MAX];
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, false);
                unrolled!(n => lu(&mut a, n, &mut rows));
                store(&a, self.lu, &places_out, group, 1);
                for (lane, [_, _, offset]) in group.iter().enumerate() {
                    let pivots = self.pivots.offset(*offset);
                    (0..n).for_each(|k| pivots.set(k, 0, T::Lanes::<FMA>::row_of(&rows[k], lane) as i64));
                }
            }
            report_zeros(&a, n, first, group.len(), self.failures);
        }
    }
}

/// Reports each of the first `items` lanes with the first row that has a zero on the diagonal, and returns the lanes.
#[inline(always)]
pub(super) fn report_zeros<L: Lanes>(a: &[L], n: usize, first: usize, items: usize, failures: &Failures) -> u32 {
    let mut seen = 0;
    for k in 0..n {
        let zero = a[k * n + k].zero();
        report(zero & !seen, k, first, items, failures);
        seen |= zero;
    }
    seen
}

#[inline(always)]
pub(super) fn report(lanes: u32, pivot: usize, first: usize, items: usize, failures: &Failures) {
    if lanes != 0 {
        (0..items).filter(|lane| lanes >> lane & 1 == 1).for_each(|lane| failures.report(first + lane, pivot));
    }
}

/// LU with partial pivoting in place; `rows[k]` becomes the row that step k exchanged with row k.
#[inline(always)]
pub(super) fn lu<L: Lanes>(a: &mut [L], n: usize, rows: &mut [L::Size; MAX]) {
    let a = &mut a[..n * n];
    for k in 0..n {
        let mut best = a[k * n + k].size();
        let mut row = L::row(k);
        for i in k + 1..n {
            L::keep_larger(a[i * n + k].size(), i, &mut best, &mut row);
        }
        rows[k] = row;
        for i in k + 1..n {
            let (upper, lower) = a.split_at_mut(i * n);
            for j in 0..n {
                L::swap_where(row, i, &mut upper[k * n + j], &mut lower[j]);
            }
        }
        let pivot = a[k * n + k].or_one();
        for i in k + 1..n {
            let factor = a[i * n + k].div(pivot);
            a[i * n + k] = factor;
            for j in k + 1..n {
                a[i * n + j] = a[i * n + j].sub_mul(factor, a[k * n + j]);
            }
        }
    }
}

/// T x = b in place by substitution, T taken from `a` as `triangle` says, except that conjugation has been done.
#[inline(always)]
pub(super) fn substitute<L: Lanes>(a: &[L], n: usize, triangle: Triangle, x: &mut [L]) {
    let (a, x) = (&a[..n * n], &mut x[..n]);
    let transposed = triangle.form != Form::Plain;
    let forward = triangle.lower != transposed;
    let place = |i: usize| if forward { i } else { n - 1 - i };
    for i in 0..n {
        let row = place(i);
        let mut sum = x[row];
        for j in 0..i {
            let col = place(j);
            sum = sum.sub_mul(a[if transposed { col * n + row } else { row * n + col }], x[col]);
        }
        x[row] = if triangle.unit { sum } else { sum.div(a[row * n + row]) };
    }
}

/// `lu_solve` of a range of the batch; the operands are the factors, the pivots, `b` and `x`.
pub(crate) struct LuSolve<'a, T> {
    pub(crate) lu: Mat<T>,
    pub(crate) pivots: Mat<i64>,
    pub(crate) b: Mat<T>,
    pub(crate) x: Mat<T>,
    pub(crate) form: Form,
    pub(crate) batch: &'a Batch<4>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for LuSolve<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.lu.rows;
        let form = self.form;
        let places_a = places(self.lu);
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut x = [T::Lanes::<FMA>::ZERO; MAX];
        let mut orders = [[0; MAX]; MAX_LANES];
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them, and the orders are permutations.
            unsafe {
                load(&mut a, self.lu, &places_a, group, 0, form == Form::Adjoint);
                for (order, offsets) in orders.iter_mut().zip(group) {
                    row_order(self.pivots.offset(offsets[1]), &mut order[..n]);
                }
                let zeros = report_zeros(&a, n, first, group.len(), self.failures);
                for side in 0..self.b.cols {
                    for (lane, offsets) in group.iter().enumerate() {
                        let b = self.b.offset(offsets[2]);
                        for i in 0..n {
                            let row = if form == Form::Plain { orders[lane][i] } else { i };
                            x[i].set(lane, b.get(row, side));
                        }
                    }
                    unrolled!(n => {
                        let lower = Triangle { lower: true, unit: true, form };
                        let upper = Triangle { lower: false, unit: false, form };
                        let (first, second) = if form == Form::Plain { (lower, upper) } else { (upper, lower) };
                        substitute(&a, n, first, &mut x);
                        substitute(&a, n, second, &mut x);
                    });
                    for (lane, offsets) in group.iter().enumerate() {
                        let solution = self.x.offset(offsets[3]);
                        let failed = zeros >> lane & 1 == 1;
                        for i in 0..n {
                            let row = if form == Form::Plain { i } else { orders[lane][i] };
                            solution.set(row, side, if failed { T::NAN } else { x[i].get(lane) });
                        }
                    }
                }
            }
        }
    }
}

/// Factorization and solution of a range of the batch in one go; the operands are `a`, `b` and `x`.
pub(crate) struct System<'a, T> {
    pub(crate) a: Mat<T>,
    pub(crate) b: Mat<T>,
    pub(crate) x: Mat<T>,
    pub(crate) batch: &'a Batch<3>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for System<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let places_a = places(self.a);
        let (places_b, places_out) = (places(Mat { cols: 1, ..self.b }), places(Mat { cols: 1, ..self.x }));
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut x = [T::Lanes::<FMA>::ZERO; MAX];
        let mut rows = [T::Lanes::<FMA>::row(0); MAX];
        let lower = Triangle { lower: true, unit: true, form: Form::Plain };
        let upper = Triangle { lower: false, unit: false, form: Form::Plain };
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, false);
                unrolled!(n => lu(&mut a, n, &mut rows));
                let zeros = report_zeros(&a, n, first, group.len(), self.failures);
                for side in 0..self.b.cols {
                    load(&mut x, self.b.block(0, side, n, 1), &places_b, group, 1, false);
                    unrolled!(n => {
                        exchange_rows(&rows, n, &mut x);
                        substitute(&a, n, lower, &mut x);
                        substitute(&a, n, upper, &mut x);
                    });
                    let column = self.x.block(0, side, n, 1);
                    store(&x, column, &places_out, group, 2);
                    for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| zeros >> lane & 1 == 1) {
                        column.offset(offsets[2]).fill(T::NAN);
                    }
                }
            }
        }
    }
}

/// Exchanges the rows of a vector as [`lu`] did those of the matrix.
#[inline(always)]
pub(super) fn exchange_rows<L: Lanes>(rows: &[L::Size; MAX], n: usize, x: &mut [L]) {
    for k in 0..n {
        for i in k + 1..n {
            let (upper, lower) = x.split_at_mut(i);
            L::swap_where(rows[k], i, &mut upper[k], &mut lower[0]);
        }
    }
}

/// Where row exchanges take the rows from.
///
/// # Safety
/// As many pivots as `order` is long are readable.
#[inline(always)]
unsafe fn row_order(pivots: Mat<i64>, order: &mut [usize]) {
    for (i, row) in order.iter_mut().enumerate() {
        *row = i;
    }
    for i in 0..order.len() {
        // SAFETY: the caller's contract.
        let p = usize::try_from(unsafe { pivots.get(i, 0) }).ok().filter(|&p| p < order.len());
        order.swap(i, p.expect("pivots of lu_factor"));
    }
}

/// `solve_triangular` of a range of the batch; the operands are the triangle, `b` and `x`.
pub(crate) struct Solve<'a, T> {
    pub(crate) a: Mat<T>,
    pub(crate) b: Mat<T>,
    pub(crate) x: Mat<T>,
    pub(crate) triangle: Triangle,
    pub(crate) batch: &'a Batch<3>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for Solve<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let triangle = self.triangle;
        let places_a = places(self.a);
        let (places_b, places_out) = (places(Mat { cols: 1, ..self.b }), places(Mat { cols: 1, ..self.x }));
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut x = [T::Lanes::<FMA>::ZERO; MAX];
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, triangle.form == Form::Adjoint);
                let zeros = if triangle.unit { 0 } else { report_zeros(&a, n, first, group.len(), self.failures) };
                for side in 0..self.b.cols {
                    load(&mut x, self.b.block(0, side, n, 1), &places_b, group, 1, false);
                    unrolled!(n => substitute(&a, n, triangle, &mut x));
                    let column = self.x.block(0, side, n, 1);
                    store(&x, column, &places_out, group, 2);
                    for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| zeros >> lane & 1 == 1) {
                        column.offset(offsets[2]).fill(T::NAN);
                    }
                }
            }
        }
    }
}

/// `cholesky` of a range of the batch; the operands are `a` and the lower factor.
pub(crate) struct Cholesky<'a, T> {
    pub(crate) a: Mat<T>,
    pub(crate) l: Mat<T>,
    pub(crate) batch: &'a Batch<2>,
    pub(crate) range: Range<usize>,
    pub(crate) failures: &'a Failures,
}

impl<T: Field> Job for Cholesky<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.a.rows;
        let (places_a, places_out) = (places(self.a), places(self.l));
        let mut a = vec![T::Lanes::<FMA>::ZERO; n * n];
        let mut groups = Groups::new(self.batch, self.range.clone());
        while let Some((first, group)) = groups.next(<T::Lanes<FMA> as Lanes>::W) {
            // SAFETY: the views' contracts; the offsets lead to matrices inside them.
            unsafe {
                load(&mut a, self.a, &places_a, group, 0, false);
                let mut pivots = [0; MAX];
                let failed = unrolled!(n => cholesky(&mut a, n, &mut pivots));
                (0..n).for_each(|k| report(pivots[k], k, first, group.len(), self.failures));
                store(&a, self.l, &places_out, group, 1);
                for (_, offsets) in group.iter().enumerate().filter(|(lane, _)| failed >> lane & 1 == 1) {
                    self.l.offset(offsets[1]).fill(T::NAN);
                }
            }
        }
    }
}

/// The lower Cholesky factor in place, zeros above; `failed_at[k]` becomes the lanes where pivot k is the first that is not
/// positive. Returns all failed lanes.
#[inline(always)]
fn cholesky<L: Lanes>(a: &mut [L], n: usize, failed_at: &mut [u32; MAX]) -> u32 {
    let a = &mut a[..n * n];
    let mut failed = 0;
    for k in 0..n {
        for i in k..n {
            let mut sum = a[i * n + k];
            for j in 0..k {
                sum = sum.sub_mul_conj(a[i * n + j], a[k * n + j]);
            }
            if i == k {
                failed_at[k] = sum.not_positive() & !failed;
                failed |= failed_at[k];
                a[k * n + k] = sum.sqrt_real();
            } else {
                a[i * n + k] = sum.div(a[k * n + k]);
                a[k * n + i] = L::ZERO;
            }
        }
    }
    failed
}
