//! Powers.

use super::exp::exp_dd;
use super::is_negative;
use super::log::log_sum;
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

/// `x^y` with the special values of C99.
#[inline(always)]
pub fn pow<R: Real>(x: R, y: R) -> R {
    named!("pow", |x, y| {
        let (zero, one, inf) = (R::lit(0.0), R::lit(1.0), R::lit(f64::INFINITY));
        let a = x.abs();
        let l = log_sum(a);
        let p = Dd::two_prod(l.hi, y);
        let magnitude = exp_dd(Dd::new(p.hi, l.lo.fma(y, p.lo)));
        let negative_power = y.lt(zero);
        let magnitude = R::select(a.eq(zero), R::select(negative_power, inf, zero), magnitude);
        let magnitude = R::select(a.eq(inf), R::select(negative_power, zero, inf), magnitude);
        let magnitude = R::select(a.eq(one), one, magnitude);

        let half = y * R::lit(0.5);
        let integral = y.trunc().eq(y);
        let odd = integral.and(half.trunc().ne(half));
        let negative = is_negative(x);
        let r = R::select(odd.and(negative), -magnitude, magnitude);
        let undefined = x.lt(zero).and(integral.not()).and(a.lt(inf)).or(x.is_nan()).or(y.is_nan());
        let r = R::select(undefined, R::lit(f64::NAN), r);
        R::select(y.eq(zero).or(x.eq(one)), one, r)
    })
}

/// `f x^y`, in range where the power alone is not; exactly 0 where `f` is 0, and where it is infinite and the power 0.
#[inline(always)]
pub fn scaled_pow<R: Real>(f: R, x: R, y: R) -> R {
    named!("scaled_pow", |f, x, y| {
        let (zero, inf) = (R::lit(0.0), R::lit(f64::INFINITY));
        let power = pow(x, y);
        let beyond = power.abs().lt(R::lit(f64::MIN_POSITIVE)).or(power.abs().eq(inf));
        let [out] = R::when(
            beyond,
            [f * power],
            #[inline(always)]
            || {
                let root = shared::pow(x.abs(), y * R::lit(0.5));
                [f * root * root.copysign(power)]
            },
        );
        R::select(f.eq(zero).or(f.abs().eq(inf).and(power.eq(zero))), zero, out)
    })
}
