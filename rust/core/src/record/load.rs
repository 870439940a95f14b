//! Ops by name and attributes, and programs put together from them: what a saved program is read back with.

use super::graph::{End, Graph, Segment};
use super::plan::{Passes, Plan};
use super::{Node, Source, Value, Values, Watched};
use crate::array::{Array, Range};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{Attr, Attrs, Meta, MetaRef, Metas, Op, OpRef};
use crate::ops::{
    decompositions, determinant, elementwise, fft, filter, gather, linalg, lu, matmul, random, reduce, scan, softmax,
    sort, structural,
};
use crate::shape::{Axes, Shape};
use crate::{ensure, fail};
use sciarray_kernels::random::Dist;
use sciarray_kernels::{reduce::Reduce as Fold, scan::Scan as Running};
use smallvec::SmallVec;

struct Given<'a> {
    op: &'a str,
    attrs: &'a [(String, Attr)],
}

impl Given<'_> {
    fn get(&self, key: &str) -> Result<&Attr> {
        match self.attrs.iter().find(|a| a.0 == key) {
            Some((_, v)) => Ok(v),
            None => fail!(Value, "load: {} lacks the attribute {key}", self.op),
        }
    }
    fn wrong<T>(&self, key: &str) -> Result<T> {
        fail!(Value, "load: the attribute {key} of {} is of the wrong kind", self.op)
    }
    fn ints(&self, key: &str) -> Result<Vec<i64>> {
        match self.get(key)? {
            Attr::Ints(v) => Ok(v.clone()),
            _ => self.wrong(key),
        }
    }
    fn sizes(&self, key: &str) -> Result<SmallVec<[usize; 4]>> {
        self.ints(key)?.iter().map(|&n| usize::try_from(n).or_else(|_| self.wrong(key))).collect()
    }
    fn size(&self, key: &str) -> Result<usize> {
        match self.get(key)? {
            Attr::Int(n) => usize::try_from(*n).or_else(|_| self.wrong(key)),
            _ => self.wrong(key),
        }
    }
    fn bool(&self, key: &str) -> Result<bool> {
        match self.get(key)? {
            Attr::Bool(b) => Ok(*b),
            _ => self.wrong(key),
        }
    }
    fn int(&self, key: &str) -> Result<isize> {
        match self.get(key)? {
            Attr::Int(n) => Ok(*n as isize),
            _ => self.wrong(key),
        }
    }
    fn float(&self, key: &str) -> Result<f64> {
        match self.get(key)? {
            Attr::Float(x) => Ok(*x),
            Attr::Int(n) => Ok(*n as f64),
            _ => self.wrong(key),
        }
    }
    fn dtype(&self, key: &str) -> Result<DType> {
        match self.get(key)? {
            Attr::DType(d) => Ok(*d),
            _ => self.wrong(key),
        }
    }
    fn device(&self, key: &str) -> Result<Device> {
        match self.get(key)? {
            Attr::Str(name) => name.parse(),
            _ => self.wrong(key),
        }
    }
    fn ranges(&self) -> Result<SmallVec<[Range; 4]>> {
        let (start, step, len) = (self.sizes("start")?, self.ints("step")?, self.sizes("length")?);
        ensure!(start.len() == step.len() && start.len() == len.len(), Value, "load: the ranges of {} differ", self.op);
        Ok((0..start.len()).map(|i| Range { start: start[i], step: step[i] as isize, len: len[i] }).collect())
    }
}

/// Whether ranges stay inside a shape.
fn within(ranges: &[Range], shape: &[usize]) -> bool {
    ranges.len() == shape.len()
        && ranges.iter().zip(shape).all(|(r, &n)| {
            let last = r.start as i128 + (r.len.max(1) as i128 - 1) * r.step as i128;
            r.len == 0 || (r.start < n && (0..n as i128).contains(&last))
        })
}

