//! Exponential, trigonometric and elliptic integrals, Lambert's function.

use super::special::{fading, unsupported};
use super::{RowRule, Settles, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::FRAC_1_PI;

rows! {
    EXP1 {
        name: "exp1",
        doc: "Exponential integral E1 (DLMF 6.2.1) of ``x >= 0``.",
        example: ">>> sa.special.exp1(sa.asarray([0.5, 1.0]))
                  array([0.55977359, 0.21938393])",
        reference: "scipy.special.exp1",
        kernels: Kernels::real::<b::Exp1, 1>().with_complex::<c::Exp1, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&super::EXP, [&-&x[0]]) / &x[0]]),
        domain: &[(1e-6, 700.0)],
        namespace: "special",
    }
    EXPI {
        name: "expi",
        doc: "Exponential integral Ei (DLMF 6.2.5), the principal value for ``x > 0``.",
        example: ">>> sa.special.expi(sa.asarray([-1.0, 1.0]))
                  array([-0.21938393,  1.89511782])",
        reference: "scipy.special.expi",
        kernels: Kernels::real::<b::Expi, 1>().with_complex::<c::Expi, 1>(),
        rule: RowRule::Partials(&[|x, _| {
            // In two factors, because e**x overflows before Ei does.
            let root = E::call(&super::EXP, [&(0.5 * &x[0])]);
            &root / &x[0] * &root
        }]),
        domain: &[(0.5, 700.0)],
        namespace: "special",
    }
    EXPN {
        name: "expn",
        args: &["n", "x"],
        doc: "Generalized exponential integral E_n (DLMF 8.19.2) of real order ``n >= 0``, which SciPy truncates; differentiable in the order too.",
        example: ">>> sa.special.expn(2, sa.asarray([0.0, 1.0]))
                  array([1.        , 0.14849551])
                  >>> sa.special.expn(sa.asarray([1.5, 2.5]), 1.0)
                  array([0.17814771, 0.12648782])",
        reference: "scipy.special.expn",
        kernels: Kernels::real::<b::Expn, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&EXPN_DN, [&x[0], &x[1]]),
            |x, _| -E::call(&EXPN_BELOW, [&(&x[0] - 1.0), &x[1]]),
        ]),
        domain: &[(0.0, 20.0), (1e-3, 100.0)],
        namespace: "special",
    }
    EXPN_BELOW {
        name: "expn_below",
        args: &["n", "x"],
        doc: "Exponential integral E_n of any real order from -1000 on.",
        kernels: Kernels::real::<b::ExpnBelow, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&EXPN_DN, [&x[0], &x[1]]),
            |x, _| -E::call(&EXPN_BELOW, [&(&x[0] - 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    EXPN_DN {
        name: "expn_dn",
        args: &["n", "x"],
        doc: "Derivative of expn_below in the order.",
        kernels: Kernels::real::<b::ExpnDn, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&EXPN_DNN, [&x[0], &x[1]]),
            |x, _| -E::call(&EXPN_DN, [&(&x[0] - 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    EXPN_DNN {
        name: "expn_dnn",
        args: &["n", "x"],
        doc: "Second derivative of expn_below in the order.",
        kernels: Kernels::real::<b::ExpnDnn, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("expn: the third derivative in the order is not available"),
            |x, _| -E::call(&EXPN_DNN, [&(&x[0] - 1.0), &x[1]]),
        ]),
        namespace: "-",
    }
    SICI_SI {
        name: "sici_si",
        doc: "Sine integral Si (DLMF 6.2.9).",
        kernels: Kernels::real::<b::SiciSi, 1>().with_complex::<c::SiciSi, 1>(),
        rule: RowRule::Partials(&[|x, _| fading(&x[0], |x| E::call(&super::SINC, [&(FRAC_1_PI * x)]))]),
        namespace: "-",
    }
    SICI_CI {
        name: "sici_ci",
        doc: "Cosine integral Ci (DLMF 6.2.11), its real part for negative arguments.",
        kernels: Kernels::real::<b::SiciCi, 1>().with_complex::<c::SiciCi, 1>(),
        rule: RowRule::Partials(&[|x, _| fading(&x[0], |x| E::call(&super::COS, [x]) / x)]),
        namespace: "-",
    }
    SHICHI_SHI {
        name: "shichi_shi",
        doc: "Hyperbolic sine integral Shi (DLMF 6.2.15).",
        kernels: Kernels::real::<b::ShichiShi, 1>().with_complex::<c::ShichiShi, 1>(),
        rule: RowRule::Partials(&[|x, _| match x[0].is_complex() {
            true => E::call(&super::SINC, [&(turned(&x[0]) * FRAC_1_PI)]),
            false => E::call(&super::SPHERICAL_IN, [&x[0].lit(0.0), &x[0]]),
        }]),
        namespace: "-",
    }
    SHICHI_CHI {
        name: "shichi_chi",
        doc: "Hyperbolic cosine integral Chi (DLMF 6.2.16), its real part for negative arguments.",
        kernels: Kernels::real::<b::ShichiChi, 1>().with_complex::<c::ShichiChi, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::COSH, [&x[0]]) / &x[0]]),
        namespace: "-",
    }
    SPENCE {
        name: "spence",
        doc: "Spence's function ``Li2(1 - x)`` (DLMF 25.12.1) of ``x >= 0``; -inf at infinity.",
        example: ">>> sa.special.spence(sa.asarray([0.0, 1.0, 2.0]))
                  array([ 1.64493407,  0.        , -0.82246703])",
        reference: "scipy.special.spence",
        kernels: Kernels::real::<b::Spence, 1>().with_complex::<c::Spence, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&SPENCE_DX, [&x[0]])]),
        domain: &[(1e-6, 1e6)],
        namespace: "special",
    }
    SPENCE_DX {
        name: "spence_dx",
        doc: "Derivative ``log(x) / (1 - x)`` of Spence's function.",
        kernels: Kernels::real::<b::SpenceDx, 1>().with_complex::<c::SpenceDx, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&SPENCE_DXX, [&x[0]])]),
        namespace: "-",
    }
    SPENCE_DXX {
        name: "spence_dxx",
        doc: "Second derivative of Spence's function.",
        kernels: Kernels::real::<b::SpenceDxx, 1>().with_complex::<c::SpenceDxx, 1>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("spence: the third derivative is not available")]),
        namespace: "-",
    }
    ELLIPK {
        name: "ellipk",
        args: &["m"],
        doc: "Complete elliptic integral of the first kind K(m) (DLMF 19.2.8 with ``m = k**2``), ``m <= 1``.",
        example: ">>> sa.special.ellipk(sa.asarray([-1.0, 0.0, 0.5]))
                  array([1.31102878, 1.57079633, 1.85407468])",
        reference: "scipy.special.ellipk",
        kernels: Kernels::real::<b::Ellipk, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&ELLIPK_D1, [&(1.0 - &x[0])])]),
        domain: &[(-1e6, 0.999)],
        namespace: "special",
    }
    ELLIPKM1 {
        name: "ellipkm1",
        args: &["p"],
        doc: "Complete elliptic integral of the first kind K(1 - p), accurate near the logarithmic point ``p = 0``.",
        example: ">>> sa.special.ellipkm1(sa.asarray([1e-100, 1.0]))
                  array([116.51554901,   1.57079633])",
        reference: "scipy.special.ellipkm1",
        kernels: Kernels::real::<b::Ellipkm1, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&ELLIPK_D1, [&x[0]])]),
        domain: &[(1e-6, 1e6)],
        namespace: "special",
    }
    ELLIPE {
        name: "ellipe",
        args: &["m"],
        doc: "Complete elliptic integral of the second kind E(m) (DLMF 19.2.8 with ``m = k**2``), ``m <= 1``.",
        example: ">>> sa.special.ellipe(sa.asarray([-1.0, 0.0, 1.0]))
                  array([1.91009889, 1.57079633, 1.        ])",
        reference: "scipy.special.ellipe",
        kernels: Kernels::real::<b::Ellipe, 1>(),
        rule: RowRule::Partials(&[|x, _| {
            // DLMF 19.4.1 and 19.4.2 without the division by m
            let p = 1.0 - &x[0];
            // The product is 1/2 in the limit m = 1.
            let product = super::limit_at(&p, 0.0, 0.5, &p * E::call(&ELLIPK_D1, [&p]));
            let k = E::call(&ELLIPKM1, [&p]);
            // Far out the second derivative of K underflows first.
            let far = E::call(&super::LESS, [&x[0], &x[0].lit(-1e50)]);
            let m = E::call(&super::WHERE, [&far, &x[0], &x[0].lit(-1.0)]);
            let outer = (E::call(&ELLIPE, [&m]) - (1.0 - &m) * E::call(&ELLIPK, [&m])) / (2.0 * &m);
            E::call(&super::WHERE, [&far, &outer, &product]) - 0.5 * k
        }]),
        domain: &[(-1e6, 0.999)],
        namespace: "special",
    }
    ELLIPK_D1 {
        name: "ellipk_d1",
        args: &["p"],
        doc: "Derivative of K(m) at ``m = 1 - p``.",
        kernels: Kernels::real::<b::EllipkD1, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| -E::call(&ELLIPK_D2, [&x[0]])]),
        namespace: "-",
    }
    ELLIPK_D2 {
        name: "ellipk_d2",
        args: &["p"],
        doc: "Second derivative of K(m) at ``m = 1 - p``.",
        kernels: Kernels::real::<b::EllipkD2, 1>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("ellipk: the third derivative is not available")]),
        namespace: "-",
    }
    ELLIPKINC {
        name: "ellipkinc",
        args: &["phi", "m"],
        doc: "Incomplete elliptic integral of the first kind F(phi, m) (DLMF 19.2.4 with ``m = k**2``), ``m <= 1``.",
        example: ">>> sa.special.ellipkinc(1.0, sa.asarray([0.0, 0.5]))
                  array([1.        , 1.08321677])",
        reference: "scipy.special.ellipkinc",
        kernels: Kernels::real::<b::Ellipkinc, 2>(),
        rule: RowRule::Partials(&[
            |x, _| 1.0 / E::call(&super::SQRT, [&delta2(x)]),
            |x, _| E::call(&ELLIPKINC_DM, [&x[0], &x[1]]),
        ]),
        saves: Saves::ALL,
        settles: &[Settles { arguments: &[1], rest: |x, y| super::limit_at(&x[0], 0.0, 1.0, y.clone()), always: false }],
        domain: &[(-20.0, 20.0), (-1e3, 0.95)],
        namespace: "special",
    }
    ELLIPEINC {
        name: "ellipeinc",
        args: &["phi", "m"],
        doc: "Incomplete elliptic integral of the second kind E(phi, m) (DLMF 19.2.5 with ``m = k**2``), ``m <= 1``.",
        example: ">>> sa.special.ellipeinc(1.0, sa.asarray([0.0, 0.5]))
                  array([1.        , 0.92732988])",
        reference: "scipy.special.ellipeinc",
        kernels: Kernels::real::<b::Ellipeinc, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&super::SQRT, [&delta2(x)]),
            |x, _| E::call(&ELLIPEINC_DM, [&x[0], &x[1]]),
        ]),
        domain: &[(-20.0, 20.0), (-1e3, 0.95)],
        namespace: "special",
    }
    ELLIPKINC_DM {
        name: "ellipkinc_dm",
        args: &["phi", "m"],
        doc: "Derivative of F(phi, m) in ``m``.",
        kernels: Kernels::real::<b::EllipkincDm, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| {
                let d = delta2(x);
                0.5 * sin2(&x[0]) / (&d * E::call(&super::SQRT, [&d]))
            },
            |x, _| E::call(&ELLIPKINC_DMM, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    ELLIPKINC_DMM {
        name: "ellipkinc_dmm",
        args: &["phi", "m"],
        doc: "Second derivative of F(phi, m) in ``m``.",
        kernels: Kernels::real::<b::EllipkincDmm, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| {
                let (s, d) = (sin2(&x[0]), delta2(x));
                0.75 * &s * &s / (&d * &d * E::call(&super::SQRT, [&d]))
            },
            |_, _| unsupported("ellipkinc: the third derivative in m is not available"),
        ]),
        namespace: "-",
    }
    ELLIPEINC_DM {
        name: "ellipeinc_dm",
        args: &["phi", "m"],
        doc: "Derivative of E(phi, m) in ``m``.",
        kernels: Kernels::real::<b::EllipeincDm, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| -0.5 * sin2(&x[0]) / E::call(&super::SQRT, [&delta2(x)]),
            |x, _| E::call(&ELLIPEINC_DMM, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    ELLIPEINC_DMM {
        name: "ellipeinc_dmm",
        args: &["phi", "m"],
        doc: "Second derivative of E(phi, m) in ``m``.",
        kernels: Kernels::real::<b::EllipeincDmm, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| {
                let (s, d) = (sin2(&x[0]), delta2(x));
                -0.25 * &s * &s / (&d * E::call(&super::SQRT, [&d]))
            },
            |_, _| unsupported("ellipeinc: the third derivative in m is not available"),
        ]),
        namespace: "-",
    }
    ELLIPJ_SN {
        name: "ellipj_sn",
        args: &["u", "m"],
        doc: "Jacobi's elliptic function sn(u, m), ``0 <= m <= 1``.",
        kernels: Kernels::real::<b::EllipjSn, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPJ_CN, [&x[0], &x[1]]) * E::call(&ELLIPJ_DN, [&x[0], &x[1]]),
            |x, _| E::call(&ELLIPJ_CN, [&x[0], &x[1]]) * E::call(&ELLIPJ_DM, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    ELLIPJ_CN {
        name: "ellipj_cn",
        args: &["u", "m"],
        doc: "Jacobi's elliptic function cn(u, m), ``0 <= m <= 1``.",
        kernels: Kernels::real::<b::EllipjCn, 2>(),
        rule: RowRule::Partials(&[
            |x, _| -E::call(&ELLIPJ_SN, [&x[0], &x[1]]) * E::call(&ELLIPJ_DN, [&x[0], &x[1]]),
            |x, _| -E::call(&ELLIPJ_SN, [&x[0], &x[1]]) * E::call(&ELLIPJ_DM, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    ELLIPJ_DN {
        name: "ellipj_dn",
        args: &["u", "m"],
        doc: "Jacobi's elliptic function dn(u, m), ``0 <= m <= 1``.",
        kernels: Kernels::real::<b::EllipjDn, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| -(&x[1] * E::call(&ELLIPJ_SN, [&x[0], &x[1]]) * E::call(&ELLIPJ_CN, [&x[0], &x[1]])),
            |x, y| delta_dm(x, y, &E::call(&ELLIPJ_DM, [&x[0], &x[1]])),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    ELLIPJ_PH {
        name: "ellipj_ph",
        args: &["u", "m"],
        doc: "Amplitude am(u, m) of Jacobi's elliptic functions, ``0 <= m <= 1``.",
        kernels: Kernels::real::<b::EllipjPh, 2>(),
        rule: RowRule::Partials(&[|x, _| E::call(&ELLIPJ_DN, [&x[0], &x[1]]), |x, _| E::call(&ELLIPJ_DM, [&x[0], &x[1]])]),
        namespace: "-",
    }
    ELLIPJ_DM {
        name: "ellipj_dm",
        args: &["u", "m"],
        doc: "Derivative of am(u, m) in ``m``.",
        kernels: Kernels::real::<b::EllipjDm, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, y| delta_dm(x, &E::call(&ELLIPJ_DN, [&x[0], &x[1]]), y),
            |x, _| E::call(&ELLIPJ_DMM, [&x[0], &x[1]]),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    ELLIPJ_DMM {
        name: "ellipj_dmm",
        args: &["u", "m"],
        doc: "Second derivative of am(u, m) in ``m``.",
        kernels: Kernels::real::<b::EllipjDmm, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, y| {
                let [s, c, d, slope] = [&ELLIPJ_SN, &ELLIPJ_CN, &ELLIPJ_DN, &ELLIPJ_DM].map(|f| E::call(f, [&x[0], &x[1]]));
                let d_slope = delta_dm(x, &d, &slope);
                let (product, difference) = (&s * &c, &c * &c - &s * &s);
                let steep = 2.0 * &product * &slope + &x[1] * (difference * &slope * &slope + product * y);
                -((steep + &d_slope * &d_slope) / d)
            },
            |_, _| unsupported("ellipj: the third derivative in m is not available"),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    ELLIPRF {
        name: "elliprf",
        args: &["x", "y", "z"],
        doc: "Carlson's symmetric elliptic integral of the first kind R_F (DLMF 19.16.1) of arguments that are not negative, or complex.",
        example: ">>> sa.special.elliprf(sa.asarray([0.0, 1.0]), 1.0, 1.0)
                  array([1.57079633, 1.        ])",
        reference: "scipy.special.elliprf",
        kernels: Kernels::real::<b::Elliprf, 3>().with_complex::<c::Elliprf, 3>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRD, [&x[1], &x[2], &x[0]]) * (-1.0 / 6.0),
            |x, _| E::call(&ELLIPRD, [&x[0], &x[2], &x[1]]) * (-1.0 / 6.0),
            |x, _| E::call(&ELLIPRD, [&x[0], &x[1], &x[2]]) * (-1.0 / 6.0),
        ]),
        domain: &[(1e-6, 1e6), (1e-6, 1e6), (1e-6, 1e6)],
        namespace: "special",
    }
    ELLIPRC {
        name: "elliprc",
        args: &["x", "y"],
        doc: "Carlson's degenerate elliptic integral R_C (DLMF 19.16.6) of real or complex arguments, for ``y < 0`` its principal value.",
        example: ">>> sa.special.elliprc(sa.asarray([0.0, 1.0]), 1.0)
                  array([1.57079633, 1.        ])",
        reference: "scipy.special.elliprc",
        kernels: Kernels::real::<b::Elliprc, 2>().with_complex::<c::Elliprc, 2>(),
        rule: RowRule::Partials(&[
            |x, y| {
                let positive = E::call(&ELLIPRD, [&x[1], &x[1], &x[0]]) * (-1.0 / 6.0);
                let cut = (y - 1.0 / E::call(&super::SQRT, [&x[0]])) / (2.0 * (&x[1] - &x[0]));
                E::call(&super::WHERE, [&on_cut(&x[1]), &cut, &positive])
            },
            |x, y| {
                let positive = E::call(&ELLIPRD, [&x[0], &x[1], &x[1]]) * (-1.0 / 3.0);
                // The function is homogeneous of degree -1/2.
                let root = E::call(&super::SQRT, [&x[0]]);
                let dx = (y * &x[0] - root) / (2.0 * (&x[1] - &x[0]));
                let cut = (-0.5 * y - dx) / &x[1];
                E::call(&super::WHERE, [&on_cut(&x[1]), &cut, &positive])
            },
        ]),
        saves: Saves::ALL,
        domain: &[(1e-6, 1e6), (1e-6, 1e6)],
        namespace: "special",
    }
    ELLIPRD {
        name: "elliprd",
        args: &["x", "y", "z"],
        doc: "Carlson's symmetric elliptic integral of the second kind R_D (DLMF 19.16.5) of arguments that are not negative, or complex.",
        example: ">>> sa.special.elliprd(sa.asarray([0.0, 1.0]), 1.0, 1.0)
                  array([2.35619449, 1.        ])",
        reference: "scipy.special.elliprd",
        kernels: Kernels::real::<b::Elliprd, 3>().with_complex::<c::Elliprd, 3>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRD_DX, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&ELLIPRD_DX, [&x[1], &x[0], &x[2]]),
            |x, _| E::call(&ELLIPRD_DZ, [&x[0], &x[1], &x[2]]),
        ]),
        domain: &[(1e-3, 1e3), (1e-3, 1e3), (1e-3, 1e3)],
        namespace: "special",
    }
    ELLIPRD_DX {
        name: "elliprd_dx",
        args: &["x", "y", "z"],
        doc: "Derivative of R_D in ``x``.",
        kernels: Kernels::real::<b::ElliprdDx, 3>().with_complex::<c::ElliprdDx, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRD_DXX, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&ELLIPRD_DXY, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&ELLIPRD_DXZ, [&x[0], &x[1], &x[2]]),
        ]),
        namespace: "-",
    }
    ELLIPRD_DZ {
        name: "elliprd_dz",
        args: &["x", "y", "z"],
        doc: "Derivative of R_D in ``z``.",
        kernels: Kernels::real::<b::ElliprdDz, 3>().with_complex::<c::ElliprdDz, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRD_DXZ, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&ELLIPRD_DXZ, [&x[1], &x[0], &x[2]]),
            |x, _| E::call(&ELLIPRD_DZZ, [&x[0], &x[1], &x[2]]),
        ]),
        namespace: "-",
    }
    ELLIPRD_DXX {
        name: "elliprd_dxx",
        args: &["x", "y", "z"],
        doc: "Second derivative of R_D in ``x``.",
        kernels: Kernels::real::<b::ElliprdDxx, 3>().with_complex::<c::ElliprdDxx, 3>().narrow(),
        rule: RowRule::Partials(&[third_of_rd, third_of_rd, third_of_rd]),
        namespace: "-",
    }
    ELLIPRD_DXY {
        name: "elliprd_dxy",
        args: &["x", "y", "z"],
        doc: "Mixed derivative of R_D in ``x`` and ``y``.",
        kernels: Kernels::real::<b::ElliprdDxy, 3>().with_complex::<c::ElliprdDxy, 3>().narrow(),
        rule: RowRule::Partials(&[third_of_rd, third_of_rd, third_of_rd]),
        namespace: "-",
    }
    ELLIPRD_DXZ {
        name: "elliprd_dxz",
        args: &["x", "y", "z"],
        doc: "Mixed derivative of R_D in ``x`` and ``z``.",
        kernels: Kernels::real::<b::ElliprdDxz, 3>().with_complex::<c::ElliprdDxz, 3>().narrow(),
        rule: RowRule::Partials(&[third_of_rd, third_of_rd, third_of_rd]),
        namespace: "-",
    }
    ELLIPRD_DZZ {
        name: "elliprd_dzz",
        args: &["x", "y", "z"],
        doc: "Second derivative of R_D in ``z``.",
        kernels: Kernels::real::<b::ElliprdDzz, 3>().with_complex::<c::ElliprdDzz, 3>().narrow(),
        rule: RowRule::Partials(&[third_of_rd, third_of_rd, third_of_rd]),
        namespace: "-",
    }
    ELLIPRG {
        name: "elliprg",
        args: &["x", "y", "z"],
        doc: "Carlson's completely symmetric elliptic integral of the second kind R_G (DLMF 19.16.3) of arguments that are not negative, or complex.",
        example: ">>> sa.special.elliprg(sa.asarray([0.0, 1.0]), 1.0, 1.0)
                  array([0.78539816, 1.        ])",
        reference: "scipy.special.elliprg",
        kernels: Kernels::real::<b::Elliprg, 3>().with_complex::<c::Elliprg, 3>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRG_DX, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&ELLIPRG_DX, [&x[1], &x[2], &x[0]]),
            |x, _| E::call(&ELLIPRG_DX, [&x[2], &x[0], &x[1]]),
        ]),
        domain: &[(1e-6, 1e6), (1e-6, 1e6), (1e-6, 1e6)],
        namespace: "special",
    }
    ELLIPRG_DX {
        name: "elliprg_dx",
        args: &["x", "y", "z"],
        doc: "Derivative of R_G in ``x``.",
        kernels: Kernels::real::<b::ElliprgDx, 3>().with_complex::<c::ElliprgDx, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| rg_second(&x[0], &x[1], &x[2]),
            |x, y| rg_mixed(y, &x[0], &x[1], &x[2]),
            |x, y| rg_mixed(y, &x[0], &x[2], &x[1]),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    ELLIPRJ {
        name: "elliprj",
        args: &["x", "y", "z", "p"],
        doc: "Carlson's symmetric elliptic integral of the third kind R_J (DLMF 19.16.2) of non-negative ``x``, ``y``, ``z``; for ``p < 0`` its principal value. If these are not negative, or one is not and two are conjugates, ``p`` is any complex number that is not negative; else all four lie in the right half-plane.",
        example: ">>> sa.special.elliprj(sa.asarray([0.0, 1.0]), 1.0, 1.0, 1.0)
                  array([2.35619449, 1.        ])",
        reference: "scipy.special.elliprj",
        kernels: Kernels::real::<b::Elliprj, 4>().with_complex::<c::Elliprj, 4>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRJ_DX, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DX, [&x[1], &x[0], &x[2], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DX, [&x[2], &x[0], &x[1], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DP, [&x[0], &x[1], &x[2], &x[3]]),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_zero(&[0, 1, 2, 3])],
        domain: &[(1e-3, 1e3), (1e-3, 1e3), (1e-3, 1e3), (1e-3, 1e3)],
        namespace: "special",
    }
    ELLIPRJ_DX {
        name: "elliprj_dx",
        args: &["x", "y", "z", "p"],
        doc: "Derivative of R_J in ``x``.",
        kernels: Kernels::real::<b::ElliprjDx, 4>().with_complex::<c::ElliprjDx, 4>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRJ_DXX, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DXY, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DXY, [&x[0], &x[2], &x[1], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DXP, [&x[0], &x[1], &x[2], &x[3]]),
        ]),
        namespace: "-",
    }
    ELLIPRJ_DP {
        name: "elliprj_dp",
        args: &["x", "y", "z", "p"],
        doc: "Derivative of R_J in ``p``.",
        kernels: Kernels::real::<b::ElliprjDp, 4>().with_complex::<c::ElliprjDp, 4>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&ELLIPRJ_DXP, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DXP, [&x[1], &x[0], &x[2], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DXP, [&x[2], &x[0], &x[1], &x[3]]),
            |x, _| E::call(&ELLIPRJ_DPP, [&x[0], &x[1], &x[2], &x[3]]),
        ]),
        namespace: "-",
    }
    ELLIPRJ_DXX {
        name: "elliprj_dxx",
        args: &["x", "y", "z", "p"],
        doc: "Second derivative of R_J in ``x``.",
        kernels: Kernels::real::<b::ElliprjDxx, 4>().with_complex::<c::ElliprjDxx, 4>().narrow(),
        rule: RowRule::Partials(&[third_of_rj, third_of_rj, third_of_rj, third_of_rj]),
        namespace: "-",
    }
    ELLIPRJ_DXY {
        name: "elliprj_dxy",
        args: &["x", "y", "z", "p"],
        doc: "Mixed derivative of R_J in ``x`` and ``y``.",
        kernels: Kernels::real::<b::ElliprjDxy, 4>().with_complex::<c::ElliprjDxy, 4>().narrow(),
        rule: RowRule::Partials(&[third_of_rj, third_of_rj, third_of_rj, third_of_rj]),
        namespace: "-",
    }
    ELLIPRJ_DXP {
        name: "elliprj_dxp",
        args: &["x", "y", "z", "p"],
        doc: "Mixed derivative of R_J in ``x`` and ``p``.",
        kernels: Kernels::real::<b::ElliprjDxp, 4>().with_complex::<c::ElliprjDxp, 4>().narrow(),
        rule: RowRule::Partials(&[third_of_rj, third_of_rj, third_of_rj, third_of_rj]),
        namespace: "-",
    }
    ELLIPRJ_DPP {
        name: "elliprj_dpp",
        args: &["x", "y", "z", "p"],
        doc: "Second derivative of R_J in ``p``.",
        kernels: Kernels::real::<b::ElliprjDpp, 4>().with_complex::<c::ElliprjDpp, 4>().narrow(),
        rule: RowRule::Partials(&[third_of_rj, third_of_rj, third_of_rj, third_of_rj]),
        namespace: "-",
    }
    LAMBERTW_0 {
        name: "lambertw_0",
        args: &["z"],
        doc: "Principal branch of Lambert's function on ``[-1/e, inf)``.",
        kernels: Kernels::real::<b::Lambertw0, 1>(),
        rule: RowRule::Partials(&[|_, y| lambert_slope(y)]),
        saves: Saves::OUTPUT,
        namespace: "-",
    }
    LAMBERTW_M1 {
        name: "lambertw_m1",
        args: &["z"],
        doc: "Branch of Lambert's function below -1 on ``[-1/e, 0)``.",
        kernels: Kernels::real::<b::LambertwM1, 1>(),
        rule: RowRule::Partials(&[|_, y| lambert_slope(y)]),
        saves: Saves::OUTPUT,
        namespace: "-",
    }
    LAMBERTW {
        name: "lambertw",
        args: &["k", "z"],
        doc: "Branch ``k`` of Lambert's function of a complex argument.",
        kernels: Kernels::complex::<c::Lambertw, 2>(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("lambertw: a branch is no differentiable argument"),
            |_, y| lambert_slope(y),
        ]),
        saves: Saves::OUTPUT,
        namespace: "-",
    }
    WRIGHTOMEGA {
        name: "wrightomega",
        doc: "Wright's omega function: the solution of ``w + log(w) = x``, of complex ``x`` cut along ``imag(x) = +-pi``, ``real(x) <= -1``; the doubles next to pi and -pi count as what they are, between the cuts.",
        example: ">>> sa.special.wrightomega(sa.asarray([0.0, 1.0]))
                  array([0.56714329, 1.        ])",
        reference: "scipy.special.wrightomega",
        kernels: Kernels::real::<b::Wrightomega, 1>().with_complex::<c::Wrightomega, 1>(),
        rule: RowRule::Partials(&[|_, y| {
            let beyond = 1.0 / (1.0 + y);
            // The derivative of the quotient would cancel.
            super::limit_at(y, f64::INFINITY, 1.0, (y * &beyond).with_slope_of(&-beyond))
        }]),
        saves: Saves::OUTPUT,
        domain: &[(-700.0, 1e6)],
        namespace: "special",
    }
}

