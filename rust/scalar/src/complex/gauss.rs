//! Gauss's function of real parameters and a complex argument, with derivatives in the parameters.
//!
//! As for real arguments ([`crate::special::gauss`]); a power series of real parameters at `z = r u` with `|u| = 1` is the real
//! series at `r`, its terms turned by powers of `u`.

use super::dual::ComplexDual;
use super::gauss_ends::complex_by_logarithms;
use super::gauss_march::marched;
use super::hypergeometric::{Pair, Point, asked, ends, get, pair_at, point_at, power, put, series, with_poles};
use super::{Complex, ComplexShortWays, abs, angle, expm1};
use crate::dd::Dd;
use crate::real::{Mask, Real, count, each, inlined, mapped};
use crate::shared;
use crate::special::dual::Dual;
use crate::special::equation::Equation;
use crate::special::gauss::{
    GAMMA_LIMIT, LOCAL_TERMS, LONG, LOST, Matched, PLAIN_SERIES, PLAIN_TERMS, SERIES_LOSS, after, apart, by_all_ways,
    calm, cancels, connection, exchanged, gamma_error, gentle, hopeless, lifted, local as real_local, matched,
    next_before, next_beside, of_difference_loss, of_differences, order, plain_connection, plain_series as real_series,
    separate, settled, share, slight, unspoilt, within_range,
};
use crate::special::hypergeometric::{HOPELESS, directions, rgamma_at, spent};
use crate::special::recurrence::sizes;
use crate::special::wide::{self as real, Param, Wide, at, enough, pack};
use std::f64::consts::LN_2;

const INF: f64 = f64::INFINITY;
/// Gauss's series is taken up to this magnitude, about 0 and about 1.
const DISC: f64 = 0.8;
/// Plain double precision is tried for parameters below this magnitude.
const MODERATE: f64 = 60.0;
/// The magnitudes of the terms may add up to this many times the sum.
const PLAIN_LOSS: f64 = 50.0;
/// The same where both ends are connected: gamma functions add errors of their own.
const JOINED_LOSS: f64 = 20.0;
/// The same next to integer exponents, where the errors stay far below the bound.
const BESIDE_LOSS: f64 = 60.0;
/// As in the real function, a connection by gamma functions is taken with errors below so many units of double-double numbers.
const GAMMA_LOSS: f64 = 6e17;
/// And up to this magnitude of its variable.
const CONNECTED: f64 = 0.99;
/// Taylor series lead through the plane for parameters below the first magnitude, through a narrow ring below the second.
const WALK: (f64, f64) = (9.0, 15.0);
const WALK_LOSS: f64 = 20.0;
/// A solution of which others leave less than `e` to the power of minus this is noise.
const TAKEN: f64 = 24.0;
/// The connection takes series of variables up to this magnitude.
const RING: f64 = 0.85;

/// Third parameters from the first on are large, if the least term is below `e^-` the second; the sum ends at the third.
const WIDE: (f64, f64, f64) = (100.0, 44.0, 1e-18);
/// Polynomials up to this degree are summed about 0 wherever they are.
const SHORT: f64 = 200.0;

/// What the solutions about `z = 1` consist of, as in the real function, at `w = 1 - z`.
struct Local<R, const K: usize> {
    poly: Pair<R, K>,
    poly_slope: Pair<R, K>,
    front: Pair<R, K>,
    sum: Pair<R, K>,
    sum_slope: Pair<R, K>,
    gap: Pair<R, K>,
    gap_slope: Pair<R, K>,
    /// The largest terms of the solutions of exponents 0 and `s`.
    largest: [R; 2],
}

/// Solutions of exponents 0 and `s = m + e` for an integer `m >= 0` and `|e| <= 1/2`, at `w = r u`.
#[inline(always)]
fn local<R: Real, const K: usize>(
    a: Param<R>,
    b: Param<R>,
    m: R,
    e: Param<R>,
    r: Dd<R>,
    u: Point<R>,
    tiny: R,
    on: R::Mask,
) -> Local<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = Wide::<R, K>::lit(1.0);
    let none = Wide::<R, K>::lit(0.0);
    let s = e.step(m);
    let some = m.gt(zero);
    let first = Wide::select(some, unit, none);
    let state = R::repeat(
        pack::<R, K, 5, 6, 46>([unit, first, none, none, none], [one, zero, zero, zero, one, one]),
        3000,
        #[inline(always)]
        |state| {
            let t = at::<R, K, 46>(&state, 0);
            let (sum, slope) = (pair_at::<R, K, 46>(&state, 1), pair_at::<R, K, 46>(&state, 3));
            let phase = point_at(&state, 40);
            let [k, largest] = [state[44], state[45]];
            let go = k.lt(m);
            let next = next_before(t, [a, b], s, k, r);
            let t = Wide::select(go, next, t);
            let phase = Point::select(go, phase.mul(u), phase);
            let turned = Pair::turned(t, phase);
            let sum = Pair::select(go, sum.add(turned), sum);
            let slope = Pair::select(go, slope.add(turned.scaled(k)), slope);
            let rest = [phase.re.hi, phase.re.lo, phase.im.hi, phase.im.lo, k + one, largest.max(t.0[0].hi.abs())];
            (pack([t, sum.re, sum.im, slope.re, slope.im], rest), go.and(on))
        },
    );
    let before = state[45];
    let t = at::<R, K, 46>(&state, 0);
    let (poly, poly_slope) = (pair_at::<R, K, 46>(&state, 1), pair_at::<R, K, 46>(&state, 3));
    let last = m - one;
    let divisor = R::select(some, m, one);
    let front = t.times(r).by(a.step(last)).by(b.step(last)).over(Param::new(divisor, [zero; 2]));
    let phase = point_at(&state, 40);
    let phase = Point::select(some, phase.mul(u), phase);
    let front = Wide::select(some, front, unit);
    let size = front.0[0].hi.abs();
    let front = Pair::turned(front, phase);
    let start = [unit, none, unit, none, none, none, none, none, none, none];
    let state = R::repeat(
        pack::<R, K, 10, 7, 87>(start, [one, zero, zero, zero, zero, one, zero]),
        LOCAL_TERMS,
        #[inline(always)]
        |state| {
            let [v, d] = [at::<R, K, 87>(&state, 0), at::<R, K, 87>(&state, 1)];
            let [sum, sum_slope, gap, gap_slope] = mapped(
                [2, 4, 6, 8],
                #[inline(always)]
                |i| pair_at::<R, K, 87>(&state, i),
            );
            let phase = point_at(&state, 80);
            let [k, largest_v, largest_d] = [state[84], state[85], state[86]];
            let n = k + one;
            let ([v, d], begun) = next_beside([v, d], [a, b], m, e, k, r);
            let phase = phase.mul(u);
            let (tv, td) = (Pair::turned(v, phase), Pair::turned(d, phase));
            let (sum, gap) = (sum.gather(tv), gap.gather(td));
            let mut go = n.lt(R::lit(4.0));
            count::<0, K>(
                #[inline(always)]
                |s| {
                    let (sum, gap) = (sum.part(s), gap.part(s));
                    go = go.or(v.0[s].hi.abs().gt(sum * tiny)).or(d.0[s].hi.abs().gt(gap * tiny));
                },
            );
            let (sum_slope, gap_slope) = (sum_slope.gather(tv.scaled(n)), gap_slope.gather(td.scaled(n)));
            let pairs = [sum, sum_slope, gap, gap_slope];
            let mut wides = [v, d, v, v, v, v, v, v, v, v];
            for (i, p) in pairs.iter().enumerate() {
                wides[2 * i + 2] = p.re;
                wides[2 * i + 3] = p.im;
            }
            let largest = [largest_v.max(v.0[0].hi.abs()), largest_d.max(d.0[0].hi.abs())];
            let rest = [phase.re.hi, phase.re.lo, phase.im.hi, phase.im.lo, n, largest[0], largest[1]];
            (pack(wides, rest), go.or(begun.not()).and(on))
        },
    );
    let [sum, sum_slope, gap, gap_slope] = mapped(
        [2, 4, 6, 8],
        #[inline(always)]
        |i| pair_at::<R, K, 87>(&state, i).normalized(),
    );
    let largest = settled(state[84], [before.max(size * state[86]), state[85]]);
    Local { poly, poly_slope, front, sum, sum_slope, gap, gap_slope, largest }
}

