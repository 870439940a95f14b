//! Special values and a few exact ones; accuracy at large is measured by `tests/accuracy/check_elementary.py`.

use super::*;
use crate::real::Real;
use crate::testing::{points, same_bits};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const TINY: f64 = 5e-324;

/// Equal values with equal signs of zero; a NaN equals a NaN.
fn check(name: &str, f: impl Fn(f64) -> f64, cases: &[(f64, f64)]) {
    for &(x, want) in cases {
        let got = f(x);
        let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
        assert!(same, "{name}({x:e}) is {got:e}, not {want:e}");
    }
}

fn check2(name: &str, f: impl Fn(f64, f64) -> f64, cases: &[(f64, f64, f64)]) {
    for &(x, y, want) in cases {
        check(name, |x| f(x, y), &[(x, want)]);
    }
}

#[test]
fn exponentials() {
    check("exp", exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1e300, INF), (-1e300, 0.0)]);
    check(
        "exp",
        exp,
        &[(709.782712893384, 1.7976931348622732e308), (709.7827128933841, INF), (-745.1332191019411, TINY)],
    );
    check("exp2", exp2, &[(1023.0, 2f64.powi(1023)), (1024.0, INF), (-1074.0, TINY), (-1075.5, 0.0), (NAN, NAN)]);
    check("exp10", exp10, &[(22.0, 1e22), (-3.0, 1e-3), (308.5, INF), (-INF, 0.0), (INF, INF), (NAN, NAN)]);
    check(
        "expm1",
        expm1,
        &[(0.0, 0.0), (-0.0, -0.0), (TINY, TINY), (-INF, -1.0), (-50.0, -1.0), (INF, INF), (NAN, NAN)],
    );
}

#[test]
fn scaling_rounds_once() {
    for (i, x) in points()[0].iter().enumerate() {
        let significand = if x.is_finite() { x.rem_euclid(1.0) + 0.5 } else { *x };
        for v in [significand, -significand, 0.0, -0.0] {
            let k = -((i % 1200) as f64);
            let (got, want) = (v.scale(k), v.scale_plainly(k));
            assert!(same_bits(got, want), "{v:e} * 2^{k} is {got:e}, not {want:e}");
        }
    }
}

