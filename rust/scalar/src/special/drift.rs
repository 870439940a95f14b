//! How fast quantiles move with the shape of a distribution: where the density is `f`, the quantile of a fixed probability has
//! the speed `v = -F_a / F_x`, which solves `v_x + (log f)_x v + (log f)_a = 0`.
//!
//! For a large shape hardly anything is left of the two terms. There the solution without a pole at the mode is a series in
//! `1/a` whose terms are power series in the logarithm of the argument over the shape; they follow from the equation one by one, and are
//! analytic to `2 pi` (`fit_special.py`). With two large shapes the equation gives the power series about the mode, from its end.

use super::beta::mean_distance;
use super::coefficients as c;
use super::dual::{Dual, at, pack};
use super::incgamma::{offset, poly_jet};
use crate::named;
use crate::real::{Mask, Real, inlined};
use crate::shared;

/// The least shapes for the expansions; their logarithms reach to 1.
const GAMMA_FROM: f64 = 25.0;
const STUDENT_FROM: f64 = 30.0;
/// The least `a` of the beta distribution, how far the argument may be from the mode beside the mode and beside the distance of 1, where
/// the speed vanishes, from that, and the terms this takes.
const BETA_FROM: f64 = 200.0;
const BETA_REACH: [f64; 2] = [0.25, 0.75];
const BETA_TERMS: u32 = 32;

/// `sum_j V_j(l) part^j`, the same of the derivatives in `l`, and `sum_j (j + first) V_j(l) part^j`.
#[inline(always)]
fn expansion<R: Real>(table: &[&[f64]], first: usize, l: R, part: R) -> [R; 3] {
    let mut sums = [R::lit(0.0); 3];
    for (k, row) in table.iter().enumerate().rev() {
        let [value, slope, _] = poly_jet(l, row);
        let counted = value * R::lit((k + first) as f64);
        sums = [sums[0].fma(part, value), sums[1].fma(part, slope), sums[2].fma(part, counted)];
    }
    sums
}

/// The speed of the quantile of the gamma distribution (0), its derivative in `a` (1) or in `x` (2).
///
/// `v_x = -(log x - digamma(a)) - ((a - 1)/x - 1) v`; with `L = log(x/a)` and `log a - digamma(a) = sum s_k / a^k` (DLMF 5.11.2)
/// `(e^L - 1) V_k = V_{k - 1}' - V_{k - 1} + s_k e^L`.
#[inline(always)]
fn gamma<R: Real, const WHICH: usize>(a: R, x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let log = offset(a, x).log;
    let near = a.ge(R::lit(GAMMA_FROM)).and(a.lt(R::lit(f64::INFINITY))).and(log.abs().le(one));
    let part = one / a;
    let [v, slope, counted] = expansion(&c::GAMMA_DRIFT, 0, R::select(near, log, zero), part);
    let out = [v, -(slope + counted) * part, slope / x][WHICH];
    let [out] = R::when(
        near.not(),
        [out],
        #[inline(always)]
        || {
            let density = shared::gammainc_dx(a, x);
            let v = -(shared::gammainc_da(a, x) / density);
            let rate = shared::log(x) - shared::digamma(a);
            let usual = match WHICH {
                0 => v,
                1 => -(shared::gammainc_daa(a, x) / density) - v * rate,
                _ => -rate - (a - one - x) / x * v,
            };
            [R::select(near, out, usual)]
        },
    );
    out
}

/// The speed of the quantile of the gamma distribution.
#[inline(always)]
pub fn gamma_drift<R: Real>(a: R, x: R) -> R {
    named!("gamma_drift", |a, x| gamma::<R, 0>(a, x))
}

/// Its derivative in `a`.
#[inline(always)]
pub fn gamma_drift_da<R: Real>(a: R, x: R) -> R {
    named!("gamma_drift_da", |a, x| gamma::<R, 1>(a, x))
}

/// Its derivative in `x`.
#[inline(always)]
pub fn gamma_drift_dx<R: Real>(a: R, x: R) -> R {
    named!("gamma_drift_dx", |a, x| gamma::<R, 2>(a, x))
}

