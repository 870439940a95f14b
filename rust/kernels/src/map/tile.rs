//! Tile loops: one scalar function over contiguous elements, compiled for every instruction set.
#![allow(unsafe_code)]

use crate::isa::{Isa, isa};
use crate::{DType, Element};
use std::mem::MaybeUninit;

/// The most arguments of a scalar function.
pub const MAX_ARGS: usize = 4;

/// A loop over `n` contiguous elements: `args` points to as many pointers as the kernel has inputs.
///
/// # Safety
/// Each argument points to `n` initialized, aligned elements of its dtype, `out` to room for `n`, which overlaps no argument.
/// The processor has the instruction set that the loop was compiled for.
pub type TileFn = unsafe fn(args: *const *const u8, out: *mut u8, n: usize);

/// A scalar function at fixed dtypes, as one tile loop per instruction set.
#[derive(Clone, Copy)]
pub struct Kernel {
    loops: [TileFn; 3],
    ins: [DType; MAX_ARGS],
    n_ins: u8,
    out: DType,
    cost: f32,
}

impl Kernel {
    pub(crate) const fn new<T: TileLoop>(ins: &[DType], out: DType, cost: f32) -> Kernel {
        assert!(ins.len() <= MAX_ARGS);
        let mut all = [DType::Bool; MAX_ARGS];
        let mut i = 0;
        while i < ins.len() {
            all[i] = ins[i];
            i += 1;
        }
        Kernel { loops: loops::<T>(), ins: all, n_ins: ins.len() as u8, out, cost }
    }

    /// The dtypes of the arguments.
    #[inline]
    pub fn ins(&self) -> &[DType] {
        &self.ins[..self.n_ins as usize]
    }

    #[inline]
    pub fn out(&self) -> DType {
        self.out
    }

    /// Roughly how many nanoseconds one thread takes per element.
    #[inline]
    pub fn cost(&self) -> f64 {
        self.cost as f64
    }

    /// The loop for the instruction set in use.
    #[inline]
    pub fn tile(&self) -> TileFn {
        self.loops[isa() as usize]
    }

    /// The loop for a given instruction set, which the processor may not have.
    pub fn tile_for(&self, isa: Isa) -> TileFn {
        self.loops[isa as usize]
    }
}

/// An instruction set as a type, so that a loop can choose its lanes.
pub(crate) trait Level {}
pub(crate) struct Baseline;
impl Level for Baseline {}

/// The generic form of a [`TileFn`].
pub(crate) trait TileLoop {
    /// # Safety
    /// As [`TileFn`]; the caller is compiled for the instruction set `L`.
    unsafe fn run<L: Level>(args: *const *const u8, out: *mut u8, n: usize);
}

unsafe fn baseline<T: TileLoop>(args: *const *const u8, out: *mut u8, n: usize) {
    // SAFETY: the caller's contract.
    unsafe { T::run::<Baseline>(args, out, n) }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;

    pub(crate) struct Avx2;
    pub(crate) struct Avx512;
    impl Level for Avx2 {}
    impl Level for Avx512 {}

    #[target_feature(enable = "avx2,fma,bmi1,bmi2")]
    pub(super) unsafe fn avx2<T: TileLoop>(args: *const *const u8, out: *mut u8, n: usize) {
        // SAFETY: the caller's contract.
        unsafe { T::run::<Avx2>(args, out, n) }
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512cd,avx512dq,avx512bw,avx512vl")]
    pub(super) unsafe fn avx512<T: TileLoop>(args: *const *const u8, out: *mut u8, n: usize) {
        // SAFETY: the caller's contract.
        unsafe { T::run::<Avx512>(args, out, n) }
    }
}

const fn loops<T: TileLoop>() -> [TileFn; 3] {
    #[cfg(target_arch = "x86_64")]
    return [baseline::<T>, x86::avx2::<T>, x86::avx512::<T>];
    #[cfg(not(target_arch = "x86_64"))]
    [baseline::<T>, baseline::<T>, baseline::<T>]
}

/// `out[i] = f(args[0][i], args[1][i], ...)` where all arguments have the type `S`.
///
/// # Safety
/// As [`TileFn`], with `N` arguments of type `S` and results of type `D`.
#[inline(always)]
pub(crate) unsafe fn each<S: Element, D: Element, const N: usize>(
    args: *const *const u8,
    out: *mut u8,
    n: usize,
    f: impl Fn([S; N]) -> D,
) {
    // SAFETY: the caller's contract.
    let (ins, out) = unsafe { (std::array::from_fn(|k| slice(args, k, n)), slice_mut(out, n)) };
    each_slice(ins, out, f);
}

/// A function of its own, so that the optimizer learns from `&mut` that the results overlap nothing.
#[inline(always)]
fn each_slice<S: Copy, D, const N: usize>(ins: [&[S]; N], out: &mut [MaybeUninit<D>], f: impl Fn([S; N]) -> D) {
    let n = out.len();
    let ins: [&[S]; N] = ins.map(|s| &s[..n]);
    for i in 0..n {
        out[i].write(f(std::array::from_fn(|k| ins[k][i])));
    }
}

/// Argument `k` of a tile loop.
///
/// # Safety
/// As [`TileFn`], with `S` the type of that argument.
#[inline(always)]
pub(crate) unsafe fn slice<'a, S: Element>(args: *const *const u8, k: usize, n: usize) -> &'a [S] {
    // SAFETY: the caller's contract.
    unsafe { std::slice::from_raw_parts((*args.add(k)).cast(), n) }
}

/// The results of a tile loop.
///
/// # Safety
/// As [`TileFn`], with `D` the type of the results.
#[inline(always)]
pub(crate) unsafe fn slice_mut<'a, D>(out: *mut u8, n: usize) -> &'a mut [MaybeUninit<D>] {
    // SAFETY: the caller's contract; `out` overlaps no argument.
    unsafe { std::slice::from_raw_parts_mut(out.cast(), n) }
}
