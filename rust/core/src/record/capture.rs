//! Replays on a device as CUDA graphs: the first replay sends step by step, which compiles the kernels; the second one writes
//! its steps down; from then on a stretch of steps is one launch.
//!
//! A graph finds its operands where they were when it was written down. So what it reads is copied to memory of its own before,
//! and its results out of there afterwards: results that a user holds stay as they are. Steps that wait for the device, or
//! draw random numbers, lie between stretches.

use super::graph::Graph;
use super::plan::Step;
use super::run::Slots;
use crate::array::Array;
use crate::device::{self, Device};
use crate::error::Result;
use sciarray_cuda::{Capture, Queue};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// A launch of a graph and the copies cost about as much as so many launches.
const MIN_STEPS: usize = 4;
/// A launch that is saved is worth some microseconds, in which a device copies so much.
const BYTES_PER_STEP: usize = 1 << 20;
/// Segments and threads that a program keeps graphs for.
const MAX_KEPT: usize = 256;

/// What is known of the segments of a program, per queue.
#[derive(Default)]
pub(super) struct Captures(Mutex<HashMap<(usize, usize), State>>);

#[derive(Clone)]
enum State {
    Seen,
    Parts(Arc<Vec<Part>>),
}

enum Part {
    /// Steps that run before others that read what dies with them.
    Ahead(Vec<usize>),
    Steps(Vec<usize>),
    Stretch(Stretch),
}

/// Steps that one launch sends.
struct Stretch {
    graph: sciarray_cuda::Graph,
    steps: Vec<usize>,
    inputs: Vec<(u32, Array)>,
    results: Vec<(u32, Array)>,
    /// Constants that the device was given meanwhile.
    _held: Vec<Array>,
}

enum Attempt {
    Done(Stretch),
    /// Steps one by one are no slower.
    Useless,
    /// This step, by its place among those that were tried, has no place in a graph.
    Fails(usize),
}

impl Part {
    fn steps(&self) -> &[usize] {
        match self {
            Part::Ahead(which) | Part::Steps(which) | Part::Stretch(Stretch { steps: which, .. }) => which,
        }
    }
}

/// Drops what nobody reads after these steps.
fn bury<'a>(steps: impl IntoIterator<Item = &'a Step>, values: &mut Slots) {
    steps.into_iter().flat_map(|s| &s.dead).for_each(|&v| values[v as usize] = None);
}

impl Stretch {
    /// Whether it was done: it serves arrays as they were when it was written down, on this device or single numbers.
    fn run(&self, graph: &Graph, queue: &Queue, values: &mut Slots) -> Result<bool> {
        if !self.inputs.iter().all(|(v, to)| device::can_refill(to, graph.value(values, *v))) {
            return Ok(false);
        }
        for (v, to) in &self.inputs {
            device::refill(queue, to, graph.value(values, *v))?;
        }
        self.graph.launch()?;
        for (v, from) in &self.results {
            values[*v as usize] = Some(device::copy_as_is(queue, from)?);
        }
        Ok(true)
    }
}

impl Graph {
    /// Runs the steps of a segment that is at work on a device.
    pub(super) fn run_on_device(&self, segment: usize, at: Device, values: &mut Slots) -> Result<()> {
        let steps = &self.plan.steps[segment];
        let queue = Queue::here(at.number())?;
        let key = (segment, queue.id());
        let captures = || self.plan.captures.0.lock().unwrap_or_else(|e| e.into_inner());
        let (state, is_full) = {
            let captures = captures();
            (captures.get(&key).cloned(), captures.len() >= MAX_KEPT)
        };
        match state {
            None => {
                self.run_steps(steps, values, &mut None)?;
                if !is_full {
                    captures().insert(key, State::Seen);
                }
                return Ok(());
            }
            Some(State::Seen) => {
                let parts = self.write_down(steps, &queue, values)?;
                captures().insert(key, State::Parts(Arc::new(parts)));
            }
            Some(State::Parts(parts)) => {
                parts.iter().try_for_each(|part| self.run_part(part, steps, &queue, values))?;
            }
        }
        bury(steps, values);
        Ok(())
    }

    fn run_part(&self, part: &Part, steps: &[Step], queue: &Queue, values: &mut Slots) -> Result<()> {
        match part {
            Part::Ahead(which) => which.iter().try_for_each(|&i| self.run_step(&steps[i], values))?,
            Part::Stretch(stretch) if stretch.run(self, queue, values)? => {
                bury(stretch.steps.iter().map(|&i| &steps[i]), values);
            }
            Part::Stretch(Stretch { steps: which, .. }) | Part::Steps(which) => {
                for &i in which {
                    self.run_step(&steps[i], values)?;
                    bury([&steps[i]], values);
                }
            }
        }
        Ok(())
    }

