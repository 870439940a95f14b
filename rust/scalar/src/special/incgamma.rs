//! The incomplete gamma functions `P = gammainc` and `Q = gammaincc` and their derivatives in both arguments.
//!
//! Three regions: Temme's uniform expansion for large `a` with `x` near `a`, the power series left of it, Legendre's
//! continued fraction right of it (W. Gautschi, ACM TOMS 5, 1979; DLMF 8.11, 8.9, 8.12). The derivatives in `a` come from
//! the same three forms, differentiated term by term.

use super::coefficients as c;
use super::erf::erfc;
use super::gamma::{digamma, digamma_gap, gammaln1p, rgamma, stirling, trigamma};
use crate::elementary as e;
use crate::real::{Arith, Mask, Real};

const INF: f64 = f64::INFINITY;
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
struct Offset<R> {
    u: R,
    phi: R,
    log: R,
}

fn offset<R: Real>(a: R, x: R) -> Offset<R> {
    let u = x.sub(a).div(a);
    let close = u.abs().lt(R::lit(0.35));
    // log1p(u) = 2 atanh(r), so log1p(u) - u = -u r + 2 (r^3/3 + r^5/5 + ...)
    let v = R::select(close, u, R::lit(0.0));
    let r = v.div(v.add(R::lit(2.0)));
    let z = r.mul(r);
    let series = (1..13).rev().fold(R::lit(2.0 / 27.0), |sum, k| sum.fma(z, R::lit(2.0 / f64::from(2 * k + 1))));
    let small = r.mul(v.sub(z.mul(series)));
    let log = e::log(x.div(a));
    Offset { u, phi: R::select(close, small, u.sub(log)), log: R::select(close, v.sub(small), log) }
}

/// `x^a e^-x / gamma(a + 1)`.
fn prefactor<R: Real>(a: R, x: R, o: &Offset<R>) -> R {
    let small = a.lt(R::lit(STIRLING_FROM));
    let b = R::select(small, a, R::lit(1.0));
    let decay = e::exp(x.mul(R::lit(-0.5)));
    let direct = decay.mul(e::pow(x, b)).mul(decay).mul(rgamma(b.add(R::lit(1.0))));
    R::select(small, direct, bell(a, o).mul(e::exp(stirling(a).neg())))
}

/// `e^(-a phi) / sqrt(2 pi a)`.
fn bell<R: Real>(a: R, o: &Offset<R>) -> R {
    e::exp(a.mul(o.phi).neg()).div(R::lit(ROOT_2PI).mul(a.sqrt()))
}

/// `log x - digamma(a + 1)`.
fn log_rate<R: Real>(a: R, x: R, o: &Offset<R>) -> R {
    let one = R::lit(1.0);
    let large = a.ge(R::lit(STIRLING_FROM));
    R::select(large, o.log.add(digamma_gap(a)).sub(one.div(a)), e::log(x).sub(digamma(a.add(one))))
}

/// True while any of the derivatives up to `ORDER` still changes by more than the unit roundoff.
fn changing<R: Real, const ORDER: usize>(term: Jet<R>, sum: Jet<R>) -> R::Mask {
    (0..=ORDER).fold(R::Mask::lit(false), |go, k| go.or(term[k].abs().gt(sum[k].abs().mul(R::lit(EPS / 4.0)))))
}

/// `sum x^n / ((a + 1) ... (a + n))`, which times the prefactor is `P`.
fn series<R: Real, const ORDER: usize>(a: R, x: R, on: R::Mask) -> Jet<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, zero);
    let out = R::repeat([a, one, zero, zero, one, zero, zero], MAX_TERMS, |[b, t, td, tdd, s, sd, sdd]| {
        let b = b.add(one);
        let r = one.div(b);
        let u = t.mul(x).mul(r);
        let ud = td.mul(x).sub(u).mul(r);
        let udd = tdd.mul(x).sub(ud.add(ud)).mul(r);
        let sum = [s.add(u), sd.add(ud), sdd.add(udd)];
        ([b, u, ud, udd, sum[0], sum[1], sum[2]], changing::<R, ORDER>([u, ud, udd], sum).and(on))
    });
    [out[4], out[5], out[6]]
}

