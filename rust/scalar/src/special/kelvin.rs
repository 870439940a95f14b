//! Kelvin functions and their derivatives: `ber + i bei = I_0(x e^(i pi/4))`, `ker + i kei = K_0(x e^(i pi/4))` (DLMF 10.61).
//!
//! The power series (DLMF 10.65) near the origin, then Taylor series of their equation `x f'' + f' = i x f` from values at a grid,
//! and beyond the grid their asymptotic expansions (DLMF 10.40), each differentiated term by term.

use super::tables::KELVIN;
use crate::dd::Dd;
use crate::elementary::{exp_dd, sin_cos, to_int, two_chains};
use crate::named;
use crate::real::{Mask, Real, inlined, mapped};
use crate::shared;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const EULER: f64 = 0.577_215_664_901_532_9;
/// The low part of `sqrt(1/2)`.
const ROOT_LOW: f64 = -4.833646656726457e-17;
/// Cosines of the multiples of `pi/8`.
const COS: f64 = 0.9238795325112867;
const SIN: f64 = 0.3826834323650898;
const WAVE: [f64; 16] = [
    1.0,
    COS,
    FRAC_1_SQRT_2,
    SIN,
    0.0,
    -SIN,
    -FRAC_1_SQRT_2,
    -COS,
    -1.0,
    -COS,
    -FRAC_1_SQRT_2,
    -SIN,
    0.0,
    SIN,
    FRAC_1_SQRT_2,
    COS,
];
/// The power series serve below, the grid of quarters to here, and expansions beyond.
const NEAR: f64 = 1.0;
const GRID: f64 = 26.0;
/// Derivatives from 0 to 4.
const ORDERS: usize = 5;

/// A derivative, known to the compiler or not.
trait Order<R: Real> {
    fn number(&self) -> R;
    fn of_constants(&self, v: &[f64; ORDERS]) -> R;
    fn of_lanes(&self, v: [R; ORDERS]) -> R;
}

struct Fixed<const N: usize>;
impl<R: Real, const N: usize> Order<R> for Fixed<N> {
    #[inline(always)]
    fn number(&self) -> R {
        R::lit(N as f64)
    }
    #[inline(always)]
    fn of_constants(&self, v: &[f64; ORDERS]) -> R {
        R::lit(v[N])
    }
    #[inline(always)]
    fn of_lanes(&self, v: [R; ORDERS]) -> R {
        v[N]
    }
}

struct Given<R>(R);
impl<R: Real> Order<R> for Given<R> {
    #[inline(always)]
    fn number(&self) -> R {
        self.0
    }
    #[inline(always)]
    fn of_constants(&self, v: &[f64; ORDERS]) -> R {
        self.of_lanes(mapped(
            *v,
            #[inline(always)]
            |v| R::lit(v),
        ))
    }
    #[inline(always)]
    fn of_lanes(&self, v: [R; ORDERS]) -> R {
        let mut out = v[0];
        for (n, &v) in v.iter().enumerate().skip(1) {
            out = R::select(self.0.ge(R::lit(n as f64)), v, out);
        }
        out
    }
}

/// `m (m - 1) ...` of n factors for each order, and its derivatives in m.
const fn falling(m: usize) -> [[f64; ORDERS]; 2] {
    let (mut value, mut slope) = ([1.0; ORDERS], [0.0; ORDERS]);
    let mut n = 0;
    while n + 1 < ORDERS {
        let factor = m as f64 - n as f64;
        slope[n + 1] = slope[n] * factor + value[n];
        value[n + 1] = value[n] * factor;
        n += 1;
    }
    [value, slope]
}

