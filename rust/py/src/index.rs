//! What stands between the brackets of `x[...]`.
#![allow(unsafe_code)]

use crate::array::PyArray;
use crate::convert;
use crate::error::IntoPy;
use pyo3::exceptions::PyIndexError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PySlice, PyTuple};
use sciarray_core::index::{self, Item};
use sciarray_core::{Array, DType};
use smallvec::{SmallVec, smallvec};

/// The bounds of a slice, which stand for the ends where they are missing or beyond 64 bits, and its step.
fn bounds(s: &Bound<'_, PySlice>) -> PyResult<Item> {
    let (mut start, mut stop, mut step) = (0, 0, 0);
    // SAFETY: a slice object, and places for what is read.
    if unsafe { ffi::PySlice_Unpack(s.as_ptr(), &mut start, &mut stop, &mut step) } < 0 {
        return Err(PyErr::fetch(s.py()));
    }
    Ok(Item::Slice { start: start as i64, stop: stop as i64, step: step as i64 })
}

fn item(x: &Bound<'_, PyAny>) -> PyResult<Item> {
    if x.cast_exact::<PyInt>().is_ok() {
        let i =
            x.extract().map_err(|_| PyIndexError::new_err(format!("index: {x} is out of bounds for every axis")))?;
        return Ok(Item::Int(i));
    }
    if let Ok(s) = x.cast_exact::<PySlice>() {
        return bounds(s);
    }
    if x.is_none() {
        return Ok(Item::NewAxis);
    }
    if x.is_instance_of::<PyEllipsis>() {
        return Ok(Item::Ellipsis);
    }
    if let Ok(b) = x.cast_exact::<PyBool>() {
        return Ok(Item::Mask(Array::scalar(b.is_true()).py()?));
    }
    let a = convert::array("index", x)?;
    match a.dtype() {
        DType::Bool => Ok(Item::Mask(a)),
        d if d.is_integer() => Ok(Item::Ints(a)),
        // An empty list has no dtype of its own.
        _ if a.size() == 0 && x.cast::<PyArray>().is_err() => {
            Ok(Item::Ints(sciarray_core::ops::cast(&a, DType::I64).py()?))
        }
        d => Err(PyIndexError::new_err(format!(
            "index: only integers, slices, ellipsis, newaxis, integer and boolean arrays are valid indices, got an array of dtype {}",
            d.name()
        ))),
    }
}

fn items(key: &Bound<'_, PyAny>) -> PyResult<SmallVec<[Item; 2]>> {
    match key.cast::<PyTuple>() {
        Ok(t) => t.iter().map(|x| item(&x)).collect(),
        Err(_) => Ok(smallvec![item(key)?]),
    }
}

pub fn get(x: &Array, key: &Bound<'_, PyAny>) -> PyResult<Array> {
    let items = items(key)?;
    index::get(x, &items).py()
}

pub fn set(slf: &Bound<'_, PyArray>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let items = items(key)?;
    let dtype = PyArray::read(slf).dtype();
    let v = match convert::arg("setitem", value)? {
        convert::Arg::Array(a) => a,
        convert::Arg::Weak(v, w) => {
            // Stored as assignment casts, but with the range check of a Python integer.
            let v = convert::weak_array(v, w, Some(dtype))?;
            sciarray_core::ops::cast(&v, dtype).py()?
        }
    };
    if v.dtype().is_complex() && !dtype.is_complex() {
        return Err(pyo3::exceptions::PyTypeError::new_err(format!(
            "setitem: a complex value cannot be stored in an array of dtype {}",
            dtype.name()
        )));
    }
    // Out of its object for a moment, so that memory only this array holds is seen as such.
    let cell = slf.get();
    let old_leaf = cell.leaf();
    let mut x = cell.replace(Array::scalar(false).py()?);
    let outcome = index::set(&mut x, &items, &v);
    cell.replace(x);
    outcome.py()?;
    cell.keep_leaf(old_leaf);
    Ok(())
}