/// The op of a name with these attributes.
pub fn op_named(name: &str, attrs: &[(String, Attr)]) -> Result<OpRef> {
    let g = Given { op: name, attrs };
    let op = match name {
        "identity" => structural::Identity.handle(),
        "detach" => structural::Detach.handle(),
        "copy" => structural::Copy.handle(),
        "to" => structural::To { from: g.device("source")?, to: g.device("device")? }.handle(),
        "astype" => structural::Cast(g.dtype("dtype")?).handle(),
        "reshape" => structural::Reshape(g.sizes("shape")?).handle(),
        "permute_dims" => structural::Permute(g.sizes("axes")?).handle(),
        "broadcast_to" => structural::BroadcastTo(g.sizes("shape")?).handle(),
        "slice" => structural::Slice { ranges: g.ranges()?, shape: g.sizes("shape")? }.handle(),
        "embed" => structural::Embed { ranges: g.ranges()?, shape: g.sizes("shape")? }.handle(),
        "set_slice" => structural::SetSlice(g.ranges()?).handle(),
        "concat" => structural::Concat(g.size("axis")?).handle(),
        "sum" | "prod" | "min" | "max" | "any" | "all" | "argmin" | "argmax" | "count_nonzero" => {
            let kind = match name {
                "sum" => Fold::Sum,
                "prod" => Fold::Prod,
                "min" => Fold::Min,
                "max" => Fold::Max,
                "any" => Fold::Any,
                "all" => Fold::All,
                "argmin" => Fold::ArgMin,
                "argmax" => Fold::ArgMax,
                _ => Fold::CountNonzero,
            };
            reduce::Reduce { kind, axes: g.sizes("axes")?, keepdims: g.bool("keepdims")? }.handle()
        }
        "cumsum" | "cumprod" | "cummin" | "cummax" => {
            let kind = match name {
                "cumsum" => Running::Sum,
                "cumprod" => Running::Prod,
                "cummin" => Running::Min,
                _ => Running::Max,
            };
            let (axis, reverse, exclusive) = (g.size("axis")?, g.bool("reverse")?, g.bool("exclusive")?);
            scan::Scan { kind, axis, reverse, exclusive }.handle()
        }
        "recurrence" => scan::Recurrence { axis: g.size("axis")?, reverse: g.bool("reverse")? }.handle(),
        "softmax" => softmax::Softmax { axes: g.sizes("axes")? }.handle(),
        "sort" => sort::Sort { axis: g.size("axis")?, descending: g.bool("descending")? }.handle(),
        "argsort" => sort::ArgSort { axis: g.size("axis")?, descending: g.bool("descending")? }.handle(),
        "searchsorted" => sort::SearchSorted { right: g.bool("right")? }.handle(),
        "gather" => gather::Gather { axes: g.sizes("axes")? }.handle(),
        "scatter_set" => gather::ScatterInto { kind: gather::Scatter::Set, axes: g.sizes("axes")? }.handle(),
        "scatter_add" => gather::ScatterInto { kind: gather::Scatter::Add, axes: g.sizes("axes")? }.handle(),
        "nonzero" => gather::Nonzero { count: g.size("count")? }.handle(),
        "take_along_axis" => gather::TakeAlongAxis(g.sizes("axes")?.first().copied().unwrap_or(0)).handle(),
        "add_along_axis" => gather::AddAlongAxis { axis: g.size("axis")?, len: g.size("length")? }.handle(),
        "matmul" => matmul::MatMul.handle(),
        "lu_factor" => linalg::LuFactor.handle(),
        "lu_solve" => linalg::LuSolve { adjoint: g.bool("adjoint")? }.handle(),
        "cholesky" => linalg::Cholesky { upper: g.bool("upper")? }.handle(),
        "solve_triangular" => {
            let (lower, unit, adjoint) = (g.bool("lower")?, g.bool("unit")?, g.bool("adjoint")?);
            linalg::SolveTriangular { lower, unit, adjoint }.handle()
        }
        "solve" => linalg::Solve.handle(),
        "solve_banded" => lu::SolveBanded { lower: g.size("lower")?, upper: g.size("upper")? }.handle(),
        "lu" => lu::Lu.handle(),
        "row_order" => lu::RowOrder.handle(),
        "schur" | "hessenberg" => lu::Similarity { schur: name == "schur" }.handle(),
        "inv" => determinant::Inv.handle(),
        "det" => determinant::Det.handle(),
        "adjugate" => determinant::Adjugate.handle(),
        "slogdet" => determinant::SlogDet.handle(),
        "eigh" | "eigvalsh" => decompositions::Eigh { upper: g.bool("upper")?, vectors: name == "eigh" }.handle(),
        "svd" | "svdvals" => decompositions::Svd { vectors: name == "svd", full: g.bool("full")? }.handle(),
        "eig" | "eigvals" => decompositions::Eig { vectors: name == "eig" }.handle(),
        "qr_r" => decompositions::QrR.handle(),
        "qr" => decompositions::Qr { complete: g.bool("complete")?, pivoting: g.bool("pivoting")? }.handle(),
        "ldl" => lu::Ldl { lower: g.bool("lower")?, hermitian: g.bool("hermitian")? }.handle(),
        "allpole" => filter::AllPole { reverse: g.bool("reverse")?, delayed: g.bool("delayed")? }.handle(),
        "fft" | "ifft" | "rfft" | "irfft" => {
            let kind = match name {
                "fft" => fft::Kind::Forward,
                "ifft" => fft::Kind::Inverse,
                "rfft" => fft::Kind::Real,
                _ => fft::Kind::Hermitian,
            };
            fft::Fft { kind, axis: g.size("axis")?, n: g.size("n")?, scale: g.float("scale")? }.handle()
        }
        "dct1" | "dct2" | "dct3" | "dct4" | "dst1" | "dst2" | "dst3" | "dst4" => {
            let (kind, sine) = ((name.as_bytes()[3] - b'0') as usize, name.starts_with("dst"));
            let (axis, n) = (g.size("axis")?, g.size("n")?);
            fft::Cosine { kind, sine, axis, n, first: g.float("first")?, scale: g.float("scale")? }.handle()
        }
        "fir" => filter::Fir { offset: g.int("offset")?, len: g.size("len")? }.handle(),
        "random_advance" => {
            let words = g.ints("blocks")?;
            let [low, high] = words[..] else { return g.wrong("blocks") };
            random::Advance(low as u64 as u128 | (high as u64 as u128) << 64).handle()
        }
        "random_permutation" => random::Permutation { n: g.size("n")?, count: g.size("count")? }.handle(),
        _ => match draw(name) {
            Some(dist) => {
                let device = if g.get("device").is_ok() { g.device("device")? } else { Device::CPU };
                random::Fill { dist, dtype: g.dtype("dtype")?, shape: g.sizes("shape")?, device }.handle()
            }
            None => match elementwise::table().find(|row| row.name == name) {
                Some(row) => OpRef::Row(elementwise::Row(row)),
                None => fail!(Value, "load: the operation {name} cannot be loaded"),
            },
        },
    };
    let same = |have: &Attrs| {
        have.len() == attrs.len() && have.iter().all(|(k, v)| attrs.iter().any(|(name, given)| name == k && given == v))
    };
    ensure!(same(&op.attrs()), Value, "load: the attributes of {name} do not fit, got {attrs:?}");
    Ok(op)
}

