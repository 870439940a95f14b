//! Differentiation in Python: scopes, and ops whose derivative is Python code.

use crate::array::PyArray;
use crate::convert::Value;
use crate::error::{IntoPy, carry, to_py};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sciarray_core::grad::{self, Link, Scope, Watch};
use sciarray_core::op::{Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves};
use sciarray_core::{Array, Error, Kind, Result, apply, record, shared_handle};
use sciarray_cuda::Queue;
use std::sync::{Arc, Mutex};

/// One differentiation in progress; see `sciarray._grad`. It is closed in the thread that opened it, and its walks may then
/// run in any.
#[pyclass(name = "Scope", module = "sciarray._core")]
pub struct PyScope {
    open: Option<Scope>,
    watch: Watch,
}

#[pymethods]
impl PyScope {
    #[new]
    fn new() -> PyResult<Self> {
        let scope = Scope::open().py()?;
        Ok(PyScope { watch: scope.watch(), open: Some(scope) })
    }
    /// The same value, watched by this scope.
    fn leaf(&self, x: Value) -> PyResult<PyArray> {
        match &self.open {
            Some(s) => Ok(PyArray::new(s.leaf(&x.0))),
            None => Err(PyRuntimeError::new_err("grad: the scope is closed")),
        }
    }
    fn close(&mut self) {
        self.open = None;
    }
    /// Whether the scope watched this value being made.
    fn watches(&self, x: Value) -> bool {
        x.0.is_tracked_by(self.watch.bit())
    }
    /// Cotangents of the leaves from those of the outputs; None is zero.
    fn pullback(
        &self,
        outputs: Vec<Value>,
        cotangents: Vec<Option<Value>>,
        leaves: Vec<Value>,
    ) -> PyResult<Vec<Option<PyArray>>> {
        let seeds: Vec<(&Array, Option<Array>)> =
            outputs.iter().zip(&cotangents).map(|(y, g)| (&y.0, g.as_ref().map(|g| g.0.clone()))).collect();
        let targets: Vec<Option<Link>> = leaves.iter().map(|x| x.0.link().cloned()).collect();
        Ok(wrap_all(grad::pullback(self.watch, &seeds, &targets).py()?))
    }
    /// Tangents of the outputs from those of the leaves; None is zero.
    fn pushforward(
        &self,
        leaves: Vec<Value>,
        tangents: Vec<Option<Value>>,
        outputs: Vec<Value>,
    ) -> PyResult<Vec<Option<PyArray>>> {
        let seeds: Vec<(Link, Array)> = leaves
            .iter()
            .zip(&tangents)
            .filter_map(|(x, t)| Some((x.0.link()?.clone(), t.as_ref()?.0.clone())))
            .collect();
        let outs: Vec<&Array> = outputs.iter().map(|y| &y.0).collect();
        Ok(wrap_all(grad::pushforward(self.watch, &seeds, &outs).py()?))
    }
}

fn wrap_all(xs: Vec<Option<Array>>) -> Vec<Option<PyArray>> {
    xs.into_iter().map(|x| x.map(PyArray::new)).collect()
}

/// The value without the history that only closed scopes watched.
#[pyfunction]
pub fn settle(x: Value) -> PyArray {
    PyArray::new(grad::settle(x.0))
}

/// Accumulates gradients of the outputs into `.grad` of the leaves.
#[pyfunction]
#[pyo3(signature = (outputs, cotangents, create_graph=false))]
pub fn backward(outputs: Vec<Value>, cotangents: Vec<Value>, create_graph: bool) -> PyResult<()> {
    let seeds: Vec<(&Array, Option<Array>)> =
        outputs.iter().zip(&cotangents).map(|(y, g)| (&y.0, Some(g.0.clone()))).collect();
    grad::backward(&seeds, create_graph).py()
}

/// Sets the scopes that watch operations and returns those that did.
#[pyfunction]
pub fn exchange_scopes(scopes: u64) -> u64 {
    let before = grad::open_scopes();
    grad::set_open_scopes(scopes);
    before
}

#[pyfunction]
pub fn open_scopes() -> u64 {
    grad::open_scopes()
}