/// `e^x x^-a Gamma(a, x)` by Legendre's continued fraction (DLMF 8.9.2), evaluated forwards (Lentz).
fn fraction<R: Real, const ORDER: usize>(a: R, x: R, on: R::Mask) -> Jet<R> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let a = R::select(on, a, one);
    let x = R::select(on, x, two);
    // 1 / b with its derivatives, given b with its own
    let invert = |b: R, bd: R, bdd: R| {
        let r = one.div(b);
        let rd = bd.mul(r).mul(r).neg();
        [r, rd, bdd.mul(r).mul(r).add(two.mul(rd).mul(bd).mul(r)).neg()]
    };
    let b0 = x.add(one).sub(a);
    let [d, dd, ddd] = invert(b0, one.neg(), zero);
    let start = [zero, b0, d, dd, ddd, zero, zero, zero, d, dd, ddd];
    let out = R::repeat(start, MAX_TERMS, |[i, b, d, dd, ddd, g, gd, gdd, h, hd, hdd]| {
        let i = i.add(one);
        let b = b.add(two);
        let n = i.mul(a.sub(i));
        // i (a - i) y + b, where dn/da = i and db/da = -1
        let link = |[y, yd, ydd]: Jet<R>| {
            [n.fma(y, b), n.mul(yd).add(i.mul(y)).sub(one), n.mul(ydd).add(two.mul(i).mul(yd))]
        };
        let p = link([d, dd, ddd]);
        let q = link([g, gd, gdd]);
        let [d, dd, ddd] = invert(p[0], p[1], p[2]);
        let [g, gd, gdd] = invert(q[0], q[1], q[2]);
        let k = [q[0].mul(d), q[1].mul(d).add(q[0].mul(dd)), q[2].mul(d).add(two.mul(q[1]).mul(dd)).add(q[0].mul(ddd))];
        let next = [
            h.mul(k[0]),
            hd.mul(k[0]).add(h.mul(k[1])),
            hdd.mul(k[0]).add(two.mul(hd).mul(k[1])).add(h.mul(k[2])),
        ];
        let moved = [next[0].sub(h), next[1].sub(hd), next[2].sub(hdd)];
        let go = changing::<R, ORDER>(moved, next).and(on);
        ([i, b, d, dd, ddd, g, gd, gdd, next[0], next[1], next[2]], go)
    });
    [out[8], out[9], out[10]]
}

/// `Q / bell - erfc(eta sqrt(a/2)) / (2 bell)` of the uniform expansion: the sum of `C_k(eta) / a^k`.
fn uniform_sum<R: Real>(eta: R, a: R) -> R {
    let r = R::lit(1.0).div(a);
    c::TEMME.iter().rev().fold(R::lit(0.0), |sum, row| sum.fma(r, e::poly(eta, row)))
}

/// `eta`, the square root of `2 phi` with the sign of `x - a`.
fn eta<R: Real>(o: &Offset<R>) -> R {
    o.phi.add(o.phi).sqrt().copysign(o.u)
}

/// Which lanes take which form.
struct Regions<M> {
    uniform: M,
    fraction: M,
    series: M,
}

fn regions<R: Real>(a: R, x: R, o: &Offset<R>) -> Regions<R::Mask> {
    let inside = a.gt(R::lit(0.0)).or(a.eq(R::lit(0.0))).and(x.gt(R::lit(0.0))).and(a.lt(R::lit(INF))).and(x.lt(R::lit(INF)));
    let uniform = inside.and(a.ge(R::lit(UNIFORM_FROM))).and(o.u.abs().le(R::lit(UNIFORM_WIDTH)));
    let right = x.gt(a).and(x.ge(R::lit(SMALL_X)));
    Regions {
        uniform,
        fraction: inside.and(uniform.not()).and(right),
        series: inside.and(uniform.not()).and(right.not()),
    }
}

/// `Q` for `a < 1` and small `x`, where `1 - P` would cancel (DLMF 8.7.1 with the leading 1 taken out).
fn complement_series<R: Real>(a: R, x: R, on: R::Mask) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, zero);
    let out = R::repeat([zero, one, zero], 40, |[n, t, s]| {
        let n = n.add(one);
        let t = t.mul(x).div(n).neg();
        let u = t.div(a.add(n));
        let s = s.add(u);
        ([n, t, s], u.abs().gt(s.abs().mul(R::lit(EPS / 4.0))).and(on))
    });
    let a = R::select(on, a, one);
    let rise = e::expm1(a.mul(e::log(x)).sub(gammaln1p(a)));
    rise.add(rise.add(one).mul(a).mul(out[2])).neg()
}

/// The limits and NaN of a function on the quarter plane: its values at `x = 0`, at `x = inf` and at `a = inf`.
fn with_limits<R: Real>(a: R, x: R, value: R, at_zero: f64, at_inf: f64, at_inf_a: f64) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let out = R::select(x.eq(zero), R::lit(at_zero), value);
    let out = R::select(x.eq(inf), R::lit(at_inf), out);
    let out = R::select(a.eq(inf), R::lit(at_inf_a), out);
    let defined = a.ge(zero).and(x.ge(zero)).and(a.add(x).gt(zero)).and(a.eq(inf).and(x.eq(inf)).not());
    R::select(defined, out, R::lit(f64::NAN))
}

