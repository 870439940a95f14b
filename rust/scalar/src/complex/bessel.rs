//! Bessel functions of real order and complex argument.
//!
//! Everything is put together from `e^-w 2^s I_v(w)` and `e^w 2^-s K_v(w)` for `v >= 0` in the right half-plane, with the power of
//! two that takes both into range, by the connection formulas DLMF 10.27 and 10.34 (D. E. Amos, "Algorithm 644", ACM TOMS 12,
//! 1986). `K` of the orders `u` and `u + 1`, `|u| <= 1/2`, comes from Temme's series or his recurrence downwards (J. Comput. Phys.
//! 19, 1975) or from Hankel's expansion (DLMF 10.40), of large orders from Debye's (DLMF 10.41), then by recurrence upwards; `I` from its power series, from Hankel's
//! or Debye's expansions (DLMF 10.40, 10.41), by recurrence downwards with a sum that scales it, or with the ratio of neighbours and
//! the Wronskian. All steps but the sum are carried out on numbers with derivatives in `v`; the power of two is the same for all of them.

use super::bodies as c;
use super::debye;
use super::dual::ComplexDual;
use super::hypergeometric::{get, put};
use super::liouville;
use super::{Complex, ComplexBody, ComplexShortWays, abs, angle, exp, log, sqrt};
use crate::dd::Dd;
use crate::elementary::{LN2, clamp, exp_reduced, reduce_ln2};
use crate::real::{Mask, Real, count, each, inlined, mapped};
use crate::shared as e;
use crate::special::bessel_order::{HIGHEST, LARGE_ORDER, falling_factorial, power_over_gamma};
use crate::special::debye::last_order;
use crate::special::dual::Dual;
use crate::special::tables as t;
use std::f64::consts::{LN_2, LOG2_E, PI};

const INF: f64 = f64::INFINITY;
const TINY: f64 = f64::EPSILON / 8.0;
/// Orders above this are NaN: the work next to the turning points grows with the cubic root of the order.
const MAX_ORDER: f64 = 1e9;
/// More than the steps of all recurrences
const STEPS: u32 = 100_000;
/// Recurrences start at an order from Debye's expansions if it is this large.
const UNIFORM: f64 = 64.0;
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
/// Slopes of functions that are even in the order come from second derivatives below this one.
const SMALL_ORDER: f64 = 0.03;
/// Far out, where parts of the slope are exponentially small, below this one.
const TINY_ORDER: f64 = 1e-6;
/// What numbers are divided by when they grow beyond it.
const LARGE: f64 = (1u128 << 100) as f64;
const LARGE_BITS: f64 = 100.0;
pub(crate) const ROOT_HALF_PI: f64 = 1.2533141373155003;

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
fn turn<R: Real, const K: usize>(w: ComplexDual<R, K>) -> ComplexDual<R, K> {
    ComplexDual { re: -w.im, im: w.re }
}

/// `cos(pi v) + i sin(pi v)`.
#[inline(always)]
fn unit<R: Real, const K: usize>(v: Dual<R, K>) -> ComplexDual<R, K> {
    let out = Complex::new(e::cospi(v.value()), e::sinpi(v.value()));
    let slope = Complex::new(-out.im, out.re).scale(R::lit(PI));
    ComplexDual::chain(v, [out, slope, out.scale(R::lit(-PI * PI))])
}

/// Terms of a sum as they are.
#[inline(always)]
fn plain<R: Real, const K: usize>(term: ComplexDual<R, K>, _: R) -> ComplexDual<R, K> {
    term
}

/// Whether a term still changes a sum, in any of its derivatives.
#[inline(always)]
fn matters<R: Real, const K: usize>(term: ComplexDual<R, K>, sum: ComplexDual<R, K>) -> R::Mask {
    let mut go = R::Mask::lit(false);
    count::<0, K>(
        #[inline(always)]
        |k| go = go.or(term.part(k).max_part().gt(sum.part(k).max_part() * R::lit(TINY))),
    );
    go
}

/// The sum of Hankel's expansion, whose terms are products of `sign (4 v^2 - (2k - 1)^2) / (8 k w)` and then weighed. Derivatives
/// of half-integral orders go on where the values end.
#[inline(always)]
fn hankel_sum<R: Real, const K: usize>(
    v: Dual<R, K>,
    w: Complex<R>,
    sign: R,
    weighed: impl Fn(ComplexDual<R, K>, R) -> ComplexDual<R, K>,
    on: R::Mask,
) -> ComplexDual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let r = w.reciprocal().scale(R::lit(0.125) * sign);
    let z4 = (v * v).scaled(4.0);
    let first = ComplexDual::lit(1.0);
    let state = R::repeat(
        put::<R, K, 18, _, _>(&[first, weighed(first, zero)], &[zero, one]),
        80,
        #[inline(always)]
        |state| {
            let (term, sum, last) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1), state[17]);
            let k = state[16] + one;
            let odd = k + k - one;
            let term = term.turned(r).by((z4 - Dual::constant(odd * odd)).over(k));
            let part = weighed(term, k);
            let sum = sum + part;
            let size = term.size();
            let falls = size.le(last);
            let falls = if K == 1 { falls } else { falls.or(odd.lt(v.value().abs() * R::lit(2.0))) };
            (put(&[term, sum], &[k, size]), matters(part, sum).and(falls).and(on))
        },
    );
    get(&state, 1)
}

/// `sqrt(pi / (2 w))`.
#[inline(always)]
fn front<R: Real>(w: Complex<R>) -> Complex<R> {
    sqrt(w).reciprocal().scale(R::lit(ROOT_HALF_PI))
}

/// `e^w K_v(w)` by Hankel's expansion (DLMF 10.40.2).
#[inline(always)]
fn hankel_k<R: Real, const K: usize>(v: Dual<R, K>, w: Complex<R>, on: R::Mask) -> ComplexDual<R, K> {
    let w = Complex::select(on, w, Complex::lit(100.0, 0.0));
    hankel_sum(v, w, R::lit(1.0), plain, on).turned(front(w))
}

/// The factor of `e^-2w` times Hankel's expansion of `e^w K_v(w)` in that of `pi e^-w I_v(w)` (DLMF 10.40.5), on the real axis the
/// mean of both sides.
#[inline(always)]
pub(super) fn other_side<R: Real, const K: usize>(v: Dual<R, K>, w: Complex<R>) -> ComplexDual<R, K> {
    let side = side(w.im);
    let (sine, cosine) = (e::sinpi(v.value()), e::cospi(v.value()));
    let factor = Complex::new(-sine, side * cosine);
    let slope = Complex::new(-cosine, -(side * sine)).scale(R::lit(PI));
    ComplexDual::chain(v, [factor, slope, factor.scale(R::lit(-PI * PI))])
}

/// The sign, or 0.
#[inline(always)]
pub(super) fn side<R: Real>(x: R) -> R {
    R::select(x.eq(R::lit(0.0)), R::lit(0.0), R::lit(1.0).copysign(x))
}

