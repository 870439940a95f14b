//! Reductions over any axes: sums, products, extrema, truth, counts. Results do not depend on threads, strides or
//! instruction set: see [`drive`].
#![allow(unsafe_code)]

mod drive;
mod fold;
pub(crate) mod number;
#[cfg(test)]
mod tests;

use crate::walk::{self, Dim, Dims, Loop, Shared, vectorized};
use crate::{DType, Element, View, ViewMut, dispatch};
use drive::{Plan, Sink};
use fold::{ArgExtremum, CountNonzero, Extremum, FirstPlace, Fold, Product, SquaredDeviations, Sum, Truth};
use num_complex::Complex;
use number::{Accumulate, Deviation, Narrow, Ordered, Widen};
use smallvec::SmallVec;
use std::marker::PhantomData;

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

/// `match_dtype!(dtype, T in [Variant: type, ...] => expression)`; any other dtype is the caller's mistake.
macro_rules! match_dtype {
    ($dtype:expr, $t:ident in [$($d:ident: $ty:ty),*] => $body:expr) => {
        match $dtype {
            $(DType::$d => { type $t = $ty; $body })*
            d => unreachable!("{} here", d.name()),
        }
    };
}

/// Reduces `src` over `axes`; `dst` is C-contiguous and has the other axes. `Min`, `Max`, `ArgMin` and `ArgMax` want at
/// least one element per output.
pub fn reduce(kind: Reduce, src: &View, axes: &[usize], dst: &mut ViewMut) {
    match kind {
        Reduce::Sum => accumulate::<false>(src, axes, dst),
        Reduce::Prod => accumulate::<true>(src, axes, dst),
        Reduce::Min => dispatch!(src.dtype(), T => to::<T, _, T>(Extremum::<false>, src, axes, dst, None)),
        Reduce::Max => dispatch!(src.dtype(), T => to::<T, _, T>(Extremum::<true>, src, axes, dst, None)),
        Reduce::Any => dispatch!(src.dtype(), T => to::<T, _, bool>(Truth::<false>, src, axes, dst, Some(false))),
        Reduce::All => dispatch!(src.dtype(), T => to::<T, _, bool>(Truth::<true>, src, axes, dst, Some(true))),
        Reduce::CountNonzero => dispatch!(src.dtype(), T => to::<T, _, i64>(CountNonzero, src, axes, dst, Some(0))),
        Reduce::ArgMin => dispatch!(src.dtype(), T => place::<T, false>(src, axes, dst)),
        Reduce::ArgMax => dispatch!(src.dtype(), T => place::<T, true>(src, axes, dst)),
    }
}

