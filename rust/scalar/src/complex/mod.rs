//! Complex scalars over any lane type: the basic operators here, the functions in [`functions`].
//!
//! Branch cuts, signed zeros and infinities follow C99 Annex G; multiplication is the plain formula, as in NumPy.

mod airy;
mod bessel;
pub mod bodies;
mod debye;
mod dual;
mod elliptic;
pub(crate) mod faddeeva;
mod functions;
mod gamma;
pub(crate) mod gauss;
mod gauss_ends;
mod gauss_march;
mod hypergeometric;
mod integrals;
mod inverse;
mod liouville;
mod polynomials;
pub(crate) mod regularized;
#[cfg(test)]
mod tests;
mod zeta;

pub(crate) use bessel::ROOT_HALF_PI;
pub use functions::{
    abs, angle, cos, cosh, cospi, exp, exp2, expit, expm1, log, log1p, log2, log10, pow, rsqrt, scaled_pow, sign, sin,
    sinc, sinh, sinpi, sqrt, tan, tanh, xlog1py, xlogy,
};
pub use inverse::{acos, acosh, asin, asinh, atan, atan_slope, atanh};

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::{Arith, Mask, Real};
use crate::special;

/// A complex number, or a lane of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

/// A complex scalar function as a type, so that drivers can instantiate it at every lane type.
pub trait ComplexBody<const N: usize>: 'static {
    const NAME: &'static str;
    type Short: ComplexShortWays<N>;
    fn eval<R: Real>(x: [Complex<R>; N]) -> Complex<R>;
}

/// As [`crate::ShortWays`].
pub trait ComplexShortWays<const N: usize> {
    const COUNT: usize = 0;
    const APART: bool = false;
    /// A value and its class.
    #[inline(always)]
    fn value<R: Real>(_way: usize, _z: [Complex<R>; N]) -> (Complex<R>, R) {
        (Complex::lit(0.0, 0.0), R::lit(0.0))
    }
}

impl<const N: usize> ComplexShortWays<N> for () {}

impl<const N: usize> ComplexShortWays<N> for special::Apart {
    const APART: bool = true;
}

impl<T: Arith> Complex<T> {
    /// The number with these parts.
    #[inline(always)]
    pub fn new(re: T, im: T) -> Self {
        Self { re, im }
    }

    /// A constant.
    #[inline(always)]
    pub fn lit(re: f64, im: f64) -> Self {
        Self { re: T::lit(re), im: T::lit(im) }
    }

    /// `a` where the mask is set, else `b`.
    #[inline(always)]
    pub fn select(m: T::Mask, a: Self, b: Self) -> Self {
        Self { re: T::select(m, a.re, b.re), im: T::select(m, a.im, b.im) }
    }

    /// The complex conjugate.
    #[inline(always)]
    pub fn conj(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// `self * self`, the real part as `(x - y)(x + y)`.
    #[inline(always)]
    pub fn square(self) -> Self {
        let cross = self.re * self.im;
        Self { re: (self.re - self.im) * (self.re + self.im), im: cross + cross }
    }

    /// `1 / self`.
    #[inline(always)]
    pub fn reciprocal(self) -> Self {
        Self::lit(1.0, 0.0) / self
    }

    /// Both parts times a real number.
    #[inline(always)]
    pub fn scale(self, k: T) -> Self {
        Self { re: self.re * k, im: self.im * k }
    }

    /// `y + ix`: with it each circular function is its hyperbolic partner, `f(iz)` turned back.
    #[inline(always)]
    pub(crate) fn swap(self) -> Self {
        Self { re: self.im, im: self.re }
    }

    #[inline(always)]
    pub(crate) fn is_inf(self) -> T::Mask {
        let inf = T::lit(f64::INFINITY);
        self.re.abs().eq(inf).or(self.im.abs().eq(inf))
    }

    #[inline(always)]
    pub(crate) fn is_finite(self) -> T::Mask {
        let inf = T::lit(f64::INFINITY);
        self.re.abs().lt(inf).and(self.im.abs().lt(inf))
    }

    /// One of magnitude per part, with the signs kept.
    #[inline(always)]
    fn signs(self) -> Self {
        Self { re: T::lit(1.0).copysign(self.re), im: T::lit(1.0).copysign(self.im) }
    }

    /// The larger of the two magnitudes; infinite when either part is, even beside a NaN, and else NaN when either is.
    #[inline(always)]
    pub(crate) fn max_part(self) -> T {
        let (x, y) = (self.re.abs(), self.im.abs());
        let inf = T::lit(f64::INFINITY);
        T::select(y.le(x).or(x.eq(inf)).or(x.is_nan().and(y.lt(inf))), x, y)
    }
}

impl<T: Arith> Add for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, im: self.im + o.im }
    }
}

impl<T: Arith> Sub for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { re: self.re - o.re, im: self.im - o.im }
    }
}

impl<T: Arith> Mul for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

impl<T: Arith> Div for Complex<T> {
    type Output = Self;
    /// Smith's division with the underflow repair of Baudin and Smith (2012), operands scaled away from both ends of the range.
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let zero = T::lit(0.0);
        let flip = o.re.abs().lt(o.im.abs());
        let r = T::select(flip, o.im, o.re);
        let s = T::select(flip, -o.re, o.im);
        let p = T::select(flip, self.im, self.re);
        let q = T::select(flip, -self.re, self.im);
        // Thresholds that hold in every precision: doubling overflows, or squaring underflows.
        let large = (r.abs() + r.abs()).eq(T::lit(f64::INFINITY));
        let small = (r * r).eq(zero);
        let scale = T::select(large, T::lit(0.25), T::select(small, T::lit(9007199254740992.0), T::lit(1.0)));
        let (r, s, p, q) = (r * scale, s * scale, p * scale, q * scale);
        let ratio = s / r;
        let den = r + s * ratio;
        let tiny = ratio.eq(zero);
        let q_ratio = T::select(tiny, s * (q / r), q * ratio);
        let p_ratio = T::select(tiny, s * (p / r), p * ratio);
        let out = Self { re: (p + q_ratio) / den, im: (q - p_ratio) / den };
        let by_zero = o.re.eq(zero).and(o.im.eq(zero));
        let pole = Self { re: self.re / o.re.abs(), im: self.im / o.re.abs() };
        let out = Self::select(by_zero, pole, out);
        let to_zero = o.is_inf().and(self.is_finite());
        let sign = Self { re: unit_or_zero(o.re), im: -unit_or_zero(o.im) };
        Self::select(to_zero, (self.signs() * sign).scale(zero), out)
    }
}

impl<T: Arith> Neg for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

/// Annex G's box of an infinite operand: one for an infinite part, zero for a finite one, signs kept.
#[inline(always)]
fn unit_or_zero<T: Arith>(x: T) -> T {
    let inf = x.abs().eq(T::lit(f64::INFINITY));
    T::select(inf, T::lit(1.0), T::lit(0.0)).copysign(x)
}

/// A polynomial with real coefficients, from the constant one on, by Horner's rule.
#[inline(always)]
fn polynomial<R: Real>(z: Complex<R>, c: &[f64]) -> Complex<R> {
    let mut sum = Complex::lit(c[c.len() - 1], 0.0);
    for &a in c.iter().rev().skip(1) {
        sum = sum * z;
        sum.re = sum.re + R::lit(a);
    }
    sum
}
