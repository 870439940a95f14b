//! Complex numbers with derivatives along one or two real directions.

use std::ops::{Add, Mul, Sub};

use super::Complex;
use crate::real::{Real, each, mapped};
use crate::special::dual::Dual;

/// A complex number with derivatives, by its parts.
#[derive(Clone, Copy)]
pub(super) struct ComplexDual<R, const K: usize> {
    pub re: Dual<R, K>,
    pub im: Dual<R, K>,
}

impl<R: Real, const K: usize> ComplexDual<R, K> {
    #[inline(always)]
    pub fn constant(z: Complex<R>) -> Self {
        Self { re: Dual::constant(z.re), im: Dual::constant(z.im) }
    }
    #[inline(always)]
    pub fn lit(v: f64) -> Self {
        Self { re: Dual::lit(v), im: Dual::lit(0.0) }
    }
    /// No number, nor derivatives that are.
    #[inline(always)]
    pub fn nan() -> Self {
        Self { re: Dual::nan(), im: Dual::nan() }
    }
    /// A real number with derivatives as a complex one.
    #[inline(always)]
    pub fn real(d: Dual<R, K>) -> Self {
        Self { re: d, im: Dual::lit(0.0) }
    }
    #[inline(always)]
    pub fn value(self) -> Complex<R> {
        Complex::new(self.re.value(), self.im.value())
    }
    /// The highest derivative that is carried.
    #[inline(always)]
    pub fn top(self) -> Complex<R> {
        Complex::new(self.re.top(), self.im.top())
    }
    /// The derivative along the directions in the bits of the index.
    #[inline(always)]
    pub fn part(self, i: usize) -> Complex<R> {
        Complex::new(self.re.0[i], self.im.0[i])
    }
    /// From its parts.
    #[inline(always)]
    pub fn of(part: impl Fn(usize) -> Complex<R>) -> Self {
        let parts: [Complex<R>; K] = each(part);
        let re = mapped(
            parts,
            #[inline(always)]
            |c| c.re,
        );
        let im = mapped(
            parts,
            #[inline(always)]
            |c| c.im,
        );
        Self { re: Dual(re), im: Dual(im) }
    }
    /// What is linear, of the value and each derivative.
    #[inline(always)]
    pub fn map(self, f: impl Fn(Complex<R>) -> Complex<R>) -> Self {
        Self::of(
            #[inline(always)]
            |i| f(self.part(i)),
        )
    }
    /// `1 / self`, from the inverse `r` of the value.
    #[inline(always)]
    pub fn inverted(self, r: Complex<R>) -> Self {
        let rates = self.turned(r);
        Self::of(
            #[inline(always)]
            |i| match i {
                0 => r,
                3 => ((rates.part(1) * rates.part(2)).scale(R::lit(2.0)) - rates.part(3)) * r,
                _ => -rates.part(i) * r,
            },
        )
    }
    #[inline(always)]
    pub fn times(self, v: R) -> Self {
        Self { re: self.re.times(v), im: self.im.times(v) }
    }
    #[inline(always)]
    pub fn conj(self) -> Self {
        Self { re: self.re, im: -self.im }
    }
    /// Times a complex number that nothing moves.
    #[inline(always)]
    pub fn turned(self, z: Complex<R>) -> Self {
        Self { re: self.re.times(z.re) - self.im.times(z.im), im: self.re.times(z.im) + self.im.times(z.re) }
    }
    /// Times a real number with derivatives.
    #[inline(always)]
    pub fn by(self, d: Dual<R, K>) -> Self {
        Self { re: self.re * d, im: self.im * d }
    }
    /// Divided by a real number with derivatives.
    #[inline(always)]
    pub fn over(self, d: Dual<R, K>) -> Self {
        Self { re: self.re / d, im: self.im / d }
    }
    #[inline(always)]
    pub fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Self { re: Dual::select(m, a.re, b.re), im: Dual::select(m, a.im, b.im) }
    }
    /// `f(x)` from the value and the first two derivatives of `f` at a real `x`.
    #[inline(always)]
    pub fn chain(x: Dual<R, K>, f: [Complex<R>; 3]) -> Self {
        Self { re: x.chain([f[0].re, f[1].re, f[2].re]), im: x.chain([f[0].im, f[1].im, f[2].im]) }
    }
    /// The larger magnitudes of both parts.
    #[inline(always)]
    pub fn magnitudes(self) -> Dual<R, K> {
        Dual(each(
            #[inline(always)]
            |k| self.re.0[k].abs().max(self.im.0[k].abs()),
        ))
    }
    /// The larger of the sizes of both parts, derivatives included.
    #[inline(always)]
    pub fn size(self) -> R {
        self.re.size().max(self.im.size())
    }
}

impl<R: Real, const K: usize> Add for ComplexDual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, im: self.im + o.im }
    }
}

impl<R: Real, const K: usize> Sub for ComplexDual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { re: self.re - o.re, im: self.im - o.im }
    }
}

impl<R: Real, const K: usize> Mul for ComplexDual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}
