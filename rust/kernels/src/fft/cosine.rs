//! Cosine and sine transforms by one Fourier transform each.
//!
//! Types II and III: J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28 (1980). Type I: the
//! real transform of the line continued evenly or oddly, whose errors, unlike those of half the length, grow like its own.

use super::plan::{Kind, Plan, Real};
use super::reals;
use super::split::circle;
use crate::Element;
use num_complex::Complex;
use std::f64::consts::SQRT_2;

/// What distinguishes the transforms of one plan.
#[derive(Clone, Copy)]
pub(crate) struct Form<T> {
    /// The sine transform: the cosine transform with the signs of the odd samples changed and the frequencies reversed.
    pub(crate) sine: bool,
    /// Of types II and III, the weight of frequency 0, the last one of the sine transform. Of the cosine transform of type I,
    /// the weight of both ends of the input, and the divisor of those of the output.
    pub(crate) first: T,
    pub(crate) scale: T,
}

pub(crate) struct Cosine<T> {
    kind: Kind,
    n: usize,
    inner: Plan<T>,
    /// Types II and III: exp(-i pi k / 2n). Type IV of even length: exp(-i pi (4j + 1) / 4n), then exp(-i pi j / n).
    turns: Vec<Complex<T>>,
}

/// Signs of cosine and sine at the odd multiple a of pi / 4, which are multiplicative in a.
const SIGNS: [[f64; 2]; 4] = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];

fn signs<T: Real>(a: usize) -> [T; 2]
where
    Complex<T>: Element,
{
    SIGNS[a / 2 % 4].map(T::from_f64_lossy)
}

