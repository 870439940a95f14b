//! How a reduction runs: a fixed tree over logical positions, visited in the order that suits the memory.
//!
//! The reduced elements of an output, in C order of the reduced axes, are cut into blocks; a block is accumulated in
//! [`LANES`] lanes and folded; blocks are combined pairwise, the left part being the largest power of two. The tree depends on
//! the number of elements alone, not on strides, threads or instruction set.
#![allow(unsafe_code)]

use super::fold::{LANES, ORDERED_BLOCK};
use super::kernel::{Blocks, Kernel, MAX_ACC, Merging, Rows};
use crate::map::layout::move_elements;
use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::walk::{self, Dims, Shared};
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Outputs that are accumulated side by side, row by row.
pub(super) const TILE: usize = 128;

/// The fewest outputs that are accumulated side by side.
pub(super) const MIN_ROW: usize = 8;

/// Rows that are gathered at a time where they are not consecutive in memory; a multiple of the lanes.
const GATHERED: usize = 2 * LANES;

/// Rows that are computed at a time, likewise.
const COMPUTED_ROWS: usize = 4 * LANES;

/// Elements that are computed at a time.
const COMPUTED: usize = 1024;

/// Blocks in a unit of parallel work; a power of two, so that a unit is a node of the tree.
const UNIT: usize = 64;

/// Elements per task below which a second thread does not pay.
const MIN_TASK: usize = 1 << 17;

/// `by_size!(size, U => expression)` with a type of so many bytes, aligned as the element types of that size are.
macro_rules! by_size {
    ($size:expr, $u:ident => $body:expr) => {
        match $size {
            1 => {
                type $u = u8;
                $body
            }
            2 => {
                type $u = u16;
                $body
            }
            4 => {
                type $u = u32;
                $body
            }
            8 => {
                type $u = [u32; 2];
                $body
            }
            _ => {
                type $u = [u64; 2];
                $body
            }
        }
    };
}

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
        let contiguous_rows = self.kept.last().is_some_and(|d| d.step == [1] && d.n >= MIN_ROW);
        contiguous_rows || (self.n_outputs >= MIN_ROW && self.n_reduced <= 2 * LANES)
    }
}

/// Where the accumulators of outputs `i..i + n` go, possibly from several threads: called with `i`, their address and `n`.
pub(super) type Sink<'a> = &'a (dyn Fn(usize, *const u8, usize) + Sync);

/// Writes the elements at places of what is reduced, counted in C order, to memory.
pub(super) type Compute<'a> = &'a (dyn Fn(Range<usize>, *mut u8) + Sync);

/// Elements that come to be as they are reduced.
#[derive(Clone, Copy)]
pub(super) struct Computed<'a> {
    pub compute: Compute<'a>,
    /// Nanoseconds for each.
    pub ns: f64,
    /// Whether the first axes are reduced, so that rows hold an element per output, rather than the last ones. All outputs
    /// are in one tile then.
    pub by_rows: bool,
}

/// A reduction of the elements that a plan's offsets reach from `base`, or of those that are computed.
pub(super) struct Job<'a> {
    pub kernel: &'static Kernel,
    pub plan: &'a Plan,
    pub base: Shared<u8>,
    pub computed: Option<Computed<'a>>,
    /// The kernel's parameters, one per output.
    pub params: Shared<u8>,
}

/// Depth of the tree within a unit.
const DEPTH: usize = UNIT.trailing_zeros() as usize + 1;

/// Memory for `WORDS * 8` bytes of anything.
type Room<const WORDS: usize> = [MaybeUninit<u64>; WORDS];

#[inline(always)]
fn room<const WORDS: usize>() -> Room<WORDS> {
    [const { MaybeUninit::uninit() }; WORDS]
}

/// Memory whose size is known at run time; small on the stack.
type Scratch = SmallVec<Room<256>>;

fn reserve(scratch: &mut Scratch, bytes: usize) -> *mut u8 {
    let words = bytes.div_ceil(8);
    scratch.reserve(words);
    scratch.as_mut_ptr().cast()
}

