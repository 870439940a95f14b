//! Products and factorizations of matrices of more than 32 rows or columns: NVIDIA's libraries do the work, but for QR factors of
//! batches, kernels of `cuda/dense.cu` what stands before and after.
//!
//! The libraries have columns one behind the other, arrays rows; a matrix in one order is its transpose in the other. Matrices
//! whose squares could leave the range are scaled by powers of two, and those that are not finite, which some routines do not
//! survive, are taken out: their results are NaN.

use super::linalg::{CONJ, LARGEST, LOGARITHM, LOWER, spread, turned};
use super::{Grid, address, c, code, launch, no_functions, zeros};
use crate::Scalar;
use crate::array::{Array, Range};
use crate::dtype::DType;
use crate::error::Result;
use crate::op::Meta;
use crate::ops::linalg::wants_failures;
use crate::shape::Shape;
use sciarray_cuda::blas::{self, Blas, Field, Form, Matrices};
use sciarray_cuda::solver::{Factors, Solver};
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::linalg::Failure;
use sciarray_kernels::reduce::Reduce;

// Flags of `cuda/dense.cu`, beside those of `cuda/linalg.h`.
const UPPER: i64 = 256;
const HERMITIAN: i64 = 512;
const DOWN: i64 = 1024;
const UP: i64 = 2048;
const SCATTER: i64 = 4096;
const POSITIVE: i64 = 8192;
const NARROW: i64 = 16384;

/// Up to this size a batch goes to routines that take it whole, in which an item occupies a part of the device; where items are
/// few only those that are smaller yet.
const LARGEST_IN_BATCH: usize = 512;
const LARGEST_OF_FEW: usize = 256;
const FEW: usize = 4;

/// Factors Q and R of as many matrices, up to this size, are found by kernels of our own, of which a block works on a matrix: the
/// library has them one after the other.
const LARGEST_BY_BLOCKS: usize = 128;
const MANY: usize = 16;

/// Whether a matrix goes to the libraries.
pub(crate) fn is_large(x: &Array) -> bool {
    x.size() > 0 && x.shape()[x.ndim() - 2..].iter().any(|&n| n > LARGEST)
}

fn goes_in_batch(items: usize, n: usize) -> bool {
    items > 1 && n <= if items < FEW { LARGEST_OF_FEW } else { LARGEST_IN_BATCH }
}

/// Whether QR factors come of the library.
pub(crate) fn factors_qr(x: &Array) -> bool {
    let (_, items, m, n) = parts(x);
    is_large(x) && (items < MANY || m.max(n) > LARGEST_BY_BLOCKS)
}

pub(super) fn field(dtype: DType) -> Field {
    match dtype {
        DType::F32 => Field::F32,
        DType::F64 => Field::F64,
        DType::C64 => Field::C64,
        DType::C128 => Field::C128,
        _ => unreachable!("the libraries have float and complex numbers"),
    }
}

fn flag(on: bool, flags: i64) -> i64 {
    if on { flags } else { 0 }
}

/// Leading axes, how many items they have, rows and columns.
fn parts(x: &Array) -> (&[usize], usize, usize, usize) {
    let d = x.ndim() - 2;
    (&x.shape()[..d], x.shape()[..d].iter().product(), x.shape()[d], x.shape()[d + 1])
}

/// Columns one behind the other, uninitialized.
fn columns(queue: &Queue, op: &str, dtype: DType, lead: &[usize], [m, n]: [usize; 2]) -> Result<Array> {
    Ok(turned(&Array::empty_on(queue, op, dtype, &[lead, &[n, m]].concat())?))
}

/// The first rows and columns of matrices.
fn corner(x: &Array, [m, n]: [usize; 2]) -> Array {
    let mut shape = Shape::from_slice(x.shape());
    let d = shape.len() - 2;
    (shape[d], shape[d + 1]) = (m, n);
    let ranges: Vec<Range> = shape.iter().map(|&n| Range::full(n)).collect();
    x.sliced(&ranges, &shape)
}

fn send(queue: &Queue, kernel: &'static str, dtype: DType, grid: Grid, params: &mut Params) -> Result<()> {
    let defines = [("SA_T", c(dtype)), ("SA_G", "1")];
    let key = Key { kernel, parts: [code([dtype]), params.dims() as u64, 0, 0] };
    launch(queue, key, (File::Dense, &defines, &no_functions), grid, params)
}

