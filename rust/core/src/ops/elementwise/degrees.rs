//! Derivatives of orthogonal polynomials in the degree, and in the parameters between polynomials: there they are hypergeometric
//! functions (DLMF 18.5(ii)) times their values at an end of the interval, `Gamma(n + c) / (Gamma(n + 1) Gamma(c))`.

use super::gamma::{at_poles, reciprocal, reciprocal_dx};
use super::hypergeometric::{HYP1F1, HYP1F1_D1, HYP1F1_D2, HYP2F1, HYP2F1_D1, HYP2F1_D2, numbered};
use super::{Elementwise, RowRule, rows};
use crate::dtype::DType;
use crate::expr::E;
use crate::op::Saves;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;

rows! {
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
        rule: RowRule::Partials(&[|x, y| end_dn(x, y), |x, y| end_dc(x, y)]),
        saves: Saves::ALL,
        namespace: "-",
    }
}

/// A parameter next to `a` where `c` is a pole of the hypergeometric function and `top` not one of the value at the end.
fn off_pole(a: &E, c: &E, top: &E) -> E {
    let single = a.0.as_ref().is_ok_and(|a| a.dtype() == DType::F32);
    E::call(&OFF_POLE, [a, c, top, &a.lit(if single { (1u64 << 29) as f64 } else { 1.0 })])
}

/// The difference of the digamma functions at `a + b` and `a`.
fn rise(a: &E, b: &E) -> E {
    E::call(&super::POLYGAMMA_STEP, [&a.lit(0.0), a, b])
}

/// `y (psi(top) - psi(low))` of `y = Gamma(top) / (Gamma(low) Gamma(other))`, where `top` is `low + step` and `other + gap`.
fn end_slope([low, step]: [&E; 2], [other, gap]: [&E; 2], y: &E) -> E {
    let top = &(low + step);
    let usual = y * rise(low, step);
    let inner = E::call(&super::DIGAMMA, [top]) * reciprocal(low) + reciprocal_dx(low);
    let product = E::call(&super::POCH, [other, gap]) * inner;
    at_poles(low, &at_poles(top, &usual, &product), &usual)
}

fn end_dn(x: &[E], y: &E) -> E {
    end_slope([&(&x[0] + 1.0), &(&x[1] - 1.0)], [&x[1], &x[0]], y)
}

fn end_dc(x: &[E], y: &E) -> E {
    end_slope([&x[1], &x[0]], [&(&x[0] + 1.0), &(&x[1] - 1.0)], y)
}

/// How a degree or a parameter moves the parameters of a hypergeometric function, and the `n` and `c` of its value at the end.
pub(super) struct Direction {
    inner: &'static [f64],
    end: [f64; 2],
}

pub(super) const DEGREE: Direction = Direction { inner: &[-1.0, 1.0, 0.0], end: [1.0, 0.0] };
pub(super) const GEGENBAUER_ALPHA: Direction = Direction { inner: &[0.0, 2.0, 1.0], end: [0.0, 2.0] };
pub(super) const JACOBI_ALPHA: Direction = Direction { inner: &[0.0, 1.0, 1.0], end: [0.0, 1.0] };
pub(super) const JACOBI_BETA: Direction = Direction { inner: &[0.0, 1.0, 0.0], end: [0.0, 0.0] };
pub(super) const KUMMER_DEGREE: Direction = Direction { inner: &[-1.0, 0.0], end: [1.0, 0.0] };
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

/// A function of real degree.
pub(super) struct Function {
    /// The hypergeometric function and its first and second derivatives in its parameters
    rows: [&'static Elementwise; 3],
    arguments: Vec<E>,
    /// `n` and `c` where the value at the end is not 1
    end: Option<[E; 2]>,
}

impl Function {
    fn value(&self) -> E {
        match &self.arguments[..] {
            [a, b, z] => E::call(self.rows[0], [a, b, z]),
            [a, b, c, z] => E::call(self.rows[0], [a, b, c, z]),
            _ => unreachable!("two or three parameters"),
        }
    }

    fn numbered(&self, order: usize, i: usize) -> E {
        numbered(self.rows[order], &self.arguments[0].lit(i as f64), &self.arguments)
    }

    /// The derivative of the hypergeometric function.
    fn inner(&self, u: &Direction) -> E {
        let moved = (1..).zip(u.inner).filter(|(_, a)| **a != 0.0);
        moved.map(|(i, a)| *a * self.numbered(1, i)).reduce(|a, b| a + b).expect("something moves")
    }

    fn inner_mixed(&self, u: &Direction, v: &Direction) -> E {
        let pairs = (1..).zip(u.inner).flat_map(|(i, a)| (1..).zip(v.inner).map(move |(j, b)| (10 * i + j, a * b)));
        let moved = pairs.filter(|(_, a)| *a != 0.0);
        moved.map(|(ij, a)| a * self.numbered(2, ij)).reduce(|a, b| a + b).expect("something moves")
    }

