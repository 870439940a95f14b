//! [`crate::special::regularized`] of a complex argument.

use super::dual::ComplexDual;
use super::hypergeometric::{Point, power};
use super::{Complex, exp};
use crate::dd::Dd;
use crate::real::{Mask, Real};
use crate::special::hypergeometric::directions;
use crate::special::regularized::{LARGEST, asked_for, derivative, over_gamma};
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
            let [a, b, c] = directions::<R, 3, 4>(code, [a.re, b.re, c.re]);
            let on = asked.and(z.max_part().lt(R::lit(1e100)));
            let z = Complex::select(on, z, Complex::lit(0.0, 0.0));
            // DLMF 15.8.1
            let (r, u) = Point::to_one(z).polar();
            let turned = r.hi.gt(one);
            let other = Point::new(-z.re, -z.im).mul(u.conj());
            let other = Point { re: other.re / r, im: other.im / r };
            let w = Point::select(turned, other, Point::new(z.re, z.im));
            let b = Param::select(turned, c - b, b);
            let [re, im] = over_gamma::<R, 4, 2>([a, b], c, Complex { re: w.re, im: w.im }, on);
            let sum = ComplexDual { re, im };
            ComplexDual::select(turned, power(r, u, -a.dual()) * sum, sum)
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
