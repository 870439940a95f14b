//! Classical orthogonal polynomials, and the hypergeometric functions between them.

use super::degrees::{
    DEGREE, Direction, GEGENBAUER, GEGENBAUER_ALPHA, GENLAGUERRE, JACOBI, JACOBI_ALPHA, JACOBI_BETA, KUMMER_ALPHA,
    beside, legendre, real,
};
use super::gamma::{Sum, is_pole};
use super::special::{equals, real_but_last, unsupported};
use super::{Elementwise, RowRule, rows};
use crate::array::Array;
use crate::error::Result;
use crate::expr::E;
use crate::ops;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::PI;

rows! {
    EVAL_LEGENDRE {
        name: "eval_legendre",
        args: &["n", "x"],
        doc: "Legendre polynomial (DLMF 18.3); for degrees that are no integers Legendre's function, Gauss's function of DLMF 14.3.1, infinite for real ``x <= -1``. Differentiable in the degree too. ``x`` may be complex.",
        example: ">>> sa.special.eval_legendre(3, sa.asarray([-0.5, 0.5]))
                  array([ 0.4375, -0.4375])",
        reference: "scipy.special.eval_legendre",
        kernels: Kernels::real::<b::EvalLegendre, 2>().with_complex::<c::EvalLegendre, 2>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, _| legendre(x).slope(&DEGREE), |x, _| lower(1.5, x)]),
        domain: &[(0.0, 30.0), (-1.0, 1.0)],
        namespace: "special",
    }
    EVAL_SH_LEGENDRE {
        name: "eval_sh_legendre",
        args: &["n", "x"],
        doc: "Shifted Legendre polynomial P_n(2 x - 1) on [0, 1], for all degrees of :func:`eval_legendre`.",
        example: ">>> sa.special.eval_sh_legendre(2, sa.asarray([0.0, 0.5]))
                  array([ 1. , -0.5])",
        reference: "scipy.special.eval_sh_legendre",
        kernels: Kernels::real::<b::EvalShLegendre, 2>().with_complex::<c::EvalShLegendre, 2>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, y| shifted(&EVAL_LEGENDRE, 0, x, y), |x, y| 2.0 * shifted(&EVAL_LEGENDRE, 1, x, y)]),
        domain: &[(0.0, 30.0), (0.0, 1.0)],
        namespace: "special",
    }
    EVAL_CHEBYT {
        name: "eval_chebyt",
        args: &["n", "x"],
        doc: "Chebyshev polynomial of the first kind (DLMF 18.3); ``cos(n arccos(x))`` for degrees that are no integers, infinite for real ``x < -1``. Differentiable in the degree too. ``x`` may be complex.",
        example: ">>> sa.special.eval_chebyt(3, sa.asarray([-0.5, 0.5]))
                  array([ 1., -1.])",
        reference: "scipy.special.eval_chebyt",
        kernels: Kernels::real::<b::EvalChebyt, 2>().with_complex::<c::EvalChebyt, 2>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[chebyt_dn, chebyt_dx]),
        domain: &[(0.0, 30.0), (-1.0, 1.0)],
        namespace: "special",
    }
    EVAL_SH_CHEBYT {
        name: "eval_sh_chebyt",
        args: &["n", "x"],
        doc: "Shifted Chebyshev polynomial T_n(2 x - 1) on [0, 1], for all degrees of :func:`eval_chebyt`.",
        example: ">>> sa.special.eval_sh_chebyt(2, sa.asarray([0.0, 0.5]))
                  array([ 1., -1.])",
        reference: "scipy.special.eval_sh_chebyt",
        kernels: Kernels::real::<b::EvalShChebyt, 2>().with_complex::<c::EvalShChebyt, 2>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, y| shifted(&EVAL_CHEBYT, 0, x, y), |x, y| 2.0 * shifted(&EVAL_CHEBYT, 1, x, y)]),
        domain: &[(0.0, 30.0), (0.0, 1.0)],
        namespace: "special",
    }
    EVAL_CHEBYU {
        name: "eval_chebyu",
        args: &["n", "x"],
        doc: "Chebyshev polynomial of the second kind (DLMF 18.3); ``sin((n + 1) arccos(x)) / sin(arccos(x))`` for degrees that are no integers, infinite for real ``x <= -1``. Differentiable in the degree too. ``x`` may be complex.",
        example: ">>> sa.special.eval_chebyu(3, sa.asarray([-0.5, 0.5]))
                  array([ 1., -1.])",
        reference: "scipy.special.eval_chebyu",
        kernels: Kernels::real::<b::EvalChebyu, 2>().with_complex::<c::EvalChebyu, 2>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[chebyu_dn, |x, _| 2.0 * lower(2.0, x)]),
        domain: &[(0.0, 30.0), (-1.0, 1.0)],
        namespace: "special",
    }
    EVAL_SH_CHEBYU {
        name: "eval_sh_chebyu",
        args: &["n", "x"],
        doc: "Shifted Chebyshev polynomial U_n(2 x - 1) on [0, 1], for all degrees of :func:`eval_chebyu`.",
        example: ">>> sa.special.eval_sh_chebyu(2, sa.asarray([0.0, 0.5]))
                  array([ 3., -1.])",
        reference: "scipy.special.eval_sh_chebyu",
        kernels: Kernels::real::<b::EvalShChebyu, 2>().with_complex::<c::EvalShChebyu, 2>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, y| shifted(&EVAL_CHEBYU, 0, x, y), |x, y| 2.0 * shifted(&EVAL_CHEBYU, 1, x, y)]),
        domain: &[(0.0, 30.0), (0.0, 1.0)],
        namespace: "special",
    }
    EVAL_HERMITE {
        name: "eval_hermite",
        args: &["n", "x"],
        doc: "Hermite polynomial of the physicists of integer degree (DLMF 18.3); other degrees give NaN. ``x`` may be complex.",
        example: ">>> sa.special.eval_hermite(3, sa.asarray([-0.5, 0.5]))
                  array([ 5., -5.])",
        reference: "scipy.special.eval_hermite",
        kernels: Kernels::real::<b::EvalHermite, 2>().with_complex::<c::EvalHermite, 2>(),
        orders: &[0],
        check: Some(real_degree),
        rule: RowRule::Partials(&[|_, _| unsupported("eval_hermite: not differentiable in the degree n"), |x, _| 2.0 * &x[0] * below(&x[0], |n| E::call(&EVAL_HERMITE, [n, &x[1]]))]),
        domain: &[(0.0, 30.0), (-5.0, 5.0)],
        namespace: "special",
    }
    EVAL_HERMITENORM {
        name: "eval_hermitenorm",
        args: &["n", "x"],
        doc: "Hermite polynomial of the probabilists of integer degree (DLMF 18.3); other degrees give NaN. ``x`` may be complex.",
        example: ">>> sa.special.eval_hermitenorm(3, sa.asarray([-0.5, 0.5]))
                  array([ 1.375, -1.375])",
        reference: "scipy.special.eval_hermitenorm",
        kernels: Kernels::real::<b::EvalHermitenorm, 2>().with_complex::<c::EvalHermitenorm, 2>(),
        orders: &[0],
        check: Some(real_degree),
        rule: RowRule::Partials(&[|_, _| unsupported("eval_hermitenorm: not differentiable in the degree n"), |x, _| &x[0] * below(&x[0], |n| E::call(&EVAL_HERMITENORM, [n, &x[1]]))]),
        domain: &[(0.0, 30.0), (-5.0, 5.0)],
        namespace: "special",
    }
    EVAL_GEGENBAUER {
        name: "eval_gegenbauer",
        args: &["n", "alpha", "x"],
        doc: "Gegenbauer polynomial (DLMF 18.3), for degrees that are no integers Gauss's function of DLMF 18.5.9; differentiable in the degree and the parameter too. ``x`` may be complex.",
        example: ">>> sa.special.eval_gegenbauer(3, 0.5, sa.asarray([-0.5, 0.5]))
                  array([ 0.4375, -0.4375])",
        reference: "scipy.special.eval_gegenbauer",
        kernels: Kernels::real::<b::EvalGegenbauer, 3>().with_complex::<c::EvalGegenbauer, 3>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, _| GEGENBAUER.by_degree(x), |x, _| gegenbauer_by_alpha(x), |x, _| lowered(x, |x| 2.0 * &x[1] * one_less(&x[0], &(2.0 * real(&x[1])), |n| E::call(&EVAL_GEGENBAUER, [n, &(&x[1] + 1.0), &x[2]])))]),
        domain: &[(0.0, 20.0), (0.1, 5.0), (-1.0, 1.0)],
        namespace: "special",
    }
    EVAL_GEGENBAUER_DA {
        name: "eval_gegenbauer_da",
        args: &["n", "alpha", "x"],
        doc: "Derivative of eval_gegenbauer in the parameter.",
        kernels: Kernels::real::<b::EvalGegenbauerDa, 3>().with_complex::<c::EvalGegenbauerDa, 3>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|x, _| GEGENBAUER.mixed(x, &GEGENBAUER_ALPHA), |x, _| E::call(&EVAL_GEGENBAUER_DAA, [&x[0], &x[1], &x[2]]), |x, _| 2.0 * &x[1] * below(&x[0], |n| gegenbauer_by_alpha(&[n.clone(), &x[1] + 1.0, x[2].clone()])) + 2.0 * below(&x[0], |n| E::call(&EVAL_GEGENBAUER, [n, &(&x[1] + 1.0), &x[2]]))]),
        namespace: "-",
    }
    EVAL_GEGENBAUER_DAA {
        name: "eval_gegenbauer_daa",
        args: &["n", "alpha", "x"],
        doc: "Second derivative of eval_gegenbauer in the parameter.",
        kernels: Kernels::real::<b::EvalGegenbauerDaa, 3>().with_complex::<c::EvalGegenbauerDaa, 3>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|_, _| unsupported("eval_gegenbauer: third derivatives in degree and parameter are not available"), |_, _| unsupported("eval_gegenbauer: the third derivative in alpha is not available"), |x, _| 2.0 * &x[1] * below(&x[0], |n| E::call(&EVAL_GEGENBAUER_DAA, [n, &(&x[1] + 1.0), &x[2]])) + 4.0 * below(&x[0], |n| E::call(&EVAL_GEGENBAUER_DA, [n, &(&x[1] + 1.0), &x[2]]))]),
        namespace: "-",
    }
    EVAL_GENLAGUERRE {
        name: "eval_genlaguerre",
        args: &["n", "alpha", "x"],
        doc: "Generalized Laguerre polynomial (DLMF 18.3), for degrees that are no integers Kummer's function of DLMF 18.5.12; differentiable in the degree and the parameter too. ``x`` may be complex.",
        example: ">>> sa.special.eval_genlaguerre(3, 0.5, sa.asarray([-0.5, 0.5]))
                  array([4.83333333, 0.41666667])",
        reference: "scipy.special.eval_genlaguerre",
        kernels: Kernels::real::<b::EvalGenlaguerre, 3>().with_complex::<c::EvalGenlaguerre, 3>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, _| GENLAGUERRE.by_degree(x), |x, _| genlaguerre_by_alpha(x), |x, _| lowered(x, |x| -one_less(&x[0], &real(&x[1]), |n| E::call(&EVAL_GENLAGUERRE, [n, &(&x[1] + 1.0), &x[2]])))]),
        domain: &[(0.0, 20.0), (-0.5, 5.0), (0.0, 20.0)],
        namespace: "special",
    }
    EVAL_GENLAGUERRE_DA {
        name: "eval_genlaguerre_da",
        args: &["n", "alpha", "x"],
        doc: "Derivative of eval_genlaguerre in the parameter.",
        kernels: Kernels::real::<b::EvalGenlaguerreDa, 3>().with_complex::<c::EvalGenlaguerreDa, 3>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|x, _| GENLAGUERRE.mixed(x, &KUMMER_ALPHA), |x, _| E::call(&EVAL_GENLAGUERRE_DAA, [&x[0], &x[1], &x[2]]), |x, _| -below(&x[0], |n| genlaguerre_by_alpha(&[n.clone(), &x[1] + 1.0, x[2].clone()]))]),
        namespace: "-",
    }
    EVAL_GENLAGUERRE_DAA {
        name: "eval_genlaguerre_daa",
        args: &["n", "alpha", "x"],
        doc: "Second derivative of eval_genlaguerre in the parameter.",
        kernels: Kernels::real::<b::EvalGenlaguerreDaa, 3>().with_complex::<c::EvalGenlaguerreDaa, 3>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|_, _| unsupported("eval_genlaguerre: third derivatives in degree and parameter are not available"), |_, _| unsupported("eval_genlaguerre: the third derivative in alpha is not available"), |x, _| -below(&x[0], |n| E::call(&EVAL_GENLAGUERRE_DAA, [n, &(&x[1] + 1.0), &x[2]]))]),
        namespace: "-",
    }
    EVAL_JACOBI {
        name: "eval_jacobi",
        args: &["n", "alpha", "beta", "x"],
        doc: "Jacobi polynomial (DLMF 18.3), for degrees that are no integers Gauss's function of DLMF 18.5.7; differentiable in the degree and both parameters too. ``x`` may be complex.",
        example: ">>> sa.special.eval_jacobi(3, 0.5, 1.5, sa.asarray([-0.5, 0.5]))
                  array([ 0.21875, -0.65625])",
        reference: "scipy.special.eval_jacobi",
        kernels: Kernels::real::<b::EvalJacobi, 4>().with_complex::<c::EvalJacobi, 4>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, _| JACOBI.by_degree(x), |x, _| jacobi_parameter_slope(&EVAL_JACOBI_DA, &JACOBI_ALPHA, x), |x, _| jacobi_parameter_slope(&EVAL_JACOBI_DB, &JACOBI_BETA, x), |x, _| lowered(x, |x| 0.5 * (&x[0] + &x[1] + &x[2] + 1.0) * one_less(&x[0], &real(&x[1]), |n| E::call(&EVAL_JACOBI, [n, &(&x[1] + 1.0), &(&x[2] + 1.0), &x[3]])))]),
        domain: &[(0.0, 20.0), (-0.5, 5.0), (-0.5, 5.0), (-1.0, 1.0)],
        namespace: "special",
    }
    EVAL_JACOBI_SHIFTED {
        name: "eval_jacobi_shifted",
        args: &["n", "alpha", "beta", "x"],
        doc: "Jacobi polynomial at ``2 x - 1``.",
        kernels: Kernels::real::<b::EvalJacobiShifted, 4>().with_complex::<c::EvalJacobiShifted, 4>(),
        check: Some(real_degree),
        rule: RowRule::Partials(&[|x, y| shifted(&EVAL_JACOBI, 0, x, y), |x, y| shifted(&EVAL_JACOBI, 1, x, y), |x, y| shifted(&EVAL_JACOBI, 2, x, y), |x, y| 2.0 * shifted(&EVAL_JACOBI, 3, x, y)]),
        namespace: "-",
    }
    EVAL_JACOBI_DA {
        name: "eval_jacobi_da",
        args: &["n", "alpha", "beta", "x"],
        doc: "Derivative of eval_jacobi in ``alpha``.",
        kernels: Kernels::real::<b::EvalJacobiDa, 4>().with_complex::<c::EvalJacobiDa, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|x, _| JACOBI.mixed(x, &JACOBI_ALPHA), |x, _| E::call(&EVAL_JACOBI_DAA, [&x[0], &x[1], &x[2], &x[3]]), |x, _| E::call(&EVAL_JACOBI_DAB, [&x[0], &x[1], &x[2], &x[3]]), |x, _| jacobi_slope(&EVAL_JACOBI_DA, x) + 0.5 * jacobi_below(&EVAL_JACOBI, x)]),
        namespace: "-",
    }
    EVAL_JACOBI_DB {
        name: "eval_jacobi_db",
        args: &["n", "alpha", "beta", "x"],
        doc: "Derivative of eval_jacobi in ``beta``.",
        kernels: Kernels::real::<b::EvalJacobiDb, 4>().with_complex::<c::EvalJacobiDb, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[|x, _| JACOBI.mixed(x, &JACOBI_BETA), |x, _| E::call(&EVAL_JACOBI_DAB, [&x[0], &x[1], &x[2], &x[3]]), |x, _| reflected(&EVAL_JACOBI_DAA, x), |x, _| jacobi_slope(&EVAL_JACOBI_DB, x) + 0.5 * jacobi_below(&EVAL_JACOBI, x)]),
        namespace: "-",
    }
    EVAL_JACOBI_DAA {
        name: "eval_jacobi_daa",
        args: &["n", "alpha", "beta", "x"],
        doc: "Second derivative of eval_jacobi in ``alpha``.",
        kernels: Kernels::real::<b::EvalJacobiDaa, 4>().with_complex::<c::EvalJacobiDaa, 4>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("eval_jacobi: third derivatives in the parameters are not available"), |_, _| unsupported("eval_jacobi: third derivatives in the parameters are not available"), |_, _| unsupported("eval_jacobi: third derivatives in the parameters are not available"), |x, _| jacobi_slope(&EVAL_JACOBI_DAA, x) + jacobi_below(&EVAL_JACOBI_DA, x)]),
        namespace: "-",
    }
    EVAL_JACOBI_DAB {
        name: "eval_jacobi_dab",
        args: &["n", "alpha", "beta", "x"],
        doc: "Mixed derivative of eval_jacobi in its parameters.",
        kernels: Kernels::real::<b::EvalJacobiDab, 4>().with_complex::<c::EvalJacobiDab, 4>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("eval_jacobi: third derivatives in the parameters are not available"), |_, _| unsupported("eval_jacobi: third derivatives in the parameters are not available"), |_, _| unsupported("eval_jacobi: third derivatives in the parameters are not available"), |_, _| unsupported("eval_jacobi: third derivatives are not available")]),
        namespace: "-",
    }
}

