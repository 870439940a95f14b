//! Factorizations and solvers over the last two axes.

use crate::apply::{apply, apply1};
use crate::array::Array;
use crate::device::dense;
use crate::device::linalg::{CONJ, Call, LOWER, TRANSPOSED, UNIT, spread, turned};
use crate::dtype::DType;
use crate::error::{Error, Kind, Result};
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, OpRef, Outs, Rule, Saves, one, out};
use crate::ops::{self, elementwise as rows, matmul::matmul};
use crate::shape::{Shape, Tuple, broadcast2};
use crate::{ensure, fail, shared_handle};
use sciarray_cuda::Queue;
use sciarray_kernels::linalg::{self as kernels, Failure, Form, Triangle};
use smallvec::smallvec;
use std::cell::Cell;

thread_local! {
    static NAN_ON_FAILURE: Cell<bool> = const { Cell::new(false) };
}

/// Whether a bad matrix makes its item NaN instead of raising; returns what held before.
pub fn set_nan_on_failure(on: bool) -> bool {
    NAN_ON_FAILURE.replace(on)
}

/// Whether failing items are to be reported rather than left NaN.
pub(crate) fn wants_failures() -> bool {
    !NAN_ON_FAILURE.get() && !crate::record::is_open()
}

/// The one policy of all factorizations: an error naming the batch items, or, under `errstate` and in recordings, NaN.
pub(super) fn report(op: &str, rule: &str, lead: &[usize], failures: &[Failure]) -> Result<()> {
    let Some(first) = failures.first() else { return Ok(()) };
    report_items(op, rule, lead, failures, &format!(", pivot {} failed", first.pivot))
}

/// [`report`] with its own end of the message.
pub(super) fn report_items(op: &str, rule: &str, lead: &[usize], failures: &[Failure], end: &str) -> Result<()> {
    let Some(first) = failures.first() else { return Ok(()) };
    if !wants_failures() {
        return Ok(());
    }
    let place = |item: usize| {
        let mut rest = item;
        let mut index: Shape = lead
            .iter()
            .rev()
            .map(|&n| {
                let i = rest % n;
                rest /= n;
                i
            })
            .collect();
        index.reverse();
        Tuple(&index).to_string()
    };
    let which = match (lead.len(), failures.len()) {
        (0, _) => String::new(),
        (_, 1) => format!(" in batch item {}", place(first.item)),
        (_, n) => format!(" in {n} batch items, the first is {}", place(first.item)),
    };
    Err(Error::new(Kind::LinAlg, format!("{op}: {rule}{which}{end}")))
}

pub(super) fn square<'a>(op: &str, name: &str, a: MetaRef<'a>) -> Result<(&'a [usize], usize)> {
    ensure!(a.dtype.is_inexact(), Type, "{op}: {name} must be float or complex, got {}", a.dtype.name());
    match a.shape {
        [lead @ .., n, m] if n == m => Ok((lead, *n)),
        _ => fail!(Value, "{op}: {name} must be square in its last two axes, got shape {}", Tuple(a.shape)),
    }
}

/// `(..., n, n)` to LU `(..., n, n)` and int64 pivots `(..., n)`; its derivative belongs to [`LuSolve`].
#[derive(Clone, Debug)]
pub struct LuFactor;

impl Op for LuFactor {
    fn name(&self) -> &str {
        "lu_factor"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square("solve", "A", ins[0])?;
        let mut piv = Shape::from_slice(lead);
        piv.push(n);
        Ok(smallvec![Meta::new(ins[0].dtype, ins[0].shape), Meta { dtype: DType::I64, shape: piv }])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut lu = Array::empty("solve", a.dtype(), a.shape())?;
        let mut piv = Array::empty("solve", DType::I64, &outs[1].shape)?;
        let failures = kernels::lu_factor(&a.view(), &mut lu.view_mut(), &mut piv.view_mut());
        report("solve", "A is singular", &a.shape()[..a.ndim() - 2], &failures)?;
        Ok(smallvec![lu, piv])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        if dense::is_large(a) {
            let [lu, piv, info] = dense::lu_factor(queue, "solve", a)?;
            report("solve", "A is singular", &a.shape()[..a.ndim() - 2], &dense::failures(&info)?)?;
            return Ok(smallvec![lu, piv]);
        }
        let lu = Array::empty_on(queue, "solve", a.dtype(), a.shape())?;
        let piv = Array::empty_on(queue, "solve", DType::I64, &outs[1].shape)?;
        let call = Call { x: Some(&lu), pivots: Some(&piv), ..Call::new("solve", "sa_lu_factor", a) };
        report("solve", "A is singular", &a.shape()[..a.ndim() - 2], &call.run(queue)?)?;
        Ok(smallvec![lu, piv])
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&LuFactor)
    }
}

