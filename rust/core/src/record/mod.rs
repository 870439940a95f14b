//! Recordings: programs written down by the gate while a function runs, and replayed without it.
//!
//! A recording is a straight line of nodes with guards between them: places where Python read a `bool` or an `int` and may have
//! gone another way. Recordings of one function that part at a guard share what lies before it; together they are a [`Graph`].

mod capture;
mod graph;
mod load;
mod plan;
mod print;
mod run;

pub use graph::{End, Graph, Segment};
pub use load::{Part, op_named};
pub use plan::{Memory, Passes};
pub use run::{Outcome, Visitor};

use crate::array::{Array, Scalar};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::grad::{self, Scope};
use crate::op::{Meta, Op, OpRef, Outs};
use crate::ops;
use crate::{ensure, fail};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The place of a value in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    recording: u32,
    value: u32,
}

impl Slot {
    pub const NONE: Slot = Slot { recording: 0, value: 0 };
}

pub(crate) type Values = SmallVec<[u32; 3]>;

/// Where a node comes from: the user's file and line, and the name scope it was made in.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub file: Option<Arc<str>>,
    pub line: u32,
    pub scope: Option<Arc<str>>,
    /// Of a node of a program that was rewritten: the name it had.
    pub name: Option<Arc<str>>,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => f.write_str("an unknown line"),
        }
    }
}

/// One recorded application.
#[derive(Clone, Debug)]
pub struct Node {
    pub op: OpRef,
    pub ins: Values,
    pub outs: Values,
    /// Whether the `requires_grad` tape and the scopes of `grad` were open.
    pub watched: Watched,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    pub tape: bool,
    pub scopes: bool,
}

/// A value of a recording. One that has an array is a constant.
#[derive(Clone, Debug)]
pub struct Value {
    pub meta: Meta,
    pub constant: Option<Array>,
    /// Where it was when it was recorded.
    device: Device,
    /// Whether every replay finds the same elements here. Memory of somebody else may change.
    known: bool,
    /// Whether it depends on an input.
    varies: bool,
}

/// What Python read of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Bool,
    Int,
}

impl Read {
    /// The only element of an array on the CPU, as Python sees it.
    pub fn of(self, x: &Array) -> i64 {
        match (x.get(0), self) {
            (Scalar::Bool(b), _) => b as i64,
            (Scalar::Int(i), Read::Int) => i,
            (Scalar::UInt(u), Read::Int) => u as i64,
            (Scalar::Float(v), Read::Int) => v as i64,
            (Scalar::Complex(z), Read::Int) => z.re as i64,
            (Scalar::Int(i), Read::Bool) => (i != 0) as i64,
            (Scalar::UInt(u), Read::Bool) => (u != 0) as i64,
            (Scalar::Float(v), Read::Bool) => (v != 0.0) as i64,
            (Scalar::Complex(z), Read::Bool) => (z.re != 0.0 || z.im != 0.0) as i64,
        }
    }
}

/// A read that the way of the function depends on.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Nodes before it.
    at: usize,
    pub value: u32,
    pub read: Read,
    seen: i64,
    pub source: Source,
}

/// One finished run of a function.
pub struct Recording {
    values: Vec<Value>,
    inputs: Vec<u32>,
    nodes: Vec<Node>,
    guards: Vec<Guard>,
    outputs: Vec<u32>,
}

impl Recording {
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }
}

struct Recorder {
    id: u32,
    rec: Recording,
    /// 0-d constants, of which there is one of each.
    scalars: HashMap<(DType, [u64; 2]), u32>,
    /// Closed by whatever suspends the scopes of `grad`, which shows that they are.
    probe: Scope,
    source: fn() -> Source,
    /// Where nothing is kept but the first value that is not finite.
    search: Option<Search>,
}

#[derive(Default)]
struct Search {
    found: Option<NotFinite>,
}

/// The first op that made a value that is not finite out of finite ones.
#[derive(Clone, Debug)]
pub struct NotFinite {
    pub op: String,
    pub ins: Vec<Meta>,
    pub out: Meta,
    pub source: Source,
}

/// Results of known values are kept up to this size.
const FOLD_BYTES: usize = 1 << 20;

