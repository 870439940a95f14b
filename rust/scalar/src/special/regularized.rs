//! Hypergeometric functions over the gamma function of their last parameter (DLMF 15.2.2, 13.2.3) next to its poles, where that of
//! orthogonal polynomials between integral degrees is one and the polynomial is not, with derivatives in the parameters.

use super::dual::Dual;
use super::hypergeometric::{directions, power_of, rgamma_of};
use super::wide::{NEGLIGIBLE, Param, Wide, at, pack};
use crate::complex::Complex;
use crate::complex::regularized::from_above;
use crate::dd::Dd;
use crate::named;
use crate::real::{Mask, Real, count, inlined, mapped};
use crate::shared;

/// Terms that exceed the sum by this leave a double its digits.
const LOSS: f64 = 1e16;
/// A sum of terms up to this size with no digit left is a zero.
const ROOT_TERMS: f64 = 1e13;
/// The last parameter is above minus this.
pub(crate) const POLES: f64 = 64.0;

/// The series of arguments up to this ends in time.
pub(crate) const CONVERGENT: f64 = 0.99;

/// So far from poles functions that are infinite there lose digits.
const NEAR: f64 = 1.0 / 64.0;

/// Exponentials of larger arguments leave the range.
pub(crate) const LARGEST: f64 = 600.0;

/// A real and an imaginary part.
type Parts<R, const K: usize> = [Wide<R, K>; 2];

/// Times `z` and the parameters, each `k` steps on.
#[inline(always)]
fn stepped<R: Real, const K: usize, const P: usize>(
    t: Parts<R, K>,
    p: [Param<R>; P],
    k: R,
    z: Complex<Dd<R>>,
) -> Parts<R, K> {
    let [re, im] = mapped(
        t,
        #[inline(always)]
        |mut w| {
            for v in p {
                w = w.by(v.step(k));
            }
            w
        },
    );
    [re.times(z.re) - im.times(z.im), re.times(z.im) + im.times(z.re)]
}

/// `sum (p)_k z^k / (k! Gamma(c + k))`, NaN where it has no digits.
///
/// What follows the last pole is a series as others are; the terms before it share factors `c + k`, which may be 0, and are summed
/// from the last one on.
#[inline(always)]
pub(crate) fn over_gamma<R: Real, const K: usize, const P: usize>(
    p: [Param<R>; P],
    c: Param<R>,
    z: Complex<Dd<R>>,
    on: R::Mask,
) -> [Dual<R, K>; 2] {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let (unit, none) = (Wide::<R, K>::lit(1.0), Wide::<R, K>::lit(0.0));
    let on = on.and(c.rounded().gt(R::lit(-POLES)));
    let c = Param::select(on, c, Param::lit(1.0));
    let head = (half - c.rounded()).ceil().max(zero);
    let mut begun = zero;
    for v in p {
        begun = begun.max(one - v.rounded() - head);
    }
    let tail = R::repeat(
        pack::<R, K, 4, 3, 35>([unit, none, unit, none], [zero, one, one]),
        6000,
        #[inline(always)]
        |state| {
            let (k, largest) = (state[32], state[33]);
            let (from, next) = (head + k, k + one);
            let [re, im] = mapped(
                stepped([at::<R, K, 35>(&state, 0), at::<R, K, 35>(&state, 1)], p, from, z),
                #[inline(always)]
                |w| w.over(c.step(from)).over(Param { value: Dd::two_sum(head, next), speed: [zero; 2] }),
            );
            let sum = [at::<R, K, 35>(&state, 2).gather(re), at::<R, K, 35>(&state, 3).gather(im)];
            let mut go = next.le(begun);
            count::<0, K>(
                #[inline(always)]
                |s| {
                    let size = sum[0].0[s].hi.abs().max(sum[1].0[s].hi.abs());
                    go = go.or(re.0[s].hi.abs().max(im.0[s].hi.abs()).gt(size * R::lit(NEGLIGIBLE)));
                },
            );
            let largest = largest.max(re.0[0].hi.abs().max(im.0[0].hi.abs()));
            (pack([re, im, sum[0], sum[1]], [next, largest, R::select(go, one, zero)]), go.and(on))
        },
    );
    let settled = tail[34].eq(zero);
    let size = z.re.hi.abs().max(z.im.hi.abs());
    let state = R::repeat(
        pack::<R, K, 3, 2, 26>(
            [unit, at::<R, K, 35>(&tail, 2).normalized(), at::<R, K, 35>(&tail, 3).normalized()],
            [head - one, tail[33]],
        ),
        POLES as u32 + 1,
        #[inline(always)]
        |state| {
            let (k, largest) = (state[24], state[25]);
            let more = k.ge(zero).and(on);
            let factors = at::<R, K, 26>(&state, 0);
            let sum = [at::<R, K, 26>(&state, 1), at::<R, K, 26>(&state, 2)];
            let kept = factors.by(c.step(k));
            let over = Dd::new(k + one, zero);
            let [re, im] = mapped(
                stepped(sum, p, k, z),
                #[inline(always)]
                |w| {
                    w.map(
                        #[inline(always)]
                        |v| v / over,
                    )
                },
            );
            let mut rate = size / over.hi;
            for v in p {
                rate = rate * v.step(k).rounded().abs();
            }
            let largest = R::select(more, (largest * rate).max(kept.size()), largest);
            let pick = inlined(
                #[inline(always)]
                |a: Wide<R, K>, b: Wide<R, K>| Wide::select(more, a, b),
            );
            (pack([pick(kept, factors), pick(re + kept, sum[0]), pick(im, sum[1])], [k - one, largest]), more)
        },
    );
    let sum = [at::<R, K, 26>(&state, 1), at::<R, K, 26>(&state, 2)];
    // A sum of moderate terms may be 0.
    let least = (sum[0].size().max(sum[1].size()) * R::lit(LOSS)).max(R::lit(ROOT_TERMS));
    let known = settled.and(on).and(state[25].le(least));
    let front = rgamma_of::<R, K>(c.step(head));
    mapped(
        sum,
        #[inline(always)]
        |w| Dual::select(known, w.rounded() * front, Dual::nan()),
    )
}