/// `(x^e - 1) / e` of a number with this logarithm: the exponential series, then squares.
#[inline(always)]
fn raised<R: Real, const K: usize>(log: Point<R>, e: Param<R>) -> Pair<R, K> {
    let (one, half) = (R::lit(1.0), R::lit(0.5));
    let unit = Wide::<R, K>::lit(1.0);
    let none = Wide::<R, K>::lit(0.0);
    let size = log.rounded().max_part() * e.rounded().abs();
    let [share] = R::repeat(
        [one + one],
        30,
        #[inline(always)]
        |[f]| ([f * half], (size * f * half).gt(half)),
    );
    let log = Point { re: log.re.times_pow2(share), im: log.im.times_pow2(share) };
    let exponent = unit.by(e);
    let y = Pair::turned(exponent, log);
    let [first, rest] = [Pair { re: unit, im: none }, Pair { re: unit.scaled(R::lit(2.0)), im: none }];
    let state = R::repeat(
        pack::<R, K, 2, 1, 17>([unit, none], [R::lit(25.0)]),
        40,
        #[inline(always)]
        |state| {
            let (sum, k) = (pair_at::<R, K, 17>(&state, 0), state[16]);
            let divisor = Param::new(k, [R::lit(0.0); 2]);
            let part = sum.mul(y).map(
                #[inline(always)]
                |w| w.over(divisor),
            );
            let sum = part.add(first);
            (pack([sum.re, sum.im], [k - one]), k.gt(R::lit(2.0)))
        },
    );
    let start = pair_at::<R, K, 17>(&state, 0).turn(log);
    let state = R::repeat(
        pack::<R, K, 2, 1, 17>([start.re, start.im], [share]),
        30,
        #[inline(always)]
        |state| {
            let (rate, share) = (pair_at::<R, K, 17>(&state, 0), state[16]);
            let go = share.lt(one);
            let rate = Pair::select(go, rate.mul(rate.by(exponent).add(rest)), rate);
            (pack([rate.re, rate.im], [share + share]), go)
        },
    );
    pair_at::<R, K, 17>(&state, 0)
}

/// The logarithm of `r u`, to twice the digits by a Newton step unless the number is tiny.
#[inline(always)]
fn logarithm<R: Real>(r: Dd<R>, u: Point<R>) -> Point<R> {
    // The reciprocal of a large number less 1 would not tell how large that is.
    let large = r.hi.gt(R::lit(4.0));
    let (r, u) = (Dd::select(large, Dd::lit(1.0, 0.0) / r, r), Point::select(large, u.conj(), u));
    let rough = Complex::new(shared::log(r.hi), angle(u.rounded()));
    let inverse = raised::<R, 1>(Point::new(-rough.re, -rough.im), Param::lit(1.0));
    let unit = Dd::lit(1.0, 0.0);
    let ratio = Point { re: inverse.re.0[0] + unit, im: inverse.im.0[0] }.mul(u);
    let rest = Point { re: ratio.re * r - unit, im: ratio.im * r };
    let square = rest.rounded().square().scale(R::lit(-0.5));
    let tiny = r.hi.lt(R::lit(1e-250));
    let add = inlined(
        #[inline(always)]
        |rough: R, rest: Dd<R>, square: R| Dd::select(tiny, Dd::lit(0.0, 0.0), rest.plus(square)).plus(rough),
    );
    let log = Point { re: add(rough.re, rest.re, square.re), im: add(rough.im, rest.im, square.im) };
    Point::select(large, Point { re: -log.re, im: -log.im }, log)
}

/// `x^m` for an integer `m >= 0`.
#[inline(always)]
fn whole_power<R: Real>(x: Point<R>, m: R) -> Point<R> {
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
    let parts = inlined(
        #[inline(always)]
        |p: Point<R>| [p.re.hi, p.re.lo, p.im.hi, p.im.lo],
    );
    let [a, b, c, d] = parts(x);
    let state = R::repeat(
        [one, zero, zero, zero, a, b, c, d, m],
        60,
        #[inline(always)]
        |state| {
            let (value, square, n) = (point_at(&state, 0), point_at(&state, 4), state[8]);
            let left = (n * half).floor();
            let value = Point::select(n.gt(left + left), value.mul(square), value);
            let ([a, b, c, d], [e, f, g, h]) = (parts(value), parts(square.mul(square)));
            ([a, b, c, d, e, f, g, h, left], left.gt(zero))
        },
    );
    point_at(&state, 0)
}

/// `((2w)^e - 1) / e`, `(2w)^e` and `(2w)^(m + e)` at `w = r u`, as of `e > 0` where `w = 0`.
#[inline(always)]
fn powers<R: Real, const K: usize>(r: Dd<R>, u: Point<R>, m: R, e: Param<R>) -> [Pair<R, K>; 3] {
    let end = r.hi.eq(R::lit(0.0));
    let base = Dd::select(end, Dd::lit(1.0, 0.0), r.times_pow2(R::lit(2.0)));
    let real = inlined(
        #[inline(always)]
        |re: Wide<R, K>| Pair { re, im: Wide::lit(0.0) },
    );
    let known = Param::select(e.rounded().eq(R::lit(0.0)), e.plus(1.0), e);
    let limit = real(Wide::lit(-1.0).over(known));
    let rate = Pair::select(end, limit, raised(logarithm(base, u), e));
    let drift = rate.by(Wide::lit(1.0).by(e)).add(real(Wide::lit(1.0)));
    let power = drift.turn(whole_power(Point { re: u.re * base, im: u.im * base }, m));
    [rate, drift, Pair::select(end, real(Wide::lit(0.0)), power)]
}

/// `(r u)^exponent` with the digits of both doubles.
#[inline(always)]
fn accurate_power<R: Real, const K: usize>(r: Dd<R>, u: Point<R>, exponent: Param<R>) -> Pair<R, K> {
    let falls = exponent.rounded().lt(R::lit(0.0));
    let r = Dd::select(falls, Dd::lit(1.0, 0.0) / r, r);
    let u = Point::select(falls, u.conj(), u);
    let exponent = Param::select(falls, -exponent, exponent);
    let m = exponent.rounded().round();
    powers(r.times_pow2(R::lit(0.5)), u, m, exponent.step(-m))[2]
}

/// The same of a real number.
#[inline(always)]
pub(crate) fn real_power<R: Real, const K: usize>(base: Dd<R>, exponent: Param<R>) -> Wide<R, K> {
    accurate_power(base, Point::new(R::lit(1.0), R::lit(0.0)), exponent).re
}

/// [`accurate_power`] where `on`, else `plain`: derivatives that are small beside the value, as [`slight`] ones, keep their digits in
/// products with it.
#[inline(always)]
fn power_or<R: Real, const K: usize>(
    on: R::Mask,
    plain: ComplexDual<R, K>,
    r: Dd<R>,
    u: Point<R>,
    exponent: Param<R>,
) -> Pair<R, K> {
    let plain = Pair::of(plain);
    if K == 1 {
        return plain;
    }
    let whole = R::when(
        on,
        pack::<R, K, 2, 0, 16>([plain.re, plain.im], []),
        #[inline(always)]
        || {
            let r = Dd::select(on, r, Dd::lit(1.0, 0.0));
            let whole = accurate_power::<R, K>(r, u, Param::select(on, exponent, Param::lit(1.0)));
            pack([whole.re, whole.im], [])
        },
    );
    pair_at(&whole, 0)
}

/// [`accurate_power`] where `on`, else in plain double precision.
#[inline(always)]
fn power_where<R: Real, const K: usize>(on: R::Mask, r: Dd<R>, u: Point<R>, exponent: Param<R>) -> Pair<R, K> {
    power_or(on, power::<R, K>(r, u, exponent.dual()), r, u, exponent)
}

/// `((2w)^e - 1) / e` and `(2w)^(m + e)` of a real number.
#[inline(always)]
pub(crate) fn real_powers<R: Real, const K: usize>(w: Dd<R>, m: R, e: Param<R>) -> [Wide<R, K>; 2] {
    let [rate, _, power] = powers::<R, K>(w, Point::new(R::lit(1.0), R::lit(0.0)), m, e);
    [rate.re, power.re]
}

/// The connection of both ends (DLMF 15.8.4) at `1 - z = w`, and its error in units of those of double-double numbers, of the
/// derivative where it is small.
#[inline(always)]
fn connected<R: Real, const K: usize>(
    [a, b, c, s]: [Param<R>; 4],
    w: Dd<R>,
    v: Point<R>,
    minor: R::Mask,
    on: R::Mask,
) -> (ComplexDual<R, K>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let safe = inlined(
        #[inline(always)]
        |p: Param<R>, v: f64| Param::select(on, p, Param::lit(v)),
    );
    let (a, b, c, s) = (safe(a, 1.0), safe(b, 1.0), safe(c, 2.5), safe(s, 0.5));
    let w = Dd::select(on, w, Dd::lit(0.25, 0.0));
    let state = R::repeat(
        [zero; 11],
        2,
        #[inline(always)]
        |state| {
            let first = state[10].eq(zero);
            let either = inlined(
                #[inline(always)]
                |p: Param<R>, q: Param<R>| Param::select(first, p, q),
            );
            let (ca, cb) = (c - a, c - b);
            let (p, q, e) = (either(a, ca), either(b, cb), either(s, -s));
            let low = Param::lit(1.0) - e;
            let tiny = R::lit(enough(K));
            let f = series::<R, K, 2, 1, false>([p, q], [low], w, v, 6000, tiny, R::Mask::lit(false), on);
            let (front, usable) = connection([p, q], [either(ca, a), either(cb, b)], e);
            let exponent = Dual::select(first, Dual::lit(0.0), -e.dual());
            let part = f.value.rounded() * power::<R, K>(w, v, exponent);
            let part = part.by(front);
            let sum = get::<R, K>(&state, 0) + part;
            let usable = usable.and(f.good).and(f.scale.eq(zero));
            let error = part.size() * gamma_error(f.largest / f.value.part(0));
            (put(&[sum], &[state[8] + R::select(usable, error, R::lit(INF)), zero, one]), on)
        },
    );
    let sum = get::<R, K>(&state, 0);
    let size = R::select(minor, sizes([sum.re, sum.im])[1], sum.size());
    (sum, R::select(on, state[8] / size, R::lit(INF)))
}

