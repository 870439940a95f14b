//! cuBLAS on the stream of a thread: products and triangular systems in float32, float64, complex64 and complex128.
//!
//! Matrices are column-major, as cuBLAS has them. A handle serves one stream and has a workspace of its own, so that results
//! do not depend on what other streams do (cuBLAS, "Results reproducibility").
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::graph::refuse;
use crate::library::{Library, require};
use crate::queue::{Buffer, Queue};
use cudarc::cublas::sys;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::rc::Rc;
use std::thread::LocalKey;

/// Element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    F32,
    F64,
    C64,
    C128,
}

impl Field {
    /// Bytes of an element.
    pub fn size(self) -> u64 {
        match self {
            Field::F32 => 4,
            Field::F64 | Field::C64 => 8,
            Field::C128 => 16,
        }
    }

    /// That of the real parts.
    pub fn real(self) -> Field {
        match self {
            Field::F32 | Field::C64 => Field::F32,
            Field::F64 | Field::C128 => Field::F64,
        }
    }

    /// That of complex numbers of the same precision.
    pub fn complex(self) -> Field {
        match self {
            Field::F32 | Field::C64 => Field::C64,
            Field::F64 | Field::C128 => Field::C128,
        }
    }

    fn data_type(self) -> sys::cudaDataType {
        match self {
            Field::F32 => sys::cudaDataType::CUDA_R_32F,
            Field::F64 => sys::cudaDataType::CUDA_R_64F,
            Field::C64 => sys::cudaDataType::CUDA_C_32F,
            Field::C128 => sys::cudaDataType::CUDA_C_64F,
        }
    }

    /// Not TF32, which has the range of float32 and half of its digits.
    fn compute_type(self) -> sys::cublasComputeType_t {
        match self {
            Field::F32 | Field::C64 => sys::cublasComputeType_t::CUBLAS_COMPUTE_32F,
            Field::F64 | Field::C128 => sys::cublasComputeType_t::CUBLAS_COMPUTE_64F,
        }
    }
}

/// The number 1 or 0 of every field, which cuBLAS reads on the host in the field of the call: complex ones in one load of 16
/// bytes, which crashes at an address that is no multiple of them.
#[repr(C, align(16))]
struct Factor {
    f64: [f64; 2],
    f32: [f32; 2],
}

static ONE: Factor = Factor { f32: [1.0, 0.0], f64: [1.0, 0.0] };
static ZERO: Factor = Factor { f32: [0.0; 2], f64: [0.0; 2] };

impl Factor {
    fn at(&self, field: Field) -> *const c_void {
        match field {
            Field::F32 | Field::C64 => self.f32.as_ptr().cast(),
            Field::F64 | Field::C128 => self.f64.as_ptr().cast(),
        }
    }
}

/// What a call takes of a matrix in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    Transposed,
    Adjoint,
}

impl Form {
    fn operation(self) -> sys::cublasOperation_t {
        match self {
            Form::Plain => sys::cublasOperation_t::CUBLAS_OP_N,
            Form::Transposed => sys::cublasOperation_t::CUBLAS_OP_T,
            Form::Adjoint => sys::cublasOperation_t::CUBLAS_OP_C,
        }
    }
}

/// Column-major matrices in a device's memory: columns begin `ld` elements apart, items of a batch `step` elements.
#[derive(Clone, Copy, Debug)]
pub struct Matrices {
    pub address: u64,
    pub ld: i64,
    pub step: i64,
}

impl Matrices {
    fn skip(self, items: i64, field: Field) -> Matrices {
        let bytes = items * self.step * field.size() as i64;
        Matrices { address: self.address.wrapping_add_signed(bytes), ..self }
    }
}

/// Items of a batch, from `.0` on, that one call may take: some kernels of the libraries have an item per block along a
/// dimension of the grid that is no longer.
pub(crate) fn pieces(items: i64) -> impl Iterator<Item = (i64, i64)> {
    const LONGEST: i64 = 65_535;
    (0..items).step_by(LONGEST as usize).map(move |start| (start, (items - start).min(LONGEST)))
}

/// Which part of a matrix in memory is there, and what is taken of it.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    pub lower: bool,
    pub unit: bool,
    pub form: Form,
}

