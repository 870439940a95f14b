//! Fourier transforms along one axis.

use crate::apply::apply1;
use crate::array::{Array, Range};
use crate::device;
use crate::error::Result;
use crate::op::{Attr, Attrs, Ctx, Meta, MetaRef, Metas, Op, Outs, Rule, one, out};
use crate::ops::{self, structural};
use crate::shape::Shape;
use crate::{ensure, shared_handle};
use sciarray_cuda::Queue;
use smallvec::SmallVec;

/// Which transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// exp(-2 pi i j k / n), real or complex to complex.
    Forward,
    /// exp(+2 pi i j k / n), not normalized.
    Inverse,
    /// The first half of the forward transform of real input.
    Real,
    /// The real signal of such a half: the unnormalized inverse.
    Hermitian,
}

/// A transform of length `n` along `axis`, times `scale`; the input is cut or padded with zeros to fit.
#[derive(Clone, Debug)]
pub struct Fft {
    pub kind: Kind,
    pub axis: usize,
    pub n: usize,
    pub scale: f64,
}

impl Fft {
    /// Elements that the transform reads along its axis.
    fn reads(&self) -> usize {
        if self.kind == Kind::Hermitian { self.n / 2 + 1 } else { self.n }
    }

    fn writes(&self) -> usize {
        if self.kind == Kind::Real { self.n / 2 + 1 } else { self.n }
    }

    /// Weights 1 at frequencies that stand for themselves and `inner` at those that stand for a conjugate pair.
    fn half_weights(&self, inner: f64, like: &Array) -> Result<Array> {
        let m = self.n / 2 + 1;
        let w: Vec<f64> =
            (0..m).map(|k| if k == 0 || (self.n.is_multiple_of(2) && k == m - 1) { 1.0 } else { inner }).collect();
        let mut shape: Shape = smallvec::smallvec![1; like.ndim()];
        shape[self.axis] = m;
        ops::to(&ops::cast(&Array::from_slice("fft", &w, &shape)?, like.dtype().real())?, like.device())
    }
}

/// `g` cut or padded along an axis to the length of the input that it is the gradient of.
fn fit(g: Array, axis: usize, len: usize) -> Result<Array> {
    let have = g.shape()[axis];
    let mut ranges: SmallVec<[Range; 4]> = g.shape().iter().map(|&n| Range::full(n)).collect();
    match have.cmp(&len) {
        std::cmp::Ordering::Equal => Ok(g),
        std::cmp::Ordering::Greater => {
            ranges[axis].len = len;
            apply1(&structural::Slice::new(ranges), &[&g])
        }
        std::cmp::Ordering::Less => {
            let mut shape = Shape::from_slice(g.shape());
            shape[axis] = len;
            apply1(&structural::Embed { ranges, shape }, &[&g])
        }
    }
}

