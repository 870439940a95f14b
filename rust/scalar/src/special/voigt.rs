//! Voigt's profile: the normal distribution of width sigma convolved with the Cauchy distribution of width gamma.

use crate::Complex;
use crate::complex::bodies as c;
use crate::complex::faddeeva::far_series;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;
use std::f64::consts::{FRAC_2_SQRT_PI, SQRT_2};

/// The `n`-th derivative in `x` of `w((x + i gamma) / s) / (sqrt(pi) s)`, `s = sqrt(2) sigma`; its real part is the profile.
/// Where `s` is the small part it is the series in `s`, which begins with Cauchy's distribution. `VALUE` is for `n = 0` alone.
#[inline(always)]
fn profile<R: Real, const VALUE: bool>(n: R, x: R, sigma: R, gamma: R) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let s = sigma * R::lit(SQRT_2);
    let at = Complex::new(x, gamma);
    let proper = gamma.ge(zero).and(sigma.ge(zero));
    let far = proper.and(x.abs().max(gamma).ge(s * R::lit(7.0)));
    // On the real line the exponential is all of the real part.
    let far = far.and(sigma.eq(zero).or(gamma.gt(s * R::lit(1e-6))));
    let inside = Complex::select(far, Complex::lit(0.0, 0.0), at);
    let width = R::select(far, one, s);
    let w = Complex::new(inside.re / width, inside.im / width);
    let [value, power] = if VALUE {
        [R::shared_complex::<c::Wofz, 1>([w]), Complex::new(width, zero)]
    } else {
        let value = R::shared_complex::<c::WofzDerivative, 2>([Complex::new(n, zero), w]);
        [value, Complex::new(shared::pow(width, n + one), zero)]
    };
    let near = value.scale(R::lit(0.5 * FRAC_2_SQRT_PI) / power.re);
    let [re, im] = R::when(
        far,
        [near.re, near.im],
        #[inline(always)]
        || {
            let out = far_series(n, Complex::select(far, at, Complex::lit(1.0, 0.0)), R::select(far, s, zero));
            [out.re, out.im]
        },
    );
    let lost = x.is_nan().or(sigma.is_nan()).or(gamma.is_nan());
    let peak = sigma.eq(zero).and(gamma.eq(zero));
    let at_peak = R::select(x.eq(zero), R::lit(f64::INFINITY), zero);
    let out = Complex::new(R::select(far, re, near.re), R::select(far, im, near.im));
    let out = Complex::new(R::select(peak, at_peak, out.re), out.im);
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

/// Voigt's profile.
#[inline(always)]
pub fn voigt_profile<R: Real>(x: R, sigma: R, gamma: R) -> R {
    named!("voigt_profile", |x, sigma, gamma| profile::<R, true>(R::lit(0.0), x, sigma, gamma).re)
}

/// The `n`-th derivative in `x` of the profile.
#[inline(always)]
pub fn voigt_re<R: Real>(n: R, x: R, sigma: R, gamma: R) -> R {
    named!("voigt_re", |n, x, sigma, gamma| profile::<R, false>(n, x, sigma, gamma).re)
}

/// The `n`-th derivative in `x` of the profile's Hilbert transform; the derivative of the profile in `gamma` is less the first.
#[inline(always)]
pub fn voigt_im<R: Real>(n: R, x: R, sigma: R, gamma: R) -> R {
    named!("voigt_im", |n, x, sigma, gamma| profile::<R, false>(n, x, sigma, gamma).im)
}
