"""Norms, ranks, condition numbers and determinants."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from .. import _core
from .._arguments import inexact, normalize_axes
from .._core import Array
from .._creation import asarray, zeros
from .._info import finfo
from .._manipulation import moveaxis

__all__ = ["SlogdetResult", "cond", "det", "matrix_norm", "matrix_rank", "norm", "slogdet", "vector_norm"]


class SlogdetResult(NamedTuple):
    """Sign and logarithm of `slogdet`."""

    sign: Array
    logabsdet: Array


def det(a: Any, /) -> Array:
    """Determinants of (..., n, n).

    From LU factors. The derivative is the adjugate, which is finite for singular matrices too; so is the second one, up to
    which it is exact, and higher ones are where singular values differ.

    Example
    -------
    >>> sa.linalg.det(sa.asarray([[1.0, 2.0], [3.0, 4.0]]))
    array(-2.)
    """
    return _core.det(a)


def slogdet(a: Any, /) -> SlogdetResult:
    """Sign and logarithm of the magnitude of determinants of (..., n, n), without overflow; 0 and -inf where it is 0.

    The sign is a number of magnitude 1 for complex matrices. A derivative raises `LinAlgError` where a matrix is singular.

    Example
    -------
    >>> sa.linalg.slogdet(sa.asarray([[-2.0, 0.0], [0.0, 0.5]]))
    SlogdetResult(sign=array(-1.), logabsdet=array(0.))
    """
    return SlogdetResult(*_core.slogdet(a))


def _root_of_squares(x: Array, axes: tuple[int, ...], keepdims: bool) -> Array:
    """sqrt(sum |x|^2) of magnitudes without overflow, and with derivative 0 at 0."""
    if x.size == 0:
        return _core.sum(x, axes, keepdims=keepdims)
    largest = _core.max(x.detach(), axes, keepdims=True)
    usable = _core.logical_and(_core.greater(largest, 0.0), _core.isfinite(largest))
    scale = _core.where(usable, largest, 1.0)
    total = _core.sum(_core.square(x / scale), axes, keepdims=True)
    zero = _core.equal(total, 0.0)
    y = _core.where(zero, 0.0, _core.sqrt(_core.where(zero, 1.0, total))) * scale
    return y if keepdims else _core.sum(y, axes)


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """Norms ``sum(abs(x) ** ord) ** (1 / ord)`` over one or more axes, by default all.

    ``ord`` may be any number; inf and -inf give the largest and smallest magnitude, 0 the number of elements that are not 0.
    Integers count as float64. The derivative at 0 is 0. Squares neither overflow nor underflow.

    Example
    -------
    >>> sa.linalg.vector_norm(sa.asarray([3.0, 4.0]))
    array(5.)
    """
    x = _core.abs(inexact(x))
    axes = normalize_axes("vector_norm", axis, x.ndim)
    if ord == 2:
        return _root_of_squares(x, axes, keepdims)
    if ord == inf:
        return _core.max(x, axes, keepdims=keepdims)
    if ord == -inf:
        return _core.min(x, axes, keepdims=keepdims)
    if ord == 0:
        return _core.sum(_core.astype(_core.not_equal(x, 0.0), x.dtype), axes, keepdims=keepdims)
    if ord == 1:
        return _core.sum(x, axes, keepdims=keepdims)
    if not isinstance(ord, (int, float)):
        raise ValueError(f"vector_norm: ord must be a number, got {ord!r}")
    total = _core.sum(_core.pow(x, ord), axes, keepdims=keepdims)
    if ord < 0:
        return _core.pow(total, 1.0 / ord)
    zero = _core.equal(total, 0.0)
    return _core.where(zero, 0.0, _core.pow(_core.where(zero, 1.0, total), 1.0 / ord))


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Norms of matrices (..., m, n).

    ``ord`` is "fro" (root of the sum of squares), "nuc" (sum of singular values), 2 or -2 (largest or smallest singular
    value), 1 or -1 (largest or smallest column sum of magnitudes), inf or -inf (row sum).

    Example
    -------
    >>> sa.linalg.matrix_norm(sa.asarray([[3.0, 0.0], [0.0, 4.0]]), ord="nuc")
    array(7.)
    """
    x = inexact(x)
    if x.ndim < 2:
        raise ValueError(f"matrix_norm: at least two axes are required, got shape {x.shape}")
    last = (x.ndim - 2, x.ndim - 1)
    if ord == "fro":
        return _root_of_squares(_core.abs(x), last, keepdims)
    if ord in ("nuc", 2, -2):
        s = _core.svdvals(x)
        y = _core.sum(s, -1) if ord == "nuc" else _core.max(s, -1) if ord == 2 else _core.min(s, -1)
    elif ord in (1, -1, inf, -inf):
        sums = _core.sum(_core.abs(x), -2 if ord in (1, -1) else -1)
        y = _core.max(sums, -1) if ord > 0 else _core.min(sums, -1)
    else:
        raise ValueError(f"matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {ord!r}")
    return y[..., None, None] if keepdims else y