/// Gauss's function or a derivative in its parameters.
#[inline(always)]
fn gauss<R: Real, const K: usize>(code: R, a: R, b: R, c: R, z: Complex<R>) -> Complex<R> {
    let at = inlined(
        #[inline(always)]
        |on: R::Mask, other: f64| Complex::select(on, z, Complex::lit(other, 0.0)),
    );
    let split = inlined(
        #[inline(always)]
        |(value, loss): (ComplexDual<R, K>, R)| ([value.re, value.im], loss),
    );
    let [re, im] = by_all_ways::<R, K, 2>(
        directions::<R, 3, K>(code, [a, b, c]),
        [z.re, z.im],
        z.is_finite(),
        #[inline(always)]
        |parameters, on| split(directly(parameters, at(on, 0.0))),
        #[inline(always)]
        |parameters, on| split(complex_by_logarithms(parameters, at(on, 0.25), on)),
        #[inline(always)]
        |parameters, on| split(marched(parameters, at(on, 0.25), on)),
    );
    asked(code, ComplexDual { re, im })
}

/// The same with its derivatives, NaN where it has no number, and what it loses as in [`crate::special`].
#[inline(always)]
fn directly<R: Real, const K: usize>([pa, pb, pc]: [Param<R>; 3], z: Complex<R>) -> (ComplexDual<R, K>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let limit = R::lit(1e100);
    let [a, b, c] = mapped(
        [pa, pb, pc],
        #[inline(always)]
        |p| p.rounded(),
    );
    let finite = a.abs().lt(limit).and(b.abs().lt(limit)).and(c.abs().lt(limit)).and(z.is_finite());
    let short = pa.ends().or(pb.ends());
    let closes = pa.ends().and(a.ge(c)).or(pb.ends().and(b.ge(c)));
    let at_pole = pc.ends();
    let s = pc - pa - pb;
    let edge = z.re.eq(one).and(z.im.eq(zero));
    let direct = at_pole.or(edge.and(s.rounded().le(zero)));
    let on = finite.and(at_pole.not().or(closes)).and(direct.not().or(short));
    let (differences, untold) = (of_differences::<R, K>([pa, pb, pc]), of_difference_loss([pa, pb]));
    let [pa, pb, pc] = mapped(
        [(pa, 1.0), (pb, 1.0), (pc, 2.0)],
        #[inline(always)]
        |(p, v)| Param::select(on, p, Param::lit(v)),
    );
    let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
    let at_z = Point::new(z.re, z.im);
    let (plain_r, plain_u) = at_z.polar();
    let (t, v) = Point::to_one(z).polar();
    // For a large third parameter the series about 0 holds to the last digit, for large variables as an asymptotic one (DLMF 15.12(ii)):
    // its least term is about (1 - 1/|z|)^c without the other parameters, and what it leaves out right of 1/2 (1 - 1/z)^c.
    let reach = plain_r.hi.max(R::lit(1.001));
    let others = pa.rounded().abs() + pb.rounded().abs();
    let least = others * shared::log(pc.rounded().abs() * reach / (reach - one)) + R::lit(WIDE.1);
    let holds = inlined(
        #[inline(always)]
        |ratio: R| (pc.rounded() * shared::log(ratio)).gt(least),
    );
    let aside = z.re.lt(R::lit(0.5)).or(holds(plain_r.hi / t.hi));
    let few = inlined(
        #[inline(always)]
        |p: Param<R>| p.fixed_end().and(p.rounded().gt(R::lit(-WIDE.0))),
    );
    let wide = few(pa).or(few(pb)).or(aside.and(holds(reach / (reach - one))));
    let wide = wide.and(pc.rounded().gt(R::lit(WIDE.0))).and(plain_r.hi.gt(R::lit(DISC))).and(on).and(direct.not());
    // DLMF 15.8.1: into the disc |1 - z| <= 1
    let outside = t.hi.gt(one).and(direct.or(wide).not());
    let unit = Dd::lit(1.0, 0.0);
    let beyond = Dd::select(outside, t, unit);
    let back = v.conj();
    let turned = plain_u.mul(back);
    let r = Dd::select(outside, plain_r / beyond, plain_r);
    let u = Point::select(outside, Point { re: -turned.re, im: -turned.im }, plain_u);
    let t = Dd::select(outside, unit / beyond, t);
    let v = Point::select(outside, back, v);
    let (qa, qb) = (pc - pa, pc - pb);
    let least = inlined(
        #[inline(always)]
        |p: Param<R>, q: Param<R>| p.rounded().min(q.rounded()),
    );
    let weight = R::select(outside, R::select(a.abs().gt(b.abs()), a, b), s.rounded());
    let minor =
        slight::<R, K>([pa, pb]).and(unspoilt([pa, pb], weight, shared::log(R::select(t.hi.gt(zero), t.hi, one))));
    let calm = calm([pa, pb], pc, r.hi);
    let swap = exchanged::<R, K>([pa, pb], minor, calm, least(qa, pb).gt(least(pa, qb)), shared::log(beyond.hi));
    let (ka, kb) = (Param::select(swap, pb, pa), Param::select(swap, qa, qb));
    let (ua, ub) = (Param::select(outside, ka, pa), Param::select(outside, kb, pb));
    let exponent = Param::select(outside, ua, Param::lit(0.0));
    let largest = ua.rounded().abs().max(ub.rounded().abs()).max(pc.rounded().abs());
    let s = pc - ua - ub;
    let (va, vb) = (pc - ua, pc - ub);
    let large = largest.ge(R::lit(16.0));
    // Unless its factor leaves the range
    let within = within_range(s, shared::log(R::select(on.and(t.hi.gt(zero)), t.hi, one)));
    // Little cancels in the series of positive parameters unless its terms, like `r^k k^(-s - 1)`, grow; parts about 1 may outgrow it.
    let falls = inlined(
        #[inline(always)]
        |signed: R::Mask, s: R| signed.and(s.gt(R::lit(-3.0))).and(r.hi.lt(R::lit(LONG))),
    );
    let signed = inlined(
        #[inline(always)]
        |least: R| least.min(pc.rounded()).gt(zero),
    );
    let gentle = if K == 1 { R::Mask::lit(false) } else { gentle([ua, ub], pc, r.hi) };
    let own = falls(signed(least(ua, ub)).or(gentle), s.rounded());
    let other = own.not().and(falls(signed(least(va, vb)), -s.rounded())).and(large).and(within);
    let disc = R::select(minor, R::lit(LONG), R::lit(DISC));
    let far = on.and(direct.or(own).or(other).or(wide).not()).and(r.hi.gt(disc));
    // Of positive parameters smaller ones
    let gain = R::select(gentle, zero, least(ua, ub).min(zero)) - least(va, vb).min(zero);
    let gain = R::select(other, -one, R::select(far.or(gain.eq(zero)), s.rounded(), gain));
    let flip = gain.lt(zero).and(direct.or(wide).not()).and(far.or(within.and(minor.not())));
    // A polynomial of low degree is summed wherever it is, also as it stands where that loses less, and its derivatives times a power.
    let brief = inlined(
        #[inline(always)]
        |p: Param<R>| p.fixed_end().and(p.rounded().ge(R::lit(-SHORT))),
    );
    let ended = brief(ua).or(brief(ub));
    let fewer = ended.and(va.degree().min(vb.degree()).lt(ua.degree().min(ub.degree())));
    let fewer = if K == 1 { fewer.and(edge.not()) } else { fewer.or(ended.not()) };
    let turned = brief(va).or(brief(vb)).and(far.and(within).and(fewer));
    let flip = flip.or(turned);
    let near = on.and(far.not());
    let tiny = R::select(wide, R::lit(WIDE.2), R::lit(enough(K)));
    let short = on.and(brief(pa).or(brief(pb)));
    let first = near.or(short.and(ended)).or(turned);
    // In a loop because the code is long: the sum, its scale, what it loses, what the value alone does, whether it is good, was asked for
    // again, and is the plain one
    let mut start = [zero; 23];
    start[17] = R::lit(INF);
    let summed = R::repeat(
        start,
        2,
        #[inline(always)]
        |state| {
            // Asked a second time, or not: lanes beside such do not begin again.
            let (again, begins) = (state[20].gt(zero), state[20].eq(zero));
            let flip = flip.and(again.not());
            let upper = mapped(
                [[ua, va, pa], [ub, vb, pb]],
                #[inline(always)]
                |[p, flipped, plain]| Param::select(again, plain, Param::select(flip, flipped, p)),
            );
            let (r, u) = (Dd::select(again, plain_r, r), Point::select(again, plain_u, u));
            let active = again.or(first.and(begins));
            let f = series::<R, K, 2, 1, false>(upper, [pc], r, u, 6000, tiny, R::Mask::lit(false), active);
            let (size, whole) = (f.value.part(0), f.value.size());
            // A sum of moderate terms may be 0, where no factor is left to be large.
            let root = whole.eq(zero).and(f.largest.le(R::lit(HOPELESS))).and(near.or(again));
            let loss = R::select(root, one, f.largest / whole);
            let lost = if K == 1 { spent(f.largest, size) } else { R::Mask::lit(false) };
            let good = f.good.and(lost.not()).and(active);
            let better = active.and(again.not().or(good.and(state[19].eq(zero).or(loss.lt(state[17])))));
            let (good_mark, again_mark) = (R::select(good, one, zero), R::select(again, one, zero));
            let marks = [f.scale, loss, f.largest / size, good_mark, one, again_mark, f.largest_top];
            let found = pack::<R, K, 2, 7, 23>([f.value.re, f.value.im], marks);
            let doubted = good.not().or(loss.gt(R::lit(SERIES_LOSS)));
            let asks = begins.and(short).and(flip.or(outside).or(first.not())).and(doubted);
            let next = each(
                #[inline(always)]
                |i| if i == 20 { R::select(asks, one, -one) } else { R::select(better, found[i], state[i]) },
            );
            (next, asks)
        },
    );
    // Far from 0 other ways may lose less.
    let held = near.or(summed[19].ne(zero).and(summed[17].lt(R::lit(SERIES_LOSS))));
    let as_is = held.and(summed[21].ne(zero));
    let far = far.and(held.not());
    let disc = R::select(large, R::lit(PLAIN_SERIES.1), R::lit(DISC));
    let ring = t.hi.gt(disc);
    let (unchanged, upper) = (exponent, [ua, ub]);
    let risen = Param::select(flip, s, Param::lit(0.0));
    let exponent = Param::select(flip, exponent + s, exponent);
    let (ua, ub) = (Param::select(flip, va, ua), Param::select(flip, vb, ub));
    let s = Param::select(flip, -s, s);
    let usable = summed[19];
    // For large parameters the series loses digits, and the factors found by matching do.
    let doubtful = if K == 1 { held.and(summed[18].gt(R::lit(SERIES_LOSS))) } else { R::Mask::lit(false) };
    let by_gamma = far
        .or(doubtful)
        .and(large)
        .and(largest.max(s.rounded().abs()).lt(R::lit(if K == 1 { GAMMA_LIMIT } else { 120.0 })))
        .and(separate::<R, K>(s.rounded()))
        .and(direct.not())
        .and(t.hi.gt(zero).and(t.hi.lt(R::lit(CONNECTED))));
    let mut start = [zero; 9];
    start[8] = R::lit(INF);
    let joined = R::when(
        by_gamma,
        start,
        #[inline(always)]
        || {
            let (value, error) = connected::<R, K>([ua, ub, pc, s], t, v, minor, by_gamma);
            put(&[value], &[error])
        },
    );
    let other = R::select(far, R::lit(GAMMA_LOSS), gamma_error(summed[18]).min(R::lit(LOST)));
    let known = joined[8].lt(other);
    let exponent = Param::select(as_is.and(known.not()), Param::lit(0.0), exponent);
    let by_connection = Pair::of(get::<R, K>(&joined, 0));
    let joined_loss = joined[8].min(R::lit(if K == 1 { HOPELESS * 0.5 } else { INF }));
    let found = Pair::select(known, by_connection, pair_at::<R, K, 23>(&summed, 0));
    let marks = [R::select(known, one, usable), R::select(known, joined_loss, summed[17])];
    let found = pack::<R, K, 2, 2, 18>([found.re, found.im], marks);
    let rescaled = R::select(far.or(known), zero, summed[16]);
    let far = far.and(known.not());
    // A Taylor series has no second doubles for small derivatives that are differences of large ones, so it begins with the function itself.
    let itself = minor.and(far).and(ring);
    let out = R::when(
        far,
        found,
        #[inline(always)]
        || {
            let m = R::select(far, s.rounded().round(), zero);
            let e = Param::select(far, s.step(-m), Param::lit(0.25));
            let near = Dd::select(ring, Dd::new(disc, zero), t);
            let middle = Dd::lit(0.5, 0.0);
            let tiny = share::<R, K>(largest);
            let f = real::series::<R, K, 2, 1, false>([ua, ub], [pc], middle, 6000, tiny, far);
            let usable = R::select(f.good.and(f.scale.eq(zero)), one, zero);
            let c = pc;
            let (lift, [ua, ub, pc]) = lifted([ua, ub], pc, far);
            let beside = real_local::<R, K>(ua, ub, m, e, middle, tiny, far);
            let Matched { factors: [first, second], errors } = matched(&beside, &f, lift, pc, m, e);
            let l = local::<R, K>(ua, ub, m, e, near, v, tiny, far);
            let [rate, drift, power_w] = powers::<R, K>(near, v, m, e);
            let inner = l.gap.sub(l.sum.mul(rate));
            let g = l.poly.sub(l.front.mul(inner));
            let high = power_w.mul(l.sum);
            let value = g.by(first).add(high.by(second));
            let largest = l.largest[0] + l.front.size() * rate.size() * l.largest[1];
            let error = errors[0] * g.size() + errors[1] * high.size();
            let error = error + first.size() * largest;
            let error = error + second.size() * l.largest[1] * power_w.size();
            let error = R::select(usable.eq(one), error / value.size(), R::lit(INF));
            // Whichever loses less, unless no digit is left
            let turned = if K == 1 { joined[8].lt(error * R::lit(10.0)) } else { R::Mask::lit(false) };
            let error = R::select(turned, joined[8], error);
            let (usable, loss) = if K == 1 {
                (R::select(error.lt(R::lit(HOPELESS)), one, zero), error.min(R::lit(HOPELESS * 0.5)))
            } else {
                (usable, error)
            };
            let end = R::when(
                ring,
                pack::<R, K, 2, 1, 17>([value.re, value.im], [usable]),
                #[inline(always)]
                || {
                    let steep = l.gap_slope.sub(l.sum_slope.mul(rate)).sub(l.sum.mul(drift));
                    let g_slope = l.poly_slope.sub(l.front.mul(inner.scaled(m).add(steep)));
                    let order = e.step(m);
                    let h_slope = l.sum.map(
                        #[inline(always)]
                        |w| w.by(order),
                    );
                    let h_slope = power_w.mul(h_slope.add(l.sum_slope));
                    let slope = g_slope.by(first).add(h_slope.by(second));
                    let w = Point { re: v.re * near, im: v.im * near };
                    let (start, slope) = if K == 1 {
                        (value, slope)
                    } else {
                        let [risen, lift] = mapped(
                            [risen, lift],
                            #[inline(always)]
                            |p| Param::select(itself, p, Param::lit(0.0)),
                        );
                        let (r, u) = Point { re: unit - w.re, im: -w.im }.polar();
                        let inward = w.mul(u.conj());
                        let inward = Point { re: inward.re / r, im: inward.im / r };
                        let by = inlined(
                            #[inline(always)]
                            |p: Param<R>| Pair { re: value.re.by(p), im: value.im.by(p) },
                        );
                        let slope = slope.add(by(risen)).add(by(lift).turn(inward));
                        let front = power_where::<R, K>(itself, near, v, risen);
                        let front = front.mul(power_where::<R, K>(itself, r.times_pow2(R::lit(2.0)), u, -lift));
                        (value.mul(front), slope.mul(front))
                    };
                    let (start, slope) = (start.rounded(), slope.rounded());
                    let line = -v.rounded();
                    let slope = slope.turned(line.scale(near.hi).reciprocal());
                    let own = inlined(
                        #[inline(always)]
                        |first: Param<R>, p: Param<R>| Param::select(itself, first, p),
                    );
                    let [ua, ub, pc] = [own(upper[0], ua), own(upper[1], ub), own(c, pc)];
                    let s = own(pc - ua - ub, s);
                    let (a, b) = (ua.dual::<K>(), ub.dual::<K>());
                    let equation = Equation { bend: 1.0, c: pc.dual::<K>(), q: a + b + Dual::lit(1.0), p: a * b };
                    let end = equation.along_line(1.0, line, [near.hi, t.hi], one, [start, slope], ring);
                    // The solutions of exponents `1 - c` at 0 and `s` at 1 may have grown so much more on the way that nothing else is left.
                    let from = Complex::new(one + line.re * near.hi, line.im * near.hi);
                    let grown = inlined(
                        #[inline(always)]
                        |exponent: Param<R>, ratio: R| exponent.rounded() * shared::log(R::select(ring, ratio, one)),
                    );
                    let others = grown(Param::lit(1.0) - pc, r.hi / abs(from)).max(grown(s, t.hi / near.hi)).max(zero);
                    let kept = shared::log(end.size()) - shared::log(start.size());
                    let good = others.lt(kept + R::lit(TAKEN));
                    let (end, usable) = (Pair::of(end), R::select(ring, R::select(good, usable, zero), usable));
                    let end = Pair::select(ring, end, value);
                    pack([end.re, end.im], [usable])
                },
            );
            let double = Dd::select(far, r.times_pow2(R::lit(2.0)), unit);
            let lift = Param::select(itself, Param::lit(0.0), lift);
            let back = power_where::<R, K>(minor.and(far).and(lift.counts()), double, u, -lift);
            let value = pair_at::<R, K, 17>(&end, 0);
            let value = if K == 1 { Pair::of(value.rounded() * back.rounded()) } else { value.mul(back) };
            let value = Pair::select(turned, by_connection, value);
            pack([value.re, value.im], [end[16], loss])
        },
    );
    let value = pair_at::<R, K, 18>(&out, 0);
    let exponent = Param::select(itself, unchanged, exponent);
    let plain = direct.or(t.hi.eq(zero));
    // By halves where the factor is out of range
    let base = Dd::select(plain, unit, t);
    let half = within_range(exponent, shared::log(base.hi)).not();
    let exponent = Param::select(half, exponent.scaled(R::lit(0.5)), exponent);
    let front = power::<R, K>(base, v, exponent.dual());
    let ComplexDual { re, im } = value.mul(Pair::of(front)).rounded();
    let lost = minor.or(cancels([re, im], [value.rounded().magnitudes(), front.magnitudes()]));
    let raised = lost.and(on).and(half.not()).and(exponent.counts());
    let front = power_or::<R, K>(raised, front, base, v, exponent);
    let scale = shared::exp(rescaled * R::lit(512.0 * LN_2 * 0.5));
    let usable = on.and(out[16].eq(one));
    let whole = if K == 1 { value.rounded() * front.rounded() } else { value.mul(front).rounded() };
    let once = ComplexDual::lit(1.0);
    let found = whole.times(scale) * ComplexDual::select(half, front.rounded(), once);
    let found = found.times(scale);
    // A small derivative's error is told beside itself; what is absolutely right is kept where no other way is found.
    let mut drift = zero;
    count::<1, K>(
        #[inline(always)]
        |d| drift = drift + front.part(d),
    );
    let (all, top) = (out[17] * value.size(), summed[22]);
    let error = R::select(far.or(known), all * front.part(0), top * front.part(0) + all * drift);
    let small = (error / sizes([whole.re, whole.im])[1]).min(R::lit(HOPELESS * 0.5));
    let small = R::select(error.gt(zero), small, one);
    let loss = R::select(minor.and(out[17].lt(R::lit(HOPELESS))), small, out[17]);
    let loss = R::select(outside.and(differences), loss.max(untold), loss);
    let found = ComplexDual::select(usable, found, ComplexDual::nan());
    (found, R::select(usable, loss, R::lit(INF)))
}

