//! Arrays: dtype, shape, storage, the gate, gradients, recordings and the op table.

pub mod apply;
pub mod array;
pub mod device;
pub mod dtype;
pub mod error;
pub mod expr;
pub mod grad;
pub mod index;
pub mod op;
pub mod ops;
pub mod record;
pub mod shape;
pub mod storage;

pub use apply::{apply, apply1};
pub use array::{Array, Range, Scalar};
pub use device::Device;
pub use dtype::DType;
pub use error::{Error, Kind, Result};
