"""Polynomials by their coefficients, highest power first, and by their roots."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arguments import inexact, known, promoted
from ._core import Array
from ._creation import asarray, ones, zeros
from ._grad import stop_gradient
from ._linear import outer
from ._manipulation import broadcast_to, concat, pad
from ._matrices import vander
from ._numeric import convolve
from .linalg import eigvals, inv, lstsq

__all__ = ["poly", "polyadd", "polyder", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


def poly(seq_of_zeros: Any, /) -> Array:
    """The polynomial with these roots, or the characteristic polynomial of a matrix (n, n); highest power first.

    Real where the roots are, or come in conjugate pairs.

    Example
    -------
    >>> sa.poly([1.0, 2.0])
    array([ 1., -3.,  2.])
    """
    z = inexact(seq_of_zeros)
    if z.ndim == 2 and z.shape[0] == z.shape[1] > 0:
        return from_roots(eigvals(z), real=z.dtype.kind != "c")
    if z.ndim != 1:
        raise ValueError(f"poly: roots must be a vector, or a square matrix given, got shape {z.shape}")
    return from_roots(z)


def roots(p: Any, /) -> Array:
    """The roots, complex128, of the polynomial with coefficients ``p``, highest power first; simple ones are differentiable.

    Example
    -------
    >>> sa.roots([1.0, 0.0, 1.0]).imag
    array([ 1., -1.])
    """
    p = inexact(p)
    if p.ndim != 1:
        raise ValueError(f"roots: coefficients must be a vector, got shape {p.shape}")
    return roots_of(p)


def polyfit(
    x: Any, y: Any, /, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: bool | str = False
) -> Any:
    """Coefficients (deg + 1,) or (deg + 1, k), highest power first, of the polynomial with least squares of residuals.

    ``x`` (n,), ``y`` (n,) or (n, k) and the weights ``w`` (n,) of the residuals are differentiable. ``full=True`` adds
    residuals, rank, singular values and ``rcond``; ``cov=True`` adds the covariance (deg + 1, deg + 1), or one for each k,
    scaled by chi squared per degree of freedom unless ``"unscaled"``.

    Example
    -------
    >>> sa.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round(9)
    array([2., 1.])
    """
    x, y = (inexact(v) for v in promoted("polyfit", [x, y]))
    if deg < 0:
        raise ValueError(f"polyfit: the degree must not be negative, got {deg}")
    if x.ndim != 1 or x.size == 0 or y.ndim not in (1, 2) or y.shape[0] != x.shape[0]:
        raise ValueError(f"polyfit: x must be (n,) and y (n,) or (n, k), got shapes {x.shape} and {y.shape}")
    n, m = x.size, deg + 1
    rcond = n * float(np.finfo(str(x.real.dtype)).eps) if rcond is None else rcond
    left, right = vander(x, m), y
    if w is not None:
        w = inexact(w)
        if w.shape != x.shape:
            raise ValueError(f"polyfit: one weight per point is required, got shape {w.shape} for {n} points")
        left, right = left * w[:, None], right * (w if y.ndim == 1 else w[:, None])
    scale = _core.sqrt(_core.sum(_core.square(_core.abs(left)), 0))
    scaled = left / scale
    c, residuals, rank, s = lstsq(scaled, right, rcond)
    c = c / (scale if y.ndim == 1 else scale[:, None])
    if full:
        return c, residuals, rank, s, rcond
    if not cov:
        return c
    v = inv(_core.matmul(_core.conj(scaled).T, scaled)) / outer(scale, scale)
    factor = ones(())
    if cov != "unscaled":
        if n <= m:
            raise ValueError(f"polyfit: the covariance needs more points than coefficients, got {n} for {m}")
        difference = right - _core.matmul(left, c)
        factor = _core.sum(_core.square(_core.abs(difference)), 0) / (n - m)
    return c, v * factor if y.ndim == 1 else v[:, :, None] * factor


def polyval(p: Any, x: Any, /) -> Array:
    """The polynomial with coefficients ``p``, highest power first, at ``x``, by Horner's rule.

    Example
    -------
    >>> sa.polyval([1, 0, 2], sa.asarray([1, 3]))
    array([ 3, 11])
    """
    p, x = asarray(p), asarray(x)
    y = zeros(x.shape, x.dtype, device=x.device)
    for i in range(p.shape[0]):
        y = y * x + p[i]
    return y


def polyder(p: Any, /, m: int = 1) -> Array:
    """Coefficients of the ``m``-th derivative of a polynomial, highest power first.

    Example
    -------
    >>> sa.polyder([1, 2, 3])
    array([2, 2])
    """
    p = asarray(p)
    if m < 0:
        raise ValueError(f"polyder: the order m must not be negative, got {m}")
    for _ in range(m):
        n = p.shape[0]
        p = p[:-1] * asarray(range(n - 1, 0, -1), dtype=_core.int64)
    return p[...]


def polyint(p: Any, /, m: int = 1, k: Any = 0) -> Array:
    """Coefficients of the ``m``-th integral of a polynomial, highest power first, with constants ``k``.

    Example
    -------
    >>> sa.polyint([2, 2])
    array([1., 2., 0.])
    """
    p = asarray(p)
    if m < 0:
        raise ValueError(f"polyint: the order m must not be negative, got {m}")
    constants = broadcast_to(_core.reshape(asarray(k), -1), (m,))
    for i in range(m):
        n = p.shape[0]
        p = concat([p / asarray(range(n, 0, -1), dtype=_core.float64), constants[i : i + 1]])
    return p[...]


def _aligned(op: str, p: Any, q: Any) -> tuple[Array, Array]:
    p, q = (_core.reshape(v, -1) for v in promoted(op, [p, q]))
    n = max(p.size, q.size)
    return concat([zeros(n - p.size, p.dtype), p]), concat([zeros(n - q.size, q.dtype), q])


def polyadd(p: Any, q: Any, /) -> Array:
    """Coefficients of the sum of two polynomials, highest power first.

    Example
    -------
    >>> sa.polyadd([1, 2], [9, 5, 4])
    array([9, 6, 6])
    """
    return _core.add(*_aligned("polyadd", p, q))


def polysub(p: Any, q: Any, /) -> Array:
    """Coefficients of the difference of two polynomials, highest power first.

    Example
    -------
    >>> sa.polysub([2, 10], [1, 8])
    array([1, 2])
    """
    return _core.subtract(*_aligned("polysub", p, q))


def polymul(p: Any, q: Any, /) -> Array:
    """Coefficients of the product of two polynomials, highest power first; leading zeros stay, unlike in NumPy.

    Example
    -------
    >>> sa.polymul([1, 2], [1, 3])
    array([1, 5, 6])
    """
    return convolve(_core.reshape(asarray(p), -1), _core.reshape(asarray(q), -1))


def from_roots(roots: Array, real: bool = False) -> Array:
    """Coefficients, highest power first, of the product of (x - r); real where the roots are, or come in conjugate pairs."""
    y = ones(1, roots.dtype, device=roots.device)
    for i in range(roots.size):
        y = pad(y, (0, 1)) - pad(y * roots[i], (1, 0))
    if roots.dtype.kind != "c":
        return y
    if not real:
        # As often as a root, its conjugate.
        r = roots.detach()
        times = (_core.count_nonzero(s == r[:, None], 1) for s in (r, _core.conj(r)))
        real = bool(_core.all(_core.equal(*times)))
    return _core.real(y) if real else y


def roots_of(p: Array) -> Array:
    """Roots of a polynomial, highest power first: by NumPy, in recordings the eigenvalues of the companion matrix.

    A step of Newton's method, of value 0, carries the derivatives of simple roots: one the first order, two up to the third.
    """
    values, n = known(p), p.size
    if values is not None:
        x = asarray(np.roots(values).astype(np.complex128), device=p.device)
    elif n > 1:
        row = _core.reshape(-p[1:] / p[0], (1, n - 1))
        below = asarray(np.eye(n - 2, n - 1), dtype=row.dtype, device=p.device)
        x = stop_gradient(_core.astype(eigvals(_core.concat([row, below], 0)), _core.complex128))
    else:
        x = zeros(0, _core.complex128)
    if x.size == 0:
        return x
    slopes = p[:-1] * asarray(np.arange(n - 1, 0, -1.0), device=p.device)
    for _ in range(2):
        value, slope = (polyval(c, x) for c in (p, slopes))
        simple = slope != 0
        step = _core.where(simple, value, 0.0) / _core.where(simple, slope, 1.0)
        x = x - (step - stop_gradient(step))
    return x
