//! The driver: loads tiles of strided inputs, runs a program of scalar functions over them and stores the results.
//!
//! An eager operator is a program of length one, so that eager and fused execution give the same bits.
#![allow(unsafe_code)]

use super::convert::conversion;
use super::layout::{Dims, Layout, fill, is_packed, move_elements, packed_strides};
use super::tile::{Kernel, MAX_ARGS, PrintFn, TileFn};
use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::{DType, View, ViewMut};
use smallvec::SmallVec;
use std::cell::Cell;
use std::mem::MaybeUninit;

/// The most elements of a tile: three tiles of `float64` fill 24 KiB of the innermost cache.
pub const TILE: usize = 1024;

/// The most elements of a tile where a single step has a transposed operand: longer runs of it are worth more than the
/// innermost cache.
const WIDE_TILE: usize = 8192;

/// The most elements of a tile of a longer program with a transposed operand.
const LARGE_TILE: usize = 4096;

/// Nanoseconds per element up to which two steps run row by row.
const CHEAP_NS: f64 = 1.0;

/// What the tiles of one program may occupy together before they are made shorter.
const CACHE_BYTES: usize = 128 << 10;

/// Keeps tile buffers from sharing their addresses modulo 4096, where loads wait for unrelated stores.
const SLOT_GAP: usize = 1024 + 64;

/// Nanoseconds per element to load or store one operand.
const OPERAND_NS: f64 = 0.3;

#[derive(Clone, Copy)]
pub(super) struct Step {
    f: TileFn,
    pub(super) print: PrintFn,
    args: [u16; MAX_ARGS],
    n_args: u8,
    /// The tile buffer of the result, free again after the last step that reads it.
    slot: u16,
    pub(super) dtype: DType,
}

impl Step {
    pub(super) fn args(&self) -> &[u16] {
        &self.args[..self.n_args as usize]
    }

    fn new(kernel: &Kernel, args: &[u16]) -> Step {
        let mut padded = [0; MAX_ARGS];
        padded[..args.len()].copy_from_slice(args);
        let n_args = args.len() as u8;
        Step { f: kernel.tile(), print: kernel.printer(), args: padded, n_args, slot: 0, dtype: kernel.out() }
    }
}

/// A borrowed [`Program`]; an eager operator makes one without allocating.
#[derive(Clone, Copy)]
struct Parts<'a> {
    inputs: &'a [DType],
    steps: &'a [Step],
    outputs: &'a [u16],
    n_slots: usize,
    /// Bytes of the largest dtype.
    widest: usize,
    /// Nanoseconds per element of all steps.
    cost: f64,
}

impl Parts<'_> {
    fn dtype(&self, value: u16) -> DType {
        match (value as usize).checked_sub(self.inputs.len()) {
            None => self.inputs[value as usize],
            Some(step) => self.steps[step].dtype,
        }
    }
}

/// Scalar functions over values: value `i` is input `i`, the next ones are the results of the steps.
pub struct Program {
    pub(super) inputs: SmallVec<[DType; 4]>,
    pub(super) steps: SmallVec<[Step; 1]>,
    pub(super) outputs: SmallVec<[u16; 1]>,
    n_slots: usize,
    widest: usize,
    cost: f64,
}

impl Program {
    /// The dtypes that inputs are converted to, the steps as kernels and the values they read, and the values to store.
    ///
    /// Panics when a step reads a value that is not there yet or is of another dtype.
    pub fn new(inputs: &[DType], steps: &[(&Kernel, &[u16])], outputs: &[u16]) -> Program {
        let mut p = Program {
            inputs: inputs.into(),
            steps: SmallVec::with_capacity(steps.len()),
            outputs: outputs.into(),
            n_slots: 0,
            widest: inputs.iter().copied().chain(steps.iter().map(|s| s.0.out())).map(DType::size).max().unwrap_or(1),
            cost: steps.iter().map(|s| s.0.cost()).sum(),
        };
        for (kernel, args) in steps {
            let found = args.iter().map(|&v| p.dtype(v));
            assert!(found.eq(kernel.ins().iter().copied()), "a step's arguments have other dtypes than its kernel");
            p.steps.push(Step::new(kernel, args));
        }
        outputs.iter().for_each(|&v| _ = p.dtype(v));
        p.assign_slots();
        p
    }

    pub(super) fn dtype(&self, value: u16) -> DType {
        self.parts().dtype(value)
    }

