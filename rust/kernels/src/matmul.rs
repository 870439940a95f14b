//! Matrix products of every dtype: `(..., n, k) @ (..., k, m)`, any strides, without copies of the operands.
#![allow(unsafe_code)]

use crate::linalg::batch::Batch;
use crate::linalg::field::{Field, Job, run};
use crate::linalg::mat::Mat;
use crate::pool::{MIN_TASK_NS, parallel_for};
use crate::{DType, Element, View, ViewMut};
use faer::{Accum, Conj, MatMut, MatRef, Par};
use num_complex::Complex;
use std::ops::Range;

/// Products with no dimension above this are computed in registers, without a call per product.
const TINY: usize = 8;

/// Columns that a product of integers accumulates at once.
const PANEL: usize = 64;

/// Rows for which one packed panel of an integer product is used.
const PANEL_ROWS: usize = 128;

/// The sum and product of a matrix product; `or` and `and` for bool, wrapping for integers.
trait Ring: Element {
    fn conj(self) -> Self {
        self
    }
    fn add_mul<const FMA: bool>(self, a: Self, b: Self) -> Self;
}

impl Ring for bool {
    #[inline(always)]
    fn add_mul<const FMA: bool>(self, a: Self, b: Self) -> Self {
        self | (a & b)
    }
}

macro_rules! ring {
    (int $($t:ty),*) => { $(
        impl Ring for $t {
            #[inline(always)]
            fn add_mul<const FMA: bool>(self, a: Self, b: Self) -> Self {
                self.wrapping_add(a.wrapping_mul(b))
            }
        }
    )* };
    (float $($t:ty),*) => { $(
        impl Ring for $t {
            #[inline(always)]
            fn add_mul<const FMA: bool>(self, a: Self, b: Self) -> Self {
                if FMA { a.mul_add(b, self) } else { self + a * b }
            }
        }
        impl Ring for Complex<$t> {
            #[inline(always)]
            fn conj(self) -> Self {
                Complex::conj(&self)
            }
            #[inline(always)]
            fn add_mul<const FMA: bool>(self, a: Self, b: Self) -> Self {
                Complex {
                    re: self.re.add_mul::<FMA>(a.re, b.re).add_mul::<FMA>(-a.im, b.im),
                    im: self.im.add_mul::<FMA>(a.re, b.im).add_mul::<FMA>(a.im, b.re),
                }
            }
        }
    )* };
}
ring!(int i8, i16, i32, i64, u8, u16, u32, u64);
ring!(float f32, f64);

/// Operands of one dtype, split into the matrices and their leading axes.
struct Product<T> {
    a: Mat<T>,
    b: Mat<T>,
    dst: Mat<T>,
    conj_a: bool,
    conj_b: bool,
    batch: Batch<3>,
}

/// `dst = a @ b` over the last two axes; `conj_a` and `conj_b` conjugate complex operands on the way.
///
/// All three have one dtype and the same leading axes (broadcast ones with stride 0), and `dst` overlaps no operand.
pub fn matmul(a: &View, b: &View, dst: &mut ViewMut, conj_a: bool, conj_b: bool) {
    assert!(a.dtype() == dst.dtype() && b.dtype() == dst.dtype());
    let (lead, &[n, m]) = dst.shape().split_last_chunk::<2>().expect("a matrix");
    let (lead_a, &[n_a, k]) = a.shape().split_last_chunk::<2>().expect("a matrix");
    let (lead_b, &[k_b, m_b]) = b.shape().split_last_chunk::<2>().expect("a matrix");
    assert!(lead == lead_a && lead == lead_b && n == n_a && m == m_b && k == k_b);
    macro_rules! typed {
        ($t:ty, $run:ident) => {{
            let product = Product::<$t>::new(a, b, dst, conj_a, conj_b);
            // SAFETY: the views' contracts, and the shapes agree as asserted above.
            unsafe { product.$run() }
        }};
    }
    match dst.dtype() {
        DType::Bool => typed!(bool, discrete),
        DType::I8 => typed!(i8, discrete),
        DType::I16 => typed!(i16, discrete),
        DType::I32 => typed!(i32, discrete),
        DType::I64 => typed!(i64, discrete),
        DType::U8 => typed!(u8, discrete),
        DType::U16 => typed!(u16, discrete),
        DType::U32 => typed!(u32, discrete),
        DType::U64 => typed!(u64, discrete),
        DType::F32 => typed!(f32, inexact),
        DType::F64 => typed!(f64, inexact),
        DType::C64 => typed!(Complex<f32>, inexact),
        DType::C128 => typed!(Complex<f64>, inexact),
    }
}

