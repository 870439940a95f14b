//! Confluent and Gauss's hypergeometric functions of real parameters and a complex argument, with derivatives in the parameters.
//!
//! A power series of real parameters at `z = r u` with `|u| = 1` is the real series at `r`, its terms turned by powers of `u`;
//! terms and phases are carried in double-double arithmetic. Where neither a series nor an asymptotic expansion serves, the
//! differential equation is integrated by Taylor series along a line on which the function is not dominated by another solution
//! (J. W. Pearson, S. Olver, M. A. Porter, Numer. Algorithms 74, 2017; N. Michel, M. V. Stoitsov, Comput. Phys. Commun. 178, 2008).

use super::bodies as b;
use super::dual::ComplexDual;
use super::{Complex, angle, exp, sqrt};
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use crate::special::dual::Dual;
use crate::special::hypergeometric::{
    GAUSS_SERIES, HOPELESS, directions, gamma_of, gamma_ratio, next_before, next_beside,
};
use crate::special::wide::{NEGLIGIBLE, Param, RESCALE, Wide, at, beyond_zeros, enough, next_term, pack};
use std::f64::consts::LN_2;

/// Plain double precision is tried for parameters below this magnitude.
const PLAIN: f64 = 15.0;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
/// Terms that exceed the sum by `e` to this power leave it all digits of a double.
const CANCELLED: f64 = 32.0;
/// Gauss's series is taken up to this magnitude, about 0 and about 1.
const DISC: f64 = 0.8;
const SQRT_PI: f64 = 1.772_453_850_905_516;

/// A complex number in double-double arithmetic.
#[derive(Clone, Copy)]
struct Point<R> {
    re: Dd<R>,
    im: Dd<R>,
}

