//! `sciarray.Array`: operators and attributes. Methods that are formulas are added by the Python package.
#![allow(unsafe_code)]
// What PyO3 generates for methods inside our macros is checked as if we had written it.
#![allow(unsafe_op_in_unsafe_fn)]

use crate::convert::{self, Arg, ShapeArg};
use crate::dtype::{self, PyDType};
use crate::error::IntoPy;
use crate::{buffer, functions, index, record_api, ufunc};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use sciarray_core::grad::{self, Link};
use sciarray_core::ops::elementwise::{self as rows, Elementwise};
use sciarray_core::record::{self, Read};
use sciarray_core::{Array, DType, Scalar, ops};
use std::cell::UnsafeCell;

/// An n-dimensional array of one dtype, with value semantics: no write ever reaches another array.
#[pyclass(name = "Array", module = "sciarray", weakref, frozen, skip_from_py_object)]
pub struct PyArray(UnsafeCell<Array>);

// SAFETY: the cell is read and replaced by methods alone, which run while their thread holds the interpreter lock.
unsafe impl Sync for PyArray {}

impl PyArray {
    #[inline]
    pub fn new(mut value: Array) -> PyArray {
        if record::is_open() {
            record::adopt(&mut value);
        }
        PyArray(UnsafeCell::new(value))
    }

    /// The value for a computation; one that is older than the open recording becomes an input of it.
    #[inline]
    pub fn read(slf: &Bound<'_, PyArray>) -> Array {
        if record::is_open() {
            record_api::observe(slf);
        }
        slf.get().value()
    }

    #[inline]
    pub fn value(&self) -> Array {
        // SAFETY: nobody writes while this thread holds the lock; cloning runs no Python code.
        unsafe { (*self.0.get()).clone() }
    }

    /// The value without counting a reference.
    ///
    /// # Safety
    /// While the result lives the caller runs no Python code and keeps the interpreter lock.
    #[inline]
    pub unsafe fn peek(&self) -> &Array {
        // SAFETY: the caller's contract: nothing replaces the value meanwhile.
        unsafe { &*self.0.get() }
    }

    /// Puts another value in place and returns the old one, which the caller drops.
    #[inline]
    pub fn replace(&self, value: Array) -> Array {
        // SAFETY: no reference into the cell lives but those of `peek`, during which nothing is called that could get here.
        unsafe { std::mem::replace(&mut *self.0.get(), value) }
    }
}

/// `x op y`; NotImplemented where `y` is nothing we know, so that Python asks `y`.
fn binary(
    slf: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
    row: &'static Elementwise,
    reflected: bool,
) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let mut pair = [slf.as_any().as_borrowed(), other.as_borrowed()];
    if reflected {
        pair.reverse();
    }
    if let Some(y) = ufunc::call_small(row, &pair) {
        return Ok(PyArray::wrap(py, y?)?.into_any().unbind());
    }
    let Some(theirs) = convert::try_arg(other)? else { return Ok(py.NotImplemented()) };
    let ours = Arg::Array(PyArray::read(slf));
    let mut args = if reflected { [theirs, ours] } else { [ours, theirs] };
    Ok(PyArray::wrap(py, ufunc::call(py, row, &mut args)?)?.into_any().unbind())
}

