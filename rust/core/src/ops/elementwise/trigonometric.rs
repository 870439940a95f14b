//! Trigonometric and hyperbolic functions and their inverses.

use super::{RowRule, rows};
use crate::expr::E;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use std::f64::consts::PI;

rows! {
    SIN {
        name: "sin",
        doc: "Sine of radians; huge arguments are reduced exactly.",
        example: ">>> sa.sin(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.84147098])",
        reference: "numpy.sin",
        kernels: Kernels::real::<b::Sin, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&COS, [&x[0]])]),
        domain: &[(-1e6, 1e6)],
    }
    COS {
        name: "cos",
        doc: "Cosine of radians; huge arguments are reduced exactly.",
        example: ">>> sa.cos(sa.asarray([0.0, 1.0]))
                  array([1.        , 0.54030231])",
        reference: "numpy.cos",
        kernels: Kernels::real::<b::Cos, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&SIN, [&x[0]])]),
        domain: &[(-1e6, 1e6)],
    }
    TAN {
        name: "tan",
        doc: "Tangent of radians; huge arguments are reduced exactly.",
        example: ">>> sa.tan(sa.asarray([0.0, 1.0]))
                  array([0.        , 1.55740772])",
        reference: "numpy.tan",
        kernels: Kernels::real::<b::Tan, 1>(),
        rule: RowRule::Partials(&[|x, _| 1.0 / E::call(&super::SQUARE, [&E::call(&COS, [&x[0]])])]),
        domain: &[(-1e3, 1e3)],
    }
    SINPI {
        name: "sinpi",
        doc: "``sin(pi * x)``, exactly 0 at integers.",
        example: ">>> sa.sinpi(sa.asarray([0.5, 1.0]))
                  array([1., 0.])",
        kernels: Kernels::real::<b::Sinpi, 1>(),
        rule: RowRule::Partials(&[|x, _| PI * E::call(&COSPI, [&x[0]])]),
        domain: &[(-100.0, 100.0)],
    }
    COSPI {
        name: "cospi",
        doc: "``cos(pi * x)``, exactly 0 at half-integers.",
        example: ">>> sa.cospi(sa.asarray([0.5, 1.0]))
                  array([ 0., -1.])",
        kernels: Kernels::real::<b::Cospi, 1>(),
        rule: RowRule::Partials(&[|x, _| -PI * E::call(&SINPI, [&x[0]])]),
        domain: &[(-100.0, 100.0)],
    }
}
