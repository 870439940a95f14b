//! Bessel functions of real order and complex argument.
//!
//! Everything is put together from `e^-w 2^s I_v(w)` and `e^w 2^-s K_v(w)` for `v >= 0` in the right half-plane, with the power of
//! two that takes both into range, by the connection formulas DLMF 10.27 and 10.34 (D. E. Amos, "Algorithm 644", ACM TOMS 12,
//! 1986). `K` of the orders `u` and `u + 1`, `|u| <= 1/2`, comes from Temme's series or his recurrence downwards (J. Comput. Phys.
//! 19, 1975) or from Hankel's expansion (DLMF 10.40), then by recurrence upwards; `I` from its power series, from Hankel's
//! expansion, by recurrence downwards with a sum that scales it, or with the ratio of neighbours and the Wronskian.

use super::bodies as c;
use super::{Complex, ComplexShortWays, abs, angle, exp, log, sqrt};
use crate::dd::Dd;
use crate::elementary::{LN2, clamp, exp_reduced, reduce_ln2};
use crate::real::{Mask, Real, inlined};
use crate::shared as e;
use crate::special::bessel_order::{HIGHEST, LARGE_ORDER, falling_factorial, power_over_gamma};
use crate::special::tables as t;
use std::f64::consts::{LN_2, LOG2_E, PI};

const INF: f64 = f64::INFINITY;
const TINY: f64 = f64::EPSILON / 8.0;
/// Orders above this are NaN: the work grows with the order.
const MAX_ORDER: f64 = 100_000.0;
/// Both cores stay in range up to this order wherever the functions do.
const BALANCED: f64 = 50.0;
/// Temme's series below, his recurrence from here on, Hankel's expansion from `HANKEL` on.
const BACKWARD: f64 = 1.0;
const HANKEL: f64 = 20.0;
/// Recurrence downwards with a sum for arguments between these and orders up to `BALANCED`, up to `FEW` before the power series.
const SUMMED: f64 = 2.0;
const WIDE: f64 = 50.0;
const FEW: f64 = 20.0;
/// `K` is computed up to this slope to the left of the imaginary axis: where the steps of the recurrence are more, and fewer.
const BEYOND: (f64, f64) = (0.25, 0.7);
/// What numbers are divided by when they grow beyond it.
const LARGE: f64 = (1u128 << 100) as f64;
const LARGE_BITS: f64 = 100.0;
pub(super) const ROOT_HALF_PI: f64 = 1.2533141373155003;

/// `1 / w` for a magnitude whose square is in range.
#[inline(always)]
fn inverse<R: Real>(w: Complex<R>) -> Complex<R> {
    let norm = w.re * w.re + w.im * w.im;
    Complex::new(w.re / norm, -w.im / norm)
}

/// `1 - w r`, where `r` is `1 / w` rounded.
#[inline(always)]
fn defect<R: Real>(w: Complex<R>, r: Complex<R>) -> Complex<R> {
    Complex::new(
        (Dd::two_prod(w.im, r.im) - Dd::two_prod(w.re, r.re)).plus(R::lit(1.0)).value(),
        (-Dd::two_prod(w.re, r.im) - Dd::two_prod(w.im, r.re)).value(),
    )
}

/// `i w`.
#[inline(always)]
fn turn<R: Real>(w: Complex<R>) -> Complex<R> {
    Complex::new(-w.im, w.re)
}

/// `cos(pi v) + i sin(pi v)`.
#[inline(always)]
fn unit<R: Real>(v: R) -> Complex<R> {
    Complex::new(e::cospi(v), e::sinpi(v))
}

#[inline(always)]
fn plain<R: Real>(_: R) -> R {
    R::lit(1.0)
}

/// The sum of Hankel's expansion, whose terms are products of `sign (4 v^2 - (2k - 1)^2) / (8 k w)`, times weights.
#[inline(always)]
fn hankel_sum<R: Real>(v: R, w: Complex<R>, sign: f64, weight: impl Fn(R) -> R, on: R::Mask) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let r = w.reciprocal().scale(R::lit(0.125 * sign));
    let z4 = v * v * R::lit(4.0);
    let [.., re, im, _, _] = R::repeat(
        [one, zero, weight(zero), zero, zero, one],
        80,
        #[inline(always)]
        |[tr, ti, sr, si, k, last]| {
            let k = k + one;
            let odd = k + k - one;
            let term = (Complex::new(tr, ti) * r).scale((z4 - odd * odd) / k);
            let weighted = term.scale(weight(k));
            let sum = Complex::new(sr, si) + weighted;
            let size = term.max_part();
            let go = weighted.max_part().gt(sum.max_part() * R::lit(TINY)).and(size.le(last)).and(on);
            ([term.re, term.im, sum.re, sum.im, k, size], go)
        },
    );
    Complex::new(re, im)
}

/// `sqrt(pi / (2 w))`.
#[inline(always)]
fn front<R: Real>(w: Complex<R>) -> Complex<R> {
    sqrt(w).reciprocal().scale(R::lit(ROOT_HALF_PI))
}

