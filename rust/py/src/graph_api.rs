//! Recorded programs as data in Python: nodes, values, single applications, and programs put together from parts.

use crate::array::PyArray;
use crate::convert::Value;
use crate::dtype::{self, PyDType};
use crate::error::IntoPy;
use crate::random::PyStream;
use crate::record_api::{Exit, Inner, PyGraph, Spec, Target, Write};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyTuple};
use sciarray_core::op::{Attr, Meta};
use sciarray_core::ops::random::STATE_WORDS;
use sciarray_core::record::{self, End, Graph, Part, Passes, Read, Segment, Source, Watched};
use sciarray_core::{Array, DType, Device, apply};
use std::sync::{Arc, Mutex};

fn attr_to_py<'py>(py: Python<'py>, a: &Attr) -> PyResult<Bound<'py, PyAny>> {
    Ok(match a {
        Attr::Bool(v) => v.into_pyobject(py)?.to_owned().into_any(),
        Attr::Int(v) => v.into_pyobject(py)?.into_any(),
        Attr::Float(v) => v.into_pyobject(py)?.into_any(),
        Attr::Str(v) => v.into_pyobject(py)?.into_any(),
        Attr::DType(d) => dtype::to_py(py, *d)?.into_any(),
        Attr::Ints(v) => PyTuple::new(py, v)?.into_any(),
        Attr::Bools(v) => PyTuple::new(py, v)?.into_any(),
    })
}

fn attr_of(x: &Bound<'_, PyAny>) -> PyResult<Attr> {
    Ok(if let Ok(b) = x.cast_exact::<PyBool>() {
        Attr::Bool(b.is_true())
    } else if x.cast_exact::<PyInt>().is_ok() {
        Attr::Int(x.extract()?)
    } else if x.cast_exact::<PyFloat>().is_ok() {
        Attr::Float(x.extract()?)
    } else if x.cast::<PyDType>().is_ok() {
        Attr::DType(dtype::parse(x)?)
    } else if let Ok(s) = x.extract::<String>() {
        Attr::Str(s)
    } else {
        Attr::Ints(x.extract()?)
    })
}