/// `e^-w I_v(w)` by Hankel's expansions (DLMF 10.40.5).
#[inline(always)]
fn hankel_i<R: Real, const K: usize>(v: Dual<R, K>, w: Complex<R>, on: R::Mask) -> ComplexDual<R, K> {
    let w = Complex::select(on, w, Complex::lit(100.0, 0.0));
    let decay = exp(-w);
    let other = other_side(v, w).turned(decay * decay);
    let sum = hankel_sum(v, w, R::lit(-1.0), plain, on) + other * hankel_sum(v, w, R::lit(1.0), plain, on);
    sum.turned(front(w).scale(R::lit(1.0 / PI)))
}

/// A value times `x^n` for `n` up to [`HIGHEST`].
#[inline(always)]
pub(super) fn raised<R: Real>(mut value: Complex<R>, x: Complex<R>, n: R) -> Complex<R> {
    for i in 0..HIGHEST {
        value = Complex::select(n.gt(R::lit(f64::from(i))), value * x, value);
    }
    value
}

/// Powers `x^(first - step k)` as the terms of Hankel's expansion have them, and the order of their derivative in `x`.
#[derive(Clone, Copy)]
pub(super) struct Powers<R> {
    pub n: R,
    pub first: R,
    pub step: f64,
}

/// Hankel's sum whose terms become the derivatives of their powers, over `x^-n`.
#[inline(always)]
pub(super) fn slope_sum<R: Real, const K: usize>(
    v: Dual<R, K>,
    w: Complex<R>,
    sign: R,
    of: Powers<R>,
    on: R::Mask,
) -> ComplexDual<R, K> {
    let weighed = inlined(
        #[inline(always)]
        |term: ComplexDual<R, K>, k: R| term.times(falling_factorial(of.first - R::lit(of.step) * k, of.n)),
    );
    hankel_sum(v, w, sign, weighed, on)
}

/// The same of powers times an exponential whose slope is `rate x^(step - 1)`, over it and `x^((step - 1) n)`; `r` is `x^-step`.
#[inline(always)]
pub(super) fn wave_slope_sum<R: Real, const K: usize>(
    v: Dual<R, K>,
    w: Complex<R>,
    sign: R,
    of: Powers<R>,
    (rate, r): (R, Complex<R>),
    on: R::Mask,
) -> ComplexDual<R, K> {
    let weighed = inlined(
        #[inline(always)]
        |term: ComplexDual<R, K>, k: R| {
            let power = of.first - R::lit(of.step) * k;
            // By powers of `r`
            let mut p = [R::lit(0.0); HIGHEST as usize + 1];
            p[0] = R::lit(1.0);
            for m in 0..HIGHEST as usize {
                let more = of.n.gt(R::lit(m as f64));
                for i in (0..m + 2).rev() {
                    let falls = if i > 0 {
                        p[i - 1] * (power + R::lit(of.step * (m + 1 - i) as f64 - m as f64))
                    } else {
                        R::lit(0.0)
                    };
                    p[i] = R::select(more, rate * p[i] + falls, p[i]);
                }
            }
            let mut sum = Complex::lit(0.0, 0.0);
            for &c in p.iter().rev() {
                sum = sum * r;
                sum.re = sum.re + c;
            }
            term.turned(sum)
        },
    );
    hankel_sum(v, w, sign, weighed, on)
}

/// The derivative `n` in `w` of `e^-w I_v(w)` (`kind` = 0) or `e^w K_v(w)` (1), for `|w| >= 20` and `|w| >= v^2 / 2` by Hankel's
/// expansions, below for `|w| >= 40` and `|w| >= 3 |v|` by [`liouville::slope`].
#[inline(always)]
fn hankel_slope<R: Real, const K: usize>(kind: R, n: R, v: R, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let size = abs(w);
    let on = size.ge(R::lit(HANKEL).max(v * v * R::lit(0.5)));
    let middle = on.not().and(size.ge(R::lit(40.0).max(v.abs() * R::lit(3.0))));
    let between = R::when(
        middle,
        [zero; 2],
        #[inline(always)]
        || {
            let w = Complex::select(middle, w, Complex::lit(50.0, 0.0));
            let out = liouville::slope::<R, K>(kind, n, R::select(middle, v, R::lit(8.0)), w);
            [out.re, out.im]
        },
    );
    let w = Complex::select(on, w, Complex::lit(100.0, 0.0));
    let v = Dual::<R, K>::variable(R::select(on, v, one), 3);
    let first = kind.eq(zero);
    let of = Powers { n, first: R::lit(-0.5), step: 1.0 };
    let (front, inverse) = (front(w), w.reciprocal());
    let out = raised(front, inverse, n) * slope_sum(v, w, R::select(first, -one, one), of, on).top();
    let [re, im] = R::when(
        first,
        [out.re, out.im],
        #[inline(always)]
        || {
            let other = other_side(v, w) * wave_slope_sum(v, w, one, of, (R::lit(-2.0), inverse), on);
            let out = (out + front * decay(w) * other.top()).scale(R::lit(1.0 / PI));
            [out.re, out.im]
        },
    );
    Complex::new(R::select(middle, between[0], re), R::select(middle, between[1], im))
}

/// A polynomial by Horner's rule.
#[inline(always)]
fn polynomial<R: Real, const K: usize>(x: Dual<R, K>, c: &[f64]) -> Dual<R, K> {
    let mut p = Dual::<R, K>::lit(c[c.len() - 1]);
    for &a in c.iter().rev().skip(1) {
        let value = p.value().fma(x.value(), R::lit(a));
        p = p * x;
        p.0[0] = value;
    }
    p
}

/// `cosh(s)`, `sinh(s) / s`, `e^s` and `e^-s` for `s = u l`, with derivatives in `u`.
#[inline(always)]
fn hyperbolic<R: Real, const K: usize>(u: Dual<R, K>, l: Complex<R>) -> [ComplexDual<R, K>; 4] {
    let (zero, one, half) = (Complex::lit(0.0, 0.0), Complex::lit(1.0, 0.0), R::lit(0.5));
    let s = l.scale(u.value());
    let (grow, fall) = (exp(s), exp(-s));
    let (cosh, sinh) = ((grow + fall).scale(half), (grow - fall).scale(half));
    let near = s.max_part().lt(R::lit(1.0));
    let b = Complex::select(near, s.square(), zero);
    let mut coefs = [1.0; 13];
    for k in 1..13 {
        coefs[k] = coefs[k - 1] / (2 * k * (2 * k + 1)) as f64;
    }
    // The series, and those of its derivatives, the first one over s
    let (mut f, mut f1, mut f2) = (zero, zero, zero);
    for (k, &a) in coefs.iter().enumerate().rev() {
        f = f * b;
        f.re = f.re + R::lit(a);
        if K > 1 && k > 0 {
            f1 = f1 * b;
            f1.re = f1.re + R::lit(a * (2 * k) as f64);
            f2 = f2 * b;
            f2.re = f2.re + R::lit(a * (2 * k * (2 * k - 1)) as f64);
        }
    }
    let d = Complex::select(near, one, s);
    let g = sinh / d;
    let mut slopes = [Complex::select(near, f, g), zero, zero];
    let mut waves = [cosh, zero, zero];
    let (mut up, mut down) = ([grow; 3], [fall; 3]);
    if K > 1 {
        let square = l.square();
        let g1 = (cosh - g) / d;
        let g2 = g - (g1 + g1) / d;
        slopes[1] = l * Complex::select(near, f1 * s, g1);
        slopes[2] = square * Complex::select(near, f2, g2);
        waves[1] = l * Complex::select(near, f * s, sinh);
        waves[2] = square * cosh;
        (up[1], up[2]) = (l * grow, square * grow);
        (down[1], down[2]) = (-(l * fall), square * fall);
    }
    mapped(
        [waves, slopes, up, down],
        #[inline(always)]
        |f| ComplexDual::chain(u, f),
    )
}

