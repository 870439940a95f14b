//! Convolutions and recursive filters along the last axis.

use crate::apply::apply1;
use crate::array::{Array, Range};
use crate::device;
use crate::error::Result;
use crate::expr::E;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves, one, out};
use crate::ops::{self, structural};
use crate::shape::{Shape, broadcast2};
use crate::{ensure, fail, shared_handle};
use sciarray_cuda::Queue;
use smallvec::{SmallVec, smallvec};

/// y_t = x_t - sum_k a_{s,k} y_{t-k} along the last axis, from the end with `reverse`: inputs a (..., 1 or n, order) and
/// x (..., n). The place s of coefficients that change is t, or with `delayed` t - k.
#[derive(Clone, Debug)]
pub struct AllPole {
    pub reverse: bool,
    pub delayed: bool,
}

impl AllPole {
    /// y and r cut so that a pair of elements are t - k and t, and where their coefficients stand.
    fn pairs(&self, n: usize, k: usize) -> (usize, usize, usize, usize) {
        let len = n.saturating_sub(k);
        let start = k.min(n);
        let (target, source) = if self.reverse { (0, start) } else { (start, 0) };
        (target, source, if self.delayed { source } else { target }, len)
    }
}

/// y_t = sum_j b_j x_{t + offset - j} for t < len, x being 0 outside its range: inputs b (..., k) and x (..., n), whose leading
/// axes broadcast.
#[derive(Clone, Debug)]
pub struct Fir {
    pub offset: isize,
    pub len: usize,
}

