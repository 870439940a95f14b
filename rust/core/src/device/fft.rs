//! Fourier transforms: which launches one is made of, and the tables that they read.
//!
//! What one launch does, strided lines, lengths and factors included, is ours. Longer lines, and lengths with large prime factors,
//! take several passes over memory and are left to cuFFT, where it is there, and so are many lines that it takes as they are.

use super::dense::field;
use super::{Device, Grid, address, c, code, hold, launch, lines, no_functions, room, transfer};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::Meta;
use crate::ops;
use crate::ops::fft::{Cosine, Fft, Kind};
use crate::shape::contiguous_strides;
use num_complex::Complex;
use sciarray_cuda::fourier::{self, Transform};
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::fft::{c2c, circle};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::HashMap;

// Those of `cuda/fft.cu`.
const REAL_X: i64 = 1;
const HALF_X: i64 = 2;
const REAL_Y: i64 = 4;
const HALF_Y: i64 = 8;
const MIRROR_Y: i64 = 16;
const CONJ_Y: i64 = 32;
const SWAP_X: i64 = 64;
const SWAP_Y: i64 = 128;
const SWAP_END: i64 = 256;
const ACROSS_X: i64 = 512;
const ACROSS_Y: i64 = 1024;
const PAIRS: i64 = 2048;
const THREADS: usize = 256;

/// To copy so many bytes before and after a call of cuFFT takes as long as to send another call. From here on too lines that one launch
/// of ours transforms go to cuFFT, whose kernels took a third of the time for ten times as many.
const BYTES_PER_CALL: usize = 4 << 20;

/// Elements of a line that are copied together, and as many lines: rows of either side are long enough.
const TILE: usize = 32;

/// The longest line in shared memory.
fn most(dtype: DType) -> usize {
    16384 / dtype.size()
}

/// The radices of the passes over a line, and what is left of its length.
fn radices(n: usize) -> (SmallVec<[usize; 16]>, usize) {
    let (mut rest, mut all) = (n, SmallVec::new());
    for radix in [4, 2, 3, 5, 7, 11, 13] {
        while rest.is_multiple_of(radix) {
            rest /= radix;
            all.push(radix);
        }
    }
    (all, rest)
}

/// Tables of complex numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Table {
    /// exp(-2 pi i k / n) for k < n.
    Roots,
    /// The same for k up to a power of two near the root of n, and for its multiples.
    Fine,
    Coarse,
    /// exp(-pi i k^2 / n) for k < n.
    Chirp,
    /// The transform of its conjugate, which goes on evenly to both sides, divided by the length.
    Kernel,
    /// Factors of a line of n, times those of the chirp of another length where it is not 0.
    Factors(Turns, usize),
}

/// Factors that make a Fourier transform one of cosines or sines.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Turns {
    kind: usize,
    sine: bool,
    /// The bits of the weight of frequency 0, or of the ends.
    first: u64,
    /// Of the result, not of the input.
    after: bool,
}

impl Turns {
    /// With N the length of the Fourier transform and w = exp(-2 pi i / N), cos and sin of 2 pi (j + a) (k + b) / N are the real
    /// part of w^(jk) times w^(jb), w^(ka + ab) and, for sines, i. What is a factor of j is of the input, the rest of the result.
    fn at(self, k: usize, n: usize) -> Complex<f64> {
        let first = f64::from_bits(self.first);
        let turn = match (self.kind, self.sine, self.after) {
            (1, true, false) => root(k, 2 * n + 2),
            (1, true, true) => root(k + 1, 2 * n + 2),
            (2, true, false) => root(k, 2 * n),
            (2, sine, true) => root(k + sine as usize, 4 * n),
            (3, _, false) | (4, _, false) => root(k, 4 * n),
            (3, true, true) => root(2 * k + 1, 4 * n),
            (4, _, true) => root(2 * k + 1, 8 * n),
            _ => Complex::new(1.0, 0.0),
        };
        let turn = if self.sine && self.after { Complex::new(-turn.im, turn.re) } else { turn };
        let is_end = k == if self.sine { n - 1 } else { 0 } || self.kind == 1 && k == n - 1;
        let [end, inner] = match (self.kind, self.after) {
            (1, false) if !self.sine => [first, 2.0],
            (1, true) if !self.sine => [1.0 / first, 1.0],
            (2, true) => [2.0 * first, 2.0],
            (3, false) => [first, 2.0],
            (1 | 4, true) => [2.0; 2],
            _ => [1.0; 2],
        };
        turn * if is_end { end } else { inner }
    }
}

