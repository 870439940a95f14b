//! Derivatives of the beta function.
//!
//! For `s = a + b` they are the function times `psi(a) - psi(s)`, `(psi(a) - psi(s))^2 + psi'(a) - psi'(s)` and
//! `(psi(a) - psi(s)) (psi(b) - psi(s)) - psi'(s)`. Next to poles of the gamma function of `s`, which the function does not have, and of
//! both parameters they cancel, the mixed one next to the axes too: it has as many digits less as a parameter next to 0 has before its
//! own. Divided differences of the digamma function have them all, being sums of `1 / ((k + x) (k + y) ...)`.

use super::gamma::BERNOULLI;
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real, inlined, mapped};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, PI};

/// So close to a pole a parameter is next to it.
const NEAR: f64 = 0.25;
/// Poles of both parameters are taken out of the function down to here.
const FARTHEST: f64 = -60.0;
/// By which derivative: in the first parameter, twice, and mixed.
const FIRST: usize = 0;
const SECOND: usize = 1;
const MIXED: usize = 2;
/// Sums are taken term by term to this argument, from where on there are as many steps at most.
const FROM: usize = 17;
const STEPS: u32 = 1000;
/// `psi^(j)(17) / j!` for `j >= 1`.
const AT_17: [f64; 11] = [
    0.060587533403239364,
    -0.001834864436979481,
    7.406808756486981e-5,
    -3.362627917076576e-6,
    1.62788451272536e-7,
    -8.206649958591876e-9,
    4.2541412566109097e-10,
    -2.250517834764025e-11,
    1.2091012867795478e-12,
    -6.57519689584852e-14,
    3.6106973366570605e-15,
];
/// Derivatives of the digamma function that count from there on, and terms of them.
const ORDERS: usize = 10;
const TERMS: usize = 8;

/// The divided difference of the digamma function at `17` plus these.
#[inline(always)]
fn beyond<R: Real, const N: usize>(nodes: [R; N]) -> R {
    // Complete homogeneous symmetric polynomials
    let mut h = [R::lit(0.0); AT_17.len()];
    h[0] = R::lit(1.0);
    for d in nodes {
        for r in 1..h.len() {
            h[r] = d.fma(h[r - 1], h[r]);
        }
    }
    let mut sum = R::lit(0.0);
    for j in (N - 1..=AT_17.len()).rev() {
        sum = h[j - (N - 1)].fma(R::lit(AT_17[j - 1]), sum);
    }
    sum
}

/// The mixed derivative where both parameters are next to 0: with `T` and `Q` for the divided differences at `1 + a, 1 + b, 1 + s` and
/// again `1 + s`, `Gamma(1 + a) Gamma(1 + b) / Gamma(1 + s) (s psi[1 + a, 1 + s] psi[1 + b, 1 + s] - 2 T - s Q)`.
#[inline(always)]
fn both<R: Real>(a: R, b: R) -> R {
    let one = R::lit(1.0);
    let s = a + b;
    let mut sums = [beyond([b, s]), beyond([a, s]), beyond([a, b, s]), beyond([a, b, s, s])];
    for k in (1..FROM).rev() {
        let k = R::lit(k as f64);
        let [x, y, z] = mapped(
            [a, b, s],
            #[inline(always)]
            |v| one / (k + v),
        );
        let terms = [y * z, x * z, -(x * y * z), x * y * z * z];
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum = *sum + term;
        }
    }
    let [low, high, second, third] = sums;
    let front = shared::gamma(one + a) * shared::gamma(one + b) * shared::rgamma(one + s);
    front * (s * (low * high - third) - (second + second))
}

/// Where `a` alone is, of `b` above `-STEPS`: `a B(a, b) ((psi(s) - psi(1 + a)) psi[b, s] - psi[b, s, s])`, of which the terms next to a
/// pole of `b` are added up by hand.
#[inline(always)]
fn beside<R: Real>(a: R, b: R, on: R::Mask) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (a, b) = (R::select(on, a, R::lit(0.125)), R::select(on, b, R::lit(FROM as f64)));
    let from = R::lit(FROM as f64);
    let pole = R::select(b.lt(R::lit(0.5)), (-b).round(), -one);
    let [count, mut first, mut second, inverse] = R::repeat(
        [zero; 4],
        STEPS + 20,
        #[inline(always)]
        |[k, first, second, inverse]| {
            let p = b + k;
            let go = p.lt(from);
            let (x, y) = (one / p, one / (p + a));
            let counts = go.and(k.ne(pole));
            let add = inlined(
                #[inline(always)]
                |sum: R, term: R| R::select(counts, sum + term, sum),
            );
            let state = [R::select(go, k + one, k), add(first, x * y), add(second, -(x * y * y)), add(inverse, y)];
            (state, go)
        },
    );
    let x = b + count;
    // Taylor series of psi, of which the derivatives come of DLMF 5.15.8
    let (inverse_x, square) = (one / x, one / (x * x));
    let mut power = inverse_x;
    let (mut step, mut last) = (one, zero);
    let mut sums = [zero; 2];
    for j in 1..=ORDERS {
        let mut sum = zero;
        for (i, bernoulli) in BERNOULLI[..TERMS].iter().enumerate().rev() {
            let twice = 2 * (i + 1);
            let rise = (1..j).fold(1.0, |r, m| r * (twice + m) as f64 / (m + 1) as f64);
            sum = sum.fma(square, R::lit(bernoulli * rise));
        }
        let value = sum.fma(square, inverse_x.fma(R::lit(0.5), R::lit(1.0 / j as f64))) * power;
        let value = if j % 2 == 0 { -value } else { value };
        sums[0] = value.fma(step, sums[0]);
        sums[1] = (value * last).fma(R::lit((j - 1) as f64), sums[1]);
        power = power * inverse_x;
        (last, step) = (step, step * a);
    }
    (first, second) = (first + sums[0], second + sums[1]);
    let gap = shared::digamma(x + a) - inverse - shared::digamma(one + a);
    let known = pole.ge(zero);
    let p = R::select(known, b + pole, one);
    let q = p + a;
    let product = one / (p * q);
    let plain = gap * first - second;
    let poles = plain - first / q + gap * product;
    let tiny = a.abs().lt(R::lit(1e-290));
    let front = R::select(tiny, one, a * shared::beta(R::select(tiny, one, a), b));
    front * R::select(known, poles, plain)
}

