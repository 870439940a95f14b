//! The driver against one call per element, over dtypes, strides, sizes, instruction sets and thread counts.
#![allow(unsafe_code)]

use super::basic::*;
use super::convert::{CastTo, conversion};
use super::*;
use crate::copy::copy;
use crate::isa::Isa;
use crate::testing::{MOST, dtypes, size};
use crate::{DType, View, ViewMut, dispatch, pool};
use num_complex::Complex;
use sciarray_scalar::complex::bodies as complex;
use sciarray_scalar::{self as scalar, bodies};

const ADD: Kernels =
    Kernels::arith::<Add, 2>().with_int::<Add, 2>().with_bool::<Add, 2>().with_complex::<complex::Add, 2>();
const LESS: Kernels = Kernels::compare::<Lt>();
const MUL: Kernels = Kernels::arith::<Mul, 2>().with_int::<Mul, 2>().with_complex::<complex::Multiply, 2>();
const SELECT: Kernels = Kernels::select();
const FMOD: Kernels = Kernels::real::<bodies::Fmod, 2>();
const EXP: Kernels = Kernels::real::<bodies::Exp, 1>().with_complex::<complex::Exp, 1>();
const ABS: Kernels = Kernels::arith::<Abs, 1>().with_complex_to_real::<complex::Abs, 1>();
const IMAG: Kernels = Kernels::NONE.with_complex_to_real::<Imag, 1>();
const MULZ: Kernels = Kernels::arith::<StrongZeroMul, 2>().with_complex::<StrongZeroMul, 2>();

/// Sizes around the edges of vectors, tiles and blocks.
const SIZES: [usize; 16] = [0, 1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2048, 5000];

/// A strided array that owns its memory.
#[derive(Clone)]
struct Array {
    bytes: Vec<u128>,
    dtype: DType,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<isize>,
}

impl Array {
    /// An array whose dimensions lie in memory in `order` (outermost first), with gaps of `step` elements along the innermost
    /// one; `flips` has bit `d` set where dimension `d` runs backwards, `broadcast` where it has stride 0.
    fn new(dtype: DType, shape: &[usize], order: &[usize], step: usize, flips: u32, broadcast: u32) -> Array {
        let mut strides = vec![0isize; shape.len()];
        let mut next = step as isize;
        let mut offset = 3;
        for &d in order.iter().rev() {
            if broadcast >> d & 1 == 1 {
                continue;
            }
            strides[d] = next;
            next *= shape[d] as isize;
            if flips >> d & 1 == 1 && shape[d] > 0 {
                offset += (strides[d] * (shape[d] as isize - 1)) as usize;
                strides[d] = -strides[d];
            }
        }
        let elements = next.unsigned_abs() + 4;
        let bytes = vec![0; (elements * dtype.size()).div_ceil(16)];
        Array { bytes, dtype, offset, shape: shape.to_vec(), strides }
    }

    fn contiguous(dtype: DType, shape: &[usize]) -> Array {
        Array::new(dtype, shape, &(0..shape.len()).collect::<Vec<_>>(), 1, 0, 0)
    }

    /// Every element of the memory from a fixed sequence of small and special values.
    fn filled(mut self, seed: u64) -> Array {
        let n = self.bytes.len() * 16 / self.dtype.size();
        dispatch!(self.dtype, T => {
            let p = self.bytes.as_mut_ptr().cast::<T>();
            for i in 0..n {
                let h = (i as u64 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                let x = match h % 17 {
                    0 => 0.0,
                    1 if self.dtype.is_inexact() => f64::NAN,
                    2 if self.dtype.is_inexact() => f64::INFINITY,
                    3 if self.dtype.is_inexact() => -0.0,
                    _ => (h % 251) as f64 / if self.dtype.is_inexact() { 8.0 } else { 1.0 } - 100.0,
                };
                // SAFETY: `bytes` has room for `n` elements.
                unsafe { p.add(i).write(CastTo::<T>::cast(x)) };
            }
        });
        self
    }

    fn ptr(&self) -> *const u8 {
        self.bytes.as_ptr().cast::<u8>().wrapping_add(self.offset * self.dtype.size())
    }

    fn view(&self) -> View<'_> {
        // SAFETY: `new` made room for all indices.
        unsafe { View::new(self.ptr(), self.dtype, &self.shape, &self.strides) }
    }

