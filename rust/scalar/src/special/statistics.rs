//! Small functions of statistics and information theory: logarithms and powers that would cancel or overflow if written out.

use super::incgamma::log1p_gap;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// `log(x / (1 - x))`.
#[inline(always)]
pub fn logit<R: Real>(x: R) -> R {
    named!("logit", |x| {
        let one = R::lit(1.0);
        let ordinary = x.gt(R::lit(1e-290)).and(x.lt(one));
        let p = R::select(ordinary, x, R::lit(0.5));
        let q = one - p;
        let [out] = R::when(
            ordinary.not(),
            [e::log_quotient(p, q, (one - q) - p).value()],
            #[inline(always)]
            || [R::select(x.ge(one), R::select(x.eq(one), R::lit(INF), R::lit(NAN)), shared::log(x))],
        );
        out
    })
}

/// `-x log x`, 0 at 0.
#[inline(always)]
pub fn entr<R: Real>(x: R) -> R {
    named!("entr", |x| {
        let zero = R::lit(0.0);
        let out = -(x * e::log(x));
        R::select(x.eq(zero), zero, R::select(x.lt(zero), R::lit(-INF), out))
    })
}

/// `x log y`, 0 where `x` is.
#[inline(always)]
pub fn xlogy<R: Real>(x: R, y: R) -> R {
    named!("xlogy", |x, y| {
        let zero = R::lit(0.0);
        R::select(x.eq(zero).and(y.is_nan().not()), zero, x * e::log(y))
    })
}

/// `x log(1 + y)`, 0 where `x` is.
#[inline(always)]
pub fn xlog1py<R: Real>(x: R, y: R) -> R {
    named!("xlog1py", |x, y| {
        let zero = R::lit(0.0);
        R::select(x.eq(zero).and(y.is_nan().not()), zero, x * e::log1p(y))
    })
}

/// `log(x / y)` of positive numbers.
#[inline(always)]
pub fn log_ratio<R: Real>(x: R, y: R) -> R {
    named!("log_ratio", |x, y| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        // So that what rounding takes off the ratio is a normal number
        let scale = R::select(x.lt(R::lit(1e-200)), R::lit(2f64.powi(600)), one);
        let (u, v) = (x * scale, y * scale);
        let (left, right) = (x.gt(zero), y.gt(zero));
        let ratio = u / v;
        let ordinary = ratio.gt(R::lit(1e-290)).and(ratio.lt(R::lit(1e290)));
        let close = e::log_quotient(u, v, zero).value();
        let limit = R::select(left.and(y.eq(zero)), R::lit(INF), R::lit(NAN));
        let limit = R::select(right.and(x.eq(zero)), R::lit(-INF), limit);
        let [out] = R::when(
            ordinary.not().and(left).and(right),
            [R::select(ordinary, close, limit)],
            #[inline(always)]
            || [shared::log(x) - shared::log(y)],
        );
        out
    })
}

/// `x log(x / y)` on the quarter plane with its border at 0, infinite elsewhere.
#[inline(always)]
pub fn rel_entr<R: Real>(x: R, y: R) -> R {
    named!("rel_entr", |x, y| {
        let zero = R::lit(0.0);
        let inside = x.gt(zero).and(y.gt(zero));
        let out = R::select(inside, x * log_ratio(x, y), R::lit(INF));
        let out = R::select(x.eq(zero).and(y.ge(zero)), zero, out);
        R::select(x.is_nan().or(y.is_nan()), R::lit(NAN), out)
    })
}

/// `x log(x / y) - x + y`, which is `x (u - log(1 + u))` for `u = y/x - 1`.
#[inline(always)]
pub fn kl_div<R: Real>(x: R, y: R) -> R {
    named!("kl_div", |x, y| {
        let (zero, inf) = (R::lit(0.0), R::lit(INF));
        let inside = x.gt(zero).and(y.gt(zero));
        let ratio = y / x;
        let ordinary = ratio.gt(R::lit(1e-290)).and(ratio.lt(R::lit(1e290)));
        let d = Dd::two_sum(y, -x);
        let log = e::log_quotient(y, x, zero);
        let out = (-x).fma(log.hi, d.hi) + (-x).fma(log.lo, d.lo);
        let near = d.hi.abs().lt(x * R::lit(0.125));
        let [out] = R::when(
            near,
            [out],
            #[inline(always)]
            || [x * log1p_gap(d.hi / x)],
        );
        let [out] = R::when(
            inside.and(ordinary.not()),
            [out],
            #[inline(always)]
            || [(x * log_ratio(x, y) - x) + y],
        );
        let out = R::select(x.eq(inf).or(y.eq(inf)), R::select(x.eq(y), R::lit(NAN), inf), out);
        let out = R::select(inside, out, inf);
        let out = R::select(x.eq(zero).and(y.ge(zero)), y, out);
        R::select(x.is_nan().or(y.is_nan()), R::lit(NAN), out)
    })
}