thread_local! {
    /// Tables that were uploaded, and how many numbers they hold.
    static TABLES: RefCell<(HashMap<(Device, DType, Table, usize), Array>, usize)> = RefCell::default();
}

/// How many numbers a thread keeps.
const KEPT: usize = 1 << 22;

/// The turns of a transform of length n are tables by this many bits of the exponent.
fn shift(n: usize) -> u32 {
    n.ilog2().div_ceil(2)
}

/// The length of the convolution with a chirp.
fn chirped(n: usize) -> usize {
    (2 * n - 1).next_power_of_two()
}

/// exp(-2 pi i k / n)
fn root(k: usize, n: usize) -> Complex<f64> {
    let (re, im) = circle(k, n);
    Complex::new(if 4 * k == n || 4 * k == 3 * n { 0.0 } else { re }, -im)
}

fn chirp(k: usize, n: usize) -> Complex<f64> {
    root((k as u128 * k as u128 % (2 * n as u128)) as usize, 2 * n)
}

impl Table {
    fn values(self, n: usize) -> Result<Array> {
        let bits = shift(n);
        let values: Vec<Complex<f64>> = match self {
            Table::Roots => (0..n).map(|k| root(k, n)).collect(),
            Table::Fine => (0..1 << bits).map(|k| root(k % n, n)).collect(),
            Table::Coarse => (0..=n >> bits).map(|k| root((k << bits) % n, n)).collect(),
            Table::Chirp => (0..n).map(|k| chirp(k, n)).collect(),
            Table::Factors(turns, 0) => (0..n).map(|k| turns.at(k, n)).collect(),
            Table::Factors(turns, whole) => (0..n).map(|k| turns.at(k, n) * chirp(k, whole)).collect(),
            Table::Kernel => {
                let m = chirped(n);
                let mut wave = vec![Complex::default(); m];
                for k in 0..n {
                    wave[k] = chirp(k, n).conj();
                    wave[(m - k) % m] = wave[k];
                }
                let wave = Array::from_slice("fft", &wave, &[m])?;
                let mut y = Array::empty("fft", DType::C128, &[m])?;
                c2c(&wave.view(), &mut y.view_mut(), 0, false, 1.0 / m as f64);
                return Ok(y);
            }
        };
        Array::from_slice("fft", &values, &[values.len()])
    }

    fn get(self, queue: &Queue, dtype: DType, n: usize) -> Result<Array> {
        let key = (Device::cuda(queue.device()), dtype, self, n);
        if let Some(known) = TABLES.with_borrow(|t| t.0.get(&key).cloned()) {
            return Ok(hold(known));
        }
        let table = transfer(&ops::cast(&self.values(n)?, dtype)?, key.0)?;
        TABLES.with_borrow_mut(|(tables, kept)| {
            if *kept + table.size() > KEPT {
                tables.clear();
                *kept = 0;
            }
            *kept += table.size();
            tables.insert(key, table.clone());
        });
        Ok(table)
    }
}

/// Lines of input, result, and their places in the whole transform: the other dimensions, strides there and along the lines.
#[derive(Clone)]
struct Lines {
    shape: Vec<usize>,
    strides: [Vec<isize>; 4],
    steps: [isize; 4],
}

