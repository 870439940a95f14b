//! How a reduction runs: a fixed tree over logical positions, visited in the order that suits the memory.
//!
//! The reduced elements of an output, in C order of the reduced axes, are cut into blocks; a block is accumulated in
//! [`LANES`] lanes and folded; blocks are combined pairwise, the left part being the largest power of two. The tree depends on
//! the number of elements alone, not on strides, threads or instruction set.
#![allow(unsafe_code)]

use super::fold::{Fold, LANES, ORDERED_BLOCK};
use crate::pool::parallel_for;
use crate::walk::{self, Dims, Loop, Shared, vectorized};
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Outputs that are accumulated side by side, row by row.
const TILE: usize = 128;

/// Rows that are added in one pass over the accumulators.
const ROWS: usize = 4;

/// Blocks in a unit of parallel work; a power of two, so that a unit is a node of the tree.
const UNIT: usize = 64;

/// Elements per task below which a second thread does not pay.
const MIN_TASK: usize = 1 << 17;

/// The index spaces of one reduction.
pub(super) struct Plan {
    pub reduced: Dims<1>,
    pub kept: Dims<1>,
    pub n_reduced: usize,
    pub n_outputs: usize,
}

impl Plan {
    /// Whether outputs are accumulated side by side rather than one after the other.
    pub fn by_rows(&self) -> bool {
        let contiguous_rows = self.kept.last().is_some_and(|d| d.step == [1] && d.n >= 8);
        contiguous_rows || (self.n_outputs >= 8 && self.n_reduced <= 2 * LANES)
    }
}

/// Pairwise combination of a sequence of values, the left operand always a complete power of two.
struct Tree<A, const DEPTH: usize> {
    stack: [MaybeUninit<A>; DEPTH],
    depth: usize,
    count: usize,
}

impl<A: Copy, const DEPTH: usize> Tree<A, DEPTH> {
    #[inline(always)]
    fn new() -> Self {
        Tree { stack: [const { MaybeUninit::uninit() }; DEPTH], depth: 0, count: 0 }
    }
    #[inline(always)]
    fn pop(&mut self) -> A {
        self.depth -= 1;
        // SAFETY: everything below `depth` has been written by `push`.
        unsafe { self.stack[self.depth].assume_init() }
    }
    #[inline(always)]
    fn push(&mut self, mut a: A, merge: impl Fn(A, A) -> A) {
        for _ in 0..self.count.trailing_ones() {
            a = merge(self.pop(), a);
        }
        self.count += 1;
        self.stack[self.depth].write(a);
        self.depth += 1;
    }
    #[inline(always)]
    fn finish(mut self, merge: impl Fn(A, A) -> A) -> A {
        let mut a = self.pop();
        while self.depth > 0 {
            a = merge(self.pop(), a);
        }
        a
    }
}

/// Where the values of outputs `i..` go, possibly from several threads.
pub(super) type Sink<'a, A> = &'a (dyn Fn(usize, &[A]) + Sync);

/// Reduces into `out`.
///
/// # Safety
/// Every offset of the plan from `base` is readable, and there is at least one reduced position.
pub(super) unsafe fn reduce<T: Copy + Send + Sync, F: Fold<T>>(
    fold: F,
    base: Shared<T>,
    plan: &Plan,
    out: Sink<F::Acc>,
) {
    let n_blocks = plan.n_reduced.div_ceil(F::BLOCK);
    let n_units = n_blocks.div_ceil(UNIT);
    let n_tiles = plan.n_outputs.div_ceil(TILE);
    let part = |item: usize, out: Sink<F::Acc>| {
        let (tile, unit) = (item % n_tiles, item / n_tiles);
        let outputs = tile * TILE..plan.n_outputs.min((tile + 1) * TILE);
        let blocks = unit * UNIT..n_blocks.min((unit + 1) * UNIT);
        vectorized(Part { fold, base, plan, outputs, blocks, out });
    };
    if n_units * n_tiles == 1 {
        return part(0, out);
    }
    let min_items = MIN_TASK.div_ceil(plan.n_reduced.min(UNIT * F::BLOCK) * plan.n_outputs.min(TILE));
    if n_units == 1 {
        return parallel_for(n_tiles, min_items, |items| items.for_each(|item| part(item, out)));
    }
    let mut values: Vec<MaybeUninit<F::Acc>> = Vec::with_capacity(n_units * plan.n_outputs);
    // SAFETY: the elements need no initialization.
    unsafe { values.set_len(n_units * plan.n_outputs) };
    let slots = Shared(values.as_mut_ptr());
    let decided = AtomicBool::new(false);
    parallel_for(n_units * n_tiles, min_items, |items| {
        for item in items {
            let row = item / n_tiles * plan.n_outputs;
            let store = |i: usize, accs: &[F::Acc]| {
                for (k, &a) in accs.iter().enumerate() {
                    // SAFETY: each slot belongs to one unit and output, thus to one item.
                    unsafe { slots.write(row + i + k, MaybeUninit::new(a)) };
                }
                if plan.n_outputs == 1 && fold.is_absorbing(accs[0]) {
                    decided.store(true, Ordering::Relaxed);
                }
            };
            match fold.absorbing() {
                Some(a) if decided.load(Ordering::Relaxed) => store(0, &[a]),
                _ => part(item, &store),
            }
        }
    });
    for i in 0..plan.n_outputs {
        let mut tree = Tree::<F::Acc, { usize::BITS as usize }>::new();
        for unit in 0..n_units {
            // SAFETY: the loop above has written every slot.
            tree.push(unsafe { values[unit * plan.n_outputs + i].assume_init() }, |a, b| fold.merge(a, b));
        }
        out(i, &[tree.finish(|a, b| fold.merge(a, b))]);
    }
}

