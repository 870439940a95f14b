//! Cumulative sums, products and extrema along an axis, deterministic for any layout and number of threads.
#![allow(unsafe_code)]

use crate::map::TileFn;
use crate::map::convert::conversion;
use crate::map::layout::move_elements;
use crate::pool::parallel_for;
use crate::reduce::number::{Accumulate, Narrow, Ordered, Widen};
use crate::walk::{self, Compiled, Lines, Loop, Shared};
use crate::{DType, Element, View, ViewMut, dispatch};
use num_complex::Complex;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// The kinds of scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scan {
    /// Dtypes as for [`crate::reduce::Reduce::Sum`], except that integers go to integers only. Floats are carried in double
    /// precision and each element is rounded once; sums of up to four neighbours are added to the carry.
    Sum,
    /// As `Sum`, strictly from the first element to the last.
    Prod,
    /// The source's dtype; from a NaN on, everything is NaN. Complex numbers lexicographically.
    Min,
    /// As `Min`.
    Max,
}

/// Scans `src` along `axis` into `dst`, which has its shape and any strides.
///
/// With `reverse` from the last element to the first; with `exclusive` an element does not count itself, and the first one
/// is the identity: 0, 1, or the dtype's largest or smallest value.
pub fn scan(kind: Scan, src: &View, axis: usize, reverse: bool, exclusive: bool, dst: &mut ViewMut) {
    let (from, to) = (src.dtype(), dst.dtype());
    macro_rules! accumulate {
        ($step:ident) => {
            if from.is_complex() && to.is_complex() {
                const { &Kernel::new::<Complex<f64>, $step<Complex<f64>>>() }
            } else if from == DType::F32 && to == DType::F32 {
                const { &Kernel::new::<f32, $step<f64>>() }
            } else if from.is_float() && to.is_float() {
                const { &Kernel::new::<f64, $step<f64>>() }
            } else {
                assert!(to.is_integer() && !from.is_inexact(), "scan of {} to {}", from.name(), to.name());
                const { &Kernel::new::<i64, $step<i64>>() }
            }
        };
    }
    let kernel = match kind {
        Scan::Sum => accumulate!(Sum),
        Scan::Prod => accumulate!(Product),
        Scan::Min | Scan::Max => {
            assert_eq!(from, to, "dtype of the output of a scan");
            dispatch!(from, T => if kind == Scan::Max {
                const { &Kernel::new::<T, Extremum<true>>() }
            } else {
                const { &Kernel::new::<T, Extremum<false>>() }
            })
        }
    };
    run(kernel, src, axis, reverse, exclusive, dst);
}

/// What is accumulated from element to element of type `T`.
trait Step<T>: 'static {
    type Acc: Copy;
    /// Whether neighbours are combined in groups of four before the carry is.
    const GROUP: bool = false;
    const IDENTITY: Self::Acc;
    fn lift(x: T) -> Self::Acc;
    fn merge(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    fn lower(a: Self::Acc) -> T;
}

struct Sum<A>(PhantomData<A>);

struct Product<A>(PhantomData<A>);

struct Extremum<const MAX: bool>;

impl<T: Widen<A>, A: Accumulate + Narrow<T>> Step<T> for Sum<A> {
    type Acc = A;
    const GROUP: bool = true;
    const IDENTITY: A = A::ZERO;
    #[inline(always)]
    fn lift(x: T) -> A {
        x.widen()
    }
    #[inline(always)]
    fn merge(a: A, b: A) -> A {
        a.plus(b)
    }
    #[inline(always)]
    fn lower(a: A) -> T {
        a.narrow()
    }
}

impl<T: Widen<A>, A: Accumulate + Narrow<T>> Step<T> for Product<A> {
    type Acc = A;
    const IDENTITY: A = A::ONE;
    #[inline(always)]
    fn lift(x: T) -> A {
        x.widen()
    }
    #[inline(always)]
    fn merge(a: A, b: A) -> A {
        a.times(b)
    }
    #[inline(always)]
    fn lower(a: A) -> T {
        a.narrow()
    }
}

