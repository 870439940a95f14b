"""Spectra estimated from segments of a signal, with the conventions of `scipy.signal`.

P. Welch, The use of the fast Fourier transform for the estimation of power spectra, IEEE Trans. Audio
Electroacoustics 15 (1967).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from operator import index
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._arguments import at, inexact, known, normalize_axis, promoted, read
from .._core import Array
from .._creation import asarray, ones, zeros
from .._manipulation import broadcast_shapes, moveaxis, pad
from .._numeric import unwrap
from .._statistics import mean, median
from ..fft import fftfreq, rfftfreq
from ._extension import extended
from ._frames import frames, overlap_add
from ._smoothing import detrend as _detrend
from .windows import get_window

__all__ = [
    "check_COLA",
    "check_NOLA",
    "coherence",
    "csd",
    "goertzel",
    "istft",
    "lombscargle",
    "periodogram",
    "spectrogram",
    "stft",
    "welch",
]


class _Segments(NamedTuple):
    """How a signal is cut: the window, its length, the step, and the length of the transform."""

    window: Array
    size: int
    step: int
    nfft: int


def _segments(
    name: str, window: Any, nperseg: int | None, noverlap: int | None, nfft: int | None, n: int | None, single: bool
) -> _Segments:
    if nperseg is not None and index(nperseg) < 1:
        raise ValueError(f"{name}: nperseg must be at least 1, got {nperseg}")
    if isinstance(window, (str, tuple, int, float)):
        size = 256 if nperseg is None else index(nperseg)
        if n is not None and size > n:
            if nperseg is not None:
                warnings.warn(f"{name}: nperseg = {size} is greater than the signal's {n} samples", stacklevel=3)
            size = n
        w = get_window(window, size)
    else:
        w = inexact(window)
        if w.ndim != 1 or (n is not None and w.size > n):
            raise ValueError(f"{name}: the window must be a vector not longer than the signal, got shape {w.shape}")
        size = w.size
        if nperseg is not None and index(nperseg) != size:
            raise ValueError(f"{name}: nperseg must be the length {size} of the window, got {nperseg}")
    nfft = size if nfft is None else index(nfft)
    if nfft < size:
        raise ValueError(f"{name}: nfft must be at least nperseg = {size}, got {nfft}")
    overlap = size // 2 if noverlap is None else index(noverlap)
    if not 0 <= overlap < size:
        raise ValueError(f"{name}: noverlap must be less than nperseg = {size}, got {noverlap}")
    if single:
        w = _core.astype(w, _core.complex64 if w.dtype.kind == "c" else _core.float32)
    return _Segments(w, size, size - overlap, nfft)


def _trend(name: str, kind: Any, axis: int, ndim: int) -> Callable[[Array], Array]:
    """What is taken out of each segment, along its last axis."""
    if not kind:
        return lambda x: x
    if callable(kind):
        # A given function sees the samples where the signal has them.
        place = axis if axis == ndim - 1 else axis - ndim
        return lambda x: moveaxis(kind(moveaxis(x, -1, place)), place, -1)
    return lambda x: _detrend(x, type=kind, axis=-1)


def _spectra(x: Array, s: _Segments, trend: Callable[[Array], Array], onesided: bool) -> Array:
    """Transforms (..., segments, frequencies) of the windowed segments."""
    y = trend(frames(x, s.size, s.step)) * s.window.to(x.device)
    if onesided:
        return _core.fft("rfft", y, s.nfft, -1, 1.0)
    if y.dtype.kind != "c":
        y = _core.astype(y, _core.complex64 if y.dtype == _core.float32 else _core.complex128)
    return _core.fft("fft", y, s.nfft, -1, 1.0)


def _one_side(name: str, wanted: bool, *xs: Array) -> bool:
    if wanted and any(x.dtype.kind == "c" for x in xs):
        warnings.warn(f"{name}: complex signals have two-sided spectra", stacklevel=3)
        return False
    return wanted


def _scale(name: str, scaling: str, fs: Any, w: Array) -> Array:
    """The factor of products of two transforms."""
    if scaling == "density":
        return 1 / (fs * _core.sum(_core.real(w * _core.conj(w)) if w.dtype.kind == "c" else w * w))
    if scaling == "spectrum":
        return 1 / _core.square(_core.sum(w))
    raise ValueError(f"{name}: scaling must be 'density' or 'spectrum', got {scaling!r}")


def _real_scale(scale: Array, like: Array) -> Array:
    single = like.dtype.name in ("float32", "complex64")
    return _core.astype(scale, _core.float32 if single else _core.float64).to(like.device)


def _pairs(nfft: int) -> np.ndarray:
    """Weights of one-sided spectra: frequencies that stand for two count twice."""
    w = np.full(nfft // 2 + 1, 2.0)
    w[0] = 1.0
    if nfft % 2 == 0:
        w[-1] = 1.0
    return w


def _frequencies(nfft: int, fs: Any, onesided: bool, device: str) -> Array:
    return (rfftfreq if onesided else fftfreq)(nfft, 1 / fs, device=device)


def _times(places: np.ndarray, fs: Any, device: str) -> Array:
    return asarray(places, device=device) / fs


def _is_single(*xs: Array) -> bool:
    return all(x.dtype.name in ("float32", "complex64") for x in xs)


def _empty(x: Array) -> tuple[Array, Array]:
    return zeros(x.shape, device=x.device), zeros(x.shape, device=x.device)


def _power(
    name: str,
    x: Any,
    y: Any,
    fs: Any,
    window: Any,
    nperseg: int | None,
    noverlap: int | None,
    nfft: int | None,
    detrend: Any,
    onesided: bool,
    scaling: str,
    axis: int,
) -> tuple[Array, Array, Array]:
    """Frequencies, times, and products conj(X) Y, (..., frequencies, ..., segments)."""
    same = y is x
    x = inexact(x)
    y = x if same else inexact(y)
    if not same:
        x, y = promoted(name, [x, y])
    axis = normalize_axis(name, axis, x.ndim)
    ndim = x.ndim
    x = moveaxis(x, axis, -1)
    y = x if same else moveaxis(y, normalize_axis(name, axis - ndim, y.ndim), -1)
    if not same:
        broadcast_shapes(x.shape[:-1], y.shape[:-1])
        n = max(x.shape[-1], y.shape[-1])
        x, y = (pad(v, {-1: (0, n - v.shape[-1])}) for v in (x, y))
    n = x.shape[-1]
    s = _segments(name, window, nperseg, noverlap, nfft, n, _is_single(x, y))
    onesided = _one_side(name, onesided, x, y)
    trend = _trend(name, detrend, axis, ndim)
    scale = _scale(name, scaling, fs, s.window)
    first = _spectra(x, s, trend, onesided)
    if same:
        product = _core.square(_core.real(first)) + _core.square(_core.imag(first))
    else:
        product = _core.conj(first) * _spectra(y, s, trend, onesided)
    weights = _real_scale(scale, first)
    if onesided:
        weights = weights * asarray(_pairs(s.nfft), dtype=weights.dtype, device=x.device)
    # Segments last, frequencies where the samples were.
    product = moveaxis(product * weights, -1, axis)
    times = np.arange(s.size / 2, n - s.size / 2 + 1, s.step)
    return _frequencies(s.nfft, fs, onesided, x.device), _times(times, fs, x.device), product


def _median_bias(n: int) -> float:
    """The expected median of n periodograms over their mean; B. Allen et al., Phys. Rev. D 85 (2012), appendix B."""
    k = 2.0 * np.arange(1, (n - 1) // 2 + 1)
    return 1 + float(np.sum(1 / (k + 1) - 1 / k))


def _averaged(name: str, products: Array, average: str) -> Array:
    if average not in ("mean", "median"):
        raise ValueError(f"{name}: average must be 'mean' or 'median', got {average!r}")
    if products.shape[-1] == 1:
        return products[..., 0]
    if average == "mean":
        return mean(products, axis=-1)
    bias = _median_bias(products.shape[-1])
    if products.dtype.kind == "c":
        return _core.complex(median(_core.real(products), axis=-1), median(_core.imag(products), axis=-1)) / bias
    return median(products, axis=-1) / bias


def csd(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Frequencies and the cross spectral density ``conj(X) Y`` by Welch's method: the average over overlapping segments.

    Arguments as in `welch`; the shorter signal is padded with zeros.

    Example
    -------
    >>> x = sa.sin(sa.arange(1000.0))
    >>> f, p = sa.signal.csd(x, x, nperseg=100)
    >>> p.shape
    (51,)
    """
    if 0 in (asarray(x).size, asarray(y).size):
        return _empty(asarray(x))
    f, _, p = _power("csd", x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis)
    p = _averaged("csd", p, average)
    return f, p if p.dtype.kind == "c" or y is x else _core.astype(p, _core.complex128)


