//! Filling an output: split over threads at even elements, compiled once per instruction set, in tiles that stay in cache.
#![allow(unsafe_code)]

use super::Stream;
use super::integers::{Integer, Interval};
use super::params::Cursor;
use super::philox::{self, Draws};
use super::transform::{Float, exponential, normal_pair};
use crate::isa::{Isa, isa};
use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::{Element, View};
use std::marker::PhantomData;
use std::ops::Range;

/// Blocks made at a time.
const TILE: usize = 128;

/// How the elements of one call are made.
pub trait Fill<T>: Sync {
    /// Rough cost of an element, for the decision how many threads are worth it.
    const NANOSECONDS: f64;
    /// Writes the elements `first..first + out.len()` of the call; `first` is even.
    fn fill(&self, first: usize, out: &mut [T]);
}

/// A slice of which several threads write disjoint parts.
pub struct Shared<'a, T>(*mut T, usize, PhantomData<&'a mut [T]>);
// SAFETY: it stands for a unique borrow, whose parts are handed out under the contract of `slice`.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    pub fn new(slice: &'a mut [T]) -> Self {
        Shared(slice.as_mut_ptr(), slice.len(), PhantomData)
    }

    /// # Safety
    /// No two parts that live at the same time overlap.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn slice(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.1);
        // SAFETY: inside the borrowed slice, and disjoint from the other parts by contract.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}

/// Writes all elements of a call.
pub fn run<T: Send>(kernel: &impl Fill<T>, out: &mut [T]) {
    fill_on_threads(kernel, out, isa());
}

/// As [`run`], compiled for a given instruction set of this processor.
pub fn fill_on_threads<T: Send, K: Fill<T>>(kernel: &K, out: &mut [T], isa: Isa) {
    let n = out.len();
    let shared = Shared::new(out);
    let min_pairs = (MIN_TASK_NS / (2.0 * K::NANOSECONDS)) as usize;
    parallel_for(n.div_ceil(2), min_pairs, |pairs| {
        let (start, end) = (2 * pairs.start, (2 * pairs.end).min(n));
        // SAFETY: the ranges of `parallel_for` are disjoint parts of `0..n.div_ceil(2)`, so these are disjoint.
        let part = unsafe { shared.slice(start..end) };
        fill_with(kernel, start, part, isa);
    });
}

fn fill_with<T, K: Fill<T>>(kernel: &K, first: usize, out: &mut [T], isa: Isa) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma,bmi1,bmi2")]
        fn avx2<T, K: Fill<T>>(kernel: &K, first: usize, out: &mut [T]) {
            kernel.fill(first, out);
        }
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512cd,avx512dq,avx512bw,avx512vl")]
        fn avx512<T, K: Fill<T>>(kernel: &K, first: usize, out: &mut [T]) {
            kernel.fill(first, out);
        }
        match isa {
            // SAFETY: `isa` is at most what this processor has.
            Isa::Avx512 => return unsafe { avx512(kernel, first, out) },
            // SAFETY: as above.
            Isa::Avx2 => return unsafe { avx2(kernel, first, out) },
            Isa::Baseline => {}
        }
    }
    kernel.fill(first, out);
}

/// Makes the blocks of consecutive positions a tile at a time.
struct Tiles {
    key: [u32; 2],
    position: u128,
    log_draws: u32,
    left: usize,
    tile: [[u64; 2]; TILE],
}

