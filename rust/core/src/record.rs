//! Recordings: programs written down by the gate while a function runs, and replayed without it.

use crate::apply::apply;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::grad;
use crate::op::{Meta, Op, OpRef, Outs};
use crate::shape::{Shape, Strides, Tuple};
use crate::{ensure, fail};
use sciarray_kernels::map::{Kernel, Program};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// The place of a value in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    recording: u32,
    value: u32,
}

impl Slot {
    pub const NONE: Slot = Slot { recording: 0, value: 0 };
}

type Values = SmallVec<[u32; 3]>;

/// One recorded application.
#[derive(Clone, Debug)]
pub struct GraphNode {
    pub op: OpRef,
    pub ins: Values,
    pub outs: Values,
}

struct Recorder {
    id: u32,
    metas: Vec<Meta>,
    inputs: Vec<u32>,
    constants: Vec<(u32, Array)>,
    nodes: Vec<GraphNode>,
}

impl Recorder {
    fn value(&mut self, meta: Meta) -> u32 {
        self.metas.push(meta);
        self.metas.len() as u32 - 1
    }

    /// The value an array stands for; one that the recording has not made is a constant of it.
    fn lookup(&mut self, x: &Array) -> u32 {
        if x.slot.recording == self.id {
            return x.slot.value;
        }
        let v = self.value(x.owned_meta());
        self.constants.push((v, x.clone().detach()));
        v
    }
}

