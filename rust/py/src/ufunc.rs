//! Python functions for the rows of the op table: C functions made at import, because one fast call serves all rows.
#![allow(unsafe_code)]

use crate::array::PyArray;
use crate::convert::{self, Arg};
use crate::error::to_py;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use sciarray_core::ops::elementwise::{Elementwise, Promote, table};
use sciarray_core::{Array, ops};
use smallvec::SmallVec;
use std::ffi::{CString, c_char};

/// Applies a row to arguments, with Python scalars weak.
pub fn call(py: Python<'_>, row: &'static Elementwise, args: &mut [Arg]) -> PyResult<Array> {
    let (condition, values) = args.split_at_mut((row.promote == Promote::Select) as usize);
    convert::resolve(condition)?;
    convert::resolve(values)?;
    let mut refs: SmallVec<[&Array; 3]> = SmallVec::new();
    for a in args.iter() {
        if let Arg::Array(x) = a {
            refs.push(x);
        }
    }
    if let Some(check) = row.check {
        check(&refs).map_err(to_py)?;
    }
    let n = refs.iter().map(|a| a.size()).max().unwrap_or(0);
    convert::run(py, n, || ops::elementwise(row, &refs))
}

/// The same for arrays of few elements, which is what calls by the thousand are made of: no reference is counted. None where
/// an argument is something else.
#[inline]
pub fn call_small(row: &'static Elementwise, args: &[Borrowed<'_, '_, PyAny>]) -> Option<PyResult<Array>> {
    if sciarray_core::record::is_open() {
        return None;
    }
    let mut refs: SmallVec<[&Array; 3]> = SmallVec::new();
    for x in args {
        // SAFETY: nothing below runs Python code or lets go of the lock.
        let x = unsafe { x.cast_exact::<PyArray>().ok()?.get().peek() };
        if !convert::is_small(x.size()) {
            return None;
        }
        refs.push(x);
    }
    let checked = row.check.map_or(Ok(()), |check| check(&refs));
    Some(checked.and_then(|_| ops::elementwise(row, &refs)).map_err(to_py))
}

unsafe fn rows_function(
    slf: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    n: ffi::Py_ssize_t,
    kwnames: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    Python::attach(|py| {
        let body = || -> PyResult<Py<PyAny>> {
            // SAFETY: `slf` is the capsule that `function` made with the row's address.
            let row: &'static Elementwise = unsafe { &*ffi::PyCapsule_GetPointer(slf, std::ptr::null()).cast() };
            if !kwnames.is_null() {
                return Err(PyTypeError::new_err(format!("{}: takes no keyword arguments", row.name)));
            }
            if n as usize != row.args.len() {
                return Err(PyTypeError::new_err(format!(
                    "{}: takes {} arguments ({}), got {n}",
                    row.name,
                    row.args.len(),
                    row.args.join(", ")
                )));
            }
            // SAFETY: the interpreter passes `n` borrowed references.
            let objects: SmallVec<[_; 3]> =
                (0..n as usize).map(|i| unsafe { Borrowed::from_ptr(py, *args.add(i)) }).collect();
            if let Some(y) = call_small(row, &objects) {
                return Ok(PyArray::wrap(py, y?)?.into_any().unbind());
            }
            let mut values =
                objects.iter().map(|x| convert::arg(row.name, x)).collect::<PyResult<SmallVec<[Arg; 3]>>>()?;
            Ok(PyArray::wrap(py, call(py, row, &mut values)?)?.into_any().unbind())
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        match outcome {
            Ok(Ok(y)) => y.into_ptr(),
            Ok(Err(e)) => {
                e.restore(py);
                std::ptr::null_mut()
            }
            Err(_) => {
                pyo3::panic::PanicException::new_err("internal error").restore(py);
                std::ptr::null_mut()
            }
        }
    })
}

unsafe extern "C" fn entry(
    slf: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    n: ffi::Py_ssize_t,
    kwnames: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls with the method's own arguments.
    unsafe { rows_function(slf, args, n, kwnames) }
}

fn docstring(row: &Elementwise) -> String {
    let args = row.args.join(", ");
    let mut doc = format!("{}({args}, /)\n--\n\n{}\n", row.name, row.doc.trim());
    if !row.reference.is_empty() {
        doc += &format!("\nFollows ``{}``; arguments broadcast.\n", row.reference);
    }
    if !row.example.is_empty() {
        doc += "\nExample\n-------\n";
        for line in row.example.trim().lines() {
            doc += line.trim_start();
            doc.push('\n');
        }
    }
    doc
}

fn function<'py>(py: Python<'py>, row: &'static Elementwise) -> PyResult<Bound<'py, PyAny>> {
    let leak = |s: String| -> *const c_char { CString::new(s).expect("no NUL in names and docs").into_raw() };
    // Method definitions live as long as the process, as those of every extension module do.
    let def = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: leak(row.name.to_owned()),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: entry },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: leak(docstring(row)),
    }));
    let module = PyString::new(py, "sciarray");
    // SAFETY: `def` is valid for the life of the process, the capsule holds the address of a static.
    unsafe {
        let capsule = Bound::from_owned_ptr_or_err(
            py,
            ffi::PyCapsule_New(std::ptr::from_ref(row).cast_mut().cast(), std::ptr::null(), None),
        )?;
        Bound::from_owned_ptr_or_err(py, ffi::PyCFunction_NewEx(def, capsule.as_ptr(), module.as_ptr()))
    }
}

/// Adds a function per row, and `_rows`: what tests and generated files need to know of each.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    let rows = pyo3::types::PyDict::new(py);
    for row in table() {
        let f = function(py, row)?;
        if row.namespace != "-" {
            m.add(row.name, &f)?;
        }
        let info = pyo3::types::PyDict::new(py);
        info.set_item("function", &f)?;
        info.set_item("args", row.args)?;
        info.set_item("reference", row.reference)?;
        info.set_item("namespace", row.namespace)?;
        info.set_item("domain", row.domain.to_vec())?;
        info.set_item("orders", row.orders)?;
        info.set_item("doc", row.doc)?;
        let dtypes: Vec<&str> =
            sciarray_core::DType::ALL.into_iter().filter(|&d| row.kernels.get(d).is_some()).map(|d| d.name()).collect();
        info.set_item("dtypes", dtypes)?;
        info.set_item("differentiable", row.is_differentiable())?;
        rows.set_item(row.name, info)?;
    }
    m.add("_rows", rows)?;
    Ok(())
}
