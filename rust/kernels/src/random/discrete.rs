//! Poisson and binomial variates. A sampler is set up once per parameter and draws from the words of one element.

use super::fill::Sampler;
use super::philox::Draws;
use super::transform::Float;
use sciarray_scalar::elementary::{exp, log, log1p};

/// Below this mean one uniform and a sequential search are cheaper than rejection.
const SEARCH_MEAN: f64 = 10.0;
/// Beyond every value that a mean of [`SEARCH_MEAN`] reaches: the mass above is 1e-78.
const SEARCH_END: i64 = 128;

/// `log(k!)` minus Stirling's `(k + 1/2) log(k) - k + log(2 pi) / 2`, for integers; 0 for 0.
#[inline(always)]
fn stirling_error(k: f64) -> f64 {
    const SMALL: [f64; 16] = [
        0.0,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    ];
    if let Some(&error) = SMALL.get(k as usize) {
        return error;
    }
    let z = 1.0 / (k * k);
    (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z * (1.0 / 1188.0))))) / k
}

/// `x log(x / mean) + mean - x` without the cancellation for x near the mean (Loader, "Fast and accurate computation of
/// binomial probabilities", 2000).
#[inline(always)]
fn deviance(x: f64, mean: f64) -> f64 {
    let excess = x - mean;
    if x == 0.0 { mean } else { x * log1p(excess / mean) - excess }
}

/// A probability as `exp(exponent) / sqrt(square)`; so k = 0 needs no case of its own, and rejection no second logarithm.
struct Probability {
    exponent: f64,
    square: f64,
}

/// The square under Stirling's formula.
#[inline(always)]
fn stirling_square(k: f64) -> f64 {
    if k == 0.0 { 1.0 } else { std::f64::consts::TAU * k }
}

#[inline(always)]
fn poisson_probability(k: f64, mean: f64) -> Probability {
    Probability { exponent: -stirling_error(k) - deviance(k, mean), square: stirling_square(k) }
}

#[inline(always)]
fn binomial_probability(k: f64, n: f64, p: f64) -> Probability {
    let rest = n - k;
    Probability {
        exponent: stirling_error(n)
            - stirling_error(k)
            - stirling_error(rest)
            - deviance(k, n * p)
            - deviance(rest, n * (1.0 - p)),
        square: stirling_square(k) * stirling_square(rest) / stirling_square(n),
    }
}

/// The first k whose cumulative probability passes a uniform; `next_ratio(k)` is `pmf(k) / pmf(k - 1)`.
#[inline(always)]
fn search(draws: &mut Draws, pmf_0: f64, end: i64, next_ratio: impl Fn(f64) -> f64) -> i64 {
    loop {
        let mut u = f64::uniform(draws.next());
        let mut pmf = pmf_0;
        let mut k = 0;
        // Rounding may leave a little of u beyond the last value: then draw anew.
        while k <= end {
            if u < pmf {
                return k;
            }
            u -= pmf;
            k += 1;
            pmf *= next_ratio(k as f64);
        }
    }
}

/// Transformed rejection with squeeze (Hoermann, "The transformed rejection method for generating Poisson random
/// variables", 1993, and "The generation of binomial random variates", 1993).
struct TransformedRejection {
    a: f64,
    b: f64,
    center: f64,
    squeeze: f64,
    alpha: f64,
}

impl TransformedRejection {
    /// `probability(k)` is relative to what `alpha` is scaled to, for k from 0 to `last`.
    #[inline(always)]
    fn sample(&self, draws: &mut Draws, last: f64, probability: impl Fn(f64) -> Probability) -> f64 {
        loop {
            let u = f64::uniform(draws.next()) - 0.5;
            // On (0, 1], because its logarithm is taken.
            let v = 1.0 - f64::uniform(draws.next());
            let distance = 0.5 - u.abs();
            let k = ((2.0 * self.a / distance + self.b) * u + self.center).floor();
            if distance >= 0.07 && v <= self.squeeze {
                return k;
            }
            if !(0.0..=last).contains(&k) {
                continue;
            }
            let hat = self.a / (distance * distance) + self.b;
            let Probability { exponent, square } = probability(k);
            if log(v * self.alpha * square.sqrt() / hat) <= exponent {
                return k;
            }
        }
    }
}

