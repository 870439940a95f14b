//! Recordings in Python: which objects a recorded function reads and changes, and programs that do so again.
#![allow(unsafe_code)]

use crate::array::PyArray;
use crate::convert::Value;
use crate::error::IntoPy;
use crate::random::PyStream;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use sciarray_core::grad;
use sciarray_core::op::Meta;
use sciarray_core::ops::random::{Advance, STATE_WORDS, state_of, stream_at};
use sciarray_core::record::{self, Graph, Outcome, Passes, Source};
use sciarray_core::shape::Tuple;
use sciarray_core::{Array, Device, apply1};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// An object that a recorded function read.
pub(crate) enum Target {
    /// An array that the function closes over.
    Array(Py<PyArray>),
    Stream(Py<PyStream>),
    /// An argument, by number.
    Argument(usize),
}

impl Target {
    fn clone_ref(&self, py: Python<'_>) -> Target {
        match self {
            Target::Array(x) => Target::Array(x.clone_ref(py)),
            Target::Stream(x) => Target::Stream(x.clone_ref(py)),
            Target::Argument(i) => Target::Argument(*i),
        }
    }

    fn address(&self) -> usize {
        match self {
            Target::Array(x) => x.as_ptr() as usize,
            Target::Stream(x) => x.as_ptr() as usize,
            Target::Argument(i) => *i,
        }
    }
}

/// An input of the recording: what an object held when the function met it.
struct Entry {
    target: Target,
    /// The number of the input, and its place.
    input: usize,
    place: Option<u32>,
    meta: Meta,
    device: Device,
    is_leaf: bool,
    /// The same for `.grad` of a leaf that has one.
    grad: Option<(usize, Option<u32>)>,
    has_grad: bool,
    /// The stream's state after the draws so far.
    state: Option<Array>,
}

/// A scope of names: what names begin with inside, and the object whose method opened it.
struct Scope {
    prefix: Arc<str>,
    module: Arc<str>,
}

#[derive(Default)]
struct Session {
    entries: Vec<Entry>,
    /// Numbers of entries, by address of their object.
    known: HashMap<usize, usize>,
    /// Arguments as the caller holds them, and as the function sees them.
    arguments: Vec<(Py<PyArray>, Py<PyArray>)>,
    scopes: Vec<Scope>,
    /// Names of the objects whose methods' operations are named after them, by address.
    modules: HashMap<usize, Arc<str>>,
    /// The frames around the last operation, innermost first, and the object that each one works for.
    frames: Vec<(Py<PyAny>, Arc<str>)>,
    files: HashMap<usize, (Py<PyAny>, Option<Arc<str>>)>,
    tape: bool,
}

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

fn with<T>(f: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with_borrow_mut(|s| f(s.as_mut().expect("a recording is open")))
}

/// A frame of Python, its file and line.
type Place<'py> = (Bound<'py, PyAny>, Arc<str>, u32);

/// Where the user's program is: the innermost frame outside this package.
fn user_place(py: Python<'_>) -> Option<Place<'_>> {
    // SAFETY: a borrowed reference to the current frame, or null.
    let mut frame = unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyEval_GetFrame().cast()) };
    while let Some(f) = frame {
        let (code, line) = code_of(&f);
        let address = code.as_ptr() as usize;
        let found = with(|s| s.files.get(&address).map(|(_, file)| file.clone()));
        let file = found.unwrap_or_else(|| {
            let file = user_file(&code).unwrap_or(None);
            with(|s| s.files.insert(address, (code.into_any().unbind(), file.clone())));
            file
        });
        if let Some(file) = file {
            return Some((f, file, line));
        }
        frame = outer(&f);
    }
    None
}

/// The code that a frame runs, and the line.
fn code_of<'py>(frame: &Bound<'py, PyAny>) -> (Bound<'py, PyAny>, u32) {
    // SAFETY: a frame; the code object is a new reference.
    unsafe {
        let p = frame.as_ptr().cast();
        let code = Bound::from_owned_ptr(frame.py(), ffi::PyFrame_GetCode(p).cast());
        (code, ffi::PyFrame_GetLineNumber(p).max(0) as u32)
    }
}

fn outer<'py>(frame: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    frame.getattr("f_back").ok().filter(|f| !f.is_none())
}

