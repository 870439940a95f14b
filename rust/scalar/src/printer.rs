//! Printing scalar functions as C: the trait [`Real`] over names of variables.
//!
//! Evaluating a body at [`Expr`] writes one statement per operation, in static single assignment. The text compiles as CUDA C
//! (with `--fmad=false`) and as plain C (with `-ffp-contract=off`), and computes the same bits as the body at `f64`. Every named
//! function is printed once per [`Source`].

use std::array;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Display, Write};
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::complex::{Complex, ComplexBody};
use crate::real::{Arith, ArithBody, Bits, Body, Mask, Real, Table};

/// What the printed functions stand on: qualifiers, bit patterns and table indices for either compiler.
pub const PRELUDE: &str = include_str!("../../../cuda/prelude.h");

/// The type a printed operator computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    F32,
    F64,
}

impl Precision {
    fn name(self) -> &'static str {
        match self {
            Precision::F32 => "float",
            Precision::F64 => "double",
        }
    }
}

/// The statements of the function being printed.
struct Scope {
    precision: Precision,
    text: String,
    indent: usize,
    values: u32,
}

impl Scope {
    fn new(precision: Precision) -> Self {
        Scope { precision, text: String::new(), indent: 1, values: 0 }
    }

    fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.indent);
    }

    /// A fresh variable of the given kind.
    fn name(&mut self) -> u32 {
        self.values += 1;
        self.values
    }
}

#[derive(Default)]
struct Builder {
    tables: Vec<&'static str>,
    functions: HashMap<String, (usize, usize)>,
    text: String,
    scopes: Vec<Scope>,
}

thread_local! {
    static BUILDER: RefCell<Builder> = RefCell::default();
}

/// Runs `f` on the builder of this thread.
fn build<T>(f: impl FnOnce(&mut Builder) -> T) -> T {
    BUILDER.with_borrow_mut(f)
}

/// Runs `f` on the function being printed.
fn scope<T>(f: impl FnOnce(&mut Scope) -> T) -> T {
    build(|b| f(b.scopes.last_mut().expect("expressions exist only while a Source prints a body")))
}

/// A floating-point value of the printed function: a constant, an argument or a variable.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    Literal(f64),
    Argument(u32),
    Variable(u32),
}

/// An integer of the printed function.
#[derive(Clone, Copy, Debug)]
pub enum IntExpr {
    Literal(i64),
    Variable(u32),
}

/// A truth value of the printed function.
#[derive(Clone, Copy, Debug)]
pub enum BoolExpr {
    Literal(bool),
    Variable(u32),
}

/// A double as a C literal with all its digits.
struct HexFloat(f64);

impl Display for HexFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.0.to_bits();
        if !self.0.is_finite() {
            return write!(f, "sa_from_bits((long long)0x{bits:016x}ULL)");
        }
        let (sign, exponent, fraction) = (bits >> 63, (bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
        let (open, close) = if sign == 1 { ("(-", ")") } else { ("", "") };
        let (lead, exponent) = match (exponent, fraction) {
            (0, 0) => (0, 0),
            (0, _) => (0, -1022),
            _ => (1, exponent as i64 - 1023),
        };
        let digits = format!("{fraction:013x}");
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        write!(f, "{open}0x{lead}{point}{digits}p{exponent:+}{close}")
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Literal(v) => HexFloat(*v).fmt(f),
            Expr::Argument(i) => write!(f, "x{i}"),
            Expr::Variable(i) => write!(f, "v{i}"),
        }
    }
}

impl Display for IntExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntExpr::Literal(v) => write!(f, "(long long)0x{v:x}ULL"),
            IntExpr::Variable(i) => write!(f, "i{i}"),
        }
    }
}

impl Display for BoolExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoolExpr::Literal(v) => u8::from(*v).fmt(f),
            BoolExpr::Variable(i) => write!(f, "b{i}"),
        }
    }
}

/// A new variable that holds a floating-point expression.
fn real(value: impl Display) -> Expr {
    scope(|s| {
        let (v, t) = (Expr::Variable(s.name()), s.precision.name());
        s.line(format_args!("const {t} {v} = {value};"));
        v
    })
}

fn int(value: impl Display) -> IntExpr {
    scope(|s| {
        let v = IntExpr::Variable(s.name());
        s.line(format_args!("const long long {v} = {value};"));
        v
    })
}

