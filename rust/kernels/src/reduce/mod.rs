//! Reductions over any axes: sums, products, extrema, truth, counts. Results do not depend on threads, strides or
//! instruction set: see [`drive`].
#![allow(unsafe_code)]

mod drive;
mod fold;
mod kernel;
pub(crate) mod number;
#[cfg(test)]
mod tests;

use crate::map::Program;
use crate::map::convert::conversion;
use crate::map::layout::fill;
use crate::walk::{self, Dim, Dims, Shared};
use crate::{DType, View, ViewMut};
use drive::{Computed, Job, MIN_ROW, Plan, TILE};
use fold::{ArgExtremum, CountNonzero, Extremum, FirstPlace, Product, SquaredDeviations, Sum, Truth};
use kernel::{Blocks, Kernel, MAX_ACC};
use num_complex::Complex;
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::NonNull;

/// The kinds of reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// Integers and booleans to any integer dtype (modulo 2^64, then truncated) or to floats; floats to floats; complex to
    /// complex. Floats are accumulated in double precision and rounded once.
    Sum,
    /// As `Sum`.
    Prod,
    /// The source's dtype; NaN wins; complex numbers lexicographically.
    Min,
    /// As `Min`.
    Max,
    /// To bool; NaN is true.
    Any,
    /// As `Any`.
    All,
    /// To int64: the position of the first minimum, or of the first NaN, in C order of the reduced axes.
    ArgMin,
    /// As `ArgMin`.
    ArgMax,
    /// To int64.
    CountNonzero,
}

/// `kernel!(dtype; Variant ... => type, ...; Fold)` is the kernel of a fold whose loops read these types; any other dtype is
/// the caller's mistake.
macro_rules! kernel {
    ($dtype:expr; $($($d:ident)|* => $t:ty),*; $T:ident => $fold:ty) => {
        match $dtype {
            $($(DType::$d)|* => {
                type $T = $t;
                const { &Kernel::new::<$T, $fold>() }
            })*
            #[allow(unreachable_patterns)]
            d => unreachable!("{} here", d.name()),
        }
    };
}

/// A kernel for elements that are compared in order.
macro_rules! ordered {
    ($dtype:expr, $T:ident => $fold:ty) => {
        kernel!($dtype; Bool | U8 => u8, I8 => i8, I16 => i16, I32 => i32, I64 => i64, U16 => u16, U32 => u32, U64 => u64,
            F32 => f32, F64 => f64, C64 => Complex<f32>, C128 => Complex<f64>; $T => $fold)
    };
}

/// A kernel for elements that are compared for equality.
macro_rules! equatable {
    ($dtype:expr, $T:ident => $fold:ty) => {
        kernel!($dtype; Bool | I8 | U8 => u8, I16 | U16 => u16, I32 | U32 => u32, I64 | U64 => u64, F32 => f32, F64 => f64,
            C64 => Complex<f32>, C128 => Complex<f64>; $T => $fold)
    };
}

/// A kernel for elements that are accumulated in an `accumulator`.
macro_rules! accumulating {
    ($dtype:expr, $accumulator:expr, $fold:ident) => {
        match $accumulator {
            DType::I64 => kernel!($dtype; Bool | U8 => u8, I8 => i8, I16 => i16, I32 => i32, I64 | U64 => i64, U16 => u16,
                U32 => u32; T => $fold<i64>),
            DType::F64 => kernel!($dtype; Bool | U8 => u8, I8 => i8, I16 => i16, I32 => i32, I64 => i64, U16 => u16,
                U32 => u32, U64 => u64, F32 => f32, F64 => f64; T => $fold<f64>),
            _ => kernel!($dtype; C64 => Complex<f32>, C128 => Complex<f64>; T => $fold<Complex<f64>>),
        }
    };
}

/// Reduces `src` over `axes`; `dst` is C-contiguous and has the other axes. `Min`, `Max`, `ArgMin` and `ArgMax` want at
/// least one element per output.
pub fn reduce(kind: Reduce, src: &View, axes: &[usize], dst: &mut ViewMut) {
    match kind {
        Reduce::ArgMin | Reduce::ArgMax => {
            assert_eq!(dst.dtype(), DType::I64, "dtype of the output of a reduction");
            place(kind == Reduce::ArgMax, src, axes, dst)
        }
        _ => Reduction::new(kind, src.dtype(), dst.dtype()).run(src, axes, dst),
    }
}

/// Lines shorter than this are not worth a program's start.
const MIN_LINE: usize = 256;

/// Elements below this number are not worth it where the first axes are reduced. Neither are rows too long for one tile: pieces
/// of them far apart in memory cost more than the result between (exp of 1000 x 1000: 1.6 of it).
const MIN_ROWS: usize = 1 << 12;

