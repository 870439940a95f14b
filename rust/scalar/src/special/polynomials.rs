//! Classical orthogonal polynomials of integral degree by their recurrences (DLMF 18.9), with derivatives in the parameters
//! carried along.

use super::dual::{Dual, at, pack};
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

/// Degrees above this are NaN: the work grows with the degree.
const MAX_DEGREE: f64 = 100_000.0;

#[inline(always)]
fn served<R: Real>(n: R) -> R::Mask {
    n.floor().eq(n).and(n.ge(R::lit(0.0))).and(n.le(R::lit(MAX_DEGREE)))
}

/// `p_n` from `p_0 = 1` and `p_1`, where `step(k, p_k, p_{k - 1})` is `p_{k + 1}`.
#[inline(always)]
fn recurrence<R: Real, const K: usize>(
    n: R,
    first: Dual<R, K>,
    step: impl Fn(R, Dual<R, K>, Dual<R, K>) -> Dual<R, K>,
) -> Dual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let on = served(n);
    let state = R::repeat(
        pack::<R, K, 2, 1, 9>([Dual::lit(1.0), first], [one]),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let (last, now, k) = (at(&state, 0), at(&state, 1), state[8]);
            let more = k.lt(n).and(on);
            let next = step(k, now, last);
            (pack([Dual::select(more, now, last), Dual::select(more, next, now)], [k + one]), more)
        },
    );
    let p = Dual::select(n.eq(zero), Dual::lit(1.0), at(&state, 1));
    Dual::select(on, p, Dual::lit(f64::NAN))
}

/// A value of even or odd degree at `|x|` as one at `x`.
#[inline(always)]
fn parity<R: Real>(n: R, x: R, value: R) -> R {
    let half = n * R::lit(0.5);
    R::select(half.floor().ne(half).and(x.lt(R::lit(0.0))), -value, value)
}

/// Legendre polynomial.
#[inline(always)]
pub fn eval_legendre<R: Real>(n: R, x: R) -> R {
    named!("eval_legendre", |n, x| {
        let one = R::lit(1.0);
        let degree = R::select(n.lt(R::lit(0.0)), -n - one, n);
        let y = x.abs();
        // In differences, which are small next to 1: p_{k + 1} - p_k = (k (p_k - p_{k - 1}) + (2k + 1) (y - 1) p_k) / (k + 1)
        let below = y - one;
        let near = y.gt(R::lit(0.5));
        let out = recurrence::<R, 1>(
            degree,
            Dual([y]),
            #[inline(always)]
            |k, p, q| {
                let (p, q) = (p.value(), q.value());
                let twice = k + k + one;
                let steps = p + (k * (p - q) + twice * below * p) / (k + one);
                let plain = (twice * y * p - k * q) / (k + one);
                Dual([R::select(near, steps, plain)])
            },
        );
        parity(degree, x, out.value())
    })
}