/// The derivative of `f` in argument `i` where the last one is `2x - 1`.
fn shifted(f: &'static Elementwise, i: usize, x: &[E], y: &E) -> E {
    let mut at = x.to_vec();
    let last = at.len() - 1;
    at[last] = 2.0 * &x[last] - 1.0;
    f.partial(i, &at, y)
}

/// `theta / sin(theta)` of `x = cos(theta)`, which is analytic at 1 and from whose pole at -1 `(1 - x) / 2` does not tell the distance.
fn angle_over_sine(x: &E) -> E {
    let one = x.lit(1.0);
    let left = &E::call(&super::LESS, [&real(x), &real(x).lit(-0.5)]);
    let outside = E::call(&super::WHERE, [left, &x.lit(0.0), &(0.5 * (1.0 - x))]);
    let right = E::call(&super::HYP2F1, [&one, &one, &x.lit(1.5), &outside]);
    let y = E::call(&super::WHERE, [left, x, &x.lit(0.0)]);
    let sine = E::call(&super::SQRT, [&((1.0 - &y) * (1.0 + &y))]);
    E::call(&super::WHERE, [left, &(E::call(&super::ACOS, [&y]) / sine), &right])
}

/// Chebyshev's function of the second kind, of degree `n - 1`.
fn second_kind_below(x: &[E]) -> E {
    one_less(&x[0], &real(&x[0]).lit(0.0), |n| E::call(&EVAL_CHEBYU, [n, &x[1]]))
}

