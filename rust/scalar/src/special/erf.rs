//! The error function, its complements and inverses, and the normal distribution.

use super::coefficients as c;
use super::pieces::octaves_sum;
use super::tables::NDTRI_EXP;
use crate::dd::Dd;
use crate::elementary as e;
use crate::named;
use crate::real::{Bits, Mask, Real, Rows};
use crate::shared;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, SQRT_2};

const INF: f64 = f64::INFINITY;
/// `sqrt(pi) / 2` in two parts.
const HALF_ROOT_PI: (f64, f64) = (0.886226925452758, -3.8345995500705094e-17);
/// Below this magnitude the series of erfinv serves.
const INVERSE_SERIES_TO: f64 = 0.53;
/// Below this magnitude the series of erf serves, for erfc as well.
const SERIES_TO: f64 = 1.0;
/// erf is 1 from here on.
const ERF_ONE: f64 = 6.0;
/// erfc underflows beyond.
const ERFC_ZERO: f64 = 27.3;
/// From here on half of erfc is inverted without a logarithm.
const QUANTILE_FROM: f64 = 1.0 / 1024.0;
/// The normal density underflows beyond.
const DENSITY_ZERO: f64 = 38.6;
/// `1 / sqrt(2 pi)` in two parts.
const INVERSE_ROOT_2PI: (f64, f64) = (0.3989422804014327, -2.49232720227773e-17);

/// erf of `|x| < 1`, as `x` times a polynomial about the middle of `x^2`.
#[inline(always)]
fn erf_core<R: Real>(x: R) -> Dd<R> {
    let [head, low, slope, rest @ ..] = &c::ERF;
    let z = x * x;
    let t = z - R::lit(0.5);
    let bend = t.fma(e::polynomial(t, rest), R::lit(*low));
    let step = Dd::two_prod(t, R::lit(*slope));
    let sum = Dd::fast_two_sum(R::lit(*head), step.hi);
    // with what rounding of the square left
    let low = sum.lo + (step.lo + x.fma(x, -z).fma(R::lit(*slope), bend));
    let lead = Dd::two_prod(x, sum.hi);
    Dd::new(lead.hi, x.fma(low, lead.lo))
}

/// A table of polynomials on eighths of octaves from `2^first` on, at an `x` that it covers.
#[inline(always)]
pub(super) fn octave_row<R: Real, const C: usize>(table: &'static Rows<14, C>, first: i64, x: R) -> Dd<R> {
    // Three bits of the fraction beside the exponent name the row; with the next bit set they are its middle.
    let bits = x.to_bits().shr(49);
    let row = bits.sub(R::Bits::lit((1023 + first) << 3));
    let t = x - R::from_bits(bits.shl(49).or(R::Bits::lit(1 << 48)));
    let slope = e::two_chains::<R, 2, 14>(
        t,
        #[inline(always)]
        |k| R::column(table, k, row),
    );
    let sum = Dd::fast_two_sum(R::column(table, 0, row), slope * t);
    Dd::new(sum.hi, sum.lo + R::column(table, 1, row))
}

/// erfcx of `0.5 <= x < 32`.
#[inline(always)]
fn erfcx_core<R: Real>(x: R) -> Dd<R> {
    octave_row(&c::ERFCX, -1, x)
}

/// erfcx of `0.5 <= x`.
#[inline(always)]
fn erfcx_right<R: Real>(x: R) -> R {
    let far = x.ge(R::lit(31.0));
    let [out] = R::when(
        far.not(),
        [x],
        #[inline(always)]
        || [erfcx_core(R::select(far, R::lit(31.0), x)).value()],
    );
    let [out] = R::when(
        far,
        [out],
        #[inline(always)]
        || {
            // DLMF 7.12.1
            let r = R::lit(1.0) / x;
            let z = r * r;
            let series = e::polynomial(z, &[1.0, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875]);
            [R::lit(FRAC_2_SQRT_PI / 2.0) * r * series]
        },
    );
    out
}

