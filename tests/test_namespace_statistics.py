"""Averages, order statistics, NaN-ignoring reductions, histograms and correlation against NumPy."""

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
METHODS = [
    "linear",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
    "interpolated_inverted_cdf",
    "lower",
    "higher",
    "midpoint",
    "nearest",
    "closest_observation",
    "inverted_cdf",
    "averaged_inverted_cdf",
]

REDUCTIONS = {
    "mean": lambda m, x: [m.mean(x), m.mean(x, keepdims=True)],
    "mean dtype": lambda m, x: m.mean(x, dtype="complex128"),
    "var": lambda m, x: [m.var(x), m.var(x, ddof=1), m.var(x, correction=1, keepdims=True)],
    "std": lambda m, x: m.std(x),
    "average": lambda m, x: m.average(x),
    "sum": lambda m, x: [m.sum(x), m.count_nonzero(x)],
    "prod": lambda m, x: m.prod(x) if x.dtype.kind != "c" else None,
    "any": lambda m, x: [m.any(x), m.all(x)],
}


@cases(REDUCTIONS)
@few
@given(x=arrays(special=True))
def test_reductions(f, x):
    compare(f, x)


AXES = {
    "mean": lambda m, x: m.mean(x, axis=0),
    "mean axes": lambda m, x: m.mean(x, axis=(0, -1), keepdims=True),
    "var": lambda m, x: m.var(x, axis=-1, ddof=2, keepdims=True),
    "std": lambda m, x: m.std(x, axis=(-1,)),
    "nansum": lambda m, x: [m.nansum(x), m.nansum(x, axis=0, keepdims=True)],
    "nanprod": lambda m, x: m.nanprod(x, axis=0) if x.dtype.kind != "c" else None,
    "nanmean": lambda m, x: [m.nanmean(x), m.nanmean(x, axis=-1)],
    "nanvar": lambda m, x: [m.nanvar(x), m.nanvar(x, axis=0, ddof=1), m.nanvar(x, axis=0, keepdims=True)],
    "nanstd": lambda m, x: m.nanstd(x, axis=-1),
}


@cases(AXES)
@few
@given(x=arrays(min_dims=1, special=True))
def test_reductions_over_axes(f, x):
    compare(f, x)


ORDERED = {
    "max": lambda m, x: [m.max(x, axis=0), m.min(x), m.argmax(x, axis=-1), m.argmin(x)],
    "ptp": lambda m, x: [m.ptp(x), m.ptp(x, axis=0, keepdims=True)] if x.dtype != bool else None,
    "nanmax": lambda m, x: [m.nanmax(x), m.nanmax(x, axis=0)],
    "nanmin": lambda m, x: [m.nanmin(x), m.nanmin(x, axis=-1, keepdims=True)],
    "nanargmax": lambda m, x: [m.nanargmax(x), m.nanargmin(x, axis=0)],
}


@cases(ORDERED)
@few
@given(x=arrays(("int64", "float32", "float64"), min_dims=1, min_side=1, special=True))
def test_ordered_reductions(f, x):
    compare(f, x)


QUANTILES = {
    "median": lambda m, x: [m.median(x), m.median(x, axis=0), m.median(x, axis=(0, -1), keepdims=True)],
    "nanmedian": lambda m, x: [m.nanmedian(x), m.nanmedian(x, axis=-1)],
    "quantile": lambda m, x: [m.quantile(x, 0.3, axis=0), m.quantile(x, [0.0, 0.25, 1.0], axis=-1, keepdims=True)],
    "percentile": lambda m, x: m.percentile(x, [10, 90]),
    "nanquantile": lambda m, x: [m.nanquantile(x, 0.3, axis=0), m.nanquantile(x, [0.5, 1.0])],
    "nanpercentile": lambda m, x: m.nanpercentile(x, 40, axis=-1),
}


@cases(QUANTILES)
@few
@given(x=arrays(("int64", "float32", "float64"), min_dims=1, min_side=1, special="nan"))
def test_order_statistics(f, x):
    # Whether a single float32 keeps its dtype in quantiles differs between NumPy's own paths.
    compare(f, x, rtol=1e-6 if x.dtype == np.float32 else 1e-12, dtypes=x.dtype != np.float32)


