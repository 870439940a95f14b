"""Waveforms, as differentiable functions of time and parameters."""

from __future__ import annotations

from math import log, pi
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import all_inexact, inexact, integers
from .._core import Array
from .._creation import DTypeLike, asarray

__all__ = ["chirp", "gausspulse", "sawtooth", "square", "sweep_poly", "unit_impulse"]


def chirp(
    t: Any,
    f0: Any,
    t1: Any,
    f1: Any,
    method: str = "linear",
    phi: Any = 0,
    vertex_zero: bool = True,
    *,
    complex: bool = False,
) -> Array:
    """A cosine whose frequency goes from ``f0`` at time 0 to ``f1`` at ``t1``; ``phi`` is a phase in degrees.

    ``method`` is "linear", "quadratic" (slope 0 at time 0, or at ``t1`` without ``vertex_zero``), "logarithmic" or
    "hyperbolic". ``complex`` makes the analytic exponential. Differentiable in all numbers.

    Example
    -------
    >>> sa.signal.chirp(sa.asarray([0.0, 0.5]), 1.0, 1.0, 1.0)
    array([ 1., -1.])
    """
    t, f0, t1, f1, phi = (asarray(v, dtype=_core.float64) for v in (t, f0, t1, f1, phi))
    kinds = {"linear": "lin li", "quadratic": "quad q", "logarithmic": "log lo", "hyperbolic": "hyp"}
    kind = next((k for k, names in kinds.items() if method in (k, *names.split())), None)
    if kind == "linear":
        turns = t * f0 + (f1 - f0) / (2 * t1) * t * t
    elif kind == "quadratic":
        beta = (f1 - f0) / (t1 * t1)
        turns = f0 * t + beta * t**3 / 3 if vertex_zero else f1 * t + beta * ((t1 - t) ** 3 - t1**3) / 3
    elif kind == "logarithmic":
        # Frequencies f0 exp(rate t); equal ones make a plain cosine.
        rate = _core.log(f1 / f0) / t1
        same = rate == 0
        safe = _core.where(same, 1.0, rate)
        turns = f0 * _core.where(same, t, _core.expm1(safe * t) / safe)
    elif kind == "hyperbolic":
        same = f0 == f1
        singular = -f1 * t1 / _core.where(same, 1.0, f0 - f1)
        turns = f0 * _core.where(same, t, -singular * _core.log(_core.abs(1 - t / singular)))
    else:
        raise ValueError(f"chirp: method must be one of {', '.join(kinds)}, got {method!r}")
    phase = 2 * pi * turns + phi * (pi / 180)
    return _core.complex(_core.cos(phase), _core.sin(phase)) if complex else _core.cos(phase)


def sweep_poly(t: Any, poly: Any, phi: Any = 0) -> Array:
    """A cosine whose frequency is a polynomial of time, coefficients highest power first; ``phi`` in degrees.

    Example
    -------
    >>> sa.signal.sweep_poly(sa.asarray([0.0, 0.5]), [1.0])
    array([ 1., -1.])
    """
    t, p, phi = (asarray(v, dtype=_core.float64) for v in (t, poly, phi))
    if p.ndim != 1:
        raise ValueError(f"sweep_poly: the coefficients must be a vector, got shape {p.shape}")
    turns = 0 * t
    for i in range(p.size):
        turns = turns * t + p[i] / (p.size - i)
    return _core.cos(2 * pi * turns * t + phi * (pi / 180))


def sawtooth(t: Any, width: Any = 1) -> Array:
    """A sawtooth of period 2 pi that rises from -1 to 1 over the part ``width`` of it and falls over the rest.

    NaN where the width is not in [0, 1]. Differentiable in both.

    Example
    -------
    >>> sa.signal.sawtooth(sa.asarray([0.0, sa.pi]))
    array([-1.,  0.])
    """
    t, w = all_inexact("sawtooth", [t, asarray(width, dtype=_core.float64)])
    phase = _core.remainder(t, 2 * pi)
    rising = phase < w * (2 * pi)
    up = phase / (pi * _core.where(rising, w, 1.0)) - 1
    down = (pi * (w + 1) - phase) / (pi * _core.where(rising, 1.0, 1 - w))
    y = _core.where(rising, up, down)
    return _core.where(_core.logical_and(w >= 0, w <= 1), y, float("nan"))


def square(t: Any, duty: Any = 0.5) -> Array:
    """A square wave of period 2 pi: 1 over the part ``duty`` of it, then -1; NaN where that is not in [0, 1].

    Example
    -------
    >>> sa.signal.square(sa.asarray([0.0, 4.0]))
    array([ 1., -1.])
    """
    t, d = all_inexact("square", [t, asarray(duty, dtype=_core.float64)])
    y = _core.where(_core.remainder(t, 2 * pi) < d * (2 * pi), 1.0, -1.0)
    return _core.where(_core.logical_and(d >= 0, d <= 1), y, float("nan"))


def gausspulse(
    t: Any, fc: Any = 1000, bw: Any = 0.5, bwr: Any = -6, tpr: Any = -60, retquad: bool = False, retenv: bool = False
) -> Any:
    """A cosine of frequency ``fc`` under a Gaussian of the relative bandwidth ``bw`` at ``bwr`` dB.

    ``retquad`` adds the sine under it and ``retenv`` the Gaussian to the result. ``t="cutoff"`` asks for the time at which the
    Gaussian has fallen to ``tpr`` dB. Differentiable in all numbers.

    Example
    -------
    >>> sa.signal.gausspulse(0.0, fc=5.0)
    array(1.)
    """
    fc, bw, bwr, tpr = (asarray(v, dtype=_core.float64) for v in (fc, bw, bwr, tpr))
    # exp(-a t^2) has the transform sqrt(pi / a) exp(-pi^2 f^2 / a).
    a = -_core.square(pi * fc * bw) / (4 * (bwr * (log(10) / 20)))
    if isinstance(t, str):
        if t != "cutoff":
            raise ValueError(f"gausspulse: t must be times or 'cutoff', got {t!r}")
        return _core.sqrt(-(tpr * (log(10) / 20)) / a)
    t = inexact(t)
    envelope = _core.exp(-a * t * t)
    angle = 2 * pi * fc * t
    out = [envelope * _core.cos(angle)]
    if retquad:
        out.append(envelope * _core.sin(angle))
    if retenv:
        out.append(envelope)
    return out[0] if len(out) == 1 else tuple(out)


def unit_impulse(shape: Any, idx: Any = None, dtype: DTypeLike = float) -> Array:
    """Zeros with a 1 at index ``idx``: the first element, "mid" for the middle, a place on all axes, or one for each.

    Example
    -------
    >>> sa.signal.unit_impulse(4, 2)
    array([0., 0., 1., 0.])
    """
    sizes = integers(shape)
    if idx is None:
        place = (0,) * len(sizes)
    elif isinstance(idx, str):
        if idx != "mid":
            raise ValueError(f"unit_impulse: idx must be an index or 'mid', got {idx!r}")
        place = tuple(n // 2 for n in sizes)
    else:
        place = integers(idx)
        place = place * len(sizes) if len(place) == 1 else place
    y = np.zeros(sizes)
    y[tuple(index(i) for i in place)] = 1
    return asarray(y, dtype=dtype)