/// Name, op, attributes, inputs, outputs, file, line, scope, whether some output depends on it, and what watched.
type NodeTuple<'py> =
    (String, String, Bound<'py, PyDict>, Vec<u32>, Vec<u32>, Option<String>, u32, Option<String>, bool, (bool, bool));

#[pymethods]
impl PyGraph {
    fn _nodes<'py>(&self, py: Python<'py>) -> PyResult<Vec<NodeTuple<'py>>> {
        let inner = self.inner();
        let graph = &inner.graph;
        let live = graph.live_flags();
        let names = graph.node_names();
        let rows = graph.nodes().zip(names).zip(live).map(|((n, name), live)| {
            let attrs = PyDict::new(py);
            for (key, value) in n.op.attrs() {
                attrs.set_item(key, attr_to_py(py, &value)?)?;
            }
            let s = &n.source;
            Ok((
                name,
                n.op.name().to_owned(),
                attrs,
                n.ins.to_vec(),
                n.outs.to_vec(),
                s.file.as_deref().map(str::to_owned),
                s.line,
                s.scope.as_deref().map(str::to_owned),
                live,
                (n.watched.tape, n.watched.scopes),
            ))
        });
        rows.collect()
    }

    /// Name, dtype, shape and device of each value.
    fn _values<'py>(&self, py: Python<'py>) -> PyResult<Vec<ValueTuple<'py>>> {
        let inner = self.inner();
        let names = inner.graph.value_names().into_iter().enumerate();
        names
            .map(|(v, name)| {
                let meta = inner.graph.meta(v as u32);
                let device = inner.graph.device(v as u32).to_string();
                Ok((name, dtype::to_py(py, meta.dtype)?, PyTuple::new(py, &meta.shape[..])?, device))
            })
            .collect()
    }

    /// Per input its value, what it is ("argument", "array", "stream" or "gradient"), and the number of its object.
    fn _inputs(&self) -> Vec<(u32, &'static str, usize)> {
        let inner = self.inner();
        let mut out: Vec<_> = inner.graph.inputs().iter().map(|&v| (v, "", 0)).collect();
        for (k, spec) in inner.specs.iter().enumerate() {
            let kind = match spec.target {
                Target::Argument(_) => "argument",
                Target::Array(_) => "array",
                Target::Stream(_) => "stream",
            };
            (out[spec.input].1, out[spec.input].2) = (kind, k);
            if let Some(g) = spec.grad {
                (out[g].1, out[g].2) = ("gradient", k);
            }
        }
        out
    }

    /// Constants by value; small ones that nodes compute are not among them.
    fn _constants(&self) -> Vec<(u32, PyArray)> {
        let inner = self.inner();
        let made: std::collections::HashSet<u32> = inner.graph.nodes().flat_map(|n| n.outs.iter().copied()).collect();
        (0..inner.graph.n_values() as u32)
            .filter(|v| !made.contains(v))
            .filter_map(|v| Some((v, PyArray::new(inner.graph.constant(v)?.clone()))))
            .collect()
    }

    /// Per branch its nodes, then the guard at its end (value, whether an int is read, file, line, ways) or the outputs and the
    /// exit.
    fn _segments(&self) -> Vec<SegmentTuple> {
        let inner = self.inner();
        let shown = |s: &Segment| match &s.end {
            End::Guard { value, read, source, ways } => {
                let file = source.file.as_deref().map(str::to_owned);
                (s.nodes.clone(), Some((*value, *read == Read::Int, file, source.line, ways.clone())), None)
            }
            End::Done { outputs, exit } => (s.nodes.clone(), None, Some((outputs.clone(), *exit))),
            End::Open => unreachable!("finished programs have no open segment"),
        };
        inner.graph.segments().iter().map(shown).collect()
    }

    /// Raises ValueError where a node's op cannot be read back from a file.
    fn _check_loadable(&self) -> PyResult<()> {
        self.inner().graph.check_loadable().py()
    }

    /// Per exit its outputs, the number of results among them, and what the others are written to: object, whether to its
    /// gradient, and whether it becomes a leaf or has a gradient.
    fn _exits(&self) -> Vec<(Vec<u32>, usize, Vec<(usize, bool, bool)>)> {
        let inner = self.inner();
        let mut found = vec![Vec::new(); inner.exits.len()];
        for segment in inner.graph.segments() {
            if let End::Done { outputs, exit } = &segment.end {
                found[*exit] = outputs.clone();
            }
        }
        let writes = |e: &Exit| {
            e.writes
                .iter()
                .map(|w| match *w {
                    Write::Value { spec, is_leaf } => (spec, false, is_leaf),
                    Write::Grad { spec, is_some } => (spec, true, is_some),
                })
                .collect()
        };
        found.into_iter().zip(&inner.exits).map(|(o, e)| (o, e.results, writes(e))).collect()
    }

    /// One node's op on other inputs; what is recorded of it has the node's name, scope and line.
    fn _apply(&self, node: usize, inputs: Vec<Value>) -> PyResult<Vec<PyArray>> {
        let inner = self.inner();
        let Some(n) = inner.graph.nodes().nth(node) else {
            return Err(PyValueError::new_err(format!("graph: there is no node {node}")));
        };
        let inputs: Vec<Array> = inputs.into_iter().map(|x| x.0).collect();
        let refs: Vec<&Array> = inputs.iter().collect();
        let name = inner.graph.node_names().swap_remove(node);
        let source = Source { name: Some(name.into()), ..n.source.clone() };
        let outs = record::from(source, || apply(&*n.op, &refs)).py()?;
        Ok(outs.into_iter().map(PyArray::new).collect())
    }

    /// Replays step by step and calls back with the names of a step's nodes, its start and duration in seconds, and its
    /// results.
    fn _walk(&self, py: Python<'_>, args: Vec<Bound<'_, PyArray>>, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        let inner = self.inner();
        if let Some(what) = inner.mismatch(py, &args) {
            return Err(PyValueError::new_err(format!("graph: {what}")));
        }
        let inputs = inner.inputs(py, &args)?;
        let names = inner.graph.node_names();
        let begin = std::time::Instant::now();
        let mut failed = None;
        let mut visitor = |nodes: &[u32], start: std::time::Instant, time: std::time::Duration, outs: &[Array]| {
            if failed.is_some() {
                return;
            }
            let nodes: Vec<&str> = nodes.iter().map(|&n| &names[n as usize][..]).collect();
            let outs: Vec<PyArray> = outs.iter().map(|y| PyArray::new(y.clone())).collect();
            let at = start.duration_since(begin).as_secs_f64();
            failed = callback.call1((nodes, at, time.as_secs_f64(), outs)).err();
        };
        inner.graph.visit(&inputs, &mut visitor).py()?;
        failed.map_or(Ok(()), Err)
    }

    /// Bytes of the inputs and constants, the most that results of steps occupy at one time, and the one block in which all of
    /// them but the outputs would have a place.
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let m = self.inner().graph.memory();
        let d = PyDict::new(py);
        for (key, n) in [("inputs", m.inputs), ("constants", m.constants), ("peak", m.peak), ("arena", m.arena)] {
            d.set_item(key, n)?;
        }
        Ok(d)
    }

    /// The programs of fused nodes as CUDA C++, with the numbers of the values that they read and store.
    fn _print_programs(&self) -> Vec<(String, Vec<u32>, Vec<u32>)> {
        self.inner().graph.print_programs()
    }

    /// Infers every node again and checks the plan; raises RuntimeError where something does not fit.
    fn verify(&self) -> PyResult<()> {
        self.inner().graph.verify().py()
    }

    /// The same program with some of the passes: folding of constants, common subexpressions, fusion, reuse of buffers, long
    /// nodes at one time, CUDA graphs.
    #[allow(clippy::too_many_arguments, reason = "a keyword per pass")]
    #[pyo3(signature = (*, fold=true, cse=true, fuse=true, reuse=true, parallel=true, capture=true))]
    fn optimized(
        &self,
        py: Python<'_>,
        fold: bool,
        cse: bool,
        fuse: bool,
        reuse: bool,
        parallel: bool,
        capture: bool,
    ) -> PyResult<PyGraph> {
        let inner = self.inner();
        let passes = Passes { fold, cse, fuse, reuse, parallel, capture };
        let graph = inner.graph.with_passes(passes).py()?;
        let specs = inner.specs.iter().map(|s| s.clone_ref(py)).collect();
        Ok(PyGraph(Mutex::new(Arc::new(Inner { graph, specs, exits: inner.exits.clone(), ..*inner }))))
    }
}

