//! What the kernels' tests share: owned strided arrays of any layout and reproducible values.
#![allow(unsafe_code)]

use crate::{DType, Element, View, ViewMut};
use num_complex::Complex;

/// The most elements that a case has. Miri, which checks the unsafe code, is some thousand times slower than the processor.
pub(crate) const MOST: usize = if cfg!(miri) { 16 } else { usize::MAX };

/// The dtypes that a case of all pairs takes: under miri one of each size, of each kind.
pub(crate) fn dtypes() -> &'static [DType] {
    if cfg!(miri) { &[DType::Bool, DType::I16, DType::F32, DType::C128] } else { &DType::ALL }
}

pub(crate) fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// An array in a layout that tests choose.
#[derive(Clone, Debug)]
pub(crate) struct Array<T> {
    data: Vec<T>,
    origin: usize,
    pub shape: Vec<usize>,
    strides: Vec<isize>,
}

/// The memory layouts that kernels must not tell apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Layout {
    C,
    Fortran,
    /// Every axis backwards.
    Reversed,
    /// With gaps between the elements.
    Gaps,
}

impl Layout {
    pub const ALL: [Layout; 4] = [Layout::C, Layout::Fortran, Layout::Reversed, Layout::Gaps];
}

impl<T: Element> Array<T> {
    /// The array with these elements in C order.
    pub fn new(shape: &[usize], elements: &[T], layout: Layout) -> Self {
        let scale = if layout == Layout::Gaps { 3 } else { 1 };
        let mut strides = vec![0; shape.len()];
        let mut step = scale;
        for k in 0..shape.len() {
            let axis = if layout == Layout::Fortran { k } else { shape.len() - 1 - k };
            strides[axis] = if layout == Layout::Reversed { -step } else { step };
            step *= shape[axis].max(1) as isize;
        }
        let size: usize = shape.iter().product();
        let origin = if layout == Layout::Reversed { size.saturating_sub(1) } else { 0 };
        let mut out = Array { data: vec![T::default(); step as usize], origin, shape: shape.to_vec(), strides };
        for (i, &v) in elements.iter().enumerate() {
            let at = out.at(i);
            out.data[at] = v;
        }
        assert_eq!(elements.len(), size);
        out
    }

    pub fn zeros(shape: &[usize], layout: Layout) -> Self {
        Self::new(shape, &vec![T::default(); shape.iter().product()], layout)
    }

    fn at(&self, mut i: usize) -> usize {
        let mut at = self.origin as isize;
        for (&n, &s) in self.shape.iter().zip(&self.strides).rev() {
            at += (i % n) as isize * s;
            i /= n;
        }
        at as usize
    }

    pub fn view(&self) -> View<'_> {
        // SAFETY: the strides stay within the data.
        unsafe { View::new(self.data.as_ptr().add(self.origin).cast(), T::DTYPE, &self.shape, &self.strides) }
    }

    pub fn view_mut(&mut self) -> ViewMut<'_> {
        // SAFETY: as above, and no two indices meet.
        unsafe { ViewMut::new(self.data.as_mut_ptr().add(self.origin).cast(), T::DTYPE, &self.shape, &self.strides) }
    }

    /// The elements in C order.
    pub fn elements(&self) -> Vec<T> {
        (0..self.shape.iter().product()).map(|i| self.data[self.at(i)]).collect()
    }
}

/// A reproducible stream of bits (splitmix64: Steele, Lea, Flood 2014).
pub(crate) struct Bits(pub u64);

impl Bits {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn vec<T: Sample>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| T::sample(self)).collect()
    }
}

/// Small values with many ties; floats with both zeros, infinities and NaN among them.
pub(crate) trait Sample: Element {
    fn sample(bits: &mut Bits) -> Self;
}

impl Sample for bool {
    fn sample(bits: &mut Bits) -> bool {
        bits.next() & 1 == 1
    }
}

macro_rules! sample {
    ($($t:ty),*) => { $(impl Sample for $t {
        fn sample(bits: &mut Bits) -> $t {
            bits.next() as $t >> (<$t>::BITS / 2)
        }
    })* };
}
sample!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! sample_float {
    ($($t:ty),*) => { $(
        impl Sample for $t {
            fn sample(bits: &mut Bits) -> $t {
                match bits.below(200) {
                    0 => <$t>::NAN,
                    1 => <$t>::INFINITY,
                    2 => <$t>::NEG_INFINITY,
                    3 => -0.0,
                    4 => 0.0,
                    5..100 => bits.below(20) as $t - 10.0,
                    _ => bits.below(1 << 20) as $t / (1 << 10) as $t - 500.0,
                }
            }
        }
        impl Sample for Complex<$t> {
            fn sample(bits: &mut Bits) -> Self {
                Complex::new(<$t>::sample(bits), <$t>::sample(bits))
            }
        }
    )* };
}
sample_float!(f32, f64);
