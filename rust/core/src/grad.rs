//! Gradients: scopes, the nodes they leave behind, and the two walks over them.
//!
//! There is no interpreter stack. A scope is one bit; `grad` opens it, marks a fresh leaf with it, runs the function,
//! closes it and walks back. Both walks compute through [`apply`], so an enclosing scope sees everything they do and
//! derivatives of any order follow. Leaves are told apart by identity, so perturbations of two scopes cannot be confused,
//! not even when a bit is used again.

use crate::apply::apply;
use crate::array::Array;
use crate::device::Device;
use crate::error::{Error, Kind, Result};
use crate::op::{Ctx, Grads, Meta, Op, OpRef, Outs, Rule};
use crate::ops::{self, structural};
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The scope of `requires_grad`, which stays open outside `no_grad`.
pub const TAPE: u64 = 1;

thread_local! {
    static OPEN: Cell<u64> = const { Cell::new(TAPE) };
    static TAKEN: Cell<u64> = const { Cell::new(TAPE) };
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// Scopes of this thread that watch operations now.
#[inline]
pub fn open_scopes() -> u64 {
    OPEN.get()
}

/// Watches nothing until the guard goes.
pub struct Suspended(u64);

/// Suspends the scopes in `which`.
pub fn suspend(which: u64) -> Suspended {
    let before = OPEN.get();
    OPEN.set(before & !which);
    Suspended(before)
}

impl Drop for Suspended {
    fn drop(&mut self) {
        OPEN.set(self.0);
    }
}

/// The scopes a thread watches, for saving and restoring around user code (`no_grad`).
pub fn set_open_scopes(scopes: u64) {
    OPEN.set(scopes & TAKEN.get());
}

/// What tells the nodes of one scope from all others: its bit, and that they are younger than the scope. Bits are used
/// again, so a value that outlived its scope may carry that of a later one.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    bit: u64,
    since: u64,
}

impl Watch {
    const TAPE: Watch = Watch { bit: TAPE, since: 0 };

    pub fn bit(self) -> u64 {
        self.bit
    }

    fn saw(self, node: &Node) -> bool {
        node.scopes & self.bit != 0 && node.id >= self.since
    }
}

/// One differentiation in progress.
#[derive(Debug)]
pub struct Scope {
    watch: Watch,
}

impl Scope {
    pub fn open() -> Result<Scope> {
        let free = !TAKEN.get();
        if free == 0 {
            return Err(Error::new(Kind::Runtime, "grad: at most 63 differentiations can be nested"));
        }
        let bit = free & free.wrapping_neg();
        TAKEN.set(TAKEN.get() | bit);
        OPEN.set(OPEN.get() | bit);
        Ok(Scope { watch: Watch { bit, since: NEXT_ID.load(Ordering::Relaxed) } })
    }

    /// The same value, watched by this scope.
    pub fn leaf(&self, x: &Array) -> Array {
        leaf(x, self.watch.bit)
    }

    /// By which the walks find the nodes of this scope after it closed.
    pub fn watch(&self) -> Watch {
        self.watch
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        OPEN.set(OPEN.get() & !self.watch.bit);
        TAKEN.set(TAKEN.get() & !self.watch.bit);
    }
}

/// An output of a node.
#[derive(Clone)]
pub struct Link {
    pub node: Arc<Node>,
    pub out: u32,
}

struct Input {
    meta: Meta,
    device: Device,
    link: Option<Link>,
    scopes: u64,
    /// The value, when the rule reads it; its link is kept above.
    value: Option<Array>,
}

/// One application of an op, as much of it as its derivative needs.
pub struct Node {
    id: u64,
    op: OpRef,
    ins: SmallVec<[Input; 2]>,
    out_metas: SmallVec<[Meta; 1]>,
    outs: SmallVec<[Array; 1]>,
    scopes: u64,
    /// `.grad` of a `requires_grad` leaf.
    grad: Mutex<Option<Array>>,
}

impl Node {
    pub fn is_leaf(&self) -> bool {
        self.op.name() == structural::Identity::NAME && self.ins.iter().all(|i| i.link.is_none())
    }
    pub fn op_name(&self) -> &str {
        self.op.name()
    }
    pub fn grad(&self) -> Option<Array> {
        self.grad.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
    pub fn set_grad(&self, g: Option<Array>) {
        *self.grad.lock().unwrap_or_else(|e| e.into_inner()) = g;
    }
}

impl Drop for Node {
    /// Frees a long chain in a loop; the natural recursion would overflow the stack.
    fn drop(&mut self) {
        let mut pending: Vec<Arc<Node>> = self.ins.drain(..).filter_map(|i| i.link).map(|l| l.node).collect();
        while let Some(node) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                pending.extend(node.ins.drain(..).filter_map(|i| i.link).map(|l| l.node));
            }
        }
    }
}

