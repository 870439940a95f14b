//! Memory of other libraries as arrays, however they lend it.
#![allow(unsafe_code)]

use sciarray_core::shape::size_of;
use sciarray_core::{Array, DType, Result, fail};
use sciarray_cuda::Queue;
use std::any::Any;

/// A strided block that somebody else owns.
pub struct Lent<'a> {
    pub ptr: *const u8,
    pub dtype: DType,
    pub shape: &'a [usize],
    /// In bytes.
    pub strides: &'a [isize],
}

impl Lent<'_> {
    fn offsets(&self) -> impl Iterator<Item = isize> + '_ {
        (0..self.shape.iter().product::<usize>()).map(|mut i| {
            let mut at = 0;
            for (&n, &s) in self.shape.iter().zip(self.strides).rev() {
                at += (i % n) as isize * s;
                i /= n;
            }
            at
        })
    }

    fn is_regular(&self) -> bool {
        let item = self.dtype.size();
        let align = if self.dtype.is_complex() { item / 2 } else { item };
        (self.ptr as usize).is_multiple_of(align)
            && self.shape.iter().zip(self.strides).all(|(&n, &s)| n <= 1 || s % item as isize == 0)
    }

    /// The array on this memory, kept alive by `keep` and never written to; a copy where an element is misaligned, a
    /// stride is no multiple of the element size or a bool byte is neither 0 nor 1, and None if `may_copy` forbids that.
    ///
    /// # Safety
    /// Every index within the shape names initialized memory that stays valid while `keep` lives.
    pub unsafe fn adopt(&self, op: &str, may_copy: bool, keep: Box<dyn Any + Send + Sync>) -> Result<Option<Array>> {
        let item = self.dtype.size();
        if size_of(op, self.shape, item)? == 0 {
            return Array::empty(op, self.dtype, self.shape).map(Some);
        }
        // SAFETY: the caller's contract; a byte may be read as a number whatever it holds.
        let byte = |at: isize| unsafe { self.ptr.offset(at).read() };
        if self.is_regular() && (self.dtype != DType::Bool || self.offsets().all(|at| byte(at) <= 1)) {
            let strides: Vec<isize> = self.strides.iter().map(|s| s / item as isize).collect();
            // SAFETY: the caller's contract, and alignment and bool bytes were just checked.
            return Ok(Some(unsafe { Array::foreign(self.ptr, self.dtype, self.shape, &strides, keep) }));
        }
        if !may_copy {
            return Ok(None);
        }
        let mut y = Array::empty(op, self.dtype, self.shape)?;
        let out = y.view_mut().ptr();
        for (i, at) in self.offsets().enumerate() {
            // SAFETY: `y` has as many elements as the shape, C-contiguous; the source is the caller's contract.
            unsafe {
                if self.dtype == DType::Bool {
                    out.add(i).write((byte(at) != 0) as u8);
                } else {
                    out.add(i * item).copy_from_nonoverlapping(self.ptr.offset(at), item);
                }
            }
        }
        Ok(Some(y))
    }

    /// The array in memory of a device, ready for reads by what the queue is sent from here on.
    ///
    /// # Safety
    /// As for [`Lent::adopt`], with an address of the device; bool bytes are 0 or 1.
    pub unsafe fn adopt_on(&self, queue: &Queue, op: &str, keep: Box<dyn Any + Send + Sync>) -> Result<Array> {
        let item = self.dtype.size();
        if size_of(op, self.shape, item)? == 0 {
            return Array::empty_on(queue, op, self.dtype, self.shape);
        }
        if !self.is_regular() {
            fail!(
                Value,
                "{op}: strides on a device must be multiples of the {item} bytes of an element, got {:?}",
                self.strides
            );
        }
        let strides: Vec<isize> = self.strides.iter().map(|s| s / item as isize).collect();
        // SAFETY: the caller's contract, and alignment was just checked.
        Ok(unsafe { Array::foreign_on(queue, self.ptr as u64, self.dtype, self.shape, &strides, keep) })
    }
}
