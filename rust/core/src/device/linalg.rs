//! Products, and factorizations by kernels of our own: the whole batch in one launch.

use super::{Grid, address, c, code, dense, launch, no_functions, room};
use crate::array::{Array, Range};
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{Meta, Outs};
use crate::shape::Shape;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::linalg::Failure;
use smallvec::smallvec;

pub(crate) const LOWER: i64 = 1;
pub(crate) const UNIT: i64 = 2;
pub(crate) const TRANSPOSED: i64 = 4;
pub(crate) const CONJ: i64 = 8;
pub(crate) const IDENTITY: i64 = 16;
pub(crate) const LOGARITHM: i64 = 32;
pub(crate) const SCHUR: i64 = 64;
pub(crate) const PIVOTING: i64 = 128;

/// The most rows and columns that a group of threads holds in shared memory.
pub(super) const LARGEST: usize = 32;

/// The most threads of a block that works on one larger matrix.
const WIDEST: usize = 256;

/// The most threads of these blocks together, about what a device runs at a time; each block has its working memory.
const MOST_THREADS: usize = 1 << 18;

/// The axes before the last `keep` ones become `lead`.
pub(crate) fn spread(x: &Array, lead: &[usize], keep: usize) -> Array {
    let mut shape = Shape::from_slice(lead);
    shape.extend_from_slice(&x.shape()[x.ndim() - keep..]);
    x.broadcasted(&shape)
}

/// Rows and columns exchanged.
pub(crate) fn turned(x: &Array) -> Array {
    let n = x.ndim();
    let axes: Vec<usize> = (0..n - 2).chain([n - 1, n - 2]).collect();
    x.permuted(&axes)
}

pub(crate) fn matmul(queue: &Queue, a: &Array, b: &Array, out: &Meta) -> Result<Array> {
    let y = Array::empty_on(queue, "matmul", out.dtype, &out.shape)?;
    if y.size() == 0 {
        return Ok(y);
    }
    let d = out.shape.len() - 2;
    let lead = &out.shape[..d];
    let (n, k, m) = (out.shape[d], a.shape()[a.ndim() - 1], out.shape[d + 1]);
    // Two tiles a side take no longer than a launch, wherever they are computed; small matrices need no library so.
    if out.dtype.is_inexact() && n.max(k).max(m) > LARGEST && k > 0 {
        dense::multiply(queue, a, b, &y)?;
        return Ok(y);
    }
    let (a, b) = (spread(a, lead, 2), spread(b, lead, 2));
    let layout = Layout::new(lead, &[&a.strides()[..d], &b.strides()[..d], &y.strides()[..d]]);
    let dims = Layout::dims(&[&layout]);
    let items: usize = lead.iter().product();
    let mut p = Params::new(dims);
    p.address(address(&a)).address(address(&b)).address(address(&y)).ints([n, k, m].map(|v| v as i64));
    p.ints([a.strides()[d], a.strides()[d + 1], b.strides()[d], b.strides()[d + 1]].map(|s| s as i64));
    p.int(items as i64).layout(&layout);
    let defines = [("SA_T", c(out.dtype))];
    let key = Key { kernel: "sa_matmul_tiles", parts: [code([out.dtype]), dims as u64, 0, 0] };
    let tiles = items * n.div_ceil(16) * m.div_ceil(16);
    launch(queue, key, (File::Matmul, &defines, &no_functions), Grid::Blocks(tiles, [16, 16]), &mut p)?;
    Ok(y)
}

/// Rows and columns in reverse order.
fn reversed(x: &Array) -> Array {
    let d = x.ndim() - 2;
    let range = |(axis, &n): (usize, &usize)| match n.checked_sub(1) {
        Some(last) if axis >= d => Range { start: last, step: -1, len: n },
        _ => Range::full(n),
    };
    let ranges: Vec<Range> = x.shape().iter().enumerate().map(range).collect();
    x.sliced(&ranges, x.shape())
}

