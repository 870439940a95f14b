//! Bessel functions.

use super::degrees::real;
use super::integrals::turned;
use super::special::{real_but_last, unsupported};
use super::{RowRule, rows};
use crate::array::Array;
use crate::error::Result;
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;

rows! {
    J0 {
        name: "j0",
        doc: "Bessel function of the first kind of order 0 (DLMF 10.2.2); 0 at infinity.",
        example: ">>> sa.special.j0(sa.asarray([1.0, 2.5]))
                  array([ 0.76519769, -0.04838378])",
        reference: "scipy.special.j0",
        kernels: Kernels::real::<b::J0, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&J1, [&x[0]])]),
        domain: &[(-100.0, 100.0)],
        namespace: "special",
    }
    J1 {
        name: "j1",
        doc: "Bessel function of the first kind of order 1 (DLMF 10.2.2); 0 at infinity.",
        example: ">>> sa.special.j1(sa.asarray([1.0, 2.5]))
                  array([0.44005059, 0.4970941 ])",
        reference: "scipy.special.j1",
        kernels: Kernels::real::<b::J1, 1>(),
        rule: RowRule::Partials(&[|x, _| 0.5 * (E::call(&J0, [&x[0]]) - E::call(&JV, [&x[0].lit(2.0), &x[0]]))]),
        domain: &[(-100.0, 100.0)],
        namespace: "special",
    }
    Y0 {
        name: "y0",
        doc: "Bessel function of the second kind of order 0 (DLMF 10.2.3) of ``x >= 0``; 0 at infinity.",
        example: ">>> sa.special.y0(sa.asarray([1.0, 2.5]))
                  array([0.08825696, 0.49807036])",
        reference: "scipy.special.y0",
        kernels: Kernels::real::<b::Y0, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&Y1, [&x[0]])]),
        domain: &[(0.001, 100.0)],
        namespace: "special",
    }
    Y1 {
        name: "y1",
        doc: "Bessel function of the second kind of order 1 (DLMF 10.2.3) of ``x >= 0``; 0 at infinity.",
        example: ">>> sa.special.y1(sa.asarray([1.0, 2.5]))
                  array([-0.78121282,  0.14591814])",
        reference: "scipy.special.y1",
        kernels: Kernels::real::<b::Y1, 1>(),
        rule: RowRule::Partials(&[|x, y| super::limit_at(&x[0], 0.0, f64::INFINITY, E::call(&Y0, [&x[0]]) - y / &x[0])]),
        saves: Saves::ALL,
        domain: &[(0.001, 100.0)],
        namespace: "special",
    }
    I0 {
        name: "i0",
        doc: "Modified Bessel function of the first kind of order 0 (DLMF 10.25.2).",
        example: ">>> sa.special.i0(sa.asarray([1.0, 2.5]))
                  array([1.26606588, 3.28983914])",
        reference: "scipy.special.i0",
        kernels: Kernels::real::<b::I0, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&I1, [&x[0]])]),
        domain: &[(-700.0, 700.0)],
        namespace: "special",
    }
    I1 {
        name: "i1",
        doc: "Modified Bessel function of the first kind of order 1 (DLMF 10.25.2).",
        example: ">>> sa.special.i1(sa.asarray([1.0, 2.5]))
                  array([0.5651591 , 2.51671625])",
        reference: "scipy.special.i1",
        kernels: Kernels::real::<b::I1, 1>(),
        rule: RowRule::Partials(&[|x, _| 0.5 * (E::call(&I0, [&x[0]]) + E::call(&IV, [&x[0].lit(2.0), &x[0]]))]),
        domain: &[(-700.0, 700.0)],
        namespace: "special",
    }
    I0E {
        name: "i0e",
        doc: "Scaled modified Bessel function ``exp(-abs(x)) * i0(x)``.",
        example: ">>> sa.special.i0e(sa.asarray([1.0, 2.5]))
                  array([0.46575961, 0.27004644])",
        reference: "scipy.special.i0e",
        kernels: Kernels::real::<b::I0e, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::SIGN, [&x[0]]) * E::call(&I0E_D1, [&x[0]])]),
        domain: &[(-1000000.0, 1000000.0)],
        namespace: "special",
    }
    I1E {
        name: "i1e",
        doc: "Scaled modified Bessel function ``exp(-abs(x)) * i1(x)``.",
        example: ">>> sa.special.i1e(sa.asarray([1.0, 2.5]))
                  array([0.20791042, 0.20658465])",
        reference: "scipy.special.i1e",
        kernels: Kernels::real::<b::I1e, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&I0E_D1, [&x[0]]) + E::call(&I0E_D2, [&x[0]])]),
        domain: &[(-1000000.0, 1000000.0)],
        namespace: "special",
    }
    I0E_D1 {
        name: "i0e_d1",
        doc: "Derivative 1 of ``exp(-y) * i0(y)`` at ``y = abs(x)``.",
        kernels: Kernels::real::<b::I0eD1, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::SIGN, [&x[0]]) * E::call(&I0E_D2, [&x[0]])]),
        namespace: "-",
    }
    I0E_D2 {
        name: "i0e_d2",
        doc: "Derivative 2 of ``exp(-y) * i0(y)`` at ``y = abs(x)``.",
        kernels: Kernels::real::<b::I0eD2, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&super::SIGN, [&x[0]]) * E::call(&I0E_D3, [&x[0]])]),
        namespace: "-",
    }
    I0E_D3 {
        name: "i0e_d3",
        doc: "Derivative 3 of ``exp(-y) * i0(y)`` at ``y = abs(x)``.",
        kernels: Kernels::real::<b::I0eD3, 1>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("i0e: the fourth derivative is not available")]),
        namespace: "-",
    }
    K0 {
        name: "k0",
        doc: "Modified Bessel function of the second kind of order 0 (DLMF 10.25.3) of ``x >= 0``.",
        example: ">>> sa.special.k0(sa.asarray([1.0, 2.5]))
                  array([0.42102444, 0.06234755])",
        reference: "scipy.special.k0",
        kernels: Kernels::real::<b::K0, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&K1, [&x[0]])]),
        domain: &[(0.001, 700.0)],
        namespace: "special",
    }
    K1 {
        name: "k1",
        doc: "Modified Bessel function of the second kind of order 1 (DLMF 10.25.3) of ``x >= 0``.",
        example: ">>> sa.special.k1(sa.asarray([1.0, 2.5]))
                  array([0.60190723, 0.07389082])",
        reference: "scipy.special.k1",
        kernels: Kernels::real::<b::K1, 1>(),
        rule: RowRule::Partials(&[|x, y| -(E::call(&K0, [&x[0]]) + y / &x[0])]),
        saves: Saves::ALL,
        domain: &[(0.001, 700.0)],
        namespace: "special",
    }
    K0E {
        name: "k0e",
        doc: "Scaled modified Bessel function ``exp(x) * k0(x)`` of ``x >= 0``.",
        example: ">>> sa.special.k0e(sa.asarray([1.0, 2.5]))
                  array([1.14446308, 0.75954869])",
        reference: "scipy.special.k0e",
        kernels: Kernels::real::<b::K0e, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&K0E_D1, [&x[0]])]),
        domain: &[(0.001, 1000000.0)],
        namespace: "special",
    }
    K1E {
        name: "k1e",
        doc: "Scaled modified Bessel function ``exp(x) * k1(x)`` of ``x >= 0``.",
        example: ">>> sa.special.k1e(sa.asarray([1.0, 2.5]))
                  array([1.63615349, 0.90017442])",
        reference: "scipy.special.k1e",
        kernels: Kernels::real::<b::K1e, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&K0E_D1, [&x[0]]) - E::call(&K0E_D2, [&x[0]])]),
        domain: &[(0.001, 1000000.0)],
        namespace: "special",
    }
    K0E_D1 {
        name: "k0e_d1",
        doc: "Derivative 1 of ``exp(x) * k0(x)``.",
        kernels: Kernels::real::<b::K0eD1, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&K0E_D2, [&x[0]])]),
        namespace: "-",
    }
    K0E_D2 {
        name: "k0e_d2",
        doc: "Derivative 2 of ``exp(x) * k0(x)``.",
        kernels: Kernels::real::<b::K0eD2, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&K0E_D3, [&x[0]])]),
        namespace: "-",
    }
    K0E_D3 {
        name: "k0e_d3",
        doc: "Derivative 3 of ``exp(x) * k0(x)``.",
        kernels: Kernels::real::<b::K0eD3, 1>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("k0e: the fourth derivative is not available")]),
        namespace: "-",
    }
    JV {
        name: "jv",
        args: &["v", "z"],
        doc: "Bessel function of the first kind of real order (DLMF 10.2); NaN for ``z < 0`` unless ``v`` is an integer, 0 at infinity; differentiable in the order too. Orders beyond 1e9 give NaN. Complex ``z`` is cut along the negative axis, which belongs to the upper side as in SciPy, with orders that reach to 1e9.",
        example: ">>> sa.special.jv(0.5, sa.asarray([1.0, 2.5]))
                  array([0.67139671, 0.30200491])",
        reference: "scipy.special.jv",
        kernels: Kernels::real::<b::Jv, 2>().with_complex::<c::Jv, 2>(),
        check: Some(real_order),
        rule: RowRule::Partials(&[|x, _| E::call(&JV_DV, [&x[0], &x[1]]), |x, y| first_step(&JV, x, -1.0, y)]),
        saves: Saves::ALL,
        domain: &[(-10.0, 10.0), (0.0, 100.0)],
        namespace: "special",
    }
    JV_DV {
        name: "jv_dv",
        args: &["v", "z"],
        doc: "Derivative of jv in the order.",
        kernels: Kernels::real::<b::JvDv, 2>().with_complex::<c::JvDv, 2>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&JV_DVV, [&x[0], &x[1]]), |x, _| order_step(&JV_DV, x, 0.5, -0.5)]),
        namespace: "-",
    }
    JV_DVV {
        name: "jv_dvv",
        args: &["v", "z"],
        doc: "Second derivative of jv in the order.",
        kernels: Kernels::real::<b::JvDvv, 2>().with_complex::<c::JvDvv, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("jv: the third derivative in the order is not available"), |x, _| order_step(&JV_DVV, x, 0.5, -0.5)]),
        namespace: "-",
    }
    YV {
        name: "yv",
        args: &["v", "z"],
        doc: "Bessel function of the second kind of real order (DLMF 10.2) of ``z >= 0``; 0 at infinity; differentiable in the order too. Orders beyond 1e9 give NaN. Complex ``z`` is cut along the negative axis, which belongs to the upper side as in SciPy, with orders that reach to 1e9.",
        example: ">>> sa.special.yv(0.5, sa.asarray([1.0, 2.5]))
                  array([-0.43109887,  0.4042783 ])",
        reference: "scipy.special.yv",
        kernels: Kernels::real::<b::Yv, 2>().with_complex::<c::Yv, 2>(),
        check: Some(real_order),
        rule: RowRule::Partials(&[|x, _| E::call(&YV_DV, [&x[0], &x[1]]), |x, _| order_step(&YV, x, 0.5, -0.5)]),
        domain: &[(-10.0, 10.0), (0.1, 100.0)],
        namespace: "special",
    }
    YV_DV {
        name: "yv_dv",
        args: &["v", "z"],
        doc: "Derivative of yv in the order.",
        kernels: Kernels::real::<b::YvDv, 2>().with_complex::<c::YvDv, 2>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&YV_DVV, [&x[0], &x[1]]), |x, _| slope_step(&YV_DV, &YV_DVV, x, [0.5, -0.5], Some(second_odd_step([&YV, &YV_DV, &JV, &JV_DV], x)))]),
        namespace: "-",
    }
    YV_DVV {
        name: "yv_dvv",
        args: &["v", "z"],
        doc: "Second derivative of yv in the order.",
        kernels: Kernels::real::<b::YvDvv, 2>().with_complex::<c::YvDvv, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("yv: the third derivative in the order is not available"), |x, _| order_step(&YV_DVV, x, 0.5, -0.5)]),
        namespace: "-",
    }
    IV {
        name: "iv",
        args: &["v", "z"],
        doc: "Modified Bessel function of the first kind of real order (DLMF 10.25.2); NaN for ``z < 0`` unless ``v`` is an integer; differentiable in the order too. Orders beyond 1e9 give NaN. Complex ``z`` is cut along the negative axis, which belongs to the upper side as in SciPy, with orders that reach to 1e9.",
        example: ">>> sa.special.iv(0.5, sa.asarray([1.0, 2.5]))
                  array([0.93767489, 3.05309354])",
        reference: "scipy.special.iv",
        kernels: Kernels::real::<b::Iv, 2>().with_complex::<c::Iv, 2>(),
        check: Some(real_order),
        rule: RowRule::Partials(&[|x, _| E::call(&IV_DV, [&x[0], &x[1]]), |x, y| first_step(&IV, x, 1.0, y)]),
        saves: Saves::ALL,
        domain: &[(-10.0, 10.0), (0.0, 500.0)],
        namespace: "special",
    }
    KV {
        name: "kv",
        args: &["v", "z"],
        doc: "Modified Bessel function of the second kind of real order (DLMF 10.27.4) of ``z >= 0``; differentiable in the order too. Orders beyond 1e9 give NaN. Complex ``z`` is cut along the negative axis, which belongs to the upper side as in SciPy, with orders that reach to 1e9.",
        example: ">>> sa.special.kv(0.5, sa.asarray([1.0, 2.5]))
                  array([0.4610685 , 0.06506594])",
        reference: "scipy.special.kv",
        kernels: Kernels::real::<b::Kv, 2>().with_complex::<c::Kv, 2>(),
        check: Some(real_order),
        rule: RowRule::Partials(&[|x, _| E::call(&KV_DV, [&x[0], &x[1]]), |x, _| order_step(&KV, x, -0.5, -0.5)]),
        domain: &[(-10.0, 10.0), (0.1, 500.0)],
        namespace: "special",
    }
    IVE {
        name: "ive",
        args: &["v", "z"],
        doc: "Scaled modified Bessel function ``exp(-abs(z)) * iv(v, z)`` of real order; differentiable in the order too. Orders beyond 1e9 give NaN.",
        example: ">>> sa.special.ive(0.5, sa.asarray([1.0, 2.5]))
                  array([0.34495131, 0.25061318])",
        reference: "scipy.special.ive",
        kernels: Kernels::real::<b::Ive, 2>(),
        rule: RowRule::Partials(&[|x, _| E::call(&IVE_DV, [&x[0], &x[1]]), |x, y| far_slope(&HANKEL_DX, x, 0.0, first_step(&IVE, x, 1.0, y) - E::call(&super::SIGN, [&x[1]]) * y)]),
        saves: Saves::ALL,
        domain: &[(-10.0, 10.0), (0.1, 500.0)],
        namespace: "special",
    }
    IVE_DV {
        name: "ive_dv",
        args: &["v", "z"],
        doc: "Derivative of ive in the order.",
        kernels: Kernels::real::<b::IveDv, 2>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&IVE_DVV, [&x[0], &x[1]]), |x, y| {
            let difference = scaled_slope_step(x) - E::call(&super::SIGN, [&x[1]]) * y;
            far_slope(&HANKEL_DX_DV, x, 0.0, difference) + beyond_series(x)
        }]),
        saves: Saves::ALL,
        namespace: "-",
    }
    IVE_DVV {
        name: "ive_dvv",
        args: &["v", "z"],
        doc: "Second derivative of ive in the order.",
        kernels: Kernels::real::<b::IveDvv, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("ive: the third derivative in the order is not available"), |x, y| order_step(&IVE_DVV, x, 0.5, 0.5) - E::call(&super::SIGN, [&x[1]]) * y]),
        saves: Saves::ALL,
        namespace: "-",
    }
    KVE {
        name: "kve",
        args: &["v", "z"],
        doc: "Scaled modified Bessel function ``exp(z) * kv(v, z)`` of real order; differentiable in the order too. Orders beyond 1e9 give NaN. Complex ``z`` is cut along the negative axis, which belongs to the upper side as in SciPy, with orders that reach to 1e9.",
        example: ">>> sa.special.kve(0.5, sa.asarray([1.0, 2.5]))
                  array([1.25331414, 0.79266546])",
        reference: "scipy.special.kve",
        kernels: Kernels::real::<b::Kve, 2>().with_complex::<c::Kve, 2>(),
        check: Some(real_order),
        rule: RowRule::Partials(&[|x, _| E::call(&KVE_DV, [&x[0], &x[1]]), |x, y| far_slope(&HANKEL_DX, x, 1.0, order_step(&KVE, x, -0.5, -0.5) + y)]),
        saves: Saves::ALL,
        domain: &[(-10.0, 10.0), (0.1, 500.0)],
        namespace: "special",
    }
    KVE_DV {
        name: "kve_dv",
        args: &["v", "z"],
        doc: "Derivative of kve in the order.",
        kernels: Kernels::real::<b::KveDv, 2>().with_complex::<c::KveDv, 2>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&KVE_DVV, [&x[0], &x[1]]), |x, y| far_slope(&HANKEL_DX_DV, x, 1.0, slope_step(&KVE_DV, &KVE_DVV, x, [-0.5, -0.5], None) + y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
    KVE_DVV {
        name: "kve_dvv",
        args: &["v", "z"],
        doc: "Second derivative of kve in the order.",
        kernels: Kernels::real::<b::KveDvv, 2>().with_complex::<c::KveDvv, 2>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("kve: the third derivative in the order is not available"), |x, y| order_step(&KVE_DVV, x, -0.5, -0.5) + y]),
        saves: Saves::ALL,
        namespace: "-",
    }
    HANKEL_DX {
        name: "hankel_dx",
        args: &["kind", "n", "v", "z"],
        doc: "Derivative ``n`` in ``z`` of ``exp(-z) * iv`` (``kind`` = 0) or kve (1) at large arguments.",
        kernels: Kernels::real::<b::HankelDx, 4>().with_complex::<c::HankelDx, 4>().narrow(),
        orders: &[0, 1],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hankel_dx: not differentiable in the kind"),
            |_, _| unsupported("hankel_dx: not differentiable in the order"),
            |x, _| E::call(&HANKEL_DX_DV, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&HANKEL_DX, [&x[0], &(&x[1] + 1.0), &x[2], &x[3]]),
        ]),
        namespace: "-",
    }
    HANKEL_DX_DV {
        name: "hankel_dx_dv",
        args: &["kind", "n", "v", "z"],
        doc: "Derivative of hankel_dx in ``v``, of complex ``z`` too.",
        kernels: Kernels::real::<b::HankelDxDv, 4>().with_complex::<c::HankelDxDv, 4>().narrow(),
        orders: &[0, 1],
        rule: RowRule::Partials(&[
            |_, _| unsupported("hankel_dx: not differentiable in the kind"),
            |_, _| unsupported("hankel_dx: not differentiable in the order"),
            |_, _| unsupported("ive, kve: the second derivative in the order of a slope is not available"),
            |x, _| E::call(&HANKEL_DX_DV, [&x[0], &(&x[1] + 1.0), &x[2], &x[3]]),
        ]),
        namespace: "-",
    }
    AIRYE_DX {
        name: "airye_dx",
        args: &["kind", "n", "z"],
        doc: "Derivative ``n > 0`` of airye's Ai, Ai', Bi, Bi' (``kind`` from 0 to 3) at large arguments; of complex ``z`` scaled Bi as airy_bi_turned (``kind`` 2 s and 3 s).",
        kernels: Kernels::real::<b::AiryeDx, 3>().with_complex::<c::AiryeDx, 3>().narrow(),
        orders: &[0, 1],
        rule: RowRule::Partials(&[
            |_, _| unsupported("airye: not differentiable in the kind"),
            |_, _| unsupported("airye: not differentiable in the order"),
            |x, _| E::call(&AIRYE_DX, [&x[0], &(&x[1] + 1.0), &x[2]]),
        ]),
        namespace: "-",
    }
    AIRY_AI {
        name: "airy_ai",
        args: &["z"],
        doc: "Airy function Ai (DLMF 9.2).",
        kernels: Kernels::real::<b::AiryAi, 1>().with_complex::<c::AiryAi, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&AIRY_AIP, [&x[0]])]),
        namespace: "-",
    }
    AIRY_AIP {
        name: "airy_aip",
        args: &["z"],
        doc: "Derivative of the Airy function Ai.",
        kernels: Kernels::real::<b::AiryAip, 1>().with_complex::<c::AiryAip, 1>(),
        rule: RowRule::Partials(&[|x, _| below_inf(&x[0]) * E::call(&AIRY_AI, [&x[0]])]),
        namespace: "-",
    }
    AIRYE_AI {
        name: "airye_ai",
        args: &["z"],
        doc: "Airy function Ai, for positive arguments scaled by its exponential.",
        kernels: Kernels::real::<b::AiryeAi, 1>().with_complex::<c::AiryeAi, 1>(),
        rule: RowRule::Partials(&[|x, y| airy_far(&x[0].lit(0.0), &x[0], E::call(&AIRYE_AIP, [&x[0]]) + positive_root(&x[0]) * y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
    AIRYE_AIP {
        name: "airye_aip",
        args: &["z"],
        doc: "Derivative of the Airy function Ai, for positive arguments scaled by its exponential.",
        kernels: Kernels::real::<b::AiryeAip, 1>().with_complex::<c::AiryeAip, 1>(),
        rule: RowRule::Partials(&[|x, y| airy_far(&x[0].lit(1.0), &x[0], &x[0] * E::call(&AIRYE_AI, [&x[0]]) + positive_root(&x[0]) * y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
    AIRY_BI {
        name: "airy_bi",
        args: &["z"],
        doc: "Airy function Bi (DLMF 9.2).",
        kernels: Kernels::real::<b::AiryBi, 1>().with_complex::<c::AiryBi, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&AIRY_BIP, [&x[0]])]),
        namespace: "-",
    }
    AIRY_BIP {
        name: "airy_bip",
        args: &["z"],
        doc: "Derivative of the Airy function Bi.",
        kernels: Kernels::real::<b::AiryBip, 1>().with_complex::<c::AiryBip, 1>(),
        rule: RowRule::Partials(&[|x, _| &x[0] * E::call(&AIRY_BI, [&x[0]])]),
        namespace: "-",
    }
    AIRYE_BI {
        name: "airye_bi",
        args: &["z"],
        doc: "Airy function Bi, for positive arguments scaled by its exponential.",
        kernels: Kernels::real::<b::AiryeBi, 1>(),
        rule: RowRule::Partials(&[|x, y| airy_far(&x[0].lit(2.0), &x[0], E::call(&AIRYE_BIP, [&x[0]]) - positive_root(&x[0]) * y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
    AIRYE_BIP {
        name: "airye_bip",
        args: &["z"],
        doc: "Derivative of the Airy function Bi, for positive arguments scaled by its exponential.",
        kernels: Kernels::real::<b::AiryeBip, 1>(),
        rule: RowRule::Partials(&[|x, y| airy_far(&x[0].lit(3.0), &x[0], &x[0] * E::call(&AIRYE_BI, [&x[0]]) - positive_root(&x[0]) * y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
    HANKEL1 {
        name: "hankel1",
        args: &["v", "z"],
        doc: "Hankel function of the first kind of a complex argument.",
        kernels: Kernels::complex::<c::Hankel1, 2>(),
        rule: RowRule::Partials(&[|x, _| E::call(&HANKEL1_DV, [&x[0], &x[1]]), |x, _| order_step(&HANKEL1, x, 0.5, -0.5)]),
        namespace: "-",
    }
    HANKEL2 {
        name: "hankel2",
        args: &["v", "z"],
        doc: "Hankel function of the second kind of a complex argument.",
        kernels: Kernels::complex::<c::Hankel2, 2>(),
        rule: RowRule::Partials(&[|x, _| E::call(&HANKEL2_DV, [&x[0], &x[1]]), |x, _| order_step(&HANKEL2, x, 0.5, -0.5)]),
        namespace: "-",
    }
    HANKEL1E {
        name: "hankel1e",
        args: &["v", "z"],
        doc: "``exp(-1j * z) * hankel1(v, z)`` of a complex argument.",
        kernels: Kernels::complex::<c::Hankel1e, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HANKEL1E_DV, [&x[0], &x[1]]),
            |x, y| third_slope(&HANKEL1E, None, x, 1.0, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    HANKEL2E {
        name: "hankel2e",
        args: &["v", "z"],
        doc: "``exp(1j * z) * hankel2(v, z)`` of a complex argument.",
        kernels: Kernels::complex::<c::Hankel2e, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HANKEL2E_DV, [&x[0], &x[1]]),
            |x, y| third_slope(&HANKEL2E, None, x, -1.0, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    JV_TURNED {
        name: "jv_turned",
        args: &["v", "z"],
        doc: "``exp(1j * s * z) * jv(v, z)``, ``s`` the sign of the imaginary part.",
        kernels: Kernels::complex::<c::JvTurned, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&JV_TURNED_DV, [&x[0], &x[1]]),
            |x, y| first_slope(first_step(&JV_TURNED, x, -1.0, y), x, false, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    YV_TURNED {
        name: "yv_turned",
        args: &["v", "z"],
        doc: "``exp(1j * s * z) * yv(v, z)``, ``s`` the sign of the imaginary part.",
        kernels: Kernels::complex::<c::YvTurned, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&YV_TURNED_DV, [&x[0], &x[1]]),
            |x, y| second_slope(order_step(&YV_TURNED, x, 0.5, -0.5), x, false, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    IV_TURNED {
        name: "iv_turned",
        args: &["v", "z"],
        doc: "``exp(-s * z) * iv(v, z)``, ``s`` the sign of the real part.",
        kernels: Kernels::complex::<c::IvTurned, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&IV_TURNED_DV, [&x[0], &x[1]]),
            |x, y| modified_slope(first_step(&IV_TURNED, x, 1.0, y), x, false, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    IV_DV {
        name: "iv_dv",
        args: &["v", "z"],
        doc: "Derivative of iv in the order.",
        kernels: Kernels::real::<b::IvDv, 2>().with_complex::<c::IvDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&IV_DVV, [&x[0], &x[1]]),
            |x, _| slope_step(&IV_DV, &IV_DVV, x, [0.5, 0.5], Some(odd_step(&KV, &KV_DV, x))),
        ]),
        namespace: "-",
    }
    IV_DVV {
        name: "iv_dvv",
        args: &["v", "z"],
        doc: "Second derivative of iv in the order.",
        kernels: Kernels::real::<b::IvDvv, 2>().with_complex::<c::IvDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("iv: the third derivative in the order is not available"),
            |x, _| order_step(&IV_DVV, x, 0.5, 0.5),
        ]),
        namespace: "-",
    }
    KV_DV {
        name: "kv_dv",
        args: &["v", "z"],
        doc: "Derivative of kv in the order.",
        kernels: Kernels::real::<b::KvDv, 2>().with_complex::<c::KvDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&KV_DVV, [&x[0], &x[1]]),
            |x, _| slope_step(&KV_DV, &KV_DVV, x, [-0.5, -0.5], None),
        ]),
        namespace: "-",
    }
    KV_DVV {
        name: "kv_dvv",
        args: &["v", "z"],
        doc: "Second derivative of kv in the order.",
        kernels: Kernels::real::<b::KvDvv, 2>().with_complex::<c::KvDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("kv: the third derivative in the order is not available"),
            |x, _| order_step(&KV_DVV, x, -0.5, -0.5),
        ]),
        namespace: "-",
    }
    HANKEL1_DV {
        name: "hankel1_dv",
        args: &["v", "z"],
        doc: "Derivative of hankel1 in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel1Dv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HANKEL1_DVV, [&x[0], &x[1]]),
            |x, _| order_step(&HANKEL1_DV, x, 0.5, -0.5),
        ]),
        namespace: "-",
    }
    HANKEL1_DVV {
        name: "hankel1_dvv",
        args: &["v", "z"],
        doc: "Second derivative of hankel1 in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel1Dvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("hankel1: the third derivative in the order is not available"),
            |x, _| order_step(&HANKEL1_DVV, x, 0.5, -0.5),
        ]),
        namespace: "-",
    }
    HANKEL2_DV {
        name: "hankel2_dv",
        args: &["v", "z"],
        doc: "Derivative of hankel2 in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel2Dv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HANKEL2_DVV, [&x[0], &x[1]]),
            |x, _| order_step(&HANKEL2_DV, x, 0.5, -0.5),
        ]),
        namespace: "-",
    }
    HANKEL2_DVV {
        name: "hankel2_dvv",
        args: &["v", "z"],
        doc: "Second derivative of hankel2 in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel2Dvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("hankel2: the third derivative in the order is not available"),
            |x, _| order_step(&HANKEL2_DVV, x, 0.5, -0.5),
        ]),
        namespace: "-",
    }
    HANKEL1E_DV {
        name: "hankel1e_dv",
        args: &["v", "z"],
        doc: "Derivative of hankel1e in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel1eDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HANKEL1E_DVV, [&x[0], &x[1]]),
            |x, y| third_slope(&HANKEL1E, Some(&HANKEL1E_DV), x, 1.0, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    HANKEL1E_DVV {
        name: "hankel1e_dvv",
        args: &["v", "z"],
        doc: "Second derivative of hankel1e in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel1eDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("hankel1e: the third derivative in the order is not available"),
            |x, y| order_step(&HANKEL1E_DVV, x, 0.5, -0.5) - turned(y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    HANKEL2E_DV {
        name: "hankel2e_dv",
        args: &["v", "z"],
        doc: "Derivative of hankel2e in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel2eDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&HANKEL2E_DVV, [&x[0], &x[1]]),
            |x, y| third_slope(&HANKEL2E, Some(&HANKEL2E_DV), x, -1.0, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    HANKEL2E_DVV {
        name: "hankel2e_dvv",
        args: &["v", "z"],
        doc: "Second derivative of hankel2e in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::Hankel2eDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("hankel2e: the third derivative in the order is not available"),
            |x, y| order_step(&HANKEL2E_DVV, x, 0.5, -0.5) + turned(y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    JV_TURNED_DV {
        name: "jv_turned_dv",
        args: &["v", "z"],
        doc: "Derivative of jv_turned in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::JvTurnedDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&JV_TURNED_DVV, [&x[0], &x[1]]),
            |x, y| first_slope(order_step(&JV_TURNED_DV, x, 0.5, -0.5), x, true, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    JV_TURNED_DVV {
        name: "jv_turned_dvv",
        args: &["v", "z"],
        doc: "Second derivative of jv_turned in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::JvTurnedDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("jv_turned: the third derivative in the order is not available"),
            |x, y| order_step(&JV_TURNED_DVV, x, 0.5, -0.5) + side(&super::IMAG, &x[1]) * turned(y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    YV_TURNED_DV {
        name: "yv_turned_dv",
        args: &["v", "z"],
        doc: "Derivative of yv_turned in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::YvTurnedDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&YV_TURNED_DVV, [&x[0], &x[1]]),
            |x, y| {
                let odd = second_odd_step([&YV_TURNED, &YV_TURNED_DV, &JV_TURNED, &JV_TURNED_DV], x);
                second_slope(slope_step(&YV_TURNED_DV, &YV_TURNED_DVV, x, [0.5, -0.5], Some(odd)), x, true, y)
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    YV_TURNED_DVV {
        name: "yv_turned_dvv",
        args: &["v", "z"],
        doc: "Second derivative of yv_turned in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::YvTurnedDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("yv_turned: the third derivative in the order is not available"),
            |x, y| order_step(&YV_TURNED_DVV, x, 0.5, -0.5) + side(&super::IMAG, &x[1]) * turned(y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    IV_TURNED_DV {
        name: "iv_turned_dv",
        args: &["v", "z"],
        doc: "Derivative of iv_turned in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::IvTurnedDv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&IV_TURNED_DVV, [&x[0], &x[1]]),
            |x, y| {
                let side = side(&super::REAL, &x[1]);
                let odd = E::call(&super::EXP, [&(-(&side + 1.0) * &x[1])]) * odd_step(&KVE, &KVE_DV, x);
                modified_slope(slope_step(&IV_TURNED_DV, &IV_TURNED_DVV, x, [0.5, 0.5], Some(odd)), x, true, y)
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    IV_TURNED_DVV {
        name: "iv_turned_dvv",
        args: &["v", "z"],
        doc: "Second derivative of iv_turned in the order, of complex ``z``.",
        kernels: Kernels::complex::<c::IvTurnedDvv, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("iv_turned: the third derivative in the order is not available"),
            |x, y| order_step(&IV_TURNED_DVV, x, 0.5, 0.5) - side(&super::REAL, &x[1]) * y,
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    AIRY_BI_TURNED {
        name: "airy_bi_turned",
        args: &["s", "z"],
        doc: "Airy function Bi of a complex argument times ``exp(-s * zeta)``, ``zeta = 2/3 z**1.5`` and ``s`` the sign of its real part.",
        kernels: Kernels::complex::<c::AiryBiTurned, 2>(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("airye: not differentiable in a sign"),
            |x, y| airy_far(&(2.0 * &x[0]), &x[1], E::call(&AIRY_BIP_TURNED, [&x[0], &x[1]]) - &x[0] * positive_root(&x[1]) * y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    AIRY_BIP_TURNED {
        name: "airy_bip_turned",
        args: &["s", "z"],
        doc: "Derivative of the Airy function Bi of a complex argument times the same factor.",
        kernels: Kernels::complex::<c::AiryBipTurned, 2>(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("airye: not differentiable in a sign"),
            |x, y| airy_far(&(3.0 * &x[0]), &x[1], &x[1] * E::call(&AIRY_BI_TURNED, [&x[0], &x[1]]) - &x[0] * positive_root(&x[1]) * y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    SPHERICAL_JN {
        name: "spherical_jn",
        args: &["n", "z"],
        doc: "Spherical Bessel function of the first kind j_n (DLMF 10.47.3) of integer order ``0 <= n <= 10000``; of complex ``z`` with ``n < 1000``.",
        example: ">>> sa.special.spherical_jn(1, sa.asarray([0.0, 1.0]))
                  array([0.        , 0.30116868])",
        reference: "scipy.special.spherical_jn",
        kernels: Kernels::real::<b::SphericalJn, 2>().with_complex::<c::SphericalJn, 2>(),
        check: Some(real_order),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_jn: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_JN, x, 1.0, -1.0),
        ]),
        domain: &[(0.0, 20.0), (-50.0, 50.0)],
        namespace: "special",
    }
    SPHERICAL_YN {
        name: "spherical_yn",
        args: &["n", "z"],
        doc: "Spherical Bessel function of the second kind y_n (DLMF 10.47.4) of integer order ``0 <= n <= 10000``; of complex ``z`` with ``n < 1000``.",
        example: ">>> sa.special.spherical_yn(1, sa.asarray([1.0, 2.0]))
                  array([-1.38177329, -0.350612  ])",
        reference: "scipy.special.spherical_yn",
        kernels: Kernels::real::<b::SphericalYn, 2>().with_complex::<c::SphericalYn, 2>(),
        check: Some(real_order),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_yn: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_YN, x, 1.0, -1.0),
        ]),
        domain: &[(0.0, 20.0), (0.1, 50.0)],
        namespace: "special",
    }
    SPHERICAL_IN {
        name: "spherical_in",
        args: &["n", "z"],
        doc: "Modified spherical Bessel function of the first kind i_n (DLMF 10.47.7) of integer order ``0 <= n <= 10000``; of complex ``z`` with ``n < 1000``.",
        example: ">>> sa.special.spherical_in(1, sa.asarray([0.0, 1.0]))
                  array([0.        , 0.36787944])",
        reference: "scipy.special.spherical_in",
        kernels: Kernels::real::<b::SphericalIn, 2>().with_complex::<c::SphericalIn, 2>(),
        check: Some(real_order),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_in: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_IN, x, 1.0, 1.0),
        ]),
        domain: &[(0.0, 20.0), (-50.0, 50.0)],
        namespace: "special",
    }
    SPHERICAL_KN {
        name: "spherical_kn",
        args: &["n", "z"],
        doc: "Modified spherical Bessel function of the second kind k_n (DLMF 10.47.9) of integer order ``0 <= n <= 10000``; of complex ``z`` with ``n < 1000``.",
        example: ">>> sa.special.spherical_kn(1, sa.asarray([1.0, 2.0]))
                  array([1.15572735, 0.15943812])",
        reference: "scipy.special.spherical_kn",
        kernels: Kernels::real::<b::SphericalKn, 2>().with_complex::<c::SphericalKn, 2>(),
        check: Some(real_order),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_kn: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_KN, x, -1.0, -1.0),
        ]),
        domain: &[(0.0, 20.0), (0.1, 50.0)],
        namespace: "special",
    }
}

/// `(below n f_{n - 1} + above (n + 1) f_{n + 1}) / (2n + 1)`, DLMF 10.51.2 and 10.51.5; at `n = 0` the first term is absent.
fn spherical_slope(f: &'static super::Elementwise, x: &[E], below: f64, above: f64) -> E {
    let n = &x[0];
    let absent = E::call(&super::EQUAL, [n, &n.lit(0.0)]);
    let under = E::call(&super::WHERE, [&absent, &n.lit(0.0), &(n - 1.0)]);
    let low = below * n * E::call(f, [&under, &x[1]]);
    let high = above * (n + 1.0) * E::call(f, [&(n + 1.0), &x[1]]);
    (E::call(&super::WHERE, [&absent, &n.lit(0.0), &low]) + high) / (2.0 * n + 1.0)
}

/// `below f_{v - 1} + above f_{v + 1}`, DLMF 10.6.1 and 10.29.1.
fn order_step(f: &'static super::Elementwise, x: &[E], below: f64, above: f64) -> E {
    below * E::call(f, [&(&x[0] - 1.0), &x[1]]) + above * E::call(f, [&(&x[0] + 1.0), &x[1]])
}

/// `(f_{v - 1} + above f_{v + 1}) / 2` of the first kind, and next to order 0, of which `v - 1` keeps nothing, `v f / z + above f_{v + 1}`
/// (DLMF 10.6.2, 10.29.2).
fn first_step(f: &'static super::Elementwise, x: &[E], above: f64, y: &E) -> E {
    let (v, z) = (&x[0], &x[1]);
    let order = &real(v);
    let up = above * E::call(f, [&(v + 1.0), z]);
    let usual = 0.5 * (E::call(f, [&(v - 1.0), z]) + &up);
    let away = E::call(&super::ABS, [&E::call(&super::SIGN, [z])]);
    let next = E::call(&super::LESS, [&(order * order), &(1e-4 * away)]);
    E::call(&super::WHERE, [&next, &(v * y / z + up), &usual])
}

/// [`order_step`] of the derivative of `I_v`, `K_v` or `Y_v` in the order. Next to order 0 both terms almost cancel: what is left are the
/// second derivatives between the orders `1 - v` and `1 + v` and, of `I` and `Y`, their [`odd_step`] and [`second_odd_step`].
fn slope_step(
    first: &'static super::Elementwise,
    second: &'static super::Elementwise,
    x: &[E],
    [below, above]: [f64; 2],
    odd: Option<E>,
) -> E {
    let (v, z) = (&real(&x[0]), &x[1]);
    // By the rule of Gauss with three points (DLMF 3.5(v))
    let step = 0.6_f64.sqrt() * v;
    let sides = E::call(second, [&(1.0 + &step), z]) + E::call(second, [&(1.0 - step), z]);
    let mut rest = v * (8.0 / 9.0 * E::call(second, [&v.lit(1.0), z]) + 5.0 / 9.0 * sides);
    if let Some(odd) = odd {
        rest = rest + odd;
    }
    let next = E::call(&super::LESS, [&(v * v), &v.lit(4e-6)]);
    E::call(&super::WHERE, [&next, &(above * rest), &order_step(first, x, below, above)])
}

/// [`slope_step`] of `e^-z I_v`.
pub(super) fn scaled_slope_step(x: &[E]) -> E {
    let odd = E::call(&super::EXP, [&(-2.0 * &x[1])]) * odd_step(&KVE, &KVE_DV, x);
    slope_step(&IVE_DV, &IVE_DVV, x, [0.5, 0.5], Some(odd))
}

/// The derivative in `v` of `I_{v - 1} - I_{1 - v}`, which is made of `K` (DLMF 10.27.2).
fn odd_step(k: &'static super::Elementwise, k_slope: &'static super::Elementwise, x: &[E]) -> E {
    let (v, z) = (&real(&x[0]), &x[1]);
    let down = 1.0 - v;
    let (sine, cosine) = (E::call(&super::SINPI, [v]), E::call(&super::COSPI, [v]));
    let slope = sine * E::call(k_slope, [&down, z]) * std::f64::consts::FRAC_1_PI;
    2.0 * (cosine * E::call(k, [&down, z]) - slope)
}

/// The derivative in `v` of `-Y_{v - 1} - Y_{1 - v}`, by `J` too (DLMF 10.4.6), from `Y_{1 - v}`, `J_{1 - v}` and their derivatives in the
/// order.
fn second_odd_step([y, y_slope, j, j_slope]: [&'static super::Elementwise; 4], x: &[E]) -> E {
    let (v, z) = (&real(&x[0]), &x[1]);
    let down = 1.0 - v;
    let [y, y_slope, j, j_slope] = [y, y_slope, j, j_slope].map(|f| E::call(f, [&down, z]));
    let (sine, cosine, half) =
        (E::call(&super::SINPI, [v]), E::call(&super::COSPI, [v]), E::call(&super::SINPI, [&(0.5 * v)]));
    sine.clone() * (j_slope - std::f64::consts::PI * y) + 2.0 * (&half * &half) * y_slope
        - std::f64::consts::PI * cosine * j
}

/// What the asymptotic series of `I` leaves out of [`far_slope`]: `K`, which alone counts at order 0.
fn beyond_series(x: &[E]) -> E {
    let (v, z) = (&x[0], &x[1]);
    let k = E::call(&KVE, [v, z]) - order_step(&KVE, x, -0.5, -0.5);
    let next = E::call(&super::LESS, [&(v * v), &v.lit(4e-6)]);
    let far = E::call(&super::GREATER_EQUAL, [z, &z.lit(20.0)]);
    let part = E::call(&super::WHERE, [&next, &(E::call(&super::EXP, [&(-2.0 * z)]) * k), &v.lit(0.0)]);
    E::call(&super::WHERE, [&far, &part, &v.lit(0.0)])
}

/// The difference of scaled functions that is the slope in the argument, where it cancels from the asymptotic series instead.
fn far_slope(f: &'static super::Elementwise, x: &[E], kind: f64, difference: E) -> E {
    let (v, z) = (&x[0], &x[1]);
    E::call(&super::WHERE, [&is_far(v, z), &E::call(f, [&z.lit(kind), &z.lit(1.0), v, z]), &difference])
}

/// Where `hankel_dx` serves.
fn is_far(v: &E, z: &E) -> E {
    let (v, z) = if z.is_complex() { (&real(v), &E::call(&super::ABS, [z])) } else { (v, z) };
    let hankel = E::call(&super::MAXIMUM, [&z.lit(20.0), &(0.5 * (v * v))]);
    let middle = E::call(&super::MAXIMUM, [&z.lit(40.0), &(3.0 * E::call(&super::ABS, [v]))]);
    E::call(&super::GREATER_EQUAL, [z, &E::call(&super::MINIMUM, [&hankel, &middle])])
}

/// `e^(i pi turn v)` times derivative `n` of a scaled modified function of `w`, or its derivative in `v`.
fn far_part(v: &E, by_order: bool, kind: f64, n: f64, turn: &E, w: &E) -> E {
    let angle = turn * &real(v);
    let phase = E::call(&super::COMPLEX, [&E::call(&super::COSPI, [&angle]), &E::call(&super::SINPI, [&angle])]);
    let ins = [&w.lit(kind), &w.lit(n), v, w];
    let mut part = E::call(&HANKEL_DX, ins);
    if by_order {
        part = E::call(&HANKEL_DX_DV, ins) + std::f64::consts::PI * turn * turned(&part);
    }
    phase * part
}

/// [`far_slope`] of `e^(-sz) I_v`, or of its derivative in the order; `step` is the slope of `I_v`.
fn modified_slope(step: E, x: &[E], by_order: bool, y: &E) -> E {
    let (v, z) = (&x[0], &x[1]);
    let side_of = side(&super::REAL, z);
    // DLMF 10.34.1
    let turn = 0.5 * (1.0 - &side_of) * side(&super::IMAG, z);
    let far = &side_of * far_part(v, by_order, 0.0, 1.0, &turn, &(&side_of * z));
    E::call(&super::WHERE, [&is_far(v, z), &far, &(step - side_of * y)])
}

/// [`far_slope`] of `e^(isz) J_v`, by `I` of the argument turned (DLMF 10.27.6).
fn first_slope(step: E, x: &[E], by_order: bool, y: &E) -> E {
    let (v, z) = (&x[0], &x[1]);
    let side_of = side(&super::IMAG, z);
    let far = far_part(v, by_order, 0.0, 1.0, &(0.5 * &side_of), &(-&side_of * turned(z)));
    let far = -&side_of * turned(&far);
    E::call(&super::WHERE, [&is_far(v, z), &far, &(step + side_of * turned(y))])
}

/// [`far_slope`] of `e^(isz) Y_v`, by `I` and `K` (DLMF 10.27.10).
fn second_slope(step: E, x: &[E], by_order: bool, y: &E) -> E {
    let (v, z) = (&x[0], &x[1]);
    let side_of = side(&super::IMAG, z);
    let half = 0.5 * &side_of;
    let w = &(-&side_of * turned(z));
    let grows = far_part(v, by_order, 0.0, 1.0, &half, w);
    let k = |n| far_part(v, by_order, 1.0, n, &-&half, w);
    let decay = E::call(&super::EXP, [&(-2.0 * w)]);
    let far = grows + turned(&(std::f64::consts::FRAC_2_PI * &side_of * decay * (k(1.0) - 2.0 * k(0.0))));
    E::call(&super::WHERE, [&is_far(v, z), &far, &(step + side_of * turned(y))])
}

/// [`far_slope`] of a scaled Hankel function of the first (`side` = 1) or second kind (-1), by `K` of the argument turned
/// (DLMF 10.27.8), or of its derivative in the order. Beyond the cut of `K` the root in its expansion has the other sign, and the
/// function itself at `-z` joins it (DLMF 10.11.4), which counts next to the negative axis.
fn third_slope(
    f: &'static super::Elementwise,
    by_order: Option<&'static super::Elementwise>,
    x: &[E],
    side: f64,
    y: &E,
) -> E {
    let (v, z) = (&real(&x[0]), &x[1]);
    let difference = |f, z: &E, y: &E| order_step(f, &[x[0].clone(), z.clone()], 0.5, -0.5) - side * turned(y);
    let negative = |t: &E| E::call(&super::LESS, [t, &t.lit(0.0)]);
    let at = -side * turned(z);
    // On the imaginary axis it is the sign of a zero that says on which side of its cut `K` is taken.
    let within = E::call(&super::SIGNBIT, [&(side * E::call(&super::IMAG, [&at]))]);
    let crossed = E::call(&super::LOGICAL_NOT, [&within]);
    let beyond = E::call(&super::LOGICAL_AND, [&crossed, &negative(&(side * E::call(&super::IMAG, [z])))]);
    let sign = E::call(&super::WHERE, [&beyond, &z.lit(1.0), &z.lit(-1.0)]);
    let slope = far_part(&x[0], by_order.is_some(), 1.0, 1.0, &v.lit(-0.5 * side), &at);
    let slope = std::f64::consts::FRAC_2_PI * (sign * slope);
    let w = E::call(&super::WHERE, [&beyond, &-z, &z.lit(1.0)]);
    let both = |f| {
        let opposite = E::call(f, [&x[0], &w]);
        difference(f, &w, &opposite) + 2.0 * side * turned(&opposite)
    };
    let cosine = E::call(&super::COSPI, [v]);
    let share = match by_order {
        None => cosine * both(f),
        Some(by_order) => cosine * both(by_order) - std::f64::consts::PI * E::call(&super::SINPI, [v]) * both(f),
    };
    let share = -2.0 * (E::call(&super::EXP, [&(2.0 * side * turned(&w))]) * share);
    let share = E::call(&super::WHERE, [&beyond, &share, &z.lit(0.0)]);
    let near = difference(by_order.unwrap_or(f), z, y);
    E::call(&super::WHERE, [&is_far(&x[0], z), &(slope + share), &near])
}

/// The same for scaled Airy functions.
fn airy_far(kind: &E, z: &E, difference: E) -> E {
    let (size, from) = if z.is_complex() { (&E::call(&super::ABS, [z]), 2.0) } else { (z, 10.0) };
    let far = E::call(&super::GREATER_EQUAL, [size, &size.lit(from)]);
    E::call(&super::WHERE, [&far, &E::call(&AIRYE_DX, [kind, &z.lit(1.0), z]), &difference])
}

fn real_order(ins: &[&Array]) -> Result<()> {
    real_but_last("Bessel functions", "the order", ins)
}

/// -1 where a part of the argument is negative, else 1.
fn side(part: &'static super::Elementwise, z: &E) -> E {
    let x = E::call(part, [z]);
    E::call(&super::WHERE, [&E::call(&super::LESS, [&x, &x.lit(0.0)]), &x.lit(-1.0), &x.lit(1.0)])
}

/// The argument, and 0 at infinity, where what it multiplies is 0.
fn below_inf(x: &E) -> E {
    super::limit_at(x, f64::INFINITY, 0.0, x.clone())
}

/// The slope of the exponent of scaled Airy functions: the square root, 0 of negative real numbers.
fn positive_root(x: &E) -> E {
    if x.is_complex() {
        return E::call(&super::SQRT, [x]);
    }
    E::call(&super::SQRT, [&E::call(&super::MAXIMUM, [x, &x.lit(0.0)])])
}