/// Depth of the tree within a unit.
const DEPTH: usize = UNIT.trailing_zeros() as usize + 1;

/// Some blocks of some outputs.
struct Part<'a, T, F: Fold<T>>
where
    T: Copy,
{
    fold: F,
    base: Shared<T>,
    plan: &'a Plan,
    outputs: Range<usize>,
    blocks: Range<usize>,
    out: Sink<'a, F::Acc>,
}

impl<T: Copy, F: Fold<T>> Loop for Part<'_, T, F> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        if self.plan.by_rows() {
            self.rows();
        } else {
            walk::runs(&self.plan.kept, self.outputs.clone(), {
                let mut output = self.outputs.start;
                let mut gathered = SmallVec::new();
                move |[at], n, [step]| {
                    for i in 0..n as isize {
                        let value = self.one(output, at + i * step, &mut gathered);
                        (self.out)(output, &[value]);
                        output += 1;
                    }
                }
            });
        }
    }
}

impl<T: Copy, F: Fold<T>> Part<'_, T, F> {
    #[inline(always)]
    fn positions(&self, block: usize) -> Range<usize> {
        block * F::BLOCK..self.plan.n_reduced.min((block + 1) * F::BLOCK)
    }

    /// One output, whose elements start at offset `at`.
    #[inline(always)]
    fn one(&self, output: usize, at: isize, gathered: &mut SmallVec<[T; 32]>) -> F::Acc {
        let merge = |a, b| self.fold.merge(a, b);
        let p = self.fold.param(output);
        let base = self.base.0.cast_const();
        let straight = match self.plan.reduced.as_slice() {
            [] => true,
            [d] => d.step == [1],
            _ => false,
        };
        let mut tree = Tree::<F::Acc, DEPTH>::new();
        let mut before = None;
        for block in self.blocks.clone() {
            let positions = self.positions(block);
            let elements = if straight {
                // SAFETY: these positions are consecutive in memory, and readable by the contract of `reduce`.
                unsafe { std::slice::from_raw_parts(base.offset(at + positions.start as isize), positions.len()) }
            } else {
                gathered.clear();
                gathered.reserve(positions.len());
                walk::runs(&self.plan.reduced, positions.clone(), |[o], n, [step]| {
                    // SAFETY: offsets of the plan are readable.
                    gathered.extend((0..n as isize).map(|i| unsafe { *base.offset(at + o + i * step) }));
                });
                gathered.as_slice()
            };
            let acc = self.fold.block(p, elements, positions.start, before);
            tree.push(acc, merge);
            before = Some(acc);
            if self.fold.is_absorbing(acc) {
                break;
            }
        }
        tree.finish(merge)
    }

    /// The elements of the outputs at these offsets of the reduced axes.
    #[inline(always)]
    fn load<'r, const K: usize>(
        &self,
        offsets: [isize; K],
        column: &[isize],
        straight: bool,
        gathered: &'r mut [[MaybeUninit<T>; TILE]; ROWS],
    ) -> [&'r [T]; K] {
        let base = self.base.0.cast_const();
        if straight {
            // SAFETY: offsets of the plan are readable, and a straight row is consecutive in memory.
            return offsets.map(|o| unsafe { std::slice::from_raw_parts(base.offset(o + column[0]), column.len()) });
        }
        for (row, o) in gathered.iter_mut().zip(offsets) {
            for (g, &c) in row.iter_mut().zip(column) {
                // SAFETY: offsets of the plan are readable.
                g.write(unsafe { *base.offset(o + c) });
            }
        }
        let gathered = &*gathered;
        // SAFETY: the loop above has written the first `column.len()` elements of `K` rows, `K` being at most `ROWS`.
        std::array::from_fn(|k| unsafe { initialized(&gathered[k][..column.len()]) })
    }

    /// All outputs together: each position contributes a row with one element per output.
    #[inline(always)]
    fn rows(&self) {
        let fold = &self.fold;
        let width = self.outputs.len();
        let mut column = [0isize; TILE];
        let mut filled = 0;
        walk::runs(&self.plan.kept, self.outputs.clone(), |[at], n, [step]| {
            for i in 0..n {
                column[filled + i] = at + i as isize * step;
            }
            filled += n;
        });
        let column = &column[..width];
        let straight = column.iter().enumerate().all(|(i, &c)| c == column[0] + i as isize);
        let params: [F::Param; TILE] =
            std::array::from_fn(|i| fold.param(self.outputs.start + if i < width { i } else { 0 }));
        let params = &params[..width];

        let mut lanes = [[const { MaybeUninit::<F::Acc>::uninit() }; TILE]; LANES];
        let mut gathered = [[const { MaybeUninit::<T>::uninit() }; TILE]; ROWS];
        let mut offsets: SmallVec<[isize; ORDERED_BLOCK]> = SmallVec::new();
        let mut tree = Tree::<[MaybeUninit<F::Acc>; TILE], DEPTH>::new();
        let merge = |mut a: [MaybeUninit<F::Acc>; TILE], b: [MaybeUninit<F::Acc>; TILE]| {
            merge_rows(fold, &mut a[..width], &b[..width]);
            a
        };
        for block in self.blocks.clone() {
            let positions = self.positions(block);
            offsets.clear();
            walk::runs(&self.plan.reduced, positions.clone(), |[o], n, [step]| {
                offsets.extend((0..n as isize).map(|i| o + i * step));
            });
            // The rows of one lane come together, several at a time, so that its accumulators move less often.
            let n_lanes = if F::EXACT { 1 } else { LANES.min(positions.len()) };
            for (l, lane) in lanes[..n_lanes].iter_mut().enumerate() {
                let mut at = [positions.start + l];
                let row = self.load([offsets[l]], column, straight, &mut gathered);
                add_rows::<_, _, _, true>(fold, &mut lane[..width], row, params, at);
                let mut r = l + n_lanes;
                while r + (ROWS - 1) * n_lanes < offsets.len() {
                    let rows: [usize; ROWS] = std::array::from_fn(|k| r + k * n_lanes);
                    let x = self.load(rows.map(|r| offsets[r]), column, straight, &mut gathered);
                    add_rows::<_, _, _, false>(fold, &mut lane[..width], x, params, rows.map(|r| positions.start + r));
                    r += ROWS * n_lanes;
                }
                while r < offsets.len() {
                    at[0] = positions.start + r;
                    let row = self.load([offsets[r]], column, straight, &mut gathered);
                    add_rows::<_, _, _, false>(fold, &mut lane[..width], row, params, at);
                    r += n_lanes;
                }
            }
            let mut half = LANES / 2;
            while half > 0 {
                let (low, high) = lanes.split_at_mut(half);
                for i in 0..half.min(n_lanes.saturating_sub(half)) {
                    merge_rows(fold, &mut low[i][..width], &high[i][..width]);
                }
                half /= 2;
            }
            tree.push(lanes[0], merge);
        }
        let values = tree.finish(merge);
        // SAFETY: the first `width` values of every row merged are initialized.
        (self.out)(self.outputs.start, unsafe { initialized(&values[..width]) });
    }
}