    fn view_mut(&mut self) -> ViewMut<'_> {
        let ptr = self.bytes.as_mut_ptr().cast::<u8>().wrapping_add(self.offset * self.dtype.size());
        // SAFETY: as above, borrowed uniquely.
        unsafe { ViewMut::new(ptr, self.dtype, &self.shape, &self.strides) }
    }

    fn addresses(&self) -> Vec<*const u8> {
        let n: usize = self.shape.iter().product();
        (0..n)
            .map(|mut flat| {
                let mut at = self.ptr();
                for d in (0..self.shape.len()).rev() {
                    at = at.wrapping_offset(
                        (flat % self.shape[d]) as isize * self.strides[d] * self.dtype.size() as isize,
                    );
                    flat /= self.shape[d];
                }
                at
            })
            .collect()
    }

    /// The elements in C order, as bits with one NaN: which of two NaNs an addition returns is not specified.
    fn values(&self) -> Vec<[u64; 2]> {
        let bits = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        // SAFETY: the addresses of elements.
        let at = |&p: &*const u8| unsafe {
            match self.dtype {
                DType::F32 => [bits(*p.cast::<f32>() as f64), 0],
                DType::F64 => [bits(*p.cast::<f64>()), 0],
                DType::C64 => [bits(*p.cast::<f32>() as f64), bits(*p.cast::<f32>().add(1) as f64)],
                DType::C128 => [bits(*p.cast::<f64>()), bits(*p.cast::<f64>().add(1))],
                d if d.size() == 8 => [*p.cast::<u64>(), 0],
                d if d.size() == 4 => [*p.cast::<u32>() as u64, 0],
                d if d.size() == 2 => [*p.cast::<u16>() as u64, 0],
                _ => [*p as u64, 0],
            }
        };
        self.addresses().iter().map(at).collect()
    }
}

/// One call per element, on the baseline.
fn naive(kernel: &Kernel, ins: &[&Array], out: DType) -> Array {
    let mut result = Array::contiguous(out, &ins[0].shape);
    let to = result.view_mut().ptr();
    let addresses: Vec<_> = ins.iter().map(|a| a.addresses()).collect();
    let n = addresses[0].len();
    let mut cells = [[0u128; 1]; MAX_ARGS];
    for i in 0..n {
        for (k, a) in ins.iter().enumerate() {
            let f = conversion(a.dtype, kernel.ins()[k]).tile_for(Isa::Baseline);
            // SAFETY: one element each, converted to the kernel's dtype.
            unsafe { f(&addresses[k][i], cells[k].as_mut_ptr().cast(), 1) };
        }
        let args: [*const u8; MAX_ARGS] = std::array::from_fn(|k| cells[k].as_ptr().cast());
        let mut value = 0u128;
        // SAFETY: as above.
        unsafe {
            kernel.tile_for(Isa::Baseline)(args.as_ptr(), (&raw mut value).cast(), 1);
            let at = to.wrapping_add(i * out.size());
            conversion(kernel.out(), out).tile_for(Isa::Baseline)(&(&raw const value).cast(), at, 1);
        }
    }
    result
}

fn check(kernel: &Kernel, ins: &[&Array], mut out: Array) {
    let views: Vec<View> = ins.iter().map(|a| a.view()).collect();
    run_one(kernel, &views, &mut out.view_mut());
    let layouts: Vec<_> = ins.iter().map(|a| (&a.shape, &a.strides)).collect();
    assert!(naive(kernel, ins, out.dtype).values() == out.values(), "{layouts:?} to {:?}", out.strides);
}

#[test]
fn contiguous_of_every_dtype_and_size() {
    for n in SIZES.into_iter().filter(|&n| n <= MOST) {
        for &d in dtypes() {
            let (a, b) = (Array::contiguous(d, &[n]).filled(1), Array::contiguous(d, &[n]).filled(2));
            if let Some(k) = ADD.get(d) {
                check(k, &[&a, &b], Array::contiguous(d, &[n]));
            }
            if let Some(k) = LESS.get(d) {
                check(k, &[&a, &b], Array::contiguous(DType::Bool, &[n]));
            }
            if let Some(k) = EXP.get(d) {
                check(k, &[&a], Array::contiguous(d, &[n]));
            }
            let mask = Array::contiguous(DType::Bool, &[n]).filled(3);
            check(SELECT.get(d).unwrap(), &[&mask, &a, &b], Array::contiguous(d, &[n]));
        }
    }
}

