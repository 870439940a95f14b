//! Elementary functions, within one ulp of the exact result, with the special values of C99 and NumPy.
//!
//! Reductions and reconstructions follow W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980), and
//! J.-M. Muller, "Elementary Functions" (3rd edition, 2016); corrections are kept in double-double where they reach the
//! result. The polynomials are ours, see [`coefficients`].

pub mod coefficients;
mod exp;
mod hyperbolic;
mod inverse_trig;
mod log;
mod logistic;
mod pow;
mod remainder;
mod roots;
mod trig;

pub use exp::*;
pub use hyperbolic::*;
pub use inverse_trig::*;
pub use log::*;
pub use logistic::*;
pub use pow::*;
pub use remainder::*;
pub use roots::*;
pub use trig::*;

use crate::real::{Arith, Bits, ROUND_MAGIC, Real, count};

/// `c[0] + c[1] x + ...` by Horner's rule.
#[inline(always)]
pub fn polynomial<R: Arith, const N: usize>(x: R, c: &[f64; N]) -> R {
    if N == 1 {
        return R::lit(c[0]);
    }
    let rest = two_chains::<R, 1, N>(
        x,
        #[inline(always)]
        |k| R::lit(c[k]),
    );
    rest.fma(x, R::lit(c[0]))
}

/// `c(FIRST) + c(FIRST + 1) x + ...` up to `c(END - 1)`, the longer ones by Horner's rule in `x^2` for even and odd powers side by side:
/// half as many operations wait for one another.
#[inline(always)]
pub(crate) fn two_chains<R: Arith, const FIRST: usize, const END: usize>(x: R, c: impl Fn(usize) -> R) -> R {
    let mut p = c(END - 1);
    if END - FIRST < SHORT {
        count::<1, END>(
            #[inline(always)]
            |i| {
                if i < END - FIRST {
                    p = p.fma(x, c(END - 1 - i));
                }
            },
        );
        return p;
    }
    let square = x * x;
    let mut q = c(END - 2);
    count::<2, END>(
        #[inline(always)]
        |i| {
            if i < END - FIRST {
                (p, q) = (q, p.fma(square, c(END - 1 - i)));
            }
        },
    );
    // q is the one that begins at the first coefficient.
    p.fma(x, q)
}

/// From so many coefficients on two chains are faster than one.
const SHORT: usize = 5;

/// An integral double below `2^51` in magnitude as an integer.
#[inline(always)]
pub fn to_int<R: Real>(x: R) -> R::Bits {
    (x + R::lit(ROUND_MAGIC)).to_bits().sub(R::Bits::lit(ROUND_MAGIC.to_bits() as i64))
}

/// An integer below `2^51` in magnitude as a double.
#[inline(always)]
pub fn from_int<R: Real>(i: R::Bits) -> R {
    R::from_bits(i.add(R::Bits::lit(ROUND_MAGIC.to_bits() as i64))) - R::lit(ROUND_MAGIC)
}

/// `2^k` for an integral `k` from -1022 to 1023.
#[inline(always)]
pub fn pow2<R: Real>(k: R) -> R {
    R::from_bits((k + R::lit(ROUND_MAGIC)).to_bits().add(R::Bits::lit(1023)).shl(52))
}

/// Whether the sign bit is set, also for zeros.
#[inline(always)]
pub fn is_negative<R: Real>(x: R) -> R::Mask {
    x.to_bits().lt(R::Bits::lit(0))
}

/// `x = 2^k m` with `1 <= m < 2`, as `(k, m)`, for `0 < x < inf`.
#[inline(always)]
pub fn split_exponent<R: Real>(x: R) -> (R, R) {
    let subnormal = x.lt(R::lit(f64::MIN_POSITIVE));
    let bits = R::select(subnormal, x * R::lit((1u64 << 54) as f64), x).to_bits();
    let bias = R::select(subnormal, R::lit(1023.0 + 54.0), R::lit(1023.0));
    let mantissa = bits.and(R::Bits::lit((1 << 52) - 1)).or(R::Bits::lit(1023 << 52));
    (from_int::<R>(bits.shr(52)) - bias, R::from_bits(mantissa))
}

#[cfg(test)]
mod tests;
