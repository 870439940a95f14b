"""Replayed programs of signal processing equal the eager functions."""

from __future__ import annotations

import numpy as np
import pytest

import sciarray as sa
from sciarray import signal

RNG = np.random.default_rng(0)
X = sa.asarray(RNG.normal(size=(2, 60)))
H = sa.asarray(RNG.normal(size=5))
WINDOW = sa.asarray(np.hanning(18)[1:-1])
SPECTRA = sa.asarray(RNG.normal(size=(3, 4, 6)) + 1j * RNG.normal(size=(3, 4, 6)))

CASES = {
    "convolve": (lambda x, h: signal.convolve(x[0], h), X, H),
    "fftconvolve": (lambda x, h: signal.fftconvolve(x, h[None]), X, H),
    "oaconvolve": (lambda x, h: signal.oaconvolve(x, h[None], axes=-1), X, H),
    "convolve2d": (lambda x: signal.convolve2d(x, x[:, :3], boundary="wrap"), X),
    "hilbert": (signal.hilbert, X),
    "envelope": (signal.envelope, X),
    "resample": (lambda x: signal.resample(x, 37, axis=1, window="hann"), X),
    "resample_poly": (lambda x: signal.resample_poly(x, 3, 2, axis=1, padtype="line"), X),
    "detrend": (signal.detrend, X),
    "savgol_filter": (lambda x: signal.savgol_filter(x, 7, 2), X),
    "medfilt": (lambda x: signal.medfilt(x, (1, 5)), X),
    "wiener": (lambda x: signal.wiener(x[0], 5), X),
    "welch": (lambda x: signal.welch(x, nperseg=16), X),
    "welch with a window": (lambda x, w: signal.welch(x, 2.0, w), X, WINDOW),
    "coherence": (lambda x: signal.coherence(x[0], x[1], nperseg=16), X),
    "spectrogram": (lambda x: signal.spectrogram(x, nperseg=16, mode="magnitude"), X),
    "stft and istft": (lambda x: signal.istft(signal.stft(x, nperseg=16)[2], nperseg=16), X),
    "ShortTimeFFT": (lambda x, w: signal.ShortTimeFFT(w, 4, 1.0).stft(x), X, WINDOW),
    "ShortTimeFFT.istft": (lambda x: (s := signal.ShortTimeFFT(WINDOW, 4, 1.0)).istft(s.stft(x), k1=60), X),
    "torch_istft": (lambda x: signal.torch_istft(signal.torch_stft(x, 16, window="hann"), 16, window="hann"), X),
    "lombscargle": (lambda x: signal.lombscargle(x[0], x[1], [1.0, 2.0]), X),
    "goertzel": (lambda x: signal.goertzel(x, [0.1, 0.2]), X),
    "mfcc": (lambda x: signal.mfcc(x, 100.0, 3, n_fft=16, n_mels=6), X),
    "harmonic_percussive": (lambda x: signal.harmonic_percussive(sa.abs(x), (5, 1)), X),
    "mvdr": (lambda z: signal.mvdr(z, 0.5 + 0.1 * sa.sin(sa.arange(6.0)) * sa.ones((4, 1))), SPECTRA),
    "mvdr by power iteration": (lambda z: signal.mvdr(z, sa.full((4, 6), 0.4), solution="stv_power"), SPECTRA),
    "mvdr by an eigenvector": (lambda z: signal.mvdr(z, sa.full((4, 6), 0.4), solution="stv_evd"), SPECTRA),
    "tf2zpk": (lambda b: signal.tf2zpk(b, [1.0, 0.2, 0.5]), sa.asarray([1.0, -0.4, 0.7, 0.1])),
    "filtfilt by Gustafsson": (lambda x: signal.filtfilt([0.5], [1.0, -0.5], x, method="gust"), X),
    "freqz": (lambda x, h: signal.freqz(h, x[0, :3], 16), X, H),
    "firwin": (lambda c: signal.firwin(11, c, pass_zero=False), sa.asarray([0.2, 0.6])),
    "butter": (lambda c: signal.butter(3, c, "band"), sa.asarray([0.2, 0.6])),
    "ellip": (lambda r: signal.ellip(3, r, 40.0, 0.3, output="zpk"), sa.asarray(1.0)),
    "kaiser": (lambda b: signal.windows.kaiser(9, b), sa.asarray(3.0)),
    "chirp": (lambda f: signal.chirp(np.arange(5.0), f, 3.0, 2.0), sa.asarray(1.0)),
}


@pytest.mark.parametrize("name", CASES)
def test_replay(name):
    f, *args = CASES[name]
    program = sa.record(f)
    for scale in (1.0, 1.5):
        scaled = [a if a.ndim == 0 or a.shape == (2,) else a * scale for a in args]
        got, want = program(*scaled), f(*scaled)
        for g, w in zip(*((v if isinstance(v, tuple) else (v,)) for v in (got, want))):
            np.testing.assert_allclose(np.asarray(g), np.asarray(w), rtol=1e-12, atol=1e-12)
