//! Reading and writing at integer indices.

use super::sort::{Leaves, sort, sort_keys};
use super::{Grid, address, c, code, launch, no_functions, zeros};
use crate::Scalar;
use crate::array::{Array, Range};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::op::{Meta, Op};
use crate::ops::elementwise as rows;
use crate::ops::gather::Scatter;
use crate::ops::structural::Cast;
use crate::shape::Axes;
use sciarray_cuda::text::File;
use sciarray_cuda::{Key, Layout, Params, Queue};

fn send(
    queue: &Queue,
    kernel: &'static str,
    (dtype, indices, dims): (DType, usize, usize),
    items: usize,
    params: &mut Params,
) -> Result<()> {
    let count = indices.to_string();
    let defines = [("SA_T", c(dtype)), ("SA_INDICES", &count[..])];
    let key = Key { kernel, parts: [code([dtype]), indices as u64, dims as u64, 0] };
    launch(queue, key, (File::Gather, &defines, &no_functions), Grid::Threads(items), params)
}

/// The first index, in C order, that is out of range for an axis of length `n`. This waits for the device: nothing else could
/// tell the caller in time, and a read outside of the array would be silent.
fn bad_index(index: &Array, n: usize) -> Result<Option<i64>> {
    if index.size() == 0 {
        return Ok(None);
    }
    let queue = Queue::here(index.device().number())?;
    queue.read(index.buffer())?;
    let bad = Array::empty_on(&queue, "index", DType::U64, &[])?;
    queue.fill(bad.buffer(), 0xff, 8)?;
    let layout = Layout::new(index.shape(), &[index.strides()]);
    let dims = Layout::dims(&[&layout]);
    let mut p = Params::new(dims);
    p.address(address(index)).address(address(&bad)).ints([index.size() as i64, n as i64]).layout(&layout);
    send(&queue, "sa_check_indices", (DType::F64, 1, dims), index.size(), &mut p)?;
    match bad.to_cpu()?.get(0) {
        Scalar::UInt(u64::MAX) => Ok(None),
        Scalar::UInt(at) => {
            let place = index.contiguous("index")?.reshaped("index", &[index.size()])?;
            let one = place.sliced(&[Range { start: at as usize, step: 1, len: 1 }], &[1]);
            match one.to_cpu()?.get(0) {
                Scalar::Int(i) => Ok(Some(i)),
                _ => unreachable!("indices are int64"),
            }
        }
        _ => unreachable!("a position is uint64"),
    }
}

/// What an indexing reads or writes: an array and values, whose axes all operands share. Along axes that are indexed the array
/// has no step, along others the index arrays have none.
struct Places<'a> {
    queue: &'a Queue,
    array: &'a Array,
    values: &'a Array,
    index: &'a [&'a Array],
    axes: Axes,
    layout: Layout,
}

impl<'a> Places<'a> {
    /// Index arrays meet at a common shape, which comes first in the values'.
    fn points(
        queue: &'a Queue,
        array: &'a Array,
        values: &'a Array,
        axes: &[usize],
        index: &'a [&'a Array],
    ) -> Places<'a> {
        let rest: Vec<usize> = (0..array.ndim()).filter(|a| !axes.contains(a)).collect();
        let n = values.ndim() - rest.len();
        let common = &values.shape()[..n];
        let mut steps: Vec<Vec<isize>> = vec![vec![0; n], values.strides().to_vec()];
        steps[0].extend(rest.iter().map(|&a| array.strides()[a]));
        for i in index {
            let mut s = i.strides_for(common).to_vec();
            s.resize(values.ndim(), 0);
            steps.push(s);
        }
        Places::new(queue, array, values, axes, index, &steps)
    }

    /// One index array of the values' shape, for one axis.
    fn along(queue: &'a Queue, array: &'a Array, values: &'a Array, axis: usize, index: &'a [&'a Array]) -> Places<'a> {
        let mut of_array = array.strides().to_vec();
        of_array[axis] = 0;
        let steps = [of_array, values.strides().to_vec(), index[0].strides().to_vec()];
        Places::new(queue, array, values, &[axis], index, &steps)
    }

    fn new(
        queue: &'a Queue,
        array: &'a Array,
        values: &'a Array,
        axes: &[usize],
        index: &'a [&'a Array],
        steps: &[Vec<isize>],
    ) -> Places<'a> {
        let steps: Vec<&[isize]> = steps.iter().map(|s| &s[..]).collect();
        let layout = Layout::new(values.shape(), &steps);
        Places { queue, array, values, index, axes: Axes::from_slice(axes), layout }
    }

    fn params(&self) -> Params {
        let mut p = Params::new(Layout::dims(&[&self.layout]));
        p.address(address(self.array)).address(address(self.values));
        for i in self.index {
            p.address(address(i));
        }
        p.ints(self.axes.iter().map(|&a| self.array.shape()[a] as i64));
        p.ints(self.axes.iter().map(|&a| self.array.strides()[a] as i64));
        p.int(self.values.size() as i64).layout(&self.layout);
        p
    }

    fn send(&self, kernel: &'static str, params: &mut Params) -> Result<()> {
        let what = (self.array.dtype(), self.index.len(), Layout::dims(&[&self.layout]));
        send(self.queue, kernel, what, self.values.size(), params)
    }

    fn read(&self) -> Result<()> {
        self.send("sa_gather_all", &mut self.params())
    }

    /// Values meet the array in C order, whichever thread comes first.
    fn write(&self, kind: Scatter) -> Result<()> {
        if self.values.size() == 0 {
            return Ok(());
        }
        let targets = Array::empty_on(self.queue, "scatter", DType::U64, &[self.values.size()])?;
        self.send("sa_scatter_targets", self.params().address(address(&targets)))?;
        let sorted = sort_keys(self.queue, &targets)?;
        let kernel = if kind == Scatter::Add { "sa_scatter_add" } else { "sa_scatter_set" };
        self.send(kernel, self.params().address(address(&sorted.keys)).address(address(&sorted.order)))
    }
}

