//! cuFFT on the stream of a thread: transforms of lines in float32, float64, complex64 and complex128.
//!
//! Plans are made when they are first asked for, which takes long and has no place in a graph, and kept per thread. What one
//! works in is taken from the queue at each call: the memory of a graph where one is captured, which then holds the plan too.
#![allow(unsafe_code)]

use crate::blas::{Field, at};
use crate::error::{Error, Result};
use crate::graph::{self, refuse};
use crate::library::{Library, require};
use crate::queue::Queue;
use cudarc::cufft::sys;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Arc, OnceLock};

fn check(call: &'static str, status: sys::cufftResult) -> Result<()> {
    match status {
        sys::cufftResult::CUFFT_SUCCESS => Ok(()),
        status => Err(Error::Library { library: Library::Cufft, call, status: format!("{status:?}") }),
    }
}

/// Where lines lie in memory, in elements: their elements `stride` apart, one from the next `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    pub field: Field,
    pub stride: i64,
    pub step: i64,
}

/// Transforms of `items` lines of length `n`. Where one field is real and the other complex, the complex lines are the first
/// n / 2 + 1 elements of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transform {
    pub n: i64,
    pub items: i64,
    pub from: Lines,
    pub to: Lines,
}

impl Transform {
    fn kind(&self) -> sys::cufftType {
        use sys::cufftType::*;
        match (self.from.field, self.to.field) {
            (Field::C64, Field::C64) => CUFFT_C2C,
            (Field::F32, Field::C64) => CUFFT_R2C,
            (Field::C64, Field::F32) => CUFFT_C2R,
            (Field::C128, Field::C128) => CUFFT_Z2Z,
            (Field::F64, Field::C128) => CUFFT_D2Z,
            (Field::C128, Field::F64) => CUFFT_Z2D,
            fields => unreachable!("no transform of {fields:?}"),
        }
    }
}

/// Whether cuFFT is there; it is looked for once.
pub fn is_there() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| require(Library::Cufft).is_ok())
}

/// Whether cuFFT computes a length as a convolution with a chirp: it has kernels for primes up to 127.
pub fn is_chirped(mut n: usize) -> bool {
    for prime in 2..=127 {
        while n.is_multiple_of(prime) {
            n /= prime;
        }
    }
    n > 1
}

/// A plan of cuFFT with the stream of a thread, which alone executes it.
#[derive(Debug)]
struct Plan {
    handle: sys::cufftHandle,
    queue: Queue,
    /// Of the memory that it works in.
    bytes: usize,
}

impl Plan {
    fn new(queue: &Queue, t: &Transform) -> Result<Plan> {
        refuse(queue)?;
        require(Library::Cufft)?;
        let mut handle = 0;
        // SAFETY: the context of the queue is that of the thread, and its stream lives as long as the plan.
        let mut plan = unsafe {
            check("cufftCreate", sys::cufftCreate(&mut handle))?;
            let plan = Plan { handle, queue: queue.clone(), bytes: 0 };
            check("cufftSetAutoAllocation", sys::cufftSetAutoAllocation(handle, 0))?;
            plan
        };
        // What the plan keeps on the device is allocated and filled, which may wait for all streams there.
        let turn = graph::turn();
        let (mut n, mut from, mut to) = (t.n, t.n, t.n);
        // SAFETY: numbers are read, and written, before the call returns. Strides hold where the extents of memory are not null;
        // the first extent, the only one here, is of no account.
        let status = unsafe {
            sys::cufftMakePlanMany64(
                handle,
                1,
                &mut n,
                &mut from,
                t.from.stride,
                t.from.step,
                &mut to,
                t.to.stride,
                t.to.step,
                t.kind(),
                t.items,
                &mut plan.bytes,
            )
        };
        // A plan that fails waits for its turn to go.
        drop(turn);
        check("cufftMakePlanMany64", status)?;
        // SAFETY: as above.
        check("cufftSetStream", unsafe { sys::cufftSetStream(handle, queue.stream().cast()) })?;
        Ok(plan)
    }