/// `e^w K_v(w)` by Hankel's expansion (DLMF 10.40.2).
#[inline(always)]
fn hankel_k<R: Real>(v: R, w: Complex<R>, on: R::Mask) -> Complex<R> {
    let w = Complex::select(on, w, Complex::lit(100.0, 0.0));
    front(w) * hankel_sum(v, w, 1.0, plain, on)
}

/// The derivative `n` of `e^w K_v(w)` by Hankel's expansion, for `|w| >= 20` and `|w| >= v^2 / 2`.
#[inline(always)]
fn hankel_k_slope<R: Real>(n: R, v: R, w: Complex<R>) -> Complex<R> {
    let half = R::lit(0.5);
    let on = abs(w).ge(R::lit(HANKEL).max(v * v * half));
    let w = Complex::select(on, w, Complex::lit(100.0, 0.0));
    // d^n w^(-k - 1/2) in units of w^(-k - 1/2 - n)
    let falling = inlined(
        #[inline(always)]
        |k: R| falling_factorial(-k - half, n),
    );
    let inverse = w.reciprocal();
    let mut scale = front(w);
    for i in 0..HIGHEST {
        scale = Complex::select(n.gt(R::lit(f64::from(i))), scale * inverse, scale);
    }
    scale * hankel_sum(v, w, 1.0, falling, on)
}

/// `e^-w I_v(w)` by Hankel's expansions (DLMF 10.40.5), on the real axis by the mean of both sides.
#[inline(always)]
fn hankel_i<R: Real>(v: R, w: Complex<R>, on: R::Mask) -> Complex<R> {
    let zero = R::lit(0.0);
    let w = Complex::select(on, w, Complex::lit(100.0, 0.0));
    let side = R::select(w.im.eq(zero), zero, R::lit(1.0).copysign(w.im));
    let decay = exp(-w);
    let other = Complex::new(-e::sinpi(v), side * e::cospi(v)) * (decay * decay);
    front(w).scale(R::lit(1.0 / PI)) * (hankel_sum(v, w, -1.0, plain, on) + other * hankel_sum(v, w, 1.0, plain, on))
}

/// A polynomial by Horner's rule.
#[inline(always)]
fn polynomial<R: Real>(x: R, c: &[f64]) -> R {
    let mut p = R::lit(c[c.len() - 1]);
    for &a in c.iter().rev().skip(1) {
        p = p.fma(x, R::lit(a));
    }
    p
}

/// `e^w K_u` and `e^w K_{u + 1}` for `|w| < 1` by Temme's series.
#[inline(always)]
fn temme<R: Real>(u: R, w: Complex<R>, on: R::Mask) -> [Complex<R>; 2] {
    let (one, half) = (R::lit(1.0), R::lit(0.5));
    let w = Complex::select(on, w, Complex::lit(0.5, 0.0));
    let uu = u * u;
    let (even, odd) = (polynomial(uu, &t::RGAMMA_EVEN), polynomial(uu, &t::RGAMMA_ODD));
    let (plus, minus) = (even - u * odd, even + u * odd);
    let l = log(w);
    let l = Complex::new(R::lit(LN_2) - l.re, -l.im);
    let s = l.scale(u);
    let grow = exp(s);
    let fall = exp(-s);
    let (cosh, sinh) = ((grow + fall).scale(half), (grow - fall).scale(half));
    // sinh(s) / s
    let near = s.max_part().lt(one);
    let b = Complex::select(near, s.square(), Complex::lit(0.0, 0.0));
    let mut f = Complex::lit(0.0, 0.0);
    let mut coefs = [1.0; 13];
    for k in 1..13 {
        coefs[k] = coefs[k - 1] / (2 * k * (2 * k + 1)) as f64;
    }
    for &a in coefs.iter().rev() {
        f = f * b;
        f.re = f.re + R::lit(a);
    }
    let sinhc = Complex::select(near, f, sinh / Complex::select(near, Complex::lit(1.0, 0.0), s));
    let f = (cosh.scale(odd) + (sinhc * l).scale(even)).scale(one / (plus * minus));
    let p = grow.scale(half / plus);
    let q = fall.scale(half / minus);
    let square = w.square().scale(R::lit(0.25));
    let state = R::repeat(
        [f.re, f.im, p.re, p.im, q.re, q.im, f.re, f.im, p.re, p.im, R::lit(0.0), one, R::lit(0.0)],
        60,
        #[inline(always)]
        |[fr, fi, pr, pi, qr, qi, ar, ai, br, bi, k, cr, ci]| {
            let k = k + one;
            let (f, p, q) = (Complex::new(fr, fi), Complex::new(pr, pi), Complex::new(qr, qi));
            let c = (Complex::new(cr, ci) * square).scale(one / k);
            let f = (f.scale(k) + p + q).scale(one / (k * k - uu));
            let p = p.scale(one / (k - u));
            let q = q.scale(one / (k + u));
            let (term, next) = (c * f, c * (p - f.scale(k)));
            let (a, b) = (Complex::new(ar, ai) + term, Complex::new(br, bi) + next);
            let more = term.max_part().gt(a.max_part() * R::lit(TINY));
            let more = more.or(next.max_part().gt(b.max_part() * R::lit(TINY)));
            ([f.re, f.im, p.re, p.im, q.re, q.im, a.re, a.im, b.re, b.im, k, c.re, c.im], more.and(on))
        },
    );
    let grow = exp(w);
    [
        grow * Complex::new(state[6], state[7]),
        grow * Complex::new(state[8], state[9]) * w.reciprocal().scale(R::lit(2.0)),
    ]
}

