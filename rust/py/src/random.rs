//! The generator's kernels for `sciarray.random`.

use crate::array::PyArray;
use crate::convert::{self, ShapeArg, run};
use crate::dtype;
use crate::error::IntoPy;
use crate::record_api;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sciarray_core::ops::random::{self, Fill, state_of, stream_of};
use sciarray_core::{Array, apply1, record};
use sciarray_kernels::random::{Dist, Seed, Stream};

/// A place in a stream of random numbers.
#[pyclass(name = "Stream", module = "sciarray._core")]
pub struct PyStream {
    pub stream: Stream,
    /// The recording that made it, or 0.
    pub born: u32,
}

impl PyStream {
    fn wrap(stream: Stream) -> PyStream {
        PyStream { stream, born: record::current() }
    }
}

fn refuse_in_recording(what: &str) -> PyResult<()> {
    if record::is_open() {
        return Err(PyRuntimeError::new_err(format!(
            "{what}: a generator's state cannot be read or replaced inside a recording; do it outside the recorded function"
        )));
    }
    Ok(())
}

/// The state that draws in a recording start from, or that of the stream itself.
fn state(stream: &Bound<'_, PyStream>) -> PyResult<Array> {
    if record::is_open() {
        return record_api::stream_state(stream);
    }
    Array::from_slice("random", &state_of(&stream.borrow().stream), &[random::STATE_WORDS]).py()
}

fn advance(stream: &Bound<'_, PyStream>, blocks: u128) -> PyResult<()> {
    if record::is_open() {
        record_api::advance_stream(stream, blocks)?;
    }
    let mut s = stream.borrow_mut();
    s.stream = s.stream.advanced(blocks);
    Ok(())
}

#[pymethods]
impl PyStream {
    /// From the five words of a state.
    #[new]
    fn new(state: [u32; 5]) -> Self {
        Self::wrap(stream_of(&state))
    }
    #[getter]
    fn state(&self) -> PyResult<[u32; 5]> {
        refuse_in_recording("Generator.state")?;
        Ok(state_of(&self.stream))
    }
    /// Moves on by so many blocks.
    #[pyo3(name = "advance")]
    fn move_on(slf: &Bound<'_, Self>, blocks: u128) -> PyResult<()> {
        state(slf)?;
        advance(slf, blocks)
    }
    /// The stream after so many jumps of 2**64 blocks.
    fn jumped(&self, times: u32) -> PyResult<Self> {
        refuse_in_recording("Generator.jumped")?;
        Ok(Self::wrap(self.stream.jumped(times)))
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
#[pyo3(signature = (name, stream, shape, dtype, params, device="cpu"))]
pub fn fill(
    py: Python<'_>,
    name: &str,
    stream: &Bound<'_, PyStream>,
    shape: ShapeArg,
    dtype: &Bound<'_, PyAny>,
    params: Vec<Bound<'_, PyAny>>,
    device: &str,
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
    let state = state(stream)?;
    let refs: Vec<&Array> = params.iter().collect();
    let n = shape.iter().product::<usize>();
    let op = Fill { dist, dtype, shape, device: device.parse().py()? };
    let y = run(py, 4 * n, || random::fill(&op, &state, &refs))?;
    advance(stream, dist.blocks(n as u64))?;
    Ok(PyArray::new(y))
}

/// The first ``count`` entries of a random permutation of ``range(n)``; moves the stream on.
#[pyfunction]
pub fn permutation(py: Python<'_>, stream: &Bound<'_, PyStream>, n: usize, count: usize) -> PyResult<PyArray> {
    let state = state(stream)?;
    let y = run(py, 16 * n, || apply1(&random::Permutation { n, count }, &[&state]))?;
    advance(stream, (n as u128).div_ceil(2))?;
    Ok(PyArray::new(y))
}
