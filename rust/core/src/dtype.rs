//! Type promotion: NumPy 2's rules, with Python scalars weak.

use DType::*;
pub use sciarray_kernels::DType;

/// The dtype of Python integers and of `arange(3)`.
pub const DEFAULT_INT: DType = I64;
/// The dtype of Python floats and of `zeros(3)`.
pub const DEFAULT_FLOAT: DType = F64;

fn int(bits: usize, signed: bool) -> DType {
    match (bits, signed) {
        (1, true) => I8,
        (2, true) => I16,
        (4, true) => I32,
        (_, true) => I64,
        (1, false) => U8,
        (2, false) => U16,
        (4, false) => U32,
        (_, false) => U64,
    }
}

/// The smallest float that holds an integer or bool dtype as NumPy 2 promotes it, but never below float32.
fn float_for(d: DType) -> DType {
    match d {
        Bool | I8 | U8 | I16 | U16 | F32 => F32,
        _ => F64,
    }
}

/// The dtype that two arrays of dtypes `a` and `b` meet at.
#[inline]
pub fn promote(a: DType, b: DType) -> DType {
    if a == b {
        return a;
    }
    if a == Bool || b == Bool {
        return if a == Bool { b } else { a };
    }
    match (a.is_inexact(), b.is_inexact()) {
        (false, false) => {
            if a.is_signed() == b.is_signed() {
                return int(a.size().max(b.size()), a.is_signed());
            }
            let (s, u) = if a.is_signed() { (a, b) } else { (b, a) };
            if s.size() > u.size() {
                s
            } else if u == U64 {
                F64
            } else {
                int(u.size() * 2, true)
            }
        }
        (true, true) => {
            let f = if a.real() == F64 || b.real() == F64 { F64 } else { F32 };
            if a.is_complex() || b.is_complex() { f.complex() } else { f }
        }
        _ => {
            let (f, i) = if a.is_inexact() { (a, b) } else { (b, a) };
            promote(f, float_for(i))
        }
    }
}

/// A Python scalar in an expression: it takes the other operand's dtype unless its kind is higher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weak {
    Bool,
    Int,
    Float,
    Complex,
}

impl Weak {
    /// The dtype that a lone scalar has.
    pub fn default_dtype(self) -> DType {
        match self {
            Weak::Bool => Bool,
            Weak::Int => DEFAULT_INT,
            Weak::Float => DEFAULT_FLOAT,
            Weak::Complex => C128,
        }
    }

    /// The dtype this scalar takes beside an array of dtype `d`.
    pub fn beside(self, d: DType) -> DType {
        match self {
            Weak::Bool => Bool,
            Weak::Int if d == Bool => DEFAULT_INT,
            Weak::Int => d,
            Weak::Float if d.is_inexact() => d,
            Weak::Float => DEFAULT_FLOAT,
            Weak::Complex if d.is_inexact() => d.complex(),
            Weak::Complex => C128,
        }
    }
}
