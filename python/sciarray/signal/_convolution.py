"""Convolution and correlation: directly, by one Fourier transform, or by overlapping blocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import product
from math import log2
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import Axis, normalize_axes, promoted
from .._core import Array, DType
from .._creation import arange, asarray, zeros
from .._manipulation import flip, moveaxis, pad
from .._numeric import convolve as _convolve_vectors
from ..fft import fftn, ifftn, irfftn, next_fast_len, rfftn

__all__ = [
    "choose_conv_method",
    "convolution_matrix",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "correlation_lags",
    "fftconvolve",
    "oaconvolve",
]

_MODES = ("full", "same", "valid")


def _check_mode(name: str, mode: str) -> None:
    if mode not in _MODES:
        raise ValueError(f"{name}: mode must be 'full', 'same' or 'valid', got {mode!r}")


def _pair(name: str, in1: Any, in2: Any) -> tuple[Array, Array]:
    a, b = promoted(name, [in1, in2])
    if a.ndim != b.ndim:
        raise ValueError(f"{name}: the inputs must have one number of axes, got shapes {a.shape} and {b.shape}")
    return a, b


def _ordered(name: str, a: Array, b: Array, mode: str, axes: Sequence[int]) -> tuple[Array, Array]:
    """The inputs with the longer first, where only full overlaps count."""
    if mode != "valid" or all(a.shape[i] >= b.shape[i] for i in axes):
        return a, b
    if not all(b.shape[i] >= a.shape[i] for i in axes):
        raise ValueError(
            f"{name}: for mode 'valid' one input must be at least as long in every axis, got shapes {a.shape} and {b.shape}"
        )
    return b, a


def _cut(y: Array, a: Array, b: Array, mode: str, axes: Sequence[int]) -> Array:
    """The part of the full convolution that the mode asks for, along axes."""
    if mode == "full":
        return y
    key = [slice(None)] * y.ndim
    for i in axes:
        n, k = a.shape[i], b.shape[i]
        start, length = ((k - 1) // 2, n) if mode == "same" else (k - 1, n - k + 1)
        key[i] = slice(start, start + length)
    return y[tuple(key)]


def fast_lengths(lengths: Sequence[int], dtype: DType) -> list[int]:
    return [next_fast_len(n, dtype.kind != "c") for n in lengths]


def floating(*xs: Array) -> list[Array]:
    return [x if x.dtype.kind in "fc" else _core.astype(x, _core.float64) for x in xs]


def _by_transform(a: Array, b: Array, axes: Sequence[int]) -> Array:
    """The full convolution along axes; others broadcast."""
    # Along an axis of length 1 the convolution is a product.
    long = [i for i in axes if a.shape[i] != 1 and b.shape[i] != 1]
    if not long:
        return a * b
    full = [a.shape[i] + b.shape[i] - 1 for i in long]
    sizes = fast_lengths(full, a.dtype)
    forward, back = (fftn, ifftn) if a.dtype.kind == "c" else (rfftn, irfftn)
    y = back(forward(a, sizes, long) * forward(b, sizes, long), sizes, long)
    key = [slice(None)] * y.ndim
    for i, n in zip(long, full):
        key[i] = slice(n)
    return y[tuple(key)]


def _by_sum(a: Array, b: Array) -> Array:
    """The full convolution as a sum over the elements of the smaller input."""
    if a.ndim == 1:
        return _convolve_vectors(a, b)
    if a.size < b.size:
        a, b = b, a
    shape = tuple(n + k - 1 for n, k in zip(a.shape, b.shape))
    padded = pad(a, [(k - 1, k - 1) for k in b.shape])
    total: Array | None = None
    for place in product(*map(range, b.shape)):
        part = padded[tuple(slice(k - 1 - j, k - 1 - j + n) for j, k, n in zip(place, b.shape, shape))] * b[place]
        total = part if total is None else total + part
    assert total is not None
    return total


def convolved(x: Array, h: Array, axis: int, direct: int = 64) -> Array:
    """The full convolution of ``x`` along an axis with a vector; a sum over its elements if they are few, which is local."""
    if h.size == 0 or x.shape[axis] == 0:
        raise ValueError(f"convolve: inputs must not be empty, got shapes {x.shape} and {h.shape}")
    axis %= x.ndim
    if h.size > direct:
        return _by_blocks(x, _core.reshape(h, (1,) * axis + (h.size,) + (1,) * (x.ndim - 1 - axis)), [axis])
    return moveaxis(_core.fir(h, moveaxis(x, axis, -1), 0, x.shape[axis] + h.size - 1), -1, axis)


def _axes_of(name: str, a: Array, b: Array, axes: Axis) -> list[int]:
    chosen = sorted(normalize_axes(name, axes, a.ndim))
    if not chosen:
        raise ValueError(f"{name}: at least one axis is required, got none")
    for i in range(a.ndim):
        if i not in chosen and a.shape[i] != b.shape[i] and 1 not in (a.shape[i], b.shape[i]):
            raise ValueError(
                f"{name}: axes that are not convolved must broadcast, got shapes {a.shape} and {b.shape} for axes {axes}"
            )
    return chosen


def _empty(a: Array, b: Array) -> Array:
    return zeros(0, a.dtype)


def _convolved_by(method: Callable[..., Array], name: str, in1: Any, in2: Any, mode: str, axes: Axis) -> Array:
    _check_mode(name, mode)
    a, b = floating(*_pair(name, in1, in2))
    if a.ndim == 0:
        return a * b
    if 0 in (a.size, b.size):
        return _empty(a, b)
    chosen = _axes_of(name, a, b, axes)
    a, b = _ordered(name, a, b, mode, chosen)
    return _cut(method(a, b, chosen), a, b, mode, chosen)


def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Axis = None) -> Array:
    """Convolution by Fourier transforms along ``axes``, by default all; other axes broadcast.

    Modes: ``full``, ``same`` (centred, as long as ``in1``) and ``valid`` (where the inputs overlap entirely). Integers count
    as float64.

    Example
    -------
    >>> sa.round(sa.signal.fftconvolve([1.0, 2.0, 3.0], [1.0, 1.0, 0.5]), 12)
    array([1. , 3. , 5.5, 4. , 1.5])
    """
    return _convolved_by(_by_transform, "fftconvolve", in1, in2, mode, axes)


def _block(n: int, k: int) -> int | None:
    """The length of a transform that convolves n samples with k in the least time by blocks; None for a single block."""
    best, cost = None, (n + k) * log2(n + k)
    size = 1 << (2 * k - 1).bit_length()
    while size < n:
        blocks = -(-n // (size - k + 1))
        if blocks * size * log2(size) < cost:
            best, cost = size, blocks * size * log2(size)
        size *= 2
    return best


def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Axis = None) -> Array:
    """`fftconvolve` that cuts the longer input into blocks and adds their overlapping results.

    Faster where one input is much longer than the other.

    Example
    -------
    >>> x = sa.arange(1000) % 5.0
    >>> y = sa.signal.oaconvolve(x, sa.ones(10))
    >>> sa.allclose(y, sa.signal.fftconvolve(x, sa.ones(10)))
    True
    """
    return _convolved_by(_by_blocks, "oaconvolve", in1, in2, mode, axes)


def _by_blocks(a: Array, b: Array, axes: Sequence[int]) -> Array:
    """The full convolution along axes; the longer input of each axis is cut there."""
    for i in axes:
        n, k = a.shape[i], b.shape[i]
        size = _block(max(n, k), min(n, k)) if min(n, k) > 1 else None
        if size is None:
            continue
        if n < k:
            a, b = b, a
            n, k = k, n
        step = size - k + 1
        count = -(-n // step)
        blocks = pad(a, {i: (0, count * step - n)})
        blocks = _core.reshape(blocks, (*a.shape[:i], count, step, *a.shape[i + 1 :]))
        kernel = _core.reshape(b, (*b.shape[:i], 1, *b.shape[i:]))
        rest = [j + (j >= i) for j in axes if j != i]
        parts = _by_blocks(blocks, kernel, sorted([i + 1, *rest]))
        return _overlapped(parts, i, step, n + k - 1)
    return _by_transform(a, b, axes)


def _overlapped(parts: Array, axis: int, step: int, length: int) -> Array:
    """The sum of blocks, along ``axis``, of samples, along the next one, each block ``step`` samples after the one before.

    A block is not longer than two steps.
    """
    count, size = parts.shape[axis], parts.shape[axis + 1]
    before, after = parts.shape[:axis], parts.shape[axis + 2 :]
    head = (slice(None),) * (axis + 1)
    tails = pad(parts[(*head, slice(step, None))], {axis + 1: (0, 2 * step - size)})
    heads = pad(parts[(*head, slice(step))], {axis: (0, 1)})
    y = _core.reshape(heads + pad(tails, {axis: (1, 0)}), (*before, (count + 1) * step, *after))
    return y[(slice(None),) * axis + (slice(length),)]


def _exact_in_doubles(a: Array, b: Array) -> bool:
    """Whether sums of products of integers stay below 2^53, judged by the dtypes alone."""
    bits = [8 * x.dtype.itemsize - (x.dtype.kind == "i") if x.dtype.kind != "b" else 1 for x in (a, b)]
    return sum(bits) + min(a.size, b.size).bit_length() <= 52


def _choice(a: Array, b: Array) -> str:
    """Direct sums while they are short, by the times of both on this library's kernels."""
    if a.dtype.kind in "biu" and not _exact_in_doubles(a, b):
        return "direct"
    small = min(a.size, b.size)
    return "direct" if small <= 8 or (a.ndim == 1 and small * max(a.size, b.size) <= 20_000) else "fft"


