"""Every printed scalar function compiles with NVRTC for several GPU generations; no GPU is needed."""

import ctypes
import importlib.util
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]


def nvrtc():
    for package in ("nvidia.cu13", "nvidia.cuda_nvrtc"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for place in spec.submodule_search_locations if spec else ():
            for library in sorted(pathlib.Path(place).glob("lib/libnvrtc.so.*")):
                return ctypes.CDLL(str(library))
    pytest.skip("the wheel nvidia-cuda-nvrtc is not installed")


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


@pytest.mark.parametrize("architecture", ["sm_75", "sm_80", "sm_90"])
def test_printed_functions_compile(source, architecture):
    lib = nvrtc()
    program = ctypes.c_void_p()
    assert lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"scalar.cu", 0, None, None) == 0
    options = [f"--gpu-architecture={architecture}".encode(), b"--fmad=false"]
    status = lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()
    assert lib.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
    assert size.value > 10_000
    lib.nvrtcDestroyProgram(ctypes.byref(program))
