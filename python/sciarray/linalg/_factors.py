"""SciPy's factorizations, and solvers that use them."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.linalg import LinAlgError

from .. import _core
from .._arguments import all_inexact, inexact
from .._core import Array
from .._creation import asarray, eye, zeros, zeros_like
from .._grad import _pull
from .._manipulation import broadcast_shapes, broadcast_to, stack
from .._matrices import diagonal, tril, triu
from ._norms import _threshold
from ._solvers import _adjoint

__all__ = [
    "LUFactors",
    "cho_factor",
    "cho_solve",
    "hessenberg",
    "ldl",
    "lu",
    "lu_factor",
    "lu_solve",
    "null_space",
    "orth",
    "polar",
    "schur",
    "solve_triangular",
]


class LUFactors(NamedTuple):
    """The factors of `lu_factor`."""

    lu: Array
    piv: Array


def _square(op: str, a: Any) -> Array:
    a = inexact(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"{op}: a must be square in its last two axes, got shape {a.shape}")
    return a


def lu_factor(a: Any, /) -> LUFactors:
    """LU factors of (..., n, n) with partial pivoting, in one matrix, and int64 pivots (..., n), for `lu_solve`.

    Row i was exchanged with row ``piv[i]``. Differentiable at fixed pivots; a derivative raises `LinAlgError` where ``a`` is
    singular, the value does not. Unlike SciPy's, only square matrices.

    Example
    -------
    >>> sa.linalg.lu_factor(sa.asarray([[1.0, 2.0], [4.0, 4.0]])).lu
    array([[4.  , 4.  ],
           [0.25, 1.  ]])
    """
    packed, piv, _ = _core.lu(_square("lu_factor", a))
    return LUFactors(packed, piv)


def _permuted(order: Array, b: Array) -> Array:
    """Rows of (..., n, k) in an order (..., n)."""
    lead = broadcast_shapes(order.shape[:-1], b.shape[:-2])
    columns = broadcast_to(order[..., None], (*lead, order.shape[-1], b.shape[-1]))
    return _core.take_along_axis(broadcast_to(b, (*lead, *b.shape[-2:])), columns, -2)


def _as_columns(b: Array) -> tuple[Array, bool]:
    """A right-hand side as (..., n, k), and whether it was a vector."""
    return (_core.reshape(b, (*b.shape, 1)), True) if b.ndim == 1 else (b, False)


def lu_solve(lu_and_piv: Any, b: Any, /, trans: int = 0) -> Array:
    """The solution of ``a @ x = b`` from `lu_factor`'s result, of ``a.mT`` with ``trans=1``, of ``a.mH`` with ``trans=2``.

    ``b`` is (n,) or (..., n, k). Raises `LinAlgError` where a pivot is 0.

    Example
    -------
    >>> factors = sa.linalg.lu_factor(sa.asarray([[2.0, 0.0], [0.0, 4.0]]))
    >>> sa.linalg.lu_solve(factors, sa.asarray([2.0, 2.0]))
    array([1. , 0.5])
    """
    packed, piv = lu_and_piv
    piv = asarray(piv, dtype=_core.int64)
    packed, b = all_inexact("lu_solve", [packed, b])
    b, vector = _as_columns(b)
    if trans not in (0, 1, 2):
        raise ValueError(f"lu_solve: trans must be 0, 1 or 2, got {trans!r}")
    order = _core.row_order(piv)
    if trans == 0:
        x = _core.solve_triangular(packed, _permuted(order, b), True, True, False)
        x = _core.solve_triangular(packed, x, False, False, False)
    else:
        if trans == 1 and packed.dtype.kind == "c":
            packed = _core.conj(packed)
        x = _core.solve_triangular(packed, b, False, False, True)
        x = _core.solve_triangular(packed, x, True, True, True)
        x = _permuted(_core.argsort(order, -1), x)
    return x[..., 0] if vector else x


def lu(a: Any, /, permute_l: bool = False, p_indices: bool = False) -> tuple[Array, ...]:
    """``a = P @ L @ U`` with a permutation P, a unit lower triangle L and an upper triangle U, by partial pivoting.

    ``a`` is (..., m, n); with k = min(m, n) the factors are (..., m, m), (..., m, k) and (..., k, n). ``permute_l`` gives
    ``P @ L`` and U, ``p_indices`` the indices p with ``a = L[p] @ U`` in place of P. Differentiable at a fixed permutation.

    Example
    -------
    >>> P, L, U = sa.linalg.lu(sa.asarray([[1.0, 2.0], [4.0, 4.0]]))
    >>> U
    array([[4., 4.],
           [0., 1.]])
    """
    a = inexact(a)
    if a.ndim < 2:
        raise ValueError(f"lu: at least two axes are required, got shape {a.shape}")
    m, n = a.shape[-2:]
    if m > n:
        # The pivots are those of the matrix with columns of zeros; after that no row moves.
        beside = zeros((*a.shape[:-2], m, m - n), a.dtype, device=a.device)
        order = _core.lu(_core.concat([a.detach(), beside], a.ndim - 1))[2]
        moved = _permuted(order, a)
        packed = _core.lu(moved[..., :n, :])[0]
        below = _adjoint(_core.solve_triangular(packed, _adjoint(moved[..., n:, :]), False, False, True))
        U = triu(packed)
        L = _core.concat([tril(packed, k=-1) + eye(n, dtype=a.dtype, device=a.device), below], a.ndim - 2)
    else:
        packed, _, order = _core.lu(a[..., :m])
        L = tril(packed, k=-1) + eye(m, dtype=a.dtype, device=a.device)
        U = triu(packed)
        if n > m:
            right = _core.solve_triangular(packed, _permuted(order, a[..., m:]), True, True, False)
            U = _core.concat([U, right], a.ndim - 1)
    back = _core.argsort(order, -1)
    if permute_l:
        return _permuted(back, L), U
    if p_indices:
        return back, L, U
    return _permuted(back, broadcast_to(eye(m, dtype=a.real.dtype, device=a.device), (*a.shape[:-2], m, m))), L, U


def ldl(a: Any, /, lower: bool = True, hermitian: bool = True) -> tuple[Array, Array, Array]:
    """``a = L @ D @ L.mH`` with blocks of 1 and 2 on the diagonal of D, and the rows that make L a unit lower triangle.

    ``a`` is (..., n, n), Hermitian, or symmetric without ``hermitian``, where ``L.mT`` takes the place of ``L.mH``; only its
    lower triangle is read, or with ``lower=False`` the upper one, and then L is an upper triangle. The int64 indices (..., n)
    are such that ``L[p]`` is triangular. Differentiable at fixed pivots, where D is not singular; raises `LinAlgError` in a
    derivative elsewhere. The gradient is symmetric. Items that are not finite give NaN. Diagonal pivoting of Bunch and
    Kaufman (Math. Comp. 31, 1977).

    Example
    -------
    >>> L, D, p = sa.linalg.ldl(sa.asarray([[0.0, 2.0], [2.0, 1.0]]))
    >>> D
    array([[0., 2.],
           [2., 1.]])
    """
    L, D, order = _core.ldl(_square("ldl", a), bool(lower), bool(hermitian))
    return _permuted(_core.argsort(order, -1), L), D, order


def cho_factor(a: Any, /, lower: bool = False) -> tuple[Array, bool]:
    """The Cholesky factor of Hermitian positive definite (..., n, n) and ``lower``, for `cho_solve`.

    Unlike SciPy's, the other triangle is 0.

    Example
    -------
    >>> c, lower = sa.linalg.cho_factor(sa.asarray([[4.0, 2.0], [2.0, 5.0]]), lower=True)
    >>> c
    array([[2., 0.],
           [1., 2.]])
    """
    return _core.cholesky(_square("cho_factor", a), not lower), bool(lower)


def cho_solve(c_and_lower: Any, b: Any, /) -> Array:
    """The solution of ``a @ x = b`` from `cho_factor`'s result; ``b`` is (n,) or (..., n, k).

    Example
    -------
    >>> factor = sa.linalg.cho_factor(sa.asarray([[4.0, 2.0], [2.0, 5.0]]))
    >>> sa.linalg.cho_solve(factor, sa.asarray([4.0, 2.0]))
    array([1., 0.])
    """
    c, lower = c_and_lower
    c, b = all_inexact("cho_solve", [c, b])
    b, vector = _as_columns(b)
    x = _core.solve_triangular(c, b, lower, False, not lower)
    x = _core.solve_triangular(c, x, lower, False, lower)
    return x[..., 0] if vector else x


def solve_triangular(
    a: Any, b: Any, /, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False
) -> Array:
    """The solution of ``a @ x = b`` for triangles (..., n, n), of which the other triangle is not read.

    ``trans`` 1 or "T" solves with the transpose, 2 or "C" with the adjoint; with ``unit_diagonal`` the diagonal counts as
    ones. ``b`` is (n,) or (..., n, k). Raises `LinAlgError`, naming the batch items, where ``a`` is singular.

    Example
    -------
    >>> sa.linalg.solve_triangular(sa.asarray([[1.0, 1.0], [0.0, 2.0]]), sa.asarray([3.0, 2.0]))
    array([2., 1.])
    """
    a, b = all_inexact("solve_triangular", [a, b])
    b, vector = _as_columns(b)
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"solve_triangular: trans must be 0, 1, 2, 'N', 'T' or 'C', got {trans!r}")
    if trans in (1, "T") and a.dtype.kind == "c":
        a = _core.conj(a)
    x = _core.solve_triangular(a, b, bool(lower), bool(unit_diagonal), trans not in (0, "N"))
    return x[..., 0] if vector else x


def polar(a: Any, /, side: str = "right") -> tuple[Array, Array]:
    """``a = U @ P`` with orthonormal columns or rows of U and Hermitian P, or ``a = P @ U`` with ``side="left"``.

    ``a`` is (..., m, n). From singular vectors; the derivative is right where singular values repeat, and exists where they
    are not 0 (Higham, Functions of Matrices, chapter 8).

    Example
    -------
    >>> U, P = sa.linalg.polar(sa.asarray([[0.0, -2.0], [3.0, 0.0]]))
    >>> P
    array([[3., 0.],
           [0., 2.]])
    """
    if side not in ("left", "right"):
        raise ValueError(f"polar: side must be 'left' or 'right', got {side!r}")
    a = inexact(a)
    u, _, vh = _core.svd(a, False)
    U = _core.matmul(u, vh)
    P = _core.matmul(_adjoint(U), a) if side == "right" else _core.matmul(a, _adjoint(U))
    return U, 0.5 * P + 0.5 * _adjoint(P)


def orth(a: Any, /, rcond: float | None = None) -> Array:
    """Orthonormal columns (..., m, rank) that span those of matrices (..., m, n), by singular vectors.

    Singular values up to ``rcond`` times the largest count as 0; max(m, n) times the dtype's eps by default. Raises
    `ValueError` where the ranks of a batch differ.

    Example
    -------
    >>> sa.linalg.orth(sa.asarray([[2.0, 0.0], [0.0, 0.0]])).shape
    (2, 1)
    """
    a = inexact(a)
    if a.ndim < 2:
        raise ValueError(f"orth: a must be (..., m, n), got shape {a.shape}")
    u, s, _ = _core.svd(a, False)
    return u[..., : _rank("orth", s, a, rcond)]


def null_space(a: Any, /, rcond: float | None = None) -> Array:
    """Orthonormal columns (..., n, n - rank) that span what matrices (..., m, n) map to 0, by singular vectors.

    Singular values up to ``rcond`` times the largest count as 0; max(m, n) times the dtype's eps by default. Raises
    `ValueError` where the ranks of a batch differ.

    Example
    -------
    >>> sa.linalg.null_space(sa.asarray([[1.0, 1.0]])).shape
    (2, 1)
    """
    a = inexact(a)
    if a.ndim < 2:
        raise ValueError(f"null_space: a must be (..., m, n), got shape {a.shape}")
    _, s, vh = _core.svd(a, True)
    return _adjoint(vh[..., _rank("null_space", s, a, rcond) :, :])


def _rank(op: str, s: Array, a: Array, rcond: float | None) -> int:
    if s.size == 0:
        return 0
    ranks = _core.count_nonzero(_core.greater(s, _threshold(op, s, a.shape, None, rcond)), -1)
    rank = int(_core.max(ranks))
    if int(_core.min(ranks)) != rank:
        raise ValueError(f"{op}: all matrices of a batch must have one rank, got {int(_core.min(ranks))} and {rank}")
    return rank


def _by_tangents(op: str, kernel: Any, push: Any, a: Array) -> tuple[Array, Array]:
    """Two factors of a, with the tangents ``push(tangent, *factors)`` and their transpose."""

    def jvp(ins: Any, outs: Any, ts: Any) -> Any:
        return push(ts[0], *outs)

    def vjp(ins: Any, outs: Any, gs: Any) -> Any:
        given = [zeros_like(y) if g is None else g for g, y in zip(gs, outs)]
        return _pull(lambda t: push(t, *outs), [zeros_like(a)], given)

    first, second = _core.custom_op(op, kernel, vjp, jvp, [a])
    return first, second


def _schur_tangents(t: Array, T: Array, Z: Array) -> list[Array]:
    # With W = Z^H dZ, which is skew, and M = Z^H dA Z: dT = M - W T + T W. Below the diagonal dT is 0, which gives the lower
    # triangle of W column by column.
    n = t.shape[-1]
    if t.dtype.kind == "f" and bool(_core.any(_core.not_equal(diagonal(T, -1, -2, -1), 0.0))):
        raise LinAlgError(
            "schur: the real form has a derivative here where all eigenvalues are real; use output='complex'"
        )
    M = _core.matmul(_adjoint(Z), _core.matmul(t, Z))
    columns: list[Array] = []
    for j in range(n):
        rest = -M[..., j + 1 :, j : j + 1]
        if j:
            below = _core.concat([c[..., j + 1 :, :] for c in columns], t.ndim - 1)
            rest = rest + _core.matmul(below, T[..., :j, j : j + 1])
        shifted = (
            T[..., j + 1 :, j + 1 :] - eye(n - j - 1, dtype=T.dtype, device=T.device) * T[..., j : j + 1, j : j + 1]
        )
        x = _core.solve_triangular(shifted, rest, False, False, False)
        columns.append(_core.concat([zeros((*t.shape[:-2], j + 1, 1), T.dtype, device=T.device), x], t.ndim - 2))
    lower = _core.concat(columns, t.ndim - 1) if columns else t
    W = lower - _adjoint(lower)
    return [triu(M - _core.matmul(W, T) + _core.matmul(T, W)), _core.matmul(Z, W)]


def schur(a: Any, /, output: str = "real") -> tuple[Array, Array]:
    """``a = Z @ T @ Z.mH`` with unitary Z and an upper triangle T, of (..., n, n).

    With ``output="real"`` the T of real matrices has 2 x 2 blocks for pairs of eigenvalues; ``output="complex"`` gives
    triangles. In the derivative the columns of Z keep their phases; it exists for triangles whose diagonals do not repeat,
    and raises `LinAlgError` elsewhere.

    Example
    -------
    >>> T, Z = sa.linalg.schur(sa.asarray([[1.0, 2.0], [0.0, 3.0]]))
    >>> T
    array([[1., 2.],
           [0., 3.]])
    """
    a = _square("schur", a)
    if output not in ("real", "complex"):
        raise ValueError(f"schur: output must be 'real' or 'complex', got {output!r}")
    if output == "complex":
        a = _core.astype(a, _core.promote_types(a.dtype, _core.complex64))
    return _by_tangents("schur", _core.schur, _schur_tangents, a)


def _hessenberg_tangents(t: Array, H: Array, Q: Array) -> list[Array]:
    # With W = Q^H dQ, which is skew and has a first column of zeros, and M = Q^H dA Q: dH = M - W H + H W. That dH is 0 below
    # its subdiagonal, and real on it, gives each column of W from those before.
    n = t.shape[-1]
    subdiagonal = diagonal(H, -1, -2, -1)
    known = subdiagonal[..., : n - 2] if t.dtype.kind == "f" else subdiagonal
    if bool(_core.any(_core.equal(known, 0.0))):
        raise LinAlgError("hessenberg: the derivative does not exist where the subdiagonal has zeros")
    M = _core.matmul(_adjoint(Q), _core.matmul(t, Q))
    columns = [zeros_like(M[..., 0])] if n else []
    for c in range(1, n):
        j = c - 1
        before = stack(columns, -1)
        v = M[..., :, j] + (_core.matmul(H, before[..., :, j:]) - _core.matmul(before, H[..., :c, j:c]))[..., 0]
        upper = -before[..., c, :]
        if t.dtype.kind == "c":
            w = v / H[..., c, j, None]
            middle = _core.astype(_core.imag(w[..., c, None]), H.dtype) * 1j
            upper = _core.conj(upper)
        else:
            # The last subdiagonal element may be 0, there is nothing below it.
            w = v / H[..., c, j, None] if c < n - 1 else v
            middle = zeros_like(upper[..., :1])
        columns.append(_core.concat([upper, middle, w[..., c + 1 :]], t.ndim - 2))
    W = stack(columns, -1) if columns else t
    return [triu(M - _core.matmul(W, H) + _core.matmul(H, W), k=-1), _core.matmul(Q, W)]


def hessenberg(a: Any, /, calc_q: bool = False) -> Any:
    """``a = Q @ H @ Q.mH`` with unitary Q and H zero below its first subdiagonal; H, and Q with ``calc_q``.

    ``a`` is (..., n, n). The derivative exists where the subdiagonal has no zeros, and raises `LinAlgError` elsewhere.

    Example
    -------
    >>> sa.linalg.hessenberg(sa.asarray([[1.0, 2.0], [0.0, 3.0]]))
    array([[1., 2.],
           [0., 3.]])
    """
    H, Q = _by_tangents("hessenberg", _core.hessenberg, _hessenberg_tangents, _square("hessenberg", a))
    return (H, Q) if calc_q else H