#[test]
fn logarithms() {
    for (name, f) in [("log", log::<f64> as fn(f64) -> f64), ("log2", log2), ("log10", log10)] {
        check(
            name,
            f,
            &[(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (-TINY, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
        );
    }
    check("log", log, &[(TINY, -744.4400719213812), (f64::MAX, 709.782712893384)]);
    for k in -1074..1024 {
        let x = exp2(f64::from(k));
        assert_eq!(log2(x), f64::from(k));
    }
    for k in 0..23 {
        assert_eq!(log10(10f64.powi(k)), f64::from(k));
    }
    check("log1p", log1p, &[(0.0, 0.0), (-0.0, -0.0), (TINY, TINY), (-1.0, -INF), (-1.5, NAN), (INF, INF), (NAN, NAN)]);
}

#[test]
fn circular_functions() {
    let nowhere = [(INF, NAN), (-INF, NAN), (NAN, NAN)];
    for (name, f) in [("sin", sin::<f64> as fn(f64) -> f64), ("tan", tan), ("sinpi", sinpi), ("tanpi", tanpi)] {
        check(name, f, &[(0.0, 0.0), (-0.0, -0.0)]);
        check(name, f, &nowhere);
    }
    check("cos", cos, &[(0.0, 1.0), (-0.0, 1.0), (TINY, 1.0)]);
    check("cos", cos, &nowhere);
    // The double that comes closest to a multiple of pi/2 (J.-M. Muller, "Elementary Functions", section 11.2).
    let closest = 6381956970095103.0 * 2f64.powi(797);
    check("cos", cos, &[(closest, -4.687165924254628e-19)]);
    check("sin", sin, &[(1e22, -0.8522008497671888), (f64::MAX, 0.004961954789184062)]);
    check(
        "sinpi",
        sinpi,
        &[(1.0, 0.0), (-1.0, -0.0), (0.5, 1.0), (-2.5, -1.0), (1e300, 0.0), (4503599627370497.0, 0.0)],
    );
    check(
        "cospi",
        cospi,
        &[(0.5, 0.0), (-1.5, 0.0), (1.0, -1.0), (2.0, 1.0), (4503599627370497.0, -1.0), (1e300, 1.0)],
    );
    check("tanpi", tanpi, &[(1.0, -0.0), (2.0, 0.0), (-1.0, 0.0), (-2.0, -0.0), (0.5, INF), (1.5, -INF), (-0.5, -INF)]);
    check("sinc", sinc, &[(0.0, 1.0), (1.0, 0.0), (-7.0, 0.0), (1e200, 0.0), (INF, NAN), (NAN, NAN), (TINY, 1.0)]);
    for x in [0.3, -2.0, 1e5, 1e18, -1e300] {
        assert_eq!(sin_cos(x), (sin(x), cos(x)));
    }
}

#[test]
fn inverse_circular_functions() {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    check(
        "asin",
        asin,
        &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_2), (-1.0, -FRAC_PI_2), (1.5, NAN), (NAN, NAN), (TINY, TINY)],
    );
    check("acos", acos, &[(1.0, 0.0), (-1.0, PI), (0.0, FRAC_PI_2), (-1.5, NAN), (INF, NAN), (NAN, NAN)]);
    check(
        "atan",
        atan,
        &[(0.0, 0.0), (-0.0, -0.0), (INF, FRAC_PI_2), (-INF, -FRAC_PI_2), (1.0, FRAC_PI_4), (NAN, NAN)],
    );
    let (three_quarters, half) = (2.356194490192345, FRAC_PI_2);
    check2("atan2", atan2, &[(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -0.0, PI), (-0.0, -0.0, -PI), (0.0, -1.0, PI)]);
    check2(
        "atan2",
        atan2,
        &[(1.0, 0.0, half), (-1.0, -0.0, -half), (1.0, INF, 0.0), (-1.0, -INF, -PI), (INF, 1.0, half)],
    );
    check2("atan2", atan2, &[(INF, INF, FRAC_PI_4), (-INF, -INF, -three_quarters), (NAN, 1.0, NAN), (1.0, NAN, NAN)]);
    check2("atan2", atan2, &[(TINY, 1.0, TINY), (TINY, -TINY, three_quarters), (f64::MAX, f64::MAX, FRAC_PI_4)]);
}

#[test]
fn hyperbolic_functions() {
    for (name, f) in [("sinh", sinh::<f64> as fn(f64) -> f64), ("asinh", asinh)] {
        check(name, f, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (TINY, TINY)]);
    }
    check("sinh", sinh, &[(711.0, INF), (-711.0, -INF), (710.4758600739439, 1.7976931348621744e308)]);
    check("cosh", cosh, &[(0.0, 1.0), (INF, INF), (-INF, INF), (-711.0, INF), (NAN, NAN)]);
    check("tanh", tanh, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (20.0, 1.0), (NAN, NAN), (TINY, TINY)]);
    check("acosh", acosh, &[(1.0, 0.0), (0.5, NAN), (-INF, NAN), (INF, INF), (NAN, NAN), (f64::MAX, 710.475860073944)]);
    check("atanh", atanh, &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN), (NAN, NAN)]);
}

#[test]
fn powers_and_roots() {
    check2(
        "pow",
        pow,
        &[(NAN, 0.0, 1.0), (1.0, NAN, 1.0), (NAN, 1.0, NAN), (2.0, NAN, NAN), (0.0, 0.0, 1.0), (-1.0, INF, 1.0)],
    );
    check2("pow", pow, &[(0.0, -1.0, INF), (-0.0, -1.0, -INF), (-0.0, -2.0, INF), (-0.0, 3.0, -0.0), (-0.0, 0.5, 0.0)]);
    check2("pow", pow, &[(0.5, INF, 0.0), (0.5, -INF, INF), (2.0, INF, INF), (2.0, -INF, 0.0), (-0.5, -INF, INF)]);
    check2("pow", pow, &[(INF, 2.0, INF), (INF, -2.0, 0.0), (-INF, 3.0, -INF), (-INF, -3.0, -0.0), (-INF, 0.5, INF)]);
    check2(
        "pow",
        pow,
        &[(-8.0, 3.0, -512.0), (-8.0, 1.0 / 3.0, NAN), (2.0, -1074.0, TINY), (2.0, 1024.0, INF), (10.0, 22.0, 1e22)],
    );
    check2(
        "pow",
        pow,
        &[(-1.0, 9007199254740993.0, 1.0), (-1.0, 4503599627370497.0, -1.0), (-2.0, -1025.0, -2f64.powi(-1025))],
    );
    check(
        "cbrt",
        cbrt,
        &[(0.0, 0.0), (-0.0, -0.0), (27.0, 3.0), (-1e-300, -1e-100), (INF, INF), (-INF, -INF), (NAN, NAN)],
    );
    check(
        "rsqrt",
        rsqrt,
        &[
            (0.0, INF),
            (-0.0, -INF),
            (4.0, 0.5),
            (INF, 0.0),
            (-1.0, NAN),
            (NAN, NAN),
            (2f64.powi(-1074), 2f64.powi(537)),
        ],
    );
    check2(
        "hypot",
        hypot,
        &[(3.0, -4.0, 5.0), (INF, NAN, INF), (NAN, -INF, INF), (NAN, 0.0, NAN), (0.0, -0.0, 0.0), (TINY, 0.0, TINY)],
    );
    check2(
        "hypot",
        hypot,
        &[(3e300, 4e300, 5e300), (f64::MAX, f64::MAX, INF), (f64::MAX, 1.0, f64::MAX), (3e-320, 4e-320, 5e-320)],
    );
}

