//! Blocked factorizations whose bulk is matrix products (Golub and Van Loan, Matrix Computations, 4th ed., 3.2 and 4.2).
//!
//! Quotients are divisions, never products with a reciprocal, which overflows for tiny pivots.
#![allow(unsafe_code)]

use super::backend::Backend;
use super::field::{Field, Job, Lanes, run};
use super::mat::Mat;
use super::{Form, Triangle};
use crate::matmul::gemm;
use crate::pool::{MIN_TASK_NS, parallel_for};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Columns that are factorized before the rest of the matrix is updated.
const PANEL: usize = 64;

/// Columns of a panel that are factorized without products.
const STRIP: usize = 8;

/// Edge of the matrices that are factorized without products, whose calls cost more there than they save.
const CORNER: usize = 96;

/// Columns that are taken off the rest of a matrix in one pass over it.
const AT_ONCE: usize = 4;

/// Rows of a triangle that is solved without products.
const TRIANGLE: usize = 32;

/// Right-hand sides that are solved together; fixed, so that no bit depends on the threads.
const SIDES: usize = 128;

/// Edge of the blocks in which a triangle is updated.
const TILE: usize = 128;

pub(crate) struct Blocked;

impl<T: Field> Backend<T> for Blocked {
    unsafe fn lu(&self, a: Mat<T>, swaps: &mut [usize]) -> Option<usize> {
        let n = a.rows;
        if n <= CORNER {
            // SAFETY: the caller's contract.
            return unsafe { lu_panel(a, swaps) };
        }
        let first = PANEL.min(n);
        // SAFETY: the caller's contract.
        let mut zero = unsafe { lu_panel(a.block(0, 0, n, first), &mut swaps[..first]) };
        for k in (0..n).step_by(PANEL) {
            let width = PANEL.min(n - k);
            let (next, rest) = (k + width, n - k - width);
            let (swaps, ahead) = swaps[k..].split_at_mut(width);
            // Its columns are updated first and factorized while other threads update the others.
            let panel = Mutex::new((&mut ahead[..PANEL.min(rest)], None));
            let ns = 0.04 * (PANEL * PANEL * rest) as f64;
            parallel_for(rest.div_ceil(PANEL), (MIN_TASK_NS / ns).ceil() as usize, |range| {
                for block in range {
                    let j = next + block * PANEL;
                    let cols = PANEL.min(n - j);
                    let columns = a.block(k, j, n - k, cols);
                    let (top, bottom) = (columns.block(0, 0, width, cols), columns.block(width, 0, rest, cols));
                    // SAFETY: blocks inside `a` that do not overlap; the panel on the left is finished.
                    unsafe {
                        swap_rows(columns, swaps);
                        solve_lower(a.block(k, k, width, width), false, true, top);
                        gemm(bottom, true, -T::one(), a.block(next, k, rest, width), false, top, false);
                        if block == 0 {
                            let mut panel = panel.lock().unwrap_or_else(PoisonError::into_inner);
                            panel.1 = lu_panel(bottom, panel.0);
                        }
                    }
                }
            });
            let (_, failed) = panel.into_inner().unwrap_or_else(PoisonError::into_inner);
            zero = zero.or(failed.map(|i| next + i));
        }
        for k in (0..n).step_by(PANEL) {
            let swaps = &mut swaps[k..n.min(k + PANEL)];
            // SAFETY: as above.
            unsafe { swap_rows(a.block(k, 0, n - k, k), swaps) };
            swaps.iter_mut().for_each(|p| *p += k);
        }
        zero
    }

    unsafe fn cholesky(&self, a: Mat<T>) -> Option<usize> {
        // SAFETY: the caller's contract.
        unsafe { cholesky(a) }
    }

