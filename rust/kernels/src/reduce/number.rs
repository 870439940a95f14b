//! What the reductions need of element and accumulator types.

use crate::Element;
use num_complex::Complex;
use std::ops::BitOrAssign;

/// An accumulator: 64-bit integers wrap, floats are double precision.
pub(crate) trait Accumulate: Copy + Send + Sync + 'static {
    /// Whether addition and multiplication are associative and commutative to the last bit.
    const EXACT: bool;
    const ZERO: Self;
    const ONE: Self;
    fn plus(self, o: Self) -> Self;
    fn times(self, o: Self) -> Self;
}

impl Accumulate for i64 {
    const EXACT: bool = true;
    const ZERO: i64 = 0;
    const ONE: i64 = 1;
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        self.wrapping_add(o)
    }
    #[inline(always)]
    fn times(self, o: Self) -> Self {
        self.wrapping_mul(o)
    }
}

macro_rules! accumulate {
    ($($t:ty, $zero:expr, $one:expr);*) => { $(impl Accumulate for $t {
        const EXACT: bool = false;
        const ZERO: Self = $zero;
        const ONE: Self = $one;
        #[inline(always)]
        fn plus(self, o: Self) -> Self {
            self + o
        }
        #[inline(always)]
        fn times(self, o: Self) -> Self {
            self * o
        }
    })* };
}
accumulate!(f64, 0.0, 1.0; Complex<f64>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0));

/// Conversion of an element to the accumulator.
pub(crate) trait Widen<A>: Element {
    fn widen(self) -> A;
}

/// Conversion of the accumulator to the output: integers wrap, floats round once.
pub(crate) trait Narrow<D>: Copy {
    fn narrow(self) -> D;
}

/// The squared distance of an element from a mean.
pub(super) trait Deviation: Element {
    type Mean: Copy + 'static;
    fn squared_deviation(self, mean: Self::Mean) -> f64;
}

macro_rules! real {
    ($($t:ty),*) => { $(
        impl Widen<f64> for $t {
            #[inline(always)]
            fn widen(self) -> f64 {
                self as f64
            }
        }
        impl Deviation for $t {
            type Mean = f64;
            #[inline(always)]
            fn squared_deviation(self, mean: f64) -> f64 {
                let d = self as f64 - mean;
                d * d
            }
        }
    )* };
}
real!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl Widen<f64> for bool {
    #[inline(always)]
    fn widen(self) -> f64 {
        self as u8 as f64
    }
}

macro_rules! integer {
    ($($t:ty),*) => { $(
        impl Widen<i64> for $t {
            #[inline(always)]
            fn widen(self) -> i64 {
                self as i64
            }
        }
        impl Narrow<$t> for i64 {
            #[inline(always)]
            fn narrow(self) -> $t {
                self as $t
            }
        }
    )* };
}
integer!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Widen<i64> for bool {
    #[inline(always)]
    fn widen(self) -> i64 {
        self as i64
    }
}

macro_rules! narrow_float {
    ($($t:ty),*) => { $(
        impl Narrow<$t> for f64 {
            #[inline(always)]
            fn narrow(self) -> $t {
                self as $t
            }
        }
        impl Widen<Complex<f64>> for Complex<$t> {
            #[inline(always)]
            fn widen(self) -> Complex<f64> {
                Complex::new(self.re as f64, self.im as f64)
            }
        }
        impl Narrow<Complex<$t>> for Complex<f64> {
            #[inline(always)]
            fn narrow(self) -> Complex<$t> {
                Complex::new(self.re as $t, self.im as $t)
            }
        }
        impl Deviation for Complex<$t> {
            type Mean = Complex<f64>;
            #[inline(always)]
            fn squared_deviation(self, mean: Complex<f64>) -> f64 {
                let (re, im) = (self.re as f64 - mean.re, self.im as f64 - mean.im);
                re * re + im * im
            }
        }
    )* };
}
narrow_float!(f32, f64);

