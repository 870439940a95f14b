"""Every function of the table gives the same bits on every instruction set, whose loops are compiled apart.

A compiler may break the code of one of them alone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from cuda_host import same_bits
from rows import rows

import sciarray as sa

Values = dict[tuple[str, str], np.ndarray]


def values() -> Values:
    """The values of all rows, real and complex."""
    return {
        (row.name, row.dtype): row(*map(sa.asarray, row.points)).numpy()
        for row in rows("float32", "float64", "complex128")
    }


@pytest.fixture(scope="module")
def here() -> Values:
    return values()


@pytest.mark.parametrize("isa", ["baseline", "avx2"])
def test_all_instruction_sets_agree(isa: str, here: Values) -> None:
    run = subprocess.run(
        [sys.executable, __file__], env={**os.environ, "SCIARRAY_ISA": isa}, stdout=subprocess.PIPE, check=True
    )
    other = pickle.loads(run.stdout)
    assert other.keys() == here.keys() and len(here) > 500
    for row, result in here.items():
        assert same_bits(other[row], result), row


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(values()))
