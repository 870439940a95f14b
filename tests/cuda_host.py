"""Runs the kernels of `cuda/` on the CPU: their text, compiled by the host's C++ compiler with `cuda/host.h` before it.

With `SCIARRAY_TEST_DEVICE=cuda` the same tests run on the first GPU: see `cuda_device.py`.
"""

import ctypes
import os
import pathlib
import shutil
import struct
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
CUDA = ROOT / "cuda"
C_TYPES = {
    "bool": "bool",
    **{f"{u}int{8 * n}": f"sa_{u or 'i'}{8 * n}" for u in ("", "u") for n in (1, 2, 4, 8)},
    "float32": "float",
    "float64": "double",
    "complex64": "sa_c64",
    "complex128": "sa_c128",
}
DIMS = 6
# What stands before every text, and what before a file.
BEFORE_ALL = "".join((CUDA / name).read_text() for name in ("prelude.h", "types.h", "integers.h"))
HEADERS = {f"{name}.cu": ["linalg.h"] for name in ("linalg", "eigen", "dense", "banded")}


def c_type(dtype):
    return C_TYPES[np.dtype(dtype).name]


def piece(file, functions="", **defines):
    """The text of a file for these defines, with functions before it."""
    lines = [f"#define {name} {value}\n" for name, value in defines.items()]
    return "".join(lines) + functions + "".join((CUDA / name).read_text() for name in [*HEADERS.get(file, []), file])


def kernels(folder, texts):
    """The kernels of these texts, by name, on the device that is tested."""
    if os.environ.get("SCIARRAY_TEST_DEVICE", "cpu").startswith("cuda"):
        from cuda_device import Device

        return Device(texts)
    return Host(folder, texts)


class Host:
    """Kernels compiled together, by the name of the text that they are from; `level` is what the compiler optimizes."""

    def __init__(self, folder, texts, level=1):
        compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
        if compiler is None:
            pytest.skip("there is no C++ compiler")
        source = (CUDA / "host.h").read_text() + BEFORE_ALL
        for name, text in texts.items():
            defines = [line.split()[1].split("(")[0] for line in text.splitlines() if line.startswith("#define ")]
            undefine = "".join(f"#undef {d}\n" for d in defines)
            source += f"#undef SA_PREFIX\n#define SA_PREFIX {name}_\nnamespace {name} {{\n{text}\n}}\n{undefine}"
        (folder / "kernels.cc").write_text(source)
        flags = ["-std=c++17", f"-O{level}", "-ffp-contract=off", "-w", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, "-o", folder / "kernels.so", folder / "kernels.cc"], check=True)
        self.library = ctypes.CDLL(str(folder / "kernels.so"))

    def launch(self, text, kernel, parameters, grid, block):
        """`grid` and `block` as a number or up to three; parameters as the bytes of the kernel's structure."""
        sizes = [list(np.atleast_1d(s)) + [1, 1] for s in (grid, block)]
        shape = (ctypes.c_uint * 6)(*(int(x) for s in sizes for x in s[:3]))
        getattr(self.library, f"{text}_{kernel}")(ctypes.c_char_p(bytes(parameters)), shape)


class Packed(bytes):
    """The bytes of a C structure, and the arrays that it points to by the places of the pointers."""

    pointers: list[tuple[int, np.ndarray]]


def pack(*fields):
    """The bytes of a C structure of pointers (arrays, or None), 64-bit integers, and scalars of NumPy's dtypes."""
    out = b""
    pointers = []
    for field in fields:
        if field is None:
            new, align = struct.pack("q", 0), 8
        elif isinstance(field, bytes):
            new, align = field, 8
        elif isinstance(field, np.ndarray):
            new, align = struct.pack("Q", field.ctypes.data), 8
        elif isinstance(field, np.generic):
            new, align = field.tobytes(), field.real.nbytes
        else:
            new, align = struct.pack("q", int(field)), 8
        out += b"\0" * (-len(out) % align)
        if isinstance(field, np.ndarray):
            pointers.append((len(out), field))
        pointers += [(len(out) + at, array) for at, array in getattr(field, "pointers", ())]
        out += new
    packed = Packed(out + b"\0" * (-len(out) % 8))
    packed.pointers = pointers
    return packed


def elements(x):
    """The strides of an array in elements."""
    return [s // x.itemsize for s in x.strides]


def layout(shape, *strides):
    """`sa_layout`: dimensions of length 1 left out, those that lie behind each other merged."""
    dims = []
    for n, *steps in zip(shape, *strides):
        if n == 1:
            continue
        if dims and all(before == step * n for before, step in zip(dims[-1][1:], steps)):
            dims[-1] = [dims[-1][0] * n, *steps]
        else:
            dims.append([n, *steps])
    assert len(dims) <= DIMS
    columns = list(zip(*dims)) if dims else [()] * (1 + len(strides))
    padded = [x for column in columns for x in (*column, *[0] * (DIMS - len(column)))]
    return struct.pack(f"{1 + len(padded)}q", len(dims), *map(int, padded))


def same(a, b):
    """Whether values and dtypes are equal; NaN equals NaN."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def same_bits(a, b):
    """As `same`, and zeros have the same signs."""
    if not same(a, b):
        return False
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind == "c":
        return same_bits(a.real, b.real) and same_bits(a.imag, b.imag)
    return a.dtype.kind != "f" or bool(((np.signbit(a) == np.signbit(b)) | np.isnan(a)).all())
