//! cuSOLVER on the stream of a thread: factorizations of large matrices in float32, float64, complex64 and complex128.
//!
//! Matrices are column-major and contiguous, items of a batch one behind the other; where cuSOLVER has no entry for a batch, its
//! items are sent one after the other. `info` is int32 per item: 0, or what LAPACK has there. Results are deterministic, which
//! is how cuSOLVER begins.
#![allow(unsafe_code)]

use crate::blas::{Field, Handles, at, by_field, handle_of, pieces};
use crate::error::{Error, Result};
use crate::graph::refuse;
use crate::library::{Library, require};
use crate::queue::{Buffer, Queue};
use cudarc::cusolver::sys;
use std::cell::RefCell;
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::Mutex;

use sys::cusolverEigMode_t::{CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR};

fn check(call: &'static str, status: sys::cusolverStatus_t) -> Result<()> {
    match status {
        sys::cusolverStatus_t::CUSOLVER_STATUS_SUCCESS => Ok(()),
        status => Err(Error::Library { library: Library::Cusolver, call, status: format!("{status:?}") }),
    }
}

fn data_type(field: Field) -> sys::cudaDataType {
    match field {
        Field::F32 => sys::cudaDataType::CUDA_R_32F,
        Field::F64 => sys::cudaDataType::CUDA_R_64F,
        Field::C64 => sys::cudaDataType::CUDA_C_32F,
        Field::C128 => sys::cudaDataType::CUDA_C_64F,
    }
}

fn fill(lower: bool) -> sys::cublasFillMode_t {
    if lower { sys::cublasFillMode_t::CUBLAS_FILL_MODE_LOWER } else { sys::cublasFillMode_t::CUBLAS_FILL_MODE_UPPER }
}

fn mode(vectors: bool) -> sys::cusolverEigMode_t {
    if vectors { CUSOLVER_EIG_MODE_VECTOR } else { CUSOLVER_EIG_MODE_NOVECTOR }
}

/// What a call works in. Memory of the host is not pinned, so copies from and to it are over when the call is.
struct Room {
    device: Buffer,
    device_bytes: usize,
    host: Vec<u64>,
    host_bytes: usize,
}

impl Room {
    fn device(&self) -> *mut c_void {
        at(self.device.address())
    }

    fn host(&mut self) -> *mut c_void {
        if self.host_bytes > 0 { self.host.as_mut_ptr().cast() } else { std::ptr::null_mut() }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // It is not said that a call is done with the host's part when it returns.
        if self.host_bytes > 0 {
            _ = self.device.home().wait();
        }
    }
}

/// Which factors of a singular value decomposition are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factors {
    None,
    Reduced,
    Full,
}

/// A handle of cuSOLVER with the stream of a thread.
pub struct Solver {
    handle: sys::cusolverDnHandle_t,
    params: sys::cusolverDnParams_t,
    queue: Queue,
}

impl Solver {
    /// That of this thread, whose queue it is. Routines that the host steers have no place in a graph, and which these are may
    /// change; beside what one of them takes, a launch is nothing.
    pub fn of(queue: &Queue) -> Result<Rc<Solver>> {
        thread_local! {
            static HANDLES: Handles<Solver> = RefCell::default();
        }
        refuse(queue)?;
        handle_of(&HANDLES, queue, Solver::new)
    }

    fn new(queue: Queue) -> Result<Solver> {
        require(Library::Cusolver)?;
        let mut solver = Solver { handle: std::ptr::null_mut(), params: std::ptr::null_mut(), queue };
        // SAFETY: the context of the queue is that of the thread; its stream lives as long as the handle.
        unsafe {
            check("cusolverDnCreate", sys::cusolverDnCreate(&mut solver.handle))?;
            check("cusolverDnSetStream", sys::cusolverDnSetStream(solver.handle, solver.queue.stream().cast()))?;
            check("cusolverDnCreateParams", sys::cusolverDnCreateParams(&mut solver.params))?;
        }
        Ok(solver)
    }

