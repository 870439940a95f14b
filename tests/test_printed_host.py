"""Printed functions, compiled by the host's compiler, against the loops of the CPU, bit for bit, in every row of the table.

With tests/test_instruction_sets.py, which compares these loops with each other, all forms of a function are the same.
"""

import ctypes

import numpy as np
import pytest
from cuda_host import Host, same_bits
from rows import rows, shared_text

import sciarray as sa


@pytest.mark.parametrize("dtypes", [("float32", "float64"), ("complex128",)])
def test_printed_functions_are_those_of_the_cpu(tmp_path, dtypes):
    tested = rows(*dtypes)
    loops = [row.over('extern "C" void run', "for (long i = 0; i < n; ++i)") for row in tested]
    # As they are printed: optimizing so much text takes longer than running it.
    library = Host(tmp_path, {"host": shared_text(tested) + "".join(loops)}, level=0).library
    for row in tested:
        x = row.points
        expected = row(*map(sa.asarray, x)).numpy()
        got = np.empty(x.shape[1], row.result)
        run = getattr(library, f"run_{row.name}_{row.dtype}")
        run(x.ctypes.data_as(ctypes.c_void_p), ctypes.c_long(x.shape[1]), got.ctypes.data_as(ctypes.c_void_p))
        assert same_bits(got, expected), row