/// The derivative of [`kl_div`] in `y`.
#[inline(always)]
pub fn kl_div_dy<R: Real>(x: R, y: R) -> R {
    named!("kl_div_dy", |x, y| (y - x) / y)
}

/// Huber's loss.
#[inline(always)]
pub fn huber<R: Real>(delta: R, r: R) -> R {
    named!("huber", |delta, r| {
        let half = R::lit(0.5);
        let y = r.abs();
        let out = R::select(y.le(delta), half * r * r, delta * (y - half * delta));
        R::select(delta.lt(R::lit(0.0)), R::lit(INF), out)
    })
}

/// `delta^2 (sqrt(1 + (r/delta)^2) - 1)`.
#[inline(always)]
pub fn pseudo_huber<R: Real>(delta: R, r: R) -> R {
    named!("pseudo_huber", |delta, r| {
        let (zero, half, inf) = (R::lit(0.0), R::lit(0.5), R::lit(INF));
        // r^2 delta / (delta + sqrt(delta^2 + r^2)), within the range
        let mean = (half * delta + half * shared::hypot(delta, r)).max(R::lit(5e-324));
        let out = r * (delta * (half * r / mean));
        let out = R::select(delta.eq(inf), half * r * r, out);
        let out = R::select(r.abs().eq(inf), inf, out);
        let out = R::select(delta.eq(zero).or(r.eq(zero)), zero, out);
        R::select(delta.lt(zero), inf, R::select(delta.is_nan().and(r.ne(zero)), delta, out))
    })
}

/// The derivative of [`pseudo_huber`] in `r`: `delta r / sqrt(delta^2 + r^2)`.
#[inline(always)]
pub fn pseudo_huber_dr<R: Real>(delta: R, r: R) -> R {
    named!("pseudo_huber_dr", |delta, r| {
        let (h, inf) = (shared::hypot(delta, r), R::lit(INF));
        let out = R::select(h.eq(R::lit(0.0)), h, r / h * delta);
        let out = R::select(r.abs().eq(inf), delta.copysign(r), out);
        R::select(delta.eq(inf), r, out)
    })
}

/// `x^y - 1`.
#[inline(always)]
pub fn powm1<R: Real>(x: R, y: R) -> R {
    named!("powm1", |x, y| {
        let (one, inf) = (R::lit(1.0), R::lit(INF));
        let a = x.abs();
        let whole = y.eq(y.floor());
        let base = R::select(a.gt(R::lit(0.0)).and(a.lt(inf)).and(x.gt(R::lit(0.0)).or(whole)), a, one);
        let l = e::log_sum(base);
        let p = Dd::two_prod(l.hi, y);
        let rest = l.lo.fma(y, p.lo);
        let value = shared::expm1(p.hi);
        let value = value + rest * (value + one);
        // An odd power of a negative number is no less than 1 away from 1.
        let plain = base.eq(a).and(p.hi.abs().lt(R::lit(700.0))).and(x.gt(R::lit(0.0)));
        let [out] = R::when(
            plain.not(),
            [value],
            #[inline(always)]
            || {
                let half = y * R::lit(0.5);
                let even = half.eq(half.floor()).and(p.hi.abs().lt(R::lit(700.0))).and(base.eq(a));
                [R::select(even, value, shared::pow(x, y) - one)]
            },
        );
        out
    })
}

