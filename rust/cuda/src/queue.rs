//! What a thread sends to a device: memory, copies and launches, done in the order in which they were sent.
#![allow(unsafe_code)]

use crate::device::{self, Lane};
use crate::error::{Error, Result};
use crate::functions::Function;
use crate::graph::{self, Arena};
use crate::staging;
use cudarc::driver::{CudaStream, result, sys};
use std::any::Any;
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::{Arc, Mutex};

/// What is sent to one stream from here on sees what was sent to another up to now.
///
/// # Safety
/// Streams of the driver, the first of the context that is this thread's.
unsafe fn pass(from: sys::CUstream, to: sys::CUstream) -> std::result::Result<(), cudarc::driver::DriverError> {
    let _turn = graph::turn();
    let event = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
    // SAFETY: the caller's contract; an event that is destroyed once, which the driver keeps while a stream waits for it.
    unsafe {
        let recorded = result::event::record(event, from);
        let waits = recorded
            .and_then(|()| result::stream::wait_event(to, event, sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT));
        waits.and(result::event::destroy(event))
    }
}

/// The stream of a thread on a device.
#[derive(Clone, Debug)]
pub struct Queue {
    device: usize,
    stream: Arc<CudaStream>,
}

impl Queue {
    /// That of this thread.
    pub fn here(device: usize) -> Result<Queue> {
        Queue::of(device, Lane::Main)
    }

    /// That beside it, which works while the other is captured.
    pub(crate) fn aside(device: usize) -> Result<Queue> {
        Queue::of(device, Lane::Aside)
    }

    fn of(device: usize, lane: Lane) -> Result<Queue> {
        let stream = device::lane(device, lane)?;
        // Other libraries, and other devices of ours, may have made another context that of the thread.
        stream.context().bind_to_thread()?;
        Ok(Queue { device, stream })
    }

    pub(crate) fn stream(&self) -> sys::CUstream {
        self.stream.cu_stream()
    }

    /// The driver's handle, by which queues differ.
    pub fn id(&self) -> usize {
        self.stream() as usize
    }

    /// Waits until all that was sent is done.
    pub(crate) fn wait(&self) -> Result<()> {
        let _turn = graph::turn();
        self.bind()?;
        Ok(self.stream.synchronize()?)
    }

    pub fn device(&self) -> usize {
        self.device
    }

    /// Makes the context of the stream that of the thread.
    pub(crate) fn bind(&self) -> Result<()> {
        Ok(self.stream.context().bind_to_thread()?)
    }

    pub(crate) fn is(&self, other: &Queue) -> bool {
        self.stream() == other.stream()
    }

