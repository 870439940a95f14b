//! What an operation is: shape rule, kernel and derivative rule, in one place per op.

use crate::array::Array;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Kind, Result};
use crate::fail;
use crate::shape::Shape;
use sciarray_cuda::Queue;
use smallvec::SmallVec;
use std::fmt::Debug;
use std::sync::Arc;

/// Dtype and shape of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meta {
    pub dtype: DType,
    pub shape: Shape,
}

impl Meta {
    pub fn new(dtype: DType, shape: &[usize]) -> Meta {
        Meta { dtype, shape: Shape::from_slice(shape) }
    }
    pub fn as_ref(&self) -> MetaRef<'_> {
        MetaRef { dtype: self.dtype, shape: &self.shape }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct MetaRef<'a> {
    pub dtype: DType,
    pub shape: &'a [usize],
}

pub type Metas = SmallVec<[Meta; 1]>;
pub type Outs = SmallVec<[Array; 1]>;
/// One cotangent or tangent per input or output; None is an exact zero.
pub type Grads = SmallVec<[Option<Array>; 2]>;

/// How an op is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Declared constant: integer results, comparisons, piecewise constants, or outputs whose derivative another op owns.
    Constant,
    /// Elementwise and complex differentiable: `Op::partial` gives dy/dx_i.
    Scalar,
    /// Linear in all differentiable inputs together: the tangent is the op of the tangents.
    Linear,
    /// Linear in each differentiable input: the tangent is the sum of the op with one input replaced.
    Multilinear,
    /// `Op::vjp`, and `Op::jvp` or the transpose of the vjp.
    General,
}

/// What backward needs of the forward values.
#[derive(Clone, Copy, Debug)]
pub struct Saves {
    /// Bit i: input i.
    pub inputs: u64,
    pub outputs: bool,
}

impl Saves {
    pub const NOTHING: Saves = Saves { inputs: 0, outputs: false };
    pub const INPUTS: Saves = Saves { inputs: u64::MAX, outputs: false };
    pub const OUTPUT: Saves = Saves { inputs: 0, outputs: true };
    pub const ALL: Saves = Saves { inputs: u64::MAX, outputs: true };
}

/// The forward values a rule may read.
pub struct Ctx<'a> {
    pub ins: &'a [Option<Array>],
    pub in_metas: &'a [Meta],
    pub outs: &'a [Array],
    pub out_metas: &'a [Meta],
    /// Bit i: a gradient for input i is wanted.
    pub needs: u64,
}

impl Ctx<'_> {
    pub fn input(&self, i: usize) -> &Array {
        self.ins[i].as_ref().expect("the rule declares that it saves this input")
    }
    pub fn output(&self, i: usize) -> &Array {
        &self.outs[i]
    }
    pub fn needs(&self, i: usize) -> bool {
        self.needs >> i & 1 == 1
    }
    pub fn input_shape(&self, i: usize) -> &[usize] {
        &self.in_metas[i].shape
    }
}

/// A value of an attribute, for printing, comparing and saving a recorded op.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr {
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    DType(DType),
    Ints(Vec<i64>),
    Bools(Vec<bool>),
}