/// x of A x = b, or of A^H x = b if `adjoint`: inputs A, LU, piv, b, where LU and piv are [`LuFactor`]'s of A.
#[derive(Clone, Debug)]
pub struct LuSolve {
    pub adjoint: bool,
}

impl Op for LuSolve {
    fn name(&self) -> &str {
        "lu_solve"
    }
    fn attrs(&self) -> Attrs {
        vec![("adjoint", Attr::Bool(self.adjoint))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square("solve", "A", ins[0])?;
        let b = ins[3];
        let [lead_b @ .., rows, k] = b.shape else {
            fail!(Value, "solve: b must have shape (..., n, k), got {}", Tuple(b.shape))
        };
        let lead = broadcast2(lead, lead_b);
        let (true, Some(mut shape)) = (*rows == n && b.dtype == ins[0].dtype, lead) else {
            fail!(
                Value,
                "solve: shapes (..., n, n) and (..., n, k) of one dtype are required, got {} {} and {} {}",
                ins[0].dtype.name(),
                Tuple(ins[0].shape),
                b.dtype.name(),
                Tuple(b.shape)
            )
        };
        shape.extend([n, *k]);
        one(b.dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let shape = &outs[0].shape;
        let lead = &shape[..shape.len() - 2];
        let (lu, piv, b) = (spread(ins[1], lead, 2), spread(ins[2], lead, 1), spread(ins[3], lead, 2));
        let mut x = Array::empty("solve", outs[0].dtype, shape)?;
        if x.size() > 0 {
            let form = if self.adjoint { Form::Adjoint } else { Form::Plain };
            // A singular item was reported by the factorization; here it becomes NaN.
            kernels::lu_solve(&lu.view(), &piv.view(), &b.view(), &mut x.view_mut(), form);
        }
        out(x)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let shape = &outs[0].shape;
        let lead = &shape[..shape.len() - 2];
        let (lu, b) = (spread(ins[1], lead, 2), spread(ins[3], lead, 2));
        let piv = spread(ins[2], lead, 1).contiguous("solve")?;
        let x = Array::empty_on(queue, "solve", outs[0].dtype, shape)?;
        if x.size() > 0 && dense::is_large(&lu) {
            dense::lu_solve(queue, "solve", (&lu, &piv), Some(&b), &x, self.adjoint)?;
        } else if x.size() > 0 {
            let call = Call {
                x: Some(&b),
                y: Some(&x),
                pivots: Some(&piv),
                columns: shape[shape.len() - 1],
                flags: if self.adjoint { TRANSPOSED | CONJ } else { 0 },
                ..Call::new("solve", "sa_lu_solve", &lu)
            };
            // As on the CPU, a singular item was reported before.
            call.send(queue)?;
        }
        out(x)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 0b111, outputs: true }
    }
    /// gb = A^-H g and gA = -gb x^H; for the adjoint system gA = -x gb^H. LU is used again.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None, None, None, None]) };
        let gb = self.again(ctx, !self.adjoint, g)?;
        let x = ctx.output(0);
        let ga = if ctx.needs(0) {
            let (l, r) = if self.adjoint { (x, &gb) } else { (&gb, x) };
            Some(ops::elementwise(&rows::NEGATIVE, &[&matmul(l, &ops::adjoint(r)?)?])?)
        } else {
            None
        };
        Ok(smallvec![ga, None, None, Some(gb)])
    }
    /// A dx = db - dA x.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let tangent = || {
            let mut rhs = ts[3].clone();
            if let Some(da) = &ts[0] {
                let da = if self.adjoint { ops::adjoint(da)? } else { da.clone() };
                let moved = ops::elementwise(&rows::NEGATIVE, &[&matmul(&da, ctx.output(0))?])?;
                rhs = Some(match rhs {
                    Some(r) => ops::add(&r, &moved)?,
                    None => moved,
                });
            }
            match rhs {
                Some(r) => Ok(smallvec![Some(self.again(ctx, self.adjoint, &r)?)]),
                None => Ok(smallvec![None]),
            }
        };
        Some(tangent())
    }
    shared_handle!();
}

