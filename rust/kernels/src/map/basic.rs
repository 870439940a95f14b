//! The basic operators: arithmetic, rounding, comparison, logic and bits.

use super::body::{BoolBody, Int, IntBody, IntPredicateBody, PredicateBody};
use sciarray_scalar::{Arith, ArithBody, Body, Mask, Real};

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
    (@ real $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl Body<{ operator!(# $($x)*) }> for $name {
            const NAME: &'static str = $text;
            #[inline(always)]
            fn eval<R: Real>([$($x),*]: [R; operator!(# $($x)*)]) -> R {
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
            #[inline(always)]
            fn eval<T: Int>([$($x),*]: [T; operator!(# $($x)*)]) -> T {
                $e
            }
        }
    };
    (@ int_test $name:ident $text:literal |$($x:ident),*| $e:expr) => {
        impl IntPredicateBody<{ operator!(# $($x)*) }> for $name {
            #[inline(always)]
            fn eval<T: Int>([$($x),*]: [T; operator!(# $($x)*)]) -> bool {
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

operator!(Add, "add", float: |a, b| a.add(b); int: |a, b| a.add(b); bool: |a, b| a | b);
operator!(Sub, "subtract", float: |a, b| a.sub(b); int: |a, b| a.sub(b));
operator!(Mul, "multiply", float: |a, b| a.mul(b); int: |a, b| a.mul(b); bool: |a, b| a & b);
operator!(Div, "divide", float: |a, b| a.div(b));
operator!(Neg, "negative", float: |a| a.neg(); int: |a| T::ZERO.sub(a));
operator!(Positive, "positive", float: |a| a; int: |a| a; bool: |a| a);
operator!(Abs, "abs", float: |a| a.abs(); int: |a| magnitude(a); bool: |a| a);
operator!(Square, "square", float: |a| a.mul(a); int: |a| a.mul(a); bool: |a| a);
operator!(Reciprocal, "reciprocal", float: |a| R::lit(1.0).div(a); int: |a| T::ONE.div_trunc(a));
operator!(Sqrt, "sqrt", float: |a| a.sqrt());
operator!(
    /// `a * b + c` with one rounding.
    Fma, "fma", float: |a, b, c| a.fma(b, c));
operator!(
    /// `g * d`, and 0 where `g` is exactly 0 whatever `d` is: how gradients are masked.
    StrongZeroMul, "mulz", float: |g, d| R::select(g.eq(R::lit(0.0)), R::lit(0.0), g.mul(d)));

operator!(FloorDivide, "floor_divide",
real: |a, b| floor_divide(a, b);
int: |a, b| {
    let q = a.div_trunc(b);
    if has_other_sign(a, b) && q.mul(b) != a && b != T::ZERO { q.sub(T::ONE) } else { q }
});
operator!(
/// With the sign of the divisor, as in Python.
Remainder, "remainder",
real: |a, b| remainder(a, b);
int: |a, b| {
    let r = a.rem_trunc(b);
    if r != T::ZERO && has_other_sign(r, b) { r.add(b) } else { r }
});
operator!(
    /// With the sign of the dividend, as in C; exact.
    Fmod, "fmod", real: |a, b| fmod(a, b); int: |a, b| a.rem_trunc(b));
operator!(
    /// Integers only, and not for negative exponents; wraps around.
    Power, "power", int: |a, b| power(a, b));
operator!(Gcd, "gcd", int: |a, b| gcd(a, b));
operator!(Lcm, "lcm", int: |a, b| magnitude(a.div_trunc(gcd(a, b)).mul(b)));

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

operator!(Sign, "sign",
    float: |a| {
        let magnitude = R::select(a.eq(R::lit(0.0)), R::lit(0.0), R::lit(1.0).copysign(a));
        R::select(a.is_nan(), a, magnitude)
    };
    int: |a| if a > T::ZERO { T::ONE } else if a < T::ZERO { T::ZERO.sub(T::ONE) } else { T::ZERO });
operator!(Floor, "floor", float: |a| a.floor(); int: |a| a; bool: |a| a);
operator!(Ceil, "ceil", float: |a| a.ceil(); int: |a| a; bool: |a| a);
operator!(Trunc, "trunc", float: |a| a.trunc(); int: |a| a; bool: |a| a);
operator!(
    /// Ties to even.
    Round, "round", float: |a| a.round(); int: |a| a; bool: |a| a);
operator!(CopySign, "copysign", float: |a, b| a.copysign(b));

operator!(SignBit, "signbit", test: |a| R::lit(1.0).copysign(a).lt(R::lit(0.0)); int_test: |a| a < T::ZERO);
operator!(IsNan, "isnan", test: |a| a.is_nan());
operator!(IsInf, "isinf", test: |a| a.abs().eq(R::lit(f64::INFINITY)));
operator!(IsFinite, "isfinite", test: |a| a.abs().lt(R::lit(f64::INFINITY)));

operator!(Eq, "equal", test: |a, b| a.eq(b); int_test: |a, b| a == b; bool: |a, b| a == b);
operator!(Ne, "not_equal", test: |a, b| a.ne(b); int_test: |a, b| a != b; bool: |a, b| a ^ b);
operator!(Lt, "less", test: |a, b| a.lt(b); int_test: |a, b| a < b; bool: |a, b| !a & b);
operator!(Le, "less_equal", test: |a, b| a.le(b); int_test: |a, b| a <= b; bool: |a, b| !a | b);
operator!(Gt, "greater", test: |a, b| a.gt(b); int_test: |a, b| a > b; bool: |a, b| a & !b);
operator!(Ge, "greater_equal", test: |a, b| a.ge(b); int_test: |a, b| a >= b; bool: |a, b| a | !b);

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
fn minimum<R: Arith>(a: R, b: R) -> R {
    R::select(a.lt(b).or(a.is_nan()), a, b)
}

#[inline(always)]
fn maximum<R: Arith>(a: R, b: R) -> R {
    R::select(a.gt(b).or(a.is_nan()), a, b)
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

/// The exact remainder with the sign of `a`.
///
/// Long division in base 2^53: for `r` and `b` positive, `q` the rounded quotient, `r - q b` is a multiple of the last place of `b`
/// and below half an ulp of `q` times `b`, so that one `fma` has it without error, and it is congruent to `r`.
#[inline(always)]
pub fn fmod<R: Real>(a: R, b: R) -> R {
    R::call("fmod", [a, b], |[a, b]| {
        let zero = R::lit(0.0);
        let divisor = b.abs();
        // A power of two times the divisor for quotients that overflow; twice the factor, because 2^1074 is no float.
        let factor = R::select(divisor.lt(R::lit(TWO_M200)), R::lit(TWO_537), R::lit(TWO_150));
        let multiple = divisor.mul(factor).mul(factor);
        let [r] = R::repeat([a.abs()], 64, |[r]| {
            let overflows = r.div(divisor).abs().gt(R::lit(f64::MAX));
            let d = R::select(overflows, multiple, divisor);
            let q = r.div(d);
            let q = R::select(q.abs().lt(R::lit(TWO_52)), q.trunc(), q);
            let r = q.neg().fma(d, r);
            ([r], r.abs().ge(divisor))
        });
        // The rounded quotient may have been one too large.
        let r = R::select(r.lt(zero), r.add(divisor), r).copysign(a);
        let infinity = R::lit(f64::INFINITY);
        let r = R::select(divisor.eq(infinity).and(a.abs().lt(infinity)), a, r);
        R::select(divisor.eq(zero).or(a.abs().eq(infinity)).or(a.is_nan()).or(b.is_nan()), R::lit(f64::NAN), r)
    })
}

const TWO_52: f64 = (1u64 << 52) as f64;
const TWO_150: f64 = f64::from_bits((1023 + 150) << 52);
const TWO_537: f64 = f64::from_bits((1023 + 537) << 52);
const TWO_M200: f64 = f64::from_bits((1023 - 200) << 52);

#[inline(always)]
fn remainder<R: Real>(a: R, b: R) -> R {
    let zero = R::lit(0.0);
    let r = fmod(a, b);
    let moved = R::select(has_sign_mismatch(r, b), r.add(b), r);
    R::select(r.eq(zero), zero.copysign(b), moved)
}

/// NumPy's rule: the quotient of what is left after the remainder, rounded down, signed zeros as in `a / b`.
#[inline(always)]
fn floor_divide<R: Real>(a: R, b: R) -> R {
    let zero = R::lit(0.0);
    let r = fmod(a, b);
    let q = a.sub(r).div(b);
    let q = R::select(has_sign_mismatch(r, b), q.sub(R::lit(1.0)), q);
    let floor = q.floor();
    let floor = R::select(q.sub(floor).gt(R::lit(0.5)), floor.add(R::lit(1.0)), floor);
    let q = R::select(q.eq(zero), zero.copysign(a.div(b)), floor);
    R::select(b.eq(zero), a.div(b), q)
}

/// Whether the remainder is not zero and lies on the other side of zero than the divisor.
#[inline(always)]
fn has_sign_mismatch<R: Real>(r: R, b: R) -> R::Mask {
    let zero = R::lit(0.0);
    r.lt(zero).and(zero.lt(b)).or(zero.lt(r).and(b.lt(zero)))
}
