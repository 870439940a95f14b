//! Sorting along an axis: every element type is ordered through an integer key, NaN last.
//!
//! Descending order is the exact mirror of ascending order, NaN first; equal elements keep their order in both.
#![allow(unsafe_code)]

use crate::pool::parallel_for;
use crate::walk::{self, Lines, Shared};
use crate::{Element, View, ViewMut, dispatch};
use num_complex::Complex;

/// An element that an integer key orders: NaN last and every NaN the same; complex numbers by real, then imaginary part,
/// those with a NaN behind the others as in NumPy.
pub(crate) trait Sortable: Element {
    type Key: Copy + Ord + Send + Sync;
    /// The key that tells `-0.0`, the smaller, from `0.0`.
    fn exact_key(self) -> Self::Key;
    /// The element with this exact key; NaNs lose sign and payload.
    fn from_exact_key(key: Self::Key) -> Self;
    /// The key under which `-0.0` equals `0.0`.
    fn key(self) -> Self::Key;
}

macro_rules! own_key {
    ($($t:ty),*) => { $(impl Sortable for $t {
        type Key = $t;
        #[inline(always)]
        fn exact_key(self) -> $t {
            self
        }
        #[inline(always)]
        fn from_exact_key(key: $t) -> $t {
            key
        }
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
            fn exact_key(self) -> $bits {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let bits = self.to_bits();
                let flipped = if bits & SIGN != 0 { !bits } else { bits | SIGN };
                if self.is_nan() { <$bits>::MAX } else { flipped }
            }
            #[inline(always)]
            fn from_exact_key(key: $bits) -> $t {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                <$t>::from_bits(if key & SIGN != 0 { key ^ SIGN } else { !key })
            }
            #[inline(always)]
            fn key(self) -> $bits {
                (self + 0.0).exact_key()
            }
        }
        impl Sortable for Complex<$t> {
            /// The signs of zeros come last: `-0.0 + 5i` is greater than `0.0 + 1i`.
            type Key = (bool, $bits, $bits, [bool; 2]);
            #[inline(always)]
            fn exact_key(self) -> Self::Key {
                let positive = |x: $t| (x != 0.0) | x.is_sign_positive();
                let (nan, re, im, _) = self.key();
                (nan, re, im, [positive(self.re), positive(self.im)])
            }
            #[inline(always)]
            fn from_exact_key((_, re, im, positive): Self::Key) -> Self {
                let part = |key, positive: bool| if positive { <$t>::from_exact_key(key) } else { -0.0 };
                Complex::new(part(re, positive[0]), part(im, positive[1]))
            }
            #[inline(always)]
            fn key(self) -> Self::Key {
                (self.re.is_nan() | self.im.is_nan(), self.re.key(), self.im.key(), [true; 2])
            }
        }
    )* };
}
float_key!(f32, u32; f64, u64);

/// Lines of this length are a task of their own.
const MIN_TASK: usize = 1 << 13;

/// Sorts `src` along `axis` into `dst` of the same shape and dtype.
pub fn sort(src: &View, axis: usize, descending: bool, dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => by_line(src, axis, dst, |x: T, _| x.exact_key(), |line| {
        // Equal keys are equal bits, so an unstable sort serves.
        line.sort_unstable();
        if descending {
            line.reverse();
        }
    }, T::from_exact_key));
}

/// The indices that sort `src` along `axis`, as int64; equal elements keep their order.
pub fn argsort(src: &View, axis: usize, descending: bool, dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, i| (x.key(), i as u32), |line| {
            if descending { line.sort_by_key(|x| std::cmp::Reverse(x.0)) } else { line.sort_unstable() }
        }, index)
    });
}

/// Sorts `src` along `axis` only so far that the elements at the positions `kth` are where a sort would put them, smaller
/// or equal ones before and larger or equal ones after them.
pub fn partition(src: &View, axis: usize, kth: &[usize], dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, _| x.exact_key(), |line| select(line, kth), T::from_exact_key)
    });
}

/// The indices, as int64, of such a partition.
pub fn argpartition(src: &View, axis: usize, kth: &[usize], dst: &mut ViewMut) {
    dispatch!(src.dtype(), T => {
        by_line(src, axis, dst, |x: T, i| (x.key(), i as u32), |line| select(line, kth), index)
    });
}

fn index<K>((_, i): (K, u32)) -> i64 {
    i as i64
}

