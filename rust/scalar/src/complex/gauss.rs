//! Gauss's function of real parameters and a complex argument, with derivatives in the parameters.
//!
//! As for real arguments ([`crate::special::gauss`]); a power series of real parameters at `z = r u` with `|u| = 1` is the real
//! series at `r`, its terms turned by powers of `u`.

use super::dual::ComplexDual;
use super::hypergeometric::{
    Equation, Pair, Point, asked, ends, get, pair_at, point_at, power, put, series, with_poles,
};
use super::{Complex, ComplexShortWays, abs, angle, exp};
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use crate::special::dual::Dual;
use crate::special::gauss::{
    GAUSS_SERIES, JOINED_LOSS, PLAIN, PLAIN_SERIES, apart, local as real_local, matched, next_before, next_beside,
};
use crate::special::hypergeometric::{HOPELESS, directions};
use crate::special::wide::{self as real, NEGLIGIBLE, Param, Wide, at, enough, pack};
use std::f64::consts::LN_2;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
/// Gauss's series is taken up to this magnitude, about 0 and about 1.
const DISC: f64 = 0.8;
/// As for real arguments, of magnitudes.
const PLAIN_LOSS: f64 = 20.0;

/// What the solutions about `z = 1` consist of, as in the real function, at `w = 1 - z`.
struct Local<R, const K: usize> {
    poly: Pair<R, K>,
    poly_slope: Pair<R, K>,
    front: Pair<R, K>,
    sum: Pair<R, K>,
    sum_slope: Pair<R, K>,
    gap: Pair<R, K>,
    gap_slope: Pair<R, K>,
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
    on: R::Mask,
) -> Local<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let unit = Wide::<R, K>::lit(1.0);
    let none = Wide::<R, K>::lit(0.0);
    let s = e.step(m);
    let some = m.gt(zero);
    let first = Wide::select(some, unit, none);
    let state = R::repeat(
        pack::<R, K, 5, 5, 45>([unit, first, none, none, none], [one, zero, zero, zero, one]),
        3000,
        #[inline(always)]
        |state| {
            let t = at::<R, K, 45>(&state, 0);
            let (sum, slope) = (pair_at::<R, K, 45>(&state, 1), pair_at::<R, K, 45>(&state, 3));
            let phase = point_at(&state, 40);
            let k = state[44];
            let go = k.lt(m);
            let next = next_before(t, [a, b], s, k, r);
            let t = Wide::select(go, next, t);
            let phase = Point::select(go, phase.mul(u), phase);
            let turned = Pair::turned(t, phase);
            let sum = Pair::select(go, sum.add(turned), sum);
            let slope = Pair::select(go, slope.add(turned.scaled(k)), slope);
            let rest = [phase.re.hi, phase.re.lo, phase.im.hi, phase.im.lo, k + one];
            (pack([t, sum.re, sum.im, slope.re, slope.im], rest), go.and(on))
        },
    );
    let t = at::<R, K, 45>(&state, 0);
    let (poly, poly_slope) = (pair_at::<R, K, 45>(&state, 1), pair_at::<R, K, 45>(&state, 3));
    let last = m - one;
    let divisor = R::select(some, m, one);
    let front = t.times(r).by(a.step(last)).by(b.step(last)).over(Param::new(divisor, [zero; 2]));
    let phase = point_at(&state, 40);
    let phase = Point::select(some, phase.mul(u), phase);
    let front = Pair::turned(Wide::select(some, front, unit), phase);
    let start = [unit, none, unit, none, none, none, none, none, none, none];
    let state = R::repeat(
        pack::<R, K, 10, 5, 85>(start, [one, zero, zero, zero, zero]),
        4000,
        #[inline(always)]
        |state| {
            let [v, d] = [at::<R, K, 85>(&state, 0), at::<R, K, 85>(&state, 1)];
            let [sum, sum_slope, gap, gap_slope] = mapped(
                [2, 4, 6, 8],
                #[inline(always)]
                |i| pair_at::<R, K, 85>(&state, i),
            );
            let phase = point_at(&state, 80);
            let k = state[84];
            let n = k + one;
            let ([v, d], begun) = next_beside([v, d], [a, b], m, e, k, r);
            let phase = phase.mul(u);
            let (tv, td) = (Pair::turned(v, phase), Pair::turned(d, phase));
            let (sum, gap) = (sum.gather(tv), gap.gather(td));
            let mut go = n.lt(R::lit(4.0));
            for (term, total) in [(v, sum), (d, gap)] {
                for s in 0..K {
                    go = go.or(term.0[s].hi.abs().gt(total.part(s) * R::lit(NEGLIGIBLE)));
                }
            }
            let (sum_slope, gap_slope) = (sum_slope.gather(tv.scaled(n)), gap_slope.gather(td.scaled(n)));
            let pairs = [sum, sum_slope, gap, gap_slope];
            let mut wides = [v, d, v, v, v, v, v, v, v, v];
            for (i, p) in pairs.iter().enumerate() {
                wides[2 * i + 2] = p.re;
                wides[2 * i + 3] = p.im;
            }
            let rest = [phase.re.hi, phase.re.lo, phase.im.hi, phase.im.lo, n];
            (pack(wides, rest), go.or(begun.not()).and(on))
        },
    );
    let [sum, sum_slope, gap, gap_slope] = mapped(
        [2, 4, 6, 8],
        #[inline(always)]
        |i| pair_at::<R, K, 85>(&state, i).normalized(),
    );
    Local { poly, poly_slope, front, sum, sum_slope, gap, gap_slope }
}

