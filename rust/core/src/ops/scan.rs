//! Scans along an axis.

use crate::apply::apply1;
use crate::array::{Array, Range};
use crate::device;
use crate::error::Result;
use crate::expr::E;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves, one, out};
use crate::ops::{self, reduce::accumulator, structural};
use crate::shared_handle;
use sciarray_cuda::Queue;
use sciarray_kernels::scan::Scan as Kind;
use smallvec::{SmallVec, smallvec};

/// A cumulative sum or product; with `exclusive` an element does not count itself.
#[derive(Clone, Debug)]
pub struct Scan {
    pub kind: Kind,
    pub axis: usize,
    pub reverse: bool,
    pub exclusive: bool,
}

impl Scan {
    fn factors(&self, x: &Array) -> Result<Array> {
        apply1(&Scan { exclusive: true, ..self.clone() }, &[x])
    }

    fn sum(&self, reverse: bool) -> Scan {
        Scan { kind: Kind::Sum, reverse, ..self.clone() }
    }
}

impl Op for Scan {
    fn name(&self) -> &str {
        match self.kind {
            Kind::Sum => "cumsum",
            Kind::Prod => "cumprod",
            Kind::Min => "cummin",
            Kind::Max => "cummax",
        }
    }
    fn attrs(&self) -> Attrs {
        vec![
            ("axis", Attr::Int(self.axis as i64)),
            ("reverse", Attr::Bool(self.reverse)),
            ("exclusive", Attr::Bool(self.exclusive)),
        ]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let dtype = match self.kind {
            Kind::Sum | Kind::Prod => accumulator(ins[0].dtype),
            Kind::Min | Kind::Max => ins[0].dtype,
        };
        one(dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty(self.name(), outs[0].dtype, &outs[0].shape)?;
        if y.size() > 0 {
            let x = ins[0].view();
            sciarray_kernels::scan::scan(self.kind, &x, self.axis, self.reverse, self.exclusive, &mut y.view_mut());
        }
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        out(device::scan(queue, self.kind, ins[0], self.axis, (self.reverse, self.exclusive), &outs[0])?)
    }
    fn rule(&self) -> Rule {
        match self.kind {
            Kind::Sum => Rule::Linear,
            Kind::Prod => Rule::General,
            Kind::Min | Kind::Max => Rule::Constant,
        }
    }
    fn saves(&self) -> Saves {
        if self.kind == Kind::Prod { Saves::INPUTS } else { Saves::NOTHING }
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        gs[0].as_ref().map(|g| apply1(&self.sum(!self.reverse), &[g])).transpose()
    }
    /// With p the exclusive products, dx_j = p_j sum_{i >= j} g_i prod_{j < k <= i} x_k: the sum is a linear recurrence run
    /// the other way, so that zeros need no division.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let x = ops::conj(ctx.input(0))?;
        let before = self.factors(&x)?;
        let back = Recurrence { axis: self.axis, reverse: !self.reverse };
        let sums = if self.exclusive {
            // Element j enters the products after it only.
            let later = apply1(&back, &[&x, g])?;
            shift(&later, self.axis, !self.reverse)?
        } else {
            back.delayed(&x, g)?
        };
        Ok(smallvec![Some((E(Ok(before)) * E(Ok(sums))).0?)])
    }
    shared_handle!();
}

/// Elements moved by one along an axis, a zero coming in: towards the end, or with `back` towards the start.
fn shift(x: &Array, axis: usize, back: bool) -> Result<Array> {
    let n = x.shape()[axis];
    if n == 0 {
        return Ok(x.clone());
    }
    let mut from: SmallVec<[Range; 4]> = x.shape().iter().map(|&n| Range::full(n)).collect();
    let mut to = from.clone();
    from[axis] = Range { start: back as usize, step: 1, len: n - 1 };
    to[axis] = Range { start: !back as usize, step: 1, len: n - 1 };
    if n == 1 {
        from[axis].start = 0;
        to[axis].start = 0;
    }
    let part = apply1(&structural::Slice::new(from), &[x])?;
    apply1(&structural::Embed { ranges: to, shape: x.shape().into() }, &[&part])
}

/// The linear recurrence y_i = b_i + a_i y_{i-1} along an axis, from the end with `reverse`: inputs a and b of one shape.
#[derive(Clone, Debug)]
pub struct Recurrence {
    pub axis: usize,
    pub reverse: bool,
}

impl Recurrence {
    /// y_i = b_i + a_{i-1} y_{i-1}: the coefficient of the step before.
    fn delayed(&self, a: &Array, b: &Array) -> Result<Array> {
        apply1(self, &[&shift(a, self.axis, self.reverse)?, b])
    }
}

impl Op for Recurrence {
    fn name(&self) -> &str {
        "recurrence"
    }
    fn attrs(&self) -> Attrs {
        vec![("axis", Attr::Int(self.axis as i64)), ("reverse", Attr::Bool(self.reverse))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[1].dtype, ins[1].shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("recurrence", outs[0].dtype, &outs[0].shape)?;
        let (a, b) = (ins[0].view(), ins[1].view());
        sciarray_kernels::recurrence::recurrence(&a, &b, self.axis, self.reverse, &mut y.view_mut());
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(device::recurrence(queue, ins[0], ins[1], self.axis, self.reverse)?)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: true }
    }
    /// The adjoint recurrence runs the other way with the next coefficient: r_i = g_i + a_{i+1} r_{i+1}.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None, None]) };
        let back = Recurrence { axis: self.axis, reverse: !self.reverse };
        let a = ops::conj(ctx.input(0))?;
        let r = back.delayed(&a, g)?;
        let previous = ops::conj(&shift(ctx.output(0), self.axis, self.reverse)?)?;
        let ga = (E::of(&r) * E(Ok(previous))).0?;
        Ok(smallvec![Some(ga), Some(r)])
    }
    shared_handle!();
}

pub fn cumprod_exclusive(x: &Array, axis: usize, reverse: bool) -> Result<Array> {
    apply1(&Scan { kind: Kind::Prod, axis, reverse, exclusive: true }, &[x])
}
