//! Linear algebra over leading batch axes.
pub(crate) mod batch;
pub(crate) mod field;
pub(crate) mod mat;
