//! Recurrences in differences, with the error that they make.

use super::dual::Dual;
use crate::real::{Mask, Real, count, each, mapped};

/// A solution and its step to the next degree; a complex one has two parts.
pub(crate) type Pair<R, const K: usize, const P: usize> = [[Dual<R, K>; P]; 2];

/// Steps at most.
const MOST: u32 = 1_000_000;
/// Of values that are so many times smaller than the last step errors are told by themselves.
const CANCELLED: f64 = 1e4;
/// One double has no digit left if it loses this,
pub(crate) const SPENT: f64 = 1e10;
/// of which the error is so many in those of two,
pub(crate) const UNITS: f64 = 1e16;
/// and is not taken without asking for another way if it loses this.
pub(crate) const DOUBTED: f64 = 1e5;
/// What differs by so much of an error agrees.
const AGREES: f64 = 16.0 * f64::EPSILON;

/// So many roundings in errors of two doubles, infinite where they leave no digit.
#[inline(always)]
pub(crate) fn in_units<R: Real>(roundings: R) -> R {
    R::select(roundings.le(R::lit(SPENT)), roundings * R::lit(UNITS), R::lit(f64::INFINITY))
}

/// A linear recurrence from one degree to the next.
pub(crate) trait Recurrence<R: Real, const P: usize> {
    /// A solution and its step at the degree after `k`, and the [`sizes`] of what the step is the difference of.
    fn next<const K: usize>(&self, k: R, pair: Pair<R, K, P>) -> (Pair<R, K, P>, [R; 2]);
}

/// The solution at the degree `to` from that and its step at `from`, and how many times as large as it an error becomes that begins as
/// `error` and to which every step adds; of the value and of the highest derivative, which is a sum of all solutions, the larger one.
///
/// Three solutions of each tell: the roundings of a step are added to the step of the first one, with the sign that it has, to step and
/// value of the second one, with the same sign always, and to the value of the third one, with alternating signs, as those of one
/// solution may cancel others.
#[inline(always)]
pub(crate) fn followed<R: Real, const K: usize, const P: usize>(
    recurrence: &impl Recurrence<R, P>,
    [from, to]: [R; 2],
    pair: Pair<R, K, P>,
    error: [R; 2],
    on: R::Mask,
) -> ([Dual<R, K>; P], R) {
    let (half, one) = (R::lit(0.5), R::lit(1.0));
    let begun = each(
        #[inline(always)]
        |which: usize| {
            let mut gap = [Dual::<R, 1>::lit(0.0); P];
            if K > 1 || which < EACH {
                gap[0] = Dual([error[which / EACH]]);
            }
            [[Dual::lit(0.0); P], gap]
        },
    );
    let state = R::repeat(
        followed_state(pair, begun, from),
        MOST,
        #[inline(always)]
        |state| {
            let (pair, probes) = read::<R, K, P>(&state);
            let k = state[STATE - 1];
            let more = k.lt(to).and(on);
            let (next, parts) = recurrence.next(k, pair);
            let next_sizes = sizes(next[0]);
            let turn = (k * half).floor() * half;
            let even = turn.floor().eq(turn);
            let probes = each(
                #[inline(always)]
                |which: usize| {
                    if K == 1 && which >= EACH {
                        return probes[which];
                    }
                    let unit = next_sizes[which / EACH].max(parts[which / EACH]);
                    let turned = R::select(even, unit, -unit);
                    let way = which % EACH;
                    let (pair, _) = recurrence.next(k, probes[which]);
                    let gap: [Dual<R, 1>; P] = pair[1];
                    let added: [R; P] = each(
                        #[inline(always)]
                        |part| match (way, part) {
                            (0, _) => unit.copysign(gap[part].value()),
                            (1, _) => unit,
                            (_, 0) => turned,
                            _ => -turned,
                        },
                    );
                    each(
                        #[inline(always)]
                        |of: usize| {
                            each(
                                #[inline(always)]
                                |part: usize| {
                                    let v: R = pair[of][part].value();
                                    Dual([if let (0, 0) | (2, 1) = (way, of) { v } else { v + added[part] }])
                                },
                            )
                        },
                    )
                },
            );
            let kept = followed_state(next, probes, k + one);
            let state = each(
                #[inline(always)]
                |i| R::select(more, kept[i], state[i]),
            );
            (state, more)
        },
    );
    let ([value, gap], probes) = read::<R, K, P>(&state);
    let own = sizes(value);
    let whole = added(own, sizes(gap));
    // Roundings that do not grow add up too.
    let mut error = to.sqrt() * R::lit(4.0);
    let inf = R::lit(f64::INFINITY);
    count::<0, PROBES>(
        #[inline(always)]
        |which| {
            if K > 1 || which < EACH {
                let ([probe, _], zero) = (sizes(probes[which][0]), R::lit(0.0));
                let share = probe / whole[which / EACH];
                // A value far below its step is next to a zero, or what cancellation has left.
                let left = probe / (own[which / EACH] * R::lit(CANCELLED));
                let share = share.max(left.min(R::lit(SPENT * 0.5)));
                // Also if it has left the range
                let share = R::select(share.lt(inf), share, inf);
                error = error.max(R::select(probe.eq(zero), zero, share));
            }
        },
    );
    (value, error)
}