impl<T: Ordered, const MAX: bool> Step<T> for Extremum<MAX> {
    type Acc = T;
    const IDENTITY: T = if MAX { T::LOWEST } else { T::HIGHEST };
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn merge(a: T, b: T) -> T {
        a.extremum::<MAX>(b)
    }
    #[inline(always)]
    fn lower(a: T) -> T {
        a
    }
}

/// The loops of a scan: all that is compiled per type.
struct Kernel {
    /// What the loops read and write; other dtypes are converted before and after.
    element: DType,
    /// Writes the identity as an element.
    identity: unsafe fn(*mut u8),
    line: Compiled<Rows>,
    rows: Compiled<Rows>,
}

impl Kernel {
    const fn new<T: Element, S: Step<T>>() -> Kernel {
        unsafe fn identity<T, S: Step<T>>(to: *mut u8) {
            // SAFETY: the caller has room for an element.
            unsafe { to.cast::<T>().write(S::lower(S::IDENTITY)) }
        }
        assert!(size_of::<S::Acc>() <= WIDEST && align_of::<S::Acc>() <= align_of::<u64>());
        Kernel {
            element: T::DTYPE,
            identity: identity::<T, S>,
            line: Compiled::new::<LineLoop<T, S>>(),
            rows: Compiled::new::<RowLoop<T, S>>(),
        }
    }
}

/// Bytes of the largest element and carry.
const WIDEST: usize = 16;

/// A row of elements of neighbouring lines for each of `n` positions of the axis.
struct Rows {
    x: *const u8,
    y: *mut u8,
    /// Elements from one row of `x`, and of `y`, to the next.
    by: [isize; 2],
    n: usize,
    width: usize,
    /// Whether the rows are the first, which become the carries, so that no identity is added to them.
    first: bool,
    /// Room for a carry per line.
    carries: *mut u8,
}

/// Scans the only column.
struct LineLoop<T, S>(PhantomData<(T, S)>);

impl<T: Element, S: Step<T>> Loop for LineLoop<T, S> {
    type Args = Rows;
    type Output = ();
    #[inline(always)]
    unsafe fn run(r: &Rows) {
        // SAFETY: the caller's contract.
        unsafe { if r.by == [1, 1] { along::<T, S>(r, [1, 1]) } else { along::<T, S>(r, r.by) } }
    }
}

/// # Safety
/// The rows can be read and written, the carry too unless it is the first.
#[inline(always)]
unsafe fn along<T: Element, S: Step<T>>(r: &Rows, by: [isize; 2]) {
    let (mut from, mut to) = (r.x.cast::<T>(), r.y.cast::<T>());
    // SAFETY: the contract.
    unsafe {
        let mut i = 0;
        let mut carry = if r.first { S::lift(*from) } else { *r.carries.cast::<S::Acc>() };
        if r.first {
            to.write(S::lower(carry));
            (from, to, i) = (from.wrapping_offset(by[0]), to.wrapping_offset(by[1]), 1);
        }
        if S::GROUP {
            while i + 4 <= r.n {
                let x = std::array::from_fn(|k| S::lift(*from.offset(k as isize * by[0])));
                let sums = prefixes(x, S::merge).map(|s| S::merge(carry, s));
                for k in 0..4 {
                    to.offset(k as isize * by[1]).write(S::lower(sums[k]));
                }
                carry = sums[3];
                (from, to, i) = (from.wrapping_offset(4 * by[0]), to.wrapping_offset(4 * by[1]), i + 4);
            }
        }
        while i < r.n {
            carry = S::merge(carry, S::lift(*from));
            to.write(S::lower(carry));
            (from, to, i) = (from.wrapping_offset(by[0]), to.wrapping_offset(by[1]), i + 1);
        }
        r.carries.cast::<S::Acc>().write(carry);
    }
}

