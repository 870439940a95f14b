//! Gauss's hypergeometric function of real arguments with its derivatives in the parameters.
//!
//! Where no digits cancel, values are sums in plain double precision about 0 or, connected by gamma functions, about 1 (DLMF
//! 15.2.1, 15.8.4). Elsewhere, as in the derivatives, series are summed in double-double arithmetic (J. W. Pearson, S. Olver,
//! M. A. Porter, Numer. Algorithms 74, 2017).

use super::dual::{self, Dual};
use super::gauss_climb::{Climb, found_or_descended, found_or_followed};
use super::gauss_ends::{moderate, real_by_logarithms};
use super::gauss_march::marched;
use super::hypergeometric::{
    HOPELESS, SLIGHT, beside_pole, digamma_at, directions, from_logarithm, gamma_ratio, log_gammas, power_of,
    rgamma_at, separately,
};
use super::recurrence::{parts, sizes, written};
use super::wide::{NEGLIGIBLE, Param, Sum, Wide, at, enough, pack, series};
use crate::complex::gauss::{real_power, real_powers};
use crate::dd::Dd;
use crate::named;
use crate::real::{CLASSES, Mask, Real, ShortWays, count, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{LN_2, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Terms may exceed the sum by this factor: what they leave are nearly all digits of a double.
pub(crate) const SERIES_LOSS: f64 = 1e14;
/// A connection by gamma functions is taken with errors below so many units of those of double-double numbers, and else if what
/// is matched has more.
const GAMMA_LOSS: f64 = 2e17;
/// Where these are parameters of series that are summed to the last digit.
pub(crate) const GAMMA_LIMIT: f64 = 400.0;
/// So many leave no digit.
pub(crate) const LOST: f64 = 1e29;
/// The series of Gauss's function is taken up to here, beyond it is continued from 1/2.
const GAUSS_SERIES: f64 = 0.9;
/// And that of parameters from the first magnitude on up to the second, since what is continued loses more.
const LARGE: f64 = 40.0;
pub(crate) const LONG: f64 = 0.97;

/// What the solutions about `z = 1` consist of, at `w = 1 - z`.
pub(crate) struct Local<R, const K: usize> {
    /// The first `m` terms of the solution with exponent 0, and `w d/dw` of them.
    poly: Wide<R, K>,
    poly_slope: Wide<R, K>,
    /// The factor of what follows.
    front: Wide<R, K>,
    /// `sum v_k w^k` of the solution with exponent `s`, and with terms multiplied by `k`.
    sum: Wide<R, K>,
    sum_slope: Wide<R, K>,
    /// The same of the differences `(u_k - v_k) / e` to the other solution.
    gap: Wide<R, K>,
    gap_slope: Wide<R, K>,
    /// The largest terms of the solutions of exponents 0 and `s`.
    largest: [R; 2],
}

impl<R: Real, const K: usize> Local<R, K> {
    #[inline(always)]
    fn packed(self) -> [R; 58] {
        let sums = [self.poly, self.poly_slope, self.front, self.sum, self.sum_slope, self.gap, self.gap_slope];
        pack(sums, self.largest)
    }
    #[inline(always)]
    fn unpacked(state: &[R; 58]) -> Self {
        let [poly, poly_slope, front, sum, sum_slope, gap, gap_slope] = each(
            #[inline(always)]
            |i| at::<R, K, 58>(state, i),
        );
        Local { poly, poly_slope, front, sum, sum_slope, gap, gap_slope, largest: [state[56], state[57]] }
    }
}

/// Term `k` of the polynomial before the logarithm of the solutions about 1, from the one before.
#[inline(always)]
pub(crate) fn next_before<R: Real, const K: usize>(
    t: Wide<R, K>,
    [a, b]: [Param<R>; 2],
    s: Param<R>,
    k: R,
    w: Dd<R>,
) -> Wide<R, K> {
    let before = k - R::lit(1.0);
    let next = t.times(w).by(a.step(before)).by(b.step(before));
    next.over((-s).step(k).scaled(k))
}

/// The terms after number `k` of a solution about 1 and of its divided difference with the other one, and where they no longer
/// grow for the signs of their factors.
#[inline(always)]
pub(crate) fn next_beside<R: Real, const K: usize>(
    [v, d]: [Wide<R, K>; 2],
    [a, b]: [Param<R>; 2],
    m: R,
    e: Param<R>,
    k: R,
    w: Dd<R>,
) -> ([Wide<R, K>; 2], R::Mask) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = Wide::<R, K>::lit(1.0);
    let n = k + one;
    let mn = m + n;
    let (pa, pb) = (a.step(m + k), b.step(m + k));
    let low = (-e).step(n);
    let high = e.step(mn);
    // (ratio of the other solution's terms - ratio of these) / e
    let bracket = unit.by(pa).by(pb).times(Dd::two_sum(n, mn)) - unit.by(low).by(pa + pb + e).times(Dd::new(mn, zero));
    let r = v.over(high.scaled(n));
    let d = (d.by(pa).by(pb) + r.mul(bracket)).over(low.scaled(mn)).times(w);
    let v = r.by(pa + e).by(pb + e).times(w);
    ([v, d], pa.rounded().gt(zero).and(pb.rounded().gt(zero)).or(n.gt(R::lit(1000.0))))
}

/// The solutions about 1 have as many terms at most.
pub(crate) const LOCAL_TERMS: u32 = 4000;

/// The largest terms of sums that have taken so many, infinite where those were not enough.
#[inline(always)]
pub(crate) fn settled<R: Real>(terms: R, largest: [R; 2]) -> [R; 2] {
    mapped(
        largest,
        #[inline(always)]
        |v| R::select(terms.lt(R::lit(LOCAL_TERMS as f64)), v, R::lit(INF)),
    )
}

/// Solutions of exponents 0 and `s = m + e` for an integer `m >= 0` and `|e| <= 1/2`, such that none has a pole at `e = 0`.
#[inline(always)]
pub(crate) fn local<R: Real, const K: usize>(
    a: Param<R>,
    b: Param<R>,
    m: R,
    e: Param<R>,
    w: Dd<R>,
    tiny: R,
    on: R::Mask,
) -> Local<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = Wide::<R, K>::lit(1.0);
    let none = Wide::<R, K>::lit(0.0);
    let s = e.step(m);
    let some = m.gt(zero);
    // t_k w^k for k < m
    let state = R::repeat(
        pack::<R, K, 3, 2, 26>([unit, Wide::select(some, unit, none), none], [one, one]),
        3000,
        #[inline(always)]
        |state| {
            let [t, sum, slope] = each(
                #[inline(always)]
                |i| at::<R, K, 26>(&state, i),
            );
            let [k, largest] = [state[24], state[25]];
            let go = k.lt(m);
            let next = next_before(t, [a, b], s, k, w);
            let t = Wide::select(go, next, t);
            let grown = slope + t.scaled(k);
            let (sum, slope) = (Wide::select(go, sum + t, sum), Wide::select(go, grown, slope));
            (pack([t, sum, slope], [k + one, largest.max(t.0[0].hi.abs())]), go.and(on))
        },
    );
    let (t, poly, poly_slope) = (at::<R, K, 26>(&state, 0), at::<R, K, 26>(&state, 1), at::<R, K, 26>(&state, 2));
    let before = state[25];
    let last = m - one;
    let divisor = R::select(some, m, one);
    let front = t.times(w).by(a.step(last)).by(b.step(last)).over(Param::new(divisor, [zero; 2]));
    let front = Wide::select(some, front, unit);
    let state = R::repeat(
        pack::<R, K, 6, 3, 51>([unit, none, unit, none, none, none], [zero, one, zero]),
        LOCAL_TERMS,
        #[inline(always)]
        |state| {
            let [v, d, sum, sum_slope, gap, gap_slope] = each(
                #[inline(always)]
                |i| at::<R, K, 51>(&state, i),
            );
            let [k, largest_v, largest_d] = [state[48], state[49], state[50]];
            let n = k + one;
            let ([v, d], begun) = next_beside([v, d], [a, b], m, e, k, w);
            let (sum, gap) = (sum.gather(v), gap.gather(d));
            let mut go = n.lt(R::lit(4.0));
            count::<0, K>(
                #[inline(always)]
                |s| {
                    let (sum, gap) = (sum.0[s].hi.abs(), gap.0[s].hi.abs());
                    go = go.or(v.0[s].hi.abs().gt(sum * tiny)).or(d.0[s].hi.abs().gt(gap * tiny));
                },
            );
            let state = [v, d, sum, sum_slope.gather(v.scaled(n)), gap, gap_slope.gather(d.scaled(n))];
            let rest = [n, largest_v.max(v.0[0].hi.abs()), largest_d.max(d.0[0].hi.abs())];
            (pack(state, rest), go.or(begun.not()).and(on))
        },
    );
    let [sum, sum_slope, gap, gap_slope] = mapped(
        [2, 3, 4, 5],
        #[inline(always)]
        |i| at::<R, K, 51>(&state, i).normalized(),
    );
    let largest = settled(state[48], [before.max(front.0[0].hi.abs() * state[50]), state[49]]);
    Local { poly, poly_slope, front, sum, sum_slope, gap, gap_slope, largest }
}

/// The share of a sum below which terms are negligible where sums are joined: what a value alone can lose grows with the parameters.
#[inline(always)]
pub(crate) fn share<R: Real, const K: usize>(largest: R) -> R {
    let all = R::lit(NEGLIGIBLE);
    if K == 1 { R::select(largest.lt(R::lit(8.0)), R::lit(1e-25), all) } else { all }
}

