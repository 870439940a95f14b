//! Elementwise execution: scalar functions compiled to tile loops, and the one driver that runs programs of them.

pub mod basic;
pub mod body;
pub mod convert;
pub(crate) mod layout;
pub mod print;
pub mod program;
pub mod table;
pub mod tile;

pub use body::{BoolBody, ComplexPredicateBody, Int, IntBody, IntPredicateBody, PredicateBody};
pub use program::{Program, run, run_one};
pub use table::Kernels;
pub use tile::{Kernel, MAX_ARGS, TileFn};

#[cfg(test)]
mod tests;
