"""Orders of recursive filters that meet a specification, and the filters.

A. Oppenheim, R. Schafer, Discrete-time signal processing, 3rd ed. (2009), chapter 7; L. Rabiner, B. Gold, Theory and
application of digital signal processing (1975), chapter 4.
"""

from __future__ import annotations

from math import log, pi
from typing import Any

from .. import _core
from .._arguments import known, on_cpu, read
from .._core import Array
from .._creation import asarray
from ._design import iirfilter

__all__ = ["buttord", "cheb1ord", "cheb2ord", "ellipord", "iirdesign"]

_KINDS = ("lowpass", "highpass", "bandstop", "bandpass")


class _Task:
    """A specification, and the edges of the passband at the analog frequencies where the order is counted."""

    def __init__(self, name: str, wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool, fs: Any) -> None:
        self.analog, self.fs = analog, fs
        if fs is not None and analog:
            raise ValueError(f"{name}: an analog filter has no sampling frequency, got fs={fs}")
        p, s = (_core.reshape(asarray(w, dtype=_core.float64), -1) for w in (wp, ws))
        if p.size != s.size or p.size not in (1, 2):
            raise ValueError(f"{name}: wp and ws must have one or two edges each, got {p.size} and {s.size}")
        if fs is not None:
            p, s = 2 * p / fs, 2 * s / fs
        self.kind = _KINDS[2 * (p.size - 1) + bool(p[0] >= s[0])]
        gpass, gstop = (asarray(g, dtype=_core.float64) for g in (gpass, gstop))
        values, stop, ripple, depth = (known(x) for x in (p, s, gpass, gstop))
        if values is not None and stop is not None:
            if min(values.min(), stop.min()) <= 0 or not (analog or max(values.max(), stop.max()) < 1):
                limits = "positive" if analog else "between 0 and fs / 2 (1 unless fs is given)"
                raise ValueError(f"{name}: edges must be {limits}, got wp {read(wp)} and ws {read(ws)}")
            outer, inner = (stop, values) if self.kind == "bandpass" else (values, stop)
            if p.size == 2 and not (outer[0] < inner[0] and inner[1] < outer[1]):
                raise ValueError(f"{name}: one band must lie inside the other, got wp {read(wp)} and ws {read(ws)}")
        if ripple is not None and depth is not None and not 0 < ripple <= depth:
            raise ValueError(f"{name}: 0 < gpass <= gstop is required, got {ripple} and {depth}")
        if not analog:
            p, s = _core.tan(p * (pi / 2)), _core.tan(s * (pi / 2))
        self.excess, self.depth = (_core.expm1(g * (log(10) / 10)) for g in (gpass, gstop))
        if self.kind == "bandstop":
            p = _narrowed(p, s)
        self.edges = p
        self.ratio = self._ratio(p.detach(), s.detach())
        self.discrimination = _core.sqrt(self.depth / self.excess).detach()

    def _ratio(self, p: Array, s: Array) -> Array:
        """The edge of the stopband of the lowpass of which this is a transform."""
        if self.kind == "lowpass":
            return s[0] / p[0]
        if self.kind == "highpass":
            return p[0] / s[0]
        ratio = (s**2 - p[0] * p[1]) / (s * (p[0] - p[1]))
        return _core.min(_core.abs(ratio if self.kind == "bandpass" else 1 / ratio))

    def moved(self, w: Array) -> Array:
        """Where a frequency of the lowpass whose passband ends at 1 comes to."""
        p = self.edges
        if self.kind == "lowpass":
            return p * w
        if self.kind == "highpass":
            return p / w
        width, centre = p[1] - p[0], p[0] * p[1]
        half = width / (2 * w) if self.kind == "bandstop" else w * width / 2
        root = _core.sqrt(half * half + centre)
        return _pair(root - half, root + half)

    def answer(self, order: int, w: Array) -> tuple[int, Array]:
        """Order and critical frequencies, in the units of the specification."""
        w = w if self.analog else _core.atan(w) * (2 / pi)
        w = w[0] if w.size == 1 else w
        return order, w if self.fs is None else w * self.fs / 2


def _least(order: Array) -> int:
    return int(_core.ceil(order))


def _narrowed(p: Array, s: Array) -> Array:
    """The edges of a passband around a stopband moved inwards, each alone, to where the order is least.

    There both edges of the stopband are at one frequency of the lowpass: their product is that of the edges of the passband.
    """
    centre = s[0] * s[1]
    low = _core.minimum(_core.maximum(centre / p[1], p[0]), s[0] - 1e-12)
    high = _core.maximum(_core.minimum(centre / p[0], p[1]), s[1] + 1e-12)
    return _core.concat([_core.reshape(low, 1), _core.reshape(high, 1)], 0)


