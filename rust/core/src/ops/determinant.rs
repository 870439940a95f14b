//! Inverses and determinants.

use crate::apply::apply1;
use crate::array::Array;
use crate::device::linalg::{Call, IDENTITY, LOGARITHM};
use crate::device::{self, Device, dense};
use crate::error::Result;
use crate::expr::E;
use crate::op::{Ctx, Grads, Meta, MetaRef, Metas, Op, OpRef, Outs, Rule, Saves, one, out};
use crate::ops::decompositions::{Part, constants, diagonal, identity, others, part, svd, when};
use crate::ops::linalg::{self, square};
use crate::ops::scan::cumprod_exclusive;
use crate::ops::{self, elementwise as rows, reduce};
use crate::{grad, record};
use sciarray_cuda::Queue;
use sciarray_kernels::linalg as kernels;
use smallvec::smallvec;

/// The inverse of `(..., n, n)`.
#[derive(Clone, Debug)]
pub struct Inv;

impl Op for Inv {
    fn name(&self) -> &str {
        "inv"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        square("inv", "A", ins[0])?;
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut x = Array::empty("inv", a.dtype(), a.shape())?;
        let failures = kernels::inv(&a.view(), &mut x.view_mut());
        linalg::report("inv", "A is singular", &a.shape()[..a.ndim() - 2], &failures)?;
        out(x)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let (x, failures) = if dense::is_large(a) {
            let [x, info] = dense::inv(queue, "inv", a)?;
            (x, dense::failures(&info)?)
        } else {
            let x = Array::empty_on(queue, "inv", a.dtype(), a.shape())?;
            let columns = a.shape()[a.ndim() - 1];
            let call = Call { y: Some(&x), columns, flags: IDENTITY, ..Call::new("inv", "sa_solve", a) };
            let failures = call.run(queue)?;
            (x, failures)
        };
        linalg::report("inv", "A is singular", &a.shape()[..a.ndim() - 2], &failures)?;
        out(x)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::OUTPUT
    }
    /// gA = -X^H g X^H.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let xh = E::of(ctx.output(0)).h();
        Ok(smallvec![Some((-xh.at(&E::of(g)).at(&xh)).0?)])
    }
    /// dX = -X dA X.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let x = E::of(ctx.output(0));
        let t = E::of(ts[0].as_ref()?);
        Some((-x.at(&t).at(&x)).0.map(|t| smallvec![Some(t)]))
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Inv)
    }
}

/// `x` `(..., n, n)` times `(...)`.
fn times(x: &E, number: &E) -> E {
    x * number.map(|g| {
        let shape = [g.shape(), &[1, 1]].concat();
        ops::reshape(g, &shape)
    })
}

/// The sum over the last two axes.
fn total(x: &E) -> E {
    x.map(|x| reduce::sum(x, &[x.ndim() - 2, x.ndim() - 1], false))
}

/// The kernel of determinants on a device: 1, and 0 for the logarithm, where there are no elements.
fn determinant(queue: &Queue, op: &str, a: &Array, flags: i64, outs: [&Meta; 2]) -> Result<[Array; 2]> {
    if a.size() == 0 {
        let full = |v: f64, meta: &Meta| {
            let one = ops::cast(&Array::scalar(v)?, meta.dtype)?;
            one.broadcasted(&meta.shape).copy(op).and_then(|x| device::transfer(&x, Device::cuda(queue.device())))
        };
        return Ok([full(1.0, outs[0])?, full(0.0, outs[1])?]);
    }
    let new = |meta: &Meta| Array::empty_on(queue, op, meta.dtype, &meta.shape);
    let [value, log] = [new(outs[0])?, new(outs[1])?];
    if dense::is_large(a) {
        dense::determinant(queue, op, a, &value, &log, flags)?;
        return Ok([value, log]);
    }
    let matrix = value.reshaped(op, &[&outs[0].shape[..], &[1, 1]].concat())?;
    Call { x: Some(&matrix), values: Some(&log), flags, ..Call::new(op, "sa_determinant", a) }.send(queue)?;
    Ok([value, log])
}

