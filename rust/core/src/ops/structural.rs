//! Ops that rearrange elements: identity, cast, reshape, permute, broadcast, slice and its inverses, concatenate.

use crate::apply::apply1;
use crate::array::{Array, Range};
use crate::device::{self, Device};
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{Attr, Attrs, Ctx, Meta, MetaRef, Metas, Op, OpRef, Outs, Rule, one, out};
use crate::ops;
use crate::shape::{Axes, Shape, Tuple, broadcast2, size_of};
use crate::{ensure, fail, shared_handle};
use sciarray_cuda::Queue;
use smallvec::SmallVec;

fn ints(v: &[usize]) -> Attr {
    Attr::Ints(v.iter().map(|&x| x as i64).collect())
}

fn transposed(op: &dyn Op, gs: &[Option<Array>]) -> Result<Option<Array>> {
    gs[0].as_ref().map(|g| apply1(op, &[g])).transpose()
}

/// The op of leaves, through which an inner scope's value stays known to the outer ones.
#[derive(Clone, Debug)]
pub struct Identity;

impl Identity {
    pub const NAME: &str = "identity";
}

impl Op for Identity {
    fn name(&self) -> &str {
        Self::NAME
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[0].clone().detach())
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        Ok(gs[0].clone())
    }
    fn value_of(&self) -> Option<usize> {
        Some(0)
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Identity)
    }
}

/// The same values as a constant; what `detach` is in a recording.
#[derive(Clone, Debug)]
pub struct Detach;

impl Op for Detach {
    fn name(&self) -> &str {
        "detach"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[0].clone().detach())
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    fn value_of(&self) -> Option<usize> {
        Some(0)
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Detach)
    }
}

/// Conversion to another dtype; from complex to real the imaginary part is dropped.
#[derive(Clone, Debug)]
pub struct Cast(pub DType);

