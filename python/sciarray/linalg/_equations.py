"""Matrix equations, by Schur forms (Bartels and Stewart 1972)."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._arguments import all_inexact
from .._core import Array
from .._creation import eye
from .._manipulation import broadcast_shapes, broadcast_to
from ._factors import _square
from ._matrix_functions import _complex_schur
from ._solvers import _adjoint, solve

__all__ = ["solve_continuous_lyapunov", "solve_discrete_lyapunov", "solve_lyapunov", "solve_sylvester"]


def _sylvester(a: Array, b: Array, q: Array) -> Array:
    R, U = _complex_schur(a)
    S, V = _complex_schur(b)
    f = _core.matmul(_core.matmul(_adjoint(U), q), V)
    one = eye(a.shape[-1], dtype=R.dtype, device=R.device)
    columns: list[Array] = []
    for j in range(b.shape[-1]):
        rest = f[..., j : j + 1]
        if columns:
            done = _core.concat(columns, f.ndim - 1)
            rest = rest - _core.matmul(done, S[..., :j, j : j + 1])
        shifted = R + one * S[..., j : j + 1, j : j + 1]
        columns.append(_core.solve_triangular(shifted, rest, False, False, False))
    if not columns:
        return _core.copy(q)
    x = _core.matmul(_core.matmul(U, _core.concat(columns, f.ndim - 1)), _adjoint(V))
    return _core.astype(x if q.dtype.kind == "c" else _core.real(x), q.dtype)


def solve_sylvester(a: Any, b: Any, q: Any, /) -> Array:
    """The x of ``a @ x + x @ b = q`` for (..., m, m), (..., n, n) and (..., m, n).

    Raises `LinAlgError` where an eigenvalue of ``a`` is minus one of ``b``.

    Example
    -------
    >>> sa.linalg.solve_sylvester([[1.0]], [[2.0]], [[6.0]])
    array([[2.]])
    """
    a, b, q = all_inexact("solve_sylvester", [a, b, q])
    a, b = _square("solve_sylvester", a), _square("solve_sylvester", b)
    if q.shape[-2:] != (a.shape[-1], b.shape[-1]):
        raise ValueError(
            "solve_sylvester: shapes (..., m, m), (..., n, n) and (..., m, n) are required, "
            f"got {a.shape}, {b.shape} and {q.shape}"
        )
    lead = broadcast_shapes(*(x.shape[:-2] for x in (a, b, q)))
    a, b, q = (broadcast_to(x, (*lead, *x.shape[-2:])) for x in (a, b, q))

    def vjp(ins: Any, outs: Any, gs: Any) -> list[Array]:
        g = solve_sylvester(_adjoint(ins[0]), _adjoint(ins[1]), gs[0])
        xh = _adjoint(outs[0])
        return [-_core.matmul(g, xh), -_core.matmul(xh, g), g]

    def jvp(ins: Any, outs: Any, ts: Any) -> list[Array]:
        da, db, dq = ts
        x = outs[0]
        parts = [] if dq is None else [dq]
        parts += [] if da is None else [-_core.matmul(da, x)]
        parts += [] if db is None else [-_core.matmul(x, db)]
        return [solve_sylvester(ins[0], ins[1], sum(parts[1:], parts[0]))]

    return _core.custom_op("solve_sylvester", lambda a, b, q: (_sylvester(a, b, q),), vjp, jvp, [a, b, q])[0]


def solve_continuous_lyapunov(a: Any, q: Any, /) -> Array:
    """The x of ``a @ x + x @ a.mH = q`` for (..., n, n).

    Example
    -------
    >>> sa.linalg.solve_continuous_lyapunov([[1.0]], [[6.0]])
    array([[3.]])
    """
    a, q = all_inexact("solve_continuous_lyapunov", [a, q])
    return solve_sylvester(a, _adjoint(_square("solve_continuous_lyapunov", a)), q)


solve_lyapunov = solve_continuous_lyapunov


def solve_discrete_lyapunov(a: Any, q: Any, /) -> Array:
    """The x of ``a @ x @ a.mH - x + q = 0`` for (..., n, n): the linear system for all elements of x.

    Its size is n**2, so n should be below about 50. Raises `LinAlgError` where an eigenvalue of ``a`` is the inverse of the
    conjugate of one.

    Example
    -------
    >>> sa.linalg.solve_discrete_lyapunov([[0.5]], [[3.0]])
    array([[4.]])
    """
    a, q = all_inexact("solve_discrete_lyapunov", [a, q])
    a, q = _square("solve_discrete_lyapunov", a), _square("solve_discrete_lyapunov", q)
    n = a.shape[-1]
    if q.shape[-1] != n:
        raise ValueError(f"solve_discrete_lyapunov: a and q must be (..., n, n), got {a.shape} and {q.shape}")
    conjugate = _core.conj(a) if a.dtype.kind == "c" else a
    # Elements (i, j) and (k, l) of x are coupled by a[i, k] conj(a[j, l]).
    product = _core.multiply(a[..., :, None, :, None], conjugate[..., None, :, None, :])
    system = eye(n * n, dtype=a.dtype, device=a.device) - _core.reshape(product, (*a.shape[:-2], n * n, n * n))
    x = solve(system, _core.reshape(q, (*q.shape[:-2], n * n, 1)))
    return _core.reshape(x, (*x.shape[:-2], n, n))
