//! Evaluates a registered function: `eval NAME < doubles > doubles`, arguments interleaved, native byte order.

use std::io::{Read, Write};

use sciarray_scalar::Body;
use sciarray_scalar::bodies::{Visitor, for_each};

struct Eval {
    name: String,
    input: Vec<f64>,
    output: Option<Vec<f64>>,
}

impl Visitor for Eval {
    fn visit<const N: usize, B: Body<N>>(&mut self) {
        if B::NAME == self.name {
            self.output = Some(self.input.as_chunks::<N>().0.iter().map(|x| B::eval(*x)).collect());
        }
    }
}

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let input = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_ne_bytes(*b)).collect();
    let mut eval = Eval { name, input, output: None };
    for_each(&mut eval);
    let Some(output) = eval.output else {
        eprintln!("no function is named '{}'", eval.name);
        std::process::exit(2);
    };
    let bytes: Vec<u8> = output.iter().flat_map(|v| v.to_ne_bytes()).collect();
    std::io::stdout().write_all(&bytes)
}
