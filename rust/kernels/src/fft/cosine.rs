//! Cosine and sine transforms of types II and III by one real transform of the same length.
//!
//! J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28 (1980).

use super::plan::{Kind, Plan, Real};
use super::split::circle;
use crate::Element;
use num_complex::Complex;

/// What distinguishes the transforms of one plan.
#[derive(Clone, Copy)]
pub(crate) struct Form<T> {
    /// The sine transform: the cosine transform with the signs of the odd samples changed and the frequencies reversed.
    pub(crate) sine: bool,
    /// The weight of frequency 0, the last one of the sine transform.
    pub(crate) first: T,
    pub(crate) scale: T,
}

pub(crate) struct Cosine<T> {
    n: usize,
    real: Plan<T>,
    /// exp(-i pi k / 2n)
    turns: Vec<Complex<T>>,
}

impl<T: Real> Cosine<T>
where
    Complex<T>: Element,
{
    pub(crate) fn new(n: usize, third: bool) -> Self {
        let turn = |k| {
            let (c, s) = circle(k, 4 * n);
            Complex::new(T::from_f64_lossy(c), T::from_f64_lossy(-s))
        };
        let kind = if third { Kind::ComplexToReal } else { Kind::RealToComplex };
        Cosine { n, real: Plan::new(kind, n), turns: (0..n / 2 + 1).map(turn).collect() }
    }

    pub(crate) fn scratch_len(&self) -> usize {
        self.n / 2 + 1 + self.real.scratch_len()
    }

    /// `y_k = 2 sum_j x_j cos(pi k (2j + 1) / 2n)`.
    pub(crate) fn second(&self, x: &[T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (spectrum, scratch) = scratch.split_at_mut(n / 2 + 1);
        let (even, odd) = y.split_at_mut(n.div_ceil(2));
        even.iter_mut().zip(x.iter().step_by(2)).for_each(|(v, &x)| *v = x);
        odd.iter_mut().rev().zip(x.iter().skip(1).step_by(2)).for_each(|(v, &x)| *v = if form.sine { -x } else { x });
        self.real.to_complex(y, spectrum, scratch, T::one());
        let at = |k: usize| if form.sine { n - 1 - k } else { k };
        let twice = form.scale + form.scale;
        y[at(0)] = spectrum[0].re * (twice * form.first);
        for k in 1..n / 2 + 1 {
            let z = spectrum[k] * self.turns[k];
            y[at(n - k)] = -z.im * twice;
            y[at(k)] = z.re * twice;
        }
    }

    /// `y_j = x_0 + 2 sum_(k > 0) x_k cos(pi k (2j + 1) / 2n)`; the input is destroyed.
    pub(crate) fn third(&self, x: &mut [T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (spectrum, scratch) = scratch.split_at_mut(n / 2 + 1);
        let at = |k: usize| if form.sine { n - 1 - k } else { k };
        spectrum[0] = Complex::from(x[at(0)] * form.first);
        for k in 1..n / 2 + 1 {
            spectrum[k] = Complex::new(x[at(k)], -x[at(n - k)]) * self.turns[k].conj();
        }
        self.real.to_real(spectrum, x, scratch, T::one());
        let sign = if form.sine { -form.scale } else { form.scale };
        let (even, odd) = x.split_at(n.div_ceil(2));
        y.iter_mut().step_by(2).zip(even).for_each(|(y, &v)| *y = v * form.scale);
        y.iter_mut().skip(1).step_by(2).zip(odd.iter().rev()).for_each(|(y, &v)| *y = v * sign);
    }
}