    /// # Safety
    /// Those of [`transform`].
    unsafe fn execute(&self, kind: sys::cufftType, inverse: bool, from: u64, to: u64) -> Result<()> {
        use sys::cufftType::*;
        // Handed back in the order of the stream. Never null, which is not said to mean that none is needed.
        let room = self.queue.allocate(self.bytes)?;
        let (h, direction): (_, c_int) = (self.handle, if inverse { 1 } else { -1 });
        // SAFETY: a block of as many bytes as the plan asked for; the caller's contract for the others.
        unsafe {
            check("cufftSetWorkArea", sys::cufftSetWorkArea(h, at(room.address())))?;
            match kind {
                CUFFT_C2C => check("cufftExecC2C", sys::cufftExecC2C(h, at(from), at(to), direction)),
                CUFFT_R2C => check("cufftExecR2C", sys::cufftExecR2C(h, at(from), at(to))),
                CUFFT_C2R => check("cufftExecC2R", sys::cufftExecC2R(h, at(from), at(to))),
                CUFFT_Z2Z => check("cufftExecZ2Z", sys::cufftExecZ2Z(h, at(from), at(to), direction)),
                CUFFT_D2Z => check("cufftExecD2Z", sys::cufftExecD2Z(h, at(from), at(to))),
                CUFFT_Z2D => check("cufftExecZ2D", sys::cufftExecZ2D(h, at(from), at(to))),
            }
        }
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        // Its tables are read by what was sent. At the end of the process the driver may be gone.
        if self.queue.wait().is_ok() {
            let _turn = graph::turn();
            // SAFETY: made by `new`, held by nobody else.
            let _ = unsafe { sys::cufftDestroy(self.handle) };
        }
    }
}

/// Plans that a thread keeps per device.
const KEPT: usize = 64;

/// That of this thread, whose queue it is.
fn plan(queue: &Queue, t: &Transform) -> Result<Arc<Plan>> {
    thread_local! {
        /// Per device, the one that was used last behind all others.
        static PLANS: RefCell<HashMap<usize, Vec<(Transform, Arc<Plan>)>>> = RefCell::default();
    }
    let known = PLANS.with_borrow_mut(|all| {
        let plans = all.entry(queue.device()).or_default();
        let place = plans.iter().rposition(|(of, _)| of == t)?;
        plans[place..].rotate_left(1);
        plans.last().map(|(_, plan)| plan.clone())
    });
    if let Some(plan) = known {
        return Ok(plan);
    }
    let plan = Arc::new(Plan::new(queue, t)?);
    PLANS.with_borrow_mut(|all| {
        let plans = all.entry(queue.device()).or_default();
        if plans.len() >= KEPT {
            plans.remove(0);
        }
        plans.push((*t, plan.clone()));
    });
    Ok(plan)
}

/// Sends the unnormalized transforms; `inverse` counts where both fields are complex, else a spectrum is one of the forward
/// transform. A spectrum that becomes real is lost.
///
/// # Safety
/// The addresses name lines of this device, aligned as complex numbers are, which do not overlap.
pub unsafe fn transform(queue: &Queue, t: &Transform, inverse: bool, from: u64, to: u64) -> Result<()> {
    let plan = plan(queue, t)?;
    // SAFETY: the caller's contract.
    unsafe { plan.execute(t.kind(), inverse, from, to) }?;
    graph::hold(queue, plan);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_with_large_prime_factors_are_convolutions() {
        assert!([1, 2, 127, 127 * 127 * 64, 1 << 40].iter().all(|&n| !is_chirped(n)));
        assert!([131, 131 * 128, 10_007, 127 * 131].iter().all(|&n| is_chirped(n)));
    }

    #[test]
    fn fields_say_which_transform() {
        let kind = |from, to| {
            let lines = |field| Lines { field, stride: 1, step: 1 };
            Transform { n: 4, items: 1, from: lines(from), to: lines(to) }.kind() as u32
        };
        // Numbers of NVIDIA's header.
        assert_eq!([kind(Field::F64, Field::C128), kind(Field::C128, Field::F64)], [0x6a, 0x6c]);
        assert_eq!([kind(Field::F32, Field::C64), kind(Field::C64, Field::F32)], [0x2a, 0x2c]);
        assert_eq!([kind(Field::C128, Field::C128), kind(Field::C64, Field::C64)], [0x69, 0x29]);
    }
}
