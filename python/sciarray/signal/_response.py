"""Frequency responses of filters."""

from __future__ import annotations

import warnings
from math import pi
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import device_of, inexact, known, on_cpu, promoted
from .._core import Array
from .._creation import asarray, logspace
from .._manipulation import flip, moveaxis
from .._numeric import convolve
from .._polynomials import polyval, roots_of
from ._conversion import sections_of, vector

__all__ = ["findfreqs", "freqs", "freqs_zpk", "freqz", "freqz_sos", "freqz_zpk", "group_delay", "sosfreqz"]


def _is_count(worN: Any) -> bool:
    return isinstance(worN, (int, np.integer)) and not isinstance(worN, bool)


def _grid(name: str, worN: Any, whole: bool, fs: Any, system: Any, include_nyquist: bool = False) -> Array:
    """Angular frequencies per sample, where a system's coefficients are: the given ones, or so many from 0 to half or the whole
    circle.
    """
    device = device_of(worN, system)
    if worN is None:
        worN = 512
    if not _is_count(worN):
        w = inexact(worN).to(device)
        return _core.reshape(w, -1) * (2 * pi / fs) if w.ndim == 0 else w * (2 * pi / fs)
    n = index(worN)
    if n < 0:
        raise ValueError(f"{name}: the number of frequencies must not be negative, got {n}")
    return asarray(np.linspace(0, 2 * pi if whole else pi, n, endpoint=include_nyquist and not whole), device=device)


def _unit(angle: Array) -> Array:
    return _core.complex(_core.cos(angle), _core.sin(angle))


def _evaluated(c: Array, w: Array) -> Array:
    """``sum_j c_j exp(-i j w)`` of the coefficients along the last axis, (..., *w.shape)."""
    flat = _core.reshape(w, -1)
    c = c.to(w.device)
    c = c if c.dtype.kind == "c" else _core.astype(c, _core.complex64 if c.dtype == _core.float32 else _core.complex128)
    places = asarray(np.arange(c.shape[-1], dtype=np.float64)[:, None], device=flat.device)
    y = _core.matmul(c, _unit(-flat * places))
    return _core.reshape(y, (*c.shape[:-1], *w.shape))


def freqz(
    b: Any, a: Any = 1, worN: Any = 512, whole: bool = False, fs: Any = 2 * pi, include_nyquist: bool = False
) -> tuple[Array, Array]:
    """Frequencies and the response of a digital filter b/a there.

    ``b`` and ``a`` are (n,) or (n, ...), coefficients along the first axis; the response is (..., frequencies). ``worN`` is
    a number of frequencies from 0 up to half the sampling frequency ``fs``, or up to ``fs`` with ``whole``, or an array of
    frequencies. Differentiable in ``b``, ``a`` and given frequencies.

    Example
    -------
    >>> w, h = sa.signal.freqz([0.5, 0.5], worN=2, fs=4)
    >>> w, sa.abs(h)
    (array([0., 1.]), array([1.        , 0.70710678]))
    """
    num, den = (_core.reshape(x, -1) if x.ndim == 0 else x for x in (inexact(b), inexact(a)))
    w = _grid("freqz", worN, whole, fs, [num, den], include_nyquist)
    num, den = (moveaxis(c.to(w.device), 0, -1) for c in (num, den))
    n, k = w.size, num.shape[-1]
    if _is_count(worN) and not include_nyquist and k <= n and n > 0:
        # All on the grid of one transform.
        size = n if whole else 2 * n
        y = _core.fft("fft", _core.astype(num, _core.complex128), size, -1, 1.0)[..., :n]
    else:
        y = _evaluated(num, w)
    y = y / (den if den.shape == (1,) else _evaluated(den, w))
    return w * (fs / (2 * pi)), y


def freqz_zpk(z: Any, p: Any, k: Any, worN: Any = 512, whole: bool = False, fs: Any = 2 * pi) -> tuple[Array, Array]:
    """`freqz` of zeros, poles and gain.

    Example
    -------
    >>> w, h = sa.signal.freqz_zpk([-1.0], [], 0.5, worN=2, fs=4)
    >>> sa.abs(h)
    array([1.        , 0.70710678])
    """
    w = _grid("freqz_zpk", worN, whole, fs, [z, p])
    return w * (fs / (2 * pi)), _of_roots("freqz_zpk", z, p, k, _unit(w))


def _of_roots(name: str, z: Any, p: Any, k: Any, at: Array) -> Array:
    top, bottom = (_core.prod(at[..., None] - vector(name, r), axis=-1) for r in (z, p))
    return inexact(k) * top / bottom


