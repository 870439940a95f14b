"""The fast Hankel transform on a logarithmic grid.

A. Hamilton, Uncorrelated modes of the non-linear power spectrum, MNRAS 312 (2000), appendix B.
"""

from __future__ import annotations

import warnings
from math import inf, log, pi
from typing import Any

import numpy as np

from .. import _core
from .._arguments import moved, on_cpu
from .._core import Array
from .._creation import arange, asarray
from ._transforms import length_of, real_input

__all__ = ["fht", "fhtoffset", "ifht"]

# B_2k / (2k (2k - 1)), DLMF 5.11.1.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)


def _loggamma(x: Array, y: Array) -> Array:
    """The logarithm of gamma at x + i y of one x, up to multiples of 2 pi i: Stirling's series at Re z >= 12."""
    shift = max(0, int(_core.ceil(12 - x)))
    z = _core.complex(x, y)
    s = z + shift
    r = 1 / (s * s)
    tail = _STIRLING[-1] * r
    for c in _STIRLING[-2:0:-1]:
        tail = (tail + c) * r
    y = (s - 0.5) * _core.log(s) - s + 0.5 * log(2 * pi) + (tail + _STIRLING[0]) / s
    return y - _core.sum(_core.log(z[..., None] + arange(shift, dtype=_core.float64)), axis=-1)


def _pole(x: Array) -> int | None:
    """Where gamma has a pole, which one."""
    return int(x) if bool(_core.logical_and(x <= 0, x == _core.rint(x))) else None


def _gamma_ratio(top: int | None, bottom: int | None) -> float:
    """gamma(top) / gamma(bottom) where at least one is a pole."""
    if bottom is None:
        return inf
    if top is None:
        return 0.0
    # Both: the limit at a fixed difference, a product of |top - bottom| factors.
    a, b = sorted((top, bottom))
    product = float(np.prod(np.arange(a, b)))
    return product if top > bottom else 1 / product


def _coefficients(name: str, n: int, dln: Any, mu: Any, offset: Any, bias: Any) -> Array:
    """(kr)^(-i y) 2^x gamma((mu + 1 + x) / 2) / gamma((mu + 1 - x) / 2) at x = bias + i y, y = 2 pi m / (n dln)."""
    dln, mu, offset, bias = (asarray(v, dtype=_core.float64) for v in (dln, mu, offset, bias))
    top, bottom = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    y = arange(n // 2 + 1, dtype=_core.float64) * pi / (n * dln)
    first = None
    poles = _pole(top), _pole(bottom)
    if poles != (None, None):
        ratio = _gamma_ratio(*poles)
        singular, value = ("transform", inf) if name == "fht" else ("inverse transform", 0.0)
        if ratio == value:
            warnings.warn(f"{name}: singular {singular}; consider changing the bias", stacklevel=3)
            ratio = 0.0 if name == "fht" else inf
        first = _core.astype(_core.reshape(_core.exp2(bias.detach()) * ratio, 1), _core.complex128)
        if y.size == 1:
            return first
        y = y[1:]
    over, under = _loggamma(top, y), _loggamma(bottom, y)
    u = _core.exp(over - _core.conj(under) + _core.complex(log(2) * bias, 2 * y * (log(2) - offset)))
    if n % 2 == 0:
        u = _core.concat([u[:-1], _core.astype(_core.real(u[-1:]), _core.complex128)], 0)
    return u if first is None else _core.concat([first, u], 0)


def fht(a: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Array:
    """Fast Hankel transform ``A(k) = integral a(r) J_mu(k r) k dr`` of a periodic sequence on a logarithmic grid.

    ``a`` is (..., n), real, its points ``dln`` apart in log r; those of the result are as far apart in log k, and
    ``offset`` is the logarithm of the product of the central r and k. ``bias`` is the exponent of a power law taken out
    before. Differentiable in all arguments. Warns where the transform is singular.

    Example
    -------
    >>> r = np.logspace(-3, 3, 64)
    >>> A = sa.fft.fht(r * np.exp(-(r**2) / 2), np.log(r[1] / r[0]), mu=0.0)
    >>> bool(abs(A[32] - r[32] * np.exp(-(r[32] ** 2) / 2)) < 1e-2)
    True
    """
    return _hankel("fht", a, dln, mu, offset, bias)


def ifht(A: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Array:
    """Inverse of `fht`, with the same arguments.

    Example
    -------
    >>> a = sa.asarray([1.0, 2.0, 4.0, 1.0])
    >>> sa.fft.ifht(sa.fft.fht(a, 0.1, 1.5), 0.1, 1.5)
    array([1., 2., 4., 1.])
    """
    return _hankel("ifht", A, dln, mu, offset, bias)


def _hankel(name: str, a: Any, dln: Any, mu: Any, offset: Any, bias: Any) -> Array:
    a = real_input(name, a)
    if a.ndim == 0:
        raise ValueError(f"{name}: the input must have at least one axis, got a 0-d array")
    n = length_of(name, None, a.shape[-1])
    dln, mu, offset, bias = moved((dln, mu, offset, bias), "cpu")
    u = _coefficients(name, n, dln, mu, offset, bias).to(a.device)
    places = (arange(n, dtype=_core.float64, device=a.device) - (n - 1) / 2) * dln
    inverse = name == "ifht"
    unbiased = isinstance(bias, (int, float)) and bias == 0

    def weighted(x: Array, log_weight: Array) -> Array:
        return x if unbiased else x * _core.astype(_core.exp(bias * log_weight), x.dtype)

    x = weighted(a, places + offset) if inverse else weighted(a, -places)
    x = _core.fft("rfft", x, n, -1, 1.0)
    factor = _core.reciprocal(_core.conj(u)) if inverse else u
    x = _core.fft("irfft", x * _core.astype(factor, x.dtype), n, -1, 1.0 / n)[..., ::-1]
    return weighted(x, places) if inverse else weighted(x, -(places + offset))


@on_cpu
def fhtoffset(dln: Any, mu: Any, initial: Any = 0.0, bias: Any = 0.0) -> Array:
    """The offset nearest to ``initial`` at which `fht` has low ringing: its last coefficient is real.

    Example
    -------
    >>> round(float(sa.fft.fhtoffset(0.1, 2.0, 0.5)), 6)
    0.545458
    """
    dln, mu, initial, bias = (asarray(v, dtype=_core.float64) for v in (dln, mu, initial, bias))
    y = pi / (2 * dln)
    reals = [(mu + 1 + q) / 2 for q in (bias, -bias)]
    phases = [_core.imag(_loggamma(v, y)) for v in reals]
    turns = (log(2) - initial) / dln + (phases[0] + phases[1]) / pi
    return initial + (turns - _core.rint(turns)) * dln
