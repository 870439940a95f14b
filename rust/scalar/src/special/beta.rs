//! The beta function, the incomplete beta function and its derivatives in all arguments, and its inverse.
//!
//! A value is a prefactor times a continued fraction (A. R. DiDonato, A. H. Morris, ACM TOMS 18, 1992) or, where that is slow,
//! times an integral. The derivatives in the parameters are integrals as well: with `A = log t - psi(a) + psi(a + b)`,
//! `dI/da` is the integral of `A` times the density, and so on. Each is taken over the tail that keeps its sign.

use super::coefficients as c;
use super::gamma::{LOG_ROOT_2PI, digamma_gap, gammaln_step, nudged, stirling, stirling_fall};
use super::hypergeometric::rgamma_at;
use super::incgamma::{halley, log_excess, log1p_gap};
use super::polynomials::whole;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real, Rows, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const EPS: f64 = f64::EPSILON;
/// Stirling's series carries a parameter from here on.
pub(super) const STIRLING_FROM: f64 = 8.0;
/// Up to here quotients are those of gamma functions.
const GAMMAS_TO: f64 = 30.0;
/// The continued fraction serves up to this parameter, and to this distance of `x` from 1 unless `a` is large beside it.
const FRACTION_TO: f64 = 5000.0;
const FRACTION_REST: f64 = 0.2;
/// Parameters beyond count as the first of these, subnormal ones as the second.
const HUGE: f64 = 1e280;
/// Where both parameters are larger, the skewness of the beta distribution is below what one rounding of `x` does; from here on
/// Student's t is normal to all digits too.
const NORMAL_FROM: f64 = 1e25;
const TINY: f64 = f64::MIN_POSITIVE;
/// 2^60
const SHARES: f64 = (1u64 << 60) as f64;
/// Stands for a parameter that is 0 where a derivative is a product of something that vanishes and something infinite.
const BESIDE_ZERO: f64 = 1e-290;
const MAX_PANELS: u32 = 700;

/// `-(log B(p, q) - gammaln(p) + p log(p + q))` for `q >= 8` and `p + q >= 8`.
#[inline(always)]
pub(super) fn stirling_gap<R: Real>(p: R, q: R) -> Dd<R> {
    let zero = R::lit(0.0);
    let u = Dd::new(p, zero) / Dd::new(q, zero);
    let rise = e::log1p_sum(u, zero);
    // `q (u - rise)`, of which a difference of two doubles has more digits than the polynomial from here on
    let close = u.hi.abs().lt(R::lit(1.0 / 64.0));
    let fall = (rise.times(q) - Dd::new(p, zero)).normalize();
    let gap = Dd::select(close, Dd::new(-q * log1p_gap(R::select(close, u.hi, zero)), zero), fall);
    gap - rise.times_pow2(R::lit(0.5)) - Dd::new(stirling_fall(q, p), zero)
}

/// `n!` while it is a double, and its reciprocal.
static FACTORIAL: Rows<2, 23> = Rows::new("factorial", {
    let mut columns = [[1.0; 23]; 2];
    let mut n = 1;
    while n < 23 {
        columns[0][n] = columns[0][n - 1] * n as f64;
        columns[1][n] = 1.0 / columns[0][n];
        n += 1;
    }
    columns
});

/// Whether `n` is an integer with a row in [`FACTORIAL`].
#[inline(always)]
fn tabulated<R: Real>(n: R) -> R::Mask {
    n.eq(n.floor()).and(n.ge(R::lit(0.0))).and(n.le(R::lit(22.0)))
}

/// `1 / gamma(x)`, of small integers from a table.
#[inline(always)]
fn reciprocal_gamma<R: Real>(x: R) -> R {
    let below = x - R::lit(1.0);
    let known = tabulated(below);
    let [out] = R::when(
        known.not(),
        [R::column(&FACTORIAL, 1, e::to_int(R::select(known, below, R::lit(0.0))))],
        #[inline(always)]
        || [shared::rgamma(x)],
    );
    out
}

/// `B(p, q)` for `0 < p <= q` as `value e^log`.
#[inline(always)]
fn beta_parts<R: Real>(p: R, q: R) -> (R, Dd<R>) {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let small = (p + q).lt(R::lit(GAMMAS_TO));
    let both = p.ge(R::lit(STIRLING_FROM)).and(small.not());
    let m = reciprocal_gamma(R::select(both, one, p));
    let [value] = R::when(
        small,
        [one],
        #[inline(always)]
        || {
            let (p, q) = (R::select(small, p, one), R::select(small, q, one));
            let Dd { hi: sum, lo: rest } = Dd::two_sum(p, q);
            let value = shared::rgamma(sum) / m / reciprocal_gamma(q);
            [nudged(value, -gammaln_step(sum, rest))]
        },
    );
    let [value, log, low] = R::when(
        small.or(both).not(),
        [value, zero, zero],
        #[inline(always)]
        || {
            let log = stirling_gap(p, q) + e::log_wide(Dd::two_sum(p, q)).times(p);
            [one / m, -log.hi, -log.lo]
        },
    );
    let [log, low] = R::when(
        both,
        [log, low],
        #[inline(always)]
        || {
            let [a, b] = [Dd::new(p, zero), Dd::new(q, zero)];
            let rest = Dd::lit(LOG_ROOT_2PI.0, LOG_ROOT_2PI.1) - e::log_pair(q).times_pow2(half);
            let rest = rest.plus(stirling(p) + stirling(q) - stirling(p + q));
            // Shares of one out of range too
            let unit = R::select(q.gt(R::lit(1e290)), R::lit(1.0 / SHARES), one);
            let turned = e::log_wide((b / a).plus(one)).times((p - half) * unit);
            let log = rest.times_pow2(unit) - (turned + e::log1p_sum(a / b, zero).times(q * unit));
            [log.hi / unit, log.lo / unit]
        },
    );
    (value, Dd::new(log, low))
}

/// `log B(p, q)` for `0 < p <= q`.
#[inline(always)]
fn betaln_positive<R: Real>(p: R, q: R) -> R {
    let (value, log) = beta_parts(p, q);
    // The reciprocal of gamma is subnormal, or its inverse overflows, before its logarithm does.
    let middle = (p + q).ge(R::lit(GAMMAS_TO)).and(p.lt(R::lit(STIRLING_FROM)));
    let tiny = p.lt(R::lit(1e-290));
    let single = middle.or(tiny);
    let [out] = R::when(
        single.not(),
        [log.hi],
        #[inline(always)]
        || [R::select(log.hi.gt(R::lit(-HUGE)), log.plus(shared::log(value)).value(), log.hi)],
    );
    let [out] = R::when(
        single,
        [out],
        #[inline(always)]
        || {
            let lead = shared::gammaln(R::select(single, p, R::lit(1.0)));
            [R::select(tiny, lead + shared::log1p(p / q), log.plus(lead).value())]
        },
    );
    out
}

/// `B(a, b)` of any sign as `factor B(p, q)^power / over` with positive `p`, `q`: the reflections of DLMF 5.5.3.
#[inline(always)]
fn reflect<R: Real>(a: R, b: R) -> [R; 5] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let swap = a.gt(b);
    let (low, high) = (R::select(swap, b, a), R::select(swap, a, b));
    // At a zero there is a pole, which is the caller's.
    R::when(
        low.lt(zero),
        [low, high, one, one, one],
        #[inline(always)]
        || {
            let sum = Dd::two_sum(low, high);
            let total = sum.hi;
            let pi = R::lit(PI);
            let whole = low.eq(low.floor());
            let sine = shared::sinpi(low);
            // The sum keeps the sign of a zero that of gamma's product.
            let sine_sum = shared::sinpi(total) + (pi * sum.lo * shared::cospi(total) + zero);
            let (above, both) = (total.gt(zero), high.lt(zero));
            // One negative argument, then with a negative sum, then two.
            // A product of tiny arguments would be out of range.
            let first = [one - low, total, pi / (sine * high.max(one)), -one, high.min(one)];
            let second = [high, one - total, sine_sum / sine, one, one];
            let third =
                [one - low, one - high, pi * (sine_sum / sine) / (shared::sinpi(high) * (one - total)), -one, one];
            // At an integer the limit is that along the arguments whose sum stays put.
            let half = high * R::lit(0.5);
            let sign = R::select(half.eq(half.floor()), one, -one);
            let fourth = [one - total, high, sign, one, one];
            each(
                #[inline(always)]
                |i| {
                    let out = R::select(above, first[i], R::select(both, third[i], second[i]));
                    R::select(whole, fourth[i], out)
                },
            )
        },
    )
}

