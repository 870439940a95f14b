//! NumPy's indexing: basic, integer arrays, boolean masks and mixtures, reading and assigning.

use crate::apply::{apply, apply1};
use crate::array::{Array, Range};
use crate::dtype::DType;
use crate::error::Result;
use crate::grad;
use crate::op::Op;
use crate::ops::gather::{Gather, Nonzero, Scatter, scatter};
use crate::ops::reduce;
use crate::ops::structural::{SetSlice, Slice};
use crate::ops::{self, elementwise as rows};
use crate::record::{self, Read};
use crate::shape::{Axes, Shape, Tuple, broadcast, broadcast2};
use crate::{ensure, fail};
use sciarray_kernels::reduce::Reduce as Fold;
use smallvec::SmallVec;
use std::borrow::Cow;

/// One entry between the brackets.
#[derive(Clone, Debug)]
pub enum Item {
    Int(i64),
    /// As Python's `slice.indices` understands it: bounds beyond the ends stand for the ends.
    Slice {
        start: i64,
        stop: i64,
        step: i64,
    },
    NewAxis,
    Ellipsis,
    /// Integers of any shape.
    Ints(Array),
    /// Truth values over as many axes as the mask has.
    Mask(Array),
}

/// Start, step and length of a Python slice on an axis of length `n`.
fn resolve_slice(n: usize, start: i64, stop: i64, step: i64) -> Result<Range> {
    let n = n as i64;
    ensure!(step != 0, Value, "index: slice step cannot be zero");
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let place = |v: i64| (if v < 0 { v.saturating_add(n) } else { v }).clamp(low, high);
    let (first, last) = (place(start), place(stop));
    let span = if step > 0 { last - first } else { first - last };
    let len = if span <= 0 { 0 } else { ((span - 1) / step.abs() + 1) as usize };
    // A step beyond the axis is never taken, and one that long would not fit a stride.
    let step = step.clamp(-n.max(1), n.max(1)) as isize;
    Ok(Range { start: if len == 0 { 0 } else { first as usize }, step, len })
}

struct Plan {
    /// What basic indexing takes of each axis; whole axes where an index array acts.
    ranges: SmallVec<[Range; 4]>,
    /// The shape after basic indexing: integers drop their axis, `newaxis` adds one.
    shape: Shape,
    /// Axes of that shape that index arrays act on, in order, and the arrays, each in range.
    axes: Axes,
    indices: Vec<Array>,
    /// Where the broadcast axes of the index arrays go in the result.
    position: usize,
}

impl Plan {
    fn is_full(&self, shape: &[usize]) -> bool {
        self.ranges.iter().zip(shape).all(|(r, &n)| *r == Range::full(n))
    }

