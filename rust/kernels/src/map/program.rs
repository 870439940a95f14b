//! The driver: loads tiles of strided inputs, runs a program of scalar functions over them and stores the results.
//!
//! An eager operator is a program of length one, so that eager and fused execution give the same bits.
#![allow(unsafe_code)]

use super::convert::conversion;
use super::layout::{Dims, Layout, is_packed, move_elements, packed_strides};
use super::tile::{Kernel, MAX_ARGS, TileFn};
use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::{DType, View, ViewMut};
use smallvec::SmallVec;
use std::cell::Cell;
use std::mem::MaybeUninit;

/// The most elements of a tile: three tiles of `float64` fill 24 KiB of the innermost cache.
pub const TILE: usize = 1024;

/// What the tiles of one program may occupy together before they are made shorter.
const CACHE_BYTES: usize = 128 << 10;

/// Nanoseconds per element to load or store one operand.
const OPERAND_NS: f64 = 0.3;

struct Step {
    f: TileFn,
    args: [u16; MAX_ARGS],
    n_args: u8,
    /// The tile buffer of the result, free again after the last step that reads it.
    slot: u16,
    dtype: DType,
    cost: f64,
}

/// Scalar functions over values: value `i` is input `i`, the next ones are the results of the steps.
pub struct Program {
    inputs: SmallVec<[DType; 4]>,
    steps: SmallVec<[Step; 1]>,
    outputs: SmallVec<[u16; 1]>,
    n_slots: usize,
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
        };
        for (kernel, args) in steps {
            let found = args.iter().map(|&v| p.dtype(v));
            assert!(found.eq(kernel.ins().iter().copied()), "a step's arguments have other dtypes than its kernel");
            let mut padded = [0; MAX_ARGS];
            padded[..args.len()].copy_from_slice(args);
            p.steps.push(Step {
                f: kernel.tile(),
                args: padded,
                n_args: args.len() as u8,
                slot: 0,
                dtype: kernel.out(),
                cost: kernel.cost(),
            });
        }
        outputs.iter().for_each(|&v| _ = p.dtype(v));
        p.assign_slots();
        p
    }

    fn dtype(&self, value: u16) -> DType {
        match (value as usize).checked_sub(self.inputs.len()) {
            None => self.inputs[value as usize],
            Some(step) => self.steps[step].dtype,
        }
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
    let n = out.size();
    assert_eq!(ins.len(), kernel.ins().len());
    if n == 0 {
        return;
    }
    let to = out.ptr();
    let mut args = [std::ptr::null(); MAX_ARGS];
    let mut direct = out.dtype() == kernel.out() && out.is_contiguous();
    for (k, v) in ins.iter().enumerate() {
        assert_eq!(v.shape(), out.shape());
        direct = direct && v.dtype() == kernel.ins()[k] && v.ptr() != to && v.is_contiguous();
        args[k] = v.ptr();
    }
    if !direct {
        let args: SmallVec<[u16; MAX_ARGS]> = (0..ins.len() as u16).collect();
        let program = Program::new(kernel.ins(), &[(kernel, &args)], &[ins.len() as u16]);
        return run(&program, ins, std::slice::from_mut(out));
    }
    let f = kernel.tile();
    let ns = kernel.cost() + OPERAND_NS * (ins.len() + 1) as f64;
    if n as f64 * ns < 2.0 * MIN_TASK_NS {
        // SAFETY: contiguous views of the kernel's dtypes; no input is `out`, and other overlap is excluded.
        return unsafe { f(args.as_ptr(), to, n) };
    }
    let shared = Shared((args, to));
    parallel_for(n.div_ceil(TILE), tiles_per_task(ns, TILE), |tiles| {
        let (args, to) = shared.get();
        let start = tiles.start * TILE;
        let end = (tiles.end * TILE).min(n);
        let mut at = *args;
        for (k, v) in kernel.ins().iter().enumerate() {
            at[k] = at[k].wrapping_add(start * v.size());
        }
        // SAFETY: as above, for the elements from `start` to `end`.
        unsafe { f(at.as_ptr(), to.wrapping_add(start * kernel.out().size()), end - start) }
    });
}