fn matrix(p: &mut Params, x: Option<&Array>) {
    let d = x.map_or(0, |x| x.ndim() - 2);
    let stride = |k: usize| x.map_or(0, |x| x.strides()[d + k] as i64);
    p.address(x.map_or(0, address)).ints([stride(0), stride(1)]);
}

fn layout(lead: &[usize], arrays: &[Option<&Array>]) -> Layout {
    let none = vec![0; lead.len()];
    let strides: Vec<&[isize]> = arrays.iter().map(|x| x.map_or(&none[..], |x| &x.strides()[..lead.len()])).collect();
    Layout::new(lead, &strides)
}

/// Matrices from one layout to another, on the way of which some things happen.
#[derive(Clone, Copy)]
struct Move<'a> {
    /// The identity where there is none.
    from: Option<&'a Array>,
    to: &'a Array,
    scales: Option<&'a Array>,
    info: Option<&'a Array>,
    /// Where rows come from, or with [`SCATTER`] go to.
    order: Option<&'a Array>,
    flags: i64,
}

impl<'a> Move<'a> {
    fn new(from: &'a Array, to: &'a Array) -> Move<'a> {
        Move { from: Some(from), to, scales: None, info: None, order: None, flags: 0 }
    }

    fn send(&self, queue: &Queue) -> Result<()> {
        let (lead, items, m, n) = parts(self.to);
        let layout = layout(lead, &[self.from, Some(self.to)]);
        let mut p = Params::new(Layout::dims(&[&layout]));
        matrix(&mut p, self.from);
        matrix(&mut p, Some(self.to));
        for x in [self.scales, self.info, self.order] {
            p.address(x.map_or(0, address));
        }
        p.ints([m, n, items].map(|v| v as i64)).int(self.flags).layout(&layout);
        send(queue, "sa_move", self.to.dtype(), Grid::Threads(items * m * n), &mut p)
    }
}

/// The power of two below the largest element of each item, of one triangle if the flags say so; NaN for what is not finite.
fn measured(queue: &Queue, op: &str, a: &Array, flags: i64) -> Result<Array> {
    let (lead, items, m, n) = parts(a);
    let scales = Array::empty_on(queue, op, a.dtype().real(), &[items])?;
    let layout = layout(lead, &[Some(a)]);
    let mut p = Params::new(Layout::dims(&[&layout]));
    matrix(&mut p, Some(a));
    p.address(address(&scales)).ints([m, n, items].map(|v| v as i64)).int(flags).layout(&layout);
    send(queue, "sa_measure", a.dtype(), Grid::Blocks(items, [256, 1]), &mut p)?;
    Ok(scales)
}

/// What the kernels of diagonals take.
struct Diagonals<'a> {
    a: &'a Array,
    pivots: Option<&'a Array>,
    products: Option<&'a Array>,
    logarithms: Option<&'a Array>,
    info: Option<&'a Array>,
    flags: i64,
}

impl Diagonals<'_> {
    fn send(&self, queue: &Queue, kernel: &'static str, grid: Grid) -> Result<()> {
        let (lead, items, _, n) = parts(self.a);
        let layout = layout(lead, &[Some(self.a)]);
        let mut p = Params::new(Layout::dims(&[&layout]));
        matrix(&mut p, Some(self.a));
        for x in [self.pivots, self.products, self.logarithms, self.info] {
            p.address(x.map_or(0, address));
        }
        p.ints([n, items].map(|v| v as i64)).int(self.flags).layout(&layout);
        send(queue, kernel, self.a.dtype(), grid, &mut p)
    }
}

/// Puts the first place of a diagonal that fails into `info`, unless a failure is there.
fn check_diagonal(queue: &Queue, a: &Array, info: &Array, flags: i64) -> Result<()> {
    let call = Diagonals { a, pivots: None, products: None, logarithms: None, info: Some(info), flags };
    call.send(queue, "sa_first_failure", Grid::Blocks(parts(a).1, [256, 1]))
}