/// The name of the innermost object whose method runs in a frame or around it, or nothing.
fn module_of(frame: &Bound<'_, PyAny>) -> Arc<str> {
    if with(|s| s.modules.is_empty()) {
        return Arc::default();
    }
    let mut passed = Vec::new();
    let mut frame = Some(frame.clone());
    let mut name: Arc<str> = Arc::default();
    while let Some(f) = frame {
        // Frames that are still there need not be looked at again.
        let known = with(|s| s.frames.iter().position(|(g, _)| g.is(&f)));
        if let Some(k) = known {
            name = with(|s| {
                s.frames.drain(..k);
                s.frames[0].1.clone()
            });
            break;
        }
        let own = myself(&f).ok().flatten();
        let found = own.and_then(|x| with(|s| s.modules.get(&(x.as_ptr() as usize)).cloned()));
        passed.push(f.clone().unbind());
        if let Some(found) = found {
            with(|s| s.frames.clear());
            name = found;
            break;
        }
        frame = outer(&f);
    }
    with(|s| _ = s.frames.splice(..0, passed.into_iter().map(|f| (f, name.clone()))));
    name
}

/// The object whose method runs in a frame.
fn myself<'py>(frame: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (code, _) = code_of(frame);
    let arguments = code.getattr("co_argcount")?.extract::<usize>()?;
    let named_self = || code.getattr("co_varnames")?.get_item(0)?.eq("self");
    if arguments > 0 && named_self()? { frame.getattr("f_locals")?.get_item("self").map(Some) } else { Ok(None) }
}

/// What the names of operations in a frame begin with.
fn scope_of(frame: &Bound<'_, PyAny>) -> (Arc<str>, Arc<str>) {
    let module = module_of(frame);
    let prefix = with(|s| match s.scopes.last() {
        None => module.clone(),
        Some(scope) => {
            let inside = module.strip_prefix(&*scope.module).unwrap_or(&module).trim_start_matches('.');
            joined(&scope.prefix, inside)
        }
    });
    (prefix, module)
}

fn joined(outer: &Arc<str>, inner: &str) -> Arc<str> {
    match (outer.is_empty(), inner.is_empty()) {
        (_, true) => outer.clone(),
        (true, _) => inner.into(),
        _ => format!("{outer}.{inner}").into(),
    }
}

fn here() -> Source {
    Python::attach(|py| {
        let Some((frame, file, line)) = user_place(py) else { return Source::default() };
        let (scope, _) = scope_of(&frame);
        Source { file: Some(file), line, scope: (!scope.is_empty()).then_some(scope), name: None }
    })
}

/// The file of a code object, or None where it belongs to this package.
fn user_file(code: &Bound<'_, PyAny>) -> PyResult<Option<Arc<str>>> {
    let file: String = code.getattr("co_filename")?.extract()?;
    let package: String = code.py().import("sciarray")?.getattr("__file__")?.extract()?;
    let inside = package.strip_suffix("__init__.py").is_some_and(|dir| file.starts_with(dir));
    Ok((!inside).then(|| file.into()))
}

/// An error where Python is about to read the elements of a value that a replay computes anew.
#[inline]
pub fn refuse_read(x: &Array, what: &str) -> PyResult<()> {
    if record::is_open() && record::varies(x) {
        return Err(PyRuntimeError::new_err(format!(
            "{what}: a value that is being recorded cannot be read by Python, at {}; compute with it as an array, return \
             it, or read it outside of the recorded function",
            record::here()
        )));
    }
    Ok(())
}

/// Makes the value of an object that is older than the recording an input.
#[cold]
pub fn observe(x: &Bound<'_, PyArray>) {
    let value = x.get().value();
    if record::place(&value).is_none() {
        capture(x, Target::Array(x.clone().unbind()), &value);
    }
}

/// The tape's leaf that a value is; leaves of `grad` are values like others.
fn tape_leaf(x: &Array) -> Option<&grad::Link> {
    x.link().filter(|l| x.is_tracked_by(grad::TAPE) && l.node.is_leaf())
}