/// Places each of `kth`, from the smallest position on, within what is left above the last.
fn select<E: Ord>(line: &mut [E], kth: &[usize]) {
    let mut kth = kth.to_vec();
    kth.sort_unstable();
    kth.dedup();
    let mut start = 0;
    for k in kth {
        line[start..].select_nth_unstable(k - start);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Array, Bits, Layout, MOST, Sample};

    fn naive_order<T: Sortable>(x: &[T], descending: bool) -> Vec<i64> {
        let mut order: Vec<i64> = vec![];
        for i in 0..x.len() {
            let goes_before = |j: &&i64| {
                let (new, old) = (x[i].key(), x[**j as usize].key());
                if descending { new > old } else { new < old }
            };
            let behind = order.iter().rev().take_while(goes_before).count();
            order.insert(order.len() - behind, i as i64);
        }
        order
    }

    fn check<T: Sample + Sortable>() {
        let mut bits = Bits(8);
        for n in [0, 1, 2, 5, 19, 20, 21, 33, 700].into_iter().filter(|&n| n <= MOST / 2) {
            let x: Vec<T> = bits.vec(n * 6);
            for layout in Layout::ALL {
                let a = Array::new(&[2, n, 3], &x, layout);
                for descending in [false, true] {
                    let mut order = Array::<i64>::zeros(&[2, n, 3], Layout::C);
                    let mut sorted = Array::<T>::zeros(&[2, n, 3], layout);
                    argsort(&a.view(), 1, descending, &mut order.view_mut());
                    sort(&a.view(), 1, descending, &mut sorted.view_mut());
                    let (order, sorted) = (order.elements(), sorted.elements());
                    for (o, i) in (0..2).flat_map(|o| (0..3).map(move |i| (o, i))) {
                        let at = |k: usize| (o * n + k) * 3 + i;
                        let line: Vec<T> = (0..n).map(|k| x[at(k)]).collect();
                        let expected = naive_order(&line, descending);
                        assert_eq!((0..n).map(|k| order[at(k)]).collect::<Vec<_>>(), expected);
                        let got: Vec<T> = (0..n).map(|k| sorted[at(k)]).collect();
                        let keys: Vec<_> = expected.iter().map(|&k| line[k as usize].key()).collect();
                        assert!(got.iter().map(|v| v.key()).eq(keys), "{layout:?} {descending}");
                        // The same values, signs of zeros included; debug text shows NaN as equal to itself.
                        let texts = |x: &[T]| {
                            let mut texts: Vec<String> = x.iter().map(|v| format!("{v:?}")).collect();
                            texts.sort();
                            texts
                        };
                        assert_eq!(texts(&got), texts(&line));
                    }
                }
                for kth in [vec![], vec![n / 2], vec![n / 3, 0, n.saturating_sub(1)]] {
                    if n == 0 {
                        continue;
                    }
                    let mut order = Array::<i64>::zeros(&[2, n, 3], Layout::C);
                    let mut parted = Array::<T>::zeros(&[2, n, 3], layout);
                    argpartition(&a.view(), 1, &kth, &mut order.view_mut());
                    partition(&a.view(), 1, &kth, &mut parted.view_mut());
                    let (order, parted) = (order.elements(), parted.elements());
                    for (o, i) in (0..2).flat_map(|o| (0..3).map(move |i| (o, i))) {
                        let at = |k: usize| (o * n + k) * 3 + i;
                        let by_value: Vec<_> = (0..n).map(|k| parted[at(k)].key()).collect();
                        let by_index: Vec<_> = (0..n).map(|k| x[at(order[at(k)] as usize)].key()).collect();
                        let mut expected: Vec<_> = (0..n).map(|k| x[at(k)].key()).collect();
                        expected.sort();
                        for got in [by_value, by_index] {
                            for &k in &kth {
                                assert!(got[..k].iter().all(|v| *v <= got[k]) && got[k..].iter().all(|v| *v >= got[k]));
                            }
                            let mut got = got;
                            got.sort();
                            assert!(got == expected);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn orders_values_and_partitions() {
        check::<i8>();
        if !cfg!(miri) {
            check::<f32>();
            check::<f64>();
            check::<Complex<f32>>();
            check::<bool>();
            check::<i16>();
            check::<i32>();
            check::<i64>();
            check::<u8>();
            check::<u16>();
            check::<u32>();
            check::<u64>();
            check::<Complex<f64>>();
        }
    }

    #[test]
    fn keys_order_as_documented() {
        let x = [
            f64::NEG_INFINITY,
            -f64::MAX,
            -1.0,
            -f64::from_bits(1),
            0.0,
            f64::from_bits(1),
            1.0,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(x.windows(2).all(|w| w[0].key() < w[1].key()));
        assert!((-0.0f64).key() == 0.0f64.key() && (-f64::NAN).key() == f64::NAN.key());
        let c = |re: f64, im: f64| Complex::new(re, im);
        let z = [
            c(1.0, 2.0),
            c(1.0, f64::INFINITY),
            c(2.0, -9.0),
            c(0.0, f64::NAN),
            c(f64::NAN, 0.0),
            c(f64::NAN, f64::NAN),
        ];
        assert!(z.windows(2).all(|w| w[0].key() < w[1].key()));
    }
}