/// Scans all columns, each in the order of operations of [`along`].
struct RowLoop<T, S>(PhantomData<(T, S)>);

impl<T: Element, S: Step<T>> Loop for RowLoop<T, S> {
    type Args = Rows;
    type Output = ();
    #[inline(always)]
    unsafe fn run(r: &Rows) {
        let [from, to] = [r.x.cast::<T>(), r.y.cast::<T>().cast_const()];
        // SAFETY: rows of the arguments, and no row of `y` overlaps another one or a row of `x`.
        let source = |i: usize| unsafe { std::slice::from_raw_parts(from.offset(i as isize * r.by[0]), r.width) };
        // SAFETY: as above.
        let target = |i: usize| unsafe {
            let row = to.cast_mut().offset(i as isize * r.by[1]).cast::<MaybeUninit<T>>();
            std::slice::from_raw_parts_mut(row, r.width)
        };
        // SAFETY: there is room for a carry per column.
        let carries = unsafe { std::slice::from_raw_parts_mut(r.carries.cast::<MaybeUninit<S::Acc>>(), r.width) };
        let mut i = 0;
        if r.first {
            lift_row::<T, S>(carries, source(0), target(0));
            i = 1;
        }
        // SAFETY: the carries have been written, here or before.
        let carries = unsafe { std::slice::from_raw_parts_mut(r.carries.cast::<S::Acc>(), r.width) };
        while i < r.n {
            if S::GROUP && i + 4 <= r.n {
                let y = [target(i), target(i + 1), target(i + 2), target(i + 3)];
                group_rows::<T, S>(carries, std::array::from_fn(|k| source(i + k)), y);
                i += 4;
            } else {
                add_row::<T, S>(carries, source(i), target(i));
                i += 1;
            }
        }
    }
}

#[inline(always)]
fn lift_row<T: Copy, S: Step<T>>(carries: &mut [MaybeUninit<S::Acc>], x: &[T], y: &mut [MaybeUninit<T>]) {
    for ((carry, &x), y) in carries.iter_mut().zip(x).zip(y) {
        let first = S::lift(x);
        carry.write(first);
        y.write(S::lower(first));
    }
}

#[inline(always)]
fn add_row<T: Copy, S: Step<T>>(carries: &mut [S::Acc], x: &[T], y: &mut [MaybeUninit<T>]) {
    for ((carry, &x), y) in carries.iter_mut().zip(x).zip(y) {
        *carry = S::merge(*carry, S::lift(x));
        y.write(S::lower(*carry));
    }
}

#[inline(always)]
fn group_rows<T: Copy, S: Step<T>>(carries: &mut [S::Acc], x: [&[T]; 4], y: [&mut [MaybeUninit<T>]; 4]) {
    let n = carries.len();
    let x = x.map(|x| &x[..n]);
    let y = y.map(|y| &mut y[..n]);
    for i in 0..n {
        let sums = prefixes(x.map(|x| S::lift(x[i])), S::merge).map(|s| S::merge(carries[i], s));
        for k in 0..4 {
            y[k][i].write(S::lower(sums[k]));
        }
        carries[i] = sums[3];
    }
}

/// The inclusive prefixes of four values, none more than two operations deep.
#[inline(always)]
fn prefixes<A: Copy>([a, b, c, d]: [A; 4], merge: impl Fn(A, A) -> A) -> [A; 4] {
    let (ab, cd) = (merge(a, b), merge(c, d));
    [a, ab, merge(ab, c), merge(ab, cd)]
}

/// Lines that are scanned side by side where they are neighbours in memory.
const TILE: usize = 64;

/// Elements that are converted, or that are kept until they are shown one position later, at a time.
const CHUNK: usize = 4 * TILE;

/// Elements per task below which a second thread does not pay.
const MIN_TASK: usize = 1 << 15;

