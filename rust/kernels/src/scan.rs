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
    macro_rules! kernel {
        ($step:ident<$acc:ty>: $($($d:ident)|* => $t:ty),*; $to:ty) => {
            match from {
                $($(DType::$d)|* => const { &Kernel::new::<$t, $step<$acc>, $to>() },)*
                d => unreachable!("scan of {}", d.name()),
            }
        };
    }
    macro_rules! accumulate {
        ($step:ident) => {
            match to {
                DType::F32 if from == DType::F32 => kernel!($step<f64>: F32 => f32; f32),
                DType::F32 | DType::F64 => kernel!($step<f64>: F32 => f32, F64 => f64; f64),
                DType::C64 if from == DType::C64 => kernel!($step<Complex<f64>>: C64 => Complex<f32>; Complex<f32>),
                DType::C64 | DType::C128 => {
                    kernel!($step<Complex<f64>>: C64 => Complex<f32>, C128 => Complex<f64>; Complex<f64>)
                }
                _ if !to.is_integer() => unreachable!("scan to {}", to.name()),
                _ => kernel!($step<i64>: Bool | U8 => u8, I8 => i8, I16 => i16, I32 => i32, I64 | U64 => i64, U16 => u16,
                    U32 => u32; i64),
            }
        };
    }
    let kernel = match kind {
        Scan::Sum => accumulate!(Sum),
        Scan::Prod => accumulate!(Product),
        Scan::Min | Scan::Max => {
            assert_eq!(from, to, "dtype of the output of a scan");
            dispatch!(from, T => if kind == Scan::Max {
                const { &Kernel::new::<T, Extremum<true>, T>() }
            } else {
                const { &Kernel::new::<T, Extremum<false>, T>() }
            })
        }
    };
    run(kernel, src, axis, reverse, exclusive, dst);
}

/// What is accumulated from element to element, of type `T`, and shown as `D`s.
trait Step<T, D>: 'static {
    type Acc: Copy;
    /// Whether neighbours are combined in groups of four before the carry is.
    const GROUP: bool = false;
    const IDENTITY: Self::Acc;
    fn lift(x: T) -> Self::Acc;
    fn merge(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    fn lower(a: Self::Acc) -> D;
}

struct Sum<A>(PhantomData<A>);

struct Product<A>(PhantomData<A>);

struct Extremum<const MAX: bool>;

impl<T: Widen<A>, D, A: Accumulate + Narrow<D>> Step<T, D> for Sum<A> {
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
    fn lower(a: A) -> D {
        a.narrow()
    }
}

impl<T: Widen<A>, D, A: Accumulate + Narrow<D>> Step<T, D> for Product<A> {
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
    fn lower(a: A) -> D {
        a.narrow()
    }
}

impl<T: Ordered, const MAX: bool> Step<T, T> for Extremum<MAX> {
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
    /// Bytes of what the loops read.
    size: usize,
    /// What they write; other dtypes are converted afterwards.
    shown: DType,
    lines: Compiled<Part>,
    rows: Compiled<Part>,
}

impl Kernel {
    const fn new<T: Element, S: Step<T, D>, D: Element>() -> Kernel {
        assert!(size_of::<S::Acc>() <= WIDEST && align_of::<S::Acc>() <= align_of::<u64>());
        Kernel {
            size: size_of::<T>(),
            shown: D::DTYPE,
            lines: Compiled::new::<LineLoop<T, S, D>>(),
            rows: Compiled::new::<RowLoop<T, S, D>>(),
        }
    }
}

/// Bytes of the largest element and carry.
const WIDEST: usize = 16;

/// Some positions of some lines.
struct Part {
    x: *const u8,
    y: *mut u8,
    /// Elements from one position to the next, in `x` and `y`.
    step: [isize; 2],
    n: usize,
    /// Elements from one line to the next; 1 where lines are scanned side by side.
    across: [isize; 2],
    width: usize,
    /// Whether the positions are the first: they become the carries, so that no identity is added to them.
    first: bool,
    /// Whether an element does not count itself.
    exclusive: bool,
    /// Room for a carry per line, or what the positions before left there.
    carries: *mut u8,
}

impl Part {
    /// How many of the values that include their elements are shown, and how far behind their elements.
    #[inline(always)]
    fn shown(&self) -> (usize, isize) {
        (self.n - self.exclusive as usize, self.exclusive as isize)
    }
}