/// `e^-t` times a sum.
#[inline(always)]
fn fallen<R: Real>(t: Dd<R>, sum: Dd<R>) -> R {
    let (k, r) = e::reduce_ln2(-t);
    (e::exp_reduced(r).normalize() * sum).value().scale(k)
}

/// `e^(-x^2)` times a sum.
#[inline(always)]
fn bell_times<R: Real>(x: R, sum: Dd<R>) -> R {
    fallen(Dd::two_prod(x, x), sum)
}

/// `e^(-x^2)`.
#[inline(always)]
pub fn bell<R: Real>(x: R) -> R {
    named!("bell", |x| {
        let y = x.abs();
        let far = y.ge(R::lit(ERFC_ZERO));
        let near = bell_times(R::select(far, R::lit(0.0), y), Dd::lit(1.0, 0.0));
        R::select(far, R::lit(0.0), near)
    })
}

/// The standard normal density.
#[inline(always)]
pub fn normal_density<R: Real>(x: R) -> R {
    named!("normal_density", |x| {
        let y = x.abs();
        let far = y.ge(R::lit(DENSITY_ZERO));
        let inside = R::select(far, R::lit(0.0), y);
        let square = Dd::two_prod(inside, inside).times_pow2(R::lit(0.5));
        R::select(far, R::lit(0.0), fallen(square, Dd::lit(INVERSE_ROOT_2PI.0, INVERSE_ROOT_2PI.1)))
    })
}

/// erfc of `0.5 <= x` as `e^(-x^2) erfcx(x)`; zero beyond the range.
#[inline(always)]
fn erfc_tail<R: Real>(x: R) -> R {
    let inside = R::select(x.lt(R::lit(ERFC_ZERO)), x, R::lit(1.0));
    R::select(x.lt(R::lit(ERFC_ZERO)), bell_times(inside, erfcx_core(inside)), R::lit(0.0))
}

/// erfc of `|x| < 1`.
#[inline(always)]
fn erfc_near<R: Real>(x: R) -> R {
    let core = erf_core(x);
    let head = Dd::fast_two_sum(R::lit(1.0), -core.hi);
    head.hi + (head.lo - core.lo)
}

/// Error function.
#[inline(always)]
pub fn erf<R: Real>(x: R) -> R {
    named!("erf", |x| {
        let y = x.abs();
        let one = R::lit(1.0);
        let near = y.lt(R::lit(SERIES_TO));
        let core = erf_core(R::select(near, x, R::lit(0.0))).value();
        let [out] = R::when(
            near.not(),
            [core],
            #[inline(always)]
            || [(one - erfc_tail(R::select(near, one, y).min(R::lit(ERF_ONE)))).copysign(x)],
        );
        R::select(x.is_nan().or(x.eq(R::lit(0.0))), x, out)
    })
}

/// `1 - erf(x)` without cancellation.
#[inline(always)]
pub fn erfc<R: Real>(x: R) -> R {
    named!("erfc", |x| {
        let y = x.abs();
        let one = R::lit(1.0);
        let near = y.lt(R::lit(SERIES_TO));
        let inner = erfc_near(R::select(near, x, R::lit(0.0)));
        let [out] = R::when(
            near.not(),
            [inner],
            #[inline(always)]
            || {
                let tail = erfc_tail(R::select(near, one, y));
                [R::select(x.lt(R::lit(0.0)), R::lit(2.0) - tail, tail)]
            },
        );
        R::select(x.is_nan(), x, out)
    })
}

/// `e^(x^2) erfc(x)`.
#[inline(always)]
pub fn erfcx<R: Real>(x: R) -> R {
    named!("erfcx", |x| {
        let y = x.abs();
        let half = R::lit(0.5);
        let near = y.lt(half);
        let right = erfcx_right(R::select(near, half, y));
        let [out] = R::when(
            x.lt(half),
            [right],
            #[inline(always)]
            || {
                // e^(x^2), with the rounding of the square put back
                let bound = R::select(y.lt(R::lit(27.0)), y, R::lit(27.0));
                let square = bound * bound;
                let growth = e::exp(square);
                let growth = growth.fma(bound.fma(bound, -square), growth);
                let inner = growth * erfc_near(R::select(near, x, R::lit(0.0)));
                let left = R::select(x.lt(R::lit(-26.9)), R::lit(INF), growth + growth - right);
                [R::select(near, inner, left)]
            },
        );
        R::select(x.is_nan(), x, out)
    })
}