impl LuSolve {
    fn again(&self, ctx: &Ctx, adjoint: bool, b: &Array) -> Result<Array> {
        apply1(&LuSolve { adjoint }, &[ctx.input(0), ctx.input(1), ctx.input(2), b])
    }
}

/// x of A x = b for `(..., n, n)` and `(..., n, k)` of one dtype, for which no derivative is taken here and now: nothing is
/// kept of a small factorization.
#[derive(Clone, Debug)]
pub struct Solve;

impl Op for Solve {
    fn name(&self) -> &str {
        "solve"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        LuSolve { adjoint: false }.infer(&[ins[0], ins[0], ins[0], ins[1]])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let shape = &outs[0].shape;
        let lead = &shape[..shape.len() - 2];
        // One factorization for all right-hand sides of a matrix that is broadcast.
        if ins[0].shape()[..ins[0].ndim() - 2] == *lead {
            let mut x = Array::empty("solve", outs[0].dtype, shape)?;
            if let Some(failures) =
                kernels::solve_small(&ins[0].view(), &spread(ins[1], lead, 2).view(), &mut x.view_mut())
            {
                report("solve", "A is singular", lead, &failures)?;
                return out(x);
            }
        }
        let factors = LuFactor.run(&[ins[0]])?;
        LuSolve { adjoint: false }.eval(&[ins[0], &factors[0], &factors[1], ins[1]], outs)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        if dense::is_large(ins[0]) {
            let metas = LuFactor.infer(&[ins[0].meta()])?;
            let factors = LuFactor.eval_on(queue, &[ins[0]], &metas)?;
            return LuSolve { adjoint: false }.eval_on(queue, &[ins[0], &factors[0], &factors[1], ins[1]], outs);
        }
        let shape = &outs[0].shape;
        let lead = &shape[..shape.len() - 2];
        let (a, b) = (spread(ins[0], lead, 2), spread(ins[1], lead, 2));
        let x = Array::empty_on(queue, "solve", outs[0].dtype, shape)?;
        if x.size() > 0 {
            let columns = shape[shape.len() - 1];
            let call = Call { x: Some(&b), y: Some(&x), columns, ..Call::new("solve", "sa_solve", &a) };
            report("solve", "A is singular", lead, &call.run(queue)?)?;
        }
        out(x)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: true }
    }
    /// gb = A^-H g and gA = -gb x^H.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None, None]) };
        let gb = solve(&ops::adjoint(ctx.input(0))?, g)?;
        let ga = ops::elementwise(&rows::NEGATIVE, &[&matmul(&gb, &ops::adjoint(ctx.output(0))?)?])?;
        Ok(smallvec![Some(ga), Some(gb)])
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Solve)
    }
}

/// x of A x = b for `(..., n, n)` and `(..., n, k)` of one dtype.
pub fn solve(a: &Array, b: &Array) -> Result<Array> {
    if (a.scopes | b.scopes) & crate::grad::open_scopes() == 0 && !crate::record::is_open() {
        return apply1(&Solve, &[a, b]);
    }
    let factors = apply(&LuFactor, &[a])?;
    apply1(&LuSolve { adjoint: false }, &[a, &factors[0], &factors[1], b])
}

/// The triangular factor of Hermitian positive definite `(..., n, n)`; one triangle is read.
#[derive(Clone, Debug)]
pub struct Cholesky {
    pub upper: bool,
}