impl Tiles {
    #[inline(always)]
    fn new(stream: &Stream, first: usize, positions: usize, log_draws: u32) -> Self {
        let position = philox::advance(stream.position, first as u128);
        Tiles { key: stream.key, position, log_draws, left: positions, tile: [[0; 2]; TILE] }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<&mut [[u64; 2]]> {
        if self.left == 0 {
            return None;
        }
        let n = self.left.min(TILE >> self.log_draws);
        let tile = &mut self.tile[..n << self.log_draws];
        philox::blocks(self.key, self.position, self.log_draws, tile);
        self.position = philox::advance(self.position, n as u128);
        self.left -= n;
        Some(tile)
    }
}

/// Calls that take one word per element, in order; for consumers that do not write an array.
pub fn for_words(stream: &Stream, n: usize, mut f: impl FnMut(usize, u64)) {
    struct Words<'a>(&'a Stream);
    impl Fill<u64> for Words<'_> {
        const NANOSECONDS: f64 = 1.0;
        #[inline(always)]
        fn fill(&self, first: usize, out: &mut [u64]) {
            let mut tiles = Tiles::new(self.0, first / 2, out.len().div_ceil(2), 0);
            for part in out.chunks_mut(2 * TILE) {
                let Some(tile) = tiles.next() else { return };
                part.copy_from_slice(&tile.as_flattened()[..part.len()]);
            }
        }
    }
    let mut words = [0; 2 * TILE];
    for start in (0..n).step_by(words.len()) {
        let part = &mut words[..(n - start).min(2 * TILE)];
        fill_with(&Words(stream), start, part, isa());
        for (i, &word) in part.iter().enumerate() {
            f(start + i, word);
        }
    }
}

pub struct Uniform<'a>(pub &'a Stream);

impl<T: Float> Fill<T> for Uniform<'_> {
    const NANOSECONDS: f64 = 1.0;
    #[inline(always)]
    fn fill(&self, first: usize, out: &mut [T]) {
        let mut tiles = Tiles::new(self.0, first / 2, out.len().div_ceil(2), 0);
        for part in out.chunks_mut(2 * TILE) {
            let Some(tile) = tiles.next() else { return };
            for (slot, &word) in part.iter_mut().zip(tile.as_flattened()) {
                *slot = T::uniform(word);
            }
        }
    }
}

pub struct Exponential<'a>(pub &'a Stream);

impl<T: Float> Fill<T> for Exponential<'_> {
    const NANOSECONDS: f64 = 4.0;
    #[inline(always)]
    fn fill(&self, first: usize, out: &mut [T]) {
        let mut tiles = Tiles::new(self.0, first / 2, out.len().div_ceil(2), 0);
        for part in out.chunks_mut(2 * TILE) {
            let Some(tile) = tiles.next() else { return };
            for (slot, &word) in part.iter_mut().zip(tile.as_flattened()) {
                *slot = T::round(exponential(word));
            }
        }
    }
}

pub struct Normal<'a>(pub &'a Stream);

impl<T: Float> Fill<T> for Normal<'_> {
    const NANOSECONDS: f64 = 4.0;
    #[inline(always)]
    fn fill(&self, first: usize, out: &mut [T]) {
        let mut tiles = Tiles::new(self.0, first / 2, out.len().div_ceil(2), 0);
        for part in out.chunks_mut(2 * TILE) {
            let Some(tile) = tiles.next() else { return };
            let mut pairs = part.chunks_exact_mut(2);
            for (pair, &block) in pairs.by_ref().zip(&*tile) {
                let [a, b] = normal_pair(block);
                pair[0] = T::round(a);
                pair[1] = T::round(b);
            }
            if let ([last], Some(&block)) = (pairs.into_remainder(), tile.last()) {
                *last = T::round(normal_pair(block)[0]);
            }
        }
    }
}

pub struct Integers<'a> {
    pub stream: &'a Stream,
    pub low: View<'a>,
    pub last: View<'a>,
}

impl<T: Integer> Fill<T> for Integers<'_> {
    const NANOSECONDS: f64 = 1.5;
    #[inline(always)]
    fn fill(&self, first: usize, out: &mut [T]) {
        let mut low = Cursor::<T>::at(self.low, first);
        let mut last = Cursor::<T>::at(self.last, first);
        let constant = low.constant().zip(last.constant()).map(|(low, last)| Interval::new(low, last));
        let mut tiles = Tiles::new(self.stream, first / 2, out.len().div_ceil(2), 0);
        let mut start = first;
        for part in out.chunks_mut(2 * TILE) {
            let Some(tile) = tiles.next() else { return };
            let words = tile.as_flattened();
            if !constant.is_some_and(|interval| interval.sample_tile(words, part)) {
                for (i, (slot, &word)) in part.iter_mut().zip(words).enumerate() {
                    let interval = constant.unwrap_or_else(|| Interval::new(low.next(), last.next()));
                    let element = start + i;
                    *slot = interval.sample(word, |draw| self.stream.block(element as u64 / 2, draw)[element % 2]);
                }
            }
            start += part.len();
        }
    }
}

