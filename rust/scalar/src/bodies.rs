//! The registry: each scalar function as a type, one line per function.

use crate::elementary;
use crate::real::{Body, Real};

/// What [`for_each`] shows a registered function to.
pub trait Visitor {
    fn visit<const N: usize, B: Body<N>>(&mut self);
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $body:ident($($x:ident),+) = $name:literal, $path:path;)*) => {
        $(
            #[doc = concat!("`", $name, "` as a type.")]
            pub struct $body;
            impl Body<{ [$(stringify!($x)),+].len() }> for $body {
                const NAME: &'static str = $name;
                #[inline(always)]
                fn eval<R: Real>([$($x),+]: [R; [$(stringify!($x)),+].len()]) -> R {
                    $path($($x),+)
                }
            }
        )*
        /// Shows every registered function to the visitor.
        pub fn for_each(visitor: &mut impl Visitor) {
            $(visitor.visit::<{ [$(stringify!($x)),+].len() }, $body>();)*
        }
    };
}

bodies! {
    Exp(x) = "exp", elementary::exp;
    Exp2(x) = "exp2", elementary::exp2;
    Exp10(x) = "exp10", elementary::exp10;
    Expm1(x) = "expm1", elementary::expm1;
    Log(x) = "log", elementary::log;
    Log2(x) = "log2", elementary::log2;
    Log10(x) = "log10", elementary::log10;
    Log1p(x) = "log1p", elementary::log1p;
    Sin(x) = "sin", elementary::sin;
    Cos(x) = "cos", elementary::cos;
    Tan(x) = "tan", elementary::tan;
    Sinpi(x) = "sinpi", elementary::sinpi;
    Cospi(x) = "cospi", elementary::cospi;
    Tanpi(x) = "tanpi", elementary::tanpi;
    Sinc(x) = "sinc", elementary::sinc;
}
