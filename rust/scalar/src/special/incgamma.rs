//! The incomplete gamma functions `P = gammainc` and `Q = gammaincc` and their derivatives in both arguments.
//!
//! Three regions: Temme's uniform expansion for large `a` with `x` near `a`, the power series left of it, Legendre's
//! continued fraction right of it (W. Gautschi, ACM TOMS 5, 1979; DLMF 8.11, 8.9, 8.12). The derivatives in `a` come from
//! the same three forms, differentiated term by term.

use super::coefficients as c;
use super::dual::Dual;
use super::expn;
use super::gamma::{digamma_gap, gammaln1p, stirling};
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const EPS: f64 = f64::EPSILON;
/// The uniform expansion needs `a` at least this, and `|x/a - 1|` at most that.
const UNIFORM_FROM: f64 = 25.0;
const UNIFORM_WIDTH: f64 = 0.3;
/// Stirling's series carries the prefactor from here on.
const STIRLING_FROM: f64 = 10.0;
/// Left of this `x` the series serve whatever `a` is.
const SMALL_X: f64 = 1.1;
const MAX_TERMS: u32 = 400;
const ROOT_2PI: f64 = 2.5066282746310002;

/// A value with its first and second derivative in `a`.
type Jet<R> = [R; 3];

/// `x/a - 1`, `phi = x/a - 1 - log(x/a)` and `log(x/a)`, each to full relative accuracy.
pub(super) struct Offset<R> {
    u: R,
    phi: R,
    pub(super) log: R,
}

/// `u - log(1 + u)` for `|u| < 0.35`.
#[inline(always)]
pub(super) fn log1p_gap<R: Real>(u: R) -> R {
    // log1p(u) = 2 atanh(r), so log1p(u) - u = -u r + 2 (r^3/3 + r^5/5 + ...)
    let r = u / (u + R::lit(2.0));
    let z = r * r;
    let mut series = R::lit(2.0 / 27.0);
    for k in (1..13).rev() {
        series = series.fma(z, R::lit(2.0 / f64::from(2 * k + 1)));
    }
    r * (u - z * series)
}

#[inline(always)]
pub(super) fn offset<R: Real>(a: R, x: R) -> Offset<R> {
    let u = (x - a) / a;
    let close = u.abs().lt(R::lit(0.35));
    let v = R::select(close, u, R::lit(0.0));
    let small = log1p_gap(v);
    let log = shared::log(x / a);
    Offset { u, phi: R::select(close, small, u - log), log: R::select(close, v - small, log) }
}

/// `x^a e^-x / gamma(a + 1)`.
#[inline(always)]
fn prefactor<R: Real>(a: R, x: R, o: &Offset<R>) -> R {
    let small = a.lt(R::lit(STIRLING_FROM));
    let b = R::select(small, a, R::lit(1.0));
    let decay = shared::exp(x * R::lit(-0.5));
    // Not of `b + 1` where what rounding takes from it would count for many digits
    let (one, least) = (R::lit(1.0), b.lt(R::lit(1.0)));
    let inverse = shared::rgamma(R::select(least, b + one, b)) / R::select(least, one, b);
    let direct = decay * shared::pow(x, b) * decay * inverse;
    // The power may overflow.
    let direct = R::select(decay.eq(R::lit(0.0)), decay, direct);
    R::select(small, direct, bell(a, o) * shared::exp(-stirling(a)))
}

/// `e^(-a phi) / sqrt(2 pi a)`.
#[inline(always)]
fn bell<R: Real>(a: R, o: &Offset<R>) -> R {
    shared::exp(-(a * o.phi)) / (R::lit(ROOT_2PI) * a.sqrt())
}

/// `log x - digamma(a + 1)`.
#[inline(always)]
fn log_rate<R: Real>(a: R, x: R, o: &Offset<R>) -> R {
    let one = R::lit(1.0);
    let large = a.ge(R::lit(STIRLING_FROM));
    R::select(large, o.log + digamma_gap(a) - one / a, shared::log(x) - shared::digamma(a + one))
}