/// `(e^y - 1) / y` and its first two derivatives.
#[inline(always)]
fn exprel<R: Real>(y: Complex<R>) -> [Complex<R>; 3] {
    let small = y.max_part().lt(R::lit(1.5));
    let x = Complex::select(small, y, Complex::lit(0.0, 0.0));
    let mut sums = [Complex::lit(0.0, 0.0); 3];
    let mut factorial = [1.0; 30];
    for k in 1..30 {
        factorial[k] = factorial[k - 1] * k as f64;
    }
    for k in (0..30).rev() {
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = *sum * x;
            sum.re = sum.re + R::lit(1.0 / (factorial[k] * (k + n + 1) as f64));
        }
    }
    let flat = [sums[0].re, sums[0].im, sums[1].re, sums[1].im, sums[2].re, sums[2].im];
    let out = R::when(
        small.not(),
        flat,
        #[inline(always)]
        || {
            let (grown, inverse) = (exp(y), y.reciprocal());
            let first = Complex::new(grown.re - R::lit(1.0), grown.im) * inverse;
            let second = (grown - first) * inverse;
            let third = (grown - second.scale(R::lit(2.0))) * inverse;
            [first.re, first.im, second.re, second.im, third.re, third.im]
        },
    );
    [Complex::new(out[0], out[1]), Complex::new(out[2], out[3]), Complex::new(out[4], out[5])]
}

