//! What an operator is beyond [`sciarray_scalar::ArithBody`]: functions of integers and booleans, and predicates.

use crate::Element;
use sciarray_scalar::{Arith, Complex};

/// A function from floats to a truth value.
pub trait PredicateBody<const N: usize>: 'static {
    const NAME: &'static str;
    fn eval<R: Arith>(x: [R; N]) -> R::Mask;
}

/// A function of integers of one type; it wraps around.
pub trait IntBody<const N: usize>: 'static {
    /// `sa_int_NAME` in `cuda/integers.h` is the same function.
    const NAME: &'static str;
    fn eval<T: Int>(x: [T; N]) -> T;
}

/// A function from integers to a truth value.
pub trait IntPredicateBody<const N: usize>: 'static {
    /// As of [`IntBody`].
    const NAME: &'static str;
    fn eval<T: Int>(x: [T; N]) -> bool;
}

/// A function from complex numbers to a truth value.
pub trait ComplexPredicateBody<const N: usize>: 'static {
    const NAME: &'static str;
    fn eval<R: Arith>(x: [Complex<R>; N]) -> R::Mask;
}

/// A function of truth values.
pub trait BoolBody<const N: usize>: 'static {
    fn eval(x: [bool; N]) -> bool;
}

/// Integers in two's complement: everything wraps around, and division by zero gives zero.
pub trait Int: Element + Ord {
    const ZERO: Self;
    const ONE: Self;
    fn add(self, o: Self) -> Self;
    fn sub(self, o: Self) -> Self;
    fn mul(self, o: Self) -> Self;
    /// Towards zero.
    fn div_trunc(self, o: Self) -> Self;
    /// With the sign of the dividend.
    fn rem_trunc(self, o: Self) -> Self;
    fn and(self, o: Self) -> Self;
    fn or(self, o: Self) -> Self;
    fn xor(self, o: Self) -> Self;
    fn not(self) -> Self;
    /// 0 when `o` is negative or not below the number of bits.
    fn shl(self, o: Self) -> Self;
    /// 0 or, for a negative value, -1 when `o` is negative or not below the number of bits.
    fn shr(self, o: Self) -> Self;
    /// Halves towards zero, as if unsigned.
    fn half(self) -> Self;
}

macro_rules! int {
    ($($t:ty, $u:ty);*) => { $(
        impl Int for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn add(self, o: Self) -> Self {
                self.wrapping_add(o)
            }
            #[inline(always)]
            fn sub(self, o: Self) -> Self {
                self.wrapping_sub(o)
            }
            #[inline(always)]
            fn mul(self, o: Self) -> Self {
                self.wrapping_mul(o)
            }
            #[inline(always)]
            fn div_trunc(self, o: Self) -> Self {
                if o == 0 { 0 } else { self.wrapping_div(o) }
            }
            #[inline(always)]
            fn rem_trunc(self, o: Self) -> Self {
                if o == 0 { 0 } else { self.wrapping_rem(o) }
            }
            #[inline(always)]
            fn and(self, o: Self) -> Self {
                self & o
            }
            #[inline(always)]
            fn or(self, o: Self) -> Self {
                self | o
            }
            #[inline(always)]
            fn xor(self, o: Self) -> Self {
                self ^ o
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn shl(self, o: Self) -> Self {
                if (o as $u) < <$t>::BITS as $u { self.wrapping_shl(o as u32) } else { 0 }
            }
            #[inline(always)]
            fn shr(self, o: Self) -> Self {
                // Two steps leave nothing of an unsigned value and the sign of a signed one.
                if (o as $u) < <$t>::BITS as $u { self.wrapping_shr(o as u32) } else { (self >> (<$t>::BITS - 1)) >> 1 }
            }
            #[inline(always)]
            fn half(self) -> Self {
                ((self as $u) >> 1) as $t
            }
        }
    )* };
}
int!(i8, u8; i16, u16; i32, u32; i64, u64; u8, u8; u16, u16; u32, u32; u64, u64);