impl Triangle {
    fn fill(self) -> sys::cublasFillMode_t {
        if self.lower {
            sys::cublasFillMode_t::CUBLAS_FILL_MODE_LOWER
        } else {
            sys::cublasFillMode_t::CUBLAS_FILL_MODE_UPPER
        }
    }
    fn diagonal(self) -> sys::cublasDiagType_t {
        if self.unit { sys::cublasDiagType_t::CUBLAS_DIAG_UNIT } else { sys::cublasDiagType_t::CUBLAS_DIAG_NON_UNIT }
    }
}

fn check(call: &'static str, status: sys::cublasStatus_t) -> Result<()> {
    match status {
        sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS => Ok(()),
        status => Err(Error::Library { library: Library::Cublas, call, status: format!("{status:?}") }),
    }
}

/// Calls the function of a field, of four whose types differ by that of the elements; `check` and `sys` are the caller's.
macro_rules! by_field {
    ($field:expr, [$s:ident $d:ident $c:ident $z:ident]($($argument:expr),* $(,)?)) => {
        match $field {
            Field::F32 => check(stringify!($s), sys::$s($($argument),*)),
            Field::F64 => check(stringify!($d), sys::$d($($argument),*)),
            Field::C64 => check(stringify!($c), sys::$c($($argument),*)),
            Field::C128 => check(stringify!($z), sys::$z($($argument),*)),
        }
    };
}
pub(crate) use by_field;

/// An address as the bindings take it.
pub(crate) fn at<T>(address: u64) -> *mut T {
    std::ptr::without_provenance_mut(address as usize)
}

pub(crate) type Handles<T> = RefCell<HashMap<usize, Rc<T>>>;

/// The handle of this thread for a queue's device, made at the first call, for which nothing may be captured.
pub(crate) fn handle_of<T>(
    known: &'static LocalKey<Handles<T>>,
    queue: &Queue,
    make: impl FnOnce(Queue) -> Result<T>,
) -> Result<Rc<T>> {
    if let Some(handle) = known.with_borrow(|map| map.get(&queue.device()).cloned()) {
        return Ok(handle);
    }
    refuse(queue)?;
    let handle = Rc::new(make(queue.clone())?);
    known.with_borrow_mut(|map| map.insert(queue.device(), handle.clone()));
    Ok(handle)
}

/// A handle of cuBLAS with the stream of a thread.
pub struct Blas {
    handle: sys::cublasHandle_t,
    queue: Queue,
    _workspace: Buffer,
}

/// NVIDIA's recommendation for its largest devices; smaller ones ask for 4 MiB.
const WORKSPACE: usize = 32 << 20;

impl Blas {
    /// That of this thread, whose queue it is.
    pub fn of(queue: &Queue) -> Result<Rc<Blas>> {
        thread_local! {
            static HANDLES: Handles<Blas> = RefCell::default();
        }
        handle_of(&HANDLES, queue, Blas::new)
    }

    fn new(queue: Queue) -> Result<Blas> {
        require(Library::Cublas)?;
        let workspace = queue.allocate(WORKSPACE)?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the context of the queue is that of the thread; stream and workspace live as long as the handle. The workspace
        // comes after the stream, which resets it.
        unsafe {
            check("cublasCreate", sys::cublasCreate_v2(&mut handle))?;
            let blas = Blas { handle, queue, _workspace: workspace };
            check("cublasSetStream", sys::cublasSetStream_v2(handle, blas.queue.stream().cast()))?;
            let workspace = at(blas._workspace.address());
            check("cublasSetWorkspace", sys::cublasSetWorkspace_v2(handle, workspace, WORKSPACE))?;
            Ok(blas)
        }
    }

    /// C = A B per item, for m x k and k x n matrices, which `forms` take from memory.
    ///
    /// # Safety
    /// The addresses name matrices of this device, C's of distinct elements.
    pub unsafe fn multiply(
        &self,
        field: Field,
        [m, n, k, items]: [i64; 4],
        (a, b, c): (Matrices, Matrices, Matrices),
        forms: [Form; 2],
    ) -> Result<()> {
        let [op_a, op_b] = forms.map(Form::operation);
        let t = field.data_type();
        for (start, items) in pieces(items) {
            let [a, b, c] = [a, b, c].map(|x| x.skip(start, field));
            // SAFETY: the caller's contract.
            let status = unsafe {
                sys::cublasGemmStridedBatchedEx_64(
                    self.handle,
                    op_a,
                    op_b,
                    m,
                    n,
                    k,
                    ONE.at(field),
                    at(a.address),
                    t,
                    a.ld,
                    a.step,
                    at(b.address),
                    t,
                    b.ld,
                    b.step,
                    ZERO.at(field),
                    at(c.address),
                    t,
                    c.ld,
                    c.step,
                    items,
                    field.compute_type(),
                    sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
                )
            };
            check("cublasGemmStridedBatchedEx_64", status)?;
        }
        Ok(())
    }

