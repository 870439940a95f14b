//! Classical orthogonal polynomials of a complex argument; as in [`crate::special`], with derivatives in the real parameters
//! carried along, and hypergeometric functions of degrees that are no integers.

use super::dual::ComplexDual;
use super::functions::sin_cos;
use super::gauss::first_way;
use super::hypergeometric::{get, put};
use super::inverse::arc;
use super::{Complex, ComplexShortWays, bodies as c};
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use crate::special::dual::Dual;
use crate::special::jacobi_sum::{JacobiSteps, jacobi_start};
use crate::special::polynomials::{
    LEGENDRE_FAR, LegendreFar, MAX_DEGREE, between, between_off_pole, climbs, end_factor, gegenbauer_degree,
    gegenbauer_ends, gegenbauer_error, gegenbauer_over_jacobi, gegenbauer_polynomial_error, inside, jacobi_recurrence,
    jacobi_sums, jacobi_ways, laguerre_base, laguerre_error, laguerre_first, laguerre_lift, laguerre_lifts, mild,
    off_pole, raised_to, served, started_error, vanishes, whole,
};
use crate::special::recurrence::{DOUBTED, Pair, SPENT, error_of, or_another};
use crate::special::wide::{Param, Wide};
use std::f64::consts::PI;
use std::marker::PhantomData;

#[inline(always)]
fn or_nan<R: Real>(on: R::Mask, z: Complex<R>) -> Complex<R> {
    Complex::select(on, z, Complex::lit(f64::NAN, f64::NAN))
}

/// `p_n` from `low`, `p_k` at `k = from`, and `p_{k + 1}` and what goes with it, where `step(k, p_k, ..)` is what goes with `p_{k + 1}`
/// and that.
#[inline(always)]
fn recurrence<R: Real, const K: usize>(
    n: R,
    from: R,
    low: ComplexDual<R, K>,
    [beside, high]: [ComplexDual<R, K>; 2],
    step: impl Fn(R, ComplexDual<R, K>, ComplexDual<R, K>) -> [ComplexDual<R, K>; 2],
) -> Complex<R> {
    let one = R::lit(1.0);
    let on = inside(n).and(n.ge(from)).and(whole(n - from));
    let state = R::repeat(
        put::<R, K, 17, _, _>(&[beside, high], &[from + one]),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let (beside, now) = (get::<R, K>(&state, 0), get(&state, 1));
            let k = state[16];
            let more = k.lt(n).and(on);
            let [with, next] = step(k, now, beside);
            let beside = ComplexDual::<R, K>::select(more, with, beside);
            let now = ComplexDual::<R, K>::select(more, next, now);
            (put(&[beside, now], &[k + one]), more)
        },
    );
    let p = ComplexDual::<R, K>::select(n.eq(from), low, get(&state, 1));
    or_nan(on, p.top())
}

/// The same from two values, where `step(k, p_k, p_{k - 1})` is `p_{k + 1}`.
#[inline(always)]
fn climbed<R: Real, const K: usize>(
    n: R,
    from: R,
    [low, high]: [ComplexDual<R, K>; 2],
    step: impl Fn(R, ComplexDual<R, K>, ComplexDual<R, K>) -> ComplexDual<R, K>,
) -> Complex<R> {
    recurrence(
        n,
        from,
        low,
        [low, high],
        #[inline(always)]
        |k, p, q| [p, step(k, p, q)],
    )
}

/// The same of a polynomial.
#[inline(always)]
fn polynomial<R: Real>(
    n: R,
    first: Complex<R>,
    step: impl Fn(R, ComplexDual<R, 1>, ComplexDual<R, 1>) -> ComplexDual<R, 1>,
) -> Complex<R> {
    climbed(n, R::lit(0.0), [ComplexDual::lit(1.0), ComplexDual::constant(first)], step)
}

/// `1 - z`.
#[inline(always)]
fn beside_end<R: Real>(z: Complex<R>) -> Complex<R> {
    Complex::new(R::lit(1.0) - z.re, -z.im)
}

/// `(1 - z) / 2`.
#[inline(always)]
fn below_end<R: Real>(z: Complex<R>) -> Complex<R> {
    beside_end(z).scale(R::lit(0.5))
}

/// Gauss's function.
#[inline(always)]
fn gauss_at<R: Real>(parameters: [R; 3], w: Complex<R>) -> Complex<R> {
    let [a, b, c] = mapped(
        parameters,
        #[inline(always)]
        |p| Complex::new(p, R::lit(0.0)),
    );
    R::shared_complex::<c::Hyp2f1, 4>([a, b, c, w])
}

/// Pfaff's series is taken where its variable is not larger: the number of terms grows.
const PFAFF: f64 = 0.9;

/// How a pair is summed: by powers of `w`, or of what Pfaff's transformation makes of it, where that is quick.
struct Start<R: Real> {
    w: Complex<R>,
    turned: Complex<R>,
    inner: R::Mask,
    quick: R::Mask,
}

