//! The gamma function, its logarithm and the derivatives of that, of a complex argument.
//!
//! Stirling's series where `|z|` is large, steps up to it elsewhere, reflection left of the axis (D. E. G. Hare, "Computing the
//! principal branch of log-Gamma", J. Algorithms 25, 1997), and Taylor's series next to the zeros at 1 and 2.

use super::bodies as c;
use super::functions::log_abs_sum;
use super::{Complex, angle, cospi, exp, log, log1p, polynomial, sinpi};
use crate::dd::Dd;
use crate::elementary::exp_dd;
use crate::real::{Mask, Real, inlined};
use crate::shared as e;
use crate::special::coefficients as k;
use crate::special::{BERNOULLI, DIGAMMA_LOW_ROOT, DIGAMMA_LOW_STEPS, DIGAMMA_ROOT};
use std::f64::consts::{EULER_GAMMA, PI};

const INF: f64 = f64::INFINITY;
/// `log(2 pi) / 2 - 1/2`, and the rest of it in the sum.
const LOG_ROOT_2PI_HALF: f64 = 0.4189385332046727;
const LOG_PI: f64 = 1.1447298858494002;
/// Stirling's series serves from this magnitude on.
const FROM: f64 = 9.0;

/// Where Stirling's series needs no steps.
#[inline(always)]
fn is_far<R: Real>(w: Complex<R>) -> R::Mask {
    w.re.gt(R::lit(FROM)).or(w.im.abs().gt(R::lit(FROM)))
}

/// Where arguments are reflected.
#[inline(always)]
fn is_left<R: Real>(w: Complex<R>) -> R::Mask {
    w.re.lt(R::lit(0.0)).and(w.im.abs().le(R::lit(FROM)))
}

/// `(-1)^j (zeta(j) - 1) / j` from 2 on: `log gamma(2 + u) - (1 - EULER) u` over `u^2` (DLMF 5.7.3).
const ABOUT_2: [f64; 52] = [
    0.3224670334241132,
    -0.0673523010531981,
    0.020580808427784546,
    -0.007385551028673986,
    0.0028905103307415234,
    -0.001192753911703261,
    0.0005096695247430425,
    -0.00022315475845357939,
    9.945751278180853e-05,
    -4.492623673813314e-05,
    2.050721277567069e-05,
    -9.439488275268397e-06,
    4.374866789907488e-06,
    -2.039215753801366e-06,
    9.55141213040742e-07,
    -4.492469198764566e-07,
    2.1207184805554665e-07,
    -1.0043224823968099e-07,
    4.7698101693639804e-08,
    -2.2711094608943164e-08,
    1.0838659214896955e-08,
    -5.183475041970047e-09,
    2.4836745438024785e-09,
    -1.1921401405860912e-09,
    5.731367241678862e-10,
    -2.7595228851242334e-10,
    1.330476437424449e-10,
    -6.4229645638381e-11,
    3.1044247747322276e-11,
    -1.5021384080754142e-11,
    7.275974480239079e-12,
    -3.527742476575915e-12,
    1.711991790559618e-12,
    -8.315385841420285e-13,
    4.04220052528944e-13,
    -1.9664756310966165e-13,
    9.573630387838556e-14,
    -4.6640760264283744e-14,
    2.2737369600659724e-14,
    -1.1091399470834522e-14,
    5.413659156725363e-15,
    -2.643880017860995e-15,
    1.2918959062789966e-15,
    -6.315935504198448e-16,
    3.089316266963393e-16,
    -1.5117930628108198e-16,
    7.40148685695232e-17,
    -3.625218048120654e-17,
    1.7763568421861633e-17,
    -8.70763157479179e-18,
    4.270088559227004e-18,
    -2.0947604247944643e-18,
];

/// Stirling's series at `z + k` and the steps to there, in the upper half-plane.
struct Stirling<R> {
    /// `log gamma(z + k)`.
    re: Dd<R>,
    im: R,
    /// `z (z + 1) ... (z + k - 1)` and how often its angle has passed a branch.
    steps: Complex<R>,
    turns: R,
}

