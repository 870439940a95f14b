//! Finding and opening NVIDIA's libraries.
//!
//! A library that some other package has opened, or that the loader finds, serves as it is. Else it is looked for in the
//! folders that Python names: there the wheels put their files. Opening a file by its path makes the loader know it by its
//! name, under which the bindings ask for it then.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::sync::RwLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    Driver,
    Nvrtc,
    Cublas,
    Cusolver,
    Cufft,
}

impl Library {
    pub const ALL: [Library; 5] = [Library::Driver, Library::Nvrtc, Library::Cublas, Library::Cusolver, Library::Cufft];

    pub fn title(self) -> &'static str {
        match self {
            Library::Driver => "the CUDA driver (libcuda)",
            Library::Nvrtc => "the CUDA compiler NVRTC (libnvrtc)",
            Library::Cublas => "cuBLAS (libcublas)",
            Library::Cusolver => "cuSOLVER (libcusolver)",
            Library::Cufft => "cuFFT (libcufft)",
        }
    }

    /// The file's name as of CUDA 13.
    pub fn file(self) -> &'static str {
        match self {
            Library::Driver => "libcuda.so.1",
            Library::Nvrtc => "libnvrtc.so.13",
            Library::Cublas => "libcublas.so.13",
            Library::Cusolver => "libcusolver.so.12",
            Library::Cufft => "libcufft.so.12",
        }
    }

    /// What must be open before.
    fn needs(self) -> &'static [&'static str] {
        match self {
            Library::Cublas => &["libcublasLt.so.13"],
            Library::Cusolver => &["libcublasLt.so.13", "libcublas.so.13", "libnvJitLink.so.13", "libcusparse.so.12"],
            Library::Cufft => &["libnvJitLink.so.13"],
            _ => &[],
        }
    }

    fn is_present(self) -> bool {
        // SAFETY: the bindings try to open files by name, and run nothing of theirs but their initializers.
        unsafe {
            match self {
                Library::Driver => cudarc::driver::sys::is_culib_present(),
                Library::Nvrtc => cudarc::nvrtc::sys::is_culib_present(),
                Library::Cublas => cudarc::cublas::sys::is_culib_present(),
                Library::Cusolver => cudarc::cusolver::sys::is_culib_present(),
                Library::Cufft => cudarc::cufft::sys::is_culib_present(),
            }
        }
    }
}

static FOLDERS: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Where libraries are looked for that the loader does not find. Those that are open stay so.
pub fn set_folders(folders: Vec<PathBuf>) {
    *FOLDERS.write().unwrap_or_else(|e| e.into_inner()) = folders;
}

/// A function that we call and that an open library of an earlier CUDA lacks.
fn lacks(library: Library) -> Option<&'static str> {
    let newest = match library {
        Library::Cublas => "cublasGemmStridedBatchedEx_64",
        Library::Cusolver => "cusolverDnXgeev",
        _ => return None,
    };
    // SAFETY: the library is open; a symbol is looked up, not used.
    let is_there = unsafe {
        match library {
            Library::Cublas => cudarc::cublas::sys::culib().get::<*const ()>(newest.as_bytes()).is_ok(),
            _ => cudarc::cusolver::sys::culib().get::<*const ()>(newest.as_bytes()).is_ok(),
        }
    };
    (!is_there).then_some(newest)
}

/// Opens a library for good, or says what was tried. The bindings' functions may be called after this only: they panic where
/// the library is missing.
pub fn require(library: Library) -> Result<()> {
    let folders = FOLDERS.read().unwrap_or_else(|e| e.into_inner()).clone();
    let opened = if library.is_present() { Ok(()) } else { open(library, &folders) };
    let detail = match opened {
        Ok(()) if library.is_present() => match lacks(library) {
            None => return Ok(()),
            Some(name) => format!("the library that the loader finds is too old: it has no {name}"),
        },
        Ok(()) => format!("{} is there, but not what the loader finds under that name", library.file()),
        Err(detail) => detail,
    };
    Err(Error::Missing { library, detail })
}

fn open(library: Library, folders: &[PathBuf]) -> std::result::Result<(), String> {
    let find = |name: &str| folders.iter().map(|f| f.join(name)).find(|p| p.is_file());
    for name in library.needs() {
        // What is missing here may be found by the loader; if not, the library itself says so.
        if let Some(path) = find(name) {
            let _ = load(&path);
        }
    }
    match find(library.file()) {
        Some(path) => load(&path),
        None if folders.is_empty() => Err(format!("{} is not among the system's libraries", library.file())),
        None => {
            let folders: Vec<_> = folders.iter().map(|f| f.display().to_string()).collect();
            Err(format!("{} is neither among the system's libraries nor in {}", library.file(), folders.join(", ")))
        }
    }
}

/// Opens a file and keeps it open.
fn load(path: &Path) -> std::result::Result<(), String> {
    let name = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: a path in C's form; NVIDIA's libraries may be opened at any time. The message is copied before the next call.
    unsafe {
        if !libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL).is_null() {
            return Ok(());
        }
        let message = libc::dlerror();
        if message.is_null() {
            return Err(format!("{} cannot be opened", path.display()));
        }
        Err(CStr::from_ptr(message).to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_one_clear_error() {
        let detail = open(Library::Cufft, &[PathBuf::from("/nowhere")]).unwrap_err();
        assert_eq!(detail, "libcufft.so.12 is neither among the system's libraries nor in /nowhere");
        let text = Error::Missing { library: Library::Cufft, detail }.to_string();
        assert!(
            text.starts_with("cuFFT (libcufft) was not found: install NVIDIA's wheels with `pip install"),
            "{text}"
        );
        let driver = Error::Missing { library: Library::Driver, detail: String::new() }.to_string();
        assert!(driver.contains("nvidia-smi"), "{driver}");
    }

    #[test]
    fn a_file_that_is_no_library_is_reported() {
        let folder = std::env::temp_dir().join(format!("sciarray-library-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(Library::Cufft.file()), "no library").unwrap();
        let detail = open(Library::Cufft, std::slice::from_ref(&folder)).unwrap_err();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(detail.contains(Library::Cufft.file()), "{detail}");
    }
}
