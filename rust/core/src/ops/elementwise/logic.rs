//! Comparison, predicates, logic, bits and selection.

use super::{Promote, RowRule, rows};
use crate::expr::E;
use sciarray_kernels::map::{Kernels, basic as b};

rows! {
    EQUAL {
        name: "equal", args: &["x1", "x2"],
        doc: "Truth of ``x1 == x2``.",
        example: ">>> sa.equal(sa.asarray([1, 2]), 2)
                  array([False,  True])",
        reference: "numpy.equal",
        promote: Promote::Common,
        kernels: Kernels::compare::<b::Eq>(),
    }
    NOT_EQUAL {
        name: "not_equal", args: &["x1", "x2"],
        doc: "Truth of ``x1 != x2``.",
        example: ">>> sa.not_equal(sa.asarray([1, 2]), 2)
                  array([ True, False])",
        reference: "numpy.not_equal",
        promote: Promote::Common,
        kernels: Kernels::compare::<b::Ne>(),
    }
    LESS {
        name: "less", args: &["x1", "x2"],
        doc: "Truth of ``x1 < x2``.",
        example: ">>> sa.less(sa.asarray([1, 2]), 2)
                  array([ True, False])",
        reference: "numpy.less",
        promote: Promote::Common,
        kernels: Kernels::compare::<b::Lt>(),
    }
    LESS_EQUAL {
        name: "less_equal", args: &["x1", "x2"],
        doc: "Truth of ``x1 <= x2``.",
        example: ">>> sa.less_equal(sa.asarray([1, 3]), 2)
                  array([ True, False])",
        reference: "numpy.less_equal",
        promote: Promote::Common,
        kernels: Kernels::compare::<b::Le>(),
    }
    GREATER {
        name: "greater", args: &["x1", "x2"],
        doc: "Truth of ``x1 > x2``.",
        example: ">>> sa.greater(sa.asarray([1, 3]), 2)
                  array([False,  True])",
        reference: "numpy.greater",
        promote: Promote::Common,
        kernels: Kernels::compare::<b::Gt>(),
    }
    GREATER_EQUAL {
        name: "greater_equal", args: &["x1", "x2"],
        doc: "Truth of ``x1 >= x2``.",
        example: ">>> sa.greater_equal(sa.asarray([1, 2]), 2)
                  array([False,  True])",
        reference: "numpy.greater_equal",
        promote: Promote::Common,
        kernels: Kernels::compare::<b::Ge>(),
    }
    SIGNBIT {
        name: "signbit",
        doc: "Truth of a set sign, that of -0.0 and negative NaNs included.",
        example: ">>> sa.signbit(sa.asarray([-0.0, 1.0]))
                  array([ True, False])",
        reference: "numpy.signbit",
        promote: Promote::Common,
        kernels: Kernels::predicate::<b::SignBit, 1>().with_int_predicate::<b::SignBit, 1>(),
    }
    ISNAN {
        name: "isnan",
        doc: "Truth of not being a number.",
        example: ">>> sa.isnan(sa.asarray([float('nan'), 1.0]))
                  array([ True, False])",
        reference: "numpy.isnan",
        kernels: Kernels::predicate::<b::IsNan, 1>().with_complex_predicate::<b::IsNan, 1>(),
    }
    ISINF {
        name: "isinf",
        doc: "Truth of being infinite.",
        example: ">>> sa.isinf(sa.asarray([float('inf'), 1.0]))
                  array([ True, False])",
        reference: "numpy.isinf",
        kernels: Kernels::predicate::<b::IsInf, 1>().with_complex_predicate::<b::IsInf, 1>(),
    }
    INDEFINITE {
        name: "indefinite",
        args: &["a", "b"],
        doc: "Truth of one of two factors being 0 and the other not finite.",
        kernels: Kernels::predicate::<b::Indefinite, 2>().with_complex_predicate::<b::Indefinite, 2>(),
        namespace: "-",
    }
    SETTLES {
        name: "settles",
        args: &["x", "rest"],
        doc: "Truth of ``x`` being infinite and ``rest`` 0 or NaN.",
        kernels: Kernels::predicate::<b::Settles, 2>(),
        namespace: "-",
    }
    ISFINITE {
        name: "isfinite",
        doc: "Truth of being neither infinite nor NaN.",
        example: ">>> sa.isfinite(sa.asarray([float('inf'), 1.0]))
                  array([False,  True])",
        reference: "numpy.isfinite",
        kernels: Kernels::predicate::<b::IsFinite, 1>().with_complex_predicate::<b::IsFinite, 1>(),
    }
    LOGICAL_AND {
        name: "logical_and", args: &["x1", "x2"],
        doc: "Truth of both; numbers are true unless 0.",
        example: ">>> sa.logical_and(sa.asarray([True, False]), True)
                  array([ True, False])",
        reference: "numpy.logical_and",
        promote: Promote::Bool,
        kernels: Kernels::bool::<b::LogicalAnd, 2>(),
    }
    LOGICAL_OR {
        name: "logical_or", args: &["x1", "x2"],
        doc: "Truth of at least one; numbers are true unless 0.",
        example: ">>> sa.logical_or(sa.asarray([True, False]), False)
                  array([ True, False])",
        reference: "numpy.logical_or",
        promote: Promote::Bool,
        kernels: Kernels::bool::<b::LogicalOr, 2>(),
    }
    LOGICAL_XOR {
        name: "logical_xor", args: &["x1", "x2"],
        doc: "Truth of exactly one; numbers are true unless 0.",
        example: ">>> sa.logical_xor(sa.asarray([True, False]), True)
                  array([False,  True])",
        reference: "numpy.logical_xor",
        promote: Promote::Bool,
        kernels: Kernels::bool::<b::LogicalXor, 2>(),
    }
    LOGICAL_NOT {
        name: "logical_not",
        doc: "Truth of being false; numbers are true unless 0.",
        example: ">>> sa.logical_not(sa.asarray([True, False]))
                  array([False,  True])",
        reference: "numpy.logical_not",
        promote: Promote::Bool,
        kernels: Kernels::bool::<b::LogicalNot, 1>(),
    }
    BITWISE_AND {
        name: "bitwise_and", args: &["x1", "x2"],
        doc: "Bits that are set in both.",
        example: ">>> sa.bitwise_and(sa.asarray([5, 6]), 3)
                  array([1, 2])",
        reference: "numpy.bitwise_and",
        promote: Promote::Common,
        kernels: Kernels::int::<b::BitAnd, 2>().with_bool::<b::BitAnd, 2>(),
    }
    BITWISE_OR {
        name: "bitwise_or", args: &["x1", "x2"],
        doc: "Bits that are set in at least one.",
        example: ">>> sa.bitwise_or(sa.asarray([5, 6]), 3)
                  array([7, 7])",
        reference: "numpy.bitwise_or",
        promote: Promote::Common,
        kernels: Kernels::int::<b::BitOr, 2>().with_bool::<b::BitOr, 2>(),
    }
    BITWISE_XOR {
        name: "bitwise_xor", args: &["x1", "x2"],
        doc: "Bits that are set in exactly one.",
        example: ">>> sa.bitwise_xor(sa.asarray([5, 6]), 3)
                  array([6, 5])",
        reference: "numpy.bitwise_xor",
        promote: Promote::Common,
        kernels: Kernels::int::<b::BitXor, 2>().with_bool::<b::BitXor, 2>(),
    }
    BITWISE_INVERT {
        name: "bitwise_invert",
        doc: "All bits flipped; logical not of bool.",
        example: ">>> sa.bitwise_invert(sa.asarray([0, 5]))
                  array([-1, -6])",
        reference: "numpy.invert",
        promote: Promote::Common,
        kernels: Kernels::int::<b::BitInvert, 1>().with_bool::<b::BitInvert, 1>(),
    }
    BITWISE_LEFT_SHIFT {
        name: "bitwise_left_shift", args: &["x1", "x2"],
        doc: "Bits of ``x1`` moved up by ``x2``; 0 when that is all of them.",
        example: ">>> sa.bitwise_left_shift(sa.asarray([1, 3]), 2)
                  array([ 4, 12])",
        reference: "numpy.left_shift",
        promote: Promote::Common,
        kernels: Kernels::int::<b::ShiftLeft, 2>(),
    }
    BITWISE_RIGHT_SHIFT {
        name: "bitwise_right_shift", args: &["x1", "x2"],
        doc: "Bits of ``x1`` moved down by ``x2``, the sign kept.",
        example: ">>> sa.bitwise_right_shift(sa.asarray([8, -8]), 2)
                  array([ 2, -2])",
        reference: "numpy.right_shift",
        promote: Promote::Common,
        kernels: Kernels::int::<b::ShiftRight, 2>(),
    }
    GCD {
        name: "gcd", args: &["x1", "x2"],
        doc: "Greatest common divisor of integers, not negative.",
        example: ">>> sa.gcd(sa.asarray([12, 7]), 18)
                  array([6, 1])",
        reference: "numpy.gcd",
        promote: Promote::Common,
        kernels: Kernels::int::<b::Gcd, 2>(),
    }
    LCM {
        name: "lcm", args: &["x1", "x2"],
        doc: "Least common multiple of integers, not negative.",
        example: ">>> sa.lcm(sa.asarray([4, 7]), 6)
                  array([12, 42])",
        reference: "numpy.lcm",
        promote: Promote::Common,
        kernels: Kernels::int::<b::Lcm, 2>(),
    }
    WHERE {
        name: "where", args: &["condition", "x1", "x2"],
        doc: "``x1`` where the condition is true, else ``x2``; the branch not taken never disturbs a gradient.",
        example: ">>> sa.where(sa.asarray([True, False]), 1.0, 2.0)
                  array([1., 2.])",
        reference: "numpy.where",
        promote: Promote::Select,
        kernels: Kernels::select(),
        rule: RowRule::Linear(|i, ctx, g| {
            let mask = E::of(ctx.input(0));
            let zero = g.lit(0.0);
            if i == 1 { E::call(&WHERE, [&mask, g, &zero]) } else { E::call(&WHERE, [&mask, &zero, g]) }
        }),
    }
}
