//! Gauss's function of large parameters and a complex argument by its differential equation.

use super::dual::ComplexDual;
use super::hypergeometric::{Point, derived, get, power, put, series};
use super::{Complex, abs, angle, expm1};
use crate::dd::Dd;
use crate::real::{Mask, Real, inlined};
use crate::shared;
use crate::special::equation::{LONGEST, rescaled};
use crate::special::gauss::{of_differences, slight, within_range};
use crate::special::gauss_march::{ROUNDS, Way, fallen, least_of};
use crate::special::hypergeometric::lost_by;
use crate::special::recurrence::{DOUBTED, SPENT, UNITS, sizes};
use crate::special::wide::{NEGLIGIBLE, Param};

/// So close to 1 no way passes by on which the variable is not as close at the end,
const PASSING: f64 = 1e-3;
/// and the variable is not: there its distance has no digits.
const CLOSEST: f64 = 1e-14;

/// `F(a, b; c; z)` from where its series does not cancel yet, and its error in units of those of double-double numbers,
/// infinite where nothing is left of it.
///
/// Straight lines of `z`, of `z / (z - 1)` and of `log(1 - z)` lead there from 0, and one of that logarithm's real part and then of its
/// imaginary one; of other solutions `|1 - 1/z|^c` does not grow on the second one, nor `|1 - z|^(c - a - b)` on the others. Where all
/// lose too much they begin farther out, as in the real function.
#[inline(always)]
pub(super) fn marched<R: Real, const K: usize>(
    parameters: [Param<R>; 3],
    z: Complex<R>,
    on: R::Mask,
) -> (ComplexDual<R, K>, R) {
    let near = z.re.lt(R::lit(0.5));
    let from_0 = Point::new(z.re, z.im).polar();
    let from_1 = Point::to_one(z).polar();
    let differences = of_differences::<R, K>(parameters);
    let minor = slight::<R, K>([parameters[0], parameters[1]]);
    // In a loop because the code is long
    let state = R::repeat(
        put::<R, K, 10, _, _>(&[ComplexDual::nan()], &[R::lit(f64::INFINITY), R::lit(0.0)]),
        4 * ROUNDS,
        #[inline(always)]
        |state| {
            let (found, least, turn) = (get::<R, K>(&state, 0), state[8], state[9]);
            let round = (turn * R::lit(0.25)).floor();
            let which = turn - round * R::lit(4.0);
            let other = which.eq(R::lit(1.0));
            let left = near.and(other.not()).or(other.and(near.not())).and(differences.not());
            let asks = on.and(least.gt(R::lit(DOUBTED)));
            let (spiral, corner) = (which.gt(R::lit(1.0)), which.gt(R::lit(2.0)));
            let way = Way::new::<K>(parameters, left).begun(round);
            let (value, loss) = along(way, minor, [from_0, from_1], left, [spiral, corner], asks);
            let better = loss.le(R::lit(SPENT)).and(loss.lt(least));
            let least = R::select(better, loss, least);
            let asks = on.and(least.gt(R::lit(DOUBTED)));
            (put(&[ComplexDual::select(better, value, found)], &[least, turn + R::lit(1.0)]), asks)
        },
    );
    (get(&state, 0), state[8] * R::lit(UNITS))
}