pub type Attrs = Vec<(&'static str, Attr)>;

/// An operation with its attributes fixed. Implementations are plain data.
pub trait Op: Debug + Send + Sync + 'static {
    fn name(&self) -> &str;

    /// Attributes by name; two ops of one name and equal attributes are the same function.
    fn attrs(&self) -> Attrs {
        Vec::new()
    }

    /// Output dtypes and shapes; every shape and dtype error arises here.
    fn infer(&self, ins: &[MetaRef]) -> Result<Metas>;

    /// The CPU kernel. Inputs have passed `infer`, whose result is `outs`.
    fn eval(&self, ins: &[&Array], outs: &[Meta]) -> Result<Outs>;

    /// The kernel of a device: the inputs, which are ready for reads, and the results are on that of the queue.
    fn eval_on(&self, queue: &Queue, ins: &[&Array], outs: &[Meta]) -> Result<Outs> {
        let _ = (ins, outs);
        let (name, device) = (self.name(), Device::cuda(queue.device()));
        fail!(NotImplemented, "{name}: there is no kernel for {device}, compute on the CPU with x.to(\"cpu\")")
    }

    /// `infer`, then `eval`.
    fn run(&self, ins: &[&Array]) -> Result<Outs> {
        let metas: SmallVec<[MetaRef; 3]> = ins.iter().map(|a| a.meta()).collect();
        self.eval(ins, &self.infer(&metas)?)
    }

    /// Whether equal inputs give equal outputs and nothing else happens, so that recorders may drop or share it.
    fn is_pure(&self) -> bool {
        true
    }

    fn rule(&self) -> Rule;

    fn saves(&self) -> Saves {
        match self.rule() {
            Rule::Constant | Rule::Linear => Saves::NOTHING,
            _ => Saves::INPUTS,
        }
    }

    /// dy/dx_i of a [`Rule::Scalar`] op, elementwise.
    fn partial(&self, i: usize, ctx: &Ctx) -> Result<Array> {
        let _ = (i, ctx);
        missing(self.name(), "partial")
    }

    /// The adjoint map of a (multi)linear op with respect to input `i`, applied to the output cotangents.
    fn transpose(&self, i: usize, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Option<Array>> {
        let _ = (i, ctx, gs);
        missing(self.name(), "transpose")
    }

    /// Whether input `i` of a linear op, when it is an integer or bool array, steers it (an index, a mask) instead of
    /// being one of the operands the op is linear in.
    fn steers(&self, i: usize) -> bool {
        let _ = i;
        true
    }

    /// Cotangents of the inputs that `ctx` needs, from those of the outputs.
    fn vjp(&self, ctx: &Ctx, gs: &[Option<Array>]) -> Result<Grads> {
        let _ = (ctx, gs);
        missing(self.name(), "vjp")
    }

    /// Tangents of the outputs from those of the inputs, or None: the transpose of `vjp` is used.
    fn jvp(&self, ctx: &Ctx, ts: &[Option<Array>]) -> Option<Result<Grads>> {
        let _ = (ctx, ts);
        None
    }

    /// Itself as an elementwise row, which recorders fuse.
    fn elementwise(&self) -> Option<&'static crate::ops::elementwise::Elementwise> {
        None
    }

    /// Itself as a reduction, which recorders fuse with what it reduces.
    fn reduction(&self) -> Option<&crate::ops::reduce::Reduce> {
        None
    }

    /// The input that its output equals, whatever becomes of derivatives.
    fn value_of(&self) -> Option<usize> {
        None
    }

    /// A handle that outlives the call.
    fn handle(&self) -> OpRef;
}

fn missing<T>(op: &str, what: &str) -> Result<T> {
    Err(Error::new(Kind::NotImplemented, format!("{op}: the op declares a rule but has no {what}")))
}

#[derive(Clone, Debug)]
pub enum OpRef {
    Row(crate::ops::elementwise::Row),
    Static(&'static dyn Op),
    Shared(Arc<dyn Op>),
}

impl std::ops::Deref for OpRef {
    type Target = dyn Op;
    fn deref(&self) -> &dyn Op {
        match self {
            OpRef::Row(row) => row,
            OpRef::Static(op) => *op,
            OpRef::Shared(op) => &**op,
        }
    }
}

/// One output meta.
pub fn one(dtype: DType, shape: impl Into<Shape>) -> Result<Metas> {
    Ok(smallvec::smallvec![Meta { dtype, shape: shape.into() }])
}

/// One output array.
pub fn out(a: Array) -> Result<Outs> {
    Ok(smallvec::smallvec![a])
}

/// `Op::handle` for an op that is cloned into a shared handle.
#[macro_export]
macro_rules! shared_handle {
    () => {
        fn handle(&self) -> $crate::op::OpRef {
            $crate::op::OpRef::Shared(std::sync::Arc::new(self.clone()))
        }
    };
}
