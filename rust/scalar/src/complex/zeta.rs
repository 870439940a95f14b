//! Riemann's zeta function of a complex argument and its first two derivatives, as one Taylor series in the argument.
//!
//! Laurent's series about the pole (DLMF 25.2.4), the sum of Euler and Maclaurin elsewhere right of the imaginary axis
//! (DLMF 25.2.9) and reflection left of it (DLMF 25.4.1), all in the upper half-plane.

use super::bodies as b;
use super::functions::log_abs_sum;
use super::{Complex, ComplexShortWays, angle, polynomial};
use crate::dd::Dd;
use crate::elementary as e;
use crate::real::{Mask, Real, each};
use crate::shared;
use crate::special::coefficients as c;
use crate::special::{LOG_2PI, exp_times};
use std::f64::consts::{FRAC_PI_2, PI};

const INF: f64 = f64::INFINITY;
const EPS: f64 = f64::EPSILON;
/// Laurent's series serves to this distance from the pole.
const NEAR: f64 = 3.5;
/// Of so many terms at most sums are taken; the function is NaN where they do not suffice.
const LONGEST: f64 = 1048576.0;
/// Stirling's series serves from this magnitude on.
const FROM: f64 = 9.0;

/// Coefficients of a Taylor series in the argument.
type Series<R, const K: usize> = [Complex<R>; K];

#[inline(always)]
fn product<R: Real, const K: usize>(a: Series<R, K>, b: Series<R, K>) -> Series<R, K> {
    each(
        #[inline(always)]
        |n| {
            let mut sum = a[0] * b[n];
            for k in 1..=n {
                sum = sum + a[k] * b[n - k];
            }
            sum
        },
    )
}

/// Places for three coefficients, as the state of a loop or the result of a branch.
#[inline(always)]
fn packed<R: Real, const K: usize>(a: Series<R, K>) -> [R; 6] {
    each(
        #[inline(always)]
        |i| match a.get(i / 2) {
            Some(z) if i % 2 == 0 => z.re,
            Some(z) => z.im,
            None => R::lit(0.0),
        },
    )
}

#[inline(always)]
fn unpacked<R: Real, const K: usize>(parts: &[R]) -> Series<R, K> {
    each(
        #[inline(always)]
        |k| Complex::new(parts[2 * k], parts[2 * k + 1]),
    )
}

/// The series of `first u / (u + e)`, from `r = 1 / u`.
#[inline(always)]
fn over<R: Real, const K: usize>(first: Complex<R>, r: Complex<R>) -> Series<R, K> {
    let mut out = [first; K];
    for k in 1..K {
        out[k] = -(out[k - 1] * r);
    }
    out
}

/// `n^-s` from `log n`; the angle, which is large beside the errors of the result, in two parts.
#[inline(always)]
fn power<R: Real, const K: usize>(log: Dd<R>, s: Complex<R>) -> Series<R, K> {
    let size = e::exp_dd(log.times(-s.re));
    let turn = log.times(s.im);
    let (sin, cos) = e::sin_cos(turn.hi);
    // Of angles with no digits behind the point all is rounded already.
    let lo = R::select(turn.hi.lt(R::lit(1e15)), turn.lo, R::lit(0.0));
    let (sin, cos) = (lo.fma(cos, sin), (-lo).fma(sin, cos));
    let mut out = [Complex::new(size * cos, -(size * sin)); K];
    for k in 1..K {
        out[k] = out[k - 1].scale(log.value() * R::lit(-1.0 / k as f64));
    }
    out
}

