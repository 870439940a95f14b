"""Without a GPU, runs the tests of arrays on devices through `standin/cuda.cc`, which stands in for the driver and NVRTC."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import sciarray as sa

TESTS = pathlib.Path(__file__).resolve().parent
SOURCES = [TESTS / "standin" / "cuda.cc", TESTS.parent / "cuda" / "host.h"]


@pytest.fixture(scope="module")
def standin(request, tmp_path_factory):
    """The environment of a process that meets the stand-in where it looks for a driver; it compiles each kernel once."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None or sys.platform != "linux":
        pytest.skip("a C++ compiler on Linux is needed")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    key = hashlib.sha256(version + b"".join(path.read_bytes() for path in SOURCES)).hexdigest()[:16]
    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir(f"standin-{key}") if cache else tmp_path_factory.mktemp("standin")
    for name in ("libcuda.so.1", "libnvrtc.so.13"):
        if not (folder / name).exists():
            flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-pthread", f"-Wl,-soname,{name}"]
            subprocess.run([compiler, *flags, "-o", folder / f"{name}.part", SOURCES[0], "-ldl"], check=True)
            (folder / f"{name}.part").rename(folder / name)
    return {
        **os.environ,
        "LD_LIBRARY_PATH": str(folder),
        "SCIARRAY_CACHE_DIR": str(folder / "kernels"),
        "STANDIN_CXX": compiler,
        "STANDIN_HEADER": str(SOURCES[1]),
        "STANDIN_DEVICES": "2",
    }


@pytest.mark.skipif(sa.cuda.device_count() > 0, reason="there is a GPU, on which these tests run")
@pytest.mark.parametrize("name", ["arrays", "exchange", "graphs", "parity"])
def test_through_the_standin(standin, name):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / f"test_device_{name}.py")]
    done = subprocess.run(command, env=standin, cwd=TESTS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-20000:] + done.stderr[-5000:]
    assert " passed" in done.stdout and "skipped" not in done.stdout