    fn parts(&self) -> Parts<'_> {
        Parts {
            inputs: &self.inputs,
            steps: &self.steps,
            outputs: &self.outputs,
            n_slots: self.n_slots,
            widest: self.widest,
            cost: self.cost,
        }
    }

    /// Dtype of an output.
    pub fn output(&self, k: usize) -> DType {
        self.dtype(self.outputs[k])
    }

    /// The dtypes that inputs are converted to.
    pub fn inputs(&self) -> &[DType] {
        &self.inputs
    }

    /// Runs over few elements, for which views and layouts would cost more than the computation. False, and nothing is done,
    /// where threads would share it.
    ///
    /// # Safety
    /// Each input is the address of `n` elements of its dtype, or of one element for all if that is said; each output has room
    /// for `n` and lies where no input does.
    pub unsafe fn run_small(&self, ins: &[(*const u8, bool)], outs: &[*mut u8], n: usize) -> bool {
        assert!(ins.len() == self.inputs.len() && outs.len() == self.outputs.len());
        let parts = self.parts();
        let ns = parts.cost + OPERAND_NS * (ins.len() + outs.len()) as f64;
        if n as f64 * ns >= 2.0 * MIN_TASK_NS {
            return false;
        }
        let ins = ins.iter().map(|&(p, one)| (p, if one { Source::Scalar } else { Source::Direct })).collect();
        let tile = tile_len(parts.widest, self.inputs.len() + parts.n_slots);
        let flat = FlatProgram { parts, ins, stored: &self.outputs, outs: Addresses::new(), tile, ns };
        // SAFETY: the caller's contract; this is the only thread.
        unsafe { flat.run(0..n, outs) };
        true
    }

    /// The program over operands without layout, whose outputs but the first go to `outs`.
    pub(crate) fn flat(&self, ins: &[View], outs: &mut [ViewMut]) -> Option<FlatProgram<'_>> {
        FlatProgram::new(self.parts(), ins, &self.outputs[1..], outs)
    }

    /// Gives every result a buffer that holds no value still needed, nor an argument of the same step.
    fn assign_slots(&mut self) {
        let n_in = self.inputs.len();
        let mut last_use: SmallVec<[usize; 8]> = (0..self.steps.len()).collect();
        for (i, step) in self.steps.iter().enumerate() {
            for &v in &step.args[..step.n_args as usize] {
                if v as usize >= n_in {
                    last_use[v as usize - n_in] = i;
                }
            }
        }
        for &v in &self.outputs {
            if v as usize >= n_in {
                last_use[v as usize - n_in] = usize::MAX;
            }
        }
        let mut free: SmallVec<[u16; 8]> = SmallVec::new();
        for i in 0..self.steps.len() {
            let slot = free.pop().unwrap_or_else(|| {
                self.n_slots += 1;
                self.n_slots as u16 - 1
            });
            self.steps[i].slot = slot;
            for v in 0..=i {
                if last_use[v] == i {
                    free.push(self.steps[v].slot);
                }
            }
        }
    }
}

/// Runs one kernel: the eager operator.
///
/// All views have the shape of `out` (broadcast inputs have stride 0). An input may be exactly `out`: same address, dtype and
/// strides; any other overlap is not permitted.
pub fn run_one(kernel: &Kernel, ins: &[View], out: &mut ViewMut) {
    assert_eq!(ins.len(), kernel.ins().len());
    let n = out.size();
    if n == 0 {
        return;
    }
    let ns = kernel.cost() + OPERAND_NS * (ins.len() + 1) as f64;
    if let Some(flat) = Flat::new(kernel, ins, out) {
        if n as f64 * ns < 2.0 * MIN_TASK_NS {
            // SAFETY: all elements, and only this thread.
            return unsafe { flat.run(0..n) };
        }
        let shared = Shared(flat);
        return parallel_for(n.div_ceil(TILE), tiles_per_task(ns, TILE), |tiles| {
            // SAFETY: different threads get different elements.
            unsafe { shared.get().run(tiles.start * TILE..(tiles.end * TILE).min(n)) }
        });
    }
    const VALUES: [u16; MAX_ARGS + 1] = [0, 1, 2, 3, 4, 5];
    let parts = Parts {
        inputs: kernel.ins(),
        steps: &[Step::new(kernel, &VALUES[..ins.len()])],
        outputs: &VALUES[ins.len()..ins.len() + 1],
        n_slots: 1,
        widest: kernel.ins().iter().map(|d| d.size()).fold(kernel.out().size(), usize::max),
        cost: kernel.cost(),
    };
    run_parts(parts, ins, std::slice::from_mut(out));
}

