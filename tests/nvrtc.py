"""NVRTC from the wheel `nvidia-cuda-nvrtc`, by its own C interface."""

import ctypes
import importlib.util
import os
import pathlib

import pytest

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
#: One generation, which finds almost every error; all that kernels are compiled for in the deep profile.
ARCHITECTURES = ["sm_75", "sm_80", "sm_90"] if DEEP else ["sm_75"]


def folders():
    for package in ("nvidia.cu13", "nvidia.cuda_nvrtc"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for place in spec.submodule_search_locations if spec else ():
            yield pathlib.Path(place) / "lib"


def library():
    for folder in folders():
        for path in sorted(folder.glob("libnvrtc.so.*")):
            return ctypes.CDLL(str(path))
    pytest.skip("the wheel nvidia-cuda-nvrtc is not installed")


def compile(source, architecture, *options):
    """The machine code, or for `compute_` text for the assembler; an assertion with the compiler's words if there is none."""
    lib = library()
    program = ctypes.c_void_p()
    assert lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"source.cu", 0, None, None) == 0
    given = [o.encode() for o in (f"--gpu-architecture={architecture}", "--fmad=false", *options)]
    status = lib.nvrtcCompileProgram(program, len(given), (ctypes.c_char_p * len(given))(*given))
    size = ctypes.c_size_t()
    lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()
    kind = "PTX" if architecture.startswith("compute") else "CUBIN"
    assert getattr(lib, f"nvrtcGet{kind}Size")(program, ctypes.byref(size)) == 0
    code = ctypes.create_string_buffer(size.value)
    assert getattr(lib, f"nvrtcGet{kind}")(program, code) == 0
    lib.nvrtcDestroyProgram(ctypes.byref(program))
    return code.raw
