//! Elementwise programs: one driver for rows of the op table, the recorder's programs, copies and conversions.

use super::{Grid, Queue, address, code, launch};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::Meta;
use crate::ops::elementwise::{Elementwise, order_of};
use crate::shape::Strides;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params};
use sciarray_kernels::map::Program;
use smallvec::SmallVec;

/// An operand, read or written at a common shape.
struct Operand {
    address: u64,
    strides: Strides,
}

impl Operand {
    fn of(x: &Array, shape: &[usize]) -> Operand {
        Operand { address: address(x), strides: x.strides_for(shape) }
    }
}

/// Sends a program over `shape`; inputs come first, `n_outs` outputs last. `id` tells programs apart, whose text is `print`.
fn run(
    queue: &Queue,
    id: [u64; 2],
    shape: &[usize],
    operands: &[Operand],
    n_outs: usize,
    print: &dyn Fn() -> String,
) -> Result<()> {
    let n: usize = shape.iter().product();
    if n == 0 {
        return Ok(());
    }
    // Elements go in the order in which the result lies in memory.
    let last = &operands[operands.len() - 1].strides;
    let mut axes: SmallVec<[usize; 6]> = (0..shape.len()).collect();
    axes.sort_by_key(|&a| std::cmp::Reverse(last[a].unsigned_abs()));
    let sizes: SmallVec<[usize; 6]> = axes.iter().map(|&a| shape[a]).collect();
    let strides: SmallVec<[SmallVec<[isize; 6]>; 4]> =
        operands.iter().map(|o| axes.iter().map(|&a| o.strides[a]).collect()).collect();
    let views: SmallVec<[&[isize]; 4]> = strides.iter().map(|s| &s[..]).collect();
    let layout = Layout::new(&sizes, &views);
    let ndim = layout.sizes.len();
    let n_ins = operands.len() - n_outs;
    let step = |k: usize| layout.strides[k].first().copied().unwrap_or(1);
    let is_flat = ndim <= 1 && (0..operands.len()).all(|k| step(k) == 1 || (k < n_ins && step(k) == 0));
    let (kernel, map) = match (is_flat, n < 1 << 31) {
        (true, _) => ("sa_map_flat", "1"),
        (false, true) => ("sa_map_strided", "2"),
        (false, false) => ("sa_map_strided_64", "3"),
    };
    let single = (0..n_ins).filter(|&k| step(k) == 0).fold(0, |bits, k| bits | 1 << k);
    let dims = Layout::dims(&[&layout]);
    let mut params = Params::new(dims);
    for o in operands {
        params.address(o.address);
    }
    params.int(n as i64).int(if is_flat { single } else { 0 }).layout(&layout);
    let defines = [("SA_MAP", map)];
    let key = Key { kernel, parts: [id[0], id[1], dims as u64, 0] };
    launch(queue, key, (File::Map, &defines, print), Grid::Threads(n), &mut params)
}

fn allocate(queue: &Queue, op: &str, dtype: DType, shape: &[usize], ins: &[&Array]) -> Result<Array> {
    match order_of(shape, ins.iter().copied()) {
        Some(like) => Array::empty_ordered_on(queue, op, dtype, shape, like),
        None => Array::empty_on(queue, op, dtype, shape),
    }
}

/// A row of the op table.
pub(crate) fn run_row(queue: &Queue, row: &'static Elementwise, ins: &[&Array], out: &Meta) -> Result<Array> {
    let y = allocate(queue, row.name, out.dtype, &out.shape, ins)?;
    let operands: SmallVec<[Operand; 4]> =
        ins.iter().copied().chain([&y]).map(|x| Operand::of(x, &out.shape)).collect();
    let dtypes: SmallVec<[DType; 4]> = ins.iter().map(|x| x.dtype()).collect();
    let id = [std::ptr::from_ref(row) as u64, code(dtypes.iter().copied())];
    // Dtypes were checked when the result's was inferred.
    run(queue, id, &out.shape, &operands, 1, &|| row.print(&dtypes).unwrap_or_default())?;
    Ok(y)
}

/// A program of the recorder over inputs that broadcast to `shape`: one result per dtype of `outs`.
pub(crate) fn run_program(
    id: u64,
    program: &Program,
    ins: &[&Array],
    shape: &[usize],
    outs: &[DType],
) -> Result<Vec<Array>> {
    let device = super::common("replay", ins)?;
    let queue = Queue::here(device.number())?;
    let ins: SmallVec<[Array; 4]> = ins.iter().map(|x| super::transfer(x, device)).collect::<Result<_>>()?;
    for x in &ins {
        queue.read(x.buffer())?;
    }
    let refs: SmallVec<[&Array; 4]> = ins.iter().collect();
    let ys: Vec<Array> = outs.iter().map(|&d| allocate(&queue, "replay", d, shape, &refs)).collect::<Result<_>>()?;
    let operands: SmallVec<[Operand; 6]> = refs.iter().copied().chain(&ys).map(|x| Operand::of(x, shape)).collect();
    let dtypes: SmallVec<[DType; 4]> = ins.iter().map(|x| x.dtype()).collect();
    run(&queue, [0, id], shape, &operands, ys.len(), &|| program.print(&dtypes, outs))?;
    Ok(ys)
}

/// Writes `src` into `dst`, which has its shape and of which the caller is the only holder.
pub(crate) fn copy_to(src: &Array, dst: &Array) -> Result<()> {
    let queue = Queue::here(dst.device().number())?;
    queue.read(src.buffer())?;
    let shape = dst.shape();
    let (from, to) = (src.dtype(), dst.dtype());
    let operands = [Operand::of(src, shape), Operand::of(dst, shape)];
    let print = || Program::new(&[to], &[], &[0]).print(&[from], &[to]);
    run(&queue, [1, code([from, to])], shape, &operands, 1, &print)
}
