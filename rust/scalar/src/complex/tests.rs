//! Annex G of C99: zeros with their signs, infinities and NaN; branch cuts continuous with the side of the signed zero.

use super::*;
use std::f64::consts::{FRAC_PI_2 as HALF_PI, FRAC_PI_4 as QUARTER_PI, LN_2, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
type Z = (f64, f64);

fn same(got: f64, want: f64, signed: bool) -> bool {
    if want.is_nan() {
        return got.is_nan();
    }
    let close = got == want || (got - want).abs() <= 4.0 * f64::EPSILON * want.abs();
    close && (!signed || got.is_sign_negative() == want.is_sign_negative())
}

/// Checks `f` at each point, and by its symmetry at the conjugate.
fn check(name: &str, f: fn(Complex<f64>) -> Complex<f64>, cases: &[(Z, Z)]) {
    for &((x, y), (u, v)) in cases {
        for side in [1.0, -1.0] {
            let got = f(Complex::new(x, side * y));
            // Where a part of the argument is NaN, or a direction is lost, the sign of a zero or infinity is unspecified.
            let signed = !x.is_nan() && !y.is_nan() && !u.is_nan() && !v.is_nan();
            assert!(
                same(got.re, u, signed) && same(got.im, side * v, signed) || (!signed && loose(got, u, v)),
                "{name}({x} + {}i) = {got:?}, expected {u} + {}i",
                side * y,
                side * v
            );
        }
    }
}

fn loose(got: Complex<f64>, u: f64, v: f64) -> bool {
    same(got.re.abs(), u.abs(), false) && same(got.im.abs(), v.abs(), false)
}

#[test]
fn exponentials_at_the_edges() {
    check(
        "exp",
        exp,
        &[
            ((0.0, 0.0), (1.0, 0.0)),
            ((-0.0, 0.0), (1.0, 0.0)),
            ((1.0, INF), (NAN, NAN)),
            ((1.0, NAN), (NAN, NAN)),
            ((INF, 0.0), (INF, 0.0)),
            ((-INF, 1.0), (0.0, 0.0)),
            ((-INF, 2.0), (-0.0, 0.0)),
            ((INF, 1.0), (INF, INF)),
            ((INF, 2.0), (-INF, INF)),
            ((-INF, INF), (0.0, 0.0)),
            ((INF, INF), (INF, NAN)),
            ((-INF, NAN), (0.0, 0.0)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, 0.0), (NAN, 0.0)),
            ((NAN, 1.0), (NAN, NAN)),
        ],
    );
    check(
        "expm1",
        expm1,
        &[
            ((0.0, 0.0), (0.0, 0.0)),
            ((-0.0, 0.0), (0.0, 0.0)),
            ((-INF, 1.0), (-1.0, 0.0)),
            ((INF, 0.0), (INF, 0.0)),
            ((-INF, NAN), (-1.0, 0.0)),
        ],
    );
    // The modulus overflows alone, the product with the cosine does not.
    let z = exp(Complex::new(709.9, HALF_PI - 1e-3));
    assert!(z.re.is_finite() && z.im == INF, "{z:?}");
}

#[test]
fn logarithm_at_the_edges() {
    check(
        "log",
        log,
        &[
            ((-0.0, 0.0), (-INF, PI)),
            ((0.0, 0.0), (-INF, 0.0)),
            ((1.0, INF), (INF, HALF_PI)),
            ((1.0, NAN), (NAN, NAN)),
            ((-INF, 1.0), (INF, PI)),
            ((INF, 1.0), (INF, 0.0)),
            ((-INF, INF), (INF, 3.0 * QUARTER_PI)),
            ((INF, INF), (INF, QUARTER_PI)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, INF), (INF, NAN)),
            ((NAN, 1.0), (NAN, NAN)),
            ((-1.0, 0.0), (0.0, PI)),
            ((f64::MAX, f64::MAX), (f64::MAX.ln() + LN_2 / 2.0, QUARTER_PI)),
            ((5e-324, 0.0), (-1074.0 * LN_2, 0.0)),
        ],
    );
    check(
        "log1p",
        log1p,
        &[((-1.0, 0.0), (-INF, 0.0)), ((0.0, 0.0), (0.0, 0.0)), ((-2.0, 0.0), (0.0, PI)), ((INF, 1.0), (INF, 0.0))],
    );
}

