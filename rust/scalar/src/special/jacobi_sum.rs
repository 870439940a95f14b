//! Jacobi polynomials as sums of products of binomials, which have no case of their own for any parameters.

use super::dual::Dual;
use super::polynomials::MAX_DEGREE;
use super::recurrence::{DOUBTED, Pair, Recurrence, error_of, stepped};
use super::wide::{Param, Wide, at, pack};
use crate::complex::Complex;
use crate::dd::Dd;
use crate::real::{Mask, Real, each, inlined, mapped};

/// `P_n^(a, b)(u + v)`, its real and its imaginary part, with `u = (x - 1) / 2`, `v = (x + 1) / 2` for an integer `n` from 1 on, and
/// the size of its terms together. `D` is 2 if `x` is real, else 4, and `N` is `8 D + 2`.
///
/// The sum of `binom(n + a, n - s) binom(n + b, s) u^s v^(n - s)` over `s` (G. Szegö, "Orthogonal polynomials", 4.3.2) from its last
/// term on, each partial sum without the factors that all of its terms share: parameters only multiply, so zeros do no harm. Between -1
/// and 1 the terms exceed the sum by about `2^n`.
#[inline(always)]
fn jacobi_sum<R: Real, const K: usize, const D: usize, const N: usize>(
    n: R,
    [a, b]: [Param<R>; 2],
    [u, v]: [Complex<Dd<R>>; 2],
) -> ([Wide<R, K>; 2], R) {
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
    let rate = if D == 2 {
        u.re.hi.abs()
    } else {
        let most = u.re.hi.abs().max(u.im.hi.abs());
        let (x, y) = (u.re.hi / most, u.im.hi / most);
        R::select(most.eq(R::lit(0.0)), most, most * (x * x + y * y).sqrt())
    };
    let state = R::repeat(
        write::<R, K, D, N>(unit, unit, [one, R::lit(0.0)]),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let (all, k) = (state[N - 2], state[N - 1]);
            let (done, rest) = (k + one, n - k);
            let term = next(read::<R, K, D, N>(&state, 0), a.step(rest), v, done);
            let factor = b.step(done);
            let sum = next(read::<R, K, D, N>(&state, 1), factor, u, rest);
            let all = all * (factor.rounded().abs() * rate / rest) + values(term);
            (write::<R, K, D, N>(term, [term[0] + sum[0], term[1] + sum[1]], [all, done]), done.lt(n))
        },
    );
    (read::<R, K, D, N>(&state, 1), state[N - 2])
}

/// Two numbers, each with an imaginary part if `D` is 4, and two plain ones as the state of a loop.
#[inline(always)]
fn write<R: Real, const K: usize, const D: usize, const N: usize>(
    first: [Wide<R, K>; 2],
    second: [Wide<R, K>; 2],
    plain: [R; 2],
) -> [R; N] {
    let all =
        if D > 2 { [first[0], first[1], second[0], second[1]] } else { [first[0], second[0], first[1], second[1]] };
    let mut wides = [Wide::lit(0.0); D];
    wides.copy_from_slice(&all[..D]);
    pack::<R, K, D, 2, N>(wides, plain)
}

#[inline(always)]
fn read<R: Real, const K: usize, const D: usize, const N: usize>(state: &[R; N], i: usize) -> [Wide<R, K>; 2] {
    let im = if D > 2 { at(state, 2 * i + 1) } else { Wide::lit(0.0) };
    [at(state, i * D / 2), im]
}

/// Polynomials are summed up to this degree at least; the sums lose more the higher it is.
const SUMMED_TO: f64 = 60.0;
/// An error of two doubles in those of one.
const UNIT: f64 = 4.4e-16;

/// Where a polynomial's recurrence starts.
pub(crate) struct Start<R, const K: usize> {
    pub from: R,
    /// The values there and at the degree above it, real and imaginary parts
    pub pair: [[Wide<R, K>; 2]; 2],
    /// How many times as large as the polynomial an error becomes that is as large as these and what every step adds up
    pub error: R,
}

