//! Distribution functions solved for their parameters, and Tukey's distribution, which is given by its quantiles.

use crate::named;
use crate::real::{Mask, Real};
use crate::shared;

const INF: f64 = f64::INFINITY;

/// The root of a monotone function of a positive number: Newton's method in the logarithm, halving where it leaves the bracket.
/// `f` gives the value, positive left of the root, and the derivative in its argument.
#[inline(always)]
fn root<R: Real>(start: R, f: impl Fn(R) -> (R, R)) -> R {
    let one = R::lit(1.0);
    let [a, ..] = R::repeat(
        [start, R::lit(1e-300), R::lit(1e300), one],
        200,
        #[inline(always)]
        |[a, low, high, _]| {
            let (value, slope) = f(a);
            let left = value.gt(R::lit(0.0));
            let low = R::select(left, a, low);
            let high = R::select(left, high, a);
            let newton = a * shared::exp((-value / (slope * a)).min(R::lit(2.0)).max(R::lit(-2.0)));
            let inside = newton.gt(low).and(newton.lt(high));
            let next = R::select(inside, newton, low.sqrt() * high.sqrt());
            let size = (next - a).abs();
            // A step below the last place would fall out of the bracket.
            let done = (newton - a).abs().le(a * R::lit(4e-16));
            ([R::select(done, a, next), low, high, size], done.not().and(size.gt(a * R::lit(2e-16))))
        },
    );
    a
}

/// `log(tail / wanted)` for the smaller of the wanted tails, and its derivative from that of the lower tail.
#[inline(always)]
fn residual<R: Real>(lower: R, upper: R, slope: R, p: R, q: R) -> (R, R) {
    let by_lower = p.le(q);
    let value = R::select(by_lower, lower, upper);
    let out = shared::log(value / R::select(by_lower, p, q));
    let out = R::select(by_lower, out, -out);
    (out, slope / value)
}

/// The shape `a` with `P(a, x) = p`, `Q(a, x) = q`.
#[inline(always)]
fn gamma_shape<R: Real>(p: R, q: R, x: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let inside = p.gt(zero).and(q.gt(zero)).and(p.le(one)).and(q.le(one)).and(x.gt(zero)).and(x.lt(R::lit(INF)));
    let (p0, q0) = (R::select(inside, p, R::lit(0.5)), R::select(inside, q, R::lit(0.5)));
    let x0 = R::select(inside, x, one);
    let out = root(
        x0 + R::lit(0.3),
        #[inline(always)]
        |a| residual(shared::gammainc(a, x0), shared::gammaincc(a, x0), shared::gammainc_da(a, x0), p0, q0),
    );
    let out = R::select(inside, out, R::lit(f64::NAN));
    let valid = x.gt(zero).and(x.lt(R::lit(INF)));
    let out = R::select(valid.and(p.eq(zero)), R::lit(INF), out);
    R::select(valid.and(q.eq(zero)), zero, out)
}

/// The `a` with `gammainc(a, x) = p`.
#[inline(always)]
pub fn gammainc_shape<R: Real>(p: R, x: R) -> R {
    named!("gammainc_shape", |p, x| gamma_shape(p, R::lit(1.0) - p, x))
}

/// The `a` with `gammaincc(a, x) = q`.
#[inline(always)]
pub fn gammaincc_shape<R: Real>(q: R, x: R) -> R {
    named!("gammaincc_shape", |q, x| gamma_shape(R::lit(1.0) - q, q, x))
}

/// Whether `b > 0`, `0 < x < 1` and `0 < p < 1`.
#[inline(always)]
fn proper<R: Real>(b: R, x: R, p: R) -> R::Mask {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    b.gt(zero).and(b.lt(R::lit(INF))).and(x.gt(zero)).and(x.lt(one)).and(p.gt(zero)).and(p.lt(one))
}

/// The first parameter `a` with `I_x(a, b) = p`.
#[inline(always)]
pub fn btdtria<R: Real>(p: R, b: R, x: R) -> R {
    named!("btdtria", |p, b, x| {
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let inside = proper(b, x, p);
        let (p0, b0, x0) = (R::select(inside, p, half), R::select(inside, b, one), R::select(inside, x, half));
        let out = root(
            b0 * x0 / (one - x0),
            #[inline(always)]
            |a| {
                let slope = shared::betainc_da(a, b0, x0);
                residual(shared::betainc(a, b0, x0), shared::betaincc(a, b0, x0), slope, p0, one - p0)
            },
        );
        R::select(inside, out, R::lit(f64::NAN))
    })
}

