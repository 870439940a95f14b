//! placeholder
use super::rows;
rows! {}
