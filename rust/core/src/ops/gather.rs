//! Indexing by integer arrays, and its inverses.

use crate::apply::apply1;
use crate::array::Array;
use crate::device;
use crate::dtype::DType;
use crate::error::{Error, Kind, Result};
use crate::op::{Attr, Attrs, Ctx, Meta, MetaRef, Metas, Op, Outs, Rule, one, out};
use crate::ops::{self, elementwise as rows};
use crate::shape::{Axes, Shape, Strides, Tuple, broadcast, size_of};
use crate::{ensure, fail, shared_handle};
use sciarray_cuda::Queue;
use sciarray_kernels::View;
use sciarray_kernels::gather as kernels;
use smallvec::SmallVec;

fn axes_attr(axes: &[usize]) -> Attrs {
    vec![("axes", Attr::Ints(axes.iter().map(|&a| a as i64).collect()))]
}

fn out_of_bounds(op: &str, (array, value): (usize, i64), axes: &[usize], shape: &[usize]) -> Error {
    let axis = axes[array];
    Error::new(Kind::Index, format!("{op}: {value} is out of bounds for axis {axis} with size {}", shape[axis]))
}

fn index_shape(op: &str, index: &[MetaRef]) -> Result<Shape> {
    for i in index {
        ensure!(i.dtype == DType::I64, Type, "{op}: indices must be int64, got {}", i.dtype.name());
    }
    broadcast(op, index.iter().map(|i| i.shape))
}

/// The shape of the indexed part: the indices' common shape, then the axes that are not indexed.
fn part_shape(op: &str, x: &[usize], axes: &[usize], index: &[MetaRef]) -> Result<Shape> {
    let mut shape = index_shape(op, index)?;
    shape.extend(x.iter().enumerate().filter(|(a, _)| !axes.contains(a)).map(|(_, &n)| n));
    Ok(shape)
}

/// Calls a kernel with the index arrays broadcast to their common shape.
fn with_indices<T>(index: &[&Array], f: impl FnOnce(&[View]) -> T) -> Result<T> {
    let shape = broadcast("index", index.iter().map(|i| i.shape()))?;
    let strides: SmallVec<[Strides; 3]> = index.iter().map(|i| i.strides_for(&shape)).collect();
    let views: SmallVec<[View; 3]> = index.iter().zip(&strides).map(|(i, s)| i.view_as(&shape, s)).collect();
    Ok(f(&views))
}

/// `x[..., i, ...]`: inputs are x and one int64 array per entry of `axes`; their common axes come first in the result.
#[derive(Clone, Debug)]
pub struct Gather {
    pub axes: Axes,
}

impl Op for Gather {
    fn name(&self) -> &str {
        "gather"
    }
    fn attrs(&self) -> Attrs {
        axes_attr(&self.axes)
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let shape = part_shape("index", ins[0].shape, &self.axes, &ins[1..])?;
        size_of("index", &shape, ins[0].dtype.size())?;
        one(ins[0].dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let x = ins[0];
        let mut y = Array::empty("index", x.dtype(), &outs[0].shape)?;
        with_indices(&ins[1..], |index| kernels::gather_nd(&x.view(), &self.axes, index, 0, &mut y.view_mut()))?
            .map_err(|bad| out_of_bounds("index", (bad.array, bad.value), &self.axes, x.shape()))?;
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let bad = |array, value| out_of_bounds("index", (array, value), &self.axes, ins[0].shape());
        out(device::gather(queue, ins[0], &self.axes, &ins[1..], &outs[0], &bad)?)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let (0, Some(g)) = (i, &gs[0]) else { return Ok(None) };
        let zero = ops::zeros(&Meta { dtype: g.dtype(), shape: ctx.in_metas[0].shape.clone() })?;
        Ok(Some(scatter(Scatter::Add, &self.axes, &zero, g, &indices(ctx, 1))?))
    }
    shared_handle!();
}

/// How values meet what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scatter {
    /// The last of several values for one element stays.
    Set,
    Add,
}

/// `x` with values written to or added at `x[..., i, ...]`: inputs are x, the values as [`Gather`] gives them, the indices.
#[derive(Clone, Debug)]
pub struct ScatterInto {
    pub kind: Scatter,
    pub axes: Axes,
}