impl PyArray {
    #[inline]
    pub fn wrap(py: Python<'_>, value: Array) -> PyResult<Bound<'_, PyArray>> {
        Bound::new(py, PyArray::new(value))
    }

    fn unary(slf: &Bound<'_, Self>, row: &'static Elementwise) -> PyResult<PyArray> {
        let x = Self::read(slf);
        Ok(PyArray::new(convert::run(slf.py(), x.size(), || ops::elementwise(row, &[&x]))?))
    }

    /// The `requires_grad` leaf that this array is.
    pub fn leaf(&self) -> Option<Link> {
        self.value().link().filter(|l| l.node.is_leaf()).cloned()
    }

    /// After an in-place update: outside the tape it moves a leaf and leaves it one, with its gradient, which is what
    /// optimizers do.
    pub fn keep_leaf(&self, old: Option<Link>) {
        if let Some(old) = old
            && grad::open_scopes() & grad::TAPE == 0
        {
            let x = grad::tape_leaf(&self.value());
            x.link().expect("a leaf has a link").node.set_grad(old.node.grad());
            self.replace(x);
        }
    }

    fn in_place(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        row: &'static Elementwise,
        symbol: &str,
    ) -> PyResult<()> {
        let py = slf.py();
        let ours = Self::read(slf);
        let (dtype, shape) = (ours.dtype(), ours.owned_meta().shape);
        let y = ufunc::call(py, row, &mut [Arg::Array(ours), convert::arg(symbol, other)?])?;
        if y.shape() != &shape[..] {
            return Err(PyValueError::new_err(format!(
                "{symbol}: the result must have the shape of the left side {}, got {}",
                sciarray_core::shape::Tuple(&shape),
                sciarray_core::shape::Tuple(y.shape())
            )));
        }
        let kind = |d: sciarray_core::DType| {
            (d.is_inexact() || d.is_integer()) as u8 + d.is_inexact() as u8 + d.is_complex() as u8
        };
        if kind(y.dtype()) > kind(dtype) {
            return Err(PyTypeError::new_err(format!(
                "{symbol}: the result of dtype {} cannot be stored in an array of dtype {}",
                y.dtype().name(),
                dtype.name()
            )));
        }
        let y = ops::cast(&y, dtype).py()?;
        let leaf = slf.get().leaf();
        slf.get().replace(y);
        slf.get().keep_leaf(leaf);
        Ok(())
    }

    /// The only element. In a recording a `guard` lets the program go on as it did now; others are refused.
    fn single(slf: &Bound<'_, Self>, what: &str, guard: Option<Read>) -> PyResult<Scalar> {
        let x = Self::read(slf);
        if x.size() != 1 {
            return Err(PyTypeError::new_err(format!(
                "{what}: only arrays of one element can be converted to a scalar, got shape {}",
                sciarray_core::shape::Tuple(x.shape())
            )));
        }
        match guard {
            Some(read) => record::guard(&x, read).py()?,
            None => record_api::refuse_read(&x, what)?,
        }
        Ok(x.to_cpu().py()?.get(0))
    }

    fn scalar_as<'py>(
        slf: &Bound<'py, Self>,
        python_type: &str,
        what: &str,
        guard: Option<Read>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let v = convert::scalar_to_py(slf.py(), Self::single(slf, what, guard)?)?;
        slf.py().import("builtins")?.getattr(python_type)?.call1((v,))
    }
}

macro_rules! operators {
    (binary { $($forward:ident $reflected:ident $inplace:ident $row:ident $symbol:literal;)* }
     unary { $($unary:ident $unary_row:ident;)* }) => {
        #[pymethods]
        impl PyArray {
            $(
                fn $forward(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    binary(slf, other, &rows::$row, false)
                }
                fn $reflected(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    binary(slf, other, &rows::$row, true)
                }
                fn $inplace(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
                    PyArray::in_place(slf, other, &rows::$row, $symbol)
                }
            )*
            $(
                fn $unary(slf: &Bound<'_, Self>) -> PyResult<PyArray> {
                    PyArray::unary(slf, &rows::$unary_row)
                }
            )*
        }
    };
}

operators! {
    binary {
    __add__ __radd__ __iadd__ ADD "+=";
    __sub__ __rsub__ __isub__ SUBTRACT "-=";
    __mul__ __rmul__ __imul__ MULTIPLY "*=";
    __truediv__ __rtruediv__ __itruediv__ DIVIDE "/=";
    __floordiv__ __rfloordiv__ __ifloordiv__ FLOOR_DIVIDE "//=";
    __mod__ __rmod__ __imod__ REMAINDER "%=";
    __and__ __rand__ __iand__ BITWISE_AND "&=";
    __or__ __ror__ __ior__ BITWISE_OR "|=";
    __xor__ __rxor__ __ixor__ BITWISE_XOR "^=";
    __lshift__ __rlshift__ __ilshift__ BITWISE_LEFT_SHIFT "<<=";
    __rshift__ __rrshift__ __irshift__ BITWISE_RIGHT_SHIFT ">>=";
    }
    unary {
    __neg__ NEGATIVE;
    __pos__ POSITIVE;
    __abs__ ABS;
    __invert__ BITWISE_INVERT;
    }
}

