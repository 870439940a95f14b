//! The generalized exponential integral and its derivatives in the order (DLMF 8.19).
//!
//! A continued fraction right of 1 and for large orders, else the power series, whose terms with poles at integral orders are taken
//! together: with `p = m + e` and `|e| <= 1/2` each of them is `1/e` plus what is left, of which the former is left out. Orders that
//! are not positive come down from those between 0 and 1 in sums of positive terms.

use super::dual::{Dual, at, pack};
use super::tables as t;
use crate::named;
use crate::real::{Mask, Real, inlined, mapped};
use crate::shared;

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;
/// The fraction is short from this order on, also where `x` is small.
const LARGE: f64 = 24.0;
/// Orders from here down are NaN: each takes a step.
const LOWEST: f64 = -1000.0;

/// `b - a d`.
#[inline(always)]
fn less_product<R: Real, const K: usize>(b: Dual<R, K>, a: Dual<R, K>, d: Dual<R, K>) -> Dual<R, K> {
    let mut out = b;
    for s in 0..K {
        for part in 0..=s {
            if part & !s == 0 {
                out.0[s] = (-a.0[part]).fma(d.0[s ^ part], out.0[s]);
            }
        }
    }
    out
}

#[inline(always)]
fn inverse<R: Real, const K: usize>(v: Dual<R, K>) -> Dual<R, K> {
    let r = R::lit(1.0) / v.value();
    let square = r * r;
    v.chain([r, -square, (r + r) * square])
}

/// `e^x E_p(x)` for `p > 0` by the continued fraction DLMF 8.19.17, as a sum of positive terms (Steed): convergents by their products
/// would gather the roundings of all steps. For `1 - x < p <= 0` the first terms have both signs.
#[inline(always)]
pub(super) fn fraction<R: Real, const K: usize>(p: Dual<R, K>, x: R, on: R::Mask) -> Dual<R, K> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let x = R::select(on, x, two);
    let order = R::select(on, p.value(), one);
    let moved = inlined(
        #[inline(always)]
        |v: R| {
            let mut out = p;
            out.0[0] = v;
            out
        },
    );
    let start = inverse(moved(x + order));
    let out = R::repeat(
        pack::<R, K, 3, 2, 14>([start; 3], [zero, x + order]),
        200,
        #[inline(always)]
        |state| {
            let (d, term, sum) = (at::<R, K, 14>(&state, 0), at::<R, K, 14>(&state, 1), at::<R, K, 14>(&state, 2));
            let (i, b) = (state[12] + one, state[13] + two);
            let a = moved(order - one + i).times(i);
            let next = inverse(less_product(moved(b), a, d));
            let term = term * (a * d * next);
            let sum = sum + term;
            let mut go = R::Mask::lit(false);
            for s in 0..K {
                go = go.or(term.0[s].abs().gt(sum.0[s].abs() * R::lit(EPS / 16.0)));
            }
            (pack([next, term, sum], [i, b]), go.and(on))
        },
    );
    at(&out, 2)
}

