//! OpenBLAS's LAPACK, opened at run time where the wheel `scipy-openblas64` is installed: 64-bit integers, names like
//! `scipy_dgesdd_64_`, one thread per call, because batches are parallel already.
#![allow(unsafe_code)]

use super::field::Field;
use super::mat::Mat;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::OnceLock;

type Int = i64;
type Ptr = *mut c_void;

static PATH: OnceLock<CString> = OnceLock::new();

/// Names the library's file; the first call decides. It is opened when it is needed.
pub fn set_lapack_path(path: &str) {
    if let Ok(path) = CString::new(path) {
        let _ = PATH.set(path);
    }
}

struct Library(Ptr);

// SAFETY: a handle of the loader, which may be used from every thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    fn open(path: &CStr) -> Option<Library> {
        // SAFETY: a path from the user's environment; its initializers are those of a library that the user installed.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            return None;
        }
        let library = Library(handle);
        let set_threads = library.symbol("scipy_openblas_set_num_threads64_")?;
        // SAFETY: `void openblas_set_num_threads(int)`.
        unsafe { std::mem::transmute::<Ptr, unsafe extern "C" fn(c_int)>(set_threads)(1) };
        Some(library)
    }

    fn symbol(&self, name: &str) -> Option<Ptr> {
        let name = CString::new(name).ok()?;
        // SAFETY: an open handle.
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }
}

fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    // A path may still come.
    let path = PATH.get()?;
    LIBRARY.get_or_init(|| Library::open(path)).as_ref()
}

/// Whether the library is there.
pub fn has_lapack() -> bool {
    library().is_some()
}

/// The addresses of the routines for one element type.
pub(crate) struct Routines {
    geqrf: Ptr,
    /// Or `ungqr`.
    orgqr: Ptr,
    geqp3: Ptr,
    gesdd: Ptr,
    gesvd: Ptr,
    /// Or `heevd`.
    syevd: Ptr,
    /// Or `hetrd`.
    sytrd: Ptr,
    stedc: Ptr,
    gebrd: Ptr,
    /// Of the real types.
    bdsdc: Option<Ptr>,
    geev: Ptr,
    gees: Ptr,
    gehrd: Ptr,
    /// Or `unghr`.
    orghr: Ptr,
}

// SAFETY: addresses of functions.
unsafe impl Send for Routines {}
// SAFETY: as above.
unsafe impl Sync for Routines {}

/// The routines for this element type, if the library is there.
pub(crate) fn routines<T: Field>() -> Option<&'static Routines> {
    static ROUTINES: [OnceLock<Option<Routines>>; 4] = [const { OnceLock::new() }; 4];
    let (index, letter) = match T::DTYPE {
        crate::DType::F32 => (0, 's'),
        crate::DType::F64 => (1, 'd'),
        crate::DType::C64 => (2, 'c'),
        _ => (3, 'z'),
    };
    let library = library()?;
    let find = || {
        let get = |name: &str| library.symbol(&format!("scipy_{letter}{name}_64_"));
        let pick = |real: &str, complex: &str| get(if T::IS_REAL { real } else { complex });
        Some(Routines {
            geqrf: get("geqrf")?,
            orgqr: pick("orgqr", "ungqr")?,
            geqp3: get("geqp3")?,
            gesdd: get("gesdd")?,
            gesvd: get("gesvd")?,
            syevd: pick("syevd", "heevd")?,
            sytrd: pick("sytrd", "hetrd")?,
            stedc: get("stedc")?,
            gebrd: get("gebrd")?,
            bdsdc: get("bdsdc"),
            geev: get("geev")?,
            gees: get("gees")?,
            gehrd: get("gehrd")?,
            orghr: pick("orghr", "unghr")?,
        })
    };
    ROUTINES[index].get_or_init(find).as_ref()
}

macro_rules! address {
    ($x:expr) => {
        Ptr
    };
}
macro_rules! length {
    ($x:expr) => {
        usize
    };
}