impl Recorder {
    fn value(&mut self, x: &Array, constant: Option<Array>, known: bool, varies: bool) -> u32 {
        self.rec.values.push(Value { meta: x.owned_meta(), device: x.device(), constant, known, varies });
        self.rec.values.len() as u32 - 1
    }

    /// The value an array stands for; one that the recording has not made is a constant of it.
    fn lookup(&mut self, x: &Array) -> u32 {
        if x.slot.recording == self.id {
            return x.slot.value;
        }
        let known = !x.is_foreign();
        if !known || x.ndim() > 0 || !x.device().is_cpu() {
            return self.value(x, Some(x.clone().detach()), known, false);
        }
        let key = (x.dtype(), x.get(0).bits());
        if let Some(&v) = self.scalars.get(&key) {
            return v;
        }
        let v = self.value(x, Some(x.clone().detach()), true, false);
        self.scalars.insert(key, v);
        v
    }

    fn slot(&self, value: u32) -> Slot {
        Slot { recording: self.id, value }
    }

    fn watched(&self) -> Watched {
        let open = grad::open_scopes();
        Watched { tape: open & grad::TAPE != 0, scopes: open & self.probe.watch().bit() != 0 }
    }
}

thread_local! {
    static OPEN: Cell<bool> = const { Cell::new(false) };
    static CURRENT: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    /// The source of what is recorded next, when a program is written anew.
    static SOURCE: RefCell<Option<Source>> = const { RefCell::new(None) };
}

static NEXT_ID: AtomicU32 = AtomicU32::new(1);

/// Whether this thread records.
#[inline]
pub fn is_open() -> bool {
    OPEN.get()
}

/// Pauses recording until the guard goes; for ops whose kernel is itself built of ops.
pub struct Paused(bool);

pub fn pause() -> Paused {
    Paused(OPEN.replace(false))
}

impl Drop for Paused {
    fn drop(&mut self) {
        OPEN.set(self.0);
    }
}

/// Runs `f` on the open recording.
fn with<T>(f: impl FnOnce(&mut Recorder) -> T) -> Option<T> {
    CURRENT.with_borrow_mut(|r| r.as_mut().map(f))
}

/// Opens a recording; `source` tells where the program is.
pub fn begin(source: fn() -> Source) -> Result<()> {
    ensure!(CURRENT.with_borrow(Option::is_none), Runtime, "record: a recording is already open in this thread");
    let rec = Recording { values: vec![], inputs: vec![], nodes: vec![], guards: vec![], outputs: vec![] };
    let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
    let scalars = HashMap::new();
    CURRENT.set(Some(Recorder { id, rec, scalars, probe: Scope::open()?, source, search: None }));
    OPEN.set(true);
    Ok(())
}

/// Opens a recording that only looks for the first value that is not finite.
pub fn search(source: fn() -> Source) -> Result<()> {
    begin(source)?;
    with(|r| r.search = Some(Search::default()));
    Ok(())
}

/// Closes it.
pub fn found() -> Option<NotFinite> {
    let found = with(|r| r.search.take().and_then(|s| s.found)).flatten();
    abandon();
    found
}

/// Runs `f`, what is recorded in it coming from `source`.
pub fn from<T>(source: Source, f: impl FnOnce() -> T) -> T {
    let before = SOURCE.replace(Some(source));
    let y = f();
    SOURCE.set(before);
    y
}

/// The same value as another input of the open recording, and its number among them.
pub fn input(x: &Array) -> (Array, usize) {
    let mut x = x.clone();
    let found = with(|r| {
        let v = r.value(&x, None, false, true);
        r.rec.inputs.push(v);
        (r.slot(v), r.rec.inputs.len() - 1)
    });
    let (slot, number) = found.expect("a recording is open");
    x.slot = slot;
    (x, number)
}

/// Makes an array that Python code of the recorded function made a value of the recording.
#[cold]
pub fn adopt(x: &mut Array) {
    let slot = with(|r| (x.slot.recording != r.id).then(|| r.lookup(x)).map(|v| r.slot(v))).flatten();
    if let Some(slot) = slot {
        x.slot = slot;
    }
}

