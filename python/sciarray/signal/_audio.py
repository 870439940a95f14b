"""Features and separation of sound: mel scales, cepstra, phases from magnitudes, harmonic and percussive parts."""

from __future__ import annotations

from math import log
from operator import index
from typing import Any

from .. import _core
from .._arguments import inexact, on_cpu
from .._core import Array
from .._creation import asarray, linspace
from .._manipulation import moveaxis, pad, stack
from ..fft import dct, rfftfreq
from ._frames import frames
from ._short_time import ShortTimeFFT
from .windows import get_window

__all__ = [
    "griffin_lim",
    "harmonic_percussive",
    "hz_to_mel",
    "mel_filter_bank",
    "mel_spectrogram",
    "mel_to_hz",
    "mfcc",
]

# Slaney's scale is linear, 3 mel per 200 Hz, up to 1000 Hz, and beyond has 27 mel per factor of 6.4.
_LINEAR, _CORNER, _STEP = 3 / 200, 1000.0, log(6.4) / 27


def _check_scale(name: str, scale: str) -> None:
    if scale not in ("htk", "slaney"):
        raise ValueError(f"{name}: scale must be 'htk' or 'slaney', got {scale!r}")


def hz_to_mel(f: Any, scale: str = "htk") -> Array:
    """Frequencies in Hz on a mel scale: ``2595 log10(1 + f / 700)`` ("htk"), or Slaney's, linear up to 1000 Hz ("slaney").

    Example
    -------
    >>> sa.signal.hz_to_mel(1000.0, "slaney")
    array(15.)
    """
    _check_scale("hz_to_mel", scale)
    f = asarray(f, dtype=_core.float64)
    if scale == "htk":
        return _core.log1p(f / 700) * (2595 / log(10))
    high = _CORNER * _LINEAR + _core.log(_core.maximum(f, _CORNER) / _CORNER) / _STEP
    return _core.where(f < _CORNER, f * _LINEAR, high)


def mel_to_hz(m: Any, scale: str = "htk") -> Array:
    """Inverse of `hz_to_mel`.

    Example
    -------
    >>> sa.signal.mel_to_hz(15.0, "slaney")
    array(1000.)
    """
    _check_scale("mel_to_hz", scale)
    m = asarray(m, dtype=_core.float64)
    if scale == "htk":
        return 700 * _core.expm1(m * (log(10) / 2595))
    corner = _CORNER * _LINEAR
    high = _CORNER * _core.exp(_STEP * (_core.maximum(m, corner) - corner))
    return _core.where(m < corner, m / _LINEAR, high)


@on_cpu
def mel_filter_bank(
    n_mels: int,
    n_fft: int,
    fs: float,
    f_min: Any = 0.0,
    f_max: Any = None,
    scale: str = "htk",
    norm: str | None = None,
) -> Array:
    """Triangular filters (n_mels, n_fft // 2 + 1), evenly spaced on a mel scale, for the frequencies of `rfft`.

    From ``f_min`` to ``f_max``, half of ``fs`` unless given, in which they are differentiable; ``norm="slaney"`` makes their
    areas equal. S. Davis, P. Mermelstein, Comparison of parametric representations for monosyllabic word recognition,
    IEEE Trans. ASSP 28 (1980).

    Example
    -------
    >>> sa.signal.mel_filter_bank(4, 64, 8000.0).shape
    (4, 33)
    """
    n_mels = index(n_mels)
    if n_mels < 1:
        raise ValueError(f"mel_filter_bank: n_mels must be at least 1, got {n_mels}")
    if norm not in (None, "slaney"):
        raise ValueError(f"mel_filter_bank: norm must be 'slaney' or None, got {norm!r}")
    low, high = hz_to_mel(f_min, scale), hz_to_mel(fs / 2 if f_max is None else f_max, scale)
    corners = mel_to_hz(linspace(low, high, n_mels + 2), scale)
    f = rfftfreq(n_fft, 1 / fs)
    left, middle, right = (corners[k : k + n_mels, None] for k in range(3))
    bank = _core.maximum(_core.minimum((f - left) / (middle - left), (right - f) / (right - middle)), 0.0)
    return bank * (2 / (right - left)) if norm == "slaney" else bank


