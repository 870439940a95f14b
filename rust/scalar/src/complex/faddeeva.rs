//! Faddeeva's function `w(z) = e^(-z^2) erfc(-iz)` with its derivatives, and the error functions of a complex argument.
//!
//! The trapezoidal rule with the residues of the poles (F. Matta, A. Reichel, Math. Comp. 25, 1971; M. Al Azah, S. N.
//! Chandler-Wilde, SIAM J. Numer. Anal. 59, 2021): all terms of the real part have one sign. Far out the asymptotic series.

use super::bodies as c;
use super::functions::Scaled;
use super::{Complex, log, log1p};
use crate::dd::Dd;
use crate::real::{Mask, Real, inlined};
use crate::shared as e;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, PI};

const INF: f64 = f64::INFINITY;
const INV_ROOT_PI: f64 = 0.5 * FRAC_2_SQRT_PI;
/// The nodes are half as far apart as the poles of `tan`.
const STEP: f64 = 0.5;
const NODES: usize = 13;
/// Above this height no pole is between the contour and the real line.
const POLES_TO: f64 = PI / STEP;
/// The orders of derivatives that the rule itself is differentiated to.
const ORDERS: usize = 5;
/// The asymptotic series serves derivatives from here on.
const FAR: f64 = 7.0;

/// `e^(-z^2)` in a form that may exceed the range, and its direction.
#[inline(always)]
fn bell<R: Real>(w: Complex<R>) -> (Scaled<R>, Complex<R>) {
    let inside = w.max_part().lt(R::lit(1e150));
    let (x, y) = (R::select(inside, w.re, R::lit(0.0)), R::select(inside, w.im, R::lit(0.0)));
    let size = Dd::two_prod(y, y) - Dd::two_prod(x, x);
    let angle = Dd::two_prod(x + x, y);
    let (s, k) = (e::sin(angle.hi), e::cos(angle.hi));
    let radius = Scaled::exp(size.hi);
    let tilt = R::select(size.hi.abs().lt(R::lit(1e10)), size.lo, R::lit(0.0));
    let one = R::lit(1.0) + tilt;
    let out = Complex::new((k - s * angle.lo) * one, -(s + k * angle.lo) * one);
    // Far from the real line the value overflows, near it it vanishes.
    let size = R::select(w.re.abs().lt(w.im.abs()), R::lit(INF), R::lit(0.0));
    let radius = Scaled { head: R::select(inside, radius.head, size), scale: radius.scale };
    (radius, out)
}

#[inline(always)]
fn times<R: Real>(radius: Scaled<R>, w: Complex<R>) -> Complex<R> {
    Complex::new(radius.times(w.re), radius.times(w.im))
}

/// Whether the nodes are the multiples of the step, and not the middles between them: what is farther from `x`.
#[inline(always)]
fn whole_nodes<R: Real>(x: R) -> R::Mask {
    let turns = x * R::lit(1.0 / STEP);
    let rest = turns - turns.floor();
    rest.ge(R::lit(0.25)).and(rest.le(R::lit(0.75)))
}

/// The node `k` and its weight, from 1 on where they are whole, from 1/2 on elsewhere.
#[inline(always)]
fn node<R: Real>(whole: R::Mask, k: usize) -> (R, R) {
    let (a, b) = ((k + 1) as f64 * STEP, (k as f64 + 0.5) * STEP);
    (R::select(whole, R::lit(a), R::lit(b)), R::select(whole, R::lit((-a * a).exp()), R::lit((-b * b).exp())))
}

/// `1 / (1 + q)` with `q = -+e^(-2 pi i z / STEP)`: the weight of the poles at whole or half nodes.
#[inline(always)]
fn pole_weight<R: Real>(whole: R::Mask, x: R, y: R) -> Complex<R> {
    let turns = x * R::lit(2.0 / STEP);
    let grow = e::exp(y * R::lit(2.0 * PI / STEP));
    let grow = R::select(whole, -grow, grow);
    let q = Complex::new(grow * e::cospi(turns), -(grow * e::sinpi(turns)));
    // The node was chosen so that the real part of q is not negative.
    let den = Complex::new(R::lit(1.0) + q.re, q.im);
    den.reciprocal()
}

