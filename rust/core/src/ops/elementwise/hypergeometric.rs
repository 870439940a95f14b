//! Hypergeometric functions, Struve functions, Kelvin functions.

use super::bessel::scaled_slope_step;
use super::degrees::real;
use super::gamma::is_pole;
use super::special::{equals, real_but_last, unsupported};
use super::{Elementwise, Partial, RowRule, Settles, damped, rows};
use crate::array::Array;
use crate::error::Result;
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;

/// `1 / sqrt(pi)`.
const ROOT: f64 = 0.564_189_583_547_756_3;

rows! {
    HYP0F1 {
        name: "hyp0f1",
        args: &["v", "z"],
        doc: "Confluent hypergeometric limit function 0F1 (DLMF 16.2.1), differentiable in both arguments; NaN at the poles ``v = 0, -1, ...`` and for ``v`` beyond 1e3 with ``z`` below ``-20 v``. ``z`` may be complex beside a real ``v``.",
        example: ">>> sa.special.hyp0f1(1.5, sa.asarray([-1.0, 2.0]))
                  array([0.45464871, 2.9804061 ])",
        reference: "scipy.special.hyp0f1",
        kernels: Kernels::real::<b::Hyp0f1, 2>().with_complex::<c::Hyp0f1, 2>(),
        check: Some(real_parameters),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HYP0F1_D1, [&x[0], &x[1]]),
            |x, _| E::call(&HYP0F1, [&(&x[0] + 1.0), &x[1]]) / &x[0],
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_finite(&[0])],
        domain: &[(0.1, 50.0), (-200.0, 200.0)],
        namespace: "special",
    }
    HYP0F1_D1 {
        name: "hyp0f1_d1",
        args: &["v", "z"],
        doc: "Derivative of hyp0f1 in the parameter.",
        kernels: Kernels::real::<b::Hyp0f1D1, 2>().with_complex::<c::Hyp0f1D1, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HYP0F1_D2, [&x[0], &x[1]]),
            |x, _| {
                let next = &(&x[0] + 1.0);
                (E::call(&HYP0F1_D1, [next, &x[1]]) - E::call(&HYP0F1, [next, &x[1]]) / &x[0]) / &x[0]
            },
        ]),
        namespace: "-",
    }
    HYP0F1_D2 {
        name: "hyp0f1_d2",
        args: &["v", "z"],
        doc: "Second derivative of hyp0f1 in the parameter.",
        kernels: Kernels::real::<b::Hyp0f1D2, 2>().with_complex::<c::Hyp0f1D2, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| third("hyp0f1"), |_, _| third("hyp0f1")]),
        namespace: "-",
    }
    HYP1F1 {
        name: "hyp1f1",
        args: &["a", "b", "x"],
        doc: "Kummer's confluent hypergeometric function 1F1 = M (DLMF 13.2.2), differentiable in all arguments; infinite at the poles in ``b``. NaN where no way to it leaves a digit: of complex ``x`` for some parameters of magnitude 40 on, of real ``x`` for some of thousands. ``x`` may be complex beside real parameters.",
        example: ">>> sa.special.hyp1f1(0.5, 1.5, sa.asarray([-1.0, 2.0]))
                  array([0.74682413, 2.36445389])",
        reference: "scipy.special.hyp1f1",
        kernels: Kernels::real::<b::Hyp1f1, 3>().with_complex::<c::Hyp1f1, 3>(),
        check: Some(real_parameters),
        rule: RowRule::Partials(&[
            |x, _| first(&HYP1F1_D1, 1.0, x),
            |x, _| first(&HYP1F1_D1, 2.0, x),
            |x, _| argument_slope(&HYP1F1, x),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_finite(&[1])],
        domain: &[(-10.0, 10.0), (0.1, 10.0), (-50.0, 50.0)],
        namespace: "special",
    }
    HYP1F1_D1 {
        name: "hyp1f1_d1",
        args: &["i", "a", "b", "x"],
        doc: "Derivative of hyp1f1 in ``a`` (1) or ``b`` (2).",
        kernels: Kernels::real::<b::Hyp1f1D1, 4>().with_complex::<c::Hyp1f1Dp, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyp1f1: not differentiable in the number of a parameter"),
            |x, _| second(&HYP1F1_D2, 1.0, x),
            |x, _| second(&HYP1F1_D2, 2.0, x),
            |x, _| {
                let (i, a) = (&x[0], &x[1]);
                let (b, at) = ended(Some(i), &x[1..]);
                let factor = a / &b;
                let slope = choose(i, 1.0, &(1.0 / &b), &-(&factor / &b));
                factor * raised_slope(&HYP1F1_D1, i, &at) + slope * raised(&HYP1F1, &at)
            },
        ]),
        namespace: "-",
    }
    HYP1F1_D2 {
        name: "hyp1f1_d2",
        args: &["ij", "a", "b", "x"],
        doc: "Second derivative of hyp1f1 in the parameters.",
        kernels: Kernels::real::<b::Hyp1f1D2, 4>().with_complex::<c::Hyp1f1Dp, 4>().narrow(),
        orders: &[0],
        rule: KUMMER_THIRD,
        namespace: "-",
    }
    HYP1F1_REGULARIZED {
        name: "hyp1f1_regularized",
        args: &["i", "a", "b", "x"],
        doc: "``hyp1f1 / gamma(b)`` next to poles (0), or its derivative in ``a`` (1) or ``b`` (2).",
        kernels: Kernels::real::<b::Hyp1f1Regularized, 4>().with_complex::<c::Hyp1f1Regularized, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyp1f1: not differentiable in the number of a parameter"),
            |x, _| second(&HYP1F1_REGULARIZED_D2, 1.0, x),
            |x, _| second(&HYP1F1_REGULARIZED_D2, 2.0, x),
            |x, _| {
                let slope = choose(&x[0], 1.0, &x[0].lit(1.0), &x[0].lit(0.0));
                &x[1] * raised_slope(&HYP1F1_REGULARIZED, &x[0], &x[1..]) + slope * raised_value(&HYP1F1_REGULARIZED, x)
            },
        ]),
        namespace: "-",
    }
    HYP1F1_REGULARIZED_D2 {
        name: "hyp1f1_regularized_d2",
        args: &["ij", "a", "b", "x"],
        doc: "A derivative of it, up to the second, in the parameters.",
        kernels: Kernels::real::<b::Hyp1f1Regularized, 4>().with_complex::<c::Hyp1f1Regularized, 4>().narrow(),
        orders: &[0],
        rule: KUMMER_THIRD,
        namespace: "-",
    }
    HYPERU {
        name: "hyperu",
        args: &["a", "b", "x"],
        doc: "Tricomi's confluent hypergeometric function U (DLMF 13.2.6) of ``x >= 0``, differentiable in all arguments.",
        example: ">>> sa.special.hyperu(0.5, 1.25, sa.asarray([1.0, 4.0]))
                  array([0.92407729, 0.48698015])",
        reference: "scipy.special.hyperu",
        kernels: Kernels::real::<b::Hyperu, 3>(),
        rule: RowRule::Partials(&[
            |x, _| first(&HYPERU_D1, 1.0, x),
            |x, _| first(&HYPERU_D1, 2.0, x),
            |x, _| -(&x[0] * raised(&HYPERU, x)),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_zero(&[2])],
        domain: &[(0.1, 5.0), (-3.0, 3.0), (0.1, 50.0)],
        namespace: "special",
    }
    HYPERU_D1 {
        name: "hyperu_d1",
        args: &["i", "a", "b", "x"],
        doc: "Derivative of hyperu in ``a`` (1) or ``b`` (2).",
        kernels: Kernels::real::<b::HyperuD1, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyperu: not differentiable in the number of a parameter"),
            |x, _| second(&HYPERU_D2, 1.0, x),
            |x, _| second(&HYPERU_D2, 2.0, x),
            |x, _| {
                let slope = choose(&x[0], 1.0, &x[1].lit(1.0), &x[1].lit(0.0));
                -(&x[1] * raised_slope(&HYPERU_D1, &x[0], &x[1..]) + slope * raised(&HYPERU, &x[1..]))
            },
        ]),
        namespace: "-",
    }
    HYPERU_D2 {
        name: "hyperu_d2",
        args: &["ij", "a", "b", "x"],
        doc: "Second derivative of hyperu in the parameters.",
        kernels: Kernels::real::<b::HyperuD2, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|_, _| third("hyperu"), |_, _| third("hyperu"), |_, _| third("hyperu"), |_, _| third("hyperu")]),
        namespace: "-",
    }
    HYP2F1 {
        name: "hyp2f1",
        args: &["a", "b", "c", "z"],
        doc: "Gauss's hypergeometric function 2F1 (DLMF 15.2.1), differentiable in all arguments; infinite at the poles in ``c`` and, as SciPy has it, for real ``z > 1`` unless it is a polynomial. ``z`` may be complex beside real parameters, with a cut from 1 to infinity.",
        example: ">>> sa.special.hyp2f1(0.5, 1.0, 1.5, sa.asarray([-1.0, 0.25]))
                  array([0.78539816, 1.09861229])",
        reference: "scipy.special.hyp2f1",
        kernels: Kernels::real::<b::Hyp2f1, 4>().with_complex::<c::Hyp2f1, 4>(),
        check: Some(real_parameters),
        rule: RowRule::Partials(&[
            |x, _| first(&HYP2F1_D1, 1.0, x),
            |x, _| first(&HYP2F1_D1, 2.0, x),
            |x, _| first(&HYP2F1_D1, 3.0, x),
            |x, _| argument_slope(&HYP2F1, x),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_finite(&[2])],
        domain: &[(-5.0, 5.0), (-5.0, 5.0), (0.2, 8.0), (-5.0, 0.95)],
        namespace: "special",
    }
    HYP2F1_D1 {
        name: "hyp2f1_d1",
        args: &["i", "a", "b", "c", "z"],
        doc: "Derivative of hyp2f1 in ``a`` (1), ``b`` (2) or ``c`` (3).",
        kernels: Kernels::real::<b::Hyp2f1D1, 5>().with_complex::<c::Hyp2f1Dp, 5>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyp2f1: not differentiable in the number of a parameter"),
            |x, _| second(&HYP2F1_D2, 1.0, x),
            |x, _| second(&HYP2F1_D2, 2.0, x),
            |x, _| second(&HYP2F1_D2, 3.0, x),
            |x, _| {
                let (i, a, b) = (&x[0], &x[1], &x[2]);
                let (c, at) = ended(Some(i), &x[1..]);
                let factor = a * b / &c;
                let rest = choose(i, 2.0, &(a / &c), &-(&factor / &c));
                let slope = choose(i, 1.0, &(b / &c), &rest);
                factor * raised_slope(&HYP2F1_D1, i, &at) + slope * raised(&HYP2F1, &at)
            },
        ]),
        namespace: "-",
    }
    HYP2F1_D2 {
        name: "hyp2f1_d2",
        args: &["ij", "a", "b", "c", "z"],
        doc: "Second derivative of hyp2f1 in the parameters.",
        kernels: Kernels::real::<b::Hyp2f1D2, 5>().with_complex::<c::Hyp2f1Dp, 5>().narrow(),
        orders: &[0],
        rule: GAUSS_THIRD,
        namespace: "-",
    }
    HYP2F1_REGULARIZED {
        name: "hyp2f1_regularized",
        args: &["i", "a", "b", "c", "z"],
        doc: "``hyp2f1 / gamma(c)`` next to poles (0), or its derivative in ``a`` (1), ``b`` (2) or ``c`` (3).",
        kernels: Kernels::real::<b::Hyp2f1Regularized, 5>().with_complex::<c::Hyp2f1Regularized, 5>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyp2f1: not differentiable in the number of a parameter"),
            |x, _| second(&HYP2F1_REGULARIZED_D2, 1.0, x),
            |x, _| second(&HYP2F1_REGULARIZED_D2, 2.0, x),
            |x, _| second(&HYP2F1_REGULARIZED_D2, 3.0, x),
            |x, _| {
                let (i, a, b) = (&x[0], &x[1], &x[2]);
                let slope = choose(i, 1.0, b, &choose(i, 2.0, a, &a.lit(0.0)));
                a * b * raised_slope(&HYP2F1_REGULARIZED, &x[0], &x[1..]) + slope * raised_value(&HYP2F1_REGULARIZED, x)
            },
        ]),
        namespace: "-",
    }
    HYP2F1_REGULARIZED_D2 {
        name: "hyp2f1_regularized_d2",
        args: &["ij", "a", "b", "c", "z"],
        doc: "A derivative of it, up to the second, in the parameters.",
        kernels: Kernels::real::<b::Hyp2f1Regularized, 5>().with_complex::<c::Hyp2f1Regularized, 5>().narrow(),
        orders: &[0],
        rule: GAUSS_THIRD,
        namespace: "-",
    }
    HYP2F1_DEGREE_D1 {
        name: "hyp2f1_degree_d1",
        args: &["i", "n", "s", "c", "z"],
        doc: "Derivative of ``hyp2f1(-n, n + s, c, z)`` in ``n`` (4), ``s`` (5) or ``c`` (6).",
        kernels: Kernels::real::<b::Hyp2f1D1, 5>().with_complex::<c::Hyp2f1Dp, 5>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyp2f1: not differentiable in the number of a parameter"),
            |x, _| second(&HYP2F1_DEGREE_D2, 4.0, x),
            |x, _| second(&HYP2F1_DEGREE_D2, 5.0, x),
            |x, _| second(&HYP2F1_DEGREE_D2, 6.0, x),
            |x, _| {
                let (i, n, b, c) = (&x[0], &x[1], &(&x[1] + &x[2]), &x[3]);
                let twice = 2.0 * n + &x[2];
                let factor = -(n * b) / c;
                let slope = choose(i, 4.0, &(-twice / c), &choose(i, 5.0, &-(n / c), &-(&factor / c)));
                factor * lowered_slope(&HYP2F1_DEGREE_D1, x) + slope * E::call(&HYP2F1, [&(1.0 - n), &(b + 1.0), &(c + 1.0), &x[4]])
            },
        ]),
        namespace: "-",
    }
    HYP2F1_DEGREE_D2 {
        name: "hyp2f1_degree_d2",
        args: &["ij", "n", "s", "c", "z"],
        doc: "Second derivative of ``hyp2f1(-n, n + s, c, z)`` in the parameters.",
        kernels: Kernels::real::<b::Hyp2f1D2, 5>().with_complex::<c::Hyp2f1Dp, 5>().narrow(),
        orders: &[0],
        rule: GAUSS_THIRD,
        namespace: "-",
    }
    HYP2F1_DEGREE_REGULARIZED {
        name: "hyp2f1_degree_regularized",
        args: &["i", "n", "s", "c", "z"],
        doc: "Derivative of ``hyp2f1(-n, n + s, c, z) / gamma(c)`` next to poles in ``n`` (4), ``s`` (5) or ``c`` (6).",
        kernels: Kernels::real::<b::Hyp2f1Regularized, 5>().with_complex::<c::Hyp2f1Regularized, 5>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hyp2f1: not differentiable in the number of a parameter"),
            |x, _| second(&HYP2F1_DEGREE_REGULARIZED_D2, 4.0, x),
            |x, _| second(&HYP2F1_DEGREE_REGULARIZED_D2, 5.0, x),
            |x, _| second(&HYP2F1_DEGREE_REGULARIZED_D2, 6.0, x),
            |x, _| {
                let (i, n, b, c) = (&x[0], &x[1], &(&x[1] + &x[2]), &x[3]);
                let twice = 2.0 * n + &x[2];
                let slope = choose(i, 4.0, &-twice, &choose(i, 5.0, &-n, &n.lit(0.0)));
                let value = E::call(&HYP2F1_REGULARIZED, [&i.lit(0.0), &(1.0 - n), &(b + 1.0), &(c + 1.0), &x[4]]);
                -(n * b) * lowered_slope(&HYP2F1_DEGREE_REGULARIZED, x) + slope * value
            },
        ]),
        namespace: "-",
    }
    HYP2F1_DEGREE_REGULARIZED_D2 {
        name: "hyp2f1_degree_regularized_d2",
        args: &["ij", "n", "s", "c", "z"],
        doc: "Second derivative of it in the parameters.",
        kernels: Kernels::real::<b::Hyp2f1Regularized, 5>().with_complex::<c::Hyp2f1Regularized, 5>().narrow(),
        orders: &[0],
        rule: GAUSS_THIRD,
        namespace: "-",
    }
    STRUVE {
        name: "struve",
        args: &["v", "x"],
        doc: "Struve function H_v of real order (DLMF 11.2.1); NaN for ``x < 0`` unless ``v`` is an integer, its limit at infinity; differentiable in the order too.",
        example: ">>> sa.special.struve(0.5, sa.asarray([1.0, 2.5]))
                  array([0.36678569, 0.90890481])",
        reference: "scipy.special.struve",
        kernels: Kernels::real::<b::Struve, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&STRUVE_DV, [&x[0], &x[1]]),
            |x, y| struve_dx(&STRUVE, x, y, -1.0, struve_front(x), None),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_zero(&[1])],
        domain: &[(-1.0, 10.0), (0.0, 30.0)],
        namespace: "special",
    }
    STRUVE_DV {
        name: "struve_dv",
        args: &["v", "x"],
        doc: "Derivative of struve in the order.",
        kernels: Kernels::real::<b::StruveDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&STRUVE_DVV, [&x[0], &x[1]]),
            |x, y| struve_dx(&STRUVE_DV, x, y, -1.0, struve_front_dv(x), Some(E::call(&STRUVE, [&x[0], &x[1]]))),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    STRUVE_DVV {
        name: "struve_dvv",
        args: &["v", "x"],
        doc: "Second derivative of struve in the order.",
        kernels: Kernels::real::<b::StruveDvv, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| third("struve"), |_, _| third("struve")]),
        namespace: "-",
    }
    MODSTRUVE {
        name: "modstruve",
        args: &["v", "x"],
        doc: "Modified Struve function L_v of real order (DLMF 11.2.2); NaN for ``x < 0`` unless ``v`` is an integer; differentiable in the order too.",
        example: ">>> sa.special.modstruve(0.5, sa.asarray([1.0, 2.5]))
                  array([0.43331565, 2.5898893 ])",
        reference: "scipy.special.modstruve",
        kernels: Kernels::real::<b::Modstruve, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&MODSTRUVE_DV, [&x[0], &x[1]]),
            |x, y| struve_dx(&MODSTRUVE, x, y, 1.0, struve_front(x), None),
        ]),
        saves: Saves::ALL,
        domain: &[(-1.0, 10.0), (0.0, 30.0)],
        namespace: "special",
    }
    MODSTRUVE_DV {
        name: "modstruve_dv",
        args: &["v", "x"],
        doc: "Derivative of modstruve in the order.",
        kernels: Kernels::real::<b::ModstruveDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&MODSTRUVE_DVV, [&x[0], &x[1]]),
            |x, y| {
                let at_order = E::call(&MODSTRUVE, [&x[0], &x[1]]);
                let usual = struve_dx(&MODSTRUVE_DV, x, y, 1.0, struve_front_dv(x), Some(at_order));
                let gap = E::call(&MODSTRUVE_GAP, [&x[0], &x[1]]);
                // The mixed derivative of I, which grows like the usual one does before it cancels
                let root = E::call(&super::EXP, [&(0.5 * &x[1])]);
                let beside = &root * scaled_slope_step(x) * root - &gap;
                E::call(&super::WHERE, [&E::call(&super::ISNAN, [&gap]), &usual, &beside])
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    MODSTRUVE_GAP {
        name: "modstruve_gap",
        args: &["v", "x"],
        doc: "Mixed derivative of iv - modstruve next to order 0 beyond the origin, NaN elsewhere.",
        kernels: Kernels::real::<b::ModstruveGap, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| third("modstruve"), |_, _| third("modstruve")]),
        namespace: "-",
    }
    MODSTRUVE_DVV {
        name: "modstruve_dvv",
        args: &["v", "x"],
        doc: "Second derivative of modstruve in the order.",
        kernels: Kernels::real::<b::ModstruveDvv, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| third("modstruve"), |_, _| third("modstruve")]),
        namespace: "-",
    }
    BER {
        name: "ber",
        doc: "Kelvin function ber, the real part of I_0 at ``x exp(i pi/4)`` (DLMF 10.61).",
        example: ">>> sa.special.ber(sa.asarray([1.0, 2.5]))
                  array([0.98438178, 0.39996842])",
        reference: "scipy.special.ber",
        kernels: Kernels::real::<b::Ber, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&BERP, [&x[0]])]),
        domain: &[(-30.0, 30.0)],
        namespace: "special",
    }
    BERP {
        name: "berp",
        doc: "Derivative of the Kelvin function ber.",
        example: ">>> sa.special.berp(sa.asarray([1.0, 2.5]))
                  array([-0.06244575, -0.94358341])",
        reference: "scipy.special.berp",
        kernels: Kernels::real::<b::Berp, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KELVIN, [&x[0].lit(0.0), &x[0].lit(2.0), &x[0]])]),
        domain: &[(-30.0, 30.0)],
        namespace: "special",
    }
    BEI {
        name: "bei",
        doc: "Kelvin function bei, the imaginary part of I_0 at ``x exp(i pi/4)`` (DLMF 10.61).",
        example: ">>> sa.special.bei(sa.asarray([1.0, 2.5]))
                  array([0.24956604, 1.45718204])",
        reference: "scipy.special.bei",
        kernels: Kernels::real::<b::Bei, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&BEIP, [&x[0]])]),
        domain: &[(-30.0, 30.0)],
        namespace: "special",
    }
    BEIP {
        name: "beip",
        doc: "Derivative of the Kelvin function bei.",
        example: ">>> sa.special.beip(sa.asarray([1.0, 2.5]))
                  array([0.49739651, 0.99826885])",
        reference: "scipy.special.beip",
        kernels: Kernels::real::<b::Beip, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KELVIN, [&x[0].lit(1.0), &x[0].lit(2.0), &x[0]])]),
        domain: &[(-30.0, 30.0)],
        namespace: "special",
    }
    KER {
        name: "ker",
        doc: "Kelvin function ker, the real part of K_0 at ``x exp(i pi/4)`` (DLMF 10.61) of ``x >= 0``; infinite at 0.",
        example: ">>> sa.special.ker(sa.asarray([1.0, 2.5]))
                  array([ 0.28670621, -0.06968797])",
        reference: "scipy.special.ker",
        kernels: Kernels::real::<b::Ker, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KERP, [&x[0]])]),
        domain: &[(0.01, 30.0)],
        namespace: "special",
    }
    KERP {
        name: "kerp",
        doc: "Derivative of the Kelvin function ker of ``x >= 0``.",
        example: ">>> sa.special.kerp(sa.asarray([1.0, 2.5]))
                  array([-0.69460389, -0.0169298 ])",
        reference: "scipy.special.kerp",
        kernels: Kernels::real::<b::Kerp, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KELVIN, [&x[0].lit(2.0), &x[0].lit(2.0), &x[0]])]),
        domain: &[(0.01, 30.0)],
        namespace: "special",
    }
    KEI {
        name: "kei",
        doc: "Kelvin function kei, the imaginary part of K_0 at ``x exp(i pi/4)`` (DLMF 10.61) of ``x >= 0``.",
        example: ">>> sa.special.kei(sa.asarray([1.0, 2.5]))
                  array([-0.49499464, -0.1106961 ])",
        reference: "scipy.special.kei",
        kernels: Kernels::real::<b::Kei, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KEIP, [&x[0]])]),
        domain: &[(0.01, 30.0)],
        namespace: "special",
    }
    KEIP {
        name: "keip",
        doc: "Derivative of the Kelvin function kei of ``x >= 0``.",
        example: ">>> sa.special.keip(sa.asarray([1.0, 2.5]))
                  array([0.35236991, 0.14889542])",
        reference: "scipy.special.keip",
        kernels: Kernels::real::<b::Keip, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KELVIN, [&x[0].lit(3.0), &x[0].lit(2.0), &x[0]])]),
        domain: &[(0.01, 30.0)],
        namespace: "special",
    }
    KELVIN {
        name: "kelvin",
        args: &["kind", "n", "x"],
        doc: "Derivative ``n <= 4`` of ber, bei, ker or kei (``kind`` from 0 to 3).",
        kernels: Kernels::real::<b::Kelvin, 3>(),
        orders: &[0, 1],
        rule: RowRule::Partials(&[
            |_, _| unsupported("kelvin: not differentiable in the kind"),
            |_, _| unsupported("kelvin: not differentiable in the order"),
            |x, _| E::call(&KELVIN, [&x[0], &(&x[1] + 1.0), &x[2]]),
        ]),
        namespace: "-",
    }
}