impl<T: Ring> Product<T> {
    fn new(a: &View, b: &View, dst: &mut ViewMut, conj_a: bool, conj_b: bool) -> Self {
        let (lead, _) = dst.shape().split_last_chunk::<2>().expect("a matrix");
        let d = lead.len();
        let mat = |ptr: *mut u8, shape: &[usize], strides: &[isize]| Mat::<T> {
            ptr: ptr.cast(),
            rows: shape[d],
            cols: shape[d + 1],
            rs: strides[d],
            cs: strides[d + 1],
        };
        Product {
            a: mat(a.ptr().cast_mut(), a.shape(), a.strides()),
            b: mat(b.ptr().cast_mut(), b.shape(), b.strides()),
            dst: mat(dst.ptr(), dst.shape(), dst.strides()),
            conj_a,
            conj_b,
            batch: Batch::new(lead, [&a.strides()[..d], &b.strides()[..d], &dst.strides()[..d]]),
        }
    }

    fn is_tiny(&self) -> bool {
        self.dst.rows <= TINY && self.dst.cols <= TINY && self.a.cols <= TINY
    }

    /// Multiplications of one product.
    fn work(&self) -> f64 {
        self.dst.rows as f64 * self.dst.cols as f64 * self.a.cols as f64
    }

    /// # Safety
    /// The operands are readable, `dst` is writable, and none is in use elsewhere.
    unsafe fn tiny(&self) {
        let min = (MIN_TASK_NS / (4.0 + 0.2 * self.work())) as usize;
        parallel_for(self.batch.len(), min, |range| run(Tiny { product: self, range }));
    }

    /// # Safety
    /// As [`Product::tiny`].
    unsafe fn discrete(&self) {
        if self.is_tiny() {
            // SAFETY: the caller's contract.
            return unsafe { self.tiny() };
        }
        let row_blocks = self.dst.rows.div_ceil(PANEL_ROWS);
        let blocks = row_blocks * self.dst.cols.div_ceil(PANEL);
        let min = MIN_TASK_NS / (1.0 + 0.2 * self.work() / blocks.max(1) as f64);
        parallel_for(self.batch.len() * blocks, min as usize, |range| {
            run(Panels { product: self, row_blocks, blocks, range })
        });
    }
}

struct Tiny<'a, T> {
    product: &'a Product<T>,
    range: Range<usize>,
}

impl<T: Ring> Job for Tiny<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let p = self.product;
        let mut packed = [[T::default(); TINY]; TINY];
        let mut walk = p.batch.walk(self.range.start);
        for _ in self.range {
            let [a, b, dst] = walk.offsets;
            walk.advance();
            // SAFETY: the batch's offsets lead to matrices inside the views; TINY bounds the dimensions.
            unsafe {
                pack(p.b.offset(b), p.conj_b, &mut packed);
                multiply_panel::<T, TINY, FMA>(p.a.offset(a), p.conj_a, &packed, p.dst.offset(dst));
            }
        }
    }
}

/// A range of the blocks of `PANEL_ROWS` x `PANEL` elements that the products of a batch consist of.
struct Panels<'a, T> {
    product: &'a Product<T>,
    row_blocks: usize,
    blocks: usize,
    range: Range<usize>,
}

