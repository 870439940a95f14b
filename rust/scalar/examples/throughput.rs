//! Nanoseconds per element of registered functions, per instruction set: `throughput [NAME ...]` where all arguments go from 0.01 to
//! 0.99, `throughput --points NAME < doubles` at given points, the arguments interleaved in native byte order.
#![allow(unsafe_code)]

use std::hint::black_box;
use std::io::Read;
use std::time::Instant;

use sciarray_scalar::bodies::{Visitor, for_each};
use sciarray_scalar::simd::{F64x4, F64x8};
use sciarray_scalar::{Body, Lanes};

const POINTS: usize = 1 << 14;
const ROUNDS: usize = 20;
/// The most lanes of an instruction set.
const LONGEST: usize = 8;

/// # Safety
/// The machine must have the instruction set of `L`.
#[inline(always)]
unsafe fn map<L: Lanes, const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    for i in (0..out.len()).step_by(L::LANES) {
        // SAFETY: the lengths are equal multiples of the lanes.
        unsafe { B::eval(x.map(|x| L::load(x.as_ptr().add(i)))).store(out.as_mut_ptr().add(i)) }
    }
}

/// # Safety
/// None: plain code.
unsafe fn plain<const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    // SAFETY: `f64` needs no instruction set.
    unsafe { map::<f64, N, B>(x, out) }
}

/// # Safety
/// The machine must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    // SAFETY: the caller's promise.
    unsafe { map::<F64x4, N, B>(x, out) }
}

/// # Safety
/// The machine must have AVX-512 F, DQ, VL and BW.
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw")]
unsafe fn avx512<const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    // SAFETY: the caller's promise.
    unsafe { map::<F64x8, N, B>(x, out) }
}

fn time<const N: usize>(rounds: usize, f: unsafe fn([&[f64]; N], &mut [f64]), x: [&[f64]; N]) -> f64 {
    let mut out = vec![0.0; x[0].len()];
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        // SAFETY: the caller has detected the instruction set.
        unsafe { f(black_box(x), black_box(&mut out)) };
        best = best.min(start.elapsed().as_secs_f64());
    }
    best / out.len() as f64 * 1e9
}

struct Measure {
    names: Vec<String>,
    points: Option<Vec<f64>>,
}

impl Visitor for Measure {
    fn visit<const N: usize, B: Body<N>>(&mut self) {
        if !self.names.is_empty() && !self.names.iter().any(|n| n == B::NAME) {
            return;
        }
        let arguments: [Vec<f64>; N] = std::array::from_fn(|k| match &self.points {
            Some(points) => points.as_chunks::<N>().0.iter().map(|x| x[k]).collect(),
            None => (0..POINTS).map(|i| 0.01 + 0.98 * i as f64 / POINTS as f64).collect(),
        });
        let whole = arguments[0].len() / LONGEST * LONGEST;
        let x = arguments.each_ref().map(|x| &x[..whole]);
        let mut row = format!("{:14} f64 {:7.2}", B::NAME, time(3, plain::<N, B>, x));
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            row += &format!("  AVX2 {:6.2}", time(ROUNDS, avx2::<N, B>, x));
        }
        if is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
            row += &format!("  AVX-512 {:6.2}", time(ROUNDS, avx512::<N, B>, x));
        }
        println!("{row}");
    }
}

fn main() -> std::io::Result<()> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let mut points = None;
    if names.first().is_some_and(|n| n == "--points") {
        names.remove(0);
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        points = Some(bytes.as_chunks::<8>().0.iter().map(|b| f64::from_ne_bytes(*b)).collect());
    }
    for_each(&mut Measure { names, points });
    Ok(())
}