enum Method {
    Constant,
    Search { pmf_0: f64 },
    Rejection(TransformedRejection),
}

/// Poisson variates.
pub struct Poisson {
    mean: f64,
    method: Method,
}

impl Sampler<i64> for Poisson {
    type Params = (f64,);
    type Raw = i64;
    const LOG_DRAWS: u32 = 0;

    /// Values beyond the range of i64 are cut to its end; a mean that is not positive gives the constant 0.
    fn new((mean,): (f64,)) -> Self {
        let method = if mean.is_nan() || mean <= 0.0 {
            Method::Constant
        } else if mean < SEARCH_MEAN {
            Method::Search { pmf_0: exp(-mean) }
        } else {
            let b = 0.931 + 2.53 * mean.sqrt();
            Method::Rejection(TransformedRejection {
                a: -0.059 + 0.02483 * b,
                b,
                center: mean + 0.43,
                squeeze: 0.9277 - 3.6224 / (b - 2.0),
                alpha: 1.1239 + 1.1328 / (b - 3.4),
            })
        };
        Poisson { mean, method }
    }

    #[inline(always)]
    fn sample(&self, draws: &mut Draws) -> i64 {
        let mean = self.mean;
        match &self.method {
            Method::Constant => 0,
            Method::Search { pmf_0 } => search(draws, *pmf_0, SEARCH_END, |k| mean / k),
            Method::Rejection(hat) => hat.sample(
                draws,
                f64::INFINITY,
                #[inline(always)]
                |k| poisson_probability(k, mean),
            ) as i64,
        }
    }

    #[inline(always)]
    fn finish(k: i64) -> i64 {
        k
    }
}

/// Binomial variates.
pub struct Binomial {
    n: i64,
    /// The probability that is at most 1/2, of success or, where `flipped`, of failure.
    p: f64,
    flipped: bool,
    method: Method,
}

impl Sampler<i64> for Binomial {
    type Params = (i64, f64);
    type Raw = i64;
    const LOG_DRAWS: u32 = 0;

    /// `n` at least 0, `p` in [0, 1]; outside of that the nearest valid parameters are taken, NaN as 0.
    fn new((n, p): (i64, f64)) -> Self {
        let n = n.max(0);
        let p = if p > 0.0 { p.min(1.0) } else { 0.0 };
        let flipped = p > 0.5;
        let p = if flipped { 1.0 - p } else { p };
        let (trials, q) = (n as f64, 1.0 - p);
        let mean = trials * p;
        let method = if mean == 0.0 {
            Method::Constant
        } else if mean < SEARCH_MEAN {
            Method::Search { pmf_0: exp(trials * log1p(-p)) }
        } else {
            let deviation = (mean * q).sqrt();
            let b = 1.15 + 2.53 * deviation;
            let mode = binomial_probability(((trials + 1.0) * p).floor(), trials, p);
            Method::Rejection(TransformedRejection {
                a: -0.0873 + 0.0248 * b + 0.01 * p,
                b,
                center: mean + 0.5,
                squeeze: 0.92 - 4.2 / b,
                alpha: (2.83 + 5.1 / b) * deviation * exp(mode.exponent) / mode.square.sqrt(),
            })
        };
        Binomial { n, p, flipped, method }
    }

    #[inline(always)]
    fn sample(&self, draws: &mut Draws) -> i64 {
        let (n, p) = (self.n as f64, self.p);
        let k = match &self.method {
            Method::Constant => 0,
            Method::Search { pmf_0 } => {
                let odds = p / (1.0 - p);
                search(draws, *pmf_0, self.n.min(SEARCH_END), |k| (n - k + 1.0) / k * odds)
            }
            Method::Rejection(hat) => hat.sample(
                draws,
                n,
                #[inline(always)]
                |k| binomial_probability(k, n, p),
            ) as i64,
        };
        let k = k.min(self.n);
        if self.flipped { self.n - k } else { k }
    }

    #[inline(always)]
    fn finish(k: i64) -> i64 {
        k
    }
}