impl Lines {
    fn push(&mut self, n: usize, strides: [isize; 4]) {
        self.shape.push(n);
        self.strides.iter_mut().zip(strides).for_each(|(all, s)| all.push(s));
    }

    /// Operand `k` becomes lines of this length that follow each other.
    fn follow(&mut self, k: usize, len: usize) {
        self.strides[k] = contiguous_strides(&self.shape).iter().map(|s| s * len as isize).collect();
        self.steps[k] = 1;
    }
}

/// What is transformed.
#[derive(Clone, Copy)]
struct Source<'a> {
    address: u64,
    flags: i64,
    factors: Option<&'a Array>,
    /// Places of the transform that the input may have, and those that it has.
    places: usize,
    count: usize,
    next: isize,
}

/// What becomes of it.
#[derive(Clone, Copy)]
struct Target<'a> {
    address: u64,
    flags: i64,
    factors: Option<&'a Array>,
    scale: f64,
    count: usize,
    next: isize,
}

/// Numbers that are read as they are.
fn all_of(address: u64) -> Source<'static> {
    Source { address, flags: 0, factors: None, places: usize::MAX >> 1, count: usize::MAX >> 1, next: 0 }
}

/// Numbers that are written as they are.
fn whole(address: u64) -> Target<'static> {
    Target { address, flags: 0, factors: None, scale: 1.0, count: usize::MAX >> 1, next: 0 }
}

/// The launches of one transform of a length `n`, of complex numbers of a dtype.
struct Plan<'a> {
    queue: &'a Queue,
    dtype: DType,
    n: usize,
}

