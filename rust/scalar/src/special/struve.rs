//! Struve functions of real order and their derivatives in it.
//!
//! The power series (DLMF 11.2) in double-double arithmetic; for large arguments, of large orders smaller ones too, the asymptotic
//! series of the difference to a Bessel function (DLMF 11.6), all on numbers with derivatives in the order.

use super::bessel_order::power_over_gamma;
use super::dual::{Dual, at, pack};
use super::hypergeometric::{power_of, rgamma_of, unscale};
use super::wide::{Param, enough, series};
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real, asked, each};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, FRAC_2_SQRT_PI, FRAC_PI_2};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// `w^e / Gamma(g)` where both move with the order.
#[inline(always)]
fn front<R: Real, const K: usize>(w: R, e: Param<R>, g: Param<R>) -> Dual<R, K> {
    let v = g.rounded();
    let large = v.gt(R::lit(150.0));
    let near = Param::select(large, Param { value: Dd::lit(1.0, 0.0), speed: g.speed }, g);
    let base = Dd::new(w, R::lit(0.0));
    let low = Param::select(large, Param { value: Dd::lit(1.0, 0.0), speed: e.speed }, e);
    let direct = power_of::<R, K>(base, low.dual()) * rgamma_of(near);
    Dual(R::when(
        large,
        direct.0,
        #[inline(always)]
        || {
            let n = v - R::lit(1.0);
            let value = power_over_gamma(n, w, Dd::lit(0.0, 0.0)) * shared::pow(w, e.rounded() - n);
            let mut f = [value; 3];
            if K > 1 {
                let rate = shared::log(w) - shared::digamma(v);
                f[1] = value * rate;
                if K > 2 {
                    f[2] = value * (rate * rate - shared::trigamma(v));
                }
            }
            e.dual::<K>().chain(f).0
        },
    ))
}

/// Where `dL_v/dv` and its slope in `x` are exponentially smaller than `L_v`.
#[inline(always)]
fn beside_order_0<R: Real>(v: R, x: R) -> R::Mask {
    v.abs().lt(R::lit(0.1)).and(x.gt(R::lit(5.0)))
}

/// `d/dv` and `d2/dvdx` of `I_v - L_v` (DLMF 11.5.4) next to order 0 and not next to the origin, by the rule of H. Takahasi and
/// M. Mori (Publ. RIMS 9, 1974).
#[inline(always)]
fn difference_slopes<R: Real>(v: R, x: R, on: R::Mask) -> [R; 2] {
    const STEP: f64 = 1.0 / 12.0;
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let x = R::select(on, x, R::lit(6.0));
    let e = R::select(on, v, zero) - R::lit(0.5);
    // Behind this the integrand is negligible.
    let end = one.min(R::lit(40.0) / x);
    // The integral, its derivatives in `v` and `x`, and the mixed one
    let [_, sum, slope, fall, mixed] = R::repeat(
        [R::lit(-3.25), zero, zero, zero, zero],
        94,
        #[inline(always)]
        |[s, sum, slope, fall, mixed]| {
            let (up, down) = (shared::exp(s), shared::exp(-s));
            let turn = (up - down) * R::lit(FRAC_PI_2);
            let small = shared::exp(-turn.abs());
            let share = one / (one + small);
            let left = turn.lt(zero);
            // The node and its distance from the end
            let (t, u) = (R::select(left, small * share, share), R::select(left, share, small * share));
            let weight = t * u * ((up + down) * R::lit(FRAC_PI_2 * STEP)) * end;
            let t = t * end;
            let log = shared::log(R::select(end.lt(one), one - t, u)) + shared::log1p(t);
            let f = shared::exp(e * log - x * t) * weight;
            let next = s + R::lit(STEP);
            let down = -(t * f);
            ([next, sum + f, f.fma(log, slope), fall + down, down.fma(log, mixed)], next.lt(R::lit(4.5)).and(on))
        },
    );
    let w = x * R::lit(0.5);
    let g = e + one;
    let front = shared::pow(w, e + R::lit(0.5)) * shared::rgamma(g) * R::lit(FRAC_2_SQRT_PI);
    let (rate, power) = (shared::log(w) - shared::digamma(g), (e + R::lit(0.5)) / x);
    let in_x = power * sum + fall;
    [front * (rate * sum + slope), front * (rate * in_x + sum / x + power * slope + mixed)]
}

