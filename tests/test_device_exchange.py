"""Memory of a GPU that libraries share: DLPack and `__cuda_array_interface__`, both ways."""

import gc
import threading
import weakref

import numpy as np
import pytest
from cuda_host import same_bits

import sciarray as sa
from sciarray._core import cuda_address, cuda_stream

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip


class ByDLPack:
    """An array of another library."""

    def __init__(self, x):
        self.x, self.asked = x, []

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **options):
        self.asked.append(options)
        return self.x.__dlpack__(**options)


class ByInterface:
    def __init__(self, x, **other):
        self.x, self.__cuda_array_interface__ = x, {**x.__cuda_array_interface__, **other}


def on_gpu(x):
    return sa.asarray(x, device="cuda")


def elements(x):
    return x.to("cpu").numpy()


def views():
    rng = np.random.default_rng(0)
    for dtype in DTYPES:
        x = on_gpu((rng.standard_normal((4, 6)) * 9).astype(dtype))
        yield from (x, x.T, x[::-1, 1::2], x[1], x[2, 3], x[:0])
    yield sa.broadcast_to(on_gpu([1.0, 2.0]), (3, 2))


@pytest.mark.parametrize("lend", [ByDLPack, ByInterface])
def test_memory_is_not_copied(lend):
    for x in views():
        y = sa.asarray(lend(x))
        assert (y.device, y.dtype, y.shape) == (x.device, x.dtype, x.shape) and same_bits(elements(y), elements(x))
        if x.size:
            assert y.strides == x.strides and cuda_address(y)[0] == cuda_address(x)[0]
    x = on_gpu(np.arange(4.0))
    y = sa.asarray(lend(x), copy=True)
    assert cuda_address(y)[0] != cuda_address(x)[0] and same_bits(elements(y), np.arange(4.0))
    assert sa.asarray(lend(x), dtype="float32", device="cpu").tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("lend", [ByDLPack, ByInterface])
def test_writes_reach_nobody_else(lend):
    x = on_gpu(np.arange(4.0))
    y = sa.asarray(lend(x))
    x[0] = 9.0
    y[1] = 7.0
    z = sa.asarray(lend(y))
    y += 1.0
    assert elements(x).tolist() == [9, 1, 2, 3] and elements(y).tolist() == [1, 8, 3, 4]
    assert elements(z).tolist() == [0, 7, 2, 3]


@pytest.mark.parametrize("lend", [ByDLPack, ByInterface])
def test_pending_work_is_waited_for(lend):
    """The stream of each thread is another, and nothing else orders what they do."""
    made = []

    def work():
        x = on_gpu(np.ones((50, 50)))
        for _ in range(5):
            x = sa.cumulative_sum(x, axis=0) * 0.5
        made.append(lend(x))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    y = sa.asarray(made[0])
    want = np.ones((50, 50))
    for _ in range(5):
        want = np.cumsum(want, axis=0) * 0.5
    got = sa.exp(-y) + y
    # Handed back while our work may be under way.
    del made[:], y
    for _ in range(3):
        on_gpu(np.zeros((50, 50)))
    np.testing.assert_allclose(elements(got), np.exp(-want) + want, rtol=1e-12)


@pytest.mark.parametrize("lend", [ByDLPack, ByInterface])
def test_memory_is_handed_back(lend):
    def used():
        gc.collect()
        sa.cuda.synchronize()
        return sa.cuda.memory_stats()["used"]

    before = used()
    owner = lend(on_gpu(np.zeros(1000)))
    known = weakref.ref(owner)
    y = sa.asarray(owner)[10:20]
    del owner
    # An interface's owner lives as long as the view; a capsule holds what it needs.
    gc.collect()
    assert (known() is None) == (lend is ByDLPack)
    assert used() > before and elements(y).tolist() == [0.0] * 10
    del y
    assert used() == before and known() is None
    x = on_gpu(np.zeros(1000))
    x.__dlpack__()
    x.__dlpack__(max_version=(1, 0))
    for _ in range(3):
        assert x.__cuda_array_interface__["data"][0] == cuda_address(x)[0]
    del x
    assert used() == before


