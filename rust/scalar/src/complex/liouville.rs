//! Slopes of scaled modified Bessel functions between the differences of neighbours and Hankel's expansions, by the Liouville-Green
//! expansion (DLMF 2.7) of the slopes of their logarithms.

use super::bessel::{decay, other_side, values};
use super::dual::ComplexDual;
use super::hypergeometric::{get, put};
use super::{Complex, bodies as c, sqrt};
use crate::real::{Real, Rows, each, inlined};
use crate::special::bessel_order::HIGHEST;
use crate::special::dual::Dual;
use std::f64::consts::FRAC_1_PI;

/// The number of terms, whose last ones leave less than a rounding from `|w| = 40` on.
const TERMS: usize = 16;

/// The coefficients in `q = v^2 / r^2`, `r^2 = w^2 + v^2`, of `p_k`, with which `sum r^(1 - k) p_k` is `w` times the slope of the logarithm
/// of `I_v`, and, with alternating signs, of `K_v`; then of those of the derivative `w d/dw` of that sum less the sum itself. As `y = I_v`
/// fulfills `(w d/dw)^2 y = r^2 y`, `-2 p_{k + 1}` is the part of `w d/dw (r^(1 - k) p_k)` before its power, and `sum p_j p_{k + 1 - j}`.
/// A row for each `k`, the last one first.
static COEFFICIENTS: Rows<{ 2 * TERMS + 1 }, { TERMS - 1 }> = Rows::new("liouville", {
    let mut columns = [[0.0; TERMS - 1]; 2 * TERMS + 1];
    let mut p = [[0.0; TERMS + 1]; TERMS];
    p[0][0] = 1.0;
    let mut k = 0;
    while k < TERMS {
        let mut slope = [0.0; TERMS + 1];
        let mut i = 0;
        while i <= k {
            let part = (1.0 - (k + 2 * i) as f64) * p[k][i];
            slope[i] += part;
            slope[i + 1] -= part;
            i += 1;
        }
        if k > 0 {
            i = 0;
            while i <= TERMS {
                columns[TERMS + i][TERMS - 1 - k] = slope[i] - p[k][i];
                if i < TERMS {
                    columns[i][TERMS - 1 - k] = p[k][i];
                }
                i += 1;
            }
        }
        if k + 1 < TERMS {
            let mut j = 1;
            while j <= k {
                let mut a = 0;
                while a <= j {
                    let mut b = 0;
                    while b <= k + 1 - j {
                        slope[a + b] += p[j][a] * p[k + 1 - j][b];
                        b += 1;
                    }
                    a += 1;
                }
                j += 1;
            }
            i = 0;
            while i <= k + 1 {
                p[k + 1][i] = -0.5 * slope[i];
                i += 1;
            }
        }
        k += 1;
    }
    columns
});

/// `sum p_k r^(k - 1)` and the same of `-r`, of both kinds of coefficients, from `k = 1` on.
#[inline(always)]
fn sums<R: Real, const K: usize>(r: ComplexDual<R, K>, q: ComplexDual<R, K>) -> [ComplexDual<R, K>; 4] {
    let state = R::over_rows(
        &COEFFICIENTS,
        put::<R, K, 32, _, _>(&[ComplexDual::lit(0.0); 4], &[]),
        #[inline(always)]
        |state, row| {
            let horner = inlined(
                #[inline(always)]
                |first: usize, end: usize| {
                    let mut p = ComplexDual::lit(0.0);
                    for i in (first..end).rev() {
                        p = p * q;
                        p.re.0[0] = p.re.0[0] + row[i];
                    }
                    p
                },
            );
            let (value, bend) = (horner(0, TERMS), horner(TERMS, 2 * TERMS + 1));
            let sum = inlined(
                #[inline(always)]
                |i: usize| get::<R, K>(&state, i) * r,
            );
            put(&[sum(0) + value, value - sum(1), sum(2) + bend, bend - sum(3)], &[])
        },
    );
    each(
        #[inline(always)]
        |i| get(&state, i),
    )
}

