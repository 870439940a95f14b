//! Orthogonal and spectral decompositions over the last two axes.
//!
//! Factors are determined up to a gauge: phases of vectors, and rotations among those of equal values. Derivatives take the
//! path on which vectors of equal values do not turn into each other, which is exact for what does not depend on the gauge
//! beyond the values themselves: sums over values, projectors onto whole eigenspaces, the unitary factor U V^H. For what
//! depends on the vectors alone, second derivatives are exact too (see [`turns`]); those of functions of equal values would need
//! to know f', which `hermitian_function` in Python does.

use crate::apply::{apply, apply1};
use crate::array::{Array, Range};
use crate::device::dense;
use crate::device::linalg::{CONJ, Call, LOWER, PIVOTING, turned};
use crate::dtype::DType;
use crate::error::Result;
use crate::expr::E;
use crate::op::{Attr, Attrs, Ctx, Grads, Meta, MetaRef, Metas, Op, Outs, Rule, Saves, out};
use crate::ops::linalg::{report_items, solve, square, triangular};
use crate::ops::{self, elementwise as rows, gather, reduce, scan, sort, structural};
use crate::shape::{Shape, Tuple};
use crate::{ensure, fail, grad, shared_handle};
use sciarray_cuda::Queue;
use sciarray_cuda::text::File;
use sciarray_kernels::linalg::{self as kernels, Failure, Form};
use sciarray_kernels::reduce::Reduce;
use sciarray_kernels::scan::Scan;
use smallvec::smallvec;

const NO_CONVERGENCE: &str = "the iteration did not converge";

fn report(op: &str, a: &Array, failures: &[Failure]) -> Result<()> {
    report_items(op, NO_CONVERGENCE, &a.shape()[..a.ndim() - 2], failures, "")
}

/// The results for matrices without elements: an order of columns, and what completes a basis, have some.
fn of_nothing(op: &dyn Op, a: &Array, outs: &[Meta]) -> Result<Outs> {
    let here = op.eval(&[&Array::empty(op.name(), a.dtype(), a.shape())?], outs)?;
    here.iter().map(|x| ops::to(x, a.device())).collect()
}

/// Leading axes, rows and columns.
fn matrix<'a>(op: &str, a: MetaRef<'a>) -> Result<(&'a [usize], usize, usize)> {
    ensure!(a.dtype.is_inexact(), Type, "{op}: A must be float or complex, got {}", a.dtype.name());
    match a.shape {
        [lead @ .., m, n] => Ok((lead, *m, *n)),
        _ => fail!(Value, "{op}: A must have two axes or more, got shape {}", Tuple(a.shape)),
    }
}

fn with_tail(lead: &[usize], tail: &[usize]) -> Shape {
    let mut shape = Shape::from_slice(lead);
    shape.extend_from_slice(tail);
    shape
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Real,
    Imag,
}

/// The real or imaginary parts; those of real numbers are 0.
pub(super) fn part(x: &E, which: Part) -> E {
    match (x.is_complex(), which) {
        (true, Part::Real) => E::call(&rows::REAL, [x]),
        (true, Part::Imag) => E::call(&rows::IMAG, [x]),
        (false, Part::Real) => x.clone(),
        (false, Part::Imag) => x.zero(),
    }
}

/// The diagonal of `(..., n, n)` as `(..., n)`.
pub(super) fn diagonal(x: &E) -> E {
    x.map(|x| {
        let (lead, n) = (&x.shape()[..x.ndim() - 2], x.shape()[x.ndim() - 1]);
        let flat = ops::reshape(x, &with_tail(lead, &[n * n]))?;
        let mut ranges: smallvec::SmallVec<[Range; 4]> = lead.iter().map(|&n| Range::full(n)).collect();
        ranges.push(Range { start: 0, step: n as isize + 1, len: n });
        apply1(&structural::Slice::new(ranges), &[&flat])
    })
}

/// Rows or columns `range` of the last two axes.
fn block(x: &E, axis_from_end: usize, start: usize, len: usize) -> E {
    x.map(|x| {
        let mut ranges: smallvec::SmallVec<[Range; 4]> = x.shape().iter().map(|&n| Range::full(n)).collect();
        let axis = x.ndim() - axis_from_end;
        ranges[axis] = Range { start, step: 1, len };
        apply1(&structural::Slice::new(ranges), &[x])
    })
}

/// Joined along one of the last two axes.
fn concat(a: &E, b: &E, axis_from_end: usize) -> E {
    a.map2(b, |a, b| apply1(&structural::Concat(a.ndim() - axis_from_end), &[a, b]))
}

/// An n x n matrix of constants in a real dtype.
pub(super) fn constants(n: usize, like: &Array, f: impl Fn(usize, usize) -> f64) -> Result<Array> {
    let values: Vec<f64> = (0..n * n).map(|k| f(k / n, k % n)).collect();
    ops::to(&ops::cast(&Array::from_slice("linalg", &values, &[n, n])?, like.dtype().real())?, like.device())
}