/// `e^w K_u` and `e^w K_{u + 1}` for `1 <= |w| < 20` by Temme's recurrence downwards, whose values are scaled by their sum.
#[inline(always)]
fn backward<R: Real>(u: R, w: Complex<R>, on: R::Mask) -> [Complex<R>; 2] {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(HANKEL, 0.0));
    // Above 0, where the last value alone is left of the sum.
    let gap = (R::lit(0.25) - u * u).max(R::lit(1e-30));
    // The steps to full precision, found by trial
    let steps = (w.re.fma(R::lit(8.0), R::lit(300.0)) / (abs(w) + w.re)).ceil() + R::lit(6.0);
    let [ar, ai, br, bi, sr, si, _] = R::repeat(
        [zero, zero, one, zero, one, zero, steps],
        400,
        #[inline(always)]
        |[ar, ai, br, bi, sr, si, k]| {
            let factor = one / (k * k - k + gap);
            let now = Complex::new(br, bi);
            let turn = Complex::new(k + w.re, w.im).scale((k + k) * factor);
            let next = turn * now - Complex::new(ar, ai).scale((k * k + k) * factor);
            ([br, bi, next.re, next.im, sr + next.re, si + next.im, k - one], k.gt(one))
        },
    );
    let last = Complex::new(br, bi);
    let k = front(w) * last * inverse(Complex::new(sr, si));
    let slope = Complex::new(u + half, zero) - Complex::new(ar, ai) * inverse(last);
    let up = slope * inverse(w);
    [k, Complex::new(up.re + one, up.im) * k]
}

/// Whether Hankel's expansions serve the order itself.
#[inline(always)]
fn direct<R: Real>(v: R, size: R) -> R::Mask {
    size.ge(R::lit(HANKEL)).and(size.ge(v * v * R::lit(0.5)))
}

/// The `s` with `e^w K_v(w)` about `2^s` and `e^-w I_v(w)` about `2^-s` (DLMF 10.41), 0 for small orders and beside Hankel's expansion.
#[inline(always)]
fn balance<R: Real>(v: R, w: Complex<R>) -> R {
    let size = abs(w);
    let on = regular(v, w).and(v.gt(R::lit(BALANCED))).and(direct(v, size).not());
    let [s] = R::when(
        on,
        [R::lit(0.0)],
        #[inline(always)]
        || {
            let (v, size) = (R::select(on, v, R::lit(100.0)), R::select(on, size, R::lit(1.0)));
            let w = Complex::select(on, w, Complex::lit(1.0, 0.0));
            let square = w.square();
            let root = sqrt(Complex::new(v * v + square.re, square.im));
            let ratio = e::log(abs(Complex::new(v + root.re, root.im))) - e::log(size);
            [(v.fma(ratio, w.re - root.re) * R::lit(LOG2_E)).round()]
        },
    );
    s
}

/// `x 2^s`.
#[inline(always)]
fn scaled<R: Real>(x: Complex<R>, s: R) -> Complex<R> {
    let s = clamp(s, -2000.0, 2000.0);
    Complex::new(x.re.scale(s), x.im.scale(s))
}

/// `f e^w 2^s` with one rounding into the range.
#[inline(always)]
pub(super) fn sized<R: Real>(f: Complex<R>, w: Complex<R>, s: R) -> Complex<R> {
    let angle = R::select(w.im.abs().lt(R::lit(INF)), w.im, R::lit(0.0));
    let (k, r) = reduce_ln2(Dd::new(clamp(w.re, -1e6, 1e6), R::lit(0.0)));
    let f = f * Complex::new(e::cos(angle), e::sin(angle));
    scaled(f.scale(exp_reduced(r).value()), k + s)
}

#[inline(always)]
fn parts<R: Real>([a, b]: [Complex<R>; 2]) -> [R; 4] {
    [a.re, a.im, b.re, b.im]
}