    /// Runs the steps and makes stretches of those that can be.
    fn write_down(&self, steps: &[Step], queue: &Queue, values: &mut Slots) -> Result<Vec<Part>> {
        let mut left: Vec<usize> = (0..steps.len()).collect();
        let mut parts = Vec::new();
        while !left.is_empty() {
            let ahead = self.run_ahead(steps, &mut left, values)?;
            if !ahead.is_empty() {
                parts.push(Part::Ahead(ahead));
            }
            if left.is_empty() {
                break;
            }
            let mut tried = left.iter().position(|&i| !self.is_pure(&steps[i])).unwrap_or(left.len());
            let part = loop {
                match self.attempt(steps, &left[..tried], queue, values)? {
                    Attempt::Done(stretch) => break Part::Stretch(stretch),
                    Attempt::Fails(k) if k > 0 => tried = k,
                    Attempt::Fails(_) => break Part::Steps(left[..1].to_vec()),
                    Attempt::Useless => break Part::Steps(left[..tried.max(1)].to_vec()),
                }
            };
            self.run_part(&part, steps, queue, values)?;
            left.drain(..part.steps().len());
            parts.push(part);
        }
        Ok(parts)
    }

    fn is_pure(&self, step: &Step) -> bool {
        step.nodes().iter().all(|&n| self.nodes[n as usize].op.is_pure())
    }

    /// Runs the steps that no device is needed for, so that they do not part a stretch; they are those whose operands are there,
    /// on the CPU. Numbers are drawn in their order.
    fn run_ahead(&self, steps: &[Step], left: &mut Vec<usize>, values: &mut Slots) -> Result<Vec<usize>> {
        let mut ahead = Vec::new();
        let mut later = Vec::new();
        for (k, &i) in left.iter().enumerate() {
            let on_cpu = |&v: &u32| {
                values[v as usize].as_ref().or_else(|| self.constant(v)).is_some_and(|x| x.device().is_cpu())
            };
            if steps[i].ins().iter().all(on_cpu) {
                self.run_step(&steps[i], values)?;
                ahead.push(i);
            } else if self.is_pure(&steps[i]) {
                later.push(i);
            } else {
                later.extend(&left[k..]);
                break;
            }
        }
        *left = later;
        Ok(ahead)
    }

    fn attempt(&self, steps: &[Step], which: &[usize], queue: &Queue, values: &Slots) -> Result<Attempt> {
        if which.len() < MIN_STEPS {
            return Ok(Attempt::Useless);
        }
        let chosen = || which.iter().map(|&i| &steps[i]);
        let made: HashSet<u32> = chosen().flat_map(|s| s.outs(self)).copied().collect();
        let dead: HashSet<u32> = chosen().flat_map(|s| &s.dead).copied().collect();
        let is_fixed = |v: u32| values[v as usize].is_none() && self.values[v as usize].known;
        let read: HashSet<u32> =
            chosen().flat_map(|s| s.ins()).copied().filter(|&v| !made.contains(&v) && !is_fixed(v)).collect();
        let results: Vec<u32> = made.iter().copied().filter(|v| !dead.contains(v)).collect();
        let bytes = |v: &u32| self.meta(*v).shape.iter().product::<usize>() * self.meta(*v).dtype.size();
        if read.iter().chain(&results).map(bytes).sum::<usize>() > BYTES_PER_STEP * which.len() {
            return Ok(Attempt::Useless);
        }
        let mut inputs = Vec::new();
        for v in read {
            let x = self.value(values, v);
            let Some(to) = device::room_for(queue, x)? else { return Ok(Attempt::Useless) };
            inputs.push((v, to));
        }
        let mut scratch: Vec<Option<Array>> = vec![None; values.len()];
        for (v, to) in &inputs {
            scratch[*v as usize] = Some(to.clone());
        }
        let capture = Capture::begin(queue)?;
        let held = device::Held::begin();
        for (k, step) in chosen().enumerate() {
            if self.run_step(step, &mut scratch).is_err() {
                return Ok(Attempt::Fails(k));
            }
            bury([step], &mut scratch);
        }
        let at = Device::cuda(queue.device());
        let results: Vec<(u32, Array)> =
            results.into_iter().filter_map(|v| Some((v, scratch[v as usize].take()?))).collect();
        drop(scratch);
        let held = held.finish();
        match capture.finish() {
            Ok(graph) if results.iter().all(|r| r.1.device() == at) => {
                Ok(Attempt::Done(Stretch { graph, steps: which.to_vec(), inputs, results, _held: held }))
            }
            _ => Ok(Attempt::Useless),
        }
    }
}
