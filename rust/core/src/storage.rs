//! Memory of arrays: 64-byte aligned blocks from a bounded cache of size classes, memory that somebody else owns, or a device's.
#![allow(unsafe_code)]

use crate::error::Result;
use crate::fail;
use sciarray_cuda::Buffer;
use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

const ALIGN: usize = 64;
/// Smallest class: 64 bytes. Class `c` holds `64 << c` bytes.
const CLASSES: usize = 40;
/// Classes up to 64 KiB are cached per thread without a lock.
const LOCAL: usize = 11;
const LOCAL_DEPTH: usize = 32;
/// What the shared cache keeps at most.
const SHARED_BYTES: usize = 512 << 20;

/// Blocks from here on are backed by huge pages where the system has them: a page fault and a TLB entry per 2 MiB.
const HUGE_CLASS: usize = 16;
const HUGE_PAGE: usize = 2 << 20;

/// A block of memory.
struct Block {
    ptr: NonNull<u8>,
    owner: Owner,
}

enum Owner {
    Cache(usize),
    /// Dropped last to release memory that came from outside. It is never written to.
    Foreign {
        _keep: Box<dyn Any + Send + Sync>,
    },
    /// The pointer is an address of the device.
    Device(Buffer),
}

// SAFETY: a Block is plain bytes; it is written only by whoever holds the only reference.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        if let Owner::Cache(class) = self.owner {
            // SAFETY: the pointer came from `alloc` with this layout.
            unsafe { dealloc(self.ptr.as_ptr(), layout(class)) }
        }
    }
}

fn layout(class: usize) -> Layout {
    let align = if class < HUGE_CLASS { ALIGN } else { HUGE_PAGE };
    // SAFETY: the alignment is a power of two, and `CLASSES` keeps the size in range.
    unsafe { Layout::from_size_align_unchecked(ALIGN << class, align) }
}

/// Blocks that nobody uses, with their reference counts, so that neither is allocated anew.
#[derive(Default)]
struct Shared {
    free: Vec<Vec<Arc<Block>>>,
    bytes: usize,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared { free: Vec::new(), bytes: 0 });

thread_local! {
    static CACHE: RefCell<[Vec<Arc<Block>>; LOCAL]> = const { RefCell::new([const { Vec::new() }; LOCAL]) };
}

#[inline]
const fn class_of(bytes: usize) -> usize {
    let units = bytes.div_ceil(ALIGN);
    if units <= 1 { 0 } else { (usize::BITS - (units - 1).leading_zeros()) as usize }
}

#[inline]
fn cached(class: usize) -> Option<Arc<Block>> {
    if class < LOCAL {
        return CACHE.try_with(|c| c.borrow_mut()[class].pop()).ok().flatten();
    }
    let mut s = SHARED.lock().unwrap_or_else(|e| e.into_inner());
    let block = s.free.get_mut(class)?.pop()?;
    s.bytes -= ALIGN << class;
    Some(block)
}

/// Keeps a block for the next request, or frees it where enough are kept.
#[inline]
fn recycle(block: Arc<Block>, class: usize) {
    if class < LOCAL {
        _ = CACHE.try_with(|c| {
            let list = &mut c.borrow_mut()[class];
            if list.len() < LOCAL_DEPTH {
                list.push(block);
            }
        });
        return;
    }
    let mut s = SHARED.lock().unwrap_or_else(|e| e.into_inner());
    if s.bytes + (ALIGN << class) <= SHARED_BYTES {
        if s.free.is_empty() {
            s.free.resize_with(CLASSES, Vec::new);
        }
        s.bytes += ALIGN << class;
        s.free[class].push(block);
    }
}

/// A reference to a block; the last one hands it back to the cache.
#[derive(Clone)]
pub struct Memory(ManuallyDrop<Arc<Block>>);

impl Memory {
    /// Uninitialized memory of at least `bytes` bytes.
    #[inline]
    pub fn new(op: &str, bytes: usize) -> Result<Memory> {
        let class = class_of(bytes);
        if class < CLASSES {
            if let Some(block) = cached(class) {
                return Ok(Memory(ManuallyDrop::new(block)));
            }
            // SAFETY: the size is not zero.
            let p = unsafe { alloc(layout(class)) };
            if let Some(ptr) = NonNull::new(p) {
                #[cfg(target_os = "linux")]
                if class >= HUGE_CLASS {
                    // SAFETY: whole pages that were just allocated. Failure only means small pages.
                    unsafe { libc::madvise(p.cast(), ALIGN << class, libc::MADV_HUGEPAGE) };
                }
                return Ok(Memory(ManuallyDrop::new(Arc::new(Block { ptr, owner: Owner::Cache(class) }))));
            }
        }
        fail!(Memory, "{op}: unable to allocate {bytes} bytes")
    }

    /// Memory that `keep` owns and that stays valid until `keep` is dropped.
    ///
    /// # Safety
    /// `ptr` must be valid for reads while `keep` lives.
    pub unsafe fn foreign(ptr: *const u8, keep: Box<dyn Any + Send + Sync>) -> Memory {
        let ptr = NonNull::new(ptr.cast_mut()).unwrap_or(NonNull::dangling());
        Memory(ManuallyDrop::new(Arc::new(Block { ptr, owner: Owner::Foreign { _keep: keep } })))
    }

    pub fn on_device(buffer: Buffer) -> Memory {
        let ptr = NonNull::new(buffer.address() as *mut u8).unwrap_or(NonNull::dangling());
        Memory(ManuallyDrop::new(Arc::new(Block { ptr, owner: Owner::Device(buffer) })))
    }

    /// The block, if it is a device's.
    pub fn buffer(&self) -> Option<&Buffer> {
        match &self.0.owner {
            Owner::Device(buffer) => Some(buffer),
            _ => None,
        }
    }

    #[inline]
    pub fn ptr(&self) -> *mut u8 {
        self.0.ptr.as_ptr()
    }

    /// Whether this library allocated the memory, which it may therefore write to, and nobody else refers to it.
    #[inline]
    pub fn is_exclusive(&self) -> bool {
        Arc::strong_count(&self.0) == 1
            && match &self.0.owner {
                Owner::Cache(_) => true,
                Owner::Foreign { .. } => false,
                Owner::Device(buffer) => buffer.is_at_home(),
            }
    }

    pub fn is_foreign(&self) -> bool {
        match &self.0.owner {
            Owner::Foreign { .. } => true,
            Owner::Device(buffer) => buffer.is_lent(),
            Owner::Cache(_) => false,
        }
    }

    pub fn is_same(&self, other: &Memory) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Drop for Memory {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: taken once, here.
        let block = unsafe { ManuallyDrop::take(&mut self.0) };
        if let Owner::Cache(class) = block.owner
            && Arc::strong_count(&block) == 1
        {
            recycle(block, class);
        }
    }
}
