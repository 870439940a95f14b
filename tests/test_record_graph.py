"""Recorded programs as data, explicit recordings, and recorded = eager over the op table and random programs."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sciarray as sa
from sciarray import _core

X = sa.asarray([0.3, -1.2, 2.0])


def same(actual, desired):
    a, d = np.asarray(actual), np.asarray(desired)
    assert a.dtype == d.dtype
    np.testing.assert_array_equal(a, d)


def network(params, x):
    with sa.name_scope("layer1"):
        h = sa.tanh(params["w"] @ x + params["b"])
    with sa.name_scope("layer2"):
        return (h * h).sum() + sa.exp(h[0])


PARAMS = {"b": sa.asarray([0.1, -0.2]), "w": sa.asarray([[1.0, 2.0, 3.0], [0.5, -1.0, 0.2]])}


def graph_of(f, *args):
    g = sa.record(f)
    g(*args)
    return g.graphs[0]


def test_nodes_have_names_scopes_and_lines():
    g = graph_of(network, PARAMS, X)
    names = [n.name for n in g.nodes()]
    assert names[-4:] == ["layer2.sum_1", "layer2.slice_1", "layer2.exp_1", "layer2.add_1"]
    (node,) = [n for n in g.nodes() if n.op == "tanh"]
    assert (node.name, node.scope, node.inputs) == ("layer1.tanh_1", "layer1", ("layer1.add_1",))
    assert (node.dtypes, node.shapes) == (("float64",), ((2,),))
    assert node.file == __file__ and "tanh" in open(__file__).read().splitlines()[node.line - 1]
    assert "layer1.tanh_1: float64(2,) = tanh(layer1.add_1)" in str(g)


class Affine:
    def __init__(self, w, b):
        self.w, self.b = sa.asarray(w), sa.asarray(b)

    def __call__(self, x):
        return squashed(self.w @ x + self.b)


def squashed(x):
    return sa.tanh(x)


class Network:
    def __init__(self):
        self.layers = [Affine(np.eye(3), np.zeros(3)), Affine(np.ones((2, 3)), np.ones(2))]
        self.heads = {"mean": Affine(np.ones((1, 2)), np.zeros(1))}

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        with sa.name_scope("out"):
            y = self.heads["mean"](x)
            return y * 2.0

    def loss(self, x):
        return sa.exp(self(x)).sum()


def test_names_follow_attributes():
    model = Network()
    g = graph_of(model.loss, X)
    names = [n.name for n in g.nodes()]
    assert [n for n in names if "tanh" in n] == ["layers.0.tanh_1", "layers.1.tanh_1", "out.heads.mean.tanh_1"]
    assert {"out.multiply_1", "exp_1"} <= set(names)

    # In a function it is the name of the variable, and scopes around the call come first.
    def step(x):
        with sa.name_scope("step"):
            return model(x)

    g = graph_of(step, X)
    inside = [f"step.model.{name}.tanh_1" for name in ("layers.0", "layers.1", "out.heads.mean")]
    assert [n.name for n in g.nodes() if n.op == "tanh"] == inside
    same(g.extract(inside[:1])(X)[0], sa.tanh(X))
    same(graph_of(sa.grad(model.loss), X)(X)[0], sa.grad(model.loss)(X))
    # An object that is recorded itself has no name.
    assert graph_of(model.layers[0], X).nodes()[-1].name == "tanh_1"


def test_pictures():
    g = graph_of(network, PARAMS, X)
    assert '"layer1.add_1" -> "layer1.tanh_1";' in g.to_dot()
    svg = ElementTree.fromstring(g._repr_svg_())
    texts = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert "layer1.tanh_1" in texts and "float64(2,)" in texts
    n_boxes = len(list(svg.iter("{http://www.w3.org/2000/svg}rect")))
    assert n_boxes == len(g.nodes()) + 3 + 1


def test_extraction_prunes():
    g = graph_of(network, PARAMS, X)
    features = g.extract(["layer1.tanh_1", "layer1.add_1"])
    assert [n.name for n in features.nodes()] == [n.name for n in g.nodes() if n.scope == "layer1"]
    h, pre = features(PARAMS["b"], PARAMS["w"], 2.0 * X)
    same(h, sa.tanh(PARAMS["w"] @ (2.0 * X) + PARAMS["b"]))
    same(pre, PARAMS["w"] @ (2.0 * X) + PARAMS["b"])
    with pytest.raises(ValueError, match="extract: there is no value 'nothing'"):
        g.extract(["nothing"])


def test_rewriting():
    g = graph_of(network, PARAMS, X)
    new = g.replace("layer1.tanh_1", lambda x: sa.sin(x) + 1.0)
    h = sa.sin(PARAMS["w"] @ X + PARAMS["b"]) + 1.0
    same(new(PARAMS["b"], PARAMS["w"], X)[0], (h * h).sum() + sa.exp(h[0]))
    assert "layer2.sum_1" in str(new)
    with pytest.raises(ValueError, match="replace: there is no node 'x'"):
        g.replace("x", sa.sin)
    with pytest.raises(ValueError, match="graph: input 0 was recorded as float64 of shape"):
        g(X, X, X)


def test_the_derivative_is_a_program():
    g = graph_of(network, PARAMS, X)
    found = g.vjp()(PARAMS["b"], PARAMS["w"], X, sa.asarray(2.0))
    want = sa.grad(lambda p, x: 2.0 * network(p, x), argnums=(0, 1))(PARAMS, X)
    for a, b in zip(found, sa._tree.leaves(want), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-14)


def test_closed_over_arrays_stay_inputs_of_what_is_extracted():
    c = sa.asarray([1.0, 2.0, 3.0])
    g = graph_of(lambda x: sa.exp(x * c).sum(), X).extract(["multiply_1"])
    c[0] = 5.0
    same(g(X)[0], np.asarray(X) * [5.0, 2.0, 3.0])


def everything(x, m, i):
    a = sa.where(x > 0.0, sa.sqrt(sa.abs(x)), x) @ m
    b = sa.concat([a, a[::-1]])[i]
    c = sa.linalg.solve(m @ m.mT + sa.asarray(np.eye(3)), x)
    d = sa.fft.irfft(sa.fft.rfft(b)).sum() + sa.cumsum(c).max() + sa.sort(b)[0] + sa.prod(c, axis=0)
    y = sa.zeros(3) + x
    y[1:] = b[:2]
    return d, y, sa.argmax(b), b.astype("float32"), sa.random.default_rng(1).normal(size=2) * d


M = sa.asarray([[1.0, 2.0, 0.0], [0.5, -1.0, 3.0], [0.1, 0.2, 0.3]])
I = sa.asarray([5, 0, -2, 3])


def test_files(tmp_path):
    g = graph_of(everything, X, M, I)
    g.save(tmp_path / "g.zip")
    h = sa.graph.load(tmp_path / "g.zip")
    h.verify()
    for k in (1.0, -0.5):
        for got, want in zip(h(k * X, M, I), everything(k * X, M, I), strict=True):
            same(got, want)
    assert [n.name for n in h.nodes()] == [n.name for n in g.nodes()]
    total = sa.zeros(3)

    def update(x):
        total[...] = total + x
        return total.sum()

    f = sa.record(update)
    f(X)
    f.graphs[0].save(tmp_path / "u.zip")
    u = sa.graph.load(tmp_path / "u.zip")
    same(u(X)[0], (2 * X).sum())
    same(u(X)[0], (3 * X).sum())
    same(total, X)


def test_files_keep_generators(tmp_path):
    rng = sa.random.default_rng(5)
    f = sa.record(lambda x: x + rng.normal(size=3))
    f(X)
    f.graphs[0].save(tmp_path / "r.zip")
    g = sa.graph.load(tmp_path / "r.zip")
    for _ in range(2):
        same(g(X)[0], f(X))


def test_python_functions_are_not_saved(tmp_path):
    @sa.leaf
    def block(x):
        return sa.exp(x)

    g = graph_of(lambda x: block(x), X)
    with pytest.raises(ValueError, match=r"save: block, recorded at .*test_record_graph.py:\d+, is a Python function"):
        g.save(tmp_path / "leaf.zip")


def branching(x, w):
    with sa.name_scope("stem"):
        h = sa.tanh(x * w)
    if h.sum() > 0.0:
        with sa.name_scope("hot"):
            return (sa.exp(h) * x).sum()
    n = int(sa.abs(h).sum() * 3.0) % 3
    with sa.name_scope("cold"):
        y = h
        for _ in range(n):
            y = sa.sin(y) + w
        return (y * y).sum()


POINTS = [k * X for k in (1.0, -1.0, -0.1, -3.0, 2.0, -0.4)]


def test_branching_programs_are_data_too(tmp_path):
    w = 0.5 * X + 1.0
    f = sa.record(branching)
    for x in POINTS:
        f(x, w)
    (g,) = f.graphs
    assert g.n_paths == 5
    g.save(tmp_path / "b.zip")
    loaded = sa.graph.load(tmp_path / "b.zip")
    loaded.verify()
    assert loaded.n_paths == 5 and [n.name for n in loaded.nodes()] == [n.name for n in g.nodes()]
    assert "if bool(" in str(loaded) and "test_record_graph.py:" in str(loaded)
    cut = g.extract(["stem.tanh_1"])
    assert cut.n_paths == 1 and [n.name for n in cut.nodes()] == ["stem.multiply_1", "stem.tanh_1"]
    cold = g.extract(["cold.multiply_1"])
    same_again = g.rewrite(lambda node, xs: None)
    doubled = g.rewrite(lambda node, xs: 2.0 * sa.exp(xs[0]) if node.op == "exp" else None)
    assert doubled.n_paths == 5
    always = g.rewrite(lambda node, xs: sa.ones(3) if node.name == "stem.tanh_1" else None)
    assert always.n_paths == 1
    derivative = g.vjp()
    for x in POINTS:
        want = branching(x, w)
        hot = float(sa.tanh(x * w).sum()) > 0.0
        for h in (loaded, same_again, doubled):
            same(h(x, w)[0], 2.0 * want if h is doubled and hot else want)
        same(cut(x, w)[0], sa.tanh(x * w))
        same(always(x, w)[0], (sa.exp(sa.ones(3)) * x).sum())
        if x is POINTS[1]:
            same(cold(x, w)[0].sum(), want)
        else:
            with pytest.raises(ValueError, match=r"graph: nothing is recorded for this \w+\(.*at .*test_record_graph"):
                cold(x, w)
        for got, d in zip(derivative(x, w, sa.asarray(2.0)), sa.grad(branching, argnums=(0, 1))(x, w), strict=True):
            np.testing.assert_allclose(np.asarray(got), 2.0 * np.asarray(d), rtol=1e-13)
    f = sa.record(lambda x: x if x.sum() > 0 else x[:1])
    f(X), f(-X)
    with pytest.raises(ValueError, match="vjp: the ways of the program return different"):
        f.graphs[0].vjp()


A = sa.asarray(np.random.default_rng(0).normal(size=(3, 3)) + 2.0 * np.eye(3))
S = A @ A.mT
V = sa.asarray([0.5, -0.2, 0.1])

# One function for each op that is no row of the table.
OPS = {
    "identity detach": lambda x: sa.stop_gradient(x) * 2.0,
    "copy": lambda x: sa.asarray(x, copy=True) + 1.0,
    "astype": lambda x: x.astype("complex64"),
    "reshape permute_dims broadcast_to": lambda x: sa.broadcast_to((A * x[0]).T.reshape(9), (2, 9)) * 2.0,
    "slice embed": lambda x: sa.grad(lambda x: sa.exp(x[::-2]).sum())(x),
    "set_slice": lambda x: _set(x, slice(1, None), 3.0),
    "concat": lambda x: sa.concat([x, x * 2.0]),
    "sum prod min max": lambda x: x.sum() + x.prod() + x.min(axis=0) + (A * x).max(axis=1, keepdims=True),
    "any all": lambda x: sa.any(x > 0) ^ sa.all(x > 0),
    "argmin argmax count_nonzero": lambda x: sa.argmin(x) + sa.argmax(x) + sa.count_nonzero(x),
    "cumsum cumprod": lambda x: sa.cumsum(x, 0) + sa.cumprod(x, 0),
    "recurrence": lambda x: _core.recurrence(0.5 * x, x, 0, False),
    "softmax": sa.special.softmax,
    "sort argsort searchsorted": lambda x: sa.sort(x) + sa.argsort(x) + sa.searchsorted(sa.sort(x), x),
    "gather scatter_add": lambda x: sa.grad(lambda x: (x[sa.asarray([0, 2, 2])] ** 2).sum())(x),
    "nonzero": lambda x: sa.nonzero(x > 0.0)[0] + 1,
    "scatter_set": lambda x: _set(x, sa.asarray([2, 0]), 5.0),
    "take_along_axis add_along_axis": lambda x: sa.grad(
        lambda x: (sa.take_along_axis(x, sa.asarray([2, 2, 0])) ** 2).sum()
    )(x),
    "matmul": lambda x: A @ x,
    "lu_factor lu_solve": lambda x: sa.grad(lambda x: sa.linalg.solve(A + x, V).sum())(x),
    "cholesky": lambda x: sa.linalg.cholesky(S * sa.abs(x[0])),
    "solve_triangular": lambda x: sa.linalg.solve_triangular(A, x, lower=True),
    "solve_banded": lambda x: _core.solve_banded(1, 1, A, x[:, None]),
    "inv det slogdet": lambda x: sa.linalg.inv(A + x) * sa.linalg.det(A + x) + sa.linalg.slogdet(A + x)[1],
    "adjugate": lambda x: sa.grad(lambda x: sa.linalg.det(A * x))(x),
    "eigh eigvalsh": lambda x: sa.linalg.eigh(S + x[0])[1] * sa.linalg.eigvalsh(S + x[0]),
    "svd svdvals": lambda x: sa.linalg.svd(A + x)[0] * sa.linalg.svdvals(A + x),
    "eig eigvals": lambda x: sa.linalg.eig(A + x)[1] * sa.linalg.eigvals(A + x),
    "qr": lambda x: sa.linalg.qr(A + x)[1],
    "qr_r": lambda x: sa.linalg.qr(A + x, "r"),
    "lu": lambda x: sa.linalg.lu(A + x)[2],
    "schur": lambda x: _core.schur(A + x)[0],
    "hessenberg": lambda x: _core.hessenberg(A + x)[0],
    "allpole": lambda x: sa.signal.lfilter([1.0], [1.0, 0.5], x),
    "fft ifft": lambda x: sa.fft.ifft(sa.fft.fft(x) * 2.0),
    "rfft irfft": lambda x: sa.fft.irfft(sa.fft.rfft(x) * 2.0, n=3),
    "random_normal random_uniform random_exponential": lambda x: _draws(x, "normal", "uniform", "exponential"),
    "random_integers": lambda x: x + sa.random.default_rng(1).integers(0, 9, 3),
    "random_gamma random_beta": lambda x: _draws(x, "gamma", "beta"),
    "random_poisson random_binomial": lambda x: _draws(x, "poisson", "binomial"),
    "random_permutation": lambda x: x + sa.random.default_rng(1).permutation(3),
}


def _set(x, where, value):
    y = x * 1.0
    y[where] = value
    return y


def _draws(x, *names):
    arguments = {"gamma": (2.0,), "beta": (2.0, 3.0), "poisson": (4.0,), "binomial": (9, 0.3)}
    rng, y = sa.random.default_rng(1), x
    for name in names:
        y = y + getattr(rng, name)(*arguments.get(name, ()), size=3) * sa.exp(x)
    return y


@pytest.mark.parametrize("ops", OPS)
def test_every_op_replays_and_is_read_back(ops, tmp_path):
    f = OPS[ops]
    g = graph_of(f, X)
    missing = set(ops.split()) - {n.op for n in g.nodes()}
    if not ops.startswith(("identity", "random")):
        assert not missing
    g.save(tmp_path / "g.zip")
    again = sa.graph.load(tmp_path / "g.zip")
    again.verify()
    assert str(again) == str(g)
    for x in (X, X * 0.5 + 0.1):
        for h in (g, again, g.optimized(fold=False, cse=False, fuse=False, reuse=False)):
            same(h(x)[0], f(x))
    if f(X).dtype.kind not in "fc" or ops.startswith("arg"):
        return
    loss = lambda h: lambda x: sa.real(h(x) * (1.0 + sa.cos(h(x)))).sum()
    second = lambda h: sa.grad(lambda x: sa.cos(sa.grad(loss(h))(x)).sum())
    for order in (lambda h: sa.grad(loss(h)), second):
        try:
            order(f)(X)
        except (NotImplementedError, TypeError):
            continue
        recorded, through = sa.record(order(f)), order(sa.record(f))
        for x in (X, X, sa.flip(X) * -2.5, X * 0.5 + 0.1):
            want = order(f)(x)
            same(recorded(x), want)
            same(through(x), want)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sa.linalg.lu(x)[2],
        lambda x: sa.linalg.ldl(x + x.mT)[1],
        lambda x: sa.linalg.qr(x, pivoting=True)[1],
        lambda x: sa.linalg.qr(x, "r"),
    ],
    ids=["lu", "ldl", "qr", "qr_r"],
)
def test_recorded_gradients_follow_other_pivots(f):
    eager = sa.grad(lambda x: (f(x) ** 3).sum())
    recorded = sa.record(eager)
    rng = np.random.default_rng(0)
    for _ in range(6):
        x = sa.asarray(rng.standard_normal((3, 3)))
        np.testing.assert_allclose(np.asarray(recorded(x)), np.asarray(eager(x)), rtol=1e-12, atol=1e-12)


def test_functions_of_scripts_have_no_package():
    f = eval("lambda x: sa.exp(x) * c", {"sa": sa, "c": sa.asarray(2.0), "__package__": None})
    g = sa.record(f)
    same(g(X), f(X))
    same(g(X), f(X))


def test_no_op_is_forgotten_by_files():
    core = Path(__file__).parents[1] / "rust" / "core" / "src"
    known = (core / "record" / "load.rs").read_text()
    for path in (core / "ops").rglob("*.rs"):
        for op in re.findall(r"^impl Op for (\w+)", path.read_text(), re.M):
            assert re.search(rf"\b{op}\b", known), f"{op} of {path.name} cannot be loaded"


def test_every_row_is_read_back(tmp_path):
    rows = [r for name, r in _core._rows.items() if "float64" in r["dtypes"] and name != "where"]
    rng = np.random.default_rng(0)
    args = [_sample(r, rng) for r in rows]
    f = lambda args: [r["function"](*a) for r, a in zip(rows, args, strict=True)]
    g = graph_of(f, args)
    g.save(tmp_path / "g.zip")
    flat = [x for a in args for x in a]
    for got, want in zip(sa.graph.load(tmp_path / "g.zip")(*flat), g(*flat), strict=True):
        same(got, want)


def test_damaged_files_are_refused(tmp_path):
    graph_of(lambda x: sa.exp(x[1:]).sum(), X).save(tmp_path / "g.zip")
    with zipfile.ZipFile(tmp_path / "g.zip") as z:
        data = json.loads(z.read("graph.json"))

    def spoiled(change):
        new = json.loads(json.dumps(data))
        change(new)
        with zipfile.ZipFile(tmp_path / "bad.zip", "w") as z:
            z.writestr("graph.json", json.dumps(new))
        with pytest.raises(ValueError, match="load"):
            sa.graph.load(tmp_path / "bad.zip")

    spoiled(lambda d: d.update(version=99))
    spoiled(lambda d: d.pop("nodes"))
    spoiled(lambda d: d["nodes"][0]["attrs"].update(start=[7]))
    spoiled(lambda d: d["nodes"][0]["attrs"].update(length=[9]))
    spoiled(lambda d: d["nodes"][1].update(op="system"))
    spoiled(lambda d: d["nodes"][1].update(ins=[40]))
    spoiled(lambda d: d["nodes"][2]["attrs"].update(axes=[3]))
    spoiled(lambda d: d["branches"][0].update(outputs=[50]))
    spoiled(lambda d: d["branches"][0].update(nodes=2))
    spoiled(lambda d: d["branches"][0].update(exit=1))
    spoiled(lambda d: d["nodes"][1].update(ins=[]))
    spoiled(lambda d: d.update(exits=[]))
    f = sa.record(branching)
    for x in POINTS:
        f(x, X)
    f.graphs[0].save(tmp_path / "g.zip")
    with zipfile.ZipFile(tmp_path / "g.zip") as z:
        data = json.loads(z.read("graph.json"))
    last = len(data["inputs"]) + len(data["constants"]) + len(data["nodes"]) - 1
    spoiled(lambda d: d["branches"][0]["guard"].update(value=last))
    spoiled(lambda d: d["branches"][0]["guard"].update(value=0))
    spoiled(lambda d: d["branches"][0]["guard"].update(read="float"))
    spoiled(lambda d: d["branches"][1].update(outputs=[last]))
    spoiled(lambda d: d["branches"][0]["guard"].update(ways=[[0, 0], [1, 1]]))
    spoiled(lambda d: d["branches"][0]["guard"].update(ways=[[0, 1], [1, 1]]))
    spoiled(lambda d: d["branches"][0]["guard"].update(ways=[[0, 99]]))


def test_profile_and_memory(tmp_path):
    g = graph_of(network, PARAMS, X)
    p = g.profile(PARAMS["b"], PARAMS["w"], X)
    assert len(p.steps) == g.n_steps and "layer1.tanh_1" in str(p)
    p.to_chrome(tmp_path / "trace.json")
    assert len(json.loads((tmp_path / "trace.json").read_text())["traceEvents"]) == g.n_steps
    big = graph_of(lambda x: sa.cumsum(sa.cumsum(sa.cumsum(x, 0), 0), 0).sum(), sa.ones(1000))
    assert big.memory()["inputs"] == 8000
    assert big.memory()["peak"] <= 2 * 8000 + 8


def test_passes():
    def f(x):
        a, b = sa.exp(x * 2.0), sa.exp(x * 2.0)
        c = sa.cumsum(sa.ones(3), 0) * 2.0
        return a + b * c + sa.sin(x).sum()

    g = graph_of(f, X)
    plain = g.optimized(fold=False, cse=False, fuse=False, reuse=False)
    for h in (g, plain, g.optimized(fuse=False), g.optimized(cse=False), g.optimized(fold=False)):
        h.verify()
        same(h(X)[0], f(X))
        same(h(2.0 * X)[0], f(2.0 * X))
    assert g.n_steps < g.optimized(cse=False).n_steps or g.n_steps < plain.n_steps
    assert plain.n_steps == len(plain.nodes())
    assert "exp_2" not in str(g.profile(X))


def test_buffers_are_reused_without_harm():
    def f(x, y):
        a = x * 2.0
        kept = sa.cumsum(a, 0)
        for _ in range(150):
            a = sa.sin(a) + y
        return a, kept, kept * a

    x, y = sa.asarray(np.linspace(-1, 1, 3000)), sa.asarray(np.linspace(0, 1, 3000))
    g = graph_of(f, x, y)
    for graph in (g, g.optimized(reuse=False)):
        for _ in range(2):
            for got, want in zip(graph(x, y), f(x, y), strict=True):
                same(got, want)
    same(x, np.linspace(-1, 1, 3000))


REDUCTIONS = {
    "sum": lambda x, axis: x.sum(axis=axis),
    "prod": lambda x, axis: x.prod(axis=axis),
    "max": lambda x, axis: x.max(axis=axis, keepdims=True),
    "min": lambda x, axis: x.min(axis=axis),
    "mean": lambda x, axis: x.mean(axis=axis),
    "count_nonzero": lambda x, axis: sa.count_nonzero(x, axis=axis),
    "argmax": lambda x, axis: sa.argmax(x, axis=None if axis is None else -1),
}


@pytest.mark.parametrize("kind", REDUCTIONS)
@given(
    st.sampled_from(
        [
            (7,),
            (300,),
            (5000,),
            (3, 700),
            (40, 5),
            (600, 9),
            (70, 600),
            (20, 30, 40),
            (2, 3, 2100),
            (0, 4),
            (150_000,),
            (2, 70_000),
            (20_000, 8),
        ]
    ),
    st.sampled_from(["float64", "float32", "complex128", "int32"]),
    st.sampled_from([None, -1, (-2, -1), 0, (0, 1)]),
    st.booleans(),
    st.integers(0, 2**31),
)
@settings(max_examples=15)
def test_reductions_are_fused_with_the_same_bits(kind, shape, dtype, axis, kept, seed):
    if (isinstance(axis, tuple) and len(shape) < 2) or (0 in shape and kind in ("max", "min", "argmax")):
        return
    if dtype == "complex128" and kind in ("max", "min", "argmax"):
        return
    rng = np.random.default_rng(seed)
    x, y = (sa.asarray(rng.normal(size=shape) * 3.0).astype(dtype) for _ in range(2))
    row = y[..., :1] if seed % 2 else y

    def f(x, y):
        z = (x - y) * x + 1
        r = REDUCTIONS[kind](z, axis)
        return (r, z) if kept else r

    g = graph_of(f, x, row)
    if axis == 0 and kind in ("sum", "prod") and x.size > 3000:
        assert g.n_steps <= 2
    for a, b in ((x, row), (x[::-1], row), (x * 2, row), (x.T.copy().T, row)):
        for h in (g, g.optimized(fuse=False)):
            h.verify()
            for got, want in zip(h(a, b), sa._tree.leaves(f(a, b)), strict=True):
                same(got, want)


def test_a_mean_squared_error_is_one_step():
    f = sa.record(lambda x, y: sa.square(x - y).mean())
    x, y = (sa.asarray(np.random.default_rng(k).normal(size=200_000)) for k in range(2))
    same(f(x, y), sa.square(x - y).mean())
    (g,) = f.graphs
    assert g.n_steps == 2 and g.memory()["peak"] < 100
    # A view in between does not part what fuses.
    h = graph_of(lambda x, s: sa.exp(x) * sa.broadcast_to(s[:1], (3,)) + 1.0, X, X)
    assert h.n_steps == 3


def test_explicit_recordings():
    x, total = sa.zeros(3), sa.asarray(0.0)
    with sa.recording() as g:
        y = g.output(sa.exp(x) * 2.0)
        total += y.sum()
    for k in (1.0, -1.0):
        before = np.asarray(total)
        x[...] = k * X
        out = g.replay()
        same(y, np.asarray(sa.exp(k * X) * 2.0))
        same(out, y)
        same(total, before + np.asarray((sa.exp(k * X) * 2.0).sum()))
    with pytest.raises(ZeroDivisionError), sa.recording():
        1 / int(sa.asarray(0))
    assert not _core.is_recording()
    flag = sa.asarray(1)
    with sa.recording() as h:
        out = h.output(x + 1.0 if flag > 0 else x)
    flag[...] = -1
    with pytest.raises(RuntimeError, match=r"recording: bool\(greater_1\) at .*py:\d+ differs from what was recorded"):
        h.replay()
    with sa.recording() as selection:
        out = selection.output(x[x > 0.0])
    selection.replay()
    x[...] = -x
    with pytest.raises(RuntimeError, match=r"recording: int\(count_nonzero_1\) at .*py:\d+ differs"):
        selection.replay()


def test_graphed_functions_have_recorded_gradients():
    runs = []

    def f(p, x):
        runs.append(1)
        return {"loss": (sa.sin(p["w"] * x) * p["b"]).sum(), "n": x.astype("int64")}

    p = {"w": X, "b": 2.0 * X}
    g = sa.graph.make_graphed(f, (p, X))
    loss, plain = (lambda p, x: g(p, x)["loss"]), (lambda p, x: f(p, x)["loss"])
    for k in (1.0, 2.0, -1.0):
        for order in (sa.grad, lambda h: sa.grad(lambda p, x: sa.grad(h)(p, x)["w"].sum(), argnums=(0, 1))):
            for a, b in zip(
                sa._tree.leaves(order(loss)(p, k * X)), sa._tree.leaves(order(plain)(p, k * X)), strict=True
            ):
                np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-13, atol=1e-15)
    count = len(runs)
    sa.grad(loss)(p, 3.0 * X)
    assert len(runs) == count


def selecting(x, w):
    y = x[x > 0.0] * 2.0
    (i,) = sa.nonzero(x < w)
    values, _, inverse, counts = sa.unique_all(sa.rint(x))
    return (y * y).sum() + (sa.exp(w[i]) * x[i]).sum(), sa.concat([y, values]), inverse, counts, i


MORE_POINTS = [sa.asarray(x) for x in ([0.3, -1.2, 2.0], [0.3, 0.4, 2.0], [-0.3, 1.2, 0.5], [-1.0, -2.0, -3.0])]


def test_shapes_that_depend_on_values_end_a_segment(tmp_path):
    f, w = sa.record(selecting), sa.asarray([0.5, 0.5, 0.5])
    for _ in range(2):
        for x in MORE_POINTS:
            for got, want in zip(f(x, w), selecting(x, w), strict=True):
                same(got, want)
    (g,) = f.graphs
    assert 1 < g.n_paths <= len(MORE_POINTS)
    assert re.search(
        r"if int\(count_nonzero_1\) == 2:  # .*py:\d+: ends a segment, shapes depend on values", f.explain()
    )
    g.verify()
    g.save(tmp_path / "s.zip")
    loaded, again = sa.graph.load(tmp_path / "s.zip"), g.rewrite(lambda node, xs: None)
    for x in MORE_POINTS:
        for h in (g, loaded, again, g.optimized(fold=False, cse=False, fuse=False, reuse=False)):
            for got, want in zip(h(x, w), selecting(x, w), strict=True):
                same(got, want)
    with pytest.raises(ValueError, match=r"graph: nothing is recorded for this int\(count_nonzero_\d\) at .*py:\d+"):
        loaded(sa.asarray([1.0, 2.0, 3.0]), w)


def test_gradients_through_shapes_that_depend_on_values():
    w = sa.asarray([0.5, 0.5, 0.5])
    plain = lambda x, w: selecting(x, w)[0]
    f = sa.record(plain)
    graphed = sa.graph.make_graphed(plain, (MORE_POINTS[0], w))
    for first in (lambda h: sa.grad(h, argnums=(0, 1)), lambda h: sa.grad(lambda x, w: sa.sin(sa.grad(h)(x, w)).sum())):
        inside = sa.record(first(plain))
        for x in MORE_POINTS * 2:
            want = sa._tree.leaves(first(plain)(x, w))
            for h in (first(f), inside, first(graphed)):
                for got, d in zip(sa._tree.leaves(h(x, w)), want, strict=True):
                    same(got, d)
    derivative = sa.record(lambda x: (x[x > 0.0] ** 2).sum())
    for x in MORE_POINTS:
        derivative(x)
    g = derivative.graphs[0].vjp()
    for x in MORE_POINTS:
        same(g(x, sa.asarray(1.0))[0], sa.grad(lambda x: (x[x > 0.0] ** 2).sum())(x))


SIZED = {
    "flatnonzero": lambda x, n: sa.flatnonzero(x > 0),
    "argwhere": lambda x, n: sa.argwhere(sa.stack([x, n]) > 0),
    "compress": lambda x, n: sa.compress(x > 0, x),
    "extract": lambda x, n: sa.extract(n > 1, x),
    "repeat": lambda x, n: sa.repeat(x, n),
    "repeat one": lambda x, n: sa.repeat(x, n[0]),
    "bincount": lambda x, n: sa.bincount(n, x),
    "intersect1d": lambda x, n: sa.intersect1d(n, n[::-1] * 2),
    "union1d": lambda x, n: sa.union1d(n, n * 2),
    "setdiff1d": lambda x, n: sa.setdiff1d(n, n * 2),
    "unique_counts": lambda x, n: sa.unique_counts(n).counts,
    "unique_inverse": lambda x, n: sa.unique_inverse(n).inverse_indices,
    "ix_": lambda x, n: (x * sa.reshape(n, (3, 1)))[sa.ix_(x > 0, n > 1)],
    "assignment": lambda x, n: _set(x, n > 1, x[n > 1] * 2.0),
    "mixed": lambda x, n: sa.stack([x, x * n], 1)[x > 0, 1],
}


@pytest.mark.parametrize("name", SIZED)
def test_functions_whose_shapes_depend_on_values(name):
    f, g = SIZED[name], sa.record(SIZED[name])
    for _ in range(2):
        for x, n in zip(MORE_POINTS, ([1, 0, 2], [3, 3, 3], [0, 0, 0], [2, 1, 4])):
            same(g(x, sa.asarray(n)), f(x, sa.asarray(n)))
    assert len(g.graphs) == 1


def test_ways_through_shapes_are_bounded():
    f = sa.record(lambda x: x[x > 0.0].sum(), max_paths=3)
    with pytest.warns(RuntimeWarning, match=r"max_paths=3 ways .* part at int\(count_nonzero_1\) at .*py:\d+"):
        sums = [f(sa.arange(6.0) - n) for n in range(6)]
    for n, got in enumerate(sums):
        same(got, np.sum(np.arange(6.0 - n)))
    (g,) = f.graphs
    assert g.n_paths == 3
    # A mask without axes, and shapes from integers.
    h = sa.record(lambda x, n: (x[x[0] > 0.0], sa.zeros(int(n)) + x[0], sa.arange(int(sa.sum(x > 0)))))
    for x in MORE_POINTS:
        for n in (1, 3):
            got, zeros, count = h(x, sa.asarray(n))
            same(got, x[x[0] > 0.0])
            same(zeros, np.zeros(n) + np.asarray(x)[0])
            assert count.shape == (int((x > 0).sum()),)


def test_programs_that_draw_are_rewritten():
    def f(rng, x):
        y = sa.exp(x) * rng.normal(size=3)
        if (y * y).sum() > 3.0:
            y = y + rng.random()
        return sa.sin(y).sum(), y

    rng, twin = sa.random.default_rng(4), sa.random.default_rng(4)
    recorded = sa.record(lambda x: f(rng, x))
    while not recorded.graphs or recorded.graphs[0].n_paths < 2:
        recorded(X), f(twin, X)
    (g,) = recorded.graphs
    assert rng.state == twin.state
    same_again, other = (
        g.rewrite(lambda node, xs: None),
        g.rewrite(lambda node, xs: sa.cos(xs[0]) if node.op == "sin" else None),
    )
    for _ in range(6):
        for got, want in zip(same_again(X), f(twin, X), strict=True):
            same(got, want)
        same(other(X)[0], sa.cos(f(twin, X)[1]).sum())
        assert rng.state == twin.state
    (normal,) = [n.name for n in g.nodes() if n.op == "random_normal"]
    draws, exponential = g.extract([normal]), g.extract(["exp_1"])
    before = rng.state
    same(exponential(X)[0], sa.exp(X))
    assert rng.state == before
    first, second = draws(X)[0], draws(X)[0]
    assert not np.array_equal(first, second)
    other = sa.random.default_rng(0)
    other.state = before
    same(first, other.standard_normal(3))
    twin.state = rng.state
    derivative = g.vjp()
    for _ in range(4):
        (got,) = derivative(X, sa.asarray(1.0), sa.zeros(3))
        state = twin.state

        def loss(x):
            twin.state = state
            return f(twin, x)[0]

        np.testing.assert_allclose(np.asarray(got), np.asarray(sa.grad(loss)(X)), rtol=1e-13)
        assert rng.state == twin.state


def test_long_nodes_run_together():
    def f(a, b):
        c = sa.exp(a)
        s, t = sa.linalg.svdvals(a), sa.linalg.svdvals(b @ b)
        w = sa.linalg.eigvalsh(a + a.mT)
        return s + t * w, sa.linalg.svdvals(sa.where(s > 0.0, c, 0.0)), s.sum()

    rng = np.random.default_rng(0)
    a, b = (sa.asarray(rng.normal(size=(60, 60))) for _ in range(2))
    g = graph_of(f, a, b)
    g.verify()
    for h in (g, g.optimized(parallel=False), g.optimized(reuse=False)):
        for x, y in ((a, b), (b, a)):
            for got, want in zip(h(x, y), f(x, y), strict=True):
                same(got, want)
    a[0, 0] = np.nan
    assert np.isnan(np.asarray(g(a, b)[0])).all()


def test_results_lie_in_memory_as_those_of_operators():
    def f(x, y):
        z = (x + y) * x
        return z - y, z

    x, y = (sa.asarray(np.random.default_rng(k).normal(size=(40, 50))) for k in range(2))
    g = graph_of(f, x, y)
    for a, b in ((x, y), (x.T, y.T), (x.T, sa.copy(y.T)), (x[::-1], y[:, ::-1]), (x[:1], y), (x, y[:, :1])):
        h = graph_of(lambda x, y: f(2.0 * x, y)[0] * 3.0, a, b)
        same(h(a, b)[0], f(2.0 * a, b)[0] * 3.0)
        for got, want in zip(graph_of(f, a, b)(a, b), f(a, b), strict=True):
            same(got, want)
            assert np.asarray(got).strides == np.asarray(want).strides
    assert g.n_steps == 1


def test_programs_run_through_reshapes():
    def f(x, y, s):
        a = sa.exp(x) * s
        b = a.reshape(40, 12) + y
        c = b.reshape(480) * 2.0 - s
        d = sa.tanh(c)
        return sa.sin(c).reshape(2, 240), b, a.reshape(30, 16) + x.reshape(30, 16), d.reshape(6, 80).max(axis=0)

    rng = np.random.default_rng(0)
    x, y, s = (sa.asarray(rng.normal(size=shape)) for shape in ((60, 8), (40, 12), ()))
    g = graph_of(f, x, y, s)
    g.verify()
    assert g.n_steps <= 5 < g.optimized(fuse=False).n_steps
    strided = sa.asarray(rng.normal(size=(8, 60))).T, sa.asarray(rng.normal(size=(40, 24)))[:, ::2]
    for a, b in ((x, y), (-x, x.reshape(40, 12)), strided):
        for h in (g, g.optimized(cse=False, fold=False), g.optimized(fuse=False)):
            for got, want in zip(h(a, b, s), f(a, b, s), strict=True):
                same(got, want)
    # Repeated rows are no run of memory.
    rows = lambda x, r: (sa.exp(x + r).reshape(12) * 2.0).reshape(3, 4) - r
    r = sa.asarray(rng.normal(size=4))
    h = graph_of(rows, x[:3, :4], r)
    same(h(x[:3, :4], r)[0], rows(x[:3, :4], r))
    total = lambda x: (sa.square(x).reshape(-1) * 3.0).sum()
    big = sa.asarray(rng.normal(size=(60, 80)))
    k = graph_of(total, big)
    assert k.n_steps == 1
    same(k(big)[0], total(big))
    same(sa.grad(lambda x: k(x)[0])(big), sa.grad(total)(big))


def test_the_plan_of_memory():
    big = lambda x: sa.cumsum(sa.cumsum(sa.cumsum(x, 0), 0), 0)
    chain = graph_of(lambda x: big(x).sum(), sa.ones(1000)).memory()
    assert (chain["inputs"], chain["arena"], chain["peak"]) == (8000, 16000, 16000)
    # Views keep what they look at; outputs have memory of their own.
    view = graph_of(lambda x: sa.cumsum(sa.cumsum(sa.cumsum(x, 0)[1:], 0), 0), sa.ones(1001)).memory()
    assert view["peak"] == 16008 and view["arena"] == 16064
    assert graph_of(lambda x: sa.cumsum(x, 0), sa.ones(1000)).memory()["arena"] == 0


def test_leaf_functions_are_one_node():
    @sa.leaf
    def block(x):
        return sa.exp(x) * sa.sin(x)

    f = sa.record(lambda x: (block(x) + block(2.0 * x)).sum())
    f(X)
    assert [n.op for n in f.graphs[0].nodes()].count("block") == 2
    plain = lambda x: (sa.exp(x) * sa.sin(x) + sa.exp(2.0 * x) * sa.sin(2.0 * x)).sum()
    same(f(2.0 * X), plain(2.0 * X))
    np.testing.assert_allclose(np.asarray(sa.grad(f)(X)), np.asarray(sa.grad(plain)(X)), rtol=1e-14)


def test_why_nan():
    def f(x):
        y = sa.sqrt(x)
        z = sa.log(y - 1.0)
        if float(z.sum()) > 0:
            return z
        return z * 2.0

    found = sa.why_nan(f, sa.asarray([4.0, 0.5]))
    assert found.op == "log" and found.inputs == ("float64(2,)",)
    assert found.source.startswith(__file__)
    assert "z = sa.log" in open(__file__).read().splitlines()[int(found.source.rsplit(":")[-1]) - 1]
    assert sa.why_nan(f, sa.asarray([9.0, 16.0])) is None
    assert not _core.is_recording()
    assert sa.why_nan(sa.grad(lambda x: sa.sqrt(x)), sa.asarray(0.0)) is not None


def _sample(row, rng):
    args = []
    domain = row["domain"]
    for k in range(len(row["args"])):
        low, high = domain[k] if k < len(domain) else (-2.0, 2.0)
        low, high = max(low, -3.0), min(high, 3.0)
        args.append(sa.asarray(rng.uniform(low, max(high, low), size=4)))
    return args


@pytest.mark.parametrize("name", sorted(_core._rows))
def test_rows_recorded_are_rows_eager(name):
    row = _core._rows[name]
    f = row["function"]
    rng = np.random.default_rng(0)
    if "float64" not in row["dtypes"]:
        kind = next(k for k in ("complex128", "int64", "bool") if k in row["dtypes"])
        args = [sa.asarray(rng.integers(0, 5, size=4)).astype(kind) for _ in row["args"]]
    else:
        args = _sample(row, rng)
    if name == "where":
        args[0] = args[0] > 0.0
    want = f(*args)
    g = sa.record(f)
    same(g(*args), want)
    same(g(*args), want)
    if not row["differentiable"] or want.dtype.kind != "f":
        return
    chosen = [k for k, a in enumerate(args) if a.dtype.kind == "f"]

    def loss(h):
        return lambda *xs: (h(*xs) * sa.asarray([1.0, 2.0, -1.0, 0.5])).sum()

    def second(h):
        first = sa.grad(loss(h), argnums=chosen)
        return sa.grad(lambda *xs: sum((sa.cos(d).sum() for d in first(*xs)), start=sa.zeros(())), argnums=chosen)

    for order in (lambda h: sa.grad(loss(h), argnums=chosen), second):
        try:
            eager = order(f)(*args)
        except (NotImplementedError, TypeError):
            continue
        recorded = sa.record(order(f))
        for _ in range(2):
            for got, expected in zip(recorded(*args), eager, strict=True):
                same(got, expected)
        for got, expected in zip(order(g)(*args), eager, strict=True):
            same(got, expected)


UNARY = [sa.sin, sa.exp, sa.abs, lambda x: x.sum(0, keepdims=True), lambda x: x[::-1], lambda x: sa.cumsum(x, 0)]
UNARY += [lambda x: sa.sort(x, 0), lambda x: x.astype("float32"), sa.stop_gradient, lambda x: x * 1.0, lambda x: x.T]
UNARY += [lambda x: x * x[x > 0.5].sum(), lambda x: sa.sin(x.reshape(-1) * 2.0).reshape(x.shape)]
BINARY = [sa.add, sa.multiply, sa.maximum, sa.subtract, lambda a, b: sa.where(a > b, a, b), sa.atan2]


@st.composite
def programs(draw):
    """A function of two arrays grown from random operations, some of which assign, branch or are never used."""
    steps = draw(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=25)
    )

    def f(x, y):
        values = [x, y, sa.asarray([[0.5, -1.0, 2.0]]), sa.asarray(0.25)]
        for kind, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            if kind % 4 == 0 and a.ndim == 2:
                values.append(UNARY[kind % len(UNARY)](a))
            elif kind % 4 == 3 and a.ndim == 2:
                c = a * 1.0
                c[0] = a.sum()
                values.append(c)
            elif kind == 13 and (a.sum() > b.sum()):
                values.append(a * 2.0)
            elif len({s for s in (a.shape, b.shape) if s not in ((), (1, 3), (1, 1))}) < 2:
                values.append(BINARY[kind % len(BINARY)](a, b))
        return values[-1], values[len(values) // 2]

    return f


@settings(max_examples=40)
@given(programs(), st.integers(0, 2**31))
def test_random_programs(f, seed):
    rng = np.random.default_rng(seed)
    x, y = (sa.asarray(rng.normal(size=(3, 3))) for _ in range(2))
    g = sa.record(f)
    for k in (1.0, -1.0, 0.5):
        want = f(k * x, y)
        for got, expected in zip(g(k * x, y), want, strict=True):
            same(got, expected)
    for graph in g.graphs:
        graph.verify()
        graph.optimized(fold=False, fuse=False).verify()
    loss = lambda h: lambda x, y: sa.sin(h(x, y)[0]).sum().astype("float64")
    same(sa.grad(loss(g))(x, y), sa.grad(loss(f))(x, y))
    recorded = sa.record(sa.grad(loss(f)))
    for k in (1.0, 0.5):
        same(recorded(k * x, y), sa.grad(loss(f))(k * x, y))


SHAPED = [sa.sin, sa.tanh, sa.abs, lambda v: 0.5 * v, lambda v: sa.exp(-v * v), lambda v: v.astype("float32")]
SHAPED += [lambda v: v[::-1], lambda v: v.sum(-1), lambda v: v.max(-1, keepdims=True), lambda v: v.mean()]
SHAPED += [lambda v: v.sum(0), lambda v: v.prod(-1, keepdims=True), lambda v: sa.count_nonzero(v > 0.1)]
SHAPED += [lambda v: v.reshape(v.shape[::-1]), lambda v: v.reshape(-1)]
SHAPES = [(50,), (3000,), (40, 300), (2, 9000), (7, 5, 64), (140_000,), (1, 1), (0, 5)]


@settings(max_examples=12)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=40),
    st.sampled_from(SHAPES),
    st.integers(0, 2**31),
)
def test_random_programs_over_many_elements(plan, shape, seed):
    def f(x, y):
        values = [x, y]
        for kind, i, j in plan:
            a, b = values[-1 - i % len(values)], values[-1 - j % len(values)]
            try:
                values.append(BINARY[kind % 5](a, b) if kind >= len(SHAPED) else SHAPED[kind](a))
            except (IndexError, ValueError):
                # Shapes do not broadcast, there is no such axis, or nothing to take the maximum of.
                continue
        return values[-1], values[len(values) // 2], values[-1 - len(values) // 4]

    rng = np.random.default_rng(seed)
    x, y, z = (sa.asarray(rng.normal(size=shape)) for _ in range(3))
    with np.errstate(all="ignore"):
        g = graph_of(f, x, y)
        g.verify()
        for a, b in ((x, y), (z, x), (y[..., ::-1], z), (x, x)):
            before = np.array(a)
            want = f(a, b)
            for h in (g, g.optimized(fuse=False), g.optimized(reuse=False)):
                for got, expected in zip(h(a, b), want, strict=True):
                    same(got, expected)
            same(a, before)
