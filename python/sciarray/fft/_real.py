"""Cosine and sine transforms: types II and III are primitives, I and IV Fourier transforms of rearranged input."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod, sqrt
from typing import Any

import numpy as np

from .. import _core
from .._arguments import at, inexact
from .._core import Array, DType
from .._creation import asarray, zeros
from ._multi import Lengths, plan_axes
from ._transforms import axis_of, length_of, scale_of

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]

# The transforms below have the axis last.
Transform = Callable[[Array], Array]


@lru_cache(maxsize=64)
def _phases(numerators: tuple[int, int, int], denominator: int, single: bool) -> Array:
    """exp(-i pi j / denominator) for j in a range."""
    w = np.exp(np.arange(*numerators) * (-1j * np.pi / denominator))
    return asarray(w.astype(np.complex64) if single else w)


def _phase(start: int, step: int, count: int, denominator: int, dtype: DType) -> Array:
    return _phases((start, start + step * count, step), denominator, dtype == _core.float32)


def _cosine1(x: Array) -> Array:
    n = x.shape[-1]
    even = _core.concat([x, x[..., -2:0:-1]], -1) if n > 2 else x
    return _core.real(_core.fft("rfft", even, 2 * (n - 1), -1, 1.0))


def _interleaved(even: Array, odd: Array) -> Array:
    """Alternating elements of two arrays along the last axis, the first of which may be longer by one."""
    n = odd.shape[-1]
    pairs = _core.concat([even[..., :n, None], odd[..., None]], -1)
    y = _core.reshape(pairs, (*odd.shape[:-1], 2 * n))
    return y if even.shape[-1] == n else _core.concat([y, even[..., n:]], -1)


def _cosine4(x: Array) -> Array:
    n = x.shape[-1]
    if n % 2:
        z = _core.fft("fft", x * _phase(0, 1, n, 2 * n, x.dtype), 2 * n, -1, 2.0)[..., :n]
        return _core.real(z * _phase(1, 2, n, 4 * n, x.dtype))
    pairs = _core.complex(x[..., ::2], x[..., ::-1][..., ::2]) * _phase(1, 4, n // 2, 4 * n, x.dtype)
    z = _core.fft("fft", pairs, n // 2, -1, 2.0) * _phase(0, 1, n // 2, n, x.dtype)
    return _interleaved(_core.real(z), -_core.imag(z)[..., ::-1])


def _sine1(x: Array) -> Array:
    n = x.shape[-1]
    zero = zeros((*x.shape[:-1], 1), x.dtype)
    odd = _core.concat([zero, x, zero, -x[..., ::-1]], -1)
    return -_core.imag(_core.fft("rfft", odd, 2 * (n + 1), -1, 1.0))[..., 1 : n + 1]


def _alternating(x: Array) -> Array:
    return x * asarray(1.0 - 2.0 * (np.arange(x.shape[-1]) % 2), dtype=x.dtype)


_COSINES: dict[int, Transform] = {1: _cosine1, 4: _cosine4}
_SINES: dict[int, Transform] = {1: _sine1, 4: lambda x: _alternating(_cosine4(x[..., ::-1]))}


def _ends(x: Array, factor: float) -> Array:
    w = np.ones(x.shape[-1])
    w[[0, -1]] *= factor
    return x * asarray(w, dtype=x.dtype)


def _fitted(x: Array, axis: int, n: int) -> Array:
    have = x.shape[axis]
    if n <= have:
        return x[at(axis, slice(n))] if n < have else x
    return _core.concat([x, zeros((*x.shape[:axis], n - have, *x.shape[axis + 1 :]), x.dtype)], axis)


def _along(
    name: str,
    kind: int,
    x: Any,
    s: Lengths,
    axes: Lengths,
    norm: str | None,
    orthogonalize: bool | None,
) -> Array:
    sine, inverse = "dst" in name, name.startswith("i")
    if kind not in (1, 2, 3, 4):
        raise ValueError(f"{name}: type must be 1, 2, 3 or 4, got {kind!r}")
    x = inexact(x)
    chosen, lengths = plan_axes(name, x, s, axes)
    if inverse:
        kind = {2: 3, 3: 2}.get(kind, kind)
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    # The number of points of the Fourier transform that one is a part of.
    points = [2 * (n + (0 if kind != 1 else 1 if sine else -1)) for n in lengths]
    if min(points, default=1) < 1:
        raise ValueError(f"{name}: type 1 needs at least 2 elements, got {min(lengths)}")
    scale = scale_of(name, prod(points), norm, inverse)
    if kind in (2, 3):
        first = 1.0 if not orthogonal else sqrt(0.5) if kind == 2 else sqrt(2.0)
        primitive = f"{name.removeprefix('i')[:3]}{kind}"

        def lines(x: Array) -> Array:
            for k, (axis, n) in enumerate(zip(chosen, lengths)):
                x = _core.dct(primitive, x, n, axis, first, scale if k == len(chosen) - 1 else 1.0)
            return x
    else:
        f = (_SINES if sine else _COSINES)[kind]
        if orthogonal and kind == 1 and not sine:
            f = lambda x: _ends(_cosine1(_ends(x, sqrt(2.0))), sqrt(0.5))

        def lines(x: Array) -> Array:
            y = _lines(f, x, chosen, lengths)
            return y if scale == 1.0 else y * scale

    if x.dtype.kind == "c":
        return _core.complex(lines(_core.real(x)), lines(_core.imag(x)))
    return lines(x)


def _lines(f: Transform, x: Array, axes: list[int], lengths: list[int]) -> Array:
    for axis, n in zip(axes, lengths):
        x = _fitted(x, axis, n)
        order = [*(i for i in range(x.ndim) if i != axis), axis]
        y = f(_core.permute_dims(x, order))
        x = _core.permute_dims(y, [order.index(i) for i in range(x.ndim)])
    return x


def _along_one(
    name: str, kind: int, x: Any, n: int | None, axis: int, norm: str | None, orthogonalize: bool | None
) -> Array:
    x = asarray(x)
    axis = axis_of(name, x, axis)
    return _along(name, kind, x, length_of(name, n, x.shape[axis]), axis, norm, orthogonalize)


def dct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    orthogonalize: bool | None = None,
) -> Array:
    """Cosine transform of type I, II, III or IV along an axis.

    ``x`` is (..., m, ...), cut or padded with zeros to length ``n``; of complex input both parts are transformed. Type II
    is ``2 sum_j x_j cos(pi k (2j + 1) / (2n))``. With ``norm="ortho"`` or ``orthogonalize`` the ends are weighted so
    that the transform is orthogonal. Type I needs two elements.

    Example
    -------
    >>> sa.fft.dct(sa.asarray([1.0, 2.0, 4.0]))
    array([14.        , -5.19615242,  1.        ])
    """
    return _along_one("dct", type, x, n, axis, norm, orthogonalize)


def idct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    orthogonalize: bool | None = None,
) -> Array:
    """Inverse of `dct` of the same type.

    Example
    -------
    >>> sa.fft.idct(sa.asarray([6.0, 0.0, 0.0]))
    array([1., 1., 1.])
    """
    return _along_one("idct", type, x, n, axis, norm, orthogonalize)


def dst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    orthogonalize: bool | None = None,
) -> Array:
    """Sine transform of type I, II, III or IV along an axis; arguments as in `dct`.

    Type II is ``2 sum_j x_j sin(pi (k + 1) (2j + 1) / (2n))``.

    Example
    -------
    >>> sa.round(sa.fft.dst(sa.asarray([1.0, 2.0, 4.0]), type=1), 6)
    array([11.071068, -6.      ,  3.071068])
    """
    return _along_one("dst", type, x, n, axis, norm, orthogonalize)


def idst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    orthogonalize: bool | None = None,
) -> Array:
    """Inverse of `dst` of the same type.

    Example
    -------
    >>> sa.fft.idst(sa.fft.dst(sa.asarray([1.0, 2.0, 4.0])))
    array([1., 2., 4.])
    """
    return _along_one("idst", type, x, n, axis, norm, orthogonalize)


def dctn(
    x: Any,
    type: int = 2,
    s: Lengths = None,
    axes: Lengths = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Array:
    """`dct` along several axes, by default along all; ``s`` and ``axes`` as in `fftn`.

    Example
    -------
    >>> sa.fft.dctn(sa.ones((2, 2)), norm="forward")
    array([[1., 0.],
           [0., 0.]])
    """
    return _along("dctn", type, x, s, axes, norm, orthogonalize)


def idctn(
    x: Any,
    type: int = 2,
    s: Lengths = None,
    axes: Lengths = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Array:
    """Inverse of `dctn` of the same type.

    Example
    -------
    >>> sa.fft.idctn(sa.asarray([[4.0, 0.0]]), norm="forward")
    array([[4., 4.]])
    """
    return _along("idctn", type, x, s, axes, norm, orthogonalize)


def dstn(
    x: Any,
    type: int = 2,
    s: Lengths = None,
    axes: Lengths = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Array:
    """`dst` along several axes, by default along all; ``s`` and ``axes`` as in `fftn`.

    Example
    -------
    >>> sa.fft.dstn(sa.ones((2, 3))).shape
    (2, 3)
    """
    return _along("dstn", type, x, s, axes, norm, orthogonalize)


def idstn(
    x: Any,
    type: int = 2,
    s: Lengths = None,
    axes: Lengths = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Array:
    """Inverse of `dstn` of the same type.

    Example
    -------
    >>> sa.fft.idstn(sa.fft.dstn(sa.asarray([[1.0, 2.0]])))
    array([[1., 2.]])
    """
    return _along("idstn", type, x, s, axes, norm, orthogonalize)
