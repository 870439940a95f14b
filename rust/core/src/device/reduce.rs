//! Reductions, with the CPU's tree.

use super::{Grid, address, c, code, filled, launch, no_functions, room};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::Meta;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::reduce::Reduce;

/// Elements of a unit, and units that one launch combines: those of `cuda/reduce.cu`.
const UNIT: usize = 64 * 256;
const GROUP: usize = 512;

fn fold(kind: Reduce) -> &'static str {
    match kind {
        Reduce::Sum => "sum",
        Reduce::Prod => "prod",
        Reduce::Min => "min",
        Reduce::Max => "max",
        Reduce::Any => "any",
        Reduce::All => "all",
        Reduce::ArgMin => "argmin",
        Reduce::ArgMax => "argmax",
        Reduce::CountNonzero => "count",
    }
}

/// The dtype that floats are summed in.
pub(super) fn wide(out: DType) -> DType {
    match out {
        DType::F32 => DType::F64,
        DType::C64 => DType::C128,
        d => d,
    }
}

/// Reduces axes; `out` has those that stay.
pub(crate) fn reduce(queue: &Queue, op: &str, kind: Reduce, x: &Array, axes: &[usize], out: &Meta) -> Result<Array> {
    let pick = |of: bool| (0..x.ndim()).filter(move |a| axes.contains(a) == of);
    let shape = |of: bool| pick(of).map(|a| x.shape()[a]).collect::<Vec<usize>>();
    let strides = |of: bool| pick(of).map(|a| x.strides()[a]).collect::<Vec<isize>>();
    let (n, outputs) = (shape(true).iter().product::<usize>(), shape(false).iter().product::<usize>());
    if n == 0 && outputs > 0 {
        return filled(queue, matches!(kind, Reduce::Prod | Reduce::All) as i64, out);
    }
    let y = Array::empty_on(queue, op, out.dtype, &out.shape)?;
    if outputs == 0 {
        return Ok(y);
    }
    let extremum = matches!(kind, Reduce::Min | Reduce::Max | Reduce::ArgMin | Reduce::ArgMax);
    let acc = if extremum { x.dtype() } else { wide(out.dtype) };
    let size = if extremum { 8 + acc.size().max(8) } else { acc.size() };
    let units = n.div_ceil(UNIT);
    let next = units.div_ceil(GROUP);
    let rooms = if units > 1 {
        Some([room(queue, units * outputs * size)?, room(queue, next * outputs * size)?])
    } else {
        None
    };
    let at = |k: usize| rooms.as_ref().map_or(0, |r| address(&r[k]));
    let reduced = Layout::new(&shape(true), &[&strides(true)]);
    let kept = Layout::new(&shape(false), &[&strides(false)]);
    let dims = Layout::dims(&[&reduced, &kept]);
    // Outputs side by side where these are many: a thread then reads what lies beside what its neighbour reads.
    let step = |l: &Layout| l.strides[0].last().map_or(i64::MAX, |s| s.abs());
    let by_rows = outputs * units >= 1 << 13 && (n <= 64 || step(&kept) < step(&reduced));
    let send = |kernel: &'static str, grid: Grid, params: &mut Params| {
        let defines = [("SA_FOLD", fold(kind)), ("SA_IN", c(x.dtype())), ("SA_ACC", c(acc)), ("SA_OUT", c(out.dtype))];
        let key = Key { kernel, parts: [kind as u64, code([x.dtype(), out.dtype]), dims as u64, 0] };
        launch(queue, key, (File::Reduce, &defines, &no_functions), grid, params)
    };
    let mut params = Params::new(dims);
    params.address(address(x)).address(0).address(at(0)).address(address(&y));
    params.ints([n as i64, outputs as i64, units as i64]).layout(&reduced).layout(&kept);
    if by_rows {
        send("sa_reduce_rows", Grid::Threads(outputs * units), &mut params)?;
    } else {
        send("sa_reduce_lines", Grid::Blocks(outputs * units, [256, 1]), &mut params)?;
    }
    let (mut left, mut from) = (units, 0);
    while left > 1 {
        let groups = left.div_ceil(GROUP);
        let mut params = Params::new(dims);
        params.address(at(from)).address(at(1 - from)).address(address(&y)).ints([left as i64, outputs as i64]);
        send("sa_reduce_units", Grid::Blocks(groups * outputs, [256, 1]), &mut params)?;
        (left, from) = (groups, 1 - from);
    }
    Ok(y)
}
