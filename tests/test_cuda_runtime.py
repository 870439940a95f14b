"""The runtime without a GPU: kernels compile, compiled kernels are kept, and what is missing is named."""

import os
import subprocess
import sys

import numpy as np
import nvrtc
import pytest
from cuda_host import CUDA

import sciarray as sa
from sciarray import _core

# Every kernel of every file, for element types of each kind.
UNITS = [
    *[
        ("reduce", {"SA_FOLD": fold, "SA_IN": x, "SA_ACC": acc, "SA_OUT": out})
        for fold, x, acc, out in [
            ("sum", "float", "double", "float"),
            ("sum", "sa_u8", "sa_i64", "sa_i64"),
            ("prod", "sa_c64", "sa_c128", "sa_c64"),
            ("min", "sa_c128", "sa_c128", "sa_c128"),
            ("max", "float", "float", "float"),
            ("any", "bool", "bool", "bool"),
            ("all", "sa_c64", "bool", "bool"),
            ("count", "sa_i16", "sa_i64", "sa_i64"),
            ("argmin", "double", "double", "sa_i64"),
            ("argmax", "sa_u64", "sa_u64", "sa_i64"),
            ("squares", "float", "double", "double"),
            ("squares", "sa_c64", "double", "float"),
        ]
    ],
    *[
        ("scan", {"SA_SCAN": step, "SA_IN": x, "SA_ACC": acc, "SA_OUT": out})
        for step, x, acc, out in [
            ("sum", "float", "double", "float"),
            ("prod", "sa_c128", "sa_c128", "sa_c128"),
            ("min", "sa_i8", "sa_i8", "sa_i8"),
            ("max", "double", "double", "double"),
        ]
    ],
    *[("copy", {"SA_T": t}) for t in ("sa_u8", "sa_u16", "sa_u32", "sa_u64", "sa_u128")],
    *[("gather", {"SA_T": t, "SA_INDICES": k}) for t, k in [("bool", 1), ("double", 2), ("sa_c128", 3)]],
    *[("sort", {"SA_T": t}) for t in ("bool", "sa_i8", "sa_u64", "float", "double", "sa_c64", "sa_c128")],
    *[("random", {"SA_DIST": d, "SA_T": t}) for d in ("uniform", "exponential", "normal") for t in ("float", "double")],
    *[("random", {"SA_DIST": "integers", "SA_T": t}) for t in ("bool", "sa_i8", "sa_u64")],
    *[("random", {"SA_DIST": d, "SA_T": t}) for d in ("gamma", "beta") for t in ("float", "double")],
    *[("random", {"SA_DIST": d, "SA_T": "sa_i64"}) for d in ("poisson", "binomial")],
    *[
        (file, {"SA_T": t, "SA_G": g})
        for file in ("linalg", "eigen")
        for t, g in [("float", 1), ("double", 4), ("double", 32), ("sa_c64", 8), ("sa_c128", 32)]
        + [("float", 128), ("double", 64), ("sa_c64", 64), ("sa_c128", 256)]
    ],
    *[(file, {"SA_T": t, "SA_G": 1}) for file in ("dense", "banded") for t in ("float", "double", "sa_c64", "sa_c128")],
    *[(file, {"SA_T": t}) for file in ("filter", "fir") for t in ("float", "double", "sa_c64", "sa_c128")],
    *[("fft", {"SA_T": t}) for t in ("float", "double")],
    *[("matmul", {"SA_T": t}) for t in ("bool", "sa_i8", "sa_u64", "float", "double", "sa_c64", "sa_c128")],
]
PROGRAMS = [
    ("add", ["float32", "float64"]),
    ("where", ["bool", "int8", "int8"]),
    ("exp", ["complex64"]),
    ("pow", ["int64", "int64"]),
    ("betainc", ["float64"] * 3),
]


def test_no_file_of_kernels_is_left_out():
    assert {path.stem for path in CUDA.glob("*.cu")} == {file for file, _ in UNITS}


@pytest.mark.parametrize("architecture", nvrtc.ARCHITECTURES)
def test_every_kernel_compiles(architecture):
    # Optimization takes most of the time and finds no more errors; one generation is compiled with some.
    options = ["--std=c++17", "--diag-suppress=177", f"--Ofast-compile={'min' if architecture == 'sm_90' else 'max'}"]
    for file, defines in UNITS:
        functions = _core.print_random() if file == "random" else ""
        text = _core.cuda_text(file, [(k, str(v)) for k, v in defines.items()], functions)
        assert len(nvrtc.compile(text, architecture, *options)) > 1000, (file, defines)
    for name, dtypes in PROGRAMS:
        text = _core.cuda_text("map", [], _core.print_elementwise(name, dtypes))
        assert len(nvrtc.compile(text, architecture, *options)) > 1000, name


