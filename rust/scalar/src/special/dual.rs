//! Numbers with derivatives along one or two directions, for algorithms that are differentiated term by term.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::{Real, each, mapped};

/// Coefficients over the products of the directions `a`, `b` with `a^2 = b^2 = 0`, by the bits of the index: the value alone
/// (`K` = 1), with a first derivative (2), with both first and the mixed second derivative (4).
#[derive(Clone, Copy)]
pub(crate) struct Dual<R, const K: usize>(pub [R; K]);

impl<R: Real, const K: usize> Dual<R, K> {
    #[inline(always)]
    pub fn lit(v: f64) -> Self {
        Self::constant(R::lit(v))
    }
    #[inline(always)]
    pub fn constant(v: R) -> Self {
        let mut c = [R::lit(0.0); K];
        c[0] = v;
        Dual(c)
    }
    /// A variable; `directions` has the bits of the directions that move it.
    #[inline(always)]
    pub fn variable(v: R, directions: usize) -> Self {
        let mut c = Self::constant(v);
        for bit in [1, 2] {
            if bit < K && directions & bit != 0 {
                c.0[bit] = R::lit(1.0);
            }
        }
        c
    }
    #[inline(always)]
    pub fn value(self) -> R {
        self.0[0]
    }
    /// The sum of the magnitudes of value and derivatives.
    #[inline(always)]
    pub fn size(self) -> R {
        let mut sum = self.0[0].abs();
        for c in &self.0[1..] {
            sum = sum + c.abs();
        }
        sum
    }
    /// The highest derivative that is carried.
    #[inline(always)]
    pub fn top(self) -> R {
        self.0[K - 1]
    }
    #[inline(always)]
    pub fn times(self, v: R) -> Self {
        Dual(mapped(
            self.0,
            #[inline(always)]
            |c| c * v,
        ))
    }
    #[inline(always)]
    pub fn scaled(self, v: f64) -> Self {
        self.times(R::lit(v))
    }
    /// Divided by a number that nothing moves.
    #[inline(always)]
    pub fn over(self, v: R) -> Self {
        Dual(mapped(
            self.0,
            #[inline(always)]
            |c| c / v,
        ))
    }
    #[inline(always)]
    pub fn plus(self, v: f64) -> Self {
        let mut c = self;
        c.0[0] = c.0[0] + R::lit(v);
        c
    }
    #[inline(always)]
    pub fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Dual(each(
            #[inline(always)]
            |i| R::select(m, a.0[i], b.0[i]),
        ))
    }
    /// `f(self)` from the value and the first two derivatives of `f` there.
    #[inline(always)]
    pub fn chain(self, f: [R; 3]) -> Self {
        let mut c = [f[0]; K];
        for s in 1..K {
            c[s] = self.0[s] * f[1];
        }
        if K > 3 {
            c[3] = c[3] + self.0[1] * self.0[2] * f[2];
        }
        Dual(c)
    }
    /// Square root; a zero may only be moved by nothing.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let zero = R::lit(0.0);
        Dual(root(
            self.0[0].sqrt(),
            self.0,
            #[inline(always)]
            |rest, double| R::select(rest.eq(zero), zero, rest / double),
        ))
    }
}

/// Writes duals into the state of a loop, four places each, and plain numbers behind them.
#[inline(always)]
pub(crate) fn pack<R: Real, const K: usize, const D: usize, const P: usize, const N: usize>(
    duals: [Dual<R, K>; D],
    plain: [R; P],
) -> [R; N] {
    let mut out = [R::lit(0.0); N];
    for (i, d) in duals.iter().enumerate() {
        out[4 * i..4 * i + K].copy_from_slice(&d.0);
    }
    out[4 * D..4 * D + P].copy_from_slice(&plain);
    out
}

#[inline(always)]
pub(crate) fn at<R: Real, const K: usize, const N: usize>(state: &[R; N], i: usize) -> Dual<R, K> {
    Dual(each(
        #[inline(always)]
        |k| state[4 * i + k],
    ))
}

/// The derivatives of a quotient, by the directions in the bits of the index: what is left of each product rule.
#[inline(always)]
pub(crate) fn quotient<T, const K: usize>(a: [T; K], b: [T; K]) -> [T; K]
where
    T: Copy + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    let mut h = a;
    for s in 0..K {
        let mut rest = a[s];
        for t in 0..s {
            if t & !s == 0 {
                rest = rest - h[t] * b[s ^ t];
            }
        }
        h[s] = rest / b[0];
    }
    h
}

/// The derivatives of a square root of value `first`; `over` divides what is left by twice that.
#[inline(always)]
pub(crate) fn root<T, const K: usize>(first: T, a: [T; K], over: impl Fn(T, T) -> T) -> [T; K]
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let mut h = [first; K];
    let double = first + first;
    for s in 1..K {
        let mut rest = a[s];
        for t in 1..s {
            if t & !s == 0 {
                rest = rest - h[t] * h[s ^ t];
            }
        }
        h[s] = over(rest, double);
    }
    h
}

impl<R: Real, const K: usize> Add for Dual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Dual(each(
            #[inline(always)]
            |i| self.0[i] + o.0[i],
        ))
    }
}

impl<R: Real, const K: usize> Sub for Dual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Dual(each(
            #[inline(always)]
            |i| self.0[i] - o.0[i],
        ))
    }
}

impl<R: Real, const K: usize> Neg for Dual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Dual(mapped(
            self.0,
            #[inline(always)]
            |c| -c,
        ))
    }
}

impl<R: Real, const K: usize> Mul for Dual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let mut h = [R::lit(0.0); K];
        for s in 0..K {
            let mut sum = self.0[0] * o.0[s];
            for t in 1..=s {
                if t & !s == 0 {
                    sum = self.0[t].fma(o.0[s ^ t], sum);
                }
            }
            h[s] = sum;
        }
        Dual(h)
    }
}

impl<R: Real, const K: usize> Div for Dual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Dual(quotient(self.0, o.0))
    }
}