/// Where beta has a pole, and where it is undefined.
#[inline(always)]
fn beta_limits<R: Real>(a: R, b: R) -> (R::Mask, R::Mask) {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let swap = a.gt(b);
    let (low, high) = (R::select(swap, b, a), R::select(swap, a, b));
    let whole = low.le(zero).and(low.eq(low.floor()));
    let reached = high.eq(high.floor()).and(high.gt(zero)).and((low + high).le(zero)).and(low.gt(-inf));
    let high_pole = high.le(zero).and(high.eq(high.floor()));
    let pole = whole.and(reached.not()).or(high_pole);
    let undefined = a.is_nan().or(b.is_nan()).or(a.eq(inf).and(b.eq(inf)));
    (pole, undefined)
}

/// Beta function; infinite at the poles.
#[inline(always)]
pub fn beta<R: Real>(a: R, b: R) -> R {
    named!("beta", |a, b| {
        let zero = R::lit(0.0);
        let [p, q, factor, power, over] = reflect(a, b);
        let (value, log) = beta_parts(p.min(q), p.max(q));
        // By halves, since a small factor may call for a power out of range.
        let up = power.gt(zero);
        let root = e::exp_dd(Dd::select(up, log, -log).times_pow2(R::lit(0.5)));
        let out = R::select(up, factor * value, factor / (value * over)) * root * root;
        let inf = R::lit(INF);
        let (pole, undefined) = beta_limits(a, b);
        let far = a.eq(inf).or(b.eq(inf));
        let low = a.min(b);
        let out = R::select(far, R::select(low.gt(zero), zero, inf.copysign(shared::sinpi(low))), out);
        let out = R::select(pole, inf, out);
        R::select(undefined, R::lit(NAN), out)
    })
}

/// `log |B(a, b)|`.
#[inline(always)]
pub fn betaln<R: Real>(a: R, b: R) -> R {
    named!("betaln", |a, b| {
        let (zero, inf) = (R::lit(0.0), R::lit(INF));
        let [p, q, factor, power, over] = reflect(a, b);
        let positive = betaln_positive(p.min(q), p.max(q));
        let [out] = R::when(
            factor.ne(R::lit(1.0)).or(power.lt(zero)),
            [positive],
            #[inline(always)]
            || {
                let quotient = factor.abs() / over;
                let log =
                    R::select(quotient.lt(inf), shared::log(quotient), shared::log(factor.abs()) - shared::log(over));
                [log + R::select(power.gt(zero), positive, -positive)]
            },
        );
        let (pole, undefined) = beta_limits(a, b);
        let far = a.eq(inf).or(b.eq(inf));
        let out = R::select(far, R::select(a.min(b).gt(zero), -inf, inf), out);
        R::select(undefined, R::lit(NAN), R::select(pole, inf, out))
    })
}

/// Integers up to here are steps of a product.
pub(super) const PRODUCT_TO: f64 = 20.0;

/// `first (first + step) ... (first + (n - 1) step)`, over `n!` where `QUOTIENT`.
#[inline(always)]
fn product<R: Real, const QUOTIENT: bool>(first: R, step: f64, n: R) -> R {
    let one = R::lit(1.0);
    R::repeat(
        [one, R::lit(0.0)],
        PRODUCT_TO as u32,
        #[inline(always)]
        |[value, k]| {
            let go = k.lt(n);
            let next = k + one;
            let factor = k.fma(R::lit(step), first);
            let stepped = value * factor;
            let stepped = if QUOTIENT { stepped / next } else { stepped };
            ([R::select(go, stepped, value), next], next.lt(n))
        },
    )[0]
}

/// Pochhammer's `gamma(z + m) / gamma(z)`.
#[inline(always)]
pub fn poch<R: Real>(z: R, m: R) -> R {
    named!("poch", |z, m| {
        let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
        let sum = Dd::two_sum(z, m);
        let end = sum.hi;
        // Left of 0 both gammas turn about 1/2, which turns the quotient over.
        let left = z.le(zero).and(end.le(zero));
        // With what rounding takes off
        let (turned, raised) = (Dd::two_sum(one, -end), Dd::two_sum(one, -z));
        let (base, base_rest) = (R::select(left, turned.hi, z), R::select(left, turned.lo - sum.lo, zero));
        let (top, top_rest) = (R::select(left, raised.hi, end), R::select(left, raised.lo, sum.lo));
        let large = base.min(top).ge(R::lit(STIRLING_FROM)).and(base.max(top).ge(R::lit(GAMMAS_TO)));
        let rounded = sum.lo.ne(zero);
        let [value] = R::when(
            large.not(),
            [zero],
            #[inline(always)]
            || {
                let tiny = top.abs().lt(R::lit(1e-290)).and(base.abs().lt(R::lit(1e-290)));
                let value = shared::gamma(top) * reciprocal_gamma(base);
                let step = gammaln_step(top, top_rest) - gammaln_step(base, base_rest);
                [R::select(tiny, base / top, nudged(value, step))]
            },
        );
        // Next to a pole, or rounded to one
        let beside = rounded.and(left.not()).and(end.lt(R::lit(-0.5))).and((end - end.round()).abs().lt(R::lit(0.25)));
        let [value] = R::when(
            beside,
            [value],
            #[inline(always)]
            || [reciprocal_gamma(base) / rgamma_at(sum)],
        );
        let [value] = R::when(
            large,
            [value],
            #[inline(always)]
            || {
                let ratio = e::exp_dd(e::log_wide(Dd::new(top, top_rest)).times(m) + stirling_gap(m, base));
                let ratio = R::select(top.eq(inf), inf, ratio);
                let ratio = R::select(base.eq(inf), R::select(m.gt(zero), inf, zero), ratio);
                [R::select(large, ratio, value)]
            },
        );
        let [out] = R::when(
            left,
            [value],
            #[inline(always)]
            || {
                let sine = shared::sinpi(end) + R::lit(PI) * sum.lo * shared::cospi(end);
                let half = m * R::lit(0.5);
                let sign = R::select(half.eq(half.floor()), one, -one);
                [value * R::select(m.eq(m.floor()), sign, shared::sinpi(z) / sine)]
            },
        );
        let whole = m.eq(m.floor());
        let at_pole = |x: R| x.le(zero).and(x.eq(x.floor()));
        let out = R::select(at_pole(z).and(at_pole(end).not()), zero, out);
        let steps = whole.and(m.abs().le(R::lit(PRODUCT_TO)));
        let [out] = R::when(
            steps,
            [out],
            #[inline(always)]
            || {
                let up = product::<R, false>(z, 1.0, m);
                let down = one / product::<R, false>(z - one, -1.0, -m);
                [R::select(steps, R::select(m.lt(zero), down, up), out)]
            },
        );
        let out = R::select(at_pole(end).and(at_pole(z).or(rounded).not()), inf, out + zero);
        let out = R::select(z.is_nan().or(m.is_nan()), z + m, out);
        R::select(m.eq(zero), one, out)
    })
}