/// `d2(I_v - L_v)/dvdx` where [`modstruve_dv`] cannot be differentiated by its recurrence, else NaN.
#[inline(always)]
pub fn modstruve_gap<R: Real>(v: R, x: R) -> R {
    named!("modstruve_gap", |v, x| {
        let beside = beside_order_0(v, x).and(x.lt(R::lit(INF)));
        let [out] = R::when(
            beside,
            [R::lit(NAN)],
            #[inline(always)]
            || [difference_slopes(v, x, beside)[1]],
        );
        out
    })
}

/// Whether the asymptotic series is `H_v(x)` itself for `0 < x < v`: it is what the end 0 of `e^(-xt) (1 + t^2)^(v - 1/2)` adds to the
/// integral DLMF 11.5.2, the saddle point next to it would be the Bessel function, and is less than the unit roundoff of it.
#[inline(always)]
fn before_saddle<R: Real>(v: R, x: R) -> R::Mask {
    let on = v.ge(R::lit(100.0)).and(x.le(v));
    asked::<R>(
        on,
        #[inline(always)]
        || {
            let x = R::select(on, x, R::lit(0.0));
            let t = x / (v + ((v - x) * (v + x)).sqrt());
            (x * t - v * shared::log1p(t * t)).gt(R::lit(42.0))
        },
    )
}

/// The sum of the asymptotic series before the saddle point, all of whose terms are positive.
#[inline(always)]
fn end_series<R: Real, const K: usize>(v: Dual<R, K>, w: R, on: R::Mask) -> Dual<R, K> {
    let r = R::lit(1.0) / (w * w);
    let state = R::repeat(
        pack::<R, K, 2, 1, 9>([Dual::lit(1.0); 2], [R::lit(0.5)]),
        200,
        #[inline(always)]
        |state| {
            let (term, sum, k) = (at::<R, K, 9>(&state, 0), at::<R, K, 9>(&state, 1), state[8]);
            let next = term * (v - Dual::constant(k)).times(k * r);
            let sum = sum + next;
            let mut go = R::Mask::lit(false);
            for s in 0..K {
                go = go.or(next.0[s].abs().gt(sum.0[s].abs() * R::lit(1e-17)));
            }
            let shrinks = next.value().lt(term.value());
            (pack([next, sum], [k + R::lit(1.0)]), go.and(shrinks).and(on))
        },
    );
    at(&state, 1)
}

