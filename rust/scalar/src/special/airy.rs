//! Airy functions: from their values at a grid by Taylor series of their equation `y'' = x y`, from their asymptotic expansions
//! (DLMF 9.7).

use super::bessel_order::{falling_factorial, lowered};
use super::tables::AIRY;
use crate::dd::Dd;
use crate::elementary::{exp_dd, polynomial, sin_cos, to_int};
use crate::named;
use crate::real::{Mask, Real, inlined};
use std::f64::consts::FRAC_1_SQRT_2;

const INF: f64 = f64::INFINITY;
const THIRD: f64 = 1.0 / 3.0;
/// What is missing in `THIRD`.
const THIRD_LOW: f64 = THIRD * f64::EPSILON / 4.0;
const ROOT_PI: f64 = 1.772_453_850_905_516;
/// The grid reaches to this magnitude, in steps of a quarter; beyond the asymptotic expansions serve.
const GRID: f64 = 12.0;

/// Which of the four functions a body computes.
const AI: u32 = 0;
const AI_SLOPE: u32 = 1;
const BI: u32 = 2;
const BI_SLOPE: u32 = 3;

/// The Taylor series about the nearest point of the grid, for `|x| <= GRID`.
#[inline(always)]
fn near<R: Real, const WHICH: u32>(x: R) -> R {
    const TERMS: usize = 17;
    let j = (x * R::lit(4.0)).round();
    let (at, h) = (j * R::lit(0.25), x - j * R::lit(0.25));
    let row = to_int(j + R::lit(4.0 * GRID));
    let at_grid = inlined(
        #[inline(always)]
        |k: usize| Dd::new(R::column(&AIRY, k, row), R::column(&AIRY, k + 1, row)),
    );
    let first = WHICH as usize / 2 * 4;
    let (value, slope) = (at_grid(first), at_grid(first + 2));
    let mut a = [value.hi; TERMS];
    a[1] = slope.hi;
    a[2] = at * a[0] * R::lit(0.5);
    for k in 1..TERMS - 2 {
        a[k + 2] = at.fma(a[k], a[k - 1]) * R::lit(1.0 / ((k + 1) * (k + 2)) as f64);
    }
    let derivative = WHICH % 2 == 1;
    let from = if derivative { 2 } else { 1 };
    let mut p = R::lit(0.0);
    for k in (from..TERMS).rev() {
        let c = if derivative { a[k] * R::lit(k as f64) } else { a[k] };
        p = p.fma(h, c);
    }
    a[from - 1] + p.fma(h, if derivative { slope.lo } else { value.lo })
}

/// The coefficients of `sign^k w^k`, `w = 1/zeta`, in DLMF 9.7.2, those of the derivatives where `SLOPE`.
const fn expansion<const SLOPE: bool>(sign: f64) -> [f64; 18] {
    let mut c = [1.0; 18];
    let mut u = 1.0;
    let mut k = 1;
    while k < 18 {
        let n = k as f64;
        u *= sign * (6.0 * n - 5.0) * (6.0 * n - 3.0) * (6.0 * n - 1.0) / (216.0 * n * (2.0 * n - 1.0));
        c[k] = if SLOPE { u * (6.0 * n + 1.0) / (1.0 - 6.0 * n) } else { u };
        k += 1;
    }
    c
}

/// Every other coefficient from `first` on, with alternating signs.
const fn alternate(c: [f64; 18], first: usize) -> [f64; 9] {
    let mut out = [0.0; 9];
    let mut k = 0;
    while k < 9 {
        out[k] = if k % 2 == 0 { c[2 * k + first] } else { -c[2 * k + first] };
        k += 1;
    }
    out
}

/// `2/3 y^(3/2)`, infinite before products leave the range.
#[inline(always)]
fn exponent<R: Real>(y: R) -> Dd<R> {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let ordinary = y.lt(R::lit(1e200));
    let at = Dd::new(R::select(ordinary, y, zero), zero);
    Dd::select(ordinary, at.sqrt() * at * Dd::lit(2.0 * THIRD, 2.0 * THIRD_LOW), Dd::new(inf, zero))
}

