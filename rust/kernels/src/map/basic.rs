//! The basic operators: arithmetic, rounding, comparison, logic and bits.

use super::body::{BoolBody, ComplexPredicateBody, Int, IntBody, IntPredicateBody, PredicateBody};
use sciarray_scalar::{Arith, ArithBody, Complex, ComplexBody, Mask, Real};

/// `operator!(Type, "name", kind N: |arguments| expression)` defines an operator type with the bodies that it has.
macro_rules! operator {
    ($(#[$doc:meta])* $name:ident, $text:literal, $($kind:ident: |$($x:ident),*| $e:expr);+ $(;)?) => {
        $(#[$doc])*
        pub struct $name;
        $(operator!(@ $kind $name $text |$($x),*| $e);)+
    };
    (@ float $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl ArithBody<{ operator!(# $($x)*) }> for $name {
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<R: Arith>([$($x),*]: [R; operator!(# $($x)*)]) -> R {
                $e
            }
        }
    };
    (@ test $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl PredicateBody<{ operator!(# $($x)*) }> for $name {
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<R: Arith>([$($x),*]: [R; operator!(# $($x)*)]) -> R::Mask {
                $e
            }
        }
    };
    (@ int $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl IntBody<{ operator!(# $($x)*) }> for $name {
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<T: Int>([$($x),*]: [T; operator!(# $($x)*)]) -> T {
                $e
            }
        }
    };
    (@ int_test $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl IntPredicateBody<{ operator!(# $($x)*) }> for $name {
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<T: Int>([$($x),*]: [T; operator!(# $($x)*)]) -> bool {
                $e
            }
        }
    };
    (@ complex $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl ComplexBody<{ operator!(# $($x)*) }> for $name {
            type Short = ();
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<R: Real>([$($x),*]: [Complex<R>; operator!(# $($x)*)]) -> Complex<R> {
                $e
            }
        }
    };
    (@ complex_test $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl ComplexPredicateBody<{ operator!(# $($x)*) }> for $name {
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<R: Arith>([$($x),*]: [Complex<R>; operator!(# $($x)*)]) -> R::Mask {
                $e
            }
        }
    };
    (@ bool $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl BoolBody<{ operator!(# $($x)*) }> for $name {
            #[inline(always)]
            fn eval([$($x),*]: [bool; operator!(# $($x)*)]) -> bool {
                $e
            }
        }
    };
    (#) => { 0 };
    (# $head:ident $($tail:ident)*) => { 1 + operator!(# $($tail)*) };
}

operator!(Add, "add", float: |a, b| a + b; int: |a, b| a.add(b); bool: |a, b| a | b);
operator!(Sub, "subtract", float: |a, b| a - b; int: |a, b| a.sub(b));
operator!(Mul, "multiply", float: |a, b| a * b; int: |a, b| a.mul(b); bool: |a, b| a & b);
operator!(Div, "divide", float: |a, b| a / b);
operator!(Neg, "negative", float: |a| -a; int: |a| T::ZERO.sub(a));
operator!(Positive, "positive", float: |a| a; complex: |a| a; int: |a| a; bool: |a| a);
operator!(Abs, "abs", float: |a| a.abs(); int: |a| magnitude(a); bool: |a| a);
operator!(Square, "square", float: |a| a * a; int: |a| a.mul(a); bool: |a| a);
operator!(Reciprocal, "reciprocal", float: |a| R::lit(1.0) / a; int: |a| T::ONE.div_trunc(a));
operator!(
    /// `a * b + c` with one rounding.
    Fma, "fma", float: |a, b, c| a.fma(b, c));
operator!(
    /// `g * d`, and 0 where `g` is exactly 0 whatever `d` is: how gradients are masked.
    StrongZeroMul, "mulz",
    float: |g, d| R::select(g.eq(R::lit(0.0)), R::lit(0.0), g * d); complex: |g, d| strong_zero_mul(g, d));

operator!(
    /// Whether a product is one of 0 and a number that is not finite.
    Indefinite, "indefinite",
    test: |a, b| wild_product(a.eq(R::lit(0.0)), is_finite(a), b.eq(R::lit(0.0)), is_finite(b));
    complex_test: |a, b| wild_product(is_zero(a), all_finite(a), is_zero(b), all_finite(b)));
operator!(
    /// Whether `x` is infinite and `rest` 0, or NaN.
    Settles, "settles", test: |x, rest| is_inf(x).and(rest.abs().gt(R::lit(0.0)).not()));

operator!(
    /// Towards minus infinity, as in Python.
    FloorDivide, "floor_divide", int: |a, b| floor_divide(a, b));
operator!(
    /// With the sign of the divisor, as in Python.
    Remainder, "remainder", int: |a, b| remainder(a, b));
operator!(
    /// With the sign of the dividend, as in C.
    Fmod, "fmod", int: |a, b| a.rem_trunc(b));
operator!(
    /// Not for negative exponents; wraps around.
    Power, "power", int: |a, b| power(a, b));
operator!(Gcd, "gcd", int: |a, b| gcd(a, b));
operator!(Lcm, "lcm", int: |a, b| magnitude(a).div_trunc(gcd(a, b)).mul(magnitude(b)));

operator!(
    /// NaN when either side is.
    Minimum, "minimum",
    float: |a, b| minimum(a, b); int: |a, b| a.min(b); bool: |a, b| a & b);
operator!(
    /// NaN when either side is.
    Maximum, "maximum",
    float: |a, b| maximum(a, b); int: |a, b| a.max(b); bool: |a, b| a | b);
operator!(
    /// The other side when one is NaN.
    Fmin, "fmin",
    float: |a, b| R::select(a.le(b).or(b.is_nan()), a, b); int: |a, b| a.min(b); bool: |a, b| a & b);
operator!(
    /// The other side when one is NaN.
    Fmax, "fmax",
    float: |a, b| R::select(a.ge(b).or(b.is_nan()), a, b); int: |a, b| a.max(b); bool: |a, b| a | b);
operator!(
    /// `minimum(maximum(a, low), high)`.
    Clip, "clip",
    float: |a, low, high| minimum(maximum(a, low), high);
    int: |a, low, high| a.max(low).min(high));

operator!(Sign, "sign", float: |a| sign(a); int: |a| int_sign(a));
operator!(Floor, "floor", float: |a| a.floor(); int: |a| a; bool: |a| a);
operator!(Ceil, "ceil", float: |a| a.ceil(); int: |a| a; bool: |a| a);
operator!(Trunc, "trunc", float: |a| a.trunc(); int: |a| a; bool: |a| a);
operator!(
    /// Ties to even.
    Round, "round", float: |a| a.round(); int: |a| a; bool: |a| a);
operator!(
    /// For complex numbers, as the real part of the result.
    Imag, "imag", complex: |a| Complex::new(a.im, R::lit(0.0)));
operator!(
    /// For complex numbers, as the real part of the result.
    RealPart, "real", complex: |a| a);
operator!(CopySign, "copysign", float: |a, b| a.copysign(b));

operator!(SignBit, "signbit", test: |a| R::lit(1.0).copysign(a).lt(R::lit(0.0)); int_test: |a| a < T::ZERO);
operator!(IsNan, "isnan", test: |a| a.is_nan(); complex_test: |a| a.re.is_nan().or(a.im.is_nan()));
operator!(IsInf, "isinf", test: |a| is_inf(a); complex_test: |a| is_inf(a.re).or(is_inf(a.im)));
operator!(IsFinite, "isfinite", test: |a| is_finite(a); complex_test: |a| all_finite(a));

operator!(Eq, "equal", test: |a, b| a.eq(b); int_test: |a, b| a == b; complex_test: |a, b| a.re.eq(b.re).and(a.im.eq(b.im)); bool: |a, b| a == b);
operator!(Ne, "not_equal", test: |a, b| a.ne(b); int_test: |a, b| a != b; complex_test: |a, b| a.re.ne(b.re).or(a.im.ne(b.im)); bool: |a, b| a ^ b);
operator!(Lt, "less", test: |a, b| a.lt(b); int_test: |a, b| a < b; complex_test: |a, b| before(a, b, a.im.lt(b.im)); bool: |a, b| !a & b);
operator!(Le, "less_equal", test: |a, b| a.le(b); int_test: |a, b| a <= b; complex_test: |a, b| before(a, b, a.im.le(b.im)); bool: |a, b| !a | b);
operator!(Gt, "greater", test: |a, b| a.gt(b); int_test: |a, b| a > b; complex_test: |a, b| before(b, a, b.im.lt(a.im)); bool: |a, b| a & !b);
operator!(Ge, "greater_equal", test: |a, b| a.ge(b); int_test: |a, b| a >= b; complex_test: |a, b| before(b, a, b.im.le(a.im)); bool: |a, b| a | !b);

operator!(LogicalAnd, "logical_and", bool: |a, b| a & b);
operator!(LogicalOr, "logical_or", bool: |a, b| a | b);
operator!(LogicalXor, "logical_xor", bool: |a, b| a ^ b);
operator!(LogicalNot, "logical_not", bool: |a| !a);
operator!(BitAnd, "bitwise_and", int: |a, b| a.and(b); bool: |a, b| a & b);
operator!(BitOr, "bitwise_or", int: |a, b| a.or(b); bool: |a, b| a | b);
operator!(BitXor, "bitwise_xor", int: |a, b| a.xor(b); bool: |a, b| a ^ b);
operator!(BitInvert, "bitwise_invert", int: |a| a.not(); bool: |a| !a);
operator!(ShiftLeft, "bitwise_left_shift", int: |a, b| a.shl(b));
operator!(ShiftRight, "bitwise_right_shift", int: |a, b| a.shr(b));

#[inline(always)]
fn is_inf<R: Arith>(a: R) -> R::Mask {
    a.abs().eq(R::lit(f64::INFINITY))
}

#[inline(always)]
fn is_finite<R: Arith>(a: R) -> R::Mask {
    a.abs().lt(R::lit(f64::INFINITY))
}

/// NumPy's lexicographic order: by the real parts, and by `imag` where these are equal.
#[inline(always)]
fn before<R: Arith>(a: Complex<R>, b: Complex<R>, imag: R::Mask) -> R::Mask {
    let ordered = a.im.is_nan().or(b.im.is_nan()).not();
    a.re.lt(b.re).and(ordered).or(a.re.eq(b.re).and(imag))
}

#[inline(always)]
fn strong_zero_mul<R: Arith>(g: Complex<R>, d: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    Complex::select(is_zero(g), Complex::new(zero, zero), g * d)
}

#[inline(always)]
fn is_zero<R: Arith>(a: Complex<R>) -> R::Mask {
    a.re.eq(R::lit(0.0)).and(a.im.eq(R::lit(0.0)))
}

#[inline(always)]
fn all_finite<R: Arith>(a: Complex<R>) -> R::Mask {
    is_finite(a.re).and(is_finite(a.im))
}

#[inline(always)]
fn wild_product<M: Mask>(a_zero: M, a_finite: M, b_zero: M, b_finite: M) -> M {
    a_zero.and(b_finite.not()).or(b_zero.and(a_finite.not()))
}

#[inline(always)]
fn minimum<R: Arith>(a: R, b: R) -> R {
    R::select(a.lt(b).or(a.is_nan()), a, b)
}

#[inline(always)]
fn maximum<R: Arith>(a: R, b: R) -> R {
    R::select(a.gt(b).or(a.is_nan()), a, b)
}

#[inline(always)]
fn sign<R: Arith>(a: R) -> R {
    let sign = R::select(a.eq(R::lit(0.0)), R::lit(0.0), R::lit(1.0).copysign(a));
    R::select(a.is_nan(), a, sign)
}

#[inline(always)]
fn int_sign<T: Int>(a: T) -> T {
    if a < T::ZERO {
        T::ZERO.sub(T::ONE)
    } else if a > T::ZERO {
        T::ONE
    } else {
        T::ZERO
    }
}

#[inline(always)]
fn has_other_sign<T: Int>(a: T, b: T) -> bool {
    (a < T::ZERO) != (b < T::ZERO)
}

#[inline(always)]
fn magnitude<T: Int>(a: T) -> T {
    if a < T::ZERO { T::ZERO.sub(a) } else { a }
}

#[inline(always)]
fn floor_divide<T: Int>(a: T, b: T) -> T {
    let q = a.div_trunc(b);
    if has_other_sign(a, b) && q.mul(b) != a && b != T::ZERO { q.sub(T::ONE) } else { q }
}

#[inline(always)]
fn remainder<T: Int>(a: T, b: T) -> T {
    let r = a.rem_trunc(b);
    if r != T::ZERO && has_other_sign(r, b) { r.add(b) } else { r }
}

#[inline(always)]
fn power<T: Int>(mut base: T, mut exponent: T) -> T {
    let mut result = T::ONE;
    while exponent != T::ZERO {
        if exponent.and(T::ONE) != T::ZERO {
            result = result.mul(base);
        }
        base = base.mul(base);
        exponent = exponent.half();
    }
    result
}

#[inline(always)]
fn gcd<T: Int>(a: T, b: T) -> T {
    let (mut a, mut b) = (magnitude(a), magnitude(b));
    while b != T::ZERO {
        (a, b) = (b, a.rem_trunc(b));
    }
    magnitude(a)
}
