"""The chirp z-transform: the z-transform on a spiral, or the spectrum on a part of the frequency axis.

L. Rabiner, R. Schafer, C. Rader, The chirp z-transform algorithm, IEEE Trans. Audio Electroacoustics 17 (1969).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import device_of, inexact
from .._core import Array, DType
from .._creation import arange, asarray
from .._manipulation import moveaxis
from ._helpers import next_fast_len
from ._transforms import axis_of, complex_input

__all__ = ["czt", "czt_points", "zoom_fft"]

Power = Callable[[Array], Array]


def _unit(angle: Array) -> Array:
    return _core.complex(_core.cos(angle), _core.sin(angle))


def _power(w: Any) -> Power:
    """Real powers of a complex number, by polar coordinates so that on the unit circle no error grows."""
    w = asarray(w)
    radius, angle = _core.log(_core.abs(w)), _core.angle(w)
    return lambda e: _core.exp(_core.complex(radius * e, angle * e))


def _root_of_unity(m: int) -> Power:
    """Powers of exp(-2 pi i / m) whose exponents are multiples of 1/2."""
    return lambda e: _unit(_core.remainder(2 * e, 2.0 * m) * (-np.pi / m))


def _chirp(name: str, x: Any, m: int, w: Power, a: Power, axis: int) -> Array:
    """``sum_j x_j a(-j) w(j k)`` for k < m, by j k = (j^2 + k^2 - (k - j)^2) / 2 a convolution."""
    x = complex_input(x)
    axis = axis_of(name, x, axis)
    x = moveaxis(x, axis, -1)
    n = x.shape[-1]
    if n < 1 or m < 1:
        raise ValueError(f"{name}: the numbers of samples and of points must be at least 1, got {n} and {m}")
    k = arange(max(m, n), dtype=_core.float64, device=x.device)
    half = k * k / 2
    chirp, inverse = w(half), w(-half)
    size = next_fast_len(n + m - 1)
    kernel = _core.concat([inverse[1:n][::-1], inverse[:m]], 0)
    y = _core.fft("fft", x * _cast(a(-k[:n]) * chirp[:n], x.dtype), size, -1, 1.0)
    y = y * _cast(_core.fft("fft", kernel, size, -1, 1.0), x.dtype)
    y = _core.fft("ifft", y, size, -1, 1.0 / size)[..., n - 1 : n + m - 1]
    return moveaxis(y * _cast(chirp[:m], x.dtype), -1, axis)


def _cast(x: Array, dtype: DType) -> Array:
    return _core.astype(x, dtype)


def _points(name: str, m: int | None, default: int) -> int:
    m = default if m is None else index(m)
    if m < 1:
        raise ValueError(f"{name}: the number of points must be at least 1, got {m}")
    return m


def czt(x: Any, m: int | None = None, w: Any = None, a: Any = 1 + 0j, *, axis: int = -1) -> Array:
    """The z-transform ``sum_j x_j z_k**-j`` at the points ``z_k = a * w**-k``, k < ``m``, of a spiral.

    ``x`` is (..., n, ...); by default m = n and ``w = exp(-2 pi i / m)``, which is `fft`. Differentiable in ``x``, ``w``
    and ``a``.

    Example
    -------
    >>> sa.round(sa.real(sa.fft.czt(sa.asarray([1.0, 2.0, 3.0]), 2, w=-1.0)), 12)
    array([6., 2.])
    """
    x = asarray(x)
    m = _points("czt", m, x.shape[axis_of("czt", x, axis)])
    return _chirp("czt", x, m, _root_of_unity(m) if w is None else _power(w), _power(a), axis)


def czt_points(m: int, w: Any = None, a: Any = 1 + 0j) -> Array:
    """The points ``a * w**-k`` at which `czt` evaluates the z-transform.

    Example
    -------
    >>> sa.round(sa.real(sa.fft.czt_points(3, 2.0)), 12)
    array([1.  , 0.5 , 0.25])
    """
    m = _points("czt_points", m, 1)
    k = arange(m, dtype=_core.float64, device=device_of(w, a))
    return a * (_root_of_unity(m) if w is None else _power(w))(-k)


def zoom_fft(x: Any, fn: Any, m: int | None = None, *, fs: float = 2, endpoint: bool = False, axis: int = -1) -> Array:
    """The spectrum at ``m`` frequencies from ``fn[0]`` to ``fn[1]``, or from 0 to ``fn``, of samples taken ``fs`` a second.

    ``x`` is (..., n, ...), by default m = n; the last frequency is left out unless ``endpoint``. Differentiable in ``x``
    and ``fn``.

    Example
    -------
    >>> sa.round(sa.abs(sa.fft.zoom_fft(sa.ones(4), [0.0, 0.5], 2)), 6)
    array([4.      , 2.613126])
    """
    x = asarray(x)
    m = _points("zoom_fft", m, x.shape[axis_of("zoom_fft", x, axis)])
    band = inexact(fn)
    if band.shape not in ((), (1,), (2,)):
        raise ValueError(f"zoom_fft: fn must be one frequency or two, got shape {band.shape}")
    band = _core.reshape(band, -1)
    first, last = (band[0], band[1]) if band.size == 2 else (band[0] * 0.0, band[0])
    steps = m - 1 if endpoint else m
    if steps < 1:
        raise ValueError("zoom_fft: endpoint needs at least 2 points, got 1")
    step = (last - first) * (-2 * np.pi / (fs * steps))
    start = first * (2 * np.pi / fs)
    return _chirp("zoom_fft", x, m, lambda e: _unit(step * e), lambda e: _unit(start * e), axis)