/// `x` with the elements multiplied by constants, exactly 0 where these are.
pub(super) fn masked(x: &E, f: impl Fn(usize, usize) -> f64) -> E {
    x.map(|x| ops::mulz(&constants(x.shape()[x.ndim() - 1], x, f)?, x))
}

pub(super) fn when(condition: bool) -> f64 {
    condition as u8 as f64
}

/// `(..., n)` as a row that scales columns, `(..., 1, n)`.
fn row(d: &E) -> E {
    d.map(|d| ops::reshape(d, &with_tail(&d.shape()[..d.ndim() - 1], &[1, d.shape()[d.ndim() - 1]])))
}

/// `(..., n)` as a column that scales rows, `(..., n, 1)`.
fn column(d: &E) -> E {
    d.map(|d| ops::reshape(d, &with_tail(d.shape(), &[1])))
}

/// Diagonal matrices with the given diagonals.
pub(super) fn identity(d: &E) -> E {
    d.map(|x| {
        let n = x.shape()[x.ndim() - 1];
        let ones = constants(n, x, |i, j| when(i == j))?;
        ops::mulz(&ones, &row(d).0?)
    })
}

fn hermitian(x: &E) -> E {
    (x + x.h()) * 0.5
}

fn skew(x: &E) -> E {
    (x - x.h()) * 0.5
}

/// `x - u u^H x`.
fn outside(u: &E, x: &E) -> E {
    x - u.at(&u.h().at(x))
}

/// 1 / x, and 0 where x counts as zero beside values of size `scale` `(..., n)`, which rounding would not tell from it.
fn inverse_beyond_rounding(x: &E, scale: &E) -> E {
    let mask = x.map2(scale, |x, scale| {
        let n = scale.shape()[scale.ndim() - 1];
        if x.size() == 0 || n == 0 {
            return ops::elementwise(&rows::NOT_EQUAL, &[x, x]);
        }
        let size = ops::elementwise(&rows::ABS, &[&scale.clone().detach()])?;
        let largest = reduce::reduce(Reduce::Max, &size, &[size.ndim() - 1], true)?;
        let eps = if x.dtype().real() == DType::F32 { f32::EPSILON as f64 } else { f64::EPSILON };
        let bound = (E::of(&largest) * (4.0 * n as f64 * eps)).0?;
        let lead = x.ndim() + 1 - bound.ndim();
        let bound = ops::reshape(&bound, &with_tail(bound.shape(), if lead > 1 { &[1] } else { &[] }))?;
        let size = ops::elementwise(&rows::ABS, &[&x.clone().detach()])?;
        ops::elementwise(&rows::GREATER, &[&size, &bound])
    });
    let safe = E::call(&rows::WHERE, [&mask, x, &x.lit(1.0)]);
    E::call(&rows::WHERE, [&mask, &(1.0 / safe), &x.lit(0.0)])
}

/// 1 / (w_j - w_i) for values `(..., n)`, 0 between equal ones.
fn inverse_gaps(w: &E) -> E {
    inverse_beyond_rounding(&(row(w) - column(w)), w)
}

/// V^H (A - A) W between vectors of equal values, which `gaps` has as 0: a matrix of zeros whose derivative is what turns
/// these vectors into each other. The derivatives of vectors leave that out, so the matrix of the values is not diagonal on
/// their path, and a first derivative that divides by gaps has this term in its own. None where no derivative is watched.
fn turns(a: &Array, v: &E, w: &E, gaps: &E) -> Option<E> {
    if !is_watched(a) {
        return None;
    }
    let change = E::of(a) - E(Ok(a.clone().detach()));
    let inner = hermitian(&v.h().at(&change).at(w));
    let equal = E::call(&rows::EQUAL, [gaps, &gaps.lit(0.0)]);
    let between = E::call(&rows::WHERE, [&equal, &inner, &inner.lit(0.0)]);
    Some(masked(&between, |i, j| when(i != j)))
}

/// Z of Z W - W Z = x beside the diagonal, for values W with these `gaps` and [`turns`].
fn over_gaps(gaps: &E, x: &E, turns: Option<&E>) -> E {
    let z = gaps * x;
    match turns {
        Some(n) => &z - gaps * (z.at(n) - n.at(&z)),
        None => z,
    }
}

