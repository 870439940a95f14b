//! Faddeeva's function, the distributions of Voigt and Kolmogorov, and incomplete gamma and beta functions solved for parameters.

use super::special::unsupported;
use super::{RowRule, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;

rows! {
    WOFZ {
        name: "wofz",
        args: &["z"],
        doc: "Faddeeva's function of a complex argument.",
        kernels: Kernels::complex::<c::Wofz, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&WOFZ_DERIVATIVE, [&x[0].lit(1.0), &x[0]])]),
        namespace: "-",
    }
    WOFZ_DERIVATIVE {
        name: "wofz_derivative",
        args: &["n", "z"],
        doc: "The ``n``-th derivative of Faddeeva's function.",
        kernels: Kernels::complex::<c::WofzDerivative, 2>(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("wofz: the order of a derivative is not differentiable"),
            |x, _| E::call(&WOFZ_DERIVATIVE, [&(&x[0] + 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    VOIGT_PROFILE {
        name: "voigt_profile",
        args: &["x", "sigma", "gamma"],
        doc: "Voigt's profile (DLMF 7.19.1): a normal density of deviation ``sigma`` convolved with a Cauchy density of width ``gamma``.

Differentiable in all arguments to any order, by the heat equation in ``sigma`` and harmonicity in ``gamma``.",
        example: ">>> sa.special.voigt_profile(sa.asarray([0.0, 2.0]), 1.0, 1.0)
                  array([0.20870928, 0.0907152 ])",
        reference: "scipy.special.voigt_profile",
        kernels: Kernels::real::<b::VoigtProfile, 3>(),
        rule: RowRule::Partials(&[
            |x, _| voigt(&VOIGT_RE, 1.0, x),
            |x, _| &x[1] * voigt(&VOIGT_RE, 2.0, x),
            |x, _| -voigt(&VOIGT_IM, 1.0, x),
        ]),
        domain: &[(-20.0, 20.0), (0.1, 10.0), (0.01, 10.0)],
        namespace: "special",
    }
    VOIGT_RE {
        name: "voigt_re",
        args: &["n", "x", "sigma", "gamma"],
        doc: "The ``n``-th derivative of Voigt's profile in ``x``.",
        kernels: Kernels::real::<b::VoigtRe, 4>(),
        orders: &[0],
        rule: RowRule::Partials(&[
            order_of_voigt,
            |x, _| voigt_next(&VOIGT_RE, 1.0, x),
            |x, _| &x[2] * voigt_next(&VOIGT_RE, 2.0, x),
            |x, _| -voigt_next(&VOIGT_IM, 1.0, x),
        ]),
        namespace: "-",
    }
    VOIGT_IM {
        name: "voigt_im",
        args: &["n", "x", "sigma", "gamma"],
        doc: "The ``n``-th derivative in ``x`` of the Hilbert transform of Voigt's profile.",
        kernels: Kernels::real::<b::VoigtIm, 4>(),
        orders: &[0],
        rule: RowRule::Partials(&[
            order_of_voigt,
            |x, _| voigt_next(&VOIGT_IM, 1.0, x),
            |x, _| &x[2] * voigt_next(&VOIGT_IM, 2.0, x),
            |x, _| voigt_next(&VOIGT_RE, 1.0, x),
        ]),
        namespace: "-",
    }
    KOLMOGOROV {
        name: "kolmogorov",
        doc: "Survival function of Kolmogorov's distribution, the limit of that of the two-sided statistic.",
        example: ">>> sa.special.kolmogorov(sa.asarray([0.5, 1.0]))
                  array([0.96394524, 0.26999967])",
        reference: "scipy.special.kolmogorov",
        kernels: Kernels::real::<b::Kolmogorov, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KOLMOGOROV_DX, [&x[0]])]),
        domain: &[(0.1, 10.0)],
        namespace: "special",
    }
    KOLMOGOROV_DX {
        name: "kolmogorov_dx",
        doc: "Derivative of the survival function of Kolmogorov's distribution.",
        kernels: Kernels::real::<b::KolmogorovDx, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&KOLMOGOROV_DXX, [&x[0]])]),
        namespace: "-",
    }
    KOLMOGOROV_DXX {
        name: "kolmogorov_dxx",
        doc: "Second derivative of the survival function of Kolmogorov's distribution.",
        kernels: Kernels::real::<b::KolmogorovDxx, 1>(),
        rule: RowRule::Partials(&[|_, _| unsupported("kolmogorov: the third derivative is not available")]),
        namespace: "-",
    }
    KOLMOGI {
        name: "kolmogi",
        args: &["p"],
        doc: "Inverse of `kolmogorov` on [0, 1].",
        example: ">>> sa.special.kolmogi(sa.asarray([0.05, 0.5]))
                  array([1.35809864, 0.82757356])",
        reference: "scipy.special.kolmogi",
        kernels: Kernels::real::<b::Kolmogi, 1>(),
        rule: RowRule::Partials(&[|_, y| 1.0 / E::call(&KOLMOGOROV_DX, [y])]),
        saves: Saves::OUTPUT,
        domain: &[(1e-6, 0.999)],
        namespace: "special",
    }
    GAMMAINC_SHAPE {
        name: "gammainc_shape",
        args: &["p", "x"],
        doc: "The ``a`` with ``gammainc(a, x) = p``.",
        kernels: Kernels::real::<b::GammaincShape, 2>(),
        rule: RowRule::Partials(&[
            |x, y| 1.0 / E::call(&super::GAMMAINC_DA, [y, &x[1]]),
            |x, y| -(E::call(&super::GAMMAINC_DX, [y, &x[1]]) / E::call(&super::GAMMAINC_DA, [y, &x[1]])),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    GAMMAINCC_SHAPE {
        name: "gammaincc_shape",
        args: &["q", "x"],
        doc: "The ``a`` with ``gammaincc(a, x) = q``.",
        kernels: Kernels::real::<b::GammainccShape, 2>(),
        rule: RowRule::Partials(&[
            |x, y| -1.0 / E::call(&super::GAMMAINC_DA, [y, &x[1]]),
            |x, y| -(E::call(&super::GAMMAINC_DX, [y, &x[1]]) / E::call(&super::GAMMAINC_DA, [y, &x[1]])),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BTDTRIA {
        name: "btdtria",
        args: &["p", "b", "x"],
        doc: "The ``a`` with ``betainc(a, b, x) = p``, differentiable in all arguments.",
        example: ">>> sa.special.btdtria(0.5, 2.0, sa.asarray([0.25, 0.75]))
                  array([0.85857497, 5.36730958])",
        reference: "scipy.special.btdtria",
        kernels: Kernels::real::<b::Btdtria, 3>(),
        rule: RowRule::Partials(&[
            |x, y| 1.0 / E::call(&super::BETAINC_DA, [y, &x[1], &x[2]]),
            |x, y| -(E::call(&super::BETAINC_DB, [y, &x[1], &x[2]]) / E::call(&super::BETAINC_DA, [y, &x[1], &x[2]])),
            |x, y| -(E::call(&super::BETAINC_DX, [y, &x[1], &x[2]]) / E::call(&super::BETAINC_DA, [y, &x[1], &x[2]])),
        ]),
        saves: Saves::ALL,
        domain: &[(0.01, 0.99), (0.5, 20.0), (0.1, 0.9)],
        namespace: "special",
    }
    BTDTRIB {
        name: "btdtrib",
        args: &["a", "p", "x"],
        doc: "The ``b`` with ``betainc(a, b, x) = p``, differentiable in all arguments.",
        example: ">>> sa.special.btdtrib(2.0, 0.5, sa.asarray([0.25, 0.75]))
                  array([5.36730958, 0.85857497])",
        reference: "scipy.special.btdtrib",
        kernels: Kernels::real::<b::Btdtrib, 3>(),
        rule: RowRule::Partials(&[
            |x, y| -(E::call(&super::BETAINC_DA, [&x[0], y, &x[2]]) / E::call(&super::BETAINC_DB, [&x[0], y, &x[2]])),
            |x, y| 1.0 / E::call(&super::BETAINC_DB, [&x[0], y, &x[2]]),
            |x, y| -(E::call(&super::BETAINC_DX, [&x[0], y, &x[2]]) / E::call(&super::BETAINC_DB, [&x[0], y, &x[2]])),
        ]),
        saves: Saves::ALL,
        domain: &[(0.5, 20.0), (0.01, 0.99), (0.1, 0.9)],
        namespace: "special",
    }
}

/// A derivative of the profile, from the arguments of the profile.
fn voigt(row: &'static super::Elementwise, n: f64, x: &[E]) -> E {
    E::call(row, [&x[0].lit(n), &x[0], &x[1], &x[2]])
}

/// A further derivative, from the order and the arguments.
fn voigt_next(row: &'static super::Elementwise, n: f64, x: &[E]) -> E {
    E::call(row, [&(&x[0] + n), &x[1], &x[2], &x[3]])
}

fn order_of_voigt(_: &[E], _: &E) -> E {
    unsupported("voigt_profile: the order of a derivative is not differentiable")
}