fn tiles_per_task(ns: f64, tile: usize) -> usize {
    (MIN_TASK_NS / (ns * tile as f64)).ceil() as usize
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

/// Runs a program over views of one shape (broadcast inputs have stride 0) and any dtypes and strides.
///
/// An input may be exactly an output: same address, dtype and strides; any other overlap is not permitted.
pub fn run(program: &Program, ins: &[View], outs: &mut [ViewMut]) {
    assert_eq!(ins.len(), program.inputs.len());
    assert_eq!(outs.len(), program.outputs.len());
    let Some(first) = outs.first() else { return };
    let shape = first.shape();
    assert!(ins.iter().all(|v| v.shape() == shape) && outs.iter().all(|v| v.shape() == shape));
    if first.size() == 0 {
        return;
    }
    let plan = Plan::new(program, shape, ins, outs);
    let plan = Shared(plan);
    let tiles = plan.get().counts.iter().product();
    parallel_for(tiles, tiles_per_task(plan.get().ns, plan.get().tile.iter().product()), |range| {
        with_scratch(plan.get().scratch_bytes(), |scratch| {
            // SAFETY: the scratch is as large as asked for, the tiles of different ranges are disjoint.
            unsafe { plan.get().run_tiles(range, scratch) }
        });
    });
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
    /// The value may be computed in place when the tile is contiguous: no other output was first.
    claims: bool,
}

struct Plan<'a> {
    program: &'a Program,
    /// Inputs first, then outputs.
    layout: Layout,
    loads: SmallVec<[Load; 4]>,
    stores: SmallVec<[Store; 1]>,
    tile: Dims<usize>,
    counts: Dims<usize>,
    slot_bytes: usize,
    ns: f64,
}