/// `w` in the first quadrant.
#[inline(always)]
fn first_quadrant<R: Real>(x: R, y: R) -> Complex<R> {
    let far = x.max(y).gt(R::lit(1e3));
    let (u, v) = (R::select(far, R::lit(1.0), x), R::select(far, R::lit(1.0), y));
    let whole = whole_nodes(u);
    let (uu, vv) = (u * u, v * v);
    let size = uu + vv;
    let cross = R::lit(4.0) * uu * vv;
    let (mut re, mut im) = (R::lit(0.0), R::lit(0.0));
    for k in (0..NODES).rev() {
        let (t, weight) = node::<R>(whole, k);
        let tt = t * t;
        let a = (u - t).fma(u + t, -vv);
        let part = weight / a.fma(a, cross);
        re = part.fma(size + tt, re);
        im = part.fma((u - t).fma(u + t, vv), im);
    }
    let origin = R::select(whole, R::lit(0.5) / size, R::lit(0.0));
    let front = R::lit(2.0 * STEP / PI);
    let sum = Complex::new((re + origin) * v * front, (im + origin) * u * front);
    let low = v.lt(R::lit(POLES_TO));
    let [pr, pi] = R::when(
        low,
        [R::lit(0.0), R::lit(0.0)],
        #[inline(always)]
        || {
            let height = R::select(low, v, R::lit(0.0));
            let weight = pole_weight(whole, u, height);
            let (radius, direction) = bell(Complex::new(u, height));
            let pole = times(radius, direction * (weight + weight));
            [pole.re, pole.im]
        },
    );
    let near = sum + Complex::new(pr, pi);
    // i / (sqrt(pi) z) (1 + 1/(2 z^2) + 3/(4 z^4))
    let r = Complex::new(R::select(far, x, R::lit(1e3)), R::select(far, y, R::lit(0.0))).reciprocal();
    let half = r.square().scale(R::lit(0.5));
    let series = half + (half * half).scale(R::lit(3.0));
    let r = Complex::new(-r.im, r.re).scale(R::lit(INV_ROOT_PI));
    Complex::select(far, r + r * series, near)
}

