//! Replays: through the steps of the plan, or node by node through the gate where something watches.
#![allow(unsafe_code)]

use super::graph::{End, Graph};
use super::plan::{Step, Tail, Work};
use super::{Source, is_open};
use crate::apply::apply;
use crate::array::Array;
use crate::device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::grad;
use crate::op::Outs;
use crate::ops::elementwise::order_of;
use crate::ops::linalg;
use crate::shape::Strides;
use sciarray_kernels::map::Program;
use sciarray_kernels::pool::parallel_for;
use sciarray_kernels::reduce::reduce_program;
use sciarray_kernels::{View, ViewMut};
use smallvec::SmallVec;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How a replay ended.
pub enum Outcome {
    /// At this exit, with its outputs.
    Done(usize, Vec<Array>),
    /// At the guard of this segment, where it read a number for which nothing is recorded yet.
    Unknown { segment: usize, seen: i64 },
}

/// In recordings a bad matrix makes its batch item NaN.
struct NanOnFailure(bool);

impl Drop for NanOnFailure {
    fn drop(&mut self) {
        linalg::set_nan_on_failure(self.0);
    }
}

/// Is told of each step: its nodes, its start and duration, and its results.
pub type Visitor<'a> = dyn FnMut(&[u32], Instant, Duration, &[Array]) + 'a;

pub(super) type Slots = [Option<Array>];

fn located(e: Error, source: &Source) -> Error {
    match source.file {
        Some(_) => Error { message: format!("{} (recorded at {source})", e.message), ..e },
        None => e,
    }
}

impl Graph {
    /// Computes the outputs for new inputs, which have the recorded dtypes and shapes.
    pub fn run(&self, inputs: &[Array]) -> Result<Outcome> {
        self.run_with(inputs, None)
    }

    /// The same, and shows each step to a visitor, which nothing else watches then.
    pub fn visit(&self, inputs: &[Array], visitor: &mut Visitor) -> Result<Outcome> {
        let inputs: Vec<Array> = inputs.iter().map(|x| x.clone().detach()).collect();
        self.run_with(&inputs, Some(visitor))
    }

    fn run_with(&self, inputs: &[Array], mut visitor: Option<&mut Visitor>) -> Result<Outcome> {
        let open = grad::open_scopes();
        let watched = inputs.iter().zip(&self.plan.reached).any(|(x, &(tape, scopes))| {
            let by = x.scopes & open;
            (tape && by & grad::TAPE != 0) || (scopes && by & !grad::TAPE != 0)
        });
        let _nan = NanOnFailure(linalg::set_nan_on_failure(true));
        let mut values: Vec<Option<Array>> = vec![None; self.values.len()];
        for (x, &v) in inputs.iter().zip(&self.inputs) {
            values[v as usize] = Some(x.clone());
        }
        let through_gate = watched || is_open();
        let mut s = 0;
        loop {
            if through_gate {
                for &i in &self.plan.live[s] {
                    self.run_watched(i, &mut values)?;
                }
            } else {
                match self.plan.devices[s] {
                    Some(at) if visitor.is_none() && self.plan.passes.capture => {
                        self.run_on_device(s, at, &mut values)?
                    }
                    _ => self.run_steps(&self.plan.steps[s], &mut values, &mut visitor)?,
                }
            }
            let stands = |v: u32| if through_gate { v } else { self.plan.stands[v as usize] };
            match &self.segments[s].end {
                End::Done { outputs, exit } => {
                    let outputs = outputs.iter().map(|&v| self.value(&values, stands(v)).clone()).collect();
                    return Ok(Outcome::Done(*exit, outputs));
                }
                End::Guard { value, read, ways, .. } => {
                    let x = self.value(&values, stands(*value));
                    if through_gate {
                        super::guard(x, *read)?;
                    }
                    let seen = read.of(&x.to_cpu()?);
                    match ways.iter().find(|w| w.0 == seen) {
                        Some(&(_, next)) => s = next as usize,
                        None => return Ok(Outcome::Unknown { segment: s, seen }),
                    }
                }
                End::Open => unreachable!("finished programs have no open segment"),
            }
        }
    }

