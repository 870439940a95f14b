//! Classical orthogonal polynomials of integral degree by their recurrences (DLMF 18.9), with derivatives in the parameters
//! carried along, and the hypergeometric functions of other degrees (DLMF 18.5) that they are cases of.

use super::coefficients as t;
use super::dual::{Dual, at, pack};
use super::jacobi_sum::{JacobiSteps, jacobi_start};
use super::recurrence::{DOUBTED, Pair, Recurrence, SPENT, error_of, or_another, stepped};
use super::wide::{Param, Wide};
use crate::complex::Complex;
use crate::dd::Dd;
use crate::elementary::{self, LN2};
use crate::named;
use crate::real::{Bits, Mask, Real, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{EULER_GAMMA, FRAC_1_PI};

/// Degrees above this are NaN: the work grows with the degree.
pub(crate) const MAX_DEGREE: f64 = 100_000.0;

#[inline(always)]
pub(crate) fn whole<R: Real>(n: R) -> R::Mask {
    n.floor().eq(n)
}

/// The degrees of polynomials.
#[inline(always)]
pub(crate) fn served<R: Real>(n: R) -> R::Mask {
    whole(n).and(n.ge(R::lit(0.0))).and(n.le(R::lit(MAX_DEGREE)))
}

/// The degrees of functions that are no polynomials.
#[inline(always)]
pub(crate) fn between<R: Real>(n: R) -> R::Mask {
    inside(n).and(served(n).not())
}

#[inline(always)]
pub(crate) fn inside<R: Real>(n: R) -> R::Mask {
    n.abs().le(R::lit(MAX_DEGREE))
}

/// `Gamma(n + c) / (Gamma(n + 1) Gamma(c))`, a Jacobi polynomial at 1.
#[inline(always)]
pub fn end_value<R: Real>(n: R, c: R) -> R {
    named!("end_value", |n, c| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        // Far from poles
        let smooth = c.gt(zero).and(n.ge(R::lit(4.0))).and(whole(n).not().or(n.gt(R::lit(100.0))));
        let [value] = R::when(
            smooth.not(),
            [one],
            #[inline(always)]
            || {
                // The first form is exact next to the poles of both, but overflows first.
                let few = n.gt(R::lit(-0.5)).and(n.lt(c).or(n.lt(R::lit(100.0))));
                let (low, step) = (R::select(few, c, n + one), R::select(few, n, c - one));
                [shared::poch(low, step) * shared::rgamma(R::select(few, n + one, c))]
            },
        );
        let large = n.abs().max(c.abs()).gt(R::lit(100.0));
        let [value] = R::when(
            smooth.or(large),
            [value],
            #[inline(always)]
            || {
                let whole = one / ((n + c) * shared::beta(c, n + one));
                let known = whole.abs().gt(zero).and(whole.abs().lt(R::lit(f64::INFINITY)));
                let value = R::select(vanishes(n, c, c), zero, value);
                [R::select(smooth.or(known), whole, value)]
            },
        );
        value
    })
}

/// A factor of what may be large: NaN where it has lost digits next to 0.
#[inline(always)]
fn safe_factor<R: Real>(value: R) -> R {
    R::select(value.abs().gt(R::lit(1e-290)), value, R::lit(f64::NAN))
}

/// A Jacobi polynomial at 1 as such a factor.
#[inline(always)]
pub(crate) fn end_factor<R: Real>(n: R, c: R) -> R {
    safe_factor(shared::end_value(n, c))
}

/// A Gegenbauer polynomial over the Jacobi polynomial of parameters `a - 1/2` (DLMF 18.7.1), where both may be 0 at 1 by the reflection
/// of their values there.
#[inline(always)]
pub(crate) fn gegenbauer_over_jacobi<R: Real>(n: R, a: R) -> R {
    let (half, one, twice) = (R::lit(0.5), R::lit(1.0), a + a);
    let reflected = (n + twice).gt(R::lit(0.0));
    let beta = inlined(
        #[inline(always)]
        |c: R| safe_factor(shared::beta(R::select(reflected, n + c, one), R::select(reflected, one - c, one))),
    );
    let sine = shared::sinpi(a);
    let usual = end_factor(n, twice) / end_factor(n, a + half);
    R::select(reflected, (sine + sine) * beta(twice) / beta(a + half), usual)
}

/// `a`, and a little more where `c`, as far from it as a whole number or 1/2 is, is a pole of the hypergeometric function and not one
/// of the value at the end too, whose argument is `top`: what both leave has all digits there. The last bit of numbers of fewer digits
/// is `unit` times as large.
#[inline(always)]
pub fn off_pole<R: Real>(a: R, c: R, top: R, unit: R) -> R {
    named!("off_pole", |a, c, top, unit| {
        let zero = R::lit(0.0);
        let pole = inlined(
            #[inline(always)]
            |v: R| whole(v).and(v.le(zero)),
        );
        // So much that sums and the double of it are exact
        let size = a.abs() * R::lit(4.0) + R::lit(2.0);
        let step = R::from_bits(size.to_bits().add(R::Bits::lit(1))) - size;
        R::select(pole(c).and(pole(top).not()), a + step * unit, a)
    })
}

/// The parameter of [`off_pole`] where the degree is not that of a polynomial, which has no poles.
#[inline(always)]
pub(crate) fn between_off_pole<R: Real>(n: R, a: R, c: R, top: R) -> R {
    let on = between(n);
    let [out] = R::when(
        on,
        [a],
        #[inline(always)]
        || [off_pole(a, c, top, R::lit(1.0))],
    );
    out
}

/// Whether a recurrence climbs from the fraction of the degree to `n`, as sums of many terms lose digits: not next to -1, where the
/// function of the fraction is infinite like `(1 + x)^-b`, nor left of 1 where it is so large or small that later ones keep none of its
/// digits; `under` is as large as `1 + x`.
#[inline(always)]
pub(crate) fn climbs<R: Real>(n: R, b: R, under: R) -> R::Mask {
    let flat = flat(b, under);
    let b = b.max(R::lit(0.0));
    let near = n * under.abs() * R::lit(0.5) * (b + R::lit(3.0));
    between(n).and(n.ge(R::lit(8.0))).and(near.gt(b)).and(flat)
}

/// Whether an exponent at -1 leaves a recurrence its digits: up to 6 everywhere, and a positive one to the right, where what is lost is
/// about `e` to the power of `b (1 - x)^2 / 4`.
#[inline(always)]
fn flat<R: Real>(b: R, under: R) -> R::Mask {
    let part = (R::lit(1.0) - under.abs() * R::lit(0.5)).max(R::lit(0.0));
    b.abs().le(R::lit(6.0)).or(b.gt(R::lit(0.0)).and((b * part * part).le(R::lit(5.0))))
}

/// Whether the terms of [`gauss_pair`] do not grow, and a recurrence from there keeps its digits; `under` as in [`climbs`].
#[inline(always)]
pub(crate) fn mild<R: Real>(n: R, l: R, c: R, under: R) -> R::Mask {
    let (half, one) = (R::lit(0.5), R::lit(1.0));
    let flat = n.lt(one).or(flat(l - c, under));
    between(n).and(flat).and(n.gt(-one)).and(c.gt(R::lit(0.0))).and(l.ge(-half)).and(l.le(c + c + one))
}

/// `F(-n, n + l; c; (1 - x) / 2)` at `n` and `n + 1` for `-1 < n < 1`, `below = x - 1` right of -1 by the power series or that of Pfaff's
/// transformation (DLMF 15.8.1).
#[inline(always)]
fn gauss_pair<R: Real>(n: R, l: R, c: R, below: R) -> [R; 2] {
    let one = R::lit(1.0);
    let w = below * R::lit(-0.5);
    let turn = w.lt(R::lit(-0.5));
    let z = R::select(turn, w / (w - one), w);
    let m = n + one;
    let (b, d) = (R::select(turn, c - n - l, n + l), R::select(turn, c - m - l, m + l));
    let sums = R::repeat(
        [one, one, one, one, R::lit(0.0)],
        2000,
        #[inline(always)]
        |[s, t, u, v, k]| {
            let ratio = z / ((c + k) * (k + one));
            let (t, v) = (t * (k - n) * (b + k) * ratio, v * (k - m) * (d + k) * ratio);
            let go = t.abs().gt(R::lit(1e-18) * s.abs()).or(v.abs().gt(R::lit(1e-18) * u.abs()));
            ([s + t, t, u + v, v, k + one], go)
        },
    );
    let base = R::select(turn, one - w, one);
    let power = shared::pow(base, n);
    [sums[0] * power, sums[2] * power * base]
}

