//! Bessel functions of real order and their derivatives in it.
//!
//! The order is `v = n + u` with `|u| <= 1/2`. Orders `u` and `u + 1` come from Temme's series at small arguments (N. M. Temme, J.
//! Comput. Phys. 19, 1975), beyond from Steed's continued fraction for the logarithmic derivative of Hankel's functions (A. R.
//! Barnett et al., Comput. Phys. Commun. 8, 1974) or, for `K`, from its integral, and from 20 on from Hankel's expansions (DLMF
//! 10.17, 10.40); then recurrences in their stable direction. Of large orders, values away from the turning point and starts of
//! recurrences next to it come from Debye's expansions. All steps are carried out on numbers with derivatives in `v`.

use super::bessel01::second_pair;
use super::debye;
use super::dual::{Dual, at, pack};
use super::gamma::stirling;
use super::tables as t;
use crate::ComplexBody;
use crate::complex::{Complex, bodies as c};
use crate::dd::Dd;
use crate::elementary::{exp_dd, log_sum};
use crate::named;
use crate::real::{Mask, Real, count, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, LN_2, PI};

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;
/// Orders above this are NaN: the work next to the turning point grows with the cubic root of the order.
const MAX_ORDER: f64 = 1e9;
const STEPS: u32 = 100_010;
/// Recurrences start at an order from Debye's expansions if it is this large.
const UNIFORM: f64 = 60.0;
/// Temme's series below, the continued fraction from here on, Hankel's expansions from `HANKEL` on.
const STEED: f64 = 2.0;
const HANKEL: f64 = 20.0;
/// `Y` of integral orders up to this comes from the orders 0 and 1.
const CLIMBED: f64 = 100.0;
/// For `K` the integral instead of Temme's series from here on.
const INTEGRAL: f64 = 1.0;
/// The highest derivative of an asymptotic series in its argument.
pub(crate) const HIGHEST: u32 = 4;

/// From here on powers over gamma functions are [`power_over_gamma`].
pub(crate) const LARGE_ORDER: f64 = 150.0;

/// Whether a term still changes a sum, in any of its derivatives.
#[inline(always)]
fn matters<R: Real, const K: usize>(term: Dual<R, K>, sum: Dual<R, K>) -> R::Mask {
    let mut go = R::Mask::lit(false);
    count::<0, K>(
        #[inline(always)]
        |k| go = go.or(term.0[k].abs().gt(sum.0[k].abs() * R::lit(EPS / 8.0))),
    );
    go
}

/// Whether a factor is still away from 1, in any of its derivatives.
#[inline(always)]
fn moves<R: Real, const K: usize>(factor: Dual<R, K>) -> R::Mask {
    let mut go = (factor.0[0] - R::lit(1.0)).abs().gt(R::lit(EPS));
    count::<1, K>(
        #[inline(always)]
        |k| go = go.or(factor.0[k].abs().gt(R::lit(EPS))),
    );
    go
}

#[inline(always)]
fn polynomial<R: Real, const K: usize, const N: usize>(x: Dual<R, K>, c: &[f64; N]) -> Dual<R, K> {
    let mut p = Dual::lit(c[N - 1]);
    count::<1, N>(
        #[inline(always)]
        |i| p = (p * x).plus(c[N - 1 - i]),
    );
    p
}

/// `v = n + u`.
struct Order<R, const K: usize> {
    n: R,
    u: Dual<R, K>,
    v: Dual<R, K>,
}

#[inline(always)]
fn split<R: Real, const K: usize>(v: R) -> Order<R, K> {
    let n = v.round();
    Order { n, u: Dual::variable(v - n, 3), v: Dual::variable(v, 3) }
}

/// `e^shift w^v / gamma(v + 1)` for `v >= LARGE_ORDER` by Stirling's series: the rounding of so large an exponent, in one double, is more
/// than the order allows.
#[inline(always)]
pub(crate) fn power_over_gamma<R: Real>(v: R, w: R, shift: Dd<R>) -> R {
    let rest = shared::log(v * R::lit(2.0 * PI)) * R::lit(0.5) + stirling(v);
    exp_dd((log_sum(w) - log_sum(v)).times(v).plus(v).plus(-rest) + shift)
}

/// `(x/2)^v / Gamma(v + 1) sum (sign x^2/4)^k / (k! (v + 1)_k)`, DLMF 10.2.2 and 10.25.2; `shift` is added to the exponent.
#[inline(always)]
fn power_series<R: Real, const K: usize>(v: Dual<R, K>, x: R, sign: f64, shift: R, on: R::Mask) -> Dual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = R::select(on, x, one) * R::lit(0.5);
    let q = w * w * R::lit(sign);
    let state = R::repeat(
        pack::<R, K, 2, 1, 9>([Dual::lit(1.0), Dual::lit(1.0)], [zero]),
        4000,
        #[inline(always)]
        |state| {
            let (term, sum, k) = (at::<R, K, 9>(&state, 0), at::<R, K, 9>(&state, 1), state[8] + one);
            let term = term.times(q / k) / (v + Dual::constant(k));
            let sum = sum + term;
            (pack([term, sum], [k]), matters(term, sum).and(on))
        },
    );
    let sum = at::<R, K, 9>(&state, 1);
    let order = v.value();
    let small = order.lt(R::lit(LARGE_ORDER));
    let a = R::select(small, order, one);
    let direct = shared::exp(shift) * shared::pow(w, a) * shared::rgamma(a + one);
    let [front] = R::when(
        small.not().and(on),
        [direct],
        #[inline(always)]
        || {
            let v = R::select(small, R::lit(LARGE_ORDER), order);
            [R::select(w.gt(zero), power_over_gamma(v, w, Dd::new(shift, zero)), zero)]
        },
    );
    let mut slopes = [front, zero, zero];
    if K > 1 {
        let rate = shared::log(w) - shared::digamma(order + one);
        slopes[1] = front * rate;
        if K > 2 {
            slopes[2] = front * (rate * rate - shared::trigamma(order + one));
        }
    }
    v.chain(slopes) * sum
}