/// The derivatives where both parameters are next to poles, `a = p - n` and `b = q - m`: of `F (1/p + 1/q)` for
/// `F = Gamma(1 + p) Gamma(1 + q) / Gamma(1 + p + q)` times a product over `k` to `n + m`.
#[inline(always)]
fn between<R: Real, const WHICH: usize>([p, n]: [R; 2], [q, m]: [R; 2], on: R::Mask) -> R {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let s = p + q;
    let all = n + m;
    // The product, the logarithmic derivatives in p and q, and the derivative of the first one in p, or in q
    let [_, product, in_p, in_q, bend] = R::repeat(
        [one, one, zero, zero, zero],
        (-2.0 * FARTHEST) as u32 + 2,
        #[inline(always)]
        |[k, product, in_p, in_q, bend]| {
            let go = k.le(all);
            let (x, y, z) = (p - k, q - k, one / (s - k));
            let (of_p, of_q) = (k.le(n), k.le(m));
            let ratio = one / (R::select(of_p, x, q - (k - n)) * z);
            let along = R::select(of_p, -(q * z / x), z);
            let across = R::select(of_q, -(p * z / y), z);
            let square = z * z;
            let turn = R::select(of_p, q * (x + (s - k)) * square / (x * x), -square);
            let turn = if WHICH == MIXED { -square } else { turn };
            let pick = inlined(
                #[inline(always)]
                |v: R, other: R| R::select(go, v, other),
            );
            let next = [
                k + one,
                pick(product * ratio, product),
                pick(in_p + along, in_p),
                pick(in_q + across, in_q),
                pick(bend + turn, bend),
            ];
            (next, k.lt(all).and(on))
        },
    );
    let gammas = shared::gamma(one + p) * shared::gamma(one + q) * shared::rgamma(one + s);
    let f = gammas * product;
    let low = in_p - shared::polygamma_step(zero, one + p, q);
    let (x, y) = (one / p, one / q);
    match WHICH {
        FIRST => f * (low * (x + y) - x * x),
        SECOND => {
            let curve = low * low + (bend - shared::polygamma_step(one, one + p, q));
            f * (curve * (x + y) - two * x * x * (low - x))
        }
        _ => {
            let high = in_q - shared::polygamma_step(zero, one + q, p);
            let curve = low * high + (bend - shared::trigamma(one + s));
            f * (curve * (x + y) - low * (y * y) - high * (x * x))
        }
    }
}

/// The derivatives where `s` is next to a pole and the parameters are not, by its reciprocal gamma function: the reflected function
/// (DLMF 5.5.3) times sine and cosine.
#[inline(always)]
fn reflected<R: Real, const WHICH: usize>(a: R, b: R) -> R {
    let (one, two) = (R::lit(1.0), R::lit(2.0));
    let s = Dd::two_sum(a, b);
    let rest = one - s.hi;
    let (low, high) = (a.min(b), a.max(b));
    let front = R::lit(PI) * shared::beta(high, rest) / shared::sinpi(low);
    let (sine, cosine) = (shared::sinpi(s.hi), shared::cospi(s.hi));
    let [sine, cosine] =
        [(s.lo * R::lit(PI)).fma(cosine, sine) * R::lit(FRAC_1_PI), (s.lo * R::lit(-PI)).fma(sine, cosine)];
    // The function over `Gamma(a) Gamma(b)` and its derivatives, over the front
    let psi = shared::digamma(rest);
    let slope = cosine - sine * psi;
    let bend = if WHICH == FIRST {
        slope
    } else {
        sine * (psi * psi + shared::trigamma(rest) - R::lit(PI * PI)) - two * cosine * psi
    };
    let x = shared::digamma(a);
    front
        * match WHICH {
            FIRST => x.fma(sine, slope),
            SECOND => (x * x + shared::trigamma(a)).fma(sine, two * x * slope) + bend,
            _ => {
                let y = shared::digamma(b);
                (x * y).fma(sine, (x + y) * slope) + bend
            }
        }
}

