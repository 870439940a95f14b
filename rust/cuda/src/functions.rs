//! Kernels that are loaded on a device, by what they were made from, so that a launch builds no text.
#![allow(unsafe_code)]

use crate::cache::Cache;
use crate::device;
use crate::error::{Error, Result};
use cudarc::driver::{result, sys};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, RwLock};

/// A kernel of a loaded module, which stays loaded.
#[derive(Clone, Copy, Debug)]
pub struct Function(sys::CUfunction);

// SAFETY: a handle that any thread may launch.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Function {
    pub(crate) fn handle(self) -> sys::CUfunction {
        self.0
    }
}

struct Module(sys::CUmodule);

// SAFETY: a handle that any thread may use.
unsafe impl Send for Module {}

/// What tells kernels apart: the kernel's name and numbers that say what its text was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub kernel: &'static str,
    pub parts: [u64; 4],
}

static FUNCTIONS: RwLock<Option<HashMap<(usize, Key), Function>>> = RwLock::new(None);
/// By device and text: kernels of one text share a module.
static MODULES: Mutex<Option<HashMap<(usize, String), Module>>> = Mutex::new(None);

/// The kernel of this key on a device whose context is that of the thread; `text` makes what it is compiled from.
pub fn function(device: usize, key: Key, text: impl FnOnce() -> String) -> Result<Function> {
    let known = FUNCTIONS.read().unwrap_or_else(|e| e.into_inner());
    if let Some(f) = known.as_ref().and_then(|map| map.get(&(device, key))) {
        return Ok(*f);
    }
    drop(known);
    let text = text();
    let mut modules = MODULES.lock().unwrap_or_else(|e| e.into_inner());
    let modules = modules.get_or_insert_default();
    let place = (device, text);
    let module = match modules.get(&place) {
        Some(Module(m)) => *m,
        None => {
            let code = Cache::global().code(&place.1, &device::architecture(device)?)?;
            // SAFETY: an image that the compiler made, whole.
            let m = unsafe { result::module::load_data(code.as_ptr().cast()) }?;
            modules.insert(place, Module(m));
            m
        }
    };
    let name = CString::new(key.kernel).map_err(|e| Error::Driver(e.to_string()))?;
    // SAFETY: a module that stays loaded.
    let f = Function(unsafe { result::module::get_function(module, name) }?);
    FUNCTIONS.write().unwrap_or_else(|e| e.into_inner()).get_or_insert_default().insert((device, key), f);
    Ok(f)
}