/// The determinant of `(..., n, n)`, as overflow permits.
#[derive(Clone, Debug)]
pub struct Det;

impl Op for Det {
    fn name(&self) -> &str {
        "det"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, _) = square("det", "A", ins[0])?;
        one(ins[0].dtype, lead)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut d = Array::empty("det", outs[0].dtype, &outs[0].shape)?;
        kernels::det(&ins[0].view(), &mut d.view_mut());
        out(d)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let [d, _] =
            determinant(queue, "det", ins[0], 0, [&outs[0], &Meta::new(ins[0].dtype().real(), &outs[0].shape)])?;
        out(d)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    /// Jacobi's formula, which needs no inverse: gA = g adj(A)^H.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let adjugate = E(apply1(&Adjugate, &[ctx.input(0)]));
        Ok(smallvec![Some(times(&adjugate.h(), &E::of(g)).0?)])
    }
    /// tr(adj(A) dA).
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let adjugate = E(apply1(&Adjugate, &[ctx.input(0)])).map(ops::matrix_transpose);
        Some(total(&(adjugate * E::of(ts[0].as_ref()?))).0.map(|t| smallvec![Some(t)]))
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Det)
    }
}

/// The adjugate of `(..., n, n)`, det(A) inv(A) continued to singular matrices: the derivative of [`Det`], transposed.
#[derive(Clone, Debug)]
pub struct Adjugate;

impl Adjugate {
    /// With A = U S V^H, the derivative along dA is c V G(U^H dA V) U^H, c = det(U) det(V^H), where G has the entries
    /// -e_ij m_ij beside the diagonal and sum_k e_ik m_kk on it, e_ij the product of all singular values but two.
    ///
    /// Its transpose has the same form; `inner` turns the direction into U^H dA V and the result back.
    fn map(a: &Array, inner: impl FnOnce(&E, &E, &E, &dyn Fn(&E) -> E) -> E) -> Result<Array> {
        let n = a.shape()[a.ndim() - 1];
        let [u, s, vh] = svd(a, false)?.map(|x| E::of(&x));
        let turn = E(apply1(&Det, &[&u.0.clone()?])) * E(apply1(&Det, &[&vh.0.clone()?]));
        let e = E(others(&s.0?, n));
        let middle = |m: &E| {
            let trace = e.at(&diagonal(m).map(|d| ops::reshape(d, &[d.shape(), &[1]].concat())));
            let trace = trace.map(|t| ops::reshape(t, &t.shape()[..t.ndim() - 1]));
            identity(&trace) - &e * m
        };
        inner(&u, &vh, &turn, &middle).0
    }
}

impl Op for Adjugate {
    fn name(&self) -> &str {
        "adjugate"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        square("adjugate", "A", ins[0])?;
        one(ins[0].dtype, ins[0].shape)
    }
    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let mut x = Array::empty("adjugate", ins[0].dtype(), ins[0].shape())?;
        kernels::adjugate(&ins[0].view(), &mut x.view_mut());
        out(x)
    }
    /// det(U) det(V^H) V adj(S) U^H, and adj(S) has the products of all singular values but one.
    fn eval_on(&self, _: &Queue, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        let (_unrecorded, _unwatched) = (record::pause(), grad::suspend(u64::MAX));
        let [u, s, vh] = svd(&ins[0].clone().detach(), false)?;
        let turn = E(apply1(&Det, &[&u])) * E(apply1(&Det, &[&vh]));
        let axis = s.ndim() - 1;
        let rest = E(cumprod_exclusive(&s, axis, false)) * E(cumprod_exclusive(&s, axis, true));
        let rest = rest.map(|r| ops::reshape(r, &[&r.shape()[..axis], &[1, r.shape()[axis]]].concat()));
        out(times(&(E::of(&vh).h() * rest).at(&E::of(&u).h()), &turn).0?)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let ga = Self::map(ctx.input(0), |u, vh, turn, middle| {
            let g = times(&E::of(g), &turn.map(ops::conj));
            u.at(&middle(&vh.at(&g).at(u))).at(vh)
        });
        Ok(smallvec![Some(ga?)])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = E::of(ts[0].as_ref()?);
        let tangent = Self::map(ctx.input(0), |u, vh, turn, middle| {
            times(&vh.h().at(&middle(&u.h().at(&t).at(&vh.h()))).at(&u.h()), turn)
        });
        Some(tangent.map(|t| smallvec![Some(t)]))
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&Adjugate)
    }
}

