//! Recursive filters: linear recurrences of any order along the last axis, with constant or changing coefficients.
#![allow(unsafe_code)]

use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::walk::{Compiled, Loop};
use crate::{DType, Element, View, ViewMut};
use num_complex::Complex;
use std::marker::PhantomData;
use std::ops::{Add, Mul, Sub};

/// Lines that are filtered together, so that the latency of one recursion is filled with the others.
const LANES: usize = 8;

/// Nanoseconds per product of a line among others.
const PRODUCT_NS: f64 = 1.0;

/// Samples from which on a line without seven others is filtered in blocks of about `BLOCK`.
const LONG: usize = 1 << 15;
const BLOCK: usize = 1 << 11;

/// The largest element of the matrix that carries a state over a block; beyond, the filter is not stable.
const GROWTH: f64 = 1e6;

/// `dst[t] = x[t] - sum_k a[s][k - 1] dst[t - k]`, k from 1 to the last axis of `a`, values before the first sample 0; from
/// the last sample to the first with `reverse`, where `t + k` takes the place of `t - k`.
///
/// The place s of the coefficients is 0 if `a` has one, `t`, or with `delayed` that of the sample they multiply. `a` is
/// (..., 1 or n, order), `x` and `dst` are (..., n), of one inexact dtype.
pub fn allpole(a: &View, x: &View, reverse: bool, delayed: bool, dst: &mut ViewMut) {
    match dst.dtype() {
        DType::F32 => lines::<f32>(a, x, reverse, delayed, dst),
        DType::F64 => lines::<f64>(a, x, reverse, delayed, dst),
        DType::C64 => lines::<Complex<f32>>(a, x, reverse, delayed, dst),
        DType::C128 => lines::<Complex<f64>>(a, x, reverse, delayed, dst),
        d => unreachable!("a filter of {}", d.name()),
    }
}

/// Pointers that threads share, strides along the axis, and the lengths; each line is touched by one thread.
#[derive(Clone, Copy)]
struct Filter<T> {
    a: *const T,
    x: *const T,
    y: *mut T,
    /// Of the coefficients along time (0 if constant) and along the order, of the input and of the output.
    step: [isize; 4],
    n: usize,
    order: usize,
    reverse: bool,
    delayed: bool,
}
// SAFETY: different lines are different elements of `y`.
unsafe impl<T> Sync for Filter<T> {}

/// States of blocks, one for each.
struct States<T, const K: usize>(*mut [T; K]);
// SAFETY: different blocks are different elements.
unsafe impl<T, const K: usize> Sync for States<T, K> {}

/// The arguments of a loop over samples.
struct Part<T, const K: usize, const L: usize> {
    filter: Filter<T>,
    at: [[isize; 3]; L],
    n: usize,
    past: [[T; L]; K],
}

struct Constant<T, const K: usize, const L: usize, const STORE: bool>(PhantomData<T>);

impl<T: Number, const K: usize, const L: usize, const STORE: bool> Loop for Constant<T, K, L, STORE> {
    type Args = Part<T, K, L>;
    type Output = [[T; L]; K];
    #[inline(always)]
    unsafe fn run(part: &Part<T, K, L>) -> [[T; L]; K] {
        let Part { filter, at, n, mut past } = *part;
        let sign = if filter.reverse { -1 } else { 1 };
        let mut a = [[T::default(); L]; K];
        for k in 0..K {
            for l in 0..L {
                // SAFETY: the contract of `Filter::constant`.
                a[k][l] = unsafe { *filter.a.offset(at[l][0] + k as isize * filter.step[1]) };
            }
        }
        for i in 0..n as isize {
            let t = sign * i;
            let mut y = [T::default(); L];
            for l in 0..L {
                // SAFETY: as above.
                y[l] = unsafe { *filter.x.offset(at[l][1] + t * filter.step[2]) };
            }
            // The newest last: it is the one that is waited for.
            for k in (0..K).rev() {
                for l in 0..L {
                    y[l] = y[l] - a[k][l] * past[k][l];
                }
            }
            for k in (1..K).rev() {
                past[k] = past[k - 1];
            }
            past[0] = y;
            if STORE {
                for l in 0..L {
                    // SAFETY: as above.
                    unsafe { *filter.y.offset(at[l][2] + t * filter.step[3]) = y[l] };
                }
            }
        }
        past
    }
}

