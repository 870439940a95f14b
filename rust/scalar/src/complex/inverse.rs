//! Inverse circular and hyperbolic functions of a complex argument.
//!
//! W. Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit" (1987): products of
//! square roots whose terms never cancel, and the logarithm alone where the argument is huge.

use super::{Complex, log, sqrt};
use crate::dd::Dd;
use crate::real::{Mask, Real};
use crate::shared as e;
use std::f64::consts::{FRAC_PI_2, LN_2};

/// Above this `|z|^2` overflows and `1 - z^2` is `-z^2` to every digit.
const HUGE: f64 = 1e150;

#[inline(always)]
fn huge<R: Real>(z: Complex<R>) -> R::Mask {
    z.max_part().gt(R::lit(HUGE)).or(z.is_inf())
}

/// The square roots of `1 - z` and `1 + z`, each on the side of the cut that the sign of the imaginary part tells.
#[inline(always)]
fn roots<R: Real>(z: Complex<R>) -> (Complex<R>, Complex<R>) {
    let one = R::lit(1.0);
    (sqrt(Complex { re: one - z.re, im: -z.im }), sqrt(Complex { re: one + z.re, im: z.im }))
}

/// `log|2z|` for huge `z`.
#[inline(always)]
fn log_twice<R: Real>(z: Complex<R>) -> R {
    log(z).re + R::lit(LN_2)
}

/// The inverse cosine, or where asked the inverse sine, of what is not huge.
#[inline(always)]
pub(super) fn arc<R: Real>(z: Complex<R>, sine: R::Mask) -> Complex<R> {
    let (a, b) = roots(z);
    let (y, x) = (R::select(sine, z.re, a.re), R::select(sine, a.re * b.re - a.im * b.im, b.re));
    let (turn, im) = (e::atan2(y, x), e::asinh(a.re * b.im - a.im * b.re));
    Complex { re: R::select(sine, turn, turn + turn), im: R::select(sine, im, -im) }
}

/// Inverse sine, cut outside `[-1, 1]`.
#[inline(always)]
pub fn asin<R: Real>(z: Complex<R>) -> Complex<R> {
    let w = arc(z, R::Mask::lit(true));
    let [re, im] = R::when(
        huge(z),
        [w.re, w.im],
        #[inline(always)]
        || [e::atan2(z.re, z.im.abs()), log_twice(z).copysign(z.im)],
    );
    Complex { re: R::select(z.re.eq(R::lit(0.0)), z.re, re), im }
}

/// Inverse cosine, cut outside `[-1, 1]`.
#[inline(always)]
pub fn acos<R: Real>(z: Complex<R>) -> Complex<R> {
    let w = arc(z, R::Mask::lit(false));
    let [re, im] = R::when(
        huge(z),
        [w.re, w.im],
        #[inline(always)]
        || [e::atan2(z.im.abs(), z.re), log_twice(z).copysign(-z.im)],
    );
    Complex { re: R::select(z.re.eq(R::lit(0.0)), R::lit(FRAC_PI_2), re), im }
}

/// Inverse hyperbolic sine, cut along the imaginary axis outside `[-i, i]`.
#[inline(always)]
pub fn asinh<R: Real>(z: Complex<R>) -> Complex<R> {
    asin(z.swap()).swap()
}

/// Inverse hyperbolic cosine, cut left of 1.
#[inline(always)]
pub fn acosh<R: Real>(z: Complex<R>) -> Complex<R> {
    let w = acos(z);
    // acosh z = +-i acos z with a real part that is not negative.
    Complex { re: w.im.abs(), im: w.re.copysign(z.im) }
}

/// Inverse hyperbolic tangent, cut outside `[-1, 1]`.
#[inline(always)]
pub fn atanh<R: Real>(z: Complex<R>) -> Complex<R> {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let (x, y) = (z.re.abs(), z.im.abs());
    let gap = one - x;
    let d = gap * gap + y * y;
    // Next to the pole the ratio itself would overflow.
    let pole = (e::log(one + x) - e::log(e::hypot(gap, y))) * R::lit(0.5);
    let re = e::log1p(x * R::lit(4.0) / d) * R::lit(0.25);
    let re = R::select(d.lt(R::lit(1e-20)), pole, re);
    let im = e::atan2(two * y, gap * (one + x) - y * y) * R::lit(0.5);
    let far = huge(z);
    let m = z.max_part();
    let inverse = Complex { re: x / m, im: y / m };
    let norm = inverse.re * inverse.re + inverse.im * inverse.im;
    let far_re = R::select(z.is_inf(), R::lit(0.0), inverse.re / norm / m);
    let re = R::select(far, far_re, re);
    let im = R::select(far, R::lit(FRAC_PI_2), im);
    let nan_im = z.im.is_nan();
    let re = R::select(nan_im.and(x.eq(R::lit(0.0))), x, re);
    Complex { re: re.copysign(z.re), im: R::select(nan_im, z.im, im.copysign(z.im)) }
}

/// `1 / (1 + z^2)`.
#[inline(always)]
pub fn atan_slope<R: Real>(z: Complex<R>) -> Complex<R> {
    let one = R::lit(1.0);
    // The square overflows.
    let far = z.max_part().gt(R::lit(1e150));
    let Complex { re: x, im: y } = Complex::select(far, Complex::lit(1.0, 0.0), z);
    let re = (Dd::two_prod(x, x) - Dd::two_prod(y, y)).plus(one);
    let im = Dd::two_prod(x + x, y);
    let quotient = Complex::new(re.hi, im.hi).reciprocal();
    let Complex { re: u, im: v } = quotient;
    // What the quotient and the sum have rounded off
    let rest_re = (Dd::two_prod(v, im.hi) - Dd::two_prod(u, re.hi)).plus(one).value() + (v * im.lo - u * re.lo);
    let rest_im = (Dd::two_prod(-u, im.hi) - Dd::two_prod(v, re.hi)).value() - (u * im.lo + v * re.lo);
    let pole = re.hi.eq(R::lit(0.0)).and(im.hi.eq(R::lit(0.0)));
    let near = Complex::select(pole, quotient, quotient + quotient * Complex::new(rest_re, rest_im));
    Complex::select(far, z.reciprocal().square(), near)
}

/// Inverse tangent, cut along the imaginary axis outside `[-i, i]`.
#[inline(always)]
pub fn atan<R: Real>(z: Complex<R>) -> Complex<R> {
    atanh(z.swap()).swap()
}