/// By the sum of Euler and Maclaurin, for `Re s >= 0` and `Im s >= 0`; `u = s - 1`.
#[inline(always)]
fn summed<R: Real, const K: usize>(s: Complex<R>, u: Complex<R>) -> Series<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let end = s.im.fma(R::lit(0.42), R::lit(if K > 1 { 9.0 } else { 7.0 }));
    // Sums that do not settle before they are too long are not begun.
    let short = end.ge(R::lit(LONGEST));
    let end = R::select(short.and(s.re.lt(R::lit(4.3))), zero, end.min(R::lit(LONGEST)));
    // Derivatives have no term of 1.
    let least = R::lit(EPS / 256.0) * if K > 1 { shared::exp2(-s.re) } else { one };
    let state = R::repeat(
        [R::lit(2.0), one, zero, zero, zero, zero, zero, zero],
        LONGEST as u32,
        #[inline(always)]
        |state| {
            let n = state[0];
            let p = power::<R, K>(e::log_pair(n), s);
            let sum = unpacked::<R, K>(&state[2..]);
            let sum = packed::<R, K>(each(
                #[inline(always)]
                |k| sum[k] + p[k],
            ));
            let (next, last) = (n + one, n * p[0].max_part());
            let more = last.gt(least);
            let open = R::select(more, one, zero);
            ([next, open, sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]], more.and(next.lt(end)))
        },
    );
    let (n, open) = (state[0], state[1].eq(one));
    let sum = unpacked::<R, K>(&state[2..]);
    // n^-s (n/(s - 1) + 1/2 + sum B(2k)/(2k)! s (s + 1) ... (s + 2k - 2) / n^(2k - 1))
    let r = one / n;
    let square = r * r;
    let mut tail = [Complex::lit(0.0, 0.0); K];
    for (k, &coefficient) in c::EULER_MACLAURIN.iter().enumerate().rev() {
        let j = R::lit(2.0 * k as f64);
        let (low, high) = (Complex::new(s.re + j - one, s.im), Complex::new(s.re + j, s.im));
        let factor: Series<R, K> = each(
            #[inline(always)]
            |i| match (k, i) {
                (0, 0) => s,
                (0, 1) => Complex::lit(1.0, 0.0),
                (_, 0) => (low * high).scale(square),
                (_, 1) => (low + high).scale(square),
                (0, _) => Complex::lit(0.0, 0.0),
                _ => Complex::new(square, zero),
            },
        );
        tail[0].re = tail[0].re + R::lit(coefficient);
        tail = product(tail, factor);
    }
    let inverse = u.reciprocal();
    let pole = over::<R, K>(inverse.scale(n), inverse);
    let mut rest: Series<R, K> = each(
        #[inline(always)]
        |k| tail[k].scale(r) + pole[k],
    );
    rest[0].re = rest[0].re + R::lit(0.5);
    let rest = product(rest, power(e::log_pair(n), s));
    let none = Complex::lit(0.0, 0.0);
    let lost = Complex::lit(f64::NAN, f64::NAN);
    let mut out: Series<R, K> = each(
        #[inline(always)]
        |k| sum[k] + Complex::select(open, Complex::select(short, lost, rest[k]), none),
    );
    out[0].re = out[0].re + one;
    out
}

/// For `Re s >= 0`, or nearer to the pole than [`NEAR`], and `Im s >= 0`, where `on`; `u = s - 1`.
#[inline(always)]
fn right<R: Real, const K: usize>(s: Complex<R>, u: Complex<R>, on: R::Mask) -> Series<R, K> {
    let one = R::lit(1.0);
    let near = (u.re * u.re + u.im * u.im).lt(R::lit(NEAR * NEAR)).and(on);
    let parts = R::when(
        near,
        packed::<R, K>([Complex::lit(0.0, 0.0); K]),
        #[inline(always)]
        || {
            let u = Complex::select(near, u, Complex::new(one, one));
            let mut sum = [Complex::lit(0.0, 0.0); K];
            for &coefficient in c::ZETA_LAURENT.iter().rev() {
                for k in (1..K).rev() {
                    sum[k] = sum[k] * u + sum[k - 1];
                }
                sum[0] = sum[0] * u;
                sum[0].re = sum[0].re + R::lit(coefficient);
            }
            let r = u.reciprocal();
            let pole = over::<R, K>(r, r);
            packed::<R, K>(each(
                #[inline(always)]
                |k| sum[k] + pole[k],
            ))
        },
    );
    let far = near.not().and(on);
    unpacked(&R::when(
        far,
        parts,
        #[inline(always)]
        || {
            let two = Complex::lit(2.0, 0.0);
            let s = Complex::select(far, s, Complex::new(two.re, two.re));
            packed::<R, K>(summed(s, Complex::select(far, u, two)))
        },
    ))
}

