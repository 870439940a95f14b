//! Distribution functions solved for their parameters, and Tukey's distribution, which is given by its quantiles.

use super::incgamma::log_excess;
use crate::named;
use crate::real::{Mask, Real, ShortWays, asked, inlined};
use crate::shared;
use std::f64::consts::EULER_GAMMA;

const INF: f64 = f64::INFINITY;
/// The residual of what counts as a root where there may be none.
const MISSED: f64 = 1e-6;

/// The root in `(0, end)` of a falling function of a positive number by secants of `f` over the logarithm, halving where they
/// leave the bracket, and the last value of `f`; NaN where the mask is not set. Derivatives in shapes cost ten times as much as
/// values. A convex function that rises again, where `CONVEX`, has no root ahead: secants from the left do not leap over one.
#[inline(always)]
fn root<R: Real, const CONVEX: bool>(start: R, end: R, on: R::Mask, f: impl Fn(R) -> R) -> [R; 2] {
    let zero = R::lit(0.0);
    let found = R::when(
        on,
        [R::lit(f64::NAN); 5],
        #[inline(always)]
        || {
            R::repeat(
                [start, R::lit(1e-300), end, zero, zero],
                500,
                #[inline(always)]
                |[a, low, high, step, before]| {
                    let value = f(a);
                    let left = value.gt(zero);
                    let low = R::select(left, a, low);
                    let high = R::select(left, high, a);
                    let secant = -value * step / (value - before);
                    let secant = R::select(step.eq(zero), R::lit(1.0 / 32.0).copysign(value), secant);
                    // Where the tail is 1 to all digits the root lies ahead, but for a function that may have none.
                    let same = value.eq(before).and(step.ne(zero));
                    let plateau = if CONVEX { R::Mask::lit(false) } else { same.and(value.abs().gt(R::lit(MISSED))) };
                    let secant = R::select(plateau, R::lit(2.0).copysign(value), secant);
                    let limited = secant.min(R::lit(2.0)).max(R::lit(-2.0));
                    let next = a * shared::exp(limited);
                    let inside = next.gt(low).and(next.lt(high));
                    // Half of the way to the bound that is ahead, unless that is far
                    let ahead = shared::log(R::select(left, high, low) / a) * R::lit(0.5);
                    let moved = R::select(inside, limited, ahead.min(R::lit(1.0)).max(R::lit(-1.0)));
                    let next = R::select(inside, next, a * shared::exp(moved));
                    // The error of a secant is about the product of the two before, and of a steep function times its slope.
                    let error = limited.abs() * step.abs().max(before.abs() * R::lit(0.01));
                    let settled = inside.and(error.lt(R::lit(1e-18))).and(step.ne(zero));
                    // Flat to all digits, but not as far out as where it is infinite
                    let flat = same.and(plateau.not()).and(value.abs().lt(R::lit(INF)));
                    let there = value.eq(zero).or(flat).or(next.eq(a));
                    let missed = step.gt(zero).and(value.gt(before + R::lit(MISSED)));
                    let there = if CONVEX { there.or(missed) } else { there };
                    let go = settled.or(there).not();
                    ([R::select(there, a, next), low, high, moved, value], go.and(on))
                },
            )
        },
    );
    [found[0], found[4]]
}

/// `log(tail / wanted)` for the smaller of the wanted tails, falling where the lower one does.
#[inline(always)]
fn residual<R: Real>(lower: R, upper: R, p: R, q: R) -> R {
    let by_lower = p.le(q);
    let out = log_excess(R::select(by_lower, lower, upper), R::select(by_lower, p, q));
    R::select(by_lower, out, -out)
}

/// The same of `I_x(a, b)` and `I_y(b, a)`.
#[inline(always)]
fn beta_residual<R: Real>([a, b]: [R; 2], [x, y]: [R; 2], p: R, q: R) -> R {
    let by_lower = p.le(q);
    let turned = inlined(
        #[inline(always)]
        |u: R, v: R| R::select(by_lower, u, v),
    );
    let tail = shared::betainc_xy(turned(a, b), turned(b, a), turned(x, y), turned(y, x));
    residual(tail, tail, p, q)
}