/// What second derivatives in parameters have instead of derivatives.
const KUMMER_THIRD: RowRule = RowRule::Partials(&{
    let no: Partial = |_, _| third("hyp1f1");
    [no; 4]
});
const GAUSS_THIRD: RowRule = RowRule::Partials(&{
    let no: Partial = |_, _| third("hyp2f1");
    [no; 5]
});

fn third(name: &str) -> E {
    unsupported(&format!("{name}: third derivatives with parameters are not available"))
}

fn real_parameters(ins: &[&Array]) -> Result<()> {
    real_but_last("hypergeometric functions", "the parameters", ins)
}

/// The derivative of a function in its parameter `i`.
fn first(f: &'static Elementwise, i: f64, x: &[E]) -> E {
    numbered(f, &x[0].lit(i), x)
}

/// The derivative of a first derivative, whose first argument is the number of its parameter, in the parameter `j`.
fn second(f: &'static Elementwise, j: f64, x: &[E]) -> E {
    numbered(f, &(10.0 * &x[0] + j), &x[1..])
}

pub(super) fn numbered(f: &'static Elementwise, i: &E, x: &[E]) -> E {
    match x {
        [a, b, z] => E::call(f, [i, a, b, z]),
        [a, b, c, z] => E::call(f, [i, a, b, c, z]),
        _ => unreachable!("two or three parameters"),
    }
}

