"""Transforms along one axis."""

from __future__ import annotations

from operator import index
from typing import Any

from .. import _core
from .._arguments import inexact, normalize_axis
from .._core import Array
from .._creation import asarray

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def scale_of(name: str, n: int, norm: str | None, inverse: bool) -> float:
    """The factor of a transform of ``n`` points."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"{name}: norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    if norm == "ortho":
        return n**-0.5
    return 1.0 / n if inverse == (norm != "forward") else 1.0


def real_input(name: str, x: Any) -> Array:
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: the input must be real, got {x.dtype.name}")
    return x if x.dtype.kind == "f" else _core.astype(x, _core.float64)


def complex_input(x: Any) -> Array:
    x = asarray(x)
    if x.dtype.kind == "c":
        return x
    return _core.astype(x, _core.complex64 if x.dtype == _core.float32 else _core.complex128)


def axis_of(name: str, x: Array, axis: int) -> int:
    if x.ndim == 0:
        raise ValueError(f"{name}: the input must have at least one axis, got a 0-d array")
    if not -x.ndim <= axis < x.ndim:
        normalize_axis(name, axis, x.ndim)
    return axis


def length_of(name: str, n: int | None, default: int) -> int:
    length = default if n is None else index(n)
    if length < 1:
        raise ValueError(f"{name}: the length must be at least 1, got {length}")
    return length


def fft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Discrete Fourier transform along an axis.

    ``x`` is (..., m, ...), cut or padded with zeros to length ``n``; the result is complex of length ``n``. ``norm`` is
    "backward" (no factor), "ortho" (1/sqrt(n)) or "forward" (1/n). Single precision stays single.

    Example
    -------
    >>> sa.fft.fft(sa.asarray([1.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.-0.j])
    """
    x = inexact(x)
    axis = axis_of("fft", x, axis)
    n = length_of("fft", n, x.shape[axis])
    return _core.fft("fft", x, n, axis, scale_of("fft", n, norm, False))


def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `fft`.

    Example
    -------
    >>> sa.fft.ifft(sa.asarray([1.0, 1.0]))
    array([1.+0.j, 0.+0.j])
    """
    x = inexact(x)
    axis = axis_of("ifft", x, axis)
    n = length_of("ifft", n, x.shape[axis])
    return _core.fft("ifft", x, n, axis, scale_of("ifft", n, norm, True))


def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """First half of the transform of real input: ``n // 2 + 1`` frequencies along the axis.

    Raises TypeError for complex input.

    Example
    -------
    >>> sa.fft.rfft(sa.asarray([1.0, 0.0, 0.0])).shape
    (2,)
    """
    x = real_input("rfft", x)
    axis = axis_of("rfft", x, axis)
    n = length_of("rfft", n, x.shape[axis])
    return _core.fft("rfft", x, n, axis, scale_of("rfft", n, norm, False))


def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `rfft`: a real signal of length ``n``, by default ``2 * (m - 1)``.

    The imaginary parts at frequency 0 and, for even ``n``, at ``n / 2`` do not count.

    Example
    -------
    >>> sa.fft.irfft(sa.fft.rfft(sa.asarray([1.0, 2.0, 3.0])), 3)
    array([1., 2., 3.])
    """
    x = complex_input(x)
    axis = axis_of("irfft", x, axis)
    n = length_of("irfft", n, 2 * (x.shape[axis] - 1))
    return _core.fft("irfft", x, n, axis, scale_of("irfft", n, norm, True))


def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The real transform of a signal that is Hermitian in time, of which ``x`` is the half from time 0.

    The result has length ``n``, by default ``2 * (m - 1)``.

    Example
    -------
    >>> sa.fft.hfft(sa.asarray([1.0, 1j, 0.0]))
    array([ 1.,  3.,  1., -1.])
    """
    x = complex_input(x)
    axis = axis_of("hfft", x, axis)
    n = length_of("hfft", n, 2 * (x.shape[axis] - 1))
    return _core.fft("irfft", _core.conj(x), n, axis, scale_of("hfft", n, norm, False))


def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `hfft`: the half from time 0 of the Hermitian signal whose transform is real.

    Example
    -------
    >>> sa.fft.ihfft(sa.asarray([1.0, 3.0, 1.0, -1.0]))
    array([1.-0.j, 0.+1.j, 0.-0.j])
    """
    x = real_input("ihfft", x)
    axis = axis_of("ihfft", x, axis)
    n = length_of("ihfft", n, x.shape[axis])
    return _core.conj(_core.fft("rfft", x, n, axis, scale_of("ihfft", n, norm, True)))