/// The products of all values `(..., n)` but two, `(..., n, n)`; 0 on the diagonal.
pub(super) fn others(s: &Array, n: usize) -> Result<Array> {
    let off = |x: &E| masked(x, |i, j| when(i != j));
    let s = E::of(s);
    if n <= 32 {
        // 1 in place of values i and j.
        let keep: Vec<f64> = (0..n * n * n).map(|k| when(k % n != k / n % n && k % n != k / n / n)).collect();
        let like = s.0.as_ref().map_err(Clone::clone)?;
        let keep = ops::cast(&Array::from_slice("linalg", &keep, &[n, n, n])?, like.dtype())?;
        let keep = ops::to(&keep, like.device())?;
        let cube = s.map(|s| ops::reshape(s, &with_tail(&s.shape()[..s.ndim() - 1], &[1, 1, n])));
        let factors = E::call(&rows::WHERE, [&E(ops::cast(&keep, DType::Bool)), &cube, &s.lit(1.0)]);
        let products = factors.map(|f| reduce::reduce(Reduce::Prod, f, &[f.ndim() - 1], false));
        return off(&products).0;
    }
    // Division restores what no longer is in the product; zeros take part as numbers that are negligible.
    let floor = s.map(|s| {
        let largest = reduce::reduce(Reduce::Max, &s.clone().detach(), &[s.ndim() - 1], true)?;
        (E::of(&largest) * if s.dtype() == DType::F32 { 1e-15 } else { 1e-30 }).0
    });
    let safe = E::call(&rows::MAXIMUM, [&s, &floor]);
    let scan = |reverse| {
        safe.map(|s| apply1(&scan::Scan { kind: Scan::Prod, axis: s.ndim() - 1, reverse, exclusive: true }, &[s]))
    };
    let all_but_one = scan(false) * scan(true);
    off(&(row(&all_but_one) / column(&safe))).0
}

/// Ascending eigenvalues, real `(..., n)`, and with `vectors` eigenvectors of Hermitian `(..., n, n)`; one triangle is read.
#[derive(Clone, Debug)]
pub struct Eigh {
    pub upper: bool,
    pub vectors: bool,
}

impl Eigh {
    fn full(&self, a: &Array) -> Result<[E; 2]> {
        let outs = apply(&Eigh { vectors: true, ..self.clone() }, &[a])?;
        Ok([E::of(&outs[0]), E::of(&outs[1])])
    }
    fn factors(&self, ctx: &Ctx) -> Result<[E; 2]> {
        if self.vectors { Ok([E::of(ctx.output(0)), E::of(ctx.output(1))]) } else { self.full(ctx.input(0)) }
    }
}

impl Op for Eigh {
    fn name(&self) -> &str {
        if self.vectors { "eigh" } else { "eigvalsh" }
    }
    fn attrs(&self) -> Attrs {
        vec![("upper", Attr::Bool(self.upper))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square(self.name(), "A", ins[0])?;
        let w = Meta { dtype: ins[0].dtype.real(), shape: with_tail(lead, &[n]) };
        Ok(if self.vectors { smallvec![w, Meta::new(ins[0].dtype, ins[0].shape)] } else { smallvec![w] })
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut w = Array::empty(self.name(), outs[0].dtype, &outs[0].shape)?;
        if !self.vectors {
            report(self.name(), a, &kernels::eigh(&a.view(), &mut w.view_mut(), None, self.upper))?;
            return out(w);
        }
        let mut v = Array::empty(self.name(), a.dtype(), a.shape())?;
        report(self.name(), a, &kernels::eigh(&a.view(), &mut w.view_mut(), Some(&mut v.view_mut()), self.upper))?;
        Ok(smallvec![w, v])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let new: Outs =
            outs.iter().map(|m| Array::empty_on(queue, self.name(), m.dtype, &m.shape)).collect::<Result<_>>()?;
        if dense::is_large(a) {
            let info = dense::eigh(queue, self.name(), a, self.upper, &new[0], new.get(1))?;
            report(self.name(), a, &dense::failures(&info)?)?;
            return Ok(new);
        }
        let flags = if self.upper { 0 } else { LOWER };
        let call = Call { x: new.get(1), values: Some(&new[0]), flags, ..Call::new(self.name(), "sa_eigh", a) };
        report(self.name(), a, &call.run(queue)?)?;
        Ok(new)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: self.vectors }
    }
    /// The Hermitian part of V (diag(g_w) + F o (V^H g_V)) V^H, with F_ij = 1 / (w_j - w_i).
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let [w, v] = self.factors(ctx)?;
        let values = gs[0].as_ref().map(|g| identity(&E::of(g)));
        let vectors = gs.get(1).and_then(Option::as_ref).map(|g| {
            let gaps = inverse_gaps(&w);
            over_gaps(&gaps, &v.h().at(&E::of(g)), turns(ctx.input(0), &v, &v, &gaps).as_ref())
        });
        let inner = match (values, vectors) {
            (Some(x), Some(y)) => x + y,
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => return Ok(smallvec![None]),
        };
        Ok(smallvec![Some(hermitian(&v.at(&inner).at(&v.h())).0?)])
    }
    /// With M = V^H dA V: dw = diag(M), dV = V (F o M).
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        let tangent = || -> Result<Grads> {
            let [w, v] = self.factors(ctx)?;
            let m = v.h().at(&hermitian(&E::of(t))).at(&v);
            let dw = part(&diagonal(&m), Part::Real).0?;
            if !self.vectors {
                return Ok(smallvec![Some(dw)]);
            }
            let gaps = inverse_gaps(&w);
            let turn = over_gaps(&gaps, &m, turns(ctx.input(0), &v, &v, &gaps).as_ref());
            Ok(smallvec![Some(dw), Some(v.at(&turn).0?)])
        };
        Some(tangent())
    }
    shared_handle!();
}