trait Number: Element + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    const ONE: Self;
    /// The sum of the absolute parts, nan if one is.
    fn size(self) -> f64;
}

macro_rules! number {
    ($($t:ty),*) => { $(
        impl Number for $t {
            const ONE: Self = 1.0;
            fn size(self) -> f64 {
                self.abs() as f64
            }
        }
        impl Number for Complex<$t> {
            const ONE: Self = Complex::new(1.0, 0.0);
            fn size(self) -> f64 {
                (self.re.abs() + self.im.abs()) as f64
            }
        }
    )* };
}
number!(f32, f64);

impl<T: Number> Filter<T> {
    /// Filters `L` lines that start at these offsets.
    ///
    /// # Safety
    /// The offsets, and `n` and `order` steps along them, stay within the views that the pointers came from.
    unsafe fn run<const L: usize>(&self, start: &[[isize; 3]]) {
        let at: [[isize; 3]; L] = std::array::from_fn(|l| start[l]);
        // SAFETY: the caller's contract; the loops keep to `n` and `order`.
        unsafe {
            match (self.step[0] == 0, self.order) {
                (true, 1) => self.whole::<1, L>(&at),
                (true, 2) => self.whole::<2, L>(&at),
                (true, 3) => self.whole::<3, L>(&at),
                (true, 4) => self.whole::<4, L>(&at),
                (true, 5) => self.whole::<5, L>(&at),
                (true, 6) => self.whole::<6, L>(&at),
                (true, 7) => self.whole::<7, L>(&at),
                (true, 8) => self.whole::<8, L>(&at),
                _ => self.general(&at),
            }
        }
    }

    fn time(&self, i: usize) -> isize {
        (if self.reverse { self.n - 1 - i } else { i }) as isize
    }

    /// # Safety
    /// As of `run`; the order is `K`.
    unsafe fn whole<const K: usize, const L: usize>(&self, at: &[[isize; 3]; L]) {
        // SAFETY: the caller's contract.
        unsafe {
            if L == 1 && self.n >= LONG && self.in_blocks::<K>(at[0]) {
                return;
            }
            self.constant::<K, L, true>(&at.map(|start| self.later(start, 0)), self.n, [[T::default(); L]; K]);
        }
    }

    /// The offsets of sample `i` of a line.
    fn later(&self, [a, x, y]: [isize; 3], i: usize) -> [isize; 3] {
        let t = self.time(i);
        [a, x + t * self.step[2], y + t * self.step[3]]
    }

