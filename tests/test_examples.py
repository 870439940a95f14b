"""The computations of the examples: right against their NumPy twins, and good enough to be shown."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import sciarray as sa

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ecg():
    pytest.importorskip("matplotlib")
    return load("ecg_denoise")


@pytest.fixture(scope="module")
def stretch(ecg):
    clean = ecg.load_reference()[: ecg.TRAIN]
    return ecg.Stretch(clean + ecg.disturbance(len(clean), np.random.default_rng(0)), clean)


def test_ecg_loss_and_gradient_agree_with_numpy(ecg, stretch):
    theta = np.random.default_rng(1).uniform(-1.0, 2.0, len(ecg.KNOTS))
    value, gradient = sa.value_and_grad(lambda theta: ecg.loss(theta, stretch))(sa.asarray(theta))
    assert float(value) == pytest.approx(ecg.numpy_loss(theta, stretch), rel=1e-12)
    for i in (0, 5, 70, 198):
        step = 1e-5 * np.eye(len(theta))[i]
        difference = (ecg.numpy_loss(theta + step, stretch) - ecg.numpy_loss(theta - step, stretch)) / 2e-5
        assert float(gradient[i]) == pytest.approx(difference, rel=1e-5, abs=1e-9)


def test_ecg_filter_gains_twenty_decibels_within_a_hundred_steps(ecg, stretch):
    result = sa.optim.minimize(
        lambda theta: ecg.loss(theta, stretch), sa.full(len(ecg.KNOTS), 1.0), sa.optim.Adam(0.1), 100, record=True
    )
    cleaned = np.asarray(ecg.denoise(result.params, stretch))
    assert ecg.snr(cleaned, stretch.clean) > ecg.snr(stretch.noisy, stretch.clean) + 20


def check_gradient(f, gradient, flat, places, step):
    for i in places:
        d = step * np.eye(1, len(flat), i)[0]
        difference = (f(flat + d) - f(flat - d)) / (2 * step)
        assert gradient[i] == pytest.approx(difference, rel=2e-4, abs=1e-7)


def test_equalizer_agrees_with_numpy_and_flattens(ecg):
    example = load("iir_equalizer")
    h = example.measured(np.random.default_rng(0))
    theta = example.start() + np.random.default_rng(1).normal(size=(3, example.SECTIONS)) / 10
    value, gradient = sa.value_and_grad(lambda theta: example.loss(theta, sa.asarray(h)))(sa.asarray(theta))
    flat = theta.ravel()
    assert float(value) == pytest.approx(example.numpy_loss(flat, h), rel=1e-9)
    check_gradient(lambda t: example.numpy_loss(t, h), np.asarray(gradient).ravel(), flat, (0, 14, 30), 1e-5)
    _, values = example.fit(h, 60)
    assert values[-1] < values[0] / 20


def test_short_time_mask_agrees_with_numpy_and_cleans(ecg):
    example = load("stft_denoise")
    clean = example.load_reference()[:4000]
    noisy = clean + example.muscle_noise(len(clean), np.random.default_rng(0))
    params = {k: sa.asarray(v) for k, v in example.start().items()}
    value, gradient = sa.value_and_grad(lambda p: example.loss(p, sa.asarray(noisy), sa.asarray(clean)))(params)
    flat = example.flattened(params)
    assert float(value) == pytest.approx(example.numpy_loss(flat, noisy, clean), rel=1e-9)
    places = (3, 20, example.FREQUENCIES, example.FREQUENCIES + 1, len(flat) - 40)
    check_gradient(lambda t: example.numpy_loss(t, noisy, clean), example.flattened(gradient), flat, places, 1e-5)
    found, _ = example.fit(noisy, clean, 40)
    cleaned = np.asarray(example.denoise(found, sa.asarray(noisy)))
    assert example.snr(cleaned, clean) > example.snr(noisy, clean) + 8


def test_beamformer_lets_less_noise_through(ecg):
    example = load("mvdr_room")
    clean, noise = (x[:, : 2 * example.RATE] for x in example.scene(np.random.default_rng(0)))
    theta, values = example.fit(clean + noise, clean, 10)
    assert values[-1] < values[0] - 0.5
    w = example.beam(theta, example.spectra(clean + noise))
    gained = example.ratio(example.applied(w, clean), example.applied(w, noise)) - example.ratio(clean[0], noise[0])
    assert gained > 2
