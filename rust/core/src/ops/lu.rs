//! LU factors as values in their own right, and the factorizations that have no derivative here.

use crate::apply::apply1;
use crate::array::Array;
use crate::device::linalg::{self as on_device, Call, SCHUR, row_order, row_order_and_info};
use crate::device::{Device, dense};
use crate::dtype::DType;
use crate::error::Result;
use crate::expr::E;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, OpRef, Outs, Rule, Saves, one, out};
use crate::ops::decompositions::{masked, when};
use crate::ops::linalg::{self, SolveTriangular, report_items, square};
use crate::ops::{self, elementwise as rows, gather, sort};
use crate::shape::{Shape, Tuple};
use crate::{ensure, fail, shared_handle};
use sciarray_cuda::Queue;
use sciarray_cuda::text::File;
use sciarray_kernels::linalg::{self as kernels, Failure};
use smallvec::smallvec;

/// `(..., n, n)` to both factors in one matrix, int64 exchanges `(..., n)` and the order `(..., n)` of rows they lead to.
#[derive(Clone, Debug)]
pub struct Lu;

/// The order of rows after all exchanges.
fn order(piv: &Array) -> Result<Array> {
    let n = piv.shape()[piv.ndim() - 1];
    let mut rows: Vec<i64> = (0..piv.size()).map(|k| (k % n) as i64).collect();
    let exchanges = piv.contiguous("lu")?;
    let exchanges = exchanges.view().as_slice::<i64>().expect("contiguous int64");
    for (rows, exchanges) in rows.chunks_mut(n.max(1)).zip(exchanges.chunks(n.max(1))) {
        for (i, &p) in exchanges.iter().enumerate() {
            let p = usize::try_from(p).ok().filter(|&p| p < n);
            let Some(p) = p else { fail!(Value, "lu_solve: pivots must be in [0, {n}), got {}", exchanges[i]) };
            rows.swap(i, p);
        }
    }
    Array::from_slice("lu", &rows, piv.shape())
}

/// The order of rows after the exchanges of [`Lu`].
#[derive(Clone, Debug)]
pub struct RowOrder;

impl Op for RowOrder {
    fn name(&self) -> &str {
        "row_order"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        ensure!(ins[0].dtype == DType::I64, Type, "lu_solve: piv must be int64, got {}", ins[0].dtype.name());
        ensure!(!ins[0].shape.is_empty(), Value, "lu_solve: piv must have shape (..., n), got {}", Tuple(ins[0].shape));
        one(DType::I64, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        out(order(ins[0])?)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        match row_order(queue, ins[0])? {
            Some(order) => out(order),
            None => out(order(&ins[0].to_cpu()?)?),
        }
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&RowOrder)
    }
}

/// The rows of `(..., n, k)` in an order `(..., n)`.
fn permuted(x: &E, order: &Array) -> E {
    x.map(|x| {
        let column = ops::reshape(order, &[order.shape(), &[1]].concat())?;
        apply1(&gather::TakeAlongAxis(x.ndim() - 2), &[x, &ops::broadcast_to(&column, x.shape())?])
    })
}

fn solve(t: &E, b: &E, lower: bool, adjoint: bool) -> E {
    t.map2(b, |t, b| apply1(&SolveTriangular { lower, unit: lower, adjoint }, &[t, b]))
}

fn below(x: &E) -> E {
    masked(x, |i, j| when(i > j))
}

fn above(x: &E) -> E {
    masked(x, |i, j| when(i <= j))
}