#[test]
fn strides_of_every_kind() {
    let shapes: [&[usize]; 9] =
        [&[], &[17], &[1500], &[3, 5], &[33, 65], &[70, 1100], &[5, 33, 40], &[2, 3, 1, 4, 50], &[0, 4]];
    for shape in shapes.into_iter().filter(|s| size(s) <= MOST) {
        let n = shape.len();
        let forward: Vec<usize> = (0..n).collect();
        let backward: Vec<usize> = (0..n).rev().collect();
        let rotated: Vec<usize> = (0..n).map(|d| (d + 1) % n).collect();
        let orders = [&forward, &backward, &rotated];
        let layouts = [(1, 0, 0), (2, 0, 0), (1, 0b11, 0), (3, 0b101, 0), (1, 0, 0b1), (1, 0, 0b10), (1, 0, u32::MAX)];
        for order in orders {
            for (step, flips, broadcast) in layouts {
                let dtypes = [DType::C128, DType::I8, DType::F64, DType::F32, DType::I16];
                for d in dtypes.into_iter().take(if cfg!(miri) { 2 } else { 5 }) {
                    let k = ADD.get(d).unwrap();
                    let a = Array::new(d, shape, order, step, flips, broadcast).filled(5);
                    let b = Array::contiguous(d, shape).filled(6);
                    check(k, &[&a, &b], Array::contiguous(d, shape));
                    check(k, &[&b, &a], Array::new(d, shape, &backward, 1, 0, 0));
                    if broadcast == 0 {
                        check(k, &[&b, &b], Array::new(d, shape, order, step, flips, 0));
                    }
                }
            }
        }
    }
}

#[test]
fn other_dtypes_are_converted_on_load_and_store() {
    let shape = if cfg!(miri) { [3, 4] } else { [40, 70] };
    for &from in dtypes() {
        for &to in dtypes() {
            let a = Array::new(from, &shape, &[1, 0], 1, 0b1, 0).filled(7);
            let b = Array::contiguous(from, &shape).filled(8);
            let k = ADD.get(DType::F64).unwrap();
            check(k, &[&a, &b], Array::contiguous(to, &shape));
            check(k, &[&b, &a], Array::new(to, &shape, &[1, 0], 2, 0, 0));
        }
    }
}

