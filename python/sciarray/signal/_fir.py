"""Design of filters with finite impulse response."""

from __future__ import annotations

from math import ceil, log2, pi
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import known, on_cpu
from .._core import Array
from .._creation import asarray
from .._linear import matvec
from .._manipulation import pad
from .windows import get_window

__all__ = ["firls", "firwin", "firwin2", "kaiser_atten", "kaiser_beta", "kaiserord", "minimum_phase"]


def kaiser_beta(a: Any) -> Any:
    """The beta of a Kaiser window for an attenuation of ``a`` dB, by Kaiser's formula.

    Example
    -------
    >>> round(sa.signal.kaiser_beta(65.0), 6)
    6.20426
    """
    if not isinstance(a, (int, float)):
        a = asarray(a, dtype=_core.float64)
        above = _core.maximum(a - 21, 1e-300)
        middle = _core.where(a > 21, 0.5842 * above**0.4 + 0.07886 * above, 0.0)
        return _core.where(a > 50, 0.1102 * (a - 8.7), middle)
    if a > 50:
        return 0.1102 * (a - 8.7)
    return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0


def kaiser_atten(numtaps: int, width: Any) -> Any:
    """The attenuation in dB of a Kaiser-window filter with a transition of ``width``, a fraction of the Nyquist frequency.

    Example
    -------
    >>> round(sa.signal.kaiser_atten(211, 0.0375), 4)
    64.481
    """
    return 2.285 * (numtaps - 1) * pi * width + 7.95


def kaiserord(ripple: float, width: float) -> tuple[int, float]:
    """The number of taps and the Kaiser beta for a ripple in dB and a transition width, a fraction of the Nyquist frequency.

    Example
    -------
    >>> numtaps, beta = sa.signal.kaiserord(65.0, 0.0375)
    >>> numtaps
    213
    """
    attenuation = abs(ripple)
    if attenuation < 8:
        raise ValueError(f"kaiserord: the ripple must be at least 8 dB, got {attenuation}")
    return ceil((attenuation - 7.95) / 2.285 / (pi * width) + 1), kaiser_beta(attenuation)


@on_cpu
def firwin(
    numtaps: int,
    cutoff: Any,
    *,
    width: Any = None,
    window: Any = "hamming",
    pass_zero: bool | str = True,
    scale: bool = True,
    fs: float | None = None,
) -> Array:
    """The taps of a filter made of ideal bands, cut by a window.

    ``cutoff`` is one frequency or several in rising order, between 0 and fs/2, which is 1 unless ``fs`` is given.
    ``pass_zero`` is whether frequency 0 passes, or "lowpass", "highpass", "bandpass" or "bandstop". ``width`` takes a
    Kaiser window of that transition. With ``scale`` the gain in the middle of the first band, or at the end if it reaches
    there, is exactly 1. Differentiable in ``cutoff``, ``width`` and the window's parameters.

    Example
    -------
    >>> sa.signal.firwin(3, 0.5)
    array([0.0462215, 0.907557 , 0.0462215])
    """
    numtaps = index(numtaps)
    nyquist = 1.0 if fs is None else fs / 2
    edges = _core.reshape(asarray(cutoff, dtype=_core.float64), -1) / nyquist
    if edges.size == 0 or asarray(cutoff).ndim > 1:
        raise ValueError(f"firwin: cutoff must be a frequency or a vector of them, got shape {asarray(cutoff).shape}")
    values = known(edges)
    if values is not None:
        if values.min() <= 0 or values.max() >= 1:
            raise ValueError(f"firwin: cutoff must lie between 0 and fs / 2 = {nyquist:g}, got {values * nyquist}")
        if np.any(np.diff(values) <= 0):
            raise ValueError(f"firwin: cutoff must be strictly rising, got {values * nyquist}")
    if width is not None:
        window = ("kaiser", kaiser_beta(kaiser_atten(numtaps, asarray(width, dtype=_core.float64) / nyquist)))
    if isinstance(pass_zero, str):
        bands = {"lowpass": (1, True), "highpass": (1, False), "bandpass": (2, False), "bandstop": (2, True)}
        if pass_zero not in bands:
            raise ValueError(f"firwin: pass_zero must be a bool or one of {', '.join(bands)}, got {pass_zero!r}")
        least, zero = bands[pass_zero]
        if (edges.size != 1) if least == 1 else (edges.size < 2):
            raise ValueError(
                f"firwin: {pass_zero} needs {'one cutoff' if least == 1 else 'two or more'}, got {edges.size}"
            )
        pass_zero = zero
    pass_end = (edges.size % 2 == 1) != bool(pass_zero)
    if pass_end and numtaps % 2 == 0:
        raise ValueError(f"firwin: a filter that passes fs / 2 needs an odd number of taps, got {numtaps}")
    ends = ([asarray([0.0])] if pass_zero else []) + [edges] + ([asarray([1.0])] if pass_end else [])
    bands_of = _core.reshape(_core.concat(ends, 0), (-1, 2))
    m = asarray(np.arange(numtaps) - (numtaps - 1) / 2)
    left, right = bands_of[:, :1], bands_of[:, 1:]
    h = _core.sum(right * _core.sinc(right * m) - left * _core.sinc(left * m), axis=0)
    h = h * get_window(window, numtaps, fftbins=False)
    if not scale:
        return h
    if pass_zero:
        return h / _core.sum(h)
    middle = asarray(1.0) if pass_end and bands_of.shape[0] == 1 else (left[0, 0] + right[0, 0]) / 2
    return h / _core.sum(h * _core.cos(pi * m * middle))