/// `(2 pi)^-a gamma(a) e^(pi t/2)` for `a = x + it` with `x >= 1` and `t >= 0`: the logarithm of its magnitude and its angle, but for a
/// factor.
#[inline(always)]
fn front<R: Real>(x: R, t: R) -> (Dd<R>, Dd<R>, Complex<R>) {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let far = x.gt(R::lit(FROM)).or(t.gt(R::lit(FROM)));
    // gamma(a) (2 pi)^-a by steps down from where Stirling's series serves
    let [at, pr, pi] = R::repeat(
        [x, one, zero],
        9,
        #[inline(always)]
        |[at, pr, pi]| {
            let go = at.lt(R::lit(FROM)).and(far.not());
            let unit = R::lit(0.5 / PI);
            let next = Complex::new(pr, pi) * Complex::new(at * unit, t * unit);
            let p = Complex::select(go, next, Complex::new(pr, pi));
            ([R::select(go, at + one, at), p.re, p.im], go)
        },
    );
    let a = Complex::new(at, t);
    let inverse = a.reciprocal();
    let tail = inverse * polynomial(inverse.square(), &c::STIRLING);
    let (rise, turn) = (angle(a.swap()), angle(a));
    let log = log_abs_sum(a) - Dd::lit(LOG_2PI.0, LOG_2PI.1);
    // (a - 1/2) (log a - log 2 pi) - a, with t (pi/2 - turn) of the factor e^(pi t/2)
    let size = log.times(at - half) + Dd::two_prod(t, rise);
    let size = size.plus(-at).plus(tail.re);
    let phase = log.plus(-one).times(t) + Dd::two_prod(at - half, turn);
    (size, phase.plus(tail.im), Complex::new(pr, pi).reciprocal())
}

/// `2 (2 pi)^-a gamma(a) sin(pi s/2) zeta(a)` with `a = 1 - s` (DLMF 25.4.1), for `Re s < 0` and `Im s >= 0`, from the series of zeta at
/// the conjugate of `a`.
#[inline(always)]
fn reflected<R: Real, const K: usize>(s: Complex<R>, zeta: Series<R, K>) -> Series<R, K> {
    let one = R::lit(1.0);
    let (x, t) = (one - s.re, s.im);
    let (size, phase, factor) = front(x, t);
    let (sin, cos) = e::sin_cos(phase.hi);
    let direction = Complex::new((-phase.lo).fma(sin, cos), phase.lo.fma(cos, sin));
    // 2 e^(-pi t/2) times sine and cosine
    let half = s.re * R::lit(0.5);
    let (sin, cos) = (shared::sinpi(half), shared::cospi(half));
    let fall = shared::expm1(t * R::lit(-PI));
    let (plus, minus) = (fall + R::lit(2.0), -fall);
    let (sine, cosine) = (Complex::new(sin * plus, cos * minus), Complex::new(cos * plus, -(sin * minus)));
    let wave: Series<R, K> = each(
        #[inline(always)]
        |k| match k {
            0 => sine,
            1 => cosine.scale(R::lit(FRAC_PI_2)),
            _ => sine.scale(R::lit(-FRAC_PI_2 * FRAC_PI_2 / 2.0)),
        },
    );
    let zeta: Series<R, K> = each(
        #[inline(always)]
        |k| if k % 2 == 1 { -zeta[k].conj() } else { zeta[k].conj() },
    );
    let mut front = [(direction * factor).conj(); K];
    if K > 1 {
        let a = Complex::new(x, t);
        let psi = R::shared_complex::<b::Polygamma, 2>([Complex::lit(0.0, 0.0), a]).conj();
        let rate = Complex::new(R::lit(LOG_2PI.0) - psi.re, -psi.im);
        let f = front[0];
        front[1] = f * rate;
        if K > 2 {
            let bend = R::shared_complex::<b::Polygamma, 2>([Complex::lit(1.0, 0.0), a]).conj();
            front[2] = (f * (rate * rate + bend)).scale(R::lit(0.5));
        }
    }
    let out: Series<R, K> = product(product(front, wave), zeta);
    each(
        #[inline(always)]
        |k| Complex::new(exp_times(size, out[k].re), exp_times(size, out[k].im)),
    )
}