/// The speed of the quantile of Student's distribution (0), its derivative in the degrees of freedom (1) or in `t` (2); NaN where the
/// expansion does not hold, and the usual formulas lose no more than a few digits.
///
/// `v = t V` with `l = log(1 + t^2/df)` and `digamma((df + 1)/2) - digamma(df/2) - 1/df = sum d_k / df^k`:
/// `(e^l - 1) V_{k + 1} = (d_k e^l + [k = 0] (e^l - 1 - l e^l) + [k = 1] (e^l - 1)) / 2 + V_k + 2 (e^l - 1) V_k'`.
#[inline(always)]
fn student<R: Real, const WHICH: usize>(df: R, t: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = t * t / df;
    let log = shared::log1p(w);
    let near = df.ge(R::lit(STUDENT_FROM)).and(df.lt(R::lit(f64::INFINITY))).and(log.le(one));
    let part = one / df;
    let [v, slope, counted] = expansion(&c::STUDENT_DRIFT, 1, R::select(near, log, zero), part);
    let inner = w / (one + w);
    let out = match WHICH {
        0 => t * part * v,
        1 => -(t * part * part * (counted + slope * inner)),
        _ => part * (v + slope * (inner + inner)),
    };
    R::select(near, out, R::lit(f64::NAN))
}

/// The speed of the quantile of Student's distribution.
#[inline(always)]
pub fn student_drift<R: Real>(df: R, t: R) -> R {
    named!("student_drift", |df, t| student::<R, 0>(df, t))
}

/// Its derivative in the degrees of freedom.
#[inline(always)]
pub fn student_drift_dn<R: Real>(df: R, t: R) -> R {
    named!("student_drift_dn", |df, t| student::<R, 1>(df, t))
}

/// Its derivative in `t`.
#[inline(always)]
pub fn student_drift_dt<R: Real>(df: R, t: R) -> R {
    named!("student_drift_dt", |df, t| student::<R, 2>(df, t))
}

/// [`super::gamma::digamma_gap`] of a number with derivatives.
#[inline(always)]
fn digamma_gap<R: Real, const K: usize>(x: Dual<R, K>) -> Dual<R, K> {
    let r = Dual::lit(1.0) / x;
    let z = r * r;
    let mut sum = Dual::lit(0.0);
    for &k in c::DIGAMMA_TAIL.iter().rev() {
        sum = (sum * z).plus(k);
    }
    r.scaled(0.5) + z * sum
}

/// The speed in `a` of the quantile of the beta distribution (0), its derivative in `a` (1), `b` (2) or `x` (3), given `y = 1 - x`; NaN
/// for a small `a` and far from the mode, where the usual formulas lose no more than a few digits.
///
/// With the mode `m = (a - 1)/(a + b - 2)`, `n = 1 - m` and `v = m sum D_j t^j`, `t = (x - m)/m`, the equation becomes
/// `(a - 1 + (j - 1) m) D_{j - 1} = n (j + 1) D_{j + 1} + (n - m) j D_j + n l_j + (n - m) l_{j - 1} - m l_{j - 2}`,
/// where `sum l_j t^j = log x - digamma(a) + digamma(a + b)`. What it has besides, the reciprocal of the density, grows faster than
/// the solution sought, which recurrence downwards finds (F. W. J. Olver, J. Res. NBS 71B, 1967).
#[inline(always)]
fn beta<R: Real, const WHICH: usize>(a: R, b: R, x: R, y: R) -> R {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let inside = a.ge(R::lit(BETA_FROM)).and(b.gt(R::lit(1.0))).and((a + b).lt(R::lit(f64::INFINITY)));
    let (a, b) = (R::select(inside, a, R::lit(BETA_FROM)), R::select(inside, b, two));
    let off = mean_distance(a, b, x, y) + (y - x);
    let [reach, right] = BETA_REACH.map(R::lit);
    let near = inside.and(off.abs().le((a - one) * reach)).and(off.le((b - one) * right));
    let off = R::select(near, off, R::lit(0.0));
    let (p, q) = (Dual::<R, 2>::variable(a, (WHICH == 1).into()), Dual::variable(b, (WHICH == 2).into()));
    let (lower, total) = (p.plus(-1.0), p + q);
    let both = total.plus(-2.0);
    let (m, n) = (lower / both, q.plus(-1.0) / both);
    let moved = [R::lit(0.0), -y, x, both.value()][WHICH];
    let t = Dual([off, moved]) / lower;
    let ratio = (p - q) / (p * both);
    let u = ratio.value();
    let inner = one / (one + u);
    let log = ratio.chain([shared::log1p(u), inner, -(inner * inner)]);
    let first = log + digamma_gap(p) - digamma_gap(total);
    let apart = n - m;
    let step = inlined(
        #[inline(always)]
        |[next, now, sum]: [Dual<R, 2>; 3], j: R, given: Dual<R, 2>| {
            let over = n * next.times(j + one) + apart * now.times(j) + given;
            let below = over / (lower + m.times(j - one));
            [now, below, sum * t + below]
        },
    );
    let none = Dual::<R, 2>::lit(0.0);
    let state: [R; 14] = R::repeat(
        pack([none; 3], [R::lit(f64::from(BETA_TERMS)), -one]),
        BETA_TERMS - 2,
        #[inline(always)]
        |state| {
            let (j, sign) = (state[12], state[13]);
            let [k, l] = [j - one, j - two];
            let given = n.times(sign / j) - apart.times(sign / k) - m.times(sign / l);
            let after = step([at(&state, 0), at(&state, 1), at(&state, 2)], j, given);
            (pack(after, [k, -sign]), k.gt(two))
        },
    );
    let after = step([at(&state, 0), at(&state, 1), at(&state, 2)], two, apart - n.scaled(0.5) - m * first);
    let [.., sum] = step(after, one, n + apart * first);
    let out = m * sum;
    R::select(near, if WHICH == 0 { out.value() } else { out.top() }, R::lit(f64::NAN))
}

