//! Arrays of random values in several layouts, for the tests of kernels on matrices and lines.
#![allow(unsafe_code)]

use crate::{DType, Element, View, ViewMut, pool};
use num_complex::Complex;

/// As [`crate::testing::MOST`], of rows, columns and lines.
pub(crate) const MOST_ROWS: usize = if cfg!(miri) { 5 } else { usize::MAX };

pub(crate) fn affordable(sizes: &[usize]) -> impl Iterator<Item = usize> {
    sizes.iter().copied().filter(|&n| n <= MOST_ROWS)
}

/// Sizes around the edges of lanes, blocks and small kernels.
pub(crate) const SIZES: [usize; 23] =
    [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 97, 127, 128, 129, 200];

/// An element with the arithmetic that naive references need.
pub(crate) trait Value: Element {
    /// The unit roundoff, 0 for exact types.
    const EPS: f64;
    fn sample(seed: usize) -> Self;
    fn conj(self) -> Self {
        self
    }
    fn plus(self, o: Self) -> Self;
    fn times(self, o: Self) -> Self;
    fn abs(self) -> f64;
    fn minus_abs(self, o: Self) -> f64;
}

/// Uniform in [-1, 1), from a multiplicative hash of the seed.
pub(crate) fn uniform(seed: usize) -> f64 {
    let mut z = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

macro_rules! values {
    ($($t:ty),*) => { $(
        impl Value for $t {
            const EPS: f64 = <$t>::EPSILON as f64;
            fn sample(seed: usize) -> Self {
                uniform(seed) as $t
            }
            fn plus(self, o: Self) -> Self {
                self + o
            }
            fn times(self, o: Self) -> Self {
                self * o
            }
            fn abs(self) -> f64 {
                <$t>::abs(self) as f64
            }
            fn minus_abs(self, o: Self) -> f64 {
                <$t>::abs(self - o) as f64
            }
        }
        impl Value for Complex<$t> {
            const EPS: f64 = 2.0 * <$t>::EPSILON as f64;
            fn sample(seed: usize) -> Self {
                Complex::new(uniform(2 * seed) as $t, uniform(2 * seed + 1) as $t)
            }
            fn conj(self) -> Self {
                Complex::conj(&self)
            }
            fn plus(self, o: Self) -> Self {
                self + o
            }
            fn times(self, o: Self) -> Self {
                self * o
            }
            fn abs(self) -> f64 {
                self.norm() as f64
            }
            fn minus_abs(self, o: Self) -> f64 {
                (self - o).norm() as f64
            }
        }
    )* };
    (int $($t:ty),*) => { $(
        impl Value for $t {
            const EPS: f64 = 0.0;
            fn sample(seed: usize) -> Self {
                (uniform(seed) * 1e18) as i64 as $t
            }
            fn plus(self, o: Self) -> Self {
                self.wrapping_add(o)
            }
            fn times(self, o: Self) -> Self {
                self.wrapping_mul(o)
            }
            fn abs(self) -> f64 {
                (self as f64).abs()
            }
            fn minus_abs(self, o: Self) -> f64 {
                (self != o) as u8 as f64
            }
        }
    )* };
}
values!(f32, f64);
values!(int u8, i16, i64);

impl Value for bool {
    const EPS: f64 = 0.0;
    fn sample(seed: usize) -> Self {
        uniform(seed) > 0.7
    }
    fn plus(self, o: Self) -> Self {
        self | o
    }
    fn times(self, o: Self) -> Self {
        self & o
    }
    fn abs(self) -> f64 {
        self as u8 as f64
    }
    fn minus_abs(self, o: Self) -> f64 {
        (self != o) as u8 as f64
    }
}

/// An array that owns its memory, strided in one of several layouts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Owned<T> {
    pub(crate) data: Vec<T>,
    pub(crate) shape: Vec<usize>,
    pub(crate) strides: Vec<isize>,
    pub(crate) start: usize,
}

impl<T: Element> Owned<T> {
    pub(crate) fn new(shape: &[usize]) -> Self {
        let mut strides = vec![1; shape.len()];
        for d in (1..shape.len()).rev() {
            strides[d - 1] = strides[d] * shape[d].max(1) as isize;
        }
        let size = shape.iter().product();
        Owned { data: vec![T::default(); size], shape: shape.to_vec(), strides, start: 0 }
    }

    /// Zeros of the same shape in C order.
    pub(crate) fn zeros_like(&self) -> Self {
        Owned::new(&self.shape)
    }

    pub(crate) fn from_vec(shape: &[usize], data: Vec<T>) -> Self {
        assert_eq!(data.len(), shape.iter().product::<usize>());
        Owned { data, ..Owned::new(shape) }
    }

