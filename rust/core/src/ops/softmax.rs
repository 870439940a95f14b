//! The derivatives of softmax.

use crate::apply::apply1;
use crate::array::Array;
use crate::error::Result;
use crate::expr::E;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves, one, out};
use crate::ops::{self, elementwise as rows, reduce};
use crate::shape::{Axes, Tuple};
use crate::{ensure, shared_handle};
use sciarray_cuda::Queue;
use smallvec::smallvec;

/// Softmax y of x over sorted axes: inputs x and y, of which x has the derivatives and y is handed on.
#[derive(Clone, Debug)]
pub struct Softmax {
    pub axes: Axes,
}

impl Softmax {
    /// `y_i (t_i - sum_j t_j y_j)`. As the `y_j` add up to 1 it does not depend on what is taken from all `t_j`: that of an
    /// element above 1/2, of which `1 - y_i` would leave few digits.
    fn along(&self, y: &E, t: &Array) -> Result<Array> {
        let sum = |t: &E| t.map(|t| reduce::sum(t, &self.axes, true));
        let size = y.map(ops::real);
        let most = E::call(&rows::GREATER, [&size, &size.lit(0.5)]);
        let t = E::of(t);
        let t = &t - sum(&E::call(&rows::WHERE, [&most, &t, &t.lit(0.0)]));
        (y * (&t - sum(&(&t * y)))).0
    }
}

impl Op for Softmax {
    fn name(&self) -> &str {
        "softmax"
    }
    fn attrs(&self) -> Attrs {
        vec![("axes", Attr::Ints(self.axes.iter().map(|&a| a as i64).collect()))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let [x, y] = [ins[0], ins[1]];
        ensure!(
            x.dtype == y.dtype && x.shape == y.shape,
            Value,
            "softmax: x and y must have one dtype and shape, got {} of shape {} and {} of shape {}",
            x.dtype.name(),
            Tuple(x.shape),
            y.dtype.name(),
            Tuple(y.shape)
        );
        one(y.dtype, y.shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[1].clone().detach())
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::OUTPUT
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None, None]) };
        Ok(smallvec![Some(self.along(&E::of(ctx.output(0)).map(ops::conj), g)?), None])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        Some(self.along(&E::of(ctx.output(0)), t).map(|t| smallvec![Some(t)]))
    }
    fn value_of(&self) -> Option<usize> {
        Some(1)
    }
    shared_handle!();
}

/// `y`, the softmax of `x` over the axes, with its derivatives in `x`.
pub fn softmax(x: &Array, y: &Array, axes: &[usize]) -> Result<Array> {
    apply1(&Softmax { axes: Axes::from_slice(axes) }, &[x, y])
}