thread_local! {
    static OPEN: Cell<bool> = const { Cell::new(false) };
    static CURRENT: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

static NEXT_ID: AtomicU32 = AtomicU32::new(1);

/// Whether this thread records.
#[inline]
pub fn is_open() -> bool {
    OPEN.get()
}

/// Pauses recording until the guard goes; for ops whose kernel is itself built of ops.
pub struct Paused(bool);

pub fn pause() -> Paused {
    Paused(OPEN.replace(false))
}

impl Drop for Paused {
    fn drop(&mut self) {
        OPEN.set(self.0);
    }
}

/// Opens a recording whose inputs are these values; they are returned with their places in it.
pub fn begin(inputs: &[Array]) -> Result<Vec<Array>> {
    ensure!(!is_open(), Runtime, "record: a recording is already open in this thread");
    let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
    let mut r = Recorder { id, metas: vec![], inputs: vec![], constants: vec![], nodes: vec![] };
    let marked = inputs
        .iter()
        .map(|x| {
            let v = r.value(x.owned_meta());
            r.inputs.push(v);
            let mut x = x.clone();
            x.slot = Slot { recording: id, value: v };
            x
        })
        .collect();
    CURRENT.set(Some(r));
    OPEN.set(true);
    Ok(marked)
}

/// Closes the recording without a result; after an exception nothing of it is left.
pub fn abandon() {
    OPEN.set(false);
    CURRENT.set(None);
}

/// Closes the recording; the graph computes `outputs` from its inputs.
pub fn finish(outputs: &[Array]) -> Result<Graph> {
    OPEN.set(false);
    let Some(mut r) = CURRENT.take() else { fail!(Runtime, "record: no recording is open in this thread") };
    let outputs = outputs.iter().map(|y| r.lookup(y)).collect();
    Graph::new(r, outputs)
}

/// Whether reading this array's elements would make a recorded program depend on values it has not got yet.
pub fn is_recorded(x: &Array) -> bool {
    is_open() && CURRENT.with_borrow(|r| r.as_ref().is_some_and(|r| x.slot.recording == r.id))
}

/// Called by the gate.
pub(crate) fn append(op: &dyn Op, ins: &[&Array], outs: &mut Outs) -> Result<()> {
    CURRENT.with_borrow_mut(|r| {
        let Some(r) = r else { return };
        let ins = ins.iter().map(|x| r.lookup(x)).collect();
        let values: Values = outs.iter().map(|y| r.value(y.owned_meta())).collect();
        for (y, &v) in outs.iter_mut().zip(&values) {
            y.slot = Slot { recording: r.id, value: v };
        }
        r.nodes.push(GraphNode { op: op.handle(), ins, outs: values });
    });
    Ok(())
}

enum Step {
    One(usize),
    /// Elementwise nodes of one shape, run tile by tile.
    Fused {
        program: Program,
        ins: Values,
        outs: Values,
        shape: Shape,
    },
}

/// A recorded program: plain data, replayed without Python.
pub struct Graph {
    metas: Vec<Meta>,
    inputs: Vec<u32>,
    constants: Vec<(u32, Array)>,
    nodes: Vec<GraphNode>,
    outputs: Vec<u32>,
    /// Nodes that the outputs depend on, in order.
    live: Vec<usize>,
    steps: Vec<Step>,
    /// Per step the values that nobody reads afterwards.
    last_reads: Vec<Values>,
}

impl Graph {
    fn new(r: Recorder, outputs: Vec<u32>) -> Result<Graph> {
        let mut needed = vec![false; r.metas.len()];
        for &v in &outputs {
            needed[v as usize] = true;
        }
        let mut live: Vec<usize> = Vec::new();
        for (i, node) in r.nodes.iter().enumerate().rev() {
            if node.outs.iter().any(|&v| needed[v as usize]) {
                live.push(i);
                node.ins.iter().for_each(|&v| needed[v as usize] = true);
            }
        }
        live.reverse();
        let mut graph = Graph {
            metas: r.metas,
            inputs: r.inputs,
            constants: r.constants,
            nodes: r.nodes,
            outputs,
            live,
            steps: vec![],
            last_reads: vec![],
        };
        graph.plan()?;
        Ok(graph)
    }

    pub fn nodes(&self) -> impl Iterator<Item = &GraphNode> {
        self.live.iter().map(|&i| &self.nodes[i])
    }

    pub fn meta(&self, value: u32) -> &Meta {
        &self.metas[value as usize]
    }

    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// Steps that a replay takes; fused elementwise nodes count as one.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Cuts the live nodes into runs of elementwise nodes of one shape, and notes when values die.
    fn plan(&mut self) -> Result<()> {
        let mut last_use: HashMap<u32, usize> = HashMap::new();
        for (at, &i) in self.live.iter().enumerate() {
            for &v in &self.nodes[i].ins {
                last_use.insert(v, at);
            }
        }
        let mut at = 0;
        while at < self.live.len() {
            let shape = &self.metas[self.nodes[self.live[at]].outs[0] as usize].shape;
            let mut made: Vec<u32> = Vec::new();
            for &i in &self.live[at..] {
                let node = &self.nodes[i];
                if !self.joins(node, shape, &made)? {
                    break;
                }
                made.push(node.outs[0]);
            }
            let run = made.len();
            let end = at + run.max(1);
            let step = if run > 1 { self.fuse(at..end, shape.clone(), &last_use)? } else { Step::One(self.live[at]) };
            let mut dead = Values::new();
            for &i in &self.live[at..end] {
                for &v in &self.nodes[i].ins {
                    if last_use[&v] < end && !self.outputs.contains(&v) && !dead.contains(&v) {
                        dead.push(v);
                    }
                }
            }
            self.steps.push(step);
            self.last_reads.push(dead);
            at = end;
        }
        Ok(())
    }

    /// Whether a node can be computed tile by tile with the ones that made `made`.
    fn joins(&self, node: &GraphNode, shape: &Shape, made: &[u32]) -> Result<bool> {
        let Some(row) = node.op.elementwise() else { return Ok(false) };
        let dtype = |v: &u32| self.meta(*v).dtype;
        let kernel = row.kernel(node.ins.iter().map(dtype))?;
        // An input is converted as it is loaded; a value inside the run is read as it is.
        let as_is = node.ins.iter().zip(kernel.ins()).all(|(v, &d)| dtype(v) == d || !made.contains(v));
        Ok(as_is && self.meta(node.outs[0]).shape == *shape)
    }

    fn fuse(&self, run: std::ops::Range<usize>, shape: Shape, last_use: &HashMap<u32, usize>) -> Result<Step> {
        let members: Vec<&GraphNode> = self.live[run.clone()].iter().map(|&i| &self.nodes[i]).collect();
        let kernels: Vec<&'static Kernel> = members
            .iter()
            .map(|n| {
                let row = n.op.elementwise().expect("members are elementwise");
                row.kernel(n.ins.iter().map(|&v| self.meta(v).dtype))
            })
            .collect::<Result<_>>()?;
        let made: Vec<u32> = members.iter().map(|n| n.outs[0]).collect();
        // A value from outside is one input per dtype it is read in.
        let mut reads: Vec<(u32, DType)> = Vec::new();
        for (node, kernel) in members.iter().zip(&kernels) {
            for (&v, &d) in node.ins.iter().zip(kernel.ins()) {
                if !made.contains(&v) && !reads.contains(&(v, d)) {
                    reads.push((v, d));
                }
            }
        }
        let register = |v: u32, d: DType| -> u16 {
            let at = made.iter().position(|&m| m == v).map(|k| reads.len() + k);
            at.or_else(|| reads.iter().position(|&r| r == (v, d))).expect("every value has a register") as u16
        };
        let args: Vec<SmallVec<[u16; 3]>> = members
            .iter()
            .zip(&kernels)
            .map(|(n, k)| n.ins.iter().zip(k.ins()).map(|(&v, &d)| register(v, d)).collect())
            .collect();
        let steps: Vec<(&Kernel, &[u16])> = kernels.iter().copied().zip(args.iter().map(|a| &a[..])).collect();
        let outs: Values = made
            .iter()
            .copied()
            .filter(|v| self.outputs.contains(v) || last_use.get(v).is_some_and(|&l| l >= run.end))
            .collect();
        let stored: Vec<u16> = outs.iter().map(|&v| register(v, self.meta(v).dtype)).collect();
        let dtypes: Vec<DType> = reads.iter().map(|&(_, d)| d).collect();
        let program = Program::new(&dtypes, &steps, &stored);
        Ok(Step::Fused { program, ins: reads.into_iter().map(|(v, _)| v).collect(), outs, shape })
    }

    /// Computes the outputs for new inputs of the recorded dtypes and shapes.
    pub fn replay(&self, inputs: &[Array]) -> Result<Vec<Array>> {
        ensure!(
            inputs.len() == self.inputs.len(),
            Value,
            "replay: the recording has {} inputs, got {}",
            self.inputs.len(),
            inputs.len()
        );
        let mut values: Vec<Option<Array>> = vec![None; self.metas.len()];
        for (k, (x, &v)) in inputs.iter().zip(&self.inputs).enumerate() {
            let meta = self.meta(v);
            ensure!(
                x.dtype() == meta.dtype && x.shape() == &meta.shape[..],
                Value,
                "replay: input {k} was recorded as {} of shape {}, got {} of shape {}",
                meta.dtype.name(),
                Tuple(&meta.shape),
                x.dtype().name(),
                Tuple(x.shape())
            );
            values[v as usize] = Some(x.clone());
        }
        for (v, x) in &self.constants {
            values[*v as usize] = Some(x.clone());
        }
        let watched = inputs.iter().any(|x| x.scopes & grad::open_scopes() != 0);
        if watched || is_open() {
            for &i in &self.live {
                self.run_node(i, &mut values)?;
            }
        } else {
            for (step, dead) in self.steps.iter().zip(&self.last_reads) {
                match step {
                    Step::One(i) => self.run_node(*i, &mut values)?,
                    Step::Fused { program, ins, outs, shape } => {
                        self.run_fused(program, ins, outs, shape, &mut values)?
                    }
                }
                for &v in dead {
                    values[v as usize] = None;
                }
            }
        }
        Ok(self.outputs.iter().map(|&v| values[v as usize].clone().expect("outputs were computed")).collect())
    }

    fn run_node(&self, i: usize, values: &mut [Option<Array>]) -> Result<()> {
        let node = &self.nodes[i];
        let outs = {
            let ins: SmallVec<[&Array; 3]> = node.ins.iter().map(|v| read(values, *v)).collect();
            apply(&*node.op, &ins)?
        };
        for (&v, y) in node.outs.iter().zip(outs) {
            values[v as usize] = Some(y);
        }
        Ok(())
    }

    fn run_fused(
        &self,
        program: &Program,
        ins: &[u32],
        outs: &[u32],
        shape: &Shape,
        values: &mut [Option<Array>],
    ) -> Result<()> {
        let mut ys: SmallVec<[Array; 2]> =
            outs.iter().map(|&v| Array::empty("replay", self.metas[v as usize].dtype, shape)).collect::<Result<_>>()?;
        {
            let strides: SmallVec<[Strides; 4]> = ins.iter().map(|v| read(values, *v).strides_for(shape)).collect();
            let views: SmallVec<[_; 4]> =
                ins.iter().zip(&strides).map(|(v, s)| read(values, *v).view_as(shape, s)).collect();
            let mut dst: SmallVec<[_; 2]> = ys.iter_mut().map(|y| y.view_mut()).collect();
            sciarray_kernels::map::run(program, &views, &mut dst);
        }
        for (&v, y) in outs.iter().zip(ys) {
            values[v as usize] = Some(y);
        }
        Ok(())
    }
}

fn read(values: &[Option<Array>], v: u32) -> &Array {
    values[v as usize].as_ref().expect("values come before their reads")
}

impl std::fmt::Display for Graph {
    /// One line per node: `%4: float64(3,) = exp(%0)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |vs: &[u32]| vs.iter().map(|v| format!("%{v}")).collect::<Vec<_>>().join(", ");
        writeln!(f, "inputs {}", list(&self.inputs))?;
        for node in self.nodes() {
            let types: Vec<_> = node
                .outs
                .iter()
                .map(|&v| format!("{}{}", self.meta(v).dtype.name(), Tuple(&self.meta(v).shape)))
                .collect();
            let attrs: String = node.op.attrs().iter().map(|(k, v)| format!(", {k}={v:?}")).collect();
            writeln!(f, "{}: {} = {}({}{attrs})", list(&node.outs), types.join(", "), node.op.name(), list(&node.ins))?;
        }
        write!(f, "outputs {}", list(&self.outputs))
    }
}