fn boolean(value: impl Display) -> BoolExpr {
    scope(|s| {
        let v = BoolExpr::Variable(s.name());
        s.line(format_args!("const int {v} = {value};"));
        v
    })
}

/// A call of the C library's function in the precision of the function being printed.
fn library(name: &str, args: &[Expr]) -> Expr {
    let suffix = if scope(|s| s.precision) == Precision::F32 { "f" } else { "" };
    real(format_args!("{name}{suffix}({})", list(args)))
}

/// Items separated by commas.
fn list(items: &[impl Display]) -> String {
    items.iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

impl Mask for BoolExpr {
    fn lit(v: bool) -> Self {
        BoolExpr::Literal(v)
    }
    fn and(self, o: Self) -> Self {
        boolean(format_args!("{self} & {o}"))
    }
    fn or(self, o: Self) -> Self {
        boolean(format_args!("{self} | {o}"))
    }
    fn not(self) -> Self {
        boolean(format_args!("!{self}"))
    }
}

/// An operation on unsigned integers, whose overflow C defines.
fn unsigned(a: impl Display, op: &str, b: impl Display) -> IntExpr {
    int(format_args!("(long long)((unsigned long long){a} {op} (unsigned long long){b})"))
}

impl Bits for IntExpr {
    type Mask = BoolExpr;
    fn lit(v: i64) -> Self {
        IntExpr::Literal(v)
    }
    fn add(self, o: Self) -> Self {
        unsigned(self, "+", o)
    }
    fn sub(self, o: Self) -> Self {
        unsigned(self, "-", o)
    }
    fn and(self, o: Self) -> Self {
        unsigned(self, "&", o)
    }
    fn or(self, o: Self) -> Self {
        unsigned(self, "|", o)
    }
    fn xor(self, o: Self) -> Self {
        unsigned(self, "^", o)
    }
    fn shl(self, n: u32) -> Self {
        unsigned(self, "<<", n)
    }
    fn shr(self, n: u32) -> Self {
        unsigned(self, ">>", n)
    }
    fn eq(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} == {o}"))
    }
    fn lt(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} < {o}"))
    }
    fn select(m: BoolExpr, a: Self, b: Self) -> Self {
        int(format_args!("{m} ? {a} : {b}"))
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $sign:literal),*) => {
        $(
            impl $op for Expr {
                type Output = Self;
                fn $method(self, o: Self) -> Self {
                    real(format_args!(concat!("{} ", $sign, " {}"), self, o))
                }
            }
        )*
    };
}
operators!(Add add "+", Sub sub "-", Mul mul "*", Div div "/");

impl Neg for Expr {
    type Output = Self;
    fn neg(self) -> Self {
        real(format_args!("-{self}"))
    }
}

impl Arith for Expr {
    type Mask = BoolExpr;
    fn lit(v: f64) -> Self {
        match scope(|s| s.precision) {
            Precision::F64 => Expr::Literal(v),
            // Exact as a double; the variable's type makes it a float again.
            Precision::F32 => real(HexFloat(f64::from(v as f32))),
        }
    }
    fn abs(self) -> Self {
        library("fabs", &[self])
    }
    fn sqrt(self) -> Self {
        library("sqrt", &[self])
    }
    fn fma(self, b: Self, c: Self) -> Self {
        library("fma", &[self, b, c])
    }
    fn floor(self) -> Self {
        library("floor", &[self])
    }
    fn ceil(self) -> Self {
        library("ceil", &[self])
    }
    fn trunc(self) -> Self {
        library("trunc", &[self])
    }
    fn round(self) -> Self {
        library("rint", &[self])
    }
    fn copysign(self, sign: Self) -> Self {
        library("copysign", &[self, sign])
    }
    fn eq(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} == {o}"))
    }
    fn ne(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} != {o}"))
    }
    fn lt(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} < {o}"))
    }
    fn le(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} <= {o}"))
    }
    fn select(m: BoolExpr, a: Self, b: Self) -> Self {
        real(format_args!("{m} ? {a} : {b}"))
    }
}

/// Declares variables that are assigned again later.
fn mutable<const N: usize>(initial: [Expr; N]) -> [Expr; N] {
    initial.map(|e| {
        scope(|s| {
            let (v, t) = (Expr::Variable(s.name()), s.precision.name());
            s.line(format_args!("{t} {v} = {e};"));
            v
        })
    })
}

/// Assigns all at once: the right sides are copied before any left side changes.
fn assign<const N: usize>(to: [Expr; N], from: [Expr; N]) {
    let copies = from.map(real);
    for (v, e) in to.iter().zip(copies) {
        scope(|s| s.line(format_args!("{v} = {e};")));
    }
}

