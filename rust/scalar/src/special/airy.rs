//! Airy functions from Bessel functions of order 1/3 and 2/3 (DLMF 9.6), and from their series at the origin (DLMF 9.4).

use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real, inlined};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, PI};

const INF: f64 = f64::INFINITY;
const THIRD: f64 = 1.0 / 3.0;
const ROOT_3: f64 = 1.7320508075688772;
/// Ai(0), -Ai'(0).
const AI_0: f64 = 0.355_028_053_887_817_2;
const AI_1: f64 = 0.258_819_403_792_806_8;
/// The series serve up to this magnitude.
const SMALL: f64 = 1.0;
/// On the left they serve up to here in wider arithmetic.
const MIDDLE: f64 = 9.0;

/// `f`, `f'`, `g`, `g'` of the two power series, which are 1 and x to leading order.
#[inline(always)]
fn series<R: Real>(x: R) -> [R; 4] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let cube = x * x * x;
    // By Horner's rule, from the ratios of successive terms.
    let sum = inlined(
        #[inline(always)]
        |first: u32, ratio: fn(f64) -> f64| {
            let mut s = zero;
            for k in (first..11).rev() {
                s = (s + one) * cube * R::lit(1.0 / ratio(f64::from(3 * k)));
            }
            s + one
        },
    );
    let f = sum(1, |k| (k - 1.0) * k);
    let f1 = x * x * R::lit(0.5) * sum(2, |k| (k - 1.0) * (k - 3.0));
    let g = x * sum(1, |k| k * (k + 1.0));
    let g1 = sum(1, |k| (k - 2.0) * k);
    [f, f1, g, g1]
}

/// The same at larger negative arguments, the functions (`SLOPE` false) or their derivatives, in double-double arithmetic: the
/// terms are up to eight orders of magnitude larger than the sums.
#[inline(always)]
fn long_series<R: Real, const SLOPE: bool>(x: R, on: R::Mask) -> [R; 2] {
    let (zero, one, three) = (R::lit(0.0), R::lit(1.0), R::lit(3.0));
    let x = R::select(on, x, -one);
    let cube = Dd::two_prod(x, x).times(x);
    let a = if SLOPE { zero } else { one };
    let state = R::repeat(
        [one, zero, x, zero, a, zero, x, zero, zero],
        80,
        #[inline(always)]
        |[t_hi, t_lo, u_hi, u_lo, f, f_lo, g, g_lo, n]| {
            let n = n + three;
            let t = Dd::new(t_hi, t_lo) * (cube / Dd::new(n * (n - one), zero));
            let u = Dd::new(u_hi, u_lo) * (cube / Dd::new(n * (n + one), zero));
            let (a, b) = if SLOPE { (t.times(n), u.times(n + one)) } else { (t, u) };
            let (f, g) = (Dd::two_sum(f, a.hi), Dd::two_sum(g, b.hi));
            let (f_lo, g_lo) = (f_lo + (a.lo + f.lo), g_lo + (b.lo + g.lo));
            let go = (a.hi.abs() + b.hi.abs()).gt(R::lit(1e-19)).and(on);
            ([t.hi, t.lo, u.hi, u.lo, f.hi, f_lo, g.hi, g_lo, n], go)
        },
    );
    let sums = [state[4] + state[5], state[6] + state[7]];
    // The derivatives are summed times x.
    if SLOPE { [sums[0] / x, sums[1] / x] } else { sums }
}

/// Which of the four functions a body computes.
const AI: u32 = 0;
const AI_SLOPE: u32 = 1;
const BI: u32 = 2;
const BI_SLOPE: u32 = 3;

/// One of the functions; where `SCALED`, for positive `x` times the exponential of `-+ 2/3 x^(3/2)` that grows or decays.
#[inline(always)]
fn airy<R: Real, const WHICH: u32, const SCALED: bool>(x: R) -> R {
    let (zero, one, half, inf) = (R::lit(0.0), R::lit(1.0), R::lit(0.5), R::lit(INF));
    let y = x.abs();
    let slope = WHICH % 2 == 1;
    let second = WHICH >= BI;
    let small = y.le(R::lit(SMALL));
    let [f, f1, g, g1] = series(R::select(small, x, zero));
    let (c, s) = if slope { (f1, g1) } else { (f, g) };
    let (a, b) = (R::lit(AI_0), R::lit(AI_1));
    let near = if second { R::lit(ROOT_3) * (a * c + b * s) } else { a * c - b * s };
    let root = y.sqrt();
    let zeta = R::lit(2.0 * THIRD) * y * root;
    let near = if SCALED {
        let z = R::select(small.and(x.gt(zero)), zeta, zero);
        near * shared::exp(if second { -z } else { z })
    } else {
        near
    };
    let order = R::lit(if slope { 2.0 * THIRD } else { THIRD });
    let front = if slope { y } else { root };
    let right = x.gt(zero).and(small.not()).and(y.lt(inf));
    let left = x.lt(zero).and(small.not()).and(y.lt(inf));
    let middle = left.and(y.lt(R::lit(MIDDLE)));
    let [near] = R::when(
        middle,
        [near],
        #[inline(always)]
        || {
            let [c, s] = if slope { long_series::<R, true>(x, middle) } else { long_series::<R, false>(x, middle) };
            [if second { R::lit(ROOT_3) * (a * c + b * s) } else { a * c - b * s }]
        },
    );
    let left = left.and(middle.not());
    let [out] = R::when(
        left,
        [near],
        #[inline(always)]
        || {
            let (j, n) = (shared::jv(order, zeta), shared::yv(order, zeta));
            let r = R::lit(1.0 / ROOT_3);
            // DLMF 9.6.6 to 9.6.9 with J of negative order written in J and Y
            let value = match WHICH {
                AI => j - r * n,
                AI_SLOPE => j + r * n,
                BI => -(r * j + n),
                _ => r * j - n,
            };
            [half * front * value]
        },
    );
    let [out] = R::when(
        right,
        [out],
        #[inline(always)]
        || {
            let k = shared::kve(order, zeta);
            if second {
                let both = R::lit(2.0 / ROOT_3) * shared::ive(order, zeta)
                    + R::lit(FRAC_1_PI) * k * shared::exp(-(zeta + zeta));
                let grow = shared::exp(if SCALED { zero } else { zeta * half });
                [front * both * grow * grow]
            } else {
                let value = front * k * R::lit(1.0 / (PI * ROOT_3));
                let decay = if SCALED { one } else { shared::exp(-zeta) };
                [if slope { -(value * decay) } else { value * decay }]
            }
        },
    );
    let grows = second && !SCALED;
    let out = R::select(x.eq(inf), R::lit(if grows { INF } else { 0.0 }), out);
    let out = R::select(x.eq(-inf), if slope { R::lit(f64::NAN) } else { zero }, out);
    R::select(x.is_nan(), x, out)
}

