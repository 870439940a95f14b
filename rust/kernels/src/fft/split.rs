//! Transforms of one large line on several threads, in two passes over memory.
//!
//! D. Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990).

use super::GAP;
use super::plan::Real;
use crate::Element;
use crate::pool::{MIN_TASK_NS, parallel_for};
use num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::f64::consts::PI;
use std::sync::Arc;

/// Lengths from which on a line is split.
const MIN: usize = 1 << 18;

/// Lines that are loaded and stored together, so that memory is touched by whole cache lines.
const WIDTH: usize = 16;

/// Nanoseconds per element of a pass.
const ELEMENT_NS: f64 = 5.0;

/// Powers of exp(-+2 pi i / n), as products of one of a few hundred fine and one of a few hundred coarse steps.
pub(crate) struct Roots<T> {
    fine: Vec<Complex<T>>,
    coarse: Vec<Complex<T>>,
    shift: u32,
}

impl<T: Real> Roots<T>
where
    Complex<T>: Element,
{
    pub(crate) fn new(n: usize, inverse: bool) -> Self {
        let shift = n.ilog2().div_ceil(2);
        let root = |j: usize| {
            let (c, s) = circle(j, n);
            Complex::new(T::from_f64_lossy(c), T::from_f64_lossy(if inverse { s } else { -s }))
        };
        let fine = (0..1 << shift).map(|j| root(j % n)).collect();
        Roots { fine, coarse: (0..=n >> shift).map(|j| root((j << shift) % n)).collect(), shift }
    }

    /// The power m, which is less than n.
    #[inline(always)]
    pub(crate) fn at(&self, m: usize) -> Complex<T> {
        self.coarse[m >> self.shift] * self.fine[m & ((1 << self.shift) - 1)]
    }
}

/// Cosine and sine of 2 pi j / n, from an angle of the first quadrant.
pub fn circle(j: usize, n: usize) -> (f64, f64) {
    let (mut r, mut sign) = (2 * j, [1.0, 1.0]);
    if r > n {
        (r, sign[1]) = (2 * n - r, -1.0);
    }
    if 2 * r > n {
        (r, sign[0]) = (n - r, -1.0);
    }
    let (s, c) = (PI * r as f64 / n as f64).sin_cos();
    (sign[0] * c, sign[1] * s)
}

/// A complex transform of length `rows * columns`: transforms of the columns, turned by roots of unity, then of the rows.
pub(crate) struct Split<T> {
    rows: usize,
    columns: usize,
    of_column: Arc<dyn Fft<T>>,
    of_row: Arc<dyn Fft<T>>,
    roots: Roots<T>,
}

/// Addresses that threads share, each of which has its columns or rows.
struct Shared<T> {
    src: *const Complex<T>,
    middle: *mut Complex<T>,
    dst: *mut Complex<T>,
}
// SAFETY: elements that are only read, or that each belong to one thread.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Real> Split<T>
where
    Complex<T>: Element,
{
    /// None if the length is small or has no divisor near its square root.
    pub(crate) fn new(n: usize, inverse: bool) -> Option<Self> {
        if n < MIN {
            return None;
        }
        let root = n.isqrt();
        let rows = (root / 8..=root).rev().find(|&d| n.is_multiple_of(d))?;
        let plan = |len| match inverse {
            false => FftPlanner::new().plan_fft_forward(len),
            true => FftPlanner::new().plan_fft_inverse(len),
        };
        let columns = n / rows;
        Some(Split { rows, columns, of_column: plan(rows), of_row: plan(columns), roots: Roots::new(n, inverse) })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows * self.columns
    }

    pub(crate) fn scratch_len(&self) -> usize {
        self.rows * (self.columns + GAP)
    }

    /// The transform of `src`, which may be the same place as `dst`, times `scale`.
    ///
    /// # Safety
    /// Both have `len` elements, of which none of `dst` is in use elsewhere.
    pub(crate) unsafe fn run(
        &self,
        src: *const Complex<T>,
        dst: *mut Complex<T>,
        scratch: &mut [Complex<T>],
        scale: T,
    ) {
        assert!(scratch.len() >= self.scratch_len());
        let shared = Shared { src, middle: scratch.as_mut_ptr(), dst };
        let (rows, columns, pitch) = (self.rows, self.columns, self.columns + GAP);
        let min = |len: usize| (MIN_TASK_NS / (ELEMENT_NS * (len * WIDTH) as f64)).ceil() as usize;
        parallel_for(columns.div_ceil(WIDTH), min(rows), |range| {
            let (shared, gap) = (&shared, rows + GAP);
            let mut lines = vec![Complex::default(); WIDTH * gap];
            let mut inner = vec![Complex::default(); self.of_column.get_inplace_scratch_len()];
            for block in range {
                let first = block * WIDTH;
                let width = WIDTH.min(columns - first);
                for j in 0..rows {
                    for c in 0..width {
                        // SAFETY: row j, column first + c.
                        lines[c * gap + j] = unsafe { *shared.src.add(j * columns + first + c) };
                    }
                }
                for line in lines.chunks_exact_mut(gap).take(width) {
                    self.of_column.process_with_scratch(&mut line[..rows], &mut inner);
                }
                for j in 0..rows {
                    for c in 0..width {
                        let value = lines[c * gap + j] * self.roots.at(j * (first + c));
                        // SAFETY: as above, in rows of `pitch`.
                        unsafe { *shared.middle.add(j * pitch + first + c) = value };
                    }
                }
            }
        });
        parallel_for(rows.div_ceil(WIDTH), min(columns), |range| {
            let shared = &shared;
            let mut inner = vec![Complex::default(); self.of_row.get_inplace_scratch_len()];
            for block in range {
                let first = block * WIDTH;
                let width = WIDTH.min(rows - first);
                // SAFETY: whole rows of this block.
                let lines = unsafe { std::slice::from_raw_parts_mut(shared.middle.add(first * pitch), width * pitch) };
                for line in lines.chunks_exact_mut(pitch) {
                    self.of_row.process_with_scratch(&mut line[..columns], &mut inner);
                }
                for k in 0..columns {
                    for r in 0..width {
                        let x = lines[r * pitch + k];
                        // SAFETY: frequency first + r + rows * k.
                        unsafe { *shared.dst.add(k * rows + first + r) = Complex::new(x.re * scale, x.im * scale) };
                    }
                }
            }
        });
    }
}