/// Whether `end_value` is 0: at negative integers, unless both gamma functions have poles; `a` is as far from whole numbers as `c`.
#[inline(always)]
pub(crate) fn vanishes<R: Real>(n: R, a: R, c: R) -> R::Mask {
    let zero = R::lit(0.0);
    whole(n).and(n.lt(zero)).and(whole(a).and((n + c).le(zero)).not())
}

/// Where a recurrence to `n` starts, and the values there and at the degree above it: 1 and `first` for polynomials, else, where
/// `on`, `front` times `F(-n, n + l; c; (1 - x) / 2)` of its own fraction if it `climbs`, of `n` itself if not, and 0 where there is
/// `none`; `below = x - 1`.
#[inline(always)]
fn started<R: Real>(
    n: R,
    below: R,
    first: R,
    [on, climbs, none]: [R::Mask; 3],
    [l, c]: [R; 2],
    front: impl Fn(R) -> R,
) -> (R, [Dual<R, 1>; 2]) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let near_end = below.ge(-one).and(below.le(R::lit(99.0)));
    let quick = on.and(none.not()).and(mild(n, l, c, below + R::lit(2.0))).and(near_end);
    let climbs = climbs.or(quick.and(n.ge(one)));
    let from = R::select(on, R::select(climbs, n - n.floor(), n), zero);
    let pair = R::when(
        quick,
        [one, first],
        #[inline(always)]
        || {
            let n = R::select(quick, from, zero);
            let [low, high] =
                gauss_pair(n, R::select(quick, l, one), R::select(quick, c, one), R::select(quick, below, zero));
            [front(n) * low, front(n + one) * high]
        },
    );
    let value = inlined(
        #[inline(always)]
        |n: R| [front(n) * shared::hyp2f1(-n, n + l, c, below * R::lit(-0.5))],
    );
    let slow = on.and(quick.or(none).not());
    let [low] = R::when(
        slow,
        [R::select(none, zero, pair[0])],
        #[inline(always)]
        || value(R::select(slow, from, zero)),
    );
    let above = slow.and(climbs);
    let [high] = R::when(
        above,
        [pair[1]],
        #[inline(always)]
        || value(R::select(above, from, zero) + one),
    );
    (from, [Dual([low]), Dual([high])])
}

/// `p_n` from `p_1` and what goes with it, where `step(k, p_k, ..)` is what goes with `p_{k + 1}` and that.
#[inline(always)]
fn recurrence<R: Real, const K: usize>(
    n: R,
    first: [Dual<R, K>; 2],
    step: impl Fn(R, Dual<R, K>, Dual<R, K>) -> [Dual<R, K>; 2],
) -> Dual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let on = inside(n).and(n.ge(zero)).and(whole(n));
    let state = R::repeat(
        pack::<R, K, 2, 1, 9>(first, [one]),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let (beside, now, k) = (at(&state, 0), at(&state, 1), state[8]);
            let more = k.lt(n).and(on);
            let [with, next] = step(k, now, beside);
            (pack([Dual::select(more, with, beside), Dual::select(more, next, now)], [k + one]), more)
        },
    );
    let p = Dual::select(n.eq(zero), Dual::lit(1.0), at(&state, 1));
    Dual::select(on, p, Dual::nan())
}

/// Three duals and a number as the `3 K + 1` numbers of a state; [`pack`] takes four places for each dual.
#[inline(always)]
fn side_by_side<R: Real, const K: usize, const N: usize>(duals: [Dual<R, K>; 3], k: R) -> [R; N] {
    each(
        #[inline(always)]
        |i| if i < 3 * K { duals[i / K].0[i % K] } else { k },
    )
}

#[inline(always)]
fn taken_apart<R: Real, const K: usize, const N: usize>(state: &[R; N]) -> ([Dual<R, K>; 3], R) {
    let duals = each(
        #[inline(always)]
        |d| {
            Dual(each(
                #[inline(always)]
                |i| state[d * K + i],
            ))
        },
    );
    (duals, state[N - 1])
}

/// `p_n` from `p_k` and `p_{k + 1}` at `k = from`, and from `d = p_{k + 1} - r p_k`, where `r` is the ratio at 1: next to 1 these are
/// small, and roundings of the values do not add up in them. `step(k, [p_k, p_{k - 1}, d_k])` is `[p_{k + 1}, d_{k + 1}]`; `N` is
/// `3 K + 1`.
#[inline(always)]
fn dual_differences<R: Real, const K: usize, const N: usize>(
    n: R,
    from: R,
    [low, high, d]: [Dual<R, K>; 3],
    step: impl Fn(R, [Dual<R, K>; 3]) -> [Dual<R, K>; 2],
) -> Dual<R, K> {
    let one = R::lit(1.0);
    let on = inside(n).and(n.ge(from)).and(whole(n - from));
    // The rounded start of a small degree may end next to it.
    let last = n - R::lit(0.5);
    let state = R::repeat(
        side_by_side::<R, K, N>([low, high, d], from + one),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let ([before, now, d], k) = taken_apart(&state);
            let more = k.lt(last).and(on);
            let [next, gap] = step(k, [now, before, d]);
            let kept = inlined(
                #[inline(always)]
                |new: Dual<R, K>, old: Dual<R, K>| Dual::select(more, new, old),
            );
            (side_by_side([kept(now, before), kept(next, now), kept(gap, d)], k + one), more)
        },
    );
    let ([_, value, _], _) = taken_apart(&state);
    Dual::select(on, Dual::select(n.eq(from), low, value), Dual::nan())
}

/// The same without derivatives.
#[inline(always)]
fn in_differences<R: Real>(n: R, from: R, start: [R; 3], step: impl Fn(R, [R; 3]) -> [R; 2]) -> R {
    let out = dual_differences::<R, 1, 4>(
        n,
        from,
        mapped(
            start,
            #[inline(always)]
            |v| Dual([v]),
        ),
        #[inline(always)]
        |k, [Dual([p]), Dual([q]), Dual([d])]| {
            let [next, gap] = step(k, [p, q, d]);
            [Dual([next]), Dual([gap])]
        },
    );
    out.value()
}

/// The same from `p_0 = 1` and `p_1`, where `step(k, p_k, p_{k - 1})` is `p_{k + 1}`.
#[inline(always)]
fn polynomial<R: Real>(n: R, first: R, step: impl Fn(R, R, R) -> R) -> R {
    let out = recurrence(
        n,
        [Dual::lit(1.0), Dual([first])],
        #[inline(always)]
        |k, p, q| [p, Dual([step(k, p.value(), q.value())])],
    );
    out.value()
}

/// A value of even or odd degree at `|x|` as one at `x`.
#[inline(always)]
fn parity<R: Real>(n: R, x: R, value: R) -> R {
    let odd = whole(n).and(whole(n * R::lit(0.5)).not());
    R::select(odd.and(x.lt(R::lit(0.0))), -value, value)
}

/// The infinity of a value's sign right of its zeros, or left of them at an integral degree, where the recurrence answers NaN for one.
#[inline(always)]
fn grown<R: Real>(n: R, x: R, beyond: R::Mask, value: R) -> R {
    let known = inside(n).and(n.gt(R::lit(0.0))).and(x.gt(R::lit(0.0)).or(whole(n)));
    R::select(value.is_nan().and(beyond).and(known), parity(n, x, R::lit(f64::INFINITY)), value)
}

