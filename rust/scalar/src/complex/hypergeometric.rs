//! Confluent and Gauss's hypergeometric functions of real parameters and a complex argument, with derivatives in the parameters.
//!
//! A power series of real parameters at `z = r u` with `|u| = 1` is the real series at `r`, its terms turned by powers of `u`;
//! terms and phases are carried in double-double arithmetic. Where neither a series nor an asymptotic expansion serves, the
//! differential equation is integrated by Taylor series along a line on which the function is not dominated by another solution
//! (J. W. Pearson, S. Olver, M. A. Porter, Numer. Algorithms 74, 2017; N. Michel, M. V. Stoitsov, Comput. Phys. Commun. 178, 2008).

use super::bessel::values;
use super::bodies as b;
use super::dual::ComplexDual;
use super::{Complex, abs, angle, exp, sqrt};
use crate::dd::Dd;
use crate::real::{Mask, Real, count, each, inlined, mapped};
use crate::shared;
use crate::special::dual::Dual;
use crate::special::equation::{Equation, LONGEST, rescaled};
use crate::special::gauss::THIN;
use crate::special::gauss_climb::found_or_descended;
use crate::special::hypergeometric::{
    AGAIN, AHEAD, BEHIND, EXCESS, KummerSteps, LARGEST, LONG, MARCH, MARCH_BEHIND, ORDERS, SLIGHT, SWING, Steps, WIDE,
    WIDEST, bears, by_logarithms, directions, gamma_of, gamma_ratio, in_range, lost_by, spent, steps_down, summed,
    summed_loss,
};
use crate::special::polynomials::MAX_DEGREE;
use crate::special::recurrence::{SPENT, UNITS, in_units, parts, written};
use crate::special::wide::{
    Param, RESCALE, Wide, at, beyond_poles, beyond_zeros, enough, kept_in_range, lowered, negligible_size, next_term,
    pack, part_of,
};
use std::f64::consts::LN_2;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
/// Terms that exceed the sum by `e` to this power leave it all digits of a double.
const CANCELLED: f64 = 32.0;
const SQRT_PI: f64 = 1.772_453_850_905_516;
/// Exponentials of these are in range, of the first also as a factor of what is turned.
const LEAST_PART: f64 = 350.0;
const PART: f64 = 700.0;
/// A recurrence that loses less is as good as a series.
const SURE: f64 = 1e3;

/// A complex number in double-double arithmetic.
#[derive(Clone, Copy)]
pub(super) struct Point<R> {
    pub(super) re: Dd<R>,
    pub(super) im: Dd<R>,
}

impl<R: Real> Point<R> {
    #[inline(always)]
    pub(super) fn new(re: R, im: R) -> Self {
        Point { re: Dd::new(re, R::lit(0.0)), im: Dd::new(im, R::lit(0.0)) }
    }
    /// `1 - z`.
    #[inline(always)]
    pub(super) fn to_one(z: Complex<R>) -> Self {
        Point { re: Dd::two_sum(R::lit(1.0), -z.re), im: Dd::new(-z.im, R::lit(0.0)) }
    }
    #[inline(always)]
    pub(super) fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Point { re: Dd::select(m, a.re, b.re), im: Dd::select(m, a.im, b.im) }
    }
    #[inline(always)]
    pub(super) fn conj(self) -> Self {
        Point { re: self.re, im: -self.im }
    }
    #[inline(always)]
    pub(super) fn mul(self, o: Self) -> Self {
        Point { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
    #[inline(always)]
    pub(super) fn rounded(self) -> Complex<R> {
        Complex::new(self.re.value(), self.im.value())
    }
    /// Magnitude and direction; that of 0 is 1.
    #[inline(always)]
    pub(super) fn polar(self) -> (Dd<R>, Self) {
        let one = R::lit(1.0);
        let size = self.re.hi.abs().max(self.im.hi.abs());
        let (big, small) = (size.gt(R::lit(1e100)), size.lt(R::lit(1e-100)));
        // 2^-600 and 2^600
        let (low, high) = (R::lit(2.409919865102884e-181), R::lit(4.149515568880993e180));
        let down = R::select(big, low, R::select(small, high, one));
        let up = R::select(big, high, R::select(small, low, one));
        let (x, y) = (self.re.times_pow2(down), self.im.times_pow2(down));
        let none = size.eq(R::lit(0.0));
        let root = Dd::select(none, Dd::lit(1.0, 0.0), x * x + y * y).sqrt();
        // The sign of a zero tells the sides of a cut apart.
        let flat = self.im.hi.eq(R::lit(0.0));
        let unit = Point { re: x / root, im: Dd::select(flat, Dd::new(self.im.hi, self.im.hi), y / root) };
        let zero = Dd::lit(0.0, 0.0);
        (Dd::select(none, zero, root.times_pow2(up)), Point::select(none, Point::new(one, R::lit(0.0)), unit))
    }
}

/// [`Wide`] with an imaginary part.
#[derive(Clone, Copy)]
pub(super) struct Pair<R, const K: usize> {
    pub(super) re: Wide<R, K>,
    pub(super) im: Wide<R, K>,
}

impl<R: Real, const K: usize> Pair<R, K> {
    #[inline(always)]
    pub(super) fn turned(w: Wide<R, K>, u: Point<R>) -> Self {
        Pair { re: w.times(u.re), im: w.times(u.im) }
    }
    #[inline(always)]
    pub(super) fn map(self, f: impl Fn(Wide<R, K>) -> Wide<R, K>) -> Self {
        Pair { re: f(self.re), im: f(self.im) }
    }
    #[inline(always)]
    pub(super) fn add(self, o: Self) -> Self {
        Pair { re: self.re + o.re, im: self.im + o.im }
    }
    #[inline(always)]
    pub(super) fn sub(self, o: Self) -> Self {
        Pair { re: self.re - o.re, im: self.im - o.im }
    }
    #[inline(always)]
    pub(super) fn mul(self, o: Self) -> Self {
        Pair { re: self.re.mul(o.re) - self.im.mul(o.im), im: self.re.mul(o.im) + self.im.mul(o.re) }
    }
    #[inline(always)]
    pub(super) fn by(self, w: Wide<R, K>) -> Self {
        Pair { re: self.re.mul(w), im: self.im.mul(w) }
    }
    /// Times a number without derivatives.
    #[inline(always)]
    pub(super) fn turn(self, u: Point<R>) -> Self {
        Pair { re: self.re.times(u.re) - self.im.times(u.im), im: self.re.times(u.im) + self.im.times(u.re) }
    }
    #[inline(always)]
    pub(super) fn scaled(self, v: R) -> Self {
        Pair { re: self.re.scaled(v), im: self.im.scaled(v) }
    }
    #[inline(always)]
    pub(super) fn gather(self, o: Self) -> Self {
        Pair { re: self.re.gather(o.re), im: self.im.gather(o.im) }
    }
    #[inline(always)]
    pub(super) fn normalized(self) -> Self {
        Pair { re: self.re.normalized(), im: self.im.normalized() }
    }
    #[inline(always)]
    pub(super) fn rounded(self) -> ComplexDual<R, K> {
        ComplexDual { re: self.re.rounded(), im: self.im.rounded() }
    }
    #[inline(always)]
    pub(super) fn of(v: ComplexDual<R, K>) -> Self {
        Pair { re: Wide::of(v.re), im: Wide::of(v.im) }
    }
    #[inline(always)]
    pub(super) fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Pair { re: Wide::select(m, a.re, b.re), im: Wide::select(m, a.im, b.im) }
    }
    /// The larger size of the two parts, derivatives included.
    #[inline(always)]
    pub(super) fn size(self) -> R {
        self.re.size().max(self.im.size())
    }
    /// The larger magnitude of the two parts of a coefficient.
    #[inline(always)]
    pub(super) fn part(self, s: usize) -> R {
        self.re.0[s].hi.abs().max(self.im.0[s].hi.abs())
    }
}