def _pair(a: Array, b: Array) -> Array:
    return _core.sort(_core.abs(_core.concat([_core.reshape(a, 1), _core.reshape(b, 1)], 0)), -1)


def buttord(wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool = False, fs: Any = None) -> tuple[int, Array]:
    """The least order of a Butterworth filter within ``gpass`` dB up to ``wp`` and ``gstop`` dB down from ``ws`` on.

    The second result is its ``Wn``, which meets the passband exactly, differentiable in ``wp`` and ``gpass``. Two edges each
    make a band; units are those of `iirfilter`. For bandstops the passband is narrowed to where the order is least, in closed
    form where SciPy searches to 1e-5.

    Example
    -------
    >>> n, wn = sa.signal.buttord(0.2, 0.3, 3.0, 40.0)
    >>> n
    11
    """
    t = _Task("buttord", wp, ws, gpass, gstop, analog, fs)
    order = _least(_core.log(t.discrimination) / _core.log(t.ratio))
    # The cut-off of a lowpass whose passband ends at 1.
    w = t.excess ** (-1 / (2 * order))
    return t.answer(order, t.moved(w))


def cheb1ord(wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool = False, fs: Any = None) -> tuple[int, Array]:
    """The least order of `cheby1` for a specification as in `buttord`, and its ``Wn``, the edges of the passband.

    Example
    -------
    >>> sa.signal.cheb1ord(0.2, 0.3, 3.0, 40.0)
    (6, array(0.2))
    """
    t = _Task("cheb1ord", wp, ws, gpass, gstop, analog, fs)
    return t.answer(_least(_core.acosh(t.discrimination) / _core.acosh(t.ratio)), t.edges)


def cheb2ord(wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool = False, fs: Any = None) -> tuple[int, Array]:
    """The least order of `cheby2` for a specification as in `buttord`, and its ``Wn``, where the stopband begins.

    ``Wn`` is differentiable in ``wp``, ``gpass`` and ``gstop``.

    Example
    -------
    >>> n, wn = sa.signal.cheb2ord(0.2, 0.3, 3.0, 40.0)
    >>> n, sa.round(wn, 6)
    (6, array(0.274564))
    """
    t = _Task("cheb2ord", wp, ws, gpass, gstop, analog, fs)
    order = _least(_core.acosh(t.discrimination) / _core.acosh(t.ratio))
    # The frequency at which a lowpass of this order whose passband ends at 1 has fallen to gstop.
    w = _core.cosh(_core.acosh(_core.sqrt(t.depth / t.excess)) / order)
    return t.answer(order, t.moved(w))


def _periods(k: Array) -> Array:
    """K(k) / K(sqrt(1 - k^2))."""
    return _core.ellipkm1((1 - k) * (1 + k)) / _core.ellipkm1(k * k)


def ellipord(wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool = False, fs: Any = None) -> tuple[int, Array]:
    """The least order of `ellip` for a specification as in `buttord`, and its ``Wn``, the edges of the passband.

    Example
    -------
    >>> sa.signal.ellipord(0.2, 0.3, 3.0, 40.0)
    (4, array(0.2))
    """
    t = _Task("ellipord", wp, ws, gpass, gstop, analog, fs)
    order = _least(_periods(1 / t.ratio) / _periods(1 / t.discrimination))
    return t.answer(order, t.edges)


_ORDERS = {"butter": buttord, "cheby1": cheb1ord, "cheby2": cheb2ord, "ellip": ellipord}


@on_cpu
def iirdesign(
    wp: Any,
    ws: Any,
    gpass: Any,
    gstop: Any,
    analog: bool = False,
    ftype: str = "ellip",
    output: str = "ba",
    fs: Any = None,
) -> Any:
    """The recursive filter of least order within ``gpass`` dB in the passband ``wp`` and ``gstop`` dB down from ``ws`` on.

    ``ftype`` is "butter", "cheby1", "cheby2" or "ellip"; units and ``output`` as in `iirfilter`. Differentiable at the
    order that is found.

    Example
    -------
    >>> sa.signal.iirdesign(0.2, 0.3, 1.0, 40.0, output="sos").shape
    (2, 6)
    """
    if ftype not in _ORDERS:
        raise ValueError(f"iirdesign: ftype must be one of {', '.join(_ORDERS)}, got {ftype!r}")
    order, w = _ORDERS[ftype](wp, ws, gpass, gstop, analog, fs)
    kind = _Task("iirdesign", wp, ws, gpass, gstop, analog, fs).kind
    return iirfilter(order, w, gpass, gstop, kind, analog, ftype, output, fs)
