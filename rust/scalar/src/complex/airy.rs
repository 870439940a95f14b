//! Airy functions and spherical Bessel functions of a complex argument, from Bessel functions (DLMF 9.6, 10.47) and, where these
//! would cancel or leave the range, from power series.

use super::bessel::{Powers, ROOT_HALF_PI, decay, k_slope, raised, side, sized, slope_sum, wave_slope_sum};
use super::bodies as c;
use super::dual::ComplexDual;
use super::{Complex, abs, exp, sqrt};
use crate::dd::Dd;
use crate::elementary::clamp;
use crate::real::{Mask, Real, each, inlined};
use crate::shared as e;
use crate::special::bessel_order::HIGHEST;
use crate::special::dual::Dual;
use std::f64::consts::{FRAC_1_PI, PI};

const ROOT_3: f64 = 1.7320508075688772;
const THIRD: f64 = 1.0 / 3.0;
/// Ai(0), -Ai'(0).
const AI_0: f64 = 0.355_028_053_887_817_2;
const AI_1: f64 = 0.258_819_403_792_806_8;
/// What is missing in them.
const AI_0_LOW: f64 = 2.05233632436212e-17;
const AI_1_LOW: f64 = -2.522243111610832e-17;
/// `1 / (2 sqrt(pi))`
const HALF_RSQRT_PI: f64 = 0.28209479177387814;
/// Orders of spherical functions above this are NaN.
const MAX_DEGREE: f64 = 999.0;

/// Which of the four functions a body computes.
const AI: u32 = 0;
const AI_SLOPE: u32 = 1;
const BI: u32 = 2;
const BI_SLOPE: u32 = 3;

/// `sum_k x^3k / (first ratios)`, by Horner's rule from the ratios of successive terms.
#[inline(always)]
fn sum<R: Real>(cube: Complex<R>, first: u32, ratio: fn(f64) -> f64) -> Complex<R> {
    let mut s = Complex::lit(0.0, 0.0);
    for k in (first..11).rev() {
        s.re = s.re + R::lit(1.0);
        s = (s * cube).scale(R::lit(1.0 / ratio(f64::from(3 * k))));
    }
    s.re = s.re + R::lit(1.0);
    s
}

/// The power series (DLMF 9.4) for `|x| < 1`.
#[inline(always)]
fn series<R: Real, const WHICH: u32>(x: Complex<R>) -> Complex<R> {
    let cube = x.square() * x;
    let (f, g) = if WHICH % 2 == 1 {
        let f = x.square() * sum(cube, 2, |k| (k - 1.0) * (k - 3.0));
        (f.scale(R::lit(0.5)), sum(cube, 1, |k| (k - 2.0) * k))
    } else {
        (sum(cube, 1, |k| (k - 1.0) * k), x * sum(cube, 1, |k| k * (k + 1.0)))
    };
    let (f, g) = (f.scale(R::lit(AI_0)), g.scale(R::lit(AI_1)));
    if WHICH >= BI { (f + g).scale(R::lit(ROOT_3)) } else { f - g }
}

/// `2/3 z^(3/2)`.
#[inline(always)]
fn exponent<R: Real>(at: Complex<R>) -> Complex<R> {
    (at * sqrt(at)).scale(R::lit(2.0 * THIRD))
}

/// Numbers from here on, whose power 3/2 may leave the range, are scaled by 2^-400.
const HUGE: f64 = 1e198;
/// 2^k
const fn power_of_2(k: i32) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}

/// A number in the range of [`exponent`], and where it is scaled.
#[inline(always)]
fn in_range<R: Real>(at: Complex<R>) -> (Complex<R>, R::Mask) {
    let size = at.max_part();
    let huge = size.gt(R::lit(HUGE)).and(size.lt(R::lit(f64::INFINITY)));
    (Complex::select(huge, at.scale(R::lit(power_of_2(-400))), at), huge)
}