fn draw(name: &str) -> Option<Dist> {
    Some(match name {
        "random_uniform" => Dist::Uniform,
        "random_normal" => Dist::Normal,
        "random_exponential" => Dist::Exponential,
        "random_integers" => Dist::Integers,
        "random_gamma" => Dist::Gamma,
        "random_beta" => Dist::Beta,
        "random_poisson" => Dist::Poisson,
        "random_binomial" => Dist::Binomial,
        _ => return None,
    })
}

/// What shape rules leave to those who make the op.
fn check_ranges(op: &dyn Op, ins: &[MetaRef]) -> Result<()> {
    ensure!(!ins.is_empty(), Value, "load: {} has no inputs", op.name());
    let attrs = op.attrs();
    let axis = |k: &str| {
        attrs.iter().find(|a| a.0 == k).map(|a| match &a.1 {
            Attr::Int(n) => vec![*n],
            Attr::Ints(v) => v.clone(),
            _ => vec![],
        })
    };
    let ndim = ins.first().map_or(0, |x| x.shape.len()) as i64;
    for key in ["axis", "axes"] {
        let fits = axis(key).is_none_or(|v| v.iter().all(|&a| (0..ndim).contains(&a)));
        ensure!(fits, Value, "load: {}: {key} out of range for {ndim} axes", op.name());
    }
    let target: Option<Shape> = match op.name() {
        "slice" | "set_slice" => Some(ins[0].shape.into()),
        "embed" => axis("shape").map(|v| v.iter().map(|&n| n as usize).collect()),
        _ => None,
    };
    if let Some(target) = target {
        let (start, step, len) = (axis("start"), axis("step"), axis("length"));
        let (Some(start), Some(step), Some(len)) = (start, step, len) else { unreachable!("range ops have ranges") };
        let ranges: SmallVec<[Range; 4]> = (0..start.len())
            .map(|i| Range { start: start[i] as usize, step: step[i] as isize, len: len[i] as usize })
            .collect();
        ensure!(within(&ranges, &target), Value, "load: {}: a range leaves its axis", op.name());
        let longer = |s: &[usize]| -> Axes { s.iter().copied().filter(|&n| n != 1).collect() };
        let part: Shape = ranges.iter().map(|r| r.len).collect();
        let fits = match op.name() {
            "slice" => axis("shape")
                .is_some_and(|v| longer(&v.iter().map(|&n| n as usize).collect::<Shape>()) == longer(&part)),
            "embed" => ins[0].shape == &part[..],
            _ => true,
        };
        ensure!(fits, Value, "load: {}: the shape does not fit the ranges", op.name());
    }
    Ok(())
}