#[test]
fn square_root_at_the_edges() {
    check(
        "sqrt",
        sqrt,
        &[
            ((0.0, 0.0), (0.0, 0.0)),
            ((-0.0, 0.0), (0.0, 0.0)),
            ((-4.0, 0.0), (0.0, 2.0)),
            ((1.0, INF), (INF, INF)),
            ((NAN, INF), (INF, INF)),
            ((NAN, 0.0), (NAN, NAN)),
            ((1.0, NAN), (NAN, NAN)),
            ((-INF, 1.0), (0.0, INF)),
            ((INF, 1.0), (INF, 0.0)),
            ((-INF, NAN), (NAN, INF)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, 1.0), (NAN, NAN)),
            ((f64::MAX, 0.0), (f64::MAX.sqrt(), 0.0)),
            ((0.0, 1e-323), (2.2227587494850775e-162, 2.2227587494850775e-162)),
        ],
    );
}

#[test]
fn hyperbolic_functions_at_the_edges() {
    check(
        "sinh",
        sinh,
        &[
            ((0.0, 0.0), (0.0, 0.0)),
            ((0.0, INF), (0.0, NAN)),
            ((0.0, NAN), (0.0, NAN)),
            ((1.0, INF), (NAN, NAN)),
            ((INF, 0.0), (INF, 0.0)),
            ((INF, 1.0), (INF, INF)),
            ((INF, INF), (INF, NAN)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, 0.0), (NAN, 0.0)),
            ((NAN, 1.0), (NAN, NAN)),
        ],
    );
    check(
        "cosh",
        cosh,
        &[
            ((0.0, 0.0), (1.0, 0.0)),
            ((0.0, INF), (NAN, 0.0)),
            ((0.0, NAN), (NAN, 0.0)),
            ((1.0, INF), (NAN, NAN)),
            ((INF, 0.0), (INF, 0.0)),
            ((INF, 1.0), (INF, INF)),
            ((INF, INF), (INF, NAN)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, 0.0), (NAN, 0.0)),
        ],
    );
    check(
        "tanh",
        tanh,
        &[
            ((0.0, 0.0), (0.0, 0.0)),
            ((1.0, INF), (NAN, NAN)),
            ((INF, 1.0), (1.0, 0.0)),
            // The sign of the argument's imaginary part (Array API), not that of sin(2y) (C99).
            ((INF, 2.0), (1.0, 0.0)),
            ((INF, INF), (1.0, 0.0)),
            ((INF, NAN), (1.0, 0.0)),
            ((NAN, 0.0), (NAN, 0.0)),
            ((NAN, 1.0), (NAN, NAN)),
            ((1e3, 0.5), (1.0, 0.0)),
            ((1e3, INF), (NAN, NAN)),
        ],
    );
}