    unsafe fn solve(&self, triangle: Triangle, a: Mat<T>, x: Mat<T>) {
        let (a, lower) = match triangle.form {
            Form::Plain => (a, triangle.lower),
            Form::Transposed | Form::Adjoint => (a.t(), !triangle.lower),
        };
        let conj = triangle.form == Form::Adjoint;
        // SAFETY: the caller's contract.
        unsafe {
            if lower {
                solve_lower(a, conj, triangle.unit, x);
            } else {
                solve_lower(a.reversed(), conj, triangle.unit, x.rows_reversed());
            }
        }
    }
}

/// Cholesky factorization, a panel of columns after the other.
///
/// # Safety
/// As [`Backend::cholesky`].
unsafe fn cholesky<T: Field>(a: Mat<T>) -> Option<usize> {
    let n = a.rows;
    if n <= CORNER {
        let mut failed = None;
        run(CholeskyCorner { a, failed: &mut failed });
        return failed;
    }
    for k in (0..n).step_by(PANEL) {
        let width = PANEL.min(n - k);
        let rest = n - k - width;
        // SAFETY: blocks inside `a` that do not overlap.
        unsafe {
            let corner = a.block(k, k, width, width);
            if let Some(i) = cholesky(corner) {
                return Some(k + i);
            }
            // L21 L11^H = A21, transposed: conj(L11) L21^T = A21^T.
            let below = a.block(k + width, k, rest, width);
            solve_lower(corner, true, false, below.t());
            update_lower(a.block(k + width, k + width, rest, rest), below);
        }
    }
    None
}

/// Factorizes a matrix of at least as many rows as columns, the left half first (Toledo, SIAM J. Matrix Anal. 18, 1997).
///
/// # Safety
/// As [`Backend::lu`], with as many swaps as columns.
unsafe fn lu_panel<T: Field>(a: Mat<T>, swaps: &mut [usize]) -> Option<usize> {
    let (rows, cols) = (a.rows, a.cols);
    if cols <= STRIP || rows <= CORNER {
        let mut zero = None;
        run(LuStrip { a, swaps, zero: &mut zero });
        return zero;
    }
    let half = (cols / 2).next_multiple_of(STRIP);
    let (first, second) = swaps.split_at_mut(half);
    // SAFETY: blocks inside `a` that do not overlap.
    unsafe {
        let (left, right) = (a.block(0, 0, rows, half), a.block(0, half, rows, cols - half));
        let zero = lu_panel(left, first);
        swap_rows(right, first);
        let (top, bottom) = (right.block(0, 0, half, cols - half), right.block(half, 0, rows - half, cols - half));
        solve_lower(left.block(0, 0, half, half), false, true, top);
        let below = left.block(half, 0, rows - half, half);
        gemm(bottom, true, -T::one(), below, false, top, false);
        let later = lu_panel(bottom, second);
        swap_rows(below, second);
        second.iter_mut().for_each(|p| *p += half);
        zero.or(later.map(|i| half + i))
    }
}

/// Exchanges row i with row `swaps[i]`, in the order of i.
///
/// # Safety
/// `a` may be read and written, and all rows lie inside.
unsafe fn swap_rows<T: Field>(a: Mat<T>, swaps: &[usize]) {
    let min = (MIN_TASK_NS / (1.0 + 2.0 * swaps.len() as f64)) as usize;
    parallel_for(a.cols, min, |columns| {
        for j in columns {
            for (i, &p) in swaps.iter().enumerate() {
                // SAFETY: the caller's contract; each column belongs to one task.
                unsafe { a.at(i, j).swap(a.at(p, j)) }
            }
        }
    });
}

/// The last elements of a column, from row i on, as lanes; zero behind them.
///
/// # Safety
/// Rows `i..rows` of column `j` are readable, and fewer than there are lanes.
#[inline(always)]
unsafe fn load_end<L: Lanes>(a: Mat<L::Elem>, i: usize, j: usize) -> L {
    let mut lanes = L::ZERO;
    for l in 0..a.rows - i {
        // SAFETY: the caller's contract; the elements follow each other.
        lanes.set(l, unsafe { *a.at(i, j).add(l) });
    }
    lanes
}

