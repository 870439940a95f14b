//! What a thread sends to a device: memory, copies and launches, done in the order in which they were sent.
#![allow(unsafe_code)]

use crate::device;
use crate::error::{Error, Result};
use crate::functions::Function;
use cudarc::driver::{CudaStream, result, sys};
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::{Arc, Mutex};

/// The stream of a thread on a device.
#[derive(Clone, Debug)]
pub struct Queue {
    device: usize,
    stream: Arc<CudaStream>,
}

impl Queue {
    /// That of this thread.
    pub fn here(device: usize) -> Result<Queue> {
        let stream = device::stream(device)?;
        // Other libraries, and other devices of ours, may have made another context that of the thread.
        stream.context().bind_to_thread()?;
        Ok(Queue { device, stream })
    }

    pub fn device(&self) -> usize {
        self.device
    }

    pub(crate) fn stream(&self) -> sys::CUstream {
        self.stream.cu_stream()
    }

    /// Makes the context of the stream that of the thread.
    pub(crate) fn bind(&self) -> Result<()> {
        Ok(self.stream.context().bind_to_thread()?)
    }

    fn is(&self, other: &Queue) -> bool {
        self.stream.cu_stream() == other.stream.cu_stream()
    }

    /// Memory that belongs to work sent from here on.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        // SAFETY: the stream lives as long as the buffer, which holds it.
        let address =
            unsafe { result::malloc_async(self.stream.cu_stream(), bytes.max(1)) }.map_err(|e| match e.0 {
                sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { device: self.device, bytes },
                _ => e.into(),
            })?;
        Ok(Buffer { address, home: self.clone(), others: Mutex::default() })
    }

    /// Copies to a device; `from` may change once this returns.
    pub fn upload(&self, from: &[u8], to: &Buffer) -> Result<()> {
        if !from.is_empty() {
            // SAFETY: the driver has taken memory that is not pinned when it returns; the block is as long.
            unsafe { result::memcpy_htod_async(to.address, from, self.stream.cu_stream()) }?;
        }
        Ok(())
    }

    /// Copies from a device, and waits for all that was sent before.
    ///
    /// # Safety
    /// `address` names as many bytes of the device's memory.
    pub unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<()> {
        if !to.is_empty() {
            // SAFETY: the caller's contract; nobody touches `to` before the wait is over.
            unsafe { result::memcpy_dtoh_async(to, address, self.stream.cu_stream()) }?;
        }
        Ok(self.stream.synchronize()?)
    }

    /// Sets all bytes of a block.
    pub fn fill(&self, to: &Buffer, value: u8, bytes: usize) -> Result<()> {
        if bytes > 0 {
            // SAFETY: the block is as long.
            unsafe { result::memset_d8_async(to.address, value, bytes, self.stream.cu_stream()) }?;
        }
        Ok(())
    }

    /// What is sent from here on sees what was sent to `other` up to now.
    fn wait_for(&self, other: &Queue) -> Result<()> {
        other.stream.context().bind_to_thread()?;
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        // SAFETY: an event of that context, destroyed once; the driver keeps it while a stream waits for it.
        let waits = unsafe {
            let recorded = result::event::record(event, other.stream.cu_stream());
            let waits = recorded.and_then(|()| {
                let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
                result::stream::wait_event(self.stream.cu_stream(), event, flags)
            });
            waits.and(result::event::destroy(event))
        };
        waits?;
        Ok(self.stream.context().bind_to_thread()?)
    }

    /// Readies a block for reads by what is sent from here on.
    #[inline]
    pub fn read(&self, buffer: &Buffer) -> Result<()> {
        if self.is(&buffer.home) { Ok(()) } else { self.read_of_another(buffer) }
    }

    #[cold]
    fn read_of_another(&self, buffer: &Buffer) -> Result<()> {
        self.wait_for(&buffer.home)?;
        let mut others = buffer.others.lock().unwrap_or_else(|e| e.into_inner());
        if !others.iter().any(|q| q.is(self)) {
            others.push(self.clone());
        }
        Ok(())
    }

    /// Sends a launch of `blocks` times `threads`; `parameters` are the bytes of the kernel's structure.
    ///
    /// # Safety
    /// The addresses among the parameters name memory of the device that the kernel may touch.
    pub unsafe fn launch(&self, f: Function, blocks: u32, threads: [u32; 2], parameters: &[u8]) -> Result<()> {
        let mut size = parameters.len();
        let mut extra: [*mut c_void; 5] = [
            without_provenance_mut(1), // CU_LAUNCH_PARAM_BUFFER_POINTER
            parameters.as_ptr().cast_mut().cast(),
            without_provenance_mut(2), // CU_LAUNCH_PARAM_BUFFER_SIZE
            (&raw mut size).cast(),
            null_mut(), // CU_LAUNCH_PARAM_END
        ];
        let [x, y] = threads;
        // SAFETY: a function of this device; the driver copies the parameters before it returns.
        let status = unsafe {
            let stream = self.stream.cu_stream();
            sys::cuLaunchKernel(f.handle(), blocks, 1, 1, x, y, 1, 0, stream, null_mut(), extra.as_mut_ptr())
        };
        Ok(status.result()?)
    }
}

/// A block of a device's memory, handed back in the order of the queue that asked for it.
#[derive(Debug)]
pub struct Buffer {
    address: u64,
    home: Queue,
    /// Other queues that read it.
    others: Mutex<Vec<Queue>>,
}

impl Buffer {
    pub fn address(&self) -> u64 {
        self.address
    }

    pub fn device(&self) -> usize {
        self.home.device
    }

    /// Whether it is this thread's queue that asked for it, and no other has read it: whether a write is in order.
    pub fn is_at_home(&self) -> bool {
        Queue::here(self.home.device).is_ok_and(|q| q.is(&self.home))
            && self.others.lock().unwrap_or_else(|e| e.into_inner()).is_empty()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // At the end of the process the driver may be gone, and the memory with it.
        if self.home.stream.context().bind_to_thread().is_err() {
            return;
        }
        for other in self.others.get_mut().unwrap_or_else(|e| e.into_inner()).drain(..) {
            let _ = self.home.wait_for(&other);
        }
        // SAFETY: allocated by this queue, freed once, after all that reads it.
        let _ = unsafe { result::free_async(self.address, self.home.stream.cu_stream()) };
    }
}