/// `H_v(x)` or, `MODIFIED`, `L_v(x)`, or a derivative in `v`.
#[inline(always)]
fn struve_of<R: Real, const K: usize, const MODIFIED: bool>(v: R, x: R) -> R {
    let (zero, half, one, inf, nan) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(INF), R::lit(NAN));
    let y = x.abs();
    let whole = v.floor().eq(v);
    let on = v.abs().lt(R::lit(1e5)).and(y.gt(zero)).and(y.lt(inf));
    let order = Param::select(on, Param::new(v, [one; 2]), Param::lit(0.0));
    let vanishes = x.eq(zero).and(v.gt(-one)).and(v.lt(inf));
    let v = R::select(on, v, zero);
    let y = R::select(on, y, one);
    let w = y * half;
    let far = if MODIFIED {
        on.and(y.ge(R::lit(if K == 1 { 100.0 } else { 36.0 }))).and(v.abs().le(R::lit(30.0)))
    } else {
        on.and(y.ge(R::lit(36.0))).and(y.gt(v.abs()).or(before_saddle(v, y)))
    };
    let out = R::when(
        far,
        [zero, zero],
        #[inline(always)]
        || {
            // DLMF 11.6.1, 11.6.2
            let inverse = Dd::lit(if MODIFIED { 1.0 } else { -1.0 }, 0.0) / Dd::two_prod(w, w);
            let shift = order.plus(0.5);
            let unit = Param::lit(1.0);
            let beyond = far.and(y.gt(v.abs()));
            let s = series::<R, K, 3, 0, true>(
                [Param::lit(0.5), unit - shift, unit],
                [],
                inverse,
                200,
                R::lit(1e-17),
                beyond,
            );
            let before = far.and(beyond.not());
            let sum = Dual(R::when(
                before,
                s.value.rounded().0,
                #[inline(always)]
                || end_series(order.dual::<K>(), w, before).0,
            ));
            let front = front::<R, K>(w, order.plus(-1.0), shift);
            let rest = (front * sum).top() * R::lit(0.5 * FRAC_2_SQRT_PI);
            // What the series leaves counts beside the sum.
            let left = front.size() * s.last.rounded().size();
            let total = if MODIFIED {
                let root = shared::exp(y * half);
                let scaled = match K {
                    1 => shared::ive(-v, y),
                    2 => -shared::ive_dv(-v, y),
                    _ => shared::ive_dvv(-v, y),
                };
                scaled * root * root - rest
            } else {
                let [bessel] = R::when(
                    beyond,
                    [zero],
                    #[inline(always)]
                    || {
                        [match K {
                            1 => shared::yv(v, y),
                            2 => shared::yv_dv(v, y),
                            _ => shared::yv_dvv(v, y),
                        }]
                    },
                );
                bessel + rest
            };
            [
                total,
                R::select(
                    s.good.or(before).or(left.lt(total.abs() * R::lit(if K == 1 { 1e-17 } else { 1e-15 }))),
                    one,
                    zero,
                ),
            ]
        },
    );
    let near = on.and(out[1].eq(zero));
    let [out] = R::when(
        near,
        [out[0]],
        #[inline(always)]
        || {
            // Terms up to a pole of the gamma function vanish, if not their derivatives, which next to one are added term by term.
            let last = (-v - half).round();
            let beside = R::lit(if K == 1 { 0.0 } else { 0.1 });
            let gone = last.gt(zero).and((last + v + half).abs().le(beside));
            let skip = R::select(gone, last, zero);
            let step = |d: R| order.step(d + d);
            let sign = if MODIFIED { 1.0 } else { -1.0 };
            let mut first = Dual::<R, K>::lit(0.0);
            if K > 1 {
                let state = R::repeat(
                    [zero; 5],
                    1000,
                    #[inline(always)]
                    |state| {
                        let k = state[4];
                        let go = k.lt(skip);
                        let at = k + R::lit(1.5);
                        let term = front::<R, K>(w, step(k).plus(1.0), order.step(at)).times(shared::rgamma(at));
                        let odd = (k * half).floor().ne(k * half);
                        let term = if MODIFIED { term } else { Dual::select(odd, -term, term) };
                        let mut next = [k + one; 5];
                        for (i, slot) in next[..4].iter_mut().enumerate() {
                            let t = if i < K { term.0[i] } else { zero };
                            *slot = R::select(go, state[i] + t, state[i]);
                        }
                        (next, (k + one).lt(skip).and(near))
                    },
                );
                first = Dual(each(
                    #[inline(always)]
                    |i| state[i],
                ));
            }
            let low = skip + R::lit(1.5);
            let q = Param::select(near, order.step(low), Param::lit(1.5));
            let z = Dd::two_prod(w, w).times_pow2(R::lit(sign));
            let z = Dd::select(near, z, Dd::lit(0.0, 0.0));
            let s = series::<R, K, 1, 2, false>(
                [Param::lit(1.0)],
                [Param::new(low, [zero; 2]), q],
                z,
                20_000,
                R::lit(enough(K)),
                near,
            );
            let odd = (skip * half).floor().ne(skip * half);
            let flip = if MODIFIED { one } else { R::select(odd, -one, one) };
            let value =
                (front::<R, K>(w, step(skip).plus(1.0), q) * s.value.rounded()).top() * shared::rgamma(low) * flip;
            let lost = s.largest.gt(s.value.0[0].hi.abs() * R::lit(1e26));
            let lost = if K == 1 { lost } else { lost.and(R::Mask::lit(false)) };
            let value = unscale(Dual::<R, 1>([value]), s.scale, zero).value() + first.top();
            [R::select(s.good.and(lost.not()), value, nan)]
        },
    );
    let out = if MODIFIED && K == 2 {
        let beside = near.and(beside_order_0(v, y));
        let [out] = R::when(
            beside,
            [out],
            #[inline(always)]
            || {
                let root = shared::exp(y * half);
                [shared::ive_dv(v, y) * root * root - difference_slopes(v, y, beside)[0]]
            },
        );
        out
    } else {
        out
    };
    // The limit of the derivatives in the order
    let out = R::select(vanishes, zero, R::select(on, out, nan));
    let odd = (v * half).floor().ne(v * half);
    let out = R::select(x.lt(zero).and(odd.not()), -out, out);
    let mirrored = if K == 1 { whole } else { whole.and(R::Mask::lit(false)) };
    R::select(x.lt(zero).and(mirrored.not()), nan, out)
}

