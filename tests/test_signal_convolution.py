"""Convolutions and correlations against SciPy, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.signal as peer
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads

MODES = st.sampled_from(["full", "same", "valid"])
DTYPES = ["int64", "float32", "float64", "complex64", "complex128"]


def sample(seed, shape, dtype):
    rng = np.random.default_rng(seed)
    if dtype == "int64":
        return rng.integers(-9, 9, shape)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, want, ulps=64, eps=None):
    """Equal shape and dtype, and an error small against the largest element, in ``eps`` of the dtype or the given one."""
    want = np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype
    if want.dtype.kind == "i":
        np.testing.assert_array_equal(got, want)
    else:
        error = np.abs(np.asarray(got) - want).max(initial=0.0)
        assert error <= ulps * (eps or np.finfo(want.dtype).eps) * np.abs(want).max(initial=1.0)


def lowest(*xs):
    """SciPy transforms each input in its own precision."""
    return (
        max(np.finfo(x.dtype).eps for x in xs if x.dtype.kind != "i") if any(x.dtype.kind != "i" for x in xs) else None
    )


@st.composite
def pairs(draw, min_dims=1, max_dims=3, dtypes=DTYPES, side=9):
    d = draw(st.integers(min_dims, max_dims))
    shapes = [draw(st.lists(st.integers(1, side), min_size=d, max_size=d)) for _ in range(2)]
    if d == 1:
        shapes[draw(st.integers(0, 1))][0] = draw(st.integers(1, 120))
    a, b = (sample(draw(st.integers(0, 99)), s, draw(st.sampled_from(dtypes))) for s in shapes)
    mode = draw(MODES)
    if mode == "valid" and not any(all(x >= y for x, y in zip(p.shape, q.shape)) for p, q in ((a, b), (b, a))):
        mode = "same"
    return a, b, mode


@pytest.mark.parametrize("method", ["auto", "direct", "fft"])
@pytest.mark.filterwarnings("ignore:invalid value")
@given(args=pairs())
def test_convolve_and_correlate(method, args):
    a, b, mode = args
    close(signal.convolve(a, b, mode, method), peer.convolve(a, b, mode, method), eps=lowest(a, b))
    close(signal.correlate(a, b, mode, method), peer.correlate(a, b, mode, method), eps=lowest(a, b))


@given(args=pairs(dtypes=DTYPES[1:]), data=st.data())
def test_by_transform_along_axes(args, data):
    a, b, mode = args
    axes = data.draw(st.lists(st.integers(0, a.ndim - 1), min_size=1, unique=True))
    for i in set(range(a.ndim)) - set(axes):
        b = b[(slice(None),) * i + (slice(1),)]
    if mode == "valid" and not any(all(p.shape[i] >= q.shape[i] for i in axes) for p, q in ((a, b), (b, a))):
        mode = "same"
    for name in ("fftconvolve", "oaconvolve"):
        # SciPy cuts axes that only broadcast to the first input's length.
        if mode != "same" or all(a.shape[i] >= b.shape[i] for i in set(range(a.ndim)) - set(axes)):
            close(getattr(signal, name)(a, b, mode, axes), getattr(peer, name)(a, b, mode, axes), eps=lowest(a, b))


@given(n=st.integers(1, 2000), k=st.integers(1, 60), rows=st.integers(1, 3), mode=MODES, seed=st.integers(0, 99))
def test_blocks(n, k, rows, mode, seed):
    a, b = sample(seed, (rows, n), "float64"), sample(seed, (1, k), "complex128")
    for x, y in ((a, b), (b, a)) if rows == 1 or mode != "same" else ((a, b),):
        close(signal.oaconvolve(x, y, mode, -1), peer.fftconvolve(x, y, mode, -1))
    close(
        signal.oaconvolve(sample(seed, (n // 8 + 1, 300), "float64"), b.real[:, : 1 + k // 8], mode),
        peer.fftconvolve(sample(seed, (n // 8 + 1, 300), "float64"), b.real[:, : 1 + k // 8], mode),
    )


@given(args=pairs(2, 2), boundary=st.sampled_from(["fill", "wrap", "symm"]), value=st.integers(-2, 2))
def test_in_two_dimensions(args, boundary, value):
    a, b, mode = args
    close(signal.convolve2d(a, b, mode, boundary, value), peer.convolve2d(a, b, mode, boundary, value))
    if mode == "valid" and b.size > a.size:
        a, b = a.real, b.real  # SciPy conjugates the smaller one.
    close(signal.correlate2d(a, b, mode, boundary, value), peer.correlate2d(a, b, mode, boundary, value))


@given(n=st.integers(1, 12), k=st.integers(1, 12), mode=MODES)
def test_lags_and_matrices(n, k, mode):
    np.testing.assert_array_equal(signal.correlation_lags(n, k, mode), peer.correlation_lags(n, k, mode))
    a = sample(n, k, "float64")
    np.testing.assert_array_equal(signal.convolution_matrix(a, n, mode), scipy.linalg.convolution_matrix(a, n, mode))


def test_method_choice():
    big = sa.ones(2000)
    assert signal.choose_conv_method(big, big) == "fft" and signal.choose_conv_method(big, sa.ones(3)) == "direct"
    large = sa.asarray([1 << 40, 1])
    assert signal.choose_conv_method(large, large) == "direct"
    method, times = signal.choose_conv_method(big, big, measure=True)
    assert times[method] == min(times.values())


@pytest.mark.parametrize("kind", ["float64", "complex128"])
@pytest.mark.parametrize(
    "f",
    [
        lambda a, b: signal.convolve(a, b, method="fft"),
        lambda a, b: signal.convolve(a, b, "same", "direct"),
        lambda a, b: signal.correlate(a, b, "valid"),
        lambda a, b: signal.correlate(b, a, "same", "fft"),
    ],
)
def test_gradients(kind, f):
    check_grads(f, sa.asarray(sample(1, 7, kind)), sa.asarray(sample(2, 3, kind)))


def test_gradients_in_two_dimensions():
    a, b = sa.asarray(sample(1, (3, 4), "float64")), sa.asarray(sample(2, (2, 2), "float64"))
    for f in (signal.convolve2d, signal.fftconvolve):
        check_grads(f, a, b)
    check_grads(lambda a, b: signal.correlate2d(a, b, "same", "symm"), a, b)
    check_grads(lambda a: signal.convolution_matrix(a, 3), a)
    x, h = sa.asarray(sample(3, 40, "float64")), sa.asarray(sample(4, 2, "float64"))
    check_grads(signal.oaconvolve, x, h, order=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.convolve([1.0], [[1.0]]), r"convolve: the inputs must have one number of axes, got shapes"),
        (lambda: signal.convolve([1.0], [1.0], "x"), "convolve: mode must be 'full', 'same' or 'valid', got 'x'"),
        (lambda: signal.convolve([1.0], [1.0], method="x"), "convolve: method must be"),
        (lambda: signal.convolve(sa.ones((2, 3)), sa.ones((3, 2)), "valid"), "convolve: for mode 'valid'"),
        (lambda: signal.fftconvolve(sa.ones((2, 3)), sa.ones((3, 3)), axes=1), "fftconvolve: axes that are not convolved"),
        (lambda: signal.convolve2d([1.0], [1.0]), "convolve2d: the inputs must be matrices"),
        (lambda: signal.convolve2d([[1.0]], [[1.0]], boundary="x"), "convolve2d: boundary must be"),
    ],
)  # fmt: skip
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
