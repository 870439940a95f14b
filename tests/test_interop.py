"""NumPy's protocols, DLPack, buffers, pickling and copying."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray.testing import arrays, dtypes

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


@given(st.data())
def test_numpy_round_trip_keeps_values_dtype_and_shape(data):
    a = data.draw(dtypes().flatmap(lambda d: arrays(d)))
    b = np.asarray(sa.asarray(a))
    assert b.dtype == a.dtype
    np.testing.assert_array_equal(b, a)


@pytest.mark.parametrize("name", DTYPES)
def test_memory_is_shared_and_read_only(name):
    a = np.arange(12).reshape(3, 4).astype(name)
    for view in (a, a[::-1], a[:, ::2], a.T):
        x = sa.asarray(view)
        exported = np.asarray(x)
        assert np.shares_memory(exported, a)
        assert not exported.flags.writeable
        np.testing.assert_array_equal(exported, view)
    frozen = a.copy()
    frozen.flags.writeable = False
    assert np.shares_memory(np.asarray(sa.asarray(frozen)), frozen)


def test_a_write_never_reaches_the_other_side():
    a = np.arange(4.0)
    x = sa.asarray(a)
    x[0] = 9.0
    assert a[0] == 0.0
    exported = np.asarray(x)
    view = memoryview(x)
    x[1] = 8.0
    assert exported[1] == 1.0
    assert view[1] == 1.0
    assert np.asarray(x, copy=True).flags.writeable


def test_ufuncs_and_functions_stay_here_and_keep_gradients():
    x = sa.asarray([0.5, 1.5])
    a = np.array([2.0, 3.0])
    for y, expected in [
        (np.sin(x), np.sin(np.asarray(x))),
        (np.add(a, x), a + np.asarray(x)),
        (a * x, a * np.asarray(x)),
        (np.power(x, 2), np.asarray(x) ** 2),
        (np.arcsin(x / 2), np.arcsin(np.asarray(x) / 2)),
        (np.concatenate([x, a]), [0.5, 1.5, 2.0, 3.0]),
        (np.add.reduce(x), 2.0),
        (np.multiply.outer(a, x), np.multiply.outer(a, np.asarray(x))),
        (np.linalg.solve(np.eye(2) * 2, x), np.asarray(x) / 2),
        (np.fft.fft(x), np.fft.fft(np.asarray(x))),
    ]:
        assert isinstance(y, sa.Array)
        np.testing.assert_allclose(np.asarray(y), expected, rtol=1e-15)
    slope = sa.grad(lambda v: np.sum(np.exp(v) * a))(x)
    np.testing.assert_allclose(np.asarray(slope), np.exp(np.asarray(x)) * a, rtol=1e-15)


def test_out_is_filled_and_unknown_functions_name_the_remedy():
    out = np.zeros(2)
    assert np.exp(sa.asarray([0.0, 1.0]), out=out) is out
    np.testing.assert_allclose(out, np.exp([0.0, 1.0]), rtol=1e-15)
    with pytest.raises(TypeError, match=r"numpy\.frexp.*np\.asarray"):
        np.frexp(sa.asarray([1.0]))


@pytest.mark.parametrize("name", DTYPES)
def test_dlpack_with_numpy(name):
    a = np.arange(6).reshape(2, 3).astype(name)
    for view in (a, a.T, a[:, ::2], a[1:], a[:0]):
        x = sa.from_dlpack(view)
        np.testing.assert_array_equal(np.asarray(x), view)
        back = np.from_dlpack(x)
        assert back.dtype == a.dtype
        np.testing.assert_array_equal(back, view)
    x = sa.from_dlpack(a)
    x[0, 0] = 1
    np.testing.assert_array_equal(a, np.arange(6).reshape(2, 3).astype(name))


def test_dlpack_with_pytorch():
    torch = pytest.importorskip("torch")
    t = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    x = sa.from_dlpack(t.T)
    np.testing.assert_array_equal(np.asarray(x), t.T.numpy())
    back = torch.from_dlpack(x)
    assert back.shape == (3, 2)
    assert torch.equal(back, t.T)


def test_dlpack_refuses_other_devices():
    with pytest.raises(ValueError, match="only device is 'cpu', beside 'cuda', got 'tpu'"):
        sa.from_dlpack(np.zeros(2), device="tpu")

    class Elsewhere:
        def __dlpack_device__(self):
            return (10, 3)

        def __dlpack__(self, **options):
            raise AssertionError("not to be asked")

    with pytest.raises(BufferError, match=r"must lie in memory of the CPU or of a GPU, got device \(10, 3\)"):
        sa.from_dlpack(Elsewhere())


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", DTYPES)
def test_pickling(name, protocol):
    x = sa.asarray(np.arange(6).reshape(2, 3).astype(name))[:, ::-1]
    y = pickle.loads(pickle.dumps(x, protocol))
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(np.asarray(y), np.asarray(x))


def test_copies_are_independent_and_leaves_stay_leaves():
    x = sa.asarray([1.0, 2.0], requires_grad=True)
    sa.sum(x * x).backward()
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y.requires_grad
        assert y.is_leaf
    y = copy.deepcopy(x)
    np.testing.assert_array_equal(np.asarray(y.grad), [2.0, 4.0])
    z = copy.copy(sa.asarray([1.0, 2.0]))
    z[0] = 5.0
    with pytest.raises(TypeError, match="unhashable"):
        hash(z)