fn leaf(x: &Array, bit: u64) -> Array {
    let scopes = (x.scopes & OPEN.get()) | bit;
    let node = Node {
        id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        op: OpRef::Static(&structural::Identity),
        ins: smallvec![Input {
            meta: x.owned_meta(),
            device: x.device(),
            link: x.link.clone(),
            scopes: x.scopes,
            value: None
        }],
        out_metas: smallvec![x.owned_meta()],
        outs: SmallVec::new(),
        scopes,
        grad: Mutex::new(None),
    };
    let mut y = x.clone();
    y.link = Some(Link { node: Arc::new(node), out: 0 });
    y.scopes = scopes;
    y
}

/// A leaf of the `requires_grad` tape.
pub fn tape_leaf(x: &Array) -> Array {
    leaf(&x.clone().detach(), TAPE)
}

/// Attaches a node for `op` to its outputs. Called by the gate when an open scope watches an input.
pub(crate) fn attach(op: &dyn Op, ins: &[&Array], outs: &mut Outs, watched: u64) {
    let saves = op.saves();
    let linear = matches!(op.rule(), Rule::Linear | Rule::Multilinear);
    let node = Node {
        id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        op: op.handle(),
        ins: ins
            .iter()
            .enumerate()
            .map(|(i, a)| {
                // A linear op's tangent is the op again, so its indices and masks are always kept.
                let keep = saves.inputs >> i & 1 == 1 || (linear && !a.dtype().is_inexact() && op.steers(i));
                let value = keep.then(|| {
                    let mut v = (*a).clone();
                    v.link = None;
                    v
                });
                Input { meta: a.owned_meta(), device: a.device(), link: a.link.clone(), scopes: a.scopes, value }
            })
            .collect(),
        out_metas: outs.iter().map(Array::owned_meta).collect(),
        outs: if saves.outputs { outs.iter().cloned().collect() } else { SmallVec::new() },
        scopes: watched,
        grad: Mutex::new(None),
    };
    let node = Arc::new(node);
    for (i, y) in outs.iter_mut().enumerate() {
        if y.dtype().is_inexact() {
            y.link = Some(Link { node: node.clone(), out: i as u32 });
            y.scopes = watched;
        }
    }
}

/// Forgets the scopes that have closed, and the history with the last of them.
pub fn settle(mut x: Array) -> Array {
    x.scopes &= OPEN.get();
    if x.scopes == 0 { x.detach() } else { x }
}

/// Rebuilds what a rule may read, with links, so that derivatives of the rule are seen by enclosing scopes.
fn with_ctx<T>(node: &Arc<Node>, needs: u64, f: impl FnOnce(&Ctx) -> T) -> T {
    let ins: SmallVec<[Option<Array>; 3]> = node
        .ins
        .iter()
        .map(|i| {
            i.value.clone().map(|mut v| {
                v.link = i.link.clone();
                v.scopes = i.scopes;
                v
            })
        })
        .collect();
    let outs: SmallVec<[Array; 1]> = node
        .outs
        .iter()
        .enumerate()
        .map(|(i, y)| {
            let mut y = y.clone();
            if y.dtype().is_inexact() {
                y.link = Some(Link { node: node.clone(), out: i as u32 });
                y.scopes = node.scopes;
            }
            y
        })
        .collect();
    let in_metas: SmallVec<[Meta; 3]> = node.ins.iter().map(|i| i.meta.clone()).collect();
    f(&Ctx { ins: &ins, in_metas: &in_metas, outs: &outs, out_metas: &node.out_metas, needs })
}

/// A gradient in the shape and dtype of the value it belongs to: broadcasting is undone and dtypes are cast back here.
fn fit(g: Array, meta: &Meta) -> Result<Array> {
    let mut g = g;
    if g.dtype().is_complex() && !meta.dtype.is_complex() {
        g = ops::real(&g)?;
    }
    if g.shape() != &meta.shape[..] {
        g = ops::sum_to(&g, &meta.shape)?;
    }
    if g.dtype() != meta.dtype {
        g = ops::cast(&g, meta.dtype)?;
    }
    Ok(g)
}

fn accumulate(slot: &mut Option<Array>, g: Array) -> Result<()> {
    *slot = Some(match slot.take() {
        None => g,
        Some(sum) => ops::add(&sum, &g)?,
    });
    Ok(())
}