/// A node to be: op, attributes, inputs, and whether tape and scopes watched.
pub struct Part {
    pub op: String,
    pub attrs: Vec<(String, Attr)>,
    pub ins: Vec<u32>,
    pub watched: Watched,
    pub source: Source,
}

impl Part {
    /// Where the op puts its results, if that is one of its attributes.
    fn device(&self) -> Result<Option<Device>> {
        let given = Given { op: &self.op, attrs: &self.attrs };
        if given.get("device").is_ok() { given.device("device").map(Some) } else { Ok(None) }
    }
}

/// Dtypes and shapes of the outputs; ops take the number of their inputs for granted.
fn inferred(op: &dyn Op, ins: &[MetaRef]) -> Result<Metas> {
    if let Some(row) = op.elementwise() {
        let n = row.args.len();
        ensure!(ins.len() == n, Value, "load: {} has {n} inputs, got {}", op.name(), ins.len());
    }
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| op.infer(ins))) {
        Ok(metas) => metas,
        Err(_) => fail!(Value, "load: {} cannot have these {} inputs", op.name(), ins.len()),
    }
}

/// Values of a program that is put together, and the segments that make them; none for inputs and constants.
struct Made {
    values: Vec<Value>,
    home: Vec<Option<usize>>,
    parents: Vec<Option<usize>>,
}

impl Made {
    fn push(&mut self, value: Value, home: Option<usize>) -> u32 {
        self.values.push(value);
        self.home.push(home);
        self.values.len() as u32 - 1
    }

    /// Refuses values that are not there on every way to segment `s`.
    fn check(&self, what: &str, vs: &[u32], s: usize) -> Result<()> {
        for &v in vs {
            let there = match self.home.get(v as usize) {
                None => false,
                Some(None) => true,
                Some(Some(home)) => {
                    let mut at = Some(s);
                    while at.is_some_and(|a| a > *home) {
                        at = at.and_then(|a| self.parents[a]);
                    }
                    at == Some(*home)
                }
            };
            ensure!(there, Value, "load: {what} reads a value before it is made");
        }
        Ok(())
    }
}

