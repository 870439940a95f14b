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

use crate::real::{Arith, Bits, ROUND_MAGIC, Real};

/// `c[0] + c[1] x + ...` by Horner's rule.
#[inline(always)]
pub fn polynomial<R: Arith, const N: usize>(x: R, c: &[f64; N]) -> R {
    let mut p = R::lit(c[N - 1]);
    for i in (0..N - 1).rev() {
        p = p.fma(x, R::lit(c[i]));
    }
    p
}

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