fn indices<'a>(ctx: &'a Ctx, from: usize) -> Vec<&'a Array> {
    (from..ctx.ins.len()).map(|i| ctx.input(i)).collect()
}

/// [`ScatterInto`] as a function.
pub fn scatter(kind: Scatter, axes: &[usize], x: &Array, v: &Array, index: &[&Array]) -> Result<Array> {
    let ins: SmallVec<[&Array; 5]> = [x, v].into_iter().chain(index.iter().copied()).collect();
    apply1(&ScatterInto { kind, axes: Axes::from_slice(axes) }, &ins)
}

fn gather(axes: &[usize], x: &Array, index: &[&Array]) -> Result<Array> {
    let ins: SmallVec<[&Array; 4]> = std::iter::once(x).chain(index.iter().copied()).collect();
    apply1(&Gather { axes: Axes::from_slice(axes) }, &ins)
}

/// Where a value is the one that stays: of several for one element the last.
fn survivors(axes: &[usize], x: &Meta, v: &Meta, index: &[&Array]) -> Result<Array> {
    let count: usize = v.shape.iter().product();
    let order: Vec<i64> = (0..count as i64).collect();
    let order = ops::to(&Array::from_slice("setitem", &order, &v.shape)?, index[0].device())?;
    let blank = ops::zeros(&Meta { dtype: DType::I64, shape: x.shape.clone() })?;
    let last = scatter(Scatter::Set, axes, &blank, &order, index)?;
    ops::elementwise(&rows::EQUAL, &[&gather(axes, &last, index)?, &order])
}

impl Op for ScatterInto {
    fn name(&self) -> &str {
        match self.kind {
            Scatter::Set => "scatter_set",
            Scatter::Add => "scatter_add",
        }
    }
    fn attrs(&self) -> Attrs {
        axes_attr(&self.axes)
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let part = part_shape("setitem", ins[0].shape, &self.axes, &ins[2..])?;
        ensure!(
            ins[1].shape == &part[..] && ins[1].dtype == ins[0].dtype,
            Value,
            "setitem: values must have the shape {} of the indexed part, got {}",
            Tuple(&part),
            Tuple(ins[1].shape)
        );
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let (x, v) = (ins[0], ins[1]);
        let mut y = x.copy("setitem")?;
        with_indices(&ins[2..], |index| match self.kind {
            Scatter::Set => kernels::scatter_set(&mut y.view_mut(), &self.axes, index, 0, &v.view()),
            Scatter::Add => kernels::scatter_add(&mut y.view_mut(), &self.axes, index, 0, &v.view()),
        })?
        .map_err(|bad| out_of_bounds("setitem", (bad.array, bad.value), &self.axes, x.shape()))?;
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let bad = |array, value| out_of_bounds("setitem", (array, value), &self.axes, ins[0].shape());
        out(device::scatter(queue, self.kind, (ins[0], ins[1]), &self.axes, &ins[2..], &bad)?)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        let index = indices(ctx, 2);
        Ok(match (i, self.kind) {
            (0, Scatter::Add) => Some(g.clone()),
            (0, Scatter::Set) => {
                let zero = ops::zeros(&Meta { dtype: g.dtype(), shape: ctx.in_metas[1].shape.clone() })?;
                Some(scatter(Scatter::Set, &self.axes, g, &zero, &index)?)
            }
            (1, kind) => {
                let y = gather(&self.axes, g, &index)?;
                if kind == Scatter::Add {
                    return Ok(Some(y));
                }
                let stays = survivors(&self.axes, &ctx.in_metas[0], &ctx.in_metas[1], &index)?;
                let zero = ops::zeros(&Meta::new(y.dtype(), &[]))?;
                Some(ops::elementwise(&rows::WHERE, &[&stays, &y, &zero])?)
            }
            _ => None,
        })
    }
    shared_handle!();
}

/// `x[..., index[..., i, ...], ...]` along one axis; the other axes of both agree.
#[derive(Clone, Debug)]
pub struct TakeAlongAxis(pub usize);