/// Calls a Fortran routine: every argument is an address; after them come the lengths, 1, of the `flags`.
macro_rules! call {
    ($f:expr, [$($flag:expr),*]; $($arg:expr),*) => {{
        type F = unsafe extern "C" fn($(address!($arg)),* $(, length!($flag))*);
        // SAFETY: the routine has these arguments, as LAPACK's documentation says.
        unsafe { std::mem::transmute::<Ptr, F>($f)($($arg.cast::<c_void>()),* $(, $flag - $flag + 1usize)*) }
    }};
}

fn at<T>(x: &T) -> *mut T {
    std::ptr::from_ref(x).cast_mut()
}

fn flag(c: u8) -> *mut c_char {
    const FLAGS: &[u8; 256] = &{
        let mut all = [0; 256];
        let mut i = 0;
        while i < 256 {
            all[i] = i as u8;
            i += 1;
        }
        all
    };
    FLAGS.as_ptr().wrapping_add(c as usize).cast_mut().cast()
}

/// Workspace as a routine's query asks for it: `run(work, lwork)` is called with length -1 first.
fn with_workspace<T: Field>(mut run: impl FnMut(*mut T, Int)) {
    let mut size = T::default();
    run(&mut size, -1);
    let n = to_usize(size).max(1);
    let mut work = vec![T::default(); n];
    run(work.as_mut_ptr(), n as Int);
}

/// What a workspace query returned; float32 may have rounded it down.
fn to_usize<T: Field>(x: T) -> usize {
    let x: f64 = num_traits::NumCast::from(x.parts().0).unwrap_or(0.0);
    (x * (1.0 + 1e-6)).ceil() as usize
}

/// Errors of the routines: the argument for negative `info` is a mistake of ours.
fn result(info: Int) -> Result<(), usize> {
    assert!(info >= 0, "LAPACK refuses argument {}", -info);
    if info == 0 { Ok(()) } else { Err(info as usize) }
}

impl Routines {
    /// A = Q R in place of a column-major matrix: R above, the reflections below and in `tau`.
    pub(crate) fn qr<T: Field>(&self, a: Mat<T>, tau: &mut [T]) {
        let (m, n) = (a.rows as Int, a.cols as Int);
        let lda = (a.cs as Int).max(m).max(1);
        let mut info: Int = 0;
        with_workspace::<T>(
            |work, lwork| call!(self.geqrf, []; at(&m), at(&n), a.ptr, at(&lda), tau.as_mut_ptr(), work, at(&lwork), &raw mut info),
        );
        assert_eq!(info, 0);
    }

    /// The same with column pivoting: `order[j]` is the column of A that came to place j, counted from 1.
    pub(crate) fn pivoted_qr<T: Field>(&self, a: Mat<T>, order: &mut [i64], tau: &mut [T]) {
        let (m, n) = (a.rows as Int, a.cols as Int);
        let lda = m.max(1);
        let mut info: Int = 0;
        let mut rwork = vec![T::Part::default(); 2 * a.cols.max(1)];
        with_workspace::<T>(|work, lwork| {
            let (piv, tau) = (order.as_mut_ptr(), tau.as_mut_ptr());
            if T::IS_REAL {
                call!(self.geqp3, []; at(&m), at(&n), a.ptr, at(&lda), piv, tau, work, at(&lwork), &raw mut info);
            } else {
                call!(self.geqp3, []; at(&m), at(&n), a.ptr, at(&lda), piv, tau, work, at(&lwork), rwork.as_mut_ptr(),
                    &raw mut info);
            }
        });
        assert_eq!(info, 0);
    }

    /// The first columns of Q in place of the reflections in the first columns of a column-major matrix.
    pub(crate) fn q<T: Field>(&self, a: Mat<T>, tau: &[T]) {
        let (m, n, k) = (a.rows as Int, a.cols as Int, tau.len() as Int);
        let lda = m.max(1);
        let mut info: Int = 0;
        with_workspace::<T>(|work, lwork| {
            call!(self.orgqr, []; at(&m), at(&n), at(&k), a.ptr, at(&lda), tau.as_ptr().cast_mut(), work, at(&lwork),
                &raw mut info)
        });
        assert_eq!(info, 0);
    }

