//! Special functions.

use super::{RowRule, Settles, damped, rows};
use crate::array::{Array, Scalar};
use crate::dtype::DType;
use crate::ensure;
use crate::error::{Error, Kind, Result};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// All arguments but the last are real also where that one is complex, whose dtype Python's numbers have taken by now.
pub(super) fn real_but_last(functions: &str, what: &str, ins: &[&Array]) -> Result<()> {
    for x in &ins[..ins.len() - 1] {
        let real =
            !x.dtype().is_complex() || x.size() == 1 && matches!(x.to_cpu()?.get(0), Scalar::Complex(z) if z.im == 0.0);
        ensure!(real, Type, "{functions}: {what} must be real, got {}", x.dtype().name());
    }
    Ok(())
}

/// A derivative that no rule covers yet: asking for it is an error, never a silent zero.
pub(super) fn unsupported(what: &str) -> E {
    E(Err(Error::new(Kind::NotImplemented, what)))
}

rows! {
    GAMMA {
        name: "gamma",
        doc: "Gamma function (DLMF 5.2.1); NaN at negative integers, as SciPy.",
        example: ">>> sa.special.gamma(sa.asarray([0.5, 5.0]))
                  array([ 1.77245385, 24.        ])",
        reference: "scipy.special.gamma",
        kernels: Kernels::real::<b::Gamma, 1>().with_complex::<c::Gamma, 1>(),
        rule: RowRule::Partials(&[|x, y| y * E::call(&DIGAMMA, [&x[0]])]),
        saves: Saves::ALL,
        domain: &[(0.1, 100.0)],
        namespace: "special",
    }
    GAMMALN {
        name: "gammaln",
        doc: "Logarithm of the magnitude of the gamma function (DLMF 5.2.1).",
        example: ">>> sa.special.gammaln(sa.asarray([1.0, 5.0]))
                  array([0.        , 3.17805383])",
        reference: "scipy.special.gammaln",
        kernels: Kernels::real::<b::Gammaln, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&DIGAMMA, [&x[0]])]),
        domain: &[(0.1, 1e6)],
        namespace: "special",
    }
    DIGAMMA {
        name: "digamma",
        doc: "Logarithmic derivative of the gamma function (DLMF 5.2.2), differentiable to any order.",
        example: ">>> sa.special.digamma(sa.asarray([1.0, 2.0]))
                  array([-0.57721566,  0.42278434])",
        reference: "scipy.special.digamma",
        kernels: Kernels::real::<b::Digamma, 1>().with_complex::<c::Digamma, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&POLYGAMMA, [&x[0].lit(1.0), &x[0]])]),
        domain: &[(0.1, 1e6)],
        namespace: "special",
    }
    POLYGAMMA {
        name: "polygamma",
        args: &["n", "x"],
        doc: "The ``n``-th derivative of digamma (DLMF 5.15), differentiable in both arguments, twice in ``n``.

For ``x > 0`` also between integer orders, where SciPy gives NaN: the balanced polygamma function of O. Espinosa and V. H. Moll,
\"A generalized polygamma function\", 2004. Complex ``x`` takes integer orders up to 4.",
        example: ">>> sa.special.polygamma(1, sa.asarray([1.0]))
                  array([1.64493407])",
        reference: "scipy.special.polygamma",
        kernels: Kernels::real::<b::Polygamma, 2>().with_complex::<c::Polygamma, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&super::POLYGAMMA_DN, [&x[0], &x[1]]),
            |x, _| E::call(&POLYGAMMA, [&(&x[0] + 1.0), &x[1]]),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_zero(&[1])],
        domain: &[(0.0, 8.0), (0.05, 50.0)],
        namespace: "special",
    }
    GAMMAINC {
        name: "gammainc",
        args: &["a", "x"],
        doc: "Regularized lower incomplete gamma function P(a, x) (DLMF 8.2.4).

Differentiable in both arguments; third derivatives in ``a`` raise NotImplementedError.",
        example: ">>> sa.special.gammainc(2.0, sa.asarray([1.0, 5.0]))
                  array([0.26424112, 0.95957232])",
        reference: "scipy.special.gammainc",
        kernels: Kernels::real::<b::Gammainc, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&GAMMAINC_DA, [&x[0], &x[1]]),
            |x, _| E::call(&GAMMAINC_DX, [&x[0], &x[1]]),
        ]),
        domain: &[(0.05, 200.0), (0.01, 300.0)],
        namespace: "special",
    }
    GAMMAINCC {
        name: "gammaincc",
        args: &["a", "x"],
        doc: "Regularized upper incomplete gamma function Q(a, x) (DLMF 8.2.4).

Differentiable in both arguments; third derivatives in ``a`` raise NotImplementedError.",
        example: ">>> sa.special.gammaincc(2.0, sa.asarray([1.0, 5.0]))
                  array([0.73575888, 0.04042768])",
        reference: "scipy.special.gammaincc",
        kernels: Kernels::real::<b::Gammaincc, 2>(),
        rule: RowRule::Partials(&[
            |x, _| -E::call(&GAMMAINC_DA, [&x[0], &x[1]]),
            |x, _| -E::call(&GAMMAINC_DX, [&x[0], &x[1]]),
        ]),
        domain: &[(0.05, 200.0), (0.01, 300.0)],
        namespace: "special",
    }
    GAMMAINC_DA {
        name: "gammainc_da",
        args: &["a", "x"],
        doc: "Derivative of P(a, x) in ``a``.",
        kernels: Kernels::real::<b::GammaincDa, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&GAMMAINC_DAA, [&x[0], &x[1]]),
            |x, _| gamma_density_slope(x, |score| score),
        ]),
        namespace: "-",
    }
    GAMMAINC_DAA {
        name: "gammainc_daa",
        args: &["a", "x"],
        doc: "Second derivative of P(a, x) in ``a``.",
        kernels: Kernels::real::<b::GammaincDaa, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("gammainc: the third derivative in a is not available"),
            |x, _| gamma_density_slope(x, |score| &score * &score - E::call(&POLYGAMMA, [&x[0].lit(1.0), &beside_zero(&x[0])])),
        ]),
        namespace: "-",
    }
    GAMMAINC_DX {
        name: "gammainc_dx",
        args: &["a", "x"],
        doc: "Derivative of P(a, x) in ``x``: the density of the gamma distribution.",
        kernels: Kernels::real::<b::GammaincDx, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| gamma_density_slope(x, |score| score),
            |x, y| {
                let usual = damped(y, gamma_log_density_dx(&x[0], &x[1]));
                E::call(&super::WHERE, [&equals(&x[1], 0.0), &power_slope(&x[0], &x[0].lit(-1.0), &x[0].lit(1.0), &usual), &usual])
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BELL {
        name: "bell",
        doc: "``exp(-x**2)``.",
        kernels: Kernels::real::<b::Bell, 1>().narrow(),
        rule: RowRule::Partials(&[|x, y| -2.0 * damped(y, x[0].clone())]),
        saves: Saves::ALL,
        namespace: "-",
    }
    ERF {
        name: "erf",
        doc: "Error function (DLMF 7.2.1).",
        example: ">>> sa.special.erf(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.84270079])",
        reference: "scipy.special.erf",
        kernels: Kernels::real::<b::Erf, 1>().with_complex::<c::Erf, 1>(),
        rule: RowRule::Partials(&[|x, _| FRAC_2_SQRT_PI * bell(&x[0])]),
        domain: &[(-6.0, 6.0)],
        namespace: "special",
    }
    ERFC {
        name: "erfc",
        doc: "Complementary error function (DLMF 7.2.2), accurate in the tail.",
        example: ">>> sa.special.erfc(sa.asarray([0.0, 1.0]))
                  array([1.        , 0.15729921])",
        reference: "scipy.special.erfc",
        kernels: Kernels::real::<b::Erfc, 1>().with_complex::<c::Erfc, 1>(),
        rule: RowRule::Partials(&[|x, _| -FRAC_2_SQRT_PI * bell(&x[0])]),
        domain: &[(-6.0, 26.0)],
        namespace: "special",
    }
    ERFINV {
        name: "erfinv",
        doc: "Inverse of the error function on [-1, 1].",
        example: ">>> sa.special.erfinv(sa.asarray([0.0, 0.5]))
                  array([0.        , 0.47693628])",
        reference: "scipy.special.erfinv",
        kernels: Kernels::real::<b::Erfinv, 1>(),
        rule: RowRule::Partials(&[|_, y| 0.5 * PI.sqrt() / bell(y)]),
        saves: Saves::OUTPUT,
        domain: &[(-1.0, 1.0)],
        namespace: "special",
    }
}

/// `exp(-x**2)`.
pub(super) fn bell(x: &E) -> E {
    if x.is_complex() { E::call(&super::EXP, [&-E::call(&super::SQUARE, [x])]) } else { E::call(&BELL, [x]) }
}

/// `f(x)`, and 0 with all derivatives where a real `x` is infinite.
pub(super) fn fading(x: &E, f: impl Fn(&E) -> E) -> E {
    if x.is_complex() { f(x) } else { zero_beyond(&E::call(&super::ISINF, [x]), x, f) }
}

/// `f(x)`, and 0 with all derivatives where the mask is set.
pub(super) fn zero_beyond(far: &E, x: &E, f: impl Fn(&E) -> E) -> E {
    super::zero_where(far, f(&E::call(&super::WHERE, [far, &x.lit(1.0), x])))
}

/// A factor of what falls off faster than it grows: 0 where it is infinite.
pub(super) fn finite(x: &E) -> E {
    super::zero_where(&E::call(&super::ISINF, [x]), x.clone())
}

/// A parameter, next to 0 where it is 0: there densities vanish like it, and their infinite scores leave a finite product.
pub(super) fn beside_zero(a: &E) -> E {
    let tiny = if a.0.as_ref().is_ok_and(|a| a.dtype() == DType::F32) { 1e-30 } else { 1e-290 };
    E::call(&super::WHERE, [&equals(a, 0.0), &a.lit(tiny), a])
}

pub(super) fn equals(x: &E, v: f64) -> E {
    E::call(&super::EQUAL, [x, &x.lit(v)])
}

/// The slope at 0 of a density that rises like `x^(a - 1)`: those of exponents 0 and 1, infinite between them, and else as usual.
pub(super) fn power_slope(a: &E, flat: &E, straight: &E, usual: &E) -> E {
    let above = E::call(&super::LESS, [&a.lit(1.0), a]);
    let steep = E::call(&super::LOGICAL_AND, [&above, &E::call(&super::LESS, [a, &a.lit(2.0)])]);
    let other = E::call(&super::WHERE, [&steep, &a.lit(f64::INFINITY), usual]);
    let other = E::call(&super::WHERE, [&equals(a, 2.0), straight, &other]);
    E::call(&super::WHERE, [&equals(a, 1.0), flat, &other])
}

/// d/da of the logarithm of the gamma density.
pub(super) fn gamma_score(a: &E, x: &E) -> E {
    E::call(&super::LOG, [x]) - E::call(&DIGAMMA, [a])
}

/// d/dx of the logarithm of the gamma density.
pub(super) fn gamma_log_density_dx(a: &E, x: &E) -> E {
    (a - 1.0 - x) / x
}

/// The gamma density times a factor from its score in `a`.
fn gamma_density_slope(x: &[E], factor: impl Fn(E) -> E) -> E {
    let a = beside_zero(&x[0]);
    damped(&E::call(&GAMMAINC_DX, [&a, &x[1]]), factor(gamma_score(&a, &x[1])))
}
