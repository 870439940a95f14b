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
use crate::real::{Arith, ArithBody, Bits, Body, Mask, Real, Rows, Table};

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

/// What a value of the printed function is. Bodies compile to long rows of calls that pass values on, so values are numbers
/// of 32 bits and all work is done in functions that are not inlined: as enums, printing was a fifth of the library's code.
#[derive(Clone, Copy)]
enum Kind {
    Constant,
    Argument,
    Variable,
}

fn code(kind: Kind, index: u32) -> u32 {
    index << 2 | kind as u32
}

fn decoded(code: u32) -> (Kind, u32) {
    let kind = match code & 3 {
        0 => Kind::Constant,
        1 => Kind::Argument,
        _ => Kind::Variable,
    };
    (kind, code >> 2)
}

/// Every constant that this thread has printed, once.
#[derive(Default)]
struct Constants {
    bits: Vec<u64>,
    places: HashMap<u64, u32>,
}

thread_local! {
    static CONSTANTS: RefCell<Constants> = RefCell::default();
}

#[inline(never)]
fn constant(bits: u64) -> u32 {
    CONSTANTS.with_borrow_mut(|c| {
        let next = c.bits.len() as u32;
        let place = *c.places.entry(bits).or_insert(next);
        if place == next {
            c.bits.push(bits);
        }
        code(Kind::Constant, place)
    })
}

fn bits_of(place: u32) -> u64 {
    CONSTANTS.with_borrow(|c| c.bits[place as usize])
}

/// A floating-point value of the printed function: a constant, an argument or a variable.
#[derive(Clone, Copy, Debug)]
pub struct Expr(u32);

impl Expr {
    fn constant(v: f64) -> Expr {
        Expr(constant(v.to_bits()))
    }
    fn argument(i: usize) -> Expr {
        Expr(code(Kind::Argument, i as u32))
    }
    fn variable(i: u32) -> Expr {
        Expr(code(Kind::Variable, i))
    }
}

/// An integer of the printed function.
#[derive(Clone, Copy, Debug)]
pub struct IntExpr(u32);

/// A truth value of the printed function.
#[derive(Clone, Copy, Debug)]
pub struct BoolExpr(u32);

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
        match decoded(self.0) {
            (Kind::Constant, i) => HexFloat(f64::from_bits(bits_of(i))).fmt(f),
            (Kind::Argument, i) => write!(f, "x{i}"),
            (Kind::Variable, i) => write!(f, "v{i}"),
        }
    }
}

impl Display for IntExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match decoded(self.0) {
            (Kind::Constant, i) => write!(f, "(long long)0x{:x}ULL", bits_of(i)),
            (_, i) => write!(f, "i{i}"),
        }
    }
}

impl Display for BoolExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match decoded(self.0) {
            (Kind::Constant, v) => v.fmt(f),
            (_, i) => write!(f, "b{i}"),
        }
    }
}

/// A new variable that holds a floating-point expression.
fn real(value: impl Display) -> Expr {
    scope(|s| {
        let (v, t) = (Expr::variable(s.name()), s.precision.name());
        s.line(format_args!("const {t} {v} = {value};"));
        v
    })
}

fn int(value: impl Display) -> IntExpr {
    scope(|s| {
        let v = IntExpr(code(Kind::Variable, s.name()));
        s.line(format_args!("const long long {v} = {value};"));
        v
    })
}