impl<T: Ring> Job for Panels<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let p = self.product;
        let mut packed = vec![[T::default(); PANEL]; p.a.cols];
        for block in self.range {
            let (item, block) = (block / self.blocks, block % self.blocks);
            let i = block % self.row_blocks * PANEL_ROWS;
            let j = block / self.row_blocks * PANEL;
            let rows = PANEL_ROWS.min(p.dst.rows - i);
            let cols = PANEL.min(p.dst.cols - j);
            let [a, b, dst] = p.batch.walk(item).offsets;
            // SAFETY: as in `Tiny`, and blocks do not overlap.
            unsafe {
                pack(p.b.offset(b).block(0, j, p.b.rows, cols), p.conj_b, &mut packed);
                let a = p.a.offset(a).block(i, 0, rows, p.a.cols);
                multiply_panel::<T, PANEL, FMA>(a, p.conj_a, &packed, p.dst.offset(dst).block(i, j, rows, cols));
            }
        }
    }
}

/// Copies the at most `W` columns of `b` into rows of `W`.
///
/// # Safety
/// `b` is readable, has at most `W` columns, and `packed` has a row for each of its rows.
#[inline(always)]
unsafe fn pack<T: Ring, const W: usize>(b: Mat<T>, conj: bool, packed: &mut [[T; W]]) {
    for (p, row) in packed[..b.rows].iter_mut().enumerate() {
        for j in 0..b.cols {
            // SAFETY: inside by the loop bounds.
            let x = unsafe { b.get(p, j) };
            row[j] = if conj { x.conj() } else { x };
        }
    }
}

/// `dst = a @ packed`, a row of `W` accumulators at a time; the columns beyond those of `dst` are computed and dropped.
///
/// # Safety
/// `a` is readable, `dst` writable with at most `W` columns, and `packed` has a row for each column of `a`.
#[inline(always)]
unsafe fn multiply_panel<T: Ring, const W: usize, const FMA: bool>(
    a: Mat<T>,
    conj: bool,
    packed: &[[T; W]],
    dst: Mat<T>,
) {
    let packed = &packed[..a.cols];
    for i in 0..dst.rows {
        let mut sum = [T::default(); W];
        for (p, row) in packed.iter().enumerate() {
            // SAFETY: inside by the loop bounds.
            let x = unsafe { a.get(i, p) };
            let x = if conj { x.conj() } else { x };
            for j in 0..W {
                sum[j] = sum[j].add_mul::<FMA>(x, row[j]);
            }
        }
        for j in 0..dst.cols {
            // SAFETY: inside by the loop bounds.
            unsafe { dst.set(i, j, sum[j]) }
        }
    }
}

impl<T: Ring + Field> Product<T> {
    /// # Safety
    /// As [`Product::tiny`].
    unsafe fn inexact(mut self) {
        if self.is_tiny() {
            // SAFETY: the caller's contract.
            return unsafe { self.tiny() };
        }
        self.fold_batch_into_rows();
        let Product { a, b, dst, conj_a, conj_b, ref batch } = self;
        let min = MIN_TASK_NS / (10.0 + 0.05 * self.work());
        parallel_for(batch.len(), (min as usize).max(1), |range| {
            batch.for_each(range, |_, [oa, ob, od]| {
                // SAFETY: the caller's contract; the items of `dst` do not overlap.
                unsafe { gemm(dst.offset(od), false, T::one(), a.offset(oa), conj_a, b.offset(ob), conj_b) }
            });
        });
    }

    /// Many products with one `b` are one product, when the rows of all `a` and of all `dst` follow each other.
    fn fold_batch_into_rows(&mut self) {
        if let Some([sa, 0, sd]) = self.batch.single_axis() {
            let rows = self.dst.rows as isize;
            if self.batch.len() > 1 && sa == self.a.rs * rows && sd == self.dst.rs * rows {
                self.a.rows *= self.batch.len();
                self.dst.rows *= self.batch.len();
                self.batch = Batch::new(&[], [&[], &[], &[]]);
            }
        }
    }
}