impl<R: Real> Start<R> {
    #[inline(always)]
    fn new(n: R, [l, c]: [R; 2], z: Complex<R>) -> Self {
        let (one, w) = (R::lit(1.0), below_end(z));
        let inner = w.max_part().lt(R::lit(0.4));
        let turned = w / Complex::new(w.re - one, w.im);
        let short = inner.or(super::abs(turned).le(R::lit(PFAFF)));
        Self { w, turned, inner, quick: mild(n, l, c, from_end(z)).and(short) }
    }
    /// The magnitude of the variable.
    #[inline(always)]
    fn size(&self) -> R {
        super::abs(Complex::select(self.inner, self.w, self.turned)).min(R::lit(PFAFF))
    }
}

/// `F(-n, n + l; c; (1 - z) / 2)` at `n` and `n + 1`, where `quick` of the real functions holds and a series is short.
#[inline(always)]
fn gauss_pair<R: Real>(n: R, [l, c]: [R; 2], start: &Start<R>) -> [Complex<R>; 2] {
    let (one, unit, none) = (R::lit(1.0), Complex::lit(1.0, 0.0), Complex::lit(0.0, 0.0));
    let turn = start.inner.not();
    let w = Complex::select(start.quick, start.w, none);
    let z = Complex::select(turn, Complex::select(start.quick, start.turned, none), w);
    let m = n + one;
    let (b, d) = (R::select(turn, c - n - l, n + l), R::select(turn, c - m - l, m + l));
    let pack = inlined(
        #[inline(always)]
        |v: [Complex<R>; 4], k: R| [v[0].re, v[0].im, v[1].re, v[1].im, v[2].re, v[2].im, v[3].re, v[3].im, k],
    );
    let sums = R::repeat(
        pack([unit; 4], R::lit(0.0)),
        1000,
        #[inline(always)]
        |state| {
            let [s, t, u, v] = each(
                #[inline(always)]
                |i| Complex::new(state[2 * i], state[2 * i + 1]),
            );
            let k = state[8];
            let share = one / ((c + k) * (k + one));
            let t = (t * z).scale((k - n) * (b + k) * share);
            let v = (v * z).scale((k - m) * (d + k) * share);
            let more = inlined(
                #[inline(always)]
                |term: Complex<R>, sum: Complex<R>| term.max_part().gt(R::lit(1e-18) * sum.max_part()),
            );
            (pack([s + t, t, u + v, v], k + one), more(t, s).or(more(v, u)))
        },
    );
    let base = Complex::select(turn, unit - w, unit);
    let power = R::shared_complex::<c::Pow, 2>([base, Complex::new(n, R::lit(0.0))]);
    [Complex::new(sums[0], sums[1]) * power, Complex::new(sums[4], sums[5]) * power * base]
}

/// Where a recurrence to `n` starts, and the values there and at the degree above it: 1 and `first` for polynomials, else, where
/// `on`, `front` times Gauss's function at `(1 - z) / 2`, and 0 where there is `none`, as in [`crate::special`].
#[inline(always)]
fn started<R: Real>(
    n: R,
    z: Complex<R>,
    first: Complex<R>,
    [on, climbs, none]: [R::Mask; 3],
    [l, c]: [R; 2],
    front: impl Fn(R) -> R,
) -> (R, [ComplexDual<R, 1>; 2]) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let start = Start::new(n, [l, c], z);
    let quick = start.quick.and(none.not());
    let climbs = climbs.or(quick.and(n.ge(one)));
    let from = R::select(on, R::select(climbs, n - n.floor(), n), zero);
    let pair = R::when(
        quick,
        [one, zero, first.re, first.im],
        #[inline(always)]
        || {
            let n = R::select(quick, from, zero);
            let [low, high] = gauss_pair(n, [R::select(quick, l, one), R::select(quick, c, one)], &start);
            let (low, high) = (low.scale(front(n)), high.scale(front(n + one)));
            [low.re, low.im, high.re, high.im]
        },
    );
    let value = inlined(
        #[inline(always)]
        |n: R| {
            let out = gauss_at([-n, n + l, c], start.w).scale(front(n));
            [out.re, out.im]
        },
    );
    let slow = on.and(quick.or(none).not());
    let low = R::when(
        slow,
        [R::select(none, zero, pair[0]), pair[1]],
        #[inline(always)]
        || value(R::select(slow, from, zero)),
    );
    let above = slow.and(climbs);
    let high = R::when(
        above,
        [pair[2], pair[3]],
        #[inline(always)]
        || value(R::select(above, from, zero) + one),
    );
    let pair = mapped(
        [low, high],
        #[inline(always)]
        |[re, im]| ComplexDual::constant(Complex::new(re, im)),
    );
    (from, pair)
}

/// `|1 + z|`.
#[inline(always)]
fn from_end<R: Real>(z: Complex<R>) -> R {
    super::abs(Complex::new(z.re + R::lit(1.0), z.im))
}

/// `-z` where it is right of the imaginary axis and `z` is not.
#[inline(always)]
fn folded<R: Real>(z: Complex<R>) -> Complex<R> {
    Complex::select(z.re.lt(R::lit(0.0)), -z, z)
}

