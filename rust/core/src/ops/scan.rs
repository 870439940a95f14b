use crate::{Array,Result};
pub fn cumprod_exclusive(_x: &Array, _axis: usize, _reverse: bool) -> Result<Array> { todo!() }