impl<R: Real> Point<R> {
    #[inline(always)]
    fn new(re: R, im: R) -> Self {
        Point { re: Dd::new(re, R::lit(0.0)), im: Dd::new(im, R::lit(0.0)) }
    }
    #[inline(always)]
    fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Point { re: Dd::select(m, a.re, b.re), im: Dd::select(m, a.im, b.im) }
    }
    #[inline(always)]
    fn conj(self) -> Self {
        Point { re: self.re, im: -self.im }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Point { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
    #[inline(always)]
    fn rounded(self) -> Complex<R> {
        Complex::new(self.re.value(), self.im.value())
    }
    /// Magnitude and direction; that of 0 is 1.
    #[inline(always)]
    fn polar(self) -> (Dd<R>, Self) {
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
struct Pair<R, const K: usize> {
    re: Wide<R, K>,
    im: Wide<R, K>,
}

impl<R: Real, const K: usize> Pair<R, K> {
    #[inline(always)]
    fn of(d: ComplexDual<R, K>) -> Self {
        Pair { re: Wide::of(d.re), im: Wide::of(d.im) }
    }
    #[inline(always)]
    fn turned(w: Wide<R, K>, u: Point<R>) -> Self {
        Pair { re: w.times(u.re), im: w.times(u.im) }
    }
    #[inline(always)]
    fn map(self, f: impl Fn(Wide<R, K>) -> Wide<R, K>) -> Self {
        Pair { re: f(self.re), im: f(self.im) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Pair { re: self.re + o.re, im: self.im + o.im }
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Pair { re: self.re - o.re, im: self.im - o.im }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Pair { re: self.re.mul(o.re) - self.im.mul(o.im), im: self.re.mul(o.im) + self.im.mul(o.re) }
    }
    #[inline(always)]
    fn by(self, w: Wide<R, K>) -> Self {
        Pair { re: self.re.mul(w), im: self.im.mul(w) }
    }
    #[inline(always)]
    fn scaled(self, v: R) -> Self {
        Pair { re: self.re.scaled(v), im: self.im.scaled(v) }
    }
    #[inline(always)]
    fn gather(self, o: Self) -> Self {
        Pair { re: self.re.gather(o.re), im: self.im.gather(o.im) }
    }
    #[inline(always)]
    fn normalized(self) -> Self {
        Pair { re: self.re.normalized(), im: self.im.normalized() }
    }
    #[inline(always)]
    fn rounded(self) -> ComplexDual<R, K> {
        ComplexDual { re: self.re.rounded(), im: self.im.rounded() }
    }
    #[inline(always)]
    fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Pair { re: Wide::select(m, a.re, b.re), im: Wide::select(m, a.im, b.im) }
    }
    /// The larger magnitude of the two parts of a coefficient.
    #[inline(always)]
    fn part(self, s: usize) -> R {
        self.re.0[s].hi.abs().max(self.im.0[s].hi.abs())
    }
}

#[inline(always)]
fn pair_at<R: Real, const K: usize, const N: usize>(state: &[R; N], i: usize) -> Pair<R, K> {
    Pair { re: at::<R, K, N>(state, i), im: at::<R, K, N>(state, i + 1) }
}

#[inline(always)]
fn point_at<R: Real>(state: &[R], i: usize) -> Point<R> {
    Point { re: Dd::new(state[i], state[i + 1]), im: Dd::new(state[i + 2], state[i + 3]) }
}

/// A sum with what is known about its error, as in [`crate::special::wide`].
struct Sum<R: Real, const K: usize> {
    value: Pair<R, K>,
    /// `z d/dz`.
    slope: Pair<R, K>,
    /// In units of this power of `2^512`.
    scale: R,
    largest: R,
    good: R::Mask,
}

/// The series of [`crate::special::wide::series`] at `r u` with `r >= 0` and `|u| = 1`.
#[inline(always)]
fn series<R: Real, const K: usize, const P: usize, const Q: usize, const ASYMPTOTIC: bool>(
    p: [Param<R>; P],
    q: [Param<R>; Q],
    r: Dd<R>,
    u: Point<R>,
    max: u32,
    negligible: R,
    on: R::Mask,
) -> Sum<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (unit, none) = (Wide::<R, K>::lit(1.0), Wide::<R, K>::lit(0.0));
    let beyond = beyond_zeros(&p, &q);
    let start = [one, zero, zero, zero, zero, zero, one, one];
    let state = R::repeat(
        pack::<R, K, 5, 8, 48>([unit, unit, none, none, none], start),
        max,
        #[inline(always)]
        |state| {
            let term = at::<R, K, 48>(&state, 0);
            let (sum, slope) = (pair_at::<R, K, 48>(&state, 1), pair_at::<R, K, 48>(&state, 3));
            let phase = point_at(&state, 40);
            let [k, scale, largest] = [state[44], state[45], state[46]];
            let next = k + one;
            let t = next_term(term, &p, &q, k, r);
            let phase = phase.mul(u);
            let turned = Pair::turned(t, phase);
            let (sum, slope) = (sum.gather(turned), slope.gather(turned.scaled(next)));
            let mut go = R::Mask::lit(false);
            for s in 0..K {
                go = go.or(t.0[s].hi.abs().gt(sum.part(s) * negligible));
            }
            let done = go.not();
            let size = t.0[0].hi.abs();
            let go = go.or(next.le(beyond)).and(size.lt(R::lit(INF)));
            let shrinks = t.size().le(term.size());
            let go = if ASYMPTOTIC { go.and(shrinks.or(next.le(beyond))) } else { go.or(shrinks.not()) };
            let go = go.and(t.size().gt(zero));
            let largest = largest.max(size);
            let big = size.max(sum.part(0)).gt(R::lit(RESCALE));
            let f = R::select(big, R::lit(1.0 / RESCALE), one);
            let mut wide = [t, sum.re, sum.im, slope.re, slope.im];
            for w in &mut wide {
                for c in &mut w.0 {
                    *c = c.times_pow2(f);
                }
            }
            let scale = R::select(big, scale + one, scale);
            let unsettled = R::select(done, zero, one);
            let rest = [phase.re.hi, phase.re.lo, phase.im.hi, phase.im.lo, next, scale, largest * f, unsettled];
            (pack(wide, rest), go.and(on))
        },
    );
    Sum {
        value: pair_at::<R, K, 48>(&state, 1).normalized(),
        slope: pair_at::<R, K, 48>(&state, 3).normalized(),
        scale: state[45],
        largest: state[46],
        good: state[47].eq(zero),
    }
}

/// `v e^x` of a sum in units of powers of `2^512`, in factors that stay in range.
#[inline(always)]
fn unscaled<R: Real, const K: usize>(v: ComplexDual<R, K>, scale: R, x: Complex<R>) -> ComplexDual<R, K> {
    let third = R::lit(1.0 / 3.0);
    let total = Complex::new(scale * R::lit(512.0 * LN_2) + x.re, x.im);
    let part = total.re * third;
    let direct = shared::exp(part);
    let turn = R::shared_complex::<b::Exp, 1>([Complex::new(total.re - part - part, total.im)]);
    v.times(direct).turned(turn).times(direct)
}

/// The equation `z (1 - s z) f'' + (c - q z) f' - p f = 0`.
struct Equation<R, const K: usize> {
    bend: f64,
    c: Dual<R, K>,
    q: Dual<R, K>,
    p: Dual<R, K>,
}

/// Values and slopes as the state of a loop.
#[inline(always)]
fn put<R: Real, const K: usize, const N: usize>(values: &[ComplexDual<R, K>], rest: &[R]) -> [R; N] {
    let mut out = [R::lit(0.0); N];
    for (i, v) in values.iter().enumerate() {
        out[8 * i..8 * i + K].copy_from_slice(&v.re.0);
        out[8 * i + 4..8 * i + 4 + K].copy_from_slice(&v.im.0);
    }
    out[8 * values.len()..8 * values.len() + rest.len()].copy_from_slice(rest);
    out
}

#[inline(always)]
fn get<R: Real, const K: usize>(state: &[R], i: usize) -> ComplexDual<R, K> {
    ComplexDual {
        re: Dual(each(
            #[inline(always)]
            |k| state[8 * i + k],
        )),
        im: Dual(each(
            #[inline(always)]
            |k| state[8 * i + 4 + k],
        )),
    }
}

impl<R: Real, const K: usize> Equation<R, K> {
    /// The solution at `origin + to * line` from value and slope at `origin + from * line`, by `steps` Taylor series along the line
    /// (at equal distances of `from^(1/2)`, if `ROOTS`).
    #[inline(always)]
    fn along<const ROOTS: bool>(
        &self,
        origin: f64,
        line: Complex<R>,
        [from, to]: [R; 2],
        steps: R,
        [value, slope]: [ComplexDual<R, K>; 2],
        on: R::Mask,
    ) -> ComplexDual<R, K> {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let (low, high) = if ROOTS { (from.sqrt(), to.sqrt()) } else { (from, to) };
        let width = (high - low) / steps;
        let state = R::repeat(
            put::<R, K, 17>(&[value, slope], &[zero]),
            4000,
            #[inline(always)]
            |state| {
                let i = state[16];
                let (f, slope) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1));
                let last = (i + one).ge(steps);
                let (mut s, mut e) = (low + i * width, R::select(last, high, low + (i + one) * width));
                if ROOTS {
                    (s, e) = (s * s, e * e);
                }
                let h = line.scale(e - s);
                let z = Complex::new(line.re * s + R::lit(origin), line.im * s);
                let bz = z.scale(R::lit(self.bend));
                let a0 = z * Complex::new(one - bz.re, -bz.im);
                let a1 = Complex::new(one - bz.re - bz.re, -bz.im - bz.im);
                let b0 = ComplexDual { re: self.c - self.q.times(z.re), im: (self.q.times(z.im)).times(-one) };
                let front = -(h / a0);
                let second = slope.turned(h);
                let inner = R::repeat(
                    put::<R, K, 33>(&[f, second, f + second, second], &[zero]),
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
                        let go = next.size().max(q.size()).gt(sum.size() * R::lit(1e-18));
                        (put(&[q, next, sum, slope], &[k + one]), go.and(on))
                    },
                );
                let (f, slope) = (get::<R, K>(&inner, 2), get::<R, K>(&inner, 3));
                let slope = slope.turned(h.reciprocal());
                (put(&[f, slope], &[i + one]), last.not().and(on))
            },
        );
        get::<R, K>(&state, 0)
    }
}

