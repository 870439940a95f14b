//! The array: a strided view on a buffer, with its place in gradients and recordings.
#![allow(unsafe_code)]

use crate::device::{self, Device};
use crate::dtype::DType;
use crate::error::Result;
use crate::grad::Link;
use crate::op::{Meta, MetaRef};
use crate::record::Slot;
use crate::shape::{Shape, Strides, broadcast_strides, contiguous_strides, size_of};
use crate::storage::Memory;
use num_complex::Complex;
use sciarray_cuda::{Buffer, Queue};
use sciarray_kernels::map::{Kernel, MAX_ARGS};
use sciarray_kernels::{Element, View, ViewMut, view::is_contiguous};
use smallvec::SmallVec;
use std::any::Any;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value: immutable to everybody but a holder of its only reference.
#[derive(Clone)]
pub struct Array(Arc<Fields>);

/// What an [`Array`] refers to; so that arrays are passed around as one pointer.
#[derive(Clone)]
pub struct Fields {
    memory: Memory,
    /// Position of the element at index 0, in elements from the buffer's start.
    offset: usize,
    dtype: DType,
    device: Device,
    shape: Shape,
    strides: Strides,
    /// The node that made this value, if a gradient scope watches it.
    pub(crate) link: Option<Link>,
    /// Open scopes that this value depends on.
    pub(crate) scopes: u64,
    pub(crate) slot: Slot,
}

impl Deref for Array {
    type Target = Fields;
    #[inline]
    fn deref(&self) -> &Fields {
        &self.0
    }
}

impl DerefMut for Array {
    /// Changes this reference alone.
    fn deref_mut(&mut self) -> &mut Fields {
        Arc::make_mut(&mut self.0)
    }
}

/// Elements `start, start + step, ...` of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub start: usize,
    pub step: isize,
    pub len: usize,
}

impl Range {
    pub fn full(len: usize) -> Range {
        Range { start: 0, step: 1, len }
    }
}

/// Strides that enumerate the same elements under another shape, or None if only a copy can.
fn reshape_strides(shape: &[usize], strides: &[isize], target: &[usize]) -> Option<Strides> {
    if is_contiguous(shape, strides) {
        return Some(contiguous_strides(target));
    }
    // Runs of axes that lie behind each other without gaps can be split and merged at will.
    let old: SmallVec<[(usize, isize); 4]> =
        shape.iter().zip(strides).filter(|(n, _)| **n != 1).map(|(&n, &s)| (n, s)).collect();
    let mut out: Strides = SmallVec::from_elem(0, target.len());
    let (mut i, mut j) = (0, 0);
    while i < old.len() {
        let (start, mut have, mut want) = (j, old[i].0, 1);
        let first = i;
        while have != want {
            if want < have {
                want *= *target.get(j)?;
                j += 1;
            } else {
                i += 1;
                have *= old.get(i)?.0;
            }
        }
        while j < target.len() && target[j] == 1 {
            j += 1;
        }
        for k in first..i {
            if old[k].1 != old[k + 1].1 * old[k + 1].0 as isize {
                return None;
            }
        }
        let mut step = old[i].1;
        for k in (start..j).rev() {
            out[k] = step;
            step *= target[k] as isize;
        }
        i += 1;
    }
    Some(out)
}

/// Strides without gaps, in the order of others.
fn dense_strides(shape: &[usize], like: &[isize]) -> Strides {
    let mut order: crate::shape::Axes = (0..shape.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(like[i].unsigned_abs()));
    let mut strides: Strides = SmallVec::from_elem(0, shape.len());
    let mut step = 1;
    for &axis in order.iter().rev() {
        strides[axis] = step;
        step *= shape[axis].max(1) as isize;
    }
    strides
}

/// The lowest place that a view reaches, relative to its first element.
fn lowest(shape: &[usize], strides: &[isize]) -> isize {
    shape.iter().zip(strides).map(|(&n, &s)| ((n.max(1) as isize - 1) * s).min(0)).sum()
}

/// # Safety
/// `from` may be read, and `to` written for `n` elements.
#[inline(always)]
unsafe fn repeat<T: Copy>(from: *const u8, to: *mut u8, n: usize) {
    // SAFETY: the caller's contract; what is read may be aligned to its parts alone.
    unsafe {
        let value = from.cast::<T>().read_unaligned();
        for i in 0..n {
            to.cast::<T>().add(i).write(value);
        }
    }
}