    /// Eigenvalues and, in place of `a`, eigenvectors of a Hermitian matrix from its lower triangle.
    pub(crate) fn eigh<T: Field>(&self, a: Mat<T>, w: &mut [T::Part], vectors: bool) -> Result<(), usize> {
        let n = a.rows as Int;
        let lda = n.max(1);
        let mut info: Int = 0;
        let job = flag(if vectors { b'V' } else { b'N' });
        let (mut work, mut rwork, mut iwork) = (vec![T::default()], vec![T::Part::default()], vec![0 as Int]);
        for query in [true, false] {
            let [lw, lr, li] = [work.len(), rwork.len(), iwork.len()].map(|n| if query { -1 } else { n as Int });
            let (pw, pr, pi) = (work.as_mut_ptr(), rwork.as_mut_ptr(), iwork.as_mut_ptr());
            if T::IS_REAL {
                call!(self.syevd, [1, 2]; job, flag(b'L'), at(&n), a.ptr, at(&lda), w.as_mut_ptr(), pw, at(&lw), pi,
                    at(&li), &raw mut info);
            } else {
                call!(self.syevd, [1, 2]; job, flag(b'L'), at(&n), a.ptr, at(&lda), w.as_mut_ptr(), pw, at(&lw), pr,
                    at(&lr), pi, at(&li), &raw mut info);
            }
            if query {
                work = vec![T::default(); to_usize(work[0]).max(1)];
                rwork = vec![T::Part::default(); to_usize(rwork[0]).max(1)];
                iwork = vec![0; iwork[0].max(1) as usize];
            }
        }
        result(info)
    }

    /// A = Q T Q^H for a Hermitian matrix in its lower triangle: the diagonal of T, the one below, and the reflections below that
    /// in place of `a` and in `tau`.
    pub(crate) fn tridiagonal<T: Field>(&self, a: Mat<T>, d: &mut [T::Part], e: &mut [T::Part], tau: &mut [T]) {
        let n = a.rows as Int;
        let mut info: Int = 0;
        let (d, e, tau) = (d.as_mut_ptr(), e.as_mut_ptr(), tau.as_mut_ptr());
        with_workspace::<T>(
            |work, lwork| call!(self.sytrd, [1]; flag(b'L'), at(&n), a.ptr, at(&n), d, e, tau, work, at(&lwork), &raw mut info),
        );
        assert_eq!(info, 0);
    }

    /// Eigenvalues, in place of the diagonal `d`, and eigenvectors of a real symmetric tridiagonal matrix; `e` is destroyed.
    pub(crate) fn divide<T: Field>(&self, d: &mut [T], e: &mut [T], z: Mat<T>) -> Result<(), usize> {
        let n = d.len() as Int;
        let mut info: Int = 0;
        let (mut work, mut iwork) = (vec![T::default()], vec![0 as Int]);
        for query in [true, false] {
            let [lw, li] = [work.len(), iwork.len()].map(|n| if query { -1 } else { n as Int });
            call!(self.stedc, [1]; flag(b'I'), at(&n), d.as_mut_ptr(), e.as_mut_ptr(), z.ptr, at(&n), work.as_mut_ptr(),
                at(&lw), iwork.as_mut_ptr(), at(&li), &raw mut info);
            if query {
                work = vec![T::default(); to_usize(work[0]).max(1)];
                iwork = vec![0; iwork[0].max(1) as usize];
            }
        }
        result(info)
    }

    /// A = Q B P^H for a matrix with at least as many rows as columns: the diagonal of B, the one above, and the reflections below
    /// and above these in place of `a`.
    pub(crate) fn bidiagonal<T: Field>(
        &self,
        a: Mat<T>,
        d: &mut [T::Part],
        e: &mut [T::Part],
        tau_q: &mut [T],
        tau_p: &mut [T],
    ) {
        let (m, n) = (a.rows as Int, a.cols as Int);
        let mut info: Int = 0;
        let (d, e, tau_q, tau_p) = (d.as_mut_ptr(), e.as_mut_ptr(), tau_q.as_mut_ptr(), tau_p.as_mut_ptr());
        with_workspace::<T>(
            |work, lwork| call!(self.gebrd, []; at(&m), at(&n), a.ptr, at(&m), d, e, tau_q, tau_p, work, at(&lwork), &raw mut info),
        );
        assert_eq!(info, 0);
    }

