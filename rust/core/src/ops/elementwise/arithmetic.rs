//! Arithmetic, rounding, extrema and complex parts.

use super::{Promote, RowRule, rows};
use crate::array::{Array, Scalar};
use crate::dtype::{DType, promote};
use crate::expr::E;
use crate::fail;
use crate::op::Saves;
use crate::ops;
use crate::shape::Axes;
use num_complex::Complex as Number;
use sciarray_kernels::map::{Int, IntBody, Kernels, basic as b};
use sciarray_kernels::reduce::Reduce as Kind;
use sciarray_scalar::complex::bodies as c;
use sciarray_scalar::{Arith, ArithBody, Body, Complex, ComplexBody, Mask, Real, bodies as sb};

/// 1 where `a` wins, 1/2 where both are equal: ties share the gradient.
fn share(wins: &'static super::Elementwise, a: &E, o: &E) -> E {
    let as_float = |m: E| m.map(|m| ops::cast(m, a.0.as_ref().map_or(DType::F64, Array::dtype)));
    let won = as_float(E::call(wins, [a, o]));
    let tied = as_float(E::call(&super::EQUAL, [a, o]));
    won + 0.5 * tied
}

/// `x` where the mask is false, 0 where it is set.
pub(super) fn zero_where(mask: &E, x: E) -> E {
    E::call(&super::WHERE, [mask, &x.lit(0.0), &x])
}

/// `x`, with the limit `value` where `of` is `at`.
pub(super) fn limit_at(of: &E, at: f64, value: f64, x: E) -> E {
    E::call(&super::WHERE, [&E::call(&super::EQUAL, [of, &of.lit(at)]), &x.lit(value), &x])
}