/// `sin(pi x)`.
#[inline(always)]
fn wide_sinpi<R: Real>(x: Dd<R>) -> R {
    shared::sinpi(x.hi) * shared::cospi(x.lo) + shared::cospi(x.hi) * shared::sinpi(x.lo)
}

/// Where a binomial coefficient is a product of `k` quotients, and where the gamma function of `n + 1` is tabulated.
#[inline(always)]
pub(super) fn binom_ways<R: Real>(n: R, k: R) -> [R::Mask; 2] {
    let one = R::lit(1.0);
    let steps = k.ge(R::lit(0.0)).and(k.le(R::lit(PRODUCT_TO))).and(k.eq(k.floor()));
    [steps, tabulated(n).and(k.gt(-one)).and(k.lt(n + one)).and(steps.not())]
}

/// Binomial coefficient `gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1))`, for integers rounded to an integer.
#[inline(always)]
pub fn binom<R: Real>(n: R, k: R) -> R {
    named!("binom", |n, k| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let [steps, known] = binom_ways(n, k);
        let [out] = R::when(
            known,
            [one],
            #[inline(always)]
            || {
                let (p, q) = (Dd::two_sum(n, -k).plus(one), Dd::two_sum(k, one));
                let lower = shared::rgamma(p.hi) * shared::rgamma(q.hi);
                let out = R::column(&FACTORIAL, 0, e::to_int(R::select(known, n, zero))) * lower;
                [nudged(out, -(gammaln_step(p.hi, p.lo) + gammaln_step(q.hi, q.lo)))]
            },
        );
        let [out] = R::when(
            steps.or(known).not(),
            [out],
            #[inline(always)]
            || {
                // Where one of the lower arguments is negative the gamma function of it is reflected here (DLMF 5.5.3): their sum
                // would lose the digits of `n` to a large `k`.
                let over = Dd::two_sum(k, -n);
                let below = n.gt(-one).and(k.lt(-one));
                let exact = Dd::select(below, Dd::new(-k, zero), over);
                let z = exact.value();
                let reflected = n.gt(-one).and(z.gt(one)).and(z.lt(R::lit(INF)));
                let above = Dd::two_sum(n, one);
                let (p, q) = (Dd::select(reflected, above, (-over).plus(one)), Dd::two_sum(k, one));
                let q = Dd::select(reflected, Dd::new(z, zero), q);
                let beta = shared::beta(p.hi, q.hi);
                let step = gammaln_step(p.hi, p.lo) + gammaln_step(q.hi, q.lo);
                let beta = nudged(beta, step - gammaln_step(p.hi + q.hi, p.lo + q.lo));
                let wave = wide_sinpi(Dd::select(reflected, exact, Dd::new(one, zero))) * R::lit(FRAC_1_PI);
                [R::select(
                    reflected,
                    wave * beta,
                    one / R::select(beta.abs().lt(R::lit(INF)), above.times(beta).value(), beta),
                )]
            },
        );
        // Of a large `n` and a small `k` beta is a power where this is hardly one, or out of range.
        let slight = R::select(n.gt(R::lit(1e50)), R::lit(100.0), one);
        let flat = n.ge(R::lit(GAMMAS_TO)).and(k.abs().lt(slight)).and(steps.not());
        let [out] = R::when(
            flat,
            [out],
            #[inline(always)]
            || [R::select(flat, shared::poch(n - k + one, k) * shared::rgamma(k + one), out)],
        );
        // Next to a negative integer, and of a large `k`, `gamma(n + 1)` is reflected too, for the lower argument to the right of `n`.
        let gap = n - n.round();
        let far = k.abs().gt(R::select(n.gt(R::lit(-100.0)), R::lit(30.0), R::lit(1e6)));
        let beside = steps.not().and(n.lt(R::lit(-0.5))).and(gap.ne(zero)).and(gap.abs().lt(R::lit(1e-3)).or(far));
        let [out] = R::when(
            beside,
            [out],
            #[inline(always)]
            || {
                let over = Dd::two_sum(k, -n);
                let mirrored = over.hi.lt(zero);
                let lower = Dd::select(mirrored, -over, Dd::new(k, zero)).plus(one);
                let over = Dd::select(mirrored, Dd::new(-k, zero), over);
                let sine = wide_sinpi(over);
                let wave = R::select(over.hi.eq(zero), R::lit(PI), sine / over.hi);
                let step = gammaln_step(lower.hi, lower.lo) - gammaln_step(lower.hi - n, lower.lo);
                let near = wave / nudged(shared::beta(lower.hi, -n), step);
                // A power of a large argument, of which beta is out of range
                let far = far.and(lower.hi.gt(zero));
                let [quotient] = R::when(
                    beside.and(far),
                    [near],
                    #[inline(always)]
                    || {
                        let rise = shared::poch(R::select(far, lower.hi, one), -one - n) * shared::rgamma(-n);
                        [R::select(rise.is_nan(), near, sine * rise)]
                    },
                );
                let none = sine.eq(zero).and(over.hi.ne(zero));
                [R::select(none, zero, quotient / shared::sinpi(-n))]
            },
        );
        let [out] = R::when(
            steps,
            [out],
            #[inline(always)]
            || [R::select(steps, product::<R, true>(n, -1.0, k), out)],
        );
        let out = R::select(whole(n).and(whole(k)).and(out.abs().lt(R::lit(1e15))), out.round(), out);
        let undefined = n.lt(zero).and(whole(n)).or(n.is_nan()).or(k.is_nan());
        R::select(undefined, R::lit(NAN), out + zero)
    })
}