impl Op for Lu {
    fn name(&self) -> &str {
        "lu"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square("lu", "A", ins[0])?;
        let mut piv = Shape::from_slice(lead);
        piv.push(n);
        let piv = Meta { dtype: DType::I64, shape: piv };
        Ok(smallvec![Meta::new(ins[0].dtype, ins[0].shape), piv.clone(), piv])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut lu = Array::empty("lu", a.dtype(), a.shape())?;
        let mut piv = Array::empty("lu", DType::I64, &outs[1].shape)?;
        // The factors of a singular matrix are right.
        kernels::lu_factor(&a.view(), &mut lu.view_mut(), &mut piv.view_mut());
        let order = order(&piv)?;
        Ok(smallvec![lu, piv, order])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let (lu, piv) = if dense::is_large(ins[0]) {
            let [lu, piv, _] = dense::lu_factor(queue, "lu", ins[0])?;
            (lu, piv)
        } else {
            let lu = Array::empty_on(queue, "lu", outs[0].dtype, &outs[0].shape)?;
            let piv = Array::empty_on(queue, "lu", DType::I64, &outs[1].shape)?;
            Call { x: Some(&lu), pivots: Some(&piv), ..Call::new("lu", "sa_lu_factor", ins[0]) }.send(queue)?;
            (lu, piv)
        };
        let (order, _) = row_order_and_info(queue, &piv)?;
        Ok(smallvec![lu, piv, order])
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::OUTPUT
    }
    /// P^T L^-H (below(L^H g_L) + above(g_U U^H)) U^-H, where g_L is what is below the diagonal of g and g_U the rest.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let (packed, g) = (E::of(ctx.output(0)), E::of(g));
        let (strict, u) = (below(&packed), above(&packed));
        let gl = below(&g);
        let inner = below(&(&gl + strict.h().at(&gl))) + above(&above(&g).at(&u.h()));
        let left = solve(&packed, &inner, true, true);
        let ga = solve(&packed, &left.h(), false, false).h();
        let back = apply1(&sort::ArgSort { axis: ctx.output(2).ndim() - 1, descending: false }, &[ctx.output(2)])?;
        Ok(smallvec![Some(permuted(&ga, &back).0?)])
    }
    /// With F = L^-1 P dA U^-1: dL = L below(F), dU = above(F) U.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = E::of(ts[0].as_ref()?);
        let packed = E::of(ctx.output(0));
        let (strict, u) = (below(&packed), above(&packed));
        let left = solve(&packed, &permuted(&t, ctx.output(2)), true, false);
        let f = solve(&packed, &left.h(), false, true).h();
        let lower = below(&f);
        let tangent = &lower + strict.at(&lower) + above(&f).at(&u);
        Some(tangent.0.map(|t| smallvec![Some(t), None, None]))
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Lu)
    }
}

/// P A P^T = L D L^H of `(..., n, n)`, of which one triangle is read: a unit triangle L, D with blocks of 1 and 2, and the
/// rows `(..., n)` of A in the order of L.
#[derive(Clone, Debug)]
pub struct Ldl {
    pub lower: bool,
    /// Otherwise the matrix is symmetric and the last factor is L^T.
    pub hermitian: bool,
}

impl Ldl {
    /// The adjoint or the transpose, by which L stands on the right of D.
    fn turned(&self, x: &E) -> E {
        if self.hermitian { x.h() } else { x.map(ops::matrix_transpose) }
    }
    /// The part of a (co)tangent that the matrix sees.
    fn symmetric(&self, x: &E) -> E {
        (x + self.turned(x)) * 0.5
    }
    /// L^-1 x, or L^-H x.
    fn solve(&self, l: &E, x: &E, adjoint: bool) -> E {
        l.map2(x, |l, x| apply1(&SolveTriangular { lower: self.lower, unit: true, adjoint }, &[l, x]))
    }
    /// `x` inside the blocks of D, and beside them in the triangle of L.
    fn split(&self, d: &Array, x: &E) -> [E; 2] {
        let d = E(Ok(d.clone().detach()));
        let n = d.0.as_ref().map_or(0, |d| d.shape()[d.ndim() - 1]);
        let inside = E::call(&rows::NOT_EQUAL, [&d, &d.lit(0.0)]);
        // A block of 2 has no zero beside the diagonal.
        let eye: Vec<bool> = (0..n * n).map(|k| k / n == k % n).collect();
        let triangle: Vec<bool> = (0..n * n).map(|k| if self.lower { k / n > k % n } else { k / n < k % n }).collect();
        let device = d.0.as_ref().map_or(Device::CPU, |d| d.device());
        let mask = |values: &[bool]| E(Array::from_slice("ldl", values, &[n, n]).and_then(|m| ops::to(&m, device)));
        let inside = E::call(&rows::LOGICAL_OR, [&inside, &mask(&eye)]);
        let beside = E::call(&rows::LOGICAL_AND, [&E::call(&rows::LOGICAL_NOT, [&inside]), &mask(&triangle)]);
        [inside, beside].map(|keep| E::call(&rows::WHERE, [&keep, x, &x.lit(0.0)]))
    }
}