/// The exponent of `z` that a solution about 0 is to be multiplied by, to be joined at 1 as a solution of the equation for other
/// parameters, and those parameters: for `c > 1` the terms about 1, like `k^(c - 2)`, make way for others like `k^-c`, of which less
/// cancels unless a long polynomial alternates.
#[inline(always)]
pub(crate) fn lifted<R: Real>(ab: [Param<R>; 2], c: Param<R>, on: R::Mask) -> (Param<R>, [Param<R>; 3]) {
    let [p, q] = mapped(
        ab,
        #[inline(always)]
        |v| (v - c).plus(1.0),
    );
    let (low, high) = (p.rounded().min(q.rounded()), p.rounded().max(q.rounded()));
    let size = c.rounded();
    let lift = on.and(size.gt(R::lit(1.0))).and(size.lt(R::lit(200.0)));
    let lift = lift.and(high.lt(R::lit(3.0)).or(low.gt(R::lit(-12.0))));
    let pick = inlined(
        #[inline(always)]
        |a: Param<R>, b: Param<R>| Param::select(lift, a, b),
    );
    (pick(c.plus(-1.0), Param::lit(0.0)), [pick(p, ab[0]), pick(q, ab[1]), pick((-c).plus(2.0), c)])
}

/// The factors of both solutions about 1 in one about 0.
pub(crate) struct Matched<R, const K: usize> {
    pub factors: [Wide<R, K>; 2],
    /// Errors of these, in units of those of double-double numbers.
    pub errors: [R; 2],
}

/// The factors of the solutions about 1 in one about 0 times a power of `2z`, from both at 1/2, where the power of `2w` is 1 too.
/// The Wronskian, a difference that may lose all digits, is known: `s w^(s - 1) (1 - w)^-c`, or without `s` for `m = 0`.
#[inline(always)]
pub(crate) fn matched<R: Real, const K: usize>(
    l: &Local<R, K>,
    f: &Sum<R, K>,
    power: Param<R>,
    c: Param<R>,
    m: R,
    e: Param<R>,
) -> Matched<R, K> {
    let s = e.step(m);
    let size = inlined(
        #[inline(always)]
        |w: Wide<R, K>| w.size(),
    );
    let (g, h) = (l.poly - l.front.mul(l.gap), l.sum);
    let (outer, shift) = (h.by(s), f.value.by(power));
    let (g_slope, h_slope) = (l.poly_slope - l.front.mul(l.gap.scaled(m) + l.gap_slope - h), outer + l.sum_slope);
    let f_slope = (f.slope + shift).scaled(R::lit(-1.0));
    let half = Dd::lit(0.5, 0.0);
    let inverse = if K == 1 { Wide::of(power_of(half, c.dual())) } else { real_power(half, c) };
    let inverse = inverse.over(Param::select(m.gt(R::lit(0.0)), s, Param::lit(-1.0)));
    let factors = [f.value.mul(h_slope) - f_slope.mul(h), g.mul(f_slope) - g_slope.mul(f.value)];
    // Errors of a value by its largest term, of a slope by those of its parts, or by that of terms of such numbers
    let reach = s.rounded().abs() + c.rounded().abs() + R::lit(16.0);
    let wrong = inlined(
        #[inline(always)]
        |value: Wide<R, K>, steep: R, largest: R| {
            let own = largest.max(size(value));
            [own, steep.max((own * reach).min(steep * own / size(value)))]
        },
    );
    let [f_wrong, f_wrong_slope] = wrong(f.value, size(f.slope) + size(shift), f.largest);
    let error = inlined(
        #[inline(always)]
        |value: Wide<R, K>, slope: Wide<R, K>, [own, steep]: [R; 2]| {
            let from_f = f_wrong * size(slope) + f_wrong_slope * size(value);
            (from_f + size(f.value) * steep + size(f_slope) * own) * size(inverse)
        },
    );
    let steep = size(l.poly_slope) + size(l.front) * (size(l.gap) * m + size(l.gap_slope) + size(h));
    let errors = [
        error(h, h_slope, wrong(h, size(outer) + size(l.sum_slope), l.largest[1])),
        error(g, g_slope, wrong(g, steep, l.largest[0])),
    ];
    Matched {
        factors: mapped(
            factors,
            #[inline(always)]
            |w| w.mul(inverse),
        ),
        errors,
    }
}

/// The factor `Gamma(c) Gamma(s) / (Gamma(c - p) Gamma(c - q))` of the connection of both ends (DLMF 15.8.4), from `[p, q]`,
/// `[c - p, c - q]` and `s`, and whether it is in range. Derivatives in `p` or `q` alone, or of two slight ones with `c` too, are differences
/// over the other one, all others over the smaller.
#[inline(always)]
pub(crate) fn connection<R: Real, const K: usize>(
    [p, q]: [Param<R>; 2],
    [cp, cq]: [Param<R>; 2],
    s: Param<R>,
) -> (Dual<R, K>, R::Mask) {
    let [first, second] = alone([p, q]);
    let both = both_slight::<R, K>([p, q]);
    let (first, second) = (first.and(both.or(cq.moves().not())), second.and(both.or(cp.moves().not())));
    let less = q.rounded().abs().lt(p.rounded().abs());
    let swap = if K == 1 { R::Mask::lit(false) } else { first.or(less.and(second.not())) };
    let pick = inlined(
        #[inline(always)]
        |a: Param<R>, b: Param<R>| Param::select(swap, b, a),
    );
    let (a, ca, cb) = (pick(p, q), pick(cp, cq), pick(cq, cp));
    // The step from `cb` to `s` is exact, of a slight parameter too; without derivatives `s` may be another one.
    let step = if K == 1 { s - cb } else { -a };
    let ratios = [gamma_ratio::<R, K>(ca, a), gamma_ratio(cb, step)];
    let least = ratios[0].value().abs().min(ratios[1].value().abs());
    let usable = least.gt(R::lit(1e-290)).or(ca.ends()).or(cb.ends());
    let front = ratios[0] * ratios[1];
    if K > 1 {
        return (front, usable);
    }
    let [s, ca, cb, c] = mapped(
        [s, ca, cb, ca + a],
        #[inline(always)]
        |p| p.value.normalize(),
    );
    (front.times(rounded_off([c, s], [ca, cb])), usable)
}

/// What `Gamma(c) Gamma(s) / (Gamma(p) Gamma(q))` of leading doubles is to be multiplied by, since a rounding of a large argument counts
/// for many of the value: the derivatives of the logarithms by DLMF 5.5.4 and the leading term of 5.11.2, poles as they are. Both
/// quotients that are found as one keep the difference of their arguments.
#[inline(always)]
fn rounded_off<R: Real>([c, s]: [Dd<R>; 2], [p, q]: [Dd<R>; 2]) -> R {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let rate = inlined(
        #[inline(always)]
        |x: R| {
            let gap = x - x.round();
            // About `pi cot(pi gap)`
            let turn = ((half - gap.abs()) * R::lit(4.0 * PI)).copysign(gap);
            let turned = x.lt(-half).and(beside_pole(x).not());
            // A logarithm to some percent, by Padé's approximant at the root
            let v = (x - half).abs().max(half);
            let log = (v - one) * R::lit(6.0) / (v.sqrt() * R::lit(4.0) + (v + one));
            log - R::select(turned, turn, zero)
        },
    );
    let known = inlined(
        #[inline(always)]
        |x: Dd<R>, end: Dd<R>| {
            let moved = rate(x.hi) - R::select(separately(x.hi, end.hi), zero, rate(end.hi));
            R::select(beside_pole(x.hi), zero, x.lo * moved)
        },
    );
    let alone = separately(q.hi, s.hi);
    let gap = s.hi - s.hi.round();
    let pole = alone.and(beside_pole(s.hi)).and(gap.ne(zero));
    let pole = R::select(pole, gap, one) / R::select(pole, gap + s.lo, one);
    pole * (one + (R::select(alone, s.lo * rate(s.hi), zero) - known(p, c) - known(q, s)))
}

/// `Gamma(c) Gamma(s) / (Gamma(p) Gamma(q))`, the factors of the connection of both ends, none of them large.
#[inline(always)]
pub(crate) fn plain_connection<R: Real>(c: R, s: Dd<R>, [p, q]: [Dd<R>; 2]) -> R {
    let rounded = rounded_off([Dd::new(c, R::lit(0.0)), s], [p, q]);
    shared::gamma(c) * shared::gamma(s.hi) * rgamma_at(p) * rgamma_at(q) * rounded
}

/// Errors of a part of such a connection, in units of those of double-double numbers, where its terms exceed their sum by this factor.
#[inline(always)]
pub(crate) fn gamma_error<R: Real>(loss: R) -> R {
    loss * R::lit(1e3) + R::lit(1e16)
}

/// Whether this connection may serve where the exponent at 1 is `s`: beyond, its parts have poles that cancel.
#[inline(always)]
pub(crate) fn separate<R: Real, const K: usize>(s: R) -> R::Mask {
    if K == 1 { (s - s.round()).abs().gt(R::lit(1e-6)) } else { apart(s) }
}

/// Errors from which on, in units of those of double-double numbers, [`logarithmic`] is tried.
const LOGARITHM_LOSS: f64 = 1e18;