/// `E_{m + e}(x)` for `x < 1`, `0 <= m` and `|e| <= 1/2`, DLMF 8.19.10.
#[inline(always)]
fn series<R: Real, const K: usize>(m: R, e: R, x: R, on: R::Mask) -> Dual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (m, x) = (R::select(on, m, one), R::select(on, x, R::lit(0.5)));
    let e = Dual::<R, K>::variable(R::select(on, e, zero), 3);
    let unit = Dual::<R, K>::lit(1.0);
    // x^e, and what it has more than 1 over e
    let log = shared::log(x);
    let rise = e.times(log);
    let power = shared::exp(rise.value());
    let power = rise.chain([power; 3]);
    let mut excess = unit;
    for k in (2..23).rev() {
        excess = (excess * rise).scaled(1.0 / f64::from(k)).plus(1.0);
    }
    let far = rise.value().abs().ge(one);
    let over = Dual::select(far, e, unit);
    let excess = Dual::select(far, power.plus(-1.0) / over, excess.times(log));
    // The same of gamma(1 - e)
    let square = e * e;
    let (mut even, mut odd) = (Dual::lit(0.0), Dual::lit(0.0));
    for (&a, &b) in t::RGAMMA_EVEN[1..].iter().zip(&t::RGAMMA_ODD).rev() {
        (even, odd) = ((even * square).plus(a), (odd * square).plus(b));
    }
    let reciprocal = e * even + odd;
    let gap = -(reciprocal / (e * reciprocal + unit));
    // Without a pole
    let first = (power * (e * gap + unit)).0;
    let start = Dual(mapped(
        first,
        #[inline(always)]
        |c| R::select(m.eq(zero), c / x, zero),
    ));
    let out = R::repeat(
        pack::<R, K, 2, 2, 10>([gap, start], [zero, one]),
        30,
        #[inline(always)]
        |state| {
            let (gap, sum) = (at::<R, K, 10>(&state, 0), at::<R, K, 10>(&state, 1));
            let (k, term) = (state[8], state[9]);
            let next = k + one;
            let special = next.eq(m);
            let factor = e * gap + unit;
            let both = -(excess * factor + gap);
            let distance = e + Dual::constant(R::select(special, one, m - next));
            let part = Dual::select(special, both, inverse(distance));
            let gap = gap - factor * inverse(e + Dual::constant(next));
            let more = term.abs().gt(R::lit(1e-20)).or(next.lt(m));
            (pack([gap, sum + part.times(term)], [next, -(term * x) / next]), more.and(on))
        },
    );
    at(&out, 1)
}

/// `E_p(x)` of positive arguments.
#[inline(always)]
fn of_order<R: Real, const K: usize>(p: R, x: R, on: R::Mask) -> Dual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let m = p.round();
    let e = p - m;
    // The order from which to come down
    let down = p.le(zero);
    let top = R::select(down, R::select(e.le(zero), one, zero), m);
    let order = R::select(down, top + e, p);
    let near = on.and(x.lt(one)).and(order.lt(R::lit(LARGE)));
    let far = on.and(near.not());
    let decay = shared::exp(-x);
    let out = R::when(
        near,
        [zero; 4],
        #[inline(always)]
        || pack([series::<R, K>(top, e, x, near)], []),
    );
    let out = R::when(
        far,
        out,
        #[inline(always)]
        || pack([fraction(Dual::<R, K>::variable(order, 3), x, far).times(decay)], []),
    );
    let low = on.and(down);
    let out = R::when(
        low,
        out,
        #[inline(always)]
        || {
            // DLMF 8.19.12
            let state = R::repeat(
                pack::<R, K, 1, 1, 5>([at(&out, 0)], [top]),
                -LOWEST as u32 + 1,
                #[inline(always)]
                |state| {
                    let (value, k) = (at::<R, K, 5>(&state, 0), state[4] - one);
                    let more = k.ge(m).and(low);
                    // Products with constant parts would be NaN where the value overflows.
                    let mut below = value.times(-(k + e));
                    below.0[0] = below.0[0] + decay;
                    for s in 1..K {
                        for bit in [1, 2] {
                            if s & bit != 0 {
                                below.0[s] = below.0[s] - value.0[s ^ bit];
                            }
                        }
                    }
                    let below = Dual(mapped(
                        below.0,
                        #[inline(always)]
                        |c| c / x,
                    ));
                    (pack([Dual::select(more, below, value)], [k]), more)
                },
            );
            pack([at::<R, K, 5>(&state, 0)], [])
        },
    );
    at::<R, K, 4>(&out, 0)
}