def test_dlpack_options():
    x = on_gpu(np.arange(6.0).reshape(2, 3))
    there = ByDLPack(x)
    sa.from_dlpack(there)
    assert x.__dlpack_device__() == (2, 0) and there.asked == [{"max_version": (1, 0), "stream": cuda_stream(0)}]
    # Lent read-only from version 1.0 on, else a copy.
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0), stream=1))
    assert '"dltensor"' in repr(x.__dlpack__(stream=2)) and '"dltensor"' in repr(x.__dlpack__(stream=-1))
    with pytest.raises(BufferError, match="without a copy only a read-only export"):
        x.__dlpack__(copy=False)
    with pytest.raises(ValueError, match="stream must be a handle, 1 or 2 for the default streams or -1, got 0"):
        x.__dlpack__(stream=0)
    with pytest.raises(
        BufferError, match=r"exported to its device \(2, 0\) or to the CPU \(1, 0\), got device \(2, 1\)"
    ):
        x.__dlpack__(dl_device=(2, 1))
    # Asked for on the CPU, it is downloaded.
    y = np.from_dlpack(x, device="cpu")
    assert same_bits(y, np.arange(6.0).reshape(2, 3))
    assert sa.from_dlpack(there, device="cpu").device == "cpu" and there.asked[-1]["dl_device"] == (1, 0)
    with pytest.raises(BufferError, match="without a copy"):
        np.from_dlpack(x, device="cpu", copy=False)
    assert sa.from_dlpack(np.arange(3.0), device="cuda").device == "cuda:0"
    with pytest.raises(ValueError, match="memory on cpu is not on cuda:0 without a copy"):
        sa.from_dlpack(np.arange(3.0), device="cuda", copy=False)
    assert sa.from_dlpack(x, device="cpu").device == "cpu" and sa.from_dlpack(x) is x
    with pytest.raises(ValueError, match="an array on cuda:0 is not on cpu without a copy"):
        sa.from_dlpack(x, device="cpu", copy=False)
    x.requires_grad = True
    assert not sa.from_dlpack(ByDLPack(x)).requires_grad


def test_interface_options():
    x = on_gpu(np.arange(6, dtype="int32").reshape(2, 3))
    lent = x.T.__cuda_array_interface__
    assert (lent["shape"], lent["typestr"], lent["strides"], lent["version"]) == ((3, 2), "<i4", (4, 12), 3)
    assert lent["data"][1] is True and lent["stream"] == cuda_stream(0)
    assert not hasattr(sa.zeros(2), "__cuda_array_interface__")
    y = sa.asarray(ByInterface(x, strides=None, stream=None))
    assert elements(y).tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(ValueError, match=r"strides on a device must be multiples of the 4 bytes .* got \[6, 4\]"):
        sa.asarray(ByInterface(x, strides=(6, 4)))
    with pytest.raises(TypeError, match="must be native and have no mask"):
        sa.asarray(ByInterface(x, mask=x))
    with pytest.raises(TypeError, match="must be native and have no mask"):
        sa.asarray(ByInterface(x, typestr=">i4"))
    with pytest.raises(RuntimeError, match="INVALID_VALUE"):
        sa.asarray(ByInterface(x, data=(64, False)))


def test_recordings_read_memory_of_others_afresh():
    x = on_gpu(np.arange(4.0))
    other = sa.asarray(ByDLPack(x))
    f = sa.record(lambda v: sa.cumulative_sum(sa.sort(sa.cumulative_sum(v * other)) + other))
    for k in range(5):
        v = np.arange(4.0) + k
        want = np.cumsum(np.sort(np.cumsum(v * np.arange(4.0))) + np.arange(4.0))
        assert elements(f(on_gpu(v))).tolist() == want.tolist()
