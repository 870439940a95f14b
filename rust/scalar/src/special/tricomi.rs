//! Tricomi's function of moderate parameters in plain double precision.
//!
//! With `b = 1 + m + u`, `|u| <= 1/2`, the value for `1 + u` and its difference to that for `2 + u` come, where `a x` is small, from
//! the difference of both of Kummer's functions taken term by term, so that nothing is special about an integral `b`, elsewhere
//! from Miller's recurrence in `a` (N. M. Temme, "The numerical computation of the confluent hypergeometric function U(a, b, z)",
//! Numer. Math. 41, 1983), normalized by the Wronskian. From there `b` goes up, where the function dominates.

use super::beta::stirling_gap;
use super::ordered::class;
use super::tables as t;
use crate::elementary::polynomial;
use crate::real::{Mask, Real, ShortWays};
use crate::shared;

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;
/// The terms of the difference cancel by `e^(4 sqrt(a x))`.
const SERIES_TO: f64 = 2.0;
/// The most steps of Miller's recurrence, which is then as slow as the integral.
const STEPS: f64 = 1000.0;
/// The largest parameters.
const PARAMETERS_TO: f64 = 60.0;
const RANGE: f64 = 1e200;

/// The parameters of `x^(1 - b) U(a - b + 1, 2 - b, x)` for `b < 1`, or the given ones, and which they are.
#[inline(always)]
fn turned<R: Real>(a: R, b: R) -> (R, R, R::Mask) {
    let one = R::lit(1.0);
    let turn = b.lt(one);
    let rise = one - b;
    (R::select(turn, a + rise, a), R::select(turn, one + rise, b), turn)
}

/// From where the recurrence in `a` begins.
#[inline(always)]
fn steps<R: Real>(a: R, x: R) -> R {
    // What it leaves of the other solution is e^(-4 sqrt((a + n) x) + 4 sqrt(a x)).
    let root = (a * x).sqrt() + R::lit(9.4);
    (root * root / x - a).floor() + R::lit(3.0)
}

/// Where [`moderate`] serves, and where that is by the series.
#[inline(always)]
fn region<R: Real>(a: R, b: R, x: R) -> [R::Mask; 2] {
    let most = R::lit(PARAMETERS_TO);
    let (p, q, _) = turned(a, b);
    let series = x.le(R::lit(1.0)).and((p * x).le(R::lit(SERIES_TO)));
    let on = p.gt(R::lit(1e-100)).and(p.lt(most)).and(q.lt(most)).and(x.gt(R::lit(1e-200))).and(x.lt(most));
    [on.and(series.or(steps(p, x).lt(R::lit(STEPS)))), series]
}

/// `U(a, 1 + u, x)` and `U(a, 2 + u, x) - U(a, 1 + u, x)` over `x^-u / gamma(a)`, given `1/gamma(1 + u)` and `1/gamma(1 - u)` as half
/// of their sum and of their difference over `u`.
#[inline(always)]
fn difference<R: Real>(a: R, u: R, x: R, even: R, odd: R, on: R::Mask) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let from = R::lit(8.5);
    // (a)_j, and what (a - u)_j has more over u, up to where Stirling's series begins
    let (mut top, mut rise, mut unit) = (a, zero, one);
    for _ in 0..9 {
        let below = top.lt(from);
        rise = R::select(below, rise.fma(top - u, -unit), rise);
        unit = R::select(below, unit * top, unit);
        top = R::select(below, top + one, top);
    }
    let ratio = rise / unit;
    // ((x^u gamma(a) / gamma(a - u)) - 1) / u, the power by what it or its reciprocal has above 1
    let log = u.fma(shared::log(x * top), stirling_gap(u, top - u).value());
    let more = shared::expm1(log.abs());
    let (grown, excess) = (one + more, more / u);
    let gap = R::select(log.lt(zero), (ratio - excess) / grown, ratio.fma(grown, excess));
    let first = even * gap - odd * (one + u.fma(gap, one));
    let second = u.fma(odd, even);
    let [_, _, _, sum, slope] = R::repeat(
        [zero, first, second, first, second],
        100,
        #[inline(always)]
        |[k, f, q, sum, slope]| {
            let (next, at) = (k + one, a + k);
            let (left, right) = (next - u, next + u);
            let unit = x / (left * right * next);
            let f = (f * at * left + q * (right - at - at)) * unit;
            let q = q * (at - u) * right * unit;
            let step = next.fma(f, q);
            let more = f.abs().gt(sum.abs() * R::lit(EPS / 8.0)).or(step.abs().gt(slope.abs() * R::lit(EPS / 8.0)));
            ([next, f, q, sum + f, slope + step], more.and(on))
        },
    );
    // -gamma(1 + u) gamma(1 - u)
    let scale = one / (u * odd * (u * odd) - even * even);
    [scale * sum, -(scale * slope / x)]
}

