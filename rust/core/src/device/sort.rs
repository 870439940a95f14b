//! Sorting and searching.

use super::{Grid, address, c, launch, lines, no_functions, room};
use crate::array::Array;
use crate::dtype::DType;
use crate::ensure;
use crate::error::Result;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};

/// Elements of a tile: those of `cuda/sort.cu`.
const TILE: usize = 1024;

/// What leaves a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    Values,
    Indices,
}

/// The sorted positions of lines: keys, and where they come from as uint32.
pub(super) struct Sorted {
    pub keys: Array,
    pub order: Array,
}

fn send(queue: &Queue, dtype: DType, kernel: &'static str, dims: usize, grid: Grid, params: &mut Params) -> Result<()> {
    let defines = [("SA_T", c(dtype))];
    let key = Key { kernel, parts: [dtype as u64, dims as u64, 0, 0] };
    launch(queue, key, (File::Sort, &defines, &no_functions), grid, params)
}

struct Lines<'a> {
    queue: &'a Queue,
    x: &'a Array,
    n: usize,
    n_lines: usize,
    exact: bool,
    descending: bool,
    steps: [isize; 2],
    layout: Layout,
}

impl Lines<'_> {
    fn run(&self, out: Option<(&Array, Leaves)>) -> Result<Sorted> {
        let (x, total) = (self.x, self.n * self.n_lines);
        ensure!(total < 1 << 32, Value, "sort: fewer than 2^32 elements can be sorted on a device, got {total}");
        let key = if x.dtype().is_complex() { 24 } else { 8 };
        let mut keys = [room(self.queue, total * key)?, room(self.queue, total * key)?];
        let mut order = [room(self.queue, total * 4)?, room(self.queue, total * 4)?];
        let at = |leaves| out.filter(|o| o.1 == leaves).map_or(0, |o| address(o.0));
        let dims = Layout::dims(&[&self.layout]);
        let launch = |kernel, run: usize, keys: &[Array; 2], order: &[Array; 2], grid| {
            let mut p = Params::new(dims);
            p.address(address(x)).address(address(&keys[0])).address(address(&order[0]));
            p.address(address(&keys[1])).address(address(&order[1])).address(at(Leaves::Values));
            p.address(at(Leaves::Indices)).ints([self.n, self.n_lines, run].map(|v| v as i64));
            p.ints([self.exact as i64, self.descending as i64]).ints(self.steps.map(|s| s as i64));
            p.layout(&self.layout);
            send(self.queue, x.dtype(), kernel, dims, grid, &mut p)
        };
        launch("sa_sort_load", 0, &keys, &order, Grid::Threads(total))?;
        let tiles = self.n.div_ceil(TILE) * self.n_lines;
        launch("sa_sort_tiles", 0, &keys, &order, Grid::Blocks(tiles, [256, 1]))?;
        let mut run = TILE;
        while run < self.n {
            launch("sa_sort_merge", run, &keys, &order, Grid::Threads(total))?;
            keys.reverse();
            order.reverse();
            run *= 2;
        }
        if out.is_some() {
            launch("sa_sort_store", 0, &keys, &order, Grid::Threads(total))?;
        }
        let ([keys, _], [order, _]) = (keys, order);
        Ok(Sorted { keys, order })
    }
}

/// The elements along an axis in order, or the indices of that order.
pub(crate) fn sort(queue: &Queue, x: &Array, axis: usize, descending: bool, leaves: Leaves) -> Result<Array> {
    let dtype = if leaves == Leaves::Values { x.dtype() } else { DType::I64 };
    let y = Array::empty_on(queue, "sort", dtype, x.shape())?;
    if y.size() == 0 {
        return Ok(y);
    }
    let n = x.shape()[axis];
    let (shape, strides) = lines(x.shape(), axis, &[x.strides(), y.strides()]);
    let lines = Lines {
        queue,
        x,
        n,
        n_lines: x.size() / n,
        exact: leaves == Leaves::Values,
        descending,
        steps: [x.strides()[axis], y.strides()[axis]],
        layout: Layout::new(&shape, &[&strides[0], &strides[1]]),
    };
    lines.run(Some((&y, leaves)))?;
    Ok(y)
}

/// Keys, contiguous uint64, in order, and where they come from; equal ones keep theirs.
pub(super) fn sort_keys(queue: &Queue, keys: &Array) -> Result<Sorted> {
    let layout = Layout::new(&[], &[&[], &[]]);
    let n = keys.size();
    Lines { queue, x: keys, n, n_lines: 1, exact: true, descending: false, steps: [1, 1], layout }.run(None)
}

/// Where values belong in a sorted line.
pub(crate) fn searchsorted(queue: &Queue, sorted: &Array, values: &Array, right: bool) -> Result<Array> {
    let y = Array::empty_on(queue, "searchsorted", DType::I64, values.shape())?;
    let layout = Layout::new(values.shape(), &[values.strides()]);
    let dims = Layout::dims(&[&layout]);
    let mut p = Params::new(dims);
    p.address(address(sorted)).address(address(values)).address(0).address(address(&y));
    p.ints([sorted.size() as i64, values.size() as i64, sorted.strides()[0] as i64, 1, right as i64]).layout(&layout);
    send(queue, values.dtype(), "sa_search_all", dims, Grid::Threads(values.size()), &mut p)?;
    Ok(y)
}