/// `e^w K_u` and `e^w K_{u + 1}` for `|w| < 1` by Temme's series. For derivatives the sum of its two powers and their difference
/// over `u` make `K_u`, which then depends on `u^2` alone: its slope next to order 0 does not cancel.
#[inline(always)]
fn temme<R: Real, const K: usize>(u: Dual<R, K>, w: Complex<R>, on: R::Mask) -> [ComplexDual<R, K>; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(0.5, 0.0));
    let uu = u * u;
    let (even, odd) = (polynomial(uu, &t::RGAMMA_EVEN), polynomial(uu, &t::RGAMMA_ODD));
    let (plus, minus) = (even - u * odd, even + u * odd);
    let l = log(w);
    let l = Complex::new(R::lit(LN_2) - l.re, -l.im);
    let [cosh, sinhc, grow, fall] = hyperbolic(u, l);
    let sinhc = sinhc.turned(l);
    let product = if K == 1 { plus * minus } else { even * even - uu * odd * odd };
    let r = Dual::lit(1.0) / product;
    let f = (cosh.by(odd) + sinhc.by(even)).by(r);
    let p = grow.by(Dual::lit(0.5) / plus);
    let (q, d) = if K == 1 {
        (fall.by(Dual::lit(0.5) / minus), ComplexDual::lit(0.0))
    } else {
        ((cosh.by(even) + sinhc.by(uu * odd)).by(r), f)
    };
    let square = w.square().scale(R::lit(0.25));
    let state = R::repeat(
        put::<R, K, 51, _, _>(&[f, p, q, d, f, p], &[zero, one, zero]),
        60,
        #[inline(always)]
        |state| {
            let [f, p, q, d, a, b] = each(
                #[inline(always)]
                |i| get::<R, K>(&state, i),
            );
            let k = state[48] + one;
            let kk = Dual::constant(k);
            let c = (Complex::new(state[49], state[50]) * square).scale(one / k);
            let r = Dual::lit(1.0) / (Dual::constant(k * k) - uu);
            let up = f.times(k);
            let f = if K == 1 { up + p + q } else { up + q }.by(r);
            let p = p.by(Dual::lit(1.0) / (kk - u));
            let (q, d) = if K == 1 {
                (q.by(Dual::lit(1.0) / (kk + u)), d)
            } else {
                ((q.times(k) + d.by(uu)).by(r), (d.times(k) + q).by(r))
            };
            let (term, next) = (f.turned(c), (p - f.times(k)).turned(c));
            let (a, b) = (a + term, b + next);
            let more = matters(term, a).or(matters(next, b));
            (put(&[f, p, q, d, a, b], &[k, c.re, c.im]), more.and(on))
        },
    );
    let grow = exp(w);
    [get::<R, K>(&state, 4).turned(grow), get::<R, K>(&state, 5).turned(grow).turned(w.reciprocal().scale(R::lit(2.0)))]
}

/// Temme's recurrence downwards for `1 <= |w| < 22`: its last two values and the sum of all.
#[inline(always)]
fn descended<R: Real, const K: usize>(u: Dual<R, K>, w: Complex<R>) -> [ComplexDual<R, K>; 3] {
    let one = R::lit(1.0);
    let mut gap = Dual::lit(0.25) - u * u;
    if K == 1 {
        // Above 0, where the last value alone is left of the sum.
        gap.0[0] = gap.value().max(R::lit(1e-30));
    }
    // The steps to full precision, found by trial
    let steps = (w.re.fma(R::lit(8.0), R::lit(300.0)) / (abs(w) + w.re)).ceil() + R::lit(6.0);
    let step = inlined(
        #[inline(always)]
        |before: ComplexDual<R, K>, now: ComplexDual<R, K>, k: R, factor: Dual<R, K>| {
            let twice = factor.times(k + k);
            let turn = ComplexDual { re: twice.times(k + w.re), im: twice.times(w.im) };
            turn * now - before.by(factor.times(k * k + k))
        },
    );
    let last_step = if K == 1 { one } else { R::lit(2.0) };
    let state = R::repeat(
        put::<R, K, 25, _, _>(&[ComplexDual::lit(0.0), ComplexDual::lit(1.0), ComplexDual::lit(1.0)], &[steps]),
        400,
        #[inline(always)]
        |state| {
            let [before, now, sum] = each(
                #[inline(always)]
                |i| get::<R, K>(&state, i),
            );
            let k = state[24];
            let next = step(before, now, k, Dual::lit(1.0) / (gap + Dual::constant(k * k - k)));
            (put(&[now, next, sum + next], &[k - one]), k.gt(last_step))
        },
    );
    let [before, now, sum] = each(
        #[inline(always)]
        |i| get::<R, K>(&state, i),
    );
    // With derivatives the last step is done times `gap`, which is 0 at |u| = 1/2.
    if K == 1 {
        [before, now, sum]
    } else {
        let last = step(before, now, one, Dual::lit(1.0));
        [now.by(gap), last, sum.by(gap) + last]
    }
}

/// `e^w K_u` and `e^w K_{u + 1}` for `1 <= |w| < 20` by [`descended`], whose values are scaled by their sum.
#[inline(always)]
fn backward<R: Real, const K: usize>(u: Dual<R, K>, w: Complex<R>, on: R::Mask) -> [ComplexDual<R, K>; 2] {
    let w = Complex::select(on, w, Complex::lit(HANKEL, 0.0));
    let [before, last, sum] = descended(u, w);
    let k = last.turned(front(w)) * sum.inverted(inverse(sum.value()));
    let slope = ComplexDual::real(u.plus(0.5)) - before * last.inverted(inverse(last.value()));
    let up = slope.turned(inverse(w));
    [k, ComplexDual { re: up.re.plus(1.0), im: up.im } * k]
}

/// `w` times the slope of the logarithm of `sqrt(w) e^w K_u`, a small number that does not cancel here, for `1 <= |w| < 22`.
#[inline(always)]
pub(super) fn k_slope<R: Real>(u: f64, w: Complex<R>) -> Complex<R> {
    let [before, last, _] = descended(Dual::<R, 1>::lit(u), w);
    before.value() * inverse(last.value())
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
            let ratio = e::log(abs(Complex::new(v + root.re, root.im)) / size);
            [(v.fma(ratio, w.re - root.re) * R::lit(LOG2_E)).round()]
        },
    );
    s
}

/// `x 2^s`.
#[inline(always)]
fn scaled<R: Real, const K: usize>(x: ComplexDual<R, K>, s: R) -> ComplexDual<R, K> {
    let s = clamp(s, -2000.0, 2000.0);
    x.map(
        #[inline(always)]
        |c| Complex::new(c.re.scale(s), c.im.scale(s)),
    )
}