/// `psi^(n)(a + b) - psi^(n)(a)` for integral `n >= 0`, without cancellation where `b` is small beside `a`, of a negative
/// one for `n` to 1.
#[inline(always)]
pub fn polygamma_step<R: Real>(n: R, a: R, b: R) -> R {
    named!("polygamma_step", |n, a, b| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        // The reflected functions (DLMF 5.15.6) differ by as much, but for what their sines, of which all may be 0, give.
        let end = a + b;
        let alike = whole(b).or(whole(a).and(whole(end)));
        let left = a.max(end).lt(R::lit(0.5)).and(a.min(end).le(zero));
        let turned = left.and(alike.or(n.le(one)));
        let uneven = turned.and(alike.not());
        let [waves] = R::when(
            uneven,
            [zero],
            #[inline(always)]
            || {
                let pick = |v: R, other: f64| R::select(uneven, v, R::lit(other));
                let (a, b) = (pick(a, 0.25), pick(b, 0.5));
                // Next to a pole the rounding of a sum is not small beside its sine.
                let sine = inlined(
                    #[inline(always)]
                    |v: Dd<R>| (v.lo * R::lit(PI)).fma(shared::cospi(v.hi), shared::sinpi(v.hi)),
                );
                let end = Dd::two_sum(a, b);
                let front = R::lit(PI) / (shared::sinpi(a) * sine(end));
                let first = front * shared::sinpi(b);
                [R::select(n.eq(zero), first, -(first * front * sine(end + Dd::new(a, zero))))]
            },
        );
        let (a, b) = (R::select(turned, one - a, a), R::select(turned, -b, b));
        let half = n * R::lit(0.5);
        let odd = half.ne(half.floor());
        let near = a.gt(zero).and(b.abs().lt(a * R::lit(0.5))).and(a.lt(R::lit(INF)));
        let [out] = R::when(
            near.not(),
            [zero],
            #[inline(always)]
            || {
                let (high, low) = (shared::polygamma(n, a + b), shared::polygamma(n, a));
                // Both overflow at tiny arguments, the one next to 0 by far.
                let out = R::select(high.eq(low).and(a.gt(zero)).and(b.gt(zero)), -low, high - low);
                // Both are at the same limit.
                [R::select(a.eq(R::lit(INF)).and(b.abs().lt(R::lit(INF))), zero, out)]
            },
        );
        let [out] = R::when(
            near,
            [out],
            #[inline(always)]
            || {
                let (start, step) = (R::select(near, a, one), R::select(near, b, zero));
                let first = n.eq(zero);
                // 1 - (x/(x + b))^m
                let drop = inlined(
                    #[inline(always)]
                    |x: R, m: R| {
                        let [drop] = R::when(
                            m.ne(one),
                            [step / (x + step)],
                            #[inline(always)]
                            || [-shared::expm1(-(m * shared::log1p(step / x)))],
                        );
                        drop
                    },
                );
                let m = n + one;
                let raised = inlined(
                    #[inline(always)]
                    |x: R| {
                        let [power] = R::when(
                            first.not(),
                            [start / x],
                            #[inline(always)]
                            || [shared::pow(start / x, m)],
                        );
                        power
                    },
                );
                let enough = n + R::lit(14.0);
                // In units of n! / start^(n + 1).
                let [x, sum] = R::repeat(
                    [start, zero],
                    200,
                    #[inline(always)]
                    |[x, sum]| {
                        let low = x.lt(enough);
                        let term = raised(x) * drop(x, m);
                        let next = R::select(low, x + one, x);
                        ([next, R::select(low, sum + term, sum)], next.lt(enough))
                    },
                );
                let l = shared::log1p(step / x);
                let ratio = x / (x + step);
                let rest = step / (x + step);
                // 1 - ratio^m for m = n + 2k, stepped up by two.
                let mut gap = drop(x, m);
                let [mut power, lead] = R::when(
                    first.not(),
                    [ratio, l],
                    #[inline(always)]
                    || [shared::exp(-(m * l)), drop(x, n) / n],
                );
                let mut tail = lead * x + gap * R::lit(0.5);
                let r = one / x;
                let z = r * r;
                let mut factor = r;
                for (k, &coefficient) in c::EULER_MACLAURIN[..10].iter().enumerate() {
                    // (n + 1) ... (n + 2k - 1)
                    let j = 2.0 * k as f64;
                    factor = if k == 0 { factor * m } else { factor * z * (n + R::lit(j)) * (n + R::lit(j + 1.0)) };
                    gap = power.fma(rest, gap);
                    power = power * ratio;
                    tail = tail + factor * R::lit(coefficient) * gap;
                    gap = power.fma(rest, gap);
                    power = power * ratio;
                }
                let size = sum + tail * raised(x);
                let [size] = R::when(
                    first.not(),
                    [one / start * size],
                    #[inline(always)]
                    || [shared::scaled_pow(shared::gamma(m) * size, start, -m)],
                );
                [R::select(odd, -size, size)]
            },
        );
        R::select(turned.and(odd), -out, out) + waves
    })
}

/// `x^a y^b / B(a, b)` for `y = 1 - x`, `0 < x < 1`, and positive parameters.
#[inline(always)]
pub fn beta_front<R: Real>(a: R, b: R, x: R, y: R) -> R {
    named!("beta_front", |a, b, x, y| {
        let from = R::lit(STIRLING_FROM);
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let swap = a.gt(b);
        let (p, q) = (R::select(swap, b, a), R::select(swap, a, b));
        let (small, both) = (q.lt(from), p.ge(from));
        let right = x.gt(half);
        let near = R::select(right, y, x);
        let far_log = shared::log1p(-near);
        let m = reciprocal_gamma(R::select(both, one, p));
        let [out] = R::when(
            small,
            [zero],
            #[inline(always)]
            || {
                let sum = Dd::two_sum(p, q);
                let m = nudged(m * (shared::rgamma(q) / shared::rgamma(sum.hi)), gammaln_step(sum.hi, sum.lo));
                let (outer, inner) = (R::select(right, b, a), R::select(right, a, b));
                [shared::pow(near, outer) * shared::exp(inner * far_log) * m]
            },
        );
        let [out] = R::when(
            small.or(both).not(),
            [out],
            #[inline(always)]
            || {
                // The variable of p joins its power of p + q.
                let (zp, zq) = (R::select(swap, y, x), R::select(swap, x, y));
                // Both logarithms are multiplied by large numbers and cancel.
                let far = Dd::select(zq.gt(half), Dd::two_sum(one, -zp), Dd::new(zq, zero));
                let exponent = e::log_wide(Dd::two_sum(p, q).times(zp)).times(p) + e::log_wide(far).times(q);
                let exponent = exponent + stirling_gap(p, q);
                [e::exp_dd(exponent) * m]
            },
        );
        let [out] = R::when(
            both,
            [out],
            #[inline(always)]
            || {
                let d = mean_distance(a, b, x, y);
                let gap = inlined(
                    #[inline(always)]
                    |ratio: R, u: R| {
                        let close = u.abs().lt(R::lit(0.35));
                        R::select(close, log1p_gap(R::select(close, u, zero)), u - shared::log(ratio))
                    },
                );
                let fall = a * gap(x * (one + b / a), d / a) + b * gap(y * (one + a / b), -d / b);
                // Far from the peak the powers themselves, whose exponents have more than a double
                let steep = fall.gt(one).and(q.lt(R::lit(1e8)));
                let [fall, low] = R::when(
                    steep,
                    [fall, zero],
                    #[inline(always)]
                    || {
                        let (far, total) = (Dd::two_sum(one, -near), Dd::two_sum(a, b));
                        let power = inlined(
                            #[inline(always)]
                            |exact: R::Mask, v: R, exponent: R| {
                                let v = Dd::select(exact, Dd::new(v, zero), far);
                                e::log_wide(total * v / Dd::new(exponent, zero)).times(exponent)
                            },
                        );
                        let log = power(right.not(), x, a) + power(right, y, b);
                        [-log.hi, -log.lo]
                    },
                );
                let correction = stirling(p) + stirling(q) - stirling(p + q);
                let width = (p / (one + p / q) * R::lit(0.5 / PI)).sqrt();
                [e::exp_dd(-Dd::new(fall, low).plus(correction)) * width]
            },
        );
        out
    })
}

/// `x b - y a`, which is `x (a + b) - a`, rounded once.
#[inline(always)]
pub(super) fn mean_distance<R: Real>(a: R, b: R, x: R, y: R) -> R {
    // The smaller of x and y is the exact one.
    let left = x.lt(y);
    let t = R::select(left, x, y);
    let (own, other) = (R::select(left, a, b), R::select(left, b, a));
    let d = (Dd::two_prod(t, own) + Dd::two_prod(t, other)).plus(-own).value();
    R::select(left, d, -d)
}

/// Whether the tail at 0 is the one to compute: the other may be so close to 1 that its complement loses digits.
#[inline(always)]
fn left_tail<R: Real>(a: R, b: R, x: R, y: R) -> R::Mask {
    let left = x.lt(y);
    let (own, other) = (R::select(left, a, b), R::select(left, b, a));
    let before = (x * b).le(y * a);
    // The tail on this side of the mean. With a small parameter the density lies at both ends: then the tail of the near end if
    // that outweighs the other or `x` has left its flat part.
    let reach = own * shared::log(R::select(left, x, y));
    let weighty = own.ge(other).or(reach.lt(R::lit(-0.7)));
    let near = weighty.and(left.and(before).or(left.not().and(before.not())));
    let small = a.min(b).lt(R::lit(0.25));
    let by_end = left.and(near).or(left.not().and(near.not()));
    small.and(by_end).or(small.not().and(before))
}