    fn room(
        &self,
        call: &'static str,
        sizes: impl FnOnce(&mut usize, &mut usize) -> sys::cusolverStatus_t,
    ) -> Result<Room> {
        let (mut device_bytes, mut host_bytes) = (0, 0);
        check(call, sizes(&mut device_bytes, &mut host_bytes))?;
        let host = vec![0; host_bytes.div_ceil(8)];
        Ok(Room { device: self.queue.allocate(device_bytes)?, device_bytes, host, host_bytes })
    }

    /// LU factors of n x n matrices in place, and int64 pivots from 1 on.
    ///
    /// # Safety
    /// The addresses name `items` matrices, pivots and numbers of this device.
    pub unsafe fn lu(&self, field: Field, n: i64, [a, pivots, info]: [u64; 3], items: u64) -> Result<()> {
        let (h, p, t) = (self.handle, self.params, data_type(field));
        // SAFETY: the caller's contract; the sizes are those that cuSOLVER asked for.
        unsafe {
            let mut room = self.room("cusolverDnXgetrf_bufferSize", |device, host| {
                sys::cusolverDnXgetrf_bufferSize(h, p, n, n, t, at(a), n, t, device, host)
            })?;
            for i in 0..items {
                let (a, pivots, info) = (a + i * square(n, field), pivots + 8 * i * n as u64, info + 4 * i);
                let (device, host) = (room.device(), room.host());
                let (d, w) = (room.device_bytes, room.host_bytes);
                let status =
                    sys::cusolverDnXgetrf(h, p, n, n, t, at(a), n, at(pivots), t, device, d, host, w, at(info));
                check("cusolverDnXgetrf", status)?;
            }
        }
        Ok(())
    }

    /// A triangle of Hermitian n x n matrices becomes its Cholesky factor.
    ///
    /// # Safety
    /// The addresses name `items` matrices and numbers of this device.
    pub unsafe fn cholesky(&self, field: Field, lower: bool, n: i64, [a, info]: [u64; 2], items: u64) -> Result<()> {
        let (h, p, t, fill) = (self.handle, self.params, data_type(field), fill(lower));
        // SAFETY: as above.
        unsafe {
            let mut room = self.room("cusolverDnXpotrf_bufferSize", |device, host| {
                sys::cusolverDnXpotrf_bufferSize(h, p, fill, n, t, at(a), n, t, device, host)
            })?;
            for i in 0..items {
                let (a, info) = (a + i * square(n, field), info + 4 * i);
                let (device, host) = (room.device(), room.host());
                let (d, w) = (room.device_bytes, room.host_bytes);
                let status = sys::cusolverDnXpotrf(h, p, fill, n, t, at(a), n, t, device, d, host, w, at(info));
                check("cusolverDnXpotrf", status)?;
            }
        }
        Ok(())
    }

    /// [`Solver::cholesky`] of many small matrices, whose addresses are in the array that `a` names. Their other triangle is lost.
    ///
    /// # Safety
    /// As there; the array holds `items` addresses.
    pub unsafe fn cholesky_batch(
        &self,
        field: Field,
        lower: bool,
        [n, items]: [i64; 2],
        [a, info]: [u64; 2],
    ) -> Result<()> {
        let (fill, n) = (fill(lower), n as i32);
        for (start, items) in pieces(items) {
            let (a, info) = (a + 8 * start as u64, info + 4 * start as u64);
            // SAFETY: the caller's contract.
            unsafe {
                by_field!(
                    field,
                    [cusolverDnSpotrfBatched cusolverDnDpotrfBatched cusolverDnCpotrfBatched cusolverDnZpotrfBatched](
                        self.handle, fill, n, at(a), n, at(info), items as i32,
                    )
                )
            }?;
        }
        Ok(())
    }

