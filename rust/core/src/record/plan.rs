//! From a recorded program to the steps of a replay: what nobody needs goes, what is computed twice is computed once, and
//! elementwise nodes of one shape run tile by tile. Every pass leaves each remaining value as it was, bit for bit.

use super::capture::Captures;
use super::graph::{End, Graph};
use super::{Node, Values};
use crate::device::Device;
use crate::dtype::DType;
use crate::ensure;
use crate::error::Result;
use crate::op::{Metas, OpRef, Rule};
use crate::shape::Shape;
use sciarray_kernels::map::{Kernel, Program};
use sciarray_kernels::reduce::Reduce as Fold;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT_PROGRAM: AtomicU64 = AtomicU64::new(1);

/// Which passes run. Folding replaces results of constants by constants, `cse` shares equal nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    pub fold: bool,
    pub cse: bool,
    pub fuse: bool,
    /// Results are written to inputs that nobody reads any more.
    pub reuse: bool,
    /// Long nodes that do not read each other run at one time.
    pub parallel: bool,
    /// Work for a device is sent as CUDA graphs.
    pub capture: bool,
}

impl Passes {
    pub const ALL: Passes = Passes { fold: true, cse: true, fuse: true, reuse: true, parallel: true, capture: true };
    pub const NONE: Passes =
        Passes { fold: false, cse: false, fuse: false, reuse: false, parallel: false, capture: false };
}

pub(super) struct Step {
    pub work: Work,
    /// Values that nobody reads afterwards.
    pub dead: Values,
    /// How many steps, from this one on, run on a thread each: long ones of one node that do not read each other. 1 elsewhere.
    pub together: usize,
}

// A box would be one more place in memory for each fused step of a replay.
#[allow(clippy::large_enum_variant)]
pub(super) enum Work {
    Node {
        node: u32,
        ins: Values,
        metas: Metas,
    },
    /// Elementwise nodes of one shape, run tile by tile.
    Fused {
        nodes: Vec<u32>,
        program: Program,
        ins: Values,
        /// What the program stores, and at last the result of the tail.
        outs: Values,
        shape: Shape,
        /// Nodes have several shapes, and the program runs over the one axis of their elements in C order.
        flat: bool,
        tail: Option<Tail>,
        /// Of no other program of this process.
        id: u64,
    },
}

/// A reduction of a value of the program, its first output, as it is computed.
pub(super) struct Tail {
    pub node: u32,
    pub kind: Fold,
    /// Over the first axes instead of the last ones.
    pub by_rows: bool,
    pub of: u32,
    pub metas: Metas,
}

/// A step to be: a node, or elementwise ones that run together.
#[derive(Clone)]
struct Planned {
    group: Vec<u32>,
    tail: Option<u32>,
    /// Values that are results of the group in another shape.
    same: Vec<(u32, u32)>,
    flat: bool,
    together: usize,
}

impl Planned {
    fn one(node: u32) -> Planned {
        Planned { group: vec![node], tail: None, same: Vec::new(), flat: false, together: 1 }
    }
}

impl Step {
    pub fn nodes(&self) -> &[u32] {
        match &self.work {
            Work::Node { node, .. } => std::slice::from_ref(node),
            Work::Fused { nodes, .. } => nodes,
        }
    }
    pub fn ins(&self) -> &[u32] {
        match &self.work {
            Work::Node { ins, .. } | Work::Fused { ins, .. } => ins,
        }
    }
    pub fn outs<'a>(&'a self, graph: &'a Graph) -> &'a [u32] {
        match &self.work {
            Work::Node { node, .. } => &graph.nodes[*node as usize].outs,
            Work::Fused { outs, .. } => outs,
        }
    }
}

/// What a replay of each segment does.
pub(super) struct Plan {
    pub passes: Passes,
    /// The value that stands for each value.
    pub stands: Vec<u32>,
    /// Per segment.
    pub steps: Vec<Vec<Step>>,
    /// Per segment, the device that it is at work on.
    pub devices: Vec<Option<Device>>,
    pub captures: Captures,
    /// Nodes that some output depends on, per segment; for replays that something watches.
    pub live: Vec<Vec<u32>>,
    /// Per input, whether a derivative by the tape, or by a scope of `grad`, can reach it from an output.
    pub reached: Vec<(bool, bool)>,
}