/// One element, as Python sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Complex(Complex<f64>),
}

impl Scalar {
    /// What tells values of one dtype apart.
    pub fn bits(self) -> [u64; 2] {
        match self {
            Scalar::Bool(b) => [b as u64, 0],
            Scalar::Int(i) => [i as u64, 0],
            Scalar::UInt(u) => [u, 0],
            Scalar::Float(x) => [x.to_bits(), 0],
            Scalar::Complex(z) => [z.re.to_bits(), z.im.to_bits()],
        }
    }
}

impl Array {
    #[inline]
    fn on(memory: Memory, offset: usize, dtype: DType, shape: Shape, strides: Strides) -> Array {
        Self::at(Device::CPU, memory, offset, dtype, shape, strides)
    }

    #[inline]
    fn at(device: Device, memory: Memory, offset: usize, dtype: DType, shape: Shape, strides: Strides) -> Array {
        Array(Arc::new(Fields {
            memory,
            offset,
            dtype,
            device,
            shape,
            strides,
            link: None,
            scopes: 0,
            slot: Slot::NONE,
        }))
    }

    /// [`Array::empty`] on the device of a queue.
    pub fn empty_on(queue: &Queue, op: &str, dtype: DType, shape: &[usize]) -> Result<Array> {
        let n = size_of(op, shape, dtype.size())?;
        Ok(Self::in_buffer(queue.allocate(n * dtype.size())?, dtype, shape))
    }

    /// The C-contiguous array in a device's memory, which is as long.
    pub(crate) fn in_buffer(buffer: Buffer, dtype: DType, shape: &[usize]) -> Array {
        let device = Device::cuda(buffer.device());
        Self::at(device, Memory::on_device(buffer), 0, dtype, Shape::from_slice(shape), contiguous_strides(shape))
    }

    /// [`Array::empty_ordered`] on the device of a queue.
    pub fn empty_ordered_on(queue: &Queue, op: &str, dtype: DType, shape: &[usize], like: &[isize]) -> Result<Array> {
        let mut out = Self::empty_on(queue, op, dtype, shape)?;
        out.strides = dense_strides(shape, like);
        Ok(out)
    }

    /// An uninitialized C-contiguous array; `op` names the caller in errors.
    #[inline]
    pub fn empty(op: &str, dtype: DType, shape: &[usize]) -> Result<Array> {
        let n = size_of(op, shape, dtype.size())?;
        let memory = Memory::new(op, n * dtype.size())?;
        Ok(Self::on(memory, 0, dtype, Shape::from_slice(shape), contiguous_strides(shape)))
    }

    /// An uninitialized dense array whose axes lie in memory in the order of `like`'s strides.
    pub fn empty_ordered(op: &str, dtype: DType, shape: &[usize], like: &[isize]) -> Result<Array> {
        let mut out = Self::empty(op, dtype, shape)?;
        out.strides = dense_strides(shape, like);
        Ok(out)
    }

    /// Whether this is how [`Array::empty_ordered`] lays out its shape.
    pub fn is_dense_like(&self, like: &[isize]) -> bool {
        self.strides == dense_strides(&self.shape, like)
    }

    pub fn zeros(op: &str, dtype: DType, shape: &[usize]) -> Result<Array> {
        let out = Self::empty(op, dtype, shape)?;
        // SAFETY: the buffer is fresh and holds this many bytes; zero bytes are a value of every dtype.
        unsafe { out.memory.ptr().write_bytes(0, out.size() * dtype.size()) };
        Ok(out)
    }

    /// A C-contiguous array with these elements.
    pub fn from_slice<T: Element>(op: &str, data: &[T], shape: &[usize]) -> Result<Array> {
        let mut out = Self::empty(op, T::DTYPE, shape)?;
        assert_eq!(data.len(), out.size());
        out.view_mut().as_slice::<T>().expect("fresh arrays are contiguous").copy_from_slice(data);
        Ok(out)
    }

    /// A 0-d array.
    pub fn scalar<T: Element>(v: T) -> Result<Array> {
        let out = Self::empty("scalar", T::DTYPE, &[])?;
        // SAFETY: fresh memory of one element.
        unsafe { out.memory.ptr().cast::<T>().write(v) };
        Ok(out)
    }

