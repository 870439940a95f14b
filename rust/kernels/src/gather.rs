//! Reading and writing at integer indices and masks. Negative indices count from the end.
#![allow(unsafe_code)]

use crate::pool::parallel_for;
use crate::reduce::{Reduce, reduce};
use crate::walk::{self, Dims, Lines, Shared};
use crate::{DType, Element, View, ViewMut, dispatch};
use num_complex::Complex;
use std::ops::Range;

/// An index outside its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadIndex {
    /// Which index array.
    pub array: usize,
    /// Its position there, in C order.
    pub position: usize,
    pub value: i64,
}

/// Whether every index is in `-len..len`; otherwise the first that is not.
pub fn check_indices(index: &View, len: usize) -> Result<(), BadIndex> {
    assert_eq!(index.dtype(), DType::I64);
    let n = len as i64;
    let mut position = 0;
    let mut bad = None;
    let base = index.ptr().cast::<i64>();
    walk::runs(&walk::dims(index.shape(), [index.strides()], |_| true), 0..index.size(), |[at], count, [step]| {
        if bad.is_none() {
            // SAFETY: offsets of the dimensions are within the view.
            let mut run = (0..count as isize).map(|i| unsafe { *base.offset(at + i * step) });
            bad = run.clone().position(|i| i < -n || i >= n).map(|k| (position + k, run.nth(k).unwrap_or_default()));
        }
        position += count;
    });
    bad.map_or(Ok(()), |(position, value)| Err(BadIndex { array: 0, position, value }))
}

#[inline(always)]
fn wrap(i: i64, len: usize) -> isize {
    (if i < 0 { i + len as i64 } else { i }) as isize
}

/// What happens between an element of the array that is indexed and the value that belongs to it.
trait Transfer<T>: Copy + Sync {
    /// Whether two indices may name the same element of the array: then the order counts.
    const WRITES: bool;
    /// # Safety
    /// Both pointers are valid, and the one written to belongs to this thread.
    unsafe fn transfer(self, array: *mut T, value: *mut T);
}

#[derive(Clone, Copy)]
struct Get;
#[derive(Clone, Copy)]
struct Set;
#[derive(Clone, Copy)]
struct Add;

impl<T: Copy> Transfer<T> for Get {
    const WRITES: bool = false;
    #[inline(always)]
    unsafe fn transfer(self, array: *mut T, value: *mut T) {
        // SAFETY: the contract.
        unsafe { *value = *array }
    }
}

impl<T: Copy> Transfer<T> for Set {
    const WRITES: bool = true;
    #[inline(always)]
    unsafe fn transfer(self, array: *mut T, value: *mut T) {
        // SAFETY: the contract.
        unsafe { *array = *value }
    }
}

/// Addition within a dtype; integers wrap, `true + true` is true.
trait Sum: Element {
    fn sum(self, o: Self) -> Self;
}

macro_rules! sum {
    ($($t:ty: $f:expr),*) => { $(impl Sum for $t {
        #[inline(always)]
        fn sum(self, o: Self) -> Self {
            $f(self, o)
        }
    })* };
}
sum!(bool: std::ops::BitOr::bitor, i8: i8::wrapping_add, i16: i16::wrapping_add, i32: i32::wrapping_add,
    i64: i64::wrapping_add, u8: u8::wrapping_add, u16: u16::wrapping_add, u32: u32::wrapping_add,
    u64: u64::wrapping_add, f32: std::ops::Add::add, f64: std::ops::Add::add, Complex<f32>: std::ops::Add::add,
    Complex<f64>: std::ops::Add::add);

impl<T: Sum> Transfer<T> for Add {
    const WRITES: bool = true;
    #[inline(always)]
    unsafe fn transfer(self, array: *mut T, value: *mut T) {
        // SAFETY: the contract.
        unsafe { *array = (*array).sum(*value) }
    }
}

/// One side of a transfer.
struct Side<'a> {
    ptr: *mut u8,
    shape: &'a [usize],
    strides: &'a [isize],
}

