//! Trigonometric and hyperbolic functions and their inverses.

use super::integrals::turned;
use super::{RowRule, damped, rows};
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use sciarray_scalar::{Body, Complex, ComplexBody, Mask, Real};
use std::f64::consts::PI;

rows! {
    SIN {
        name: "sin",
        doc: "Sine of radians; huge arguments are reduced exactly.",
        example: ">>> sa.sin(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.84147098])",
        reference: "numpy.sin",
        kernels: Kernels::real::<b::Sin, 1>().with_complex::<c::Sin, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&COS, [&x[0]])]),
        domain: &[(-1e6, 1e6)],
    }
    COS {
        name: "cos",
        doc: "Cosine of radians; huge arguments are reduced exactly.",
        example: ">>> sa.cos(sa.asarray([0.0, 1.0]))
                  array([1.        , 0.54030231])",
        reference: "numpy.cos",
        kernels: Kernels::real::<b::Cos, 1>().with_complex::<c::Cos, 1>(),
        rule: RowRule::Partials(&[|x, _| -E::call(&SIN, [&x[0]])]),
        domain: &[(-1e6, 1e6)],
    }
    TAN {
        name: "tan",
        doc: "Tangent of radians; huge arguments are reduced exactly.",
        example: ">>> sa.tan(sa.asarray([0.0, 1.0]))
                  array([0.        , 1.55740772])",
        reference: "numpy.tan",
        kernels: Kernels::real::<b::Tan, 1>().with_complex::<c::Tan, 1>(),
        rule: RowRule::Partials(&[|x, _| {
            let square = |f, x: &E| E::call(&super::SQUARE, [&E::call(f, [x])]);
            if !x[0].is_complex() {
                return 1.0 / square(&COS, &x[0]);
            }
            // Far from the real axis cosines overflow.
            let height = E::call(&super::ABS, [&E::call(&super::IMAG, [&x[0]])]);
            let far = E::call(&super::GREATER, [&height, &height.lit(300.0)]);
            let inner = super::zero_where(&far, x[0].clone());
            let outer = (1.0 / square(&COS, &x[0])).with_slope_of(&square(&TAN, &x[0]));
            E::call(&super::WHERE, [&far, &outer, &(1.0 / square(&COS, &inner))])
        }]),
        domain: &[(-1e3, 1e3)],
    }
    SINPI {
        name: "sinpi",
        doc: "``sin(pi * x)``, exactly 0 at integers.",
        example: ">>> sa.sinpi(sa.asarray([0.5, 1.0]))
                  array([1., 0.])",
        kernels: Kernels::real::<b::Sinpi, 1>().with_complex::<c::Sinpi, 1>(),
        rule: RowRule::Partials(&[|x, _| PI * E::call(&COSPI, [&x[0]])]),
        domain: &[(-100.0, 100.0)],
    }
    COSPI {
        name: "cospi",
        doc: "``cos(pi * x)``, exactly 0 at half-integers.",
        example: ">>> sa.cospi(sa.asarray([0.5, 1.0]))
                  array([ 0., -1.])",
        kernels: Kernels::real::<b::Cospi, 1>().with_complex::<c::Cospi, 1>(),
        rule: RowRule::Partials(&[|x, _| -PI * E::call(&SINPI, [&x[0]])]),
        domain: &[(-100.0, 100.0)],
    }
    ASIN {
        name: "asin",
        doc: "Inverse sine in radians; complex branch cuts beyond -1 and 1.",
        example: ">>> sa.asin(sa.asarray([0.0, 1.0]))
                  array([0.        , 1.57079633])",
        reference: "numpy.arcsin",
        kernels: Kernels::real::<b::Asin, 1>().with_complex::<c::Asin, 1>(),
        rule: RowRule::Partials(&[|x, _| over_root(&x[0])]),
        domain: &[(-1.0, 1.0)],
    }
    ACOS {
        name: "acos",
        doc: "Inverse cosine in radians; complex branch cuts beyond -1 and 1.",
        example: ">>> sa.acos(sa.asarray([0.0, 1.0]))
                  array([1.57079633, 0.        ])",
        reference: "numpy.arccos",
        kernels: Kernels::real::<b::Acos, 1>().with_complex::<c::Acos, 1>(),
        rule: RowRule::Partials(&[|x, _| -over_root(&x[0])]),
        domain: &[(-1.0, 1.0)],
    }
    ATAN {
        name: "atan",
        doc: "Inverse tangent in radians.",
        example: ">>> sa.atan(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.78539816])",
        reference: "numpy.arctan",
        kernels: Kernels::real::<b::Atan, 1>().with_complex::<c::Atan, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&ATAN_SLOPE, [&x[0]])]),
        domain: &[(-1e3, 1e3)],
    }
    ATAN_SLOPE {
        name: "atan_slope",
        doc: "Derivative of atan, ``1 / (1 + x**2)``.",
        kernels: Kernels::real::<b::AtanSlope, 1>().with_complex::<c::AtanSlope, 1>().narrow(),
        rule: RowRule::Partials(&[|x, y| -2.0 * y * damped(y, x[0].clone())]),
        saves: Saves::ALL,
        namespace: "-",
    }
    SINH {
        name: "sinh",
        doc: "Hyperbolic sine.",
        example: ">>> sa.sinh(sa.asarray([0.0, 1.0]))
                  array([0.        , 1.17520119])",
        reference: "numpy.sinh",
        kernels: Kernels::real::<b::Sinh, 1>().with_complex::<c::Sinh, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&COSH, [&x[0]])]),
        domain: &[(-700.0, 700.0)],
    }
    COSH {
        name: "cosh",
        doc: "Hyperbolic cosine.",
        example: ">>> sa.cosh(sa.asarray([0.0, 1.0]))
                  array([1.        , 1.54308063])",
        reference: "numpy.cosh",
        kernels: Kernels::real::<b::Cosh, 1>().with_complex::<c::Cosh, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&SINH, [&x[0]])]),
        domain: &[(-700.0, 700.0)],
    }
    TANH {
        name: "tanh",
        doc: "Hyperbolic tangent; the derivative keeps full precision in the tails.",
        example: ">>> sa.tanh(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.76159416])",
        reference: "numpy.tanh",
        kernels: Kernels::real::<b::Tanh, 1>().with_complex::<c::Tanh, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&SECH2, [&x[0]])]),
        domain: &[(-20.0, 20.0)],
    }
    SECH2 {
        name: "sech2",
        doc: "``1 / cosh(x)**2``, the slope of tanh, whose own slope neither cancels at 0 nor overflows in the tails.",
        kernels: Kernels::real::<Sech2, 1>().with_complex::<Sech2, 1>(),
        rule: RowRule::Partials(&[|x, y| -2.0 * (y * E::call(&TANH, [&x[0]]))]),
        saves: Saves::ALL,
        namespace: "-",
    }
    ASINH {
        name: "asinh",
        doc: "Inverse hyperbolic sine.",
        example: ">>> sa.asinh(sa.asarray([0.0, 1.0]))
                  array([0.        , 0.88137359])",
        reference: "numpy.arcsinh",
        kernels: Kernels::real::<b::Asinh, 1>().with_complex::<c::Asinh, 1>(),
        rule: RowRule::Partials(&[|x, _| {
            if x[0].is_complex() { over_root(&turned(&x[0])) } else { asinh_slope(&x[0]) }
        }]),
        domain: &[(-1e6, 1e6)],
    }
    ACOSH {
        name: "acosh",
        doc: "Inverse hyperbolic cosine.",
        example: ">>> sa.acosh(sa.asarray([1.0, 2.0]))
                  array([0.       , 1.3169579])",
        reference: "numpy.arccosh",
        kernels: Kernels::real::<b::Acosh, 1>().with_complex::<c::Acosh, 1>(),
        rule: RowRule::Partials(&[|x, _| {
            if x[0].is_complex() {
                // Of a product of roots the slope would cancel at 0.
                let imag = E::call(&super::IMAG, [&x[0]]);
                -E::call(&super::COPYSIGN, [&imag.lit(1.0), &imag]) * turned(&over_root(&x[0]))
            } else {
                1.0 / (E::call(&super::SQRT, [&(&x[0] - 1.0)]) * E::call(&super::SQRT, [&(&x[0] + 1.0)]))
            }
        }]),
        domain: &[(1.0, 1e6)],
    }
    ATANH {
        name: "atanh",
        doc: "Inverse hyperbolic tangent.",
        example: ">>> sa.atanh(sa.asarray([0.0, 0.5]))
                  array([0.        , 0.54930614])",
        reference: "numpy.arctanh",
        kernels: Kernels::real::<b::Atanh, 1>().with_complex::<c::Atanh, 1>(),
        rule: RowRule::Partials(&[|x, _| match x[0].is_complex() {
            true => E::call(&ATAN_SLOPE, [&turned(&x[0])]),
            false => -1.0 / minus_one(&x[0]),
        }]),
        domain: &[(-1.0, 1.0)],
    }
    ATAN2 {
        name: "atan2",
        args: &["x1", "x2"],
        doc: "Angle in radians of the point ``(x2, x1)``, in [-pi, pi]; the gradient at the origin is 0.",
        example: ">>> sa.atan2(sa.asarray([1.0]), -1.0)
                  array([2.35619449])",
        reference: "numpy.arctan2",
        kernels: Kernels::real::<b::Atan2, 2>(),
        rule: RowRule::Partials(&[|x, _| turn(&x[1], &x[0]), |x, _| -turn(&x[0], &x[1])]),
    }
    TURN {
        name: "turn",
        args: &["x1", "x2"],
        doc: "``x1 / (x1**2 + x2**2)`` without overflow, the slope of atan2; 0 at the origin and at infinity.",
        kernels: Kernels::real::<Turn, 2>(),
        rule: RowRule::Partials(&[
            |x, y| {
                let other = turn(&x[1], &x[0]);
                (&other - y) * (&other + y)
            },
            |x, y| -2.0 * y * turn(&x[1], &x[0]),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    TANPI {
        name: "tanpi",
        doc: "``tan(pi * x)``, exact at multiples of a quarter.",
        example: ">>> sa.tanpi(sa.asarray([0.25]))
                  array([1.])",
        kernels: Kernels::real::<b::Tanpi, 1>(),
        rule: RowRule::Partials(&[|x, _| PI / E::call(&super::SQUARE, [&E::call(&COSPI, [&x[0]])])]),
        domain: &[(-10.0, 10.0)],
    }
    SINC {
        name: "sinc",
        doc: "``sin(pi * x) / (pi * x)``, 1 at 0 and exactly 0 at other integers.",
        example: ">>> sa.sinc(sa.asarray([0.0, 0.5, 1.0]))
                  array([1.        , 0.63661977, 0.        ])",
        reference: "numpy.sinc",
        kernels: Kernels::real::<b::Sinc, 1>().with_complex::<c::Sinc, 1>(),
        rule: RowRule::Partials(&[|x, y| {
            if x[0].is_complex() {
                // The quotient cancels next to 0.
                let size = E::call(&super::ABS, [&x[0]]);
                let near = E::call(&super::LESS, [&size, &size.lit(0.5)]);
                let inner = E::call(&super::WHERE, [&near, &(PI * &x[0]), &x[0].lit(0.0)]);
                let slope = -PI * E::call(&super::SPHERICAL_JN, [&size.lit(1.0), &inner]);
                let outer = super::ratio(&(E::call(&COSPI, [&x[0]]) - y), &x[0]);
                E::call(&super::WHERE, [&near, &slope, &outer])
            } else {
                -PI * E::call(&SPHERICAL_JN_PI, [&x[0].lit(1.0), &x[0]])
            }
        }]),
        saves: Saves::ALL,
        domain: &[(-50.0, 50.0)],
    }
    SPHERICAL_JN_PI {
        name: "spherical_jn_pi",
        args: &["n", "x"],
        doc: "Spherical Bessel function ``j_n(pi * x)`` of integer ``n >= 1``: the slopes of sinc, without cancellation.",
        kernels: Kernels::real::<SphericalJnPi, 2>(),
        rule: RowRule::Partials(&[
            |x, _| x[0].zero(),
            // DLMF 10.51.2
            |x, _| {
                let n = &x[0];
                let below = E::call(&SPHERICAL_JN_PI, [&(n - 1.0), &x[1]]);
                let above = E::call(&SPHERICAL_JN_PI, [&(n + 1.0), &x[1]]);
                PI * (n * below - (n + 1.0) * above) / (2.0 * n + 1.0)
            },
        ]),
        namespace: "-",
    }
}

/// `1 / sqrt(1 + x^2)`, far out without the square, which overflows, and without the 1, which counts no more.
fn asinh_slope(x: &E) -> E {
    let size = E::call(&super::ABS, [x]);
    let far = E::call(&super::GREATER, [&size, &size.lit((1u64 << 27) as f64)]);
    let inside = E::call(&super::WHERE, [&far, &x.lit(0.0), x]);
    let near = E::call(&super::RSQRT, [&(1.0 + E::call(&super::SQUARE, [&inside]))]);
    E::call(&super::WHERE, [&far, &(1.0 / size), &near])
}

fn turn(a: &E, b: &E) -> E {
    E::call(&TURN, [a, b])
}

/// `1 / sqrt(1 - x^2)`; far out the roots of the complex factors apart, whose product may overflow.
fn over_root(x: &E) -> E {
    let square = -minus_one(x);
    if !x.is_complex() {
        return E::call(&super::RSQRT, [&square]);
    }
    // Each zero keeps the sign by which it stands beside a cut.
    let factors = [-(x - 1.0), x - &x.lit(-1.0)];
    let near = E::call(&super::RSQRT, [&(&factors[0] * &factors[1]).with_slope_of(&square)]);
    let [a, b] = factors.map(|f| E::call(&super::RSQRT, [&f]));
    let size = E::call(&super::ABS, [x]);
    E::call(&super::WHERE, [&E::call(&super::LESS, [&size, &size.lit(1e50)]), &near, &(a * b)])
}

/// `x**2 - 1`: unlike `(x - 1) (x + 1)` its slope does not cancel at 0, unlike `1 - x**2` it keeps the side of a branch cut.
fn minus_one(x: &E) -> E {
    E::call(&super::SQUARE, [x]) - 1.0
}

struct Sech2;
impl Body<1> for Sech2 {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "sech2";
    #[inline(always)]
    fn eval<R: Real>(x: [R; 1]) -> R {
        let r = R::lit(1.0) / <b::Cosh as Body<1>>::eval(x);
        r * r
    }
}
impl ComplexBody<1> for Sech2 {
    type Short = ();
    const NAME: &'static str = "sech2";
    #[inline(always)]
    fn eval<R: Real>(x: [Complex<R>; 1]) -> Complex<R> {
        <c::Cosh as ComplexBody<1>>::eval(x).reciprocal().square()
    }
}

struct Turn;
impl Body<2> for Turn {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "turn";
    #[inline(always)]
    fn eval<R: Real>([x, y]: [R; 2]) -> R {
        let r = <b::Hypot as Body<2>>::eval([x, y]);
        let gone = r.eq(R::lit(0.0)).or(r.eq(R::lit(f64::INFINITY)).and(x.eq(x)).and(y.eq(y)));
        R::select(gone, R::lit(0.0), x / r / r)
    }
}

struct SphericalJnPi;
impl Body<2> for SphericalJnPi {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "spherical_jn_pi";
    #[inline(always)]
    fn eval<R: Real>([n, x]: [R; 2]) -> R {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let z = x * R::lit(PI);
        let half = z * z * R::lit(0.5);
        let near = x.abs().lt((n + one) * R::lit(0.5));
        // DLMF 10.53.1: z^n / (2n + 1)!! times the sum over k of (-z^2 / 2)^k / (k! (2n + 3) ... (2n + 2k + 1)).
        let lead = R::repeat(
            [zero, one],
            64,
            #[inline(always)]
            |[k, p]| {
                let k = k + one;
                let more = k.le(n);
                ([k, R::select(more, p * z / (two * k + one), p)], more)
            },
        );
        let series = R::repeat(
            [zero, one, one],
            64,
            #[inline(always)]
            |[k, t, s]| {
                let k = k + one;
                let t = -(t * half) / (k * (two * (n + k) + one));
                let s = s + t;
                ([k, t, s], near.and(t.abs().gt(s.abs() * R::lit(1e-17))))
            },
        );
        // DLMF 10.51.1 upwards, which is stable where z exceeds n.
        let first = <b::Sinpi as Body<1>>::eval([x]) / z;
        let second = (first - <b::Cospi as Body<1>>::eval([x])) / z;
        let steps = R::repeat(
            [zero, first, second],
            64,
            #[inline(always)]
            |[k, now, next]| {
                let k = k + one;
                let more = k.le(n);
                let after = (two * k + one) / z * next - now;
                ([k, R::select(more, next, now), R::select(more, after, next)], more)
            },
        );
        R::select(near, lead[1] * series[2], steps[1])
    }
}
