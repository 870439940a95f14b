"""The continuous wavelet transform."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from .. import _core
from .._arguments import decided, inexact, promoted
from .._core import Array
from .._creation import asarray
from .._manipulation import pad, stack
from ._convolution import fftconvolve

__all__ = ["cwt", "morlet2", "ricker"]


def _centred(points: int, like: Array) -> Array:
    return asarray(np.arange(points) - (points - 1) / 2, device=like.device)


def ricker(points: int, a: Any) -> Array:
    """The second derivative of a Gaussian of width ``a``, negated and of unit energy; differentiable in ``a``.

    Example
    -------
    >>> sa.signal.ricker(3, 1.0)
    array([0.        , 0.86732507, 0.        ])
    """
    a = asarray(a, dtype=_core.float64)
    square = _core.square(_centred(points, a) / a)
    return 2 / (_core.sqrt(3 * a) * pi**0.25) * (1 - square) * _core.exp(-square / 2)


def morlet2(M: int, s: Any, w: Any = 5.0) -> Array:
    """A complex wave of ``w`` radians per width under a Gaussian of width ``s``, of unit energy; differentiable in both.

    Its frequency is ``w / (2 pi s)`` per sample.

    Example
    -------
    >>> sa.abs(sa.signal.morlet2(3, 1.0))
    array([0.45558067, 0.75112554, 0.45558067])
    """
    s = asarray(s, dtype=_core.float64)
    x = _centred(M, s) / s
    size = _core.exp(-_core.square(x) / 2) * (pi**-0.25) * _core.rsqrt(s)
    return _core.complex(size * _core.cos(w * x), size * _core.sin(w * x))


def cwt(data: Any, wavelet: Callable[..., Any], widths: Any, **kwargs: Any) -> Array:
    """The correlations (..., widths, n) of a signal (..., n) with the wavelet of each width, centred, beyond the ends 0.

    ``wavelet(points, width, **kwargs)`` is `ricker`, `morlet2` or the like, taken over ten widths. Differentiable in signal,
    widths and further arguments.

    Example
    -------
    >>> sa.signal.cwt(sa.sin(sa.arange(50.0)), sa.signal.ricker, [1.0, 2.0]).shape
    (2, 50)
    """
    x, scales = inexact(data), inexact(widths)
    if x.ndim == 0 or scales.ndim != 1 or x.shape[-1] == 0:
        raise ValueError(
            f"cwt: a signal (..., n) and a vector of widths are required, got {x.shape} and {scales.shape}"
        )
    n = x.shape[-1]
    sizes = decided(_core.astype(_core.minimum(_core.maximum(10 * scales, 1), n), _core.int64), n + 1)
    rows = []
    for k, size in enumerate(sizes):
        w = _core.conj(asarray(wavelet(size, scales[k], **kwargs)))[::-1]
        # All in one length, their middles in one place.
        before = (n - 1) // 2 - (size - 1) // 2
        rows.append(pad(w, (before, n - size - before)))
    table = stack(rows).to(x.device)
    x, table = promoted("cwt", [x, table])
    return fftconvolve(x[..., None, :], _core.reshape(table, (1,) * (x.ndim - 1) + table.shape), "same", axes=-1)
