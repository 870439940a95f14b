//! The error functions, the normal distribution, and the integrals of its kind.

use super::special::{bell, equals, fading, finite, unsupported};
use super::{RowRule, damped, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

rows! {
    ERFCX {
        name: "erfcx",
        doc: "Scaled complementary error function ``exp(x**2) * erfc(x)`` (DLMF 7.2.2), differentiable without cancellation.",
        example: ">>> sa.special.erfcx(sa.asarray([0.0, 10.0]))
                  array([1.        , 0.05614099])",
        reference: "scipy.special.erfcx",
        kernels: Kernels::real::<b::Erfcx, 1>().with_complex::<c::Erfcx, 1>(),
        rule: RowRule::Partials(&[|x, _| -2.0 * E::call(&IERFCX, [&x[0].lit(1.0), &x[0]])]),
        domain: &[(-20.0, 1e6)],
        namespace: "special",
    }
    IERFCX {
        name: "ierfcx",
        args: &["n", "x"],
        doc: "The ``n``-th repeated integral of erfc (DLMF 7.18.2) times ``exp(x**2)``.",
        kernels: Kernels::real::<b::Ierfcx, 2>().with_complex::<c::Ierfcx, 2>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("erfcx: the order of a derivative is not differentiable"),
            |x, _| {
                let next = &x[0] + 1.0;
                -2.0 * &next * E::call(&IERFCX, [&next, &x[1]])
            },
        ]),
        namespace: "-",
    }
    ERFCINV {
        name: "erfcinv",
        doc: "Inverse of the complementary error function on [0, 2].",
        example: ">>> sa.special.erfcinv(sa.asarray([0.5, 1.5]))
                  array([ 0.47693628, -0.47693628])",
        reference: "scipy.special.erfcinv",
        kernels: Kernels::real::<b::Erfcinv, 1>(),
        rule: RowRule::Partials(&[|x, y| {
            -0.5 * PI.sqrt() / tail_density(&x[0], &(&x[0] / E::call(&ERFCX, [y])), &bell(y))
        }]),
        saves: Saves::ALL,
        domain: &[(1e-10, 2.0)],
        namespace: "special",
    }
    ERFI {
        name: "erfi",
        doc: "Imaginary error function ``-i * erf(i * x)`` (DLMF 7.2.4).",
        example: ">>> sa.special.erfi(sa.asarray([0.0, 1.0]))
                  array([0.        , 1.65042576])",
        reference: "scipy.special.erfi",
        kernels: Kernels::real::<b::Erfi, 1>().with_complex::<c::Erfi, 1>(),
        rule: RowRule::Partials(&[|x, _| FRAC_2_SQRT_PI * E::call(&super::EXP, [&E::call(&super::SQUARE, [&x[0]])])]),
        domain: &[(-5.0, 5.0)],
        namespace: "special",
    }
    DAWSN {
        name: "dawsn",
        doc: "Dawson's integral ``exp(-x**2) * int_0^x exp(t**2) dt`` (DLMF 7.2.5), differentiable without cancellation.",
        example: ">>> sa.special.dawsn(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.53807951])",
        reference: "scipy.special.dawsn",
        kernels: Kernels::real::<b::Dawsn, 1>().with_complex::<c::Dawsn, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&DAWSN_DERIVATIVE, [&x[0].lit(1.0), &x[0]])]),
        namespace: "special",
    }
    DAWSN_DERIVATIVE {
        name: "dawsn_derivative",
        args: &["n", "x"],
        doc: "The ``n``-th derivative of Dawson's integral.",
        kernels: Kernels::real::<b::DawsnDerivative, 2>().with_complex::<c::DawsnDerivative, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("dawsn: the order of a derivative is not differentiable"),
            |x, _| E::call(&DAWSN_DERIVATIVE, [&(&x[0] + 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    FRESNEL_S {
        name: "fresnel_s",
        doc: "Fresnel's sine integral ``int_0^x sin(pi * t**2 / 2) dt`` (DLMF 7.2.8).",
        example: ">>> sa.special.fresnel_s(sa.asarray([0.5, 2.0]))
                  array([0.06473243, 0.34341568])",
        kernels: Kernels::real::<b::FresnelS, 1>().with_complex::<c::FresnelS, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::SINPI, [&(0.5 * E::call(&super::SQUARE, [&x[0]]))])]),
        domain: &[(-100.0, 100.0)],
        namespace: "special",
    }
    FRESNEL_C {
        name: "fresnel_c",
        doc: "Fresnel's cosine integral ``int_0^x cos(pi * t**2 / 2) dt`` (DLMF 7.2.7).",
        example: ">>> sa.special.fresnel_c(sa.asarray([0.5, 2.0]))
                  array([0.49234423, 0.48825341])",
        kernels: Kernels::real::<b::FresnelC, 1>().with_complex::<c::FresnelC, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::COSPI, [&(0.5 * E::call(&super::SQUARE, [&x[0]]))])]),
        domain: &[(-100.0, 100.0)],
        namespace: "special",
    }
    NDTR {
        name: "ndtr",
        doc: "Distribution function of the standard normal distribution, accurate in the left tail.",
        example: ">>> sa.special.ndtr(sa.asarray([0.0, 1.0]))
                  array([0.5       , 0.84134475])",
        reference: "scipy.special.ndtr",
        kernels: Kernels::real::<b::Ndtr, 1>().with_complex::<c::Ndtr, 1>(),
        rule: RowRule::Partials(&[|x, _| normal_density(&x[0])]),
        domain: &[(-10.0, 10.0)],
        namespace: "special",
    }
    NDTRI {
        name: "ndtri",
        doc: "Inverse of the standard normal distribution function on [0, 1].",
        example: ">>> sa.special.ndtri(sa.asarray([0.5, 0.975]))
                  array([0.        , 1.95996398])",
        reference: "scipy.special.ndtri",
        kernels: Kernels::real::<b::Ndtri, 1>(),
        rule: RowRule::Partials(&[|x, y| {
            1.0 / tail_density(&x[0], &(&x[0] * E::call(&INVERSE_MILLS, [y])), &normal_density(y))
        }]),
        saves: Saves::ALL,
        domain: &[(1e-10, 1.0)],
        namespace: "special",
    }
    NORMAL_DENSITY {
        name: "normal_density",
        doc: "Density of the standard normal distribution.",
        kernels: Kernels::real::<b::NormalDensity, 1>().narrow(),
        rule: RowRule::Partials(&[|x, y| -damped(y, x[0].clone())]),
        saves: Saves::ALL,
        namespace: "-",
    }
    LOG_NDTR {
        name: "log_ndtr",
        doc: "Logarithm of the standard normal distribution function, accurate in both tails.",
        example: ">>> sa.special.log_ndtr(sa.asarray([0.0, -40.0]))
                  array([-6.93147181e-01, -8.04608442e+02])",
        reference: "scipy.special.log_ndtr",
        kernels: Kernels::real::<b::LogNdtr, 1>().with_complex::<c::LogNdtr, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&INVERSE_MILLS, [&x[0]])]),
        domain: &[(-1e3, 5.0)],
        namespace: "special",
    }
    INVERSE_MILLS {
        name: "inverse_mills",
        doc: "Density over distribution function of the standard normal distribution.",
        kernels: Kernels::real::<b::InverseMills, 1>().with_complex::<c::InverseMills, 1>(),
        rule: RowRule::Partials(&[|x, y| -mills_product(y, &E::call(&MILLS_GAP, [&x[0]]))]),
        saves: Saves::ALL,
        namespace: "-",
    }
    MILLS_GAP {
        name: "mills_gap",
        doc: "``x + inverse_mills(x)`` without cancellation.",
        kernels: Kernels::real::<b::MillsGap, 1>().with_complex::<c::MillsGap, 1>().narrow(),
        rule: RowRule::Partials(&[|x, y| 1.0 - mills_product(&E::call(&INVERSE_MILLS, [&x[0]]), y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
    NDTRI_EXP {
        name: "ndtri_exp",
        args: &["y"],
        doc: "Inverse of ``log_ndtr``, for ``y <= 0``.",
        example: ">>> sa.special.ndtri_exp(sa.asarray([-1.0, -1000.0]))
                  array([ -0.33747496, -44.61574773])",
        reference: "scipy.special.ndtri_exp",
        kernels: Kernels::real::<b::NdtriExp, 1>(),
        rule: RowRule::Partials(&[|_, y| 1.0 / E::call(&INVERSE_MILLS, [y])]),
        saves: Saves::OUTPUT,
        domain: &[(-20.0, -0.1)],
        namespace: "special",
    }
    OWENS_T {
        name: "owens_t",
        args: &["h", "a"],
        doc: "Owen's T function ``1/(2 pi) int_0^a exp(-h**2 (1 + x**2) / 2) / (1 + x**2) dx``.",
        example: ">>> sa.special.owens_t(1.0, sa.asarray([0.5, 2.0]))
                  array([0.04306469, 0.07846819])",
        reference: "scipy.special.owens_t",
        kernels: Kernels::real::<b::OwensT, 2>(),
        rule: RowRule::Partials(&[
            |x, _| fading(&x[0], |h| {
                let far = E::call(&super::ISINF, [&x[1]]);
                let inner = E::call(&super::ERF, [&(FRAC_1_SQRT_2 * &(h * finite(&x[1])))]);
                let [h1, a1] = [h, &x[1]].map(|v| E::call(&super::SIGN, [v]));
                -0.5 * normal_density(h) * E::call(&super::WHERE, [&far, &(h1 * a1), &inner])
            }),
            |x, _| fading(&x[0], |h| fading(&x[1], |a| {
                let square = 1.0 + E::call(&super::SQUARE, [a]);
                let exponent = -0.5 * E::call(&super::SQUARE, [h]) * &square;
                E::call(&super::EXP, [&exponent]) / (2.0 * PI * square)
            })),
        ]),
        domain: &[(-3.0, 3.0), (-3.0, 3.0)],
        namespace: "special",
    }
}

/// [`INVERSE_MILLS`] times [`MILLS_GAP`], which is 1 far left and 0 far right, where one of them is 0 and the other infinite.
fn mills_product(mills: &E, gap: &E) -> E {
    super::limit_at(gap, 0.0, 1.0, damped(mills, gap.clone()))
}

/// The density at a quantile, by the tail that it cuts off where that is small and the density at the rounded quantile would lose digits.
fn tail_density(tail: &E, by_tail: &E, density: &E) -> E {
    let at_end = E::call(&super::WHERE, [&equals(tail, 0.0), tail, by_tail]);
    E::call(&super::WHERE, [&E::call(&super::LESS, [tail, &tail.lit(0.1)]), &at_end, density])
}

/// The standard normal density.
pub(super) fn normal_density(x: &E) -> E {
    if x.is_complex() {
        return 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * bell(&(FRAC_1_SQRT_2 * x));
    }
    E::call(&NORMAL_DENSITY, [x])
}
