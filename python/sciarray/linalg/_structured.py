"""Matrices with a structure, and systems with them."""

from __future__ import annotations

from operator import index
from typing import Any

from .. import _core
from .._arguments import all_inexact, promoted
from .._core import Array
from .._creation import arange, asarray, zeros
from .._linear import kron
from .._manipulation import broadcast_shapes, broadcast_to, flip, stack
from ..fft import fft, ifft
from ._solvers import solve

__all__ = [
    "block_diag",
    "circulant",
    "companion",
    "hankel",
    "hilbert",
    "kron",
    "solve_banded",
    "solve_circulant",
    "solve_toeplitz",
    "solveh_banded",
    "toeplitz",
]


def _vectors(op: str, *xs: Any) -> list[Array]:
    ys = promoted(op, xs)
    for y in ys:
        if y.ndim == 0:
            raise ValueError(f"{op}: vectors (..., n) are required, got a number")
    return ys


def _table(values: Array, index: Array) -> Array:
    """Elements of the last axis at a table of places."""
    flat = _core.reshape(index, -1)
    y = values[..., flat]
    return _core.reshape(y, (*y.shape[:-1], *index.shape))


def _joined(a: Array, b: Array) -> Array:
    lead = broadcast_shapes(a.shape[:-1], b.shape[:-1])
    parts = [broadcast_to(x, (*lead, x.shape[-1])) for x in (a, b)]
    return _core.concat(parts, len(lead))


def toeplitz(c: Any, r: Any = None, /) -> Array:
    """Matrices (..., m, n) with the first columns ``c`` (..., m), constant along diagonals.

    The first rows are ``r`` (..., n), whose first element is not read; the conjugate of ``c`` by default.

    Example
    -------
    >>> sa.linalg.toeplitz([1, 2, 3], [1, 4])
    array([[1, 4],
           [2, 1],
           [3, 2]])
    """
    if r is None:
        (c,) = _vectors("toeplitz", c)
        r = _core.conj(c) if c.dtype.kind == "c" else c
    else:
        c, r = _vectors("toeplitz", c, r)
    m, n = c.shape[-1], r.shape[-1]
    rows, columns = arange(m)[:, None], arange(n)[None, :]
    return _table(_joined(flip(r[..., 1:], axis=-1), c), rows - columns + max(n - 1, 0))


def hankel(c: Any, r: Any = None, /) -> Array:
    """Matrices (..., m, n) with the first columns ``c`` (..., m), constant along antidiagonals.

    The last rows are ``r`` (..., n), whose first element is not read; zeros by default.

    Example
    -------
    >>> sa.linalg.hankel([1, 2, 3])
    array([[1, 2, 3],
           [2, 3, 0],
           [3, 0, 0]])
    """
    if r is None:
        (c,) = _vectors("hankel", c)
        r = zeros(c.shape, c.dtype, device=c.device)
    else:
        c, r = _vectors("hankel", c, r)
    rows, columns = arange(c.shape[-1])[:, None], arange(r.shape[-1])[None, :]
    return _table(_joined(c, r[..., 1:]), rows + columns)


def circulant(c: Any, /) -> Array:
    """Matrices (..., n, n) whose columns are ``c`` (..., n), each one place further on.

    Example
    -------
    >>> sa.linalg.circulant([1, 2, 3])
    array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]])
    """
    (c,) = _vectors("circulant", c)
    n = c.shape[-1]
    return _table(c, (arange(n)[:, None] - arange(n)[None, :]) % max(n, 1))


def companion(a: Any, /) -> Array:
    """Matrices (..., n - 1, n - 1) whose eigenvalues are the zeros of polynomials (..., n), highest power first.

    Example
    -------
    >>> sa.linalg.companion([1.0, -3.0, 2.0])
    array([[ 3., -2.],
           [ 1.,  0.]])
    """
    (a,) = all_inexact("companion", _vectors("companion", a))
    n = a.shape[-1] - 1
    if n < 1:
        raise ValueError(f"companion: at least two coefficients are required, got shape {a.shape}")
    rows, columns = arange(n, device=a.device)[:, None], arange(n, device=a.device)[None, :]
    shifted = _core.astype(_core.equal(rows, columns + 1), a.dtype)
    first = -a[..., 1:] / a[..., :1]
    return shifted + _core.where(_core.equal(rows, 0), first[..., None, :], 0.0)