fn vjp_node(node: &Arc<Node>, gs: &[Option<Array>], needs: u64) -> Result<Grads> {
    let op = &*node.op;
    let mut grads = with_ctx(node, needs, |ctx| -> Result<Grads> {
        let each = |f: &dyn Fn(usize) -> Result<Option<Array>>| -> Result<Grads> {
            (0..ctx.in_metas.len()).map(|i| if ctx.needs(i) { f(i) } else { Ok(None) }).collect()
        };
        match op.rule() {
            Rule::Constant => Ok(smallvec![None; ctx.in_metas.len()]),
            Rule::Scalar => {
                let Some(g) = &gs[0] else { return Ok(smallvec![None; ctx.in_metas.len()]) };
                each(&|i| Ok(Some(ops::mulz(g, &ops::conj(&op.partial(i, ctx)?)?)?)))
            }
            Rule::Linear | Rule::Multilinear => each(&|i| op.transpose(i, ctx, gs)),
            Rule::General => op.vjp(ctx, gs),
        }
    })?;
    for (i, g) in grads.iter_mut().enumerate() {
        let keep = needs >> i & 1 == 1;
        *g = match g.take() {
            Some(g) if keep => Some(ops::to(&fit(g, &node.ins[i].meta)?, node.ins[i].device)?),
            _ => None,
        };
    }
    Ok(grads)
}

fn jvp_node(node: &Arc<Node>, ts: &[Option<Array>], needs: u64) -> Result<Grads> {
    let op = &*node.op;
    let outs = with_ctx(node, needs, |ctx| -> Result<Grads> {
        match op.rule() {
            Rule::Constant => Ok(smallvec![None; ctx.out_metas.len()]),
            Rule::Scalar => {
                let mut sum = None;
                for (i, t) in ts.iter().enumerate() {
                    if let Some(t) = t {
                        accumulate(&mut sum, ops::mulz(t, &op.partial(i, ctx)?)?)?;
                    }
                }
                Ok(smallvec![sum])
            }
            Rule::Linear => {
                let full: Vec<Array> = (0..ts.len())
                    .map(|i| match (&ts[i], &ctx.ins[i]) {
                        (Some(t), _) => Ok(t.clone()),
                        (None, Some(v)) if !ctx.in_metas[i].dtype.is_inexact() && op.steers(i) => Ok(v.clone()),
                        _ => ops::zeros(&ctx.in_metas[i]),
                    })
                    .collect::<Result<_>>()?;
                let refs: SmallVec<[&Array; 3]> = full.iter().collect();
                Ok(apply(op, &refs)?.into_iter().map(Some).collect())
            }
            Rule::Multilinear => {
                let mut sums: Grads = smallvec![None; ctx.out_metas.len()];
                for (i, t) in ts.iter().enumerate() {
                    let Some(t) = t else { continue };
                    let refs: SmallVec<[&Array; 3]> =
                        (0..ts.len()).map(|j| if i == j { t } else { ctx.input(j) }).collect();
                    for (sum, y) in sums.iter_mut().zip(apply(op, &refs)?) {
                        accumulate(sum, y)?;
                    }
                }
                Ok(sums)
            }
            Rule::General => match op.jvp(ctx, ts) {
                Some(outs) => outs,
                None => jvp_from_vjp(op, ctx, ts),
            },
        }
    })?;
    outs.into_iter()
        .zip(&node.out_metas)
        .map(|(t, meta)| {
            let Some(mut t) = t else { return Ok(None) };
            if t.shape() != &meta.shape[..] {
                t = ops::broadcast_to(&t, &meta.shape)?;
            }
            if t.dtype() != meta.dtype {
                t = fit(t, meta)?;
            }
            Ok(Some(t))
        })
        .collect()
}

/// The tangent as the transpose of the vjp, which is linear in the cotangents.
fn jvp_from_vjp(op: &dyn Op, ctx: &Ctx, ts: &[Option<Array>]) -> Result<Grads> {
    let scope = Scope::open()?;
    let gs: Vec<Option<Array>> = ctx
        .out_metas
        .iter()
        .map(|m| if m.dtype.is_inexact() { Ok(Some(scope.leaf(&ops::zeros(m)?))) } else { Ok(None) })
        .collect::<Result<_>>()?;
    let needs = ts.iter().enumerate().fold(0, |m, (i, t)| m | (t.is_some() as u64) << i);
    let inner = Ctx { needs, ins: ctx.ins, in_metas: ctx.in_metas, outs: ctx.outs, out_metas: ctx.out_metas };
    let cotangents = op.vjp(&inner, &gs)?;
    let mut pairs = Vec::new();
    for (i, (c, t)) in cotangents.into_iter().zip(ts).enumerate() {
        if let (Some(c), Some(t)) = (c, t) {
            pairs.push((fit(c, &ctx.in_metas[i])?, t));
        }
    }
    let watch = scope.watch();
    drop(scope);
    let seeds: Vec<(&Array, Option<Array>)> = pairs.iter().map(|(c, t)| (c, Some((*t).clone()))).collect();
    let targets: Vec<Option<Link>> = gs.iter().map(|g| g.as_ref().and_then(|g| g.link.clone())).collect();
    Ok(pullback(watch, &seeds, &targets)?.into())
}

