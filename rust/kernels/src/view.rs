//! Strided views on memory of a run-time dtype: what every kernel reads and writes.
#![allow(unsafe_code)]

use crate::{DType, Element};
use std::marker::PhantomData;

/// A read-only strided view. Strides count elements, may be negative or zero; `ptr` is the element at index 0.
#[derive(Clone, Copy)]
pub struct View<'a> {
    ptr: *const u8,
    dtype: DType,
    shape: &'a [usize],
    strides: &'a [isize],
    life: PhantomData<&'a u8>,
}

/// A strided view to write to. Where two indices could name one element, a kernel must not be given it.
pub struct ViewMut<'a> {
    ptr: *mut u8,
    dtype: DType,
    shape: &'a [usize],
    strides: &'a [isize],
    life: PhantomData<&'a mut u8>,
}

// SAFETY: a View is a shared borrow and a ViewMut a unique borrow of plain data.
unsafe impl Send for View<'_> {}
// SAFETY: as above.
unsafe impl Sync for View<'_> {}
// SAFETY: as above.
unsafe impl Send for ViewMut<'_> {}

macro_rules! common {
    () => {
        #[inline]
        pub fn dtype(&self) -> DType {
            self.dtype
        }
        #[inline]
        pub fn shape(&self) -> &'a [usize] {
            self.shape
        }
        #[inline]
        pub fn strides(&self) -> &'a [isize] {
            self.strides
        }
        #[inline]
        pub fn ndim(&self) -> usize {
            self.shape.len()
        }
        #[inline]
        pub fn size(&self) -> usize {
            self.shape.iter().product()
        }
        /// Whether the elements lie in C order without gaps.
        pub fn is_contiguous(&self) -> bool {
            is_contiguous(self.shape, self.strides)
        }
    };
}

/// Whether elements of this shape and these strides lie in C order without gaps.
#[inline]
pub fn is_contiguous(shape: &[usize], strides: &[isize]) -> bool {
    let mut expected = 1;
    for (&n, &s) in shape.iter().zip(strides).rev() {
        if n == 0 {
            return true;
        }
        if n != 1 && s != expected {
            return false;
        }
        expected *= n as isize;
    }
    true
}

impl<'a> View<'a> {
    /// # Safety
    /// Every index within `shape` names initialized, aligned memory of `dtype` that nobody writes during `'a`.
    #[inline]
    pub unsafe fn new(ptr: *const u8, dtype: DType, shape: &'a [usize], strides: &'a [isize]) -> Self {
        debug_assert_eq!(shape.len(), strides.len());
        View { ptr, dtype, shape, strides, life: PhantomData }
    }
    #[inline]
    pub fn ptr(&self) -> *const u8 {
        self.ptr
    }
    common!();
    /// The elements as a slice, when they are contiguous and of type `T`.
    pub fn as_slice<T: Element>(&self) -> Option<&'a [T]> {
        if T::DTYPE != self.dtype || !self.is_contiguous() {
            return None;
        }
        let n = self.size();
        if n == 0 {
            return Some(&[]);
        }
        // SAFETY: the constructor's contract, and the check above.
        Some(unsafe { std::slice::from_raw_parts(self.ptr.cast(), n) })
    }
}

impl<'a> ViewMut<'a> {
    /// # Safety
    /// Every index within `shape` names aligned memory of `dtype` that only this view touches during `'a`, no element twice.
    #[inline]
    pub unsafe fn new(ptr: *mut u8, dtype: DType, shape: &'a [usize], strides: &'a [isize]) -> Self {
        debug_assert_eq!(shape.len(), strides.len());
        ViewMut { ptr, dtype, shape, strides, life: PhantomData }
    }
    #[inline]
    pub fn ptr(&mut self) -> *mut u8 {
        self.ptr
    }
    common!();
    /// The elements as a slice, when they are contiguous and of type `T`.
    pub fn as_slice<T: Element>(&mut self) -> Option<&'a mut [T]> {
        if T::DTYPE != self.dtype || !self.is_contiguous() {
            return None;
        }
        let n = self.size();
        if n == 0 {
            return Some(&mut []);
        }
        // SAFETY: the constructor's contract, and the check above.
        Some(unsafe { std::slice::from_raw_parts_mut(self.ptr.cast(), n) })
    }
}
