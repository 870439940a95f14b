//! GPUs in Python: what there is, and the text of the kernels.

use crate::dtype;
use crate::error::IntoPy;
use pyo3::prelude::*;
use sciarray_core::DType;
use sciarray_core::ops::elementwise;

/// An elementwise function as CUDA C++ for inputs of these dtypes.
#[pyfunction]
pub fn print_elementwise(name: &str, dtypes: Vec<Bound<'_, PyAny>>) -> PyResult<String> {
    let dtypes: Vec<DType> = dtypes.iter().map(dtype::parse).collect::<PyResult<_>>()?;
    elementwise::print(name, &dtypes).py()
}