def hilbert(n: int, /) -> Array:
    """The n x n matrix of 1 / (i + j + 1), a well-known example of bad condition.

    Example
    -------
    >>> sa.linalg.hilbert(2)
    array([[1.        , 0.5       ],
           [0.5       , 0.33333333]])
    """
    return 1.0 / (arange(n)[:, None] + arange(n)[None, :] + 1)


def block_diag(*arrays: Any) -> Array:
    """The matrix with the given ones on its diagonal and zeros elsewhere; vectors are rows, leading axes broadcast.

    Example
    -------
    >>> sa.linalg.block_diag([[1, 2]], 3)
    array([[1, 2, 0],
           [0, 0, 3]])
    """
    xs = promoted("block_diag", arrays or ([[]],))
    xs = [_core.reshape(x, (1,) * (2 - x.ndim) + x.shape) if x.ndim < 2 else x for x in xs]
    lead = broadcast_shapes(*(x.shape[:-2] for x in xs))
    width = sum(x.shape[-1] for x in xs)
    rows, left = [], 0
    for x in xs:
        m, n = x.shape[-2:]
        sides = [zeros((*lead, m, k), x.dtype, device=x.device) for k in (left, width - left - n)]
        rows.append(_core.concat([sides[0], broadcast_to(x, (*lead, m, n)), sides[1]], len(lead) + 1))
        left += n
    return _core.concat(rows, len(lead))


def solve_toeplitz(c_or_cr: Any, b: Any, /) -> Array:
    """The solution of ``toeplitz(c, r) @ x = b``; ``c_or_cr`` is c or the pair (c, r), ``b`` is (n,) or (..., n, k).

    By LU factors of the matrix, which takes longer than SciPy's recursion and is stable where that is not.

    Example
    -------
    >>> sa.linalg.solve_toeplitz([2.0, 0.0], [2.0, 4.0])
    array([1., 2.])
    """
    pair = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr,)
    return solve(toeplitz(*pair), b)


def solve_circulant(c: Any, b: Any, /) -> Array:
    """The solution of ``circulant(c) @ x = b`` by Fourier transforms; ``c`` is (..., n), ``b`` is (n,) or (..., n, k).

    Not finite where an eigenvalue of the matrix is 0.

    Example
    -------
    >>> sa.linalg.solve_circulant([2.0, 0.0], [2.0, 4.0])
    array([1., 2.])
    """
    c, b = all_inexact("solve_circulant", [c, b])
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    x = ifft(fft(columns, axis=-2) / fft(c)[..., None], axis=-2)
    x = x if b.dtype.kind == "c" else _core.real(x)
    return x[..., 0] if vector else x


def _shifted(row: Array, offset: int) -> Array:
    """``row[..., j + offset]`` at j, 0 outside."""
    n = row.shape[-1]
    k = min(abs(offset), n)
    outside = zeros((*row.shape[:-1], k), row.dtype, device=row.device)
    if offset >= 0:
        return _core.concat([row[..., k:], outside], row.ndim - 1)
    return _core.concat([outside, row[..., : n - k]], row.ndim - 1)