@pytest.mark.parametrize("method", METHODS)
@few
@given(
    x=arrays(("int64", "float64"), min_dims=1, max_dims=2, min_side=1, max_side=9),
    q=st.integers(0, 60).map(lambda k: k / 60),
)
def test_quantile_methods(method, x, q):
    compare(lambda m, x: [m.quantile(x, q, method=method), m.nanquantile(x, q, axis=0, method=method)], x)


def test_empty_reductions():
    x = np.zeros((0, 3))
    compare(
        lambda m, x: [m.mean(x), m.mean(x, axis=0), m.var(x, axis=0), m.std(x), m.sum(x, axis=0), m.nanmean(x, axis=0)],
        x,
    )
    compare(lambda m, x: [m.median(x), m.nanmedian(x, axis=0)], x)
    compare(lambda m, x: m.max(x), x)


WEIGHTED = {
    "average": lambda m, x, w: [m.average(x, weights=w), m.average(x, axis=0, weights=w)],
    "average returned": lambda m, x, w: list(m.average(x, axis=1, weights=w, returned=True, keepdims=True)),
    "average vector": lambda m, x, w: m.average(x, axis=-1, weights=w[0]),
    "cov": lambda m, x, w: [m.cov(x), m.cov(x, bias=True), m.cov(x, w), m.cov(x, rowvar=False), m.cov(x, ddof=0)],
    "cov weights": lambda m, x, w: m.cov(x, aweights=w[0], fweights=m.arange(x.shape[1])),
    "corrcoef": lambda m, x, w: [m.corrcoef(x + w), m.corrcoef(x[0], w[0])],
}


@cases(WEIGHTED)
@few
@given(x=arrays(("int64", "float64", "complex128"), shape=(3, 4)), w=arrays(("int64", "float64"), shape=(3, 4)))
def test_weights_and_correlation(f, x, w):
    compare(f, x, abs(w) + np.arange(1, 5), rtol=1e-9)


def test_average_of_zero_weights_is_an_error():
    with pytest.raises(ZeroDivisionError, match="average: weights sum to 0"):
        sa.average(sa.ones(2), weights=[1, -1])


COUNTS = {
    "histogram": lambda m, x: list(m.histogram(x)),
    "histogram range": lambda m, x: list(m.histogram(x, 4, (-1.0, 2.0), density=True)) if (abs(x) < 1).any() else None,
    "histogram edges": lambda m, x: list(m.histogram(x, m.asarray([-2, 0, 0.5, 3]))),
    "histogram weights": lambda m, x: list(m.histogram(x, 5, weights=x * 0.5)),
    "histogram rules": lambda m, x: [
        m.histogram_bin_edges(x, rule) for rule in ("auto", "fd", "rice", "scott", "sqrt", "sturges")
    ],
    "digitize": lambda m, x: [
        m.digitize(x, m.asarray(b), right=r) for b in ([-1.0, 0, 0.5], [3.0, 1, -2], [1.0, 1, 2]) for r in (False, True)
    ],
}


GRIDS = {
    "2-d": lambda m, x: list(m.histogram2d(x[:, 0], x[:, 1], 3)),
    "2-d edges": lambda m, x: list(m.histogram2d(x[:, 0], x[:, 1], [-1.0, 0.0, 2.0, 2.5])),
    "weights": lambda m, x: m.histogram2d(x[:, 0], x[:, 1], 3, weights=x[:, 0] * 0.5)[0],
    "3-d": lambda m, x: m.histogramdd(x, (2, 1, 3))[0],
    "vectors of coordinates": lambda m, x: m.histogramdd([x[0], x[1]], 2)[0],
    "mixed bins": lambda m, x: m.histogramdd(x, (2, [-1.0, 1.0], 3))[0],
    "density": lambda m, x: m.histogramdd(x, 2, [(-10.0, 10.0)] * 3, density=True)[0],
    "range": lambda m, x: m.histogramdd(x, 2, [(-1.0, 1.0), (-2.0, 0.5), None])[0],
}


@cases(GRIDS)
@few
@given(x=arrays(("float64",), shape=(6, 3)))
def test_counting_in_grids(f, x):
    compare(f, x, rtol=1e-12, dtypes=False)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "bool", "int64"])