/// Whether a parameter may have come from one next to a pole, by whole steps; elsewhere nobody asks.
#[inline(always)]
pub(crate) fn asked_for<R: Real>(c: R) -> R::Mask {
    close(c, NEAR + NEAR)
}

/// Whether a number is so close to a whole one.
#[inline(always)]
fn close<R: Real>(c: R, near: f64) -> R::Mask {
    (c - c.round()).abs().lt(R::lit(near))
}

/// 1 where `c` is next to an integer from `least` to 0 and `top` is no integer up to 0, else 0.
#[inline(always)]
pub fn near_pole<R: Real>(c: R, top: R, least: R) -> R {
    named!("near_pole", |c, top, least| {
        let (zero, end) = (R::lit(0.0), c.round());
        let ends = top.le(zero).and(top.floor().eq(top));
        let near = close(c, NEAR).and(end.le(zero)).and(end.ge(least));
        R::select(near.and(ends.not()), R::lit(1.0), zero)
    })
}

/// The value for code 0, a first derivative for `i`, a second one for `10 i + j`.
#[inline(always)]
pub(crate) fn derivative<R: Real>(code: R, f: Dual<R, 4>) -> R {
    let slope = R::select(code.lt(R::lit(10.0)), f.0[1], f.0[3]);
    R::select(code.eq(R::lit(0.0)), f.0[0], slope)
}

/// `hyp2f1(a, b; c; x) / Gamma(c)` or a derivative in its parameters; 0 where nobody asks.
#[inline(always)]
pub fn hyp2f1_regularized<R: Real>(code: R, a: R, b: R, c: R, x: R) -> R {
    named!("hyp2f1_regularized", |code, a, b, c, x| {
        let (zero, one, none) = (R::lit(0.0), R::lit(1.0), Dd::lit(0.0, 0.0));
        let asked = asked_for(c);
        let [out] = R::when(
            asked,
            [zero],
            #[inline(always)]
            || {
                let parameters = [a, b, c];
                let [a, b, c] = directions::<R, 3, 4>(code, parameters);
                let on = asked.and(x.gt(R::lit(-1e100))).and(x.lt(one));
                let x = R::select(on, x, zero);
                // DLMF 15.8.1
                let left = x.lt(zero);
                let away = Dd::two_sum(one, -x);
                let z = Dd::select(left, Dd::new(-x, zero) / away, Dd::new(x, zero));
                let converges = z.hi.lt(R::lit(CONVERGENT));
                let b = Param::select(left, c - b, b);
                let z = Dd::select(converges, z, none);
                let [sum, _] = over_gamma::<R, 4, 2>([a, b], c, Complex { re: z, im: none }, on.and(converges));
                let base = Dd::select(left, away, Dd::lit(1.0, 0.0));
                let sum = power_of(base, -a.dual()) * sum;
                let lost = on.and(converges.not().or(sum.value().is_nan()));
                let real = inlined(
                    #[inline(always)]
                    |v: R| Complex::new(v, zero),
                );
                let above: [R; 4] = R::when(
                    lost,
                    sum.0,
                    #[inline(always)]
                    || {
                        let [found, _] = from_above(
                            code,
                            parameters,
                            real(x),
                            lost,
                            #[inline(always)]
                            |[a, b, c]| real(shared::hyp2f1(a, b, c, x)),
                            #[inline(always)]
                            |[i, a, b, c]| {
                                let second = i.ge(R::lit(10.0));
                                let first = shared::hyp2f1_d1(R::select(second, one, i), a, b, c, x);
                                let [slope] = R::when(
                                    second,
                                    [first],
                                    #[inline(always)]
                                    || [shared::hyp2f1_d2(i, a, b, c, x)],
                                );
                                real(slope)
                            },
                        );
                        found.0
                    },
                );
                [derivative(code, Dual(above))]
            },
        );
        out
    })
}

/// `hyp1f1(a; b; x) / Gamma(b)` or a derivative in its parameters; 0 where nobody asks.
#[inline(always)]
pub fn hyp1f1_regularized<R: Real>(code: R, a: R, b: R, x: R) -> R {
    named!("hyp1f1_regularized", |code, a, b, x| {
        let (zero, none) = (R::lit(0.0), Dd::lit(0.0, 0.0));
        let asked = asked_for(b);
        let [out] = R::when(
            asked,
            [zero],
            #[inline(always)]
            || {
                let [a, b] = directions::<R, 2, 4>(code, [a, b]);
                let on = asked.and(x.abs().lt(R::lit(LARGEST)));
                let x = R::select(on, x, zero);
                // DLMF 13.2.39
                let left = x.lt(zero);
                let a = Param::select(left, b - a, a);
                let [sum, _] = over_gamma::<R, 4, 1>([a], b, Complex { re: Dd::new(x.abs(), zero), im: none }, on);
                [derivative(code, sum) * R::select(left, shared::exp(x), R::lit(1.0))]
            },
        );
        out
    })
}