/// A value of even or odd degree at the folded argument as one at `z`.
#[inline(always)]
fn parity<R: Real>(n: R, z: Complex<R>, value: Complex<R>) -> Complex<R> {
    let odd = whole(n).and(whole(n * R::lit(0.5)).not());
    Complex::select(odd.and(z.re.lt(R::lit(0.0))), -value, value)
}

/// Where Legendre functions are found by [`legendre_far`].
#[inline(always)]
fn is_far<R: Real>(n: R, z: Complex<R>) -> R::Mask {
    between(n).and(z.is_finite()).and(super::abs(z).ge(R::lit(LEGENDRE_FAR)))
}

/// As the function of that name of real arguments, for `|z| >= 2`.
#[inline(always)]
fn legendre_far<R: Real>(n: R, z: Complex<R>) -> (R, [Complex<R>; 2]) {
    let (half, one) = (R::lit(0.5), R::lit(1.0));
    let LegendreFar { from, e, square, first, front } = LegendreFar::new(n);
    let times = inlined(
        #[inline(always)]
        |[a, b]: [Complex<R>; 2], [c, d]: [R; 2]| [a.scale(c) + b.scale(square * d), a.scale(d) + b.scale(c)],
    );
    let twice = z + z;
    let log = super::log(twice);
    let near = log.scale(e);
    let up = super::exp(near);
    let down = up.reciprocal();
    let apart = near.max_part().gt(one);
    let difference = Complex::select(
        apart,
        (up - down).scale(half),
        super::sinh(Complex::select(apart, Complex::lit(0.0, 0.0), near)),
    );
    let middle = e.eq(R::lit(0.0));
    let odd = Complex::select(middle, log, difference.scale(one / R::select(middle, one, e)));
    let [even, odd] = times([(up + down).scale(half), odd], front);
    let r = z.reciprocal().square();
    let high = up.scale(first) - r * (even - odd.scale(half));
    let sums = R::repeat(
        [even.re, even.im, odd.re, odd.im, odd.re, odd.im, high.re, high.im, R::lit(0.0)],
        60,
        #[inline(always)]
        |state| {
            let [even, odd, low, high] = each(
                #[inline(always)]
                |i| Complex::new(state[2 * i], state[2 * i + 1]),
            );
            let (step, next) = LegendreFar::step(square, state[8]);
            let [even, odd] = times([r * even, r * odd], step);
            let twice = next + next;
            let term = odd.scale(e) + (even - odd.scale(twice)) - r * (even - odd.scale(half + twice));
            let size = even.max_part().max(twice * odd.max_part());
            let go = size.gt(R::lit(1e-18) * low.max_part().min(high.max_part()));
            let (low, high) = (low + odd, high + term);
            ([even.re, even.im, odd.re, odd.im, low.re, low.im, high.re, high.im, next], go)
        },
    );
    let root = super::sqrt(twice);
    let low = Complex::new(sums[4], sums[5]);
    let high = Complex::new(sums[6], sums[7]);
    (from, [(low + low) / root, (high * root).scale(one / (e + half))])
}

/// Legendre polynomial.
#[inline(always)]
pub fn eval_legendre<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (one, most) = (R::lit(1.0), R::lit(LEGENDRE_FAR));
    let degree = R::select(n.re.lt(R::lit(-0.5)), -n.re - one, n.re);
    let y = Complex::select(whole(degree), folded(z), z);
    // In differences, which are small next to 1
    let below = Complex::new(y.re - one, y.im);
    let near = y.re.gt(R::lit(0.5));
    let far = is_far(degree, z);
    let usual = between(degree).and(far.not());
    let (from, pair) = started(
        degree,
        z,
        y,
        [usual, usual.and(climbs(degree, R::lit(0.0), from_end(z))), R::Mask::lit(false)],
        [one, one],
        #[inline(always)]
        |_| one,
    );
    let [low, high] = mapped(pair, ComplexDual::value);
    let [from, a, b, c, d] = R::when(
        far,
        [from, low.re, low.im, high.re, high.im],
        #[inline(always)]
        || {
            let z = Complex::select(far, z, Complex::new(most, R::lit(0.0)));
            let (start, [low, high]) = legendre_far(R::select(far, degree, one), z);
            [start, low.re, low.im, high.re, high.im]
        },
    );
    let pair = mapped([Complex::new(a, b), Complex::new(c, d)], ComplexDual::constant);
    let out = climbed::<R, 1>(
        degree,
        from,
        pair,
        #[inline(always)]
        |k, p, q| {
            let (p, q) = (p.value(), q.value());
            let twice = k + k + one;
            let steps = p + ((p - q).scale(k) + (below * p).scale(twice)).scale(one / (k + one));
            let plain = ((y * p).scale(twice) - q.scale(k)).scale(one / (k + one));
            ComplexDual::constant(Complex::select(near, steps, plain))
        },
    );
    parity(degree, z, out)
}

