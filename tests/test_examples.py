"""The computations of the examples: right against their NumPy twins, and good enough to be shown."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import sciarray as sa

# The examples use each other's helpers.
sys.path.append(str(Path(__file__).resolve().parents[1] / "examples"))


def load(name):
    pytest.importorskip("matplotlib")
    return importlib.import_module(name)


@pytest.fixture(scope="module")
def ecg():
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


@pytest.fixture(scope="module")
def process():
    return load("gaussian_process")


def test_gaussian_process_gradient_agrees_with_numpy(process):
    t, y = process.load()
    t, y = t[:120], y[:120] - y[:120].mean()
    p = {k: sa.asarray(v) for k, v in process.START.items()}
    value, gradient = sa.value_and_grad(lambda p: process.loss(p, sa.asarray(t), sa.asarray(y)))(p)
    flat, slope = process.flattened(p), process.flattened(gradient)
    assert float(value) == pytest.approx(process.numpy_loss(flat, t, y), rel=1e-10)
    for i in range(11):
        step = 1e-4 * np.eye(11)[i]
        difference = (process.numpy_loss(flat + step, t, y) - process.numpy_loss(flat - step, t, y)) / 2e-4
        assert slope[i] == pytest.approx(difference, rel=1e-5, abs=1e-7)


def test_gaussian_process_predicts_the_next_years(process):
    t, y = process.load()
    known = slice(300, 540)
    level = y[known].mean()
    result = sa.optim.minimize(
        lambda p: process.loss(p, sa.asarray(t[known]), sa.asarray(y[known] - level)), process.START, steps=5
    )
    mean, sd = process.predict(result.params, t[known], y[known] - level, t[540:600])
    error = y[540:600] - level - mean
    assert np.all(sd > 0) and np.sqrt(np.mean(error**2)) < 3 and np.mean(np.abs(error) < 2.5 * sd) > 0.9