/// An op whose kernel and derivative are Python functions.
#[derive(Clone)]
struct PyOp {
    name: String,
    forward: Arc<Py<PyAny>>,
    vjp: Option<Arc<Py<PyAny>>>,
    jvp: Option<Arc<Py<PyAny>>>,
    metas: Vec<Meta>,
    /// The results of the call that made this op; taken by its first evaluation.
    first: Arc<Mutex<Option<Vec<Array>>>>,
}

impl std::fmt::Debug for PyOp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

fn tuple_of<'py>(py: Python<'py>, xs: impl Iterator<Item = Option<Array>>) -> PyResult<Bound<'py, PyTuple>> {
    let items = xs
        .map(|x| match x {
            Some(value) => Ok(PyArray::wrap(py, value)?.into_any()),
            None => Ok(py.None().into_bound(py)),
        })
        .collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, items)
}

fn arrays_of(y: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Array>>> {
    y.try_iter()?
        .map(|item| {
            let item = item?;
            if item.is_none() { Ok(None) } else { Ok(Some(crate::convert::array("custom rule", &item)?)) }
        })
        .collect()
}

/// Runs a kernel written in Python with nothing watching its operations.
fn evaluate(py: Python<'_>, f: &Py<PyAny>, ins: impl Iterator<Item = Array>) -> PyResult<Vec<Array>> {
    let _unwatched = grad::suspend(u64::MAX);
    let _unrecorded = record::pause();
    let y = f.bind(py).call1(tuple_of(py, ins.map(|x| Some(x.detach())))?)?;
    Ok(arrays_of(&y)?.into_iter().flatten().map(Array::detach).collect())
}

impl PyOp {
    fn call(&self, f: &Py<PyAny>, ctx: &Ctx, gs: &[Option<Array>], n: usize) -> Result<Grads> {
        Python::attach(|py| {
            let ins = tuple_of(py, ctx.ins.iter().cloned())?;
            let outs = tuple_of(py, ctx.outs.iter().cloned().map(Some))?;
            let given = tuple_of(py, gs.iter().cloned())?;
            let got = arrays_of(&f.bind(py).call1((ins, outs, given))?)?;
            if got.len() != n {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "{}: the rule must return {n} values, got {}",
                    self.name,
                    got.len()
                )));
            }
            Ok(got.into())
        })
        .map_err(carry)
    }
}

impl Op for PyOp {
    fn name(&self) -> &str {
        &self.name
    }
    fn infer(&self, _: &[MetaRef]) -> Result<Metas> {
        Ok(self.metas.iter().cloned().collect())
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let first = self.first.lock().unwrap_or_else(|e| e.into_inner()).take();
        let outs = match first {
            Some(outs) => outs,
            None => {
                Python::attach(|py| evaluate(py, &self.forward, ins.iter().map(|x| (*x).clone()))).map_err(carry)?
            }
        };
        Ok(outs.into())
    }
    /// Python finds out where its arrays are.
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn is_pure(&self) -> bool {
        false
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::ALL
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        match &self.vjp {
            Some(f) => self.call(f, ctx, gs, ctx.in_metas.len()),
            None => Err(Error::new(
                Kind::NotImplemented,
                format!("{}: has a forward rule only and cannot be differentiated in reverse mode", self.name),
            )),
        }
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        Some(self.call(self.jvp.as_ref()?, ctx, ts, ctx.out_metas.len()))
    }
    shared_handle!();
}

/// Applies an op given by Python functions: `forward(*ins) -> outs`, and rules `(ins, outs, grads) -> grads`.
#[pyfunction]
#[pyo3(signature = (name, forward, vjp, jvp, inputs))]
pub fn custom_op(
    py: Python<'_>,
    name: String,
    forward: Py<PyAny>,
    vjp: Option<Py<PyAny>>,
    jvp: Option<Py<PyAny>>,
    inputs: Vec<Value>,
) -> PyResult<Vec<PyArray>> {
    let ins: Vec<Array> = inputs.into_iter().map(|x| x.0).collect();
    let outs = evaluate(py, &forward, ins.iter().cloned())?;
    let op = PyOp {
        name,
        forward: Arc::new(forward),
        vjp: vjp.map(Arc::new),
        jvp: jvp.map(Arc::new),
        metas: outs.iter().map(Array::owned_meta).collect(),
        first: Arc::new(Mutex::new(Some(outs))),
    };
    let refs: Vec<&Array> = ins.iter().collect();
    Ok(apply(&op, &refs).map_err(to_py)?.into_iter().map(PyArray::new).collect())
}
