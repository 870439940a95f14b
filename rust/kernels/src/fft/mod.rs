//! Fourier transforms along one axis of strided arrays.
//!
//! rustfft and realfft transform contiguous lines; here are the lines: gathered in blocks where they are strided,
//! shortened or padded with zeros on the way, on several threads. Each line is computed alone, so that no result depends
//! on the threads.
#![allow(unsafe_code)]

mod cosine;
mod plan;
mod split;

use crate::linalg::batch::Batch;
use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::{DType, Element, View, ViewMut};
use cosine::Form;
use num_complex::Complex;
use plan::{Kind, Plan, Real, Workspace, plan, times};
use smallvec::SmallVec;
pub use split::circle;
use std::ops::Range;

/// A thread gives memory beyond this many elements back after use.
const KEEP: usize = 1 << 21;

/// Elements of strided lines that are gathered together, if that leaves a few lines.
const GATHERED: usize = 1 << 16;

/// How many strided lines are gathered together, so that a cache line is used whole.
const BLOCK: usize = 16;

/// Elements between the gathered lines, so that lines of a power of two do not fall on the same cache sets.
const GAP: usize = 8;

/// `dst[k] = scale * sum_j src[j] exp(-2 pi i j k / n)` along `axis`, with `+` if `inverse`; n is the length of `dst` there.
///
/// `dst` is complex64 or complex128 and `src` of the same precision, of one shape except along `axis`, where a longer `src`
/// is cut and a shorter one counts as padded with zeros. Of real `src` one half of the spectrum is computed, the other mirrored.
pub fn c2c(src: &View, dst: &mut ViewMut, axis: usize, inverse: bool, scale: f64) {
    let real = !src.dtype().is_complex();
    assert!(src.dtype() == if real { dst.dtype().real() } else { dst.dtype() });
    let kind = match (real, inverse) {
        (true, _) => Kind::RealToComplex,
        (false, true) => Kind::Inverse,
        (false, false) => Kind::Forward,
    };
    let n = dst.shape()[axis];
    let how = How { inverse, scale, ..How::PLAIN };
    match (dst.dtype(), real) {
        (DType::C64, false) => transform::<f32, Complex<f32>, Complex<f32>>(kind, n, src, dst, axis, how),
        (DType::C128, false) => transform::<f64, Complex<f64>, Complex<f64>>(kind, n, src, dst, axis, how),
        (DType::C64, true) => transform::<f32, f32, Complex<f32>>(kind, n, src, dst, axis, how),
        (DType::C128, true) => transform::<f64, f64, Complex<f64>>(kind, n, src, dst, axis, how),
        _ => unreachable!("a complex dtype"),
    }
}

/// The first `n / 2 + 1` values of the transform of real `src`, cut or padded to length `n`.
pub fn r2c(src: &View, dst: &mut ViewMut, n: usize, axis: usize, scale: f64) {
    assert!(src.dtype() == dst.dtype().real() && (n == 0 || dst.shape()[axis] == n / 2 + 1));
    let how = How { scale, ..How::PLAIN };
    match dst.dtype() {
        DType::C64 => transform::<f32, f32, Complex<f32>>(Kind::RealToComplex, n, src, dst, axis, how),
        DType::C128 => transform::<f64, f64, Complex<f64>>(Kind::RealToComplex, n, src, dst, axis, how),
        _ => unreachable!("a complex dtype"),
    }
}

/// The unnormalized inverse of [`r2c`], times `scale`: n is the length of `dst`, of which `src` has the first half of the
/// spectrum. The imaginary parts at frequency 0 and, for even n, n/2 count as 0.
pub fn c2r(src: &View, dst: &mut ViewMut, axis: usize, scale: f64) {
    assert!(src.dtype().real() == dst.dtype() && src.dtype().is_complex());
    let n = dst.shape()[axis];
    let how = How { scale, ..How::PLAIN };
    match dst.dtype() {
        DType::F32 => transform::<f32, Complex<f32>, f32>(Kind::ComplexToReal, n, src, dst, axis, how),
        DType::F64 => transform::<f64, Complex<f64>, f64>(Kind::ComplexToReal, n, src, dst, axis, how),
        _ => unreachable!("a float dtype"),
    }
}

