//! Who factorizes matrices beyond the small kernels. The batch, strides, failures and NaN are the caller's business.
#![allow(unsafe_code)]

use super::Triangle;
use super::blocked::Blocked;
use super::field::Field;
use super::mat::Mat;

/// Factorizations and solvers of one matrix, on as many threads as are free. No result depends on how many those are.
pub(crate) trait Backend<T: Field>: Sync {
    /// P A = L U in place in a column-major square matrix; row i was exchanged with row `swaps[i]`. The first zero pivot.
    ///
    /// # Safety
    /// `a` may be read and written, and `swaps` is as long as `a` has rows.
    unsafe fn lu(&self, a: Mat<T>, swaps: &mut [usize]) -> Option<usize>;

    /// A = L L^H in place in the lower triangle of a column-major square matrix; the other triangle is neither read nor
    /// meaningful afterwards. The first pivot that is not positive.
    ///
    /// # Safety
    /// `a` may be read and written.
    unsafe fn cholesky(&self, a: Mat<T>) -> Option<usize>;

    /// T x = b in place, any strides.
    ///
    /// # Safety
    /// `a` is readable and square with as many rows as `x`, which may be read and written; they do not overlap.
    unsafe fn solve(&self, triangle: Triangle, a: Mat<T>, x: Mat<T>);
}

/// The backend for this element type.
pub(crate) fn backend<T: Field>() -> &'static dyn Backend<T> {
    &Blocked
}
