//! The counter-based generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
//! SC 2011).
//!
//! The variant with 32-bit words was chosen over 4x64: its 32x32 -> 64 products are one instruction in every vector unit and
//! on every GPU, where a 64x64 -> 128 product takes several.

const MULTIPLIERS: [u64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: u32 = 10;
const LOW: u64 = 0xFFFF_FFFF;

/// A position counts blocks in 96 bits; the fourth word of the counter is left to the draws of one element.
pub const POSITION_BITS: u32 = 96;
const POSITION_MASK: u128 = (1 << POSITION_BITS) - 1;

/// The 128 random bits of one counter, as two words.
///
/// The 32-bit words travel in 64-bit lanes whose upper halves are never read, so that a loop over blocks vectorizes.
#[inline(always)]
fn bijection(key: [u32; 2], counter: [u64; 4]) -> [u64; 2] {
    let [mut c0, mut c1, mut c2, mut c3] = counter;
    let [mut k0, mut k1] = key;
    for _ in 0..ROUNDS {
        let p0 = (c0 & LOW) * MULTIPLIERS[0];
        let p1 = (c2 & LOW) * MULTIPLIERS[1];
        (c0, c1, c2, c3) = ((p1 >> 32) ^ c1 ^ u64::from(k0), p1, (p0 >> 32) ^ c3 ^ u64::from(k1), p0);
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    [(c0 & LOW) | (c1 << 32), (c2 & LOW) | (c3 << 32)]
}

/// The block at a position and draw number.
#[inline(always)]
pub fn block(key: [u32; 2], position: u128, draw: u32) -> [u64; 2] {
    let low = position as u64;
    bijection(key, [low, low >> 32, (position >> 64) as u64, u64::from(draw)])
}

/// The blocks at `position`, `position + 1`, ..., of each the first `2^log_draws` draws.
#[inline(always)]
pub fn blocks(key: [u32; 2], position: u128, log_draws: u32, words: &mut [[u64; 2]]) {
    let (low, high) = (position as u64, (position >> 64) as u64);
    for (j, pair) in words.iter_mut().enumerate() {
        let (offset, draw) = (j as u64 >> log_draws, j as u64 & ((1 << log_draws) - 1));
        let l = low.wrapping_add(offset);
        let carry = u64::from(l < low);
        *pair = bijection(key, [l, l >> 32, high.wrapping_add(carry), draw]);
    }
}

/// `position + blocks` on the circle of positions.
#[inline]
pub fn advance(position: u128, blocks: u128) -> u128 {
    position.wrapping_add(blocks) & POSITION_MASK
}

/// The words that one element may draw: the blocks at its position, in the order of the draw number.
pub struct Draws<'a> {
    key: [u32; 2],
    position: u128,
    ready: &'a [u64],
    taken: usize,
    block: [u64; 2],
}

impl<'a> Draws<'a> {
    /// `ready` holds the first blocks, which callers have made in bulk.
    #[inline(always)]
    pub fn new(key: [u32; 2], position: u128, ready: &'a [[u64; 2]]) -> Self {
        Draws { key, position, ready: ready.as_flattened(), taken: 0, block: [0; 2] }
    }

    /// Whether the next word is one of those made in bulk.
    #[inline(always)]
    pub fn has_ready(&self) -> bool {
        self.taken < self.ready.len()
    }

    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        let i = self.taken;
        self.taken += 1;
        if let Some(&word) = self.ready.get(i) {
            return word;
        }
        if i.is_multiple_of(2) {
            self.block = block(self.key, self.position, (i / 2) as u32);
        }
        self.block[i % 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
        let [a, b] = bijection(key, counter.map(u64::from));
        [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
    }

    /// The known answers published with Random123 for philox4x32-10.
    #[test]
    fn known_answers() {
        assert_eq!(words([0; 4], [0; 2]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
        assert_eq!(words([u32::MAX; 4], [u32::MAX; 2]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
        assert_eq!(
            words([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }

    #[test]
    fn bulk_equals_single_across_a_carry() {
        let (key, position) = ([7, 9], (5u128 << 64) - 3);
        for n in [0, 1, 2, 7, 8, 9, 33] {
            let mut bulk = vec![[0; 2]; n];
            for log_draws in [0, 1, 2] {
                blocks(key, position, log_draws, &mut bulk);
                for (j, b) in bulk.iter().enumerate() {
                    assert_eq!(*b, block(key, position + (j >> log_draws) as u128, j as u32 & ((1 << log_draws) - 1)));
                }
            }
        }
    }

    #[test]
    fn position_wraps() {
        assert_eq!(advance(POSITION_MASK, 1), 0);
        assert_eq!(advance(POSITION_MASK - 1, 5), 3);
        assert_eq!(block([1, 2], 1 << POSITION_BITS, 0), block([1, 2], 0, 0));
        let mut around = [[0; 2]; 2];
        blocks([1, 2], POSITION_MASK, 0, &mut around);
        assert_eq!(around[1], block([1, 2], 0, 0));
    }

    #[test]
    fn draws_run_through_the_draw_number() {
        let (key, position) = ([3, 4], 11);
        for ready in 0..4 {
            let ready: Vec<_> = (0..ready).map(|draw| block(key, position, draw)).collect();
            let mut draws = Draws::new(key, position, &ready);
            for draw in 0..5 {
                assert_eq!([draws.next(), draws.next()], block(key, position, draw));
            }
        }
    }
}
