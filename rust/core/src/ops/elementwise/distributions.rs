//! Faddeeva's function, the distributions of Voigt and Kolmogorov, and incomplete gamma and beta functions solved for parameters.

use super::special::{finite, unsupported};
use super::{RowRule, Settles, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::LN_2;

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
        kernels: Kernels::complex::<c::WofzDerivative, 2>().narrow(),
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
            |x, _| finite(&x[1]) * voigt(&VOIGT_RE, 2.0, x),
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
            |x, _| finite(&x[2]) * voigt_next(&VOIGT_RE, 2.0, x),
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
            |x, _| finite(&x[2]) * voigt_next(&VOIGT_IM, 2.0, x),
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
        kernels: Kernels::real::<b::KolmogorovDx, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&KOLMOGOROV_DXX, [&x[0]])]),
        namespace: "-",
    }
    KOLMOGOROV_DXX {
        name: "kolmogorov_dxx",
        doc: "Second derivative of the survival function of Kolmogorov's distribution.",
        kernels: Kernels::real::<b::KolmogorovDxx, 1>().narrow(),
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
    BETA_SPLIT {
        name: "beta_split",
        args: &["y", "total", "x"],
        doc: "The ``a`` with ``betaincc(a, total - a, x) = y``.",
        kernels: Kernels::real::<b::BetaSplit, 3>(),
        rule: RowRule::Partials(&[
            |x, y| 1.0 / split_slope(x, y),
            |x, y| E::call(&super::BETAINC_DB, [y, &(&x[1] - y), &x[2]]) / split_slope(x, y),
            |x, y| E::call(&super::BETAINC_DX, [y, &(&x[1] - y), &x[2]]) / split_slope(x, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    FDTRIDFD {
        name: "fdtridfd",
        args: &["dfn", "p", "x"],
        doc: "Inverse of ``fdtr`` in ``dfd``, differentiable in all arguments: the smallest one, NaN where no ``dfd`` gives ``p``.

SciPy returns a bound of its search, 1e100, where there is none and where two give ``p``, as for some ``x < 1``.",
        example: ">>> sa.special.fdtridfd(2.0, sa.asarray([0.25, 0.75]), 2.0)
                  array([0.18424549, 4.        ])",
        reference: "scipy.special.fdtridfd",
        kernels: Kernels::real::<b::Fdtridfd, 3>(),
        rule: RowRule::Partials(&[
            |x, y| -(variance_ratio_slope(x, y, 0) / variance_ratio_slope(x, y, 1)),
            |x, y| 1.0 / variance_ratio_slope(x, y, 1),
            |x, y| -(variance_ratio_slope(x, y, 2) / variance_ratio_slope(x, y, 1)),
        ]),
        saves: Saves::ALL,
        domain: &[(0.5, 20.0), (0.05, 0.5), (1.0, 3.0)],
        namespace: "special",
    }
    TKLMBDA {
        name: "tklmbda",
        args: &["x", "lmbda"],
        doc: "Distribution function of Tukey's lambda distribution, the inverse of ``(p**lmbda - (1 - p)**lmbda) / lmbda`` in ``p``.

Accurate in the left tail; differentiable in both arguments. J. W. Tukey, The practical relationship between the common
transformations of percentages or fractions and of amounts, 1960.",
        example: ">>> sa.special.tklmbda(sa.asarray([-1.0, 0.0, 2.0]), 0.5)
                  array([0.16928109, 0.5       , 1.        ])",
        reference: "scipy.special.tklmbda",
        kernels: Kernels::real::<b::Tklmbda, 2>(),
        rule: RowRule::Partials(&[
            |x, _| tukey_density(x),
            |x, _| {
                let t = tukey_inside(x);
                // d/dlmbda of the quantile of the smaller tail
                let here = super::in_lambda(&E::call(&super::LOG, [&t]), &x[1]);
                let there = super::in_lambda(&E::call(&super::LOG1P, [&-&t]), &x[1]);
                let sign = E::call(&super::WHERE, [&right(&x[0]), &x[0].lit(1.0), &x[0].lit(-1.0)]);
                let centre = TukeyCentre::new(x);
                E::call(&super::WHERE, [&centre.near, &centre.in_lambda(x), &(sign * (here - there))]) * tukey_density(x)
            },
        ]),
        saves: Saves::ALL,
        settles: &[Settles { arguments: &[1], rest: |_, y| y * (1.0 - y), always: false }],
        domain: &[(-1.5, 1.5), (-2.0, 0.6)],
        namespace: "special",
    }
    SMIRNOV {
        name: "smirnov",
        args: &["n", "d"],
        doc: "Probability that Smirnov's one-sided statistic of a sample of ``n`` is at least ``d``, exact for ``n`` up to 1e6.

``n`` is a whole number, else NaN (SciPy truncates). Twice differentiable in ``d``, one-sided where ``n * d`` is whole.",
        example: ">>> sa.special.smirnov(3, sa.asarray([0.0, 0.5]))
                  array([1.        , 0.16666667])",
        reference: "scipy.special.smirnov",
        kernels: Kernels::real::<b::Smirnov, 2>(),
        orders: &[0],
        rule: RowRule::Partials(&[size_of_sample, |x, _| E::call(&SMIRNOV_DX, [&x[0], &x[1]])]),
        domain: &[(1.0, 20.0), (0.0, 1.0)],
        namespace: "special",
    }
    SMIRNOV_DX {
        name: "smirnov_dx",
        args: &["n", "d"],
        doc: "Derivative of ``smirnov`` in ``d``.",
        kernels: Kernels::real::<b::SmirnovDx, 2>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[size_of_sample, |x, _| E::call(&SMIRNOV_DXX, [&x[0], &x[1]])]),
        namespace: "-",
    }
    SMIRNOV_DXX {
        name: "smirnov_dxx",
        args: &["n", "d"],
        doc: "Second derivative of ``smirnov`` in ``d``.",
        kernels: Kernels::real::<b::SmirnovDxx, 2>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            size_of_sample,
            |_, _| unsupported("smirnov: the third derivative is not available"),
        ]),
        namespace: "-",
    }
    SMIRNOVI {
        name: "smirnovi",
        args: &["n", "p"],
        doc: "Inverse of `smirnov` in ``d`` on [0, 1], for whole ``n`` up to 1e6.",
        example: ">>> sa.special.smirnovi(1, sa.asarray([1.0, 0.25]))
                  array([0.  , 0.75])",
        reference: "scipy.special.smirnovi",
        kernels: Kernels::real::<b::Smirnovi, 2>(),
        orders: &[0],
        rule: RowRule::Partials(&[size_of_sample, |x, y| 1.0 / E::call(&SMIRNOV_DX, [&x[0], y])]),
        saves: Saves::ALL,
        domain: &[(1.0, 20.0), (0.01, 0.99)],
        namespace: "special",
    }
}

/// dI/db - dI/da at the answer of [`BETA_SPLIT`].
fn split_slope(x: &[E], y: &E) -> E {
    let rest = &x[1] - y;
    E::call(&super::BETAINC_DB, [y, &rest, &x[2]]) - E::call(&super::BETAINC_DA, [y, &rest, &x[2]])
}

/// The derivative of `fdtr` at the answer of [`FDTRIDFD`]: in `dfn` (0), `dfd` (1) or `x` (2).
fn variance_ratio_slope(x: &[E], dfd: &E, which: usize) -> E {
    let (dfn, spread) = (&x[0], &x[0] * &x[2]);
    let total = &spread + dfd;
    let point = [&(0.5 * dfn), &(0.5 * dfd), &(&spread / &total)];
    let in_spread = E::call(&super::BETAINC_DX, point) * dfd / (&total * &total);
    match which {
        0 => 0.5 * E::call(&super::BETAINC_DA, point) + in_spread * &x[2],
        1 => 0.5 * E::call(&super::BETAINC_DB, point) - in_spread * spread / dfd,
        _ => in_spread * dfn,
    }
}

/// The smaller tail of Tukey's distribution, in digits that the value near 1 lacks.
fn tukey_tail(x: &[E]) -> E {
    // Smooth on the left also at 0, which `abs` is not.
    let left = E::call(&super::WHERE, [&right(&x[0]), &-&x[0], &x[0]]);
    E::call(&TKLMBDA, [&left, &x[1]])
}

fn right(x: &E) -> E {
    E::call(&super::GREATER, [x, &x.lit(0.0)])
}

/// The same with 1/2 where it is 0.
fn tukey_inside(x: &[E]) -> E {
    let t = tukey_tail(x);
    E::call(&super::WHERE, [&outside(&t), &t.lit(0.5), &t])
}

fn outside(t: &E) -> E {
    E::call(&super::EQUAL, [t, &t.lit(0.0)])
}

/// About the median, where differences of the two tails cancel: with `2 u = logit(p)` and `l = log(2 cosh(u))`
/// the quantile is `2 e^(-lmbda l) sinh(lmbda u) / lmbda`.
struct TukeyCentre {
    near: E,
    u: E,
    l: E,
}

impl TukeyCentre {
    fn new(x: &[E]) -> TukeyCentre {
        let log2cosh = |u2: &E| LN_2 + u2 * (0.5 + u2 * (u2 * (1.0 / 45.0) - 1.0 / 12.0));
        let t = tukey_inside(x);
        // From the tail to few digits, enough for what it does not change much
        let rough = 0.5 * (E::call(&super::LOG, [&t]) - E::call(&super::LOG1P, [&-&t]));
        let rough = &rough * &rough;
        let w = 0.5 * &x[0] * E::call(&super::EXP, [&(&x[1] * log2cosh(&rough))]);
        let z = &x[1] * &w;
        let z = &z * &z;
        let u = w * (1.0 + &z * (&z * (3.0 / 40.0) - 1.0 / 6.0));
        let size = E::call(&super::MAXIMUM, [&rough, &z]);
        let l = log2cosh(&(&u * &u));
        TukeyCentre { near: E::call(&super::LESS, [&size, &size.lit(1e-5)]), u, l }
    }

    /// Minus d/dlmbda of the quantile.
    fn in_lambda(&self, x: &[E]) -> E {
        let z = &x[1] * &self.u;
        let z2 = &z * &z;
        // The derivative of sinh(z) / z
        let bend = z * (1.0 / 3.0 + &z2 * (1.0 / 30.0 + &z2 * (1.0 / 840.0)));
        &x[0] * &self.l - 2.0 * &self.u * &self.u * bend * E::call(&super::EXP, [&-(&x[1] * &self.l)])
    }

    fn density(&self, x: &[E]) -> E {
        let power = &x[1] - 1.0;
        0.5 * E::call(&super::EXP, [&(&power * &self.l)]) / E::call(&super::COSH, [&(power * &self.u)])
    }
}

/// The density, the reciprocal of `p^(lmbda - 1) + (1 - p)^(lmbda - 1)`, 0 outside of the support.
fn tukey_density(x: &[E]) -> E {
    let (t, power) = (tukey_inside(x), &x[1] - 1.0);
    let here = E::call(&super::POW, [&t, &power]);
    let there = E::call(&super::EXP, [&(&power * E::call(&super::LOG1P, [&-&t]))]);
    let centre = TukeyCentre::new(x);
    let inside = E::call(&super::WHERE, [&centre.near, &centre.density(x), &(1.0 / (here + there))]);
    E::call(&super::WHERE, [&outside(&tukey_tail(x)), &t.lit(0.0), &inside])
}

fn size_of_sample(_: &[E], _: &E) -> E {
    unsupported("smirnov: not differentiable in the size of the sample")
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