fn along(op: &str, axis: usize, x: &[usize], index: MetaRef) -> Result<()> {
    ensure!(index.dtype == DType::I64, Type, "{op}: indices must be int64, got {}", index.dtype.name());
    let fits = x.len() == index.shape.len() && (0..x.len()).all(|a| a == axis || x[a] == index.shape[a]);
    if !fits {
        fail!(
            Value,
            "{op}: shapes must agree except along axis {axis}, got {} and indices of shape {}",
            Tuple(x),
            Tuple(index.shape)
        );
    }
    Ok(())
}

impl Op for TakeAlongAxis {
    fn name(&self) -> &str {
        "take_along_axis"
    }
    fn attrs(&self) -> Attrs {
        axes_attr(&[self.0])
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        along("take_along_axis", self.0, ins[0].shape, ins[1])?;
        one(ins[0].dtype, ins[1].shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("take_along_axis", outs[0].dtype, &outs[0].shape)?;
        kernels::take_along_axis(&ins[0].view(), self.0, &ins[1].view(), &mut y.view_mut())
            .map_err(|bad| out_of_bounds("take_along_axis", (bad.array, bad.value), &[self.0], ins[0].shape()))?;
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let bad = |array, value| out_of_bounds(self.name(), (array, value), &[self.0], ins[0].shape());
        out(device::take_along_axis(queue, ins[0], self.0, ins[1], &outs[0], &bad)?)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let (0, Some(g)) = (i, &gs[0]) else { return Ok(None) };
        let op = AddAlongAxis { axis: self.0, len: ctx.input_shape(0)[self.0] };
        Ok(Some(apply1(&op, &[g, ctx.input(1)])?))
    }
    shared_handle!();
}

/// Zeros of length `len` along an axis with values added at indices: the transpose of [`TakeAlongAxis`].
#[derive(Clone, Debug)]
pub struct AddAlongAxis {
    pub axis: usize,
    pub len: usize,
}

impl Op for AddAlongAxis {
    fn name(&self) -> &str {
        "add_along_axis"
    }
    fn attrs(&self) -> Attrs {
        vec![("axis", Attr::Int(self.axis as i64)), ("length", Attr::Int(self.len as i64))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        along("add_along_axis", self.axis, ins[0].shape, ins[1])?;
        let mut shape = Shape::from_slice(ins[0].shape);
        shape[self.axis] = self.len;
        one(ins[0].dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::zeros("add_along_axis", outs[0].dtype, &outs[0].shape)?;
        kernels::add_along_axis(&mut y.view_mut(), self.axis, &ins[1].view(), &ins[0].view())
            .map_err(|bad| out_of_bounds("add_along_axis", (bad.array, bad.value), &[self.axis], &outs[0].shape))?;
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let bad = |array, value| out_of_bounds(self.name(), (array, value), &[self.axis], &outs[0].shape);
        out(device::add_along_axis(queue, ins[0], self.axis, ins[1], &outs[0], &bad)?)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let (0, Some(g)) = (i, &gs[0]) else { return Ok(None) };
        Ok(Some(apply1(&TakeAlongAxis(self.axis), &[g, ctx.input(1)])?))
    }
    shared_handle!();
}

/// Coordinates of the elements that are not 0, one int64 array of length `count` per axis: what a recording, which has read how
/// many there are, does for [`nonzero`](crate::index::nonzero). Beyond those that there are it gives zeros.
#[derive(Clone, Debug)]
pub struct Nonzero {
    pub count: usize,
}

impl Op for Nonzero {
    fn name(&self) -> &str {
        "nonzero"
    }
    fn attrs(&self) -> Attrs {
        vec![("count", Attr::Int(self.count as i64))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let shape = ins[0].shape;
        ensure!(
            self.count <= shape.iter().product() && !shape.is_empty(),
            Value,
            "nonzero: an array of shape {} has no {} elements",
            Tuple(shape),
            self.count
        );
        Ok(shape.iter().map(|_| Meta::new(DType::I64, &[self.count])).collect())
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let found = kernels::nonzero(&ins[0].view());
        found
            .into_iter()
            .map(|mut at| {
                at.resize(self.count, 0);
                Array::from_slice("nonzero", &at, &[self.count])
            })
            .collect()
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        Ok(device::nonzero(queue, ins[0], self.count)?.into())
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}