fn capture(x: &Bound<'_, PyArray>, target: Target, value: &Array) {
    let (marked, input) = record::input(value);
    let leaf = tape_leaf(value);
    let has_grad = leaf.as_ref().is_some_and(|l| l.node.grad().is_some());
    let grad = leaf.as_ref().and_then(|l| {
        let g = l.node.grad().filter(|g| record::place(g).is_none())?;
        let (marked, input) = record::input(&g);
        let place = record::place(&marked);
        l.node.set_grad(Some(marked));
        Some((input, place))
    });
    let entry = Entry {
        target,
        input,
        place: record::place(&marked),
        meta: value.owned_meta(),
        device: value.device(),
        is_leaf: leaf.is_some(),
        has_grad,
        grad,
        state: None,
    };
    x.get().replace(marked);
    with(|s| {
        s.known.insert(x.as_ptr() as usize, s.entries.len());
        s.entries.push(entry);
    });
}

fn fresh_state(stream: &Bound<'_, PyStream>) -> PyResult<Array> {
    Array::from_slice("random", &state_of(&stream.borrow().stream), &[STATE_WORDS]).py()
}

/// The state of a generator inside a recording; that of an older one is an input.
pub fn stream_state(stream: &Bound<'_, PyStream>) -> PyResult<Array> {
    let address = stream.as_ptr() as usize;
    if stream.borrow().born == record::current() {
        return fresh_state(stream);
    }
    if let Some(state) = with(|s| s.known.get(&address).and_then(|&k| s.entries[k].state.clone())) {
        return Ok(state);
    }
    let (state, input) = record::input(&fresh_state(stream)?);
    let entry = Entry {
        target: Target::Stream(stream.clone().unbind()),
        input,
        place: record::place(&state),
        meta: state.owned_meta(),
        device: Device::CPU,
        is_leaf: false,
        has_grad: false,
        grad: None,
        state: Some(state.clone()),
    };
    with(|s| {
        s.known.insert(address, s.entries.len());
        s.entries.push(entry);
    });
    Ok(state)
}

/// The state of a generator inside the open recording, of which it becomes an input.
#[pyfunction]
pub fn record_stream(stream: &Bound<'_, PyStream>) -> PyResult<PyArray> {
    Ok(PyArray::new(stream_state(stream)?))
}

/// The state that a generator of [`record_stream`] has after the recording.
#[pyfunction]
pub fn record_stream_moved(stream: &Bound<'_, PyStream>, state: Value) {
    with(|s| {
        if let Some(&k) = s.known.get(&(stream.as_ptr() as usize)) {
            s.entries[k].state = Some(state.0);
        }
    });
}

/// Moves on the state that [`stream_state`] gave.
pub fn advance_stream(stream: &Bound<'_, PyStream>, blocks: u128) -> PyResult<()> {
    let address = stream.as_ptr() as usize;
    let before = with(|s| s.known.get(&address).and_then(|&k| s.entries[k].state.clone()));
    if let Some(before) = before {
        let after = apply1(&Advance(blocks), &[&before]).py()?;
        with(|s| {
            let k = s.known[&address];
            s.entries[k].state = Some(after);
        });
    }
    Ok(())
}

/// What a program needs of an object at each replay.
pub(crate) struct Spec {
    pub target: Target,
    pub input: usize,
    pub meta: Meta,
    /// None for an argument of a program that was read from a file, which may be anywhere.
    pub device: Option<Device>,
    pub is_leaf: bool,
    pub has_grad: bool,
    /// The input of its gradient.
    pub grad: Option<usize>,
}

#[derive(Clone, Copy)]
pub(crate) enum Write {
    Value { spec: usize, is_leaf: bool },
    Grad { spec: usize, is_some: bool },
}

/// What the outputs at an exit are: results, then new values of objects.
#[derive(Clone)]
pub(crate) struct Exit {
    pub results: usize,
    pub writes: Vec<Write>,
}

pub(crate) struct Inner {
    pub graph: Graph,
    pub specs: Vec<Spec>,
    pub exits: Vec<Exit>,
    pub arguments: usize,
    /// Whether the `requires_grad` tape was open.
    pub tape: bool,
}

impl Inner {
    fn spec_of(&self, entry: &Entry) -> Option<usize> {
        let same = |t: &Target| {
            std::mem::discriminant(t) == std::mem::discriminant(&entry.target) && t.address() == entry.target.address()
        };
        self.specs.iter().position(|s| same(&s.target))
    }
}

/// A recorded program.
#[pyclass(name = "Graph", module = "sciarray.graph", frozen)]
pub struct PyGraph(pub(crate) Mutex<Arc<Inner>>);

fn wrapped(xs: Vec<Array>) -> Vec<PyArray> {
    xs.into_iter().map(PyArray::new).collect()
}

