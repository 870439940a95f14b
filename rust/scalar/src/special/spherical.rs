//! Spherical Bessel functions of integral order by recurrence (DLMF 10.51), from series where that is not stable
//! (DLMF 10.53).

use crate::dd::Dd;
use crate::elementary::sin_cos;
use crate::named;
use crate::real::{Mask, Real, inlined};
use crate::shared;
use std::f64::consts::{FRAC_PI_2, LN_2, PI};

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;
/// Orders above this are NaN: the work grows with the order.
const MAX_ORDER: f64 = 10000.0;
const STEPS: u32 = 10001;

/// `z^n / (2n + 1)!! * sum (sign z^2 / 2)^k / (k! (2n + 3) ... (2n + 2k + 1))`.
#[inline(always)]
fn power_series<R: Real>(n: R, z: R, sign: f64, on: R::Mask) -> R {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let z = R::select(on, z, zero);
    let half = z * z * R::lit(0.5 * sign);
    let lead = R::repeat(
        [zero, one],
        STEPS,
        #[inline(always)]
        |[k, p]| {
            let k = k + one;
            let more = k.le(n).and(on);
            ([k, R::select(more, p * (z / (two * k + one)), p)], more.and(p.ne(zero)))
        },
    );
    let sum = R::repeat(
        [zero, one, one],
        3000,
        #[inline(always)]
        |[k, t, s]| {
            let k = k + one;
            let t = t * half / (k * (two * (n + k) + one));
            let s = s + t;
            ([k, t, s], t.abs().gt(s.abs() * R::lit(EPS / 8.0)).and(on))
        },
    );
    lead[1] * sum[2]
}

/// `f_n` from `f_{-1}` and `f_0` by `f_{k + 1} = sign f_{k - 1} + (2k + 1) / z f_k`, with what roundings add to it, which would reach
/// several digits of high orders; an infinity stays.
#[inline(always)]
fn upward<R: Real>(n: R, z: R, before: R, first: R, sign: f64, on: R::Mask) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (sign, inverse) = (R::lit(sign), one / z);
    let out = R::repeat(
        [zero, before, zero, first, zero],
        STEPS,
        #[inline(always)]
        |[k, last, last_rest, now, now_rest]| {
            let more = k.lt(n).and(on).and(now.abs().lt(R::lit(INF)));
            let top = k + k + one;
            let factor = top / z;
            let product = Dd::two_prod(factor, now);
            let next = Dd::two_sum(product.hi, last * sign);
            let rounded = (factor.fma(-z, top) * inverse).fma(now, product.lo) + next.lo;
            let rest = factor.fma(now_rest, last_rest.fma(sign, rounded));
            let pick = inlined(
                #[inline(always)]
                |next: R, now: R| R::select(more, next, now),
            );
            let pair = [pick(now, last), pick(now_rest, last_rest), pick(next.hi, now), pick(rest, now_rest)];
            ([k + one, pair[0], pair[1], pair[2], pair[3]], more)
        },
    );
    R::select(out[3].abs().lt(R::lit(INF)), out[3] + out[4], out[3])
}

/// The order is an integer that is served.
#[inline(always)]
fn served<R: Real>(n: R) -> R::Mask {
    n.floor().eq(n).and(n.ge(R::lit(0.0))).and(n.le(R::lit(MAX_ORDER)))
}

/// `value` or its negative where `n` is odd and `x` negative.
#[inline(always)]
fn parity<R: Real>(n: R, x: R, value: R) -> R {
    let half = n * R::lit(0.5);
    let odd = half.floor().ne(half);
    R::select(odd.and(crate::elementary::is_negative(x)), -value, value)
}

/// Spherical Bessel function of the first kind.
#[inline(always)]
pub fn spherical_jn<R: Real>(n: R, x: R) -> R {
    named!("spherical_jn", |n, x| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let z = x.abs();
        let ok = served(n).and(z.lt(R::lit(INF)));
        let small = ok.and((z * z).lt((n + n + R::lit(3.0)) * two));
        let up = ok.and(small.not()).and(z.ge(n));
        let down = ok.and(small.not()).and(z.lt(n));
        let series = power_series(n, z, -1.0, small);
        let y = R::select(small, one, z);
        let (s, c) = sin_cos(y);
        let (s, c) = (s / y, c / y);
        let [out] = R::when(
            up,
            [series],
            #[inline(always)]
            || [upward(n, y, c, s, -1.0, up)],
        );
        let [out] = R::when(
            down,
            [out],
            #[inline(always)]
            || {
                // The continued fraction of j_{n + 1} / j_n (Lentz's method), then downwards; the scale is kept in reach.
                let a = R::select(down, n, one);
                let y = R::select(down, y, one);
                let b = (a + a + R::lit(3.0)) / y;
                let ratio = R::repeat(
                    [b, one / b, R::lit(1e300), one / b],
                    20000,
                    #[inline(always)]
                    |[b, d, c, h]| {
                        let b = b + two / y;
                        let d = one / (b - d);
                        let c = b - one / c;
                        let step = c * d;
                        ([b, d, c, h * step], (step - one).abs().gt(R::lit(EPS / 2.0)).and(down))
                    },
                );
                let walk = R::repeat(
                    [a, ratio[3], one, one],
                    STEPS,
                    #[inline(always)]
                    |[k, above, now, scale]| {
                        let more = k.ge(zero).and(down);
                        let below = ((k + k + one) / y).fma(now, -above);
                        let big = below.abs().gt(R::lit(1e200));
                        let shrink = R::select(big, R::lit(1e-200), one);
                        let next = [k - one, now * shrink, below * shrink, scale * shrink];
                        (
                            [
                                next[0],
                                R::select(more, next[1], above),
                                R::select(more, next[2], now),
                                R::select(more, next[3], scale),
                            ],
                            more,
                        )
                    },
                );
                // Now the pair belongs to the orders 0 and -1.
                let [_, first, before, scale] = walk;
                let by_first = first.abs().gt(before.abs());
                [R::select(by_first, s / first, c / before) * scale]
            },
        );
        let out = R::select(z.eq(R::lit(INF)).and(served(n)), zero, parity(n, x, out));
        R::select(ok.or(z.eq(R::lit(INF)).and(served(n))), out, R::lit(f64::NAN))
    })
}