/// For `Re z >= 0` or far from the real line.
#[inline(always)]
fn stirling<R: Real>(w: Complex<R>) -> Stirling<R> {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let far = is_far(w);
    let y = w.im.abs();
    // The product of the steps; where it leaves the upper half-plane its logarithm has passed a branch.
    let [k, pr, pi, turns, _] = R::repeat(
        [zero, one, zero, zero, one],
        10,
        #[inline(always)]
        |[k, pr, pi, turns, up]| {
            let re = w.re + k;
            let go = re.lt(R::lit(FROM)).and(far.not());
            let next = Complex::new(pr, pi) * Complex::new(re, y);
            let now = R::select(next.im.lt(zero), zero, one);
            let crossed = up.gt(now).and(go);
            let p = Complex::select(go, next, Complex::new(pr, pi));
            let state =
                [R::select(go, k + one, k), p.re, p.im, R::select(crossed, turns + one, turns), R::select(go, now, up)];
            (state, go)
        },
    );
    let re = Dd::two_sum(w.re, k);
    let at = Complex::new(re.hi, y);
    let r = at.reciprocal();
    let huge = at.max_part().gt(R::lit(1e100));
    let inverse = Complex::select(huge, Complex::lit(0.0, 0.0), r);
    let tail = inverse * polynomial(inverse.square(), &k::STIRLING);
    // The logarithm moves with what rounding of z + k leaves by 1/z, which the factor z makes as large as the other change.
    let (l, turn) = (log_abs_sum(at), angle(at));
    let left = Dd::select(huge, Dd::new(re.hi, zero), re.plus(-half));
    let less = l.plus(-one);
    let main = less * left - Dd::two_prod(y, turn);
    let fine = main.plus(tail.re + re.lo + R::lit(1.6728209650585413e-17)).plus(R::lit(LOG_ROOT_2PI_HALF));
    let plain = less.hi * left.hi - y * turn;
    Stirling {
        re: Dd::select(huge, Dd::new(plain, zero), fine),
        im: y.fma(less.hi, left.hi * turn) + tail.im,
        steps: Complex::new(pr, pi),
        turns,
    }
}

/// `log gamma` for `Re z >= 0` or far from the real line.
#[inline(always)]
fn loggamma_right<R: Real>(w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let y = w.im.abs();
    let s = stirling(w);
    let moved = is_far(w).not();
    // about 2 or, by one step, about 1, whichever is nearer
    let lower = w.re.lt(R::lit(1.5));
    let u = Complex::new(w.re - R::select(lower, one, R::lit(2.0)), y);
    let near = (u.re * u.re + u.im * u.im).lt(R::lit(1.16));
    let lower = lower.and(near);
    let stepped = moved.and(near.not());
    let [re, im] = R::when(
        stepped,
        [s.re.value(), s.im],
        #[inline(always)]
        || {
            let steps = Complex::select(stepped, s.steps, Complex::lit(1.0, 0.0));
            let back = Dd::select(stepped, log_abs_sum(steps), Dd::lit(0.0, 0.0));
            [(s.re - back).value(), s.im - (angle(steps) + s.turns * R::lit(2.0 * PI))]
        },
    );
    let [re, im] = R::when(
        near,
        [re, im],
        #[inline(always)]
        || {
            let u = Complex::select(near, u, Complex::lit(0.0, 0.0));
            let sum = u * u * polynomial(u, &ABOUT_2) + u.scale(R::lit(0.42278433509846714));
            let about_1 = log1p(Complex::select(lower, u, Complex::lit(0.0, 0.0)));
            let step = Complex::select(w.re.lt(R::lit(0.5)), log(Complex::new(w.re, y)), about_1);
            let sum = Complex::select(lower, sum - step, sum);
            [R::select(near, sum.re, re), R::select(near, sum.im, im)]
        },
    );
    Complex::new(re, im.copysign(one) * R::select(im.lt(zero), -one, one) * R::select(w.im.lt(zero), -one, one))
}

/// The logarithm of the gamma function, continued from the positive axis, cut along the negative one; NaN at the poles.
#[inline(always)]
pub fn loggamma<R: Real>(w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    // In the upper half-plane; a zero counts by its sign.
    let up = Complex::new(w.re, w.im.abs());
    let left = is_left(w);
    let at = Complex::select(left, Complex::new(R::lit(1.0) - up.re, -up.im), up);
    let right = loggamma_right(at);
    let [re, im] = R::when(
        left,
        [right.re, right.im],
        #[inline(always)]
        || {
            let turns = (w.re * R::lit(0.5) + R::lit(0.25)).floor() * R::lit(2.0 * PI);
            let wave = log(sinpi(up));
            [R::lit(LOG_PI) - wave.re - right.re, turns - wave.im - right.im]
        },
    );
    let out = Complex::new(re, im * R::lit(1.0).copysign(w.im));
    // Right of 0 on the real line the function is real; the zero keeps its sign.
    let on = w.im.eq(zero);
    let [line] = R::when(
        on,
        [out.re],
        #[inline(always)]
        || [e::gammaln(w.re)],
    );
    let out = Complex::new(R::select(on, line, out.re), R::select(on.and(w.re.gt(zero)), w.im, out.im));
    not_at_poles(w, out)
}