/// Of `e^-w I_v` and of `e^w K_v`: `w` times the slope of the logarithm, and `w^2` times the slope of that.
#[inline(always)]
fn log_slopes<R: Real, const K: usize>(v: Dual<R, K>, w: Complex<R>) -> [[ComplexDual<R, K>; 2]; 2] {
    let order = Complex::new(v.value(), R::lit(0.0));
    let share = order / w;
    let base = share.square();
    let root = w * sqrt(Complex::new(base.re + R::lit(1.0), base.im));
    let inverse = root.reciprocal();
    // The derivatives in `v` of the root and of its difference to `w` are the same.
    let (first, second) = (order * inverse, w.square() * inverse.square() * inverse);
    let r = ComplexDual::chain(v, [root, first, second]);
    let beyond = ComplexDual::chain(v, [order.square() / (root + w), first, second]);
    let inverse = r.inverted(inverse);
    let part = inverse.by(v);
    let q = part * part;
    let [first, second, first_bend, second_bend] = sums(inverse, q);
    let bend = q * r;
    [[first + beyond, first_bend - bend], [second - beyond, second_bend + bend]]
}

/// The derivative `n` in `w` of `e^-w I_v` (`kind` = 0; `w` not left of the imaginary axis) or `e^w K_v` (1), or its derivative in the
/// order, for `|w| >= 40` and `|w| >= 3 |v|`: up to the second by [`log_slopes`], those after it by the differential equation.
#[inline(always)]
pub(super) fn slope<R: Real, const K: usize>(kind: R, n: R, v: R, w: Complex<R>) -> Complex<R> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let v = Dual::<R, K>::variable(v, 3);
    let first = kind.eq(zero);
    let [[i_slope, i_bend], [k_slope, k_bend]] = log_slopes(v, w);
    let k = values::<R, K, c::Kve, c::KveDv, c::KveDvv>(v, w);
    let inside = Complex::select(first, w, Complex::lit(50.0, 0.0));
    let i = values::<R, K, c::IvTurned, c::IvTurnedDv, c::IvTurnedDvv>(v, inside);
    // What the expansion of `I` leaves out
    let share = decay(inside).scale(R::select(first, R::lit(FRAC_1_PI), zero));
    let other = (other_side(v, w) * k).turned(share);
    let main = ComplexDual::select(first, i - other, k);
    let slope = ComplexDual::select(first, i_slope, k_slope);
    let bend = ComplexDual::select(first, i_bend, k_bend);
    let other_slope = k_slope - ComplexDual::constant(w.scale(two));
    let r = w.reciprocal();
    let r2 = r.square();
    let mut all = [main + other; HIGHEST as usize + 1];
    all[1] = (main * slope + other * other_slope).turned(r);
    all[2] = (main * (slope * slope + bend) + other * (other_slope * other_slope + k_bend)).turned(r2);
    // g'' = a g' + b g
    let sign = R::select(first, -one, one);
    let square = ComplexDual::real(v * v).turned(r2);
    let a = [Complex::new(sign * two - r.re, -r.im), r2, (r2 * r).scale(-two)];
    let b = [
        square + ComplexDual::constant(r.scale(sign)),
        square.turned(r.scale(-two)) - ComplexDual::constant(r2.scale(sign)),
        square.turned(r2.scale(R::lit(6.0))) + ComplexDual::constant((r2 * r).scale(sign * two)),
    ];
    let with = inlined(
        #[inline(always)]
        |x: Complex<R>, y: ComplexDual<R, K>| ComplexDual::constant(x) + y,
    );
    all[3] = all[2].turned(a[0]) + all[1] * with(a[1], b[0]) + all[0] * b[1];
    all[4] = all[3].turned(a[0])
        + all[2] * with(a[1].scale(two), b[0])
        + all[1] * with(a[2], b[1].times(two))
        + all[0] * b[2];
    let mut out = ComplexDual::nan();
    for (m, &value) in all.iter().enumerate() {
        out = ComplexDual::select(n.eq(R::lit(m as f64)), value, out);
    }
    out.top()
}
