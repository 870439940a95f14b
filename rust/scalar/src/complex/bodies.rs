//! The registry of the complex functions: each as a type, one line per function.

use super::{Complex, ComplexBody};
use crate::real::Real;

/// What [`for_each`] shows a registered function to.
pub trait Visitor {
    fn visit<const N: usize, B: ComplexBody<N>>(&mut self);
}

/// A real result as a complex number.
#[inline(always)]
fn real<R: Real>(x: R) -> Complex<R> {
    Complex::new(x, R::lit(0.0))
}

macro_rules! complex_bodies {
    ($($body:ident($($z:ident),+) = $name:literal, $value:expr;)*) => {
        $(
            #[doc = concat!("Complex `", $name, "` as a type.")]
            pub struct $body;
            impl ComplexBody<{ [$(stringify!($z)),+].len() }> for $body {
                const NAME: &'static str = $name;
                #[inline(always)]
                fn eval<R: Real>([$($z),+]: [Complex<R>; [$(stringify!($z)),+].len()]) -> Complex<R> {
                    $value
                }
            }
        )*
        /// Shows every registered function to the visitor.
        pub fn for_each(visitor: &mut impl Visitor) {
            $(visitor.visit::<{ [$(stringify!($z)),+].len() }, $body>();)*
        }
    };
}

complex_bodies! {
    Add(z, w) = "add", z + w;
    Subtract(z, w) = "subtract", z - w;
    Multiply(z, w) = "multiply", z * w;
    Divide(z, w) = "divide", z / w;
    Negative(z) = "negative", -z;
    Conj(z) = "conj", z.conj();
    Square(z) = "square", z.square();
    Reciprocal(z) = "reciprocal", z.reciprocal();
    Abs(z) = "abs", real(super::abs(z));
    Angle(z) = "angle", real(super::angle(z));
    Sign(z) = "sign", super::sign(z);
    Exp(z) = "exp", super::exp(z);
    Exp2(z) = "exp2", super::exp2(z);
    Expm1(z) = "expm1", super::expm1(z);
    Log(z) = "log", super::log(z);
    Log1p(z) = "log1p", super::log1p(z);
    Log2(z) = "log2", super::log2(z);
    Log10(z) = "log10", super::log10(z);
    Sqrt(z) = "sqrt", super::sqrt(z);
    Rsqrt(z) = "rsqrt", super::rsqrt(z);
    Pow(z, w) = "pow", super::pow(z, w);
    Sin(z) = "sin", super::sin(z);
    Cos(z) = "cos", super::cos(z);
    Tan(z) = "tan", super::tan(z);
    Sinh(z) = "sinh", super::sinh(z);
    Cosh(z) = "cosh", super::cosh(z);
    Tanh(z) = "tanh", super::tanh(z);
    Asin(z) = "asin", super::asin(z);
    Acos(z) = "acos", super::acos(z);
    Atan(z) = "atan", super::atan(z);
    Asinh(z) = "asinh", super::asinh(z);
    Acosh(z) = "acosh", super::acosh(z);
    Atanh(z) = "atanh", super::atanh(z);
    Sinpi(z) = "sinpi", super::sinpi(z);
    Cospi(z) = "cospi", super::cospi(z);
    Sinc(z) = "sinc", super::sinc(z);
    Expit(z) = "expit", super::expit(z);
}