/// Nearer to 0 than this, angles are measured from there, where the odd polynomials vanish.
const MIDDLE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The angle of the cosine `y`, or that of the sine in the middle, and whether that is it.
#[inline(always)]
fn angle<R: Real>(y: Complex<R>) -> (Complex<R>, R::Mask) {
    let middle = y.max_part().lt(R::lit(MIDDLE));
    (arc(y, middle), middle)
}

/// The angle of the cosine `z` where the degree has no parity.
#[inline(always)]
fn full_angle<R: Real>(phi: Complex<R>, middle: R::Mask, z: Complex<R>) -> Complex<R> {
    let folded = Complex::new(R::lit(PI) - phi.re, -phi.im);
    let quarter = R::lit(PI * 0.5);
    let left = z.re.lt(R::lit(0.0));
    // From the middle, an angle of the sine
    let turned = R::select(left, quarter + phi.re, quarter - phi.re);
    let inner = Complex::new(turned, R::select(left, phi.im, -phi.im));
    Complex::select(middle, inner, Complex::select(left, folded, phi))
}

/// Degrees from 0 to this take fewer steps than angles do.
const FEW: f64 = 8.0;

/// No value, only an order: by the small degrees, the others last.
pub struct ByDegree;
impl<const N: usize> ComplexShortWays<N> for ByDegree {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [Complex<R>; N]) -> (Complex<R>, R) {
        let (n, one, last) = (x[0].re, R::lit(1.0), R::lit(FEW + 1.0));
        let few = n.ge(R::lit(0.0)).and(n.lt(last));
        (Complex::lit(0.0, 0.0), R::select(few, n, last) + one)
    }
}

/// The first class of what is found by [`legendre_far`] or summed, behind all others.
const FAR_CLASS: f64 = 117.0;

/// No value, only an order: by the small integral degrees, others by the way to Gauss's function of the last argument.
pub struct ByEnd;
impl<const N: usize> ComplexShortWays<N> for ByEnd {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(way: usize, x: [Complex<R>; N]) -> (Complex<R>, R) {
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let (n, a) = (x[0].re, x[1].re);
        let [l, c] = match N {
            2 => [one, one],
            3 => [a + a, a + half],
            _ => [a + x[2].re + one, a + one],
        };
        let (value, few) = ByDegree::value(way, x);
        let z = x[N - 1];
        let start = Start::new(n, [l, c], z);
        // Behind the classes of degrees
        let quick = (start.size() * R::lit(12.0 / PFAFF)).floor() + R::lit(FEW + 3.0);
        let [slow] = R::when(
            start.quick.or(whole(n)).not(),
            [quick],
            #[inline(always)]
            || [(first_way([-n, n + l, c], start.w) * R::lit(90.0)).floor() + R::lit(FEW + 16.0)],
        );
        let far = if N == 2 { is_far(n, z) } else { R::Mask::lit(false) };
        let slow = R::select(far, R::lit(FAR_CLASS) + (R::lit(15.0) / super::abs(z)).floor(), slow);
        let summed = if N == 4 { jacobi_sums(n, a, x[2].re) } else { R::Mask::lit(false) };
        (value, R::select(summed, R::lit(FAR_CLASS) + few, R::select(whole(n), few, slow)))
    }
}

/// `2z - 1`.
#[inline(always)]
pub fn shifted<R: Real>(z: Complex<R>) -> Complex<R> {
    Complex::new(z.re + z.re - R::lit(1.0), z.im + z.im)
}

/// As another order with the last argument `2z - 1`.
pub struct Shifted<W>(PhantomData<W>);
impl<W: ComplexShortWays<N>, const N: usize> ComplexShortWays<N> for Shifted<W> {
    const COUNT: usize = W::COUNT;
    #[inline(always)]
    fn value<R: Real>(way: usize, mut x: [Complex<R>; N]) -> (Complex<R>, R) {
        x[N - 1] = shifted(x[N - 1]);
        W::value(way, x)
    }
}

pub type ByShiftedDegree = Shifted<ByDegree>;
pub type ByShiftedEnd = Shifted<ByEnd>;

