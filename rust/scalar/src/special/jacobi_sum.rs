//! Jacobi polynomials as sums of products of binomials, which have no case of their own for any parameters.

use super::polynomials::MAX_DEGREE;
use super::wide::{Param, Wide, at, pack};
use crate::complex::Complex;
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined};

/// `P_n^(a, b)(u + v)`, its real and its imaginary part, with `u = (x - 1) / 2`, `v = (x + 1) / 2` for an integer `n` from 1 on. `D`
/// is 2 if `x` is real, else 4, and `N` is `8 D + 1`.
///
/// The sum of `binom(n + a, n - s) binom(n + b, s) u^s v^(n - s)` over `s` (G. Szegö, "Orthogonal polynomials", 4.3.2) from its last
/// term on, each partial sum without the factors that all of its terms share: parameters only multiply, so zeros do no harm. Between -1
/// and 1 the terms exceed the sum by about `2^n`.
#[inline(always)]
fn jacobi_sum<R: Real, const K: usize, const D: usize, const N: usize>(
    n: R,
    [a, b]: [Param<R>; 2],
    [u, v]: [Complex<Dd<R>>; 2],
) -> [Wide<R, K>; 2] {
    let one = R::lit(1.0);
    let next = inlined(
        #[inline(always)]
        |[re, im]: [Wide<R, K>; 2], p: Param<R>, z: Complex<Dd<R>>, over: R| {
            let over = Dd::new(over, R::lit(0.0));
            let x = z.re / over;
            if D == 2 {
                return [re.by(p).times(x), im];
            }
            let (re, im, y) = (re.by(p), im.by(p), z.im / over);
            [re.times(x) - im.times(y), re.times(y) + im.times(x)]
        },
    );
    let unit = [Wide::lit(1.0), Wide::lit(0.0)];
    let state = R::repeat(
        write::<R, K, D, N>(unit, unit, R::lit(0.0)),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let k = state[N - 1];
            let (done, rest) = (k + one, n - k);
            let term = next(read::<R, K, D, N>(&state, 0), a.step(rest), v, done);
            let sum = next(read::<R, K, D, N>(&state, 1), b.step(done), u, rest);
            (write::<R, K, D, N>(term, [term[0] + sum[0], term[1] + sum[1]], done), done.lt(n))
        },
    );
    read::<R, K, D, N>(&state, 1)
}

/// Two numbers, each with an imaginary part if `D` is 4, and a plain one as the state of a loop.
#[inline(always)]
fn write<R: Real, const K: usize, const D: usize, const N: usize>(
    first: [Wide<R, K>; 2],
    second: [Wide<R, K>; 2],
    k: R,
) -> [R; N] {
    let all =
        if D > 2 { [first[0], first[1], second[0], second[1]] } else { [first[0], second[0], first[1], second[1]] };
    let mut wides = [Wide::lit(0.0); D];
    wides.copy_from_slice(&all[..D]);
    pack::<R, K, D, 1, N>(wides, [k])
}

#[inline(always)]
fn read<R: Real, const K: usize, const D: usize, const N: usize>(state: &[R; N], i: usize) -> [Wide<R, K>; 2] {
    let im = if D > 2 { at(state, 2 * i + 1) } else { Wide::lit(0.0) };
    [at(state, i * D / 2), im]
}

/// Polynomials are summed up to this degree at least; the sums lose more the higher it is.
const SUMMED_TO: f64 = 60.0;

/// A degree from which the recurrence divides by 0 no more, with the sums there and at the next one, where `on` and `n` is above; else
/// `n` itself and twice its sum.
#[inline(always)]
pub(crate) fn jacobi_start<R: Real, const K: usize, const D: usize, const N: usize>(
    on: R::Mask,
    n: R,
    parameters: [Param<R>; 2],
    halves: [Complex<Dd<R>>; 2],
) -> (R, [[Wide<R, K>; 2]; 2]) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let [a, b] = parameters;
    let last = (-(a.rounded() + b.rounded())).ceil().max(R::lit(SUMMED_TO));
    let high = on.and(n.gt(last));
    let top = R::select(on, n.min(last), one);
    let from = R::select(high, last - one, top);
    // Two rounds of one sum, which is long
    let none = [Wide::lit(0.0); 2];
    let state = R::repeat(
        write::<R, K, D, N>(none, none, zero),
        2,
        #[inline(always)]
        |state| {
            let degree = R::select(state[N - 1].eq(zero), from, top);
            let sum = jacobi_sum::<R, K, D, N>(degree, parameters, halves);
            (write::<R, K, D, N>(read::<R, K, D, N>(&state, 1), sum, one), high)
        },
    );
    let (below, here) = (read::<R, K, D, N>(&state, 0), read::<R, K, D, N>(&state, 1));
    let low = each(
        #[inline(always)]
        |i| Wide::select(high, below[i], here[i]),
    );
    (R::select(high, from, n), [low, here])
}