    #[inline]
    pub(super) fn value<'a>(&'a self, values: &'a Slots, v: u32) -> &'a Array {
        values[v as usize].as_ref().or_else(|| self.constant(v)).expect("values come before their reads")
    }

    fn run_watched(&self, i: u32, values: &mut Slots) -> Result<()> {
        let node = &self.nodes[i as usize];
        let mut closed = 0;
        if !node.watched.tape {
            closed |= grad::TAPE;
        }
        if !node.watched.scopes {
            closed |= !grad::TAPE;
        }
        let _closed = (closed != 0).then(|| grad::suspend(closed));
        let outs = {
            let ins: SmallVec<[&Array; 3]> = node.ins.iter().map(|&v| self.value(values, v)).collect();
            apply(&*node.op, &ins).map_err(|e| located(e, &node.source))?
        };
        put(values, &node.outs, outs);
        Ok(())
    }

    pub(super) fn run_steps(
        &self,
        steps: &[Step],
        values: &mut Slots,
        visitor: &mut Option<&mut Visitor>,
    ) -> Result<()> {
        let mut next = 0;
        while let Some(step) = steps.get(next) {
            let together = &steps[next..next + step.together.max(1)];
            let on_cpu = |s: &Step| s.ins().iter().all(|&v| self.value(values, v).device().is_cpu());
            if step.together > 1 && visitor.is_none() && together.iter().all(on_cpu) {
                self.run_together(together, values)?;
                together.iter().flat_map(|s| &s.dead).for_each(|&v| values[v as usize] = None);
                next += step.together;
                continue;
            }
            next += 1;
            let start = visitor.is_some().then(Instant::now);
            self.run_step(step, values)?;
            if let (Some(visitor), Some(start)) = (visitor.as_mut(), start) {
                let time = start.elapsed();
                let outs: Vec<Array> = step.outs(self).iter().filter_map(|&v| values[v as usize].clone()).collect();
                visitor(step.nodes(), start, time, &outs);
            }
            for &v in &step.dead {
                values[v as usize] = None;
            }
        }
        Ok(())
    }

    /// One step; what dies with it stays.
    #[inline]
    pub(super) fn run_step(&self, step: &Step, values: &mut Slots) -> Result<()> {
        match &step.work {
            Work::Node { node, ins, metas } => {
                let node = &self.nodes[*node as usize];
                let outs = {
                    let ins: SmallVec<[&Array; 3]> = ins.iter().map(|&v| self.value(values, v)).collect();
                    device::eval(&*node.op, &ins, metas).map_err(|e| located(e, &node.source))?
                };
                put(values, &node.outs, outs);
                Ok(())
            }
            Work::Fused { .. } => self.run_fused(step, values),
        }
    }

    /// Steps of one node each, shared by the threads.
    fn run_together(&self, steps: &[Step], values: &mut Slots) -> Result<()> {
        let results: Vec<Mutex<Option<Result<Outs>>>> = steps.iter().map(|_| Mutex::new(None)).collect();
        let there = &*values;
        parallel_for(steps.len(), 1, |range| {
            let _nan = NanOnFailure(linalg::set_nan_on_failure(true));
            for k in range {
                let Work::Node { node, ins, metas } = &steps[k].work else { unreachable!("steps of one node") };
                let node = &self.nodes[*node as usize];
                let ins: SmallVec<[&Array; 3]> = ins.iter().map(|&v| self.value(there, v)).collect();
                let outs = node.op.eval(&ins, metas).map_err(|e| located(e, &node.source));
                *results[k].lock().unwrap_or_else(|e| e.into_inner()) = Some(outs);
            }
        });
        for (step, result) in steps.iter().zip(results) {
            let outs = result.into_inner().unwrap_or_else(|e| e.into_inner()).expect("each step was run");
            put(values, step.outs(self), outs?);
        }
        Ok(())
    }

