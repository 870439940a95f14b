//! Bodies, points and comparisons for the tests of lanes and of the printer. Those of all functions go through the loops of the
//! library: tests/test_printed_host.py and tests/test_instruction_sets.py.

use crate::real::{Arith, ArithBody, Body, Mask, Real};

/// Uses every operation of [`Arith`].
pub struct Everything;

impl ArithBody<2> for Everything {
    const NAME: &'static str = "everything";
    #[inline(always)]
    fn eval<R: Arith>([x, y]: [R; 2]) -> R {
        let rounded = (x.floor() - y.ceil()) * (x.trunc() + R::lit(0.1)) / y.round();
        let parts = x.abs().sqrt().fma(y, -rounded).copysign(y);
        let m = x.lt(y).and(x.ne(R::lit(1.0))).or(y.le(R::lit(-2.5)).not().and(x.gt(R::lit(0.0))));
        R::select(m.or(parts.is_nan()), parts, R::select(x.eq(y).or(x.ge(R::lit(7.0))), x, rounded))
    }
}

impl Body<2> for Everything {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "everything";
    #[inline(always)]
    fn eval<R: Real>(x: [R; 2]) -> R {
        <Self as ArithBody<2>>::eval(x)
    }
}

/// A loop whose state changes places, and a branch.
pub struct Euclid;

impl Body<2> for Euclid {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "euclid";
    #[inline(always)]
    fn eval<R: Real>([x, y]: [R; 2]) -> R {
        let [a, _] = R::repeat(
            [x.abs().floor(), y.abs().floor()],
            40,
            #[inline(always)]
            |[a, b]| {
                let rest = (-(a / b).floor()).fma(b, a);
                ([b, rest], rest.gt(R::lit(0.0)))
            },
        );
        R::when(
            a.gt(R::lit(3.0)),
            [a],
            #[inline(always)]
            || [a.sqrt()],
        )[0]
    }
}

/// Numbers times powers of two, down to below the normal range.
pub struct Scaled;

impl Body<2> for Scaled {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "scaled";
    #[inline(always)]
    fn eval<R: Real>([x, y]: [R; 2]) -> R {
        let power = R::select(y.abs().lt(R::lit(1150.0)), y, R::lit(-1060.0)).round();
        (x - x.floor() + R::lit(0.5)).copysign(x).scale(power)
    }
}

/// Equal bits, where all NaNs count as one.
pub fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Zeros, infinities, NaN, the ends of the range and of whole numbers, with both signs.
fn edge_cases() -> Vec<f64> {
    let whole = (1u64 << 53) as f64;
    let small = [0.0, f64::MIN_POSITIVE, 5e-324, 1e-310, 0.25, 0.5, 1.0 - f64::EPSILON / 2.0];
    let large = [
        1.0,
        1.0 + f64::EPSILON,
        1.5,
        2.0,
        2.5,
        3.0,
        7.0,
        whole / 2.0,
        whole,
        whole + 2.0,
        1e300,
        f64::MAX,
        f64::INFINITY,
    ];
    let mut all: Vec<f64> = small.into_iter().chain(large).flat_map(|v| [v, -v]).collect();
    all.push(f64::NAN);
    all
}

/// Half of them any finite double, half of moderate size; the same for the same seed (Steele, Lea, Flood: SplitMix64, 2014).
fn random_doubles(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e3779b97f4a7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    };
    let mut out = Vec::with_capacity(n);
    while out.len() < n {
        let bits = next();
        let moderate = (bits & !(0x7ff << 52)) | ((1010 + (bits >> 52) % 24) << 52);
        let v = f64::from_bits(if out.len() % 2 == 0 { bits } else { moderate });
        if v.is_finite() {
            out.push(v);
        }
    }
    out
}

/// Two columns: every pair of edge cases, then random doubles; a multiple of eight rows.
pub fn points() -> [Vec<f64>; 2] {
    const RANDOM: usize = 10_000;
    let edges = edge_cases();
    let pairs = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b)));
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = pairs.unzip();
    x.extend(random_doubles(1, RANDOM));
    y.extend(random_doubles(2, RANDOM));
    let whole = x.len() / 8 * 8;
    x.truncate(whole);
    y.truncate(whole);
    [x, y]
}
