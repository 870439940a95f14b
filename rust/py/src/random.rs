//! The generator's kernels for `sciarray.random`.

use crate::array::PyArray;
use crate::convert::{self, ShapeArg, run};
use crate::dtype;
use crate::error::IntoPy;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sciarray_core::ops::random::{self, state_of, stream_of};
use sciarray_core::{Array, DType};
use sciarray_kernels::random::{Dist, Seed, Stream, permutation_prefix};

/// A place in a stream of random numbers.
#[pyclass(name = "Stream", module = "sciarray._core")]
pub struct PyStream(Stream);

#[pymethods]
impl PyStream {
    /// From the five words of a state.
    #[new]
    fn new(state: [u32; 5]) -> Self {
        PyStream(stream_of(&state))
    }
    #[getter]
    fn state(&self) -> [u32; 5] {
        state_of(&self.0)
    }
    /// Moves on by so many blocks.
    fn advance(&mut self, blocks: u128) {
        self.0 = self.0.advanced(blocks);
    }
    /// The stream after so many jumps of 2**64 blocks.
    fn jumped(&self, times: u32) -> Self {
        PyStream(self.0.jumped(times))
    }
}

/// The state that a seed's entropy and place in the tree of spawns lead to.
#[pyfunction]
pub fn seed_state(entropy: Vec<u32>, spawn_key: Vec<u32>) -> [u32; 5] {
    state_of(&Stream::from_seed(&Seed::with_spawn_key(&entropy, &spawn_key)))
}

fn dist(name: &str) -> PyResult<Dist> {
    Ok(match name {
        "uniform" => Dist::Uniform,
        "normal" => Dist::Normal,
        "exponential" => Dist::Exponential,
        "integers" => Dist::Integers,
        "gamma" => Dist::Gamma,
        "beta" => Dist::Beta,
        "poisson" => Dist::Poisson,
        "binomial" => Dist::Binomial,
        _ => return Err(PyValueError::new_err(format!("random: unknown distribution {name:?}"))),
    })
}

/// Variates of a standard distribution; moves the stream on.
#[pyfunction]
pub fn fill(
    py: Python<'_>,
    name: &str,
    stream: &Bound<'_, PyStream>,
    shape: ShapeArg,
    dtype: &Bound<'_, PyAny>,
    params: Vec<Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let dist = dist(name)?;
    let dtype = dtype::parse(dtype)?;
    let shape = shape.sizes("random")?;
    let wanted = dist.params(dtype);
    if params.len() != wanted.len() {
        return Err(PyValueError::new_err(format!(
            "random: {name} takes {} parameters, got {}",
            wanted.len(),
            params.len()
        )));
    }
    let params = params.iter().map(|p| convert::array("random", p)).collect::<PyResult<Vec<_>>>()?;
    let state = Array::from_slice("random", &state_of(&stream.borrow().0), &[random::STATE_WORDS]).py()?;
    let refs: Vec<&Array> = params.iter().collect();
    let n = shape.iter().product::<usize>();
    let y = run(py, 4 * n, || random::fill(dist, dtype, &shape, &state, &refs))?;
    stream.borrow_mut().advance(dist.blocks(n as u64));
    Ok(PyArray::new(y))
}

/// The first ``count`` entries of a random permutation of ``range(n)``; moves the stream on.
#[pyfunction]
pub fn permutation(py: Python<'_>, stream: &Bound<'_, PyStream>, n: usize, count: usize) -> PyResult<PyArray> {
    if count > n {
        return Err(PyValueError::new_err(format!("permutation: only {n} elements to choose from, got {count}")));
    }
    let from = stream.borrow().0;
    let mut y = Array::empty("permutation", DType::I64, &[count]).py()?;
    run(py, 16 * n, || {
        permutation_prefix(&from, n, y.view_mut().as_slice::<i64>().expect("fresh arrays are contiguous"));
        Ok(())
    })?;
    stream.borrow_mut().advance((n as u128).div_ceil(2));
    Ok(PyArray::new(y))
}
