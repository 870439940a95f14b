//! GPUs in Python: what there is, memory of other libraries there, and the text of the kernels.
#![allow(unsafe_code)]

use crate::array::PyArray;
use crate::dtype;
use crate::error::IntoPy;
use crate::foreign::Lent;
use crate::record_api::refuse_read;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sciarray_core::DType;
use sciarray_core::ops::elementwise;
use sciarray_cuda::cache::Cache;
use sciarray_cuda::text::{self, File};
use sciarray_cuda::{Queue, device, library};
use sciarray_kernels::random;
use std::path::PathBuf;

fn raise(e: sciarray_cuda::Error) -> PyErr {
    PyRuntimeError::new_err(e.to_string())
}

/// Names the folders in which NVIDIA's libraries are looked for.
#[pyfunction]
pub fn cuda_set_folders(folders: Vec<PathBuf>) {
    library::set_folders(folders);
}

#[pyfunction]
pub fn cuda_device_count() -> PyResult<usize> {
    device::count().map_err(raise)
}

/// Readies a device, or says what is missing.
#[pyfunction]
pub fn cuda_prepare(py: Python<'_>, device: usize) -> PyResult<()> {
    py.detach(|| device::prepare(device)).map_err(raise)
}

#[pyfunction]
pub fn cuda_synchronize(py: Python<'_>, device: usize) -> PyResult<()> {
    py.detach(|| device::synchronize(device)).map_err(raise)
}

/// Free and total bytes.
#[pyfunction]
pub fn cuda_memory(device: usize) -> PyResult<(usize, usize)> {
    device::memory(device).map_err(raise)
}

/// Bytes that arrays occupy, and that are kept for them.
#[pyfunction]
pub fn cuda_pool_memory(device: usize) -> PyResult<(u64, u64)> {
    device::pool_memory(device).map_err(raise)
}

/// The handle of this thread's stream.
#[pyfunction]
pub fn cuda_stream(device: usize) -> PyResult<usize> {
    device::stream_handle(device).map_err(raise)
}

/// The address of an array's first element, and the handle of the stream whose work fills it.
#[pyfunction]
pub fn cuda_address(x: &Bound<'_, PyArray>) -> PyResult<(usize, usize)> {
    let value = PyArray::read(x).detach();
    if value.device().is_cpu() {
        return Err(PyTypeError::new_err("cuda_address: the array must be on a GPU, got one on cpu"));
    }
    refuse_read(&value, "__cuda_array_interface__")?;
    Ok((value.ptr() as usize, value.buffer().home().id()))
}

/// The array in memory of a GPU that `owner` keeps; strides are in bytes. Work of `stream` fills it.
#[pyfunction]
pub fn cuda_adopt(
    owner: Py<PyAny>,
    address: usize,
    dtype: &Bound<'_, PyAny>,
    shape: Vec<usize>,
    strides: Vec<isize>,
    stream: Option<usize>,
) -> PyResult<PyArray> {
    let lent = Lent { ptr: address as *const u8, dtype: dtype::parse(dtype)?, shape: &shape, strides: &strides };
    let number = if address == 0 { 0 } else { device::device_of(address as u64).map_err(raise)? };
    let queue = Queue::here(number).map_err(raise)?;
    if let Some(stream) = stream {
        // SAFETY: the owner's word that this is a stream.
        unsafe { queue.wait_for_stream(stream) }.map_err(raise)?;
    }
    // SAFETY: the owner's word that so many elements lie there as long as it lives.
    unsafe { lent.adopt_on(&queue, "asarray", Box::new(owner)) }.py().map(PyArray::new)
}

/// The complete text of a file of kernels.
#[pyfunction]
pub fn cuda_text(file: &str, defines: Vec<(String, String)>, functions: &str) -> PyResult<String> {
    let Some(file) = File::ALL.into_iter().find(|f| f.name() == file) else {
        return Err(PyValueError::new_err(format!("cuda_text: no file of kernels is named '{file}'")));
    };
    let defines: Vec<(&str, &str)> = defines.iter().map(|(name, value)| (&name[..], &value[..])).collect();
    Ok(text::unit(file, &defines, functions))
}

/// The machine code of a text for an architecture such as `sm_90`, from the cache where it is there.
#[pyfunction]
pub fn cuda_compile<'py>(py: Python<'py>, text: &str, architecture: &str) -> PyResult<Bound<'py, PyBytes>> {
    let code = py.detach(|| Cache::global().code(text, architecture)).map_err(raise)?;
    Ok(PyBytes::new(py, &code))
}

/// How many kernels this process has compiled rather than found.
#[pyfunction]
pub fn cuda_compilations() -> u64 {
    Cache::global().compilations()
}

/// An elementwise function as CUDA C++ for inputs of these dtypes.
#[pyfunction]
pub fn print_elementwise(name: &str, dtypes: Vec<Bound<'_, PyAny>>) -> PyResult<String> {
    let dtypes: Vec<DType> = dtypes.iter().map(dtype::parse).collect::<PyResult<_>>()?;
    elementwise::print(name, &dtypes).py()
}

/// The functions that the kernels of random numbers call, as CUDA C++.
#[pyfunction]
pub fn print_random() -> String {
    random::print()
}
