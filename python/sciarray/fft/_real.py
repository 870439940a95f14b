"""Cosine and sine transforms."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from .. import _core
from .._arguments import inexact
from .._core import Array
from ._multi import Lengths, plan_axes
from ._transforms import axis_of, length_of, scale_of

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]


def _transform(
    name: str,
    kind: int,
    x: Array,
    axes: Sequence[int],
    lengths: Sequence[int],
    norm: str | None,
    orthogonalize: bool | None,
) -> Array:
    sine, inverse = "dst" in name, name[0] == "i"
    if kind not in (1, 2, 3, 4):
        raise ValueError(f"{name}: type must be 1, 2, 3 or 4, got {kind!r}")
    if inverse:
        kind = (1, 3, 2, 4)[kind - 1]
    # The points of the Fourier transform that one is a part of are twice as many, of type I two less or two more.
    more = 0 if kind != 1 else 1 if sine else -1
    points = 1
    for n in lengths:
        if n + more < 1:
            raise ValueError(f"{name}: type 1 needs at least 2 elements, got {min(lengths)}")
        points *= 2 * (n + more)
    scale = scale_of(name, points, norm, inverse)
    first = 1.0
    if norm == "ortho" if orthogonalize is None else orthogonalize:
        first = (1.0 if sine else sqrt(2.0), sqrt(0.5), sqrt(2.0), 1.0)[kind - 1]

    def lines(x: Array) -> Array:
        last = len(axes) - 1
        for k, (axis, n) in enumerate(zip(axes, lengths)):
            x = _core.dct(kind, sine, x, n, axis, first, scale if k == last else 1.0)
        return x

    if x.dtype.kind == "c":
        return _core.complex(lines(_core.real(x)), lines(_core.imag(x)))
    return lines(x)


def _along(
    name: str, kind: int, x: Any, s: Lengths, axes: Lengths, norm: str | None, orthogonalize: bool | None
) -> Array:
    x = inexact(x)
    return _transform(name, kind, x, *plan_axes(name, x, s, axes), norm, orthogonalize)


def _along_one(
    name: str, kind: int, x: Any, n: int | None, axis: int, norm: str | None, orthogonalize: bool | None
) -> Array:
    x = inexact(x)
    length = length_of(name, n, x.shape[axis_of(name, x, axis)])
    return _transform(name, kind, x, (axis,), (length,), norm, orthogonalize)


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
