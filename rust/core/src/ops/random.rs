//! Random variates: functions of a generator's state, which is an input, so that a replay can draw anew.

use crate::apply::apply1;
use crate::array::Array;
use crate::device::{self, Device};
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{Attr, Attrs, Meta, MetaRef, Metas, Op, Outs, Rule, one, out};
use crate::ops;
use crate::shape::{Shape, Strides, Tuple, broadcast2, size_of};
use crate::{ensure, shared_handle};
use sciarray_kernels::random::{Dist, Stream, permutation_prefix};
use smallvec::SmallVec;

/// Words of a state: the key, then the position from its lowest word.
pub const STATE_WORDS: usize = 5;

pub fn state_of(stream: &Stream) -> [u32; STATE_WORDS] {
    let ([k0, k1], p) = (stream.key(), stream.position());
    [k0, k1, p as u32, (p >> 32) as u32, (p >> 64) as u32]
}

pub fn stream_of(s: &[u32]) -> Stream {
    Stream::new([s[0], s[1]], u128::from(s[2]) | u128::from(s[3]) << 32 | u128::from(s[4]) << 64)
}

/// Variates of a standard distribution: inputs are the state, uint32 `(5,)`, and the distribution's parameters.
#[derive(Clone, Debug)]
pub struct Fill {
    pub dist: Dist,
    pub dtype: DType,
    pub shape: Shape,
    /// Where the variates are made; the inputs are on the CPU.
    pub device: Device,
}

impl Op for Fill {
    fn name(&self) -> &str {
        match self.dist {
            Dist::Uniform => "random_uniform",
            Dist::Normal => "random_normal",
            Dist::Exponential => "random_exponential",
            Dist::Integers => "random_integers",
            Dist::Gamma => "random_gamma",
            Dist::Beta => "random_beta",
            Dist::Poisson => "random_poisson",
            Dist::Binomial => "random_binomial",
        }
    }
    fn attrs(&self) -> Attrs {
        let shape = Attr::Ints(self.shape.iter().map(|&n| n as i64).collect());
        let mut attrs = vec![("dtype", Attr::DType(self.dtype)), ("shape", shape)];
        if !self.device.is_cpu() {
            attrs.push(("device", Attr::Str(self.device.to_string())));
        }
        attrs
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        ensure!(
            ins[0].dtype == DType::U32 && ins[0].shape == [STATE_WORDS],
            Value,
            "random: the state must be uint32 of shape (5,), got {} of shape {}",
            ins[0].dtype.name(),
            Tuple(ins[0].shape)
        );
        ensure!(self.dist.gives(self.dtype), Type, "{}: dtype {} is not supported", self.name(), self.dtype.name());
        size_of(self.name(), &self.shape, self.dtype.size())?;
        for p in &ins[1..] {
            ensure!(
                broadcast2(p.shape, &self.shape).is_some_and(|s| s == self.shape),
                Value,
                "{}: parameters must broadcast to the size {}, got shape {}",
                self.name(),
                Tuple(&self.shape),
                Tuple(p.shape)
            );
        }
        one(self.dtype, &self.shape[..])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let stream = stream_at(ins[0])?;
        if !self.device.is_cpu() {
            let what = (self.dist, &stream);
            return out(device::fill(self.device, self.name(), what, self.dtype, &self.shape, &ins[1..])?);
        }
        let mut y = Array::empty(self.name(), self.dtype, &self.shape)?;
        let params: SmallVec<[Array; 2]> = ins[1..]
            .iter()
            .zip(self.dist.params(self.dtype))
            .map(|(p, d)| ops::cast(&(*p).clone().detach(), d))
            .collect::<Result<_>>()?;
        let strides: SmallVec<[Strides; 2]> = params.iter().map(|p| p.strides_for(&self.shape)).collect();
        let views: SmallVec<[_; 2]> = params.iter().zip(&strides).map(|(p, s)| p.view_as(&self.shape, s)).collect();
        sciarray_kernels::random::fill(self.dist, &stream, &mut y.view_mut(), &views);
        out(y)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}

/// [`Fill`] as a function.
pub fn fill(fill: &Fill, state: &Array, params: &[&Array]) -> Result<Array> {
    let params: SmallVec<[Array; 2]> = params.iter().map(|p| ops::to(p, Device::CPU)).collect::<Result<_>>()?;
    let ins: SmallVec<[&Array; 3]> = std::iter::once(state).chain(&params).collect();
    apply1(fill, &ins)
}

/// The state after so many blocks were drawn.
#[derive(Clone, Debug)]
pub struct Advance(pub u128);

impl Op for Advance {
    fn name(&self) -> &str {
        "random_advance"
    }
    fn attrs(&self) -> Attrs {
        vec![("blocks", Attr::Ints(vec![self.0 as i64, (self.0 >> 64) as i64]))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let state = state_of(&stream_at(ins[0])?.advanced(self.0));
        out(Array::from_slice("random", &state, &[STATE_WORDS])?)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}

/// The first `count` entries of a random permutation of `0..n`.
#[derive(Clone, Debug)]
pub struct Permutation {
    pub n: usize,
    pub count: usize,
}

impl Op for Permutation {
    fn name(&self) -> &str {
        "random_permutation"
    }
    fn attrs(&self) -> Attrs {
        vec![("n", Attr::Int(self.n as i64)), ("count", Attr::Int(self.count as i64))]
    }
    fn infer(&self, _: &[MetaRef]) -> Result<Metas> {
        ensure!(
            self.count <= self.n,
            Value,
            "permutation: only {} elements to choose from, got {}",
            self.n,
            self.count
        );
        one(DType::I64, &[self.count][..])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let mut y = Array::empty("permutation", DType::I64, &[self.count])?;
        let to = y.view_mut().as_slice::<i64>().expect("fresh arrays are contiguous");
        permutation_prefix(&stream_at(ins[0])?, self.n, to);
        out(y)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}

/// The stream that a state array stands for.
pub fn stream_at(state: &Array) -> Result<Stream> {
    let state = state.contiguous("random")?;
    Ok(stream_of(state.view().as_slice::<u32>().expect("a contiguous uint32 state")))
}