def norm(x: Any, /, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """Norms of vectors or matrices along one or two axes; of all elements by default, as NumPy's function.

    Without ``axis`` and with ``ord``, a 1-d array is a vector and a 2-d array a matrix. See `vector_norm` and `matrix_norm`.

    Example
    -------
    >>> sa.linalg.norm(sa.asarray([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    array([ 5., 10.])
    """
    x = asarray(x)
    if axis is None and ord is None:
        return vector_norm(x, keepdims=keepdims)
    if axis is None:
        if x.ndim not in (1, 2):
            raise ValueError(f"norm: with ord a vector or a matrix is required, or axis, got shape {x.shape}")
        axis = tuple(range(x.ndim))
    axes = normalize_axes("norm", axis, x.ndim)
    if len(axes) == 1:
        return vector_norm(x, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError(f"norm: axis must name one or two axes, got {axis}")
    y = matrix_norm(moveaxis(x, axes, (-2, -1)), ord="fro" if ord is None else ord)
    return _core.reshape(y, tuple(1 if i in axes else n for i, n in enumerate(x.shape))) if keepdims else y


def _threshold(op: str, s: Array, shape: tuple[int, ...], tol: Any, rtol: Any) -> Array:
    """Below which singular values count as 0: max(m, n) eps times the largest by default."""
    if tol is not None:
        return asarray(tol)[..., None]
    largest = _core.max(s.detach(), -1, keepdims=True)
    factor = max(shape[-2:]) * finfo(s.dtype).eps if rtol is None else asarray(rtol)[..., None]
    return _core.astype(largest * factor, s.dtype)


def matrix_rank(a: Any, /, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Array:
    """How many singular values of (..., m, n) are above ``tol``, or above ``rtol`` times the largest; int64 (...).

    ``rtol`` is max(m, n) times the dtype's eps by default. Vectors have rank 1 unless they are 0. ``hermitian`` takes the
    magnitudes of eigenvalues.

    Example
    -------
    >>> sa.linalg.matrix_rank(sa.asarray([[1.0, 2.0], [2.0, 4.0]]))
    array(1)
    """
    a = inexact(a)
    if a.ndim < 2:
        return _core.astype(_core.any(_core.not_equal(a, 0.0)), _core.int64)
    if a.size == 0:
        return zeros(a.shape[:-2], _core.int64, device=a.device)
    s = _core.abs(_core.eigvalsh(a, False)) if hermitian else _core.svdvals(a)
    return _core.count_nonzero(_core.greater(s, _threshold("matrix_rank", s, a.shape, tol, rtol)), -1)


def cond(a: Any, /, p: Any = None) -> Array:
    """Condition numbers of (..., m, n): the ratio of the extreme singular values, or of square matrices for the norm ``p``.

    inf where a matrix is singular, NaN where it is not finite.

    Example
    -------
    >>> sa.linalg.cond(sa.asarray([[2.0, 0.0], [0.0, 0.5]]))
    array(4.)
    """
    a = inexact(a)
    if p in (None, 2, -2):
        s = _core.svdvals(a)
        if s.shape[-1] == 0:
            raise ValueError(f"cond: matrices must not be empty, got shape {a.shape}")
        large, small = s[..., 0], s[..., -1]
        if p == -2:
            return small / large
        zero = _core.equal(small, 0.0)
        return _core.where(zero, inf, large / _core.where(zero, 1.0, small))
    from ._backend import errstate

    with errstate(linalg="nan"):
        inverse = _core.inv(a)
    y = matrix_norm(a, ord=p) * matrix_norm(inverse, ord=p)
    bad = _core.logical_and(_core.isnan(y), _core.isfinite(matrix_norm(a, ord=p)))
    return _core.where(bad, inf, y)