/// A sum and `z d/dz` of it as value and derivative at `z`.
#[inline(always)]
fn derived<R: Real, const K: usize>(s: &Sum<R, K>, z: Complex<R>) -> [ComplexDual<R, K>; 2] {
    [s.value.rounded(), s.slope.rounded().turned(z.reciprocal())]
}

/// `base^exponent` of the number with this magnitude and direction.
#[inline(always)]
fn power<R: Real, const K: usize>(r: Dd<R>, u: Point<R>, exponent: Dual<R, K>) -> ComplexDual<R, K> {
    let x = exponent.value();
    let turn = angle(u.rounded());
    let size = shared::pow(r.hi, x) * (R::lit(1.0) + x * r.lo / r.hi);
    let value = Complex::new(size * shared::cos(x * turn), size * shared::sin(x * turn));
    let l = Complex::new(shared::log(r.hi) + r.lo / r.hi, turn);
    let first = value * l;
    ComplexDual::chain(exponent, [value, first, first * l])
}

/// Both parts of the expansion at infinity (DLMF 13.7.2) without their exponentials, and where it reaches the last digit: for
/// `p`, `m = q - p` and the factors of both parts, at `z = r u` in the right half-plane.
#[inline(always)]
fn outer<R: Real, const K: usize>(
    p: Param<R>,
    m: Param<R>,
    fronts: [Dual<R, K>; 2],
    r: Dd<R>,
    u: Point<R>,
    on: R::Mask,
) -> ([ComplexDual<R, K>; 2], R::Mask) {
    let (zero, one, last) = (R::lit(0.0), Param::lit(1.0), R::lit(1e-17));
    let inverse = Dd::lit(1.0, 0.0) / r;
    let back = u.conj();
    let turned = Point { re: -back.re, im: -back.im };
    let grow = series::<R, K, 2, 0, true>([m, one - p], [], inverse, back, 200, last, on);
    let fall = series::<R, K, 2, 0, true>([p, one - m], [], inverse, turned, 200, last, on);
    let im = u.im.hi;
    let side = R::select(im.eq(zero), zero, R::lit(1.0).copysign(im));
    let rate = R::lit(std::f64::consts::PI);
    let (s, c) = (shared::sinpi(p.rounded()), shared::cospi(p.rounded()));
    let wave = Complex::new(c, s * side);
    let slope = Complex::new(-s, c * side).scale(rate);
    let angle = ComplexDual::chain(p.dual::<K>(), [wave, slope, -wave.scale(rate * rate)]);
    let first = (power::<R, K>(r, u, (-m).dual()) * grow.value.rounded()).by(fronts[0]);
    let second = (power::<R, K>(r, u, (-p).dual()) * fall.value.rounded() * angle).by(fronts[1]);
    // The second part is a factor e^-Re z below the first.
    let faint = (u.re.hi * r.hi).gt(R::lit(60.0)).and(fall.value.part(0).lt(R::lit(1e8)));
    ([first, second], grow.good.and(fall.good.or(faint)))
}

