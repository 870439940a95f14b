//! The instruction set chosen at run time: the one dispatch point of all loops that are compiled several times.

use std::sync::atomic::{AtomicU8, Ordering};

/// What loops are compiled for, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Isa {
    /// What every processor of the target has (SSE2 on x86-64, NEON on AArch64).
    Baseline,
    /// AVX2 with FMA, x86-64-v3.
    Avx2,
    /// AVX-512 F, CD, DQ, BW and VL, x86-64-v4.
    Avx512,
}

impl Isa {
    pub const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// The best that this processor has.
    pub fn detect() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            let v3 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            let v4 = v3
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl");
            if v4 {
                return Isa::Avx512;
            }
            if v3 {
                return Isa::Avx2;
            }
        }
        Isa::Baseline
    }
}

const UNKNOWN: u8 = u8::MAX;
static ACTIVE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The instruction set in use: the processor's best, or less if `SCIARRAY_ISA` is `baseline` or `avx2`.
#[inline]
pub fn isa() -> Isa {
    match ACTIVE.load(Ordering::Relaxed) {
        0 => Isa::Baseline,
        1 => Isa::Avx2,
        2 => Isa::Avx512,
        _ => choose(),
    }
}

#[cold]
fn choose() -> Isa {
    let wish = match std::env::var("SCIARRAY_ISA").as_deref() {
        Ok("baseline") => Isa::Baseline,
        Ok("avx2") => Isa::Avx2,
        _ => Isa::Avx512,
    };
    let chosen = wish.min(Isa::detect());
    ACTIVE.store(chosen as u8, Ordering::Relaxed);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_is_at_most_detected() {
        assert!(isa() <= Isa::detect());
        assert_eq!(isa(), isa());
    }
}
