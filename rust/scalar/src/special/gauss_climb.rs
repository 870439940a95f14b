//! Gauss's function of a large negative parameter by its recurrences.

use super::dual::Dual;
use super::gauss::{FARTHEST, largest_of, rounded_with, slight};
use super::hypergeometric::HOPELESS;
use super::recurrence::{Pair, Recurrence, SPENT, UNITS, added, followed, parts, sizes, stepped, turned, written};
use super::wide::Param;
use crate::complex::Complex;
use crate::real::{Mask, Real, each, inlined, mapped};

/// Steps are taken from so far on,
const FROM: f64 = 12.0;
/// to here.
const TO: f64 = 1e5;
/// And from functions of this size on.
const LEAST: f64 = 1e-280;
/// Errors of values are not told by less than this of their highest derivative.
const ROOT: f64 = 1e-12;
/// What loses more by one way down is asked of the other one.
const ASKED: f64 = 1e18;

/// A way to Gauss's function from two whose parameters differ by integers from its own.
pub(crate) trait Ladder<R: Real> {
    /// Derivatives and values by sums in two doubles that lose more are not taken without asking for it.
    const DOUBTED: [f64; 2];
    /// Where it serves.
    fn serves(&self) -> R::Mask;
    /// Whether it begins with what is exact.
    #[inline(always)]
    fn exact(&self) -> R::Mask {
        R::Mask::lit(false)
    }
    /// The parameters of the first function, and for `k` = 1 of the next one.
    fn start(&self, k: R) -> [Param<R>; 3];
    /// Both functions, from those that were found.
    #[inline(always)]
    fn starts<const K: usize, const P: usize>(&self, _: [R; P], found: Pair<R, K, P>) -> Pair<R, K, P> {
        found
    }
    /// The steps from the second function on, and the numbers of the first and behind the last of them.
    fn steps<const P: usize>(&self, z: [R; P]) -> (impl Recurrence<R, P>, [R; 2]);
    /// The function from both, of which errors begin as large as these, and how many times as large as it they become with the roundings
    /// of every step.
    #[inline(always)]
    fn followed<const K: usize, const P: usize>(
        &self,
        z: [R; P],
        [first, next]: Pair<R, K, P>,
        errors: [R; 2],
        on: R::Mask,
    ) -> ([Dual<R, K>; P], R) {
        let gap = each(
            #[inline(always)]
            |i| next[i] - first[i],
        );
        let (steps, ends) = self.steps(z);
        followed(&steps, ends, [next, gap], errors, on)
    }
}

/// `F(-n, n + l; c; z)` from the fraction of the degree `n`.
pub(crate) struct Climb<R: Real> {
    /// `-n` and `n + l`
    parameters: [Param<R>; 2],
    c: Param<R>,
    steps: R,
    on: R::Mask,
}

impl<R: Real> Climb<R> {
    /// Where `can`, and the parameters are those of an increasing degree.
    #[inline(always)]
    pub fn new([a, b, c]: [Param<R>; 3], can: R::Mask) -> Self {
        let swap = a.rounded().gt(b.rounded());
        let parameters = [Param::select(swap, b, a), Param::select(swap, a, b)];
        let n = -parameters[0].rounded();
        // Factors of the steps are positive in the end.
        let least = (a + b).rounded().min(c.rounded());
        let served = n.ge(R::lit(FROM)).and(n.le(R::lit(TO))).and((least + least).gt(-n)).and(c.ends().not());
        let on = can.and(served);
        Climb { parameters, c, steps: R::select(on, n.floor(), R::lit(0.0)), on }
    }
}

impl<R: Real> Ladder<R> for Climb<R> {
    const DOUBTED: [f64; 2] = [1e13, 1e17];
    #[inline(always)]
    fn serves(&self) -> R::Mask {
        self.on
    }
    /// Of a polynomial.
    #[inline(always)]
    fn exact(&self) -> R::Mask {
        self.parameters[0].fixed_end()
    }
    #[inline(always)]
    fn start(&self, k: R) -> [Param<R>; 3] {
        let step = self.steps - k;
        let pick = inlined(
            #[inline(always)]
            |p: Param<R>, v: f64| Param::select(self.on, p, Param::lit(v)),
        );
        [pick(self.parameters[0].step(step), 1.0), pick(self.parameters[1].step(-step), 1.0), pick(self.c, 2.0)]
    }
    #[inline(always)]
    fn starts<const K: usize, const P: usize>(&self, z: [R; P], found: Pair<R, K, P>) -> Pair<R, K, P> {
        let ends = self.exact();
        let [_, b, c] = self.start(R::lit(1.0));
        let rate = b.dual() / c.dual();
        let mut low = [Dual::lit(0.0); P];
        low[0] = Dual::lit(1.0);
        let own = [
            low,
            each(
                #[inline(always)]
                |i| low[i] - rate.times(z[i]),
            ),
        ];
        each(
            #[inline(always)]
            |which| {
                each(
                    #[inline(always)]
                    |part| Dual::select(ends, own[which][part], found[which][part]),
                )
            },
        )
    }
    #[inline(always)]
    fn steps<const P: usize>(&self, z: [R; P]) -> (impl Recurrence<R, P>, [R; 2]) {
        let steps = Steps {
            first: -self.parameters[0].step(self.steps),
            ends: [self.parameters[0] + self.parameters[1], self.c],
            z,
        };
        (steps, [R::lit(1.0), self.steps])
    }
}