/// A kernel over operands that are one run of memory or one element: no layout to work out, no program to run.
struct Flat<'a> {
    kernel: &'a Kernel,
    args: [(*const u8, Source); MAX_ARGS],
    buffered: bool,
    out: *mut u8,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    Direct,
    /// The input is the output: its tiles are copied first.
    Aliased,
    /// One element for all: a tile is filled with it once.
    Scalar,
}

impl<'a> Flat<'a> {
    #[inline]
    fn new(kernel: &'a Kernel, ins: &[View], out: &mut ViewMut) -> Option<Flat<'a>> {
        if out.dtype() != kernel.out() || !out.is_contiguous() {
            return None;
        }
        let to = out.ptr();
        let mut args = [(std::ptr::null(), Source::Direct); MAX_ARGS];
        let mut buffered = false;
        for (k, v) in ins.iter().enumerate() {
            assert_eq!(v.shape(), out.shape());
            let source = match () {
                _ if v.dtype() != kernel.ins()[k] => return None,
                _ if v.is_contiguous() && v.ptr() != to => Source::Direct,
                _ if v.is_contiguous() => Source::Aliased,
                _ if v.strides().iter().all(|&s| s == 0) => Source::Scalar,
                _ => return None,
            };
            buffered |= source != Source::Direct;
            args[k] = (v.ptr(), source);
        }
        Some(Flat { kernel, args, buffered, out: to })
    }

    /// # Safety
    /// The range lies within the views, and no other thread works on it.
    #[inline]
    unsafe fn run(&self, range: std::ops::Range<usize>) {
        let f = self.kernel.tile();
        let ins = self.kernel.ins();
        let out = self.out.wrapping_add(range.start * self.kernel.out().size());
        let mut at = [std::ptr::null(); MAX_ARGS];
        if !self.buffered {
            for (k, dtype) in ins.iter().enumerate() {
                at[k] = self.args[k].0.wrapping_add(range.start * dtype.size());
            }
            // SAFETY: the views' contracts; no input is the output.
            return unsafe { f(at.as_ptr(), out, range.len()) };
        }
        let slot_bytes = TILE * ins.iter().map(|d| d.size()).max().unwrap_or(1) + SLOT_GAP;
        with_scratch(ins.len() * slot_bytes, |scratch| {
            for tile in range.clone().step_by(TILE) {
                let n = TILE.min(range.end - tile);
                for (k, dtype) in ins.iter().enumerate() {
                    let (ptr, source) = self.args[k];
                    let slot = scratch.wrapping_add(k * slot_bytes);
                    let start = ptr.wrapping_add(tile * dtype.size());
                    at[k] = if source == Source::Direct { start } else { slot };
                    // SAFETY: the views' contracts; the buffer holds a tile.
                    unsafe {
                        match source {
                            Source::Aliased => std::ptr::copy_nonoverlapping(start, slot, n * dtype.size()),
                            Source::Scalar if tile == range.start => fill(dtype.size(), ptr, slot, n),
                            _ => {}
                        }
                    }
                }
                // SAFETY: the views' contracts; no argument is the output any more.
                unsafe { f(at.as_ptr(), self.out.wrapping_add(tile * self.kernel.out().size()), n) };
            }
        });
    }
}

/// The elements of a tile of which so many are in use together.
fn tile_len(element: usize, tiles: usize) -> usize {
    let mut len = TILE;
    while len > 256 && len * element * tiles > CACHE_BYTES {
        len /= 2;
    }
    len
}

fn tiles_per_task(ns: f64, tile: usize) -> usize {
    (MIN_TASK_NS / (ns * tile as f64)) as usize + 1
}

/// Runs a program over views of one shape (broadcast inputs have stride 0) and any dtypes and strides.
///
/// An input may be exactly an output: same address, dtype and strides; any other overlap is not permitted.
pub fn run(program: &Program, ins: &[View], outs: &mut [ViewMut]) {
    run_parts(program.parts(), ins, outs);
}

fn run_parts(parts: Parts, ins: &[View], outs: &mut [ViewMut]) {
    assert_eq!(ins.len(), parts.inputs.len());
    assert_eq!(outs.len(), parts.outputs.len());
    let Some(first) = outs.first() else { return };
    let shape = first.shape();
    assert!(ins.iter().all(|v| v.shape() == shape) && outs.iter().all(|v| v.shape() == shape));
    let n = first.size();
    if n == 0 {
        return;
    }
    if let Some(flat) = FlatProgram::new(parts, ins, parts.outputs, outs) {
        return flat.run_all(n);
    }
    let plan = Plan::new(parts, shape, ins, outs);
    let (tiles, per_task) = (plan.counts.iter().product(), plan.tiles_per_task());
    let shared = Shared(&plan);
    parallel_for(tiles, per_task, |range| {
        let plan = shared.get();
        with_scratch(plan.scratch_bytes(), |scratch| {
            // SAFETY: the scratch is as large as asked for, the tiles of different ranges are disjoint.
            unsafe { plan.run_tiles(range, scratch) }
        });
    });
}

/// A program over operands that are runs of memory or single elements: there is no layout to work out.
pub(crate) struct FlatProgram<'a> {
    parts: Parts<'a>,
    ins: SmallVec<[(*const u8, Source); 4]>,
    /// The values to store, and where.
    stored: &'a [u16],
    outs: Addresses,
    tile: usize,
    /// Nanoseconds per element.
    pub ns: f64,
}

