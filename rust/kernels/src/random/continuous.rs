//! Gamma and beta variates. A sampler is set up once per parameter and draws from the words of one element.

use super::fill::Sampler;
use super::philox::Draws;
use super::transform::{Float, exponential, normal_pair};
use sciarray_scalar::elementary::{exp, log, log1p};

/// The two blocks of one attempt: in the first a normal takes the place of its first word, in the second an exponential that
/// of the second.
#[inline(always)]
fn prepare_attempts(blocks: &mut [[u64; 2]]) {
    for attempt in blocks.as_chunks_mut::<2>().0 {
        attempt[0][0] = normal_pair(attempt[0])[0].to_bits();
        attempt[1][1] = exponential(attempt[1][1]).to_bits();
    }
}

/// A normal, a uniform and an exponential.
#[inline(always)]
fn attempt(draws: &mut Draws) -> [f64; 3] {
    let prepared = draws.has_ready();
    let mut blocks = [[draws.next(), draws.next()], [draws.next(), draws.next()]];
    if !prepared {
        prepare_attempts(&mut blocks);
    }
    let [[normal, _], [uniform, exponential]] = blocks;
    [f64::from_bits(normal), f64::uniform(uniform), f64::from_bits(exponential)]
}

/// Gamma variates of scale 1 (Marsaglia and Tsang, "A simple method for generating gamma variables", TOMS 26, 2000).
pub struct Gamma {
    d: f64,
    c: f64,
    /// For shapes below 1: a variate of shape + 1 is multiplied by `u^(1 / shape)`.
    boosted_shape: Option<f64>,
}

/// The variate `factor * exp(exponent)`: a small shape makes the product underflow.
#[derive(Clone, Copy, Default)]
pub struct Scaled {
    factor: f64,
    exponent: f64,
}

impl Gamma {
    fn of_shape(shape: f64) -> Self {
        let shape = if shape >= 0.0 { shape } else { f64::NAN };
        let boosted_shape = (shape < 1.0).then_some(shape);
        let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
        Gamma { d, c: 1.0 / (9.0 * d).sqrt(), boosted_shape }
    }

    #[inline(always)]
    fn scaled(&self, draws: &mut Draws) -> Scaled {
        loop {
            let [x, u, e] = attempt(draws);
            let t = self.c * x;
            if t <= -1.0 {
                continue;
            }
            let square = x * x;
            // The second comparison is log(u) < x^2 / 2 + d (1 - v + log v) with v = (1 + t)^3.
            if u < 1.0 - 0.0331 * square * square
                || log(u) < 0.5 * square + self.d * (3.0 * log1p(t) - t * (3.0 + t * (3.0 + t)))
            {
                let factor = self.d * ((1.0 + t) * (1.0 + t) * (1.0 + t));
                return Scaled { factor, exponent: self.boosted_shape.map_or(0.0, |shape| -e / shape) };
            }
        }
    }
}

impl<T: Float> Sampler<T> for Gamma {
    type Params = (f64,);
    type Raw = Scaled;
    const LOG_DRAWS: u32 = 1;

    /// A negative or NaN shape gives NaN, shape 0 the constant 0.
    fn new((shape,): (f64,)) -> Self {
        Gamma::of_shape(shape)
    }

    #[inline(always)]
    fn prepare(blocks: &mut [[u64; 2]]) {
        prepare_attempts(blocks);
    }

    #[inline(always)]
    fn sample(&self, draws: &mut Draws) -> Scaled {
        self.scaled(draws)
    }

    #[inline(always)]
    fn finish(raw: Scaled) -> T {
        T::round(raw.factor * exp(raw.exponent))
    }
}

/// Beta variates as `1 / (1 + Y / X)` of two gamma variates, whose ratio exists where both underflow.
pub struct Beta {
    a: Gamma,
    b: Gamma,
}

impl<T: Float> Sampler<T> for Beta {
    type Params = (f64, f64);
    type Raw = Scaled;
    const LOG_DRAWS: u32 = 2;

    /// A parameter that is not positive gives NaN.
    fn new((a, b): (f64, f64)) -> Self {
        let positive = |shape: f64| Gamma::of_shape(if shape > 0.0 { shape } else { f64::NAN });
        Beta { a: positive(a), b: positive(b) }
    }

    #[inline(always)]
    fn prepare(blocks: &mut [[u64; 2]]) {
        prepare_attempts(blocks);
    }

    #[inline(always)]
    fn sample(&self, draws: &mut Draws) -> Scaled {
        let x = self.a.scaled(draws);
        let y = self.b.scaled(draws);
        if x.exponent == f64::NEG_INFINITY && y.exponent == f64::NEG_INFINITY {
            // Both exponents overflowed: all the mass is at 0 and 1, in the proportion b to a.
            let odds = self.b.boosted_shape.unwrap_or(1.0) / self.a.boosted_shape.unwrap_or(1.0);
            let one = f64::uniform(draws.next()) * (1.0 + odds) < 1.0;
            return Scaled { factor: if one { 0.0 } else { f64::INFINITY }, exponent: 0.0 };
        }
        Scaled { factor: y.factor / x.factor, exponent: y.exponent - x.exponent }
    }

    #[inline(always)]
    fn finish(raw: Scaled) -> T {
        T::round(1.0 / (1.0 + raw.factor * exp(raw.exponent)))
    }
}