def choose_conv_method(in1: Any, in2: Any, mode: str = "full", measure: bool = False) -> Any:
    """Which of "direct" and "fft" is faster for `convolve`; with ``measure`` both are timed, and the times come second.

    Example
    -------
    >>> sa.signal.choose_conv_method(sa.ones(10000), sa.ones(5000))
    'fft'
    """
    a, b = _pair("choose_conv_method", in1, in2)
    if not measure:
        return _choice(a, b)
    times = {}
    for method in ("fft", "direct"):
        start = time.perf_counter()
        convolve(a, b, mode, method)
        times[method] = time.perf_counter() - start
    return min(times, key=times.__getitem__), times


def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Array:
    """The convolution of two arrays of one number of axes, along all of them.

    Modes: ``full``, ``same`` (centred, as long as ``in1``) and ``valid`` (where the inputs overlap entirely). Methods:
    ``direct``, ``fft`` or ``auto``. Integers stay integers; by ``fft`` they are rounded, and ``auto`` takes it for them only
    where that is exact.

    Example
    -------
    >>> sa.signal.convolve([1, 2, 3], [0, 1])
    array([0, 1, 2, 3])
    """
    _check_mode("convolve", mode)
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"convolve: method must be 'auto', 'direct' or 'fft', got {method!r}")
    a, b = _pair("convolve", in1, in2)
    if a.ndim == 0:
        return a * b
    if 0 in (a.size, b.size):
        return _empty(a, b)
    axes = range(a.ndim)
    a, b = _ordered("convolve", a, b, mode, axes)
    if (_choice(a, b) if method == "auto" else method) == "direct":
        return _cut(_by_sum(a, b), a, b, mode, axes)
    y = fftconvolve(a, b, mode)
    return y if a.dtype.kind in "fc" else _core.astype(_core.rint(y), a.dtype)


