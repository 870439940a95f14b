"""Recordings replay what the function computed, bit for bit, with other values, under gradients and of gradients."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given

import sciarray as sa
from sciarray import testing

X = sa.asarray([0.3, -1.2, 2.0])


def same(actual, desired):
    a, d = np.asarray(actual), np.asarray(desired)
    assert a.dtype == d.dtype
    np.testing.assert_array_equal(a, d)


def chain(x):
    y = sa.exp(-x * x) + 1.0
    z = sa.sin(y) / (2.0 + sa.cos(x))
    return sa.where(z > 0.2, z, y - 3.0 * z)


def test_replays_with_other_values():
    f = sa.record(chain)
    rng = np.random.default_rng(0)
    for _ in range(5):
        x = sa.asarray(rng.normal(size=1000))
        same(f(x), chain(x))
    assert len(f.graphs) == 1


def test_python_runs_once_for_each_shape_and_dtype():
    runs = []

    def f(x):
        runs.append(x.shape)
        return x * 2.0

    g = sa.record(f)
    for shape in ((3,), (3,), (2, 2), (3,), ()):
        same(g(sa.ones(shape)), 2.0 * np.ones(shape))
    same(g(sa.ones(3, dtype="float32")), np.full(3, 2, np.float32))
    assert runs == [(3,), (2, 2), (), (3,)]


@given(testing.broadcastable_pairs("float64"))
def test_fused_chains_of_any_layout(pair):
    def f(x, y):
        z = (x + y) * x
        return sa.maximum(z, y), sa.abs(z - x), (z == x) | (y < x)

    expected = f(*pair)
    for got, want in zip(sa.record(f)(*pair), expected):
        same(got, want)


@pytest.mark.parametrize("size", [1, 7, 1023, 1025, 5000])
def test_tile_edges(size):
    x = sa.asarray(np.linspace(-3, 3, size))
    same(sa.record(chain)(x), chain(x))


def test_chains_are_fused():
    f = sa.record(chain)
    f(X)
    (graph,) = f.graphs
    assert graph.n_steps == 1
    assert graph.ops()[:2] == ["negative", "multiply"]
    text = str(graph)
    assert text.startswith("input_0: float64(3,)")
    assert "exp_1: float64(3,) = exp(multiply_1)  # " in text
    assert "test_record.py:" in text


def test_what_the_result_does_not_need_is_not_replayed():
    f = sa.record(lambda x: (sa.sin(x), x * 2.0)[1])
    f(X)
    (graph,) = f.graphs
    assert graph.ops() == ["multiply"]


def test_trees_static_arguments_and_keywords():
    @sa.record
    def f(params, n, *, mode="a"):
        scale = n if mode == "a" else -n
        return {"y": params["w"] * scale, "s": [params["b"].sum(), (X,)]}

    params = {"w": X, "b": np.array([1.0, 2.0])}
    same(f(params, 2)["y"], 2 * np.asarray(X))
    same(f(params, 3)["y"], 3 * np.asarray(X))
    same(f(params, 3, mode="b")["y"], -3 * np.asarray(X))
    out = f(params, 2)
    same(out["s"][0], 3.0)
    same(out["s"][1][0], np.asarray(X))
    assert len(f.graphs) == 3
    with pytest.raises(TypeError, match="record: arguments of f must be arrays or hashable"):
        f(params, {1, 2})


def test_static_arguments_are_told_apart_by_bits_and_types():
    runs = []

    @sa.record
    def f(x, s):
        runs.append(s)
        return sa.copysign(x, s) if isinstance(s, float) else x

    for s in (0.0, -0.0, float("nan"), 1, 1.0, True, None, "1") * 2:
        same(f(X, s), np.copysign(X, s) if isinstance(s, float) else X)
    assert len(runs) == 8


def test_trees():
    class Pair(NamedTuple):
        a: object
        b: object

    class Stack(list):
        pass

    tree = {"b": [1, (2, None)], "a": Pair(3, {2: 4, 10: 5}), "c": Stack([6]), "d": {}}
    assert sa._tree.leaves(tree) == [3, 5, 4, 1, 2, 6]
    new = sa._tree.rebuild(tree, iter(range(6)))
    assert new == {"b": [3, (4, None)], "a": Pair(0, {2: 2, 10: 1}), "c": [5], "d": {}}
    assert list(new) == list(tree) and isinstance(new["a"], Pair) and isinstance(new["c"], Stack)
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        sa._tree.leaves(endless)


def test_constants_and_views():
    c = sa.asarray(np.arange(12.0).reshape(3, 4))

    def f(x):
        y = c @ x
        return sa.permute_dims(c, (1, 0))[1:, ::-1] * y + x[1:, None], sa.concat([x, y])

    g = sa.record(f)
    for k in (1.0, 2.0):
        x = sa.asarray([k, 2.0, -k, 0.5])
        for got, want in zip(g(x), f(x)):
            same(got, want)


def test_assignment_is_recorded():
    def f(x):
        y = x * 1.0
        y[1:] += y[:-1]
        y[0] = -1.0
        y *= x
        return y

    g = sa.record(f)
    for k in (1.0, 3.0):
        same(g(k * X), f(k * X))
    same(X, [0.3, -1.2, 2.0])


def test_an_input_and_a_constant_may_be_results():
    c = sa.asarray([1.0, 2.0])
    f = sa.record(lambda x: (x, c, x[1:]))
    f(X)
    a, b, d = f(2.0 * X)
    same(a, 2 * np.asarray(X))
    same(b, [1.0, 2.0])
    a[0] = 100.0
    b[0] = 100.0
    d[0] = 100.0
    same(f(X)[1], [1.0, 2.0])


def test_gradients_of_recordings():
    f = sa.record(lambda x: (chain(x) * x).sum())
    plain = lambda x: (chain(x) * x).sum()
    for k in (1.0, 1.5):
        same(sa.grad(f)(k * X), sa.grad(plain)(k * X))
        same(sa.hessian(f)(k * X), sa.hessian(plain)(k * X))
        same(sa.jvp(f, (k * X,), (X,))[1], sa.jvp(plain, (k * X,), (X,))[1])
    testing.check_grads(f, X)
    x = X.detach()
    x.requires_grad = True
    f(x).backward()
    same(x.grad, sa.grad(plain)(X))


def test_recordings_of_gradients():
    def loss(x, w):
        return (sa.exp(x * w) * sa.sin(w)).sum()

    for g in (
        sa.grad(loss, argnums=(0, 1)),
        sa.value_and_grad(loss),
        sa.hessian(loss),
        lambda x, w: sa.hvp(lambda x: loss(x, w), (x,), (w,)),
        lambda x, w: sa.jvp(loss, (x, w), (w, x))[1],
    ):
        recorded = sa.record(g)
        for k in (1.0, -0.5, 2.0):
            for got, want in zip(sa._tree.leaves(recorded(k * X, X)), sa._tree.leaves(g(k * X, X))):
                same(got, want)


def test_custom_rules_inside_recordings():
    @sa.custom_vjp
    def f(x):
        return sa.exp(x)

    f.defvjp(lambda x: (f(x), sa.exp(x)), lambda r, g: g * r)
    g = sa.record(lambda x: f(x).sum())
    for k in (1.0, 2.0):
        same(g(k * X), np.exp(k * np.asarray(X)).sum())
        testing.assert_allclose(sa.grad(g)(k * X), np.exp(k * np.asarray(X)), ulps=2)


def test_an_optimizer_loop_in_one_recording():
    def step(w, x, y):
        g = sa.grad(lambda w: ((x @ w - y) * (x @ w - y)).sum())(w)
        return w - 0.01 * g

    rng = np.random.default_rng(0)
    x, true = sa.asarray(rng.normal(size=(20, 3))), np.array([1.0, -2.0, 0.5])
    y = x @ sa.asarray(true)
    recorded, w, v = sa.record(step), sa.zeros(3), sa.zeros(3)
    for _ in range(100):
        w, v = recorded(w, x, y), step(v, x, y)
    same(w, v)
    testing.assert_allclose(w, true, rtol=1e-5)


def test_recordings_nest():
    inner = sa.record(lambda x: sa.sin(x) * 2.0)
    outer = sa.record(lambda x: inner(x) + inner(2.0 * x))
    for k in (1.0, 3.0):
        same(outer(k * X), 2 * np.sin(k * np.asarray(X)) + 2 * np.sin(2 * k * np.asarray(X)))


def test_reading_a_recorded_value_is_refused():
    for read in (float, lambda v: v.item(), lambda v: v.tolist(), np.asarray, complex):
        with pytest.raises(RuntimeError, match=r"cannot be read by Python, at .*test_record.py:\d+; compute"):
            sa.record(lambda x, read=read: x * read(x))(sa.asarray(2.0))
    outside = sa.asarray(3.0)
    with pytest.raises(RuntimeError, match="float: a value that is being recorded"):
        sa.record(lambda x: x * float(outside))(X)
    same(sa.record(lambda x: x * float(sa.asarray(3.0) + 1.0))(X), 4.0 * np.asarray(X))
    assert not sa._core.is_recording()


def test_masks_that_are_known_or_only_assign_a_number_branch_nowhere():
    def clipped(x):
        x[x < 0] = 0.0
        return x * 2.0

    f = sa.record(lambda x: clipped(x * 1.0))
    for k in (1.0, -1.0):
        same(f(k * X), clipped(k * X))
    mask = np.array([True, False, True])
    g = sa.record(lambda x: x[mask])
    same(g(X), np.asarray(X)[mask])
    assert f.graphs[0].n_paths == g.graphs[0].n_paths == 1


def test_an_exception_abandons_the_recording():
    def f(x, fail):
        if fail:
            raise ZeroDivisionError
        return x * 2.0

    g = sa.record(f)
    with pytest.raises(ZeroDivisionError):
        g(X, True)
    assert not sa._core.is_recording()
    same(g(X, False), 2 * np.asarray(X))


def test_threads_record_and_replay_independently():
    shared = sa.record(chain)
    errors = []

    def work(k):
        try:
            own = sa.record(lambda x: chain(x) * k)
            for j in range(20):
                x = sa.asarray(np.linspace(-1, k + j, 50 + j % 3))
                same(shared(x), chain(x))
                same(own(x), chain(x) * k)
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert errors == []


def test_recording_many_nodes():
    def f(x):
        for _ in range(20_000):
            x = x * 1.0001
        return x

    g = sa.record(f)
    same(g(X), f(X))
    same(g(2.0 * X), f(2.0 * X))
    (graph,) = g.graphs
    assert len(graph.ops()) == 20_000