impl<'a> Side<'a> {
    fn of(v: &View<'a>) -> Self {
        Side { ptr: v.ptr().cast_mut(), shape: v.shape(), strides: v.strides() }
    }
    fn of_mut(v: &mut ViewMut<'a>) -> Self {
        Side { ptr: v.ptr(), shape: v.shape(), strides: v.strides() }
    }
}

/// Evaluates with `T` an unsigned type, or a pair, of the dtype's size: moving needs no more.
macro_rules! by_size {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype.size() {
            1 => {
                type $t = u8;
                $body
            }
            2 => {
                type $t = u16;
                $body
            }
            4 => {
                type $t = u32;
                $body
            }
            8 if $dtype == DType::C64 => {
                type $t = Complex<f32>;
                $body
            }
            8 => {
                type $t = u64;
                $body
            }
            _ => {
                type $t = Complex<f64>;
                $body
            }
        }
    };
}

/// Points whose offsets are computed at a time.
const CHUNK: usize = 512;

/// Elements per task below which a second thread does not pay.
const MIN_TASK: usize = 1 << 14;

/// `dst = src[..., index, ...]`: the arrays `index`, of one shape, index the axes `axes`; their common dimensions stand in
/// `dst` before the remaining axes from the `position`-th on.
pub fn gather_nd(
    src: &View,
    axes: &[usize],
    index: &[View],
    position: usize,
    dst: &mut ViewMut,
) -> Result<(), BadIndex> {
    assert_eq!(src.dtype(), dst.dtype());
    by_size!(src.dtype(), T => indexed::<T, _>(Get, Side::of(src), axes, index, position, Side::of_mut(dst)))
}

/// `array[..., index, ...] = values`, as [`gather_nd`] with `values` in the place of `dst`; the last of several writes to
/// one element stays. Strides of `values` may be zero.
pub fn scatter_set(
    array: &mut ViewMut,
    axes: &[usize],
    index: &[View],
    position: usize,
    values: &View,
) -> Result<(), BadIndex> {
    assert_eq!(array.dtype(), values.dtype());
    by_size!(values.dtype(), T => indexed::<T, _>(Set, Side::of_mut(array), axes, index, position, Side::of(values)))
}

/// As [`scatter_set`], adding; several values for one element are added in C order of `values`.
pub fn scatter_add(
    array: &mut ViewMut,
    axes: &[usize],
    index: &[View],
    position: usize,
    values: &View,
) -> Result<(), BadIndex> {
    assert_eq!(array.dtype(), values.dtype());
    dispatch!(values.dtype(), T => indexed::<T, _>(Add, Side::of_mut(array), axes, index, position, Side::of(values)))
}

/// `dst = src[:, ..., index, ...]` with `index` at `axis`.
pub fn take(src: &View, axis: usize, index: &View, dst: &mut ViewMut) -> Result<(), BadIndex> {
    gather_nd(src, &[axis], std::slice::from_ref(index), axis, dst)
}