/// A Chebyshev polynomial of few degrees from that of degree 1, others by the angle.
#[inline(always)]
fn chebyshev<R: Real>(n: R, z: Complex<R>, first: Complex<R>, by_angle: impl Fn() -> Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let few = whole(n).and(n.ge(zero)).and(n.le(R::lit(FEW)));
    let out = R::when(
        few,
        [zero; 2],
        #[inline(always)]
        || {
            let twice = z + z;
            let out = polynomial(
                R::select(few, n, zero),
                first,
                #[inline(always)]
                |_, p, q| p.turned(twice) - q,
            );
            [out.re, out.im]
        },
    );
    let [re, im] = R::when(
        few.not(),
        out,
        #[inline(always)]
        || {
            let out = by_angle();
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
}

/// Chebyshev polynomial of the first kind.
#[inline(always)]
pub fn eval_chebyt<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (n, half, one) = (n.re.abs(), R::lit(0.5), R::lit(1.0));
    let y = folded(z);
    let out = chebyshev(
        n,
        y,
        y,
        #[inline(always)]
        || {
            let (phi, middle) = angle(y);
            let all = whole(n).not();
            let (sin, cos) = sin_cos(Complex::select(all, full_angle(phi, middle, z), phi).scale(n));
            // cos(n (pi/2 - phi)), of whose terms one is 0
            let (c, s) = (R::select(middle, shared::cospi(n * half), one), shared::sinpi(n * half));
            let out = Complex::select(middle.and(s.ne(R::lit(0.0))), sin.scale(s), cos.scale(c));
            Complex::select(all, cos, out)
        },
    );
    or_nan(inside(n), parity(n, z, out))
}

/// Chebyshev polynomial of the second kind.
#[inline(always)]
pub fn eval_chebyu<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let n = n.re;
    let (y, m) = (folded(z), n + one);
    let out = chebyshev(
        n,
        y,
        y + y,
        #[inline(always)]
        || {
            let (phi, middle) = angle(y);
            let all = whole(n).not();
            let (sin, cos) = sin_cos(Complex::select(all, full_angle(phi, middle, z), phi).scale(m));
            let (c, s) = (shared::cospi(m * half), shared::sinpi(m * half));
            let inner = Complex::select(s.ne(zero), cos.scale(s), -sin.scale(c));
            let (down, across) = sin_cos(phi);
            let out = Complex::select(middle.and(all.not()), inner, sin) / Complex::select(middle, across, down);
            let at_one = y.re.eq(one).and(y.im.eq(zero));
            let at_end = R::select(all.and(z.re.lt(zero)), R::lit(f64::INFINITY).copysign(m), m);
            Complex::select(at_one, Complex::new(at_end, zero), out)
        },
    );
    let out = Complex::select(m.eq(zero), Complex::lit(0.0, 0.0), parity(n, z, out));
    or_nan(inside(m), out)
}

/// Hermite polynomial of the physicists.
#[inline(always)]
pub fn eval_hermite<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let twice = z + z;
    let out = polynomial(
        n.re,
        twice,
        #[inline(always)]
        |k, p, q| p.turned(twice) - q.times(k + k),
    );
    unless_nan([n, z], out)
}

/// Hermite polynomial of the probabilists.
#[inline(always)]
pub fn eval_hermitenorm<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let out = polynomial(
        n.re,
        z,
        #[inline(always)]
        |k, p, q| p.turned(z) - q.times(k),
    );
    unless_nan([n, z], out)
}

/// From a degree with the value there, the difference to the next one and the value of that: in differences within 1/2 of 1, where they
/// are small.
#[inline(always)]
fn gegenbauer_climbed<R: Real, const K: usize>(
    n: R,
    a: Dual<R, K>,
    y: Complex<R>,
    from: R,
    [low, gap, high]: [ComplexDual<R, K>; 3],
) -> Complex<R> {
    let (one, below) = (R::lit(1.0), -beside_end(y));
    let near = below.max_part().lt(R::lit(0.5));
    recurrence::<R, K>(
        n,
        from,
        low,
        [ComplexDual::select(near, gap, low), high],
        #[inline(always)]
        |k, p, beside| {
            let (twice, ka, part) = (a + a, a + Dual::constant(k), one / (k + one));
            let step = (beside.times(k) + p.by(ka + ka).turned(below)).times(part);
            let next = p.by(twice + Dual::constant(k)).times(part) + step;
            let plain = (p.by(ka).turned(y + y) - beside.by(twice + Dual::constant(k - one))).times(part);
            [ComplexDual::select(near, step, p), ComplexDual::select(near, next, plain)]
        },
    )
}

#[inline(always)]
fn gegenbauer<R: Real, const K: usize>(n: Complex<R>, a: Complex<R>, z: Complex<R>) -> Complex<R> {
    let y = folded(z);
    let end = beside_end(y);
    let error = gegenbauer_polynomial_error(n.re, a.re, [end.re, end.im]);
    let a = Dual::<R, K>::variable(a.re, 3);
    let twice = ComplexDual::real(a + a);
    let out = gegenbauer_climbed(n.re, a, y, R::lit(0.0), [ComplexDual::lit(1.0), twice.turned(-end), twice.turned(y)]);
    or_nan(error.lt(R::lit(DOUBTED)), parity(n.re, z, out))
}

/// In differences, as the real one, from a degree with the value there, the difference to the next one and the value of that.
#[inline(always)]
fn genlaguerre_climbed<R: Real, const K: usize>(
    n: R,
    a: Dual<R, K>,
    z: Complex<R>,
    from: R,
    [low, step, high]: [ComplexDual<R, K>; 3],
) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let base = R::select(from.eq(zero), laguerre_base(n, a.value(), z.max_part()), zero);
    let shift = ComplexDual::constant(Complex::new(base, zero));
    let high = ComplexDual::select(base.eq(one), step, high);
    let out = recurrence::<R, K>(
        n,
        from,
        low - shift,
        [step, high],
        #[inline(always)]
        |k, p, d| {
            let d = (d.by(a + Dual::constant(k)) - (p + shift).turned(z)).over(Dual::constant(k + one));
            [d, p + d]
        },
    );
    if K == 1 { Complex::new(out.re + base, out.im) } else { out }
}

