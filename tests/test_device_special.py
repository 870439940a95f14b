"""Functions of the table on a GPU against the CPU.

Each is compiled by itself, which takes minutes for all, so this does not run through the stand-in.
"""

import ctypes

import nvrtc
import pytest
from cuda_host import same
from rows import rows
from test_cuda_elementwise import is_short

import sciarray as sa


def is_gpu():
    return sa.cuda.is_available() and not hasattr(ctypes.CDLL("libcuda.so.1"), "standin_graph_launches")


DTYPES = ["float64", "float32", *(["complex128"] if nvrtc.DEEP else [])]


@pytest.mark.skipif(not is_gpu(), reason="there is no GPU")
@pytest.mark.parametrize(
    "row",
    [row for row in rows(*DTYPES) if not is_short(row.name)] if is_gpu() else [],
    ids=lambda row: f"{row.name}-{row.dtype}",
)
def test_values_are_those_of_the_cpu(row):
    here, there = (row(*[sa.asarray(x, device=device) for x in row.points]) for device in ("cpu", "cuda:0"))
    assert there.device == "cuda:0"
    assert same(there.to("cpu").numpy(), here.numpy())