/// The sum of `|x - mean|^2` over `axes`, where `mean` has one element per output, C-contiguous, float64 for real `src` and
/// complex128 for complex; `dst` is float32 or float64.
pub fn sum_squared_deviations(src: &View, axes: &[usize], mean: &View, dst: &mut ViewMut) {
    fn with_sink(src: &View, axes: &[usize], mean: &View, sink: Sink<f64>) {
        if src.dtype().is_complex() {
            let mean = mean.as_slice::<Complex<f64>>().expect("contiguous complex128 means");
            match_dtype!(src.dtype(), T in [C64: Complex<f32>, C128: Complex<f64>]
                => deviations::<T, _>(src, axes, mean, sink));
        } else {
            let mean = mean.as_slice::<f64>().expect("contiguous float64 means");
            match_dtype!(src.dtype(), T in [Bool: bool, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32,
                U64: u64, F32: f32, F64: f64] => deviations::<T, _>(src, axes, mean, sink));
        }
    }
    fn deviations<T: Deviation<M>, M: Copy + Send + Sync>(src: &View, axes: &[usize], mean: &[M], sink: Sink<f64>) {
        plan_and_run::<T, _>(SquaredDeviations(mean), src, axes, sink);
    }
    assert_eq!(mean.size(), dst.size(), "one mean per output");
    match_dtype!(dst.dtype(), D in [F32: f32, F64: f64] => {
        let out = output::<D>(src, axes, dst);
        if !fill_if_empty(src, out, 0.0) {
            with_sink(src, axes, mean, &|i, accs: &[f64]| write(out, i, accs, Narrow::<D>::narrow));
        }
    });
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

/// Sums, or products.
fn accumulate<const PRODUCT: bool>(src: &View, axes: &[usize], dst: &mut ViewMut) {
    fn fold<T: Widen<A>, A: Accumulate, const PRODUCT: bool>(src: &View, axes: &[usize], sink: Sink<A>) {
        if PRODUCT {
            plan_and_run::<T, _>(Product::<A>(PhantomData), src, axes, sink);
        } else {
            plan_and_run::<T, _>(Sum::<A>(PhantomData), src, axes, sink);
        }
    }
    let one = PRODUCT as u8;
    match accumulator(src.dtype(), dst.dtype()) {
        DType::I64 => {
            let go = |sink: Sink<i64>| {
                match_dtype!(src.dtype(), T in [Bool: bool, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16,
                    U32: u32, U64: u64] => fold::<T, i64, PRODUCT>(src, axes, sink))
            };
            match_dtype!(dst.dtype(), D in [I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64] => {
                let out = output::<D>(src, axes, dst);
                if !fill_if_empty(src, out, one as D) {
                    go(&|i, accs: &[i64]| write(out, i, accs, Narrow::<D>::narrow));
                }
            })
        }
        DType::F64 => {
            let go = |sink: Sink<f64>| {
                match_dtype!(src.dtype(), T in [Bool: bool, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16,
                    U32: u32, U64: u64, F32: f32, F64: f64] => fold::<T, f64, PRODUCT>(src, axes, sink))
            };
            match_dtype!(dst.dtype(), D in [F32: f32, F64: f64] => {
                let out = output::<D>(src, axes, dst);
                if !fill_if_empty(src, out, one as D) {
                    go(&|i, accs: &[f64]| write(out, i, accs, Narrow::<D>::narrow));
                }
            })
        }
        _ => {
            let go = |sink: Sink<Complex<f64>>| {
                match_dtype!(src.dtype(), T in [C64: Complex<f32>, C128: Complex<f64>]
                    => fold::<T, Complex<f64>, PRODUCT>(src, axes, sink))
            };
            match_dtype!(dst.dtype(), D in [C64: f32, C128: f64] => {
                let out = output::<Complex<D>>(src, axes, dst);
                if !fill_if_empty(src, out, Complex::new(one as D, 0.0)) {
                    go(&|i, accs: &[Complex<f64>]| write(out, i, accs, Narrow::<Complex<D>>::narrow));
                }
            })
        }
    }
}

/// A fold whose accumulator is the output.
fn to<T: Element, F: Fold<T, Acc = D>, D: Element>(
    fold: F,
    src: &View,
    axes: &[usize],
    dst: &mut ViewMut,
    empty: Option<D>,
) {
    let out = output::<D>(src, axes, dst);
    match empty {
        Some(value) if fill_if_empty(src, out, value) => {}
        _ => plan_and_run::<T, F>(fold, src, axes, &|i, accs| write(out, i, accs, |a| a)),
    }
}

/// The place of the extremum. Side by side, places cost more than values: there the values come first, then their places.
fn place<T: Ordered, const MAX: bool>(src: &View, axes: &[usize], dst: &mut ViewMut) {
    let out = output::<i64>(src, axes, dst);
    let plan = plan(src, axes, false);
    if !plan.by_rows() {
        return run(ArgExtremum::<MAX>, src, &plan, &|i, accs| write(out, i, accs, |a: (T, i64)| a.1));
    }
    let mut best = vec![T::default(); out.1];
    let values: Output<T> = (Shared(best.as_mut_ptr()), out.1);
    run(Extremum::<MAX>, src, &plan, &|i, accs| write(values, i, accs, |a| a));
    run(FirstPlace(&best), src, &plan, &|i, accs| write(out, i, accs, |a| a));
}

/// The memory of the outputs, and how many there are.
type Output<D> = (Shared<D>, usize);

fn output<D: Element>(src: &View, axes: &[usize], dst: &mut ViewMut) -> Output<D> {
    let kept = src.shape().iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, n)| n);
    assert!(kept.eq(dst.shape()), "shape of the output of a reduction");
    let out = dst.as_slice::<D>().expect("a contiguous output of the reduction's dtype");
    (Shared(out.as_mut_ptr()), out.len())
}

/// Whether `src` is empty; then every output is `value`.
fn fill_if_empty<D: Element>(src: &View, out: Output<D>, value: D) -> bool {
    let empty = src.size() == 0;
    for i in 0..if empty { out.1 } else { 0 } {
        // SAFETY: `i` is within the output, which this thread alone has.
        unsafe { out.0.write(i, value) };
    }
    empty
}

#[inline(always)]
fn write<A: Copy, D>(out: Output<D>, start: usize, accs: &[A], narrow: impl Fn(A) -> D) {
    debug_assert!(start + accs.len() <= out.1);
    for (i, &a) in accs.iter().enumerate() {
        // SAFETY: the driver names each output once, and only those that exist.
        unsafe { out.0.write(start + i, narrow(a)) };
    }
}

/// Plans and runs.
fn plan_and_run<T: Element, F: Fold<T>>(fold: F, src: &View, axes: &[usize], sink: Sink<F::Acc>) {
    if let Some(x) = src.as_slice::<T>()
        && axes.len() == src.ndim()
        && (1..=F::BLOCK).contains(&x.len())
    {
        return sink(0, &[vectorized(Block { fold, x })]);
    }
    run(fold, src, &plan(src, axes, F::EXACT), sink);
}

/// All there is, in one block.
struct Block<'a, T, F> {
    fold: F,
    x: &'a [T],
}

impl<T: Element, F: Fold<T>> Loop for Block<'_, T, F> {
    type Output = F::Acc;
    #[inline(always)]
    fn run(self) -> F::Acc {
        self.fold.block(self.fold.param(0), self.x, 0, None)
    }
}

/// Runs as planned; does nothing where there is no output.
fn run<T: Element, F: Fold<T>>(fold: F, src: &View, plan: &Plan, sink: Sink<F::Acc>) {
    assert_eq!(src.dtype(), T::DTYPE);
    if plan.n_outputs == 0 {
        return;
    }
    assert!(plan.n_reduced > 0, "no elements to reduce");
    // SAFETY: the plan's offsets are indices within the view's shape.
    unsafe { drive::reduce(fold, Shared(src.ptr().cast_mut().cast()), plan, sink) };
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