/// The start at degree 0.
#[inline(always)]
fn genlaguerre_start<R: Real, const K: usize>(a: Dual<R, K>, z: Complex<R>) -> [ComplexDual<R, K>; 3] {
    let high = ComplexDual { re: laguerre_first(a, z.re), im: Dual::constant(-z.im) };
    [ComplexDual::lit(1.0), ComplexDual::real(a) - ComplexDual::constant(z), high]
}

#[inline(always)]
fn genlaguerre<R: Real, const K: usize>(n: Complex<R>, a: Complex<R>, z: Complex<R>) -> Complex<R> {
    let error = laguerre_error(n.re, a.re, [z.re, z.im]);
    let a = Dual::<R, K>::variable(a.re, 3);
    or_nan(error.lt(R::lit(DOUBTED)), genlaguerre_climbed(n.re, a, z, R::lit(0.0), genlaguerre_start(a, z)))
}

/// The step to the degree after `from`, `extra` the ratio at 1 less 1 times that degree, and its error.
#[inline(always)]
fn stepped_from<R: Real>(from: R, extra: R, [low, high]: [Complex<R>; 2]) -> (Complex<R>, R) {
    let next = from + R::lit(1.0);
    let turned = low.scale((next + extra) / next);
    (high - turned, started_error(high.max_part(), turned.max_part()))
}

/// A value and its step.
#[inline(always)]
fn parts<R: Real>(value: Complex<R>, gap: Complex<R>) -> Pair<R, 1, 2> {
    [[Dual([value.re]), Dual([value.im])], [Dual([gap.re]), Dual([gap.im])]]
}

/// Functions climb from the fraction of the degree where the real part is not larger: further right, before the degree has passed a
/// quarter of the argument, they are small beside the other solution.
const LAGUERRE_CLIMBS: f64 = 12.0;

/// `P_1^(a, b)`.
#[inline(always)]
fn jacobi_first<R: Real, const K: usize>([a, b]: [Dual<R, K>; 2], z: Complex<R>) -> ComplexDual<R, K> {
    ComplexDual::real((a - b).scaled(0.5)) + ComplexDual::real((a + b).plus(2.0).scaled(0.5)).turned(z)
}

/// The highest derivative, of integral degree then; the directions say which parameters move.
#[inline(always)]
fn jacobi<R: Real, const K: usize>(n: Complex<R>, parameters: [(Complex<R>, usize); 2], z: Complex<R>) -> Complex<R> {
    let (n, one) = (n.re, R::lit(1.0));
    let [a, b] = mapped(
        parameters,
        #[inline(always)]
        |(v, directions)| Param::moved(v.re, directions),
    );
    // From the end next to the argument, as the real one
    let turned = served(n).and(z.re.lt(R::lit(0.0)));
    let parameters = [Param::select(turned, b, a), Param::select(turned, a, b)];
    let y = Complex::select(turned, -z, z);
    let moved = mapped(
        parameters,
        #[inline(always)]
        |p| p.dual::<K>(),
    );
    let first = jacobi_first(moved, y);
    let start = if K == 1 {
        let [a, b] = [moved[0].value(), moved[1].value()];
        let p = between_off_pole(n, a, a + one, n + a + one);
        let (from, pair) = started(
            n,
            y,
            first.value(),
            jacobi_ways(n, [p, b], from_end(y)),
            [p + b + one, p + one],
            #[inline(always)]
            |n| shared::end_value(n, p + one),
        );
        let pair = mapped(
            pair,
            #[inline(always)]
            |v| ComplexDual::constant(v.value()),
        );
        (from, pair)
    } else {
        (R::lit(0.0), [ComplexDual::lit(1.0), first])
    };
    let out = jacobi_climbed(n, parameters, y, start);
    Complex::select(turned, parity(n, z, out), out)
}