/// Whether an open gradient scope watches the value, so that vectors will be needed.
fn is_watched(a: &Array) -> bool {
    a.scopes & grad::open_scopes() != 0
}

/// Eigenvalues alone; where derivatives will follow, from one decomposition with vectors.
pub fn eigvalsh(a: &Array, upper: bool) -> Result<Array> {
    let mut outs = apply(&Eigh { upper, vectors: is_watched(a) }, &[a])?;
    Ok(outs.swap_remove(0))
}

/// A = U S V^H of `(..., m, n)`: U `(..., m, k)`, descending S `(..., min(m, n))` and V^H `(..., l, n)`.
#[derive(Clone, Debug)]
pub struct Svd {
    pub vectors: bool,
    /// Whether U and V are square; otherwise k and l are min(m, n).
    pub full: bool,
}

impl Svd {
    /// U and V of min(m, n) columns, S, and what completes U and V where there is more.
    fn factors(&self, ctx: &Ctx) -> Result<Factors> {
        let [u, s, vh] = match self.vectors {
            true => [0, 1, 2].map(|i| E::of(ctx.output(i))),
            false => svd(ctx.input(0), false)?.map(|x| E::of(&x)),
        };
        let (m, n) = (last(&u, 2)?, last(&vh, 1)?);
        let (cols, k) = (last(&u, 1)?, last(&s, 1)?);
        let v = vh.h();
        let split = |x: E, size: usize| match size > k {
            true => (block(&x, 1, 0, k), Some(block(&x, 1, k, size - k))),
            false => (x, None),
        };
        let (u, u2) = split(u, cols);
        let rows = last(&v, 1)?;
        let (v, v2) = split(v, rows);
        let turns = turns(ctx.input(0), &u, &v, &inverse_gaps(&s));
        Ok(Factors { u, s, v, u2, v2, turns, tall: m > k, wide: n > k })
    }
}

fn last(x: &E, from_end: usize) -> Result<usize> {
    x.0.as_ref().map(|x| x.shape()[x.ndim() - from_end]).map_err(Clone::clone)
}

struct Factors {
    u: E,
    s: E,
    v: E,
    u2: Option<E>,
    v2: Option<E>,
    turns: Option<E>,
    tall: bool,
    wide: bool,
}

impl Factors {
    /// x_ij / (s_j - s_i), which turns U and V together.
    fn together(&self, x: &E) -> E {
        over_gaps(&inverse_gaps(&self.s), x, self.turns.as_ref())
    }
    /// x_ij / (s_i + s_j), which turns them against each other.
    fn against(&self, x: &E) -> E {
        let sums = inverse_beyond_rounding(&(row(&self.s) + column(&self.s)), &self.s);
        let z = &sums * x;
        match &self.turns {
            Some(n) => &z - sums * (z.at(n) + n.at(&z)),
            None => z,
        }
    }
    /// x_ij / s_j.
    fn over_values(&self, x: &E) -> E {
        let inverse = row(&inverse_beyond_rounding(&self.s, &self.s));
        let z = x * &inverse;
        match &self.turns {
            Some(n) => &z - z.at(n) * inverse,
            None => z,
        }
    }
}