type Addresses = SmallVec<[*mut u8; 2]>;

// SAFETY: what is shared are addresses; every thread works on elements of its own.
unsafe impl Sync for FlatProgram<'_> {}

impl<'a> FlatProgram<'a> {
    /// None where an operand has another layout or dtype. `stored` are the values that `outs` take.
    #[inline]
    fn new(parts: Parts<'a>, ins: &[View], stored: &'a [u16], outs: &mut [ViewMut]) -> Option<FlatProgram<'a>> {
        let plain = |(o, &v): (&ViewMut, &u16)| o.dtype() == parts.dtype(v) && o.is_contiguous();
        if !outs.iter().zip(stored).all(plain) {
            return None;
        }
        let outs: Addresses = outs.iter_mut().map(|o| o.ptr()).collect();
        let mut found = SmallVec::new();
        for (v, &dtype) in ins.iter().zip(parts.inputs) {
            let source = match () {
                _ if v.dtype() != dtype => return None,
                _ if v.is_contiguous() && outs.contains(&v.ptr().cast_mut()) => Source::Aliased,
                _ if v.is_contiguous() => Source::Direct,
                _ if v.strides().iter().all(|&s| s == 0) => Source::Scalar,
                _ => return None,
            };
            found.push((v.ptr(), source));
        }
        let tile = tile_len(parts.widest, ins.len() + parts.n_slots);
        let ns = parts.cost + OPERAND_NS * (ins.len() + outs.len()) as f64;
        Some(FlatProgram { parts, ins: found, stored, outs, tile, ns })
    }

    fn run_all(&self, n: usize) {
        parallel_for(n.div_ceil(self.tile), tiles_per_task(self.ns, self.tile), |tiles| {
            let range = tiles.start * self.tile..(tiles.end * self.tile).min(n);
            // SAFETY: different threads get different elements.
            unsafe { self.run(range.clone(), &self.at(range.start)) };
        });
    }

    /// Where an element is stored.
    pub fn at(&self, element: usize) -> Addresses {
        let size = |v: u16| self.parts.dtype(v).size();
        self.outs.iter().zip(self.stored).map(|(p, &v)| p.wrapping_add(element * size(v))).collect()
    }

    /// Computes elements and stores them from the addresses in `outs` on.
    ///
    /// # Safety
    /// The range lies within the views, there is room for as many elements at each address, and no other thread works on them.
    pub unsafe fn run(&self, range: std::ops::Range<usize>, outs: &[*mut u8]) {
        let Parts { inputs, steps, outputs, n_slots, widest, .. } = self.parts;
        let n_in = inputs.len();
        let slot_bytes = (self.tile.min(range.len()) * widest).next_multiple_of(64) + SLOT_GAP;
        with_scratch((n_in + n_slots) * slot_bytes, |scratch| {
            let slot = |i: usize| scratch.wrapping_add(i * slot_bytes);
            let mut values: SmallVec<[*mut u8; 32]> = (0..n_in).map(slot).collect();
            values.extend(steps.iter().map(|step| slot(n_in + step.slot as usize)));
            for start in range.clone().step_by(self.tile) {
                let n = self.tile.min(range.end - start);
                for (k, &(ptr, source)) in self.ins.iter().enumerate() {
                    let size = inputs[k].size();
                    let from = ptr.wrapping_add(start * size);
                    // SAFETY: the views' contracts; the buffer holds a tile.
                    unsafe {
                        match source {
                            Source::Direct => values[k] = from.cast_mut(),
                            Source::Aliased => std::ptr::copy_nonoverlapping(from, values[k], n * size),
                            Source::Scalar if start == range.start => fill(size, ptr, values[k], n),
                            Source::Scalar => {}
                        }
                    }
                }
                let size = |v: u16| self.parts.dtype(v).size();
                let to = |o: usize| outs[o].wrapping_add((start - range.start) * size(outputs[o]));
                for (o, &v) in outputs.iter().enumerate() {
                    if v as usize >= n_in && !outputs[..o].contains(&v) {
                        values[v as usize] = to(o);
                    }
                }
                for (k, step) in steps.iter().enumerate() {
                    let args: [*const u8; MAX_ARGS] = step.args.map(|v| values[v as usize].cast_const());
                    // SAFETY: all values hold `n` elements of the dtypes checked in `Program::new`; the result lies where
                    // none of the arguments does, since inputs that are outputs too were copied.
                    unsafe { (step.f)(args.as_ptr(), values[n_in + k], n) };
                }
                for (o, &v) in outputs.iter().enumerate() {
                    if values[v as usize] != to(o) {
                        // SAFETY: the contract; the value lies elsewhere.
                        unsafe { std::ptr::copy_nonoverlapping(values[v as usize], to(o), n * size(v)) };
                    }
                }
            }
        });
    }
}