def welch(
    x: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Frequencies and the power spectrum by Welch's method: the average over overlapping segments.

    ``x`` is (..., n, ...), sampled ``fs`` times a second, cut into segments of ``nperseg`` samples (256), of which
    ``noverlap`` (half) are shared with the next, less their trend (`detrend`'s types, a function, or False), times the
    ``window``, and padded with zeros to ``nfft``. ``scaling`` is "density" (V^2/Hz) or "spectrum" (V^2); ``average`` "mean" or
    "median". Real signals have one-sided spectra unless ``return_onesided`` is False. Differentiable in ``x``, in a window
    given as an array, and in ``fs``.

    Example
    -------
    >>> f, p = sa.signal.welch(sa.sin(sa.arange(1000.0)), nperseg=100)
    >>> float(f[sa.argmax(p)])
    0.16
    """
    if asarray(x).size == 0:
        return _empty(asarray(x))
    x = inexact(x)
    f, _, p = _power("welch", x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis)
    return f, _averaged("welch", p, average)


def periodogram(
    x: Any,
    fs: Any = 1.0,
    window: Any = "boxcar",
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
) -> tuple[Array, Array]:
    """Frequencies and the power spectrum of the signal as one segment, cut or padded with zeros to ``nfft``.

    Arguments as in `welch`.

    Example
    -------
    >>> f, p = sa.signal.periodogram(sa.cos(sa.arange(8) * (sa.pi / 2)), scaling="spectrum")
    >>> sa.round(p, 6)
    array([0. , 0. , 0.5, 0. , 0. ])
    """
    x = inexact(x)
    if x.size == 0:
        return _empty(x)
    axis = normalize_axis("periodogram", axis, x.ndim)
    n = x.shape[axis]
    nfft = n if nfft is None else index(nfft)
    if nfft < n:
        x = x[at(axis, slice(nfft))]
        n = nfft
    f, _, p = _power("periodogram", x, x, fs, window, n, 0, nfft, detrend, return_onesided, scaling, axis)
    return f, _averaged("periodogram", p, "mean")


def coherence(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    axis: int = -1,
) -> tuple[Array, Array]:
    """Frequencies and the squared magnitude of the cross spectrum of two signals over the product of their spectra.

    Arguments as in `welch`.

    Example
    -------
    >>> x = sa.sin(sa.arange(1000.0) ** 2)
    >>> f, c = sa.signal.coherence(x, 2 * x, nperseg=100)
    >>> sa.allclose(c, 1.0)
    True
    """
    arguments = {
        "fs": fs,
        "window": window,
        "nperseg": nperseg,
        "noverlap": noverlap,
        "nfft": nfft,
        "detrend": detrend,
        "axis": axis,
    }
    f, pxx = welch(x, **arguments)
    pyy = welch(y, **arguments)[1]
    pxy = csd(x, y, **arguments)[1]
    return f, (_core.square(_core.real(pxy)) + _core.square(_core.imag(pxy))) / pxx / pyy


def spectrogram(
    x: Any,
    fs: Any = 1.0,
    window: Any = ("tukey_periodic", 0.25),
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[Array, Array, Array]:
    """Frequencies, times and the spectra of the segments of a signal, times along the last axis.

    ``mode`` is "psd" (power), "complex" (as `stft` without padding), "magnitude", "angle" or "phase" (unwrapped). Segments
    share an eighth of their samples unless ``noverlap`` says otherwise; other arguments as in `welch`.

    Example
    -------
    >>> f, t, s = sa.signal.spectrogram(sa.sin(sa.arange(1000.0)), nperseg=100)
    >>> s.shape
    (51, 11)
    """
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"spectrogram: mode must be psd, complex, magnitude, angle or phase, got {mode!r}")
    x = inexact(x)
    axis = normalize_axis("spectrogram", axis, x.ndim)
    size = _segments("spectrogram", window, nperseg, None, None, x.shape[axis], False).size
    overlap = size // 8 if noverlap is None else noverlap
    if mode == "psd":
        return _power("spectrogram", x, x, fs, window, nperseg, overlap, nfft, detrend, return_onesided, scaling, axis)
    f, t, z = _short_time(
        "spectrogram", x, fs, window, nperseg, overlap, nfft, detrend, return_onesided, None, False, axis, scaling
    )
    if mode == "complex":
        return f, t, z
    if mode == "magnitude":
        return f, t, _core.abs(z)
    angle = _core.angle(z)
    return f, t, unwrap(angle, axis=axis) if mode == "phase" else angle


_BOUNDARIES = {"even": "reflect", "odd": "antireflect", "constant": "edge", "zeros": "constant"}


def _short_time(
    name: str,
    x: Array,
    fs: Any,
    window: Any,
    nperseg: int | None,
    noverlap: int | None,
    nfft: int | None,
    detrend: Any,
    onesided: bool,
    boundary: str | None,
    padded: bool,
    axis: int,
    scaling: str,
) -> tuple[Array, Array, Array]:
    if boundary is not None and boundary not in _BOUNDARIES:
        raise ValueError(f"{name}: boundary must be None or one of {', '.join(_BOUNDARIES)}, got {boundary!r}")
    ndim = x.ndim
    x = moveaxis(x, axis, -1)
    s = _segments(name, window, nperseg, noverlap, nfft, x.shape[-1], _is_single(x))
    half = s.size // 2
    if boundary is not None:
        x = extended(name, x, half, half, _BOUNDARIES[boundary], -1)
    if padded:
        x = pad(x, {-1: (0, (-(x.shape[-1] - s.size) % s.step) % s.size)})
    n = x.shape[-1]
    onesided = _one_side(name, onesided, x)
    z = _spectra(x, s, _trend(name, detrend, axis, ndim), onesided)
    z = z * _real_scale(_core.sqrt(_scale(name, scaling, fs, s.window)), z)
    times = np.arange(s.size / 2, n - s.size / 2 + 1, s.step) - (s.size / 2 if boundary is not None else 0)
    return _frequencies(s.nfft, fs, onesided, x.device), _times(times, fs, x.device), moveaxis(z, -1, axis)


_SCALINGS = {"spectrum": "spectrum", "psd": "density"}


def stft(
    x: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[Array, Array, Array]:
    """Frequencies, times and the transforms of overlapping segments, times along the last axis.

    The signal is continued by half a segment at both ends (``boundary``: "zeros", "even", "odd", "constant" or None) and
    ``padded`` with zeros to whole segments. ``scaling`` is "spectrum" or "psd"; other arguments as in `welch`. See also
    `ShortTimeFFT`.

    Example
    -------
    >>> f, t, z = sa.signal.stft(sa.ones(64), nperseg=16)
    >>> z.shape
    (9, 9)
    """
    if scaling not in _SCALINGS:
        raise ValueError(f"stft: scaling must be 'spectrum' or 'psd', got {scaling!r}")
    x = inexact(x)
    axis = normalize_axis("stft", axis, x.ndim)
    if x.size == 0:
        return zeros(x.shape), zeros(x.shape), zeros(x.shape)
    return _short_time(
        "stft",
        x,
        fs,
        window,
        nperseg,
        noverlap,
        nfft,
        detrend,
        return_onesided,
        boundary,
        padded,
        axis,
        _SCALINGS[scaling],
    )


def istft(
    Zxx: Any,
    fs: Any = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
    scaling: str = "spectrum",
) -> tuple[Array, Array]:
    """Times and the signal of `stft`'s transforms, by overlap-add; exact where the windows do not all vanish (`check_NOLA`).

    D. Griffin, J. Lim, Signal estimation from modified short-time Fourier transform, IEEE Trans. ASSP 32 (1984).

    Example
    -------
    >>> x = sa.arange(32.0)
    >>> t, y = sa.signal.istft(sa.signal.stft(x, nperseg=8)[2], nperseg=8)
    >>> sa.allclose(x, y)
    True
    """
    if scaling not in _SCALINGS:
        raise ValueError(f"istft: scaling must be 'spectrum' or 'psd', got {scaling!r}")
    z = asarray(Zxx)
    z = z if z.dtype.kind == "c" else _core.astype(z, _core.complex128)
    if z.ndim < 2:
        raise ValueError(f"istft: the transforms must have at least 2 axes, got shape {z.shape}")
    t_axis, f_axis = (normalize_axis("istft", a, z.ndim) for a in (time_axis, freq_axis))
    if t_axis == f_axis:
        raise ValueError(f"istft: time and frequency must be different axes, got {time_axis} and {freq_axis}")
    z = moveaxis(z, (t_axis, f_axis), (-2, -1))
    default = 2 * (z.shape[-1] - 1) if input_onesided else z.shape[-1]
    size = default if nperseg is None else index(nperseg)
    if nfft is None:
        nfft = size if input_onesided and size == default + 1 else default
    s = _segments("istft", window, size, noverlap, nfft, None, _is_single(z))
    blocks = _core.fft("irfft" if input_onesided else "ifft", z, s.nfft, -1, 1.0 / s.nfft)[..., : s.size]
    blocks = blocks / _real_scale(_core.sqrt(_scale("istft", _SCALINGS[scaling], fs, s.window)), z)
    w = s.window.to(z.device)
    x = overlap_add(blocks * w, s.step)
    count = z.shape[-2]
    norm = overlap_add(_core.broadcast_to(w * w, (count, s.size)), s.step)
    if boundary:
        half = s.size // 2
        x, norm = x[..., half : x.shape[-1] - half], norm[half : norm.shape[-1] - half]
    covered = norm > 1e-10
    values = known(covered)
    if values is not None and not values.all():
        warnings.warn("istft: some samples are covered by no window, the signal there is wrong", stacklevel=2)
    x = x / _core.where(covered, norm, 1.0)
    times = _times(np.arange(x.shape[-1]), fs, x.device)
    place = t_axis - (f_axis < t_axis)
    return times, moveaxis(x, -1, place) if x.ndim > 1 else x


def _sums(name: str, window: Any, nperseg: int, noverlap: int, square: bool) -> np.ndarray:
    """The sum of shifted windows, or of their squares, over one step."""
    s = _segments(name, window, nperseg, noverlap, None, None, False)
    w = read(s.window)
    w = np.pad(w * w if square else w, (0, -s.size % s.step))
    return w.reshape(-1, s.step).sum(0)


def check_COLA(window: Any, nperseg: int, noverlap: int, tol: float = 1e-10) -> bool:
    """Whether shifted windows add up to a constant.

    Example
    -------
    >>> sa.signal.check_COLA("hann", 16, 8)
    True
    """
    sums = _sums("check_COLA", window, nperseg, noverlap, False)
    return bool(np.max(np.abs(sums - np.median(sums))) < tol)


def check_NOLA(window: Any, nperseg: int, noverlap: int, tol: float = 1e-10) -> bool:
    """Whether the squares of shifted windows nowhere add up to 0, so that `istft` inverts `stft`.

    Example
    -------
    >>> sa.signal.check_NOLA("hann", 16, 0)
    False
    """
    return bool(np.min(_sums("check_NOLA", window, nperseg, noverlap, True)) > tol)


def lombscargle(
    x: Any,
    y: Any,
    freqs: Any,
    *,
    normalize: bool | str = False,
    weights: Any = None,
    floating_mean: bool = False,
) -> Array:
    """The periodogram of samples ``y`` (n,) at any times ``x`` (n,): the fit of a sine of each angular frequency.

    ``normalize`` is False or "power" (n/4 times the squared amplitude), True or "normalize" (the fraction of the variance),
    or "amplitude" (complex). ``floating_mean`` fits a constant too. Differentiable in all arrays. M. Zechmeister, M. Kürster,
    The generalised Lomb-Scargle periodogram, Astron. Astrophys. 496 (2009).

    Example
    -------
    >>> t = sa.asarray([0.0, 0.4, 1.1, 1.9, 2.2, 3.1])
    >>> p = sa.signal.lombscargle(t, sa.sin(2 * t), sa.asarray([1.0, 2.0]), normalize=True)
    >>> round(float(p[1]), 6)
    1.0
    """
    x, y, freqs = (asarray(v, dtype=_core.float64) for v in (x, y, freqs))
    w = ones(y.shape, device=y.device) if weights is None else asarray(weights, dtype=_core.float64)
    if x.ndim != 1 or x.size == 0 or not x.shape == y.shape == w.shape:
        raise ValueError(
            f"lombscargle: x, y and weights must be vectors of one length, got shapes {x.shape}, {y.shape}, {w.shape}"
        )
    if freqs.ndim != 1 or freqs.size == 0:
        raise ValueError(f"lombscargle: freqs must be a vector that is not empty, got shape {freqs.shape}")
    kind = normalize if isinstance(normalize, str) else "normalize" if normalize else "power"
    if kind not in ("power", "normalize", "amplitude"):
        raise ValueError(
            f"lombscargle: normalize must be a bool, 'power', 'normalize' or 'amplitude', got {normalize!r}"
        )
    values = known(w)
    if values is not None and not ((values >= 0).all() and values.sum() > 0):
        raise ValueError("lombscargle: weights must not be negative, nor all 0")
    w = w / _core.sum(w)
    phase = freqs[:, None] * x

    def dot(a: Array, b: Array | None = None) -> Array:
        return _core.sum(w * a if b is None else w * a * b, axis=-1)

    c, s = _core.cos(phase), _core.sin(phase)
    cc, cs = dot(c, c), dot(c, s)
    ss = 1 - cc
    if floating_mean:
        mc, ms = dot(c), dot(s)
        cc, ss, cs = cc - mc * mc, ss - ms * ms, cs - mc * ms
    # Turned so that sine and cosine are orthogonal.
    tau = 0.5 * _core.atan2(2 * cs, cc - ss)
    turned = phase - tau[:, None]
    c, s = _core.cos(turned), _core.sin(turned)
    yc, ys, cc = dot(c, y), dot(s, y), dot(c, c)
    ss = 1 - cc
    if floating_mean:
        mc, ms, level = dot(c), dot(s), dot(y)
        yc, ys, cc, ss = yc - level * mc, ys - level * ms, cc - mc * mc, ss - ms * ms
    # At frequency 0 the sine vanishes.
    least = float(np.finfo(np.float64).epsneg)
    a, b = (v / _core.where(q < least, least, q) for v, q in ((yc, cc), (ys, ss)))
    if kind == "amplitude":
        return _core.complex(a, b) * _core.complex(_core.cos(tau), _core.sin(tau))
    power = 2 * (a * yc + b * ys)
    if kind == "power":
        return power * (x.size / 4)
    yy = dot(y, y)
    if floating_mean:
        yy = yy - _core.square(dot(y))
    return 0.5 * power / yy


def goertzel(x: Any, freqs: Any, fs: Any = 2 * np.pi, axis: int = -1) -> Array:
    """The transform ``sum_j x_j exp(-2 pi i j f / fs)`` at single frequencies, (..., frequencies) in place of the axis.

    Summed directly, which is as fast as Goertzel's recursion and more accurate; for many frequencies on a grid take
    `zoom_fft`. Differentiable in ``x`` and ``freqs``.

    Example
    -------
    >>> sa.signal.goertzel(sa.asarray([1.0, 0.0, 1.0, 0.0]), 0.0)
    array(2.+0.j)
    """
    x, f = inexact(x), inexact(freqs)
    axis = normalize_axis("goertzel", axis, x.ndim)
    if f.ndim > 1:
        raise ValueError(f"goertzel: freqs must be a number or a vector, got shape {f.shape}")
    x = moveaxis(x, axis, -1)
    turns = _core.reshape(f, -1) / fs * asarray(np.arange(x.shape[-1], dtype=np.float64)[:, None], device=f.device)
    angle = (turns - _core.rint(turns)) * (-2 * np.pi)
    wave = _core.complex(_core.cos(angle), _core.sin(angle))
    single = x.dtype.name in ("float32", "complex64")
    x = x if x.dtype.kind == "c" else _core.astype(x, _core.complex64 if single else _core.complex128)
    y = _core.matmul(x, _core.astype(wave, x.dtype).to(x.device))
    return y[..., 0] if f.ndim == 0 else moveaxis(y, -1, axis)