impl Op for Fir {
    fn name(&self) -> &str {
        "fir"
    }
    fn attrs(&self) -> Attrs {
        vec![("offset", Attr::Int(self.offset as i64)), ("len", Attr::Int(self.len as i64))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (b, x) = (ins[0], ins[1]);
        ensure!(
            b.dtype == x.dtype && (x.dtype.is_float() || x.dtype.is_complex()),
            Type,
            "fir: coefficients and signal must be of one float or complex dtype, got {} and {}",
            b.dtype.name(),
            x.dtype.name()
        );
        let ([lead_b @ .., _], [lead_x @ .., _]) = (b.shape, x.shape) else {
            fail!(Value, "fir: at least one axis is required, got shapes {:?} and {:?}", b.shape, x.shape)
        };
        let Some(mut shape) = broadcast2(lead_b, lead_x) else {
            fail!(Value, "fir: leading axes must broadcast, got shapes {:?} and {:?}", b.shape, x.shape)
        };
        shape.push(self.len);
        one(x.dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("fir", outs[0].dtype, &outs[0].shape)?;
        let (b, x) = (spread(ins[0], &outs[0]), spread(ins[1], &outs[0]));
        sciarray_kernels::fir::fir(&b.view(), &x.view(), self.offset, &mut y.view_mut());
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let (b, x) = (spread(ins[0], &outs[0]), spread(ins[1], &outs[0]));
        out(device::fir(queue, &b, &x, self.offset, &outs[0])?)
    }
    fn rule(&self) -> Rule {
        Rule::Multilinear
    }
    /// gx_s = sum_t g_t conj b_{t + offset - s}, a convolution with the coefficients backwards; that of b is one of g with the
    /// signal backwards.
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        let other = ctx.input(1 - i);
        let last = |x: &[usize]| x[x.len() - 1];
        let back = Fir { offset: last(other.shape()) as isize - 1 - self.offset, len: last(ctx.input_shape(i)) };
        apply1(&back, &[&turned(&ops::conj(other)?)?, g]).map(Some)
    }
    shared_handle!();
}

/// The leading axes of the result before the last one.
fn spread(x: &Array, out: &Meta) -> Array {
    device::linalg::spread(x, &out.shape[..out.shape.len() - 1], 1)
}

/// The last axis backwards.
fn turned(x: &Array) -> Result<Array> {
    let mut ranges: SmallVec<[Range; 4]> = x.shape().iter().map(|&n| Range::full(n)).collect();
    let d = ranges.len() - 1;
    let n = x.shape()[d];
    ranges[d] = Range { start: n.saturating_sub(1), step: -1, len: n };
    apply1(&structural::Slice::new(ranges), &[x])
}

fn cut(x: &Array, start: usize, len: usize) -> Result<Array> {
    let mut ranges: SmallVec<[Range; 4]> = x.shape().iter().map(|&n| Range::full(n)).collect();
    let last = ranges.len() - 1;
    ranges[last] = Range { start: if len == 0 { 0 } else { start }, step: 1, len };
    apply1(&structural::Slice::new(ranges), &[x])
}

impl Op for AllPole {
    fn name(&self) -> &str {
        "allpole"
    }
    fn attrs(&self) -> Attrs {
        vec![("reverse", Attr::Bool(self.reverse)), ("delayed", Attr::Bool(self.delayed))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (a, x) = (ins[0], ins[1]);
        let d = x.shape.len();
        ensure!(d >= 1, Value, "allpole: the signal must have at least one axis, got shape {:?}", x.shape);
        let fits = a.shape.len() == d + 1 && a.shape[..d - 1] == x.shape[..d - 1];
        ensure!(
            fits && (a.shape[d - 1] == 1 || a.shape[d - 1] == x.shape[d - 1]),
            Value,
            "allpole: coefficients (..., 1 or n, order) are required for a signal (..., n), got shapes {:?} and {:?}",
            a.shape,
            x.shape
        );
        ensure!(
            a.dtype == x.dtype && (x.dtype.is_float() || x.dtype.is_complex()),
            Type,
            "allpole: coefficients and signal must be of one float or complex dtype, got {} and {}",
            a.dtype.name(),
            x.dtype.name()
        );
        one(x.dtype, x.shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("allpole", outs[0].dtype, &outs[0].shape)?;
        let (a, x) = (ins[0].view(), ins[1].view());
        sciarray_kernels::allpole::allpole(&a, &x, self.reverse, self.delayed, &mut y.view_mut());
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(device::allpole(queue, ins[0], ins[1], self.reverse, self.delayed)?)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: true }
    }
    /// With A the banded matrix of the recurrence, A y = x: r = A^-H g is the filter run the other way, whose coefficients
    /// stand at the other end of each pair, and the gradient of a_{s,k} is the sum of -r_t conj(y_{t-k}) over its pairs: of
    /// constant coefficients, all of them together are a convolution with one sequence backwards.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None, None]) };
        let back = AllPole { reverse: !self.reverse, delayed: !self.delayed };
        let r = apply1(&back, &[&ops::conj(ctx.input(0))?, g])?;
        if !ctx.needs(0) {
            return Ok(smallvec![None, Some(r)]);
        }
        let shape = Shape::from_slice(ctx.input_shape(0));
        let (d, order) = (shape.len() - 2, shape[shape.len() - 1]);
        let (n, places) = (r.shape()[d], shape[d]);
        let y = ops::conj(ctx.output(0))?;
        if places == 1 {
            let (early, late) = if self.reverse { (&r, &y) } else { (&y, &r) };
            let sums = apply1(&Fir { offset: n as isize, len: order }, &[&turned(early)?, late])?;
            return Ok(smallvec![Some(ops::reshape(&(-E(Ok(sums))).0?, &shape)?), Some(r)]);
        }
        let mut columns = Vec::with_capacity(order);
        for k in 1..=order {
            let (target, source, place, len) = self.pairs(n, k);
            let product = (-(E(cut(&r, target, len)) * E(cut(&y, source, len)))).0?;
            let mut ranges: SmallVec<[Range; 4]> = product.shape().iter().map(|&n| Range::full(n)).collect();
            ranges[d].start = if len == 0 { 0 } else { place };
            let column = apply1(&structural::Embed { ranges, shape: r.shape().into() }, &[&product])?;
            let mut tall = Shape::from_slice(column.shape());
            tall.push(1);
            columns.push(ops::reshape(&column, &tall)?);
        }
        let ga = if columns.is_empty() {
            ops::zeros(&ctx.in_metas[0])?
        } else {
            apply1(&structural::Concat(d + 1), &columns.iter().collect::<Vec<_>>())?
        };
        Ok(smallvec![Some(ga), Some(r)])
    }
    shared_handle!();
}
