//! The zeta functions of Riemann and Hurwitz, the polygamma function in its order, the logarithm of the gamma function.

use super::special::unsupported;
use super::{RowRule, rows};
use crate::expr::E;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;

rows! {
    LOGGAMMA {
        name: "loggamma",
        doc: "Logarithm of the gamma function (DLMF 5.4), continued from the positive axis and cut along the negative one.

Of a complex argument it differs from ``log(gamma(z))`` by whole turns; of a negative real one it is NaN.",
        example: ">>> sa.special.loggamma(sa.asarray([1.0 + 2.0j, 5.0]))
                  array([-1.87607879+0.12964632j,  3.17805383+0.j        ])",
        reference: "scipy.special.loggamma",
        kernels: Kernels::real::<b::Loggamma, 1>().with_complex::<c::Loggamma, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::DIGAMMA, [&x[0]])]),
        domain: &[(0.1, 1e6)],
        namespace: "special",
    }
    HURWITZ_ZETA {
        name: "hurwitz_zeta",
        args: &["s", "q"],
        doc: "Hurwitz's zeta function (DLMF 25.11.1) for ``s >= 1``, NaN below.",
        kernels: Kernels::real::<b::Zeta, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ZETA_DS, [&x[0], &x[1]]),
            |x, _| -&x[0] * E::call(&HURWITZ_ZETA, [&(&x[0] + 1.0), &x[1]]),
        ]),
        domain: &[(1.1, 30.0), (0.05, 50.0)],
        namespace: "-",
    }
    ZETA_DS {
        name: "zeta_ds",
        args: &["s", "q"],
        doc: "Derivative of Hurwitz's zeta function in ``s``, for ``q > 0``.",
        kernels: Kernels::real::<b::ZetaDs, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ZETA_DSS, [&x[0], &x[1]]),
            |x, _| {
                let next = &x[0] + 1.0;
                -(E::call(&HURWITZ_ZETA, [&next, &x[1]]) + &x[0] * E::call(&ZETA_DS, [&next, &x[1]]))
            },
        ]),
        namespace: "-",
    }
    ZETA_DSS {
        name: "zeta_dss",
        args: &["s", "q"],
        doc: "Second derivative of Hurwitz's zeta function in ``s``, for ``q > 0``.",
        kernels: Kernels::real::<b::ZetaDss, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ZETA_DSSS, [&x[0], &x[1]]),
            |x, _| {
                let next = &x[0] + 1.0;
                -(2.0 * E::call(&ZETA_DS, [&next, &x[1]]) + &x[0] * E::call(&ZETA_DSS, [&next, &x[1]]))
            },
        ]),
        namespace: "-",
    }
    ZETA_DSSS {
        name: "zeta_dsss",
        args: &["s", "q"],
        doc: "Third derivative of Hurwitz's zeta function in ``s``, for ``q > 0``.",
        kernels: Kernels::real::<b::ZetaDsss, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("zeta: the fourth derivative in s is not available"),
            |x, _| {
                let next = &x[0] + 1.0;
                -(3.0 * E::call(&ZETA_DSS, [&next, &x[1]]) + &x[0] * E::call(&ZETA_DSSS, [&next, &x[1]]))
            },
        ]),
        namespace: "-",
    }
    RIEMANN_ZETA {
        name: "riemann_zeta",
        args: &["s"],
        doc: "Riemann's zeta function (DLMF 25.2.1) of any real or complex argument.",
        kernels: Kernels::real::<b::RiemannZeta, 1>().with_complex::<c::RiemannZeta, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&RIEMANN_ZETA_DS, [&x[0]])]),
        domain: &[(-20.0, 50.0)],
        namespace: "-",
    }
    RIEMANN_ZETA_DS {
        name: "riemann_zeta_ds",
        args: &["s"],
        doc: "Derivative of Riemann's zeta function.",
        kernels: Kernels::real::<b::RiemannZetaDs, 1>().with_complex::<c::RiemannZetaDs, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&RIEMANN_ZETA_DSS, [&x[0]])]),
        namespace: "-",
    }
    RIEMANN_ZETA_DSS {
        name: "riemann_zeta_dss",
        args: &["s"],
        doc: "Second derivative of Riemann's zeta function.",
        kernels: Kernels::real::<b::RiemannZetaDss, 1>().with_complex::<c::RiemannZetaDss, 1>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("zeta: the third derivative of Riemann's function is not available")]),
        namespace: "-",
    }
    ZETAC {
        name: "zetac",
        doc: "Riemann's zeta function less 1, without cancellation for large ``x`` (DLMF 25.2.1).",
        example: ">>> sa.special.zetac(sa.asarray([-1.0, 2.0]))
                  array([-1.08333333,  0.64493407])",
        reference: "scipy.special.zetac",
        kernels: Kernels::real::<b::Zetac, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&RIEMANN_ZETA_DS, [&x[0]])]),
        domain: &[(-20.0, 50.0)],
        namespace: "special",
    }
    POLYGAMMA_DN {
        name: "polygamma_dn",
        args: &["n", "x"],
        doc: "Derivative of the polygamma function in its order, for ``x > 0``.",
        kernels: Kernels::real::<b::PolygammaDn, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&POLYGAMMA_DNN, [&x[0], &x[1]]),
            |x, _| E::call(&POLYGAMMA_DN, [&(&x[0] + 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    POLYGAMMA_DNN {
        name: "polygamma_dnn",
        args: &["n", "x"],
        doc: "Second derivative of the polygamma function in its order, for ``x > 0``.",
        kernels: Kernels::real::<b::PolygammaDnn, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("polygamma: the third derivative in n is not available"),
            |x, _| E::call(&POLYGAMMA_DNN, [&(&x[0] + 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
}
