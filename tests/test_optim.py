"""Optimizers on problems with known solutions and against SciPy; updates against the formulas of their papers."""

import io
import math

import numpy as np
import pytest
import scipy.optimize

import sciarray as sa
from sciarray import optim


def rosenbrock(x):
    return (100.0 * sa.square(x[1:] - sa.square(x[:-1])) + sa.square(1.0 - x[:-1])).sum()


def quadratic(condition):
    """A quadratic of 20 variables with the given condition number, and its minimizer."""
    rng = np.random.default_rng(0)
    q, _ = np.linalg.qr(rng.standard_normal((20, 20)))
    a = sa.asarray((q * np.geomspace(1.0, condition, 20)) @ q.T)
    minimizer = rng.standard_normal(20)

    def f(x):
        d = x - sa.asarray(minimizer)
        return 0.5 * (d * (a @ d)).sum()

    return f, minimizer


def test_lbfgs_solves_rosenbrock_with_as_few_evaluations_as_scipy():
    evaluations = 0

    def counted(x):
        nonlocal evaluations
        evaluations += 1
        return rosenbrock(x)

    start = np.array([-1.2, 1.0] * 5)
    ours = optim.minimize(counted, sa.asarray(start), optim.LBFGS(), tol=1e-8)
    theirs = scipy.optimize.minimize(
        lambda x: [np.asarray(memoryview(v)) for v in sa.value_and_grad(rosenbrock)(sa.asarray(x))],
        start,
        jac=True,
        method="L-BFGS-B",
        options={"ftol": 0, "gtol": 1e-8},
    )
    assert ours.converged
    np.testing.assert_allclose(ours.params.tolist(), theirs.x, atol=1e-7)
    assert evaluations <= 1.5 * theirs.nfev


@pytest.mark.parametrize("condition", [1.0, 1e2, 1e3])
def test_lbfgs_on_quadratics(condition):
    f, minimizer = quadratic(condition)
    result = optim.minimize(f, sa.zeros(20), tol=1e-7)
    assert result.converged
    assert result.steps < 300
    np.testing.assert_allclose(result.params.tolist(), minimizer, atol=1e-6)


def test_every_line_search_step_satisfies_the_strong_wolfe_conditions():
    opt = optim.LBFGS()
    both = sa.value_and_grad(rosenbrock)
    params = sa.asarray([-1.2, 1.0])
    state = opt.init(params)
    value, grads = both(params)
    for _ in range(30):
        old_params, old_value, old_grads = params, float(value), grads
        params, state, value, grads = opt.step(both, params, state, value, grads)
        step = params - old_params
        slope = float((old_grads * step).sum())
        assert float(value) <= old_value + opt.c1 * slope
        assert abs(float((grads * step).sum())) <= -opt.c2 * slope


def test_lbfgs_steps_back_from_where_the_function_is_not_finite():
    result = optim.minimize(lambda x: x - sa.log(x), 1e-3, optim.LBFGS(), tol=1e-9)
    assert result.converged
    assert float(result.params) == pytest.approx(1.0, abs=1e-8)


def test_lbfgs_stops_where_nothing_improves():
    result = optim.minimize(lambda x: sa.abs(x).sum(), sa.zeros(2), optim.LBFGS(), tol=None, steps=5)
    assert result.steps == 0
    assert not result.converged


@pytest.mark.parametrize(
    ("optimizer", "steps"),
    [
        (optim.SGD(0.04), 800),
        (optim.SGD(0.02, momentum=0.9), 400),
        (optim.SGD(0.02, momentum=0.9, nesterov=True), 400),
        (optim.Adam(0.1), 800),
        (optim.AdamW(0.1, weight_decay=0.0), 800),
        (optim.LBFGS(), 50),
    ],
)
@pytest.mark.parametrize("record", [False, True])
def test_first_order_methods_on_a_quadratic(optimizer, steps, record):
    f, minimizer = quadratic(30.0)
    result = optim.minimize(f, sa.zeros(20), optimizer, steps, tol=1e-6, record=record)
    assert result.converged
    np.testing.assert_allclose(result.params.tolist(), minimizer, atol=1e-5)


def test_trees_complex_parameters_and_dtypes():
    target = np.array([1.0 - 2.0j, 0.5j])

    def f(p):
        loss = sa.square(sa.abs(p["z"] - sa.asarray(target))).sum()
        return loss + sa.astype(sa.square(p["pair"][0] - 3.0).sum(), "float64")

    start = {"z": sa.zeros(2, "complex128"), "pair": (sa.zeros((2, 1), "float32"), None)}
    for optimizer, steps in [(optim.SGD(0.2), 100), (optim.Adam(0.1), 1000), (optim.LBFGS(), 50)]:
        found = optim.minimize(f, start, optimizer, steps, tol=1e-5).params
        assert found["z"].dtype == "complex128"
        assert found["pair"][0].dtype == "float32"
        assert found["pair"][0].shape == (2, 1)
        np.testing.assert_allclose(found["z"].tolist(), target, atol=1e-4)
        np.testing.assert_allclose(found["pair"][0].tolist(), [[3.0], [3.0]], atol=1e-4)