/// Faddeeva's function; on the real line `e^(-x^2) + 2i / sqrt(pi) dawsn(x)` (DLMF 7.5.1).
#[inline(always)]
pub fn wofz<R: Real>(w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let below = w.im.lt(zero);
    let level = w.im.eq(zero);
    let [re, im] = R::when(
        level.not(),
        [zero, zero],
        #[inline(always)]
        || {
            let out = first_quadrant(w.re.abs(), w.im.abs());
            // w(-conj z) = conj w(z); -z is above the real line where z is below.
            let mirrored = R::select(below, -w.re, w.re).lt(zero);
            [out.re, R::select(mirrored, -out.im, out.im)]
        },
    );
    let [re, im] = R::when(
        below,
        [re, im],
        #[inline(always)]
        || {
            let (radius, direction) = bell(w);
            let twice = times(radius, direction.scale(R::lit(2.0)));
            [twice.re - re, twice.im - im]
        },
    );
    let [re, im] = R::when(
        level,
        [re, im],
        #[inline(always)]
        || {
            // with the rounding of the square put back
            let x = w.re.abs().min(R::lit(28.0));
            let square = x * x;
            let bell = e::exp(-square);
            [bell.fma(-x.fma(x, -square), bell), R::lit(FRAC_2_SQRT_PI) * e::dawsn(w.re)]
        },
    );
    let upright = w.re.eq(zero);
    let [re] = R::when(
        upright,
        [re],
        #[inline(always)]
        || [e::erfcx(w.im)],
    );
    let out = Complex::new(re, R::select(upright, w.re, im));
    let lost = w.re.is_nan().or(w.im.is_nan());
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

/// `(-1)^n`.
#[inline(always)]
fn parity<R: Real>(n: R) -> R {
    let half = n * R::lit(0.5);
    R::select(half.floor().eq(half), R::lit(1.0), R::lit(-1.0))
}

/// The `n`-th derivative of `e^(-z^2)` over that function: Hermite's polynomial times `(-1)^n`.
#[inline(always)]
fn bell_factor<R: Real>(n: R, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let two = w.scale(R::lit(-2.0));
    let [_, re, im, ..] = R::repeat(
        [zero, one, zero, zero, zero],
        64,
        #[inline(always)]
        |[k, ar, ai, br, bi]| {
            let go = k.lt(n);
            let (a, b) = (Complex::new(ar, ai), Complex::new(br, bi));
            let next = two * a - b.scale(k + k);
            let (a, b) = (Complex::select(go, next, a), Complex::select(go, a, b));
            ([k + one, a.re, a.im, b.re, b.im], go)
        },
    );
    Complex::new(re, im)
}

/// `(-1)^n i / pi` times `sum_k (1/2)_k (2k + 1)...(2k + n) s^(2k) / z^(2k + 1 + n)`: the asymptotic series of the `n`-th
/// derivative of `w(z / s) / (sqrt(pi) s)` above the real line.
#[inline(always)]
pub(crate) fn far_series<R: Real>(n: R, w: Complex<R>, s: R) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let r = w.reciprocal();
    let [_, re, im] = R::repeat(
        [zero, r.re, r.im],
        64,
        #[inline(always)]
        |[k, re, im]| {
            let go = k.lt(n);
            let next = (Complex::new(re, im) * r).scale(-(k + one));
            let out = Complex::select(go, next, Complex::new(re, im));
            ([k + one, out.re, out.im], go)
        },
    );
    let rr = r.scale(s).square();
    let lead = Complex::new(-im, re).scale(R::lit(1.0 / PI));
    let [_, _, _, re, im] = R::repeat(
        [zero, lead.re, lead.im, lead.re, lead.im],
        48,
        #[inline(always)]
        |[k, tr, ti, sr, si]| {
            let j = k + k;
            let factor = (k + R::lit(0.5)) * (j + one + n) * (j + R::lit(2.0) + n) / ((j + one) * (j + R::lit(2.0)));
            let term = (Complex::new(tr, ti) * rr).scale(factor);
            let sum = Complex::new(sr, si) + term;
            let tiny = R::lit(f64::EPSILON / 16.0);
            // Each part by itself: near the axes one is much the smaller.
            let go = term.re.abs().gt(sum.re.abs() * tiny).or(term.im.abs().gt(sum.im.abs() * tiny));
            ([k + one, term.re, term.im, sum.re, sum.im], go)
        },
    );
    Complex::new(re, im)
}

/// The rule differentiated `n < ORDERS` times, in the first quadrant and not near 0.
#[inline(always)]
fn rule_derivative<R: Real>(n: R, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let whole = whole_nodes(w.re);
    // sum of weights / (z - t)^(n + 1) over both signs of t
    let power = inlined(
        #[inline(always)]
        |d: Complex<R>| {
            let r = d.reciprocal();
            let mut p = r;
            for k in 1..ORDERS {
                p = Complex::select(R::lit(k as f64).le(n), p * r, p);
            }
            p
        },
    );
    let mut sum = Complex::select(whole, power(w), Complex::lit(0.0, 0.0));
    for k in 0..NODES {
        let (t, weight) = node::<R>(whole, k);
        sum = sum + (power(Complex::new(w.re - t, w.im)) + power(Complex::new(w.re + t, w.im))).scale(weight);
    }
    let front = parity(n) * e::gamma(n + one);
    let sum = Complex::new(-sum.im, sum.re).scale(front * R::lit(STEP / PI));
    // Taylor coefficients of the weight g of the poles, g' = (2 pi i / STEP) g (1 - g), and of e^(-z^2)
    let low = w.im.lt(R::lit(POLES_TO));
    let at = Complex::new(w.re, R::select(low, w.im, zero));
    let mut g = [pole_weight(whole, at.re, at.im); ORDERS];
    let (radius, direction) = bell(at);
    let mut b = [direction; ORDERS];
    for k in 0..ORDERS - 1 {
        let mut d = g[k];
        for j in 0..=k {
            d = d - g[j] * g[k - j];
        }
        g[k + 1] = Complex::new(-d.im, d.re).scale(R::lit(2.0 * PI / STEP / (k + 1) as f64));
        let mut next = (at * b[k]).scale(R::lit(-2.0));
        if k > 0 {
            next = next - b[k - 1].scale(R::lit(2.0));
        }
        b[k + 1] = next.scale(R::lit(1.0 / (k + 1) as f64));
    }
    let mut pole = Complex::lit(0.0, 0.0);
    for k in 0..ORDERS {
        let mut p = Complex::lit(0.0, 0.0);
        for j in 0..=k {
            p = p + g[j] * b[k - j];
        }
        pole = Complex::select(n.eq(R::lit(k as f64)), p, pole);
    }
    let pole = times(radius, pole.scale(R::lit(2.0) * e::gamma(n + one)));
    sum + Complex::select(low, pole, Complex::lit(0.0, 0.0))
}