/// That error where `on`, and `otherwise` elsewhere, from the recurrence, the solution and its step, and the error that these begin with.
#[inline(always)]
pub(crate) fn error_of<R: Real, S: Recurrence<R, P>, const P: usize>(
    on: R::Mask,
    otherwise: R,
    degrees: [R; 2],
    begun: impl Fn() -> (S, Pair<R, 1, P>, R),
) -> R {
    let [error] = R::when(
        on,
        [otherwise],
        #[inline(always)]
        || {
            let (recurrence, pair, error) = begun();
            [followed(&recurrence, degrees, pair, [error; 2], on).1]
        },
    );
    error
}

/// A value of a recurrence that makes such an error, by another way where that is large and the way finds it, in agreement with what is
/// left; NaN where no digit is left.
#[inline(always)]
pub(crate) fn or_another<R: Real, const P: usize>(
    value: [R; P],
    error: R,
    other: impl Fn(R::Mask) -> [R; P],
) -> [R; P] {
    let asked = error.lt(R::lit(DOUBTED)).not();
    R::when(
        asked,
        value,
        #[inline(always)]
        || {
            let kept = error.lt(R::lit(SPENT));
            let other = other(asked);
            let (mut size, mut gap) = (R::lit(0.0), R::lit(0.0));
            for (v, o) in value.into_iter().zip(other) {
                (size, gap) = (size + v.abs(), gap + (v - o).abs());
            }
            let mut found = kept.not().or(gap.le(size * error * R::lit(AGREES)));
            for o in other {
                found = found.and(o.abs().lt(R::lit(f64::INFINITY)));
            }
            // What has left the range stays so.
            let kept = kept.or(size.eq(R::lit(f64::INFINITY)));
            each(
                #[inline(always)]
                |i| R::select(found, other[i], R::select(kept, value[i], R::lit(f64::NAN))),
            )
        },
    )
}

/// The magnitudes of a value and of its highest derivative, the first one where nothing moves the second.
#[inline(always)]
pub(crate) fn sizes<R: Real, const K: usize, const P: usize>(v: [Dual<R, K>; P]) -> [R; 2] {
    let (mut sum, mut first) = ([R::lit(0.0); 2], R::lit(0.0));
    for part in v {
        sum = added(sum, [part.value().abs(), part.top().abs()]);
        first = first + part.0[K / 4].abs();
    }
    [sum[0], if K > 2 { R::select(sum[1].eq(R::lit(0.0)), first, sum[1]) } else { sum[1] }]
}

#[inline(always)]
pub(crate) fn added<R: Real>([a, b]: [R; 2], [c, d]: [R; 2]) -> [R; 2] {
    [a + c, b + d]
}

