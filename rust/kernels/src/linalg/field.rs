//! The element types of linear algebra and their lanes: the same operation on `W` matrices at once.

use crate::Element;
use crate::isa::{Isa, isa};
use num_complex::Complex;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number type of linear algebra.
pub(crate) trait Scalar:
    Element + num_traits::Float + num_traits::NumAssign + super::transpose::Transpose
{
    const ZERO: Self;
    const ONE: Self;
    const HALF: Self;
    const EPS: Self;
    /// Squares below this may have lost digits.
    const TINY: Self;
    /// The power of two in (x/2, x], for positive numbers; at least the smallest normal number.
    fn power_below(self) -> Self;
    /// Exchanges `a` and `b` if `yes`, by their bits: a selection would become a masked store,
    /// from which the processor cannot forward to a load.
    fn exchange_if(yes: bool, a: &mut Self, b: &mut Self);
    /// `a * b + c`, with one rounding where the processor has the instruction.
    fn mul_add_if<const FMA: bool>(a: Self, b: Self, c: Self) -> Self;
}

macro_rules! scalar {
    ($($t:ty, $tiny:expr, $exponent:expr);*) => { $(
        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;
            const EPS: Self = <$t>::EPSILON;
            const TINY: Self = <$t>::from_bits($tiny);
            #[inline(always)]
            fn power_below(self) -> Self {
                let power = <$t>::from_bits(self.to_bits() & $exponent);
                if power > <$t>::MIN_POSITIVE { power } else { <$t>::MIN_POSITIVE }
            }
            #[inline(always)]
            fn exchange_if(yes: bool, a: &mut Self, b: &mut Self) {
                let difference = if yes { a.to_bits() ^ b.to_bits() } else { 0 };
                *a = <$t>::from_bits(a.to_bits() ^ difference);
                *b = <$t>::from_bits(b.to_bits() ^ difference);
            }
            #[inline(always)]
            fn mul_add_if<const FMA: bool>(a: Self, b: Self, c: Self) -> Self {
                if FMA { a.mul_add(b, c) } else { a * b + c }
            }
        }
    )* };
}
scalar!(f32, (127 - 100) << 23, 0xff << 23; f64, (1023 - 1000) << 52, 0x7ff << 52);

/// float32, float64, complex64, complex128.
pub(crate) trait Field:
    Element + faer::traits::ComplexField + num_traits::NumAssign + std::ops::Neg<Output = Self>
{
    /// The type of real and imaginary part.
    type Part: Scalar + Field<Part = Self::Part>;
    /// A cache line of real parts: as many matrices are worked on at once.
    type Lanes<const FMA: bool>: Lanes<Elem = Self, Real = Self::Part>;
    const NAN: Self;
    fn conjugate(self) -> Self;
    fn parts(self) -> (Self::Part, Self::Part);
    /// A real type drops the imaginary part.
    fn from_parts(re: Self::Part, im: Self::Part) -> Self;
    fn is_finite(self) -> bool;
    /// The complex conjugate if `yes`.
    #[inline(always)]
    fn conjugate_if(self, yes: bool) -> Self {
        if yes { self.conjugate() } else { self }
    }
}

/// `W` real numbers.
pub(crate) trait RealLanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Real: Scalar;
    const LANES: usize;
    fn all(x: Self::Real) -> Self;
    fn lane(&self, lane: usize) -> Self::Real;
    fn set_lane(&mut self, lane: usize, x: Self::Real);
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// [`Scalar::power_below`].
    fn power_below(self) -> Self;
    /// The magnitude of this with the sign of `sign`.
    fn with_sign_of(self, sign: Self) -> Self;
    /// `yes` where this is greater than `o`, else `no`.
    fn greater(self, o: Self, yes: Self, no: Self) -> Self;
    /// Whether some lane is greater than zero.
    fn some_positive(self) -> bool;
}

