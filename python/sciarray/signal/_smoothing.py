"""Trends taken out, and smoothing by fits, ranks and local statistics."""

from __future__ import annotations

from itertools import product
from math import prod
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import at, inexact, integers, normalize_axis, on_cpu, read
from .._core import Array
from .._creation import asarray, ones
from .._manipulation import moveaxis, pad, stack
from .._statistics import mean
from ._convolution import convolved, correlate
from ._extension import extended

__all__ = ["detrend", "medfilt", "medfilt2d", "order_filter", "savgol_coeffs", "savgol_filter", "wiener"]


def detrend(data: Any, axis: int = -1, type: str = "linear", bp: Any = 0) -> Array:
    """``data`` less its least-squares line along an axis, or less its mean with ``type="constant"``.

    ``bp`` are places between which each piece has a line of its own.

    Example
    -------
    >>> sa.round(sa.signal.detrend(sa.asarray([1.0, 2.0, 4.0])), 6)
    array([ 0.166667, -0.333333,  0.166667])
    """
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError(f"detrend: type must be 'linear' or 'constant', got {type!r}")
    x = inexact(data)
    axis = normalize_axis("detrend", axis, x.ndim)
    if type[0] == "c":
        return x - mean(x, axis=axis, keepdims=True)
    n = x.shape[axis]
    edges = np.unique(np.concatenate([[0, n], read(bp).reshape(-1).astype(np.int64)]))
    if edges[-1] > n or edges[0] < 0:
        raise ValueError(f"detrend: break points must lie in the {n} samples of the axis, got {bp}")
    x = moveaxis(x, axis, -1)
    parts = []
    for start, stop in zip(edges, edges[1:]):
        part = x[..., int(start) : int(stop)]
        part = part - mean(part, axis=-1, keepdims=True)
        ramp = np.arange(stop - start) - (stop - start - 1) / 2
        if stop - start > 1:
            # Unit vector along the line, orthogonal to constants.
            unit = asarray(ramp / np.linalg.norm(ramp), dtype=part.dtype, device=part.device)
            part = part - _core.sum(part * unit, axis=-1, keepdims=True) * unit
        parts.append(part)
    y = parts[0] if len(parts) == 1 else _core.concat(parts, -1) if parts else x
    return moveaxis(y, -1, axis)


def _fit(length: int, order: int, deriv: int, at: np.ndarray) -> np.ndarray:
    """Rows of weights (places, length) that give the derivative of the least-squares polynomial at places of the window."""
    # Powers of [-1, 1] and Q of their columns, so that high orders stay accurate.
    scale = max((length - 1) / 2, 1)
    t = (np.arange(length) - (length - 1) / 2) / scale
    Q, R = np.linalg.qr(np.vander(t, order + 1, increasing=True))
    s = (np.asarray(at) - (length - 1) / 2) / scale
    k = np.arange(order + 1)
    factor = np.array([prod(range(j - deriv + 1, j + 1)) for j in k], dtype=np.float64)
    powers = np.where(k >= deriv, s[:, None] ** np.maximum(k - deriv, 0), 0.0) * factor / scale**deriv
    return np.linalg.solve(R.T, powers.T).T @ Q.T


def _check_window(name: str, window_length: int, polyorder: int) -> tuple[int, int]:
    length, order = index(window_length), index(polyorder)
    if length < 1 or not 0 <= order < length:
        raise ValueError(f"{name}: polyorder must be less than window_length, got {order} and {length}")
    return length, order


@on_cpu
def savgol_coeffs(
    window_length: int,
    polyorder: int,
    deriv: int = 0,
    delta: Any = 1.0,
    pos: float | None = None,
    use: str = "conv",
) -> Array:
    """Weights of the Savitzky-Golay filter: the ``deriv``-th derivative of the polynomial fitted to a window, at ``pos``.

    In the order of a convolution, or of a product with the window for ``use="dot"``; ``delta`` is the spacing of the
    samples, in which the weights are differentiable. A. Savitzky, M. Golay, Smoothing and differentiation of data by
    simplified least squares procedures, Anal. Chem. 36 (1964).

    Example
    -------
    >>> sa.round(sa.signal.savgol_coeffs(5, 2), 6)
    array([-0.085714,  0.342857,  0.485714,  0.342857, -0.085714])
    """
    length, order = _check_window("savgol_coeffs", window_length, polyorder)
    if use not in ("conv", "dot"):
        raise ValueError(f"savgol_coeffs: use must be 'conv' or 'dot', got {use!r}")
    if pos is None:
        pos = length // 2 - (0.5 if length % 2 == 0 else 0.0)
    if not 0 <= pos < length:
        raise ValueError(f"savgol_coeffs: pos must be in [0, {length}), got {pos}")
    w = _fit(length, order, deriv, np.asarray([pos]))[0] if deriv <= order else np.zeros(length)
    return asarray(w[::-1].copy() if use == "conv" else w) / asarray(delta, dtype=_core.float64) ** deriv


