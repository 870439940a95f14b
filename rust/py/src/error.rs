//! The one place where core errors become Python exceptions.

use pyo3::exceptions::{
    PyIndexError, PyMemoryError, PyNotImplementedError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use sciarray_core::{Error, Kind};
use std::cell::RefCell;

thread_local! {
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Carries an exception of user code through the core, which knows only its own errors.
pub fn carry(e: PyErr) -> Error {
    let message = e.to_string();
    RAISED.set(Some(e));
    Error::new(Kind::Python, message)
}

/// `numpy.linalg.LinAlgError`, so that existing `except` clauses keep working.
pub fn linalg_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "numpy.linalg", "LinAlgError")
}

pub fn to_py(e: Error) -> PyErr {
    match e.kind {
        Kind::Value => PyValueError::new_err(e.message),
        Kind::Type => PyTypeError::new_err(e.message),
        Kind::Index => PyIndexError::new_err(e.message),
        Kind::Memory => PyMemoryError::new_err(e.message),
        Kind::Overflow => PyOverflowError::new_err(e.message),
        Kind::NotImplemented => PyNotImplementedError::new_err(e.message),
        Kind::Runtime => PyRuntimeError::new_err(e.message),
        Kind::LinAlg => Python::attach(|py| match linalg_error(py) {
            Ok(t) => PyErr::from_type(t.clone(), e.message),
            Err(e) => e,
        }),
        Kind::Python => RAISED.take().unwrap_or_else(|| PyRuntimeError::new_err(e.message)),
    }
}

/// `result.py()?` in functions that return `PyResult`.
pub trait IntoPy<T> {
    fn py(self) -> PyResult<T>;
}

impl<T> IntoPy<T> for Result<T, Error> {
    #[inline]
    fn py(self) -> PyResult<T> {
        self.map_err(to_py)
    }
}
