//! Modified Bessel functions of large order and complex argument away from the turning points `+-iv` by Debye's expansions (DLMF
//! 10.41(ii)), as [`crate::special::debye`] has them of real arguments.

use super::bessel::{ROOT_HALF_PI, decay, other_side, sized_sum};
use super::dual::ComplexDual;
use super::hypergeometric::{get, put};
use super::{Complex, abs, sqrt};
use crate::dd::Dd;
use crate::elementary::{LN2, PI, log_wide};
use crate::real::{Mask, Real, asked, count, inlined};
use crate::shared as e;
use crate::special::debye::{APART, wide_atan};
use crate::special::dual::Dual;
use crate::special::tables as t;

/// Sixteen terms are enough from this `|rho|` on, with the distance from the turning point of real arguments.
const MORE: f64 = 20.0;
/// They are from these orders on next to the real axis and inside of half the order.
const LEAST: (f64, f64) = (45.0, 62.0);
/// Arguments below `2^-400` are multiplied by `2^400` before they are squared.
const SMALL: (f64, f64) = (3.8725919148493183e-121, 400.0);

/// Which of some lanes the expansions serve in the right half-plane and a little beyond.
#[inline(always)]
pub(super) fn serves<R: Real>(v: R, w: Complex<R>, on: R::Mask) -> R::Mask {
    asked::<R>(
        on.and(v.ge(R::lit(30.0))),
        #[inline(always)]
        || {
            let root = e::cbrt(v);
            let rho = (abs(Complex::new(w.re, w.im + v)) * abs(Complex::new(w.re, w.im - v))).sqrt();
            let far = rho.ge((root * root).fma(R::lit(APART), R::lit(MORE)));
            let beside = w.im.abs().le(w.re).and(v.ge(R::lit(LEAST.0)));
            let inside = abs(w).le(v * R::lit(0.5)).and(v.ge(R::lit(LEAST.1)));
            far.or(beside).or(inside)
        },
    )
}

/// The functions up to their exponentials.
struct Parts<R: Real, const K: usize> {
    /// `rho - w - v log((v + rho) / w)`, with `rho^2 = v^2 + w^2`, by its parts
    exponent: [Dd<R>; 2],
    /// `e^-exponent I_v(w)` without what the other side of the imaginary axis adds, and `e^exponent K_v(w)`.
    first: ComplexDual<R, K>,
    second: ComplexDual<R, K>,
}