/// The same by Miller's recurrence.
#[inline(always)]
fn recurrence<R: Real>(a: R, u: R, x: R, rgamma: R, on: R::Mask) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    // DLMF 13.3.7
    let [_, value, above] = R::repeat(
        [steps(a, x), one, zero],
        STEPS as u32 + 3,
        #[inline(always)]
        |[k, value, above]| {
            let at = a + k;
            let below = (at + at - u + (x - one)) * value - at * (at - u) * above;
            let scale = R::select(below.gt(R::lit(RANGE)), R::lit(RANGE.recip()), one);
            let go = k.ge(one);
            let left = k - one;
            let out = [left, R::select(go, below * scale, value), R::select(go, value * scale, above)];
            (out, left.ge(one).and(on))
        },
    );
    // M and x M' for the Wronskian, DLMF 13.2.34
    let [_, _, kummer, slope] = R::repeat(
        [zero, one, one, zero],
        400,
        #[inline(always)]
        |[k, term, sum, slope]| {
            let next = k + one;
            let term = term * (a + k) * x / ((next + u) * next);
            let step = term * next;
            ([next, term, sum + term, slope + step], step.gt(slope * R::lit(EPS / 8.0)).and(on))
        },
    );
    let fall = (a - u) * (a * above / value);
    let first = shared::exp(x) / (rgamma * kummer.fma(a - fall, slope));
    [first, first * (a - fall) / x]
}

/// `U(a, b, x)` and whether it is found here.
#[inline(always)]
pub(super) fn moderate<R: Real>(a: R, b: R, x: R) -> (R, R::Mask) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let [on, series] = region(a, b, x);
    let [out] = R::when(
        on,
        [zero],
        #[inline(always)]
        || {
            let inside = |v: R| R::select(on, v, one);
            let (b, x) = (inside(b), inside(x));
            let (p, q, turn) = turned(inside(a), b);
            let above = q - one;
            let m = above.round();
            let u = above - m;
            let u = R::select(u.abs().lt(R::lit(1e-20)), R::lit(1e-20), u);
            let z = u * u;
            let (even, odd) = (polynomial(z, &t::RGAMMA_EVEN), polynomial(z, &t::RGAMMA_ODD));
            let start = R::when(
                series,
                [one, one],
                #[inline(always)]
                || {
                    let pick = |v: R| R::select(series, v, R::lit(0.5));
                    difference(pick(p), pick(u), pick(x), even, odd, on.and(series))
                },
            );
            let far = on.and(series.not());
            let [first, rise] = R::when(
                far,
                start,
                #[inline(always)]
                || {
                    let pick = |v: R, other: R| R::select(far, v, other);
                    recurrence(pick(p, one), pick(u, zero), pick(x, one), even - u * odd, far)
                },
            );
            let [_, value, _] = R::repeat(
                [zero, first, rise],
                PARAMETERS_TO as u32,
                #[inline(always)]
                |[k, value, rise]| {
                    // DLMF 13.3.8 and 13.3.9: a sum of positive terms
                    let next = k + one;
                    let above = ((u + next) * rise + p * value) / x;
                    let go = k.lt(m);
                    let out = [next, R::select(go, value + rise, value), R::select(go, above, rise)];
                    (out, next.lt(m).and(on))
                },
            );
            let power = shared::exp(-(u * shared::log(x)));
            let [scale] = R::when(
                turn,
                [one],
                #[inline(always)]
                || [shared::pow(x, one - b)],
            );
            [value * power * shared::rgamma(p) * scale]
        },
    );
    (out, on.and(out.lt(R::lit(INF))).and(out.gt(R::lit(f64::MIN_POSITIVE))))
}

/// By how Tricomi's function is found, and the number of steps.
pub struct ByRecurrence;
impl ShortWays<3> for ByRecurrence {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [a, b, x]: [R; 3]) -> [R; 2] {
        let [on, series] = region(a, b, x);
        let (p, _, _) = turned(a, b);
        let length = R::select(series, R::lit(0.0), steps(p, x) * R::lit(1.0 / STEPS));
        [R::lit(0.0), class(R::select(on, length, R::lit(1.0)))]
    }
}