#[inline(always)]
pub(super) fn pair_at<R: Real, const K: usize, const N: usize>(state: &[R; N], i: usize) -> Pair<R, K> {
    Pair { re: at::<R, K, N>(state, i), im: at::<R, K, N>(state, i + 1) }
}

#[inline(always)]
pub(super) fn point_at<R: Real>(state: &[R], i: usize) -> Point<R> {
    Point { re: Dd::new(state[i], state[i + 1]), im: Dd::new(state[i + 2], state[i + 3]) }
}

/// A sum with what is known about its error, as in [`crate::special::wide`].
pub(super) struct Sum<R: Real, const K: usize> {
    pub(super) value: Pair<R, K>,
    /// `z d/dz`.
    pub(super) slope: Pair<R, K>,
    /// In units of this power of `2^512`.
    pub(super) scale: R,
    pub(super) largest: R,
    /// That of the highest derivative, the first one where nothing moves the second.
    pub(super) largest_top: R,
    pub(super) good: R::Mask,
}

/// The series of [`crate::special::wide::series`] at `r u` with `r >= 0` and `|u| = 1`, its slope where `sloped`.
#[inline(always)]
pub(super) fn series<R: Real, const K: usize, const P: usize, const Q: usize, const ASYMPTOTIC: bool>(
    p: [Param<R>; P],
    q: [Param<R>; Q],
    r: Dd<R>,
    u: Point<R>,
    max: u32,
    negligible: R,
    sloped: R::Mask,
    on: R::Mask,
) -> Sum<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (unit, none) = (Wide::<R, K>::lit(1.0), Wide::<R, K>::lit(0.0));
    let lifts = !ASYMPTOTIC && P >= Q;
    let (beyond, poles) = (beyond_zeros(&p, &q, r.hi), beyond_poles(&p, &q));
    // Terms of large parameters grow at first, before an asymptotic series begins to diverge.
    let mut turning = one;
    if ASYMPTOTIC {
        for v in p {
            turning = turning * v.rounded().abs();
        }
    }
    let beyond_rise = turning.sqrt().max(beyond);
    let mut second = R::Mask::lit(false);
    for v in p.iter().chain(&q) {
        second = second.or(v.speed[1].ne(zero));
    }
    let start = [one, zero, zero, zero, zero, zero, one, one, zero, zero];
    let state = R::repeat(
        pack::<R, K, 5, 10, 50>([unit, unit, none, none, none], start),
        max,
        #[inline(always)]
        |state| {
            let term = at::<R, K, 50>(&state, 0);
            let (sum, slope) = (pair_at::<R, K, 50>(&state, 1), pair_at::<R, K, 50>(&state, 3));
            let phase = point_at(&state, 40);
            let [k, scale, largest, lift, largest_top] = [state[44], state[45], state[46], state[48], state[49]];
            let next = k + one;
            let raised = next_term(term, &p, &q, k, r);
            let t = if lifts { lowered(raised, lift) } else { raised };
            let phase = phase.mul(u);
            let turned = Pair::turned(t, phase);
            let sum = sum.gather(turned);
            let parts = R::when(
                sloped,
                pack::<R, K, 2, 0, 16>([slope.re, slope.im], []),
                #[inline(always)]
                || {
                    let slope = slope.gather(turned.scaled(next));
                    pack::<R, K, 2, 0, 16>([slope.re, slope.im], [])
                },
            );
            let slope = pair_at::<R, K, 16>(&parts, 0);
            let mut go = R::Mask::lit(false);
            count::<0, K>(
                #[inline(always)]
                |s| {
                    let part = part_of::<R, K, ASYMPTOTIC>([term, t], s);
                    go = go.or(part.gt(negligible_size(s, sum.part(s) * negligible)));
                },
            );
            let done = go.not();
            let size = t.0[0].hi.abs();
            let go = go.or(next.lt(beyond)).and(size.lt(R::lit(INF)));
            let shrinks = raised.size().le(term.size());
            let go = if ASYMPTOTIC { go.and(shrinks.or(next.lt(beyond_rise))) } else { go.or(shrinks.not()) };
            let go = go.and(raised.size().gt(zero));
            // The value may have ended while its derivatives have not.
            let largest = largest.max(t.size());
            let largest_top =
                if K == 1 { zero } else { largest_top.max(R::select(second, t.0[K - 1].hi, t.0[K / 4].hi).abs()) };
            let big = size.max(sum.part(0)).gt(R::lit(RESCALE));
            let f = R::select(big, R::lit(1.0 / RESCALE), one);
            let mut wide = mapped(
                [t, sum.re, sum.im, slope.re, slope.im],
                #[inline(always)]
                |w| w.scaled_pow2(f),
            );
            let scale = R::select(big, scale + one, scale);
            let mut lift = lift;
            if lifts {
                (wide[0], lift) = kept_in_range(raised, wide[0], lift, next.lt(poles));
            }
            let unsettled = R::select(done, zero, one);
            let Point { re, im } = phase;
            let (largest, top) = (largest * f, largest_top * f);
            let rest = [re.hi, re.lo, im.hi, im.lo, next, scale, largest, unsettled, lift, top];
            (pack(wide, rest), go.and(on))
        },
    );
    Sum {
        value: pair_at::<R, K, 50>(&state, 1).normalized(),
        slope: pair_at::<R, K, 50>(&state, 3).normalized(),
        scale: state[45],
        largest: state[46],
        largest_top: state[49],
        good: state[47].eq(zero),
    }
}