/// True while the value or any of the derivatives that numbers of `K` parts have still changes by more than the unit roundoff.
#[inline(always)]
fn changing<R: Real, const K: usize>(term: Jet<R>, sum: Jet<R>) -> R::Mask {
    let mut go = R::Mask::lit(false);
    for k in 0..=K.ilog2() as usize {
        go = go.or(term[k].abs().gt(sum[k].abs() * R::lit(EPS / 4.0)));
    }
    go
}

/// `sum x^n / ((a + 1) ... (a + n))`, which times the prefactor is `P`.
#[inline(always)]
fn series<R: Real, const K: usize>(a: R, x: R, on: R::Mask) -> Jet<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, zero);
    let out = R::repeat(
        [a, one, zero, zero, one, zero, zero],
        MAX_TERMS,
        #[inline(always)]
        |[b, t, td, tdd, s, sd, sdd]| {
            let b = b + one;
            let r = one / b;
            let u = t * x * r;
            let ud = (td * x - u) * r;
            let udd = (tdd * x - (ud + ud)) * r;
            let sum = [s + u, sd + ud, sdd + udd];
            ([b, u, ud, udd, sum[0], sum[1], sum[2]], changing::<R, K>([u, ud, udd], sum).and(on))
        },
    );
    [out[4], out[5], out[6]]
}

/// `e^x x^-a Gamma(a, x)` by Legendre's continued fraction (DLMF 8.9.2, 8.19.1).
#[inline(always)]
fn fraction<R: Real, const K: usize>(a: R, x: R, on: R::Mask) -> Jet<R> {
    let f = expn::fraction(Dual::<R, K>::variable(R::lit(1.0) - a, 3), x, on).0;
    [f[0], -f[1 % K], f[3 % K]]
}

/// `Q / bell - erfc(eta sqrt(a/2)) / (2 bell)` of the uniform expansion: the sum of `C_k(eta) / a^k`.
#[inline(always)]
fn uniform_sum<R: Real>(eta: R, a: R) -> R {
    let r = R::lit(1.0) / a;
    let mut sum = R::lit(0.0);
    for row in c::TEMME.iter().rev() {
        let mut p = R::lit(0.0);
        for &k in row.iter().rev() {
            p = p.fma(eta, R::lit(k));
        }
        sum = sum.fma(r, p);
    }
    sum
}

/// `eta`, the square root of `2 phi` with the sign of `x - a`.
#[inline(always)]
fn eta<R: Real>(o: &Offset<R>) -> R {
    (o.phi + o.phi).sqrt().copysign(o.u)
}

/// Which lanes take which form.
struct Regions<M> {
    uniform: M,
    fraction: M,
    series: M,
}

#[inline(always)]
fn regions<R: Real, const K: usize>(a: R, x: R, o: &Offset<R>) -> Regions<R::Mask> {
    let inside =
        a.gt(R::lit(0.0)).or(a.eq(R::lit(0.0))).and(x.gt(R::lit(0.0))).and(a.lt(R::lit(INF))).and(x.lt(R::lit(INF)));
    let uniform = inside.and(a.ge(R::lit(UNIFORM_FROM))).and(o.u.abs().le(R::lit(UNIFORM_WIDTH)));
    // Next to the middle derivatives of the fraction lose more.
    let edge = if K == 1 { a } else { a + a.sqrt() * R::lit(0.2) };
    let right = x.gt(edge).and(x.ge(R::lit(SMALL_X)));
    Regions {
        uniform,
        fraction: inside.and(uniform.not()).and(right),
        series: inside.and(uniform.not()).and(right.not()),
    }
}

/// `Q` for `a < 1` and small `x`, where `1 - P` would cancel (DLMF 8.7.1 with the leading 1 taken out).
#[inline(always)]
fn complement_series<R: Real>(a: R, x: R, on: R::Mask) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, zero);
    let out = R::repeat(
        [zero, one, zero],
        40,
        #[inline(always)]
        |[n, t, s]| {
            let n = n + one;
            let t = -(t * x / n);
            let u = t / (a + n);
            let s = s + u;
            ([n, t, s], u.abs().gt(s.abs() * R::lit(EPS / 4.0)).and(on))
        },
    );
    let a = R::select(on, a, one);
    let rise = shared::expm1(a * shared::log(x) - gammaln1p(a));
    -(rise + (rise + one) * a * out[2])
}

