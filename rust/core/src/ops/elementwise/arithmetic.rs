//! Arithmetic, rounding, extrema and complex parts.

use super::{Promote, RowRule, rows};
use crate::array::Array;
use crate::dtype::DType;
use crate::expr::E;
use crate::op::Saves;
use crate::ops;
use sciarray_kernels::map::{Kernels, basic as b};

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

rows! {
    ADD {
        name: "add",
        args: &["x1", "x2"],
        doc: "Sum ``x1 + x2``; integers wrap around, bool is logical or.",
        example: ">>> sa.add(sa.asarray([1.0, 2.0]), 0.5)
                  array([1.5, 2.5])",
        reference: "numpy.add",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Add, 2>().with_int::<b::Add, 2>().with_bool::<b::Add, 2>(),
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
        kernels: Kernels::arith::<b::Sub, 2>().with_int::<b::Sub, 2>(),
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
        kernels: Kernels::arith::<b::Mul, 2>().with_int::<b::Mul, 2>().with_bool::<b::Mul, 2>(),
        rule: RowRule::Partials(&[|x, _| x[1].clone(), |x, _| x[0].clone()]),
    }
    MULZ {
        name: "mulz",
        args: &["g", "d"],
        doc: "Product ``g * d``, exactly 0 where ``g`` is 0: what gradients are multiplied with.",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::StrongZeroMul, 2>(),
        rule: RowRule::Partials(&[|x, _| x[1].clone(), |x, _| x[0].clone()]),
        namespace: "-",
    }
    DIVIDE {
        name: "divide",
        args: &["x1", "x2"],
        doc: "Quotient ``x1 / x2`` in floating point.",
        example: ">>> sa.divide(sa.asarray([1, 2]), 4)
                  array([0.25, 0.5 ])",
        reference: "numpy.divide",
        kernels: Kernels::arith::<b::Div, 2>(),
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
        kernels: Kernels::real::<b::FloorDivide, 2>().with_int::<b::FloorDivide, 2>(),
    }
    REMAINDER {
        name: "remainder",
        args: &["x1", "x2"],
        doc: "Remainder of floor division, with the sign of ``x2``.",
        example: ">>> sa.remainder(sa.asarray([7, -7]), 3)
                  array([1, 2])",
        reference: "numpy.remainder",
        promote: Promote::Common,
        kernels: Kernels::real::<b::Remainder, 2>().with_int::<b::Remainder, 2>(),
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
        kernels: Kernels::real::<b::Fmod, 2>().with_int::<b::Fmod, 2>(),
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
        kernels: Kernels::arith::<b::Neg, 1>().with_int::<b::Neg, 1>(),
        rule: RowRule::Linear(|_, _, g| -g),
    }
    POSITIVE {
        name: "positive",
        doc: "The argument ``+x``.",
        example: ">>> sa.positive(sa.asarray([1.0, -2.0]))
                  array([ 1., -2.])",
        reference: "numpy.positive",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Positive, 1>().with_int::<b::Positive, 1>(),
        rule: RowRule::Linear(|_, _, g| g.clone()),
    }
    ABS {
        name: "abs",
        doc: "Magnitude; the gradient at 0 is 0.",
        example: ">>> sa.abs(sa.asarray([-1.5, 2.0]))
                  array([1.5, 2. ])",
        reference: "numpy.abs",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Abs, 1>().with_int::<b::Abs, 1>().with_bool::<b::Abs, 1>(),
        rule: RowRule::RealValued(|x, _| E::call(&SIGN, [&x[0]])),
    }
    SIGN {
        name: "sign",
        doc: "-1, 0 or 1 by the sign; ``z / |z|`` for complex numbers, 0 at 0.",
        example: ">>> sa.sign(sa.asarray([-1.5, 0.0, 2.0]))
                  array([-1.,  0.,  1.])",
        reference: "numpy.sign",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Sign, 1>().with_int::<b::Sign, 1>(),
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
        kernels: Kernels::arith::<b::Square, 1>().with_int::<b::Square, 1>(),
        rule: RowRule::Partials(&[|x, _| 2.0 * &x[0]]),
    }
    RECIPROCAL {
        name: "reciprocal",
        doc: "Inverse ``1 / x``; integers are divided as integers.",
        example: ">>> sa.reciprocal(sa.asarray([2.0, -4.0]))
                  array([ 0.5 , -0.25])",
        reference: "numpy.reciprocal",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Reciprocal, 1>().with_int::<b::Reciprocal, 1>(),
        rule: RowRule::Partials(&[|_, y| -E::call(&SQUARE, [y])]),
        saves: Saves::OUTPUT,
    }
    SQRT {
        name: "sqrt",
        doc: "Square root, the principal one for complex numbers.",
        example: ">>> sa.sqrt(sa.asarray([4.0, 2.25]))
                  array([2. , 1.5])",
        reference: "numpy.sqrt",
        kernels: Kernels::arith::<b::Sqrt, 1>(),
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
        kernels: Kernels::arith::<One, 1>(),
        namespace: "-",
    }
    CONJ {
        name: "conj",
        doc: "Complex conjugate.",
        example: ">>> sa.conj(sa.asarray([1 + 2j]))
                  array([1.-2.j])",
        reference: "numpy.conj",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Positive, 1>().with_int::<b::Positive, 1>(),
        rule: RowRule::Linear(|_, _, g| g.map(ops::conj)),
    }
    REAL {
        name: "real",
        doc: "Real part.",
        example: ">>> sa.real(sa.asarray([1 + 2j]))
                  array([1.])",
        reference: "numpy.real",
        promote: Promote::Common,
        kernels: Kernels::arith::<b::Positive, 1>().with_int::<b::Positive, 1>(),
        rule: RowRule::RealValued(|x, _| E::call(&ONES_LIKE, [&x[0]])),
    }
}

struct One;
impl sciarray_scalar::ArithBody<1> for One {
    const NAME: &'static str = "one";
    #[inline(always)]
    fn eval<R: sciarray_scalar::Arith>(_: [R; 1]) -> R {
        R::lit(1.0)
    }
}
