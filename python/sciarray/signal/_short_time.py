"""The short-time Fourier transform with any window and step, and its inverse by the dual window.

The dual window is that of least energy: K. Gröchenig, Foundations of time-frequency analysis, Birkhäuser (2001), section 7.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import inexact, known, normalize_axis
from .._core import Array
from .._creation import asarray, ones
from .._manipulation import moveaxis, pad, roll, tile
from ..fft import fftfreq, fftshift, ifftshift, rfftfreq
from ._extension import extended
from ._frames import frames, overlap_add
from ._smoothing import detrend
from .windows import get_window

__all__ = ["ShortTimeFFT", "closest_STFT_dual_window", "torch_istft", "torch_stft"]

_MODES = ("twosided", "centered", "onesided", "onesided2X")
_PADDINGS = {"zeros": "constant", "edge": "edge", "even": "reflect", "odd": "antireflect"}


def _energy(w: Array) -> Array:
    return _core.square(_core.real(w)) + _core.square(_core.imag(w)) if w.dtype.kind == "c" else w * w


def _window(name: str, x: Any) -> Array:
    w = inexact(x)
    if w.ndim != 1 or w.size == 0:
        raise ValueError(f"{name}: the window must be a vector that is not empty, got shape {w.shape}")
    return w


def _hop(name: str, hop: int) -> int:
    n = index(hop)
    if n < 1:
        raise ValueError(f"{name}: hop must be at least 1, got {hop}")
    return n


def _covered(w: Array, hop: int) -> Array:
    """Of each sample of the window the sum of squares of all shifted windows there."""
    size = w.size
    rows = _core.reshape(pad(_energy(w), (0, -size % hop)), (-1, hop))
    return tile(_core.sum(rows, axis=0), rows.shape[0])[:size]


def _dual(name: str, w: Array, hop: int) -> Array:
    if hop > w.size:
        raise ValueError(f"{name}: not invertible, because hop {hop} is greater than the window's length {w.size}")
    sums = _covered(w, hop)
    values = known(sums)
    if values is not None:
        bad = np.flatnonzero(values < np.finfo(values.dtype).resolution * values.max())
        if bad.size:
            raise ValueError(
                f"{name}: not invertible, because the windows at steps of {hop} vanish at sample {bad[0]} of every step"
            )
    return w / sums


def closest_STFT_dual_window(win: Any, hop: int, desired_dual: Any = None, *, scaled: bool = True) -> tuple[Array, Any]:
    """The dual window of ``win`` at steps of ``hop`` nearest to a desired one (by default ones), and its scale.

    With ``scaled`` the desired window may be scaled by a number, which is the second result; otherwise that is 1.
    Differentiable in both windows.

    Example
    -------
    >>> dual, scale = sa.signal.closest_STFT_dual_window(sa.ones(4), 2)
    >>> dual
    array([0.5, 0.5, 0.5, 0.5])
    """
    w, hop = _window("closest_STFT_dual_window", win), _hop("closest_STFT_dual_window", hop)
    wanted = ones(w.shape, w.dtype, device=w.device) if desired_dual is None else inexact(desired_dual)
    if wanted.shape != w.shape:
        raise ValueError(
            f"closest_STFT_dual_window: the windows must have one length, got shapes {w.shape} and {wanted.shape}"
        )
    dual = _dual("closest_STFT_dual_window", w, hop)
    product = _core.conj(w) * wanted if w.dtype.kind == "c" else w * wanted
    rows = _core.reshape(pad(product, (0, -w.size % hop)), (-1, hop))
    # What of the desired window the dual's condition takes away.
    along = dual * tile(_core.sum(rows, axis=0), rows.shape[0])[: w.size]
    if not scaled:
        return wanted + dual - along, asarray(1.0, device=w.device)
    top = _core.sum(_core.conj(along) * dual if along.dtype.kind == "c" else along * dual)
    bottom = _core.sum(_energy(along))
    scale = top / bottom
    return dual + scale * (wanted - along), scale


class ShortTimeFFT:
    """Transforms of windowed pieces of a signal, ``hop`` samples apart, and the signal of such transforms.

    Slice p is the transform of the samples around ``p * hop``. ``win`` is (m,), real or complex; ``fs`` is the sampling
    frequency; ``fft_mode`` is "onesided", "onesided2X" (the others doubled), "twosided" or "centered"; ``mfft`` the length of
    the transform, m unless given; ``dual_win`` that of the inverse, the canonical one unless given; ``scale_to`` is
    "magnitude", "psd" or None; ``phase_shift`` the sample, from the middle of the window, that has phase 0, or None for the
    first. Names are SciPy's; attributes cannot be changed. Differentiable in signals, transforms and windows.

    Example
    -------
    >>> SFT = sa.signal.ShortTimeFFT(sa.signal.windows.hann(16, sym=False), hop=4, fs=1.0)
    >>> x = sa.sin(sa.arange(50.0))
    >>> S = SFT.stft(x)
    >>> S.shape
    (9, 16)
    >>> sa.allclose(SFT.istft(S, k1=50), x)
    True
    """

    def __init__(
        self,
        win: Any,
        hop: int,
        fs: Any,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        dual_win: Any = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> None:
        self._win = _window("ShortTimeFFT", win)
        self._hop = _hop("ShortTimeFFT", hop)
        self._fs = fs
        size = self._win.size
        if fft_mode not in _MODES:
            raise ValueError(f"ShortTimeFFT: fft_mode must be one of {', '.join(_MODES)}, got {fft_mode!r}")
        if fft_mode.startswith("onesided") and self._win.dtype.kind == "c":
            raise ValueError(f"ShortTimeFFT: a complex window needs a two-sided fft_mode, got {fft_mode!r}")
        if fft_mode == "onesided2X" and scale_to is None:
            raise ValueError("ShortTimeFFT: fft_mode 'onesided2X' needs scale_to 'magnitude' or 'psd', got None")
        self._mode = fft_mode
        self._mfft = size if mfft is None else index(mfft)
        if self._mfft < size:
            raise ValueError(f"ShortTimeFFT: mfft must be at least the window's length {size}, got {mfft}")
        self._given_dual = None if dual_win is None else _window("ShortTimeFFT", dual_win)
        if self._given_dual is not None and self._given_dual.shape != (size,):
            raise ValueError(
                f"ShortTimeFFT: dual_win must have the window's length {size}, got {self._given_dual.shape}"
            )
        if phase_shift is not None and not -self._mfft < phase_shift < self._mfft:
            raise ValueError(f"ShortTimeFFT: phase_shift must be less than mfft = {self._mfft}, got {phase_shift}")
        self._phase_shift = phase_shift
        if scale_to not in (None, "magnitude", "psd"):
            raise ValueError(f"ShortTimeFFT: scale_to must be 'magnitude', 'psd' or None, got {scale_to!r}")
        self._scaling = scale_to
        if scale_to is not None:
            factor = self.fac_psd if scale_to == "psd" else self.fac_magnitude
            self._win = self._win * factor
            if self._given_dual is not None:
                self._given_dual = self._given_dual / factor
        # Samples at which the window vanishes do not count as its extent.
        values = known(self._win)
        self._counts = np.ones(size, dtype=bool) if values is None else values != 0
        if not self._counts.any():
            raise ValueError("ShortTimeFFT: the window must not vanish everywhere")

    @classmethod
    def from_window(
        cls,
        win_param: Any,
        fs: Any,
        nperseg: int,
        noverlap: int,
        *,
        symmetric_win: bool = False,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> ShortTimeFFT:
        """With a window by name, as `get_window` takes it, of ``nperseg`` samples of which ``noverlap`` are shared."""
        win = get_window(win_param, nperseg, fftbins=not symmetric_win)
        return cls(
            win, nperseg - noverlap, fs, fft_mode=fft_mode, mfft=mfft, scale_to=scale_to, phase_shift=phase_shift
        )

    @classmethod
    def from_dual(
        cls,
        dual_win: Any,
        hop: int,
        fs: Any,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> ShortTimeFFT:
        """With the window whose dual is given."""
        win = _dual("ShortTimeFFT.from_dual", _window("ShortTimeFFT.from_dual", dual_win), hop)
        return cls(
            win,
            hop,
            fs,
            fft_mode=fft_mode,
            mfft=mfft,
            dual_win=dual_win,
            scale_to=scale_to,
            phase_shift=phase_shift,
        )

    @classmethod
    def from_win_equals_dual(
        cls,
        desired_win: Any,
        hop: int,
        fs: Any,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> ShortTimeFFT:
        """With the window nearest to the desired one that is its own dual; ``scale_to`` may be "unitary" too."""
        name = "ShortTimeFFT.from_win_equals_dual"
        wanted, hop = _window(name, desired_win), _hop(name, hop)
        _dual(name, wanted, hop)
        size = wanted.size if mfft is None else index(mfft)
        win = wanted * _core.rsqrt(_covered(wanted, hop))
        factor = size**0.5 if scale_to == "unitary" else 1.0
        return cls(
            win / factor,
            hop,
            fs,
            fft_mode=fft_mode,
            mfft=mfft,
            dual_win=win * factor,
            scale_to=None if scale_to == "unitary" else scale_to,
            phase_shift=phase_shift,
        )

    @property
    def win(self) -> Array:
        """The window."""
        return self._win

    @property
    def hop(self) -> int:
        """Samples from one slice to the next."""
        return self._hop

    @property
    def fs(self) -> Any:
        """The sampling frequency."""
        return self._fs

    @property
    def T(self) -> Any:
        """The sampling interval."""
        return 1 / self._fs

    @property
    def fft_mode(self) -> str:
        """Which frequencies there are, and in which order."""
        return self._mode

    @property
    def mfft(self) -> int:
        """The length of the transform."""
        return self._mfft

    @property
    def scaling(self) -> str | None:
        """What the window is scaled to."""
        return self._scaling

    @property
    def phase_shift(self) -> int | None:
        """The sample, from the middle of the window, that has phase 0."""
        return self._phase_shift

    @property
    def dual_win(self) -> Array:
        """The window of the inverse; raises ValueError where there is none."""
        if self._given_dual is not None:
            return self._given_dual
        return _dual("ShortTimeFFT.dual_win", self._win, self._hop)

    @property
    def invertible(self) -> bool:
        """Whether there is an inverse."""
        try:
            return self.dual_win.size > 0
        except ValueError:
            return False

    @property
    def fac_magnitude(self) -> Array:
        """The factor that scales the window for reading magnitudes."""
        return 1 / _core.abs(_core.sum(self._win))

    @property
    def fac_psd(self) -> Array:
        """The factor that scales the window for power spectral densities."""
        return _core.rsqrt(_core.sum(_energy(self._win)) * self._fs)

    @property
    def m_num(self) -> int:
        """The window's length."""
        return self._win.size

    @property
    def m_num_mid(self) -> int:
        """The middle of the window."""
        return self._win.size // 2

    @property
    def delta_t(self) -> Any:
        """The time from one slice to the next."""
        return self.T * self._hop

    @property
    def delta_f(self) -> Any:
        """The width of a frequency bin."""
        return self._fs / self._mfft

    @property
    def onesided_fft(self) -> bool:
        """Whether only frequencies from 0 on are there."""
        return self._mode.startswith("onesided")

    @property
    def f_pts(self) -> int:
        """The number of frequencies."""
        return self._mfft // 2 + 1 if self.onesided_fft else self._mfft

    @property
    def f(self) -> Array:
        """The frequencies."""
        if self.onesided_fft:
            return rfftfreq(self._mfft, self.T)
        f = fftfreq(self._mfft, self.T)
        return fftshift(f) if self._mode == "centered" else f

    def _first(self) -> tuple[int, int]:
        """First sample and number of the first slice that overlaps sample 0."""
        k, p = -self.m_num_mid, 0
        while k - self._hop + self.m_num > 0 and self._counts[k - self._hop :].any():
            k, p = k - self._hop, p - 1
        return k, p

    def _last(self, n: int) -> tuple[int, int]:
        """End of the last slice that overlaps a signal of n samples, and the number of the next slice."""
        if n < self.m_num - self.m_num_mid:
            raise ValueError(
                f"ShortTimeFFT: a signal needs at least {self.m_num - self.m_num_mid} samples, half the window, got {n}"
            )
        p = n // self._hop
        k = p * self._hop - self.m_num_mid
        while k + self._hop < n and self._counts[: n - k - self._hop].any():
            k, p = k + self._hop, p + 1
        return k + self.m_num, p + 1

    @property
    def k_min(self) -> int:
        """The first sample, at most 0, of the first slice."""
        return self._first()[0]

    @property
    def p_min(self) -> int:
        """The number, at most 0, of the first slice."""
        return self._first()[1]

    def k_max(self, n: int) -> int:
        """The sample after the last slice of a signal of ``n`` samples."""
        return self._last(n)[0]

    def p_max(self, n: int) -> int:
        """The number of the slice after the last one of a signal of ``n`` samples."""
        return self._last(n)[1]

    def p_num(self, n: int) -> int:
        """The number of slices of a signal of ``n`` samples."""
        return self.p_max(n) - self.p_min

    @property
    def lower_border_end(self) -> tuple[int, int]:
        """The sample and the slice from which on no slice reaches before the signal."""
        k = -self.m_num_mid + int(np.argmax(self._counts))
        if k > self._hop:
            return 0, max(self.p_min, 0)
        p = 0
        while k + self._hop < 0:
            k, p = k + self._hop, p + 1
        return k + self.m_num, p + 1

    def upper_border_begin(self, n: int) -> tuple[int, int]:
        """The sample and the slice from which on slices reach beyond a signal of ``n`` samples."""
        self._last(n)
        p = n // self._hop + 1
        while True:
            k = p * self._hop + self.m_num - self.m_num_mid
            if k <= n or not self._counts[n - k :].any():
                return (p + 1) * self._hop - self.m_num_mid, p + 1
            p -= 1

    def p_range(self, n: int, p0: int | None = None, p1: int | None = None) -> tuple[int, int]:
        """The given first slice and end, checked, or those of a signal of ``n`` samples."""
        low, high = self.p_min, self.p_max(n)
        first, end = (low if p0 is None else p0), (high if p1 is None else p1)
        if not low <= first < end <= high:
            raise ValueError(f"ShortTimeFFT: slices must lie in [{low}, {high}), got p0 = {p0} and p1 = {p1}")
        return first, end

    def t(self, n: int, p0: int | None = None, p1: int | None = None, k_offset: int = 0) -> Array:
        """The times of the slices of a signal of ``n`` samples."""
        first, end = self.p_range(n, p0, p1)
        return asarray(np.arange(first, end)) * self.delta_t + k_offset * self.T

    def nearest_k_p(self, k: int, left: bool = True) -> int:
        """The sample at the middle of a slice nearest to sample ``k``, from the left or the right."""
        p, rest = divmod(k, self._hop)
        return k if rest == 0 else (p if left else p + 1) * self._hop

    def extent(self, n: int, axes_seq: str = "tf", center_bins: bool = False) -> tuple[float, float, float, float]:
        """The edges of the transform of ``n`` samples, for plots: times and frequencies, or "ft" the other way round."""
        if axes_seq not in ("tf", "ft"):
            raise ValueError(f"ShortTimeFFT.extent: axes_seq must be 'tf' or 'ft', got {axes_seq!r}")
        if self._mode == "twosided":
            raise ValueError("ShortTimeFFT.extent: the frequencies of fft_mode 'twosided' are not in order")
        q0 = 0 if self.onesided_fft else -(self._mfft // 2)
        shift = 0.5 if center_bins else 0.0
        times = [self.delta_t * (p - shift) for p in (self.p_min, self.p_max(n))]
        bins = [self.delta_f * (q - shift) for q in (q0, q0 + self.f_pts)]
        a, b, c, d = (*times, *bins) if axes_seq == "tf" else (*bins, *times)
        return a, b, c, d

    def _turn(self) -> int:
        return 0 if self._phase_shift is None else (self._phase_shift + self.m_num_mid) % self.m_num

    def _doubled(self) -> np.ndarray:
        w = np.full(self.f_pts, 2**0.5 if self._scaling == "psd" else 2.0)
        w[0] = 1.0
        if self._mfft % 2 == 0:
            w[-1] = 1.0
        return w

    def _transform(self, x: Array) -> Array:
        if self._turn():
            x = roll(pad(x, {-1: (0, self._mfft - self.m_num)}), -self._turn(), -1)
        if self.onesided_fft:
            y = _core.fft("rfft", x, self._mfft, -1, 1.0)
            return y * _like(self._doubled(), y) if self._mode == "onesided2X" else y
        y = _core.fft("fft", _complex(x), self._mfft, -1, 1.0)
        return fftshift(y, -1) if self._mode == "centered" else y

    def _inverse(self, y: Array) -> Array:
        if self._mode == "onesided2X":
            y = y / _like(self._doubled(), y)
        elif self._mode == "centered":
            y = ifftshift(y, -1)
        x = _core.fft("irfft" if self.onesided_fft else "ifft", y, self._mfft, -1, 1.0 / self._mfft)
        return (roll(x, self._turn(), -1) if self._turn() else x)[..., : self.m_num]

    def stft(
        self,
        x: Any,
        p0: int | None = None,
        p1: int | None = None,
        *,
        k_offset: int = 0,
        padding: str = "zeros",
        axis: int = -1,
    ) -> Array:
        """The transforms of slices ``p0`` to before ``p1`` of ``x``: frequencies in place of the axis, slices last.

        Slice p has its middle at sample ``p * hop + k_offset``. Beyond its ends the signal goes on with ``padding``: "zeros",
        "edge", "even" or "odd".
        """
        return self.stft_detrend(x, None, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    def stft_detrend(
        self,
        x: Any,
        detr: str | Callable[[Array], Array] | None,
        p0: int | None = None,
        p1: int | None = None,
        *,
        k_offset: int = 0,
        padding: str = "zeros",
        axis: int = -1,
    ) -> Array:
        """`stft` of segments less their trend: "linear", "constant", or what a function leaves of them."""
        x = inexact(x)
        axis = normalize_axis("ShortTimeFFT", axis, x.ndim)
        if self.onesided_fft and x.dtype.kind == "c":
            raise ValueError(f"ShortTimeFFT: a complex signal needs a two-sided fft_mode, got {self._mode!r}")
        if padding not in _PADDINGS:
            raise ValueError(f"ShortTimeFFT: padding must be one of {', '.join(_PADDINGS)}, got {padding!r}")
        x = moveaxis(x, axis, -1)
        n = x.shape[-1]
        first, end = self.p_range(n, p0, p1)
        start = first * self._hop - self.m_num_mid + k_offset
        stop = start + (end - first - 1) * self._hop + self.m_num
        before, after = max(-start, 0), max(stop - n, 0)
        # Reflections take as many samples from within the signal as they add, even where no slice meets these.
        low, high = max(min(start, n - 1 - after), 0), min(max(stop, before + 1), n)
        kept = extended("ShortTimeFFT", x[..., low:high], before, after, _PADDINGS[padding], -1)
        shift = start - (low - before)
        blocks = frames(kept[..., shift : shift + stop - start], self.m_num, self._hop)
        if detr is not None:
            blocks = (partial(detrend, type=detr) if isinstance(detr, str) else detr)(blocks)
        w = _core.conj(self._win) if self._win.dtype.kind == "c" else self._win
        return moveaxis(self._transform(blocks * _at_precision(w, blocks)), -1, axis)

    def spectrogram(
        self,
        x: Any,
        y: Any = None,
        detr: str | Callable[[Array], Array] | None = None,
        *,
        p0: int | None = None,
        p1: int | None = None,
        k_offset: int = 0,
        padding: str = "zeros",
        axis: int = -1,
    ) -> Array:
        """The squared magnitudes of `stft_detrend`, or with ``y`` the products ``X conj(Y)``."""
        arguments: dict[str, Any] = {"p0": p0, "p1": p1, "k_offset": k_offset, "padding": padding, "axis": axis}
        first = self.stft_detrend(x, detr, **arguments)
        if y is None or y is x:
            return _energy(first)
        return first * _core.conj(self.stft_detrend(y, detr, **arguments))

    def istft(self, S: Any, k0: int = 0, k1: int | None = None, *, f_axis: int = -2, t_axis: int = -1) -> Array:
        """The samples ``k0`` to before ``k1`` of the signal with the transforms ``S``, whose first slice is `p_min`.

        Exact for unchanged transforms, and the signal of least squared difference for others. Raises ValueError where the
        window and the step have no inverse.
        """
        z = _complex(inexact(S))
        f_axis, t_axis = (normalize_axis("ShortTimeFFT.istft", a, z.ndim) for a in (f_axis, t_axis))
        if f_axis == t_axis:
            raise ValueError(f"ShortTimeFFT.istft: frequencies and slices must be different axes, got {f_axis} twice")
        z = moveaxis(z, (t_axis, f_axis), (-2, -1))
        if z.shape[-1] != self.f_pts:
            raise ValueError(f"ShortTimeFFT.istft: {self.f_pts} frequencies are required, got {z.shape[-1]}")
        least = self.m_num - self.m_num_mid
        if z.shape[-2] < self.p_num(least):
            raise ValueError(f"ShortTimeFFT.istft: at least {self.p_num(least)} slices are required, got {z.shape[-2]}")
        start, p_min = self._first()
        limit = (z.shape[-2] + p_min - 1) * self._hop + least
        end = limit if k1 is None else k1
        if not start <= k0 < end <= limit or end - k0 < least:
            raise ValueError(
                f"ShortTimeFFT.istft: samples must lie in [{start}, {limit}), at least {least} of them, got {k0} to {end}"
            )
        blocks = self._inverse(z)
        x = overlap_add(blocks * _at_precision(self.dual_win, blocks), self._hop)[..., k0 - start : end - start]
        return moveaxis(x, -1, f_axis if f_axis < x.ndim else t_axis) if x.ndim > 1 else x


def _complex(x: Array) -> Array:
    if x.dtype.kind == "c":
        return x
    return _core.astype(x, _core.complex64 if x.dtype == _core.float32 else _core.complex128)


def _like(values: np.ndarray, x: Array) -> Array:
    values = values.astype(np.float32 if x.dtype.name in ("float32", "complex64") else np.float64)
    return asarray(values, device=x.device)


def _at_precision(w: Array, x: Array) -> Array:
    w = w.to(x.device)
    if x.dtype.name in ("float32", "complex64"):
        return _core.astype(w, _core.complex64 if w.dtype.kind == "c" else _core.float32)
    return w


def _centred_window(name: str, n_fft: int, win_length: int | None, window: Any) -> Array:
    length = n_fft if win_length is None else index(win_length)
    if not 1 <= length <= n_fft:
        raise ValueError(f"{name}: win_length must be in [1, {n_fft}], got {win_length}")
    if window is None:
        w = ones(length)
    else:
        w = get_window(window, length) if isinstance(window, (str, tuple, float, int)) else _window(name, window)
    if w.shape != (length,):
        raise ValueError(f"{name}: the window must have win_length = {length} samples, got shape {w.shape}")
    left = (n_fft - length) // 2
    return pad(w, (left, n_fft - length - left))


def torch_stft(
    input: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
) -> Array:
    """Short-time transforms with the arguments and the layout of ``torch.stft``: (..., frequencies, frames), complex.

    ``hop_length`` is a quarter of ``n_fft`` unless given; the window, ones unless given, may be a name. With ``center`` the
    signal (..., n) is continued by half of ``n_fft`` at both ends. Real signals have one-sided spectra.

    Example
    -------
    >>> sa.signal.torch_stft(sa.ones(32), 16, window="hann").shape
    (9, 9)
    """
    x, n_fft = inexact(input), index(n_fft)
    hop = n_fft // 4 if hop_length is None else index(hop_length)
    if n_fft < 1 or hop < 1:
        raise ValueError(f"torch_stft: n_fft and hop_length must be at least 1, got {n_fft} and {hop}")
    w = _centred_window("torch_stft", n_fft, win_length, window)
    if center:
        mode = {"replicate": "edge", "circular": "wrap"}.get(pad_mode, pad_mode)
        x = extended("torch_stft", x, n_fft // 2, n_fft // 2, mode, -1)
    if x.shape[-1] < n_fft:
        raise ValueError(f"torch_stft: the signal must have at least n_fft = {n_fft} samples, got {x.shape[-1]}")
    half = (x.dtype.kind != "c" and w.dtype.kind != "c") if onesided is None else onesided
    blocks = frames(x, n_fft, hop) * _at_precision(w, x)
    scale = n_fft**-0.5 if normalized else 1.0
    y = _core.fft("rfft" if half else "fft", blocks if half else _complex(blocks), n_fft, -1, scale)
    return moveaxis(y, -1, -2)


def torch_istft(
    input: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
) -> Array:
    """The signal (..., n) of the transforms of `torch_stft`, of least squared difference; arguments as in ``torch.istft``.

    Real, unless ``onesided`` is False or there are ``n_fft`` frequencies; cut or padded with zeros to ``length``. Raises
    ValueError where no window covers a sample.

    Example
    -------
    >>> x = sa.arange(32.0)
    >>> sa.allclose(sa.signal.torch_istft(sa.signal.torch_stft(x, 16, window="hann"), 16, window="hann"), x)
    True
    """
    z, n_fft = _complex(inexact(input)), index(n_fft)
    hop = n_fft // 4 if hop_length is None else index(hop_length)
    half = z.shape[-2] != n_fft if onesided is None else onesided
    if z.ndim < 2 or z.shape[-2] != (n_fft // 2 + 1 if half else n_fft):
        raise ValueError(
            f"torch_istft: frequencies of n_fft = {n_fft} must be the last axis but one, got shape {z.shape}"
        )
    w = _at_precision(_centred_window("torch_istft", n_fft, win_length, window), z)
    scale = (1.0 if normalized else n_fft**-0.5) * n_fft**-0.5
    blocks = _core.fft("irfft" if half else "ifft", moveaxis(z, -2, -1), n_fft, -1, scale)
    count = z.shape[-1]
    total = overlap_add(blocks * w, hop)
    norm = overlap_add(_core.broadcast_to(_energy(w), (count, n_fft)), hop)
    start = n_fft // 2 if center else 0
    stop = total.shape[-1] - start if length is None else start + index(length)
    total, norm = total[..., start:stop], norm[start:stop]
    values = known(norm)
    if values is not None and (values.size == 0 or values.min() < 1e-11):
        raise ValueError(f"torch_istft: not invertible, because no window of step {hop} covers some of the samples")
    y = total / norm
    return y if length is None else pad(y, {-1: (0, max(0, index(length) - y.shape[-1]))})