    /// Filters a long line in blocks, side by side: first from rest for the state that each leaves behind, then from the
    /// states that the matrix of the free recursion carries over from block to block. Each sample is a step of
    /// the recursion itself. False, and nothing done, if that matrix is large or a state is not finite.
    ///
    /// # Safety
    /// As of `run`; the order is `K`.
    unsafe fn in_blocks<const K: usize>(&self, start: [isize; 3]) -> bool {
        let groups = self.n / (LANES * BLOCK);
        let count = groups * LANES;
        // Odd, so that the blocks do not fall on the same cache sets.
        let m = (self.n / count - 1) | 1;
        let zero = T::default();
        let free = Filter { x: &raw const zero, step: [0, self.step[1], 0, 0], reverse: false, ..*self };
        let units = std::array::from_fn(|k| std::array::from_fn(|l| if k == l { T::ONE } else { zero }));
        // SAFETY: the input is one element; nothing is stored.
        let carry = unsafe { free.constant::<K, LANES, false>(&[[start[0], 0, 0]; LANES], m, units) };
        if !carry.iter().all(|row| row[..K].iter().all(|c| c.size() <= GROWTH)) {
            return false;
        }
        let mut states = vec![[zero; K]; count];
        let shared = States(states.as_mut_ptr());
        let min = (MIN_TASK_NS / (PRODUCT_NS * (m * (K + 1) * LANES) as f64)).ceil() as usize;
        let at = |group: usize| std::array::from_fn(|l| self.later(start, (group * LANES + l) * m));
        parallel_for(groups, min, |range| {
            let shared = &shared;
            for group in range {
                // SAFETY: blocks are parts of the line; this group's states are not in use elsewhere.
                unsafe {
                    let end = self.constant::<K, LANES, false>(&at(group), m, [[zero; LANES]; K]);
                    for l in 0..LANES {
                        *shared.0.add(group * LANES + l) = std::array::from_fn(|k| end[k][l]);
                    }
                }
            }
        });
        let mut state = [zero; K];
        for place in &mut states {
            let end = std::mem::replace(place, state);
            state = std::array::from_fn(|k| (0..K).fold(end[k], |sum, l| sum + carry[k][l] * state[l]));
            if !state.iter().all(|s| s.size() < f64::INFINITY) {
                return false;
            }
        }
        let shared = States(states.as_mut_ptr());
        parallel_for(groups, min, |range| {
            let shared = &shared;
            for group in range {
                // SAFETY: as above, and the blocks are different elements of the output.
                unsafe {
                    let begin = std::array::from_fn(|k| std::array::from_fn(|l| (*shared.0.add(group * LANES + l))[k]));
                    self.constant::<K, LANES, true>(&at(group), m, begin);
                }
            }
        });
        if count * m < self.n {
            // SAFETY: the rest of the line.
            unsafe {
                self.constant::<K, 1, true>(&[self.later(start, count * m)], self.n - count * m, state.map(|s| [s]));
            }
        }
        true
    }

    /// `n` samples of `L` lines that go on from these offsets after the values `past`, newest first; returns those at the end.
    ///
    /// # Safety
    /// As of `run`; the order is `K`. Without `STORE` the output is not touched.
    unsafe fn constant<const K: usize, const L: usize, const STORE: bool>(
        &self,
        at: &[[isize; 3]; L],
        n: usize,
        past: [[T; L]; K],
    ) -> [[T; L]; K] {
        let compiled = const { Compiled::new::<Constant<T, K, L, STORE>>() };
        // SAFETY: the caller's contract.
        unsafe { compiled.call(&Part { filter: *self, at: *at, n, past }) }
    }

    /// # Safety
    /// As of `run`.
    unsafe fn general<const L: usize>(&self, at: &[[isize; 3]; L]) {
        let back = if self.reverse { 1 } else { -1 };
        for i in 0..self.n {
            let t = self.time(i);
            // SAFETY: the caller's contract; `t + k * back` is the place of a sample for k up to i.
            unsafe {
                let mut y: [T; L] = std::array::from_fn(|l| *self.x.offset(at[l][1] + t * self.step[2]));
                for k in (1..=self.order.min(i) as isize).rev() {
                    let source = t + k * back;
                    let place = if self.delayed { source } else { t };
                    for l in 0..L {
                        let a = *self.a.offset(at[l][0] + place * self.step[0] + (k - 1) * self.step[1]);
                        y[l] = y[l] - a * *self.y.offset(at[l][2] + source * self.step[3]);
                    }
                }
                for l in 0..L {
                    *self.y.offset(at[l][2] + t * self.step[3]) = y[l];
                }
            }
        }
    }
}