/// Stores a value in an array object, which stays or becomes a leaf if the recorded function left it one.
fn store(x: &Bound<'_, PyArray>, y: Array, is_leaf: bool) {
    let cell = x.get();
    if is_leaf {
        let old = cell.leaf();
        let y = grad::tape_leaf(&y);
        if let (Some(old), Some(new)) = (old, y.link()) {
            new.node.set_grad(old.node.grad());
        }
        cell.replace(y);
    } else {
        cell.replace(y);
    }
}

impl PyGraph {
    pub(crate) fn inner(&self) -> Arc<Inner> {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    fn set(&self, inner: Inner) {
        *self.0.lock().unwrap_or_else(|e| e.into_inner()) = Arc::new(inner);
    }
}

impl Inner {
    fn object<'a, 'py>(&'a self, py: Python<'py>, spec: &'a Spec, args: &'a [Bound<'py, PyArray>]) -> Object<'a, 'py> {
        match &spec.target {
            Target::Array(x) => Object::Array(x.bind(py)),
            Target::Stream(x) => Object::Stream(x.bind(py)),
            Target::Argument(i) => Object::Array(&args[*i]),
        }
    }

    /// What differs from the recorded dtypes and shapes.
    pub fn mismatch(&self, py: Python<'_>, args: &[Bound<'_, PyArray>]) -> Option<String> {
        if args.len() != self.arguments {
            return Some(format!("{} arguments were recorded, got {}", self.arguments, args.len()));
        }
        if self.tape != (grad::open_scopes() & grad::TAPE != 0) {
            return Some("no_grad was in force at one of recording and replay, not at both".to_owned());
        }
        for spec in &self.specs {
            let Object::Array(x) = self.object(py, spec, args) else { continue };
            // SAFETY: no Python code runs while the value is borrowed.
            let x = unsafe { x.get().peek() };
            let name = || match spec.target {
                Target::Argument(i) => format!("input {i}"),
                _ => "an array that the function closes over".to_owned(),
            };
            if x.dtype() != spec.meta.dtype || x.shape() != &spec.meta.shape[..] {
                return Some(format!(
                    "{} was recorded as {} of shape {}, got {} of shape {}",
                    name(),
                    spec.meta.dtype.name(),
                    Tuple(&spec.meta.shape),
                    x.dtype().name(),
                    Tuple(x.shape())
                ));
            }
            if let Some(device) = spec.device.filter(|&d| d != x.device()) {
                return Some(format!("{} was recorded on {device}, got one on {}", name(), x.device()));
            }
            let leaf = tape_leaf(x);
            if leaf.is_some() != spec.is_leaf {
                return Some(format!("{} was recorded with requires_grad={}", name(), spec.is_leaf));
            }
            if leaf.is_some_and(|l| l.node.grad().is_some()) != spec.has_grad {
                let with = if spec.has_grad { "with" } else { "without" };
                return Some(format!("{} was recorded {with} a gradient", name()));
            }
        }
        None
    }

    pub fn inputs(&self, py: Python<'_>, args: &[Bound<'_, PyArray>]) -> PyResult<Vec<Array>> {
        let mut inputs: Vec<Option<Array>> = vec![None; self.graph.inputs().len()];
        for spec in &self.specs {
            let value = match self.object(py, spec, args) {
                Object::Array(x) => PyArray::read(x),
                Object::Stream(s) if record::is_open() => stream_state(s)?,
                Object::Stream(s) => fresh_state(s)?,
            };
            if let Some(k) = spec.grad {
                inputs[k] = value.link().and_then(|l| l.node.grad());
            }
            inputs[spec.input] = Some(value);
        }
        inputs
            .into_iter()
            .collect::<Option<_>>()
            .ok_or_else(|| PyRuntimeError::new_err("replay: an input of the recording is missing"))
    }