/// Gauss's function or a derivative in its parameters.
#[inline(always)]
fn gauss<R: Real, const K: usize>(code: R, a: R, b: R, c: R, z: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let limit = R::lit(1e100);
    let [pa, pb, pc] = directions::<R, 3, K>(code, [a, b, c]);
    let finite = a.abs().lt(limit).and(b.abs().lt(limit)).and(c.abs().lt(limit)).and(z.is_finite());
    let short = pa.ends().or(pb.ends());
    let closes = pa.ends().and(a.ge(c)).or(pb.ends().and(b.ge(c)));
    let at_pole = pc.ends();
    let s = pc - pa - pb;
    let edge = z.re.eq(one).and(z.im.eq(zero));
    let direct = at_pole.or(edge.and(s.rounded().le(zero)));
    let on = finite.and(at_pole.not().or(closes)).and(direct.not().or(short));
    let [pa, pb, pc] = mapped(
        [(pa, 1.0), (pb, 1.0), (pc, 2.0)],
        #[inline(always)]
        |(p, v)| Param::select(on, p, Param::lit(v)),
    );
    let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
    let at_z = Point::new(z.re, z.im);
    let (r, u) = at_z.polar();
    let (t, v) = Point { re: Dd::two_sum(one, -z.re), im: Dd::new(-z.im, zero) }.polar();
    // DLMF 15.8.1: into the disc |1 - z| <= 1
    let outside = t.hi.gt(one).and(direct.not());
    let unit = Dd::lit(1.0, 0.0);
    let beyond = Dd::select(outside, t, unit);
    let back = v.conj();
    let turned = u.mul(back);
    let r = Dd::select(outside, r / beyond, r);
    let u = Point::select(outside, Point { re: -turned.re, im: -turned.im }, u);
    let t = Dd::select(outside, unit / beyond, t);
    let v = Point::select(outside, back, v);
    let (qa, qb) = (pc - pa, pc - pb);
    let least = inlined(
        #[inline(always)]
        |p: Param<R>, q: Param<R>| p.rounded().min(q.rounded()),
    );
    let swap = least(qa, pb).gt(least(pa, qb));
    let (ka, kb) = (Param::select(swap, pb, pa), Param::select(swap, qa, qb));
    let (ua, ub) = (Param::select(outside, ka, pa), Param::select(outside, kb, pb));
    let exponent = Param::select(outside, ua, Param::lit(0.0));
    let largest = ua.rounded().abs().max(ub.rounded().abs()).max(pc.rounded().abs());
    let limit = R::select(largest.lt(R::lit(12.0)), R::lit(DISC), R::lit(GAUSS_SERIES.1));
    let far = on.and(direct.not()).and(r.hi.gt(limit));
    let s = pc - ua - ub;
    let (va, vb) = (pc - ua, pc - ub);
    let flip = R::select(far, s.rounded(), least(ua, ub) - least(va, vb)).lt(zero).and(direct.not());
    let exponent = Param::select(flip, exponent + s, exponent);
    let (ua, ub) = (Param::select(flip, va, ua), Param::select(flip, vb, ub));
    let s = Param::select(flip, -s, s);
    let near = on.and(far.not());
    let f = series::<R, K, 2, 1, false>([ua, ub], [pc], r, u, 6000, R::lit(enough(K)), near);
    let lost = f.largest.gt(f.value.part(0) * R::lit(HOPELESS)).and(f.value.part(0).ne(zero));
    let lost = if K == 1 { lost } else { R::Mask::lit(false) };
    let usable = R::select(f.good.and(lost.not()), one, zero);
    let out = R::when(
        far,
        put::<R, K, 9>(&[f.value.rounded()], &[usable]),
        #[inline(always)]
        || {
            let m = R::select(far, s.rounded().round(), zero);
            let e = Param::select(far, s.step(-m), Param::lit(0.25));
            let ring = t.hi.gt(R::lit(DISC));
            let near = Dd::select(ring, Dd::lit(DISC, 0.0), t);
            let middle = Dd::lit(0.5, 0.0);
            let f = real::series::<R, K, 2, 1, false>([ua, ub], [pc], middle, 6000, R::lit(NEGLIGIBLE), far);
            let usable = R::select(f.good.and(f.scale.eq(zero)), one, zero);
            let [first, second] = matched(&real_local::<R, K>(ua, ub, m, e, middle, far), &f, m, e);
            let l = local::<R, K>(ua, ub, m, e, near, v, far);
            let end = near.hi.eq(zero);
            let base = Dd::select(end, unit, near.times_pow2(R::lit(2.0)));
            let log = Complex::new(shared::log(base.hi) + base.lo / base.hi, angle(v.rounded()));
            let x = e.rounded();
            let rel = exprel(log.scale(x));
            let square = log.square();
            let grown = R::select(x.eq(zero), one, x);
            let rest = [-(one / grown), one / (grown * grown), -(R::lit(2.0) / (grown * grown * grown))];
            let rate = [log * rel[0], square * rel[1], square * log * rel[2]];
            let rate = each(
                #[inline(always)]
                |i| Complex::select(end, Complex::new(rest[i], zero), rate[i]),
            );
            let rate = ComplexDual::chain(e.dual::<K>(), rate);
            let drift = rate.by(e.dual::<K>()) + ComplexDual::lit(1.0);
            let (rate, drift) = (Pair::of(rate), Pair::of(drift));
            let power_w = Pair::of(power::<R, K>(base, v, e.step(m).dual()));
            let none = Pair::of(ComplexDual::lit(0.0));
            let power_w = Pair::select(end, none, power_w);
            let inner = l.gap.sub(l.sum.mul(rate));
            let g = l.poly.sub(l.front.mul(inner));
            let value = g.by(first).add(power_w.mul(l.sum).by(second)).rounded();
            R::when(
                ring,
                put::<R, K, 9>(&[value], &[usable]),
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
                    let slope = g_slope.by(first).add(h_slope.by(second)).rounded();
                    let line = -v.rounded();
                    let slope = slope.turned(line.scale(near.hi).reciprocal());
                    let (a, b) = (ua.dual::<K>(), ub.dual::<K>());
                    let equation = Equation { bend: 1.0, c: pc.dual::<K>(), q: a + b + Dual::lit(1.0), p: a * b };
                    let end = equation.along::<false>(1.0, line, [near.hi, t.hi], one, [value, slope], ring);
                    put(&[end], &[usable])
                },
            )
        },
    );
    let value = get::<R, K>(&out, 0);
    let plain = direct.or(t.hi.eq(zero));
    let front = power::<R, K>(Dd::select(plain, unit, t), v, exponent.dual());
    let scale = shared::exp(R::select(far, zero, f.scale) * R::lit(512.0 * LN_2 * 0.5));
    let usable = out[8].eq(one);
    let out = asked(code, (value * front).times(scale).times(scale));
    Complex::select(on.and(usable), out, Complex::lit(NAN, NAN))
}

