//! The primitives as Python functions; formulas over them live in the Python package.
// What PyO3 generates for methods inside our macros is checked as if we had written it.
#![allow(unsafe_op_in_unsafe_fn)]

use crate::array::PyArray;
use crate::convert::{self, AxisArg, ShapeArg, Value, array, axes, run};
use crate::dtype::{self, parse_opt};
use crate::error::IntoPy;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sciarray_core::index;
use sciarray_core::ops::{
    self, decompositions, determinant, fft as transform, filter, gather, linalg, lu as triangles, reduce, scan,
    softmax as shares, sort as order, structural,
};
use sciarray_core::shape::{self, Axes, Shape};
use sciarray_core::{Array, DType, apply, apply1};
use sciarray_kernels::reduce::Reduce as Kind;
use sciarray_kernels::scan::Scan as ScanKind;

fn wrap(value: Array) -> PyArray {
    PyArray::new(value)
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

/// The same values on the device of this name, which was readied.
#[pyfunction]
pub fn to(py: Python<'_>, x: Value, device: &str) -> PyResult<PyArray> {
    let Value(x) = x;
    let device = device.parse().py()?;
    Ok(wrap(run(py, x.size(), || ops::to(&x, device))?))
}

#[pyfunction]
pub fn copy(py: Python<'_>, x: Value) -> PyResult<PyArray> {
    let Value(x) = x;
    Ok(wrap(run(py, x.size(), || apply1(&structural::Copy, &[&x]))?))
}

/// The elements in the order "C" or "F" ("A" is "C") in a shape, one length of which may be -1.
pub fn reshaped(x: &Array, shape: ShapeArg, order: &str, copy: Option<bool>) -> PyResult<Array> {
    let y = match order {
        "C" | "A" => ops::reshape(x, &target_shape(x, &shape)?),
        "F" => {
            let mut target = target_shape(x, &shape)?;
            target.reverse();
            ops::transpose(x).and_then(|x| ops::reshape(&x, &target)).and_then(|y| ops::transpose(&y))
        }
        _ => {
            return Err(PyValueError::new_err(format!("reshape: order must be 'C', 'F' or 'A', got '{order}'")));
        }
    };
    if copy == Some(true) { y.and_then(|y| apply1(&structural::Copy, &[&y])).py() } else { y.py() }
}

fn target_shape(x: &Array, shape: &ShapeArg) -> PyResult<Shape> {
    let unknown = shape.0.iter().filter(|&&n| n == -1).count();
    if unknown > 1 {
        return Err(PyValueError::new_err(format!("reshape: only one dimension can be -1, got {:?}", shape.0)));
    }
    if unknown == 1 {
        let known: i64 = shape.0.iter().filter(|&&n| n != -1).product();
        let size = x.size() as i64;
        if known == 0 || size % known != 0 {
            return Err(PyValueError::new_err(format!(
                "reshape: an array of {size} elements cannot have shape {:?}",
                shape.0
            )));
        }
        ShapeArg(shape.0.iter().map(|&n| if n == -1 { size / known } else { n }).collect()).sizes("reshape")
    } else {
        shape.sizes("reshape")
    }
}

#[pyfunction]
#[pyo3(signature = (x, shape, order="C", copy=None))]
pub fn reshape(x: &Bound<'_, PyAny>, shape: ShapeArg, order: &str, copy: Option<bool>) -> PyResult<PyArray> {
    Ok(wrap(reshaped(&array("reshape", x)?, shape, order, copy)?))
}

pub fn permuted(x: &Array, axes: &ShapeArg) -> PyResult<Array> {
    let order: Axes =
        axes.0.iter().map(|&a| shape::normalize_axis("permute_dims", a, x.ndim())).collect::<Result<_, _>>().py()?;
    ops::permute(x, &order).py()
}

#[pyfunction]
pub fn permute_dims(x: &Bound<'_, PyAny>, axes: ShapeArg) -> PyResult<PyArray> {
    Ok(wrap(permuted(&array("permute_dims", x)?, &axes)?))
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
            Some(d) if !d.is_integer() || x.dtype().is_inexact() => ops::cast(&x, d)?,
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

fn arg_extremum(
    py: Python<'_>,
    kind: Kind,
    x: &Bound<'_, PyAny>,
    axis: Option<i64>,
    keepdims: bool,
) -> PyResult<PyArray> {
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

/// Coordinates of the elements that are not 0, one int64 array per axis.
#[pyfunction]
#[pyo3(signature = (x, /))]
pub fn nonzero<'py>(py: Python<'py>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let x = array("nonzero", x)?;
    let found = index::nonzero(&x).py()?;
    PyTuple::new(py, found.into_iter().map(wrap).collect::<Vec<_>>())
}

fn along(op: &str, axis: i64, x: &Array) -> PyResult<usize> {
    shape::normalize_axis(op, axis, x.ndim()).py()
}

/// Elements of ``x`` at int64 ``indices`` along an axis; the shapes agree on the other axes.
#[pyfunction]
#[pyo3(signature = (x, indices, axis=-1))]
pub fn take_along_axis(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: i64,
) -> PyResult<PyArray> {
    let (x, i) = (array("take_along_axis", x)?, array("take_along_axis", indices)?);
    let axis = along("take_along_axis", axis, &x)?;
    let i = if i.dtype().is_integer() { ops::cast(&i, DType::I64).py()? } else { i };
    Ok(wrap(run(py, i.size(), || apply1(&gather::TakeAlongAxis(axis), &[&x, &i]))?))
}

macro_rules! scans {
    ($($name:ident $kind:ident $doc:literal;)*) => { $(
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (x, axis, reverse=false, exclusive=false))]
        pub fn $name(py: Python<'_>, x: &Bound<'_, PyAny>, axis: i64, reverse: bool, exclusive: bool) -> PyResult<PyArray> {
            let x = array(stringify!($name), x)?;
            let axis = along(stringify!($name), axis, &x)?;
            let op = scan::Scan { kind: ScanKind::$kind, axis, reverse, exclusive };
            Ok(wrap(run(py, x.size(), || apply1(&op, &[&x]))?))
        }
    )* };
}
scans! {
    cumsum Sum "Cumulative sum along an axis; with ``exclusive`` an element does not count itself.";
    cumprod Prod "Cumulative product along an axis; its gradient is exact with zeros too.";
}