impl Op for Cholesky {
    fn name(&self) -> &str {
        "cholesky"
    }
    fn attrs(&self) -> Attrs {
        vec![("upper", Attr::Bool(self.upper))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        square("cholesky", "A", ins[0])?;
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut l = Array::empty("cholesky", a.dtype(), a.shape())?;
        let failures = kernels::cholesky(&a.view(), &mut l.view_mut(), self.upper);
        report("cholesky", "A is not positive definite", &a.shape()[..a.ndim() - 2], &failures)?;
        out(l)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let rule = "A is not positive definite";
        let lead = &ins[0].shape()[..ins[0].ndim() - 2];
        if dense::is_large(ins[0]) {
            let [l, info] = dense::cholesky(queue, "cholesky", ins[0], self.upper)?;
            report("cholesky", rule, lead, &dense::failures(&info)?)?;
            return out(l);
        }
        let l = Array::empty_on(queue, "cholesky", ins[0].dtype(), ins[0].shape())?;
        // Of A transposed, whose lower triangle is A's upper one, the factor is conj(L) = U^T.
        let (a, to) = if self.upper { (turned(ins[0]), turned(&l)) } else { (ins[0].clone(), l.clone()) };
        let failures = Call { x: Some(&to), ..Call::new("cholesky", "sa_cholesky", &a) }.run(queue)?;
        report("cholesky", rule, lead, &failures)?;
        out(l)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::OUTPUT
    }
    /// With S = Phi(L^H g), Phi the lower triangle with the diagonal halved: gA is the Hermitian part of L^-H S L^-1
    /// (Murray 2016, arXiv:1602.07527).
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let l = self.lower(ctx.output(0))?;
        let g = self.lower(g)?;
        let s = halved_triangle(&matmul(&ops::adjoint(&l)?, &g)?)?;
        let right = triangular(&l, &ops::adjoint(&s)?, Form::Adjoint)?;
        let ga = triangular(&l, &ops::adjoint(&right)?, Form::Adjoint)?;
        let both = ops::add(&ga, &ops::adjoint(&ga)?)?;
        let half = ops::cast(&Array::scalar(0.5)?, both.dtype().real())?;
        Ok(smallvec![Some(ops::elementwise(&rows::MULTIPLY, &[&both, &half])?)])
    }
    /// dL = L Phi(L^-1 dA L^-H).
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        let tangent = || -> Result<Array> {
            let l = self.lower(ctx.output(0))?;
            // Only the Hermitian part of A counts.
            let both = ops::add(t, &ops::adjoint(t)?)?;
            let half = ops::cast(&Array::scalar(0.5)?, both.dtype().real())?;
            let t = ops::elementwise(&rows::MULTIPLY, &[&both, &half])?;
            let left = triangular(&l, &t, Form::Plain)?;
            let inner = triangular(&l, &ops::adjoint(&left)?, Form::Plain)?;
            self.lower(&matmul(&l, &halved_triangle(&inner)?)?)
        };
        Some(tangent().map(|t| smallvec![Some(t)]))
    }
    shared_handle!();
}

impl Cholesky {
    /// The lower factor and its (co)tangents from ours, and back: U = L^H.
    fn lower(&self, x: &Array) -> Result<Array> {
        if self.upper { ops::adjoint(x) } else { Ok(x.clone()) }
    }
}