/// `e^x f`, and 0 for `f = 0`.
#[inline(always)]
fn raised<R: Real, const K: usize>(f: ComplexDual<R, K>, x: Complex<R>) -> ComplexDual<R, K> {
    let half = exp(x.scale(R::lit(0.5)));
    let none = R::eq(f.size(), R::lit(0.0));
    ComplexDual::<R, K>::select(none, f, f.turned(half).turned(half))
}

/// Which derivative is asked for: the value, the first or the mixed second one.
#[inline(always)]
fn asked<R: Real, const K: usize>(code: R, f: ComplexDual<R, K>) -> Complex<R> {
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
    let far = on.and(root.gt(R::lit(CANCELLED * 0.5))).and(b.abs().lt(R::lit(100.0)));
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
            let ([grow, fall], good) = outer(m, m, [front, front], big, turn, far);
            let out = asked(code, raised(grow, w) + raised(fall, -w));
            [out.re, out.im, R::select(good, one, zero)]
        },
    );
    let rest = on.and(done.eq(zero));
    let march = rest.and(root.gt(reach));
    let short = rest.and(march.not().or(root.lt(R::lit(4000.0))));
    let [re, im] = R::when(
        rest,
        [re, im],
        #[inline(always)]
        || {
            let march = march.and(short);
            let near = Dd::select(march, Dd::new(reach * reach, zero), r);
            let s = series::<R, K, 0, 1, false>([], [p], near, u, 20_000, R::lit(NEGLIGIBLE), short);
            let start = Complex::new(u.re.hi, u.im.hi);
            let [f, slope] = derived(&s, start.scale(near.hi));
            let f = R::when(
                march,
                put::<R, K, 8>(&[f], &[]),
                #[inline(always)]
                || {
                    let none = Dual::lit(0.0);
                    let equation = Equation { bend: 0.0, c: p.dual::<K>(), q: none, p: Dual::lit(1.0) };
                    let steps = (root - reach).ceil().max(one);
                    put(&[equation.along::<true>(0.0, start, [near.hi, r.hi], steps, [f, slope], march)], &[])
                },
            );
            let out = asked(code, unscaled(get::<R, K>(&f, 0), s.scale, Complex::lit(0.0, 0.0)));
            let good = s.good.and(short);
            [R::select(good, out.re, R::lit(NAN)), R::select(good, out.im, R::lit(NAN))]
        },
    );
    Complex::select(on, Complex::new(re, im), Complex::lit(NAN, NAN))
}