/// The limits and NaN of a function on the quarter plane: its values at `x = 0`, at `x = inf` and at `a = inf`.
#[inline(always)]
fn with_limits<R: Real>(a: R, x: R, value: R, at_zero: f64, at_inf: f64, at_inf_a: f64) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let out = R::select(x.eq(zero), R::lit(at_zero), value);
    let out = R::select(x.eq(inf), R::lit(at_inf), out);
    let out = R::select(a.eq(inf), R::lit(at_inf_a), out);
    let defined = a.ge(zero).and(x.ge(zero)).and((a + x).gt(zero)).and(a.eq(inf).and(x.eq(inf)).not());
    R::select(defined, out, R::lit(f64::NAN))
}

/// `Q` where `UPPER`, else `P`; each region's form runs only where a lane needs it.
#[inline(always)]
fn regularized<R: Real, const UPPER: bool>(a: R, x: R) -> R {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let o = offset(a, x);
    let on = regions::<R, 1>(a, x, &o);
    let small = if UPPER { on.series.and(a.lt(one)).and(x.lt(R::lit(SMALL_X))) } else { R::Mask::lit(false) };
    let sum = on.series.and(small.not());
    let front = prefactor(a, x, &o);
    let [lower] = R::when(
        sum,
        [zero],
        #[inline(always)]
        || [front * series::<R, 1>(a, x, sum)[0]],
    );
    let [upper] = R::when(
        on.fraction,
        [zero],
        #[inline(always)]
        || [front * a * fraction::<R, 1>(a, x, on.fraction)[0]],
    );
    let [uniform] = R::when(
        on.uniform,
        [zero],
        #[inline(always)]
        || {
            let t = eta(&o);
            let sum = bell(a, &o) * uniform_sum(t, a);
            let (t, sum) = if UPPER { (t, sum) } else { (-t, -sum) };
            [(shared::erfc(t * (a * half).sqrt())).fma(half, sum)]
        },
    );
    let direct =
        if UPPER { R::select(on.fraction, upper, one - lower) } else { R::select(on.fraction, one - upper, lower) };
    let out = R::select(on.uniform, uniform, direct);
    let [complement] = R::when(
        small,
        [out],
        #[inline(always)]
        || [complement_series(a, x, small)],
    );
    let (at_zero, at_inf) = if UPPER { (1.0, 0.0) } else { (0.0, 1.0) };
    let out = R::select(a.eq(zero), R::lit(at_inf), complement);
    with_limits(a, x, out, at_zero, at_inf, at_zero)
}

/// Regularized lower incomplete gamma function `P(a, x)`.
#[inline(always)]
pub fn gammainc<R: Real>(a: R, x: R) -> R {
    named!("gammainc", |a, x| regularized::<R, false>(a, x))
}

/// Regularized upper incomplete gamma function `Q(a, x)`.
#[inline(always)]
pub fn gammaincc<R: Real>(a: R, x: R) -> R {
    named!("gammaincc", |a, x| regularized::<R, true>(a, x))
}

