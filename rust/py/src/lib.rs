//! The Python face of sciarray: protocols, operators, conversion and errors. It knows no mathematics.

mod array;
mod autodiff;
mod buffer;
mod convert;
mod cuda_api;
mod dlpack;
mod dtype;
mod error;
mod foreign;
mod functions;
mod graph_api;
mod index;
mod random;
mod record_api;
mod tree;
mod ufunc;

use pyo3::prelude::*;

#[pymodule]
fn _core(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<array::PyArray>()?;
    m.add_class::<dtype::PyDType>()?;
    m.add_class::<autodiff::PyScope>()?;
    m.add_class::<record_api::PyGraph>()?;
    m.add_class::<random::PyStream>()?;
    for d in sciarray_core::DType::ALL {
        m.add(d.name(), dtype::to_py(py, d)?)?;
    }
    ufunc::register(m)?;
    macro_rules! functions {
        ($($path:path),* $(,)?) => { $( m.add_function(wrap_pyfunction!($path, m)?)?; )* };
    }
    functions!(
        dlpack::from_capsule,
        dtype::promote_types,
        functions::zeros,
        functions::scalar,
        functions::from_buffer,
        functions::astype,
        functions::copy,
        functions::to,
        functions::reshape,
        functions::permute_dims,
        functions::broadcast_to,
        functions::concat,
        functions::max,
        functions::min,
        functions::any,
        functions::all,
        functions::count_nonzero,
        functions::sum,
        functions::prod,
        functions::argmax,
        functions::argmin,
        functions::matmul,
        functions::nonzero,
        functions::take_along_axis,
        functions::cumsum,
        functions::cumprod,
        functions::recurrence,
        functions::softmax,
        functions::allpole,
        functions::fir,
        functions::sort,
        functions::argsort,
        functions::searchsorted,
        functions::num_threads,
        functions::set_num_threads,
        functions::fft,
        functions::dct,
        functions::solve,
        functions::cholesky,
        functions::solve_triangular,
        functions::eigh,
        functions::eigvalsh,
        functions::eig,
        functions::eigvals,
        functions::svd,
        functions::qr_r,
        functions::svdvals,
        functions::qr,
        functions::inv,
        functions::det,
        functions::slogdet,
        functions::lu,
        functions::ldl,
        functions::row_order,
        functions::solve_banded,
        functions::schur,
        functions::hessenberg,
        functions::set_lapack_path,
        functions::has_lapack,
        functions::exchange_nan_on_failure,
        random::fill,
        random::permutation,
        random::seed_state,
        autodiff::settle,
        autodiff::backward,
        autodiff::exchange_scopes,
        autodiff::open_scopes,
        autodiff::custom_op,
        record_api::record_begin,
        record_api::record_finish,
        record_api::record_abandon,
        record_api::is_recording,
        record_api::record_stream,
        record_api::record_stream_moved,
        record_api::enter_scope,
        record_api::leave_scope,
        record_api::search_begin,
        record_api::search_finish,
        graph_api::graph_from_parts,
        graph_api::record_guard,
        tree::tree_leaves,
        tree::tree_rebuild,
        tree::tree_signature,
        cuda_api::cuda_set_folders,
        cuda_api::cuda_device_count,
        cuda_api::cuda_prepare,
        cuda_api::cuda_synchronize,
        cuda_api::cuda_memory,
        cuda_api::cuda_pool_memory,
        cuda_api::cuda_stream,
        cuda_api::cuda_address,
        cuda_api::cuda_adopt,
        cuda_api::cuda_text,
        cuda_api::cuda_compile,
        cuda_api::cuda_compilations,
        cuda_api::print_elementwise,
        cuda_api::print_random,
    );
    Ok(())
}