/// Ops whose result is their input in another shape, mostly without a copy.
const VIEWS: [&str; 4] = ["reshape", "permute_dims", "broadcast_to", "slice"];

/// Programs of more steps gain nothing, and are put together in quadratic time.
const MAX_FUSED: usize = 96;
/// Fewer elements are reduced in less time on their own.
const MIN_TAIL: usize = 2048;
/// How far ahead a node may be to join a program.
const WINDOW: usize = 256;

#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)])
    }
    fn get(&self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }
    fn set(&mut self, i: u32) {
        self.0[i as usize / 64] |= 1 << (i % 64);
    }
    fn clear(&mut self, i: u32) {
        self.0[i as usize / 64] &= !(1 << (i % 64));
    }
    fn join(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
}

/// Bytes that replays need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    pub inputs: usize,
    pub constants: usize,
    /// The most that results of steps occupy at one time.
    pub peak: usize,
    /// The block in which all of them but the outputs, which own their memory, have a place.
    pub arena: usize,
}

/// The places of values in memory at one time.
#[derive(Clone, Default)]
struct Occupied {
    /// Offset if it lies in the block, bytes, and the values that lie there.
    blocks: Vec<(Option<usize>, usize, Values)>,
}

impl Occupied {
    fn place(&mut self, v: u32, bytes: usize, outside: bool) {
        let mut taken: Vec<(usize, usize)> =
            self.blocks.iter().filter_map(|b| Some((b.0?, b.1.next_multiple_of(64)))).collect();
        taken.sort_unstable();
        let mut at = 0;
        for (start, size) in taken {
            if at + bytes <= start {
                break;
            }
            at = at.max(start + size);
        }
        self.blocks.push(((!outside).then_some(at), bytes, std::iter::once(v).collect()));
    }
    fn of(&mut self, v: u32) -> Option<&mut Values> {
        self.blocks.iter_mut().map(|b| &mut b.2).find(|held| held.contains(&v))
    }
    fn is_alone(&self, v: u32) -> bool {
        self.blocks.iter().any(|b| b.0.is_some() && b.2[..] == [v])
    }
    /// `v` is a view on `base`, which may be an input.
    fn share(&mut self, v: u32, base: u32) {
        if let Some(held) = self.of(base) {
            held.push(v);
        }
    }
    fn rename(&mut self, old: u32, new: u32) {
        if let Some(held) = self.of(old) {
            held[0] = new;
        }
    }
    fn drop(&mut self, v: u32) {
        if let Some(held) = self.of(v) {
            held.retain(|u| *u != v);
        }
        self.blocks.retain(|b| !b.2.is_empty());
    }
    fn total(&self) -> usize {
        self.blocks.iter().map(|b| b.1).sum()
    }
    fn end(&self) -> usize {
        self.blocks.iter().filter_map(|b| Some(b.0? + b.1)).max().unwrap_or(0)
    }
}

/// Hashes what is written to it.
struct TextHasher(DefaultHasher);

impl Write for TextHasher {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        s.hash(&mut self.0);
        Ok(())
    }
}

impl Plan {
    pub fn new(passes: Passes) -> Plan {
        Plan {
            passes,
            stands: vec![],
            steps: vec![],
            devices: vec![],
            captures: Captures::default(),
            live: vec![],
            reached: vec![],
        }
    }
}

impl Graph {
    pub(super) fn make_plan(&self) -> Result<Plan> {
        let passes = self.plan.passes;
        let stands = self.representatives(passes);
        let raw: Vec<u32> = (0..self.values.len() as u32).collect();
        let (live, _) = self.liveness(&raw, false);
        let (kept, ends) = self.liveness(&stands, passes.fold);
        let steps = kept
            .iter()
            .zip(&ends)
            .map(|(nodes, end)| self.schedule(nodes, end, &stands, passes))
            .collect::<Result<Vec<Vec<Step>>>>()?;
        let devices = steps.iter().map(|steps| self.device_of(steps)).collect();
        Ok(Plan { passes, stands, steps, devices, captures: Captures::default(), live, reached: self.reached() })
    }

    /// The one device whose arrays the steps read or make.
    fn device_of(&self, steps: &[Step]) -> Option<Device> {
        let values = steps.iter().flat_map(|s| s.ins().iter().chain(s.outs(self)));
        let mut devices = values.map(|&v| self.values[v as usize].device).filter(|d| !d.is_cpu());
        let first = devices.next()?;
        devices.all(|d| d == first).then_some(first)
    }