/// The derivatives of the uniform expansion in `a`, as `(dP/da, d2P/da2)`.
///
/// The derivative of erfc is the bell itself, so that both are the bell times a smooth function of `eta`: with
/// `x/a - 1 = eta q(eta)`, `d eta/da = -q/a` and `log(x/a) = eta g`, `g = q - eta/2`,
/// `dQ/da = bell * G`, `G = g + (eta g - 1/2a) S + dS/da`.
#[inline(always)]
fn uniform_derivatives<R: Real>(a: R, o: &Offset<R>) -> [R; 2] {
    let (half, two) = (R::lit(0.5), R::lit(2.0));
    let t = eta(o);
    let r = R::lit(1.0) / a;
    let [q, q1, _] = poly_jet(t, &c::TEMME_RATIO);
    let g = q - t * half;
    let t1 = -(q * r);
    let t2 = q * (q1 + R::lit(1.0)) * r * r;
    // S and its partial derivatives in eta and in a
    let mut s = [R::lit(0.0); 3];
    let (mut sa, mut sta, mut saa) = (R::lit(0.0), R::lit(0.0), R::lit(0.0));
    let mut power = R::lit(1.0);
    for (k, row) in c::TEMME.iter().enumerate() {
        let k = k as f64;
        let jet = poly_jet(t, row);
        for (sum, v) in s.iter_mut().zip(jet) {
            *sum = *sum + v * power;
        }
        power = power * r;
        sa = sa - jet[0] * power * R::lit(k);
        sta = sta - jet[1] * power * R::lit(k);
        saa = saa + jet[0] * power * r * R::lit(k * (k + 1.0));
    }
    let s1 = s[1] * t1 + sa;
    let s2 = s[1] * t2 + s[2] * t1 * t1 + two * sta * t1 + saa;
    let rate = t * g - r * half;
    let big_g = g + rate * s[0] + s1;
    let rate1 = r * (r * half - R::lit(1.0));
    let big_g1 = (q1 - half) * t1 + rate1 * s[0] + rate * s1 + s2;
    let bell = bell(a, o);
    [-(bell * big_g), -(bell * (rate * big_g + big_g1))]
}

/// A polynomial with its first and second derivative.
#[inline(always)]
pub(super) fn poly_jet<R: Real>(x: R, coefs: &[f64]) -> Jet<R> {
    let mut jet = [R::lit(0.0); 3];
    for &k in coefs.iter().rev() {
        jet = [jet[0].fma(x, R::lit(k)), jet[1].fma(x, jet[0]), jet[2].fma(x, jet[1])];
    }
    [jet[0], jet[1], jet[2] + jet[2]]
}

/// The derivatives of `front * s` in `a`, where `front' = rate front` and `front'' = bend front`.
#[inline(always)]
fn times_front<R: Real>(front: R, rate: R, bend: R, s: Jet<R>) -> [R; 2] {
    [front * (rate * s[0] + s[1]), front * (bend * s[0] + R::lit(2.0) * rate * s[1] + s[2])]
}

/// `dP/da` and, for `K` 4, `d2P/da2`.
#[inline(always)]
fn derivatives_in_a<R: Real, const K: usize>(a: R, x: R) -> [R; 2] {
    let zero = R::lit(0.0);
    let o = offset(a, x);
    let on = regions::<R, K>(a, x, &o);
    let front = prefactor(a, x, &o);
    let rate = log_rate(a, x, &o);
    let bend = if K > 2 { rate * rate - shared::trigamma(a + R::lit(1.0)) } else { zero };
    let out = R::when(
        on.series,
        [zero; 2],
        #[inline(always)]
        || times_front(front, rate, bend, series::<R, K>(a, x, on.series)),
    );
    let out = R::when(
        on.fraction,
        out,
        #[inline(always)]
        || {
            let f = fraction::<R, K>(a, x, on.fraction);
            // Q = front a f
            let q = times_front(front, rate, bend, [a * f[0], a * f[1] + f[0], a * f[2] + R::lit(2.0) * f[1]]);
            [-q[0], -q[1]]
        },
    );
    let out = R::when(
        on.uniform,
        out,
        #[inline(always)]
        || uniform_derivatives(a, &o),
    );
    // Where the prefactor underflows its product with an infinite rate is zero too.
    let flat = front.eq(zero);
    [
        with_limits(a, x, R::select(flat, zero, out[0]), 0.0, 0.0, 0.0),
        with_limits(a, x, R::select(flat, zero, out[1]), 0.0, 0.0, 0.0),
    ]
}

/// `dP/da`.
#[inline(always)]
pub fn gammainc_da<R: Real>(a: R, x: R) -> R {
    named!("gammainc_da", |a, x| derivatives_in_a::<R, 2>(a, x)[0])
}