fn indexed<T: Copy + Send, F: Transfer<T>>(
    f: F,
    array: Side,
    axes: &[usize],
    index: &[View],
    position: usize,
    values: Side,
) -> Result<(), BadIndex> {
    let common = index[0].shape();
    let rest: Vec<usize> = (0..array.shape.len()).filter(|a| !axes.contains(a)).collect();
    let (before, after) = rest.split_at(position);
    assert!(axes.len() == index.len() && index.iter().all(|i| i.shape() == common));
    let shape = before.iter().map(|&a| &array.shape[a]).chain(common).chain(after.iter().map(|&a| &array.shape[a]));
    assert!(shape.eq(values.shape), "shape of the values of an indexing");

    let n_points: usize = common.iter().product();
    let indices: Vec<(Shared<i64>, Dims<1>, usize, isize)> = index
        .iter()
        .zip(axes)
        .enumerate()
        .map(|(k, (view, &axis))| {
            check_indices(view, array.shape[axis]).map_err(|e| BadIndex { array: k, ..e })?;
            let dims = walk::dims(common, [view.strides()], |_| true);
            Ok((Shared(view.ptr().cast_mut().cast()), dims, array.shape[axis], array.strides[axis]))
        })
        .collect::<Result<_, _>>()?;

    let points_end = position + common.len();
    let pair = |axes: &[usize], values_from: usize| -> Dims<2> {
        let mut dims = Dims::new();
        for (k, &a) in axes.iter().enumerate() {
            let step = [array.strides[a], values.strides[values_from + k]];
            walk::push_dim(&mut dims, walk::Dim { n: array.shape[a], step });
        }
        dims
    };
    let (outer, inner) = (pair(before, 0), pair(after, points_end));
    let points = walk::dims(common, [&values.strides[position..points_end]], |_| true);
    let n_inner = walk::size(&inner);
    let n_items = walk::size(&outer) * n_points;
    if n_inner == 0 || n_items == 0 {
        return Ok(());
    }
    let (to, from) = (Shared(array.ptr.cast::<T>()), Shared(values.ptr.cast::<T>()));
    let work = |range: Range<usize>| {
        let (to, from) = (&to, &from);
        let mut offsets = [0isize; CHUNK];
        let mut start = range.start;
        while start < range.end {
            let (o, p) = (start / n_points, start % n_points);
            let end = n_points.min(p + (range.end - start).min(CHUNK));
            let offsets = &mut offsets[..end - p];
            offsets.fill(0);
            for (base, dims, len, stride) in &indices {
                let mut at = offsets.iter_mut();
                walk::runs(dims, p..end, |[i], n, [step]| {
                    for (k, o) in at.by_ref().take(n).enumerate() {
                        // SAFETY: offsets of the dimensions are within the view.
                        *o += wrap(unsafe { *base.0.offset(i + k as isize * step) }, *len) * stride;
                    }
                });
            }
            let at = walk::offset(&outer, o);
            let mut next = offsets.iter();
            walk::runs(&points, p..end, |[v], n, [step]| {
                for (i, o) in next.by_ref().take(n).enumerate() {
                    let (a, v) = (at[0] + o, at[1] + v + i as isize * step);
                    walk::runs(&inner, 0..n_inner, |[da, dv], n, [sa, sv]| {
                        for k in 0..n as isize {
                            // SAFETY: checked indices and positions within both shapes; values belong to one task, and
                            // the array is written by one task alone.
                            unsafe { f.transfer(to.0.offset(a + da + k * sa), from.0.offset(v + dv + k * sv)) };
                        }
                    });
                }
            });
            start += end - p;
        }
    };
    if F::WRITES {
        work(0..n_items);
    } else {
        parallel_for(n_items, MIN_TASK.div_ceil(n_inner), work);
    }
    Ok(())
}

/// `dst[..., i, ...] = src[..., index[..., i, ...], ...]` along `axis`; `index` and `dst` have one shape, which is `src`'s
/// but for the axis.
pub fn take_along_axis(src: &View, axis: usize, index: &View, dst: &mut ViewMut) -> Result<(), BadIndex> {
    assert_eq!(src.dtype(), dst.dtype());
    by_size!(src.dtype(), T => along::<T, _>(Get, Side::of(src), axis, index, Side::of_mut(dst)))
}

/// The counterpart of [`take_along_axis`] that writes; the last of several writes to one element stays.
pub fn put_along_axis(array: &mut ViewMut, axis: usize, index: &View, values: &View) -> Result<(), BadIndex> {
    assert_eq!(array.dtype(), values.dtype());
    by_size!(values.dtype(), T => along::<T, _>(Set, Side::of_mut(array), axis, index, Side::of(values)))
}

/// As [`put_along_axis`], adding in the order of the axis.
pub fn add_along_axis(array: &mut ViewMut, axis: usize, index: &View, values: &View) -> Result<(), BadIndex> {
    assert_eq!(array.dtype(), values.dtype());
    dispatch!(values.dtype(), T => along::<T, _>(Add, Side::of_mut(array), axis, index, Side::of(values)))
}

