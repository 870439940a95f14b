//! The kernels of one operator, by compute dtype; built in constants, one expression per operator.
#![allow(unsafe_code)]

use super::body::{BoolBody, ComplexPredicateBody, Int, IntBody, IntPredicateBody, PredicateBody};
use super::print;
use super::tile::{Float, Kernel, Level, TileFn, TileLoop, each, each_lanes, each_staged, slice, slice_mut};
use crate::walk::{Compiled, Loop};
use crate::{DType, Element};
use num_complex::Complex;
use sciarray_scalar as scalar;
use sciarray_scalar::printer::Source;
use sciarray_scalar::real::each as array;
use sciarray_scalar::{Arith, ArithBody, Body, ComplexBody, ComplexShortWays, Lanes, Real as _, ShortWays};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Nanoseconds per element of one thread at memory speed, and of an elementary function.
const CHEAP: f32 = 0.5;
const DEAR: f32 = 1.5;

/// At most one kernel per compute dtype: the dtype that the caller's promotion rule arrived at.
#[derive(Clone, Copy)]
pub struct Kernels {
    table: [Option<Kernel>; DType::ALL.len()],
}

macro_rules! loops {
    ($(#[$doc:meta])* $name:ident<$($p:ident: $bound:path),*; $n:ident> $(wide $wide:tt)? =
        $args:ident, $out:ident, $len:ident => $body:expr; $source:ident => $text:expr) => {
        $(#[$doc])*
        struct $name<$($p,)* const $n: usize>(PhantomData<($($p,)*)>);
        impl<$($p: $bound,)* const $n: usize> TileLoop for $name<$($p,)* $n> {
            $(const WIDE: bool = $wide;)?
            #[inline(always)]
            unsafe fn run<L: Level>($args: *const *const u8, $out: *mut u8, $len: usize) {
                // SAFETY: the caller's contract; the builders below pair the loop with its dtypes.
                unsafe { $body }
            }
            fn print($source: &mut Source, args: &[String], out: &str) -> String {
                $text(args, out)
            }
        }
    };
}

/// A function of real numbers by the lanes `V`.
///
/// # Safety
/// As [`each_lanes`].
#[inline(always)]
unsafe fn each_real<V: Lanes, B: Body<N>, T: Float, const N: usize>(args: *const *const u8, out: *mut u8, n: usize) {
    // SAFETY: the caller's contract.
    unsafe {
        if const { B::Short::COUNT == 0 } {
            each_lanes::<V, T, T, N>(
                args,
                out,
                n,
                #[inline(always)]
                |x| if const { B::Short::APART } { V::shared::<B, N>(x) } else { B::eval(x) },
            )
        } else {
            each_staged::<V, T, T, N>(
                args,
                out,
                n,
                B::Short::COUNT,
                #[inline(always)]
                |way, x| {
                    if way == B::Short::COUNT {
                        return (V::shared::<B, N>(x), V::lit(0.0));
                    }
                    let [value, class] = B::Short::value(way, x);
                    (value, class)
                },
            )
        }
    }
}

loops!(Real<B: Body<N>, T: Float; N> = args, out, n =>
    if const { B::Short::TWICE } {
        each_real::<L::Pair, B, T, N>(args, out, n)
    } else {
        each_real::<L::F64, B, T, N>(args, out, n)
    };
    source => print::call(source.add::<N, B>()));
loops!(ComplexLoop<B: ComplexBody<N>, T: Float; N> wide {B::Short::COUNT != 0} = args, out, n =>
    if const { B::Short::COUNT == 0 } {
        each_lanes::<L::F64, Complex<T>, Complex<T>, N>(args, out, n, #[inline(always)] |x| {
            if const { B::Short::APART } { L::F64::shared_complex::<B, N>(x) } else { B::eval(x) }
        })
    } else {
        each_staged::<L::F64, Complex<T>, Complex<T>, N>(args, out, n, B::Short::COUNT, #[inline(always)] |way, x| {
            if way == B::Short::COUNT {
                (L::F64::shared_complex::<B, N>(x), L::F64::lit(0.0))
            } else {
                B::Short::value(way, x)
            }
        })
    };
    source => print::complex(source.add_complex::<N, B>(), "im"));
