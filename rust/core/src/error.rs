//! The one error type; `rust/py` turns it into Python's exceptions in one place.

/// Which Python exception an error becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Value,
    Type,
    Index,
    Memory,
    Overflow,
    LinAlg,
    NotImplemented,
    Runtime,
    /// Raised by Python code that an op called; the binding layer holds the exception itself.
    Python,
}

/// A failure, with a message of the form `op: rule, got value`.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub kind: Kind,
    pub message: String,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    #[cold]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into() }
    }
}

/// `fail!(Value, "op: rule, got {x}")` returns the error from the enclosing function.
#[macro_export]
macro_rules! fail {
    ($kind:ident, $($arg:tt)*) => {
        return Err($crate::error::Error::new($crate::error::Kind::$kind, format!($($arg)*)))
    };
}

/// `ensure!(condition, Value, "op: rule, got {x}")` fails unless the condition holds.
#[macro_export]
macro_rules! ensure {
    ($cond:expr, $kind:ident, $($arg:tt)*) => {
        if !$cond { $crate::fail!($kind, $($arg)*) }
    };
}

impl From<sciarray_cuda::Error> for Error {
    fn from(e: sciarray_cuda::Error) -> Error {
        let kind = match e {
            sciarray_cuda::Error::OutOfMemory { .. } => Kind::Memory,
            _ => Kind::Runtime,
        };
        Error::new(kind, e.to_string())
    }
}
