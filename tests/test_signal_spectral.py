"""Spectra against SciPy, and their derivatives."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.signal as peer
from hypothesis import example, given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads

WINDOWS = st.sampled_from(["hann", ("tukey", 0.3), "boxcar", "array"])


def sample(seed, shape, dtype="float64"):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, want, rtol=1e-10, sizes=None):
    for g, w, size in zip(got, want, sizes or want):
        g, w = np.asarray(g), np.asarray(w)
        assert g.shape == w.shape and g.dtype.kind == w.dtype.kind
        tolerance = 3e-5 if w.dtype in (np.float32, np.complex64) else rtol
        assert np.abs(g - w).max(initial=0) <= tolerance * max(np.abs(v).max(initial=1e-3) for v in (w, size))


@st.composite
def cases(draw, dtypes=("float32", "float64", "complex128")):
    """A signal and the common arguments of spectra."""
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    n = shape[axis] = draw(st.integers(2, 80))
    size = draw(st.integers(1, n))
    kwargs = {"fs": 4.0, "nperseg": size, "noverlap": draw(st.integers(0, size - 1)), "axis": axis}
    kwargs["nfft"] = draw(st.one_of(st.none(), st.integers(size, 2 * size)))
    window = draw(WINDOWS)
    kwargs["window"] = np.hamming(size) + 0.1 if window == "array" else window
    kwargs["detrend"] = draw(st.sampled_from(["constant", "linear", False, lambda x: x - 1.0]))
    kwargs["return_onesided"] = draw(st.booleans())
    if size == 1:
        kwargs["window"] = "boxcar"
    x, y = (sample(draw(st.integers(0, 99)), shape, draw(st.sampled_from(dtypes))) for _ in range(2))
    return x, y, kwargs


def line():
    """The arguments of `cases` for a signal that is a straight line, of which taking the trend out leaves rounding."""
    x = sample(0, 2, "float32")
    kwargs = {"fs": 4.0, "nperseg": 2, "noverlap": 0, "axis": 0, "nfft": None, "window": "hann", "detrend": "linear"}
    return x, x, kwargs | {"return_onesided": False}


def both(name, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got, want = getattr(signal, name)(*args, **kwargs), getattr(peer, name)(*args, **kwargs)
        # Rounding in a trend is as large as in a signal from which it is not taken out.
        sizes = getattr(peer, name)(*args, **kwargs | {"detrend": False}) if "detrend" in kwargs else want
    # SciPy gives times along the first axis whatever the signal's.
    first = int(name == "istft" and want[1].ndim > 1)
    close(got[first:], want[first:], sizes=sizes[first:])


@given(case=cases(), scaling=st.sampled_from(["density", "spectrum"]), average=st.sampled_from(["mean", "median"]))
def test_welch_and_csd(case, scaling, average):
    x, y, kwargs = case
    both("welch", x, scaling=scaling, average=average, **kwargs)
    x, y = (v.astype("complex128" if "c" in (x.dtype.kind, y.dtype.kind) else "float64") for v in (x, y))
    both("csd", x, y, scaling=scaling, average=average, **kwargs)


@given(case=cases(("float64",)))
def test_coherence(case):
    x, y, kwargs = case
    del kwargs["return_onesided"]
    kwargs["window"], kwargs["detrend"] = "hamming", False
    both("coherence", x + 0.3 * y, y, **kwargs)


@given(case=cases(), scaling=st.sampled_from(["density", "spectrum"]), nfft=st.one_of(st.none(), st.integers(1, 120)))
def test_periodogram(case, scaling, nfft):
    x, _, kwargs = case
    kwargs = {k: v for k, v in kwargs.items() if k in ("fs", "axis", "detrend", "return_onesided")}
    both("periodogram", x, scaling=scaling, nfft=nfft, **kwargs)
    both("periodogram", x, window="hann", **kwargs)


@pytest.mark.filterwarnings("ignore")
@given(
    case=cases(),
    scaling=st.sampled_from(["density", "spectrum"]),
    mode=st.sampled_from(["psd", "complex", "magnitude", "angle"]),
)
@example(case=line(), scaling="density", mode="complex")
def test_spectrogram(case, scaling, mode):
    x, _, kwargs = case
    if mode == "angle":
        kwargs["detrend"] = False
        x = x.astype("complex128" if x.dtype.kind == "c" else "float64")
        angles = [getattr(m, "spectrogram")(x, mode=mode, **kwargs)[2] for m in (signal, peer)]  # noqa: B009
        sizes = peer.spectrogram(x, mode="magnitude", **kwargs)[2]
        difference = np.abs(np.exp(1j * np.asarray(angles[0])) - np.exp(1j * angles[1]))
        assert (difference * sizes).max() <= 1e-9 * sizes.max()
    else:
        both("spectrogram", x, scaling=scaling, mode=mode, **kwargs)
    del kwargs["noverlap"]
    both("spectrogram", x, **kwargs)


@given(
    case=cases(),
    scaling=st.sampled_from(["psd", "spectrum"]),
    boundary=st.sampled_from([None, "zeros", "even", "odd", "constant"]),
    padded=st.booleans(),
)
@example(case=line(), scaling="psd", boundary=None, padded=False)
def test_short_time_transforms(case, scaling, boundary, padded):
    x, _, kwargs = case
    both("stft", x, scaling=scaling, boundary=boundary, padded=padded, **kwargs)
    axis, onesided = kwargs["axis"], kwargs["return_onesided"] and x.dtype.kind != "c"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, _, z = peer.stft(x, scaling=scaling, boundary=boundary, padded=padded, **kwargs)
    kwargs = {k: kwargs[k] for k in ("fs", "window", "nperseg", "noverlap", "nfft")}
    if kwargs["nfft"] is None:
        kwargs["nfft"] = kwargs["nperseg"]
    kwargs |= {"scaling": scaling, "boundary": boundary is not None, "input_onesided": onesided}
    kwargs["freq_axis"] = axis if axis >= 0 else axis - 1
    if kwargs["nperseg"] > 1 or boundary is None:
        both("istft", z, **kwargs)
    if z.ndim > 2:
        kwargs["freq_axis"] %= z.ndim
        z = np.moveaxis(z, (-1, kwargs["freq_axis"]), (0, -1))
        if kwargs["nperseg"] > 1 or boundary is None:
            both("istft", z, **(kwargs | {"time_axis": 0, "freq_axis": -1}))


@given(n=st.integers(1, 80), size=st.integers(2, 16), data=st.data())
def test_inversion(n, size, data):
    x = sample(n, (2, n + size))
    overlap = data.draw(st.integers(size // 2, size - 1))
    z = signal.stft(x, nperseg=size, noverlap=overlap, window="hamming")[2]
    got = signal.istft(z, nperseg=size, noverlap=overlap, window="hamming", nfft=size)[1]
    np.testing.assert_allclose(np.asarray(got)[:, : n + size], x, atol=1e-12)


@pytest.mark.parametrize(
    ("window", "size", "overlap"), [("hann", 16, 8), ("hann", 16, 4), ("boxcar", 9, 6), ("hann", 8, 0)]
)
def test_overlap_conditions(window, size, overlap):
    assert signal.check_COLA(window, size, overlap) == peer.check_COLA(window, size, overlap)
    assert signal.check_NOLA(window, size, overlap) == peer.check_NOLA(window, size, overlap)


@given(
    n=st.integers(3, 40),
    normalize=st.sampled_from([False, True, "amplitude"]),
    weighted=st.booleans(),
    floating_mean=st.booleans(),
)
def test_lombscargle(n, normalize, weighted, floating_mean):
    rng = np.random.default_rng(n)
    t, y, f = np.sort(rng.uniform(0, 9, n)), rng.normal(size=n), rng.uniform(0.2, 9, 7)
    kwargs = {
        "normalize": normalize,
        "floating_mean": floating_mean,
        "weights": rng.uniform(0, 1, n) if weighted else None,
    }
    close([signal.lombscargle(t, y, f, **kwargs)], [peer.lombscargle(t, y, f, **kwargs)], 1e-8)
    close([signal.lombscargle(t, y, [0.0, 1.0])], [peer.lombscargle(t, y, np.arange(2.0))])


@given(n=st.integers(1, 50), axis=st.integers(-2, 1), dtype=st.sampled_from(["float64", "complex128", "complex64"]))
def test_goertzel(n, axis, dtype):
    x = sample(n, (n, 3) if axis in (0, -2) else (3, n), dtype)
    f = np.arange(n) * 4.0 / n
    want = np.fft.fft(x, axis=axis).astype(np.result_type(x, np.complex64))
    close([signal.goertzel(x, f, 4.0, axis)], [want])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: signal.welch(x, nperseg=6)[1],
        lambda x: signal.welch(x, nperseg=4, average="median", detrend="linear")[1],
        lambda x: signal.csd(x, x[::-1], nperseg=6)[1],
        lambda x: signal.periodogram(x, scaling="spectrum")[1],
        lambda x: signal.coherence(x, sa.square(x), nperseg=6)[1][1:],
        lambda x: signal.spectrogram(x, nperseg=5, mode="magnitude", detrend=False)[2],
        lambda x: signal.stft(x, nperseg=4, boundary="odd")[2],
        lambda x: signal.istft(signal.stft(x, nperseg=4)[2], nperseg=4)[1],
    ],
)
def test_gradients(f):
    check_grads(f, sa.asarray(sample(3, 13)), order=2)


def test_gradients_in_other_arguments():
    x = sa.asarray(sample(3, 13))
    check_grads(lambda w, fs: signal.welch(x, fs, window=w, noverlap=2)[1], sa.asarray([0.2, 0.9, 1.0, 0.3]), 3.0)
    check_grads(lambda t, y, f: signal.lombscargle(t, y, f, normalize=True), x[:6], x[6:12], sa.asarray([1.0, 2.5]))
    check_grads(lambda x, f: signal.goertzel(x, f, 4.0), x[:5], sa.asarray([0.3, 1.2]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.welch(sa.ones(9), scaling="x", nperseg=3), "welch: scaling must be"),
        (
            lambda: signal.welch(sa.ones(9), nperseg=4, noverlap=4),
            "welch: noverlap must be less than nperseg = 4, got 4",
        ),
        (lambda: signal.welch(sa.ones(9), nperseg=4, nfft=3), "welch: nfft must be at least nperseg = 4, got 3"),
        (lambda: signal.welch(sa.ones(9), window=sa.ones(4), nperseg=3), "welch: nperseg must be the length 4"),
        (lambda: signal.stft(sa.ones(9), boundary="x", nperseg=4), "stft: boundary must be None or one of"),
        (lambda: signal.istft(sa.ones(9)), "istft: the transforms must have at least 2 axes"),
        (lambda: signal.lombscargle([1.0], [1.0, 2.0], [1.0]), "lombscargle: x, y and weights must be vectors"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