#[test]
fn logistic_functions() {
    check("expit", expit, &[(0.0, 0.5), (INF, 1.0), (-INF, 0.0), (40.0, 1.0), (NAN, NAN), (-745.0, TINY)]);
    check("softplus", softplus, &[(INF, INF), (-INF, 0.0), (NAN, NAN), (1e300, 1e300), (0.0, std::f64::consts::LN_2)]);
    check("log_expit", log_expit, &[(INF, -0.0), (-INF, -INF), (NAN, NAN), (-1e300, -1e300)]);
    check2(
        "logaddexp",
        logaddexp,
        &[(INF, INF, INF), (-INF, -INF, -INF), (INF, -INF, INF), (NAN, 0.0, NAN), (-INF, 3.0, 3.0)],
    );
    check2(
        "logaddexp2",
        logaddexp2,
        &[(1023.0, 1023.0, 1024.0), (-INF, -INF, -INF), (0.0, NAN, NAN), (5.0, -2000.0, 5.0)],
    );
}

#[test]
fn remainders_and_neighbours() {
    check2(
        "fmod",
        fmod,
        &[(5.5, 2.0, 1.5), (-5.5, 2.0, -1.5), (-4.0, 2.0, -0.0), (1.0, INF, 1.0), (1.0, 0.0, NAN), (INF, 1.0, NAN)],
    );
    check2(
        "remainder",
        remainder,
        &[(5.5, -2.0, -0.5), (-5.5, 2.0, 0.5), (4.0, -2.0, -0.0), (-1.0, INF, INF), (1.0, NAN, NAN)],
    );
    check2(
        "floor_divide",
        floor_divide,
        &[(5.5, 2.0, 2.0), (-5.5, 2.0, -3.0), (1.0, 0.1, 9.0), (1.0, 0.0, INF), (-0.0, 1.0, -0.0)],
    );
    for (x, y) in
        [(f64::MAX, 3.0), (f64::MAX, TINY), (1e300, 7e-300), (123456789.0, 1e-9), (TINY, f64::MAX), (1e17, 3.7)]
    {
        // The operator is the exact remainder.
        check2("fmod", fmod, &[(x, y, x % y), (-x, y, -x % y), (y, x, y % x)]);
    }
    check2(
        "nextafter",
        nextafter,
        &[(0.0, 1.0, TINY), (0.0, -1.0, -TINY), (TINY, 0.0, 0.0), (-TINY, 1.0, -0.0), (1.0, 1.0, 1.0)],
    );
    check2("nextafter", nextafter, &[(f64::MAX, INF, INF), (INF, 0.0, f64::MAX), (0.0, -0.0, -0.0), (1.0, NAN, NAN)]);
    check2(
        "ldexp",
        ldexp,
        &[(1.0, -1074.0, TINY), (TINY, 2097.0, 2f64.powi(1023)), (1.5, -1074.0, 2.0 * TINY), (1.25, -1074.0, TINY)],
    );
    check2(
        "ldexp",
        ldexp,
        &[(f64::MAX, -2097.0, 2.0 * TINY), (1.0, 1e9, INF), (-1.0, -1e9, -0.0), (INF, -5.0, INF), (0.0, 9e9, 0.0)],
    );
}
