//! The op table: one row per elementwise function. From a row come promotion, the CPU kernel, the printed CUDA kernel, the
//! derivative, the Python function with its docstring and stub, and its tests.

mod arithmetic;
mod bessel;
mod beta;
mod degrees;
mod distributions;
mod exponential;
mod gamma;
mod hypergeometric;
mod integrals;
mod logic;
mod normal;
mod polynomials;
mod special;
mod statistics;
mod trigonometric;
mod zeta;

pub use arithmetic::*;
pub use bessel::*;
pub use beta::*;
pub use degrees::*;
pub use distributions::*;
pub use exponential::*;
pub use gamma::*;
pub use hypergeometric::*;
pub use integrals::*;
pub use logic::*;
pub use normal::*;
pub use polynomials::*;
pub use special::*;
pub use statistics::*;
pub use trigonometric::*;
pub use zeta::*;

use crate::array::Array;
use crate::device;
use crate::dtype::{DEFAULT_FLOAT, DType, promote};
use crate::error::Result;
use crate::expr::E;
use crate::op::{Ctx, Grads, Meta, MetaRef, Metas, Op, OpRef, Outs, Rule, Saves, one, out};
use crate::ops;
use crate::shape::{MAX_NDIM, Shape, Strides, broadcast};
use crate::{ensure, fail};
use sciarray_cuda::Queue;
use sciarray_kernels::map::{Kernel, Kernels, Program, run_one};
use smallvec::{SmallVec, smallvec};

/// Every row, by family.
pub static TABLES: &[&[&Elementwise]] = &[
    arithmetic::TABLE,
    exponential::TABLE,
    trigonometric::TABLE,
    special::TABLE,
    bessel::TABLE,
    beta::TABLE,
    degrees::TABLE,
    integrals::TABLE,
    polynomials::TABLE,
    gamma::TABLE,
    hypergeometric::TABLE,
    normal::TABLE,
    statistics::TABLE,
    zeta::TABLE,
    distributions::TABLE,
    logic::TABLE,
];

pub fn table() -> impl Iterator<Item = &'static Elementwise> {
    TABLES.iter().flat_map(|t| t.iter().copied())
}

/// How input dtypes meet before a kernel is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promote {
    /// To the common dtype.
    Common,
    /// To the common dtype, integers and bool to float64.
    Float,
    /// To bool.
    Bool,
    /// The first input is a condition, the others meet at their common dtype.
    Select,
}

/// A derivative expression: dy/dx_i from the inputs and the output.
pub type Partial = fn(&[E], &E) -> E;

/// How a row is differentiated; see [`Rule`].
pub enum RowRule {
    Constant,
    /// dy/dx_i, for functions that are complex differentiable where they take complex input.
    Partials(&'static [Partial]),
    /// The transpose: cotangent of input i from (i, inputs of integer or bool dtype, g).
    Linear(fn(usize, &Ctx, &E) -> E),
    /// The transpose of a function that is linear in each argument, from the same and the other inputs.
    Multilinear(fn(usize, &Ctx, &E) -> E),
    /// A real function w(x, y) with dy = Re(conj(w) dx), for one argument that may be complex.
    RealValued(Partial),
    /// A self-adjoint real-linear derivative of one argument: from (x, y, dx or g).
    SelfAdjoint(fn(&E, &E, &E) -> E),
}

/// Real arguments at whose infinities a function becomes constant: there all its derivatives are 0.
pub struct Settles {
    pub arguments: &'static [usize],
    /// What of its arguments and its value is 0 where it does
    pub rest: fn(&[E], &E) -> E,
    /// Whether there are no other derivatives at these infinities.
    pub always: bool,
}

impl Settles {
    /// Where it falls off to 0.
    pub const fn to_zero(arguments: &'static [usize]) -> Settles {
        Settles { arguments, rest: |_, y| y.clone(), always: false }
    }