    /// A 0-d array of `dtype` holding `v` converted as NumPy's `astype` does.
    pub fn scalar_of(v: Scalar, dtype: DType) -> Result<Array> {
        macro_rules! real {
            ($x:expr) => {
                match dtype {
                    DType::Bool => Self::scalar($x != Default::default()),
                    DType::I8 => Self::scalar($x as i8),
                    DType::I16 => Self::scalar($x as i16),
                    DType::I32 => Self::scalar($x as i32),
                    DType::I64 => Self::scalar($x as i64),
                    DType::U8 => Self::scalar($x as u8),
                    DType::U16 => Self::scalar($x as u16),
                    DType::U32 => Self::scalar($x as u32),
                    DType::U64 => Self::scalar($x as u64),
                    DType::F32 => Self::scalar($x as f32),
                    DType::F64 => Self::scalar($x as f64),
                    DType::C64 => Self::scalar(Complex::new($x as f32, 0.0)),
                    DType::C128 => Self::scalar(Complex::new($x as f64, 0.0)),
                }
            };
        }
        match v {
            Scalar::Bool(b) => real!(b as u8),
            Scalar::Int(i) => real!(i),
            Scalar::UInt(u) => real!(u),
            Scalar::Float(f) => real!(f),
            Scalar::Complex(z) => match dtype {
                DType::Bool => Self::scalar(z != Complex::default()),
                DType::C64 => Self::scalar(Complex::new(z.re as f32, z.im as f32)),
                DType::C128 => Self::scalar(z),
                _ => Self::scalar_of(Scalar::Float(z.re), dtype),
            },
        }
    }

    /// Memory from outside, kept alive by `keep` and never written to.
    ///
    /// # Safety
    /// Every index within `shape`, through `strides` in elements from `ptr`, names initialized, aligned memory of
    /// `dtype` that stays valid while `keep` lives. bool bytes are 0 or 1.
    pub unsafe fn foreign(
        ptr: *const u8,
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        keep: Box<dyn Any + Send + Sync>,
    ) -> Array {
        let low = lowest(shape, strides);
        // SAFETY: `low` elements before `ptr` is the lowest address that the view reaches.
        let base = unsafe { ptr.offset(low * dtype.size() as isize) };
        // SAFETY: the caller's contract covers the whole reach.
        let memory = unsafe { Memory::foreign(base, keep) };
        Self::on(memory, low.unsigned_abs(), dtype, Shape::from_slice(shape), Strides::from_slice(strides))
    }