fn along<T: Copy + Send, F: Transfer<T>>(
    f: F,
    array: Side,
    axis: usize,
    index: &View,
    values: Side,
) -> Result<(), BadIndex> {
    let shape = index.shape();
    assert!(shape == values.shape && shape.len() == array.shape.len());
    assert!((0..shape.len()).all(|a| a == axis || shape[a] == array.shape[a]));
    let len = array.shape[axis];
    check_indices(index, len)?;
    let lines = Lines::new(shape, [array.strides, values.strides, index.strides()], axis);
    let [stride, value_step, index_step] = lines.axis.step;
    let (to, from) = (Shared(array.ptr.cast::<T>()), Shared(values.ptr.cast::<T>()));
    let index = Shared(index.ptr().cast_mut().cast::<i64>());
    // A line of the array belongs to one line of indices, so lines may be written by different threads.
    parallel_for(lines.n_lines, MIN_TASK.div_ceil(lines.axis.n.max(1)), |range| {
        let (to, from, index) = (&to, &from, &index);
        walk::runs(&lines.others, range, |at, n, across| {
            for line in 0..n as isize {
                let [a, v, i] = std::array::from_fn(|k| at[k] + line * across[k]);
                for k in 0..lines.axis.n as isize {
                    // SAFETY: checked indices and positions within the shapes; each line belongs to one task.
                    unsafe {
                        let to_k = wrap(*index.0.offset(i + k * index_step), len) * stride;
                        f.transfer(to.0.offset(a + to_k), from.0.offset(v + k * value_step));
                    }
                }
            }
        });
    });
    Ok(())
}

/// The coordinates of the elements that are not zero, one vector per axis, in C order.
pub fn nonzero(src: &View) -> Vec<Vec<i64>> {
    let count = count_nonzero(src);
    // One place more, because every position is written and only kept by advancing: a branch would be mispredicted.
    let mut flat = vec![0i64; count + 1];
    dispatch!(src.dtype(), T => {
        let base = src.ptr().cast::<T>();
        let (mut position, mut found) = (0, 0);
        walk::runs(&walk::dims(src.shape(), [src.strides()], |_| true), 0..src.size(), |[at], n, [step]| {
            for i in 0..n as isize {
                flat[found] = position;
                // SAFETY: offsets of the dimensions are within the view.
                found += (unsafe { *base.offset(at + i * step) } != T::default()) as usize;
                position += 1;
            }
        });
    });
    flat.truncate(count);
    if src.ndim() == 1 {
        return vec![flat];
    }
    let mut inner = 1;
    let mut axes: Vec<Vec<i64>> = Vec::with_capacity(src.ndim());
    for &n in src.shape().iter().rev() {
        axes.push(flat.iter().map(|p| p / inner % n as i64).collect());
        inner *= n as i64;
    }
    axes.reverse();
    axes
}

fn count_nonzero(src: &View) -> usize {
    let mut count = 0i64;
    // SAFETY: one element for no axes.
    let mut dst = unsafe { ViewMut::new((&raw mut count).cast(), DType::I64, &[], &[]) };
    let axes: Vec<usize> = (0..src.ndim()).collect();
    reduce(Reduce::CountNonzero, src, &axes, &mut dst);
    count as usize
}

/// Copies the elements where `mask`, of `src`'s shape, is set into the 1-D `dst`, whose length is their number.
pub fn mask_select(src: &View, mask: &View, dst: &mut ViewMut) {
    assert_eq!(src.dtype(), dst.dtype());
    by_size!(src.dtype(), T => masked::<T, _>(Get, Side::of(src), mask, Side::of_mut(dst)));
}

/// Writes the 1-D `values` in order where `mask`, of `array`'s shape, is set; a stride of 0 repeats one value.
pub fn mask_assign(array: &mut ViewMut, mask: &View, values: &View) {
    assert_eq!(array.dtype(), values.dtype());
    by_size!(values.dtype(), T => masked::<T, _>(Set, Side::of_mut(array), mask, Side::of(values)));
}

