//! Lanes against plain `f64`, bit for bit: operators, loops, branches, tables and bits of numbers.

use super::{F64x4, F64x8, Lanes, Twice};
use crate::bodies::{Exp, Log, Pow, Sin};
use crate::real::Body;
use crate::testing::{Euclid, Everything, Scaled, points, same_bits};

/// Compares a body over whole groups of lanes, as it is and as the function that other bodies call.
///
/// # Safety
/// The machine must have the instruction set of `L`.
unsafe fn compare<L: Lanes, const N: usize, B: Body<N>>() {
    let x = points();
    for start in (0..x[0].len()).step_by(L::LANES) {
        let mut out = vec![0.0; 2 * L::LANES];
        let (plain, called) = out.split_at_mut(L::LANES);
        // SAFETY: the columns are whole groups, and the instruction set is the caller's promise.
        unsafe {
            let args = std::array::from_fn(|j| L::load(x[j][start..start + L::LANES].as_ptr()));
            B::eval(args).store(plain.as_mut_ptr());
            L::shared::<B, N>(args).store(called.as_mut_ptr());
        }
        for (i, got) in out.into_iter().enumerate() {
            let args = std::array::from_fn(|j| x[j][start + i % L::LANES]);
            let want = B::eval(args);
            assert!(same_bits(got, want), "{}{args:?} is {got:e} in {} lanes and {want:e} in one", B::NAME, L::LANES);
        }
    }
}

/// # Safety
/// As for [`compare`].
unsafe fn compare_all<L: Lanes>() {
    // SAFETY: the caller's promise.
    unsafe {
        compare::<L, 2, Everything>();
        compare::<L, 2, Euclid>();
        compare::<L, 2, Scaled>();
        compare::<L, 1, Exp>();
        compare::<L, 1, Log>();
        compare::<L, 1, Sin>();
        compare::<L, 2, Pow>();
    }
}

#[test]
fn lanes_equal_scalars() {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: just detected.
        unsafe {
            compare_all::<F64x4>();
            compare_all::<Twice<F64x4>>();
        }
    }
    let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
    if avx512 && is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512bw") {
        // SAFETY: just detected.
        unsafe { compare_all::<F64x8>() };
    }
}