/// The angle of the cosine `|x|`, of `x` itself where the degree has no parity.
#[inline(always)]
fn angle<R: Real>(n: R, x: R, y: R) -> R {
    let angle = shared::acos(y);
    R::select(whole(n).not().and(x.lt(R::lit(0.0))), R::lit(std::f64::consts::PI) - angle, angle)
}

/// `x - 1` and `-x - 1`.
#[inline(always)]
fn ends<R: Real>(x: R) -> [Dd<R>; 2] {
    let one = R::lit(-1.0);
    [Dd::two_sum(x, one), Dd::two_sum(-x, one)]
}

/// `2x - 1` and its [`ends`].
#[inline(always)]
fn shifted<R: Real>(x: R) -> (R, [Dd<R>; 2]) {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let twice = two * x;
    (twice - one, [Dd::two_sum(x, -one).times_pow2(two), Dd::new(-twice, R::lit(0.0))])
}

/// Legendre polynomial.
#[inline(always)]
pub fn eval_legendre<R: Real>(n: R, x: R) -> R {
    named!("eval_legendre", |n, x| legendre(n, x, ends(x)))
}

/// Legendre polynomial at `2x - 1`.
#[inline(always)]
pub fn eval_sh_legendre<R: Real>(n: R, x: R) -> R {
    named!("eval_sh_legendre", |n, x| {
        let (y, ends) = shifted(x);
        legendre(n, y, ends)
    })
}

/// `P_n(x)` with the [`ends`] of `x`.
#[inline(always)]
fn legendre<R: Real>(n: R, x: R, ends: [Dd<R>; 2]) -> R {
    let (one, [below, under]) = (R::lit(1.0), [ends[0].hi, ends[1].hi]);
    let degree = R::select(n.lt(R::lit(-0.5)), -n - one, n);
    let y = R::select(whole(n), x.abs(), x);
    let below = R::select(whole(n).and(x.lt(R::lit(0.0))), under, below);
    let near = y.gt(R::lit(0.5));
    let on = between(degree);
    let far = on.and(x.ge(R::lit(LEGENDRE_FAR))).and(x.lt(R::lit(f64::INFINITY)));
    let left = on.and(x.lt(R::lit(0.0))).and(under.lt(R::lit(0.0)));
    let usual = on.and(far.or(left).not());
    let (from, [low, high]) = started(
        degree,
        below,
        y,
        [usual, usual.and(climbs(degree, R::lit(0.0), under)), R::Mask::lit(false)],
        [one, one],
        #[inline(always)]
        |_| one,
    );
    let [from, low, high] = R::when(
        far,
        [from, low.value(), high.value()],
        #[inline(always)]
        || legendre_far(R::select(far, degree, one), R::select(far, x, one + one)),
    );
    let [from, low, high] = R::when(
        left,
        [from, low, high],
        #[inline(always)]
        || {
            let from = R::select(degree.lt(one), degree, degree - degree.floor());
            let from = R::select(left, from, R::lit(0.5));
            let [low, high] = legendre_left(from, R::select(left, under * R::lit(-0.5), R::lit(0.25)));
            [from, low, high]
        },
    );
    // (k + 1) (p_{k + 1} - p_k) = k (p_k - p_{k - 1}) + (2k + 1) (y - 1) p_k, and next to 1 it is p - 1 that is carried along.
    let m = degree + one;
    let close = near.and((m * m * below).abs().lt(R::lit(0.5)));
    let base = R::select(close, one, R::lit(0.0));
    let first = from.eq(R::lit(0.0));
    let out = in_differences(
        degree,
        from,
        [low - base, R::select(first.and(close), below, high - base), R::select(first, below, high - low)],
        #[inline(always)]
        |k, [now, before, d]| {
            let (p, twice) = (now + base, k + k + one);
            let step = (k * d + twice * below * p) / (k + one);
            let plain = (twice * y * p - k * before) / (k + one);
            [R::select(near, now + step, plain), step]
        },
    );
    grown(degree, x, y.abs().gt(one), parity(degree, x, out + base))
}

/// Legendre functions of degrees `n` and `n + 1` for `-1/2 <= n < 1` at `2w - 1 < 0` by the series about -1 (DLMF 15.8.10, where the
/// poles of the digamma functions are taken out of the terms, DLMF 5.5.4).
#[inline(always)]
fn legendre_left<R: Real>(n: R, w: R) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let m = n + one;
    let sums = R::repeat(
        [one, one, zero, zero, one, one, zero, zero, zero],
        100,
        #[inline(always)]
        |[t, f, u, g, t1, f1, u1, g1, k]| {
            let next = one / (k + one);
            let (odd, ratio) = (k + k + one, w * next * next);
            let step = inlined(
                #[inline(always)]
                |n: R, t: R, u: R| {
                    let p = (k - n) * (k + one + n);
                    [t * p * ratio, (p * u + t * (odd - (p + p) * next)) * ratio]
                },
            );
            let ([t, u], [t1, u1]) = (step(n, t, u), step(m, t1, u1));
            let go = t.abs().max(u.abs()).max(t1.abs()).max(u1.abs()).gt(R::lit(1e-19));
            ([t, f + t, u, g + u, t1, f1 + t1, u1, g1 + u1, k + one], go)
        },
    );
    let (sin, cos) = (shared::sinpi(n) * R::lit(FRAC_1_PI), shared::cospi(n));
    let psi = shared::digamma(m) + R::lit(EULER_GAMMA);
    let log = shared::log(w);
    let value = inlined(
        #[inline(always)]
        |psi: R, f: R, g: R| (cos + sin * (log + psi + psi)) * f + sin * g,
    );
    [value(psi, sums[1], sums[3]), -value(psi + one / m, sums[5], sums[7])]
}

/// From here on Legendre functions are found by [`legendre_far`]; Pfaff's series takes longer.
pub(crate) const LEGENDRE_FAR: f64 = 2.5;

/// What [`legendre_far`] takes from the degree alone: where the recurrence starts, `e`, its square, and factors of `(2 x)^e` and of the
/// pairs.
pub(crate) struct LegendreFar<R> {
    pub from: R,
    pub e: R,
    pub square: R,
    pub first: R,
    pub front: [R; 2],
}

impl<R: Real> LegendreFar<R> {
    #[inline(always)]
    pub fn new(n: R) -> Self {
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let fraction = R::select(n.lt(one), n, n - n.floor());
        let low = fraction.lt(R::lit(0.25));
        let e = R::select(low, fraction + half, fraction - half);
        let from = R::select(low, fraction, fraction - one);
        let square = e * e;
        let [even, odd] =
            [elementary::polynomial(square, &t::LEGENDRE_EVEN), elementary::polynomial(square, &t::LEGENDRE_ODD)];
        let first = (even + e * odd) * (half + e) * (R::lit(1.5) + e) / (one + e);
        let scale = one / (one - square);
        let front =
            even_odd_product(square, [even, odd], [(R::lit(0.75) - square) * scale, (R::lit(1.25) - square) * scale]);
        LegendreFar { from, e, square, first, front }
    }
    /// The factors from the terms number `k` to the next ones, without that of the argument, and `k + 1`.
    #[inline(always)]
    pub fn step(square: R, k: R) -> ([R; 2], R) {
        let (half, next) = (R::lit(0.5), k + R::lit(1.0));
        let a = (k + R::lit(0.25)) * (k + R::lit(0.75)) + R::lit(0.25) * square;
        let ratio = R::lit(1.0) / ((next * next - square) * next);
        let even = next * a - (k + half) * square;
        ([even * ratio, (R::lit(0.25) * square - half * k - R::lit(0.3125)) * ratio], next)
    }
}

/// The even part of the product of two functions of `e`, and its odd part over `e`, from theirs.
#[inline(always)]
fn even_odd_product<R: Real>(square: R, [a, b]: [R; 2], [c, d]: [R; 2]) -> [R; 2] {
    [a * c + square * b * d, a * d + b * c]
}

