//! Sorting along an axis: every element type is ordered through an integer key, NaN last.
//!
//! Descending order is the exact mirror of ascending order, NaN first; equal elements keep their order in both.
#![allow(unsafe_code)]

use crate::pool::parallel_for;
use crate::walk::{self, Lines, Shared};
use crate::{Element, View, ViewMut, dispatch};
use num_complex::Complex;

/// An element with a total order by key: `-0.0` equals `0.0`, every NaN equals every other and is largest; complex numbers
/// go by real, then imaginary part, those with a NaN behind the others as in NumPy.
pub(crate) trait Sortable: Element {
    type Key: Copy + Ord + Send + Sync;
    fn key(self) -> Self::Key;
}

macro_rules! own_key {
    ($($t:ty),*) => { $(impl Sortable for $t {
        type Key = $t;
        #[inline(always)]
        fn key(self) -> $t {
            self
        }
    })* };
}
own_key!(bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! float_key {
    ($($t:ty, $bits:ty);*) => { $(
        impl Sortable for $t {
            type Key = $bits;
            #[inline(always)]
            fn key(self) -> $bits {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let bits = (self + 0.0).to_bits();
                let flipped = if bits & SIGN != 0 { !bits } else { bits | SIGN };
                if self.is_nan() { <$bits>::MAX } else { flipped }
            }
        }
        impl Sortable for Complex<$t> {
            type Key = (bool, $bits, $bits);
            #[inline(always)]
            fn key(self) -> Self::Key {
                (self.re.is_nan() | self.im.is_nan(), self.re.key(), self.im.key())
            }
        }
    )* };
}
float_key!(f32, u32; f64, u64);

/// Lines of this length are a task of their own.
const MIN_TASK: usize = 1 << 13;

/// Sorts `src` along `axis` into `dst` of the same shape and dtype.
pub fn sort(src: &View, axis: usize, descending: bool, dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, _| x, |line| order_by_key(line, descending, |x| x.key()), |x| x)
    });
}

/// The indices that sort `src` along `axis`, as int64; equal elements keep their order.
pub fn argsort(src: &View, axis: usize, descending: bool, dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, i| (x.key(), i as u32), |line| order_by_key(line, descending, |x| x.0), index)
    });
}

/// Sorts `src` along `axis` only so far that the elements at the positions `kth` are where a sort would put them, smaller
/// or equal ones before and larger or equal ones after them.
pub fn partition(src: &View, axis: usize, kth: &[usize], dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, _| x, |line| select(line, kth, |a, b| a.key().cmp(&b.key())), |x| x)
    });
}

/// The indices, as int64, of such a partition.
pub fn argpartition(src: &View, axis: usize, kth: &[usize], dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, i| (x.key(), i as u32), |line| select(line, kth, |a, b| a.cmp(b)), index)
    });
}

fn index<K>((_, i): (K, u32)) -> i64 {
    i as i64
}

fn order_by_key<E: Copy, K: Ord + Copy>(line: &mut [E], descending: bool, key: impl Fn(&E) -> K) {
    if descending {
        line.sort_by(|a, b| key(b).cmp(&key(a)));
    } else {
        line.sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Places each of `kth`, from the smallest position on, within what is left above the last.
fn select<E>(line: &mut [E], kth: &[usize], compare: impl Fn(&E, &E) -> std::cmp::Ordering) {
    let mut kth = kth.to_vec();
    kth.sort_unstable();
    kth.dedup();
    let mut start = 0;
    for k in kth {
        line[start..].select_nth_unstable_by(k - start, &compare);
        start = k + 1;
    }
}

/// Loads each line as items, orders them and stores what they stand for.
fn by_line<T: Element, D: Element, E: Copy + Send>(
    src: &View,
    axis: usize,
    dst: &mut ViewMut,
    load: impl Fn(T, usize) -> E + Sync,
    order: impl Fn(&mut [E]) + Sync,
    store: impl Fn(E) -> D + Sync,
) {
    assert!(src.dtype() == T::DTYPE && dst.dtype() == D::DTYPE && src.shape() == dst.shape());
    let lines = Lines::new(src.shape(), [src.strides(), dst.strides()], axis);
    let n = lines.axis.n;
    assert!(u32::try_from(n).is_ok(), "lines of up to 2^32 elements");
    if n == 0 {
        return;
    }
    let (src, dst) = (Shared(src.ptr().cast_mut().cast::<T>()), Shared(dst.ptr().cast::<D>()));
    let lines = &lines;
    parallel_for(lines.n_lines, MIN_TASK.div_ceil(n), |range| {
        let (src, dst) = (&src, &dst);
        let mut items = Vec::with_capacity(n);
        walk::runs(&lines.others, range, |at, count, across| {
            for line in 0..count as isize {
                let (from, to) = (at[0] + line * across[0], at[1] + line * across[1]);
                items.clear();
                // SAFETY: offsets of the lines are within the source.
                items.extend((0..n).map(|i| load(unsafe { *src.0.offset(from + i as isize * lines.axis.step[0]) }, i)));
                order(&mut items);
                for (i, &item) in items.iter().enumerate() {
                    // SAFETY: offsets of the lines are within the output, and each line belongs to one task.
                    unsafe { dst.0.offset(to + i as isize * lines.axis.step[1]).write(store(item)) };
                }
            }
        });
    });
}
