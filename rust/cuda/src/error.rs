//! What can go wrong between a text and a GPU.

use crate::library::Library;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A library that is not there, or cannot be opened.
    #[error("{}", missing(.library, .detail))]
    Missing { library: Library, detail: String },
    #[error("no NVIDIA GPU was found: the driver is installed and reports no device")]
    NoDevice,
    #[error("cuda:{device} was asked for, but there are {count} devices, cuda:0 to cuda:{}", .count - 1)]
    BadDevice { device: usize, count: usize },
    #[error("unable to allocate {bytes} bytes on cuda:{device}")]
    OutOfMemory { device: usize, bytes: usize },
    #[error("the CUDA driver reports {0}")]
    Driver(String),
    #[error("NVRTC does not compile a kernel for {architecture}:\n{log}")]
    Compile { architecture: String, log: String },
    #[error("a graph of work for a device cannot wait for it")]
    Capturing,
    #[error("NVRTC reports error {0}")]
    Nvrtc(u32),
    /// A call of one of NVIDIA's libraries that fails.
    #[error("{} reports {status} in {call}", .library.title())]
    Library { library: Library, call: &'static str, status: String },
}

pub type Result<T> = std::result::Result<T, Error>;

fn missing(library: &Library, detail: &str) -> String {
    let what = library.title();
    let how = match library {
        Library::Driver => {
            "it comes with NVIDIA's display driver (580 or newer): install that, and check with nvidia-smi; in a container, \
             start it with the GPU passed through"
        }
        _ => "install NVIDIA's wheels with `pip install sciarray[cuda13]`, or the CUDA Toolkit 13 of the system",
    };
    format!("{what} was not found: {how} ({detail})")
}

impl From<cudarc::driver::DriverError> for Error {
    fn from(e: cudarc::driver::DriverError) -> Self {
        Error::Driver(format!("{e:?}"))
    }
}
