//! Small functions of statistics and information theory.

use super::special::unsupported;
use super::{RowRule, damped, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;

rows! {
    LOGIT {
        name: "logit",
        args: &["p"],
        doc: "``log(p / (1 - p))``, accurate next to 1/2.",
        example: ">>> sa.special.logit(sa.asarray([0.25, 0.5]))
                  array([-1.09861229,  0.        ])",
        reference: "scipy.special.logit",
        kernels: Kernels::real::<b::Logit, 1>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / (&x[0] * (1.0 - &x[0]))]),
        domain: &[(0.0, 1.0)],
        namespace: "special",
    }
    ENTR {
        name: "entr",
        doc: "Entropy ``-x * log(x)``, 0 at 0 and ``-inf`` below.",
        example: ">>> sa.special.entr(sa.asarray([0.0, 0.5]))
                  array([0.        , 0.34657359])",
        reference: "scipy.special.entr",
        kernels: Kernels::real::<b::Entr, 1>(),
        rule: RowRule::Partials(&[|x, _| -1.0 - E::call(&super::LOG, [&x[0]])]),
        domain: &[(1e-300, 1e6)],
        namespace: "special",
    }
    XLOGY {
        name: "xlogy",
        args: &["x", "y"],
        doc: "``x * log(y)``, 0 where ``x`` is 0.",
        example: ">>> sa.special.xlogy(sa.asarray([0.0, 2.0]), sa.asarray([0.0, 3.0]))
                  array([0.        , 2.19722458])",
        reference: "scipy.special.xlogy",
        kernels: Kernels::real::<b::Xlogy, 2>().with_complex::<c::Xlogy, 2>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::LOG, [&x[1]]), |x, _| over(&x[0], &x[1])]),
        domain: &[(-1e3, 1e3), (1e-3, 1e6)],
        namespace: "special",
    }
    XLOG1PY {
        name: "xlog1py",
        args: &["x", "y"],
        doc: "``x * log1p(y)``, 0 where ``x`` is 0.",
        example: ">>> sa.special.xlog1py(sa.asarray([0.0, 2.0]), sa.asarray([-1.0, 3.0]))
                  array([0.        , 2.77258872])",
        reference: "scipy.special.xlog1py",
        kernels: Kernels::real::<b::Xlog1py, 2>().with_complex::<c::Xlog1py, 2>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::LOG1P, [&x[1]]), |x, _| over(&x[0], &(1.0 + &x[1]))]),
        domain: &[(-1e3, 1e3), (-0.99, 1e6)],
        namespace: "special",
    }
    LOG_RATIO {
        name: "log_ratio",
        args: &["x", "y"],
        doc: "``log(x / y)`` of positive numbers, accurate for near ones.",
        kernels: Kernels::real::<b::LogRatio, 2>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / &x[0], |x, _| -1.0 / &x[1]]),
        namespace: "-",
    }
    REL_ENTR {
        name: "rel_entr",
        args: &["x", "y"],
        doc: "Relative entropy ``x * log(x / y)``, 0 for ``x = 0 <= y`` and ``inf`` outside of the quarter plane.",
        example: ">>> sa.special.rel_entr(sa.asarray([0.0, 2.0]), 1.0)
                  array([0.        , 1.38629436])",
        reference: "scipy.special.rel_entr",
        kernels: Kernels::real::<b::RelEntr, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&LOG_RATIO, [&x[0], &x[1]]) + 1.0,
            |x, _| -over(&x[0], &x[1]),
        ]),
        domain: &[(1e-3, 1e6), (1e-3, 1e6)],
        namespace: "special",
    }
    KL_DIV {
        name: "kl_div",
        args: &["x", "y"],
        doc: "``x * log(x / y) - x + y``, accurate also near ``x = y`` and infinite where one argument is (SciPy: NaN).",
        example: ">>> sa.special.kl_div(sa.asarray([0.0, 2.0]), 1.0)
                  array([1.        , 0.38629436])",
        reference: "scipy.special.kl_div",
        kernels: Kernels::real::<b::KlDiv, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&LOG_RATIO, [&x[0], &x[1]]),
            |x, _| E::call(&KL_DIV_DY, [&x[0], &x[1]]),
        ]),
        domain: &[(0.1, 1.0), (3.0, 1e3)],
        namespace: "special",
    }
    KL_DIV_DY {
        name: "kl_div_dy",
        args: &["x", "y"],
        doc: "Derivative of ``kl_div`` in ``y``, ``(y - x) / y``, whose derivatives would cancel if it were a quotient of other rows.",
        kernels: Kernels::real::<b::KlDivDy, 2>().narrow(),
        rule: RowRule::Partials(&[|x, _| -1.0 / &x[1], |x, _| over(&x[0], &x[1]) / &x[1]]),
        namespace: "-",
    }
    HUBER {
        name: "huber",
        args: &["delta", "r"],
        doc: "Huber's loss: ``r**2 / 2`` up to ``abs(r) = delta``, then the tangent; ``inf`` for negative ``delta``.",
        example: ">>> sa.special.huber(1.0, sa.asarray([0.5, 3.0]))
                  array([0.125, 2.5  ])",
        reference: "scipy.special.huber",
        kernels: Kernels::real::<b::Huber, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&super::MAXIMUM, [&(E::call(&super::ABS, [&x[1]]) - &x[0]), &x[0].lit(0.0)]),
            |x, _| E::call(&super::MAXIMUM, [&E::call(&super::MINIMUM, [&x[1], &x[0]]), &-&x[0]]),
        ]),
        domain: &[(0.0, 3.0), (-1e3, 1e3)],
        namespace: "special",
    }
    PSEUDO_HUBER {
        name: "pseudo_huber",
        args: &["delta", "r"],
        doc: "Smooth loss ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``; ``inf`` for negative ``delta``.",
        example: ">>> sa.special.pseudo_huber(1.0, sa.asarray([0.5, 3.0]))
                  array([0.11803399, 2.16227766])",
        reference: "scipy.special.pseudo_huber",
        kernels: Kernels::real::<b::PseudoHuber, 2>(),
        rule: RowRule::Partials(&[
            |x, _| {
                // y / delta, whose derivatives cancel
                let root = E::call(&super::HYPOT, [&x[0], &x[1]]);
                let ratio = &x[1] * (&x[1] / (&root + &x[0]));
                &ratio * (&ratio / root)
            },
            |x, _| E::call(&PSEUDO_HUBER_DR, [&x[0], &x[1]]),
        ]),
        saves: Saves::ALL,
        domain: &[(0.1, 3.0), (-1e3, 1e3)],
        namespace: "special",
    }
    PSEUDO_HUBER_DR {
        name: "pseudo_huber_dr",
        args: &["delta", "r"],
        doc: "Derivative of ``pseudo_huber`` in ``r``, the derivatives of which would cancel if it were a quotient of other rows.",
        kernels: Kernels::real::<b::PseudoHuberDr, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| cubed(&E::call(&super::UNIT, [&x[1], &x[0]])),
            |x, _| cubed(&E::call(&super::UNIT, [&x[0], &x[1]])),
        ]),
        namespace: "-",
    }
    POWM1 {
        name: "powm1",
        args: &["x", "y"],
        doc: "``x**y - 1``, accurate near 0; with the special values of ``pow``.",
        example: ">>> sa.special.powm1(sa.asarray([1.0, 2.0]), 1e-10)
                  array([0.00000000e+00, 6.93147181e-11])",
        reference: "scipy.special.powm1",
        kernels: Kernels::real::<b::Powm1, 2>(),
        rule: RowRule::Partials(&[
            |x, _| super::power_dx(&x[0], &x[1]),
            |x, _| damped(&E::call(&super::POW, [&x[0], &x[1]]), E::call(&super::LOG, [&x[0]])),
        ]),
        domain: &[(0.1, 10.0), (-3.0, 3.0)],
        namespace: "special",
    }
    COSM1 {
        name: "cosm1",
        doc: "``cos(x) - 1``, accurate near every multiple of ``2 * pi``.",
        example: ">>> sa.special.cosm1(sa.asarray([0.0, 1e-8]))
                  array([ 0.e+00, -5.e-17])",
        reference: "scipy.special.cosm1",
        kernels: Kernels::real::<b::Cosm1, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&super::SIN, [&x[0]])]),
        domain: &[(-3.0, 3.0)],
        namespace: "special",
    }
    EXPREL {
        name: "exprel",
        doc: "``(exp(x) - 1) / x``, 1 at 0.",
        example: ">>> sa.special.exprel(sa.asarray([0.0, 1.0]))
                  array([1.        , 1.71828183])",
        reference: "scipy.special.exprel",
        kernels: Kernels::real::<b::Exprel, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&EXPREL_DERIVATIVE, [&x[0].lit(1.0), &x[0]])]),
        domain: &[(-700.0, 700.0)],
        namespace: "special",
    }
    EXPREL_DERIVATIVE {
        name: "exprel_derivative",
        args: &["n", "x"],
        doc: "The ``n``-th derivative of exprel.",
        kernels: Kernels::real::<b::ExprelDerivative, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("exprel: the order of a derivative is not differentiable"),
            |x, _| E::call(&EXPREL_DERIVATIVE, [&(&x[0] + 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    BOXCOX_DL {
        name: "boxcox_dl",
        args: &["x", "lmbda"],
        doc: "Derivative of ``boxcox`` in ``lmbda``.",
        kernels: Kernels::real::<b::BoxcoxDl, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| {
                let log = E::call(&super::LOG, [&x[0]]);
                damped(&E::call(&super::POW, [&x[0], &(&x[1] - 1.0)]), log)
            },
            |x, _| E::call(&BOXCOX_RATE, [&x[0].lit(2.0), &E::call(&super::LOG, [&x[0]]), &x[1]]),
        ]),
        namespace: "-",
    }
    BOXCOX1P_DL {
        name: "boxcox1p_dl",
        args: &["x", "lmbda"],
        doc: "Derivative of ``boxcox1p`` in ``lmbda``.",
        kernels: Kernels::real::<b::Boxcox1pDl, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| {
                let log = E::call(&super::LOG1P, [&x[0]]);
                damped(&power1p(x, &log), log)
            },
            |x, _| E::call(&BOXCOX_RATE, [&x[0].lit(2.0), &E::call(&super::LOG1P, [&x[0]]), &x[1]]),
        ]),
        namespace: "-",
    }
    BOXCOX_RATE {
        name: "boxcox_rate",
        args: &["n", "l", "lmbda"],
        doc: "The ``n``-th derivative of ``(exp(lmbda * l) - 1) / lmbda`` in ``lmbda``.",
        kernels: Kernels::real::<b::BoxcoxRate, 3>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("boxcox: the order of a derivative is not differentiable"),
            |x, _| damped(&E::call(&super::EXP, [&(&x[2] * &x[1])]), E::call(&super::POW, [&x[1], &x[0]])),
            |x, _| E::call(&BOXCOX_RATE, [&(&x[0] + 1.0), &x[1], &x[2]]),
        ]),
        namespace: "-",
    }
    LOG1PREL {
        name: "log1prel",
        args: &["n", "t"],
        doc: "The ``n``-th derivative of ``log1p(t) / t``.",
        kernels: Kernels::real::<b::Log1prel, 2>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("inv_boxcox: the order of a derivative is not differentiable"),
            |x, _| E::call(&LOG1PREL, [&(&x[0] + 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    BOXCOX {
        name: "boxcox",
        args: &["x", "lmbda"],
        doc: "Box and Cox's transformation ``(x**lmbda - 1) / lmbda``, ``log(x)`` for ``lmbda = 0``.",
        example: ">>> sa.special.boxcox(sa.asarray([1.0, 4.0]), 0.5)
                  array([0., 2.])",
        reference: "scipy.special.boxcox",
        kernels: Kernels::real::<b::Boxcox, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&super::POW, [&x[0], &(&x[1] - 1.0)]),
            |x, _| E::call(&BOXCOX_DL, [&x[0], &x[1]]),
        ]),
        domain: &[(0.01, 100.0), (-3.0, 3.0)],
        namespace: "special",
    }
    BOXCOX1P {
        name: "boxcox1p",
        args: &["x", "lmbda"],
        doc: "Box and Cox's transformation of ``1 + x``: ``((1 + x)**lmbda - 1) / lmbda``, ``log1p(x)`` for ``lmbda = 0``.",
        example: ">>> sa.special.boxcox1p(sa.asarray([0.0, 3.0]), 0.5)
                  array([0., 2.])",
        reference: "scipy.special.boxcox1p",
        kernels: Kernels::real::<b::Boxcox1p, 2>(),
        rule: RowRule::Partials(&[
            |x, _| power1p(x, &E::call(&super::LOG1P, [&x[0]])),
            |x, _| E::call(&BOXCOX1P_DL, [&x[0], &x[1]]),
        ]),
        domain: &[(-0.9, 100.0), (-3.0, 3.0)],
        namespace: "special",
    }
    INV_BOXCOX {
        name: "inv_boxcox",
        args: &["y", "lmbda"],
        doc: "Inverse of ``boxcox`` in ``x``: ``(1 + lmbda * y)**(1 / lmbda)``, ``exp(y)`` for ``lmbda = 0``.",
        example: ">>> sa.special.inv_boxcox(sa.asarray([0.0, 2.0]), 0.5)
                  array([1., 4.])",
        reference: "scipy.special.inv_boxcox",
        kernels: Kernels::real::<b::InvBoxcox, 2>(),
        rule: RowRule::Partials(&[
            |x, y| y / (1.0 + &x[0] * &x[1]),
            |x, y| y * inverse_in_lambda(&x[0], &x[1]),
        ]),
        saves: Saves::ALL,
        domain: &[(0.1, 3.0), (0.1, 3.0)],
        namespace: "special",
    }
    INV_BOXCOX1P {
        name: "inv_boxcox1p",
        args: &["y", "lmbda"],
        doc: "Inverse of ``boxcox1p`` in ``x``: ``(1 + lmbda * y)**(1 / lmbda) - 1``, ``expm1(y)`` for ``lmbda = 0``.",
        example: ">>> sa.special.inv_boxcox1p(sa.asarray([0.0, 2.0]), 0.5)
                  array([0., 3.])",
        reference: "scipy.special.inv_boxcox1p",
        kernels: Kernels::real::<b::InvBoxcox1p, 2>(),
        rule: RowRule::Partials(&[
            |x, y| (1.0 + y) / (1.0 + &x[0] * &x[1]),
            |x, y| (1.0 + y) * inverse_in_lambda(&x[0], &x[1]),
        ]),
        saves: Saves::ALL,
        domain: &[(0.1, 3.0), (0.1, 3.0)],
        namespace: "special",
    }
}

/// `x / y`, 0 where `x` is 0.
fn over(x: &E, y: &E) -> E {
    super::zero_where(&E::call(&super::EQUAL, [x, &x.lit(0.0)]), x / y)
}

/// `(1 + x)^(lambda - 1)`, given the logarithm of `1 + x`.
fn power1p(x: &[E], log: &E) -> E {
    E::call(&super::EXP, [&((&x[1] - 1.0) * log)])
}

/// d/dlambda of `(e^(lambda l) - 1) / lambda`.
pub(super) fn in_lambda(l: &E, lambda: &E) -> E {
    l * l * E::call(&EXPREL_DERIVATIVE, [&l.lit(1.0), &(lambda * l)])
}

/// d/dlambda of `log(1 + lambda y) / lambda`.
fn inverse_in_lambda(y: &E, lambda: &E) -> E {
    y * y * E::call(&LOG1PREL, [&y.lit(1.0), &(lambda * y)])
}

fn cubed(x: &E) -> E {
    x * x * x
}