/// The integral over `t` from 0 to `x` of `(c0 + c1 v + c2 w + c11 v^2 + c12 v w + c22 w^2) t^(a - 1) (1 - t)^(b - 1)` over
/// `x^a y^b`, where `t = x e^-v` and `1 - t = y e^w`.
///
/// Gauss' rule on panels that grow by the factor 3: in `v` every singularity lies left of 0.
#[allow(clippy::too_many_arguments)]
#[inline(always)]
pub fn beta_tail<R: Real>(a: R, b: R, x: R, y: R, c0: R, c1: R, c2: R, c11: R, c12: R, c22: R) -> R {
    named!("beta_tail", |a, b, x, y, c0, c1, c2, c11, c12, c22| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        // The odds stay finite.
        let y = y.max(R::lit(1e-300));
        let odds = x / y;
        let lower = b - one;
        let slope = (a - lower * odds).max(zero);
        let bend = (lower.max(zero) * x).sqrt() / y;
        // An exponential has decayed after four panels, a bell after three.
        let width = R::lit(1.4) / (slope + bend * R::lit(1.5));
        let to_pole = R::select(x.gt(R::lit(0.5)), shared::log1p(-y), shared::log(x)) * -two;
        let [_, _, sum, _] = R::repeat(
            [zero, width.min(to_pole), zero, zero],
            MAX_PANELS,
            #[inline(always)]
            |[start, width, sum, size]| {
                let [panel, panel_size, last] = R::over_rows(
                    &c::GAUSS,
                    [zero; 3],
                    #[inline(always)]
                    |[panel, panel_size, _], [node, weight]| {
                        let v = width.fma(node, start);
                        let u = -(odds * shared::expm1(-v));
                        let w = shared::log1p(u);
                        let value = shared::exp(b.fma(w, -(a * v))) / (one + u);
                        let weight = value * weight;
                        let (linear, cross) = (c1 + c11 * v + c12 * w, c2 + c22 * w);
                        let magnitude = c0.abs() + v * linear.abs() + w * cross.abs();
                        let panel = weight.fma(c0 + v * linear + w * cross, panel);
                        [panel, weight.fma(magnitude, panel_size), value * magnitude]
                    },
                );
                let (sum, size) = (width.fma(panel, sum), width.fma(panel_size, size));
                let next = start + width;
                ([next, two * next, sum, size], (last * next).gt(size * R::lit(EPS / 4.0)))
            },
        );
        sum / y
    })
}

/// What turns the integral over `x^a y^b` into the value: DLMF 8.17.22, two steps of the continued fraction at a time, as a sum
/// (Steed) whose late terms are small, and so are their roundings.
#[inline(always)]
fn fraction<R: Real>(a: R, b: R, x: R, d: R) -> R {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let first = (a + one) / (a * (one - d));
    R::repeat(
        [first, one, first, first],
        2000,
        #[inline(always)]
        |[sum, m, inverse, term]| {
            let odd = a + m + m - one;
            let u = m * (b - m) * x / odd;
            let over = (a + m - one) * (a + b + m - one) * x / odd * u;
            let under = m + u + (a + m) * (one - d + m * (two - x)) / (odd + two);
            let part = over * inverse;
            let inverse = one / (under + part);
            let term = -(part * inverse * term);
            let sum = sum + term;
            ([sum, m + one, inverse, term], term.abs().gt(sum.abs() * R::lit(EPS / 8.0)))
        },
    )[0]
}

/// `1 - I_s(q, p)` for `q <= 1`, `s` near 0 and `p s <= 1`: `-expm1` of the logarithm of the power series of DLMF 8.17.7.
#[inline(always)]
fn complement<R: Real>(p: R, q: R, s: R) -> R {
    let (zero, one, from) = (R::lit(0.0), R::lit(1.0), R::lit(STIRLING_FROM));
    // With N = p (p + 1) ... (P - 1), N + D the same of p + q, and N' and D' from 1 to 8, where Stirling's series begins,
    // (q B(q, p))^-1 = (1 + D'/N') N/(N + D) gamma(P + q)/gamma(P) gamma(8)/gamma(8 + q), free of cancellation as q -> 0.
    let (mut top, mut rise, mut fall, mut unit) = (p, zero, zero, one);
    for j in 0..STIRLING_FROM as u32 {
        let below = top.lt(from);
        let next = rise.fma(top + q, q * unit);
        rise = R::select(below, next, rise);
        unit = R::select(below, unit * top, unit);
        top = R::select(below, top + one, top);
        if j > 0 {
            let over = R::lit(f64::from(j).recip());
            fall = fall.fma((q + R::lit(f64::from(j))) * over, q * over);
        }
    }
    let [_, _, sum] = R::repeat(
        [one, one, zero],
        60,
        #[inline(always)]
        |[n, term, sum]| {
            let term = term * (n - p) / n * s;
            ([n + one, term, sum + term / (q + n)], term.abs().gt(R::lit(EPS / 8.0) * n))
        },
    );
    let moved = fall.fma(unit, q * sum * (unit + fall * unit)) - rise;
    let log = q * shared::log(s * (top + q) / (from + q))
        + (stirling_gap(q, top) - stirling_gap(q, from)).value()
        + shared::log1p(moved / (unit + rise));
    -shared::expm1(log)
}

/// `I` of `x` with `y = 1 - x`, and [`beta_front`], for `a`, `b` and `x` inside their ranges.
#[inline(always)]
fn inner<R: Real>(a: R, b: R, x: R, y: R) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let front = shared::beta_front(a, b, x, y);
    let left = left_tail(a, b, x, y);
    let (p, q) = (R::select(left, a, b), R::select(left, b, a));
    let (t, rest) = (R::select(left, x, y), R::select(left, y, x));
    let close = rest.le(R::lit(FRACTION_REST)).and((p * rest).le(one)).and(q.le(one));
    let short = p.max(q).lt(R::lit(FRACTION_TO)).and(close.not());
    let [sum] = R::when(
        short,
        [zero],
        #[inline(always)]
        || {
            let pick = |v: R, other: f64| R::select(short, v, R::lit(other));
            let (p, q, t) = (pick(p, 2.0), pick(q, 2.0), pick(t, 0.25));
            [fraction(p, q, t, mean_distance(p, q, t, pick(rest, 0.75)))]
        },
    );
    let long = short.or(close).not();
    let [sum] = R::when(
        long,
        [sum],
        #[inline(always)]
        || {
            let pick = |v: R, other: f64| R::select(long, v, R::lit(other));
            let (p, q, t, rest) = (pick(p, 2.0), pick(q, 2.0), pick(t, 0.25), pick(rest, 0.75));
            [shared::beta_tail(p, q, t, rest, one, zero, zero, zero, zero, zero)]
        },
    );
    let [tail] = R::when(
        close,
        [front * sum],
        #[inline(always)]
        || {
            let pick = |v: R, other: f64| R::select(close, v, R::lit(other));
            [complement(pick(p, 2.0), pick(q, 0.5), pick(rest, 0.01))]
        },
    );
    let value = R::select(left, tail, one - tail);
    // Parameters beyond all scales of the series leave the normal distribution.
    let normal = a.min(b).ge(R::lit(NORMAL_FROM));
    let [value] = R::when(
        normal,
        [value],
        #[inline(always)]
        || {
            // Scaled by 2^-100, so that neither overflows nor loses its ratio to the other.
            let scaled = |v: R| R::select(normal, v, one) * R::lit(7.888609052210118e-31);
            let (a, b) = (scaled(a), scaled(b));
            let unit = R::lit((1u64 << 50) as f64) * (a + b).sqrt() / (a.sqrt() * b.sqrt());
            let deviation = mean_distance(a, b, x, y) * unit;
            [R::select(normal, shared::ndtr(deviation), value)]
        },
    );
    [value, front]
}

