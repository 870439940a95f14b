"""Sorting, searching and positions of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._arguments import flat_or_axis, promoted
from ._core import Array
from ._creation import arange, asarray
from ._manipulation import stack

__all__ = [
    "argpartition",
    "argsort",
    "argwhere",
    "flatnonzero",
    "lexsort",
    "nonzero",
    "partition",
    "searchsorted",
    "sort",
    "where",
]


def sort(x: Any, /, axis: int | None = -1, *, descending: bool = False, stable: bool = True) -> Array:
    """A sorted copy along an axis, or of the flattened array; NaN comes last.

    Equal elements keep their order, with ``stable=False`` too. Complex numbers are ordered by real, then imaginary
    part. The gradient goes back to each element's place.

    Example
    -------
    >>> sa.sort(sa.asarray([3, 1, 2]))
    array([1, 2, 3])
    """
    x, axis = flat_or_axis("sort", asarray(x), axis)
    return _core.sort(x, axis, descending)


def argsort(x: Any, /, axis: int | None = -1, *, descending: bool = False, stable: bool = True) -> Array:
    """The indices that sort along an axis, or the flattened array; equal elements keep their order.

    Example
    -------
    >>> sa.argsort(sa.asarray([3, 1, 2]))
    array([1, 2, 0])
    """
    x, axis = flat_or_axis("argsort", asarray(x), axis)
    return _core.argsort(x, axis, descending)


def lexsort(keys: Sequence[Any], /, axis: int = -1) -> Array:
    """The indices that sort by several keys, the last of them first.

    Example
    -------
    >>> sa.lexsort(([1, 0, 2], [5, 5, 4]))
    array([2, 1, 0])
    """
    ks = [asarray(k) for k in keys]
    if not ks:
        raise TypeError("lexsort: at least one key is required, got none")
    order = argsort(ks[0], axis)
    for k in ks[1:]:
        _, a = flat_or_axis("lexsort", k, axis)
        order = _core.take_along_axis(order, argsort(_core.take_along_axis(k, order, a), a), a)
    return order


def partition(x: Any, kth: Any, /, axis: int | None = -1) -> Array:
    """A copy with the element of rank ``kth`` in its place, no larger ones before it and no smaller ones after it.

    Entirely sorted here, which also meets this.

    Example
    -------
    >>> sa.partition(sa.asarray([3, 1, 2]), 1)[1]
    array(2)
    """
    _check_rank("partition", x, kth, axis)
    return sort(x, axis)


def argpartition(x: Any, kth: Any, /, axis: int | None = -1) -> Array:
    """The indices that ``partition`` along an axis, or the flattened array.

    Example
    -------
    >>> sa.argpartition(sa.asarray([3, 1, 2]), 0)[0]
    array(1)
    """
    _check_rank("argpartition", x, kth, axis)
    return argsort(x, axis)


def _check_rank(op: str, x: Any, kth: Any, axis: int | None) -> None:
    x, a = flat_or_axis(op, asarray(x), axis)
    n = x.shape[a]
    for k in kth if isinstance(kth, (tuple, list)) else (kth,):
        if not -n <= k < n:
            raise ValueError(f"{op}: kth must be in [-{n}, {n}), got {k}")


def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Array:
    """The places in the sorted vector ``x1`` before which values keep it sorted, the first or the last such.

    ``sorter`` are the indices that sort ``x1``, where it is not.

    Example
    -------
    >>> sa.searchsorted(sa.asarray([1, 2, 4]), sa.asarray([2, 3]))
    array([1, 2])
    """
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side must be left or right, got {side!r}")
    a, v = promoted("searchsorted", [x1, x2])
    if sorter is not None:
        a = a[asarray(sorter)]
    if a.ndim != 1:
        raise ValueError(f"searchsorted: x1 must be a vector, got shape {a.shape}")
    return _core.searchsorted(a.detach(), v.detach(), side)


def nonzero(x: Any, /) -> tuple[Array, ...]:
    """The indices, one vector per axis, of the elements that are not 0.

    Raises ValueError for 0-d arrays. The shape depends on the values, so not inside a recording.

    Example
    -------
    >>> sa.nonzero(sa.asarray([0, 7, 0, 8]))
    (array([1, 3]),)
    """
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError("nonzero: 0-d arrays have no indices, use atleast_1d")
    return tuple(_core.nonzero(x))


def argwhere(x: Any, /) -> Array:
    """The indices of the elements that are not 0 as rows.

    Example
    -------
    >>> sa.argwhere(sa.asarray([[0, 7], [8, 0]]))
    array([[0, 1],
           [1, 0]])
    """
    x = asarray(x)
    if x.ndim == 0:
        return _core.reshape(arange(0), (int(bool(x)), 0))
    return stack(_core.nonzero(x), 1)


def flatnonzero(x: Any, /) -> Array:
    """The places in the flattened array of the elements that are not 0.

    Example
    -------
    >>> sa.flatnonzero(sa.asarray([[0, 7], [8, 0]]))
    array([1, 2])
    """
    return _core.nonzero(_core.reshape(asarray(x), -1))[0]


def where(condition: Any, x1: Any = None, x2: Any = None, /) -> Any:
    """``x1`` where the condition is true and ``x2`` where not; with the condition alone, ``nonzero`` of it.

    The gradient of the value not taken is 0, even where it would be infinite or NaN.

    Example
    -------
    >>> x = sa.asarray([-1.0, 4.0])
    >>> sa.where(x > 0, sa.sqrt(x), 0.0)
    array([0., 2.])
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError("where: both values or none are required, got one")
    return _core.where(condition, x1, x2)
