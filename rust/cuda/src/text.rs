//! The kernels' text, put together for NVRTC.

use std::fmt::Write;

const PRELUDE: &str = sciarray_scalar::printer::PRELUDE;
const TYPES: &str = include_str!("../../../cuda/types.h");
const INTEGERS: &str = include_str!("../../../cuda/integers.h");

/// The files of `cuda/` that hold kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    Map,
    Reduce,
    Scan,
    Copy,
    Gather,
    Sort,
    Random,
    Linalg,
    Eigen,
    Filter,
    Fir,
    Fft,
    Matmul,
    Dense,
    Banded,
}

impl File {
    pub const ALL: [File; 15] = [
        File::Map,
        File::Reduce,
        File::Scan,
        File::Copy,
        File::Gather,
        File::Sort,
        File::Random,
        File::Linalg,
        File::Eigen,
        File::Filter,
        File::Fir,
        File::Fft,
        File::Matmul,
        File::Dense,
        File::Banded,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            File::Map => "map",
            File::Reduce => "reduce",
            File::Scan => "scan",
            File::Copy => "copy",
            File::Gather => "gather",
            File::Sort => "sort",
            File::Random => "random",
            File::Linalg => "linalg",
            File::Eigen => "eigen",
            File::Filter => "filter",
            File::Fir => "fir",
            File::Fft => "fft",
            File::Matmul => "matmul",
            File::Dense => "dense",
            File::Banded => "banded",
        }
    }

    /// Whether kernels are compiled one at a time, the one that `SA_ONLY` names; a sort needs all of its file.
    pub const fn is_cut(self) -> bool {
        matches!(self, File::Reduce | File::Scan | File::Linalg | File::Eigen | File::Dense | File::Filter | File::Fir)
    }

    const fn text(self) -> &'static str {
        match self {
            File::Map => include_str!("../../../cuda/map.h"),
            File::Reduce => include_str!("../../../cuda/reduce.cu"),
            File::Scan => include_str!("../../../cuda/scan.cu"),
            File::Copy => include_str!("../../../cuda/copy.cu"),
            File::Gather => include_str!("../../../cuda/gather.cu"),
            File::Sort => include_str!("../../../cuda/sort.cu"),
            File::Random => include_str!("../../../cuda/random.cu"),
            File::Linalg => {
                concat!(include_str!("../../../cuda/linalg.h"), include_str!("../../../cuda/linalg.cu"))
            }
            File::Eigen => concat!(include_str!("../../../cuda/linalg.h"), include_str!("../../../cuda/eigen.cu")),
            File::Filter => include_str!("../../../cuda/filter.cu"),
            File::Fir => include_str!("../../../cuda/fir.cu"),
            File::Fft => include_str!("../../../cuda/fft.cu"),
            File::Matmul => include_str!("../../../cuda/matmul.cu"),
            File::Banded => {
                concat!(include_str!("../../../cuda/linalg.h"), include_str!("../../../cuda/banded.cu"))
            }
            File::Dense => concat!(include_str!("../../../cuda/linalg.h"), include_str!("../../../cuda/dense.cu")),
        }
    }
}

/// A text that compiles by itself: what all kernels stand on, the defines that the file asks for, the printed functions that
/// it calls, and the file.
pub fn unit(file: File, defines: &[(&str, &str)], functions: &str) -> String {
    let mut text = String::new();
    for (name, value) in defines {
        let _ = writeln!(text, "#define {name} {value}");
    }
    for part in [PRELUDE, TYPES, INTEGERS, functions, file.text()] {
        text.push_str(part);
        text.push('\n');
    }
    text
}
