//! Cumulative sums, products and extrema.

use super::reduce::wide;
use super::{Grid, address, c, code, launch, lines, no_functions, room};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::Meta;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::scan::Scan;

/// Elements of a chunk: those of `cuda/scan.cu`.
const CHUNK: usize = 2048;

/// Fewer lines than these leave most of a device idle; long ones are cut then.
const FEW_LINES: usize = 1024;

/// The bytes of the value that does not change others.
fn identity(kind: Scan, dtype: DType) -> Vec<u8> {
    let (max, min) = (kind == Scan::Min, kind == Scan::Max);
    macro_rules! int {
        ($t:ty) => {
            (if max {
                <$t>::MAX
            } else if min {
                <$t>::MIN
            } else {
                (kind == Scan::Prod) as $t
            })
            .to_ne_bytes()
            .to_vec()
        };
    }
    macro_rules! float {
        ($t:ty) => {{
            let one = (kind == Scan::Prod) as u8 as $t;
            (if max {
                <$t>::INFINITY
            } else if min {
                <$t>::NEG_INFINITY
            } else {
                one
            })
            .to_ne_bytes()
            .to_vec()
        }};
    }
    macro_rules! complex {
        ($t:ty) => {{
            let (re, im) = (float!($t), if max || min { float!($t) } else { (0.0 as $t).to_ne_bytes().to_vec() });
            [re, im].concat()
        }};
    }
    match dtype {
        DType::Bool => vec![(max || kind == Scan::Prod) as u8],
        DType::I8 => int!(i8),
        DType::I16 => int!(i16),
        DType::I32 => int!(i32),
        DType::I64 => int!(i64),
        DType::U8 => int!(u8),
        DType::U16 => int!(u16),
        DType::U32 => int!(u32),
        DType::U64 => int!(u64),
        DType::F32 => float!(f32),
        DType::F64 => float!(f64),
        DType::C64 => complex!(f32),
        DType::C128 => complex!(f64),
    }
}

/// Scans along an axis.
pub(crate) fn scan(
    queue: &Queue,
    kind: Scan,
    x: &Array,
    axis: usize,
    (reverse, exclusive): (bool, bool),
    out: &Meta,
) -> Result<Array> {
    let y = Array::empty_on(queue, "scan", out.dtype, &out.shape)?;
    if y.size() == 0 {
        return Ok(y);
    }
    let n = x.shape()[axis];
    let (shape, strides) = lines(x.shape(), axis, &[x.strides(), y.strides()]);
    let layout = Layout::new(&shape, &[&strides[0], &strides[1]]);
    let n_lines = x.size() / n;
    let by_chunks = n > 4 * CHUNK && n_lines < FEW_LINES;
    let chunks = if by_chunks { n.div_ceil(CHUNK) } else { 1 };
    let acc = match kind {
        Scan::Sum | Scan::Prod => wide(out.dtype),
        Scan::Min | Scan::Max => x.dtype(),
    };
    let step = match kind {
        Scan::Sum => "sum",
        Scan::Prod => "prod",
        Scan::Min => "min",
        Scan::Max => "max",
    };
    let totals = if by_chunks { Some(room(queue, n_lines * chunks * acc.size())?) } else { None };
    // A reversed line starts at its last element.
    let turn = if reverse { -1 } else { 1 };
    let start = |a: &Array| {
        let back = if reverse { (n as i64 - 1) * a.strides()[axis] as i64 * a.dtype().size() as i64 } else { 0 };
        address(a).wrapping_add_signed(back)
    };
    let dims = Layout::dims(&[&layout]);
    let part = if out.dtype.is_complex() { out.dtype.size() / 2 } else { out.dtype.size() };
    let send = |kernel: &'static str, grid: Grid| {
        let mut params = Params::new(dims);
        params.address(start(x)).address(start(&y)).address(totals.as_ref().map_or(0, address));
        params.field(&identity(kind, out.dtype), part);
        params.ints([n as i64, n_lines as i64, chunks as i64]);
        params.ints([turn * x.strides()[axis] as i64, turn * y.strides()[axis] as i64, exclusive as i64]);
        params.layout(&layout);
        let defines = [("SA_SCAN", step), ("SA_IN", c(x.dtype())), ("SA_ACC", c(acc)), ("SA_OUT", c(out.dtype))];
        let key = Key { kernel, parts: [kind as u64, code([x.dtype(), out.dtype]), dims as u64, 0] };
        launch(queue, key, (File::Scan, &defines, &no_functions), grid, &mut params)
    };
    if !by_chunks {
        send("sa_scan_lines", Grid::Threads(n_lines))?;
        return Ok(y);
    }
    send("sa_scan_totals", Grid::Blocks(n_lines * chunks, [256, 1]))?;
    send("sa_scan_carries", Grid::Threads(n_lines))?;
    send("sa_scan_show", Grid::Blocks(n_lines * chunks, [256, 1]))?;
    Ok(y)
}