def savgol_filter(
    x: Any,
    window_length: int,
    polyorder: int,
    deriv: int = 0,
    delta: Any = 1.0,
    axis: int = -1,
    mode: str = "interp",
    cval: float = 0.0,
) -> Array:
    """Each sample replaced by the value, or derivative, there of the polynomial fitted to the window around it.

    ``mode`` is "interp" (at the ends, the polynomials of the first and last window), or an extension: "mirror", "constant"
    (with ``cval``), "nearest" or "wrap".

    Example
    -------
    >>> sa.round(sa.signal.savgol_filter((sa.arange(6.0) + 1) ** 2, 5, 2, deriv=1), 6)
    array([ 2.,  4.,  6.,  8., 10., 12.])
    """
    names = {"mirror": "reflect", "constant": "constant", "nearest": "edge", "wrap": "wrap", "interp": "interp"}
    if mode not in names:
        raise ValueError(f"savgol_filter: mode must be one of {', '.join(names)}, got {mode!r}")
    length, order = _check_window("savgol_filter", window_length, polyorder)
    x = inexact(x)
    axis = normalize_axis("savgol_filter", axis, x.ndim)
    n, half = x.shape[axis], length // 2
    weights = _core.astype(savgol_coeffs(length, order, deriv, delta), x.dtype).to(x.device)
    if mode != "interp":
        wide = extended("savgol_filter", x, half, half, names[mode], axis, cval)
        return convolved(wide, weights, axis)[at(axis, slice(2 * half, 2 * half + n))]
    if length > n:
        raise ValueError(f"savgol_filter: mode 'interp' needs at least window_length {length} samples, got {n}")
    inner = convolved(x, weights, axis)[at(axis, slice(2 * half, n))]
    x = moveaxis(x, axis, -1)
    scale = asarray(delta, dtype=_core.float64) ** deriv
    places = np.arange(half)
    ends = []
    for part, where in ((x[..., :length], places), (x[..., n - length :], length - half + places)):
        rows = _fit(length, order, deriv, where) if deriv <= order else np.zeros((half, length))
        fit = _core.astype(asarray(rows.T) / scale, x.dtype).to(x.device)
        ends.append(moveaxis(_core.matmul(part, fit), -1, axis))
    return _core.concat([ends[0], inner, ends[1]], axis)


def _windows(x: Array, sizes: tuple[int, ...]) -> Array:
    """The samples around each place, (..., k), beyond the edges 0."""
    padded = pad(x, [(k // 2, k // 2) for k in sizes])
    places = product(*(range(k) for k in sizes))
    parts = [padded[tuple(slice(j, j + n) for j, n in zip(place, x.shape))] for place in places]
    return stack(parts, -1)


def _kernel(name: str, size: Any, ndim: int) -> tuple[int, ...]:
    sizes = (3,) * ndim if size is None else integers(size)
    sizes = sizes * ndim if len(sizes) == 1 else sizes
    if len(sizes) != ndim or any(k < 1 or k % 2 == 0 for k in sizes):
        raise ValueError(f"{name}: the window must have an odd number of samples along each of {ndim} axes, got {size}")
    return sizes


def medfilt(volume: Any, kernel_size: Any = None) -> Array:
    """The median of the window around each sample, beyond the edges 0; ``kernel_size`` is odd, 3 by default.

    Example
    -------
    >>> sa.signal.medfilt(sa.asarray([1.0, 9.0, 2.0, 3.0]))
    array([1., 2., 3., 2.])
    """
    x = asarray(volume)
    sizes = _kernel("medfilt", kernel_size, x.ndim)
    return _core.sort(_windows(x, sizes), -1)[..., prod(sizes) // 2]


def medfilt2d(input: Any, kernel_size: Any = 3) -> Array:
    """`medfilt` of a matrix.

    Example
    -------
    >>> sa.signal.medfilt2d(sa.ones((3, 3)))[1]
    array([1., 1., 1.])
    """
    x = asarray(input)
    if x.ndim != 2:
        raise ValueError(f"medfilt2d: a matrix is required, got shape {x.shape}")
    return medfilt(x, kernel_size)


def order_filter(a: Any, domain: Any, rank: int) -> Array:
    """The element of a rank, from 0 for the least, among those of the window where ``domain`` is not 0; beyond the edges 0.

    Example
    -------
    >>> sa.signal.order_filter(sa.asarray([1.0, 9.0, 2.0, 3.0]), [1, 1, 1], 2)
    array([9., 9., 9., 3.])
    """
    x, mask = asarray(a), read(domain)
    sizes = _kernel("order_filter", mask.shape, x.ndim)
    chosen = np.flatnonzero(mask)
    if not 0 <= rank < chosen.size:
        raise ValueError(f"order_filter: rank must be in [0, {chosen.size}), got {rank}")
    return _core.sort(_windows(x, sizes)[..., asarray(chosen)], -1)[..., rank]


def wiener(im: Any, mysize: Any = None, noise: Any = None) -> Array:
    """Wiener's filter: towards the local mean, the more the nearer the local variance is to that of the ``noise``.

    ``mysize`` is the odd length of the window, 3 by default; the noise's variance is the mean of the local ones unless
    given. J. Lim, Two-dimensional signal and image processing, Prentice-Hall (1990).

    Example
    -------
    >>> sa.signal.wiener(sa.asarray([0.0, 2.0, 0.0, 2.0]), noise=10.0)[1:3]
    array([0.66666667, 1.33333333])
    """
    x = inexact(im)
    sizes = _kernel("wiener", mysize, x.ndim)
    box, count = ones(sizes, x.dtype, device=x.device), float(prod(sizes))
    local = correlate(x, box, "same") / count
    variance = correlate(x * x, box, "same") / count - local * local
    level = mean(variance) if noise is None else inexact(noise)
    quiet = variance < level
    shrunk = (x - local) * (1 - level / _core.where(quiet, 1.0, variance)) + local
    return _core.where(quiet, local, shrunk)