/// The cosine transform of a type from 1 to 4 along `axis`, times `scale`, cut or padded as in [`c2c`]:
/// ```text
/// 1  dst[k] = src[0] + (-1)^k src[n-1] + 2 sum_(0 < j < n-1) src[j] cos(pi k j / (n - 1)), n >= 2
/// 2  dst[k] = 2 sum_j src[j] cos(pi k (2j + 1) / 2n)
/// 3  dst[j] = src[0] + 2 sum_(k > 0) src[k] cos(pi k (2j + 1) / 2n)
/// 4  dst[k] = 2 sum_j src[j] cos(pi (2j + 1) (2k + 1) / 4n)
/// ```
/// Frequency 0 of types 2 and 3 has the weight `first`, and so have the ends of the input of type 1, by which those of its
/// output are divided. With `sine`, type 1 is `2 sum_j src[j] sin(pi (k + 1) (j + 1) / (n + 1))`; in types 2 and 3 the signs
/// of the odd samples change and the frequencies are reversed, and in type 4 the other way round.
pub fn cosine(src: &View, dst: &mut ViewMut, axis: usize, kind: usize, sine: bool, first: f64, scale: f64) {
    assert!(src.dtype() == dst.dtype());
    let kind = match kind {
        1 if sine => Kind::Sine1,
        1 => Kind::Cosine1,
        2 => Kind::Cosine2,
        3 => Kind::Cosine3,
        _ => Kind::Cosine4,
    };
    let n = dst.shape()[axis];
    assert!(n != 1 || kind != Kind::Cosine1);
    let how = How { sine, first, scale, ..How::PLAIN };
    match dst.dtype() {
        DType::F32 => transform::<f32, f32, f32>(kind, n, src, dst, axis, how),
        DType::F64 => transform::<f64, f64, f64>(kind, n, src, dst, axis, how),
        _ => unreachable!("a float dtype"),
    }
}

/// What the plan does not say.
struct How {
    /// Of a mirrored spectrum.
    inverse: bool,
    sine: bool,
    first: f64,
    scale: f64,
}

impl How {
    const PLAIN: How = How { inverse: false, sine: false, first: 1.0, scale: 1.0 };
}

/// The lines of one call: where they lie, how long they are, and what is done with them.
struct Lines<T, S, D> {
    /// How much of each input line the transform takes, and how much of it there is.
    needed: usize,
    present: usize,
    /// How much of each output line it writes, and how long that is.
    written: usize,
    dst_len: usize,
    src: *const S,
    dst: *mut D,
    src_stride: isize,
    dst_stride: isize,
    batch: Batch<2>,
    kind: Kind,
    inverse: bool,
    form: Form<T>,
}

// SAFETY: addresses of elements that are only read, and of elements that each belong to one line.
unsafe impl<T: Sync, S: Sync, D: Send> Sync for Lines<T, S, D> {}

fn transform<T: Real, S: Sample<T>, D: Sample<T>>(
    kind: Kind,
    n: usize,
    src: &View,
    dst: &mut ViewMut,
    axis: usize,
    how: How,
) where
    Complex<T>: Element,
{
    assert!(src.dtype() == S::DTYPE && dst.dtype() == D::DTYPE && src.ndim() == dst.ndim());
    assert!((0..dst.ndim()).all(|d| d == axis || src.shape()[d] == dst.shape()[d]));
    if n == 0 || dst.size() == 0 {
        return;
    }
    let needed = if kind == Kind::ComplexToReal { n / 2 + 1 } else { n };
    let shape = without(dst.shape(), axis);
    let lines = Lines {
        needed,
        present: src.shape()[axis].min(needed),
        written: if kind == Kind::RealToComplex { n / 2 + 1 } else { n },
        dst_len: dst.shape()[axis],
        src: src.ptr().cast::<S>(),
        dst: dst.ptr().cast::<D>(),
        src_stride: src.strides()[axis],
        dst_stride: dst.strides()[axis],
        batch: Batch::new(&shape, [&without(src.strides(), axis), &without(dst.strides(), axis)]),
        kind,
        inverse: how.inverse,
        form: Form { sine: how.sine, first: T::from_f64_lossy(how.first), scale: T::from_f64_lossy(how.scale) },
    };
    let ns = 20.0 + 0.25 * n as f64 * (n as f64).log2();
    parallel_for(lines.batch.len(), (MIN_TASK_NS / ns).ceil() as usize, |range| {
        let plan = plan::<T>(kind, n);
        let mut workspace = T::workspace().take();
        // SAFETY: the views' contracts; the lines of disjoint ranges do not overlap.
        unsafe { lines.run(&plan, &mut workspace, range) }
        if workspace.input.len() + workspace.output.len() + workspace.scratch.len() <= KEEP {
            T::workspace().set(workspace);
        }
    });
}

