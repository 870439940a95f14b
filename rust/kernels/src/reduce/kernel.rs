//! The inner loops of a reduction, and the table of what the driver needs to know of it: all that is compiled per type.

use super::fold::{Fold, Merge};
use crate::Element;
use crate::walk::{Compiled, Loop};
use sciarray_scalar::real::each as array;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A fold over one element type. Accumulators are bytes to the driver.
pub(super) struct Kernel {
    /// Bytes of an element.
    pub size: usize,
    pub acc_size: usize,
    pub block_len: usize,
    pub exact: bool,
    pub free_order: bool,
    pub absorbing: Option<bool>,
    pub blocks: Option<Compiled<Blocks, usize>>,
    pub rows: Option<Compiled<Rows>>,
    pub merge: Compiled<Merging>,
}

impl Kernel {
    pub const fn new<T: Element, F: Fold<T>>() -> Kernel {
        assert!(align_of::<F::Acc>() <= align_of::<u64>() && size_of::<F::Acc>() <= MAX_ACC);
        Kernel {
            size: size_of::<T>(),
            acc_size: size_of::<F::Acc>(),
            block_len: F::BLOCK,
            exact: F::EXACT,
            free_order: F::FREE_ORDER,
            absorbing: F::ABSORBING,
            blocks: if F::BY_BLOCKS { Some(Compiled::new::<BlockLoop<T, F>>()) } else { None },
            rows: if F::BY_ROWS { Some(Compiled::new::<RowLoop<T, F>>()) } else { None },
            merge: Compiled::new::<MergeLoop<F>>(),
        }
    }
}

/// Bytes of the largest accumulator.
pub(super) const MAX_ACC: usize = 24;

/// Consecutive blocks of one output, or the one block of each of several outputs.
pub(super) struct Blocks {
    /// The first element; elements of a block are consecutive.
    pub x: *const u8,
    pub count: usize,
    /// Elements of every block but the last, and of that.
    pub len: usize,
    pub last: usize,
    /// Elements from one block's start to the next one's.
    pub step: isize,
    /// The logical position of the first element.
    pub at: usize,
    /// Whether each block is an output.
    pub lines: bool,
    /// Whether the accumulator before the first one is that of the block before.
    pub continued: bool,
    /// The parameters of all outputs, and which output is the first.
    pub params: *const u8,
    pub output: usize,
    /// Room for `count` accumulators.
    pub accs: *mut u8,
}

/// Reduces blocks, each to an accumulator; returns how many, as nothing need be read after an absorbing value.
struct BlockLoop<T, F>(PhantomData<(T, F)>);

impl<T: Element, F: Fold<T>> Loop for BlockLoop<T, F> {
    type Args = Blocks;
    type Output = usize;
    #[inline(always)]
    unsafe fn run(b: &Blocks) -> usize {
        let accs = b.accs.cast::<F::Acc>();
        let params = b.params.cast::<F::Param>().wrapping_add(b.output);
        // SAFETY: `continued` says that there is an accumulator.
        let mut before = b.continued.then(|| unsafe { *accs.sub(1) });
        for i in 0..b.count {
            let len = if i + 1 == b.count { b.last } else { b.len };
            let (param, at) = if b.lines { (i, b.at) } else { (0, b.at + i * b.len) };
            // SAFETY: the arguments describe readable blocks and room for the accumulators.
            let acc = unsafe {
                let x = std::slice::from_raw_parts(b.x.cast::<T>().offset(i as isize * b.step), len);
                let acc = F::block(*params.add(param), x, at, before);
                accs.add(i).write(acc);
                acc
            };
            if !b.lines {
                before = Some(acc);
                if F::is_absorbing(acc) {
                    return i + 1;
                }
            }
        }
        b.count
    }
}

/// Rows of elements, one element of each for each of `width` accumulators.
pub(super) struct Rows {
    pub accs: *mut u8,
    pub width: usize,
    /// Whether the first row comes to accumulators that have no value yet.
    pub first: bool,
    pub base: *const u8,
    /// Row `i` starts `offsets[i * stride]` elements after `base`.
    pub offsets: *const isize,
    pub stride: usize,
    pub n: usize,
    /// The logical position of the elements of the first row, and from one row to the next.
    pub at: usize,
    pub at_step: usize,
    /// The parameters of all outputs, and which output is the first.
    pub params: *const u8,
    pub output: usize,
}