/// The inverse in the derivative of [`SlogDet`]. A large one comes of the factors that systems with the same matrix have, so
/// that a recording factorizes once.
fn inverse(a: &Array) -> E {
    const LARGE: usize = 64;
    let n = a.shape()[a.ndim() - 1];
    if n <= LARGE {
        return E(apply1(&Inv, &[a]));
    }
    let unit = constants(n, a, |i, j| when(i == j));
    E(unit.and_then(|unit| linalg::solve(a, &ops::broadcast_to(&ops::cast(&unit, a.dtype())?, a.shape())?)))
}

/// Sign and logarithm of the magnitude of the determinant of `(..., n, n)`.
#[derive(Clone, Debug)]
pub struct SlogDet;

impl Op for SlogDet {
    fn name(&self) -> &str {
        "slogdet"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, _) = square("slogdet", "A", ins[0])?;
        Ok(smallvec![Meta::new(ins[0].dtype, lead), Meta::new(ins[0].dtype.real(), lead)])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut sign = Array::empty("slogdet", outs[0].dtype, &outs[0].shape)?;
        let mut log = Array::empty("slogdet", outs[1].dtype, &outs[1].shape)?;
        kernels::slogdet(&ins[0].view(), &mut sign.view_mut(), &mut log.view_mut());
        Ok(smallvec![sign, log])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        Ok(determinant(queue, "slogdet", ins[0], LOGARITHM, [&outs[0], &outs[1]])?.into_iter().collect())
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: true }
    }
    /// With t = tr(A^-1 dA), the logarithm moves by Re t and the sign by i sign Im t: gA = (g_log - i Im(conj(g_sign) sign)) A^-H.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let complex = ctx.input(0).dtype().is_complex();
        let log = gs[1].as_ref().map(E::of);
        let turn = gs[0].as_ref().filter(|_| complex).map(|g| {
            let im = part(&(E::of(g).map(ops::conj) * E::of(ctx.output(0))), Part::Imag);
            let zero = im.zero();
            E::call(&rows::COMPLEX, [&zero, &-im])
        });
        let factor = match (log, turn) {
            (Some(g), Some(t)) => g + t,
            (Some(g), None) | (None, Some(g)) => g,
            (None, None) => return Ok(smallvec![None]),
        };
        let inverse = inverse(ctx.input(0));
        Ok(smallvec![Some(times(&inverse.h(), &factor).0?)])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let inverse = inverse(ctx.input(0)).map(ops::matrix_transpose);
        let t = total(&(inverse * E::of(ts[0].as_ref()?)));
        let tangent = || -> Result<Grads> {
            if !ctx.input(0).dtype().is_complex() {
                return Ok(smallvec![None, Some(t.0?)]);
            }
            let im = part(&t, Part::Imag);
            let turn = E::call(&rows::COMPLEX, [&im.zero(), &im]) * E::of(ctx.output(0));
            Ok(smallvec![Some(turn.0?), Some(part(&t, Part::Real).0?)])
        };
        Some(tangent())
    }
    fn handle(&self) -> OpRef {
        OpRef::Static(&SlogDet)
    }
}