/// `W` elements that are worked on together. All operations are independent per lane.
pub(crate) trait Lanes: Copy + Send {
    type Elem: Field<Part = Self::Real>;
    /// Real parts, or sizes.
    type Size: RealLanes<Real = Self::Real>;
    /// One lane of a size.
    type Real: Scalar;
    type Complex: Lanes<Elem = Complex<Self::Real>, Size = Self::Size, Real = Self::Real>;
    const W: usize;
    const ZERO: Self;
    /// With an imaginary part of 0 for real lanes.
    fn complex(self) -> Self::Complex;
    /// `yes` where `mask` is positive, else `no`.
    fn chosen(mask: Self::Size, yes: Self, no: Self) -> Self;
    fn splat(x: Self::Elem) -> Self;
    fn get(&self, lane: usize) -> Self::Elem;
    fn set(&mut self, lane: usize, x: Self::Elem);
    /// Elements that follow each other.
    ///
    /// # Safety
    /// `W` elements are readable at `p`.
    unsafe fn load(p: *const Self::Elem) -> Self;
    /// # Safety
    /// `W` elements are writable at `p`.
    unsafe fn store(self, p: *mut Self::Elem);
    /// `self - a b`.
    fn sub_mul(self, a: Self, b: Self) -> Self;
    /// `self - a conj(b)`.
    fn sub_mul_conj(self, a: Self, b: Self) -> Self;
    fn minus(self, o: Self) -> Self;
    /// `self + a b`.
    fn add_mul(self, a: Self, b: Self) -> Self;
    fn scaled(self, r: Self::Size) -> Self;
    /// `self + a r`.
    fn add_scaled(self, a: Self, r: Self::Size) -> Self;
    fn conj(self) -> Self;
    fn re(self) -> Self::Size;
    /// |x|^2.
    fn square(self) -> Self::Size;
    /// |x|, where its square is in range.
    fn magnitude(self) -> Self::Size;
    fn from_re(r: Self::Size) -> Self;
    /// Real lanes drop the imaginary part.
    fn from_parts(re: Self::Size, im: Self::Size) -> Self;
    /// 0 in the lanes that are real numbers.
    fn im(self) -> Self::Size;
    /// Without overflow or underflow on the way.
    fn div(self, b: Self) -> Self;
    /// |Re| + |Im|, the size by which LAPACK chooses pivots.
    fn size(self) -> Self::Size;
    fn size_of(sizes: &Self::Size, lane: usize) -> Self::Real;
    /// Where `size` is larger than `best`, takes over `size` and the row number.
    fn keep_larger(size: Self::Size, row: usize, best: &mut Self::Size, best_row: &mut Self::Size);
    /// A row number in every lane.
    fn row(row: usize) -> Self::Size;
    fn row_of(rows: &Self::Size, lane: usize) -> usize;
    /// Exchanges `a` and `b` in the lanes where `rows` is `row`.
    fn swap_where(rows: Self::Size, row: usize, a: &mut Self, b: &mut Self);
    /// 1 in the lanes that are zero.
    fn or_one(self) -> Self;
    /// The square root of the real part; the imaginary part becomes 0.
    fn sqrt_real(self) -> Self;
    /// The lanes whose real part is not positive, a bit each; NaN is not positive.
    fn not_positive(&self) -> u32;
    /// The lanes that are zero, a bit each.
    fn zero(&self) -> u32;
    /// The negative in the lanes where `rows` is not `row`.
    fn negated_unless(self, rows: Self::Size, row: usize) -> Self;
}

/// Real lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Re<T, const W: usize, const FMA: bool>([T; W]);

/// Complex lanes.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Cx<T, const W: usize, const FMA: bool> {
    re: Re<T, W, FMA>,
    im: Re<T, W, FMA>,
}

