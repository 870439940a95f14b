//! Scalar functions, each written once for every precision, lane width and for the CUDA printer.

pub mod real;

pub use real::{Arith, ArithBody, Bits, Body, Mask, Real, Table};
