"""Unique elements and set operations; the shapes of most results depend on values, so not inside a recording."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core
from ._arguments import at, normalize_axis, promoted
from ._core import Array
from ._creation import arange, asarray, full, ones
from ._manipulation import moveaxis
from ._searching import argsort, lexsort

__all__ = [
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """What ``unique_all`` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What ``unique_counts`` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What ``unique_inverse`` returns."""

    values: Array
    inverse_indices: Array


def _starts(ordered: Array, equal_nan: bool) -> Array:
    """Truth of differing from the element, or row, before."""
    differ = _core.not_equal(ordered[1:], ordered[:-1])
    if equal_nan and ordered.dtype.kind in "fc":
        both = _core.logical_and(_core.isnan(ordered[1:]), _core.isnan(ordered[:-1]))
        differ = _core.logical_and(differ, _core.logical_not(both))
    if differ.ndim > 1:
        differ = _core.any(differ, tuple(range(1, differ.ndim)))
    return _core.concat([ones(min(ordered.shape[0], 1), _core.bool), differ], 0)


def _groups(order: Array, ordered: Array, equal_nan: bool) -> tuple[Array, Array, Array]:
    """First places, inverse and counts of groups of equal elements, from a stable order."""
    starts = _starts(ordered, equal_nan)
    (begins,) = _core.nonzero(starts)
    group = _core.cumsum(_core.astype(starts, _core.int64), 0) - 1
    inverse = full(order.shape, 0, _core.int64, device=order.device)
    inverse[order] = group
    ends = _core.concat([begins[1:], full(min(begins.size, 1), order.size, _core.int64)], 0)
    return order[begins], inverse, ends - begins


def _unique(x: Any, equal_nan: bool) -> UniqueAllResult:
    x = asarray(x)
    flat = _core.reshape(x, -1)
    order = argsort(flat)
    first, inverse, counts = _groups(order, flat[order], equal_nan)
    return UniqueAllResult(flat[first], first, _core.reshape(inverse, x.shape), counts)


def unique_all(x: Any, /) -> UniqueAllResult:
    """The sorted unique elements, where each first occurs, how to rebuild ``x`` from them, and how often each occurs.

    Each NaN is unique, as the standard asks. Gradients of ``values`` go to the first occurrence.

    Example
    -------
    >>> sa.unique_all(sa.asarray([3, 1, 3])).counts
    array([1, 2])
    """
    return _unique(x, False)


def unique_counts(x: Any, /) -> UniqueCountsResult:
    """The sorted unique elements and how often each occurs; each NaN is unique.

    Example
    -------
    >>> sa.unique_counts(sa.asarray([3, 1, 3])).counts
    array([1, 2])
    """
    values, _, _, counts = _unique(x, False)
    return UniqueCountsResult(values, counts)


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    """The sorted unique elements and the indices that rebuild ``x`` from them; each NaN is unique.

    Example
    -------
    >>> sa.unique_inverse(sa.asarray([3, 1, 3])).inverse_indices
    array([1, 0, 1])
    """
    values, _, inverse, _ = _unique(x, False)
    return UniqueInverseResult(values, inverse)


def unique_values(x: Any, /) -> Array:
    """The sorted unique elements; each NaN is unique.

    Example
    -------
    >>> sa.unique_values(sa.asarray([3, 1, 3]))
    array([1, 3])
    """
    ordered = _core.sort(_core.reshape(asarray(x), -1), 0)
    return ordered[_starts(ordered, False)]


def unique(
    x: Any,
    /,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
) -> Any:
    """The sorted unique elements, or slices along an axis, and what else is asked for, as NumPy's.

    NaNs count as equal unless ``equal_nan=False``.

    Example
    -------
    >>> sa.unique(sa.asarray([3, 1, 3]), return_counts=True)
    (array([1, 3]), array([1, 2]))
    """
    x = asarray(x)
    if axis is None:
        if not (return_index or return_inverse or return_counts):
            ordered = _core.sort(_core.reshape(x, -1), 0)
            return ordered[_starts(ordered, equal_nan)]
        values, first, inverse, counts = _unique(x, equal_nan)
    else:
        axis = normalize_axis("unique", axis, x.ndim)
        rows = moveaxis(x, axis, 0)
        n = rows.shape[0]
        table = _core.reshape(rows, (n, rows.size // n if n else 0))
        columns = [table[:, j] for j in reversed(range(table.shape[1]))]
        order = lexsort(columns) if columns else arange(n)
        first, inverse, counts = _groups(order, table[order], False)
        values = x[at(axis, first)]
    extra = [y for y, wanted in ((first, return_index), (inverse, return_inverse), (counts, return_counts)) if wanted]
    return (values, *extra) if extra else values


def isin(x1: Any, x2: Any, /, assume_unique: bool = False, invert: bool = False, *, kind: Any = None) -> Array:
    """Truth of each element of ``x1`` occurring in ``x2``, or of not occurring.

    ``assume_unique`` and ``kind`` are accepted for NumPy's sake and change nothing.

    Example
    -------
    >>> sa.isin(sa.asarray([1, 2, 3]), [2, 5])
    array([False,  True, False])
    """
    a, b = promoted("isin", [x1, x2])
    b = _core.sort(_core.reshape(b, -1), 0)
    if b.size == 0:
        return full(a.shape, invert, _core.bool, device=a.device)
    places = _core.searchsorted(b.detach(), a.detach(), "left")
    found = _core.equal(b[_core.minimum(places, b.size - 1)], a)
    return _core.logical_not(found) if invert else found


def union1d(x1: Any, x2: Any, /) -> Array:
    """The sorted unique elements of both arrays.

    Example
    -------
    >>> sa.union1d([1, 2], [2, 0])
    array([0, 1, 2])
    """
    a, b = promoted("union1d", [x1, x2])
    return unique(_core.concat([_core.reshape(a, -1), _core.reshape(b, -1)], 0))


def intersect1d(x1: Any, x2: Any, /, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The sorted unique elements that are in both arrays, and where each first occurs if asked for.

    Example
    -------
    >>> sa.intersect1d([3, 1, 2], [2, 3])
    array([2, 3])
    """
    a, b = (_core.reshape(v, -1) for v in promoted("intersect1d", [x1, x2]))
    values, first, _, _ = _unique(a, True)
    common = isin(values, b)
    values = values[common]
    if not return_indices:
        return values
    others, second, _, _ = _unique(b, True)
    return values, first[common], second[isin(others, values)]


def setdiff1d(x1: Any, x2: Any, /, assume_unique: bool = False) -> Array:
    """The sorted unique elements of ``x1`` that are not in ``x2``; unsorted with ``assume_unique``, as NumPy's.

    Example
    -------
    >>> sa.setdiff1d([3, 1, 2], [2])
    array([1, 3])
    """
    a = _core.reshape(asarray(x1), -1)
    a = a if assume_unique else unique(a)
    return a[isin(a, x2, invert=True)]


def setxor1d(x1: Any, x2: Any, /, assume_unique: bool = False) -> Array:
    """The sorted unique elements that are in exactly one of two arrays.

    Example
    -------
    >>> sa.setxor1d([1, 2], [2, 3])
    array([1, 3])
    """
    a, b = (unique(v) for v in promoted("setxor1d", [x1, x2]))
    return unique(_core.concat([a[isin(a, b, invert=True)], b[isin(b, a, invert=True)]], 0))