/// # Safety
/// As of [`load_end`], writable.
#[inline(always)]
unsafe fn store_end<L: Lanes>(a: Mat<L::Elem>, i: usize, j: usize, lanes: L) {
    for l in 0..a.rows - i {
        // SAFETY: the caller's contract.
        unsafe { *a.at(i, j).add(l) = lanes.get(l) };
    }
}

/// Where the rows from `first` on that fill lanes end.
#[inline(always)]
fn filled<L: Lanes>(first: usize, rows: usize) -> usize {
    first + (rows - first) / L::W * L::W
}

/// Column j, from row `first` on, minus the products of other columns with factors.
///
/// # Safety
/// The columns are contiguous; column j may be written, and is none of the others.
#[inline(always)]
pub(super) unsafe fn take_off<L: Lanes, const N: usize>(
    a: Mat<L::Elem>,
    columns: [usize; N],
    factors: [L::Elem; N],
    first: usize,
    j: usize,
) {
    let mut lanes = [L::ZERO; N];
    for k in 0..N {
        lanes[k] = L::splat(factors[k]);
    }
    let (mut i, end) = (first, filled::<L>(first, a.rows));
    // SAFETY: inside the columns.
    unsafe {
        while i < end {
            let mut sum = L::load(a.at(i, j));
            for k in 0..N {
                sum = sum.sub_mul(L::load(a.at(i, columns[k])), lanes[k]);
            }
            sum.store(a.at(i, j));
            i += L::W;
        }
        if i < a.rows {
            let mut sum = load_end::<L>(a, i, j);
            for k in 0..N {
                sum = sum.sub_mul(load_end::<L>(a, i, columns[k]), lanes[k]);
            }
            store_end(a, i, j, sum);
        }
    }
}

/// LU of a few columns or of a small matrix.
struct LuStrip<'a, T> {
    a: Mat<T>,
    swaps: &'a mut [usize],
    zero: &'a mut Option<usize>,
}

impl<T: Field> Job for LuStrip<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let LuStrip { a, swaps, zero } = self;
        for start in (0..a.cols).step_by(AT_ONCE) {
            let end = (start + AT_ONCE).min(a.cols);
            // SAFETY: all indices are inside, and the columns are contiguous by the contract of `Backend::lu`.
            unsafe {
                for k in start..end {
                    let p = pivot_row::<T::Lanes<FMA>>(a, k);
                    swaps[k] = p;
                    if p != k {
                        (0..a.cols).for_each(|j| a.at(k, j).swap(a.at(p, j)));
                    }
                    let pivot = a.get(k, k);
                    if pivot == T::default() {
                        zero.get_or_insert(k);
                    } else {
                        divide_below::<T::Lanes<FMA>>(a, k, pivot);
                    }
                    for j in k + 1..end {
                        take_off::<T::Lanes<FMA>, 1>(a, [k], [a.get(k, j)], k + 1, j);
                    }
                }
                for j in end..a.cols {
                    let (mut factors, mut columns) = ([T::default(); AT_ONCE], [0; AT_ONCE]);
                    for k in 0..AT_ONCE {
                        columns[k] = start + k;
                        let mut u = T::Lanes::<FMA>::splat(a.get(start + k, j));
                        for i in 0..k {
                            let l = T::Lanes::<FMA>::splat(a.get(start + k, start + i));
                            u = u.sub_mul(l, T::Lanes::<FMA>::splat(factors[i]));
                        }
                        factors[k] = u.get(0);
                        a.set(start + k, j, factors[k]);
                    }
                    take_off::<T::Lanes<FMA>, AT_ONCE>(a, columns, factors, end, j);
                }
            }
        }
    }
}