/// `v e^x` of a sum in units of powers of `2^512`, in factors that stay in range.
#[inline(always)]
fn unscaled<R: Real, const K: usize>(v: ComplexDual<R, K>, scale: R, x: Complex<R>) -> ComplexDual<R, K> {
    let third = R::lit(1.0 / 3.0);
    let total = Complex::new(scale * R::lit(512.0 * LN_2) + x.re, x.im);
    let least = (total.re - R::lit(LEAST_PART)) * R::lit(0.5);
    let part = (total.re * third).max(least).min(R::lit(PART));
    let direct = shared::exp(part);
    let turn =
        R::shared_complex::<b::Exp, 1>([Complex::new((total.re - part - part).min(R::lit(LEAST_PART)), total.im)]);
    v.turned(turn).times(direct).times(direct)
}

/// Values and slopes as the state of a loop.
#[inline(always)]
pub(super) fn put<R: Real, const K: usize, const N: usize, const V: usize, const P: usize>(
    values: &[ComplexDual<R, K>; V],
    rest: &[R; P],
) -> [R; N] {
    let parts = mapped(
        *values,
        #[inline(always)]
        |v| [v.re, v.im],
    );
    written(parts, *rest)
}

#[inline(always)]
pub(super) fn get<R: Real, const K: usize>(state: &[R], i: usize) -> ComplexDual<R, K> {
    let [re, im] = parts(state, 8 * i);
    ComplexDual { re, im }
}

impl<R: Real, const K: usize> Equation<R, K> {
    /// The solution at `origin + to * line` from value and slope at `origin + from * line`, by `steps` Taylor series along the line.
    #[inline(always)]
    pub(super) fn along_line(
        &self,
        origin: f64,
        line: Complex<R>,
        ends: [R; 2],
        steps: R,
        start: [ComplexDual<R, K>; 2],
        on: R::Mask,
    ) -> ComplexDual<R, K> {
        let ([end, _], [_, power]) = self.followed(origin, line, ends, (steps, R::Mask::lit(false)), start, on);
        end.times(shared::exp2(power * R::lit(512.0)))
    }
    /// A solution and its slope at `z + h` by its Taylor series at `z`.
    #[inline(always)]
    pub(super) fn turned_step(
        &self,
        z: Complex<R>,
        h: Complex<R>,
        [f, slope]: [ComplexDual<R, K>; 2],
        on: R::Mask,
    ) -> [ComplexDual<R, K>; 2] {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let bz = z.scale(R::lit(self.bend));
        let a0 = z * Complex::new(one - bz.re, -bz.im);
        let a1 = Complex::new(one - bz.re - bz.re, -bz.im - bz.im);
        let b0 = ComplexDual { re: self.c - self.q.times(z.re), im: (self.q.times(z.im)).times(-one) };
        let front = -(h / a0);
        let second = slope.turned(h);
        let inner = R::repeat(
            put::<R, K, 33, _, _>(&[f, second, f + second, second], &[zero]),
            500,
            #[inline(always)]
            |state| {
                let (p, q) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1));
                let (sum, slope) = (get::<R, K>(&state, 2), get::<R, K>(&state, 3));
                let k = state[32];
                let linear = ComplexDual::<R, K>::constant(a1.scale(k)) + b0;
                let low = Dual::constant(R::lit(-self.bend) * k * (k - one)) - self.q.times(k) - self.p;
                let next = (linear * q + p.by(low).turned(h).times(one / (k + one))).turned(front);
                let next = next.times(one / (k + two));
                let (sum, slope) = (sum + next, slope + next.times(k + two));
                let mut go = R::Mask::lit(false);
                // A derivative may be small beside the value.
                count::<0, K>(
                    #[inline(always)]
                    |d| {
                        let part = inlined(
                            #[inline(always)]
                            |v: ComplexDual<R, K>| v.re.0[d].abs().max(v.im.0[d].abs()),
                        );
                        go = go.or(part(next).max(part(q)).gt(part(sum) * R::lit(1e-18)));
                    },
                );
                (put(&[q, next, sum, slope], &[k + one]), go.and(on))
            },
        );
        [get(&inner, 2), get::<R, K>(&inner, 3).turned(h.reciprocal())]
    }
    /// With its slope, at equal distances of the roots of `from` if `roots`, NaN where steps are too many; and how many times as large
    /// beside it an error on the way becomes: other solutions grow as the Wronskian does over this one. Last, the power of `2^512` in
    /// whose units they are.
    #[inline(always)]
    fn followed(
        &self,
        origin: f64,
        line: Complex<R>,
        [from, to]: [R; 2],
        (steps, roots): (R, R::Mask),
        start: [ComplexDual<R, K>; 2],
        on: R::Mask,
    ) -> ([ComplexDual<R, K>; 2], [R; 2]) {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let [low, high] = mapped(
            [from, to],
            #[inline(always)]
            |v| R::select(roots, v.sqrt(), v),
        );
        let width = (high - low) / steps;
        let state = R::repeat(
            put::<R, K, 20, _, _>(&start, &[zero, one, one, zero]),
            LONGEST,
            #[inline(always)]
            |state| {
                let i = state[16];
                let (f, slope) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1));
                let last = (i + one).ge(steps);
                let [s, e] = mapped(
                    [low + i * width, R::select(last, high, low + (i + one) * width)],
                    #[inline(always)]
                    |v| R::select(roots, v * v, v),
                );
                let h = line.scale(e - s);
                let z = Complex::new(line.re * s + R::lit(origin), line.im * s);
                let [f, slope] = self.turned_step(z, h, [f, slope], on);
                let end = z + h;
                let parts = inlined(
                    #[inline(always)]
                    |[f, slope]: [ComplexDual<R, K>; 2]| [[f.re, f.im], [slope.re, slope.im]],
                );
                let pairs = [parts([get(&state, 0), get(&state, 1)]), parts([f, slope])];
                let [[over, most], _] = self.followed_by([[state[17], state[18]]; 2], [z, end], pairs);
                let [unit, power] = rescaled(f.size().max(slope.size()), state[19]);
                (put(&[f.times(unit), slope.times(unit)], &[i + one, over, most, power]), last.not().and(on))
            },
        );
        let reached = steps.le(R::lit(f64::from(LONGEST)));
        let end = each(
            #[inline(always)]
            |i| get::<R, K>(&state, i).times(R::select(reached, one, R::lit(NAN))),
        );
        (end, [state[18], state[19]])
    }
}