impl Graph {
    /// A program from its parts. Values are numbered in order: inputs, constants, then the results of the nodes. Each branch is
    /// a number of nodes and what follows; ways lead to later branches, each to one of its own.
    pub fn from_parts(
        inputs: Vec<(Meta, Device)>,
        constants: Vec<Array>,
        parts: Vec<Part>,
        branches: Vec<(usize, End)>,
        passes: Passes,
    ) -> Result<Graph> {
        let n_inputs = inputs.len() as u32;
        let mut made = Made { values: vec![], home: vec![], parents: vec![None; branches.len()] };
        for (meta, device) in inputs {
            made.push(Value { meta, device, constant: None, known: false, varies: true }, None);
        }
        for c in constants {
            made.push(
                Value { meta: c.owned_meta(), device: c.device(), constant: Some(c), known: true, varies: false },
                None,
            );
        }
        let (mut nodes, mut segments, mut exits) = (Vec::new(), Vec::new(), Vec::new());
        let mut parts = parts.into_iter();
        for (s, (count, end)) in branches.into_iter().enumerate() {
            ensure!(s == 0 || made.parents[s].is_some(), Value, "load: no way leads to branch {s}");
            let first = nodes.len() as u32;
            for _ in 0..count {
                let Some(part) = parts.next() else { fail!(Value, "load: branch {s} lacks nodes") };
                let op = op_named(&part.op, &part.attrs)?;
                made.check(&part.op, &part.ins, s)?;
                let values = &made.values;
                let metas: SmallVec<[MetaRef; 3]> =
                    part.ins.iter().map(|&v| values[v as usize].meta.as_ref()).collect();
                check_ranges(&*op, &metas)?;
                let found = inferred(&*op, &metas)?;
                let known = op.is_pure() && part.ins.iter().all(|&v| values[v as usize].known);
                let varies = !op.is_pure() || part.ins.iter().any(|&v| values[v as usize].varies);
                drop(metas);
                let device = part.device()?.unwrap_or_else(|| {
                    let mut all = part.ins.iter().map(|&v| values[v as usize].device);
                    all.find(|d| !d.is_cpu()).unwrap_or(Device::CPU)
                });
                let value = |meta| Value { meta, device, constant: None, known, varies };
                let outs: Values = found.into_iter().map(|meta| made.push(value(meta), Some(s))).collect();
                let ins = part.ins.into_iter().collect();
                nodes.push(Node { op, ins, outs, watched: part.watched, source: part.source });
            }
            match &end {
                End::Guard { value, ways, .. } => {
                    made.check("a guard", &[*value], s)?;
                    let n: usize = made.values[*value as usize].meta.shape.iter().product();
                    ensure!(n == 1, Value, "load: a guard reads one element, got {n}");
                    for &(_, next) in ways {
                        let fresh = next as usize > s && made.parents.get(next as usize) == Some(&None);
                        ensure!(fresh, Value, "load: a way leads to branch {next}, which is not a new one");
                        made.parents[next as usize] = Some(s);
                    }
                }
                End::Done { outputs, exit } => {
                    made.check("an output", outputs, s)?;
                    exits.push(*exit);
                }
                End::Open => fail!(Value, "load: branch {s} has no end"),
            }
            let parent = made.parents[s].map(|p| p as u32);
            segments.push(Segment { nodes: (first..nodes.len() as u32).collect(), end, parent });
        }
        exits.sort_unstable();
        let n_exits = exits.len();
        let all = exits.into_iter().eq(0..n_exits) && n_exits > 0 && parts.next().is_none();
        ensure!(all, Value, "load: nodes or exits are missing, or there are too many");
        let (values, inputs, plan) = (made.values, (0..n_inputs).collect(), Plan::new(passes).into());
        let mut graph = Graph { values, inputs, nodes, segments, n_exits, plan };
        graph.replan()?;
        Ok(graph)
    }

    /// An error for the first node that a file could not give back.
    pub fn check_loadable(&self) -> Result<()> {
        for node in self.live_nodes() {
            let attrs: Vec<(String, Attr)> = node.op.attrs().into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
            let again = op_named(node.op.name(), &attrs);
            let same = again.is_ok_and(|op| format!("{op:?}") == format!("{:?}", node.op));
            let (name, source) = (node.op.name(), &node.source);
            ensure!(same, Value, "save: {name}, recorded at {source}, is a Python function, which no file can hold");
        }
        Ok(())
    }

    /// Infers every node again and compares with what is written down.
    pub fn verify(&self) -> Result<()> {
        for (node, name) in self.nodes.iter().zip(self.node_names()) {
            let metas: SmallVec<[MetaRef; 3]> = node.ins.iter().map(|&v| self.meta(v).as_ref()).collect();
            let found = node.op.infer(&metas)?;
            let same = found.len() == node.outs.len() && found.iter().zip(&node.outs).all(|(m, &v)| m == self.meta(v));
            ensure!(same, Runtime, "verify: {name} does not have the recorded dtype and shape");
        }
        self.verify_steps()
    }
}
