//! Sums of products of two sequences along the last axis: convolutions, directly.
#![allow(unsafe_code)]

use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::walk::{self, Compiled, Loop};
use crate::{DType, Element, View, ViewMut};
use num_complex::Complex;
use std::marker::PhantomData;
use std::ops::{Add, Mul};

/// Sums that are accumulated side by side.
const WIDTH: usize = 16;

/// Results that one task computes at a time, a multiple of `WIDTH`.
const BLOCK: usize = 2048;

/// Of few results, how many are summed side by side (with a fourth one the sums no longer stay in registers), the lanes of
/// each sum, and the products that one task adds up at a time.
const TOGETHER: usize = 3;
const LANES: usize = 8;
const CHUNK: usize = 8192;

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

/// `y[k] = sum_i b[i + K - 1 - k] x[i]` for k < K over `n` products; `taps` is not used.
struct Dots<T, const K: usize>(PhantomData<T>);

impl<T: Copy + Default + Add<Output = T> + Mul<Output = T>, const K: usize> Loop for Dots<T, K> {
    type Args = Block<T>;
    type Output = ();
    #[inline(always)]
    unsafe fn run(block: &Block<T>) {
        let n = block.n;
        // SAFETY: `n` samples, `n + K - 1` coefficients and `K` results.
        let (b, x, y) = unsafe {
            let b = std::slice::from_raw_parts(block.b, n + K - 1);
            (b, std::slice::from_raw_parts(block.x, n), std::slice::from_raw_parts_mut(block.y, K))
        };
        let mut sums = [[T::default(); LANES]; K];
        let whole = n - n % LANES;
        for i in (0..whole).step_by(LANES) {
            let x = &x[i..][..LANES];
            for k in 0..K {
                let b = &b[i + K - 1 - k..][..LANES];
                for l in 0..LANES {
                    sums[k][l] = sums[k][l] + b[l] * x[l];
                }
            }
        }
        for k in 0..K {
            let rest = (whole..n).fold(T::default(), |sum, i| sum + b[i + K - 1 - k] * x[i]);
            y[k] = sums[k].iter().fold(rest, |sum, &s| sum + s);
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
    if shape[d] < WIDTH {
        return few::<T>(b, x, offset, dst);
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
            let start = origin(line, &shape[..d], strides);
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

/// Where a line begins in each operand.
fn origin(line: usize, shape: &[usize], strides: [&[isize]; 3]) -> [isize; 3] {
    let (mut rest, mut start) = (line, [0isize; 3]);
    for (i, &n) in shape.iter().enumerate().rev() {
        let at = (rest % n) as isize;
        rest /= n;
        (0..3).for_each(|k| start[k] += at * strides[k][i]);
    }
    start
}

/// The elements `range` of a line: where they are if they lie in order, else a copy.
///
/// # Safety
/// The range of a line of this stride is readable.
unsafe fn in_order<T: Copy>(
    line: *const T,
    stride: isize,
    range: std::ops::Range<isize>,
    copy: &mut Vec<T>,
) -> *const T {
    // SAFETY: the caller's contract.
    unsafe {
        if stride == 1 {
            return line.offset(range.start);
        }
        copy.clear();
        copy.extend(range.map(|i| *line.offset(i * stride)));
        copy.as_ptr()
    }
}

/// `lines` of fewer than `WIDTH` results: sums over the samples, in chunks, of several results side by side. Only products of
/// elements that exist are added.
fn few<T>(b: &View, x: &View, offset: isize, dst: &mut ViewMut)
where
    T: Element + Add<Output = T> + Mul<Output = T>,
{
    let shape = dst.shape();
    let d = shape.len() - 1;
    let (taps, n, m) = (b.shape()[d] as isize, x.shape()[d] as isize, shape[d]);
    let strides = [b.strides(), x.strides(), dst.strides()];
    let shared = Shared { b: b.ptr().cast::<T>(), x: x.ptr().cast(), y: dst.ptr().cast() };
    // With the coefficients backwards, sample i meets the coefficient i + shift(t) in the result t, for these i.
    let shift = |t: usize| taps - 1 - offset - t as isize;
    let low = |t: usize| (-shift(t)).clamp(0, n);
    let high = |t: usize| (taps - shift(t)).clamp(low(t), n);
    let (first, last) = (low(0), high(m - 1));
    let chunks = ((last - first).max(1) as usize).div_ceil(CHUNK);
    let count = dst.size() / m;
    let mut partial = vec![T::default(); count * chunks * m];
    let sums = walk::Shared(partial.as_mut_ptr());
    let min =
        (MIN_TASK_NS / (1.0 + PRODUCT_NS * ((last - first).min(CHUNK as isize) * (m as isize + 4)) as f64)).ceil();
    let compiled =
        const { [Compiled::new::<Dots<T, 1>>(), Compiled::new::<Dots<T, 2>>(), Compiled::new::<Dots<T, TOGETHER>>()] };
    parallel_for(count * chunks, min as usize, |range| {
        let (shared, sums) = (&shared, &sums);
        let (mut coefficients, mut samples): (Vec<T>, Vec<T>) = (Vec::new(), Vec::new());
        for task in range {
            let (line, chunk) = (task / chunks, (task % chunks * CHUNK) as isize);
            let start = origin(line, &shape[..d], strides);
            let (from, to) = (first + chunk, (first + chunk + CHUNK as isize).min(last));
            // The coefficients that these samples meet.
            let (least, most) = ((from + shift(m - 1)).max(0), (to + shift(0)).min(taps));
            if from >= to || least >= most {
                continue;
            }
            // SAFETY: `start` is an index of the views with 0 along the last axis, along which all indices are in range: of
            // samples from `from` to `to`, and of coefficients, counted from the end, from `least` to `most`. Each task has
            // its own part of `partial`.
            unsafe {
                let end = shared.b.offset(start[0] + (taps - 1) * strides[0][d]);
                let b = in_order(end, -strides[0][d], least..most, &mut coefficients);
                let x = in_order(shared.x.offset(start[1]), strides[1][d], from..to, &mut samples);
                for t in (0..m).step_by(TOGETHER) {
                    let together = TOGETHER.min(m - t);
                    let mut out = [T::default(); TOGETHER];
                    // Samples that all of these results read.
                    let a = low(t + together - 1).clamp(from, to);
                    let z = high(t).clamp(a, to);
                    if a < z {
                        let b = b.offset(a + shift(t + together - 1) - least);
                        let block =
                            Block { b, taps: 0, x: x.offset(a - from), y: out.as_mut_ptr(), n: (z - a) as usize };
                        compiled[together - 1].call(&block);
                    }
                    for (k, out) in out[..together].iter_mut().enumerate() {
                        let t = t + k;
                        let ends = (low(t).max(from)..a.min(high(t))).chain(z..high(t).min(to));
                        let rest = ends
                            .fold(T::default(), |sum, i| sum + *b.offset(i + shift(t) - least) * *x.offset(i - from));
                        sums.write(task * m + t, *out + rest);
                    }
                }
            }
        }
    });
    for line in 0..count {
        let start = origin(line, &shape[..d], strides)[2];
        for t in 0..m {
            let parts = (0..chunks).map(|c| partial[(line * chunks + c) * m + t]);
            // SAFETY: an index of the view.
            unsafe {
                *shared.y.offset(start + t as isize * strides[2][d]) = parts.fold(T::default(), |sum, v| sum + v)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::{Owned, bits_on_every_thread_count, random};
    use crate::testing::MOST;

    #[test]
    fn equals_the_sum_in_every_layout() {
        let sizes = [(1usize, 1usize), (3, 5), (5, 3), (20, 100), (100, 20), (4, 5000), (9000, 9003)];
        for (i, (taps, n)) in sizes.into_iter().filter(|s| s.0.max(s.1) <= MOST).enumerate() {
            let all = [(0isize, n + taps - 1), (taps as isize - 1, n), (-3, 4), (2, 40), (9000, 2), (8998, 15), (2, 6)];
            for (offset, m) in all.into_iter().filter(|s| s.1 * taps < 200_000) {
                let b = random::<f64>(&[2, 3, taps], 1).laid_out(i % 4);
                let x = random::<f64>(&[2, 3, n], 2).laid_out((i + 1) % 4);
                let mut got = Owned::<f64>::new(&[2, 3, m]).laid_out((i + m) % 4);
                fir(&b.view(), &x.view(), offset, &mut got.view_mut());
                let (b, x, got) = (b.values(), x.values(), got.values());
                for (line, t) in (0..6).flat_map(|line| (0..m).map(move |t| (line, t))) {
                    let sample = |i: isize| if i < 0 || i >= n as isize { 0.0 } else { x[line * n + i as usize] };
                    let want: f64 =
                        (0..taps).map(|j| b[line * taps + j] * sample(t as isize + offset - j as isize)).sum();
                    let error = (got[line * m + t] - want).abs();
                    assert!(error < 1e-13 + 1e-16 * taps as f64, "{taps} {n} {offset} {m}: {error:e}");
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too much work for miri")]
    fn no_bit_depends_on_the_number_of_threads() {
        let (b, x) = (random::<f32>(&[1, 40], 1), random::<f32>(&[1, 100_000], 2));
        let long = random::<f32>(&[1, 30_000], 3);
        bits_on_every_thread_count(|| {
            let mut y = Owned::<f32>::new(&[1, 5]);
            fir(&long.view(), &long.view(), 30_000, &mut y.view_mut());
            y.data
        });
        bits_on_every_thread_count(|| {
            let mut y = Owned::<f32>::new(&[1, 100_039]);
            fir(&b.view(), &x.view(), 0, &mut y.view_mut());
            y.data
        });
    }
}
