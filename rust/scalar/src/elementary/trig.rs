//! Trigonometric functions.

use super::coefficients::{COS, SIN};
use super::{from_int, polynomial, pow2, to_int};
use crate::dd::Dd;
use crate::named;
use crate::real::{Bits, Mask, Real, Table};

pub(crate) const PI: (f64, f64) = (std::f64::consts::PI, 1.2246467991473532e-16);
pub(crate) const FRAC_PI_2: (f64, f64, f64) =
    (std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33);

/// The binary digits of 2/pi in pieces of 48 bits: `2/pi = sum TABLE[i] 2^(-48 (i + 1))`.
static TWO_OVER_PI: Table = Table {
    name: "two_over_pi",
    values: &[
        179192535600708.,
        23270068279249.,
        269607407508322.,
        164485373595713.,
        279625518014139.,
        217023475117626.,
        72902017812041.,
        51582721954332.,
        279404452032809.,
        183888630658549.,
        51381843323292.,
        123311537225281.,
        63298527134547.,
        63722760724363.,
        208877819469816.,
        167125197363215.,
        262985436846602.,
        119981743701711.,
        43752994852678.,
        69709976300077.,
        128813497838565.,
        265511607155191.,
        152087256787963.,
        105214343208200.,
        94571694849147.,
        118386223725600.,
    ],
};
const PIECE_BITS: f64 = 48.0;
const PIECE_UNIT: f64 = 1.0 / (1u64 << 48) as f64;

/// An angle `quadrant pi/2 + r` with `|r| <= pi/4` and a hair; the quadrant counts modulo 4.
struct Angle<R: Real> {
    quadrant: R::Bits,
    r: Dd<R>,
}

/// Up to here the three leading doubles of pi/2 reduce an argument in full precision.
pub(crate) const CODY_WAITE_LIMIT: f64 = 4194304.0;

/// Reduction of any finite argument.
#[inline(always)]
fn reduce<R: Real>(x: R) -> Angle<R> {
    let k = (x * R::lit(std::f64::consts::FRAC_2_PI)).round();
    // Exact: both terms are multiples of 2^-53 and their difference is below 1.
    let lead = (-k).fma(R::lit(FRAC_PI_2.0), x);
    let p = Dd::two_prod(k, R::lit(FRAC_PI_2.1));
    let s = Dd::two_sum(lead, -p.hi);
    let r = Dd::fast_two_sum(s.hi, s.lo - k.fma(R::lit(FRAC_PI_2.2), p.lo));
    let huge = x.abs().gt(R::lit(CODY_WAITE_LIMIT));
    let [quadrant, hi, lo] = R::when(
        huge,
        [k, r.hi, r.lo],
        #[inline(always)]
        || reduce_huge(x),
    );
    Angle { quadrant: to_int(quadrant), r: Dd::new(hi, lo) }
}

/// `x mod pi/2` for `|x| >= 2^22` from the digits of 2/pi that matter, as quadrant (0 to 4), hi, lo.
///
/// M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions", 1983. With `x = m 2^e`, all pieces whose product
/// with `x` is a multiple of 4 are left out; of the next five every product is split exactly and reduced modulo 4.
#[inline(always)]
pub(crate) fn reduce_huge<R: Real>(x: R) -> [R; 3] {
    R::call_many(
        "reduce_huge",
        [x],
        #[inline(always)]
        |[x]| {
            let exponent = from_int::<R>(x.to_bits().shr(52).and(R::Bits::lit(0x7ff))) - R::lit(1075.0);
            let first = ((exponent - R::lit(2.0)) * R::lit(1.0 / PIECE_BITS)).floor();
            let first = R::select(first.lt(R::lit(0.0)), R::lit(0.0), first);
            let index = to_int(first);
            // m 2^(e - 48 (first + 1)), which lies between 2^-26 and 2^54.
            let mut scaled = (x * pow2(R::lit(-512.0))) * pow2(R::lit(512.0 - PIECE_BITS) - first * R::lit(PIECE_BITS));
            let mod4 = |v: R| (v * R::lit(0.25)).round().fma(R::lit(-4.0), v);
            let mut terms = [R::lit(0.0); 9];
            for i in 0..5 {
                let piece = R::gather(&TWO_OVER_PI, index.add(R::Bits::lit(i as i64)));
                let p = Dd::two_prod(scaled, piece);
                scaled = scaled * R::lit(PIECE_UNIT);
                terms[2 * i] = mod4(p.hi);
                if i < 4 {
                    terms[2 * i + 1] = mod4(p.lo);
                }
            }
            // Two passes of error-free vector sums (T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", 2005).
            for _ in 0..2 {
                for i in (0..8).rev() {
                    let s = Dd::two_sum(terms[i], terms[i + 1]);
                    terms[i] = s.hi;
                    terms[i + 1] = s.lo;
                }
            }
            let turns = terms[0].round();
            let mut rest = terms[8];
            for i in (1..8).rev() {
                rest = rest + terms[i];
            }
            let fraction = Dd::two_sum(terms[0] - turns, rest);
            let r = fraction * Dd::lit(FRAC_PI_2.0, FRAC_PI_2.1);
            [turns, r.hi, r.lo]
        },
    )
}