fn run(kernel: &'static Kernel, src: &View, axis: usize, reverse: bool, exclusive: bool, dst: &mut ViewMut) {
    assert_eq!(src.shape(), dst.shape());
    let lines = Lines::new(src.shape(), [src.strides(), dst.strides()], axis);
    if lines.n_lines == 0 || lines.axis.n == 0 {
        return;
    }
    let (from, to, element) = (src.dtype(), dst.dtype(), kernel.element);
    let conversion = |a: DType, b: DType| {
        let same = a == b || (a.is_integer() && b.is_integer() && a.size() == b.size());
        (!same).then(|| conversion(a, b).tile())
    };
    let mut job = Job {
        kernel,
        src: Shared(src.ptr().cast_mut()),
        dst: Shared(dst.ptr()),
        sizes: [from, element, to].map(|d| d.size()),
        load: conversion(from, element),
        store: conversion(element, to),
        n: lines.axis.n,
        step: lines.axis.step,
        exclusive,
    };
    if reverse {
        let last = job.n as isize - 1;
        // SAFETY: the last element of the first line is within both views.
        unsafe {
            job.src.0 = job.src.0.offset(last * job.step[0] * job.sizes[0] as isize);
            job.dst.0 = job.dst.0.offset(last * job.step[1] * job.sizes[2] as isize);
        }
        job.step = job.step.map(|s| -s);
    }
    // A tile of lines shares its carries in registers or cache; one line alone runs along the axis.
    parallel_for(lines.n_lines, MIN_TASK.div_ceil(job.n), |range| {
        walk::runs(&lines.others, range, |at, n, across| {
            let neighbours = across == [1, 1] && job.step[0].unsigned_abs() != 1;
            let mut done = 0;
            while done < n {
                let width = if neighbours && n - done >= 8 { (n - done).min(TILE) } else { 1 };
                // SAFETY: offsets of the lines are within the views, and each line belongs to one task.
                unsafe { job.scan(std::array::from_fn(|k| at[k] + done as isize * across[k]), width) };
                done += width;
            }
        });
    });
}

/// Memory for `WORDS * 8` bytes of anything.
type Room<const WORDS: usize> = [MaybeUninit<u64>; WORDS];

/// What is done to every line.
struct Job {
    kernel: &'static Kernel,
    src: Shared<u8>,
    dst: Shared<u8>,
    /// Bytes of an element of the source, of the kernel and of the output.
    sizes: [usize; 3],
    /// Conversions to and from the kernel's dtype, where it is another.
    load: Option<TileFn>,
    store: Option<TileFn>,
    /// The elements of a line, and their distances.
    n: usize,
    step: [isize; 2],
    exclusive: bool,
}

impl Job {
    /// Scans `width` neighbouring lines, from these offsets.
    ///
    /// # Safety
    /// The lines are within source and output, and nobody else accesses those of the output.
    unsafe fn scan(&self, at: [isize; 2], width: usize) {
        let mut carries: Room<{ TILE * WIDEST / 8 }> = [const { MaybeUninit::uninit() }; _];
        let carries = carries.as_mut_ptr().cast();
        // SAFETY: the caller's contract.
        unsafe {
            let x = self.src.0.cast_const().offset(at[0] * self.sizes[0] as isize);
            let y = self.dst.0.offset(at[1] * self.sizes[2] as isize);
            let rows = Rows { x, y, by: self.step, n: self.n, width, first: true, carries };
            if self.load.is_none() && self.store.is_none() && !self.exclusive {
                self.call(&rows);
            } else {
                self.by_chunks(rows);
            }
        }
    }

    /// # Safety
    /// As [`Self::scan`].
    unsafe fn call(&self, rows: &Rows) {
        let kernel = if rows.width == 1 { &self.kernel.line } else { &self.kernel.rows };
        // SAFETY: the contract.
        unsafe { kernel.call(rows) };
    }

