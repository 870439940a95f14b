//! Memory of arrays: 64-byte aligned blocks from a bounded cache of size classes, or memory that somebody else owns.
#![allow(unsafe_code)]

use crate::error::Result;
use crate::fail;
use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::cell::RefCell;
use std::ptr::NonNull;
use std::sync::Mutex;

const ALIGN: usize = 64;
/// Smallest class: 64 bytes. Class `c` holds `64 << c` bytes.
const CLASSES: usize = 40;
/// Classes up to 64 KiB are cached per thread without a lock.
const LOCAL: usize = 11;
const LOCAL_DEPTH: usize = 32;
/// What the shared cache keeps at most.
const SHARED_BYTES: usize = 512 << 20;

/// A block of memory, freed or handed back when the last array on it goes.
pub struct Buffer {
    ptr: NonNull<u8>,
    bytes: usize,
    owner: Owner,
}

enum Owner {
    Cache(usize),
    /// Dropped last to release memory that came from outside. It is never written to.
    Foreign { _keep: Box<dyn Any + Send + Sync> },
}

// SAFETY: a Buffer is plain bytes; it is written only by whoever holds the only reference.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

#[derive(Default)]
struct Shared {
    free: Vec<Vec<usize>>,
    bytes: usize,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared { free: Vec::new(), bytes: 0 });

struct Local([Vec<usize>; LOCAL]);

impl Drop for Local {
    fn drop(&mut self) {
        for (class, list) in self.0.iter().enumerate() {
            for &p in list {
                release(p, class);
            }
        }
    }
}

thread_local! {
    static CACHE: RefCell<Local> = const { RefCell::new(Local([const { Vec::new() }; LOCAL])) };
}

const fn class_of(bytes: usize) -> usize {
    let units = bytes.div_ceil(ALIGN);
    if units <= 1 { 0 } else { (usize::BITS - (units - 1).leading_zeros()) as usize }
}

fn release(p: usize, class: usize) {
    // SAFETY: `p` came from `alloc` with the layout of its class and nobody refers to it any more.
    unsafe { dealloc(p as *mut u8, Layout::from_size_align_unchecked(ALIGN << class, ALIGN)) }
}

impl Buffer {
    /// Uninitialized memory of at least `bytes` bytes.
    pub fn new(op: &str, bytes: usize) -> Result<Buffer> {
        let class = class_of(bytes);
        if class < CLASSES {
            let cached = if class < LOCAL {
                CACHE.try_with(|c| c.borrow_mut().0[class].pop()).unwrap_or(None)
            } else {
                let mut s = SHARED.lock().unwrap_or_else(|e| e.into_inner());
                let p = s.free.get_mut(class).and_then(Vec::pop);
                if p.is_some() {
                    s.bytes -= ALIGN << class;
                }
                p
            };
            if let Some(ptr) = cached.and_then(|p| NonNull::new(p as *mut u8)) {
                return Ok(Buffer { ptr, bytes, owner: Owner::Cache(class) });
            }
            // SAFETY: the size is not zero and the alignment a power of two.
            let p = unsafe { alloc(Layout::from_size_align_unchecked(ALIGN << class, ALIGN)) };
            if let Some(ptr) = NonNull::new(p) {
                return Ok(Buffer { ptr, bytes, owner: Owner::Cache(class) });
            }
        }
        fail!(Memory, "{op}: unable to allocate {bytes} bytes")
    }

    /// Memory that `keep` owns and that stays valid until `keep` is dropped.
    ///
    /// # Safety
    /// `ptr` must be valid for reads of `bytes` bytes while `keep` lives.
    pub unsafe fn foreign(ptr: *const u8, bytes: usize, keep: Box<dyn Any + Send + Sync>) -> Buffer {
        let ptr = NonNull::new(ptr.cast_mut()).unwrap_or(NonNull::dangling());
        Buffer { ptr, bytes, owner: Owner::Foreign { _keep: keep } }
    }

    #[inline]
    pub fn ptr(&self) -> *mut u8 {
        self.ptr.as_ptr()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether this library allocated the memory and may therefore write to it.
    #[inline]
    pub fn is_own(&self) -> bool {
        matches!(self.owner, Owner::Cache(_))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Owner::Cache(class) = self.owner else { return };
        let p = self.ptr.as_ptr() as usize;
        if class < LOCAL {
            let kept = CACHE.try_with(|c| {
                let list = &mut c.borrow_mut().0[class];
                let room = list.len() < LOCAL_DEPTH;
                if room {
                    list.push(p);
                }
                room
            });
            if kept == Ok(true) {
                return;
            }
        } else {
            let mut s = SHARED.lock().unwrap_or_else(|e| e.into_inner());
            if s.bytes + (ALIGN << class) <= SHARED_BYTES {
                if s.free.is_empty() {
                    s.free = vec![Vec::new(); CLASSES];
                }
                s.bytes += ALIGN << class;
                s.free[class].push(p);
                return;
            }
        }
        release(p, class);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_large_enough_and_reused() {
        for bytes in [0, 1, 63, 64, 65, 4096, 65536, 65537, 1 << 20, (1 << 20) + 1] {
            let b = Buffer::new("test", bytes).unwrap();
            assert_eq!(b.ptr() as usize % ALIGN, 0);
            assert!(ALIGN << class_of(bytes) >= bytes);
            let p = b.ptr();
            drop(b);
            assert_eq!(Buffer::new("test", bytes).unwrap().ptr(), p);
        }
    }

    #[test]
    fn impossible_requests_fail() {
        assert!(Buffer::new("test", usize::MAX / 4).is_err());
    }
}
