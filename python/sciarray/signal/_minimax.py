"""Filters of least greatest error, by Remez' exchange."""

from __future__ import annotations

from math import ceil
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import read
from .._core import Array
from .._creation import asarray, zeros

__all__ = ["remez"]

_TYPES = ("bandpass", "differentiator", "hilbert")


def _barycentric(x: np.ndarray) -> np.ndarray:
    """The weights of interpolation at x up to a factor, by logarithms, which do not overflow."""
    gaps = x[:, None] - x
    np.fill_diagonal(gaps, 1.0)
    logs = -np.log(np.abs(gaps)).sum(1)
    return np.prod(np.sign(gaps), axis=1) * np.exp(logs - logs.max())


def _interpolated(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The polynomial through (x, y)."""
    w = _barycentric(x)
    distance = at[:, None] - x
    hit = distance == 0
    terms = w / np.where(hit, 1.0, distance)
    value = (terms @ y) / terms.sum(1)
    row, column = np.nonzero(hit)
    value[row] = y[column]
    return value


def _levelled(x: np.ndarray, desired: np.ndarray, weight: np.ndarray) -> float:
    """The error that alternates at the points x, times the weight, of the polynomial that is otherwise as desired."""
    w = _barycentric(x)
    return float((w @ desired) / (w @ ((-1.0) ** np.arange(x.size) / weight)))


def _extremes(error: np.ndarray, first: np.ndarray, count: int) -> np.ndarray | None:
    """Where the error has its ``count`` greatest extremes of alternating signs; ``first`` tells where bands begin."""
    size = np.abs(error)
    last = np.append(first[1:], True)
    rises = np.append(True, error[1:] * np.sign(error[1:]) >= error[:-1] * np.sign(error[1:])) | first
    falls = np.append(error[:-1] * np.sign(error[:-1]) > error[1:] * np.sign(error[:-1]), True) | last
    kept: list[int] = []
    for i in np.flatnonzero(rises & falls & (size > 0)):
        if kept and (error[kept[-1]] > 0) == (error[i] > 0):
            if size[i] > size[kept[-1]]:
                kept[-1] = int(i)
        else:
            kept.append(int(i))
    while len(kept) > count:
        if len(kept) - count == 1:
            kept.pop(0 if size[kept[0]] < size[kept[-1]] else -1)
            continue
        # Two neighbours leave together, so that the signs alternate on.
        k = int(np.argmin([max(size[i], size[j]) for i, j in zip(kept, kept[1:])]))
        del kept[k : k + 2]
    return np.asarray(kept) if len(kept) == count else None


class _Task:
    """Frequencies in cycles per sample, and the functions whose sum is the amplitude: cosines, or sines, of ``turns``."""

    def __init__(self, numtaps: int, kind: str) -> None:
        self.taps, self.odd = numtaps, kind != "bandpass"
        self.slope = kind == "differentiator"
        whole = numtaps % 2 == 1
        self.count = numtaps // 2 + (whole and not self.odd)
        self.turns = np.arange(self.count) + ((1.0 if self.odd else 0.0) if whole else 0.5)
        # Whether all of these functions vanish at the frequencies 0 and 1/2.
        self.vanishes = self.odd, self.odd == whole

    def factor(self, f: np.ndarray) -> np.ndarray:
        """What makes a polynomial in cos(2 pi f) the amplitude."""
        at_0, at_half = self.vanishes
        if at_0 and at_half:
            return np.sin(2 * np.pi * f)
        return np.sin(np.pi * f) if at_0 else np.cos(np.pi * f) if at_half else np.ones_like(f)

    def amplitude(self, f: Array, c: Array) -> tuple[Array, Array, Array]:
        """The amplitude with two derivatives."""
        w = asarray(2 * np.pi * self.turns)
        angle = f[:, None] * w
        co, si = _core.cos(angle), _core.sin(angle)
        y, dy = (si, w * co) if self.odd else (co, -w * si)
        return tuple(_core.sum(v * c, 1) for v in (y, dy, -w * w * y))  # type: ignore[return-value]

    def impulse(self, c: Array) -> Array:
        """The taps of these coefficients."""
        before, after = (c / 2, -c / 2) if self.odd else (c / 2, c / 2)
        if self.taps % 2 == 0:
            return _core.concat([before[::-1], after], 0)
        if self.odd:
            return _core.concat([before[::-1], zeros(1), after], 0)
        return _core.concat([before[1:][::-1], c[:1], after[1:]], 0)


def remez(
    numtaps: int,
    bands: Any,
    desired: Any,
    *,
    weight: Any = None,
    type: str = "bandpass",
    maxiter: int = 25,
    grid_density: int = 16,
    fs: float | None = None,
) -> Array:
    """The taps of the linear-phase filter with the least greatest weighted error in bands of frequencies.

    ``bands`` are 2k rising edges between 0 and fs/2, fs being 1 unless given, ``desired`` is the gain in each of the k bands
    and ``weight`` (k,) that of its error. ``type`` is "bandpass", "differentiator" (a gain proportional to frequency, with
    a relative error) or "hilbert" (an antisymmetric filter). The exchange runs on a grid of ``grid_density`` points
    per extreme and raises ValueError if it has not settled after ``maxiter`` rounds; then extremes leave the grid, so the
    filter is the optimum itself and not, as SciPy's, that of the grid. Differentiable in ``bands``, ``desired`` and
    ``weight`` up to the third order. J. McClellan, T. Parks, L. Rabiner, A computer program for designing optimum FIR
    linear phase digital filters, IEEE Trans. Audio Electroacoustics 21 (1973).

    Example
    -------
    >>> h = sa.signal.remez(7, [0.0, 0.1, 0.3, 0.5], [1.0, 0.0])
    >>> bool(sa.all(h == h[::-1]))
    True
    """
    numtaps, density = index(numtaps), index(grid_density)
    if type not in _TYPES:
        raise ValueError(f"remez: type must be one of {', '.join(_TYPES)}, got {type!r}")
    rate = 1.0 if fs is None else fs
    edges, gains = (_core.reshape(asarray(x, dtype=_core.float64), -1) for x in (bands, desired))
    edges = edges / rate
    weights = asarray(np.ones(gains.size) if weight is None else weight, dtype=_core.float64)
    if edges.size != 2 * gains.size or weights.shape != gains.shape:
        raise ValueError(
            "remez: two edges, a gain and a weight for each band are required, "
            f"got {edges.size}, {gains.size} and {weights.size} values"
        )
    at, gain, part = (read(x, "remez") for x in (edges, gains, weights))
    if gain.size == 0 or at[0] < 0 or at[-1] > 0.5 or (np.diff(at) <= 0).any():
        raise ValueError(f"remez: bands must rise between 0 and fs / 2 = {rate / 2:g}, got {at * rate}")
    if not (part > 0).all():
        raise ValueError(f"remez: weights must be positive, got {part}")
    if numtaps < 3 or density < 1:
        raise ValueError(f"remez: at least 3 taps and a grid density of 1 are required, got {numtaps} and {density}")
    task = _Task(numtaps, type)
    step = 0.5 / (density * task.count)
    # No band reaches a frequency at which the filter has no gain whatever its taps.
    low = np.where(at[::2] < step, step, at[::2]) if task.vanishes[0] else at[::2]
    high = np.where(at[1::2] > 0.5 - step, 0.5 - step, at[1::2]) if task.vanishes[1] else at[1::2]
    grids = [np.linspace(a, b, max(2, ceil((b - a) / step) + 1)) for a, b in zip(low, high)]
    f, band = np.concatenate(grids), np.repeat(np.arange(gain.size), [g.size for g in grids])
    places = _exchange(task, f, band, gain, part, maxiter)
    band = band[places]
    signs = asarray((-1.0) ** np.arange(places.size))
    which = asarray(band)
    relative = asarray(task.slope & (gain[band] >= 1e-4))

    def round_of(f: Array, gains: Array, weights: Array) -> tuple[Array, Array, Array]:
        """The coefficients whose error alternates at f, Newton's step to its extremes, and whether these are peaks."""
        d, w = gains[which], weights[which]
        angle = f[:, None] * asarray(2 * np.pi * task.turns)
        functions = _core.sin(angle) if task.odd else _core.cos(angle)
        column = signs / w * (_core.where(relative, f, 1.0) if task.slope else 1.0)
        wanted = d * f if task.slope else d
        solution = _core.solve(_core.concat([functions, column[:, None]], 1), wanted[:, None])[:, 0]
        c = solution[:-1]
        y, dy, ddy = task.amplitude(f, c)
        if task.slope:
            # Of A / f - d, and of A - d f.
            dy, ddy = _core.where(relative, dy * f - y, dy - d), _core.where(relative, ddy * f, ddy)
        peak = -solution[-1] * signs * ddy < 0
        return c, -_core.where(peak, dy, 0.0) / _core.where(peak, ddy, 1.0), peak

    first, last = low[band], high[band]
    x = f[places]
    for _ in range(8):
        _, by, peak = (np.asarray(v) for v in round_of(asarray(x), asarray(gain), asarray(part)))
        x = np.where(peak & (np.abs(by) < step), np.clip(x + by, first, last), x)
    # Points at edges follow these, unless they were moved off, and others their extremes. The coefficients heed the latter to
    # second order only, so this carries three orders of derivatives.
    inside = asarray((x > first) & (x < last))
    is_low = x == first
    moved = np.where(is_low, first != at[::2][band], last != at[1::2][band])
    own = _core.where(asarray(is_low), edges[asarray(2 * band)], edges[asarray(2 * band + 1)])
    points = _core.where(_core.logical_or(inside, asarray(moved)), asarray(x), own)
    _, turn, _ = round_of(points, gains, weights)
    return task.impulse(round_of(_core.where(inside, points + turn, points), gains, weights)[0])


def _begins(band: np.ndarray) -> np.ndarray:
    return np.append(True, band[1:] != band[:-1])


def _exchange(
    task: _Task, f: np.ndarray, band: np.ndarray, gain: np.ndarray, weight: np.ndarray, maxiter: int
) -> np.ndarray:
    """The points of the grid between which the best filter's error alternates."""
    scale = np.where(task.slope & (gain[band] >= 1e-4), f, 1.0)
    factor = task.factor(f)
    desired = gain[band] * (f if task.slope else 1.0) / factor
    w = weight[band] / scale * factor
    x, n = np.cos(2 * np.pi * f), task.count + 1
    if f.size < n:
        raise ValueError(f"remez: the grid has {f.size} points where {n} are required; increase grid_density")
    places = np.round(np.linspace(0, f.size - 1, n)).astype(np.int64)
    for _ in range(maxiter):
        at = x[places]
        level = _levelled(at, desired[places], w[places])
        # The polynomial is determined by all points but one.
        values = desired[places] - (-1.0) ** np.arange(n) * level / w[places]
        error = w * (desired - _interpolated(at[:-1], values[:-1], x))
        error[places] = (-1.0) ** np.arange(n) * level
        found = _extremes(error, _begins(band), n)
        if found is None:
            # The error is rounding: the filter is exact.
            if np.abs(error).max() <= 1e-9 * max(1.0, np.abs(w * desired).max()):
                return places
            break
        if np.array_equal(found, places) or np.abs(error).max() <= abs(level) * (1 + 1e-12):
            return found
        places = found
    raise ValueError(f"remez: no convergence after {maxiter} rounds; widen transitions or change the number of taps")
