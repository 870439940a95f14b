//! Tile loops: one scalar function over contiguous elements, compiled for every instruction set.
#![allow(unsafe_code)]

use crate::isa::{Isa, isa};
use crate::{DType, Element};
use num_complex::Complex;
use sciarray_scalar as scalar;
use sciarray_scalar::printer::{Precision, Source};
use sciarray_scalar::real::each as array;
use sciarray_scalar::{Arith, CLASSES, Lanes};
use std::mem::MaybeUninit;

/// The most arguments of a scalar function.
pub const MAX_ARGS: usize = 5;

/// A loop over `n` contiguous elements: `args` points to as many pointers as the kernel has inputs.
///
/// # Safety
/// Each argument points to `n` initialized, aligned elements of its dtype, `out` to room for `n`, which overlaps no argument.
/// The processor has the instruction set that the loop was compiled for.
pub type TileFn = unsafe fn(args: *const *const u8, out: *mut u8, n: usize);

/// Writes a statement of CUDA C++ that gives the variable `out` the function of the variables `args`, all of the kernel's
/// dtypes; what the statement calls goes to the source.
pub type PrintFn = fn(source: &mut Source, args: &[String], out: &str) -> String;

/// A scalar function at fixed dtypes, as one tile loop per instruction set.
#[derive(Clone, Copy)]
pub struct Kernel {
    loops: [TileFn; 3],
    print: PrintFn,
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
        Kernel { loops: loops::<T>(T::WIDE), print: T::print, ins: all, n_ins: ins.len() as u8, out, cost }
    }

    /// The same with the AVX2 loop on AVX-512 machines.
    pub(crate) const fn narrow(mut self) -> Kernel {
        self.loops[Isa::Avx512 as usize] = self.loops[Isa::Avx2 as usize];
        self
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

    /// The function as text.
    pub fn printer(&self) -> PrintFn {
        self.print
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
pub(crate) trait Level {
    type F64: Lanes;
    /// What holds more of them, where that pays.
    type Pair: Lanes;
    /// The loop as a function of its own, compiled for this instruction set.
    fn entry<T: TileLoop>() -> TileFn;
}
pub(crate) struct Baseline;
impl Level for Baseline {
    type F64 = f64;
    type Pair = f64;
    fn entry<T: TileLoop>() -> TileFn {
        baseline::<T>
    }
}

/// The generic form of a [`TileFn`].
pub(crate) trait TileLoop {
    /// Whether the loop is compiled for AVX-512 too.
    const WIDE: bool = true;
    /// # Safety
    /// As [`TileFn`]; the caller is compiled for the instruction set `L`.
    unsafe fn run<L: Level>(args: *const *const u8, out: *mut u8, n: usize);
    /// As [`PrintFn`].
    fn print(source: &mut Source, args: &[String], out: &str) -> String;
}

unsafe fn baseline<T: TileLoop>(args: *const *const u8, out: *mut u8, n: usize) {
    // SAFETY: the caller's contract.
    unsafe { T::run::<Baseline>(args, out, n) }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use sciarray_scalar::simd::{F64x4, F64x8, Twice};

    pub(crate) struct Avx2;
    pub(crate) struct Avx512;
    impl Level for Avx2 {
        type F64 = F64x4;
        type Pair = Twice<F64x4>;
        fn entry<T: TileLoop>() -> TileFn {
            avx2::<T>
        }
    }
    impl Level for Avx512 {
        type F64 = F64x8;
        type Pair = F64x8;
        fn entry<T: TileLoop>() -> TileFn {
            avx512::<T>
        }
    }

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

/// With `wide` false AVX-512 machines run the AVX2 loop: long bodies take minutes to compile and gain little.
const fn loops<T: TileLoop>(wide: bool) -> [TileFn; 3] {
    #[cfg(target_arch = "x86_64")]
    return [baseline::<T>, x86::avx2::<T>, if wide { x86::avx512::<T> } else { x86::avx2::<T> }];
    #[cfg(not(target_arch = "x86_64"))]
    [baseline::<T>, baseline::<T>, baseline::<T>]
}

/// `out[i] = f(args[0][i], args[1][i], ...)` where all arguments have the type `S`.
///
/// # Safety
/// As [`TileFn`], with `N` arguments of type `S` and results of type `D`.
#[inline(always)]
pub(crate) unsafe fn each<S: Copy, D, const N: usize>(
    args: *const *const u8,
    out: *mut u8,
    n: usize,
    f: impl Fn([S; N]) -> D,
) {
    let ins = array(
        #[inline(always)]
        // SAFETY: the caller's contract.
        |k| unsafe { slice(args, k, n) },
    );
    // SAFETY: the caller's contract.
    each_slice(ins, unsafe { slice_mut(out, n) }, f);
}

/// A function of its own, so that the optimizer learns from `&mut` that the results overlap nothing.
#[inline(always)]
fn each_slice<S: Copy, D, const N: usize>(ins: [&[S]; N], out: &mut [MaybeUninit<D>], f: impl Fn([S; N]) -> D) {
    let n = out.len();
    let ins: [&[S]; N] = array(
        #[inline(always)]
        |k| &ins[k][..n],
    );
    for i in 0..n {
        out[i].write(f(array(
            #[inline(always)]
            |k| ins[k][i],
        )));
    }
}

/// Argument `k` of a tile loop.
///
/// # Safety
/// As [`TileFn`], with `S` the type of that argument.
#[inline(always)]
pub(crate) unsafe fn slice<'a, S>(args: *const *const u8, k: usize, n: usize) -> &'a [S] {
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

/// A float type that operators run on directly, and that lanes of doubles are loaded from and rounded to.
pub(crate) trait Float: Element + Arith<Mask = bool> {
    const PRECISION: Precision;
    /// # Safety
    /// `p` may be read for `L::LANES` elements; the processor has the instructions of `L`.
    unsafe fn load_lanes<L: Lanes>(p: *const Self) -> L;
    /// # Safety
    /// `p` may be written for `L::LANES` elements; the processor has the instructions of `L`.
    unsafe fn store_lanes<L: Lanes>(lanes: L, p: *mut Self);
}

macro_rules! float {
    ($t:ty, $precision:ident, $load:ident, $store:ident) => {
        impl Float for $t {
            const PRECISION: Precision = Precision::$precision;
            #[inline(always)]
            unsafe fn load_lanes<L: Lanes>(p: *const Self) -> L {
                // SAFETY: the caller's contract.
                unsafe { L::$load(p) }
            }
            #[inline(always)]
            unsafe fn store_lanes<L: Lanes>(lanes: L, p: *mut Self) {
                // SAFETY: the caller's contract.
                unsafe { lanes.$store(p) }
            }
        }
    };
}
float!(f64, F64, load, store);
float!(f32, F32, load_f32, store_f32);

/// How many elements are taken apart at a time where they cannot be loaded from where they are.
const BLOCK: usize = 64;

/// Room for the parts of a block: real parts, then imaginary parts.
type Buffer<T> = [MaybeUninit<T>; 2 * BLOCK];

/// An element type whose values become one scalar of lanes.
pub(crate) trait Packed: Copy {
    type Part: Float;
    type Scalar<L: Lanes>: Copy;

    /// Where the parts of `m` elements can be loaded from, with something to load up to element `padded`.
    ///
    /// # Safety
    /// `p` holds `m` elements, `0 < m <= padded <= BLOCK`.
    unsafe fn open(p: *const Self, m: usize, padded: usize, buffer: &mut Buffer<Self::Part>) -> *const Self::Part;

    /// # Safety
    /// As [`Float::load_lanes`], at a place within what `open` returned.
    unsafe fn load<L: Lanes>(p: *const Self::Part) -> Self::Scalar<L>;

    /// Where the parts of `m` elements can be stored, with room up to element `padded`.
    ///
    /// # Safety
    /// As for `open`, with room for `m` elements at `p`.
    unsafe fn target(p: *mut Self, m: usize, padded: usize, buffer: &mut Buffer<Self::Part>) -> *mut Self::Part;

    /// # Safety
    /// As [`Float::store_lanes`], at a place within what `target` returned.
    unsafe fn store<L: Lanes>(x: Self::Scalar<L>, p: *mut Self::Part);

    /// Puts the parts where the elements belong.
    ///
    /// # Safety
    /// `parts` is what `target` returned and holds `m` elements.
    unsafe fn close(p: *mut Self, m: usize, parts: *const Self::Part);
}

impl<T: Float> Packed for T {
    type Part = T;
    type Scalar<L: Lanes> = L;
    #[inline(always)]
    unsafe fn open(p: *const T, m: usize, padded: usize, buffer: &mut Buffer<T>) -> *const T {
        if m == padded {
            return p;
        }
        // SAFETY: the caller's contract. The padding repeats an element, so that it takes no other path than the rest.
        unsafe {
            for i in 0..padded {
                buffer[i].write(*p.add(i.min(m - 1)));
            }
        }
        buffer.as_ptr().cast()
    }
    #[inline(always)]
    unsafe fn load<L: Lanes>(p: *const T) -> L {
        // SAFETY: the caller's contract.
        unsafe { T::load_lanes(p) }
    }
    #[inline(always)]
    unsafe fn target(p: *mut T, m: usize, padded: usize, buffer: &mut Buffer<T>) -> *mut T {
        if m == padded { p } else { buffer.as_mut_ptr().cast() }
    }
    #[inline(always)]
    unsafe fn store<L: Lanes>(x: L, p: *mut T) {
        // SAFETY: the caller's contract.
        unsafe { T::store_lanes(x, p) }
    }
    #[inline(always)]
    unsafe fn close(p: *mut T, m: usize, parts: *const T) {
        if parts != p.cast_const() {
            // SAFETY: the caller's contract; the parts lie in the buffer.
            unsafe { std::ptr::copy_nonoverlapping(parts, p, m) }
        }
    }
}

impl<T: Float> Packed for Complex<T> {
    type Part = T;
    type Scalar<L: Lanes> = scalar::Complex<L>;
    #[inline(always)]
    unsafe fn open(p: *const Self, m: usize, padded: usize, buffer: &mut Buffer<T>) -> *const T {
        let (re, im) = buffer.split_at_mut(BLOCK);
        // SAFETY: the caller's contract.
        unsafe {
            for i in 0..m {
                re[i].write((*p.add(i)).re);
                im[i].write((*p.add(i)).im);
            }
            for i in m..padded {
                re[i].write((*p.add(m - 1)).re);
                im[i].write((*p.add(m - 1)).im);
            }
        }
        buffer.as_ptr().cast()
    }
    #[inline(always)]
    unsafe fn load<L: Lanes>(p: *const T) -> scalar::Complex<L> {
        // SAFETY: the caller's contract.
        unsafe { scalar::Complex { re: T::load_lanes(p), im: T::load_lanes(p.add(BLOCK)) } }
    }
    #[inline(always)]
    unsafe fn target(_: *mut Self, _: usize, _: usize, buffer: &mut Buffer<T>) -> *mut T {
        buffer.as_mut_ptr().cast()
    }
    #[inline(always)]
    unsafe fn store<L: Lanes>(x: scalar::Complex<L>, p: *mut T) {
        // SAFETY: the caller's contract.
        unsafe {
            T::store_lanes(x.re, p);
            T::store_lanes(x.im, p.add(BLOCK));
        }
    }
    #[inline(always)]
    unsafe fn close(p: *mut Self, m: usize, parts: *const T) {
        // SAFETY: the caller's contract.
        unsafe {
            for i in 0..m {
                p.add(i).write(Complex { re: *parts.add(i), im: *parts.add(BLOCK + i) });
            }
        }
    }
}

/// As [`each`], by lanes of doubles; elements that fill no register go through a padded copy.
///
/// # Safety
/// As [`each`]; the caller is compiled for the instruction set of `L`.
#[inline(always)]
pub(crate) unsafe fn each_lanes<L: Lanes, S: Packed, D: Packed, const N: usize>(
    args: *const *const u8,
    out: *mut u8,
    n: usize,
    f: impl Fn([S::Scalar<L>; N]) -> D::Scalar<L>,
) {
    for start in (0..n).step_by(BLOCK) {
        // SAFETY: elements `start..start + m` of the tile.
        unsafe {
            let from = array(
                #[inline(always)]
                |k| (*args.add(k)).cast::<S>().add(start),
            );
            let to = out.cast::<D>().add(start);
            each_block::<L, S, D, N>(
                &from,
                to,
                BLOCK.min(n - start),
                #[inline(always)]
                |_, x| f(x),
            );
        }
    }
}

/// The same for one block; `f` learns where in it its lanes begin.
///
/// # Safety
/// As [`each_lanes`] for `0 < m <= BLOCK` elements.
#[inline(always)]
unsafe fn each_block<L: Lanes, S: Packed, D: Packed, const N: usize>(
    args: &[*const S; N],
    to: *mut D,
    m: usize,
    mut f: impl FnMut(usize, [S::Scalar<L>; N]) -> D::Scalar<L>,
) {
    let mut buffers: [Buffer<S::Part>; N] = [[MaybeUninit::uninit(); 2 * BLOCK]; N];
    let mut results: Buffer<D::Part> = [MaybeUninit::uninit(); 2 * BLOCK];
    let padded = m.next_multiple_of(L::LANES);
    // SAFETY: the caller's contract; what is loaded and stored beyond lies in the buffers.
    unsafe {
        let mut from = [std::ptr::null(); N];
        for k in 0..N {
            from[k] = S::open(args[k], m, padded, &mut buffers[k]);
        }
        let parts = D::target(to, m, padded, &mut results);
        for i in (0..padded).step_by(L::LANES) {
            let mut x = [S::load::<L>(from[0].add(i)); N];
            for k in 1..N {
                x[k] = S::load::<L>(from[k].add(i));
            }
            D::store::<L>(f(i, x), parts.add(i));
        }
        D::close(to, m, parts);
    }
}

/// How many elements are sorted by what lies before them.
const SORTED: usize = 4096;

/// As [`each_lanes`] for a function with short ways: `f(way, x)` gives values and classes, 0 where the value is final, and those of
/// the last way are. What is left of one goes to the next, sorted by class.
///
/// # Safety
/// As [`each_lanes`].
#[inline(always)]
pub(crate) unsafe fn each_staged<L: Lanes, S: Packed, D: Packed, const N: usize>(
    args: *const *const u8,
    out: *mut u8,
    n: usize,
    last: usize,
    f: impl Fn(usize, [S::Scalar<L>; N]) -> (D::Scalar<L>, L),
) {
    let mut elements: [[MaybeUninit<S>; BLOCK]; N] = [[MaybeUninit::uninit(); BLOCK]; N];
    let mut values: [MaybeUninit<D>; BLOCK] = [MaybeUninit::uninit(); BLOCK];
    let mut classes = [MaybeUninit::<f64>::uninit(); SORTED];
    let mut room = [[MaybeUninit::<u16>::uninit(); SORTED]; 2];
    for start in (0..n).step_by(SORTED) {
        let mut left = SORTED.min(n - start);
        let [order, spare] = &mut room;
        for (i, name) in order[..left].iter_mut().enumerate() {
            name.write(i as u16);
        }
        // SAFETY: `left` names were written.
        let order = unsafe { order[..left].assume_init_mut() };
        // SAFETY: the orders name elements `start..start + left` of the tile, each at most once.
        let to = unsafe { out.cast::<D>().add(start) };
        for way in 0..=last {
            for first in (0..left).step_by(BLOCK) {
                let names = &order[first..left.min(first + BLOCK)];
                let mut from = [std::ptr::null(); N];
                // SAFETY: as above; a block of values and classes has room for all lanes of the block's elements.
                unsafe {
                    for k in 0..N {
                        let p = (*args.add(k)).cast::<S>().add(start);
                        if way == 0 {
                            from[k] = p.add(first);
                            continue;
                        }
                        for (e, &i) in elements[k].iter_mut().zip(names) {
                            e.write(*p.add(i as usize));
                        }
                        from[k] = elements[k].as_ptr().cast();
                    }
                    let target = if way == 0 { to.add(first) } else { values.as_mut_ptr().cast::<D>() };
                    each_block::<L, S, D, N>(
                        &from,
                        target,
                        names.len(),
                        #[inline(always)]
                        |i, x| {
                            let (value, class) = f(way, x);
                            class.store(classes.as_mut_ptr().add(first + i).cast());
                            value
                        },
                    );
                    if way > 0 {
                        for (v, &i) in values.iter().zip(names) {
                            to.add(i as usize).write(v.assume_init());
                        }
                    }
                }
            }
            if way < last {
                // SAFETY: the classes of all that were left were stored.
                left = sort_left(order, spare, unsafe { classes[..left].assume_init_ref() });
                if left == 0 {
                    break;
                }
            }
        }
    }
}

/// Moves the first names, those of classes other than 0, to the front, in order of their classes, and counts them.
fn sort_left(order: &mut [u16], spare: &mut [MaybeUninit<u16>; SORTED], classes: &[f64]) -> usize {
    let mut left = 0;
    for (i, &c) in classes.iter().enumerate() {
        spare[left].write(i as u16);
        left += usize::from(c != 0.0);
    }
    // SAFETY: a number was written before each that was counted.
    let left = unsafe { spare[..left].assume_init_mut() };
    let mut ends = [0; CLASSES];
    let mut tags = [0; SORTED];
    for (name, tag) in left.iter_mut().zip(&mut tags) {
        let class = (classes[usize::from(*name)] as u8).min(CLASSES as u8 - 1);
        (*name, *tag) = (order[usize::from(*name)], class);
        ends[usize::from(class)] += 1;
    }
    for c in 1..CLASSES {
        ends[c] += ends[c - 1];
    }
    for (&name, &tag) in left.iter().zip(&tags).rev() {
        let end = &mut ends[usize::from(tag)];
        *end -= 1;
        order[*end] = name;
    }
    left.len()
}