/// The degree from which a Legendre function of degree `n >= -1/2` climbs, and the values there and at the degree above it, for
/// `x >= 2`, by the solutions at infinity (DLMF 14.3.6 with 15.8.2).
///
/// At the degree `e - 1/2` both are one function of `e` and of `-e` over `e` and `-e`: sums and products are those of their even parts
/// and of their odd parts over `e`, so nothing cancels next to `e = 0`, where each is infinite. The degree above is
/// `x P + (x^2 - 1) P' / (e + 1/2)` (DLMF 14.10.5), term by term.
#[inline(always)]
fn legendre_far<R: Real>(n: R, x: R) -> [R; 3] {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let LegendreFar { from, e, square, first, front } = LegendreFar::new(n);
    let twice = x + x;
    let up = shared::pow(twice, e);
    let down = one / up;
    let log = shared::log(twice);
    // The hyperbolic sine of `e log`, from the power, which is exact, where nothing cancels
    let near = e * log;
    let apart = near.abs().gt(one);
    let difference = R::select(apart, half * (up - down), shared::sinh(R::select(apart, zero, near)));
    let middle = e.eq(zero);
    let odd = R::select(middle, log, difference / R::select(middle, one, e));
    let [even, odd] = even_odd_product(square, front, [half * (up + down), odd]);
    let r = (one / x) * (one / x);
    let sums = R::repeat(
        [even, odd, odd, first * up - r * (even - half * odd), zero],
        60,
        #[inline(always)]
        |[even, odd, low, high, k]| {
            let (step, next) = LegendreFar::step(square, k);
            let [even, odd] = even_odd_product(square, [even * r, odd * r], step);
            let twice = next + next;
            let term = e * odd + (even - twice * odd) - r * (even - (half + twice) * odd);
            let go = even.abs().max(twice * odd.abs()).gt(R::lit(1e-18) * low.min(high.abs()));
            ([even, odd, low + odd, high + term, next], go)
        },
    );
    let root = twice.sqrt();
    [from, (sums[2] + sums[2]) / root, sums[3] * root / (e + half)]
}

/// `arcosh(1 + below)` of a finite positive number.
#[inline(always)]
fn hyperbolic_angle<R: Real>(below: Dd<R>) -> Dd<R> {
    let (zero, one) = (Dd::lit(0.0, 0.0), R::lit(1.0));
    let large = below.hi.gt(R::lit(1e8));
    let near = Dd::select(large, Dd::lit(1.0, 0.0), below);
    let rise = (near * near.plus(R::lit(2.0))).sqrt() + near;
    // Of a large one half of what the logarithm is taken of
    let half = below.plus(one).plus(R::lit(-0.25) / below.hi);
    let sum = Dd::select(large, half, rise.plus(one));
    let log = elementary::log_wide(sum);
    let log = log + Dd::select(large, Dd::lit(LN2.0, LN2.1), zero);
    let small = rise.hi.lt(R::lit(1.0 / 64.0));
    Dd::select(small, elementary::log1p_sum(Dd::select(small, rise, zero), R::lit(0.0)), log).normalize()
}

/// `cosh(a)`.
#[inline(always)]
fn cosh_sum<R: Real>(a: Dd<R>) -> R {
    let a = Dd::select(a.hi.lt(R::lit(0.0)), -a, a);
    let a = Dd::select(a.hi.lt(R::lit(1e3)), a, Dd::lit(1e3, 0.0));
    let half = elementary::exp_dd(a - Dd::lit(LN2.0, LN2.1));
    half + R::lit(0.25) / half
}

/// `sinh((n + 1) t) / sinh(t)` for `t > 0`, in range where it is.
#[inline(always)]
fn sinh_ratio<R: Real>(n: R, t: Dd<R>) -> R {
    let (m, minus_two) = (n + R::lit(1.0), R::lit(-2.0));
    let growth = elementary::exp_dd(t.times(R::select(m.lt(R::lit(0.0)), minus_two - n, n)));
    let rest = shared::expm1(m.abs() * t.hi * minus_two) / shared::expm1(t.hi * minus_two);
    (growth * rest).copysign(m)
}

