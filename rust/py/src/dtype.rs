//! `sciarray.float64` and the like, and the ways users name a dtype.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};
use sciarray_core::DType;

/// A dtype; it compares equal to its name and to NumPy's dtype.
#[pyclass(name = "DType", module = "sciarray", frozen, skip_from_py_object)]
#[derive(Clone, Copy)]
pub struct PyDType(pub DType);

#[pymethods]
impl PyDType {
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }
    /// Bytes per element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.size()
    }
    /// NumPy's one-letter kind: b, i, u, f or c.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            DType::Bool => "b",
            d if d.is_signed() => "i",
            d if d.is_unsigned() => "u",
            d if d.is_float() => "f",
            _ => "c",
        }
    }
    fn __repr__(&self) -> String {
        format!("sciarray.{}", self.0.name())
    }
    fn __str__(&self) -> &'static str {
        self.0.name()
    }
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        parse(other).is_ok_and(|d| d == self.0)
    }
    fn __hash__(&self) -> isize {
        self.0 as isize
    }
    fn __reduce__(&self) -> &'static str {
        self.0.name()
    }
}

pub fn by_name(name: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|d| d.name() == name)
}

/// A dtype from a [`PyDType`], a name, a Python type, or anything NumPy takes.
pub fn parse(x: &Bound<'_, PyAny>) -> PyResult<DType> {
    if let Ok(d) = x.cast::<PyDType>() {
        return Ok(d.get().0);
    }
    let py = x.py();
    if let Ok(s) = x.cast::<PyString>()
        && let Some(d) = by_name(&s.to_cow()?)
    {
        return Ok(d);
    }
    if let Ok(t) = x.cast::<PyType>() {
        for (python, d) in [
            (py.get_type::<PyBool>(), DType::Bool),
            (py.get_type::<PyInt>(), DType::I64),
            (py.get_type::<PyFloat>(), DType::F64),
            (py.get_type::<PyComplex>(), DType::C128),
        ] {
            if t.is(&python) {
                return Ok(d);
            }
        }
    }
    let unsupported = || {
        let shown = x.repr().map_or_else(|_| "an object".to_owned(), |r| r.to_string());
        PyTypeError::new_err(format!("dtype: unsupported dtype, got {shown}"))
    };
    if x.is_none() {
        return Err(unsupported());
    }
    let numpy = py.import("numpy")?.getattr("dtype")?.call1((x,)).map_err(|_| unsupported())?;
    let native: bool = numpy.getattr("isnative")?.extract()?;
    let name: String = numpy.getattr("name")?.extract()?;
    by_name(&name).filter(|_| native).ok_or_else(unsupported)
}

/// An optional `dtype=` argument.
pub fn parse_opt(x: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DType>> {
    x.filter(|x| !x.is_none()).map(parse).transpose()
}

/// The cached Python object of a dtype.
pub fn to_py(py: Python<'_>, d: DType) -> PyResult<Bound<'_, PyDType>> {
    static ALL: pyo3::sync::PyOnceLock<Vec<Py<PyDType>>> = pyo3::sync::PyOnceLock::new();
    let all = ALL.get_or_try_init(py, || {
        DType::ALL.into_iter().map(|d| Py::new(py, PyDType(d))).collect::<PyResult<Vec<_>>>()
    })?;
    Ok(all[d as usize].bind(py).clone())
}

/// The common dtype, as [`sciarray_core::dtype::promote`] finds it.
#[pyfunction]
pub fn promote_types<'py>(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDType>> {
    to_py(a.py(), sciarray_core::dtype::promote(parse(a)?, parse(b)?))
}