COMPILE = """
import sys
from sciarray import _core, cuda
cuda._find_libraries()
text = _core.cuda_text("map", [("SA_MAP", "1")], _core.print_elementwise("add", ["float64", "float64"]))
code = [_core.cuda_compile(text, "sm_80") for _ in range(2)]
assert code[0] == code[1] and code[0][:4] == bytes([127]) + b"ELF"
print(_core.cuda_compilations(), hash(code[0]))
"""


def run(code, folder, **environment):
    env = {**os.environ, "SCIARRAY_CACHE_DIR": str(folder), "PYTHONHASHSEED": "0", **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_compiled_kernels_are_kept(tmp_path):
    nvrtc.library()
    env = {**os.environ, "SCIARRAY_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": "0"}
    # At the same time, then from the disk, then with a damaged file.
    both = [
        subprocess.Popen([sys.executable, "-c", COMPILE], env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    outputs = [p.communicate()[0].split() for p in both]
    assert all(p.returncode == 0 for p in both)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    assert run(COMPILE, tmp_path).stdout.split() == ["0", outputs[0][1]]
    path.write_bytes(whole[: len(whole) // 2])
    assert run(COMPILE, tmp_path).stdout.split() == ["1", outputs[0][1]]
    assert path.read_bytes() == whole and list(tmp_path.iterdir()) == [path]


def test_errors_of_the_compiler_are_shown(tmp_path):
    nvrtc.library()
    code = 'from sciarray import _core, cuda\ncuda._find_libraries()\n_core.cuda_compile("this is no kernel", "sm_80")'
    failed = run(code, tmp_path)
    assert (
        "RuntimeError: NVRTC does not compile a kernel for sm_80" in failed.stderr
        and "sciarray.cu(1): error" in failed.stderr
    )
    assert not list(tmp_path.iterdir())


def test_a_missing_compiler_is_named(tmp_path):
    if (
        "no"
        != run(
            "from sciarray import _core\ntry: _core.cuda_compile('', 'sm_80'); print('yes')\nexcept RuntimeError: print('no')",
            tmp_path,
        ).stdout.strip()
    ):
        pytest.skip("the system has an NVRTC of its own")
    code = f'from sciarray import _core\n_core.cuda_set_folders([{str(tmp_path)!r}])\n_core.cuda_compile("", "sm_80")'
    words = run(code, tmp_path).stderr
    for part in (
        "the CUDA compiler NVRTC (libnvrtc) was not found",
        "pip install sciarray[cuda13]",
        "libnvrtc.so.13",
        str(tmp_path),
    ):
        assert part in words


@pytest.mark.skipif(sa.cuda.device_count() > 0, reason="there is a GPU")
def test_without_a_gpu():
    assert not sa.cuda.is_available() and sa.cuda.device_count() == 0
    for f in (sa.cuda.synchronize, sa.cuda.memory_stats, sa.cuda.stream, lambda: sa.asarray([1.0], device="cuda:0")):
        with pytest.raises(
            RuntimeError, match=r"the CUDA driver \(libcuda\) was not found: .*nvidia-smi|no NVIDIA GPU was found"
        ):
            f()


def test_names_of_devices():
    for bad in ("cuda:", "cuda:x", "cuda:-1", "cudax", -1):
        with pytest.raises(ValueError):
            sa.cuda.synchronize(bad)
    with pytest.raises(ValueError, match="the only device is 'cpu', beside 'cuda', got 'tpu'"):
        sa.zeros(3, device="tpu")
    assert np.array_equal(sa.asarray([1.0], device="cpu").numpy(), [1.0])


@pytest.mark.skipif(sa.cuda.device_count() == 0, reason="there is no GPU")
def test_with_a_gpu():
    assert sa.cuda.is_available()
    stats = sa.cuda.memory_stats()
    assert 0 < stats["free"] <= stats["total"]
    assert sa.cuda.stream() == sa.cuda.stream("cuda:0") != 0
    sa.cuda.synchronize()
    with pytest.raises(RuntimeError, match=r"cuda:99 was asked for, but there are \d+ devices"):
        sa.cuda.synchronize(99)
    assert sa.asarray([1.0], device="cuda").device == "cuda:0"


@pytest.mark.parametrize("name", ["torch", "cupy"])
def test_memory_is_shared_with_other_libraries(name):
    other = pytest.importorskip(name)
    if not sa.cuda.is_available():
        pytest.skip("there is no GPU")
    x = sa.asarray(np.arange(6.0).reshape(2, 3), device="cuda")
    try:
        y = other.from_dlpack(x)
    except RuntimeError as e:
        pytest.skip(f"{name} has no GPU here: {e}")
    back = sa.asarray(y * 2)
    assert back.device == "cuda:0" and back.to("cpu").tolist() == [[0, 2, 4], [6, 8, 10]]