    /// B becomes the m x n solution X of X T = B, with T in the triangle of an n x n matrix. `step`s are of no account.
    ///
    /// # Safety
    /// The addresses name matrices of this device, those of `b` of distinct elements.
    pub unsafe fn solve(&self, field: Field, t: Triangle, [m, n]: [i64; 2], a: Matrices, b: Matrices) -> Result<()> {
        let (side, h, one) = (sys::cublasSideMode_t::CUBLAS_SIDE_RIGHT, self.handle, ONE.at(field));
        let (fill, form, diagonal) = (t.fill(), t.form.operation(), t.diagonal());
        // SAFETY: the caller's contract.
        unsafe {
            by_field!(field, [cublasStrsm_v2_64 cublasDtrsm_v2_64 cublasCtrsm_v2_64 cublasZtrsm_v2_64](
                h, side, fill, form, diagonal, m, n, one.cast(), at(a.address), a.ld, at(b.address), b.ld,
            ))
        }
    }

    /// [`Blas::solve`] of many small systems, whose addresses are in the arrays that `a` and `b` name.
    ///
    /// # Safety
    /// As of [`Blas::solve`]; the arrays hold `items` addresses.
    pub unsafe fn solve_batch(
        &self,
        field: Field,
        t: Triangle,
        [m, n, items]: [i64; 3],
        a: Matrices,
        b: Matrices,
    ) -> Result<()> {
        let (side, h, one) = (sys::cublasSideMode_t::CUBLAS_SIDE_RIGHT, self.handle, ONE.at(field));
        let (fill, form, diagonal) = (t.fill(), t.form.operation(), t.diagonal());
        for (start, items) in pieces(items) {
            let [to_a, to_b] = [a, b].map(|x| x.address + 8 * start as u64);
            // SAFETY: the caller's contract.
            unsafe {
                by_field!(
                    field,
                    [cublasStrsmBatched_64 cublasDtrsmBatched_64 cublasCtrsmBatched_64 cublasZtrsmBatched_64](
                        h, side, fill, form, diagonal, m, n, one.cast(), at(to_a), a.ld, at(to_b), b.ld, items,
                    )
                )
            }?;
        }
        Ok(())
    }

    /// LU factors of many small n x n matrices in place, whose addresses are in the array that `a` names; int32 pivots from 1 on
    /// and int32 `info`.
    ///
    /// # Safety
    /// The addresses name matrices and memory of this device; the array holds `items` addresses.
    pub unsafe fn lu_batch(
        &self,
        field: Field,
        [n, items]: [i64; 2],
        a: Matrices,
        [pivots, info]: [u64; 2],
    ) -> Result<()> {
        for (start, items) in pieces(items) {
            let [a_at, pivots, info] =
                [a.address + 8 * start as u64, pivots + (4 * start * n) as u64, info + 4 * start as u64];
            // SAFETY: the caller's contract.
            unsafe {
                by_field!(field, [cublasSgetrfBatched cublasDgetrfBatched cublasCgetrfBatched cublasZgetrfBatched](
                    self.handle, n as i32, at(a_at), a.ld as i32, at(pivots), at(info), items as i32,
                ))
            }?;
        }
        Ok(())
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        if self.queue.bind().is_ok() {
            // SAFETY: made by `new`, used by this thread alone.
            let _ = unsafe { sys::cublasDestroy_v2(self.handle) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_cut() {
        assert_eq!(pieces(0).count(), 0);
        assert_eq!(pieces(65_535).collect::<Vec<_>>(), [(0, 65_535)]);
        assert_eq!(pieces(131_071).collect::<Vec<_>>(), [(0, 65_535), (65_535, 65_535), (131_070, 1)]);
    }

    #[test]
    fn factors_lie_in_the_field_of_a_call() {
        // SAFETY: a number of the field, complex ones with their second part.
        unsafe {
            assert_eq!(*ONE.at(Field::C64).cast::<[f32; 2]>(), [1.0, 0.0]);
            assert_eq!(*ONE.at(Field::C128).cast::<[f64; 2]>(), [1.0, 0.0]);
            assert_eq!(*ZERO.at(Field::F64).cast::<f64>(), 0.0);
        }
        assert!([&ONE, &ZERO].iter().all(|f| f.at(Field::C128).addr() % 16 == 0));
    }
}
