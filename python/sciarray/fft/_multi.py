"""Transforms along several axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any

from .. import _core
from .._arguments import inexact, integers, normalize_axes
from .._core import Array
from ._transforms import complex_input, length_of, real_input, scale_of

__all__ = [
    "fft2",
    "fftn",
    "hfft2",
    "hfftn",
    "ifft2",
    "ifftn",
    "ihfft2",
    "ihfftn",
    "irfft2",
    "irfftn",
    "rfft2",
    "rfftn",
]

Lengths = int | Sequence[int] | None


def plan_axes(name: str, x: Array, s: Lengths, axes: Lengths, halved: bool = False) -> tuple[list[int], list[int]]:
    """The axes and the length of each: ``s``, -1 in it meaning all, or the shape; of the last axis twice less 2 if it
    is the half of a spectrum.
    """
    if axes is None:
        count = x.ndim if s is None else len(integers(s))
        if count > x.ndim:
            raise ValueError(f"{name}: s has {count} lengths but the input has {x.ndim} axes")
        chosen = list(range(x.ndim - count, x.ndim))
    else:
        chosen = list(normalize_axes(name, axes, x.ndim))
    own = [x.shape[a] for a in chosen]
    if halved and own:
        own[-1] = 2 * (own[-1] - 1)
    if s is None:
        return chosen, [length_of(name, None, m) for m in own]
    wanted = [index(n) for n in integers(s)]
    if len(wanted) != len(chosen):
        raise ValueError(f"{name}: s must have one length per axis, got {len(wanted)} for {len(chosen)} axes")
    return chosen, [length_of(name, m if n == -1 else n, m) for n, m in zip(wanted, own)]


def _along(kind: str, x: Array, axes: Sequence[int], lengths: Sequence[int], scale: float) -> Array:
    """One transform after the other; the factor of all is applied by the last."""
    for k, (axis, n) in enumerate(zip(axes, lengths)):
        x = _core.fft(kind, x, n, axis, scale if k == len(axes) - 1 else 1.0)
    return x


def _complex(name: str, kind: str, x: Any, s: Lengths, axes: Lengths, norm: str | None) -> Array:
    x = inexact(x)
    chosen, lengths = plan_axes(name, x, s, axes)
    if not chosen:
        return complex_input(x)
    # The last axis first: of real input it costs half, and its lines are the contiguous ones.
    chosen, lengths = chosen[::-1], lengths[::-1]
    return _along(kind, x, chosen, lengths, scale_of(name, prod(lengths), norm, kind == "ifft"))


def _from_real(name: str, x: Any, s: Lengths, axes: Lengths, norm: str | None, inverse: bool) -> Array:
    x = real_input(name, x)
    chosen, lengths = plan_axes(name, x, s, axes)
    if not chosen:
        raise ValueError(f"{name}: at least one axis is required, got none")
    scale = scale_of(name, prod(lengths), norm, inverse)
    y = _core.fft("rfft", x, lengths[-1], chosen[-1], scale if len(chosen) == 1 else 1.0)
    return _along("fft", y, chosen[:-1], lengths[:-1], scale)


def _to_real(name: str, x: Array, s: Lengths, axes: Lengths, norm: str | None, inverse: bool) -> Array:
    chosen, lengths = plan_axes(name, x, s, axes, halved=True)
    if not chosen:
        raise ValueError(f"{name}: at least one axis is required, got none")
    y = _along("ifft", x, chosen[:-1], lengths[:-1], 1.0)
    return _core.fft("irfft", y, lengths[-1], chosen[-1], scale_of(name, prod(lengths), norm, inverse))


def fftn(x: Any, s: Lengths = None, axes: Lengths = None, norm: str | None = None) -> Array:
    """Discrete Fourier transform along several axes, by default along all.

    ``s`` has the length of each transformed axis, which is cut or padded with zeros to it; -1 leaves it. With ``s`` and
    no ``axes`` the last ones are meant. Norms as in `fft`, over the product of the lengths.

    Example
    -------
    >>> sa.fft.fftn(sa.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _complex("fftn", "fft", x, s, axes, norm)


def ifftn(x: Any, s: Lengths = None, axes: Lengths = None, norm: str | None = None) -> Array:
    """Inverse of `fftn`.

    Example
    -------
    >>> sa.fft.ifftn(sa.ones((2, 2)))
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _complex("ifftn", "ifft", x, s, axes, norm)


def rfftn(x: Any, s: Lengths = None, axes: Lengths = None, norm: str | None = None) -> Array:
    """`fftn` of real input: of the last axis the first ``n // 2 + 1`` frequencies.

    Raises TypeError for complex input.

    Example
    -------
    >>> sa.fft.rfftn(sa.ones((2, 4))).shape
    (2, 3)
    """
    return _from_real("rfftn", x, s, axes, norm, False)


def irfftn(x: Any, s: Lengths = None, axes: Lengths = None, norm: str | None = None) -> Array:
    """Inverse of `rfftn`; the last axis has length ``2 * (m - 1)`` unless ``s`` says otherwise.

    Example
    -------
    >>> sa.fft.irfftn(sa.fft.rfftn(sa.ones((2, 3))), (2, 3))
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    return _to_real("irfftn", complex_input(x), s, axes, norm, True)


def hfftn(x: Any, s: Lengths = None, axes: Lengths = None, norm: str | None = None) -> Array:
    """The real transform of a signal that is Hermitian, of which ``x`` has the half along the last axis.

    Example
    -------
    >>> sa.fft.hfftn(sa.ones((1, 3)))
    array([[4., 0., 0., 0.]])
    """
    return _to_real("hfftn", _core.conj(complex_input(x)), s, axes, norm, False)


def ihfftn(x: Any, s: Lengths = None, axes: Lengths = None, norm: str | None = None) -> Array:
    """Inverse of `hfftn`.

    Example
    -------
    >>> sa.fft.ihfftn(sa.asarray([[4.0, 0.0, 0.0, 0.0]]))
    array([[1.-0.j, 1.-0.j, 1.-0.j]])
    """
    return _core.conj(_from_real("ihfftn", x, s, axes, norm, True))


def fft2(x: Any, s: Lengths = None, axes: Lengths = (-2, -1), norm: str | None = None) -> Array:
    """`fftn` along the last two axes.

    Example
    -------
    >>> sa.fft.fft2(sa.ones((3, 2, 2))).shape
    (3, 2, 2)
    """
    return _complex("fft2", "fft", x, s, axes, norm)


def ifft2(x: Any, s: Lengths = None, axes: Lengths = (-2, -1), norm: str | None = None) -> Array:
    """`ifftn` along the last two axes.

    Example
    -------
    >>> sa.fft.ifft2(sa.ones((3, 2, 2))).shape
    (3, 2, 2)
    """
    return _complex("ifft2", "ifft", x, s, axes, norm)


def rfft2(x: Any, s: Lengths = None, axes: Lengths = (-2, -1), norm: str | None = None) -> Array:
    """`rfftn` along the last two axes.

    Example
    -------
    >>> sa.fft.rfft2(sa.ones((3, 2, 4))).shape
    (3, 2, 3)
    """
    return _from_real("rfft2", x, s, axes, norm, False)


def irfft2(x: Any, s: Lengths = None, axes: Lengths = (-2, -1), norm: str | None = None) -> Array:
    """`irfftn` along the last two axes.

    Example
    -------
    >>> sa.fft.irfft2(sa.ones((3, 2, 3))).shape
    (3, 2, 4)
    """
    return _to_real("irfft2", complex_input(x), s, axes, norm, True)


def hfft2(x: Any, s: Lengths = None, axes: Lengths = (-2, -1), norm: str | None = None) -> Array:
    """`hfftn` along the last two axes.

    Example
    -------
    >>> sa.fft.hfft2(sa.ones((3, 2, 3))).shape
    (3, 2, 4)
    """
    return _to_real("hfft2", _core.conj(complex_input(x)), s, axes, norm, False)


def ihfft2(x: Any, s: Lengths = None, axes: Lengths = (-2, -1), norm: str | None = None) -> Array:
    """`ihfftn` along the last two axes.

    Example
    -------
    >>> sa.fft.ihfft2(sa.ones((3, 2, 4))).shape
    (3, 2, 3)
    """
    return _core.conj(_from_real("ihfft2", x, s, axes, norm, True))
