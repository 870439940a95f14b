//! The printed text, compiled by the host's C compiler, against the bodies at `f64`, bit for bit.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Precision, Source};
use crate::bodies::{Visitor, for_each};
use crate::complex::{Complex, ComplexBody, bodies as complex_bodies};
use crate::real::{Arith, ArithBody, Body, Mask, Real};
use crate::testing::{is_slow, points, same_bits};

/// A directory that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sciarray-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles `source` with a `main` that applies `calls`, expressions in `x`, `y`, `z` and `w`, to every four doubles on its input.
fn run_c(name: &str, source: &str, calls: &[String], columns: &[Vec<f64>]) -> Vec<f64> {
    let mut text = format!("{source}\n#include <stdio.h>\nint main(void)\n{{\n    double p[4], r;\n");
    text.push_str("    while (fread(p, sizeof *p, 4, stdin) == 4) {\n");
    text.push_str("        const double x = p[0], y = p[1], z = p[2], w = p[3];\n");
    for call in calls {
        let _ = writeln!(text, "        r = {call}; fwrite(&r, sizeof r, 1, stdout);");
    }
    text.push_str("        (void)x; (void)y; (void)z; (void)w;\n    }\n    return 0;\n}\n");
    let scratch = Scratch::new(name);
    let (c, program) = (scratch.0.join("printed.c"), scratch.0.join("printed"));
    std::fs::write(&c, text).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let flags = ["-std=c99", "-O2", "-ffp-contract=off", "-fno-builtin-fma", "-o"];
    let status = Command::new(compiler).args(flags).args([&program, &c]).arg("-lm").status().unwrap();
    assert!(status.success(), "the printed C does not compile");

    let input: Vec<u8> =
        (0..columns[0].len()).flat_map(|i| columns.iter().flat_map(move |c| c[i].to_ne_bytes())).collect();
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap().stdout;
    writer.join().unwrap().unwrap();
    output.as_chunks::<8>().0.iter().map(|b| f64::from_ne_bytes(*b)).collect()
}

type Function = Box<dyn Fn([f64; 4]) -> f64>;

/// Compares C calls with functions of the same arguments.
fn compare(name: &str, source: &Source, calls: &[(String, Function)], columns: &[Vec<f64>]) {
    compare_text(name, &source.text(), calls, columns);
}

fn compare_text(name: &str, text: &str, calls: &[(String, Function)], columns: &[Vec<f64>]) {
    let texts: Vec<String> = calls.iter().map(|c| c.0.clone()).collect();
    let got = run_c(name, text, &texts, columns);
    assert_eq!(got.len(), columns[0].len() * calls.len());
    for (row, got) in got.chunks(calls.len()).enumerate() {
        for ((call, f), &got) in calls.iter().zip(got) {
            let at = std::array::from_fn(|i| columns[i][row]);
            let want = f(at);
            assert!(same_bits(got, want), "{call} at {at:?} is {got:e} in C, {want:e} in Rust");
        }
    }
}

#[derive(Default)]
struct Collect {
    source: Source,
    calls: Vec<(String, Function)>,
    slow: Vec<(String, Function)>,
}

impl Visitor for Collect {
    fn visit<const N: usize, B: Body<N>>(&mut self) {
        let f = self.source.add::<N, B>();
        // Functions of more arguments get the four in turn.
        let args: [_; N] = std::array::from_fn(|i| ["x", "y", "z", "w"][i % 4]);
        let args = args.join(", ");
        let calls = if is_slow(B::NAME, N) { &mut self.slow } else { &mut self.calls };
        calls.push((format!("{f}({args})"), Box::new(|at| f64::shared::<B, N>(std::array::from_fn(|i| at[i % 4])))));
    }
}

#[test]
fn printed_functions_equal_rust() {
    let columns = points(10_000);
    assert!(columns[0].len() >= 16_384);
    let mut all = Collect::default();
    for_each(&mut all);
    compare("functions", &all.source, &all.calls, &columns);
    let from = columns[0].len() - 1600;
    let few: Vec<Vec<f64>> = columns.iter().map(|c| c[from..].to_vec()).collect();
    compare("slow", &all.source, &all.slow, &few);
}