/// Limits at the origin and at infinity, which the two functions share.
#[inline(always)]
fn limits<R: Real>(v: R, x: R, out: R, at_infinity: R) -> R {
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
    let whole = v.floor().eq(v);
    let factor = shared::rgamma(v + R::lit(1.5));
    let pole = R::select(factor.eq(zero), zero, inf.copysign(factor));
    let at_zero = R::select(v.gt(-one), zero, R::select(v.eq(-one), R::lit(2.0 * FRAC_1_PI), pole));
    let out = R::select(x.eq(zero).and(v.abs().lt(inf)), at_zero, out);
    let half = v * R::lit(0.5);
    let odd = half.floor().ne(half);
    let side = R::select(x.lt(zero).and(odd.not()), -at_infinity, at_infinity);
    let side = R::select(x.lt(zero).and(whole.not()), R::lit(NAN), side);
    let out = R::select(x.abs().eq(inf).and(v.abs().lt(inf)), side, out);
    R::select(v.is_nan().or(x.is_nan()), R::lit(NAN), out)
}

/// Struve function `H_v(x)`.
#[inline(always)]
pub fn struve<R: Real>(v: R, x: R) -> R {
    named!("struve", |v, x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let constant = R::select(v.eq(one), R::lit(2.0 * FRAC_1_PI), R::lit(INF));
        limits(v, x, struve_of::<R, 1, false>(v, x), R::select(v.lt(one), zero, constant))
    })
}

/// `dH_v/dv`.
#[inline(always)]
pub fn struve_dv<R: Real>(v: R, x: R) -> R {
    named!("struve_dv", |v, x| struve_of::<R, 2, false>(v, x))
}

/// `d2H_v/dv2`.
#[inline(always)]
pub fn struve_dvv<R: Real>(v: R, x: R) -> R {
    named!("struve_dvv", |v, x| struve_of::<R, 4, false>(v, x))
}

/// Modified Struve function `L_v(x)`.
#[inline(always)]
pub fn modstruve<R: Real>(v: R, x: R) -> R {
    named!("modstruve", |v, x| limits(v, x, struve_of::<R, 1, true>(v, x), R::lit(INF)))
}

/// `dL_v/dv`.
#[inline(always)]
pub fn modstruve_dv<R: Real>(v: R, x: R) -> R {
    named!("modstruve_dv", |v, x| struve_of::<R, 2, true>(v, x))
}

/// `d2L_v/dv2`.
#[inline(always)]
pub fn modstruve_dvv<R: Real>(v: R, x: R) -> R {
    named!("modstruve_dvv", |v, x| struve_of::<R, 4, true>(v, x))
}
