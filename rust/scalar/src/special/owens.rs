//! Owen's T function.

use super::coefficients as c;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// `T(h, a)` for `h >= 0` and `0 <= a <= 1`, the integral of a bell over `1 + x^2` (D. B. Owen, Ann. Math. Stat. 27, 1956).
#[inline(always)]
fn integral<R: Real>(h: R, a: R) -> R {
    let (half, one) = (R::lit(0.5), R::lit(1.0));
    // Beyond, the bell is below 2^-54 of its height.
    let width = (R::lit(8.7) / h.max(R::lit(1e-300))).min(a);
    let rate = h * h * R::lit(-0.5);
    let [sum] = R::over_rows(
        &c::GAUSS_EVEN,
        [R::lit(0.0)],
        #[inline(always)]
        |[sum], [node, weight]| {
            let x = width * node;
            let z = x * x;
            let value = shared::exp(rate * z) / (one + z);
            [value.fma(weight, sum)]
        },
    );
    let front = shared::exp(h * h * R::lit(-0.25));
    // The bell at 0 in two halves, so that its square underflows no earlier than the result.
    front * (front * (sum * width * (half * R::lit(1.0 / PI))))
}

/// Owen's T function.
#[inline(always)]
pub fn owens_t<R: Real>(h: R, a: R) -> R {
    named!("owens_t", |h, a| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        // Beyond, the tails are zero.
        let end = R::lit(39.0);
        let (p, b) = (h.abs().min(end), a.abs());
        let steep = b.gt(one);
        // T(h, a) + T(ah, 1/a) = (Q(h) + Q(ah))/2 - Q(h) Q(ah), with the tails Q.
        let product = R::select(p.eq(zero), zero, p * b).min(end);
        let far = R::select(steep, product, p);
        let [inner] = R::when(
            far.lt(end),
            [zero],
            #[inline(always)]
            || [integral(far, R::select(steep, one / b, b))],
        );
        let [out] = R::when(
            steep,
            [inner],
            #[inline(always)]
            || {
                let q = half * shared::erfc(p * R::lit(FRAC_1_SQRT_2));
                let r = half * shared::erfc(product * R::lit(FRAC_1_SQRT_2));
                [half * q + (half * r - q * r - inner)]
            },
        );
        let out = R::select(p.eq(R::lit(f64::INFINITY)), zero, out);
        let out = R::select(a.lt(zero), -out, out);
        R::select(h.is_nan().or(a.is_nan()), h + a, out)
    })
}
