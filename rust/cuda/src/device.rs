//! Devices: contexts, streams and memory.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::library::{Library, require};
use cudarc::driver::{CudaContext, CudaStream, result, sys};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

/// How many GPUs there are; an error where the driver is missing.
pub fn count() -> Result<usize> {
    require(Library::Driver)?;
    match CudaContext::device_count() {
        Ok(n) => Ok(n.max(0) as usize),
        Err(e) if format!("{e:?}").contains("NO_DEVICE") => Ok(0),
        Err(e) => Err(e.into()),
    }
}

/// The context of a device, retained for good.
pub fn context(device: usize) -> Result<Arc<CudaContext>> {
    static CONTEXTS: Mutex<BTreeMap<usize, Arc<CudaContext>>> = Mutex::new(BTreeMap::new());
    let mut contexts = CONTEXTS.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(context) = contexts.get(&device) {
        return Ok(context.clone());
    }
    let count = count()?;
    if count == 0 {
        return Err(Error::NoDevice);
    }
    if device >= count {
        return Err(Error::BadDevice { device, count });
    }
    let context = CudaContext::new(device)?;
    keep_memory(&context)?;
    contexts.insert(device, context.clone());
    Ok(context)
}

fn pool(context: &CudaContext) -> Result<sys::CUmemoryPool> {
    // SAFETY: a device of the driver.
    Ok(unsafe { result::device::get_default_mem_pool(context.cu_device()) }?)
}

/// Has the driver keep memory that arrays give back, rather than return it to the system whenever something waits.
fn keep_memory(context: &CudaContext) -> Result<()> {
    let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    let mut bytes = u64::MAX;
    // SAFETY: the device's pool; this attribute is an integer of 64 bits.
    Ok(unsafe { result::mem_pool::set_attribute(pool(context)?, attribute, (&raw mut bytes).cast()) }?)
}

/// Bytes that arrays occupy, and that the driver keeps for them.
pub fn pool_memory(device: usize) -> Result<(u64, u64)> {
    let pool = pool(&*context(device)?)?;
    let of = |attribute| -> Result<u64> {
        let mut bytes = 0u64;
        // SAFETY: as above.
        unsafe { result::mem_pool::get_attribute(pool, attribute, (&raw mut bytes).cast()) }?;
        Ok(bytes)
    };
    use sys::CUmemPool_attribute::{CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_CURRENT};
    Ok((of(CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?, of(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?))
}

/// Streams of a thread on a device: that of its work, and one beside it, whose work another never waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    Main,
    Aside,
}

thread_local! {
    static STREAMS: RefCell<HashMap<(usize, Lane), Arc<CudaStream>>> = RefCell::default();
}

pub(crate) fn lane(device: usize, lane: Lane) -> Result<Arc<CudaStream>> {
    if let Some(stream) = STREAMS.with_borrow(|s| s.get(&(device, lane)).cloned()) {
        return Ok(stream);
    }
    let stream = context(device)?.new_stream()?;
    STREAMS.with_borrow_mut(|s| s.insert((device, lane), stream.clone()));
    Ok(stream)
}

/// The stream of this thread on a device.
pub fn stream(device: usize) -> Result<Arc<CudaStream>> {
    lane(device, Lane::Main)
}

/// [`stream`] as the driver's handle, for other libraries.
pub fn stream_handle(device: usize) -> Result<usize> {
    Ok(stream(device)?.cu_stream() as usize)
}

/// The device in whose memory an address lies.
pub fn device_of(address: u64) -> Result<usize> {
    context(0)?.bind_to_thread()?;
    let mut number = 0i32;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    // SAFETY: this attribute is an integer of 32 bits; the driver refuses addresses that it does not know.
    unsafe { sys::cuPointerGetAttribute((&raw mut number).cast(), attribute, address) }.result()?;
    Ok(number as usize)
}

/// Waits until all work on a device is done.
pub fn synchronize(device: usize) -> Result<()> {
    let _turn = crate::graph::turn();
    Ok(context(device)?.synchronize()?)
}

/// Free and total bytes of a device's memory.
pub fn memory(device: usize) -> Result<(usize, usize)> {
    Ok(context(device)?.mem_get_info()?)
}

/// The name of a device's architecture for the compiler, such as `sm_90`.
pub fn architecture(device: usize) -> Result<String> {
    let (major, minor) = context(device)?.compute_capability()?;
    Ok(format!("sm_{major}{minor}"))
}

/// Readies a device for use: the driver, the compiler, and the device itself.
pub fn prepare(device: usize) -> Result<()> {
    context(device)?;
    require(Library::Nvrtc)
}