/// `(e^x - 1) / x`.
#[inline(always)]
pub fn exprel<R: Real>(x: R) -> R {
    named!("exprel", |x| {
        let one = R::lit(1.0);
        let large = x.gt(R::lit(700.0));
        let beyond = e::exp_times(Dd::new(x, R::lit(0.0)), Dd::new(one / x, R::lit(0.0)));
        let out = R::select(large, beyond, shared::expm1(x) / x);
        let out = R::select(x.gt(R::lit(800.0)), R::lit(INF), out);
        R::select(x.abs().lt(R::lit(f64::EPSILON / 4.0)), one, out)
    })
}

/// The `n`-th derivative of `(e^(lambda l) - 1) / lambda` in `lambda`, `n >= 1` integral: the limit where `l` is infinite and the
/// exponential 0.
#[inline(always)]
pub fn boxcox_rate<R: Real>(n: R, l: R, lambda: R) -> R {
    named!("boxcox_rate", |n, l, lambda| {
        let one = R::lit(1.0);
        let gone = l.abs().eq(R::lit(INF)).and((lambda * l).lt(R::lit(0.0)));
        let l = R::select(gone, one, l);
        let (square, rate) = (l * l, shared::exprel_derivative(n, lambda * l));
        let usual = R::select(n.eq(one), square * rate, square * (rate * l));
        let [usual] = R::when(
            n.gt(R::lit(2.0)),
            [usual],
            #[inline(always)]
            || [shared::pow(l, n + one) * rate],
        );
        let [out] = R::when(
            gone,
            [usual],
            #[inline(always)]
            || [shared::gamma(n + one) * shared::pow(-lambda, -(n + one))],
        );
        out
    })
}

/// The derivative of [`boxcox`] in `lambda`.
#[inline(always)]
pub fn boxcox_dl<R: Real>(x: R, lambda: R) -> R {
    named!("boxcox_dl", |x, lambda| { boxcox_rate(R::lit(1.0), shared::log(x), lambda) })
}

/// The derivative of [`boxcox1p`] in `lambda`.
#[inline(always)]
pub fn boxcox1p_dl<R: Real>(x: R, lambda: R) -> R {
    named!("boxcox1p_dl", |x, lambda| { boxcox_rate(R::lit(1.0), shared::log1p(x), lambda) })
}

/// The `n`-th derivative of [`exprel`], `n >= 0` integral: the integral of `t^n e^(xt)` over `[0, 1]`.
#[inline(always)]
pub fn exprel_derivative<R: Real>(n: R, x: R) -> R {
    named!("exprel_derivative", |n, x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        // Kummer's series at the end where the integrand is largest: M(n+1, n+2, x) / (n + 1) = e^x M(1, n+2, -x) / (n + 1).
        let near = x.abs().lt(R::lit(45.0));
        let y = R::select(near, x, zero);
        let negative = y.lt(zero);
        let size = y.abs();
        let out = R::repeat(
            [one, one, zero],
            200,
            #[inline(always)]
            |[term, sum, k]| {
                let k = k + one;
                // Positive terms on both sides.
                let right = size / k * ((n + k) / (n + k + one));
                let left = size / (n + k + one);
                let term = term * R::select(negative, left, right);
                let sum = sum + term;
                ([term, sum, k], term.gt(sum * R::lit(f64::EPSILON / 8.0)))
            },
        );
        let series = out[1] / (n + one) * R::select(negative, shared::exp(y), one);
        // Far out: gamma(n + 1) / (-x)^(n + 1) on the left, e^x times the series in 1/x on the right.
        let lead = shared::gamma(n + one) * shared::pow(x.abs(), -(n + one));
        let tail = R::repeat(
            [one, one, zero],
            64,
            #[inline(always)]
            |[term, sum, k]| {
                let go = k.lt(n);
                let term = R::select(go, term * -((n - k) / x), term);
                ([term, R::select(go, sum + term, sum), k + one], go)
            },
        );
        let half = shared::exp(x * R::lit(0.5));
        let right = half * (tail[1] / x * half);
        let far = R::select(x.gt(zero), right, lead);
        R::select(x.is_nan(), x, R::select(near, series, far))
    })
}

/// `l exprel(lambda l)`, which is `(e^(lambda l) - 1) / lambda`.
#[inline(always)]
fn box_cox<R: Real>(l: R, lambda: R) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let out = l * shared::exprel(lambda * l);
    let out = R::select(lambda.eq(zero), l, out);
    // At the ends of the line one side levels off.
    let level = R::lit(-1.0) / lambda;
    let ends = l.abs().eq(inf).and(lambda.ne(zero));
    let flat = (lambda * l).eq(-inf);
    let ends = ends.or(flat);
    R::select(ends, R::select(flat, level, R::select(lambda.is_nan(), lambda, l)), out)
}