/// A sum and `z d/dz` of it as value and derivative at `z`.
#[inline(always)]
pub(super) fn derived<R: Real, const K: usize>(s: &Sum<R, K>, z: Complex<R>) -> [ComplexDual<R, K>; 2] {
    [s.value.rounded(), s.slope.rounded().turned(z.reciprocal())]
}

/// `base^exponent` of the number with this magnitude and direction.
#[inline(always)]
pub(super) fn power<R: Real, const K: usize>(r: Dd<R>, u: Point<R>, exponent: Dual<R, K>) -> ComplexDual<R, K> {
    let x = exponent.value();
    let turn = angle(u.rounded());
    let size = shared::pow(r.hi, x) * (R::lit(1.0) + x * r.lo / r.hi);
    let value = Complex::new(size * shared::cos(x * turn), size * shared::sin(x * turn));
    let l = Complex::new(shared::log(r.hi) + r.lo / r.hi, turn);
    let first = value * l;
    ComplexDual::chain(exponent, [value, first, first * l])
}

/// Both parts of the expansion at infinity (DLMF 13.7.2) without their exponentials, and where it reaches the last digit: for
/// `p`, `m = q - p` and the factors of both parts, at `z = r u` in the right half-plane. The factor of the first may have the power of
/// what `base` leaves of `r` and what `rise` leaves of the exponential's exponent.
#[inline(always)]
fn outer<R: Real, const K: usize>(
    p: Param<R>,
    m: Param<R>,
    fronts: [Dual<R, K>; 2],
    (base, rise): (Dd<R>, R),
    r: Dd<R>,
    u: Point<R>,
    on: R::Mask,
) -> ([ComplexDual<R, K>; 2], R::Mask) {
    let (zero, one, last) = (R::lit(0.0), Param::lit(1.0), R::lit(1e-17));
    let inverse = Dd::lit(1.0, 0.0) / r;
    let back = u.conj();
    let turned = Point { re: -back.re, im: -back.im };
    let grow = series::<R, K, 2, 0, true>([m, one - p], [], inverse, back, 2500, last, R::Mask::lit(false), on);
    let fall = series::<R, K, 2, 0, true>([p, one - m], [], inverse, turned, 2500, last, R::Mask::lit(false), on);
    let im = u.im.hi;
    let side = R::select(im.eq(zero).and(u.re.hi.gt(zero)), zero, R::lit(1.0).copysign(im));
    let rate = R::lit(std::f64::consts::PI);
    let (s, c) = (shared::sinpi(p.rounded()), shared::cospi(p.rounded()));
    let wave = Complex::new(c, s * side);
    let slope = Complex::new(-s, c * side).scale(rate);
    let angle = ComplexDual::chain(p.dual::<K>(), [wave, slope, -wave.scale(rate * rate)]);
    let first = (power::<R, K>(base, u, (-m).dual()) * grow.value.rounded()).by(fronts[0]);
    let second = (power::<R, K>(r, u, (-p).dual()) * fall.value.rounded() * angle).by(fronts[1]);
    // The second part is a factor e^-Re z below the first, unless parameters are large; its size is known where its terms fall at once.
    let falls = (p.rounded() * (one - m).rounded()).abs().lt(r.hi * R::lit(0.5));
    let faint = (u.re.hi * r.hi).gt(R::lit(60.0)).or(falls).and(fall.value.part(0).lt(R::lit(1e8)));
    let faint = faint.and((second.size() * shared::exp(-rise)).lt(first.size() * R::lit(1e-18)));
    // A ratio of gamma functions may be below the range.
    let fits = R::ne(first.size(), zero).or(p.ends()).or(r.hi.ge(R::lit(1e4)));
    let kept = inlined(
        #[inline(always)]
        |s: &Sum<R, K>| s.largest.lt(s.value.size() * R::lit(1e12)),
    );
    ([first, second], fits.and(grow.good).and(kept(&grow)).and(fall.good.and(kept(&fall)).or(faint)))
}

/// `e^x f`, and 0 for `f = 0`.
#[inline(always)]
fn raised<R: Real, const K: usize>(f: ComplexDual<R, K>, x: Complex<R>) -> ComplexDual<R, K> {
    // By parts: a product may be in range where the power is not, and what is turned out of range is a difference of infinities.
    let low = (x.re * R::lit(0.5)).min(R::lit(LEAST_PART));
    let high = (x.re - low).min(R::lit(PART));
    let rest = (x.re - low - high).min(R::lit(PART));
    let turned = f.turned(exp(Complex::new(low, x.im))).times(shared::exp(high)).times(shared::exp(rest));
    let none = R::eq(f.size(), R::lit(0.0));
    ComplexDual::<R, K>::select(none, f, turned)
}

/// Which derivative is asked for: the value, the first or the mixed second one.
#[inline(always)]
pub(super) fn asked<R: Real, const K: usize>(code: R, f: ComplexDual<R, K>) -> Complex<R> {
    if K < 4 {
        return f.top();
    }
    let first = Complex::new(f.re.0[K / 4], f.im.0[K / 4]);
    Complex::select(code.lt(R::lit(10.0)), first, f.top())
}