fn boolean(value: impl Display) -> BoolExpr {
    scope(|s| {
        let v = BoolExpr(code(Kind::Variable, s.name()));
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
    #[inline(never)]
    fn lit(v: bool) -> Self {
        BoolExpr(code(Kind::Constant, v as u32))
    }
    #[inline(never)]
    fn and(self, o: Self) -> Self {
        boolean(format_args!("{self} & {o}"))
    }
    #[inline(never)]
    fn or(self, o: Self) -> Self {
        boolean(format_args!("{self} | {o}"))
    }
    #[inline(never)]
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
    #[inline(never)]
    fn lit(v: i64) -> Self {
        IntExpr(constant(v as u64))
    }
    #[inline(never)]
    fn add(self, o: Self) -> Self {
        unsigned(self, "+", o)
    }
    #[inline(never)]
    fn sub(self, o: Self) -> Self {
        unsigned(self, "-", o)
    }
    #[inline(never)]
    fn and(self, o: Self) -> Self {
        unsigned(self, "&", o)
    }
    #[inline(never)]
    fn or(self, o: Self) -> Self {
        unsigned(self, "|", o)
    }
    #[inline(never)]
    fn xor(self, o: Self) -> Self {
        unsigned(self, "^", o)
    }
    #[inline(never)]
    fn shl(self, n: u32) -> Self {
        unsigned(self, "<<", n)
    }
    #[inline(never)]
    fn shr(self, n: u32) -> Self {
        unsigned(self, ">>", n)
    }
    #[inline(never)]
    fn eq(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} == {o}"))
    }
    #[inline(never)]
    fn lt(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} < {o}"))
    }
    #[inline(never)]
    fn select(m: BoolExpr, a: Self, b: Self) -> Self {
        int(format_args!("{m} ? {a} : {b}"))
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $sign:literal),*) => {
        $(
            impl $op for Expr {
                type Output = Self;
                #[inline(never)]
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
    #[inline(never)]
    fn neg(self) -> Self {
        real(format_args!("-{self}"))
    }
}

impl Arith for Expr {
    type Mask = BoolExpr;
    #[inline(never)]
    fn lit(v: f64) -> Self {
        match scope(|s| s.precision) {
            Precision::F64 => Expr::constant(v),
            // Exact as a double; the variable's type makes it a float again.
            Precision::F32 => real(HexFloat(f64::from(v as f32))),
        }
    }
    #[inline(never)]
    fn abs(self) -> Self {
        library("fabs", &[self])
    }
    #[inline(never)]
    fn sqrt(self) -> Self {
        library("sqrt", &[self])
    }
    #[inline(never)]
    fn fma(self, b: Self, c: Self) -> Self {
        library("fma", &[self, b, c])
    }
    #[inline(never)]
    fn floor(self) -> Self {
        library("floor", &[self])
    }
    #[inline(never)]
    fn ceil(self) -> Self {
        library("ceil", &[self])
    }
    #[inline(never)]
    fn trunc(self) -> Self {
        library("trunc", &[self])
    }
    #[inline(never)]
    fn round(self) -> Self {
        library("rint", &[self])
    }
    #[inline(never)]
    fn copysign(self, sign: Self) -> Self {
        library("copysign", &[self, sign])
    }
    #[inline(never)]
    fn eq(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} == {o}"))
    }
    #[inline(never)]
    fn ne(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} != {o}"))
    }
    #[inline(never)]
    fn lt(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} < {o}"))
    }
    #[inline(never)]
    fn le(self, o: Self) -> BoolExpr {
        boolean(format_args!("{self} <= {o}"))
    }
    #[inline(never)]
    fn select(m: BoolExpr, a: Self, b: Self) -> Self {
        real(format_args!("{m} ? {a} : {b}"))
    }
}

/// Declares variables with these values that are assigned again later, and puts them in place of the values.
#[inline(never)]
fn declare(values: &mut [Expr]) {
    for e in values {
        scope(|s| {
            let (v, t) = (Expr::variable(s.name()), s.precision.name());
            s.line(format_args!("{t} {v} = {e};"));
            *e = v;
        });
    }
}

/// Assigns all at once: the right sides are copied before any left side changes.
#[inline(never)]
fn assign(to: &[Expr], from: &[Expr]) {
    let copies: Vec<Expr> = from.iter().map(real).collect();
    for (v, e) in to.iter().zip(copies) {
        scope(|s| s.line(format_args!("{v} = {e};")));
    }
}

/// The arguments of the function being printed.
fn arguments(n: usize) -> Vec<Expr> {
    (0..n).map(Expr::argument).collect()
}

/// Complex argument `i`, of which each is two.
fn complex_argument(i: usize) -> Complex<Expr> {
    Complex { re: Expr::argument(2 * i), im: Expr::argument(2 * i + 1) }
}

/// What is added to the name of a function in this precision.
fn suffix(precision: Precision) -> &'static str {
    if precision == Precision::F32 { "_f32" } else { "" }
}

/// Begins a block of statements in braces.
fn open(head: impl Display) {
    scope(|s| {
        s.line(format_args!("{head} {{"));
        s.indent += 1;
    });
}

#[inline(never)]
fn open_loop(max: u32) {
    let i = scope(Scope::name);
    open(format_args!("for (int i{i} = 0; i{i} < {max}; ++i{i})"));
}

#[inline(never)]
fn open_if(m: BoolExpr) {
    open(format_args!("if ({m})"));
}

#[inline(never)]
fn close() {
    scope(|s| {
        s.indent -= 1;
        s.line("}");
    });
}