/// The values at the ends, where the mass lies at one of them, and NaN outside.
#[inline(always)]
fn limits<R: Real>(a: R, b: R, x: R, y: R, value: R, ends: [f64; 2]) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let at_start = a.eq(zero).or(b.eq(inf));
    let at_end = b.eq(zero).or(a.eq(inf));
    let out = R::select(at_end, R::lit(ends[0]), R::select(at_start, R::lit(ends[1]), value));
    let out = R::select(x.eq(zero), R::lit(ends[0]), R::select(y.eq(zero), R::lit(ends[1]), out));
    let defined = a.ge(zero).and(b.ge(zero)).and(x.ge(zero)).and(y.ge(zero)).and(at_start.and(at_end).not());
    R::select(defined, out, R::lit(NAN))
}

/// The parameters within their range, and how many times a tail at 0 and at 1 is as large for those: of a large one beside a moderate one
/// only the product with it counts, of two only their quotient.
#[inline(always)]
fn in_range<R: Real>(a: R, b: R) -> [R; 4] {
    let (one, huge) = (R::lit(1.0), R::lit(HUGE));
    let over = (a.max(b) * R::lit(1.0 / HUGE)).max(one);
    let both = a.min(b).gt(R::lit(1e200));
    let [p, q] = mapped(
        [a, b],
        #[inline(always)]
        |v| R::select(both, v / over, v).min(huge).max(R::lit(TINY)),
    );
    let alone = over.gt(one).and(both.not());
    [p, q, R::select(alone.and(b.gt(huge)), over, one), R::select(alone.and(a.gt(huge)), over, one)]
}

/// Regularized incomplete beta function, also given `y = 1 - x`.
#[inline(always)]
pub fn betainc_xy<R: Real>(a: R, b: R, x: R, y: R) -> R {
    named!("betainc_xy", |a, b, x, y| {
        let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
        let inside = a.gt(zero).and(b.gt(zero)).and(a.lt(inf)).and(b.lt(inf)).and(x.gt(zero)).and(y.gt(zero));
        let keep = |v: R| R::select(inside, v, one);
        let [a1, b1, low, high] = in_range(keep(a), keep(b));
        let half = R::lit(0.5);
        let (x1, y1) = (R::select(inside, x, half), R::select(inside, y, half));
        let moved = low.ne(high);
        let (near, far) = ((x1 * low).min(half), (y1 * high).min(half));
        let x1 = R::select(moved, R::select(low.gt(one), near, one - far), x1);
        let y1 = R::select(moved, R::select(low.gt(one), one - near, far), y1);
        let few = few_terms(a1, b1);
        let [value] = R::when(
            inside.and(few.not()),
            [zero],
            #[inline(always)]
            || [inner(a1, b1, x1, y1)[0]],
        );
        let [value] = R::when(
            inside.and(few),
            [value],
            #[inline(always)]
            || [finite_sum(R::select(few, a1, one), R::select(few, b1, one), x1, y1)],
        );
        limits(a, b, x, y, value, [0.0, 1.0])
    })
}

/// Up to these parameters, if both are whole, the smaller tail is a [`finite_sum`].
const FEW: f64 = 16.0;

/// Where both are.
#[inline(always)]
pub(super) fn few_terms<R: Real>(a: R, b: R) -> R::Mask {
    let whole = a.floor().eq(a).and(b.floor().eq(b));
    whole.and(a.min(b).ge(R::lit(1.0))).and(a.max(b).le(R::lit(FEW)))
}

/// The tail next to `u = 0` is `u^p` times the sum of `(p)_k / k! v^k` over `k < q` (DLMF 8.17.24).
#[inline(always)]
fn finite_sum<R: Real>(a: R, b: R, x: R, y: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let lower = (x * (a + b)).lt(a);
    let pick = |s: R, t: R| R::select(lower, s, t);
    let (p, q, u, v) = (pick(a, b), pick(b, a), pick(x, y), pick(y, x));
    let [_, _, sum, moved] = R::repeat(
        [one, one, one, zero],
        FEW as u32,
        #[inline(always)]
        |[k, term, sum, moved]| {
            let term = R::select(k.lt(q), term * ((p + (k - one)) * v / k), zero);
            let next = k + one;
            ([next, term, sum + term, k.fma(term, moved)], next.lt(q))
        },
    );
    // What rounding took off the larger of both
    let by_v = v.gt(R::lit(0.5));
    let (large, small) = (R::select(by_v, v, u), R::select(by_v, u, v));
    let rest = ((one - large) - small) / large;
    let tail = shared::pow(u, p) * rest.fma(R::select(by_v, moved, p * sum), sum);
    pick(tail, one - tail)
}

/// Regularized incomplete beta function `I_x(a, b)`.
#[inline(always)]
pub fn betainc<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc", |a, b, x| shared::betainc_xy(a, b, x, R::lit(1.0) - x))
}

/// `1 - I_x(a, b)`.
#[inline(always)]
pub fn betaincc<R: Real>(a: R, b: R, x: R) -> R {
    named!("betaincc", |a, b, x| shared::betainc_xy(b, a, R::lit(1.0) - x, x))
}

/// `log x - psi(a) + psi(a + b)`, given `d = x b - y a`.
#[inline(always)]
fn score<R: Real>(a: R, b: R, x: R, y: R, d: R) -> R {
    let u = d / a;
    let large = a.min(b).ge(R::lit(10.0)).and(u.abs().lt(R::lit(0.5)));
    let far = shared::log1p(u) + (digamma_gap(a) - digamma_gap(a + b));
    let log = R::select(x.gt(R::lit(0.5)), shared::log1p(-y), shared::log(x));
    let near = log + shared::polygamma_step(R::lit(0.0), a, b);
    R::select(large, far, near)
}

/// `s^2 - psi'(a) + psi'(a + b)` for the score `s`, whose poles at `a = 0` cancel.
#[inline(always)]
fn score_square<R: Real>(a: R, b: R, x: R, y: R, s: R) -> R {
    let one = R::lit(1.0);
    let large = s * s + shared::polygamma_step(one, a, b);
    let [out] = R::when(
        a.lt(R::lit(0.5)),
        [large],
        #[inline(always)]
        || {
            let log = R::select(x.gt(R::lit(0.5)), shared::log1p(-y), shared::log(x));
            let rest = log + (shared::digamma(a + b) - shared::digamma(a + one));
            let curvature = shared::trigamma(a + b) - shared::trigamma(a + one);
            let small = rest * (rest + R::lit(2.0) / a) + curvature;
            [small]
        },
    );
    out
}

