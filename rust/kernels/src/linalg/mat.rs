//! A matrix in strided memory, without a lifetime: what blocked algorithms split and hand to threads.
#![allow(unsafe_code)]

/// `rows` x `cols` elements, element (i, j) at `ptr + i rs + j cs`.
pub(crate) struct Mat<T> {
    pub(crate) ptr: *mut T,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) rs: isize,
    pub(crate) cs: isize,
}

impl<T> Clone for Mat<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Mat<T> {}

// SAFETY: a plain address; whoever reads or writes through it answers for the aliasing.
unsafe impl<T: Send> Send for Mat<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Mat<T> {}

impl<T: Copy> Mat<T> {
    /// A matrix in column-major memory without gaps.
    pub(crate) fn columns(ptr: *mut T, rows: usize, cols: usize) -> Self {
        Mat { ptr, rows, cols, rs: 1, cs: rows as isize }
    }

    /// The same matrix `offset` elements further on.
    #[inline(always)]
    pub(crate) fn offset(self, offset: isize) -> Self {
        Mat { ptr: self.ptr.wrapping_offset(offset), ..self }
    }

    /// The address of element (i, j).
    #[inline(always)]
    pub(crate) fn at(self, i: usize, j: usize) -> *mut T {
        self.ptr.wrapping_offset(i as isize * self.rs + j as isize * self.cs)
    }

    /// # Safety
    /// (i, j) lies inside, is initialized and not being written elsewhere.
    #[inline(always)]
    pub(crate) unsafe fn get(self, i: usize, j: usize) -> T {
        debug_assert!(i < self.rows && j < self.cols);
        // SAFETY: the caller's contract.
        unsafe { *self.at(i, j) }
    }

    /// # Safety
    /// (i, j) lies inside and is not in use elsewhere.
    #[inline(always)]
    pub(crate) unsafe fn set(self, i: usize, j: usize, value: T) {
        debug_assert!(i < self.rows && j < self.cols);
        // SAFETY: the caller's contract.
        unsafe { *self.at(i, j) = value }
    }

    /// The `rows` x `cols` block whose first element is (i, j).
    #[inline(always)]
    pub(crate) fn block(self, i: usize, j: usize, rows: usize, cols: usize) -> Self {
        debug_assert!(i + rows <= self.rows && j + cols <= self.cols);
        Mat { ptr: self.at(i, j), rows, cols, ..self }
    }

    /// The transpose.
    #[inline(always)]
    pub(crate) fn t(self) -> Self {
        Mat { ptr: self.ptr, rows: self.cols, cols: self.rows, rs: self.cs, cs: self.rs }
    }

    /// Rows and columns in reverse order, which turns an upper triangle into a lower one.
    #[inline(always)]
    pub(crate) fn reversed(self) -> Self {
        if self.rows == 0 || self.cols == 0 {
            return self;
        }
        Mat { ptr: self.at(self.rows - 1, self.cols - 1), rs: -self.rs, cs: -self.cs, ..self }
    }

    /// Rows in reverse order.
    #[inline(always)]
    pub(crate) fn rows_reversed(self) -> Self {
        if self.rows == 0 {
            return self;
        }
        Mat { ptr: self.at(self.rows - 1, 0), rs: -self.rs, ..self }
    }

    /// # Safety
    /// All elements may be written.
    pub(crate) unsafe fn fill(self, value: T) {
        for i in 0..self.rows {
            for j in 0..self.cols {
                // SAFETY: the caller's contract.
                unsafe { self.set(i, j, value) }
            }
        }
    }

    /// Copies in square tiles, so that one of two transposed layouts does not miss the cache on every element.
    ///
    /// # Safety
    /// `src` has the same shape and is readable, `self` writable, and they do not overlap unless they are the same.
    pub(crate) unsafe fn copy_from(self, src: Mat<T>) {
        const TILE: usize = 16;
        debug_assert!(self.rows == src.rows && self.cols == src.cols);
        // SAFETY: the caller's contract; all indices lie inside.
        unsafe {
            if self.rs == 1 && src.rs == 1 {
                for j in 0..self.cols {
                    std::ptr::copy(src.at(0, j), self.at(0, j), self.rows);
                }
                return;
            }
            for i0 in (0..self.rows).step_by(TILE) {
                for j0 in (0..self.cols).step_by(TILE) {
                    for j in j0..(j0 + TILE).min(self.cols) {
                        for i in i0..(i0 + TILE).min(self.rows) {
                            self.set(i, j, src.get(i, j));
                        }
                    }
                }
            }
        }
    }
}