    /// Whether all results of a node are constants.
    fn is_folded(&self, node: &Node) -> bool {
        node.outs.iter().all(|&v| self.constant(v).is_some())
    }

    /// For each value the first one that is known to be equal to it.
    fn representatives(&self, passes: Passes) -> Vec<u32> {
        let mut stands: Vec<u32> = (0..self.values.len() as u32).collect();
        if !passes.cse {
            return stands;
        }
        let mut scalars: HashMap<(DType, usize, [u64; 2]), u32> = HashMap::new();
        for (v, value) in self.values.iter().enumerate() {
            if let Some(c) = value.constant.as_ref().filter(|c| c.size() == 1 && value.known && c.device().is_cpu()) {
                stands[v] = *scalars.entry((c.dtype(), c.ndim(), c.get(0).bits())).or_insert(v as u32);
            }
        }
        // By hash; equal hashes are compared.
        let mut found: HashMap<u64, (usize, u32)> = HashMap::new();
        for (s, segment) in self.segments.iter().enumerate() {
            for &n in &segment.nodes {
                let node = &self.nodes[n as usize];
                if let Some(i) = node.op.value_of() {
                    stands[node.outs[0] as usize] = stands[node.ins[i] as usize];
                    continue;
                }
                if !node.op.is_pure() || self.is_folded(node) {
                    continue;
                }
                let mut hasher = TextHasher(DefaultHasher::new());
                match &node.op {
                    OpRef::Row(row) => row.0.name.hash(&mut hasher.0),
                    op => _ = write!(hasher, "{op:?}"),
                }
                node.ins.iter().for_each(|&v| stands[v as usize].hash(&mut hasher.0));
                let key = hasher.0.finish();
                match found.get(&key) {
                    Some(&(at, first)) if self.comes_before(at, s) && self.is_same(first, n, &stands) => {
                        let first = &self.nodes[first as usize];
                        for (&v, &w) in node.outs.iter().zip(&first.outs) {
                            stands[v as usize] = stands[w as usize];
                        }
                    }
                    _ => _ = found.insert(key, (s, n)),
                }
            }
        }
        stands
    }

    /// Whether two nodes compute the same.
    fn is_same(&self, a: u32, b: u32, stands: &[u32]) -> bool {
        let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        let ins = |n: &Node| -> Values { n.ins.iter().map(|&v| stands[v as usize]).collect() };
        ins(a) == ins(b) && format!("{:?}", a.op) == format!("{:?}", b.op)
    }

    /// Whether every way to segment `s` leads through segment `at`.
    fn comes_before(&self, at: usize, mut s: usize) -> bool {
        while s > at {
            match self.segments[s].parent {
                Some(p) => s = p as usize,
                None => return false,
            }
        }
        s == at
    }

    /// Per segment the nodes that are needed, and the values that are needed after it.
    fn liveness(&self, stands: &[u32], fold: bool) -> (Vec<Vec<u32>>, Vec<Bits>) {
        let n = self.values.len();
        let mut starts: Vec<Bits> = vec![Bits(vec![]); self.segments.len()];
        let mut ends = starts.clone();
        let mut live: Vec<Vec<u32>> = vec![vec![]; self.segments.len()];
        // What follows a segment has a higher number.
        for (s, segment) in self.segments.iter().enumerate().rev() {
            let mut needed = Bits::new(n);
            match &segment.end {
                End::Guard { value, ways, .. } => {
                    ways.iter().for_each(|&(_, next)| needed.join(&starts[next as usize]));
                    needed.set(stands[*value as usize]);
                }
                End::Done { outputs, .. } => outputs.iter().for_each(|&v| needed.set(stands[v as usize])),
                End::Open => {}
            }
            ends[s] = needed.clone();
            for &i in segment.nodes.iter().rev() {
                let node = &self.nodes[i as usize];
                let own = |&v: &u32| stands[v as usize] == v;
                if !node.outs.iter().any(|v| own(v) && needed.get(*v)) || (fold && self.is_folded(node)) {
                    continue;
                }
                live[s].push(i);
                node.outs.iter().for_each(|&v| needed.clear(v));
                node.ins.iter().for_each(|&v| needed.set(stands[v as usize]));
            }
            live[s].reverse();
            starts[s] = needed;
        }
        (live, ends)
    }