    /// [`Array::foreign`] in memory of a device, ready for reads by what the queue is sent from here on.
    ///
    /// # Safety
    /// As there, with an address of the device.
    pub unsafe fn foreign_on(
        queue: &Queue,
        address: u64,
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        keep: Box<dyn Any + Send + Sync>,
    ) -> Array {
        let low = lowest(shape, strides);
        let base = address.wrapping_add_signed((low * dtype.size() as isize) as i64);
        let memory = Memory::on_device(queue.borrow(base, keep));
        let device = Device::cuda(queue.device());
        Self::at(device, memory, low.unsigned_abs(), dtype, Shape::from_slice(shape), Strides::from_slice(strides))
    }

    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }
    #[inline]
    pub fn device(&self) -> Device {
        self.device
    }
    /// The block of a device's memory that the elements lie in.
    pub fn buffer(&self) -> &Buffer {
        self.memory.buffer().expect("an array on a device")
    }
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }
    /// In elements.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }
    #[inline]
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
    #[inline]
    pub fn meta(&self) -> MetaRef<'_> {
        MetaRef { dtype: self.dtype, shape: &self.shape }
    }
    pub fn owned_meta(&self) -> Meta {
        Meta { dtype: self.dtype, shape: self.shape.clone() }
    }
    pub fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }
    /// Whether the memory belongs to somebody else, who may write to it.
    pub fn is_foreign(&self) -> bool {
        self.memory.is_foreign()
    }
    /// Whether dtype, shape and every bit of the elements agree.
    pub fn same_bits(&self, other: &Array) -> bool {
        if self.dtype != other.dtype || self.shape != other.shape {
            return false;
        }
        if !self.device.is_cpu() || !other.device.is_cpu() {
            return self.device == other.device
                && self.shares_buffer(other)
                && self.offset == other.offset
                && self.strides == other.strides;
        }
        let (Ok(a), Ok(b)) = (self.contiguous("compare"), other.contiguous("compare")) else { return false };
        let n = self.size() * self.dtype.size();
        // SAFETY: contiguous arrays of `n` bytes.
        unsafe { std::slice::from_raw_parts(a.ptr(), n) == std::slice::from_raw_parts(b.ptr(), n) }
    }
    /// Whether one of these scopes watched this value being made.
    pub fn is_tracked_by(&self, scopes: u64) -> bool {
        self.link.is_some() && self.scopes & scopes != 0
    }
    pub fn link(&self) -> Option<&Link> {
        self.link.as_ref()
    }

    /// Address of the element at index 0, on the array's device.
    #[inline]
    pub fn ptr(&self) -> *const u8 {
        // SAFETY: `offset` lies inside the buffer, or the array has no elements and the result is not read.
        unsafe { self.memory.ptr().add(self.offset * self.dtype.size()) }
    }

    /// Views are read and written by this processor.
    #[inline]
    fn assert_host(&self) {
        assert!(self.device.is_cpu(), "the memory of a device has no view");
    }

    #[inline]
    pub fn view(&self) -> View<'_> {
        self.assert_host();
        // SAFETY: an Array's shape and strides stay inside its buffer, and nobody writes to a shared buffer.
        unsafe { View::new(self.ptr(), self.dtype, &self.shape, &self.strides) }
    }

    /// The elements read as `target` through `strides` of length `target.len()`, as [`broadcast_strides`] makes them.
    #[inline]
    pub fn view_as<'a>(&'a self, target: &'a [usize], strides: &'a [isize]) -> View<'a> {
        self.assert_host();
        debug_assert_eq!(&broadcast_strides(&self.shape, &self.strides, target)[..], strides);
        // SAFETY: broadcast strides reach no element that the array itself does not reach.
        unsafe { View::new(self.ptr(), self.dtype, target, strides) }
    }

    /// A kernel over few contiguous elements of its dtypes, with 0-d arguments repeated; None where the arguments are others.
    /// The views and layouts of the driver would cost more than the computation.
    #[inline]
    pub fn run_small(op: &str, kernel: &Kernel, ins: &[&Array]) -> Option<Result<Array>> {
        const SMALL: usize = 128;
        let whole = *ins.iter().find(|x| x.ndim() != 0).unwrap_or(&ins[0]);
        let n = whole.size();
        assert_eq!(ins.len(), kernel.ins().len());
        if n == 0 || n > SMALL || !whole.is_contiguous() {
            return None;
        }
        let mut args = [std::ptr::null(); MAX_ARGS];
        let mut repeated = [[MaybeUninit::<u64>::uninit(); 2 * SMALL]; MAX_ARGS];
        for (k, (x, &dtype)) in ins.iter().zip(kernel.ins()).enumerate() {
            if x.dtype != dtype {
                return None;
            }
            args[k] = x.ptr();
            // Lengths one by one: a call to compare so few costs more.
            if std::ptr::eq(*x, whole)
                || (x.ndim() == whole.ndim() && x.shape().iter().eq(whole.shape()) && x.is_contiguous())
            {
                continue;
            }
            if x.ndim() != 0 {
                return None;
            }
            let to = repeated[k].as_mut_ptr().cast::<u8>();
            // SAFETY: one element is read, and room for `n` of at most 16 bytes is written.
            unsafe {
                match dtype.size() {
                    1 => repeat::<u8>(args[k], to, n),
                    2 => repeat::<u16>(args[k], to, n),
                    4 => repeat::<u32>(args[k], to, n),
                    8 => repeat::<u64>(args[k], to, n),
                    _ => repeat::<[u64; 2]>(args[k], to, n),
                }
            }
            args[k] = to;
        }
        let memory = match Memory::new(op, n * kernel.out().size()) {
            Ok(memory) => memory,
            Err(e) => return Some(Err(e)),
        };
        let (shape, strides) = (Shape::from_slice(&whole.shape), Strides::from_slice(&whole.strides));
        let y = Array::on(memory, 0, kernel.out(), shape, strides);
        // SAFETY: each argument is `n` elements of the kernel's dtype; the result is fresh memory for as many.
        unsafe { (kernel.tile())(args.as_ptr(), y.memory.ptr(), n) };
        Some(Ok(y))
    }

    /// A view to write through.
    ///
    /// Panics unless this is the only reference to own, non-overlapping memory; see [`Array::make_writable`].
    #[inline]
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        self.assert_host();
        assert!(self.is_writable(), "write to shared memory");
        let ptr = self.ptr().cast_mut();
        // SAFETY: the buffer is ours alone, as just checked.
        unsafe { ViewMut::new(ptr, self.dtype, &self.shape, &self.strides) }
    }

    /// Whether a write reaches no other array. Broadcast views, whose elements overlap, are not writable.
    pub fn is_writable(&self) -> bool {
        Arc::strong_count(&self.0) == 1
            && self.memory.is_exclusive()
            && self.shape.iter().zip(&self.strides).all(|(&n, &s)| n <= 1 || s != 0)
    }

    /// Whether the two arrays lie on one buffer.
    pub fn shares_buffer(&self, other: &Array) -> bool {
        self.memory.is_same(&other.memory)
    }

    /// The same values, writable: itself when nobody else holds the memory, else a copy.
    pub fn make_writable(self, op: &str) -> Result<Array> {
        if self.is_writable() { Ok(self.detach()) } else { self.copy(op) }
    }

    /// The same values without history on the CPU, as reads of elements need them.
    pub fn to_cpu(&self) -> Result<Array> {
        if self.device.is_cpu() { Ok(self.clone()) } else { device::transfer(self, Device::CPU) }
    }

    /// A fresh C-contiguous copy without history.
    pub fn copy(&self, op: &str) -> Result<Array> {
        if !self.device.is_cpu() {
            return device::copy(op, self);
        }
        let mut out = Self::empty(op, self.dtype, &self.shape)?;
        sciarray_kernels::copy::copy(&self.view(), &mut out.view_mut());
        Ok(out)
    }

    /// The same values in C order: itself where they are already.
    pub fn contiguous(&self, op: &str) -> Result<Array> {
        if self.is_contiguous() { Ok(self.clone()) } else { self.copy(op) }
    }

    /// Another view on the same buffer, without history.
    ///
    /// # Safety
    /// Every index within `shape` must stay inside the buffer.
    unsafe fn reinterpret(&self, dtype: DType, shape: Shape, strides: Strides, offset: usize) -> Array {
        Self::at(self.device, self.memory.clone(), offset, dtype, shape, strides)
    }

    /// The elements in C order under another shape of the same size, without copying if the strides permit.
    pub fn reshaped(&self, op: &str, shape: &[usize]) -> Result<Array> {
        assert_eq!(shape.iter().product::<usize>(), self.size());
        let strides = match reshape_strides(&self.shape, &self.strides, shape) {
            Some(s) => s,
            None => return self.copy(op)?.reshaped(op, shape),
        };
        // SAFETY: the same elements, enumerated otherwise.
        Ok(unsafe { self.reinterpret(self.dtype, Shape::from_slice(shape), strides, self.offset) })
    }

    /// Axes in another order.
    pub fn permuted(&self, axes: &[usize]) -> Array {
        debug_assert!((0..self.ndim()).all(|i| axes.contains(&i)) && axes.len() == self.ndim());
        let shape = axes.iter().map(|&a| self.shape[a]).collect();
        let strides = axes.iter().map(|&a| self.strides[a]).collect();
        // SAFETY: the same elements, enumerated otherwise.
        unsafe { self.reinterpret(self.dtype, shape, strides, self.offset) }
    }

    /// Read as a larger shape with stride 0 along new and stretched axes.
    pub fn broadcasted(&self, shape: &[usize]) -> Array {
        let strides = self.strides_for(shape);
        // SAFETY: broadcast strides reach no element that the array itself does not reach.
        unsafe { self.reinterpret(self.dtype, Shape::from_slice(shape), strides, self.offset) }
    }

    /// Per axis `len` elements from `start` in steps of `step`; the caller has checked that they exist. `shape` is that of the
    /// ranges but for axes of length 1, which it may leave out or add.
    pub fn sliced(&self, ranges: &[Range], shape: &[usize]) -> Array {
        assert_eq!(ranges.len(), self.ndim());
        let mut offset = self.offset as isize;
        let mut strides = Strides::new();
        let mut long = shape.iter().filter(|&&n| n != 1);
        for ((r, &n), &s) in ranges.iter().zip(&self.shape).zip(&self.strides) {
            let last = r.start as isize + (r.len.max(1) as isize - 1) * r.step;
            assert!(r.len == 0 || (r.start < n && (0..n as isize).contains(&last)), "slice within the axis");
            if r.len > 0 {
                offset += r.start as isize * s;
            }
            if r.len != 1 {
                assert_eq!(long.next(), Some(&r.len), "the shape of the ranges");
                // Axes of length 1 before this one.
                while shape[strides.len()] == 1 {
                    strides.push(0);
                }
                strides.push(s * r.step);
            }
        }
        assert_eq!(long.next(), None, "the shape of the ranges");
        strides.resize(shape.len(), 0);
        // SAFETY: first and last element of every axis were just checked to lie inside.
        unsafe { self.reinterpret(self.dtype, Shape::from_slice(shape), strides, offset as usize) }
    }

    /// A writable view on a part of a writable array.
    ///
    /// Panics as [`Array::view_mut`] does.
    pub fn write_part(&mut self, ranges: &[Range], src: &Array) -> Result<()> {
        assert!(self.is_writable(), "write to shared memory");
        let shape: Shape = ranges.iter().map(|r| r.len).collect();
        let part = self.sliced(ranges, &shape);
        let src = src.broadcasted(&part.shape);
        if !self.device.is_cpu() {
            return device::copy_to(&src, &part);
        }
        // SAFETY: `self` is the only holder but for `part`, which names each element once.
        let mut dst = unsafe { ViewMut::new(part.ptr().cast_mut(), part.dtype, &part.shape, &part.strides) };
        sciarray_kernels::copy::copy(&src.view(), &mut dst);
        Ok(())
    }

    /// Real or imaginary parts of a complex array as a strided float view.
    pub fn part(&self, imaginary: bool) -> Array {
        assert!(self.dtype.is_complex());
        let strides = self.strides.iter().map(|s| s * 2).collect();
        // SAFETY: a complex number is its two parts in order.
        unsafe {
            self.reinterpret(self.dtype.real(), self.shape.clone(), strides, self.offset * 2 + imaginary as usize)
        }
    }

    /// Whether `shape` broadcasts to itself from this array's shape; the strides to read it so.
    pub fn strides_for(&self, target: &[usize]) -> Strides {
        broadcast_strides(&self.shape, &self.strides, target)
    }

    /// The same values without history: no gradient flows into it.
    pub fn detach(mut self) -> Array {
        if self.link.is_some() || self.scopes != 0 {
            self.link = None;
            self.scopes = 0;
        }
        self
    }

    /// The element at a position in logical order, of an array on the CPU.
    pub fn get(&self, index: usize) -> Scalar {
        self.assert_host();
        let mut rest = index;
        let mut at = self.offset as isize;
        for (&n, &s) in self.shape.iter().zip(&self.strides).rev() {
            at += (rest % n) as isize * s;
            rest /= n;
        }
        assert_eq!(rest, 0, "index within the array");
        // SAFETY: the index is within the shape, so the address is within the buffer and initialized.
        unsafe {
            let p = self.memory.ptr().offset(at * self.dtype.size() as isize);
            match self.dtype {
                DType::Bool => Scalar::Bool(*p != 0),
                DType::I8 => Scalar::Int(*p.cast::<i8>() as i64),
                DType::I16 => Scalar::Int(*p.cast::<i16>() as i64),
                DType::I32 => Scalar::Int(*p.cast::<i32>() as i64),
                DType::I64 => Scalar::Int(*p.cast::<i64>()),
                DType::U8 => Scalar::UInt(*p as u64),
                DType::U16 => Scalar::UInt(*p.cast::<u16>() as u64),
                DType::U32 => Scalar::UInt(*p.cast::<u32>() as u64),
                DType::U64 => Scalar::UInt(*p.cast::<u64>()),
                DType::F32 => Scalar::Float(*p.cast::<f32>() as f64),
                DType::F64 => Scalar::Float(*p.cast::<f64>()),
                DType::C64 => {
                    let z = *p.cast::<Complex<f32>>();
                    Scalar::Complex(Complex::new(z.re as f64, z.im as f64))
                }
                DType::C128 => Scalar::Complex(*p.cast::<Complex<f64>>()),
            }
        }
    }
}

impl std::fmt::Debug for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.device.is_cpu() {
            return write!(f, "Array({}, {:?}, {})", self.dtype.name(), self.shape, self.device);
        }
        let items: Vec<_> = (0..self.size().min(16)).map(|i| self.get(i)).collect();
        write!(f, "Array({}, {:?}, {items:?})", self.dtype.name(), self.shape)
    }
}