/// Kummer's function or a derivative in its parameters.
#[inline(always)]
fn kummer<R: Real, const K: usize>(code: R, a: R, b: R, z: Complex<R>) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let limit = R::lit(1e100);
    let [pa, pb] = directions::<R, 2, K>(code, [a, b]);
    let finite = a.abs().lt(limit).and(b.abs().lt(limit)).and(z.max_part().lt(limit));
    let closes = pa.ends().and(a.lt(zero)).and(a.ge(b));
    let on = finite.and(pb.ends().not().or(closes));
    // DLMF 13.2.39; a series that ends at a pole stays as it is.
    let turn = on.and(z.re.lt(zero)).and(pb.ends().not());
    let p = Param::select(on, Param::select(turn, pb - pa, pa), Param::lit(1.0));
    let q = Param::select(on, pb, Param::lit(1.0));
    let m = q - p;
    let sign = R::select(turn, -one, one);
    let y = Complex::new(R::select(on, z.re * sign, zero), R::select(on, z.im * sign, zero));
    let (r, u) = Point::new(y.re, y.im).polar();
    // Where the terms are at most e^CANCELLED times the sum
    let reach = (R::lit(CANCELLED) / (one - u.re.hi).max(R::lit(1e-10))).min(R::lit(700.0));
    let reach = R::select(pb.ends(), R::lit(INF), reach);
    let far = on.and(pb.ends().not()).and(r.hi.gt(R::lit(CANCELLED)));
    let shift = Complex::select(turn, -y, Complex::lit(0.0, 0.0));
    let [re, im, done] = R::when(
        far,
        [zero, zero, zero],
        #[inline(always)]
        || {
            let fronts = [gamma_ratio::<R, K>(p, m), gamma_ratio::<R, K>(m, p)];
            let ([grow, fall], good) = outer(p, m, fronts, r, u, far);
            let first = ComplexDual::select(turn, grow, raised(grow, y));
            let sum = first + raised(fall, shift);
            let out = asked(code, sum);
            [out.re, out.im, R::select(good, one, zero)]
        },
    );
    let rest = on.and(done.eq(zero));
    let march = rest.and(r.hi.gt(reach));
    let short = rest.and(march.not().or(r.hi.lt(R::lit(4000.0))));
    let [re, im] = R::when(
        rest,
        [re, im],
        #[inline(always)]
        || {
            let march = march.and(short);
            let near = Dd::select(march, Dd::new(reach, zero), r);
            let s = series::<R, K, 1, 1, false>([p], [q], near, u, 20_000, R::lit(NEGLIGIBLE), short);
            let lost = s.largest.gt(s.value.part(0) * R::lit(HOPELESS)).and(s.value.part(0).ne(zero));
            let good = s.good.and(short);
            let good = if K == 1 { good.and(lost.not()) } else { good };
            let start = Complex::new(u.re.hi, u.im.hi);
            let [f, slope] = derived(&s, start.scale(near.hi));
            let f = R::when(
                march,
                put::<R, K, 8>(&[f], &[]),
                #[inline(always)]
                || {
                    let equation = Equation { bend: 0.0, c: q.dual::<K>(), q: Dual::lit(1.0), p: p.dual::<K>() };
                    let steps = ((r.hi - reach) * R::lit(0.5)).ceil().max(one);
                    put(&[equation.along::<false>(0.0, start, [reach, r.hi], steps, [f, slope], march)], &[])
                },
            );
            let out = asked(code, unscaled(get::<R, K>(&f, 0), s.scale, shift));
            [R::select(good, out.re, R::lit(NAN)), R::select(good, out.im, R::lit(NAN))]
        },
    );
    Complex::select(on, Complex::new(re, im), Complex::lit(NAN, NAN))
}

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

