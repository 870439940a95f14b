//! Cumulative sums, products and extrema along an axis, deterministic for any layout and number of threads.
#![allow(unsafe_code)]

use crate::pool::parallel_for;
use crate::reduce::number::{Accumulate, Narrow, Ordered, Widen};
use crate::walk::{self, Lines, Loop, Shared, vectorized};
use crate::{DType, Element, View, ViewMut, dispatch};
use num_complex::Complex;
use std::marker::PhantomData;

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
    macro_rules! go {
        ($fold:expr, $t:ty, $d:ty) => {
            run::<$t, _, $d>($fold, src, axis, reverse, exclusive, dst)
        };
    }
    macro_rules! accumulate {
        ($fold:ident) => {{
            fn integers<T: Widen<i64>>(src: &View, axis: usize, reverse: bool, exclusive: bool, dst: &mut ViewMut) {
                macro_rules! to {
                    ($d:ty) => {
                        run::<T, _, $d>($fold::<i64>(PhantomData), src, axis, reverse, exclusive, dst)
                    };
                }
                match dst.dtype() {
                    DType::I8 => to!(i8),
                    DType::I16 => to!(i16),
                    DType::I32 => to!(i32),
                    DType::I64 => to!(i64),
                    DType::U8 => to!(u8),
                    DType::U16 => to!(u16),
                    DType::U32 => to!(u32),
                    DType::U64 => to!(u64),
                    d => unreachable!("scan of integers to {}", d.name()),
                }
            }
            match (from, to) {
                (DType::Bool, _) => integers::<bool>(src, axis, reverse, exclusive, dst),
                (DType::I8, _) => integers::<i8>(src, axis, reverse, exclusive, dst),
                (DType::I16, _) => integers::<i16>(src, axis, reverse, exclusive, dst),
                (DType::I32, _) => integers::<i32>(src, axis, reverse, exclusive, dst),
                (DType::I64, _) => integers::<i64>(src, axis, reverse, exclusive, dst),
                (DType::U8, _) => integers::<u8>(src, axis, reverse, exclusive, dst),
                (DType::U16, _) => integers::<u16>(src, axis, reverse, exclusive, dst),
                (DType::U32, _) => integers::<u32>(src, axis, reverse, exclusive, dst),
                (DType::U64, _) => integers::<u64>(src, axis, reverse, exclusive, dst),
                (DType::F32, DType::F32) => go!($fold::<f64>(PhantomData), f32, f32),
                (DType::F32, DType::F64) => go!($fold::<f64>(PhantomData), f32, f64),
                (DType::F64, DType::F32) => go!($fold::<f64>(PhantomData), f64, f32),
                (DType::F64, DType::F64) => go!($fold::<f64>(PhantomData), f64, f64),
                (DType::C64, DType::C64) => go!($fold::<Complex<f64>>(PhantomData), Complex<f32>, Complex<f32>),
                (DType::C64, DType::C128) => go!($fold::<Complex<f64>>(PhantomData), Complex<f32>, Complex<f64>),
                (DType::C128, DType::C64) => go!($fold::<Complex<f64>>(PhantomData), Complex<f64>, Complex<f32>),
                (DType::C128, DType::C128) => go!($fold::<Complex<f64>>(PhantomData), Complex<f64>, Complex<f64>),
                _ => unreachable!("scan of {} to {}", from.name(), to.name()),
            }
        }};
    }
    match kind {
        Scan::Sum => accumulate!(Sum),
        Scan::Prod => accumulate!(Product),
        Scan::Min => dispatch!(from, T => go!(Extremum::<false>, T, T)),
        Scan::Max => dispatch!(from, T => go!(Extremum::<true>, T, T)),
    }
}