/// Regularized lower incomplete gamma function `P(a, x)`.
pub fn gammainc<R: Real>(a: R, x: R) -> R {
    R::call("gammainc", [a, x], |[a, x]| {
        let o = offset(a, x);
        let on = regions(a, x, &o);
        let front = prefactor(a, x, &o);
        let left = front.mul(series::<R, 0>(a, x, on.series)[0]);
        let right = R::lit(1.0).sub(front.mul(a).mul(fraction::<R, 0>(a, x, on.fraction)[0]));
        let t = eta(&o);
        let y = t.mul(a.mul(R::lit(0.5)).sqrt()).neg();
        let middle = erfc(y).mul(R::lit(0.5)).sub(bell(a, &o).mul(uniform_sum(t, a)));
        let out = R::select(on.uniform, middle, R::select(on.fraction, right, left));
        let out = R::select(a.eq(R::lit(0.0)), R::lit(1.0), out);
        with_limits(a, x, out, 0.0, 1.0, 0.0)
    })
}

/// Regularized upper incomplete gamma function `Q(a, x)`.
pub fn gammaincc<R: Real>(a: R, x: R) -> R {
    R::call("gammaincc", [a, x], |[a, x]| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let o = offset(a, x);
        let on = regions(a, x, &o);
        let small = on.series.and(a.lt(one)).and(x.lt(R::lit(SMALL_X)));
        let front = prefactor(a, x, &o);
        let left = one.sub(front.mul(series::<R, 0>(a, x, on.series.and(small.not()))[0]));
        let left = R::select(small, complement_series(a, x, small), left);
        let right = front.mul(a).mul(fraction::<R, 0>(a, x, on.fraction)[0]);
        let t = eta(&o);
        let y = t.mul(a.mul(R::lit(0.5)).sqrt());
        let middle = erfc(y).mul(R::lit(0.5)).add(bell(a, &o).mul(uniform_sum(t, a)));
        let out = R::select(on.uniform, middle, R::select(on.fraction, right, left));
        let out = R::select(a.eq(zero), zero, out);
        with_limits(a, x, out, 1.0, 0.0, 1.0)
    })
}

/// The derivatives of the uniform expansion in `a`, as `(dP/da, d2P/da2)`.
///
/// The derivative of erfc is the bell itself, so that both are the bell times a smooth function of `eta`: with
/// `x/a - 1 = eta q(eta)`, `d eta/da = -q/a` and `log(x/a) = eta g`, `g = q - eta/2`,
/// `dQ/da = bell * G`, `G = g + (eta g - 1/2a) S + dS/da`.
fn uniform_derivatives<R: Real>(a: R, o: &Offset<R>) -> (R, R) {
    let (half, two) = (R::lit(0.5), R::lit(2.0));
    let t = eta(o);
    let r = R::lit(1.0).div(a);
    let [q, q1, _] = poly_jet(t, &c::TEMME_RATIO);
    let g = q.sub(t.mul(half));
    let t1 = q.mul(r).neg();
    let t2 = q.mul(q1.add(R::lit(1.0))).mul(r).mul(r);
    // S and its partial derivatives in eta and in a
    let mut s = [R::lit(0.0); 3];
    let (mut sa, mut sta, mut saa) = (R::lit(0.0), R::lit(0.0), R::lit(0.0));
    let mut power = R::lit(1.0);
    for (k, row) in c::TEMME.iter().enumerate() {
        let k = k as f64;
        let jet = poly_jet(t, row);
        for (sum, v) in s.iter_mut().zip(jet) {
            *sum = sum.add(v.mul(power));
        }
        power = power.mul(r);
        sa = sa.sub(jet[0].mul(power).mul(R::lit(k)));
        sta = sta.sub(jet[1].mul(power).mul(R::lit(k)));
        saa = saa.add(jet[0].mul(power).mul(r).mul(R::lit(k * (k + 1.0))));
    }
    let s1 = s[1].mul(t1).add(sa);
    let s2 = s[1].mul(t2).add(s[2].mul(t1).mul(t1)).add(two.mul(sta).mul(t1)).add(saa);
    let rate = t.mul(g).sub(r.mul(half));
    let big_g = g.add(rate.mul(s[0])).add(s1);
    let rate1 = r.mul(r.mul(half).sub(R::lit(1.0)));
    let big_g1 = q1.sub(half).mul(t1).add(rate1.mul(s[0])).add(rate.mul(s1)).add(s2);
    let bell = bell(a, o);
    (bell.mul(big_g).neg(), bell.mul(rate.mul(big_g).add(big_g1)).neg())
}

/// A polynomial with its first and second derivative.
fn poly_jet<R: Real>(x: R, coefs: &[f64]) -> Jet<R> {
    let zero = R::lit(0.0);
    let [p, d, half] = coefs.iter().rev().fold([zero; 3], |[p, d, h], &k| [p.fma(x, R::lit(k)), d.fma(x, p), h.fma(x, d)]);
    [p, d, half.add(half)]
}