    fn reached(&self) -> Vec<(bool, bool)> {
        let mut reach = vec![(false, false); self.values.len()];
        for segment in &self.segments {
            if let End::Done { outputs, .. } = &segment.end {
                outputs.iter().for_each(|&v| reach[v as usize] = (true, true));
            }
        }
        for node in self.nodes.iter().rev() {
            if node.op.rule() == Rule::Constant {
                continue;
            }
            for &v in &node.outs {
                let (tape, scopes) = reach[v as usize];
                for &i in &node.ins {
                    let r = &mut reach[i as usize];
                    *r = (r.0 || (tape && node.watched.tape), r.1 || (scopes && node.watched.scopes));
                }
            }
        }
        self.inputs.iter().map(|&v| reach[v as usize]).collect()
    }

    /// The kernel of an elementwise node that can run tile by tile.
    fn kernel_of(&self, node: &Node) -> Option<&'static Kernel> {
        let row = node.op.elementwise()?;
        row.kernel(node.ins.iter().map(|&v| self.meta(v).dtype)).ok()
    }

    /// Puts the nodes of a segment in order: each step takes along what can be fused with it.
    fn schedule(&self, nodes: &[u32], end: &Bits, stands: &[u32], passes: Passes) -> Result<Vec<Step>> {
        let mut pending = Bits::new(self.values.len());
        for &i in nodes {
            self.nodes[i as usize].outs.iter().for_each(|&v| pending.set(v));
        }
        let mut taken = vec![false; nodes.len()];
        let mut order: Vec<Planned> = Vec::new();
        // Reshapes of what programs compute, which are left out where only these programs read them.
        let mut inner = vec![false; self.nodes.len()];
        for first in 0..nodes.len() {
            if std::mem::replace(&mut taken[first], true) {
                continue;
            }
            let node = &self.nodes[nodes[first] as usize];
            let mut planned = Planned::one(nodes[first]);
            let window = || nodes.iter().enumerate().skip(first + 1).take(WINDOW);
            let mut late: Vec<u32> = Vec::new();
            if passes.fuse && self.kernel_of(node).is_some() {
                // Views come first where they can, so that what reads them can join.
                for (k, &i) in window() {
                    let next = &self.nodes[i as usize];
                    let ready = |v: &u32| !pending.get(stands[*v as usize]);
                    if !taken[k] && VIEWS.contains(&next.op.name()) && next.ins.iter().all(ready) {
                        taken[k] = true;
                        pending.clear(next.outs[0]);
                        order.push(Planned::one(i));
                    }
                }
            }
            node.outs.iter().for_each(|&v| pending.clear(v));
            if passes.fuse && self.kernel_of(node).is_some() {
                let Planned { group, tail, same, flat, .. } = &mut planned;
                let shape = &self.meta(node.outs[0]).shape;
                let mut made = vec![node.outs[0]];
                for (k, &i) in window() {
                    if made.len() == MAX_FUSED {
                        break;
                    }
                    let next = &self.nodes[i as usize];
                    if taken[k] {
                        continue;
                    }
                    if tail.is_none() && self.is_tail(next, &made, stands) {
                        // Its result is there after the step: no member can read it.
                        taken[k] = true;
                        *tail = Some(i);
                        continue;
                    }
                    let inside = |v: u32, same: &[(u32, u32)]| made.contains(&v) || same.iter().any(|s| s.0 == v);
                    let source = stands[next.ins.first().copied().unwrap_or(next.outs[0]) as usize];
                    if next.op.name() == "reshape" && inside(source, &same[..]) {
                        taken[k] = true;
                        pending.clear(next.outs[0]);
                        let of = same.iter().find(|s| s.0 == source).map_or(source, |s| s.1);
                        same.push((next.outs[0], of));
                        inner[i as usize] = true;
                        late.push(i);
                        continue;
                    }
                    let device = |v: u32| self.values[v as usize].device;
                    if device(next.outs[0]) != device(node.outs[0]) {
                        continue;
                    }
                    let alike = self.meta(next.outs[0]).shape == *shape;
                    if self.size(next.outs[0]) != self.size(node.outs[0]) {
                        continue;
                    }
                    let Some(kernel) = self.kernel_of(next) else { continue };
                    let fits = next.ins.iter().zip(kernel.ins()).all(|(&v, &d)| {
                        let v = stands[v as usize];
                        // An input is converted as it is loaded; a value inside the program is read as it is.
                        !pending.get(v) && (self.meta(v).dtype == d || !inside(v, &same[..]))
                    });
                    // In several shapes a program runs over one axis, along which nothing is repeated but single elements.
                    let reads_inside = || next.ins.iter().any(|&v| inside(stands[v as usize], &same[..]));
                    let joins = if alike {
                        !*flat || self.is_plain(next)
                    } else {
                        reads_inside()
                            && self.is_plain(next)
                            && (*flat || group.iter().all(|&i| self.is_plain(&self.nodes[i as usize])))
                    };
                    if fits && joins {
                        *flat |= !alike;
                        taken[k] = true;
                        pending.clear(next.outs[0]);
                        made.push(next.outs[0]);
                        group.push(i);
                    }
                }
            }
            if let Some(i) = planned.tail {
                pending.clear(self.nodes[i as usize].outs[0]);
            }
            order.push(planned);
            order.extend(late.into_iter().map(Planned::one));
        }
        if passes.parallel {
            self.gather_long(&mut order, stands);
        }
        // Backwards: a value is dead after the last step that reads it.
        let mut used = end.clone();
        let mut steps: Vec<Step> = Vec::with_capacity(order.len());
        for planned in order.iter().rev() {
            if let [one] = planned.group[..]
                && inner[one as usize]
                && !used.get(self.nodes[one as usize].outs[0])
            {
                continue;
            }
            let work = match &planned.group[..] {
                [one] if planned.tail.is_none() => {
                    let node = &self.nodes[*one as usize];
                    let metas = node.outs.iter().map(|&v| self.meta(v).clone()).collect();
                    Work::Node { node: *one, ins: node.ins.iter().map(|&v| stands[v as usize]).collect(), metas }
                }
                _ => self.fuse(planned, &used, stands),
            };
            let mut dead = Values::new();
            let mut note = |v: u32| {
                if !used.get(v) && self.constant(v).is_none() && !dead.contains(&v) {
                    dead.push(v);
                }
            };
            let mut step = Step { work, dead: Values::new(), together: planned.together };
            step.ins().iter().chain(step.outs(self)).for_each(|&v| note(v));
            step.ins().iter().for_each(|&v| used.set(v));
            step.dead = dead;
            steps.push(step);
        }
        steps.reverse();
        Ok(steps)
    }

    fn size(&self, v: u32) -> usize {
        self.meta(v).shape.iter().product()
    }

    /// Whether every input of an elementwise node has as many elements as its result, or one.
    fn is_plain(&self, node: &Node) -> bool {
        node.ins.iter().all(|&v| [1, self.size(node.outs[0])].contains(&self.size(v)))
    }

    /// Whether a node keeps one thread busy for so long that others are worth waking for what does not read it.
    fn is_long(&self, node: &Node) -> bool {
        let Some(x) = node.ins.first().map(|&v| self.meta(v)) else { return false };
        let size: usize = x.shape.iter().product();
        match node.op.name() {
            // Batches are shared by threads as they are.
            "eig" | "eigvals" | "eigh" | "eigvalsh" | "qr" | "qr_r" | "schur" | "hessenberg" | "svd" | "svdvals" => {
                let [lead @ .., n, m] = &x.shape[..] else { return false };
                lead.iter().all(|&k| k == 1) && size * n.min(m) >= 1 << 17
            }
            // So are many lines, and one of this length.
            "fft" | "ifft" | "rfft" | "irfft" => {
                (1 << 15..1 << 18).contains(&size) && x.shape.iter().filter(|&&k| k != 1).count() == 1
            }
            _ => false,
        }
    }

    /// Brings long nodes together that can run at one time.
    fn gather_long(&self, order: &mut Vec<Planned>, stands: &[u32]) {
        let long: Vec<bool> = order
            .iter()
            .map(|p| p.group.len() == 1 && p.tail.is_none() && self.is_long(&self.nodes[p.group[0] as usize]))
            .collect();
        if long.iter().filter(|&&l| l).count() < 2 {
            return;
        }
        let mut moved = vec![false; order.len()];
        let mut sorted: Vec<Planned> = Vec::with_capacity(order.len());
        for first in 0..order.len() {
            if std::mem::take(&mut moved[first]) {
                continue;
            }
            let begin = sorted.len();
            sorted.push(order[first].clone());
            if !long[first] {
                continue;
            }
            let mut made = Bits::new(self.values.len());
            let note = |made: &mut Bits, planned: &Planned| {
                for &i in planned.group.iter().chain(&planned.tail) {
                    self.nodes[i as usize].outs.iter().for_each(|&v| made.set(v));
                }
            };
            note(&mut made, &order[first]);
            for next in first + 1..order.len().min(first + WINDOW) {
                if moved[next] {
                    continue;
                }
                let reads = &self.nodes[order[next].group[0] as usize].ins;
                if long[next] && !reads.iter().any(|&v| made.get(stands[v as usize])) {
                    moved[next] = true;
                    sorted.push(order[next].clone());
                }
                note(&mut made, &order[next]);
            }
            sorted[begin].together = sorted.len() - begin;
        }
        *order = sorted;
    }

    /// Whether a node reduces one of these values over its first or last axes, so that its elements come in order.
    fn is_tail(&self, node: &Node, made: &[u32], stands: &[u32]) -> bool {
        let Some(reduction) = node.op.reduction() else { return false };
        let v = stands[node.ins[0] as usize];
        let ndim = self.meta(v).shape.len();
        self.size(v) >= MIN_TAIL
            && (reduction.is_trailing(ndim) || reduction.is_leading())
            && !matches!(reduction.kind, Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax)
            && made.contains(&v)
    }

    fn fuse(&self, planned: &Planned, used: &Bits, stands: &[u32]) -> Work {
        let Planned { group, tail, same, flat, .. } = planned;
        let members: Vec<&Node> = group.iter().map(|&i| &self.nodes[i as usize]).collect();
        let kernels: Vec<&'static Kernel> =
            members.iter().map(|n| self.kernel_of(n).expect("members are elementwise")).collect();
        let made: Vec<u32> = members.iter().map(|n| n.outs[0]).collect();
        let inside = |v: u32| same.iter().find(|s| s.0 == v).map_or(v, |s| s.1);
        let args = |n: &Node| -> Values { n.ins.iter().map(|&v| inside(stands[v as usize])).collect() };
        // A value from outside is one input per dtype it is read in.
        let mut reads: Vec<(u32, DType)> = Vec::new();
        for (node, kernel) in members.iter().zip(&kernels) {
            for (&v, &d) in args(node).iter().zip(kernel.ins()) {
                if !made.contains(&v) && !reads.contains(&(v, d)) {
                    reads.push((v, d));
                }
            }
        }
        let register = |v: u32, d: DType| -> u16 {
            let at = made.iter().position(|&m| m == v).map(|k| reads.len() + k);
            at.or_else(|| reads.iter().position(|&r| r == (v, d))).expect("every value has a register") as u16
        };
        let registers: Vec<SmallVec<[u16; 3]>> = members
            .iter()
            .zip(&kernels)
            .map(|(n, k)| args(n).iter().zip(k.ins()).map(|(&v, &d)| register(v, d)).collect())
            .collect();
        let steps: Vec<(&Kernel, &[u16])> = kernels.iter().copied().zip(registers.iter().map(|a| &a[..])).collect();
        let mut outs: Values = made.iter().copied().filter(|&v| used.get(v)).collect();
        let mut stored: Vec<u16> = outs.iter().map(|&v| register(v, self.meta(v).dtype)).collect();
        let mut nodes = group.to_vec();
        let tail = tail.map(|i| {
            let node = &self.nodes[i as usize];
            let of = stands[node.ins[0] as usize];
            stored.insert(0, register(of, self.meta(of).dtype));
            outs.push(node.outs[0]);
            nodes.push(i);
            let reduction = node.op.reduction().expect("a tail reduces");
            let (kind, by_rows) = (reduction.kind, !reduction.is_trailing(self.meta(of).shape.len()));
            Tail { node: i, kind, by_rows, of, metas: std::iter::once(self.meta(node.outs[0]).clone()).collect() }
        });
        let dtypes: Vec<DType> = reads.iter().map(|&(_, d)| d).collect();
        let program = Program::new(&dtypes, &steps, &stored);
        let ins = reads.into_iter().map(|(v, _)| v).collect();
        let shape = if *flat { Shape::from_slice(&[self.size(made[0])]) } else { self.meta(made[0]).shape.clone() };
        Work::Fused {
            nodes,
            program,
            ins,
            outs,
            shape,
            flat: *flat,
            tail,
            id: NEXT_PROGRAM.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Checks that every step of a segment reads what is there, and that what follows needs nothing else.
    pub(super) fn verify_steps(&self) -> Result<()> {
        let mut after: Vec<Bits> = Vec::new();
        for (s, segment) in self.segments.iter().enumerate() {
            let mut there = match segment.parent {
                Some(p) => after[p as usize].clone(),
                None => {
                    let mut start = Bits::new(self.values.len());
                    self.inputs.iter().for_each(|&v| start.set(v));
                    start
                }
            };
            let has = |there: &Bits, v: u32| there.get(v) || self.constant(v).is_some();
            for step in &self.plan.steps[s] {
                let ready = step.ins().iter().all(|&v| has(&there, v));
                ensure!(ready, Runtime, "verify: a step reads a value that is not there");
                step.outs(self).iter().for_each(|&v| there.set(v));
                step.dead.iter().for_each(|&v| there.clear(v));
            }
            let stands = |v: u32| self.plan.stands[v as usize];
            let ready = match &segment.end {
                End::Guard { value, .. } => has(&there, stands(*value)),
                End::Done { outputs, .. } => outputs.iter().all(|&v| has(&there, stands(v))),
                End::Open => false,
            };
            ensure!(ready, Runtime, "verify: an output or guard reads a value that is not there");
            after.push(there);
        }
        Ok(())
    }

    /// What a replay needs, and where the results of steps would lie in one block: first fit, in the order of the steps.
    pub fn memory(&self) -> Memory {
        let bytes = |v: u32| self.meta(v).shape.iter().product::<usize>() * self.meta(v).dtype.size();
        let constants = self.values.iter().filter_map(|v| v.constant.as_ref());
        let mut found = Memory {
            inputs: self.inputs.iter().map(|&v| bytes(v)).sum(),
            constants: constants.map(|c| c.size() * c.dtype().size()).sum(),
            ..Memory::default()
        };
        let mut leaves = Bits::new(self.values.len());
        for segment in &self.segments {
            if let End::Done { outputs, .. } = &segment.end {
                outputs.iter().for_each(|&v| leaves.set(self.plan.stands[v as usize]));
            }
        }
        let mut after: Vec<Occupied> = Vec::new();
        for (s, segment) in self.segments.iter().enumerate() {
            let mut now = segment.parent.map_or_else(Occupied::default, |p| after[p as usize].clone());
            for step in &self.plan.steps[s] {
                let reused = self.plan.passes.reuse && matches!(step.work, Work::Fused { .. });
                for &v in step.outs(self) {
                    let reused = reused && !leaves.get(v);
                    let old = step.dead.iter().find(|&&u| reused && self.meta(u) == self.meta(v) && now.is_alone(u));
                    match (&step.work, old) {
                        (Work::Node { node, ins, .. }, _) if VIEWS.contains(&self.nodes[*node as usize].op.name()) => {
                            now.share(v, ins[0])
                        }
                        (_, Some(&old)) => now.rename(old, v),
                        _ => now.place(v, bytes(v), leaves.get(v)),
                    }
                }
                found.peak = found.peak.max(now.total());
                found.arena = found.arena.max(now.end());
                step.dead.iter().for_each(|&v| now.drop(v));
            }
            after.push(now);
        }
        found
    }

    /// The programs of fused nodes as CUDA C++, with the values that they read and store; see [`Program::print`].
    pub fn print_programs(&self) -> Vec<(String, Vec<u32>, Vec<u32>)> {
        let dtypes = |values: &[u32]| values.iter().map(|&v| self.meta(v).dtype).collect::<Vec<_>>();
        let programs = self.plan.steps.iter().flatten().filter_map(|step| match &step.work {
            Work::Fused { program, ins, outs, .. } => {
                Some((program.print(&dtypes(ins), &dtypes(outs)), ins.to_vec(), outs.to_vec()))
            }
            Work::Node { .. } => None,
        });
        programs.collect()
    }

    /// Steps that a replay takes over all segments; fused nodes count as one.
    pub fn n_steps(&self) -> usize {
        self.plan.steps.iter().map(Vec::len).sum()
    }
}