fn lines<T: Number>(a: &View, x: &View, reverse: bool, delayed: bool, dst: &mut ViewMut) {
    let shape = dst.shape();
    let d = shape.len() - 1;
    let (n, order) = (shape[d], a.shape()[d + 1]);
    assert!(x.shape() == shape && a.ndim() == d + 2 && a.shape()[..d] == shape[..d]);
    assert!(a.shape()[d] == n || a.shape()[d] == 1);
    assert!(a.dtype() == T::DTYPE && x.dtype() == T::DTYPE);
    if dst.size() == 0 {
        return;
    }
    let strides = [a.strides(), x.strides(), dst.strides()];
    let along = if a.shape()[d] == 1 { 0 } else { strides[0][d] };
    let step = [along, strides[0][d + 1], strides[1][d], strides[2][d]];
    let (a, x, y) = (a.ptr().cast(), x.ptr().cast(), dst.ptr().cast());
    let filter = Filter::<T> { a, x, y, step, n, order, reverse, delayed };
    let count = dst.size() / n;
    let blocks = count.div_ceil(LANES);
    let min = (MIN_TASK_NS / (PRODUCT_NS * (n * (order + 1) * LANES) as f64)).ceil() as usize;
    parallel_for(blocks, min, |range| {
        let filter = &filter;
        for block in range {
            let lines = block * LANES..((block + 1) * LANES).min(count);
            let mut starts = [[0isize; 3]; LANES];
            for (start, line) in starts.iter_mut().zip(lines.clone()) {
                let mut rest = line;
                for i in (0..d).rev() {
                    let at = (rest % shape[i]) as isize;
                    rest /= shape[i];
                    for k in 0..3 {
                        start[k] += at * strides[k][i];
                    }
                }
            }
            // SAFETY: each start is an index of the views with 0 along the axes that `run` walks.
            unsafe {
                if lines.len() == LANES {
                    filter.run::<LANES>(&starts);
                } else {
                    starts[..lines.len()].chunks(1).for_each(|s| filter.run::<1>(s));
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MOST;

    /// The definition, for contiguous lines.
    fn expected(a: &[f64], x: &[f64], n: usize, order: usize, flags: (bool, bool), changing: bool) -> Vec<f64> {
        let (reverse, delayed) = flags;
        let mut y = vec![0.0; x.len()];
        for line in 0..x.len() / n {
            let size = if changing { n * order } else { order };
            for i in 0..n {
                let t = if reverse { n - 1 - i } else { i };
                let mut value = x[line * n + t];
                for k in (1..=order.min(i)).rev() {
                    let source = if reverse { t + k } else { t - k };
                    let place = if !changing {
                        0
                    } else if delayed {
                        source
                    } else {
                        t
                    };
                    value -= a[line * size + place * order + k - 1] * y[line * n + source];
                }
                y[line * n + t] = value;
            }
        }
        y
    }

    fn filtered(a: &[f64], x: &[f64], reverse: bool) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        let (ash, ast, shape) = ([1, a.len()], [a.len() as isize, 1], [x.len()]);
        // SAFETY: the vectors hold all elements of the shapes.
        unsafe {
            let av = View::new(a.as_ptr().cast(), DType::F64, &ash, &ast);
            let xv = View::new(x.as_ptr().cast(), DType::F64, &shape, &[1]);
            let mut dst = ViewMut::new(y.as_mut_ptr().cast(), DType::F64, &shape, &[1]);
            allpole(&av, &xv, reverse, false, &mut dst);
        }
        y
    }

    /// A denominator without its leading 1 whose roots are these pairs and numbers.
    fn from_roots(pairs: &[(f64, f64)], single: &[f64]) -> Vec<f64> {
        let factors = pairs.iter().map(|(r, t)| vec![1.0, -2.0 * r * t.cos(), r * r]);
        let product = factors.chain(single.iter().map(|r| vec![1.0, -r])).fold(vec![1.0], |p: Vec<f64>, f| {
            let mut q = vec![0.0; p.len() + f.len() - 1];
            (0..p.len()).for_each(|i| (0..f.len()).for_each(|j| q[i + j] += p[i] * f[j]));
            q
        });
        product[1..].to_vec()
    }

    #[test]
    fn blocks_of_a_long_line_are_as_accurate_as_the_recursion() {
        let n = 2 * LONG + 777;
        let x: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1009) as f64 / 504.0 - 1.0).collect();
        let mut backwards = x.clone();
        backwards.reverse();
        for a in [
            from_roots(&[], &[0.9]),
            from_roots(&[], &[1.0]),
            from_roots(&[], &[1.0, 1.0]),
            from_roots(&[(0.99999, 0.3)], &[]),
            from_roots(&[(1.0, 1e-3)], &[]),
            from_roots(&[(0.995, 0.1), (0.9, 2.0)], &[0.99]),
            from_roots(&[(0.99, 0.01), (0.98, 0.02), (0.97, 0.03)], &[]),
            from_roots(&[(0.9, 0.1), (0.8, 0.5), (0.7, 1.0), (0.6, 1.5)], &[]),
        ] {
            // The recursion in numbers of twice the digits.
            let mut exact = vec![(0.0f64, 0.0f64); n];
            for t in 0..n {
                let (mut hi, mut lo) = (x[t], 0.0);
                for k in 1..=a.len().min(t) {
                    let (p, y) = (-a[k - 1], exact[t - k]);
                    let product = p * y.0;
                    let error = p.mul_add(y.0, -product) + p * y.1;
                    let sum = hi + product;
                    let part = sum - hi;
                    lo += (hi - (sum - part)) + (product - part) + error;
                    hi = sum;
                }
                exact[t] = (hi + lo, lo - ((hi + lo) - hi));
            }
            let distance = |y: &[f64]| y.iter().zip(&exact).map(|(y, e)| (y - e.0).abs()).fold(0.0, f64::max);
            let scale = exact.iter().map(|e| e.0.abs()).fold(0.0, f64::max);
            let plain = distance(&expected(&a, &x, n, a.len(), (false, false), false));
            let got = filtered(&a, &x, false);
            assert!(distance(&got) <= 4.0 * plain + 1e-15 * scale, "{a:?}: {} {plain} {scale}", distance(&got));
            let mut other = filtered(&a, &backwards, true);
            other.reverse();
            assert_eq!(got, other);
            crate::linalg::testing::bits_on_every_thread_count(|| filtered(&a, &x, false));
        }
    }

    #[test]
    fn long_lines_that_grow_or_are_not_finite_follow_the_recursion() {
        let n = 2 * LONG;
        let mut x: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1009) as f64 / 504.0 - 1.0).collect();
        let growing = from_roots(&[(1.01, 0.3)], &[]);
        assert!(
            filtered(&growing, &x, false)
                .iter()
                .zip(expected(&growing, &x, n, 2, (false, false), false))
                .all(|(y, e)| y.to_bits() == e.to_bits() || (y.is_nan() && e.is_nan()))
        );
        x[n / 3] = f64::INFINITY;
        assert_eq!(filtered(&[-0.5], &x, false), expected(&[-0.5], &x, n, 1, (false, false), false));
        x[n / 3] = f64::NAN;
        let y = filtered(&[-0.5], &x, false);
        assert!(y[..n / 3].iter().all(|v| v.is_finite()) && y[n / 3..].iter().all(|v| v.is_nan()));
    }

    #[test]
    fn follows_the_definition() {
        let (sizes, orders) = ([(1usize, 1usize), (3, 7), (8, 5), (19, 6)], [0usize, 1, 2, 3, 4, 5, 8, 9]);
        for (count, n) in sizes.into_iter().filter(|s| s.0 * s.1 <= MOST) {
            for order in orders.into_iter().filter(|&k| k <= MOST / 10) {
                for flags in [(false, false), (true, false), (false, true), (true, true)] {
                    for changing in [false, true] {
                        let places = if changing { n } else { 1 };
                        let a: Vec<f64> =
                            (0..count * places * order).map(|i| ((i * 7) % 11) as f64 / 16.0 - 0.3).collect();
                        let x: Vec<f64> = (0..count * n).map(|i| ((i * 5) % 13) as f64 - 6.0).collect();
                        let mut y = vec![0.0; count * n];
                        let (ash, ast) = ([count, places, order], [(places * order) as isize, order as isize, 1isize]);
                        let (xsh, xst) = ([count, n], [n as isize, 1isize]);
                        // SAFETY: the vectors hold all elements of the shapes.
                        unsafe {
                            let av = View::new(a.as_ptr().cast(), DType::F64, &ash, &ast);
                            let xv = View::new(x.as_ptr().cast(), DType::F64, &xsh, &xst);
                            let mut dst = ViewMut::new(y.as_mut_ptr().cast(), DType::F64, &xsh, &xst);
                            allpole(&av, &xv, flags.0, flags.1, &mut dst);
                        }
                        assert_eq!(y, expected(&a, &x, n, order, flags, changing), "{count} {n} {order} {flags:?}");
                    }
                }
            }
        }
    }
}
