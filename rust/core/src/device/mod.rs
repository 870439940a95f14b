//! Arrays on GPUs: where they are, how they get there, and the launches that `Op::eval_on` sends, a family per file.
//!
//! What is sent lies in the order of the thread's queue. The gate readies the inputs of an op for reads by that queue before
//! `eval_on`; results are fresh blocks of it.
#![allow(unsafe_code)]

pub(crate) mod dense;
pub(crate) mod fft;
mod filter;
mod gather;
pub(crate) mod linalg;
mod map;
mod random;
mod reduce;
mod scan;
mod sort;

pub(crate) use filter::{allpole, fir, recurrence};
pub(crate) use gather::{add_along_axis, gather, nonzero, scatter, take_along_axis};
pub(crate) use map::{copy_to, run_program, run_row};
pub(crate) use random::fill;
pub(crate) use reduce::reduce;
pub(crate) use scan::scan;
pub(crate) use sort::{Leaves, searchsorted, sort};

use crate::array::{Array, Range};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fail;
use crate::op::{Meta, MetaRef, Op, Outs};
use sciarray_cuda::text::{self, File};
use sciarray_cuda::{Key, Params, Queue, function};
use sciarray_kernels::map::print::c_type;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::HashMap;
use std::str::FromStr;

/// Where the elements of an array lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device(u8);

impl Device {
    pub const CPU: Device = Device(0);

    pub fn cuda(number: usize) -> Device {
        Device(u8::try_from(number + 1).expect("fewer than 255 devices"))
    }

    #[inline]
    pub fn is_cpu(self) -> bool {
        self.0 == 0
    }

    /// The number of a GPU.
    pub fn number(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_cpu() { f.write_str("cpu") } else { write!(f, "cuda:{}", self.number()) }
    }
}

impl FromStr for Device {
    type Err = Error;
    /// `cpu`, `cuda` or `cuda:N`.
    fn from_str(name: &str) -> Result<Device> {
        match (name, name.strip_prefix("cuda:").map(str::parse::<u8>)) {
            ("cpu", _) => Ok(Device::CPU),
            ("cuda", _) => Ok(Device::cuda(0)),
            (_, Some(Ok(n))) if n < 255 => Ok(Device::cuda(n.into())),
            _ => fail!(Value, "device: a device is 'cpu', 'cuda' or 'cuda:N', got '{name}'"),
        }
    }
}

#[inline]
pub(crate) fn all_on_cpu(ins: &[&Array]) -> bool {
    ins.iter().all(|x| x.device().is_cpu())
}

/// Infers and runs an op of which an input is on a device.
#[cold]
pub(crate) fn run(op: &dyn Op, ins: &[&Array]) -> Result<Outs> {
    let metas: SmallVec<[MetaRef; 3]> = ins.iter().map(|a| a.meta()).collect();
    eval(op, ins, &op.infer(&metas)?)
}

/// Runs an op where its inputs are; those that occupy one element on the CPU go along.
pub(crate) fn eval(op: &dyn Op, ins: &[&Array], metas: &[Meta]) -> Result<Outs> {
    if all_on_cpu(ins) {
        return op.eval(ins, metas);
    }
    let device = common(op.name(), ins)?;
    let queue = Queue::here(device.number())?;
    let moved: SmallVec<[Option<Array>; 3]> = ins
        .iter()
        .map(|x| if x.device().is_cpu() { transfer(x, device).map(Some) } else { Ok(None) })
        .collect::<Result<_>>()?;
    let ins: SmallVec<[&Array; 3]> = ins.iter().zip(&moved).map(|(x, m)| m.as_ref().unwrap_or(x)).collect();
    for x in &ins {
        queue.read(x.buffer())?;
    }
    op.eval_on(&queue, &ins, metas)
}

/// Whether all elements are one in memory, or there are none.
fn is_light(x: &Array) -> bool {
    x.size() == 0 || x.shape().iter().zip(x.strides()).all(|(&n, &s)| n == 1 || s == 0)
}

/// The device of the inputs.
fn common(op: &str, ins: &[&Array]) -> Result<Device> {
    let mut heavy = ins.iter().filter(|x| !(x.device().is_cpu() && is_light(x))).map(|x| x.device());
    let first = heavy.next().expect("some input is on a device");
    if let Some(other) = heavy.find(|&d| d != first) {
        let (a, b) = if first.is_cpu() { (other, first) } else { (first, other) };
        fail!(
            Value,
            "{op}: arrays must be on one device, got {a} and {b}: move one with x.to(\"{a}\") or x.to(\"{b}\")"
        );
    }
    Ok(first)
}