impl Op for Ldl {
    fn name(&self) -> &str {
        "ldl"
    }
    fn attrs(&self) -> Attrs {
        vec![("lower", Attr::Bool(self.lower)), ("hermitian", Attr::Bool(self.hermitian))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square("ldl", "A", ins[0])?;
        let mut order = Shape::from_slice(lead);
        order.push(n);
        let factor = Meta::new(ins[0].dtype, ins[0].shape);
        Ok(smallvec![factor.clone(), factor, Meta { dtype: DType::I64, shape: order }])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let new = |meta: &Meta| Array::empty("ldl", meta.dtype, &meta.shape);
        let (mut l, mut d, mut order) = (new(&outs[0])?, new(&outs[1])?, new(&outs[2])?);
        let kind = kernels::Ldl { lower: self.lower, hermitian: self.hermitian || !a.dtype().is_complex() };
        kernels::ldl(&a.view(), &mut l.view_mut(), &mut d.view_mut(), &mut order.view_mut(), kind);
        Ok(smallvec![l, d, order])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let hermitian = self.hermitian || !ins[0].dtype().is_complex();
        on_device::ldl(queue, ins[0], self.lower, hermitian, outs)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::OUTPUT
    }
    /// The transpose of the tangent at fixed pivots: with X = in(g_D) + beside(L^H g_L D^-H), the symmetric part of
    /// P^T L^-H X L^-1 P, where L^-1 is conjugated for symmetric matrices.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let (l, d) = (E::of(ctx.output(0)), E::of(ctx.output(1)));
        let inside = gs[1].as_ref().map(|g| self.split(ctx.output(1), &E::of(g))[0].clone());
        let beside = gs[0].as_ref().map(|g| {
            // Y D^-H = (D^-1 Y^H)^H
            let y = d.map2(&l.h().at(&E::of(g)).h(), linalg::solve).h();
            self.split(ctx.output(1), &y)[1].clone()
        });
        let inner = match (inside, beside) {
            (Some(x), Some(y)) => x + y,
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => return Ok(smallvec![None]),
        };
        let left = self.solve(&l, &inner, true);
        let ga = self.turned(&self.solve(&l, &self.turned(&left), true));
        let back = apply1(&sort::ArgSort { axis: ctx.output(2).ndim() - 1, descending: false }, &[ctx.output(2)])?;
        let ga = self.turned(&permuted(&self.turned(&permuted(&ga, &back)), &back));
        Ok(smallvec![Some(self.symmetric(&ga).0?)])
    }
    /// At fixed pivots, with M = L^-1 P dA P^T L^-H: dD = in(M), dL = L beside(M) D^-1.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = self.symmetric(&E::of(ts[0].as_ref()?));
        let (l, d) = (E::of(ctx.output(0)), E::of(ctx.output(1)));
        let order = ctx.output(2);
        let t = permuted(&self.turned(&permuted(&t, order)), order);
        let left = self.solve(&l, &t, false);
        let m = self.solve(&l, &self.turned(&left), false);
        let [dd, beside] = self.split(ctx.output(1), &m);
        // D is its own adjoint or transpose.
        let dl = l.at(&self.turned(&d.map2(&self.turned(&beside), linalg::solve)));
        Some(dl.0.and_then(|dl| Ok(smallvec![Some(dl), Some(dd.0?), None])))
    }
    shared_handle!();
}

