//! Gauss's function of large parameters and a complex argument by its differential equation.

use super::dual::ComplexDual;
use super::hypergeometric::{Point, derived, get, power, put, series};
use super::{Complex, abs};
use crate::dd::Dd;
use crate::real::{Mask, Real, inlined};
use crate::special::dual::Dual;
use crate::special::equation::{LONGEST, grown};
use crate::special::gauss_march::{CLOSEST, Way};
use crate::special::hypergeometric::bears;
use crate::special::wide::{NEGLIGIBLE, Param};

/// `F(a, b; c; z)` of `c > 0` from where its series does not cancel yet, or NaN where nothing is left of it.
#[inline(always)]
pub(super) fn marched<R: Real, const K: usize>(
    parameters: [Param<R>; 3],
    z: Complex<R>,
    on: R::Mask,
) -> ComplexDual<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let left = z.re.lt(R::lit(0.5));
    let way = Way::new(parameters, left);
    let (r, u) = Point::new(z.re, z.im).polar();
    let (t, v) = Point { re: Dd::two_sum(one, -z.re), im: Dd::new(-z.im, zero) }.polar();
    let turned = u.mul(v.conj());
    let u = Point::select(left, Point { re: -turned.re, im: -turned.im }, u);
    let to = R::select(left, (r / t).hi, r.hi);
    let line = u.rounded();
    let clear = to.lt(one - R::lit(CLOSEST)).or(line.re.lt(zero)).or(line.im.abs().gt(R::lit(CLOSEST)));
    let on = on.and(way.c.rounded().gt(zero)).and(t.hi.gt(R::lit(CLOSEST))).and(clear).and(way.from.lt(to));
    let way = way.only(on);
    let (Way { p, q, c, from }, to) = (way, R::select(on, to, R::lit(0.5)));
    let start = series::<R, K, 2, 1, false>([p, q], [c], Dd::new(from, zero), u, 6000, R::lit(NEGLIGIBLE), on, on);
    let equation = way.equation::<K>();
    let [width, low, high] = way.strides();
    let begin = derived(&start, line.scale(from));
    let state = R::repeat(
        put::<R, K, 19, _, _>(&begin, &[from, one, one]),
        LONGEST,
        #[inline(always)]
        |state| {
            let (f, slope, s) = (get::<R, K>(&state, 0), get::<R, K>(&state, 1), state[16]);
            let z = line.scale(s);
            let gap = abs(Complex::new(one - z.re, -z.im));
            // Of t = arcsin(sqrt(z)) half as much
            let stride = (width * (s * gap).sqrt()).min(s * low).min(gap * high);
            let next = s + (stride + stride);
            let done = next.ge(to);
            let next = R::select(done, to, next);
            let end = line.scale(next);
            let [g, g_slope] = equation.turned_step(z, end - z, [f, slope], on);
            let magnitudes = inlined(
                #[inline(always)]
                |f: ComplexDual<R, K>, slope: ComplexDual<R, K>| [f.value().max_part(), slope.value().max_part()],
            );
            let gain = equation.gain([z, end], [magnitudes(f, slope), magnitudes(g, g_slope)]);
            let [over, most] = grown([state[17], state[18]], gain);
            (put(&[g, g_slope], &[next, over, most]), done.not().and(on))
        },
    );
    let f = get::<R, K>(&state, 0);
    let digits = bears(start.largest, start.value.size(), state[18]);
    let kept = start.good.and(start.scale.eq(zero)).and(digits).and(state[16].eq(to)).and(on);
    // By halves, for products in range of factors that are not
    let base = Dd::select(left.and(on), t, Dd::lit(1.0, 0.0));
    let root = power::<R, K>(base, v, -p.scaled(R::lit(0.5)).dual::<K>());
    let root = ComplexDual::select(left, root, ComplexDual::lit(1.0));
    let nan = Dual([R::lit(f64::NAN); K]);
    ComplexDual::select(kept, f * root * root, ComplexDual { re: nan, im: nan })
}
