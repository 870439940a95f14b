//! Scalar functions, each written once for every precision, lane width and for the CUDA printer.

pub mod bodies;
pub mod complex;
pub mod dd;
pub mod elementary;
pub mod printer;
pub mod real;
pub mod simd;
pub mod single;
pub mod special;
#[cfg(test)]
mod testing;

pub use bodies::shared;
pub use complex::{Complex, ComplexBody, ComplexShortWays};
pub use dd::Dd;
pub use real::{Arith, ArithBody, Bits, Body, CLASSES, Mask, Real, Rows, ShortWays, Table};
pub use simd::Lanes;
