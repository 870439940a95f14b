//! Sums of products of two sequences along the last axis: convolutions, directly.
#![allow(unsafe_code)]

use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::walk::{Compiled, Loop};
use crate::{DType, Element, View, ViewMut};
use num_complex::Complex;
use std::marker::PhantomData;
use std::ops::{Add, Mul};

/// Sums that are accumulated side by side.
const WIDTH: usize = 16;

/// Results that one task computes at a time, a multiple of `WIDTH`.
const BLOCK: usize = 2048;

/// Nanoseconds per product.
const PRODUCT_NS: f64 = 0.2;

/// `dst[t] = sum_j b[j] x[t + offset - j]` along the last axis, x being 0 outside its range. All are of one inexact dtype and
/// the same leading axes. The order of the sums depends on the lengths alone.
pub fn fir(b: &View, x: &View, offset: isize, dst: &mut ViewMut) {
    match dst.dtype() {
        DType::F32 => lines::<f32>(b, x, offset, dst),
        DType::F64 => lines::<f64>(b, x, offset, dst),
        DType::C64 => lines::<Complex<f32>>(b, x, offset, dst),
        DType::C128 => lines::<Complex<f64>>(b, x, offset, dst),
        d => unreachable!("a convolution of {}", d.name()),
    }
}

/// `y[t] = sum_i b[i] x[t + i]` for `n` results.
struct Block<T> {
    b: *const T,
    taps: usize,
    x: *const T,
    y: *mut T,
    n: usize,
}

struct Sums<T>(PhantomData<T>);

impl<T: Copy + Default + Add<Output = T> + Mul<Output = T>> Loop for Sums<T> {
    type Args = Block<T>;
    type Output = ();
    #[inline(always)]
    unsafe fn run(block: &Block<T>) {
        let Block { taps, n, .. } = *block;
        // SAFETY: `taps` coefficients, `n` results and `n + taps - 1` samples.
        let (b, x, y) = unsafe {
            let samples = if n == 0 { 0 } else { n + taps - 1 };
            let x = std::slice::from_raw_parts(block.x, samples);
            (std::slice::from_raw_parts(block.b, taps), x, std::slice::from_raw_parts_mut(block.y, n))
        };
        if n >= WIDTH {
            let mut t = 0;
            loop {
                let mut sums = [T::default(); WIDTH];
                for i in 0..taps {
                    let x = &x[t + i..][..WIDTH];
                    for l in 0..WIDTH {
                        sums[l] = sums[l] + b[i] * x[l];
                    }
                }
                y[t..t + WIDTH].copy_from_slice(&sums);
                if t + WIDTH == n {
                    return;
                }
                // The last ones overlap those before.
                t = (t + WIDTH).min(n - WIDTH);
            }
        }
        for t in 0..n {
            let x = &x[t..t + taps];
            let mut sums = [T::default(); WIDTH];
            let whole = taps - taps % WIDTH;
            for (b, x) in b[..whole].chunks_exact(WIDTH).zip(x.chunks_exact(WIDTH)) {
                for l in 0..WIDTH {
                    sums[l] = sums[l] + b[l] * x[l];
                }
            }
            let rest = (whole..taps).fold(T::default(), |sum, i| sum + b[i] * x[i]);
            y[t] = sums.iter().fold(rest, |sum, &s| sum + s);
        }
    }
}

/// Addresses that threads share; each block of the output is written by one.
struct Shared<T> {
    b: *const T,
    x: *const T,
    y: *mut T,
}
// SAFETY: different blocks are different elements of `y`.
unsafe impl<T> Sync for Shared<T> {}

