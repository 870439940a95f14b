"""Differences, running sums, interpolation, polynomials and closeness against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_peer import arrays, assert_same, cases, compare

import sciarray as sa
from sciarray.testing import check_grads

few = settings(max_examples=15, deadline=None)
REAL = ("int8", "uint16", "int64", "float32", "float64")

UNARY = {
    "diff": lambda m, x: m.diff(x),
    "diff twice": lambda m, x: m.diff(x, 2, axis=0),
    "diff ends": lambda m, x: m.diff(x, prepend=0, append=x[..., :1]) if x.ndim else None,
    "ediff1d": lambda m, x: m.ediff1d(x, to_begin=[1, 2], to_end=0) if x.dtype.kind in "if" else None,
    "cumsum": lambda m, x: m.cumsum(x),
    "cumsum axis": lambda m, x: m.cumsum(x, 0, dtype="float64") if x.ndim else None,
    "cumprod": lambda m, x: m.cumprod(x, axis=-1) if x.ndim else None,
    "cumulative_sum": lambda m, x: m.cumulative_sum(x, axis=0, include_initial=True) if x.ndim else None,
    "cumulative_prod": lambda m, x: m.cumulative_prod(x, axis=-1) if x.ndim else None,
    "cumulative_sum flat": lambda m, x: m.cumulative_sum(x) if x.ndim else None,
    "nancumsum": lambda m, x: m.nancumsum(x, axis=0) if x.ndim else None,
    "nancumprod": lambda m, x: m.nancumprod(x),
    "round": lambda m, x: [m.round(x), m.round(x, 1)] if x.dtype != bool else None,
    "nan_to_num": lambda m, x: [m.nan_to_num(x), m.nan_to_num(x, nan=1.0, posinf=2.0, neginf=-3.0)],
    "isreal": lambda m, x: [m.isreal(x), m.iscomplex(x), m.iscomplexobj(x), m.isrealobj(x)],
    "array_equal": lambda m, x: [m.array_equal(x, x), m.array_equal(x, x, equal_nan=True), m.array_equiv(x, x)],
    "isclose": lambda m, x: [m.isclose(x, x), m.isclose(x, x, equal_nan=True)] if x.dtype != bool else None,
}


@cases(UNARY)
@few
@given(x=arrays(special=True))
def test_of_one_array(f, x):
    compare(f, x)


REALS = {
    "clip": lambda m, x: [m.clip(x, 1, 3), m.clip(x, None, 2), m.clip(x, 3, 1)],
    "unwrap": lambda m, x: [m.unwrap(x, axis=-1), m.unwrap(x, period=4.0)] if x.ndim and x.dtype.kind != "u" else None,
    "trapezoid": lambda m, x: [m.trapezoid(x, axis=0), m.trapezoid(x, dx=0.5)] if x.ndim else None,
    "gradient": lambda m, x: m.gradient(x, 0.5) if x.ndim else None,
    "gradient axis": lambda m, x: m.gradient(x, axis=-1, edge_order=2) if x.ndim else None,
    "gradient coordinates": lambda m, x: (
        m.gradient(x, m.arange(x.shape[0]) ** 2.0, axis=0, edge_order=2) if x.ndim else None
    ),
    "heaviside": lambda m, x: m.heaviside(x, 0.5),
    "sign of infinity": lambda m, x: [m.isposinf(x), m.isneginf(x)] if x.dtype.kind == "f" else None,
    "angles": lambda m, x: [m.deg2rad(x), m.rad2deg(x)] if x.dtype.kind == "f" else None,
    "modf": lambda m, x: list(m.modf(x)) if x.dtype.kind == "f" else None,
}


@cases(REALS)
@few
@given(x=arrays(REAL))
def test_of_one_real_array(f, x):
    compare(f, x)


BINARY = {
    "divmod": lambda m, x, y: list(m.divmod(x, y)) if y.all() else None,
    "fmax": lambda m, x, y: [m.fmax(x, y), m.fmin(x, y)],
    "float_power": lambda m, x, y: m.float_power(m.abs(x) + 1, y),
    "isclose": lambda m, x, y: m.isclose(x, y, rtol=0.1),
    "allclose": lambda m, x, y: m.allclose(x, y, atol=2),
    "array_equiv": lambda m, x, y: m.array_equiv(x, y),
}


@cases(BINARY)
@few
@given(data=st.data())
def test_of_two_arrays(f, data):
    x = data.draw(arrays(REAL, special=f is BINARY["fmax"]))
    y = data.draw(st.one_of(arrays(REAL, shape=x.shape), arrays(REAL, shape=())))
    compare(f, x, y)


VECTORS = {
    "convolve": lambda m, a, v: [m.convolve(a, v, mode) for mode in ("full", "same", "valid")],
    "correlate": lambda m, a, v: [m.correlate(a, v, mode) for mode in ("full", "same", "valid")],
    "polyval": lambda m, a, v: m.polyval(a, v),
    "poly arithmetic": lambda m, a, v: [m.polyadd(a, v), m.polysub(a, v)] if a.dtype != bool != v.dtype else None,
    "polymul": lambda m, a, v: m.polymul(a, v) if a.any() and v.any() and a[0] and v[0] else None,
    "polyder": lambda m, a, v: (
        [m.polyder(a), m.polyint(v, 2, k=[1, 2])] if a.dtype.kind == v.dtype.kind == "f" else None
    ),
}


@cases(VECTORS)
@few
@given(data=st.data())
def test_of_two_vectors(f, data):
    kinds = ("int64", "float32", "float64", "complex128")
    a = data.draw(arrays(kinds, min_dims=1, max_dims=1, max_side=7))
    v = data.draw(arrays(kinds, min_dims=1, max_dims=1, max_side=7))
    compare(f, a, v)


@few
@given(
    x=arrays(("float32", "float64", "int64"), special=True),
    xp=arrays(("float64",), min_dims=1, max_dims=1, min_side=1, max_side=6),
    ends=st.booleans(),
    complex_values=st.booleans(),
)
def test_interp(x, xp, ends, complex_values):
    xp = np.unique(xp)
    fp = np.cos(xp) * (1 + 2j if complex_values else 1)
    keywords = {"left": -7.0, "right": 9.0} if ends else {}
    # Unlike NumPy's, a NaN keeps the dtype that the arguments meet at.
    compare(lambda m, x, xp, fp: m.interp(x, xp, fp, **keywords), x, xp, fp)
    compare(lambda m, x, xp, fp: m.interp(m.where(m.isfinite(x), x, 0.0), xp, fp, period=3.0), x, xp % 3.0, fp)


@few
@given(data=st.data(), deg=st.integers(0, 3), columns=st.sampled_from([(), (2,)]), weighted=st.booleans())
def test_polyfit(data, deg, columns, weighted):
    n = data.draw(st.integers(deg + 4, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    x, y = rng.normal(size=n), rng.normal(size=(n, *columns))
    w = rng.uniform(0.5, 2.0, n) if weighted else None
    compare(lambda m, x, y: m.polyfit(x, y, deg, w=w), x, y, rtol=1e-7)
    compare(lambda m, x, y: list(m.polyfit(x, y, deg, w=w, cov=True)), x, y, rtol=1e-6)
    compare(lambda m, x, y: list(m.polyfit(x, y, deg, w=w, cov="unscaled")), x, y, rtol=1e-6)
    c, residuals, rank, s, rcond = sa.polyfit(x, y, deg, w=w, full=True)
    expected = np.polyfit(x, y, deg, w=w, full=True)
    np.testing.assert_allclose(residuals, np.reshape(expected[1], residuals.shape), rtol=1e-7)
    np.testing.assert_allclose(s, expected[3], rtol=1e-9)
    assert (int(rank), rcond) == (expected[2], expected[4])


def test_polynomials_of_roots():
    for z in (
        [1.0, -2.0, 0.5],
        [1 + 2j, 1 - 2j, 3.0],
        [1 + 2j, 3j],
        [2],
        [[2.0, 1.0], [3.0, -1.0]],
        [[1.0, 1j], [2.0, 3.0]],
    ):
        compare(lambda m, z: m.poly(z), np.asarray(z), rtol=1e-12, dtypes=False)
    for p in ([1.0, -6.0, 11.0, -6.0], [2, 0, 2], [0.0, 1.0, 3.0], [1.0, 2.0, 0.0], [3.0], [1j, 2.0, 1.0]):
        found, expected = np.sort_complex(np.asarray(sa.roots(p))), np.sort_complex(np.roots(p))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


def test_select_and_piecewise():
    x = np.array([-2.0, -0.5, 0.0, 1.0, 3.0])
    compare(lambda m, x: m.select([x < -1, x > 2], [x * 2, x * x], default=7), x)
    compare(lambda m, x: m.select([x < -1, x > -1], [m.asarray([1]), x]), x)
    compare(lambda m, x: m.piecewise(x, [x < 0, x > 2], [-1, lambda v: v * 2, 5]), x)
    compare(lambda m, x: m.piecewise(x, x > 0, [lambda v, a: v + a], 3.0), x)
    compare(lambda m, x: m.piecewise(x, [x > 0, x < 0], [1]), x)


def test_convolution_in_blocks_of_windows():
    a, v = np.cos(np.arange(9000.0)), np.sin(np.arange(1000.0))
    compare(lambda m, a, v: m.convolve(a, v, "same"), a, v, rtol=1e-11)


def test_trapezoid_at_coordinates():
    y, x = np.arange(12.0).reshape(3, 4) ** 2, np.array([0.0, 1.0, 4.0, 5.0])
    compare(
        lambda m, y, x: [m.trapezoid(y, x), m.trapezoid(y, m.broadcast_to(x, (3, 4))), m.trapezoid(y.T, x, axis=0)],
        y,
        x,
    )


def test_infinite_samples_interpolate_as_in_numpy():
    x, xp, fp = np.array([0.0, 0.5, 1.0, 1.5, 2.0]), np.array([0.0, 1.0, 2.0]), np.array([np.inf, np.inf, 0.0])
    compare(lambda m, x, xp, fp: m.interp(x, xp, fp), x, xp, fp)


GRADIENTS = {
    "interp": lambda x: sa.interp(x[:2] * 0.1, sa.cumsum(sa.exp(x)), sa.sin(x)),
    "gradient": lambda x: sa.gradient(x * x, sa.cumsum(sa.exp(x)), edge_order=2),
    "trapezoid": lambda x: sa.trapezoid(sa.exp(x), x),
    "unwrap": lambda x: sa.unwrap(x * 9),
    "convolve": lambda x: sa.convolve(x, x[:2]),
    "polyval": lambda x: sa.polyval(x, x[1:]),
    "polyfit": lambda x: sa.polyfit(x, sa.exp(x), 2, w=1 + x * x),
    "polyfit covariance": lambda x: sa.polyfit(x, sa.exp(x), 1, cov=True)[1],
    "roots": lambda x: sa.abs(sa.roots(x)),
    "poly": lambda x: sa.poly(x),
    "clip": lambda x: sa.clip(x, -0.5, x[0] + 0.4),
    "select": lambda x: sa.select([x > 0], [sa.sqrt(sa.abs(x))], x * x),
    "cumprod": lambda x: sa.cumprod(x),
    "diff": lambda x: sa.diff(x * x, 2),
    "pad": lambda x: sa.pad(x * x, 2, mode="reflect"),
    "roll": lambda x: sa.roll(x * x, 1),
    "sort": lambda x: sa.sort(x * x),
}


@cases(GRADIENTS)
def test_gradients(f):
    check_grads(f, sa.asarray([0.3, -0.8, 1.1, 0.6]), order=2)


def test_masked_branches_have_gradient_zero():
    g = sa.grad(lambda x: sa.sum(sa.select([x > 0], [sa.sqrt(x)], 0.0)))(sa.asarray([0.0, 4.0]))
    assert_same(g, np.array([0.0, 0.25]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sa.diff(sa.ones(3), -1), "diff: the order n must not be negative, got -1"),
        (lambda: sa.cumulative_sum(sa.ones((2, 2))), r"cumulative_sum: axis is required .* \(2, 2\)"),
        (lambda: sa.interp(sa.ones(2), sa.ones(2), sa.ones(3)), r"interp: .* \(2,\) and \(3,\)"),
        (lambda: sa.gradient(sa.ones(1)), "gradient: axis 0 needs at least 2 elements"),
        (lambda: sa.convolve(sa.ones(0), sa.ones(2)), r"convolve: .* \(0,\) and \(2,\)"),
        (lambda: sa.select([sa.ones(2)], [1]), "select: conditions must be bools, got dtype float64"),
        (lambda: sa.round(sa.asarray(True)), "round: only numbers"),
    ],
)
def test_errors_name_the_rule(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