def freqz_sos(sos: Any, worN: Any = 512, whole: bool = False, fs: Any = 2 * pi) -> tuple[Array, Array]:
    """`freqz` of second-order sections (n, 6): the product of their responses.

    Example
    -------
    >>> w, h = sa.signal.freqz_sos([[0.5, 0.5, 0.0, 1.0, 0.0, 0.0]], worN=2, fs=4)
    >>> sa.abs(h)
    array([1.        , 0.70710678])
    """
    sos = sections_of("freqz_sos", sos)
    w = _grid("freqz_sos", worN, whole, fs, sos)
    return w * (fs / (2 * pi)), _core.prod(_evaluated(sos[:, :3], w) / _evaluated(sos[:, 3:], w), axis=0)


sosfreqz = freqz_sos


def group_delay(system: Any, w: Any = 512, whole: bool = False, fs: Any = 2 * pi) -> tuple[Array, Array]:
    """Frequencies and the group delay, in samples, of a digital filter (b, a) there: minus the slope of the phase.

    Where the filter has a zero on the unit circle the delay is 0, with a warning. J. O. Smith, Introduction to digital
    filters, "Numerical computation of group delay" (2007).

    Example
    -------
    >>> w, delay = sa.signal.group_delay(([1.0, 2.0, 1.0], [1.0]), 3)
    >>> sa.round(delay, 12)
    array([1., 1., 1.])
    """
    b, a = promoted("group_delay", [vector("group_delay", x) for x in system])
    reverse = _core.conj(flip(a)) if a.dtype.kind == "c" else flip(a)
    c = convolve(b, reverse)
    grid = _grid("group_delay", w, whole, fs, c)
    top = _evaluated(c * asarray(np.arange(c.size), device=c.device), grid)
    bottom = _evaluated(c, grid)
    singular = bottom == 0
    delay = _core.real(top / _core.where(singular, 1.0, bottom)) - (a.size - 1)
    size = known(_core.abs(bottom))
    if size is not None and (size < 10 * np.finfo(np.float64).eps).any():
        warnings.warn("group_delay: the filter has a zero or pole at some of the frequencies, or near", stacklevel=2)
    return grid * (fs / (2 * pi)), _core.where(singular, 0.0, delay)


@on_cpu
def findfreqs(num: Any, den: Any, N: int, kind: str = "ba") -> Array:
    """``N`` frequencies on a logarithmic scale around the poles and zeros of an analog filter, as SciPy chooses them.

    The filter is given by polynomials ("ba") or by zeros and poles ("zp").

    Example
    -------
    >>> sa.signal.findfreqs([1, 0], [1, 8, 25], N=3)
    array([1.e-02, 1.e+00, 1.e+02])
    """
    if kind not in ("ba", "zp"):
        raise ValueError(f"findfreqs: kind must be 'ba' or 'zp', got {kind!r}")
    zeros, poles = (vector("findfreqs", x).detach() for x in (num, den))
    if kind == "ba":
        zeros, poles = roots_of(zeros), roots_of(poles)
    poles = poles if poles.size else asarray([-1000.0])
    r = _core.concat([_core.astype(x, _core.complex128) for x in (poles, zeros)], 0)
    near = _core.logical_or(asarray(np.arange(r.size) < poles.size), _core.abs(r) < 1e5)
    heeded = _core.logical_and(near, _core.imag(r) >= 0)
    # Roots at 0 stand for frequency 1.
    shifted = _core.abs(_core.real(r) + _core.where(_core.abs(r) < 1e-10, 1.0, 0.0))
    most = _core.max(_core.where(heeded, 3 * shifted + 1.5 * _core.imag(r), 0.0))
    least = _core.min(_core.where(heeded, shifted + 2 * _core.imag(r), np.inf))
    low, high = (int(_core.rint(d)) for d in (_core.log10(0.1 * least) - 0.5, _core.log10(most) + 0.5))
    return logspace(low, high, index(N))


def _analog_grid(worN: Any, num: Any, den: Any, kind: str) -> Array:
    if worN is None or _is_count(worN):
        return findfreqs(num, den, 200 if worN is None else worN, kind)
    w = inexact(worN).to(device_of(worN, num, den))
    return _core.reshape(w, -1) if w.ndim == 0 else w


def freqs(b: Any, a: Any, worN: Any = 200) -> tuple[Array, Array]:
    """Angular frequencies and the response of an analog filter b/a there; ``worN`` is their number or the frequencies.

    Differentiable in ``b``, ``a`` and given frequencies.

    Example
    -------
    >>> w, h = sa.signal.freqs([1.0], [1.0, 1.0], [0.0, 1.0])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    w = _analog_grid(worN, b, a, "ba")
    s = _core.complex(0.0 * w, w)
    return w, polyval(vector("freqs", b), s) / polyval(vector("freqs", a), s)


def freqs_zpk(z: Any, p: Any, k: Any, worN: Any = 200) -> tuple[Array, Array]:
    """`freqs` of zeros, poles and gain.

    Example
    -------
    >>> w, h = sa.signal.freqs_zpk([], [-1.0], 1.0, [0.0, 1.0])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    w = _analog_grid(worN, z, p, "zp")
    return w, _of_roots("freqs_zpk", z, p, k, _core.complex(0.0 * w, w))