/// A derivative of `I` in the parameters numbered `FIRST` and `SECOND`, 0 for `a`, 1 for `b`, and 2 for none.
#[inline(always)]
fn derivative<R: Real, const FIRST: usize, const SECOND: usize>(a: R, b: R, x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (inf, y) = (R::lit(INF), one - x);
    // One parameter may be 0: the derivatives in it are those beside.
    let apart = a.ge(zero).and(b.ge(zero)).and((a + b).gt(zero)).and(a.lt(inf)).and(b.lt(inf));
    let inside = apart.and(x.gt(zero)).and(y.gt(zero));
    let keep = |v: R| {
        let v = R::select(v.eq(zero), R::lit(BESIDE_ZERO), v);
        R::select(inside, v, one).min(R::lit(HUGE)).max(R::lit(TINY))
    };
    let (a1, b1) = (keep(a), keep(b));
    let (x1, y1) = (R::select(inside, x, R::lit(0.5)), R::select(inside, y, R::lit(0.5)));
    let d = mean_distance(a1, b1, x1, y1);
    let front = shared::beta_front(a1, b1, x1, y1);
    let left = left_tail(a1, b1, x1, y1);
    // The factor of a parameter is its score at x, less v on its own side, plus w on the other.
    let factor = inlined(
        #[inline(always)]
        |which: usize| match which {
            0 => [score(a1, b1, x1, y1, d), R::select(left, -one, zero), R::select(left, zero, one)],
            1 => [score(b1, a1, y1, x1, -d), R::select(left, zero, -one), R::select(left, one, zero)],
            _ => [one, zero, zero],
        },
    );
    let (p, q) = (factor(FIRST), factor(SECOND));
    let c0 = match (FIRST, SECOND) {
        (0, 0) => score_square(a1, b1, x1, y1, p[0]),
        (0, 1) => p[0] * q[0] + shared::trigamma(a1 + b1),
        (1, 1) => score_square(b1, a1, y1, x1, p[0]),
        _ => p[0],
    };
    let (c1, c2) = (p[0] * q[1] + p[1] * q[0], p[0] * q[2] + p[2] * q[0]);
    let (c11, c12, c22) = (p[1] * q[1], p[1] * q[2] + p[2] * q[1], p[2] * q[2]);
    let (own, other) = (R::select(left, a1, b1), R::select(left, b1, a1));
    let (t, rest) = (R::select(left, x1, y1), R::select(left, y1, x1));
    let tail = front * shared::beta_tail(own, other, t, rest, c0, c1, c2, c11, c12, c22);
    let out = R::select(front.eq(zero), zero, R::select(left, tail, -tail));
    let flat = |v: R, which: usize| if FIRST == which || SECOND == which { R::Mask::lit(false) } else { v.eq(zero) };
    let out = R::select(flat(a, 0).or(flat(b, 1)), zero, out);
    R::select(inside, out, limits(a, b, x, y, out, [0.0, 0.0]))
}

/// `dI/da`.
#[inline(always)]
pub fn betainc_da<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc_da", |a, b, x| derivative::<R, 0, 2>(a, b, x))
}

/// `dI/db`.
#[inline(always)]
pub fn betainc_db<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc_db", |a, b, x| derivative::<R, 1, 2>(a, b, x))
}

/// `d2I/da2`.
#[inline(always)]
pub fn betainc_daa<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc_daa", |a, b, x| derivative::<R, 0, 0>(a, b, x))
}

/// `d2I/dadb`.
#[inline(always)]
pub fn betainc_dab<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc_dab", |a, b, x| derivative::<R, 0, 1>(a, b, x))
}

/// `d2I/db2`.
#[inline(always)]
pub fn betainc_dbb<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc_dbb", |a, b, x| derivative::<R, 1, 1>(a, b, x))
}

/// `dI/dx = x^(a - 1) (1 - x)^(b - 1) / B(a, b)`.
#[inline(always)]
pub fn betainc_dx<R: Real>(a: R, b: R, x: R) -> R {
    named!("betainc_dx", |a, b, x| {
        let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
        let y = one - x;
        let inside = a.gt(zero).and(b.gt(zero)).and(a.lt(inf)).and(b.lt(inf)).and(x.gt(zero)).and(y.gt(zero));
        let keep = |v: R, other: f64| R::select(inside, v, R::lit(other));
        let (a1, b1, x1, y1) = (keep(a, 1.0), keep(b, 1.0), keep(x, 0.5), keep(y, 0.5));
        // One step down in a where it stays positive: x^a itself may underflow where x^(a - 1) does not.
        let down = a1.gt(R::lit(2.0));
        let lower = R::select(down, a1 - one, a1);
        let front = shared::beta_front(lower, b1, x1, y1);
        let value = R::select(down, front / y1 * ((lower + b1) / lower), front / y1 / x1);
        // At an end: infinite, the other parameter, or zero.
        let end = |own: R, other: R| R::select(own.lt(one), inf, R::select(own.eq(one), other, zero));
        let out = limits(a, b, x, y, value, [0.0, 0.0]);
        let out = R::select(out.eq(out).and(x.eq(zero)).and(a.gt(zero)).and(b.lt(inf)), end(a, b), out);
        R::select(out.eq(out).and(y.eq(zero)).and(b.gt(zero)).and(a.lt(inf)), end(b, a), out)
    })
}

/// The reciprocal of `dI/dx`: how fast a quantile moves with its probability.
#[inline(always)]
pub fn beta_pace<R: Real>(a: R, b: R, x: R) -> R {
    named!("beta_pace", |a, b, x| R::lit(1.0) / shared::betainc_dx(a, b, x))
}

/// About `t^2 / n` where both tails of Student's distribution hold `p`, for `n >= 2` degrees of freedom (G. W. Hill, "Algorithm 396",
/// Comm. ACM 13, 1970).
#[inline(always)]
fn student_square<R: Real>(n: R, p: R) -> R {
    let (one, lit) = (R::lit(1.0), R::lit);
    let a = one / (n - lit(0.5));
    let b = lit(48.0) / (a * a);
    let c = ((lit(20700.0) * a / b - lit(98.0)) * a - lit(16.0)) * a + lit(96.36);
    let d = ((lit(94.5) / (b + c) - lit(3.0)) / b + one) * (a * lit(std::f64::consts::FRAC_PI_2)).sqrt() * n;
    let y = shared::exp(shared::log(d * p) * lit(2.0) / n);
    let tail = (one / (((n + lit(6.0)) / (n * y) - lit(0.089) * d - lit(0.822)) * (n + lit(2.0)) * lit(3.0))
        + lit(0.5) / (n + lit(4.0)))
        * y
        - one;
    let tail = tail * (n + one) / (n + lit(2.0)) + one / y;
    let x = shared::ndtri(p * lit(0.5));
    let few = R::select(n.lt(lit(5.0)), c + lit(0.3) * (n - lit(4.5)) * (x + lit(0.6)), c);
    let c = (((lit(0.05) * d * x - lit(5.0)) * x - lit(7.0)) * x - lit(2.0)) * x + b + few;
    let square = x * x;
    let z = (((((lit(0.4) * square + lit(6.3)) * square + lit(36.0)) * square + lit(94.5)) / c - square - lit(3.0))
        / b
        + one)
        * x;
    let middle = shared::expm1(a * z * z);
    let out = R::select(y.gt(lit(0.05) + a), middle, tail);
    out.max(lit(1e-300)).min(lit(1e300))
}