/// `0F1(; b; z)` or a derivative in `b`, the first for `code = 1` and the second for 11.
#[inline(always)]
fn limit<R: Real, const K: usize>(code: R, b: R, z: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let [p] = directions::<R, 1, K>(code, [b]);
    let on = b.abs().lt(R::lit(1e300)).and(z.is_finite()).and(p.ends().not());
    let p = Param::select(on, p, Param::lit(1.0));
    let (r, u) = Point::new(R::select(on, z.re, zero), R::select(on, z.im, zero)).polar();
    // The real part of sqrt(u), and where the terms are at most e^CANCELLED times the sum
    let cos = ((u.re.hi + one) * R::lit(0.5)).max(zero).sqrt();
    let root = r.hi.sqrt();
    let reach = (R::lit(CANCELLED * 0.5) / (one - cos).max(R::lit(1e-10))).min(R::lit(250.0));
    // Terms of large parameters grow before they cancel.
    let mild = b.abs().lt(R::lit(100.0)).and((b * b).lt(root * R::lit(8.0)));
    let far = on.and(root.gt(R::lit(CANCELLED * 0.5))).and(mild);
    let [re, im, done] = R::when(
        far,
        [zero, zero, zero],
        #[inline(always)]
        || {
            // DLMF 13.6.9
            let m = p.plus(-0.5);
            let shift = p.plus(-1.0).dual::<K>();
            let four = shared::exp2(b + b - R::lit(2.0));
            let l = R::lit(2.0 * LN_2);
            let front = gamma_of(p.dual::<K>()) * shift.chain([four, four * l, four * l * l]);
            let front = front.times(R::lit(1.0 / SQRT_PI));
            let w = sqrt(z).scale(R::lit(2.0));
            let (big, turn) = Point::new(w.re + w.re, w.im + w.im).polar();
            let ([grow, fall], good) = outer(m, m, [front, front], (big, turn.re.hi * big.hi), big, turn, far);
            let out = asked(code, raised(grow, w) + raised(fall, -w));
            [out.re, out.im, R::select(good, one, zero)]
        },
    );
    let rest = on.and(done.eq(zero));
    // Of a negative parameter other solutions outgrow it on the way.
    let order = p.plus(-1.0);
    let v = order.rounded();
    let lifted = rest.and(v.lt(R::lit(-AHEAD))).and(v.gt(R::lit(-ORDERS)));
    let ahead = lifted.and(root.gt(v * R::lit(-BEHIND)));
    let [re, im] = R::when(
        ahead,
        [re, im],
        #[inline(always)]
        || {
            // DLMF 10.39.9
            let one = Param::lit(1.0);
            let order = Param::select(ahead, order, one).dual::<K>();
            let (v, b) = (order.value(), R::select(ahead, p.rounded(), R::lit(0.5)));
            let half = sqrt(Complex::select(ahead, z, Complex::lit(1.0, 0.0)));
            let value = values::<R, K, b::Iv, b::IvDv, b::IvDvv>(order, half + half);
            let l = R::shared_complex::<b::Log, 1>([half]);
            // By halves, for products in range of factors that are not
            let exponent = Complex::new(shared::gammaln(b), zero) - l.scale(v);
            let front = R::shared_complex::<b::Exp, 1>([exponent.scale(R::lit(0.5))]);
            let mut slopes = [Complex::new(shared::gammasgn(b), zero); 3];
            if K > 1 {
                let rate = Complex::new(shared::digamma(b), zero) - l;
                slopes[1] = slopes[0] * rate;
                if K > 2 {
                    slopes[2] = slopes[1] * rate + slopes[0].scale(shared::trigamma(b));
                }
            }
            let out = asked(code, (ComplexDual::chain(order, slopes) * value).turned(front).turned(front));
            [out.re, out.im]
        },
    );
    let rest = rest.and(ahead.not());
    let march = rest.and(root.gt(reach)).and(lifted.not());
    let short = rest.and(march.not().or(root.lt(R::lit(4000.0))));
    let [re, im] = R::when(
        rest,
        [re, im],
        #[inline(always)]
        || {
            let march = march.and(short);
            let near = Dd::select(march, Dd::new(reach * reach, zero), r);
            let s = series::<R, K, 0, 1, false>([], [p], near, u, 20_000, R::lit(enough(K)), march, short);
            let start = Complex::new(u.re.hi, u.im.hi);
            let [f, slope] = derived(&s, start.scale(near.hi));
            let f = R::when(
                march,
                put::<R, K, 10, _, _>(&[f], &[one, zero]),
                #[inline(always)]
                || {
                    let none = Dual::lit(0.0);
                    let equation = Equation { bend: 0.0, c: p.dual::<K>(), q: none, p: Dual::lit(1.0) };
                    let steps = (root - reach).ceil().max(one);
                    let ways = (steps, R::Mask::lit(true));
                    let ([f, _], rest) = equation.followed(0.0, start, [near.hi, r.hi], ways, [f, slope], march);
                    put(&[f], &rest)
                },
            );
            let out = asked(code, unscaled(get::<R, K>(&f, 0), s.scale + f[9], Complex::lit(0.0, 0.0)));
            let good = s.good.and(short).and(spent(s.largest, s.value.size()).not());
            let good = good.and(bears(s.largest, s.value.size(), f[8]).or(march.not()));
            [R::select(good, out.re, R::lit(NAN)), R::select(good, out.im, R::lit(NAN))]
        },
    );
    Complex::select(on, Complex::new(re, im), Complex::lit(NAN, NAN))
}

/// From where in the direction `u` Kummer's series cancels too much, which is where `r` exceeds `reach` if not before because of the
/// parameters; 1 if it is these, and 1 if they keep the terms small however large the argument.
#[inline(always)]
fn onset<R: Real>([p, q]: [R; 2], r: R, u: Complex<R>, reach: R) -> [R; 3] {
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
    // Terms are as large as those of 0F1 at `p y`, with the `p` of those after number `-q`, times `e^(y/2)`.
    let ahead = (-q).max(zero);
    let (size, tail) = (p.abs(), p + ahead);
    let along = R::select(tail.gt(zero), u.re, -u.re);
    let lost = (one - (half + along * half).max(zero).sqrt()).max(R::lit(1e-5));
    let growth = R::select(tail.gt(zero), one, zero) - u.re;
    let loss = (tail.abs() * r).sqrt() * (lost + lost) + growth * r * half;
    // Of large `q` they are those of `(1 - y / q)^-p` at most.
    let (wide, rising, share) = (q.gt(R::lit(WIDE)), p.gt(zero), r / q);
    let [pace, steep] = R::when(
        wide,
        [share, zero],
        #[inline(always)]
        || {
            let pace = R::select(rising, -shared::log1p(-share.min(one)), share);
            let away = abs(Complex::new(one - u.re * share, u.im * share)).max(R::lit(1e-10));
            let steep = R::select(rising, zero, size * shared::log((one + share) / away));
            let within = wide.and(q.lt(R::lit(WIDEST))).and(share.lt(R::lit(4.0)));
            [pace, R::select(within, steep, zero)]
        },
    );
    let slow = wide.and((size * pace * R::lit(2.0)).le(R::lit(MARCH)));
    let most = R::select(ahead.gt(R::lit(AHEAD)), R::lit(MARCH_BEHIND), R::lit(MARCH));
    // The turning point of the equation next to 0
    let (kappa, mu) = (q * half - p, (q - one) * half);
    let low = (kappa - (kappa * kappa - mu * mu).max(zero).sqrt()) * R::lit(2.0);
    let beside = ahead.lt(one).or(u.im.abs().lt(half).and(r.gt(low)));
    let swings = loss.max(steep).gt(most).and(slow.not()).and(beside).and(reach.lt(R::lit(INF)));
    let swing = R::lit(SWING * 0.5) / lost;
    let first = swing * swing / size;
    let first = R::select(wide, first.max(q * swing / size), first);
    [R::select(swings, reach.min(first), reach), R::select(swings, one, zero), R::select(slow, one, zero)]
}