/// `dP/da` and, for `ORDER` 2, `d2P/da2`.
fn derivatives_in_a<R: Real, const ORDER: usize>(a: R, x: R) -> (R, R) {
    let two = R::lit(2.0);
    let o = offset(a, x);
    let on = regions(a, x, &o);
    let front = prefactor(a, x, &o);
    let l = log_rate(a, x, &o);
    let bend = l.mul(l).sub(trigamma(a.add(R::lit(1.0))));
    // front * s, where front' = l front and front'' = bend front
    let times_front = |s: Jet<R>| {
        let second = bend.mul(s[0]).add(two.mul(l).mul(s[1])).add(s[2]);
        (front.mul(l.mul(s[0]).add(s[1])), front.mul(second))
    };
    let left = times_front(series::<R, ORDER>(a, x, on.series));
    let f = fraction::<R, ORDER>(a, x, on.fraction);
    let right = times_front([a.mul(f[0]), a.mul(f[1]).add(f[0]), a.mul(f[2]).add(two.mul(f[1]))]);
    let middle = uniform_derivatives(a, &o);
    let pick = |left: R, right: R, middle: R| {
        let out = R::select(on.uniform, middle, R::select(on.fraction, right.neg(), left));
        with_limits(a, x, R::select(front.eq(R::lit(0.0)), R::lit(0.0), out), 0.0, 0.0, 0.0)
    };
    (pick(left.0, right.0, middle.0), pick(left.1, right.1, middle.1))
}

/// `dP/da`.
pub fn gammainc_da<R: Real>(a: R, x: R) -> R {
    R::call("gammainc_da", [a, x], |[a, x]| derivatives_in_a::<R, 1>(a, x).0)
}

/// `d2P/da2`.
pub fn gammainc_daa<R: Real>(a: R, x: R) -> R {
    R::call("gammainc_daa", [a, x], |[a, x]| derivatives_in_a::<R, 2>(a, x).1)
}

/// `dP/dx = x^(a - 1) e^-x / gamma(a)`.
pub fn gammainc_dx<R: Real>(a: R, x: R) -> R {
    R::call("gammainc_dx", [a, x], |[a, x]| {
        let one = R::lit(1.0);
        // One step down in a where that stays in the quarter plane: the prefactor of a itself may underflow at small x.
        let down = a.ge(one);
        let b = R::select(down, a.sub(one), a);
        let front = prefactor(b, x, &offset(b, x));
        let out = R::select(down, front, front.mul(a).div(x));
        let at_zero = R::select(a.lt(one), R::lit(INF), R::select(a.eq(one), one, R::lit(0.0)));
        let out = R::select(x.eq(R::lit(0.0)), at_zero, out);
        let out = R::select(x.eq(R::lit(INF)).or(a.eq(R::lit(INF))).or(a.eq(R::lit(0.0))), R::lit(0.0), out);
        R::select(a.ge(R::lit(0.0)).and(x.ge(R::lit(0.0))).and(a.add(x).gt(R::lit(0.0))), out, R::lit(f64::NAN))
    })
}

/// `d2P/dadx`.
pub fn gammainc_dax<R: Real>(a: R, x: R) -> R {
    R::call("gammainc_dax", [a, x], |[a, x]| {
        let zero = R::lit(0.0);
        let o = offset(a, x);
        let density = gammainc_dx(a, x);
        // (log x - digamma(a)) = log_rate + 1/a, which at a -> 0 meets the zero of the density
        let rate = log_rate(a, x, &o);
        let out = density.mul(rate).add(density.div(a));
        let origin = e::exp(x.neg()).div(x);
        let out = R::select(a.eq(zero), origin, R::select(density.eq(zero), zero, out));
        let at_zero = R::select(a.le(R::lit(1.0)), R::lit(-INF), zero);
        R::select(x.eq(zero).and(a.ge(zero)), at_zero, out)
    })
}

/// `d2P/dx2`.
pub fn gammainc_dxx<R: Real>(a: R, x: R) -> R {
    R::call("gammainc_dxx", [a, x], |[a, x]| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let density = gammainc_dx(a, x);
        let out = density.mul(a.sub(one).sub(x).div(x));
        let below = R::select(a.eq(one), R::lit(-1.0), R::lit(INF));
        let at_zero = R::select(a.lt(one), R::lit(-INF), R::select(a.lt(two), below, R::select(a.eq(two), one, zero)));
        let out = R::select(density.eq(zero), zero, out);
        R::select(x.eq(zero).and(a.gt(zero)), at_zero, R::select(density.is_nan(), density, out))
    })
}