/// The function with all parameters one higher.
fn raised(f: &'static Elementwise, x: &[E]) -> E {
    match x {
        [a, b, z] => E::call(f, [&(a + 1.0), &(b + 1.0), z]),
        [a, b, c, z] => E::call(f, [&(a + 1.0), &(b + 1.0), &(c + 1.0), z]),
        _ => unreachable!("two or three parameters"),
    }
}

/// The lower parameter and all parameters and the argument for the slope in the argument, of the function or of its derivative in the
/// parameter `i`. Where another upper parameter ends the series before the pole of the lower one, that of -1 leaves 1 of the raised
/// function, and that of 0 nothing, whatever the lower one is.
fn ended(i: Option<&E>, x: &[E]) -> (E, Vec<E>) {
    let (upper, lower) = x[..x.len() - 1].split_at(x.len() - 2);
    let lower = &lower[0];
    let both = |a: &E, b: &E| E::call(&super::LOGICAL_AND, [a, b]);
    let at_pole = is_pole(&real(lower));
    let ends = |v: f64| {
        let found = upper.iter().zip(1..).map(|(a, number)| {
            let end = both(&at_pole, &equals(a, v));
            match i {
                Some(i) => both(&end, &E::call(&super::NOT_EQUAL, [i, &i.lit(f64::from(number))])),
                None => end,
            }
        });
        found.reduce(|a, b| E::call(&super::LOGICAL_OR, [&a, &b])).expect("one or two upper parameters")
    };
    let one = lower.lit(1.0);
    let below = E::call(&super::WHERE, [&ends(0.0), &one, lower]);
    let mut at = x.to_vec();
    at[x.len() - 2] = E::call(&super::WHERE, [&ends(-1.0), &one, &below]);
    (below, at)
}