    /// Objects that a replay would change behind the back of another input.
    fn check_aliases(&self, py: Python<'_>, args: &[Bound<'_, PyArray>], exit: &Exit) -> PyResult<()> {
        let address = |spec: &Spec| match self.object(py, spec, args) {
            Object::Array(x) => x.as_ptr() as usize,
            Object::Stream(x) => x.as_ptr() as usize,
        };
        for write in &exit.writes {
            let Write::Value { spec, .. } = write else { continue };
            let here = address(&self.specs[*spec]);
            if self.specs.iter().enumerate().any(|(k, s)| k != *spec && address(s) == here) {
                return Err(PyValueError::new_err(
                    "record: an array that the function assigns to is met under two names, two arguments or an argument \
                     and a closed-over array; pass a copy",
                ));
            }
        }
        Ok(())
    }

    /// Puts what a replay computed into the objects and returns the results.
    fn settle(
        &self,
        py: Python<'_>,
        args: &[Bound<'_, PyArray>],
        exit: usize,
        mut outputs: Vec<Array>,
    ) -> PyResult<Vec<PyArray>> {
        let exit = &self.exits[exit];
        if !exit.writes.is_empty() {
            self.check_aliases(py, args, exit)?;
        }
        let mut new = outputs.split_off(exit.results).into_iter();
        for &write in &exit.writes {
            match write {
                Write::Value { spec, is_leaf } => {
                    let y = new.next().expect("an output per write");
                    match self.object(py, &self.specs[spec], args) {
                        Object::Array(x) => store(x, y, is_leaf),
                        Object::Stream(s) => {
                            s.borrow_mut().stream = stream_at(&y).py()?;
                            if record::is_open() {
                                with(|session| {
                                    let k = session.known[&(s.as_ptr() as usize)];
                                    session.entries[k].state = Some(y);
                                });
                            }
                        }
                    }
                }
                Write::Grad { spec, is_some } => {
                    let g = is_some.then(|| new.next().expect("an output per write"));
                    if let Object::Array(x) = self.object(py, &self.specs[spec], args)
                        && let Some(leaf) = x.get().leaf()
                    {
                        leaf.node.set_grad(g);
                    }
                }
            }
        }
        Ok(wrapped(outputs))
    }
}

enum Object<'a, 'py> {
    Array(&'a Bound<'py, PyArray>),
    Stream(&'a Bound<'py, PyStream>),
}

#[pymethods]
impl PyGraph {
    /// ``(exit, results)`` for new inputs; a string that says what differs from the recording, or the number of the segment after
    /// which Python has to decide what follows.
    fn replay<'py>(&self, py: Python<'py>, args: Vec<Bound<'py, PyArray>>) -> PyResult<Py<PyAny>> {
        let inner = self.inner();
        if let Some(what) = inner.mismatch(py, &args) {
            return Ok(what.into_pyobject(py)?.into_any().unbind());
        }
        let inputs = inner.inputs(py, &args)?;
        let n = inputs.iter().map(Array::size).max().unwrap_or(0);
        let (graph, given) = (&inner.graph, &inputs);
        match crate::convert::run(py, n, || graph.run(given))? {
            Outcome::Done(exit, outputs) => {
                drop(inputs);
                let results = inner.settle(py, &args, exit, outputs)?;
                Ok((exit, results).into_pyobject(py)?.into_any().unbind())
            }
            Outcome::Unknown { segment, .. } => Ok(segment.into_pyobject(py)?.into_any().unbind()),
        }
    }

    /// What is read at the end of a segment, and where.
    fn _guard_text(&self, segment: usize) -> PyResult<String> {
        let text = self.inner().graph.guard_text(segment);
        text.ok_or_else(|| PyValueError::new_err(format!("graph: segment {segment} ends without a guard")))
    }

    /// Objects that the recorded function closes over, and their numbers.
    fn captured<'py>(&self, py: Python<'py>) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
        let inner = self.inner();
        let objects = inner.specs.iter().enumerate().filter_map(|(k, s)| match &s.target {
            Target::Array(x) => Some((k, x.bind(py).as_any().clone())),
            Target::Stream(x) => Some((k, x.bind(py).as_any().clone())),
            Target::Argument(_) => None,
        });
        Ok(objects.collect())
    }

    /// Puts another object in the place of one that the function closes over.
    fn rebind(&self, py: Python<'_>, number: usize, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let inner = self.inner();
        let mut specs: Vec<Spec> = inner.specs.iter().map(|s| s.clone_ref(py)).collect();
        specs[number].target = match object.cast::<PyArray>() {
            Ok(x) => Target::Array(x.clone().unbind()),
            Err(_) => Target::Stream(object.cast::<PyStream>()?.clone().unbind()),
        };
        self.set(Inner { specs, graph: inner.graph.clone(), exits: inner.exits.clone(), ..*inner });
        Ok(())
    }

    /// Names of the operations, in order.
    fn ops(&self) -> Vec<String> {
        let inner = self.inner();
        inner.graph.live_nodes().map(|n| n.op.name().to_owned()).collect()
    }
    /// Steps of a replay; fused elementwise nodes count as one.
    #[getter]
    fn n_steps(&self) -> usize {
        self.inner().graph.n_steps()
    }
    /// Ways through the program that are recorded.
    #[getter]
    fn n_paths(&self) -> usize {
        self.inner().graph.n_exits()
    }
    fn __str__(&self) -> String {
        self.inner().graph.to_string()
    }
}