/// The coefficients of `x^(2j - n)` in the derivatives of `I_0` and of the part of `K_0` without logarithm, but for `i^j` and Euler's
/// constant with its quarter turn.
const fn power(j: usize) -> [[f64; ORDERS]; 2] {
    let mut harmonic = -EULER;
    let mut scale = if (j / 2).is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut k = 1;
    while k <= j {
        harmonic += 1.0 / k as f64;
        scale /= 4.0 * (k * k) as f64;
        k += 1;
    }
    let [mut value, mut slope] = falling(2 * j);
    let mut n = 0;
    while n < ORDERS {
        slope[n] = scale * (value[n] * harmonic - slope[n]);
        value[n] *= scale;
        n += 1;
    }
    [value, slope]
}

/// Real and imaginary part for `y < 1`.
#[inline(always)]
fn near<R: Real, O: Order<R>, const SECOND: bool>(order: &O, y: R) -> [R; 2] {
    const PAIRS: usize = 7;
    const POWERS: [[[f64; ORDERS]; 2]; 2 * PAIRS + 2] = {
        let mut all = [[[0.0; ORDERS]; 2]; 2 * PAIRS + 2];
        let mut j = 0;
        while j < all.len() {
            all[j] = power(j);
            j += 1;
        }
        all
    };
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let square = y * y;
    // Of a function that is regular at 0 the terms with such powers are 0.
    let inverse = one / if SECOND { y } else { y.max(R::lit(1e-150)) };
    let second = inverse * inverse;
    let odd = order.of_lanes([square, y, one, inverse, second]);
    let even = order.of_lanes([square * square, square * y, square, y, one]);
    let sum = inlined(
        #[inline(always)]
        |[first, which]: [usize; 2]| {
            let mut p = zero;
            for i in (0..PAIRS).rev() {
                p = p.fma(square * square, order.of_constants(&POWERS[first + 2 * i][which]));
            }
            p
        },
    );
    let start = order.of_constants(&POWERS[0][0]);
    let re = sum([2, 0]);
    let im = sum([1, 0]);
    let plain = [even.fma(re, start), odd * im];
    if !SECOND {
        return plain;
    }
    let log = shared::log(y * R::lit(0.5));
    let pole =
        order.of_constants(&POWERS[0][1]) * order.of_lanes([one, inverse, second, second * inverse, second * second]);
    let quarter = R::lit(FRAC_PI_4);
    let re = even.fma(sum([2, 1]) - log * re, quarter.fma(plain[1], pole - start * log));
    let im = odd * (sum([1, 1]) - log * im) - quarter * plain[0];
    [re, im]
}

/// The same for `1 <= y <= GRID`.
#[inline(always)]
fn middle<R: Real, O: Order<R>, const SECOND: bool>(order: &O, y: R) -> [R; 2] {
    const TERMS: usize = 21;
    const FALLING: [[f64; ORDERS]; TERMS] = {
        let mut all = [[0.0; ORDERS]; TERMS];
        let mut k = 0;
        while k < TERMS {
            all[k] = falling(k)[0];
            k += 1;
        }
        all
    };
    let j = (y * R::lit(4.0)).round();
    let (at, h) = (j * R::lit(0.25), y - j * R::lit(0.25));
    let row = to_int(j - R::lit(4.0));
    let value = inlined(
        #[inline(always)]
        |k: usize| R::column(&KELVIN, k + if SECOND { 8 } else { 0 }, row),
    );
    let inverse = R::lit(1.0) / at;
    let (mut re, mut im) = ([value(0); TERMS], [value(2); TERMS]);
    re[1] = value(4);
    im[1] = value(6);
    let mut before = [R::lit(0.0); 2];
    for k in 0..TERMS - 2 {
        let (next, own) = (R::lit(1.0 / (k + 2) as f64), R::lit(1.0 / ((k + 1) * (k + 2)) as f64));
        let back = inverse * (R::lit((k + 1) as f64) * next);
        let forward = [inverse.fma(before[0], re[k]), inverse.fma(before[1], im[k])];
        re[k + 2] = -(back * re[k + 1]) - forward[1] * own;
        im[k + 2] = forward[0] * own - back * im[k + 1];
        before = [re[k], im[k]];
    }
    let n = order.number();
    let sum = inlined(
        #[inline(always)]
        |(a, low): ([R; TERMS], usize)| {
            let zero = R::lit(0.0);
            let mut p = zero;
            for k in (1..TERMS).rev() {
                let c = a[k] * order.of_constants(&FALLING[k]);
                p = if k < ORDERS { R::select(n.lt(R::lit(k as f64)), p.fma(h, c), p) } else { p.fma(h, c) };
            }
            let first = order.of_lanes([a[0], a[1], a[2] * R::lit(2.0), a[3] * R::lit(6.0), a[4] * R::lit(24.0)]);
            first + p.fma(h, order.of_lanes([value(low), value(low + 4), zero, zero, zero]))
        },
    );
    [sum((re, 1)), sum((im, 3))]
}

