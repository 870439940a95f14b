"""Without a GPU, runs the tests of arrays on devices through `standin/`, in place of the driver and NVIDIA's libraries."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import scipy_openblas64

import sciarray as sa

TESTS = pathlib.Path(__file__).resolve().parent
HEADER = TESTS.parent / "cuda" / "host.h"
DRIVER = TESTS / "standin" / "driver.h"
LIBRARIES = {
    "libcuda.so.1": ("driver", TESTS / "standin" / "cuda.cc"),
    "libnvrtc.so.13": ("driver", TESTS / "standin" / "cuda.cc"),
    "libcublas.so.13": ("blas", TESTS / "standin" / "solver.cc"),
    "libcusolver.so.12": ("solver", TESTS / "standin" / "solver.cc"),
    "libcufft.so.12": ("fft", TESTS / "standin" / "fft.cc"),
}


@pytest.fixture(scope="module")
def standin(request, tmp_path_factory):
    """The environment of a process that meets the stand-in where it looks for a driver; it compiles each kernel once."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None or sys.platform != "linux":
        pytest.skip("a C++ compiler on Linux is needed")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    sources = [*dict.fromkeys(source for _, source in LIBRARIES.values()), DRIVER, HEADER]
    key = hashlib.sha256(version + b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]

    def make(name, *command):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            # Under a name of its own first, for several processes share the folder.
            part = f"{path}.{os.getpid()}"
            subprocess.run([*command, part], check=True)
            pathlib.Path(part).rename(path)

    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir(f"standin-{key}") if cache else tmp_path_factory.mktemp("standin")
    make(HEADER.name, "cp", HEADER)
    flags = [compiler, "-std=c++17", "-O1", "-fPIC"]
    # Reading the headers of C++ is most of what a kernel takes to compile.
    make(f"{HEADER.name}.gch", *flags, "-ffp-contract=off", "-w", "-x", "c++-header", folder / HEADER.name, "-o")
    for name, (part, source) in LIBRARIES.items():
        make(f"{part}/{name}", *flags, "-shared", "-pthread", f"-Wl,-soname,{name}", source, "-ldl", "-o")
    lapack = next(pathlib.Path(scipy_openblas64.get_lib_dir()).glob("libscipy_openblas64_.*"))
    return {
        **os.environ,
        "LD_LIBRARY_PATH": os.pathsep.join(str(folder / part) for part in ("driver", "blas", "solver", "fft")),
        "SCIARRAY_CACHE_DIR": str(folder / "kernels"),
        "STANDIN_CXX": compiler,
        "STANDIN_HEADER": str(folder / HEADER.name),
        "STANDIN_LAPACK": str(lapack),
        "STANDIN_DEVICES": "2",
        **steady_blas(),
    }


def steady_blas():
    """Kernels of OpenBLAS that add in one order; with those for AVX-512 recordings may differ in the last bits."""
    info = pathlib.Path("/proc/cpuinfo")
    return {"OPENBLAS_CORETYPE": "Haswell"} if info.exists() and " avx2 " in info.read_text() else {}


@pytest.mark.skipif(sa.cuda.device_count() > 0, reason="there is a GPU, on which these tests run")
@pytest.mark.parametrize("name", ["arrays", "examples", "exchange", "fft", "graphs", "linalg", "parity", "signal"])
def test_through_the_standin(standin, name):
    run(standin, name)


@pytest.mark.skipif(sa.cuda.device_count() > 0, reason="there is a GPU, whose libraries are there")
def test_our_own_transforms(standin):
    folders = standin["LD_LIBRARY_PATH"].split(os.pathsep)[:-1]
    run({**standin, "LD_LIBRARY_PATH": os.pathsep.join(folders)}, "fft")


def run(environment, name):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / f"test_device_{name}.py")]
    done = subprocess.run(command, env=environment, cwd=TESTS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-20000:] + done.stderr[-5000:]
    assert " passed" in done.stdout and "skipped" not in done.stdout


@pytest.mark.skipif(sa.cuda.device_count() > 0, reason="there is a GPU, whose libraries are there")
def test_missing_libraries_are_named(standin):
    driver, blas, *_ = standin["LD_LIBRARY_PATH"].split(os.pathsep)
    for folders, call, words in [
        (
            [driver],
            "x @ x",
            "cuBLAS (libcublas) was not found: install NVIDIA's wheels with `pip install sciarray[cuda13]`",
        ),
        ([driver], "x[:4, :4] @ x[:4, :4]", ""),
        ([driver, blas], "sa.linalg.qr(x)", "cuSOLVER (libcusolver) was not found: install NVIDIA's wheels with"),
        ([driver, blas], "(x @ x, sa.linalg.solve_triangular(x, x))", ""),
    ]:
        code = f'import sciarray as sa\nx = sa.eye(40, device="cuda")\n{call}\nsa.cuda.synchronize()'
        env = {**standin, "LD_LIBRARY_PATH": os.pathsep.join(folders)}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        assert words in done.stderr and (done.returncode == 0) == (not words), done.stderr