/// `sin(r)` for `|r| <= pi/4` as a sum.
#[inline(always)]
fn sin_reduced<R: Real>(r: Dd<R>) -> Dd<R> {
    let z = r.hi * r.hi;
    let cubic = z * (r.hi * polynomial(z, &SIN));
    let tail = r.lo.fma(z.fma(R::lit(-0.5), R::lit(1.0)), cubic);
    Dd::new(r.hi, tail)
}

/// `cos(r)` for `|r| <= pi/4` as a sum.
#[inline(always)]
fn cos_reduced<R: Real>(r: Dd<R>) -> Dd<R> {
    let half_square = Dd::two_prod(r.hi * R::lit(0.5), r.hi);
    let z = r.hi * r.hi;
    let lead = Dd::fast_two_sum(R::lit(1.0), -half_square.hi);
    let quartic = (z * z).fma(polynomial(z, &COS), -(r.hi * r.lo));
    Dd::new(lead.hi, lead.lo + (quartic - half_square.lo))
}

/// Whether bit `n` of the quadrant is set.
#[inline(always)]
pub(crate) fn bit<R: Real>(quadrant: R::Bits, n: u32) -> R::Mask {
    quadrant.and(R::Bits::lit(1 << n)).eq(R::Bits::lit(1 << n))
}

/// Sine of an angle, as a sum; the cosine is the sine one quadrant on.
#[inline(always)]
fn sin_angle<R: Real>(a: &Angle<R>, quadrants: i64) -> Dd<R> {
    let q = a.quadrant.add(R::Bits::lit(quadrants));
    let y = Dd::select(bit::<R>(q, 0), cos_reduced(a.r), sin_reduced(a.r));
    let flip = bit::<R>(q, 1);
    Dd::select(flip, -y, y)
}

/// The sine.
#[inline(always)]
pub fn sin<R: Real>(x: R) -> R {
    named!("sin", |x| {
        let y = sin_angle(&reduce(x), 0).value();
        R::select(x.eq(R::lit(0.0)), x, y)
    })
}

/// The cosine.
#[inline(always)]
pub fn cos<R: Real>(x: R) -> R {
    named!("cos", |x| sin_angle(&reduce(x), 1).value())
}

/// `cos(x) - 1`, as `-2 sin(x / 2)^2`.
#[inline(always)]
pub fn cosm1<R: Real>(x: R) -> R {
    named!("cosm1", |x| {
        let s = sin_angle(&reduce(x * R::lit(0.5)), 0).normalize();
        let half = s.hi.fma(s.hi, (s.hi + s.hi) * s.lo);
        half * R::lit(-2.0) + R::lit(0.0)
    })
}

/// Sine and cosine together.
#[inline(always)]
pub fn sin_cos<R: Real>(x: R) -> (R, R) {
    let [s, c] = R::call_many(
        "sin_cos",
        [x],
        #[inline(always)]
        |[x]| {
            let a = reduce(x);
            let s = sin_angle(&a, 0).value();
            [R::select(x.eq(R::lit(0.0)), x, s), sin_angle(&a, 1).value()]
        },
    );
    (s, c)
}