/// The open recording, or 0.
pub fn current() -> u32 {
    if is_open() { with(|r| r.id).unwrap_or(0) } else { 0 }
}

/// The value of the open recording that an array is.
pub fn place(x: &Array) -> Option<u32> {
    with(|r| (x.slot.recording == r.id).then_some(x.slot.value)).flatten()
}

/// Whether the elements of this array differ from replay to replay.
pub fn varies(x: &Array) -> bool {
    is_open()
        && with(|r| r.search.is_none() && x.slot.recording == r.id && r.rec.values[x.slot.value as usize].varies)
            == Some(true)
}

/// Writes down that Python reads an element on which its way may depend.
pub fn guard(x: &Array, read: Read) -> Result<()> {
    if varies(x) {
        guard_as(x, read, read.of(&x.to_cpu()?));
    }
    Ok(())
}

/// The same where the way is that for this number, whatever the element.
pub fn guard_as(x: &Array, read: Read, seen: i64) {
    if !varies(x) {
        return;
    }
    let source = here();
    with(|r| {
        let v = x.slot.value;
        if !r.rec.guards.iter().rev().any(|g| g.value == v && g.read == read) {
            let at = r.rec.nodes.len();
            r.rec.guards.push(Guard { at, value: v, read, seen, source });
        }
    });
}

/// Where the recorded program is now.
pub fn here() -> Source {
    if let Some(source) = SOURCE.with_borrow(Clone::clone) {
        return source;
    }
    // Called without the recorder: it runs the interpreter.
    with(|r| r.source).map(|f| f()).unwrap_or_default()
}

/// Closes the recording without a result; after an exception nothing of it is left.
pub fn abandon() {
    OPEN.set(false);
    CURRENT.set(None);
}

/// Closes the recording, which computes `outputs` from its inputs.
pub fn finish(outputs: &[Array]) -> Result<Recording> {
    OPEN.set(false);
    let Some(mut r) = CURRENT.take() else { fail!(Runtime, "record: no recording is open in this thread") };
    r.rec.outputs = outputs.iter().map(|y| r.lookup(y)).collect();
    Ok(r.rec)
}

/// Called by the gate.
#[cold]
pub(crate) fn append(op: &dyn Op, ins: &[&Array], outs: &mut Outs) -> Result<()> {
    if let Some(found) = with(|r| r.search.as_ref().map(|s| s.found.is_some())).flatten() {
        if !found && let Some(y) = outs.iter().find(|y| !is_finite(y)) {
            let (out, source) = (y.owned_meta(), here());
            let ins = ins.iter().map(|x| x.owned_meta()).collect();
            let found = NotFinite { op: op.name().to_owned(), ins, out, source };
            with(|r| r.search = Some(Search { found: Some(found) }));
        }
        return Ok(());
    }
    let source = here();
    with(|r| {
        let ins: Values = ins.iter().map(|x| r.lookup(x)).collect();
        let known = op.is_pure() && ins.iter().all(|&v| r.rec.values[v as usize].known);
        let varies = !op.is_pure() || ins.iter().any(|&v| r.rec.values[v as usize].varies);
        let values: Values = outs
            .iter()
            .map(|y| {
                let kept = known && y.size() * y.dtype().size() <= FOLD_BYTES;
                r.value(y, kept.then(|| y.clone().detach()), known, varies)
            })
            .collect();
        for (y, &v) in outs.iter_mut().zip(&values) {
            y.slot = r.slot(v);
        }
        let watched = r.watched();
        r.rec.nodes.push(Node { op: op.handle(), ins, outs: values, watched, source });
    });
    Ok(())
}

fn is_finite(x: &Array) -> bool {
    if !x.dtype().is_inexact() {
        return true;
    }
    let _unrecorded = pause();
    let all = ops::elementwise(&ops::elementwise::ISFINITE, &[x]).and_then(|y| {
        let axes: Vec<usize> = (0..y.ndim()).collect();
        ops::reduce::reduce(sciarray_kernels::reduce::Reduce::All, &y, &axes, false)
    });
    all.and_then(|y| y.to_cpu()).is_ok_and(|y| y.get(0) == Scalar::Bool(true))
}