#[pymethods]
impl PyArray {
    fn __richcmp__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let row = match op {
            CompareOp::Lt => &rows::LESS,
            CompareOp::Le => &rows::LESS_EQUAL,
            CompareOp::Eq => &rows::EQUAL,
            CompareOp::Ne => &rows::NOT_EQUAL,
            CompareOp::Gt => &rows::GREATER,
            CompareOp::Ge => &rows::GREATER_EQUAL,
        };
        binary(slf, other, row, false)
    }

    fn __hash__(&self) -> PyResult<isize> {
        Err(PyTypeError::new_err("unhashable type: 'sciarray.Array'"))
    }

    fn __pow__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, _modulo: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        // The square has one rounding, and is the power that is asked for most.
        if let Some((Scalar::Int(2), _)) = convert::scalar(other)?
            && slf.get().value().dtype() != DType::Bool
        {
            let y = PyArray::unary(slf, &rows::SQUARE)?;
            return Ok(Bound::new(slf.py(), y)?.into_any().unbind());
        }
        binary(slf, other, &rows::POW, false)
    }
    fn __rpow__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, _modulo: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, other, &rows::POW, true)
    }
    fn __ipow__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, _modulo: &Bound<'_, PyAny>) -> PyResult<()> {
        PyArray::in_place(slf, other, &rows::POW, "**=")
    }

    fn __matmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        matmul_operator(slf, other, false)
    }
    fn __rmatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        matmul_operator(slf, other, true)
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.value().shape())
    }
    #[getter]
    fn ndim(&self) -> usize {
        self.value().ndim()
    }
    #[getter]
    fn size(&self) -> usize {
        self.value().size()
    }
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDType>> {
        dtype::to_py(py, self.value().dtype())
    }
    /// Bytes per element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.value().dtype().size()
    }
    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> usize {
        self.value().size() * self.value().dtype().size()
    }
    /// Where the elements lie: ``cpu``, ``cuda:0`` and so on.
    #[getter]
    fn device(&self) -> String {
        self.value().device().to_string()
    }
    /// In bytes, as in NumPy.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let item = self.value().dtype().size() as isize;
        PyTuple::new(py, self.value().strides().iter().map(|s| s * item))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.value().shape().first().copied().ok_or_else(|| PyTypeError::new_err("len() of a 0-d array"))
    }
    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let n = slf.get().value().size();
        if n != 1 {
            return Err(PyValueError::new_err(format!(
                "bool: the truth of an array of {n} elements is ambiguous, use any() or all()"
            )));
        }
        Ok(match Self::single(slf, "bool", Some(Read::Bool))? {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::UInt(u) => u != 0,
            Scalar::Float(f) => f != 0.0,
            Scalar::Complex(z) => z.re != 0.0 || z.im != 0.0,
        })
    }
    fn __float__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::scalar_as(slf, "float", "float", None)
    }
    fn __int__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::scalar_as(slf, "int", "int", Some(Read::Int))
    }
    fn __complex__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::scalar_as(slf, "complex", "complex", None)
    }
    fn __index__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let x = slf.get().value();
        if !x.dtype().is_integer() || x.ndim() != 0 {
            return Err(PyTypeError::new_err(format!(
                "index: only 0-d integer arrays can be used as an index, got {} of shape {}",
                x.dtype().name(),
                sciarray_core::shape::Tuple(x.shape())
            )));
        }
        convert::scalar_to_py(slf.py(), Self::single(slf, "index", Some(Read::Int))?)
    }

    /// The elements in a new shape, given as numbers or as a tuple; see ``reshape``.
    #[pyo3(signature = (*shape, order="C", copy=None))]
    fn reshape(
        slf: &Bound<'_, Self>,
        shape: &Bound<'_, PyTuple>,
        order: &str,
        copy: Option<bool>,
    ) -> PyResult<PyArray> {
        Ok(PyArray::new(functions::reshaped(&Self::read(slf), several(shape)?, order, copy)?))
    }
    /// The axes in another order, reversed unless told otherwise; see ``transpose``.
    #[pyo3(signature = (*axes))]
    fn transpose(slf: &Bound<'_, Self>, axes: &Bound<'_, PyTuple>) -> PyResult<PyArray> {
        if axes.is_empty() || (axes.len() == 1 && axes.get_item(0)?.is_none()) {
            return Self::reversed(slf);
        }
        Ok(PyArray::new(functions::permuted(&Self::read(slf), &several(axes)?)?))
    }
    /// The axes in reverse order.
    #[getter(T)]
    fn reversed(slf: &Bound<'_, Self>) -> PyResult<PyArray> {
        Ok(PyArray::new(ops::transpose(&Self::read(slf)).py()?))
    }
    /// Transposed matrices: (..., m, n) becomes (..., n, m).
    #[getter(mT)]
    fn matrix_transpose(slf: &Bound<'_, Self>) -> PyResult<PyArray> {
        let x = Self::read(slf);
        if x.ndim() < 2 {
            return Err(PyValueError::new_err(format!(
                "matrix_transpose: at least two axes are required, got shape {}",
                sciarray_core::shape::Tuple(x.shape())
            )));
        }
        Ok(PyArray::new(ops::matrix_transpose(&x).py()?))
    }

    /// The only element as a Python scalar.
    fn item<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert::scalar_to_py(slf.py(), Self::single(slf, "item", None)?)
    }

    /// The elements as nested lists of Python scalars; a scalar for a 0-d array.
    fn tolist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let x = Self::read(slf);
        record_api::refuse_read(&x, "tolist")?;
        let x = x.to_cpu().py()?;
        fn level<'py>(py: Python<'py>, x: &Array, axis: usize, at: &mut usize) -> PyResult<Bound<'py, PyAny>> {
            if axis == x.ndim() {
                *at += 1;
                return convert::scalar_to_py(py, x.get(*at - 1));
            }
            let items = (0..x.shape()[axis]).map(|_| level(py, x, axis + 1, at)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, items)?.into_any())
        }
        level(slf.py(), &x, 0, &mut 0)
    }

    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        let x = Self::read(slf);
        Ok(PyArray::new(index::get(&x, key)?))
    }
    fn __setitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        index::set(slf, key, value)
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut pyo3::ffi::Py_buffer,
        flags: std::ffi::c_int,
    ) -> PyResult<()> {
        // SAFETY: called by the interpreter with a buffer to fill.
        unsafe { buffer::export(&slf, view, flags) }
    }
    unsafe fn __releasebuffer__(&self, view: *mut pyo3::ffi::Py_buffer) {
        // SAFETY: called by the interpreter once per export.
        unsafe { buffer::release(view) }
    }

    /// Whether operations on this array are recorded for ``backward``; setting it makes the array a leaf.
    #[getter]
    fn requires_grad(&self) -> bool {
        self.value().is_tracked_by(grad::TAPE)
    }
    #[setter]
    fn set_requires_grad(slf: &Bound<'_, Self>, on: bool) -> PyResult<()> {
        let x = Self::read(slf);
        if on && !x.dtype().is_inexact() {
            return Err(PyTypeError::new_err(format!(
                "requires_grad: only float and complex arrays have gradients, got {}",
                x.dtype().name()
            )));
        }
        if on != slf.get().requires_grad() {
            slf.get().replace(if on { grad::tape_leaf(&x) } else { x.detach() });
        }
        Ok(())
    }
    /// The gradient that ``backward`` accumulated in this leaf, or None.
    #[getter]
    fn grad(slf: &Bound<'_, Self>) -> Option<PyArray> {
        let x = Self::read(slf);
        let link = x.link()?;
        if !link.node.is_leaf() {
            return None;
        }
        Some(PyArray::new(link.node.grad()?))
    }
    #[setter]
    fn set_grad(slf: &Bound<'_, Self>, g: Option<&Bound<'_, PyArray>>) -> PyResult<()> {
        let g = g.map(Self::read);
        Self::read(slf);
        match slf.get().leaf() {
            Some(l) => {
                l.node.set_grad(g);
                Ok(())
            }
            None if g.is_none() => Ok(()),
            None => Err(PyTypeError::new_err("grad: only leaves with requires_grad hold a gradient")),
        }
    }
    /// Whether this array was made by the user rather than by a differentiable operation.
    #[getter]
    fn is_leaf(&self) -> bool {
        self.value().link().is_none_or(|l| l.node.is_leaf())
    }
    /// The same values without history.
    fn detach(slf: &Bound<'_, Self>) -> PyResult<PyArray> {
        Ok(PyArray::new(ops::detach(&Self::read(slf)).py()?))
    }
}

/// `f(2, 3)` and `f((2, 3))` mean the same.
fn several(args: &Bound<'_, PyTuple>) -> PyResult<ShapeArg> {
    if args.len() == 1 { args.get_item(0)?.extract() } else { args.extract() }
}

fn matmul_operator(slf: &Bound<'_, PyArray>, other: &Bound<'_, PyAny>, reflected: bool) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let Some(Arg::Array(theirs)) = convert::try_arg(other)? else { return Ok(py.NotImplemented()) };
    let ours = PyArray::read(slf);
    let y = if reflected {
        functions::matmul_arrays(py, theirs, ours)
    } else {
        functions::matmul_arrays(py, ours, theirs)
    }?;
    Ok(PyArray::wrap(py, y)?.into_any().unbind())
}