/// The same by this way along a line, from magnitudes and directions of `z` and `1 - z`, for `left` in the variable `z / (z - 1)`, and
/// how many roundings of it an error becomes, infinite where it is not found. A `spiral` is a straight line of the logarithm of `1 - z`,
/// or with a `corner` one of its parts after the other.
#[inline(always)]
fn along<R: Real, const K: usize>(
    way: Way<R>,
    minor: R::Mask,
    [(r, u), (t, v)]: [(Dd<R>, Point<R>); 2],
    left: R::Mask,
    [spiral, corner]: [R::Mask; 2],
    on: R::Mask,
) -> (ComplexDual<R, K>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let turned = u.mul(v.conj());
    let u = Point::select(left, Point { re: -turned.re, im: -turned.im }, u);
    let size = Dd::select(left, r / t, r);
    let line = u.rounded();
    let near = R::select(left, one / t.hi, t.hi);
    let passing = R::lit(PASSING).min(near * R::lit(0.5));
    let clear = size.hi.lt(line.re).or(line.re.lt(zero)).or(line.im.abs().gt(passing));
    let log = Complex::new(shared::log(t.hi), angle(v.rounded())).scale(R::select(left, -one, one));
    let length = R::select(corner, log.re.abs() + log.im.abs(), abs(log));
    let (begin, to) = (R::select(spiral, shared::log1p(way.from) / length, way.from), R::select(spiral, one, size.hi));
    let within = near.gt(R::lit(CLOSEST)).and(left.not().or(t.hi.gt(R::lit(PASSING))));
    let on = on.and(way.c.ends().not()).and(within).and(clear.or(spiral)).and(begin.lt(to));
    let way = way.only(on);
    let (begin, to) = (R::select(on, begin, R::lit(0.25)), R::select(on, to, R::lit(0.5)));
    let last = Point { re: u.re * size, im: u.im * size };
    let place = inlined(
        #[inline(always)]
        |s: R| {
            let straight = line.scale(s);
            let [re, im] = R::when(
                spiral.and(on),
                [straight.re, straight.im],
                #[inline(always)]
                || {
                    let (gone, first) = (length * s, log.re.abs());
                    let parts = Complex::new(
                        gone.min(first).copysign(log.re),
                        (gone - first).max(zero).min(log.im.abs()).copysign(log.im),
                    );
                    let turned = expm1(Complex::select(corner, parts, log.scale(s)));
                    [R::select(spiral, -turned.re, straight.re), R::select(spiral, -turned.im, straight.im)]
                },
            );
            Complex::new(re, im)
        },
    );
    let first = place(begin);
    let (distance, direction) = Point::new(first.re, first.im).polar();
    let Way { p, q, c, .. } = way;
    let start = series::<R, K, 2, 1, false>([p, q], [c], distance, direction, 6000, R::lit(NEGLIGIBLE), on, on);
    let equation = way.equation::<K>();
    let [width, low, high] = way.strides();
    let begun = derived(&start, first);
    let highest = sizes([begun[0].re, begun[0].im])[1];
    let state = R::repeat(
        put::<R, K, 25, _, _>(&begun, &[begin, one, one, one, one, start.scale, first.re, first.im, highest]),
        LONGEST,
        #[inline(always)]
        |state| {
            let (f, slope, s) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1), state[16]);
            let z = Complex::new(state[22], state[23]);
            let follow = [[state[17], state[18]], [state[19], state[20]]];
            let (away, gap) = (abs(z), abs(Complex::new(one - z.re, -z.im)));
            // Of t = arcsin(sqrt(z)) half as much
            let stride = (width * (away * gap).sqrt()).min(away * low).min(gap * high);
            let next = s + (stride + stride) / R::select(spiral, length * gap, one);
            let done = next.ge(to);
            let end = Complex::select(done, last.rounded(), place(next));
            let left_over = Point { re: last.re.plus(-z.re), im: last.im.plus(-z.im) }.rounded();
            let step = Complex::select(done, left_over, end - z);
            let [g, g_slope] = equation.turned_step(z, step, [f, slope], on);
            let parts = inlined(
                #[inline(always)]
                |f: ComplexDual<R, K>| [f.re, f.im],
            );
            let pairs = [[parts(f), parts(slope)], [parts(g), parts(g_slope)]];
            let [[over, most], [over_top, most_top]] = equation.followed_by(follow, [z, end], pairs);
            let [unit, scale] = rescaled(g.size().max(g_slope.size()), state[21]);
            let highest = state[24].max(sizes(parts(g))[1]) * unit;
            let rest = [R::select(done, to, next), over, most, over_top, most_top, scale, end.re, end.im, highest];
            (put(&[g.times(unit), g_slope.times(unit)], &rest), done.not().and(on))
        },
    );
    let f = get::<R, K>(&state, 0);
    // By quarters, for products in range of factors that are not
    let base = Dd::select(left.and(on), t, Dd::lit(1.0, 0.0));
    let exponent = -p.scaled(R::lit(0.25));
    let root = ComplexDual::select(left, power::<R, K>(base, v, exponent.dual()), ComplexDual::lit(1.0));
    let root = root.times(shared::exp2(state[21] * R::lit(128.0)));
    let within = within_range(exponent, shared::log(base.hi));
    let kept = start.good.and(state[16].eq(to)).and(within).and(on);
    let most = least_of(minor, [state[18], state[20]]);
    let loss =
        lost_by(start.largest * way.roundings(), start.value.size(), most) * fallen(minor, state[24], [f.re, f.im]);
    (f * root * root * root * root, R::select(kept, loss, R::lit(f64::INFINITY)))
}