/// `e^w 2^-s K_v` and, if `BOTH`, `e^w 2^-s K_{v + 1}` for `v >= 0` and `w` off the origin in the right half-plane or a little beyond.
#[inline(always)]
fn k_pair<R: Real, const BOTH: bool>(v: R, w: Complex<R>, on: R::Mask) -> [Complex<R>; 2] {
    let one = R::lit(1.0);
    let size = abs(w);
    let n = v.round();
    let u = v - n;
    let at_once = direct(v, size).and(on);
    let climb = on.and(at_once.not());
    let near = size.lt(R::lit(BACKWARD)).and(on);
    let middle = size.ge(R::lit(BACKWARD)).and(size.lt(R::lit(HANKEL))).and(on);
    let far = size.ge(R::lit(HANKEL)).and(on);
    // As far up as Hankel's expansion serves the order and the next one
    let from = R::select(far, (size + size).sqrt() - R::lit(1.5), R::lit(0.0)).floor();
    let pair = R::when(
        near,
        [one; 4],
        #[inline(always)]
        || parts(temme(u, w, near)),
    );
    let pair = R::when(
        middle,
        pair,
        #[inline(always)]
        || parts(backward(u, w, middle)),
    );
    let pair = R::when(
        far,
        pair,
        #[inline(always)]
        || {
            let order = R::select(at_once, v, u + from);
            let first = hankel_k(order, w, far);
            let needed = if BOTH { far } else { far.and(climb) };
            let [re, im] = R::when(
                needed,
                [first.re, first.im],
                #[inline(always)]
                || {
                    let next = hankel_k(order + one, w, needed);
                    [next.re, next.im]
                },
            );
            [first.re, first.im, re, im]
        },
    );
    let r = Complex::select(climb, w, Complex::lit(1.0, 0.0)).reciprocal().scale(R::lit(2.0));
    let n = R::select(climb, n, R::lit(0.0));
    let [ar, ai, br, bi, _, large] = R::repeat(
        [pair[0], pair[1], pair[2], pair[3], from, R::lit(0.0)],
        MAX_ORDER as u32 + 1,
        #[inline(always)]
        |[ar, ai, br, bi, k, large]| {
            let more = k.lt(n);
            let next = Complex::new(br, bi);
            let after = (next * r).scale(u + k + one) + Complex::new(ar, ai);
            let shrink = after.max_part().gt(R::lit(LARGE)).and(more);
            let factor = R::select(shrink, R::lit(1.0 / LARGE), one);
            let now = Complex::select(more, next, Complex::new(ar, ai)).scale(factor);
            let next = Complex::select(more, after, next).scale(factor);
            let large = R::select(shrink, large + R::lit(LARGE_BITS), large);
            ([now.re, now.im, next.re, next.im, k + one, large], (k + one).lt(n))
        },
    );
    let rest = large - balance(v, w);
    [scaled(Complex::new(ar, ai), rest), scaled(Complex::new(br, bi), rest)]
}

/// `e^-w 2^s I_v(w)` by the power series DLMF 10.25.2.
#[inline(always)]
fn power_series<R: Real>(v: R, w: Complex<R>, size: R, on: R::Mask) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(1.0, 0.0));
    let half = R::select(on, size, one) * R::lit(0.5);
    let q = w.square().scale(R::lit(0.25));
    let [.., re, im, _] = R::repeat(
        [one, zero, one, zero, zero],
        500,
        #[inline(always)]
        |[tr, ti, sr, si, k]| {
            let k = k + one;
            let term = (Complex::new(tr, ti) * q).scale(one / (k * (v + k)));
            let sum = Complex::new(sr, si) + term;
            ([term.re, term.im, sum.re, sum.im, k], term.max_part().gt(sum.max_part() * R::lit(TINY)).and(on))
        },
    );
    let small = v.lt(R::lit(LARGE_ORDER));
    let order = R::select(small, v, one);
    let lift = balance(v, w);
    let product =
        (e::pow(half, order) * e::rgamma(order + one)).scale(R::select(small, lift, zero).min(R::lit(2000.0)));
    let [size] = R::when(
        small.not().and(on),
        [product],
        #[inline(always)]
        || {
            let v = R::select(small, R::lit(LARGE_ORDER), v);
            [power_over_gamma(v, half, Dd::lit(LN2.0, LN2.1).times(lift))]
        },
    );
    let turns = v * angle(w);
    Complex::new(re, im) * Complex::new(size * e::cos(turns), size * e::sin(turns)) * exp(-w)
}

/// `e^-w 2^s I_v(w)` from the ratio of neighbours, by recurrence downwards, and the Wronskian (DLMF 10.28.2).
#[inline(always)]
fn by_ratio<R: Real>(v: R, w: Complex<R>, size: R, on: R::Mask) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(1.0, 0.0));
    let size = R::select(on, size, one);
    let r = w.reciprocal();
    let moved = w * defect(w, r);
    let r = r.scale(R::lit(2.0));
    // From so far beyond the turning point, the first guess is lost.
    let extra = (e::exp(e::log(size) * R::lit(1.0 / 3.0)) * R::lit(8.0) + R::lit(15.0)).ceil();
    let count = (size - v).max(zero).ceil() + extra;
    let [re, im, _] = R::repeat(
        [zero, zero, R::select(on, count, one)],
        600_000,
        #[inline(always)]
        |[re, im, k]| {
            let h = inverse(r.scale(v + k) + Complex::new(re, im));
            ([h.re, h.im, k - one], k.gt(one))
        },
    );
    // The rounding of 1 / w moved the argument of the ratio `h`, whose slope is `1 - h^2 - (2v + 1) h / w`.
    let h = Complex::new(re, im);
    let h = h - moved * (Complex::lit(1.0, 0.0) - h * (h + r.scale(v + R::lit(0.5))));
    let [k, next] = k_pair::<R, true>(v, w, on);
    let out = (w * (next + h * k)).reciprocal();
    Complex::select(next.is_finite(), out, Complex::lit(0.0, 0.0))
}