/// `n U(n - 1)`, of `-n` as well: next to -1 the bend is small like the distance from there, which `n - 1` would round.
fn chebyt_dx(x: &[E], _: &E) -> E {
    let n = E::call(&super::WHERE, [&E::call(&super::LESS, [&real(&x[0]), &real(&x[0]).lit(-0.5)]), &-&x[0], &x[0]]);
    let out = &n * second_kind_below(&[n.clone(), x[1].clone()]);
    // Of degree 0 it is constant at -1 too, where the other factor's slope is infinite.
    super::zero_where(&E::call(&super::LOGICAL_AND, [&equals(&n, 0.0), &equals(&x[1], -1.0)]), out)
}

/// `-theta sin(n theta)`.
fn chebyt_dn(x: &[E], _: &E) -> E {
    let n = real(&x[0]);
    let sine2 = (1.0 - &x[1]) * (1.0 + &x[1]);
    let inside = -(sine2 * angle_over_sine(&x[1])) * second_kind_below(x);
    // By the distance from pi, of which the slope in x is infinite
    let sine = E::call(&super::SINPI, [&n]);
    let rate = PI * &n * E::call(&super::COSPI, [&n]) + &sine;
    let gap = E::call(&super::SQRT, [&(2.0 * (1.0 + &x[1]))]);
    let end = -PI * sine + super::zero_where(&equals(&rate, 0.0), rate * gap);
    E::call(&super::WHERE, [&equals(&x[1], -1.0), &end, &inside])
}