/// The tangent.
#[inline(always)]
pub fn tan<R: Real>(x: R) -> R {
    named!("tan", |x| {
        let y = tan_angle(&reduce(x));
        R::select(x.eq(R::lit(0.0)), x, y)
    })
}

/// `tan` of an angle rounded to one double.
#[inline(always)]
fn tan_angle<R: Real>(a: &Angle<R>) -> R {
    let (s, c) = (sin_reduced(a.r).normalize(), cos_reduced(a.r).normalize());
    let odd = bit::<R>(a.quadrant, 0);
    Dd::select(odd, -c, s).quotient(Dd::select(odd, s, c))
}

/// The angle `pi x`, reduced exactly.
#[inline(always)]
fn reduce_pi<R: Real>(x: R) -> Angle<R> {
    // From 2^52 on every double is an integer, from 2^53 on an even one.
    let x = R::select(x.abs().lt(R::lit((1u64 << 53) as f64)), x, x * R::lit(0.0));
    let half_turns = (x + x).round();
    let wrapped = half_turns - (half_turns * R::lit(0.25)).floor() * R::lit(4.0);
    let rest = half_turns.fma(R::lit(-0.5), x);
    Angle { quadrant: to_int(wrapped), r: Dd::lit(PI.0, PI.1).times(rest) }
}

/// `y`, or `pi x` where `x` is so small that the parts of that product would underflow.
#[inline(always)]
fn unless_tiny<R: Real>(x: R, y: R) -> R {
    let tiny = x.abs().lt(R::lit(1e-290));
    let [y] = R::when(
        tiny,
        [y],
        #[inline(always)]
        || {
            let scaled = x * pow2(R::lit(200.0));
            [Dd::lit(PI.0, PI.1).times(scaled).value() * pow2(R::lit(-200.0))]
        },
    );
    y
}

/// `sin(pi x)`, exactly 0 at integers.
#[inline(always)]
pub fn sinpi<R: Real>(x: R) -> R {
    named!("sinpi", |x| {
        let y = unless_tiny(x, sin_angle(&reduce_pi(x), 0).value());
        R::select(y.eq(R::lit(0.0)), y.abs().copysign(x), y)
    })
}

/// `cos(pi x)`, exactly 0 halfway between integers.
#[inline(always)]
pub fn cospi<R: Real>(x: R) -> R {
    named!("cospi", |x| {
        let y = sin_angle(&reduce_pi(x), 1).value();
        R::select(y.eq(R::lit(0.0)), y.abs(), y)
    })
}

/// `tan(pi x)`, with signs of zeros and poles as in IEEE 754.
#[inline(always)]
pub fn tanpi<R: Real>(x: R) -> R {
    named!("tanpi", |x| {
        let a = reduce_pi(x);
        let y = unless_tiny(x, tan_angle(&a));
        let half = a.r.hi.eq(R::lit(0.0));
        let odd = bit::<R>(a.quadrant, 0);
        let upper = bit::<R>(a.quadrant, 1);
        let sign = R::select(upper, R::lit(-1.0), R::lit(1.0));
        let pole = R::lit(f64::INFINITY) * sign;
        let zero = R::lit(0.0).copysign(sign * R::lit(1.0).copysign(x));
        R::select(half.and(x.abs().lt(R::lit(f64::INFINITY))), R::select(odd, pole, zero), y)
    })
}

/// Below this `sinc` rounds to 1, and its denominator might underflow.
const SINC_ONE: f64 = 1.0 / (1u64 << 28) as f64;

/// `sin(pi x) / (pi x)`, 1 at 0 and exactly 0 at other integers.
#[inline(always)]
pub fn sinc<R: Real>(x: R) -> R {
    named!("sinc", |x| {
        let x = x.abs();
        let y = sin_angle(&reduce_pi(x), 0).normalize().quotient(Dd::lit(PI.0, PI.1).times(x));
        let y = R::select(x.lt(R::lit(SINC_ONE)), R::lit(1.0), y);
        R::select(x.eq(R::lit(f64::INFINITY)), R::lit(f64::NAN), y)
    })
}