/// `e^-w I_v(w)` by recurrence downwards to the order `u`, scaled by the sum for `e^w` (W. Gautschi, SIAM Review 9, 1967)
/// `(w/2)^u e^w / Gamma(u + 1) = I_u + 2 sum (u + k) (2u + 1)_{k - 1} / k! I_{u + k}`.
#[inline(always)]
fn by_sum<R: Real>(v: R, w: Complex<R>, size: R, on: R::Mask) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(SUMMED, 0.0));
    let (v, size) = (R::select(on, v, zero), R::select(on, size, R::lit(SUMMED)));
    let n = v.round();
    let u = v - n;
    let r = inverse(w);
    let moved = w * defect(w, r);
    let r = r.scale(R::lit(2.0));
    // From so far beyond the turning point, the first guess is lost.
    let top = (n + R::lit(12.0)).max(size.fma(R::lit(1.8), R::lit(17.0)).ceil());
    let [_, _, re, im, sum_re, sum_im, kept_re, kept_im, above_re, above_im, _] = R::repeat(
        [zero, zero, one, zero, zero, zero, one, zero, zero, zero, top],
        200,
        #[inline(always)]
        |[ar, ai, br, bi, sr, si, kr, ki, lr, li, k]| {
            let (order, now) = (u + k, Complex::new(br, bi));
            let part = now.scale(order);
            let sum = part + Complex::new(sr, si).scale((u + order) / (k + one));
            let below = r * part + Complex::new(ar, ai);
            // The order before the last step
            let here = (k - one).eq(n);
            let kept = Complex::select(here, below, Complex::new(kr, ki));
            let above = Complex::select(here, now, Complex::new(lr, li));
            ([br, bi, below.re, below.im, sum.re, sum.im, kept.re, kept.im, above.re, above.im, k - one], k.gt(one))
        },
    );
    let total = Complex::new(re, im) + Complex::new(sum_re, sum_im).scale(R::lit(2.0));
    let share = inverse(total);
    let out = Complex::new(kept_re, kept_im) * share;
    // The rounding of 1 / w moved the argument.
    let slope = Complex::new(above_re, above_im) * share + out * r.scale(v * R::lit(0.5));
    let out = out + moved * (out - slope);
    let between = u.ne(zero);
    let [re, im] = R::when(
        between,
        [out.re, out.im],
        #[inline(always)]
        || {
            let uu = u * u;
            let gamma = polynomial(uu, &t::RGAMMA_EVEN) - u * polynomial(uu, &t::RGAMMA_ODD);
            let out = out * exp(log(w.scale(R::lit(0.5))).scale(u)).scale(gamma);
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
}

/// Where the cores compute: what is left are the origin, infinities, NaN and orders beyond the limit.
#[inline(always)]
fn regular<R: Real>(v: R, w: Complex<R>) -> R::Mask {
    let zero = R::lit(0.0);
    w.is_finite().and(v.le(R::lit(MAX_ORDER))).and(w.re.ne(zero).or(w.im.ne(zero)))
}

/// The other cases: what `at_origin` says, 0 at infinity, else NaN.
#[inline(always)]
fn edges<R: Real>(v: R, w: Complex<R>, at_origin: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let nan = Complex::lit(f64::NAN, f64::NAN);
    let known = v.le(R::lit(MAX_ORDER)).and(w.re.is_nan().or(w.im.is_nan()).not());
    let origin = w.re.eq(zero).and(w.im.eq(zero));
    Complex::select(known, Complex::select(origin, at_origin, Complex::lit(0.0, 0.0)), nan)
}

/// `e^w 2^-s K_v(w)` for `v >= 0` in the right half-plane or a little beyond.
#[inline(always)]
pub fn bessel_k<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    let (v, zero) = (v.re, R::lit(0.0));
    let on = regular(v, w);
    let [out, _] = k_pair::<R, false>(R::select(on, v, zero), Complex::select(on, w, Complex::lit(1.0, 0.0)), on);
    // An overflow
    let limit = Complex::select(w.im.eq(zero), Complex::lit(INF, 0.0), Complex::lit(f64::NAN, f64::NAN));
    let out = Complex::select(out.is_finite(), out, limit);
    Complex::select(on, out, edges(v, w, Complex::lit(INF, 0.0)))
}