/// `sqrt(1/2)`: below, angles are measured from the middle, where the odd polynomials vanish.
const MIDDLE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Chebyshev polynomial of the first kind.
#[inline(always)]
pub fn eval_chebyt<R: Real>(n: R, x: R) -> R {
    named!("eval_chebyt", |n, x| {
        let (half, one, y) = (R::lit(0.5), R::lit(1.0), x.abs());
        let within = y.le(one);
        let end = parity(n, x, shared::cos(n * angle(n, x, R::select(within, y, one))));
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
            within.not(),
            [out],
            #[inline(always)]
            || [parity(n, x, cosh_sum(hyperbolic_angle(Dd::two_sum(y, -one)).times(n)))],
        );
        let out = R::select(y.eq(R::lit(f64::INFINITY)), parity(n, x, y), out);
        let cut = whole(n).not().and(x.lt(-one));
        let out = R::select(n.eq(R::lit(0.0)), one, R::select(cut, R::lit(f64::INFINITY), out));
        R::select(inside(n).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// Chebyshev polynomial of the second kind.
#[inline(always)]
pub fn eval_chebyu<R: Real>(n: R, x: R) -> R {
    named!("eval_chebyu", |n, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let (y, m) = (x.abs(), n + one);
        let within = y.lt(one);
        let angle = angle(n, x, R::select(within, y, zero));
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
            || [parity(n, x, sinh_ratio(n, hyperbolic_angle(Dd::two_sum(y, -one))))],
        );
        let out = R::select(y.eq(R::lit(f64::INFINITY)), parity(n, x, y.copysign(m)), out);
        let out = R::select(y.eq(one), parity(n, x, m), out);
        let cut = whole(n).not().and(x.le(-one));
        let out = R::select(cut, R::lit(f64::INFINITY).copysign(m), out);
        let out = R::select(n.eq(zero), one, R::select(m.eq(zero), zero, out));
        R::select(inside(m).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// What rounding takes off the square root of `square`.
#[inline(always)]
fn root_rest<R: Real>(square: R, root: R) -> R {
    let plain = root.gt(R::lit(0.0)).and(square.lt(R::lit(1e300)));
    R::select(plain, (-root).fma(root, square) / (root + root), R::lit(0.0))
}

/// Cosine and sine of `m` times the angle of cosine `2x - 1`, which is measured from the nearest of 0, a half and a whole turn.
#[inline(always)]
fn shifted_wave<R: Real>(m: R, x: R) -> [R; 2] {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let low = x.le(half);
    let square = R::select(low, x, one - x);
    let middle = square.ge(R::lit(0.25));
    let (y, root) = ((x - half) + (x - half), square.sqrt());
    let s = R::select(middle, y, root);
    let rest = R::select(middle, zero, root_rest(square, root));
    let angle = Dd::fast_two_sum(s, elementary::asin_tail(s, R::select(middle, y * y, square)) + rest);
    let times = R::select(middle, m, m + m);
    let lead = Dd::two_prod(times, angle.hi);
    let (sin, cos) = elementary::sin_cos(lead.hi);
    let rest = times.fma(angle.lo, lead.lo);
    let (sin, cos) = (rest.fma(cos, sin), (-rest).fma(sin, cos));
    let turn = R::select(middle, m * half, R::select(low, m, zero));
    let (turned_sin, turned_cos) = (shared::sinpi(turn), shared::cospi(turn));
    let high = middle.or(low).not();
    [turned_cos * cos + turned_sin * sin, R::select(high, sin, turned_sin * cos - turned_cos * sin)]
}

/// The argument of which `2x - 1`, up to the sign, is the hyperbolic cosine, for `x` outside of [0, 1].
#[inline(always)]
fn shifted_angle<R: Real>(x: R) -> Dd<R> {
    let half = Dd::select(x.lt(R::lit(0.0)), Dd::new(-x, R::lit(0.0)), Dd::two_sum(x, R::lit(-1.0)));
    let half = Dd::select(half.hi.lt(R::lit(8.9e307)), half, Dd::lit(8.9e307, 0.0));
    hyperbolic_angle(half.times_pow2(R::lit(2.0)))
}

/// Chebyshev polynomial of the first kind at `2x - 1`.
#[inline(always)]
pub fn eval_sh_chebyt<R: Real>(n: R, x: R) -> R {
    named!("eval_sh_chebyt", |n, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let outside = x.lt(zero).or(x.gt(one));
        let [out] = R::when(
            outside.not(),
            [zero],
            #[inline(always)]
            || [shifted_wave(n, R::select(outside, half, x))[0]],
        );
        let [out] = R::when(
            outside,
            [out],
            #[inline(always)]
            || {
                let end = R::select(whole(n), shared::cospi(n), R::lit(f64::INFINITY));
                let high = cosh_sum(shifted_angle(x).times(n));
                let high = R::select(x.abs().eq(R::lit(f64::INFINITY)), x.abs(), high);
                [R::select(x.lt(zero), end * high, high)]
            },
        );
        let out = R::select(n.eq(zero), one, out);
        R::select(inside(n).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// Chebyshev polynomial of the second kind at `2x - 1`.
#[inline(always)]
pub fn eval_sh_chebyu<R: Real>(n: R, x: R) -> R {
    named!("eval_sh_chebyu", |n, x| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let m = n + one;
        let outside = x.lt(zero).or(x.gt(one));
        // Of both kinds of angles
        let sine = x.abs().sqrt() * (one - x).abs().sqrt();
        let sine = sine + sine;
        let [out] = R::when(
            outside.not(),
            [zero],
            #[inline(always)]
            || [shifted_wave(m, R::select(outside, half, x))[1] / sine],
        );
        let [out] = R::when(
            outside,
            [out],
            #[inline(always)]
            || {
                let ratio = sinh_ratio(n, shifted_angle(x));
                let ratio = R::select(sine.eq(R::lit(f64::INFINITY)), sine.copysign(m), ratio);
                [R::select(x.lt(zero), shared::cospi(n) * ratio, ratio)]
            },
        );
        let out = R::select(x.eq(zero), shared::cospi(n) * m, R::select(x.eq(one), m, out));
        let cut = whole(n).not().and(x.le(zero));
        let out = R::select(cut, R::lit(f64::INFINITY).copysign(m), out);
        let out = R::select(n.eq(zero), one, R::select(m.eq(zero), zero, out));
        R::select(inside(m).and(x.is_nan().not()), out, R::lit(f64::NAN))
    })
}

/// Hermite polynomial of the physicists.
#[inline(always)]
pub fn eval_hermite<R: Real>(n: R, x: R) -> R {
    named!("eval_hermite", |n, x| {
        let twice = x + x;
        let out = polynomial(
            n,
            twice,
            #[inline(always)]
            |k, p, q| twice * p - (k + k) * q,
        );
        unless_nan([n, x], grown(n, x, served(n).and((x * x).gt(n + n + R::lit(1.0))), out))
    })
}

/// Hermite polynomial of the probabilists.
#[inline(always)]
pub fn eval_hermitenorm<R: Real>(n: R, x: R) -> R {
    named!("eval_hermitenorm", |n, x| {
        let out = polynomial(
            n,
            x,
            #[inline(always)]
            |k, p, q| x * p - k * q,
        );
        unless_nan([n, x], grown(n, x, served(n).and((x * x).gt(n + n + R::lit(1.0))), out))
    })
}

/// Gegenbauer functions at `y = 1 + below` by [`dual_differences`], where
/// `(k + 1) (c_{k + 1} - r_k c_k) = k (c_k - r_{k - 1} c_{k - 1}) + 2 (k + a) below c_k` with `r_k = (k + 2 a) / (k + 1)`.
#[inline(always)]
fn gegenbauer_climbed<R: Real, const K: usize, const N: usize>(
    n: R,
    from: R,
    a: Dual<R, K>,
    [y, below]: [R; 2],
    start: [Dual<R, K>; 3],
) -> Dual<R, K> {
    let (one, twice, near) = (R::lit(1.0), a + a, y.gt(R::lit(0.5)));
    dual_differences::<R, K, N>(
        n,
        from,
        start,
        #[inline(always)]
        |k, [p, q, d]| {
            let (ka, part) = (a + Dual::constant(k), one / (k + one));
            let step = (d.times(k) + (ka + ka).times(below) * p).times(part);
            let plain = ((ka * p).times(y + y) - (twice + Dual::constant(k - one)) * q).times(part);
            let next = ((twice + Dual::constant(k)) * p).times(part) + step;
            [Dual::select(near, next, plain), step]
        },
    )
}

/// Gegenbauer's recurrence (DLMF 18.9.1) in `C_{k + 1} - r_k C_k` with the ratio at 1, `r_k = (k + 2 a) / (k + 1)`.
struct GegenbauerSteps<R, const P: usize> {
    a: R,
    /// `1 - x`
    z: [R; P],
}

impl<R: Real, const P: usize> Recurrence<R, P> for GegenbauerSteps<R, P> {
    #[inline(always)]
    fn next<const K: usize>(&self, k: R, pair: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]) {
        let (k1, ka) = (k + R::lit(1.0), k + self.a);
        let factors = mapped([k / k1, (ka + ka) / k1], Dual::constant);
        stepped(factors, Some(Dual::constant((ka + self.a) / k1)), self.z, pair)
    }
}

/// The error of a difference of two functions, which round several times each.
#[inline(always)]
pub(crate) fn started_error<R: Real>(a: R, b: R) -> R {
    (a.abs() + b.abs()) * R::lit(8.0)
}

/// Whether a number of one or two parts is not 0, where recurrences multiply only.
#[inline(always)]
fn anywhere<R: Real, const P: usize>(z: [R; P]) -> R::Mask {
    let mut on = R::Mask::lit(false);
    for part in z {
        on = on.or(part.ne(R::lit(0.0)));
    }
    on
}

/// How many times as large as a Gegenbauer function the error of its recurrence is where the parameter is below -1/2, from `1 - x`, the
/// degree to start from, the value and the step at the next one, and the size of these.
#[inline(always)]
pub(crate) fn gegenbauer_error<R: Real, const P: usize>(
    a: R,
    z: [R; P],
    [from, n]: [R; 2],
    pair: Pair<R, 1, P>,
    begun: R,
) -> R {
    let start = from + R::lit(1.0);
    let on = inside(n).and(n.gt(start)).and(a.lt(R::lit(-0.5))).and(anywhere(z));
    error_of(
        on,
        R::lit(0.0),
        [start, n],
        #[inline(always)]
        || (GegenbauerSteps { a, z }, pair, begun),
    )
}

/// The same of a polynomial.
#[inline(always)]
pub(crate) fn gegenbauer_polynomial_error<R: Real, const P: usize>(n: R, a: R, z: [R; P]) -> R {
    let twice = a + a;
    let gap = mapped(
        z,
        #[inline(always)]
        |z| Dual([-twice * z]),
    );
    let mut value = gap;
    value[0] = Dual([value[0].value() + twice]);
    gegenbauer_error(a, z, [R::lit(0.0), n], [value, gap], twice.abs())
}

/// Whether a Gegenbauer polynomial is 0: from its generating function, a polynomial of degree `-2 a` then.
#[inline(always)]
pub(crate) fn gegenbauer_ends<R: Real>(n: R, a: R) -> R::Mask {
    whole(a).and(a.le(R::lit(0.0))).and(n.gt(-(a + a))).and(served(n))
}

/// The lower of two degrees: of an integral parameter below 0 the polynomials of degrees `n` and `-2 a - n` are the same, as each
/// coefficient (DLMF 18.5.10) tells, and the higher one's recurrence takes a difference of large numbers for it.
#[inline(always)]
pub(crate) fn gegenbauer_degree<R: Real>(n: R, a: R) -> R {
    let (zero, twin) = (R::lit(0.0), -(a + a) - n);
    R::select(whole(a).and(a.lt(zero)).and(served(n)).and(twin.ge(zero)), n.min(twin), n)
}

/// The highest derivative of a polynomial; `N` is `3 K + 1`.
#[inline(always)]
fn gegenbauer<R: Real, const K: usize, const N: usize>(n: R, a: R, x: R) -> R {
    let y = x.abs();
    let below = y - R::lit(1.0);
    let error = gegenbauer_polynomial_error(n, a, [-below]);
    let a = Dual::<R, K>::variable(a, 3);
    let twice = a + a;
    let start = [Dual::lit(1.0), twice.times(y), twice.times(below)];
    let out = gegenbauer_climbed::<R, K, N>(n, R::lit(0.0), a, [y, below], start);
    R::select(error.lt(R::lit(DOUBTED)), parity(n, x, out.top()), R::lit(f64::NAN))
}

/// Where Kummer's function of real degree has a series of many terms that alternate, and is found by [`kummer_climbed`].
#[inline(always)]
pub(super) fn kummer_climbs<R: Real>(n: R, c: R, x: R) -> R::Mask {
    let most = R::lit(256.0);
    let moderate = n.max(c).max(x).le(most).and(c.ge(R::lit(1e-100)));
    moderate.and(n.ge(R::lit(4.0))).and(x.ge(R::lit(2.0))).and(n.floor().ne(n))
}

/// So far a parameter is raised, in proportion to the argument.
const RAISED: f64 = 0.85;

/// `F(-n; c; x)` by recurrences in the directions in which it is not small beside other solutions (A. Deaño, J. Segura, N. M. Temme,
/// "Computational properties of three-term recurrence relations for Kummer functions", J. Comput. Appl. Math. 233, 2010): from the
/// fraction of the degree upwards at a parameter next to `x` (DLMF 13.3.3, 13.3.4), then downwards to `c` (DLMF 13.3.2).
#[inline(always)]
fn kummer_climbed<R: Real>(n: R, c: R, x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let raise = (x * R::lit(RAISED) - c).ceil().max(zero);
    let (b, steps) = (c + raise, n.floor());
    let start = n - steps;
    // With the parameters b and b + 1
    let [_, _, _, low, high] = R::repeat(
        [zero, one, one / b, one, one],
        1000,
        #[inline(always)]
        |[k, t, over, low, high]| {
            let next = k + one;
            let inverse = one / ((b + next) * next);
            let t = t * ((k - start) * x) * (over * (inverse * (b + next)));
            let over = inverse * next;
            ([next, t, over, low + t, high + t * (b * over)], t.abs().gt(R::lit(1e-18) * high.abs()))
        },
    );
    let rate = -x / b;
    let [low, high, gap, _] = R::repeat(
        [low, high, low - high, zero],
        1000,
        #[inline(always)]
        |[low, high, _, k]| {
            let next = k + one;
            let degree = start + next;
            let share = one / (b + degree);
            let (stay, mix) = (b * share, degree * share);
            let moved = rate.fma(high, low);
            ([moved, stay.fma(moved, mix * high), mix * (moved - high), next], next.lt(steps))
        },
    );
    let [value, _, _, _, _] = R::repeat(
        [low, high, gap, raise, one / b],
        1000,
        #[inline(always)]
        |[value, above, gap, k, over]| {
            let under = one / (c + (k - one));
            let step = (x * under) * (-n * over).fma(above, gap);
            ([value + step, value, step, k - one, under], k.gt(one))
        },
    );
    R::select(raise.gt(zero), value, low)
}

/// What the values of the recurrence are the differences to, `size` as large as the argument: 1 next to 0, where they are close to it
/// and the sums of small steps may all be rounded the same way.
#[inline(always)]
pub(crate) fn laguerre_base<R: Real>(n: R, a: R, size: R) -> R {
    let close = a.abs().lt(R::lit(1.0 / 16.0)).and((n * size).lt(R::lit(0.5)));
    R::select(close, R::lit(1.0), R::lit(0.0))
}

/// `1 + a - x`, of which any two may cancel.
#[inline(always)]
pub(crate) fn laguerre_first<R: Real, const K: usize>(mut a: Dual<R, K>, x: R) -> Dual<R, K> {
    let sum = Dd::two_sum(a.value(), R::lit(1.0));
    a.0[0] = (sum.hi - x) + R::select(sum.lo.is_nan(), R::lit(0.0), sum.lo);
    a
}

/// The recurrence of [`genlaguerre`] without derivatives.
struct LaguerreSteps<R, const P: usize> {
    a: R,
    z: [R; P],
}

impl<R: Real, const P: usize> Recurrence<R, P> for LaguerreSteps<R, P> {
    #[inline(always)]
    fn next<const K: usize>(&self, k: R, pair: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]) {
        let over = R::lit(1.0) / (k + R::lit(1.0));
        let factors = mapped([(k + self.a) * over, over], Dual::constant);
        stepped(factors, None, self.z, pair)
    }
}

/// How many times as large as a Laguerre polynomial the error of its recurrence is where the parameter is below -1.
#[inline(always)]
pub(crate) fn laguerre_error<R: Real, const P: usize>(n: R, a: R, z: [R; P]) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let on = served(n).and(n.gt(one)).and(a.lt(-one)).and(anywhere(z));
    error_of(
        on,
        zero,
        [one, n],
        #[inline(always)]
        || {
            let mut gap = mapped(
                z,
                #[inline(always)]
                |z| Dual([-z]),
            );
            gap[0] = Dual([gap[0].value() + a]);
            let mut value = gap;
            value[0] = Dual([value[0].value() + one]);
            (LaguerreSteps { a, z }, [value, gap], one - a)
        },
    )
}

/// Of a parameter `-m` that is a negative integer and a degree from `m` on a Laguerre polynomial is `(-x)^m / ((n - m + 1) ... n)` times
/// that of the degree `n - m` and the parameter `m` (G. Szegö, "Orthogonal polynomials", 5.2.1): `m`, which is 0 elsewhere, and the
/// product.
#[inline(always)]
pub(crate) fn laguerre_lift<R: Real>(n: R, a: R) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let on = served(n).and(whole(a)).and(a.lt(zero)).and((n + a).ge(zero));
    let m = R::select(on, -a, zero);
    let [product] = R::when(
        on,
        [one],
        #[inline(always)]
        || [shared::poch(R::select(on, n - m + one, one), m)],
    );
    [m, product]
}

/// Whether that serves: not where the product has left the range while the power has not. From the sizes of the power and of it over the
/// product.
#[inline(always)]
pub(crate) fn laguerre_lifts<R: Real>(power: R, front: R) -> R::Mask {
    let least = R::lit(1e-290);
    power.lt(least).or(front.gt(least)).and(front.lt(R::lit(f64::INFINITY)))
}

/// `L_n^a` by its differences `d_k = l_k - l_{k - 1}`: `(k + 1) d_{k + 1} = (k + a) d_k - x l_k`.
#[inline(always)]
fn genlaguerre<R: Real, const K: usize>(n: R, a: R, x: R) -> R {
    let (one, error) = (R::lit(1.0), if K > 1 { laguerre_error(n, a, [x]) } else { R::lit(0.0) });
    let base = laguerre_base(n, a, x.abs());
    let a = Dual::<R, K>::variable(a, 3);
    let step = a - Dual::constant(x);
    let out = recurrence::<R, K>(
        n,
        [step, Dual::select(base.eq(one), step, laguerre_first(a, x))],
        #[inline(always)]
        |k, p, d| {
            let d = ((a + Dual::constant(k)) * d - (p + Dual::constant(base)).times(x)).over(k + one);
            [d, p + d]
        },
    );
    let out = out + Dual::constant(R::select(n.eq(R::lit(0.0)), R::lit(0.0), base));
    R::select(error.lt(R::lit(DOUBTED)), out.top(), R::lit(f64::NAN))
}

/// The recurrence of Jacobi polynomials at degree `k` (DLMF 18.9.2): `p_{k + 1} + kept p_{k - 1}` is
/// `(sum (product x + square) p_k + back p_{k - 1}) / forward`, where `t = 2 k + a + b`.
pub(crate) struct JacobiRecurrence<R, const K: usize> {
    pub t: Dual<R, K>,
    pub sum: Dual<R, K>,
    pub product: Dual<R, K>,
    pub square: Dual<R, K>,
    pub back: Dual<R, K>,
    pub forward: Dual<R, K>,
    pub kept: R,
}

/// Of polynomials beyond the parameters the factor of `p_{k - 1}` is its difference to -1, of the size of `1 / k`, whose roundings hardly
/// matter; what functions lose is lost in their start.
#[inline(always)]
pub(crate) fn jacobi_recurrence<R: Real, const K: usize>([a, b]: [Dual<R, K>; 2], k: R) -> JacobiRecurrence<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (s, ab, k1) = (a + b, a * b, k + one);
    let t = s + Dual::constant(k + k);
    let t2 = t.plus(2.0);
    let far = whole(k).and(a.value().abs().max(b.value().abs()).le(k));
    let plain = (a + Dual::constant(k)) * (b + Dual::constant(k)) * t2.scaled(-2.0);
    let less = (s.plus(1.0) - ab + Dual::constant(k)).times(R::lit(4.0) * k)
        + (s * s.plus(1.0) - ab * s.plus(2.0)).scaled(2.0);
    JacobiRecurrence {
        t,
        sum: t.plus(1.0),
        product: t2 * t,
        square: (a - b) * s,
        back: Dual::select(far, less, plain),
        forward: ((s + Dual::constant(k1)) * t).times(k1 + k1),
        kept: R::select(far, one, zero),
    }
}

/// `P_1^(a, b)` from the end or, next to its root for `a = b`, from the middle.
#[inline(always)]
fn jacobi_first<R: Real, const K: usize>([a, b]: [Dual<R, K>; 2], x: R) -> Dual<R, K> {
    let (half, slope) = (R::lit(0.5), a + b + Dual::lit(2.0));
    let from_end = a + Dual::lit(1.0) + slope.times((x - R::lit(1.0)) * half);
    Dual::select(x.gt(half), from_end, (a - b + slope.times(x)).scaled(0.5))
}

/// Whether no step of the recurrence of a Jacobi polynomial comes close to dividing by 0, which it may next to `a + b = -2` and left
/// of it.
#[inline(always)]
pub(crate) fn jacobi_safe<R: Real>(a: R, b: R) -> R::Mask {
    (a + b).gt(R::lit(-1.5))
}

/// Where a polynomial is summed, as its recurrence may divide by 0, or its first steps lose digits where a parameter is below -1; of
/// high degrees those that it goes on from.
#[inline(always)]
pub(crate) fn jacobi_sums<R: Real>(n: R, a: R, b: R) -> R::Mask {
    let unsteady = jacobi_safe(a, b).not().or(a.min(b).lt(R::lit(-1.0)));
    served(n).and(n.gt(R::lit(0.0))).and(unsteady)
}

/// Where a Jacobi function is found by those of the fraction of its degree, or by that of its own, where it climbs, and where it is 0.
#[inline(always)]
pub(crate) fn jacobi_ways<R: Real>(n: R, [a, b]: [R; 2], under: R) -> [R::Mask; 3] {
    let climbs = climbs(n, b, under).and(jacobi_safe(a, b)).and(a.gt(R::lit(-6.0)));
    [between(n), climbs, vanishes(n, a, a + R::lit(1.0))]
}

/// A Jacobi polynomial as that of the degree above it, `next`, if it grew as at 1.
#[inline(always)]
pub(crate) fn raised_to<R: Real, const K: usize>(low: Wide<R, K>, a: Param<R>, next: R) -> Wide<R, K> {
    let zero = R::lit(0.0);
    low.by(a.step(next)).times(Dd::new(R::lit(1.0), zero) / Dd::new(next, zero))
}

/// What [`dual_differences`] needs, the degree at which it goes on from sums, where `on`, from `x - 1` and `x + 1`, and the error that it
/// makes.
#[inline(always)]
fn jacobi_summed<R: Real, const K: usize>(on: R::Mask, n: R, parameters: [Param<R>; 2], ends: [Dd<R>; 2]) -> [R; 14] {
    let (half, one, none) = (R::lit(0.5), R::lit(1.0), Dd::lit(0.0, 0.0));
    let halves = mapped(
        ends,
        #[inline(always)]
        |end| Complex { re: Dd::select(on, end.times_pow2(half), none), im: none },
    );
    let start = jacobi_start::<R, K, 2, 18, 1>(on, n, parameters, halves);
    let [[low, _], [high, _]] = start.pair;
    let gap = high - raised_to(low, parameters[0], start.from + one);
    pack([low.rounded(), high.rounded(), gap.rounded()], [start.from, start.error])
}

/// `P_n^(a, b)(x)` with the [`ends`] of `x`, or its derivatives, of integral degree then; the directions say which parameters move. `N`
/// is `3 K + 1`.
#[inline(always)]
fn jacobi<R: Real, const K: usize, const N: usize>(n: R, parameters: [(R, usize); 2], x: R, ends: [Dd<R>; 2]) -> R {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    // From the end next to the argument (DLMF Table 18.6.1)
    let turned = served(n).and(x.lt(zero));
    let [a, b] = mapped(
        parameters,
        #[inline(always)]
        |(v, directions)| Param::moved(v, directions),
    );
    let beyond = a.value.hi.min(b.value.hi).gt(-one).and(x.abs().gt(one));
    let (a, b) = (Param::select(turned, b, a), Param::select(turned, a, b));
    let y = R::select(turned, -x, x);
    let ends = [Dd::select(turned, ends[1], ends[0]), Dd::select(turned, ends[0], ends[1])];
    let [below, under] = [ends[0].hi, ends[1].hi];
    let near = y.gt(half);
    let moved = [a.dual::<K>(), b.dual::<K>()];
    let sum = moved[0] + moved[1];
    let first = jacobi_first(moved, y);
    let (from, [low, high]) = if K == 1 {
        let [a, b] = [moved[0].value(), moved[1].value()];
        let a = between_off_pole(n, a, a + one, n + a + one);
        let (from, pair) = started(
            n,
            below,
            first.value(),
            jacobi_ways(n, [a, b], under),
            [a + b + one, a + one],
            #[inline(always)]
            |n| shared::end_value(n, a + one),
        );
        let pair = mapped(
            pair,
            #[inline(always)]
            |p| Dual::constant(p.value()),
        );
        (from, pair)
    } else {
        (zero, [Dual::lit(1.0), first])
    };
    let gap = high - (moved[0] + Dual::constant(from + one)).over(from + one) * low;
    let gap = Dual::select(from.eq(zero), sum.plus(2.0).times(below * half), gap);
    let sums = jacobi_sums(n, a.rounded(), b.rounded());
    let state = R::when(
        sums,
        pack([low, high, gap], [from, zero]),
        #[inline(always)]
        || jacobi_summed::<R, K>(sums, n, [a, b], [ends[0], -ends[1]]),
    );
    let start = each(
        #[inline(always)]
        |i| at(&state, i),
    );
    let steep = moved[0].value().min(moved[1].value()).lt(-half);
    let climbing = between(n).and(n.gt(from + one)).and(steep);
    let error = error_of(
        if K == 1 { climbing } else { R::Mask::lit(false) },
        state[13],
        [from + one, n],
        #[inline(always)]
        || {
            let steps = JacobiSteps { parameters: [moved[0].value(), moved[1].value()], z: [below * -half] };
            let ratio = (from + one + moved[0].value()) / (from + one);
            let begun = started_error(high.value(), ratio * low.value());
            (steps, [[Dual([high.value()])], [Dual([gap.value()])]], begun)
        },
    );
    let from = state[12];
    // p_{k + 1} - r_k p_k by p_k - r_{k - 1} p_{k - 1} with r_k = (k + 1 + a) / (k + 1)
    let out = dual_differences::<R, K, N>(
        n,
        from,
        start,
        #[inline(always)]
        |k, [p, q, d]| {
            let (k1, r) = (k + one, jacobi_recurrence(moved, k));
            let plain = r.sum * (r.product.times(y) + r.square) * p + r.back * q;
            let drop = (r.t * r.sum).times(below) * p + (moved[1] + Dual::constant(k)).times(k + k) * d;
            let step = Dual::select(near, r.t.plus(2.0) * drop, plain) / r.forward;
            let step = step - Dual::select(near, Dual::lit(0.0), q.times(r.kept));
            let next = ((moved[0] + Dual::constant(k1)) * p).over(k1) + step;
            [Dual::select(near, next, step), step]
        },
    );
    let out = out.top();
    let out = if K == 1 {
        let [out] = or_another(
            [out],
            error,
            #[inline(always)]
            |asked| {
                let pick = |v: R| R::select(asked, v, one);
                let (n, b, c) = (pick(n), moved[1].value(), moved[0].value() + one);
                let (last, w) = (pick(n + b + c), pick(below * -half));
                // A parameter that is no number does not show at 0, and what is next to -1 not in `w`.
                let blurred = last.abs().lt(R::lit(f64::INFINITY)).not().or(w.eq(one).and(under.ne(zero)));
                let value = end_factor(n, pick(c)) * shared::hyp2f1(-n, last, pick(c), w);
                [R::select(blurred, R::lit(f64::NAN), value)]
            },
        );
        out
    } else {
        R::select(error.lt(R::lit(SPENT)), out, R::lit(f64::NAN))
    };
    let out = R::select(turned, parity(n, -one, out), out);
    if K == 1 { grown(n, x, beyond, out) } else { out }
}

/// NaN of a polynomial's argument that is NaN, also where its degree leaves nothing of it.
#[inline(always)]
fn unless_nan<R: Real, const N: usize>(x: [R; N], out: R) -> R {
    let mut lost = R::Mask::lit(false);
    for v in x {
        lost = lost.or(v.is_nan());
    }
    R::select(lost, R::lit(f64::NAN), out)
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) = $text:literal, $e:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>($($x: R),+) -> R {
                named!($text, |$($x),+| {
                    let out = $e;
                    unless_nan([$($x),+], out)
                })
            }
        )*
    };
}