/// `theta cos((n + 1) theta) / sin(theta)`.
fn chebyu_dn(x: &[E], _: &E) -> E {
    angle_over_sine(&x[1]) * E::call(&EVAL_CHEBYT, [&(real(&x[0]) + 1.0), &x[1]])
}

fn real_degree(ins: &[&Array]) -> Result<()> {
    real_but_last("orthogonal polynomials", "degree and parameters", ins)
}

/// `f(n - 1)` of a function that has the zeros of `gamma(n + 2 + a) / gamma(n + 1)`, without what the rounding of `n - 1` takes off it
/// next to these, of which its slope in `n` knows nothing.
fn one_less(n: &E, a: &E, f: impl Fn(&E) -> E) -> E {
    let n = &real(n);
    let fixed = n.map(ops::detach);
    let place = E::call(&super::FLOOR, [&(&fixed + 0.5)]);
    let (gap, end) = (&fixed - &place, &place - 1.0);
    // Where nothing of the distance is left, from the next number, as the function is like it so close to a zero
    let less = &fixed - 1.0;
    let beyond = &end + E::call(&super::COPYSIGN, [&end.lit(1.0), &gap]);
    let next = E::call(&super::NEXTAFTER, [&end, &beyond]);
    let none = E::call(&super::GREATER, [&E::call(&super::EQUAL, [&less, &end]), &equals(&gap, 0.0)]);
    let less = E::call(&super::WHERE, [&none, &next, &less]);
    let back = &less - &end;
    let above = Sum::new(&(&end + 2.0), &a.map(ops::detach));
    let at_most = |v: &E| E::call(&super::LESS_EQUAL, [v, &v.lit(0.0)]);
    let zero = E::call(&super::GREATER, [&at_most(&place), &above.is_pole()]);
    let beside = E::call(&super::GREATER, [&zero, &equals(&back, 0.0)]);
    let kept = E::call(&super::WHERE, [&beside, &(&gap / &back), &back.lit(1.0)]);
    let value = f(&(less + (n - fixed) / &kept)) * kept;
    // At a zero that `a + 1` does not show
    let shown = (&end + 1.0) + (a.map(ops::detach) + 1.0);
    let hidden = E::call(&super::GREATER, [&is_pole(&shown), &above.is_pole()]);
    let hidden = E::call(&super::LOGICAL_AND, [&E::call(&super::LOGICAL_AND, [&zero, &hidden]), &equals(&gap, 0.0)]);
    E::call(&super::WHERE, [&hidden, &n.lit(0.0), &value])
}