    /// The same values: 0 in C order, 1 with the last two axes exchanged in memory, 2 backwards, 3 with gaps.
    pub(crate) fn laid_out(&self, layout: usize) -> Self {
        let d = self.shape.len();
        let mut order: Vec<usize> = (0..d).collect();
        if layout == 1 && d >= 2 {
            order.swap(d - 1, d - 2);
        }
        let gap = if layout == 3 { 3 } else { 1 };
        let mut strides = vec![0; d];
        let mut size = gap;
        for &axis in order.iter().rev() {
            strides[axis] = size as isize;
            size *= self.shape[axis].max(1);
        }
        let mut out = Owned { data: vec![T::default(); size + 1], shape: self.shape.clone(), strides, start: 0 };
        if layout == 2 {
            out.start = size - 1;
            out.strides.iter_mut().for_each(|s| *s = -*s);
        }
        for index in 0..self.len() {
            let (from, to) = (self.offset(index), out.offset(index));
            out.data[to] = self.data[from];
        }
        out
    }

    /// With a leading axis of stride 0.
    pub(crate) fn broadcast(&self, n: usize) -> Self {
        let mut out = self.clone();
        out.shape.insert(0, n);
        out.strides.insert(0, 0);
        out
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Where the element with this index in C order lies.
    pub(crate) fn offset(&self, mut index: usize) -> usize {
        let mut offset = self.start as isize;
        for (&n, &s) in self.shape.iter().zip(&self.strides).rev() {
            offset += (index % n) as isize * s;
            index /= n;
        }
        offset as usize
    }

    fn place(&self, item: usize, i: usize, j: usize) -> usize {
        let &[n, m] = self.shape.last_chunk::<2>().unwrap();
        self.offset((item * n + i) * m + j)
    }

    pub(crate) fn get(&self, item: usize, i: usize, j: usize) -> T {
        self.data[self.place(item, i, j)]
    }

    pub(crate) fn set(&mut self, item: usize, i: usize, j: usize, value: T) {
        let place = self.place(item, i, j);
        self.data[place] = value;
    }

    pub(crate) fn fill(&mut self, value: T) {
        (0..self.len()).for_each(|i| {
            let place = self.offset(i);
            self.data[place] = value;
        });
    }

    /// The values in C order.
    pub(crate) fn values(&self) -> Vec<T> {
        (0..self.len()).map(|i| self.data[self.offset(i)]).collect()
    }

    pub(crate) fn view(&self) -> View<'_> {
        let ptr = self.data.as_ptr().wrapping_add(self.start);
        // SAFETY: all indices lie in `data`.
        unsafe { View::new(ptr.cast(), T::DTYPE, &self.shape, &self.strides) }
    }

    pub(crate) fn view_mut(&mut self) -> ViewMut<'_> {
        let ptr = self.data.as_mut_ptr().wrapping_add(self.start);
        // SAFETY: as above; nothing written to is broadcast.
        unsafe { ViewMut::new(ptr.cast(), T::DTYPE, &self.shape, &self.strides) }
    }
}

impl<T: Value> Owned<T> {
    pub(crate) fn max_abs(&self) -> f64 {
        self.values().into_iter().map(Value::abs).fold(0.0, f64::max)
    }

    /// The largest difference of corresponding values; NaN counts as infinite.
    pub(crate) fn distance(&self, o: &Self) -> f64 {
        assert_eq!(self.shape, o.shape);
        let differences = self.values().into_iter().zip(o.values()).map(|(x, y)| x.minus_abs(y));
        differences.map(|d| if d.is_nan() { f64::INFINITY } else { d }).fold(0.0, f64::max)
    }
}

pub(crate) fn random<T: Value>(shape: &[usize], seed: usize) -> Owned<T> {
    let size = shape.iter().product();
    Owned::from_vec(shape, (0..size).map(|i| T::sample(i + seed * 1_000_003)).collect())
}

/// Runs `f` with 1 thread and with several, and asserts that the results have the same bits.
pub(crate) fn bits_on_every_thread_count<T: Element>(f: impl Fn() -> Vec<T>) {
    let bits = |v: Vec<T>| -> Vec<u8> {
        // SAFETY: elements without padding.
        unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), size_of_val(v.as_slice())) }.to_vec()
    };
    assert_ne!(T::DTYPE, DType::Bool);
    let results: Vec<Vec<u8>> = [1, 2, 3, 8]
        .into_iter()
        .map(|threads| {
            pool::set_num_threads(threads);
            bits(f())
        })
        .collect();
    pool::set_num_threads(0);
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}