/// `f e^w 2^s` with one rounding into the range; infinite, also of an `f` that decays, where `w` is, in no direction.
#[inline(always)]
pub(super) fn sized<R: Real, const K: usize>(f: ComplexDual<R, K>, w: Complex<R>, s: R) -> ComplexDual<R, K> {
    let out = sized_sum(f, Dd::new(w.re, R::lit(0.0)), Dd::new(w.im, R::lit(0.0)), s);
    let infinite = ComplexDual::of(
        #[inline(always)]
        |_| Complex::lit(INF, INF),
    );
    ComplexDual::select(w.re.eq(R::lit(INF)), infinite, out)
}

/// The same with an exponent of two doubles for each part.
#[inline(always)]
pub(super) fn sized_sum<R: Real, const K: usize>(
    f: ComplexDual<R, K>,
    re: Dd<R>,
    im: Dd<R>,
    s: R,
) -> ComplexDual<R, K> {
    let finite = im.hi.abs().lt(R::lit(INF));
    let angle = Dd::select(finite, im, Dd::lit(0.0, 0.0));
    let (sine, cosine) = (e::sin(angle.hi), e::cos(angle.hi));
    let f = f.turned(Complex::new((-sine).fma(angle.lo, cosine), cosine.fma(angle.lo, sine)));
    let (k, r) = reduce_ln2(Dd::new(clamp(re.hi, -1e12, 1e12), re.lo));
    scaled(f.times(exp_reduced(r).value()), k + s)
}

/// `next (r order) + now` for `r` and `next` of two numbers, and what is left of it but for the rest of `now`.
#[inline(always)]
fn step<R: Real>(
    next: Complex<R>,
    low: Complex<R>,
    now: Complex<R>,
    [r, r_low]: [Complex<R>; 2],
    order: R,
) -> (Complex<R>, Complex<R>) {
    let (re, im) = (Dd::two_prod(r.re, order), Dd::two_prod(r.im, order));
    let c = Complex::new(re.hi, im.hi);
    let c_low = Complex::new(r_low.re.fma(order, re.lo), r_low.im.fma(order, im.lo));
    let sum = inlined(
        #[inline(always)]
        |a: Dd<R>, b: Dd<R>, now: R| {
            let product = Dd::two_sum(a.hi, b.hi);
            let sum = Dd::two_sum(product.hi, now);
            (sum.hi, (a.lo + b.lo) + (product.lo + sum.lo))
        },
    );
    let (re, re_low) = sum(Dd::two_prod(next.re, c.re), -Dd::two_prod(next.im, c.im), now.re);
    let (im, im_low) = sum(Dd::two_prod(next.re, c.im), Dd::two_prod(next.im, c.re), now.im);
    (Complex::new(re, im), next * c_low + low * c + Complex::new(re_low, im_low))
}

/// `e^w 2^-s K_v` and, if `BOTH`, `e^w 2^-s K_{v + 1}` for `v >= 0` and `w` off the origin in the right half-plane or a little beyond.
#[inline(always)]
fn k_pair<R: Real, const K: usize, const BOTH: bool>(v: R, w: Complex<R>, on: R::Mask) -> [ComplexDual<R, K>; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let size = abs(w);
    let n = v.round();
    let order = Dual::<R, K>::variable(v, 3);
    let u = Dual::<R, K>::variable(v - n, 3);
    let at_once = direct(v, size).and(on);
    let uniform = debye::serves(v, w, on.and(at_once.not()));
    let climb = on.and(at_once.or(uniform).not());
    let low = on.and(uniform.not());
    let near = low.and(size.lt(R::lit(BACKWARD)));
    let middle = low.and(size.ge(R::lit(BACKWARD))).and(size.lt(R::lit(HANKEL)));
    let far = low.and(size.ge(R::lit(HANKEL)));
    // As far up as Debye's or Hankel's expansions serve the order and the next one
    let first = last_order(R::select(climb, size, one)).min(n);
    let high = climb.and(far).and(first.ge(R::lit(UNIFORM)));
    let far = far.and(high.not());
    let from = R::select(far, (size + size).sqrt() - R::lit(1.5), R::lit(0.0)).floor();
    let from = R::select(high, first, from);
    let balance = balance(v, w);
    let pair = R::when(
        near,
        put::<R, K, 16, _, _>(&[ComplexDual::lit(1.0); 2], &[]),
        #[inline(always)]
        || put(&temme(u, w, near), &[]),
    );
    let pair = R::when(
        middle,
        pair,
        #[inline(always)]
        || put(&backward(u, w, middle), &[]),
    );
    let pair = R::when(
        far,
        pair,
        #[inline(always)]
        || {
            let order = Dual::select(at_once, order, u + Dual::constant(from));
            let first = hankel_k(order, w, far);
            let needed = if BOTH { far } else { far.and(climb) };
            let next = R::when(
                needed,
                put::<R, K, 8, _, _>(&[first], &[]),
                #[inline(always)]
                || put(&[hankel_k(order.plus(1.0), w, needed)], &[]),
            );
            put(&[first, get::<R, K>(&next, 0)], &[])
        },
    );
    let pair = R::when(
        uniform.or(high),
        pair,
        #[inline(always)]
        || {
            let (v, lift) = (R::select(high, u.value() + from, v), R::select(high, R::lit(0.0), -balance));
            let all = uniform.or(high);
            let first = debye::falling::<R, K>(v, w, lift, all);
            let needed = if BOTH { all } else { high };
            let next = R::when(
                needed,
                put::<R, K, 8, _, _>(&[first], &[]),
                #[inline(always)]
                || put(&[debye::falling::<R, K>(v + one, w, lift, needed)], &[]),
            );
            put(&[first, get::<R, K>(&next, 0)], &[])
        },
    );
    let base = Complex::select(climb, w, Complex::lit(1.0, 0.0));
    let r = base.reciprocal();
    let r_low = (r * defect(base, r)).scale(R::lit(2.0));
    let many = size.ge(R::lit(HANKEL));
    let r = r.scale(R::lit(2.0));
    let n = R::select(climb, n, R::lit(0.0));
    let state = R::repeat(
        put::<R, K, 22, _, _>(&[get::<R, K>(&pair, 0), get::<R, K>(&pair, 1)], &[from, zero, zero, zero, zero, zero]),
        STEPS,
        #[inline(always)]
        |state| {
            let (now, next, k, large) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1), state[16], state[17]);
            let (now_low, next_low) = (Complex::new(state[18], state[19]), Complex::new(state[20], state[21]));
            let more = k.lt(n);
            let order = (u + Dual::constant(k)).plus(1.0);
            let mut after = next.turned(r).by(order) + now;
            // What the roundings of values have left, which oscillations over many steps would keep
            let (value, low) = step(next.value(), next_low, now.value(), [r, r_low], order.value());
            after.re.0[0] = R::select(many, value.re, after.re.0[0]);
            after.im.0[0] = R::select(many, value.im, after.im.0[0]);
            let low = Complex::select(many, low + now_low, Complex::new(zero, zero));
            let shrink = after.value().max_part().gt(R::lit(LARGE)).and(more);
            let factor = R::select(shrink, R::lit(1.0 / LARGE), one);
            let now = ComplexDual::<R, K>::select(more, next, now).times(factor);
            let next = ComplexDual::<R, K>::select(more, after, next).times(factor);
            let now_low = Complex::select(more, next_low, now_low).scale(factor);
            let next_low = Complex::select(more, low, next_low).scale(factor);
            let large = R::select(shrink, large + R::lit(LARGE_BITS), large);
            let plain = [k + one, large, now_low.re, now_low.im, next_low.re, next_low.im];
            (put(&[now, next], &plain), (k + one).lt(n))
        },
    );
    let mut state = state;
    for (value, low) in [(0, 18), (4, 19), (8, 20), (12, 21)] {
        // Beside an overflow nothing is left.
        let whole = state[value] + state[low];
        state[value] = R::select(whole.is_nan(), state[value], whole);
    }
    let rest = R::select(uniform, R::lit(0.0), state[17] - balance);
    [scaled(get(&state, 0), rest), scaled(get(&state, 1), rest)]
}

