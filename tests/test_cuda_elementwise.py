"""Printed elementwise programs under the driver of `cuda/map.h`, on the host, against the CPU bit for bit."""

import itertools
from typing import Any

import numpy as np
import pytest
from cuda_host import C_TYPES, elements, kernels, layout, pack, piece, same_bits
from test_elementwise_battery import REAL_ORDERS

import sciarray as sa
from sciarray import _core

ROWS: dict[str, dict[str, Any]] = _core._rows
# Functions are compared bit for bit by test_printed_host.py; here are the operators, in every dtype, and one function of
# each kind of call.
LONG = {"exp", "pow", "hypot", "floor_divide", "remainder", "fmod", "sinc"}
DTYPES = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64"]
FLAT = [
    ("add", ("float32", "float32")),
    ("multiply", ("float64", "int8")),
    ("where", ("bool", "complex128", "complex128")),
    ("exp", ("complex64",)),
    # Of one that is long one element at a time
    ("digamma", ("float64",)),
]


def is_short(name):
    """Whether a row's function is a few operators."""
    d = next((d for d in DTYPES if d in ROWS[name]["dtypes"]), "float64")
    return len(_core.print_elementwise(name, arguments(name, d))) < 2500


def arguments(name, dtype):
    n = len(ROWS[name]["args"])
    return ["bool", *[dtype] * (n - 1)] if name == "where" else [dtype] * n


def cases():
    for name in sorted(ROWS):
        if is_short(name) or name in LONG:
            for dtype in DTYPES:
                if dtype.startswith("complex") and name in REAL_ORDERS:
                    continue
                if dtype in ROWS[name]["dtypes"] or name == "where":
                    yield name, arguments(name, dtype)