/// `info` on the CPU, for which this waits for the device; None where all of it is 0, of which a long one is asked before it is
/// brought.
pub(super) fn brought(info: &Array) -> Result<Option<Array>> {
    if info.size() > 1024 {
        let queue = Queue::here(info.device().number())?;
        let meta = Meta { dtype: DType::Bool, shape: Shape::new() };
        let any = super::reduce::reduce(&queue, "any", Reduce::Any, info, &[0], &meta)?.to_cpu()?;
        if any.get(0) == Scalar::Bool(false) {
            return Ok(None);
        }
    }
    info.to_cpu().map(Some)
}

/// The failing items by their `info`; none are asked for where they become NaN silently.
pub(crate) fn failures(info: &Array) -> Result<Vec<Failure>> {
    if !wants_failures() {
        return Ok(Vec::new());
    }
    let Some(info) = brought(info)? else { return Ok(Vec::new()) };
    let failure = |item: usize| match info.get(item) {
        Scalar::Int(place) if place > 0 => Some(Failure { item, pivot: place as usize - 1 }),
        _ => None,
    };
    Ok((0..info.size()).filter_map(failure).collect())
}

/// The addresses of the items of a batch, in the device's memory.
fn addresses(queue: &Queue, x: &Array) -> Result<Array> {
    let (lead, items, ..) = parts(x);
    let table = Array::empty_on(queue, "workspace", DType::U64, &[items])?;
    let layout = layout(lead, &[Some(x)]);
    let mut p = Params::new(Layout::dims(&[&layout]));
    p.address(address(&table)).address(address(x)).ints([x.dtype().size(), items].map(|v| v as i64)).layout(&layout);
    send(queue, "sa_address", x.dtype(), Grid::Threads(items), &mut p)?;
    Ok(table)
}

/// The offset of each item of a batch in elements.
fn offsets(x: &Array) -> impl Iterator<Item = isize> {
    let (lead, items, ..) = parts(x);
    (0..items).map(|item| {
        let mut rest = item;
        lead.iter()
            .zip(x.strides())
            .rev()
            .map(|(&n, &s)| {
                let at = (rest % n) as isize * s;
                rest /= n;
                at
            })
            .sum()
    })
}

/// Matrices as the libraries read them.
struct Stored {
    array: Array,
    ld: usize,
    /// Rows lie one behind the other, which for the libraries is the transpose.
    transposed: bool,
}

impl Stored {
    /// Copied where neither rows nor columns are without gaps.
    fn of(op: &str, x: &Array) -> Result<Stored> {
        let ((_, _, m, n), d) = (parts(x), x.ndim() - 2);
        let fits = |length: usize, steps: usize, inner: isize, outer: isize| {
            ((length == 1 || inner == 1) && (steps == 1 || outer >= length as isize)).then_some(if steps == 1 {
                length
            } else {
                outer as usize
            })
        };
        let (row, column) = (x.strides()[d], x.strides()[d + 1]);
        if let Some(ld) = fits(n, m, column, row) {
            return Ok(Stored { array: x.clone(), ld, transposed: true });
        }
        if let Some(ld) = fits(m, n, row, column) {
            return Ok(Stored { array: x.clone(), ld, transposed: false });
        }
        Ok(Stored { array: x.copy(op)?, ld: n, transposed: true })
    }

    /// What a product takes of it, as its own transpose.
    fn form(&self) -> Form {
        if self.transposed { Form::Plain } else { Form::Transposed }
    }
}

