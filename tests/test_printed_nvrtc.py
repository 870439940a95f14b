"""Printed real functions compile with NVRTC without a GPU; in the deep profile complex ones, and for several generations."""

import nvrtc
import pytest
from cuda_host import BEFORE_ALL
from rows import rows, shared_text

#: With all optimizations a text takes more than a quarter of an hour, and of the rest the assembler takes five sixths.
OPTIONS = [] if nvrtc.DEEP else ["--Ofast-compile=max"]
ARCHITECTURES = nvrtc.ARCHITECTURES if nvrtc.DEEP else ["compute_75"]


@pytest.mark.parametrize("dtype", ["float64", "complex128"] if nvrtc.DEEP else ["float64"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_printed_functions_compile(dtype, architecture):
    tested = rows(dtype)
    # Each in a kernel of its own, so that it is really compiled.
    head = 'extern "C" __global__ void run'
    kernels = [row.over(head, "int i = blockIdx.x * blockDim.x + threadIdx.x;") for row in tested]
    text = BEFORE_ALL + shared_text(tested) + "".join(kernels)
    assert len(nvrtc.compile(text, architecture, "--std=c++17", *OPTIONS)) > 10_000
