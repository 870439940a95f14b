//! Run-time compilation and execution on NVIDIA GPUs. The driver and NVIDIA's libraries are opened at run time, so the same
//! binary runs where there are none.

pub mod blas;
pub mod cache;
pub mod compile;
pub mod device;
pub mod error;
pub mod fourier;
pub mod functions;
pub mod graph;
pub mod library;
pub mod params;
pub mod queue;
pub mod solver;
mod staging;
pub mod text;

pub use error::{Error, Result};
pub use functions::{Key, function};
pub use graph::{Capture, Graph, is_capturing};
pub use params::{Layout, Params};
pub use queue::{Buffer, Queue};