/// What both of Temme's series start from: `1/Gamma(1 + u)`, `1/Gamma(1 - u)`, `(2/x)^u`, and `f_0` up to a factor.
#[inline(always)]
fn temme_start<R: Real, const K: usize>(u: Dual<R, K>, x: R) -> [Dual<R, K>; 4] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let z = u * u;
    let even = polynomial(z, &t::RGAMMA_EVEN);
    let odd = polynomial(z, &t::RGAMMA_ODD);
    let plus = even - u * odd;
    let minus = even + u * odd;
    let log = R::lit(LN_2) - shared::log(x);
    let s = u.times(log);
    let a = s.value();
    let grow = shared::exp(a);
    let fall = one / grow;
    let half = R::lit(0.5);
    let (cosh, sinh) = ((grow + fall) * half, (grow - fall) * half);
    // sinh(a) / a and its derivatives
    let near = a.abs().lt(one);
    let b = R::select(near, a * a, zero);
    let (mut f, mut f1, mut f2) = (zero, zero, zero);
    let mut c = 1.0;
    let mut coefs = [0.0; 11];
    for (k, slot) in coefs.iter_mut().enumerate() {
        if k > 0 {
            c /= (2 * k * (2 * k + 1)) as f64;
        }
        *slot = c;
    }
    for k in (0..11).rev() {
        f = f.fma(b, R::lit(coefs[k]));
        if k > 0 {
            f1 = f1.fma(b, R::lit(coefs[k] * (2 * k) as f64));
            f2 = f2.fma(b, R::lit(coefs[k] * (2 * k * (2 * k - 1)) as f64));
        }
    }
    let d = R::select(near, one, a);
    let g = sinh / d;
    let g1 = (cosh - g) / d;
    let g2 = g - (g1 + g1) / d;
    let sinhc = s.chain([R::select(near, f, g), R::select(near, f1 * a, g1), R::select(near, f2, g2)]);
    let cosh = s.chain([cosh, sinh, cosh]);
    let first = (odd * cosh + even * sinhc.times(log)) / (plus * minus);
    [plus, minus, s.chain([grow, grow, grow]), first]
}

/// `Y_u` and `Y_{u + 1}` for `0 < x < 2`.
#[inline(always)]
fn temme_y<R: Real, const K: usize>(u: Dual<R, K>, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, one);
    let [plus, minus, power, first] = temme_start(u, x);
    let f = first.scaled(2.0 / PI);
    let p = power / plus.scaled(PI);
    let q = (power * minus).scaled(PI);
    let q = Dual::lit(1.0) / q;
    let z = u * u;
    let r = u * polynomial(z, &t::HALF_SINE);
    let w = -(x * x * R::lit(0.25));
    let state = R::repeat(
        pack::<R, K, 5, 2, 22>([f, p, q, f + r * q, p], [zero, one]),
        200,
        #[inline(always)]
        |state| {
            let [f, p, q, sum, sum1] = each(
                #[inline(always)]
                |i| at::<R, K, 22>(&state, i),
            );
            let k = state[20] + one;
            let c = state[21] * w / k;
            let kk = Dual::constant(k);
            let f = (f.times(k) + p + q) / (kk * kk - z);
            let p = p / (kk - u);
            let q = q / (kk + u);
            let term = (f + r * q).times(c);
            let sum = sum + term;
            let term1 = p.times(c) - term.times(k);
            let sum1 = sum1 + term1;
            (pack([f, p, q, sum, sum1], [k, c]), matters(term, sum).or(matters(term1, sum1)).and(on))
        },
    );
    [-at::<R, K, 22>(&state, 3), -at::<R, K, 22>(&state, 4).times(R::lit(2.0) / x)]
}

/// `K_u` and `K_{u + 1}` for `0 < x < 1`, times `e^x`.
#[inline(always)]
fn temme_k<R: Real, const K: usize>(u: Dual<R, K>, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, one);
    let [plus, minus, power, f] = temme_start(u, x);
    let p = power.scaled(0.5) / plus;
    let q = Dual::lit(0.5) / (power * minus);
    let z = u * u;
    let w = x * x * R::lit(0.25);
    let state = R::repeat(
        pack::<R, K, 5, 2, 22>([f, p, q, f, p], [zero, one]),
        200,
        #[inline(always)]
        |state| {
            let [f, p, q, sum, sum1] = each(
                #[inline(always)]
                |i| at::<R, K, 22>(&state, i),
            );
            let k = state[20] + one;
            let c = state[21] * w / k;
            let kk = Dual::constant(k);
            let f = (f.times(k) + p + q) / (kk * kk - z);
            let p = p / (kk - u);
            let q = q / (kk + u);
            let term = f.times(c);
            let sum = sum + term;
            let term1 = p.times(c) - term.times(k);
            let sum1 = sum1 + term1;
            (pack([f, p, q, sum, sum1], [k, c]), matters(term, sum).or(matters(term1, sum1)).and(on))
        },
    );
    let grow = shared::exp(x);
    [at::<R, K, 22>(&state, 3).times(grow), at::<R, K, 22>(&state, 4).times(grow * R::lit(2.0) / x)]
}

/// Complex numbers with derivatives.
#[derive(Clone, Copy)]
struct Wave<R, const K: usize> {
    re: Dual<R, K>,
    im: Dual<R, K>,
}