/// What is accumulated from element to element.
trait Step<T, D>: Copy + Sync {
    type Acc: Copy;
    /// Whether neighbours are combined in groups of four before the carry is.
    const GROUP: bool = false;
    fn identity(&self) -> Self::Acc;
    fn lift(&self, x: T) -> Self::Acc;
    fn merge(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
    fn lower(&self, a: Self::Acc) -> D;
}

#[derive(Clone, Copy)]
struct Sum<A>(PhantomData<A>);

#[derive(Clone, Copy)]
struct Product<A>(PhantomData<A>);

#[derive(Clone, Copy)]
struct Extremum<const MAX: bool>;

impl<T: Widen<A>, D, A: Accumulate + Narrow<D>> Step<T, D> for Sum<A> {
    type Acc = A;
    const GROUP: bool = true;
    #[inline(always)]
    fn identity(&self) -> A {
        A::ZERO
    }
    #[inline(always)]
    fn lift(&self, x: T) -> A {
        x.widen()
    }
    #[inline(always)]
    fn merge(&self, a: A, b: A) -> A {
        a.plus(b)
    }
    #[inline(always)]
    fn lower(&self, a: A) -> D {
        a.narrow()
    }
}

impl<T: Widen<A>, D, A: Accumulate + Narrow<D>> Step<T, D> for Product<A> {
    type Acc = A;
    #[inline(always)]
    fn identity(&self) -> A {
        A::ONE
    }
    #[inline(always)]
    fn lift(&self, x: T) -> A {
        x.widen()
    }
    #[inline(always)]
    fn merge(&self, a: A, b: A) -> A {
        a.times(b)
    }
    #[inline(always)]
    fn lower(&self, a: A) -> D {
        a.narrow()
    }
}

impl<T: Ordered, const MAX: bool> Step<T, T> for Extremum<MAX> {
    type Acc = T;
    #[inline(always)]
    fn identity(&self) -> T {
        if MAX { T::LOWEST } else { T::HIGHEST }
    }
    #[inline(always)]
    fn lift(&self, x: T) -> T {
        x
    }
    #[inline(always)]
    fn merge(&self, a: T, b: T) -> T {
        a.extremum::<MAX>(b)
    }
    #[inline(always)]
    fn lower(&self, a: T) -> T {
        a
    }
}

/// Lines that are scanned side by side where they are neighbours in memory.
const TILE: usize = 64;

/// Elements per task below which a second thread does not pay.
const MIN_TASK: usize = 1 << 15;

fn run<T: Element, S: Step<T, D>, D: Element>(
    step: S,
    src: &View,
    axis: usize,
    reverse: bool,
    exclusive: bool,
    dst: &mut ViewMut,
) {
    assert!(src.dtype() == T::DTYPE && dst.dtype() == D::DTYPE && src.shape() == dst.shape());
    let mut lines = Lines::new(src.shape(), [src.strides(), dst.strides()], axis);
    if lines.n_lines == 0 || lines.axis.n == 0 {
        return;
    }
    let (mut src, mut dst) = (Shared(src.ptr().cast_mut().cast::<T>()), Shared(dst.ptr().cast::<D>()));
    if reverse {
        let last = lines.axis.n as isize - 1;
        // SAFETY: the last element of the first line is within both views.
        (src.0, dst.0) = unsafe { (src.0.offset(last * lines.axis.step[0]), dst.0.offset(last * lines.axis.step[1])) };
        lines.axis.step = lines.axis.step.map(|s| -s);
    }
    let lines = &lines;
    // A tile of lines shares its carries in registers or cache; one line alone runs along the axis.
    parallel_for(lines.n_lines, MIN_TASK.div_ceil(lines.axis.n), |range| {
        walk::runs(&lines.others, range, |at, n, across| {
            let mut done = 0;
            while done < n {
                let width = (n - done).min(TILE);
                let first = [at[0] + done as isize * across[0], at[1] + done as isize * across[1]];
                vectorized(Part { step, src, dst, lines, first, across, width, exclusive });
                done += width;
            }
        });
    });
}

/// Some lines, `across` apart, from `first`.
struct Part<'a, S, T, D> {
    step: S,
    src: Shared<T>,
    dst: Shared<D>,
    lines: &'a Lines<2>,
    first: [isize; 2],
    across: [isize; 2],
    width: usize,
    exclusive: bool,
}

impl<T: Element, S: Step<T, D>, D: Element> Loop for Part<'_, S, T, D> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        if self.across == [1, 1] && self.width >= 8 && self.lines.axis.step[0].unsigned_abs() != 1 {
            if self.exclusive { self.side_by_side::<true>() } else { self.side_by_side::<false>() }
        } else {
            for line in 0..self.width as isize {
                let at = [self.first[0] + line * self.across[0], self.first[1] + line * self.across[1]];
                match (self.lines.axis.step, self.exclusive) {
                    ([1, 1], false) => self.along::<false>(at, [1, 1]),
                    (step, false) => self.along::<false>(at, step),
                    (step, true) => self.along::<true>(at, step),
                }
            }
        }
    }
}