/// Scans line by line.
struct LineLoop<T, S, D>(PhantomData<(T, S, D)>);

impl<T: Element, S: Step<T, D>, D: Element> Loop for LineLoop<T, S, D> {
    type Args = Part;
    type Output = ();
    #[inline(always)]
    unsafe fn run(p: &Part) {
        for line in 0..p.width as isize {
            // SAFETY: the caller's contract.
            unsafe {
                let from = p.x.cast::<T>().offset(line * p.across[0]);
                let to = p.y.cast::<D>().offset(line * p.across[1]);
                let carry = p.carries.cast::<S::Acc>().offset(line);
                if p.step == [1, 1] {
                    along::<T, S, D>(p, from, to, carry, [1, 1])
                } else {
                    along::<T, S, D>(p, from, to, carry, p.step)
                }
            }
        }
    }
}

/// # Safety
/// The positions of the line can be read and written, the carry too unless it is the first.
#[inline(always)]
unsafe fn along<T: Element, S: Step<T, D>, D: Element>(
    p: &Part,
    from: *const T,
    to: *mut D,
    carry_at: *mut S::Acc,
    by: [isize; 2],
) {
    let (shown, behind) = p.shown();
    // SAFETY: positions of the line, by the contract.
    let (load, show) = unsafe {
        (
            |i: usize| S::lift(*from.offset(i as isize * by[0])),
            |i: usize, a: S::Acc| to.offset((i as isize + behind) * by[1]).write(S::lower(a)),
        )
    };
    let mut i = p.first as usize;
    // SAFETY: the contract.
    let mut carry = if p.first { load(0) } else { unsafe { *carry_at } };
    if p.exclusive {
        // SAFETY: the first position of the line.
        unsafe { to.write(S::lower(if p.first { S::IDENTITY } else { carry })) };
    }
    if p.first && shown > 0 {
        show(0, carry);
    }
    if S::GROUP {
        while i + 4 <= shown {
            let sums = prefixes([load(i), load(i + 1), load(i + 2), load(i + 3)], S::merge);
            let sums = [
                S::merge(carry, sums[0]),
                S::merge(carry, sums[1]),
                S::merge(carry, sums[2]),
                S::merge(carry, sums[3]),
            ];
            show(i, sums[0]);
            show(i + 1, sums[1]);
            show(i + 2, sums[2]);
            show(i + 3, sums[3]);
            carry = sums[3];
            i += 4;
        }
        if shown < p.n && i + 4 == p.n {
            let sums = prefixes([load(i), load(i + 1), load(i + 2), load(i + 3)], S::merge);
            for k in 0..3 {
                show(i + k, S::merge(carry, sums[k]));
            }
            carry = S::merge(carry, sums[3]);
            i += 4;
        }
    }
    while i < shown {
        carry = S::merge(carry, load(i));
        show(i, carry);
        i += 1;
    }
    if i < p.n {
        carry = S::merge(carry, load(i));
    }
    // SAFETY: the contract.
    unsafe { carry_at.write(carry) };
}

/// Scans the lines side by side, each in the order of operations of [`along`].
struct RowLoop<T, S, D>(PhantomData<(T, S, D)>);

