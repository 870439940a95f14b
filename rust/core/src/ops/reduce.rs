//! Reductions over axes.

use crate::apply::apply1;
use crate::array::Array;
use crate::device;
use crate::dtype::DType;
use crate::error::Result;
use crate::expr::E;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves, one, out};
use crate::ops::{self, elementwise as rows, scan};
use crate::shape::{Axes, Shape, Tuple, reduced_shape};
use crate::{ensure, shared_handle};
use sciarray_cuda::Queue;
use sciarray_kernels::reduce::Reduce as Kind;
use smallvec::smallvec;

/// A reduction of sorted axes.
#[derive(Clone, Debug)]
pub struct Reduce {
    pub kind: Kind,
    pub axes: Axes,
    pub keepdims: bool,
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Sum => "sum",
        Kind::Prod => "prod",
        Kind::Min => "min",
        Kind::Max => "max",
        Kind::Any => "any",
        Kind::All => "all",
        Kind::ArgMin => "argmin",
        Kind::ArgMax => "argmax",
        Kind::CountNonzero => "count_nonzero",
    }
}

/// The dtype that sums and products of `d` have unless the caller chooses: NumPy's.
pub fn accumulator(d: DType) -> DType {
    match d {
        DType::Bool | DType::I8 | DType::I16 | DType::I32 => DType::I64,
        DType::U8 | DType::U16 | DType::U32 => DType::U64,
        d => d,
    }
}

impl Reduce {
    /// The shape with reduced axes of length 1, in which a result broadcasts against its source.
    fn kept(&self, shape: &[usize]) -> Shape {
        reduced_shape(shape, &self.axes, true)
    }

    /// Whether the last axes are reduced.
    pub fn is_trailing(&self, ndim: usize) -> bool {
        self.axes.iter().rev().enumerate().all(|(k, &a)| a + k + 1 == ndim)
    }

    /// Whether the first axes are reduced.
    pub fn is_leading(&self) -> bool {
        self.axes.iter().enumerate().all(|(k, &a)| a == k)
    }

    /// A cotangent or result stretched over the source.
    fn spread(&self, g: &Array, source: &[usize]) -> Result<Array> {
        ops::broadcast_to(&ops::reshape(g, &self.kept(source))?, source)
    }

    /// Weights 1/k at the k extremal elements of each group, 0 elsewhere.
    fn ties(&self, ctx: &Ctx) -> Result<Array> {
        let (x, y) = (ctx.input(0), ctx.output(0));
        let hit = ops::elementwise(&rows::EQUAL, &[x, &ops::reshape(y, &self.kept(x.shape()))?])?;
        let hit = ops::cast(&hit, x.dtype())?;
        let count = sum(&hit, &self.axes, true)?;
        ops::elementwise(&rows::DIVIDE, &[&hit, &count])
    }
}

impl Op for Reduce {
    fn name(&self) -> &str {
        name(self.kind)
    }
    fn attrs(&self) -> Attrs {
        vec![
            ("axes", Attr::Ints(self.axes.iter().map(|&a| a as i64).collect())),
            ("keepdims", Attr::Bool(self.keepdims)),
        ]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let MetaRef { dtype, shape } = ins[0];
        let needs_element = matches!(self.kind, Kind::Min | Kind::Max | Kind::ArgMin | Kind::ArgMax);
        let out = reduced_shape(shape, &self.axes, self.keepdims);
        let empty = self.axes.iter().any(|&a| shape[a] == 0);
        ensure!(
            !(needs_element && empty) || out.contains(&0),
            Value,
            "{}: an empty axis has no extremum, got shape {} and axes {:?}",
            self.name(),
            Tuple(shape),
            self.axes
        );
        let dtype = match self.kind {
            Kind::Sum | Kind::Prod => accumulator(dtype),
            Kind::Min | Kind::Max => dtype,
            Kind::Any | Kind::All => DType::Bool,
            Kind::ArgMin | Kind::ArgMax | Kind::CountNonzero => DType::I64,
        };
        one(dtype, out)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let x = ins[0];
        let mut y = Array::empty(self.name(), outs[0].dtype, &reduced_shape(x.shape(), &self.axes, false))?;
        if y.size() > 0 {
            sciarray_kernels::reduce::reduce(self.kind, &x.view(), &self.axes, &mut y.view_mut());
        }
        out(if self.keepdims { y.reshaped(self.name(), &outs[0].shape)? } else { y })
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        out(device::reduce(queue, self.name(), self.kind, ins[0], &self.axes, &outs[0])?)
    }
    fn rule(&self) -> Rule {
        match self.kind {
            Kind::Sum => Rule::Linear,
            Kind::Prod | Kind::Min | Kind::Max => Rule::General,
            _ => Rule::Constant,
        }
    }
    fn saves(&self) -> Saves {
        match self.kind {
            Kind::Prod => Saves::INPUTS,
            Kind::Min | Kind::Max => Saves::ALL,
            _ => Saves::NOTHING,
        }
    }
    fn transpose(&self, _: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        gs[0].as_ref().map(|g| self.spread(g, ctx.input_shape(0))).transpose()
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let x = ctx.input(0);
        let g = self.spread(g, x.shape())?;
        let d = match self.kind {
            Kind::Prod => ops::conj(&self.others(x)?)?,
            _ => self.ties(ctx)?,
        };
        Ok(smallvec![Some(ops::mulz(&g, &d)?)])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        let tangent = || {
            let d = match self.kind {
                Kind::Prod => self.others(ctx.input(0))?,
                _ => self.ties(ctx)?,
            };
            sum(&ops::mulz(t, &d)?, &self.axes, self.keepdims)
        };
        Some(tangent().map(|t| smallvec![Some(t)]))
    }
    fn reduction(&self) -> Option<&Reduce> {
        Some(self)
    }
    shared_handle!();
}

impl Reduce {
    /// For each element the product of the others in its group, zeros or not: prefix times suffix products.
    fn others(&self, x: &Array) -> Result<Array> {
        let kept: Axes = (0..x.ndim()).filter(|a| !self.axes.contains(a)).collect();
        let order: Axes = kept.iter().chain(&self.axes).copied().collect();
        let moved = ops::permute(x, &order)?;
        let mut flat: Shape = kept.iter().map(|&a| x.shape()[a]).collect();
        flat.push(self.axes.iter().map(|&a| x.shape()[a]).product());
        let lines = ops::reshape(&moved, &flat)?;
        let axis = flat.len() - 1;
        let before = E(scan::cumprod_exclusive(&lines, axis, false));
        let after = E(scan::cumprod_exclusive(&lines, axis, true));
        let product = ops::reshape(&(before * after).0?, moved.shape())?;
        let mut inverse: Axes = smallvec![0; order.len()];
        order.iter().enumerate().for_each(|(i, &a)| inverse[a] = i);
        ops::permute(&product, &inverse)
    }
}

pub fn reduce(kind: Kind, x: &Array, axes: &[usize], keepdims: bool) -> Result<Array> {
    apply1(&Reduce { kind, axes: Axes::from_slice(axes), keepdims }, &[x])
}

pub fn sum(x: &Array, axes: &[usize], keepdims: bool) -> Result<Array> {
    reduce(Kind::Sum, x, axes, keepdims)
}