#[test]
fn inverse_functions_at_the_edges() {
    check(
        "asinh",
        asinh,
        &[
            ((0.0, 0.0), (0.0, 0.0)),
            ((1.0, INF), (INF, HALF_PI)),
            ((1.0, NAN), (NAN, NAN)),
            ((INF, 1.0), (INF, 0.0)),
            ((INF, INF), (INF, QUARTER_PI)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, 0.0), (NAN, 0.0)),
            ((NAN, INF), (INF, NAN)),
            ((0.0, 2.0), (1.3169578969248167, HALF_PI)),
            ((-0.0, 2.0), (-1.3169578969248167, HALF_PI)),
        ],
    );
    check(
        "acosh",
        acosh,
        &[
            ((0.0, 0.0), (0.0, HALF_PI)),
            ((1.0, INF), (INF, HALF_PI)),
            ((1.0, NAN), (NAN, NAN)),
            ((-INF, 1.0), (INF, PI)),
            ((INF, 1.0), (INF, 0.0)),
            ((-INF, INF), (INF, 3.0 * QUARTER_PI)),
            ((INF, INF), (INF, QUARTER_PI)),
            ((INF, NAN), (INF, NAN)),
            ((NAN, INF), (INF, NAN)),
            ((-2.0, 0.0), (1.3169578969248167, PI)),
            ((0.5, 0.0), (0.0, 1.0471975511965979)),
        ],
    );
    check(
        "acos",
        acos,
        &[
            ((0.0, 0.0), (HALF_PI, -0.0)),
            ((0.0, NAN), (HALF_PI, NAN)),
            ((1.0, INF), (HALF_PI, -INF)),
            ((-INF, 1.0), (PI, -INF)),
            ((INF, 1.0), (0.0, -INF)),
            ((-INF, INF), (3.0 * QUARTER_PI, -INF)),
            ((INF, NAN), (NAN, INF)),
            ((NAN, INF), (NAN, -INF)),
            ((2.0, 0.0), (0.0, -1.3169578969248167)),
        ],
    );
    check(
        "atanh",
        atanh,
        &[
            ((0.0, 0.0), (0.0, 0.0)),
            ((0.0, NAN), (0.0, NAN)),
            ((1.0, 0.0), (INF, 0.0)),
            ((1.0, INF), (0.0, HALF_PI)),
            ((1.0, NAN), (NAN, NAN)),
            ((INF, 1.0), (0.0, HALF_PI)),
            ((INF, INF), (0.0, HALF_PI)),
            ((INF, NAN), (0.0, NAN)),
            ((NAN, 1.0), (NAN, NAN)),
            ((NAN, INF), (0.0, HALF_PI)),
            ((2.0, 0.0), (0.5493061443340549, HALF_PI)),
            ((-2.0, 0.0), (-0.5493061443340549, HALF_PI)),
        ],
    );
}

/// The circular functions are their hyperbolic partners turned by a quarter, at the edges too.
#[test]
fn circular_functions_are_turned_hyperbolic_ones() {
    let parts = [0.0, -0.0, 0.5, -2.0, 1e-310, 800.0, 1e200, INF, -INF, NAN];
    for x in parts {
        for y in parts {
            let (z, iz) = (Complex::new(x, y), Complex::new(-y, x));
            for (f, g) in
                [(sin as fn(_) -> _, sinh as fn(_) -> Complex<f64>), (tan, tanh), (asin, asinh), (atan, atanh)]
            {
                let w: Complex<f64> = g(iz);
                let got: Complex<f64> = f(z);
                let (u, v) = (w.im, -w.re);
                assert!(loose(got, u, v) && (u.is_nan() || u == got.re), "{z:?} {got:?} {w:?}");
            }
        }
    }
}

#[test]
fn division_takes_the_limits() {
    let div = |a: Z, b: Z| Complex::new(a.0, a.1) / Complex::new(b.0, b.1);
    let eq = |got: Complex<f64>, want: Z| {
        assert!(same(got.re, want.0, false) && same(got.im, want.1, false), "{got:?} {want:?}")
    };
    eq(div((1.0, 1.0), (0.0, 0.0)), (INF, INF));
    eq(div((1.0, 0.0), (0.0, 0.0)), (INF, NAN));
    eq(div((0.0, 0.0), (0.0, 0.0)), (NAN, NAN));
    eq(div((1.0, 2.0), (INF, INF)), (0.0, 0.0));
    eq(div((1.0, 2.0), (INF, NAN)), (0.0, 0.0));
    eq(div((INF, 0.0), (1.0, 1.0)), (INF, -INF));
    eq(div((1.0, 1.0), (NAN, 1.0)), (NAN, NAN));
    eq(div((1e300, 1e300), (1e300, 1e300)), (1.0, 0.0));
    eq(div((1e-310, 1e-310), (1e-310, 1e-310)), (1.0, 0.0));
    eq(div((f64::MAX, f64::MAX), (f64::MAX, -f64::MAX)), (0.0, 1.0));
    eq(div((1.0, 1.0), (1.0, 2f64.powi(1023))), (2f64.powi(-1023), -(2f64.powi(-1023))));
    let single = Complex::new(1e38f32, 1e38) / Complex::new(1e38f32, 1e38);
    assert_eq!(single, Complex::new(1.0f32, 0.0));
}

