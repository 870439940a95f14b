//! Exponentials and logarithms.

use super::{RowRule, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::{LN_2, LN_10};

rows! {
    EXP {
        name: "exp",
        doc: "Exponential ``e**x``.",
        example: ">>> sa.exp(sa.asarray([0.0, 1.0]))
                  array([1.        , 2.71828183])",
        reference: "numpy.exp",
        kernels: Kernels::real::<b::Exp, 1>().with_complex::<c::Exp, 1>(),
        rule: RowRule::Partials(&[|_, y| y.clone()]),
        saves: Saves::OUTPUT,
        domain: &[(-700.0, 700.0)],
    }
    EXP2 {
        name: "exp2",
        doc: "Power of two ``2**x``.",
        example: ">>> sa.exp2(sa.asarray([-1.0, 3.0]))
                  array([0.5, 8. ])",
        reference: "numpy.exp2",
        kernels: Kernels::real::<b::Exp2, 1>().with_complex::<c::Exp2, 1>(),
        rule: RowRule::Partials(&[|_, y| LN_2 * y]),
        saves: Saves::OUTPUT,
        domain: &[(-1000.0, 1000.0)],
    }
    EXP10 {
        name: "exp10",
        doc: "Power of ten ``10**x``.",
        example: ">>> sa.special.exp10(sa.asarray([-1.0, 3.0]))
                  array([1.e-01, 1.e+03])",
        reference: "scipy.special.exp10",
        kernels: Kernels::real::<b::Exp10, 1>(),
        rule: RowRule::Partials(&[|_, y| LN_10 * y]),
        saves: Saves::OUTPUT,
        domain: &[(-300.0, 300.0)],
        namespace: "special",
    }
    EXPM1 {
        name: "expm1",
        doc: "``e**x - 1`` without cancellation near 0.",
        example: ">>> sa.expm1(sa.asarray([1e-10]))
                  array([1.e-10])",
        reference: "numpy.expm1",
        kernels: Kernels::real::<b::Expm1, 1>().with_complex::<c::Expm1, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&EXP, [&x[0]])]),
        domain: &[(-50.0, 700.0)],
    }
    LOG {
        name: "log",
        doc: "Natural logarithm; the branch cut of complex arguments lies along the negative real axis.",
        example: ">>> sa.log(sa.asarray([1.0, 10.0]))
                  array([0.        , 2.30258509])",
        reference: "numpy.log",
        kernels: Kernels::real::<b::Log, 1>().with_complex::<c::Log, 1>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / &x[0]]),
        domain: &[(1e-300, 1e300)],
    }
    LOG2 {
        name: "log2",
        doc: "Logarithm to base 2, exact for powers of 2.",
        example: ">>> sa.log2(sa.asarray([0.5, 8.0]))
                  array([-1.,  3.])",
        reference: "numpy.log2",
        kernels: Kernels::real::<b::Log2, 1>().with_complex::<c::Log2, 1>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / (LN_2 * &x[0])]),
        domain: &[(1e-300, 1e300)],
    }
    LOG10 {
        name: "log10",
        doc: "Logarithm to base 10.",
        example: ">>> sa.log10(sa.asarray([0.1, 1000.0]))
                  array([-1.,  3.])",
        reference: "numpy.log10",
        kernels: Kernels::real::<b::Log10, 1>().with_complex::<c::Log10, 1>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / (LN_10 * &x[0])]),
        domain: &[(1e-300, 1e300)],
    }
    LOG1P {
        name: "log1p",
        doc: "``log(1 + x)`` without cancellation near 0.",
        example: ">>> sa.log1p(sa.asarray([1e-10]))
                  array([1.e-10])",
        reference: "numpy.log1p",
        kernels: Kernels::real::<b::Log1p, 1>().with_complex::<c::Log1p, 1>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / (1.0 + &x[0])]),
        domain: &[(-0.999, 1e10)],
    }
    LOGADDEXP {
        name: "logaddexp",
        args: &["x1", "x2"],
        doc: "``log(exp(x1) + exp(x2))`` without overflow.",
        example: ">>> sa.logaddexp(sa.asarray([0.0, 1000.0]), 0.0)
                  array([6.93147181e-01, 1.00000000e+03])",
        reference: "numpy.logaddexp",
        kernels: Kernels::real::<b::Logaddexp, 2>(),
        rule: RowRule::Partials(&[|x, _| weight(&x[0], &x[1]), |x, _| weight(&x[1], &x[0])]),
    }
    LOGADDEXP2 {
        name: "logaddexp2",
        args: &["x1", "x2"],
        doc: "``log2(2**x1 + 2**x2)`` without overflow.",
        example: ">>> sa.logaddexp2(sa.asarray([0.0, 10.0]), 0.0)
                  array([ 1.        , 10.00140819])",
        reference: "numpy.logaddexp2",
        kernels: Kernels::real::<b::Logaddexp2, 2>(),
        rule: RowRule::Partials(&[
            |x, _| weight(&(LN_2 * &x[0]), &(LN_2 * &x[1])),
            |x, _| weight(&(LN_2 * &x[1]), &(LN_2 * &x[0])),
        ]),
    }
    EXPIT {
        name: "expit",
        doc: "Logistic function ``1 / (1 + exp(-x))``.",
        example: ">>> sa.special.expit(sa.asarray([0.0, 2.0]))
                  array([0.5       , 0.88079708])",
        reference: "scipy.special.expit",
        kernels: Kernels::real::<b::Expit, 1>().with_complex::<c::Expit, 1>(),
        rule: RowRule::Partials(&[|x, _| 0.25 * E::call(&super::SECH2, [&(0.5 * &x[0])])]),
        namespace: "special",
    }
    LOG_EXPIT {
        name: "log_expit",
        doc: "Logarithm of the logistic function, accurate in both tails.",
        example: ">>> sa.special.log_expit(sa.asarray([0.0, 40.0]))
                  array([-6.93147181e-01, -4.24835426e-18])",
        reference: "scipy.special.log_expit",
        kernels: Kernels::real::<b::LogExpit, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&EXPIT, [&-&x[0]])]),
        namespace: "special",
    }
    SOFTPLUS {
        name: "softplus",
        doc: "``log(1 + exp(x))``, accurate in both tails.",
        example: ">>> sa.special.softplus(sa.asarray([0.0, 40.0]))
                  array([ 0.69314718, 40.        ])",
        reference: "scipy.special.softplus",
        kernels: Kernels::real::<b::Softplus, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&EXPIT, [&x[0]])]),
        namespace: "special",
    }
}

/// `exp(a) / (exp(a) + exp(b))`; 1/2 where both are the same infinity.
fn weight(a: &E, b: &E) -> E {
    let undefined = E::call(&super::LOGICAL_AND, [&E::call(&super::ISINF, [a]), &E::call(&super::EQUAL, [a, b])]);
    E::call(&EXPIT, [&super::zero_where(&undefined, a - b)])
}