/// `dst = alpha a b`, or `dst += alpha a b`; on several threads when it is large.
///
/// The output is computed in blocks that depend on the shapes alone, so that no bit depends on the number of threads.
///
/// # Safety
/// The shapes agree, the operands are readable and `dst` is writable, none in use elsewhere, and `dst` overlaps no operand.
pub(crate) unsafe fn gemm<T: Field>(
    dst: Mat<T>,
    accumulate: bool,
    alpha: T,
    a: Mat<T>,
    conj_a: bool,
    b: Mat<T>,
    conj_b: bool,
) {
    let (n, m, k) = (dst.rows, dst.cols, a.cols);
    debug_assert!(a.rows == n && b.cols == m && b.rows == k);
    let (edge_n, edge_m) = block_shape(n, m, k);
    let (blocks_n, blocks_m) = (n.div_ceil(edge_n), m.div_ceil(edge_m));
    // Matrix-vector products run at memory speed, the others at that of the multipliers.
    let ns_per_step = if n.min(m) < 4 { 0.3 } else { 0.04 } * (size_of::<T>() as f64 / 8.0);
    let ns = ns_per_step * edge_n as f64 * edge_m as f64 * k as f64;
    parallel_for(blocks_n * blocks_m, (MIN_TASK_NS / ns).ceil() as usize, |range| {
        for block in range {
            let (i, j) = (block % blocks_n * edge_n, block / blocks_n * edge_m);
            let (rows, cols) = (edge_n.min(n - i), edge_m.min(m - j));
            // SAFETY: blocks lie inside and do not overlap.
            unsafe {
                let dst = dst.block(i, j, rows, cols);
                gemm_block(dst, accumulate, alpha, a.block(i, 0, rows, k), conj_a, b.block(0, j, k, cols), conj_b);
            }
        }
    });
}

/// Rows and columns of the blocks that a product is computed in.
fn block_shape(n: usize, m: usize, k: usize) -> (usize, usize) {
    let edge = if n.max(m) <= 512 { 128 } else { 256 };
    let steps = if n.min(m) < 4 { 1 << 17 } else { edge * edge * edge };
    let long = |short: usize| (steps / (short * k.max(1))).next_multiple_of(edge).max(edge);
    match (n < edge, m < edge) {
        (true, true) => (n.max(1), m.max(1)),
        (true, false) => (n.max(1), long(n.max(1))),
        (false, true) => (long(m.max(1)), m.max(1)),
        (false, false) => (edge, edge),
    }
}