/// `e^-w 2^s I_v(w)` for `v >= 0` in the right half-plane.
#[inline(always)]
pub fn bessel_i<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    let (v, zero, one) = (v.re, R::lit(0.0), R::lit(1.0));
    let origin = Complex::select(v.eq(zero), Complex::lit(1.0, 0.0), Complex::lit(0.0, 0.0));
    let on = regular(v, w);
    let outside = edges(v, w, origin);
    let v = R::select(on, v, zero);
    let w = Complex::select(on, w, Complex::lit(1.0, 0.0));
    let size = abs(w);
    // Where the series does not cancel; of few orders, the recurrence is as short.
    let few = v.le(R::lit(FEW)).and(size.ge(R::lit(SUMMED)));
    let series = (size * size * R::lit(0.25)).lt(v + one).and(few.not());
    let at_once = direct(v, size).and(series.not());
    let summed = v.le(R::lit(BALANCED)).and(size.lt(R::lit(WIDE))).and(series.or(at_once).not());
    let rest = series.or(at_once).or(summed).not();
    let out = R::when(
        series,
        [zero; 2],
        #[inline(always)]
        || {
            let out = power_series(v, w, size, series);
            [out.re, out.im]
        },
    );
    let out = R::when(
        at_once,
        out,
        #[inline(always)]
        || {
            let out = hankel_i(v, w, at_once);
            [out.re, out.im]
        },
    );
    let out = R::when(
        summed,
        out,
        #[inline(always)]
        || {
            let out = by_sum(v, w, size, summed);
            [out.re, out.im]
        },
    );
    let [re, im] = R::when(
        rest,
        out,
        #[inline(always)]
        || {
            let out = by_ratio(v, w, size, rest);
            [out.re, out.im]
        },
    );
    Complex::select(on, Complex::new(re, im), outside)
}

#[inline(always)]
pub(super) fn real<R: Real>(x: R) -> Complex<R> {
    Complex::new(x, R::lit(0.0))
}

/// No value, only an order of the last argument: by the quadrants, some of which need several functions, and by the magnitude.
pub struct ByRegion;
impl<const N: usize> ComplexShortWays<N> for ByRegion {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [Complex<R>; N]) -> (Complex<R>, R) {
        let (z, zero, one) = (x[N - 1], R::lit(0.0), R::lit(1.0));
        let quadrant = R::select(z.re.lt(zero), one, zero) + R::select(z.im.lt(zero), R::lit(2.0), zero);
        let size = (abs(z).sqrt() * R::lit(3.0)).floor();
        let size = R::select(size.lt(R::lit(14.0)), size, R::lit(14.0));
        (Complex::lit(0.0, 0.0), quadrant * R::lit(15.0) + size + one)
    }
}

/// `a + f b`, where a factor of zero leaves nothing of an infinity.
#[inline(always)]
fn plus<R: Real>(a: Complex<R>, f: Complex<R>, b: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let none = f.re.eq(zero).and(f.im.eq(zero));
    let b = Complex::select(none, Complex::lit(0.0, 0.0), b);
    a + f * b
}

/// `e^-2w`.
#[inline(always)]
pub(super) fn decay<R: Real>(w: Complex<R>) -> Complex<R> {
    let straight = w.im.abs().lt(R::lit(INF));
    let d = exp(Complex::new(-w.re, R::select(straight, -w.im, R::lit(0.0))));
    d * d
}

/// `2^s e^-w` times the growing, `2^-s e^w` times the falling core, as parts of a function, `PLAIN`, or of its product with `e^-w`.
#[inline(always)]
fn growing<R: Real, const PLAIN: bool>(f: Complex<R>, w: Complex<R>, s: R) -> Complex<R> {
    sized(f, if PLAIN { w } else { Complex::lit(0.0, 0.0) }, -s)
}

#[inline(always)]
fn falling<R: Real, const PLAIN: bool>(f: Complex<R>, w: Complex<R>, s: R) -> Complex<R> {
    sized(f, if PLAIN { -w } else { w.scale(R::lit(-2.0)) }, s)
}

/// An argument as `w = -iz`, moved to the upper half-plane, with `e^iz 2^s J_v(z)` and `e^-iz 2^-s H1_v(z)` there for `|v|`.
struct Upper<R: Real> {
    w: Complex<R>,
    s: R,
    lower: R::Mask,
    j: Complex<R>,
    h: Complex<R>,
}

#[inline(always)]
fn upper<R: Real>(v: R, at: Complex<R>, wants_j: R::Mask, wants_h: R::Mask) -> Upper<R> {
    let zero = R::lit(0.0);
    let lower = at.im.lt(zero);
    // A zero of either sign belongs to the upper side.
    let w = Complex::new(at.im.abs(), -at.re);
    let m = v.abs();
    let phase = unit(m * R::lit(0.5));
    let j = R::when(
        wants_j,
        [zero; 2],
        #[inline(always)]
        || {
            let j = phase * R::shared_complex::<c::BesselI, 2>([real(m), w]);
            [j.re, j.im]
        },
    );
    let h = R::when(
        wants_h,
        [zero; 2],
        #[inline(always)]
        || {
            let h = phase.conj() * R::shared_complex::<c::BesselK, 2>([real(m), w]);
            [h.im * R::lit(2.0 / PI), h.re * R::lit(-2.0 / PI)]
        },
    );
    Upper { w, s: balance(m, w), lower, j: Complex::new(j[0], j[1]), h: Complex::new(h[0], h[1]) }
}