/// Ai or Ai' times `e^zeta`, Bi or Bi' times `e^-(s zeta)`, `zeta = 2/3 z^(3/2)` and `s` the sign of its real part, and the function
/// itself; `right` is where `s` is positive.
#[inline(always)]
fn airy<R: Real, const WHICH: u32>(at: Complex<R>, right: R::Mask) -> (Complex<R>, Complex<R>) {
    let zero = R::lit(0.0);
    let slope = WHICH % 2 == 1;
    let second = WHICH >= BI;
    let lower = at.im.lt(zero);
    let (up, huge) = in_range(Complex::new(at.re, at.im.abs()));
    let zeta = exponent(up);
    let w = Complex::select(right, zeta, -zeta);
    let near = abs(up).lt(R::lit(1.0));
    let inside = series::<R, WHICH>(Complex::select(near, up, Complex::lit(0.0, 0.0)));
    let small = inside * exp(Complex::select(near, if second { -w } else { zeta }, Complex::lit(0.0, 0.0)));
    let [re, im] = R::when(
        near.not(),
        [small.re, small.im],
        #[inline(always)]
        || {
            let order = Complex::lit(if slope { 2.0 * THIRD } else { THIRD }, 0.0);
            let cosine = if slope { -0.5 } else { 0.5 };
            let both = if second { R::Mask::lit(true) } else { right.not() };
            let [re, im] = R::when(
                both,
                [zero; 2],
                #[inline(always)]
                || {
                    let i = R::shared_complex::<c::BesselI, 2>([order, w]);
                    [i.re, i.im]
                },
            );
            let i = Complex::new(re, im);
            let k = R::shared_complex::<c::BesselK, 2>([order, w]);
            let turned = Complex::lit(cosine, -ROOT_3 / 2.0) * (k * decay(w));
            let inner = if second {
                let part = R::lit(ROOT_3 * FRAC_1_PI);
                let straight = i.scale(R::lit(2.0)) + (k * decay(w)).scale(part);
                Complex::select(right, straight, i.scale(R::lit(2.0 * cosine)) + turned.scale(part))
            } else {
                Complex::select(right, k, turned + Complex::new(i.im * R::lit(PI), i.re * R::lit(-PI)))
            };
            let front = if slope { up } else { sqrt(up) };
            let factor = if second { 1.0 / ROOT_3 } else { FRAC_1_PI / ROOT_3 };
            let factor = if slope && !second { -factor } else { factor };
            let out = inner * front.scale(R::lit(factor));
            [out.re, out.im]
        },
    );
    // They go with the fourth root.
    let fourth = R::select(huge, R::lit(power_of_2(if slope { 100 } else { -100 })), R::lit(1.0));
    let scaled = Complex::select(near, small, Complex::new(re, im).scale(fourth));
    let power = if second { w } else { -zeta };
    // The phase of a huge one is lost, not whether it grows.
    let restored = inlined(
        #[inline(always)]
        |part: R| R::select(huge, clamp(part * R::lit(power_of_2(600)), -1e300, 1e300), part),
    );
    let power = Complex::new(restored(power.re), restored(power.im));
    let value = sized(ComplexDual::<R, 1>::constant(scaled), power, zero).value();
    let value = Complex::select(near, inside, value);
    // The line is served by the functions of a real argument.
    let line = at.im.eq(zero);
    let [re, im] = R::when(
        line,
        [value.re, value.im],
        #[inline(always)]
        || {
            let f = match WHICH {
                AI => e::airy_ai(at.re),
                AI_SLOPE => e::airy_aip(at.re),
                BI => e::airy_bi(at.re),
                _ => e::airy_bip(at.re),
            };
            [f, zero]
        },
    );
    let value = Complex::select(line, Complex::new(re, im), value);
    (Complex::select(lower, scaled.conj(), scaled), Complex::select(lower, value.conj(), value))
}

#[inline(always)]
fn whole<R: Real, const WHICH: u32>(at: Complex<R>) -> (Complex<R>, Complex<R>) {
    let zero = R::lit(0.0);
    let (up, _) = in_range(Complex::new(at.re, at.im.abs()));
    airy::<R, WHICH>(at, exponent(up).re.ge(zero).and(at.re.ge(zero)))
}

/// Ai.
#[inline(always)]
pub fn airy_ai<R: Real>(at: Complex<R>) -> Complex<R> {
    whole::<R, AI>(at).1
}

