//! Logistic functions and logarithms of sums of exponentials.

use super::exp::{LN2, exp_reduced, reduce_ln2};
use super::log::log1p_sum;
use super::pow2;
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real};

/// The logistic function `1 / (1 + e^-x)`.
#[inline(always)]
pub fn expit<R: Real>(x: R) -> R {
    named!("expit", |x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let low = R::lit(-746.0);
        let a = -x.abs();
        let (k, r) = reduce_ln2(Dd::new(R::select(a.lt(low), low, a), zero));
        let p = exp_reduced(r).normalize();
        // e^-|x| / (1 + e^-|x|) for negative x; the factor 2^k comes last, for the sake of subnormal results.
        let deep = k.lt(R::lit(-200.0));
        let power = pow2(R::select(deep, R::lit(-200.0), k));
        let small = p.times_pow2(power);
        let d = Dd::fast_two_sum(one, small.hi);
        let negative = x.lt(zero);
        let q = Dd::select(negative, p, Dd::new(one, zero)).quotient(Dd::new(d.hi, d.lo + small.lo));
        let [out] = R::when(
            deep.and(negative),
            [q * R::select(negative, power, one)],
            #[inline(always)]
            || [q.scale(k)],
        );
        out
    })
}

/// `log(1 + e^d)` for `d <= 0`, as a sum.
#[inline(always)]
fn log1p_exp<R: Real>(d: Dd<R>) -> Dd<R> {
    let low = R::lit(-746.0);
    let clamped = d.hi.lt(low);
    let d = Dd::new(R::select(clamped, low, d.hi), R::select(clamped, R::lit(0.0), d.lo));
    let (k, r) = reduce_ln2(d);
    let p = exp_reduced(r).normalize();
    // Once e is far below the last place of 1 the logarithm is e, rounded once.
    let (tiny, zero) = (k.lt(R::lit(-60.0)), R::lit(0.0));
    let sum = log1p_sum(p.times_pow2(R::select(tiny, zero, pow2(k))), zero);
    let [hi] = R::when(
        tiny,
        [sum.hi],
        #[inline(always)]
        || [p.hi.scale(k)],
    );
    Dd::new(hi, R::select(tiny, zero, sum.lo))
}

/// `log(1 + e^x)`.
#[inline(always)]
pub fn softplus<R: Real>(x: R) -> R {
    named!("softplus", |x| {
        let zero = R::lit(0.0);
        let l = log1p_exp(Dd::new(-x.abs(), zero));
        let y = l.plus(R::select(x.gt(zero), x, zero)).value();
        R::select(x.eq(R::lit(f64::INFINITY)).or(x.is_nan()), x, y)
    })
}

/// The logarithm of the logistic function, `-log(1 + e^-x)`.
#[inline(always)]
pub fn log_expit<R: Real>(x: R) -> R {
    -softplus(-x)
}

/// `max(a, b)` and `log(1 + e^(-unit |a - b|))`, the two parts of a logarithm of a sum.
#[inline(always)]
fn add_logs<R: Real>(a: R, b: R, unit: Dd<R>, inverse: Dd<R>) -> R {
    let larger = R::select(a.lt(b), b, a);
    let smaller = R::select(a.lt(b), a, b);
    let d = Dd::two_sum(smaller, -larger);
    let far = d.hi.lt(R::lit(-1100.0));
    let d = Dd::new(R::select(far, R::lit(-1100.0), d.hi), R::select(far, R::lit(0.0), d.lo)) * unit;
    let y = (log1p_exp(d) * inverse).plus(larger).value();
    // Equal infinities have no difference, and an infinite maximum is the result.
    let infinite = larger.abs().eq(R::lit(f64::INFINITY));
    R::select(a.is_nan().or(b.is_nan()), a + b, R::select(infinite, larger, y))
}

/// `log(e^a + e^b)`.
#[inline(always)]
pub fn logaddexp<R: Real>(a: R, b: R) -> R {
    named!("logaddexp", |a, b| {
        let one = Dd::lit(1.0, 0.0);
        add_logs(a, b, one, one)
    })
}

/// `log2(2^a + 2^b)`.
#[inline(always)]
pub fn logaddexp2<R: Real>(a: R, b: R) -> R {
    named!("logaddexp2", |a, b| add_logs(
        a,
        b,
        Dd::lit(LN2.0, LN2.1),
        Dd::lit(std::f64::consts::LOG2_E, 2.0355273740931033e-17)
    ))
}