/// `e^-w 2^s I_v(w)` by the power series DLMF 10.25.2.
#[inline(always)]
fn power_series<R: Real, const K: usize>(v: R, w: Complex<R>, size: R, on: R::Mask) -> ComplexDual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(1.0, 0.0));
    let half = R::select(on, size, one) * R::lit(0.5);
    let q = w.square().scale(R::lit(0.25));
    let order = Dual::<R, K>::variable(v, 3);
    let state = R::repeat(
        put::<R, K, 17, _, _>(&[ComplexDual::lit(1.0), ComplexDual::lit(1.0)], &[zero]),
        500,
        #[inline(always)]
        |state| {
            let (term, sum, k) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1), state[16] + one);
            let term = term.turned(q).by(Dual::lit(1.0) / (order + Dual::constant(k)).times(k));
            let sum = sum + term;
            (put(&[term, sum], &[k]), matters(term, sum).and(on))
        },
    );
    let small = v.lt(R::lit(LARGE_ORDER));
    let lift = balance(v, w);
    let [size] = R::when(
        small,
        [one],
        #[inline(always)]
        || {
            let v = R::select(small, v, one);
            let bits = R::select(small, lift, zero).min(R::lit(2000.0));
            [(e::pow(half, v) * e::rgamma(v + one)).scale(bits)]
        },
    );
    let [size] = R::when(
        small.not().and(on),
        [size],
        #[inline(always)]
        || {
            let v = R::select(small, R::lit(LARGE_ORDER), v);
            [power_over_gamma(v, half, Dd::lit(LN2.0, LN2.1).times(lift))]
        },
    );
    let angle = angle(w);
    let turns = v * angle;
    let power = Complex::new(size * e::cos(turns), size * e::sin(turns));
    let mut slopes = [power; 3];
    if K > 1 {
        let rate = Complex::new(e::log(half) - e::digamma(v + one), angle);
        slopes[1] = power * rate;
        if K > 2 {
            let square = rate.square();
            slopes[2] = power * Complex::new(square.re - e::trigamma(v + one), square.im);
        }
    }
    (get::<R, K>(&state, 1) * ComplexDual::chain(order, slopes)).turned(exp(-w))
}

/// `e^-w 2^s I_v(w)` from the ratio of neighbours, by recurrence downwards, and the Wronskian (DLMF 10.28.2).
#[inline(always)]
fn by_ratio<R: Real, const K: usize>(v: R, w: Complex<R>, size: R, on: R::Mask) -> ComplexDual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let w = Complex::select(on, w, Complex::lit(1.0, 0.0));
    let size = R::select(on, size, one);
    let r = w.reciprocal();
    let moved = w * defect(w, r);
    let r = r.scale(R::lit(2.0));
    let order = Dual::<R, K>::variable(v, 3);
    let times_r = inlined(
        #[inline(always)]
        |d: Dual<R, K>| ComplexDual::real(d).turned(r),
    );
    // From so far beyond the turning point, the first guess is lost.
    let extra = (e::exp(e::log(size) * R::lit(1.0 / 3.0)) * R::lit(8.0) + R::lit(15.0)).ceil();
    let count = (size - v).max(zero).ceil() + extra;
    let state = R::repeat(
        put::<R, K, 9, _, _>(&[ComplexDual::lit(0.0)], &[R::select(on, count, one)]),
        STEPS,
        #[inline(always)]
        |state| {
            let (h, k) = (get::<R, K>(&state, 0), state[8]);
            let b = times_r(order + Dual::constant(k)) + h;
            (put(&[b.inverted(inverse(b.value()))], &[k - one]), k.gt(one))
        },
    );
    // The rounding of 1 / w moved the argument of the ratio `h`, whose slope is `1 - h^2 - (2v + 1) h / w`.
    let h = get::<R, K>(&state, 0);
    let slope = ComplexDual::lit(1.0) - h * (h + times_r(order.plus(0.5)));
    let h = h - slope.turned(moved);
    let [k, next] = k_pair::<R, K, true>(v, w, on);
    let sum = (next + h * k).turned(w);
    let out = sum.inverted(sum.value().reciprocal());
    ComplexDual::select(next.value().is_finite(), out, ComplexDual::lit(0.0))
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
            let uu = Dual::<R, 1>::constant(u * u);
            let gamma = polynomial(uu, &t::RGAMMA_EVEN).value() - u * polynomial(uu, &t::RGAMMA_ODD).value();
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

/// What `I_0` and its first two derivatives in the order tend to at the origin.
const fn at_origin(k: usize) -> f64 {
    [1.0, -INF, INF][k / 2]
}

/// `e^w 2^-s K_v(w)` for `v >= 0` in the right half-plane or a little beyond, or a derivative in `v`.
#[inline(always)]
fn core_k<R: Real, const K: usize>(v: R, w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let on = regular(v, w);
    let [out, _] = k_pair::<R, K, false>(R::select(on, v, zero), Complex::select(on, w, Complex::lit(1.0, 0.0)), on);
    let out = out.top();
    // An overflow
    let limit = Complex::select(w.im.eq(zero), Complex::lit(INF, 0.0), Complex::lit(f64::NAN, f64::NAN));
    let out = Complex::select(out.is_finite(), out, limit);
    Complex::select(on, out, edges(v, w, Complex::lit(INF, 0.0)))
}

/// `e^-w 2^s I_v(w)` for `v >= 0` in the right half-plane, or a derivative in `v`.
#[inline(always)]
fn core_i<R: Real, const K: usize>(v: R, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let origin = Complex::select(v.eq(zero), Complex::lit(at_origin(K), 0.0), Complex::lit(0.0, 0.0));
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
    let summed = if K == 1 { summed } else { R::Mask::lit(false) };
    let uniform = debye::serves(v, w, series.or(at_once).or(summed).not());
    let rest = series.or(at_once).or(uniform).or(summed).not();
    let out = R::when(
        series,
        put::<R, K, 8, _, _>(&[ComplexDual::lit(0.0)], &[]),
        #[inline(always)]
        || put(&[power_series::<R, K>(v, w, size, series)], &[]),
    );
    let out = R::when(
        at_once,
        out,
        #[inline(always)]
        || put(&[hankel_i(Dual::<R, K>::variable(v, 3), w, at_once)], &[]),
    );
    let mut out = R::when(
        uniform,
        out,
        #[inline(always)]
        || put(&[debye::growing::<R, K>(v, w, balance(v, w), uniform)], &[]),
    );
    if K == 1 {
        out = R::when(
            summed,
            out,
            #[inline(always)]
            || put(&[ComplexDual::<R, 1>::constant(by_sum(v, w, size, summed))], &[]),
        );
    }
    let out = R::when(
        rest,
        out,
        #[inline(always)]
        || put(&[by_ratio::<R, K>(v, w, size, rest)], &[]),
    );
    Complex::select(on, get::<R, K>(&out, 0).top(), outside)
}