/// `d2P/da2`.
#[inline(always)]
pub fn gammainc_daa<R: Real>(a: R, x: R) -> R {
    named!("gammainc_daa", |a, x| derivatives_in_a::<R, 4>(a, x)[1])
}

/// `dP/dx = x^(a - 1) e^-x / gamma(a)`.
#[inline(always)]
pub fn gammainc_dx<R: Real>(a: R, x: R) -> R {
    named!("gammainc_dx", |a, x| {
        let one = R::lit(1.0);
        // One step down in a where that stays in the quarter plane: the prefactor of a itself may underflow at small x.
        let down = a.ge(one);
        let b = R::select(down, a - one, a);
        let front = prefactor(b, x, &offset(b, x));
        let out = R::select(down, front, front * a / x);
        let at_zero = R::select(a.lt(one), R::lit(INF), R::select(a.eq(one), one, R::lit(0.0)));
        let out = R::select(a.eq(R::lit(0.0)).and(x.gt(R::lit(0.0))), R::lit(0.0), out);
        let limits = with_limits(a, x, out, 0.0, 0.0, 0.0);
        R::select(x.eq(R::lit(0.0)).and(a.gt(R::lit(0.0))), at_zero, limits)
    })
}

/// The reciprocal of `dP/dx`: how fast a quantile moves with its probability.
#[inline(always)]
pub fn gamma_pace<R: Real>(a: R, x: R) -> R {
    named!("gamma_pace", |a, x| R::lit(1.0) / shared::gammainc_dx(a, x))
}

/// `d2P/dadx`.
#[inline(always)]
pub fn gammainc_dax<R: Real>(a: R, x: R) -> R {
    named!("gammainc_dax", |a, x| {
        let zero = R::lit(0.0);
        let o = offset(a, x);
        let density = shared::gammainc_dx(a, x);
        // (log x - digamma(a)) = log_rate + 1/a, which at a -> 0 meets the zero of the density
        let rate = log_rate(a, x, &o);
        let out = density * rate + density / a;
        let origin = shared::exp(-x) / x;
        let out = R::select(a.eq(zero), origin, R::select(density.eq(zero), zero, out));
        let at_zero = R::select(a.le(R::lit(1.0)), R::lit(-INF), zero);
        let out = R::select(x.eq(zero), at_zero, out);
        R::select(density.is_nan(), density, out)
    })
}

/// `d2P/dx2`.
#[inline(always)]
pub fn gammainc_dxx<R: Real>(a: R, x: R) -> R {
    named!("gammainc_dxx", |a, x| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let density = shared::gammainc_dx(a, x);
        let out = density * ((a - one - x) / x);
        let below = R::select(a.eq(one), R::lit(-1.0), R::lit(INF));
        let at_zero = R::select(a.lt(one), R::lit(-INF), R::select(a.lt(two), below, R::select(a.eq(two), one, zero)));
        let out = R::select(density.eq(zero), zero, out);
        R::select(x.eq(zero).and(a.gt(zero)), at_zero, R::select(density.is_nan(), density, out))
    })
}

/// `log(value / wanted)` of positive numbers, also of a quotient next to 1 to the last digit.
#[inline(always)]
pub(super) fn log_excess<R: Real>(value: R, wanted: R) -> R {
    let d = (value - wanted) / wanted;
    let series = d * (R::lit(1.0) - d * (R::lit(0.5) - d * R::lit(1.0 / 3.0)));
    R::select(d.abs().lt(R::lit(1e-5)), series, shared::log(value / wanted))
}

/// Newton's step with Halley's correction, for a function whose second derivative is `bend` times the first; a correction that is
/// not small is left out.
#[inline(always)]
pub(super) fn halley<R: Real>(newton: R, bend: R) -> R {
    let one = R::lit(1.0);
    let share = newton * bend * R::lit(0.5);
    newton / R::select(share.abs().lt(R::lit(0.5)), one - share, one)
}