/// ``y[i] = b[i] + a[i] * y[i - 1]`` along an axis, from the end with ``reverse``.
#[pyfunction]
#[pyo3(signature = (a, b, axis=-1, reverse=false))]
pub fn recurrence(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    axis: i64,
    reverse: bool,
) -> PyResult<PyArray> {
    let (a, b) = ops::promoted(&array("recurrence", a)?, &array("recurrence", b)?).py()?;
    let axis = along("recurrence", axis, &b)?;
    Ok(wrap(run(py, b.size(), || apply1(&scan::Recurrence { axis, reverse }, &[&a, &b]))?))
}

/// ``y``, the softmax of ``x`` over the axes, with its derivatives in ``x``: ``y`` itself has none.
#[pyfunction]
#[pyo3(signature = (x, y, axis=None))]
pub fn softmax(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, axis: AxisArg) -> PyResult<PyArray> {
    let (x, y) = (array("softmax", x)?, array("softmax", y)?);
    let axes = axes("softmax", &axis, x.ndim())?;
    Ok(wrap(shares::softmax(&x, &y, &axes).py()?))
}

/// ``y[t] = x[t] - sum_k a[.., k - 1] * y[t - k]`` along the last axis, from the end with ``reverse``; ``a`` is
/// (..., 1 or n, order) for ``x`` (..., n).
#[pyfunction]
#[pyo3(signature = (a, x, reverse=false))]
pub fn allpole(py: Python<'_>, a: &Bound<'_, PyAny>, x: &Bound<'_, PyAny>, reverse: bool) -> PyResult<PyArray> {
    let (a, x) = ops::promoted(&array("allpole", a)?, &array("allpole", x)?).py()?;
    let op = filter::AllPole { reverse, delayed: false };
    Ok(wrap(run(py, 4 * x.size(), || apply1(&op, &[&a, &x]))?))
}