impl<T: Scalar, const W: usize, const FMA: bool> Re<T, W, FMA> {
    #[inline(always)]
    fn map(self, f: impl Fn(T) -> T) -> Self {
        let mut r = self;
        for l in 0..W {
            r.0[l] = f(self.0[l]);
        }
        r
    }
    #[inline(always)]
    fn zip(self, o: Self, f: impl Fn(T, T) -> T) -> Self {
        let mut r = self;
        for l in 0..W {
            r.0[l] = f(self.0[l], o.0[l]);
        }
        r
    }
    #[inline(always)]
    fn add_mul_real(self, a: Self, b: Self) -> Self {
        let mut r = self;
        for l in 0..W {
            r.0[l] = T::mul_add_if::<FMA>(a.0[l], b.0[l], self.0[l]);
        }
        r
    }
    #[inline(always)]
    fn sub_mul_real(self, a: Self, b: Self) -> Self {
        let mut r = self;
        for l in 0..W {
            r.0[l] = T::mul_add_if::<FMA>(-a.0[l], b.0[l], self.0[l]);
        }
        r
    }
    #[inline(always)]
    fn bits(&self, f: impl Fn(T) -> bool) -> u32 {
        let mut bits = 0;
        for l in 0..W {
            bits |= (f(self.0[l]) as u32) << l;
        }
        bits
    }
    #[inline(always)]
    fn swap_real(rows: Self, row: usize, a: &mut Self, b: &mut Self) {
        let row = T::from(row).unwrap_or(<T as Scalar>::ZERO);
        let (mut x, mut y) = (*a, *b);
        for l in 0..W {
            T::exchange_if(rows.0[l] == row, &mut x.0[l], &mut y.0[l]);
        }
        (*a, *b) = (x, y);
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<T: Scalar, const W: usize, const FMA: bool> $trait for Re<T, W, FMA> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                self.zip(o, |x, y| x $op y)
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl<T: Scalar, const W: usize, const FMA: bool> Neg for Re<T, W, FMA> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

impl<T: Scalar, const W: usize, const FMA: bool> RealLanes for Re<T, W, FMA> {
    type Real = T;
    const LANES: usize = W;
    #[inline(always)]
    fn all(x: T) -> Self {
        Re([x; W])
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> T {
        self.0[lane]
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, x: T) {
        self.0[lane] = x;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(|x| num_traits::Float::sqrt(x))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(|x| num_traits::Float::abs(x))
    }
    #[inline(always)]
    fn power_below(self) -> Self {
        self.map(|x| x.power_below())
    }
    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        self.zip(sign, |x, y| x.copysign(y))
    }
    #[inline(always)]
    fn greater(self, o: Self, yes: Self, no: Self) -> Self {
        let mut r = self;
        for l in 0..W {
            r.0[l] = if self.0[l] > o.0[l] { yes.0[l] } else { no.0[l] };
        }
        r
    }
    #[inline(always)]
    fn some_positive(self) -> bool {
        self.bits(|x| x > <T as Scalar>::ZERO) != 0
    }
}

impl<T: Scalar + Field<Part = T>, const W: usize, const FMA: bool> Lanes for Re<T, W, FMA>
where
    Complex<T>: Field<Part = T>,
{
    type Elem = T;
    type Size = Self;
    type Real = T;
    type Complex = Cx<T, W, FMA>;
    const W: usize = W;
    const ZERO: Self = Re([<T as Scalar>::ZERO; W]);
    #[inline(always)]
    fn complex(self) -> Cx<T, W, FMA> {
        Cx { re: self, im: Self::ZERO }
    }
    #[inline(always)]
    fn chosen(mask: Self, yes: Self, no: Self) -> Self {
        mask.greater(Self::ZERO, yes, no)
    }
    #[inline(always)]
    fn splat(x: T) -> Self {
        Re([x; W])
    }
    #[inline(always)]
    fn get(&self, lane: usize) -> T {
        self.0[lane]
    }
    #[inline(always)]
    fn set(&mut self, lane: usize, x: T) {
        self.0[lane] = x;
    }
    #[inline(always)]
    unsafe fn load(p: *const T) -> Self {
        // SAFETY: the caller's contract; an array is aligned as its elements are.
        Re(unsafe { *p.cast::<[T; W]>() })
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut T) {
        // SAFETY: as above.
        unsafe { *p.cast::<[T; W]>() = self.0 }
    }
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        self.sub_mul_real(a, b)
    }
    #[inline(always)]
    fn sub_mul_conj(self, a: Self, b: Self) -> Self {
        self.sub_mul_real(a, b)
    }
    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        self - o
    }
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        self.add_mul_real(a, b)
    }
    #[inline(always)]
    fn scaled(self, r: Self) -> Self {
        self * r
    }
    #[inline(always)]
    fn add_scaled(self, a: Self, r: Self) -> Self {
        self.add_mul_real(a, r)
    }
    #[inline(always)]
    fn conj(self) -> Self {
        self
    }
    #[inline(always)]
    fn re(self) -> Self {
        self
    }
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.map(|x| num_traits::Float::abs(x))
    }
    #[inline(always)]
    fn from_re(r: Self) -> Self {
        r
    }
    #[inline(always)]
    fn from_parts(re: Self, _: Self) -> Self {
        re
    }
    #[inline(always)]
    fn im(self) -> Self {
        Self::ZERO
    }
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        self.zip(b, |x, y| x / y)
    }
    #[inline(always)]
    fn size(self) -> Self {
        self.map(|x| num_traits::Float::abs(x))
    }
    #[inline(always)]
    fn size_of(sizes: &Self, lane: usize) -> T {
        sizes.0[lane]
    }
    #[inline(always)]
    fn keep_larger(size: Self, row: usize, best: &mut Self, best_row: &mut Self) {
        let row = T::from(row).unwrap_or(<T as Scalar>::ZERO);
        for l in 0..W {
            let larger = size.0[l] > best.0[l];
            best.0[l] = if larger { size.0[l] } else { best.0[l] };
            best_row.0[l] = if larger { row } else { best_row.0[l] };
        }
    }
    #[inline(always)]
    fn row(row: usize) -> Self {
        Re([T::from(row).unwrap_or(<T as Scalar>::ZERO); W])
    }
    #[inline(always)]
    fn row_of(rows: &Self, lane: usize) -> usize {
        rows.0[lane].to_usize().unwrap_or(0)
    }
    #[inline(always)]
    fn swap_where(rows: Self, row: usize, a: &mut Self, b: &mut Self) {
        Re::swap_real(rows, row, a, b);
    }
    #[inline(always)]
    fn or_one(self) -> Self {
        self.map(|x| if x == <T as Scalar>::ZERO { <T as Scalar>::ONE } else { x })
    }
    #[inline(always)]
    fn sqrt_real(self) -> Self {
        self.map(|x| num_traits::Float::sqrt(x))
    }
    #[inline(always)]
    fn not_positive(&self) -> u32 {
        self.bits(|x| x <= <T as Scalar>::ZERO || x.is_nan())
    }
    #[inline(always)]
    fn zero(&self) -> u32 {
        self.bits(|x| x == <T as Scalar>::ZERO)
    }
    #[inline(always)]
    fn negated_unless(self, rows: Self, row: usize) -> Self {
        let row = T::from(row).unwrap_or(<T as Scalar>::ZERO);
        self.zip(rows, |x, r| if r == row { x } else { -x })
    }
}

