//! The traits that scalar functions are written against.
//!
//! A body such as `exp` is one generic function over [`Real`]. At `f64` it is plain code, at the lane types of
//! [`crate::simd`] it is the vector kernel, at the printer type it writes CUDA C. All of them round alike, because nothing
//! is contracted unless a body says `fma`, and because control flow is `select`, `when` and `repeat`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::complex::{Complex, ComplexBody};

/// A truth value per lane.
pub trait Mask: Copy {
    fn lit(v: bool) -> Self;
    fn and(self, o: Self) -> Self;
    fn or(self, o: Self) -> Self;
    fn not(self) -> Self;
}

/// 64-bit two's complement lanes: the bit pattern of a float, or an index into a table.
pub trait Bits: Copy {
    type Mask: Mask;
    fn lit(v: i64) -> Self;
    fn add(self, o: Self) -> Self;
    fn sub(self, o: Self) -> Self;
    fn and(self, o: Self) -> Self;
    fn or(self, o: Self) -> Self;
    fn xor(self, o: Self) -> Self;
    /// Left shift by a constant below 64.
    fn shl(self, n: u32) -> Self;
    /// Logical right shift by a constant below 64.
    fn shr(self, n: u32) -> Self;
    fn eq(self, o: Self) -> Self::Mask;
    /// Signed comparison.
    fn lt(self, o: Self) -> Self::Mask;
    fn select(m: Self::Mask, a: Self, b: Self) -> Self;
}

/// What the basic operators need; the only trait that `f32` lanes implement too.
pub trait Arith:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Mask: Mask;
    fn lit(v: f64) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// `self * b + c` with one rounding, on every machine.
    fn fma(self, b: Self, c: Self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    /// To the nearest integer, ties to even.
    fn round(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    /// IEEE comparisons: false when either side is NaN, except `ne`.
    fn eq(self, o: Self) -> Self::Mask;
    fn ne(self, o: Self) -> Self::Mask;
    fn lt(self, o: Self) -> Self::Mask;
    fn le(self, o: Self) -> Self::Mask;
    #[inline(always)]
    fn gt(self, o: Self) -> Self::Mask {
        o.lt(self)
    }
    #[inline(always)]
    fn ge(self, o: Self) -> Self::Mask {
        o.le(self)
    }
    #[inline(always)]
    fn is_nan(self) -> Self::Mask {
        self.ne(self)
    }
    /// `o` where it is smaller, else `self`: a NaN stays, and so does the sign of a zero.
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self::select(o.lt(self), o, self)
    }
    /// `o` where it is larger, else `self`.
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self::select(self.lt(o), o, self)
    }
    /// `a` where the mask is set, else `b`; both are computed.
    fn select(m: Self::Mask, a: Self, b: Self) -> Self;
}

