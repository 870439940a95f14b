"""Sorting, searching, sets and indexing functions against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_peer import arrays, assert_same, cases, compare

import sciarray as sa
from sciarray.testing import check_grads

few = settings(max_examples=15, deadline=None)

SORTING = {
    "sort": lambda m, x: [m.sort(x), m.sort(x, axis=0), m.sort(x, axis=None)],
    "argsort": lambda m, x: [
        m.argsort(x, stable=True),
        m.argsort(x, axis=0, stable=True),
        m.argsort(x, axis=None, stable=True),
    ],
    "lexsort": lambda m, x: [m.lexsort(x), m.lexsort((x, x[::-1]))] if x.ndim > 1 and x.shape[0] else None,
    "partition": lambda m, x: m.sort(m.partition(x, 0)) if x.size else None,
    "nonzero": lambda m, x: [m.nonzero(x), m.argwhere(x), m.flatnonzero(x), m.where(x)],
    "unique": lambda m, x: [m.unique(x), m.unique(x, return_counts=True, return_index=True, return_inverse=True)],
    "unique of NaN": lambda m, x: m.unique(x, equal_nan=False),
    "unique_values": lambda m, x: [
        m.sort(m.unique_values(x)),
        *m.unique_counts(x),
        *m.unique_inverse(x),
        *m.unique_all(x),
    ],
}


@cases(SORTING)
@few
@given(x=arrays(("bool", "int8", "uint16", "int64", "float32", "float64"), min_dims=1, special=True))
def test_of_one_array(f, x):
    compare(f, x)


@few
@given(x=arrays(("int64", "float64"), min_dims=2, max_dims=2, min_side=1), axis=st.integers(0, 1))
def test_unique_slices(x, axis):
    x = np.sign(x)
    compare(lambda m, x: m.unique(x, axis=axis, return_index=True, return_inverse=True, return_counts=True), x)


def test_descending_order_is_stable():
    x = sa.asarray([1, 3, 1, 3])
    assert sa.argsort(x, descending=True).tolist() == [1, 3, 0, 2]
    assert sa.sort(x, descending=True).tolist() == [3, 3, 1, 1]


def test_argpartition():
    x = np.array([5, 3, 9, 1, 7])
    order = np.asarray(memoryview(sa.argpartition(x, 2)))
    assert set(x[order[:2]]) == {1, 3}
    assert x[order[2]] == 5


SETS = {
    "isin": lambda m, x, y: [m.isin(x, y), m.isin(x, y, invert=True)],
    "union1d": lambda m, x, y: m.union1d(x, y),
    "intersect1d": lambda m, x, y: [m.intersect1d(x, y), m.intersect1d(x, y, return_indices=True)],
    "setdiff1d": lambda m, x, y: m.setdiff1d(x, y),
    "setxor1d": lambda m, x, y: m.setxor1d(x, y),
    "searchsorted": lambda m, x, y: [m.searchsorted(m.sort(x.ravel()), y, side) for side in ("left", "right")],
    "searchsorted sorter": lambda m, x, y: m.searchsorted(x, y, sorter=m.argsort(x)) if x.ndim == 1 else None,
}


@cases(SETS)
@few
@given(
    x=arrays(("int8", "int64", "float64"), min_dims=1, max_dims=2), y=arrays(("uint16", "int64", "float64"), max_dims=2)
)
def test_of_two_arrays(f, x, y):
    compare(f, x, y)


TAKING = {
    "take": lambda m, x, i: [m.take(x, i, axis=0), m.take(x, i, mode="wrap"), m.take(x, i, axis=-1, mode="clip")],
    "take_along_axis": lambda m, x, i: m.take_along_axis(x, m.argsort(x, axis=0), axis=0),
    "take_along_axis broadcast": lambda m, x, i: m.take_along_axis(x, m.argsort(x[:1], axis=-1), axis=-1),
    "take_along_axis flat": lambda m, x, i: m.take_along_axis(x, m.ravel(i), None),
    "choose": lambda m, x, i: m.choose(i, [i * 10, i * 2.5], mode="wrap"),
    "compress": lambda m, x, i: [m.compress([True, False], x, axis=0), m.compress([False, True], x)],
    "extract": lambda m, x, i: m.extract(x > 0, x),
    "where": lambda m, x, i: [m.where(x > 0, x, 1), m.where(x > 0, 2.5, x)],
}


@cases(TAKING)
@few
@given(
    x=arrays(("int64", "float32", "float64"), min_dims=1),
    i=arrays(("int8", "int64"), max_dims=2),
)
def test_taking(f, x, i):
    compare(f, x, i)


def _changed(name, m, x, *args):
    x = m.astype(x, x.dtype)
    getattr(m, name)(x, *args)
    return x


@few
@given(x=arrays(("int64", "float64"), min_dims=2, min_side=1))
def test_assigning(x):
    compare(lambda m, x: _changed("put", m, x, m.asarray([0, -1]), m.asarray([7, 8])), x)
    compare(lambda m, x: _changed("put", m, x, m.asarray([0, 99]), 5, "clip"), x)
    compare(lambda m, x: _changed("putmask", m, x, x > 0, m.asarray([1, 2, 3])), x)
    compare(lambda m, x: _changed("place", m, x, x > 0, m.asarray([1, 2, 3])), x)
    compare(lambda m, x: _changed("put_along_axis", m, x, m.argmax(x, axis=0, keepdims=True), 9, 0), x)


GRADIENTS = {
    "sort": lambda x: sa.sort(x * x),
    "take": lambda x: sa.take(x * x, sa.asarray([[0, 2], [2, 2]])),
    "take_along_axis": lambda x: sa.take_along_axis(x * x, sa.argsort(x)),
    "unique": lambda x: sa.unique(sa.concat([x, x]) ** 2),
    "mask": lambda x: sa.extract(x > 0, x * x),
    "assignment": lambda x: _changed("put", sa, x * x, sa.asarray([1]), x[:1]),
}


@cases(GRADIENTS)
def test_gradients(f):
    check_grads(f, sa.asarray([0.3, -0.8, 1.1, 0.6]), order=2)


def test_values_not_taken_do_not_poison_gradients():
    g = sa.grad(lambda x: sa.sum(sa.where(x > 0, sa.log(x), 0.0)))(sa.asarray([0.0, 2.0]))
    assert_same(g, np.array([0.0, 0.5]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sa.take(sa.ones(3), [0.5]), "take: indices must be integers, got dtype float64"),
        (lambda: sa.take(sa.ones(3), 3), "index"),
        (lambda: sa.take_along_axis(sa.ones((2, 2)), [0]), r"take_along_axis: .* \(2, 2\) and \(1,\)"),
        (lambda: sa.searchsorted(sa.ones((2, 2)), 1), r"searchsorted: x1 must be a vector, got shape \(2, 2\)"),
        (lambda: sa.searchsorted(sa.ones(2), 1, "middle"), "searchsorted: side must be left or right, got 'middle'"),
        (lambda: sa.where(sa.ones(2), 1.0), "where: both values or none"),
        (lambda: sa.nonzero(sa.asarray(1)), "nonzero: 0-d arrays"),
        (lambda: sa.partition(sa.ones(2), 2), r"partition: kth must be in \[-2, 2\), got 2"),
        (lambda: sa.put([1, 2], 0, 3), "put: x must be an Array"),
        (lambda: sa.choose([2], [[1], [2]]), r"choose: indices must be in \[0, 2\)"),
    ],
)
def test_errors_name_the_rule(call, message):
    with pytest.raises((ValueError, IndexError, TypeError), match=message):
        call()