/// The `n`-th derivative of [`wofz`], `n >= 0` integral.
#[inline(always)]
pub fn wofz_derivative<R: Real>(n: Complex<R>, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let n = n.re;
    let below = w.im.lt(zero);
    let up = Complex::select(below, -w, w);
    let mirrored = up.re.lt(zero);
    let q = Complex::new(up.re.abs(), up.im.abs());
    let size = q.re * q.re + q.im * q.im;
    let far = size.ge(R::lit(FAR * FAR));
    let near = size.lt(R::lit(9.0)).or(n.ge(R::lit(ORDERS as f64)).and(far.not()));
    // w' = 2i / sqrt(pi) - 2 z w, w^(k+1) = -2 z w^(k) - 2 k w^(k-1)
    let inside = Complex::select(near, q, Complex::lit(0.0, 0.0));
    let value = R::shared_complex::<c::Wofz, 1>([inside]);
    let two = inside.scale(R::lit(-2.0));
    let [_, re, im, ..] = R::repeat(
        [zero, value.re, value.im, zero, zero],
        64,
        #[inline(always)]
        |[k, ar, ai, br, bi]| {
            let go = k.lt(n);
            let (a, b) = (Complex::new(ar, ai), Complex::new(br, bi));
            let next = two * a - b.scale(k + k);
            let next = Complex::new(next.re, next.im + R::select(k.eq(zero), R::lit(FRAC_2_SQRT_PI), zero));
            let (a, b) = (Complex::select(go, next, a), Complex::select(go, a, b));
            ([k + one, a.re, a.im, b.re, b.im], go)
        },
    );
    let out = Complex::new(re, im);
    let middle = near.or(far).not();
    let [re, im] = R::when(
        middle,
        [out.re, out.im],
        #[inline(always)]
        || {
            let out = rule_derivative(R::select(middle, n, zero), Complex::select(middle, q, Complex::lit(4.0, 0.0)));
            [out.re, out.im]
        },
    );
    let out = Complex::select(middle, Complex::new(re, im), out);
    let [re, im] = R::when(
        far,
        [out.re, out.im],
        #[inline(always)]
        || {
            let at = Complex::select(far, q, Complex::lit(FAR, 0.0));
            let sum = far_series(n, at, one).scale(R::lit(1.0 / INV_ROOT_PI));
            // On the real line the exponential is all of the real part.
            let (radius, direction) = bell(at);
            let small = times(radius, direction * bell_factor(n, at));
            let small =
                Complex::select(at.im.lt(R::lit(1e-8)).and(at.re.lt(R::lit(30.0))), small, Complex::lit(0.0, 0.0));
            [sum.re + small.re, sum.im + small.im]
        },
    );
    let out = Complex::select(far, Complex::new(re, im), out);
    let sign = parity(n);
    let out = Complex::select(mirrored, out.conj().scale(sign), out);
    let [re, im] = R::when(
        below,
        [out.re, out.im],
        #[inline(always)]
        || {
            let (radius, direction) = bell(w);
            let twice = times(radius, (direction * bell_factor(n, w)).scale(R::lit(2.0)));
            [twice.re - sign * out.re, twice.im - sign * out.im]
        },
    );
    let lost = w.re.is_nan().or(w.im.is_nan());
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), Complex::new(re, im))
}