def test_adam_follows_the_paper():
    opt = optim.AdamW(0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.3)
    params, state = [sa.asarray([1.0, -2.0])], opt.init([sa.asarray([1.0, -2.0])])
    x, m, v = np.array([1.0, -2.0]), np.zeros(2), np.zeros(2)
    for t in range(1, 6):
        g = np.array([np.sin(t), t])
        m, v = 0.8 * m + 0.2 * g, 0.95 * v + 0.05 * g**2
        x = x - 0.1 * 0.3 * x - 0.1 * (m / (1 - 0.8**t)) / (np.sqrt(v / (1 - 0.95**t)) + 1e-3)
        params, state = opt.update([g], state, params)
    np.testing.assert_allclose(params[0].tolist(), x, rtol=1e-12)
    assert int(state.updates) == 5


def test_momentum_and_weight_decay_follow_the_formula():
    for nesterov in (False, True):
        opt = optim.SGD(0.1, momentum=0.9, nesterov=nesterov, weight_decay=0.5)
        params, state = sa.asarray(1.0), opt.init(sa.asarray(1.0))
        x, v = 1.0, 0.0
        for t in range(5):
            g = math.cos(t) + 0.5 * x
            v = 0.9 * v + g
            x -= 0.1 * (g + 0.9 * v if nesterov else v)
            params, state = opt.update(math.cos(t), state, params)
        assert float(params) == pytest.approx(x, rel=1e-13, abs=0.0)


def test_learning_rate_schedule():
    opt = optim.SGD(lambda count: 1.0 / (1.0 + count))
    params, state = sa.asarray(0.0), opt.init(0.0)
    for _ in range(4):
        params, state = opt.update(-1.0, state, params)
    assert float(params) == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4)


def test_an_update_is_differentiable():
    def after(rate):
        opt = optim.SGD(lambda count: rate, momentum=0.5)
        x = sa.asarray(1.0)
        state = opt.init(x)
        for _ in range(2):
            x, state = opt.update(2.0 * x, state, x)
        return x

    # x1 = 1 - 2r, x2 = x1 - r (1 + 2 x1) = 1 - 5r + 4r^2
    assert float(sa.grad(after)(0.1)) == pytest.approx(-5 + 8 * 0.1)


def test_callback_sees_each_step_and_stops():
    seen = []

    def callback(step, value, params):
        seen.append((step, float(value), float(params)))
        return step == 3

    result = optim.minimize(sa.square, 1.0, optim.SGD(0.25), steps=10, callback=callback)
    assert [s for s, _, _ in seen] == [1, 2, 3]
    assert seen[-1] == (3, 1 / 64, 1 / 8)
    assert result.steps == 3


def test_progress_is_a_bar_on_terminals_and_lines_elsewhere(capsys):
    optim.minimize(sa.square, 1.0, optim.SGD(0.1), steps=100, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) <= 12
    assert "100/100" in lines[-1]
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    bar = optim._Progress(2, terminal)
    bar.show(1, 0.5)
    bar.close(2, 0.25)
    assert terminal.getvalue().count("\r") == 2


def test_bad_input():
    with pytest.raises(FloatingPointError, match="minimize: the function is inf at step"):
        optim.minimize(lambda x: sa.exp(sa.exp(x)), 1.0, optim.SGD(-100.0), steps=10)
    with pytest.raises(ValueError, match="minimize: steps must not be negative, got -1"):
        optim.minimize(sa.square, 1.0, steps=-1)
    with pytest.raises(ValueError, match=r"SGD: momentum must be in \[0, 1\), got 1.5"):
        optim.SGD(momentum=1.5)
    with pytest.raises(ValueError, match="SGD: nesterov needs a momentum above 0"):
        optim.SGD(nesterov=True)
    with pytest.raises(ValueError, match=r"AdamW: beta2 must be in \[0, 1\), got 1.0"):
        optim.AdamW(betas=(0.9, 1.0))
    with pytest.raises(ValueError, match="LBFGS: 0 < c1 < c2 < 1"):
        optim.LBFGS(c1=0.9, c2=0.1)
    opt = optim.SGD()
    state = opt.init([1.0, 2.0])
    with pytest.raises(ValueError, match="tree_map: trees must have the same structure"):
        opt.update([1.0], state, [1.0, 2.0])