/// Comparison as NumPy's: complex numbers lexicographic, NaN beyond everything in either direction.
pub(crate) trait Ordered: Element {
    /// Whether equal elements are interchangeable and any NaN may stand for another.
    const TOTAL: bool = true;
    const HAS_NAN: bool;
    /// An integer as wide as what is tested for NaN, with all bits set or none.
    type Mask: Copy + Default + PartialEq + BitOrAssign;
    fn mask(set: bool) -> Self::Mask;
    /// Nothing but NaN is less, or greater.
    const LOWEST: Self;
    const HIGHEST: Self;
    fn is_nan(self) -> bool;
    /// `self < o` when neither is NaN.
    fn less(self, o: Self) -> bool;
    /// Whether neither beats the other.
    #[inline(always)]
    fn ties(self, o: Self) -> bool {
        (self == o) | (self.is_nan() & o.is_nan())
    }
    /// Whether `self`, the later one, replaces `best`.
    #[inline(always)]
    fn beats<const MAX: bool>(self, best: Self) -> bool {
        let better = if MAX { best.less(self) } else { self.less(best) };
        !best.is_nan() & (self.is_nan() | better)
    }
    /// The better of `self` and the later `o`, or a NaN.
    #[inline(always)]
    fn extremum<const MAX: bool>(self, o: Self) -> Self {
        if o.beats::<MAX>(self) { o } else { self }
    }
}

macro_rules! ordered {
    ($($t:ty: $lowest:expr, $highest:expr);*) => { $(impl Ordered for $t {
        const HAS_NAN: bool = false;
        type Mask = u8;
        #[inline(always)]
        fn mask(set: bool) -> u8 {
            set as u8
        }
        const LOWEST: Self = $lowest;
        const HIGHEST: Self = $highest;
        #[inline(always)]
        fn is_nan(self) -> bool {
            false
        }
        #[inline(always)]
        fn less(self, o: Self) -> bool {
            self < o
        }
    })* };
}
ordered!(bool: false, true; i8: i8::MIN, i8::MAX; i16: i16::MIN, i16::MAX; i32: i32::MIN, i32::MAX; i64: i64::MIN, i64::MAX;
    u8: 0, u8::MAX; u16: 0, u16::MAX; u32: 0, u32::MAX; u64: 0, u64::MAX);

macro_rules! ordered_float {
    ($($t:ty, $mask:ty);*) => { $(
        impl Ordered for $t {
            const HAS_NAN: bool = true;
            type Mask = $mask;
            #[inline(always)]
            fn mask(set: bool) -> $mask {
                -(set as $mask)
            }
            const LOWEST: Self = <$t>::NEG_INFINITY;
            const HIGHEST: Self = <$t>::INFINITY;
            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn less(self, o: Self) -> bool {
                self < o
            }
            /// The first select is one instruction that yields `o` where either is NaN.
            #[inline(always)]
            fn extremum<const MAX: bool>(self, o: Self) -> Self {
                let best = if MAX {
                    if self > o { self } else { o }
                } else {
                    if self < o { self } else { o }
                };
                if self != self { self } else { best }
            }
        }
        impl Ordered for Complex<$t> {
            const HAS_NAN: bool = true;
            type Mask = $mask;
            #[inline(always)]
            fn mask(set: bool) -> $mask {
                -(set as $mask)
            }
            const TOTAL: bool = false;
            const LOWEST: Self = Complex::new(<$t>::NEG_INFINITY, <$t>::NEG_INFINITY);
            const HIGHEST: Self = Complex::new(<$t>::INFINITY, <$t>::INFINITY);
            #[inline(always)]
            fn is_nan(self) -> bool {
                (self.re != self.re) | (self.im != self.im)
            }
            #[inline(always)]
            fn less(self, o: Self) -> bool {
                (self.re < o.re) | ((self.re == o.re) & (self.im < o.im))
            }
        }
    )* };
}
ordered_float!(f32, i32; f64, i64);