impl<T: Scalar + Field<Part = T>, const W: usize, const FMA: bool> Lanes for Cx<T, W, FMA>
where
    Complex<T>: Field<Part = T>,
{
    type Elem = Complex<T>;
    type Size = Re<T, W, FMA>;
    type Real = T;
    type Complex = Self;
    const W: usize = W;
    const ZERO: Self = Cx { re: Re::ZERO, im: Re::ZERO };
    #[inline(always)]
    fn complex(self) -> Self {
        self
    }
    #[inline(always)]
    fn chosen(mask: Self::Size, yes: Self, no: Self) -> Self {
        Cx { re: Re::chosen(mask, yes.re, no.re), im: Re::chosen(mask, yes.im, no.im) }
    }
    #[inline(always)]
    fn splat(x: Complex<T>) -> Self {
        Cx { re: Re::splat(x.re), im: Re::splat(x.im) }
    }
    #[inline(always)]
    fn get(&self, lane: usize) -> Complex<T> {
        Complex::new(self.re.0[lane], self.im.0[lane])
    }
    #[inline(always)]
    fn set(&mut self, lane: usize, x: Complex<T>) {
        self.re.0[lane] = x.re;
        self.im.0[lane] = x.im;
    }
    #[inline(always)]
    unsafe fn load(p: *const Complex<T>) -> Self {
        // SAFETY: the caller's contract.
        let pairs = unsafe { *p.cast::<[Complex<T>; W]>() };
        let mut lanes = Self::ZERO;
        for l in 0..W {
            lanes.set(l, pairs[l]);
        }
        lanes
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut Complex<T>) {
        for l in 0..W {
            // SAFETY: the caller's contract.
            unsafe { *p.add(l) = self.get(l) };
        }
    }
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        Cx {
            re: self.re.sub_mul_real(a.re, b.re).add_mul_real(a.im, b.im),
            im: self.im.sub_mul_real(a.re, b.im).sub_mul_real(a.im, b.re),
        }
    }
    #[inline(always)]
    fn sub_mul_conj(self, a: Self, b: Self) -> Self {
        Cx {
            re: self.re.sub_mul_real(a.re, b.re).sub_mul_real(a.im, b.im),
            im: self.im.add_mul_real(a.re, b.im).sub_mul_real(a.im, b.re),
        }
    }
    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        Cx { re: self.re - o.re, im: self.im - o.im }
    }
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        Cx {
            re: self.re.add_mul_real(a.re, b.re).sub_mul_real(a.im, b.im),
            im: self.im.add_mul_real(a.re, b.im).add_mul_real(a.im, b.re),
        }
    }
    #[inline(always)]
    fn scaled(self, r: Self::Size) -> Self {
        Cx { re: self.re * r, im: self.im * r }
    }
    #[inline(always)]
    fn add_scaled(self, a: Self, r: Self::Size) -> Self {
        Cx { re: self.re.add_mul_real(a.re, r), im: self.im.add_mul_real(a.im, r) }
    }
    #[inline(always)]
    fn conj(self) -> Self {
        Cx { re: self.re, im: -self.im }
    }
    #[inline(always)]
    fn re(self) -> Self::Size {
        self.re
    }
    #[inline(always)]
    fn square(self) -> Self::Size {
        (self.re * self.re).add_mul_real(self.im, self.im)
    }
    #[inline(always)]
    fn magnitude(self) -> Self::Size {
        self.square().sqrt_real()
    }
    #[inline(always)]
    fn from_re(r: Self::Size) -> Self {
        Cx { re: r, im: Re::ZERO }
    }
    #[inline(always)]
    fn from_parts(re: Self::Size, im: Self::Size) -> Self {
        Cx { re, im }
    }
    #[inline(always)]
    fn im(self) -> Self::Size {
        self.im
    }
    /// With the divisor scaled to parts of at most 1.
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        let s = b.re.zip(b.im, |x, y| {
            let (x, y) = (num_traits::Float::abs(x), num_traits::Float::abs(y));
            if x > y { x } else { y }
        });
        let (c, d) = (b.re / s, b.im / s);
        let norm = c.zip(c, |x, y| x * y).add_mul_real(d, d);
        let re = self.re.zip(c, |x, y| x * y).add_mul_real(self.im, d);
        let im = self.im.zip(c, |x, y| x * y).sub_mul_real(self.re, d);
        Cx { re: re / norm / s, im: im / norm / s }
    }
    #[inline(always)]
    fn size(self) -> Self::Size {
        self.re.zip(self.im, |x, y| num_traits::Float::abs(x) + num_traits::Float::abs(y))
    }
    #[inline(always)]
    fn size_of(sizes: &Self::Size, lane: usize) -> T {
        sizes.0[lane]
    }
    #[inline(always)]
    fn keep_larger(size: Self::Size, row: usize, best: &mut Self::Size, best_row: &mut Self::Size) {
        Re::keep_larger(size, row, best, best_row);
    }
    #[inline(always)]
    fn row(row: usize) -> Self::Size {
        Re::row(row)
    }
    #[inline(always)]
    fn row_of(rows: &Self::Size, lane: usize) -> usize {
        Re::row_of(rows, lane)
    }
    #[inline(always)]
    fn swap_where(rows: Self::Size, row: usize, a: &mut Self, b: &mut Self) {
        Re::swap_real(rows, row, &mut a.re, &mut b.re);
        Re::swap_real(rows, row, &mut a.im, &mut b.im);
    }
    #[inline(always)]
    fn or_one(self) -> Self {
        let mut r = self;
        for l in 0..W {
            let zero = self.re.0[l] == <T as Scalar>::ZERO && self.im.0[l] == <T as Scalar>::ZERO;
            r.re.0[l] = if zero { <T as Scalar>::ONE } else { self.re.0[l] };
        }
        r
    }
    #[inline(always)]
    fn sqrt_real(self) -> Self {
        Cx { re: self.re.sqrt_real(), im: Re::ZERO }
    }
    #[inline(always)]
    fn not_positive(&self) -> u32 {
        self.re.not_positive()
    }
    #[inline(always)]
    fn zero(&self) -> u32 {
        self.re.zero() & self.im.zero()
    }
    #[inline(always)]
    fn negated_unless(self, rows: Self::Size, row: usize) -> Self {
        Cx { re: self.re.negated_unless(rows, row), im: self.im.negated_unless(rows, row) }
    }
}

