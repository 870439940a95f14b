"""Peaks and waveforms against SciPy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.signal as peer
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads

VALUES = st.lists(st.integers(-4, 6), max_size=40)
BOUND = st.one_of(st.none(), st.integers(0, 3), st.tuples(st.integers(0, 2), st.integers(2, 6)))


@given(
    x=VALUES,
    height=BOUND,
    threshold=BOUND,
    distance=st.one_of(st.none(), st.floats(1, 8)),
    prominence=BOUND,
    width=BOUND,
    wlen=st.one_of(st.none(), st.integers(2, 12)),
    rel_height=st.sampled_from([0.0, 0.5, 1.0, 1.5]),
    plateau_size=BOUND,
)
def test_find_peaks(x, **kwargs):
    x = np.asarray(x, dtype=float) + 1e-3 * np.sin(np.arange(len(x)))  # no ties for the distance
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got, want = signal.find_peaks(x, **kwargs), peer.find_peaks(x, **kwargs)
    np.testing.assert_array_equal(np.asarray(got[0]), want[0])
    assert list(got[1]) == list(want[1])
    for key, value in want[1].items():
        np.testing.assert_allclose(np.asarray(got[1][key]), value, atol=1e-12)


@given(x=VALUES, wlen=st.one_of(st.none(), st.integers(2, 9)), data=st.data())
@pytest.mark.filterwarnings("ignore")
def test_of_given_peaks_and_plateaus(x, wlen, data):
    x = np.asarray(x, dtype=float)
    np.testing.assert_array_equal(np.asarray(signal.find_peaks(x)[0]), peer.find_peaks(x)[0])
    if x.size:
        peaks = data.draw(st.lists(st.integers(0, x.size - 1), max_size=5))
        peaks = np.asarray(peaks, dtype=int)
        for got, want in zip(signal.peak_prominences(x, peaks, wlen), peer.peak_prominences(x, peaks, wlen)):
            np.testing.assert_array_equal(np.asarray(got), want)
        for got, want in zip(signal.peak_widths(x, peaks, 0.7, wlen=wlen), peer.peak_widths(x, peaks, 0.7, wlen=wlen)):
            np.testing.assert_allclose(np.asarray(got), want, atol=1e-12)
        for mode in ("clip", "wrap"):
            for name in ("argrelmax", "argrelmin"):
                got, want = (getattr(m, name)(x, order=2, mode=mode) for m in (signal, peer))
                np.testing.assert_array_equal(np.asarray(got[0]), want[0])


@pytest.mark.parametrize("method", ["linear", "quadratic", "logarithmic", "hyperbolic"])
@pytest.mark.parametrize("f1", [3.0, 9.0])
def test_chirps(method, f1):
    t = np.linspace(0, 1, 50)
    for kwargs in ({}, {"vertex_zero": False, "phi": 30}, {"complex": True}):
        want = peer.chirp(t, 3.0, 2.0, f1, method, **kwargs)
        np.testing.assert_allclose(signal.chirp(t, 3.0, 2.0, f1, method, **kwargs), want, atol=1e-10)
    check_grads(lambda *a: signal.chirp(t[1:4], *a, method), 3.0, 2.0, 9.0)


def test_waveforms():
    t = np.linspace(-9, 9, 101)
    for width in (0.0, 0.3, 1.0, 2.0):
        np.testing.assert_allclose(signal.sawtooth(t, width), peer.sawtooth(t, width), atol=1e-12)
        np.testing.assert_allclose(signal.square(t, width), peer.square(t, width))
    np.testing.assert_allclose(
        signal.sweep_poly(t / 9, [1.0, 2.0, 3.0], 40), peer.sweep_poly(t / 9, np.poly1d([1.0, 2, 3]), 40)
    )
    for got, want in zip(
        signal.gausspulse(t / 1000, 700, 0.4, retquad=True, retenv=True),
        peer.gausspulse(t / 1000, 700, 0.4, retquad=True, retenv=True),
    ):
        np.testing.assert_allclose(got, want, atol=1e-12)
    np.testing.assert_allclose(float(signal.gausspulse("cutoff", 5)), peer.gausspulse("cutoff", 5))
    for args in ((5,), ((3, 4), "mid"), ((3, 4), (1, 2)), ((3, 3), 2)):
        np.testing.assert_array_equal(signal.unit_impulse(*args), peer.unit_impulse(*args))
    x = sa.asarray([0.5, 2.0, 5.0])
    check_grads(lambda t, w: signal.sawtooth(t, w), x, 0.4)
    check_grads(lambda t, f, b: signal.gausspulse(t, f, b), x / 10, 2.0, 0.4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.find_peaks([[1.0]]), "find_peaks: the signal must be a vector"),
        (lambda: signal.find_peaks([1.0], distance=0.5), "find_peaks: distance must be at least 1, got 0.5"),
        (lambda: signal.find_peaks([1.0, 2.0, 1.0], height=np.ones(5)), "find_peaks: height must have one bound"),
        (lambda: signal.peak_prominences([1.0], [3]), "peak_prominences: peaks must be places in a signal of 1"),
        (lambda: signal.peak_widths([1.0], [0], -1), "peak_widths: rel_height must not be negative"),
        (lambda: signal.chirp(1.0, 1, 1, 1, "x"), "chirp: method must be one of"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