#[inline(never)]
fn break_unless(go: BoolExpr) {
    scope(|s| s.line(format_args!("if (!{go}) break;")));
}

/// Whether a function of this name is printed; if not, one is begun.
#[inline(never)]
fn begun_before(name: &str) -> bool {
    build(|b| {
        let known = b.functions.contains_key(name);
        if !known {
            b.scopes.push(Scope::new(Precision::F64));
        }
        known
    })
}

#[inline(never)]
fn end(name: &str, n: usize, results: &[Expr]) {
    build(|b| b.define(name, n, None, results));
}

/// Calls a printed function.
#[inline(never)]
fn call(name: &str, args: &[Expr], results: &mut [Expr]) {
    let known = build(|b| b.functions[name]);
    assert_eq!(known, (args.len(), results.len()), "two functions are named '{name}'");
    if let [one] = results {
        *one = real(format_args!("sa_{name}({})", list(args)));
        return;
    }
    scope(|s| {
        results.fill_with(|| Expr::variable(s.name()));
        s.line(format_args!("double {};", list(results)));
        let places: Vec<String> = results.iter().map(|r| format!("&{r}")).collect();
        s.line(format_args!("sa_{name}({}, {});", list(args), list(&places)));
    });
}

/// An element of a table.
#[inline(never)]
fn look_up(name: &'static str, values: &'static [f64], i: IntExpr) -> Expr {
    build(|b| b.tabulate(name, values));
    real(format_args!("sa_table_{name}[sa_index({i}, {})]", values.len()))
}

impl Real for Expr {
    type Bits = IntExpr;
    #[inline(never)]
    fn to_bits(self) -> IntExpr {
        int(format_args!("sa_to_bits({self})"))
    }
    #[inline(never)]
    fn from_bits(b: IntExpr) -> Self {
        real(format_args!("sa_from_bits({b})"))
    }
    /// A GPU takes no longer below the normal range.
    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        self.scale_plainly(k)
    }
    #[inline(never)]
    fn gather(table: &'static Table, i: IntExpr) -> Self {
        look_up(table.name, table.values, i)
    }
    fn column<const N: usize, const C: usize>(table: &'static Rows<N, C>, k: usize, row: IntExpr) -> Self {
        look_up(table.name, table.columns.as_flattened(), row.add(IntExpr::lit((k * C) as i64)))
    }
    fn repeat<const N: usize>(
        mut state: [Self; N],
        max: u32,
        step: impl Fn([Self; N]) -> ([Self; N], BoolExpr),
    ) -> [Self; N] {
        declare(&mut state);
        open_loop(max);
        let (next, go) = step(state);
        assign(&state, &next);
        break_unless(go);
        close();
        state
    }
    fn over_rows<const N: usize, const C: usize, const M: usize>(
        table: &'static Rows<N, C>,
        mut state: [Self; M],
        step: impl Fn([Self; M], [Self; N]) -> [Self; M],
    ) -> [Self; M] {
        let mut index = [Expr::lit(0.0)];
        declare(&mut index);
        declare(&mut state);
        open_loop(C as u32);
        let at = crate::elementary::to_int(index[0]);
        let row = array::from_fn(|k| Self::column(table, k, at));
        assign(&state, &step(state, row));
        assign(&index, &[index[0] + Expr::lit(1.0)]);
        close();
        state
    }
    fn when<const N: usize>(m: BoolExpr, otherwise: [Self; N], body: impl Fn() -> [Self; N]) -> [Self; N] {
        let mut v = otherwise;
        declare(&mut v);
        open_if(m);
        assign(&v, &body());
        close();
        v
    }
    fn call_many<const N: usize, const M: usize>(
        name: &'static str,
        args: [Self; N],
        body: impl Fn([Self; N]) -> [Self; M],
    ) -> [Self; M] {
        if !begun_before(name) {
            end(name, N, &body(array::from_fn(Expr::argument)));
        }
        let mut results = [Expr(0); M];
        call(name, &args, &mut results);
        results
    }
}

impl Builder {
    /// Prints a table once.
    fn tabulate(&mut self, name: &'static str, values: &[f64]) {
        if self.tables.contains(&name) {
            return;
        }
        self.tables.push(name);
        let _ = writeln!(self.text, "SA_TABLE double sa_table_{name}[{}] = {{", values.len());
        for &v in values {
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
            let result = B::eval(array::from_fn(Expr::argument));
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
            Some(vec![B::eval(array::from_fn(Expr::argument))])
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

#[cfg(test)]
mod tests;