/// Reduces what a program computes: its first output, over its last axes or, `by_rows`, its first ones. The others go to
/// `stored`. The bits are those of the program followed by [`reduce`].
///
/// False, and nothing is done, where operands lie otherwise than in one run of memory, or the reduction reads its elements
/// in another way.
pub fn reduce_program(
    kind: Reduce,
    program: &Program,
    ins: &[View],
    stored: &mut [ViewMut],
    dst: &mut ViewMut,
    by_rows: bool,
) -> bool {
    if matches!(kind, Reduce::Any | Reduce::All | Reduce::ArgMin | Reduce::ArgMax) || !dst.is_contiguous() {
        return false;
    }
    let n: usize = ins.first().map_or(0, |v| v.size());
    let n_outputs = dst.size();
    let few = if by_rows {
        !(MIN_ROW..=TILE).contains(&n_outputs) || n < MIN_ROWS
    } else {
        n_outputs > 1 && n / n_outputs < MIN_LINE
    };
    if n == 0 || n_outputs == 0 || few {
        return false;
    }
    let Some(flat) = program.flat(ins, stored) else { return false };
    let reduction = Reduction::new(kind, program.output(0), dst.dtype());
    let compute = |positions: Range<usize>, elements: *mut u8| {
        let mut outs = flat.at(positions.start);
        outs.insert(0, elements);
        // SAFETY: the driver asks for each position once and has room for what it asks for.
        unsafe { flat.run(positions, &outs) };
    };
    let plan = Plan { n_reduced: n / n_outputs, n_outputs, reduced: Dims::new(), kept: Dims::new() };
    let nothing = Shared(reduction.params.cast_mut());
    let computed = Some(Computed { compute: &compute, ns: flat.ns, by_rows });
    let job = Job { kernel: reduction.kernel, plan: &plan, base: nothing, computed, params: nothing };
    // SAFETY: nothing is read through the plan, whose elements are computed.
    unsafe { job.run(&reduction.sink(dst)) };
    true
}

/// The sum of `|x - mean|^2` over `axes`, where `mean` has one element per output, C-contiguous, float64 for real `src` and
/// complex128 for complex; `dst` is float32 or float64.
pub fn sum_squared_deviations(src: &View, axes: &[usize], mean: &View, dst: &mut ViewMut) {
    assert_eq!(mean.size(), dst.size(), "one mean per output");
    assert!(dst.dtype().is_float(), "squared deviations to {}", dst.dtype().name());
    let wide = if src.dtype().is_complex() { DType::C128 } else { DType::F64 };
    assert!(mean.dtype() == wide && mean.is_contiguous(), "contiguous {} means", wide.name());
    let kernel = ordered!(src.dtype(), T => SquaredDeviations);
    Reduction { kernel, acc: DType::F64, empty: Some(0), params: mean.ptr() }.run(src, axes, dst);
}

/// The dtype in which sums and products from `src` to `dst` are accumulated.
fn accumulator(src: DType, dst: DType) -> DType {
    if dst.is_complex() && src.is_complex() {
        DType::C128
    } else if dst.is_float() && !src.is_complex() {
        DType::F64
    } else {
        assert!(dst.is_integer() && !src.is_inexact(), "reduction of {} to {}", src.name(), dst.name());
        DType::I64
    }
}

fn extremum(dtype: DType, max: bool) -> &'static Kernel {
    if max { ordered!(dtype, T => Extremum<T, true>) } else { ordered!(dtype, T => Extremum<T, false>) }
}

/// The place of the extremum. Side by side, places cost more than values: there the values come first, then their places.
fn place(max: bool, src: &View, axes: &[usize], dst: &mut ViewMut) {
    let from = src.dtype();
    let params = NonNull::<u8>::dangling().as_ptr();
    if dst.size() < MIN_ROW || !plan(src, axes, false).by_rows() {
        let kernel =
            if max { ordered!(from, T => ArgExtremum<T, true>) } else { ordered!(from, T => ArgExtremum<T, false>) };
        return Reduction { kernel, acc: DType::I64, empty: None, params }.run(src, axes, dst);
    }
    let mut room: Vec<MaybeUninit<u64>> = Vec::with_capacity((dst.size() * from.size()).div_ceil(8));
    let best: *mut u8 = room.as_mut_ptr().cast();
    // SAFETY: the vector has room for one element per output.
    let mut values = unsafe { ViewMut::new(best, from, dst.shape(), dst.strides()) };
    Reduction { kernel: extremum(from, max), acc: from, empty: None, params }.run(src, axes, &mut values);
    let kernel = equatable!(from, T => FirstPlace);
    Reduction { kernel, acc: DType::I64, empty: None, params: best }.run(src, axes, dst);
}

/// A kernel and what surrounds it.
struct Reduction {
    kernel: &'static Kernel,
    /// The dtype of the accumulators, or of what they begin with.
    acc: DType,
    /// What there is without elements.
    empty: Option<i64>,
    /// One parameter per output, if the kernel has any.
    params: *const u8,
}