/// The same values, without history, on a device.
pub(crate) fn transfer(x: &Array, to: Device) -> Result<Array> {
    match (x.device(), to) {
        (from, _) if from == to => Ok(x.clone().detach()),
        (Device::CPU, _) => upload(x, &Queue::here(to.number())?),
        (_, Device::CPU) => download(x),
        // Whether devices see each other's memory is not asked for.
        (_, _) => upload(&download(x)?, &Queue::here(to.number())?),
    }
}

/// The bytes of a contiguous array on the CPU.
fn bytes(x: &Array) -> &[u8] {
    // SAFETY: a contiguous array of so many initialized bytes, which nobody writes while it is borrowed.
    unsafe { std::slice::from_raw_parts(x.ptr(), x.size() * x.dtype().size()) }
}

fn upload(x: &Array, queue: &Queue) -> Result<Array> {
    if x.size() > 0 && is_light(x) {
        return Ok(constant(x, queue)?.broadcasted(x.shape()));
    }
    uploaded(&x.contiguous("to")?, queue)
}

/// A contiguous array in new memory of the device.
fn uploaded(x: &Array, queue: &Queue) -> Result<Array> {
    Ok(hold(Array::in_buffer(queue.constant(bytes(x))?, x.dtype(), x.shape())))
}

thread_local! {
    /// Constants that were uploaded, by device, dtype and bits: formulas use few, again and again.
    static CONSTANTS: RefCell<HashMap<(Device, DType, [u64; 2]), Array>> = RefCell::default();
}

/// How many constants a thread keeps.
const N_CONSTANTS: usize = 512;

/// The one element of an array in memory, 0-d on the device.
fn constant(x: &Array, queue: &Queue) -> Result<Array> {
    let first = x.get(0);
    let key = (Device::cuda(queue.device()), x.dtype(), first.bits());
    if let Some(known) = CONSTANTS.with_borrow(|c| c.get(&key).cloned()) {
        return Ok(hold(known));
    }
    let y = uploaded(&Array::scalar_of(first, x.dtype())?, queue)?;
    CONSTANTS.with_borrow_mut(|c| {
        if c.len() >= N_CONSTANTS {
            c.clear();
        }
        c.insert(key, y.clone());
    });
    Ok(y)
}

fn download(x: &Array) -> Result<Array> {
    let queue = Queue::here(x.device().number())?;
    queue.read(x.buffer())?;
    let x = x.contiguous("to")?;
    let y = Array::empty("to", x.dtype(), x.shape())?;
    let n = x.size() * x.dtype().size();
    // SAFETY: fresh memory of so many bytes; as many are those of a contiguous array.
    unsafe { queue.download(x.ptr() as u64, std::slice::from_raw_parts_mut(y.ptr().cast_mut(), n)) }?;
    Ok(y)
}

thread_local! {
    /// Arrays that work which is being captured reads, though nobody else may hold them any more.
    static HELD: RefCell<Vec<Array>> = const { RefCell::new(Vec::new()) };
}

/// Notes that a graph that is being captured reads this array.
fn hold(x: Array) -> Array {
    if sciarray_cuda::is_capturing() {
        HELD.with_borrow_mut(|h| h.push(x.clone()));
    }
    x
}

/// Collects what a graph holds.
pub(crate) struct Held(());

impl Held {
    pub fn begin() -> Held {
        HELD.take();
        Held(())
    }

    pub fn finish(self) -> Vec<Array> {
        HELD.take()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.take();
    }
}

/// Axes along which an array has no step are read at their first place.
fn narrowed(x: &Array, like: &Array) -> Array {
    let ranges: Vec<Range> = (x.shape().iter().zip(like.strides()))
        .map(|(&n, &s)| Range { start: 0, step: 1, len: if s == 0 { n.min(1) } else { n } })
        .collect();
    let shape: Vec<usize> = ranges.iter().map(|r| r.len).collect();
    x.sliced(&ranges, &shape)
}

/// Memory for the elements of an array, in the same order and as few, uninitialized.
fn like(queue: &Queue, x: &Array) -> Result<Array> {
    let one = narrowed(x, x);
    let y = Array::empty_ordered_on(queue, "replay", x.dtype(), one.shape(), one.strides())?;
    Ok(y.broadcasted(x.shape()))
}

/// Room for the elements of an array, in their order in memory, from where a graph reads them; None where it has no place there.
pub(crate) fn room_for(queue: &Queue, x: &Array) -> Result<Option<Array>> {
    let here = x.device() == Device::cuda(queue.device());
    let travels = x.device().is_cpu() && is_light(x);
    if here || travels { like(queue, x).map(Some) } else { Ok(None) }
}

/// Whether [`refill`] can write these elements there.
pub(crate) fn can_refill(to: &Array, x: &Array) -> bool {
    let is_light = x.device().is_cpu() && is_light(x) && is_light(to);
    let has_steps = |(&s, (&n, &of_x)): (&isize, (&usize, &isize))| s == 0 && n > 1 && of_x != 0;
    is_light || x.device() == to.device() && !to.strides().iter().zip(x.shape().iter().zip(x.strides())).any(has_steps)
}

