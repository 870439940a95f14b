//! Arithmetic on arrays for derivative rules: the operators read like the formula, errors pass through to the end.

use crate::array::{Array, Scalar};
use crate::error::Result;
use crate::ops::{self, elementwise::Elementwise};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An array or the error that kept it from being computed.
#[derive(Clone)]
pub struct E(pub Result<Array>);

impl E {
    pub fn of(a: &Array) -> E {
        E(Ok(a.clone()))
    }

    /// Applies an elementwise op.
    pub fn call<const N: usize>(op: &'static Elementwise, args: [&E; N]) -> E {
        let mut arrays = [const { None }; N];
        for (slot, a) in arrays.iter_mut().zip(args) {
            match &a.0 {
                Ok(a) => *slot = Some(a),
                Err(e) => return E(Err(e.clone())),
            }
        }
        E(ops::elementwise(op, &arrays.map(|a| a.expect("all are set"))))
    }

    /// A constant of this value's dtype.
    pub fn lit(&self, v: f64) -> E {
        E(self.0.as_ref().map_err(Clone::clone).and_then(|a| Array::scalar_of(Scalar::Float(v), a.dtype())))
    }

    /// Zeros in the shape and dtype of this value.
    pub fn zero(&self) -> E {
        E(self.0.as_ref().map_err(Clone::clone).and_then(|a| ops::zeros(&a.owned_meta())))
    }

    pub fn map(&self, f: impl FnOnce(&Array) -> Result<Array>) -> E {
        E(self.0.as_ref().map_err(Clone::clone).and_then(f))
    }

    pub fn map2(&self, o: &E, f: impl FnOnce(&Array, &Array) -> Result<Array>) -> E {
        match (&self.0, &o.0) {
            (Ok(a), Ok(b)) => E(f(a, b)),
            (Err(e), _) | (_, Err(e)) => E(Err(e.clone())),
        }
    }

    /// The matrix product over the last two axes.
    pub fn at(&self, o: &E) -> E {
        self.map2(o, ops::matmul::matmul)
    }

    /// The conjugate transpose over the last two axes.
    pub fn h(&self) -> E {
        self.map(ops::adjoint)
    }

    /// This value with the derivatives of another formula for it, where those of its own would cancel.
    pub fn with_slope_of(&self, other: &E) -> E {
        // A difference of equals is +0, which taken off leaves the sign of a zero.
        self.map(ops::detach) - (other.map(ops::detach) - other)
    }

    pub fn is_complex(&self) -> bool {
        self.0.as_ref().is_ok_and(|a| a.dtype().is_complex())
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:ident) => {
        impl $trait<&E> for &E {
            type Output = E;
            fn $method(self, o: &E) -> E {
                E::call(&crate::ops::elementwise::$op, [self, o])
            }
        }
        impl $trait<E> for E {
            type Output = E;
            fn $method(self, o: E) -> E {
                (&self).$method(&o)
            }
        }
        impl $trait<&E> for E {
            type Output = E;
            fn $method(self, o: &E) -> E {
                (&self).$method(o)
            }
        }
        impl $trait<E> for &E {
            type Output = E;
            fn $method(self, o: E) -> E {
                self.$method(&o)
            }
        }
        impl $trait<f64> for &E {
            type Output = E;
            fn $method(self, o: f64) -> E {
                self.$method(&self.lit(o))
            }
        }
        impl $trait<f64> for E {
            type Output = E;
            fn $method(self, o: f64) -> E {
                (&self).$method(o)
            }
        }
        impl $trait<&E> for f64 {
            type Output = E;
            fn $method(self, o: &E) -> E {
                (&o.lit(self)).$method(o)
            }
        }
        impl $trait<E> for f64 {
            type Output = E;
            fn $method(self, o: E) -> E {
                self.$method(&o)
            }
        }
    };
}
operator!(Add, add, ADD);
operator!(Sub, sub, SUBTRACT);
operator!(Mul, mul, MULTIPLY);
operator!(Div, div, DIVIDE);

impl Neg for &E {
    type Output = E;
    fn neg(self) -> E {
        E::call(&crate::ops::elementwise::NEGATIVE, [self])
    }
}
impl Neg for E {
    type Output = E;
    fn neg(self) -> E {
        -&self
    }
}