/// Ai'.
#[inline(always)]
pub fn airy_aip<R: Real>(at: Complex<R>) -> Complex<R> {
    whole::<R, AI_SLOPE>(at).1
}

/// Bi.
#[inline(always)]
pub fn airy_bi<R: Real>(at: Complex<R>) -> Complex<R> {
    whole::<R, BI>(at).1
}

/// Bi'.
#[inline(always)]
pub fn airy_bip<R: Real>(at: Complex<R>) -> Complex<R> {
    whole::<R, BI_SLOPE>(at).1
}

/// `e^zeta Ai`.
#[inline(always)]
pub fn airye_ai<R: Real>(at: Complex<R>) -> Complex<R> {
    whole::<R, AI>(at).0
}

/// `e^zeta Ai'`.
#[inline(always)]
pub fn airye_aip<R: Real>(at: Complex<R>) -> Complex<R> {
    whole::<R, AI_SLOPE>(at).0
}

/// `e^-(s zeta) Bi`.
#[inline(always)]
pub fn airy_bi_turned<R: Real>(s: Complex<R>, at: Complex<R>) -> Complex<R> {
    airy::<R, BI>(at, s.re.ge(R::lit(0.0))).0
}

/// `e^-(s zeta) Bi'`.
#[inline(always)]
pub fn airy_bip_turned<R: Real>(s: Complex<R>, at: Complex<R>) -> Complex<R> {
    airy::<R, BI_SLOPE>(at, s.re.ge(R::lit(0.0))).0
}

/// A function and its slope by the power series (DLMF 9.4) in wider arithmetic, for Ai or, over `sqrt(3)`, for Bi where `second`.
#[inline(always)]
fn wide_series<R: Real>(z: Complex<R>, second: R::Mask) -> [Complex<Dd<R>>; 2] {
    let (zero, one, three) = (R::lit(0.0), R::lit(1.0), R::lit(3.0));
    let single = inlined(
        #[inline(always)]
        |v: R| Dd::new(v, zero),
    );
    let z = Complex { re: single(z.re), im: single(z.im) };
    let cube = wide_product(wide_product(z, z), z);
    let sign = R::select(second, one, -one);
    let (f, g) = (Dd::lit(AI_0, AI_0_LOW), Dd::lit(AI_1, AI_1_LOW).times_pow2(sign));
    let g = Complex { re: z.re * g, im: z.im * g };
    // The terms of both series and the sums over `z^0` and `z`
    let start = [Complex { re: f, im: single(zero) }, g, Complex { re: g.re + f, im: g.im }, g];
    let take = inlined(
        #[inline(always)]
        |state: &[R; 17]| {
            each::<Complex<Dd<R>>, 4>(
                #[inline(always)]
                |i| Complex {
                    re: Dd::new(state[4 * i], state[4 * i + 1]),
                    im: Dd::new(state[4 * i + 2], state[4 * i + 3]),
                },
            )
        },
    );
    let put = inlined(
        #[inline(always)]
        |all: [Complex<Dd<R>>; 4], k: R| {
            each::<R, 17>(
                #[inline(always)]
                |i| {
                    if i == 16 {
                        return k;
                    }
                    let part = if i % 4 < 2 { all[i / 4].re } else { all[i / 4].im };
                    if i % 2 == 0 { part.hi } else { part.lo }
                },
            )
        },
    );
    let state = R::repeat(
        put(start, zero),
        60,
        #[inline(always)]
        |state| {
            let [f, g, sum, slopes] = take(&state);
            let k = state[16] + three;
            let next = inlined(
                #[inline(always)]
                |term: Complex<Dd<R>>, product: R| {
                    let (term, over) = (wide_product(term, cube), single(product));
                    Complex { re: term.re / over, im: term.im / over }
                },
            );
            let (f, g) = (next(f, k * (k - one)), next(g, k * (k + one)));
            let sum = Complex { re: sum.re + (f.re + g.re), im: sum.im + (f.im + g.im) };
            let slopes = Complex {
                re: slopes.re + (f.re.times(k) + g.re.times(k + one)),
                im: slopes.im + (f.im.times(k) + g.im.times(k + one)),
            };
            let size = f.re.hi.abs().max(f.im.hi.abs()).max(g.re.hi.abs()).max(g.im.hi.abs());
            (put([f, g, sum, slopes], k), size.gt(R::lit(1e-28)))
        },
    );
    let [_, _, value, slope] = take(&state);
    let norm = z.re * z.re + z.im * z.im;
    let slope = wide_product(slope, Complex { re: z.re, im: -z.im });
    [value, Complex { re: slope.re / norm, im: slope.im / norm }]
}