/// y = a b with leading axes that broadcast to those of `y`, which is contiguous.
pub(super) fn multiply(queue: &Queue, a: &Array, b: &Array, y: &Array) -> Result<()> {
    let (lead, _, n, m) = parts(y);
    let k = a.shape()[a.ndim() - 1];
    let [sa, sb] = [Stored::of("matmul", a)?, Stored::of("matmul", b)?];
    let (a, b) = (spread(&sa.array, lead, 2), spread(&sb.array, lead, 2));
    let layout = layout(lead, &[Some(&a), Some(&b), Some(y)]);
    // One batch per index of all dimensions but the longest.
    let longest = (0..layout.sizes.len()).max_by_key(|&d| layout.sizes[d]);
    let size = |d: usize| layout.sizes[d] as usize;
    let mut items = longest.map_or(1, size);
    let steps: Vec<i64> = layout.strides.iter().map(|s| longest.map_or(0, |d| s[d])).collect();
    let mut rows = n;
    // Rows of all items, where they follow each other and meet the same matrix.
    if sa.transposed && steps[1] == 0 && steps[0] == (n * sa.ld) as i64 && steps[2] == (n * m) as i64 {
        (rows, items) = (n * items, 1);
    }
    let others: Vec<usize> = (0..layout.sizes.len()).filter(|&d| Some(d) != longest).collect();
    let calls: usize = others.iter().map(|&d| size(d)).product();
    let blas = Blas::of(queue)?;
    for call in 0..calls {
        let mut at = [0i64; 3];
        let mut rest = call;
        for &d in others.iter().rev() {
            let here = (rest % size(d)) as i64;
            rest /= size(d);
            at.iter_mut().zip(&layout.strides).for_each(|(at, s)| *at += here * s[d]);
        }
        let operand = |x: &Array, i: usize, ld: usize| Matrices {
            address: address(x).wrapping_add_signed(at[i] * x.dtype().size() as i64),
            ld: ld as i64,
            step: steps[i],
        };
        let all = (operand(&b, 1, sb.ld), operand(&a, 0, sa.ld), operand(y, 2, m));
        let sizes = [m, rows, k, items].map(|v| v as i64);
        // SAFETY: matrices inside the arrays, whose strides these are; the items of `y` are apart.
        unsafe { blas.multiply(field(y.dtype()), sizes, all, [sb.form(), sa.form()]) }?;
    }
    Ok(())
}

/// Which triangle of a matrix is meant, and how.
#[derive(Clone, Copy)]
pub(crate) struct Triangle {
    pub lower: bool,
    pub unit: bool,
    pub adjoint: bool,
}

impl Triangle {
    /// Whether the libraries, which have no conjugate without a transpose, solve with the conjugate of right-hand sides and
    /// solution.
    fn turns(self, t: &Stored) -> bool {
        self.adjoint && !t.transposed && t.array.dtype().is_complex()
    }

    /// `x`, contiguous, becomes the solution of T x = b, read as x^T T^T = b^T.
    fn solve(self, queue: &Queue, t: &Stored, x: &Array) -> Result<()> {
        let (_, items, n, k) = parts(x);
        let form = match (self.adjoint, t.transposed) {
            (false, true) | (true, false) => Form::Plain,
            (false, false) => Form::Transposed,
            (true, true) => Form::Adjoint,
        };
        let triangle = blas::Triangle { lower: self.lower != t.transposed, unit: self.unit, form };
        let (blas, field) = (Blas::of(queue)?, field(x.dtype()));
        let matrices = |address, ld: usize| Matrices { address, ld: ld as i64, step: 0 };
        let (n, k) = (n as i64, k as i64);
        if goes_in_batch(items, n as usize) {
            let (a, b) = (addresses(queue, &t.array)?, addresses(queue, x)?);
            let (a, b) = (matrices(address(&a), t.ld), matrices(address(&b), k as usize));
            // SAFETY: as many addresses of matrices inside the arrays; those of `x` are apart.
            return Ok(unsafe { blas.solve_batch(field, triangle, [k, n, items as i64], a, b) }?);
        }
        let place = |x: &Array, at: isize| address(x).wrapping_add_signed((at * x.dtype().size() as isize) as i64);
        for (at_t, at_x) in offsets(&t.array).zip(offsets(x)) {
            let (a, b) = (matrices(place(&t.array, at_t), t.ld), matrices(place(x, at_x), k as usize));
            // SAFETY: matrices inside the arrays; those of `x` are apart.
            unsafe { blas.solve(field, triangle, [k, n], a, b) }?;
        }
        Ok(())
    }
}

/// x of T x = b, both with the leading axes of `x`, which is contiguous; `info` per item. Items with a zero on the diagonal become
/// NaN.
pub(crate) fn triangular(
    queue: &Queue,
    op: &str,
    t: &Array,
    b: &Array,
    x: &Array,
    triangle: Triangle,
) -> Result<Array> {
    let info = zeros(queue, op, DType::I32, &[parts(x).1])?;
    if !triangle.unit {
        check_diagonal(queue, t, &info, 0)?;
    }
    let t = Stored::of(op, t)?;
    let flags = flag(triangle.turns(&t), CONJ);
    Move { flags, ..Move::new(b, x) }.send(queue)?;
    triangle.solve(queue, &t, x)?;
    Move { flags, info: Some(&info), ..Move::new(x, x) }.send(queue)?;
    Ok(info)
}