/// Pointers that several threads use at different places.
struct Shared<T>(T);
// SAFETY: what is shared are addresses; the driver hands every thread different tiles.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn get(&self) -> &T {
        &self.0
    }
}

/// How the elements of an input come to a tile.
struct Load {
    from: DType,
    to: DType,
    /// An output lies at the same place, so that the tile must be copied before results are stored.
    aliased: bool,
    /// The output that the input is simply copied to.
    claimed_by: Option<usize>,
}

struct Store {
    value: usize,
    from: DType,
    to: DType,
    /// The value may be computed in place where the tile allows it: the dtypes agree and no other output was first.
    claims: bool,
}

/// Where the elements of a value are during one tile: rows of contiguous elements, `step` bytes apart.
#[derive(Clone, Copy)]
struct Place {
    ptr: *mut u8,
    step: isize,
}

struct Plan<'a> {
    parts: Parts<'a>,
    /// Inputs first, then outputs.
    layout: Layout,
    loads: SmallVec<[Load; 4]>,
    stores: SmallVec<[Store; 1]>,
    tile: Dims<usize>,
    counts: Dims<usize>,
    /// A step, or two cheap ones, run row by row along this dimension, so that operands with contiguous rows need no copy.
    /// Programs of more steps run on whole tiles: a call per row would cost them more than the copies.
    row_dim: Option<usize>,
    slot_bytes: usize,
    ns: f64,
}

