//! Recursive filters.

use super::{Grid, address, c, code, launch, no_functions, room};
use crate::array::Array;
use crate::error::Result;
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