def _reversed(x: Any) -> Array:
    x = flip(asarray(x))
    return _core.conj(x) if x.dtype.kind == "c" else x


def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Array:
    """The cross-correlation ``sum_j in1[j + k] conj(in2[j])`` along all axes; modes and methods as in `convolve`.

    The lags are those of `correlation_lags`.

    Example
    -------
    >>> sa.signal.correlate([1, 2, 3], [0, 1, 5])
    array([ 5, 11, 17,  3,  0])
    """
    a, b = _pair("correlate", in1, in2)
    return convolve(a, _reversed(b), mode, method)


def correlation_lags(in1_len: int, in2_len: int, mode: str = "full") -> Array:
    """The lags of the elements of `correlate` of vectors of these lengths.

    Example
    -------
    >>> sa.signal.correlation_lags(3, 2)
    array([-1,  0,  1,  2])
    """
    _check_mode("correlation_lags", mode)
    n, k = index(in1_len), index(in2_len)
    if mode == "valid":
        return arange(min(n - k, 0), max(n - k, 0) + 1)
    lags = arange(1 - k, n)
    if mode == "full":
        return lags
    middle = lags.size // 2
    return lags[middle - n // 2 : middle + n // 2 + n % 2]


_BOUNDARIES = {"fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap", "symm": "symmetric"}
_BOUNDARIES["symmetric"] = "symmetric"


def _matrices(name: str, in1: Any, in2: Any) -> tuple[Array, Array]:
    a, b = _pair(name, in1, in2)
    if a.ndim != 2 or 0 in (a.size, b.size):
        raise ValueError(f"{name}: the inputs must be matrices that are not empty, got shapes {a.shape} and {b.shape}")
    return a, b


def _in_two_dimensions(name: str, a: Array, b: Array, mode: str, boundary: str, fillvalue: Any) -> Array:
    _check_mode(name, mode)
    if boundary not in _BOUNDARIES:
        raise ValueError(f"{name}: boundary must be 'fill', 'wrap' or 'symm', got {boundary!r}")
    a, b = _ordered(name, a, b, mode, (0, 1))
    if mode == "valid":
        return convolve(a, b, "valid")
    widths = [(k - 1, k - 1) for k in b.shape]
    if mode == "same":
        # SciPy centres the two functions differently for even lengths.
        starts = [k // 2 if name == "correlate2d" else (k - 1) // 2 for k in b.shape]
        widths = [(k - 1 - start, start) for k, start in zip(b.shape, starts)]
    return convolve(pad(a, widths, _BOUNDARIES[boundary], constant_values=fillvalue), b, "valid")


def convolve2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0) -> Array:
    """The convolution of two matrices, ``in1`` continued beyond its edges.

    Boundaries: ``fill`` with ``fillvalue``, ``wrap`` around, or ``symm`` (mirrored). Modes as in `convolve`.

    Example
    -------
    >>> sa.signal.convolve2d([[1, 2], [3, 4]], [[1, 1]], mode="same", boundary="wrap")
    array([[3, 3],
           [7, 7]])
    """
    a, b = _matrices("convolve2d", in1, in2)
    return _in_two_dimensions("convolve2d", a, b, mode, boundary, fillvalue)


def correlate2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0) -> Array:
    """The cross-correlation of two matrices; boundaries as in `convolve2d`.

    Example
    -------
    >>> sa.signal.correlate2d([[1, 2], [3, 4]], [[1, 0], [0, 1]], mode="valid")
    array([[5]])
    """
    a, b = _matrices("correlate2d", in1, in2)
    return _in_two_dimensions("correlate2d", a, _reversed(b), mode, boundary, fillvalue)


