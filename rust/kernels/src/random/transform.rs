//! From words to standard variates, one or two per block.

use crate::Element;
use sciarray_scalar::elementary::coefficients::{COS, SIN};
use sciarray_scalar::elementary::{exp, log, log1p, polynomial};
use sciarray_scalar::printer::Source;
use sciarray_scalar::{Body, Dd, Real, named};

/// A float that variates are delivered in; `f32` results are the `f64` ones of the same stream, with fewer bits.
pub trait Float: Element {
    /// Uniform on [0, 1): as many of the word's upper bits as the type resolves below 1.
    fn uniform(word: u64) -> Self;
    fn round(value: f64) -> Self;
}

impl Float for f64 {
    #[inline(always)]
    fn uniform(word: u64) -> f64 {
        (word >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
    #[inline(always)]
    fn round(value: f64) -> f64 {
        value
    }
}

impl Float for f32 {
    #[inline(always)]
    fn uniform(word: u64) -> f32 {
        (word >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
    }
    #[inline(always)]
    fn round(value: f64) -> f32 {
        value as f32
    }
}

/// `-log(upper + lower)` for terms of which `lower` does not change the leading bits of `upper`, or `upper` is 0.
#[inline(always)]
pub fn negative_log_sum<R: Real>(upper: R, lower: R) -> R {
    named!("negative_log_sum", |upper, lower| {
        let sum = Dd::fast_two_sum(upper, lower);
        -(log(sum.hi) + sum.lo / sum.hi)
    })
}

/// Sine and cosine for `|x| <= pi/4`, to two units in the last place of the larger.
#[inline(always)]
pub fn sin_cos_reduced<R: Real>(x: R) -> [R; 2] {
    R::call_many(
        "sin_cos_reduced",
        [x],
        #[inline(always)]
        |[x]| {
            let z = x * x;
            let s = (z * x).fma(polynomial(z, &SIN), x);
            let c = (z * z).fma(polynomial(z, &COS), z.fma(R::lit(-0.5), R::lit(1.0)));
            [s, c]
        },
    )
}

/// The functions that `cuda/random.cu` calls.
pub fn print() -> String {
    struct Called;
    impl Body<1> for Called {
        type Short = ();
        type Single = Self;
        const NAME: &'static str = "called_by_random";
        fn eval<R: Real>([x]: [R; 1]) -> R {
            negative_log_sum(x, x) + sin_cos_reduced(x)[0] + exp(x) + log1p(x)
        }
    }
    let mut source = Source::new();
    source.add::<1, Called>();
    source.functions().to_owned()
}

/// Standard exponential by inversion: `-log(u)` with `u = (word + 1/2) / 2^64` held in two floats, so that the upper tail
/// reaches to 45 and the results near 0 keep their relative accuracy.
#[inline(always)]
pub fn exponential(word: u64) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << 32) as f64;
    let upper = (word >> 32) as f64 * UNIT;
    let lower = ((word & 0xFFFF_FFFF) as f64 + 0.5) * (UNIT * UNIT);
    negative_log_sum(upper, lower)
}

/// Sine and cosine of the angle `word / 2^64` turns.
#[inline(always)]
fn sin_cos(word: u64) -> (f64, f64) {
    // The nearest quarter turn, and the rest of at most an eighth on both sides.
    let shifted = word.wrapping_add(1 << 61);
    let quarter = shifted >> 62;
    let rest = (shifted & ((1 << 62) - 1)) as i64 - (1 << 61);
    let [s, c] = sin_cos_reduced(rest as f64 * (std::f64::consts::FRAC_PI_2 / (1u64 << 62) as f64));
    let (s, c) = if quarter & 1 == 0 { (s, c) } else { (c, -s) };
    if quarter & 2 == 0 { (s, c) } else { (-s, -c) }
}

/// Two independent standard normals from one block (Box and Muller 1958). The radius is as fine as [`exponential`], so the
/// tails reach to 9.4 without steps.
#[inline(always)]
pub fn normal_pair(block: [u64; 2]) -> [f64; 2] {
    let radius = (2.0 * exponential(block[0])).sqrt();
    let (s, c) = sin_cos(block[1]);
    [radius * c, radius * s]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_is_accurate_at_both_ends() {
        assert_eq!(exponential(0), 65.0 * std::f64::consts::LN_2);
        for shift in 0..64 {
            let word = u64::MAX << shift;
            let v = (2f64.powi(shift) - 0.5) * 2f64.powi(-64);
            let expected = -(-v).ln_1p();
            assert!((exponential(word) / expected - 1.0).abs() < 4e-16, "{shift}");
            let word = 1u64 << shift;
            let expected = -((2f64.powi(shift) + 0.5) * 2f64.powi(-64)).ln();
            assert!((exponential(word) / expected - 1.0).abs() < 4e-16, "{shift}");
        }
    }

    #[test]
    fn sine_and_cosine() {
        assert_eq!([0, 1, 2, 3].map(|q| sin_cos(q << 62)), [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]);
        for i in 0..4096u64 {
            let word = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) & !0x7FF;
            let angle = word as f64 * (std::f64::consts::TAU / 2f64.powi(64));
            let (s, c) = sin_cos(word);
            assert!((s - angle.sin()).abs() < 1e-15 && (c - angle.cos()).abs() < 1e-15, "{word:x}");
            assert!((s * s + c * c - 1.0).abs() < 5e-16);
        }
    }

    #[test]
    fn uniform_stays_below_one() {
        assert_eq!((f64::uniform(0), f32::uniform(0)), (0.0, 0.0));
        assert_eq!(f64::uniform(u64::MAX), 1.0 - 2f64.powi(-53));
        assert_eq!(f32::uniform(u64::MAX), 1.0 - 2f32.powi(-24));
    }
}
