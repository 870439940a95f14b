//! Recursive filters, linear recurrences and convolutions.

use super::{Grid, address, c, code, launch, lines, no_functions, room};
use crate::array::Array;
use crate::error::Result;
use crate::op::Meta;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};

/// Samples of a chunk: those of `cuda/filter.cu`.
const CHUNK: usize = 256;

/// Fewer lines than these leave most of a device idle; long ones are cut then.
const FEW_LINES: usize = 1024;

/// `y[t] = x[t] - sum_k a[k] y[t - k]` along the last axis; coefficients are `(..., 1 or n, order)`.
pub(crate) fn allpole(queue: &Queue, a: &Array, x: &Array, reverse: bool, delayed: bool) -> Result<Array> {
    let y = Array::empty_on(queue, "allpole", x.dtype(), x.shape())?;
    if y.size() == 0 {
        return Ok(y);
    }
    let d = x.ndim() - 1;
    let (n, order) = (x.shape()[d], a.shape()[d + 1]);
    let constant = a.shape()[d] == 1;
    let lines = x.size() / n;
    let chunks = n.div_ceil(CHUNK);
    let by_chunks = constant && (1..CHUNK).contains(&order) && lines < FEW_LINES && n > 16 * CHUNK;
    let size = x.dtype().size();
    let rooms = if by_chunks {
        Some([room(queue, lines * order * CHUNK * size)?, room(queue, lines * chunks * order * size)?])
    } else {
        None
    };
    let layout = Layout::new(&x.shape()[..d], &[&a.strides()[..d], &x.strides()[..d], &y.strides()[..d]]);
    let dims = Layout::dims(&[&layout]);
    let send = |kernel: &'static str, items: usize| {
        let mut p = Params::new(dims);
        p.address(address(a)).address(address(x)).address(address(&y));
        p.ints(
            [if constant { 0 } else { a.strides()[d] }, a.strides()[d + 1], x.strides()[d], y.strides()[d]]
                .map(|s| s as i64),
        );
        p.ints([n as i64, order as i64, reverse as i64, delayed as i64, lines as i64, chunks as i64]);
        for k in 0..2 {
            p.address(rooms.as_ref().map_or(0, |r| address(&r[k])));
        }
        p.layout(&layout);
        let defines = [("SA_T", c(x.dtype()))];
        let key = Key { kernel, parts: [code([x.dtype()]), dims as u64, 0, 0] };
        launch(queue, key, (File::Filter, &defines, &no_functions), Grid::Threads(items), &mut p)
    };
    if !by_chunks {
        send("sa_filter_lines", lines)?;
        return Ok(y);
    }
    send("sa_filter_chunks", lines * chunks)?;
    send("sa_filter_responses", lines * order)?;
    send("sa_filter_states", lines)?;
    send("sa_filter_join", lines * n)?;
    Ok(y)
}

/// `y[i] = b[i] + a[i] y[i - 1]` along an axis; all have one shape.
pub(crate) fn recurrence(queue: &Queue, a: &Array, b: &Array, axis: usize, reverse: bool) -> Result<Array> {
    let y = Array::empty_on(queue, "recurrence", b.dtype(), b.shape())?;
    if y.size() == 0 {
        return Ok(y);
    }
    let n = b.shape()[axis];
    let n_lines = b.size() / n;
    let chunks = n.div_ceil(CHUNK);
    let by_chunks = n_lines < FEW_LINES && n > 16 * CHUNK;
    let rooms = if by_chunks {
        let bytes = n_lines * chunks * b.dtype().size();
        Some([room(queue, bytes)?, room(queue, bytes)?])
    } else {
        None
    };
    let operands = [a, b, &y];
    let (shape, strides) = lines(b.shape(), axis, &operands.map(|x| x.strides()));
    let layout = Layout::new(&shape, &[&strides[0], &strides[1], &strides[2]]);
    let dims = Layout::dims(&[&layout]);
    let send = |kernel: &'static str, items: usize| {
        let mut p = Params::new(dims);
        operands.iter().for_each(|x| {
            p.address(address(x));
        });
        p.ints(operands.map(|x| x.strides()[axis] as i64));
        p.ints([n as i64, reverse as i64, n_lines as i64, chunks as i64]);
        for k in 0..2 {
            p.address(rooms.as_ref().map_or(0, |r| address(&r[k])));
        }
        p.layout(&layout);
        let defines = [("SA_T", c(b.dtype()))];
        let key = Key { kernel, parts: [code([b.dtype()]), dims as u64, 0, 0] };
        launch(queue, key, (File::Filter, &defines, &no_functions), Grid::Threads(items), &mut p)
    };
    if !by_chunks {
        send("sa_recurrence_lines", n_lines)?;
        return Ok(y);
    }
    send("sa_recurrence_chunks", n_lines * chunks)?;
    send("sa_recurrence_states", n_lines)?;
    send("sa_recurrence_show", n_lines * chunks)?;
    Ok(y)
}

/// Results of a tile, and products of a chunk: those of `cuda/fir.cu`.
const TILE: usize = 256;
const PRODUCTS: usize = 8192;

/// Fewer results than these leave most of a device idle; long sums are cut then.
const FEW_RESULTS: usize = 1 << 15;

/// `y[t] = sum_j b[j] x[t + offset - j]` along the last axis, where both have the leading axes of the result.
pub(crate) fn fir(queue: &Queue, b: &Array, x: &Array, offset: isize, out: &Meta) -> Result<Array> {
    let y = Array::empty_on(queue, "fir", out.dtype, &out.shape)?;
    if y.size() == 0 {
        return Ok(y);
    }
    let d = y.ndim() - 1;
    let (taps, n, m) = (b.shape()[d], x.shape()[d], y.shape()[d]);
    let n_lines = y.size() / m;
    let chunks = taps.min(n).div_ceil(PRODUCTS).max(1);
    let by_chunks = taps.min(n) > 4 * TILE && y.size() < FEW_RESULTS;
    let sums = if by_chunks { Some(room(queue, y.size() * chunks * y.dtype().size())?) } else { None };
    let operands = [b, x, &y];
    let [of_b, of_x, of_y] = operands.map(|x| &x.strides()[..d]);
    let layout = Layout::new(&y.shape()[..d], &[of_b, of_x, of_y]);
    let dims = Layout::dims(&[&layout]);
    let send = |kernel: &'static str, grid: Grid| {
        let mut p = Params::new(dims);
        operands.iter().for_each(|x| {
            p.address(address(x));
        });
        p.ints(operands.map(|x| x.strides()[d] as i64));
        p.ints([taps as i64, n as i64, m as i64, offset as i64, n_lines as i64, chunks as i64]);
        p.address(sums.as_ref().map_or(0, address)).layout(&layout);
        let defines = [("SA_T", c(y.dtype()))];
        let key = Key { kernel, parts: [code([y.dtype()]), dims as u64, 0, 0] };
        launch(queue, key, (File::Fir, &defines, &no_functions), grid, &mut p)
    };
    if !by_chunks {
        send("sa_fir_tiles", Grid::Blocks(n_lines * m.div_ceil(TILE), [TILE as u32, 1]))?;
        return Ok(y);
    }
    send("sa_fir_chunks", Grid::Blocks(y.size() * chunks, [TILE as u32, 1]))?;
    send("sa_fir_join", Grid::Threads(y.size()))?;
    Ok(y)
}