impl<R: Real, const K: usize> Wave<R, K> {
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Wave { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
    #[inline(always)]
    fn by(self, d: Dual<R, K>) -> Self {
        Wave { re: self.re * d, im: self.im * d }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Wave { re: self.re + o.re, im: self.im + o.im }
    }
    #[inline(always)]
    fn inverse(self) -> Self {
        let norm = self.re * self.re + self.im * self.im;
        Wave { re: self.re / norm, im: -self.im / norm }
    }
}

/// The logarithmic derivative `p + i q` of `J_u + i Y_u` for `2 <= x < 20` (Steed's continued fraction, DLMF 10.33).
#[inline(always)]
fn steed<R: Real, const K: usize>(u: Dual<R, K>, x: R, on: R::Mask) -> Wave<R, K> {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let z = u * u;
    // a_k / (b_k + ...) with a_k = (k - 1/2)^2 - u^2 and b_k = 2 (x + i k), by Lentz's method
    let b = Wave::<R, K> { re: Dual::constant(x + x), im: Dual::constant(two) };
    let d = b.inverse();
    let h = d.by(Dual::lit(0.25) - z);
    let c = Wave { re: Dual::lit(1e300), im: Dual::lit(0.0) };
    let state = R::repeat(
        pack::<R, K, 6, 1, 25>([d.re, d.im, c.re, c.im, h.re, h.im], [one]),
        500,
        #[inline(always)]
        |state| {
            let [dr, di, cr, ci, hr, hi] = each(
                #[inline(always)]
                |i| at::<R, K, 25>(&state, i),
            );
            let k = state[24] + one;
            let half = k - R::lit(0.5);
            let a = Dual::constant(half * half) - z;
            let b = Wave { re: Dual::constant(x + x), im: Dual::constant(k + k) };
            let d = b.add(Wave { re: dr, im: di }.by(a)).inverse();
            let c = b.add(Wave { re: cr, im: ci }.inverse().by(a));
            let step = c.mul(d);
            let h = Wave { re: hr, im: hi }.mul(step);
            let still = moves(step.re).or(moves(step.im.plus(1.0)));
            (pack([d.re, d.im, c.re, c.im, h.re, h.im], [k]), still.and(on))
        },
    );
    let (hr, hi) = (at::<R, K, 25>(&state, 4), at::<R, K, 25>(&state, 5));
    let r = one / x;
    // -1/(2x) + i + (i/x) h
    Wave { re: -hi.times(r) - Dual::constant(r * R::lit(0.5)), im: hr.times(r).plus(1.0) }
}

/// `J_v` where wanted, `Y_u` and `Y_{u + 1}` for `2 <= x < 20`: downwards from an order beyond all, scaled by the Wronskian.
#[inline(always)]
fn middle<R: Real, const K: usize>(order: &Order<R, K>, x: R, on: R::Mask, wanted: R::Mask) -> [Dual<R, K>; 3] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, R::lit(HANKEL / 2.0));
    let n = R::select(wanted, order.n, one);
    let w = steed(order.u, x, on);
    let r = R::lit(2.0) / x;
    let top = n.max(x.ceil()) + R::lit(36.0);
    let state = R::repeat(
        pack::<R, K, 3, 1, 13>([Dual::lit(0.0), Dual::lit(1.0), Dual::lit(0.0)], [top]),
        400,
        #[inline(always)]
        |state| {
            let [above, now, kept] = each(
                #[inline(always)]
                |i| at::<R, K, 13>(&state, i),
            );
            // `now` has the order k + u.
            let k = state[12];
            let kept = Dual::select(k.eq(n), now, kept);
            let below = (order.u + Dual::constant(k)).times(r) * now - above;
            let more = k.gt(zero).and(on);
            (pack([now, below, kept], [k - one]), more)
        },
    );
    // The last step went to the order u - 1; the pair is u, u - 1.
    let (a, before, kept) = (at::<R, K, 13>(&state, 0), at::<R, K, 13>(&state, 1), at::<R, K, 13>(&state, 2));
    let kept = Dual::select(n.eq(zero), a, kept);
    let slope = before - a * order.u.times(one / x);
    let b = (w.re * a - slope) / w.im;
    let scale = (Dual::constant(R::lit(2.0 / PI) / x) / (w.im * (a * a + b * b))).sqrt();
    let (ju, yu) = (a * scale, b * scale);
    let y_slope = w.re * yu + w.im * ju;
    let next = yu * order.u.times(one / x) - y_slope;
    [kept * scale, yu, next]
}

/// `(z - (2k - 1)^2) r / k`.
#[inline(always)]
fn hankel_factor<R: Real, const K: usize>(z: Dual<R, K>, r: R, k: R) -> Dual<R, K> {
    let odd = k + k - R::lit(1.0);
    (z - Dual::constant(odd * odd)).times(r / k)
}

/// Whether the terms of Hankel's expansion do not grow yet: once they change their signs, derivatives count as well, since those of
/// half-integral orders go on where the values end.
#[inline(always)]
fn falls<R: Real, const K: usize>(v: R, term: Dual<R, K>, next: Dual<R, K>, odd: R) -> R::Mask {
    next.size().le(term.size()).or(odd.lt(v.abs() * R::lit(2.0)))
}

/// The sums over even and over odd terms of Hankel's expansions (DLMF 10.17.3, 10.40.1), whose terms are products of
/// `(4 v^2 - (2k - 1)^2) / (8 k x)`; with `ALTERNATE` each pair changes its sign.
#[inline(always)]
fn hankel_sums<R: Real, const K: usize, const ALTERNATE: bool>(v: Dual<R, K>, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let z = (v * v).scaled(4.0);
    let r = one / (x * R::lit(8.0));
    let state = R::repeat(
        pack::<R, K, 3, 1, 13>([Dual::lit(1.0), Dual::lit(1.0), Dual::lit(0.0)], [zero]),
        60,
        #[inline(always)]
        |state| {
            let [term, p, q] = each(
                #[inline(always)]
                |i| at::<R, K, 13>(&state, i),
            );
            // Two terms, one of Q and one of P.
            let k = state[12];
            let t1 = term * hankel_factor(z, r, k + one);
            let q = q + t1;
            let t2 = t1 * hankel_factor(z, r, k + R::lit(2.0));
            let t2 = if ALTERNATE { -t2 } else { t2 };
            let p = p + t2;
            let odd = k + k + R::lit(3.0);
            let go = matters(t1, q).or(matters(t2, p)).and(falls(v.value(), term, t2, odd));
            (pack([t2, p, q], [k + R::lit(2.0)]), go.and(on))
        },
    );
    [at::<R, K, 13>(&state, 1), at::<R, K, 13>(&state, 2)]
}

/// `J_v` and `Y_v` by Hankel's expansion (DLMF 10.17.3).
#[inline(always)]
fn hankel<R: Real, const K: usize>(v: Dual<R, K>, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    let x = R::select(on, x, R::lit(100.0));
    let [p, q] = hankel_sums::<R, K, true>(v, x, on);
    // The phase x - (v/2 + 1/4) pi
    let turn = v.value() * R::lit(0.5) + R::lit(0.25);
    let (st, ct) = (shared::sinpi(turn), shared::cospi(turn));
    let (s, c) = crate::elementary::sin_cos(x);
    let (cos, sin) = (c * ct + s * st, s * ct - c * st);
    let rate = R::lit(-FRAC_PI_2);
    let bend = rate * rate;
    let cos_v = v.chain([cos, -(sin * rate), -(cos * bend)]);
    let sin_v = v.chain([sin, cos * rate, -(sin * bend)]);
    let front = (R::lit(2.0 / PI) / x).sqrt();
    [(p * cos_v - q * sin_v).times(front), (p * sin_v + q * cos_v).times(front)]
}

