"""The computations of the examples: right against their NumPy twins, and good enough to be shown."""

import importlib.util
import sys
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


@pytest.fixture(scope="module")
def training(ecg):
    sys.modules.setdefault("ecg_denoise", ecg)
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
    pytest.importorskip("matplotlib")
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
