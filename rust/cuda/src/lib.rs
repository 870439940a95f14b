//! Run-time compilation and execution on NVIDIA GPUs. The driver and NVIDIA's libraries are opened at run time, so the same
//! binary runs where there are none.

pub mod cache;
pub mod compile;
pub mod device;
pub mod error;
pub mod library;
pub mod text;

pub use error::{Error, Result};