/// The distance from the next pole of the gamma function, 1 where there is none.
#[inline(always)]
fn from_pole<R: Real>(x: R) -> R {
    R::select(x.lt(R::lit(0.5)), (x - x.round()).abs(), R::lit(1.0))
}

#[inline(always)]
fn slope<R: Real, const WHICH: usize>(a: R, b: R) -> R {
    let (zero, near) = (R::lit(0.0), R::lit(NEAR));
    let mixed = R::Mask::lit(WHICH == MIXED);
    let swap = mixed.and(b.abs().lt(a.abs()));
    let (a, b) = (R::select(swap, b, a), R::select(swap, a, b));
    let [to_a, to_b, to_s] = mapped([a, b, a + b], from_pole);
    let near_both = to_a.lt(near).and(to_b.lt(near)).and(a.min(b).gt(R::lit(FARTHEST)));
    let origin = mixed.and(near_both).and(a.abs().max(b.abs()).lt(near));
    let axis = mixed.and(a.abs().lt(near)).and(b.gt(R::lit(-f64::from(STEPS)))).and(origin.not());
    let between_poles = near_both.and(origin.or(axis).not());
    // A sum next to a pole because both are next to one has none of its own.
    let of_sum = to_s.lt(to_a.min(to_b) * R::lit(0.5)).and(near_both.or(axis).not());
    let usual = near_both.or(axis).or(of_sum).not();
    let pick = inlined(
        #[inline(always)]
        |on: R::Mask, v: R, other: f64| R::select(on, v, R::lit(other)),
    );
    let mut out = R::when(
        usual,
        [zero],
        #[inline(always)]
        || {
            let (a, b) = (pick(usual, a, 1.0), pick(usual, b, 1.0));
            let (y, step) = (shared::beta(a, b), shared::polygamma_step(zero, a, b));
            let factor = match WHICH {
                FIRST => -step,
                SECOND => step * step - shared::polygamma_step(R::lit(1.0), a, b),
                _ => step * shared::polygamma_step(zero, b, a) - shared::trigamma(a + b),
            };
            // What has vanished, or is at its limit, stays so.
            [R::select(y.eq(zero), zero, y * factor)]
        },
    );
    out = R::when(
        of_sum,
        out,
        #[inline(always)]
        || [R::select(of_sum, reflected::<R, WHICH>(pick(of_sum, a, 1.5), pick(of_sum, b, -2.5)), out[0])],
    );
    out = R::when(
        between_poles,
        out,
        #[inline(always)]
        || {
            let part = inlined(
                #[inline(always)]
                |v: R| {
                    let v = pick(between_poles, v, 0.125);
                    [v - v.round(), -v.round()]
                },
            );
            [R::select(between_poles, between::<R, WHICH>(part(a), part(b), between_poles), out[0])]
        },
    );
    if WHICH == MIXED {
        out = R::when(
            origin,
            out,
            #[inline(always)]
            || [R::select(origin, both(pick(origin, a, 0.0), pick(origin, b, 0.0)), out[0])],
        );
        out = R::when(
            axis,
            out,
            #[inline(always)]
            || [R::select(axis, beside(a, b, axis), out[0])],
        );
    }
    // Of a pole in the numerator alone
    let pole = to_a.min(to_b).eq(zero).and(to_s.max(to_a.max(to_b)).eq(zero).or(to_s.ne(zero)));
    R::select(pole.or(a.is_nan()).or(b.is_nan()), R::lit(f64::NAN), out[0])
}

/// The derivative of the beta function in its first parameter, NaN at its poles.
#[inline(always)]
pub fn beta_da<R: Real>(a: R, b: R) -> R {
    named!("beta_da", |a, b| slope::<R, FIRST>(a, b))
}

/// The second one.
#[inline(always)]
pub fn beta_daa<R: Real>(a: R, b: R) -> R {
    named!("beta_daa", |a, b| {
        // Its residue at -1 is linear in the other parameter: from the function at `b + 1`, times `(a + b) / b`
        let shift = (b + R::lit(1.0)).abs().lt(R::lit(NEAR));
        let high = R::select(shift, b + R::lit(1.0), b);
        let out = slope::<R, SECOND>(a, high);
        let [out] = R::when(
            shift,
            [out],
            #[inline(always)]
            || {
                let first = shared::beta_da(a, R::select(shift, high, R::lit(1.0)));
                [R::select(shift, out.fma(a + b, first + first) / b, out)]
            },
        );
        out
    })
}

/// The mixed one.
#[inline(always)]
pub fn beta_dab<R: Real>(a: R, b: R) -> R {
    named!("beta_dab", |a, b| slope::<R, MIXED>(a, b))
}
