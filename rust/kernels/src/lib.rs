//! Computations over views and slices: map, reduce, scan, sort, gather, linear algebra, FFT, random.
//!
//! A kernel knows nothing of arrays, gradients or recordings. Shapes and dtypes arrive checked; a kernel asserts what its
//! memory safety needs and leaves messages for users to the caller.

pub mod copy;
pub mod dtype;
pub mod isa;
pub mod map;
pub mod pool;
pub mod random;
pub mod view;

pub use dtype::{DType, Element};
pub use view::{View, ViewMut};
