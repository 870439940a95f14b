"""Linear systems by products with the matrix alone, with implicit derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from .. import _core, _tree
from .._arguments import inexact, read
from .._closures import closed_over
from .._core import Array
from .._creation import asarray, zeros
from .._grad import _pull, jvp, vjp
from .._linear import vecdot
from .._manipulation import broadcast_shapes, broadcast_to
from ._norms import vector_norm
from ._solvers import _adjoint

__all__ = ["LinearOperator", "aslinearoperator", "cg", "gmres"]

Function = Callable[..., Any]


def _product(x: Array, matrix: Array) -> Array:
    if matrix.ndim == 2 and x.ndim > 1:
        return _core.matmul(x, matrix.mT)
    return _core.matmul(matrix, x[..., None])[..., 0]


def _adjoint_product(x: Array, matrix: Array) -> Array:
    return _product(x, _adjoint(matrix))


class LinearOperator:
    """A linear map of vectors (..., n) to vectors (..., m), given by a function.

    ``matvec(x, *args)`` takes and returns vectors along the last axis; ``rmatvec(y, *args)`` is the adjoint map, by default
    the transpose that reverse mode finds. ``dtype`` is that of the matrix, by default whatever ``matvec`` makes of x. Unlike
    SciPy's, whole batches are passed to the functions, and there is no ``matmat``.

    Example
    -------
    >>> second = sa.linalg.LinearOperator((3, 3), lambda x: 2.0 * x - sa.roll(x, 1) - sa.roll(x, -1))
    >>> second @ sa.asarray([1.0, 0.0, 0.0])
    array([ 2., -1., -1.])
    """

    def __init__(
        self,
        shape: tuple[int, int],
        matvec: Function,
        rmatvec: Function | None = None,
        *,
        dtype: Any = None,
        args: Sequence[Any] = (),
    ) -> None:
        m, n = shape
        self.shape = (index(m), index(n))
        self.dtype = None if dtype is None else _core.promote_types(dtype, dtype)
        self.args = _tree.tree_map(lambda x: asarray(x) if isinstance(x, (np.ndarray, np.generic)) else x, tuple(args))
        self._matvec, self._rmatvec = matvec, rmatvec

    def matvec(self, x: Any) -> Array:
        """The map of vectors (..., n)."""
        return asarray(self._matvec(asarray(x), *self.args))

    def rmatvec(self, y: Any) -> Array:
        """The adjoint map of vectors (..., m)."""
        return self.H.matvec(y)

    def __matmul__(self, x: Any) -> Array:
        return self.matvec(x)

    @property
    def H(self) -> LinearOperator:
        """The adjoint operator."""
        matvec, rmatvec, n = self._matvec, self._rmatvec, self.shape[1]
        if rmatvec is not None:
            return LinearOperator(self.shape[::-1], rmatvec, matvec, dtype=self.dtype, args=self.args)
        dtype = self.dtype

        def adjoint(y: Array, *args: Any) -> Array:
            kind = y.dtype if dtype is None else _core.promote_types(y.dtype, dtype)
            like = zeros((*y.shape[:-1], n), kind, device=y.device)
            value, pullback = vjp(lambda x: matvec(x, *args), like)
            return pullback(_core.astype(y, value.dtype))[0]

        return LinearOperator(self.shape[::-1], adjoint, matvec, dtype=dtype, args=self.args)

    def _parts(self) -> tuple[Any, ...]:
        return (self._matvec, self._rmatvec, self.args)

    def _with(self, parts: tuple[Any, ...]) -> LinearOperator:
        matvec, rmatvec, args = parts
        return LinearOperator(self.shape, matvec, rmatvec, dtype=self.dtype, args=args)


def aslinearoperator(A: Any, /) -> LinearOperator:
    """Matrices (..., m, n) as a `LinearOperator`; one that is an operator already comes back.

    Example
    -------
    >>> sa.linalg.aslinearoperator([[0.0, 2.0]]).rmatvec([1.0])
    array([0., 2.])
    """
    if isinstance(A, LinearOperator):
        return A
    A = inexact(A)
    if A.ndim < 2:
        raise ValueError(f"aslinearoperator: a matrix is required, got shape {A.shape}")
    return LinearOperator(A.shape[-2:], _product, _adjoint_product, dtype=A.dtype, args=(A,))


def _operator(op: str, name: str, A: Any, n: int) -> LinearOperator:
    if not isinstance(A, LinearOperator):
        A = LinearOperator((n, n), A) if callable(A) and not isinstance(A, Array) else aslinearoperator(A)
    if A.shape != (n, n):
        raise ValueError(f"{op}: {name} must be {n} x {n} to fit b (..., {n}), got shape {A.shape}")
    return A


def _constants(xs: Sequence[Array]) -> list[Array]:
    """The same values without history; inside a recording as values that it does not follow."""
    if not _core.is_recording():
        return [x.detach() for x in xs]
    found: list[tuple[np.ndarray, str]] = []

    def seen(*ys: Array) -> tuple[Array, ...]:
        found[:] = [(read(y).copy(), y.device) for y in ys]
        return (_core.zeros((), _core.bool),)

    _core.custom_op("constants", seen, lambda *_: [], None, list(xs))
    return [asarray(x, device=device) for x, device in found]


def _depends(x: Array) -> bool:
    """Whether an open gradient scope watches a value, or a recording follows it."""
    # A result has a history only if a scope watched its operand.
    if not _core.negative(x).is_leaf:
        return True
    try:
        read(x)
    except RuntimeError:
        return True
    return False


def _probed(op: str, A: LinearOperator, x: Array) -> Array:
    """A at zeros, which shows the shape of the result and whether arrays were missed."""
    arrays, rebuilt = closed_over(A._parts())
    y = A._with(rebuilt(_constants(arrays))).matvec(x)
    if y.shape[-1:] != x.shape[-1:] or broadcast_shapes(y.shape, x.shape) != y.shape:
        raise ValueError(f"{op}: A must map vectors to vectors of their shape, got {y.shape} for {x.shape}")
    if _depends(y):
        raise TypeError(
            f"{op}: A depends on an array under differentiation or recording that is an attribute of an object; "
            "pass it by LinearOperator(..., args=...)"
        )
    if np.any(np.abs(read(y)) > 0):
        raise ValueError(f"{op}: A must be linear, but does not map 0 to 0")
    return y


def _implicit(
    op: str,
    method: Function,
    options: dict[str, Any],
    A: LinearOperator,
    M: LinearOperator | None,
    b: Array,
    x0: Array,
    derived: bool = False,
) -> tuple[Array, Array]:
    """``(x, info)`` of A x = b, with A dx = db - dA x and its adjoint solved by the same method for derivatives."""
    parts = (A._parts(), None if M is None else M._parts())
    arrays, rebuilt = closed_over(parts)

    def operators(values: Sequence[Array]) -> tuple[LinearOperator, LinearOperator | None]:
        first, second = rebuilt(values)
        return A._with(first), None if M is None else M._with(second)

    def forward(b: Array, x0: Array, *values: Array) -> tuple[Array, Array]:
        matrix, preconditioner = operators(values)
        x, info = method(matrix.matvec, b, x0, None if preconditioner is None else preconditioner.matvec, **options)
        if derived and bool(_core.any(_core.greater(info, 0))):
            warnings.warn(f"{op}: the system of a derivative did not converge", RuntimeWarning, stacklevel=2)
        return x, info

    def again(A: LinearOperator, M: LinearOperator | None, b: Array) -> Array:
        quiet = {**options, "callback": None}
        return _implicit(op, method, quiet, A, M, b, zeros(b.shape, b.dtype, device=b.device), derived=True)[0]

    def reverse(ins: Any, outs: Any, gs: Any) -> list[Array | None]:
        matrix, preconditioner = operators(ins[2:])
        if method is not _cg:
            matrix, preconditioner = matrix.H, None if preconditioner is None else preconditioner.H
        y = again(matrix, preconditioner, gs[0])
        found = _pull(lambda *values: operators(values)[0].matvec(outs[0]), ins[2:], [-y]) if arrays else []
        return [y, None, *found]

    def pushed(ins: Any, outs: Any, ts: Any) -> list[Array | None]:
        values, rest = list(ins[2:]), ts[0]
        moved = [k for k, t in enumerate(ts[2:]) if t is not None]
        if moved:

            def product(*chosen: Array) -> Array:
                full = list(values)
                for k, v in zip(moved, chosen):
                    full[k] = v
                return operators(full)[0].matvec(outs[0])

            change = jvp(product, [values[k] for k in moved], [ts[2 + k] for k in moved])[1]
            rest = -change if rest is None else rest - change
        return [None if rest is None else again(*operators(values), rest), None]

    x, info = _core.custom_op(op, forward, reverse, pushed, [b, x0, *arrays])
    return x, info


def _system(
    op: str, method: Function, A: Any, b: Any, x0: Any, M: Any, maxiter: Any, options: dict[str, Any]
) -> tuple[Array, Array]:
    b = inexact(b)
    if b.ndim == 0:
        raise ValueError(f"{op}: b must be (..., n), got a number")
    n = b.shape[-1]
    A = _operator(op, "A", A, n)
    M = None if M is None else _operator(op, "M", M, n)
    dtype = b.dtype if A.dtype is None else _core.promote_types(b.dtype, A.dtype)
    probe = _probed(op, A, zeros(b.shape, dtype, device=b.device))
    dtype = _core.promote_types(b.dtype, probe.dtype)
    b = _core.astype(broadcast_to(b, probe.shape), dtype)
    x0 = (
        zeros(b.shape, dtype, device=b.device)
        if x0 is None
        else _core.astype(broadcast_to(asarray(x0), b.shape), dtype)
    )
    steps = 10 * n if maxiter is None else index(maxiter)
    return _implicit(op, method, {**options, "maxiter": steps}, A, M, b, x0)


def _scaled(b: Array, x0: Array, rtol: float, atol: float) -> tuple[Array, Array, Array, Array]:
    """b, x0 and the tolerance for residuals in units of the largest element of b, and the unit, (..., 1)."""
    size = _core.max(_core.abs(b), -1, keepdims=True)
    unit = _core.where(_core.logical_and(_core.greater(size, 0.0), _core.isfinite(size)), size, 1.0)
    b, x0 = b / unit, x0 / unit
    norm = vector_norm(b, axis=-1, keepdims=True)
    return b, x0, _core.maximum(norm * rtol, atol / unit), unit


def _cg(
    A: Function, b: Array, x0: Array, M: Function | None, rtol: float, atol: float, maxiter: int, callback: Any
) -> tuple[Array, Array]:
    """Conjugate gradients (Hestenes and Stiefel 1952)."""
    if b.size == 0:
        return _core.copy(b), zeros(b.shape[:-1], _core.int64, device=b.device)
    b, x, tolerance, unit = _scaled(b, x0, rtol, atol)
    r = b - A(x) if read(_core.any(_core.not_equal(x, 0.0))) else b
    steps = np.zeros(b.shape[:-1], np.int64)
    p: Any = None
    last: Any = None
    while True:
        norm = vector_norm(r, axis=-1, keepdims=True)
        active = _core.logical_and(_core.greater(norm, tolerance), _core.isfinite(norm))
        going = read(active)[..., 0]
        if not going.any() or steps.max() >= maxiter:
            break
        z = r if M is None else M(r)
        square = vecdot(r, z)[..., None]
        p = z if p is None else z + _ratio(square, last) * p
        q = A(p)
        alpha = _core.where(active, _ratio(square, vecdot(p, q)[..., None]), 0.0)
        x, r, last = x + alpha * p, r - alpha * q, square
        steps += going
        if callback is not None:
            callback(x * unit)
    return _ended(x * unit, read(norm)[..., 0], read(tolerance)[..., 0], steps)


def _ended(x: Array, norm: np.ndarray, limit: np.ndarray, steps: np.ndarray) -> tuple[Array, Array]:
    """x, NaN where something was not finite, and SciPy's code."""
    bad = ~np.isfinite(norm)
    failed = bad | ~(norm <= limit)
    info = asarray(np.where(failed, np.maximum(steps, 1), 0), device=x.device)
    return _core.where(asarray(bad, device=x.device)[..., None], np.nan, x), info