/// The shape `a` with `P(a, x) = p`, `Q(a, x) = q`.
#[inline(always)]
fn gamma_shape<R: Real>(p: R, q: R, x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let inside = p.gt(zero).and(q.gt(zero)).and(p.le(one)).and(q.le(one)).and(x.gt(zero)).and(x.lt(R::lit(INF)));
    let (p0, q0) = (R::select(inside, p, R::lit(0.5)), R::select(inside, q, R::lit(0.5)));
    let x0 = R::select(inside, x, one);
    // Where the normal distribution of mean and variance a has that tail
    let z = shared::ndtri(R::select(p0.le(q0), p0, q0));
    let z = R::select(p0.le(q0), z, -z);
    let half = ((z * z + R::lit(4.0) * x0).sqrt() - z) * R::lit(0.5);
    let [out, _] = root::<R, false>(
        half * half + R::lit(0.3),
        R::lit(1e300),
        inside,
        #[inline(always)]
        |a| {
            let by_lower = p0.le(q0);
            let [lower] = R::when(
                by_lower,
                [one],
                #[inline(always)]
                || [shared::gammainc(a, x0)],
            );
            let [upper] = R::when(
                by_lower.not(),
                [one],
                #[inline(always)]
                || [shared::gammaincc(a, x0)],
            );
            residual(lower, upper, p0, q0)
        },
    );
    let valid = x.gt(zero);
    let out = R::select(valid.and(p.eq(zero)), R::lit(INF), out);
    R::select(valid.and(q.eq(zero)), zero, out)
}

/// The `a` with `gammainc(a, x) = p`.
#[inline(always)]
pub fn gammainc_shape<R: Real>(p: R, x: R) -> R {
    named!("gammainc_shape", |p, x| gamma_shape(p, R::lit(1.0) - p, x))
}

/// The `a` with `gammaincc(a, x) = q`.
#[inline(always)]
pub fn gammaincc_shape<R: Real>(q: R, x: R) -> R {
    named!("gammaincc_shape", |q, x| gamma_shape(R::lit(1.0) - q, q, x))
}

/// Whether `b > 0`, `0 < x < 1` and `0 < p < 1`.
#[inline(always)]
fn proper<R: Real>(b: R, x: R, p: R) -> R::Mask {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    b.gt(zero).and(b.lt(R::lit(INF))).and(x.gt(zero)).and(x.lt(one)).and(p.gt(zero)).and(p.lt(one))
}

/// `never` and `always` for the probabilities 0 and 1, which the distribution has at the ends of the other parameter.
#[inline(always)]
fn at_ends<R: Real>(b: R, x: R, p: R, never: R, always: R, out: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let valid = proper(b, x, R::lit(0.5));
    let out = R::select(valid.and(p.eq(zero)), never, out);
    R::select(valid.and(p.eq(one)), always, out)
}

/// The first parameter `a` with `I_x(a, b) = p`.
#[inline(always)]
pub fn btdtria<R: Real>(p: R, b: R, x: R) -> R {
    named!("btdtria", |p, b, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let inside = proper(b, x, p);
        let (p0, b0, x0) = (R::select(inside, p, half), R::select(inside, b, one), R::select(inside, x, half));
        let [out, _] = root::<R, false>(
            b0 * x0 / (one - x0),
            R::lit(1e300),
            inside,
            #[inline(always)]
            |a| beta_residual([a, b0], [x0, one - x0], p0, one - p0),
        );
        at_ends(b, x, p, R::lit(INF), zero, out)
    })
}

/// The second parameter `b` with `I_x(a, b) = p`.
#[inline(always)]
pub fn btdtrib<R: Real>(a: R, p: R, x: R) -> R {
    named!("btdtrib", |a, p, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let inside = proper(a, x, p);
        let (p0, a0, x0) = (R::select(inside, p, half), R::select(inside, a, one), R::select(inside, x, half));
        let [out, _] = root::<R, false>(
            a0 * (one - x0) / x0,
            R::lit(1e300),
            inside,
            #[inline(always)]
            |b| beta_residual([b, a0], [one - x0, x0], one - p0, p0),
        );
        at_ends(a, x, p, zero, R::lit(INF), out)
    })
}

