//! Random order: element i gets word i as its key, and the elements are sorted by key, ties by index. Any machine can make
//! any key alone, so the order does not depend on how the work is split.

use super::Stream;
use super::fill::for_words;

/// Expected elements per bucket: small enough to sort inside the first-level cache.
const BUCKET: usize = 256;
const MAX_BUCKET_BITS: u32 = 14;

/// The first `out.len()` entries of a random permutation of `0..n`, in memory of the order of `out`.
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
    let mut keyed = vec![(0u64, 0i64); taken];
    for_words(stream, n, |i, word| {
        let b = bucket(word);
        if b < buckets {
            keyed[ends[b]] = (word, i as i64);
            ends[b] += 1;
        }
    });
    let mut start = 0;
    for &end in &ends[..buckets] {
        keyed[start..end].sort_unstable();
        start = end;
    }
    for (slot, &(_, i)) in out.iter_mut().zip(&keyed) {
        *slot = i;
    }
}