/// The speed in `a` of the quantile of the beta distribution.
#[inline(always)]
pub fn beta_drift<R: Real>(a: R, b: R, x: R, y: R) -> R {
    named!("beta_drift", |a, b, x, y| beta::<R, 0>(a, b, x, y))
}

/// Its derivative in `a`.
#[inline(always)]
pub fn beta_drift_da<R: Real>(a: R, b: R, x: R, y: R) -> R {
    named!("beta_drift_da", |a, b, x, y| beta::<R, 1>(a, b, x, y))
}

/// Its derivative in `b`.
#[inline(always)]
pub fn beta_drift_db<R: Real>(a: R, b: R, x: R, y: R) -> R {
    named!("beta_drift_db", |a, b, x, y| beta::<R, 2>(a, b, x, y))
}

/// Its derivative in `x`.
#[inline(always)]
pub fn beta_drift_dx<R: Real>(a: R, b: R, x: R, y: R) -> R {
    named!("beta_drift_dx", |a, b, x, y| beta::<R, 3>(a, b, x, y))
}

/// At the ends 0 and 1 of the beta distribution its quantile's slope in the probability (`k = 0`) and the derivatives of this in the
/// probability, `a` and `b` (1, 2, 3): limits of a power of the probability `p`.
#[inline(always)]
pub fn beta_end<R: Real>(k: R, a: R, b: R, p: R, x: R) -> R {
    named!("beta_end", |k, a, b, p, x| {
        let (zero, half, one, inf) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(f64::INFINITY));
        let is = inlined(
            #[inline(always)]
            |n: f64| k.eq(R::lit(n)),
        );
        let right = x.gt(half);
        let (own, other) = (R::select(right, b, a), R::select(right, a, b));
        let at = inlined(
            #[inline(always)]
            |below: R, here: R, above: R| R::select(own.lt(one), below, R::select(own.eq(one), here, above)),
        );
        let inverse = one / other;
        let root = shared::beta(half, other);
        let root = R::select(own.lt(half), zero, R::select(own.eq(half), half * root * root, inf));
        let bend = at(root, (other - one) * inverse * inverse, -inf);
        let in_own = at(zero, inf, inf);
        let in_other = at(zero, -(inverse * inverse), -inf);
        let in_a = R::select(right, in_other, in_own);
        let in_b = R::select(right, in_own, in_other);
        let out = R::select(is(2.0), in_a, in_b);
        let out = R::select(is(1.0), R::select(right, -bend, bend), out);
        let out = R::select(is(0.0), at(zero, inverse, inf), out);
        let known = own.gt(zero).and(other.gt(zero)).and(k.le(R::lit(3.0))).and(p.is_nan().not());
        R::select(known, out, R::lit(f64::NAN))
    })
}

/// The same of the gamma distribution at 0 and infinity, in the probability and in `a` (1, 2).
#[inline(always)]
pub fn gamma_end<R: Real>(k: R, a: R, p: R, x: R) -> R {
    named!("gamma_end", |k, a, p, x| {
        let (zero, half, one, inf) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(f64::INFINITY));
        let at = inlined(
            #[inline(always)]
            |below: R, here: R, above: R| R::select(a.lt(one), below, R::select(a.eq(one), here, above)),
        );
        let root = R::select(a.lt(half), zero, R::select(a.eq(half), R::lit(std::f64::consts::FRAC_PI_2), inf));
        let out = R::select(k.eq(one), at(root, one, -inf), at(zero, inf, inf));
        let out = R::select(k.eq(zero), at(zero, one, inf), out);
        let out = R::select(x.eq(inf), inf, out);
        R::select(a.gt(zero).and(k.le(R::lit(2.0))).and(p.is_nan().not()), out, R::lit(f64::NAN))
    })
}
