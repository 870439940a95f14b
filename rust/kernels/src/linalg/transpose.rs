//! Matrices whose elements lie side by side, into lanes and back: transposes of blocks of 4 x 4 or 8 x 8 numbers in
//! registers, where element by element every number would take a load and a store.
#![allow(unsafe_code)]

use super::small::MAX_LANES;
use crate::isa::{Isa, isa};

/// `values[order[p]][lane] = starts[lane][p]`.
///
/// # Safety
/// As many numbers as `order` is long are readable at each of the first `W` starts, and `values` has lanes of `W` numbers at
/// all places of `order`, aligned to 32 bytes.
pub(super) type In<T> = unsafe fn(starts: &[*const T; MAX_LANES], order: &[usize], values: *mut T);

/// `starts[lane][p] = values[order[p]][lane]`.
///
/// # Safety
/// As [`In`], writable.
pub(super) type Out<T> = unsafe fn(starts: &[*mut T; MAX_LANES], order: &[usize], values: *const T);

/// A number type, of which a cache line holds as many as there are lanes.
pub(crate) trait Transpose: Sized + Copy + 'static {
    /// Both ways, if the processor has the instructions.
    fn routines() -> Option<(In<Self>, Out<Self>)>;
}

macro_rules! transpose {
    ($t:ty, $input:ident, $output:ident) => {
        impl Transpose for $t {
            fn routines() -> Option<(In<$t>, Out<$t>)> {
                match isa() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 | Isa::Avx512 => Some((x86::$input, x86::$output)),
                    _ => None,
                }
            }
        }
    };
}
transpose!(f64, in_f64, out_f64);
transpose!(f32, in_f32, out_f32);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::MAX_LANES;
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx")]
    #[inline]
    fn transpose_f64(r: [__m256d; 4]) -> [__m256d; 4] {
        let (a, b) = (_mm256_unpacklo_pd(r[0], r[1]), _mm256_unpackhi_pd(r[0], r[1]));
        let (c, d) = (_mm256_unpacklo_pd(r[2], r[3]), _mm256_unpackhi_pd(r[2], r[3]));
        [
            _mm256_permute2f128_pd::<0x20>(a, c),
            _mm256_permute2f128_pd::<0x20>(b, d),
            _mm256_permute2f128_pd::<0x31>(a, c),
            _mm256_permute2f128_pd::<0x31>(b, d),
        ]
    }

    #[target_feature(enable = "avx")]
    #[inline]
    fn transpose_f32(r: [__m256; 8]) -> [__m256; 8] {
        let pairs = [
            _mm256_unpacklo_ps(r[0], r[1]),
            _mm256_unpackhi_ps(r[0], r[1]),
            _mm256_unpacklo_ps(r[2], r[3]),
            _mm256_unpackhi_ps(r[2], r[3]),
            _mm256_unpacklo_ps(r[4], r[5]),
            _mm256_unpackhi_ps(r[4], r[5]),
            _mm256_unpacklo_ps(r[6], r[7]),
            _mm256_unpackhi_ps(r[6], r[7]),
        ];
        let quads = [
            _mm256_shuffle_ps::<0x44>(pairs[0], pairs[2]),
            _mm256_shuffle_ps::<0xee>(pairs[0], pairs[2]),
            _mm256_shuffle_ps::<0x44>(pairs[1], pairs[3]),
            _mm256_shuffle_ps::<0xee>(pairs[1], pairs[3]),
            _mm256_shuffle_ps::<0x44>(pairs[4], pairs[6]),
            _mm256_shuffle_ps::<0xee>(pairs[4], pairs[6]),
            _mm256_shuffle_ps::<0x44>(pairs[5], pairs[7]),
            _mm256_shuffle_ps::<0xee>(pairs[5], pairs[7]),
        ];
        [
            _mm256_permute2f128_ps::<0x20>(quads[0], quads[4]),
            _mm256_permute2f128_ps::<0x20>(quads[1], quads[5]),
            _mm256_permute2f128_ps::<0x20>(quads[2], quads[6]),
            _mm256_permute2f128_ps::<0x20>(quads[3], quads[7]),
            _mm256_permute2f128_ps::<0x31>(quads[0], quads[4]),
            _mm256_permute2f128_ps::<0x31>(quads[1], quads[5]),
            _mm256_permute2f128_ps::<0x31>(quads[2], quads[6]),
            _mm256_permute2f128_ps::<0x31>(quads[3], quads[7]),
        ]
    }

    macro_rules! blocks {
        ($t:ty, $edge:literal, $transpose:ident, $load:ident, $store:ident, $input:ident, $output:ident) => {
            /// # Safety
            /// As [`super::In`], with AVX.
            #[target_feature(enable = "avx")]
            pub(super) unsafe fn $input(starts: &[*const $t; MAX_LANES], order: &[usize], values: *mut $t) {
                const LANES: usize = 2 * $edge;
                let n = order.len();
                for block in (0..n).step_by($edge) {
                    // The last block overlaps the one before.
                    let p = block.min(n.max($edge) - $edge);
                    for half in [0, $edge] {
                        // SAFETY: the caller's contract.
                        unsafe {
                            if n < $edge {
                                for (p, &o) in order.iter().enumerate() {
                                    (half..half + $edge).for_each(|l| *values.add(o * LANES + l) = *starts[l].add(p));
                                }
                                continue;
                            }
                            let mut rows = [$load(starts[half].add(p)); $edge];
                            for (l, row) in rows.iter_mut().enumerate() {
                                *row = $load(starts[half + l].add(p));
                            }
                            for (k, column) in $transpose(rows).into_iter().enumerate() {
                                $store(values.add(order[p + k] * LANES + half), column);
                            }
                        }
                    }
                }
            }

            /// # Safety
            /// As [`super::Out`], with AVX.
            #[target_feature(enable = "avx")]
            pub(super) unsafe fn $output(starts: &[*mut $t; MAX_LANES], order: &[usize], values: *const $t) {
                const LANES: usize = 2 * $edge;
                let n = order.len();
                for block in (0..n).step_by($edge) {
                    let p = block.min(n.max($edge) - $edge);
                    for half in [0, $edge] {
                        // SAFETY: the caller's contract.
                        unsafe {
                            if n < $edge {
                                for (p, &o) in order.iter().enumerate() {
                                    (half..half + $edge).for_each(|l| *starts[l].add(p) = *values.add(o * LANES + l));
                                }
                                continue;
                            }
                            let mut columns = [$load(values.add(order[p] * LANES + half)); $edge];
                            for (k, column) in columns.iter_mut().enumerate() {
                                *column = $load(values.add(order[p + k] * LANES + half));
                            }
                            for (l, row) in $transpose(columns).into_iter().enumerate() {
                                $store(starts[half + l].add(p), row);
                            }
                        }
                    }
                }
            }
        };
    }
    blocks!(f64, 4, transpose_f64, _mm256_loadu_pd, _mm256_storeu_pd, in_f64, out_f64);
    blocks!(f32, 8, transpose_f32, _mm256_loadu_ps, _mm256_storeu_ps, in_f32, out_f32);
}