/// The `a` with `1 - I_x(a, total - a) = y`, between 0 and `total`.
#[inline(always)]
pub fn beta_split<R: Real>(y: R, total: R, x: R) -> R {
    named!("beta_split", |y, total, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let inside = proper(total, x, y);
        let (y0, t0, x0) = (R::select(inside, y, half), R::select(inside, total, one), R::select(inside, x, half));
        let [out, _] = root::<R, false>(
            t0 * x0,
            t0,
            inside,
            #[inline(always)]
            |a| beta_residual([a, t0 - a], [x0, one - x0], one - y0, y0),
        );
        at_ends(total, x, y, zero, total, R::select(inside, out.min(t0), out))
    })
}

/// The `df` with `stdtr(df, t) = p`; NaN where the normal distribution, the limit of large `df`, is beyond `p`.
#[inline(always)]
pub fn stdtridf<R: Real>(p: R, t: R) -> R {
    named!("stdtridf", |p, t| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let upper = t.gt(zero);
        let q = R::select(upper, one - p, p);
        let size = t.abs();
        let inside = size.lt(R::lit(1e150)).and(q.lt(half)).and(q.gt(shared::ndtr(-size)));
        let (q0, square) = (R::select(inside, q, R::lit(0.25)), R::select(inside, size * size, one));
        // From the first term of the expansion about the normal quantile
        let z = -shared::ndtri(q0);
        let gap = R::select(inside, size - z, one).max(R::lit(1e-10));
        let start = (z * (z * z + one) / gap * R::lit(0.25)).min(R::lit(1e10)).max(R::lit(0.05));
        let [out, _] = root::<R, false>(
            start,
            R::lit(1e300),
            inside,
            #[inline(always)]
            |df| {
                let (x, y) = (df / (df + square), square / (df + square));
                shared::log(half * shared::betainc_xy(df * half, half, x, y) / q0)
            },
        );
        out
    })
}

/// The least `dfd` with `fdtr(dfn, dfd, x) = p`; NaN where no `dfd` gives `p`.
#[inline(always)]
pub fn fdtridfd<R: Real>(dfn: R, p: R, x: R) -> R {
    named!("fdtridfd", |dfn, p, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let inside = dfn.gt(zero).and(dfn.lt(R::lit(1e100))).and(x.gt(zero)).and(x.lt(R::lit(1e100)));
        let none = dfn.gt(zero).and(x.gt(zero)).and(p.eq(zero));
        let inside = inside.and(p.gt(zero)).and(p.lt(one));
        let (n, p, x) = (R::select(inside, dfn, one), R::select(inside, p, half), R::select(inside, x, one));
        let spread = n * x;
        // From `1 - 2 / n` on it rises to the limit of infinite degrees, elsewhere it falls to it at last.
        let rises = x.ge(one - R::lit(2.0) / n);
        let right = inside.and(rises);
        let [most] = R::when(
            right,
            [one],
            #[inline(always)]
            || [shared::gammainc(n * half, R::select(right, spread, n) * half)],
        );
        let inside = inside.and(p.le(most * R::lit(1.0 + 1e-13)));
        // E. Paulson's normal quantile of the distribution (Ann. Math. Statist. 13, 1942), solved for 2 / (9 dfd)
        let z = shared::ndtri(p);
        let c = shared::cbrt(x);
        let m = R::lit(2.0 / 9.0) / n;
        let e = c - one + m;
        let (square, spare) = (z * z * c * c, e * e - z * z * m);
        let middle = c * e + square * half;
        let turn = (middle * middle - c * c * spare).max(zero).sqrt();
        let u = (middle - turn.copysign(z)) / (c * c);
        let start = R::select(u.gt(zero), R::lit(2.0 / 9.0) / u, R::lit(1e3)).min(R::lit(1e4)).max(R::lit(0.05));
        // Where the distribution function falls again secants from below reach the rising branch. It begins like
        // `1 - exp(-dfd rate / 2)`, with a rate that varies slowly.
        let [start] = R::when(
            inside.and(rises.not()),
            [start],
            #[inline(always)]
            || {
                let total = R::lit(-2.0) * shared::log1p(-p);
                let level = shared::digamma(n * half) + R::lit(EULER_GAMMA);
                let mut least = (total * half).min(x);
                for _ in 0..3 {
                    least = total / (shared::log1p(spread / least) - level).max(R::lit(0.05));
                }
                [start.min(least) * R::lit(0.7)]
            },
        );
        let [out, gap] = root::<R, true>(
            start,
            R::lit(1e300),
            inside,
            #[inline(always)]
            |d| {
                let total = d + spread;
                -beta_residual([n * half, d * half], [spread / total, d / total], p, one - p)
            },
        );
        let found = gap.abs().lt(R::lit(MISSED)).and(out.lt(R::lit(1e200)));
        R::select(found, out, R::select(none, zero, R::lit(f64::NAN)))
    })
}

