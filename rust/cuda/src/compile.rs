//! Compilation by NVRTC: no contraction, and nothing else that changes bits.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::library::{Library, require};
use cudarc::nvrtc::sys;
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// Options of every compilation. Multiplications and additions are fused where the text says so; divisions and roots are
/// rounded correctly, and subnormal numbers kept, by default.
const OPTIONS: [&str; 3] = ["--fmad=false", "--std=c++17", "--diag-suppress=177"];

/// Version of NVRTC, as major and minor number.
pub fn version() -> Result<(u32, u32)> {
    require(Library::Nvrtc)?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library is open; the pointers are to integers of ours.
    check(unsafe { sys::nvrtcVersion(&mut major, &mut minor) })?;
    Ok((major as u32, minor as u32))
}

fn check(status: sys::nvrtcResult) -> Result<()> {
    if status == sys::nvrtcResult::NVRTC_SUCCESS { Ok(()) } else { Err(Error::Nvrtc(status as u32)) }
}

/// A program of NVRTC, destroyed at the end.
struct Program(sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made by `nvrtcCreateProgram`, and destroyed once.
        unsafe { sys::nvrtcDestroyProgram(&mut self.0) };
    }
}

impl Program {
    /// What NVRTC says to a text.
    fn log(&self) -> Result<String> {
        let mut size = 0;
        // SAFETY: the program lives, and the buffer is as large as asked for.
        unsafe {
            check(sys::nvrtcGetProgramLogSize(self.0, &mut size))?;
            let mut log = vec![0u8; size];
            check(sys::nvrtcGetProgramLog(self.0, log.as_mut_ptr().cast()))?;
            Ok(String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned())
        }
    }
}

/// Machine code for an architecture such as `sm_90`.
pub fn compile(text: &str, architecture: &str) -> Result<Vec<u8>> {
    require(Library::Nvrtc)?;
    let text = CString::new(text).expect("a text without zero bytes");
    let options: Vec<CString> = std::iter::once(format!("--gpu-architecture={architecture}"))
        .chain(OPTIONS.map(str::to_owned))
        .map(|o| CString::new(o).expect("an option without zero bytes"))
        .collect();
    let mut program = Program(null_mut());
    // SAFETY: the library is open; strings end with a zero and outlive the calls; the buffer is as large as asked for.
    unsafe {
        check(sys::nvrtcCreateProgram(&mut program.0, text.as_ptr(), c"sciarray.cu".as_ptr(), 0, null(), null()))?;
        let pointers: Vec<_> = options.iter().map(|o| o.as_ptr()).collect();
        let status = sys::nvrtcCompileProgram(program.0, pointers.len() as i32, pointers.as_ptr());
        if status != sys::nvrtcResult::NVRTC_SUCCESS {
            return Err(Error::Compile { architecture: architecture.to_owned(), log: program.log()? });
        }
        let mut size = 0;
        check(sys::nvrtcGetCUBINSize(program.0, &mut size))?;
        let mut code = vec![0u8; size];
        check(sys::nvrtcGetCUBIN(program.0, code.as_mut_ptr().cast()))?;
        Ok(code)
    }
}