    /// Householder vectors below the diagonal of m x n matrices and R above, and min(m, n) factors `tau`; items of `a` lie `step`
    /// bytes apart.
    ///
    /// # Safety
    /// The addresses name `items` matrices and numbers of this device.
    pub unsafe fn qr(
        &self,
        field: Field,
        [m, n]: [i64; 2],
        [a, tau, info]: [u64; 3],
        step: u64,
        items: u64,
    ) -> Result<()> {
        let (h, p, t) = (self.handle, self.params, data_type(field));
        let tau_step = m.min(n) as u64 * field.size();
        // SAFETY: as above.
        unsafe {
            let mut room = self.room("cusolverDnXgeqrf_bufferSize", |device, host| {
                sys::cusolverDnXgeqrf_bufferSize(h, p, m, n, t, at(a), m, t, at(tau), t, device, host)
            })?;
            for i in 0..items {
                let (a, tau, info) = (a + i * step, tau + i * tau_step, info + 4 * i);
                let (device, host) = (room.device(), room.host());
                let (d, w) = (room.device_bytes, room.host_bytes);
                let status =
                    sys::cusolverDnXgeqrf(h, p, m, n, t, at(a), m, t, at(tau), t, device, d, host, w, at(info));
                check("cusolverDnXgeqrf", status)?;
            }
        }
        Ok(())
    }

    /// The first n columns of the product of k reflections of [`Solver::qr`], in place.
    ///
    /// # Safety
    /// As there; the items have room for m x n elements.
    pub unsafe fn q(
        &self,
        field: Field,
        [m, n, k]: [i32; 3],
        [a, tau, info]: [u64; 3],
        step: u64,
        items: u64,
    ) -> Result<()> {
        let h = self.handle;
        let mut length = 0;
        // SAFETY: as above; the length is in elements.
        unsafe {
            by_field!(
                field,
                [cusolverDnSorgqr_bufferSize cusolverDnDorgqr_bufferSize cusolverDnCungqr_bufferSize cusolverDnZungqr_bufferSize](
                    h, m, n, k, at(a), m, at(tau), &mut length,
                )
            )?;
            let room = self.queue.allocate(length as usize * field.size() as usize)?;
            for i in 0..items {
                let (a, tau, info) = (a + i * step, tau + i * k as u64 * field.size(), info + 4 * i);
                by_field!(field, [cusolverDnSorgqr cusolverDnDorgqr cusolverDnCungqr cusolverDnZungqr](
                    h, m, n, k, at(a), m, at(tau), at(room.address()), length, at(info),
                ))?;
            }
        }
        Ok(())
    }

    /// Ascending eigenvalues of Hermitian n x n matrices, of which a triangle is there and whose place the vectors take.
    ///
    /// # Safety
    /// The addresses name `items` matrices, real values and numbers of this device.
    pub unsafe fn eigh(
        &self,
        field: Field,
        (lower, vectors): (bool, bool),
        n: i64,
        [a, values, info]: [u64; 3],
        items: u64,
    ) -> Result<()> {
        let (h, p, t, real) = (self.handle, self.params, data_type(field), data_type(field.real()));
        let (fill, mode) = (fill(lower), mode(vectors));
        // SAFETY: as above.
        unsafe {
            let mut room = self.room("cusolverDnXsyevd_bufferSize", |device, host| {
                sys::cusolverDnXsyevd_bufferSize(h, p, mode, fill, n, t, at(a), n, real, at(values), t, device, host)
            })?;
            for i in 0..items {
                let values = values + i * n as u64 * field.real().size();
                let (a, info) = (a + i * square(n, field), info + 4 * i);
                let (device, host) = (room.device(), room.host());
                let (d, w) = (room.device_bytes, room.host_bytes);
                let status = sys::cusolverDnXsyevd(
                    h,
                    p,
                    mode,
                    fill,
                    n,
                    t,
                    at(a),
                    n,
                    real,
                    at(values),
                    t,
                    device,
                    d,
                    host,
                    w,
                    at(info),
                );
                check("cusolverDnXsyevd", status)?;
            }
        }
        Ok(())
    }