impl Reduction {
    /// Of a kind that is no place.
    fn new(kind: Reduce, from: DType, to: DType) -> Reduction {
        let reduction =
            |kernel, acc, empty| Reduction { kernel, acc, empty, params: NonNull::<u8>::dangling().as_ptr() };
        let wanted = |dtype: DType| assert_eq!(to, dtype, "dtype of the output of a reduction");
        match kind {
            Reduce::Sum => {
                let acc = accumulator(from, to);
                reduction(accumulating!(from, acc, Sum), acc, Some(0))
            }
            Reduce::Prod => {
                let acc = accumulator(from, to);
                reduction(accumulating!(from, acc, Product), acc, Some(1))
            }
            Reduce::Min | Reduce::Max => {
                wanted(from);
                reduction(extremum(from, kind == Reduce::Max), from, None)
            }
            Reduce::Any => {
                wanted(DType::Bool);
                reduction(equatable!(from, T => Truth<false>), DType::Bool, Some(0))
            }
            Reduce::All => {
                wanted(DType::Bool);
                reduction(equatable!(from, T => Truth<true>), DType::Bool, Some(1))
            }
            Reduce::CountNonzero => {
                wanted(DType::I64);
                reduction(equatable!(from, T => CountNonzero), DType::I64, Some(0))
            }
            Reduce::ArgMin | Reduce::ArgMax => unreachable!("places are reduced otherwise"),
        }
    }

    /// Converts accumulators and stores them.
    fn sink(&self, dst: &mut ViewMut) -> impl Fn(usize, *const u8, usize) + Sync + use<> {
        let (to, to_size) = (Shared(dst.ptr()), dst.dtype().size());
        let finish = conversion(self.acc, dst.dtype()).tile();
        let (acc_size, size) = (self.kernel.acc_size, self.acc.size());
        move |start: usize, accs: *const u8, n: usize| {
            let to = &to;
            // SAFETY: the driver names each output once, and only those that exist.
            unsafe {
                let to = to.0.add(start * to_size);
                if acc_size == size {
                    return finish(&accs, to, n);
                }
                for i in 0..n {
                    finish(&accs.add(i * acc_size), to.add(i * to_size), 1);
                }
            }
        }
    }

    fn run(&self, src: &View, axes: &[usize], dst: &mut ViewMut) {
        let Reduction { kernel, acc, empty, params } = *self;
        let kept = src.shape().iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, n)| n);
        assert!(kept.eq(dst.shape()) && dst.is_contiguous(), "a contiguous output with the shape of a reduction");
        let (n_outputs, n) = (dst.size(), src.size());
        if n_outputs == 0 {
            return;
        }
        let (to, to_size) = (dst.ptr(), dst.dtype().size());
        if n == 0 {
            let value = empty.expect("elements to reduce");
            // SAFETY: the output has room for so many elements.
            unsafe {
                conversion(DType::I64, dst.dtype()).tile()(&(&raw const value).cast(), to, 1);
                return fill(to_size, to, to, n_outputs);
            }
        }
        let sink = self.sink(dst);
        if n <= kernel.block_len && axes.len() == src.ndim() && src.is_contiguous() {
            let mut room = [const { MaybeUninit::<u64>::uninit() }; MAX_ACC / 8];
            let finished = acc == dst.dtype() && kernel.acc_size == to_size;
            let accs: *mut u8 = if finished { to } else { room.as_mut_ptr().cast() };
            let block = Blocks {
                x: src.ptr(),
                count: 1,
                len: n,
                last: n,
                step: 0,
                at: 0,
                lines: true,
                continued: false,
                params,
                output: 0,
                accs,
            };
            // SAFETY: the view has `n` elements of the dtype that the kernel reads.
            unsafe { kernel.blocks.as_ref().expect("a fold by blocks").call(&block) };
            if !finished {
                sink(0, accs, 1);
            }
            return;
        }
        let plan = plan(src, axes, kernel.free_order);
        let base = Shared(src.ptr().cast_mut());
        let job = Job { kernel, plan: &plan, base, computed: None, params: Shared(params.cast_mut()) };
        // SAFETY: the plan's offsets are indices within the view's shape.
        unsafe { job.run(&sink) };
    }
}

/// The index spaces; in memory order where the order of the reduced elements is free.
fn plan(src: &View, axes: &[usize], free_order: bool) -> Plan {
    let (shape, strides) = (src.shape(), src.strides());
    let mut reduced = Dims::new();
    if free_order && axes.len() > 1 {
        let mut axes: SmallVec<[usize; 6]> = axes.into();
        axes.sort_by_key(|&a| std::cmp::Reverse(strides[a].unsigned_abs()));
        axes.iter().for_each(|&a| walk::push_dim(&mut reduced, Dim { n: shape[a], step: [strides[a]] }));
    } else {
        reduced = walk::dims(shape, [strides], |a| axes.contains(&a));
    }
    let kept = walk::dims(shape, [strides], |a| !axes.contains(&a));
    Plan { n_reduced: walk::size(&reduced), n_outputs: walk::size(&kept), reduced, kept }
}
