//! Remainders, steps between neighbouring doubles, and scaling.

use super::pow2;
use crate::named;
use crate::real::{Bits, Mask, Real};

/// `|x| mod |y|` exactly, for finite `x` and nonzero `y`.
///
/// Each round subtracts `q y 2^n` with an integral `q < 2^52`; `n` is such that one round suffices unless `x/y >= 2^52`.
#[inline(always)]
fn mod_magnitude<R: Real>(x: R, y: R) -> R {
    let zero = R::lit(0.0);
    let near = subtract_multiple(x, y);
    let limit = R::lit((1u64 << 52) as f64);
    let far = (x / y).ge(limit);
    let [r] = R::when(
        far,
        [near],
        #[inline(always)]
        || {
            let [r] = R::repeat(
                [x],
                45,
                #[inline(always)]
                |[r]| {
                    // d = y 2^n with r / 2^52 < d <= r / 2^50, in two steps since 2^n may exceed the range.
                    let n = exponent(r) - exponent(y) - R::lit(51.0);
                    let n = R::select(n.lt(zero), zero, n);
                    let half = (n * R::lit(0.5)).floor();
                    let d = y * pow2(half) * pow2(n - half);
                    let next = subtract_multiple(r, d);
                    ([next], next.ge(y))
                },
            );
            [r]
        },
    );
    r
}

/// `r mod d` for `0 <= r < 2^53 d`.
#[inline(always)]
fn subtract_multiple<R: Real>(r: R, d: R) -> R {
    let q = (r / d).trunc();
    let rest = (-q).fma(d, r);
    // The quotient may have been rounded up to the next integer.
    R::select(rest.lt(R::lit(0.0)), rest + d, rest)
}

/// The exponent of the leading digit of a finite positive number, 0 to -1074 for subnormal ones.
#[inline(always)]
fn exponent<R: Real>(x: R) -> R {
    let subnormal = x.lt(R::lit(f64::MIN_POSITIVE));
    let bits = R::select(subnormal, x * R::lit((1u64 << 54) as f64), x).to_bits();
    let biased = super::from_int::<R>(bits.shr(52));
    biased - R::select(subnormal, R::lit(1077.0), R::lit(1023.0))
}

/// The remainder of truncated division, with the sign of `x`, exact.
#[inline(always)]
pub fn fmod<R: Real>(x: R, y: R) -> R {
    named!("fmod", |x, y| {
        let (ax, ay) = (x.abs(), y.abs());
        let (zero, inf) = (R::lit(0.0), R::lit(f64::INFINITY));
        let undefined = ax.lt(inf).and(ay.gt(zero)).not();
        // Undefined cases are computed on 0 mod 1 and infinite divisors leave x.
        let plain = undefined.or(ay.eq(inf));
        let r = mod_magnitude(R::select(plain, zero, ax), R::select(plain, R::lit(1.0), ay));
        let r = R::select(ay.eq(inf), ax, r).copysign(x);
        R::select(undefined, R::lit(f64::NAN), r)
    })
}

/// The remainder of floored division, with the sign of `y`, as `%` in Python.
#[inline(always)]
pub fn remainder<R: Real>(x: R, y: R) -> R {
    named!("remainder", |x, y| {
        let r = fmod(x, y);
        let zero = R::lit(0.0);
        let opposite = r.lt(zero).and(y.gt(zero)).or(r.gt(zero).and(y.lt(zero)));
        R::select(r.eq(zero), r.abs().copysign(y), R::select(opposite, r + y, r))
    })
}

/// `floor(x / y)` computed from the exact remainder, as `//` in NumPy.
#[inline(always)]
pub fn floor_divide<R: Real>(x: R, y: R) -> R {
    named!("floor_divide", |x, y| {
        let zero = R::lit(0.0);
        let r = fmod(x, y);
        let opposite = r.lt(zero).and(y.gt(zero)).or(r.gt(zero).and(y.lt(zero)));
        // (x - r) / y is an integer but for rounding, of the difference or of the quotient.
        let q = (x - r) / y;
        let q = R::select(opposite, q - R::lit(1.0), q);
        let nearest = q.floor();
        let nearest = R::select((q - nearest).gt(R::lit(0.5)), nearest + R::lit(1.0), nearest);
        let quotient = x / y;
        let r = R::select(q.eq(zero), zero.copysign(quotient), nearest);
        R::select(y.eq(zero), quotient, r)
    })
}

/// The next double after `x` towards `y`.
#[inline(always)]
pub fn nextafter<R: Real>(x: R, y: R) -> R {
    named!("nextafter", |x, y| {
        let zero = R::lit(0.0);
        let one = R::Bits::lit(1);
        // Away from zero the bit pattern counts up.
        let away = x.lt(y).and(x.gt(zero)).or(x.gt(y).and(x.lt(zero)));
        let bits = x.to_bits();
        let moved = R::from_bits(R::Bits::select(away, bits.add(one), bits.sub(one)));
        let moved = R::select(x.eq(zero), R::from_bits(one).copysign(y), moved);
        let moved = R::select(x.eq(y), y, moved);
        R::select(x.is_nan().or(y.is_nan()), x + y, moved)
    })
}

/// `v` limited to an interval.
#[inline(always)]
fn clamp<R: Real>(v: R, low: f64, high: f64) -> R {
    let v = R::select(v.lt(R::lit(low)), R::lit(low), v);
    R::select(v.gt(R::lit(high)), R::lit(high), v)
}

/// `x 2^k`, rounded once, for an integral `k` of any size.
#[inline(always)]
pub fn ldexp<R: Real>(x: R, k: R) -> R {
    named!("ldexp", |x, k| {
        // Upwards every step is exact; downwards only the last one, by 2^-1022, rounds to a subnormal number.
        let up1 = clamp(k, 0.0, 1023.0);
        let up2 = clamp(k - up1, 0.0, 1023.0);
        let up3 = clamp(k - up1 - up2, 0.0, 1023.0);
        let last = clamp(k, -1022.0, 0.0);
        let before = clamp(k - last, -1022.0, 0.0);
        let before2 = clamp(k - last - before, -1022.0, 0.0);
        let r = x * pow2(before2) * pow2(before) * pow2(last) * pow2(up1) * pow2(up2) * pow2(up3);
        R::select(x.eq(R::lit(0.0)).or(x.is_nan()), x, r)
    })
}