/// Gauss's function of moderate parameters where `|1 - z| <= 1`, to which DLMF 15.8.1 leads.
struct Moderate<R: Real> {
    p: Dd<R>,
    q: Dd<R>,
    c: Dd<R>,
    z: Complex<R>,
    /// `|z|`.
    r: R,
    /// `1 - z` and its magnitude.
    w: Complex<R>,
    t: R,
    outside: R::Mask,
    on: R::Mask,
}

/// `x^e` of a complex number of magnitude `size` other than 0, in plain double precision; 1 where the mask is not set.
#[inline(always)]
fn plain_power<R: Real>(x: Complex<R>, size: R, e: R, on: R::Mask) -> Complex<R> {
    let [re, im] = R::when(
        on.and(e.ne(R::lit(0.0))),
        [R::lit(1.0), R::lit(0.0)],
        #[inline(always)]
        || {
            let (size, turn) = (shared::pow(size, e), angle(x) * e);
            [size * shared::cos(turn), size * shared::sin(turn)]
        },
    );
    Complex::new(re, im)
}

/// A sum, the sum of the magnitudes of its terms, and `z d/dz` of the sum.
#[derive(Clone, Copy)]
struct PlainSum<R> {
    value: Complex<R>,
    size: R,
    slope: Complex<R>,
}