fn without<T: Copy>(values: &[T], axis: usize) -> SmallVec<[T; 4]> {
    values.iter().enumerate().filter(|&(d, _)| d != axis).map(|(_, &v)| v).collect()
}

/// An element of a line: real, or complex of reals.
trait Sample<T>: Element {
    fn times(self, scale: T) -> Self;
    fn conj(self) -> Self;
}

macro_rules! sample {
    ($($t:ty),*) => { $(
        impl Sample<$t> for $t {
            #[inline(always)]
            fn times(self, scale: $t) -> Self {
                self * scale
            }
            fn conj(self) -> Self {
                self
            }
        }
        impl Sample<$t> for Complex<$t> {
            #[inline(always)]
            fn times(self, scale: $t) -> Self {
                Complex::new(self.re * scale, self.im * scale)
            }
            #[inline(always)]
            fn conj(self) -> Self {
                Complex::new(self.re, -self.im)
            }
        }
    )* };
}
sample!(f32, f64);

impl<T: Real, S: Sample<T>, D: Sample<T>> Lines<T, S, D>
where
    Complex<T>: Element,
{
    /// # Safety
    /// The lines of the range are inside their views, and those of `dst` are not in use elsewhere.
    unsafe fn run(&self, plan: &Plan<T>, workspace: &mut Workspace<T>, range: Range<usize>) {
        let Workspace { input, output, scratch } = workspace;
        reserve(scratch, plan.scratch_len());
        let whole = self.src_stride == 1 && self.dst_stride == 1 && self.present == self.needed;
        if whole && matches!(plan, Plan::Complex(_) | Plan::Split(_) | Plan::SplitReal(_)) {
            self.batch.for_each(range, |_, [from, to]| {
                // SAFETY: a contiguous line on either side.
                unsafe {
                    let line = std::slice::from_raw_parts(self.src.offset(from), self.needed);
                    let out = std::slice::from_raw_parts_mut(self.dst.offset(to), self.dst_len);
                    self.transform_whole(plan, line, &mut out[..self.written], scratch);
                    self.mirror(out);
                }
            });
            return;
        }
        let strided = self.src_stride != 1 || self.dst_stride != 1;
        let block = if strided { (GATHERED / self.needed).clamp(4, BLOCK) } else { 1 };
        let (pitch, out_pitch) = (self.needed + GAP, self.dst_len + GAP);
        reserve(input, block * pitch);
        reserve(output, if self.dst_stride == 1 { 0 } else { block * out_pitch });
        let mut offsets: SmallVec<[[isize; 2]; BLOCK]> = SmallVec::new();
        for start in range.clone().step_by(block) {
            offsets.clear();
            self.batch.for_each(start..(start + block).min(range.end), |_, o| offsets.push(o));
            // SAFETY: complex buffers of at least as many elements serve for real ones too; lines as above.
            unsafe {
                let input = std::slice::from_raw_parts_mut(input.as_mut_ptr().cast::<S>(), offsets.len() * pitch);
                self.gather(&offsets, input);
                for (line, &[_, to]) in offsets.iter().enumerate() {
                    let input = &mut input[line * pitch..][..self.needed];
                    let out = match self.dst_stride {
                        1 => self.dst.offset(to),
                        _ => output.as_mut_ptr().cast::<D>().add(line * out_pitch),
                    };
                    let out = std::slice::from_raw_parts_mut(out, self.dst_len);
                    self.transform_line(plan, input, &mut out[..self.written], scratch);
                    self.mirror(out);
                }
                if self.dst_stride != 1 {
                    self.scatter(&offsets, output.as_ptr().cast());
                }
            }
        }
    }

    /// Loads lines into rows of `needed` elements, padded with zeros, and a gap.
    ///
    /// # Safety
    /// As [`Lines::run`].
    unsafe fn gather(&self, offsets: &[[isize; 2]], rows: &mut [S]) {
        let pitch = self.needed + GAP;
        match offsets {
            // Of empty lines not even the address need exist.
            _ if self.present == 0 => {}
            // SAFETY: a contiguous line.
            [[from, _]] if self.src_stride == 1 => rows[..self.present]
                .copy_from_slice(unsafe { std::slice::from_raw_parts(self.src.offset(*from), self.present) }),
            _ => {
                for k in 0..self.present {
                    for (line, [from, _]) in offsets.iter().enumerate() {
                        // SAFETY: k is inside the line.
                        rows[line * pitch + k] = unsafe { *self.src.offset(from + k as isize * self.src_stride) };
                    }
                }
            }
        }
        for row in rows.chunks_exact_mut(pitch) {
            row[self.present..self.needed].fill(S::default());
        }
    }

    /// Stores rows of `dst_len` elements and a gap as lines.
    ///
    /// # Safety
    /// As [`Lines::run`], and `rows` has a row for each offset.
    unsafe fn scatter(&self, offsets: &[[isize; 2]], rows: *const D) {
        for k in 0..self.dst_len {
            for (line, [_, to]) in offsets.iter().enumerate() {
                // SAFETY: k is inside the line and the row.
                unsafe {
                    *self.dst.offset(to + k as isize * self.dst_stride) = *rows.add(line * (self.dst_len + GAP) + k)
                };
            }
        }
    }

    /// Transforms one line.
    ///
    /// # Safety
    /// As [`Lines::transform_line`]; the plan is complex or split.
    unsafe fn transform_whole(&self, plan: &Plan<T>, line: &[S], out: &mut [D], scratch: &mut [Complex<T>]) {
        let scale = self.form.scale;
        // SAFETY: the pointers of slices of the plan's lengths, whose types they keep.
        unsafe {
            match plan {
                Plan::Complex(fft) => {
                    let line = std::slice::from_raw_parts(line.as_ptr().cast(), line.len());
                    fft.process_immutable_with_scratch(line, cast(out), scratch);
                    times(out, scale, |x| x.times(scale));
                }
                Plan::Split(split) => split.run(line.as_ptr().cast(), out.as_mut_ptr().cast(), scratch, scale),
                Plan::SplitReal(split) if self.kind == Kind::RealToComplex => {
                    let line = std::slice::from_raw_parts(line.as_ptr().cast(), line.len());
                    split.to_complex(line, cast(out), scratch, scale);
                }
                Plan::SplitReal(split) => {
                    let line = std::slice::from_raw_parts(line.as_ptr().cast(), line.len());
                    split.to_real(line, cast(out), scratch, scale);
                }
                _ => unreachable!("a plan that keeps its input"),
            }
        }
    }

    /// Transforms one line and destroys its input.
    ///
    /// # Safety
    /// The plan is one of this kind, which says which of `S` and `D` are complex.
    unsafe fn transform_line(&self, plan: &Plan<T>, input: &mut [S], out: &mut [D], scratch: &mut [Complex<T>]) {
        let scale = self.form.scale;
        // SAFETY: the casts do not change the type, by the caller's contract.
        unsafe {
            match (self.kind, plan) {
                (Kind::Forward | Kind::Inverse, _) => plan.complex(cast(input), cast(out), scratch, scale),
                (Kind::RealToComplex, _) => plan.to_complex(cast(input), cast(out), scratch, scale),
                (Kind::ComplexToReal, _) => plan.to_real(cast(input), cast(out), scratch, scale),
                (_, Plan::Cosine(cosine)) => cosine.run(cast(input), cast(out), scratch, self.form),
                _ => unreachable!("a plan of this kind"),
            }
        }
    }

    /// Completes the spectrum of a real line, of which the first half is there.
    #[inline(always)]
    fn mirror(&self, line: &mut [D]) {
        let n = self.dst_len;
        if n == self.written {
            return;
        }
        let (low, high) = line.split_at_mut(self.written);
        for (x, y) in low[1..].iter_mut().zip(high.iter_mut().rev()) {
            *y = x.conj();
        }
        if self.inverse {
            line.iter_mut().for_each(|x| *x = x.conj());
        }
    }
}

/// # Safety
/// `From` and `To` are the same type.
unsafe fn cast<From: Element, To: Element>(slice: &mut [From]) -> &mut [To] {
    assert!(From::DTYPE == To::DTYPE);
    // SAFETY: one dtype is one type.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) }
}

/// Real and imaginary parts one after the other.
fn reals<T: Real>(slice: &mut [Complex<T>]) -> &mut [T]
where
    Complex<T>: Element,
{
    // SAFETY: a complex number is a pair of reals.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), 2 * slice.len()) }
}

fn reserve<T: Real>(buffer: &mut Vec<Complex<T>>, n: usize)
where
    Complex<T>: Element,
{
    if buffer.len() < n {
        buffer.resize(n, Complex::default());
    }
}

#[cfg(test)]
mod tests;