/// Part `i` of a product of which the real part of a factor `z` has given this one.
#[inline(always)]
pub(crate) fn turned<R: Real, const K: usize, const P: usize>(
    f: [Dual<R, K>; P],
    product: Dual<R, K>,
    z: [R; P],
    i: usize,
) -> Dual<R, K> {
    match (P, i) {
        (2, 0) => product - f[1].times(z[1]),
        (2, _) => product + f[0].times(z[1]),
        _ => product,
    }
}

/// `f_{k + 1} = ratio f_k + d_k` and `d_k = keep d_{k - 1} - pull z f_k`, and the [`sizes`] of what that is the difference of.
#[inline(always)]
pub(crate) fn stepped<R: Real, const K: usize, const P: usize>(
    [keep, pull]: [Dual<R, K>; 2],
    ratio: Option<Dual<R, K>>,
    z: [R; P],
    [f, d]: Pair<R, K, P>,
) -> (Pair<R, K, P>, [R; 2]) {
    let kept = mapped(
        d,
        #[inline(always)]
        |d| keep * d,
    );
    let drops: [Dual<R, K>; P] = each(
        #[inline(always)]
        |i| pull * turned(f, f[i].times(z[0]), z, i),
    );
    let d = each(
        #[inline(always)]
        |i| kept[i] - drops[i],
    );
    let f = each(
        #[inline(always)]
        |i| ratio.map_or(f[i], |r| r * f[i]) + d[i],
    );
    ([f, d], added(sizes(kept), sizes(drops)))
}

/// The number of solutions that follow the error of a value or a derivative,
const EACH: usize = 3;
/// and of all.
const PROBES: usize = 2 * EACH;
/// Room for a pair, those without derivatives, and a number.
const STATE: usize = 16 + 4 * PROBES + 1;

#[inline(always)]
fn followed_state<R: Real, const K: usize, const P: usize>(
    pair: Pair<R, K, P>,
    probes: [Pair<R, 1, P>; PROBES],
    k: R,
) -> [R; STATE] {
    let rest: [R; STATE - 16] = each(
        #[inline(always)]
        |i| match i % 2 {
            _ if i == 4 * PROBES => k,
            part if part < P => probes[i / 4][i % 4 / 2][part].value(),
            _ => R::lit(0.0),
        },
    );
    written(pair, rest)
}

#[inline(always)]
fn read<R: Real, const K: usize, const P: usize>(state: &[R; STATE]) -> (Pair<R, K, P>, [Pair<R, 1, P>; PROBES]) {
    let pair = each(
        #[inline(always)]
        |which| parts(state, 8 * which),
    );
    let probes = each(
        #[inline(always)]
        |probe| {
            each(
                #[inline(always)]
                |which| {
                    each(
                        #[inline(always)]
                        |part| Dual([state[16 + 4 * probe + 2 * which + part]]),
                    )
                },
            )
        },
    );
    (pair, probes)
}

/// Values of up to two parts by fours, and plain numbers behind them.
#[inline(always)]
pub(crate) fn written<R: Real, const K: usize, const P: usize, const V: usize, const S: usize, const N: usize>(
    values: [[Dual<R, K>; P]; V],
    rest: [R; S],
) -> [R; N] {
    each(
        #[inline(always)]
        |i| match (i / 8, i % 8 / 4, i % 4) {
            (v, part, d) if v < V && part < P && d < K => values[v][part].0[d],
            _ if i >= 8 * V && i < 8 * V + S => rest[i - 8 * V],
            _ => R::lit(0.0),
        },
    )
}

/// What is written by fours, from a place on.
#[inline(always)]
pub(crate) fn parts<R: Real, const K: usize, const P: usize>(state: &[R], from: usize) -> [Dual<R, K>; P] {
    each(
        #[inline(always)]
        |part| {
            Dual(each(
                #[inline(always)]
                |d| state[from + 4 * part + d],
            ))
        },
    )
}
