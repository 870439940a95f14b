"""Frequencies, shifts and fast lengths."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import Axis, normalize_axes
from .._core import Array
from .._creation import DTypeLike, asarray
from .._manipulation import roll

__all__ = ["fftfreq", "fftshift", "ifftshift", "next_fast_len", "prev_fast_len", "rfftfreq"]


def _frequencies(name: str, places: Any, n: int, d: Any, dtype: DTypeLike | None, device: Any) -> Array:
    if dtype is not None and _core.promote_types(dtype, dtype).kind != "f":
        raise TypeError(f"{name}: dtype must be a real floating dtype, got {dtype}")
    d = asarray(d)
    steps = asarray(places, dtype=_core.float64, device=d.device if device is None else device)
    y = steps / (n * (d if d.device == "cpu" else d.to(steps.device)))
    return y if dtype is None else _core.astype(y, dtype)


def fftfreq(n: int, d: Any = 1.0, *, dtype: DTypeLike | None = None, device: Any = None) -> Array:
    """Frequencies of `fft` of ``n`` samples ``d`` apart: 0, the positive ones, then the negative ones.

    Differentiable in ``d``.

    Example
    -------
    >>> sa.fft.fftfreq(4, 0.5)
    array([ 0. ,  0.5, -1. , -0.5])
    """
    n = index(n)
    if n < 1:
        raise ValueError(f"fftfreq: n must be at least 1, got {n}")
    return _frequencies("fftfreq", (np.arange(n) + n // 2) % n - n // 2, n, d, dtype, device)


def rfftfreq(n: int, d: Any = 1.0, *, dtype: DTypeLike | None = None, device: Any = None) -> Array:
    """Frequencies of `rfft` of ``n`` samples ``d`` apart, from 0 up; differentiable in ``d``.

    Example
    -------
    >>> sa.fft.rfftfreq(4, 0.5)
    array([0. , 0.5, 1. ])
    """
    n = index(n)
    if n < 1:
        raise ValueError(f"rfftfreq: n must be at least 1, got {n}")
    return _frequencies("rfftfreq", np.arange(n // 2 + 1), n, d, dtype, device)


def fftshift(x: Any, axes: Axis = None) -> Array:
    """Frequency 0 moved to the middle, along all axes or the given ones.

    Example
    -------
    >>> sa.fft.fftshift(sa.asarray([0, 1, 2, -2, -1]))
    array([-2, -1,  0,  1,  2])
    """
    x = asarray(x)
    places = normalize_axes("fftshift", axes, x.ndim)
    return roll(x, [x.shape[a] // 2 for a in places], places) if places else x


def ifftshift(x: Any, axes: Axis = None) -> Array:
    """Inverse of `fftshift`.

    Example
    -------
    >>> sa.fft.ifftshift(sa.asarray([-2, -1, 0, 1, 2]))
    array([ 0,  1,  2, -2, -1])
    """
    x = asarray(x)
    places = normalize_axes("ifftshift", axes, x.ndim)
    return roll(x, [-(x.shape[a] // 2) for a in places], places) if places else x


def _products(limit: int, primes: tuple[int, ...]) -> Iterator[int]:
    """Products of the primes up to a limit."""
    if not primes:
        yield 1
        return
    power = 1
    while power <= limit:
        for rest in _products(limit // power, primes[1:]):
            yield power * rest
        power *= primes[0]


def _factors(real: bool) -> tuple[int, ...]:
    return (5, 3) if real else (11, 7, 5, 3)


def _target(name: str, target: int) -> int:
    n = index(target)
    if n < 0:
        raise ValueError(f"{name}: target must not be negative, got {n}")
    return n


def next_fast_len(target: int, real: bool = False) -> int:
    """The least length from ``target`` on with factors up to 11 only, or up to 5 with ``real``.

    Example
    -------
    >>> sa.fft.next_fast_len(1021)
    1024
    """
    n = _target("next_fast_len", target)
    if n < 2:
        return n
    # Each odd product times the least power of 2 that reaches the target.
    return min(odd << (-(-n // odd) - 1).bit_length() for odd in _products(2 * n, _factors(real)))


def prev_fast_len(target: int, real: bool = False) -> int:
    """The greatest length up to ``target`` with factors up to 11 only, or up to 5 with ``real``.

    Example
    -------
    >>> sa.fft.prev_fast_len(1021)
    1008
    """
    n = _target("prev_fast_len", target)
    if n < 2:
        return n
    return max(odd << ((n // odd).bit_length() - 1) for odd in _products(n, _factors(real)))
