//! Polynomials by pieces: a row of coefficients about the middle of its interval, from a table of rows.

use crate::dd::Dd;
use crate::elementary::{to_int, two_chains};
use crate::real::{Bits, Real, Rows};

/// The row's value in the middle and what the rest of its `N` coefficients adds at the distance `t`.
#[inline(always)]
fn parts<R: Real, const N: usize, const C: usize>(table: &'static Rows<N, C>, row: R::Bits, t: R) -> [R; 2] {
    let rest = two_chains::<R, 1, N>(
        t,
        #[inline(always)]
        |k| R::column(table, k, row),
    );
    [R::column(table, 0, row), rest]
}

#[inline(always)]
fn row<R: Real, const N: usize, const C: usize>(table: &'static Rows<N, C>, row: R::Bits, t: R) -> R {
    let [middle, slope] = parts(table, row, t);
    slope.fma(t, middle)
}

/// The same before it is rounded.
#[inline(always)]
fn row_sum<R: Real, const N: usize, const C: usize>(table: &'static Rows<N, C>, row: R::Bits, t: R) -> Dd<R> {
    let [middle, slope] = parts(table, row, t);
    Dd::fast_two_sum(middle, slope * t)
}

/// The row on quarters of the octaves from `2^low` on that holds `x`, and the distance from its middle.
#[inline(always)]
fn quarter<R: Real>(low: i64, x: R) -> (R::Bits, R) {
    let quarter = x.to_bits().shr(50);
    let middle = R::from_bits(quarter.shl(50).or(R::Bits::lit(1 << 49)));
    (quarter.sub(R::Bits::lit((1023 + low) << 2)), x - middle)
}

/// A table on quarters of the octaves from `2^low` on.
#[inline(always)]
pub(crate) fn octaves<R: Real, const N: usize, const C: usize>(low: i64, table: &'static Rows<N, C>, x: R) -> R {
    let (at, t) = quarter(low, x);
    row(table, at, t)
}

/// The same at `x + rest`, before it is rounded.
#[inline(always)]
pub(super) fn octaves_sum<R: Real, const N: usize, const C: usize>(
    low: i64,
    table: &'static Rows<N, C>,
    x: R,
    rest: R,
) -> Dd<R> {
    let (at, t) = quarter(low, x);
    row_sum(table, at, t + rest)
}

/// The row on intervals of the given width from `low` on that holds `x`, and the distance from its middle.
#[inline(always)]
fn interval<R: Real>(x: R, low: f64, width: f64) -> (R::Bits, R) {
    let k = ((x - R::lit(low)) * R::lit(1.0 / width)).floor();
    let middle = (k + R::lit(0.5)) * R::lit(width) + R::lit(low);
    (to_int(k), x - middle)
}

/// A table on intervals of the given width from `low` on.
#[inline(always)]
pub(crate) fn intervals<R: Real, const N: usize, const C: usize>(
    table: &'static Rows<N, C>,
    x: R,
    low: f64,
    width: f64,
) -> R {
    let (at, t) = interval(x, low, width);
    row(table, at, t)
}

/// A table on units from 0 on.
#[inline(always)]
pub(super) fn units<R: Real, const N: usize, const C: usize>(table: &'static Rows<N, C>, x: R) -> R {
    intervals(table, x, 0.0, 1.0)
}

/// The same before it is rounded.
#[inline(always)]
pub(super) fn units_sum<R: Real, const N: usize, const C: usize>(table: &'static Rows<N, C>, x: R) -> Dd<R> {
    let (at, t) = interval(x, 0.0, 1.0);
    row_sum(table, at, t)
}

/// A polynomial about the middle of `[0, end]`.
#[inline(always)]
pub(super) fn centred<R: Real, const N: usize>(c: &[f64; N], x: R, end: f64) -> R {
    crate::elementary::polynomial(x - R::lit(end / 2.0), c)
}