    /// Wherever it is finite; else there is no derivative.
    pub const fn to_finite(arguments: &'static [usize]) -> Settles {
        Settles { arguments, rest: |_, y| 0.0 * y, always: true }
    }
}

/// A row.
pub struct Elementwise {
    pub name: &'static str,
    pub args: &'static [&'static str],
    /// One sentence, then what a user must know: domain, branch cuts, differences from NumPy, source.
    pub doc: &'static str,
    /// A doctest.
    pub example: &'static str,
    /// The peer that tests compare with, as `module.function`.
    pub reference: &'static str,
    pub promote: Promote,
    pub kernels: Kernels,
    pub rule: RowRule,
    pub saves: Saves,
    /// Where infinite arguments leave no slope.
    pub settles: &'static [Settles],
    /// Per argument, where tests sample; the whole line where it is empty.
    pub domain: &'static [(f64, f64)],
    /// Arguments that take whole numbers only: they choose a function and have no derivative.
    pub orders: &'static [usize],
    /// A rule on values, checked before Python's calls.
    pub check: Option<fn(&[&Array]) -> Result<()>>,
    /// Namespace below `sciarray`; empty for the top level, `-` for ops that Python does not see.
    pub namespace: &'static str,
}

impl Elementwise {
    pub const BLANK: Elementwise = Elementwise {
        name: "",
        args: &["x"],
        doc: "",
        example: "",
        reference: "",
        promote: Promote::Float,
        kernels: Kernels::NONE,
        rule: RowRule::Constant,
        saves: Saves::INPUTS,
        settles: &[],
        domain: &[],
        orders: &[],
        check: None,
        namespace: "",
    };

    pub fn is_differentiable(&self) -> bool {
        !matches!(self.rule, RowRule::Constant)
    }

    /// The kernel for these input dtypes.
    #[inline]
    pub fn kernel(&self, dtypes: impl Iterator<Item = DType>) -> Result<&Kernel> {
        let mut common: Option<DType> = None;
        for (i, d) in dtypes.enumerate() {
            if self.promote == Promote::Select && i == 0 {
                ensure!(d == DType::Bool, Type, "{}: the condition must be bool, got {}", self.name, d.name());
                continue;
            }
            common = Some(common.map_or(d, |c| promote(c, d)));
        }
        let mut common = common.expect("an op has inputs");
        match self.promote {
            Promote::Float if !common.is_inexact() => common = DEFAULT_FLOAT,
            Promote::Bool => common = DType::Bool,
            _ => {}
        }
        match self.kernels.get(common) {
            Some(k) => Ok(k),
            None => fail!(Type, "{}: dtype {} is not supported", self.name, common.name()),
        }
    }
}

impl Elementwise {
    /// dy/dx_i of a row that has partial derivatives.
    fn partial(&self, i: usize, xs: &[E], y: &E) -> E {
        let RowRule::Partials(partials) = self.rule else { unreachable!("only Scalar rules have partials") };
        if self.settles.is_empty() || y.is_complex() {
            return partials[i](xs, y);
        }
        // What decides has no slope itself.
        let held: SmallVec<[E; 4]> = xs.iter().map(|x| x.map(ops::detach)).collect();
        let value = y.map(ops::detach);
        let mut inner: SmallVec<[E; 4]> = xs.iter().cloned().collect();
        let mut settled: SmallVec<[(E, E); 4]> = SmallVec::new();
        for s in self.settles {
            let rest = (s.rest)(&held, &value);
            // A scalar argument stays one where it alone decides.
            let decides = if s.always { rest.lit(0.0) } else { rest.clone() };
            for &k in s.arguments {
                let there = E::call(&SETTLES, [&held[k], &decides]);
                inner[k] = E::call(&WHERE, [&there, &xs[k].lit(1.0), &xs[k]]);
                settled.push((there, rest.clone()));
            }
        }
        settled.iter().fold(partials[i](&inner, y), |slope, (there, rest)| E::call(&WHERE, [there, rest, &slope]))
    }