    /// Singular values, in place of the diagonal `d`, and vectors of a real upper bidiagonal matrix; `e` is destroyed.
    pub(crate) fn divide_bidiagonal<T: Field>(
        &self,
        d: &mut [T],
        e: &mut [T],
        u: Mat<T>,
        vt: Mat<T>,
    ) -> Result<(), usize> {
        let n = d.len();
        let size = n as Int;
        let mut info: Int = 0;
        let null = std::ptr::null_mut::<T>();
        let (mut work, mut iwork) = (vec![T::default(); 3 * n * n + 4 * n], vec![0 as Int; 8 * n]);
        let bdsdc = self.bdsdc.expect("a real type");
        call!(bdsdc, [1, 2]; flag(b'U'), flag(b'I'), at(&size), d.as_mut_ptr(), e.as_mut_ptr(), u.ptr, at(&size), vt.ptr,
            at(&size), null, null, work.as_mut_ptr(), iwork.as_mut_ptr(), &raw mut info);
        result(info)
    }

    /// Singular values and, where `u` and `vh` are given in column-major memory, vectors; `a` is destroyed.
    pub(crate) fn svd<T: Field>(
        &self,
        a: Mat<T>,
        s: &mut [T::Part],
        factors: Option<(Mat<T>, Mat<T>)>,
        divide: bool,
    ) -> Result<(), usize> {
        let (m, n) = (a.rows as Int, a.cols as Int);
        let (least, most) = (a.rows.min(a.cols), a.rows.max(a.cols));
        let lda = m.max(1);
        let mut info: Int = 0;
        let (job, u, vh) = match factors {
            None => (b'N', std::ptr::null_mut(), std::ptr::null_mut()),
            Some((u, vh)) if u.cols == least && vh.rows == least => (b'S', u.ptr, vh.ptr),
            Some((u, vh)) => (b'A', u.ptr, vh.ptr),
        };
        let (ldu, ldvh) = (m.max(1), factors.map_or(1, |(_, vh)| vh.rows.max(1) as Int));
        // LAPACK 3.6 and later: 5 min^2 + 5 min, and where one side is much longer 2 max min + 2 min^2 + min.
        let mut rwork = Vec::new();
        if !T::IS_REAL {
            let size = if divide {
                (5 * least * least + 7 * least).max(2 * most * least + 2 * least * least + least)
            } else {
                5 * least
            };
            rwork = vec![T::Part::default(); size.max(1)];
        }
        let mut iwork = vec![0 as Int; 8 * least.max(1)];
        let s = s.as_mut_ptr();
        with_workspace::<T>(|work, lwork| match (divide, T::IS_REAL) {
            (true, true) => {
                call!(self.gesdd, [1]; flag(job), at(&m), at(&n), a.ptr, at(&lda), s, u, at(&ldu), vh, at(&ldvh), work,
                    at(&lwork), iwork.as_mut_ptr(), &raw mut info);
            }
            (true, false) => {
                call!(self.gesdd, [1]; flag(job), at(&m), at(&n), a.ptr, at(&lda), s, u, at(&ldu), vh, at(&ldvh), work,
                    at(&lwork), rwork.as_mut_ptr(), iwork.as_mut_ptr(), &raw mut info);
            }
            (false, true) => {
                call!(self.gesvd, [1, 2]; flag(job), flag(job), at(&m), at(&n), a.ptr, at(&lda), s, u, at(&ldu), vh,
                    at(&ldvh), work, at(&lwork), &raw mut info);
            }
            (false, false) => {
                call!(self.gesvd, [1, 2]; flag(job), flag(job), at(&m), at(&n), a.ptr, at(&lda), s, u, at(&ldu), vh,
                    at(&ldvh), work, at(&lwork), rwork.as_mut_ptr(), &raw mut info);
            }
        });
        result(info)
    }