/// `f(n - 1)`, 0 where `n` is 0.
fn below(n: &E, f: impl Fn(&E) -> E) -> E {
    let n = &real(n);
    let zero = n.lit(0.0);
    let value = f(&E::call(&super::MAXIMUM, [&(n - 1.0), &zero]));
    E::call(&super::WHERE, [&E::call(&super::EQUAL, [n, &zero]), &zero, &value])
}

/// `f`, which is made of functions of degree `n - 1`: where `n` is 0 the slope of a constant, with derivatives in the degree alone.
fn lowered(x: &[E], f: impl Fn(&[E]) -> E) -> E {
    let n = real(&x[0]);
    let constant = E::call(&super::EQUAL, [&n, &n.lit(0.0)]);
    let mut inner = x.to_vec();
    for v in &mut inner[1..] {
        *v = E::call(&super::WHERE, [&constant, &v.map(ops::detach), v]);
    }
    let y = f(&inner);
    let value = y.map(ops::detach);
    let finite = E::call(&super::ISFINITE, [&value]);
    let value = E::call(&super::WHERE, [&E::call(&super::LOGICAL_AND, [&constant, &finite]), &value, &value.lit(0.0)]);
    super::zero_where(&E::call(&super::GREATER, [&constant, &finite]), y) - value
}