/// `f(x)` on the real line, with the zero of the argument as imaginary part.
#[inline(always)]
fn on_line<R: Real>(w: Complex<R>, real: impl Fn(R) -> R, odd: bool, out: Complex<R>) -> Complex<R> {
    let on = w.im.eq(R::lit(0.0));
    let im = if odd { w.im } else { -w.im };
    let [re] = R::when(
        on,
        [out.re],
        #[inline(always)]
        || [real(w.re)],
    );
    Complex::new(R::select(on, re, out.re), R::select(on, im, out.im))
}

/// `e^(-z^2) w(iz)` for `Re z >= 0`.
#[inline(always)]
fn erfc_right<R: Real>(w: Complex<R>) -> Complex<R> {
    let scaled = R::shared_complex::<c::Wofz, 1>([Complex::new(-w.im, w.re)]);
    let (radius, direction) = bell(w);
    times(radius, direction * scaled)
}

/// `sum z^(2k+1) a_k` with `a_k = a_(k-1) factor(k)`.
#[inline(always)]
fn odd_series<R: Real>(w: Complex<R>, terms: usize, factor: impl Fn(f64) -> f64) -> Complex<R> {
    let near = w.max_part().lt(R::lit(2.0));
    let inside = Complex::select(near, w, Complex::lit(0.0, 0.0));
    let square = inside.square();
    let mut sum = Complex::lit(1.0, 0.0);
    for k in (1..terms).rev() {
        sum = (sum * square).scale(R::lit(factor(k as f64)));
        sum.re = sum.re + R::lit(1.0);
    }
    inside * sum
}

#[inline(always)]
fn within<R: Real>(w: Complex<R>, radius: f64) -> R::Mask {
    (w.re * w.re + w.im * w.im).lt(R::lit(radius * radius))
}

/// The error function.
#[inline(always)]
pub fn erf<R: Real>(w: Complex<R>) -> Complex<R> {
    let left = w.re.lt(R::lit(0.0));
    let right = erfc_right(Complex::select(left, -w, w));
    let far = Complex::new(R::lit(1.0) - right.re, -right.im);
    let far = Complex::select(left, -far, far);
    // 2 / sqrt(pi) sum (-1)^k z^(2k+1) / (k! (2k + 1))
    let series = odd_series(w, 24, |k| -(2.0 * k - 1.0) / (k * (2.0 * k + 1.0))).scale(R::lit(FRAC_2_SQRT_PI));
    let out = on_line(w, e::erf, true, Complex::select(within(w, 1.0), series, far));
    let on = w.re.eq(R::lit(0.0));
    Complex::select(on, Complex::new(w.re, e::erfi(w.im)), out)
}

/// `1 - erf(z)` without cancellation.
#[inline(always)]
pub fn erfc<R: Real>(w: Complex<R>) -> Complex<R> {
    let left = w.re.lt(R::lit(0.0));
    let right = erfc_right(Complex::select(left, -w, w));
    let out = on_line(w, e::erfc, false, Complex::select(left, Complex::new(R::lit(2.0) - right.re, -right.im), right));
    Complex::select(w.re.eq(R::lit(0.0)), Complex::new(R::lit(1.0), -e::erfi(w.im)), out)
}

/// `e^(z^2) erfc(z)`.
#[inline(always)]
pub fn erfcx<R: Real>(w: Complex<R>) -> Complex<R> {
    on_line(w, e::erfcx, false, R::shared_complex::<c::Wofz, 1>([Complex::new(-w.im, w.re)]))
}

/// `-i erf(iz)`.
#[inline(always)]
pub fn erfi<R: Real>(w: Complex<R>) -> Complex<R> {
    let out = R::shared_complex::<c::Erf, 1>([Complex::new(-w.im, w.re)]);
    Complex::new(out.im, -out.re)
}

/// The `n`-th derivative of `erfcx` over `(-2)^n n!`.
#[inline(always)]
pub fn ierfcx<R: Real>(n: Complex<R>, w: Complex<R>) -> Complex<R> {
    let d = R::shared_complex::<c::WofzDerivative, 2>([n, Complex::new(-w.im, w.re)]);
    // i^n
    let quarter = n.re * R::lit(0.25);
    let turn = quarter - quarter.floor();
    let odd = turn.eq(R::lit(0.25)).or(turn.eq(R::lit(0.75)));
    let d = Complex::select(odd, Complex::new(-d.im, d.re), d);
    let d = Complex::select(turn.ge(R::lit(0.5)), -d, d);
    d.scale(parity(n.re) / (e::gamma(n.re + R::lit(1.0)) * e::exp2(n.re)))
}