impl Op for Svd {
    fn name(&self) -> &str {
        if self.vectors { "svd" } else { "svdvals" }
    }
    fn attrs(&self) -> Attrs {
        vec![("full", Attr::Bool(self.full))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, m, n) = matrix(self.name(), ins[0])?;
        let least = m.min(n);
        let s = Meta { dtype: ins[0].dtype.real(), shape: with_tail(lead, &[least]) };
        if !self.vectors {
            return Ok(smallvec![s]);
        }
        let (k, l) = if self.full { (m, n) } else { (least, least) };
        let factor = |tail: [usize; 2]| Meta { dtype: ins[0].dtype, shape: with_tail(lead, &tail) };
        Ok(smallvec![factor([m, k]), s, factor([l, n])])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let new = |meta: &Meta| Array::empty(self.name(), meta.dtype, &meta.shape);
        if !self.vectors {
            let mut s = new(&outs[0])?;
            report(self.name(), a, &kernels::svd(&a.view(), &mut s.view_mut(), None))?;
            return out(s);
        }
        let (mut u, mut s, mut vh) = (new(&outs[0])?, new(&outs[1])?, new(&outs[2])?);
        let factors = Some((&mut u.view_mut(), &mut vh.view_mut()));
        report(self.name(), a, &kernels::svd(&a.view(), &mut s.view_mut(), factors))?;
        Ok(smallvec![u, s, vh])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        if ins[0].size() == 0 {
            return of_nothing(self, ins[0], outs);
        }
        let new: Outs =
            outs.iter().map(|m| Array::empty_on(queue, self.name(), m.dtype, &m.shape)).collect::<Result<_>>()?;
        let (m, n) = (ins[0].shape()[ins[0].ndim() - 2], ins[0].shape()[ins[0].ndim() - 1]);
        // A wide matrix is the adjoint of a tall one, whose factors are ours exchanged, both adjoint.
        let wide = m < n;
        let a = if wide { turned(ins[0]) } else { ins[0].clone() };
        let factors = match &new[..] {
            [u, _, vh] if wide => Some((turned(vh), turned(u))),
            [u, _, vh] => Some((u.clone(), vh.clone())),
            _ => None,
        };
        if dense::is_large(&a) {
            let info = dense::svd(queue, self.name(), &a, &new[self.vectors as usize], factors.as_ref())?;
            report(self.name(), ins[0], &dense::failures(&info)?)?;
            return Ok(new);
        }
        let call = Call {
            x: factors.as_ref().map(|f| &f.0),
            y: factors.as_ref().map(|f| &f.1),
            values: new.get(self.vectors as usize),
            columns: if self.full { m.max(n) } else { m.min(n) },
            flags: if wide { CONJ } else { 0 },
            ..Call::new(self.name(), "sa_svd", &a)
        };
        report(self.name(), ins[0], &call.run(queue)?)?;
        Ok(new)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: self.vectors }
    }
    /// With X = U^H g_U and Y = V^H g_V, E_ij = 1 / (s_j - s_i) and P_ij = 1 / (s_i + s_j):
    /// U (diag(g_s) + herm(E o (X + Y)) + skew(P o (X - Y))) V^H, and (1 - U U^H) g_U S^-1 V^H, U S^-1 g_V^H (1 - V V^H).
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let f = self.factors(ctx)?;
        let Factors { u, v, .. } = &f;
        let (mut gu, mut gs_, mut gv) = (None, None, None);
        if self.vectors {
            let k = last(&f.s, 1)?;
            // The complement moves against what it completes: dU2 = -U dU^H U2.
            let fold = |g: E, x: &E, x2: &Option<E>| -> Result<E> {
                match x2 {
                    Some(x2) => {
                        let rest = last(x2, 1)?;
                        Ok(block(&g, 1, 0, k) - x2.at(&block(&g, 1, k, rest).h().at(x)))
                    }
                    None => Ok(g),
                }
            };
            gu = gs[0].as_ref().map(|g| fold(E::of(g), u, &f.u2)).transpose()?;
            gv = gs[2].as_ref().map(|g| fold(E::of(g).h(), v, &f.v2)).transpose()?;
            gs_ = gs[1].as_ref().map(E::of);
        } else {
            gs_ = gs[0].as_ref().map(E::of).or(gs_);
        }
        let mut inner = gs_.map(|g| identity(&g));
        let mut add = |x: E| inner = Some(inner.take().map_or(x.clone(), |y| y + x));
        if gu.is_some() || gv.is_some() {
            let x = gu.as_ref().map(|g| u.h().at(g));
            let y = gv.as_ref().map(|g| v.h().at(g));
            let (plus, minus) = match (x, y) {
                (Some(x), Some(y)) => (&x + &y, x - y),
                (Some(x), None) => (x.clone(), x),
                (None, Some(y)) => (y.clone(), -y),
                (None, None) => unreachable!("one of them is there"),
            };
            add(hermitian(&f.together(&plus)));
            add(skew(&f.against(&minus)));
        }
        let Some(inner) = inner else { return Ok(smallvec![None]) };
        let mut ga = u.at(&inner).at(&v.h());
        if let (Some(g), true) = (&gu, f.tall) {
            ga = ga + f.over_values(&outside(u, g)).at(&v.h());
        }
        if let (Some(g), true) = (&gv, f.wide) {
            ga = ga + u.at(&f.over_values(&outside(v, g)).h());
        }
        Ok(smallvec![Some(ga.0?)])
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = E::of(ts[0].as_ref()?);
        let tangent = || -> Result<Grads> {
            let f = self.factors(ctx)?;
            let Factors { u, v, .. } = &f;
            let m = u.h().at(&t).at(v);
            let ds = part(&diagonal(&m), Part::Real).0?;
            if !self.vectors {
                return Ok(smallvec![Some(ds)]);
            }
            let (together, against) = (f.together(&hermitian(&m)), f.against(&skew(&m)));
            let mut du = u.at(&(&together + &against));
            let mut dv = v.at(&(together - against));
            if f.tall {
                du = du + f.over_values(&outside(u, &t.at(v)));
            }
            if f.wide {
                dv = dv + f.over_values(&outside(v, &t.h().at(u)));
            }
            let complete = |dx: E, x: &E, x2: &Option<E>| match x2 {
                Some(x2) => concat(&dx, &-x.at(&dx.h().at(x2)), 1),
                None => dx,
            };
            let (du, dv) = (complete(du, u, &f.u2), complete(dv, v, &f.v2));
            Ok(smallvec![Some(du.0?), Some(ds), Some(dv.h().0?)])
        };
        Some(tangent())
    }
    shared_handle!();
}

/// U, S and V^H.
pub fn svd(a: &Array, full: bool) -> Result<[Array; 3]> {
    let mut outs = apply(&Svd { vectors: true, full }, &[a])?.into_iter();
    Ok([(); 3].map(|()| outs.next().expect("svd has three outputs")))
}