#[inline(always)]
fn wide_product<R: Real>(a: Complex<Dd<R>>, b: Complex<Dd<R>>) -> Complex<Dd<R>> {
    Complex { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re }
}

/// What is missing in a rounded square root of `z`.
#[inline(always)]
fn root_rest<R: Real>(z: Complex<R>, root: Complex<R>) -> Complex<R> {
    let re = (Dd::two_prod(root.im, root.im) - Dd::two_prod(root.re, root.re)).plus(z.re).value();
    let im = Dd::two_prod(root.re + root.re, -root.im).plus(z.im).value();
    Complex::new(re, im) / root.scale(R::lit(2.0))
}

/// The derivative `n > 0` of `e^(s zeta) Ai` or `e^(s zeta) Bi`, where `slope` of such a product with their slopes, for
/// `2 <= |z| < 10` on and above the real axis. The first derivative `g'` comes from the logarithmic slope of `K` where that is recessive
/// and else from sums in wider arithmetic, those after it from `g'' = 2 s sqrt(z) g' + s g / (2 sqrt(z))`, of products with the slope
/// from `s sqrt(z) g'`.
#[inline(always)]
fn airye_dx_inside<R: Real>(
    [second, slope, right]: [R::Mask; 3],
    s: R,
    n: R,
    z: Complex<R>,
    zeta: Complex<R>,
) -> Complex<R> {
    let one = R::lit(1.0);
    let small = right.and(second.not());
    let inverse = z.reciprocal();
    let root = sqrt(z);
    let start = R::when(
        small,
        [one; 4],
        #[inline(always)]
        || {
            let value = R::shared_complex::<c::AiryeAi, 1>([z]);
            let rate = k_slope(THIRD, Complex::select(small, zeta, Complex::lit(15.0, 0.0))).scale(R::lit(1.5));
            let slope = value * Complex::new(rate.re - R::lit(0.25), rate.im) * inverse;
            [value.re, value.im, slope.re, slope.im]
        },
    );
    let start = R::when(
        small.not(),
        start,
        #[inline(always)]
        || {
            let [f, up] = wide_series(Complex::select(small, Complex::lit(1.0, 0.0), z), second);
            let rest = root_rest(z, root);
            let root = Complex { re: Dd::two_sum(root.re, rest.re), im: Dd::two_sum(root.im, rest.im) };
            let both = wide_product(f, root);
            let slope =
                Complex { re: (up.re + both.re.times_pow2(s)).value(), im: (up.im + both.im.times_pow2(s)).value() };
            let front = exp(zeta.scale(s)).scale(R::select(second, R::lit(ROOT_3), one));
            let (value, slope) = (Complex::new(f.re.value(), f.im.value()) * front, slope * front);
            [value.re, value.im, slope.re, slope.im]
        },
    );
    // Derivatives of `s sqrt(z)`
    let mut rates = [root.scale(s); HIGHEST as usize];
    for k in 1..HIGHEST as usize {
        rates[k] = (rates[k - 1] * inverse).scale(R::lit(1.5 - k as f64));
    }
    let mut all = [Complex::new(start[0], start[1]); HIGHEST as usize + 1];
    all[1] = Complex::new(start[2], start[3]);
    // Of products by Leibniz's rule
    let product = inlined(
        #[inline(always)]
        |n: usize, a: &[Complex<R>], b: &[Complex<R>]| {
            let mut sum = Complex::lit(0.0, 0.0);
            let mut binomial = 1.0;
            for k in 0..n + 1 {
                sum = sum + (a[k] * b[n - k]).scale(R::lit(binomial));
                binomial = binomial * (n - k) as f64 / (k + 1) as f64;
            }
            sum
        },
    );
    for m in 0..HIGHEST as usize - 1 {
        all[m + 2] = product(m, &rates, &all[1..]).scale(R::lit(2.0)) + product(m, &rates[1..], &all);
    }
    let mut out = Complex::lit(f64::NAN, f64::NAN);
    for m in 1..HIGHEST as usize + 1 {
        let value = Complex::select(slope, product(m - 1, &rates, &all[1..]), all[m]);
        out = Complex::select(n.eq(R::lit(m as f64)), value, out);
    }
    out
}