/// `x^e` of a complex number that is not 0, in plain double precision.
#[inline(always)]
fn plain_power<R: Real>(x: Complex<R>, size: R, e: R) -> Complex<R> {
    let (size, turn) = (shared::pow(size, e), angle(x) * e);
    Complex::new(size * shared::cos(turn), size * shared::sin(turn))
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

/// A sum, the sum of the magnitudes of its terms, and `z d/dz` of the sum.
struct PlainSum<R> {
    value: Complex<R>,
    size: R,
    slope: Complex<R>,
}

/// As for real arguments.
#[inline(always)]
fn plain_series<R: Real>([p, q, c]: [Dd<R>; 3], z: Complex<R>, beyond: R, on: R::Mask) -> PlainSum<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let state = R::repeat(
        [zero, one, zero, one, zero, one, zero, zero],
        1000,
        #[inline(always)]
        |[k, re, im, f, g, size, d, e]| {
            let next = k + one;
            let at = inlined(
                #[inline(always)]
                |v: Dd<R>| (v.hi + k) + v.lo,
            );
            let before = Complex::new(re, im);
            let t = (before * z).scale(at(p) * at(q) / (at(c) * next));
            let sum = Complex::new(f, g) + t;
            let slope = Complex::new(d, e) + t.scale(next);
            let part = t.max_part();
            let go = part.gt(sum.max_part() * R::lit(5e-18)).or(part.gt(before.max_part())).or(next.lt(beyond));
            ([next, t.re, t.im, sum.re, sum.im, size + part, slope.re, slope.im], go.and(on))
        },
    );
    let [_, _, _, f, g, size, d, e] = state;
    PlainSum { value: Complex::new(f, g), size, slope: Complex::new(d, e) }
}

