//! Gamma and beta variates. A sampler is set up once per parameter and draws from the words of one element.

use super::fill::Sampler;
use super::philox::Draws;
use super::transform::{Float, exponential, normal_pair};
use sciarray_scalar::elementary::{exp, log, log1p};

/// Gamma variates of scale 1 (Marsaglia and Tsang, "A simple method for generating gamma variables", TOMS 26, 2000).
pub struct Gamma {
    d: f64,
    c: f64,
    /// For shapes below 1: a variate of shape + 1 is multiplied by `u^(1 / shape)`.
    boosted_shape: Option<f64>,
}

/// A gamma variate `value * exp(-shrink)`, kept apart because a small shape makes the product underflow.
struct Scaled {
    value: f64,
    shrink: f64,
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
        let value = loop {
            let [x, _] = normal_pair([draws.next(), draws.next()]);
            let u = f64::uniform(draws.next());
            let t = self.c * x;
            if t <= -1.0 {
                continue;
            }
            let cube = (1.0 + t) * (1.0 + t) * (1.0 + t);
            let square = x * x;
            // The last comparison is log(u) < x^2 / 2 + d (1 - v + log v) with v = (1 + t)^3, and true where it is NaN.
            if u < 1.0 - 0.0331 * square * square
                || !(log(u) >= 0.5 * square + self.d * (3.0 * log1p(t) - t * (3.0 + t * (3.0 + t))))
            {
                break self.d * cube;
            }
        };
        let shrink = self.boosted_shape.map_or(0.0, |shape| exponential(draws.next()) / shape);
        Scaled { value, shrink }
    }
}

impl<T: Float> Sampler<T> for Gamma {
    type Params = (f64,);
    const LOG_DRAWS: u32 = 1;

    /// A negative or NaN shape gives NaN, shape 0 the constant 0.
    fn new((shape,): (f64,)) -> Self {
        Gamma::of_shape(shape)
    }

    #[inline(always)]
    fn sample(&self, draws: &mut Draws) -> T {
        let g = self.scaled(draws);
        T::round(if g.shrink > 0.0 { g.value * exp(-g.shrink) } else { g.value })
    }
}

/// Beta variates as `X / (X + Y)` of two gamma variates, by logarithms where a shape below 1 may make both underflow.
pub struct Beta {
    a: Gamma,
    b: Gamma,
}

impl<T: Float> Sampler<T> for Beta {
    type Params = (f64, f64);
    const LOG_DRAWS: u32 = 2;

    /// A parameter that is not positive gives NaN.
    fn new((a, b): (f64, f64)) -> Self {
        let positive = |shape: f64| Gamma::of_shape(if shape > 0.0 { shape } else { f64::NAN });
        Beta { a: positive(a), b: positive(b) }
    }

    #[inline(always)]
    fn sample(&self, draws: &mut Draws) -> T {
        let x = self.a.scaled(draws);
        let y = self.b.scaled(draws);
        T::round(if x.shrink == 0.0 && y.shrink == 0.0 {
            1.0 / (1.0 + y.value / x.value)
        } else if x.shrink == f64::INFINITY && y.shrink == f64::INFINITY {
            // Both exponents overflowed: all the mass is at 0 and 1, in the proportion b to a.
            let odds = self.b.boosted_shape.unwrap_or(1.0) / self.a.boosted_shape.unwrap_or(1.0);
            f64::from(f64::uniform(draws.next()) * (1.0 + odds) < 1.0)
        } else {
            1.0 / (1.0 + exp((log(y.value) - y.shrink) - (log(x.value) - x.shrink)))
        })
    }
}