def convolution_matrix(a: Any, n: int, mode: str = "full") -> Array:
    """The matrix (..., m, n) whose product with a vector of n elements is its convolution with the vectors (..., k) of ``a``.

    Modes as in `convolve`, where ``same`` is as long as the longer of the two.

    Example
    -------
    >>> sa.signal.convolution_matrix([1, 2], 3)
    array([[1, 0, 0],
           [2, 1, 0],
           [0, 2, 1],
           [0, 0, 2]])
    """
    _check_mode("convolution_matrix", mode)
    a, n = asarray(a), index(n)
    if a.ndim == 0 or a.shape[-1] == 0 or n < 1:
        raise ValueError(
            f"convolution_matrix: a vector and n of at least 1 are required, got shape {a.shape} and n {n}"
        )
    k = a.shape[-1]
    longer, shorter = max(n, k), min(n, k)
    rows = np.arange(n + k - 1)
    if mode != "full":
        start, count = ((shorter - 1) // 2, longer) if mode == "same" else (shorter - 1, longer - shorter + 1)
        rows = rows[start : start + count]
    # Element -1 of the vector is the zero after its end.
    places = rows[:, None] - np.arange(n)
    places = np.where((places < 0) | (places >= k), k, places)
    return pad(a, {-1: (0, 1)})[..., asarray(places)]