impl<R: Real, const K: usize> Local<R, K> {
    #[inline(always)]
    fn packed(self) -> [R; 112] {
        let all = [self.poly, self.poly_slope, self.front, self.sum, self.sum_slope, self.gap, self.gap_slope];
        let mut flat = [self.poly.re; 14];
        for (i, p) in all.iter().enumerate() {
            flat[2 * i] = p.re;
            flat[2 * i + 1] = p.im;
        }
        pack(flat, [])
    }
    #[inline(always)]
    fn unpacked(state: &[R; 112]) -> Self {
        let [poly, poly_slope, front, sum, sum_slope, gap, gap_slope] = each(
            #[inline(always)]
            |i| pair_at::<R, K, 112>(state, 2 * i),
        );
        Local { poly, poly_slope, front, sum, sum_slope, gap, gap_slope }
    }
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
            let (sum, gap) = (sum.add(tv), gap.add(td));
            let mut go = n.lt(R::lit(4.0));
            for (term, total) in [(v, sum), (d, gap)] {
                for s in 0..K {
                    go = go.or(term.0[s].hi.abs().gt(total.part(s) * R::lit(NEGLIGIBLE)));
                }
            }
            let (sum_slope, gap_slope) = (sum_slope.add(tv.scaled(n)), gap_slope.add(td.scaled(n)));
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
        |i| pair_at::<R, K, 85>(&state, i),
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
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
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
    let tiny = R::select(far, R::lit(NEGLIGIBLE), R::lit(enough(K)));
    let straight = Point::new(one, zero);
    let from = Dd::select(far, Dd::lit(0.5, 0.0), r);
    let f = series::<R, K, 2, 1, false>([ua, ub], [pc], from, Point::select(far, straight, u), 6000, tiny, on);
    let lost = f.largest.gt(f.value.part(0) * R::lit(HOPELESS)).and(far.not()).and(f.value.part(0).ne(zero));
    let lost = if K == 1 { lost } else { R::Mask::lit(false) };
    let usable = f.good.and(lost.not()).and(f.scale.eq(zero).or(far.not()));
    let out = R::when(
        far,
        put::<R, K, 8>(&[f.value.rounded()], &[]),
        #[inline(always)]
        || {
            let m = R::select(far, s.rounded().round(), zero);
            let e = Param::select(far, s.step(-m), Param::lit(0.25));
            let ring = t.hi.gt(R::lit(DISC));
            let near = Dd::select(ring, Dd::lit(DISC, 0.0), t);
            // At 1/2 and then at w, in a loop because the code is long
            let mut state = [zero; 230];
            state[224] = half;
            state[226] = one;
            let state = R::repeat(
                state,
                2,
                #[inline(always)]
                |state| {
                    let (size, phase) = (Dd::new(state[224], state[225]), point_at(&state, 226));
                    let l = local::<R, K>(ua, ub, m, e, size, phase, far).packed();
                    let mut out = state;
                    out[..112].copy_from_slice(&state[112..224]);
                    out[112..224].copy_from_slice(&l);
                    out[224..].copy_from_slice(&[near.hi, near.lo, v.re.hi, v.re.lo, v.im.hi, v.im.lo]);
                    (out, far)
                },
            );
            let both = mapped(
                [0, 112],
                #[inline(always)]
                |from| {
                    each(
                        #[inline(always)]
                        |i| state[from + i],
                    )
                },
            );
            // At 1/2 all is real and the power of 2w is 1.
            let l = Local::<R, K>::unpacked(&both[0]);
            let (front, sum) = (l.front.re, l.sum.re);
            let g = l.poly.re - front.mul(l.gap.re);
            let g_slope = l.poly_slope.re - front.mul(l.gap.re.scaled(m) + l.gap_slope.re - sum);
            let h_slope = sum.by(e.step(m)) + l.sum_slope.re;
            let f_slope = f.slope.re.scaled(-one);
            let wronskian = g.mul(h_slope) - g_slope.mul(sum);
            let first = (f.value.re.mul(h_slope) - f_slope.mul(sum)).div(wronskian);
            let second = (g.mul(f_slope) - g_slope.mul(f.value.re)).div(wronskian);
            let l = Local::<R, K>::unpacked(&both[1]);
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
                put::<R, K, 8>(&[value], &[]),
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
                    put(&[equation.along::<false>(1.0, line, [near.hi, t.hi], one, [value, slope], ring)], &[])
                },
            )
        },
    );
    let value = get::<R, K>(&out, 0);
    let plain = direct.or(t.hi.eq(zero));
    let front = power::<R, K>(Dd::select(plain, unit, t), v, exponent.dual());
    let scale = shared::exp(f.scale * R::lit(512.0 * LN_2 * 0.5));
    let out = asked(code, (value * front).times(scale).times(scale));
    Complex::select(on.and(usable), out, Complex::lit(NAN, NAN))
}

