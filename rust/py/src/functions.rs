//! The primitives as Python functions; formulas over them live in the Python package.

use crate::array::PyArray;
use crate::convert::{self, AxisArg, ShapeArg, Value, array, axes, run};
use crate::dtype::{self, parse_opt};
use crate::error::IntoPy;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sciarray_core::ops::{self, reduce, structural};
use sciarray_core::shape::{self, Axes, Shape};
use sciarray_core::{Array, apply1};
use sciarray_kernels::reduce::Reduce as Kind;

fn wrap(value: Array) -> PyArray {
    PyArray { value }
}

/// Zeros.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None))]
pub fn zeros(shape: ShapeArg, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let d = parse_opt(dtype)?.unwrap_or(sciarray_core::dtype::DEFAULT_FLOAT);
    Ok(wrap(Array::zeros("zeros", d, &shape.sizes("zeros")?).py()?))
}

/// A 0-d array of a Python scalar in a dtype, converted as ``astype`` does.
#[pyfunction]
pub fn scalar(x: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Option<PyArray>> {
    let Some((v, w)) = convert::scalar(x)? else { return Ok(None) };
    let d = parse_opt(dtype)?.unwrap_or(w.default_dtype());
    Ok(Some(wrap(Array::scalar_of(v, d).py()?)))
}

/// The array in an object's memory through the buffer protocol, not copied unless its layout demands it; None where that
/// is not possible.
#[pyfunction]
#[pyo3(signature = (x, may_copy=true))]
pub fn from_buffer(x: &Bound<'_, PyAny>, may_copy: bool) -> PyResult<Option<PyArray>> {
    Ok(crate::buffer::import(x, may_copy)?.map(wrap))
}

#[pyfunction]
pub fn astype(py: Python<'_>, x: Value, dtype: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let d = dtype::parse(dtype)?;
    let Value(x) = x;
    Ok(wrap(run(py, x.size(), || ops::cast(&x, d))?))
}

#[pyfunction]
pub fn copy(py: Python<'_>, x: Value) -> PyResult<PyArray> {
    let Value(x) = x;
    Ok(wrap(run(py, x.size(), || apply1(&structural::Copy, &[&x]))?))
}

#[pyfunction]
pub fn reshape(x: &Bound<'_, PyAny>, shape: ShapeArg) -> PyResult<PyArray> {
    let x = array("reshape", x)?;
    let unknown = shape.0.iter().filter(|&&n| n == -1).count();
    if unknown > 1 {
        return Err(PyValueError::new_err(format!("reshape: only one dimension can be -1, got {:?}", shape.0)));
    }
    let target: Shape = if unknown == 1 {
        let known: i64 = shape.0.iter().filter(|&&n| n != -1).product();
        let size = x.size() as i64;
        if known == 0 || size % known != 0 {
            return Err(PyValueError::new_err(format!(
                "reshape: an array of {size} elements cannot have shape {:?}",
                shape.0
            )));
        }
        ShapeArg(shape.0.iter().map(|&n| if n == -1 { size / known } else { n }).collect()).sizes("reshape")?
    } else {
        shape.sizes("reshape")?
    };
    Ok(wrap(ops::reshape(&x, &target).py()?))
}

#[pyfunction]
pub fn permute_dims(x: &Bound<'_, PyAny>, axes: ShapeArg) -> PyResult<PyArray> {
    let x = array("permute_dims", x)?;
    let order: Axes = axes
        .0
        .iter()
        .map(|&a| shape::normalize_axis("permute_dims", a, x.ndim()))
        .collect::<Result<_, _>>()
        .py()?;
    Ok(wrap(ops::permute(&x, &order).py()?))
}

#[pyfunction]
pub fn broadcast_to(x: &Bound<'_, PyAny>, shape: ShapeArg) -> PyResult<PyArray> {
    let x = array("broadcast_to", x)?;
    Ok(wrap(ops::broadcast_to(&x, &shape.sizes("broadcast_to")?).py()?))
}

/// Joins arrays of one dtype along an axis.
#[pyfunction]
pub fn concat(py: Python<'_>, arrays: Vec<Value>, axis: i64) -> PyResult<PyArray> {
    let Some(first) = arrays.first() else {
        return Err(PyValueError::new_err("concat: at least one array is required, got none"));
    };
    if first.0.ndim() == 0 {
        return Err(PyValueError::new_err("concat: 0-d arrays cannot be joined, use stack"));
    }
    let axis = shape::normalize_axis("concat", axis, first.0.ndim()).py()?;
    let xs: Vec<Array> = arrays.into_iter().map(|x| x.0).collect();
    let n = xs.iter().map(Array::size).sum();
    Ok(wrap(run(py, n, || apply1(&structural::Concat(axis), &xs.iter().collect::<Vec<_>>()))?))
}

pub fn reduce_array(
    py: Python<'_>,
    kind: Kind,
    op: &'static str,
    x: Array,
    axis: &AxisArg,
    dtype: Option<&Bound<'_, PyAny>>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let axes = axes(op, axis, x.ndim())?;
    let d = parse_opt(dtype)?;
    Ok(wrap(run(py, x.size(), || {
        let x = match d {
            // Narrow integers are summed wide and cut once; the result is the same modulo the dtype.
            Some(d) if !(d.is_integer() && !x.dtype().is_inexact()) => ops::cast(&x, d)?,
            _ => x,
        };
        let y = reduce::reduce(kind, &x, &axes, keepdims)?;
        match d {
            Some(d) => ops::cast(&y, d),
            None => Ok(y),
        }
    })?))
}

macro_rules! reductions {
    ($($name:ident $kind:ident $doc:literal;)*) => { $(
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (x, /, axis=None, *, keepdims=false))]
        pub fn $name(py: Python<'_>, x: &Bound<'_, PyAny>, axis: AxisArg, keepdims: bool) -> PyResult<PyArray> {
            reduce_array(py, Kind::$kind, stringify!($name), array(stringify!($name), x)?, &axis, None, keepdims)
        }
    )* };
}
reductions! {
    max Max "Largest element over the axes; NaN wins, ties share the gradient, complex numbers compare lexicographically.";
    min Min "Smallest element over the axes; NaN wins, ties share the gradient, complex numbers compare lexicographically.";
    any Any "Truth of some element being true over the axes; NaN is true.";
    all All "Truth of every element being true over the axes; NaN is true.";
    count_nonzero CountNonzero "Number of elements that are not 0 over the axes, int64.";
}