/// The arguments of the function being printed.
fn arguments(n: usize) -> Vec<Expr> {
    (0..n as u32).map(Expr::Argument).collect()
}

/// Complex argument `i`, of which each is two.
fn complex_argument(i: usize) -> Complex<Expr> {
    Complex { re: Expr::Argument(2 * i as u32), im: Expr::Argument(2 * i as u32 + 1) }
}

/// What is added to the name of a function in this precision.
fn suffix(precision: Precision) -> &'static str {
    if precision == Precision::F32 { "_f32" } else { "" }
}

/// A block of statements in braces.
fn block(head: impl Display, body: impl FnOnce()) {
    scope(|s| {
        s.line(format_args!("{head} {{"));
        s.indent += 1;
    });
    body();
    scope(|s| {
        s.indent -= 1;
        s.line("}");
    });
}

impl Real for Expr {
    type Bits = IntExpr;
    fn to_bits(self) -> IntExpr {
        int(format_args!("sa_to_bits({self})"))
    }
    fn from_bits(b: IntExpr) -> Self {
        real(format_args!("sa_from_bits({b})"))
    }
    fn gather(table: &'static Table, i: IntExpr) -> Self {
        build(|b| b.declare(table));
        let (name, n) = (table.name, table.values.len());
        real(format_args!("sa_table_{name}[sa_index({i}, {n})]"))
    }
    fn repeat<const N: usize>(
        state: [Self; N],
        max: u32,
        step: impl Fn([Self; N]) -> ([Self; N], BoolExpr),
    ) -> [Self; N] {
        let s = mutable(state);
        let round = IntExpr::Variable(scope(Scope::name));
        block(format_args!("for (int {round} = 0; {round} < {max}; ++{round})"), || {
            let (next, go) = step(s);
            assign(s, next);
            scope(|s| s.line(format_args!("if (!{go}) break;")));
        });
        s
    }
    fn when<const N: usize>(m: BoolExpr, otherwise: [Self; N], body: impl Fn() -> [Self; N]) -> [Self; N] {
        let v = mutable(otherwise);
        block(format_args!("if ({m})"), || assign(v, body()));
        v
    }
    fn call_many<const N: usize, const M: usize>(
        name: &'static str,
        args: [Self; N],
        body: impl Fn([Self; N]) -> [Self; M],
    ) -> [Self; M] {
        if !build(|b| b.functions.contains_key(name)) {
            build(|b| b.scopes.push(Scope::new(Precision::F64)));
            let results = body(array::from_fn(|i| Expr::Argument(i as u32)));
            build(|b| b.define(name, N, None, &results));
        }
        let known = build(|b| b.functions[name]);
        assert_eq!(known, (N, M), "two functions are named '{name}'");
        if M == 1 {
            return [real(format_args!("sa_{name}({})", list(&args))); M];
        }
        scope(|s| {
            let results = array::from_fn(|_| Expr::Variable(s.name()));
            s.line(format_args!("double {};", list(&results)));
            let places = results.map(|r| format!("&{r}"));
            s.line(format_args!("sa_{name}({}, {});", list(&args), list(&places)));
            results
        })
    }
}

impl Builder {
    /// Prints a table once.
    fn declare(&mut self, table: &'static Table) {
        if self.tables.contains(&table.name) {
            return;
        }
        self.tables.push(table.name);
        let _ = writeln!(self.text, "SA_TABLE double sa_table_{}[{}] = {{", table.name, table.values.len());
        for &v in table.values {
            let _ = writeln!(self.text, "    {},", HexFloat(v));
        }
        self.text.push_str("};\n\n");
    }

    /// Closes the innermost scope into a function of `n` arguments; `returned` is the type of a single result that is no float.
    fn define(&mut self, name: &str, n: usize, returned: Option<&str>, results: &[impl Display]) {
        let scope = self.scopes.pop().expect("a function is being printed");
        let t = scope.precision.name();
        let mut parameters: Vec<String> = (0..n).map(|i| format!("{t} x{i}")).collect();
        let (returned, end) = if let [one] = results {
            (returned.unwrap_or(t), format!("    return {one};\n"))
        } else {
            parameters.extend((0..results.len()).map(|i| format!("{t} *r{i}")));
            ("void", results.iter().enumerate().map(|(i, r)| format!("    *r{i} = {r};\n")).collect())
        };
        let parameters = parameters.join(", ");
        let _ = writeln!(self.text, "SA_FUNCTION {returned} sa_{name}({parameters})\n{{\n{}{end}}}\n", scope.text);
        self.functions.insert(name.to_owned(), (n, results.len()));
    }
}