macro_rules! field {
    ($($t:ty, $w:literal);*) => { $(
        impl Field for $t {
            type Part = $t;
            type Lanes<const FMA: bool> = Re<$t, $w, FMA>;
            const NAN: Self = <$t>::NAN;
            #[inline(always)]
            fn conjugate(self) -> Self {
                self
            }
            #[inline(always)]
            fn parts(self) -> ($t, $t) {
                (self, 0.0)
            }
            #[inline(always)]
            fn from_parts(re: $t, _: $t) -> Self {
                re
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                <$t>::is_finite(self)
            }
        }
        impl Field for Complex<$t> {
            type Part = $t;
            type Lanes<const FMA: bool> = Cx<$t, $w, FMA>;
            const NAN: Self = Complex::new(<$t>::NAN, <$t>::NAN);
            #[inline(always)]
            fn conjugate(self) -> Self {
                Complex::new(self.re, -self.im)
            }
            #[inline(always)]
            fn parts(self) -> ($t, $t) {
                (self.re, self.im)
            }
            #[inline(always)]
            fn from_parts(re: $t, im: $t) -> Self {
                Complex::new(re, im)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.re.is_finite() && self.im.is_finite()
            }
        }
    )* };
}
field!(f32, 16; f64, 8);

/// Work that is compiled for every instruction set; implementations are `#[inline(always)]` throughout.
pub(crate) trait Job {
    fn run<const FMA: bool>(self);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]

    #[target_feature(enable = "avx2,fma,bmi1,bmi2")]
    pub(super) unsafe fn avx2<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512cd,avx512dq,avx512bw,avx512vl")]
    pub(super) unsafe fn avx512<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
}

#[inline(never)]
fn baseline<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Runs the job as compiled for the instruction set in use.
#[inline]
pub(crate) fn run<J: Job>(job: J) {
    match isa() {
        Isa::Baseline => job.run::<{ cfg!(target_arch = "aarch64") }>(),
        _ => apart::<true, _>(
            #[inline(always)]
            || job.run::<true>(),
        ),
    }
}

/// A job with `FMA`, or a part of one, as a function of its own for the instruction set in use; `part` is an `#[inline(always)]`
/// closure. The time to compile a function grows faster than its size.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn apart<const FMA: bool, R>(part: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if FMA {
        return match isa() {
            // SAFETY: `isa` never names an instruction set that the processor lacks.
            Isa::Avx512 => unsafe { x86::avx512(part) },
            // SAFETY: as above.
            Isa::Avx2 => unsafe { x86::avx2(part) },
            Isa::Baseline => unreachable!("a job with FMA on a processor without"),
        };
    }
    baseline(part)
}
