//! Scalar functions, each written once for every precision, lane width and for the CUDA printer.

pub mod bodies;
pub mod dd;
pub mod elementary;
pub mod real;

pub use dd::Dd;
pub use real::{Arith, ArithBody, Bits, Body, Mask, Real, Table};
