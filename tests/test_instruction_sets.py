"""Every special function gives the same bits on every instruction set, real and complex.

A compiler may break the code of one of them alone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import sciarray as sa

MOST = 5
Values = dict[tuple[str, str, int], list[np.ndarray[Any, Any]]]


def values() -> Values:
    """The values of all functions that take arrays, at scattered points."""
    rng = np.random.default_rng(3)
    points = np.concatenate([rng.uniform(-3, 8, 200), np.exp(rng.uniform(-5, 4, 150)), rng.uniform(0, 1, 150)])

    def real() -> sa.Array:
        return sa.asarray(rng.permutation(points))

    def complex_() -> sa.Array:
        return sa.asarray(rng.permutation(points) + 1j * rng.permutation(points))

    out = {}
    functions = {name: f for name, f in vars(sa.special).items() if callable(f) and not name.startswith("_")}
    for name, f in sorted(functions.items()):
        for kind, last in (("real", real), ("complex", complex_)):
            for count in range(1, MOST + 1):
                args = [*(real() for _ in range(count - 1)), last()]
                try:
                    got = f(*args)
                except (TypeError, ValueError, NotImplementedError):
                    continue
                parts = got if isinstance(got, tuple) else (got,)
                if all(isinstance(part, sa.Array) for part in parts):
                    out[name, kind, count] = [np.asarray(part) for part in parts]
    return out


@pytest.fixture(scope="module")
def here() -> Values:
    return values()


@pytest.mark.parametrize("isa", ["baseline", "avx2"])
def test_all_instruction_sets_agree(isa: str, here: Values) -> None:
    run = subprocess.run(
        [sys.executable, __file__], env={**os.environ, "SCIARRAY_ISA": isa}, stdout=subprocess.PIPE, check=True
    )
    other = pickle.loads(run.stdout)
    assert other.keys() == here.keys() and len(here) > 200
    for key, parts in here.items():
        for part, there in zip(parts, other[key], strict=True):
            np.testing.assert_array_equal(part, there, err_msg=str(key))


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(values()))