/// L, D and the order of rows of P A P^T = L D L^H, or of L D L^T where `hermitian` is false.
pub(crate) fn ldl(queue: &Queue, a: &Array, lower: bool, hermitian: bool, outs: &[Meta]) -> Result<Outs> {
    let new = |meta: &Meta| Array::empty_on(queue, "ldl", meta.dtype, &meta.shape);
    let (l, d, order) = (new(&outs[0])?, new(&outs[1])?, new(&outs[2])?);
    // In reverse order an upper triangle is a lower one.
    let turn = |x: &Array| if lower { x.clone() } else { reversed(x) };
    let (to_l, to_d) = (turn(&l), turn(&d));
    let flags = if lower { LOWER } else { 0 } | if hermitian { CONJ } else { 0 };
    let a = turn(a);
    let call = Call { x: Some(&to_l), y: Some(&to_d), pivots: Some(&order), flags, ..Call::new("ldl", "sa_ldl", &a) };
    call.send(queue)?;
    Ok(smallvec![l, d, order])
}

/// x of A x = b for matrices with `lower` and `upper` diagonals beside the main one; the failing items.
pub(crate) fn solve_banded(
    queue: &Queue,
    [lower, upper]: [usize; 2],
    ab: &Array,
    b: &Array,
) -> Result<(Array, Vec<Failure>)> {
    let x = Array::empty_on(queue, "solve_banded", b.dtype(), b.shape())?;
    if x.size() == 0 {
        return Ok((x, Vec::new()));
    }
    let d = b.ndim() - 2;
    let (lead, n, columns) = (&b.shape()[..d], b.shape()[d], b.shape()[d + 1]);
    let items: usize = lead.iter().product();
    let band = room(queue, items * n * (2 * lower + upper + 1) * b.dtype().size())?;
    let info = super::zeros(queue, "solve_banded", DType::I64, &[items])?;
    let layout = Layout::new(lead, &[&ab.strides()[..d], &b.strides()[..d], &x.strides()[..d]]);
    let dims = Layout::dims(&[&layout]);
    let mut p = Params::new(dims);
    for a in [ab, b, &x] {
        p.address(address(a)).ints([a.strides()[d] as i64, a.strides()[d + 1] as i64]);
    }
    p.address(address(&band)).address(address(&info));
    p.ints([lower, upper, n, columns, items].map(|v| v as i64)).layout(&layout);
    let defines = [("SA_T", c(b.dtype())), ("SA_G", "1")];
    let key = Key { kernel: "sa_solve_banded", parts: [code([b.dtype()]), dims as u64, 0, 0] };
    launch(queue, key, (File::Banded, &defines, &no_functions), Grid::Blocks(items, [32, 1]), &mut p)?;
    Ok((x, dense::failures(&info)?))
}

/// A call of a kernel of `cuda/linalg.cu`, or another file with its parameters, over the last two axes of its operands, whose other axes are `lead`.
pub(crate) struct Call<'a> {
    pub op: &'a str,
    pub file: File,
    pub kernel: &'static str,
    pub a: &'a Array,
    pub x: Option<&'a Array>,
    pub y: Option<&'a Array>,
    pub values: Option<&'a Array>,
    pub pivots: Option<&'a Array>,
    pub columns: usize,
    pub flags: i64,
}