def samples(rng, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        x = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        small = rng.integers(0, 9, shape).astype(dtype)
        return np.where(rng.random(shape) < 0.5, small - (dtype.kind == "i") * dtype.type(3), x).astype(dtype)
    parts = []
    for _ in range(2):
        x = rng.standard_normal(shape) * 2.0 ** rng.integers(-20, 20, shape)
        special = rng.choice([0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 5e-324, 1e308], shape)
        parts.append(np.where(rng.random(shape) < 0.3, special, x))
    with np.errstate(over="ignore", invalid="ignore"):
        return (parts[0] + 1j * parts[1] if dtype.kind == "c" else parts[0]).astype(dtype)


def text_of(program, kind):
    return piece("map.h", program, SA_MAP=kind)


def cast_program(source, target):
    s, t = C_TYPES[source], C_TYPES[target]
    return (
        f"SA_DEVICE void sa_program(const {s} a0, {t} &r0) {{ r0 = sa_cast<{t}>(a0); }}\n#define SA_INPUTS(X) X(0, a0, {s})\n"
        f"#define SA_OUTPUTS(X) X(1, r0, {t})\n#define SA_ELEMENT(k) a0[k], r0[k]\n#define SA_OPERANDS 2\n"
        "#define SA_WIDEST 16\n"
    )


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    texts = {f"{n}_{t[-1]}": text_of(_core.print_elementwise(n, t), 2) for n, t in cases()}
    for name, types in FLAT:
        texts[f"flat_{name}"] = text_of(_core.print_elementwise(name, list(types)), 1)
    for s, t in itertools.product(C_TYPES, C_TYPES):
        texts[f"cast_{s}_{t}"] = text_of(cast_program(s, t), 2)
    texts["wide"] = text_of(_core.print_elementwise("add", ["float64", "float64"]), 3)
    return kernels(tmp_path_factory.mktemp("elementwise"), texts)


def strided(host, text, operands, kernel="sa_map_strided", grid=2):
    shape = operands[-1].shape
    dims = layout(shape, *[elements(np.broadcast_to(v, shape)) for v in operands])
    if operands[-1].size:
        host.launch(text, kernel, pack(*operands, operands[-1].size, 0, dims), grid, 32)
    return operands[-1]


def test_operators(host):
    rng = np.random.default_rng(1)
    for name, types in cases():
        f = ROWS[name].get("function") or _function(name)
        xs = [samples(rng, (7, 1, 29), types[0]), *[samples(rng, (3, 29), t) for t in types[1:]]]
        xs = [x[..., ::-2] if k % 2 else x[..., ::2] for k, x in enumerate(xs)]
        if name == "pow" and np.dtype(types[0]).kind == "i":
            xs[1] = np.abs(xs[1] % 8).astype(types[1])
        expected = f(*[sa.asarray(x) for x in xs]).numpy()
        got = strided(host, f"{name}_{types[-1]}", [*xs, np.zeros(expected.shape, expected.dtype)])
        assert same_bits(got, expected), (name, types)


def _function(name):
    for module in (sa, sa.special, sa.linalg):
        if hasattr(module, name):
            return getattr(module, name)
    return getattr(_core, name)


def test_flat_operands(host):
    """Vectors of elements, aligned or not, with rests, beside operands of one element."""
    rng = np.random.default_rng(2)
    for (name, types), n, offset in itertools.product(FLAT, (0, 1, 2, 7, 16, 1009), (0, 1)):
        for single in range(2 ** len(types)):
            xs = []
            for k, t in enumerate(types):
                x = samples(rng, n + offset, t)[offset:]
                xs.append(x[:1].copy() if single >> k & 1 and n else x)
            expected = _function(name)(*[sa.asarray(x) for x in xs]).numpy()
            y = np.zeros(n + offset, expected.dtype)[offset:]
            expected = np.broadcast_to(expected, y.shape)
            if n:
                dims = layout([n], *[[1]] * (len(xs) + 1))
                host.launch(f"flat_{name}", "sa_map_flat", pack(*xs, y, n, single, dims), 2, 32)
            assert same_bits(y, expected), (name, n, offset, single)


def test_shapes(host):
    rng = np.random.default_rng(3)
    for shapes in [
        ((), ()),
        ((1,), (5, 1)),
        ((0, 3), (3,)),
        ((2, 3, 4, 5), (4, 1)),
        ((31,), (33, 1)),
        ((2, 1, 3, 1, 2, 1), (5, 1, 3, 1, 4)),
    ]:
        xs = [samples(rng, s, "float64") for s in shapes]
        y = np.zeros(np.broadcast_shapes(*shapes)[::-1]).T
        expected = sa.add(*map(sa.asarray, xs)).numpy()
        assert same_bits(strided(host, "add_float64", [*xs, y]), expected)
        assert same_bits(strided(host, "wide", [*xs, np.zeros(y.shape)], "sa_map_strided_64"), expected)
    # An input may be the output.
    x = samples(rng, 100, "float64")
    expected = sa.add(sa.asarray(x), sa.asarray(x)).numpy()
    assert same_bits(strided(host, "add_float64", [x, x, x]), expected)


@pytest.mark.filterwarnings("ignore:.*imaginary part is dropped")
def test_conversions(host):
    rng = np.random.default_rng(4)
    for s, t in itertools.product(C_TYPES, C_TYPES):
        x = samples(rng, 300, s)
        if np.dtype(s).kind == "f":
            x[:8] = [2.0**63, -(2.0**63), 2.0**31, -(2.0**31) - 1, 2.0**64, 1e30, -0.5, 2.0**32 + 0.5]
        expected = sa.asarray(x).astype(getattr(sa, t)).numpy()
        assert same_bits(strided(host, f"cast_{s}_{t}", [x, np.zeros(300, t)]), expected), (s, t)


def test_fused_programs(tmp_path):
    """Several functions, inputs in two dtypes, and two outputs in one kernel, as recordings fuse them."""

    def f(x, y):
        z = sa.sin(x) * y + 2.0
        return z, sa.where(z > 1.5, z * z, -x)

    rng = np.random.default_rng(5)
    x, y = rng.standard_normal((40, 3)), rng.standard_normal((40, 3)).astype("float32")
    recorded = sa.record(f)
    outs = [v.numpy() for v in recorded(sa.asarray(x), sa.asarray(y))]
    (graph,) = recorded.graphs
    ((text, ins, results),) = graph._print_programs()
    values = {number: c.numpy() for number, c in graph._constants()}
    values.update(zip(sorted(set(ins) - set(values)), (x, y)))
    fused = kernels(tmp_path, {"fused": text_of(text, 2)})
    places = [np.zeros_like(v) for v in outs]
    operands = [*(values[i] for i in ins), *places]
    dims = layout(x.shape, *[elements(np.broadcast_to(v, x.shape)) for v in operands])
    fused.launch("fused", "sa_map_strided", pack(*operands, x.size, 0, dims), 2, 32)
    assert len(results) == 2 and all(same_bits(a, b) for a, b in zip(places, outs))