/// A = Z T Z^H or A = Q H Q^H of `(..., n, n)`, the middle factor first.
#[derive(Clone, Debug)]
pub struct Similarity {
    /// T triangular, real ones with 2 x 2 blocks; else H with one subdiagonal.
    pub schur: bool,
}

impl Similarity {
    fn report(&self, a: &Array, failures: &[Failure]) -> Result<()> {
        report_items(self.name(), "the iteration did not converge", &a.shape()[..a.ndim() - 2], failures, "")
    }
}

impl Op for Similarity {
    fn name(&self) -> &str {
        if self.schur { "schur" } else { "hessenberg" }
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        square(self.name(), "A", ins[0])?;
        let meta = Meta::new(ins[0].dtype, ins[0].shape);
        Ok(smallvec![meta.clone(), meta])
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut middle = Array::empty(self.name(), a.dtype(), a.shape())?;
        let mut unitary = Array::empty(self.name(), a.dtype(), a.shape())?;
        if self.schur {
            self.report(a, &kernels::schur(&a.view(), &mut middle.view_mut(), &mut unitary.view_mut()))?;
        } else {
            kernels::hessenberg(&a.view(), &mut middle.view_mut(), &mut unitary.view_mut());
        }
        Ok(smallvec![middle, unitary])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let new: Outs =
            outs.iter().map(|m| Array::empty_on(queue, self.name(), m.dtype, &m.shape)).collect::<Result<_>>()?;
        let call = Call {
            file: File::Eigen,
            x: Some(&new[0]),
            y: Some(&new[1]),
            flags: if self.schur { SCHUR } else { 0 },
            ..Call::new(self.name(), "sa_similarity", a)
        };
        self.report(a, &call.run(queue)?)?;
        Ok(new)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}

/// x of A x = b for a banded A `(..., lower + upper + 1, n)` in the form of LAPACK and b `(..., n, k)`; its derivative is
/// that of the Python function.
#[derive(Clone, Debug)]
pub struct SolveBanded {
    pub lower: usize,
    pub upper: usize,
}

impl Op for SolveBanded {
    fn name(&self) -> &str {
        "solve_banded"
    }
    fn attrs(&self) -> Attrs {
        vec![("lower", Attr::Int(self.lower as i64)), ("upper", Attr::Int(self.upper as i64))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (ab, b) = (ins[0], ins[1]);
        ensure!(ab.dtype.is_inexact(), Type, "solve_banded: ab must be float or complex, got {}", ab.dtype.name());
        let fits = match (ab.shape, b.shape) {
            ([lead @ .., rows, n], [lead_b @ .., m, _]) => {
                lead == lead_b && *rows == self.lower + self.upper + 1 && n == m && ab.dtype == b.dtype
            }
            _ => false,
        };
        ensure!(
            fits,
            Value,
            "solve_banded: shapes (..., l + u + 1, n) and (..., n, k) are required, with l = {} and u = {}, got {} and {}",
            self.lower,
            self.upper,
            Tuple(ab.shape),
            Tuple(b.shape)
        );
        one(b.dtype, b.shape)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let (ab, b) = (ins[0], ins[1]);
        let mut x = Array::empty("solve_banded", outs[0].dtype, &outs[0].shape)?;
        let failures = kernels::solve_banded(self.lower, self.upper, &ab.view(), &b.view(), &mut x.view_mut());
        linalg::report("solve_banded", "A is singular", &ab.shape()[..ab.ndim() - 2], &failures)?;
        out(x)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let (x, failures) = on_device::solve_banded(queue, [self.lower, self.upper], ins[0], ins[1])?;
        linalg::report("solve_banded", "A is singular", &ins[0].shape()[..ins[0].ndim() - 2], &failures)?;
        out(x)
    }
    fn rule(&self) -> Rule {
        Rule::Constant
    }
    shared_handle!();
}
