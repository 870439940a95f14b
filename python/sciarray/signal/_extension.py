"""Signals continued beyond their ends."""

from __future__ import annotations

import numpy as np

from .. import _core
from .._core import Array
from .._creation import asarray
from .._manipulation import moveaxis, pad

_PADS = {"constant", "edge", "reflect", "symmetric", "wrap"}
MODES = (*sorted(_PADS), "antireflect", "antisymmetric", "line", "smooth")


def extended(name: str, x: Array, before: int, after: int, mode: str, axis: int, cval: float = 0.0) -> Array:
    """``x`` with samples added along an axis.

    ``symmetric`` repeats the end sample and ``reflect`` does not; ``antisymmetric`` changes the sign of the mirror image,
    ``antireflect`` turns it about the end sample. ``line`` goes on with the line through the first and the last sample,
    ``smooth`` with that through the two at the end.
    """
    if mode not in MODES:
        raise ValueError(f"{name}: the extension must be one of {', '.join(MODES)}, got {mode!r}")
    if before == after == 0:
        return x
    if mode in _PADS:
        return pad(x, {axis: (before, after)}, mode, constant_values=cval)
    x = moveaxis(x, axis, -1)
    n = x.shape[-1]
    t = np.arange(-before, n + after)
    first, last = x[..., :1], x[..., -1:]
    if mode == "antisymmetric":
        y = x[..., asarray(_mirror(t, n))] * _constant(1.0 - 2.0 * (np.floor_divide(t, n) % 2), x)
    elif n == 1:
        y = _core.broadcast_to(x, (*x.shape[:-1], t.size))
    elif mode == "smooth":
        left = first + _constant(t[:before] * 1.0, x) * (x[..., 1:2] - first)
        right = last + _constant(t[before + n :] - (n - 1.0), x) * (last - x[..., -2:-1])
        y = _core.concat([left, x, right], -1)
    else:
        slope = (last - first) / (n - 1)
        y = first + _constant(t * 1.0, x) * slope
        if mode == "antireflect":
            # What is left over the line is 0 at both ends and goes on as an odd function.
            rest = x - y[..., before : before + n]
            period = np.floor_divide(t, n - 1)
            odd = period % 2
            place = np.where(odd, (period + 1) * (n - 1) - t, t - period * (n - 1))
            y = y + rest[..., asarray(place)] * _constant(1.0 - 2.0 * odd, x)
        y = _core.concat([y[..., :before], x, y[..., before + n :]], -1)
    return moveaxis(y, -1, axis)


def _mirror(t: np.ndarray, n: int) -> np.ndarray:
    """Places of a sequence of n that goes back and forth, its ends twice."""
    r = t % (2 * n)
    return np.where(r < n, r, 2 * n - 1 - r)


def _constant(values: np.ndarray, like: Array) -> Array:
    single = like.dtype.name in ("float32", "complex64")
    return asarray(values, dtype=_core.float32 if single else _core.float64, device=like.device)
