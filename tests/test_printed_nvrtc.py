"""Every printed scalar function compiles with NVRTC for several GPU generations; no GPU is needed."""

import os
import pathlib
import subprocess

import nvrtc
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]


def example(*args):
    command = ["cargo", "run", "-q", "--release", "-p", "sciarray-scalar", "--example", "print_cuda", "--", *args]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="module")
def source():
    """All printed functions, each called by a kernel of its own so that it is really compiled."""
    text = example()
    for line in example("--list").splitlines():
        name, arguments = line.split()
        call = ", ".join(f"x[{k} * n + i]" for k in range(int(arguments)))
        text += (
            f'extern "C" __global__ void k_{name}(const double *x, int n, double *r, float *s)'
            f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; r[i] = sa_{name}({call}); s[i] = (float)r[i]; }}\n"
        )
    return text


#: With all optimizations it takes half an hour.
OPTIONS = [] if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else ["--Ofast-compile=max"]


@pytest.mark.parametrize("architecture", nvrtc.ARCHITECTURES)
def test_printed_functions_compile(source, architecture):
    assert len(nvrtc.compile(source, architecture, *OPTIONS)) > 10_000
