//! Computations over views and slices: map, reduce, scan, sort, gather, linear algebra, FFT, random.
//!
//! A kernel knows nothing of arrays, gradients or recordings. Shapes and dtypes arrive checked; a kernel asserts what its
//! memory safety needs and leaves messages for users to the caller.

pub mod allpole;
pub mod copy;
pub mod dtype;
pub mod fft;
pub mod fir;
pub mod gather;
pub mod isa;
pub mod linalg;
pub mod map;
pub mod matmul;
pub mod pool;
pub mod random;
pub mod recurrence;
pub mod reduce;
pub mod scan;
pub mod search;
pub mod sort;
#[cfg(test)]
pub(crate) mod testing;
pub mod view;
pub mod walk;

pub use dtype::{DType, Element};
pub use view::{View, ViewMut};