    /// The function as CUDA C++ for inputs of these dtypes; see [`Program::print`].
    pub fn print(&self, dtypes: &[DType]) -> Result<String> {
        let kernel = self.kernel(dtypes.iter().copied())?;
        let args: SmallVec<[u16; 4]> = (0..dtypes.len() as u16).collect();
        Ok(Program::new(kernel.ins(), &[(kernel, &args)], &[args.len() as u16]).print(dtypes, &[kernel.out()]))
    }
}

/// The function of this name as CUDA C++ for inputs of these dtypes; see [`Program::print`].
pub fn print(name: &str, dtypes: &[DType]) -> Result<String> {
    let Some(row) = table().find(|row| row.name == name) else {
        fail!(Value, "print: no elementwise function is named '{name}'")
    };
    ensure!(
        dtypes.len() == row.args.len(),
        Value,
        "print: {name} has {} arguments, got {} dtypes",
        row.args.len(),
        dtypes.len()
    );
    row.print(dtypes)
}

impl std::fmt::Debug for Elementwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The common shape, cheaply where all shapes are equal.
fn common_shape(op: &str, ins: &[MetaRef]) -> Result<Shape> {
    let first = ins[0].shape;
    if ins[1..].iter().all(|m| m.shape == first) {
        return Ok(Shape::from_slice(first));
    }
    broadcast(op, ins.iter().map(|m| m.shape))
}

/// The strides whose order an output follows, so that transposed operands are read and written in order; None for C order.
#[inline]
pub(crate) fn order_of<'a>(shape: &[usize], mut ins: impl Iterator<Item = &'a Array>) -> Option<&'a [isize]> {
    if shape.len() < 2 {
        return None;
    }
    let x = ins.find(|x| x.shape() == shape)?;
    (!x.is_contiguous() && x.strides().iter().all(|&s| s != 0)).then(|| x.strides())
}

#[inline]
fn allocate(op: &str, dtype: DType, shape: &[usize], ins: &[&Array]) -> Result<Array> {
    match order_of(shape, ins.iter().copied()) {
        Some(like) => Array::empty_ordered(op, dtype, shape, like),
        None => Array::empty(op, dtype, shape),
    }
}