/// An index that is out of range, as the number of its array and its value.
fn check(array: &Array, axes: &[usize], index: &[&Array]) -> Result<Option<(usize, i64)>> {
    for (k, (&axis, i)) in axes.iter().zip(index).enumerate() {
        if let Some(bad) = bad_index(i, array.shape()[axis])? {
            return Ok(Some((k, bad)));
        }
    }
    Ok(None)
}

type Bad<'a> = &'a dyn Fn(usize, i64) -> Error;

pub(crate) fn gather(
    queue: &Queue,
    x: &Array,
    axes: &[usize],
    index: &[&Array],
    out: &Meta,
    bad: Bad,
) -> Result<Array> {
    let y = Array::empty_on(queue, "index", x.dtype(), &out.shape)?;
    if let Some((k, value)) = if y.size() > 0 { check(x, axes, index)? } else { None } {
        return Err(bad(k, value));
    }
    Places::points(queue, x, &y, axes, index).read()?;
    Ok(y)
}

pub(crate) fn scatter(
    queue: &Queue,
    kind: Scatter,
    (x, v): (&Array, &Array),
    axes: &[usize],
    index: &[&Array],
    bad: Bad,
) -> Result<Array> {
    let y = super::copy("setitem", x)?;
    if let Some((k, value)) = check(x, axes, index)? {
        return Err(bad(k, value));
    }
    Places::points(queue, &y, v, axes, index).write(kind)?;
    Ok(y)
}

pub(crate) fn take_along_axis(
    queue: &Queue,
    x: &Array,
    axis: usize,
    index: &Array,
    out: &Meta,
    bad: Bad,
) -> Result<Array> {
    let y = Array::empty_on(queue, "take_along_axis", x.dtype(), &out.shape)?;
    if let Some((k, value)) = check(x, &[axis], &[index])? {
        return Err(bad(k, value));
    }
    Places::along(queue, x, &y, axis, &[index]).read()?;
    Ok(y)
}

pub(crate) fn add_along_axis(
    queue: &Queue,
    v: &Array,
    axis: usize,
    index: &Array,
    out: &Meta,
    bad: Bad,
) -> Result<Array> {
    let y = zeros(queue, "add_along_axis", out.dtype, &out.shape)?;
    if let Some((k, value)) = check(&y, &[axis], &[index])? {
        return Err(bad(k, value));
    }
    Places::along(queue, &y, v, axis, &[index]).write(Scatter::Add)?;
    Ok(y)
}

/// Coordinates of the first `count` elements that are not 0, then zeros, an array per axis: positions in a stable order of
/// truth values, true ones first.
pub(crate) fn nonzero(queue: &Queue, mask: &Array, count: usize) -> Result<Vec<Array>> {
    let line = mask.contiguous("nonzero")?.reshaped("nonzero", &[mask.size()])?;
    let truth = Array::empty_on(queue, "nonzero", DType::Bool, line.shape())?;
    super::copy_to(&line, &truth)?;
    let order = sort(queue, &truth, 0, true, Leaves::Indices)?;
    let first = order.sliced(&[Range { start: 0, step: 1, len: count }], &[count]);
    let found = truth_at(queue, &truth, &first)?;
    let row = |row: &'static rows::Elementwise, a: &Array, b: &Array| -> Result<Array> {
        Ok(rows::Row(row).eval_on(queue, &[a, b], &[Meta::new(DType::I64, a.shape())])?.remove(0))
    };
    let mut coordinates = Vec::new();
    let mut step: usize = mask.size();
    for &n in mask.shape() {
        step /= n.max(1);
        let number = |v: usize| super::constant(&Array::scalar(v as i64)?, queue);
        let along = row(&rows::FLOOR_DIVIDE, &first, &number(step.max(1))?)?;
        let place = row(&rows::REMAINDER, &along, &number(n.max(1))?)?;
        coordinates.push(row(&rows::MULTIPLY, &place, &found)?);
    }
    Ok(coordinates)
}

/// 1 where the element at a position is true, as int64.
fn truth_at(queue: &Queue, truth: &Array, at: &Array) -> Result<Array> {
    let y = Array::empty_on(queue, "nonzero", DType::Bool, at.shape())?;
    Places::points(queue, truth, &y, &[0], &[at]).read()?;
    Ok(Cast(DType::I64).eval_on(queue, &[&y], &[])?.remove(0))
}
