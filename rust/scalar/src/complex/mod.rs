//! Complex scalars over any lane type: the basic operators here, the functions in [`functions`].
//!
//! Branch cuts, signed zeros and infinities follow C99 Annex G; multiplication is the plain formula, as in NumPy.

mod functions;
mod inverse;
#[cfg(test)]
mod tests;

pub use functions::{
    abs, angle, cos, cosh, cospi, exp, exp2, expit, expm1, log, log1p, log2, log10, pow, rsqrt, sign, sin, sinc, sinh, sinpi,
    sqrt, tan, tanh,
};
pub use inverse::{acos, acosh, asin, asinh, atan, atanh};

use crate::real::{Arith, Mask, Real};

/// A complex number, or a lane of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

/// A complex scalar function as a type, so that drivers can instantiate it at every lane type.
pub trait ComplexBody<const N: usize>: 'static {
    const NAME: &'static str;
    fn eval<R: Real>(x: [Complex<R>; N]) -> Complex<R>;
}

impl<T: Arith> Complex<T> {
    pub fn new(re: T, im: T) -> Self {
        Self { re, im }
    }

    pub fn lit(re: f64, im: f64) -> Self {
        Self { re: T::lit(re), im: T::lit(im) }
    }

    pub fn select(m: T::Mask, a: Self, b: Self) -> Self {
        Self { re: T::select(m, a.re, b.re), im: T::select(m, a.im, b.im) }
    }

    pub fn add(self, o: Self) -> Self {
        Self { re: self.re.add(o.re), im: self.im.add(o.im) }
    }

    pub fn sub(self, o: Self) -> Self {
        Self { re: self.re.sub(o.re), im: self.im.sub(o.im) }
    }

    pub fn mul(self, o: Self) -> Self {
        Self {
            re: self.re.mul(o.re).sub(self.im.mul(o.im)),
            im: self.re.mul(o.im).add(self.im.mul(o.re)),
        }
    }

    /// Smith's division with the underflow repair of Baudin and Smith (2012), operands scaled away from both ends of the range.
    pub fn div(self, o: Self) -> Self {
        let zero = T::lit(0.0);
        let flip = o.re.abs().lt(o.im.abs());
        let r = T::select(flip, o.im, o.re);
        let s = T::select(flip, o.re.neg(), o.im);
        let p = T::select(flip, self.im, self.re);
        let q = T::select(flip, self.re.neg(), self.im);
        // Thresholds that hold in every precision: doubling overflows, or squaring underflows.
        let large = r.abs().add(r.abs()).eq(T::lit(f64::INFINITY));
        let small = r.mul(r).eq(zero);
        let scale = T::select(large, T::lit(0.25), T::select(small, T::lit(9007199254740992.0), T::lit(1.0)));
        let (r, s, p, q) = (r.mul(scale), s.mul(scale), p.mul(scale), q.mul(scale));
        let ratio = s.div(r);
        let den = r.add(s.mul(ratio));
        let tiny = ratio.eq(zero);
        let q_ratio = T::select(tiny, s.mul(q.div(r)), q.mul(ratio));
        let p_ratio = T::select(tiny, s.mul(p.div(r)), p.mul(ratio));
        let out = Self { re: p.add(q_ratio).div(den), im: q.sub(p_ratio).div(den) };
        let by_zero = o.re.eq(zero).and(o.im.eq(zero));
        let pole = Self { re: self.re.div(o.re.abs()), im: self.im.div(o.re.abs()) };
        let out = Self::select(by_zero, pole, out);
        let to_zero = o.is_inf().and(self.is_finite());
        let sign = Self { re: unit_or_zero(o.re), im: unit_or_zero(o.im).neg() };
        Self::select(to_zero, self.signs().mul(sign).scale(zero), out)
    }

    pub fn neg(self) -> Self {
        Self { re: self.re.neg(), im: self.im.neg() }
    }

    pub fn conj(self) -> Self {
        Self { re: self.re, im: self.im.neg() }
    }

    /// `self * self`, the real part as `(x - y)(x + y)`.
    pub fn square(self) -> Self {
        let cross = self.re.mul(self.im);
        Self { re: self.re.sub(self.im).mul(self.re.add(self.im)), im: cross.add(cross) }
    }

    pub fn reciprocal(self) -> Self {
        Self::lit(1.0, 0.0).div(self)
    }

    /// Both parts times a real number.
    pub fn scale(self, k: T) -> Self {
        Self { re: self.re.mul(k), im: self.im.mul(k) }
    }

    /// `y + ix`: with it each circular function is its hyperbolic partner, `f(iz)` turned back.
    pub(crate) fn swap(self) -> Self {
        Self { re: self.im, im: self.re }
    }