/// Both factors in one matrix, exchanges, and `info`.
pub(crate) fn lu_factor(queue: &Queue, op: &str, a: &Array) -> Result<[Array; 3]> {
    let (lead, items, _, n) = parts(a);
    let lu = columns(queue, op, a.dtype(), lead, [n, n])?;
    Move::new(a, &lu).send(queue)?;
    let info = zeros(queue, op, DType::I32, &[items])?;
    let pivots = Array::empty_on(queue, op, DType::I64, &[lead, &[n]].concat())?;
    let batch = goes_in_batch(items, n);
    // The batched routine has pivots of 32 bits.
    let raw = Array::empty_on(queue, op, if batch { DType::I32 } else { DType::I64 }, pivots.shape())?;
    let field = field(a.dtype());
    if batch {
        let table = addresses(queue, &lu)?;
        let a = Matrices { address: address(&table), ld: n as i64, step: 0 };
        let results = [address(&raw), address(&info)];
        // SAFETY: arrays of this device with as many matrices, pivots and numbers.
        unsafe { Blas::of(queue)?.lu_batch(field, [n, items].map(|v| v as i64), a, results) }?;
    } else {
        let all = [address(&lu), address(&raw), address(&info)];
        // SAFETY: as above.
        unsafe { Solver::of(queue)?.lu(field, n as i64, all, items as u64) }?;
    }
    let mut p = Params::new(Layout::dims(&[]));
    p.address(address(&raw)).address(address(&pivots)).ints([n, items].map(|v| v as i64)).int(flag(batch, NARROW));
    send(queue, "sa_count_from_0", a.dtype(), Grid::Threads(items * n), &mut p)?;
    Ok([lu, pivots, info])
}

/// `x`, contiguous, becomes the solution of A x = b for the factors of A, or of the adjoint system; without `b` the inverse. Items
/// with a zero pivot become NaN.
pub(crate) fn lu_solve(
    queue: &Queue,
    op: &str,
    (lu, pivots): (&Array, &Array),
    b: Option<&Array>,
    x: &Array,
    adjoint: bool,
) -> Result<()> {
    let (order, _) = super::linalg::row_order_and_info(queue, pivots)?;
    let info = zeros(queue, op, DType::I32, &[parts(x).1])?;
    check_diagonal(queue, lu, &info, 0)?;
    let factors = Stored::of(op, lu)?;
    let lower = Triangle { lower: true, unit: true, adjoint };
    let upper = Triangle { lower: false, unit: false, adjoint };
    let (info, order) = (Some(&info), Some(&order));
    let load = Move { from: b, ..Move::new(x, x) };
    if !adjoint {
        Move { order, ..load }.send(queue)?;
        lower.solve(queue, &factors, x)?;
        upper.solve(queue, &factors, x)?;
        return Move { info, ..Move::new(x, x) }.send(queue);
    }
    let flags = flag(upper.turns(&factors), CONJ);
    let y = Array::empty_on(queue, op, x.dtype(), x.shape())?;
    Move { to: &y, flags, ..load }.send(queue)?;
    upper.solve(queue, &factors, &y)?;
    lower.solve(queue, &factors, &y)?;
    Move { info, order, flags: flags | SCATTER, ..Move::new(&y, x) }.send(queue)
}

/// The inverse, and `info`.
pub(crate) fn inv(queue: &Queue, op: &str, a: &Array) -> Result<[Array; 2]> {
    let [lu, pivots, info] = lu_factor(queue, op, a)?;
    let x = Array::empty_on(queue, op, a.dtype(), a.shape())?;
    lu_solve(queue, op, (&lu, &pivots), None, &x, false)?;
    Ok([x, info])
}

/// The determinants; or their signs, and the logarithms of their magnitudes. All are `(...)` and contiguous.
pub(crate) fn determinant(queue: &Queue, op: &str, a: &Array, value: &Array, log: &Array, flags: i64) -> Result<()> {
    let [lu, pivots, _] = lu_factor(queue, op, a)?;
    let logarithms = (flags & LOGARITHM != 0).then_some(log);
    let call = Diagonals { a: &lu, pivots: Some(&pivots), products: Some(value), logarithms, info: None, flags };
    call.send(queue, "sa_product_of_factors", Grid::Threads(parts(a).1))
}

