"""Fourier transforms, with the names, defaults and norms of `scipy.fft`."""

from __future__ import annotations

import operator
from typing import Any

from .. import _core
from .._core import Array
from .._creation import asarray

__all__ = ["fft", "ifft", "irfft", "rfft"]


def _scale(name: str, n: int, norm: str | None, inverse: bool) -> float:
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"{name}: norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    if norm == "ortho":
        return n**-0.5
    return 1.0 / n if inverse == (norm != "forward") else 1.0


def _transform(name: str, x: Any, n: int | None, axis: int, norm: str | None) -> Array:
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError(f"{name}: the input must have at least one axis, got a 0-d array")
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"{name}: axis must be in [-{x.ndim}, {x.ndim}) for shape {x.shape}, got {axis}")
    if name == "rfft":
        if x.dtype.kind == "c":
            raise TypeError(f"rfft: the input must be real, got {x.dtype.name}")
        x = x if x.dtype.kind == "f" else _core.astype(x, _core.float64)
    elif x.dtype.kind != "c":
        x = _core.astype(x, _core.complex64 if x.dtype == _core.float32 else _core.complex128)
    length = x.shape[axis]
    if n is not None:
        length = operator.index(n)
    elif name == "irfft":
        length = 2 * (length - 1)
    if length < 1:
        raise ValueError(f"{name}: the length must be at least 1, got {length}")
    return _core.fft(name, x, length, axis, _scale(name, length, norm, name in ("ifft", "irfft")))


def fft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Discrete Fourier transform along an axis.

    ``x`` is (..., m, ...), cut or padded with zeros to length ``n``; the result is complex of length ``n``. ``norm`` is
    "backward" (no factor), "ortho" (1/sqrt(n)) or "forward" (1/n).

    Example
    -------
    >>> sa.fft.fft(sa.asarray([1.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _transform("fft", x, n, axis, norm)


def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `fft`.

    Example
    -------
    >>> sa.fft.ifft(sa.asarray([1.0, 1.0]))
    array([1.+0.j, 0.+0.j])
    """
    return _transform("ifft", x, n, axis, norm)


def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """First half of the transform of real input: ``n // 2 + 1`` frequencies along the axis.

    Example
    -------
    >>> sa.fft.rfft(sa.asarray([1.0, 0.0, 0.0])).shape
    (2,)
    """
    return _transform("rfft", x, n, axis, norm)


def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `rfft`: a real signal of length ``n``, by default ``2 * (m - 1)``.

    Example
    -------
    >>> sa.fft.irfft(sa.fft.rfft(sa.asarray([1.0, 2.0, 3.0])), 3)
    array([1., 2., 3.])
    """
    return _transform("irfft", x, n, axis, norm)