/// Double precision lanes with bit access, tables and loops.
pub trait Real: Arith {
    type Bits: Bits<Mask = Self::Mask>;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(b: Self::Bits) -> Self;
    /// `table[i]` per lane; an index out of range is clamped to the table.
    fn gather(table: &'static Table, i: Self::Bits) -> Self;
    /// Number `k` of a row per lane, which must be in the table.
    fn column<const N: usize, const C: usize>(table: &'static Rows<N, C>, k: usize, row: Self::Bits) -> Self;
    /// Runs `step` on the state, at most `max` times, until its mask is false; a lane that stopped keeps its state.
    fn repeat<const N: usize>(
        state: [Self; N],
        max: u32,
        step: impl Fn([Self; N]) -> ([Self; N], Self::Mask),
    ) -> [Self; N];
    /// Runs `step` on the state for each row of a table, the same for all lanes.
    #[inline(always)]
    fn over_rows<const N: usize, const C: usize, const M: usize>(
        table: &'static Rows<N, C>,
        state: [Self; M],
        step: impl Fn([Self; M], [Self; N]) -> [Self; M],
    ) -> [Self; M] {
        let mut state = state;
        for row in &table.rows {
            let row = each(
                #[inline(always)]
                |k| Self::lit(row[k]),
            );
            state = step(state, row);
        }
        state
    }
    /// `body()` where the mask is set, else `otherwise`; the body is skipped when no lane needs it.
    #[inline(always)]
    fn when<const N: usize>(m: Self::Mask, otherwise: [Self; N], body: impl Fn() -> [Self; N]) -> [Self; N] {
        let b = body();
        each(
            #[inline(always)]
            |i| Self::select(m, b[i], otherwise[i]),
        )
    }
    /// [`Real::scale`] in plain arithmetic. Many processors take a hundred times as long where the result is below the normal range.
    #[inline(always)]
    fn scale_plainly(self, k: Self) -> Self {
        let magic = Self::lit(ROUND_MAGIC);
        let pow2 = inlined(
            #[inline(always)]
            |biased: Self| Self::from_bits(biased.to_bits().add(Self::Bits::lit(1023)).shl(52)),
        );
        let first = k * Self::lit(0.5) + magic;
        let second = k - (first - magic) + magic;
        self * pow2(first) * pow2(second)
    }
    /// `self * 2^k` rounded once, for an integral `|k| <= 2040` and `self` whose product with `2^(k/2)` is exact.
    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        let lowest = Self::lit(LOW_EXPONENT);
        let low = k.lt(lowest);
        let [out] = Self::when(
            low,
            [self.scale_plainly(k.max(lowest))],
            #[inline(always)]
            || {
                // A number below the normal range is a multiple of the smallest one, and this multiple is its bits.
                let multiple = self.scale_plainly(k + Self::lit(1074.0));
                let one = Self::lit(4503599627370496.0);
                let below = multiple.abs().lt(one);
                let bits = (multiple.abs() + one).to_bits().sub(one.to_bits());
                let normal = self.scale_plainly(Self::select(below, lowest, k));
                [Self::select(below, Self::from_bits(bits).copysign(self), normal)]
            },
        );
        out
    }
    /// A named function: plain code for numbers, one memoized device function for the printer.
    #[inline(always)]
    fn call<const N: usize>(name: &'static str, args: [Self; N], body: impl Fn([Self; N]) -> Self) -> Self {
        Self::call_many(
            name,
            args,
            #[inline(always)]
            |x| [body(x)],
        )[0]
    }
    /// `body()` as a call of code that is compiled by itself, for long ones in loops and conditions: the compiler takes longer the longer
    /// the function is that it puts them in.
    #[inline(always)]
    fn outlined<T>(body: impl Fn() -> T) -> T {
        body()
    }
    /// A registered function in the same way, for bodies that use it among much else: it is compiled once per lane type, and not again at
    /// every place. See [`crate::shared`].
    #[inline(always)]
    fn shared<B: Body<N>, const N: usize>(x: [Self; N]) -> Self {
        Self::outlined(
            #[inline(always)]
            move || B::eval(x),
        )
    }
    /// The same for a registered complex function.
    #[inline(always)]
    fn shared_complex<B: ComplexBody<N>, const N: usize>(z: [Complex<Self>; N]) -> Complex<Self> {
        Self::outlined(
            #[inline(always)]
            move || B::eval(z),
        )
    }
    /// The same as [`Real::call`] for a function with several results.
    fn call_many<const N: usize, const M: usize>(
        name: &'static str,
        args: [Self; N],
        body: impl Fn([Self; N]) -> [Self; M],
    ) -> [Self; M];
}

/// `1.5 * 2^52`: adding it rounds to an integer, which then stands in the low bits.
pub const ROUND_MAGIC: f64 = 6755399441055744.0;

/// Powers of two below which [`Real::scale`] looks for results below the normal range.
const LOW_EXPONENT: f64 = -1000.0;

/// The body of a scalar function: `named!("exp", |x| ...)` is [`Real::call`] with a closure that is always inlined, which the
/// wider instruction sets depend on. The real type in scope must be called `R`.
#[macro_export]
macro_rules! named {
    ($name:literal, |$($x:ident),+| $body:expr) => {
        R::call($name, [$($x),+], #[inline(always)] |[$($x),+]| $body)
    };
}

/// `[f(0), f(1), ...]`, as [`std::array::from_fn`] but inlined for certain: a closure over lanes that is compiled by itself knows
/// nothing of their instruction set, and each of its operations becomes a call.
#[inline(always)]
pub fn each<T: Copy, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [f(0); N];
    count::<1, N>(
        #[inline(always)]
        |i| out[i] = f(i),
    );
    out
}

/// `f(FROM)`, `f(FROM + 1)`, ... `f(END - 1)`, one after the other: the compiler is slow at loops in long functions, which it unrolls
/// in the end.
#[inline(always)]
pub(crate) fn count<const FROM: usize, const END: usize>(mut f: impl FnMut(usize)) {
    macro_rules! steps {
        ($($i:literal)*) => {
            $(if const { FROM <= $i && $i < END } {
                f($i);
            })*
        };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    if const { END > 32 } {
        for i in FROM.max(32)..END {
            f(i);
        }
    }
}

/// `[f(a[0]), f(a[1]), ...]`, in the same way.
#[inline(always)]
pub(crate) fn mapped<A: Copy, T: Copy, const N: usize>(a: [A; N], f: impl Fn(A) -> T) -> [T; N] {
    each(
        #[inline(always)]
        |i| f(a[i]),
    )
}

/// The closure itself: a place for its `#[inline(always)]`, which a `let` does not take.
#[inline(always)]
pub(crate) fn inlined<F>(f: F) -> F {
    f
}

/// Truth values that are found only where a lane asks for them; false elsewhere.
#[inline(always)]
pub(crate) fn asked<R: Real>(on: R::Mask, test: impl Fn() -> R::Mask) -> R::Mask {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let [found] = R::when(
        on,
        [zero],
        #[inline(always)]
        || [R::select(test(), one, zero)],
    );
    found.eq(one)
}

/// A named table of constants.
pub struct Table {
    pub name: &'static str,
    pub values: &'static [f64],
}

/// A named table of `COUNT` rows of `N` constants, two at least. The sizes belong to the type, because what is compiled in another
/// crate knows no contents of a static.
pub struct Rows<const N: usize, const COUNT: usize> {
    pub name: &'static str,
    /// For registers that hold a column, and for threads that read one number each.
    pub columns: [[f64; COUNT]; N],
    /// For what reads numbers of a row together.
    pub rows: [[f64; N]; COUNT],
}

impl<const N: usize, const COUNT: usize> Rows<N, COUNT> {
    pub(crate) const fn new(name: &'static str, columns: [[f64; COUNT]; N]) -> Self {
        assert!(N > 1);
        let mut rows = [[0.0; N]; COUNT];
        let mut i = 0;
        while i < N * COUNT {
            rows[i / N][i % N] = columns[i % N][i / N];
            i += 1;
        }
        Rows { name, columns, rows }
    }
}

/// A scalar function as a type, so that drivers can instantiate it at every lane type.
pub trait Body<const N: usize>: 'static {
    const NAME: &'static str;
    type Short: ShortWays<N>;
    /// What computes it in single precision; itself where nothing cheaper is at hand.
    type Single: Body<N>;
    fn eval<R: Real>(x: [R; N]) -> R;
}

/// Short ways to a function for some of its points. A driver tries them in turn on what the ones before have left, and the
/// function itself on the rest, sorted by class so that the lanes of a register have the same way before them.
pub trait ShortWays<const N: usize> {
    const COUNT: usize = 0;
    /// Whether loops call a function without short ways where it is compiled by itself: a long one is not compiled twice.
    const APART: bool = false;
    /// Whether two registers are evaluated side by side, for functions whose steps wait for each other.
    const TWICE: bool = false;
    /// A value and its class below [`CLASSES`], which is 0 where the value is that of the function.
    #[inline(always)]
    fn value<R: Real>(_way: usize, _x: [R; N]) -> [R; 2] {
        [R::lit(0.0); 2]
    }
}

/// The number of classes.
pub const CLASSES: usize = 128;

impl<const N: usize> ShortWays<N> for () {}

/// A basic operator as a type; it exists for `f32` lanes directly.
pub trait ArithBody<const N: usize>: 'static {
    const NAME: &'static str;
    fn eval<R: Arith>(x: [R; N]) -> R;
}