/// Cotangents of `targets` from those of the seeds, over the nodes of one scope.
pub fn pullback(
    watch: Watch,
    seeds: &[(&Array, Option<Array>)],
    targets: &[Option<Link>],
) -> Result<Vec<Option<Array>>> {
    let mut found: HashMap<u64, Option<Array>> = targets.iter().flatten().map(|l| (l.node.id, None)).collect();
    walk_back(watch, seeds, |node, g| {
        if let Some(slot) = found.get_mut(&node.id) {
            *slot = Some(g.clone());
        }
        Ok(())
    })?;
    Ok(targets.iter().map(|t| t.as_ref().and_then(|l| found[&l.node.id].clone())).collect())
}

/// Adds to `.grad` of every `requires_grad` leaf that the seeds depend on.
pub fn backward(seeds: &[(&Array, Option<Array>)], create_graph: bool) -> Result<()> {
    let _quiet = (!create_graph).then(|| suspend(TAPE));
    walk_back(Watch::TAPE, seeds, |node, g| {
        if node.is_leaf() {
            let mut sum = node.grad();
            accumulate(&mut sum, g.clone())?;
            node.set_grad(sum);
        }
        Ok(())
    })
}

/// Visits the leaves with their cotangents; nodes go in reverse order of creation.
fn walk_back(
    watch: Watch,
    seeds: &[(&Array, Option<Array>)],
    mut visit: impl FnMut(&Node, &Array) -> Result<()>,
) -> Result<()> {
    let mut pending: BTreeMap<u64, (Arc<Node>, Grads)> = BTreeMap::new();
    let push = |pending: &mut BTreeMap<u64, (Arc<Node>, Grads)>, link: &Link, g: Array| -> Result<()> {
        let node = &link.node;
        let entry = pending.entry(node.id).or_insert_with(|| (node.clone(), smallvec![None; node.out_metas.len()]));
        accumulate(&mut entry.1[link.out as usize], g)
    };
    for (y, g) in seeds {
        if let (Some(link), Some(g)) = (&y.link, g)
            && watch.saw(&link.node)
        {
            push(&mut pending, link, g.clone())?;
        }
    }
    while let Some((_, (node, gs))) = pending.pop_last() {
        if node.op.name() == structural::Identity::NAME
            && let Some(g) = &gs[0]
        {
            visit(&node, g)?;
        }
        let watched = |i: &Input| i.link.as_ref().is_some_and(|l| watch.saw(&l.node));
        let needs = node.ins.iter().enumerate().fold(0, |m, (i, x)| m | (watched(x) as u64) << i);
        if needs == 0 {
            continue;
        }
        for (input, g) in node.ins.iter().zip(vjp_node(&node, &gs, needs)?) {
            if let (Some(link), Some(g)) = (&input.link, g) {
                push(&mut pending, link, g)?;
            }
        }
    }
    Ok(())
}

/// Tangents of `outs` from those of the leaves, over the nodes of one scope.
pub fn pushforward(watch: Watch, leaves: &[(Link, Array)], outs: &[&Array]) -> Result<Vec<Option<Array>>> {
    let mut order: BTreeMap<u64, Arc<Node>> = BTreeMap::new();
    let mut stack: Vec<Arc<Node>> = outs.iter().filter_map(|y| y.link.as_ref()).map(|l| l.node.clone()).collect();
    while let Some(node) = stack.pop() {
        if !watch.saw(&node) || order.contains_key(&node.id) {
            continue;
        }
        stack.extend(node.ins.iter().filter_map(|i| i.link.as_ref()).map(|l| l.node.clone()));
        order.insert(node.id, node);
    }
    let mut tangents: HashMap<u64, Grads> =
        leaves.iter().map(|(l, t)| (l.node.id, smallvec![Some(t.clone())])).collect();
    for (id, node) in &order {
        if tangents.contains_key(id) {
            continue;
        }
        let ts: Grads = node
            .ins
            .iter()
            .map(|i| i.link.as_ref().and_then(|l| tangents.get(&l.node.id)?.get(l.out as usize)?.clone()))
            .collect();
        let needs = ts.iter().enumerate().fold(0, |m, (i, t)| m | (t.is_some() as u64) << i);
        if needs != 0 {
            tangents.insert(*id, jvp_node(node, &ts, needs)?);
        }
    }
    Ok(outs
        .iter()
        .map(|y| y.link.as_ref().and_then(|l| tangents.get(&l.node.id)?.get(l.out as usize)?.clone()))
        .collect())
}