/// `f_n`, `f_{n + 1}` from `f_0`, `f_1`, orders counted from `u`, by `f_{k + 1} = (2 (k + u) / x) f_k - sign f_{k - 1}`; stops at `end`.
#[inline(always)]
fn upward<R: Real, const K: usize>(
    u: Dual<R, K>,
    x: R,
    pair: [Dual<R, K>; 2],
    end: R,
    sign: f64,
    on: R::Mask,
) -> [Dual<R, K>; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let r = R::select(on, R::lit(2.0) / x, one);
    // What 2 / x and values have rounded off, which many steps would keep
    let many = on.and(x.ge(R::lit(HANKEL)));
    let rest = R::select(many, (-r).fma(x, R::lit(2.0)) / x, zero);
    let flip = R::lit(sign);
    let state = R::repeat(
        pack::<R, K, 2, 3, 11>(pair, [zero; 3]),
        STEPS,
        #[inline(always)]
        |state| {
            let (now, next, k) = (at::<R, K, 11>(&state, 0), at::<R, K, 11>(&state, 1), state[8]);
            let (now_low, next_low) = (state[9], state[10]);
            let more = k.lt(end).and(on).and(next.value().abs().lt(R::lit(INF)));
            let order = (u + Dual::constant(k + one)).0;
            let factor = mapped(
                order,
                #[inline(always)]
                |c| c.fma(r, c * rest),
            );
            let after = Dual(factor) * next - now.scaled(sign);
            let product = Dd::two_prod(factor[0], next.value());
            let sum = Dd::two_sum(product.hi, -(flip * now.value()));
            let step = order[0].fma(r, -factor[0]) + order[0] * rest;
            let low = step.fma(next.value(), product.lo + sum.lo) + (factor[0] * next_low - flip * now_low);
            let low = R::select(many, low, zero);
            let moved = [Dual::select(more, next, now), Dual::select(more, after, next)];
            let lows = [R::select(more, next_low, now_low), R::select(more, low, next_low)];
            (pack(moved, [R::select(more, k + one, k), lows[0], lows[1]]), more)
        },
    );
    let [now, next] = each(
        #[inline(always)]
        |i| {
            let mut f = at::<R, K, 11>(&state, i);
            let value = f.value();
            f.0[0] = R::select(value.abs().lt(R::lit(INF)), value + state[9 + i], value);
            f
        },
    );
    // An overflow before the end stays one.
    [Dual::select(state[8].lt(end), next, now), next]
}

/// `f_{v + 1} / f_v` of the solution that decreases with the order, by its continued fraction (DLMF 10.10.1, 10.33.1).
#[inline(always)]
fn ratio<R: Real, const K: usize>(v: Dual<R, K>, x: R, sign: f64, on: R::Mask) -> Dual<R, K> {
    let one = R::lit(1.0);
    let r = R::select(on, R::lit(2.0) / x, one);
    let first = (v + Dual::lit(1.0)).times(r);
    let d = Dual::lit(1.0) / first;
    let state = R::repeat(
        pack::<R, K, 3, 1, 13>([d, Dual::lit(1e300), d], [one]),
        STEPS,
        #[inline(always)]
        |state| {
            let [d, c, h] = each(
                #[inline(always)]
                |i| at::<R, K, 13>(&state, i),
            );
            let k = state[12] + one;
            let b = (v + Dual::constant(k)).times(r);
            let d = Dual::lit(1.0) / (b - d.scaled(sign));
            let c = b - Dual::lit(sign) / c;
            let step = c * d;
            (pack([d, c, h * step], [k]), moves(step).and(on))
        },
    );
    at::<R, K, 13>(&state, 2)
}

/// `J_v(x)` and `Y_v(x)`, each where wanted, for `v >= 0` and `0 < x < inf`.
#[inline(always)]
fn jy<R: Real, const K: usize>(v: R, x: R, [wants_j, wants_y]: [R::Mask; 2]) -> [Dual<R, K>; 2] {
    let on = wants_j.or(wants_y);
    let order = split::<R, K>(v);
    let none = pack::<R, K, 2, 0, 8>([Dual::lit(0.0), Dual::lit(0.0)], []);
    let left = on.and(debye::serves_left(v, x));
    let within = on.and(left.not());
    // Where the power series does not cancel
    let series = within.and(wants_j).and((x * x * R::lit(0.25)).lt(v + R::lit(1.0)));
    let direct = within.and(x.ge(R::lit(HANKEL))).and(x.ge(v * v * R::lit(0.5)));
    let rest = within.and(wants_y.or(series.not())).and(direct.not());
    let small = rest.and(x.lt(R::lit(STEED)));
    let mid = rest.and(small.not()).and(x.lt(R::lit(HANKEL)));
    let far = rest.and(x.ge(R::lit(HANKEL)));
    let out = R::when(
        direct,
        none,
        #[inline(always)]
        || pack::<R, K, 2, 0, 8>(hankel(order.v, x, direct), []),
    );
    let out = R::when(
        left,
        out,
        #[inline(always)]
        || {
            let [j, y] = debye::monotone(v, x, -1.0, [Dd::lit(0.0, 0.0); 2], left);
            pack::<R, K, 2, 0, 8>([j, y.scaled(-2.0 / PI)], [])
        },
    );
    // From a large order on, if Debye's expansions serve one
    let first = debye::last_order(R::select(far, x, R::lit(HANKEL))).min(order.n);
    let high = far.and(first.ge(R::lit(UNIFORM)));
    let first = R::select(high, first, R::lit(0.0));
    let lowest = order.u + Dual::constant(first);
    // Y of the lowest order and the next, and J where it comes along
    let start = R::when(
        small,
        [R::lit(0.0); 16],
        #[inline(always)]
        || {
            let [y, next] = temme_y(order.u, x, small);
            pack::<R, K, 4, 0, 16>([Dual::lit(0.0), Dual::lit(0.0), y, next], [])
        },
    );
    let start = R::when(
        mid,
        start,
        #[inline(always)]
        || {
            let [j, y, next] = middle(&order, x, mid, mid.and(wants_j).and(series.not()));
            pack::<R, K, 4, 0, 16>([j, j, y, next], [])
        },
    );
    let start = R::when(
        far,
        start,
        #[inline(always)]
        || {
            let low = far.and(high.not());
            let pairs = R::when(
                low,
                [R::lit(0.0); 16],
                #[inline(always)]
                || {
                    let ([j, y], [j1, y1]) = (hankel(order.u, x, low), hankel(order.u.plus(1.0), x, low));
                    pack::<R, K, 4, 0, 16>([j, y, j1, y1], [])
                },
            );
            let pairs = R::when(
                high,
                pairs,
                #[inline(always)]
                || {
                    let v = lowest.value();
                    let ([j, y], [j1, y1]) = (debye::waves(v, x, high), debye::waves(v + R::lit(1.0), x, high));
                    pack::<R, K, 4, 0, 16>([j, y, j1, y1], [])
                },
            );
            let [j, y, j1, y1] = each(
                #[inline(always)]
                |i| at::<R, K, 16>(&pairs, i),
            );
            let last = x.floor().min(order.n) - first;
            let j = upward(lowest, x, [j, j1], last, 1.0, far);
            pack::<R, K, 4, 0, 16>([j[0], j[1], y, y1], [])
        },
    );
    let climb = within.and(direct.not());
    let out = R::when(
        climb,
        out,
        #[inline(always)]
        || {
            let [j, y0, y1] = mapped(
                [0, 2, 3],
                #[inline(always)]
                |i| at::<R, K, 16>(&start, i),
            );
            // Beyond the turning point J is the small solution: from its ratio and the Wronskian.
            let wronski = far.and(wants_j).and(order.n.gt(x.floor())).and(series.not());
            let [y, next] = upward(lowest, x, [y0, y1], order.n - first, 1.0, climb.and(wants_y.or(wronski)));
            let out = R::when(
                wronski,
                pack::<R, K, 1, 0, 4>([j], []),
                #[inline(always)]
                || {
                    let h = ratio(order.v, x, 1.0, wronski);
                    let w = Dual::constant(R::lit(2.0 / PI) / x) / (h * y - next);
                    let none = next.value().abs().lt(R::lit(INF)).not();
                    pack::<R, K, 1, 0, 4>([Dual::select(none, Dual::lit(0.0), w)], [])
                },
            );
            let out = R::when(
                series,
                out,
                #[inline(always)]
                || pack::<R, K, 1, 0, 4>([power_series(order.v, x, -1.0, R::lit(0.0), series)], []),
            );
            pack::<R, K, 2, 0, 8>([at::<R, K, 4>(&out, 0), y], [])
        },
    );
    [at::<R, K, 8>(&out, 0), at::<R, K, 8>(&out, 1)]
}