/// The real and the imaginary coefficients of `1/y^k` beside the exponential over the root of `y`.
const fn expansion<const TERMS: usize, const SECOND: bool>() -> [[[f64; ORDERS]; TERMS]; 2] {
    let sign = if SECOND { -1.0 } else { 1.0 };
    // 1 / sqrt(2 pi) and sqrt(pi / 2)
    let front = if SECOND { 1.2533141373155003 } else { 0.3989422804014327 };
    let mut out = [[[0.0; ORDERS]; TERMS]; 2];
    let mut b = [0.0; TERMS];
    let mut term = front;
    let mut k = 0;
    while k < TERMS {
        b[k] = term;
        k += 1;
        term *= sign * ((2 * k - 1) * (2 * k - 1)) as f64 / (8 * k) as f64;
    }
    let mut n = 0;
    while n < ORDERS {
        let mut k = TERMS;
        while k > 0 {
            k -= 1;
            let turns = (2 * n + 63 * 16 - 1 - 2 * k) % 16;
            out[0][k][n] = b[k] * WAVE[turns];
            out[1][k][n] = b[k] * WAVE[(turns + 12) % 16];
            let before = if k > 0 { b[k - 1] } else { 0.0 };
            b[k] = sign * b[k] - (k as f64 - 0.5) * before;
        }
        n += 1;
    }
    out
}

/// The same beyond the grid.
#[inline(always)]
fn far<R: Real, O: Order<R>, const SECOND: bool>(order: &O, y: R) -> [R; 2] {
    const TERMS: usize = 20;
    let coefficients = const { &expansion::<TERMS, SECOND>() };
    let inverse = R::lit(1.0) / y;
    let [re, im] = mapped(
        [&coefficients[0], &coefficients[1]],
        #[inline(always)]
        |coefficients| {
            two_chains::<R, 0, TERMS>(
                inverse,
                #[inline(always)]
                |k| order.of_constants(&coefficients[k]),
            )
        },
    );
    let sign = R::lit(if SECOND { -1.0 } else { 1.0 });
    let angle = Dd::two_prod(y, R::lit(FRAC_1_SQRT_2));
    let low = y.fma(R::lit(ROOT_LOW), angle.lo);
    let (s, c) = sin_cos(angle.hi);
    let (s, c) = (c.fma(low, s) * sign, c - s * low);
    // By halves, for a product in range of factors that are not
    let root = exp_dd(Dd::new(angle.hi, low).times_pow2(sign * R::lit(0.5)));
    let front = root / y.sqrt();
    [(re * c - im * s) * front * root, (re * s + im * c) * front * root]
}