/// The second parameter `b` with `I_x(a, b) = p`.
#[inline(always)]
pub fn btdtrib<R: Real>(a: R, p: R, x: R) -> R {
    named!("btdtrib", |a, p, x| {
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let inside = proper(a, x, p);
        let (p0, a0, x0) = (R::select(inside, p, half), R::select(inside, a, one), R::select(inside, x, half));
        let out = root(
            a0 * (one - x0) / x0,
            #[inline(always)]
            |b| {
                let slope = -shared::betainc_db(a0, b, x0);
                residual(shared::betaincc(a0, b, x0), shared::betainc(a0, b, x0), slope, one - p0, p0)
            },
        );
        R::select(inside, out, R::lit(f64::NAN))
    })
}

/// The `a` with `1 - I_x(a, total - a) = y`, between 0 and `total`.
#[inline(always)]
pub fn beta_split<R: Real>(y: R, total: R, x: R) -> R {
    named!("beta_split", |y, total, x| {
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let inside = proper(total, x, y);
        let (y0, t0, x0) = (R::select(inside, y, half), R::select(inside, total, one), R::select(inside, x, half));
        let out = root(
            t0 * x0,
            #[inline(always)]
            |a| {
                let beyond = a.ge(t0);
                let at = R::select(beyond, t0 * half, a);
                let b = t0 - at;
                let slope = shared::betainc_da(at, b, x0) - shared::betainc_db(at, b, x0);
                let (value, slope) =
                    residual(shared::betainc(at, b, x0), shared::betaincc(at, b, x0), slope, one - y0, y0);
                (R::select(beyond, -one, value), R::select(beyond, -(one / a), slope))
            },
        );
        R::select(inside, out.min(t0), R::lit(f64::NAN))
    })
}

/// The `df` with `stdtr(df, t) = p`; NaN where the normal distribution, the limit of large `df`, is beyond `p`.
#[inline(always)]
pub fn stdtridf<R: Real>(p: R, t: R) -> R {
    named!("stdtridf", |p, t| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let upper = t.gt(zero);
        let q = R::select(upper, one - p, p);
        let size = t.abs();
        let inside = size.lt(R::lit(1e150)).and(q.lt(half)).and(q.gt(shared::ndtr(-size)));
        let (q0, square) = (R::select(inside, q, R::lit(0.25)), R::select(inside, size * size, one));
        // From the first term of the expansion about the normal quantile
        let z = -shared::ndtri(q0);
        let gap = R::select(inside, size - z, one).max(R::lit(1e-10));
        let start = (z * (z * z + one) / gap * R::lit(0.25)).min(R::lit(1e10)).max(R::lit(0.05));
        let out = root(
            start,
            #[inline(always)]
            |df| {
                let a = df * half;
                let (x, y) = (df / (df + square), square / (df + square));
                let tail = half * shared::betainc_xy(a, half, x, y);
                let slope =
                    R::lit(0.25) * shared::betainc_da(a, half, x) + half * shared::beta_front(a, half, x, y) / df;
                (shared::log(tail / q0), slope / tail)
            },
        );
        R::select(inside, out, R::lit(f64::NAN))
    })
}

/// Distribution function of Tukey's lambda distribution, whose quantile of `p` is `(p^lambda - (1 - p)^lambda) / lambda`.
#[inline(always)]
pub fn tklmbda<R: Real>(x: R, lambda: R) -> R {
    named!("tklmbda", |x, lambda| {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let y = -x.abs();
        let outside = (lambda * y).le(-one).and(lambda.gt(zero)).or(y.eq(R::lit(-INF)));
        let proper = lambda.abs().lt(R::lit(INF)).and(x.is_nan().not());
        let on = proper.and(outside.not()).and(y.lt(zero));
        let (y0, l0) = (R::select(on, y, -one), R::select(on, lambda, zero));
        // The smaller tail
        let out = root(
            shared::inv_boxcox(y0, l0).min(half).max(R::lit(1e-290)),
            #[inline(always)]
            |t| {
                let t = t.min(half);
                let quantile = shared::boxcox(t, l0) - shared::boxcox1p(-t, l0);
                let log = shared::log1p(-t);
                (y0 - quantile, -(shared::pow(t, l0 - one) + shared::exp((l0 - one) * log)))
            },
        );
        let tail = R::select(on, out.min(half), R::select(outside, zero, half));
        R::select(proper, R::select(x.gt(zero), one - tail, tail), R::lit(f64::NAN))
    })
}