impl<R: Real> Moderate<R> {
    #[inline(always)]
    fn new(a: R, b: R, c: R, z: Complex<R>) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let below = inlined(
            #[inline(always)]
            |v: R| v.abs().lt(R::lit(PLAIN)),
        );
        let away = Complex::new(one - z.re, -z.im);
        let t = abs(away);
        let on = below(a).and(below(b)).and(c.gt(zero)).and(below(c)).and(t.gt(zero)).and(t.lt(R::lit(1e100)));
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
    /// The function and its class: 0 where so little has cancelled that the sum is right.
    #[inline(always)]
    fn finish(&self, sum: Complex<R>, size: R, loss: R, done: R::Mask, rest: R) -> (Complex<R>, R) {
        let [re, im] = R::when(
            self.outside,
            [sum.re, sum.im],
            #[inline(always)]
            || {
                let out = sum * plain_power(self.w, self.t, self.p.hi);
                [out.re, out.im]
            },
        );
        let fine = done.and(size.le(sum.max_part() * loss)).and(sum.max_part().lt(R::lit(1e300)));
        (Complex::new(re, im), R::select(fine, R::lit(0.0), rest))
    }
    #[inline(always)]
    fn direct(&self, to: R, on: R::Mask) -> (Complex<R>, R) {
        let z = Complex::select(on, self.z, Complex::lit(0.0, 0.0));
        let sum = plain_series([self.p, self.q, self.c], z, -self.p.hi.min(self.q.hi), on);
        self.finish(sum.value, sum.size, R::lit(PLAIN_LOSS), on, to)
    }
    #[inline(always)]
    fn near(&self) -> R::Mask {
        self.r.lt(R::lit(0.9)).and(self.r.lt(R::lit(PLAIN_SERIES.0)).or(self.r.le(self.t)))
    }
    /// How long the sums in double-double arithmetic are.
    #[inline(always)]
    fn class(&self) -> R {
        let length = R::select(self.r.lt(R::lit(DISC)), self.r, self.t + R::lit(1.0));
        R::select(self.on, (length * R::lit(20.0)).floor() + R::lit(2.0), R::lit(1.0))
    }
}

/// Gauss's function near 0 in plain double precision.
#[inline(always)]
fn near<R: Real>(f: &Moderate<R>) -> (Complex<R>, R) {
    let near = f.near();
    let far = f.on.and(near.not()).and(apart((f.c - f.p - f.q).hi));
    // What goes on to the connection behind what does not
    let rest = R::select(far, R::lit(43.0) + (f.t * R::lit(20.0)).floor().min(R::lit(20.0)), f.class());
    f.direct(rest, f.on.and(near))
}

/// The same near 1 by the connection of both ends (DLMF 15.8.4); where both `z` and `1 - z` have about the magnitude 1, by a
/// Taylor series from `|1 - z| = DISC`.
#[inline(always)]
fn joined<R: Real>(f: &Moderate<R>) -> (Complex<R>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let s = f.c - f.p - f.q;
    let on = f.on.and(f.near().not()).and(apart(s.hi));
    let ring = on.and(f.t.gt(R::lit(0.85)));
    let near = R::select(ring, R::lit(DISC), f.t);
    let w = f.w.scale(near / f.t);
    let none = [zero; 3];
    let [re, im, size] = R::when(
        on,
        none,
        #[inline(always)]
        || {
            let unit = Dd::lit(1.0, 0.0);
            let s = Dd::select(on, s, Dd::lit(0.5, 0.0));
            let (p, q) = (f.c - f.p, f.c - f.q);
            let y = Complex::select(on, w, Complex::lit(0.0, 0.0));
            let beyond = s.hi.abs();
            let low = plain_series([f.p, f.q, unit - s], y, beyond.max(-f.p.hi.min(f.q.hi)), on);
            let high = plain_series([p, q, unit + s], y, beyond.max(-p.hi.min(q.hi)), on);
            let front = shared::gamma(f.c.hi);
            let first = front * shared::gamma(s.hi) * shared::rgamma(p.hi) * shared::rgamma(q.hi);
            let power = plain_power(w, near, s.hi);
            let second = power.scale(front * shared::gamma(-s.hi) * shared::rgamma(f.p.hi) * shared::rgamma(f.q.hi));
            let value = low.value.scale(first) + high.value * second;
            let size = (first * low.size).abs() + second.max_part() * high.size;
            let [re, im] = R::when(
                ring,
                [value.re, value.im],
                #[inline(always)]
                || {
                    let slope = low.slope.scale(first) + (high.value.scale(s.hi) + high.slope) * second;
                    let line = -w.scale(one / near);
                    let slope = slope * line.scale(near).reciprocal();
                    let (p, q) = (f.p.hi, f.q.hi);
                    let equation = Equation {
                        bend: 1.0,
                        c: Dual::<R, 1>::constant(f.c.hi),
                        q: Dual::constant(p + q + one),
                        p: Dual::constant(p * q),
                    };
                    let start = [ComplexDual::constant(value), ComplexDual::constant(slope)];
                    let end = equation.along::<false>(1.0, line, [near, f.t], one, start, ring).value();
                    [end.re, end.im]
                },
            );
            let part = re.abs().max(im.abs());
            let kept = R::select(ring, value.max_part().min(part), part);
            // As a share of the value before the Taylor series, which must not fall by much either
            [re, im, size * R::select(kept.eq(zero), R::lit(INF), part / kept)]
        },
    );
    let loss = R::select(f.r.gt(R::lit(PLAIN_SERIES.1)), R::lit(PLAIN_LOSS), R::lit(JOINED_LOSS));
    f.finish(Complex::new(re, im), size, loss, on, f.class())
}