/// The triangular factor of one triangle, and `info`.
pub(crate) fn cholesky(queue: &Queue, op: &str, a: &Array, upper: bool) -> Result<[Array; 2]> {
    let (_, items, _, n) = parts(a);
    let l = Array::empty_on(queue, op, a.dtype(), a.shape())?;
    let triangle = if upper { UPPER } else { LOWER };
    Move { flags: triangle | HERMITIAN, ..Move::new(a, &l) }.send(queue)?;
    let info = zeros(queue, op, DType::I32, &[items])?;
    let (solver, field) = (Solver::of(queue)?, field(a.dtype()));
    // For the library this is A^T = U^H U with U = L^T, in the upper triangle; or with L in the lower one where ours is upper.
    // SAFETY: arrays of this device with as many matrices and numbers.
    unsafe {
        if goes_in_batch(items, n) {
            let table = addresses(queue, &l)?;
            solver.cholesky_batch(field, upper, [n, items].map(|v| v as i64), [address(&table), address(&info)])?;
        } else {
            solver.cholesky(field, upper, n as i64, [address(&l), address(&info)], items as u64)?;
        }
    }
    check_diagonal(queue, &l, &info, POSITIVE)?;
    Move { flags: triangle, info: Some(&info), ..Move::new(&l, &l) }.send(queue)?;
    Ok([l, info])
}

/// Q into `q`, unless there is none, and R into `r`.
pub(crate) fn qr(queue: &Queue, op: &str, a: &Array, q: Option<&Array>, r: &Array) -> Result<()> {
    let (lead, items, m, n) = parts(a);
    let (k, kept) = (m.min(n), r.shape()[r.ndim() - 2]);
    let wide = n.max(kept);
    let scales = measured(queue, op, a, 0)?;
    let work = columns(queue, op, a.dtype(), lead, [m, wide])?;
    let here = corner(&work, [m, n]);
    Move { scales: Some(&scales), flags: DOWN, ..Move::new(a, &here) }.send(queue)?;
    let tau = Array::empty_on(queue, op, a.dtype(), &[items, k])?;
    let info = zeros(queue, op, DType::I32, &[items])?;
    let (solver, field) = (Solver::of(queue)?, field(a.dtype()));
    let step = (m * wide * a.dtype().size()) as u64;
    let all = [address(&work), address(&tau), address(&info)];
    // SAFETY: arrays of this device with as many matrices and numbers.
    unsafe { solver.qr(field, [m as i64, n as i64], all, step, items as u64) }?;
    let triangle = corner(&work, [kept, n]);
    Move { scales: Some(&scales), flags: UPPER | UP, ..Move::new(&triangle, r) }.send(queue)?;
    let Some(q) = q else { return Ok(()) };
    // SAFETY: as above, and room for the columns of Q.
    unsafe { solver.q(field, [m, kept, k].map(|v| v as i32), all, step, items as u64) }?;
    Move { scales: Some(&scales), ..Move::new(&corner(&work, [m, kept]), q) }.send(queue)
}

/// Values `(..., n)` of scaled matrices, back to their size in place.
fn scaled_back(queue: &Queue, values: &Array, scales: &Array, info: &Array) -> Result<()> {
    let n = values.shape()[values.ndim() - 1];
    let row = values.reshaped("values", &[values.size() / n, 1, n])?;
    Move { scales: Some(scales), info: Some(info), flags: UP, ..Move::new(&row, &row) }.send(queue)
}