    /// Eigenvalues, as real and imaginary parts or in `re_or_all`, and right eigenvectors as LAPACK packs them; `a` is
    /// destroyed.
    pub(crate) fn eig<T: Field>(
        &self,
        a: Mat<T>,
        re_or_all: &mut [T],
        im: &mut [T],
        v: Option<Mat<T>>,
    ) -> Result<(), usize> {
        let n = a.rows as Int;
        let ld = n.max(1);
        let mut info: Int = 0;
        let null = std::ptr::null_mut::<T>();
        let job = flag(if v.is_some() { b'V' } else { b'N' });
        let v = v.map_or(null, |v| v.ptr);
        let w = re_or_all.as_mut_ptr();
        let mut rwork = vec![T::Part::default(); 2 * a.rows.max(1)];
        with_workspace::<T>(|work, lwork| {
            if T::IS_REAL {
                call!(self.geev, [1, 2]; flag(b'N'), job, at(&n), a.ptr, at(&ld), w, im.as_mut_ptr(), null, at(&ld), v,
                    at(&ld), work, at(&lwork), &raw mut info);
            } else {
                call!(self.geev, [1, 2]; flag(b'N'), job, at(&n), a.ptr, at(&ld), w, null, at(&ld), v, at(&ld), work,
                    at(&lwork), rwork.as_mut_ptr(), &raw mut info);
            }
        });
        result(info)
    }

    /// A = Z T Z^H: T in place of `a`.
    pub(crate) fn schur<T: Field>(&self, a: Mat<T>, z: Mat<T>) -> Result<(), usize> {
        let n = a.rows as Int;
        let ld = n.max(1);
        let mut info: Int = 0;
        let mut sdim: Int = 0;
        let null = std::ptr::null_mut::<T>();
        let (mut w, mut im) = (vec![T::default(); a.rows.max(1)], vec![T::default(); a.rows.max(1)]);
        let mut rwork = vec![T::Part::default(); a.rows.max(1)];
        with_workspace::<T>(|work, lwork| {
            let sdim = &raw mut sdim;
            if T::IS_REAL {
                call!(self.gees, [1, 2]; flag(b'V'), flag(b'N'), null, at(&n), a.ptr, at(&ld), sdim, w.as_mut_ptr(),
                    im.as_mut_ptr(), z.ptr, at(&ld), work, at(&lwork), null, &raw mut info);
            } else {
                call!(self.gees, [1, 2]; flag(b'V'), flag(b'N'), null, at(&n), a.ptr, at(&ld), sdim, w.as_mut_ptr(),
                    z.ptr, at(&ld), work, at(&lwork), rwork.as_mut_ptr(), null, &raw mut info);
            }
        });
        result(info)
    }

    /// A = Q H Q^H: H in place of `a` with zeros below its first subdiagonal, Q in `q`.
    pub(crate) fn hessenberg<T: Field>(&self, a: Mat<T>, q: Mat<T>) {
        let n = a.rows as Int;
        let (ld, first) = (n.max(1), 1 as Int);
        let mut info: Int = 0;
        let mut tau = vec![T::default(); a.rows.max(1)];
        with_workspace::<T>(|work, lwork| {
            call!(self.gehrd, []; at(&n), at(&first), at(&n), a.ptr, at(&ld), tau.as_mut_ptr(), work, at(&lwork),
                &raw mut info)
        });
        assert_eq!(info, 0);
        // SAFETY: both are column-major matrices of the same shape that the caller may write.
        unsafe {
            q.copy_from(a);
            (2..a.rows).for_each(|i| a.block(i, 0, 1, i - 1).fill(T::default()));
        }
        with_workspace::<T>(|work, lwork| {
            call!(self.orghr, []; at(&n), at(&first), at(&n), q.ptr, at(&ld), tau.as_mut_ptr(), work, at(&lwork),
                &raw mut info)
        });
        assert_eq!(info, 0);
    }
}