#[test]
fn copies_of_every_dtype_pair() {
    let identity = |from: DType, to: DType| conversion(from, to);
    for &from in dtypes() {
        for &to in dtypes() {
            let shapes = [&[3, 5][..], &[0], &[1], &[1025], &[37, 50], &[3, 33, 20]];
            for shape in shapes.into_iter().take(if cfg!(miri) { 1 } else { shapes.len() }) {
                let n = shape.len();
                let forward: Vec<usize> = (0..n).collect();
                let backward: Vec<usize> = (0..n).rev().collect();
                for (src, dst) in [(&forward, &forward), (&forward, &backward), (&backward, &forward)] {
                    for broadcast in [0, 0b1, u32::MAX] {
                        let a = Array::new(from, shape, src, 1, 0b10, broadcast).filled(9);
                        for step in [1, 2] {
                            let mut out = Array::new(to, shape, dst, step, 0b1, 0);
                            copy(&a.view(), &mut out.view_mut());
                            assert!(naive(identity(from, to), &[&a], to).values() == out.values(), "{from:?} {to:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn out_may_be_an_input() {
    for shape in [&[10][..], &[3, 4], &[5000], &[40, 70], &[300, 400]].into_iter().filter(|s| size(s) <= MOST) {
        for order in [[0, 1], [1, 0]] {
            let order = &order[if shape.len() == 1 { 0..0 } else { 0..2 }];
            let order = if order.is_empty() { &[0] } else { order };
            let k = ADD.get(DType::F64).unwrap();
            let mut a = Array::new(DType::F64, shape, order, 1, 0b1, 0).filled(10);
            let b = Array::contiguous(DType::F64, shape).filled(11);
            let expected = naive(k, &[&a, &b], DType::F64).values();
            let strides = a.strides.clone();
            // SAFETY: the driver permits exactly this overlap.
            let alias = unsafe { View::new(a.ptr(), a.dtype, shape, &strides) };
            run_one(k, &[alias, b.view()], &mut a.view_mut());
            assert!(expected == a.values(), "{shape:?} {order:?}");
        }
    }
}

#[test]
fn programs_equal_their_steps() {
    let (add, mul, less) = (ADD.get(DType::F64).unwrap(), MUL.get(DType::F64).unwrap(), LESS.get(DType::F64).unwrap());
    let select = SELECT.get(DType::F64).unwrap();
    let program = Program::new(
        &[DType::F64, DType::F64],
        &[(add, &[0, 1]), (mul, &[2, 0]), (less, &[3, 1]), (select, &[4, 2, 3]), (add, &[5, 5])],
        &[6, 4, 0, 6],
    );
    for shape in [&[10][..], &[2, 2, 3], &[1025], &[40, 70], &[3, 50, 21]].into_iter().filter(|s| size(s) <= MOST) {
        let backward: Vec<usize> = (0..shape.len()).rev().collect();
        let a = Array::new(DType::I32, shape, &backward, 1, 0b1, 0).filled(12);
        let b = Array::contiguous(DType::F64, shape).filled(13);
        let f64s = |k: &Kernel, ins: &[&Array]| naive(k, ins, k.out());
        let sum = f64s(add, &[&a, &b]);
        let product = f64s(mul, &[&sum, &a]);
        let mask = f64s(less, &[&product, &b]);
        let chosen = f64s(select, &[&mask, &sum, &product]);
        let twice = f64s(add, &[&chosen, &chosen]);
        let mut outs = [
            Array::contiguous(DType::F64, shape),
            Array::new(DType::Bool, shape, &backward, 2, 0, 0),
            Array::contiguous(DType::I32, shape),
            Array::new(DType::F32, shape, &backward, 1, 0b1, 0),
        ];
        let mut views: Vec<ViewMut> = outs.iter_mut().map(Array::view_mut).collect();
        run(&program, &[a.view(), b.view()], &mut views);
        drop(views);
        assert!(outs[0].values() == twice.values());
        assert!(outs[1].values() == mask.values());
        assert!(outs[2].values() == a.values());
        let rounded = naive(conversion(DType::F64, DType::F32), &[&twice], DType::F32);
        assert!(outs[3].values() == rounded.values());
    }
}

#[test]
fn instruction_sets_give_the_same_bits() {
    let n = 1037.min(MOST);
    for &d in dtypes() {
        let args: Vec<Array> = (0..3).map(|s| Array::contiguous(d, &[n]).filled(20 + s)).collect();
        let pointers: Vec<*const u8> = args.iter().map(|a| a.ptr()).collect();
        let kernels = [&ADD, &LESS, &MUL, &FMOD, &EXP, &ABS, &IMAG, &MULZ].map(|k| k.get(d)).into_iter().flatten();
        for k in kernels.chain(dtypes().iter().map(|&to| conversion(d, to))) {
            let results: Vec<_> = Isa::ALL
                .into_iter()
                .filter(|&isa| isa <= Isa::detect())
                .map(|isa| {
                    let mut out = Array::contiguous(k.out(), &[n]);
                    let to = out.view_mut().ptr();
                    // SAFETY: `n` elements each, and the processor has the instructions.
                    unsafe { k.tile_for(isa)(pointers.as_ptr(), to, n) };
                    out.values()
                })
                .collect();
            assert!(results.iter().all(|r| *r == results[0]), "{d:?}");
        }
    }
}

/// `2 x - y`; its short ways find it for half of the points each, and nonsense for the others.
struct Stepwise;
impl scalar::Body<2> for Stepwise {
    const NAME: &'static str = "stepwise";
    type Short = Self;
    type Single = Self;
    fn eval<R: scalar::Real>([x, y]: [R; 2]) -> R {
        x + x - y
    }
}
impl scalar::ShortWays<2> for Stepwise {
    const COUNT: usize = 2;
    fn value<R: scalar::Real>(way: usize, [x, y]: [R; 2]) -> [R; 2] {
        let found = if way == 0 { x.lt(y) } else { x.lt(R::lit(0.25)) };
        let class = (y.abs() * R::lit(1e3)).floor() + R::lit(1.0);
        [R::select(found, x + x - y, R::lit(-1.0)), R::select(found, R::lit(0.0), class)]
    }
}

#[test]
fn short_ways_leave_the_rest_to_the_next() {
    let kernels = Kernels::real::<Stepwise, 2>();
    for n in [1, 7, 64, 65, 1023, 1024, 1025, 3000] {
        let x: Vec<f64> = (0..n).map(|i| (i * 37 % 101) as f64 / 101.0 - 0.5).collect();
        let y: Vec<f64> = (0..n).map(|i| (i * 53 % 89) as f64 / 89.0 - 0.5).collect();
        for isa in Isa::ALL.into_iter().filter(|&isa| isa <= Isa::detect()) {
            let mut out = vec![f64::NAN; n];
            let pointers = [x.as_ptr().cast(), y.as_ptr().cast()];
            // SAFETY: `n` elements each, and the processor has the instructions.
            unsafe { kernels.get(DType::F64).unwrap().tile_for(isa)(pointers.as_ptr(), out.as_mut_ptr().cast(), n) };
            assert!((0..n).all(|i| out[i] == x[i] + x[i] - y[i]), "{isa:?} {n}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn threads_do_not_change_results() {
    let shape = [700, 900];
    let k = ADD.get(DType::F32).unwrap();
    let a = Array::new(DType::F32, &shape, &[1, 0], 1, 0, 0).filled(30);
    let b = Array::contiguous(DType::F32, &shape).filled(31);
    let run_with = |threads| {
        pool::set_num_threads(threads);
        let mut out = Array::contiguous(DType::F32, &shape);
        run_one(k, &[a.view(), b.view()], &mut out.view_mut());
        let mut flat = Array::contiguous(DType::F32, &shape);
        run_one(k, &[b.view(), b.view()], &mut flat.view_mut());
        pool::set_num_threads(0);
        (out.values(), flat.values())
    };
    let one = run_with(1);
    assert!(one == run_with(2) && one == run_with(5));
}

/// What one kernel makes of a few values.
fn apply<S: crate::Element, D: crate::Element, const N: usize>(k: Option<&Kernel>, args: [S; N]) -> D {
    let k = k.unwrap();
    assert_eq!((k.ins(), k.out()), (&[S::DTYPE; N][..], D::DTYPE));
    let pointers: [*const u8; N] = std::array::from_fn(|i| (&raw const args[i]).cast());
    let mut out = D::default();
    // SAFETY: one element each, of the dtypes asserted.
    unsafe { k.tile()(pointers.as_ptr(), (&raw mut out).cast(), 1) };
    out
}

#[test]
fn integer_division_and_shifts_as_in_numpy() {
    const FLOOR_DIVIDE: Kernels = Kernels::int::<FloorDivide, 2>();
    const REMAINDER: Kernels = Kernels::int::<Remainder, 2>();
    const LEFT: Kernels = Kernels::int::<ShiftLeft, 2>();
    const RIGHT: Kernels = Kernels::int::<ShiftRight, 2>();
    const POWER: Kernels = Kernels::int::<Power, 2>();
    const GCD: Kernels = Kernels::int::<Gcd, 2>();
    const LCM: Kernels = Kernels::int::<Lcm, 2>();
    let i = |k: &Kernels, a: i32, b: i32| apply::<i32, i32, 2>(k.get(DType::I32), [a, b]);
    let u = |k: &Kernels, a: u8, b: u8| apply::<u8, u8, 2>(k.get(DType::U8), [a, b]);
    for a in -20..20 {
        for b in -7..7 {
            let (q, r) = (i(&FLOOR_DIVIDE, a, b), i(&REMAINDER, a, b));
            if b == 0 {
                assert_eq!((q, r), (0, 0));
            } else {
                assert_eq!(q, (a as f64 / b as f64).floor() as i32);
                assert_eq!(r, a - q * b);
            }
        }
    }
    assert_eq!(i(&FLOOR_DIVIDE, i32::MIN, -1), i32::MIN);
    assert_eq!(i(&REMAINDER, i32::MIN, -1), 0);
    assert_eq!((i(&LEFT, 3, 4), i(&LEFT, 3, 32), i(&LEFT, 3, -1)), (48, 0, 0));
    assert_eq!((i(&RIGHT, -64, 4), i(&RIGHT, -64, 99), i(&RIGHT, 64, -1)), (-4, -1, 0));
    assert_eq!((u(&RIGHT, 200, 3), u(&RIGHT, 200, 8), u(&LEFT, 200, 1)), (25, 0, 144));
    assert_eq!((i(&POWER, -3, 5), i(&POWER, 7, 0), u(&POWER, 3, 6)), (-243, 1, 217));
    assert_eq!((i(&GCD, -12, 18), i(&GCD, 0, -5), i(&LCM, 4, -6), i(&LCM, 0, 0)), (6, 5, 12, 0));
}

#[test]
fn float_remainders_as_in_numpy() {
    const FLOOR_DIVIDE: Kernels = Kernels::real::<bodies::FloorDivide, 2>();
    const REMAINDER: Kernels = Kernels::real::<bodies::Remainder, 2>();
    let f = |k: &Kernels, a: f64, b: f64| apply::<f64, f64, 2>(k.get(DType::F64), [a, b]);
    let same = |x: f64, y: f64| (x.is_nan() && y.is_nan()) || x.to_bits() == y.to_bits();
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        3.7,
        -2.5,
        1e300,
        -1e308,
        5e-324,
        2.3e-308,
        1e-300,
        7.0,
        1e16,
        0.3,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        1e-30,
        4503599627370497.0,
    ];
    for a in values {
        for b in values {
            // The operator `%` of floats is the exact `fmod`.
            assert!(same(f(&FMOD, a, b), a % b), "fmod({a}, {b}) = {}", f(&FMOD, a, b));
            let r = f(&REMAINDER, a, b);
            if b != 0.0 && a.is_finite() && b.is_finite() {
                assert!(r == 0.0 || (r < 0.0) == (b < 0.0), "remainder({a}, {b}) = {r}");
                assert!(r.is_sign_negative() == b.is_sign_negative());
            }
        }
    }
    let cases =
        [(7.0, 2.0, 3.0, 1.0), (-7.0, 2.0, -4.0, 1.0), (7.0, -2.0, -4.0, -1.0), (1.0, 0.1, 9.0, 0.09999999999999995)];
    for (a, b, q, r) in cases {
        assert_eq!((f(&FLOOR_DIVIDE, a, b), f(&REMAINDER, a, b)), (q, r));
    }
    assert_eq!(f(&FLOOR_DIVIDE, 1.0, 0.0), f64::INFINITY);
    assert_eq!(f(&FLOOR_DIVIDE, -1.0, f64::INFINITY), -1.0);
    assert_eq!(f(&REMAINDER, -1.0, f64::INFINITY), f64::INFINITY);
    assert!(f(&FLOOR_DIVIDE, f64::INFINITY, 1.0).is_nan());
}

#[test]
fn extrema_signs_and_masks() {
    const MINIMUM: Kernels = Kernels::arith::<Minimum, 2>();
    const FMAX: Kernels = Kernels::arith::<Fmax, 2>();
    const CLIP: Kernels = Kernels::arith::<Clip, 3>();
    const SIGN: Kernels = Kernels::arith::<Sign, 1>();
    const ROUND: Kernels = Kernels::arith::<Round, 1>();
    const SIGNBIT: Kernels = Kernels::predicate::<SignBit, 1>().with_int_predicate::<SignBit, 1>();
    const FINITE: Kernels = Kernels::predicate::<IsFinite, 1>();
    let two = |k: &Kernels, a: f32, b: f32| apply::<f32, f32, 2>(k.get(DType::F32), [a, b]);
    let one = |k: &Kernels, a: f32| apply::<f32, f32, 1>(k.get(DType::F32), [a]);
    let test = |k: &Kernels, a: f32| apply::<f32, bool, 1>(k.get(DType::F32), [a]);
    assert!(two(&MINIMUM, f32::NAN, 1.0).is_nan() && two(&MINIMUM, 1.0, f32::NAN).is_nan());
    assert_eq!((two(&MINIMUM, 2.0, 1.0), two(&FMAX, f32::NAN, 1.0), two(&FMAX, 1.0, f32::NAN)), (1.0, 1.0, 1.0));
    assert_eq!(apply::<f32, f32, 3>(CLIP.get(DType::F32), [9.0, 1.0, 3.0]), 3.0);
    assert!(apply::<f32, f32, 3>(CLIP.get(DType::F32), [f32::NAN, 1.0, 3.0]).is_nan());
    assert_eq!((one(&SIGN, -3.0), one(&SIGN, -0.0).to_bits(), one(&ROUND, 2.5)), (-1.0, 0, 2.0));
    assert_eq!((two(&MULZ, 0.0, f32::NAN), two(&MULZ, -0.0, f32::INFINITY), two(&MULZ, 2.0, 3.0)), (0.0, 0.0, 6.0));
    assert!(test(&SIGNBIT, -0.0) && !test(&SIGNBIT, 1.0) && test(&FINITE, 1.0));
    assert!(!test(&FINITE, f32::NAN) && !test(&FINITE, f32::NEG_INFINITY));
    assert!(apply::<i8, bool, 1>(SIGNBIT.get(DType::I8), [-1]));
}

#[test]
fn complex_numbers_are_ordered_as_in_numpy_and_taken_apart() {
    const LESS_EQUAL: Kernels = Kernels::compare::<Le>();
    const EQUAL: Kernels = Kernels::compare::<Eq>();
    const FROM_PARTS: Kernels = Kernels::from_parts();
    let z = Complex::<f64>::new;
    let test = |k: &Kernels, a, b| apply::<Complex<f64>, bool, 2>(k.get(DType::C128), [a, b]);
    let nan = f64::NAN;
    assert!(test(&LESS, z(1.0, 9.0), z(2.0, 0.0)) && test(&LESS, z(1.0, 1.0), z(1.0, 2.0)));
    assert!(!test(&LESS, z(1.0, 2.0), z(1.0, 2.0)) && test(&LESS_EQUAL, z(1.0, 2.0), z(1.0, 2.0)));
    assert!(!test(&LESS, z(1.0, nan), z(2.0, 0.0)) && !test(&LESS_EQUAL, z(1.0, 0.0), z(2.0, nan)));
    assert!(test(&EQUAL, z(0.0, -0.0), z(-0.0, 0.0)) && !test(&EQUAL, z(1.0, nan), z(1.0, nan)));
    assert_eq!(apply::<f32, Complex<f32>, 2>(FROM_PARTS.get(DType::F32), [1.0, -2.0]), Complex::new(1.0, -2.0));
    assert_eq!(apply::<Complex<f64>, f64, 1>(IMAG.get(DType::C128), [z(1.0, -2.0)]), -2.0);
    assert_eq!(apply::<Complex<f32>, f32, 1>(ABS.get(DType::C64), [Complex::new(3.0, -4.0)]), 5.0);
    assert_eq!(apply::<Complex<f64>, Complex<f64>, 2>(MULZ.get(DType::C128), [z(0.0, 0.0), z(nan, 1.0)]), z(0.0, 0.0));
}

#[test]
fn casts_out_of_range_as_c_on_x86() {
    let big = [f64::NAN, f64::INFINITY, -1e30, 3e9, -3e9, -1.5, 300.7, 1e19, 2f64.powi(63), 2f64.powi(64)];
    let to_i32: [i32; 10] = big.map(|x| x.cast());
    assert_eq!(to_i32, [i32::MIN, i32::MIN, i32::MIN, i32::MIN, i32::MIN, -1, 300, i32::MIN, i32::MIN, i32::MIN]);
    let to_u8: [u8; 10] = big.map(|x| x.cast());
    assert_eq!(to_u8, [0, 0, 0, 0, 0, 255, 44, 0, 0, 0]);
    let to_u32: [u32; 10] = big.map(|x| x.cast());
    assert_eq!(to_u32, [0, 0, 0, 3_000_000_000, 1_294_967_296, u32::MAX, 300, 0, 0, 0]);
    let to_u64: [u64; 10] = big.map(|x| x.cast());
    let top = 1 << 63;
    assert_eq!(to_u64[..4], [top, 0, top, 3_000_000_000]);
    assert_eq!(to_u64[5..], [u64::MAX, 300, 10_000_000_000_000_000_000, top, 0]);
}