/// Singular values alone; where derivatives will follow, from one decomposition with vectors.
pub fn svdvals(a: &Array) -> Result<Array> {
    if is_watched(a) {
        let [_, s, _] = svd(a, false)?;
        return Ok(s);
    }
    apply1(&Svd { vectors: false, full: false }, &[a])
}

/// Eigenvalues, complex `(..., n)`, and with `vectors` right eigenvectors of norm 1 of `(..., n, n)`.
#[derive(Clone, Debug)]
pub struct Eig {
    pub vectors: bool,
}

impl Eig {
    fn factors(&self, ctx: &Ctx) -> Result<[E; 2]> {
        if self.vectors {
            return Ok([E::of(ctx.output(0)), E::of(ctx.output(1))]);
        }
        let outs = apply(&Eig { vectors: true }, &[ctx.input(0)])?;
        Ok([E::of(&outs[0]), E::of(&outs[1])])
    }
}

impl Op for Eig {
    fn name(&self) -> &str {
        if self.vectors { "eig" } else { "eigvals" }
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, n) = square(self.name(), "A", ins[0])?;
        let dtype = ins[0].dtype.complex();
        let w = Meta { dtype, shape: with_tail(lead, &[n]) };
        Ok(if self.vectors { smallvec![w, Meta::new(dtype, ins[0].shape)] } else { smallvec![w] })
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let mut w = Array::empty(self.name(), outs[0].dtype, &outs[0].shape)?;
        if !self.vectors {
            report(self.name(), a, &kernels::eig(&a.view(), &mut w.view_mut(), None))?;
            return out(w);
        }
        let mut v = Array::empty(self.name(), outs[1].dtype, &outs[1].shape)?;
        report(self.name(), a, &kernels::eig(&a.view(), &mut w.view_mut(), Some(&mut v.view_mut())))?;
        Ok(smallvec![w, v])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let a = ins[0];
        let new: Outs =
            outs.iter().map(|m| Array::empty_on(queue, self.name(), m.dtype, &m.shape)).collect::<Result<_>>()?;
        if dense::is_large(a) {
            let info = dense::eig(queue, self.name(), a, &new[0], new.get(1))?;
            report(self.name(), a, &dense::failures(&info)?)?;
            return Ok(new);
        }
        let call =
            Call { file: File::Eigen, x: new.get(1), values: Some(&new[0]), ..Call::new(self.name(), "sa_eig", a) };
        report(self.name(), a, &call.run(queue)?)?;
        Ok(new)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        if self.vectors { Saves::OUTPUT } else { Saves::INPUTS }
    }
    /// V^-H (diag(g_w) + conj(F) o (V^H g_V - V^H V Re diag(V^H g_V))) V^H, with F_ij = 1 / (w_j - w_i).
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let [w, v] = self.factors(ctx)?;
        let values = gs[0].as_ref().map(|g| identity(&E::of(g)));
        let vectors = gs.get(1).and_then(Option::as_ref).map(|g| {
            let x = v.h().at(&E::of(g));
            let lengths = v.h().at(&v) * row(&part(&diagonal(&x), Part::Real));
            inverse_gaps(&w).map(ops::conj) * (x - lengths)
        });
        let inner = match (values, vectors) {
            (Some(x), Some(y)) => x + y,
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => return Ok(smallvec![None]),
        };
        Ok(smallvec![Some(v.h().map2(&inner.at(&v.h()), solve).0?)])
    }
    /// With M = V^-1 dA V: dw = diag(M), and dV = V (F o M) without what changes the lengths.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        let tangent = || -> Result<Grads> {
            let [w, v] = self.factors(ctx)?;
            let t = E(ops::cast(t, t.dtype().complex()));
            let m = v.map2(&t.at(&v), solve);
            let dw = diagonal(&m).0?;
            if !self.vectors {
                return Ok(smallvec![Some(dw)]);
            }
            let dv = v.at(&(inverse_gaps(&w) * m));
            let lengths = part(&diagonal(&v.h().at(&dv)), Part::Real);
            Ok(smallvec![Some(dw), Some((dv - &v * row(&lengths)).0?)])
        };
        Some(tangent())
    }
    shared_handle!();
}

/// Eigenvalues alone; where derivatives will follow, from one decomposition with vectors.
pub fn eigvals(a: &Array) -> Result<Array> {
    let mut outs = apply(&Eig { vectors: is_watched(a) }, &[a])?;
    Ok(outs.swap_remove(0))
}

/// R of the reduced [`Qr`] alone.
#[derive(Clone, Debug)]
pub struct QrR;

impl QrR {
    const WHOLE: Qr = Qr { complete: false, pivoting: false };

    /// Calls a rule of the whole decomposition, which is computed for it.
    fn with_factors<R>(ctx: &Ctx, rule: impl FnOnce(&Ctx) -> R) -> Result<R> {
        let outs = apply(&Self::WHOLE, &[ctx.input(0)])?;
        let metas: Metas = outs.iter().map(|x| Meta::new(x.dtype(), x.shape())).collect();
        Ok(rule(&Ctx { outs: &outs, out_metas: &metas, ..*ctx }))
    }
}