families! {
    /// Gegenbauer polynomial.
    eval_gegenbauer(n, a, x) = "eval_gegenbauer", {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let n = gegenbauer_degree(n, a);
        let a = between_off_pole(n, a, a + half, n + a + a);
        let y = R::select(whole(n), x.abs(), x);
        let (below, twice) = (y - one, a + a);
        let (from, [low, high]) = started(
            n,
            below,
            twice * y,
            [between(n), climbs(n, a - half, one + x), vanishes(n, twice, twice)],
            [twice, a + half],
            #[inline(always)]
            |n| shared::end_value(n, a + a),
        );
        let (low, high) = (low.value(), high.value());
        let first = R::select(from.eq(zero), twice * below, high - (from + twice) / (from + one) * low);
        let start = [Dual([low]), Dual([high]), Dual([first])];
        let out = gegenbauer_climbed::<R, 1, 4>(n, from, Dual([a]), [y, below], start).value();
        // Of negative integral degree it is 0, or the polynomial of degree `-n - 2a`.
        let degree = R::select(whole(n).and(n.lt(zero)), n + twice, n);
        let ends = gegenbauer_ends(n, a).and(x.eq(x));
        let begun = started_error(high, (from + twice) / (from + one) * low);
        let error = gegenbauer_error(a, [-below], [from, n], [[Dual([high])], [Dual([first])]], begun);
        let [out] = or_another(
            [R::select(ends, zero, out)],
            R::select(ends, zero, error),
            #[inline(always)]
            |asked| {
                let pick = |v: R| R::select(asked, v, one);
                let (n, low) = (pick(n), pick(a - half));
                [gegenbauer_over_jacobi(n, pick(a)) * shared::eval_jacobi(n, low, low, pick(y))]
            },
        );
        grown(n, x, a.gt(zero).and(x.abs().gt(one)), parity(degree, x, out))
    };
    /// `dC/da`.
    eval_gegenbauer_da(n, a, x) = "eval_gegenbauer_da", gegenbauer::<R, 2, 7>(n, a, x);
    /// `d2C/da2`.
    eval_gegenbauer_daa(n, a, x) = "eval_gegenbauer_daa", gegenbauer::<R, 4, 13>(n, a, x);
    /// Generalized Laguerre polynomial; climbing would lose digits for large `x`.
    eval_genlaguerre(n, a, x) = "eval_genlaguerre", {
        let (on, zero, one) = (between(n), R::lit(0.0), R::lit(1.0));
        let [m, product] = laguerre_lift(n, a);
        let [front, degree, raised] = R::when(
            m.gt(zero),
            [one, n, a],
            #[inline(always)]
            || {
                let power = shared::pow(-x, m);
                let front = power / product;
                let lifts = laguerre_lifts(power.abs(), front.abs());
                [R::select(lifts, front, one), R::select(lifts, n - m, n), R::select(lifts, m, a)]
            },
        );
        let [out] = R::when(
            on.not(),
            [zero],
            #[inline(always)]
            || or_another(
                [genlaguerre::<R, 1>(degree, raised, x)],
                laguerre_error(degree, raised, [x]),
                #[inline(always)]
                |asked| {
                    let pick = |v: R| R::select(asked, v, one);
                    let (n, c) = (pick(degree), pick(raised + one));
                    [end_factor(n, c) * shared::hyp1f1(-n, c, pick(x))]
                },
            ),
        );
        let beyond = x.lt(zero).or(x.gt(R::lit(4.0) * degree + R::lit(2.0) * (raised + one))).and(raised.gt(-one));
        let out = front * grown(degree, -x, beyond.and(on.not()), out);
        let [out] = R::when(
            on,
            [out],
            #[inline(always)]
            || {
                let n = R::select(on, n, zero);
                let c = off_pole(a, a + one, n + a + one, one) + one;
                let climbs = kummer_climbs(n, c, x);
                let [value] = R::when(
                    climbs,
                    [R::lit(0.0)],
                    #[inline(always)]
                    || {
                        let pick = |v: R, other: f64| R::select(climbs, v, R::lit(other));
                        [kummer_climbed(pick(n, 0.0), pick(c, 1.0), pick(x, 0.0))]
                    },
                );
                let rest = on.and(climbs.not());
                let [value] = R::when(
                    rest,
                    [value],
                    #[inline(always)]
                    || [shared::hyp1f1(-n, c, R::select(rest, x, R::lit(0.0)))],
                );
                let none = vanishes(n, a, c).and(x.eq(x));
                [R::select(none, zero, shared::end_value(n, c) * value)]
            },
        );
        out
    };
    /// `dL/da`.
    eval_genlaguerre_da(n, a, x) = "eval_genlaguerre_da", genlaguerre::<R, 2>(n, a, x);
    /// `d2L/da2`.
    eval_genlaguerre_daa(n, a, x) = "eval_genlaguerre_daa", genlaguerre::<R, 4>(n, a, x);
    /// Jacobi polynomial.
    eval_jacobi(n, a, b, x) = "eval_jacobi", jacobi::<R, 1, 4>(n, [(a, 0), (b, 0)], x, ends(x));
    /// Jacobi polynomial at `2x - 1`.
    eval_jacobi_shifted(n, a, b, x) = "eval_jacobi_shifted", {
        let (y, ends) = shifted(x);
        jacobi::<R, 1, 4>(n, [(a, 0), (b, 0)], y, ends)
    };
    /// `dP/da`.
    eval_jacobi_da(n, a, b, x) = "eval_jacobi_da", jacobi::<R, 2, 7>(n, [(a, 1), (b, 0)], x, ends(x));
    /// `d2P/da2`.
    eval_jacobi_daa(n, a, b, x) = "eval_jacobi_daa", jacobi::<R, 4, 13>(n, [(a, 3), (b, 0)], x, ends(x));
    /// `dP/db`.
    eval_jacobi_db(n, a, b, x) = "eval_jacobi_db", jacobi::<R, 2, 7>(n, [(a, 0), (b, 1)], x, ends(x));
    /// `d2P/dadb`.
    eval_jacobi_dab(n, a, b, x) = "eval_jacobi_dab", jacobi::<R, 4, 13>(n, [(a, 1), (b, 2)], x, ends(x));
}
