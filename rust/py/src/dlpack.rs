//! DLPack both ways: tensors of other libraries without a copy, and our arrays for them.
//!
//! A versioned capsule lends our memory and says that it is read-only; the consumer holds the buffer, so our next write
//! copies. A legacy capsule cannot say so, and its consumer would write through to every array on the buffer: it gets
//! a copy. On a device the consumer names its stream: that waits for our work when it gets the memory, and ours for its work
//! when it hands it back.
#![allow(unsafe_code)]

use crate::array::PyArray;
use crate::error::IntoPy;
use crate::foreign::Lent;
use crate::record_api::refuse_read;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use sciarray_core::shape::{contiguous_strides, size_of};
use sciarray_core::{Array, DType};
use sciarray_cuda::Queue;
use std::ffi::{CStr, c_void};

const CPU: i32 = 1;
const CUDA: i32 = 2;
/// Page-locked host memory, which the processor reads like any other.
const CUDA_HOST: i32 = 3;

const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;

#[repr(C)]
struct Device {
    kind: i32,
    id: i32,
}

#[repr(C)]
struct Type {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    ndim: i32,
    dtype: Type,
    shape: *const i64,
    /// In elements; null stands for C order.
    strides: *const i64,
    byte_offset: u64,
}

#[repr(C)]
struct Legacy {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Legacy)>,
}

#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// What the two layouts have in common.
trait Managed: Sized + 'static {
    const NAME: &'static CStr;
    /// The name of a capsule whose tensor has found an owner.
    const USED: &'static CStr;
    fn lend(tensor: Tensor, flags: u64, deleter: unsafe extern "C" fn(*mut Self)) -> Self;
    fn tensor(&self) -> &Tensor;
    fn context(&mut self) -> &mut *mut c_void;
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)>;
    fn major(&self) -> u32;
}

impl Managed for Legacy {
    const NAME: &'static CStr = c"dltensor";
    const USED: &'static CStr = c"used_dltensor";
    fn lend(tensor: Tensor, _: u64, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        Legacy { tensor, context: std::ptr::null_mut(), deleter: Some(deleter) }
    }
    fn tensor(&self) -> &Tensor {
        &self.tensor
    }
    fn context(&mut self) -> &mut *mut c_void {
        &mut self.context
    }
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.deleter
    }
    fn major(&self) -> u32 {
        0
    }
}

impl Managed for Versioned {
    const NAME: &'static CStr = c"dltensor_versioned";
    const USED: &'static CStr = c"used_dltensor_versioned";
    fn lend(tensor: Tensor, flags: u64, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        Versioned { major: 1, minor: 0, context: std::ptr::null_mut(), deleter: Some(deleter), flags, tensor }
    }
    fn tensor(&self) -> &Tensor {
        &self.tensor
    }
    fn context(&mut self) -> &mut *mut c_void {
        &mut self.context
    }
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.deleter
    }
    fn major(&self) -> u32 {
        self.major
    }
}

fn type_of(d: DType) -> Type {
    let code = match d {
        DType::Bool => 6,
        d if d.is_signed() => 0,
        d if d.is_unsigned() => 1,
        d if d.is_float() => 2,
        _ => 5,
    };
    Type { code, bits: 8 * d.size() as u8, lanes: 1 }
}

fn dtype_of(t: &Type) -> Option<DType> {
    DType::ALL.into_iter().find(|&d| {
        let known = type_of(d);
        (known.code, known.bits, known.lanes) == (t.code, t.bits, t.lanes)
    })
}

/// Who reads a tensor on loan.
#[derive(Clone, Copy)]
enum Consumer {
    Host,
    /// Work of this stream.
    Stream(usize),
    /// Work of streams that it did not name.
    Device,
}

/// A tensor on loan, with everything it points to.
struct Loan<M> {
    managed: M,
    array: Array,
    consumer: Consumer,
    _shape: Vec<i64>,
    _strides: Vec<i64>,
}

impl<M> Drop for Loan<M> {
    fn drop(&mut self) {
        // Nothing can be done about a driver that refuses.
        match self.consumer {
            Consumer::Host => (),
            // SAFETY: the consumer's stream, which lives as long as its tensor.
            Consumer::Stream(stream) => _ = unsafe { self.array.buffer().home().wait_for_stream(stream) },
            Consumer::Device => _ = sciarray_cuda::device::synchronize(self.array.device().number()),
        }
    }
}

unsafe extern "C" fn end_loan<M: Managed>(m: *mut M) {
    // SAFETY: the consumer calls this once, and the context is the box that `export` leaked.
    drop(unsafe { Box::from_raw((*(*m).context()).cast::<Loan<M>>()) });
}