/// The expansions at infinity left of the origin, at `y = -x`.
#[inline(always)]
fn left<R: Real, const WHICH: u32>(y: R, phase: Dd<R>) -> R {
    // Where the phase is lost anyway it stays a number.
    let zeta = phase.hi.min(R::lit(1e300));
    let rest = R::select(zeta.lt(R::lit(1e12)), phase.lo, R::lit(0.0));
    let w = R::lit(1.0) / zeta;
    let square = w * w;
    let quarter = y.sqrt().sqrt();
    let (s, c) = sin_cos(zeta);
    // Turned by the rest, below 1e-4
    let bend = rest * rest * R::lit(0.5);
    let turn = rest - bend * rest * R::lit(THIRD);
    let (s, c) = (s + (turn * c - bend * s), c - (turn * s + bend * c));
    let (sine, cosine) = ((s - c) * R::lit(FRAC_1_SQRT_2), (s + c) * R::lit(FRAC_1_SQRT_2));
    let (even, odd, front) = if WHICH % 2 == 1 {
        let even = polynomial(square, &const { alternate(expansion::<true>(1.0), 0) });
        let odd = polynomial(square, &const { alternate(expansion::<true>(1.0), 1) });
        (even, odd * w, quarter)
    } else {
        let even = polynomial(square, &const { alternate(expansion::<false>(1.0), 0) });
        let odd = polynomial(square, &const { alternate(expansion::<false>(1.0), 1) });
        (even, odd * w, R::lit(1.0) / quarter)
    };
    let wave = match WHICH {
        AI => cosine * even + sine * odd,
        AI_SLOPE => sine * even - cosine * odd,
        BI => cosine * odd - sine * even,
        _ => cosine * even + sine * odd,
    };
    wave * front * R::lit(1.0 / ROOT_PI)
}

/// The expansions right of the origin without their exponential.
#[inline(always)]
fn right<R: Real, const WHICH: u32>(x: R, zeta: R) -> R {
    let w = R::lit(1.0) / zeta;
    let quarter = x.sqrt().sqrt();
    match WHICH {
        AI => polynomial(w, &const { expansion::<false>(-1.0) }) * R::lit(0.5 / ROOT_PI) / quarter,
        AI_SLOPE => polynomial(w, &const { expansion::<true>(-1.0) }) * R::lit(-0.5 / ROOT_PI) * quarter,
        BI => polynomial(w, &const { expansion::<false>(1.0) }) * R::lit(1.0 / ROOT_PI) / quarter,
        _ => polynomial(w, &const { expansion::<true>(1.0) }) * R::lit(1.0 / ROOT_PI) * quarter,
    }
}

/// One of the functions; where `SCALED`, for positive `x` times the exponential of `-+ 2/3 x^(3/2)` that grows or decays.
#[inline(always)]
fn airy<R: Real, const WHICH: u32, const SCALED: bool>(x: R) -> R {
    let (zero, half, inf) = (R::lit(0.0), R::lit(0.5), R::lit(INF));
    let y = x.abs();
    let slope = WHICH % 2 == 1;
    let second = WHICH >= BI;
    let zeta = exponent(y);
    let on_grid = y.le(R::lit(GRID));
    let close = near::<R, WHICH>(R::select(on_grid, x, zero));
    let far = on_grid.not().and(y.lt(inf));
    let (far_left, far_right) = (far.and(x.lt(zero)), far.and(x.gt(zero)));
    let [out] = R::when(
        far_left,
        [close],
        #[inline(always)]
        || [left::<R, WHICH>(y, zeta)],
    );
    let [out] = R::when(
        far_right,
        [out],
        #[inline(always)]
        || {
            let value = right::<R, WHICH>(y, zeta.hi);
            if SCALED {
                return [value];
            }
            // By halves, for a product in range of factors that are not
            let grown = exp_dd(zeta.times_pow2(if second { half } else { -half }));
            [value * grown * grown]
        },
    );
    if !SCALED {
        let out = R::select(x.eq(inf), R::lit(if second { INF } else { 0.0 }), out);
        let out = R::select(x.eq(-inf), if slope { R::lit(f64::NAN) } else { zero }, out);
        return R::select(x.is_nan(), x, out);
    }
    let scaled = x.gt(zero).and(on_grid);
    let [out] = R::when(
        scaled,
        [out],
        #[inline(always)]
        || [out * exp_dd(if second { -zeta } else { zeta })],
    );
    let out = R::select(x.eq(inf), zero, out);
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
            |k: R| falling_factorial(first - R::lit(1.5) * k, n),
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
        let root = x.sqrt();
        let scale = lowered(R::select(slope, root.sqrt(), one / root.sqrt()) * R::lit(1.0 / ROOT_PI), x, n);
        let factor = R::select(second, one, R::select(slope, R::lit(-0.5), R::lit(0.5)));
        R::select(x.eq(R::lit(INF)), zero, state[1] * scale * factor)
    })
}
