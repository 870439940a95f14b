//! Random variates: functions of a generator's state, which is an input, so that a replay can draw anew.

use crate::apply::apply1;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{Attr, Attrs, Meta, MetaRef, Metas, Op, Outs, Rule, one, out};
use crate::ops;
use crate::shape::{Shape, Strides, Tuple, broadcast2, size_of};
use crate::{ensure, shared_handle};
use sciarray_kernels::random::{Dist, Stream};
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
        vec![("dtype", Attr::DType(self.dtype)), ("shape", Attr::Ints(self.shape.iter().map(|&n| n as i64).collect()))]
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
        let state = ins[0].contiguous("random")?;
        let stream = stream_of(state.view().as_slice::<u32>().expect("a contiguous uint32 state"));
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
pub fn fill(dist: Dist, dtype: DType, shape: &[usize], state: &Array, params: &[&Array]) -> Result<Array> {
    let ins: SmallVec<[&Array; 3]> = std::iter::once(state).chain(params.iter().copied()).collect();
    apply1(&Fill { dist, dtype, shape: Shape::from_slice(shape) }, &ins)
}