/// The solution about 0 from those about 1 by gamma functions, where their exponents are next to an integer `m`: the poles of both
/// parts are taken out (DLMF 15.8.10 for `e = 0`); and its error, in units of those of double-double numbers.
///
/// `[m, log]` are that integer and the logarithm of `w`. `lifted` says that `l` belongs to the equation of the solution times
/// `z^(c - 1)`.
#[inline(always)]
fn logarithmic<R: Real, const K: usize>(
    l: &Local<R, K>,
    [a, b]: [Param<R>; 2],
    c: Param<R>,
    [m, log]: [R; 2],
    e: Param<R>,
    lifted: R::Mask,
    on: R::Mask,
) -> [R; 2] {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let [a, b, c] = moderate([a, b, c], on);
    let e = Param::select(on, e, Param::lit(0.0));
    let some = m.gt(zero);
    let (ca, cb) = (c - a, c - b);
    let (front, usable) = connection::<R, 1>([a, b], [ca, cb], e.step(R::select(some, m, one)));
    let front = R::select(some, front.value(), -front.value());
    let step = R::select(lifted, zero, m);
    let poles = a.ends().or(b.ends()).or(ca.ends()).or(cb.ends());
    // The difference of logarithms of gamma functions over `e`, as the mean of digamma functions between, by Gauss's rule
    let [mean, size, missing, _] = R::repeat(
        [zero, zero, zero, one],
        2,
        #[inline(always)]
        |[mean, size, missing, side]| {
            let at = (half + side * R::lit(0.288_675_134_594_812_9)) * e.rounded();
            let mut sums = [mean, size, missing];
            for (p, sign) in [(a.step(step), one), (b.step(step), one)] {
                let p = (p.step(at)).value.normalize();
                let value = digamma_at(p) * sign;
                let gap = R::select(p.hi.lt(half), p.hi - p.hi.round(), p.hi);
                let wide = e.rounded() / gap;
                let square = wide * wide;
                sums = [sums[0] + value, sums[1] + value.abs(), sums[2] + square * square / gap.abs()];
            }
            let (low, high) = (shared::digamma(one - at), shared::digamma(m + one + at));
            ([sums[0] - (low + high), sums[1] + low.abs() + high.abs(), sums[2], -side], side.gt(zero).and(on))
        },
    );
    let rate = log + mean * half;
    let rate = rate * shared::exprel(e.rounded() * rate);
    let last = l.front.0[0].hi * l.sum.0[0].hi;
    let before = l.poly.0[0] - l.front.0[0] * l.gap.0[0];
    let sum = before.hi + last * rate;
    let rounded = (log.abs() + size * half + missing * R::lit(2e13)) * last.abs() + before.hi.abs();
    let largest = l.largest[0] + (l.front.0[0].hi * rate).abs() * l.largest[1];
    let error = (rounded * R::lit(1e16) + largest * R::lit(1e3)) / sum.abs();
    // The rule holds far from poles only.
    let apart = (missing * e.rounded()).abs().lt(R::lit(1e-3));
    let usable = usable.and(poles.not()).and(apart).and(on);
    [front * sum, R::select(usable.and(error.lt(R::lit(INF))), error, R::lit(INF))]
}

/// Polynomials of degrees below this are summed in the form that cancels least.
const DEGREES: f64 = 5000.0;
/// How far the terms of a polynomial may exceed the sum before another form is tried.
const POLYNOMIAL_LOSS: f64 = 1e8;

/// A sum is next to a zero if its terms exceed its logarithmic derivative in the argument by less than this.
const ROOT: f64 = 1e15;

/// The product of `fronts` and the polynomial `2F1(-n, b; c; x)` with derivatives in `b` or `c`, and what its sum loses, by powers of `x`,
/// `x/(x - 1)`, `1 - x`, `1/x`, `1/(1 - x)` or `1 - 1/x` (DLMF 15.8.1, 15.8.6, 15.8.7).
#[inline(always)]
fn polynomial<R: Real, const K: usize>(
    n: R,
    b: Param<R>,
    c: Param<R>,
    x: R,
    fronts: [Dual<R, K>; 2],
    on: R::Mask,
) -> [R; 5] {
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
    let inner = inlined(
        #[inline(always)]
        |p: Param<R>, v: f64| Param::select(on, p, Param::lit(v)),
    );
    let (n, b, c) = (R::select(on, n, one), inner(b, 1.0), inner(c, 2.0));
    let x = R::select(on, x, zero);
    let top = Param::new(-n, [zero; 2]);
    let point = Dd::new(x, zero);
    let away = Dd::two_sum(one, -x);
    let (low, high) = (c - b, Param::lit(1.0).step(-n));
    let mut start = [zero; 11];
    start[9] = inf;
    let state = R::repeat(
        start,
        6,
        #[inline(always)]
        |state| {
            let form = state[10];
            let is = inlined(
                #[inline(always)]
                |k: usize| form.eq(R::lit(k as f64)),
            );
            // Numerator parameter, denominator parameter and variable; the factors of the front
            let mirrored = is(1).or(is(4));
            let turned = is(3).or(is(5));
            let p = Param::select(turned, high - c, Param::select(mirrored, low, b));
            let falling = is(3).or(is(4));
            let q = Param::select(falling, high - b, Param::select(is(2).or(is(5)), high - low, c));
            let unit = Dd::lit(1.0, 0.0);
            let over = Dd::select(mirrored, away, Dd::select(turned, point, unit));
            let part = Dd::select(is(1), -point, Dd::select(is(2), away, Dd::select(is(5), -away, unit)));
            let z = Dd::select(is(0), point, part / over);
            let s = series::<R, K, 2, 1, false>([top, p], [q], z, 6000, R::lit(NEGLIGIBLE), on);
            let size = s.value.0[0].hi.abs();
            // At a zero of the function its derivatives have digits.
            let size = if K > 1 { size.max(s.value.0[K - 1].hi.abs() * R::lit(1e-3)) } else { size };
            // Next to a zero less is lost than a rounding of the argument moves.
            let moves = R::select(is(0).or(is(3)), one, R::select(is(2).or(is(4)), point.hi, one) / away.hi).abs();
            let root = s.largest.lt(s.slope.0[0].hi.abs() * moves * R::lit(ROOT)).and(s.scale.eq(zero));
            let loss = R::select(size.eq(zero), inf, s.largest / size);
            let loss = R::select(root, loss.min(R::lit(HOPELESS * 0.5)), loss);
            let better = s.good.and(loss.lt(state[9]));
            let front = R::when(
                better.and(form.gt(zero)),
                pack::<R, K, 1, 0, 8>([Wide::lit(1.0)], []),
                #[inline(always)]
                || {
                    let u = Param::select(falling, b, low);
                    let base = Dd::select(is(2), unit, Dd::select(is(3), -point, over));
                    let state = R::repeat(
                        pack::<R, K, 1, 1, 9>([Wide::lit(1.0)], [zero]),
                        DEGREES as u32,
                        #[inline(always)]
                        |state| {
                            let (f, k) = (at::<R, K, 9>(&state, 0), state[8]);
                            let grown = f.times(base);
                            let f = Wide::select(is(1), grown, grown.by(u.step(k)).over(c.step(k)));
                            let next = k + one;
                            (pack([f], [next]), next.lt(n).and(on))
                        },
                    );
                    pack([at::<R, K, 9>(&state, 0)], [])
                },
            );
            let front = at::<R, K, 8>(&front, 0);
            // Below this range the second double loses bits.
            let height = front.0[0].hi.abs();
            let vanishes = Param::select(falling, b, low).ends().and(is(1).not());
            let better = better.and(height.gt(R::lit(1e-275)).and(height.lt(R::lit(1e290))).or(vanishes));
            let value = pack::<R, K, 1, 0, 8>([s.value.mul(front)], []);
            let mut out: [R; 11] = each(
                #[inline(always)]
                |i| if i < 8 { R::select(better, value[i], state[i]) } else { zero },
            );
            out[8] = R::select(better, s.scale, state[8]);
            out[9] = R::select(better, loss, state[9]);
            out[10] = form + one;
            (out, out[9].gt(R::lit(POLYNOMIAL_LOSS)).and(on))
        },
    );
    let scale = shared::exp2(state[8] * R::lit(256.0));
    let out = (at::<R, K, 11>(&state, 0).rounded() * fronts[0]).times(scale).times(scale) * fronts[1];
    let known = state[9].lt(R::lit(HOPELESS));
    dual::pack([Dual::select(known, out, Dual::nan())], [R::select(known, state[9], inf)])
}

/// `base^exponent` with the digits of both doubles where `on`, else `plain`: derivatives that are small beside the value, as [`slight`] ones, keep their digits in products
/// with it.
#[inline(always)]
fn whole_power_or<R: Real, const K: usize>(
    on: R::Mask,
    plain: Wide<R, K>,
    base: Dd<R>,
    exponent: Param<R>,
) -> Wide<R, K> {
    if K == 1 {
        return plain;
    }
    let whole = R::when(
        on,
        pack::<R, K, 1, 0, 8>([plain], []),
        #[inline(always)]
        || {
            let base = Dd::select(on, base, Dd::lit(1.0, 0.0));
            pack([real_power::<R, K>(base, Param::select(on, exponent, Param::lit(1.0)))], [])
        },
    );
    at::<R, K, 8>(&whole, 0)
}

/// Whether the derivative of a product is so small beside what it is the sum of, by the magnitudes of both factors, that a rounding of a
/// factor is too much.
#[inline(always)]
pub(crate) fn cancels<R: Real, const K: usize, const P: usize>(
    product: [Dual<R, K>; P],
    [value, front]: [Dual<R, K>; 2],
) -> R::Mask {
    if K == 1 { R::Mask::lit(false) } else { sizes(product)[1].lt(sizes([value * front])[1] * R::lit(1.0 / 64.0)) }
}

/// Whether a factor that is this power of a number, by its logarithm, stays in range.
#[inline(always)]
pub(crate) fn within_range<R: Real>(power: Param<R>, log: R) -> R::Mask {
    (power.rounded() * log).abs().lt(R::lit(650.0))
}

/// Whether derivatives in the other parameters are small because one of the first two is, which Gauss's series tells term by term.
#[inline(always)]
pub(crate) fn slight<R: Real, const K: usize>([a, b]: [Param<R>; 2]) -> R::Mask {
    let least = a.rounded().abs().min(b.rounded().abs());
    if K == 1 { R::Mask::lit(false) } else { least.lt(R::lit(SLIGHT)) }
}

/// Whether both are [`slight`].
#[inline(always)]
pub(crate) fn both_slight<R: Real, const K: usize>([a, b]: [Param<R>; 2]) -> R::Mask {
    slight::<R, K>([a, a]).and(slight::<R, K>([b, b]))
}

/// Whether derivatives are few digits of differences of the first two parameters from `c`: those in `c`, of two slight ones.
#[inline(always)]
pub(crate) fn of_differences<R: Real, const K: usize>([a, b, c]: [Param<R>; 3]) -> R::Mask {
    let alone = a.moves().or(b.moves()).not();
    both_slight::<R, K>([a, b]).and(c.moves()).and(alone.or(c.rounded().gt(R::lit(0.0))))
}