/// The derivative `n > 0` of `e^zeta Ai`, `e^zeta Ai'` (`kind` = 0, 1), `e^-(s zeta) Bi` and `e^-(s zeta) Bi'` (`2 s`, `3 s`) for
/// `|z| >= 2`, from 10 on by their asymptotic series (DLMF 9.7), in which on the left both exponentials count.
#[inline(always)]
pub fn airye_dx<R: Real>(kind: Complex<R>, n: Complex<R>, at: Complex<R>) -> Complex<R> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let (kind, n) = (kind.re, n.re);
    let lower = at.im.lt(zero);
    let on = abs(at).ge(R::lit(10.0));
    let upper = Complex::new(at.re, at.im.abs());
    let up = Complex::select(on, upper, Complex::lit(100.0, 0.0));
    let zeta = exponent(up);
    let second = kind.abs().ge(two);
    let straight = kind.ge(two);
    let slope = kind.eq(one).or(kind.abs().eq(R::lit(3.0)));
    let sign = R::select(straight, -one, one);
    let flip = R::select(slope, -one, one);
    let v = Dual::<R, 1>::constant(R::select(slope, R::lit(2.0 * THIRD), R::lit(THIRD)));
    let of = Powers { n, first: flip * R::lit(-0.25), step: 1.5 };
    // What stands before both exponentials
    let turned = side(-zeta.im);
    let right = zeta.re.ge(zero).and(at.re.ge(zero));
    let one_sided = R::select(right, zero, (one + turned) * R::lit(0.5));
    let above = Complex::new(zero, flip);
    let (front, other) = (Complex::new(flip, zero), Complex::new(zero, one_sided));
    let front = Complex::select(second, Complex::select(straight, Complex::lit(2.0, 0.0), above), front);
    let left = Complex::new(R::lit(1.5) - turned * R::lit(0.5), zero);
    let other = Complex::select(second, Complex::select(straight, above.scale(-turned), left), other);
    let main = front * raised(slope_sum(v, zeta, sign, of, on).value(), up.reciprocal(), n);
    let root = sqrt(up);
    let [re, im] = R::when(
        other.max_part().gt(zero),
        [main.re, main.im],
        #[inline(always)]
        || {
            let rate = (sign * two, zeta.scale(R::lit(1.5)).reciprocal());
            let wave = raised(wave_slope_sum(v, zeta, -sign, of, rate, on).value(), root, n);
            let out = main + other * wave * decay(zeta.scale(-sign));
            [out.re, out.im]
        },
    );
    let quarter = sqrt(root);
    let quarter = Complex::select(slope, quarter, quarter.reciprocal());
    let out = Complex::new(re, im) * quarter.scale(R::lit(HALF_RSQRT_PI));
    let [re, im] = R::when(
        on.not(),
        [out.re, out.im],
        #[inline(always)]
        || {
            let up = Complex::select(on, Complex::lit(6.0, 0.0), upper);
            let zeta = exponent(up);
            let right = zeta.re.ge(zero).and(up.re.ge(zero));
            let out = airye_dx_inside([second, slope, right], sign, n, up, zeta);
            [out.re, out.im]
        },
    );
    let out = Complex::new(re, im);
    Complex::select(lower, out.conj(), out)
}