/// `-ndtri(e^-y)` for `1 <= y < 1024`.
#[inline(always)]
fn quantile<R: Real>(y: Dd<R>) -> Dd<R> {
    let s = y.hi.sqrt();
    octaves_sum(0, &NDTRI_EXP, s, ((-s).fma(s, y.hi) + y.lo) / (s + s))
}

/// `-ndtri(q / 2)` for `0 < q < 1/2`: from a table of its own, or by the logarithm far out.
#[inline(always)]
fn tail_quantile<R: Real>(q: R) -> Dd<R> {
    let far = q.lt(R::lit(QUANTILE_FROM));
    let near = octave_row(&c::NDTRI_TAIL, -10, R::select(far, R::lit(0.25), q));
    let [hi, lo] = R::when(
        far,
        [near.hi, near.lo],
        #[inline(always)]
        || {
            let log = -e::log_pair(R::select(far, q, R::lit(QUANTILE_FROM)));
            let out = quantile(Dd::fast_two_sum(log.hi, log.lo + R::lit(LN_2)));
            [out.hi, out.lo]
        },
    );
    Dd::new(hi, lo)
}

/// Inverse of erfc for `0 < q <= 0.47`.
#[inline(always)]
fn erfcinv_tail<R: Real>(q: R) -> R {
    (tail_quantile(q) * Dd::lit(FRAC_1_SQRT_2, -4.833646656726457e-17)).value()
}

/// Inverse of erf for `|p| <= 0.53`.
#[inline(always)]
fn erfinv_core<R: Real>(p: R) -> R {
    let z = p * p;
    let out = p.fma(R::lit(HALF_ROOT_PI.0), p * z.fma(e::polynomial(z, &c::ERFINV), R::lit(HALF_ROOT_PI.1)));
    // the sign of zero
    R::select(p.eq(R::lit(0.0)), p, out)
}

/// Inverse of erf; infinite at -1 and 1.
#[inline(always)]
pub fn erfinv<R: Real>(x: R) -> R {
    named!("erfinv", |x| {
        let one = R::lit(1.0);
        let y = x.abs();
        let core = y.lt(R::lit(INVERSE_SERIES_TO));
        let inner = erfinv_core(R::select(core, x, R::lit(0.0)));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), one - y)).copysign(x);
        let out = R::select(core, inner, tail);
        let out = R::select(y.eq(one), R::lit(INF).copysign(x), out);
        R::select(y.le(one), out, R::lit(f64::NAN))
    })
}

/// Inverse of erfc; infinite at 0 and 2.
#[inline(always)]
pub fn erfcinv<R: Real>(x: R) -> R {
    named!("erfcinv", |x| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let left = x.gt(one);
        let q = R::select(left, two - x, x);
        let core = q.gt(R::lit(1.0 - INVERSE_SERIES_TO));
        let inner = -erfinv_core(R::select(core, x - one, zero));
        let tail = erfcinv_tail(R::select(core, R::lit(0.25), q));
        let out = R::select(core, inner, R::select(left, -tail, tail));
        let out = R::select(q.eq(zero), R::select(left, R::lit(-INF), R::lit(INF)), out);
        R::select(q.ge(zero), out, R::lit(f64::NAN))
    })
}

/// Standard normal distribution function.
#[inline(always)]
pub fn ndtr<R: Real>(x: R) -> R {
    named!("ndtr", |x| R::lit(0.5) * erfc(x * R::lit(-FRAC_1_SQRT_2)))
}

