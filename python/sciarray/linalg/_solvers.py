"""Linear systems, inverses and least squares."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from .. import _core
from .._arguments import all_inexact, inexact, normalize_axis
from .._core import Array
from .._creation import asarray, zeros
from .._manipulation import broadcast_shapes, broadcast_to, moveaxis
from ._norms import _threshold

__all__ = ["LstsqResult", "inv", "lstsq", "pinv", "solve", "tensorinv", "tensorsolve"]


def solve(a: Any, b: Any, /) -> Array:
    """The solution x of ``a @ x = b``.

    ``a`` is (..., n, n), float or complex, integers count as float64; ``b`` is (n,), or (..., n, k), as in NumPy 2. One
    factorization with partial pivoting serves value and derivatives. Raises `LinAlgError`, naming the batch items, where
    ``a`` is singular; under `errstate` those items are NaN.

    Example
    -------
    >>> sa.linalg.solve(sa.asarray([[2.0, 0.0], [0.0, 4.0]]), sa.asarray([2.0, 2.0]))
    array([1. , 0.5])
    """
    a, b = asarray(a), asarray(b)
    if b.ndim == 1:
        x = _core.solve(a, _core.reshape(b, (*b.shape, 1)))
        return _core.reshape(x, x.shape[:-1])
    return _core.solve(a, b)


def inv(a: Any, /) -> Array:
    """The inverses of (..., n, n).

    Raises `LinAlgError`, naming the batch items, where ``a`` is singular; under `errstate` those items are NaN.

    Example
    -------
    >>> sa.linalg.inv(sa.asarray([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return _core.inv(a)


def _adjoint(x: Array) -> Array:
    return x.mT if x.dtype.kind == "f" else _core.conj(x.mT)


def pinv(a: Any, /, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Array:
    """The Moore-Penrose inverses (..., n, m) of (..., m, n).

    Singular values up to ``rtol`` (or ``rcond``) times the largest count as 0; max(m, n) times the dtype's eps by default.
    The derivative is that at constant rank (Golub and Pereyra 1973). ``hermitian`` is accepted for NumPy's sake.

    Example
    -------
    >>> sa.linalg.pinv(sa.asarray([[1.0, 1.0], [1.0, 1.0]]))
    array([[0.25, 0.25],
           [0.25, 0.25]])
    """
    a = inexact(a)
    rtol = rcond if rtol is None else rtol
    if a.ndim < 2:
        raise ValueError(f"pinv: at least two axes are required, got shape {a.shape}")

    def forward(x: Array) -> tuple[Array]:
        if x.size == 0:
            return (zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype, device=x.device),)
        U, s, Vh = _core.svd(x, False)
        large = _core.greater(s, _threshold("pinv", s, x.shape, None, rtol))
        inverse = _core.where(large, 1.0 / _core.where(large, s, 1.0), 0.0)
        inverse = _core.where(_core.isnan(s), s, inverse)
        return (_core.matmul(_adjoint(Vh) * inverse[..., None, :], _adjoint(U)),)

    def rest(x: Array, left: Array, right: Array) -> Array:
        """x - left @ right @ x."""
        return x - _core.matmul(left, _core.matmul(right, x))

    def vjp(ins: Any, outs: Any, gs: Any) -> list[Array]:
        A, P, g = ins[0], outs[0], gs[0]
        Ph, gh = _adjoint(P), _adjoint(g)
        # From dP = -P dA P + P P^H dA^H (1 - A P) + (1 - P A) dA^H P^H P.
        first = -_core.matmul(Ph, _core.matmul(g, Ph))
        second = _core.matmul(rest(gh, A, P), _core.matmul(P, Ph))
        third = _core.matmul(_core.matmul(Ph, P), _adjoint(rest(g, P, A)))
        return [first + second + third]

    def jvp(ins: Any, outs: Any, ts: Any) -> list[Array]:
        A, P, t = ins[0], outs[0], ts[0]
        Ph, th = _adjoint(P), _adjoint(t)
        first = -_core.matmul(P, _core.matmul(t, P))
        second = _core.matmul(_core.matmul(P, Ph), _adjoint(rest(t, A, P)))
        third = _core.matmul(rest(th, P, A), _core.matmul(Ph, P))
        return [first + second + third]

    return _core.custom_op("pinv", forward, vjp, jvp, [a])[0]


class LstsqResult(NamedTuple):
    """The parts of `lstsq`."""

    x: Array
    residuals: Array
    rank: Array
    s: Array


def lstsq(a: Any, b: Any, /, rcond: Any = None) -> LstsqResult:
    """The x of least norm among those of least ``norm(a @ x - b)``, with residuals, rank and singular values of ``a``.

    ``a`` is (..., m, n), ``b`` (m,) or (..., m, k). Singular values up to ``rcond`` times the largest count as 0; max(m, n)
    times the dtype's eps by default. The residuals are the sums of squares of ``b - a @ x``, (..., k); for one matrix without
    full column rank or with m <= n empty, as NumPy's. The derivative is that at constant rank (Golub and Pereyra 1973).

    Example
    -------
    >>> sa.linalg.lstsq(sa.asarray([[1.0], [1.0]]), sa.asarray([1.0, 3.0])).x
    array([2.])
    """
    a, b = all_inexact("lstsq", [a, b])
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    if a.ndim < 2 or columns.ndim < 2 or a.shape[-2] != columns.shape[-2]:
        raise ValueError(f"lstsq: shapes (..., m, n) and (..., m, k) are required, got {a.shape} and {b.shape}")
    m, n = a.shape[-2:]
    lead = broadcast_shapes(a.shape[:-2], columns.shape[:-2])
    a, columns = (broadcast_to(x, (*lead, *x.shape[-2:])) for x in (a, columns))
    s = _core.svdvals(a)

    def forward(a: Array, b: Array) -> tuple[Array]:
        if min(m, n) == 0:
            return (zeros((*lead, n, b.shape[-1]), b.dtype, device=b.device),)
        U, s, Vh = _core.svd(a, False)
        large = _core.greater(s, _threshold("lstsq", s, a.shape, None, rcond))
        inverse = _core.where(large, 1.0 / _core.where(large, s, 1.0), _core.where(_core.isnan(s), s, 0.0))
        return (_core.matmul(_adjoint(Vh), inverse[..., None] * _core.matmul(_adjoint(U), b)),)

    # With P the inverse of Moore and Penrose and r = b - a x: dx = P (db - da x) + P P^H da^H r + (1 - P a) da^H P^H x.
    def vjp(ins: Any, outs: Any, gs: Any) -> list[Array]:
        A, b, x, g = ins[0], ins[1], outs[0], gs[0]
        P = pinv(A, rtol=rcond)
        Ph = _adjoint(P)
        y = _core.matmul(Ph, g)
        r = b - _core.matmul(A, x)
        outside = g - _core.matmul(P, _core.matmul(A, g))
        ga = _core.matmul(r, _adjoint(_core.matmul(P, y))) - _core.matmul(y, _adjoint(x))
        return [ga + _core.matmul(_core.matmul(Ph, x), _adjoint(outside)), y]

    def jvp(ins: Any, outs: Any, ts: Any) -> list[Array]:
        A, b, x = ins[0], ins[1], outs[0]
        da, db = ts
        P = pinv(A, rtol=rcond)
        Ph = _adjoint(P)
        if da is None:
            return [_core.matmul(P, db)]
        rest = -_core.matmul(da, x)
        rest = rest if db is None else rest + db
        r = _core.matmul(_adjoint(da), b - _core.matmul(A, x))
        z = _core.matmul(_adjoint(da), _core.matmul(Ph, x))
        third = z - _core.matmul(P, _core.matmul(A, z))
        return [_core.matmul(P, rest + _core.matmul(Ph, r)) + third]

    x = _core.custom_op("lstsq", forward, vjp, jvp, [a, columns])[0]
    if min(m, n):
        rank = _core.count_nonzero(_core.greater(s, _threshold("lstsq", s, a.shape, None, rcond)), -1)
    else:
        rank = zeros(lead, _core.int64, device=a.device)
    difference = columns - _core.matmul(a, x)
    residuals = _core.sum(_core.square(_core.abs(difference)), -2)
    if not lead and (m <= n or int(rank) < n):
        residuals = residuals[:0]
    return LstsqResult(x[..., 0] if vector else x, residuals, rank, s)


def tensorsolve(a: Any, b: Any, /, axes: Any = None) -> Array:
    """The x of ``tensordot(a, x, x.ndim) = b``: leading axes of ``a`` are those of ``b``, the rest those of x.

    ``axes`` of ``a`` are moved to the end first.

    Example
    -------
    >>> a = sa.reshape(2.0 * sa.eye(4), (2, 2, 2, 2))
    >>> sa.linalg.tensorsolve(a, sa.ones((2, 2)))
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    a, b = asarray(a), asarray(b)
    if axes is not None:
        axes = [normalize_axis("tensorsolve", k, a.ndim) for k in axes]
        a = moveaxis(a, axes, range(a.ndim - len(axes), a.ndim))
    shape = a.shape[b.ndim :]
    if prod(shape) != b.size or a.size != b.size**2:
        raise ValueError(f"tensorsolve: a must be a square map onto b, got shapes {a.shape} and {b.shape}")
    return _core.reshape(solve(_core.reshape(a, (b.size, b.size)), _core.reshape(b, -1)), shape)


def tensorinv(a: Any, /, ind: int = 2) -> Array:
    """The inverse of ``x -> tensordot(a, x)``, where the first ``ind`` axes of ``a`` are those of its results.

    Example
    -------
    >>> sa.linalg.tensorinv(sa.reshape(2.0 * sa.eye(4), (2, 2, 4))).shape
    (4, 2, 2)
    """
    a = asarray(a)
    if ind <= 0:
        raise ValueError(f"tensorinv: ind must be positive, got {ind}")
    rows, columns = a.shape[:ind], a.shape[ind:]
    if prod(rows) != prod(columns):
        raise ValueError(f"tensorinv: the first {ind} axes must be as large as the others, got shape {a.shape}")
    return _core.reshape(inv(_core.reshape(a, (prod(rows), prod(columns)))), (*columns, *rows))