impl<'a> Call<'a> {
    pub fn new(op: &'a str, kernel: &'static str, a: &'a Array) -> Call<'a> {
        Call { op, file: File::Linalg, kernel, a, x: None, y: None, values: None, pivots: None, columns: 0, flags: 0 }
    }

    /// Sends it. The failing items, for which this waits for the device; none are asked for where they become NaN silently.
    pub fn run(&self, queue: &Queue) -> Result<Vec<Failure>> {
        self.send(queue)?.map_or(Ok(Vec::new()), |info| dense::failures(&info))
    }

    /// Sends it: per item 0, or 1 + the place of the first pivot that fails. None where there are no elements.
    pub fn send(&self, queue: &Queue) -> Result<Option<Array>> {
        let d = self.a.ndim() - 2;
        let (m, n) = (self.a.shape()[d], self.a.shape()[d + 1]);
        let lead = &self.a.shape()[..d];
        let items: usize = lead.iter().product();
        if items == 0 || m == 0 || n == 0 {
            return Ok(None);
        }
        let none = vec![0; d + 2];
        let strides = |x: Option<&Array>| x.map_or(&none[..], |x| x.strides()).to_vec();
        let all = [strides(Some(self.a)), strides(self.x), strides(self.y)];
        let layout = Layout::new(lead, &[&all[0][..d], &all[1][..d], &all[2][..d]]);
        let dims = Layout::dims(&[&layout]);
        let dtype = self.a.dtype();
        // Where no values are asked for, some kernels leave them all the same.
        let spare = match self.values {
            Some(_) => None,
            None => Some(room(queue, items * n * dtype.real().size())?),
        };
        let info = super::zeros(queue, self.op, DType::I64, &[items])?;
        let size = m.max(n);
        let group = size.next_power_of_two().min(WIDEST);
        let (blocks, threads, working) = if size > LARGEST {
            // Two matrices and four numbers per row or column.
            let (blocks, ld) = (items.min(MOST_THREADS / group), n.max(self.columns) + 1);
            (blocks, group, Some(room(queue, blocks * (2 * m * ld + 4 * size) * dtype.size())?))
        } else {
            let threads = if dtype.size() > 8 { 32 } else { 64 };
            (items.div_ceil(threads / group), threads, None)
        };
        let mut p = Params::new(dims);
        for (x, s) in [Some(self.a), self.x, self.y].into_iter().zip(&all) {
            p.address(x.map_or(0, address)).ints([s[d] as i64, s[d + 1] as i64]);
        }
        p.address(self.values.or(spare.as_ref()).map_or(0, address));
        p.address(self.pivots.map_or(0, address)).address(address(&info)).address(working.as_ref().map_or(0, address));
        p.ints([m, n, self.columns, items].map(|v| v as i64)).int(self.flags).layout(&layout);
        let width = group.to_string();
        let defines = [("SA_T", c(dtype)), ("SA_G", &width[..])];
        let key = Key { kernel: self.kernel, parts: [code([dtype]), group as u64, dims as u64, 0] };
        let grid = Grid::Blocks(blocks, [threads as u32, 1]);
        launch(queue, key, (self.file, &defines, &no_functions), grid, &mut p)?;
        Ok(Some(info))
    }
}

/// The order of rows after exchanges `(..., n)`; None where one is not in range.
pub(crate) fn row_order(queue: &Queue, pivots: &Array) -> Result<Option<Array>> {
    let (order, info) = row_order_and_info(queue, pivots)?;
    let is_fine = dense::brought(&info)?
        .is_none_or(|info| info.view().as_slice::<i64>().expect("contiguous int64").iter().all(|&bad| bad == 0));
    Ok(is_fine.then_some(order))
}

/// [`row_order`], and per item whether an exchange is not in range; the order is then one of fewer exchanges.
pub(crate) fn row_order_and_info(queue: &Queue, pivots: &Array) -> Result<(Array, Array)> {
    let order = Array::empty_on(queue, "row_order", DType::I64, pivots.shape())?;
    let n = pivots.shape()[pivots.ndim() - 1];
    let items = pivots.size() / n.max(1);
    let info = super::zeros(queue, "row_order", DType::I64, &[items])?;
    if order.size() == 0 {
        return Ok((order, info));
    }
    let pivots = pivots.contiguous("row_order")?;
    let layout = Layout::new(&[], &[&[], &[], &[]]);
    let dims = Layout::dims(&[&layout]);
    let mut p = Params::new(dims);
    for _ in 0..3 {
        p.address(0).ints([0, 0]);
    }
    p.address(address(&order)).address(address(&pivots)).address(address(&info)).address(0);
    p.ints([n, n, 0, items].map(|v| v as i64)).int(0).layout(&layout);
    let defines = [("SA_T", c(DType::F64)), ("SA_G", "1")];
    let key = Key { kernel: "sa_row_order", parts: [0, 0, dims as u64, 0] };
    launch(queue, key, (File::Linalg, &defines, &no_functions), Grid::Threads(items), &mut p)?;
    Ok((order, info))
}