impl<T: Element, S: Step<T, D>, D: Element> Loop for RowLoop<T, S, D> {
    type Args = Part;
    type Output = ();
    #[inline(always)]
    unsafe fn run(p: &Part) {
        let (shown, behind) = p.shown();
        // SAFETY: rows of the arguments, of which those of `y` overlap none.
        let source =
            |i: usize| unsafe { std::slice::from_raw_parts(p.x.cast::<T>().offset(i as isize * p.step[0]), p.width) };
        // SAFETY: as above.
        let target = |i: isize| unsafe {
            std::slice::from_raw_parts_mut(p.y.cast::<MaybeUninit<D>>().offset(i * p.step[1]), p.width)
        };
        let place = |i: usize| target(i as isize + behind);
        // SAFETY: there is room for a carry per line.
        let carries = unsafe { std::slice::from_raw_parts_mut(p.carries.cast::<MaybeUninit<S::Acc>>(), p.width) };
        if p.first {
            for (carry, &x) in carries.iter_mut().zip(source(0)) {
                carry.write(S::lift(x));
            }
        }
        // SAFETY: the carries have been written, here or before.
        let carries = unsafe { std::slice::from_raw_parts_mut(p.carries.cast::<S::Acc>(), p.width) };
        if p.exclusive {
            for (y, &carry) in target(0).iter_mut().zip(&*carries) {
                y.write(S::lower(if p.first { S::IDENTITY } else { carry }));
            }
        }
        if p.first && shown > 0 {
            for (y, &carry) in place(0).iter_mut().zip(&*carries) {
                y.write(S::lower(carry));
            }
        }
        let mut unseen = [const { MaybeUninit::<D>::uninit() }; TILE];
        let mut i = p.first as usize;
        while i < p.n {
            if S::GROUP && i + 4 <= p.n {
                let last = if i + 4 <= shown { place(i + 3) } else { &mut unseen[..p.width] };
                let x = [source(i), source(i + 1), source(i + 2), source(i + 3)];
                add_group::<T, S, D>(carries, x, [place(i), place(i + 1), place(i + 2), last]);
                i += 4;
            } else {
                let y = if i < shown { place(i) } else { &mut unseen[..p.width] };
                add_row::<T, S, D>(carries, source(i), y);
                i += 1;
            }
        }
    }
}

#[inline(always)]
fn add_row<T: Copy, S: Step<T, D>, D>(carries: &mut [S::Acc], x: &[T], y: &mut [MaybeUninit<D>]) {
    for ((carry, &x), y) in carries.iter_mut().zip(x).zip(y) {
        let next = S::merge(*carry, S::lift(x));
        // Before the carry: a store right after the load becomes a masked store where `merge` selects, which is slow.
        y.write(S::lower(next));
        *carry = next;
    }
}

#[inline(always)]
fn add_group<T: Copy, S: Step<T, D>, D>(carries: &mut [S::Acc], x: [&[T]; 4], y: [&mut [MaybeUninit<D>]; 4]) {
    let n = carries.len();
    let [x0, x1, x2, x3] = x;
    let (x0, x1, x2, x3) = (&x0[..n], &x1[..n], &x2[..n], &x3[..n]);
    let [y0, y1, y2, y3] = y;
    let (y0, y1, y2, y3) = (&mut y0[..n], &mut y1[..n], &mut y2[..n], &mut y3[..n]);
    for i in 0..n {
        let [a, b, c, d] = prefixes([S::lift(x0[i]), S::lift(x1[i]), S::lift(x2[i]), S::lift(x3[i])], S::merge);
        let carry = carries[i];
        y0[i].write(S::lower(S::merge(carry, a)));
        y1[i].write(S::lower(S::merge(carry, b)));
        y2[i].write(S::lower(S::merge(carry, c)));
        carries[i] = S::merge(carry, d);
        y3[i].write(S::lower(carries[i]));
    }
}

/// The inclusive prefixes of four values, none more than two operations deep.
#[inline(always)]
fn prefixes<A: Copy>([a, b, c, d]: [A; 4], merge: impl Fn(A, A) -> A) -> [A; 4] {
    let (ab, cd) = (merge(a, b), merge(c, d));
    [a, ab, merge(ab, c), merge(ab, cd)]
}

/// Lines that are scanned together.
const TILE: usize = 64;

/// Elements that are converted at a time.
const CHUNK: usize = 4 * TILE;

/// Elements per task below which a second thread does not pay.
const MIN_TASK: usize = 1 << 15;