/// Ascending eigenvalues of a triangle, `(..., n)` and contiguous, and eigenvectors where they are asked for; `info`.
pub(crate) fn eigh(
    queue: &Queue,
    op: &str,
    a: &Array,
    upper: bool,
    values: &Array,
    vectors: Option<&Array>,
) -> Result<Array> {
    let (lead, items, _, n) = parts(a);
    let triangle = if upper { UPPER } else { LOWER };
    let scales = measured(queue, op, a, triangle)?;
    let work = columns(queue, op, a.dtype(), lead, [n, n])?;
    Move { scales: Some(&scales), flags: triangle | HERMITIAN | DOWN, ..Move::new(a, &work) }.send(queue)?;
    let info = zeros(queue, op, DType::I32, &[items])?;
    let all = [address(&work), address(values), address(&info)];
    let kind = (!upper, vectors.is_some());
    // SAFETY: arrays of this device with as many matrices, values and numbers.
    unsafe { Solver::of(queue)?.eigh(field(a.dtype()), kind, n as i64, all, items as u64) }?;
    scaled_back(queue, values, &scales, &info)?;
    if let Some(v) = vectors {
        Move { scales: Some(&scales), info: Some(&info), ..Move::new(&work, v) }.send(queue)?;
    }
    Ok(info)
}

/// Descending singular values of m x n matrices, m >= n, `(..., n)` and contiguous, and U and V^H where they are asked for; `info`.
pub(crate) fn svd(
    queue: &Queue,
    op: &str,
    a: &Array,
    values: &Array,
    factors: Option<&(Array, Array)>,
) -> Result<Array> {
    let (lead, items, m, n) = parts(a);
    let kind = match factors {
        None => Factors::None,
        Some((u, _)) if u.shape()[u.ndim() - 1] > n => Factors::Full,
        Some(_) => Factors::Reduced,
    };
    let scales = measured(queue, op, a, 0)?;
    let work = columns(queue, op, a.dtype(), lead, [m, n])?;
    Move { scales: Some(&scales), flags: DOWN, ..Move::new(a, &work) }.send(queue)?;
    let info = zeros(queue, op, DType::I32, &[items])?;
    let new = |like: &Array| columns(queue, op, a.dtype(), lead, [parts(like).2, parts(like).3]);
    let made = match factors {
        Some((u, vh)) => Some((new(u)?, new(vh)?)),
        None => None,
    };
    let (u, vh) = made.as_ref().map_or((0, 0), |(u, vh)| (address(u), address(vh)));
    let all = [address(&work), address(values), u, vh, address(&info)];
    // SAFETY: arrays of this device with as many matrices, values, factors and numbers.
    unsafe { Solver::of(queue)?.svd(field(a.dtype()), kind, [m as i64, n as i64], all, items as u64) }?;
    scaled_back(queue, values, &scales, &info)?;
    if let (Some((u, vh)), Some((to_u, to_vh))) = (&made, factors) {
        for (from, to) in [(u, to_u), (vh, to_vh)] {
            Move { scales: Some(&scales), info: Some(&info), ..Move::new(from, to) }.send(queue)?;
        }
    }
    Ok(info)
}

/// Complex eigenvalues `(..., n)` and, where they are asked for, eigenvectors, both contiguous; `info`.
pub(crate) fn eig(queue: &Queue, op: &str, a: &Array, values: &Array, vectors: Option<&Array>) -> Result<Array> {
    let (lead, items, _, n) = parts(a);
    let scales = measured(queue, op, a, 0)?;
    let work = columns(queue, op, a.dtype(), lead, [n, n])?;
    Move { scales: Some(&scales), flags: DOWN, ..Move::new(a, &work) }.send(queue)?;
    let info = zeros(queue, op, DType::I32, &[items])?;
    let made = vectors.map(|_| columns(queue, op, a.dtype(), lead, [n, n])).transpose()?;
    let all = [address(&work), address(values), made.as_ref().map_or(0, address), address(&info)];
    // SAFETY: arrays of this device with as many matrices, values, vectors and numbers.
    unsafe { Solver::of(queue)?.eig(field(a.dtype()), n as i64, all, items as u64) }?;
    scaled_back(queue, values, &scales, &info)?;
    let (Some(made), Some(v)) = (&made, vectors) else { return Ok(info) };
    if a.dtype().is_complex() {
        Move { scales: Some(&scales), info: Some(&info), ..Move::new(made, v) }.send(queue)?;
    } else {
        let mut p = Params::new(Layout::dims(&[]));
        for x in [made, values, v, &scales, &info] {
            p.address(address(x));
        }
        p.ints([n, items].map(|v| v as i64));
        send(queue, "sa_pair_up", a.dtype(), Grid::Threads(items * n * n), &mut p)?;
    }
    Ok(info)
}