/// NaN where the gamma function has a pole.
#[inline(always)]
fn not_at_poles<R: Real>(w: Complex<R>, out: Complex<R>) -> Complex<R> {
    let pole = w.im.eq(R::lit(0.0)).and(w.re.le(R::lit(0.0))).and(w.re.floor().eq(w.re));
    Complex::select(pole, Complex::lit(f64::NAN, f64::NAN), out)
}

/// `f(x)` on the real line.
#[inline(always)]
fn on_line<R: Real>(w: Complex<R>, real: impl Fn(R) -> R, out: Complex<R>) -> Complex<R> {
    let on = w.im.eq(R::lit(0.0));
    let [re] = R::when(
        on,
        [out.re],
        #[inline(always)]
        || [real(w.re)],
    );
    Complex::new(R::select(on, re, out.re), R::select(on, w.im, out.im))
}

/// The gamma function of moderate arguments as a quotient, not by its logarithm, which is large beside its errors; and where.
#[inline(always)]
fn quotient<R: Real>(w: Complex<R>) -> ([Complex<R>; 2], R::Mask) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let left = is_left(w);
    let at = Complex::select(left, Complex::new(one - w.re, -w.im), w);
    let away = inlined(
        #[inline(always)]
        |x: f64| {
            let u = at.re - R::lit(x);
            (u * u + at.im * at.im).gt(R::lit(1.16))
        },
    );
    let direct = at.re.lt(R::lit(100.0)).and(at.im.abs().le(R::lit(FROM))).and(away(1.0)).and(away(2.0));
    let [tr, ti, br, bi] = R::when(
        direct,
        [one, zero, one, zero],
        #[inline(always)]
        || {
            let at = Complex::select(direct, at, Complex::lit(3.0, 0.0));
            let s = stirling(at);
            let front = exp_dd(-s.re);
            let below = s.steps * Complex::new(front * e::cos(s.im), -(front * e::sin(s.im)));
            let below = Complex::new(below.re, below.im * one.copysign(at.im));
            let mirror = left.and(direct);
            let wave = sinpi(Complex::select(mirror, w, Complex::lit(0.5, 0.0)));
            let top = Complex::select(mirror, below.scale(R::lit(PI)), Complex::lit(1.0, 0.0));
            let bottom = Complex::select(mirror, wave, below);
            [top.re, top.im, bottom.re, bottom.im]
        },
    );
    ([Complex::new(tr, ti), Complex::new(br, bi)], direct)
}

/// A quotient where it serves, elsewhere by the logarithm of the gamma function.
#[inline(always)]
fn or_by_logarithm<R: Real>(
    w: Complex<R>,
    sign: f64,
    (top, bottom): (Complex<R>, Complex<R>),
    direct: R::Mask,
) -> Complex<R> {
    let out = top / bottom;
    let [re, im] = R::when(
        direct.not(),
        [out.re, out.im],
        #[inline(always)]
        || {
            let out = exp(R::shared_complex::<c::Loggamma, 1>([w]).scale(R::lit(sign)));
            [out.re, out.im]
        },
    );
    Complex::select(direct, out, Complex::new(re, im))
}

/// Whether few terms of the power series of `1 / gamma(z)` are all (DLMF 5.7.1), and it over `z`; a logarithm would be large beside
/// its errors.
#[inline(always)]
fn next_to_origin<R: Real>(w: Complex<R>) -> (R::Mask, Complex<R>) {
    let tiny = w.max_part().lt(R::lit(1e-5));
    let at = Complex::select(tiny, w, Complex::lit(0.0, 0.0));
    let cubic = at.scale(R::lit(-0.0420026350340952));
    let square = at * Complex::new(cubic.re + R::lit(-0.6558780715202538), cubic.im);
    let sum = at * Complex::new(square.re + R::lit(EULER_GAMMA), square.im);
    (tiny, Complex::new(sum.re + R::lit(1.0), sum.im))
}