/// Kummer's function or a derivative in its parameters.
#[inline(always)]
fn kummer<R: Real, const K: usize>(code: R, a: R, b: R, z: Complex<R>) -> Complex<R> {
    let [pa, pb] = directions::<R, 2, K>(code, [a, b]);
    let [re, im] = found_or_descended::<R, false, K, 2>(
        [pa, Param::lit(1.0), pb],
        [z.re, z.im],
        z.is_finite(),
        #[inline(always)]
        |[pa, _, pb], on| {
            let (value, loss) = kummer_found::<R, K>([pa, pb], z, on);
            ([value.re, value.im], loss)
        },
    );
    let out = asked(code, ComplexDual { re, im });
    // Rounding is all of an imaginary part on the real axis.
    let real = z.im.eq(R::lit(0.0)).and(out.re.is_nan().not());
    Complex::new(out.re, R::select(real, R::lit(0.0), out.im))
}

/// Polynomials of degrees up to this are summed as they stand, and up to that where the second parameter may be next to a pole.
const BRIEF: (f64, f64) = (8.0, 40.0);

/// The same, and how many times as large as the value its error is in units of those of double-double numbers, infinite where it is not
/// found.
#[inline(always)]
fn kummer_found<R: Real, const K: usize>(
    [pa, pb]: [Param<R>; 2],
    z: Complex<R>,
    on: R::Mask,
) -> (ComplexDual<R, K>, R) {
    let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(INF));
    let limit = R::lit(1e100);
    let (a, b) = (pa.rounded(), pb.rounded());
    let finite = on.and(a.abs().lt(limit)).and(b.abs().lt(limit)).and(z.max_part().lt(limit));
    let closes = pa.ends().and(a.lt(zero)).and(a.ge(b));
    let on = finite.and(pb.ends().not().or(closes));
    // The form of DLMF 13.2.39 of the smaller parameter next to the imaginary axis, where the other one oscillates and loses in every
    // step, where its terms stay small, and for derivatives beside a slight one; a series that ends at a pole stays as it is, and one that ends soon.
    let [low, high] = [a.abs(), (b - a).abs()];
    let beside = z.re.abs().lt(z.im.abs() * R::lit(0.15)).and(low.max(high).lt(R::lit(64.0)));
    let beside = beside.or((z.re.abs() + z.im.abs()).lt(b * R::lit(if K == 1 { 2.25 } else { 4.5 })));
    let slight = low.min(high).le(R::lit(SLIGHT)).and(b.gt(R::lit(-AHEAD)));
    let beside = if K == 1 { beside } else { beside.or(slight) };
    let beside = beside.and(pa.fixed_end().not());
    let left = z.re.lt(zero).and(beside.and((low + low).lt(high)).not()).or(beside.and((high + high).lt(low)));
    let degree = R::select(b.lt(R::lit(0.5)), R::lit(BRIEF.1), R::lit(BRIEF.0));
    let brief = pa.fixed_end().and(a.ge(-degree));
    let turn = on.and(left).and(pb.ends().not()).and(brief.not());
    let p = Param::select(on, Param::select(turn, pb - pa, pa), Param::lit(1.0));
    let q = Param::select(on, pb, Param::lit(1.0));
    let m = q - p;
    let sign = R::select(turn, -one, one);
    let y = Complex::new(R::select(on, z.re * sign, zero), R::select(on, z.im * sign, zero));
    let (r, u) = Point::new(y.re, y.im).polar();
    // Where the terms are at most e^CANCELLED times the sum
    let reach = (R::lit(CANCELLED) / (one - u.re.hi).max(R::lit(1e-10))).min(R::lit(700.0));
    let reach = R::select(pb.ends(), inf, reach);
    let far = on.and(pb.ends().not()).and(brief.not()).and(r.hi.gt(R::lit(CANCELLED)));
    let shift = Complex::select(turn, -y, Complex::lit(0.0, 0.0));
    let unknown = put::<R, K, 9, 1, 1>(&[ComplexDual::nan()], &[inf]);
    let outside = R::when(
        far,
        unknown,
        #[inline(always)]
        || {
            let fronts = [gamma_ratio::<R, K>(p, m), gamma_ratio::<R, K>(m, p)];
            // One that is out of range takes power and exponential along.
            let logs = far.and(in_range(fronts[0], p).not());
            let rise = R::select(logs.and(turn.not()), zero, y.re);
            let first = R::when(
                logs,
                fronts[0].0,
                #[inline(always)]
                || {
                    let part = by_logarithms([p, q], R::select(logs, r.hi, one), R::select(turn, zero, y.re));
                    Dual::select(logs, part, fronts[0]).0
                },
            );
            let fronts = [Dual(first), fronts[1]];
            let base = Dd::select(logs, Dd::lit(1.0, 0.0), r);
            let ([grow, fall], good) = outer(p, m, fronts, (base, rise), r, u, far);
            let first = ComplexDual::select(turn, grow, raised(grow, Complex::new(rise, y.im)));
            // Also if its factor is out of range
            let gone = (-shift.re).gt(q.rounded().abs() * R::lit(20.0) + R::lit(800.0));
            let second = ComplexDual::select(gone, ComplexDual::lit(0.0), raised(fall, shift));
            let sum = first + second;
            // Both may be large beside the sum.
            let whole = first.size().max(second.size()).lt(sum.size() * R::lit(1e3));
            let good = good.and(whole.or(first.size().eq(R::lit(INF))).or(r.hi.ge(R::lit(1e4))));
            let sum = ComplexDual::select(good, sum, ComplexDual::nan());
            put(&[sum], &[R::select(good, R::lit(UNITS), inf)])
        },
    );
    let rest = on.and(outside[8].eq(inf));
    // Beyond its zeros a polynomial cancels little.
    let beyond = p.fixed_end().and(r.hi.gt((p.rounded() * R::lit(-2.0) + q.rounded()) * R::lit(2.0))).or(brief);
    let ahead = (-q.rounded()).max(zero);
    let [reach, swings_out, slow] = R::when(
        rest,
        [reach, zero, zero],
        #[inline(always)]
        || onset([p.rounded(), q.rounded()], r.hi, Complex::new(u.re.hi, u.im.hi), reach),
    );
    let (swings_out, slow) = (swings_out.ne(zero), slow.ne(zero));
    let march = rest.and(r.hi.gt(reach).and(slow.not()).or(swings_out)).and(beyond.not());
    // The terms of a polynomial may exceed it by `e` to the power of twice the root of this.
    let degree = -pa.rounded();
    let swings = rest.and(beyond.not()).and((degree * r.hi).gt(R::lit(CANCELLED * CANCELLED * 0.25)));
    let climbs = march.or(swings).and(pa.fixed_end()).and(degree.ge(one)).and(degree.le(R::lit(MAX_DEGREE)));
    let climbed = R::when(
        climbs,
        unknown,
        #[inline(always)]
        || {
            let z = Complex::select(climbs, z, Complex::lit(0.0, 0.0));
            let c = Param::select(climbs, pb, Param::lit(1.0));
            let ([re, im], error) = KummerSteps { c, z: [z.re, z.im] }.climbed::<K>(degree, climbs);
            put(&[ComplexDual { re, im }], &[error])
        },
    );
    // A series that does not march may have more digits.
    let found = climbed[8].lt(R::select(march, R::lit(SPENT), R::lit(SURE)));
    let (rest, march) = (rest.and(found.not()), march.and(found.not()));
    let short = rest.and(march.not().or(r.hi.lt(R::lit(LONG))));
    // In the forms of DLMF 13.2.39 as they are where a way from near 0 fails, in a loop because the code is long
    let state = put::<R, K, 10, 1, 2>(&[get(&outside, 0)], &[outside[8], zero]);
    let state = R::when(
        rest,
        state,
        #[inline(always)]
        || {
            R::repeat(
                state,
                3,
                #[inline(always)]
                |state| {
                    let (least, form) = (state[8], state[9]);
                    let (again, other) = (form.gt(zero), form.gt(one));
                    let march = march.and(short).and(again.not());
                    let short = rest.and(again.not().and(short).or(again.and(r.hi.lt(R::lit(LONG)))));
                    let short = short.and(other.and(pb.ends()).not());
                    let p = Param::select(other, m, p);
                    let u = Point::select(other, Point { re: -u.re, im: -u.im }, u);
                    let shift = Complex::select(other, Complex::select(turn, Complex::lit(0.0, 0.0), y), shift);
                    // Of a negative second parameter there is little of the solution that outgrows the others next to 0.
                    let lifted = march.and(ahead.gt(one)).and(swings_out);
                    let high = q.step(R::select(lifted, ahead.floor() + one, zero));
                    let march = march.and(r.hi.gt(reach));
                    let near = Dd::select(march, Dd::new(reach, zero), r);
                    let sloped = march.or(lifted);
                    let s = series::<R, K, 1, 1, false>([p], [high], near, u, 20_000, R::lit(enough(K)), sloped, short);
                    let some = s.value.size().gt(zero).or(s.scale.eq(zero));
                    let good = s.good.and(short).and(some).and(spent(s.largest, s.value.size()).not());
                    let start = Complex::new(u.re.hi, u.im.hi);
                    let [f, slope] = derived(&s, start.scale(near.hi));
                    let pair = R::when(
                        march,
                        put::<R, K, 18, _, _>(&[f, slope], &[one, zero]),
                        #[inline(always)]
                        || {
                            let equation =
                                Equation { bend: 0.0, c: high.dual::<K>(), q: Dual::lit(1.0), p: p.dual::<K>() };
                            let gap = r.hi.sqrt() - reach.sqrt();
                            let roots = gap * (p.rounded().abs().sqrt() * R::lit(0.5)).max(r.hi.sqrt());
                            // Terms of the solution like z^(1 - q) alternate.
                            let power = high.rounded().abs() / reach;
                            let roots = roots.max(gap * reach.sqrt() * power * R::lit(0.5));
                            let even = (r.hi - reach) * (power * R::lit(0.25)).max(R::lit(0.5));
                            let steps = R::select(swings_out, roots, even).ceil().max(one);
                            let ways = (steps, swings_out);
                            let (end, rest) = equation.followed(0.0, start, [reach, r.hi], ways, [f, slope], march);
                            put(&end, &rest)
                        },
                    );
                    let (f, slope) = (get::<R, K>(&pair, 0), get::<R, K>(&pair, 1));
                    let down = R::when(
                        lifted,
                        put::<R, K, 10, _, _>(&[f], &[one, zero]),
                        #[inline(always)]
                        || {
                            let high = Param::select(lifted, high, Param::lit(0.5));
                            let z = start.scale(r.hi);
                            let slope = slope.turned(z);
                            let pair = [[f.re, f.im], [slope.re, slope.im]];
                            let ([re, im], rest) = steps_down([p, high], [z.re, z.im], pair, ahead.floor(), lifted);
                            put(&[ComplexDual { re, im }], &rest)
                        },
                    );
                    let f = get::<R, K>(&down, 0);
                    let followed = in_units(lost_by(s.largest, s.value.size(), pair[16] * down[8]));
                    let loss = R::select(sloped, followed, summed_loss(s.largest, s.value.size()));
                    let better = good.and(loss.lt(least)).and(again.not().or(loss.lt(R::lit(AGAIN))));
                    let scale = s.scale + pair[17] + down[9];
                    let value = ComplexDual::select(better, unscaled(f, scale, shift), get(&state, 0));
                    let least = R::select(better, loss, least);
                    (put(&[value], &[least, form + one]), rest.and(least.gt(R::lit(THIN))))
                },
            )
        },
    );
    let polynomial = found.or(state[8].eq(inf).and(climbed[8].lt(R::lit(SPENT))));
    let value = ComplexDual::select(polynomial, get(&climbed, 0), get(&state, 0));
    (value, R::select(polynomial, climbed[8] * R::lit(UNITS), state[8]))
}

