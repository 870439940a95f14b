//! The ops, one family per file, and the short names that rules and the binding layer call them by.

pub mod decompositions;
pub mod determinant;
pub mod elementwise;
pub mod fft;
pub mod filter;
pub mod gather;
pub mod linalg;
pub mod lu;
pub mod matmul;
pub mod random;
pub mod reduce;
pub mod scan;
pub mod softmax;
pub mod sort;
pub mod structural;

use crate::apply::apply1;
use crate::array::Array;
use crate::device::Device;
use crate::dtype::{DType, promote};
use crate::error::Result;
use crate::op::Meta;
use crate::record;
use crate::shape::{Axes, Shape};
use elementwise::Elementwise;

/// Applies an elementwise op to arrays, which are promoted and broadcast.
#[inline]
pub fn elementwise(op: &'static Elementwise, ins: &[&Array]) -> Result<Array> {
    apply1(&elementwise::Row(op), ins)
}

pub fn add(a: &Array, b: &Array) -> Result<Array> {
    elementwise(&elementwise::ADD, &[a, b])
}

/// `g * d`, and exactly 0 where `g` is.
pub fn mulz(g: &Array, d: &Array) -> Result<Array> {
    elementwise(&elementwise::MULZ, &[g, d])
}

pub fn conj(x: &Array) -> Result<Array> {
    if x.dtype().is_complex() { elementwise(&elementwise::CONJ, &[x]) } else { Ok(x.clone()) }
}

pub fn real(x: &Array) -> Result<Array> {
    if x.dtype().is_complex() { elementwise(&elementwise::REAL, &[x]) } else { Ok(x.clone()) }
}

pub fn cast(x: &Array, dtype: DType) -> Result<Array> {
    if x.dtype() == dtype { Ok(x.clone()) } else { apply1(&structural::Cast(dtype), &[x]) }
}

/// The same values on a device.
pub fn to(x: &Array, device: Device) -> Result<Array> {
    if x.device() == device { Ok(x.clone()) } else { apply1(&structural::To { from: x.device(), to: device }, &[x]) }
}

pub fn reshape(x: &Array, shape: &[usize]) -> Result<Array> {
    if x.shape() == shape { Ok(x.clone()) } else { apply1(&structural::Reshape(Shape::from_slice(shape)), &[x]) }
}

pub fn permute(x: &Array, axes: &[usize]) -> Result<Array> {
    apply1(&structural::Permute(Axes::from_slice(axes)), &[x])
}

/// The axes in reverse order.
pub fn transpose(x: &Array) -> Result<Array> {
    permute(x, &(0..x.ndim()).rev().collect::<Axes>())
}

/// The last two axes exchanged.
pub fn matrix_transpose(x: &Array) -> Result<Array> {
    let mut axes: Axes = (0..x.ndim()).collect();
    let n = axes.len();
    axes.swap(n - 1, n - 2);
    permute(x, &axes)
}

/// The same values as a constant; a replay that is watched must know where no gradient flows.
pub fn detach(x: &Array) -> Result<Array> {
    if record::varies(x) { apply1(&structural::Detach, &[x]) } else { Ok(x.clone().detach()) }
}

/// The conjugate transpose over the last two axes.
pub fn adjoint(x: &Array) -> Result<Array> {
    conj(&matrix_transpose(x)?)
}

pub fn broadcast_to(x: &Array, shape: &[usize]) -> Result<Array> {
    if x.shape() == shape { Ok(x.clone()) } else { apply1(&structural::BroadcastTo(Shape::from_slice(shape)), &[x]) }
}

/// Zeros that occupy one element.
pub fn zeros(meta: &Meta) -> Result<Array> {
    Ok(Array::zeros("zeros", meta.dtype, &[])?.broadcasted(&meta.shape))
}

/// Sums over the axes along which `shape` was broadcast to the shape of `x`.
pub fn sum_to(x: &Array, shape: &[usize]) -> Result<Array> {
    let lead = x.ndim() - shape.len();
    let axes: Axes = (0..x.ndim()).filter(|&i| i < lead || (shape[i - lead] == 1 && x.shape()[i] != 1)).collect();
    let y = if axes.is_empty() { x.clone() } else { reduce::sum(x, &axes, false)? };
    reshape(&y, shape)
}

/// Both in their common dtype.
pub fn promoted(a: &Array, b: &Array) -> Result<(Array, Array)> {
    let d = promote(a.dtype(), b.dtype());
    Ok((cast(a, d)?, cast(b, d)?))
}