impl Plan<'_> {
    fn room(&self, lines: &Lines, len: usize, dtype: DType) -> Result<Array> {
        room(self.queue, lines.shape.iter().product::<usize>() * len * dtype.size())
    }

    /// Lines that fit into shared memory; columns of a transform of length `turn` are turned.
    fn short(&self, len: usize, at: &Lines, from: Source, to: Target, turn: Option<usize>) -> Result<()> {
        let roots = Table::Roots.get(self.queue, self.dtype, len)?;
        let turns = match turn {
            Some(n) => {
                Some([Table::Fine.get(self.queue, DType::C128, n)?, Table::Coarse.get(self.queue, DType::C128, n)?])
            }
            None => None,
        };
        let [fine, coarse] = [0, 1].map(|k| turns.as_ref().map_or(0, |t| address(&t[k])));
        // Four bits each, the first one lowest.
        let passes = radices(len).0.iter().rev().fold(0, |all, &radix| all << 4 | radix as i64);
        self.send((len, passes), [address(&roots), fine, coarse], turn, at, (from, to))
    }

    /// Elements from where they are to where they go, `to.count` of a line, with what happens to them at either end.
    fn copy(&self, at: &Lines, from: Source, to: Target) -> Result<()> {
        let shape = [&[to.count.div_ceil(TILE)], &at.shape[..]].concat();
        let strides = std::array::from_fn(|k| [&[at.steps[k] * TILE as isize], &at.strides[k][..]].concat());
        let tiles = Lines { shape, strides, steps: at.steps };
        let from = Source { places: from.places.min(to.count), ..from };
        self.send((TILE, 0), [0; 3], None, &tiles, (from, to))
    }

    fn send(
        &self,
        (len, passes): (usize, i64),
        [roots, fine, coarse]: [u64; 3],
        turn: Option<usize>,
        at: &Lines,
        (from, to): (Source, Target),
    ) -> Result<()> {
        // Threads next to each other touch elements that lie as close as they can.
        let inner = at.shape.iter().rposition(|&n| n > 1);
        let across = |k: usize| inner.is_some_and(|d| at.strides[k][d].abs() < at.steps[k].abs());
        let flags = from.flags | to.flags | if across(0) { ACROSS_X } else { 0 } | if across(1) { ACROSS_Y } else { 0 };
        let [x, y, j, k] = &at.strides;
        let layout = Layout::new(&at.shape, &[x, y, j, k]);
        let dims = Layout::dims(&[&layout]);
        let n_lines: usize = at.shape.iter().product();
        let mut p = Params::new(dims);
        p.address(from.address).address(to.address).address(roots);
        p.address(from.factors.map_or(0, address)).address(to.factors.map_or(0, address));
        p.address(fine).address(coarse).field(&to.scale.to_ne_bytes(), 8);
        p.ints([len as i64, passes, self.n as i64, n_lines as i64]);
        p.ints([i64::from(turn.map_or(0, shift)), flags]).ints(at.steps.map(|s| s as i64));
        p.ints([from.places, from.count, to.count].map(|n| n as i64)).ints([from.next as i64, to.next as i64]);
        p.layout(&layout);
        let defines = [("SA_T", c(self.dtype.real()))];
        let key = Key { kernel: "sa_fft_lines", parts: [code([self.dtype]), dims as u64, 0, 0] };
        let blocks = n_lines.div_ceil(most(self.dtype) / len);
        let grid = Grid::Blocks(blocks, [THREADS as u32, 1]);
        launch(self.queue, key, (File::Fft, &defines, &no_functions), grid, &mut p)
    }

    /// Lines whose prime factors are radices: long ones as columns, then rows.
    fn smooth(&self, len: usize, at: &Lines, from: Source, to: Target) -> Result<()> {
        let most = most(self.dtype);
        if len <= most {
            return self.short(len, at, from, to, None);
        }
        // As near to each other as possible, where both can be short.
        let least = len.div_ceil(most).max(len.isqrt());
        let rows = (least..=most).find(|r| len.is_multiple_of(*r));
        let rows = rows.or_else(|| (2..=most).rev().find(|r| len.is_multiple_of(*r))).unwrap_or(2);
        let columns = len / rows;
        let middle = self.room(at, len, self.dtype)?;
        let [x, y, _, k] = at.steps;
        let (mut down, mut along) = (at.clone(), at.clone());
        down.follow(1, len);
        down.push(columns, [x, 1, 1, 0]);
        down.steps = [x * columns as isize, columns as isize, columns as isize, 0];
        self.short(rows, &down, from, whole(address(&middle)), Some(len))?;
        along.follow(0, len);
        along.push(rows, [columns as isize, y, 0, k]);
        along.steps = [1, y * rows as isize, 1, k * rows as isize];
        self.smooth(columns, &along, all_of(address(&middle)), to)
    }

    /// Whether lines of a length are one launch.
    fn is_short(&self, len: usize) -> bool {
        len <= most(self.dtype) && radices(len).1 == 1
    }

    /// The whole transform; input and result have factors of lines of a length, or none.
    fn run(&self, at: &Lines, from: Source, to: Target, turns: Option<(usize, [Turns; 2])>) -> Result<()> {
        let is_inverse = from.flags & HALF_X != 0;
        if turns.is_none() && self.suits_library(at, &from, &to) {
            return self.library(at, from, to);
        }
        if (is_inverse || to.flags & HALF_Y != 0) && self.n.is_multiple_of(2) && self.is_short(self.n / 2) {
            let roots = Table::Roots.get(self.queue, self.dtype, self.n)?;
            let (before, after) = if is_inverse { (Some(&roots), None) } else { (None, Some(&roots)) };
            let from = Source { flags: from.flags | PAIRS, factors: before, ..from };
            return self.short(self.n / 2, at, from, Target { factors: after, ..to }, None);
        }
        let is_smooth = radices(self.n).1 == 1;
        let goes_to_library = !self.is_short(self.n) && fourier::is_there();
        let is_plain = is_smooth || goes_to_library;
        let factors = |k: usize| match turns {
            Some((len, both)) => {
                let other = if is_plain { 0 } else { self.n };
                Table::Factors(both[k], other).get(self.queue, self.dtype, len).map(Some)
            }
            None if is_plain => Ok(None),
            None => Table::Chirp.get(self.queue, self.dtype, self.n).map(Some),
        };
        let (before, after) = (factors(0)?, factors(1)?);
        let from = Source { factors: before.as_ref(), ..from };
        let to = Target { factors: after.as_ref(), ..to };
        if goes_to_library {
            return self.library(at, from, to);
        }
        if is_smooth {
            return self.smooth(self.n, at, from, to);
        }
        let m = chirped(self.n);
        let kernel = Table::Kernel.get(self.queue, self.dtype, self.n)?;
        let middle = self.room(at, m, self.dtype)?;
        let (mut into, mut out) = (at.clone(), at.clone());
        into.follow(1, m);
        out.follow(0, m);
        let product = Target { factors: Some(&kernel), ..whole(address(&middle)) };
        self.smooth(m, &into, from, product)?;
        let back = Source { flags: SWAP_X, ..all_of(address(&middle)) };
        self.smooth(m, &out, back, Target { flags: to.flags | SWAP_Y, ..to })
    }

    /// How cuFFT finds the lines of operand `k` from an address on, each so many numbers; None where it does not, or is not said to.
    fn lines(&self, at: &Lines, k: usize, (dtype, len): (DType, usize), address: u64) -> Option<fourier::Lines> {
        let layout = Layout::new(&at.shape, &[&at.strides[k]]);
        let (len, stride) = (len as i64, at.steps[k] as i64);
        let (items, step) = match (&layout.sizes[..], &layout.strides[0][..]) {
            ([], _) => (1, len * stride),
            ([n], [step]) => (*n, *step),
            _ => return None,
        };
        let are_apart = (len - 1) * stride < step || (items - 1) * step < stride;
        let is_aligned = address.is_multiple_of(self.dtype.size() as u64);
        let fits = stride > 0 && step > 0 && are_apart && is_aligned && (dtype.is_complex() || stride == 1);
        fits.then_some(fourier::Lines { field: field(dtype), stride, step })
    }

    /// The whole transform by cuFFT, whose calls have lines one step apart: those of the last of several dimensions if they are
    /// large enough, else all through lines of our own.
    fn library(&self, at: &Lines, from: Source, to: Target) -> Result<()> {
        let Layout { sizes, strides } = Layout::new(&at.shape, &[&at.strides[0], &at.strides[1]]);
        let d = sizes.len().saturating_sub(1);
        if d == 0 || sizes[d] as usize * self.n * self.dtype.size() < BYTES_PER_CALL {
            return self.call(at, from, to);
        }
        let [x, y] = [0, 1].map(|k| vec![strides[k][d] as isize]);
        let lines = Lines { shape: vec![sizes[d] as usize], strides: [x, y, vec![0], vec![0]], steps: at.steps };
        let bytes = |is_real: bool| if is_real { self.dtype.real() } else { self.dtype }.size() as i64;
        let bytes = [bytes(from.flags & REAL_X != 0), bytes(to.flags & REAL_Y != 0)];
        for k in 0..sizes[..d].iter().product() {
            let (mut rest, mut offsets) = (k, [0; 2]);
            for (j, n) in sizes[..d].iter().enumerate().rev() {
                offsets = [0, 1].map(|k| offsets[k] + rest % n * strides[k][j] * bytes[k]);
                rest /= n;
            }
            let from = Source { address: from.address.wrapping_add_signed(offsets[0]), ..from };
            self.call(&lines, from, Target { address: to.address.wrapping_add_signed(offsets[1]), ..to })?;
        }
        Ok(())
    }

    /// What cuFFT reads and writes of a line.
    fn kinds(&self, from: &Source, to: &Target) -> [(DType, usize); 2] {
        let (whole_line, real_line) = ((self.dtype, self.n), (self.dtype.real(), self.n));
        let half_line = (self.dtype, self.n / 2 + 1);
        match (from.flags & HALF_X != 0, to.flags & HALF_Y != 0) {
            (true, _) => [half_line, real_line],
            (_, true) => [real_line, half_line],
            _ => [whole_line, whole_line],
        }
    }

    /// The lines that cuFFT reads, if they lie as it wants them and nothing happens to them before. A spectrum that becomes real is
    /// overwritten, so it is always copied.
    fn read_there(&self, at: &Lines, from: &Source, reads: (DType, usize)) -> Option<fourier::Lines> {
        let as_it_is = if reads.0.is_complex() { 0 } else { REAL_X };
        let is_ready = from.factors.is_none() && from.flags & !SWAP_X == as_it_is && from.count >= reads.1;
        is_ready.then(|| self.lines(at, 0, reads, from.address))?
    }

    /// The same of those that it writes.
    fn written_there(&self, at: &Lines, to: &Target, writes: (DType, usize)) -> Option<fourier::Lines> {
        let half = to.flags & HALF_Y;
        let as_it_is = if writes.0.is_complex() { half } else { REAL_Y };
        let is_ready = to.factors.is_none() && to.flags & !SWAP_END == as_it_is && to.count >= writes.1;
        is_ready.then(|| self.lines(at, 1, writes, to.address))?
    }

    /// Whether cuFFT is faster with what one launch of ours does: many numbers, to where they are, and from there but for a spectrum
    /// that becomes real.
    fn suits_library(&self, at: &Lines, from: &Source, to: &Target) -> bool {
        let numbers = at.shape.iter().product::<usize>() * self.n;
        let [reads, writes] = self.kinds(from, to);
        let is_copied = from.flags & HALF_X != 0 && from.count >= reads.1;
        numbers * self.dtype.size() >= BYTES_PER_CALL
            && self.n > 1
            && (is_copied || self.read_there(at, from, reads).is_some())
            && self.written_there(at, to, writes).is_some()
            && fourier::is_there()
    }

    /// One call of cuFFT: from and to where lines are, if they lie as it wants them and nothing happens to them on the way, else
    /// through lines of our own.
    fn call(&self, at: &Lines, from: Source, to: Target) -> Result<()> {
        // Where we exchange parts for an inverse, cuFFT has a direction.
        let inverse = from.flags & SWAP_X != 0;
        let from = Source { flags: from.flags & !SWAP_X, ..from };
        let to = Target { flags: to.flags & !SWAP_END, ..to };
        let to_spectrum = to.flags & HALF_Y != 0;
        let [reads, writes] = self.kinds(&from, &to);
        let flag = |(dtype, _): (DType, usize), flag: i64| if dtype.is_complex() { 0 } else { flag };
        let (mut inner, mut source, mut scale) = (at.clone(), from.address, to.scale);

        let packed = match self.read_there(at, &from, reads) {
            Some(_) => None,
            None => Some(self.room(at, reads.1, reads.0)?),
        };
        if let Some(packed) = &packed {
            inner.follow(0, reads.1);
            let mut into = at.clone();
            into.follow(1, reads.1);
            let target = Target { flags: flag(reads, REAL_Y), scale, count: reads.1, ..whole(address(packed)) };
            self.copy(&into, from, target)?;
            (source, scale) = (address(packed), 1.0);
        }

        let result = match self.written_there(at, &to, writes) {
            Some(_) => None,
            None => Some(self.room(at, writes.1, writes.0)?),
        };
        if result.is_some() {
            inner.follow(1, writes.1);
        }
        let target = result.as_ref().map_or(to.address, address);

        let lines = |k: usize, line, address| self.lines(&inner, k, line, address).expect("lines one behind the other");
        let items = at.shape.iter().product::<usize>() as i64;
        let call = Transform { n: self.n as i64, items, from: lines(0, reads, source), to: lines(1, writes, target) };
        // SAFETY: lines of operands of this device and of rooms that were made for them.
        unsafe { fourier::transform(self.queue, &call, inverse, source, target) }?;

        // A convolution leaves noise where a spectrum has no imaginary part.
        if result.is_some() || scale != 1.0 || to_spectrum && fourier::is_chirped(self.n) {
            let mut out = at.clone();
            (out.strides[0], out.steps[0]) = (inner.strides[1].clone(), inner.steps[1]);
            let made = Source { flags: flag(writes, REAL_X), ..all_of(target) };
            self.copy(&out, made, Target { scale, ..to })?;
        }
        Ok(())
    }
}