def test_largest_number_of_a_dtype_is_counted(dtype):
    largest = 1 if dtype == "bool" else min(np.iinfo(dtype).max, 40000)
    compare(lambda m, x: m.bincount(x), np.array([largest, 1, largest], dtype))


@cases(COUNTS)
@few
@given(x=arrays(("int64", "float32", "float64"), max_dims=2, max_side=8))
def test_counting(f, x):
    compare(f, x, rtol=1e-6 if x.dtype == np.float32 else 1e-12, dtypes=x.dtype != np.float32)


@few
@given(x=arrays(("uint16", "int64"), min_dims=1, max_dims=1, max_side=9))
def test_bincount(x):
    compare(lambda m, x: [m.bincount(x), m.bincount(x, minlength=12)], x)
    # Without elements NumPy answers with integers in spite of the weights.
    compare(lambda m, x: m.bincount(x, weights=m.cos(m.astype(x, "float64"))) if x.size else None, x)


def test_std_of_constant_input_has_gradient_zero():
    for f in (sa.std, sa.nanstd):
        assert_same(sa.grad(f)(sa.ones(3)), np.zeros(3))


GRADIENTS = {
    "mean": lambda x: sa.mean(x * x),
    "var": lambda x: sa.var(x, ddof=1),
    "std": lambda x: sa.std(sa.exp(x)),
    "median": lambda x: sa.median(x * x),
    "quantile": lambda x: sa.quantile(x * x, sa.special.expit(x[:2])),
    "nanmean": lambda x: sa.nanmean(sa.concat([x * x, sa.asarray([sa.nan])])),
    "nanvar": lambda x: sa.nanvar(sa.concat([x * x, sa.asarray([sa.nan])])),
    "nanmedian": lambda x: sa.nanmedian(sa.concat([x * x, sa.asarray([sa.nan])])),
    "average": lambda x: sa.average(x, weights=sa.exp(x)),
    "cov": lambda x: sa.cov(x, x * x),
    "corrcoef": lambda x: sa.corrcoef(x, x * x),
    "bincount": lambda x: sa.bincount(sa.asarray([0, 2, 0, 1]), weights=x * x),
    "histogram": lambda x: sa.histogram(sa.asarray([0.0, 0.5, 2.0, 3.0]), 3, weights=x * x)[0],
    "histogramdd": lambda x: sa.histogramdd([[0.0, 2.0, 0.1, 5.0], [1.0, 3.0, 0.0, 5.0]], 2, weights=x * x)[0],
    "nanprod": lambda x: sa.nanprod(x),
    "ptp": lambda x: sa.ptp(x * x),
}


@cases(GRADIENTS)
def test_gradients(f):
    check_grads(f, sa.asarray([0.3, -0.8, 1.1, 0.6]), order=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sa.quantile(sa.ones(3), 1.5), r"quantile: probabilities must be in \[0, 1\]"),
        (lambda: sa.quantile(sa.ones(3), 0.5, method="best"), "quantile: method must be one of linear"),
        (lambda: sa.median(sa.ones(3) * 1j), "median: only real numbers are ordered"),
        (lambda: sa.nanargmax(sa.asarray([sa.nan])), "nanargmax: a slice holds nothing but NaN"),
        (lambda: sa.bincount(sa.asarray([-1])), "bincount: integers must not be negative, got -1"),
        (lambda: sa.bincount(sa.asarray([0.5])), "bincount: a vector of integers"),
        (lambda: sa.histogram(sa.ones(2), [2, 1]), "histogram: edges must increase"),
        (lambda: sa.histogram(sa.asarray([sa.nan])), "histogram: the range must be finite"),
        (lambda: sa.histogramdd(sa.ones((2, 3)), (2, 2)), "histogramdd: one of bins and range per axis"),
        (lambda: sa.histogramdd(sa.ones((2, 3)), weights=[1.0]), "histogramdd: one weight per point"),
        (lambda: sa.digitize(sa.ones(2), [0, 2, 1]), "digitize: bins must increase or decrease"),
        (lambda: sa.cov(sa.ones((2, 2, 2))), "cov: at most two axes"),
    ],
)
def test_errors_name_the_rule(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
