//! Unbiased integers of every width (Lemire, "Fast random integer generation in an interval", TOMACS 29, 2019).

use crate::Element;

/// An integer type, or bool, and its exact image in the ring of 64-bit words.
pub trait Integer: Element {
    fn to_word(self) -> u64;
    fn from_word(word: u64) -> Self;
}

macro_rules! integer {
    ($($t:ty),*) => { $(impl Integer for $t {
        #[inline(always)]
        fn to_word(self) -> u64 {
            self as u64
        }
        #[inline(always)]
        fn from_word(word: u64) -> $t {
            word as $t
        }
    })* };
}
integer!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Integer for bool {
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.into()
    }
    #[inline(always)]
    fn from_word(word: u64) -> bool {
        word & 1 == 1
    }
}

/// The integers from `low` to `low + span - 1`; span 0 stands for 2^64.
#[derive(Clone, Copy)]
pub struct Interval {
    low: u64,
    span: u64,
}

impl Interval {
    /// Both ends belong to the interval.
    #[inline(always)]
    pub fn new<T: Integer>(low: T, last: T) -> Self {
        let (low, last) = (low.to_word(), last.to_word());
        Interval { low, span: last.wrapping_sub(low).wrapping_add(1) }
    }

    /// 2^64 mod span: a word whose product with the span has a lower half below it must not be used.
    #[inline(always)]
    fn threshold(self) -> u64 {
        self.span.wrapping_neg() % self.span
    }

    /// The integer of element `i`, whose first word is given; rejected words are replaced by those of the next draws.
    #[inline(always)]
    pub fn sample<T: Integer>(self, first: u64, next: impl Fn(u32) -> u64) -> T {
        if self.span == 0 {
            return T::from_word(first.wrapping_add(self.low));
        }
        let mut product = u128::from(first) * u128::from(self.span);
        if (product as u64) < self.span {
            let threshold = self.threshold();
            let mut draw = 0;
            while (product as u64) < threshold {
                draw += 1;
                product = u128::from(next(draw)) * u128::from(self.span);
            }
        }
        T::from_word(((product >> 64) as u64).wrapping_add(self.low))
    }

    /// As [`Interval::sample`] for a whole tile by vectorizable products; false, and nothing of use written, where the span
    /// is too wide for them or a word is rejected.
    #[inline(always)]
    pub fn sample_tile<T: Integer>(self, words: &[u64], out: &mut [T]) -> bool {
        if self.span == 0 || self.span > u64::from(u32::MAX) {
            return false;
        }
        let span = self.span & 0xFFFF_FFFF;
        let threshold = self.threshold();
        let mut rejected = 0;
        for (slot, &word) in out.iter_mut().zip(words) {
            let upper = (word >> 32) * span;
            let lower = (word & 0xFFFF_FFFF) * span;
            *slot = T::from_word(((upper + (lower >> 32)) >> 32).wrapping_add(self.low));
            rejected |= u64::from((upper << 32).wrapping_add(lower) < threshold);
        }
        rejected == 0
    }
}
