"""The modified discrete cosine transform of overlapping blocks."""

from __future__ import annotations

from math import sqrt
from typing import Any

from .. import _core
from .._arguments import inexact
from .._core import Array
from .._manipulation import moveaxis
from ._real import dct
from ._transforms import axis_of

__all__ = ["imdct", "mdct"]


def _scale(name: str, n: int, norm: str | None, inverse: bool) -> float:
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"{name}: norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    if norm == "ortho":
        return sqrt(2.0 / n)
    return 2.0 / n if inverse == (norm != "forward") else 1.0


def mdct(x: Any, axis: int = -1, norm: str | None = None) -> Array:
    """Modified discrete cosine transform of blocks of ``2n`` samples: n coefficients, n even.

    ``X_k = sum_j x_j cos(pi/n (j + 1/2 + n/2) (k + 1/2))``. With blocks n samples apart and a window of
    ``w_j**2 + w_{j+n}**2 = 1`` applied before `mdct` and after `imdct`, the sum of the overlapping blocks is the signal
    again; with ``norm="ortho"`` that transform is orthogonal. J. Princen, A. Bradley, Analysis/synthesis filter bank
    design based on time domain aliasing cancellation, IEEE Trans. ASSP 34 (1986).

    Example
    -------
    >>> sa.fft.mdct(sa.ones(4))
    array([-1.84775907, -0.76536686])
    """
    x = inexact(x)
    axis = axis_of("mdct", x, axis)
    x = moveaxis(x, axis, -1)
    if x.shape[-1] % 4 or x.shape[-1] == 0:
        raise ValueError(f"mdct: the block must have a multiple of 4 samples, got {x.shape[-1]}")
    h = x.shape[-1] // 4
    a, b, c, d = (x[..., k * h : (k + 1) * h] for k in range(4))
    folded = _core.concat([-c[..., ::-1] - d, a - b[..., ::-1]], -1)
    y = dct(folded, 4) * (0.5 * _scale("mdct", 2 * h, norm, False))
    return moveaxis(y, -1, axis)


def imdct(x: Any, axis: int = -1, norm: str | None = None) -> Array:
    """The 2n samples, with their aliases, of n coefficients of `mdct`: its transpose times the norm's factor.

    Example
    -------
    >>> sa.fft.imdct(sa.fft.mdct(sa.asarray([1.0, 2.0, 3.0, 4.0])))
    array([-1.,  1.,  7.,  7.])
    """
    x = inexact(x)
    axis = axis_of("imdct", x, axis)
    x = moveaxis(x, axis, -1)
    if x.shape[-1] % 2 or x.shape[-1] == 0:
        raise ValueError(f"imdct: the number of coefficients must be even, got {x.shape[-1]}")
    h = x.shape[-1] // 2
    y = dct(x, 4) * (0.5 * _scale("imdct", 2 * h, norm, True))
    first, second = y[..., :h], y[..., h:]
    blocks = [second, -second[..., ::-1], -first[..., ::-1], -first]
    return moveaxis(_core.concat(blocks, -1), -1, axis)