/// The slope in the argument.
fn argument_slope(f: &'static Elementwise, x: &[E]) -> E {
    let (below, at) = ended(None, x);
    let upper = x[..x.len() - 2].iter().cloned().reduce(|a, b| a * b).expect("one or two upper parameters");
    // A factor of 0 leaves nothing of what overflows.
    let next = raised(f, &at);
    let over = E::call(&super::LOGICAL_AND, [&equals(&upper, 0.0), &E::call(&super::ISINF, [&next])]);
    upper / below * super::zero_where(&over, next)
}

/// The first derivative `i` with all parameters one higher.
fn raised_slope(f: &'static Elementwise, i: &E, x: &[E]) -> E {
    match x {
        [a, b, z] => E::call(f, [i, &(a + 1.0), &(b + 1.0), z]),
        [a, b, c, z] => E::call(f, [i, &(a + 1.0), &(b + 1.0), &(c + 1.0), z]),
        _ => unreachable!("two or three parameters"),
    }
}

/// The same of one in the degree `n`, for the parameters `-n` and `n + s`.
fn lowered_slope(f: &'static Elementwise, x: &[E]) -> E {
    E::call(f, [&x[0], &(&x[1] - 1.0), &(&x[2] + 2.0), &(&x[3] + 1.0), &x[4]])
}