/// The first row from k on with the largest element of column k; k if that element is NaN, other NaN are passed over.
///
/// # Safety
/// Column k is readable and contiguous.
#[inline(always)]
unsafe fn pivot_row<L: Lanes>(a: Mat<L::Elem>, k: usize) -> usize {
    // SAFETY: inside the column.
    unsafe {
        let mut best = L::splat(a.get(k, k)).size();
        let mut row = L::row(k);
        let (mut i, end) = (k + 1, filled::<L>(k + 1, a.rows));
        while i < end {
            L::keep_larger(L::load(a.at(i, k)).size(), i, &mut best, &mut row);
            i += L::W;
        }
        if i < a.rows {
            L::keep_larger(load_end::<L>(a, i, k).size(), i, &mut best, &mut row);
        }
        // Each lane has its best chunk; the earliest row among equals wins.
        let mut found = (L::size_of(&L::splat(a.get(k, k)).size(), 0), k);
        for l in 0..L::W {
            let start = L::row_of(&row, l);
            if start == k {
                continue;
            }
            let candidate = (L::size_of(&best, l), start + l);
            if candidate.0 > found.0 || (candidate.0 == found.0 && found.1 != k && candidate.1 < found.1) {
                found = candidate;
            }
        }
        found.1
    }
}

/// Divides the elements below (k, k) by `pivot`.
///
/// # Safety
/// Column k may be read and written and is contiguous.
#[inline(always)]
unsafe fn divide_below<L: Lanes>(a: Mat<L::Elem>, k: usize, pivot: L::Elem) {
    let pivot = L::splat(pivot);
    let (mut i, end) = (k + 1, filled::<L>(k + 1, a.rows));
    // SAFETY: inside the column.
    unsafe {
        while i < end {
            L::load(a.at(i, k)).div(pivot).store(a.at(i, k));
            i += L::W;
        }
        if i < a.rows {
            store_end(a, i, k, load_end::<L>(a, i, k).div(pivot));
        }
    }
}

/// Cholesky factorization of a small matrix.
struct CholeskyCorner<'a, T> {
    a: Mat<T>,
    failed: &'a mut Option<usize>,
}

impl<T: Field> Job for CholeskyCorner<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let CholeskyCorner { a, failed } = self;
        for start in (0..a.cols).step_by(AT_ONCE) {
            let end = (start + AT_ONCE).min(a.cols);
            // SAFETY: all indices are inside, and the columns are contiguous by the contract of `Backend::cholesky`.
            unsafe {
                for k in start..end {
                    let diagonal = T::Lanes::<FMA>::splat(a.get(k, k));
                    if diagonal.not_positive() != 0 {
                        *failed = Some(k);
                        return;
                    }
                    let root = diagonal.sqrt_real().get(0);
                    a.set(k, k, root);
                    divide_below::<T::Lanes<FMA>>(a, k, root);
                    for j in k + 1..end {
                        take_off::<T::Lanes<FMA>, 1>(a, [k], [a.get(j, k).conjugate_if(true)], j, j);
                    }
                }
                for j in end..a.cols {
                    let (mut factors, mut columns) = ([T::default(); AT_ONCE], [0; AT_ONCE]);
                    for k in 0..AT_ONCE {
                        columns[k] = start + k;
                        factors[k] = a.get(j, start + k).conjugate_if(true);
                    }
                    take_off::<T::Lanes<FMA>, AT_ONCE>(a, columns, factors, j, j);
                }
            }
        }
    }
}