/// Gauss's series in plain double precision, of several pairs of numerators in one loop; `N` is `7 FORMS + 1`.
#[inline(always)]
fn plain_series<R: Real, const FORMS: usize, const N: usize>(
    forms: [[Dd<R>; 2]; FORMS],
    c: Dd<R>,
    z: Complex<R>,
    on: R::Mask,
) -> [PlainSum<R>; FORMS] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    // No term is the last one before the factors have constant signs
    let mut least = c.hi;
    for [p, q] in forms {
        least = least.min(p.hi.min(q.hi));
    }
    let beyond = after(least);
    let mut state = [zero; N];
    for i in 0..FORMS {
        [state[7 * i + 1], state[7 * i + 3], state[7 * i + 5]] = [one; 3];
    }
    let state = R::repeat(
        state,
        PLAIN_TERMS,
        #[inline(always)]
        |state| {
            let k = state[0];
            let next = k + one;
            let at = inlined(
                #[inline(always)]
                |v: Dd<R>| (v.hi + k) + v.lo,
            );
            let step = z.scale(one / (at(c) * next));
            let mut out = [next; N];
            let mut go = R::Mask::lit(false);
            for (i, [p, q]) in forms.into_iter().enumerate() {
                let [re, im, f, g, size, d, e] = each(
                    #[inline(always)]
                    |j| state[7 * i + 1 + j],
                );
                let before = Complex::new(re, im);
                let t = (before * step).scale(at(p) * at(q));
                let sum = Complex::new(f, g) + t;
                let slope = Complex::new(d, e) + t.scale(next);
                let (part, whole) = (t.max_part(), sum.max_part());
                let behaved = part.le(before.max_part()).and(next.ge(beyond));
                let lost = behaved.and(hopeless(size, whole, part));
                go = go.or(part.gt(whole * R::lit(5e-18)).or(behaved.not()).and(lost.not()));
                let size = R::select(lost, R::lit(INF), size + part);
                let form = [t.re, t.im, sum.re, sum.im, size, slope.re, slope.im];
                out[7 * i + 1..7 * i + 8].copy_from_slice(&form);
            }
            (out, go.and(on))
        },
    );
    let ended = state[0].lt(R::lit(PLAIN_TERMS as f64));
    each(
        #[inline(always)]
        |i| {
            let at = 7 * i + 3;
            PlainSum {
                value: Complex::new(state[at], state[at + 1]),
                size: R::select(ended, state[at + 2], R::lit(INF)),
                slope: Complex::new(state[at + 3], state[at + 4]),
            }
        },
    )
}

/// One of the forms that Euler's and Pfaff's transformations (DLMF 15.8.1) give a solution `F(p, q; c; z)`: the numerators, the
/// same of its own Euler transformation, and the powers of `1 - z` that both are to be multiplied by.
struct Form<R> {
    own: [Dd<R>; 2],
    other: [Dd<R>; 2],
    c: Dd<R>,
    powers: [R; 2],
}

impl<R: Real> Form<R> {
    #[inline(always)]
    fn new([p, q]: [Dd<R>; 2], c: Dd<R>) -> Self {
        let (own, other) = ([p, q], [c - p, c - q]);
        Form { own, other, c, powers: [R::lit(0.0), (other[0] - q).hi] }
    }
    /// The forms in `z / (z - 1)`.
    #[inline(always)]
    fn turned([p, q]: [Dd<R>; 2], c: Dd<R>) -> Self {
        Form { own: [p, c - q], other: [c - p, q], c, powers: [-p.hi, -q.hi] }
    }
    #[inline(always)]
    fn select(m: R::Mask, a: Self, b: Self) -> Self {
        let both = inlined(
            #[inline(always)]
            |a: [Dd<R>; 2], b: [Dd<R>; 2]| [Dd::select(m, a[0], b[0]), Dd::select(m, a[1], b[1])],
        );
        let powers = [R::select(m, a.powers[0], b.powers[0]), R::select(m, a.powers[1], b.powers[1])];
        Form { own: both(a.own, b.own), other: both(a.other, b.other), c: a.c, powers }
    }
    #[inline(always)]
    fn flipped(self, m: R::Mask) -> Self {
        let Form { own, other, c, powers: [a, b] } = self;
        Self::select(m, Form { own: other, other: own, c, powers: [b, a] }, self)
    }
    /// The sum and its power of `1 - z`; if `both`, by the form in which less cancels: the value is the same, so the magnitudes of
    /// the terms beside the sums tell which.
    #[inline(always)]
    fn sum(&self, both: bool, z: Complex<R>, on: R::Mask) -> (PlainSum<R>, R) {
        if !both {
            let [sum] = plain_series::<R, 1, 8>([self.own], self.c, z, on);
            return (sum, self.powers[0]);
        }
        let [own, other] = plain_series::<R, 2, 15>([self.own, self.other], self.c, z, on);
        let m = (other.size * own.value.max_part()).lt(own.size * other.value.max_part());
        let sum = PlainSum {
            value: Complex::select(m, other.value, own.value),
            size: R::select(m, other.size, own.size),
            slope: Complex::select(m, other.slope, own.slope),
        };
        (sum, R::select(m, self.powers[1], self.powers[0]))
    }
}

