//! Random variates: the CPU's numbers.

use super::{Device, Grid, address, c, code, launch, transfer};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};
use sciarray_kernels::random::{Dist, Stream, print};

/// Variates of a standard distribution from a place in a stream; parameters broadcast to `shape`.
pub(crate) fn fill(
    device: Device,
    op: &str,
    (dist, stream): (Dist, &Stream),
    dtype: DType,
    shape: &[usize],
    params: &[&Array],
) -> Result<Array> {
    let name = match dist {
        Dist::Uniform => "uniform",
        Dist::Normal => "normal",
        Dist::Exponential => "exponential",
        Dist::Integers => "integers",
        Dist::Gamma => "gamma",
        Dist::Beta => "beta",
        Dist::Poisson => "poisson",
        Dist::Binomial => "binomial",
    };
    let queue = Queue::here(device.number())?;
    let y = Array::empty_on(&queue, op, dtype, shape)?;
    let params: Vec<Array> = params
        .iter()
        .zip(dist.params(dtype))
        .map(|(p, d)| transfer(&ops::cast(&(*p).clone().detach(), d)?, device))
        .collect::<Result<_>>()?;
    let steps: Vec<_> =
        (0..2).map(|k| params.get(k).map_or_else(|| y.strides_for(shape), |p| p.strides_for(shape))).collect();
    let layout = Layout::new(shape, &[&steps[0], &steps[1]]);
    let dims = Layout::dims(&[&layout]);
    let (n, position, key) = (y.size(), stream.position(), stream.key());
    let mut p = Params::new(dims);
    p.address(address(&y));
    for k in 0..2 {
        p.address(params.get(k).map_or(0, address));
    }
    p.address(position as u64).address((position >> 64) as u64);
    p.field(&key[0].to_ne_bytes(), 4).field(&key[1].to_ne_bytes(), 4).int(n as i64).layout(&layout);
    let defines = [("SA_DIST", name), ("SA_T", c(dtype))];
    let key = Key { kernel: "sa_random_fill", parts: [dist as u64, code([dtype]), dims as u64, 0] };
    launch(&queue, key, (File::Random, &defines, &print), Grid::Threads(dist.blocks(n as u64) as usize), &mut p)?;
    Ok(y)
}