def mel_spectrogram(
    x: Any,
    fs: float,
    n_fft: int = 512,
    hop: int | None = None,
    window: Any = "hann",
    n_mels: int = 40,
    f_min: Any = 0.0,
    f_max: Any = None,
    scale: str = "htk",
    norm: str | None = None,
) -> Array:
    """The power (..., n_mels, frames) of a real signal (..., n) in mel bands, of frames ``hop`` samples apart.

    The signal is continued by half a frame of its mirror image at both ends; ``hop`` is a quarter of ``n_fft`` unless given.

    Example
    -------
    >>> sa.signal.mel_spectrogram(sa.sin(sa.arange(1000.0)), 8000.0, n_fft=128, n_mels=8).shape
    (8, 32)
    """
    x, n_fft = inexact(x), index(n_fft)
    if x.dtype.kind == "c" or x.ndim == 0:
        raise ValueError(f"mel_spectrogram: a real signal is required, got {x.dtype.name} of shape {x.shape}")
    hop = n_fft // 4 if hop is None else index(hop)
    x = pad(x, {-1: (n_fft // 2, n_fft // 2)}, "reflect")
    w = get_window(window, n_fft) if isinstance(window, (str, tuple, float, int)) else inexact(window)
    z = _core.fft("rfft", frames(x, n_fft, hop) * _core.astype(w, x.dtype).to(x.device), n_fft, -1, 1.0)
    power = _core.square(_core.real(z)) + _core.square(_core.imag(z))
    bank = _core.astype(mel_filter_bank(n_mels, n_fft, fs, f_min, f_max, scale, norm), x.dtype).to(x.device)
    return moveaxis(_core.matmul(power, _core.permute_dims(bank, (1, 0))), -1, -2)


def mfcc(x: Any, fs: float, n_mfcc: int = 13, *, floor: float = 1e-10, **arguments: Any) -> Array:
    """Mel-frequency cepstral coefficients (..., n_mfcc, frames): the orthogonal `dct` of `mel_spectrogram` in dB.

    Powers below ``floor`` count as that; further arguments are those of `mel_spectrogram`.

    Example
    -------
    >>> sa.signal.mfcc(sa.sin(sa.arange(1000.0)), 8000.0, 5, n_fft=128, n_mels=8).shape
    (5, 32)
    """
    power = mel_spectrogram(x, fs, **arguments)
    if not 1 <= index(n_mfcc) <= power.shape[-2]:
        raise ValueError(f"mfcc: n_mfcc must be in [1, {power.shape[-2]}], the number of bands, got {n_mfcc}")
    decibels = _core.log(_core.maximum(power, floor)) * (10 / log(10))
    return dct(decibels, axis=-2, norm="ortho")[..., : index(n_mfcc), :]


def griffin_lim(
    S: Any, SFT: ShortTimeFFT, n: int, *, n_iter: int = 32, momentum: float = 0.99, angles: Any = None
) -> Array:
    """A signal of ``n`` samples whose transforms by ``SFT`` have nearly the magnitudes ``S`` (..., frequencies, slices).

    Alternates between signals and magnitudes, from phases ``angles`` (0 unless given), with the ``momentum`` of
    N. Perraudin et al., A fast Griffin-Lim algorithm, WASPAA (2013); 0 is D. Griffin, J. Lim, Signal estimation from
    modified short-time Fourier transform, IEEE Trans. ASSP 32 (1984). Differentiable through its steps.

    Example
    -------
    >>> SFT = sa.signal.ShortTimeFFT.from_window("hann", 1.0, 32, 24)
    >>> x = sa.sin(sa.arange(200.0) * 0.3)
    >>> y = sa.signal.griffin_lim(sa.abs(SFT.stft(x)), SFT, 200, n_iter=10)
    >>> y.shape
    (200,)
    """
    size = inexact(S)
    if size.dtype.kind == "c":
        raise TypeError(f"griffin_lim: magnitudes must be real, got {size.dtype.name}")
    if n_iter < 0 or not 0 <= momentum < 1:
        raise ValueError(
            f"griffin_lim: n_iter must not be negative and momentum in [0, 1), got {n_iter} and {momentum}"
        )
    phase = asarray(0.0, dtype=size.dtype) if angles is None else inexact(angles)
    z = size * _core.complex(_core.cos(phase), _core.sin(phase))
    before = None
    for _ in range(n_iter):
        now = SFT.stft(SFT.istft(z, k1=n))
        ahead = now if before is None else now + momentum * (now - before)
        before = now
        length = _core.abs(ahead)
        zero = length == 0
        z = size * (ahead / _core.where(zero, 1.0, length) + _core.where(zero, 1.0, 0.0))
    return SFT.istft(z, k1=n)


def _median_along(x: Array, size: int, axis: int) -> Array:
    """The running median along an axis, the signal continued by its mirror image."""
    half = size // 2
    wide = pad(moveaxis(x, axis, -1), {-1: (half, half)}, "symmetric")
    n = x.shape[axis]
    y = _core.sort(stack([wide[..., j : j + n] for j in range(size)], -1), -1)[..., half]
    return moveaxis(y, -1, axis)


def harmonic_percussive(
    S: Any, kernel_size: int | tuple[int, int] = 31, power: float = 2.0, margin: float | tuple[float, float] = 1.0
) -> tuple[Array, Array]:
    """The harmonic and the percussive part of spectra (..., frequencies, slices), real or complex.

    Medians along time (the first of two odd ``kernel_size``) keep what lasts, those along frequency what is short; the
    masks are their ratios to a ``power``. A ``margin`` above 1 leaves what is neither in none of the parts.
    D. FitzGerald, Harmonic/percussive separation using median filtering, DAFx (2010); J. Driedger et al., Extending
    harmonic-percussive separation of audio signals, ISMIR (2014).

    Example
    -------
    >>> S = sa.zeros((8, 8))
    >>> S[3] = 1.0
    >>> harmonic, percussive = sa.signal.harmonic_percussive(S, 5)
    >>> float(harmonic.sum()), float(percussive.sum())
    (8.0, 0.0)
    """
    x = inexact(S)
    if x.ndim < 2:
        raise ValueError(f"harmonic_percussive: spectra (..., frequencies, slices) are required, got shape {x.shape}")
    sizes = (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)
    margins = (margin, margin) if isinstance(margin, (int, float)) else tuple(margin)
    if any(k < 1 or k % 2 == 0 for k in sizes) or len(sizes) != 2:
        raise ValueError(f"harmonic_percussive: kernel sizes must be odd, got {kernel_size}")
    if power <= 0 or any(m < 1 for m in margins):
        raise ValueError(
            f"harmonic_percussive: power must be positive and margins at least 1, got {power} and {margin}"
        )
    size = _core.abs(x)
    lasting, short = _median_along(size, sizes[0], -1), _median_along(size, sizes[1], -2)

    def mask(wanted: Array, other: Array, m: float) -> Array:
        # Relative to the larger, so that no power overflows; where both are 0 each gets half.
        most = _core.maximum(wanted, other * m)
        none = most == 0
        most = _core.where(none, 1.0, most)
        a = _core.where(none, 1.0, _core.pow(wanted / most, power))
        b = _core.where(none, 1.0, _core.pow(other * m / most, power))
        return a / (a + b)

    return x * mask(lasting, short, margins[0]), x * mask(short, lasting, margins[1])
