"""Cosine and sine transforms."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

from .. import _core
from .._arguments import inexact
from .._core import Array
from .._creation import asarray
from ._multi import Lengths, plan_axes
from ._transforms import axis_of, length_of, scale_of

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]


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
    first = 1.0
    if orthogonal and not (sine and kind == 1):
        first = {1: sqrt(2.0), 2: sqrt(0.5), 3: sqrt(2.0), 4: 1.0}[kind]

    def lines(x: Array) -> Array:
        for k, (axis, n) in enumerate(zip(chosen, lengths)):
            x = _core.dct(kind, sine, x, n, axis, first, scale if k == len(chosen) - 1 else 1.0)
        return x

    if x.dtype.kind == "c":
        return _core.complex(lines(_core.real(x)), lines(_core.imag(x)))
    return lines(x)


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