impl Op for QrR {
    fn name(&self) -> &str {
        "qr_r"
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        Ok(smallvec![Self::WHOLE.infer(ins)?.swap_remove(1)])
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut r = Array::empty("qr", outs[0].dtype, &outs[0].shape)?;
        kernels::qr(&ins[0].view(), None, &mut r.view_mut());
        out(r)
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let metas = Self::WHOLE.infer(&[ins[0].meta()])?;
        debug_assert_eq!(metas[1].shape, outs[0].shape);
        if dense::factors_qr(ins[0]) {
            let r = Array::empty_on(queue, "qr", outs[0].dtype, &outs[0].shape)?;
            dense::qr(queue, "qr", ins[0], None, &r)?;
            return out(r);
        }
        Ok(smallvec![Self::WHOLE.eval_on(queue, ins, &metas)?.swap_remove(1)])
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves::INPUTS
    }
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        Self::with_factors(ctx, |whole| Self::WHOLE.vjp(whole, &[None, gs[0].clone()]))?
    }
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let tangents = Self::with_factors(ctx, |whole| Self::WHOLE.jvp(whole, ts));
        tangents.and_then(Option::transpose).transpose().map(|t| t.map(|mut t| smallvec![t.swap_remove(1)]))
    }
    shared_handle!();
}

/// R alone; where derivatives will follow, from the whole decomposition.
pub fn qr_r(a: &Array) -> Result<Array> {
    if is_watched(a) {
        return Ok(apply(&QrR::WHOLE, &[a])?.swap_remove(1));
    }
    apply1(&QrR, &[a])
}

/// A = Q R of `(..., m, n)` with a real diagonal of R: Q `(..., m, k)` and R `(..., k, n)`, k = min(m, n), or m if `complete`.
#[derive(Clone, Debug)]
pub struct Qr {
    pub complete: bool,
    /// The columns of A are taken in an order that makes the diagonal of R descend; it is a third output, int64 `(..., n)`.
    pub pivoting: bool,
}

impl Qr {
    /// The columns of `x` in the order of the pivots, or back.
    fn ordered(&self, ctx: &Ctx, x: &E, back: bool) -> E {
        if !self.pivoting {
            return x.clone();
        }
        let order = ctx.output(2);
        x.map(|x| {
            let order = if back {
                apply1(&sort::ArgSort { axis: order.ndim() - 1, descending: false }, &[order])?
            } else {
                order.clone()
            };
            let rows = ops::reshape(
                &order,
                &with_tail(&order.shape()[..order.ndim() - 1], &[1, order.shape()[order.ndim() - 1]]),
            )?;
            apply1(&gather::TakeAlongAxis(x.ndim() - 1), &[x, &ops::broadcast_to(&rows, x.shape())?])
        })
    }
}