impl Op for Cast {
    fn name(&self) -> &str {
        "astype"
    }
    fn attrs(&self) -> Attrs {
        vec![("dtype", Attr::DType(self.0))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(self.0, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let x = ins[0];
        let mut y = Array::empty_ordered("astype", self.0, x.shape(), x.strides())?;
        sciarray_kernels::copy::copy(&x.view(), &mut y.view_mut());
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let x = ins[0];
        let y = Array::empty_ordered_on(queue, "astype", self.0, x.shape(), x.strides())?;
        device::copy_to(x, &y)?;
        out(y)
    }
    fn rule(&self) -> Rule {
        if self.0.is_inexact() { Rule::Linear } else { Rule::Constant }
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        // The tape casts the gradient back to the input's dtype.
        Ok(gs[0].clone())
    }
    shared_handle!();
}

/// The same values on another device; the gradient goes back.
#[derive(Clone, Debug)]
pub struct To {
    pub from: Device,
    pub to: Device,
}

impl Op for To {
    fn name(&self) -> &str {
        "to"
    }
    fn attrs(&self) -> Attrs {
        vec![("source", Attr::Str(self.from.to_string())), ("device", Attr::Str(self.to.to_string()))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(device::transfer(ins[0], self.to)?)
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        transposed(&To { from: self.to, to: self.from }, gs)
    }
    shared_handle!();
}

/// A fresh C-contiguous copy.
#[derive(Clone, Debug)]
pub struct Copy;

impl Op for Copy {
    fn name(&self) -> &str {
        "copy"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[0].copy("copy")?)
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        Ok(gs[0].clone())
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Copy)
    }
}

/// Another shape of the same size, in C order.
#[derive(Clone, Debug)]
pub struct Reshape(pub Shape);

impl Op for Reshape {
    fn name(&self) -> &str {
        "reshape"
    }
    fn attrs(&self) -> Attrs {
        vec![("shape", ints(&self.0))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let n: usize = ins[0].shape.iter().product();
        let m = size_of("reshape", &self.0, ins[0].dtype.size())?;
        ensure!(
            n == m,
            Value,
            "reshape: the new shape must have the same number of elements, got {} for shape {}",
            Tuple(&self.0),
            Tuple(ins[0].shape)
        );
        one(ins[0].dtype, &self.0[..])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[0].reshaped("reshape", &self.0)?)
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        transposed(&Reshape(Shape::from_slice(ctx.input_shape(0))), gs)
    }
    shared_handle!();
}

/// Axes in another order.
#[derive(Clone, Debug)]
pub struct Permute(pub Axes);

impl Op for Permute {
    fn name(&self) -> &str {
        "permute_dims"
    }
    fn attrs(&self) -> Attrs {
        vec![("axes", ints(&self.0))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let ndim = ins[0].shape.len();
        let valid = self.0.len() == ndim && (0..ndim).all(|i| self.0.contains(&i));
        ensure!(
            valid,
            Value,
            "permute_dims: axes must be a permutation of the {ndim} axes, got {:?} for shape {}",
            self.0,
            Tuple(ins[0].shape)
        );
        one(ins[0].dtype, self.0.iter().map(|&a| ins[0].shape[a]).collect::<Shape>())
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[0].permuted(&self.0))
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let mut inverse: Axes = SmallVec::from_elem(0, self.0.len());
        for (i, &a) in self.0.iter().enumerate() {
            inverse[a] = i;
        }
        transposed(&Permute(inverse), gs)
    }
    shared_handle!();
}

/// A larger shape in which stretched axes repeat; a view.
#[derive(Clone, Debug)]
pub struct BroadcastTo(pub Shape);

impl Op for BroadcastTo {
    fn name(&self) -> &str {
        "broadcast_to"
    }
    fn attrs(&self) -> Attrs {
        vec![("shape", ints(&self.0))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        size_of("broadcast_to", &self.0, ins[0].dtype.size())?;
        ensure!(
            broadcast2(ins[0].shape, &self.0).is_some_and(|s| s == self.0),
            Value,
            "broadcast_to: the shape must broadcast to the target, got {} and target {}",
            Tuple(ins[0].shape),
            Tuple(&self.0)
        );
        one(ins[0].dtype, &self.0[..])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(ins[0].broadcasted(&self.0))
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        // The tape sums a gradient over the axes that were stretched.
        Ok(gs[0].clone())
    }
    shared_handle!();
}

type Ranges = SmallVec<[Range; 4]>;

fn range_attrs(ranges: &[Range]) -> Attrs {
    vec![
        ("start", Attr::Ints(ranges.iter().map(|r| r.start as i64).collect())),
        ("step", Attr::Ints(ranges.iter().map(|r| r.step as i64).collect())),
        ("length", Attr::Ints(ranges.iter().map(|r| r.len as i64).collect())),
    ]
}

fn range_shape(ranges: &[Range]) -> Shape {
    ranges.iter().map(|r| r.len).collect()
}

/// Per axis a range of elements, in a shape that may leave out or add axes of length 1; a view.
#[derive(Clone, Debug)]
pub struct Slice {
    pub ranges: Ranges,
    pub shape: Shape,
}

impl Slice {
    /// All axes stay.
    pub fn new(ranges: Ranges) -> Slice {
        Slice { shape: range_shape(&ranges), ranges }
    }
}

impl Op for Slice {
    fn name(&self) -> &str {
        "slice"
    }
    fn attrs(&self) -> Attrs {
        let mut attrs = range_attrs(&self.ranges);
        attrs.push(("shape", ints(&self.shape)));
        attrs
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, &self.shape[..])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        self.run(ins)
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    /// What basic indexing waits for.
    fn run(&self, ins: &[&Array]) -> Result<Outs> {
        out(ins[0].sliced(&self.ranges, &self.shape))
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        let g = ops::reshape(g, &range_shape(&self.ranges))?;
        let embed = Embed { ranges: self.ranges.clone(), shape: ctx.in_metas[0].shape.clone() };
        apply1(&embed, &[&g]).map(Some)
    }
    shared_handle!();
}

/// Zeros of `shape` with the input at `ranges`: the transpose of [`Slice`], and padding with zeros.
#[derive(Clone, Debug)]
pub struct Embed {
    pub ranges: Ranges,
    pub shape: Shape,
}

impl Op for Embed {
    fn name(&self) -> &str {
        "embed"
    }
    fn attrs(&self) -> Attrs {
        let mut attrs = range_attrs(&self.ranges);
        attrs.push(("shape", ints(&self.shape)));
        attrs
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        size_of("embed", &self.shape, ins[0].dtype.size())?;
        one(ins[0].dtype, &self.shape[..])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let mut y = Array::zeros("embed", ins[0].dtype(), &self.shape)?;
        y.write_part(&self.ranges, ins[0])?;
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let mut y = device::zeros(queue, "embed", ins[0].dtype(), &self.shape)?;
        y.write_part(&self.ranges, ins[0])?;
        out(y)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, _: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        transposed(&Slice::new(self.ranges.clone()), gs)
    }
    shared_handle!();
}

/// The first input with the second one, broadcast, written at `ranges`.
#[derive(Clone, Debug)]
pub struct SetSlice(pub Ranges);

impl Op for SetSlice {
    fn name(&self) -> &str {
        "set_slice"
    }
    fn attrs(&self) -> Attrs {
        range_attrs(&self.0)
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let part = range_shape(&self.0);
        ensure!(
            broadcast2(ins[1].shape, &part).is_some_and(|s| s == part),
            Value,
            "setitem: the value must broadcast to the indexed part, got value shape {} for part shape {}",
            Tuple(ins[1].shape),
            Tuple(&part)
        );
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let mut y = ins[0].copy("setitem")?;
        self.write(&mut y, ins[1])?;
        out(y)
    }
    fn eval_on(&self, _: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        self.eval(ins, outs)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, i: usize, _: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        if i == 1 {
            return Ok(Some(apply1(&Slice::new(self.0.clone()), &[g])?));
        }
        let zero = ops::zeros(&Meta::new(g.dtype(), &[]))?;
        Ok(Some(apply1(self, &[g, &zero])?))
    }
    shared_handle!();
}

impl SetSlice {
    /// Writes into a writable array.
    pub fn write(&self, x: &mut Array, v: &Array) -> Result<()> {
        x.write_part(&self.0, v)
    }
}

/// Arrays of one dtype joined along an axis.
#[derive(Clone, Debug)]
pub struct Concat(pub usize);

impl Op for Concat {
    fn name(&self) -> &str {
        "concat"
    }
    fn attrs(&self) -> Attrs {
        vec![("axis", Attr::Int(self.0 as i64))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let first = ins[0];
        let mut shape = Shape::from_slice(first.shape);
        shape[self.0] = 0;
        for x in ins {
            let fits = x.shape.len() == shape.len()
                && x.shape.iter().zip(first.shape).enumerate().all(|(i, (a, b))| i == self.0 || a == b);
            if !fits {
                fail!(
                    Value,
                    "concat: shapes must agree except along axis {}, got {} and {}",
                    self.0,
                    Tuple(first.shape),
                    Tuple(x.shape)
                );
            }
            shape[self.0] += x.shape[self.0];
        }
        size_of("concat", &shape, first.dtype.size())?;
        one(first.dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("concat", outs[0].dtype, &outs[0].shape)?;
        for (x, ranges) in ins.iter().zip(self.parts(ins.iter().map(|x| x.shape()), &outs[0].shape)) {
            y.write_part(&ranges, x)?;
        }
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty_on(queue, "concat", outs[0].dtype, &outs[0].shape)?;
        for (x, ranges) in ins.iter().zip(self.parts(ins.iter().map(|x| x.shape()), &outs[0].shape)) {
            y.write_part(&ranges, x)?;
        }
        out(y)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        let ranges =
            self.parts(ctx.in_metas.iter().map(|m| &m.shape[..]), g.shape()).nth(i).expect("one part per input");
        Ok(Some(apply1(&Slice::new(ranges), &[g])?))
    }
    shared_handle!();
}

impl Concat {
    fn parts<'a>(
        &'a self,
        shapes: impl Iterator<Item = &'a [usize]> + 'a,
        whole: &'a [usize],
    ) -> impl Iterator<Item = Ranges> + 'a {
        let mut at = 0;
        shapes.map(move |s| {
            let mut ranges: Ranges = whole.iter().map(|&n| Range::full(n)).collect();
            ranges[self.0] = Range { start: at, step: 1, len: s[self.0] };
            at += s[self.0];
            ranges
        })
    }
}
