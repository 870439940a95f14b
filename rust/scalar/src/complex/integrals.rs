//! Exponential, sine and cosine integrals, Spence's function and Lambert's function of a complex argument.

use super::bodies as c;
use super::{Complex, abs, exp, log, log1p, polynomial, sqrt};
use crate::dd::Dd;
use crate::real::{Mask, Real, inlined};
use crate::shared as e;
use std::f64::consts::{EULER_GAMMA, PI};

const INF: f64 = f64::INFINITY;
/// `e` in two parts.
const E: (f64, f64) = (std::f64::consts::E, 1.4456468917292502e-16);

/// `E1(z)`, principal value: the power series next to the negative axis, the continued fraction elsewhere (DLMF 6.6.2, 6.9.1),
/// far out the asymptotic series (DLMF 6.12.1).
#[inline(always)]
pub fn exp1<R: Real>(w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let size = abs(w);
    let far = size.gt(R::lit(50.0));
    // Its terms cancel by the factor e^(|z| + Re z).
    let near = size.lt(R::lit(1.0)).or((size + w.re).lt(R::lit(1.5))).and(far.not());
    let inside = Complex::select(near, w, Complex::lit(1.0, 0.0));
    let [_, _, _, re, im] = R::repeat(
        [one, inside.re, inside.im, inside.re, inside.im],
        250,
        #[inline(always)]
        |[k, tr, ti, sr, si]| {
            let next = k + one;
            let term = -(Complex::new(tr, ti) * inside).scale(one / next);
            let part = term.scale(one / next);
            let sum = Complex::new(sr, si) + part;
            let tiny = R::lit(f64::EPSILON / 8.0);
            ([next, term.re, term.im, sum.re, sum.im], part.max_part().gt(sum.max_part() * tiny))
        },
    );
    let l = log(inside);
    let series = Complex::new(re - (l.re + R::lit(EULER_GAMMA)), im - l.im);
    // e^-z / (z + 1 - 1/(z + 3 - 4/(z + 5 - ...))), from the term that the size and angle ask for
    let middle = near.or(far).not();
    let at = Complex::select(middle, w, Complex::lit(60.0, 0.0));
    let root = ((abs(at) + at.re) * R::lit(0.5)).max(R::lit(0.7));
    let count = (R::lit(92.0) / root).ceil() + R::lit(4.0);
    let count = R::select(middle, count, zero);
    let [_, re, im] = R::repeat(
        [count, zero, zero],
        140,
        #[inline(always)]
        |[k, re, im]| {
            let (x, y) = (at.re + k + k + one - re, at.im - im);
            // Far from the ends of the range
            let inverse = k * k / y.fma(y, x * x);
            let go = k.gt(zero);
            ([k - one, R::select(go, x * inverse, re), R::select(go, -(y * inverse), im)], k.gt(one))
        },
    );
    let fraction = Complex::new(at.re + one - re, at.im - im).reciprocal();
    let out = exp(-at) * fraction;
    let [re, im] = R::when(
        far,
        [out.re, out.im],
        #[inline(always)]
        || {
            let at = Complex::select(far, w, Complex::lit(60.0, 0.0));
            let r = at.reciprocal();
            let [_, _, _, re, im] = R::repeat(
                [zero, r.re, r.im, r.re, r.im],
                60,
                #[inline(always)]
                |[k, tr, ti, sr, si]| {
                    let term = -(Complex::new(tr, ti) * r).scale(k + one);
                    let sum = Complex::new(sr, si) + term;
                    let tiny = R::lit(f64::EPSILON / 8.0);
                    ([k + one, term.re, term.im, sum.re, sum.im], term.max_part().gt(sum.max_part() * tiny))
                },
            );
            let power = exp(-at);
            let out = power * Complex::new(re, im);
            let none = power.re.eq(zero).and(power.im.eq(zero));
            let out = Complex::select(none, Complex::lit(0.0, 0.0), out);
            // On the cut the series has the half of the jump only.
            let cut = at.im.eq(zero).and(at.re.lt(zero));
            [out.re, R::select(cut, R::lit(-PI).copysign(at.im), out.im)]
        },
    );
    let out = Complex::select(far, Complex::new(re, im), out);
    let out = Complex::select(near, series, out);
    let on = w.im.eq(zero);
    let right = on.and(w.re.gt(zero));
    let [line] = R::when(
        on,
        [out.re],
        #[inline(always)]
        || [R::select(right, e::exp1(w.re.abs()), -e::expi(w.re.abs()))],
    );
    let out = Complex::new(R::select(on, line, out.re), R::select(right, -w.im, out.im));
    let out = Complex::select(on.and(w.re.eq(zero)), Complex::new(R::lit(INF), -w.im), out);
    let lost = w.re.is_nan().or(w.im.is_nan());
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

/// `Ei(z)`, principal value (DLMF 6.2.5 continued).
#[inline(always)]
pub fn expi<R: Real>(w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let out = -R::shared_complex::<c::Exp1, 1>([-w]);
    let turn = R::lit(PI).copysign(w.im);
    let on = w.im.eq(zero);
    let im = R::select(on.and(w.re.lt(zero)), zero, turn);
    let line = on.and(w.re.gt(zero));
    let out = Complex::new(out.re, R::select(line, w.im, out.im + im));
    Complex::select(on.and(w.re.eq(zero)), Complex::new(R::lit(-INF), w.im), out)
}

/// `(E1(iz), E1(-iz))` for the integrals of `Re z >= 0`, and both over `z` with series in place near 0.
#[inline(always)]
fn sici<R: Real>(w: Complex<R>) -> (Complex<R>, Complex<R>) {
    let (zero, half) = (R::lit(0.0), R::lit(0.5));
    let left = w.re.lt(zero);
    let up = Complex::select(left, -w, w);
    let (a, b) = (Complex::new(-up.im, up.re), Complex::new(up.im, -up.re));
    let plus = R::shared_complex::<c::Exp1, 1>([a]);
    let minus = R::shared_complex::<c::Exp1, 1>([b]);
    let d = (plus - minus).scale(half);
    let s = (plus + minus).scale(half);
    // Si = pi/2 + (E1(iz) - E1(-iz)) / 2i, Ci = -(E1(iz) + E1(-iz)) / 2
    let si = Complex::new(d.im + R::lit(PI / 2.0), -d.re);
    // On the imaginary axis one of the two lies on its cut.
    let upright = up.re.eq(zero);
    let si = Complex::new(R::select(upright, zero, si.re), si.im);
    let ci = Complex::new(-s.re, R::select(upright, R::lit(PI / 2.0).copysign(up.im), -s.im));
    let near = w.max_part().lt(R::lit(2.0));
    let inside = Complex::select(near, up, Complex::lit(1.0, 0.0));
    let square = inside.square();
    let (mut sp, mut cp) = (Complex::lit(1.0, 0.0), Complex::lit(1.0, 0.0));
    for k in (1..15).rev() {
        let k = k as f64;
        sp = (sp * square).scale(R::lit(-(2.0 * k - 1.0) / (2.0 * k * (2.0 * k + 1.0) * (2.0 * k + 1.0))));
        sp.re = sp.re + R::lit(1.0);
        let next = k + 1.0;
        cp = (cp * square).scale(R::lit(-2.0 * k / (2.0 * next * 2.0 * next * (2.0 * next - 1.0))));
        cp.re = cp.re + R::lit(1.0);
    }
    let l = log(inside);
    let series = (cp * square).scale(R::lit(-0.25));
    let si = Complex::select(near, sp * inside, si);
    let ci = Complex::select(near, Complex::new(series.re + (l.re + R::lit(EULER_GAMMA)), series.im + l.im), ci);
    let si = Complex::select(left, -si, si);
    let turn = R::select(left, R::lit(PI).copysign(w.im), zero);
    let ci = Complex::new(ci.re, ci.im + turn);
    (si, ci)
}

/// The sine integral.
#[inline(always)]
pub fn sici_si<R: Real>(w: Complex<R>) -> Complex<R> {
    let (si, _) = sici(w);
    let on = w.im.eq(R::lit(0.0));
    Complex::new(R::select(on, e::sici_si(w.re), si.re), R::select(on, w.im, si.im))
}

/// The cosine integral, cut along the negative axis.
#[inline(always)]
pub fn sici_ci<R: Real>(w: Complex<R>) -> Complex<R> {
    let (_, ci) = sici(w);
    let zero = R::lit(0.0);
    let on = w.im.eq(zero);
    let im = R::select(w.re.ge(zero), w.im, R::lit(PI).copysign(w.im));
    Complex::new(R::select(on, e::sici_ci(w.re), ci.re), R::select(on, im, ci.im))
}

/// The hyperbolic sine integral `-i Si(iz)`.
#[inline(always)]
pub fn shichi_shi<R: Real>(w: Complex<R>) -> Complex<R> {
    let out = R::shared_complex::<c::SiciSi, 1>([Complex::new(-w.im, w.re)]);
    let on = w.im.eq(R::lit(0.0));
    Complex::new(R::select(on, e::shichi_shi(w.re), out.im), R::select(on, w.im, -out.re))
}

/// The hyperbolic cosine integral `Ci(iz) + log z - log iz`, cut along the negative axis.
#[inline(always)]
pub fn shichi_chi<R: Real>(w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let out = R::shared_complex::<c::SiciCi, 1>([Complex::new(-w.im, w.re)]);
    // The angle of iz leaves (-pi, pi] in the second quadrant.
    let second = crate::elementary::is_negative(w.re).and(crate::elementary::is_negative(w.im).not());
    let im = out.im + R::select(second, R::lit(1.5 * PI), R::lit(-0.5 * PI));
    let on = w.im.eq(zero);
    let line = R::select(w.re.ge(zero), w.im, R::lit(PI).copysign(w.im));
    Complex::new(R::select(on, e::shichi_chi(w.re), out.re), R::select(on, line, im))
}

/// `B(2k) / (2k + 1)!`
const DEBYE: [f64; 14] = [
    0.027777777777777776,
    -0.0002777777777777778,
    4.72411186696901e-06,
    -9.185773074661964e-08,
    1.8978869988971e-09,
    -4.0647616451442256e-11,
    8.921691020456452e-13,
    -1.9939295860721074e-14,
    4.518980029619918e-16,
    -1.0356517612181247e-17,
    2.395218621026187e-19,
    -5.581785874325009e-21,
    1.3091507554183213e-22,
    -3.0874198024267403e-24,
];

/// Spence's function `Li2(1 - z)`: inversion and reflection into the disc about 1, then Debye's series in `log z` (DLMF 25.12).
#[inline(always)]
pub fn spence<R: Real>(w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = |v: Complex<R>| v.max_part().gt(one).or((v.re * v.re + v.im * v.im).gt(one));
    let origin = w.re.eq(zero).and(w.im.eq(zero));
    let w0 = Complex::select(origin, Complex::lit(1.0, 0.0), w);
    // spence(z) = -spence(1/z) - log(z)^2 / 2
    let outside = unit(w0);
    let inner = Complex::select(outside, w0.reciprocal(), w0);
    let inner_log = log(w0);
    let inner_log = Complex::select(outside, -inner_log, inner_log);
    // spence(z) = pi^2/6 - log(z) log(1 - z) - spence(1 - z), and that inverted where it is outside
    let reflected = inner.re.lt(R::lit(0.3));
    let other_log = log1p(Complex::select(reflected, -inner, Complex::lit(0.0, 0.0)));
    let other_outside = other_log.re.gt(zero).and(reflected);
    let u = Complex::select(reflected, other_log, inner_log);
    let u = Complex::select(other_outside, u, -u);
    // Li2(1 - e^-u) = u - u^2/4 + sum B(2k) u^(2k+1) / (2k+1)!
    let square = u.square();
    let mut sum = Complex::lit(0.0, 0.0);
    for &b in DEBYE.iter().rev() {
        sum.re = sum.re + R::lit(b);
        sum = sum * square;
    }
    let core = u + (u * sum - square.scale(R::lit(0.25)));
    let core = Complex::select(other_outside, -core - square.scale(R::lit(0.5)), core);
    let base = Complex::new(R::lit(PI * PI / 6.0) - core.re, -core.im);
    let base = Complex::select(reflected, base, core);
    let base = Complex::select(outside, -base, base);
    let other = Complex::select(outside, -other_log, other_log);
    let half = Complex::select(outside, inner_log.scale(R::lit(0.5)), Complex::lit(0.0, 0.0));
    // Parts that partly cancel
    let Complex { re: x, im: y } = -inner_log;
    let product = inlined(
        #[inline(always)]
        |a: R, b: R, c: R, d: R| Dd::two_prod(a, b) + Dd::two_prod(c, d),
    );
    let re = product(x, other.re, -y, other.im) + product(x, half.re, -y, half.im);
    let im = product(x, other.im, y, other.re) + product(x, half.im, y, half.re);
    let out = Complex::new(re.plus(base.re).value(), im.plus(base.im).value());
    Complex::select(origin, Complex::lit(PI * PI / 6.0, 0.0), out)
}

/// The derivative `log(z) / (1 - z)` of Spence's function.
#[inline(always)]
pub fn spence_dx<R: Real>(w: Complex<R>) -> Complex<R> {
    let rest = Complex::new(R::lit(1.0) - w.re, -w.im);
    let one = rest.re.eq(R::lit(0.0)).and(rest.im.eq(R::lit(0.0)));
    Complex::select(one, Complex::lit(-1.0, 0.0), log(w) / rest)
}

/// The second derivative of Spence's function; next to 1 by `sum (1 - 1/k) (1 - z)^(k - 2)`.
#[inline(always)]
pub fn spence_dxx<R: Real>(w: Complex<R>) -> Complex<R> {
    let rest = Complex::new(R::lit(1.0) - w.re, -w.im);
    let near = rest.max_part().lt(R::lit(0.25));
    let t = Complex::select(near, rest, Complex::lit(0.0, 0.0));
    let mut sum = Complex::lit(0.0, 0.0);
    for k in (2..40).rev() {
        sum = sum * t;
        sum.re = sum.re + R::lit(1.0 - 1.0 / f64::from(k));
    }
    let other = Complex::select(near, Complex::lit(2.0, 0.0), rest);
    let far = (rest / w + log(w)) / other.square();
    Complex::select(near, sum, far)
}

/// Coefficients of `W` in `p = sqrt(2 (e z + 1))` from `p^3` on (R. M. Corless et al., 1996, 4.22).
const BRANCH: [f64; 28] = [
    0.1527777777777778,
    -0.07962962962962963,
    0.044502314814814814,
    -0.02598471487360376,
    0.01563563253233392,
    -0.009616892024299432,
    0.006014543252956118,
    -0.0038112980348919993,
    0.0024408779911439826,
    -0.0015769303446867841,
    0.0010262633205076071,
    -0.0006720616311561362,
    0.0004424730618146209,
    -0.00029267722472962746,
    0.00019438727605453933,
    -0.00012957426685274883,
    8.665035805208128e-05,
    -5.811360750441382e-05,
    3.907668486743905e-05,
    -2.63380647472311e-05,
    1.7790345805079586e-05,
    -1.2040352739559977e-05,
    8.163531982496613e-06,
    -5.544203208567359e-06,
    3.7710949611072535e-06,
    -2.5687050390550955e-06,
    1.7520067268263412e-06,
    -1.1964453089157258e-06,
];

/// Branch `k` of Lambert's function: the solution of `w e^w = z` by Halley's method, next to the branch point by its series.
#[inline(always)]
pub fn lambertw<R: Real>(k: Complex<R>, w: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let k = k.re;
    // The cut belongs to the upper half-plane, also for -0.
    let w = Complex::new(w.re, w.im + zero);
    let main = k.eq(zero);
    // The branches -1 and 1 meet the point -1/e from above and from below.
    let below = crate::elementary::is_negative(w.im);
    let side = k.eq(-one).and(below.not()).or(k.eq(one).and(below));
    let (hi, lo) = (Dd::lit(E.0, E.1).times(w.re).plus(one), Dd::lit(E.0, E.1).times(w.im));
    let distance = Complex::new(hi.value(), lo.value());
    let p = sqrt(distance.scale(R::lit(2.0)));
    let close = p.max_part().lt(R::lit(0.3)).and(main.or(side));
    let p = Complex::select(main, p, -p);
    let q = p * p;
    let series = p + (q * p * polynomial(p, &BRANCH) - q.scale(R::lit(1.0 / 3.0)));
    let series = Complex::new(series.re - one, series.im);
    // Starts: the same series in few terms, log z - log log z, or a quotient about 0
    let l = log(w);
    let l = Complex::new(l.re, l.im + k * R::lit(2.0 * PI));
    let ll = log(l);
    let large = l - ll + ll / l;
    let few = p - q.scale(R::lit(1.0 / 3.0)) + (q * p).scale(R::lit(11.0 / 72.0));
    let few = Complex::new(few.re - one, few.im);
    let by_series = p.max_part().lt(R::lit(1.4)).and(main.or(side));
    let log1 = log1p(w);
    let small = main.and(w.re.gt(R::lit(-0.3))).and(w.max_part().lt(R::lit(3.0)));
    let padding = Complex::new(log1.re + R::lit(2.0), log1.im);
    let middle = log1 - log1 * log1p(log1) / padding;
    let start = Complex::select(by_series, few, Complex::select(small, middle, large));
    let huge = w.max_part().eq(R::lit(INF));
    let go = close.or(huge).not().and(w.re.ne(zero).or(w.im.ne(zero)));
    let start = Complex::select(go, start, Complex::lit(1.0, 0.0));
    let at = Complex::select(go, w, Complex::lit(E.0, 0.0));
    let at_log = log(at);
    let [re, im, _] = R::repeat(
        [start.re, start.im, one],
        40,
        #[inline(always)]
        |[re, im, last]| {
            let v = Complex::new(re, im);
            // f / e^w = w - z e^-w
            let power = at * exp(-v);
            let [pr, pi] = R::when(
                v.re.lt(R::lit(-500.0)),
                [power.re, power.im],
                #[inline(always)]
                || {
                    let out = exp(at_log - v);
                    [out.re, out.im]
                },
            );
            let f = v - Complex::new(pr, pi);
            let up = Complex::new(v.re + one, v.im);
            let bend = Complex::new(v.re + R::lit(2.0), v.im) * f / up.scale(R::lit(2.0));
            let step = f / (up - bend);
            let size = step.max_part();
            let v = v - step;
            let scale = v.max_part();
            let more = size.gt(scale * R::lit(1e-9)).and(size.lt(last).or(last.ge(scale * R::lit(1e-3))));
            ([v.re, v.im, size], more)
        },
    );
    // Next to the branch point the rounding of the residual counts, which in `u = W + 1` is `e z + 1 - sum (k - 1) / k! u^k`.
    let near = go.and(Complex::new(re + one, im).max_part().lt(R::lit(0.6)));
    let [re, im] = R::when(
        near,
        [re, im],
        #[inline(always)]
        || {
            let u = Complex::select(near, Complex::new(re + one, im), Complex::lit(1.0, 0.0));
            let mut coefs = [0.0; 29];
            let mut factorial = 1.0;
            for k in 2..31 {
                factorial *= k as f64;
                coefs[k - 2] = (k - 1) as f64 / factorial;
            }
            let u = u - (u.square() * polynomial(u, &coefs) - distance) / (u * exp(u));
            [u.re - one, u.im]
        },
    );
    let out = Complex::select(close, series, Complex::new(re, im));
    let none = w.re.eq(zero).and(w.im.eq(zero));
    let at_zero = Complex::select(main, w, Complex::lit(-INF, 0.0));
    let out = Complex::select(none, at_zero, out);
    // log z + 2 pi i k at infinity
    let ends = Complex::new(R::lit(INF), l.im);
    let out = Complex::select(huge, ends, out);
    let lost = w.re.is_nan().or(w.im.is_nan());
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

/// Wright's omega function, the solution of `w + log w = z` that is cut along `Im z = +-pi`, `Re z <= -1`, by the iteration of P. W.
/// Lawrence, R. M. Corless and D. J. Jeffrey ("Algorithm 917", ACM TOMS 38, 2012).
#[inline(always)]
pub fn wrightomega<R: Real>(at: Complex<R>) -> Complex<R> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let up = Complex::new(at.re, at.im.abs());
    // The double next to pi lies below it.
    let inside = up.im.le(R::lit(PI));
    let low = inside.and(at.re.lt(R::lit(-40.0)));
    let huge = up.max_part().gt(R::lit(1e17)).and(low.not());
    let go = low.or(huge).not();
    let x = Complex::select(go, up, Complex::lit(1.0, 0.0));
    // Starts: the series at the branch point, log(1 + e^z) and its logarithm, or z - log z
    let d = Complex::new(x.re + one, (x.im - R::lit(PI)) - R::lit(1.2246467991473532e-16));
    let near = d.max_part().lt(R::lit(1.5));
    let root = sqrt(d.scale(two));
    let q = Complex::new(-root.im, root.re);
    let series = q - q.square().scale(R::lit(1.0 / 3.0)) + (q.square() * q).scale(R::lit(1.0 / 36.0));
    let series = Complex::new(series.re - one, series.im);
    let small = inside.and(x.re.lt(two));
    let l = log1p(exp(Complex::select(small, x, Complex::lit(0.0, 0.0))));
    let middle = l - l * log1p(l) / Complex::new(l.re + two, l.im);
    let lx = log(x);
    let large = x - lx + lx / x;
    let start = Complex::select(near, series, Complex::select(small, middle, large));
    let [re, im] = R::repeat(
        [start.re, start.im],
        4,
        #[inline(always)]
        |[re, im]| {
            let w = Complex::new(re, im);
            let l = log(w);
            let r = (x - w) - l;
            // The logarithm may have taken the other side of its cut.
            let r = Complex::new(r.re, r.im - (r.im * R::lit(0.5 / PI)).round() * R::lit(2.0 * PI));
            let v = Complex::new(re + one, im);
            let t = (v * (v + r.scale(R::lit(2.0 / 3.0)))).scale(two);
            let step = r / v * ((t - r) / (t - r.scale(two)));
            let none = v.re.eq(zero).and(v.im.eq(zero)).or(r.re.eq(zero).and(r.im.eq(zero)));
            let step = Complex::select(none, Complex::lit(0.0, 0.0), step);
            let next = w + w * step;
            ([next.re, next.im], step.max_part().gt(R::lit(1e-5)))
        },
    );
    let out = Complex::select(go, Complex::new(re, im), Complex::select(low, exp(up), up));
    let line = at.im.eq(zero);
    let [re, im] = R::when(
        line,
        [out.re, out.im],
        #[inline(always)]
        || [e::wrightomega(at.re), zero],
    );
    let out = Complex::new(re, im.copysign(at.im));
    let lost = at.re.is_nan().or(at.im.is_nan());
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}
