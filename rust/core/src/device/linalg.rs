//! Products, and factorizations of small matrices: the whole batch in one launch.

use super::{Grid, address, c, code, launch, no_functions, room};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::fail;
use crate::op::Meta;
use crate::ops::linalg::wants_failures;
use crate::shape::Shape;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::linalg::Failure;

pub(crate) const LOWER: i64 = 1;
pub(crate) const UNIT: i64 = 2;
pub(crate) const TRANSPOSED: i64 = 4;
pub(crate) const CONJ: i64 = 8;
pub(crate) const IDENTITY: i64 = 16;
pub(crate) const LOGARITHM: i64 = 32;
pub(crate) const SCHUR: i64 = 64;
pub(crate) const PIVOTING: i64 = 128;

/// The most rows and columns that a group of threads holds.
const LARGEST: usize = 32;

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
    let (a, b) = (spread(a, lead, 2), spread(b, lead, 2));
    let (n, k, m) = (a.shape()[d], a.shape()[d + 1], b.shape()[d + 1]);
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

/// A call of a kernel of `cuda/linalg.cu`, or another file with its parameters, over the last two axes of its operands, whose other axes are `lead`.
pub(crate) struct Small<'a> {
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

impl<'a> Small<'a> {
    pub fn new(op: &'a str, kernel: &'static str, a: &'a Array) -> Small<'a> {
        Small { op, file: File::Linalg, kernel, a, x: None, y: None, values: None, pivots: None, columns: 0, flags: 0 }
    }

    /// Sends it. The failing items, for which this waits for the device; none are asked for where they become NaN silently.
    pub fn run(&self, queue: &Queue) -> Result<Vec<Failure>> {
        let Some(info) = self.send(queue)?.filter(|_| wants_failures()) else { return Ok(Vec::new()) };
        let info = info.to_cpu()?;
        let info = info.view();
        let places = info.as_slice::<i64>().expect("contiguous int64");
        let failed = places.iter().enumerate().filter(|p| *p.1 > 0);
        Ok(failed.map(|(item, &place)| Failure { item, pivot: place as usize - 1 }).collect())
    }

    /// Sends it: per item 0, or 1 + the place of the first pivot that fails. None where there are no elements.
    pub fn send(&self, queue: &Queue) -> Result<Option<Array>> {
        let d = self.a.ndim() - 2;
        let (m, n) = (self.a.shape()[d], self.a.shape()[d + 1]);
        if m.max(n) > LARGEST {
            fail!(
                NotImplemented,
                "{}: on cuda:{} there are kernels for matrices of up to {LARGEST} rows and columns, got ({m}, {n}); compute on the CPU with x.to(\"cpu\")",
                self.op,
                queue.device()
            );
        }
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
        let mut p = Params::new(dims);
        for (x, s) in [Some(self.a), self.x, self.y].into_iter().zip(&all) {
            p.address(x.map_or(0, address)).ints([s[d] as i64, s[d + 1] as i64]);
        }
        p.address(self.values.or(spare.as_ref()).map_or(0, address));
        p.address(self.pivots.map_or(0, address)).address(address(&info));
        p.ints([m, n, self.columns, items].map(|v| v as i64)).int(self.flags).layout(&layout);
        let group = m.max(n).next_power_of_two();
        let threads = if dtype.size() > 8 { 32 } else { 64 };
        let size = group.to_string();
        let defines = [("SA_T", c(dtype)), ("SA_G", &size[..])];
        let key = Key { kernel: self.kernel, parts: [code([dtype]), group as u64, dims as u64, 0] };
        let blocks = items.div_ceil(threads / group);
        let grid = Grid::Blocks(blocks, [threads as u32, 1]);
        launch(queue, key, (self.file, &defines, &no_functions), grid, &mut p)?;
        Ok(Some(info))
    }
}

/// The order of rows after exchanges `(..., n)`; None where one is not in range.
pub(crate) fn row_order(queue: &Queue, pivots: &Array) -> Result<Option<Array>> {
    let order = Array::empty_on(queue, "row_order", DType::I64, pivots.shape())?;
    if order.size() == 0 {
        return Ok(Some(order));
    }
    let pivots = pivots.contiguous("row_order")?;
    let n = pivots.shape()[pivots.ndim() - 1];
    let items = pivots.size() / n;
    let info = super::zeros(queue, "row_order", DType::I64, &[items])?;
    let layout = Layout::new(&[], &[&[], &[], &[]]);
    let dims = Layout::dims(&[&layout]);
    let mut p = Params::new(dims);
    for _ in 0..3 {
        p.address(0).ints([0, 0]);
    }
    p.address(address(&order)).address(address(&pivots)).address(address(&info));
    p.ints([n, n, 0, items].map(|v| v as i64)).int(0).layout(&layout);
    let defines = [("SA_T", c(DType::F64)), ("SA_G", "1")];
    let key = Key { kernel: "sa_row_order", parts: [0, 0, dims as u64, 0] };
    launch(queue, key, (File::Linalg, &defines, &no_functions), Grid::Threads(items), &mut p)?;
    let info = info.to_cpu()?;
    let is_fine = info.view().as_slice::<i64>().expect("contiguous int64").iter().all(|&bad| bad == 0);
    Ok(is_fine.then_some(order))
}
