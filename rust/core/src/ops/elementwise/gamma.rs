//! Relatives of the gamma function: its reciprocal, quotients of gammas, inverses of the incomplete ones.

use super::special::{equals, gamma_log_density_dx, gamma_score, unsupported};
use super::{RowRule, Settles, rows};
use crate::expr::E;
use crate::op::Saves;
use crate::ops;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use sciarray_scalar::complex::bodies as c;
use std::f64::consts::PI;

rows! {
    RGAMMA {
        name: "rgamma",
        doc: "Reciprocal ``1 / gamma(x)`` (DLMF 5.2.1), 0 at the poles of gamma.",
        example: ">>> sa.special.rgamma(sa.asarray([0.0, 0.5]))
                  array([0.        , 0.56418958])",
        reference: "scipy.special.rgamma",
        kernels: Kernels::real::<b::Rgamma, 1>().with_complex::<c::Rgamma, 1>(),
        rule: RowRule::Partials(&[|x, _| E::call(&RGAMMA_DX, [&x[0]])]),
        domain: &[(-3.0, 100.0)],
        namespace: "special",
    }
    RGAMMA_DX {
        name: "rgamma_dx",
        doc: "Derivative of ``1 / gamma(x)``, also at the poles of gamma.",
        kernels: Kernels::real::<b::RgammaDx, 1>().with_complex::<c::RgammaDx, 1>().narrow(),
        rule: RowRule::Partials(&[|x, _| E::call(&RGAMMA_DXX, [&x[0]])]),
        namespace: "-",
    }
    RGAMMA_DXX {
        name: "rgamma_dxx",
        doc: "Second derivative of ``1 / gamma(x)``.",
        kernels: Kernels::real::<b::RgammaDxx, 1>().with_complex::<c::RgammaDxx, 1>().narrow(),
        rule: RowRule::Partials(&[|_, _| unsupported("rgamma: the third derivative is not available")]),
        namespace: "-",
    }
    GAMMASGN {
        name: "gammasgn",
        doc: "Sign of the gamma function, NaN at the negative integers.",
        example: ">>> sa.special.gammasgn(sa.asarray([-0.5, 2.0]))
                  array([-1.,  1.])",
        reference: "scipy.special.gammasgn",
        kernels: Kernels::real::<b::Gammasgn, 1>(),
        namespace: "special",
    }
    POCH {
        name: "poch",
        args: &["z", "m"],
        doc: "Pochhammer's symbol ``gamma(z + m) / gamma(z)`` (DLMF 5.2.5).",
        example: ">>> sa.special.poch(3.0, sa.asarray([0.0, 2.0]))
                  array([ 1., 12.])",
        reference: "scipy.special.poch",
        kernels: Kernels::real::<b::Poch, 2>(),
        rule: RowRule::Partials(&[
            |x, y| {
                let end = Sum::new(&x[0], &x[1]);
                let usual = y * E::call(&super::POLYGAMMA_STEP, [&x[0].lit(0.0), &x[0], &x[1]]);
                let rest = 1.0 - &x[0];
                let above = E::call(&super::GAMMA, [&end.rounded]) * E::call(&super::GAMMA, [&rest]) / PI;
                let below = E::call(&POCH, [&(1.0 - &end.rounded), &x[1]]) / end.sinpi();
                let low = E::call(&super::LESS, [&end.rounded, &end.rounded.lit(0.5)]);
                let front = E::call(&super::WHERE, [&low, &below, &above]);
                let product = reflected(&x[0], &front, &(end.digamma() - E::call(&super::DIGAMMA, [&rest])));
                let both = at_poles(&end.rounded, &usual, &product);
                at_poles(&x[0], &E::call(&super::WHERE, [&end.farther(&x[0]), &product, &both]), &usual)
            },
            |x, y| y * Sum::new(&x[0], &x[1]).digamma(),
        ]),
        saves: Saves::ALL,
        settles: &[Settles::to_zero(&[0])],
        domain: &[(0.1, 20.0), (0.1, 20.0)],
        namespace: "special",
    }
    BINOM {
        name: "binom",
        args: &["n", "k"],
        doc: "Binomial coefficient of real arguments; integers for integers, NaN for negative integer ``n``, as SciPy.",
        example: ">>> sa.special.binom(5.0, sa.asarray([2.0, 2.5]))
                  array([10.        , 10.86497745])",
        reference: "scipy.special.binom",
        kernels: Kernels::real::<b::Binom, 2>(),
        rule: RowRule::Partials(&[
            |x, y| {
                let (top, rest) = (&x[0] + 1.0, &x[0] - &x[1] + 1.0);
                let step = |a: &E, b: &E| E::call(&super::POLYGAMMA_STEP, [&x[0].lit(0.0), a, b]);
                // From what is exact next to poles
                let usual = y * at_poles(&top, &-step(&top, &-&x[1]), &step(&rest, &x[1]));
                at_poles(&rest, &binom_reflected([&top, &rest], &top), &usual)
            },
            |x, y| {
                let (top, low, rest) = (&x[0] + 1.0, &x[1] + 1.0, &x[0] - &x[1] + 1.0);
                let usual = y * (E::call(&super::DIGAMMA, [&rest]) - E::call(&super::DIGAMMA, [&low]));
                let out = at_poles(&rest, &-binom_reflected([&top, &rest], &low), &usual);
                at_poles(&low, &binom_reflected([&top, &low], &rest), &out)
            },
        ]),
        saves: Saves::ALL,
        domain: &[(5.0, 20.0), (0.0, 3.0)],
        namespace: "special",
    }
    GAMMA_DRIFT {
        name: "gamma_drift",
        args: &["a", "x"],
        doc: "How fast the quantile ``x`` of the gamma distribution moves with ``a``.",
        kernels: Kernels::real::<b::GammaDrift, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| E::call(&GAMMA_DRIFT_DA, [&x[0], &x[1]]),
            |x, _| E::call(&GAMMA_DRIFT_DX, [&x[0], &x[1]]),
        ]),
        namespace: "-",
    }
    GAMMA_DRIFT_DA {
        name: "gamma_drift_da",
        args: &["a", "x"],
        doc: "Derivative of gamma_drift in ``a``.",
        kernels: Kernels::real::<b::GammaDriftDa, 2>().narrow(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("gammaincinv: the third derivative in a is not available"),
            |x, y| drift_mixed(x, y),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    GAMMA_DRIFT_DX {
        name: "gamma_drift_dx",
        args: &["a", "x"],
        doc: "Derivative of gamma_drift in ``x``.",
        kernels: Kernels::real::<b::GammaDriftDx, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, _| drift_mixed(x, &E::call(&GAMMA_DRIFT_DA, [&x[0], &x[1]])),
            |x, y| {
                let drift = E::call(&GAMMA_DRIFT, [&x[0], &x[1]]);
                ((&x[0] - 1.0) * drift / &x[1] - 1.0) / &x[1] - gamma_log_density_dx(&x[0], &x[1]) * y
            },
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    GAMMA_PACE {
        name: "gamma_pace",
        args: &["a", "x"],
        doc: "How fast the quantile ``x`` of the gamma distribution moves with its probability.",
        kernels: Kernels::real::<b::GammaPace, 2>().narrow(),
        rule: RowRule::Partials(&[
            |x, y| -y * gamma_score(&x[0], &x[1]),
            |x, y| -y * gamma_log_density_dx(&x[0], &x[1]),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    GAMMA_END {
        name: "gamma_end",
        args: &["k", "a", "p", "x"],
        doc: "Slope in ``p`` of a quantile ``x`` of the gamma distribution at an end (``k`` = 0), and its derivatives in ``p`` (1) and ``a`` (2).",
        kernels: Kernels::real::<b::GammaEnd, 4>().narrow(),
        orders: &[0],
        rule: RowRule::Partials(&[
            |_, _| unsupported("gammaincinv: the number of a derivative is not differentiable"),
            |x, _| E::call(&GAMMA_END, [&(10.0 * &x[0] + 2.0), &x[1], &x[2], &x[3]]),
            |x, _| E::call(&GAMMA_END, [&(10.0 * &x[0] + 1.0), &x[1], &x[2], &x[3]]),
            |x, _| x[0].lit(0.0),
        ]),
        namespace: "-",
    }
    GAMMAINCINV {
        name: "gammaincinv",
        args: &["a", "p"],
        doc: "The ``x`` with ``gammainc(a, x) = p``, differentiable in both arguments, twice in ``a``.",
        example: ">>> sa.special.gammaincinv(2.0, sa.asarray([0.25, 0.5]))
                  array([0.96127876, 1.67834699])",
        reference: "scipy.special.gammaincinv",
        kernels: Kernels::real::<b::Gammaincinv, 2>(),
        rule: RowRule::Partials(&[
            |x, y| gamma_speed(&x[0], y),
            |x, y| gamma_pace(&x[0], &x[1], y),
        ]),
        saves: Saves::ALL,
        domain: &[(0.5, 200.0), (1e-6, 0.999)],
        namespace: "special",
    }
    GAMMAINCCINV {
        name: "gammainccinv",
        args: &["a", "q"],
        doc: "The ``x`` with ``gammaincc(a, x) = q``, differentiable in both arguments, twice in ``a``.",
        example: ">>> sa.special.gammainccinv(2.0, sa.asarray([0.25, 0.5]))
                  array([2.69263453, 1.67834699])",
        reference: "scipy.special.gammainccinv",
        kernels: Kernels::real::<b::Gammainccinv, 2>(),
        rule: RowRule::Partials(&[
            |x, y| gamma_speed(&x[0], y),
            |x, y| -gamma_pace(&x[0], &-&x[1], y),
        ]),
        saves: Saves::ALL,
        domain: &[(0.5, 200.0), (1e-6, 0.999)],
        namespace: "special",
    }
}

/// The mixed derivative of [`GAMMA_DRIFT`] from that in `a`, of the equation that its body states.
fn drift_mixed(x: &[E], in_a: &E) -> E {
    let curvature = E::call(&super::POLYGAMMA, [&x[0].lit(1.0), &x[0]]);
    let drift = E::call(&GAMMA_DRIFT, [&x[0], &x[1]]);
    curvature - drift / &x[1] - gamma_log_density_dx(&x[0], &x[1]) * in_a
}

/// So close to 0 distributions are multiples of `x^a`, and what is divided by `x` overflows.
pub(super) const SMALLEST_QUANTILE: f64 = 1e-290;

/// How fast the quantile `x` moves with `a`.
fn gamma_speed(a: &E, x: &E) -> E {
    let one = &x.lit(1.0);
    let (start, low) = (equals(x, 0.0), E::call(&super::LESS, [x, &x.lit(SMALLEST_QUANTILE)]));
    let next = (E::call(&super::ENTR, [x]) + x * E::call(&super::DIGAMMA, [&(a + 1.0)])) / a;
    let usual = E::call(&GAMMA_DRIFT, [a, &E::call(&super::WHERE, [&low, one, x])]);
    let out = E::call(&super::WHERE, [&low, &next, &usual]);
    E::call(&super::WHERE, [&start, &start_speed(a, x), &out])
}

/// How fast the quantile `x` moves with its probability `p`, from above if that is negative.
fn gamma_pace(a: &E, p: &E, x: &E) -> E {
    let at_end = E::call(&super::LOGICAL_OR, [&equals(x, 0.0), &equals(x, f64::INFINITY)]);
    let end = E::call(&GAMMA_END, [&a.lit(0.0), a, p, &x.map(ops::detach)]);
    let low = E::call(&super::LESS, [x, &x.lit(SMALLEST_QUANTILE)]);
    let below = E::call(&super::WHERE, [&E::call(&super::LESS, [p, &p.lit(0.0)]), &(1.0 + p), p]);
    let inside = E::call(&super::WHERE, [&E::call(&super::LOGICAL_OR, [&at_end, &low]), &x.lit(1.0), x]);
    let out = E::call(&super::WHERE, [&low, &(x / (a * below)), &E::call(&GAMMA_PACE, [a, &inside])]);
    E::call(&super::WHERE, [&at_end, &end, &out])
}

/// How fast a quantile at `x = 0` moves with `a` where the distribution is like `x^a`: not at all, and infinitely fast with the probability
/// too from `a = 1` on.
pub(super) fn start_speed(a: &E, x: &E) -> E {
    let flat = E::call(&super::LESS, [a, &a.lit(1.0)]);
    super::zero_where(&flat, E::call(&super::ENTR, [x]) / a)
}

/// `1 / gamma(x)`.
pub(super) fn reciprocal(x: &E) -> E {
    E::call(&RGAMMA, [x])
}

pub(super) fn reciprocal_dx(x: &E) -> E {
    E::call(&RGAMMA_DX, [x])
}

/// The slope of `front sin(pi x)`, a reciprocal gamma function of `x` times others by reflection (DLMF 5.5.3), where that of the
/// logarithm of `front` is `rate`.
fn reflected(x: &E, front: &E, rate: &E) -> E {
    front * (PI * E::call(&super::COSPI, [x]) + E::call(&super::SINPI, [x]) * rate)
}

/// The slope of a binomial coefficient where the gamma function of `low` below it has a pole, in what moves that and `plus`.
fn binom_reflected([top, low]: [&E; 2], plus: &E) -> E {
    let rest = 1.0 - low;
    let rate = E::call(&super::DIGAMMA, [plus]) - E::call(&super::DIGAMMA, [&rest]);
    reflected(low, &(E::call(&super::BETA, [top, &rest]) / PI), &rate)
}

/// Where the gamma function has a pole.
pub(super) fn is_pole(x: &E) -> E {
    let whole = E::call(&super::EQUAL, [x, &E::call(&super::FLOOR, [x])]);
    E::call(&super::LOGICAL_AND, [&whole, &E::call(&super::LESS_EQUAL, [x, &x.lit(0.0)])])
}

/// The distance from the nearest whole number.
fn off_whole(x: &E) -> E {
    x - E::call(&super::FLOOR, [&(x + 0.5)])
}

/// The argument `a + b` of gamma functions, next to whose poles it is by reflection (DLMF 5.5.3, 5.5.4) what the sum of the distances
/// from whole numbers says, as `rounded` may have lost it.
pub(super) struct Sum {
    pub rounded: E,
    beside: E,
    rest: E,
}

impl Sum {
    pub(super) fn new(a: &E, b: &E) -> Self {
        let (rounded, rest) = (a + b, off_whole(&(off_whole(a) + off_whole(b))));
        let near = E::call(&super::LESS, [&(&rest * &rest), &rest.lit(0.01)]);
        let left = E::call(&super::LESS, [&rounded, &rounded.lit(0.5)]);
        Sum { beside: E::call(&super::LOGICAL_AND, [&near, &left]), rounded, rest }
    }

    /// What holds next to a pole, and what elsewhere.
    pub(super) fn at_poles(&self, beside: &E, usual: &E) -> E {
        E::call(&super::WHERE, [&self.beside, beside, usual])
    }

    pub(super) fn is_pole(&self) -> E {
        E::call(&super::LOGICAL_AND, [&is_pole(&self.rounded), &equals(&self.rest, 0.0)])
    }

    /// Whether it is at least twice as far from a whole number as `x`.
    pub(super) fn farther(&self, x: &E) -> E {
        let [away, rest] = [&off_whole(x), &self.rest].map(|x| E::call(&super::ABS, [x]));
        E::call(&super::LESS, [&(2.0 * away), &rest])
    }

    /// `sin(pi (a + b))`.
    fn sinpi(&self) -> E {
        let sign = E::call(&super::COSPI, [&E::call(&super::FLOOR, [&(&self.rounded + 0.5)])]);
        self.at_poles(&(sign * E::call(&super::SINPI, [&self.rest])), &E::call(&super::SINPI, [&self.rounded]))
    }

    /// `gamma(a + b)` for next to a pole.
    pub(super) fn gamma(&self) -> E {
        PI / self.sinpi() * reciprocal(&(1.0 - &self.rounded))
    }

    pub(super) fn digamma(&self) -> E {
        let slope = PI * E::call(&super::COSPI, [&self.rest]) / E::call(&super::SINPI, [&self.rest]);
        let value = E::call(&super::DIGAMMA, [&self.at_poles(&(1.0 - &self.rounded), &self.rounded)]);
        self.at_poles(&(&value - slope), &value)
    }

    /// The polygamma function of order `n`; of order 1 also next to a pole.
    pub(super) fn polygamma(&self, n: &E) -> E {
        let turned = E::call(&super::LOGICAL_AND, [&self.beside, &equals(n, 1.0)]);
        let pick = |beside: &E, usual: &E| E::call(&super::WHERE, [&turned, beside, usual]);
        let ratio = PI / E::call(&super::SINPI, [&self.rest]);
        let value = E::call(&super::POLYGAMMA, [n, &pick(&(1.0 - &self.rounded), &self.rounded)]);
        pick(&(&ratio * &ratio - &value), &value)
    }
}

/// `usual`, and `product` at the poles of `gamma(x)` and beside them: where a reciprocal gamma function is 0, its slope times the
/// other factors is left, and next to there the usual formula cancels.
pub(super) fn at_poles(x: &E, product: &E, usual: &E) -> E {
    let away = off_whole(x);
    let beside = E::call(&super::LESS, [&(&away * &away), &x.lit(0.01)]);
    let inner = E::call(&super::WHERE, [&beside, product, usual]);
    E::call(&super::WHERE, [&E::call(&super::LESS, [&x.lit(0.5), x]), usual, &inner])
}
