//! Two registers as one: what a body does to them stands side by side in its code, and fills the time in which the steps of one
//! would wait for each other.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{LaneMask, Lanes, control_flow};
use crate::real::{Arith, Bits, Body, Mask, Real, Rows, ShortWays, Table, mapped};

/// A register and the one of the elements behind it.
#[derive(Clone, Copy, Debug)]
pub struct Twice<T>(T, T);

/// Methods that do to both halves what they do to one: of `self`, of others of the same kind in brackets, and of plain arguments.
macro_rules! halves {
    ($($name:ident($([$o:ident])* $($v:ident: $t:ty)?) -> $r:ty;)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $o: Self)* $(, $v: $t)?) -> $r {
                Twice(self.0.$name($($o.0),* $($v)?), self.1.$name($($o.1),* $($v)?))
            }
        )*
    };
}

/// Literals, and choices by a mask.
macro_rules! made {
    ($of:ident, $literal:ty $(, $mask:ty)?) => {
        #[inline(always)]
        fn lit(v: $literal) -> Self {
            Twice($of::lit(v), $of::lit(v))
        }
        $(
            #[inline(always)]
            fn select(m: $mask, a: Self, b: Self) -> Self {
                Twice($of::select(m.0, a.0, b.0), $of::select(m.1, a.1, b.1))
            }
        )?
    };
}

impl<M: Mask> Mask for Twice<M> {
    made!(M, bool);
    halves! { and([o]) -> Self; or([o]) -> Self; not() -> Self; }
}

impl<M: LaneMask> LaneMask for Twice<M> {
    #[inline(always)]
    fn any(self) -> bool {
        self.0.or(self.1).any()
    }
}

impl<B: Bits> Bits for Twice<B> {
    type Mask = Twice<B::Mask>;
    made!(B, i64, Self::Mask);
    halves! {
        add([o]) -> Self;
        sub([o]) -> Self;
        and([o]) -> Self;
        or([o]) -> Self;
        xor([o]) -> Self;
        shl(n: u32) -> Self;
        shr(n: u32) -> Self;
        eq([o]) -> Self::Mask;
        lt([o]) -> Self::Mask;
    }
}

macro_rules! operators {
    ($($op:ident $name:ident;)*) => {
        $(
            impl<L: Lanes> $op for Twice<L> {
                type Output = Self;
                halves! { $name([o]) -> Self; }
            }
        )*
    };
}
operators! { Add add; Sub sub; Mul mul; Div div; }

impl<L: Lanes> Neg for Twice<L> {
    type Output = Self;
    halves! { neg() -> Self; }
}

impl<L: Lanes> Arith for Twice<L> {
    type Mask = Twice<L::Mask>;
    made!(L, f64, Self::Mask);
    halves! {
        abs() -> Self;
        sqrt() -> Self;
        fma([b] [c]) -> Self;
        floor() -> Self;
        ceil() -> Self;
        trunc() -> Self;
        round() -> Self;
        copysign([sign]) -> Self;
        eq([o]) -> Self::Mask;
        ne([o]) -> Self::Mask;
        lt([o]) -> Self::Mask;
        le([o]) -> Self::Mask;
        min([o]) -> Self;
        max([o]) -> Self;
    }
}

impl<L: Lanes> Real for Twice<L> {
    type Bits = Twice<L::Bits>;
    halves! { to_bits() -> Self::Bits; }
    #[inline(always)]
    fn from_bits(b: Self::Bits) -> Self {
        Twice(L::from_bits(b.0), L::from_bits(b.1))
    }
    #[inline(always)]
    fn gather(table: &'static Table, i: Self::Bits) -> Self {
        Twice(L::gather(table, i.0), L::gather(table, i.1))
    }
    #[inline(always)]
    fn column<const N: usize, const C: usize>(table: &'static Rows<N, C>, k: usize, row: Self::Bits) -> Self {
        Twice(L::column(table, k, row.0), L::column(table, k, row.1))
    }
    #[inline(always)]
    fn shared<B: Body<N>, const N: usize>(x: [Self; N]) -> Self {
        if const { B::Short::TWICE } {
            return L::shared_twice::<B, N>(x);
        }
        let first = mapped(
            x,
            #[inline(always)]
            |v| v.0,
        );
        let second = mapped(
            x,
            #[inline(always)]
            |v| v.1,
        );
        Twice(L::shared::<B, N>(first), L::shared::<B, N>(second))
    }
    control_flow!(Twice<L::Mask>);
}

impl<L: Lanes> Lanes for Twice<L> {
    const LANES: usize = 2 * L::LANES;
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        // SAFETY: twice as many elements by the caller's promise.
        unsafe { Twice(L::load(p), L::load(p.add(L::LANES))) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        // SAFETY: twice as many elements by the caller's promise.
        unsafe {
            self.0.store(p);
            self.1.store(p.add(L::LANES));
        }
    }
    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> Self {
        // SAFETY: twice as many elements by the caller's promise.
        unsafe { Twice(L::load_f32(p), L::load_f32(p.add(L::LANES))) }
    }
    #[inline(always)]
    unsafe fn store_f32(self, p: *mut f32) {
        // SAFETY: twice as many elements by the caller's promise.
        unsafe {
            self.0.store_f32(p);
            self.1.store_f32(p.add(L::LANES));
        }
    }
}
