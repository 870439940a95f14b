//! Sorting and searching.

use crate::apply::apply1;
use crate::array::Array;
use crate::device::{self, Leaves};
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves, one, out};
use crate::ops::gather::{AddAlongAxis, TakeAlongAxis};
use crate::shape::{Shape, Tuple};
use crate::{ensure, shared_handle};
use sciarray_cuda::Queue;
use sciarray_kernels::search::Side;
use smallvec::smallvec;

/// The elements along an axis in order, NaNs last.
#[derive(Clone, Debug)]
pub struct Sort {
    pub axis: usize,
    pub descending: bool,
}

/// The indices of that order; equal elements keep theirs.
#[derive(Clone, Debug)]
pub struct ArgSort {
    pub axis: usize,
    pub descending: bool,
}

fn attrs(axis: usize, descending: bool) -> Attrs {
    vec![("axis", Attr::Int(axis as i64)), ("descending", Attr::Bool(descending))]
}

impl Op for Sort {
    fn name(&self) -> &str {
        "sort"
    }
    fn attrs(&self) -> Attrs {
        attrs(self.axis, self.descending)
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let x = ins[0];
        let mut y = Array::empty("sort", x.dtype(), x.shape())?;
        if y.size() > 0 {
            sciarray_kernels::sort::sort(&x.view(), self.axis, self.descending, &mut y.view_mut());
        }
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(device::sort(queue, ins[0], self.axis, self.descending, Leaves::Values)?)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::INPUTS
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let op = AddAlongAxis { axis: self.axis, len: g.shape()[self.axis] };
        Ok(smallvec![Some(apply1(&op, &[g, &self.order(ctx)?])?)])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        let tangent = || apply1(&TakeAlongAxis(self.axis), &[t, &self.order(ctx)?]);
        Some(tangent().map(|t| smallvec![Some(t)]))
    }
    shared_handle!();
}

impl Sort {
    fn order(&self, ctx: &Ctx) -> Result<Array> {
        apply1(&ArgSort { axis: self.axis, descending: self.descending }, &[ctx.input(0)])
    }
}

impl Op for ArgSort {
    fn name(&self) -> &str {
        "argsort"
    }
    fn attrs(&self) -> Attrs {
        attrs(self.axis, self.descending)
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(DType::I64, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let x = ins[0];
        let mut y = Array::empty("argsort", DType::I64, x.shape())?;
        if y.size() > 0 {
            sciarray_kernels::sort::argsort(&x.view(), self.axis, self.descending, &mut y.view_mut());
        }
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(device::sort(queue, ins[0], self.axis, self.descending, Leaves::Indices)?)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}

/// Where values belong in a sorted 1-D array of the same dtype.
#[derive(Clone, Debug)]
pub struct SearchSorted {
    pub right: bool,
}

impl Op for SearchSorted {
    fn name(&self) -> &str {
        "searchsorted"
    }
    fn attrs(&self) -> Attrs {
        vec![("right", Attr::Bool(self.right))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        ensure!(
            ins[0].shape.len() == 1,
            Value,
            "searchsorted: the sorted array must have one axis, got shape {}",
            Tuple(ins[0].shape)
        );
        ensure!(
            ins[0].dtype == ins[1].dtype,
            Type,
            "searchsorted: both arrays must have one dtype, got {} and {}",
            ins[0].dtype.name(),
            ins[1].dtype.name()
        );
        one(DType::I64, Shape::from_slice(ins[1].shape))
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("searchsorted", DType::I64, &outs[0].shape)?;
        let side = if self.right { Side::Right } else { Side::Left };
        let (sorted, values) = (ins[0].view(), ins[1].view());
        sciarray_kernels::search::searchsorted(&sorted, &values, side, None, &mut y.view_mut());
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(device::searchsorted(queue, ins[0], ins[1], self.right)?)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}