impl<'a> Plan<'a> {
    fn new(parts: Parts<'a>, shape: &[usize], ins: &[View], outs: &mut [ViewMut]) -> Plan<'a> {
        let n_in = ins.len();
        let mut operands: SmallVec<[(*mut u8, &[isize], usize); 4]> = SmallVec::new();
        for v in ins {
            operands.push((v.ptr().cast_mut(), v.strides(), v.dtype().size()));
        }
        for v in outs.iter_mut() {
            operands.push((v.ptr(), v.strides(), v.dtype().size()));
        }
        let layout = Layout::new(shape, &operands, n_in);
        let mut element = parts.widest;
        let mut loads: SmallVec<[Load; 4]> = SmallVec::new();
        for (i, v) in ins.iter().enumerate() {
            let aliased = operands[n_in..].iter().any(|o| o.0 == operands[i].0);
            let (from, to) = (v.dtype(), parts.inputs[i]);
            element = element.max(from.size());
            loads.push(Load { from, to, aliased, claimed_by: None });
        }
        let mut stores: SmallVec<[Store; 1]> = SmallVec::new();
        for (o, &v) in parts.outputs.iter().enumerate() {
            let (from, to) = (parts.dtype(v), outs[o].dtype());
            element = element.max(to.size());
            let claims = from == to && !parts.outputs[..o].contains(&v);
            stores.push(Store { value: v as usize, from, to, claims });
            if let Some(load) = loads.get_mut(v as usize)
                && claims
                && !load.aliased
            {
                load.claimed_by = Some(o);
            }
        }
        let ns = OPERAND_NS * operands.len() as f64 + parts.cost;
        let mut cap = tile_len(element, n_in + parts.n_slots + 1);
        let across = layout.across();
        if across.is_some() && parts.steps.len() <= 1 {
            cap = WIDE_TILE;
        } else if across.is_some() && LARGE_TILE * element * (n_in + parts.n_slots + 1) <= 2 * CACHE_BYTES {
            cap = LARGE_TILE;
        }
        let tile = layout.tile(cap, across);
        let mut counts = Dims::new();
        for d in 0..tile.len() {
            counts.push(layout.shape[d].div_ceil(tile[d]));
        }
        let by_rows = match parts.steps {
            [_] => true,
            // Results of different sizes in one buffer would reach into each other's rows.
            [a, b] => parts.cost <= CHEAP_NS && a.dtype.size() == b.dtype.size(),
            _ => false,
        };
        let by_rows = by_rows && stores.len() == 1 && stores[0].value + 1 == n_in + parts.steps.len();
        let row_dim = if by_rows { layout.row_dim(&tile) } else { None };
        let slot_bytes = (cap * element).next_multiple_of(64) + SLOT_GAP;
        Plan { parts, layout, loads, stores, tile, counts, row_dim, slot_bytes, ns }
    }

    fn tiles_per_task(&self) -> usize {
        tiles_per_task(self.ns, self.tile.iter().product())
    }

    fn scratch_bytes(&self) -> usize {
        (self.loads.len() + self.parts.n_slots + 1) * self.slot_bytes
    }

    /// The place of operand `k` in a tile when a step can use it where it lies.
    fn in_place(&self, k: usize, ptr: *mut u8, extents: &[usize], size: usize) -> Option<Place> {
        let strides = &self.layout.operands[k].strides;
        match self.row_dim {
            None => is_packed(strides, extents, size).then_some(Place { ptr, step: 0 }),
            Some(d) => {
                let last = extents.len() - 1;
                (strides[last] == size as isize || extents[last] == 1).then_some(Place { ptr, step: strides[d] })
            }
        }
    }

    /// # Safety
    /// `scratch` has `scratch_bytes` bytes; no other thread runs the same tiles.
    unsafe fn run_tiles(&self, range: std::ops::Range<usize>, scratch: *mut u8) {
        let n_in = self.loads.len();
        let dims = self.tile.len();
        let slot = |i: usize| scratch.wrapping_add(i * self.slot_bytes);
        let staging = slot(n_in + self.parts.n_slots);
        let mut values: SmallVec<[Place; 8]> = SmallVec::new();
        let mut loaded: SmallVec<[*mut u8; 4]> = SmallVec::from_elem(std::ptr::null_mut(), n_in);
        for i in 0..n_in {
            values.push(Place { ptr: slot(i), step: 0 });
        }
        for step in self.parts.steps {
            values.push(Place { ptr: slot(n_in + step.slot as usize), step: 0 });
        }
        let mut index: Dims<usize> = SmallVec::from_elem(0, dims);
        let mut extents = index.clone();
        let mut rest = range.start;
        for d in (0..dims).rev() {
            index[d] = rest % self.counts[d];
            rest /= self.counts[d];
        }
        for _ in range {
            let mut resized = false;
            let mut n = 1;
            for d in 0..dims {
                let e = self.tile[d].min(self.layout.shape[d] - index[d] * self.tile[d]);
                resized |= e != extents[d];
                extents[d] = e;
                n *= e;
            }
            let rows = self.row_dim.map_or(1, |d| extents[d]);
            let row = n / rows;
            let address = |k: usize| {
                let o = &self.layout.operands[k];
                let mut ptr = o.ptr;
                for d in 0..dims {
                    ptr = ptr.wrapping_offset((index[d] * self.tile[d]) as isize * o.strides[d]);
                }
                ptr
            };
            let mut moved = false;
            if let ([load], [store], []) = (&self.loads[..], &self.stores[..], self.parts.steps)
                && load.from == store.to
                && load.from == load.to
                && !load.aliased
            {
                let [from, to] = [0, 1].map(|k| &self.layout.operands[k].strides);
                // SAFETY: the views' contracts.
                unsafe { move_elements(store.to.size(), address(0), from, address(1), to, &extents) };
                moved = true;
            }
            for (i, load) in self.loads.iter().enumerate().filter(|_| !moved) {
                let from = address(i);
                if load.from == load.to
                    && !load.aliased
                    && let Some(place) = self.in_place(i, from, &extents, load.from.size())
                {
                    values[i] = place;
                    continue;
                }
                let strides = &self.layout.operands[i].strides;
                let size = load.to.size();
                let target = load.claimed_by.map(|o| (n_in + o, address(n_in + o)));
                if let Some((k, ptr)) = target
                    && is_packed(&self.layout.operands[k].strides, &extents, size)
                {
                    values[i] = Place { ptr, step: (row * size) as isize };
                } else if loaded[i] == from && !resized {
                    continue;
                } else {
                    loaded[i] = from;
                    values[i] = Place { ptr: slot(i), step: (row * size) as isize };
                }
                let to = values[i].ptr;
                // SAFETY: the views' contracts for the source; the buffers hold a tile of the largest dtype.
                unsafe {
                    if load.from == load.to {
                        move_elements(size, from, strides, to, &packed_strides(&extents, size), &extents);
                    } else {
                        let size = load.from.size();
                        let mut arg = from.cast_const();
                        if !is_packed(strides, &extents, size) {
                            move_elements(size, from, strides, staging, &packed_strides(&extents, size), &extents);
                            arg = staging;
                        }
                        conversion(load.from, load.to).tile()(&arg, to, n);
                    }
                }
            }
            for (k, step) in self.parts.steps.iter().enumerate() {
                let step_bytes = (row * step.dtype.size()) as isize;
                values[n_in + k] = Place { ptr: slot(n_in + step.slot as usize), step: step_bytes };
            }
            for (s, store) in self.stores.iter().enumerate() {
                if store.claims
                    && store.value >= n_in
                    && let Some(place) = self.in_place(n_in + s, address(n_in + s), &extents, store.to.size())
                {
                    values[store.value] = place;
                }
            }
            for r in 0..rows as isize {
                for (k, step) in self.parts.steps.iter().enumerate() {
                    let at = |v: usize| values[v].ptr.wrapping_offset(r * values[v].step);
                    let args: [*const u8; MAX_ARGS] = step.args.map(|v| at(v as usize).cast_const());
                    // SAFETY: all values hold rows of `row` elements of the dtypes checked in `Program::new`; the result
                    // lies where none of the arguments does, since inputs that are outputs too were copied.
                    unsafe { (step.f)(args.as_ptr(), at(n_in + k), row) };
                }
            }
            for (s, store) in self.stores.iter().enumerate().filter(|_| !moved) {
                let to = address(n_in + s);
                let mut from = values[store.value].ptr.cast_const();
                if from == to {
                    continue;
                }
                let strides = &self.layout.operands[n_in + s].strides;
                let size = store.to.size();
                // SAFETY: the views' contracts for the target; the value holds `n` elements.
                unsafe {
                    if store.from != store.to {
                        let direct = is_packed(strides, &extents, size);
                        let target = if direct { to } else { staging };
                        conversion(store.from, store.to).tile()(&from, target, n);
                        if direct {
                            continue;
                        }
                        from = staging;
                    }
                    move_elements(size, from, &packed_strides(&extents, size), to, strides, &extents);
                }
            }
            for d in (0..dims).rev() {
                index[d] += 1;
                if index[d] < self.counts[d] {
                    break;
                }
                index[d] = 0;
            }
        }
    }
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[allow(dead_code)] [MaybeUninit<u8>; 64]);

/// Calls `f` with tile buffers that the thread keeps for the next time.
fn with_scratch(bytes: usize, f: impl FnOnce(*mut u8)) {
    thread_local! {
        static SCRATCH: Cell<Vec<Line>> = const { Cell::new(Vec::new()) };
    }
    let mut lines = SCRATCH.take();
    lines.resize(lines.len().max(bytes.div_ceil(64)), Line([MaybeUninit::uninit(); 64]));
    f(lines.as_mut_ptr().cast());
    SCRATCH.set(lines);
}