    fn of(shape: &[usize], items: &[Item]) -> Result<Plan> {
        let advanced = items.iter().any(|i| matches!(i, Item::Ints(_) | Item::Mask(_)));
        let consumed: usize = items
            .iter()
            .map(|i| match i {
                Item::Int(_) | Item::Slice { .. } | Item::Ints(_) => 1,
                Item::Mask(m) => m.ndim(),
                Item::NewAxis | Item::Ellipsis => 0,
            })
            .sum();
        ensure!(
            items.iter().filter(|i| matches!(i, Item::Ellipsis)).count() <= 1,
            Index,
            "index: only one ellipsis is allowed"
        );
        let Some(rest) = shape.len().checked_sub(consumed) else {
            fail!(Index, "index: too many indices, got {consumed} for shape {}", Tuple(shape))
        };
        let mut plan =
            Plan { ranges: SmallVec::new(), shape: Shape::new(), axes: Axes::new(), indices: Vec::new(), position: 0 };
        let mut runs = 0;
        let mut in_run = false;
        let full = |plan: &mut Plan, count: usize| {
            for _ in 0..count {
                let n = shape[plan.ranges.len()];
                plan.ranges.push(Range::full(n));
                plan.shape.push(n);
            }
        };
        let with_ellipsis = items.iter().chain(if items.iter().any(|i| matches!(i, Item::Ellipsis)) {
            None
        } else {
            Some(&Item::Ellipsis)
        });
        for item in with_ellipsis {
            let indexes = advanced && matches!(item, Item::Int(_) | Item::Ints(_) | Item::Mask(_));
            if indexes && !in_run {
                runs += 1;
                if runs == 1 {
                    plan.position = plan.shape.len();
                }
            }
            in_run = indexes;
            let axis = plan.ranges.len();
            match item {
                Item::Ellipsis => full(&mut plan, rest),
                Item::NewAxis => plan.shape.push(1),
                Item::Slice { start, stop, step } => {
                    let r = resolve_slice(shape[axis], *start, *stop, *step)?;
                    plan.ranges.push(r);
                    plan.shape.push(r.len);
                }
                Item::Int(i) if advanced => {
                    let index = Array::scalar(*i)?;
                    plan.axes.push(plan.shape.len());
                    plan.indices.push(in_bounds(&index, axis, shape[axis])?);
                    full(&mut plan, 1);
                }
                Item::Int(i) => {
                    let n = shape[axis];
                    let at = if *i < 0 { *i + n as i64 } else { *i };
                    ensure!(
                        (0..n as i64).contains(&at),
                        Index,
                        "index: {i} is out of bounds for axis {axis} with size {n}"
                    );
                    plan.ranges.push(Range { start: at as usize, step: 1, len: 1 });
                }
                Item::Ints(index) => {
                    plan.axes.push(plan.shape.len());
                    plan.indices.push(in_bounds(index, axis, shape[axis])?);
                    full(&mut plan, 1);
                }
                Item::Mask(mask) if mask.ndim() == 0 => {
                    record::guard(mask, Read::Bool)?;
                    let count = (mask.to_cpu()?.get(0) == crate::Scalar::Bool(true)) as usize;
                    plan.axes.push(plan.shape.len());
                    plan.indices.push(Array::zeros("index", DType::I64, &[count])?);
                    plan.shape.push(1);
                }
                Item::Mask(mask) => {
                    let covered = &shape[axis..axis + mask.ndim()];
                    // An empty mask selects nothing (Array API), whatever the axis.
                    ensure!(
                        mask.shape().iter().zip(covered).all(|(&m, &n)| m == n || m == 0),
                        Index,
                        "index: a boolean index must have the shape of the axes it covers, got {} for {}",
                        Tuple(mask.shape()),
                        Tuple(covered)
                    );
                    for index in nonzero(mask)? {
                        plan.axes.push(plan.shape.len());
                        plan.indices.push(index);
                        full(&mut plan, 1);
                    }
                }
            }
        }
        if runs > 1 {
            plan.position = 0;
        }
        if advanced {
            broadcast("index", plan.indices.iter().map(|i| i.shape()))?;
        }
        Ok(plan)
    }
}

/// Coordinates of the elements that are not 0, one int64 array per axis. A recording branches on how many there are.
pub fn nonzero(mask: &Array) -> Result<Vec<Array>> {
    if mask.ndim() > 0 && record::varies(mask) {
        let all: Axes = (0..mask.ndim()).collect();
        let count = reduce::reduce(Fold::CountNonzero, mask, &all, false)?;
        record::guard(&count, Read::Int)?;
        return Ok(apply(&Nonzero { count: Read::Int.of(&count.to_cpu()?) as usize }, &[mask])?.into_vec());
    }
    if !mask.device().is_cpu() {
        let all: Axes = (0..mask.ndim()).collect();
        let count = reduce::reduce(Fold::CountNonzero, mask, &all, false)?.to_cpu()?;
        return Ok(apply(&Nonzero { count: Read::Int.of(&count) as usize }, &[mask])?.into_vec());
    }
    sciarray_kernels::gather::nonzero(&mask.view())
        .into_iter()
        .map(|at| Array::from_slice("nonzero", &at, &[at.len()]))
        .collect()
}

/// int64 indices, each checked against the axis.
fn in_bounds(index: &Array, axis: usize, n: usize) -> Result<Array> {
    let index = ops::cast(index, DType::I64)?;
    // On a device the op that reads there does it.
    if index.device().is_cpu()
        && let Err(bad) = sciarray_kernels::gather::check_indices(&index.view(), n)
    {
        fail!(Index, "index: {} is out of bounds for axis {axis} with size {n}", bad.value);
    }
    Ok(index)
}

fn take(x: &Array, plan: &Plan) -> Result<Array> {
    if plan.shape[..] == *x.shape() && plan.is_full(x.shape()) {
        return Ok(x.clone());
    }
    apply1(&Slice { ranges: plan.ranges.clone(), shape: plan.shape.clone() }, &[x])
}

/// Moves the leading `n` axes to `position`.
fn place(y: &Array, n: usize, position: usize) -> Result<Array> {
    if position == 0 || n == 0 {
        return Ok(y.clone());
    }
    let axes: Axes = (n..n + position).chain(0..n).chain(n + position..y.ndim()).collect();
    ops::permute(y, &axes)
}

