//! Matrix products over the last two axes.

use crate::apply::apply1;
use crate::array::Array;
use crate::device;
use crate::error::Result;
use crate::op::{Ctx, Meta, MetaRef, Metas, Op, OpRef, Outs, Rule, one, out};
use crate::ops;
use crate::shape::{Shape, Tuple, broadcast2, size_of};
use crate::{ensure, fail};
use sciarray_cuda::Queue;

/// `(..., n, k) @ (..., k, m)`, leading axes broadcast, both of one dtype.
#[derive(Clone, Debug)]
pub struct MatMul;

impl Op for MatMul {
    fn name(&self) -> &str {
        "matmul"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (a, b) = (ins[0], ins[1]);
        ensure!(
            a.dtype == b.dtype,
            Type,
            "matmul: both operands must have one dtype, got {} and {}",
            a.dtype.name(),
            b.dtype.name()
        );
        let ([lead_a @ .., n, k], [lead_b @ .., k2, m]) = (a.shape, b.shape) else {
            fail!(Value, "matmul: operands must have two axes or more, got {} and {}", Tuple(a.shape), Tuple(b.shape))
        };
        let lead = broadcast2(lead_a, lead_b);
        let (true, Some(lead)) = (k == k2, lead) else {
            fail!(
                Value,
                "matmul: shapes (..., n, k) and (..., k, m) are required, got {} and {}",
                Tuple(a.shape),
                Tuple(b.shape)
            )
        };
        let mut shape = lead;
        shape.extend([*n, *m]);
        size_of("matmul", &shape, a.dtype.size())?;
        one(a.dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("matmul", outs[0].dtype, &outs[0].shape)?;
        let lead = &outs[0].shape[..outs[0].shape.len() - 2];
        let operand = |x: &Array| {
            let mut shape = Shape::from_slice(lead);
            shape.extend_from_slice(&x.shape()[x.ndim() - 2..]);
            x.broadcasted(&shape)
        };
        let (a, b) = (operand(ins[0]), operand(ins[1]));
        sciarray_kernels::matmul::matmul(&a.view(), &b.view(), &mut y.view_mut(), false, false);
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        out(device::linalg::matmul(queue, ins[0], ins[1], &outs[0])?)
    }
    fn rule(&self) -> Rule {
        Rule::Multilinear
    }
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        Ok(Some(match i {
            0 => matmul(g, &ops::adjoint(ctx.input(1))?)?,
            _ => matmul(&ops::adjoint(ctx.input(0))?, g)?,
        }))
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&MatMul)
    }
}

/// The product of stacks of matrices, promoted to their common dtype.
pub fn matmul(a: &Array, b: &Array) -> Result<Array> {
    let (a, b) = ops::promoted(a, b)?;
    apply1(&MatMul, &[&a, &b])
}

/// NumPy's `matmul`: one-dimensional operands are rows or columns whose axis is dropped from the result.
pub fn matmul_vectors(a: &Array, b: &Array) -> Result<Array> {
    ensure!(
        a.ndim() > 0 && b.ndim() > 0,
        Value,
        "matmul: operands must have at least one axis, got {} and {}",
        Tuple(a.shape()),
        Tuple(b.shape())
    );
    let row = a.ndim() == 1;
    let column = b.ndim() == 1;
    let a = if row { ops::reshape(a, &[1, a.shape()[0]])? } else { a.clone() };
    let b = if column { ops::reshape(b, &[b.shape()[0], 1])? } else { b.clone() };
    let y = matmul(&a, &b)?;
    let n = y.ndim();
    let mut shape = Shape::from_slice(y.shape());
    if column {
        shape.remove(n - 1);
    }
    if row {
        shape.remove(n - 2);
    }
    ops::reshape(&y, &shape)
}