/// `e^w 2^-s K_v(w)`.
#[inline(always)]
pub fn bessel_k<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    core_k::<R, 1>(v.re, w)
}

/// Its derivative in the order.
#[inline(always)]
pub fn bessel_k_dv<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    core_k::<R, 2>(v.re, w)
}

/// Its second derivative in the order.
#[inline(always)]
pub fn bessel_k_dvv<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    core_k::<R, 4>(v.re, w)
}

/// `e^-w 2^s I_v(w)`.
#[inline(always)]
pub fn bessel_i<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    core_i::<R, 1>(v.re, w)
}

/// Its derivative in the order.
#[inline(always)]
pub fn bessel_i_dv<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    core_i::<R, 2>(v.re, w)
}

/// Its second derivative in the order.
#[inline(always)]
pub fn bessel_i_dvv<R: Real>(v: Complex<R>, w: Complex<R>) -> Complex<R> {
    core_i::<R, 4>(v.re, w)
}

/// A function of the order `m` with as many of its derivatives in `v` as are carried; of cores `m` is `|v|`.
#[inline(always)]
pub(super) fn values<R: Real, const K: usize, F: ComplexBody<2>, F1: ComplexBody<2>, F2: ComplexBody<2>>(
    m: Dual<R, K>,
    w: Complex<R>,
) -> ComplexDual<R, K> {
    let at = [Complex::new(m.value(), R::lit(0.0)), w];
    let mut parts = [R::shared_complex::<F, 2>(at); 4];
    if K > 1 {
        parts[1] = R::shared_complex::<F1, 2>(at).scale(m.0[1]);
        parts[2] = parts[1];
    }
    if K > 2 {
        parts[3] = R::shared_complex::<F2, 2>(at);
    }
    ComplexDual::of(
        #[inline(always)]
        |i| parts[i],
    )
}

#[inline(always)]
fn scaled_i<R: Real, const K: usize>(m: Dual<R, K>, w: Complex<R>) -> ComplexDual<R, K> {
    values::<R, K, c::BesselI, c::BesselIDv, c::BesselIDvv>(m, w)
}

#[inline(always)]
fn scaled_k<R: Real, const K: usize>(m: Dual<R, K>, w: Complex<R>) -> ComplexDual<R, K> {
    values::<R, K, c::BesselK, c::BesselKDv, c::BesselKDvv>(m, w)
}

/// `|v|` with its derivatives in `v`, to the right of 0 at 0.
#[inline(always)]
fn magnitude<R: Real, const K: usize>(v: R) -> Dual<R, K> {
    let sign = R::select(v.lt(R::lit(0.0)), R::lit(-1.0), R::lit(1.0));
    let mut m = Dual::variable(v, 3).times(sign);
    m.0[0] = v.abs();
    m
}

/// `sin(pi v)`.
#[inline(always)]
fn sine<R: Real, const K: usize>(v: Dual<R, K>) -> Dual<R, K> {
    let value = e::sinpi(v.value());
    let slope = if K > 1 { e::cospi(v.value()) * R::lit(PI) } else { value };
    v.chain([value, slope, value * R::lit(-PI * PI)])
}

/// The slope at `v` of a function even in it from its second derivative, by the rule of Gauss with three points (DLMF 3.5(v)). Next
/// to order 0 the slope itself is a difference.
#[inline(always)]
fn even_slope<R: Real>(v: R, second: impl Fn(R) -> Complex<R>) -> Complex<R> {
    let sum =
        second(R::lit(0.0)).scale(R::lit(4.0 / 9.0)) + second(v * R::lit(0.7745966692414834)).scale(R::lit(5.0 / 9.0));
    sum.scale(v)
}

/// Where functions of the first kind of orders from 152 on are 0 in double precision, with their derivatives in the order: below 2^-1200 by
/// `(e |z| / (2v))^v e^|z|`. An order beyond [`MAX_ORDER`] is not.
#[inline(always)]
fn vanishes<R: Real>(v: R, at: Complex<R>) -> R::Mask {
    // No less than e |z| / 2
    let size = at.re.abs().max(at.im.abs()) * R::lit(1.9223);
    let beyond = inlined(
        #[inline(always)]
        |order: f64, times: f64| v.ge(R::lit(order)).and((size * R::lit(times)).le(v)),
    );
    let gone = beyond(310.0, 16.0).or(beyond(700.0, 4.0)).or(beyond(152.0, 256.0));
    gone.and(v.le(R::lit(MAX_ORDER))).and(at.im.is_nan().not())
}