rows! {
    ADD {
        name: "add",
        args: &["x1", "x2"],
        doc: "Sum ``x1 + x2``; integers wrap around, bool is logical or.",
        example: ">>> sa.add(sa.asarray([1.0, 2.0]), 0.5)
                  array([1.5, 2.5])",
        reference: "numpy.add",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Add, 2>().with_int::<b::Add, 2>().with_bool::<b::Add, 2>()
            .with_complex::<c::Add, 2>(),
        rule: RowRule::Linear(|_, _, g| g.clone()),
    }
    SUBTRACT {
        name: "subtract",
        args: &["x1", "x2"],
        doc: "Difference ``x1 - x2``; integers wrap around, bool is refused as in NumPy.",
        example: ">>> sa.subtract(sa.asarray([1.0, 2.0]), 0.5)
                  array([0.5, 1.5])",
        reference: "numpy.subtract",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Sub, 2>().with_int::<b::Sub, 2>()
            .with_complex::<c::Subtract, 2>(),
        rule: RowRule::Linear(|i, _, g| if i == 0 { g.clone() } else { -g }),
    }
    MULTIPLY {
        name: "multiply",
        args: &["x1", "x2"],
        doc: "Product ``x1 * x2``; integers wrap around, bool is logical and.",
        example: ">>> sa.multiply(sa.asarray([1.0, 2.0]), 0.5)
                  array([0.5, 1. ])",
        reference: "numpy.multiply",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Mul, 2>().with_int::<b::Mul, 2>().with_bool::<b::Mul, 2>()
            .with_complex::<c::Multiply, 2>(),
        rule: RowRule::Partials(&[|x, _| x[1].clone(), |x, _| x[0].clone()]),
    }
    MULZ {
        name: "mulz",
        args: &["g", "d"],
        doc: "Product ``g * d``, exactly 0 where ``g`` is 0: what gradients are multiplied with.",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::StrongZeroMul, 2>()
            .with_complex::<b::StrongZeroMul, 2>(),
        rule: RowRule::Multilinear(|i, ctx, c| {
            let other = E::of(ctx.input(1 - i)).map(ops::conj);
            let product = E::call(&MULZ, [c, &other]);
            // A zero `g` has no influence through `d`, whatever comes back.
            if i == 0 { product } else { zero_where(&E::call(&super::EQUAL, [&other, &other.lit(0.0)]), product) }
        }),
        namespace: "-",
    }
    DIVIDE {
        name: "divide",
        args: &["x1", "x2"],
        doc: "Quotient ``x1 / x2`` in floating point.",
        example: ">>> sa.divide(sa.asarray([1, 2]), 4)
                  array([0.25, 0.5 ])",
        reference: "numpy.divide",
        kernels: Kernels::arith::<b::Div, 2>()
            .with_complex::<c::Divide, 2>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / &x[1], |x, y| -(y / &x[1])]),
        saves: Saves::ALL,
    }
    FLOOR_DIVIDE {
        name: "floor_divide",
        args: &["x1", "x2"],
        doc: "Largest integer not above ``x1 / x2``; infinities as in NumPy, integer division by zero gives 0.",
        example: ">>> sa.floor_divide(sa.asarray([7, -7]), 2)
                  array([ 3, -4])",
        reference: "numpy.floor_divide",
        promote: Promote::Common,
        kernels: Kernels::real::<sb::FloorDivide, 2>().with_int::<b::FloorDivide, 2>(),
    }
    REMAINDER {
        name: "remainder",
        args: &["x1", "x2"],
        doc: "Remainder of floor division, with the sign of ``x2``.",
        example: ">>> sa.remainder(sa.asarray([7, -7]), 3)
                  array([1, 2])",
        reference: "numpy.remainder",
        promote: Promote::Common,
        kernels: Kernels::real::<sb::Remainder, 2>().with_int::<b::Remainder, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ONES_LIKE, [&x[0]]),
            |x, _| -E::call(&FLOOR_DIVIDE, [&x[0], &x[1]]),
        ]),
    }
    FMOD {
        name: "fmod",
        args: &["x1", "x2"],
        doc: "Remainder of truncating division, with the sign of ``x1``; exact.",
        example: ">>> sa.fmod(sa.asarray([7.0, -7.0]), 3)
                  array([ 1., -1.])",
        reference: "numpy.fmod",
        promote: Promote::Common,
        kernels: Kernels::real::<sb::Fmod, 2>().with_int::<b::Fmod, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ONES_LIKE, [&x[0]]),
            |x, y| -E::call(&ROUND, [&((&x[0] - y) / &x[1])]),
        ]),
        saves: Saves::ALL,
    }
    NEGATIVE {
        name: "negative",
        doc: "Negation ``-x``; integers wrap around, bool is refused as in NumPy.",
        example: ">>> sa.negative(sa.asarray([1.0, -2.0]))
                  array([-1.,  2.])",
        reference: "numpy.negative",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Neg, 1>().with_int::<b::Neg, 1>()
            .with_complex::<c::Negative, 1>(),
        rule: RowRule::Linear(|_, _, g| -g),
    }
    POSITIVE {
        name: "positive",
        doc: "The argument ``+x``.",
        example: ">>> sa.positive(sa.asarray([1.0, -2.0]))
                  array([ 1., -2.])",
        reference: "numpy.positive",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Positive, 1>().with_int::<b::Positive, 1>()
            .with_complex::<b::Positive, 1>(),
        rule: RowRule::Linear(|_, _, g| g.clone()),
    }
    ABS {
        name: "abs",
        doc: "Magnitude; the gradient at 0 is 0.",
        example: ">>> sa.abs(sa.asarray([-1.5, 2.0]))
                  array([1.5, 2. ])",
        reference: "numpy.abs",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Abs, 1>().with_int::<b::Abs, 1>().with_bool::<b::Abs, 1>()
            .with_complex_to_real::<c::Abs, 1>(),
        rule: RowRule::RealValued(|x, _| E::call(&SIGN, [&x[0]])),
    }
    SIGN {
        name: "sign",
        doc: "-1, 0 or 1 by the sign; ``z / |z|`` for complex numbers, 0 at 0.",
        example: ">>> sa.sign(sa.asarray([-1.5, 0.0, 2.0]))
                  array([-1.,  0.,  1.])",
        reference: "numpy.sign",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Sign, 1>().with_int::<b::Sign, 1>()
            .with_complex::<c::Sign, 1>(),
        rule: RowRule::SelfAdjoint(|x, y, g| {
            if !g.is_complex() {
                return g.zero();
            }
            let radial = E::call(&REAL, [&(&E::call(&CONJ, [y]) * g)]);
            let r = E::call(&ABS, [x]);
            zero_where(&E::call(&super::EQUAL, [&r, &r.lit(0.0)]), (g - y * &radial) / &r)
        }),
        saves: Saves::ALL,
    }
    SQUARE {
        name: "square",
        doc: "Square ``x * x``.",
        example: ">>> sa.square(sa.asarray([1.0, -3.0]))
                  array([1., 9.])",
        reference: "numpy.square",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Square, 1>().with_int::<b::Square, 1>()
            .with_complex::<c::Square, 1>(),
        rule: RowRule::Partials(&[|x, _| 2.0 * &x[0]]),
    }
    RECIPROCAL {
        name: "reciprocal",
        doc: "Inverse ``1 / x``; integers are divided as integers.",
        example: ">>> sa.reciprocal(sa.asarray([2.0, -4.0]))
                  array([ 0.5 , -0.25])",
        reference: "numpy.reciprocal",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Reciprocal, 1>().with_int::<b::Reciprocal, 1>()
            .with_complex::<c::Reciprocal, 1>(),
        rule: RowRule::Partials(&[|_, y| -E::call(&SQUARE, [y])]),
        saves: Saves::OUTPUT,
    }
    SQRT {
        name: "sqrt",
        doc: "Square root, the principal one for complex numbers.",
        example: ">>> sa.sqrt(sa.asarray([4.0, 2.25]))
                  array([2. , 1.5])",
        reference: "numpy.sqrt",
        kernels: Kernels::real::<sb::Sqrt, 1>()
            .with_complex::<c::Sqrt, 1>(),
        rule: RowRule::Partials(&[|_, y| 0.5 / y]),
        saves: Saves::OUTPUT,
        domain: &[(0.0, 1e3)],
    }
    FLOOR {
        name: "floor",
        doc: "Largest integer not above ``x``, in the dtype of ``x``.",
        example: ">>> sa.floor(sa.asarray([-1.5, 1.5]))
                  array([-2.,  1.])",
        reference: "numpy.floor",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Floor, 1>().with_int::<b::Floor, 1>().with_bool::<b::Floor, 1>(),
    }
    CEIL {
        name: "ceil",
        doc: "Smallest integer not below ``x``, in the dtype of ``x``.",
        example: ">>> sa.ceil(sa.asarray([-1.5, 1.5]))
                  array([-1.,  2.])",
        reference: "numpy.ceil",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Ceil, 1>().with_int::<b::Ceil, 1>().with_bool::<b::Ceil, 1>(),
    }
    TRUNC {
        name: "trunc",
        doc: "The integer next to ``x`` towards 0, in the dtype of ``x``.",
        example: ">>> sa.trunc(sa.asarray([-1.5, 1.5]))
                  array([-1.,  1.])",
        reference: "numpy.trunc",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Trunc, 1>().with_int::<b::Trunc, 1>().with_bool::<b::Trunc, 1>(),
    }
    ROUND {
        name: "rint",
        doc: "The nearest integer, ties to even, in the dtype of ``x``.",
        example: ">>> sa.rint(sa.asarray([0.5, 1.5, -2.7]))
                  array([ 0.,  2., -3.])",
        reference: "numpy.rint",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Round, 1>().with_int::<b::Round, 1>(),
    }
    MAXIMUM {
        name: "maximum",
        args: &["x1", "x2"],
        doc: "The larger argument, NaN if either is; equal arguments share the gradient.",
        example: ">>> sa.maximum(sa.asarray([1.0, 4.0]), 2.0)
                  array([2., 4.])",
        reference: "numpy.maximum",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Maximum, 2>().with_int::<b::Maximum, 2>().with_bool::<b::Maximum, 2>(),
        rule: RowRule::Partials(&[
            |x, _| share(&super::GREATER, &x[0], &x[1]),
            |x, _| share(&super::GREATER, &x[1], &x[0]),
        ]),
    }
    MINIMUM {
        name: "minimum",
        args: &["x1", "x2"],
        doc: "The smaller argument, NaN if either is; equal arguments share the gradient.",
        example: ">>> sa.minimum(sa.asarray([1.0, 4.0]), 2.0)
                  array([1., 2.])",
        reference: "numpy.minimum",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Minimum, 2>().with_int::<b::Minimum, 2>().with_bool::<b::Minimum, 2>(),
        rule: RowRule::Partials(&[
            |x, _| share(&super::LESS, &x[0], &x[1]),
            |x, _| share(&super::LESS, &x[1], &x[0]),
        ]),
    }
    COPYSIGN {
        name: "copysign",
        args: &["x1", "x2"],
        doc: "Magnitude of ``x1`` with the sign of ``x2``.",
        example: ">>> sa.copysign(sa.asarray([1.0, -2.0]), -0.0)
                  array([-1., -2.])",
        reference: "numpy.copysign",
        kernels: Kernels::arith::<b::CopySign, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&SIGN, [&x[0]]) * E::call(&COPYSIGN, [&x[0].lit(1.0), &x[1]]),
            |x, _| x[1].zero(),
        ]),
    }
    ONES_LIKE {
        name: "one",
        doc: "1 in the shape of the argument, even where that is NaN.",
        promote: Promote::Common,
        kernels: Kernels::arith::<One, 1>()
            .with_complex::<One, 1>(),
        namespace: "-",
    }
    CONJ {
        name: "conj",
        doc: "Complex conjugate.",
        example: ">>> sa.conj(sa.asarray([1 + 2j]))
                  array([1.-2.j])",
        reference: "numpy.conj",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Positive, 1>().with_int::<b::Positive, 1>()
            .with_complex::<c::Conj, 1>(),
        rule: RowRule::Linear(|_, _, g| g.map(ops::conj)),
    }
    REAL {
        name: "real",
        doc: "Real part.",
        example: ">>> sa.real(sa.asarray([1 + 2j]))
                  array([1.])",
        reference: "numpy.real",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Positive, 1>().with_int::<b::Positive, 1>()
            .with_complex_to_real::<b::RealPart, 1>(),
        rule: RowRule::RealValued(|x, _| E::call(&ONES_LIKE, [&x[0]])),
    }
    IMAG {
        name: "imag",
        doc: "Imaginary part; 0 for real numbers.",
        example: ">>> sa.imag(sa.asarray([1 + 2j]))
                  array([2.])",
        reference: "numpy.imag",
        promote: Promote::Common,
        kernels: Kernels::arith::<Zero, 1>().with_int::<ZeroInt, 1>().with_complex_to_real::<b::Imag, 1>(),
        rule: RowRule::RealValued(|x, _| if x[0].is_complex() { imaginary_unit(&x[0]) } else { x[0].zero() }),
    }
    ANGLE {
        name: "angle",
        doc: "Argument of a complex number in radians, in [-pi, pi]; of a real number 0 or pi.",
        example: ">>> sa.angle(sa.asarray([1j, -1]))
                  array([1.57079633, 3.14159265])",
        reference: "numpy.angle",
        kernels: Kernels::real::<AngleReal, 1>().with_complex_to_real::<c::Angle, 1>(),
        rule: RowRule::RealValued(|x, _| {
            if !x[0].is_complex() {
                return x[0].zero();
            }
            let r = E::call(&ABS, [&x[0]]);
            let turned = imaginary_unit(&x[0]) * E::call(&SIGN, [&x[0]]) / &r;
            zero_where(&E::call(&super::EQUAL, [&r, &r.lit(0.0)]), turned)
        }),
    }
    COMPLEX {
        name: "complex",
        args: &["re", "im"],
        doc: "The complex number ``re + 1j * im`` of two real arrays.",
        example: ">>> sa.complex(sa.asarray([1.0]), 2.0)
                  array([1.+2.j])",
        kernels: Kernels::from_parts(),
        rule: RowRule::Linear(|i, _, g| E::call(if i == 0 { &REAL } else { &IMAG }, [g])),
    }
    POW {
        name: "pow",
        args: &["x1", "x2"],
        doc: "Power ``x1 ** x2``; integers wrap around and refuse negative exponents.

The gradient is exact at ``x1 == 0``, also where an integer power leaves no slope.",
        example: ">>> sa.pow(sa.asarray([2.0, 3.0]), 2)
                  array([4., 9.])",
        reference: "numpy.power",
        promote: Promote::Common,
        kernels: Kernels::real::<sb::Pow, 2>().with_int::<b::Power, 2>()
            .with_complex::<c::Pow, 2>(),
        rule: RowRule::Partials(&[
            |x, _| power_dx(&x[0], &x[1]),
            |x, y| damped(y, E::call(&super::LOG, [&x[0]])),
        ]),
        saves: Saves::ALL,
        domain: &[(1e-3, 1e3), (-20.0, 20.0)],
        check: Some(|ins| {
            let d = promote(ins[0].dtype(), ins[1].dtype());
            if !d.is_signed() || !ins[1].dtype().is_signed() || ins[1].size() == 0 {
                return Ok(());
            }
            let axes: Axes = (0..ins[1].ndim()).collect();
            let lowest = ops::reduce::reduce(Kind::Min, &ins[1].clone().detach(), &axes, false)?;
            match lowest.to_cpu()?.get(0) {
                Scalar::Int(n) if n < 0 => {
                    fail!(Value, "pow: integers cannot be raised to negative integer powers, got {n}")
                }
                _ => Ok(()),
            }
        }),
    }
    SCALED_POW {
        name: "scaled_pow",
        args: &["f", "x", "y"],
        doc: "``f * x**y``, in range where the power alone is not; 0 where ``f`` is 0.",
        promote: Promote::Common,
        kernels: Kernels::real::<sb::ScaledPow, 3>().with_complex::<c::ScaledPow, 3>(),
        rule: RowRule::Partials(&[
            |x, _| {
                // Only 0 * inf is taken out: elsewhere the slope in a factor of 0 counts for mixed derivatives.
                let power = E::call(&POW, [&x[1], &x[2]]);
                zero_where(&E::call(&super::INDEFINITE, [&x[0], &power]), power)
            },
            |x, _| E::call(&SCALED_POW, [&(&x[0] * &x[2]), &x[1], &(&x[2] - 1.0)]),
            |x, y| damped(y, E::call(&super::LOG, [&x[1]])),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    NEXTAFTER {
        name: "nextafter",
        args: &["x1", "x2"],
        doc: "The next float64 after ``x1`` towards ``x2``.",
        example: ">>> sa.nextafter(sa.asarray([1.0]), 2.0) - 1.0
                  array([2.22044605e-16])",
        reference: "numpy.nextafter",
        kernels: Kernels::real::<sb::Nextafter, 2>(),
    }
    CBRT {
        name: "cbrt",
        doc: "Real cube root, of negative numbers too.",
        example: ">>> sa.cbrt(sa.asarray([8.0, -27.0]))
                  array([ 2., -3.])",
        reference: "numpy.cbrt",
        kernels: Kernels::real::<sb::Cbrt, 1>(),
        rule: RowRule::Partials(&[|_, y| 1.0 / (3.0 * E::call(&SQUARE, [y]))]),
        saves: Saves::OUTPUT,
    }
    RSQRT {
        name: "rsqrt",
        doc: "``1 / sqrt(x)``.",
        example: ">>> sa.rsqrt(sa.asarray([4.0, 0.25]))
                  array([0.5, 2. ])",
        kernels: Kernels::real::<sb::Rsqrt, 1>()
            .with_complex::<c::Rsqrt, 1>(),
        rule: RowRule::Partials(&[|x, y| -0.5 * (y / &x[0])]),
        saves: Saves::ALL,
        domain: &[(1e-3, 1e3)],
    }
    HYPOT {
        name: "hypot",
        args: &["x1", "x2"],
        doc: "``sqrt(x1**2 + x2**2)`` without overflow; the gradient at the origin is 0.",
        example: ">>> sa.hypot(sa.asarray([3.0]), 4.0)
                  array([5.])",
        reference: "numpy.hypot",
        kernels: Kernels::real::<sb::Hypot, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&UNIT, [&x[0], &x[1]]),
            |x, _| E::call(&UNIT, [&x[1], &x[0]]),
        ]),
    }
    UNIT {
        name: "unit",
        args: &["x1", "x2"],
        doc: "``x1 / hypot(x1, x2)``, the slope of hypot, whose own slopes do not cancel; 0 at the origin, the sign where ``x1`` alone is infinite.",
        kernels: Kernels::real::<Unit, 2>(),
        rule: RowRule::Partials(&[
            |x, _| {
                let across = E::call(&UNIT, [&x[1], &x[0]]);
                ratio(&E::call(&SQUARE, [&across]), &E::call(&HYPOT, [&x[0], &x[1]]))
            },
            |x, y| {
                let across = E::call(&UNIT, [&x[1], &x[0]]);
                -ratio(&(y * across), &E::call(&HYPOT, [&x[0], &x[1]]))
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
}

/// The slope of a power in its base.
pub(super) fn power_dx(x: &E, exponent: &E) -> E {
    E::call(&SCALED_POW, [exponent, x, &(exponent - 1.0)])
}

/// A density, or what else decays, times a factor that is infinite where it has decayed to 0.
pub(super) fn damped(y: &E, factor: E) -> E {
    y * zero_where(&E::call(&super::EQUAL, [y, &y.lit(0.0)]), factor)
}

/// `x / y`, and 0 where `y` is 0.
pub(super) fn ratio(x: &E, y: &E) -> E {
    zero_where(&E::call(&super::EQUAL, [y, &y.lit(0.0)]), x / y)
}

/// i in the dtype of a complex value.
fn imaginary_unit(x: &E) -> E {
    x.map(|x| Array::scalar_of(Scalar::Complex(Number::i()), x.dtype()))
}

struct ZeroInt;
impl IntBody<1> for ZeroInt {
    const NAME: &'static str = "zero";
    #[inline(always)]
    fn eval<T: Int>(_: [T; 1]) -> T {
        T::ZERO
    }
}

struct Unit;
impl Body<2> for Unit {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "unit";
    #[inline(always)]
    fn eval<R: Real>([x, y]: [R; 2]) -> R {
        // Of subnormal numbers the hypotenuse has few digits.
        let tiny = x.abs().max(y.abs()).lt(R::lit(1e-30));
        let factor = R::select(tiny, R::lit(2f64.powi(100)), R::lit(1.0));
        let [x, y] = [x * factor, y * factor];
        let r = <sb::Hypot as Body<2>>::eval([x, y]);
        let inf = R::lit(f64::INFINITY);
        let alone = x.abs().eq(inf).and(y.abs().lt(inf));
        R::select(alone, R::lit(1.0).copysign(x), R::select(r.eq(R::lit(0.0)), R::lit(0.0), x / r))
    }
}

struct AngleReal;
impl Body<1> for AngleReal {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "angle";
    #[inline(always)]
    fn eval<R: Real>([x]: [R; 1]) -> R {
        // Of -0.0 it is pi, as in NumPy.
        let negative = R::lit(1.0).copysign(x).lt(R::lit(0.0));
        let turned = R::select(negative, R::lit(std::f64::consts::PI), R::lit(0.0));
        R::select(x.is_nan(), x, turned)
    }
}

macro_rules! constant {
    ($name:ident, $value:literal) => {
        struct $name;
        impl ArithBody<1> for $name {
            const NAME: &'static str = stringify!($name);
            #[inline(always)]
            fn eval<R: Arith>(_: [R; 1]) -> R {
                R::lit($value)
            }
        }
        impl ComplexBody<1> for $name {
            type Short = ();
            const NAME: &'static str = stringify!($name);
            #[inline(always)]
            fn eval<R: Real>(_: [Complex<R>; 1]) -> Complex<R> {
                Complex::new(R::lit($value), R::lit(0.0))
            }
        }
    };
}
constant!(One, 1.0);
constant!(Zero, 0.0);