    /// Descending singular values of m x n matrices, m >= n, which are lost; U of m rows and V^H of n columns.
    ///
    /// # Safety
    /// The addresses name `items` matrices, real values, factors and numbers of this device.
    pub unsafe fn svd(
        &self,
        field: Field,
        factors: Factors,
        [m, n]: [i64; 2],
        [a, values, u, vh, info]: [u64; 5],
        items: u64,
    ) -> Result<()> {
        let (h, p, t, real) = (self.handle, self.params, data_type(field), data_type(field.real()));
        let (job, columns) = match factors {
            Factors::None => (b'N' as i8, 0),
            Factors::Reduced => (b'S' as i8, n),
            Factors::Full => (b'A' as i8, m),
        };
        let size = field.size();
        // SAFETY: as above.
        unsafe {
            let mut room = self.room("cusolverDnXgesvd_bufferSize", |device, host| {
                sys::cusolverDnXgesvd_bufferSize(
                    h,
                    p,
                    job,
                    job,
                    m,
                    n,
                    t,
                    at(a),
                    m,
                    real,
                    at(values),
                    t,
                    at(u),
                    m,
                    t,
                    at(vh),
                    n,
                    t,
                    device,
                    host,
                )
            })?;
            for i in 0..items {
                let values = values + i * n as u64 * field.real().size();
                let (a, u) = (a + i * (m * n) as u64 * size, u + i * (m * columns) as u64 * size);
                let (vh, info) = (vh + i * (n * n.min(columns)) as u64 * size, info + 4 * i);
                let (device, host) = (room.device(), room.host());
                let (d, w) = (room.device_bytes, room.host_bytes);
                let status = sys::cusolverDnXgesvd(
                    h,
                    p,
                    job,
                    job,
                    m,
                    n,
                    t,
                    at(a),
                    m,
                    real,
                    at(values),
                    t,
                    at(u),
                    m,
                    t,
                    at(vh),
                    n,
                    t,
                    device,
                    d,
                    host,
                    w,
                    at(info),
                );
                check("cusolverDnXgesvd", status)?;
            }
        }
        Ok(())
    }

    /// Complex eigenvalues of n x n matrices, which are lost, and with an address eigenvectors in the field of the matrix: those
    /// of a pair of conjugates as the real and the imaginary part of the first.
    ///
    /// # Safety
    /// The addresses name `items` matrices, complex values, vectors and numbers of this device.
    pub unsafe fn eig(&self, field: Field, n: i64, [a, values, vectors, info]: [u64; 4], items: u64) -> Result<()> {
        let (h, p, t, complex) = (self.handle, self.params, data_type(field), data_type(field.complex()));
        let (left, right) = (CUSOLVER_EIG_MODE_NOVECTOR, mode(vectors != 0));
        let none = std::ptr::null_mut();
        // Before CUDA 13.0 Update 1, calls of several threads get into each other's way (its release notes).
        static ALONE: Mutex<()> = Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
        // SAFETY: as above.
        unsafe {
            let mut room = self.room("cusolverDnXgeev_bufferSize", |device, host| {
                sys::cusolverDnXgeev_bufferSize(
                    h,
                    p,
                    left,
                    right,
                    n,
                    t,
                    at(a),
                    n,
                    complex,
                    at(values),
                    t,
                    none,
                    n,
                    t,
                    at(vectors),
                    n,
                    t,
                    device,
                    host,
                )
            })?;
            for i in 0..items {
                let values = values + i * n as u64 * field.complex().size();
                let (a, info) = (a + i * square(n, field), info + 4 * i);
                let vectors = if vectors == 0 { 0 } else { vectors + i * square(n, field) };
                let (device, host) = (room.device(), room.host());
                let (d, w) = (room.device_bytes, room.host_bytes);
                let status = sys::cusolverDnXgeev(
                    h,
                    p,
                    left,
                    right,
                    n,
                    t,
                    at(a),
                    n,
                    complex,
                    at(values),
                    t,
                    none,
                    n,
                    t,
                    at(vectors),
                    n,
                    t,
                    device,
                    d,
                    host,
                    w,
                    at(info),
                );
                check("cusolverDnXgeev", status)?;
            }
        }
        Ok(())
    }
}

/// Bytes of an n x n matrix.
fn square(n: i64, field: Field) -> u64 {
    (n * n) as u64 * field.size()
}

impl Drop for Solver {
    fn drop(&mut self) {
        if self.queue.bind().is_err() {
            return;
        }
        // SAFETY: made by `new`, used by this thread alone; what is null was not made.
        unsafe {
            if !self.params.is_null() {
                let _ = sys::cusolverDnDestroyParams(self.params);
            }
            if !self.handle.is_null() {
                let _ = sys::cusolverDnDestroy(self.handle);
            }
        }
    }
}