    pub(crate) fn is_inf(self) -> T::Mask {
        let inf = T::lit(f64::INFINITY);
        self.re.abs().eq(inf).or(self.im.abs().eq(inf))
    }

    pub(crate) fn is_finite(self) -> T::Mask {
        let inf = T::lit(f64::INFINITY);
        self.re.abs().lt(inf).and(self.im.abs().lt(inf))
    }

    /// One of magnitude per part, with the signs kept.
    fn signs(self) -> Self {
        Self { re: T::lit(1.0).copysign(self.re), im: T::lit(1.0).copysign(self.im) }
    }

    /// The larger of the two magnitudes; infinite when either part is, even beside a NaN.
    pub(crate) fn max_part(self) -> T {
        let (x, y) = (self.re.abs(), self.im.abs());
        T::select(y.le(x).or(x.eq(T::lit(f64::INFINITY))), x, y)
    }
}

/// Annex G's box of an infinite operand: one for an infinite part, zero for a finite one, signs kept.
fn unit_or_zero<T: Arith>(x: T) -> T {
    let inf = x.abs().eq(T::lit(f64::INFINITY));
    T::select(inf, T::lit(1.0), T::lit(0.0)).copysign(x)
}

/// The registry: a zero-sized type per function, with its name, its number of arguments and its body.
macro_rules! complex_bodies {
    ($($ty:ident $n:literal $name:literal ($($z:ident),+) $body:expr;)*) => {$(
        #[doc = concat!("Complex `", $name, "`.")]
        pub struct $ty;
        impl ComplexBody<$n> for $ty {
            const NAME: &'static str = $name;
            #[inline(always)]
            fn eval<R: Real>([$($z),+]: [Complex<R>; $n]) -> Complex<R> {
                $body
            }
        }
    )*

        /// The names in the registry with their numbers of arguments.
        pub const NAMES: &[(&str, usize)] = &[$(($name, $n)),*];

        /// Evaluates a registered function of `args.len()` arguments by name.
        pub fn by_name<R: Real>(name: &str, args: &[Complex<R>]) -> Option<Complex<R>> {
            match name {
                $($name => Some(<$ty as ComplexBody<$n>>::eval(args.try_into().ok()?)),)*
                _ => None,
            }
        }
    };
}

/// Zero-sized types of the complex functions.
pub mod bodies {
    use super::{Complex, ComplexBody};
    use crate::real::{Arith, Real};

    complex_bodies! {
        Add 2 "add" (z, w) z.add(w);
        Subtract 2 "subtract" (z, w) z.sub(w);
        Multiply 2 "multiply" (z, w) z.mul(w);
        Divide 2 "divide" (z, w) z.div(w);
        Negative 1 "negative" (z) z.neg();
        Conj 1 "conj" (z) z.conj();
        Square 1 "square" (z) z.square();
        Reciprocal 1 "reciprocal" (z) z.reciprocal();
        Abs 1 "abs" (z) Complex::new(super::abs(z), R::lit(0.0));
        Angle 1 "angle" (z) Complex::new(super::angle(z), R::lit(0.0));
        Sign 1 "sign" (z) super::sign(z);
        Exp 1 "exp" (z) super::exp(z);
        Exp2 1 "exp2" (z) super::exp2(z);
        Expm1 1 "expm1" (z) super::expm1(z);
        Log 1 "log" (z) super::log(z);
        Log1p 1 "log1p" (z) super::log1p(z);
        Log2 1 "log2" (z) super::log2(z);
        Log10 1 "log10" (z) super::log10(z);
        Sqrt 1 "sqrt" (z) super::sqrt(z);
        Rsqrt 1 "rsqrt" (z) super::rsqrt(z);
        Pow 2 "pow" (z, w) super::pow(z, w);
        Sin 1 "sin" (z) super::sin(z);
        Cos 1 "cos" (z) super::cos(z);
        Tan 1 "tan" (z) super::tan(z);
        Sinh 1 "sinh" (z) super::sinh(z);
        Cosh 1 "cosh" (z) super::cosh(z);
        Tanh 1 "tanh" (z) super::tanh(z);
        Asin 1 "asin" (z) super::asin(z);
        Acos 1 "acos" (z) super::acos(z);
        Atan 1 "atan" (z) super::atan(z);
        Asinh 1 "asinh" (z) super::asinh(z);
        Acosh 1 "acosh" (z) super::acosh(z);
        Atanh 1 "atanh" (z) super::atanh(z);
        Sinpi 1 "sinpi" (z) super::sinpi(z);
        Cospi 1 "cospi" (z) super::cospi(z);
        Sinc 1 "sinc" (z) super::sinc(z);
        Expit 1 "expit" (z) super::expit(z);
    }
}