/// A function of the first kind, of which nothing is computed where it vanishes.
#[inline(always)]
fn unless_vanishing<R: Real>(v: R, at: Complex<R>, f: impl Fn() -> Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let [re, im] = R::when(
        vanishes(v, at).not(),
        [zero; 2],
        #[inline(always)]
        || {
            let out = f();
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
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
        let class = quadrant * R::lit(15.0) + size + one;
        let class = if N == 2 { R::select(vanishes(x[0].re, z), R::lit(61.0), class) } else { class };
        (Complex::lit(0.0, 0.0), class)
    }
}

/// `a + f b`, where a factor of zero leaves nothing of an infinity.
#[inline(always)]
fn plus<R: Real, const K: usize>(
    a: ComplexDual<R, K>,
    f: ComplexDual<R, K>,
    b: ComplexDual<R, K>,
) -> ComplexDual<R, K> {
    let none = f.size().eq(R::lit(0.0));
    a + f * ComplexDual::select(none, ComplexDual::lit(0.0), b)
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
fn growing<R: Real, const K: usize, const PLAIN: bool>(f: ComplexDual<R, K>, w: Complex<R>, s: R) -> ComplexDual<R, K> {
    sized(f, if PLAIN { w } else { Complex::lit(0.0, 0.0) }, -s)
}

#[inline(always)]
fn falling<R: Real, const K: usize, const PLAIN: bool>(f: ComplexDual<R, K>, w: Complex<R>, s: R) -> ComplexDual<R, K> {
    sized(f, if PLAIN { -w } else { w.scale(R::lit(-2.0)) }, s)
}

/// An argument as `w = -iz`, moved to the upper half-plane, with `e^iz 2^s J_m(z)` and `e^-iz 2^-s H1_m(z)` there for `m = |v|`.
struct Upper<R: Real, const K: usize> {
    w: Complex<R>,
    s: R,
    lower: R::Mask,
    m: Dual<R, K>,
    j: ComplexDual<R, K>,
    h: ComplexDual<R, K>,
}

#[inline(always)]
fn upper<R: Real, const K: usize>(v: R, at: Complex<R>, wants_j: R::Mask, wants_h: R::Mask) -> Upper<R, K> {
    let zero = R::lit(0.0);
    let lower = at.im.lt(zero);
    // A zero of either sign belongs to the upper side.
    let w = Complex::new(at.im.abs(), -at.re);
    let m = magnitude::<R, K>(v);
    let phase = unit(m.scaled(0.5));
    let none = put::<R, K, 8, _, _>(&[ComplexDual::lit(0.0)], &[]);
    let j = R::when(
        wants_j,
        none,
        #[inline(always)]
        || put(&[phase * scaled_i(m, w)], &[]),
    );
    let h = R::when(
        wants_h,
        none,
        #[inline(always)]
        || {
            let h = phase.conj() * scaled_k(m, w);
            put(&[ComplexDual { re: h.im.scaled(2.0 / PI), im: h.re.scaled(-2.0 / PI) }], &[])
        },
    );
    Upper { w, s: balance(m.value(), w), lower, m, j: get(&j, 0), h: get(&h, 0) }
}

/// `J_v(z)`, or `e^(isz) J_v(z)` with `s = 1` in the upper half-plane, `-1` in the lower one; or a derivative in `v`.
#[inline(always)]
fn first_kind<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    unless_vanishing(
        v,
        at,
        #[inline(always)]
        || first_kind_within::<R, K, PLAIN>(v, at),
    )
}

#[inline(always)]
fn first_kind_within<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let all = R::Mask::lit(true);
    let negative = v.lt(zero);
    let odd = sine(magnitude::<R, K>(v));
    // At integers derivatives alone have both.
    let mixed = negative.and(odd.value().ne(zero).or(R::Mask::lit(K > 1)));
    let Upper { w, s, lower, m, j, h } = upper::<R, K>(v, at, all, mixed);
    let j = growing::<R, K, PLAIN>(j, w, s);
    // J_-m = e^(-i pi m) J_m + i sin(pi m) H1_m
    let out = R::when(
        negative,
        put::<R, K, 8, _, _>(&[j], &[]),
        #[inline(always)]
        || {
            let factor = ComplexDual { re: Dual::lit(0.0), im: odd };
            put(&[plus(unit(-m) * j, factor, falling::<R, K, PLAIN>(h, w, s))], &[])
        },
    );
    let out = get::<R, K>(&out, 0).top();
    let origin = at.re.eq(zero).and(at.im.eq(zero)).and(v.eq(zero));
    let out = Complex::select(origin, Complex::lit(at_origin(K), 0.0), out);
    // Left of 0 the factor e^(i pi v) is real, but none of its derivatives
    let whole = if K == 1 { v.floor().eq(v) } else { R::Mask::lit(false) };
    let line = at.im.eq(zero).and(at.re.ge(zero).or(whole));
    let line = if PLAIN { line } else { R::Mask::lit(false) };
    let out = Complex::new(out.re, R::select(line, zero, out.im));
    Complex::select(lower, out.conj(), out)
}

/// The same for `Y_v`.
#[inline(always)]
fn second_kind<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let all = R::Mask::lit(true);
    let negative = v.lt(zero);
    let Upper { w, s, lower, m, j, h } = upper::<R, K>(v, at, all, all);
    let (j, h) = (growing::<R, K, PLAIN>(j, w, s), falling::<R, K, PLAIN>(h, w, s));
    // Y_m = i (J_m - H1_m), Y_-m = i (e^(-i pi m) J_m - cos(pi m) H1_m)
    let phase = unit(-m);
    let j = ComplexDual::select(negative, phase * j, j);
    let cosine = Dual::select(negative, phase.re, Dual::lit(1.0));
    let sum = turn(plus(j, ComplexDual::real(-cosine), h));
    let out = sum.top();
    let line = at.im.eq(zero).and(at.re.ge(zero));
    let origin = line.and(h.top().is_finite().not()).and(j.top().is_finite());
    let line = if PLAIN { line } else { R::Mask::lit(false) };
    let out = Complex::new(out.re, R::select(line, zero, out.im));
    let cosine = cosine.value();
    let pole = Complex::new(R::select(cosine.eq(zero), zero, R::lit(INF).copysign(-cosine)), zero);
    let out = Complex::select(origin, pole, out);
    Complex::select(lower, out.conj(), out)
}

/// `H1_v(z)` or `e^-iz H1_v(z)`, or a derivative in `v`; the second kind is the conjugate at the conjugate.
#[inline(always)]
fn third_kind<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>, second: bool) -> Complex<R> {
    let zero = R::lit(0.0);
    let negative = v.lt(zero);
    let at_first = if second { Complex::new(at.re, -at.im) } else { at };
    // A zero imaginary part is that of the upper side.
    let cut = at.im.eq(zero).and(at.re.lt(zero));
    let lower = if second { at.im.gt(zero).or(cut) } else { at.im.lt(zero) };
    let Upper { w, s, m, j, h, .. } = upper::<R, K>(v, at_first, lower, R::Mask::lit(true));
    // H2 = 2 J - H1, H1_-m = e^(i pi m) H1_m, H2_-m = e^(-i pi m) H2_m
    let drop = w.scale(R::select(lower, R::lit(-2.0), zero));
    let h = sized(h, if PLAIN { -w } else { drop }, s);
    let out = R::when(
        lower,
        put::<R, K, 8, _, _>(&[h], &[]),
        #[inline(always)]
        || {
            let j = growing::<R, K, PLAIN>(j, w, s);
            let out = plus(j + j, ComplexDual::lit(-1.0), h);
            put(&[out.conj()], &[])
        },
    );
    let out = get::<R, K>(&out, 0);
    let out = ComplexDual::select(negative, unit(m) * out, out).top();
    let origin = at.re.eq(zero).and(at.im.eq(zero));
    let out = Complex::select(origin, Complex::lit(f64::NAN, f64::NAN), out);
    if second { out.conj() } else { out }
}

/// `I_v(z)`, or `e^(-sz) I_v(z)` with `s` the sign of the real part; or a derivative in `v`.
#[inline(always)]
fn first_modified<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    unless_vanishing(
        v,
        at,
        #[inline(always)]
        || first_modified_within::<R, K, PLAIN>(v, at),
    )
}