/// The lower triangle of `a -= b b^H`, in tiles; the tiles on the diagonal are computed whole.
///
/// # Safety
/// `b` is readable, `a` is square with as many rows and may be read and written; they do not overlap.
unsafe fn update_lower<T: Field>(a: Mat<T>, b: Mat<T>) {
    let tiles = a.rows.div_ceil(TILE);
    let ns = 0.05 * (TILE * TILE * b.cols) as f64;
    parallel_for(tiles * tiles, (MIN_TASK_NS / ns).ceil() as usize, |range| {
        for (i, j) in range.map(|t| (t / tiles * TILE, t % tiles * TILE)).filter(|(i, j)| i >= j) {
            let (rows, cols) = (TILE.min(a.rows - i), TILE.min(a.rows - j));
            // SAFETY: tiles lie inside and do not overlap.
            unsafe {
                let (left, right) = (b.block(i, 0, rows, b.cols), b.block(j, 0, cols, b.cols));
                gemm(a.block(i, j, rows, cols), true, -T::one(), left, false, right.t(), true);
            }
        }
    });
}

/// L x = b in place, or conj(L) x = b.
///
/// # Safety
/// As [`Backend::solve`].
unsafe fn solve_lower<T: Field>(l: Mat<T>, conj: bool, unit: bool, x: Mat<T>) {
    let ns = 0.1 * (l.rows * l.rows * SIDES.min(x.cols)) as f64;
    parallel_for(x.cols.div_ceil(SIDES), (MIN_TASK_NS / ns).ceil() as usize, |range| {
        for j in range.map(|block| block * SIDES) {
            // SAFETY: the caller's contract; blocks of columns do not overlap.
            unsafe { solve_lower_block(l, conj, unit, x.block(0, j, x.rows, SIDES.min(x.cols - j))) }
        }
    });
}

/// # Safety
/// As [`Backend::solve`].
unsafe fn solve_lower_block<T: Field>(l: Mat<T>, conj: bool, unit: bool, x: Mat<T>) {
    let n = l.rows;
    if n <= TRIANGLE {
        run(Substitution { l, conj, unit, x });
        return;
    }
    let half = (n / 2).next_multiple_of(STRIP);
    let (top, bottom) = (x.block(0, 0, half, x.cols), x.block(half, 0, n - half, x.cols));
    // SAFETY: blocks inside the matrices that do not overlap.
    unsafe {
        solve_lower_block(l.block(0, 0, half, half), conj, unit, top);
        gemm(bottom, true, -T::one(), l.block(half, 0, n - half, half), conj, top, false);
        solve_lower_block(l.block(half, half, n - half, n - half), conj, unit, bottom);
    }
}

/// L x = b by forward substitution, a right-hand side per lane.
struct Substitution<T> {
    l: Mat<T>,
    conj: bool,
    unit: bool,
    x: Mat<T>,
}

impl<T: Field> Job for Substitution<T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Substitution { l, conj, unit, x } = self;
        let n = l.rows;
        let mut rows = [T::Lanes::<FMA>::ZERO; TRIANGLE];
        let rows = &mut rows[..n];
        for start in (0..x.cols).step_by(<T::Lanes<FMA> as Lanes>::W) {
            let columns: Range<usize> = start..(start + <T::Lanes<FMA> as Lanes>::W).min(x.cols);
            let whole = x.cs == 1 && columns.len() == <T::Lanes<FMA> as Lanes>::W;
            // SAFETY: all indices are inside.
            unsafe {
                for i in 0..n {
                    if whole {
                        rows[i] = T::Lanes::<FMA>::load(x.at(i, start));
                    } else {
                        columns.clone().for_each(|j| rows[i].set(j - start, x.get(i, j)));
                    }
                }
                for i in 0..n {
                    let mut sum = rows[i];
                    for j in 0..i {
                        sum = sum.sub_mul(T::Lanes::<FMA>::splat(l.get(i, j).conjugate_if(conj)), rows[j]);
                    }
                    if !unit {
                        sum = sum.div(T::Lanes::<FMA>::splat(l.get(i, i).conjugate_if(conj)));
                    }
                    rows[i] = sum;
                }
                for i in 0..n {
                    if whole {
                        rows[i].store(x.at(i, start));
                    } else {
                        columns.clone().for_each(|j| x.set(i, j, rows[i].get(j - start)));
                    }
                }
            }
        }
    }
}