impl<R: Real> Moderate<R> {
    #[inline(always)]
    fn new(a: R, b: R, c: R, z: Complex<R>) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let below = inlined(
            #[inline(always)]
            |v: R| v.abs().lt(R::lit(MODERATE)),
        );
        let away = Complex::new(one - z.re, -z.im);
        let t = abs(away);
        let on = below(a).and(below(b)).and(below(c)).and(c.gt(zero).or(c.floor().ne(c)));
        let on = on.and(t.gt(zero)).and(t.lt(R::lit(1e100))).and(a.ne(zero)).and(b.ne(zero));
        let safe = inlined(
            #[inline(always)]
            |v: R, other: f64| R::select(on, v, R::lit(other)),
        );
        let (a, b, c, t) = (safe(a, 1.0), safe(b, 1.0), safe(c, 2.0), safe(t, 1.0));
        let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
        let away = Complex::select(on, away, Complex::lit(1.0, 0.0));
        let outside = t.gt(one);
        let swap = (c - a).min(b).gt(a.min(c - b));
        let (own, other) = (R::select(swap, b, a), R::select(swap, a, b));
        let inverse = one / t;
        let back = Complex::new(away.re * inverse, -(away.im * inverse)).scale(inverse);
        let x = Complex::select(outside, -(z * back), z);
        Moderate {
            p: Dd::new(R::select(outside, own, a), zero),
            q: Dd::select(outside, Dd::two_sum(c, -other), Dd::new(b, zero)),
            c: Dd::new(c, zero),
            z: x,
            r: abs(x),
            w: Complex::select(outside, back, away),
            t: R::select(outside, inverse, t),
            outside,
            on,
        }
    }
    /// `w^e` of what the sums stand for times the sum, and 0 where so little has cancelled that it is right.
    #[inline(always)]
    fn finish(&self, e: R, sum: Complex<R>, size: R, loss: R, done: R::Mask) -> (Complex<R>, R) {
        let e = e + R::select(self.outside, self.p.hi, R::lit(0.0));
        let fine = done.and(size.le(sum.max_part() * loss)).and(sum.max_part().lt(R::lit(1e300)));
        let value = sum * plain_power(self.w, self.t, e, fine);
        let fine = fine.and(value.max_part().lt(R::lit(1e300)));
        (value, R::select(fine, R::lit(0.0), R::lit(1.0)))
    }
    /// Where a short way is tried, and the magnitude of the variable of its series.
    #[inline(always)]
    fn plan(&self, way: usize) -> (R::Mask, R) {
        let reach = R::lit(PLAIN_SERIES.1);
        match way {
            0 => (self.on.and(self.near()), self.r),
            2 => (self.on.and(self.near().not()).and(self.r.le(reach)), self.r),
            4 => {
                let variable = R::select(self.turns(), self.r / self.t, self.r);
                (self.on.and(variable.le(reach)), variable)
            }
            1 | 3 => {
                let [turned, straight] = self.sides(way == 3);
                let inside = turned.or(straight);
                let on = self.on.and(self.near().not()).and(apart((self.c - self.p - self.q).hi));
                let on = on.and(inside.or(self.largest().lt(R::lit(WALK.1))));
                let ring = R::select(straight, self.t, R::lit(DISC));
                (on, R::select(turned, self.t / R::select(turned, self.r, R::lit(1.0)), ring))
            }
            5 => (self.on.and(self.near().not()).and(self.t.lt(R::lit(RING))), self.t),
            _ => {
                // Of larger parameters solutions outgrow this one on the way and are small at its end
                let on = self.on.and(self.r.gt(R::lit(PLAIN_SERIES.0))).and(self.clearance().gt(R::lit(0.3)));
                (on.and(self.largest().lt(R::lit(WALK.0))), self.r)
            }
        }
    }
    /// Whether the variable `z / (z - 1)` is usable.
    #[inline(always)]
    fn turns(&self) -> R::Mask {
        self.r.lt(self.t * R::lit(PLAIN_SERIES.1))
    }
    /// Whether both ends are connected by series of `1 - 1/z`, and whether series of `1 - z` are usable.
    #[inline(always)]
    fn sides(&self, again: bool) -> [R::Mask; 2] {
        let wide = self.r.gt(R::lit(1.0));
        let (straight, turned) = (self.t.lt(R::lit(RING)), self.t.lt(self.r * R::lit(RING)));
        [turned.and(if again { wide } else { wide.not().or(straight.not()) }), straight]
    }
    /// The distance of 1 from the ray to the variable, or from its end.
    #[inline(always)]
    fn clearance(&self) -> R {
        let line = self.z.scale(R::lit(1.0) / self.r.max(R::lit(PLAIN_SERIES.0)));
        R::select(line.re.gt(self.r), self.t, line.im.abs())
    }
    /// The series about 0, or the better one of `z / (z - 1)` where that is usable, else of `z`.
    #[inline(always)]
    fn direct(&self, both: bool, on: R::Mask) -> (Complex<R>, R) {
        let (pair, mut z) = ([self.p, self.q], self.z);
        let mut form = Form::new(pair, self.c);
        if both {
            let turned = self.turns();
            let back = R::lit(1.0) / self.t;
            z = Complex::select(turned, -(z * self.w.conj().scale(back).scale(back)), z);
            form = Form::select(turned, Form::turned(pair, self.c), form);
        } else {
            // Of positive parameters that form whose terms fall faster
            let [a, b] = form.other;
            let faster = a.hi.min(b.hi).min(self.c.hi).gt(R::lit(0.0)).and(form.powers[1].lt(R::lit(0.0)));
            form = form.flipped(faster);
        }
        let (sum, power) = form.sum(both, Complex::select(on, z, Complex::lit(0.0, 0.0)), on);
        self.finish(power, sum.value, sum.size, R::lit(PLAIN_LOSS), on)
    }
    #[inline(always)]
    fn equation(&self) -> Equation<R, 1> {
        let (p, q) = (self.p.hi, self.q.hi);
        let [c, q, p] = mapped([self.c.hi, p + q + R::lit(1.0), p * q], Dual::constant);
        Equation { bend: 1.0, c, q, p }
    }
    /// The largest parameter, exponents among them.
    #[inline(always)]
    fn largest(&self) -> R {
        let s = (self.c - self.p - self.q).hi;
        self.p.hi.abs().max(self.q.hi.abs()).max(s.abs().max(self.c.hi.abs()))
    }
    /// Whether the series about 0 is short.
    #[inline(always)]
    fn near(&self) -> R::Mask {
        self.r.lt(R::lit(0.9)).and(self.r.lt(R::lit(PLAIN_SERIES.0)).or(self.r.le(self.t)))
    }
    /// The connection of both ends (DLMF 15.8.4), by series of `1 - z` or of `1 - 1/z`; where all of them have about the magnitude
    /// 1, by a Taylor series from `|1 - z| = DISC`.
    ///
    /// What cancels least is the variable in the right half plane, the larger one, and beyond it Euler's form; the second time it is
    /// the other variable.
    #[inline(always)]
    fn joined(&self, again: bool, on: R::Mask) -> (Complex<R>, R) {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let s = self.c - self.p - self.q;
        let wide = self.r.gt(one);
        let [turned, straight] = self.sides(again);
        let ring = on.and(turned.or(straight).not());
        let near = R::select(ring, R::lit(DISC), self.t);
        let [re, im, size] = R::when(
            on,
            [zero; 3],
            #[inline(always)]
            || {
                let unit = Dd::lit(1.0, 0.0);
                let s = Dd::select(on, s, Dd::lit(0.5, 0.0));
                let (p, q) = (self.c - self.p, self.c - self.q);
                let w = Complex::select(on, self.w.scale(near / self.t), Complex::lit(0.0, 0.0));
                let x = Complex::new(one - w.re, -w.im);
                let size_x = R::select(ring, abs(x), R::select(on, self.r, one));
                let back = R::select(turned, one / size_x, one);
                let y = Complex::select(turned, -(w * x.conj().scale(back).scale(back)), w);
                let sum = inlined(
                    #[inline(always)]
                    |[p, q]: [Dd<R>; 2], c: Dd<R>, on: R::Mask| {
                        let form = Form::select(turned, Form::turned([p, q], c), Form::new([p, q], c));
                        let [a, b] = form.other;
                        let grown = a.hi.abs() + b.hi.abs();
                        let [a, b] = form.own;
                        let euler = wide.or(grown.lt(a.hi.abs() + b.hi.abs()));
                        let kept = (c - p).hi.min(q.hi).gt(p.hi.min((c - q).hi));
                        let flip = R::select(turned, R::select(kept, zero, one), R::select(euler, one, zero));
                        form.flipped(flip.ne(zero)).sum(again, y, on)
                    },
                );
                let (low, by_low) = sum([self.p, self.q], unit - s, on);
                let (high, by_high) = sum([p, q], unit + s, on.and(low.size.lt(R::lit(INF))));
                let first = plain_connection(self.c.hi, s, [p, q]);
                let second = plain_connection(self.c.hi, -s, [self.p, self.q]);
                let by_low_power = plain_power(x, size_x, by_low, on).scale(first);
                let by_high_power = plain_power(x, size_x, by_high, on) * plain_power(w, near, s.hi, on).scale(second);
                let (below, above) = (by_low_power * low.value, by_high_power * high.value);
                let value = below + above;
                let size = by_low_power.max_part() * low.size + by_high_power.max_part() * high.size;
                let [re, im] = R::when(
                    ring,
                    [value.re, value.im],
                    #[inline(always)]
                    || {
                        let inner = (w * x.conj()).scale(one / (size_x * size_x));
                        let slope = low.slope * by_low_power + high.slope * by_high_power + above.scale(s.hi)
                            - (below.scale(by_low) + above.scale(by_high)) * inner;
                        let line = -w.scale(one / near);
                        let slope = slope * line.scale(near).reciprocal();
                        let start = [ComplexDual::constant(value), ComplexDual::constant(slope)];
                        let end = self.equation().along_line(1.0, line, [near, self.t], one, start, ring).value();
                        [end.re, end.im]
                    },
                );
                let part = re.abs().max(im.abs());
                let kept = R::select(ring, value.max_part().min(part), part);
                // As a share of the value before the Taylor series, which must not fall by much either
                [re, im, size * R::select(kept.eq(zero), R::lit(INF), part / kept)]
            },
        );
        self.finish(zero, Complex::new(re, im), size, R::lit(JOINED_LOSS), on)
    }
}