/// C source that grows by functions; each named function and table appears once.
#[derive(Default)]
pub struct Source {
    builder: Builder,
}

impl Source {
    /// An empty source.
    pub fn new() -> Self {
        Source::default()
    }

    /// Prints `double sa_NAME(double x0, ...)` with all it calls, unless it is there, and returns its name.
    pub fn add<const N: usize, B: Body<N>>(&mut self) -> String {
        self.function(B::NAME.to_owned(), N, Precision::F64, || {
            // Most bodies are one call of the function that bears their name, which then stands already.
            let result = B::eval(array::from_fn(|i| Expr::Argument(i as u32)));
            (!build(|b| b.functions.contains_key(B::NAME))).then_some(vec![result])
        })
    }

    /// Prints `void sa_complex_NAME(double re, double im, ..., double *re, double *im)` with all it calls, unless it is
    /// there, and returns its name.
    pub fn add_complex<const N: usize, B: ComplexBody<N>>(&mut self) -> String {
        let name = format!("complex_{}", B::NAME);
        self.function(name.clone(), 2 * N, Precision::F64, || {
            let result = B::eval(array::from_fn(complex_argument));
            (!build(|b| b.functions.contains_key(&name))).then(|| vec![result.re, result.im])
        })
    }

    /// Prints `int sa_NAME(...)`, or `sa_NAME_f32` in single precision, a truth value of `n` floats, unless it is there, and
    /// returns its name.
    pub fn add_test(
        &mut self,
        name: &str,
        n: usize,
        precision: Precision,
        body: impl FnOnce(&[Expr]) -> BoolExpr,
    ) -> String {
        let name = format!("{name}{}", suffix(precision));
        self.print(name, n, precision, Some("int"), || Some(vec![body(&arguments(n))]))
    }

    /// As [`Source::add_test`], of `n` complex numbers whose parts come one after the other.
    pub fn add_complex_test(
        &mut self,
        name: &str,
        n: usize,
        precision: Precision,
        body: impl FnOnce(&[Complex<Expr>]) -> BoolExpr,
    ) -> String {
        self.add_test(&format!("complex_{name}"), 2 * n, precision, |_| {
            body(&(0..n).map(complex_argument).collect::<Vec<_>>())
        })
    }

    /// Prints a basic operator as `sa_NAME`, or `sa_NAME_f32` in single precision, unless it is there, and returns its name.
    pub fn add_arith<const N: usize, B: ArithBody<N>>(&mut self, precision: Precision) -> String {
        self.function(format!("{}{}", B::NAME, suffix(precision)), N, precision, || {
            Some(vec![B::eval(array::from_fn(|i| Expr::Argument(i as u32)))])
        })
    }

    /// Prints what `body` writes as a function, or nothing where it returns nothing.
    fn function(
        &mut self,
        name: String,
        n: usize,
        precision: Precision,
        body: impl FnOnce() -> Option<Vec<Expr>>,
    ) -> String {
        self.print(name, n, precision, None, body)
    }

    fn print<E: Display>(
        &mut self,
        name: String,
        n: usize,
        precision: Precision,
        returned: Option<&str>,
        body: impl FnOnce() -> Option<Vec<E>>,
    ) -> String {
        if !self.builder.functions.contains_key(&name) {
            build(|b| {
                std::mem::swap(b, &mut self.builder);
                b.scopes.push(Scope::new(precision));
            });
            let result = body();
            build(|b| {
                match result {
                    Some(results) => b.define(&name, n, returned, &results),
                    None => drop(b.scopes.pop()),
                }
                std::mem::swap(b, &mut self.builder);
            });
        }
        format!("sa_{name}")
    }

    /// The complete text, prelude included.
    pub fn text(&self) -> String {
        format!("{PRELUDE}\n{}", self.functions())
    }

    /// The functions alone, for a text that has the prelude.
    pub fn functions(&self) -> &str {
        &self.builder.text
    }
}

/// A self-contained source with one scalar function and all it calls.
pub fn print_cuda<const N: usize, B: Body<N>>() -> String {
    let mut source = Source::new();
    source.add::<N, B>();
    source.text()
}

#[cfg(test)]
mod tests;