/// The highest derivative by the recurrence from [`jacobi_start`] where polynomials are summed, and else from a degree with the values
/// there and at the next one: in differences within 1/2 of 1, where they are small.
#[inline(always)]
fn jacobi_climbed<R: Real, const K: usize>(
    n: R,
    parameters: [Param<R>; 2],
    z: Complex<R>,
    (from, pair): (R, [ComplexDual<R, K>; 2]),
) -> Complex<R> {
    let one = R::lit(1.0);
    let moved = mapped(
        parameters,
        #[inline(always)]
        |p| p.dual::<K>(),
    );
    let (sum, below) = (moved[0] + moved[1], -beside_end(z));
    let near = below.max_part().lt(R::lit(0.5));
    let ratio = (moved[0] + Dual::constant(from + one)).over(from + one);
    let gap = pair[1] - pair[0].by(ratio);
    let first = ComplexDual::real(sum.plus(2.0).scaled(0.5)).turned(below);
    let gap = ComplexDual::select(from.eq(R::lit(0.0)), first, gap);
    let on = jacobi_sums(n, parameters[0].rounded(), parameters[1].rounded());
    let state = R::when(
        on,
        put::<R, K, 26, _, _>(&[pair[0], gap, pair[1]], &[from, R::lit(0.0)]),
        #[inline(always)]
        || {
            let half = R::lit(0.5);
            let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
            let end = inlined(
                #[inline(always)]
                |one: f64| Complex {
                    re: Dd::two_sum(z.re, R::lit(one)).times_pow2(half),
                    im: Dd::new(z.im * half, R::lit(0.0)),
                },
            );
            let start = jacobi_start::<R, K, 4, 34, 2>(on, n, parameters, [end(-1.0), end(1.0)]);
            let [low, high] = start.pair;
            let rounded = inlined(
                #[inline(always)]
                |[re, im]: [Wide<R, K>; 2]| ComplexDual { re: re.rounded(), im: im.rounded() },
            );
            let gap = each(
                #[inline(always)]
                |i| high[i] - raised_to(low[i], parameters[0], start.from + one),
            );
            put(&[rounded(low), rounded(gap), rounded(high)], &[start.from, start.error])
        },
    );
    let (low, gap, high) = (get(&state, 0), get(&state, 1), get(&state, 2));
    let out = recurrence::<R, K>(
        n,
        state[24],
        low,
        [ComplexDual::select(near, gap, low), high],
        #[inline(always)]
        |k, p, beside| {
            let (k1, r) = (k + one, jacobi_recurrence(moved, k));
            let here = ComplexDual::real(r.product).turned(z) + ComplexDual::real(r.square);
            let plain = (here.by(r.sum) * p + beside.by(r.back)).over(r.forward) - beside.by(Dual::constant(r.kept));
            let back = (moved[1] + Dual::constant(k)).times(k + k) * r.t.plus(2.0);
            let step = (p.by(r.sum * r.product).turned(below) + beside.by(back)).over(r.forward);
            let next = p.by((moved[0] + Dual::constant(k1)).over(k1)) + step;
            [ComplexDual::select(near, step, p), ComplexDual::select(near, next, plain)]
        },
    );
    let error = state[25];
    if K > 1 {
        return or_nan(error.lt(R::lit(SPENT)), out);
    }
    let [a, b] = mapped(
        moved,
        #[inline(always)]
        |v| v.value(),
    );
    let climbing = between(n).and(n.gt(from + one)).and(a.min(b).lt(R::lit(-0.5)));
    let w = below_end(z);
    let error = error_of(
        climbing,
        error,
        [from + one, n],
        #[inline(always)]
        || {
            let [low, high] = mapped(pair, ComplexDual::value);
            let (gap, begun) = stepped_from(from, a, [low, high]);
            (JacobiSteps { parameters: [a, b], z: [w.re, w.im] }, parts(high, gap), begun)
        },
    );
    let [re, im] = or_another(
        [out.re, out.im],
        error,
        #[inline(always)]
        |asked| {
            let pick = |v: R| R::select(asked, v, one);
            let (n, top, c) = (pick(n), pick(n + b + a + one), pick(a + one));
            let w = Complex::select(asked, w, Complex::lit(0.5, 0.0));
            let out = gauss_at([-n, top, c], w).scale(end_factor(n, c));
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
}

/// NaN of a polynomial's argument that is NaN, also where its degree leaves nothing of it.
#[inline(always)]
fn unless_nan<R: Real, const N: usize>(x: [Complex<R>; N], out: Complex<R>) -> Complex<R> {
    let mut lost = R::Mask::lit(false);
    for v in x {
        lost = lost.or(v.re.is_nan()).or(v.im.is_nan());
    }
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) = $e:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>($($x: Complex<R>),+) -> Complex<R> {
                let out = $e;
                unless_nan([$($x),+], out)
            }
        )*
    };
}