#[inline(always)]
fn first_modified_within<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let left = at.re.lt(zero);
    let w = Complex::select(left, -at, at);
    let m = magnitude::<R, K>(v);
    let s = balance(m.value(), w);
    let odd = sine(m);
    let i = growing::<R, K, PLAIN>(scaled_i(m, w), w, s);
    // At integers derivatives alone have both.
    let mixed = v.lt(zero).and(odd.value().ne(zero).or(R::Mask::lit(K > 1)));
    // I_-m = I_m + (2/pi) sin(pi m) K_m
    let out = R::when(
        mixed,
        put::<R, K, 8, _, _>(&[i], &[]),
        #[inline(always)]
        || {
            let k = falling::<R, K, PLAIN>(scaled_k(m, w), w, s);
            put(&[i + k.by(odd.scaled(2.0 / PI))], &[])
        },
    );
    // I_v(z) = e^(+-i pi v) I_v(-z)
    let out = get::<R, K>(&out, 0);
    let phase = unit(Dual::variable(v, 3));
    let phase = ComplexDual::select(at.im.lt(zero), phase.conj(), phase);
    let mut out = ComplexDual::select(left, phase * out, out).top();
    if K == 2 {
        let size = abs(w);
        let next = m.value().lt(R::lit(SMALL_ORDER)).and(size.ge(R::lit(SUMMED))).and(size.lt(R::lit(HANKEL)));
        let next = next.and(left.not());
        // The odd part of I in v, -sin(pi v) K / pi, alone counts at order 0 and is exponentially smaller than what `i` rounds.
        let [re, im] = R::when(
            next,
            [out.re, out.im],
            #[inline(always)]
            || {
                let even = even_slope(
                    v,
                    #[inline(always)]
                    |v| {
                        let sides = mapped(
                            [v, -v],
                            #[inline(always)]
                            |v| {
                                let x = [Complex::new(v, zero), at];
                                if PLAIN {
                                    R::shared_complex::<c::IvDvv, 2>(x)
                                } else {
                                    R::shared_complex::<c::IvTurnedDvv, 2>(x)
                                }
                            },
                        );
                        (sides[0] + sides[1]).scale(R::lit(0.5))
                    },
                );
                let k = falling::<R, K, PLAIN>(scaled_k(m, w), w, s);
                let signed = sine(Dual::variable(v, 3));
                let out = even - k.by(signed.scaled(1.0 / PI)).top();
                [out.re, out.im]
            },
        );
        out = Complex::new(re, im);
    }
    let origin = at.re.eq(zero).and(at.im.eq(zero)).and(v.eq(zero));
    let out = Complex::select(origin, Complex::lit(at_origin(K), 0.0), out);
    if !PLAIN {
        return out;
    }
    let whole = if K == 1 { v.floor().eq(v) } else { R::Mask::lit(false) };
    let line = at.im.eq(zero).and(left.not().or(whole));
    let out = Complex::new(out.re, R::select(line, zero, out.im));
    if K > 1 {
        return out;
    }
    let end = at.im.eq(zero).and(w.re.eq(R::lit(INF))).and(left.not());
    Complex::select(end.and(v.is_nan().not()), Complex::lit(INF, 0.0), out)
}

/// `K_v(z)` or `e^z K_v(z)`, or a derivative in `v`.
#[inline(always)]
fn second_modified<R: Real, const K: usize, const PLAIN: bool>(v: R, at: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let order = magnitude::<R, K>(v);
    let m = order.value();
    // Parts of the connection cancel next to the imaginary axis. `K` comes from beyond it too, if recurrence upwards, in which `I`
    // gains on it by `e^(-2 Re z)` in the end, does not lose more
    let (x, y) = (-at.re, at.im.abs());
    let safe = x.lt(R::lit(0.25)).or((x * m * m).lt(y * y * R::lit(1.25)));
    let reach = R::select(y.lt(R::lit(6.0)), R::lit(BEYOND.0), R::lit(BEYOND.1));
    let left = x.gt(zero).and(x.lt(y * reach).and(safe).not());
    let w = Complex::select(left, -at, at);
    let s = balance(m, w);
    let drop = w.scale(R::select(left, R::lit(-2.0), zero));
    let k = sized(scaled_k(order, w), if PLAIN { -w } else { drop }, s);
    // K_v(z) = e^(-+i pi v) K_v(-z) -+ i pi I_v(-z)
    let out = R::when(
        left,
        put::<R, K, 8, _, _>(&[k], &[]),
        #[inline(always)]
        || {
            let side = R::select(at.im.lt(zero), R::lit(-1.0), R::lit(1.0));
            let i = growing::<R, K, PLAIN>(scaled_i(order, w), w, s);
            put(&[unit(-order.times(side)) * k - turn(i).times(side * R::lit(PI))], &[])
        },
    );
    let mut out = get::<R, K>(&out, 0).top();
    if K == 2 {
        let size = abs(w);
        let log = e::log(size * R::lit(0.5)).abs().max(R::lit(1.0));
        let next =
            left.and((m * log).lt(R::lit(SMALL_ORDER))).and(size.lt(R::lit(HANKEL)).or(m.lt(R::lit(TINY_ORDER))));
        let [re, im] = R::when(
            next,
            [out.re, out.im],
            #[inline(always)]
            || {
                let out = even_slope(
                    v,
                    #[inline(always)]
                    |v| {
                        let x = [Complex::new(v, zero), at];
                        if PLAIN { R::shared_complex::<c::KvDvv, 2>(x) } else { R::shared_complex::<c::KveDvv, 2>(x) }
                    },
                );
                [out.re, out.im]
            },
        );
        out = Complex::new(re, im);
    }
    let line = at.im.eq(zero).and(left.not());
    let flat = if PLAIN { line } else { R::Mask::lit(false) };
    let wide = line.and(out.re.abs().eq(R::lit(INF)));
    Complex::new(out.re, R::select(flat.or(wide), zero, out.im))
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident, $first:ident, $second:ident = $f:ident<$plain:literal>($($kind:literal)?);)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
                $f::<R, 1, $plain>(v.re, at $(, $kind)?)
            }

            /// Its derivative in the order.
            #[inline(always)]
            pub fn $first<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
                $f::<R, 2, $plain>(v.re, at $(, $kind)?)
            }

            /// Its second derivative in the order.
            #[inline(always)]
            pub fn $second<R: Real>(v: Complex<R>, at: Complex<R>) -> Complex<R> {
                $f::<R, 4, $plain>(v.re, at $(, $kind)?)
            }
        )*
    };
}

kinds! {
    /// Bessel function of the first kind.
    jv, jv_dv, jv_dvv = first_kind<true>();
    /// `e^(isz) J_v(z)`, `s` the sign of the imaginary part.
    jv_turned, jv_turned_dv, jv_turned_dvv = first_kind<false>();
    /// Bessel function of the second kind.
    yv, yv_dv, yv_dvv = second_kind<true>();
    /// `e^(isz) Y_v(z)`.
    yv_turned, yv_turned_dv, yv_turned_dvv = second_kind<false>();
    /// Hankel function of the first kind.
    hankel1, hankel1_dv, hankel1_dvv = third_kind<true>(false);
    /// `e^-iz H1_v(z)`.
    hankel1e, hankel1e_dv, hankel1e_dvv = third_kind<false>(false);
    /// Hankel function of the second kind.
    hankel2, hankel2_dv, hankel2_dvv = third_kind<true>(true);
    /// `e^iz H2_v(z)`.
    hankel2e, hankel2e_dv, hankel2e_dvv = third_kind<false>(true);
    /// Modified Bessel function of the first kind.
    iv, iv_dv, iv_dvv = first_modified<true>();
    /// `e^(-sz) I_v(z)`, `s` the sign of the real part.
    iv_turned, iv_turned_dv, iv_turned_dvv = first_modified<false>();
    /// Modified Bessel function of the second kind.
    kv, kv_dv, kv_dvv = second_modified<true>();
    /// `e^z K_v(z)`.
    kve, kve_dv, kve_dvv = second_modified<false>();
}

/// Derivatives of `e^-w I_v` and of [`kve`] at large arguments, as those of real ones.
#[inline(always)]
pub fn hankel_dx<R: Real>(kind: Complex<R>, n: Complex<R>, v: Complex<R>, at: Complex<R>) -> Complex<R> {
    hankel_slope::<R, 1>(kind.re, n.re, v.re, at)
}

/// Their derivatives in the order.
#[inline(always)]
pub fn hankel_dx_dv<R: Real>(kind: Complex<R>, n: Complex<R>, v: Complex<R>, at: Complex<R>) -> Complex<R> {
    hankel_slope::<R, 2>(kind.re, n.re, v.re, at)
}