/// A real double-double number times `x`, plus another times `y`.
#[inline(always)]
fn products<R: Real>(a: Dd<R>, x: R, b: Dd<R>, y: R) -> Dd<R> {
    let (p, q) = (Dd::two_prod(a.hi, x), Dd::two_prod(b.hi, y));
    let sum = Dd::two_sum(p.hi, q.hi);
    Dd::fast_two_sum(sum.hi, sum.lo + (a.lo.fma(x, p.lo) + b.lo.fma(y, q.lo)))
}

/// Kummer's series, or that of `0F1` without `UPPER`, without a slope and rescaled terms; NaN where it loses too many digits.
#[inline(always)]
fn plain_sum<R: Real, const UPPER: bool>(p: Dd<R>, q: R, z: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let steps = Steps::<R, UPPER>::of(p, q);
    let reach = z.re.abs() + z.im.abs();
    let [_, _, _, _, _, x, x_lo, y, y_lo, largest] = R::repeat(
        [zero, one, zero, zero, zero, one, zero, zero, zero, one],
        400,
        #[inline(always)]
        |[k, re, re_lo, im, im_lo, x, x_lo, y, y_lo, largest]| {
            let next = k + one;
            let (re, im) = (Dd::new(re, re_lo), Dd::new(im, im_lo));
            let factor = steps.factor(k, one);
            let turned = [products(re, z.re, im, -z.im), products(re, z.im, im, z.re)];
            let [re, im] = mapped(
                turned,
                #[inline(always)]
                |t| {
                    let lead = Dd::two_prod(t.hi, factor.hi);
                    Dd::new(lead.hi, t.hi.fma(factor.lo, t.lo.fma(factor.hi, lead.lo)))
                },
            );
            let (u, v) = (Dd::two_sum(x, re.hi), Dd::two_sum(y, im.hi));
            let size = re.hi.abs() + im.hi.abs();
            let go = steps.go_on(next, size, u.hi.abs() + v.hi.abs(), reach);
            let sums = [u.hi, x_lo + (u.lo + re.lo), v.hi, y_lo + (v.lo + im.lo)];
            ([next, re.hi, re.lo, im.hi, im.lo, sums[0], sums[1], sums[2], sums[3], largest.max(size)], go)
        },
    );
    let value = Complex::new(x + x_lo, y + y_lo);
    let good = largest.lt(value.max_part() * R::lit(EXCESS));
    Complex::select(good, value, Complex::lit(NAN, NAN))
}