/// The gamma function.
#[inline(always)]
pub fn gamma<R: Real>(w: Complex<R>) -> Complex<R> {
    let ([top, bottom], direct) = quotient(w);
    let usual = or_by_logarithm(w, 1.0, (top, bottom), direct);
    let (tiny, factor) = next_to_origin(w);
    let at = Complex::select(tiny, w, Complex::lit(1.0, 0.0));
    let out = Complex::select(tiny, (at * factor).reciprocal(), usual);
    not_at_poles(w, on_line(w, e::gamma, out))
}

/// `1 / gamma(z)`.
#[inline(always)]
pub fn rgamma<R: Real>(w: Complex<R>) -> Complex<R> {
    let ([top, bottom], direct) = quotient(w);
    let usual = or_by_logarithm(w, -1.0, (bottom, top), direct);
    let (tiny, factor) = next_to_origin(w);
    on_line(w, e::rgamma, Complex::select(tiny, w * factor, usual))
}

/// The `n`-th derivative of digamma for `Re z >= 0` or far from the real line: the asymptotic series (DLMF 5.11.2) and steps.
#[inline(always)]
fn polygamma_right<R: Real>(n: R, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let far = is_far(w);
    // z^-(n + 1)
    let power = inlined(
        #[inline(always)]
        |r: Complex<R>| {
            let mut p = r;
            for j in 1..5 {
                p = Complex::select(R::lit(f64::from(j)).le(n), p * r, p);
            }
            p
        },
    );
    let start = Complex::select(far, Complex::lit(FROM + 1.0, 0.0), w);
    let [re, sr, si] = R::repeat(
        [start.re, zero, zero],
        10,
        #[inline(always)]
        |[re, sr, si]| {
            let go = re.lt(R::lit(FROM));
            let term = power(Complex::new(re, start.im).reciprocal());
            let sum = Complex::select(go, Complex::new(sr, si) + term, Complex::new(sr, si));
            ([R::select(go, re + one, re), sum.re, sum.im], go)
        },
    );
    let at = Complex::select(far, w, Complex::new(re, start.im));
    let r = at.reciprocal();
    let rr = r.square();
    // sum B(2j) / (2j)! (2j + n - 1)! z^-(2j), over n!
    let mut sum = Complex::lit(0.0, 0.0);
    for (j, &b) in BERNOULLI.iter().enumerate().rev() {
        let j = 2.0 * (j + 1) as f64;
        // (j + n - 1)! / ((j - 1)! n!) as a product, for n up to 4
        let mut choose = one;
        for i in 1..5 {
            let i = f64::from(i);
            let factor = (R::lit(j - 1.0 + i)) * R::lit(1.0 / i);
            choose = R::select(R::lit(i).le(n), choose * factor, choose);
        }
        sum = sum * rr;
        sum.re = sum.re + choose * R::lit(b / j);
    }
    let sum = sum * rr;
    // over n!, and times z^-n but for n = 0
    let tail = r.scale(R::lit(0.5)) + sum;
    let plain = n.eq(zero);
    let l = log(at) - tail;
    let mut p = Complex::lit(1.0, 0.0);
    for j in 1..5 {
        p = Complex::select(R::lit(f64::from(j)).le(n), p * r, p);
    }
    let whole = Complex::new(sum.re + one / R::select(plain, one, n), sum.im);
    let derived = p * (whole + r.scale(R::lit(0.5)));
    let steps = Complex::new(sr, si);
    let half = n * R::lit(0.5);
    let sign = R::select(half.floor().eq(half), R::lit(-1.0), one) * e::gamma(n + one);
    Complex::select(plain, l - steps, (derived + steps).scale(sign))
}