/// Lines of input and result along an axis, and both as they are but for what the transform does.
fn ends<'a>(x: &Array, y: &Array, axis: usize) -> (Lines, Source<'a>, Target<'a>) {
    let (shape, strides) = lines(y.shape(), axis, &[x.strides(), y.strides()]);
    let none = vec![0; shape.len()];
    let (x_next, y_next) = (x.strides()[axis], y.strides()[axis]);
    let strides = [strides[0].clone(), strides[1].clone(), none.clone(), none];
    let at = Lines { shape, strides, steps: [x_next, y_next, 1, 1] };
    let n = y.shape()[axis];
    let from = Source { places: n, count: x.shape()[axis], next: x_next, ..all_of(address(x)) };
    (at, from, Target { count: n, next: y_next, ..whole(address(y)) })
}

pub(crate) fn transform(queue: &Queue, op: &str, fft: &Fft, x: &Array, out: &Meta) -> Result<Array> {
    let y = Array::empty_on(queue, op, out.dtype, &out.shape)?;
    if y.size() == 0 {
        return Ok(y);
    }
    let &Fft { kind, axis, n, scale } = fft;
    let is_real = !x.dtype().is_complex();
    let (of_x, of_y) = match (kind, is_real) {
        (Kind::Hermitian, _) => (HALF_X | SWAP_X, REAL_Y | SWAP_END),
        (Kind::Real, _) => (REAL_X, HALF_Y),
        (Kind::Forward, true) => (REAL_X, HALF_Y | MIRROR_Y),
        (Kind::Inverse, true) => (REAL_X, HALF_Y | MIRROR_Y | CONJ_Y),
        (Kind::Forward, false) => (0, 0),
        (Kind::Inverse, false) => (SWAP_X, SWAP_END),
    };
    let (at, from, to) = ends(x, &y, axis);
    let count = if of_y & HALF_Y != 0 { n / 2 + 1 } else { n };
    let plan = Plan { queue, dtype: x.dtype().complex(), n };
    plan.run(&at, Source { flags: of_x, places: n, ..from }, Target { flags: of_y, scale, count, ..to }, None)?;
    Ok(y)
}

/// Transforms of cosines and sines: real parts of Fourier transforms of twice the length.
pub(crate) fn cosine(queue: &Queue, op: &str, cosine: &Cosine, x: &Array, out: &Meta) -> Result<Array> {
    let y = Array::empty_on(queue, op, out.dtype, &out.shape)?;
    if y.size() == 0 {
        return Ok(y);
    }
    let &Cosine { kind, sine, axis, n, first, scale } = cosine;
    let length = match (kind, sine) {
        (1, false) => 2 * (n - 1),
        (1, true) => 2 * (n + 1),
        _ => 2 * n,
    };
    let turns = [false, true].map(|after| Turns { kind, sine, first: first.to_bits(), after });
    let (at, from, to) = ends(x, &y, axis);
    let plan = Plan { queue, dtype: x.dtype().complex(), n: length };
    plan.run(&at, Source { flags: REAL_X, ..from }, Target { flags: REAL_Y, scale, ..to }, Some((n, turns)))?;
    Ok(y)
}
