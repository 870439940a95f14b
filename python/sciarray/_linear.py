"""Products of vectors, matrices and higher arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any

from . import _core
from ._arguments import normalize_axes, normalize_axis, promoted
from ._core import Array
from ._manipulation import broadcast_shapes, moveaxis, stack

__all__ = ["cross", "dot", "inner", "kron", "matvec", "outer", "tensordot", "vdot", "vecdot", "vecmat"]


def _conj(x: Array) -> Array:
    return _core.conj(x) if x.dtype.kind == "c" else x


def tensordot(x1: Any, x2: Any, /, axes: int | Sequence[Any] = 2) -> Array:
    """Products summed over pairs of axes: the last ``axes`` of ``x1`` with the first of ``x2``, or two lists of axes.

    The other axes of ``x1`` come first in the result, then those of ``x2``.

    Example
    -------
    >>> sa.tensordot(sa.ones((2, 3, 4)), sa.ones((3, 4, 5))).shape
    (2, 5)
    """
    a, b = promoted("tensordot", [x1, x2])
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ValueError(f"tensordot: axes must be a number or two lists, got {axes}")
        first, second = (normalize_axes("tensordot", s, x.ndim) for s, x in zip(axes, (a, b)))
    else:
        n = index(axes)  # type: ignore[arg-type]
        if not 0 <= n <= min(a.ndim, b.ndim):
            raise ValueError(f"tensordot: {n} axes cannot be summed of shapes {a.shape} and {b.shape}")
        first, second = tuple(range(a.ndim - n, a.ndim)), tuple(range(n))
    if [a.shape[i] for i in first] != [b.shape[i] for i in second]:
        raise ValueError(
            f"tensordot: the summed axes must have equal lengths, got shapes {a.shape}, {b.shape}, axes {axes}"
        )
    keep_a = [i for i in range(a.ndim) if i not in first]
    keep_b = [i for i in range(b.ndim) if i not in second]
    rows, columns = [a.shape[i] for i in keep_a], [b.shape[i] for i in keep_b]
    k = prod(a.shape[i] for i in first)
    left = _core.reshape(_core.permute_dims(a, [*keep_a, *first]), (prod(rows), k))
    right = _core.reshape(_core.permute_dims(b, [*second, *keep_b]), (k, prod(columns)))
    return _core.reshape(_core.matmul(left, right), (*rows, *columns))


def dot(x1: Any, x2: Any, /) -> Array:
    """Products summed over the last axis of ``x1`` and the last but one of ``x2``; the product where one is a number.

    The same as ``matmul`` for vectors and matrices.

    Example
    -------
    >>> sa.dot([1, 2], [3, 4])
    array(11)
    """
    a, b = promoted("dot", [x1, x2])
    if a.ndim == 0 or b.ndim == 0:
        return _core.multiply(a, b)
    if a.ndim <= 2 and b.ndim <= 2:
        return _core.matmul(a, b)
    return tensordot(a, b, ((a.ndim - 1,), (max(b.ndim - 2, 0),)))


def inner(x1: Any, x2: Any, /) -> Array:
    """Products summed over the last axes, nothing conjugated; the product where one is a number.

    Example
    -------
    >>> sa.inner([1, 2], [3, 4])
    array(11)
    """
    a, b = promoted("inner", [x1, x2])
    if a.ndim == 0 or b.ndim == 0:
        return _core.multiply(a, b)
    return tensordot(a, b, ((a.ndim - 1,), (b.ndim - 1,)))


def outer(x1: Any, x2: Any, /) -> Array:
    """All products of an element of the flattened ``x1``, along rows, with one of the flattened ``x2``.

    Example
    -------
    >>> sa.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]])
    """
    a, b = promoted("outer", [x1, x2])
    return _core.multiply(_core.reshape(a, (a.size, 1)), _core.reshape(b, (1, b.size)))


def vdot(x1: Any, x2: Any, /) -> Array:
    """The sum of products of ``conj(x1)`` and ``x2``, both flattened.

    Example
    -------
    >>> sa.vdot(sa.asarray([1j]), sa.asarray([1j]))
    array(1.+0.j)
    """
    a, b = promoted("vdot", [x1, x2])
    return _core.matmul(_conj(_core.reshape(a, -1)), _core.reshape(b, -1))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """The sum of products of ``conj(x1)`` and ``x2`` over one axis, which both have in one length; others broadcast.

    Example
    -------
    >>> sa.vecdot(sa.asarray([[1, 2], [3, 4]]), sa.asarray([1, 1]))
    array([3, 7])
    """
    a, b = promoted("vecdot", [x1, x2])
    i, j = normalize_axis("vecdot", axis, a.ndim), normalize_axis("vecdot", axis, b.ndim)
    if a.shape[i] != b.shape[j]:
        raise ValueError(f"vecdot: the axis must have one length, got {a.shape[i]} and {b.shape[j]}")
    a, b = moveaxis(a, i, -1), moveaxis(b, j, -1)
    y = _core.matmul(_conj(a)[..., None, :], b[..., :, None])
    return _core.reshape(y, y.shape[:-2])


def matvec(x1: Any, x2: Any, /) -> Array:
    """Matrices (..., m, n) times vectors (..., n).

    Example
    -------
    >>> sa.matvec(sa.asarray([[1, 2], [3, 4]]), sa.asarray([1, 1]))
    array([3, 7])
    """
    a, b = promoted("matvec", [x1, x2])
    return _core.matmul(a, b[..., None])[..., 0]


def vecmat(x1: Any, x2: Any, /) -> Array:
    """Conjugated vectors (..., n) times matrices (..., n, m).

    Example
    -------
    >>> sa.vecmat(sa.asarray([1, 1]), sa.asarray([[1, 2], [3, 4]]))
    array([4, 6])
    """
    a, b = promoted("vecmat", [x1, x2])
    return _core.matmul(_conj(a)[..., None, :], b)[..., 0, :]


def kron(x1: Any, x2: Any, /) -> Array:
    """The Kronecker product: blocks of ``x2`` scaled by each element of ``x1``; leading axes of length 1 are added.

    Example
    -------
    >>> sa.kron([1, 10], [1, 2])
    array([ 1,  2, 10, 20])
    """
    a, b = promoted("kron", [x1, x2])
    n = max(a.ndim, b.ndim)
    rows, columns = (1,) * (n - a.ndim) + a.shape, (1,) * (n - b.ndim) + b.shape
    left = _core.reshape(a, tuple(k for r in rows for k in (r, 1)))
    right = _core.reshape(b, tuple(k for c in columns for k in (1, c)))
    return _core.reshape(_core.multiply(left, right), tuple(r * c for r, c in zip(rows, columns)))


def cross(x1: Any, x2: Any, /, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Array:
    """The vector product along an axis of length 3; other axes broadcast.

    Example
    -------
    >>> sa.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
    a, b = promoted("cross", [x1, x2])
    if axis is not None:
        axisa = axisb = axisc = axis
    a = moveaxis(a, normalize_axis("cross", axisa, a.ndim), -1)
    b = moveaxis(b, normalize_axis("cross", axisb, b.ndim), -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(f"cross: vectors must have length 3, got {a.shape[-1]} and {b.shape[-1]}")
    broadcast_shapes(a.shape, b.shape)
    (a0, a1, a2), (b0, b1, b2) = ([v[..., i] for i in range(3)] for v in (a, b))
    y = stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1)
    return moveaxis(y, -1, normalize_axis("cross", axisc, y.ndim))