families! {
    /// Gegenbauer polynomial.
    eval_gegenbauer(n, a, z) = {
        let (n, none, half, one) = (gegenbauer_degree(n.re, a.re), R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let p = between_off_pole(n, a.re, a.re + half, n + a.re + a.re);
        let (twice, y) = (p + p, Complex::select(whole(n), folded(z), z));
        let (from, pair) = started(
            n,
            y,
            y.scale(twice),
            [between(n), climbs(n, p - half, from_end(y)), vanishes(n, twice, twice)],
            [twice, p + half],
            #[inline(always)]
            |n| shared::end_value(n, twice),
        );
        let (end, [low, high]) = (beside_end(y), mapped(pair, ComplexDual::value));
        let (gap, begun) = stepped_from(from, twice - one, [low, high]);
        let gap = Complex::select(from.eq(none), -end.scale(twice), gap);
        let start = mapped([low, gap, high], ComplexDual::constant);
        // Of negative integral degree it is the polynomial of degree `-n - 2a`.
        let degree = R::select(whole(n).and(n.lt(none)), n + twice, n);
        let out = parity(degree, z, gegenbauer_climbed(n, Dual::<R, 1>([p]), y, from, start));
        let ends = gegenbauer_ends(n, p).and(z.re.eq(z.re)).and(z.im.eq(z.im));
        let error = gegenbauer_error(p, [end.re, end.im], [from, n], parts(high, gap), begun);
        let [re, im] = or_another(
            [R::select(ends, none, out.re), R::select(ends, none, out.im)],
            R::select(ends, none, error),
            #[inline(always)]
            |asked| {
                let [n, a, low] = mapped(
                    [n, p, p - half],
                    #[inline(always)]
                    |v| Complex::new(R::select(asked, v, one), none),
                );
                let z = Complex::select(asked, z, Complex::lit(1.0, 0.0));
                let out = R::shared_complex::<c::EvalJacobi, 4>([n, low, low, z]);
                let out = out.scale(gegenbauer_over_jacobi(n.re, a.re));
                [out.re, out.im]
            },
        );
        Complex::new(re, im)
    };
    /// `dC/da`.
    eval_gegenbauer_da(n, a, z) = gegenbauer::<R, 2>(n, a, z);
    /// `d2C/da2`.
    eval_gegenbauer_daa(n, a, z) = gegenbauer::<R, 4>(n, a, z);
    /// Generalized Laguerre polynomial.
    eval_genlaguerre(n, a, z) = {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let on = between(n.re);
        let [m, product] = laguerre_lift(n.re, a.re);
        let [re, im, degree, raised] = R::when(
            m.gt(zero),
            [one, zero, n.re, a.re],
            #[inline(always)]
            || {
                let power = R::shared_complex::<c::Pow, 2>([-z, Complex::new(m, zero)]);
                let front = power.scale(one / product);
                let lifts = laguerre_lifts(power.max_part(), front.max_part());
                let front = Complex::select(lifts, front, Complex::lit(1.0, 0.0));
                [front.re, front.im, R::select(lifts, n.re - m, n.re), R::select(lifts, m, a.re)]
            },
        );
        let front = Complex::new(re, im);
        let parameter = Dual::<R, 1>::constant(raised);
        let start = genlaguerre_start(parameter, z);
        let state = R::when(
            on,
            put::<R, 1, 25, _, _>(&start, &[zero]),
            #[inline(always)]
            || {
                let n = R::select(on, n.re, zero);
                let c = off_pole(a.re, a.re + one, n + a.re + one, one) + one;
                let value = inlined(
                    #[inline(always)]
                    |n: R| {
                        let parameters = [Complex::new(-n, zero), Complex::new(c, zero)];
                        let out = R::shared_complex::<c::Hyp1f1, 3>([parameters[0], parameters[1], z]);
                        let end = R::select(vanishes(n, a.re, c), zero, shared::end_value(n, c));
                        ComplexDual::<R, 1>::constant(out.scale(end))
                    },
                );
                let climbs = n.ge(R::lit(8.0)).and(c.gt(zero)).and(z.re.le(R::lit(LAGUERRE_CLIMBS)));
                let from = R::select(climbs, n - n.floor(), n);
                let low = value(from);
                let high = R::when(
                    climbs,
                    [zero; 8],
                    #[inline(always)]
                    || put::<R, 1, 8, _, _>(&[value(R::select(climbs, from, zero) + one)], &[]),
                );
                let high = get(&high, 0);
                put(&[low, high - low, high], &[from])
            },
        );
        let start = [get(&state, 0), get(&state, 1), get(&state, 2)];
        let out = genlaguerre_climbed(degree, parameter, z, state[24], start);
        let [re, im] = or_another(
            [out.re, out.im],
            laguerre_error(degree, raised, [z.re, z.im]),
            #[inline(always)]
            |asked| {
                let pick = |v: R| R::select(asked, v, one);
                let (n, c) = (pick(degree), pick(raised + one));
                let [p, q] = [Complex::new(-n, zero), Complex::new(c, zero)];
                let z = Complex::select(asked, z, Complex::lit(1.0, 0.0));
                let out = R::shared_complex::<c::Hyp1f1, 3>([p, q, z]).scale(end_factor(n, c));
                [out.re, out.im]
            },
        );
        Complex::new(re, im) * front
    };
    /// `dL/da`.
    eval_genlaguerre_da(n, a, z) = genlaguerre::<R, 2>(n, a, z);
    /// `d2L/da2`.
    eval_genlaguerre_daa(n, a, z) = genlaguerre::<R, 4>(n, a, z);
    /// Jacobi polynomial.
    eval_jacobi(n, a, b, z) = jacobi::<R, 1>(n, [(a, 0), (b, 0)], z);
    /// `dP/da`.
    eval_jacobi_da(n, a, b, z) = jacobi::<R, 2>(n, [(a, 1), (b, 0)], z);
    /// `d2P/da2`.
    eval_jacobi_daa(n, a, b, z) = jacobi::<R, 4>(n, [(a, 3), (b, 0)], z);
    /// `dP/db`.
    eval_jacobi_db(n, a, b, z) = jacobi::<R, 2>(n, [(a, 0), (b, 1)], z);
    /// `d2P/dadb`.
    eval_jacobi_dab(n, a, b, z) = jacobi::<R, 4>(n, [(a, 1), (b, 2)], z);
}