/// Box and Cox's transformation `(x^lambda - 1) / lambda`, the logarithm for `lambda = 0`.
#[inline(always)]
pub fn boxcox<R: Real>(x: R, lambda: R) -> R {
    named!("boxcox", |x, lambda| box_cox(shared::log(x), lambda))
}

/// The same of `1 + x`.
#[inline(always)]
pub fn boxcox1p<R: Real>(x: R, lambda: R) -> R {
    named!("boxcox1p", |x, lambda| {
        let out = box_cox(shared::log1p(x), lambda);
        R::select(x.eq(R::lit(0.0)).and(lambda.abs().lt(R::lit(INF))), x, out)
    })
}

/// `log(1 + lambda y) / lambda`.
#[inline(always)]
fn inverse_box_cox<R: Real>(y: R, lambda: R) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    let t = lambda * y;
    let over = t.eq(inf).and(lambda.abs().lt(inf)).and(y.abs().lt(inf));
    let [log] = R::when(
        over,
        [shared::log1p(t)],
        #[inline(always)]
        || [shared::log(lambda.abs()) + shared::log(y.abs())],
    );
    let out = log / lambda;
    let linear = t.abs().lt(R::lit(f64::EPSILON / 4.0)).and(lambda.abs().lt(inf)).or(lambda.eq(zero));
    R::select(linear, y, out)
}

/// Inverse of [`boxcox`] in `x`.
#[inline(always)]
pub fn inv_boxcox<R: Real>(y: R, lambda: R) -> R {
    named!("inv_boxcox", |y, lambda| shared::exp(inverse_box_cox(y, lambda)))
}

/// Inverse of [`boxcox1p`] in `x`.
#[inline(always)]
pub fn inv_boxcox1p<R: Real>(y: R, lambda: R) -> R {
    named!("inv_boxcox1p", |y, lambda| shared::expm1(inverse_box_cox(y, lambda)))
}

/// The `n`-th derivative of `log(1 + t) / t`, `n >= 0` integral: `(-1)^n n!` times the integral of `s^n / (1 + st)^(n + 1)`.
#[inline(always)]
pub fn log1prel<R: Real>(n: R, t: R) -> R {
    named!("log1prel", |n, t| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let near = t.gt(R::lit(-0.35)).and(t.lt(one));
        // With v = s / (1 + st) a geometric series.
        let v = R::select(near, t, zero);
        let c = v / (one + v);
        let out = R::repeat(
            [one, one / (n + one), one],
            120,
            #[inline(always)]
            |[power, sum, k]| {
                let power = power * c;
                let term = power / (n + k + one);
                let next = sum + term;
                ([power, next, k + one], term.abs().gt(next * R::lit(f64::EPSILON / 8.0)))
            },
        );
        let half = n * R::lit(0.5);
        let sign = R::select(half.eq(half.floor()), one, -one);
        let series = sign * shared::gamma(n + one) * shared::pow(one + v, -(n + one)) * out[1];
        // Else t f^(k) = (-1)^(k-1) (k-1)! / (1 + t)^k - k f^(k-1).
        let [_, value, _] = R::repeat(
            [zero, shared::log1p(t) / t, one / (one + t)],
            64,
            #[inline(always)]
            |[k, value, step]| {
                let go = k.lt(n);
                let k = k + one;
                let stepped = (step - k * value) / t;
                ([k, R::select(go, stepped, value), step * (-k / (one + t))], go)
            },
        );
        R::select(near, series, value)
    })
}

/// The sign of gamma, NaN at its poles but 0.
#[inline(always)]
pub fn gammasgn<R: Real>(x: R) -> R {
    named!("gammasgn", |x| {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let whole = x.floor();
        let half = whole * R::lit(0.5);
        let out = R::select(half.eq(half.floor()), one, -one);
        let out = R::select(x.lt(zero).and(whole.eq(x)), R::lit(NAN), out);
        let out = R::select(x.gt(zero), one, R::select(x.eq(zero), one.copysign(x), out));
        R::select(x.is_nan(), x, out)
    })
}
