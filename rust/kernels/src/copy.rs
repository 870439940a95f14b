//! Copying between views: any dtypes, any strides, broadcast sources.
#![allow(unsafe_code)]

use crate::map::program::{Program, run};
use crate::pool::parallel_for;
use crate::{View, ViewMut};

/// Bytes that one thread moves in the time that starting another one takes.
const MIN_TASK_BYTES: usize = 256 << 10;

/// `dst[...] = src`, converting as NumPy's `astype` does; both have one shape (a broadcast source has stride 0).
///
/// The views do not overlap, or are exactly the same memory with the same strides.
pub fn copy(src: &View, dst: &mut ViewMut) {
    assert_eq!(src.shape(), dst.shape());
    let same = src.dtype() == dst.dtype();
    if same && src.is_contiguous() && dst.is_contiguous() {
        let bytes = src.size() * src.dtype().size();
        let (from, to) = (src.ptr() as usize, dst.ptr() as usize);
        if from == to {
            return;
        }
        return parallel_for(bytes.div_ceil(64), MIN_TASK_BYTES / 64, |lines| {
            let (start, end) = (lines.start * 64, (lines.end * 64).min(bytes));
            // SAFETY: the views' contracts; the ranges are disjoint and the views do not overlap.
            unsafe { std::ptr::copy_nonoverlapping((from + start) as *const u8, (to + start) as *mut u8, end - start) }
        });
    }
    run(&Program::new(&[dst.dtype()], &[], &[0]), std::slice::from_ref(src), std::slice::from_mut(dst));
}
