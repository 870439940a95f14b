//! Programs as CUDA C++: what `cuda/map.h` drives over the elements.

use super::body::BoolBody;
use super::program::Program;
use crate::DType;
use sciarray_scalar::printer::Source;
use std::fmt::Write;

/// The type of an element in `cuda/types.h`.
pub const fn c_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I8 => "sa_i8",
        DType::I16 => "sa_i16",
        DType::I32 => "sa_i32",
        DType::I64 => "sa_i64",
        DType::U8 => "sa_u8",
        DType::U16 => "sa_u16",
        DType::U32 => "sa_u32",
        DType::U64 => "sa_u64",
        DType::F32 => "float",
        DType::F64 => "double",
        DType::C64 => "sa_c64",
        DType::C128 => "sa_c128",
    }
}

/// `value` as an element of this dtype.
pub(super) fn cast(to: DType, value: &str) -> String {
    format!("sa_cast<{}>({value})", c_type(to))
}

/// `out = name(args)`.
pub(super) fn call(name: String) -> impl Fn(&[String], &str) -> String {
    move |args, out| format!("{out} = {name}({});", args.join(", "))
}

fn parts(args: &[String]) -> String {
    args.iter().map(|a| format!("{a}.re, {a}.im")).collect::<Vec<_>>().join(", ")
}

/// As [`call`], of a function of parts with two results; where `imag` is empty the real one is all.
pub(super) fn complex(name: String, imag: &str) -> impl Fn(&[String], &str) -> String {
    move |args, out| {
        let store = if imag.is_empty() { format!("{out} = re;") } else { format!("{out}.re = re; {out}.im = im;") };
        format!("{{ double re, im; {name}({}, &re, &im); {store} }}", parts(args))
    }
}

/// As [`call`], of a function of parts.
pub(super) fn complex_test(name: String) -> impl Fn(&[String], &str) -> String {
    move |args, out| format!("{out} = {name}({});", parts(args))
}

/// A function of truth values as a bit of a constant.
pub(super) fn truth_table<B: BoolBody<N>, const N: usize>() -> impl Fn(&[String], &str) -> String {
    let bits =
        (0..1u32 << N).filter(|i| B::eval(std::array::from_fn(|k| i >> k & 1 == 1))).fold(0u32, |t, i| t | 1 << i);
    move |args, out| {
        let place: Vec<String> = args.iter().enumerate().map(|(k, a)| format!("((int){a} << {k})")).collect();
        format!("{out} = 0x{bits:x}u >> ({}) & 1;", place.join(" | "))
    }
}

/// Bytes of functions from which on computing takes longer than memory, and from which on every branch wants registers.
const LENGTHS: [usize; 2] = [16_384, 131_072];

impl Program {
    /// The text that `cuda/map.h` wants before it: the functions, the dtypes of the operands in memory, and the program for one
    /// element. `from` and `to` are the dtypes in memory of inputs and outputs, which may differ from the program's.
    pub fn print(&self, from: &[DType], to: &[DType]) -> String {
        assert!(from.len() == self.inputs.len() && to.len() == self.outputs.len());
        let mut source = Source::new();
        let mut body = String::new();
        let name = |v: u16| format!("v{v}");
        for (i, &dtype) in self.inputs.iter().enumerate() {
            let _ = writeln!(body, "    const {} v{i} = {};", c_type(dtype), cast(dtype, &format!("a{i}")));
        }
        for (i, step) in self.steps.iter().enumerate() {
            let value = name((self.inputs.len() + i) as u16);
            let args: Vec<String> = step.args().iter().map(|&v| name(v)).collect();
            let statement = (step.print)(&mut source, &args, &value);
            let _ = writeln!(body, "    {} {value};\n    {statement}", c_type(step.dtype));
        }
        for (k, (&v, &dtype)) in self.outputs.iter().zip(to).enumerate() {
            let _ = writeln!(body, "    r{k} = {};", cast(dtype, &name(v)));
        }
        let list = |prefix: &str, n: usize| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
        let (ins, outs) = (list("a", from.len()), list("r", to.len()));
        let mut text = source.functions().to_owned();
        let mut parameters = Vec::new();
        for (name, dtype) in ins.iter().zip(from) {
            parameters.push(format!("const {} {name}", c_type(*dtype)));
        }
        for (name, dtype) in outs.iter().zip(to) {
            parameters.push(format!("{} &{name}", c_type(*dtype)));
        }
        let _ = writeln!(text, "SA_DEVICE void sa_program({})\n{{\n{body}}}\n", parameters.join(", "));
        // How the operands come and go: `X(place, variable, type)`.
        let mut place = 0;
        for (macro_name, names, dtypes) in [("SA_INPUTS", &ins, from), ("SA_OUTPUTS", &outs, to)] {
            let _ = write!(text, "#define {macro_name}(X)");
            for (name, dtype) in names.iter().zip(dtypes) {
                let _ = write!(text, " X({place}, {name}, {})", c_type(*dtype));
                place += 1;
            }
            text.push('\n');
        }
        let elements: Vec<String> = ins.iter().chain(&outs).map(|n| format!("{n}[k]")).collect();
        let widest = from.iter().chain(to).map(|d| d.size()).max().unwrap_or(1);
        let _ = writeln!(text, "#define SA_ELEMENT(k) {}", elements.join(", "));
        let _ = writeln!(text, "#define SA_OPERANDS {place}\n#define SA_WIDEST {widest}");
        let length = LENGTHS.iter().filter(|&&length| source.functions().len() > length).count();
        if length > 0 {
            let _ = writeln!(text, "#define SA_LONG {length}");
        }
        text
    }
}
