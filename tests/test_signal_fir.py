"""Design of FIR filters against SciPy, and derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal as peer
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads


@given(
    numtaps=st.integers(1, 60),
    cutoff=st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4, unique=True).map(sorted),
    pass_zero=st.booleans(),
    scale=st.booleans(),
    fs=st.sampled_from([None, 48.0]),
    window=st.sampled_from(["hamming", ("kaiser", 4.0), "boxcar"]),
)
def test_firwin(numtaps, cutoff, pass_zero, scale, fs, window):
    cutoff = np.asarray(cutoff) * (1 if fs is None else fs / 2)
    kwargs = {"pass_zero": pass_zero, "scale": scale, "fs": fs, "window": window}
    if (len(cutoff) % 2 == 1) != pass_zero:
        numtaps |= 1
    want = peer.firwin(numtaps, cutoff, **kwargs)
    assert np.abs(np.asarray(signal.firwin(numtaps, cutoff, **kwargs)) - want).max() <= 1e-12 * max(1, abs(want).max())


@pytest.mark.parametrize("kind", ["lowpass", "highpass", "bandpass", "bandstop"])
def test_firwin_by_name_and_width(kind):
    cutoff = 0.3 if kind in ("lowpass", "highpass") else [0.2, 0.6]
    for kwargs in ({"pass_zero": kind}, {"pass_zero": kind, "width": 0.1}):
        np.testing.assert_allclose(signal.firwin(31, cutoff, **kwargs), peer.firwin(31, cutoff, **kwargs), atol=1e-14)


@pytest.mark.parametrize("numtaps", [10, 31])
@pytest.mark.parametrize("antisymmetric", [False, True])
def test_firwin2(numtaps, antisymmetric):
    freq, gain = [0.0, 3.0, 3.0, 5.0], [0.0, 1.0, 0.3, 0.0]
    for kwargs in ({}, {"nfreqs": 70, "window": ("tukey", 0.4)}):
        got = signal.firwin2(numtaps, freq, gain, antisymmetric=antisymmetric, fs=10.0, **kwargs)
        want = peer.firwin2(numtaps, freq, gain, antisymmetric=antisymmetric, fs=10.0, **kwargs)
        np.testing.assert_allclose(got, want, atol=1e-14)


def test_firls():
    bands, desired = [[0, 1], [2, 3.5], [4, 5]], [[1, 1], [0, 2], [0.5, 0]]
    for weight in (None, [1.0, 20.0, 3.0]):
        for n in (1, 21):
            want = peer.firls(n, bands, desired, weight=weight, fs=10)
            np.testing.assert_allclose(signal.firls(n, bands, desired, weight=weight, fs=10), want, atol=1e-10)


EQUIRIPPLE = {
    "bandpass": ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [0.1, 1.0, 0.0], [1.0, 2.0, 10.0]),
    "differentiator": ([0.02, 0.2, 0.3, 0.48], [2.0, 0.0], [1.0, 3.0]),
    "hilbert": ([0.05, 0.2, 0.25, 0.44], [1.0, 0.5], [1.0, 3.0]),
}


@pytest.mark.parametrize("kind", EQUIRIPPLE)
@pytest.mark.parametrize("numtaps", [11, 12, 34, 45])
def test_remez(kind, numtaps):
    bands, gains, weight = EQUIRIPPLE[kind]
    if numtaps % 2 == 0 and kind == "bandpass" or numtaps % 2 == 1 and kind != "bandpass":
        bands = [*bands[:-1], 0.45]
    h = np.asarray(signal.remez(numtaps, bands, gains, weight=weight, type=kind, maxiter=100))
    coarse = peer.remez(numtaps, bands, gains, weight=weight, type=kind, maxiter=100, grid_density=64)
    np.testing.assert_allclose(h, coarse, atol=2e-4)
    fs = np.asarray(signal.remez(numtaps, np.multiply(bands, 8), gains, weight=weight, type=kind, maxiter=100, fs=8.0))
    if kind != "differentiator":
        np.testing.assert_allclose(fs, h, atol=1e-9)
    # The theorem of alternation: one extreme more than coefficients, all equally high.
    j = np.arange(numtaps) - (numtaps - 1) / 2
    heights = []
    for a, b, gain, w in zip(bands[::2], bands[1::2], gains, weight):
        f = np.linspace(a, b, 20001)
        amplitude = (np.cos if kind == "bandpass" else np.sin)(2 * np.pi * f[:, None] * j) @ h
        slope = kind == "differentiator"
        error = w * (amplitude * (1 if kind == "bandpass" else -1) - gain * (f if slope else 1))
        error = error / f if slope and gain else error
        tops = np.flatnonzero(np.diff(np.sign(np.diff(error)))) + 1
        heights += list(error[[0, *tops, -1]])
    heights = np.asarray(heights)
    level = np.abs(heights).max()
    high = heights[np.abs(heights) > level * (1 - 1e-5)]
    coefficients = numtaps // 2 + (numtaps % 2 == 1 and kind == "bandpass")
    assert np.count_nonzero(np.diff(np.sign(high))) + 1 >= coefficients + 1


@pytest.mark.parametrize("kind", EQUIRIPPLE)
def test_gradients_of_remez(kind):
    bands, gains, weight = EQUIRIPPLE[kind]
    bands = sa.asarray([bands[0] + 0.01, *bands[1:-1], 0.44])
    f = lambda b, g, w: signal.remez(10, b, g, weight=w, type=kind)
    check_grads(f, bands, sa.asarray(gains), sa.asarray(weight), rtol=1e-4, atol=1e-5)


@pytest.mark.filterwarnings("ignore:h does not")
def test_minimum_phase():
    h = peer.firwin(41, 0.3)
    for kwargs in ({}, {"half": False}, {"n_fft": 501}):
        np.testing.assert_allclose(signal.minimum_phase(h, **kwargs), peer.minimum_phase(h, **kwargs), atol=1e-12)
    equal = peer.remez(31, [0, 0.2, 0.3, 1.0], [1, 0], fs=2)
    # The zeros of the ripple are rounding, of which the method takes logarithms.
    np.testing.assert_allclose(signal.minimum_phase(equal, "hilbert"), peer.minimum_phase(equal, "hilbert"), atol=1e-3)


def test_kaiser_formulas():
    for a in (10.0, 21.0, 30.0, 50.0, 65.0):
        np.testing.assert_allclose(signal.kaiser_beta(a), peer.kaiser_beta(a))
        np.testing.assert_allclose(float(signal.kaiser_beta(sa.asarray(a))), peer.kaiser_beta(a))
    assert signal.kaiserord(65.0, 0.04) == pytest.approx(peer.kaiserord(65.0, 0.04))
    assert signal.kaiser_atten(100, 0.1) == pytest.approx(peer.kaiser_atten(100, 0.1))


def test_gradients():
    check_grads(lambda c: signal.firwin(9, c, pass_zero=False), sa.asarray([0.3, 0.6]))
    check_grads(lambda c, w: signal.firwin(9, c, width=w), 0.3, 0.7)
    check_grads(lambda c: signal.firwin(9, c, pass_zero="highpass", window=("kaiser", 3.0)), 0.3)
    check_grads(lambda g: signal.firwin2(9, [0, 0.3, 0.6, 1], g), sa.asarray([1.0, 0.5, 1.0, 0.2]))
    check_grads(
        lambda d, w: signal.firls(7, [0, 0.2, 0.5, 1], d, weight=w),
        sa.asarray([1.0, 0.9, 0.2, 0.1]),
        sa.asarray([1.0, 3]),
    )
    check_grads(lambda h: signal.minimum_phase(h, n_fft=32), sa.asarray([0.1, 0.3, 0.9, 0.3, 0.1]), order=1)
    check_grads(signal.kaiser_beta, sa.asarray([30.0, 60.0]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.firwin(5, 1.0), "firwin: cutoff must lie between 0 and fs / 2"),
        (lambda: signal.firwin(5, [0.3, 0.2]), "firwin: cutoff must be strictly rising"),
        (lambda: signal.firwin(4, 0.3, pass_zero=False), "firwin: a filter that passes fs / 2"),
        (lambda: signal.firwin(4, 0.3, pass_zero="bandpass"), "firwin: bandpass needs two or more"),
        (lambda: signal.firwin2(4, [0, 1], [1, 1]), "firwin2: 4 taps of this symmetry need gain 0 at fs / 2"),
        (lambda: signal.firwin2(5, [0, 0.9], [1, 1]), "firwin2: freq must run from 0"),
        (lambda: signal.firls(4, [0, 1], [1, 1]), "firls: numtaps must be odd"),
        (lambda: signal.kaiserord(5, 0.1), "kaiserord: the ripple must be at least 8 dB"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