/// `K_u` and `K_{u + 1}` for `1 <= x < 20`, times `e^x`: the trapezoidal rule on DLMF 10.32.9, whose error falls off
/// exponentially.
#[inline(always)]
fn integral_k<R: Real, const K: usize>(u: Dual<R, K>, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    const STEP: f64 = 0.15625;
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let x = R::select(on, x, one);
    // e^(u h) and its inverse, whose powers make cosh(u k h) and cosh((u + 1) k h)
    let a = u.scaled(STEP);
    let (up, down) = (shared::exp(a.value()), shared::exp(-a.value()));
    let (up, down) = (a.chain([up, up, up]), a.chain([down, -down, down]));
    let state = R::repeat(
        pack::<R, K, 4, 3, 19>([up, down, Dual::lit(0.5), Dual::lit(0.5)], [one, zero, zero]),
        60,
        #[inline(always)]
        |state| {
            let [p, m, sum, next] = each(
                #[inline(always)]
                |i| at::<R, K, 19>(&state, i),
            );
            let k = state[16];
            let t = k * R::lit(STEP);
            let s = shared::sinh(t * half);
            let weight = shared::exp(-(x * (s * s + s * s))) * half;
            let t0 = (p + m).times(weight);
            let t1 = p.times(weight * shared::exp(t)) + m.times(weight * shared::exp(-t));
            // The roundings of the sums of the values are kept.
            let low = [Dd::two_sum(sum.value(), t0.value()).lo, Dd::two_sum(next.value(), t1.value()).lo];
            let plain = [k + one, state[17] + low[0], state[18] + low[1]];
            let (sum, next) = (sum + t0, next + t1);
            (pack([p * up, m * down, sum, next], plain), matters(t1, next).and(on))
        },
    );
    let (mut sum, mut next) = (at::<R, K, 19>(&state, 2), at::<R, K, 19>(&state, 3));
    sum.0[0] = sum.0[0] + state[17];
    next.0[0] = next.0[0] + state[18];
    [sum.scaled(STEP), next.scaled(STEP)]
}

/// `p (p - 1) ... (p - n + 1)` for `n` up to [`HIGHEST`], else NaN: the derivative `n` of `x^p` over `x^(p - n)`.
#[inline(always)]
pub(crate) fn falling_factorial<R: Real>(p: R, n: R) -> R {
    let mut f = R::select(n.gt(R::lit(f64::from(HIGHEST))), R::lit(f64::NAN), R::lit(1.0));
    for i in 0..HIGHEST {
        let i = R::lit(f64::from(i));
        f = R::select(n.gt(i), f * (p - i), f);
    }
    f
}

/// `value / x^n` for `n` up to [`HIGHEST`].
#[inline(always)]
pub(super) fn lowered<R: Real>(mut value: R, x: R, n: R) -> R {
    let inverse = R::lit(1.0) / x;
    for i in 0..HIGHEST {
        value = R::select(n.gt(R::lit(f64::from(i))), value * inverse, value);
    }
    value
}

/// The derivative `n` in `x` of `e^-x I_v(x)` (`kind` = 0) or `e^x K_v(x)` (1), or its derivative in `v`, for `x >= 20` and
/// `x >= v^2 / 2` by Hankel's expansions differentiated term by term, below for `x >= 40` and `x >= 3 |v|` by the `middle` of a complex
/// argument; further below `x` is moved.
#[inline(always)]
fn hankel_slope<R: Real, const K: usize, M: ComplexBody<4>>(kind: R, n: R, v: R, x: R) -> R {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let middle = x.ge(R::lit(40.0).max(v.abs() * R::lit(3.0))).and(x.lt(R::lit(HANKEL).max(v * v * half)));
    let [between] = R::when(
        middle,
        [zero],
        #[inline(always)]
        || {
            let pick = inlined(
                #[inline(always)]
                |t: R, other: f64| Complex::new(R::select(middle, t, R::lit(other)), zero),
            );
            [R::shared_complex::<M, 4>([pick(kind, 1.0), pick(n, 1.0), pick(v, 8.0), pick(x, 50.0)]).re]
        },
    );
    let x = x.abs().max(R::lit(HANKEL)).max(v * v * half);
    let z = Dual::<R, K>::variable(v, 3);
    let z = (z * z).scaled(4.0);
    let r = one / (x * R::lit(8.0));
    let sign = R::select(kind.eq(zero), -one, one);
    // d^n x^(-k - 1/2) in units of x^(-k - 1/2 - n)
    let falling = inlined(
        #[inline(always)]
        |k: R| falling_factorial(-k - half, n),
    );
    let state = R::repeat(
        pack::<R, K, 2, 1, 9>([Dual::lit(1.0), Dual::constant(falling(zero))], [zero]),
        60,
        #[inline(always)]
        |state| {
            let (term, sum, k) = (at::<R, K, 9>(&state, 0), at::<R, K, 9>(&state, 1), state[8] + one);
            let odd = k + k - one;
            let next = term * (z - Dual::constant(odd * odd)).times(r / k * sign);
            let weighted = next.times(falling(k));
            let sum = sum + weighted;
            let go = matters(weighted, sum).and(falls(v, term, next, odd));
            (pack([next, sum], [k]), go)
        },
    );
    let front = R::select(kind.eq(zero), R::lit(0.5 / PI) / x, R::lit(FRAC_PI_2) / x).sqrt();
    R::select(middle, between, at::<R, K, 9>(&state, 1).top() * lowered(front, x, n))
}