impl Spec {
    pub fn clone_ref(&self, py: Python<'_>) -> Spec {
        Spec { target: self.target.clone_ref(py), meta: self.meta.clone(), ..*self }
    }
}

/// Opens a recording and returns the arguments as the function is to see them.
#[pyfunction]
#[pyo3(signature = (arguments, modules=Vec::new()))]
pub fn record_begin<'py>(
    py: Python<'py>,
    arguments: Vec<Bound<'py, PyArray>>,
    modules: Vec<(Bound<'py, PyAny>, String)>,
) -> PyResult<Vec<Bound<'py, PyArray>>> {
    // Objects of their own: the function may also meet the same ones as arrays it closes over.
    let shown: Vec<_> = arguments.iter().map(|x| PyArray::wrap(py, x.get().value())).collect::<PyResult<_>>()?;
    record::begin(here).py()?;
    let tape = grad::open_scopes() & grad::TAPE != 0;
    let pairs = arguments.into_iter().zip(&shown).map(|(x, s)| (x.unbind(), s.clone().unbind())).collect();
    let modules = modules.into_iter().map(|(x, name)| (x.as_ptr() as usize, name.into())).collect();
    SESSION.set(Some(Session { tape, arguments: pairs, modules, ..Session::default() }));
    for (i, x) in shown.iter().enumerate() {
        capture(x, Target::Argument(i), &x.get().value());
    }
    Ok(shown)
}

/// Closes the recording: its program, or `program` with another path, the exit, and the results of this run.
#[pyfunction]
#[pyo3(signature = (outputs, program=None))]
pub fn record_finish<'py>(
    py: Python<'py>,
    outputs: Vec<Value>,
    program: Option<Bound<'py, PyGraph>>,
) -> PyResult<(Bound<'py, PyGraph>, usize, Vec<PyArray>)> {
    let mut outputs: Vec<Array> = outputs.into_iter().map(|x| x.0).collect();
    let results = outputs.len();
    let mut session = SESSION.take().ok_or_else(|| PyRuntimeError::new_err("record: no recording is open"))?;
    // What the function left in its objects.
    let mut writes: Vec<Write> = Vec::new();
    for (spec, entry) in session.entries.iter().enumerate() {
        if let Some(state) = &entry.state {
            if record::place(state) != entry.place {
                writes.push(Write::Value { spec, is_leaf: false });
                outputs.push(state.clone());
            }
            continue;
        }
        let x = match &entry.target {
            Target::Array(x) => x.bind(py),
            Target::Argument(i) => session.arguments[*i].1.bind(py),
            Target::Stream(_) => continue,
        };
        let now = x.get().value();
        let leaf = tape_leaf(&now).cloned();
        if record::place(&now) != entry.place || leaf.is_some() != entry.is_leaf {
            writes.push(Write::Value { spec, is_leaf: leaf.is_some() });
            outputs.push(now);
        }
        let grad = leaf.and_then(|l| l.node.grad());
        let unchanged = match (&grad, entry.has_grad) {
            (None, had) => !had,
            (Some(g), true) => record::place(g) == entry.grad.and_then(|g| g.1),
            (Some(_), false) => false,
        };
        if !unchanged {
            writes.push(Write::Grad { spec, is_some: grad.is_some() });
            outputs.extend(grad);
        }
    }
    let recording = record::finish(&outputs).py()?;
    for write in &writes {
        if let Write::Value { spec, .. } = write
            && let Target::Argument(i) = session.entries[*spec].target
        {
            let (owner, shown) = &session.arguments[i];
            owner.get().replace(shown.get().value());
        }
    }
    let exit = Exit { results, writes };
    let (program, number) = match program {
        None => {
            let graph = Graph::new(recording, Passes::ALL).py()?;
            let specs = session.entries.drain(..).map(Spec::from).collect();
            let arguments = session.arguments.len();
            let inner = Inner { graph, specs, exits: vec![exit], arguments, tape: session.tape };
            (Bound::new(py, PyGraph(Mutex::new(Arc::new(inner))))?, 0)
        }
        Some(program) => {
            let number = program.get().extend(py, recording, session.entries, exit)?;
            (program, number)
        }
    };
    outputs.truncate(results);
    Ok((program, number, wrapped(outputs)))
}

