//! Linear algebra of the built library, because compiling it a second time takes minutes.
#![allow(unsafe_code)]

#[path = "../../src/linalg/testing.rs"]
#[allow(dead_code)]
mod testing;

mod decompositions;
mod factors;

// What `testing` takes from its crate.
use sciarray_kernels::{DType, Element, View, ViewMut, pool};