fn masked<T: Copy, F: Transfer<T>>(f: F, array: Side, mask: &View, values: Side) {
    assert!(mask.dtype() == DType::Bool && mask.shape() == array.shape && values.shape.len() == 1);
    let (array_ptr, mask_ptr, value_ptr) = (array.ptr.cast::<T>(), mask.ptr().cast::<bool>(), values.ptr.cast::<T>());
    let dims = walk::dims(array.shape, [array.strides, mask.strides()], |_| true);
    let mut next = 0;
    walk::runs(&dims, 0..walk::size(&dims), |[a, m], n, [sa, sm]| {
        for i in 0..n as isize {
            // SAFETY: offsets of the dimensions are within both views; `next` is checked against the values' length.
            unsafe {
                if *mask_ptr.offset(m + i * sm) {
                    assert!(next < values.shape[0], "as many values as the mask sets");
                    f.transfer(array_ptr.offset(a + i * sa), value_ptr.offset(next as isize * values.strides[0]));
                    next += 1;
                }
            }
        }
    });
    assert_eq!(next, values.shape[0], "as many values as the mask sets");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Array, Bits, Layout, Sample};

    const SHAPE: [usize; 4] = [3, 4, 5, 6];

    fn flat(at: [usize; 4]) -> usize {
        ((at[0] * SHAPE[1] + at[1]) * SHAPE[2] + at[2]) * SHAPE[3] + at[3]
    }

    /// Axes 1 and 3 indexed by arrays of shape (2, 7): which element each value of shape (3, 2, 7, 5) belongs to.
    fn sources(i: &[i64], k: &[i64]) -> Vec<usize> {
        let mut out = vec![];
        for a in 0..3 {
            for p in 0..14 {
                for c in 0..5 {
                    out.push(flat([a, i[p].rem_euclid(4) as usize, c, k[p].rem_euclid(6) as usize]));
                }
            }
        }
        out
    }

    fn check<T: Sample + Sum>() {
        let mut bits = Bits(10);
        let x: Vec<T> = bits.vec(360);
        let v: Vec<T> = bits.vec(210);
        let i: Vec<i64> = (0..14).map(|_| bits.below(8) as i64 - 4).collect();
        let k: Vec<i64> = (0..14).map(|_| bits.below(12) as i64 - 6).collect();
        let sources = sources(&i, &k);
        // Debug text: NaN equals itself there.
        let text = |x: &[T]| format!("{x:?}");
        for layout in Layout::ALL {
            let (ia, ka) = (Array::new(&[2, 7], &i, layout), Array::new(&[2, 7], &k, Layout::C));
            let index = [ia.view(), ka.view()];
            let mut a = Array::new(&SHAPE, &x, layout);
            let mut dst = Array::<T>::zeros(&[3, 2, 7, 5], layout);
            gather_nd(&a.view(), &[1, 3], &index, 1, &mut dst.view_mut()).unwrap();
            assert_eq!(text(&dst.elements()), text(&sources.iter().map(|&s| x[s]).collect::<Vec<_>>()));

            let values = Array::new(&[3, 2, 7, 5], &v, layout);
            let (mut set, mut added) = (x.clone(), x.clone());
            for (&s, &v) in sources.iter().zip(&v) {
                set[s] = v;
                added[s] = added[s].sum(v);
            }
            scatter_set(&mut a.view_mut(), &[1, 3], &index, 1, &values.view()).unwrap();
            assert_eq!(text(&a.elements()), text(&set));
            let mut a = Array::new(&SHAPE, &x, layout);
            scatter_add(&mut a.view_mut(), &[1, 3], &index, 1, &values.view()).unwrap();
            assert_eq!(text(&a.elements()), text(&added));

            let a = Array::new(&SHAPE, &x, layout);
            let mask: Vec<bool> = bits.vec(360);
            let chosen: Vec<T> = x.iter().zip(&mask).filter(|(_, m)| **m).map(|(x, _)| *x).collect();
            let mask_a = Array::new(&SHAPE, &mask, Layout::Fortran);
            let mut dst = Array::<T>::zeros(&[chosen.len()], layout);
            mask_select(&a.view(), &mask_a.view(), &mut dst.view_mut());
            assert_eq!(text(&dst.elements()), text(&chosen));
            let mut b = Array::<T>::zeros(&SHAPE, layout);
            mask_assign(&mut b.view_mut(), &mask_a.view(), &dst.view());
            let kept: Vec<T> = x.iter().zip(&mask).map(|(x, &m)| if m { *x } else { T::default() }).collect();
            assert_eq!(text(&b.elements()), text(&kept));

            let coordinates = nonzero(&a.view());
            let expected: Vec<usize> = (0..360).filter(|&p| x[p] != T::default()).collect();
            let found = |p: usize| flat(std::array::from_fn(|axis| coordinates[axis][p] as usize));
            assert_eq!((0..coordinates[0].len()).map(found).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn integer_arrays_and_masks() {
        check::<bool>();
        check::<i8>();
        if !cfg!(miri) {
            check::<Complex<f64>>();
            check::<u16>();
            check::<i32>();
            check::<u64>();
            check::<f32>();
            check::<f64>();
            check::<Complex<f32>>();
        }
    }

    #[test]
    fn along_an_axis() {
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let index: Vec<i64> = (0..84).map(|p| (p * p + 1) % 8 - 4).collect();
        for layout in Layout::ALL {
            let mut a = Array::new(&[3, 4, 5], &x, layout);
            // The index has 7 places where the array has 4; the last 21 indices of 105 repeat the first.
            let index: Vec<i64> = (0..105).map(|p| index[p % 84]).collect();
            let ia = Array::new(&[3, 7, 5], &index, layout);
            let place = |p: usize| (p / 35 * 4 + index[p].rem_euclid(4) as usize) * 5 + p % 5;
            let mut dst = Array::<f64>::zeros(&[3, 7, 5], Layout::C);
            take_along_axis(&a.view(), 1, &ia.view(), &mut dst.view_mut()).unwrap();
            assert_eq!(dst.elements(), (0..105).map(|p| x[place(p)]).collect::<Vec<_>>());
            let (mut set, mut added) = (x.clone(), x.clone());
            for p in 0..105 {
                set[place(p)] = p as f64;
                added[place(p)] += p as f64;
            }
            let values = Array::new(&[3, 7, 5], &(0..105).map(f64::from).collect::<Vec<_>>(), layout);
            add_along_axis(&mut a.view_mut(), 1, &ia.view(), &values.view()).unwrap();
            assert_eq!(a.elements(), added);
            let mut a = Array::new(&[3, 4, 5], &x, layout);
            put_along_axis(&mut a.view_mut(), 1, &ia.view(), &values.view()).unwrap();
            assert_eq!(a.elements(), set);
        }
    }

    #[test]
    fn bad_indices_are_named_and_nothing_is_written() {
        let good = Array::new(&[2, 2], &[0i64, -3, 2, 1], Layout::Fortran);
        let bad = Array::new(&[2, 2], &[0i64, 1, -4, 9], Layout::Fortran);
        assert_eq!(check_indices(&good.view(), 3), Ok(()));
        let error = BadIndex { array: 0, position: 2, value: -4 };
        assert_eq!(check_indices(&bad.view(), 3), Err(error));
        let mut a = Array::<i32>::zeros(&[3, 3], Layout::C);
        let values = Array::new(&[2, 2], &[1, 2, 3, 4], Layout::C);
        let done = scatter_add(&mut a.view_mut(), &[0, 1], &[good.view(), bad.view()], 0, &values.view());
        assert_eq!(done, Err(BadIndex { array: 1, ..error }));
        assert_eq!(a.elements(), [0; 9]);
    }

    #[test]
    fn empty_index_and_empty_axis() {
        let a = Array::<f32>::zeros(&[0, 3], Layout::C);
        let none = Array::<i64>::zeros(&[0], Layout::C);
        let mut dst = Array::<f32>::zeros(&[0, 3], Layout::C);
        assert_eq!(take(&a.view(), 0, &none.view(), &mut dst.view_mut()), Ok(()));
        let zero = Array::<i64>::zeros(&[1], Layout::C);
        let mut dst = Array::<f32>::zeros(&[1, 3], Layout::C);
        let error = Err(BadIndex { array: 0, position: 0, value: 0 });
        assert_eq!(take(&a.view(), 0, &zero.view(), &mut dst.view_mut()), error);
    }
}