/// The short ways to [`hyp2f1`].
pub struct GaussShort;
impl ComplexShortWays<4> for GaussShort {
    const COUNT: usize = 3;
    #[inline(always)]
    fn value<R: Real>(way: usize, [a, b, c, z]: [Complex<R>; 4]) -> (Complex<R>, R) {
        let f = Moderate::new(a.re, b.re, c.re, z);
        match way {
            0 => near(&f),
            1 => joined(&f),
            // Between both, by the series about 0
            _ => f.direct(f.class(), f.on.and(f.near().not()).and(f.r.le(R::lit(PLAIN_SERIES.1)))),
        }
    }
}

/// Gauss's function, cut from 1 to infinity.
#[inline(always)]
pub fn hyp2f1<R: Real>(a: Complex<R>, b: Complex<R>, c: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (a, b, c, zero) = (a.re, b.re, c.re, R::lit(0.0));
    let point = [Complex::new(a, zero), Complex::new(b, zero), Complex::new(c, zero), z];
    let (plain, class) = GaussShort::value(0, point);
    let mut found = [plain.re, plain.im, class];
    for way in 1..GaussShort::COUNT {
        found = R::when(
            found[2].ne(zero),
            found,
            #[inline(always)]
            || {
                let (plain, class) = GaussShort::value(way, point);
                [plain.re, plain.im, class]
            },
        );
    }
    let rest = found[2].ne(zero);
    let [re, im] = R::when(
        rest,
        [found[0], found[1]],
        #[inline(always)]
        || {
            let at = Complex::select(rest, z, Complex::lit(0.0, 0.0));
            let out = gauss::<R, 1>(zero, a, b, c, at);
            [out.re, out.im]
        },
    );
    let out = Complex::new(re, im);
    let closes = ends(a).and(a.ge(c)).or(ends(b).and(b.ge(c)));
    let short = ends(a).or(ends(b));
    let edge = z.re.eq(R::lit(1.0)).and(z.im.eq(R::lit(0.0)));
    let pole = ends(c).and(closes.not()).or(edge.and(short.not()).and((c - a - b).le(R::lit(0.0))));
    with_poles([a, b, c], z, pole, out)
}

/// A derivative of Gauss's function in its parameters `i` or `10 i + j`.
#[inline(always)]
pub fn hyp2f1_dp<R: Real>(code: Complex<R>, a: Complex<R>, b: Complex<R>, c: Complex<R>, z: Complex<R>) -> Complex<R> {
    gauss::<R, 4>(code.re, a.re, b.re, c.re, z)
}
