//! Double-double arithmetic: an unevaluated sum `hi + lo` of about twice the working precision.
//!
//! T. J. Dekker, "A floating-point technique for extending the available precision", 1971, with `fma` for exact products
//! (M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
//! arithmetic", 2017). An infinite or overflowing `hi` leaves a NaN in `lo`; callers select such cases away.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::Arith;

/// The unevaluated sum `hi + lo`.
#[derive(Clone, Copy, Debug)]
pub struct Dd<R> {
    pub hi: R,
    pub lo: R,
}

impl<R: Arith> Dd<R> {
    /// The pair as it is; `lo` may be unnormalized.
    #[inline(always)]
    pub fn new(hi: R, lo: R) -> Self {
        Dd { hi, lo }
    }
    /// A constant given by its leading double and the double nearest to the rest.
    #[inline(always)]
    pub fn lit(hi: f64, lo: f64) -> Self {
        Dd { hi: R::lit(hi), lo: R::lit(lo) }
    }
    /// `a + b` exactly.
    #[inline(always)]
    pub fn two_sum(a: R, b: R) -> Self {
        let hi = a + b;
        let bb = hi - a;
        Dd { hi, lo: (a - (hi - bb)) + (b - bb) }
    }
    /// `a + b` exactly, where `|a| >= |b|` or `a` is zero.
    #[inline(always)]
    pub fn fast_two_sum(a: R, b: R) -> Self {
        let hi = a + b;
        Dd { hi, lo: b - (hi - a) }
    }
    /// `a * b` exactly, if the error term does not underflow.
    #[inline(always)]
    pub fn two_prod(a: R, b: R) -> Self {
        let hi = a * b;
        Dd { hi, lo: a.fma(b, -hi) }
    }
    /// `hi` becomes the nearest double to the sum.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        Dd::fast_two_sum(self.hi, self.lo)
    }
    /// The sum rounded to one double.
    #[inline(always)]
    pub fn value(self) -> R {
        self.hi + self.lo
    }
    /// `self + b` for one double.
    #[inline(always)]
    pub fn plus(self, b: R) -> Self {
        let s = Dd::two_sum(self.hi, b);
        Dd::fast_two_sum(s.hi, s.lo + self.lo)
    }
    /// `self * b` for one double.
    #[inline(always)]
    pub fn times(self, b: R) -> Self {
        let p = Dd::two_prod(self.hi, b);
        Dd::fast_two_sum(p.hi, self.lo.fma(b, p.lo))
    }
    /// Multiplication by a power of two.
    #[inline(always)]
    pub fn times_pow2(self, b: R) -> Self {
        Dd { hi: self.hi * b, lo: self.lo * b }
    }
    /// The quotient rounded to one double, within a hair of half an ulp.
    #[inline(always)]
    pub fn quotient(self, d: Self) -> R {
        let inverse = R::lit(1.0) / d.hi;
        let q = self.hi * inverse;
        (((-q).fma(d.hi, self.hi) + (-q).fma(d.lo, self.lo)) * inverse) + q
    }
    /// Square root; infinity is left to the caller.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let s = self.hi.sqrt();
        let rest = (-s).fma(s, self.hi) + self.lo;
        let double = R::select(s.eq(R::lit(0.0)), R::lit(1.0), s + s);
        Dd::fast_two_sum(s, rest / double)
    }
    /// `a` where the mask is set, else `b`.
    #[inline(always)]
    pub fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Dd { hi: R::select(m, a.hi, b.hi), lo: R::select(m, a.lo, b.lo) }
    }
}

impl<R: Arith> Add for Dd<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let s = Dd::two_sum(self.hi, o.hi);
        let t = Dd::two_sum(self.lo, o.lo);
        let s = Dd::fast_two_sum(s.hi, s.lo + t.hi);
        Dd::fast_two_sum(s.hi, s.lo + t.lo)
    }
}

impl<R: Arith> Sub for Dd<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl<R: Arith> Mul for Dd<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let p = Dd::two_prod(self.hi, o.hi);
        Dd::fast_two_sum(p.hi, p.lo + self.hi.fma(o.lo, self.lo * o.hi))
    }
}

impl<R: Arith> Div for Dd<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, d: Self) -> Self {
        let inverse = R::lit(1.0) / d.hi;
        let q = self.hi * inverse;
        let rest = (-q).fma(d.hi, self.hi) + (-q).fma(d.lo, self.lo);
        Dd::fast_two_sum(q, rest * inverse)
    }
}

impl<R: Arith> Neg for Dd<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Dd { hi: -self.hi, lo: -self.lo }
    }
}