/// The `n`-th derivative of digamma, `n` from 0 to 4; NaN beyond.
#[inline(always)]
pub fn polygamma<R: Real>(n: Complex<R>, w: Complex<R>) -> Complex<R> {
    let one = R::lit(1.0);
    let n = n.re;
    let left = is_left(w);
    let right = polygamma_right(n, Complex::select(left, Complex::new(one - w.re, -w.im), w));
    let [re, im] = R::when(
        left,
        [right.re, right.im],
        #[inline(always)]
        || {
            // (-1)^n psi_n(1 - z) - pi d^n cot(pi z), with cot' = -(1 + cot^2)
            let sine = sinpi(w);
            let cot = cospi(w) / sine;
            let square = sine.reciprocal().square();
            let cc = cot.square();
            let with = |a: f64, b: f64| Complex::new(cc.re.fma(R::lit(b), R::lit(a)), cc.im * R::lit(b));
            let slopes = [
                -square,
                (cot * square).scale(R::lit(2.0)),
                -(square * with(2.0, 6.0)),
                cot * square * with(16.0, 24.0),
            ];
            let mut d = cot;
            let mut scale = R::lit(PI);
            for (j, &slope) in slopes.iter().enumerate() {
                let reached = n.ge(R::lit((j + 1) as f64));
                d = Complex::select(reached, slope, d);
                scale = R::select(reached, scale * R::lit(PI), scale);
            }
            let half = n * R::lit(0.5);
            let sign = R::select(half.floor().eq(half), one, -one);
            [sign * right.re - scale * d.re, sign * right.im - scale * d.im]
        },
    );
    let known = n.ge(R::lit(0.0)).and(n.le(R::lit(4.0))).and(n.floor().eq(n));
    let out = Complex::select(known, Complex::new(re, im), Complex::lit(f64::NAN, f64::NAN));
    on_line(w, |x| e::polygamma(n, x), out)
}

/// The logarithmic derivative of the gamma function.
#[inline(always)]
pub fn digamma<R: Real>(w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let out = R::shared_complex::<c::Polygamma, 2>([Complex::lit(0.0, 0.0), w]);
    // Next to the roots on both sides of 0 it is a multiple of the distance, of which a sum would leave its roundings.
    let upper = w.re.gt(zero);
    let (high, low) = (DIGAMMA_ROOT, DIGAMMA_LOW_ROOT);
    let away = w.re - R::select(upper, R::lit(high.0), R::lit(low.0));
    let t = Complex::new(away - R::select(upper, R::lit(high.1), R::lit(low.1)), w.im);
    let beside = (t.re * t.re + t.im * t.im).lt(R::lit(0.0625));
    let [re, im] = R::when(
        beside,
        [out.re, out.im],
        #[inline(always)]
        || {
            let [first, second] = DIGAMMA_LOW_STEPS;
            let next = Complex::new(w.re + R::lit(1.0), w.im);
            let steps = w.reciprocal().scale(R::lit(first)) + next.reciprocal().scale(R::lit(second));
            let below = polynomial(t, &k::DIGAMMA_ABOVE_ROOT) + steps;
            let factor = Complex::select(upper, polynomial(t, &k::DIGAMMA_ABOUT_ROOT), below);
            let out = t * factor;
            [out.re, out.im]
        },
    );
    let out = Complex::new(re, im);
    let pole = w.im.eq(R::lit(0.0)).and(w.re.eq(R::lit(INF)));
    not_at_poles(w, Complex::select(pole, w, out))
}

/// A derivative of `1 / gamma(z)`, which is 0 at no pole of gamma: by reflection left of 1/2 (DLMF 5.5.3).
#[inline(always)]
fn rgamma_slope<R: Real, const SECOND: bool>(w: Complex<R>) -> Complex<R> {
    let left = w.re.lt(R::lit(0.5));
    let y = Complex::select(left, Complex::new(R::lit(1.0) - w.re, -w.im), w);
    let psi = R::shared_complex::<c::Polygamma, 2>([Complex::lit(0.0, 0.0), y]);
    let bend =
        if SECOND { R::shared_complex::<c::Polygamma, 2>([Complex::lit(1.0, 0.0), y]) } else { Complex::lit(0.0, 0.0) };
    let factor = if SECOND { psi * psi - bend } else { -psi };
    let value = R::shared_complex::<c::Rgamma, 1>([y]);
    let right = value * factor;
    let [re, im] = R::when(
        left,
        [right.re, right.im],
        #[inline(always)]
        || {
            let (s, k) = (sinpi(w).scale(R::lit(1.0 / PI)), cospi(w));
            let waves = if SECOND {
                let square = psi * psi + bend;
                s * Complex::new(square.re - R::lit(PI * PI), square.im) - (k * psi).scale(R::lit(2.0))
            } else {
                k - s * psi
            };
            let out = R::shared_complex::<c::Gamma, 1>([y]) * waves;
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
}

/// The derivative of [`rgamma`].
#[inline(always)]
pub fn rgamma_dx<R: Real>(w: Complex<R>) -> Complex<R> {
    rgamma_slope::<R, false>(w)
}

/// The second derivative of [`rgamma`].
#[inline(always)]
pub fn rgamma_dxx<R: Real>(w: Complex<R>) -> Complex<R> {
    rgamma_slope::<R, true>(w)
}