/// A row as an op.
#[derive(Clone, Copy, Debug)]
pub struct Row(pub &'static Elementwise);

impl Op for Row {
    fn name(&self) -> &str {
        self.0.name
    }

    fn infer(&self, ins: &[MetaRef]) -> Result<Metas> {
        let kernel = self.0.kernel(ins.iter().map(|m| m.dtype))?;
        one(kernel.out(), common_shape(self.0.name, ins)?)
    }

    fn eval(&self, ins: &[&Array], _: &[Meta]) -> Result<Outs> {
        self.run(ins)
    }

    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        out(device::run_row(queue, self.0, ins, &outs[0])?)
    }

    /// In one pass, which is what small arrays wait for.
    fn run(&self, ins: &[&Array]) -> Result<Outs> {
        let kernel = self.0.kernel(ins.iter().map(|x| x.dtype()))?;
        if let Some(y) = Array::run_small(self.0.name, kernel, ins) {
            return out(y?);
        }
        // One shape, or one and scalars: nothing to work out.
        let widest = ins.iter().map(|x| x.shape()).max_by_key(|s| s.len()).unwrap_or_default();
        if ins.iter().all(|x| x.shape() == widest || x.ndim() == 0) {
            const ZEROS: [isize; MAX_NDIM] = [0; MAX_NDIM];
            let mut y = allocate(self.0.name, kernel.out(), widest, ins)?;
            let mut views: SmallVec<[_; 3]> = SmallVec::new();
            for x in ins {
                let plain = x.ndim() == widest.len();
                views.push(if plain { x.view() } else { x.view_as(widest, &ZEROS[..widest.len()]) });
            }
            run_one(kernel, &views, &mut y.view_mut());
            return out(y);
        }
        let shape = broadcast(self.0.name, ins.iter().map(|x| x.shape()))?;
        let mut y = allocate(self.0.name, kernel.out(), &shape, ins)?;
        let strides: SmallVec<[Strides; 3]> = ins.iter().map(|x| x.strides_for(&shape)).collect();
        let views: SmallVec<[_; 3]> = ins.iter().zip(&strides).map(|(x, s)| x.view_as(&shape, s)).collect();
        run_one(kernel, &views, &mut y.view_mut());
        out(y)
    }

    fn rule(&self) -> Rule {
        match self.0.rule {
            RowRule::Constant => Rule::Constant,
            RowRule::Partials(_) => Rule::Scalar,
            RowRule::Linear(_) => Rule::Linear,
            RowRule::Multilinear(_) => Rule::Multilinear,
            RowRule::RealValued(_) | RowRule::SelfAdjoint(_) => Rule::General,
        }
    }

    fn saves(&self) -> Saves {
        match self.0.rule {
            RowRule::Linear(_) => Saves::NOTHING,
            _ => self.0.saves,
        }
    }

    fn partial(&self, i: usize, ctx: &Ctx) -> Result<Array> {
        with_values(ctx, |xs, y| self.0.partial(i, xs, y)).0
    }

    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let (RowRule::Linear(transpose) | RowRule::Multilinear(transpose)) = self.0.rule else {
            unreachable!("only linear rules have a transpose")
        };
        gs[0].as_ref().map(|g| transpose(i, ctx, &E::of(g)).0).transpose()
    }

    fn steers(&self, i: usize) -> bool {
        self.0.promote == Promote::Select && i == 0
    }

    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let Some(g) = &gs[0] else { return Ok(smallvec![None]) };
        let g = match &self.0.rule {
            RowRule::RealValued(w) => ops::mulz(g, &with_values(ctx, w).0?)?,
            RowRule::SelfAdjoint(d) => with_values(ctx, |xs, y| d(&xs[0], y, &E::of(g))).0?,
            _ => unreachable!("other rules are not General"),
        };
        Ok(smallvec![Some(g)])
    }

    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let t = ts[0].as_ref()?;
        let tangent = match &self.0.rule {
            RowRule::RealValued(w) => (|| ops::real(&ops::mulz(t, &ops::conj(&with_values(ctx, w).0?)?)?))(),
            RowRule::SelfAdjoint(d) => with_values(ctx, |xs, y| d(&xs[0], y, &E::of(t))).0,
            _ => unreachable!("other rules are not General"),
        };
        Some(tangent.map(|t| smallvec![Some(t)]))
    }

    fn elementwise(&self) -> Option<&'static Elementwise> {
        Some(self.0)
    }

    fn handle(&self) -> OpRef {
        OpRef::Row(*self)
    }
}

/// Inputs and output as the rule reads them, in the op's compute dtype.
fn with_values(ctx: &Ctx, f: impl Fn(&[E], &E) -> E) -> E {
    let dtypes = ctx.in_metas.iter().map(|m| m.dtype).filter(|d| d.is_inexact());
    let common = dtypes.reduce(promote).unwrap_or(DEFAULT_FLOAT);
    let xs: SmallVec<[E; 3]> = ctx
        .ins
        .iter()
        .map(|x| match x {
            Some(x) if x.dtype() == DType::Bool => E::of(x),
            Some(x) => E(ops::cast(x, common)),
            None => E(ops::zeros(&Meta::new(common, &[]))),
        })
        .collect();
    let y = ctx.outs.first().map_or_else(|| xs[0].clone(), E::of);
    f(&xs, &y)
}

/// Defines rows and the family's TABLE.
macro_rules! rows {
    ($($(#[$meta:meta])* $id:ident { $($field:ident : $value:expr),* $(,)? })*) => {
        $(pub static $id: $crate::ops::elementwise::Elementwise = $crate::ops::elementwise::Elementwise {
            $($field: $value,)*
            ..$crate::ops::elementwise::Elementwise::BLANK
        };)*
        pub(super) static TABLE: &[&$crate::ops::elementwise::Elementwise] = &[$(&$id),*];
    };
}
use rows;