@on_cpu
def firwin2(
    numtaps: int,
    freq: Any,
    gain: Any,
    *,
    nfreqs: int | None = None,
    window: Any = "hamming",
    antisymmetric: bool = False,
    fs: float | None = None,
) -> Array:
    """The taps of a linear-phase filter whose gain interpolates ``gain`` at the frequencies ``freq``, cut by a window.

    ``freq`` rises from 0 to fs/2, which is 1 unless ``fs`` is given; twice the same frequency makes a step. ``nfreqs`` is
    the number of points of the interpolation. Differentiable in ``freq`` and ``gain``.

    Example
    -------
    >>> h = sa.signal.firwin2(51, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0])
    >>> round(float(h.sum()), 4)
    1.0001
    """
    numtaps = index(numtaps)
    nyquist = 1.0 if fs is None else fs / 2
    f = asarray(freq, dtype=_core.float64)
    gains = asarray(gain, dtype=_core.float64)
    if f.ndim != 1 or f.shape != gains.shape:
        raise ValueError(
            f"firwin2: freq and gain must be vectors of one length, got shapes {f.shape} and {gains.shape}"
        )
    if nfreqs is None:
        nfreqs = 1 + 2 ** ceil(log2(numtaps))
    elif numtaps >= nfreqs:
        raise ValueError(f"firwin2: nfreqs must be greater than numtaps, got {nfreqs} and {numtaps}")
    places = known(f)
    if places is not None:
        steps = np.diff(places)
        if f.size < 2 or places[0] != 0 or places[-1] != nyquist:
            raise ValueError(f"firwin2: freq must run from 0 to fs / 2 = {nyquist:g}, got {places}")
        if (steps < 0).any() or (steps[1:] + steps[:-1] == 0).any() or steps[0] == 0 or steps[-1] == 0:
            raise ValueError(f"firwin2: freq must rise, each value at most twice and the ends once, got {places}")
    kind = (3 if antisymmetric else 1) + (numtaps % 2 == 0)
    values = known(gains)
    for at, kinds in ((0, (3, 4)), (-1, (2, 3))):
        if values is not None and kind in kinds and values[at] != 0:
            place = "0" if at == 0 else "fs / 2"
            raise ValueError(f"firwin2: {numtaps} taps of this symmetry need gain 0 at {place}, got {values[at]}")
    same = pad(_core.where(f[1:] == f[:-1], np.finfo(np.float64).eps * nyquist, 0.0), 1)
    f = f + (same[:-1] - same[1:])
    places = known(f)
    if places is not None and (np.diff(places) <= 0).any():
        raise ValueError(f"firwin2: frequencies beside a repeated one are too close to it, got {places}")
    x = asarray(np.linspace(0.0, nyquist, nfreqs))
    right = _core.minimum(_core.maximum(_core.searchsorted(f.detach(), x, "right"), 1), f.size - 1)
    part = (x - f[right - 1]) / (f[right] - f[right - 1])
    line = gains[right - 1] * (1 - part) + gains[right] * part
    shift = np.exp(-1j * pi * (numtaps - 1) / 2 * np.linspace(0.0, 1.0, nfreqs)) * (1j if antisymmetric else 1)
    size = 2 * (nfreqs - 1)
    h = _core.fft("irfft", line * shift, size, -1, 1 / size)[:numtaps]
    h = h * get_window(window, numtaps, fftbins=False)
    return h * asarray((np.arange(numtaps) != numtaps // 2) * 1.0) if kind == 3 else h


@on_cpu
def firls(numtaps: int, bands: Any, desired: Any, *, weight: Any = None, fs: float | None = None) -> Array:
    """The taps, an odd number, of the linear-phase filter with the least squared error in bands of frequencies.

    ``bands`` and ``desired`` are (2k,) or (k, 2): edges and the gain at each, linear between; ``weight`` is (k,). The
    Nyquist frequency is 1 unless ``fs`` is given. Differentiable in all three. I. Selesnick, Linear-phase
    FIR filter design by least squares, OpenStax CNX (2005).

    Example
    -------
    >>> h = sa.signal.firls(5, [0.0, 0.2, 0.5, 1.0], [1.0, 1.0, 0.0, 0.0])
    >>> h.shape
    (5,)
    """
    numtaps = index(numtaps)
    if numtaps < 1 or numtaps % 2 == 0:
        raise ValueError(f"firls: numtaps must be odd and at least 1, got {numtaps}")
    nyquist = 1.0 if fs is None else fs / 2
    edges = _core.reshape(asarray(bands, dtype=_core.float64), -1) / nyquist
    gains = _core.reshape(asarray(desired, dtype=_core.float64), -1)
    if edges.size % 2 or edges.shape != gains.shape:
        raise ValueError(
            f"firls: bands and desired must have pairs of one number, got {edges.size} and {gains.size} values"
        )
    at = known(edges)
    if at is not None:
        steps = np.diff(at)
        if (at < 0).any() or (at > 1).any() or (steps[::2] <= 0).any() or (steps[1::2] < 0).any():
            raise ValueError(f"firls: bands must rise between 0 and fs / 2 = {nyquist:g}, got {at * nyquist}")
    count = edges.size // 2
    weights = asarray(np.ones(count)) if weight is None else asarray(weight, dtype=_core.float64)
    if weights.shape != (count,):
        raise ValueError(f"firls: weight must have one value per band, got shape {weights.shape} for {count} bands")
    low, high = edges[::2], edges[1::2]
    half = numtaps // 2
    n = asarray(np.arange(float(numtaps)))[:, None]
    # Integrals over each band of cos(pi n f), and of f cos(pi n f) up to a factor of the former.
    moments = high * _core.sinc(n * high) - low * _core.sinc(n * low)
    q = matvec(moments, weights)
    rows, columns = np.arange(half + 1)[:, None], np.arange(half + 1)
    Q = q[np.abs(rows - columns)] + q[rows + columns]
    slopes = (gains[1::2] - gains[::2]) / (high - low)
    offsets = gains[::2] - slopes * low
    k = n[: half + 1]
    safe = _core.where(k == 0, 1.0, k) * pi
    linear = [
        _core.where(k == 0, e**2 / 2, e**2 * _core.sinc(k * e) + _core.cos(k * pi * e) / safe**2) for e in (high, low)
    ]
    b = matvec(moments[: half + 1], offsets * weights) + matvec(linear[0] - linear[1], slopes * weights)
    a = _core.solve(Q, b[:, None])[:, 0]
    return _core.concat([a[1:][::-1], 2 * a[:1], a[1:]], 0)


def minimum_phase(h: Any, method: str = "homomorphic", n_fft: int | None = None, *, half: bool = True) -> Array:
    """The minimum-phase filter of a linear-phase one: of half its length and the root of its gain, or with its gain.

    ``method`` is "homomorphic" or, for filters with equal ripples, "hilbert", which supports only ``half``. A. Oppenheim,
    R. Schafer, Discrete-time signal processing, 3rd ed. (2009), section 13; N. Damera-Venkata, B. Evans, Optimal design of
    real and complex minimum phase digital FIR filters, ICASSP (1999).

    Example
    -------
    >>> h = sa.signal.minimum_phase(sa.signal.firwin(7, 0.5))
    >>> h.shape
    (4,)
    """
    h = asarray(h)
    if h.dtype.kind == "c" or h.ndim != 1 or h.size <= 2:
        raise ValueError(
            f"minimum_phase: h must be real and have at least 3 taps, got {h.dtype.name} of shape {h.shape}"
        )
    if method not in ("homomorphic", "hilbert"):
        raise ValueError(f"minimum_phase: method must be 'homomorphic' or 'hilbert', got {method!r}")
    if method == "hilbert" and not half:
        raise ValueError("minimum_phase: half=False needs method 'homomorphic'")
    n = 2 ** ceil(log2(2 * (h.size - 1) / 0.01)) if n_fft is None else index(n_fft)
    if n < h.size:
        raise ValueError(f"minimum_phase: n_fft must be at least the number of taps {h.size}, got {n}")
    y = _core.fft("fft", _core.astype(h, _core.complex128), n, -1, 1.0)
    if method == "hilbert":
        y = _core.real(y * asarray(np.exp(2j * pi / n * (h.size // 2) * np.arange(n)), device=h.device))
        over, under = _core.max(y) - 1, -_core.min(y)
        level = 4 / _core.square(_core.sqrt(1 + over + under) + _core.sqrt(1 - over + under))
        # Rounding must not make the minimum, which is 0, negative; there the root has no slope.
        square = _core.maximum((y + under) * level, 0.0)
        size = _core.where(square > 0, _core.sqrt(_core.where(square > 0, square, 1.0)), 0.0) + 1e-10
    else:
        size = _core.abs(y)
        positive = _core.where(size > 0, size, np.inf)
        size = size + 1e-7 * _core.min(positive)
    logs = _core.log(size) * (0.5 if half and method == "homomorphic" else 1.0)
    cepstrum = _core.real(_core.fft("ifft", _core.astype(logs, _core.complex128), n, -1, 1 / n))
    fold = np.zeros(n)
    fold[0], fold[1 : n // 2] = 1, 2
    if n % 2 or method == "hilbert":
        fold[n // 2] = 1
    spectrum = _core.exp(
        _core.fft("fft", _core.astype(cepstrum * asarray(fold, device=h.device), _core.complex128), n, -1, 1.0)
    )
    taps = _core.real(_core.fft("ifft", spectrum, n, -1, 1 / n))
    return taps[: h.size // 2 + h.size % 2 if half else h.size]