/// `i z`.
pub(super) fn turned(z: &E) -> E {
    E::call(&super::COMPLEX, [&-E::call(&super::IMAG, [z]), &E::call(&super::REAL, [z])])
}

/// `sin(phi)**2`.
fn sin2(phi: &E) -> E {
    E::call(&super::SQUARE, [&E::call(&super::SIN, [phi])])
}

/// `1 - m sin(phi)**2` as a sum of positive terms, whose derivatives would cancel.
fn delta2(x: &[E]) -> E {
    let sin2 = sin2(&x[0]);
    let sum = E::call(&super::SQUARE, [&E::call(&super::COS, [&x[0]])]) + (1.0 - &x[1]) * &sin2;
    sum.with_slope_of(&(1.0 - &x[1] * sin2))
}

/// The derivative of `dn` in `m` from it and from that of the amplitude, as `dn**2 = 1 - m sn**2`.
fn delta_dm(x: &[E], dn: &E, slope: &E) -> E {
    let (s, c) = (E::call(&ELLIPJ_SN, [&x[0], &x[1]]), E::call(&ELLIPJ_CN, [&x[0], &x[1]]));
    -(&s * (0.5 * &s + &x[1] * c * slope) / dn)
}

/// Where `y` is negative.
fn on_cut(y: &E) -> E {
    let negative = |x: &E| E::call(&super::LESS, [x, &x.lit(0.0)]);
    if !y.is_complex() {
        return negative(y);
    }
    let im = E::call(&super::IMAG, [y]);
    let real = E::call(&super::EQUAL, [&im, &im.lit(0.0)]);
    E::call(&super::LOGICAL_AND, [&real, &negative(&E::call(&super::REAL, [y]))])
}