#[derive(Default)]
struct CollectComplex {
    source: Source,
    parts: String,
    calls: Vec<(String, Function)>,
}

impl complex_bodies::Visitor for CollectComplex {
    fn visit<const N: usize, B: ComplexBody<N>>(&mut self) {
        let f = self.source.add_complex::<N, B>();
        // The parts of the arguments are the four numbers in turn.
        let names: Vec<&str> = (0..2 * N).map(|i| ["x", "y", "z", "w"][i % 4]).collect();
        let args = names.join(", ");
        for (part, take) in [("re", (|w| w.re) as fn(Complex<f64>) -> f64), ("im", |w| w.im)] {
            let _ = writeln!(
                self.parts,
                "static double {f}_{part}(double x, double y, double z, double w)\n\
                 {{\n    double re, im;\n    (void)x; (void)y; (void)z; (void)w;\n    \
                 {f}({args}, &re, &im);\n    return {part};\n}}"
            );
            let g = move |at: [f64; 4]| {
                let z = std::array::from_fn(|i| Complex::new(at[2 * i % 4], at[(2 * i + 1) % 4]));
                take(f64::shared_complex::<B, N>(z))
            };
            self.calls.push((format!("{f}_{part}(x, y, z, w)"), Box::new(g)));
        }
    }
}

#[test]
fn printed_complex_functions_equal_rust() {
    let columns = points(10_000);
    let mut all = CollectComplex::default();
    complex_bodies::for_each(&mut all);
    let from = columns[0].len() - 800;
    let few: Vec<Vec<f64>> = columns.iter().map(|c| c[from..].to_vec()).collect();
    compare_text("complex", &format!("{}\n{}", all.source.text(), all.parts), &all.calls, &few);
}

/// Uses every operation of [`Arith`].
struct Everything;

impl ArithBody<2> for Everything {
    const NAME: &'static str = "everything";
    fn eval<R: Arith>([x, y]: [R; 2]) -> R {
        let rounded = (x.floor() - y.ceil()) * (x.trunc() + R::lit(0.1)) / y.round();
        let parts = x.abs().sqrt().fma(y, -rounded).copysign(y);
        let m = x.lt(y).and(x.ne(R::lit(1.0))).or(y.le(R::lit(-2.5)).not().and(x.gt(R::lit(0.0))));
        R::select(m.or(parts.is_nan()), parts, R::select(x.eq(y).or(x.ge(R::lit(7.0))), x, rounded))
    }
}

#[test]
fn printed_operators_equal_rust_in_both_precisions() {
    let columns = points(10_000);
    let mut source = Source::new();
    let double = source.add_arith::<2, Everything>(Precision::F64);
    let single = source.add_arith::<2, Everything>(Precision::F32);
    let calls: [(String, Function); 2] = [
        (format!("{double}(x, y)"), Box::new(|[x, y, ..]| Everything::eval([x, y]))),
        (format!("{single}((float)x, (float)y)"), Box::new(|[x, y, ..]| Everything::eval([x as f32, y as f32]).into())),
    ];
    compare("operators", &source, &calls, &columns);
}

/// A loop whose state changes places, and a branch.
struct Euclid;

impl Body<2> for Euclid {
    type Short = ();
    type Single = Self;
    const NAME: &'static str = "euclid";
    fn eval<R: Real>([x, y]: [R; 2]) -> R {
        let [a, _] = R::repeat([x.abs().floor(), y.abs().floor()], 40, |[a, b]| {
            let rest = (-(a / b).floor()).fma(b, a);
            ([b, rest], rest.gt(R::lit(0.0)))
        });
        R::when(a.gt(R::lit(3.0)), [a], || [a.sqrt()])[0]
    }
}

#[test]
fn loops_and_branches_print_what_they_compute() {
    let columns = points(10_000);
    let mut source = Source::new();
    let name = source.add::<2, Euclid>();
    assert_eq!(source.add::<2, Euclid>(), name);
    assert_eq!(source.text().matches("SA_FUNCTION double sa_euclid(").count(), 1);
    let calls: [(String, Function); 1] = [(format!("{name}(x, y)"), Box::new(|[x, y, ..]| Euclid::eval([x, y])))];
    compare("loops", &source, &calls, &columns);
}
