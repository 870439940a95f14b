//! The exact distribution of Smirnov's one-sided statistic and its inverse.

use super::incgamma::log_excess;
use crate::dd::Dd;
use crate::elementary::{exp_dd, log1p_sum};
use crate::named;
use crate::real::{Mask, Real, inlined};
use crate::shared;

/// The sum has as many terms as the sample; larger ones are NaN.
const MAX_SIZE: f64 = 1e6;

/// `d sum_j binom(n, j) p^(j-1) q^(n-j)` with `p = d + j/n`, `q = 1 - p > 0` (N. V. Smirnov, "Approximate laws of distribution of
/// random variables from empirical data", 1944), and its derivatives up to `ORDER` for integral `n >= 1` and `0 < d < 1`. All
/// terms of the value are positive.
#[inline(always)]
fn sums<R: Real, const ORDER: usize>(n: R, d: R, on: R::Mask) -> [R; 3] {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let n = R::select(on, n, one);
    let d = R::select(on, d, R::lit(0.5));
    let rest = Dd::two_sum(one, -d);
    let log = log1p_sum(Dd::new(-d, zero), zero);
    let power = inlined(
        #[inline(always)]
        |k: R| exp_dd(log.times(k)),
    );
    let mut first = [power(n), zero, zero];
    if ORDER > 0 {
        first[1] = -n * power(n - one);
        if ORDER > 1 {
            first[2] = n * (n - one) * power(n - two);
        }
    }
    let state = R::repeat(
        [first[0], zero, first[1], first[2], one],
        MAX_SIZE as u32,
        #[inline(always)]
        |[sum, low, slope, bend, j]| {
            let part = Dd::new(j, zero) / Dd::new(n, zero);
            let (p, q) = (part.plus(d), rest + -part);
            let go = q.hi.gt(zero).and(j.lt(n)).and(on);
            let (u, v) = (R::select(go, p.hi, R::lit(0.5)), R::select(go, q.hi, R::lit(0.5)));
            let (i, left) = (R::select(go, j, one), R::select(go, n - j, one));
            let front = shared::beta_front(i + one, left + one, u, v);
            // The front takes the smaller of p and q as exact: what rounding that does to their powers
            let (below, after) = ((i - one) / u, left / v);
            let fix = R::select(u.lt(v), (below - after) * p.lo, (after - below) * q.lo) + one;
            let share = R::select(go, front / (u * u * v * (n + one)) * fix, zero);
            let term = Dd::two_sum(sum, share * d);
            let (mut slope, mut bend) = (slope, bend);
            if ORDER > 0 {
                // p' = 1, q' = -1, and the logarithmic derivative of d p^(j-1) q^(n-j) times d
                let uv = u * v;
                let rate = i / (n * u) - n * d * d / uv;
                slope = slope + share * rate;
                if ORDER > 1 {
                    let steep = -((n * d + one) / u + n * d / v);
                    let curve = -(i / (n * u * u)) - n * (two * d / uv - d * d * (v - u) / (uv * uv));
                    bend = bend + share * (rate * steep + curve);
                }
            }
            ([term.hi, low + term.lo, slope, bend, j + one], go)
        },
    );
    [(state[0] + state[1]).min(one), state[2], state[3]]
}

/// Whether there is such a sample.
#[inline(always)]
fn sample<R: Real>(n: R) -> R::Mask {
    n.ge(R::lit(1.0)).and(n.le(R::lit(MAX_SIZE))).and(n.floor().eq(n))
}

/// One of the functions with its values at 0 and 1.
#[inline(always)]
fn survival<R: Real, const ORDER: usize>(n: R, d: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let known = sample(n);
    // The derivatives at 0 are those of the nearest inner point.
    let (above, at) = if ORDER == 0 { (d.gt(zero), d) } else { (d.ge(zero), d.max(R::lit(f64::MIN_POSITIVE))) };
    let on = known.and(above).and(d.lt(one));
    let out = R::select(on, sums::<R, ORDER>(n, at, on)[ORDER], R::lit(f64::NAN));
    // Next to 1 it is `(1 - d)^n`.
    let end = R::select(n.eq(R::lit(ORDER as f64)), R::lit([0.0, -1.0, 2.0][ORDER]), zero);
    let out = R::select(known.and(d.eq(one)), end, out);
    if ORDER == 0 { R::select(known.and(d.eq(zero)), one, out) } else { out }
}

/// The probability that a sample of `n` has an empirical distribution function that exceeds the true one by at least `d` somewhere.
#[inline(always)]
pub fn smirnov<R: Real>(n: R, d: R) -> R {
    named!("smirnov", |n, d| survival::<R, 0>(n, d))
}

/// The derivative of [`smirnov`] in `d`.
#[inline(always)]
pub fn smirnov_dx<R: Real>(n: R, d: R) -> R {
    named!("smirnov_dx", |n, d| survival::<R, 1>(n, d))
}

/// The second derivative of [`smirnov`] in `d`.
#[inline(always)]
pub fn smirnov_dxx<R: Real>(n: R, d: R) -> R {
    named!("smirnov_dxx", |n, d| survival::<R, 2>(n, d))
}

/// The `d` with `smirnov(n, d) = p`: Newton's method on the logarithm, halving where it leaves the bracket.
#[inline(always)]
pub fn smirnovi<R: Real>(n: R, p: R) -> R {
    named!("smirnovi", |n, p| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let known = sample(n);
        let inside = known.and(p.gt(zero)).and(p.lt(one));
        let wanted = R::select(inside, p, half);
        let size = R::select(inside, n, one);
        let start = (-shared::log(wanted) / (size + size)).sqrt().min(R::lit(0.9));
        let [x, ..] = R::repeat(
            [start, zero, one],
            200,
            #[inline(always)]
            |[x, low, high]| {
                let [value, slope, _] = sums::<R, 1>(size, x, inside);
                let excess = log_excess(value, wanted);
                let left = excess.gt(zero);
                let (low, high) = (R::select(left, x, low), R::select(left, high, x));
                let newton = x - excess * value / slope;
                let next = R::select(newton.gt(low).and(newton.lt(high)), newton, (low + high) * half);
                let done = (newton - x).abs().le(x * R::lit(4e-16));
                let moved = (next - x).abs().gt(x * R::lit(2e-16));
                ([R::select(done, x, next), low, high], done.not().and(moved).and(inside))
            },
        );
        let out = R::select(inside, x, R::lit(f64::NAN));
        R::select(known.and(p.eq(zero)), one, R::select(known.and(p.eq(one)), zero, out))
    })
}