impl<T: Real> Cosine<T>
where
    Complex<T>: Element,
{
    pub(crate) fn new(kind: Kind, n: usize) -> Self {
        let turn = |(k, of)| {
            let (c, s) = circle(k, of);
            Complex::new(T::from_f64_lossy(c), T::from_f64_lossy(-s))
        };
        let (inner, turns) = match kind {
            Kind::Cosine1 => (Plan::new(Kind::RealToComplex, 2 * (n - 1)), vec![]),
            Kind::Sine1 => (Plan::new(Kind::RealToComplex, 2 * (n + 1)), vec![]),
            Kind::Cosine4 if n.is_multiple_of(2) => {
                let (before, after) = ((0..n / 2).map(|j| (4 * j + 1, 8 * n)), (0..n / 2).map(|j| (j, 2 * n)));
                (Plan::new(Kind::Forward, n / 2), before.chain(after).map(turn).collect())
            }
            Kind::Cosine4 => (Plan::new(Kind::RealToComplex, n), vec![]),
            _ => {
                let inner = if kind == Kind::Cosine3 { Kind::ComplexToReal } else { Kind::RealToComplex };
                (Plan::new(inner, n), (0..n / 2 + 1).map(|k| turn((k, 4 * n))).collect())
            }
        };
        Cosine { kind, n, inner, turns }
    }

    pub(crate) fn scratch_len(&self) -> usize {
        let own = match self.kind {
            Kind::Cosine1 | Kind::Sine1 => 2 * self.n + 3,
            Kind::Cosine4 => self.n + 1,
            _ => self.n / 2 + 1,
        };
        own + self.inner.scratch_len()
    }

    /// Transforms a line; the input is destroyed.
    pub(crate) fn run(&self, x: &mut [T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        match self.kind {
            Kind::Cosine1 => self.first(x, y, scratch, form),
            Kind::Sine1 => self.first_sine(x, y, scratch, form),
            Kind::Cosine2 => self.second(x, y, scratch, form),
            Kind::Cosine3 => self.third(x, y, scratch, form),
            _ if self.n.is_multiple_of(2) => self.fourth_even(x, y, scratch, form),
            _ => self.fourth_odd(x, y, scratch, form),
        }
    }

    /// `y_k = x_0 + (-1)^k x_(n-1) + 2 sum_(0 < j < n-1) x_j cos(pi k j / (n - 1))`.
    fn first(&self, x: &[T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (line, scratch) = scratch.split_at_mut(n - 1);
        let (spectrum, scratch) = scratch.split_at_mut(n);
        let line = reals(line);
        line[..n].copy_from_slice(x);
        line[0] = x[0] * form.first;
        line[n - 1] = x[n - 1] * form.first;
        line[n..].iter_mut().rev().zip(&x[1..]).for_each(|(v, &x)| *v = x);
        self.inner.to_complex(line, spectrum, scratch, T::one());
        y.iter_mut().zip(spectrum).for_each(|(y, z)| *y = z.re * form.scale);
        y[0] = y[0] / form.first;
        y[n - 1] = y[n - 1] / form.first;
    }

    /// `y_k = 2 sum_j x_j sin(pi (k + 1) (j + 1) / (n + 1))`.
    fn first_sine(&self, x: &[T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (line, scratch) = scratch.split_at_mut(n + 1);
        let (spectrum, scratch) = scratch.split_at_mut(n + 2);
        let line = reals(line);
        line[0] = T::zero();
        line[n + 1] = T::zero();
        line[1..=n].copy_from_slice(x);
        line[n + 2..].iter_mut().rev().zip(x).for_each(|(v, &x)| *v = -x);
        self.inner.to_complex(line, spectrum, scratch, T::one());
        y.iter_mut().zip(&spectrum[1..]).for_each(|(y, z)| *y = -z.im * form.scale);
    }

    /// `y_k = 2 sum_j x_j cos(pi (2j + 1) (2k + 1) / 4n)` for even n, by a complex transform of half the length of pairs
    /// from both ends.
    fn fourth_even(&self, x: &[T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let (n, half) = (self.n, self.n / 2);
        let (pairs, scratch) = scratch.split_at_mut(half);
        let (spectrum, scratch) = scratch.split_at_mut(half);
        let (before, after) = self.turns.split_at(half);
        for j in 0..half {
            let (a, b) = (x[2 * j], x[n - 1 - 2 * j]);
            pairs[j] = if form.sine { Complex::new(b, a) } else { Complex::new(a, b) } * before[j];
        }
        self.inner.complex(pairs, spectrum, scratch, T::one());
        let twice = form.scale + form.scale;
        let odd = if form.sine { twice } else { -twice };
        for k in 0..half {
            let z = spectrum[k] * after[k];
            y[2 * k] = z.re * twice;
            y[n - 1 - 2 * k] = z.im * odd;
        }
    }

    /// The same for odd n, by a real transform of that length.
    ///
    /// With a = 2j + 1, b = 2k + 1 and 8v = 1 mod n, the angle 2 pi a b / 8n is 2 pi (a b n / 8 + a b v / n) up to whole turns,
    /// by the Chinese remainder theorem. The first part is an odd multiple of pi / 4, so only signs; of the second one a is
    /// needed mod n, where it takes each value once. Its even part, which meets cosines, and its odd part with the signs of
    /// (-1 / a), which meets sines, together are one sequence: each sample at a mod n or, if a = 3 mod 4, at -a mod n.
    fn fourth_odd(&self, x: &[T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (line, scratch) = scratch.split_at_mut(n.div_ceil(2));
        let (spectrum, scratch) = scratch.split_at_mut(n / 2 + 1);
        let line = &mut reals(line)[..n];
        for j in 0..n {
            let at = if 2 * j + 1 < n { 2 * j + 1 } else { 2 * j + 1 - n };
            let at = if j % 2 == 0 || at == 0 { at } else { n - at };
            line[at] = x[if form.sine { n - 1 - j } else { j }] * signs::<T>(2 * j + 1)[0];
        }
        self.inner.to_complex(line, spectrum, scratch, form.scale * T::from_f64_lossy(SQRT_2));
        let v = (1 + n * (8 - n % 8)) / 8 % n;
        let of_n = signs::<T>(n);
        let mut at = v;
        for (k, y) in y.iter_mut().enumerate() {
            let of_b = signs::<T>(2 * k + 1);
            let (re, im) = (of_n[0] * of_b[0] * spectrum[at.min(n - at)].re, of_n[1] * of_b[1]);
            let im = im * if 2 * at > n { -spectrum[n - at].im } else { spectrum[at].im };
            *y = if form.sine && k % 2 == 1 { -(re + im) } else { re + im };
            at = (at + 2 * v) % n;
        }
    }

    /// `y_k = 2 sum_j x_j cos(pi k (2j + 1) / 2n)`.
    fn second(&self, x: &[T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (spectrum, scratch) = scratch.split_at_mut(n / 2 + 1);
        let (even, odd) = y.split_at_mut(n.div_ceil(2));
        even.iter_mut().zip(x.iter().step_by(2)).for_each(|(v, &x)| *v = x);
        odd.iter_mut().rev().zip(x.iter().skip(1).step_by(2)).for_each(|(v, &x)| *v = if form.sine { -x } else { x });
        self.inner.to_complex(y, spectrum, scratch, T::one());
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
    fn third(&self, x: &mut [T], y: &mut [T], scratch: &mut [Complex<T>], form: Form<T>) {
        let n = self.n;
        let (spectrum, scratch) = scratch.split_at_mut(n / 2 + 1);
        let at = |k: usize| if form.sine { n - 1 - k } else { k };
        spectrum[0] = Complex::from(x[at(0)] * form.first);
        for k in 1..n / 2 + 1 {
            spectrum[k] = Complex::new(x[at(k)], -x[at(n - k)]) * self.turns[k].conj();
        }
        self.inner.to_real(spectrum, x, scratch, T::one());
        let sign = if form.sine { -form.scale } else { form.scale };
        let (even, odd) = x.split_at(n.div_ceil(2));
        y.iter_mut().step_by(2).zip(even).for_each(|(y, &v)| *y = v * form.scale);
        y.iter_mut().skip(1).step_by(2).zip(odd.iter().rev()).for_each(|(y, &v)| *y = v * sign);
    }
}
