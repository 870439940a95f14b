//! Numbers with derivatives along one or two directions, for algorithms that are differentiated term by term.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::{Real, count, each, mapped};

/// Coefficients over the products of the directions `a`, `b` with `a^2 = b^2 = 0`, by the bits of the index: the value alone
/// (`K` = 1), with a first derivative (2), with both first and the mixed second derivative (4).
#[derive(Clone, Copy)]
pub(crate) struct Dual<R, const K: usize>(pub [R; K]);

impl<R: Real, const K: usize> Dual<R, K> {
    #[inline(always)]
    pub fn lit(v: f64) -> Self {
        Self::constant(R::lit(v))
    }
    /// No number, nor derivatives that are.
    #[inline(always)]
    pub fn nan() -> Self {
        Dual([R::lit(f64::NAN); K])
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
        if K > 1 && directions & 1 != 0 {
            c.0[1] = R::lit(1.0);
        }
        if K > 2 && directions & 2 != 0 {
            c.0[2] = R::lit(1.0);
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
        count::<1, K>(
            #[inline(always)]
            |i| sum = sum + self.0[i].abs(),
        );
        sum
    }
    /// The magnitudes of value and derivatives.
    #[inline(always)]
    pub fn magnitudes(self) -> Self {
        Self(each(
            #[inline(always)]
            |k| self.0[k].abs(),
        ))
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
        Dual(chain(self.0, f))
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
    each(
        #[inline(always)]
        |i| match (i / 4, i % 4) {
            (d, k) if d < D && k < K => duals[d].0[k],
            _ if i >= 4 * D && i < 4 * D + P => plain[i - 4 * D],
            _ => R::lit(0.0),
        },
    )
}

#[inline(always)]
pub(crate) fn at<R: Real, const K: usize, const N: usize>(state: &[R; N], i: usize) -> Dual<R, K> {
    Dual(each(
        #[inline(always)]
        |k| state[4 * i + k],
    ))
}

/// The derivatives of a function of `a` from its value and first two derivatives there, by the directions in the bits of the index.
#[inline(always)]
pub(crate) fn chain<T, const K: usize>(a: [T; K], f: [T; 3]) -> [T; K]
where
    T: Copy + Add<Output = T> + Mul<Output = T>,
{
    let mut c = [f[0]; K];
    if K > 1 {
        c[1] = a[1] * f[1];
    }
    if K > 2 {
        c[2] = a[2] * f[1];
        c[3] = a[3] * f[1] + a[1] * a[2] * f[2];
    }
    c
}

/// The derivatives of a product; `fma` adds a product to a sum.
#[inline(always)]
pub(crate) fn product<T, const K: usize>(a: [T; K], b: [T; K], fma: impl Fn(T, T, T) -> T) -> [T; K]
where
    T: Copy + Mul<Output = T>,
{
    let mut h = [a[0] * b[0]; K];
    if K > 1 {
        h[1] = fma(a[1], b[0], a[0] * b[1]);
    }
    if K > 2 {
        h[2] = fma(a[2], b[0], a[0] * b[2]);
        h[3] = fma(a[3], b[0], fma(a[2], b[1], fma(a[1], b[2], a[0] * b[3])));
    }
    h
}

/// The derivatives of a quotient: what is left of each product rule.
#[inline(always)]
pub(crate) fn quotient<T, const K: usize>(a: [T; K], b: [T; K]) -> [T; K]
where
    T: Copy + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    let mut h = [a[0] / b[0]; K];
    if K > 1 {
        h[1] = (a[1] - h[0] * b[1]) / b[0];
    }
    if K > 2 {
        h[2] = (a[2] - h[0] * b[2]) / b[0];
        h[3] = (a[3] - h[0] * b[3] - h[1] * b[2] - h[2] * b[1]) / b[0];
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
    if K > 1 {
        h[1] = over(a[1], double);
    }
    if K > 2 {
        h[2] = over(a[2], double);
        h[3] = over(a[3] - h[1] * h[2] - h[2] * h[1], double);
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
        Dual(product(
            self.0,
            o.0,
            #[inline(always)]
            |x, y, sum| x.fma(y, sum),
        ))
    }
}

impl<R: Real, const K: usize> Div for Dual<R, K> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Dual(quotient(self.0, o.0))
    }
}
