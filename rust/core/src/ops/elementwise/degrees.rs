//! Derivatives of orthogonal polynomials in the degree, and in the parameters between polynomials: there they are hypergeometric
//! functions (DLMF 18.5(ii)) times their values at an end of the interval, `Gamma(n + c) / (Gamma(n + 1) Gamma(c))`.

use super::gamma::{Sum, at_poles, is_pole, reciprocal, reciprocal_dx};
use super::hypergeometric::{
    HYP1F1, HYP1F1_D1, HYP1F1_D2, HYP1F1_REGULARIZED, HYP1F1_REGULARIZED_D2, HYP2F1, HYP2F1_DEGREE_D1,
    HYP2F1_DEGREE_D2, HYP2F1_DEGREE_REGULARIZED, HYP2F1_DEGREE_REGULARIZED_D2, HYP2F1_REGULARIZED, numbered,
};
use super::{Elementwise, RowRule, rows};
use crate::dtype::DType;
use crate::expr::E;
use crate::op::Saves;
use crate::ops;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;
use std::f64::consts::{LN_2, PI};

rows! {
    NEAR_POLE {
        name: "near_pole",
        args: &["c", "top", "least"],
        doc: "Whether ``c`` is next to a whole number from ``least`` to 0 and ``top`` is no whole number up to 0.",
        kernels: Kernels::real::<b::NearPole, 3>(),
        rule: RowRule::Constant,
        namespace: "-",
    }
    OFF_POLE {
        name: "off_pole",
        args: &["a", "c", "top", "unit"],
        doc: "``a``, and a little more, in steps of ``unit``, where ``c`` is a whole number up to 0 and ``top`` is not.",
        kernels: Kernels::real::<b::OffPole, 4>().narrow(),
        rule: RowRule::Partials(&[
            // Of where it moves it says nothing.
            |x, y| E::call(&super::WHERE, [&E::call(&super::EQUAL, [&x[0], y]), &y.lit(1.0), &y.lit(f64::NAN)]),
            |x, _| x[0].lit(0.0),
            |x, _| x[0].lit(0.0),
            |x, _| x[0].lit(0.0),
        ]),
        saves: Saves::ALL,
        namespace: "-",
    }
    END_VALUE {
        name: "end_value",
        args: &["n", "c"],
        doc: "``gamma(n + c) / (gamma(n + 1) * gamma(c))``.",
        kernels: Kernels::real::<b::EndValue, 2>(),
        rule: RowRule::Partials(&[|x, y| end_dn(&x[0], [&x[1], &(&x[1] - 1.0)], y), |x, y| end_dc(&x[0], [&x[1], &(&x[1] - 1.0)], y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
}

/// The difference of the digamma functions at `a + b` and `a`.
fn rise(a: &E, b: &E) -> E {
    E::call(&super::POLYGAMMA_STEP, [&a.lit(0.0), a, b])
}

fn digamma(x: &E) -> E {
    E::call(&super::DIGAMMA, [x])
}

/// Whether `c` is next to a pole of the gamma function right of `least` and `top` is none.
fn next_to_pole(c: &E, top: &E, least: f64) -> E {
    let mark = E::call(&NEAR_POLE, [c, top, &c.lit(least)]);
    E::call(&super::NOT_EQUAL, [&mark, &mark.lit(0.0)])
}

/// The sum `n + c`, from `n + 1` and `c - 1` where that is small, which `c` may have lost.
fn top_of(n: &E, [c, less]: [&E; 2]) -> Sum {
    let small = E::call(&super::LESS, [&(less * less), &less.lit(0.25)]);
    let pick = |a: &E, b: &E| E::call(&super::WHERE, [&small, a, b]);
    Sum::new(&pick(&(n + 1.0), n), &pick(less, c))
}

/// `y (psi(top) - psi(low))` of `y = Gamma(top) / (Gamma(low) Gamma(other))`, where `top` is `low + step` and `other + gap`.
fn end_slope(top: &Sum, [low, step]: [&E; 2], [other, gap]: [&E; 2], y: &E) -> E {
    let [near, also] = [&top.rounded, low].map(|x| next_to_pole(x, &x.lit(0.5), LEAST));
    let plain = top.digamma() - digamma(low);
    // The sum of the other two is not as exact next to a pole, but their difference is where both are next to one.
    let usual = y * E::call(&super::WHERE, [&E::call(&super::GREATER, [&near, &also]), &plain, &rise(low, step)]);
    let ratio = top.at_poles(&(top.gamma() * reciprocal(other)), &E::call(&super::POCH, [other, gap]));
    let product = ratio * (top.digamma() * reciprocal(low) + reciprocal_dx(low));
    let both = E::call(&super::WHERE, [&top.farther(low), &product, &at_poles(&top.rounded, &usual, &product)]);
    at_poles(low, &both, &usual)
}

fn end_dn(n: &E, [c, less]: [&E; 2], y: &E) -> E {
    end_slope(&top_of(n, [c, less]), [&(n + 1.0), less], [c, n], y)
}

fn end_dc(n: &E, [c, less]: [&E; 2], y: &E) -> E {
    end_slope(&top_of(n, [c, less]), [c, n], [&(n + 1.0), less], y)
}

/// How a degree or a parameter moves what a hypergeometric function is differentiated in, and the `n` and `c` of its value at the end.
pub(super) struct Direction {
    inner: &'static [f64],
    end: [f64; 2],
}

pub(super) const DEGREE: Direction = Direction { inner: &[1.0, 0.0, 0.0], end: [1.0, 0.0] };
pub(super) const GEGENBAUER_ALPHA: Direction = Direction { inner: &[0.0, 2.0, 1.0], end: [0.0, 2.0] };
pub(super) const JACOBI_ALPHA: Direction = Direction { inner: &[0.0, 1.0, 1.0], end: [0.0, 1.0] };
pub(super) const JACOBI_BETA: Direction = Direction { inner: &[0.0, 1.0, 0.0], end: [0.0, 0.0] };
const KUMMER_DEGREE: Direction = Direction { inner: &[-1.0, 0.0], end: [1.0, 0.0] };
pub(super) const KUMMER_ALPHA: Direction = Direction { inner: &[0.0, 1.0], end: [0.0, 1.0] };

/// `a u + b v` without what is multiplied by 0.
fn along(ends: &[f64; 2], u: impl Fn() -> E, v: impl Fn() -> E) -> Option<E> {
    match *ends {
        [0.0, 0.0] => None,
        [a, 0.0] => Some(a * u()),
        [0.0, b] => Some(b * v()),
        [a, b] => Some(a * u() + b * v()),
    }
}

/// The value at the end, `Gamma(n + c) / (Gamma(n + 1) Gamma(c))`.
struct End {
    n: E,
    c: E,
    /// `c - 1`, of which `c` may not have all digits.
    less: E,
    /// Whether `c` is one less than twice the last parameter of the hypergeometric function, and not that.
    twice: bool,
}

impl End {
    fn top(&self) -> E {
        &self.n + &self.c
    }

    /// What holds where the sum `n + c` is next to a pole of the gamma function, of which that of `n + 1` and `c - 1` is not as exact, and
    /// what holds elsewhere.
    fn by_top(&self, near: E, usual: E) -> E {
        let top = self.top();
        E::call(&super::WHERE, [&next_to_pole(&top, &top.lit(0.5), LEAST), &near, &usual])
    }

    /// The logarithmic derivative in the degree.
    fn by_degree(&self) -> E {
        let low = &self.n + 1.0;
        self.by_top(digamma(&self.top()) - digamma(&low), rise(&low, &self.less))
    }

    /// Times the gamma function of the last parameter, which by duplication is `2 sqrt(pi) 2^-c / Gamma(c / 2)` over that of `c`.
    fn regular(&self) -> E {
        let low = &self.n + 1.0;
        let near = E::call(&super::GAMMA, [&self.top()]) * reciprocal(&low);
        let ratio = self.by_top(near, E::call(&super::POCH, [&low, &self.less]));
        if self.twice {
            let root = 2.0 * PI.sqrt();
            return root * ratio * E::call(&super::EXP2, [&-&self.c]) * E::call(&super::RGAMMA, [&(0.5 * &self.c)]);
        }
        ratio
    }

    /// The logarithmic derivative of that in `c`.
    fn regular_by_c(&self) -> E {
        let top = digamma(&self.top());
        if self.twice { top - 0.5 * digamma(&(0.5 * &self.c)) - LN_2 } else { top }
    }
}

/// A function of real degree.
pub(super) struct Function {
    /// The hypergeometric function and its first and second derivatives
    rows: [&'static Elementwise; 3],
    /// Whether they are those over the gamma function of the last parameter, for next to poles, the first one by its number 0
    regular: bool,
    /// The arguments of the function
    arguments: Vec<E>,
    /// and of its derivatives, which are told by the numbers of those from this one on.
    inner: Vec<E>,
    from: usize,
    /// Where the value at the end is not 1
    end: Option<End>,
}

impl Function {
    fn value(&self) -> E {
        if self.regular {
            return numbered(self.rows[0], &self.arguments[0].lit(0.0), &self.arguments);
        }
        match &self.arguments[..] {
            [a, b, z] => E::call(self.rows[0], [a, b, z]),
            [a, b, c, z] => E::call(self.rows[0], [a, b, c, z]),
            _ => unreachable!("two or three parameters"),
        }
    }

    fn numbered(&self, order: usize, i: usize) -> E {
        numbered(self.rows[order], &self.inner[0].lit(i as f64), &self.inner)
    }

    /// The numbers of what a direction moves, and how fast.
    fn moved(&self, u: &Direction) -> impl Iterator<Item = (usize, f64)> + use<> {
        (self.from..).zip(u.inner.iter().copied()).filter(|(_, a)| *a != 0.0)
    }

    /// The derivative of the hypergeometric function.
    fn inner(&self, u: &Direction) -> E {
        let moved = self.moved(u).map(|(i, a)| a * self.numbered(1, i));
        moved.reduce(|a, b| a + b).expect("something moves")
    }

    fn inner_mixed(&self, u: &Direction, v: &Direction) -> E {
        let pairs = self.moved(u).flat_map(|(i, a)| self.moved(v).map(move |(j, b)| (10 * i + j, a * b)));
        pairs.map(|(ij, a)| a * self.numbered(2, ij)).reduce(|a, b| a + b).expect("something moves")
    }

    /// The value at the end of a function of parameters.
    fn end(&self) -> &End {
        self.end.as_ref().expect("a function of parameters")
    }

    /// The last parameter of the hypergeometric function.
    fn last(&self) -> &E {
        &self.arguments[self.arguments.len() - 2]
    }

    /// The factor of the hypergeometric function.
    fn front(&self) -> E {
        let End { n, c, less, .. } = self.end();
        if self.regular {
            return self.end().regular();
        }
        let (low, top) = (n + 1.0, top_of(n, [c, less]));
        // Where `c` has lost what keeps the sum off a pole
        let lost = E::call(&super::GREATER, [&is_pole(&(n + c)), &top.is_pole()]);
        let vanishes = E::call(&super::LOGICAL_AND, [&lost, &is_pole(&low)]);
        let there = top.gamma() * reciprocal(&low) * reciprocal(c);
        E::call(&super::WHERE, [&vanishes, &there, &E::call(&END_VALUE, [n, c])])
    }

    /// The derivative of the factor `y` in `n`, and in `c`.
    fn front_dn(&self, y: &E) -> E {
        let End { n, c, less, .. } = self.end();
        if self.regular { y * self.end().by_degree() } else { end_dn(n, [c, less], y) }
    }

    fn front_dc(&self, y: &E) -> E {
        let End { n, c, less, .. } = self.end();
        if self.regular { y * self.end().regular_by_c() } else { end_dc(n, [c, less], y) }
    }

    /// The derivative in a direction.
    pub(super) fn slope(&self, u: &Direction) -> E {
        if self.end.is_none() {
            return self.inner(u);
        }
        let y = self.front();
        let usual = &y * self.inner(u);
        match along(&u.end, || self.front_dn(&y), || self.front_dc(&y)) {
            Some(rate) => rate * self.value() + usual,
            None => usual,
        }
    }

    /// The derivative of [`Function::slope`] in the degree in another direction, where `n` is not negative.
    fn mixed(&self, degree: &Direction, v: &Direction) -> E {
        let (y, end) = (self.front(), self.end());
        let usual = self.front_dn(&y) * self.inner(v) + &y * self.inner_mixed(degree, v);
        let by_n = end.by_degree();
        let curve = || &y * E::call(&super::POLYGAMMA, [&end.n.lit(1.0), &end.top()]);
        match along(&v.end, || unreachable!("not the degree"), || self.front_dc(&y)) {
            Some(rate) => (&rate * by_n + v.end[1] * curve()) * self.value() + rate * self.inner(degree) + usual,
            None => usual,
        }
    }
}

/// The real part: beside a complex argument degrees and parameters are complex numbers too.
pub(super) fn real(x: &E) -> E {
    if x.is_complex() { E::call(&super::REAL, [x]) } else { x.clone() }
}

/// Gauss's function `F(-n, n + s; c; (1 - x) / 2)`.
fn gauss(n: &E, s: E, c: E, x: &E, end: Option<End>) -> Function {
    let z = 0.5 * (1.0 - x);
    Function {
        rows: [&HYP2F1, &HYP2F1_DEGREE_D1, &HYP2F1_DEGREE_D2],
        regular: false,
        arguments: vec![-n, n + &s, c.clone(), z.clone()],
        inner: vec![n.clone(), s, c, z],
        from: 4,
        end,
    }
}

pub(super) fn legendre(x: &[E]) -> Function {
    let n = real(&x[0]);
    gauss(&n, n.lit(1.0), n.lit(1.0), &x[1], None)
}

fn gegenbauer(x: &[E]) -> Function {
    let (n, a) = (real(&x[0]), real(&x[1]));
    let twice = 2.0 * &a;
    let end = End { n: n.clone(), c: twice.clone(), less: &twice - 1.0, twice: true };
    gauss(&n, twice, a + 0.5, &x[2], Some(end))
}

fn jacobi(x: &[E]) -> Function {
    let (n, a, b) = (real(&x[0]), real(&x[1]), real(&x[2]));
    let c = &a + 1.0;
    let end = End { n: n.clone(), c: c.clone(), less: a, twice: false };
    gauss(&n, b + &c, c, &x[3], Some(end))
}

fn genlaguerre(x: &[E]) -> Function {
    let (n, a) = (real(&x[0]), real(&x[1]));
    let c = &a + 1.0;
    let arguments = vec![-&n, c.clone(), x[2].clone()];
    Function {
        rows: [&HYP1F1, &HYP1F1_D1, &HYP1F1_D2],
        regular: false,
        inner: arguments.clone(),
        arguments,
        from: 1,
        end: Some(End { n, c, less: a, twice: false }),
    }
}

/// A family of functions of a degree, parameters and an argument.
pub(super) struct Family {
    function: fn(&[E]) -> Function,
    degree: Direction,
    /// The hypergeometric function over the gamma function of its last parameter, and its first and second derivatives
    regular: [&'static Elementwise; 3],
}

const GAUSS: [&Elementwise; 3] = [&HYP2F1_REGULARIZED, &HYP2F1_DEGREE_REGULARIZED, &HYP2F1_DEGREE_REGULARIZED_D2];
const KUMMER: [&Elementwise; 3] = [&HYP1F1_REGULARIZED, &HYP1F1_REGULARIZED, &HYP1F1_REGULARIZED_D2];
pub(super) const GEGENBAUER: Family = Family { function: gegenbauer, degree: DEGREE, regular: GAUSS };
pub(super) const JACOBI: Family = Family { function: jacobi, degree: DEGREE, regular: GAUSS };
pub(super) const GENLAGUERRE: Family = Family { function: genlaguerre, degree: KUMMER_DEGREE, regular: KUMMER };

/// So far left factors stay in range.
const LEAST: f64 = -60.0;
/// A parameter at which the regular function answers 0 at once, and on which no sum with a degree is likely to end.
const HARMLESS: f64 = 0.321_737_5;

impl Family {
    /// What holds elsewhere, and next to poles of the hypergeometric function `slope` there, if it is found: at a harmless parameter
    /// where it is not wanted. The function is that of `x`.
    fn by_poles(&self, x: &[E], f: &Function, usual: E, slope: impl Fn(&Function) -> E) -> E {
        let c = f.last();
        let near = &next_to_pole(c, &f.end().top(), if is_single(c) { -10.0 } else { LEAST });
        let mut beside = x.to_vec();
        beside[1] = E::call(&super::WHERE, [near, &x[1], &x[1].lit(HARMLESS)]);
        let regular = Function { rows: self.regular, regular: true, ..(self.function)(&beside) };
        let regular = slope(&regular);
        let found = E::call(&super::ISFINITE, [&regular.map(ops::detach)]);
        E::call(&super::WHERE, [&E::call(&super::LOGICAL_AND, [near, &found]), &regular, &usual])
    }

    /// The derivative in a direction of a parameter.
    pub(super) fn slope(&self, x: &[E], u: &Direction) -> E {
        let f = (self.function)(x);
        self.by_poles(x, &f, f.slope(u), |f| f.slope(u))
    }

    /// The derivative in the degree.
    pub(super) fn by_degree(&self, x: &[E]) -> E {
        let f = (self.function)(x);
        let c = f.last();
        let unit = c.lit(if is_single(c) { (1u64 << 29) as f64 } else { 1.0 });
        let mut moved = x.to_vec();
        moved[1] = E::call(&OFF_POLE, [&real(&x[1]), c, &f.end().top(), &unit]);
        let usual = (self.function)(&moved).slope(&self.degree);
        self.by_poles(x, &f, usual, |f| f.slope(&self.degree))
    }

    /// The derivative of that in the degree, which is not negative, in another direction.
    pub(super) fn mixed(&self, x: &[E], v: &Direction) -> E {
        let f = (self.function)(x);
        self.by_poles(x, &f, f.mixed(&self.degree, v), |f| f.mixed(&self.degree, v))
    }
}

fn is_single(x: &E) -> bool {
    x.0.as_ref().is_ok_and(|x| x.dtype() == DType::F32)
}

/// What holds for polynomials and what for other degrees and where that is NaN, as recurrences that have lost all digits are, each at
/// harmless arguments where it is not wanted: at the end for functions.
pub(super) fn beside(x: &[E], end: f64, polynomial: impl Fn(&[E]) -> E, function: impl Fn(&[E]) -> E) -> E {
    let n = &real(&x[0]);
    let zero = &n.lit(0.0);
    let whole = E::call(&super::EQUAL, [&E::call(&super::FLOOR, [n]), n]);
    let whole = &E::call(&super::LOGICAL_AND, [&whole, &E::call(&super::GREATER_EQUAL, [n, zero])]);
    let (mut inside, mut between) = (x.to_vec(), x.to_vec());
    inside[0] = E::call(&super::WHERE, [whole, n, zero]);
    let polynomial = polynomial(&inside);
    let lost = E::call(&super::ISNAN, [&polynomial.map(ops::detach)]);
    let found = &E::call(&super::GREATER, [whole, &lost]);
    let pick = |a: &E, b: &E| E::call(&super::WHERE, [found, a, b]);
    between[0] = pick(zero, n);
    let last = x.len() - 1;
    for (i, moved) in between.iter_mut().enumerate().skip(1) {
        *moved = pick(&moved.lit(if i == last { end } else { 1.0 }), moved);
    }
    pick(&polynomial, &function(&between))
}
