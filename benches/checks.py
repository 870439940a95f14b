"""What is measured in processes of its own: the time to import, and that threads do not change a bit."""

from __future__ import annotations

import os
import subprocess
import sys

_PROGRAM = """
import hashlib
import numpy as np
import sciarray as sa
rng = np.random.default_rng(0)
a, b = (sa.asarray(rng.standard_normal((1100, 1300))) for _ in range(2))
for name, f in {
    "sum": lambda: a.sum(),
    "sum axis 0": lambda: sa.sum(a, 0),
    "mean": lambda: a.mean(),
    "std": lambda: sa.std(a),
    "cumsum": lambda: sa.cumsum(sa.reshape(a, -1)),
    "sort": lambda: sa.sort(sa.reshape(a, -1)),
    "exp": lambda: sa.exp(a),
    "transposed": lambda: sa.permute_dims(a, (1, 0)) + sa.reshape(b, (1300, 1100)),
    "matmul": lambda: sa.matmul(a, sa.permute_dims(b, (1, 0))),
    "solve": lambda: sa.linalg.solve(sa.matmul(a, sa.permute_dims(a, (1, 0))), b),
    "cholesky": lambda: sa.linalg.cholesky(sa.matmul(a, sa.permute_dims(a, (1, 0)))),
    "fft": lambda: sa.fft.fft(a),
    "rfft": lambda: sa.fft.rfft(sa.reshape(a, -1)),
    "normal": lambda: sa.random.default_rng(3).normal(size=10**6),
}.items():
    try:
        value = f()
    except AttributeError:
        continue
    print(name, hashlib.sha256(np.ascontiguousarray(np.asarray(value)).tobytes()).hexdigest(), sep="=")
"""


def _output(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args], env={**os.environ, **env}, capture_output=True, text=True, check=True
    )


def import_times(rounds: int) -> dict[str, float]:
    """Milliseconds to import sciarray, and of these NumPy's own."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        # With the compiled files that an installation has.
        run = _output("-X", "importtime", "-c", "import sciarray", PYTHONDONTWRITEBYTECODE="")
        for line in run.stderr.splitlines():
            _, total, name = line.removeprefix("import time:").split("|")
            if name.strip() in ("sciarray", "numpy"):
                ms = int(total) / 1000
                best[name.strip()] = min(ms, best.get(name.strip(), ms))
    return best


def thread_dependent() -> tuple[list[str], list[str]]:
    """The computations compared on one and on two threads, and those whose bits differ."""
    runs = []
    for threads in ("1", "2"):
        out = _output("-c", _PROGRAM, SCIARRAY_NUM_THREADS=threads).stdout
        runs.append(dict(line.split("=") for line in out.splitlines()))
    return list(runs[0]), [name for name in runs[0] if runs[0][name] != runs[1][name]]
