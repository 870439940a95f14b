//! Element types.

use num_complex::Complex;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    C64,
    C128,
}

impl DType {
    pub const ALL: [DType; 13] = {
        use DType::*;
        [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, C64, C128]
    };

    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 => 1,
            DType::I16 | DType::U16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 => "uint8",
            DType::U16 => "uint16",
            DType::U32 => "uint32",
            DType::U64 => "uint64",
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::C64 => "complex64",
            DType::C128 => "complex128",
        }
    }

    pub const fn is_signed(self) -> bool {
        matches!(self, DType::I8 | DType::I16 | DType::I32 | DType::I64)
    }

    pub const fn is_unsigned(self) -> bool {
        matches!(self, DType::U8 | DType::U16 | DType::U32 | DType::U64)
    }

    pub const fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    pub const fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64)
    }

    pub const fn is_complex(self) -> bool {
        matches!(self, DType::C64 | DType::C128)
    }

    /// Float or complex: what a gradient can flow through.
    pub const fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// The dtype of real and imaginary part; a real dtype is its own.
    pub const fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            d => d,
        }
    }

    /// The complex dtype whose parts have this float dtype; a complex dtype is its own.
    pub const fn complex(self) -> DType {
        match self {
            DType::F32 | DType::C64 => DType::C64,
            _ => DType::C128,
        }
    }
}

/// A Rust type that is an element; `bool` is stored as one byte that is 0 or 1.
pub trait Element: Copy + Send + Sync + Default + PartialEq + std::fmt::Debug + 'static {
    const DTYPE: DType;
}

macro_rules! element {
    ($($t:ty => $d:ident),*) => { $(impl Element for $t { const DTYPE: DType = DType::$d; })* };
}
element!(bool => Bool, i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f32 => F32, f64 => F64, Complex<f32> => C64, Complex<f64> => C128);

/// `dispatch!(dtype, T => expression)` evaluates the expression with `T` bound to the element type.
#[macro_export]
macro_rules! dispatch {
    ($dtype:expr, $t:ident => $body:expr) => {{
        use $crate::DType as D;
        match $dtype {
            D::Bool => {
                type $t = bool;
                $body
            }
            D::I8 => {
                type $t = i8;
                $body
            }
            D::I16 => {
                type $t = i16;
                $body
            }
            D::I32 => {
                type $t = i32;
                $body
            }
            D::I64 => {
                type $t = i64;
                $body
            }
            D::U8 => {
                type $t = u8;
                $body
            }
            D::U16 => {
                type $t = u16;
                $body
            }
            D::U32 => {
                type $t = u32;
                $body
            }
            D::U64 => {
                type $t = u64;
                $body
            }
            D::F32 => {
                type $t = f32;
                $body
            }
            D::F64 => {
                type $t = f64;
                $body
            }
            D::C64 => {
                type $t = ::num_complex::Complex<f32>;
                $body
            }
            D::C128 => {
                type $t = ::num_complex::Complex<f64>;
                $body
            }
        }
    }};
}