def _banded(lower: int, upper: int, ab: Array, b: Array) -> Array:
    """x of A x = b for columns (..., n, k), differentiable."""

    def adjoint(ab: Array) -> Array:
        rows = [_shifted(ab[..., upper + lower - r, :], r - lower) for r in range(lower + upper + 1)]
        y = stack(rows, -2)
        return _core.conj(y) if y.dtype.kind == "c" else y

    def vjp(ins: Any, outs: Any, gs: Any) -> list[Array]:
        g = _banded(upper, lower, adjoint(ins[0]), gs[0])
        x = _core.conj(outs[0]) if outs[0].dtype.kind == "c" else outs[0]
        # Element (i, j) of A, in row r = upper + i - j, has the gradient -sum over k of g[i, k] conj(x[j, k]).
        rows = [-_core.sum(_shifted(g.mT, r - upper) * x.mT, -2) for r in range(lower + upper + 1)]
        return [stack(rows, -2), g]

    def jvp(ins: Any, outs: Any, ts: Any) -> list[Array]:
        dab, db = ts
        x = outs[0].mT
        rest: Any = db
        if dab is not None:
            # (dA x)[i] = sum over r of dab[r, j] x[j] with j = i + upper - r.
            parts = [_shifted(dab[..., r : r + 1, :] * x, upper - r) for r in range(lower + upper + 1)]
            moved = sum(parts[1:], parts[0]).mT
            rest = -moved if rest is None else rest - moved
        return [_banded(lower, upper, ins[0], rest)]

    def forward(ab: Array, b: Array) -> tuple[Array]:
        return (_core.solve_banded(lower, upper, ab, b),)

    return _core.custom_op("solve_banded", forward, vjp, jvp, [ab, b])[0]


def solve_banded(l_and_u: tuple[int, int], ab: Any, b: Any, /) -> Array:
    """The solution of ``a @ x = b`` for a matrix with l diagonals below the main one and u above it.

    Element (i, j) of ``a`` is ``ab[..., u + i - j, j]``, and ``ab`` is (..., l + u + 1, n); ``b`` is (n,) or (..., n, k).
    Elimination with partial pivoting in the band. Raises `LinAlgError`, naming the batch items, where ``a`` is singular.

    Example
    -------
    >>> sa.linalg.solve_banded((0, 1), [[0.0, 1.0], [1.0, 2.0]], [3.0, 2.0])
    array([2., 1.])
    """
    lower, upper = (index(k) for k in l_and_u)
    ab, b = all_inexact("solve_banded", [ab, b])
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    lead = broadcast_shapes(ab.shape[:-2], columns.shape[:-2])
    ab, columns = (broadcast_to(x, (*lead, *x.shape[-2:])) for x in (ab, columns))
    if lower < 0 or upper < 0 or ab.shape[-2] != lower + upper + 1:
        raise ValueError(
            f"solve_banded: ab must be (..., l + u + 1, n) with l = {lower} and u = {upper}, got shape {ab.shape}"
        )
    x = _banded(lower, upper, ab, columns)
    return x[..., 0] if vector else x


def solveh_banded(ab: Any, b: Any, /, lower: bool = False) -> Array:
    """The solution of ``a @ x = b`` for a Hermitian positive definite matrix with u diagonals above the main one.

    Element (i, j) of ``a``, i <= j, is ``ab[..., u + i - j, j]``, and ``ab`` is (..., u + 1, n); with ``lower`` element (i, j),
    i >= j, is ``ab[..., i - j, j]``. Solved as `solve_banded`, so that ``a`` need not be definite.

    Example
    -------
    >>> sa.linalg.solveh_banded([[0.0, 1.0], [2.0, 2.0]], [3.0, 3.0])
    array([1., 1.])
    """
    ab, b = all_inexact("solveh_banded", [ab, b])
    if ab.ndim < 2:
        raise ValueError(f"solveh_banded: ab must be (..., u + 1, n), got shape {ab.shape}")
    u = ab.shape[-2] - 1
    conj = _core.conj if ab.dtype.kind == "c" else asarray
    if lower:
        others = [conj(_shifted(ab[..., u - r, :], r - u)) for r in range(u)]
        rows = [*others, *(ab[..., r, :] for r in range(u + 1))]
    else:
        others = [conj(_shifted(ab[..., u - r, :], r)) for r in range(1, u + 1)]
        rows = [*(ab[..., r, :] for r in range(u + 1)), *others]
    return solve_banded((u, u), stack(rows, -2), b)
