//! The buffer protocol, both ways: memory of other objects without a copy, and ours for them, read-only.
#![allow(unsafe_code)]

use crate::array::PyArray;
use crate::error::IntoPy;
use crate::foreign::Lent;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use sciarray_core::{Array, DType};
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;

/// A borrowed buffer, released when the last array on it goes.
struct Held(Box<ffi::Py_buffer>);

// SAFETY: the struct is only read after it was filled, and released with the interpreter lock held.
unsafe impl Send for Held {}
// SAFETY: as above.
unsafe impl Sync for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // After the interpreter has shut down the exporter is gone and there is nothing to release.
        Python::try_attach(|_| {
            // SAFETY: filled by PyObject_GetBuffer, released once.
            unsafe { ffi::PyBuffer_Release(&mut *self.0) }
        });
    }
}

fn dtype_of(format: &CStr, itemsize: usize) -> Option<DType> {
    let f = format.to_bytes();
    let f = match f.first()? {
        b'@' | b'=' => &f[1..],
        b'<' if cfg!(target_endian = "little") => &f[1..],
        b'>' if cfg!(target_endian = "big") => &f[1..],
        _ => f,
    };
    Some(match (f, itemsize) {
        (b"?", 1) => DType::Bool,
        (b"b" | b"h" | b"i" | b"l" | b"q" | b"n", 1) => DType::I8,
        (b"h" | b"i" | b"l" | b"q" | b"n", 2) => DType::I16,
        (b"i" | b"l" | b"q" | b"n", 4) => DType::I32,
        (b"l" | b"q" | b"n", 8) => DType::I64,
        (b"B", 1) => DType::U8,
        (b"H", 2) => DType::U16,
        (b"I" | b"L", 4) => DType::U32,
        (b"L" | b"Q" | b"N", 8) => DType::U64,
        (b"f", 4) => DType::F32,
        (b"d", 8) => DType::F64,
        (b"Zf", 8) => DType::C64,
        (b"Zd", 16) => DType::C128,
        _ => return None,
    })
}

fn format_of(d: DType) -> &'static CStr {
    match d {
        DType::Bool => c"?",
        DType::I8 => c"b",
        DType::I16 => c"h",
        DType::I32 => c"i",
        DType::I64 => c"q",
        DType::U8 => c"B",
        DType::U16 => c"H",
        DType::U32 => c"I",
        DType::U64 => c"Q",
        DType::F32 => c"f",
        DType::F64 => c"d",
        DType::C64 => c"Zf",
        DType::C128 => c"Zd",
    }
}

/// The array in the object's memory, not copied unless its layout demands it; None when the object has no buffer, one of
/// another dtype, or one that would have to be copied against `may_copy`.
pub fn import(x: &Bound<'_, PyAny>, may_copy: bool) -> PyResult<Option<Array>> {
    // SAFETY: `x` is a live object and the interpreter lock is held.
    if unsafe { ffi::PyObject_CheckBuffer(x.as_ptr()) } == 0 {
        return Ok(None);
    }
    let mut raw: Box<MaybeUninit<ffi::Py_buffer>> = Box::new(MaybeUninit::uninit());
    // SAFETY: as above; the call fills `raw` or fails.
    if unsafe { ffi::PyObject_GetBuffer(x.as_ptr(), raw.as_mut_ptr(), ffi::PyBUF_RECORDS_RO) } != 0 {
        drop(PyErr::take(x.py()));
        return Ok(None);
    }
    // SAFETY: the call succeeded.
    let held = Held(unsafe { raw.assume_init() });
    let b = &held.0;
    let ndim = b.ndim as usize;
    let itemsize = b.itemsize as usize;
    // SAFETY: a format that is not null is a C string; null means bytes.
    let format = if b.format.is_null() { c"B" } else { unsafe { CStr::from_ptr(b.format) } };
    let Some(dtype) = dtype_of(format, itemsize) else { return Ok(None) };
    // SAFETY: with PyBUF_RECORDS_RO shape and strides hold `ndim` entries.
    let (shape, strides) = unsafe { (entries(b.shape, ndim), entries(b.strides, ndim)) };
    let shape: Vec<usize> = shape.into_iter().map(|n| n as usize).collect();
    let lent = Lent { ptr: b.buf.cast(), dtype, shape: &shape, strides: &strides };
    // SAFETY: the exporter keeps the memory valid until the buffer is released, which `held` does last.
    unsafe { lent.adopt("asarray", may_copy, Box::new(held)) }.py()
}

unsafe fn entries(p: *const ffi::Py_ssize_t, n: usize) -> Vec<isize> {
    if n == 0 {
        return Vec::new();
    }
    // SAFETY: the caller vouches for `n` entries.
    unsafe { std::slice::from_raw_parts(p, n) }.to_vec()
}

/// What a consumer's Py_buffer points to.
struct Exported {
    array: Array,
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

/// What a reader of the CPU's memory is told of an array that lies elsewhere.
pub fn on_device(x: &Array) -> PyErr {
    PyTypeError::new_err(format!(
        "the array is on {}: x.to(\"cpu\") brings it to the memory that NumPy reads",
        x.device()
    ))
}

/// Fills `view` for a consumer; it holds the memory, so the next write to the array copies.
///
/// # Safety
/// `view` is the buffer that the interpreter asked to fill.
pub unsafe fn export(slf: &Bound<'_, PyArray>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("buffer: a view is required"));
    }
    // SAFETY: not null.
    unsafe { (*view).obj = std::ptr::null_mut() };
    if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
        return Err(PyBufferError::new_err("buffer: arrays are exported read-only"));
    }
    let array = PyArray::read(slf).detach();
    crate::record_api::refuse_read(&array, "buffer")?;
    if !array.device().is_cpu() {
        return Err(on_device(&array));
    }
    let strided = flags & ffi::PyBUF_STRIDES == ffi::PyBUF_STRIDES;
    let array = if strided { array } else { array.contiguous("buffer").py()? };
    let item = array.dtype().size();
    let e = Box::new(Exported {
        shape: array.shape().iter().map(|&n| n as isize).collect(),
        strides: array.strides().iter().map(|&s| s * item as isize).collect(),
        array,
    });
    // SAFETY: `view` is ours to fill; the pointers stay valid until `release` frees `internal`.
    unsafe {
        (*view).buf = e.array.ptr() as *mut c_void;
        (*view).len = (e.array.size() * item) as isize;
        (*view).itemsize = item as isize;
        (*view).readonly = 1;
        (*view).ndim = e.shape.len() as c_int;
        (*view).format = if flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT {
            format_of(e.array.dtype()).as_ptr().cast_mut()
        } else {
            std::ptr::null_mut()
        };
        (*view).shape =
            if flags & ffi::PyBUF_ND == ffi::PyBUF_ND { e.shape.as_ptr().cast_mut() } else { std::ptr::null_mut() };
        (*view).strides = if strided { e.strides.as_ptr().cast_mut() } else { std::ptr::null_mut() };
        (*view).suboffsets = std::ptr::null_mut();
        (*view).internal = Box::into_raw(e) as *mut c_void;
        (*view).obj = slf.clone().into_any().into_ptr();
    }
    Ok(())
}

/// # Safety
/// `view` was filled by [`export`] and is released once.
pub unsafe fn release(view: *mut ffi::Py_buffer) {
    // SAFETY: `internal` is the box that `export` leaked.
    drop(unsafe { Box::from_raw((*view).internal as *mut Exported) });
}