/// `x^e` of a complex number that is not 0, in plain double precision.
#[inline(always)]
fn plain_power<R: Real>(x: Complex<R>, size: R, e: R) -> Complex<R> {
    let (size, turn) = (shared::pow(size, e), angle(x) * e);
    Complex::new(size * shared::cos(turn), size * shared::sin(turn))
}

/// Gauss's function in plain double precision, and where that is enough, as for real arguments; where both `z` and `1 - z` have
/// about the magnitude 1, by a Taylor series from `|1 - z| = DISC`.
#[inline(always)]
fn gauss_plain<R: Real>(a: R, b: R, c: R, z: Complex<R>) -> (Complex<R>, R::Mask) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let moderate = inlined(
        #[inline(always)]
        |v: R| v.abs().lt(R::lit(PLAIN)),
    );
    let away = Complex::new(one - z.re, -z.im);
    let t = super::abs(away);
    let on = moderate(a).and(moderate(b)).and(c.gt(zero)).and(moderate(c)).and(t.gt(zero)).and(t.lt(R::lit(1e100)));
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
    let (p, q) = (R::select(outside, own, a), R::select(outside, c - other, b));
    let (p2, q2) = (c - p, R::select(outside, other, c - b));
    let inverse = one / t;
    let back = Complex::new(away.re * inverse, -(away.im * inverse)).scale(inverse);
    let w = Complex::select(outside, back, away);
    let x = Complex::select(outside, -(z * back), z);
    let (r, t) = (super::abs(x), R::select(outside, inverse, t));
    let s = R::select(outside, other - own, c - a - b);
    // Near integers the parts are differences of large numbers.
    let apart = (s - s.round()).abs().gt(R::lit(0.1));
    let direct = r.lt(R::lit(0.9)).and(r.lt(R::lit(0.6)).or(r.le(t)).or(apart.not()));
    let far = direct.not().and(apart);
    let ring = far.and(t.gt(R::lit(0.85)));
    let near = R::select(ring, R::lit(DISC), t);
    let w = w.scale(near / t);
    let y = Complex::select(far, w, x);
    let c1 = R::select(far, one - s, c);
    let c2 = one + s;
    let beyond = R::select(far, s.abs(), zero);
    let second = R::select(far, one, zero);
    let on = on.and(direct.or(far));
    let state = R::repeat(
        [one, zero, second, zero, one, zero, second, zero, one, second, zero, zero, zero, zero, zero],
        400,
        #[inline(always)]
        |[t1, i1, t2, i2, f1, g1, f2, g2, size1, size2, d1, e1, d2, e2, k]| {
            let next = k + one;
            let share = one / next;
            let first = (Complex::new(t1, i1) * y).scale((p + k) * (q + k) / (c1 + k) * share);
            let other = (Complex::new(t2, i2) * y).scale((p2 + k) * (q2 + k) / (c2 + k) * share);
            let (f, g) = (Complex::new(f1, g1) + first, Complex::new(f2, g2) + other);
            let (m1, m2) = (first.max_part(), other.max_part());
            let tiny = R::lit(1e-17);
            let more = m1.gt(f.max_part() * tiny).or(m2.gt(g.max_part() * tiny)).or(next.le(beyond));
            let (d, e) = (Complex::new(d1, e1) + first.scale(next), Complex::new(d2, e2) + other.scale(next));
            let (size1, size2) = (size1 + m1, size2 + m2);
            let sums = [f.re, f.im, g.re, g.im, size1, size2, d.re, d.im, e.re, e.im, next];
            let mut out = [first.re; 15];
            out[1..4].copy_from_slice(&[first.im, other.re, other.im]);
            out[4..].copy_from_slice(&sums);
            (out, more.and(on))
        },
    );
    let [_, _, _, _, f1, g1, f2, g2, size1, size2, d1, e1, d2, e2, _] = state;
    let [re, im, size] = R::when(
        far.and(on),
        [f1, g1, size1],
        #[inline(always)]
        || {
            let front = shared::gamma(c);
            let first = front * shared::gamma(s) * shared::rgamma(p2) * shared::rgamma(q2);
            let power = plain_power(w, near, s);
            let second = power.scale(front * shared::gamma(-s) * shared::rgamma(p) * shared::rgamma(q));
            let (f, g) = (Complex::new(f1, g1).scale(first), Complex::new(f2, g2));
            let value = f + g * second;
            let size = (first * size1).abs() + second.max_part() * size2;
            let [re, im] = R::when(
                ring,
                [value.re, value.im],
                #[inline(always)]
                || {
                    let slope = Complex::new(d1, e1).scale(first) + (g.scale(s) + Complex::new(d2, e2)) * second;
                    let line = -w.scale(one / near);
                    let slope = slope * line.scale(near).reciprocal();
                    let equation = Equation {
                        bend: 1.0,
                        c: Dual::<R, 1>::constant(c),
                        q: Dual::constant(p + q + one),
                        p: Dual::constant(p * q),
                    };
                    let start = [ComplexDual::constant(value), ComplexDual::constant(slope)];
                    let end = equation.along::<false>(1.0, line, [near, t], one, start, ring).value();
                    [end.re, end.im]
                },
            );
            let kept = R::select(ring, value.max_part().min(re.abs().max(im.abs())), re.abs().max(im.abs()));
            // As a share of the value before the Taylor series, which must not fall by much either
            [re, im, size * R::select(kept.eq(zero), R::lit(INF), re.abs().max(im.abs()) / kept)]
        },
    );
    let out = Complex::new(re, im);
    let fine = size.le(out.max_part() * R::lit(6.0)).and(out.max_part().lt(R::lit(1e300)));
    let front = plain_power(w, t, p);
    (Complex::select(outside, out * front, out), on.and(fine))
}