/// The error of these, in units of those of double-double numbers.
#[inline(always)]
pub(crate) fn of_difference_loss<R: Real>([a, b]: [Param<R>; 2]) -> R {
    (R::lit(1.0) / a.rounded().abs().max(b.rounded().abs())).min(R::lit(HOPELESS * 0.5))
}

/// Whether what a slight parameter brings in stays below the rest, so far as the second solution at 1 does not take over: by the
/// exponent of that and the logarithm of the distance from 1.
#[inline(always)]
pub(crate) fn unspoilt<R: Real>([a, b]: [Param<R>; 2], exponent: R, log: R) -> R::Mask {
    let least = a.rounded().abs().min(b.rounded().abs());
    (shared::log(least) - exponent.min(R::lit(0.0)) * log.abs()).lt(R::lit(-4.0))
}

/// Of the sizes of a value and of its derivative the one whose roundings the derivative has, also where it is `small` beside the value.
#[inline(always)]
pub(crate) fn rounded_with<R: Real>(small: R::Mask, [value, top]: [R; 2]) -> R {
    R::select(small, value + top, top)
}

/// Which of two parameters becomes the exponent of DLMF 15.8.1, the second if `swap`, unless only the other's factor stays in range.
/// That of derivatives is one in which they are not, or the smaller, where the form is [`calm`], and where `minor` a [`slight`] one.
#[inline(always)]
pub(crate) fn exchanged<R: Real, const K: usize>(
    [a, b]: [Param<R>; 2],
    minor: R::Mask,
    [calm_a, calm_b]: [R::Mask; 2],
    swap: R::Mask,
    log: R,
) -> R::Mask {
    if K > 1 {
        let [p, q] = [a.rounded().abs(), b.rounded().abs()];
        let [first, second] = alone([a, b]);
        let less = q.lt(p);
        let other = first.or(less.and(second.not()));
        let calm = calm_b.and(other.or(less.and(calm_a.not()))).or(swap.and(calm_a.or(calm_b).not()));
        // Of two slight ones too
        let both = both_slight::<R, K>([a, b]);
        let slight = less.and(both.and(second).not()).or(both.and(first));
        return minor.and(slight).or(minor.not().and(calm));
    }
    let (first, second) = (within_range(a, log), within_range(b, log));
    second.and(swap.or(first.not())).or(swap.and(first.not()))
}

/// Whether derivatives are taken in one of two parameters and not in the other.
#[inline(always)]
fn alone<R: Real>([a, b]: [Param<R>; 2]) -> [R::Mask; 2] {
    [a.moves().and(b.moves().not()), b.moves().and(a.moves().not())]
}

/// Of sums that lose more another way is asked,
pub(crate) const THIN: f64 = 1e18;
/// up to parameters of which there are not too many oscillations to follow.
pub(crate) const FARTHEST: f64 = 4000.0;

/// Gauss's function or a derivative in its parameters.
#[inline(always)]
fn gauss<R: Real, const K: usize>(code: R, a: R, b: R, c: R, x: R) -> R {
    let at = inlined(
        #[inline(always)]
        |on: R::Mask, other: f64| R::select(on, x, R::lit(other)),
    );
    let alone = inlined(
        #[inline(always)]
        |(value, loss): (Dual<R, K>, R)| ([value], loss),
    );
    let [out] = by_all_ways::<R, K, 1>(
        directions::<R, 3, K>(code, [a, b, c]),
        [x],
        x.lt(R::lit(1.0)),
        #[inline(always)]
        |parameters, on| alone(directly(parameters, at(on, 0.0))),
        #[inline(always)]
        |parameters, on| alone(real_by_logarithms(parameters, at(on, 0.5), on)),
        #[inline(always)]
        |parameters, on| alone(marched(parameters, at(on, 0.5), on)),
    );
    out.top()
}

/// Gauss's function with its derivatives in the parameters: `directly`, and where that loses digits and other ways `can` serve, by its
/// recurrences, a value from both `ends` by logarithms, and `marched` by its differential equation, whichever loses least; all tell how
/// many times as large as the value their error is in units of those of double-double numbers.
#[inline(always)]
pub(crate) fn by_all_ways<R: Real, const K: usize, const P: usize>(
    parameters: [Param<R>; 3],
    z: [R; P],
    can: R::Mask,
    directly: impl Fn([Param<R>; 3], R::Mask) -> ([Dual<R, K>; P], R),
    ends: impl Fn([Param<R>; 3], R::Mask) -> ([Dual<R, K>; P], R),
    marched: impl Fn([Param<R>; 3], R::Mask) -> ([Dual<R, K>; P], R),
) -> [Dual<R, K>; P] {
    let large = largest_of(parameters).lt(R::lit(FARTHEST));
    let unknown = inlined(
        #[inline(always)]
        |out: [Dual<R, K>; P]| {
            let mut unknown = R::Mask::lit(false);
            for part in out {
                unknown = unknown.or(part.top().is_nan());
            }
            unknown
        },
    );
    let found = inlined(
        #[inline(always)]
        |parameters: [Param<R>; 3], on: R::Mask| {
            let (out, loss) = found_or_followed(
                &Climb::new(parameters, can.and(on)),
                parameters,
                z,
                #[inline(always)]
                |parameters, inner| directly(parameters, inner.and(on)),
            );
            let asks = inlined(
                #[inline(always)]
                |state: &[R; 9]| unknown(parts(state, 0)).or(state[8].gt(R::lit(THIN))).and(can).and(on).and(large),
            );
            let better = inlined(
                #[inline(always)]
                |state: &[R; 9], asks: R::Mask, (out, loss): ([Dual<R, K>; P], R)| -> [R; 9] {
                    let before = R::select(unknown(parts(state, 0)), R::lit(INF), state[8]);
                    let better = asks.and(loss.lt(before));
                    let found: [R; 9] = written([out], [loss]);
                    each(
                        #[inline(always)]
                        |i| R::select(better, found[i], state[i]),
                    )
                },
            );
            let state: [R; 9] = written([out], [loss]);
            let lost = asks(&state);
            let state = R::when(
                lost,
                state,
                #[inline(always)]
                || {
                    let state = better(&state, lost, ends(parameters, lost));
                    let lost = asks(&state);
                    better(&state, lost, marched(parameters, lost))
                },
            );
            (parts(&state, 0), state[8])
        },
    );
    found_or_descended::<R, true, K, P>(parameters, z, can, found)
}

/// Whether at most the first terms of the series of `2F1(p, q; c; z)` change their signs, or all fall beside a large `c`. Derivatives
/// that are small beside the value are kept by these forms where a power in front of others leaves no digits.
#[inline(always)]
pub(crate) fn gentle<R: Real>([p, q]: [Param<R>; 2], c: Param<R>, z: R) -> R::Mask {
    let (p, q, c) = (p.rounded(), q.rounded(), c.rounded());
    let (less, more) = (p.abs().min(q.abs()), p.abs().max(q.abs()));
    let falls = less.lt(R::lit(3.0)).and((more * z).lt(c * R::lit(1.5)));
    falls.or(p.min(q).gt(R::lit(-1.0))).and(c.gt(R::lit(0.0)))
}

/// Whether the forms of DLMF 15.8.1 with the exponents `a` and `b` are [`gentle`], and their terms do not grow.
#[inline(always)]
pub(crate) fn calm<R: Real>([a, b]: [Param<R>; 2], c: Param<R>, z: R) -> [R::Mask; 2] {
    mapped(
        [(a, b), (b, a)],
        #[inline(always)]
        |(p, q)| gentle([p, c - q], c, z).and((q - p).rounded().gt(R::lit(-3.0))),
    )
}

/// The largest magnitude of parameters.
#[inline(always)]
pub(crate) fn largest_of<R: Real>([a, b, c]: [Param<R>; 3]) -> R {
    a.rounded().abs().max(b.rounded().abs()).max(c.rounded().abs())
}