/// A transform of even length between real signals and half spectra, by a split one of half the length.
pub(crate) struct SplitReal<T> {
    half: Split<T>,
    roots: Roots<T>,
}

impl<T: Real> SplitReal<T>
where
    Complex<T>: Element,
{
    pub(crate) fn new(n: usize, inverse: bool) -> Option<Self> {
        let half = n.is_multiple_of(2).then(|| Split::new(n / 2, inverse))??;
        Some(SplitReal { half, roots: Roots::new(n, inverse) })
    }

    pub(crate) fn scratch_len(&self) -> usize {
        self.half.scratch_len()
    }

    /// `n / 2 + 1` frequencies of `n` samples.
    pub(crate) fn to_complex(&self, src: &[T], dst: &mut [Complex<T>], scratch: &mut [Complex<T>], scale: T) {
        let m = self.half.len();
        assert!(src.len() == 2 * m && dst.len() == m + 1);
        let half = T::from_f64_lossy(0.5);
        let z = dst.as_mut_ptr();
        // SAFETY: pairs of reals are complex numbers, m of them.
        unsafe { self.half.run(src.as_ptr().cast(), z, scratch, scale) };
        let first = dst[0];
        dst[0] = Complex::from(first.re + first.im);
        dst[m] = Complex::from(first.re - first.im);
        // Even and odd samples: e = (z_k + conj z_{m-k}) / 2, i o = (z_k - conj z_{m-k}) / 2.
        self.pairs(dst.as_mut_ptr(), dst.as_ptr(), |a, b, root| {
            let (e, o) = ((a + b.conj()) * half, (a - b.conj()) * half);
            let turned = times_i(o * root);
            (e - turned, (e + turned).conj())
        });
    }

    /// `n` samples of `n / 2 + 1` frequencies; the imaginary parts of the first and last do not count.
    pub(crate) fn to_real(&self, src: &[Complex<T>], dst: &mut [T], scratch: &mut [Complex<T>], scale: T) {
        let m = self.half.len();
        assert!(src.len() == m + 1 && dst.len() == 2 * m);
        let (low, high) = (src[0].re, src[m].re);
        let z: *mut Complex<T> = dst.as_mut_ptr().cast();
        self.pairs(z, src.as_ptr(), |a, b, root| {
            let (e, o) = (a + b.conj(), a - b.conj());
            let turned = times_i(o * root);
            (e + turned, (e - turned).conj())
        });
        // SAFETY: as above; in place.
        unsafe {
            *z = Complex::new(low + high, low - high);
            self.half.run(z, z, scratch, scale);
        }
    }

    /// Writes `f` of the elements k and m - k and the k-th root in their places, for k from 1.
    fn pairs(
        &self,
        dst: *mut Complex<T>,
        src: *const Complex<T>,
        f: impl Fn(Complex<T>, Complex<T>, Complex<T>) -> (Complex<T>, Complex<T>) + Sync,
    ) {
        let m = self.half.len();
        let shared = Shared { src, middle: std::ptr::null_mut(), dst };
        parallel_for(m / 2, (MIN_TASK_NS / ELEMENT_NS) as usize, |range| {
            let shared = &shared;
            for k in range.start + 1..range.end + 1 {
                // SAFETY: each pair belongs to one k, which is read before it is written.
                unsafe {
                    let (x, y) = f(*shared.src.add(k), *shared.src.add(m - k), self.roots.at(k));
                    *shared.dst.add(k) = x;
                    *shared.dst.add(m - k) = y;
                }
            }
        });
    }
}

fn times_i<T: Real>(z: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex::new(-z.im, z.re)
}
