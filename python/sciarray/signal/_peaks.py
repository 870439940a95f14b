"""Peaks of a signal, found outside of gradients and recordings; take values there, ``x[peaks]``, for derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np

from .._arguments import normalize_axis, on_cpu, read
from .._core import Array
from .._creation import asarray

__all__ = ["argrelextrema", "argrelmax", "argrelmin", "find_peaks", "peak_prominences", "peak_widths"]

Host = dict[str, np.ndarray]


def _signal(name: str, x: Any) -> np.ndarray:
    v = np.asarray(read(x, name), dtype=np.float64)
    if v.ndim != 1:
        raise ValueError(f"{name}: the signal must be a vector, got shape {v.shape}")
    return v


def _plateaus(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last samples of runs of equal values that are above both neighbours."""
    if x.size < 3:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty
    starts = np.flatnonzero(np.concatenate([[True], x[1:] != x[:-1]]))
    ends = np.concatenate([starts[1:], [x.size]]) - 1
    level = x[starts]
    above = np.zeros(starts.size, dtype=bool)
    above[1:-1] = (level[1:-1] > level[:-2]) & (level[1:-1] > level[2:])
    return starts[above], ends[above]


def _within(name: str, condition: Any, values: np.ndarray, x: np.ndarray, peaks: np.ndarray) -> np.ndarray:
    """Which values satisfy a condition: a least one, or a pair of least and greatest, each a number or one per sample."""
    try:
        low, high = condition
    except (TypeError, ValueError):
        low, high = condition, None
    keep = np.ones(values.size, dtype=bool)
    for bound, sign in ((low, 1), (high, -1)):
        if bound is None:
            continue
        b = np.asarray(bound if isinstance(bound, (int, float)) else read(bound, "find_peaks"))
        if b.ndim and b.size != x.size:
            raise ValueError(
                f"find_peaks: {name} must have one bound, or one for each of {x.size} samples, got {b.size}"
            )
        b = b[peaks] if b.ndim else b
        keep &= sign * values >= sign * b
    return keep


def _apart(peaks: np.ndarray, heights: np.ndarray, distance: float) -> np.ndarray:
    """Which peaks stay when, from the highest down, each removes those nearer than the distance."""
    least = ceil(distance)
    keep = np.ones(peaks.size, dtype=bool)
    for j in np.argsort(heights)[::-1]:
        if keep[j]:
            low, high = np.searchsorted(peaks, [peaks[j] - least + 1, peaks[j] + least])
            keep[low:high] = False
            keep[j] = True
    return keep


def _prominences(x: np.ndarray, peaks: np.ndarray, wlen: float | None) -> Host:
    if wlen is not None and wlen <= 1:
        raise ValueError(f"peak_prominences: wlen must be greater than 1, got {wlen}")
    reach = x.size if wlen is None else ceil(wlen) // 2
    out = np.zeros((3, peaks.size))
    for i, p in enumerate(peaks):
        bases = []
        for side in (x[max(p - reach, 0) : p + 1][::-1], x[p : p + reach + 1]):
            higher = ~(side <= x[p])
            stop = int(np.argmax(higher)) if higher.any() else side.size
            bases.append(int(np.argmin(side[:stop])) if stop else 0)
        left, right = p - bases[0], p + bases[1]
        out[:, i] = x[p] - max(x[left], x[right]), left, right
    if (out[0] == 0).any():
        warnings.warn("peak_prominences: some peaks have a prominence of 0", stacklevel=4)
    return {"prominences": out[0], "left_bases": out[1].astype(np.int64), "right_bases": out[2].astype(np.int64)}


def _widths(x: np.ndarray, peaks: np.ndarray, rel_height: float, found: Host) -> Host:
    if rel_height < 0:
        raise ValueError(f"peak_widths: rel_height must not be negative, got {rel_height}")
    heights = x[peaks] - found["prominences"] * rel_height
    crossings = np.zeros((2, peaks.size))
    for i, (p, height) in enumerate(zip(peaks, heights)):
        for k, base in enumerate((found["left_bases"][i], found["right_bases"][i])):
            step = 1 if k else -1
            line = x[p : base + 1] if k else x[base : p + 1][::-1]
            below = ~(height < line)
            j = int(np.argmax(below)) if below.any() else line.size - 1
            # Between this sample and the one before, nearer to the peak.
            part = (height - line[j]) / (line[j - 1] - line[j]) if line[j] < height else 0.0
            crossings[k, i] = p + step * (j - part)
    widths = crossings[1] - crossings[0]
    if (widths == 0).any():
        warnings.warn("peak_widths: some peaks have a width of 0", stacklevel=4)
    return {"widths": widths, "width_heights": heights, "left_ips": crossings[0], "right_ips": crossings[1]}


