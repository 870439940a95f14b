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
    assert float(value) == pytest.approx(ecg.numpy_loss(theta, stretch), rel=1e-12, abs=0.0)
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
    assert float(value) == pytest.approx(process.numpy_loss(flat, t, y), rel=1e-10, abs=0.0)
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


@pytest.fixture(scope="module")
def rotation():
    return load("rotation_fit")


def test_nearest_rotation_and_its_gradient(rotation):
    rng = np.random.default_rng(4)
    C = rng.standard_normal((3, 3))
    slope = sa.grad(lambda M: (sa.asarray(C) * rotation.nearest_rotation(M)).sum())
    for turn in (np.zeros(3), rotation.TURN, rng.uniform(-180, 180, 3)):
        R = rotation.rotation_of(turn)
        assert np.allclose(R @ R.T, np.eye(3), rtol=1e-12, atol=1e-13) and np.linalg.det(R) == pytest.approx(1)
        for scale in (1.0, 3.0):
            want = rotation.gradient_at_rotation(R, C) / scale
            assert np.allclose(slope(sa.asarray(scale * R)), want, rtol=0, atol=1e-14)
    separate = R @ np.diag([3.0, 2.0, 1.0])
    assert np.allclose(slope(sa.asarray(separate)), rotation.textbook_gradient(separate, C), rtol=1e-12, atol=1e-13)
    reflected = np.asarray(rotation.nearest_rotation(sa.asarray(-np.eye(3) + 0.1 * C)))
    assert np.linalg.det(reflected) == pytest.approx(1)


def test_the_camera_finds_its_attitude(rotation):
    rays, _ = rotation.load()
    stars, truth = sa.asarray(rays), rotation.rotation_of(rotation.TURN)
    focal, distortion = sa.asarray(rotation.FOCAL), sa.asarray(rotation.DISTORTION)
    image = rotation.project(stars @ sa.asarray(truth).mT, focal, distortion)
    result = sa.optim.minimize(lambda p: rotation.loss(p, stars, image), rotation.START, steps=100)
    found = np.asarray(rotation.nearest_rotation(result.params["frame"]))
    assert rotation.angle(found, truth) < 1e-4
    assert float(sa.exp(result.params["focal"])) == pytest.approx(rotation.FOCAL, rel=1e-5, abs=0.0)
    seen = rotation.unprojected(image, rotation.FOCAL, rotation.DISTORTION)
    assert rotation.angle(np.asarray(rotation.wahba(seen, stars)), truth) < 1e-10


@pytest.fixture(scope="module")
def training(ecg):
    return load("record_training")


def test_the_recorded_training_step_has_the_bits_of_the_plain_one(training, stretch, tmp_path):
    plain, replayed = training.Training(stretch), training.Training(stretch)
    step = sa.record(replayed.step)
    assert training.train(plain.step, 6)[0] == training.train(step, 6)[0]
    np.testing.assert_array_equal(plain.theta, replayed.theta)
    (graph,) = step.graphs
    assert {n.scope.split(".")[0] for n in graph.nodes() if n.scope} == {"adam", "loss"}
    again, arrays = training.resumed(graph, tmp_path / "step.zip")
    assert training.train(again, 3)[0] == training.train(step, 3)[0]
    assert any(np.array_equal(x, replayed.theta) for x in arrays)


def test_features_tell_shapes_apart_that_the_network_never_saw():
    example = load("features")
    rng = np.random.default_rng(0)
    params, _ = example.train(120, rng)
    assert example.accuracy(params, rng) > 0.9
    x, labels = example.pictures((*example.SHAPES, example.UNSEEN), 200, rng)
    forward = sa.record(lambda x: example.network(params, x))
    forward(x)
    (graph,) = forward.graphs
    cut = graph.extract([example.FEATURES])
    assert not [n.name for n in cut.nodes() if n.name.startswith("head")]
    assert [n.name for n in cut.nodes()].count("block1.convolve_1") == 1
    features = np.asarray(cut(sa.asarray(x))[0])
    assert features.shape == (200, example.CHANNELS[1]) and example.separation(features, labels) > 0.8


def check_gradient(f, gradient, flat, places, step):
    for i in places:
        d = step * np.eye(1, len(flat), i)[0]
        difference = (f(flat + d) - f(flat - d)) / (2 * step)
        assert gradient[i] == pytest.approx(difference, rel=2e-4, abs=1e-7)


def test_equalizer_agrees_with_numpy_and_flattens():
    example = load("iir_equalizer")
    h = example.measured(np.random.default_rng(0))
    theta = example.start() + np.random.default_rng(1).normal(size=(3, example.SECTIONS)) / 10
    value, gradient = sa.value_and_grad(lambda theta: example.loss(theta, sa.asarray(h)))(sa.asarray(theta))
    flat = theta.ravel()
    assert float(value) == pytest.approx(example.numpy_loss(flat, h), rel=1e-9, abs=0.0)
    check_gradient(lambda t: example.numpy_loss(t, h), np.asarray(gradient).ravel(), flat, (0, 14, 30), 1e-5)
    _, values = example.fit(h, 60)
    assert values[-1] < values[0] / 20


def test_short_time_mask_agrees_with_numpy_and_cleans():
    example = load("stft_denoise")
    clean = example.load_reference()[:4000]
    noisy = clean + example.muscle_noise(len(clean), np.random.default_rng(0))
    params = {k: sa.asarray(v) for k, v in example.start().items()}
    value, gradient = sa.value_and_grad(lambda p: example.loss(p, sa.asarray(noisy), sa.asarray(clean)))(params)
    flat = example.flattened(params)
    assert float(value) == pytest.approx(example.numpy_loss(flat, noisy, clean), rel=1e-9, abs=0.0)
    places = (3, 20, example.FREQUENCIES, example.FREQUENCIES + 1, len(flat) - 40)
    check_gradient(lambda t: example.numpy_loss(t, noisy, clean), example.flattened(gradient), flat, places, 1e-5)
    found, _ = example.fit(noisy, clean, 40)
    cleaned = np.asarray(example.denoise(found, sa.asarray(noisy)))
    assert example.snr(cleaned, clean) > example.snr(noisy, clean) + 8


def test_beamformer_lets_less_noise_through():
    example = load("mvdr_room")
    clean, noise = (x[:, : 2 * example.RATE] for x in example.scene(np.random.default_rng(0)))
    theta, values = example.fit(clean + noise, clean, 10)
    assert values[-1] < values[0] - 0.5
    w = example.beam(theta, example.spectra(clean + noise))
    gained = example.ratio(example.applied(w, clean), example.applied(w, noise)) - example.ratio(clean[0], noise[0])
    assert gained > 2