/// `J_v(z)`, or `e^(isz) J_v(z)` with `s = 1` in the upper half-plane, `-1` in the lower one.
#[inline(always)]
fn first_kind<R: Real, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let all = R::Mask::lit(true);
    let negative = v.lt(zero);
    let sine = e::sinpi(v.abs());
    let mixed = negative.and(sine.ne(zero));
    let Upper { w, s, lower, j, h } = upper(v, at, all, mixed);
    let j = growing::<R, PLAIN>(j, w, s);
    // J_-m = e^(-i pi m) J_m + i sin(pi m) H1_m
    let [re, im] = R::when(
        negative,
        [j.re, j.im],
        #[inline(always)]
        || {
            let out = plus(unit(v) * j, Complex::new(zero, sine), falling::<R, PLAIN>(h, w, s));
            [out.re, out.im]
        },
    );
    let line = at.im.eq(zero).and(at.re.ge(zero).or(v.floor().eq(v)));
    let line = if PLAIN { line } else { R::Mask::lit(false) };
    let out = Complex::new(re, R::select(line, zero, im));
    Complex::select(lower, out.conj(), out)
}

/// The same for `Y_v`.
#[inline(always)]
fn second_kind<R: Real, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let all = R::Mask::lit(true);
    let negative = v.lt(zero);
    let Upper { w, s, lower, j, h } = upper(v, at, all, all);
    let (j, h) = (growing::<R, PLAIN>(j, w, s), falling::<R, PLAIN>(h, w, s));
    // Y_m = i (J_m - H1_m), Y_-m = i (e^(-i pi m) J_m - cos(pi m) H1_m)
    let j = Complex::select(negative, unit(v) * j, j);
    let cosine = R::select(negative, e::cospi(v), R::lit(1.0));
    let out = turn(plus(j, Complex::new(-cosine, zero), h));
    let line = at.im.eq(zero).and(at.re.ge(zero));
    let origin = line.and(h.is_finite().not()).and(j.is_finite());
    let line = if PLAIN { line } else { R::Mask::lit(false) };
    let out = Complex::new(out.re, R::select(line, zero, out.im));
    let pole = Complex::new(R::select(cosine.eq(zero), zero, R::lit(INF).copysign(-cosine)), zero);
    let out = Complex::select(origin, pole, out);
    Complex::select(lower, out.conj(), out)
}

/// `H1_v(z)` or `e^-iz H1_v(z)`; the second kind is the conjugate at the conjugate.
#[inline(always)]
fn third_kind<R: Real, const PLAIN: bool>(v: R, at: Complex<R>, second: bool) -> Complex<R> {
    let zero = R::lit(0.0);
    let negative = v.lt(zero);
    let at_first = if second { Complex::new(at.re, -at.im) } else { at };
    // A zero imaginary part is that of the upper side.
    let cut = at.im.eq(zero).and(at.re.lt(zero));
    let lower = if second { at.im.gt(zero).or(cut) } else { at.im.lt(zero) };
    let Upper { w, s, j, h, .. } = upper(v, at_first, lower, R::Mask::lit(true));
    // H2 = 2 J - H1, H1_-m = e^(i pi m) H1_m, H2_-m = e^(-i pi m) H2_m
    let drop = w.scale(R::select(lower, R::lit(-2.0), zero));
    let h = sized(h, if PLAIN { -w } else { drop }, s);
    let [re, im] = R::when(
        lower,
        [h.re, h.im],
        #[inline(always)]
        || {
            let j = growing::<R, PLAIN>(j, w, s);
            let out = plus(j + j, Complex::lit(-1.0, 0.0), h);
            [out.re, -out.im]
        },
    );
    let out = Complex::new(re, im);
    let out = Complex::select(negative, unit(-v) * out, out);
    let origin = at.re.eq(zero).and(at.im.eq(zero));
    let out = Complex::select(origin, Complex::lit(f64::NAN, f64::NAN), out);
    if second { out.conj() } else { out }
}