fn lines<T>(b: &View, x: &View, offset: isize, dst: &mut ViewMut)
where
    T: Element + Add<Output = T> + Mul<Output = T>,
{
    let shape = dst.shape();
    let d = shape.len() - 1;
    assert!(b.shape()[..d] == shape[..d] && x.shape()[..d] == shape[..d]);
    assert!(b.dtype() == T::DTYPE && x.dtype() == T::DTYPE);
    if dst.size() == 0 {
        return;
    }
    let (taps, n, m) = (b.shape()[d], x.shape()[d], shape[d]);
    let strides = [b.strides(), x.strides(), dst.strides()];
    let shared = Shared { b: b.ptr().cast::<T>(), x: x.ptr().cast(), y: dst.ptr().cast() };
    let per_line = m.div_ceil(BLOCK);
    let min = (MIN_TASK_NS / (1.0 + PRODUCT_NS * (m.min(BLOCK) * (taps + 4)) as f64)).ceil() as usize;
    let compiled = const { Compiled::new::<Sums<T>>() };
    parallel_for(dst.size() / m * per_line, min, |range| {
        let shared = &shared;
        // Coefficients backwards, samples and results, where they do not lie in order.
        let mut turned: Vec<T> = vec![T::default(); taps];
        let (mut samples, mut results): (Vec<T>, Vec<T>) = (Vec::new(), Vec::new());
        let mut of_line = usize::MAX;
        for task in range {
            let (line, first) = (task / per_line, task % per_line * BLOCK);
            let (mut rest, mut start) = (line, [0isize; 3]);
            for i in (0..d).rev() {
                let at = (rest % shape[i]) as isize;
                rest /= shape[i];
                (0..3).for_each(|k| start[k] += at * strides[k][i]);
            }
            // SAFETY: `start` is an index of the views with 0 along the last axis, along which all indices are in range.
            unsafe {
                if of_line != line {
                    of_line = line;
                    for (j, b) in turned.iter_mut().rev().enumerate() {
                        *b = *shared.b.offset(start[0] + j as isize * strides[0][d]);
                    }
                }
                let count = BLOCK.min(m - first);
                // Of the samples that the block reads, the place of the first.
                let low = first as isize + offset - (taps as isize - 1);
                let needed = count + taps - 1;
                let inside = low >= 0 && low as usize + needed <= n;
                let x = if inside && strides[1][d] == 1 {
                    shared.x.offset(start[1] + low)
                } else {
                    samples.clear();
                    samples.extend((low..low + needed as isize).map(|i| {
                        if i >= 0 && (i as usize) < n {
                            *shared.x.offset(start[1] + i * strides[1][d])
                        } else {
                            T::default()
                        }
                    }));
                    samples.as_ptr()
                };
                let along = strides[2][d];
                let to = shared.y.offset(start[2] + first as isize * along);
                if along == 1 {
                    compiled.call(&Block { b: turned.as_ptr(), taps, x, y: to, n: count });
                } else {
                    results.resize(count, T::default());
                    compiled.call(&Block { b: turned.as_ptr(), taps, x, y: results.as_mut_ptr(), n: count });
                    (0..count).for_each(|t| *to.offset(t as isize * along) = results[t]);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::{Owned, bits_on_every_thread_count, random};
    use crate::testing::MOST;

    #[test]
    fn equals_the_sum_in_every_layout() {
        let sizes = [(1usize, 1usize), (3, 5), (5, 3), (20, 100), (100, 20), (4, 5000)];
        for (i, (taps, n)) in sizes.into_iter().filter(|s| s.0.max(s.1) <= MOST).enumerate() {
            for (offset, m) in [(0isize, n + taps - 1), (taps as isize - 1, n), (-3, 4), (2, 40), (9000, 2)] {
                let b = random::<f64>(&[2, 3, taps], 1).laid_out(i % 4);
                let x = random::<f64>(&[2, 3, n], 2).laid_out((i + 1) % 4);
                let mut got = Owned::<f64>::new(&[2, 3, m]).laid_out((i + m) % 4);
                fir(&b.view(), &x.view(), offset, &mut got.view_mut());
                let (b, x, got) = (b.values(), x.values(), got.values());
                for (line, t) in (0..6).flat_map(|line| (0..m).map(move |t| (line, t))) {
                    let sample = |i: isize| if i < 0 || i >= n as isize { 0.0 } else { x[line * n + i as usize] };
                    let want: f64 =
                        (0..taps).map(|j| b[line * taps + j] * sample(t as isize + offset - j as isize)).sum();
                    assert!((got[line * m + t] - want).abs() < 1e-13, "{taps} {n} {offset} {m}");
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too much work for miri")]
    fn no_bit_depends_on_the_number_of_threads() {
        let (b, x) = (random::<f32>(&[1, 40], 1), random::<f32>(&[1, 100_000], 2));
        bits_on_every_thread_count(|| {
            let mut y = Owned::<f32>::new(&[1, 100_039]);
            fir(&b.view(), &x.view(), 0, &mut y.view_mut());
            y.data
        });
    }
}
