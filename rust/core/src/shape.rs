//! Shapes, strides, broadcasting and axes.

use crate::error::Result;
use crate::{ensure, fail};
use smallvec::SmallVec;

pub type Shape = SmallVec<[usize; 4]>;
pub type Strides = SmallVec<[isize; 4]>;
pub type Axes = SmallVec<[usize; 4]>;

/// NumPy's limit too; it keeps loops over axes on the stack.
pub const MAX_NDIM: usize = 64;

/// A shape as Python writes it: `(3, 4)`, `(3,)`, `()`.
pub struct Tuple<'a>(pub &'a [usize]);

impl std::fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [n] => write!(f, "({n},)"),
            s => {
                f.write_str("(")?;
                for (i, n) in s.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{n}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Elements of a shape, or an error when the count or the byte size cannot be represented.
#[inline]
pub fn size_of(op: &str, shape: &[usize], itemsize: usize) -> Result<usize> {
    ensure!(shape.len() <= MAX_NDIM, Value, "{op}: at most {MAX_NDIM} dimensions are supported, got {}", shape.len());
    // Axes of length 0 are left out at first: strides are made of the others.
    let mut n = 1usize;
    for &d in shape.iter().filter(|&&d| d != 0) {
        n = match n.checked_mul(d) {
            Some(n) if n <= isize::MAX as usize / itemsize.max(1) => n,
            _ => fail!(Memory, "{op}: array is too big, got shape {}", Tuple(shape)),
        };
    }
    Ok(if shape.contains(&0) { 0 } else { n })
}

/// Strides of a C-contiguous array, in elements.
#[inline]
pub fn contiguous_strides(shape: &[usize]) -> Strides {
    let mut strides: Strides = SmallVec::from_elem(0, shape.len());
    let mut step = 1isize;
    for i in (0..shape.len()).rev() {
        strides[i] = step;
        step *= shape[i].max(1) as isize;
    }
    strides
}

/// The common shape of two, or None when they do not broadcast.
pub fn broadcast2(a: &[usize], b: &[usize]) -> Option<Shape> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut out = Shape::from_slice(long);
    let lead = long.len() - short.len();
    for (o, &s) in out[lead..].iter_mut().zip(short) {
        if *o != s {
            if *o == 1 {
                *o = s;
            } else if s != 1 {
                return None;
            }
        }
    }
    Some(out)
}

/// The common shape of all.
pub fn broadcast<'a>(op: &str, shapes: impl Iterator<Item = &'a [usize]> + Clone) -> Result<Shape> {
    let mut out = Shape::new();
    for s in shapes.clone() {
        out = match broadcast2(&out, s) {
            Some(o) => o,
            None => {
                let all: Vec<_> = shapes.map(|s| Tuple(s).to_string()).collect();
                fail!(Value, "{op}: shapes do not broadcast together, got {}", all.join(" and "))
            }
        };
    }
    Ok(out)
}

/// Strides that read `shape` as `target`: 0 along broadcast axes. `shape` must broadcast to `target`.
pub fn broadcast_strides(shape: &[usize], strides: &[isize], target: &[usize]) -> Strides {
    let lead = target.len() - shape.len();
    let mut out: Strides = SmallVec::from_elem(0, target.len());
    for i in 0..shape.len() {
        out[lead + i] = if shape[i] == 1 && target[lead + i] != 1 { 0 } else { strides[i] };
    }
    out
}

/// An axis in `-ndim..ndim` as an index.
pub fn normalize_axis(op: &str, axis: i64, ndim: usize) -> Result<usize> {
    let a = if axis < 0 { axis + ndim as i64 } else { axis };
    ensure!(
        (0..ndim as i64).contains(&a),
        Index,
        "{op}: axis must be in [-{ndim}, {ndim}) for an array of {ndim} dimensions, got {axis}"
    );
    Ok(a as usize)
}

/// Several axes, sorted; duplicates are an error. None means all of them.
pub fn normalize_axes(op: &str, axes: Option<&[i64]>, ndim: usize) -> Result<Axes> {
    let Some(axes) = axes else { return Ok((0..ndim).collect()) };
    let mut out: Axes = axes.iter().map(|&a| normalize_axis(op, a, ndim)).collect::<Result<_>>()?;
    out.sort_unstable();
    ensure!(out.windows(2).all(|w| w[0] != w[1]), Value, "{op}: axes must not repeat, got {axes:?}");
    Ok(out)
}

/// The shape left after reducing sorted `axes`.
pub fn reduced_shape(shape: &[usize], axes: &[usize], keepdims: bool) -> Shape {
    shape
        .iter()
        .enumerate()
        .filter_map(|(i, &n)| if axes.contains(&i) { keepdims.then_some(1) } else { Some(n) })
        .collect()
}