impl<T: Element, S: Step<T, D>, D: Element> Part<'_, S, T, D> {
    #[inline(always)]
    fn load(&self, offset: isize) -> S::Acc {
        // SAFETY: offsets of the lines are within the source.
        self.step.lift(unsafe { *self.src.0.offset(offset) })
    }

    #[inline(always)]
    fn store(&self, offset: isize, a: S::Acc) {
        // SAFETY: offsets of the lines are within the output, and each line belongs to one task.
        unsafe { self.dst.0.offset(offset).write(self.step.lower(a)) }
    }

    /// One line from this offset. The first element is the first carry, so that no identity is added to it.
    #[inline(always)]
    fn along<const EXCLUSIVE: bool>(&self, [mut from, mut to]: [isize; 2], by: [isize; 2]) {
        let merge = |a, b| self.step.merge(a, b);
        let n = self.lines.axis.n;
        let mut carry = self.load(from);
        let mut i = 1;
        let first = if EXCLUSIVE { self.step.identity() } else { carry };
        self.store(to, first);
        from += by[0];
        to += by[1];
        if S::GROUP {
            while i + 4 <= n {
                let x: [S::Acc; 4] = std::array::from_fn(|k| self.load(from + k as isize * by[0]));
                let sums = prefixes(x, merge);
                let out = sums.map(|s| merge(carry, s));
                let shown = if EXCLUSIVE { [carry, out[0], out[1], out[2]] } else { out };
                for k in 0..4 {
                    self.store(to + k as isize * by[1], shown[k]);
                }
                carry = out[3];
                from += 4 * by[0];
                to += 4 * by[1];
                i += 4;
            }
        }
        while i < n {
            let next = merge(carry, self.load(from));
            self.store(to, if EXCLUSIVE { carry } else { next });
            carry = next;
            from += by[0];
            to += by[1];
            i += 1;
        }
    }

    /// Lines next to each other, in the same order of operations as [`Self::along`].
    #[inline(always)]
    fn side_by_side<const EXCLUSIVE: bool>(&self) {
        let merge = |a, b| self.step.merge(a, b);
        let (n, by, width) = (self.lines.axis.n, self.lines.axis.step, self.width);
        let [mut from, mut to] = self.first;
        let mut carries = [self.load(from); TILE];
        let carries = &mut carries[..width];
        for (w, carry) in carries.iter_mut().enumerate() {
            *carry = self.load(from + w as isize);
            self.store(to + w as isize, if EXCLUSIVE { self.step.identity() } else { *carry });
        }
        let mut i = 1;
        while i < n {
            from += by[0];
            to += by[1];
            if S::GROUP && i + 4 <= n {
                for (w, carry) in carries.iter_mut().enumerate() {
                    let w = w as isize;
                    let x: [S::Acc; 4] = std::array::from_fn(|k| self.load(from + w + k as isize * by[0]));
                    let out = prefixes(x, merge).map(|s| merge(*carry, s));
                    let shown = if EXCLUSIVE { [*carry, out[0], out[1], out[2]] } else { out };
                    for k in 0..4 {
                        self.store(to + w + k as isize * by[1], shown[k]);
                    }
                    *carry = out[3];
                }
                from += 3 * by[0];
                to += 3 * by[1];
                i += 4;
            } else {
                for (w, carry) in carries.iter_mut().enumerate() {
                    let next = merge(*carry, self.load(from + w as isize));
                    self.store(to + w as isize, if EXCLUSIVE { *carry } else { next });
                    *carry = next;
                }
                i += 1;
            }
        }
    }
}

/// The inclusive prefixes of four values, none more than two operations deep.
#[inline(always)]
fn prefixes<A: Copy>([a, b, c, d]: [A; 4], merge: impl Fn(A, A) -> A) -> [A; 4] {
    let (ab, cd) = (merge(a, b), merge(c, d));
    [a, ab, merge(ab, c), merge(ab, cd)]
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