/// Sum over the axes by a fixed tree, in int64 or uint64 for integers; floats accumulate in double precision.
#[pyfunction]
#[pyo3(signature = (x, /, axis=None, dtype=None, *, keepdims=false))]
pub fn sum(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    axis: AxisArg,
    dtype: Option<&Bound<'_, PyAny>>,
    keepdims: bool,
) -> PyResult<PyArray> {
    reduce_array(py, Kind::Sum, "sum", array("sum", x)?, &axis, dtype, keepdims)
}

/// Product over the axes by a fixed tree, in int64 or uint64 for integers; its gradient is exact with zeros too.
#[pyfunction]
#[pyo3(signature = (x, /, axis=None, dtype=None, *, keepdims=false))]
pub fn prod(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    axis: AxisArg,
    dtype: Option<&Bound<'_, PyAny>>,
    keepdims: bool,
) -> PyResult<PyArray> {
    reduce_array(py, Kind::Prod, "prod", array("prod", x)?, &axis, dtype, keepdims)
}

fn arg_extremum(py: Python<'_>, kind: Kind, x: &Bound<'_, PyAny>, axis: Option<i64>, keepdims: bool) -> PyResult<PyArray> {
    let op = if kind == Kind::ArgMax { "argmax" } else { "argmin" };
    let x = array(op, x)?;
    let axis = axis.map(|a| ShapeArg(vec![a]));
    reduce_array(py, kind, op, x, &axis, None, keepdims)
}

/// Position of the first largest element along an axis, or in the flattened array; int64.
#[pyfunction]
#[pyo3(signature = (x, /, axis=None, *, keepdims=false))]
pub fn argmax(py: Python<'_>, x: &Bound<'_, PyAny>, axis: Option<i64>, keepdims: bool) -> PyResult<PyArray> {
    arg_extremum(py, Kind::ArgMax, x, axis, keepdims)
}

/// Position of the first smallest element along an axis, or in the flattened array; int64.
#[pyfunction]
#[pyo3(signature = (x, /, axis=None, *, keepdims=false))]
pub fn argmin(py: Python<'_>, x: &Bound<'_, PyAny>, axis: Option<i64>, keepdims: bool) -> PyResult<PyArray> {
    arg_extremum(py, Kind::ArgMin, x, axis, keepdims)
}

pub fn matmul_arrays(py: Python<'_>, a: Array, b: Array) -> PyResult<Array> {
    let work = a.size().saturating_mul(b.shape().last().copied().unwrap_or(1));
    run(py, work, || ops::matmul::matmul_vectors(&a, &b))
}

/// Matrix product of (..., n, k) and (..., k, m) arrays; leading axes broadcast, 1-d operands are a row and a column.
#[pyfunction]
#[pyo3(signature = (x1, x2, /))]
pub fn matmul(py: Python<'_>, x1: &Bound<'_, PyAny>, x2: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    Ok(wrap(matmul_arrays(py, array("matmul", x1)?, array("matmul", x2)?)?))
}

macro_rules! methods {
    ($($name:ident)*) => {
        #[pymethods]
        impl PyArray {
            $(
                #[pyo3(signature = (axis=None, *, keepdims=false))]
                fn $name(slf: &Bound<'_, Self>, axis: AxisArg, keepdims: bool) -> PyResult<PyArray> {
                    $name(slf.py(), slf, axis, keepdims)
                }
            )*
        }
    };
}
methods!(max min any all);

#[pymethods]
impl PyArray {
    #[pyo3(signature = (axis=None, dtype=None, *, keepdims=false))]
    fn sum(slf: &Bound<'_, Self>, axis: AxisArg, dtype: Option<&Bound<'_, PyAny>>, keepdims: bool) -> PyResult<PyArray> {
        sum(slf.py(), slf, axis, dtype, keepdims)
    }
    #[pyo3(signature = (axis=None, dtype=None, *, keepdims=false))]
    fn prod(slf: &Bound<'_, Self>, axis: AxisArg, dtype: Option<&Bound<'_, PyAny>>, keepdims: bool) -> PyResult<PyArray> {
        prod(slf.py(), slf, axis, dtype, keepdims)
    }
}