/// Whether Tukey's lambda distribution ends before an argument of this magnitude.
#[inline(always)]
fn beyond_support<R: Real>(size: R, lambda: R) -> R::Mask {
    (lambda * size).ge(R::lit(1.0)).and(lambda.gt(R::lit(0.0)))
}

/// Where a distribution has ended.
pub struct BeyondSupport;
impl ShortWays<2> for BeyondSupport {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [x, lambda]: [R; 2]) -> [R; 2] {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let step = R::select(x.gt(zero), one, zero);
        [step, R::select(beyond_support(x.abs(), lambda), zero, one)]
    }
}

/// Distribution function of Tukey's lambda distribution, whose quantile of `p` is `(p^lambda - (1 - p)^lambda) / lambda`.
#[inline(always)]
pub fn tklmbda<R: Real>(x: R, lambda: R) -> R {
    named!("tklmbda", |x, lambda| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let y = -x.abs();
        let outside = beyond_support(-y, lambda).or(y.eq(R::lit(-INF)));
        let proper = lambda.abs().lt(R::lit(INF)).and(x.is_nan().not());
        let logistic = lambda.eq(zero);
        let on = proper.and(outside.or(logistic).not()).and(y.lt(zero));
        // The smaller tail
        let [out] = R::when(
            on,
            [half],
            #[inline(always)]
            || {
                let (y0, l0) = (R::select(on, y, -one), R::select(on, lambda, zero));
                // Of large powers the other tail decides, and about the median the difference of both, which grows like a hyperbolic sine.
                let large = l0.gt(one);
                let [start] = R::when(
                    large,
                    [shared::inv_boxcox(y0, l0)],
                    #[inline(always)]
                    || {
                        let share = -(y0 * l0);
                        let about = half - shared::asinh(share * shared::exp2(l0 - one)) / (l0 + l0);
                        [about.min(one - shared::pow(share, one / l0))]
                    },
                );
                let [out, _] = root::<R, false>(
                    start.min(half).max(R::lit(1e-290)),
                    one,
                    on,
                    #[inline(always)]
                    |t: R| {
                        let t = t.min(half);
                        let [quantile] = R::when(
                            large.not(),
                            [one],
                            #[inline(always)]
                            || [shared::boxcox(t, l0) - shared::boxcox1p(-t, l0)],
                        );
                        // Of large powers the 1 would leave few digits.
                        let [quantile] = R::when(
                            large,
                            [quantile],
                            #[inline(always)]
                            || [(shared::pow(t, l0) - shared::pow(one - t, l0)) / l0],
                        );
                        y0 - quantile
                    },
                );
                [out]
            },
        );
        let [out] = R::when(
            logistic,
            [out],
            #[inline(always)]
            || [shared::expit(y)],
        );
        // The quantile is so steep that no double but 1/2 is this close to the median.
        let middle = asked::<R>(
            lambda.lt(R::lit(-60.0)),
            #[inline(always)]
            || (y * lambda * shared::exp2(lambda)).lt(R::lit(1e-17)),
        );
        let tail = R::select(outside, zero, R::select(middle, half, out.min(half)));
        let out = R::select(proper, R::select(x.gt(zero), one - tail, tail), R::lit(f64::NAN));
        // All of an infinite one is at the median.
        let step = R::select(x.gt(zero), one, R::select(x.lt(zero), zero, half));
        R::select(lambda.eq(R::lit(f64::INFINITY)).and(x.eq(x)), step, out)
    })
}