@on_cpu
def find_peaks(
    x: Any,
    height: Any = None,
    threshold: Any = None,
    distance: float | None = None,
    prominence: Any = None,
    width: Any = None,
    wlen: float | None = None,
    rel_height: float = 0.5,
    plateau_size: Any = None,
) -> tuple[Array, dict[str, Array]]:
    """Places of the local maxima of a vector that satisfy conditions, and the properties that these looked at.

    ``height``, ``threshold`` (over the neighbours), ``prominence``, ``width`` and ``plateau_size`` are a least value or a pair
    (least, greatest), each a number, one per sample, or None; ``distance`` removes the lower of near peaks. The middle
    of a plateau is its place. Not differentiable: read the values at the places for that.

    Example
    -------
    >>> peaks, properties = sa.signal.find_peaks([0.0, 2.0, 0.0, 1.0, 0.0], height=1.5)
    >>> peaks
    array([1])
    """
    v = _signal("find_peaks", x)
    if distance is not None and distance < 1:
        raise ValueError(f"find_peaks: distance must be at least 1, got {distance}")
    left, right = _plateaus(v)
    peaks = (left + right) // 2
    found: Host = {}

    def kept(keep: np.ndarray) -> None:
        nonlocal peaks
        peaks = peaks[keep]
        for key in found:
            found[key] = found[key][keep]

    if plateau_size is not None:
        found |= {"plateau_sizes": right - left + 1, "left_edges": left, "right_edges": right}
        kept(_within("plateau_size", plateau_size, found["plateau_sizes"], v, peaks))
    if height is not None:
        found["peak_heights"] = v[peaks]
        kept(_within("height", height, found["peak_heights"], v, peaks))
    if threshold is not None:
        sides = np.stack([v[peaks] - v[peaks - 1], v[peaks] - v[peaks + 1]])
        low, high = threshold if isinstance(threshold, (tuple, list)) and len(threshold) == 2 else (threshold, None)
        keep = _within("threshold", (low, None), sides.min(0), v, peaks)
        keep &= _within("threshold", (None, high), sides.max(0), v, peaks)
        found |= {"left_thresholds": sides[0], "right_thresholds": sides[1]}
        kept(keep)
    if distance is not None:
        kept(_apart(peaks, v[peaks], distance))
    if prominence is not None or width is not None:
        found |= _prominences(v, peaks, wlen)
    if prominence is not None:
        kept(_within("prominence", prominence, found["prominences"], v, peaks))
    if width is not None:
        found |= _widths(v, peaks, rel_height, found)
        kept(_within("width", width, found["widths"], v, peaks))
    return asarray(peaks), {key: asarray(value) for key, value in found.items()}


def _places(name: str, peaks: Any, n: int) -> np.ndarray:
    p = read(peaks, name)
    p = p.astype(np.int64) if p.size == 0 else p
    if p.ndim != 1 or p.dtype.kind not in "iu" or (p.size and not (0 <= p.min() and p.max() < n)):
        raise ValueError(f"{name}: peaks must be places in a signal of {n} samples, got {p}")
    return p


@on_cpu
def peak_prominences(x: Any, peaks: Any, wlen: float | None = None) -> tuple[Array, Array, Array]:
    """How far each peak stands above the higher of the lowest points on its sides, up to higher peaks; and these points.

    Only ``wlen`` samples around a peak count, all unless given.

    Example
    -------
    >>> sa.signal.peak_prominences([0.0, 2.0, 1.0, 3.0, 0.0], [1, 3])[0]
    array([1., 3.])
    """
    v = _signal("peak_prominences", x)
    found = _prominences(v, _places("peak_prominences", peaks, v.size), wlen)
    return asarray(found["prominences"]), asarray(found["left_bases"]), asarray(found["right_bases"])


@on_cpu
def peak_widths(
    x: Any,
    peaks: Any,
    rel_height: float = 0.5,
    prominence_data: tuple[Any, Any, Any] | None = None,
    wlen: float | None = None,
) -> tuple[Array, Array, Array, Array]:
    """The width of each peak at a part of its prominence below the top; the height there, and the left and right crossing.

    Example
    -------
    >>> sa.signal.peak_widths([0.0, 1.0, 2.0, 1.0, 0.0], [2])[0]
    array([2.])
    """
    v = _signal("peak_widths", x)
    places = _places("peak_widths", peaks, v.size)
    if prominence_data is None:
        found = _prominences(v, places, wlen)
    else:
        found = dict(
            zip(("prominences", "left_bases", "right_bases"), (read(v, "peak_widths") for v in prominence_data))
        )
    a, b, c, d = _widths(v, places, rel_height, found).values()
    return asarray(a), asarray(b), asarray(c), asarray(d)


@on_cpu
def argrelextrema(
    data: Any,
    comparator: Callable[[np.ndarray, np.ndarray], np.ndarray],
    axis: int = 0,
    order: int = 1,
    mode: str = "clip",
) -> tuple[Array, ...]:
    """Indices of elements for which ``comparator`` with each of ``order`` neighbours on both sides along an axis is true.

    Beyond the ends lies the last element ("clip") or the other end ("wrap").

    Example
    -------
    >>> sa.signal.argrelextrema(sa.asarray([1, 3, 2, 4, 0]), np.greater)
    (array([1, 3]),)
    """
    v = read(data, "argrelextrema")
    axis = normalize_axis("argrelextrema", axis, v.ndim)
    if order < 1:
        raise ValueError(f"argrelextrema: order must be at least 1, got {order}")
    n = v.shape[axis]
    found = np.ones(v.shape, dtype=bool)
    for shift in range(1, order + 1):
        for places in (np.arange(n) + shift, np.arange(n) - shift):
            found &= comparator(v, v.take(places, axis=axis, mode=mode))  # type: ignore[call-overload]
    return tuple(asarray(i) for i in np.nonzero(found))


def argrelmax(data: Any, axis: int = 0, order: int = 1, mode: str = "clip") -> tuple[Array, ...]:
    """`argrelextrema` of elements greater than their neighbours.

    Example
    -------
    >>> sa.signal.argrelmax(sa.asarray([1, 3, 2]))
    (array([1]),)
    """
    return argrelextrema(data, np.greater, axis, order, mode)


def argrelmin(data: Any, axis: int = 0, order: int = 1, mode: str = "clip") -> tuple[Array, ...]:
    """`argrelextrema` of elements less than their neighbours.

    Example
    -------
    >>> sa.signal.argrelmin(sa.asarray([1, 0, 2]))
    (array([1]),)
    """
    return argrelextrema(data, np.less, axis, order, mode)
