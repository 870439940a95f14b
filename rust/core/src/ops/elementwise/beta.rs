//! The beta function and the incomplete beta functions, with their inverses.

use super::gamma::{SMALLEST_QUANTILE, Sum, start_speed};
use super::normal::normal_density;
use super::special::{beside_zero, equals, fading, power_slope, unsupported, zero_beyond};
use super::{RowRule, Settles, damped, rows};
use crate::expr::E;
use crate::op::Saves;
use crate::ops;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;

const THIRD: &str = "betainc: third derivatives in a and b are not available";

rows! {
    BETA {
        name: "beta",
        args: &["a", "b"],
        doc: "Beta function B(a, b) (DLMF 5.12.1); infinite at its poles, as SciPy.",
        example: ">>> sa.special.beta(2.0, sa.asarray([0.5, 3.0]))
                  array([1.33333333, 0.08333333])",
        reference: "scipy.special.beta",
        kernels: Kernels::real::<b::Beta, 2>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&BETA_DA, [&x[0], &x[1]]),
            |x, _| E::call(&BETA_DA, [&x[1], &x[0]]),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_finite(&[0, 1])],
        domain: &[(0.05, 30.0), (0.05, 30.0)],
        namespace: "special",
    }
    BETA_DA {
        name: "beta_da",
        args: &["a", "b"],
        doc: "Derivative of the beta function in ``a``.",
        kernels: Kernels::real::<b::BetaDa, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&BETA_DAA, [&x[0], &x[1]]),
            |x, _| E::call(&BETA_DAB, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    BETA_DAA {
        name: "beta_daa",
        args: &["a", "b"],
        doc: "Second derivative of the beta function in ``a``.",
        kernels: Kernels::real::<b::BetaDaa, 2>().narrow(),
        rule: RowRule::Partials(&[|x, y| beta_third(&x[0], &x[1], y), |x, _| beta_third_mixed(&x[0], &x[1])]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BETA_DAB {
        name: "beta_dab",
        args: &["a", "b"],
        doc: "Mixed derivative of the beta function.",
        kernels: Kernels::real::<b::BetaDab, 2>().narrow(),
        rule: RowRule::Partials(&[|x, _| beta_third_mixed(&x[0], &x[1]), |x, _| beta_third_mixed(&x[1], &x[0])]),
        namespace: "-",
    }
    BETALN {
        name: "betaln",
        args: &["a", "b"],
        doc: "Logarithm of the magnitude of the beta function, also for arguments of very different size.",
        example: ">>> sa.special.betaln(2.0, sa.asarray([0.5, 3.0]))
                  array([ 0.28768207, -2.48490665])",
        reference: "scipy.special.betaln",
        kernels: Kernels::real::<b::Betaln, 2>(),
        rule: RowRule::Partials(&[|x, _| -step(0, &x[0], &x[1]), |x, _| -step(0, &x[1], &x[0])]),
        domain: &[(2.0, 30.0), (2.0, 30.0)],
        namespace: "special",
    }
    POLYGAMMA_STEP {
        name: "polygamma_step",
        args: &["n", "a", "b"],
        doc: "``polygamma(n, a + b) - polygamma(n, a)`` without cancellation.",
        kernels: Kernels::real::<b::PolygammaStep, 3>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("polygamma: not differentiable in the order of a difference"),
            |x, _| E::call(&POLYGAMMA_STEP, [&(&x[0] + 1.0), &x[1], &x[2]]),
            |x, _| Sum::new(&x[1], &x[2]).polygamma(&(&x[0] + 1.0)),
        ]),
        namespace: "-",
    }
    BETAINC {
        name: "betainc",
        args: &["a", "b", "x"],
        doc: "Regularized incomplete beta function I_x(a, b) (DLMF 8.17.2).

Differentiable in all arguments; third derivatives in ``a`` and ``b`` raise NotImplementedError.",
        example: ">>> sa.special.betainc(2.0, 3.0, sa.asarray([0.25, 0.5]))
                  array([0.26171875, 0.6875    ])",
        reference: "scipy.special.betainc",
        kernels: Kernels::real::<b::Betainc, 3>(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&BETAINC_DA, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&BETAINC_DB, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&BETAINC_DX, [&x[0], &x[1], &x[2]]),
        ]),
        domain: &[(0.3, 20.0), (0.3, 20.0), (0.0, 1.0)],
        namespace: "special",
    }
    BETAINCC {
        name: "betaincc",
        args: &["a", "b", "x"],
        doc: "Complement ``1 - betainc(a, b, x)`` without cancellation.

Differentiable in all arguments; third derivatives in ``a`` and ``b`` raise NotImplementedError.",
        example: ">>> sa.special.betaincc(2.0, 3.0, sa.asarray([0.25, 0.5]))
                  array([0.73828125, 0.3125    ])",
        reference: "scipy.special.betaincc",
        kernels: Kernels::real::<b::Betaincc, 3>(),
        rule: RowRule::Partials(&[
            |x, _| -E::call(&BETAINC_DA, [&x[0], &x[1], &x[2]]),
            |x, _| -E::call(&BETAINC_DB, [&x[0], &x[1], &x[2]]),
            |x, _| -E::call(&BETAINC_DX, [&x[0], &x[1], &x[2]]),
        ]),
        domain: &[(0.3, 20.0), (0.3, 20.0), (0.0, 1.0)],
        namespace: "special",
    }
    BETAINC_DA {
        name: "betainc_da",
        args: &["a", "b", "x"],
        doc: "Derivative of I_x(a, b) in ``a``.",
        kernels: Kernels::real::<b::BetaincDa, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&BETAINC_DAA, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&BETAINC_DAB, [&x[0], &x[1], &x[2]]),
            |x, _| density_slope(x, [true, false], |[a, b, x]| score_a(a, b, x)),
        ]),
        namespace: "-",
    }
    BETAINC_DB {
        name: "betainc_db",
        args: &["a", "b", "x"],
        doc: "Derivative of I_x(a, b) in ``b``.",
        kernels: Kernels::real::<b::BetaincDb, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&BETAINC_DAB, [&x[0], &x[1], &x[2]]),
            |x, _| E::call(&BETAINC_DBB, [&x[0], &x[1], &x[2]]),
            |x, _| density_slope(x, [false, true], |[a, b, x]| score_b(a, b, x)),
        ]),
        namespace: "-",
    }
    BETAINC_DAA {
        name: "betainc_daa",
        args: &["a", "b", "x"],
        doc: "Second derivative of I_x(a, b) in ``a``.",
        kernels: Kernels::real::<b::BetaincDaa, 3>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported(THIRD),
            |_, _| unsupported(THIRD),
            |x, _| density_slope(x, [true, false], |[a, b, x]| E::call(&super::SQUARE, [&score_a(a, b, x)]) + step(1, a, b)),
        ]),
        namespace: "-",
    }
    BETAINC_DAB {
        name: "betainc_dab",
        args: &["a", "b", "x"],
        doc: "Second derivative of I_x(a, b) in ``a`` and ``b``.",
        kernels: Kernels::real::<b::BetaincDab, 3>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported(THIRD),
            |_, _| unsupported(THIRD),
            |x, _| density_slope(x, [true, true], |[a, b, x]| {
                score_a(a, b, x) * score_b(a, b, x) + E::call(&super::POLYGAMMA, [&a.lit(1.0), &(a + b)])
            }),
        ]),
        namespace: "-",
    }
    BETAINC_DBB {
        name: "betainc_dbb",
        args: &["a", "b", "x"],
        doc: "Second derivative of I_x(a, b) in ``b``.",
        kernels: Kernels::real::<b::BetaincDbb, 3>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported(THIRD),
            |_, _| unsupported(THIRD),
            |x, _| density_slope(x, [false, true], |[a, b, x]| E::call(&super::SQUARE, [&score_b(a, b, x)]) + step(1, b, a)),
        ]),
        namespace: "-",
    }
    BETAINC_DX {
        name: "betainc_dx",
        args: &["a", "b", "x"],
        doc: "Derivative of I_x(a, b) in ``x``: the density of the beta distribution.",
        kernels: Kernels::real::<b::BetaincDx, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| density_slope(x, [true, false], |[a, b, x]| score_a(a, b, x)),
            |x, _| density_slope(x, [false, true], |[a, b, x]| score_b(a, b, x)),
            |x, y| {
                let [a, b, at] = [&x[0], &x[1], &x[2]];
                let usual = damped(y, log_density_dx(a, b, at, &(1.0 - at)));
                let start = |a: &E, b: &E, usual: &E| power_slope(a, &((1.0 - b) * b), &(b * (b + 1.0)), usual);
                let end = E::call(&super::WHERE, [&equals(at, 1.0), &-start(b, a, &-&usual), &usual]);
                E::call(&super::WHERE, [&equals(at, 0.0), &start(a, b, &usual), &end])
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BETA_PACE {
        name: "beta_pace",
        args: &["a", "b", "x"],
        doc: "How fast the quantile ``x`` of the beta distribution moves with its probability.",
        kernels: Kernels::real::<b::BetaPace, 3>().narrow(),
        rule: RowRule::Partials(&[
            |x, y| -y * score_a(&x[0], &x[1], &x[2]),
            |x, y| -y * score_b(&x[0], &x[1], &x[2]),
            |x, y| -y * log_density_dx(&x[0], &x[1], &x[2], &(1.0 - &x[2])),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BETA_DRIFT {
        name: "beta_drift",
        args: &["a", "b", "x", "y"],
        doc: "How fast the quantile ``x`` of the beta distribution moves with ``a``, given ``y = 1 - x``; NaN where ``a`` is small or ``x`` far from the mode.",
        kernels: Kernels::real::<b::BetaDrift, 4>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&BETA_DRIFT_DA, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&BETA_DRIFT_DB, [&x[0], &x[1], &x[2], &x[3]]),
            |x, _| E::call(&BETA_DRIFT_DX, [&x[0], &x[1], &x[2], &x[3]]),
            with_x,
        ]),
        namespace: "-",
    }
    BETA_DRIFT_DA {
        name: "beta_drift_da",
        args: &["a", "b", "x", "y"],
        doc: "Derivative of beta_drift in ``a``.",
        kernels: Kernels::real::<b::BetaDriftDa, 4>().narrow(),
        rule: RowRule::Partials(&[third_of_quantile, third_of_quantile, drift_dax, with_x]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BETA_DRIFT_DB {
        name: "beta_drift_db",
        args: &["a", "b", "x", "y"],
        doc: "Derivative of beta_drift in ``b``.",
        kernels: Kernels::real::<b::BetaDriftDb, 4>().narrow(),
        rule: RowRule::Partials(&[third_of_quantile, third_of_quantile, drift_dbx, with_x]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BETA_DRIFT_DX {
        name: "beta_drift_dx",
        args: &["a", "b", "x", "y"],
        doc: "Derivative of beta_drift in ``x``.",
        kernels: Kernels::real::<b::BetaDriftDx, 4>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| drift_dax(x, &E::call(&BETA_DRIFT_DA, [&x[0], &x[1], &x[2], &x[3]])),
            |x, _| drift_dbx(x, &E::call(&BETA_DRIFT_DB, [&x[0], &x[1], &x[2], &x[3]])),
            |x, y| {
                let bend = (&x[0] - 1.0) / (&x[2] * &x[2]) + (&x[1] - 1.0) / (&x[3] * &x[3]);
                bend * drift(x) - log_density_dx(&x[0], &x[1], &x[2], &x[3]) * y - 1.0 / &x[2]
            },
            with_x,
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    BETA_END {
        name: "beta_end",
        args: &["k", "a", "b", "p", "x"],
        doc: "Slope in ``p`` of a quantile ``x`` of the beta distribution at an end (``k`` = 0), and its derivatives in ``p``, ``a`` and ``b`` (1 to 3).",
        kernels: Kernels::real::<b::BetaEnd, 5>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("betaincinv: the number of a derivative is not differentiable"),
            |x, _| end_derivative(2.0, x),
            |x, _| end_derivative(3.0, x),
            |x, _| end_derivative(1.0, x),
            |x, _| x[0].lit(0.0),
        ]),
        namespace: "-",
    }
    BETAINCINV {
        name: "betaincinv",
        args: &["a", "b", "p"],
        doc: "The ``x`` with ``betainc(a, b, x) = p``, differentiable in all arguments, twice in ``a`` and ``b``.",
        example: ">>> sa.special.betaincinv(2.0, 3.0, sa.asarray([0.25, 0.5]))
                  array([0.24302208, 0.38572757])",
        reference: "scipy.special.betaincinv",
        kernels: Kernels::real::<b::Betaincinv, 3>(),
        rule: RowRule::Partials(&[
            |x, y| beta_speed([&x[0], &x[1]], [y, &rest(&BETAINCCINV, x)]),
            |x, y| -beta_speed([&x[1], &x[0]], [&rest(&BETAINCCINV, x), y]),
            |x, y| beta_pace([&x[0], &x[1]], &x[2], [y, &rest(&BETAINCCINV, x)]),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_finite(&[0, 1])],
        domain: &[(0.5, 20.0), (0.5, 20.0), (0.0, 1.0)],
        namespace: "special",
    }
    BETAINCCINV {
        name: "betainccinv",
        args: &["a", "b", "q"],
        doc: "The ``x`` with ``betaincc(a, b, x) = q``, differentiable in all arguments, twice in ``a`` and ``b``.",
        example: ">>> sa.special.betainccinv(2.0, 3.0, sa.asarray([0.25, 0.5]))
                  array([0.54367829, 0.38572757])",
        reference: "scipy.special.betainccinv",
        kernels: Kernels::real::<b::Betainccinv, 3>(),
        rule: RowRule::Partials(&[
            |x, y| beta_speed([&x[0], &x[1]], [y, &rest(&BETAINCINV, x)]),
            |x, y| -beta_speed([&x[1], &x[0]], [&rest(&BETAINCINV, x), y]),
            |x, y| -beta_pace([&x[0], &x[1]], &-&x[2], [y, &rest(&BETAINCINV, x)]),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_finite(&[0, 1])],
        domain: &[(0.5, 20.0), (0.5, 20.0), (0.0, 1.0)],
        namespace: "special",
    }
    STDTR {
        name: "stdtr",
        args: &["df", "t"],
        doc: "Distribution function of Student's t with ``df`` degrees of freedom, accurate in the left tail.",
        example: ">>> sa.special.stdtr(3.0, sa.asarray([0.0, -2.0]))
                  array([0.5       , 0.06966298])",
        reference: "scipy.special.stdtr",
        kernels: Kernels::real::<b::Stdtr, 2>(),
        rule: RowRule::Partials(&[
            |x, _| fading(&x[1], |t| student_df(&x[0], t)),
            |x, _| fading(&x[1], |t| student_density(&x[0], t)),
        ]),
        domain: &[(0.5, 50.0), (-20.0, 20.0)],
        namespace: "special",
    }
    STUDENT_DRIFT {
        name: "student_drift",
        args: &["df", "t"],
        doc: "How fast the quantile of Student's t moves with the degrees of freedom, NaN where those are few beside it.",
        kernels: Kernels::real::<b::StudentDrift, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&STUDENT_DRIFT_DN, [&x[0], &x[1]]),
            |x, _| E::call(&STUDENT_DRIFT_DT, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    STUDENT_DRIFT_DN {
        name: "student_drift_dn",
        args: &["df", "t"],
        doc: "Derivative of student_drift in the degrees of freedom.",
        kernels: Kernels::real::<b::StudentDriftDn, 2>().narrow(),
        rule: RowRule::Partials(&[third_of_student, third_of_student]),
        namespace: "-",
    }
    STUDENT_DRIFT_DT {
        name: "student_drift_dt",
        args: &["df", "t"],
        doc: "Derivative of student_drift in ``t``.",
        kernels: Kernels::real::<b::StudentDriftDt, 2>().narrow(),
        rule: RowRule::Partials(&[third_of_student, |x, y| {
            // Of the equation at the head of drift.rs
            let (df, t) = (&x[0], &x[1]);
            let w = t * t / df;
            let below = 1.0 / (1.0 + &w);
            let more = 1.0 + 1.0 / df;
            let score = (t / df) * &below * (&more * &below - 1.0);
            let bend = &more * (1.0 - w) * &below * &below;
            bend * E::call(&STUDENT_DRIFT, [df, t]) + more * t * below * y - score
        }]),
        saves: Saves::ALL,
        namespace: "-",
    }
    STDTRIT {
        name: "stdtrit",
        args: &["df", "p"],
        doc: "Inverse of ``stdtr`` in ``t``.",
        example: ">>> sa.special.stdtrit(3.0, sa.asarray([0.5, 0.975]))
                  array([0.        , 3.18244631])",
        reference: "scipy.special.stdtrit",
        kernels: Kernels::real::<b::Stdtrit, 2>(),
        rule: RowRule::Partials(&[
            |x, y| student_speed(&x[0], y),
            |x, y| 1.0 / student_density(&x[0], y),
        ]),
        saves: Saves::ALL,
        domain: &[(0.5, 50.0), (1e-6, 0.99)],
        namespace: "special",
    }
    STDTRIDF {
        name: "stdtridf",
        args: &["p", "t"],
        doc: "Inverse of ``stdtr`` in ``df``, differentiable in both arguments; NaN where no ``df`` gives ``p``.",
        example: ">>> sa.special.stdtridf(sa.asarray([0.1, 0.04]), -2.0)
                  array([1.76734645, 8.11739495])",
        reference: "scipy.special.stdtridf",
        kernels: Kernels::real::<b::Stdtridf, 2>(),
        rule: RowRule::Partials(&[
            |x, y| 1.0 / student_df(y, &x[1]),
            |x, y| -(student_density(y, &x[1]) / student_df(y, &x[1])),
        ]),
        saves: Saves::ALL,
        domain: &[(0.1, 0.2), (-3.0, -1.5)],
        namespace: "special",
    }
}

/// `1 - x` of the quantile `x` at a row of parameters and probability, to the last digit, by the other quantile.
fn rest(other: &'static super::Elementwise, of: &[E]) -> E {
    E::call(other, [&of[1], &of[0], &of[2]])
}

/// The smaller part of a quantile, 1/2 where that is 0, with the parameters that belong to it; whether it is the first part, and
/// whether it is 0.
fn smaller([a, b]: [&E; 2], [x, y]: [&E; 2]) -> ([E; 3], [E; 2]) {
    let first = E::call(&super::LESS, [x, y]);
    let pick = |p: &E, q: &E| E::call(&super::WHERE, [&first, p, q]);
    let part = pick(x, y);
    let at_end = equals(&part, 0.0);
    let inside = E::call(&super::WHERE, [&at_end, &x.lit(0.5), &part]);
    ([pick(a, b), pick(b, a), inside], [first, at_end])
}

/// How fast the quantile `x` moves with its probability `p`, from above if that is negative, from the parameters and both parts.
fn beta_pace([a, b]: [&E; 2], p: &E, parts: [&E; 2]) -> E {
    let (inside, [first, at_end]) = smaller([a, b], parts);
    let end = E::call(&BETA_END, [&a.lit(0.0), a, b, p, &parts[0].map(ops::detach)]);
    let above = E::call(&super::LESS, [p, &p.lit(0.0)]);
    let size = E::call(&super::ABS, [p]);
    let share = E::call(&super::WHERE, [&E::call(&super::EQUAL, [&first, &above]), &(1.0 - &size), &size]);
    let next = &inside[2] / (&inside[0] * share);
    let low = E::call(&super::LESS, [&inside[2], &p.lit(SMALLEST_QUANTILE)]);
    let out = E::call(&super::WHERE, [&low, &next, &E::call(&BETA_PACE, inside.each_ref())]);
    E::call(&super::WHERE, [&at_end, &end, &out])
}

/// The derivative of a row of [`BETA_END`]; there are no second ones.
fn end_derivative(number: f64, x: &[E]) -> E {
    E::call(&BETA_END, [&(10.0 * &x[0] + number), &x[1], &x[2], &x[3], &x[4]])
}

/// How fast the quantile `x` moves with `a`, from both parts; with `b` `1 - x` moves so with the parameters exchanged.
fn beta_speed([a, b]: [&E; 2], [x, y]: [&E; 2]) -> E {
    let (inside, [first, at_end]) = smaller([a, b], [x, y]);
    let [p, q, z] = &inside;
    let change = E::call(&super::WHERE, [&first, &-E::call(&BETAINC_DA, [p, q, z]), &E::call(&BETAINC_DB, [p, q, z])]);
    let usual = change * E::call(&BETA_PACE, [p, q, z]);
    let off = |part: &E| E::call(&super::WHERE, [&at_end, &x.lit(0.5), part]);
    let usual = or_usual(E::call(&BETA_DRIFT, [a, b, &off(x), &off(y)]), &usual);
    at_ends(a, b, x, y, &usual)
}

/// The speed of a quantile `x` in `a`, given `y = 1 - x`: in the tail at 0 like that of a power of `x`, in the tail at 1 proportional to
/// `y`.
fn at_ends(a: &E, b: &E, x: &E, y: &E, usual: &E) -> E {
    let low = |part: &E| E::call(&super::LESS, [part, &part.lit(SMALLEST_QUANTILE)]);
    let at_end = y * step(0, a, b) / b;
    let out = E::call(&super::WHERE, [&low(y), &at_end, usual]);
    let next = (E::call(&super::ENTR, [x]) - x * step(0, &(a + 1.0), &(b - 1.0))) / a;
    let out = E::call(&super::WHERE, [&low(x), &next, &out]);
    E::call(&super::WHERE, [&equals(x, 0.0), &start_speed(a, x), &out])
}

/// A value by an expansion, the usual one where that does not hold.
fn or_usual(expanded: E, usual: &E) -> E {
    E::call(&super::WHERE, [&E::call(&super::ISNAN, [&expanded]), usual, &expanded])
}

/// Derivatives in `x` move `1 - x` along.
fn with_x(x: &[E], _: &E) -> E {
    x[3].lit(0.0)
}

fn third_of_quantile(_: &[E], _: &E) -> E {
    unsupported("betaincinv: third derivatives in a and b are not available")
}

fn drift(x: &[E]) -> E {
    E::call(&BETA_DRIFT, [&x[0], &x[1], &x[2], &x[3]])
}

/// d/dx of the logarithm of the beta density.
fn log_density_dx(a: &E, b: &E, x: &E, y: &E) -> E {
    (a - 1.0) / x - (b - 1.0) / y
}

/// The mixed derivative of [`BETA_DRIFT`] in `a` and `x` from that in `a`, by the equation that its body solves.
fn drift_dax(x: &[E], in_a: &E) -> E {
    -step(1, &x[0], &x[1]) - drift(x) / &x[2] - log_density_dx(&x[0], &x[1], &x[2], &x[3]) * in_a
}

/// The same in `b` and `x` from that in `b`.
fn drift_dbx(x: &[E], in_b: &E) -> E {
    let curvature = E::call(&super::POLYGAMMA, [&x[0].lit(1.0), &(&x[0] + &x[1])]);
    drift(x) / &x[3] - curvature - log_density_dx(&x[0], &x[1], &x[2], &x[3]) * in_b
}

/// The density of Student's t, the normal one for infinitely many degrees of freedom.
fn student_density(df: &E, t: &E) -> E {
    let far = equals(df, f64::INFINITY);
    let df = &E::call(&super::WHERE, [&far, &df.lit(1.0), df]);
    let log = E::call(&super::LOG1P, [&(t * t / df)]);
    let exponent = -0.5 * (df + 1.0) * log - E::call(&BETALN, [&df.lit(0.5), &(0.5 * df)]);
    let usual = E::call(&super::EXP, [&exponent]) / E::call(&super::SQRT, [df]);
    E::call(&super::WHERE, [&far, &normal_density(t), &usual])
}

/// d/ddf of the distribution function.
fn student_df(df: &E, t: &E) -> E {
    zero_beyond(&equals(df, f64::INFINITY), df, |df| {
        let density = student_density(df, t);
        or_usual(-(&density * E::call(&STUDENT_DRIFT, [df, t])), &usual_student_df(df, t, &density))
    })
}

/// How fast the quantile `t` moves with the degrees of freedom.
fn student_speed(df: &E, t: &E) -> E {
    zero_beyond(&equals(df, f64::INFINITY), df, |df| {
        let density = student_density(df, t);
        or_usual(E::call(&STUDENT_DRIFT, [df, t]), &-(usual_student_df(df, t, &density) / &density))
    })
}

/// d/ddf of `I_x(df/2, 1/2)`, `x = df/(df + t^2)`, and that of `x`; of the complement where that is small, and next to `t = 0` what is
/// linear in it.
fn usual_student_df(df: &E, t: &E, density: &E) -> E {
    let (a, half, square) = (0.5 * df, &df.lit(0.5), t * t);
    let near = &E::call(&super::LESS, [&square, &(0.03 * df)]);
    let y = E::call(&super::WHERE, [near, &(&square / (df + &square)), half]);
    let x = E::call(&super::WHERE, [near, half, &(1.0 / (1.0 + &square / df))]);
    let (upper, lower) = (E::call(&BETAINC_DB, [half, &a, &y]), E::call(&BETAINC_DA, [&a, half, &x]));
    let in_a = E::call(&super::WHERE, [near, &-upper, &lower]);
    let usual = -0.25 * E::call(&super::SIGN, [t]) * in_a - 0.5 * t * density / df;
    let linear = t * density * (0.5 * step(0, &a, half) - 0.5 / df);
    E::call(&super::WHERE, [&E::call(&super::LESS, [&square, &(1e-18 * df)]), &linear, &usual])
}

fn third_of_student(_: &[E], _: &E) -> E {
    unsupported("stdtr: third derivatives in df are not available")
}

/// `psi^(n)(a + b) - psi^(n)(a)`.
fn step(n: u32, a: &E, b: &E) -> E {
    E::call(&POLYGAMMA_STEP, [&a.lit(f64::from(n)), a, b])
}

/// The third derivative in `a`, from the second one.
fn beta_third(a: &E, b: &E, second: &E) -> E {
    let [first, bend, rest] = [0, 1, 2].map(|n| step(n, a, b));
    E::call(&BETA, [a, b]) * (2.0 * &first * bend - rest) - first * second
}

/// The third derivative, twice in `a`.
fn beta_third_mixed(a: &E, b: &E) -> E {
    let sum = a + b;
    let [first, second] = [1.0, 2.0].map(|n| E::call(&super::POLYGAMMA, [&sum.lit(n), &sum]));
    let rest = step(0, b, a) * E::call(&BETA_DAA, [a, b]);
    E::call(&BETA, [a, b]) * (2.0 * step(0, a, b) * first - second) - rest
}

/// The beta density times a factor that the parameters chosen, where they are 0, make infinite.
fn density_slope(x: &[E], moved: [bool; 2], factor: impl Fn([&E; 3]) -> E) -> E {
    let [a, b] = [0, 1].map(|i| if moved[i] { beside_zero(&x[i]) } else { x[i].clone() });
    damped(&E::call(&BETAINC_DX, [&a, &b, &x[2]]), factor([&a, &b, &x[2]]))
}

/// d/da of the logarithm of the beta density: `log(x) - digamma(a) + digamma(a + b)`.
fn score_a(a: &E, b: &E, x: &E) -> E {
    E::call(&super::LOG, [x]) + step(0, a, b)
}

/// The same for `b`: `log(1 - x) - digamma(b) + digamma(a + b)`.
fn score_b(a: &E, b: &E, x: &E) -> E {
    E::call(&super::LOG1P, [&-x]) + step(0, b, a)
}
