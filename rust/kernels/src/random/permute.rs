//! Random order: element i gets word i as its key, and the elements are sorted by key, ties by index. Any machine can make
//! any key alone, so the order does not depend on how the work is split.
#![allow(unsafe_code)]

use super::Stream;
use super::fill::{Shared, for_words};
use crate::pool::{MIN_TASK_NS, parallel_for};

/// Expected elements per bucket: few enough to sort inside the first-level cache.
const BUCKET: usize = 64;
const MAX_BUCKET_BITS: u32 = 14;
/// Rough cost of sorting a bucket.
const BUCKET_NANOSECONDS: f64 = 2000.0;

/// The first `out.len()` entries of a random permutation of `0..n`, which moves the position by `n / 2` blocks, rounded up.
/// The memory needed is of the order of `out`.
///
/// Two elements tie with probability 2^-64, so the bias of the tie rule is below `n^2 / 2^65`.
pub fn permutation_prefix(stream: &Stream, n: usize, out: &mut [i64]) {
    assert!(out.len() <= n, "a permutation of {n} has no prefix of {}", out.len());
    if out.is_empty() {
        return;
    }
    let bits = (n / BUCKET).checked_ilog2().unwrap_or(0).clamp(1, MAX_BUCKET_BITS);
    let bucket = |word: u64| (word >> (64 - bits)) as usize;

    // Keys are cheaper to make twice than to keep.
    let mut ends = vec![0usize; 1 << bits];
    for_words(stream, n, |_, word| ends[bucket(word)] += 1);
    let mut taken = 0;
    let mut buckets = 0;
    while taken < out.len() {
        let start = taken;
        taken += ends[buckets];
        ends[buckets] = start;
        buckets += 1;
    }
    // Within a bucket one word holds the index and, above it, as much of the rest of the key as there is room for.
    let index_bits = usize::BITS - n.leading_zeros();
    let index_mask = (1u64 << index_bits) - 1;
    let mut packed = vec![0u64; taken];
    for_words(stream, n, |i, word| {
        let b = bucket(word);
        if b < buckets {
            packed[ends[b]] = (word << bits) & !index_mask | i as u64;
            ends[b] += 1;
        }
    });

    let shared = Shared::new(&mut packed);
    let min_buckets = (MIN_TASK_NS / BUCKET_NANOSECONDS) as usize;
    parallel_for(buckets, min_buckets, |range| {
        for b in range {
            let start = if b == 0 { 0 } else { ends[b - 1] };
            // SAFETY: the buckets lie one after the other, and each is in one range only.
            let elements = unsafe { shared.slice(start..ends[b]) };
            elements.sort_unstable();
            for tied in elements.chunk_by_mut(|a, b| a >> index_bits == b >> index_bits) {
                if tied.len() > 1 {
                    tied.sort_unstable_by_key(|&p| (stream.word(p & index_mask), p & index_mask));
                }
            }
        }
    });
    for (slot, &p) in out.iter_mut().zip(&packed) {
        *slot = (p & index_mask) as i64;
    }
}