/// Gauss's function with its derivatives in the parameters, infinite or NaN where it has no number, and how many times as large as
/// the sum its terms are, infinite where no digit is left.
#[inline(always)]
fn directly<R: Real, const K: usize>([pa, pb, pc]: [Param<R>; 3], x: R) -> (Dual<R, K>, R) {
    let (zero, one, nan) = (R::lit(0.0), R::lit(1.0), R::lit(NAN));
    let limit = R::lit(1e100);
    let [a, b, c] = mapped(
        [pa, pb, pc],
        #[inline(always)]
        |p| p.rounded(),
    );
    let finite = a.abs().lt(limit).and(b.abs().lt(limit)).and(c.abs().lt(limit)).and(x.abs().lt(R::lit(INF)));
    let short = pa.ends().or(pb.ends());
    let closes = pa.ends().and(a.ge(c)).or(pb.ends().and(b.ge(c)));
    let at_pole = pc.ends();
    let s = pc - pa - pb;
    let edge = x.eq(one).and(s.rounded().gt(zero));
    let direct = x.gt(one).or(x.eq(one).and(edge.not())).or(at_pole);
    let on = finite.and(at_pole.not().or(closes)).and(direct.not().or(short));
    let (differences, untold) = (of_differences::<R, K>([pa, pb, pc]), of_difference_loss([pa, pb]));
    // At 1 by gamma functions (DLMF 15.4.20)
    let minor = slight::<R, K>([pa, pb]);
    // Derivatives of polynomials in their degree too
    let sums = if K == 1 { short } else { pa.fixed_end().or(pb.fixed_end()) };
    let at_one = on.and(edge).and(sums.not());
    let at_end = R::when(
        at_one,
        [nan; K],
        #[inline(always)]
        || {
            let pick = inlined(
                #[inline(always)]
                |p: Param<R>, v: f64| Param::select(at_one, p, Param::lit(v)),
            );
            let swap = a.abs().gt(b.abs());
            let (p, q) = (Param::select(swap, pb, pa), Param::select(swap, pa, pb));
            let [cp, cq, s] = [pick(pc - p, 1.5), pick(pc - q, 1.5), pick(s, 1.0)];
            let (sum, usable) = connection::<R, K>([pick(p, 0.5), pick(q, 0.5)], [cp, cq], s);
            let usable = usable.and(sum.value().abs().lt(R::lit(INF)));
            R::when(
                at_one.and(usable.not()),
                sum.0,
                #[inline(always)]
                || {
                    let logs = from_logarithm(log_gammas::<R, K, 2>([pick(pc, 2.0), s], [cp, cq]));
                    Dual::select(usable, sum, logs).0
                },
            )
        },
    );
    let on = on.and(at_one.not());
    // A polynomial times a power by DLMF 15.8.1
    let (unit, away) = (Dd::lit(1.0, 0.0), Dd::two_sum(one, -R::select(on, x, zero)));
    let others = [pc - pa, pc - pb];
    let degree = inlined(
        #[inline(always)]
        |p: Param<R>| R::select(p.fixed_end(), -p.rounded(), R::lit(INF)),
    );
    let [first, second] = mapped(
        others,
        #[inline(always)]
        |p| p.degree(),
    );
    let lower = first.min(second).lt(degree(pa).min(degree(pb)));
    let turned = on.and(direct.or(at_pole).or(edge).not()).and(lower);
    let (pa, pb) = (Param::select(turned, others[0], pa), Param::select(turned, others[1], pb));
    let (na, nb) = (R::select(turned, first, degree(pa)), R::select(turned, second, degree(pb)));
    let ending = on.and(na.min(nb).lt(R::lit(DEGREES)));
    let found = R::when(
        ending,
        dual::pack([Dual([nan; K])], [one]),
        #[inline(always)]
        || {
            // By halves where it is out of range
            let base = Dd::select(turned, away, unit);
            let half = within_range(s, shared::log(base.hi)).not();
            let front = power_of(base, Param::select(half, s.scaled(R::lit(0.5)), s).dual());
            let fronts = [front, Dual::select(half, front, Dual::lit(1.0))];
            polynomial::<R, K>(na.min(nb), Param::select(na.le(nb), pb, pa), pc, x, fronts, ending)
        },
    );
    let on = on.and(ending.not());
    let safe = inlined(
        #[inline(always)]
        |p: Param<R>, v: f64| Param::select(on, p, Param::lit(v)),
    );
    let (pa, pb, pc) = (safe(pa, 1.0), safe(pb, 1.0), safe(pc, 2.0));
    let x = R::select(on, x, zero);
    // DLMF 15.8.1: to 0 <= z < 1, keeping the parameters from becoming negative
    let left = x.lt(zero).and(direct.not());
    let (qa, qb) = (pc - pa, pc - pb);
    let least = inlined(
        #[inline(always)]
        |p: Param<R>, q: Param<R>| p.rounded().min(q.rounded()),
    );
    let log_away = shared::log(R::select(left.or(x.gt(zero).and(x.lt(one))), away.hi, one));
    let weight = R::select(left, R::select(a.abs().gt(b.abs()), a, b), s.rounded());
    let minor = minor.and(unspoilt([pa, pb], weight, log_away));
    let calm = calm([pa, pb], pc, -x / away.hi);
    let swap = exchanged::<R, K>([pa, pb], minor, calm, least(qa, pb).gt(least(pa, qb)), log_away);
    let (ka, kb) = (Param::select(swap, pb, pa), Param::select(swap, qa, qb));
    let (ua, ub) = (Param::select(left, ka, pa), Param::select(left, kb, pb));
    let w = Dd::select(left, unit / away, away);
    let z = Dd::select(left, Dd::new(-x, zero) / away, Dd::new(x, zero));
    let exponent = Param::select(left, ua, Param::lit(0.0));
    let largest = ua.rounded().abs().max(ub.rounded().abs()).max(pc.rounded().abs());
    let limit = R::select(largest.lt(R::lit(LARGE)).and(minor.not()), R::lit(GAUSS_SERIES), R::lit(LONG));
    let far = on.and(direct.not()).and(z.hi.gt(limit));
    // DLMF 15.8.1 again: a positive exponent at 1, or parameters that are less negative
    let s = pc - ua - ub;
    let (va, vb) = (pc - ua, pc - ub);
    // Of two negative parameters the terms have one sign until the larger one has turned positive, and fall then unless the other is
    // much larger. Terms without change of sign may be too many.
    let score = inlined(
        #[inline(always)]
        |p: Param<R>, q: Param<R>| {
            let (low, high, c) = (p.rounded().min(q.rounded()), p.rounded().max(q.rounded()), pc.rounded());
            let falls = (low * z.hi).gt((high - c) * R::lit(4.0));
            let long = (R::lit(80.0) - low * R::lit(3.0)).gt(w.hi * R::lit(6000.0));
            let both = high.lt(-one).and(c.gt(zero)).and(falls.or(long));
            R::select(both, zero, least(p, q).min(zero))
        },
    );
    let [calm_u, calm_v] =
        if K == 1 { [R::Mask::lit(false); 2] } else { [gentle([ua, ub], pc, z.hi), gentle([va, vb], pc, z.hi)] };
    let [score_u, score_v] = [score(ua, ub), score(va, vb)];
    let plain_gain = score_v - score_u;
    let gain = R::select(calm_v, zero, score_v) - R::select(calm_u, zero, score_u);
    // Unless its factor leaves the range
    let within = within_range(s, shared::log(R::select(on.and(w.hi.gt(zero)), w.hi, one)));
    let equal = R::select(plain_gain.lt(zero), plain_gain, -s.rounded());
    let spared = R::select(gain.eq(zero), equal, gain).gt(zero).and(within);
    // Terms of one sign lose nothing: sums with large parameters are continued only where the terms, like `z^k k^(-s - 1)`, fall too
    // slowly.
    let fall = R::select(spared, -s.rounded(), s.rounded()) + one;
    let soon = (w.hi * R::lit(3000.0) + fall * R::lit(8.0)).gt(R::lit(100.0)).and(largest.ge(R::lit(12.0)));
    let signed = least(ua, ub).min(pc.rounded()).gt(zero).or(least(va, vb).min(pc.rounded()).gt(zero));
    let far = far.and(soon.and(signed.or(calm_u)).not());
    let down = R::select(far, s.rounded(), R::select(spared, -one, one)).lt(zero);
    let flip = down.and(direct.not()).and(far.or(minor.not()));
    // Next to where a factor of the connection vanishes, a sum may be smaller than its parts.
    let mut beside = R::Mask::lit(false);
    for p in [ua, ub, va, vb] {
        let v = p.rounded();
        beside = beside.or((v - v.round()).abs().lt(R::lit(1e-3)).and(v.lt(R::lit(0.5))).and(p.ends().not()));
    }
    let exponent = Param::select(flip, exponent + s, exponent);
    let (ua, ub) = (Param::select(flip, va, ua), Param::select(flip, vb, ub));
    let s = Param::select(flip, -s, s);
    let joined = R::select(beside, R::lit(NEGLIGIBLE), share::<R, K>(largest));
    let tiny = R::select(far, joined, R::lit(enough(K)));
    let start = Dd::select(far, Dd::lit(0.5, 0.0), z);
    let f = series::<R, K, 2, 1, false>([ua, ub], [pc], start, 6000, tiny, on);
    let size = f.value.0[0].hi.abs();
    let loses = inlined(
        #[inline(always)]
        |limit: f64| if K == 1 { far.not().and(f.largest.gt(size * R::lit(limit))) } else { R::Mask::lit(false) },
    );
    let usable = f.good.and(loses(HOPELESS).not()).and(f.scale.eq(zero).or(far.not()));
    // DLMF 15.8.4, for large parameters: the factors found by matching lose digits, and the series about 0 does.
    let by_gamma = far
        .or(on.and(direct.not()).and(loses(SERIES_LOSS).or(f.good.not())))
        .and(largest.ge(R::lit(12.0)))
        .and(largest.max(s.rounded().abs()).lt(R::lit(if K == 1 { GAMMA_LIMIT } else { 120.0 })))
        .and(separate::<R, K>(s.rounded()))
        .and(w.hi.gt(zero));
    // The powers of both parts, by which derivatives do not cancel
    let log_w = shared::log(R::select(by_gamma, w.hi, one));
    let owned = by_gamma.and(within_range(exponent, log_w)).and(within_range(exponent + s, log_w));
    let owned = if K == 1 { R::Mask::lit(false) } else { owned };
    let outer = Param::select(owned, exponent, Param::lit(0.0));
    let connected = R::when(
        by_gamma,
        pack::<R, K, 1, 1, 9>([Wide::lit(0.0)], [R::lit(INF)]),
        #[inline(always)]
        || {
            let safe = inlined(
                #[inline(always)]
                |p: Param<R>, v: f64| Param::select(by_gamma, p, Param::lit(v)),
            );
            let (a, b, c, s) = (safe(ua, 1.0), safe(ub, 1.0), safe(pc, 2.5), safe(s, 0.5));
            let (ca, cb) = (c - a, c - b);
            let unit = Param::lit(1.0);
            let w = Dd::select(by_gamma, w, Dd::lit(0.25, 0.0));
            let state = [zero; 11];
            let state = R::repeat(
                state,
                2,
                #[inline(always)]
                |state| {
                    let first = state[10].eq(zero);
                    let either = inlined(
                        #[inline(always)]
                        |p: Param<R>, q: Param<R>| Param::select(first, p, q),
                    );
                    let (p, q, s) = (either(a, ca), either(b, cb), either(s, -s));
                    let f = series::<R, K, 2, 1, false>([p, q], [unit - s], w, 6000, R::lit(NEGLIGIBLE), by_gamma);
                    let (front, usable) = connection([p, q], [either(ca, a), either(cb, b)], s);
                    let power = power_of::<R, K>(w, either(outer, outer - s).dual());
                    let part = f.value.rounded() * front * power;
                    let error = gamma_error(f.largest / f.value.0[0].hi.abs());
                    let usable = usable.and(f.good).and(f.scale.eq(zero));
                    let mut out = state;
                    for k in 0..K {
                        out[k] = out[k] + part.0[k];
                    }
                    let size = R::select(minor, part.size(), part.top().abs());
                    out[8] = out[8] + R::select(usable, size * error, R::lit(INF));
                    out[10] = one;
                    (out, by_gamma)
                },
            );
            let sum = Dual::<R, K>(each(
                #[inline(always)]
                |k| state[k],
            ));
            pack([Wide::of(sum)], [state[8] / sum.top().abs()])
        },
    );
    let other = R::select(f.good, gamma_error(f.largest / size).min(R::lit(LOST)), R::lit(LOST));
    let other = R::select(far, R::lit(GAMMA_LOSS), other);
    let known = by_gamma.and(connected[8].lt(other));
    let exponent = Param::select(known.and(owned), Param::lit(0.0), exponent);
    let near = Wide::select(known, at::<R, K, 9>(&connected, 0), f.value);
    let kept_loss = R::lit(HOPELESS * 0.5);
    let joined_loss = connected[8].min(if K == 1 { kept_loss } else { R::select(minor, kept_loss, R::lit(INF)) });
    // What is absolutely right is kept where no other way is found.
    let relative = inlined(
        #[inline(always)]
        |loss: R, small: R| R::select(minor.and(loss.lt(R::lit(HOPELESS))), small.min(kept_loss), loss),
    );
    let whole = f.value.rounded();
    let small = R::select(f.largest_top.gt(zero), f.largest_top / whole.top().abs(), one);
    let loss = R::select(known, joined_loss, relative(f.largest / whole.size(), small));
    let near = pack::<R, K, 1, 3, 11>([near], [R::select(usable.or(known), one, zero), loss, zero]);
    let far = far.and(known.not());
    // Where digits are lost and the connection has two poles that cancel, they are taken out of it.
    let beyond = largest.max(s.rounded().abs()).lt(R::lit(GAMMA_LIMIT));
    let spoilt =
        if K == 1 { known.or(separate::<R, K>(s.rounded())).or(direct).not().and(beyond) } else { R::Mask::lit(false) };
    let lost = spoilt.and(on).and(far.not()).and(w.hi.gt(zero)).and(loses(LOGARITHM_LOSS).or(f.good.not()));
    let turn = lost.and(s.rounded().lt(R::lit(-0.5)));
    let turned_exponent = Param::select(turn, exponent + s, exponent);
    let (ua, ub) = (Param::select(turn, pc - ua, ua), Param::select(turn, pc - ub, ub));
    let s = Param::select(turn, -s, s);
    let both_ends = far.or(lost);
    let out = R::when(
        both_ends,
        near,
        #[inline(always)]
        || {
            let m = s.rounded().round();
            let m = R::select(both_ends, m, zero);
            let e = Param::select(both_ends, s.step(-m), Param::lit(0.25));
            let w = Dd::select(both_ends, w, Dd::lit(0.25, 0.0));
            let (at_one, c) = ([ua, ub], pc);
            let (lift, [ua, ub, pc]) = lifted([ua, ub], pc, both_ends);
            // At 1/2 and then at w, in a loop because the code is long
            let mut state = [zero; 118];
            state[116] = R::lit(0.5);
            let state = R::repeat(
                state,
                2,
                #[inline(always)]
                |state| {
                    let l = local::<R, K>(ua, ub, m, e, Dd::new(state[116], state[117]), joined, both_ends).packed();
                    let next = inlined(
                        #[inline(always)]
                        |i: usize| if i < 58 { state[i + 58] } else { l[i - 58] },
                    );
                    let mut out: [R; 118] = each(
                        #[inline(always)]
                        |i| if i < 116 { next(i) } else { zero },
                    );
                    out[116] = w.hi;
                    out[117] = w.lo;
                    (out, both_ends)
                },
            );
            let both = mapped(
                [0, 58],
                #[inline(always)]
                |from| {
                    each(
                        #[inline(always)]
                        |i| state[from + i],
                    )
                },
            );
            let Matched { factors: [first, second], errors } =
                matched(&Local::<R, K>::unpacked(&both[0]), &f, lift, pc, m, e);
            let l = Local::<R, K>::unpacked(&both[1]);
            let end = w.hi.eq(zero);
            let [rate, raised] = real_powers::<R, K>(w, m, e);
            let g = l.poly - l.front.mul(l.gap - l.sum.mul(rate));
            let high = raised.mul(l.sum);
            let size = inlined(
                #[inline(always)]
                |w: Wide<R, K>| w.size(),
            );
            let low_largest = l.largest[0] + size(l.front.mul(rate)) * l.largest[1];
            let error = errors[0] * size(g) + size(first) * low_largest;
            let error = error + errors[1] * size(high) + size(second) * (l.largest[1] * size(raised));
            let back = power_of::<R, K>(Dd::select(both_ends, z.times_pow2(R::lit(2.0)), unit), (-lift).dual());
            let value = first.mul(g) + second.mul(high);
            let whole = value.rounded().size();
            let back = whole_power_or(
                minor.and(both_ends).and(lift.counts()),
                Wide::of(back),
                z.times_pow2(R::lit(2.0)),
                -lift,
            );
            let value = value.mul(back);
            if K > 1 {
                let loss = relative(error / whole, error * back.0[0].hi.abs() / value.rounded().top().abs());
                return pack([value], [near[8], R::select(end, one, loss), zero]);
            }
            // Whichever loses less, unless no digit is left
            let [matched, own] = [error / whole, R::select(near[8].eq(one), near[9], R::lit(INF))];
            let matched = R::select(usable.and(matched.lt(R::lit(INF))), matched, R::lit(INF));
            let (value, error) = (Wide::select(far, value, at(&near, 0)), R::select(far, matched, own));
            let turned = connected[8].lt(error * R::lit(10.0)).and(far);
            let value = Wide::select(turned, at::<R, K, 9>(&connected, 0), value);
            let error = R::select(turned, connected[8], error);
            let tried = spoilt.and(error.gt(R::lit(LOGARITHM_LOSS))).and(end.not());
            let state = pack::<R, K, 1, 2, 10>([value], [error, zero]);
            let state = R::when(
                tried,
                state,
                #[inline(always)]
                || {
                    let w = Dd::select(tried, w, Dd::lit(0.25, 0.0));
                    let log = shared::log(w.hi) + w.lo / w.hi;
                    let [v, e] = logarithmic(&l, at_one, c, [m, log], e, lift.rounded().ne(zero), tried);
                    let less = tried.and(e.lt(error));
                    let v = v * power_of::<R, K>(Dd::select(both_ends, z, unit), (-lift).dual()).value();
                    let mut out = state;
                    out[0] = R::select(less, v, state[0]);
                    out[1] = R::select(less, zero, state[1]);
                    out[8] = R::select(less, e, error);
                    out[9] = R::select(less, one, zero);
                    out
                },
            );
            let loss = R::select(state[8].lt(R::lit(LOST)), state[8].min(R::lit(HOPELESS * 0.5)), R::lit(INF));
            let known = R::select(state[8].lt(R::lit(LOST)), one, zero);
            pack([at::<R, K, 10>(&state, 0)], [known, loss, state[9]])
        },
    );
    let value = at::<R, K, 11>(&out, 0);
    let by_logarithm = out[10].ne(zero);
    let exponent = Param::select(by_logarithm, turned_exponent, exponent);
    let base = Dd::select(direct.or(w.hi.eq(zero)), unit, w);
    // By halves where the factor is out of range
    let half = within_range(exponent, shared::log(base.hi)).not();
    let exponent = Param::select(half, exponent.scaled(R::lit(0.5)), exponent);
    let front = power_of::<R, K>(base, exponent.dual());
    let magnitudes = [value.rounded().magnitudes(), front.magnitudes()];
    let lost = minor.or(cancels([value.mul(Wide::of(front)).rounded()], magnitudes));
    let kept = lost.and(on).and(half.not()).and(exponent.counts());
    let raised = whole_power_or(kept, Wide::of(front), base, exponent);
    // A small derivative may be what the power leaves of a large one.
    let steep = if K == 1 { zero } else { (value.rounded().top() * front.value()).abs() };
    let value = if K == 1 { value.rounded() * front } else { value.mul(raised).rounded() };
    let fallen = if K == 1 { one } else { steep / value.top().abs() };
    let loss = R::select(minor.and(far), out[9].max((out[9] * fallen).min(kept_loss)), out[9]);
    let loss = R::select(left.and(differences), loss.max(untold), loss);
    let scale = shared::exp2(R::select(known.or(far).or(by_logarithm), zero, f.scale) * R::lit(256.0));
    let value = value.times(scale) * Dual::select(half, front, Dual::lit(1.0));
    let usable = on.and(out[8].eq(one));
    let out = each(
        #[inline(always)]
        |k| {
            let value = R::select(usable, value.0[k] * scale, nan);
            R::select(at_one, at_end[k], R::select(ending, found[k], value))
        },
    );
    (Dual(out), R::select(at_one, one, R::select(ending, found[4], R::select(usable, loss, R::lit(INF)))))
}