/// Derivatives in `x` of scaled modified Bessel functions at large arguments.
#[inline(always)]
pub fn hankel_dx<R: Real>(kind: R, n: R, v: R, x: R) -> R {
    named!("hankel_dx", |kind, n, v, x| hankel_slope::<R, 1, c::HankelDx>(kind, n, v, x))
}

/// Their derivatives in the order.
#[inline(always)]
pub fn hankel_dx_dv<R: Real>(kind: R, n: R, v: R, x: R) -> R {
    named!("hankel_dx_dv", |kind, n, v, x| hankel_slope::<R, 2, c::HankelDxDv>(kind, n, v, x))
}

/// `e^-x I_v` and `e^x K_v` by Hankel's expansions (DLMF 10.40.1, 10.40.2).
#[inline(always)]
fn hankel_ik<R: Real, const K: usize>(v: Dual<R, K>, x: R, on: R::Mask) -> [Dual<R, K>; 2] {
    let x = R::select(on, x, R::lit(100.0));
    let [p, q] = hankel_sums::<R, K, false>(v, x, on);
    let front = (R::lit(FRAC_PI_2) / x).sqrt();
    [(p - q).times(front * R::lit(1.0 / PI)), (p + q).times(front)]
}

/// Whether `I` and `K` of these magnitudes come from Debye's expansions, whose exponents are in range where those of the scaled
/// functions are not.
#[inline(always)]
fn is_high<R: Real>(w: R, y: R) -> R::Mask {
    regular(w, y).and(debye::serves_modified(w)).and(y.lt(w * w * R::lit(0.5)))
}

/// `e^-x I_v(x)` and `e^x K_v(x)`, each where wanted, for `v >= 0` and `0 < x < inf`; `e^falling K_v(x)` where the order [`is_high`].
#[inline(always)]
fn ik<R: Real, const K: usize>(v: R, x: R, [wants_i, wants_k]: [R::Mask; 2], falling: R) -> [Dual<R, K>; 2] {
    let on = wants_i.or(wants_k);
    let order = split::<R, K>(v);
    let none = pack::<R, K, 2, 0, 8>([Dual::lit(0.0), Dual::lit(0.0)], []);
    let direct = on.and(x.ge(R::lit(HANKEL))).and(x.ge(v * v * R::lit(0.5)));
    let high = on.and(is_high(v, x));
    let low = on.and(direct.or(high).not());
    // Few terms, all positive; with many the Wronskian has less rounding.
    let series = wants_i.and(low).and(x.lt(R::lit(6.0)).or((x * x * R::lit(0.25)).lt(v + R::lit(1.0))));
    let wronski = wants_i.and(low).and(series.not());
    let rest = wants_k.and(low).or(wronski);
    let small = rest.and(x.lt(R::lit(INTEGRAL)));
    let mid = rest.and(small.not()).and(x.lt(R::lit(HANKEL)));
    let far = rest.and(x.ge(R::lit(HANKEL)));
    let out = R::when(
        direct,
        none,
        #[inline(always)]
        || pack::<R, K, 2, 0, 8>(hankel_ik(order.v, x, direct), []),
    );
    let shifts = [Dd::new(-x, R::lit(0.0)), Dd::new(falling, R::lit(0.0))];
    let out = R::when(
        high,
        out,
        #[inline(always)]
        || pack::<R, K, 2, 0, 8>(debye::monotone(v, x, 1.0, shifts, high), []),
    );
    let start = R::when(
        small,
        none,
        #[inline(always)]
        || pack::<R, K, 2, 0, 8>(temme_k(order.u, x, small), []),
    );
    let start = R::when(
        mid,
        start,
        #[inline(always)]
        || pack::<R, K, 2, 0, 8>(integral_k(order.u, x, mid), []),
    );
    let start = R::when(
        far,
        start,
        #[inline(always)]
        || {
            let [_, k] = hankel_ik(order.u, x, far);
            let [_, next] = hankel_ik(order.u + Dual::lit(1.0), x, far);
            pack::<R, K, 2, 0, 8>([k, next], [])
        },
    );
    let out = R::when(
        low,
        out,
        #[inline(always)]
        || {
            let pair = [at::<R, K, 8>(&start, 0), at::<R, K, 8>(&start, 1)];
            let [k, next] = upward(order.u, x, pair, order.n, -1.0, rest);
            let out = R::when(
                wronski,
                [R::lit(0.0); 4],
                #[inline(always)]
                || {
                    let h = ratio(order.v, x, -1.0, wronski);
                    let w = Dual::lit(1.0) / (next + h * k).times(x);
                    let none = next.value().abs().lt(R::lit(INF)).not();
                    pack::<R, K, 1, 0, 4>([Dual::select(none, Dual::lit(0.0), w)], [])
                },
            );
            let out = R::when(
                series,
                out,
                #[inline(always)]
                || pack::<R, K, 1, 0, 4>([power_series(order.v, x, 1.0, -x, series)], []),
            );
            pack::<R, K, 2, 0, 8>([at::<R, K, 4>(&out, 0), k], [])
        },
    );
    [at::<R, K, 8>(&out, 0), at::<R, K, 8>(&out, 1)]
}

/// Whether the order and the argument are in the domain of the algorithms.
#[inline(always)]
fn regular<R: Real>(v: R, x: R) -> R::Mask {
    v.abs().le(R::lit(MAX_ORDER)).and(x.gt(R::lit(0.0))).and(x.lt(R::lit(INF)))
}

/// `a cos(pi v) + b sin(pi v)`, where a zero factor leaves nothing of an infinity.
#[inline(always)]
fn rotate<R: Real, const K: usize>(v: R, a: Dual<R, K>, b: Dual<R, K>) -> Dual<R, K> {
    let (s, c) = (shared::sinpi(v), shared::cospi(v));
    let w = Dual::<R, K>::variable(v, 3);
    let pi = R::lit(PI);
    let mut out = Dual::lit(0.0);
    for (part, f, slope) in [(a, c, -s), (b, s, c)] {
        let product = w.chain([f, slope * pi, -(f * pi * pi)]) * part;
        let gone = f.eq(R::lit(0.0));
        let gone = if K == 1 { gone } else { gone.and(R::Mask::lit(false)) };
        out = out + Dual::select(gone, Dual::lit(0.0), product);
    }
    out
}