/// The second derivative of `R_G` in `x`.
fn rg_second(x: &E, y: &E, z: &E) -> E {
    let [along, b, c] = [x, y, z].map(|v| E::call(&super::ABS, [v]));
    // The smaller ones then change no digit.
    let alone = E::call(&super::LESS, [&(1e20 * (b + c)), &along]);
    let [y, z] = [y, z].map(|v| E::call(&super::WHERE, [&alone, x, v]));
    let [d, slope] = [&ELLIPRD, &ELLIPRD_DZ].map(|f| E::call(f, [&y, &z, x]));
    let usual = -0.125 * d - super::limit_at(x, 0.0, 0.0, x * slope) * (1.0 / 12.0);
    E::call(&super::WHERE, [&alone, &(-0.125 / (x * E::call(&super::SQRT, [x]))), &usual])
}

/// The mixed derivative of `R_G` in `x` and `y`, whose derivative in `x` is `slope`: where these are far apart by the equation of
/// Euler, Poisson and Darboux (DLMF 19.18.14), where they are close from the integrals of the slope.
fn rg_mixed(slope: &E, x: &E, y: &E, z: &E) -> E {
    let part = super::limit_at(x, 0.0, 0.0, x * E::call(&ELLIPRD_DX, [y, z, x]));
    let close = -(1.0 / 24.0) * E::call(&ELLIPRD, [z, x, y]) - part * (1.0 / 12.0);
    let gap = x - y;
    let [near, far] = [&gap, &(x + y)].map(|v| E::call(&super::ABS, [v]));
    let apart = E::call(&super::LESS, [&far, &(2.0 * near)]);
    let gap = E::call(&super::WHERE, [&apart, &gap, &gap.lit(1.0)]);
    let darboux = 0.5 * (slope - E::call(&ELLIPRG_DX, [y, z, x])) / gap;
    E::call(&super::WHERE, [&apart, &darboux, &close])
}

fn third_of_rd(_: &[E], _: &E) -> E {
    unsupported("elliprd: the third derivative is not available")
}

fn third_of_rj(_: &[E], _: &E) -> E {
    unsupported("elliprj: the third derivative is not available")
}

/// `dW/dz = e**-W / (1 + W)`, which is finite at 0.
fn lambert_slope(w: &E) -> E {
    E::call(&super::EXP, [&-w]) / (1.0 + w)
}