loops!(ComplexToReal<B: ComplexBody<N>, T: Float; N> wide false = args, out, n =>
    each_lanes::<L::F64, Complex<T>, T, N>(args, out, n, #[inline(always)] |x| B::eval(x).re);
    source => print::complex(source.add_complex::<N, B>(), ""));
loops!(ComplexPredicate<B: ComplexPredicateBody<N>, T: Float; N> = args, out, n =>
    each::<Complex<T>, bool, N>(args, out, n, #[inline(always)] |x| B::eval(array(#[inline(always)] |k| scalar::Complex { re: x[k].re, im: x[k].im })));
    source => print::complex_test(source.add_complex_test(B::NAME, N, T::PRECISION, |z| B::eval(std::array::from_fn(|i| z[i])))));
loops!(Direct<B: ArithBody<N>, T: Float; N> = args, out, n => each::<T, T, N>(args, out, n, #[inline(always)] |x| B::eval(x));
    source => print::call(source.add_arith::<N, B>(T::PRECISION)));
loops!(Predicate<B: PredicateBody<N>, T: Float; N> = args, out, n =>
    each::<T, bool, N>(args, out, n, #[inline(always)] |x| B::eval(x));
    source => print::call(source.add_test(B::NAME, N, T::PRECISION, |x| B::eval(std::array::from_fn(|i| x[i])))));
loops!(Integer<B: IntBody<N>, T: Int; N> = args, out, n => each::<T, T, N>(args, out, n, #[inline(always)] |x| B::eval(x));
    _source => print::call(format!("sa_int_{}", B::NAME)));
loops!(IntegerPredicate<B: IntPredicateBody<N>, T: Int; N> = args, out, n =>
    each::<T, bool, N>(args, out, n, #[inline(always)] |x| B::eval(x));
    _source => print::call(format!("sa_int_{}", B::NAME)));
loops!(Boolean<B: BoolBody<N>; N> = args, out, n => each::<bool, bool, N>(args, out, n, #[inline(always)] |x| B::eval(x));
    _source => print::truth_table::<B, N>());

/// `where`: the choice moves bits, so that one loop per element size serves all dtypes.
struct Select<T>(PhantomData<T>);
impl<T: Element> TileLoop for Select<T> {
    #[inline(always)]
    unsafe fn run<L: Level>(args: *const *const u8, out: *mut u8, n: usize) {
        // SAFETY: the caller's contract for the arguments (bool, T, T).
        unsafe { each_selected::<T>(slice(args, 0, n), slice(args, 1, n), slice(args, 2, n), slice_mut(out, n)) }
    }
    fn print(_: &mut Source, args: &[String], out: &str) -> String {
        format!("{out} = {} ? {} : {};", args[0], args[1], args[2])
    }
}

#[inline(always)]
fn each_selected<T: Copy>(mask: &[bool], a: &[T], b: &[T], out: &mut [MaybeUninit<T>]) {
    let n = out.len();
    let (mask, a, b) = (&mask[..n], &a[..n], &b[..n]);
    for i in 0..n {
        // Both are loaded: a choice of addresses is no vector code.
        let (x, y) = (a[i], b[i]);
        out[i].write(if mask[i] { x } else { y });
    }
}

/// A loop at single precision: the one at double precision between conversions, so that one copy of a body is compiled. `IN`
/// and `OUT` are the parts of an argument and of a result: 2 for complex numbers.
struct Narrow<T, const N: usize, const IN: usize, const OUT: usize>(PhantomData<T>);
impl<T: TileLoop, const N: usize, const IN: usize, const OUT: usize> TileLoop for Narrow<T, N, IN, OUT> {
    const WIDE: bool = T::WIDE;
    /// C converts arguments and results by itself.
    fn print(source: &mut Source, args: &[String], out: &str) -> String {
        T::print(source, args, out)
    }
    #[inline(always)]
    unsafe fn run<L: Level>(args: *const *const u8, out: *mut u8, n: usize) {
        let converted = const { Compiled::new::<Converted<N, IN, OUT>>() };
        // SAFETY: the caller's contract.
        unsafe { converted.call(&(L::entry::<T>(), args, out, n)) }
    }
}

/// The conversions of [`Narrow`], which all functions share: a loop over doubles with its arguments, of single precision.
struct Converted<const N: usize, const IN: usize, const OUT: usize>;
impl<const N: usize, const IN: usize, const OUT: usize> Loop for Converted<N, IN, OUT> {
    type Args = (TileFn, *const *const u8, *mut u8, usize);
    type Output = ();
    #[inline(always)]
    unsafe fn run(&(f, args, out, n): &Self::Args) {
        // Bodies that sort their points want many, cheap ones the innermost cache, and buffers no common address modulo 4096.
        const BLOCK: usize = 1024;
        const GAP: usize = 72;
        let mut wide = [[MaybeUninit::<f64>::uninit(); 2 * BLOCK + GAP]; N];
        let mut result = [MaybeUninit::<f64>::uninit(); 2 * BLOCK];
        // SAFETY: the caller's contract, in blocks; an array of parts is an array of numbers.
        unsafe {
            let out = slice_mut::<f32>(out, n * OUT);
            for start in (0..n).step_by(BLOCK) {
                let m = BLOCK.min(n - start);
                let mut block = [std::ptr::null(); N];
                for k in 0..N {
                    let from = &slice::<f32>(args, k, n * IN)[start * IN..(start + m) * IN];
                    for (to, &x) in wide[k].iter_mut().zip(from) {
                        to.write(x as f64);
                    }
                    block[k] = wide[k].as_ptr().cast();
                }
                f(block.as_ptr(), result.as_mut_ptr().cast(), m);
                for (to, y) in out[start * OUT..(start + m) * OUT].iter_mut().zip(&result) {
                    to.write(y.assume_init() as f32);
                }
            }
        }
    }
}

/// `re + im j`, bit by bit.
struct FromParts<T>(PhantomData<T>);
impl<T: Float> TileLoop for FromParts<T> {
    #[inline(always)]
    unsafe fn run<L: Level>(args: *const *const u8, out: *mut u8, n: usize) {
        // SAFETY: the caller's contract.
        unsafe { each::<T, Complex<T>, 2>(args, out, n, |[re, im]| Complex { re, im }) }
    }
    fn print(_: &mut Source, args: &[String], out: &str) -> String {
        format!("{out}.re = {}; {out}.im = {};", args[0], args[1])
    }
}

impl Kernels {
    /// No kernels yet.
    pub const NONE: Kernels = Kernels { table: [None; DType::ALL.len()] };

    /// The kernel for a compute dtype.
    #[inline]
    pub fn get(&self, dtype: DType) -> Option<&Kernel> {
        self.table[dtype as usize].as_ref()
    }

    /// The same with the AVX2 loops on AVX-512 machines: what derivatives run, a tenth of the library's code less to compile.
    pub const fn narrow(mut self) -> Kernels {
        let mut i = 0;
        while i < DType::ALL.len() {
            if let Some(kernel) = self.table[i] {
                self.table[i] = Some(kernel.narrow());
            }
            i += 1;
        }
        self
    }

    const fn with<T: TileLoop>(mut self, compute: DType, ins: &[DType], out: DType, cost: f32) -> Kernels {
        self.table[compute as usize] = Some(Kernel::new::<T>(ins, out, cost));
        self
    }

    /// A float function: `float64`, and `float32` computed in `float64`, by what suffices for it, and rounded once.
    pub const fn real<B: Body<N>, const N: usize>() -> Kernels {
        Kernels::NONE.with::<Real<B, f64, N>>(DType::F64, &[DType::F64; N], DType::F64, DEAR).with::<Narrow<
            Real<B::Single, f64, N>,
            N,
            1,
            1,
        >>(
            DType::F32,
            &[DType::F32; N],
            DType::F32,
            DEAR,
        )
    }

    /// A complex function: `complex128`, and `complex64` computed in `complex128` and rounded once.
    pub const fn complex<B: ComplexBody<N>, const N: usize>() -> Kernels {
        Kernels::NONE.with_complex::<B, N>()
    }

    /// Adds the complex dtypes.
    pub const fn with_complex<B: ComplexBody<N>, const N: usize>(self) -> Kernels {
        self.with::<ComplexLoop<B, f64, N>>(DType::C128, &[DType::C128; N], DType::C128, 2.0 * DEAR).with::<Narrow<
            ComplexLoop<B, f64, N>,
            N,
            2,
            2,
        >>(
            DType::C64,
            &[DType::C64; N],
            DType::C64,
            2.0 * DEAR,
        )
    }

    /// Adds the complex dtypes with a real result: the real part of what the body returns.
    pub const fn with_complex_to_real<B: ComplexBody<N>, const N: usize>(self) -> Kernels {
        self.with::<ComplexToReal<B, f64, N>>(DType::C128, &[DType::C128; N], DType::F64, DEAR).with::<Narrow<
            ComplexToReal<B, f64, N>,
            N,
            2,
            1,
        >>(
            DType::C64,
            &[DType::C64; N],
            DType::F32,
            DEAR,
        )
    }

    /// Adds a truth value of the complex dtypes.
    pub const fn with_complex_predicate<B: ComplexPredicateBody<N>, const N: usize>(self) -> Kernels {
        self.with::<ComplexPredicate<B, f64, N>>(DType::C128, &[DType::C128; N], DType::Bool, CHEAP)
            .with::<ComplexPredicate<B, f32, N>>(DType::C64, &[DType::C64; N], DType::Bool, CHEAP)
    }

    /// The complex number of a real and an imaginary part, by the dtype of the parts.
    pub const fn from_parts() -> Kernels {
        Kernels::NONE.with::<FromParts<f64>>(DType::F64, &[DType::F64; 2], DType::C128, CHEAP).with::<FromParts<f32>>(
            DType::F32,
            &[DType::F32; 2],
            DType::C64,
            CHEAP,
        )
    }

    /// A comparison, of every dtype.
    pub const fn compare<B>() -> Kernels
    where
        B: PredicateBody<2> + IntPredicateBody<2> + BoolBody<2> + ComplexPredicateBody<2>,
    {
        Kernels::predicate::<B, 2>().with_int_predicate::<B, 2>().with_bool::<B, 2>().with_complex_predicate::<B, 2>()
    }

    /// A basic operator on floats, each in its own precision.
    pub const fn arith<B: ArithBody<N>, const N: usize>() -> Kernels {
        Kernels::NONE
            .with::<Direct<B, f64, N>>(DType::F64, &[DType::F64; N], DType::F64, CHEAP)
            .with::<Direct<B, f32, N>>(DType::F32, &[DType::F32; N], DType::F32, CHEAP)
    }

    /// A truth value of floats.
    pub const fn predicate<B: PredicateBody<N>, const N: usize>() -> Kernels {
        Kernels::NONE
            .with::<Predicate<B, f64, N>>(DType::F64, &[DType::F64; N], DType::Bool, CHEAP)
            .with::<Predicate<B, f32, N>>(DType::F32, &[DType::F32; N], DType::Bool, CHEAP)
    }

    /// A function of all integer dtypes.
    pub const fn int<B: IntBody<N>, const N: usize>() -> Kernels {
        Kernels::NONE.with_int::<B, N>()
    }

    /// Adds the integer dtypes.
    pub const fn with_int<B: IntBody<N>, const N: usize>(self) -> Kernels {
        self.with::<Integer<B, i8, N>>(DType::I8, &[DType::I8; N], DType::I8, CHEAP)
            .with::<Integer<B, i16, N>>(DType::I16, &[DType::I16; N], DType::I16, CHEAP)
            .with::<Integer<B, i32, N>>(DType::I32, &[DType::I32; N], DType::I32, CHEAP)
            .with::<Integer<B, i64, N>>(DType::I64, &[DType::I64; N], DType::I64, CHEAP)
            .with::<Integer<B, u8, N>>(DType::U8, &[DType::U8; N], DType::U8, CHEAP)
            .with::<Integer<B, u16, N>>(DType::U16, &[DType::U16; N], DType::U16, CHEAP)
            .with::<Integer<B, u32, N>>(DType::U32, &[DType::U32; N], DType::U32, CHEAP)
            .with::<Integer<B, u64, N>>(DType::U64, &[DType::U64; N], DType::U64, CHEAP)
    }

    /// Adds a truth value of the integer dtypes.
    pub const fn with_int_predicate<B: IntPredicateBody<N>, const N: usize>(self) -> Kernels {
        self.with::<IntegerPredicate<B, i8, N>>(DType::I8, &[DType::I8; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, i16, N>>(DType::I16, &[DType::I16; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, i32, N>>(DType::I32, &[DType::I32; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, i64, N>>(DType::I64, &[DType::I64; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, u8, N>>(DType::U8, &[DType::U8; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, u16, N>>(DType::U16, &[DType::U16; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, u32, N>>(DType::U32, &[DType::U32; N], DType::Bool, CHEAP)
            .with::<IntegerPredicate<B, u64, N>>(DType::U64, &[DType::U64; N], DType::Bool, CHEAP)
    }

    /// A function of truth values.
    pub const fn bool<B: BoolBody<N>, const N: usize>() -> Kernels {
        Kernels::NONE.with_bool::<B, N>()
    }

    /// Adds the dtype `bool`.
    pub const fn with_bool<B: BoolBody<N>, const N: usize>(self) -> Kernels {
        self.with::<Boolean<B, N>>(DType::Bool, &[DType::Bool; N], DType::Bool, CHEAP)
    }

    /// `where(mask, a, b)` by the dtype of `a` and `b`.
    pub const fn select() -> Kernels {
        let mut k = Kernels::NONE;
        let mut i = 0;
        while i < DType::ALL.len() {
            let d = DType::ALL[i];
            let ins = [DType::Bool, d, d];
            k = match d.size() {
                1 => k.with::<Select<u8>>(d, &ins, d, CHEAP),
                2 => k.with::<Select<u16>>(d, &ins, d, CHEAP),
                4 => k.with::<Select<u32>>(d, &ins, d, CHEAP),
                8 => k.with::<Select<u64>>(d, &ins, d, CHEAP),
                _ => k.with::<Select<Complex<f64>>>(d, &ins, d, CHEAP),
            };
            i += 1;
        }
        k
    }
}