/// The `x` where the tail `P`, or `Q` where `UPPER`, is `t <= 1/2`, by Halley's method on its logarithm as a function of `log x`,
/// which is concave.
#[inline(always)]
fn tail_root<R: Real, const UPPER: bool>(a: R, t: R) -> R {
    let one = R::lit(1.0);
    let target = shared::log(t);
    // Bounds from outside: S. Boucheron, G. Lugosi, P. Massart, "Concentration Inequalities" (2013), 2.4, and the leading term of P.
    let spread = (a * target * R::lit(-2.0)).sqrt();
    let start = if UPPER {
        a - target + spread
    } else {
        (a - spread).max(shared::exp((target + shared::gammaln(a + one)) / a).min(a))
    };
    // E. B. Wilson, M. M. Hilferty, "The distribution of chi-square" (1931), where it is close
    let deviation = shared::ndtri(t) / (a.sqrt() * R::lit(3.0));
    let root = one - one / (a * R::lit(9.0)) + if UPPER { -deviation } else { deviation };
    let start = R::select(a.gt(R::lit(0.5)).and(root.gt(R::lit(0.4))), a * root * root * root, start);
    let underflow = (one / a.sqrt()).min(one);
    let out = R::repeat(
        [start.max(R::lit(f64::MIN_POSITIVE)), one],
        60,
        #[inline(always)]
        |[x, last]| {
            let tail = if UPPER { shared::gammaincc(a, x) } else { shared::gammainc(a, x) };
            // Far below 1 the density overflows.
            let low = a * if UPPER { one - tail } else { tail };
            let slope = R::select(x.lt(R::lit(1e-290)), low, shared::gammainc_dx(a, x) * x);
            // The difference of the logarithms would lose what they are large by.
            let ratio = tail / t;
            let excess = R::select(ratio.lt(R::lit(INF)), log_excess(tail, t), shared::log(tail) - target);
            let rate = slope / tail;
            let step = excess / if UPPER { -rate } else { rate };
            let step = halley(step, a - x + if UPPER { rate } else { -rate });
            let step = R::select(tail.eq(R::lit(0.0)), if UPPER { underflow } else { -underflow }, step);
            let step = step.max(R::lit(-50.0)).min(R::lit(50.0));
            let size = step.abs();
            // Steps of a large parameter are small from the beginning.
            let rough = size.gt(R::lit(1e-6)).or(excess.abs().gt(R::lit(1e-8)));
            let go = rough.and(size.lt(last).or(size.gt(R::lit(1e-4))));
            let next = x * shared::exp(-step);
            ([next, size], go.and(next.gt(R::lit(0.0))))
        },
    );
    out[0]
}

/// The `x` with the lower tail `p` and the upper tail `q`.
#[inline(always)]
fn quantile<R: Real>(a: R, p: R, q: R) -> R {
    let (zero, half, inf) = (R::lit(0.0), R::lit(0.5), R::lit(INF));
    let inside = a.gt(zero).and(a.lt(inf)).and(p.gt(zero)).and(q.gt(zero));
    let low = inside.and(p.le(q));
    let high = inside.and(p.gt(q));
    let a = R::select(inside, a, R::select(a.ge(zero), zero, R::lit(NAN)));
    let [out] = R::when(
        low,
        [R::lit(NAN)],
        #[inline(always)]
        || [tail_root::<R, false>(R::select(low, a, R::lit(1.0)), R::select(low, p, half))],
    );
    let [out] = R::when(
        high,
        [out],
        #[inline(always)]
        || [tail_root::<R, true>(R::select(high, a, R::lit(1.0)), R::select(high, q, half))],
    );
    let out = R::select(p.eq(zero), zero, R::select(q.eq(zero), inf, out));
    R::select(a.ge(zero).and(p.ge(zero)).and(q.ge(zero)), out, R::lit(NAN))
}

/// The `x` with `P(a, x) = p`.
#[inline(always)]
pub fn gammaincinv<R: Real>(a: R, p: R) -> R {
    named!("gammaincinv", |a, p| quantile(a, p, R::lit(1.0) - p))
}

/// The `x` with `Q(a, x) = q`.
#[inline(always)]
pub fn gammainccinv<R: Real>(a: R, q: R) -> R {
    named!("gammainccinv", |a, q| quantile(a, R::lit(1.0) - q, q))
}
