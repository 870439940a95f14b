"""Recorded programs as data, explicit recordings, and recorded = eager over the op table and random programs."""

from __future__ import annotations

import json
import zipfile
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
    b = sa.record(lambda x: x if x.sum() > 0 else -x)
    same(b(X), X)
    same(b(-X), X)
    with pytest.raises(ValueError, match="save: the program branches"):
        b.graphs[0].save(tmp_path / "b.zip")


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
    spoiled(lambda d: d.update(outputs=[50]))


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
    with pytest.raises(RuntimeError, match="recording: a value that Python read differs"):
        h.replay()


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
        kind = "int64" if "int64" in row["dtypes"] else "bool"
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