/// Plain double precision is tried for parameters below this magnitude.
const PLAIN: f64 = 60.0;
/// The plain series about 0 is taken up to the first, and to the second where there is no connection to 1.
pub(crate) const PLAIN_SERIES: (f64, f64) = (0.6, 0.95);
/// The magnitudes of the terms may add up to this many times the sum.
const PLAIN_LOSS: f64 = 25.0;
/// The same of a connection that is not the last short way: gamma functions add errors of their own.
const JOINED_LOSS: f64 = 15.0;

/// Whether terms of this total magnitude have cancelled too much, whatever follows the last one.
#[inline(always)]
pub(crate) fn hopeless<R: Real>(size: R, sum: R, last: R) -> R::Mask {
    (size * R::lit(1e-3)).gt(sum + last * R::lit(100.0))
}

/// The number of the first term with the sign of the least parameter behind it, and one factor after that: next to integers a factor
/// may be small for once, in the denominator even after a negligible term.
#[inline(always)]
pub(crate) fn after<R: Real>(least: R) -> R {
    R::lit(2.0) - least
}

/// The most terms of a series in plain double precision.
pub(crate) const PLAIN_TERMS: u32 = 1000;

/// The series about 0 and the sum of the magnitudes of its terms, in plain double precision; no term is the last one before
/// number `beyond`. The sum of magnitudes is infinite where the end was not reached, or not waited for since digits are lost.
#[inline(always)]
pub(crate) fn plain_series<R: Real>([p, q, c]: [Dd<R>; 3], z: R, beyond: R, on: R::Mask) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    // Small terms are added up beside the first one: its last place is rounded to once.
    let beside = (p.hi * q.hi * z).abs().lt(c.hi.abs() * R::lit(0.25));
    let first = R::select(beside, one, zero);
    let [k, _, sum, size] = R::repeat(
        [zero, one, one - first, one],
        PLAIN_TERMS,
        #[inline(always)]
        |[k, term, sum, size]| {
            let next = k + one;
            let at = inlined(
                #[inline(always)]
                |v: Dd<R>| (v.hi + k) + v.lo,
            );
            let t = term * z * (at(p) * at(q) / (at(c) * next));
            let (sum, part) = (sum + t, t.abs());
            let whole = (first + sum).abs();
            let behaved = part.le(term.abs()).and(next.ge(beyond));
            let lost = behaved.and(hopeless(size, whole, part));
            let go = part.gt(whole * R::lit(5e-18)).or(behaved.not()).and(lost.not());
            ([next, t, sum, R::select(lost, R::lit(INF), size + part)], go.and(on))
        },
    );
    [first + sum, R::select(k.ge(R::lit(PLAIN_TERMS as f64)), R::lit(INF), size)]
}