/// Both parts of a derivative of `I_0` or, where `SECOND`, of `K_0`, of `x e^(i pi/4)`.
#[inline(always)]
fn both<R: Real, O: Order<R>, const SECOND: bool>(order: O, x: R) -> [R; 2] {
    let (zero, half, one, inf, nan) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(INF), R::lit(NAN));
    let y = x.abs();
    let small = y.gt(zero).and(y.lt(R::lit(NEAR)));
    let large = y.gt(R::lit(GRID)).and(y.lt(inf));
    let grid = y.ge(R::lit(NEAR)).and(y.le(R::lit(GRID)));
    let out = R::when(
        grid,
        [zero; 2],
        #[inline(always)]
        || middle::<R, O, SECOND>(&order, R::select(grid, y, one)),
    );
    let out = R::when(
        small,
        out,
        #[inline(always)]
        || near::<R, O, SECOND>(&order, R::select(small, y, half)),
    );
    let [re, im] = R::when(
        large,
        out,
        #[inline(always)]
        || far::<R, O, SECOND>(&order, R::select(large, y, R::lit(GRID))),
    );
    let n = order.number();
    let even = (n * half).floor().eq(n * half);
    let (at_0, pole) = (y.eq(zero), R::select(even, inf, -inf));
    let start = if SECOND {
        [pole, order.of_lanes([R::lit(-FRAC_PI_4), zero, inf, -inf, inf])]
    } else {
        [order.of_constants(&[1.0, 0.0, 0.0, 0.0, -0.375]), order.of_constants(&[0.0, 0.0, 0.5, 0.0, 0.0])]
    };
    let bad = if SECOND { x.lt(zero) } else { y.eq(inf) };
    let bad = x.is_nan().or(bad);
    let flip = x.lt(zero).and(even.not());
    mapped(
        [(re, start[0]), (im, start[1])],
        #[inline(always)]
        |(v, start)| {
            let v = R::select(at_0, start, R::select(flip, -v, v));
            R::select(bad, nan, v)
        },
    )
}

/// Derivative `n <= 4` of ber (`kind` = 0), bei (1), ker (2) or kei (3).
#[inline(always)]
pub fn kelvin<R: Real>(kind: R, n: R, x: R) -> R {
    named!("kelvin", |kind, n, x| {
        let nan = R::lit(NAN);
        let second = kind.ge(R::lit(2.0));
        let imaginary = kind.eq(R::lit(1.0)).or(kind.eq(R::lit(3.0)));
        let first = second.not();
        let out = R::when(
            first,
            [nan; 2],
            #[inline(always)]
            || both::<R, _, false>(Given(n), R::select(first, x, nan)),
        );
        let [re, im] = R::when(
            second,
            out,
            #[inline(always)]
            || both::<R, _, true>(Given(n), R::select(second, x, nan)),
        );
        R::select(imaginary, im, re)
    })
}

/// Kelvin function ber.
#[inline(always)]
pub fn ber<R: Real>(x: R) -> R {
    named!("ber", |x| both::<R, _, false>(Fixed::<0>, x)[0])
}

/// Kelvin function bei.
#[inline(always)]
pub fn bei<R: Real>(x: R) -> R {
    named!("bei", |x| both::<R, _, false>(Fixed::<0>, x)[1])
}

/// Kelvin function ker.
#[inline(always)]
pub fn ker<R: Real>(x: R) -> R {
    named!("ker", |x| both::<R, _, true>(Fixed::<0>, x)[0])
}

/// Kelvin function kei.
#[inline(always)]
pub fn kei<R: Real>(x: R) -> R {
    named!("kei", |x| both::<R, _, true>(Fixed::<0>, x)[1])
}

/// The derivative of ber.
#[inline(always)]
pub fn berp<R: Real>(x: R) -> R {
    named!("berp", |x| both::<R, _, false>(Fixed::<1>, x)[0])
}

/// The derivative of bei.
#[inline(always)]
pub fn beip<R: Real>(x: R) -> R {
    named!("beip", |x| both::<R, _, false>(Fixed::<1>, x)[1])
}

/// The derivative of ker.
#[inline(always)]
pub fn kerp<R: Real>(x: R) -> R {
    named!("kerp", |x| both::<R, _, true>(Fixed::<1>, x)[0])
}

/// The derivative of kei.
#[inline(always)]
pub fn keip<R: Real>(x: R) -> R {
    named!("keip", |x| both::<R, _, true>(Fixed::<1>, x)[1])
}