    /// Some rows at a time by way of buffers; all groups of four are as without.
    ///
    /// # Safety
    /// As [`Self::scan`].
    #[inline(never)]
    unsafe fn by_chunks(&self, lines: Rows) {
        const WORDS: usize = CHUNK * WIDEST / 8;
        let mut buffers: [Room<WORDS>; 3] = [const { [const { MaybeUninit::uninit() }; _] }; _];
        let [gathered, loaded, stored] = buffers.each_mut().map(|b| b.as_mut_ptr().cast::<u8>());
        // The row before the others is what an exclusive scan shows first.
        let mut scanned: Room<{ WORDS + TILE * WIDEST / 8 }> = [const { MaybeUninit::uninit() }; _];
        let shown: *mut u8 = scanned.as_mut_ptr().cast();
        let Rows { mut x, mut y, width, carries, .. } = lines;
        let [from, element, to] = self.sizes;
        let row = width * element;
        let chunk = CHUNK / width / 4 * 4;
        // SAFETY: the caller's contract; no chunk has more elements than a buffer.
        unsafe {
            let scanned = shown.add(row);
            for i in 0..width {
                (self.kernel.identity)(shown.add(i * element));
            }
            let mut done = 0;
            while done < self.n {
                let n = (if done == 0 { chunk - 3 } else { chunk }).min(self.n - done);
                let mut rows = Rows { x, y, by: self.step, n, width, first: done == 0, carries };
                if let Some(load) = self.load {
                    if width > 1 || self.step[0] != 1 {
                        self.copy(from, x, self.step[0], gathered, width as isize, [n, width]);
                        rows.x = gathered;
                    }
                    load(&rows.x, loaded, n * width);
                    (rows.x, rows.by[0]) = (loaded, width as isize);
                }
                if self.exclusive || self.store.is_some() {
                    (rows.y, rows.by[1]) = (scanned, width as isize);
                }
                self.call(&rows);
                if self.exclusive || self.store.is_some() {
                    let mut out = if self.exclusive { shown } else { scanned }.cast_const();
                    let straight = width == 1 && self.step[1] == 1;
                    if let Some(store) = self.store {
                        let to = if straight { y } else { stored };
                        store(&out, to, n * width);
                        out = to;
                    }
                    if !(straight && self.store.is_some()) {
                        self.copy(to, out, width as isize, y, self.step[1], [n, width]);
                    }
                    std::ptr::copy(shown.add(n * row), shown, row);
                }
                x = x.wrapping_offset(n as isize * self.step[0] * from as isize);
                y = y.wrapping_offset(n as isize * self.step[1] * to as isize);
                done += n;
            }
        }
    }

