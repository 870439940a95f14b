"""Analytic signals, and changes of the sampling rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from math import gcd
from operator import add, index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import at, inexact, normalize_axes, normalize_axis, promoted
from .._core import Array
from .._creation import arange, asarray
from .._manipulation import moveaxis, pad, stack
from .._statistics import mean, median
from ..fft import fftfreq, fftshift
from ._convolution import convolved
from ._extension import MODES, extended
from ._fir import firwin
from .windows import get_window

__all__ = ["envelope", "hilbert", "hilbert2", "resample", "resample_poly", "upfirdn"]


def _transform(x: Array, n: int, axis: int, inverse: bool = False) -> Array:
    if x.dtype.kind != "c":
        x = _core.astype(x, _core.complex64 if x.dtype == _core.float32 else _core.complex128)
    return _core.fft("ifft" if inverse else "fft", x, n, axis, 1.0 / n if inverse else 1.0)


def _real(name: str, x: Any) -> Array:
    x = inexact(x)
    if x.dtype.kind == "c":
        raise ValueError(f"{name}: the signal must be real, got {x.dtype.name}")
    return x


def _count(name: str, n: int | None, default: int) -> int:
    n = default if n is None else index(n)
    if n < 1:
        raise ValueError(f"{name}: the number of samples must be at least 1, got {n}")
    return n


def _placed(w: np.ndarray, x: Array, axis: int) -> Array:
    """Weights along an axis, in the real dtype of ``x``."""
    w = w.astype(np.float32 if x.dtype.name in ("float32", "complex64") else np.float64)
    return asarray(w.reshape((-1,) + (1,) * (x.ndim - 1 - axis % x.ndim)), device=x.device)


def _one_sided(n: int) -> np.ndarray:
    """Weights that double positive frequencies and drop the negative ones."""
    w = np.zeros(n)
    w[0], w[1 : (n + 1) // 2] = 1, 2
    if n % 2 == 0:
        w[n // 2] = 1
    return w


def hilbert(x: Any, N: int | None = None, axis: int = -1) -> Array:
    """The analytic signal: ``x`` plus i times its Hilbert transform along an axis.

    ``x`` is real, (..., n, ...), cut or padded with zeros to ``N`` samples.

    Example
    -------
    >>> sa.imag(sa.signal.hilbert(sa.asarray([1.0, 0.0, -1.0, 0.0])))
    array([ 0.,  1.,  0., -1.])
    """
    x = _real("hilbert", x)
    axis = normalize_axis("hilbert", axis, x.ndim)
    n = _count("hilbert", N, x.shape[axis])
    return _transform(_transform(x, n, axis) * _placed(_one_sided(n), x, axis), n, axis, True)


def hilbert2(x: Any, N: Any = None, axes: tuple[int, int] = (-2, -1)) -> Array:
    """The analytic signal of a real image: positive frequencies along two axes.

    ``N`` is the number of samples along both axes, or one for each.

    Example
    -------
    >>> sa.signal.hilbert2(sa.ones((2, 2))).shape
    (2, 2)
    """
    x = _real("hilbert2", x)
    chosen = normalize_axes("hilbert2", axes, x.ndim)
    if len(chosen) != 2:
        raise ValueError(f"hilbert2: two axes are required, got {axes}")
    counts = (N, N) if N is None or isinstance(N, int) else tuple(N)
    if len(counts) != 2:
        raise ValueError(f"hilbert2: N must be a number or two, got {N}")
    y = x
    for axis, n in zip(chosen, counts):
        n = _count("hilbert2", n, x.shape[axis])
        # Without the highest frequency of even counts, as in SciPy.
        weights = _one_sided(n) * (2 * np.arange(n) != n)
        y = _transform(y, n, axis) * _placed(weights, x, axis)
    for axis in chosen:
        y = _transform(y, y.shape[axis], axis, True)
    return y


def envelope(
    z: Any,
    bp_in: tuple[int | None, int | None] = (1, None),
    *,
    n_out: int | None = None,
    squared: bool = False,
    residual: str | None = "lowpass",
    axis: int = -1,
) -> Array:
    """The magnitude of the analytic signal of ``z`` in a band of frequencies, and what the band leaves out.

    ``bp_in`` is the band, from its first up to before its last multiple of 1 / duration; None stands for the ends,
    ``-(n // 2)`` and ``(n + 1) // 2``. The result is (2, ...): the envelope and the ``residual``, the part below the band
    ("lowpass") or all of it ("all"), or only the envelope with ``residual=None``; resampled to ``n_out`` samples.

    Example
    -------
    >>> t = sa.arange(8) / 8
    >>> sa.round(sa.signal.envelope(3 * sa.sin(2 * sa.pi * t) + 1), 6)
    array([[3., 3., 3., 3., 3., 3., 3., 3.],
           [1., 1., 1., 1., 1., 1., 1., 1.]])
    """
    z = inexact(z)
    axis = normalize_axis("envelope", axis, z.ndim)
    n = _count("envelope", None, z.shape[axis])
    m = _count("envelope", n_out, n)
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"envelope: residual must be 'lowpass', 'all' or None, got {residual!r}")
    low, high = (limit if b is None else index(b) for b, limit in zip(bp_in, (-(n // 2), (n + 1) // 2)))
    if not -(n // 2) <= low < high <= (n + 1) // 2:
        raise ValueError(f"envelope: the band must lie in [{-(n // 2)}, {(n + 1) // 2}) and not be empty, got {bp_in}")
    z = moveaxis(z, axis, -1)
    is_complex = z.dtype.kind == "c"
    if is_complex:
        spectrum = _transform(z, n, -1)
    else:
        weights = np.where(np.arange(n) <= n // 2, 1.0, 0.0)
        weights[low if low > 0 else 1 : max(high, 0)] = 2.0
        spectrum = _transform(z, n, -1) * _placed(weights, z, -1)
    # Where the band lies on the frequency axis makes no difference to the magnitude.
    base = _transform(spectrum[..., asarray(np.arange(low, high) % n)], m, -1, True) * (m / n)
    parts = _core.square(_core.real(base)) + _core.square(_core.imag(base)) if squared else _core.abs(base)
    if residual is None:
        return moveaxis(parts, -1, axis)
    k = (np.arange(n) + n // 2) % n - n // 2
    keep = (k < low) | ((k >= high) & (residual == "all"))
    rest = spectrum * _placed(keep * 1.0, z, -1)
    if is_complex:
        left = resample(rest, m, axis=-1, domain="freq")
    else:
        left = _real_of(rest[..., : n // 2 + 1], n, m)
    return stack([moveaxis(y, -1, axis) for y in (parts, left)])


def _real_of(half: Array, n: int, m: int) -> Array:
    """The real signal, resampled to m samples, of half the spectrum of n, scaled as a signal."""
    least = min(n, m)
    half = half[..., : least // 2 + 1]
    if least % 2 == 0 and n != m:
        # The bin that has no partner at the lower rate.
        w = np.ones(least // 2 + 1)
        w[-1] = 2.0 if m < n else 0.5
        half = half * _placed(w, half, -1)
    return _core.fft("irfft", half, m, -1, 1.0 / n)


def resample(x: Any, num: int, t: Any = None, axis: int = 0, window: Any = None, domain: str = "time") -> Any:
    """``num`` samples of the periodic signal through the samples of ``x``, by Fourier transforms along an axis.

    ``window`` multiplies the spectrum: a window's name, an array in the order of `fftfreq`, or a function of the frequencies.
    ``domain="freq"`` takes a spectrum for ``x``. With ``t``, the times of the samples, those of the new ones come second.

    Example
    -------
    >>> sa.round(sa.signal.resample(sa.asarray([1.0, 0.0, -1.0, 0.0]), 8), 6)[:3]
    array([1.      , 0.707107, 0.      ])
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"resample: domain must be 'time' or 'freq', got {domain!r}")
    x = inexact(x)
    axis = normalize_axis("resample", axis, x.ndim)
    num = _count("resample", num, 1)
    x = moveaxis(x, axis, -1)
    n = _count("resample", None, x.shape[-1])
    w = _spectral_window(window, n, x.device)
    least = min(n, num)
    half = least // 2 + 1
    if domain == "time" and x.dtype.kind != "c":
        y = _core.fft("rfft", x, n, -1, 1.0)
        if w is not None:
            count = y.shape[-1]
            mirrored = w[(-np.arange(count)) % n]
            y = y * _core.astype((w[:count] + mirrored) / 2, x.dtype)
        y = _real_of(y, n, num)
    else:
        y = _transform(x, n, -1) if domain == "time" else x
        y = y if w is None else y * w
        lower, upper = y[..., :half], y[..., n - (least - half) :]
        middle = y[..., half - 1 : half]
        if least % 2 == 0 and num < n:
            lower = _core.concat([lower[..., :-1], middle + y[..., n - least // 2 : n - least // 2 + 1]], -1)
        elif least % 2 == 0 and num > n:
            lower = _core.concat([lower[..., :-1], middle / 2], -1)
            upper = _core.concat([middle / 2, upper], -1)
        gap = num - lower.shape[-1] - upper.shape[-1]
        y = _core.concat([pad(lower, {-1: (0, gap)}), upper], -1)
        y = _transform(y, num, -1, True) * (num / n)
    y = moveaxis(y, -1, axis)
    if t is None:
        return y
    t = asarray(t)
    return y, t[0] + (t[1] - t[0]) * (n / num) * arange(num, device=t.device)


def _spectral_window(window: Any, n: int, device: str) -> Array | None:
    if window is None:
        return None
    if callable(window):
        return asarray(window(fftfreq(n, device=device)), device=device)
    if isinstance(window, (str, tuple, float, int)):
        return fftshift(get_window(window, n)).to(device)
    w = asarray(window, device=device)
    if w.shape != (n,):
        raise ValueError(f"resample: window must have one value for each of {n} frequencies, got shape {w.shape}")
    return w


def _apart(x: Array, h: Array, before: int, after: int) -> Array:
    """The convolution of ``x``, whose first and last samples may be far larger than the others, along its last axis.

    Transforms spread the rounding of the largest samples over all of them; a sum leaves it where their weights are large.
    """
    n = x.shape[-1]
    parts = []
    for start, stop, direct in ((0, before, h.size), (before, n - after, 16), (n - after, n, h.size)):
        if start < stop:
            parts.append(pad(convolved(x[..., start:stop], h, -1, direct), {-1: (start, n - stop)}))
    return reduce(add, parts)


def upfirdn(
    h: Any, x: Any, up: int = 1, down: int = 1, axis: int = -1, mode: str = "constant", cval: float = 0
) -> Array:
    """``x`` with ``up - 1`` zeros after each sample, convolved with the vector ``h``; every ``down``-th sample is kept.

    ``mode`` says how ``x`` goes on beyond its ends: "constant" (with ``cval``), "edge", "reflect", "symmetric", "wrap",
    "antireflect", "antisymmetric", "line" or "smooth". P. Vaidyanathan, Multirate systems and filter banks,
    Prentice-Hall (1993).

    Example
    -------
    >>> sa.signal.upfirdn([1.0, 1.0], [1.0, 2.0, 3.0], 2)
    array([1., 1., 2., 2., 3., 3.])
    """
    h, x = promoted("upfirdn", [inexact(h), inexact(x)])
    up, down = index(up), index(down)
    if h.ndim != 1 or h.size == 0:
        raise ValueError(f"upfirdn: h must be a vector that is not empty, got shape {h.shape}")
    if up < 1 or down < 1:
        raise ValueError(f"upfirdn: up and down must be at least 1, got {up} and {down}")
    axis = normalize_axis("upfirdn", axis, x.ndim)
    n = _count("upfirdn", None, x.shape[axis])
    x = moveaxis(x, axis, -1)
    total = (n - 1) * up + h.size
    length = -(-total // down)
    # Row p has the taps that meet samples of x at output places p modulo up.
    taps = -(-h.size // up)
    phases = _core.permute_dims(_core.reshape(pad(h, (0, taps * up - h.size)), (taps, up)), (1, 0))
    if mode != "constant" or cval:
        x = extended("upfirdn", x, taps - 1, taps, mode, -1, cval)
        shift = taps - 1
    else:
        shift = 0
    if up == 1 or down == 1:
        # Lines outgrow the signal past its length, tangents anywhere.
        grows = mode == "smooth" or (mode in {"antireflect", "line"} and taps > n)
        convolve = partial(_apart, before=taps - 1, after=taps) if grows else partial(convolved, axis=-1, direct=16)
        rows = [convolve(x, phases[p]) for p in range(up)]
        y = rows[0] if up == 1 else _core.reshape(stack(rows, -1), (*x.shape[:-1], -1))
        y = y[..., shift * up : shift * up + total][..., ::down]
    else:
        padded = pad(x, {-1: (taps - 1, taps)})
        place = np.arange(length) * down
        newest = place // up + shift + taps - 1
        # Blocks, so that the matrix of samples stays small.
        block = max(1, (1 << 20) // taps)
        parts = []
        for start in range(0, length, block):
            rows_at = slice(start, min(start + block, length))
            samples = padded[..., asarray(newest[rows_at, None] - np.arange(taps))]
            parts.append(_core.sum(samples * phases[asarray(place[rows_at] % up)], axis=-1))
        y = parts[0] if len(parts) == 1 else _core.concat(parts, -1)
    return moveaxis(y, -1, axis)


_LEVELS: dict[str, Callable[..., Array]] = {"mean": mean, "median": median, "minimum": _core.min, "maximum": _core.max}


def resample_poly(
    x: Any,
    up: int,
    down: int,
    axis: int = 0,
    window: Any = ("kaiser", 5.0),
    padtype: str = "constant",
    cval: float | None = None,
) -> Array:
    """``x`` at ``up / down`` times its sampling rate, by a filter of linear phase between `upfirdn`'s two steps.

    ``window`` is that of the filter, or its coefficients. ``padtype`` is an extension of `upfirdn`, or "mean", "median",
    "minimum" or "maximum", a level that is taken out before and added again.

    Example
    -------
    >>> sa.signal.resample_poly(sa.ones(10), 3, 2).shape
    (15,)
    """
    x = inexact(x)
    up, down = index(up), index(down)
    if up < 1 or down < 1:
        raise ValueError(f"resample_poly: up and down must be at least 1, got {up} and {down}")
    if padtype not in (*MODES, *_LEVELS):
        raise ValueError(f"resample_poly: padtype must be one of {', '.join((*MODES, *_LEVELS))}, got {padtype!r}")
    if cval is not None and padtype != "constant":
        raise ValueError(f"resample_poly: cval has no meaning for padtype {padtype!r}")
    axis = normalize_axis("resample_poly", axis, x.ndim)
    common = gcd(up, down)
    up, down = up // common, down // common
    if up == down == 1:
        return x[...]
    wanted = -(-x.shape[axis] * up // down)
    if isinstance(window, (str, tuple, float, int)):
        half = 10 * max(up, down)
        h = firwin(2 * half + 1, 1 / max(up, down), window=window).to(x.device)
        h = _core.astype(h, _core.float32) if x.dtype.name in ("float32", "complex64") else h
    else:
        h = inexact(window)
        if h.ndim != 1:
            raise ValueError(f"resample_poly: the filter must be a vector, got shape {h.shape}")
        half = (h.size - 1) // 2
    # Zeros in front put the middle of the filter on a sample that is kept.
    before = down - half % down
    first = (half + before) // down
    needed = (first + wanted - 1) * down + 1 - (x.shape[axis] - 1) * up
    h = pad(h * float(up), (before, max(0, needed - h.size - before)))
    level = _LEVELS[padtype](x, axis=axis, keepdims=True) if padtype in _LEVELS else None
    mode = "constant" if level is not None else padtype
    y = upfirdn(h, x if level is None else x - level, up, down, axis, mode, cval or 0)
    y = y[at(axis, slice(first, first + wanted))]
    return y if level is None else y + level