/// Dawson's integral.
#[inline(always)]
pub fn dawsn<R: Real>(w: Complex<R>) -> Complex<R> {
    let below = w.im.lt(R::lit(0.0));
    let up = Complex::select(below, -w, w);
    let value = R::shared_complex::<c::Wofz, 1>([up]);
    let (radius, direction) = bell(up);
    let rest = times(radius, direction) - value;
    let far = Complex::new(-rest.im, rest.re).scale(R::lit(1.0 / FRAC_2_SQRT_PI));
    let far = Complex::select(below, -far, far);
    // sum (-2)^k z^(2k+1) / (2k+1)!!
    let series = odd_series(w, 24, |k| -2.0 / (2.0 * k + 1.0));
    let out = on_line(w, e::dawsn, true, Complex::select(within(w, 1.0), series, far));
    Complex::new(R::select(w.re.eq(R::lit(0.0)), w.re, out.re), out.im)
}

/// The `n`-th derivative of [`dawsn`], `n >= 0` integral.
#[inline(always)]
pub fn dawsn_derivative<R: Real>(n: Complex<R>, w: Complex<R>) -> Complex<R> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let near = within(w, 1.5);
    let inside = Complex::select(near, w, Complex::lit(0.0, 0.0));
    let value = R::shared_complex::<c::Dawsn, 1>([inside]);
    let double = inside.scale(-two);
    let [_, re, im, ..] = R::repeat(
        [zero, value.re, value.im, zero, zero],
        64,
        #[inline(always)]
        |[k, ar, ai, br, bi]| {
            let go = k.lt(n.re);
            let (a, b) = (Complex::new(ar, ai), Complex::new(br, bi));
            let next = double * a - b.scale(k + k);
            let next = Complex::new(next.re + R::select(k.eq(zero), one, zero), next.im);
            let (a, b) = (Complex::select(go, next, a), Complex::select(go, a, b));
            ([k + one, a.re, a.im, b.re, b.im], go)
        },
    );
    let below = w.im.lt(zero);
    let up = Complex::select(below, -w, w);
    let d = R::shared_complex::<c::WofzDerivative, 2>([n, up]);
    let (radius, direction) = bell(up);
    let rest = times(radius, direction * bell_factor(n.re, up)) - d;
    let far = Complex::new(-rest.im, rest.re).scale(R::lit(1.0 / FRAC_2_SQRT_PI));
    let far = Complex::select(below, far.scale(-parity(n.re)), far);
    Complex::select(near, Complex::new(re, im), far)
}

/// `(S, C)` of Fresnel, by the error function on both diagonals (DLMF 7.5.8).
#[inline(always)]
fn fresnel<R: Real>(w: Complex<R>) -> (Complex<R>, Complex<R>) {
    // A quarter first, of which sums are in range as long as the functions are
    let quarter = R::lit(0.25);
    let scaled = w.scale(R::lit(1.0 / FRAC_2_SQRT_PI));
    let plus = R::shared_complex::<c::Erf, 1>([Complex::new(scaled.re + scaled.im, scaled.im - scaled.re)]);
    let minus = R::shared_complex::<c::Erf, 1>([Complex::new(scaled.re - scaled.im, scaled.im + scaled.re)]);
    let (plus, minus) = (plus.scale(quarter), minus.scale(quarter));
    let plus = Complex::new(plus.re - plus.im, plus.re + plus.im);
    let minus = Complex::new(minus.re + minus.im, minus.im - minus.re);
    let d = plus - minus;
    // power series (DLMF 7.6.4, 7.6.6)
    let near = within(w, 1.4);
    let inside = Complex::select(near, w, Complex::lit(0.0, 0.0));
    let square = inside.square();
    let fourth = square.square();
    let (mut s, mut k) = (Complex::lit(1.0, 0.0), Complex::lit(1.0, 0.0));
    for j in (1..16).rev() {
        let f = j as f64;
        let ratio = -PI * PI / 4.0;
        s = (s * fourth).scale(R::lit(ratio * (4.0 * f - 1.0) / (2.0 * f * (2.0 * f + 1.0) * (4.0 * f + 3.0))));
        k = (k * fourth).scale(R::lit(ratio * (4.0 * f - 3.0) / (2.0 * f * (2.0 * f - 1.0) * (4.0 * f + 1.0))));
        s.re = s.re + R::lit(1.0);
        k.re = k.re + R::lit(1.0);
    }
    let s = (s * square * inside).scale(R::lit(PI / 6.0));
    (Complex::select(near, s, Complex::new(d.im, -d.re)), Complex::select(near, k * inside, plus + minus))
}

