//! From Python objects to arrays and back.

use crate::array::PyArray;
use crate::buffer;
use crate::error::{IntoPy, to_py};
use num_complex::Complex;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyTuple};
use sciarray_core::dtype::{Weak, promote};
use sciarray_core::shape::{Axes, Shape};
use sciarray_core::{Array, DType, Result, Scalar};

/// Work of more elements than this is done without the interpreter lock: some 50 us, against 55 ns for the round trip.
const DETACH_ELEMENTS: usize = 1 << 15;

#[inline]
pub fn is_small(elements: usize) -> bool {
    elements <= DETACH_ELEMENTS
}

/// Runs `f`, letting other Python threads go on where it will take long.
#[inline]
pub fn run<T: Send>(py: Python<'_>, elements: usize, f: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    if is_small(elements) { f().map_err(to_py) } else { py.detach(f).map_err(to_py) }
}

/// The value of an argument that is an array. It is taken out at once: a borrow that lasted while other threads run would
/// make their writes to the array fail.
pub struct Value(pub Array);

impl<'a, 'py> FromPyObject<'a, 'py> for Value {
    type Error = PyErr;
    fn extract(x: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let x = x.to_owned();
        Ok(Value(PyArray::read(x.cast::<PyArray>()?)))
    }
}

/// A function argument where NumPy takes an array-like.
pub enum Arg {
    Array(Array),
    /// A Python scalar, whose dtype yields to that of arrays.
    Weak(Scalar, Weak),
}

/// A Python scalar, if `x` is one exactly (NumPy's scalars are arrays here).
pub fn scalar(x: &Bound<'_, PyAny>) -> PyResult<Option<(Scalar, Weak)>> {
    if let Ok(f) = x.cast_exact::<PyFloat>() {
        return Ok(Some((Scalar::Float(f.value()), Weak::Float)));
    }
    if let Ok(b) = x.cast_exact::<PyBool>() {
        return Ok(Some((Scalar::Bool(b.is_true()), Weak::Bool)));
    }
    if x.cast_exact::<PyInt>().is_ok() {
        if let Ok(i) = x.extract::<i64>() {
            return Ok(Some((Scalar::Int(i), Weak::Int)));
        }
        return match x.extract::<u64>() {
            Ok(u) => Ok(Some((Scalar::UInt(u), Weak::Int))),
            Err(_) => Err(PyOverflowError::new_err(format!("Python integer {x} does not fit in 64 bits"))),
        };
    }
    if let Ok(z) = x.cast_exact::<PyComplex>() {
        return Ok(Some((Scalar::Complex(Complex::new(z.real(), z.imag())), Weak::Complex)));
    }
    Ok(None)
}

/// An array or a Python scalar; None where `x` is neither nor convertible.
pub fn try_arg(x: &Bound<'_, PyAny>) -> PyResult<Option<Arg>> {
    if let Ok(a) = x.cast_exact::<PyArray>() {
        return Ok(Some(Arg::Array(PyArray::read(a))));
    }
    if let Some((v, w)) = scalar(x)? {
        return Ok(Some(Arg::Weak(v, w)));
    }
    if x.is_none() || x.is_instance_of::<pyo3::types::PyString>() {
        return Ok(None);
    }
    if let Some(a) = buffer::import(x, true)? {
        return Ok(Some(Arg::Array(a)));
    }
    if x.hasattr("__array__")? || x.hasattr("__len__")? || x.hasattr("__dlpack__")? {
        static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let asarray = ASARRAY.import(x.py(), "sciarray", "asarray")?;
        let made = asarray.call1((x,))?;
        return Ok(Some(Arg::Array(made.cast::<PyArray>()?.get().value())));
    }
    Ok(None)
}

pub fn arg(op: &str, x: &Bound<'_, PyAny>) -> PyResult<Arg> {
    match try_arg(x)? {
        Some(a) => Ok(a),
        None => Err(PyTypeError::new_err(format!(
            "{op}: arguments must be arrays or numbers, got {}",
            x.get_type().fully_qualified_name()?
        ))),
    }
}

