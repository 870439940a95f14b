"""Analytic signals, resampling, trends and smoothing against SciPy, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal as peer
from hypothesis import example, given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads

EXTENSIONS = ["constant", "edge", "reflect", "symmetric", "wrap", "antireflect", "antisymmetric", "line", "smooth"]


def sample(seed, shape, dtype="float64"):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, want, rtol=1e-11):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype
    rtol = 1e-5 if want.dtype in (np.float32, np.complex64) else rtol
    assert np.abs(got - want).max(initial=0) <= rtol * np.abs(want).max(initial=1.0)


@st.composite
def signals(draw, dtypes=("float32", "float64", "complex128"), least=1, most=40):
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] = draw(st.integers(least, most))
    return sample(draw(st.integers(0, 99)), shape, draw(st.sampled_from(dtypes))), axis


@given(args=signals(("float32", "float64")), N=st.one_of(st.none(), st.integers(1, 50)))
def test_hilbert(args, N):
    x, axis = args
    close(signal.hilbert(x, N, axis), peer.hilbert(x, N, axis))


@given(n=st.integers(1, 9), m=st.integers(1, 9), N=st.sampled_from([None, 6, (3, 8)]))
def test_hilbert2(n, m, N):
    x = sample(n, (2, n, m))
    close(signal.hilbert2(x, N), peer.hilbert2(x, N))


@given(args=signals(("float64", "complex128")), data=st.data(), squared=st.booleans())
def test_envelope(args, data, squared):
    x, axis = args
    n = x.shape[axis]
    low = data.draw(st.integers(-(n // 2), (n + 1) // 2 - 1))
    high = data.draw(st.one_of(st.none(), st.integers(low + 1, (n + 1) // 2)))
    high = None if high == 0 else high  # SciPy finds nothing in bands that end at 0.
    kwargs = {"n_out": data.draw(st.one_of(st.none(), st.integers(1, 50))), "squared": squared, "axis": axis}
    # With a band from 0, SciPy's residual is always 0.
    kwargs["residual"] = data.draw(st.sampled_from([None, "lowpass", "all"] if low else [None]))
    close(signal.envelope(x, (low, high), **kwargs), peer.envelope(x, (low, high), **kwargs))


@given(
    args=signals(),
    num=st.integers(1, 60),
    window=st.sampled_from([None, "hann", ("kaiser", 3.0), "array", "function"]),
    domain=st.sampled_from(["time", "freq"]),
)
def test_resample(args, num, window, domain):
    x, axis = args
    if domain == "freq":
        x = x.astype("complex128")
    n = x.shape[axis]
    if window == "array":
        window = sample(5, n)
    elif window == "function":
        window = lambda f: 1 / (1 + f * f)
    if not isinstance(window, np.ndarray) or x.dtype != np.float32:
        close(
            signal.resample(x, num, axis=axis, window=window, domain=domain),
            peer.resample(x, num, axis=axis, window=window, domain=domain),
        )
    t = np.arange(n + 1) * 0.25
    close(signal.resample(x, num, t, axis)[1], peer.resample(x, num, t, axis)[1])


@given(
    args=signals(("float64", "complex128"), 2, 30),
    taps=st.integers(1, 40),
    up=st.integers(1, 7),
    down=st.integers(1, 7),
    mode=st.sampled_from(EXTENSIONS),
)
def test_upfirdn(args, taps, up, down, mode):
    x, axis = args
    h = sample(taps, taps)
    cval = 1.5 if mode == "constant" else 0
    close(signal.upfirdn(h, x, up, down, axis, mode, cval), peer.upfirdn(h, x, up, down, axis, mode, cval))


@given(
    args=signals(least=2),
    up=st.integers(1, 9),
    down=st.integers(1, 9),
    padtype=st.sampled_from([*EXTENSIONS, "mean", "median", "minimum", "maximum"]),
)
@example(
    args=(np.array([[0.34558418, 0.82161814], [0.33043706, -1.3031572]], np.float32), 0),
    up=1,
    down=6,
    padtype="antireflect",
)
def test_resample_poly(args, up, down, padtype):
    x, axis = args
    if x.dtype.kind == "c" and padtype in ("median", "minimum", "maximum"):
        padtype = "mean"
    close(
        signal.resample_poly(x, up, down, axis, padtype=padtype), peer.resample_poly(x, up, down, axis, padtype=padtype)
    )
    close(signal.resample_poly(x, up, down, axis, np.ones(5)), peer.resample_poly(x, up, down, axis, np.ones(5)))


@given(args=signals(least=2), kind=st.sampled_from(["linear", "constant"]), data=st.data())
def test_detrend(args, kind, data):
    x, axis = args
    bp = data.draw(st.lists(st.integers(0, x.shape[axis]), min_size=1, max_size=3))
    close(signal.detrend(x, axis, kind, bp), peer.detrend(x, axis, kind, bp))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mode", ["antireflect", "line", "smooth"])
def test_signals_that_go_on_along_steep_lines(mode, dtype):
    before = 600
    wide = np.arange(-before, before + 2) + 1.0
    for up, down in ((1, 1), (3, 1), (1, 3)):
        h = peer.firwin(400 * up + 1, 0.05 / up, window=("kaiser", 8.0)).astype(dtype)
        got = np.asarray(signal.upfirdn(h, np.array([1.0, 2.0], dtype), up, down, mode=mode))
        h = h.astype(np.float64)
        want, size = (
            peer.upfirdn(*v, up, down)[before * up // down :][: got.size]
            for v in ((h, wide), (np.abs(h), np.abs(wide)))
        )
        # The rounding of a sum: at each place in proportion to the sizes of its terms.
        assert (np.abs(got - want) <= 8 * np.finfo(dtype).eps * size).all()


def check_savgol_filter(x, *args):
    # In single precision SciPy's fits at the ends lose half of the digits.
    close(signal.savgol_filter(x, *args), peer.savgol_filter(x.astype(np.float64), *args).astype(x.dtype), 1e-9)


def test_savgol_of_interpolating_fits():
    check_savgol_filter(sample(0, 6, "float32"), 6, 5, 0, 0.5, 0, "interp", 1.5)


@given(
    args=signals(("float32", "float64"), 1, 40),
    length=st.integers(1, 15),
    data=st.data(),
    mode=st.sampled_from(["interp", "mirror", "constant", "nearest", "wrap"]),
)
def test_savgol(args, length, data, mode):
    x, axis = args
    order, deriv = data.draw(st.integers(0, min(length - 1, 5))), data.draw(st.integers(0, 3))
    pos = data.draw(st.one_of(st.none(), st.integers(0, length - 1)))
    for use in ("conv", "dot"):
        close(
            signal.savgol_coeffs(length, order, deriv, 0.5, pos, use),
            peer.savgol_coeffs(length, order, deriv, 0.5, pos, use),
            1e-9,
        )
    if length <= x.shape[axis]:
        check_savgol_filter(x, length, order, deriv, 0.5, axis, mode, 1.5)


@given(
    shape=st.lists(st.integers(1, 8), min_size=1, max_size=3), size=st.sampled_from([1, 3, 5]), seed=st.integers(0, 9)
)
@pytest.mark.filterwarnings("ignore")
def test_ranks_and_wiener(shape, size, seed):
    x = sample(seed, shape)
    sizes = [min(size, 2 * n - 1) for n in shape]
    close(signal.medfilt(x, sizes), peer.medfilt(x, sizes))
    domain = np.ones(sizes)
    rank = seed % domain.size
    close(signal.order_filter(x, domain, rank), peer.order_filter(x, domain, rank))
    close(signal.wiener(x, sizes, 0.5), peer.wiener(x, sizes, 0.5))
    if len(shape) == 2:
        close(signal.medfilt2d(x, sizes), peer.medfilt2d(x, sizes))


@pytest.mark.parametrize("mode", EXTENSIONS)
def test_gradients_of_extensions(mode):
    x = sa.asarray(sample(1, 4))
    check_grads(lambda h, x: signal.upfirdn(h, x, 3, 2, mode=mode), sa.asarray([1.0, 0.5, -0.3, 0.2]), x, order=1)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: signal.hilbert(x),
        lambda x: signal.envelope(x, (1, 3), n_out=5, residual="all"),
        lambda x: signal.resample(x, 4),
        lambda x: signal.resample(x, 9, window="hann"),
        lambda x: signal.resample_poly(x, 3, 2),
        lambda x: signal.detrend(x, bp=3),
        lambda x: signal.savgol_filter(x, 3, 1),
        lambda x: signal.medfilt(x),
        lambda x: signal.wiener(x),
    ],
)
def test_gradients(f):
    check_grads(f, sa.asarray(sample(3, 7)))


def test_gradients_of_complex_signals():
    z = sa.asarray(sample(1, 6, "complex128"))
    check_grads(lambda z: signal.envelope(z, (0, None)), z)
    check_grads(lambda z: signal.resample(z, 9), z)
    check_grads(lambda z: signal.resample(z, 4), z)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.hilbert([1j]), "hilbert: the signal must be real, got complex128"),
        (lambda: signal.resample(sa.ones(3), 0), "resample: the number of samples must be at least 1, got 0"),
        (
            lambda: signal.resample(sa.ones(3), 2, window=sa.ones(2)),
            "resample: window must have one value for each of 3",
        ),
        (lambda: signal.upfirdn([1.0], [1.0], 0), "upfirdn: up and down must be at least 1, got 0 and 1"),
        (lambda: signal.upfirdn([1.0], [1.0, 2], mode="x"), "upfirdn: the extension must be one of"),
        (lambda: signal.savgol_filter(sa.ones(3), 5, 2), "savgol_filter: mode 'interp' needs at least"),
        (lambda: signal.savgol_coeffs(3, 3), "savgol_coeffs: polyorder must be less than window_length"),
        (lambda: signal.medfilt(sa.ones(3), 2), "medfilt: the window must have an odd number"),
        (lambda: signal.detrend(sa.ones(3), type="x"), "detrend: type must be"),
        (lambda: signal.envelope(sa.ones(4), (3, 2)), "envelope: the band must lie in"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
