//! [`crate::special::regularized`] of a complex argument.

use super::bodies as c;
use super::dual::ComplexDual;
use super::hypergeometric::{Point, get, power, put};
use super::{Complex, abs, exp};
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined};
use crate::special::dual::Dual;
use crate::special::gauss_climb::partial_numerator;
use crate::special::hypergeometric::{digits, directions, rgamma_of};
use crate::special::regularized::{CONVERGENT, LARGEST, POLES, asked_for, derivative, over_gamma};
use crate::special::wide::Param;

/// The derivative of what is asked for, 0 elsewhere.
#[inline(always)]
fn answer<R: Real>(asked: R::Mask, code: R, f: impl Fn() -> ComplexDual<R, 4>) -> Complex<R> {
    let [re, im] = R::when(
        asked,
        [R::lit(0.0); 2],
        #[inline(always)]
        || {
            let f = f();
            [derivative(code, f.re), derivative(code, f.im)]
        },
    );
    Complex::new(re, im)
}

/// `T_0` of `T_k = hyp2f1(a + j, b + k - j; c + k; z) / Gamma(c + k)`, `j` half of `k` rounded down, with derivatives, from those of `c + k`
/// next to 1 and 2 by the recurrence of Gauss's continued fraction (DLMF 15.7.5), of which they are the minimal solution: from a value
/// and a derivative of the hypergeometric function.
#[inline(always)]
pub(crate) fn from_above<R: Real>(
    code: R,
    x: [R; 3],
    z: Complex<R>,
    on: R::Mask,
    value: impl Fn([R; 3]) -> Complex<R>,
    slope: impl Fn([R; 4]) -> Complex<R>,
) -> [Dual<R, 4>; 2] {
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
    let [a, b, c] = directions::<R, 3, 4>(code, x);
    let [tens, units] = digits(code);
    let both = R::select(tens.gt(zero), code, zero);
    let of_degree = units.gt(R::lit(3.0));
    let up = one - x[2].round();
    // Where sums end before the pole all terms vanish with the distance from it, which the sums here have lost.
    let early = inlined(
        #[inline(always)]
        |p: Param<R>| p.ends().and(p.rounded().gt(-up)),
    );
    let on = on.and(early(a).or(early(b)).and(up.gt(one)).not());
    let up = R::select(on, up, one);
    // The value of both and three derivatives
    let found: [R; 17] = R::repeat(
        [zero; 17],
        8,
        #[inline(always)]
        |state| {
            let at = state[16];
            let second = at.ge(R::lit(4.0));
            let part = R::select(second, at - R::lit(4.0), at);
            let k = R::select(second, up + one, up);
            let j = (k * half).floor();
            let last = c.step(k).rounded();
            let [re, im] = R::when(
                part.eq(zero).and(on),
                [zero; 2],
                #[inline(always)]
                || {
                    let f = value([a.step(j).rounded(), b.step(k - j).rounded(), last]);
                    [f.re, f.im]
                },
            );
            let wanted = R::select(part.eq(one), units, R::select(part.eq(R::lit(2.0)), tens, both));
            let [re, im] = R::when(
                part.ne(zero).and(wanted.gt(zero)).and(on),
                [re, im],
                #[inline(always)]
                || {
                    let moved = [R::select(of_degree, x[0] - j, x[0] + j), x[1] + R::select(of_degree, k, k - j)];
                    let f = slope([wanted, moved[0], moved[1], last]);
                    [f.re, f.im]
                },
            );
            let next = each(
                #[inline(always)]
                |i| {
                    let here = at.eq(R::lit((i / 2) as f64));
                    if i == 16 { at + one } else { R::select(here, if i % 2 == 0 { re } else { im }, state[i]) }
                },
            );
            (next, on)
        },
    );
    let over_gamma = inlined(
        #[inline(always)]
        |which: usize, k: R| {
            let parts = ComplexDual::of(
                #[inline(always)]
                |i| Complex::new(found[8 * which + 2 * i], found[8 * which + 2 * i + 1]),
            );
            parts.by(rgamma_of(c.step(k)))
        },
    );
    let state = R::repeat(
        put::<R, 4, 17, 2, 1>(&[over_gamma(0, up), over_gamma(1, up + one)], &[up - one]),
        POLES as u32 + 1,
        #[inline(always)]
        |state| {
            let (low, high, k) = (get(&state, 0), get::<R, 4>(&state, 1), state[16]);
            let more = k.ge(zero).and(on);
            let factor = partial_numerator([a, b, c], k);
            let next = low.by(c.step(k).dual()) - high.by(factor).turned(z);
            let pick = inlined(
                #[inline(always)]
                |a, b| ComplexDual::select(more, a, b),
            );
            (put(&[pick(next, low), pick(low, high)], &[k - one]), more)
        },
    );
    let ComplexDual { re, im } = ComplexDual::select(on, get(&state, 0), ComplexDual::nan());
    [re, im]
}