/// `E_n(x)` of positive arguments for integral `n`.
#[inline(always)]
fn of_integer<R: Real>(n: R, x: R, on: R::Mask) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let decay = shared::exp(-x);
    let low = n.le(zero).and(on);
    let series = on.and(low.not()).and(x.le(one));
    let tail = on.and(low.not()).and(series.not());
    // DLMF 8.19.12 downwards from E_0 = e^-x / x
    let [below] = R::when(
        low,
        [zero],
        #[inline(always)]
        || {
            let start = decay / x;
            let out = R::repeat(
                [zero, start],
                -LOWEST as u32,
                #[inline(always)]
                |[m, v]| {
                    let m = m + one;
                    let more = m.le(-n).and(low);
                    ([m, R::select(more, (decay + m * v) / x, v)], more)
                },
            );
            [out[1]]
        },
    );
    // DLMF 8.19.8: sum over k != n - 1 of (-x)^k / (k! (n - 1 - k)), and the logarithmic term at k = n - 1
    let [power] = R::when(
        series,
        [zero],
        #[inline(always)]
        || {
            let n = R::select(series, n, one);
            let x = R::select(series, x, one);
            let at_pole = shared::digamma(n) - shared::log(x);
            let out = R::repeat(
                [zero, one, zero],
                30,
                #[inline(always)]
                |[k, term, sum]| {
                    let gap = n - one - k;
                    let special = gap.eq(zero);
                    let part = R::select(special, at_pole, one / gap);
                    let sum = sum + term * part;
                    let next = -(term * x) / (k + one);
                    ([k + one, next, sum], term.abs().gt(R::lit(1e-19)).or(k.lt(n)).and(series))
                },
            );
            [out[2]]
        },
    );
    let [fraction] = R::when(
        tail,
        [power],
        #[inline(always)]
        || [decay * fraction(Dual::<R, 1>::constant(n), x, tail).value()],
    );
    R::select(low, below, fraction)
}

/// What holds on the border of the quarter plane, which is 0 at infinity, and beyond it.
#[inline(always)]
fn with_limits<R: Real>(n: R, x: R, value: R, at_zero: R) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let out = R::select(x.eq(zero), at_zero, value);
    let out = R::select(x.eq(inf).or(n.eq(inf)), zero, out);
    R::select(x.ge(zero).and(n.gt(R::lit(LOWEST))), out, R::lit(f64::NAN))
}

/// Where an order and an argument are those of the algorithms.
#[inline(always)]
fn inside<R: Real>(n: R, x: R) -> R::Mask {
    let inf = R::lit(INF);
    x.gt(R::lit(0.0)).and(x.lt(inf)).and(n.gt(R::lit(LOWEST))).and(n.lt(inf))
}

#[inline(always)]
fn expn_any<R: Real>(n: R, x: R) -> R {
    let one = R::lit(1.0);
    let on = inside(n, x);
    let whole = n.floor().eq(n);
    let out = of_integer(n, x, on.and(whole));
    let between = on.and(whole.not());
    let [out] = R::when(
        between,
        [out],
        #[inline(always)]
        || [of_order::<R, 1>(n, x, between).value()],
    );
    let at_zero = R::select(n.gt(one), one / (n - one), R::lit(INF));
    with_limits(n, x, out, at_zero)
}

/// The exponential integral `E_n(x)` of real order `n >= 0`.
#[inline(always)]
pub fn expn<R: Real>(n: R, x: R) -> R {
    named!("expn", |n, x| R::select(n.ge(R::lit(0.0)), expn_any(n, x), R::lit(f64::NAN)))
}

/// `E_n(x)` of any order, for derivatives.
#[inline(always)]
pub fn expn_below<R: Real>(n: R, x: R) -> R {
    named!("expn_below", |n, x| expn_any(n, x))
}

/// The derivative of [`expn_below`] in the order.
#[inline(always)]
pub fn expn_dn<R: Real>(n: R, x: R) -> R {
    named!("expn_dn", |n, x| {
        let r = R::lit(1.0) / (n - R::lit(1.0));
        let at_zero = R::select(n.gt(R::lit(1.0)), -(r * r), R::lit(-INF));
        with_limits(n, x, of_order::<R, 2>(n, x, inside(n, x)).top(), at_zero)
    })
}

/// The second derivative of [`expn_below`] in the order.
#[inline(always)]
pub fn expn_dnn<R: Real>(n: R, x: R) -> R {
    named!("expn_dnn", |n, x| {
        let r = R::lit(1.0) / (n - R::lit(1.0));
        let at_zero = R::select(n.gt(R::lit(1.0)), (r + r) * r * r, R::lit(INF));
        with_limits(n, x, of_order::<R, 4>(n, x, inside(n, x)).top(), at_zero)
    })
}