/// Lifts the first row into the lane if `FIRST`, and adds the rows in turn.
#[inline(always)]
fn add_rows<T: Copy, F: Fold<T>, const K: usize, const FIRST: bool>(
    fold: &F,
    lane: &mut [MaybeUninit<F::Acc>],
    rows: [&[T]; K],
    params: &[F::Param],
    at: [usize; K],
) {
    let width = lane.len();
    let (rows, params) = (rows.map(|r| &r[..width]), &params[..width]);
    for i in 0..width {
        let p = params[i];
        let mut a = if FIRST {
            fold.lift(p, rows[0][i], at[0])
        } else {
            // SAFETY: the first row of a lane has been lifted into it.
            unsafe { lane[i].assume_init() }
        };
        for k in FIRST as usize..K {
            a = fold.step(a, p, rows[k][i], at[k]);
        }
        lane[i].write(a);
    }
}

/// # Safety
/// All elements are initialized.
#[inline(always)]
unsafe fn initialized<T>(x: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: the contract; `MaybeUninit<T>` has the layout of `T`.
    unsafe { std::slice::from_raw_parts(x.as_ptr().cast(), x.len()) }
}

/// Merges initialized rows elementwise into `a`.
#[inline(always)]
fn merge_rows<T: Copy, F: Fold<T>>(fold: &F, a: &mut [MaybeUninit<F::Acc>], b: &[MaybeUninit<F::Acc>]) {
    for (a, b) in a.iter_mut().zip(b) {
        // SAFETY: the caller's rows are initialized.
        a.write(unsafe { fold.merge(a.assume_init(), b.assume_init()) });
    }
}