/// `hyp2f1(a, b; c; z) / Gamma(c)` or a derivative in its parameters.
#[inline(always)]
pub fn hyp2f1_regularized<R: Real>(
    code: Complex<R>,
    a: Complex<R>,
    b: Complex<R>,
    c: Complex<R>,
    z: Complex<R>,
) -> Complex<R> {
    let (code, one) = (code.re, R::lit(1.0));
    let asked = asked_for(c.re);
    answer(
        asked,
        code,
        #[inline(always)]
        || {
            let parameters = [a.re, b.re, c.re];
            let [a, b, c] = directions::<R, 3, 4>(code, parameters);
            let on = asked.and(z.max_part().lt(R::lit(1e100)));
            let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
            // DLMF 15.8.1
            let (r, u) = Point::to_one(z).polar();
            let turned = r.hi.gt(one);
            let other = Point::new(-z.re, -z.im).mul(u.conj());
            let other = Point { re: other.re / r, im: other.im / r };
            let w = Point::select(turned, other, Point::new(z.re, z.im));
            let converges = abs(w.rounded()).lt(R::lit(CONVERGENT));
            let b = Param::select(turned, c - b, b);
            let w = Point::select(converges, w, Point::new(R::lit(0.0), R::lit(0.0)));
            let [re, im] = over_gamma::<R, 4, 2>([a, b], c, Complex { re: w.re, im: w.im }, on.and(converges));
            let sum = ComplexDual { re, im };
            let sum = ComplexDual::select(turned, power(r, u, -a.dual()) * sum, sum);
            let lost = on.and(converges.not().or(sum.value().re.is_nan()));
            let real = inlined(
                #[inline(always)]
                |v: R| Complex::new(v, R::lit(0.0)),
            );
            let state: [R; 8] = R::when(
                lost,
                put(&[sum], &[]),
                #[inline(always)]
                || {
                    let [re, im] = from_above(
                        code,
                        parameters,
                        z,
                        lost,
                        #[inline(always)]
                        |[a, b, c]| R::shared_complex::<c::Hyp2f1, 4>([real(a), real(b), real(c), z]),
                        #[inline(always)]
                        |[i, a, b, c]| R::shared_complex::<c::Hyp2f1Dp, 5>([real(i), real(a), real(b), real(c), z]),
                    );
                    put(&[ComplexDual { re, im }], &[])
                },
            );
            get(&state, 0)
        },
    )
}

/// `hyp1f1(a; b; z) / Gamma(b)` or a derivative in its parameters.
#[inline(always)]
pub fn hyp1f1_regularized<R: Real>(code: Complex<R>, a: Complex<R>, b: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (code, zero) = (code.re, R::lit(0.0));
    let asked = asked_for(b.re);
    answer(
        asked,
        code,
        #[inline(always)]
        || {
            let [a, b] = directions::<R, 2, 4>(code, [a.re, b.re]);
            let on = asked.and(z.max_part().lt(R::lit(LARGEST)));
            let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
            // DLMF 13.2.39
            let turned = z.re.lt(zero);
            let a = Param::select(turned, b - a, a);
            let w = Complex::select(turned, -z, z);
            let parts = Complex { re: Dd::new(w.re, zero), im: Dd::new(w.im, zero) };
            let [re, im] = over_gamma::<R, 4, 1>([a], b, parts, on);
            ComplexDual { re, im }.turned(exp(Complex::select(turned, z, Complex::lit(0.0, 0.0))))
        },
    )
}
