//! Work that is written down instead of sent, and then sent again and again as one graph.
//!
//! While a thread captures, its queue on that device takes memory from an arena that belongs to the graph: its kernels find
//! the same addresses at every launch. What waits for the device has no place in a graph and is an error. Other threads have no
//! business with a stream that is captured: what they want of it waits until the capture is over.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::queue::{Buffer, Queue};
use cudarc::driver::{result, sys};
use std::any::Any;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

thread_local! {
    /// What this thread captures.
    static OPEN: RefCell<Option<Arc<Arena>>> = const { RefCell::new(None) };
}

/// Written by a capture, read by whoever has to do with a stream that may be another thread's.
static TURN: RwLock<()> = RwLock::new(());

/// To be held by calls that name such a stream, each by itself.
pub(crate) fn turn() -> Option<RwLockReadGuard<'static, ()>> {
    (!is_capturing()).then(|| TURN.read().unwrap_or_else(|e| e.into_inner()))
}

/// The memory of a graph.
#[derive(Debug)]
pub(crate) struct Arena {
    home: Queue,
    /// Asks for memory, which the captured stream would only write down.
    aside: Queue,
    blocks: Mutex<Blocks>,
}

#[derive(Debug, Default)]
struct Blocks {
    /// What nobody uses at this point of the capture, and its size.
    free: Vec<(usize, u64)>,
    all: Vec<u64>,
    /// What was dropped meanwhile: a captured stream neither frees nor waits.
    kept: Vec<Buffer>,
    /// What else the captured work needs.
    held: Vec<Arc<dyn Any + Send + Sync>>,
}

/// Sizes are multiples of this, so that blocks find another use more often.
const GRAIN: usize = 512;

impl Arena {
    /// A block and its size.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<(u64, usize)> {
        let bytes = bytes.max(1).next_multiple_of(GRAIN);
        let mut blocks = self.blocks.lock().unwrap_or_else(|e| e.into_inner());
        let fits = |b: &(usize, (usize, u64))| (bytes..=2 * bytes).contains(&b.1.0);
        if let Some((k, (size, address))) = blocks.free.iter().copied().enumerate().filter(fits).min_by_key(|b| b.1.0) {
            blocks.free.swap_remove(k);
            return Ok((address, size));
        }
        let address = self.aside.take(bytes)?;
        blocks.all.push(address);
        Ok((address, bytes))
    }

    pub(crate) fn give_back(&self, address: u64, size: usize) {
        self.blocks.lock().unwrap_or_else(|e| e.into_inner()).free.push((size, address));
    }

    /// Keeps a block until the graph goes.
    pub(crate) fn keep(&self, buffer: Buffer) {
        self.blocks.lock().unwrap_or_else(|e| e.into_inner()).kept.push(buffer);
    }
}

/// Where work is captured on this queue, its graph holds this too.
pub(crate) fn hold(queue: &Queue, what: Arc<dyn Any + Send + Sync>) {
    if let Some(arena) = arena(queue) {
        arena.blocks.lock().unwrap_or_else(|e| e.into_inner()).held.push(what);
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let blocks = self.blocks.get_mut().unwrap_or_else(|e| e.into_inner());
        _ = self.home.wait_for(&self.aside);
        for address in blocks.all.drain(..) {
            self.home.free(address);
        }
    }
}

/// The arena of what this thread captures.
pub(crate) fn open() -> Option<Arc<Arena>> {
    // Arrays that a thread keeps to its end go after this.
    OPEN.try_with(|o| o.borrow().clone()).ok().flatten()
}

/// The same if it is captured on this queue.
pub(crate) fn arena(queue: &Queue) -> Option<Arc<Arena>> {
    open().filter(|a| a.home.is(queue))
}

/// Whether this thread captures.
pub fn is_capturing() -> bool {
    OPEN.try_with(|o| o.borrow().is_some()).unwrap_or(false)
}

/// Work that is being written down; it is forgotten where this is dropped.
pub struct Capture {
    arena: Arc<Arena>,
    /// None when it is over.
    turn: Option<RwLockWriteGuard<'static, ()>>,
}

impl Capture {
    /// From here on this thread's work for the device is written down.
    pub fn begin(queue: &Queue) -> Result<Capture> {
        let arena =
            Arc::new(Arena { home: queue.clone(), aside: Queue::aside(queue.device())?, blocks: Mutex::default() });
        let turn = TURN.write().unwrap_or_else(|e| e.into_inner());
        // Relaxed: other streams, and the loading of kernels, go on meanwhile.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: a stream that the queue holds.
        unsafe { result::stream::begin_capture(queue.stream(), mode) }?;
        OPEN.set(Some(arena.clone()));
        Ok(Capture { arena, turn: Some(turn) })
    }

    fn end(&mut self) -> Result<sys::CUgraph> {
        OPEN.set(None);
        let _turn = self.turn.take();
        // SAFETY: the stream captures since `begin`.
        Ok(unsafe { result::stream::end_capture(self.arena.home.stream()) }?)
    }

    pub fn finish(mut self) -> Result<Graph> {
        let graph = self.end()?;
        // Its memory is there from now on.
        self.arena.aside.wait()?;
        // SAFETY: the graph that was just captured, which its executable form does not need.
        let exec = unsafe {
            let exec = result::graph::instantiate(graph, sys::CUgraphInstantiate_flags(0));
            result::graph::destroy(graph).and(exec)
        }?;
        Ok(Graph { exec, arena: self.arena.clone() })
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        if self.turn.is_some()
            && let Ok(graph) = self.end()
        {
            // SAFETY: as above. A capture that an error ended has none.
            let _ = unsafe { result::graph::destroy(graph) };
        }
    }
}

/// Work that one call sends.
#[derive(Debug)]
pub struct Graph {
    exec: sys::CUgraphExec,
    arena: Arc<Arena>,
}

// SAFETY: the driver's handle, which any thread may use; launches of one graph go to one stream, the driver orders them.
unsafe impl Send for Graph {}
// SAFETY: as above.
unsafe impl Sync for Graph {}

impl Graph {
    /// Sends it to the queue that it was captured from.
    pub fn launch(&self) -> Result<()> {
        // SAFETY: the memory that the work touches lives as long as the arena and what the captured arrays hold.
        Ok(unsafe { result::graph::launch(self.exec, self.arena.home.stream()) }?)
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // At the end of the process the driver may be gone.
        if self.arena.home.wait().is_ok() {
            // SAFETY: not in use any more, destroyed once.
            let _ = unsafe { result::graph::exec_destroy(self.exec) };
        }
    }
}

/// What has no place in a graph.
pub(crate) fn refuse(queue: &Queue) -> Result<()> {
    if arena(queue).is_some() { Err(Error::Capturing) } else { Ok(()) }
}
