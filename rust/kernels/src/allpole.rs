//! Recursive filters: linear recurrences of any order along the last axis, with constant or changing coefficients.
#![allow(unsafe_code)]

use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::walk::{Compiled, Loop};
use crate::{DType, Element, View, ViewMut};
use num_complex::Complex;
use std::marker::PhantomData;
use std::ops::{Mul, Sub};

/// Lines that are filtered together, so that the latency of one recursion is filled with the others.
const LANES: usize = 8;

/// Nanoseconds per product of a line among others.
const PRODUCT_NS: f64 = 1.0;

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

/// The loop over samples of `L` lines with `K` coefficients that do not change.
struct Constant<T, const K: usize, const L: usize>(PhantomData<T>);

impl<T: Copy + Default + Sub<Output = T> + Mul<Output = T>, const K: usize, const L: usize> Loop for Constant<T, K, L> {
    type Args = (Filter<T>, [[isize; 3]; L]);
    type Output = ();
    #[inline(always)]
    unsafe fn run((filter, at): &Self::Args) {
        let mut a = [[T::default(); L]; K];
        for k in 0..K {
            for l in 0..L {
                // SAFETY: the contract of `Filter::run`.
                a[k][l] = unsafe { *filter.a.offset(at[l][0] + k as isize * filter.step[1]) };
            }
        }
        let mut past = [[T::default(); L]; K];
        for i in 0..filter.n {
            let t = filter.time(i);
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
            for l in 0..L {
                // SAFETY: as above.
                unsafe { *filter.y.offset(at[l][2] + t * filter.step[3]) = y[l] };
            }
        }
    }
}

impl<T: Copy + Default + Sub<Output = T> + Mul<Output = T>> Filter<T> {
    /// Filters `L` lines that start at these offsets.
    ///
    /// # Safety
    /// The offsets, and `n` and `order` steps along them, stay within the views that the pointers came from.
    unsafe fn run<const L: usize>(&self, start: &[[isize; 3]]) {
        let at: [[isize; 3]; L] = std::array::from_fn(|l| start[l]);
        // SAFETY: the caller's contract; the loops keep to `n` and `order`.
        unsafe {
            match (self.step[0] == 0, self.order) {
                (true, 1) => self.constant::<1, L>(&at),
                (true, 2) => self.constant::<2, L>(&at),
                (true, 3) => self.constant::<3, L>(&at),
                (true, 4) => self.constant::<4, L>(&at),
                (true, 5) => self.constant::<5, L>(&at),
                (true, 6) => self.constant::<6, L>(&at),
                (true, 7) => self.constant::<7, L>(&at),
                (true, 8) => self.constant::<8, L>(&at),
                _ => self.general(&at),
            }
        }
    }

    fn time(&self, i: usize) -> isize {
        (if self.reverse { self.n - 1 - i } else { i }) as isize
    }

    /// # Safety
    /// As of `run`; the order is `K`.
    unsafe fn constant<const K: usize, const L: usize>(&self, at: &[[isize; 3]; L]) {
        let compiled = const { Compiled::new::<Constant<T, K, L>>() };
        // SAFETY: the caller's contract.
        unsafe { compiled.call(&(*self, *at)) }
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

fn lines<T>(a: &View, x: &View, reverse: bool, delayed: bool, dst: &mut ViewMut)
where
    T: Element + Sub<Output = T> + Mul<Output = T>,
{
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

    #[test]
    fn follows_the_definition() {
        let sizes = [(1usize, 1usize), (3, 7), (8, 5), (19, 6)];
        for (count, n) in sizes.into_iter().filter(|s| s.0 * s.1 / 2 <= MOST) {
            for order in (0..10usize).filter(|&k| k <= MOST / 4) {
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