impl<'a> Plan<'a> {
    fn new(program: &'a Program, shape: &[usize], ins: &[View], outs: &mut [ViewMut]) -> Plan<'a> {
        let n_in = ins.len();
        let mut operands: SmallVec<[(*mut u8, &[isize], usize); 4]> =
            ins.iter().map(|v| (v.ptr().cast_mut(), v.strides(), v.dtype().size())).collect();
        operands.extend(outs.iter_mut().map(|v| (v.ptr(), v.strides(), v.dtype().size())));
        let layout = Layout::new(shape, &operands, n_in);
        let mut loads: SmallVec<[Load; 4]> = (0..n_in)
            .map(|i| Load {
                from: ins[i].dtype(),
                to: program.inputs[i],
                aliased: operands[n_in..].iter().any(|o| o.0 == operands[i].0),
                claimed_by: None,
            })
            .collect();
        let mut stores: SmallVec<[Store; 1]> = SmallVec::new();
        for (o, &v) in program.outputs.iter().enumerate() {
            let from = program.dtype(v);
            let to = outs[o].dtype();
            let claims = from == to && !program.outputs[..o].contains(&v);
            stores.push(Store { value: v as usize, from, to, claims });
            if claims && (v as usize) < n_in && !loads[v as usize].aliased {
                loads[v as usize].claimed_by = Some(o);
            }
        }
        let element = (program.steps.iter().map(|s| s.dtype))
            .chain(loads.iter().flat_map(|l| [l.from, l.to]))
            .chain(stores.iter().map(|s| s.to))
            .map(DType::size)
            .max()
            .unwrap_or(1);
        let buffers = n_in + program.n_slots + 1;
        let mut cap = TILE;
        while cap > 256 && cap * element * buffers > CACHE_BYTES {
            cap /= 2;
        }
        let tile = layout.tile(cap);
        let counts = layout.shape.iter().zip(&tile).map(|(&n, &t)| n.div_ceil(t)).collect();
        let ns = program.steps.iter().map(|s| s.cost).sum::<f64>() + OPERAND_NS * operands.len() as f64;
        Plan { program, layout, loads, stores, tile, counts, slot_bytes: (cap * element).next_multiple_of(64), ns }
    }

    fn scratch_bytes(&self) -> usize {
        (self.loads.len() + self.program.n_slots + 1) * self.slot_bytes
    }

    /// # Safety
    /// `scratch` has `scratch_bytes` bytes; no other thread runs the same tiles.
    unsafe fn run_tiles(&self, range: std::ops::Range<usize>, scratch: *mut u8) {
        let n_in = self.loads.len();
        let dims = self.tile.len();
        let slot = |i: usize| scratch.wrapping_add(i * self.slot_bytes);
        let staging = slot(n_in + self.program.n_slots);
        let mut values: SmallVec<[*mut u8; 8]> = (0..n_in).map(slot).collect();
        values.extend(self.program.steps.iter().map(|s| slot(n_in + s.slot as usize)));
        let mut loaded: SmallVec<[*mut u8; 4]> = self.loads.iter().map(|_| std::ptr::null_mut()).collect();

        let mut index: Dims<usize> = self.tile.iter().map(|_| 0).collect();
        let mut rest = range.start;
        for d in (0..dims).rev() {
            index[d] = rest % self.counts[d];
            rest /= self.counts[d];
        }
        let mut extents: Dims<usize> = self.tile.iter().map(|_| 0).collect();
        for _ in range {
            let mut resized = false;
            for d in 0..dims {
                let e = self.tile[d].min(self.layout.shape[d] - index[d] * self.tile[d]);
                resized |= e != extents[d];
                extents[d] = e;
            }
            let n = extents.iter().product();
            let address = |k: usize| {
                let o = &self.layout.operands[k];
                let offset: isize = (0..dims).map(|d| (index[d] * self.tile[d]) as isize * o.strides[d]).sum();
                o.ptr.wrapping_offset(offset)
            };
            for (s, store) in self.stores.iter().enumerate() {
                if store.claims && store.value >= n_in {
                    let step = &self.program.steps[store.value - n_in];
                    let direct = is_packed(&self.layout.operands[n_in + s].strides, &extents, store.to.size());
                    values[store.value] = if direct { address(n_in + s) } else { slot(n_in + step.slot as usize) };
                }
            }
            for (i, load) in self.loads.iter().enumerate() {
                let from = address(i);
                let strides = &self.layout.operands[i].strides;
                let packed = is_packed(strides, &extents, load.from.size());
                if packed && load.from == load.to && !load.aliased {
                    values[i] = from;
                    continue;
                }
                values[i] = slot(i);
                if let Some(o) = load.claimed_by
                    && is_packed(&self.layout.operands[n_in + o].strides, &extents, load.to.size())
                {
                    values[i] = address(n_in + o);
                } else if loaded[i] == from && !resized {
                    continue;
                } else {
                    loaded[i] = from;
                }
                // SAFETY: the views' contracts for the source; the buffers hold a tile of the largest dtype.
                unsafe {
                    if load.from == load.to {
                        let to_strides = packed_strides(&extents, load.to.size());
                        move_elements(load.to.size(), from, strides, values[i], &to_strides, &extents);
                    } else {
                        let mut arg = from.cast_const();
                        if !packed {
                            let to_strides = packed_strides(&extents, load.from.size());
                            move_elements(load.from.size(), from, strides, staging, &to_strides, &extents);
                            arg = staging;
                        }
                        conversion(load.from, load.to).tile()(&arg, values[i], n);
                    }
                }
            }
            for (k, step) in self.program.steps.iter().enumerate() {
                let args: [*const u8; MAX_ARGS] = step.args.map(|v| values[v as usize].cast_const());
                // SAFETY: all values hold `n` elements of the dtypes checked in `Program::new`; the result has a buffer that
                // none of the arguments has, since inputs that lie where an output does were copied.
                unsafe { (step.f)(args.as_ptr(), values[n_in + k], n) };
            }
            for (s, store) in self.stores.iter().enumerate() {
                let to = address(n_in + s);
                let value = values[store.value];
                if value == to {
                    continue;
                }
                let strides = &self.layout.operands[n_in + s].strides;
                // SAFETY: the views' contracts for the target; the value holds `n` elements.
                unsafe {
                    let mut from = value.cast_const();
                    if store.from != store.to {
                        let direct = is_packed(strides, &extents, store.to.size());
                        let target = if direct { to } else { staging };
                        conversion(store.from, store.to).tile()(&from, target, n);
                        if direct {
                            continue;
                        }
                        from = staging;
                    }
                    let from_strides = packed_strides(&extents, store.to.size());
                    move_elements(store.to.size(), from, &from_strides, to, strides, &extents);
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