/// A degree from which the recurrence divides by 0 no more, with the sums there and at the next one, where `on` and `n` is above; else
/// `n` itself and twice its sum. `P` is `D / 2`.
#[inline(always)]
pub(crate) fn jacobi_start<R: Real, const K: usize, const D: usize, const N: usize, const P: usize>(
    on: R::Mask,
    n: R,
    parameters: [Param<R>; 2],
    halves: [Complex<Dd<R>>; 2],
) -> Start<R, K> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let [a, b] = mapped(
        parameters,
        #[inline(always)]
        |p| p.rounded(),
    );
    let last = (-(a + b)).ceil().max(R::lit(SUMMED_TO));
    let high = on.and(n.gt(last));
    let top = R::select(on, n.min(last), one);
    // Two rounds of one sum, which is long: the other one is that to start from, or tells whether a small sum is next to a zero.
    let none = [Wide::lit(0.0); 2];
    let state = R::repeat(
        write::<R, K, D, N>(none, none, [zero; 2]),
        2,
        #[inline(always)]
        |state| {
            let again = state[N - 1].ne(zero);
            let (sum, all) = jacobi_sum::<R, K, D, N>(R::select(again, top - one, top), parameters, halves);
            let here = read::<R, K, D, N>(&state, 1);
            let kept = mapped(
                [0, 1],
                #[inline(always)]
                |i| Wide::select(again, here[i], sum[i]),
            );
            let lost = R::select(again, state[N - 2], all * R::lit(UNIT));
            let doubted = lost.gt(values(kept) * R::lit(DOUBTED));
            (write::<R, K, D, N>(sum, kept, [lost, one]), high.or(doubted.and(top.gt(one))).and(again.not()))
        },
    );
    let (below, here, lost) = (read::<R, K, D, N>(&state, 0), read::<R, K, D, N>(&state, 1), state[N - 2]);
    // From the end next to the argument (DLMF Table 18.6.1)
    let left = (halves[0].re.hi + halves[1].re.hi).lt(zero);
    let ends = [R::select(left, b, a), R::select(left, a, b)];
    let ratio = Dd::two_sum(ends[0], top) / Dd::new(top, zero);
    let ratio = Dd::select(left, -ratio, ratio);
    let share = values(below) * ratio.hi.abs();
    // A polynomial next to a zero of its own is small beside the one below.
    let scale = values(here);
    let scale = R::select(lost.gt(scale * R::lit(DOUBTED)).and(top.gt(one)), scale + share, scale);
    let error = error_of(
        high,
        R::select(lost.eq(zero).or(top.eq(one)), zero, lost / scale),
        [top, n],
        #[inline(always)]
        || {
            let pair = [
                each(
                    #[inline(always)]
                    |i: usize| Dual([here[i].0[0].hi]),
                ),
                each(
                    #[inline(always)]
                    |i: usize| Dual([(here[i].0[0] - below[i].0[0] * ratio).hi]),
                ),
            ];
            let z = each(
                #[inline(always)]
                |i: usize| {
                    let [u, v] = mapped(
                        halves,
                        #[inline(always)]
                        |end| if i == 0 { end.re.hi } else { end.im.hi },
                    );
                    R::select(left, v, -u)
                },
            );
            (JacobiSteps::<R, P> { parameters: ends, z }, pair, values(here) + share + lost)
        },
    );
    let low = each(
        #[inline(always)]
        |i| Wide::select(high, below[i], here[i]),
    );
    Start { from: R::select(high, top - one, n), pair: [low, here], error }
}

/// The magnitude of a value, without derivatives.
#[inline(always)]
fn values<R: Real, const K: usize>([re, im]: [Wide<R, K>; 2]) -> R {
    re.0[0].hi.abs() + im.0[0].hi.abs()
}

/// Jacobi's recurrence (DLMF 18.9.2) in `P_{k + 1} - r_k P_k` with the ratio at 1, `r_k = (k + 1 + a) / (k + 1)`.
pub(crate) struct JacobiSteps<R, const P: usize> {
    pub parameters: [R; 2],
    /// `(1 - x) / 2`
    pub z: [R; P],
}

impl<R: Real, const P: usize> Recurrence<R, P> for JacobiSteps<R, P> {
    #[inline(always)]
    fn next<const K: usize>(&self, k: R, pair: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]) {
        let (one, [a, b]) = (R::lit(1.0), self.parameters);
        let (k1, sum) = (k + one, a + b);
        let t = sum + k + k;
        let front = (t + one + one) / (sum + k1);
        let keep = (b + k) * (k / (k1 * t)) * front;
        let pull = (t + one) / k1 * front;
        let factors = mapped([keep, pull], Dual::constant);
        stepped(factors, Some(Dual::constant((k1 + a) / k1)), self.z, pair)
    }
}