/// The lower triangle with the diagonal halved.
fn halved_triangle(x: &Array) -> Result<Array> {
    let n = x.shape()[x.ndim() - 1];
    let weights: Vec<f64> = (0..n * n)
        .map(|k| match (k / n).cmp(&(k % n)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .collect();
    let weights = ops::cast(&Array::from_slice("cholesky", &weights, &[n, n])?, x.dtype().real())?;
    let weights = ops::to(&weights, x.device())?;
    ops::mulz(&weights, x)
}

/// T x = b, or T^H x = b, with a lower triangular T `(..., n, n)` and b `(..., n, k)`, leading axes broadcast.
#[derive(Clone, Debug)]
pub struct SolveTriangular {
    pub lower: bool,
    pub unit: bool,
    pub adjoint: bool,
}

pub(super) fn triangular(t: &Array, b: &Array, form: Form) -> Result<Array> {
    let op = SolveTriangular { lower: true, unit: false, adjoint: matches!(form, Form::Adjoint) };
    apply1(&op, &[t, b])
}

impl SolveTriangular {
    /// The part of a gradient or tangent of T that T's own elements see.
    fn triangle(&self, g: &Array) -> Result<Array> {
        let n = g.shape()[g.ndim() - 1];
        let keep = |i: usize, j: usize| (if self.lower { i >= j } else { i <= j }) && !(self.unit && i == j);
        let mask: Vec<bool> = (0..n * n).map(|k| keep(k / n, k % n)).collect();
        let mask = ops::to(&Array::from_slice("solve_triangular", &mask, &[n, n])?, g.device())?;
        ops::elementwise(&rows::WHERE, &[&mask, g, &ops::zeros(&Meta::new(g.dtype(), &[]))?])
    }
}

impl Op for SolveTriangular {
    fn name(&self) -> &str {
        "solve_triangular"
    }
    fn attrs(&self) -> Attrs {
        vec![("lower", Attr::Bool(self.lower)), ("unit", Attr::Bool(self.unit)), ("adjoint", Attr::Bool(self.adjoint))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square("solve_triangular", "A", ins[0])?;
        let b = ins[1];
        let [lead_b @ .., rows, k] = b.shape else {
            fail!(Value, "solve_triangular: b must have shape (..., n, k), got {}", Tuple(b.shape))
        };
        let (true, Some(mut shape)) = (*rows == n && b.dtype == ins[0].dtype, broadcast2(lead, lead_b)) else {
            fail!(
                Value,
                "solve_triangular: shapes (..., n, n) and (..., n, k) of one dtype are required, got {} {} and {} {}",
                ins[0].dtype.name(),
                Tuple(ins[0].shape),
                b.dtype.name(),
                Tuple(b.shape)
            )
        };
        shape.extend([n, *k]);
        one(b.dtype, shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let shape = &outs[0].shape;
        let lead = &shape[..shape.len() - 2];
        let (t, b) = (spread(ins[0], lead, 2), spread(ins[1], lead, 2));
        let mut x = Array::empty("solve_triangular", outs[0].dtype, shape)?;
        if x.size() > 0 {
            let form = if self.adjoint { Form::Adjoint } else { Form::Plain };
            let triangle = Triangle { lower: self.lower, unit: self.unit, form };
            let failures = kernels::solve_triangular(&t.view(), &b.view(), &mut x.view_mut(), triangle);
            report("solve_triangular", "A is singular", lead, &failures)?;
        }
        out(x)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let shape = &outs[0].shape;
        let lead = &shape[..shape.len() - 2];
        let (t, b) = (spread(ins[0], lead, 2), spread(ins[1], lead, 2));
        let x = Array::empty_on(queue, "solve_triangular", outs[0].dtype, shape)?;
        if x.size() > 0 && dense::is_large(&t) {
            let triangle = dense::Triangle { lower: self.lower, unit: self.unit, adjoint: self.adjoint };
            let info = dense::triangular(queue, "solve_triangular", &t, &b, &x, triangle)?;
            report("solve_triangular", "A is singular", lead, &dense::failures(&info)?)?;
        } else if x.size() > 0 {
            let flag = |on: bool, flags: i64| if on { flags } else { 0 };
            let call = Call {
                x: Some(&b),
                y: Some(&x),
                columns: shape[shape.len() - 1],
                flags: flag(self.lower, LOWER) | flag(self.unit, UNIT) | flag(self.adjoint, TRANSPOSED | CONJ),
                ..Call::new("solve_triangular", "sa_triangular", &t)
            };
            report("solve_triangular", "A is singular", lead, &call.run(queue)?)?;
        }
        out(x)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: true }
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None, None]) };
        let back = SolveTriangular { adjoint: !self.adjoint, ..self.clone() };
        let gb = apply1(&back, &[ctx.input(0), g])?;
        let x = ctx.output(0);
        let (l, r) = if self.adjoint { (x, &gb) } else { (&gb, x) };
        let gt = ops::elementwise(&rows::NEGATIVE, &[&matmul(l, &ops::adjoint(r)?)?])?;
        Ok(smallvec![Some(self.triangle(&gt)?), Some(gb)])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let tangent = || {
            let mut rhs = ts[1].clone();
            if let Some(dt) = &ts[0] {
                let dt = self.triangle(dt)?;
                let dt = if self.adjoint { ops::adjoint(&dt)? } else { dt };
                let moved = ops::elementwise(&rows::NEGATIVE, &[&matmul(&dt, ctx.output(0))?])?;
                rhs = Some(match rhs {
                    Some(r) => ops::add(&r, &moved)?,
                    None => moved,
                });
            }
            match rhs {
                Some(r) => Ok(smallvec![Some(apply1(self, &[ctx.input(0), &r])?)]),
                None => Ok(smallvec![None]),
            }
        };
        Some(tangent())
    }
    shared_handle!();
}