/// Ends the loan of a capsule that nobody took.
unsafe extern "C" fn destroy<M: Managed>(capsule: *mut ffi::PyObject) {
    // SAFETY: called by the interpreter with a capsule that `export` made.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, M::NAME.as_ptr()) == 1 {
            end_loan(ffi::PyCapsule_GetPointer(capsule, M::NAME.as_ptr()).cast::<M>());
        }
    }
}

fn export<M: Managed>(py: Python<'_>, array: Array, consumer: Consumer, flags: u64) -> PyResult<Bound<'_, PyAny>> {
    if let Consumer::Stream(stream) = consumer {
        // SAFETY: the consumer's word that this is a stream.
        unsafe { array.buffer().home().precede_stream(stream) }.map_err(sciarray_core::Error::from).py()?;
    }
    let (kind, id) = place(&array);
    let shape: Vec<i64> = array.shape().iter().map(|&n| n as i64).collect();
    let strides: Vec<i64> = array.strides().iter().map(|&s| s as i64).collect();
    let tensor = Tensor {
        data: array.ptr().cast_mut().cast(),
        device: Device { kind, id },
        ndim: shape.len() as i32,
        dtype: type_of(array.dtype()),
        shape: shape.as_ptr(),
        strides: strides.as_ptr(),
        byte_offset: 0,
    };
    let managed = M::lend(tensor, flags, end_loan::<M>);
    let loan = Box::into_raw(Box::new(Loan { managed, array, consumer, _shape: shape, _strides: strides }));
    // SAFETY: `loan` was just leaked and is ours alone; the capsule's name is static.
    unsafe {
        *(*loan).managed.context() = loan.cast();
        let managed: *mut M = &raw mut (*loan).managed;
        let capsule = ffi::PyCapsule_New(managed.cast(), M::NAME.as_ptr(), Some(destroy::<M>));
        if capsule.is_null() {
            end_loan(managed);
        }
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

#[pymethods]
impl PyArray {
    /// A DLPack capsule. From ``max_version=(1, 0)`` on it lends the memory read-only, otherwise it holds a copy. ``stream`` is
    /// the consumer's on a GPU, which waits for the values: its handle, 1 or None for the legacy default stream, 2 for the
    /// thread's default stream, -1 for none.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(i64, i64)>,
        dl_device: Option<(i64, i64)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, mut x) = (slf.py(), PyArray::read(slf).detach());
        let (kind, id) = place(&x);
        let here = (i64::from(kind), i64::from(id));
        let is_download = kind == CUDA && dl_device == Some((CPU.into(), 0));
        if dl_device.is_some_and(|d| d != here) && !is_download {
            let (want, n) = dl_device.unwrap_or_default();
            return Err(PyBufferError::new_err(format!(
                "__dlpack__: the array can only be exported to its device {here:?} or to the CPU (1, 0), got device ({want}, {n})"
            )));
        }
        refuse_read(&x, "__dlpack__")?;
        let consumer = match stream {
            _ if is_download => Consumer::Host,
            Some(stream) if kind == CPU => {
                return Err(PyValueError::new_err(format!("__dlpack__: stream must be None on the CPU, got {stream}")));
            }
            None if kind == CPU => Consumer::Host,
            None => Consumer::Stream(1),
            Some(stream) => match stream.extract::<isize>()? {
                -1 => Consumer::Device,
                n if n > 0 => Consumer::Stream(n as usize),
                n => {
                    return Err(PyValueError::new_err(format!(
                        "__dlpack__: stream must be a handle, 1 or 2 for the default streams or -1, got {n}"
                    )));
                }
            },
        };
        let versioned = max_version.is_some_and(|(major, _)| major >= 1);
        if copy == Some(false) && (!versioned || is_download) {
            return Err(PyBufferError::new_err(
                "__dlpack__: without a copy only a read-only export to the array's device is possible, which needs \
                 max_version >= (1, 0)",
            ));
        }
        let is_lent = versioned && copy != Some(true) && !is_download;
        if is_download {
            x = py.detach(|| x.to_cpu()).py()?;
        } else if !is_lent {
            x = x.copy("__dlpack__").py()?;
        }
        match (versioned, is_lent) {
            (true, true) => export::<Versioned>(py, x, consumer, READ_ONLY),
            (true, false) => export::<Versioned>(py, x, consumer, IS_COPIED),
            (false, _) => export::<Legacy>(py, x, consumer, 0),
        }
    }

    /// DLPack's device type, 1 for the CPU and 2 for CUDA, and number.
    fn __dlpack_device__(&self) -> (i32, i32) {
        place(&self.value())
    }
}

/// DLPack's device type and number.
fn place(x: &Array) -> (i32, i32) {
    let device = x.device();
    if device.is_cpu() { (CPU, 0) } else { (CUDA, device.number() as i32) }
}

/// A tensor that we took over; its deleter runs when the last array on it goes.
struct Taken<M: Managed>(*mut M);

// SAFETY: the tensor is only read, and its deleter is called once, with the interpreter lock held.
unsafe impl<M: Managed> Send for Taken<M> {}
// SAFETY: as above.
unsafe impl<M: Managed> Sync for Taken<M> {}

impl<M: Managed> Drop for Taken<M> {
    fn drop(&mut self) {
        // After the interpreter has shut down its objects are gone and there is nothing to release.
        Python::try_attach(|_| {
            // SAFETY: the exporter's contract: the deleter takes its own tensor, once.
            unsafe {
                if let Some(deleter) = (*self.0).deleter() {
                    deleter(self.0);
                }
            }
        });
    }
}

/// The array in a capsule's tensor; None where it would have to be copied and must not.
fn import<M: Managed>(capsule: &Bound<'_, PyAny>, may_copy: bool) -> PyResult<Option<Array>> {
    // SAFETY: the caller has checked the capsule's name; renaming it makes the tensor ours.
    let taken = unsafe {
        let p = ffi::PyCapsule_GetPointer(capsule.as_ptr(), M::NAME.as_ptr());
        if p.is_null() || ffi::PyCapsule_SetName(capsule.as_ptr(), M::USED.as_ptr()) != 0 {
            return Err(PyErr::fetch(capsule.py()));
        }
        Taken(p.cast::<M>())
    };
    // SAFETY: the exporter filled the struct; its first field tells the version, whatever the rest.
    let major = unsafe { &*taken.0 }.major();
    if major > 1 {
        return Err(PyBufferError::new_err(format!("from_dlpack: DLPack versions up to 1 are supported, got {major}")));
    }
    // SAFETY: as above, in a version whose layout we know.
    let t = unsafe { &*taken.0 }.tensor();
    if ![CPU, CUDA, CUDA_HOST].contains(&t.device.kind) {
        return Err(PyBufferError::new_err(format!(
            "from_dlpack: the tensor must lie in memory of the CPU or of a GPU, got device ({}, {})",
            t.device.kind, t.device.id
        )));
    }
    let Some(dtype) = dtype_of(&t.dtype) else {
        return Err(PyTypeError::new_err(format!(
            "from_dlpack: the dtype is not supported, got type code {} with {} bits and {} lanes",
            t.dtype.code, t.dtype.bits, t.dtype.lanes
        )));
    };
    let ndim = usize::try_from(t.ndim).unwrap_or(0);
    // SAFETY: the exporter lends `ndim` sizes.
    let sizes = if ndim == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(t.shape, ndim) } };
    if t.ndim < 0 || sizes.iter().any(|&n| n < 0) || t.data.is_null() && !sizes.contains(&0) {
        return Err(PyBufferError::new_err(format!("from_dlpack: the tensor is malformed, got shape {sizes:?}")));
    }
    let shape: Vec<usize> = sizes.iter().map(|&n| n as usize).collect();
    // Before the strides: a forged shape must not overflow them.
    size_of("from_dlpack", &shape, dtype.size()).py()?;
    let strides: Vec<isize> = if ndim == 0 || t.strides.is_null() {
        contiguous_strides(&shape).to_vec()
    } else {
        // SAFETY: the exporter lends `ndim` strides unless the pointer is null.
        unsafe { std::slice::from_raw_parts(t.strides, ndim) }.iter().map(|&s| s as isize).collect()
    };
    let item = dtype.size() as isize;
    let strides: Vec<isize> = strides.into_iter().map(|s| s.saturating_mul(item)).collect();
    let ptr = t.data.cast::<u8>().cast_const().wrapping_add(t.byte_offset as usize);
    let lent = Lent { ptr, dtype, shape: &shape, strides: &strides };
    if t.device.kind == CUDA {
        let queue = Queue::here(t.device.id.max(0) as usize).map_err(sciarray_core::Error::from).py()?;
        // SAFETY: as below; the exporter was given our stream.
        return unsafe { lent.adopt_on(&queue, "from_dlpack", Box::new(taken)) }.map(Some).py();
    }
    // SAFETY: the exporter keeps the memory valid until the deleter runs, which `taken` does last.
    unsafe { lent.adopt("from_dlpack", may_copy, Box::new(taken)) }.py()
}

/// The array in a DLPack capsule, not copied unless its layout demands it; None where ``may_copy`` forbids that.
#[pyfunction]
pub fn from_capsule(capsule: &Bound<'_, PyAny>, may_copy: bool) -> PyResult<Option<PyArray>> {
    // SAFETY: any object may be asked.
    let holds = |name: &CStr| unsafe { ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) == 1 };
    let value = if holds(Versioned::NAME) {
        import::<Versioned>(capsule, may_copy)?
    } else if holds(Legacy::NAME) {
        import::<Legacy>(capsule, may_copy)?
    } else {
        return Err(PyTypeError::new_err(format!(
            "from_dlpack: __dlpack__ must return an unused DLPack capsule, got {capsule}"
        )));
    };
    Ok(value.map(PyArray::new))
}