type ValueTuple<'py> = (String, Bound<'py, PyDType>, Bound<'py, PyTuple>, String);
type GuardTuple = (u32, bool, Option<String>, u32, Vec<(i64, u32)>);
type SegmentTuple = (Vec<u32>, Option<GuardTuple>, Option<(Vec<u32>, usize)>);

/// Writes down that Python reads an element and finds this number; what follows is the way for it. False where the element is
/// the same at each replay.
#[pyfunction]
pub fn record_guard(x: Value, int: bool, seen: i64) -> bool {
    record::guard_as(&x.0, if int { Read::Int } else { Read::Bool }, seen);
    record::varies(&x.0)
}

/// A node to be: op, attributes, inputs, file, line, scope, name, and what watched.
type PartTuple<'py> =
    (String, Bound<'py, PyDict>, Vec<u32>, Option<String>, u32, Option<String>, Option<String>, (bool, bool));

/// A branch to be: the number of its nodes, and a guard or the outputs and the exit.
type BranchTuple = (usize, Option<GuardTuple>, Option<(Vec<u32>, usize)>);

/// A program from inputs, constants, nodes, branches, and per exit the number of results and what is written back. An input is
/// an argument's dtype, shape and device, or the array or stream that it reads.
#[pyfunction]
pub fn graph_from_parts(
    inputs: Vec<Bound<'_, PyAny>>,
    constants: Vec<Value>,
    parts: Vec<PartTuple<'_>>,
    branches: Vec<BranchTuple>,
    exits: Vec<(usize, Vec<(usize, bool)>)>,
) -> PyResult<PyGraph> {
    let mut specs = Vec::new();
    let mut metas = Vec::new();
    let mut arguments = 0;
    for (k, x) in inputs.iter().enumerate() {
        let (target, meta, at, is_leaf) = if let Ok(x) = x.cast::<PyArray>() {
            let value = x.get().value();
            (Target::Array(x.clone().unbind()), value.owned_meta(), value.device(), x.get().leaf().is_some())
        } else if let Ok(x) = x.cast::<PyStream>() {
            (Target::Stream(x.clone().unbind()), Meta::new(DType::U32, &[STATE_WORDS]), Device::CPU, false)
        } else {
            let (d, shape, at): (Bound<'_, PyAny>, Vec<usize>, String) = x.extract()?;
            arguments += 1;
            (Target::Argument(arguments - 1), Meta::new(dtype::parse(&d)?, &shape), at.parse().py()?, false)
        };
        let device = (!matches!(target, Target::Argument(_))).then_some(at);
        metas.push((meta.clone(), at));
        specs.push(Spec { target, input: k, meta, device, is_leaf, has_grad: false, grad: None });
    }
    let parts = parts
        .into_iter()
        .map(|(op, attrs, ins, file, line, scope, name, (tape, scopes))| {
            let attrs = attrs
                .iter()
                .map(|(k, v)| Ok((k.extract()?, attr_of(&v)?)))
                .collect::<PyResult<Vec<(String, Attr)>>>()?;
            let source =
                Source { file: file.map(Into::into), line, scope: scope.map(Into::into), name: name.map(Into::into) };
            Ok(Part { op, attrs, ins, watched: Watched { tape, scopes }, source })
        })
        .collect::<PyResult<Vec<_>>>()?;
    let mut counts = vec![None; exits.len()];
    let branches = branches.into_iter().map(|(n, guard, done)| match (guard, done) {
        (Some((value, int, file, line, ways)), None) => {
            let source = Source { file: file.map(Into::into), line, ..Source::default() };
            (n, End::Guard { value, read: if int { Read::Int } else { Read::Bool }, source, ways })
        }
        (None, Some((outputs, exit))) => {
            if let Some(count) = counts.get_mut(exit) {
                *count = Some(outputs.len());
            }
            (n, End::Done { outputs, exit })
        }
        _ => (n, End::Open),
    });
    let constants = constants.into_iter().map(|c| c.0).collect();
    let graph = Graph::from_parts(metas, constants, parts, branches.collect(), Passes::ALL).py()?;
    let agree = |(e, count): (&(usize, Vec<(usize, bool)>), &Option<usize>)| {
        *count == Some(e.0 + e.1.len()) && e.1.iter().all(|w| w.0 < specs.len())
    };
    if graph.n_exits() != exits.len() || !exits.iter().zip(&counts).all(agree) {
        return Err(PyValueError::new_err("load: outputs and writes do not agree"));
    }
    let exit = |(results, writes): (usize, Vec<(usize, bool)>)| Exit {
        results,
        writes: writes.into_iter().map(|(spec, is_leaf)| Write::Value { spec, is_leaf }).collect(),
    };
    let exits = exits.into_iter().map(exit).collect();
    Ok(PyGraph(Mutex::new(Arc::new(Inner { graph, specs, exits, arguments, tape: true }))))
}