/// Fresnel's sine integral.
#[inline(always)]
pub fn fresnel_s<R: Real>(w: Complex<R>) -> Complex<R> {
    on_line(w, e::fresnel_s, true, fresnel(w).0)
}

/// Fresnel's cosine integral.
#[inline(always)]
pub fn fresnel_c<R: Real>(w: Complex<R>) -> Complex<R> {
    on_line(w, e::fresnel_c, true, fresnel(w).1)
}

/// The standard normal distribution function.
#[inline(always)]
pub fn ndtr<R: Real>(w: Complex<R>) -> Complex<R> {
    R::shared_complex::<c::Erfc, 1>([w.scale(R::lit(-FRAC_1_SQRT_2))]).scale(R::lit(0.5))
}

/// The principal logarithm of [`ndtr`].
#[inline(always)]
pub fn log_ndtr<R: Real>(w: Complex<R>) -> Complex<R> {
    let right = log1p(R::shared_complex::<c::Erfc, 1>([w.scale(R::lit(FRAC_1_SQRT_2))]).scale(R::lit(-0.5)));
    let u = w.scale(R::lit(-FRAC_1_SQRT_2));
    let scaled = log(R::shared_complex::<c::Wofz, 1>([Complex::new(-u.im, u.re)]));
    let square = Dd::two_prod(w.re, w.re) - Dd::two_prod(w.im, w.im);
    let im = scaled.im - w.re * w.im;
    // into (-pi, pi]
    let turns = (im * R::lit(0.5 / PI)).round();
    let im = turns.fma(R::lit(-2.4492935982947064e-16), turns.fma(R::lit(-2.0 * PI), im));
    let left = Complex::new(scaled.re - R::lit(LN_2) - R::lit(0.5) * square.value(), im);
    // Far from the real line what is taken from 1 there is out of range.
    let moderate = ((w.im - w.re) * (w.im + w.re)).lt(R::lit(600.0));
    on_line(w, e::log_ndtr, true, Complex::select(w.re.gt(R::lit(1.0)).and(moderate), right, left))
}

/// Density over distribution function of the standard normal distribution.
#[inline(always)]
pub fn inverse_mills<R: Real>(w: Complex<R>) -> Complex<R> {
    let u = w.scale(R::lit(-FRAC_1_SQRT_2));
    let scaled = R::shared_complex::<c::Wofz, 1>([Complex::new(-u.im, u.re)]);
    let ratio = Complex::lit(INV_ROOT_PI * std::f64::consts::SQRT_2, 0.0) / scaled;
    let lost = scaled.re.abs().lt(R::lit(INF)).and(scaled.im.abs().lt(R::lit(INF))).not();
    Complex::select(lost, Complex::lit(0.0, 0.0), ratio)
}

/// `z + inverse_mills(z)` without cancellation.
#[inline(always)]
pub fn mills_gap<R: Real>(w: Complex<R>) -> Complex<R> {
    let u = w.scale(R::lit(-FRAC_1_SQRT_2));
    let at = Complex::new(-u.im, u.re);
    let value = R::shared_complex::<c::Wofz, 1>([at]);
    let slope = R::shared_complex::<c::WofzDerivative, 2>([Complex::lit(1.0, 0.0), at]);
    let ratio = Complex::new(slope.im, -slope.re).scale(R::lit(FRAC_1_SQRT_2)) / value;
    Complex::select(w.re.gt(R::lit(0.0)), w + inverse_mills(w), ratio)
}
