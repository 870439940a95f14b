//! Gauss's function of a large negative first parameter by its recurrence.

use super::dual::Dual;
use super::hypergeometric::HOPELESS;
use super::recurrence::{Pair, Recurrence, SPENT, added, followed, parts, sizes, stepped, written};
use super::wide::Param;
use crate::real::{Mask, Real, each, inlined, mapped};

/// Steps are taken from so far on,
const FROM: f64 = 12.0;
/// to here.
const TO: f64 = 1e5;
/// Derivatives and values by sums in two doubles that lose more are not taken without asking for the recurrence.
const DOUBTED: [f64; 2] = [1e13, 1e17];
/// An error of one double in those of two.
const UNITS: f64 = 1e16;

/// `F(-n, n + l; c; z)` and how it may be found.
struct Climb<R: Real> {
    /// `-n` and `n + l`
    parameters: [Param<R>; 2],
    c: Param<R>,
    steps: R,
    on: R::Mask,
}

impl<R: Real> Climb<R> {
    /// Where `can`, and the parameters are those of an increasing degree.
    #[inline(always)]
    fn new([a, b, c]: [Param<R>; 3], can: R::Mask) -> Self {
        let swap = a.rounded().gt(b.rounded());
        let parameters = [Param::select(swap, b, a), Param::select(swap, a, b)];
        let n = -parameters[0].rounded();
        // Factors of the steps are positive in the end.
        let least = (a + b).rounded().min(c.rounded());
        let served = n.ge(R::lit(FROM)).and(n.le(R::lit(TO))).and((least + least).gt(-n)).and(c.ends().not());
        let on = can.and(served);
        Climb { parameters, c, steps: R::select(on, n.floor(), R::lit(0.0)), on }
    }

    /// The function's parameters at the fraction of the degree and `k` above it.
    #[inline(always)]
    fn start(&self, k: R) -> [Param<R>; 3] {
        let step = self.steps - k;
        let pick = inlined(
            #[inline(always)]
            |p: Param<R>, v: f64| Param::select(self.on, p, Param::lit(v)),
        );
        [pick(self.parameters[0].step(step), 1.0), pick(self.parameters[1].step(-step), 1.0), pick(self.c, 2.0)]
    }

    /// The functions at degrees 0 and 1 of a polynomial, else those that were found at the fraction of the degree.
    #[inline(always)]
    fn starts<const K: usize, const P: usize>(&self, z: [R; P], other: Pair<R, K, P>) -> Pair<R, K, P> {
        let ends = self.parameters[0].fixed_end();
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
                    |part| Dual::select(ends, own[which][part], other[which][part]),
                )
            },
        )
    }

    /// `F` from those at the fraction of the degree and at the next one, and how many times as large as it an error becomes that is as
    /// large as these and what every step adds up.
    #[inline(always)]
    fn climbed<const K: usize, const P: usize>(
        &self,
        z: [R; P],
        [low, high]: Pair<R, K, P>,
        on: R::Mask,
    ) -> ([Dual<R, K>; P], R) {
        let steps = Steps {
            first: -self.parameters[0].step(self.steps),
            ends: [self.parameters[0] + self.parameters[1], self.c],
            z,
        };
        let gap = each(
            #[inline(always)]
            |i| high[i] - low[i],
        );
        followed(&steps, [R::lit(1.0), self.steps], [high, gap], added(sizes(low), sizes(high)), on)
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

/// Gauss's function with its derivatives in the parameters, or NaN where no digit is left, by what finds it directly and tells how many
/// times as large as the sum its terms are, and where these are too large, by the recurrence from two functions that are found so,
/// where it `can`. Also that how many times, infinite where no digit is left.
#[inline(always)]
pub(crate) fn sum_or_climb<R: Real, const K: usize, const P: usize>(
    parameters: [Param<R>; 3],
    z: [R; P],
    can: R::Mask,
    directly: impl Fn([Param<R>; 3], R::Mask) -> ([Dual<R, K>; P], R),
) -> ([Dual<R, K>; P], R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let climb = Climb::new(parameters, can);
    // Of polynomials it begins with what is exact.
    let known_ends = climb.parameters[0].fixed_end();
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
            let start = climb.start(turn - one);
            let parameters = each(
                #[inline(always)]
                |i| Param::select(again, start[i], parameters[i]),
            );
            let (value, lost) = directly(parameters, on);
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
            let begun = R::select(again.and(known_ends.not()).and(lost.le(begun).not()), lost, begun);
            let loss = R::select(again, loss, lost);
            let asks = climb.on.and(loss.gt(R::lit(DOUBTED[(K == 1) as usize])));
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
            let (climbed, gain) =
                climb.climbed::<K, P>(z, climb.starts(z, [parts(&state, 8), parts(&state, 16)]), asks);
            let error = gain * begun;
            let better = error.lt(R::lit(SPENT * UNITS)).and(error.lt(loss));
            let climbed: [R; 9] = written([climbed], [error]);
            each(
                #[inline(always)]
                |i| {
                    let kept = if i == 8 { loss } else { R::select(known, direct[i], R::lit(f64::NAN)) };
                    R::select(better, climbed[i], kept)
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