/// Writes elements to where a graph reads them.
pub(crate) fn refill(queue: &Queue, to: &Array, x: &Array) -> Result<()> {
    if x.size() == 0 {
        return Ok(());
    }
    if x.device().is_cpu() {
        return Ok(queue.upload(bytes(&Array::scalar_of(x.get(0), x.dtype())?), to.buffer())?);
    }
    copy_to(&narrowed(x, to), &narrowed(to, to))
}

/// A copy whose elements lie in the same order in memory, and as few.
pub(crate) fn copy_as_is(queue: &Queue, x: &Array) -> Result<Array> {
    let y = like(queue, x)?;
    refill(queue, &y, x)?;
    Ok(y)
}

/// A fresh C-contiguous copy on the same device.
pub(crate) fn copy(op: &str, x: &Array) -> Result<Array> {
    let queue = Queue::here(x.device().number())?;
    let y = Array::empty_on(&queue, op, x.dtype(), x.shape())?;
    copy_to(x, &y)?;
    Ok(y)
}

pub(crate) fn zeros(queue: &Queue, op: &str, dtype: DType, shape: &[usize]) -> Result<Array> {
    let y = Array::empty_on(queue, op, dtype, shape)?;
    queue.fill(y.buffer(), 0, y.size() * dtype.size())?;
    Ok(y)
}

/// One value everywhere.
fn filled(queue: &Queue, value: i64, meta: &Meta) -> Result<Array> {
    let one = Array::scalar_of(crate::Scalar::Int(value), meta.dtype)?;
    copy("fill", &constant(&one, queue)?.broadcasted(&meta.shape))
}

/// Working memory that lives as long as the launches that use it, which its queue sends before it is handed back.
fn room(queue: &Queue, bytes: usize) -> Result<Array> {
    Array::empty_on(queue, "workspace", DType::U8, &[bytes])
}

fn address(x: &Array) -> u64 {
    x.ptr() as u64
}

/// Numbers that tell dtypes apart, in 4 bits each.
fn code(dtypes: impl IntoIterator<Item = DType>) -> u64 {
    dtypes.into_iter().fold(1, |code, d| code << 4 | d as u64)
}

/// How a kernel is laid over its work.
enum Grid {
    /// A thread per item, or several items per thread.
    Threads(usize),
    /// A block of this many threads per item, or several items per block.
    Blocks(usize, [u32; 2]),
}

/// Blocks that end sooner make room for others; beyond so many a thread has several items.
const MAX_BLOCKS: usize = 1 << 16;

/// More blocks whose threads share an item than a device runs at a time only wait.
const MAX_SHARED: usize = 4096;

/// Sends a kernel of a file; the text is put together where the key is new. The parameters hold addresses of arrays that the
/// caller holds.
fn launch(
    queue: &Queue,
    key: Key,
    source: (File, &[(&str, &str)], &dyn Fn() -> String),
    grid: Grid,
    params: &mut Params,
) -> Result<()> {
    let (file, defines, functions) = source;
    let kernel = key.kernel;
    let f = function(queue.device(), key, || {
        let (dims, only) = (params.dims().to_string(), format!("SA_ONLY_{kernel}"));
        let mut all = vec![("SA_DIMS", &dims[..])];
        all.extend(defines);
        if file.is_cut() {
            all.extend([("SA_ONLY", ""), (&only[..], "")]);
        }
        text::unit(file, &all, &functions())
    })?;
    let (blocks, threads) = match grid {
        Grid::Threads(n) => {
            let threads = n.next_multiple_of(32).clamp(32, 256);
            (n.div_ceil(threads).min(MAX_BLOCKS), [threads as u32, 1])
        }
        Grid::Blocks(n, threads) => (n.min(MAX_SHARED), threads),
    };
    if blocks == 0 {
        return Ok(());
    }
    // SAFETY: the parameters' layouts are those of arrays, of which kernels read and write elements alone.
    unsafe { queue.launch(f, blocks as u32, threads, &params.finish()) }?;
    Ok(())
}

fn no_functions() -> String {
    String::new()
}

/// C++'s name of an element type.
fn c(dtype: DType) -> &'static str {
    c_type(dtype)
}

/// The axes but one, as shape and strides of several arrays.
fn lines(shape: &[usize], axis: usize, strides: &[&[isize]]) -> (Vec<usize>, Vec<Vec<isize>>) {
    let keep = |k: &usize| *k != axis;
    let others = (0..shape.len()).filter(keep);
    (
        others.clone().map(|k| shape[k]).collect(),
        strides.iter().map(|s| others.clone().map(|k| s[k]).collect()).collect(),
    )
}
