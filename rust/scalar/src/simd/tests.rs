//! Lanes against plain `f64`, bit for bit, over every registered function.

#[cfg(target_feature = "avx512f")]
use super::F64x8;
use super::{F64x4, Lanes};
use crate::bodies::{Visitor, for_each};
use crate::complex::{Complex, ComplexBody, bodies as complex_bodies};
use crate::real::{Body, Real};
use crate::testing::{is_slow, points, same_bits};

/// Runs a body over whole groups of lanes, as the function that other bodies call: each is compiled once.
///
/// # Safety
/// The machine must have the instruction set of `L`.
#[inline(always)]
unsafe fn run<L: Lanes, const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    for start in (0..out.len() / L::LANES * L::LANES).step_by(L::LANES) {
        // SAFETY: the group ends inside every slice, and the instruction set is the caller's promise.
        unsafe {
            let args = std::array::from_fn(|j| L::load(x[j][start..start + L::LANES].as_ptr()));
            L::shared::<B, N>(args).store(out[start..start + L::LANES].as_mut_ptr());
        }
    }
}

/// # Safety
/// The machine must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    // SAFETY: the caller's promise.
    unsafe { run::<F64x4, N, B>(x, out) }
}

/// Where the whole build is for such a machine, as in `make test-deep`: all functions at these lanes take minutes to compile, and
/// tests/test_instruction_sets.py compares those that users see.
///
/// # Safety
/// The machine must have AVX-512 F, DQ, VL and BW.
#[cfg(target_feature = "avx512f")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw")]
unsafe fn avx512<const N: usize, B: Body<N>>(x: [&[f64]; N], out: &mut [f64]) {
    // SAFETY: the caller's promise.
    unsafe { run::<F64x8, N, B>(x, out) }
}

struct Compare {
    columns: Vec<Vec<f64>>,
}

impl Visitor for Compare {
    fn visit<const N: usize, B: Body<N>>(&mut self) {
        // Functions of more arguments get the two columns in turn.
        let from = if is_slow(B::NAME, N) { self.columns[0].len() - 1600 } else { 0 };
        let x: [&[f64]; N] = std::array::from_fn(|j| &self.columns[j % 2][from..]);
        let mut out = vec![0.0; x[0].len()];
        let check = |out: &[f64], lanes: &str| {
            for (i, &got) in out.iter().enumerate() {
                let args = std::array::from_fn(|j| x[j][i]);
                let want = f64::shared::<B, N>(args);
                assert!(same_bits(got, want), "{}{args:?} is {got:e} in {lanes} and {want:e} in f64", B::NAME);
            }
        };
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: just detected.
            unsafe { avx2::<N, B>(x, &mut out) };
            check(&out, "AVX2");
        }
        #[cfg(target_feature = "avx512f")]
        if has_avx512() {
            // SAFETY: just detected.
            unsafe { avx512::<N, B>(x, &mut out) };
            check(&out, "AVX-512");
        }
    }
}

#[cfg(target_feature = "avx512f")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
}

#[test]
fn lanes_equal_scalars() {
    for_each(&mut Compare { columns: points(50_000) });
}

/// Runs a complex body over whole groups of lanes; the parts of its arguments are the columns in turn.
///
/// # Safety
/// The machine must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn complex_avx2<const N: usize, B: ComplexBody<N>>(x: &[Vec<f64>], out: &mut [Vec<f64>; 2]) {
    const LANES: usize = F64x4::LANES;
    for start in (0..x[0].len() / LANES * LANES).step_by(LANES) {
        // SAFETY: the group ends inside every column, and the instruction set is the caller's promise.
        unsafe {
            let part = |j: usize| F64x4::load(x[j % x.len()][start..start + LANES].as_ptr());
            let z = std::array::from_fn(|j| Complex::new(part(2 * j), part(2 * j + 1)));
            let w = F64x4::shared_complex::<B, N>(z);
            w.re.store(out[0][start..start + LANES].as_mut_ptr());
            w.im.store(out[1][start..start + LANES].as_mut_ptr());
        }
    }
}

impl complex_bodies::Visitor for Compare {
    fn visit<const N: usize, B: ComplexBody<N>>(&mut self) {
        let x = &self.columns;
        let mut out = [vec![0.0; x[0].len()], vec![0.0; x[0].len()]];
        let check = |out: &[Vec<f64>; 2], lanes: &str| {
            for i in 0..x[0].len() {
                let part = |j: usize| x[j % x.len()][i];
                let z = std::array::from_fn(|j| Complex::new(part(2 * j), part(2 * j + 1)));
                let want = f64::shared_complex::<B, N>(z);
                let same = same_bits(out[0][i], want.re) && same_bits(out[1][i], want.im);
                assert!(same, "{} of row {i} is {:?} in {lanes} and {want:?} in f64", B::NAME, [out[0][i], out[1][i]]);
            }
        };
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: just detected.
            unsafe { complex_avx2::<N, B>(x, &mut out) };
            check(&out, "AVX2");
        }
    }
}

/// Under AVX2 alone: no loop over complex numbers is compiled for AVX-512.
#[test]
fn complex_lanes_equal_scalars() {
    let columns = points(10_000);
    let from = columns[0].len() - 800;
    complex_bodies::for_each(&mut Compare { columns: columns.iter().map(|c| c[from..].to_vec()).collect() });
}