/// Jacobi's recurrence (DLMF 18.9.2) without the values at 0, `F(-n, n + l; c; z)` from the fraction of the degree on, of which `first`
/// is the first one.
struct Steps<R, const P: usize> {
    first: Param<R>,
    /// `l` and `c`
    ends: [Param<R>; 2],
    z: [R; P],
}

impl<R: Real, const P: usize> Recurrence<R, P> for Steps<R, P> {
    /// `F_{k + 1}` and `d_k = F_{k + 1} - F_k` from those before, where
    /// `(k + l) (k + c) d_k = (2 k + l + 1) (k (k + l - c) / (2 k + l - 1) d_{k - 1} - (2 k + l) z F_k)`.
    #[inline(always)]
    fn next<const K: usize>(&self, k: R, [f, d]: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]) {
        let (k, [l, c]) = (self.first.step(k), self.ends);
        let top = k + l;
        let twice = (top + k).dual::<K>();
        let ratio = twice.plus(1.0) / (top.dual() * (k + c).dual());
        let keep = k.dual() * (top - c).dual() * ratio / twice.plus(-1.0);
        stepped([keep, twice * ratio], None, self.z, [f, d])
    }
}

/// `F(a, b; c; z)` of `c < 0` from `c` between 1 and 2, or Kummer's function of `a` and `c` where not `GAUSS`. On the way of a `fraction`
/// all parameters move, as in Gauss's continued fraction.
struct Descent<R: Real, const GAUSS: bool> {
    parameters: [Param<R>; 3],
    steps: R,
    fraction: R::Mask,
    on: R::Mask,
}

impl<R: Real, const GAUSS: bool> Descent<R, GAUSS> {
    /// Where `can`.
    #[inline(always)]
    fn new(parameters: [Param<R>; 3], fraction: R::Mask, can: R::Mask) -> Self {
        let c = parameters[2].rounded();
        let on = can.and(c.lt(R::lit(0.0))).and(parameters[2].ends().not());
        Descent { parameters, steps: R::select(on, (-c).floor() + R::lit(2.0), R::lit(0.0)), fraction, on }
    }
}

impl<R: Real, const GAUSS: bool> Ladder<R> for Descent<R, GAUSS> {
    const DOUBTED: [f64; 2] = if GAUSS { [1e13, 1e17] } else { [1e19; 2] };
    #[inline(always)]
    fn serves(&self) -> R::Mask {
        self.on
    }
    #[inline(always)]
    fn start(&self, k: R) -> [Param<R>; 3] {
        let [a, b, c] = self.parameters;
        let pick = inlined(
            #[inline(always)]
            |p: Param<R>, v: f64| Param::select(self.on, p, Param::lit(v)),
        );
        let up = self.steps + R::lit(1.0) - k;
        let half = R::select(self.fraction, (up * R::lit(0.5)).floor(), R::lit(0.0));
        let rest = R::select(self.fraction, up - half, R::lit(0.0));
        [pick(a.step(half), 1.0), pick(b.step(rest), 1.0), pick(c.step(up), 2.0)]
    }
    #[inline(always)]
    fn steps<const P: usize>(&self, z: [R; P]) -> (impl Recurrence<R, P>, [R; 2]) {
        let one = R::lit(1.0);
        let straight: [R; P] = if !GAUSS {
            z
        } else if let [re, im] = z[..] {
            let rate = Complex::new(re, im) * Complex::new(one - re, -im).reciprocal();
            each(
                #[inline(always)]
                |i| if i == 0 { rate.re } else { rate.im },
            )
        } else {
            [z[0] / (one - z[0]); P]
        };
        let rate = each(
            #[inline(always)]
            |i| R::select(self.fraction, z[i], straight[i]),
        );
        let top = Descent { fraction: R::Mask::lit(false), ..*self }.start(one);
        (StepsDown::<R, P, GAUSS> { top, steps: self.steps, fraction: self.fraction, rate }, [R::lit(0.0), self.steps])
    }
}