/// ``y[t] = sum_j b[j] x[t + offset - j]`` along the last axis for ``t < len``, x being 0 outside its range.
#[pyfunction]
pub fn fir(py: Python<'_>, b: &Bound<'_, PyAny>, x: &Bound<'_, PyAny>, offset: isize, len: usize) -> PyResult<PyArray> {
    let (b, x) = ops::promoted(&array("fir", b)?, &array("fir", x)?).py()?;
    let work = x.size().max(len).saturating_mul(b.shape().last().copied().unwrap_or(1));
    Ok(wrap(run(py, work, || apply1(&filter::Fir { offset, len }, &[&b, &x]))?))
}

/// Elements in order along an axis, NaNs last; always stable.
#[pyfunction]
#[pyo3(signature = (x, axis, descending=false))]
pub fn sort(py: Python<'_>, x: &Bound<'_, PyAny>, axis: i64, descending: bool) -> PyResult<PyArray> {
    let x = array("sort", x)?;
    let axis = along("sort", axis, &x)?;
    Ok(wrap(run(py, 8 * x.size(), || apply1(&order::Sort { axis, descending }, &[&x]))?))
}

/// Indices that sort along an axis, NaNs last; equal elements keep their order.
#[pyfunction]
#[pyo3(signature = (x, axis, descending=false))]
pub fn argsort(py: Python<'_>, x: &Bound<'_, PyAny>, axis: i64, descending: bool) -> PyResult<PyArray> {
    let x = array("argsort", x)?;
    let axis = along("argsort", axis, &x)?;
    Ok(wrap(run(py, 8 * x.size(), || apply1(&order::ArgSort { axis, descending }, &[&x]))?))
}

/// Where ``values`` belong in a sorted 1-d array; ``side`` is "left" or "right" of equal elements.
#[pyfunction]
#[pyo3(signature = (sorted, values, side="left"))]
pub fn searchsorted(
    py: Python<'_>,
    sorted: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    side: &str,
) -> PyResult<PyArray> {
    let right = match side {
        "left" => false,
        "right" => true,
        _ => return Err(PyValueError::new_err(format!("searchsorted: side must be 'left' or 'right', got {side:?}"))),
    };
    let (a, v) = ops::promoted(&array("searchsorted", sorted)?, &array("searchsorted", values)?).py()?;
    Ok(wrap(run(py, 8 * v.size(), || apply1(&order::SearchSorted { right }, &[&a, &v]))?))
}

/// A transform along one axis: kind "fft", "ifft", "rfft" or "irfft", of length ``n``, times ``scale``.
#[pyfunction]
pub fn fft(py: Python<'_>, kind: &str, x: &Bound<'_, PyAny>, n: usize, axis: i64, scale: f64) -> PyResult<PyArray> {
    let kind = match kind {
        "fft" => transform::Kind::Forward,
        "ifft" => transform::Kind::Inverse,
        "rfft" => transform::Kind::Real,
        _ => transform::Kind::Hermitian,
    };
    let x = array("fft", x)?;
    let axis = along("fft", axis, &x)?;
    Ok(wrap(run(py, 4 * x.size().max(n), || apply1(&transform::Fft { kind, axis, n, scale }, &[&x]))?))
}

/// A cosine or sine transform of type ``kind`` from 1 to 4 along one axis, of length ``n``, times ``scale``, with the weight
/// ``first`` for frequency 0 or, in type 1, for the ends.
#[pyfunction]
pub fn dct(
    py: Python<'_>,
    kind: usize,
    sine: bool,
    x: &Bound<'_, PyAny>,
    n: usize,
    axis: i64,
    first: f64,
    scale: f64,
) -> PyResult<PyArray> {
    let x = array("dct", x)?;
    let axis = along("dct", axis, &x)?;
    let op = transform::Cosine { kind, sine, axis, n, first, scale };
    Ok(wrap(run(py, 4 * x.size().max(n), || apply1(&op, &[&x]))?))
}

