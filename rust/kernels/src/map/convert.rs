//! Conversion between dtypes, with the results that C casts have on x86, as in NumPy.
#![allow(unsafe_code)]

use super::print::cast;
use super::tile::{Kernel, Level, TileLoop, each};
use crate::{DType, Element};
use num_complex::Complex;
use sciarray_scalar::printer::Source;
use std::marker::PhantomData;

/// A value as another element type.
pub trait CastTo<D> {
    fn cast(self) -> D;
}

/// What `cvttsd2si` gives: truncation, and the most negative number for NaN and whatever is out of range.
#[inline(always)]
fn trunc_i32(x: f64) -> i32 {
    if x > -2147483649.0 && x < 2147483648.0 { x as i32 } else { i32::MIN }
}

#[inline(always)]
fn trunc_i64(x: f64) -> i64 {
    if x < 9223372036854775808.0 { x as i64 } else { i64::MIN }
}

/// What compilers emit for the unsigned type that no instruction of SSE2 serves.
#[inline(always)]
fn trunc_u64(x: f64) -> u64 {
    const TWO63: f64 = 9223372036854775808.0;
    if x >= TWO63 { trunc_i64(x - TWO63) as u64 ^ (1 << 63) } else { trunc_i64(x) as u64 }
}

macro_rules! cast {
    ($($s:ty => $($d:ty),* : |$x:ident| $e:expr;)*) => { $($(
        impl CastTo<$d> for $s {
            #[inline(always)]
            fn cast(self) -> $d {
                let $x = self;
                ($e) as $d
            }
        }
    )*)* };
}

macro_rules! cast_int {
    ($($s:ty),*) => { $(
        cast! { $s => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64: |x| x; }
        cast_around!($s, |x| x != 0);
    )* };
}

macro_rules! cast_around {
    ($s:ty, |$x:ident| $nonzero:expr) => {
        impl CastTo<bool> for $s {
            #[inline(always)]
            fn cast(self) -> bool {
                let $x = self;
                $nonzero
            }
        }
        impl CastTo<Complex<f32>> for $s {
            #[inline(always)]
            fn cast(self) -> Complex<f32> {
                Complex::new(self.cast(), 0.0)
            }
        }
        impl CastTo<Complex<f64>> for $s {
            #[inline(always)]
            fn cast(self) -> Complex<f64> {
                Complex::new(self.cast(), 0.0)
            }
        }
    };
}

macro_rules! cast_float {
    ($($s:ty),*) => { $(
        cast! {
            $s => i8, i16, i32, u8, u16: |x| trunc_i32(x as f64);
            $s => i64, u32: |x| trunc_i64(x as f64);
            $s => u64: |x| trunc_u64(x as f64);
            $s => f32, f64: |x| x;
        }
        cast_around!($s, |x| x != 0.0);
    )* };
}

cast_int!(i8, i16, i32, i64, u8, u16, u32, u64);
cast_float!(f32, f64);
cast! { bool => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64: |x| x as u8; }
cast_around!(bool, |x| x);

macro_rules! cast_complex {
    ($part:ty => $($d:ty),*) => {
        $(impl CastTo<$d> for Complex<$part> {
            #[inline(always)]
            fn cast(self) -> $d {
                self.re.cast()
            }
        })*
        impl CastTo<bool> for Complex<$part> {
            #[inline(always)]
            fn cast(self) -> bool {
                (self.re != 0.0) | (self.im != 0.0)
            }
        }
        impl CastTo<Complex<f32>> for Complex<$part> {
            #[inline(always)]
            fn cast(self) -> Complex<f32> {
                Complex::new(self.re.cast(), self.im.cast())
            }
        }
        impl CastTo<Complex<f64>> for Complex<$part> {
            #[inline(always)]
            fn cast(self) -> Complex<f64> {
                Complex::new(self.re.cast(), self.im.cast())
            }
        }
    };
}
cast_complex!(f32 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
cast_complex!(f64 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

struct Convert<S, D>(PhantomData<(S, D)>);
impl<S: Element + CastTo<D>, D: Element> TileLoop for Convert<S, D> {
    #[inline(always)]
    unsafe fn run<L: Level>(args: *const *const u8, out: *mut u8, n: usize) {
        // SAFETY: the caller's contract; `conversion` pairs the loop with its dtypes.
        unsafe { each::<S, D, 1>(args, out, n, |[x]| x.cast()) }
    }
    fn print(_: &mut Source, args: &[String], out: &str) -> String {
        format!("{out} = {};", cast(D::DTYPE, &args[0]))
    }
}

/// The kernel that converts elements from one dtype to another.
pub fn conversion(from: DType, to: DType) -> &'static Kernel {
    const fn kernel<S: Element + CastTo<D>, D: Element>() -> Kernel {
        Kernel::new::<Convert<S, D>>(&[S::DTYPE], D::DTYPE, 0.5)
    }
    macro_rules! rows {
        ($($s:ty),*) => { [$(row!($s)),*] };
    }
    macro_rules! row {
        ($s:ty) => {
            row!($s => bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, Complex<f32>, Complex<f64>)
        };
        ($s:ty => $($d:ty),*) => { [$(kernel::<$s, $d>()),*] };
    }
    static TABLE: [[Kernel; DType::ALL.len()]; DType::ALL.len()] =
        rows!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, Complex<f32>, Complex<f64>);
    &TABLE[from as usize][to as usize]
}