impl Job<'_> {
    /// Reduces into `out`.
    ///
    /// # Safety
    /// Every offset of the plan from `base` is readable, there is at least one reduced position, and the parameters are there.
    pub unsafe fn run(&self, out: Sink) {
        let Job { kernel, plan, .. } = *self;
        let n_blocks = plan.n_reduced.div_ceil(kernel.block_len);
        let n_units = n_blocks.div_ceil(UNIT);
        let n_tiles = plan.n_outputs.div_ceil(TILE);
        let outputs = |item: usize| {
            let start = item % n_tiles * TILE;
            start..plan.n_outputs.min(start + TILE)
        };
        // SAFETY: `accs` has room for the outputs; the rest is the caller's contract.
        let part = |item: usize, accs: *mut u8| unsafe {
            let unit = item / n_tiles;
            let blocks = unit * UNIT..n_blocks.min((unit + 1) * UNIT);
            let part = Part { job: self, outputs: outputs(item), blocks };
            match self.computed {
                Some(Computed { compute, by_rows: false, .. }) => part.computed(compute, accs),
                Some(_) => part.rows(accs),
                None if plan.by_rows() => part.rows(accs),
                None => part.lines(accs),
            }
        };
        let min_task = self.computed.map_or(MIN_TASK, |c| ((MIN_TASK_NS / c.ns) as usize).clamp(1, MIN_TASK));
        let min_items = min_task.div_ceil(plan.n_reduced.min(UNIT * kernel.block_len) * plan.n_outputs.min(TILE));
        if n_units == 1 {
            let whole = |item: usize| {
                let mut accs = room::<{ TILE * MAX_ACC / 8 }>();
                part(item, accs.as_mut_ptr().cast());
                let outputs = outputs(item);
                out(outputs.start, accs.as_ptr().cast(), outputs.len());
            };
            if n_tiles == 1 {
                return whole(0);
            }
            return parallel_for(n_tiles, min_items, |items| items.for_each(whole));
        }
        let row = plan.n_outputs * kernel.acc_size;
        let mut room: Vec<MaybeUninit<u64>> = Vec::with_capacity((n_units * row).div_ceil(8));
        let values: Shared<u8> = Shared(room.as_mut_ptr().cast());
        let decided = AtomicBool::new(false);
        parallel_for(n_units * n_tiles, min_items, |items| {
            let values = &values;
            for item in items {
                // SAFETY: each place belongs to one unit and output, thus to one item; absorbing values are booleans.
                unsafe {
                    let accs = values.0.add(item / n_tiles * row + outputs(item).start * kernel.acc_size);
                    match kernel.absorbing {
                        Some(a) if plan.n_outputs == 1 => {
                            if decided.load(Ordering::Relaxed) {
                                accs.cast::<bool>().write(a);
                                continue;
                            }
                            part(item, accs);
                            if *accs.cast::<bool>() == a {
                                decided.store(true, Ordering::Relaxed);
                            }
                        }
                        _ => part(item, accs),
                    }
                }
            }
        });
        // SAFETY: the loop above has written every accumulator.
        unsafe { tree(kernel, values.0, n_units, plan.n_outputs) };
        out(0, values.0, plan.n_outputs);
    }
}

/// Combines `count` rows of `width` accumulators pairwise into the first; the left operand is always a complete power of
/// two.
///
/// # Safety
/// The accumulators are initialized.
unsafe fn tree(kernel: &Kernel, accs: *mut u8, count: usize, width: usize) {
    let row = width * kernel.acc_size;
    let mut apart = 1;
    while apart < count {
        let pairs = (count - apart).div_ceil(2 * apart);
        // SAFETY: the pairs lie among the rows.
        unsafe {
            if width == 1 {
                let b = accs.add(apart * row);
                kernel.merge.call(&Merging { a: accs, b, step: 2 * apart, n: pairs });
            } else {
                for i in 0..pairs {
                    let a = accs.add(2 * apart * i * row);
                    kernel.merge.call(&Merging { a, b: a.add(apart * row), step: 1, n: width });
                }
            }
        }
        apart *= 2;
    }
}

/// Some blocks of some outputs.
struct Part<'a> {
    job: &'a Job<'a>,
    outputs: Range<usize>,
    blocks: Range<usize>,
}