/// `z^n / (2n + 1)!! * sum (sign z^2 / 2)^k / (k! (2n + 3) ... (2n + 2k + 1))` (DLMF 10.53).
#[inline(always)]
fn spherical_series<R: Real>(n: R, at: Complex<R>, sign: f64, on: R::Mask) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let at = Complex::select(on, at, Complex::lit(0.0, 0.0));
    let half = at.square().scale(R::lit(0.5 * sign));
    let [_, fr, fi] = R::repeat(
        [zero, one, zero],
        MAX_DEGREE as u32 + 1,
        #[inline(always)]
        |[k, pr, pi]| {
            let k = k + one;
            let more = k.le(n).and(on);
            let p = Complex::new(pr, pi);
            let p = Complex::select(more, p * at.scale(one / (k + k + one)), p);
            ([k, p.re, p.im], more.and(p.max_part().ne(zero)))
        },
    );
    let [_, _, _, sr, si] = R::repeat(
        [zero, one, zero, one, zero],
        500,
        #[inline(always)]
        |[k, tr, ti, sr, si]| {
            let k = k + one;
            let t = (Complex::new(tr, ti) * half).scale(one / (k * (n + n + k + k + one)));
            let s = Complex::new(sr, si) + t;
            ([k, t.re, t.im, s.re, s.im], t.max_part().gt(s.max_part() * R::lit(f64::EPSILON / 8.0)).and(on))
        },
    );
    Complex::new(fr, fi) * Complex::new(sr, si)
}

/// A spherical function as `sqrt(pi / 2z)` times that of order `n + 1/2`, on the line from the function of a real argument.
#[inline(always)]
fn spherical<R: Real>(
    n: R,
    at: Complex<R>,
    sign: Option<f64>,
    cylindrical: impl Fn([Complex<R>; 2]) -> Complex<R>,
    straight: impl Fn(R, R) -> R,
) -> Complex<R> {
    let (zero, half) = (R::lit(0.0), R::lit(0.5));
    let served = n.floor().eq(n).and(n.ge(zero)).and(n.le(R::lit(MAX_DEGREE)));
    let size = abs(at);
    let line = at.im.eq(zero);
    let series = match sign {
        Some(_) => served.and((size * size * R::lit(0.25)).lt(n + R::lit(1.5))).and(line.not()),
        None => R::Mask::lit(false),
    };
    let rest = served.and(series.not()).and(line.not());
    let out = R::when(
        line,
        [zero; 2],
        #[inline(always)]
        || [straight(n, at.re), zero],
    );
    let out = R::when(
        series,
        out,
        #[inline(always)]
        || {
            let out = spherical_series(n, at, sign.unwrap_or(1.0), series);
            [out.re, out.im]
        },
    );
    let [re, im] = R::when(
        rest,
        out,
        #[inline(always)]
        || {
            let f = cylindrical([Complex::new(n + half, zero), at]);
            let out = sqrt(at).reciprocal().scale(R::lit(ROOT_HALF_PI)) * f;
            // An exponential outgrows the root.
            let out = Complex::select(at.is_inf().and(f.is_inf()), f, out);
            [out.re, out.im]
        },
    );
    Complex::select(served, Complex::new(re, im), Complex::lit(f64::NAN, f64::NAN))
}

/// Spherical Bessel function of the first kind.
#[inline(always)]
pub fn spherical_jn<R: Real>(n: Complex<R>, at: Complex<R>) -> Complex<R> {
    spherical(n.re, at, Some(-1.0), R::shared_complex::<c::Jv, 2>, e::spherical_jn)
}

/// Spherical Bessel function of the second kind.
#[inline(always)]
pub fn spherical_yn<R: Real>(n: Complex<R>, at: Complex<R>) -> Complex<R> {
    spherical(n.re, at, None, R::shared_complex::<c::Yv, 2>, e::spherical_yn)
}

/// Modified spherical Bessel function of the first kind.
#[inline(always)]
pub fn spherical_in<R: Real>(n: Complex<R>, at: Complex<R>) -> Complex<R> {
    spherical(n.re, at, Some(1.0), R::shared_complex::<c::Iv, 2>, e::spherical_in)
}

/// Modified spherical Bessel function of the second kind.
#[inline(always)]
pub fn spherical_kn<R: Real>(n: Complex<R>, at: Complex<R>) -> Complex<R> {
    spherical(n.re, at, None, R::shared_complex::<c::Kv, 2>, e::spherical_kn)
}
