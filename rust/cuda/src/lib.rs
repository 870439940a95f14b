//! Run-time compilation and execution on NVIDIA GPUs.
