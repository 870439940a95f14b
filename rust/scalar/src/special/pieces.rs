//! Polynomials by pieces: a gathered row of coefficients about the middle of its interval.

use crate::elementary::{from_int, to_int};
use crate::real::{Bits, Real, Table};

/// Horner's rule on `N` coefficients of a row.
#[inline(always)]
fn row<R: Real, const N: usize>(table: &'static Table, row: R::Bits, t: R) -> R {
    let at = to_int(from_int::<R>(row) * R::lit(N as f64));
    let mut p = R::gather(table, at.add(R::Bits::lit(N as i64 - 1)));
    for k in (0..N - 1).rev() {
        p = p.fma(t, R::gather(table, at.add(R::Bits::lit(k as i64))));
    }
    p
}

/// A table on quarters of the octaves from `2^LOW` on.
#[inline(always)]
pub(super) fn octaves<R: Real, const LOW: i64, const N: usize>(table: &'static Table, x: R) -> R {
    let quarter = x.to_bits().shr(50);
    let middle = R::from_bits(quarter.shl(50).or(R::Bits::lit(1 << 49)));
    row::<R, N>(table, quarter.sub(R::Bits::lit((1023 + LOW) << 2)), x - middle)
}

/// A table on intervals of the given width from `low` on.
#[inline(always)]
pub(super) fn intervals<R: Real, const N: usize>(table: &'static Table, x: R, low: f64, width: f64) -> R {
    let k = ((x - R::lit(low)) * R::lit(1.0 / width)).floor();
    let middle = (k + R::lit(0.5)) * R::lit(width) + R::lit(low);
    row::<R, N>(table, to_int(k), x - middle)
}

/// A table on units from 0 on.
#[inline(always)]
pub(super) fn units<R: Real, const N: usize>(table: &'static Table, x: R) -> R {
    intervals::<R, N>(table, x, 0.0, 1.0)
}

/// A polynomial about the middle of `[0, end]`.
#[inline(always)]
pub(super) fn centred<R: Real, const N: usize>(c: &[f64; N], x: R, end: f64) -> R {
    crate::elementary::polynomial(x - R::lit(end / 2.0), c)
}
