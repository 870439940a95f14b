"""Mel scales, cepstra, Griffin-Lim, harmonic and percussive parts, and beamforming."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.fft
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads


def sample(seed, shape, dtype="float64"):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


@given(f=st.floats(0, 2e4), scale=st.sampled_from(["htk", "slaney"]))
def test_mel_scales(f, scale):
    np.testing.assert_allclose(float(signal.mel_to_hz(signal.hz_to_mel(f, scale), scale)), f, atol=1e-9)


def test_values_of_mel_scales():
    np.testing.assert_allclose(signal.hz_to_mel([0, 700, 6300]), [0, 2595 * np.log10(2), 2595])
    np.testing.assert_allclose(signal.hz_to_mel([100, 1000, 6400], "slaney"), [1.5, 15, 42])


@pytest.mark.parametrize("scale", ["htk", "slaney"])
def test_filter_bank(scale):
    bank = np.asarray(signal.mel_filter_bank(20, 1024, 16000.0, 100.0, 7000.0, scale))
    f = np.fft.rfftfreq(1024, 1 / 16000)
    edges = np.asarray(signal.hz_to_mel([100.0, 7000.0], scale))
    corners = np.asarray(signal.mel_to_hz(np.linspace(*edges, 22), scale))
    for row, (a, b, c) in zip(bank, zip(corners, corners[1:], corners[2:])):
        np.testing.assert_allclose(row, np.interp(f, [a, b, c], [0, 1, 0]), atol=1e-12)
    inside = (f > corners[1]) & (f < corners[-2])
    np.testing.assert_allclose(bank.sum(0)[inside], 1.0)
    equal = np.asarray(signal.mel_filter_bank(20, 16384, 16000.0, scale=scale, norm="slaney"))
    np.testing.assert_allclose(equal.sum(1) * 16000 / 16384, 1.0, rtol=0.01)


def test_cepstra():
    x = sample(0, (2, 400))
    power = np.asarray(signal.mel_spectrogram(x, 8000.0, 64, 16, n_mels=10))
    assert power.shape == (2, 10, 26)
    wide = np.pad(x, ((0, 0), (32, 32)), mode="reflect")
    window = np.hanning(65)[:-1]
    z = np.fft.rfft(wide[1, 48:112] * window)
    np.testing.assert_allclose(power[1, :, 3], np.asarray(signal.mel_filter_bank(10, 64, 8000.0)) @ np.abs(z) ** 2)
    got = signal.mfcc(x, 8000.0, 4, n_fft=64, hop=16, n_mels=10)
    np.testing.assert_allclose(got, scipy.fft.dct(10 * np.log10(power), axis=1, norm="ortho")[:, :4], atol=1e-10)


def test_phases_from_magnitudes():
    t = np.arange(2000)
    x = np.sin(0.3 * t + 2e-5 * t * t) + 0.3 * np.sin(1.1 * t)
    SFT = signal.ShortTimeFFT.from_window("hann", 1.0, 128, 96)
    S = np.abs(np.asarray(SFT.stft(x)))
    errors = []
    for n_iter in (0, 5, 60):
        y = signal.griffin_lim(S, SFT, 2000, n_iter=n_iter)
        errors.append(np.linalg.norm(np.abs(np.asarray(SFT.stft(y))) - S) / np.linalg.norm(S))
    assert errors[2] < 0.1 and errors[2] < errors[1] < errors[0]
    exact = signal.griffin_lim(S, SFT, 2000, n_iter=0, angles=np.angle(np.asarray(SFT.stft(x))))
    np.testing.assert_allclose(exact, x, atol=1e-12)


def test_harmonic_and_percussive_parts():
    rng = np.random.default_rng(0)
    tone, click = np.zeros((40, 50)), np.zeros((40, 50))
    tone[[5, 12, 30]], click[:, [10, 33]] = 1.0, 0.8
    S = (tone + click) * np.exp(2j * np.pi * rng.uniform(size=(40, 50)))
    harmonic, percussive = (np.asarray(p) for p in signal.harmonic_percussive(S, 9))
    np.testing.assert_allclose(harmonic + percussive, S, atol=1e-12)
    alone = (tone > 0) ^ (click > 0)
    np.testing.assert_allclose(np.abs(harmonic)[alone & (tone > 0)], 1.0)
    np.testing.assert_allclose(np.abs(percussive)[alone & (click > 0)], 0.8)
    quiet = signal.harmonic_percussive(np.abs(S) + 0.01, (9, 11), margin=3.0)
    assert np.all(np.asarray(quiet[0] + quiet[1]) <= np.abs(S) + 0.01 + 1e-12)


def room(seed=0, channels=4, freqs=5, slices=60):
    """A source seen through steering vectors, and noise from another direction."""
    v, d = (sample(seed + k, (freqs, channels), "complex128") for k in (1, 2))
    source, noise = (sample(seed + k, (freqs, slices), "complex128") for k in (3, 4))
    source[:, ::2] = 0
    x = (
        v.T[:, :, None] * source
        + d.T[:, :, None] * noise * 2
        + 0.05 * sample(seed + 5, (channels, freqs, slices), "complex128")
    )
    return x, v, source


def test_covariances_add_up():
    x, _, _ = room()
    mask = np.random.default_rng(0).uniform(size=x.shape[1:])
    whole, weight = signal.spatial_covariance(x, mask)
    np.testing.assert_allclose(
        np.asarray(whole), np.einsum("cft,dft,ft->fcd", x, x.conj(), mask) / mask.sum(1)[:, None, None]
    )
    part = None
    for k in range(0, 60, 20):
        part = signal.spatial_covariance(x[..., k : k + 20], mask[:, k : k + 20], part)
    np.testing.assert_allclose(np.asarray(part[0]), np.asarray(whole), atol=1e-12)
    np.testing.assert_allclose(np.asarray(part[1]), np.asarray(weight))
    each = np.stack([mask * c for c in (0.5, 1.0, 1.5, 1.0)])
    np.testing.assert_allclose(np.asarray(signal.spatial_covariance(x, each)[0]), np.asarray(whole), atol=1e-12)


@pytest.mark.parametrize("solution", ["ref_channel", "stv_evd", "stv_power"])
def test_beams_keep_the_source(solution):
    x, v, source = room()
    psd_s = v[:, :, None] * v[:, None, :].conj()
    psd_n = signal.spatial_covariance(x[..., ::2])[0]
    w = signal.mvdr_weights(psd_s, psd_n, 1, solution, diag_loading=0.0)
    # As the reference channel has it.
    np.testing.assert_allclose(np.sum(np.asarray(w).conj() * v, -1), v[:, 1], rtol=1e-5)
    beam = np.asarray(signal.beamform(w, x))
    clean = v[:, 1, None] * source
    assert np.linalg.norm(beam - clean) < 0.15 * np.linalg.norm(x[1] - clean)
    best = np.linalg.solve(np.asarray(psd_n), v[..., None])[..., 0]
    best = best / np.sum(v.conj() * best, -1)[:, None] * v[:, 1, None].conj()
    np.testing.assert_allclose(np.asarray(w), best, rtol=1e-4, atol=1e-6)
    channel = signal.mvdr_weights(psd_s, psd_n, np.eye(4)[1], solution, diag_loading=0.0)
    np.testing.assert_allclose(np.asarray(channel), np.asarray(w))


def test_masked_beam():
    x, v, source = room()
    mask = np.where(source != 0, 1.0, 0.0)
    beam = np.asarray(signal.mvdr(x, mask, solution="ref_channel"))
    clean = v[:, 0, None] * source
    assert np.linalg.norm(beam - clean) < 0.6 * np.linalg.norm(x[0] - clean)


@pytest.mark.parametrize("solution", ["ref_channel", "stv_evd", "stv_power"])
def test_gradients_of_beams(solution):
    x, _, _ = room(1, 2, 1, 5)
    mask = sa.asarray(np.random.default_rng(0).uniform(0.2, 0.8, (1, 5)))
    check_grads(lambda x, m: signal.mvdr(x, m, solution=solution, diag_loading=0.1), sa.asarray(x), mask, rtol=1e-5)


def test_gradients():
    x = sa.asarray(sample(1, 24))
    check_grads(lambda x: signal.mfcc(x, 8000.0, 3, n_fft=8, n_mels=4), x, order=1)
    check_grads(lambda a, b: signal.mel_filter_bank(3, 16, 8000.0, a, b), 130.0, 3900.0, rtol=1e-4)
    SFT = signal.ShortTimeFFT.from_window("hamming", 1.0, 4, 2)
    S = sa.abs(SFT.stft(x[:9])) + 0.1
    check_grads(lambda S: signal.griffin_lim(S, SFT, 9, n_iter=2), S, order=1)
    check_grads(lambda S: signal.harmonic_percussive(S, 3), sa.asarray(np.abs(sample(2, (4, 5))) + 0.1), order=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.hz_to_mel(1.0, "x"), "hz_to_mel: scale must be 'htk' or 'slaney', got 'x'"),
        (lambda: signal.mfcc(sa.ones(64), 8e3, 50, n_fft=16), "mfcc: n_mfcc must be in"),
        (lambda: signal.harmonic_percussive(sa.ones((3, 3)), 4), "harmonic_percussive: kernel sizes must be odd"),
        (
            lambda: signal.spatial_covariance(sa.ones((2, 3, 4)), sa.ones((3, 3))),
            "spatial_covariance: the mask must end",
        ),
        (lambda: signal.mvdr_weights(sa.eye(2), sa.eye(2), 5), "mvdr_weights: reference must be one of 2 channels"),
        (lambda: signal.mvdr_weights(sa.eye(2), sa.eye(2), solution="x"), "mvdr_weights: solution must be"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