/// `inf` at the poles, NaN where an argument is NaN.
#[inline(always)]
fn with_poles<R: Real, const N: usize>(
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
fn ends<R: Real>(p: R) -> R::Mask {
    p.le(R::lit(0.0)).and(p.floor().eq(p)).and(p.gt(R::lit(-INF)))
}

/// `0F1(; b; z)`.
#[inline(always)]
pub fn hyp0f1<R: Real>(b: Complex<R>, z: Complex<R>) -> Complex<R> {
    limit::<R, 1>(R::lit(0.0), b.re, z)
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
    let (a, b) = (a.re, b.re);
    let out = kummer::<R, 1>(R::lit(0.0), a, b, z);
    let closes = a.lt(R::lit(0.0)).and(ends(a)).and(a.ge(b));
    with_poles([a, b], z, ends(b).and(closes.not()), out)
}

/// A derivative of Kummer's function in its parameters `i` or `10 i + j`.
#[inline(always)]
pub fn hyp1f1_dp<R: Real>(code: Complex<R>, a: Complex<R>, b: Complex<R>, z: Complex<R>) -> Complex<R> {
    kummer::<R, 4>(code.re, a.re, b.re, z)
}

/// Gauss's function, cut from 1 to infinity.
#[inline(always)]
pub fn hyp2f1<R: Real>(a: Complex<R>, b: Complex<R>, c: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (a, b, c) = (a.re, b.re, c.re);
    let (plain, accepted) = gauss_plain(a, b, c, z);
    let rest = accepted.not();
    let [re, im] = R::when(
        rest,
        [plain.re, plain.im],
        #[inline(always)]
        || {
            let at = Complex::select(rest, z, Complex::lit(0.0, 0.0));
            let out = gauss::<R, 1>(R::lit(0.0), a, b, c, at);
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