/// The `K - 1`-th derivative, on the real line by `line`.
#[inline(always)]
fn derivative<R: Real, const K: usize>(s: Complex<R>, line: impl Fn(R) -> R) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (x, size) = (s.re, s.im.abs());
    let on = x.abs().lt(R::lit(INF)).and(size.lt(R::lit(INF))).and(size.gt(zero));
    // The angles of powers stay finite.
    let t = R::select(on, size.min(R::lit(1e300)), one);
    // Next to 0 both factors of a reflection have derivatives that cancel.
    let by_pole = x.gt(R::lit(-0.5)).and(t.lt(one));
    let left = x.lt(zero).and(on).and(by_pole.not());
    let turned = R::select(left, one - x, x);
    let value = right::<R, K>(Complex::new(turned, t), Complex::new(R::select(left, -x, x - one), t), on);
    let parts = R::when(
        left,
        packed::<R, K>(value),
        #[inline(always)]
        || {
            let s = Complex::select(left, Complex::new(x, t), Complex::lit(-1.0, 1.0));
            packed::<R, K>(reflected(s, value))
        },
    );
    let out = unpacked::<R, K>(&parts)[K - 1].scale(R::lit(if K > 2 { 2.0 } else { 1.0 }));
    let real = s.im.eq(zero);
    let [re] = R::when(
        real,
        [out.re],
        #[inline(always)]
        || [line(x)],
    );
    let out = Complex::new(re, R::select(real, s.im, out.im * R::lit(1.0).copysign(s.im)));
    let limit = Complex::new(R::lit(if K == 1 { 1.0 } else { 0.0 }), zero.copysign(s.im));
    let end = Complex::select(x.eq(R::lit(INF)).and(size.lt(R::lit(INF))), limit, Complex::lit(f64::NAN, f64::NAN));
    Complex::select(on.or(real), out, end)
}

/// Lanes by the number of their terms.
pub struct ByTerms;

impl ComplexShortWays<1> for ByTerms {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, [s]: [Complex<R>; 1]) -> (Complex<R>, R) {
        let side = R::select(s.re.lt(R::lit(0.0)), R::lit(61.0), R::lit(0.0));
        let size = (s.im.abs().sqrt() * R::lit(3.0)).floor();
        let size = R::select(size.lt(R::lit(60.0)), size, R::lit(60.0));
        (Complex::lit(0.0, 0.0), size + side + R::lit(1.0))
    }
}

/// Riemann's zeta function (DLMF 25.2.1).
#[inline(always)]
pub fn riemann_zeta<R: Real>(s: Complex<R>) -> Complex<R> {
    derivative::<R, 1>(s, shared::riemann_zeta)
}

/// The first derivative of [`riemann_zeta`].
#[inline(always)]
pub fn riemann_zeta_ds<R: Real>(s: Complex<R>) -> Complex<R> {
    derivative::<R, 2>(s, shared::riemann_zeta_ds)
}

/// The second derivative of [`riemann_zeta`].
#[inline(always)]
pub fn riemann_zeta_dss<R: Real>(s: Complex<R>) -> Complex<R> {
    derivative::<R, 3>(s, shared::riemann_zeta_dss)
}