/// `inf` at the poles, NaN where an argument is NaN.
#[inline(always)]
pub(super) fn with_poles<R: Real, const N: usize>(
    parameters: [R; N],
    z: Complex<R>,
    pole: R::Mask,
    out: Complex<R>,
) -> Complex<R> {
    let out = Complex::select(pole, Complex::lit(INF, 0.0), out);
    let mut broken = z.re.is_nan().or(z.im.is_nan());
    for p in parameters {
        broken = broken.or(p.is_nan());
    }
    Complex::select(broken, Complex::lit(NAN, NAN), out)
}

#[inline(always)]
pub(super) fn ends<R: Real>(p: R) -> R::Mask {
    p.le(R::lit(0.0)).and(p.floor().eq(p)).and(p.gt(R::lit(-INF)))
}

/// `0F1(; b; z)`.
#[inline(always)]
pub fn hyp0f1<R: Real>(b: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (b, zero) = (b.re, R::lit(0.0));
    let plain = summed(b).and(z.max_part().lt(R::lit(LARGEST)));
    let [re, im] = R::when(
        plain,
        [R::lit(NAN); 2],
        #[inline(always)]
        || {
            let at = Complex::select(plain, z, Complex::lit(0.0, 0.0));
            let out = plain_sum::<R, false>(Dd::lit(0.0, 0.0), R::select(plain, b, R::lit(1.0)), at);
            [out.re, out.im]
        },
    );
    let done = re.is_nan().not();
    let [re, im] = R::when(
        done.not(),
        [re, im],
        #[inline(always)]
        || {
            let out = limit::<R, 1>(zero, b, Complex::select(done, Complex::lit(0.0, 0.0), z));
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
}

/// `d 0F1/db` for 1 and `d2 0F1/db2` for 11.
#[inline(always)]
pub fn hyp0f1_db<R: Real>(code: Complex<R>, b: Complex<R>, z: Complex<R>) -> Complex<R> {
    limit::<R, 4>(code.re, b.re, z)
}

/// `d 0F1/db`.
#[inline(always)]
pub fn hyp0f1_d1<R: Real>(b: Complex<R>, z: Complex<R>) -> Complex<R> {
    R::shared_complex::<b::Hyp0f1Db, 3>([Complex::lit(1.0, 0.0), b, z])
}

/// `d2 0F1/db2`.
#[inline(always)]
pub fn hyp0f1_d2<R: Real>(b: Complex<R>, z: Complex<R>) -> Complex<R> {
    R::shared_complex::<b::Hyp0f1Db, 3>([Complex::lit(11.0, 0.0), b, z])
}

/// Kummer's function.
#[inline(always)]
pub fn hyp1f1<R: Real>(a: Complex<R>, b: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (a, b, zero) = (a.re, b.re, R::lit(0.0));
    // DLMF 13.2.39
    let turn = z.re.lt(zero);
    let p = Dd::two_sum(a, R::select(turn, -b, zero));
    let p = Dd::select(turn, -p, p);
    let plain = summed(b).and(p.hi.abs().lt(R::lit(LARGEST))).and(z.max_part().lt(R::lit(40.0)));
    let [re, im] = R::when(
        plain,
        [R::lit(NAN); 2],
        #[inline(always)]
        || {
            let origin = Complex::lit(0.0, 0.0);
            let at = Complex::select(plain, Complex::select(turn, -z, z), origin);
            let q = R::select(plain, b, R::lit(1.0));
            let sum = plain_sum::<R, true>(Dd::select(plain, p, Dd::lit(1.0, 0.0)), q, at);
            let out = Complex::select(turn, sum * exp(Complex::select(plain, z, origin)), sum);
            [out.re, out.im]
        },
    );
    let done = re.is_nan().not();
    let [re, im] = R::when(
        done.not(),
        [re, im],
        #[inline(always)]
        || {
            let out = kummer::<R, 1>(zero, a, b, Complex::select(done, Complex::lit(0.0, 0.0), z));
            [out.re, out.im]
        },
    );
    let out = Complex::new(re, im);
    let closes = a.lt(R::lit(0.0)).and(ends(a)).and(a.ge(b));
    with_poles([a, b], z, ends(b).and(closes.not()), out)
}

/// A derivative of Kummer's function in its parameters `i` or `10 i + j`.
#[inline(always)]
pub fn hyp1f1_dp<R: Real>(code: Complex<R>, a: Complex<R>, b: Complex<R>, z: Complex<R>) -> Complex<R> {
    kummer::<R, 4>(code.re, a.re, b.re, z)
}