impl Op for Qr {
    fn name(&self) -> &str {
        "qr"
    }
    fn attrs(&self) -> Attrs {
        vec![("complete", Attr::Bool(self.complete)), ("pivoting", Attr::Bool(self.pivoting))]
    }
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let (lead, m, n) = matrix("qr", ins[0])?;
        let k = if self.complete { m } else { m.min(n) };
        let factor = |tail: [usize; 2]| Meta { dtype: ins[0].dtype, shape: with_tail(lead, &tail) };
        let mut metas: Metas = smallvec![factor([m, k]), factor([k, n])];
        if self.pivoting {
            metas.push(Meta { dtype: DType::I64, shape: with_tail(lead, &[n]) });
        }
        Ok(metas)
    }
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let mut q = Array::empty("qr", outs[0].dtype, &outs[0].shape)?;
        let mut r = Array::empty("qr", outs[1].dtype, &outs[1].shape)?;
        if self.pivoting {
            let mut order = Array::empty("qr", outs[2].dtype, &outs[2].shape)?;
            kernels::pivoted_qr(&ins[0].view(), &mut q.view_mut(), &mut r.view_mut(), &mut order.view_mut());
            return Ok(smallvec![q, r, order]);
        }
        kernels::qr(&ins[0].view(), Some(&mut q.view_mut()), &mut r.view_mut());
        Ok(smallvec![q, r])
    }
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        if ins[0].size() == 0 {
            return of_nothing(self, ins[0], outs);
        }
        let new: Outs = outs.iter().map(|m| Array::empty_on(queue, "qr", m.dtype, &m.shape)).collect::<Result<_>>()?;
        if dense::factors_qr(ins[0]) && !self.pivoting {
            dense::qr(queue, "qr", ins[0], Some(&new[0]), &new[1])?;
            return Ok(new);
        }
        let columns = outs[0].shape[outs[0].shape.len() - 1];
        let call = Call {
            x: Some(&new[0]),
            y: Some(&new[1]),
            pivots: new.get(2),
            columns,
            flags: if self.pivoting { PIVOTING } else { 0 },
            ..Call::new("qr", "sa_qr", ins[0])
        };
        call.send(queue)?;
        Ok(new)
    }
    fn rule(&self) -> Rule {
        Rule::General
    }
    fn saves(&self) -> Saves {
        Saves { inputs: 1, outputs: true }
    }
    /// At a fixed order of columns. For m >= n, with K = g_R R^H - Q^H g_Q: (g_Q + Q (up(K) + up(K)^H + Re diag(K))) R^-H, where up takes what is above
    /// the diagonal. A wide matrix is [B, C] with B = Q R1 and R = [R1, Q^H C].
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let (q, r) = (E::of(ctx.output(0)), E::of(ctx.output(1)));
        let (m, n) = (last(&q, 2)?, last(&r, 1)?);
        let k = m.min(n);
        let (mut gq, mut gr) = (gs[0].as_ref().map(E::of), gs[1].as_ref().map(E::of));
        let (mut q, mut r) = (q, r);
        let mut gc = None;
        if self.complete && m > n {
            let (q1, q2) = (block(&q, 1, 0, n), block(&q, 1, n, m - n));
            gq = gq.map(|g| block(&g, 1, 0, n) - q2.at(&block(&g, 1, n, m - n).h().at(&q1)));
            gr = gr.map(|g| block(&g, 2, 0, n));
            (q, r) = (q1, block(&r, 2, 0, n));
        } else if n > m {
            if let Some(g) = &gr {
                let right = block(g, 1, m, n - m);
                let c = block(&self.ordered(ctx, &E::of(ctx.input(0)), false), 1, m, n - m);
                let through = c.at(&right.h());
                gq = Some(gq.map_or(through.clone(), |g| g + through));
                gc = Some(q.at(&right));
                gr = Some(block(g, 1, 0, m));
            }
            r = block(&r, 1, 0, m);
        }
        let inner = match (&gq, &gr) {
            (Some(gq), Some(gr)) => gr.at(&r.h()) - q.h().at(gq),
            (Some(gq), None) => -q.h().at(gq),
            (None, Some(gr)) => gr.at(&r.h()),
            (None, None) => return Ok(smallvec![None]),
        };
        let up = masked(&inner, |i, j| when(i < j));
        let inner = &up + up.h() + identity(&part(&diagonal(&inner), Part::Real));
        let mut left = q.at(&inner);
        if let Some(g) = gq {
            left = left + g;
        }
        // X = L R^-H solves R X^H = L^H, with the lower triangle R^H.
        let ga = r.h().map2(&left.h(), |rh, lh| triangular(rh, lh, Form::Adjoint)).h();
        if n <= m {
            return Ok(smallvec![Some(self.ordered(ctx, &ga, true).0?)]);
        }
        let gc = match gc {
            Some(g) => g,
            None => block(&E::of(ctx.input(0)), 1, k, n - k).zero(),
        };
        Ok(smallvec![Some(self.ordered(ctx, &concat(&ga, &gc, 1), true).0?)])
    }
    /// With X = dA R^-1 and W = Q^H X: dQ = X - Q W + Q D, dR = (W - D) R, D the skew part of what is below the diagonal.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = self.ordered(ctx, &E::of(ts[0].as_ref()?), false);
        let tangent = || -> Result<Grads> {
            let (q, r) = (E::of(ctx.output(0)), E::of(ctx.output(1)));
            let (m, n) = (last(&q, 2)?, last(&r, 1)?);
            let k = m.min(n);
            let (q1, r1) = (block(&q, 1, 0, k), block(&block(&r, 1, 0, k), 2, 0, k));
            let x = r1.h().map2(&block(&t, 1, 0, k).h(), |rh, th| triangular(rh, th, Form::Plain)).h();
            let w = q1.h().at(&x);
            let down = masked(&w, |i, j| when(i > j));
            let mut turn = &down - down.h();
            if w.is_complex() {
                let im = part(&diagonal(&w), Part::Imag);
                turn = turn + identity(&E::call(&rows::COMPLEX, [&im.zero(), &im]));
            }
            let mut dq = outside(&q1, &x) + q1.at(&turn);
            let mut dr = (w - turn).at(&r1);
            if n > m {
                let c = block(&self.ordered(ctx, &E::of(ctx.input(0)), false), 1, m, n - m);
                let right = dq.h().at(&c) + q1.h().at(&block(&t, 1, m, n - m));
                dr = concat(&dr, &right, 1);
            } else if self.complete && m > n {
                let q2 = block(&q, 1, n, m - n);
                let rest = -q1.at(&dq.h().at(&q2));
                dq = concat(&dq, &rest, 1);
                let zeros = block(&r, 2, n, m - n).zero();
                dr = concat(&dr, &zeros, 2);
            }
            let mut tangents: Grads = smallvec![Some(dq.0?), Some(dr.0?)];
            if self.pivoting {
                tangents.push(None);
            }
            Ok(tangents)
        };
        Some(tangent())
    }
    shared_handle!();
}