impl Part<'_> {
    fn positions(&self, blocks: Range<usize>) -> Range<usize> {
        let len = self.job.kernel.block_len;
        blocks.start * len..self.job.plan.n_reduced.min(blocks.end * len)
    }

    /// The address of the element at this offset.
    #[inline(always)]
    unsafe fn at(&self, offset: isize) -> *const u8 {
        // SAFETY: the caller's offset is one of the plan.
        unsafe { self.job.base.0.cast_const().offset(offset * self.job.kernel.size as isize) }
    }

    /// The outputs one after the other.
    ///
    /// # Safety
    /// As [`Job::run`], with room for an accumulator per output.
    unsafe fn lines(&self, mut accs: *mut u8) {
        let Job { kernel, plan, params, .. } = *self.job;
        let straight = match plan.reduced.as_slice() {
            [] => true,
            [d] => d.step == [1],
            _ => false,
        };
        let loops = kernel.blocks.as_ref().expect("a fold by blocks");
        let positions = self.positions(self.blocks.clone());
        let mut elements = Scratch::new();
        let mut output = self.outputs.start;
        walk::runs(&plan.kept, self.outputs.clone(), |[at], n, [step]| {
            if !straight {
                for i in 0..n as isize {
                    // SAFETY: the caller's contract.
                    unsafe {
                        self.gathered(at + i * step, output, &mut elements, accs);
                        accs = accs.add(kernel.acc_size);
                    }
                    output += 1;
                }
                return;
            }
            // SAFETY: the positions of an output are consecutive in memory, and readable by the caller's contract.
            unsafe {
                let x = self.at(at + positions.start as isize);
                let blocks = Blocks {
                    x,
                    count: n,
                    len: positions.len(),
                    last: positions.len(),
                    step,
                    at: positions.start,
                    lines: true,
                    continued: false,
                    params: params.0,
                    output,
                    accs,
                };
                if self.blocks.len() == 1 {
                    loops.call(&blocks);
                    accs = accs.add(n * kernel.acc_size);
                    output += n;
                    return;
                }
                let len = kernel.block_len;
                let count = self.blocks.len();
                let mut values = room::<{ UNIT * MAX_ACC / 8 }>();
                let values: *mut u8 = values.as_mut_ptr().cast();
                for i in 0..n {
                    let x = x.offset(i as isize * step * kernel.size as isize);
                    let last = positions.len() - (count - 1) * len;
                    let step = len as isize;
                    let blocks = Blocks { x, count, len, last, step, lines: false, output, accs: values, ..blocks };
                    tree(kernel, values, loops.call(&blocks), 1);
                    std::ptr::copy_nonoverlapping(values, accs, kernel.acc_size);
                    accs = accs.add(kernel.acc_size);
                    output += 1;
                }
            }
        });
    }

    /// The outputs one after the other, whose elements are computed a few blocks at a time.
    ///
    /// # Safety
    /// As [`Self::lines`].
    unsafe fn computed(&self, compute: Compute, accs: *mut u8) {
        let Job { kernel, plan, params, .. } = *self.job;
        let loops = kernel.blocks.as_ref().expect("a fold by blocks");
        let len = kernel.block_len;
        let at_once = (COMPUTED / len).max(1);
        let mut elements = Scratch::new();
        let x = reserve(&mut elements, (at_once * len).min(plan.n_reduced) * kernel.size);
        let mut values = room::<{ UNIT * MAX_ACC / 8 }>();
        let values: *mut u8 = values.as_mut_ptr().cast();
        for (k, output) in self.outputs.clone().enumerate() {
            for start in self.blocks.clone().step_by(at_once) {
                let count = at_once.min(self.blocks.end - start);
                let positions = self.positions(start..start + count);
                let before = output * plan.n_reduced;
                compute(before + positions.start..before + positions.end, x);
                let done = start - self.blocks.start;
                let blocks = Blocks {
                    x,
                    count,
                    len,
                    last: positions.len() - (count - 1) * len,
                    step: len as isize,
                    at: positions.start,
                    lines: false,
                    continued: done > 0,
                    params: params.0,
                    output,
                    // SAFETY: a unit has at most `UNIT` blocks, for whose values there is room.
                    accs: unsafe { values.add(done * kernel.acc_size) },
                };
                // SAFETY: the elements of these blocks were just computed.
                unsafe { loops.call(&blocks) };
            }
            // SAFETY: there is a value for each block, and the caller's room.
            unsafe {
                tree(kernel, values, self.blocks.len(), 1);
                std::ptr::copy_nonoverlapping(values, accs.add(k * kernel.acc_size), kernel.acc_size);
            }
        }
    }

    /// One output, whose elements are scattered from offset `at`.
    ///
    /// # Safety
    /// As [`Self::lines`].
    unsafe fn gathered(&self, at: isize, output: usize, elements: &mut Scratch, acc: *mut u8) {
        let Job { kernel, plan, params, .. } = *self.job;
        let loops = kernel.blocks.as_ref().expect("a fold by blocks");
        let elements = reserve(elements, kernel.block_len.min(plan.n_reduced) * kernel.size);
        let mut values = room::<{ UNIT * MAX_ACC / 8 }>();
        let values: *mut u8 = values.as_mut_ptr().cast();
        let mut count = 0;
        for block in self.blocks.clone() {
            let positions = self.positions(block..block + 1);
            // SAFETY: the caller's contract; a block fits into its buffer, and values into theirs.
            unsafe {
                let base = self.at(at);
                by_size!(kernel.size, U => gather::<U>(base, &plan.reduced, positions.clone(), elements.cast()));
                let accs = values.add(count * kernel.acc_size);
                loops.call(&Blocks {
                    x: elements,
                    count: 1,
                    len: positions.len(),
                    last: positions.len(),
                    step: 0,
                    at: positions.start,
                    lines: false,
                    continued: count > 0,
                    params: params.0,
                    output,
                    accs,
                });
                count += 1;
                if kernel.absorbing.is_some_and(|a| *accs.cast::<bool>() == a) {
                    break;
                }
            }
        }
        // SAFETY: there are `count` values, at least one.
        unsafe {
            tree(kernel, values, count, 1);
            std::ptr::copy_nonoverlapping(values, acc, kernel.acc_size);
        }
    }

    /// All outputs together: each position contributes a row with one element per output.
    ///
    /// # Safety
    /// As [`Self::lines`].
    unsafe fn rows(&self, accs: *mut u8) {
        let Job { kernel, plan, params, .. } = *self.job;
        let loops = kernel.rows.as_ref().expect("a fold by rows");
        let (width, size) = (self.outputs.len(), kernel.size);
        let mut column = [0isize; TILE];
        let (mut filled, mut n_runs, mut across) = (0, 0, 1);
        if self.job.computed.is_none() {
            walk::runs(&plan.kept, self.outputs.clone(), |[at], n, [step]| {
                for i in 0..n {
                    column[filled + i] = at + i as isize * step;
                }
                (filled, n_runs, across) = (filled + n, n_runs + 1, step);
            });
        }
        let column = &column[..filled];
        let straight = n_runs == 1 && across == 1;
        let plane = n_runs == 1 && plan.reduced.len() <= 1;

        // The lanes, then the nodes of the tree that wait for their right parts, then the elements where they are gathered.
        let row = (width * kernel.acc_size).next_multiple_of(8);
        let longest = plan.n_reduced.min(kernel.block_len);
        let n_lanes = if kernel.exact { 1 } else { LANES.min(longest) };
        let n_nodes = if self.blocks.len() == 1 { 1 } else { DEPTH };
        let gathered = if self.job.computed.is_some() { COMPUTED_ROWS } else { GATHERED };
        let n_gathered = if straight { 0 } else { gathered.min(longest) };
        let mut scratch = Scratch::new();
        let lanes = reserve(&mut scratch, (n_lanes + n_nodes) * row + n_gathered * width * size);
        let lane = |l: usize| lanes.wrapping_add(l * row);
        let node = |i: usize| lane(n_lanes + i);
        let elements = node(n_nodes);
        let packed: [isize; COMPUTED_ROWS] = std::array::from_fn(|i| (i * width) as isize);
        // SAFETY: lanes and nodes are rooms for a row of accumulators, initialized where they are merged.
        let merge = |a: *mut u8, b: *mut u8| unsafe { kernel.merge.call(&Merging { a, b, step: 1, n: width }) };

        let mut offsets: SmallVec<[isize; ORDERED_BLOCK]> = SmallVec::new();
        let mut depth = 0;
        for (done, block) in self.blocks.clone().enumerate() {
            let positions = self.positions(block..block + 1);
            let n_lanes = n_lanes.min(positions.len());
            offsets.clear();
            if self.job.computed.is_none() {
                walk::runs(&plan.reduced, positions.clone(), |[o], n, [step]| {
                    offsets.extend((0..n as isize).map(|i| o + i * step));
                });
            }
            // All positions of a block at a time where they are read in place.
            let at_once = if straight { positions.len() } else { gathered };
            for start in (0..positions.len()).step_by(at_once) {
                let n = at_once.min(positions.len() - start);
                // SAFETY: offsets of the plan are readable, and the room is that of `n` rows.
                let (base, rows) = unsafe {
                    if let Some(Computed { compute, .. }) = self.job.computed {
                        let first = (positions.start + start) * width;
                        compute(first..first + n * width, elements);
                        (elements.cast_const(), &packed[..n])
                    } else if straight {
                        (self.at(column[0]), &offsets[..])
                    } else if plane {
                        let down = if n > 1 { offsets[start + 1] - offsets[start] } else { 0 };
                        let bytes = size as isize;
                        let from = self.at(column[0] + offsets[start]);
                        let to = [width as isize * bytes, bytes];
                        move_elements(size, from, &[down * bytes, across * bytes], elements, &to, &[n, width]);
                        (elements.cast_const(), &packed[..n])
                    } else {
                        for i in 0..n {
                            let (from, to) = (self.at(offsets[start + i]), elements.add(i * width * size));
                            by_size!(size, U => pick::<U>(from, column, to));
                        }
                        (elements.cast_const(), &packed[..n])
                    }
                };
                // The rows of one lane come together, so that its accumulators move less often.
                for l in 0..n_lanes.min(n) {
                    let rows = Rows {
                        accs: lane(l),
                        width,
                        first: start == 0,
                        base,
                        offsets: rows[l..].as_ptr(),
                        stride: n_lanes,
                        n: (n - l).div_ceil(n_lanes),
                        at: positions.start + start + l,
                        at_step: n_lanes,
                        params: params.0,
                        output: self.outputs.start,
                    };
                    // SAFETY: these rows are there, and the accumulators are this lane's.
                    unsafe { loops.call(&rows) };
                }
            }
            let mut half = LANES / 2;
            while half > 0 {
                for i in 0..half.min(n_lanes.saturating_sub(half)) {
                    merge(lane(i), lane(i + half));
                }
                half /= 2;
            }
            // SAFETY: a row of accumulators, all initialized; the depth is at most that of the tree.
            unsafe { std::ptr::copy_nonoverlapping(lane(0), node(depth), width * kernel.acc_size) };
            depth += 1;
            for _ in 0..done.trailing_ones() {
                depth -= 1;
                merge(node(depth - 1), node(depth));
            }
        }
        while depth > 1 {
            depth -= 1;
            merge(node(depth - 1), node(depth));
        }
        // SAFETY: the caller's room; the first node holds what all others have been merged into.
        unsafe { std::ptr::copy_nonoverlapping(node(0), accs, width * kernel.acc_size) };
    }
}

/// Copies the elements at these positions one after the other.
///
/// # Safety
/// The positions are readable from `base`, and `to` has room for them.
unsafe fn gather<U: Copy>(base: *const u8, dims: &Dims<1>, positions: Range<usize>, to: *mut u8) {
    let (base, mut to) = (base.cast::<U>(), to.cast::<U>());
    walk::runs(dims, positions, |[o], n, [step]| {
        for i in 0..n as isize {
            // SAFETY: the contract.
            unsafe {
                to.write(*base.offset(o + i * step));
                to = to.add(1);
            }
        }
    });
}

/// Copies the elements at these offsets one after the other.
///
/// # Safety
/// As [`gather`].
unsafe fn pick<U: Copy>(base: *const u8, offsets: &[isize], to: *mut u8) {
    let (base, to) = (base.cast::<U>(), to.cast::<U>());
    for (i, &o) in offsets.iter().enumerate() {
        // SAFETY: the contract.
        unsafe { to.add(i).write(*base.offset(o)) };
    }
}