    fn run_fused(&self, step: &Step, values: &mut Slots) -> Result<()> {
        let Work::Fused { program, ins, outs, shape, flat, tail, id, .. } = &step.work else {
            unreachable!("a program")
        };
        if ins.iter().any(|&v| !self.value(values, v).device().is_cpu()) {
            return self.run_fused_on_device(step, *id, values);
        }
        let stored = &outs[..outs.len() - tail.is_some() as usize];
        if tail.is_none() && !flat && self.run_small(program, ins, stored, shape, values)? {
            return Ok(());
        }
        // Along one axis the elements of all inputs must lie in order.
        let in_order: SmallVec<[Array; 4]> = if *flat {
            let line = |x: &Array| x.reshaped("replay", if x.size() == shape[0] { &shape[..] } else { &[] });
            ins.iter().map(|&v| line(self.value(values, v))).collect::<Result<_>>()?
        } else {
            SmallVec::new()
        };
        fn input<'a>(graph: &'a Graph, values: &'a Slots, in_order: &'a [Array], (k, v): (usize, &u32)) -> &'a Array {
            in_order.get(k).unwrap_or_else(|| graph.value(values, *v))
        }
        let strides: SmallVec<[Strides; 4]> =
            ins.iter().enumerate().map(|i| input(self, values, &in_order, i).strides_for(shape)).collect();
        // Results lie in memory as those of the nodes one by one would.
        let order = order_of(shape, ins.iter().map(|&v| self.value(values, v))).map(Strides::from_slice);
        let empty = |name: &str, dtype: DType| match &order {
            Some(like) => Array::empty_ordered(name, dtype, shape, like),
            None => Array::empty(name, dtype, shape),
        };
        // A result may take the memory of an input that nobody reads afterwards.
        let mut taken: SmallVec<[(u32, usize); 2]> = SmallVec::new();
        let mut ys: SmallVec<[Array; 2]> = SmallVec::new();
        for (k, &v) in stored.iter().enumerate() {
            let dense = |x: &Array| x.is_contiguous() || order.as_ref().is_some_and(|like| x.is_dense_like(like));
            let free = |x: &Array| x.is_writable() && dense(x) && x.link().is_none();
            let fits = |u: &&u32| {
                self.meta(**u) == self.meta(v)
                    && step.dead.contains(u)
                    && ins.contains(u)
                    && values[**u as usize].as_ref().is_some_and(free)
            };
            let old = if self.plan.passes.reuse && !flat { step.dead.iter().find(fits).copied() } else { None };
            ys.push(match old.and_then(|u| Some((u, values[u as usize].take()?))) {
                Some((u, x)) => {
                    taken.push((u, k));
                    x
                }
                None => empty("replay", self.meta(v).dtype)?,
            });
        }
        let reduced = {
            let views: SmallVec<[View; 4]> = ins
                .iter()
                .enumerate()
                .zip(&strides)
                .map(|((k, v), s)| match taken.iter().find(|t| t.0 == *v) {
                    // SAFETY: memory of this dtype, shape and strides. The driver permits an input that is exactly an output.
                    Some(&(_, k)) => unsafe { View::new(ys[k].ptr(), ys[k].dtype(), shape, s) },
                    None => input(self, values, &in_order, (k, v)).view_as(shape, s),
                })
                .collect();
            let mut dst: SmallVec<[ViewMut; 2]> = ys.iter_mut().map(|y| y.view_mut()).collect();
            match tail {
                None => {
                    sciarray_kernels::map::run(program, &views, &mut dst);
                    None
                }
                Some(tail) => Some(self.reduce(tail, program, &views, dst, &empty)?),
            }
        };
        for (&v, y) in outs.iter().zip(ys.into_iter().chain(reduced)) {
            values[v as usize] = Some(if *flat { y.reshaped("replay", &self.meta(v).shape)? } else { y });
        }
        Ok(())
    }

    /// A program as one launch; a reduction behind it as another.
    #[cold]
    fn run_fused_on_device(&self, step: &Step, id: u64, values: &mut Slots) -> Result<()> {
        let Work::Fused { program, ins, outs, shape, flat, tail, .. } = &step.work else { unreachable!("a program") };
        let ins: Vec<Array> = ins
            .iter()
            .map(|&v| {
                let x = self.value(values, v);
                // Along one axis the elements of all inputs lie in order.
                if *flat {
                    x.reshaped("replay", if x.size() == shape[0] { &shape[..] } else { &[] })
                } else {
                    Ok(x.clone())
                }
            })
            .collect::<Result<_>>()?;
        let stored = &outs[..outs.len() - tail.is_some() as usize];
        let mut dtypes: SmallVec<[DType; 2]> = stored.iter().map(|&v| self.meta(v).dtype).collect();
        if let Some(tail) = tail {
            dtypes.insert(0, self.meta(tail.of).dtype);
        }
        let refs: SmallVec<[&Array; 4]> = ins.iter().collect();
        let mut ys = device::run_program(id, program, &refs, shape, &dtypes)?.into_iter();
        if let Some(tail) = tail {
            let node = &self.nodes[tail.node as usize];
            let x = ys.next().expect("what is reduced comes first").reshaped("replay", &self.meta(tail.of).shape)?;
            let reduced = device::eval(&*node.op, &[&x], &tail.metas).map_err(|e| located(e, &node.source))?;
            put(values, &outs[stored.len()..], reduced);
        }
        for (&v, y) in stored.iter().zip(ys) {
            values[v as usize] = Some(if *flat { y.reshaped("replay", &self.meta(v).shape)? } else { y });
        }
        Ok(())
    }

    /// A program over few contiguous elements and scalars; false, and nothing is done, where operands are others.
    fn run_small(
        &self,
        program: &Program,
        ins: &[u32],
        stored: &[u32],
        shape: &[usize],
        values: &mut Slots,
    ) -> Result<bool> {
        const SMALL: usize = 1024;
        let n: usize = shape.iter().product();
        if n == 0 || n > SMALL {
            return Ok(false);
        }
        let mut args: SmallVec<[(*const u8, bool); 8]> = SmallVec::new();
        for (&v, &dtype) in ins.iter().zip(program.inputs()) {
            let x = self.value(values, v);
            let one = x.ndim() == 0;
            if x.dtype() != dtype || !(one || (x.shape() == shape && x.is_contiguous())) {
                return Ok(false);
            }
            args.push((x.ptr(), one && !shape.is_empty()));
        }
        let mut ys: SmallVec<[Array; 4]> = SmallVec::new();
        for &v in stored {
            ys.push(Array::empty("replay", self.meta(v).dtype, shape)?);
        }
        let to: SmallVec<[*mut u8; 4]> = ys.iter_mut().map(|y| y.view_mut().ptr()).collect();
        // SAFETY: contiguous arrays of these dtypes and this shape, or single elements; the results are fresh memory.
        if !unsafe { program.run_small(&args, &to, n) } {
            return Ok(false);
        }
        for (&v, y) in stored.iter().zip(ys) {
            values[v as usize] = Some(y);
        }
        Ok(true)
    }

    /// Runs a program and reduces its first output; the others go to `stored`.
    fn reduce(
        &self,
        tail: &Tail,
        program: &Program,
        ins: &[View],
        mut stored: SmallVec<[ViewMut; 2]>,
        empty: &dyn Fn(&str, DType) -> Result<Array>,
    ) -> Result<Array> {
        let node = &self.nodes[tail.node as usize];
        let meta = &tail.metas[0];
        let mut y = Array::empty(node.op.name(), meta.dtype, &meta.shape)?;
        if reduce_program(tail.kind, program, ins, &mut stored, &mut y.view_mut(), tail.by_rows) {
            return Ok(y);
        }
        let mut x = empty(node.op.name(), self.meta(tail.of).dtype)?;
        {
            let mut outs: SmallVec<[ViewMut; 3]> = SmallVec::new();
            outs.push(x.view_mut());
            for y in stored {
                outs.push(y);
            }
            sciarray_kernels::map::run(program, ins, &mut outs);
        }
        if x.shape() != &self.meta(tail.of).shape[..] {
            x = x.reshaped(node.op.name(), &self.meta(tail.of).shape)?;
        }
        let mut outs = node.op.eval(&[&x], &tail.metas).map_err(|e| located(e, &node.source))?;
        Ok(outs.pop().expect("a reduction has one output"))
    }
}

#[inline]
fn put(values: &mut Slots, to: &[u32], outs: Outs) {
    for (&v, y) in to.iter().zip(outs) {
        values[v as usize] = Some(y);
    }
}
