"""Recordings read closed-over arrays afresh, repeat in-place updates and random draws, and branch where Python did."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import testing

X = sa.asarray([0.3, -1.2, 2.0])


def same(actual, desired):
    a, d = np.asarray(actual), np.asarray(desired)
    assert a.dtype == d.dtype
    np.testing.assert_array_equal(a, d)


def counted(f):
    """The function, recorded, and how often Python has run it."""
    runs = []

    def g(*args):
        runs.append(len(args))
        return f(*args)

    return sa.record(g), runs


def test_closed_over_arrays_are_read_afresh():
    c = sa.asarray([1.0, 2.0, 3.0])
    f, runs = counted(lambda x: x * c)
    same(f(X), np.asarray(X) * [1.0, 2.0, 3.0])
    c[0] = -5.0
    same(f(X), np.asarray(X) * [-5.0, 2.0, 3.0])
    c *= 2.0
    same(f(X), np.asarray(X) * [-10.0, 4.0, 6.0])
    assert len(runs) == 1


SCALE = sa.asarray(2.0)


def test_rebound_names_are_followed():
    global SCALE
    local = {"w": [sa.asarray(1.0)]}

    class Model:
        def __init__(self):
            self.b = sa.asarray(0.5)

    model = Model()
    f, runs = counted(lambda x: x * SCALE * local["w"][0] + model.b)
    plain = np.asarray(X)
    same(f(X), plain * 2.0 + 0.5)
    SCALE = sa.asarray(3.0)
    local["w"][0] = sa.asarray(-1.0)
    model.b = sa.asarray(1.5)
    same(f(X), plain * 3.0 * -1.0 + 1.5)
    local["w"] = [sa.asarray(10.0)]
    same(f(X), plain * 3.0 * 10.0 + 1.5)
    assert len(runs) == 1
    model.b = sa.ones(3, dtype="float32")
    same(f(X), plain * 30.0 + 1.0)
    assert len(runs) == 2


def test_names_that_part_are_recorded_anew():
    class Model:
        def __init__(self):
            self.start = self.w = sa.asarray(2.0)

    model = Model()
    f, runs = counted(lambda x: x * model.w)
    same(f(X), 2.0 * np.asarray(X))
    model.start = sa.asarray(7.0)
    same(f(X), 2.0 * np.asarray(X))
    model.w = sa.asarray(3.0)
    same(f(X), 3.0 * np.asarray(X))
    same(f(X), 3.0 * np.asarray(X))
    assert len(runs) <= 3


def test_an_argument_is_not_the_closed_over_array_it_was():
    c = sa.asarray([1.0, 1.0, 1.0])
    f = sa.record(lambda x: x + 10.0 * c)
    same(f(c), np.full(3, 11.0))
    same(f(X), np.asarray(X) + 10.0)
    g = sa.record(lambda x, y: x - y)
    same(g(X, X), np.zeros(3))
    same(g(X, c), np.asarray(X) - 1.0)


def test_in_place_updates_are_repeated():
    total, count = sa.zeros(3), sa.asarray(0)

    def step(x):
        nonlocal count
        total[1:] += x[1:]
        total[0] = x.sum()
        count += 1
        return total * 2.0

    f, runs = counted(step)
    expected = np.zeros(3)
    for k in range(1, 5):
        x = np.asarray(X) * k
        expected[1:] += x[1:]
        expected[0] = np.asarray(sa.asarray(x).sum())
        same(f(sa.asarray(x)), expected * 2.0)
        same(total, expected)
        assert int(count) == k
    assert len(runs) == 1


def test_arguments_are_updated_in_place():
    def f(x, y):
        x += y
        x[0] = 7.0
        return x.sum()

    g = sa.record(f)
    for k in (1.0, 2.0, 3.0):
        a, b = k * X, k * X
        held = a[...]
        same(g(a, X), f(b, X))
        same(a, b)
        same(held, k * X)
    with pytest.raises(ValueError, match="met under two names"):
        g(a, a)


def test_values_from_inside_are_made_anew():
    def f(x):
        y = sa.zeros(3)
        y[1:] = x[1:]
        y += sa.asarray([1.0, 2.0, 3.0])
        return y, sa.ones(2)

    g = sa.record(f)
    for k in (1.0, 2.0):
        y, ones = g(k * X)
        same(y, f(k * X)[0])
        ones[0] = 5.0
    same(g(X)[1], np.ones(2))


def test_a_training_step_is_one_program():
    rng = np.random.default_rng(0)
    data = sa.asarray(rng.normal(size=(20, 3)))
    target = data @ sa.asarray([1.0, -2.0, 0.5])
    opt = sa.optim.AdamW(0.05)

    def train(recorded):
        params = {"w": sa.zeros(3), "b": sa.asarray(0.0)}
        state = opt.init(params)

        def step(x, y):
            loss, g = sa.value_and_grad(lambda p: sa.square(x @ p["w"] + p["b"] - y).mean())(params)
            new, after = opt.update(g, state, params)
            sa.graph.assign((params, state), (new, after))
            return loss

        f, runs = counted(step) if recorded else (step, [])
        losses = [np.asarray(f(data, target)) for _ in range(50)]
        assert len(runs) == recorded
        return losses, params

    (a, p), (b, q) = train(True), train(False)
    same(a, b)
    same(p["w"], q["w"])
    assert a[-1] < 0.2 * a[0]


@pytest.mark.parametrize("zero", [True, False])
def test_the_tape_inside_recordings(zero):
    def train(recorded):
        w = sa.asarray([1.0, 2.0, 3.0], requires_grad=True)

        def step(x):
            if zero:
                w.grad = None
            loss = (sa.exp(0.1 * w) * x).sum()
            loss.backward()
            with sa.no_grad():
                w[...] = w - 0.01 * w.grad
            return loss.detach()

        f, runs = counted(step) if recorded else (step, [])
        losses = [np.asarray(f(X)) for _ in range(6)]
        assert len(runs) <= 2
        assert w.requires_grad and w.is_leaf
        return losses, w, w.grad

    (a, w, g), (b, v, h) = train(True), train(False)
    same(a, b)
    same(w, v)
    same(g, h)


def test_random_numbers_are_drawn_anew():
    def f(rng, x):
        y = rng.normal(size=3) * x + rng.uniform(0.0, x[2], size=(2, 3))
        return y + rng.permutation(3) + rng.integers(0, 10, size=3) + rng.choice(3, 3, replace=False)

    r, s = sa.random.default_rng(3), sa.random.default_rng(3)
    g, runs = counted(lambda x: f(r, x))
    for k in (1.0, 2.0, 3.0):
        same(g(sa.abs(k * X)), f(s, sa.abs(k * X)))
        assert r.state == s.state
    assert len(runs) == 1
    r.state = s.state = sa.random.default_rng(9).state
    same(g(sa.abs(X)), f(s, sa.abs(X)))
    fixed = sa.record(lambda x: x + sa.random.default_rng(0).random(3))
    same(fixed(X), fixed(X))
    for bad in (lambda x: sa.random.default_rng(), lambda x: r.state, lambda x: r.spawn(1), lambda x: r.jumped()):
        with pytest.raises(RuntimeError, match=r"random|Generator"):
            sa.record(bad)(X)


def test_branches_are_guarded():
    def f(x):
        if (x.sum() > 0.0).any():
            if x[0] > 1.0:
                return {"a": x * 2.0}
            return [x + 1.0, x - 1.0]
        return -x

    g, runs = counted(f)
    for k in (1.0, -1.0, 10.0, 2.0, -3.0, 20.0, 0.5):
        for got, want in zip(sa._tree.leaves(g(k * X)), sa._tree.leaves(f(k * X)), strict=True):
            same(got, want)
    assert len(runs) == 3
    assert g.graphs[0].n_paths == 3
    text = g.explain()
    assert "3 paths" in text and "if bool(" in text and "test_record_state.py:" in text


def test_loops_on_values():
    def mandelbrot(c):
        z, n = c * 0.0, 0
        while n < 50 and (sa.abs(z) < 2.0).any():
            z = z * z + c
            n += 1
        return z, n

    g, runs = counted(mandelbrot)
    points = [sa.asarray([complex(a, 0.3)]) for a in (0.5, 0.4, 0.45, -2.0, 0.5, 0.3, 1.0)]
    for _ in range(2):
        for c in points:
            for got, want in zip(g(c), mandelbrot(c)):
                same(got, want)
    assert len(runs) <= len(points)


def test_integers_are_guarded():
    def f(x, n):
        return sum((x**k for k in range(int(n))), start=sa.zeros_like(x))

    g, runs = counted(f)
    for n in (2, 4, 2, 4, 3):
        same(g(X, sa.asarray(n)), f(X, n))
    same(sa.record(lambda x, i: x[int(i)])(X, sa.asarray(1)), -1.2)
    assert len(runs) == 3


def test_updates_and_draws_are_not_repeated_by_the_branch_that_failed():
    rng, twin = sa.random.default_rng(1), sa.random.default_rng(1)
    seen, expected = sa.zeros(()), sa.zeros(())

    def f(x, rng, seen):
        u = rng.random()
        seen += 1.0
        return x + u if x.sum() > 0 else x - u

    g = sa.record(lambda x: f(x, rng, seen))
    for k in (1.0, -1.0, 2.0, -2.0, 1.0):
        same(g(k * X), f(k * X, twin, expected))
        same(seen, expected)


def test_the_number_of_paths_and_programs_is_bounded():
    f = sa.record(lambda x, n: x * int(n), max_paths=3)
    with pytest.warns(RuntimeWarning, match="more than max_paths=3 ways"):
        results = [f(X, sa.asarray(n)) for n in range(6)]
    for n, y in enumerate(results):
        same(y, np.asarray(X) * n)
    assert f.graphs[0].n_paths == 3
    g = sa.record(lambda x: x + 1.0, max_programs=2)
    with pytest.warns(RuntimeWarning, match="more than max_programs=2 signatures"):
        results = [g(sa.ones(n)) for n in range(4)]
    for n, y in enumerate(results):
        same(y, np.full(n, 2.0))


def test_a_function_that_decides_by_itself_is_refused():
    flips = iter([1.0, 2.0, 3.0])

    def f(x):
        y = x * next(flips)
        return y if x.sum() > 0 else -y

    g = sa.record(f)
    g(X)
    with pytest.raises(RuntimeError, match=r"at .*test_record_state.py:\d+ the function did something else"):
        g(-X)


def test_gradients_through_closures_guards_and_stops():
    c = sa.asarray(2.0)

    def f(x):
        y = sa.stop_gradient(x) * x * c
        with sa.no_grad():
            z = sa.exp(x)
        return (y + z).sum() if x.sum() > 0 else (y * y).sum()

    g = sa.record(f)
    for k in (1.0, -1.0, 2.0):
        g(k * X)
        same(sa.grad(g)(k * X), sa.grad(f)(k * X))
        same(sa.hessian(g)(k * X), sa.hessian(f)(k * X))
    w = sa.asarray([1.0, 2.0, 3.0], requires_grad=True)
    h = sa.record(lambda x: (w * x).sum())
    for k in (1.0, 2.0):
        w.grad = None
        h(k * X).backward()
        same(w.grad, k * X)
    with sa.no_grad():
        assert not h(X).requires_grad
    assert h(X).requires_grad


def test_methods_and_nested_state():
    class Counter:
        def __init__(self):
            self.n = sa.asarray(0)

        @sa.record
        def add(self, x):
            self.n += 1
            return x + self.n

    a, b = Counter(), Counter()
    for k in (1, 2, 3):
        same(a.add(X), np.asarray(X) + k)
    same(b.add(X), np.asarray(X) + 1)
    same(a.add(X), np.asarray(X) + 4)
    inner = sa.record(lambda x: a.add(x) * 2.0)
    same(inner(X), (np.asarray(X) + 5) * 2)
    same(inner(X), (np.asarray(X) + 6) * 2)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=8))
def test_state_machines(xs):
    def run(recorded):
        state = {"v": sa.asarray([1.0, -1.0]), "n": sa.asarray(0)}

        def f(x):
            if (state["v"] * x).sum() > 0:
                state["v"][0] += x
            else:
                state["v"][...] = state["v"][::-1] * 0.5
                state["n"] += 1
            return state["v"] * int(state["n"])

        g = sa.record(f) if recorded else f
        return [np.asarray(g(sa.asarray(x))) for x in xs], np.asarray(state["v"]), int(state["n"])

    for got, want in zip(run(True), run(False)):
        same(got, want)


def test_bad_matrices_become_nan_in_recordings_and_replays():
    f = sa.record(lambda a, b: sa.linalg.solve(a, b))
    a = sa.asarray(np.stack([np.eye(2), np.zeros((2, 2))]))
    for _ in range(2):
        y = np.asarray(f(a, sa.ones((2, 2, 1))))
        assert np.all(y[0] == 1.0) and np.all(np.isnan(y[1]))
    with pytest.raises(np.linalg.LinAlgError):
        sa.linalg.solve(a, sa.ones((2, 2, 1)))


def test_errors_of_a_replay_name_the_line():
    f = sa.record(lambda x, i: x[i])
    same(f(X, sa.asarray([0, 1])), [0.3, -1.2])
    with pytest.raises(IndexError, match=r"out of bounds.*\(recorded at .*test_record_state.py:\d+\)"):
        f(X, sa.asarray([0, 7]))
    testing.check_grads(lambda x: f(x, sa.asarray([0, 1])).sum(), X)