def _ratio(a: Array, b: Array) -> Array:
    """a / b, and 0 where the method has broken down or come to its end."""
    zero = _core.equal(b, 0.0)
    return _core.where(zero, 0.0, a / _core.where(zero, 1.0, b))


def cg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Array], Any] | None = None,
) -> tuple[Array, Array]:
    """``(x, info)`` of ``A @ x = b`` for Hermitian positive definite A, by conjugate gradients.

    ``A`` is (..., n, n), a `LinearOperator`, or a linear function of vectors (..., n); ``b`` is (..., n), of which every
    vector is a system of its own. ``x0`` is where to start, ``M`` an approximate inverse of A in any of A's forms, and
    ``callback(x)`` is called after each of at most ``maxiter`` steps, 10 n by default. ``info`` is 0 where
    ``norm(b - A @ x) <= max(rtol * norm(b), atol)``, else the number of steps; int64 of shape (...).

    The derivatives in ``b``, in ``A`` and in the arrays that the function closes over or has as ``args`` are those of the
    solution (implicit function theorem): systems with the same A, to the same tolerance, so ``rtol`` bounds their error too.
    Raises `TypeError` where A depends on differentiated arrays in a way that cannot be seen. Unlike SciPy's, ``b`` is not
    (n, 1). Hestenes and Stiefel (1952).

    Example
    -------
    >>> d = sa.asarray([1.0, 2.0, 4.0])
    >>> sa.linalg.cg(lambda x: d * x, sa.ones(3), rtol=1e-12)
    (array([1.  , 0.5 , 0.25]), array(0))
    >>> sa.grad(lambda d: sa.linalg.cg(lambda x: d * x, sa.ones(3), rtol=1e-12)[0].sum())(d)
    array([-1.    , -0.25  , -0.0625])
    """
    return _system("cg", _cg, A, b, x0, M, maxiter, {"rtol": rtol, "atol": atol, "callback": callback})