/// x of A x = b for (..., n, n) and (..., n, k).
#[pyfunction]
pub fn solve(py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let (a, b) = inexact2("solve", a, b)?;
    let work = a.size().saturating_mul(a.shape().last().copied().unwrap_or(1));
    Ok(wrap(run(py, work, || linalg::solve(&a, &b))?))
}

/// The triangular factor of Hermitian positive definite (..., n, n).
#[pyfunction]
pub fn cholesky(py: Python<'_>, a: &Bound<'_, PyAny>, upper: bool) -> PyResult<PyArray> {
    let a = inexact(&array("cholesky", a)?).py()?;
    let work = a.size().saturating_mul(a.shape().last().copied().unwrap_or(1));
    Ok(wrap(run(py, work, || apply1(&linalg::Cholesky { upper }, &[&a]))?))
}

/// x of T x = b, or of T^H x = b, for a triangular (..., n, n).
#[pyfunction]
pub fn solve_triangular(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    lower: bool,
    unit: bool,
    adjoint: bool,
) -> PyResult<PyArray> {
    let (a, b) = inexact2("solve_triangular", a, b)?;
    let work = a.size().saturating_mul(b.shape().last().copied().unwrap_or(1));
    Ok(wrap(run(py, work, || apply1(&linalg::SolveTriangular { lower, unit, adjoint }, &[&a, &b]))?))
}

/// A matrix argument and the work of a factorization.
fn matrix(op: &str, a: &Bound<'_, PyAny>) -> PyResult<(Array, usize)> {
    let a = inexact(&array(op, a)?).py()?;
    let work = a.size().saturating_mul(a.shape().last().copied().unwrap_or(1));
    Ok((a, work))
}

macro_rules! factorizations {
    ($($name:ident($($arg:ident: $t:ty),*) = $op:expr; $doc:literal)*) => { $(
        #[doc = $doc]
        #[pyfunction]
        pub fn $name<'py>(py: Python<'py>, a: &Bound<'py, PyAny>, $($arg: $t),*) -> PyResult<Bound<'py, PyTuple>> {
            let (a, work) = matrix(stringify!($name), a)?;
            let outs = run(py, 4 * work, || apply(&$op, &[&a]))?;
            PyTuple::new(py, outs.into_iter().map(wrap).collect::<Vec<_>>())
        }
    )* };
}
factorizations! {
    eigh(upper: bool) = decompositions::Eigh { upper, vectors: true };
        "Ascending eigenvalues and eigenvectors of Hermitian (..., n, n), of which one triangle is read."
    eig() = decompositions::Eig { vectors: true };
        "Eigenvalues and right eigenvectors of (..., n, n), complex."
    svd(full: bool) = decompositions::Svd { vectors: true, full };
        "U, descending singular values and V^H of (..., m, n)."
    qr(complete: bool, pivoting: bool) = decompositions::Qr { complete, pivoting };
        "Q and R of (..., m, n), and with pivoting the order of columns."
    lu() = triangles::Lu;
        "LU factors in one matrix, exchanges of rows, and the order they lead to, of (..., n, n)."
    ldl(lower: bool, hermitian: bool) = triangles::Ldl { lower, hermitian };
        "L, D and the order of rows of P A P^T = L D L^H of (..., n, n)."
    schur() = triangles::Similarity { schur: true };
        "T and Z of A = Z T Z^H of (..., n, n)."
    hessenberg() = triangles::Similarity { schur: false };
        "H and Q of A = Q H Q^H of (..., n, n)."
    slogdet() = determinant::SlogDet;
        "Sign and logarithm of the magnitude of determinants."
}