/// An array; a Python scalar becomes one of its default dtype.
pub fn array(op: &str, x: &Bound<'_, PyAny>) -> PyResult<Array> {
    match arg(op, x)? {
        Arg::Array(a) => Ok(a),
        Arg::Weak(v, w) => Array::scalar_of(v, w.default_dtype()).py(),
    }
}

fn in_range(v: Scalar, d: DType) -> bool {
    let Some(wide) = (match v {
        Scalar::Int(i) => Some(i as i128),
        Scalar::UInt(u) => Some(u as i128),
        _ => None,
    }) else {
        return true;
    };
    let bits = 8 * d.size() as u32;
    if d.is_signed() {
        (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&wide)
    } else if d.is_unsigned() {
        (0..1i128 << bits).contains(&wide)
    } else {
        true
    }
}

/// A Python scalar beside arrays whose dtypes meet at `d`.
pub fn weak_array(v: Scalar, w: Weak, d: Option<DType>) -> PyResult<Array> {
    let d = d.map_or(w.default_dtype(), |d| w.beside(d));
    if !in_range(v, d) {
        let shown = match v {
            Scalar::Int(i) => i.to_string(),
            Scalar::UInt(u) => u.to_string(),
            _ => String::new(),
        };
        return Err(PyOverflowError::new_err(format!("Python integer {shown} out of bounds for {}", d.name())));
    }
    Array::scalar_of(v, d).py()
}

/// Makes arrays of the Python scalars among arguments that meet: they take the dtype of the arrays beside them.
pub fn resolve(args: &mut [Arg]) -> PyResult<()> {
    if args.iter().all(|a| matches!(a, Arg::Array(_))) {
        return Ok(());
    }
    let strong = args
        .iter()
        .filter_map(|a| match a {
            Arg::Array(a) => Some(a.dtype()),
            Arg::Weak(..) => None,
        })
        .reduce(promote);
    for a in args {
        if let Arg::Weak(v, w) = *a {
            *a = Arg::Array(weak_array(v, w, strong)?);
        }
    }
    Ok(())
}

pub fn scalar_to_py(py: Python<'_>, v: Scalar) -> PyResult<Bound<'_, PyAny>> {
    Ok(match v {
        Scalar::Bool(b) => b.into_pyobject(py)?.to_owned().into_any(),
        Scalar::Int(i) => i.into_pyobject(py)?.into_any(),
        Scalar::UInt(u) => u.into_pyobject(py)?.into_any(),
        Scalar::Float(f) => f.into_pyobject(py)?.into_any(),
        Scalar::Complex(z) => PyComplex::from_doubles(py, z.re, z.im).into_any(),
    })
}

/// A shape argument: an int or a sequence of ints.
pub struct ShapeArg(pub Vec<i64>);

impl<'a, 'py> FromPyObject<'a, 'py> for ShapeArg {
    type Error = PyErr;
    fn extract(x: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // An attempt at `__index__` first would cost a tuple the making of an exception.
        if !x.is_instance_of::<PyTuple>()
            && !x.is_instance_of::<PyList>()
            && let Ok(n) = index(&x)
        {
            return Ok(ShapeArg(vec![n]));
        }
        Ok(ShapeArg(x.try_iter()?.map(|i| index(&i?)).collect::<PyResult<_>>()?))
    }
}

/// An integer by `__index__`.
pub fn index(x: &Bound<'_, PyAny>) -> PyResult<i64> {
    if let Ok(i) = x.cast_exact::<PyInt>() {
        return i.extract();
    }
    x.call_method0("__index__")?.extract()
}

impl ShapeArg {
    /// Sizes, none of them negative.
    pub fn sizes(&self, op: &str) -> PyResult<Shape> {
        self.0
            .iter()
            .map(|&n| {
                usize::try_from(n).map_err(|_| {
                    pyo3::exceptions::PyValueError::new_err(format!(
                        "{op}: negative dimensions are not allowed, got {n}"
                    ))
                })
            })
            .collect()
    }
}

/// `axis=`: None, an int or a sequence of ints.
pub type AxisArg = Option<ShapeArg>;

pub fn axes(op: &str, axis: &AxisArg, ndim: usize) -> PyResult<Axes> {
    sciarray_core::shape::normalize_axes(op, axis.as_ref().map(|a| &a.0[..]), ndim).py()
}