    /// Copies rows of elements of `size` bytes between places where rows are so many elements apart.
    ///
    /// # Safety
    /// The elements are there.
    unsafe fn copy(&self, size: usize, x: *const u8, by: isize, y: *mut u8, to: isize, extents: [usize; 2]) {
        let size_step = size as isize;
        // SAFETY: the contract.
        unsafe { move_elements(size, x, &[by * size_step, size_step], y, &[to * size_step, size_step], &extents) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Array, Bits, Layout, Sample};

    /// A scan of `[outer, n, inner]` along the middle, element by element.
    fn naive<T: Copy, A: Copy>(
        x: &[T],
        [outer, n, inner]: [usize; 3],
        (reverse, exclusive): (bool, bool),
        identity: A,
        step: impl Fn(A, T) -> A,
    ) -> Vec<A> {
        let mut out = vec![identity; x.len()];
        for (o, i) in (0..outer).flat_map(|o| (0..inner).map(move |i| (o, i))) {
            let mut acc = identity;
            for k in 0..n {
                let at = (o * n + if reverse { n - 1 - k } else { k }) * inner + i;
                let next = step(acc, x[at]);
                out[at] = if exclusive { acc } else { next };
                acc = next;
            }
        }
        out
    }

    fn scanned<T: Element, D: Element>(
        kind: Scan,
        a: &Array<T>,
        (reverse, exclusive): (bool, bool),
        to: Layout,
    ) -> Vec<D> {
        let mut dst = Array::<D>::zeros(&a.shape, to);
        scan(kind, &a.view(), 1, reverse, exclusive, &mut dst.view_mut());
        dst.elements()
    }

    const SHAPES: [[usize; 3]; 7] =
        [[1, 1, 1], [1, 2, 1], [2, 9, 3], [3, 5, 70], [1, 1000, 1], [40, 6, 130], [2, 0, 3]];
    const MODES: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

    fn check<T: Sample + Ordered>() {
        let mut bits = Bits(5);
        for shape in SHAPES {
            let x: Vec<T> = bits.vec(shape.iter().product());
            for (layout, mode) in Layout::ALL.into_iter().flat_map(|l| MODES.map(|m| (l, m))) {
                let a = Array::new(&shape, &x, layout);
                let max = naive(&x, shape, mode, T::LOWEST, |a, v| a.extremum::<true>(v));
                let min = naive(&x, shape, mode, T::HIGHEST, |a, v| a.extremum::<false>(v));
                let same = |a: Vec<T>, b: &[T]| a.iter().zip(b).all(|(a, b)| a.ties(*b));
                assert!(same(scanned(Scan::Max, &a, mode, Layout::C), &max), "{shape:?} {layout:?} {mode:?}");
                assert!(same(scanned(Scan::Min, &a, mode, layout), &min), "{shape:?} {layout:?} {mode:?}");
            }
        }
    }

    #[test]
    fn running_extrema() {
        check::<bool>();
        check::<i8>();
        check::<u64>();
        check::<f32>();
        check::<f64>();
        check::<Complex<f64>>();
    }

    #[test]
    fn integer_sums_and_products_wrap() {
        let mut bits = Bits(6);
        for shape in SHAPES {
            let x: Vec<i16> = bits.vec(shape.iter().product());
            for (layout, mode) in Layout::ALL.into_iter().flat_map(|l| MODES.map(|m| (l, m))) {
                let a = Array::new(&shape, &x, layout);
                let sums = naive(&x, shape, mode, 0i64, |a, v| a.wrapping_add(v as i64));
                assert_eq!(scanned::<_, i64>(Scan::Sum, &a, mode, Layout::C), sums);
                assert_eq!(
                    scanned::<_, i8>(Scan::Sum, &a, mode, layout),
                    sums.iter().map(|&s| s as i8).collect::<Vec<_>>()
                );
                let products = naive(&x, shape, mode, 1i64, |a, v| a.wrapping_mul(v as i64));
                assert_eq!(scanned::<_, i64>(Scan::Prod, &a, mode, Layout::C), products);
            }
        }
    }

    #[test]
    fn float_sums_have_the_same_bits_in_every_layout() {
        let mut bits = Bits(7);
        for shape in SHAPES {
            let x: Vec<f64> = (0..shape.iter().product()).map(|_| bits.next() as f64 / 2f64.powi(61) - 4.0).collect();
            for mode in MODES {
                let expected: Vec<f64> = scanned(Scan::Sum, &Array::new(&shape, &x, Layout::C), mode, Layout::C);
                let reference = naive(&x, shape, mode, 0.0, |a, v| a + v);
                assert!(expected.iter().zip(&reference).all(|(a, b)| (a - b).abs() < 1e-11));
                for layout in Layout::ALL {
                    assert_eq!(scanned::<_, f64>(Scan::Sum, &Array::new(&shape, &x, layout), mode, layout), expected);
                }
            }
        }
        let minus_zero: Vec<f64> = scanned(Scan::Sum, &Array::new(&[1, 1, 1], &[-0.0], Layout::C), MODES[0], Layout::C);
        assert!(minus_zero[0].is_sign_negative());
    }
}