/// What the `k`-th term of Gauss's continued fraction (DLMF 15.7.5) of `F(a, b; c; z)` has above its denominator, but for `z`:
/// `(a + j) (c - b + j)` for `k = 2 j`, `(b + j + 1) (c - a + j + 1)` for the next one.
#[inline(always)]
pub(crate) fn partial_numerator<R: Real, const K: usize>([a, b, c]: [Param<R>; 3], k: R) -> Dual<R, K> {
    let j = (k * R::lit(0.5)).floor();
    let odd = k.ne(j + j);
    let (p, q) = (Param::select(odd, b.step(j + R::lit(1.0)), a.step(j)), Param::select(odd, a, b));
    p.dual() * (c.step(k - j) - q).dual()
}

/// The recurrence in the last parameter, `k` below that of `top`: of Gauss's function (DLMF 15.5.18) with the rate `z / (1 - z)`, of
/// Kummer's (DLMF 13.3.2) with `z`; or that of Gauss's continued fraction (DLMF 15.7.5), with `z`.
struct StepsDown<R: Real, const P: usize, const GAUSS: bool> {
    top: [Param<R>; 3],
    steps: R,
    fraction: R::Mask,
    rate: [R; P],
}

impl<R: Real, const P: usize, const GAUSS: bool> Recurrence<R, P> for StepsDown<R, P, GAUSS> {
    /// `F_{c - 1}` and `d_c = F_{c - 1} - F_c` from those before, where
    /// `(c - 1) c (1 - z) d_c = z (a b F_c - (c - a) (c - b) d_{c + 1})`, or `(c - 1) c d_c = z (a F_c + (c - a) d_{c + 1})`, or
    /// `(c - 1) c d_c = -p (c - q) z (F_c - d_{c + 1})` with both upper parameters by turns.
    #[inline(always)]
    fn next<const K: usize>(&self, k: R, [f, d]: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]) {
        let [a, b, c] = [self.top[0], self.top[1], self.top[2].step(-k)];
        let under = c.dual::<K>() * c.plus(-1.0).dual();
        let (keep, pull) = ((c - a).dual::<K>(), a.dual::<K>());
        let (keep, pull) = if GAUSS { (-(keep * (c - b).dual()), pull * b.dual()) } else { (keep, pull) };
        let (keep, pull) = if GAUSS {
            let bottom = [a, b, self.top[2].step(-self.steps)];
            let front = partial_numerator::<R, K>(bottom, self.steps - k - R::lit(1.0));
            (Dual::select(self.fraction, front, keep), Dual::select(self.fraction, -front, pull))
        } else {
            (keep, pull)
        };
        let (keep, pull) = (keep / under, pull / under);
        let kept = mapped(
            d,
            #[inline(always)]
            |d| keep * d,
        );
        let drops = mapped(
            f,
            #[inline(always)]
            |f| pull * f,
        );
        let sum: [Dual<R, K>; P] = each(
            #[inline(always)]
            |i| kept[i] + drops[i],
        );
        let d: [Dual<R, K>; P] = each(
            #[inline(always)]
            |i| turned(sum, sum[i].times(self.rate[0]), self.rate, i),
        );
        let next = each(
            #[inline(always)]
            |i| f[i] + d[i],
        );
        let mut size = R::lit(0.0);
        for part in self.rate {
            size = size + part.abs();
        }
        let [value, top] = added(sizes(kept), sizes(drops));
        ([next, d], [value * size, top * size])
    }
}

/// Gauss's function, or Kummer's of the first and last parameter where not `GAUSS`, from what finds it, and where that loses digits and the
/// last parameter is negative by steps down to it where they `can` serve.
#[inline(always)]
pub(crate) fn found_or_descended<R: Real, const GAUSS: bool, const K: usize, const P: usize>(
    parameters: [Param<R>; 3],
    z: [R; P],
    can: R::Mask,
    found: impl Fn([Param<R>; 3], R::Mask) -> ([Dual<R, K>; P], R),
) -> [Dual<R, K>; P] {
    let can = can.and(largest_of(parameters).lt(R::lit(FARTHEST)));
    let none = R::Mask::lit(false);
    if !GAUSS {
        return found_or_followed(&Descent::<R, GAUSS>::new(parameters, none, can), parameters, z, found).0;
    }
    // Both ways, in a loop because the code is long
    let state: [R; 10] = R::repeat(
        written([[Dual::<R, K>::lit(0.0); P]], [R::lit(f64::INFINITY), R::lit(0.0)]),
        2,
        #[inline(always)]
        |state| {
            let [least, turn] = [state[8], state[9]];
            let fraction = turn.gt(R::lit(0.0));
            let asks = fraction.not().or(least.gt(R::lit(ASKED)));
            let ladder = Descent::<R, GAUSS>::new(parameters, fraction, can.and(asks));
            let (out, loss) = found_or_followed(
                &ladder,
                parameters,
                z,
                #[inline(always)]
                |parameters, on| found(parameters, on.and(asks)),
            );
            let better = fraction.not().or(asks.and(loss.lt(least)));
            let found: [R; 10] = written([out], [R::select(better, loss, least), turn + R::lit(1.0)]);
            let next = each(
                #[inline(always)]
                |i| if i < 8 { R::select(better, found[i], state[i]) } else { found[i] },
            );
            (next, ladder.serves().and(loss.gt(R::lit(ASKED))))
        },
    );
    parts(&state, 0)
}

