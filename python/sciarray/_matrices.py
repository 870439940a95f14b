"""Diagonals, triangles and grids."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any

from . import _core
from ._arguments import at, normalize_axes, promoted
from ._core import Array, DType
from ._creation import Shape, arange, asarray, diagonal_slice, linspace, zeros
from ._manipulation import broadcast_arrays, moveaxis, stack

__all__ = [
    "diag",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "diagonal",
    "fill_diagonal",
    "indices",
    "ix_",
    "meshgrid",
    "mgrid",
    "ogrid",
    "ravel_multi_index",
    "trace",
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
    "vander",
]


def diagonal(x: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The elements on a diagonal of two axes, along a new last axis.

    Example
    -------
    >>> sa.diagonal(sa.asarray([[1, 2], [3, 4]]))
    array([1, 4])
    """
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError(f"diagonal: at least two axes are required, got shape {x.shape}")
    x = moveaxis(x, normalize_axes("diagonal", (axis1, axis2), x.ndim), (-2, -1))
    *lead, n, m = x.shape
    flat = _core.reshape(x, (*lead, n * m))
    return flat[at(len(lead), diagonal_slice(n, m, offset))]


def trace(x: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Array:
    """The sum of a diagonal of two axes.

    Example
    -------
    >>> sa.trace(sa.asarray([[1, 2], [3, 4]]))
    array(5)
    """
    return _core.sum(diagonal(x, offset, axis1, axis2), -1, dtype)


def diag(x: Any, /, k: int = 0) -> Array:
    """The ``k``-th diagonal of a matrix, or the matrix with a vector there.

    Example
    -------
    >>> sa.diag(sa.asarray([1, 2]))
    array([[1, 0],
           [0, 2]])
    """
    x = asarray(x)
    if x.ndim == 2:
        return diagonal(x, k)
    if x.ndim != 1:
        raise ValueError(f"diag: a vector or a matrix is required, got shape {x.shape}")
    n = x.shape[0] + abs(k)
    y = zeros(n * n, x.dtype, device=x.device)
    y[diagonal_slice(n, n, k)] = x
    return _core.reshape(y, (n, n))


def diagflat(x: Any, /, k: int = 0) -> Array:
    """The matrix with all elements of ``x`` on its ``k``-th diagonal.

    Example
    -------
    >>> sa.diagflat(sa.asarray([[1, 2]]))
    array([[1, 0],
           [0, 2]])
    """
    return diag(_core.reshape(x, -1), k)


def fill_diagonal(x: Array, value: Any, /, wrap: bool = False) -> None:
    """Assigns to the main diagonal of ``x``, which must be an array; of all axes where there are more than two.

    Example
    -------
    >>> x = sa.zeros((2, 2))
    >>> sa.fill_diagonal(x, 3.0)
    >>> x
    array([[3., 0.],
           [0., 3.]])
    """
    if not isinstance(x, Array):
        raise TypeError(f"fill_diagonal: x must be an Array to be assigned to, got {type(x).__name__}")
    if x.ndim < 2 or (x.ndim > 2 and len(set(x.shape)) != 1):
        raise ValueError(f"fill_diagonal: a matrix or equal axes are required, got shape {x.shape}")
    step = 1 + sum(prod(x.shape[a:]) for a in range(1, x.ndim))
    end = None if wrap or x.ndim > 2 else x.shape[1] * x.shape[1]
    flat = _core.reshape(x, -1)
    v = _core.reshape(asarray(value), -1)
    count = len(range(x.size)[slice(None, end, step)])
    if v.size != 1 and v.size < count:
        v = v[arange(count) % v.size]
    flat[slice(None, end, step)] = v if v.size == 1 else v[:count]
    x[...] = _core.reshape(flat, x.shape)


def _below(n: int, m: int, k: int) -> Array:
    """Truth on and below the ``k``-th diagonal."""
    rows = _core.reshape(arange(k, n + k), (n, 1))
    return _core.less_equal(arange(m), rows)


def tri(n: int, m: int | None = None, /, k: int = 0, dtype: Any = None) -> Array:
    """Ones on and below the ``k``-th diagonal, zeros above.

    Example
    -------
    >>> sa.tri(2)
    array([[1., 0.],
           [1., 1.]])
    """
    return _core.astype(_below(n, n if m is None else m, k), _core.float64 if dtype is None else dtype)


def _triangle(op: str, x: Any, k: int, lower: bool) -> Array:
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError(f"{op}: at least two axes are required, got shape {x.shape}")
    n, m = x.shape[-2:]
    mask = _below(n, m, index(k) - (not lower)).to(x.device)
    return _core.where(mask, x, False) if lower else _core.where(mask, False, x)


def tril(x: Any, /, k: int = 0) -> Array:
    """Matrices (..., m, n) with zeros above the ``k``-th diagonal.

    Example
    -------
    >>> sa.tril(sa.asarray([[1, 2], [3, 4]]))
    array([[1, 0],
           [3, 4]])
    """
    return _triangle("tril", x, k, True)


def triu(x: Any, /, k: int = 0) -> Array:
    """Matrices (..., m, n) with zeros below the ``k``-th diagonal.

    Example
    -------
    >>> sa.triu(sa.asarray([[1, 2], [3, 4]]))
    array([[1, 2],
           [0, 4]])
    """
    return _triangle("triu", x, k, False)


def tril_indices(n: int, /, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
    """The indices of the elements on and below the ``k``-th diagonal of an (n, m) matrix.

    Example
    -------
    >>> sa.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _core.nonzero(_below(n, n if m is None else m, k))


def triu_indices(n: int, /, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
    """The indices of the elements on and above the ``k``-th diagonal of an (n, m) matrix.

    Example
    -------
    >>> sa.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _core.nonzero(_core.logical_not(_below(n, n if m is None else m, k - 1)))


def diag_indices(n: int, /, ndim: int = 2) -> tuple[Array, ...]:
    """The indices of the main diagonal of an array of ``ndim`` axes of length ``n``.

    Example
    -------
    >>> sa.diag_indices(2)
    (array([0, 1]), array([0, 1]))
    """
    return (arange(n),) * ndim


def tril_indices_from(x: Any, /, k: int = 0) -> tuple[Array, ...]:
    """``tril_indices`` of a matrix.

    Example
    -------
    >>> sa.tril_indices_from([[1, 2], [3, 4]])
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return tril_indices(*_sides("tril_indices_from", x, k))


def triu_indices_from(x: Any, /, k: int = 0) -> tuple[Array, ...]:
    """``triu_indices`` of a matrix.

    Example
    -------
    >>> sa.triu_indices_from([[1, 2], [3, 4]])
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return triu_indices(*_sides("triu_indices_from", x, k))


def _sides(op: str, x: Any, k: int) -> tuple[int, int, int]:
    shape = asarray(x).shape
    if len(shape) != 2:
        raise ValueError(f"{op}: a matrix is required, got shape {shape}")
    return shape[0], k, shape[1]


def diag_indices_from(x: Any, /) -> tuple[Array, ...]:
    """``diag_indices`` of an array whose axes, at least two, have equal length.

    Example
    -------
    >>> sa.diag_indices_from([[1, 2], [3, 4]])
    (array([0, 1]), array([0, 1]))
    """
    shape = asarray(x).shape
    if len(shape) < 2 or len(set(shape)) != 1:
        raise ValueError(f"diag_indices_from: at least two axes, all of equal length, are required, got shape {shape}")
    return diag_indices(shape[0], len(shape))


def indices(dimensions: Sequence[int], /, dtype: DType | None = None, sparse: bool = False) -> Any:
    """The index of each element along each axis: an array (len(dimensions), *dimensions), or open grids.

    Example
    -------
    >>> sa.indices((2, 2))[0]
    array([[0, 0],
           [1, 1]])
    """
    axes = [arange(n, dtype=_core.int64 if dtype is None else dtype) for n in dimensions]
    grids = meshgrid(*axes, indexing="ij", sparse=sparse)
    if sparse:
        return grids
    return stack(grids) if grids else zeros((0,), _core.int64 if dtype is None else dtype)


def ix_(*sequences: Any) -> tuple[Array, ...]:
    """Vectors shaped so that, as an index, they select every combination; masks stand for their true places.

    Example
    -------
    >>> sa.arange(9).reshape(3, 3)[sa.ix_([0, 2], [1, 2])]
    array([[1, 2],
           [7, 8]])
    """
    out = []
    for axis, s in enumerate(sequences):
        v = asarray(s)
        if v.ndim != 1:
            raise ValueError(f"ix_: vectors are required, got shape {v.shape}")
        if v.size == 0:
            v = _core.astype(v, _core.int64)
        if v.dtype == _core.bool:
            (v,) = _core.nonzero(v)
        out.append(_core.reshape(v, (1,) * axis + v.shape + (1,) * (len(sequences) - axis - 1)))
    return tuple(out)


def meshgrid(*arrays: Any, indexing: str = "xy", sparse: bool = False) -> tuple[Array, ...]:
    """Coordinates of a grid from vectors along its axes.

    ``indexing="xy"`` puts the first vector along the second axis, ``"ij"`` along the first. ``sparse=True`` leaves the
    results unbroadcast.

    Example
    -------
    >>> x, y = sa.meshgrid([1, 2, 3], [4, 5])
    >>> x.shape, y[0]
    ((2, 3), array([4, 4, 4]))
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}")
    xs = [asarray(x) for x in arrays]
    n = len(xs)
    places = list(range(n))
    if indexing == "xy" and n > 1:
        places[:2] = 1, 0
    grids = tuple(_core.reshape(x, [x.size if i == p else 1 for i in range(n)]) for x, p in zip(xs, places))
    return grids if sparse else broadcast_arrays(*grids)


class _Grid:
    """What slices inside brackets make: coordinates of a grid, whose steps may be numbers of points as imaginary numbers."""

    def __init__(self, name: str, sparse: bool) -> None:
        self._name, self._sparse = name, sparse

    def __repr__(self) -> str:
        return f"sciarray.{self._name}"

    def _line(self, s: slice) -> Array:
        if not isinstance(s, slice) or s.stop is None:
            raise ValueError(f"{self._name}: slices with an end are required, got {s!r}")
        start, step = 0 if s.start is None else s.start, 1 if s.step is None else s.step
        if isinstance(step, complex):
            return linspace(start, s.stop, int(abs(step)))
        return arange(start, s.stop, step)

    def __getitem__(self, key: slice | tuple[slice, ...]) -> Any:
        if not isinstance(key, tuple):
            return self._line(key)
        lines = promoted(self._name, [self._line(s) for s in key])
        grids = meshgrid(*lines, indexing="ij", sparse=self._sparse)
        return grids if self._sparse else stack(grids)


mgrid = _Grid("mgrid", False)
ogrid = _Grid("ogrid", True)


def unravel_index(indices: Any, /, shape: Shape) -> tuple[Array, ...]:
    """The indices along each axis of places in the flattened array.

    Example
    -------
    >>> sa.unravel_index(sa.asarray([3, 5]), (2, 3))
    (array([1, 1]), array([0, 2]))
    """
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    flat = asarray(indices)
    if flat.size and not _core.is_recording() and (_core.min(flat) < 0 or _core.max(flat) >= prod(sizes)):
        raise ValueError(f"unravel_index: places must be in [0, {prod(sizes)}) for shape {sizes}")
    out = []
    for n in reversed(sizes):
        out.append(_core.remainder(flat, n))
        flat = _core.floor_divide(flat, n)
    return tuple(reversed(out))


def ravel_multi_index(multi_index: Sequence[Any], /, dims: Sequence[int]) -> Array:
    """The places in the flattened array of indices along each axis.

    Example
    -------
    >>> sa.ravel_multi_index((1, 2), (2, 3))
    array(5)
    """
    if len(multi_index) != len(dims):
        raise ValueError(f"ravel_multi_index: one index per axis is required, got {len(multi_index)} for {len(dims)}")
    flat = asarray(0)
    for i, n in zip(multi_index, dims):
        i = asarray(i)
        if i.size and not _core.is_recording() and (_core.min(i) < 0 or _core.max(i) >= n):
            raise ValueError(f"ravel_multi_index: indices must be in [0, {n}) for shape {tuple(dims)}")
        flat = flat * n + i
    return flat


def vander(x: Any, /, N: int | None = None, increasing: bool = False) -> Array:
    """The powers of a vector as columns, the highest first unless ``increasing``.

    Example
    -------
    >>> sa.vander(sa.asarray([2, 3]), 3)
    array([[4, 2, 1],
           [9, 3, 1]])
    """
    x = asarray(x)
    if x.ndim != 1:
        raise ValueError(f"vander: a vector is required, got shape {x.shape}")
    powers = arange(x.shape[0] if N is None else N, device=x.device)
    return _core.pow(_core.reshape(x, (x.size, 1)), powers if increasing else powers[::-1])
