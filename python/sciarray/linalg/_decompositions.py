"""Factorizations of matrices (..., m, n)."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core
from .._arguments import all_inexact
from .._core import Array
from .._core import bool as bool_
from .._creation import eye
from .._matrices import tril, triu

__all__ = [
    "EigResult",
    "EighResult",
    "QRResult",
    "SVDResult",
    "cholesky",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "qr",
    "svd",
    "svdvals",
]


class QRResult(NamedTuple):
    """The factors of `qr`."""

    Q: Array
    R: Array


class EighResult(NamedTuple):
    """The values and vectors of `eigh`."""

    eigenvalues: Array
    eigenvectors: Array


class EigResult(NamedTuple):
    """The values and vectors of `eig`."""

    eigenvalues: Array
    eigenvectors: Array


class SVDResult(NamedTuple):
    """The factors of `svd`."""

    U: Array
    S: Array
    Vh: Array


def upper_triangle(op: str, UPLO: str) -> bool:
    """Whether ``UPLO`` names the upper triangle."""
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise ValueError(f"{op}: UPLO must be 'L' or 'U', got {UPLO!r}")
    return UPLO.upper() == "U"


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


def qr(a: Any, /, mode: str = "reduced", *, pivoting: bool = False) -> Any:
    """``a = Q @ R`` with orthonormal columns of Q and an upper triangle R, whose diagonal is real.

    ``a`` is (..., m, n), float or complex, integers count as float64; with k = min(m, n) Q is (..., m, k) and R (..., k, n),
    or (..., m, m) and (..., m, n) with ``mode="complete"``; ``mode="r"`` gives R alone. With ``pivoting`` int64 indices P
    (..., n) follow, and ``a[:, P] = Q @ R`` with a diagonal of R that descends in magnitude, as SciPy's. The derivative is
    that at a fixed P and exists where the first k columns, in this order, are independent; raises `LinAlgError` in a
    derivative elsewhere. Householder reflections with LAPACK's signs (Golub and Van Loan, Matrix Computations, 5.2 and 5.4).
    Unlike NumPy there is no ``mode="raw"``.

    Example
    -------
    >>> Q, R = sa.linalg.qr(sa.asarray([[3.0, 1.0], [4.0, 2.0]]))
    >>> R
    array([[-5. , -2.2],
           [ 0. ,  0.4]])
    """
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"qr: mode must be 'reduced', 'complete' or 'r', got {mode!r}")
    if mode == "r" and not pivoting:
        return _core.qr_r(a)
    factors = _core.qr(a, mode == "complete", bool(pivoting))
    if pivoting:
        return factors[1:] if mode == "r" else factors
    return QRResult(*factors)


def eigh(a: Any, /, UPLO: str = "L", *, b: Any = None) -> EighResult:
    """Ascending eigenvalues (..., n), real, and eigenvectors, the columns of (..., n, n), of Hermitian (..., n, n).

    With a Hermitian positive definite ``b``, those of ``a @ v = w * b @ v`` with ``v.mH @ b @ v = 1``, by its Cholesky factor,
    as SciPy's. Only the triangle ``UPLO`` is read, and the gradient is the Hermitian one. Where eigenvalues are equal to
    rounding, the derivative takes the path on which their eigenvectors do not turn into each other: exact for sums of
    functions of the eigenvalues, and up to the second derivative for projectors onto whole eigenspaces. ``V f(w) V^H``, and the
    second derivative of sums, have only the diagonal part there; `hermitian_function` has all of both. Items that are not
    finite give NaN. Jacobi rotations for n <= 8, tridiagonal form and QR steps in batches for n <= 128 (Golub and Van Loan,
    8.3 and 8.5), else LAPACK's divide and conquer, or faer where LAPACK is missing.

    Example
    -------
    >>> sa.linalg.eigh(sa.asarray([[2.0, 1.0], [1.0, 2.0]])).eigenvalues
    array([1., 3.])
    """
    upper = upper_triangle("eigh", UPLO)
    if b is None:
        return EighResult(*_core.eigh(a, upper))
    a, b = all_inexact("eigh", [a, b])
    L = _core.cholesky(b.mT if upper and b.dtype.kind == "f" else _core.conj(b.mT) if upper else b, False)
    half = triu(a, k=1) if upper else tril(a, k=-1)
    adjoint = half.mT if a.dtype.kind == "f" else _core.conj(half.mT)
    diagonal = _core.where(eye(a.shape[-1], dtype=bool_, device=a.device), a.real if a.dtype.kind == "c" else a, 0.0)
    left = _core.solve_triangular(L, half + adjoint + diagonal, True, False, False)
    left = left.mT if a.dtype.kind == "f" else _core.conj(left.mT)
    w, y = _core.eigh(_core.solve_triangular(L, left, True, False, False), False)
    return EighResult(w, _core.solve_triangular(L, y, True, False, True))


def eigvalsh(a: Any, /, UPLO: str = "L") -> Array:
    """Ascending eigenvalues (..., n), real, of Hermitian (..., n, n), of which only the triangle ``UPLO`` is read.

    Differentiable as those of `eigh`.

    Example
    -------
    >>> sa.linalg.eigvalsh(sa.asarray([[2.0, 1.0], [1.0, 2.0]]))
    array([1., 3.])
    """
    return _core.eigvalsh(a, upper_triangle("eigvalsh", UPLO))


def eig(a: Any, /) -> EigResult:
    """Eigenvalues (..., n) and right eigenvectors of norm 1, the columns of (..., n, n), of square (..., n, n).

    Both are complex for real matrices too, as in the Array API; NumPy returns real ones where all are. The derivative exists
    where the eigenvectors are independent; raises `LinAlgError` in a derivative elsewhere. Items that are not finite give NaN.
    QR steps with two shifts (Golub and Van Loan, 7.5), of batches for n <= 256 in lanes, else LAPACK's, or faer's where LAPACK
    is missing.

    Example
    -------
    >>> sa.linalg.eig(sa.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    array([2.+0.j, 1.+0.j])
    """
    return EigResult(*_core.eig(a))


def eigvals(a: Any, /) -> Array:
    """Eigenvalues (..., n), complex, of square (..., n, n); see `eig`.

    Example
    -------
    >>> sa.linalg.eigvals(sa.asarray([[0.0, -1.0], [1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    return _core.eigvals(a)


def svd(a: Any, /, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """``a = U @ diag(S) @ Vh`` with orthonormal columns of U, rows of Vh, and descending singular values S.

    ``a`` is (..., m, n); with k = min(m, n) U is (..., m, k), S (..., k) and real, and Vh (..., k, n), or U (..., m, m) and
    Vh (..., n, n) with ``full_matrices``; without ``compute_uv`` only S is returned. Singular vectors of values that are
    equal to rounding only turn against each other in a derivative, those of zero not at all: exact for sums over singular
    values, and up to the second derivative for projectors onto whole spaces, the unitary factor ``U @ Vh`` and the nuclear
    norm; ``U f(S) Vh`` is `singular_function`. ``hermitian`` is accepted for NumPy's sake. Items that are not finite give NaN.
    One-sided Jacobi rotations of at most 8 columns (Demmel and Veselic 1992), bidiagonal form and QR steps in batches up to
    128 x 128 (Golub and Van Loan, 8.6), else LAPACK's divide and conquer, or faer where LAPACK is missing.

    Example
    -------
    >>> sa.linalg.svd(sa.asarray([[0.0, 2.0], [3.0, 0.0]])).S
    array([3., 2.])
    """
    if not compute_uv:
        return _core.svdvals(a)
    return SVDResult(*_core.svd(a, bool(full_matrices)))


def householder_product(a: Any, tau: Any, /) -> Array:
    """The first n columns of the product of reflections ``1 - tau[k] * v @ v.mH``.

    Column k of ``a`` (..., m, n) holds v below the diagonal, above are zeros and a one; ``tau`` is (..., k) with k <= n. What
    LAPACK's ``geqrf`` returns is read so.

    Example
    -------
    >>> sa.linalg.householder_product(sa.asarray([[0.0], [1.0]]), sa.asarray([1.0]))
    array([[ 0.],
           [-1.]])
    """
    a, tau = all_inexact("householder_product", [a, tau])
    m, n = a.shape[-2:]
    if m < n or tau.shape[-1] > n:
        raise ValueError(f"householder_product: m >= n >= k is required, got shapes {a.shape} and {tau.shape}")
    v = tril(a, k=-1) + eye(m, n, dtype=a.dtype, device=a.device)
    q = eye(m, n, dtype=a.dtype, device=a.device)
    for k in reversed(range(tau.shape[-1])):
        column = v[..., k : k + 1]
        adjoint = column.mT if a.dtype.kind == "f" else _core.conj(column.mT)
        q = q - tau[..., k, None, None] * (column @ (adjoint @ q))
    return q


def svdvals(a: Any, /) -> Array:
    """Descending singular values (..., min(m, n)) of (..., m, n).

    Example
    -------
    >>> sa.linalg.svdvals(sa.asarray([[0.0, 2.0], [3.0, 0.0]]))
    array([3., 2.])
    """
    return _core.svdvals(a)