/// `sqrt(1/2)`: below, angles are measured from the middle, where the odd polynomials vanish.
const MIDDLE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Chebyshev polynomial of the first kind.
#[inline(always)]
pub fn eval_chebyt<R: Real>(n: R, x: R) -> R {
    named!("eval_chebyt", |n, x| {
        let (half, one, y) = (R::lit(0.5), R::lit(1.0), x.abs());
        let inside = y.le(one);
        let end = parity(n, x, shared::cos(n * shared::acos(R::select(inside, y, one))));
        let middle = y.lt(R::lit(MIDDLE));
        let [out] = R::when(
            middle,
            [end],
            #[inline(always)]
            || {
                let a = n * shared::asin(R::select(middle, x, half));
                [shared::cospi(n * half) * shared::cos(a) + shared::sinpi(n * half) * shared::sin(a)]
            },
        );
        let [out] = R::when(
            inside.not(),
            [out],
            #[inline(always)]
            || [parity(n, x, shared::cosh(n * shared::acosh(y)))],
        );
        let out = R::select(n.eq(R::lit(0.0)), one, out);
        R::select(served(n.abs()).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// Chebyshev polynomial of the second kind.
#[inline(always)]
pub fn eval_chebyu<R: Real>(n: R, x: R) -> R {
    named!("eval_chebyu", |n, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let (y, m) = (x.abs(), n + one);
        let inside = y.lt(one);
        let angle = shared::acos(R::select(inside, y, zero));
        let end = parity(n, x, shared::sin(m * angle) / shared::sin(angle));
        let middle = y.lt(R::lit(MIDDLE));
        let [out] = R::when(
            middle,
            [end],
            #[inline(always)]
            || {
                let phi = shared::asin(R::select(middle, x, half));
                let a = m * phi;
                let sum = shared::sinpi(m * half) * shared::cos(a) - shared::cospi(m * half) * shared::sin(a);
                [sum / shared::cos(phi)]
            },
        );
        let [out] = R::when(
            y.gt(one),
            [out],
            #[inline(always)]
            || {
                let t = shared::acosh(y);
                let (high, low) = (shared::sinh(m * t), shared::sinh(t));
                let ratio = R::select(y.eq(R::lit(f64::INFINITY)), high, high / low);
                [parity(n, x, ratio)]
            },
        );
        let out = R::select(y.eq(one), parity(n, x, m), out);
        let out = R::select(n.eq(zero), one, R::select(m.eq(zero), zero, out));
        R::select(served(m.abs()).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// Hermite polynomial of the physicists.
#[inline(always)]
pub fn eval_hermite<R: Real>(n: R, x: R) -> R {
    named!("eval_hermite", |n, x| {
        let twice = x + x;
        let out = recurrence::<R, 1>(
            n,
            Dual([twice]),
            #[inline(always)]
            |k, p, q| Dual([twice * p.value() - (k + k) * q.value()]),
        );
        out.value()
    })
}

/// Hermite polynomial of the probabilists.
#[inline(always)]
pub fn eval_hermitenorm<R: Real>(n: R, x: R) -> R {
    named!("eval_hermitenorm", |n, x| {
        let out = recurrence::<R, 1>(
            n,
            Dual([x]),
            #[inline(always)]
            |k, p, q| Dual([x * p.value() - k * q.value()]),
        );
        out.value()
    })
}

/// `C_n^a`.
#[inline(always)]
fn gegenbauer<R: Real, const K: usize>(n: R, a: R, x: R) -> R {
    let one = R::lit(1.0);
    let a = Dual::<R, K>::variable(a, 3);
    let twice = x + x;
    let out = recurrence::<R, K>(
        n,
        a.times(twice),
        #[inline(always)]
        |k, p, q| {
            let r = one / (k + one);
            let ka = a + Dual::constant(k);
            let back = a.scaled(2.0) + Dual::constant(k - one);
            ((ka * p).times(twice) - back * q).times(r)
        },
    );
    out.top()
}

/// `L_n^a` in differences: `(k + 1) (l_{k + 1} - l_k) = (k + a) (l_k - l_{k - 1}) - x l_k`.
#[inline(always)]
fn genlaguerre<R: Real, const K: usize>(n: R, a: R, x: R) -> R {
    let one = R::lit(1.0);
    let a = Dual::<R, K>::variable(a, 3);
    let out = recurrence::<R, K>(
        n,
        a + Dual::constant(one - x),
        #[inline(always)]
        |k, p, q| p + ((a + Dual::constant(k)) * (p - q) - p.times(x)).times(one / (k + one)),
    );
    out.top()
}

/// `P_n^(a, b)`; the directions say which parameters move.
#[inline(always)]
fn jacobi<R: Real, const K: usize>(n: R, a: R, b: R, x: R, da: usize, db: usize) -> R {
    let one = R::lit(1.0);
    let (a, b) = (Dual::<R, K>::variable(a, da), Dual::<R, K>::variable(b, db));
    let sum = a + b;
    let square = a * a - b * b;
    let low = (x - one) * R::lit(0.5);
    let first = a + Dual::lit(1.0) + (sum + Dual::lit(2.0)).times(low);
    let out = recurrence::<R, K>(
        n,
        first,
        #[inline(always)]
        |k, p, q| {
            let k1 = k + one;
            let t = sum + Dual::constant(k + k);
            let forward = (sum + Dual::constant(k1)) * t;
            let forward = forward.times(k1 + k1);
            let t2 = t + Dual::lit(2.0);
            let here = (t + Dual::lit(1.0)) * ((t2 * t).times(x) + square);
            let back = (a + Dual::constant(k)) * (b + Dual::constant(k)) * t2.scaled(2.0);
            (here * p - back * q) / forward
        },
    );
    out.top()
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) = $text:literal, $e:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>($($x: R),+) -> R {
                named!($text, |$($x),+| $e)
            }
        )*
    };
}

families! {
    /// Gegenbauer polynomial.
    eval_gegenbauer(n, a, x) = "eval_gegenbauer", gegenbauer::<R, 1>(n, a, x);
    /// `dC/da`.
    eval_gegenbauer_da(n, a, x) = "eval_gegenbauer_da", gegenbauer::<R, 2>(n, a, x);
    /// `d2C/da2`.
    eval_gegenbauer_daa(n, a, x) = "eval_gegenbauer_daa", gegenbauer::<R, 4>(n, a, x);
    /// Generalized Laguerre polynomial.
    eval_genlaguerre(n, a, x) = "eval_genlaguerre", genlaguerre::<R, 1>(n, a, x);
    /// `dL/da`.
    eval_genlaguerre_da(n, a, x) = "eval_genlaguerre_da", genlaguerre::<R, 2>(n, a, x);
    /// `d2L/da2`.
    eval_genlaguerre_daa(n, a, x) = "eval_genlaguerre_daa", genlaguerre::<R, 4>(n, a, x);
    /// Jacobi polynomial.
    eval_jacobi(n, a, b, x) = "eval_jacobi", jacobi::<R, 1>(n, a, b, x, 0, 0);
    /// `dP/da`.
    eval_jacobi_da(n, a, b, x) = "eval_jacobi_da", jacobi::<R, 2>(n, a, b, x, 1, 0);
    /// `d2P/da2`.
    eval_jacobi_daa(n, a, b, x) = "eval_jacobi_daa", jacobi::<R, 4>(n, a, b, x, 3, 0);
    /// `d2P/dadb`.
    eval_jacobi_dab(n, a, b, x) = "eval_jacobi_dab", jacobi::<R, 4>(n, a, b, x, 1, 2);
}