impl Op for Fft {
    fn name(&self) -> &str {
        match self.kind {
            Kind::Forward => "fft",
            Kind::Inverse => "ifft",
            Kind::Real => "rfft",
            Kind::Hermitian => "irfft",
        }
    }
    fn attrs(&self) -> Attrs {
        vec![("axis", Attr::Int(self.axis as i64)), ("n", Attr::Int(self.n as i64)), ("scale", Attr::Float(self.scale))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let MetaRef { dtype, shape } = ins[0];
        ensure!(self.n >= 1, Value, "{}: the length must be at least 1, got {}", self.name(), self.n);
        let (fits, want) = match self.kind {
            Kind::Real => (dtype.is_float(), "real"),
            Kind::Hermitian => (dtype.is_complex(), "complex"),
            Kind::Forward | Kind::Inverse => (dtype.is_float() || dtype.is_complex(), "of floats or complex"),
        };
        ensure!(fits, Type, "{}: the input must be {want}, got {}", self.name(), dtype.name());
        let mut shape = Shape::from_slice(shape);
        shape[self.axis] = self.writes();
        one(if self.kind == Kind::Hermitian { dtype.real() } else { dtype.complex() }, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        use sciarray_kernels::fft;
        let x = ins[0].view();
        let mut y = Array::empty(self.name(), outs[0].dtype, &outs[0].shape)?;
        if y.size() > 0 {
            let dst = &mut y.view_mut();
            match self.kind {
                Kind::Forward => fft::c2c(&x, dst, self.axis, false, self.scale),
                Kind::Inverse => fft::c2c(&x, dst, self.axis, true, self.scale),
                Kind::Real => fft::r2c(&x, dst, self.n, self.axis, self.scale),
                Kind::Hermitian => fft::c2r(&x, dst, self.axis, self.scale),
            }
        }
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        out(device::fft::transform(queue, self.name(), self, ins[0], &outs[0])?)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    /// Real: y_k = sum_j x_j w^{jk}, so gx = Re(sum_k g_k w^{-jk}), the Hermitian transform of g with the inner frequencies
    /// halved. Hermitian: x_j = sum over pairs, so the inner frequencies count twice, and 0 and n/2 have no imaginary part.
    fn transpose(&self, _: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        let with = |kind| Fft { kind, ..self.clone() };
        let y = match self.kind {
            Kind::Forward | Kind::Inverse => {
                let back = if self.kind == Kind::Forward { Kind::Inverse } else { Kind::Forward };
                let y = apply1(&with(back), &[g])?;
                if ctx.in_metas[0].dtype.is_complex() { y } else { ops::real(&y)? }
            }
            Kind::Real => apply1(&with(Kind::Hermitian), &[&ops::mulz(g, &self.half_weights(0.5, g)?)?])?,
            Kind::Hermitian => {
                let y = apply1(&with(Kind::Real), &[g])?;
                ops::mulz(&y, &self.half_weights(2.0, &y)?)?
            }
        };
        debug_assert_eq!(y.shape()[self.axis], self.reads());
        fit(y, self.axis, ctx.input_shape(0)[self.axis]).map(Some)
    }
    shared_handle!();
}

/// Cosine and sine transforms of types 1 to 4 along `axis`, times `scale`, as `kernels::fft::cosine` defines them.
#[derive(Clone, Debug)]
pub struct Cosine {
    pub kind: usize,
    pub sine: bool,
    pub axis: usize,
    pub n: usize,
    pub first: f64,
    pub scale: f64,
}

impl Op for Cosine {
    fn name(&self) -> &str {
        let names = if self.sine { ["dst1", "dst2", "dst3", "dst4"] } else { ["dct1", "dct2", "dct3", "dct4"] };
        names[self.kind - 1]
    }
    fn attrs(&self) -> Attrs {
        vec![
            ("axis", Attr::Int(self.axis as i64)),
            ("n", Attr::Int(self.n as i64)),
            ("first", Attr::Float(self.first)),
            ("scale", Attr::Float(self.scale)),
        ]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let MetaRef { dtype, shape } = ins[0];
        let least = if self.kind == 1 && !self.sine { 2 } else { 1 };
        ensure!(self.n >= least, Value, "{}: the length must be at least {least}, got {}", self.name(), self.n);
        ensure!(dtype.is_float(), Type, "{}: the input must be real, got {}", self.name(), dtype.name());
        let mut shape = Shape::from_slice(shape);
        shape[self.axis] = self.n;
        one(dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty(self.name(), outs[0].dtype, &outs[0].shape)?;
        if y.size() > 0 {
            let (x, dst) = (ins[0].view(), &mut y.view_mut());
            sciarray_kernels::fft::cosine(&x, dst, self.axis, self.kind, self.sine, self.first, self.scale);
        }
        out(y)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        out(device::fft::cosine(queue, self.name(), self, ins[0], &outs[0])?)
    }
    fn rule(&self) -> Rule {
        Rule::Linear
    }
    /// Types II and III are the transpose of each other, but for the factor of x_0 and y_0. Type I is a symmetric matrix but for
    /// the weights of its ends, 2 / first after the transposition; the other ones are symmetric.
    fn transpose(&self, _: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let Some(g) = &gs[0] else { return Ok(None) };
        let (kind, first) = match self.kind {
            1 if !self.sine => (1, 2.0 / self.first),
            2 => (3, 2.0 * self.first),
            3 => (2, 0.5 * self.first),
            other => (other, 1.0),
        };
        let y = apply1(&Cosine { kind, first, ..self.clone() }, &[g])?;
        fit(y, self.axis, ctx.input_shape(0)[self.axis]).map(Some)
    }
    shared_handle!();
}