macro_rules! matrix_functions {
    ($($name:ident($($arg:ident: $t:ty),*) = |$a:ident| $value:expr; $doc:literal)*) => { $(
        #[doc = $doc]
        #[pyfunction]
        pub fn $name(py: Python<'_>, a: &Bound<'_, PyAny>, $($arg: $t),*) -> PyResult<PyArray> {
            let ($a, work) = matrix(stringify!($name), a)?;
            Ok(wrap(run(py, work, || $value)?))
        }
    )* };
}
matrix_functions! {
    eigvalsh(upper: bool) = |a| decompositions::eigvalsh(&a, upper);
        "Ascending eigenvalues of Hermitian (..., n, n)."
    eigvals() = |a| decompositions::eigvals(&a);
        "Eigenvalues of (..., n, n), complex."
    qr_r() = |a| decompositions::qr_r(&a);
        "R of the reduced QR decomposition of (..., m, n) alone."
    svdvals() = |a| decompositions::svdvals(&a);
        "Descending singular values of (..., m, n)."
    inv() = |a| apply1(&determinant::Inv, &[&a]);
        "Inverses of (..., n, n)."
    det() = |a| apply1(&determinant::Det, &[&a]);
        "Determinants of (..., n, n)."
}

/// x of A x = b for banded matrices (..., lower + upper + 1, n) and (..., n, k), without a derivative.
#[pyfunction]
pub fn solve_banded(
    py: Python<'_>,
    lower: usize,
    upper: usize,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
) -> PyResult<PyArray> {
    let (a, b) = inexact2("solve_banded", a, b)?;
    let work = a.size().saturating_mul(lower + 1);
    Ok(wrap(run(py, work, || apply1(&triangles::SolveBanded { lower, upper }, &[&a, &b]))?))
}

/// The order of rows to which exchanges (..., n), as `lu` returns them, lead.
#[pyfunction]
pub fn row_order(piv: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    Ok(wrap(apply1(&triangles::RowOrder, &[&array("lu_solve", piv)?]).py()?))
}

/// How many threads share the work of one call.
#[pyfunction]
pub fn num_threads() -> usize {
    sciarray_kernels::pool::num_threads()
}

/// Sets that number for the process; 0 restores the default. Returns what was set before.
#[pyfunction]
pub fn set_num_threads(n: usize) -> usize {
    sciarray_kernels::pool::set_num_threads(n)
}

/// Names the file of OpenBLAS's LAPACK, which is opened when it is first needed.
#[pyfunction]
pub fn set_lapack_path(path: &str) {
    sciarray_kernels::linalg::set_lapack_path(path);
}

/// Whether LAPACK could be opened.
#[pyfunction]
pub fn has_lapack() -> bool {
    sciarray_kernels::linalg::has_lapack()
}

/// Whether a bad matrix makes its batch item NaN instead of raising; returns what held before.
#[pyfunction]
pub fn exchange_nan_on_failure(on: bool) -> bool {
    linalg::set_nan_on_failure(on)
}

/// Integers and bool as float64.
fn inexact(x: &Array) -> sciarray_core::Result<Array> {
    ops::cast(x, if x.dtype().is_inexact() { x.dtype() } else { sciarray_core::dtype::DEFAULT_FLOAT })
}

fn inexact2(op: &str, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<(Array, Array)> {
    let (a, b) = (array(op, a)?, array(op, b)?);
    ops::promoted(&inexact(&a).py()?, &inexact(&b).py()?).py()
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
    fn sum(
        slf: &Bound<'_, Self>,
        axis: AxisArg,
        dtype: Option<&Bound<'_, PyAny>>,
        keepdims: bool,
    ) -> PyResult<PyArray> {
        sum(slf.py(), slf, axis, dtype, keepdims)
    }
    #[pyo3(signature = (axis=None, dtype=None, *, keepdims=false))]
    fn prod(
        slf: &Bound<'_, Self>,
        axis: AxisArg,
        dtype: Option<&Bound<'_, PyAny>>,
        keepdims: bool,
    ) -> PyResult<PyArray> {
        prod(slf.py(), slf, axis, dtype, keepdims)
    }
}