#[inline(always)]
fn parts<R: Real, const K: usize>(v: R, w: Complex<R>) -> Parts<R, K> {
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
    // The root without a cut where it is imaginary, then by Newton's method in two doubles
    let root = sqrt(Complex::new(w.re, w.im + v)) * sqrt(Complex::new(w.re, w.im - v));
    let square_re = Dd::two_prod(v, v) + (Dd::two_prod(w.re, w.re) - Dd::two_prod(w.im, w.im));
    let square_im = Dd::two_prod(w.re + w.re, w.im);
    let rest = Complex::new(
        (square_re - (Dd::two_prod(root.re, root.re) - Dd::two_prod(root.im, root.im))).value(),
        (square_im - Dd::two_prod(root.re + root.re, root.im)).value(),
    );
    let r = root.reciprocal();
    let rest = (rest * r).scale(half);
    let rho = [Dd::fast_two_sum(root.re, rest.re), Dd::fast_two_sum(root.im, rest.im)];
    // The logarithm
    let bits = R::select(abs(w).lt(R::lit(SMALL.0)), R::lit(SMALL.1), zero);
    let x = Complex::new(w.re.scale(bits), w.im.scale(bits));
    let (a, b) = (rho[0].plus(v), rho[1]);
    let size = log_wide(a * a + b * b) - log_wide(Dd::two_prod(x.re, x.re) + Dd::two_prod(x.im, x.im));
    let log_re = size.times(half) + Dd::lit(LN2.0, LN2.1).times(bits);
    let (re, im) = (a.times(x.re) + b.times(x.im), b.times(x.re) - a.times(x.im));
    let flip = inlined(
        #[inline(always)]
        |m: R::Mask, x: Dd<R>| Dd::select(m, -x, x),
    );
    let (left, below) = (re.hi.lt(zero), im.hi.lt(zero));
    let angle = wide_atan(flip(below, im), flip(left, re));
    let angle = Dd::select(left, Dd::lit(PI.0, PI.1) - angle, angle);
    let log_im = flip(below, angle);
    let exponent = [rho[0].plus(-w.re) - log_re.times(v), rho[1].plus(-w.im) - log_im.times(v)];
    // The sums
    let order = Dual::<R, K>::variable(v, 3);
    let (q, vv) = (r.square(), v * v);
    let vvq = q.scale(vv);
    let slope = (q * q).scale(-(v + v));
    let chained = ComplexDual::chain(order, [q, slope, (q * q) * (vvq.scale(R::lit(8.0)) - Complex::lit(2.0, 0.0))]);
    let square = chained.by(order * order);
    let state = R::over_rows(
        &t::DEBYE,
        put::<R, K, 16, _, _>(&[ComplexDual::lit(0.0); 2], &[]),
        #[inline(always)]
        |state, row: [R; 16]| {
            let mut term = ComplexDual::real(Dual::constant(row[15]));
            count::<1, 16>(
                #[inline(always)]
                |i| {
                    term = term * square;
                    term.re = term.re + Dual::constant(row[15 - i]);
                },
            );
            put(&[term + chained * get(&state, 1), get(&state, 0)], &[])
        },
    );
    let odd =
        ComplexDual::chain(order, [r, (q * r).scale(-v), (q * r) * (vvq.scale(R::lit(3.0)) - Complex::lit(1.0, 0.0))]);
    let (even, odd) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1) * odd);
    let rate = Complex::new(log_re.value(), log_im.value());
    let (drift, bend) = (q.scale(v * -half), q * (vvq - Complex::lit(0.5, 0.0)));
    let front = sqrt(r);
    let side = inlined(
        #[inline(always)]
        |sum: ComplexDual<R, K>, factor: f64, rate: Complex<R>, r: Complex<R>| {
            let slope = drift - rate;
            let second = slope.square() + bend - r;
            ComplexDual::chain(order, [Complex::new(one, zero), slope, second]).turned(front.scale(R::lit(factor)))
                * sum
        },
    );
    Parts {
        exponent,
        first: side(even + odd, 0.5 / ROOT_HALF_PI, rate, r),
        second: side(even - odd, ROOT_HALF_PI, rate.scale(-one), r.scale(-one)),
    }
}

/// `e^w 2^lift K_v(w)`.
#[inline(always)]
pub(super) fn falling<R: Real, const K: usize>(v: R, w: Complex<R>, lift: R, on: R::Mask) -> ComplexDual<R, K> {
    let (v, w) = inside(v, w, on);
    let Parts { exponent: [re, im], second, .. } = parts::<R, K>(v, w);
    sized_sum(second, -re, -im, lift)
}

/// `e^-w 2^lift I_v(w)`.
#[inline(always)]
pub(super) fn growing<R: Real, const K: usize>(v: R, w: Complex<R>, lift: R, on: R::Mask) -> ComplexDual<R, K> {
    let (v, w) = inside(v, w, on);
    let Parts { exponent: [re, im], first, second } = parts::<R, K>(v, w);
    let order = Dual::<R, K>::variable(v, 3);
    // What is added beyond the turning points appears where it is negligible. Between them, where the imaginary axis has the same angle
    // but for what rounds, it would be all.
    let beyond = (im.hi + w.im).abs().gt(v * R::lit(0.5 * PI.0)).and((re.hi + w.re).gt(R::lit(-1.0)));
    let other = R::when(
        beyond,
        put::<R, K, 8, _, _>(&[ComplexDual::lit(0.0)], &[]),
        #[inline(always)]
        || {
            let other = (other_side(order, w) * second).turned(decay(w)).times(R::lit(1.0 / PI.0));
            put(&[sized_sum(other, -re, -im, lift)], &[])
        },
    );
    sized_sum(first, re, im, lift) + get(&other, 0)
}

#[inline(always)]
fn inside<R: Real>(v: R, w: Complex<R>, on: R::Mask) -> (R, Complex<R>) {
    (R::select(on, v, R::lit(100.0)), Complex::select(on, w, Complex::lit(1e3, 0.0)))
}
