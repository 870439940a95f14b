//! Jacobi polynomials as sums of products of binomials, which have no case of their own for any parameters.

use super::polynomials::MAX_DEGREE;
use super::wide::{Param, Wide, at, pack};
use crate::complex::Complex;
use crate::dd::Dd;
use crate::real::{Real, inlined};

/// `P_n^(a, b)(u + v)`, its real and its imaginary part, with `u = (x - 1) / 2`, `v = (x + 1) / 2` for an integer `n` from 1 on. `D`
/// is 2 if `x` is real, else 4, and `N` is `8 D + 1`.
///
/// The sum of `binom(n + a, n - s) binom(n + b, s) u^s v^(n - s)` over `s` (G. Szegö, "Orthogonal polynomials", 4.3.2) from its last
/// term on, each partial sum without the factors that all of its terms share: parameters only multiply, so zeros do no harm. Between -1
/// and 1 the terms exceed the sum by about `2^n`.
#[inline(always)]
pub(crate) fn jacobi_sum<R: Real, const K: usize, const D: usize, const N: usize>(
    n: R,
    [a, b]: [Param<R>; 2],
    [u, v]: [Complex<Dd<R>>; 2],
) -> [Wide<R, K>; 2] {
    let one = R::lit(1.0);
    let read = inlined(
        #[inline(always)]
        |state: &[R; N], i: usize| {
            let im = if D > 2 { at(state, 2 * i + 1) } else { Wide::lit(0.0) };
            [at(state, i * D / 2), im]
        },
    );
    let write = inlined(
        #[inline(always)]
        |term: [Wide<R, K>; 2], sum: [Wide<R, K>; 2], k: R| {
            let all = if D > 2 { [term[0], term[1], sum[0], sum[1]] } else { [term[0], sum[0], term[1], sum[1]] };
            let mut wides = [Wide::lit(0.0); D];
            wides.copy_from_slice(&all[..D]);
            pack::<R, K, D, 1, N>(wides, [k])
        },
    );
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
        write(unit, unit, R::lit(0.0)),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let k = state[N - 1];
            let (done, rest) = (k + one, n - k);
            let term = next(read(&state, 0), a.step(rest), v, done);
            let sum = next(read(&state, 1), b.step(done), u, rest);
            (write(term, [term[0] + sum[0], term[1] + sum[1]], done), done.lt(n))
        },
    );
    read(&state, 1)
}
