"""Elementwise functions that are formulas over those of the op table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core
from ._arguments import inexact, promoted
from ._core import Array
from ._creation import asarray

__all__ = [
    "around",
    "clip",
    "deg2rad",
    "degrees",
    "divmod",
    "float_power",
    "fmax",
    "fmin",
    "heaviside",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "modf",
    "nan_to_num",
    "rad2deg",
    "radians",
    "round",
]


def clip(x: Any, /, min: Any = None, max: Any = None) -> Array:
    """``x`` with values below ``min`` and above ``max`` replaced by these; either may be None.

    Where both apply, ``max`` wins, as in NumPy. The gradient passes where ``x`` is kept.

    Example
    -------
    >>> sa.clip(sa.asarray([-1, 2, 9]), 0, 5)
    array([0, 2, 5])
    """
    x = asarray(x)
    y = x
    # Python integers beyond the dtype's range have nothing to clip at.
    limits = np.iinfo(x.dtype.name) if x.dtype.kind in "iu" else None
    if min is not None and not (limits and type(min) is int and min < limits.min):
        y = _core.maximum(y, min)
    if max is not None and not (limits and type(max) is int and max > limits.max):
        y = _core.minimum(y, max)
    return y[...] if y is x else y


def round(x: Any, /, decimals: int = 0) -> Array:
    """Nearest multiple of ``10**-decimals``, halves to even; the gradient is 0.

    Integers stay integers, complex numbers are rounded in both parts.

    Example
    -------
    >>> sa.round(sa.asarray([0.5, 1.5, 2.346]), 2)
    array([0.5 , 1.5 , 2.35])
    """
    x = asarray(x)
    if x.dtype == _core.bool:
        raise TypeError("round: only numbers can be rounded, got dtype bool")
    if x.dtype.kind in "iu":
        if decimals >= 0:
            return x[...]
        p = 10**-decimals
        q = _core.floor_divide(x, p)
        twice = 2 * (x - q * p)
        up = _core.logical_or(twice > p, _core.logical_and(twice == p, q % 2 == 1))
        return (q + _core.astype(up, x.dtype)) * p
    if x.dtype.kind == "c":
        return _core.complex(round(_core.real(x), decimals), round(_core.imag(x), decimals))
    if decimals == 0:
        return _core.rint(x)
    p = 10.0 ** abs(decimals)
    return _core.rint(x * p) / p if decimals > 0 else _core.rint(x / p) * p


around = round


def divmod(x1: Any, x2: Any, /) -> tuple[Array, Array]:
    """Quotient rounded down and remainder with the sign of the divisor.

    Example
    -------
    >>> sa.divmod(sa.asarray([7, -7]), 3)
    (array([ 2, -3]), array([1, 2]))
    """
    return _core.floor_divide(x1, x2), _core.remainder(x1, x2)


def modf(x: Any, /) -> tuple[Array, Array]:
    """Fractional and integral parts, both with the sign of ``x``.

    Example
    -------
    >>> sa.modf(sa.asarray([1.5, -2.25]))
    (array([ 0.5 , -0.25]), array([ 1., -2.]))
    """
    x = inexact(x)
    whole = _core.trunc(x)
    part = _core.where(_core.isinf(x), 0.0, x - whole)
    return _core.copysign(part, x), whole


def float_power(x1: Any, x2: Any, /) -> Array:
    """``x1**x2`` in float64 or complex128, so that integers may have negative exponents.

    Example
    -------
    >>> sa.float_power(sa.asarray([2, 4]), -1)
    array([0.5 , 0.25])
    """
    a, b, _ = promoted("float_power", [x1, x2, asarray(0.0)])
    return _core.pow(a, b)


def fmax(x1: Any, x2: Any, /) -> Array:
    """The larger of two values; a NaN yields to a number.

    Example
    -------
    >>> sa.fmax(sa.asarray([1.0, sa.nan]), 0.5)
    array([1. , 0.5])
    """
    a, b = promoted("fmax", [x1, x2])
    if a.dtype.kind not in "fc":
        return _core.maximum(a, b)
    return _core.where(_core.isnan(a), b, _core.where(_core.isnan(b), a, _core.maximum(a, b)))


def fmin(x1: Any, x2: Any, /) -> Array:
    """The smaller of two values; a NaN yields to a number.

    Example
    -------
    >>> sa.fmin(sa.asarray([1.0, sa.nan]), 0.5)
    array([0.5, 0.5])
    """
    a, b = promoted("fmin", [x1, x2])
    if a.dtype.kind not in "fc":
        return _core.minimum(a, b)
    return _core.where(_core.isnan(a), b, _core.where(_core.isnan(b), a, _core.minimum(a, b)))


def heaviside(x1: Any, x2: Any, /) -> Array:
    """0 below 0, 1 above, ``x2`` at 0, NaN at NaN.

    Example
    -------
    >>> sa.heaviside(sa.asarray([-1.0, 0.0, 2.0]), 0.5)
    array([0. , 0.5, 1. ])
    """
    x = inexact(x1)
    return _core.where(_core.isnan(x), x, _core.where(x == 0, x2, _core.astype(x > 0, x.dtype)))


def deg2rad(x: Any, /) -> Array:
    """Radians of an angle in degrees.

    Example
    -------
    >>> sa.deg2rad(180.0)
    array(3.14159265)
    """
    return _core.multiply(x, math.pi / 180.0)


def rad2deg(x: Any, /) -> Array:
    """Degrees of an angle in radians.

    Example
    -------
    >>> sa.rad2deg(sa.pi)
    array(180.)
    """
    return _core.multiply(x, 180.0 / math.pi)


radians = deg2rad
degrees = rad2deg


def isposinf(x: Any, /) -> Array:
    """Truth of being ``inf``.

    Example
    -------
    >>> sa.isposinf(sa.asarray([-sa.inf, sa.inf]))
    array([False,  True])
    """
    return _core.logical_and(_core.isinf(x), _core.greater(x, 0))


def isneginf(x: Any, /) -> Array:
    """Truth of being ``-inf``.

    Example
    -------
    >>> sa.isneginf(sa.asarray([-sa.inf, sa.inf]))
    array([ True, False])
    """
    return _core.logical_and(_core.isinf(x), _core.less(x, 0))


def isreal(x: Any, /) -> Array:
    """Truth of having no imaginary part.

    Example
    -------
    >>> sa.isreal(sa.asarray([1 + 1j, 2 + 0j]))
    array([False,  True])
    """
    return _core.logical_not(iscomplex(x))


def iscomplex(x: Any, /) -> Array:
    """Truth of having an imaginary part other than 0.

    Example
    -------
    >>> sa.iscomplex(sa.asarray([1 + 1j, 2 + 0j]))
    array([ True, False])
    """
    x = asarray(x)
    return _core.not_equal(_core.imag(x), 0) if x.dtype.kind == "c" else _core.zeros(x.shape, _core.bool)


def iscomplexobj(x: Any, /) -> bool:
    """Whether the dtype of ``x`` is complex.

    Example
    -------
    >>> sa.iscomplexobj(sa.asarray([1 + 0j]))
    True
    """
    return asarray(x).dtype.kind == "c"


def isrealobj(x: Any, /) -> bool:
    """Whether the dtype of ``x`` is not complex.

    Example
    -------
    >>> sa.isrealobj(sa.asarray([1.0]))
    True
    """
    return not iscomplexobj(x)


def isscalar(x: Any, /) -> bool:
    """Whether ``x`` is a Python number, and no array.

    Example
    -------
    >>> sa.isscalar(3.0), sa.isscalar(sa.asarray(3.0))
    (True, False)
    """
    return isinstance(x, (bool, int, float, complex))


def nan_to_num(x: Any, /, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Array:
    """``x`` with NaN and infinities replaced, infinities by the largest finite numbers unless told otherwise.

    Example
    -------
    >>> sa.nan_to_num(sa.asarray([sa.nan, sa.inf, 1.0]), posinf=9.0)
    array([0., 9., 1.])
    """
    x = asarray(x)
    if x.dtype.kind == "c":
        parts = (nan_to_num(part, nan, posinf, neginf) for part in (_core.real(x), _core.imag(x)))
        return _core.complex(*parts)
    if x.dtype.kind != "f":
        return x[...]
    largest = 1.7976931348623157e308 if x.dtype == _core.float64 else 3.4028234663852886e38
    y = _core.where(_core.isnan(x), nan, x)
    y = _core.where(isposinf(x), largest if posinf is None else posinf, y)
    return _core.where(isneginf(x), -largest if neginf is None else neginf, y)