impl From<Entry> for Spec {
    fn from(e: Entry) -> Spec {
        Spec {
            target: e.target,
            input: e.input,
            meta: e.meta,
            device: Some(e.device),
            is_leaf: e.is_leaf,
            has_grad: e.has_grad,
            grad: e.grad.map(|g| g.0),
        }
    }
}

impl PyGraph {
    /// Adds another path; its objects are those of the program, or new ones.
    fn extend(&self, py: Python<'_>, rec: record::Recording, entries: Vec<Entry>, exit: Exit) -> PyResult<usize> {
        let inner = self.inner();
        let mut specs: Vec<Spec> = inner.specs.iter().map(|s| s.clone_ref(py)).collect();
        let mut n = inner.graph.inputs().len();
        let mut inputs = vec![0; rec.n_inputs()];
        let mut numbers = Vec::new();
        for entry in entries {
            let at = inner.spec_of(&entry).unwrap_or(specs.len());
            numbers.push(at);
            let new = |inputs: &mut [usize], n: &mut usize, k: usize| {
                inputs[k] = *n;
                *n += 1;
                inputs[k]
            };
            match specs.get_mut(at) {
                Some(spec) => {
                    inputs[entry.input] = spec.input;
                    match (entry.grad, spec.grad) {
                        (Some((k, _)), Some(there)) => inputs[k] = there,
                        (Some((k, _)), None) => spec.grad = Some(new(&mut inputs, &mut n, k)),
                        (None, _) => {}
                    }
                }
                None => {
                    let input = new(&mut inputs, &mut n, entry.input);
                    let grad = entry.grad.map(|(k, _)| new(&mut inputs, &mut n, k));
                    specs.push(Spec { input, grad, ..Spec::from(entry) });
                }
            }
        }
        let writes = exit.writes.into_iter().map(|w| match w {
            Write::Value { spec, is_leaf } => Write::Value { spec: numbers[spec], is_leaf },
            Write::Grad { spec, is_some } => Write::Grad { spec: numbers[spec], is_some },
        });
        let exit = Exit { writes: writes.collect(), ..exit };
        let mut graph = inner.graph.clone();
        let number = graph.add(rec, &inputs).py()?;
        let mut exits = inner.exits.clone();
        if number == exits.len() {
            exits.push(exit);
        }
        self.set(Inner { graph, specs, exits, ..*inner });
        Ok(number)
    }
}

#[pyfunction]
pub fn record_abandon() {
    record::abandon();
    SESSION.set(None);
}

/// Whether this thread records.
#[pyfunction]
pub fn is_recording() -> bool {
    record::is_open()
}

/// Puts what is recorded from here on into a scope of names, until `leave_scope`.
#[pyfunction]
pub fn enter_scope(py: Python<'_>, name: &str) {
    if SESSION.with_borrow(Option::is_some) {
        let (outer, module) = user_place(py).map(|(frame, ..)| scope_of(&frame)).unwrap_or_default();
        with(|s| s.scopes.push(Scope { prefix: joined(&outer, name), module }));
    }
}

#[pyfunction]
pub fn leave_scope() {
    SESSION.with_borrow_mut(|s| _ = s.as_mut().and_then(|s| s.scopes.pop()));
}

/// Looks, until `search_finish`, for the first operation that makes a value that is not finite.
#[pyfunction]
pub fn search_begin() -> PyResult<()> {
    record::search(here).py()?;
    SESSION.set(Some(Session::default()));
    Ok(())
}

/// The operation, its inputs, its output and its line, or None.
#[pyfunction]
pub fn search_finish() -> Option<(String, Vec<String>, String, String)> {
    let found = record::found();
    SESSION.set(None);
    let show = |m: &Meta| format!("{}{}", m.dtype.name(), Tuple(&m.shape));
    found.map(|f| (f.op, f.ins.iter().map(show).collect(), show(&f.out), f.source.to_string()))
}