/// A sum in plain double precision at `w` and at `1/2`, and the magnitudes of the terms.
#[derive(Clone, Copy)]
struct Beside<R> {
    sum: Complex<R>,
    size: R,
    half: R,
    half_size: R,
}

impl<R: Real> Beside<R> {
    #[inline(always)]
    fn add(&mut self, term: R, phase: Complex<R>) {
        let turned = phase.scale(term);
        self.sum = self.sum + turned;
        self.size = self.size + turned.max_part();
        self.half = self.half + term;
        self.half_size = self.half_size + term.abs();
    }
    /// Whether a term counts at `w` or at `1/2`.
    #[inline(always)]
    fn grows(&self, term: R, phase: Complex<R>) -> R::Mask {
        let tiny = R::lit(5e-18);
        let here = (phase.max_part() * term.abs()).gt(self.sum.max_part() * tiny);
        here.or(term.abs().gt(self.half.abs() * tiny))
    }
    #[inline(always)]
    fn packed(&self) -> [R; 5] {
        [self.sum.re, self.sum.im, self.size, self.half, self.half_size]
    }
    #[inline(always)]
    fn unpacked<const N: usize>(state: &[R; N], at: usize) -> Self {
        let [re, im, size, half, half_size] = each(
            #[inline(always)]
            |i| state[at + i],
        );
        Beside { sum: Complex::new(re, im), size, half, half_size }
    }
    #[inline(always)]
    fn select(m: R::Mask, a: Self, b: Self) -> Self {
        let (a, b) = (a.packed(), b.packed());
        let parts: [R; 5] = each(
            #[inline(always)]
            |i| R::select(m, a[i], b[i]),
        );
        Self::unpacked(&parts, 0)
    }
}

impl<R: Real> Moderate<R> {
    /// The connection where `c - p - q` is next to an integer `m`: the solutions of [`local`], in plain double precision. The factor
    /// of the first one is known (DLMF 15.8.4), that of the second one follows from the value at 1/2.
    #[inline(always)]
    fn beside(&self, on: R::Mask) -> (Complex<R>, R) {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let s = self.c - self.p - self.q;
        let flip = s.hi.lt(zero);
        let [re, im, size] = R::when(
            on,
            [zero; 3],
            #[inline(always)]
            || {
                let safe = inlined(
                    #[inline(always)]
                    |v: Dd<R>, other: f64| Dd::select(on, v, Dd::lit(other, 0.0)),
                );
                let (a, b) = (Dd::select(flip, self.c - self.p, self.p), Dd::select(flip, self.c - self.q, self.q));
                let (a, b, c) = (safe(a, 1.0), safe(b, 1.0), safe(self.c, 2.25));
                let s = safe(Dd::select(flip, -s, s), 0.25);
                let m = s.hi.round();
                let e = (s - Dd::new(m, zero)).hi;
                let some = m.gt(zero);
                let half = R::lit(0.5);
                let w = Complex::select(on, self.w, Complex::lit(0.5, 0.0));
                let turn = w + w;
                let none = Beside { sum: Complex::lit(0.0, 0.0), size: zero, half: zero, half_size: zero };
                let unit = Complex::lit(1.0, 0.0);
                let mut start = none;
                start.add(R::select(some, one, zero), unit);
                let shifted = inlined(
                    #[inline(always)]
                    |v: Dd<R>, k: R| (v.hi + k) + v.lo,
                );
                // The first terms, times 2^-k apart from the powers of 2w
                let p = start.packed();
                let state = R::repeat(
                    [one, one, one, zero, p[0], p[1], p[2], p[3], p[4]],
                    200,
                    #[inline(always)]
                    |state| {
                        let [k, t, re, im] = [state[0], state[1], state[2], state[3]];
                        let poly = Beside::unpacked(&state, 4);
                        let go = k.lt(m).and(on);
                        let before = k - one;
                        let divisor = R::select(go, (k - s.hi) * k, one);
                        let next = t * half * (shifted(a, before) * shifted(b, before)) / divisor;
                        let phase = Complex::new(re, im) * turn;
                        let mut grown = poly;
                        grown.add(next, phase);
                        let [f, g, size, h, l] = Beside::select(go, grown, poly).packed();
                        let (t, phase) = (R::select(go, next, t), Complex::select(go, phase, Complex::new(re, im)));
                        ([k + one, t, phase.re, phase.im, f, g, size, h, l], go)
                    },
                );
                let poly = Beside::unpacked(&state, 4);
                let last = m - one;
                let divisor = R::select(some, m, one);
                let front = state[1] * half * (shifted(a, last) * shifted(b, last)) / divisor;
                let front = R::select(some, front, one);
                let phase = Complex::new(state[2], state[3]) * turn;
                let ahead = Complex::select(some, phase, unit).scale(front);
                let mut begun = none;
                begun.add(one, unit);
                let (x, y) = (begun.packed(), none.packed());
                let beyond = after(a.hi.min(b.hi) + m);
                let state = R::repeat(
                    [zero, one, zero, one, zero, x[0], x[1], x[2], x[3], x[4], y[0], y[1], y[2], y[3], y[4]],
                    1000,
                    #[inline(always)]
                    |state| {
                        let [k, v, d, re, im] = [state[0], state[1], state[2], state[3], state[4]];
                        let (mut sum, mut gap) = (Beside::unpacked(&state, 5), Beside::unpacked(&state, 10));
                        let n = k + one;
                        let mn = m + n;
                        let (pa, pb) = (shifted(a, m + k), shifted(b, m + k));
                        let (low, high) = (n - e, mn + e);
                        let product = pa * pb;
                        let bracket = product * (n + mn) - low * (pa + pb + e) * mn;
                        let inverse = half / (low * mn * high * n);
                        let r = v * (inverse * low * mn);
                        let d = (d * product * high * n + v * bracket) * inverse;
                        let v = r * ((pa + e) * (pb + e));
                        let phase = Complex::new(re, im) * turn;
                        sum.add(v, phase);
                        gap.add(d, phase);
                        let go = sum.grows(v, phase).or(gap.grows(d, phase)).or(n.lt(beyond));
                        let (x, y) = (sum.packed(), gap.packed());
                        let out =
                            [n, v, d, phase.re, phase.im, x[0], x[1], x[2], x[3], x[4], y[0], y[1], y[2], y[3], y[4]];
                        (out, go.and(on))
                    },
                );
                let (sum, gap) = (Beside::unpacked(&state, 5), Beside::unpacked(&state, 10));
                let [value, size] = real_series([a, b, c], half, after(a.hi.min(b.hi).min(c.hi)), on);
                let first = shared::gamma(c.hi) * shared::gamma(R::select(some, s.hi, one + e));
                let first = first * rgamma_at(c - a) * rgamma_at(c - b);
                let first = R::select(some, first, -first);
                let g = poly.half - front * gap.half;
                let g_size = poly.half_size + (front * gap.half_size).abs();
                let second = (value - first * g) / sum.half;
                let second_size = size + (first * g_size).abs() + (second * sum.half_size).abs();
                let second_size = second_size / sum.half.abs();
                let log = Complex::new(shared::log(self.t + self.t), angle(w));
                let exact = e.abs().lt(R::lit(1e-17));
                let grown = expm1(log.scale(e)).scale(one / R::select(exact, one, e));
                let rate = Complex::select(exact, log, grown);
                let inner = gap.sum - sum.sum * rate;
                let g = poly.sum - ahead * inner;
                let g_size = poly.size + ahead.max_part() * (gap.size + sum.size * rate.max_part());
                let power = plain_power(turn, self.t + self.t, s.hi, on);
                let value = g.scale(first) + (power * sum.sum).scale(second);
                let rest = second_size * sum.sum.max_part() + second.abs() * sum.size;
                [value.re, value.im, first.abs() * g_size + power.max_part() * rest]
            },
        );
        let power = R::select(flip, s.hi, zero);
        self.finish(power, Complex::new(re, im), size, R::lit(BESIDE_LOSS), on)
    }
}

