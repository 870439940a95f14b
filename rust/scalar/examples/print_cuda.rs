//! Prints the C source of registered functions: `print_cuda [NAME ...]`; all of them without a name, their signatures with `--list`.

use sciarray_scalar::Body;
use sciarray_scalar::bodies::{Visitor, for_each};
use sciarray_scalar::printer::Source;

struct Print {
    names: Vec<String>,
    list: bool,
    source: Source,
}

impl Visitor for Print {
    fn visit<const N: usize, B: Body<N>>(&mut self) {
        if self.list {
            println!("{} {N}", B::NAME);
        } else if self.names.is_empty() || self.names.iter().any(|n| n == B::NAME) {
            self.source.add::<N, B>();
        }
    }
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut print = Print { list: names.iter().any(|n| n == "--list"), names, source: Source::new() };
    for_each(&mut print);
    if !print.list {
        print!("{}", print.source.text());
    }
}
