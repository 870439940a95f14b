"""Diagonals, powers and products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from .. import _core
from .._arguments import inexact
from .._core import Array
from .._creation import asarray, eye
from .._linear import cross as _cross
from .._manipulation import broadcast_to
from .._matrices import diagonal as _diagonal
from .._matrices import trace as _trace

__all__ = ["cross", "diagonal", "matrix_power", "multi_dot", "trace"]


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The vector product along an axis of length 3; other axes broadcast.

    Example
    -------
    >>> sa.linalg.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
    return _cross(x1, x2, axis=axis)


def diagonal(x: Any, /, *, offset: int = 0) -> Array:
    """The elements on a diagonal of matrices (..., m, n), along the last axis.

    Example
    -------
    >>> sa.linalg.diagonal(sa.asarray([[1, 2], [3, 4]]))
    array([1, 4])
    """
    return _diagonal(x, offset, -2, -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """The sums of a diagonal of matrices (..., m, n).

    Example
    -------
    >>> sa.linalg.trace(sa.asarray([[1, 2], [3, 4]]))
    array(5)
    """
    return _trace(x, offset, -2, -1, dtype)


def matrix_power(a: Any, n: int, /) -> Array:
    """Matrices (..., m, m) to an integer power, by squaring; negative powers are those of the inverse.

    Example
    -------
    >>> sa.linalg.matrix_power(sa.asarray([[1, 1], [0, 1]]), 5)
    array([[1, 5],
           [0, 1]])
    """
    a, n = asarray(a), index(n)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"matrix_power: a must be square in its last two axes, got shape {a.shape}")
    if n == 0:
        return broadcast_to(eye(a.shape[-1], dtype=a.dtype, device=a.device), a.shape)
    if n < 0:
        a, n = _core.inv(inexact(a)), -n
    result: Array | None = None
    while True:
        if n & 1:
            result = a if result is None else _core.matmul(result, a)
        n >>= 1
        if n == 0:
            assert result is not None
            return result
        a = _core.matmul(a, a)


def _order(sizes: Sequence[int]) -> list[list[int]]:
    """Where to split each chain of products for the fewest multiplications (Cormen et al., Algorithms, section 14.2)."""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i][j], split[i][j] = min(
                (cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return split


def multi_dot(arrays: Sequence[Any], /) -> Array:
    """The product of two or more matrices in the order of fewest multiplications; the first and last may be vectors.

    Unlike NumPy's there is no ``out``.

    Example
    -------
    >>> sa.linalg.multi_dot([sa.ones((2, 3)), sa.ones((3, 4)), sa.ones(4)])
    array([12., 12.])
    """
    xs = [asarray(x) for x in arrays]
    if len(xs) < 2:
        raise ValueError(f"multi_dot: at least two arrays are required, got {len(xs)}")
    bad = [x.shape for i, x in enumerate(xs) if x.ndim != 2 and not (x.ndim == 1 and i in (0, len(xs) - 1))]
    if bad:
        raise ValueError(f"multi_dot: matrices are required, vectors at the ends only, got shape {bad[0]}")
    row, column = xs[0].ndim == 1, xs[-1].ndim == 1
    if row:
        xs[0] = xs[0][None, :]
    if column:
        xs[-1] = xs[-1][:, None]
    split = _order([*(x.shape[0] for x in xs), xs[-1].shape[1]])

    def product(i: int, j: int) -> Array:
        if i == j:
            return xs[i]
        return _core.matmul(product(i, split[i][j]), product(split[i][j] + 1, j))

    y = product(0, len(xs) - 1)
    if row:
        y = y[0]
    return y[..., 0] if column else y
