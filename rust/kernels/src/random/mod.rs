//! Random variates from a counter-based generator.
//!
//! A [`Stream`] is a key and a position. Element i of a call is a function of key, position and i alone: it owns half a block
//! or a block at `position + i / 2` or `position + i`, and where a method rejects, it goes on through the draw number, the
//! last word of the counter. So any split of the work, on any device, gives the same numbers, and the position moves on by
//! [`Dist::blocks`] whatever was rejected.

mod continuous;
mod discrete;
mod fill;
mod integers;
mod params;
mod permute;
mod philox;
mod seed;
#[cfg(test)]
mod tests;
mod transform;

pub use permute::permutation_prefix;
pub use seed::Seed;
pub use transform::print;

use crate::{DType, Element, View, ViewMut};
use continuous::{Beta, Gamma};
use discrete::{Binomial, Poisson};
use fill::{Exponential, Integers, Normal, Sampled, Sampler, Uniform, run};
use integers::Integer;
use smallvec::{SmallVec, smallvec};
use std::marker::PhantomData;
use transform::Float;

/// A place in one of 2^64 sequences of 2^96 blocks of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream {
    key: [u32; 2],
    position: u128,
}

impl Stream {
    /// The stream at a position, which counts modulo 2^96.
    pub fn new(key: [u32; 2], position: u128) -> Self {
        Stream { key, position: philox::advance(position, 0) }
    }

    /// Seeds choose the key and the upper third of the position: two of 2^k streams collide with probability 2^(2k - 97).
    pub fn from_seed(seed: &Seed) -> Self {
        let [k0, k1, start] = seed.state();
        Stream::new([k0, k1], u128::from(start) << 64)
    }

    pub fn key(&self) -> [u32; 2] {
        self.key
    }

    pub fn position(&self) -> u128 {
        self.position
    }

    /// The stream `blocks` further on.
    #[must_use]
    pub fn advanced(&self, blocks: u128) -> Self {
        Stream { position: philox::advance(self.position, blocks), ..*self }
    }

    /// The stream after `times` jumps of 2^64 blocks, more than any computation draws in between.
    #[must_use]
    pub fn jumped(&self, times: u32) -> Self {
        self.advanced(u128::from(times) << 64)
    }

    /// The word of element `i` of a call with two elements per block.
    fn word(&self, i: u64) -> u64 {
        self.block(i / 2, 0)[i as usize % 2]
    }

    fn block(&self, index: u64, draw: u32) -> [u64; 2] {
        philox::block(self.key, philox::advance(self.position, index.into()), draw)
    }
}

/// A standard distribution; location and scale are arithmetic on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dist {
    /// On [0, 1), multiples of 2^-53 (2^-24): float output, no parameters.
    Uniform,
    /// Float output, no parameters.
    Normal,
    /// Float output, no parameters.
    Exponential,
    /// Parameters `low` and `last`, both included, of the output's dtype (integer or bool).
    Integers,
    /// Float output, parameter `shape`.
    Gamma,
    /// Float output, parameters `a` and `b`.
    Beta,
    /// i64 output, parameter `mean`.
    Poisson,
    /// i64 output, parameters `n` (i64) and `p`.
    Binomial,
}

impl Dist {
    /// The dtypes of the parameters where the output has dtype `out`.
    pub fn params(self, out: DType) -> SmallVec<[DType; 2]> {
        match self {
            Dist::Uniform | Dist::Normal | Dist::Exponential => smallvec![],
            Dist::Integers => smallvec![out, out],
            Dist::Gamma | Dist::Poisson => smallvec![DType::F64],
            Dist::Beta => smallvec![DType::F64, DType::F64],
            Dist::Binomial => smallvec![DType::I64, DType::F64],
        }
    }

    /// Whether an output may have this dtype.
    pub fn gives(self, out: DType) -> bool {
        match self {
            Dist::Uniform | Dist::Normal | Dist::Exponential | Dist::Gamma | Dist::Beta => out.is_float(),
            Dist::Integers => out.is_integer() || out == DType::Bool,
            Dist::Poisson | Dist::Binomial => out == DType::I64,
        }
    }

    /// How far a call for `n` elements moves the position.
    pub fn blocks(self, n: u64) -> u128 {
        match self {
            Dist::Uniform | Dist::Normal | Dist::Exponential | Dist::Integers => n.div_ceil(2).into(),
            Dist::Gamma | Dist::Beta | Dist::Poisson | Dist::Binomial => n.into(),
        }
    }
}

/// Fills a contiguous output with the variates of a call that starts at `stream`; parameters are broadcast to its shape.
pub fn fill(dist: Dist, stream: &Stream, out: &mut ViewMut, params: &[View]) {
    let dtype = out.dtype();
    assert!(dist.gives(dtype) && out.is_contiguous(), "{dist:?} into {}", dtype.name());
    let wanted = dist.params(dtype);
    assert!(params.iter().map(View::dtype).eq(wanted), "parameters of {dist:?}");
    assert!(params.iter().all(|p| p.shape() == out.shape()), "parameters of {dist:?} have another shape");
    match (dist, dtype) {
        (Dist::Poisson, _) => sampled::<i64, Poisson>(stream, out, params),
        (Dist::Binomial, _) => sampled::<i64, Binomial>(stream, out, params),
        (_, DType::F32) => floats::<f32>(dist, stream, out, params),
        (_, DType::F64) => floats::<f64>(dist, stream, out, params),
        (_, DType::Bool) => integers::<bool>(stream, out, params),
        (_, DType::I8) => integers::<i8>(stream, out, params),
        (_, DType::I16) => integers::<i16>(stream, out, params),
        (_, DType::I32) => integers::<i32>(stream, out, params),
        (_, DType::I64) => integers::<i64>(stream, out, params),
        (_, DType::U8) => integers::<u8>(stream, out, params),
        (_, DType::U16) => integers::<u16>(stream, out, params),
        (_, DType::U32) => integers::<u32>(stream, out, params),
        (_, DType::U64) => integers::<u64>(stream, out, params),
        (_, DType::C64 | DType::C128) => unreachable!("no distribution gives complex numbers"),
    }
}

fn slice<'a, T: Element>(out: &mut ViewMut<'a>) -> &'a mut [T] {
    out.as_slice().expect("dtype and layout were checked")
}

fn floats<T: Float>(dist: Dist, stream: &Stream, out: &mut ViewMut, params: &[View]) {
    match dist {
        Dist::Uniform => run(&Uniform(stream), slice::<T>(out)),
        Dist::Normal => run(&Normal(stream), slice::<T>(out)),
        Dist::Exponential => run(&Exponential(stream), slice::<T>(out)),
        Dist::Gamma => sampled::<T, Gamma>(stream, out, params),
        Dist::Beta => sampled::<T, Beta>(stream, out, params),
        Dist::Integers | Dist::Poisson | Dist::Binomial => unreachable!("{dist:?} gives no floats"),
    }
}

fn integers<T: Integer>(stream: &Stream, out: &mut ViewMut, params: &[View]) {
    run(&Integers { stream, low: params[0], last: params[1] }, slice::<T>(out));
}

fn sampled<T: Element, S: Sampler<T>>(stream: &Stream, out: &mut ViewMut, params: &[View]) {
    run(&Sampled { stream, params, sampler: PhantomData::<fn() -> S> }, slice::<T>(out));
}