/// The odds `x / (1 - x)` where the tail at 0 holds `p <= 1/2`, by Halley's method on `log I` as a function of the logit, which
/// is concave.
#[inline(always)]
pub fn beta_odds<R: Real>(a: R, b: R, p: R) -> R {
    named!("beta_odds", |a, b, p| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let [a, b, low, high] = in_range(a, b);
        let target = shared::log(p);
        let central = a.ge(one).and(b.ge(one)).and(p.gt(R::lit(1e-10)));
        let student = b.eq(R::lit(0.5)).and(a.ge(one));
        let [start] = R::when(
            central.or(student).not(),
            [one],
            #[inline(always)]
            || {
                // Two terms of the inverse of the power series, or the mean where that lies beyond it.
                let lead = shared::exp((target + shared::log(a) + shared::betaln(a, b)) / a);
                let x = lead * (one + (b - one) / (a + one) * lead);
                let reached = lead.lt(one).and(x.lt(R::lit(0.9)));
                [R::select(reached, x / (one - x), a / b).min(a / b).max(R::lit(1e-300))]
            },
        );
        let [start] = R::when(
            central,
            [start],
            #[inline(always)]
            || {
                // M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.5.22
                let z = -shared::ndtri(p);
                let (s, t) = (one / (a + a - one), one / (b + b - one));
                let (h, r) = (R::lit(2.0) / (s + t), (z * z - R::lit(3.0)) * R::lit(1.0 / 6.0));
                let rest = r + R::lit(5.0 / 6.0) - R::lit(2.0 / 3.0) / h;
                let w = z * (h + r).max(zero).sqrt() / h - (t - s) * rest;
                [a / b * shared::exp(e::clamp(w * R::lit(-2.0), -100.0, 100.0))]
            },
        );
        let [start] = R::when(
            student,
            [start],
            #[inline(always)]
            || [one / student_square(R::select(student, a + a, R::lit(2.0)), p)],
        );
        let out = R::repeat(
            [start.min(R::lit(1e300)), one, zero, R::lit(INF)],
            80,
            #[inline(always)]
            |[odds, last, under, above]| {
                let y = one / (one + odds);
                let x = odds * y;
                let [value, front] = inner(a, b, x, y);
                let rate = front / value;
                // The difference of the logarithms would lose what they are large by.
                let ratio = value / p;
                let direct = ratio.gt(zero).and(ratio.lt(R::lit(INF)));
                let excess = R::select(direct, log_excess(value, p), shared::log(value) - target);
                let step = halley(excess / rate, a * y - b * x - rate);
                let blind = value.eq(zero);
                let step = e::clamp(R::select(blind, -one, step), -50.0, 30.0);
                let below = value.lt(p);
                let (under, above) = (R::select(below, odds, under), R::select(below, above, odds));
                // Of large parameters the tail is 0 or flat but for a narrow range, which halving finds.
                let (next, middle) = (odds.fma(shared::expm1(-step), odds), under.sqrt() * above.sqrt());
                let held = next.gt(under).and(next.lt(above)).and(blind.not()).or(step.abs().lt(R::lit(1e-6)));
                let halved = held.not().and(middle.gt(zero)).and(middle.lt(R::lit(INF)));
                let size = R::select(halved, one, step.abs());
                let next = R::select(halved, middle, next);
                // Steps of large parameters are small from the beginning.
                let rough = size.gt(R::lit(1e-6)).or(excess.abs().gt(R::lit(1e-8)));
                let go = rough.and(size.lt(last).or(size.gt(R::lit(1e-4))));
                ([next, size, under, above], go.and(next.gt(zero)).and(next.lt(R::lit(INF))))
            },
        );
        out[0] / low * high
    })
}

/// The `x` whose lower tail is `p` and whose upper tail is `q`.
#[inline(always)]
fn quantile<R: Real>(a: R, b: R, p: R, q: R) -> R {
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
    let inside = a.gt(zero).and(b.gt(zero)).and(a.lt(inf)).and(b.lt(inf)).and(p.gt(zero)).and(q.gt(zero));
    let keep = |v: R| R::select(inside, v, one);
    let (a1, b1) = (keep(a), keep(b));
    let (p1, q1) = (R::select(inside, p, R::lit(0.5)), R::select(inside, q, R::lit(0.5)));
    let low = p1.le(q1);
    let [odds] = R::when(
        inside,
        [one],
        #[inline(always)]
        || [shared::beta_odds(R::select(low, a1, b1), R::select(low, b1, a1), R::select(low, p1, q1))],
    );
    // The larger part by the smaller one, of which it has no roundings
    let least = odds.min(one / odds);
    let part = least / (one + least);
    let out = R::select(R::select(low, odds, one / odds).gt(one), one - part, part);
    let edge = R::select(a.eq(b), R::lit(NAN), R::select(a.eq(inf), one, zero));
    let out = R::select(p.eq(zero), zero, R::select(q.eq(zero), one, R::select(inside, out, edge)));
    let defined = a.gt(zero).and(b.gt(zero)).and(p.ge(zero)).and(q.ge(zero));
    R::select(defined, out, R::lit(NAN))
}

/// The `x` with `I_x(a, b) = p`.
#[inline(always)]
pub fn betaincinv<R: Real>(a: R, b: R, p: R) -> R {
    named!("betaincinv", |a, b, p| quantile(a, b, p, R::lit(1.0) - p))
}

/// The `x` with `1 - I_x(a, b) = q`.
#[inline(always)]
pub fn betainccinv<R: Real>(a: R, b: R, q: R) -> R {
    named!("betainccinv", |a, b, q| quantile(a, b, R::lit(1.0) - q, q))
}

/// Distribution function of Student's t with `df` degrees of freedom.
#[inline(always)]
pub fn stdtr<R: Real>(df: R, t: R) -> R {
    named!("stdtr", |df, t| {
        let (zero, half, one, inf) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(INF));
        let square = t * t;
        let ratio = square / df;
        let y = R::select(ratio.eq(inf), one, ratio / (one + ratio));
        let x = one / (one + ratio);
        let finite = df.lt(R::lit(NORMAL_FROM));
        let tail = half * shared::betainc_xy(half * df, half, R::select(finite, x, one), R::select(finite, y, zero));
        let tail = R::select(square.eq(inf), zero, tail);
        // All of the distribution lies beyond every t.
        let tail = R::select(df.lt(R::lit(1e-290)).and(t.abs().lt(inf)), half, tail);
        let [tail] = R::when(
            finite.not(),
            [tail],
            #[inline(always)]
            || [R::select(finite, tail, shared::ndtr(-t.abs()))],
        );
        let out = R::select(t.gt(zero), one - tail, tail);
        R::select(df.gt(zero).and(t.is_nan().not()), out, R::lit(NAN))
    })
}

/// The degrees of freedom, 1 and 2, with a quantile in closed form.
#[inline(always)]
pub(super) fn closed_quantile<R: Real>(df: R) -> R::Mask {
    df.eq(R::lit(1.0)).or(df.eq(R::lit(2.0)))
}

/// Inverse of [`stdtr`] in `t`.
#[inline(always)]
pub fn stdtrit<R: Real>(df: R, p: R) -> R {
    named!("stdtrit", |df, p| {
        let (zero, half, one, inf) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(INF));
        let upper = p.gt(half);
        let q = R::select(upper, one - p, p);
        let inside = df.gt(zero).and(df.lt(R::lit(NORMAL_FROM))).and(q.gt(zero));
        let (d, q2) = (R::select(inside, df, one), R::select(inside, q + q, half));
        let distance = (p - half).abs();
        let rest = distance + distance;
        let closed = inside.and(closed_quantile(df));
        let [t] = R::when(
            closed,
            [zero],
            #[inline(always)]
            || {
                let middle = R::select(q.gt(R::lit(0.25)), shared::tanpi(distance), one / shared::tanpi(q));
                [R::select(d.eq(one), middle, rest / (q2 * (one - q)).sqrt())]
            },
        );
        let [t] = R::when(
            inside.and(closed.not()),
            [t],
            #[inline(always)]
            || {
                let d = R::select(closed, R::lit(3.0), d);
                // The tails beyond |t| hold 2q; near q = 1/2 the middle of the interval is the small part.
                let middle = q2.gt(half);
                let (a, b) = (R::select(middle, half, half * d), R::select(middle, half * d, half));
                let share = R::select(middle, rest, q2);
                let odds = shared::beta_odds(a, b, R::select(share.gt(zero), share, half));
                let t = R::select(middle, (d * odds).sqrt(), (d / odds).sqrt());
                let far = odds.lt(R::lit(1e-280)).and(middle.not());
                R::when(
                    far,
                    [t],
                    #[inline(always)]
                    || {
                        // So far out the tail is its leading term, whose own power may underflow.
                        let log = shared::log(q2 * a) + shared::betaln(a, b);
                        [d.sqrt() * shared::exp(-log / d)]
                    },
                )
            },
        );
        let t = R::select(rest.eq(zero), zero, t);
        let [t] = R::when(
            df.ge(R::lit(NORMAL_FROM)),
            [R::select(inside, t, inf)],
            #[inline(always)]
            || [-shared::ndtri(R::select(q.ge(zero), q, zero))],
        );
        let out = R::select(upper, t, -t) + zero;
        R::select(df.gt(zero).and(q.ge(zero)), out, R::lit(NAN))
    })
}
