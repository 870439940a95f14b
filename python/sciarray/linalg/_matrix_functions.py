"""Functions of square matrices (..., n, n), with derivatives from one identity.

For f(A) of block triangles, f([[A, E], [0, A]]) = [[f(A), L], [0, f(A)]], where L is the derivative at A along E (Higham,
Functions of Matrices, 3.6); and the adjoint of that derivative is the one at A^H. Both call f again, so every order follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._arguments import all_inexact, read
from .._core import Array
from .._creation import asarray, eye, zeros
from ._factors import _square
from ._norms import matrix_norm
from ._solvers import _adjoint

__all__ = ["coshm", "cosm", "expm", "expm_frechet", "logm", "signm", "sinhm", "sinm", "sqrtm", "tanhm", "tanm"]

Kernel = Callable[[Array], Array]


def _blocks(a: Array, e: Array) -> Array:
    """[[a, e], [0, a]]."""
    d = _core.promote_types(a.dtype, e.dtype)
    a, e = _core.astype(a, d), _core.astype(e, d)
    top = _core.concat([a, e], a.ndim - 1)
    bottom = _core.concat([zeros(a.shape, d, device=a.device), a], a.ndim - 1)
    return _core.concat([top, bottom], a.ndim - 2)


def _function(name: str, kernel: Kernel, a: Array) -> Array:
    """``kernel(a)``, differentiated by the identity above."""
    n = a.shape[-1]

    def along(x: Array, e: Array) -> Array:
        return _function(name, kernel, _blocks(x, e))[..., :n, n:]

    def vjp(ins: Any, outs: Any, gs: Any) -> list[Array]:
        return [along(_adjoint(ins[0]), gs[0])]

    def jvp(ins: Any, outs: Any, ts: Any) -> list[Array]:
        t = along(ins[0], ts[0])
        return [t if t.dtype == outs[0].dtype else _core.astype(t, outs[0].dtype)]

    return _core.custom_op(name, lambda x: (kernel(x),), vjp, jvp, [a])[0]


def _identity(a: Array) -> Array:
    return eye(a.shape[-1], dtype=a.dtype, device=a.device)


# Coefficients of the (13, 13) Pade approximant of exp, and the norm up to which it is exact to double precision (Higham 2005).
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0,
    670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_PADE_NORM = 5.371920351148152


def _expm(a: Array) -> Array:
    if a.size == 0:
        return _core.copy(a)
    norms = read(matrix_norm(a, ord=1)).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(np.isfinite(norms), np.ceil(np.log2(norms / _PADE_NORM)), 0.0).clip(0, 1100)
    wide = a.dtype
    # The result of items that are not finite is NaN.
    a = a * asarray(np.exp2(-times)[..., None, None], dtype=a.real.dtype, device=a.device) if np.max(times) > 0 else a
    b, one = _PADE, _identity(a)
    a2 = _core.matmul(a, a)
    a4 = _core.matmul(a2, a2)
    a6 = _core.matmul(a4, a2)
    odd = _core.matmul(a6, b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one
    u = _core.matmul(a, odd)
    v = _core.matmul(a6, b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    y = _core.solve(v - u, v + u)
    for k in range(int(np.max(times))):
        again = asarray((k < times)[..., None, None], device=a.device)
        y = _core.where(again, _core.matmul(y, y), y)
    return _core.astype(y, wide)


def expm(a: Any, /) -> Array:
    """The matrix exponential of (..., n, n), by scaling, a Pade approximant and squaring (Higham 2005).

    Example
    -------
    >>> sa.linalg.expm(sa.asarray([[0.0, 1.0], [0.0, 0.0]]))
    array([[1., 1.],
           [0., 1.]])
    """
    return _function("expm", _expm, _square("expm", a))


def expm_frechet(a: Any, e: Any, /, compute_expm: bool = True) -> Any:
    """The exponential of ``a`` and its derivative at ``a`` along ``e``, both (..., n, n); the latter alone on demand.

    Example
    -------
    >>> sa.linalg.expm_frechet(sa.zeros((1, 1)), sa.ones((1, 1)))
    (array([[1.]]), array([[1.]]))
    """
    a, e = all_inexact("expm_frechet", [a, e])
    a = _square("expm_frechet", a)
    if a.shape != e.shape:
        raise ValueError(f"expm_frechet: a and e must have one shape, got {a.shape} and {e.shape}")
    n = a.shape[-1]
    y = expm(_blocks(a, e))
    return (y[..., :n, :n], y[..., :n, n:]) if compute_expm else y[..., :n, n:]


def _is_complex(a: Array) -> bool:
    return a.dtype.kind == "c"


def cosm(a: Any, /) -> Array:
    """The matrix cosine of (..., n, n), by `expm`.

    Example
    -------
    >>> sa.linalg.cosm(sa.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    a = _square("cosm", a)
    return _core.real(expm(1j * a)) if not _is_complex(a) else (expm(1j * a) + expm(-1j * a)) * 0.5


def sinm(a: Any, /) -> Array:
    """The matrix sine of (..., n, n), by `expm`.

    Example
    -------
    >>> sa.linalg.sinm(sa.asarray([[0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1.],
           [0., 0.]])
    """
    a = _square("sinm", a)
    return _core.imag(expm(1j * a)) if not _is_complex(a) else (expm(1j * a) - expm(-1j * a)) * -0.5j


def tanm(a: Any, /) -> Array:
    """The matrix tangent of (..., n, n). Raises `LinAlgError` where the cosine is singular.

    Example
    -------
    >>> sa.linalg.tanm(sa.zeros((1, 1)))
    array([[0.]])
    """
    return _core.solve(cosm(a), sinm(a))


def coshm(a: Any, /) -> Array:
    """The hyperbolic matrix cosine of (..., n, n), by `expm`.

    Example
    -------
    >>> sa.linalg.coshm(sa.zeros((1, 1)))
    array([[1.]])
    """
    a = _square("coshm", a)
    return (expm(a) + expm(-a)) * 0.5


def sinhm(a: Any, /) -> Array:
    """The hyperbolic matrix sine of (..., n, n), by `expm`.

    Example
    -------
    >>> sa.linalg.sinhm(sa.zeros((1, 1)))
    array([[0.]])
    """
    a = _square("sinhm", a)
    return (expm(a) - expm(-a)) * 0.5


def tanhm(a: Any, /) -> Array:
    """The hyperbolic matrix tangent of (..., n, n). Raises `LinAlgError` where the cosine is singular.

    Example
    -------
    >>> sa.linalg.tanhm(sa.zeros((1, 1)))
    array([[0.]])
    """
    return _core.solve(coshm(a), sinhm(a))


def _complex_schur(a: Array) -> tuple[Array, Array]:
    T, Z = _core.schur(_core.astype(a, _core.complex128))
    return T, Z


def _triangular_root(t: np.ndarray) -> np.ndarray:
    """The principal square root of upper triangles, one diagonal after the other (Bjorck and Hammarling 1983)."""
    n = t.shape[-1]
    r = np.zeros_like(t)
    index = np.arange(n)
    r[..., index, index] = np.sqrt(t[..., index, index])
    for k in range(1, n):
        i = index[: n - k]
        j = i + k
        value = t[..., i, j]
        for between in range(1, k):
            value = value - r[..., i, i + between] * r[..., i + between, j]
        divisor = r[..., i, i] + r[..., j, j]
        with np.errstate(divide="ignore", invalid="ignore"):
            r[..., i, j] = np.where((divisor == 0) & (value == 0), 0, value / divisor)
    return r


def _from_schur(a: Array, f: Callable[[np.ndarray], np.ndarray]) -> Array:
    """Z f(T) Z^H; real for real matrices whose triangle gives real results."""
    T, Z = _complex_schur(a)
    t = read(T)
    values = np.diagonal(t, axis1=-2, axis2=-1)
    y = _core.matmul(_core.matmul(Z, asarray(f(t), device=Z.device)), _adjoint(Z))
    size = np.max(np.abs(values), axis=-1, initial=0.0, keepdims=True)
    on_the_cut = (values.real < 0) & (np.abs(values.imag) <= 4 * np.finfo(np.float64).eps * a.shape[-1] * size)
    if not _is_complex(a) and not on_the_cut.any():
        y = _core.real(y)
    return _core.astype(y, _core.promote_types(a.dtype, _core.complex64) if _is_complex(y) else a.dtype)


def sqrtm(a: Any, /) -> Array:
    """The principal square root of (..., n, n), by the Schur form (Bjorck and Hammarling 1983).

    Complex for real matrices with negative eigenvalues. Not finite where none exists.

    Example
    -------
    >>> sa.linalg.sqrtm(sa.asarray([[4.0, 0.0], [0.0, 9.0]]))
    array([[2., 0.],
           [0., 3.]])
    """
    return _function("sqrtm", lambda x: _from_schur(x, _triangular_root), _square("sqrtm", a))


# Nodes and weights of Gauss-Legendre quadrature on [0, 1]: log(1 + x) is the integral of x / (1 + s x), and with these nodes
# the [8/8] Pade approximant comes out (Higham, Functions of Matrices, 11.4).
_NODES, _WEIGHTS = (x / 2 for x in np.polynomial.legendre.leggauss(8))
_NODES = _NODES + 0.5


def _triangular_log(t: np.ndarray) -> np.ndarray:
    n = t.shape[-1]
    one = np.eye(n)
    times = 0
    root = t
    while times < 100:
        distance = np.max(np.sum(np.abs(root - one), axis=-2), initial=0.0)
        if not distance > 0.25:
            break
        root, times = _triangular_root(root), times + 1
    x = root - one
    total = np.zeros_like(x)
    for node, weight in zip(_NODES, _WEIGHTS):
        total = total + weight * read(_core.solve_triangular(asarray(one + node * x), asarray(x), False, False, False))
    y = total * 2.0**times
    # The diagonal is known better.
    index = np.arange(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        y[..., index, index] = np.log(t[..., index, index])
    return y


def logm(a: Any, /) -> Array:
    """The principal logarithm of (..., n, n): inverse scaling and squaring of the Schur form (Higham, chapter 11).

    Complex for real matrices with negative eigenvalues.

    Example
    -------
    >>> sa.linalg.logm(sa.asarray([[1.0, 1.0], [0.0, 1.0]]))
    array([[0., 1.],
           [0., 0.]])
    """
    return _function("logm", lambda x: _from_schur(x, _triangular_log), _square("logm", a))


def _signm(a: Array) -> Array:
    if a.size == 0:
        return _core.copy(a)
    # The sign does not depend on the scale.
    largest = _core.max(_core.abs(a), (-2, -1), keepdims=True)
    usable = _core.logical_and(_core.greater(largest, 0.0), _core.isfinite(largest))
    x = a / _core.where(usable, largest, 1.0)
    for _ in range(100):
        inverse = _core.inv(x)
        # Norms of X and its inverse made equal speed up the first steps (Higham, 5.5).
        ratio = _core.sqrt(matrix_norm(inverse) / matrix_norm(x))[..., None, None]
        change = read(matrix_norm(x - inverse) / matrix_norm(x))
        if np.all(~(change > 0.05)):
            ratio = _core.astype(asarray(1.0), a.real.dtype)
        new = (x * ratio + inverse / ratio) * 0.5
        done = read(matrix_norm(new - x) / matrix_norm(new))
        x = new
        if np.all(~(done > 100 * np.finfo(done.dtype).eps)):
            break
    return x


def signm(a: Any, /) -> Array:
    """The matrix sign of (..., n, n), which has eigenvalues 1 and -1 by the sign of the real parts: Newton's iteration.

    Raises `LinAlgError` where an eigenvalue is 0 (Higham, Functions of Matrices, chapter 5).

    Example
    -------
    >>> sa.linalg.signm(sa.asarray([[2.0, 0.0], [0.0, -3.0]]))
    array([[ 1.,  0.],
           [ 0., -1.]])
    """
    return _function("signm", _signm, _square("signm", a))