/// Gauss's function of moderate parameters at `0 <= z < 1`, where DLMF 15.8.1 leads from all `x < 1`.
struct Moderate<R: Real> {
    p: Dd<R>,
    q: Dd<R>,
    c: Dd<R>,
    z: R,
    /// `1 - z`.
    w: Dd<R>,
    left: R::Mask,
    away: Dd<R>,
    on: R::Mask,
}

impl<R: Real> Moderate<R> {
    #[inline(always)]
    fn new(a: R, b: R, c: R, x: R) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let below = inlined(
            #[inline(always)]
            |v: R| v.abs().lt(R::lit(PLAIN)),
        );
        let on = below(a)
            .and(below(b))
            .and(below(c))
            .and(c.gt(zero).or(c.floor().ne(c)))
            .and(c.ne(a))
            .and(c.ne(b))
            .and(a.ne(zero))
            .and(b.ne(zero));
        let on = on.and(x.lt(one)).and(x.gt(R::lit(-1e100)));
        let safe = inlined(
            #[inline(always)]
            |v: R, other: f64| R::select(on, v, R::lit(other)),
        );
        let (a, b, c, x) = (safe(a, 1.0), safe(b, 1.0), safe(c, 2.0), safe(x, 0.0));
        let left = x.lt(zero);
        let swap = (c - a).min(b).gt(a.min(c - b));
        let (own, other) = (R::select(swap, b, a), R::select(swap, a, b));
        let unit = Dd::lit(1.0, 0.0);
        let away = Dd::two_sum(one, -x);
        Moderate {
            p: Dd::new(R::select(left, own, a), zero),
            q: Dd::select(left, Dd::two_sum(c, -other), Dd::new(b, zero)),
            c: Dd::new(c, zero),
            z: R::select(left, -x / away.hi, x),
            w: Dd::select(left, unit / away, away),
            left,
            away,
            on,
        }
    }
    /// The function of `x`, and 0 where so little has cancelled that the sum is right.
    #[inline(always)]
    fn finish(&self, [sum, size]: [R; 2], loss: R, done: R::Mask) -> [R; 2] {
        let [front] = R::when(
            self.left,
            [R::lit(1.0)],
            #[inline(always)]
            || {
                let base = Dd::select(self.left, self.away, Dd::lit(1.0, 0.0));
                [power_of::<R, 1>(base, Dual::constant(-self.p.hi)).top()]
            },
        );
        let out = R::select(self.left, sum * front, sum);
        let fine = done.and(size.le(sum.abs() * loss)).and(out.abs().lt(R::lit(1e300)));
        [out, R::select(fine, R::lit(0.0), R::lit(1.0))]
    }
    /// The number of the first term with the signs of the factors behind it.
    #[inline(always)]
    fn beyond(&self) -> R {
        after(self.p.hi.min(self.q.hi).min(self.c.hi))
    }
    /// Whether the connection of both ends is tried.
    #[inline(always)]
    fn joins(&self) -> R::Mask {
        self.on.and(self.z.gt(R::lit(PLAIN_SERIES.0))).and(apart((self.c - self.p - self.q).hi))
    }
    /// Whether the series about 0 is tried after it.
    #[inline(always)]
    fn between(&self) -> R::Mask {
        self.on.and(self.z.gt(R::lit(PLAIN_SERIES.0))).and(self.z.le(R::lit(PLAIN_SERIES.1)))
    }
}

/// Polynomials of degrees below this are tried in plain double precision.
const SHORT_DEGREES: f64 = 64.0;
/// The growth of roundings in their steps that leaves enough digits.
const STEP_LOSS: f64 = 100.0;

/// The polynomial `2F1(-n, b; c; x)` for `c > 0`, `x < 1` by differences of neighbouring degrees (DLMF 15.5.11), and what became of
/// roundings that were put into every step in units of the last place: where the polynomial falls beside other solutions, much.
#[inline(always)]
fn steps<R: Real>(n: R, b: R, c: R, x: R, on: R::Mask) -> [R; 2] {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let (rest, rate) = (one - x, b * x);
    let [_, f, _, size, _] = R::repeat(
        [zero, one, zero, zero, zero],
        SHORT_DEGREES as u32,
        #[inline(always)]
        |[k, f, d, wrong, turned]| {
            let next = k + one;
            let go = k.lt(n);
            let (keep, inverse) = (k * rest, one / (c + k));
            let d = (keep * d - rate * f) * inverse;
            let turned = (keep * turned - rate * wrong).fma(inverse, d.abs());
            let f = R::select(go, f + d, f);
            let wrong = R::select(go, wrong + f.abs().fma(half, turned), wrong);
            ([next, f, d, wrong, turned], next.lt(n).and(on))
        },
    );
    [f, size.abs()]
}

/// A class for points that are left to sums in double-double arithmetic, by what is to be summed: one or both ends, and how many
/// terms. `turned` parameters belong to the variable `z` with `w` for `1 - z`, in magnitude; the ends are joined beyond `limit`.
#[inline(always)]
pub(crate) fn order<R: Real>([a, b, c]: [R; 3], turned: R::Mask, z: R, w: R, limit: f64) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let swap = (c - a).min(b).gt(a.min(c - b));
    let p = R::select(turned.and(swap), b, a);
    let q = R::select(turned, c - R::select(swap, a, b), b);
    let s = c - p - q;
    let far = z.gt(R::lit(limit));
    let flip = R::select(far, s, p.min(q) - (c - p).min(c - q)).lt(zero);
    let (p, q) = (R::select(flip, c - p, p), R::select(flip, c - q, q));
    let still = [zero; 2];
    let (_, [p, q, _]) = lifted([Param::new(p, still), Param::new(q, still)], Param::new(c, still), far);
    let m = R::select(far, s.abs(), zero);
    let terms = length(
        [p.rounded() + m, q.rounded() + m, R::select(far, one + m, c)],
        R::select(far, w.min(R::lit(limit)), z).min(R::lit(0.98)),
        R::select(far, R::lit(75.0), R::lit(55.0)),
    );
    let half = R::lit((CLASSES / 2 - 1) as f64);
    let octaves = (shared::log(terms * R::lit(1.0 / 16.0)) * R::lit(7.0 / LN_2)).floor();
    let class = R::select(octaves.gt(zero), octaves.min(half - one), zero);
    class + R::select(far, half + one, one)
}

/// Roughly how many terms of the series of `2F1(p, q; c; z)` are above `e^-depth`.
#[inline(always)]
fn length<R: Real>([p, q, c]: [R; 3], z: R, depth: R) -> R {
    let one = R::lit(1.0);
    // Gamma functions by the leading term of Stirling's formula
    let weight = inlined(
        #[inline(always)]
        |v: R| v * shared::log(v.abs().max(R::lit(0.3))),
    );
    let rate = -shared::log(z);
    let start = weight(p) + weight(q) - weight(c);
    let behaved = (-p.min(q).min(c)).max(R::lit(0.0));
    let mut k = R::lit(10.0) + depth / rate;
    for _ in 0..3 {
        let (a, b, d, n) = (p + k, q + k, c + k, one + k);
        let term = weight(a) + weight(b) - weight(d) - weight(n) - start - k * rate;
        let fall = (rate + shared::log((d * n / (a * b)).abs())).max(rate * R::lit(0.3));
        let step = ((term + depth) / fall).max(k * R::lit(-0.7)).min(k * R::lit(3.0));
        k = (k + step).max(behaved + one);
    }
    k
}

