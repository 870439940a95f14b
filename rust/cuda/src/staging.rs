//! Page-locked memory between that of the host and a device: copies of long arrays go through it piece by piece, one being
//! filled or emptied by this thread while the device copies the other.
#![allow(unsafe_code)]

use crate::error::Result;
use crate::queue::Queue;
use cudarc::driver::{result, sys};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ptr::NonNull;

/// Bytes of a piece. A copy of so many takes the device some 0.2 ms, much longer than to start it.
const PIECE: usize = 4 << 20;
/// Shorter copies are left to the driver.
pub(crate) const LONG: usize = 1 << 20;

thread_local! {
    /// The two pieces of a device.
    static PIECES: RefCell<HashMap<usize, [Piece; 2]>> = RefCell::default();
}

struct Piece {
    memory: NonNull<u8>,
    /// Behind the last copy from or to it.
    done: sys::CUevent,
}

impl Piece {
    fn new() -> Result<Piece> {
        // SAFETY: a context is bound to the thread; the block is freed with the piece.
        let memory = unsafe { result::malloc_host(PIECE, 0) }?;
        let done = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        Ok(Piece { memory: NonNull::new(memory.cast()).expect("page-locked memory"), done })
    }

    /// The memory, when no copy uses it any more.
    fn wait(&mut self, bytes: usize) -> Result<&mut [u8]> {
        // SAFETY: an event of ours, which counts as done before it is first recorded.
        unsafe { sys::cuEventSynchronize(self.done) }.result()?;
        // SAFETY: page-locked memory of so many bytes, which the device does not use now.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr(), bytes) })
    }

    /// Notes that copies sent so far use it.
    fn busy(&self, queue: &Queue) -> Result<()> {
        // SAFETY: an event and a stream of ours.
        Ok(unsafe { result::event::record(self.done, queue.stream()) }?)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // At the end of the process the driver may be gone, and the memory with it.
        // SAFETY: both are destroyed once, when no copy uses the memory any more.
        unsafe {
            if sys::cuEventSynchronize(self.done).result().is_ok() {
                _ = result::event::destroy(self.done);
                _ = result::free_host(self.memory.as_ptr().cast());
            }
        }
    }
}

fn with_pieces<T>(queue: &Queue, f: impl FnOnce(&mut [Piece; 2]) -> Result<T>) -> Result<T> {
    PIECES.with_borrow_mut(|all| {
        f(match all.entry(queue.device()) {
            Entry::Occupied(pieces) => pieces.into_mut(),
            Entry::Vacant(place) => place.insert([Piece::new()?, Piece::new()?]),
        })
    })
}

/// Copies to a device; `from` may change once this returns.
///
/// # Safety
/// The address names as many bytes of the queue's device.
pub(crate) unsafe fn upload(queue: &Queue, from: &[u8], to: u64) -> Result<()> {
    with_pieces(queue, |pieces| {
        for (k, part) in from.chunks(PIECE).enumerate() {
            let piece = &mut pieces[k % 2];
            let staged = piece.wait(part.len())?;
            staged.copy_from_slice(part);
            // SAFETY: the caller's contract; the piece is left alone until its event has passed.
            unsafe { result::memcpy_htod_async(to + (k * PIECE) as u64, staged, queue.stream()) }?;
            piece.busy(queue)?;
        }
        Ok(())
    })
}

/// Copies from a device, after all that was sent before.
///
/// # Safety
/// As above.
pub(crate) unsafe fn download(queue: &Queue, from: u64, to: &mut [u8]) -> Result<()> {
    with_pieces(queue, |pieces| {
        let mut parts: Vec<&mut [u8]> = to.chunks_mut(PIECE).collect();
        let n = parts.len();
        for k in 0..=n {
            if k < n {
                let piece = &mut pieces[k % 2];
                let staged = piece.wait(parts[k].len())?;
                // SAFETY: the caller's contract; the piece is left alone until its event has passed.
                unsafe { result::memcpy_dtoh_async(staged, from + (k * PIECE) as u64, queue.stream()) }?;
                piece.busy(queue)?;
            }
            if k > 0 {
                let part = &mut parts[k - 1];
                let staged = pieces[(k - 1) % 2].wait(part.len())?;
                part.copy_from_slice(staged);
            }
        }
        Ok(())
    })
}