#[test]
fn powers_take_the_limits() {
    let p = |a: Z, b: Z| pow(Complex::new(a.0, a.1), Complex::new(b.0, b.1));
    assert_eq!(p((0.0, 0.0), (0.0, 0.0)), Complex::new(1.0, 0.0));
    assert_eq!(p((NAN, 1.0), (0.0, 0.0)), Complex::new(1.0, 0.0));
    assert_eq!(p((0.0, 0.0), (2.0, 0.0)), Complex::new(0.0, 0.0));
    assert!(p((0.0, 0.0), (-1.0, 0.0)).re.is_nan());
    assert_eq!(p((0.0, 1.0), (2.0, 0.0)), Complex::new(-1.0, 0.0));
    assert_eq!(p((1.0, 2.0), (3.0, 0.0)), Complex::new(-11.0, -2.0));
    assert_eq!(p((0.0, 2.0), (-2.0, 0.0)), Complex::new(-0.25, 0.0));
    assert_eq!(p((2.0, 0.0), (0.5, 0.0)), Complex::new(std::f64::consts::SQRT_2, 0.0));
    assert_eq!(p((1.0, 1.0), (64.0, 0.0)), Complex::new(4294967296.0, 0.0));
}

#[test]
fn directions_and_periods() {
    assert_eq!(sign(Complex::new(0.0, 0.0)), Complex::new(0.0, 0.0));
    assert!(same(sign(Complex::new(9e307, -1.2e308)).re, 0.6, true));
    assert_eq!(sign(Complex::new(-INF, 5.0)), Complex::new(-1.0, 0.0));
    assert_eq!(sinpi(Complex::new(3.0, 0.0)), Complex::new(0.0, 0.0));
    assert_eq!(cospi(Complex::new(0.5, 0.0)).re, 0.0);
    assert_eq!(sinc(Complex::new(0.0, 0.0)), Complex::new(1.0, 0.0));
    assert_eq!(expit(Complex::new(-INF, 0.0)), Complex::new(0.0, 0.0));
    assert_eq!(expit(Complex::new(INF, 0.0)), Complex::new(1.0, 0.0));
    assert_eq!(exp2(Complex::new(10.0, 0.0)), Complex::new(1024.0, 0.0));
}

#[test]
fn zeta_at_the_edges() {
    check(
        "riemann_zeta",
        zeta::riemann_zeta,
        &[
            ((0.0, 0.0), (-0.5, 0.0)),
            ((1.0, 0.0), (INF, 0.0)),
            ((-4.0, 0.0), (0.0, 0.0)),
            ((0.0, 1e-15), (-0.5, -9.189385332046727e-16)),
            ((INF, 1.0), (1.0, 0.0)),
            ((-INF, 1.0), (NAN, NAN)),
            ((0.5, INF), (NAN, NAN)),
            ((NAN, 1.0), (NAN, NAN)),
            // The factors of the reflection are out of range before the product is.
            ((-294.86605461349745, 13.992648136816397), (-INF, INF)),
        ],
    );
    let z = zeta::riemann_zeta(Complex::new(-237.71710702931668, 13.992648136816397));
    assert!((z.re / -8.823803086106129e281 - 1.0).abs() < 1e-12 && (z.im / -5.009074181335139e281 - 1.0).abs() < 1e-12);
}