/// Gauss's function with its derivatives in the parameters, or NaN where no digit is left, by what finds it directly and tells how many
/// times as large as the sum its terms are, and where these are too large, by a ladder from two functions that are found so. Also that
/// how many times, infinite where no digit is left.
#[inline(always)]
pub(crate) fn found_or_followed<R: Real, L: Ladder<R>, const K: usize, const P: usize>(
    ladder: &L,
    parameters: [Param<R>; 3],
    z: [R; P],
    directly: impl Fn([Param<R>; 3], R::Mask) -> ([Dual<R, K>; P], R),
) -> ([Dual<R, K>; P], R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let exact = ladder.exact();
    // The function itself, those that it climbs from, what they lose, then what is known: in a loop because the code is long
    let mut state = [zero; 28];
    state[25] = R::lit(UNITS);
    let state = R::repeat(
        state,
        3,
        #[inline(always)]
        |state| {
            let [loss, begun, asks, turn] = [state[24], state[25], state[26], state[27]];
            let again = turn.gt(zero);
            let on = again.not().or(asks.ne(zero));
            let start = ladder.start(turn - one);
            let parameters = each(
                #[inline(always)]
                |i| Param::select(again, start[i], parameters[i]),
            );
            let (value, lost) = R::outlined(
                #[inline(always)]
                || directly(parameters, on),
            );
            // One that leaves the range begins with nothing.
            let lost = R::select(again.and(sizes(value)[0].lt(R::lit(LEAST))), R::lit(f64::INFINITY), lost);
            let mut next: [R; 28] = each(
                #[inline(always)]
                |i| {
                    let (slot, part, d) = (i / 8, i % 8 / 4, i % 4);
                    if i < 24 && part < P && d < K {
                        R::select(turn.eq(R::lit(slot as f64)).and(on), value[part].0[d], state[i])
                    } else {
                        zero
                    }
                },
            );
            let begun = R::select(again.and(exact.not()).and(lost.le(begun).not()), lost, begun);
            let loss = R::select(again, loss, lost);
            let asks = ladder.serves().and(loss.gt(R::lit(L::DOUBTED[(K == 1) as usize])));
            next[24] = loss;
            next[25] = begun;
            next[26] = R::select(asks, one, zero);
            next[27] = turn + one;
            (next, asks)
        },
    );
    let (loss, begun, asks) = (state[24], state[25], state[26].ne(zero));
    let known = loss.ge(R::lit(HOPELESS)).not();
    let direct: [R; 9] = each(
        #[inline(always)]
        |i| if i < 8 { state[i] } else { loss },
    );
    let out = R::when(
        asks,
        direct,
        #[inline(always)]
        || {
            let starts = ladder.starts(z, [parts(&state, 8), parts(&state, 16)]);
            let [value, top] = added(sizes(starts[0]), sizes(starts[1]));
            let begun = begun / R::lit(UNITS);
            // Steps to small derivatives are as exact as those to the value are; a value far below a derivative is next to a zero.
            let value = value.max(top * R::lit(ROOT));
            let errors =
                [value * begun, rounded_with(slight::<R, K>([parameters[0], parameters[1]]), [value, top]) * begun];
            let (followed, roundings) = ladder.followed::<K, P>(z, starts, errors, asks);
            let error = roundings * R::lit(UNITS);
            let better = error.lt(R::lit(SPENT * UNITS)).and(error.lt(loss));
            let followed: [R; 9] = written([followed], [error]);
            each(
                #[inline(always)]
                |i| {
                    let kept = if i == 8 { loss } else { R::select(known, direct[i], R::lit(f64::NAN)) };
                    R::select(better, followed[i], kept)
                },
            )
        },
    );
    let lost = asks.or(known).not();
    let values = mapped(
        out,
        #[inline(always)]
        |v| R::select(lost, R::lit(f64::NAN), v),
    );
    (parts(&values, 0), out[8])
}