fn run(kernel: &'static Kernel, src: &View, axis: usize, reverse: bool, exclusive: bool, dst: &mut ViewMut) {
    assert!(src.shape() == dst.shape() && src.dtype().size() == kernel.size);
    let lines = Lines::new(src.shape(), [src.strides(), dst.strides()], axis);
    if lines.n_lines == 0 || lines.axis.n == 0 {
        return;
    }
    let (n, mut step) = (lines.axis.n, lines.axis.step);
    let sizes = [kernel.size as isize, dst.dtype().size() as isize];
    let mut start = [0; 2];
    if reverse {
        start = step.map(|s| (n as isize - 1) * s);
        step = step.map(|s| -s);
    }
    let same = dst.dtype() == kernel.shown || (dst.dtype().is_integer() && sizes[1] as usize == kernel.shown.size());
    let convert = (!same).then(|| conversion(kernel.shown, dst.dtype()).tile());
    let (src, dst) = (Shared(src.ptr().cast_mut()), Shared(dst.ptr()));
    // A tile of lines shares its carries in registers or cache; one line alone runs along the axis.
    parallel_for(lines.n_lines, MIN_TASK.div_ceil(n), |range| {
        let (src, dst) = (&src, &dst);
        walk::runs(&lines.others, range, |at, count, across| {
            for done in (0..count).step_by(TILE) {
                let width = (count - done).min(TILE);
                let rows = across == [1, 1] && width >= 8 && step[0].unsigned_abs() != 1;
                let mut carries: Room<{ TILE * WIDEST / 8 }> = [const { MaybeUninit::uninit() }; _];
                let first = [0, 1].map(|k| (start[k] + at[k] + done as isize * across[k]) * sizes[k]);
                // SAFETY: offsets of the lines are within the views, and each line belongs to one task.
                unsafe {
                    let (x, y) = (src.0.cast_const().offset(first[0]), dst.0.offset(first[1]));
                    let carries = carries.as_mut_ptr().cast();
                    let part = Part { x, y, step, n, across, width, first: true, exclusive, carries };
                    let loops = if rows { &kernel.rows } else { &kernel.lines };
                    match convert {
                        None => loops.call(&part),
                        Some(convert) => by_chunks(loops, &part, convert, sizes),
                    }
                }
            }
        });
    });
}

/// Memory for `WORDS * 8` bytes of anything.
type Room<const WORDS: usize> = [MaybeUninit<u64>; WORDS];

/// As the loop, some positions at a time by way of buffers; groups of four are the same.
///
/// # Safety
/// As for the loop; elements of source and output have these sizes.
unsafe fn by_chunks(loops: &Compiled<Part>, lines: &Part, convert: TileFn, sizes: [isize; 2]) {
    let mut buffers: [Room<{ CHUNK * WIDEST / 8 }>; 2] = [const { [const { MaybeUninit::uninit() }; _] }; _];
    let [scanned, converted] = buffers.each_mut().map(|b| b.as_mut_ptr().cast::<u8>());
    let Part { x, y, step, n, across, width, .. } = *lines;
    let chunk = CHUNK / width / 4 * 4;
    let mut done = 0;
    while done < n {
        let count = (if done == 0 { chunk - 3 } else { chunk }).min(n - done);
        let at = [0, 1].map(|k| done as isize * step[k] * sizes[k]);
        // SAFETY: positions of the lines; no chunk has more elements than a buffer.
        unsafe {
            let (x, y) = (x.offset(at[0]), y.offset(at[1]));
            let (step_to, across_to) = (width as isize, 1);
            loops.call(&Part {
                x,
                y: scanned,
                step: [step[0], step_to],
                n: count,
                across: [across[0], across_to],
                first: done == 0,
                ..*lines
            });
            convert(&scanned.cast_const(), converted, count * width);
            let packed = [step_to * sizes[1], across_to * sizes[1]];
            let strides = [step[1] * sizes[1], across[1] * sizes[1]];
            move_elements(sizes[1] as usize, converted, &packed, y, &strides, &[count, width]);
        }
        done += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Array, Bits, Layout, MOST, Sample, size};

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

    const SHAPES: [[usize; 3]; 8] =
        [[1, 1, 1], [1, 2, 1], [2, 3, 2], [2, 9, 3], [3, 5, 70], [1, 1000, 1], [40, 6, 130], [2, 0, 3]];
    const MODES: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

    fn check<T: Sample + Ordered>() {
        let mut bits = Bits(5);
        for shape in SHAPES.into_iter().filter(|s| size(s) <= MOST) {
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
        check::<f32>();
        if !cfg!(miri) {
            check::<bool>();
            check::<i8>();
            check::<u64>();
            check::<f64>();
            check::<Complex<f64>>();
        }
    }

    #[test]
    fn integer_sums_and_products_wrap() {
        let mut bits = Bits(6);
        for shape in SHAPES.into_iter().filter(|s| size(s) <= MOST) {
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
        for shape in SHAPES.into_iter().filter(|s| size(s) <= MOST) {
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