/// Gegenbauer's function of degree `n - 1` and a parameter of the same argument.
fn lower(alpha: f64, x: &[E]) -> E {
    one_less(&x[0], &real(&x[0]).lit(2.0 * alpha - 2.0), |n| E::call(&EVAL_GEGENBAUER, [n, &x[0].lit(alpha), &x[1]]))
}

fn gegenbauer_by_alpha(x: &[E]) -> E {
    beside(x, 1.0, |x| E::call(&EVAL_GEGENBAUER_DA, [&x[0], &x[1], &x[2]]), |x| GEGENBAUER.slope(x, &GEGENBAUER_ALPHA))
}

fn genlaguerre_by_alpha(x: &[E]) -> E {
    beside(x, 0.0, |x| E::call(&EVAL_GENLAGUERRE_DA, [&x[0], &x[1], &x[2]]), |x| GENLAGUERRE.slope(x, &KUMMER_ALPHA))
}

/// Of a polynomial by its row, of other degrees through Gauss's function.
fn jacobi_parameter_slope(row: &'static Elementwise, moved: &Direction, x: &[E]) -> E {
    beside(x, 1.0, |x| E::call(row, [&x[0], &x[1], &x[2], &x[3]]), |x| JACOBI.slope(x, moved))
}

/// `f` of degree `n - 1` with both parameters one higher.
fn jacobi_below(f: &'static Elementwise, x: &[E]) -> E {
    below(&x[0], |n| E::call(f, [n, &(&x[1] + 1.0), &(&x[2] + 1.0), &x[3]]))
}

/// `(n + alpha + beta + 1) / 2` times that (DLMF 18.9.15).
fn jacobi_slope(f: &'static Elementwise, x: &[E]) -> E {
    0.5 * (&x[0] + &x[1] + &x[2] + 1.0) * jacobi_below(f, x)
}

/// `f(n, beta, alpha, -x)` times the parity of the degree (DLMF Table 18.6.1).
fn reflected(f: &'static Elementwise, x: &[E]) -> E {
    let sign = E::call(&super::COSPI, [&x[0]]);
    sign * E::call(f, [&x[0], &x[2], &x[1], &-&x[3]])
}