/// Gauss's function near 0 in plain double precision, and 1 where something is left to do.
#[inline(always)]
fn near<R: Real>(a: R, b: R, c: R, x: R) -> [R; 2] {
    let f = Moderate::new(a, b, c, x);
    // Short polynomials as they are
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
    let degree = inlined(
        #[inline(always)]
        |p: R| R::select(p.le(zero).and(p.floor().eq(p)), -p, inf),
    );
    let (na, nb) = (degree(a), degree(b));
    let n = na.min(nb);
    let ends = n.lt(R::lit(SHORT_DEGREES)).and(n.le(degree(c))).and(x.abs().lt(R::lit(1e100)));
    let f = Moderate { left: f.left.and(ends.not()), ..f };
    let stepped = ends.and(c.gt(zero)).and(c.lt(inf)).and(x.lt(one));
    let near = f.on.and(f.z.le(R::lit(PLAIN_SERIES.0))).or(ends);
    let summed = near.and(stepped.not());
    let direct = ends.and(stepped.not());
    let pick = inlined(
        #[inline(always)]
        |v: R, p: Dd<R>| Dd::select(direct, Dd::new(v, zero), p),
    );
    let z = R::select(direct, x, R::select(summed, f.z, zero));
    let out = R::when(
        summed,
        [zero; 2],
        #[inline(always)]
        || plain_series([pick(a, f.p), pick(b, f.q), pick(c, f.c)], z, R::select(direct, n, f.beyond()), summed),
    );
    let out = R::when(
        stepped,
        out,
        #[inline(always)]
        || {
            let safe = inlined(
                #[inline(always)]
                |v: R, other: R| R::select(stepped, v, other),
            );
            let b = safe(R::select(na.le(nb), b, a), one);
            steps(safe(n, zero), b, safe(c, one), safe(x, zero), stepped)
        },
    );
    f.finish(out, R::select(stepped, R::lit(STEP_LOSS), R::lit(PLAIN_LOSS)), near)
}

/// Whether the connection from 0 to 1 with exponent `s` there loses no digits: next to integers its parts are differences of
/// large numbers.
#[inline(always)]
pub(crate) fn apart<R: Real>(s: R) -> R::Mask {
    (s - s.round()).abs().gt(R::lit(0.04))
}

/// The same near 1, by the connection of both ends (DLMF 15.8.4).
#[inline(always)]
fn joined<R: Real>(a: R, b: R, c: R, x: R) -> [R; 2] {
    let f = Moderate::new(a, b, c, x);
    let s = f.c - f.p - f.q;
    let on = f.joins();
    let out = R::when(
        on,
        [R::lit(0.0); 2],
        #[inline(always)]
        || {
            let unit = Dd::lit(1.0, 0.0);
            let s = Dd::select(on, s, Dd::lit(0.5, 0.0));
            let (p, q) = (f.c - f.p, f.c - f.q);
            let w = R::select(on, f.w.hi, R::lit(0.0));
            let beyond = s.hi.abs();
            let [sum1, size1] = plain_series([f.p, f.q, unit - s], w, after(-beyond).max(f.beyond()), on);
            let rest = on.and(size1.lt(R::lit(INF)));
            let [sum2, size2] = plain_series([p, q, unit + s], w, after((-beyond).min(p.hi.min(q.hi))), rest);
            let first = plain_connection(f.c.hi, s, [p, q]);
            let base = Dd::select(on, f.w, unit);
            let power = power_of::<R, 1>(base, Dual::constant(s.hi)).top();
            let second = plain_connection(f.c.hi, -s, [f.p, f.q]) * power;
            [first * sum1 + second * sum2, (first * size1).abs() + (second * size2).abs()]
        },
    );
    let loss = R::select(f.z.gt(R::lit(PLAIN_SERIES.1)), R::lit(PLAIN_LOSS), R::lit(JOINED_LOSS));
    f.finish(out, loss, on)
}

/// The same between both, by the series about 0.
#[inline(always)]
fn between<R: Real>(a: R, b: R, c: R, x: R) -> [R; 2] {
    let f = Moderate::new(a, b, c, x);
    let on = f.between();
    let out = plain_series([f.p, f.q, f.c], R::select(on, f.z, R::lit(0.0)), f.beyond(), on);
    f.finish(out, R::lit(PLAIN_LOSS), on)
}

/// The value by a short way, and 1 where it is not that of the function.
#[inline(always)]
fn short<R: Real>(way: usize, [a, b, c, x]: [R; 4]) -> [R; 2] {
    match way {
        0 => near(a, b, c, x),
        1 => joined(a, b, c, x),
        _ => between(a, b, c, x),
    }
}

/// Whether it is on the cut, to the right of 1, and neither a polynomial nor a power.
#[inline(always)]
fn infinite<R: Real>([a, b, c, x]: [R; 4]) -> R::Mask {
    let proper = inlined(
        #[inline(always)]
        |p: R| p.gt(R::lit(0.0)).or(p.floor().ne(p)).and(p.abs().lt(R::lit(INF))).and(p.ne(c)),
    );
    let finite = c.abs().lt(R::lit(INF)).and(x.lt(R::lit(INF)));
    x.gt(R::lit(1.0)).and(finite).and(proper(a)).and(proper(b))
}

/// The short ways to [`hyp2f1`].
pub struct GaussShort;
impl ShortWays<4> for GaussShort {
    const COUNT: usize = 3;
    #[inline(always)]
    fn value<R: Real>(way: usize, x: [R; 4]) -> [R; 2] {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let [mut value, mut left] = short(way, x);
        if way == 0 {
            let infinite = infinite(x);
            value = R::select(infinite, R::lit(INF), value);
            left = R::select(infinite, zero, left);
        }
        let [class] = R::when(
            left.ne(zero),
            [zero],
            #[inline(always)]
            || {
                let [a, b, c, x] = x;
                if way + 1 < Self::COUNT {
                    let f = Moderate::new(a, b, c, x);
                    let (on, variable) = if way == 0 { (f.joins(), f.w.hi) } else { (f.between(), f.z) };
                    return [R::select(on, (variable * R::lit(100.0)).floor(), zero) + one];
                }
                let turned = x.lt(zero);
                let away = one - x;
                let [z, w] = [R::select(turned, -x / away, x), R::select(turned, one / away, away)];
                let class = order([a, b, c], turned, z, w, GAUSS_SERIES);
                // Polynomials by their degrees, behind what else is summed about 0
                let [m, n] = mapped(
                    [a, b],
                    #[inline(always)]
                    |p| R::select(p.le(zero).and(p.floor().eq(p)), -p, R::lit(INF)),
                );
                let degree = m.min(n);
                [R::select(degree.lt(R::lit(INF)), R::lit((CLASSES / 2) as f64) + degree, class)]
            },
        );
        [value, R::select(left.ne(zero), class, zero)]
    }
}

/// Gauss's function `2F1(a, b; c; x)`, DLMF 15.2.1; infinite at the poles, and for `x > 1` unless it is a polynomial.
#[inline(always)]
pub fn hyp2f1<R: Real>(a: R, b: R, c: R, x: R) -> R {
    named!("hyp2f1", |a, b, c, x| {
        let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
        let ends = |p: R| p.le(zero).and(p.floor().eq(p)).and(p.abs().lt(inf));
        // A power where a parameter cancels, as SciPy has it for all arguments below 1; sums that end, end (DLMF 15.2.5).
        let (same_a, same_b) = (c.eq(a), c.eq(b));
        let other = R::select(same_a, b, a);
        let power = same_a.or(same_b).and(ends(c).not()).and(x.lt(one).or(other.floor().eq(other)));
        let mut found = near(a, b, c, x);
        for way in 1..GaussShort::COUNT {
            found = R::when(
                found[1].ne(zero),
                found,
                #[inline(always)]
                || short(way, [a, b, c, x]),
            );
        }
        let origin = x.eq(zero);
        let nothing = a.eq(zero).or(b.eq(zero)).or(origin).and(x.abs().lt(inf));
        let rest = found[1].ne(zero).and(power.or(nothing).not());
        let [out] = R::when(
            rest,
            [found[0]],
            #[inline(always)]
            || [gauss::<R, 1>(zero, a, b, c, R::select(rest, x, zero))],
        );
        let closes = ends(a).and(a.ge(c)).or(ends(b).and(b.ge(c)));
        let short = ends(a).or(ends(b));
        let beyond = x.ge(one).and(short.not()).and(x.gt(one).or((c - a - b).le(zero)));
        let out = R::select(nothing, one, out);
        let out = R::select(ends(c).and(closes.or(origin).not()).or(beyond), inf, out);
        let [out] = R::when(
            power,
            [out],
            #[inline(always)]
            || {
                let d = Dd::two_sum(one, -x);
                let value = shared::pow(d.hi, -other) * (one - other * d.lo / d.hi);
                [R::select(x.eq(one), R::select(other.gt(zero), inf, R::select(other.eq(zero), one, zero)), value)]
            },
        );
        let out = R::select(c.eq(inf).and(a.abs().lt(inf)).and(b.abs().lt(inf)).and(x.abs().lt(one)), one, out);
        // Where only the first term is there, the other parameter may be anything, as the short ways and SciPy have it.
        let free = a.abs().lt(inf).and(b.abs().lt(inf)).or(nothing);
        R::select(free.not().or(c.is_nan()).or(x.is_nan()), R::lit(NAN), out)
    })
}

/// A first derivative of Gauss's function in `a` (1), `b` (2) or `c` (3).
#[inline(always)]
pub fn hyp2f1_d1<R: Real>(i: R, a: R, b: R, c: R, x: R) -> R {
    named!("hyp2f1_d1", |i, a, b, c, x| {
        let out = gauss::<R, 2>(i, a, b, c, x);
        // At 0 the function is 1 for any parameters, also for one at a pole.
        let origin = x.eq(R::lit(0.0)).and(c.le(R::lit(0.0))).and((a + b + c).abs().lt(R::lit(INF)));
        R::select(origin, R::lit(0.0), out)
    })
}

/// A second derivative of Gauss's function in the parameters `10 i + j`.
#[inline(always)]
pub fn hyp2f1_d2<R: Real>(ij: R, a: R, b: R, c: R, x: R) -> R {
    named!("hyp2f1_d2", |ij, a, b, c, x| gauss::<R, 4>(ij, a, b, c, x))
}