def _gmres(
    A: Function,
    b: Array,
    x0: Array,
    M: Function | None,
    rtol: float,
    atol: float,
    maxiter: int,
    callback: Any,
    restart: int,
    report: str,
) -> tuple[Array, Array]:
    """Restarted minimal residuals (Saad and Schultz 1986), preconditioned from the right."""
    if b.size == 0:
        return _core.copy(b), zeros(b.shape[:-1], _core.int64, device=b.device)
    b, x, tolerance, unit = _scaled(b, x0, rtol, atol)
    limit = read(tolerance)[..., 0]
    lead, n = b.shape[:-1], b.shape[-1]
    precondition: Function = (lambda v: v) if M is None else M
    r = b - A(x) if read(_core.any(_core.not_equal(x, 0.0))) else b
    norm = read(vector_norm(r, axis=-1))
    size = np.maximum(read(vector_norm(b, axis=-1)), np.finfo(norm.dtype).tiny)
    steps = np.zeros(lead, np.int64)
    going = (norm > limit) & np.isfinite(norm)
    for _ in range(maxiter):
        if not going.any():
            break
        basis = zeros((*lead, restart + 1, n), b.dtype, device=b.device)
        first = np.where(going, norm, 0.0)
        basis[..., 0, :] = _over(r, first)
        kind = np.dtype(b.dtype.name)
        H = np.zeros((*lead, restart, restart), kind)
        g = np.zeros((*lead, restart + 1), kind)
        g[..., 0] = first
        turns: list[tuple[np.ndarray, np.ndarray]] = []
        left = first
        for j in range(restart):
            w = A(precondition(basis[..., j, :]))
            known = basis[..., : j + 1, :]
            column = np.zeros((*lead, j + 2), kind)
            # Twice is enough (Giraud et al. 2005).
            for _ in range(2):
                h = _core.conj(_core.matmul(known, _core.conj(w)[..., None])[..., 0])
                w = w - _core.matmul(h[..., None, :], known)[..., 0, :]
                column[..., : j + 1] += read(h)
            rest = read(vector_norm(w, axis=-1))
            # What rounding leaves of a vector within the space is no new direction.
            rest = np.where(rest > 8 * np.finfo(rest.dtype).eps * np.max(np.abs(column), axis=-1), rest, 0.0)
            column[..., j + 1] = rest
            basis[..., j + 1, :] = _over(w, rest)
            for k, (c, s) in enumerate(turns):
                upper, lower = column[..., k].copy(), column[..., k + 1].copy()
                column[..., k], column[..., k + 1] = c * upper + s * lower, c * lower - np.conj(s) * upper
            turns.append(_rotation(column[..., j], column[..., j + 1]))
            c, s = turns[-1]
            H[..., : j + 1, j] = column[..., : j + 1]
            H[..., j, j] = c * column[..., j] + s * column[..., j + 1]
            g[..., j + 1] = -np.conj(s) * g[..., j]
            g[..., j] = c * g[..., j]
            left = np.abs(g[..., j + 1])
            steps += going
            if callback is not None and report == "pr_norm":
                callback(asarray(left / size, device=b.device))
            if np.all((left <= limit) | (rest == 0) | ~going):
                break
        y = _back_substituted(H[..., : len(turns), : len(turns)], g[..., : len(turns)])
        known = basis[..., : len(turns), :]
        x = x + precondition(_core.matmul(asarray(y, device=b.device)[..., None, :], known)[..., 0, :])
        r = b - A(x)
        before, norm = norm, read(vector_norm(r, axis=-1))
        if callback is not None and report == "x":
            callback(x * unit)
        # A cycle without progress would repeat itself.
        going = going & (norm > limit) & (norm < before)
    return _ended(x * unit, norm, limit, steps)


