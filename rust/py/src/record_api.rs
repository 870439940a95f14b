//! Recordings in Python.

use crate::array::PyArray;
use crate::convert::Value;
use crate::error::IntoPy;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sciarray_core::Array;
use sciarray_core::record::{self, Graph};

/// An error where Python is about to read the elements of a recorded value: a replay could not do that.
#[inline]
pub fn refuse_read(x: &Array, what: &str) -> PyResult<()> {
    if record::is_open() && record::is_recorded(x) {
        return Err(PyRuntimeError::new_err(format!(
            "{what}: a value that is being recorded cannot be read by Python; return it from the recorded function"
        )));
    }
    Ok(())
}

fn values(xs: Vec<Value>) -> Vec<Array> {
    xs.into_iter().map(|x| x.0).collect()
}

fn wrapped(xs: Vec<Array>) -> Vec<PyArray> {
    xs.into_iter().map(PyArray::new).collect()
}

/// A recorded program.
#[pyclass(name = "Graph", module = "sciarray.graph", frozen)]
pub struct PyGraph(Graph);

#[pymethods]
impl PyGraph {
    /// The outputs for new inputs of the recorded dtypes and shapes.
    fn replay(&self, py: Python<'_>, inputs: Vec<Value>) -> PyResult<Vec<PyArray>> {
        let inputs = values(inputs);
        let n = inputs.iter().map(Array::size).max().unwrap_or(0);
        Ok(wrapped(crate::convert::run(py, n, || self.0.replay(&inputs))?))
    }
    /// Names of the operations, in order.
    fn nodes(&self) -> Vec<String> {
        self.0.nodes().map(|n| n.op.name().to_owned()).collect()
    }
    /// Steps of a replay; fused elementwise nodes count as one.
    #[getter]
    fn n_steps(&self) -> usize {
        self.0.n_steps()
    }
    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

#[pyfunction]
pub fn record_begin(inputs: Vec<Value>) -> PyResult<Vec<PyArray>> {
    Ok(wrapped(record::begin(&values(inputs)).py()?))
}

#[pyfunction]
pub fn record_finish(outputs: Vec<Value>) -> PyResult<PyGraph> {
    Ok(PyGraph(record::finish(&values(outputs)).py()?))
}

#[pyfunction]
pub fn record_abandon() {
    record::abandon();
}

/// Whether this thread records.
#[pyfunction]
pub fn is_recording() -> bool {
    record::is_open()
}