/// The function itself, where that of a first derivative is 0.
fn raised_value(f: &'static Elementwise, x: &[E]) -> E {
    raised_slope(f, &x[0].lit(0.0), &x[1..])
}

/// `a` where `i` is the given number, else `b`.
fn choose(i: &E, number: f64, a: &E, b: &E) -> E {
    E::call(&super::WHERE, [&E::call(&super::EQUAL, [i, &i.lit(number)]), a, b])
}

/// The derivative in `x` of a Struve function, or of its derivative in the order, whose value is `y` and which is that of `function`.
///
/// From 1 on `f_{v - 1} - v/x f_v` (DLMF 11.4.26, 11.4.31), within 1 of the origin `v/x f_v + 2 front + sign f_{v + 1}` (DLMF 11.4.27,
/// 11.4.32), whose parts do not cancel there, nor in further derivatives, and at the origin half the sum of both.
fn struve_dx(f: &'static Elementwise, x: &[E], y: &E, sign: f64, front: E, function: Option<E>) -> E {
    let [down, up] = [-1.0, 1.0].map(|step| E::call(f, [&(&x[0] + step), &x[1]]));
    let up = sign * up;
    let square = &x[1] * &x[1];
    let origin = E::call(&super::EQUAL, [&square, &square.lit(0.0)]);
    let near = E::call(&super::LESS, [&square, &square.lit(1.0)]);
    let at = E::call(&super::WHERE, [&origin, &x[1].lit(1.0), &x[1]]);
    let turn = &x[0] / &at * y;
    let turn = function.map_or(turn.clone(), |value| turn + value / &at);
    let centre = 0.5 * &down + 0.5 * &up + &front;
    let inside = E::call(&super::WHERE, [&origin, &centre, &(&turn + 2.0 * front + up)]);
    E::call(&super::WHERE, [&near, &inside, &(down - turn)])
}

/// `(x/2)^v / (2 sqrt(pi) Gamma(v + 3/2))`.
fn struve_front(x: &[E]) -> E {
    0.5 * ROOT * E::call(&super::POW, [&(0.5 * &x[1]), &x[0]]) * E::call(&super::RGAMMA, [&(&x[0] + 1.5)])
}

/// Its derivative in the order.
fn struve_front_dv(x: &[E]) -> E {
    let (w, g) = (0.5 * &x[1], &x[0] + 1.5);
    let power = E::call(&super::POW, [&w, &x[0]]);
    let rate = E::call(&super::XLOGY, [&E::call(&super::RGAMMA, [&g]), &w]) + E::call(&super::RGAMMA_DX, [&g]);
    0.5 * ROOT * damped(&power, rate)
}