/// `x[items]`.
pub fn get(x: &Array, items: &[Item]) -> Result<Array> {
    let plan = Plan::of(x.shape(), &on_device_of(x, items)?)?;
    let y = take(x, &plan)?;
    if plan.axes.is_empty() {
        return Ok(y);
    }
    let mut ins: Vec<&Array> = vec![&y];
    ins.extend(plan.indices.iter());
    let n = broadcast("index", plan.indices.iter().map(|i| i.shape()))?.len();
    let y = apply1(&Gather { axes: plan.axes.clone() }, &ins)?;
    place(&y, n, plan.position)
}

/// The items with index arrays on the device of `x`.
fn on_device_of<'a>(x: &Array, items: &'a [Item]) -> Result<Cow<'a, [Item]>> {
    let device = x.device();
    if device.is_cpu() {
        return Ok(Cow::Borrowed(items));
    }
    let moved = items.iter().map(|item| {
        Ok(match item {
            Item::Ints(i) => Item::Ints(ops::to(i, device)?),
            Item::Mask(m) if m.ndim() > 0 => Item::Mask(ops::to(m, device)?),
            other => other.clone(),
        })
    });
    Ok(Cow::Owned(moved.collect::<Result<_>>()?))
}

/// The value cut to `shape`: broadcast, with superfluous leading axes of length 1 dropped.
fn fit_value(v: &Array, shape: &[usize]) -> Result<Array> {
    let extra = v.ndim().saturating_sub(shape.len());
    let v = if v.shape()[..extra].iter().all(|&n| n == 1) { ops::reshape(v, &v.shape()[extra..])? } else { v.clone() };
    ensure!(
        broadcast2(v.shape(), shape).is_some_and(|s| s[..] == *shape),
        Value,
        "setitem: the value must broadcast to the indexed part, got value shape {} for part shape {}",
        Tuple(v.shape()),
        Tuple(shape)
    );
    Ok(v)
}

/// `x[items] = v`: `x` becomes the changed value. Memory that nobody else holds is written in place.
pub fn set(x: &mut Array, items: &[Item], v: &Array) -> Result<()> {
    let items = &*on_device_of(x, items)?;
    let v = ops::cast(v, x.dtype())?;
    if let ([Item::Mask(mask)], 0) = (items, v.ndim())
        && mask.ndim() <= x.ndim()
        && mask.shape() == &x.shape()[..mask.ndim()]
    {
        let mut shape = Shape::from_slice(mask.shape());
        shape.resize(x.ndim(), 1);
        *x = ops::elementwise(&rows::WHERE, &[&ops::reshape(mask, &shape)?, &v, x])?;
        return Ok(());
    }
    let plan = Plan::of(x.shape(), items)?;
    if plan.axes.is_empty() {
        let v = fit_value(&v, &plan.shape)?;
        let part: Shape = plan.ranges.iter().map(|r| r.len).collect();
        let v = ops::reshape(&ops::broadcast_to(&v, &plan.shape)?, &part)?;
        return store(x, SetSlice(plan.ranges), &v);
    }
    let part = take(x, &plan)?;
    let n = broadcast("index", plan.indices.iter().map(|i| i.shape()))?;
    let kept: Shape = (0..part.ndim()).filter(|a| !plan.axes.contains(a)).map(|a| part.shape()[a]).collect();
    let mut result: Shape = kept.clone();
    result.insert_many(plan.position, n.iter().copied());
    let v = ops::broadcast_to(&fit_value(&v, &result)?, &result)?;
    let front: Axes = (plan.position..plan.position + n.len())
        .chain(0..plan.position)
        .chain(plan.position + n.len()..result.len())
        .collect();
    let v = if plan.position == 0 { v } else { ops::permute(&v, &front)? };
    let index: Vec<&Array> = plan.indices.iter().collect();
    let changed = scatter(Scatter::Set, &plan.axes, &part, &v, &index)?;
    if plan.is_full(x.shape()) {
        *x = ops::reshape(&changed, x.shape())?;
        return Ok(());
    }
    let ranges: Shape = plan.ranges.iter().map(|r| r.len).collect();
    drop(part);
    store(x, SetSlice(plan.ranges), &ops::reshape(&changed, &ranges)?)
}

fn store(x: &mut Array, op: SetSlice, v: &Array) -> Result<()> {
    let watched = grad::open_scopes();
    let plain = !x.is_tracked_by(watched) && !v.is_tracked_by(watched) && !record::is_open();
    if plain && x.device() == v.device() && x.is_writable() && !x.shares_buffer(v) {
        // The shape rule also guards the kernel.
        op.infer(&[x.meta(), v.meta()])?;
        op.write(x, v)?;
    } else {
        *x = apply1(&op, &[x, v])?;
    }
    Ok(())
}