/// Logarithm of the standard normal distribution function.
#[inline(always)]
pub fn log_ndtr<R: Real>(x: R) -> R {
    named!("log_ndtr", |x| {
        let (half, one) = (R::lit(0.5), R::lit(1.0));
        let t = x * R::lit(FRAC_1_SQRT_2);
        let y = t.abs();
        // log(erfcx / 2) - t^2 on the left, log(1 - erfc / 2) on the right
        let left = x.lt(-one);
        let near = y.lt(R::lit(SERIES_TO)).and(left.not());
        // The rest of 1 underflows far on the right, and keeps its sign.
        let [out] = R::when(
            left.or(y.lt(R::lit(ERFC_ZERO))),
            [R::lit(-0.0)],
            #[inline(always)]
            || {
                let [scaled] = R::when(
                    near.not(),
                    [one],
                    #[inline(always)]
                    || [erfcx_right(R::select(near, one, y))],
                );
                let [small] = R::when(
                    near,
                    [half],
                    #[inline(always)]
                    || [erfc_near(R::select(near, t, R::lit(0.0))) * -half],
                );
                let [small] = R::when(
                    left.or(near).not(),
                    [small],
                    #[inline(always)]
                    || {
                        let inside = R::select(y.lt(R::lit(ERFC_ZERO)), y, R::lit(ERFC_ZERO));
                        let tail = bell_times(inside, Dd::new(scaled, R::lit(0.0)));
                        [tail * -half]
                    },
                );
                // Far left the square leaves nothing of it.
                let scaled = scaled.max(R::lit(1e-12));
                let z = Dd::select(left, Dd::two_sum(scaled, -one), Dd::new(small, R::lit(0.0)));
                let log = e::log1p_sum(z, R::select(left, -one, R::lit(0.0))).value();
                // A tail that underflows keeps its sign.
                let right = R::select(small.eq(R::lit(0.0)), small, log);
                [R::select(left, log - x * half * x, right)]
            },
        );
        R::select(x.eq(R::lit(-INF)).or(x.is_nan()), x, out)
    })
}

