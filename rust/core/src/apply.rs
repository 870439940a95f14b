//! The gate: the only way a value comes to be.

use crate::array::Array;
use crate::device;
use crate::error::Result;
use crate::grad;
use crate::op::{Op, Outs, Rule};
use crate::record;

/// Runs `op`: shape rule, kernel of the inputs' device, a node where a gradient scope watches an input, an entry where a recording is open.
pub fn apply(op: &dyn Op, ins: &[&Array]) -> Result<Outs> {
    let mut outs = if device::all_on_cpu(ins) { op.run(ins)? } else { device::run(op, ins)? };
    // Recorded first: the outputs that a node saves must know their places in the recording.
    if record::is_open() {
        record::append(op, ins, &mut outs)?;
    }
    let watched = ins.iter().fold(0, |m, a| m | a.scopes) & grad::open_scopes();
    if watched != 0 && op.rule() != Rule::Constant {
        grad::attach(op, ins, &mut outs, watched);
    }
    Ok(outs)
}

/// [`apply`] for an op with one output.
#[inline]
pub fn apply1(op: &dyn Op, ins: &[&Array]) -> Result<Array> {
    let mut outs = apply(op, ins)?;
    debug_assert_eq!(outs.len(), 1);
    Ok(outs.pop().expect("an op has at least one output"))
}