/// Spherical Bessel function of the second kind.
#[inline(always)]
pub fn spherical_yn<R: Real>(n: R, x: R) -> R {
    named!("spherical_yn", |n, x| {
        let z = x.abs();
        let ok = served(n).and(z.lt(R::lit(INF))).and(z.gt(R::lit(0.0)));
        let y = R::select(ok, z, R::lit(1.0));
        let (s, c) = sin_cos(y);
        let (s, c) = (s / y, c / y);
        let value = upward(n, y, s, -c, -1.0, ok);
        let value = R::select(z.eq(R::lit(INF)), R::lit(0.0), value);
        // The parity is that of n + 1.
        let out = R::select(z.eq(R::lit(0.0)), R::lit(-INF), parity(n + R::lit(1.0), x, value));
        R::select(served(n).and(z.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// Modified spherical Bessel function of the first kind.
#[inline(always)]
pub fn spherical_in<R: Real>(n: R, x: R) -> R {
    named!("spherical_in", |n, x| {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let z = x.abs();
        let ok = served(n).and(z.lt(R::lit(INF)));
        // DLMF 10.49.8 ends after n + 1 terms; the other exponential is gone by 20, and few terms cancel below n^2 / 2.
        let far = ok.and(z.gt(R::lit(20.0))).and(z.ge(n * n * half));
        let near = ok.and(far.not());
        let series = power_series(n, z, 1.0, near);
        let [out] = R::when(
            far,
            [series],
            #[inline(always)]
            || {
                let y = R::select(far, z, R::lit(100.0));
                let sum = R::repeat(
                    [zero, one, one],
                    STEPS,
                    #[inline(always)]
                    |[k, t, s]| {
                        let t = -(t * ((n - k) * (n + k + one)) / ((k + one) * (y + y)));
                        let s = s + t;
                        ([k + one, t, s], t.abs().gt(s.abs() * R::lit(EPS / 8.0)).and(far))
                    },
                );
                let root = shared::exp(y * half);
                [root * (sum[2] / (y + y)) * root]
            },
        );
        let out = R::select(z.eq(R::lit(INF)), z, out);
        R::select(served(n).and(z.is_nan().not()), parity(n, x, out), R::lit(f64::NAN))
    })
}

/// Modified spherical Bessel function of the second kind.
#[inline(always)]
pub fn spherical_kn<R: Real>(n: R, x: R) -> R {
    named!("spherical_kn", |n, x| {
        let ok = served(n).and(x.abs().lt(R::lit(INF))).and(x.ne(R::lit(0.0)));
        let negative = x.lt(R::lit(0.0));
        let y = R::select(ok, x.abs(), R::lit(1.0));
        // Far out the exponential leaves the range before the recurrence brings it back.
        let shift = R::select(y.gt(R::lit(600.0)), R::lit(256.0 * LN_2), R::lit(0.0));
        let first = R::lit(FRAC_PI_2) * (shared::exp(shift - y) / y);
        let value = upward(n, y, first, first, 1.0, ok);
        let out = R::select(y.gt(R::lit(600.0)), value * R::lit(2f64.powi(-256)), value);
        // Left of 0 the recurrence would lose what falls to what grows (DLMF 10.47.11, 10.47.17).
        let [out] = R::when(
            negative.and(ok),
            [out],
            #[inline(always)]
            || {
                let half = n * R::lit(0.5);
                let reflected = R::select(half.floor().eq(half), -out, out);
                [reflected - R::lit(PI) * shared::spherical_in(n, y)]
            },
        );
        let out = R::select(x.eq(R::lit(0.0)), R::lit(INF), out);
        let out = R::select(x.eq(R::lit(INF)), R::lit(0.0), R::select(x.eq(R::lit(-INF)), x, out));
        R::select(served(n).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}