impl<R: Real> Moderate<R> {
    /// Taylor series along the ray from 0, past 1 at a distance, from where the series about 0 are short.
    #[inline(always)]
    fn walked(&self, on: R::Mask) -> (Complex<R>, R) {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let start = R::lit(PLAIN_SERIES.0);
        let line = self.z.scale(one / self.r.max(start));
        let steps = ((self.r - start) / (self.clearance().min(start) * R::lit(0.4))).ceil();
        let [re, im, size] = R::when(
            on,
            [zero; 3],
            #[inline(always)]
            || {
                let x = Complex::select(on, line.scale(start), Complex::lit(0.0, 0.0));
                let (sum, power) = Form::new([self.p, self.q], self.c).sum(true, x, on);
                let away = Complex::new(one - x.re, -x.im);
                let distance = abs(away);
                let front = plain_power(away, distance, power, on);
                let value = sum.value * front;
                // `(z d/dz) / z`, the derivative along the ray
                let inner = (x * away.conj()).scale(one / (distance * distance));
                let slope = sum.slope * front - (value * inner).scale(power);
                let slope = slope * Complex::select(on, x, Complex::lit(1.0, 0.0)).reciprocal();
                let begin = [ComplexDual::constant(value), ComplexDual::constant(slope)];
                let end = self.equation().along_line(0.0, line, [start, self.r], steps, begin, on).value();
                // Errors grow as other solutions do: the Wronskian tells how much faster than this one
                let grown = value.max_part().max(slope.max_part());
                let part = end.max_part();
                let c = self.c.hi;
                let wronskian = shared::pow(R::select(on, self.t / distance, one), c - self.p.hi - self.q.hi - one)
                    * shared::pow(R::select(on, self.r / start, one), -c);
                let size = grown.max(part).max(grown * wronskian * (grown / R::select(on, part, one)));
                [end.re, end.im, sum.size / sum.value.max_part() * size]
            },
        );
        self.finish(zero, Complex::new(re, im), size, R::lit(WALK_LOSS), on)
    }
}

impl<R: Real> Moderate<R> {
    /// The value by a short way, and 1 where it is not that of the function.
    #[inline(always)]
    fn short(&self, way: usize) -> (Complex<R>, R) {
        let (on, _) = self.plan(way);
        match way {
            0 | 2 | 4 => self.direct(way == 4, on),
            1 | 3 => self.joined(way == 3, on),
            5 => self.beside(on),
            _ => self.walked(on),
        }
    }
}

/// The first way that may be tried and the magnitude of its variable as a share of 1, which it is where there is none.
#[inline(always)]
pub(super) fn first_way<R: Real>([a, b, c]: [R; 3], z: Complex<R>) -> R {
    let f = Moderate::new(a, b, c, z);
    let mut share = R::lit(1.0);
    for way in (0..GaussShort::COUNT).rev() {
        let (on, variable) = f.plan(way);
        let place = (R::lit(way as f64) + variable.min(R::lit(0.99))) * R::lit(1.0 / GaussShort::COUNT as f64);
        share = R::select(on, place, share);
    }
    share
}

/// The short ways to [`hyp2f1`].
pub struct GaussShort;
impl ComplexShortWays<4> for GaussShort {
    const COUNT: usize = 7;
    #[inline(always)]
    fn value<R: Real>(way: usize, [a, b, c, z]: [Complex<R>; 4]) -> (Complex<R>, R) {
        let f = Moderate::new(a.re, b.re, c.re, z);
        let (value, left) = f.short(way);
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let [class] = R::when(
            left.ne(zero),
            [zero],
            #[inline(always)]
            || {
                if way + 1 < Self::COUNT {
                    let (on, variable) = f.plan(way + 1);
                    return [R::select(on, (variable * R::lit(100.0)).floor(), zero) + one];
                }
                let (r, t) = (abs(z), abs(Complex::new(one - z.re, -z.im)));
                let outside = t.gt(one);
                let size = R::select(outside, r / t, r);
                [order([a.re, b.re, c.re], outside, size, R::select(outside, one / t, t), DISC)]
            },
        );
        (value, R::select(left.ne(zero), class, zero))
    }
}

/// Gauss's function, cut from 1 to infinity.
#[inline(always)]
pub fn hyp2f1<R: Real>(a: Complex<R>, b: Complex<R>, c: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (a, b, c, zero) = (a.re, b.re, c.re, R::lit(0.0));
    let short = Moderate::new(a, b, c, z);
    let (plain, left) = short.short(0);
    let mut found = [plain.re, plain.im, left];
    for way in 1..GaussShort::COUNT {
        found = R::when(
            found[2].ne(zero),
            found,
            #[inline(always)]
            || {
                let (plain, left) = short.short(way);
                [plain.re, plain.im, left]
            },
        );
    }
    let origin = z.re.eq(zero).and(z.im.eq(zero));
    let nothing = a.eq(zero).or(b.eq(zero)).or(origin).and(z.is_finite());
    let rest = found[2].ne(zero).and(nothing.not());
    let [re, im] = R::when(
        rest,
        [found[0], found[1]],
        #[inline(always)]
        || {
            let at = Complex::select(rest, z, Complex::lit(0.0, 0.0));
            // Next to the pole at 0 the function is its residue over `c`, of which parts of the sum may leave the range.
            let least = a.abs().min(b.abs()).min(z.re.abs().max(z.im.abs()));
            let beside = c.abs().lt(R::lit(1e-150)).and(c.ne(zero)).and(least.gt(R::lit(1e-20)));
            let moved = R::select(beside, R::lit(1e-100).copysign(c), c);
            let out = gauss::<R, 1>(zero, a, b, moved, at);
            let scale = R::select(beside, moved / c, R::lit(1.0));
            [out.re * scale, out.im * scale]
        },
    );
    let out = Complex::select(nothing, Complex::lit(1.0, 0.0), Complex::new(re, im));
    let closes = origin.or(ends(a).and(a.ge(c))).or(ends(b).and(b.ge(c)));
    let short = ends(a).or(ends(b));
    let edge = at_one(z);
    let [re, im] = R::when(
        edge,
        [out.re, out.im],
        #[inline(always)]
        || [shared::hyp2f1(a, b, c, R::lit(1.0)), zero],
    );
    let out = Complex::select(edge, Complex::new(re, im), out);
    let pole = ends(c).and(closes.not()).or(edge.and(short.not()).and((c - a - b).le(R::lit(0.0))));
    with_poles([a, b, c], z, pole, out)
}

/// A derivative of Gauss's function in its parameters `i` or `10 i + j`.
#[inline(always)]
pub fn hyp2f1_dp<R: Real>(code: Complex<R>, a: Complex<R>, b: Complex<R>, c: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (code, a, b, c, one) = (code.re, a.re, b.re, c.re, R::lit(1.0));
    let out = gauss::<R, 4>(code, a, b, c, z);
    let edge = at_one(z);
    let [re, im] = R::when(
        edge,
        [out.re, out.im],
        #[inline(always)]
        || {
            let first = shared::hyp2f1_d1(code, a, b, c, one);
            let second = shared::hyp2f1_d2(code, a, b, c, one);
            [R::select(code.lt(R::lit(10.0)), first, second), R::lit(0.0)]
        },
    );
    Complex::select(edge, Complex::new(re, im), out)
}

/// Where the function of a real argument serves, which is known by gamma functions there.
#[inline(always)]
fn at_one<R: Real>(z: Complex<R>) -> R::Mask {
    z.re.eq(R::lit(1.0)).and(z.im.eq(R::lit(0.0)))
}