/// Parameters of a sampler, read from broadcast views.
pub trait Params: Copy + PartialEq {
    type Cursors<'a>;
    fn cursors<'a>(views: &[View<'a>], first: usize) -> Self::Cursors<'a>;
    fn next(cursors: &mut Self::Cursors<'_>) -> Self;
}

impl<A: Element> Params for (A,) {
    type Cursors<'a> = Cursor<'a, A>;
    fn cursors<'a>(views: &[View<'a>], first: usize) -> Cursor<'a, A> {
        Cursor::at(views[0], first)
    }
    fn next(cursors: &mut Cursor<'_, A>) -> Self {
        (cursors.next(),)
    }
}

impl<A: Element, B: Element> Params for (A, B) {
    type Cursors<'a> = (Cursor<'a, A>, Cursor<'a, B>);
    fn cursors<'a>(views: &[View<'a>], first: usize) -> Self::Cursors<'a> {
        (Cursor::at(views[0], first), Cursor::at(views[1], first))
    }
    fn next(cursors: &mut Self::Cursors<'_>) -> Self {
        (cursors.0.next(), cursors.1.next())
    }
}

/// A distribution whose elements draw as many words as they need.
pub trait Sampler<T>: Sized {
    type Params: Params;
    /// Most elements need no more than `2^LOG_DRAWS` blocks.
    const LOG_DRAWS: u32;
    /// What `finish` makes the variate of.
    type Raw: Copy + Default;
    fn new(params: Self::Params) -> Self;
    /// Replaces words of blocks made in bulk by what `sample` would compute of them, in a loop that vectorizes.
    fn prepare(_blocks: &mut [[u64; 2]]) {}
    fn sample(&self, draws: &mut Draws) -> Self::Raw;
    /// The part of the computation that takes no decisions, called in a loop that vectorizes.
    fn finish(raw: Self::Raw) -> T;
}

/// Fills with a sampler, set up anew where the parameters change; one position per element.
pub struct Sampled<'a, S> {
    pub stream: &'a Stream,
    pub params: &'a [View<'a>],
    pub sampler: PhantomData<fn() -> S>,
}

impl<T, S: Sampler<T>> Fill<T> for Sampled<'_, S> {
    const NANOSECONDS: f64 = 30.0;
    #[inline(always)]
    fn fill(&self, first: usize, out: &mut [T]) {
        let mut cursors = S::Params::cursors(self.params, first);
        let mut current: Option<(S::Params, S)> = None;
        let mut tiles = Tiles::new(self.stream, first, out.len(), S::LOG_DRAWS);
        let mut position = philox::advance(self.stream.position, first as u128);
        let mut raw = [S::Raw::default(); TILE];
        for part in out.chunks_mut(TILE >> S::LOG_DRAWS) {
            let Some(tile) = tiles.next() else { return };
            S::prepare(tile);
            for (slot, ready) in raw.iter_mut().zip(tile.chunks_exact(1 << S::LOG_DRAWS)) {
                let params = S::Params::next(&mut cursors);
                let sampler = match &mut current {
                    Some((of, sampler)) if *of == params => sampler,
                    other => &mut other.insert((params, S::new(params))).1,
                };
                *slot = sampler.sample(&mut Draws::new(self.stream.key, position, ready));
                position = philox::advance(position, 1);
            }
            for (slot, &raw) in part.iter_mut().zip(&raw) {
                *slot = S::finish(raw);
            }
        }
    }
}