/// Rows that are added in one pass over the accumulators.
const ROWS: usize = 4;

/// Adds the rows in turn.
struct RowLoop<T, F>(PhantomData<(T, F)>);

impl<T: Element, F: Fold<T>> Loop for RowLoop<T, F> {
    type Args = Rows;
    type Output = ();
    #[inline(always)]
    unsafe fn run(r: &Rows) {
        // SAFETY: the arguments describe room for the accumulators, parameters and readable rows.
        let (accs, params) = unsafe {
            (
                std::slice::from_raw_parts_mut(r.accs.cast(), r.width),
                std::slice::from_raw_parts(r.params.cast::<F::Param>().add(r.output), r.width),
            )
        };
        let at = |i: usize| r.at + i * r.at_step;
        // SAFETY: as above.
        let row = |i: usize| unsafe {
            std::slice::from_raw_parts(r.base.cast::<T>().offset(*r.offsets.add(i * r.stride)), r.width)
        };
        let mut i = 0;
        if r.first {
            lift_row::<T, F>(accs, row(0), params, at(0));
            i = 1;
        }
        while i + ROWS <= r.n {
            let (x, at) = (
                array(
                    #[inline(always)]
                    |k| row(i + k),
                ),
                array(
                    #[inline(always)]
                    |k| at(i + k),
                ),
            );
            // SAFETY: an earlier row has been lifted into the accumulators.
            unsafe { add_rows::<T, F, ROWS>(accs, x, params, at) };
            i += ROWS;
        }
        while i < r.n {
            // SAFETY: as above.
            unsafe { add_rows::<T, F, 1>(accs, [row(i)], params, [at(i)]) };
            i += 1;
        }
    }
}

#[inline(always)]
fn lift_row<T: Copy, F: Fold<T>>(accs: &mut [MaybeUninit<F::Acc>], row: &[T], params: &[F::Param], at: usize) {
    for ((a, &x), &p) in accs.iter_mut().zip(row).zip(params) {
        a.write(F::lift(p, x, at));
    }
}

/// # Safety
/// The accumulators are initialized.
#[inline(always)]
unsafe fn add_rows<T: Copy, F: Fold<T>, const K: usize>(
    accs: &mut [MaybeUninit<F::Acc>],
    rows: [&[T]; K],
    params: &[F::Param],
    at: [usize; K],
) {
    let width = accs.len();
    let rows: [&[T]; K] = array(
        #[inline(always)]
        |k| &rows[k][..width],
    );
    let params = &params[..width];
    for i in 0..width {
        // SAFETY: the contract.
        let mut a = unsafe { accs[i].assume_init() };
        for k in 0..K {
            a = F::step(a, params[i], rows[k][i], at[k]);
        }
        accs[i].write(a);
    }
}

/// Accumulators `a` that take in accumulators `b`, both `step` apart.
pub(super) struct Merging {
    pub a: *mut u8,
    pub b: *const u8,
    pub step: usize,
    pub n: usize,
}

struct MergeLoop<F>(PhantomData<F>);

impl<F: Merge> Loop for MergeLoop<F> {
    type Args = Merging;
    type Output = ();
    #[inline(always)]
    unsafe fn run(m: &Merging) {
        #[inline(always)]
        fn side_by_side<F: Merge>(a: &mut [F::Acc], b: &[F::Acc]) {
            for (a, &b) in a.iter_mut().zip(b) {
                *a = F::merge(*a, b);
            }
        }
        let (a, b) = (m.a.cast::<F::Acc>(), m.b.cast::<F::Acc>());
        // SAFETY: the arguments describe initialized accumulators, and no `a` is a `b`.
        unsafe {
            if m.step == 1 {
                return side_by_side::<F>(std::slice::from_raw_parts_mut(a, m.n), std::slice::from_raw_parts(b, m.n));
            }
            for i in 0..m.n {
                let a = a.add(i * m.step);
                a.write(F::merge(*a, *b.add(i * m.step)));
            }
        }
    }
}
