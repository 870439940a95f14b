//! The program of a function: recordings that share what they have in common.

use super::plan::{Passes, Plan};
use super::{Guard, Node, Read, Recording, Source, Value, Values};
use crate::array::Array;
use crate::device::Device;
use crate::error::Result;
use crate::fail;
use crate::op::Meta;
use std::sync::Arc;

/// Nodes without a guard between them.
#[derive(Clone, Debug)]
pub struct Segment {
    pub nodes: Vec<u32>,
    pub end: End,
    pub parent: Option<u32>,
}

#[derive(Clone, Debug)]
pub enum End {
    /// What was read decides which segment follows.
    Guard { value: u32, read: Read, source: Source, ways: Vec<(i64, u32)> },
    /// The outputs of the `exit`-th recording.
    Done { outputs: Vec<u32>, exit: usize },
    /// Still being written.
    Open,
}

/// A recorded program: plain data, replayed without Python.
#[derive(Clone)]
pub struct Graph {
    pub(super) values: Vec<Value>,
    pub(super) inputs: Vec<u32>,
    pub(super) nodes: Vec<Node>,
    pub(super) segments: Vec<Segment>,
    pub(super) n_exits: usize,
    pub(super) plan: Arc<Plan>,
}

impl Graph {
    pub fn new(rec: Recording, passes: Passes) -> Result<Graph> {
        let n_nodes = rec.nodes.len();
        let mut segments = Vec::new();
        let mut start = 0;
        let mut close = |segments: &mut Vec<Segment>, end: usize, how: End| {
            let parent = (segments.len() as u32).checked_sub(1);
            segments.push(Segment { nodes: (start as u32..end as u32).collect(), end: how, parent });
            start = end;
        };
        for Guard { at, value, read, seen, source } in rec.guards {
            let next = segments.len() as u32 + 1;
            close(&mut segments, at, End::Guard { value, read, source, ways: vec![(seen, next)] });
        }
        close(&mut segments, n_nodes, End::Done { outputs: rec.outputs, exit: 0 });
        let plan = Arc::new(Plan::new(passes));
        let mut graph = Graph { values: rec.values, inputs: rec.inputs, nodes: rec.nodes, segments, n_exits: 1, plan };
        graph.replan()?;
        Ok(graph)
    }

    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }
    /// Those that some output depends on.
    pub fn live_nodes(&self) -> impl Iterator<Item = &Node> {
        self.plan.live.iter().flatten().map(|&i| &self.nodes[i as usize])
    }
    /// Per node, whether some output depends on it.
    pub fn live_flags(&self) -> Vec<bool> {
        let mut live = vec![false; self.nodes.len()];
        self.plan.live.iter().flatten().for_each(|&i| live[i as usize] = true);
        live
    }
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }
    pub fn meta(&self, value: u32) -> &Meta {
        &self.values[value as usize].meta
    }
    /// Where a value was when it was recorded; the CPU where the program was read from a file.
    pub fn device(&self, value: u32) -> Device {
        self.values[value as usize].device
    }
    pub fn constant(&self, value: u32) -> Option<&Array> {
        self.values[value as usize].constant.as_ref()
    }
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }
    pub fn n_values(&self) -> usize {
        self.values.len()
    }
    /// Ways through the program.
    pub fn n_exits(&self) -> usize {
        self.n_exits
    }
    pub fn passes(&self) -> Passes {
        self.plan.passes
    }

    /// The same program with other passes.
    pub fn with_passes(&self, passes: Passes) -> Result<Graph> {
        let mut graph = self.clone();
        graph.plan = Arc::new(Plan::new(passes));
        graph.replan()?;
        Ok(graph)
    }

    pub(super) fn replan(&mut self) -> Result<()> {
        self.plan = Arc::new(self.make_plan()?);
        Ok(())
    }

    /// Adds another way of the same function. `inputs` gives the number here of each of the recording's inputs; new ones follow
    /// on those that are there. Returns the exit.
    pub fn add(&mut self, rec: Recording, inputs: &[usize]) -> Result<usize> {
        let mut map = Map { to: vec![None; rec.values.len()], values: rec.values };
        for (&v, &number) in rec.inputs.iter().zip(inputs) {
            if number == self.inputs.len() {
                let new = self.push(map.values[v as usize].clone());
                self.inputs.push(new);
            }
            map.to[v as usize] = Some(self.inputs[number]);
        }
        let mut at = Place::Known { segment: 0, node: 0 };
        let mut guards = rec.guards.into_iter().peekable();
        for (i, node) in rec.nodes.into_iter().enumerate() {
            while let Some(guard) = guards.next_if(|g| g.at == i) {
                at = self.pass_guard(at, guard, &mut map)?;
            }
            at = self.pass_node(at, node, &mut map)?;
        }
        for guard in guards {
            at = self.pass_guard(at, guard, &mut map)?;
        }
        match at {
            Place::New(segment) => {
                let outputs = rec.outputs.iter().map(|&v| self.mapped(v, &mut map)).collect();
                self.segments[segment as usize].end = End::Done { outputs, exit: self.n_exits };
                self.n_exits += 1;
                self.replan()?;
                Ok(self.n_exits - 1)
            }
            Place::Known { segment, .. } => match &self.segments[segment as usize].end {
                End::Done { exit, .. } => Ok(*exit),
                _ => fail!(
                    Runtime,
                    "record: the function stopped where it went on before, though nothing it read differs"
                ),
            },
        }
    }

    fn push(&mut self, value: Value) -> u32 {
        self.values.push(value);
        self.values.len() as u32 - 1
    }

    fn open(&mut self, parent: Option<u32>) -> u32 {
        self.segments.push(Segment { nodes: vec![], end: End::Open, parent });
        self.segments.len() as u32 - 1
    }

    fn mapped(&mut self, v: u32, map: &mut Map) -> u32 {
        if let Some(to) = map.to[v as usize] {
            return to;
        }
        let new = self.push(map.values[v as usize].clone());
        map.to[v as usize] = Some(new);
        new
    }

    /// Whether a value of the recording is this one of the program; constants are met for the first time here.
    fn agrees(&self, v: u32, here: u32, map: &mut Map) -> bool {
        match map.to[v as usize] {
            Some(to) => to == here,
            None => {
                let (a, b) = (&map.values[v as usize], &self.values[here as usize]);
                let same = match (&a.constant, &b.constant) {
                    (Some(a), Some(b)) => same_elements(a, b),
                    _ => false,
                };
                if same {
                    map.to[v as usize] = Some(here);
                }
                same
            }
        }
    }

    fn pass_node(&mut self, at: Place, node: Node, map: &mut Map) -> Result<Place> {
        match at {
            Place::New(segment) => {
                let ins: Values = node.ins.iter().map(|&v| self.mapped(v, map)).collect();
                let outs: Values = node.outs.iter().map(|&v| self.mapped(v, map)).collect();
                self.nodes.push(Node { ins, outs, ..node });
                let n = self.nodes.len() as u32 - 1;
                self.segments[segment as usize].nodes.push(n);
                Ok(at)
            }
            Place::Known { segment, node: k } => {
                let found = self.segments[segment as usize].nodes.get(k).map(|&n| &self.nodes[n as usize]);
                let same = found.is_some_and(|n| {
                    format!("{:?}", n.op) == format!("{:?}", node.op)
                        && n.ins.len() == node.ins.len()
                        && node.ins.iter().zip(&n.ins).all(|(&v, &here)| self.agrees(v, here, map))
                });
                let Some(found) = found.filter(|_| same) else {
                    fail!(
                        Runtime,
                        "record: at {} the function did something else than in an earlier recording, though nothing it \
                         read of its arrays differs; what Python decides otherwise must be a static argument",
                        node.source
                    )
                };
                for (&v, &here) in node.outs.iter().zip(&found.outs) {
                    map.to[v as usize] = Some(here);
                }
                Ok(Place::Known { segment, node: k + 1 })
            }
        }
    }

    fn pass_guard(&mut self, at: Place, guard: Guard, map: &mut Map) -> Result<Place> {
        match at {
            Place::New(segment) => {
                let value = self.mapped(guard.value, map);
                let next = self.open(Some(segment));
                self.segments[segment as usize].end =
                    End::Guard { value, read: guard.read, source: guard.source, ways: vec![(guard.seen, next)] };
                Ok(Place::New(next))
            }
            Place::Known { segment, node } => {
                let here = &self.segments[segment as usize];
                let ways = match &here.end {
                    End::Guard { value, read, ways, .. }
                        if node == here.nodes.len()
                            && map.to[guard.value as usize] == Some(*value)
                            && *read == guard.read =>
                    {
                        ways
                    }
                    _ => fail!(
                        Runtime,
                        "record: at {} the function read a value that it did not read in an earlier recording",
                        guard.source
                    ),
                };
                if let Some(&(_, next)) = ways.iter().find(|w| w.0 == guard.seen) {
                    return Ok(Place::Known { segment: next, node: 0 });
                }
                let next = self.open(Some(segment));
                if let End::Guard { ways, .. } = &mut self.segments[segment as usize].end {
                    ways.push((guard.seen, next));
                }
                Ok(Place::New(next))
            }
        }
    }
}

/// Values of a recording in the program it is added to.
struct Map {
    to: Vec<Option<u32>>,
    values: Vec<Value>,
}

#[derive(Clone, Copy)]
enum Place {
    /// Following what is there.
    Known {
        segment: u32,
        node: usize,
    },
    New(u32),
}

/// Equal in dtype, shape and every bit.
fn same_elements(a: &Array, b: &Array) -> bool {
    if a.dtype() != b.dtype() || a.shape() != b.shape() || a.device() != b.device() {
        return false;
    }
    (a.ptr() == b.ptr() && a.strides() == b.strides()) || a.same_bits(b)
}
