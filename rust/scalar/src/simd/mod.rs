//! Vector lanes: the trait [`Real`] over the registers of an instruction set.
//!
//! Every method is inlined into a caller that enables the instruction set with `#[target_feature]`; called from anywhere else
//! the intrinsics become function calls, slow but right. Results equal those of `f64` bit for bit.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod twice;

#[cfg(target_arch = "x86_64")]
pub use avx2::{F64x4, I64x4, M64x4};
#[cfg(target_arch = "x86_64")]
pub use avx512::{F64x8, I64x8, M64x8};
pub use twice::Twice;

use crate::real::{Arith, Body, Mask, Real};

/// Truth values of lanes.
pub trait LaneMask: Mask {
    /// Whether one of them is set.
    fn any(self) -> bool;
}

impl LaneMask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

/// A [`Real`] that holds several consecutive elements.
pub trait Lanes: Real + Arith<Mask: LaneMask> {
    /// How many elements it holds.
    const LANES: usize;
    /// Reads `LANES` doubles.
    ///
    /// # Safety
    /// `p` must be valid for reads of `LANES` elements, unaligned, and the machine must have the lanes' instruction set.
    unsafe fn load(p: *const f64) -> Self;
    /// Writes `LANES` doubles.
    ///
    /// # Safety
    /// `p` must be valid for writes of `LANES` elements, unaligned, and the machine must have the lanes' instruction set.
    unsafe fn store(self, p: *mut f64);
    /// Reads `LANES` floats and widens them.
    ///
    /// # Safety
    /// As for [`Lanes::load`].
    unsafe fn load_f32(p: *const f32) -> Self;
    /// Rounds to `LANES` floats and writes them.
    ///
    /// # Safety
    /// As for [`Lanes::store`].
    unsafe fn store_f32(self, p: *mut f32);
    /// A registered function of two registers, as a call of compiled code where that exists.
    #[inline(always)]
    fn shared_twice<B: Body<N>, const N: usize>(x: [Twice<Self>; N]) -> Twice<Self> {
        B::eval(x)
    }
}

impl Lanes for f64 {
    const LANES: usize = 1;
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        // SAFETY: valid for one element by the caller's promise.
        unsafe { p.read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        // SAFETY: valid for one element by the caller's promise.
        unsafe { p.write_unaligned(self) }
    }
    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> Self {
        // SAFETY: valid for one element by the caller's promise.
        f64::from(unsafe { p.read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store_f32(self, p: *mut f32) {
        // SAFETY: valid for one element by the caller's promise.
        unsafe { p.write_unaligned(self as f32) }
    }
}

/// Inlined methods whose bodies are intrinsics: `fn sqrt(self) -> Self = F64x8(_mm512_sqrt_pd(self.0));`.
#[cfg(target_arch = "x86_64")]
macro_rules! methods {
    ($(fn $name:ident($($args:tt)*) -> $r:ty = $body:expr;)*) => {
        $(
            #[inline(always)]
            fn $name($($args)*) -> $r {
                // SAFETY: arithmetic on registers, in a caller that has enabled the instruction set.
                unsafe { $body }
            }
        )*
    };
}
#[cfg(target_arch = "x86_64")]
use methods;

/// The operators of a register of doubles as trait implementations.
#[cfg(target_arch = "x86_64")]
macro_rules! operators {
    ($f:ident: $($op:ident $method:ident $intrinsic:ident),*) => {
        $(
            impl std::ops::$op for $f {
                type Output = Self;
                methods! { fn $method(self, o: Self) -> Self = $f($intrinsic(self.0, o.0)); }
            }
        )*
    };
}
#[cfg(target_arch = "x86_64")]
use operators;

/// Control flow that lanes share: what is skipped when no lane asks for it.
macro_rules! control_flow {
    ($mask:ty) => {
        #[inline(always)]
        fn repeat<const N: usize>(
            state: [Self; N],
            max: u32,
            step: impl Fn([Self; N]) -> ([Self; N], $mask),
        ) -> [Self; N] {
            let mut s = state;
            let mut active = <$mask>::lit(true);
            for _ in 0..max {
                let (next, go) = step(s);
                crate::real::count::<0, N>(
                    #[inline(always)]
                    |j| s[j] = Self::select(active, next[j], s[j]),
                );
                active = active.and(go);
                if !active.any() {
                    break;
                }
            }
            s
        }
        #[inline(always)]
        fn when<const N: usize>(m: $mask, otherwise: [Self; N], body: impl Fn() -> [Self; N]) -> [Self; N] {
            if !m.any() {
                return otherwise;
            }
            let mut out = body();
            crate::real::count::<0, N>(
                #[inline(always)]
                |j| out[j] = Self::select(m, out[j], otherwise[j]),
            );
            out
        }
        #[inline(always)]
        fn call_many<const N: usize, const M: usize>(
            _: &'static str,
            args: [Self; N],
            body: impl Fn([Self; N]) -> [Self; M],
        ) -> [Self; M] {
            body(args)
        }
    };
}
use control_flow;

/// Calls of functions that are compiled for the instruction set of a register.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_functions {
    ($features:literal) => {
        #[inline(always)]
        fn outlined<T>(body: impl Fn() -> T) -> T {
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn compiled<T>(body: impl Fn() -> T) -> T {
                body()
            }
            // SAFETY: who holds lanes has their instruction set.
            unsafe { compiled(body) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
use compiled_functions;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