/// # Safety
/// As [`gemm`].
unsafe fn gemm_block<T: Field>(
    dst: Mat<T>,
    accumulate: bool,
    alpha: T,
    a: Mat<T>,
    conj_a: bool,
    b: Mat<T>,
    conj_b: bool,
) {
    let conj = |yes| if yes { Conj::Yes } else { Conj::No };
    // SAFETY: the caller's contract.
    unsafe {
        if a.cols == 0 {
            if !accumulate {
                dst.fill(T::default());
            }
            return;
        }
        faer::linalg::matmul::matmul_with_conj(
            MatMut::from_raw_parts_mut(dst.ptr, dst.rows, dst.cols, dst.rs, dst.cs),
            if accumulate { Accum::Add } else { Accum::Replace },
            MatRef::from_raw_parts(a.ptr.cast_const(), a.rows, a.cols, a.rs, a.cs),
            conj(conj_a),
            MatRef::from_raw_parts(b.ptr.cast_const(), b.rows, b.cols, b.rs, b.cs),
            conj(conj_b),
            alpha,
            Par::Seq,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::{Owned, SIZES, Value, affordable, bits_on_every_thread_count, random};
    use crate::testing::MOST;

    fn naive<T: Value>(a: &Owned<T>, b: &Owned<T>, conj: [bool; 2]) -> Owned<T> {
        let (lead, &[n, k]) = a.shape.split_last_chunk::<2>().unwrap();
        let m = *b.shape.last().unwrap();
        let mut shape = lead.to_vec();
        shape.extend([n, m]);
        let mut out = Owned::new(&shape);
        for item in 0..lead.iter().product() {
            for i in 0..n {
                for j in 0..m {
                    let terms = (0..k).map(|p| {
                        let (x, y) = (a.get(item, i, p), b.get(item, p, j));
                        (if conj[0] { x.conj() } else { x }).times(if conj[1] { y.conj() } else { y })
                    });
                    out.set(item, i, j, terms.fold(T::default(), T::plus));
                }
            }
        }
        out
    }

    fn check<T: Value>(a: &Owned<T>, b: &Owned<T>, conj: [bool; 2]) {
        let want = naive(a, b, conj);
        for layout in 0..4 {
            let mut got = Owned::<T>::new(&want.shape).laid_out(layout);
            got.fill(T::sample(99));
            matmul(&a.view(), &b.view(), &mut got.view_mut(), conj[0], conj[1]);
            let scale = a.max_abs() * b.max_abs() * a.shape[a.shape.len() - 1] as f64;
            assert!(got.distance(&want) <= 4.0 * T::EPS * scale, "{:?} @ {:?}, {layout}", a.shape, b.shape);
        }
    }

    fn check_dtype<T: Value>(sizes: &[usize]) {
        let sizes: Vec<usize> = affordable(sizes).collect();
        let pick = |i: usize| sizes[i % sizes.len()];
        for (i, &n) in sizes.iter().enumerate() {
            let (k, m) = (pick(i + 3), pick(2 * i + 1));
            for layout in 0..4 {
                let (a, b) =
                    (random::<T>(&[n, k], i).laid_out(layout), random::<T>(&[k, m], i + 1).laid_out(3 - layout));
                check(&a, &b, [false, false]);
                check(
                    &random::<T>(&[3, n, k], i).laid_out(layout),
                    &b.broadcast(3),
                    [layout & 1 == 1, layout & 2 == 2],
                );
            }
            check(&random::<T>(&[n, k], i), &random::<T>(&[k, 1], i), [false, true]);
            check(&random::<T>(&[1, k], i), &random::<T>(&[k, m], i), [true, false]);
        }
    }

    #[test]
    fn equals_the_sum_of_products_in_every_dtype_and_layout() {
        check_dtype::<f64>(&SIZES);
        check_dtype::<Complex<f32>>(&SIZES[..14]);
        check_dtype::<bool>(&SIZES[..18]);
        if !cfg!(miri) {
            check_dtype::<f32>(&SIZES);
            check_dtype::<Complex<f64>>(&SIZES);
            check_dtype::<i64>(&SIZES[..18]);
            check_dtype::<u8>(&SIZES);
            check_dtype::<i16>(&[5, 200, 64, 65]);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too much work for miri")]
    fn blocks_of_a_large_product_cover_it() {
        for [n, k, m] in [[700, 3, 600], [1, 300, 3000], [3000, 300, 1], [130, 1000, 5], [513, 40, 513]] {
            check(&random::<f64>(&[n, k], 1), &random::<f64>(&[k, m], 2), [false, false]);
        }
    }

    #[test]
    fn an_empty_sum_is_zero_and_nan_spreads_along_its_row_alone() {
        for (n, m) in [(3, 2), (40, 50)].into_iter().filter(|s| s.0 <= MOST) {
            let mut got = Owned::<f64>::new(&[n, m]);
            got.fill(7.0);
            let (a, b) = (Owned::<f64>::new(&[n, 0]), Owned::<f64>::new(&[0, m]));
            matmul(&a.view(), &b.view(), &mut got.view_mut(), false, false);
            assert_eq!(got.max_abs(), 0.0);
            let (mut a, b) = (random::<f64>(&[n, 20], 1), random::<f64>(&[20, m], 2));
            a.set(0, 1, 5, f64::NAN);
            matmul(&a.view(), &b.view(), &mut got.view_mut(), false, false);
            assert!((0..n).all(|i| (0..m).all(|j| got.get(0, i, j).is_nan() == (i == 1))));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too much work for miri")]
    fn no_bit_depends_on_the_number_of_threads() {
        for shape in [[1, 300, 300, 300], [500, 3, 3, 3], [40, 33, 65, 17], [1, 20_000, 50, 1], [1, 1, 50, 20_000]] {
            let [items, n, k, m] = shape;
            let (a, b) = (random::<f64>(&[items, n, k], 1), random::<f64>(&[items, k, m], 2));
            bits_on_every_thread_count(|| {
                let mut got = Owned::<f64>::new(&[items, n, m]);
                matmul(&a.view(), &b.view(), &mut got.view_mut(), false, false);
                got.data
            });
        }
    }
}
