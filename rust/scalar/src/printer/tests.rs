//! The printed text, compiled by the host's C compiler, against bodies at `f64`, bit for bit.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Precision, Source};
use crate::real::{ArithBody, Body};
use crate::testing::{Euclid, Everything, Scaled, points, same_bits};

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

/// Compiles `source` with a `main` that applies `calls`, expressions in `x` and `y`, to every two doubles on its input.
fn run_c(name: &str, source: &str, calls: &[String], columns: &[Vec<f64>; 2]) -> Vec<f64> {
    let mut text = format!("{source}\n#include <stdio.h>\nint main(void)\n{{\n    double p[2], r;\n");
    text.push_str("    while (fread(p, sizeof *p, 2, stdin) == 2) {\n        const double x = p[0], y = p[1];\n");
    for call in calls {
        let _ = writeln!(text, "        r = {call}; fwrite(&r, sizeof r, 1, stdout);");
    }
    text.push_str("    }\n    return 0;\n}\n");
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

type Function = fn([f64; 2]) -> f64;

/// Compares C calls with functions of the same arguments.
fn compare(name: &str, source: &Source, calls: &[(String, Function)]) {
    let columns = points();
    let texts: Vec<String> = calls.iter().map(|c| c.0.clone()).collect();
    let got = run_c(name, &source.text(), &texts, &columns);
    assert_eq!(got.len(), columns[0].len() * calls.len());
    for (row, got) in got.chunks(calls.len()).enumerate() {
        for ((call, f), &got) in calls.iter().zip(got) {
            let at = [columns[0][row], columns[1][row]];
            let want = f(at);
            assert!(same_bits(got, want), "{call} at {at:?} is {got:e} in C, {want:e} in Rust");
        }
    }
}

#[test]
fn printed_operators_equal_rust_in_both_precisions() {
    let mut source = Source::new();
    let double = source.add_arith::<2, Everything>(Precision::F64);
    let single = source.add_arith::<2, Everything>(Precision::F32);
    let calls: [(String, Function); 2] = [
        (format!("{double}(x, y)"), <Everything as ArithBody<2>>::eval),
        (format!("{single}((float)x, (float)y)"), |[x, y]| {
            <Everything as ArithBody<2>>::eval([x as f32, y as f32]).into()
        }),
    ];
    compare("operators", &source, &calls);
}

#[test]
fn loops_and_branches_print_what_they_compute() {
    let mut source = Source::new();
    let name = source.add::<2, Euclid>();
    let scaled = source.add::<2, Scaled>();
    assert_eq!(source.add::<2, Euclid>(), name);
    assert_eq!(source.text().matches("SA_FUNCTION double sa_euclid(").count(), 1);
    let calls: [(String, Function); 2] =
        [(format!("{name}(x, y)"), Euclid::eval), (format!("{scaled}(x, y)"), Scaled::eval)];
    compare("loops", &source, &calls);
}
