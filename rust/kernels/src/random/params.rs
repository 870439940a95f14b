//! Distribution parameters, broadcast to the shape of the output.
#![allow(unsafe_code)]

use crate::{Element, View};
use smallvec::SmallVec;

/// Reads a broadcast view in C order, from any element on.
pub struct Cursor<'a, T> {
    view: View<'a>,
    index: SmallVec<[usize; 6]>,
    offset: isize,
    empty: bool,
    elements: std::marker::PhantomData<T>,
}

impl<'a, T: Element> Cursor<'a, T> {
    pub fn at(view: View<'a>, first: usize) -> Self {
        assert_eq!(view.dtype(), T::DTYPE, "parameter dtype");
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, view.ndim());
        let mut rest = first;
        let mut offset = 0;
        for axis in (0..view.ndim()).rev() {
            let length = view.shape()[axis].max(1);
            index[axis] = rest % length;
            rest /= length;
            offset += index[axis] as isize * view.strides()[axis];
        }
        Cursor { view, index, offset, empty: view.size() == 0, elements: std::marker::PhantomData }
    }

    /// The value of every element, where there is only one.
    pub fn constant(&self) -> Option<T> {
        let mut axes = self.view.shape().iter().zip(self.view.strides());
        (!self.empty && axes.all(|(&length, &stride)| length == 1 || stride == 0)).then(|| self.read())
    }

    #[inline]
    fn read(&self) -> T {
        assert!(!self.empty, "an empty parameter has no value");
        // SAFETY: `index` lies within the non-empty shape, `offset` belongs to it, and the dtype was checked.
        unsafe { *self.view.ptr().cast::<T>().offset(self.offset) }
    }

    /// The current element; steps on, after the last one to the first.
    #[inline]
    pub fn next(&mut self) -> T {
        let value = self.read();
        for axis in (0..self.index.len()).rev() {
            let stride = self.view.strides()[axis];
            self.index[axis] += 1;
            self.offset += stride;
            if self.index[axis] < self.view.shape()[axis] {
                break;
            }
            self.offset -= stride * self.view.shape()[axis] as isize;
            self.index[axis] = 0;
        }
        value
    }
}