/// Airy function Ai.
#[inline(always)]
pub fn airy_ai<R: Real>(x: R) -> R {
    named!("airy_ai", |x| airy::<R, AI, false>(x))
}

/// Ai'.
#[inline(always)]
pub fn airy_aip<R: Real>(x: R) -> R {
    named!("airy_aip", |x| airy::<R, AI_SLOPE, false>(x))
}

/// Airy function Bi.
#[inline(always)]
pub fn airy_bi<R: Real>(x: R) -> R {
    named!("airy_bi", |x| airy::<R, BI, false>(x))
}

/// Bi'.
#[inline(always)]
pub fn airy_bip<R: Real>(x: R) -> R {
    named!("airy_bip", |x| airy::<R, BI_SLOPE, false>(x))
}

/// Ai times `e^(2/3 x^(3/2))` of a positive argument.
#[inline(always)]
pub fn airye_ai<R: Real>(x: R) -> R {
    named!("airye_ai", |x| airy::<R, AI, true>(x))
}

/// Ai' times `e^(2/3 x^(3/2))` of a positive argument.
#[inline(always)]
pub fn airye_aip<R: Real>(x: R) -> R {
    named!("airye_aip", |x| airy::<R, AI_SLOPE, true>(x))
}

/// Bi times `e^(-2/3 x^(3/2))` of a positive argument.
#[inline(always)]
pub fn airye_bi<R: Real>(x: R) -> R {
    named!("airye_bi", |x| airy::<R, BI, true>(x))
}

/// Bi' times `e^(-2/3 x^(3/2))` of a positive argument.
#[inline(always)]
pub fn airye_bip<R: Real>(x: R) -> R {
    named!("airye_bip", |x| airy::<R, BI_SLOPE, true>(x))
}

/// The derivative `n` of airye's Ai, Ai', Bi, Bi' (`kind` = 0 to 3) for `x >= 10`, to which an `x` below is moved: the asymptotic
/// series DLMF 9.7.5 to 9.7.8 differentiated term by term.
#[inline(always)]
pub fn airye_dx<R: Real>(kind: R, n: R, x: R) -> R {
    named!("airye_dx", |kind, n, x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let x = x.max(R::lit(10.0));
        let second = kind.ge(R::lit(BI.into()));
        let slope = kind.eq(R::lit(AI_SLOPE.into())).or(kind.eq(R::lit(BI_SLOPE.into())));
        let zeta = R::lit(2.0 * THIRD) * x * x.sqrt();
        let step = R::select(second, one, -one) / zeta;
        let first = R::select(slope, R::lit(0.25), R::lit(-0.25));
        // d^n x^p in units of x^(p - n)
        let falling = inlined(
            #[inline(always)]
            |k: R| {
                let p = first - R::lit(1.5) * k;
                let mut f = one;
                for i in 0..4 {
                    f = R::select(n.gt(R::lit(f64::from(i))), f * (p - R::lit(f64::from(i))), f);
                }
                f
            },
        );
        let state = R::repeat(
            [one, falling(zero), zero],
            60,
            #[inline(always)]
            |[term, sum, k]| {
                let k = k + one;
                let six = R::lit(6.0) * k;
                let ratio = (six - R::lit(5.0)) * (six - R::lit(3.0)) * (six - one);
                let next = term * step * ratio / (R::lit(216.0) * k * (k + k - one));
                let weight = R::select(slope, (six + one) / (one - six), one);
                let t = next * weight * falling(k);
                let go = t.abs().gt((sum * R::lit(1e-17)).abs()).and(next.abs().le(term.abs()));
                ([next, sum + t, k], go)
            },
        );
        let inverse = one / x;
        let root = x.sqrt();
        let mut scale = R::select(slope, root.sqrt(), one / root.sqrt()) * R::lit(1.0 / 1.772_453_850_905_516);
        for i in 0..4 {
            scale = R::select(n.gt(R::lit(f64::from(i))), scale * inverse, scale);
        }
        let factor = R::select(second, one, R::select(slope, R::lit(-0.5), R::lit(0.5)));
        state[1] * scale * factor
    })
}