    /// The derivative in a direction.
    pub(super) fn slope(&self, u: &Direction) -> E {
        let Some(end) = &self.end else { return self.inner(u) };
        let y = E::call(&END_VALUE, [&end[0], &end[1]]);
        let usual = &y * self.inner(u);
        match along(&u.end, || end_dn(end, &y), || end_dc(end, &y)) {
            Some(rate) => rate * self.value() + usual,
            None => usual,
        }
    }

    /// The derivative of [`Function::slope`] in the degree in another direction, where `n` is not negative.
    pub(super) fn mixed(&self, degree: &Direction, v: &Direction) -> E {
        let end = self.end.as_ref().expect("a function of parameters");
        let y = E::call(&END_VALUE, [&end[0], &end[1]]);
        let usual = end_dn(end, &y) * self.inner(v) + &y * self.inner_mixed(degree, v);
        let by_n = rise(&(&end[0] + 1.0), &(&end[1] - 1.0));
        let curve = || &y * E::call(&super::POLYGAMMA, [&end[0].lit(1.0), &(&end[0] + &end[1])]);
        match along(&v.end, || unreachable!("not the degree"), || end_dc(end, &y)) {
            Some(rate) => (&rate * by_n + v.end[1] * curve()) * self.value() + rate * self.inner(degree) + usual,
            None => usual,
        }
    }
}

/// The real part: beside a complex argument degrees and parameters are complex numbers too.
pub(super) fn real(x: &E) -> E {
    if x.is_complex() { E::call(&super::REAL, [x]) } else { x.clone() }
}

/// Gauss's function at `(1 - x) / 2`.
fn gauss(parameters: [E; 3], x: &E, end: Option<[E; 2]>) -> Function {
    let arguments = parameters.into_iter().chain([0.5 * (1.0 - x)]).collect();
    Function { rows: [&HYP2F1, &HYP2F1_D1, &HYP2F1_D2], arguments, end }
}

pub(super) fn legendre(x: &[E]) -> Function {
    let n = real(&x[0]);
    gauss([-&n, &n + 1.0, n.lit(1.0)], &x[1], None)
}

pub(super) fn gegenbauer(x: &[E]) -> Function {
    let (n, a) = (real(&x[0]), real(&x[1]));
    let twice = 2.0 * &a;
    gauss([-&n, &n + &twice, a + 0.5], &x[2], Some([n, twice]))
}

/// d/dn, of parameters that are poles of the hypergeometric function too.
pub(super) fn gegenbauer_dn(x: &[E]) -> E {
    let (n, a) = (real(&x[0]), real(&x[1]));
    let moved = off_pole(&a, &(&a + 0.5), &(n + 2.0 * &a));
    gegenbauer(&[x[0].clone(), moved, x[2].clone()]).slope(&DEGREE)
}

pub(super) fn jacobi_dn(x: &[E]) -> E {
    jacobi(&[x[0].clone(), off_whole_pole(x), x[2].clone(), x[3].clone()]).slope(&DEGREE)
}

pub(super) fn genlaguerre_dn(x: &[E]) -> E {
    genlaguerre(&[x[0].clone(), off_whole_pole(x), x[2].clone()]).slope(&KUMMER_DEGREE)
}

fn off_whole_pole(x: &[E]) -> E {
    let (n, a) = (real(&x[0]), real(&x[1]));
    let c = &a + 1.0;
    off_pole(&a, &c, &(n + &c))
}

pub(super) fn jacobi(x: &[E]) -> Function {
    let (n, a, b) = (real(&x[0]), real(&x[1]), real(&x[2]));
    let c = a + 1.0;
    gauss([-&n, &n + b + &c, c.clone()], &x[3], Some([n, c]))
}

pub(super) fn genlaguerre(x: &[E]) -> Function {
    let (n, c) = (real(&x[0]), real(&x[1]) + 1.0);
    Function {
        rows: [&HYP1F1, &HYP1F1_D1, &HYP1F1_D2],
        arguments: vec![-&n, c.clone(), x[2].clone()],
        end: Some([n, c]),
    }
}

/// What holds for polynomials and what for other degrees, each at harmless arguments where it is not wanted: at the end for functions.
pub(super) fn beside(x: &[E], end: f64, polynomial: impl Fn(&[E]) -> E, function: impl Fn(&[E]) -> E) -> E {
    let n = &real(&x[0]);
    let zero = &n.lit(0.0);
    let whole = E::call(&super::EQUAL, [&E::call(&super::FLOOR, [n]), n]);
    let whole = &E::call(&super::LOGICAL_AND, [&whole, &E::call(&super::GREATER_EQUAL, [n, zero])]);
    let pick = |a: &E, b: &E| E::call(&super::WHERE, [whole, a, b]);
    let (mut inside, mut between) = (x.to_vec(), x.to_vec());
    (inside[0], between[0]) = (pick(n, zero), pick(zero, n));
    let last = x.len() - 1;
    for (i, moved) in between.iter_mut().enumerate().skip(1) {
        *moved = pick(&moved.lit(if i == last { end } else { 1.0 }), moved);
    }
    pick(&polynomial(&inside), &function(&between))
}