def _over(x: Array, size: np.ndarray) -> Array:
    """x over the norm of its vectors, 0 where that is 0."""
    with np.errstate(divide="ignore"):
        zero, factor = (asarray(v, device=x.device)[..., None] for v in (size == 0, 1 / size))
        return _core.where(zero, 0.0, x * factor)


def _rotation(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """c, s of the unitary [[c, s], [-conj(s), c]] that takes (a, b) to (r, 0)."""
    size = np.hypot(np.abs(a), np.abs(b))
    safe = np.where(size == 0, 1, size)
    phase = np.where(a == 0, 1, a / np.where(a == 0, 1, np.abs(a)))
    return np.where(size == 0, 1, np.abs(a) / safe), phase * np.conj(b) / safe


def _back_substituted(R: np.ndarray, g: np.ndarray) -> np.ndarray:
    """The solution for upper triangles, 0 in directions where they are singular."""
    y = np.zeros_like(g)
    for i in reversed(range(g.shape[-1])):
        value = g[..., i] - np.sum(R[..., i, i + 1 :] * y[..., i + 1 :], axis=-1)
        pivot = R[..., i, i]
        y[..., i] = np.where(pivot == 0, 0, value / np.where(pivot == 0, 1, pivot))
    return y


def gmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Array], Any] | None = None,
    callback_type: str = "pr_norm",
) -> tuple[Array, Array]:
    """``(x, info)`` of ``A @ x = b`` for any invertible A, by minimal residuals.

    Arguments, ``info`` and derivatives are those of `cg`; the adjoint of a function comes from reverse mode. ``maxiter``
    counts cycles of ``restart`` steps, 20 by default. ``callback`` gets the relative norm of the residual after each step,
    or with ``callback_type="x"`` the solution after each cycle; unlike SciPy's it does not change what ``maxiter`` counts.
    Saad and Schultz (1986), preconditioned from the right.

    Example
    -------
    >>> sa.linalg.gmres(lambda x: sa.cumsum(x), sa.asarray([1.0, 3.0, 6.0]), rtol=1e-12)
    (array([1., 2., 3.]), array(0))
    """
    if callback_type not in ("pr_norm", "x"):
        raise ValueError(f"gmres: callback_type must be 'pr_norm' or 'x', got {callback_type!r}")
    n = max(1, inexact(b).shape[-1] if inexact(b).ndim else 1)
    steps = min(20 if restart is None else index(restart), n)
    if steps < 1:
        raise ValueError(f"gmres: restart must be positive, got {restart}")
    options = {"rtol": rtol, "atol": atol, "callback": callback, "restart": steps, "report": callback_type}
    return _system("gmres", _gmres, A, b, x0, M, maxiter, options)