impl Mask for bool {
    #[inline(always)]
    fn lit(v: bool) -> Self {
        v
    }
    #[inline(always)]
    fn and(self, o: Self) -> Self {
        self & o
    }
    #[inline(always)]
    fn or(self, o: Self) -> Self {
        self | o
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
}

impl Bits for i64 {
    type Mask = bool;
    #[inline(always)]
    fn lit(v: i64) -> Self {
        v
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.wrapping_add(o)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.wrapping_sub(o)
    }
    #[inline(always)]
    fn and(self, o: Self) -> Self {
        self & o
    }
    #[inline(always)]
    fn or(self, o: Self) -> Self {
        self | o
    }
    #[inline(always)]
    fn xor(self, o: Self) -> Self {
        self ^ o
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self << n
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        ((self as u64) >> n) as i64
    }
    #[inline(always)]
    fn eq(self, o: Self) -> bool {
        self == o
    }
    #[inline(always)]
    fn lt(self, o: Self) -> bool {
        self < o
    }
    #[inline(always)]
    fn select(m: bool, a: Self, b: Self) -> Self {
        if m { a } else { b }
    }
}

macro_rules! arith_float {
    ($t:ty) => {
        impl Arith for $t {
            type Mask = bool;
            #[inline(always)]
            fn lit(v: f64) -> Self {
                v as $t
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn fma(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                <$t>::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                <$t>::ceil(self)
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                <$t>::trunc(self)
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.round_ties_even()
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                <$t>::copysign(self, sign)
            }
            #[inline(always)]
            fn eq(self, o: Self) -> bool {
                self == o
            }
            #[inline(always)]
            fn ne(self, o: Self) -> bool {
                self != o
            }
            #[inline(always)]
            fn lt(self, o: Self) -> bool {
                self < o
            }
            #[inline(always)]
            fn le(self, o: Self) -> bool {
                self <= o
            }
            #[inline(always)]
            fn select(m: bool, a: Self, b: Self) -> Self {
                if m { a } else { b }
            }
        }
    };
}
arith_float!(f32);
arith_float!(f64);

impl Real for f64 {
    type Bits = i64;
    #[inline(always)]
    fn to_bits(self) -> i64 {
        f64::to_bits(self) as i64
    }
    #[inline(always)]
    fn from_bits(b: i64) -> Self {
        f64::from_bits(b as u64)
    }
    #[inline(always)]
    fn gather(table: &'static Table, i: i64) -> Self {
        table.values[i.clamp(0, table.values.len() as i64 - 1) as usize]
    }
    #[inline(always)]
    fn column<const N: usize, const C: usize>(table: &'static Rows<N, C>, k: usize, row: i64) -> f64 {
        table.rows[row.clamp(0, C as i64 - 1) as usize][k]
    }
    #[inline(always)]
    fn repeat<const N: usize>(state: [Self; N], max: u32, step: impl Fn([Self; N]) -> ([Self; N], bool)) -> [Self; N] {
        let mut s = state;
        for _ in 0..max {
            let (next, go) = step(s);
            s = next;
            if !go {
                break;
            }
        }
        s
    }
    #[inline(always)]
    fn when<const N: usize>(m: bool, otherwise: [Self; N], body: impl Fn() -> [Self; N]) -> [Self; N] {
        if m { body() } else { otherwise }
    }
    #[inline(never)]
    fn outlined<T>(body: impl Fn() -> T) -> T {
        body()
    }
    #[inline(always)]
    fn call_many<const N: usize, const M: usize>(
        _: &'static str,
        args: [Self; N],
        body: impl Fn([Self; N]) -> [Self; M],
    ) -> [Self; M] {
        body(args)
    }
}