/// Whether the function of the other kind is part of that of order `v`: of negative ones that are not integral, or in derivatives.
#[inline(always)]
fn mixes<R: Real, const K: usize>(v: R) -> R::Mask {
    let part = v.floor().ne(v).or(R::Mask::lit(K > 1));
    v.lt(R::lit(0.0)).and(part)
}

/// `rotate` where the order is negative, else `plain`.
#[inline(always)]
fn turned<R: Real, const K: usize>(negative: R::Mask, v: R, plain: Dual<R, K>, [a, b]: [Dual<R, K>; 2]) -> Dual<R, K> {
    let state = R::when(
        negative,
        pack::<R, K, 1, 0, 4>([plain], []),
        #[inline(always)]
        || pack::<R, K, 1, 0, 4>([rotate(v, a, b)], []),
    );
    at::<R, K, 4>(&state, 0)
}

/// The derivative of highest order for a negative order that was computed at its magnitude.
#[inline(always)]
fn top_of<R: Real, const K: usize>(v: R, f: Dual<R, K>) -> R {
    if K == 2 { R::select(v.lt(R::lit(0.0)), -f.top(), f.top()) } else { f.top() }
}

#[inline(always)]
fn is_odd<R: Real>(v: R) -> R::Mask {
    let half = v * R::lit(0.5);
    half.floor().ne(half)
}

/// `J_v` or a derivative in `v`.
#[inline(always)]
fn first_kind<R: Real, const K: usize>(v: R, x: R) -> R {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(f64::NAN));
    let (w, y) = (v.abs(), x.abs());
    let whole = v.floor().eq(v);
    let negative = v.lt(zero);
    let on = regular(w, y);
    let mixed = on.and(mixes::<R, K>(v));
    let [j, second] = jy::<R, K>(R::select(on, w, one), R::select(on, y, one), [on, mixed]);
    let f = turned(negative, w, j, [j, -second]);
    let out = top_of(v, f);
    let out = R::select(on, out, nan);
    if K > 1 {
        let out = R::select(y.eq(R::lit(INF)), zero, out);
        let out = R::select(x.eq(zero).and(negative.not()), R::select(v.eq(zero), R::lit(-INF), zero), out);
        return R::select(x.lt(zero).or(v.is_nan()), nan, out);
    }
    let at_zero = R::select(v.eq(zero), one, pole(v, y.eq(zero)));
    let out = R::select(y.eq(R::lit(INF)), zero, R::select(y.eq(zero), at_zero, out));
    let out = R::select(x.lt(zero).and(is_odd(v)), -out, out);
    R::select(x.lt(zero).and(whole.not()).or(v.is_nan()).or(x.is_nan()), nan, out)
}

/// The infinity that `1 / Gamma(v + 1) 0^v` is at a negative non-integral `v`, elsewhere zero.
#[inline(always)]
fn pole<R: Real>(v: R, at_zero: R::Mask) -> R {
    let [out] = R::when(
        at_zero.and(mixes::<R, 1>(v)),
        [R::lit(0.0)],
        #[inline(always)]
        || [R::lit(INF).copysign(shared::rgamma(v + R::lit(1.0)))],
    );
    out
}

/// `Y_v` or a derivative in `v`.
#[inline(always)]
fn second_kind<R: Real, const K: usize>(v: R, x: R) -> R {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(f64::NAN));
    let w = v.abs();
    let negative = v.lt(zero);
    let on = regular(w, x);
    let (order, inside) = (R::select(on, w, one), R::select(on, x, one));
    let whole = on.and(w.floor().eq(w)).and(w.le(R::lit(CLIMBED)));
    let whole = if K == 1 { whole } else { R::Mask::lit(false) };
    let rest = on.and(whole.not());
    let [j, y] = jy::<R, K>(order, inside, [rest.and(mixes::<R, K>(v)), rest]);
    let climbed = R::when(
        whole,
        pack::<R, K, 1, 0, 4>([y], []),
        #[inline(always)]
        || {
            let pair = mapped(second_pair(R::select(whole, inside, one)), Dual::constant);
            let [y, _] = upward(Dual::lit(0.0), inside, pair, order, 1.0, whole);
            pack::<R, K, 1, 0, 4>([y], [])
        },
    );
    let y = at::<R, K, 4>(&climbed, 0);
    let f = turned(negative, w, y, [y, j]);
    let out = R::select(on, top_of(v, f), nan);
    let out = R::select(x.eq(R::lit(INF)), zero, out);
    let out = R::select(x.eq(zero), R::lit(-INF), out);
    R::select(x.lt(zero).or(v.is_nan()).or(x.is_nan()), nan, out)
}

/// `e^-|x| I_v` or a derivative in `v`.
#[inline(always)]
fn first_modified<R: Real, const K: usize>(v: R, x: R) -> R {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(f64::NAN));
    let (w, y) = (v.abs(), x.abs());
    let whole = v.floor().eq(v);
    let negative = v.lt(zero);
    let on = regular(w, y);
    let inside = R::select(on, y, one);
    let mixed = on.and(mixes::<R, K>(v));
    let mixed = if K == 2 { mixed.or(on.and(w.lt(R::lit(2e-3)))) } else { mixed };
    let order = R::select(on, w, one);
    let [i, k] = ik::<R, K>(order, inside, [on, mixed], -inside);
    let [decay] = R::when(
        mixed,
        [zero],
        #[inline(always)]
        || [R::select(is_high(order, inside), one, shared::exp(-(inside + inside))) * R::lit(2.0 / PI)],
    );
    let f = turned(negative, w, i, [Dual::lit(0.0), k.times(decay)]);
    let f = Dual::select(negative, i + f, i);
    let mut out = top_of(v, f);
    if K == 2 {
        // The odd part of I in v, -sin(pi v) K / pi, alone counts at order 0, exponentially smaller than what the sum above rounds;
        // the slope of the even part next to it comes from second derivatives.
        let (value, slope) = (k.value(), k.0[1]);
        let odd = value * shared::cospi(w) + slope * (shared::sinpi(w) * R::lit(FRAC_1_PI));
        let next = on.and(v.ne(zero)).and(w.lt(R::lit(2e-3))).and(y.gt(R::lit(2.0))).and(y.lt(R::lit(40.0)));
        let [even] = R::when(
            next,
            [zero],
            #[inline(always)]
            || {
                let sides = shared::ive_dvv(v, y) + shared::ive_dvv(-v, y);
                [v * (shared::ive_dvv(zero, y) * R::lit(2.0 / 3.0) + sides * R::lit(1.0 / 6.0))]
            },
        );
        out = R::select(next.or(v.eq(zero)), even - odd * decay * R::lit(FRAC_PI_2), out);
    }
    let out = R::select(on, out, nan);
    let out = R::select(y.eq(R::lit(INF)), zero, out);
    if K > 1 {
        let out = R::select(x.eq(zero).and(negative.not()), R::select(v.eq(zero), R::lit(-INF), zero), out);
        return R::select(x.lt(zero).or(v.is_nan()), nan, out);
    }
    let at_zero = R::select(v.eq(zero), one, pole(v, y.eq(zero)));
    let out = R::select(y.eq(zero), at_zero, out);
    let out = R::select(x.lt(zero).and(is_odd(v)), -out, out);
    R::select(x.lt(zero).and(whole.not()).or(v.is_nan()).or(x.is_nan()), nan, out)
}