/// Inverse of [`ndtr`].
#[inline(always)]
pub fn ndtri<R: Real>(x: R) -> R {
    named!("ndtri", |x| {
        let half = R::lit(0.5);
        let left = x.le(half);
        let p = R::select(left, x, R::lit(1.0) - x);
        let core = p.gt(R::lit(0.5 - 0.5 * INVERSE_SERIES_TO));
        // 2 (x - 1/2) is exact where the root is near.
        let inner = erfinv_core(R::select(core, (x - half) * R::lit(2.0), R::lit(0.0))) * R::lit(SQRT_2);
        let tail = tail_quantile(R::select(core, R::lit(0.125), p) * R::lit(2.0)).value();
        let out = R::select(core, inner, R::select(left, -tail, tail));
        let out = R::select(p.eq(R::lit(0.0)), R::select(left, R::lit(-INF), R::lit(INF)), out);
        R::select(p.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}

/// The `x` with `log_ndtr(x) = y`.
#[inline(always)]
pub fn ndtri_exp<R: Real>(y: R) -> R {
    named!("ndtri_exp", |y| {
        let (zero, inf) = (R::lit(0.0), R::lit(INF));
        // From either side of 1; below by a fit, and far out by iteration.
        let right = y.gt(R::lit(-0.3));
        let tail = y.lt(R::lit(-1.5)).and(y.gt(-inf));
        let [near] = R::when(
            tail.not(),
            [y],
            #[inline(always)]
            || {
                let p = shared::ndtri(R::select(right, -shared::expm1(y), shared::exp(y)));
                [R::select(right, -p, p)]
            },
        );
        let fitted = tail.and(y.gt(R::lit(-1024.0)));
        let [near] = R::when(
            fitted,
            [near],
            #[inline(always)]
            || [-quantile(Dd::new(R::select(fitted, -y, R::lit(4.0)), zero)).value()],
        );
        let far = tail.and(fitted.not());
        let [out] = R::when(
            far,
            [near],
            #[inline(always)]
            || {
                // t^2 = -y - log 2 + log erfcx(t) with x = -sqrt(2) t, where erfcx(t) is about 1 / (sqrt(pi) t).
                let l = R::select(far, -y, R::lit(2000.0)) - R::lit(LN_2);
                let mut t = l.sqrt();
                for _ in 0..4 {
                    t = (l + shared::log(shared::erfcx(t))).sqrt();
                }
                [t * R::lit(-SQRT_2)]
            },
        );
        let out = R::select(y.eq(zero), inf, R::select(y.eq(-inf), y, out));
        R::select(y.le(zero), out, R::lit(f64::NAN))
    })
}

/// `e^(x^2)` times the `n`-th repeated integral of erfc (DLMF 7.18.2), for integral `n >= 0`: the derivatives of erfcx over
/// `(-2)^n n!`.
#[inline(always)]
pub fn ierfcx<R: Real>(n: R, x: R) -> R {
    named!("ierfcx", |n, x| {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let left = x.lt(R::lit(0.5));
        // i^n = i^(n-2) / 2n - x i^(n-1) / n, from i^(-1) = 2 / sqrt(pi).
        let start = R::select(left, shared::erfcx(x), one);
        let [_, value, _] = R::repeat(
            [zero, start, R::lit(FRAC_2_SQRT_PI)],
            64,
            #[inline(always)]
            |[k, value, before]| {
                let go = k.lt(n).and(left);
                let next = k + one;
                let stepped = (before * R::lit(0.5) - x * value) / next;
                ([R::select(go, next, k), R::select(go, stepped, value), R::select(go, value, before)], go)
            },
        );
        let [out] = R::when(
            left.not(),
            [value],
            #[inline(always)]
            || {
                // The integral of t^n / n! e^(-t^2 - 2xt) by Gauss' rule on panels that grow by the factor 3.
                let x = R::select(left, one, x);
                let width = R::lit(1.4) / (x + x + R::lit(2.1)) * (n * R::lit(0.1) + one);
                let [_, _, sum] = R::repeat(
                    [zero, width, zero],
                    12,
                    #[inline(always)]
                    |[begin, width, sum]| {
                        let [panel, last] = R::over_rows(
                            &c::GAUSS,
                            [zero; 2],
                            #[inline(always)]
                            |[panel, _], [node, weight]| {
                                let t = width.fma(node, begin);
                                let value = shared::exp(-(t * (t + x + x))) * shared::pow(t, n);
                                [value.fma(weight, panel), value]
                            },
                        );
                        let sum = width.fma(panel, sum);
                        let next = begin + width;
                        ([next, two * next, sum], (last * next).gt(sum * R::lit(f64::EPSILON / 4.0)))
                    },
                );
                [R::lit(FRAC_2_SQRT_PI) * sum * shared::rgamma(n + one)]
            },
        );
        let out = R::select(left, value, out);
        R::select(x.eq(R::lit(INF)), zero, R::select(n.eq(zero), shared::erfcx(x), out))
    })
}

/// `phi(x) / Phi(x)` of the normal distribution, the derivative of [`log_ndtr`].
#[inline(always)]
pub fn inverse_mills<R: Real>(x: R) -> R {
    named!("inverse_mills", |x| {
        let scaled = shared::erfcx(x * R::lit(-FRAC_1_SQRT_2));
        let left = R::lit(FRAC_2_SQRT_PI * FRAC_1_SQRT_2) / scaled;
        // On the right erfcx overflows before the ratio underflows.
        let right = shared::normal_density(x) / shared::ndtr(x);
        let out = R::select(x.gt(R::lit(1.0)), right, left);
        R::select(x.eq(R::lit(-INF)), -x, R::select(x.is_nan(), x, out))
    })
}

/// `x + phi(x) / Phi(x)`, what the left tail leaves of both.
#[inline(always)]
pub fn mills_gap<R: Real>(x: R) -> R {
    named!("mills_gap", |x| {
        let t = x * R::lit(-FRAC_1_SQRT_2);
        let left = R::lit(SQRT_2) * shared::ierfcx(R::lit(1.0), t) / shared::erfcx(t);
        let out = R::select(x.lt(R::lit(0.0)), left, x + shared::inverse_mills(x));
        R::select(x.eq(R::lit(-INF)), R::lit(0.0), out)
    })
}