/// `I_v(z)`, or `e^(-sz) I_v(z)` with `s` the sign of the real part.
#[inline(always)]
fn first_modified<R: Real, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let left = at.re.lt(zero);
    let w = Complex::select(left, -at, at);
    let m = v.abs();
    let s = balance(m, w);
    let sine = e::sinpi(m);
    let i = growing::<R, PLAIN>(R::shared_complex::<c::BesselI, 2>([real(m), w]), w, s);
    let mixed = v.lt(zero).and(sine.ne(zero));
    // I_-m = I_m + (2/pi) sin(pi m) K_m
    let [re, im] = R::when(
        mixed,
        [i.re, i.im],
        #[inline(always)]
        || {
            let k = falling::<R, PLAIN>(R::shared_complex::<c::BesselK, 2>([real(m), w]), w, s);
            let out = i + k.scale(sine * R::lit(2.0 / PI));
            [out.re, out.im]
        },
    );
    // I_v(z) = e^(+-i pi v) I_v(-z)
    let phase = unit(v);
    let phase = Complex::select(at.im.lt(zero), phase.conj(), phase);
    let out = Complex::select(left, phase * Complex::new(re, im), Complex::new(re, im));
    if !PLAIN {
        return out;
    }
    let line = at.im.eq(zero).and(left.not().or(v.floor().eq(v)));
    let out = Complex::new(out.re, R::select(line, zero, out.im));
    let end = at.im.eq(zero).and(w.re.eq(R::lit(INF))).and(left.not());
    Complex::select(end.and(v.is_nan().not()), Complex::lit(INF, 0.0), out)
}

/// `K_v(z)` or `e^z K_v(z)`.
#[inline(always)]
fn second_modified<R: Real, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let m = v.abs();
    // Parts of the connection cancel next to the imaginary axis. `K` comes from beyond it too, if recurrence upwards, in which `I`
    // gains on it by `e^(-2 Re z)` in the end, does not lose more
    let (x, y) = (-at.re, at.im.abs());
    let safe = x.lt(R::lit(0.25)).or((x * m * m).lt(y * y * R::lit(1.25)));
    let reach = R::select(y.lt(R::lit(6.0)), R::lit(BEYOND.0), R::lit(BEYOND.1));
    let left = x.gt(zero).and(x.lt(y * reach).and(safe).not());
    let w = Complex::select(left, -at, at);
    let s = balance(m, w);
    let drop = w.scale(R::select(left, R::lit(-2.0), zero));
    let k = sized(R::shared_complex::<c::BesselK, 2>([real(m), w]), if PLAIN { -w } else { drop }, s);
    // K_v(z) = e^(-+i pi v) K_v(-z) -+ i pi I_v(-z)
    let [re, im] = R::when(
        left,
        [k.re, k.im],
        #[inline(always)]
        || {
            let side = R::select(at.im.lt(zero), R::lit(-1.0), R::lit(1.0));
            let i = growing::<R, PLAIN>(R::shared_complex::<c::BesselI, 2>([real(m), w]), w, s);
            let out = unit(-(m * side)) * k - turn(i).scale(side * R::lit(PI));
            [out.re, out.im]
        },
    );
    let line = at.im.eq(zero).and(left.not());
    let flat = if PLAIN { line } else { R::Mask::lit(false) };
    let out = Complex::new(re, R::select(flat, zero, im));
    let wide = line.and(re.eq(R::lit(INF)));
    Complex::select(wide, Complex::lit(INF, 0.0), out)
}

/// Bessel function of the first kind.
#[inline(always)]
pub fn jv<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    first_kind::<R, true>(v.re, at)
}

/// `e^(isz) J_v(z)`, `s` the sign of the imaginary part.
#[inline(always)]
pub fn jv_turned<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    first_kind::<R, false>(v.re, at)
}

/// Bessel function of the second kind.
#[inline(always)]
pub fn yv<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    second_kind::<R, true>(v.re, at)
}

/// `e^(isz) Y_v(z)`.
#[inline(always)]
pub fn yv_turned<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    second_kind::<R, false>(v.re, at)
}

/// Hankel function of the first kind.
#[inline(always)]
pub fn hankel1<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    third_kind::<R, true>(v.re, at, false)
}

/// `e^-iz H1_v(z)`.
#[inline(always)]
pub fn hankel1e<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    third_kind::<R, false>(v.re, at, false)
}

/// Hankel function of the second kind.
#[inline(always)]
pub fn hankel2<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    third_kind::<R, true>(v.re, at, true)
}

/// `e^iz H2_v(z)`.
#[inline(always)]
pub fn hankel2e<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    third_kind::<R, false>(v.re, at, true)
}

/// Modified Bessel function of the first kind.
#[inline(always)]
pub fn iv<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    first_modified::<R, true>(v.re, at)
}

/// `e^(-sz) I_v(z)`, `s` the sign of the real part.
#[inline(always)]
pub fn iv_turned<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    first_modified::<R, false>(v.re, at)
}

/// Modified Bessel function of the second kind.
#[inline(always)]
pub fn kv<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    second_modified::<R, true>(v.re, at)
}

/// `e^z K_v(z)`.
#[inline(always)]
pub fn kve<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
    second_modified::<R, false>(v.re, at)
}

/// Derivatives of [`kve`] at large arguments, as those of real ones.
#[inline(always)]
pub fn hankel_dx<R: Real>(n: Complex<R>, v: Complex<R>, at: Complex<R>) -> Complex<R> {
    hankel_k_slope(n.re, v.re, at)
}