/// `e^x K_v` or a derivative in `v`.
#[inline(always)]
fn second_modified<R: Real, const K: usize>(v: R, x: R) -> R {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(f64::NAN));
    let w = v.abs();
    let on = regular(w, x);
    let inside = R::select(on, x, one);
    let [_, k] = ik::<R, K>(R::select(on, w, one), inside, [R::Mask::lit(false), on], inside);
    let mut out = top_of(v, k);
    if K == 2 {
        // K is even in v, its slope next to order 0 that of the second derivative
        let next = on.and(w.lt(R::lit(2e-3)));
        [out] = R::when(
            next,
            [out],
            #[inline(always)]
            || [v * (shared::kve_dvv(zero, x) * R::lit(2.0 / 3.0) + shared::kve_dvv(v, x) * R::lit(1.0 / 3.0))],
        );
    }
    let out = R::select(on, out, nan);
    let out = R::select(x.eq(R::lit(INF)), zero, out);
    let at_zero = if K > 1 { R::lit(INF).copysign(v) } else { R::lit(INF) };
    let out = R::select(x.eq(zero), at_zero, out);
    R::select(x.lt(zero).or(v.is_nan()).or(x.is_nan()), nan, out)
}

macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $f:ident, $k:literal;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>(v: R, x: R) -> R {
                named!($text, |v, x| $f::<R, $k>(v, x))
            }
        )*
    };
}

orders! {
    /// Bessel function of the first kind of real order.
    jv = "jv", first_kind, 1;
    /// `dJ_v/dv`.
    jv_dv = "jv_dv", first_kind, 2;
    /// `d2J_v/dv2`.
    jv_dvv = "jv_dvv", first_kind, 4;
    /// Bessel function of the second kind of real order.
    yv = "yv", second_kind, 1;
    /// `dY_v/dv`.
    yv_dv = "yv_dv", second_kind, 2;
    /// `d2Y_v/dv2`.
    yv_dvv = "yv_dvv", second_kind, 4;
    /// `e^-|x| I_v(x)`.
    ive = "ive", first_modified, 1;
    /// `e^-|x| dI_v/dv`.
    ive_dv = "ive_dv", first_modified, 2;
    /// `e^-|x| d2I_v/dv2`.
    ive_dvv = "ive_dvv", first_modified, 4;
    /// `e^x K_v(x)`.
    kve = "kve", second_modified, 1;
    /// `e^x dK_v/dv`.
    kve_dv = "kve_dv", second_modified, 2;
    /// `e^x d2K_v/dv2`.
    kve_dvv = "kve_dvv", second_modified, 4;
}

/// `I_v` or a derivative in `v`, from the scaled one unless the order [`is_high`].
#[inline(always)]
fn grown<R: Real, const K: usize>(v: R, x: R, scaled: impl Fn() -> R) -> R {
    let (zero, w, y) = (R::lit(0.0), v.abs(), x.abs());
    let high = is_high(w, y);
    let [out] = R::when(
        high.not(),
        [zero],
        #[inline(always)]
        || {
            // In two factors, because e^x overflows first.
            let (root, scaled) = (shared::exp(y * R::lit(0.5)), scaled());
            let out = root * scaled * root;
            let end = y.eq(R::lit(INF)).and(v.is_nan().not());
            [if K == 1 { R::select(end, R::lit(INF).copysign(scaled), out) } else { out }]
        },
    );
    let [out] = R::when(
        high,
        [out],
        #[inline(always)]
        || {
            let [i, k] = debye::monotone::<R, K>(w, y, 1.0, [Dd::lit(0.0, 0.0); 2], high);
            let negative = v.lt(zero);
            let f = turned(negative, w, i, [Dual::lit(0.0), k.scaled(2.0 / PI)]);
            let out = top_of(v, Dual::select(negative, i + f, i));
            let left = x.lt(zero);
            let none = if K == 1 { left.and(v.floor().ne(v)) } else { left };
            [R::select(none, R::lit(f64::NAN), R::select(left.and(is_odd(v)), -out, out))]
        },
    );
    out
}

/// `K_v` or a derivative in `v`, in the same way.
#[inline(always)]
fn fallen<R: Real, const K: usize>(v: R, x: R, scaled: impl Fn() -> R) -> R {
    let (zero, w) = (R::lit(0.0), v.abs());
    let high = is_high(w, x);
    let [out] = R::when(
        high.not(),
        [zero],
        #[inline(always)]
        || {
            let scaled = scaled();
            let out = scaled * shared::exp(-x);
            [R::select(x.eq(R::lit(INF)).or(scaled.abs().eq(R::lit(INF))), scaled, out)]
        },
    );
    let [out] = R::when(
        high,
        [out],
        #[inline(always)]
        || [top_of(v, debye::monotone::<R, K>(w, x, 1.0, [Dd::lit(0.0, 0.0); 2], high)[1])],
    );
    out
}

macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $f:ident::<$k:literal>($scaled:ident);)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>(v: R, x: R) -> R {
                named!($text, |v, x| $f::<R, $k>(v, x, #[inline(always)] || shared::$scaled(v, x)))
            }
        )*
    };
}

plain! {
    /// Modified Bessel function of the first kind of real order.
    iv = "iv", grown::<1>(ive);
    /// `dI_v/dv`.
    iv_dv = "iv_dv", grown::<2>(ive_dv);
    /// `d2I_v/dv2`.
    iv_dvv = "iv_dvv", grown::<4>(ive_dvv);
    /// Modified Bessel function of the second kind of real order.
    kv = "kv", fallen::<1>(kve);
    /// `dK_v/dv`.
    kv_dv = "kv_dv", fallen::<2>(kve_dv);
    /// `d2K_v/dv2`.
    kv_dvv = "kv_dvv", fallen::<4>(kve_dvv);
}