    /// A block of the driver's pool.
    pub(crate) fn take(&self, bytes: usize) -> Result<u64> {
        // SAFETY: the stream lives as long as whoever takes the block, which holds it.
        unsafe { result::malloc_async(self.stream(), bytes.max(1)) }.map_err(|e| match e.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { device: self.device, bytes },
            _ => e.into(),
        })
    }

    /// Hands it back after all that was sent from here.
    pub(crate) fn free(&self, address: u64) {
        // At the end of the process the driver may be gone, and the memory with it.
        if self.bind().is_ok() {
            let _turn = graph::turn();
            // SAFETY: a block of the pool that nobody uses any more.
            let _ = unsafe { result::free_async(address, self.stream()) };
        }
    }

    /// Memory that belongs to work sent from here on.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        let (address, owner) = match graph::arena(self) {
            None => (self.take(bytes)?, Owner::Pool),
            Some(arena) => {
                let (address, size) = arena.allocate(bytes)?;
                (address, Owner::Graph(arena, size))
            }
        };
        Ok(Buffer { address, home: self.clone(), others: Mutex::default(), owner })
    }

    /// Memory of another library, ready for reads by what is sent from here on, which `keep` keeps.
    pub fn borrow(&self, address: u64, keep: Box<dyn Any + Send + Sync>) -> Buffer {
        Buffer { address, home: self.clone(), others: Mutex::default(), owner: Owner::Lent(keep) }
    }

    /// New memory with these bytes. It is no part of a graph that is being captured, which may read it.
    pub fn constant(&self, from: &[u8]) -> Result<Buffer> {
        let way = if graph::arena(self).is_some() { Queue::aside(self.device)? } else { self.clone() };
        let address = way.take(from.len())?;
        let buffer = Buffer { address, home: self.clone(), others: Mutex::default(), owner: Owner::Pool };
        way.upload(from, &buffer)?;
        if !way.is(self) {
            way.wait()?;
        }
        Ok(buffer)
    }

    /// Copies to a device; `from` may change once this returns.
    pub fn upload(&self, from: &[u8], to: &Buffer) -> Result<()> {
        graph::refuse(self)?;
        if from.len() >= staging::LONG {
            // SAFETY: the block is as long.
            unsafe { staging::upload(self, from, to.address) }?;
        } else if !from.is_empty() {
            // SAFETY: the driver has taken memory that is not pinned when it returns; the block is as long.
            unsafe { result::memcpy_htod_async(to.address, from, self.stream()) }?;
        }
        Ok(())
    }

    /// Copies from a device, and waits for all that was sent before.
    ///
    /// # Safety
    /// `address` names as many bytes of the device's memory.
    pub unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<()> {
        graph::refuse(self)?;
        if to.len() >= staging::LONG {
            // SAFETY: the caller's contract.
            return unsafe { staging::download(self, address, to) };
        }
        if !to.is_empty() {
            // SAFETY: the caller's contract; nobody touches `to` before the wait is over.
            unsafe { result::memcpy_dtoh_async(to, address, self.stream()) }?;
        }
        Ok(self.stream.synchronize()?)
    }

    /// Sets all bytes of a block.
    pub fn fill(&self, to: &Buffer, value: u8, bytes: usize) -> Result<()> {
        if bytes > 0 {
            // SAFETY: the block is as long.
            unsafe { result::memset_d8_async(to.address, value, bytes, self.stream()) }?;
        }
        Ok(())
    }

    /// What is sent from here on sees what was sent to `other` up to now.
    pub(crate) fn wait_for(&self, other: &Queue) -> Result<()> {
        other.bind()?;
        // SAFETY: streams that the queues hold, the first of the context of this thread.
        unsafe { pass(other.stream(), self.stream()) }?;
        self.bind()
    }

    /// What is sent from here on sees what was sent to a stream of another library on this device up to now.
    ///
    /// # Safety
    /// `stream` is a handle of the driver, or 1 or 2 for its two default streams.
    pub unsafe fn wait_for_stream(&self, stream: usize) -> Result<()> {
        self.bind()?;
        // SAFETY: the caller's contract, and a stream that the queue holds.
        Ok(unsafe { pass(without_provenance_mut(stream), self.stream()) }?)
    }

    /// The other way round: that stream sees what was sent from here.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn precede_stream(&self, stream: usize) -> Result<()> {
        self.bind()?;
        // SAFETY: as above.
        Ok(unsafe { pass(self.stream(), without_provenance_mut(stream)) }?)
    }

    /// Readies a block for reads by what is sent from here on.
    #[inline]
    pub fn read(&self, buffer: &Buffer) -> Result<()> {
        if self.is(&buffer.home) { Ok(()) } else { self.read_of_another(buffer) }
    }

    #[cold]
    fn read_of_another(&self, buffer: &Buffer) -> Result<()> {
        match graph::arena(self) {
            None => self.wait_for(&buffer.home)?,
            // A graph waits for nothing outside of it.
            Some(_) => buffer.home.wait()?,
        }
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
            let stream = self.stream();
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
    owner: Owner,
}

#[derive(Debug)]
enum Owner {
    /// The driver's pool.
    Pool,
    /// A graph, where it is so long.
    Graph(Arc<Arena>, usize),
    /// Another library.
    Lent(Box<dyn Any + Send + Sync>),
    /// Nobody any more: it was handed on.
    Nobody,
}

impl Buffer {
    pub fn address(&self) -> u64 {
        self.address
    }

    pub fn device(&self) -> usize {
        self.home.device
    }

    pub fn is_lent(&self) -> bool {
        matches!(self.owner, Owner::Lent(_))
    }

    /// The queue that it was asked for, whose work filled it.
    pub fn home(&self) -> &Queue {
        &self.home
    }

    /// Whether it is this thread's queue that asked for it, and no other has read it: whether a write is in order.
    pub fn is_at_home(&self) -> bool {
        !self.is_lent()
            && Queue::here(self.home.device).is_ok_and(|q| q.is(&self.home))
            && self.others.lock().unwrap_or_else(|e| e.into_inner()).is_empty()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let owner = std::mem::replace(&mut self.owner, Owner::Nobody);
        match (owner, graph::open()) {
            (Owner::Nobody, _) => (),
            (Owner::Graph(arena, size), _) => arena.give_back(self.address, size),
            (owner, Some(arena)) => {
                let others = Mutex::new(std::mem::take(self.others.get_mut().unwrap_or_else(|e| e.into_inner())));
                arena.keep(Buffer { address: self.address, home: self.home.clone(), others, owner });
            }
            (Owner::Pool, None) => {
                let others = self.others.get_mut().unwrap_or_else(|e| e.into_inner()).drain(..);
                others.for_each(|other| _ = self.home.wait_for(&other));
                self.home.free(self.address);
            }
            // Its owner may use it anew at once.
            (Owner::Lent(_keep), None) => {
                let others = self.others.get_mut().unwrap_or_else(|e| e.into_inner()).drain(..);
                others.for_each(|other| _ = other.wait());
                _ = self.home.wait();
            }
        }
    }
}
