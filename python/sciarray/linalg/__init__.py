"""Linear algebra over the last two axes; leading axes broadcast."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from numpy.linalg import LinAlgError

from .. import _core
from .._core import Array, matmul
from .._creation import asarray
from .._linear import cross, outer, tensordot, vecdot
from .._manipulation import matrix_transpose

__all__ = [
    "LinAlgError",
    "cholesky",
    "cross",
    "errstate",
    "matmul",
    "matrix_transpose",
    "outer",
    "solve",
    "tensordot",
    "vecdot",
]


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


def cholesky(a: Any, /, *, upper: bool = False) -> Array:
    """The triangular factor L of ``a = L @ L.mH``, or U of ``a = U.mH @ U`` with ``upper``.

    ``a`` is (..., n, n), Hermitian positive definite; only the triangle that the factor fills is read, and the gradient is
    the symmetric one. Raises `LinAlgError`, naming the batch items, where ``a`` is not positive definite; under `errstate`
    those items are NaN.

    Example
    -------
    >>> sa.linalg.cholesky(sa.asarray([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    return _core.cholesky(a, upper)


class errstate:
    """Context that chooses what a bad matrix does: ``linalg="raise"`` or ``linalg="nan"``.

    Example
    -------
    >>> with sa.errstate(linalg="nan"):
    ...     sa.linalg.solve(sa.asarray([[[0.0]], [[2.0]]]), sa.asarray([[1.0]]))
    array([[[nan]],
    <BLANKLINE>
           [[0.5]]])
    """

    def __init__(self, *, linalg: str) -> None:
        if linalg not in ("raise", "nan"):
            raise ValueError(f"errstate: linalg must be 'raise' or 'nan', got {linalg!r}")
        self._nan = linalg == "nan"
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(_core.exchange_nan_on_failure(self._nan))

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.exchange_nan_on_failure(self._before.pop())
