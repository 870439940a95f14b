"""Polynomials that follow from others, and the nodes and weights of Gauss's quadrature rules."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, log, pi, sqrt
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import inexact, rounded_once
from .._core import Array
from .._creation import asarray, ones_like
from .._grad import jvp, stop_gradient
from .._manipulation import stack

_ROWS = {name: row["function"] for name, row in _core._rows.items()}

Rule = tuple[Array, Array] | tuple[Array, Array, float]

__all__ = [
    "assoc_legendre_p",
    "assoc_legendre_p_all",
    "eval_chebyc",
    "eval_chebys",
    "eval_laguerre",
    "eval_sh_jacobi",
    "legendre_p",
    "legendre_p_all",
    "lpmv",
    "roots_chebyc",
    "roots_chebys",
    "roots_chebyt",
    "roots_chebyu",
    "roots_gegenbauer",
    "roots_genlaguerre",
    "roots_hermite",
    "roots_hermitenorm",
    "roots_jacobi",
    "roots_laguerre",
    "roots_legendre",
    "roots_sh_chebyt",
    "roots_sh_chebyu",
    "roots_sh_jacobi",
    "roots_sh_legendre",
    "sph_harm_y",
    "sph_harm_y_all",
    "sph_legendre_p",
    "sph_legendre_p_all",
]


def eval_laguerre(n: Any, x: Any) -> Array:
    """Laguerre polynomial (DLMF 18.3), for all degrees of :func:`eval_genlaguerre`.

    Example
    -------
    >>> sa.special.eval_laguerre(2, sa.asarray([0.0, 1.0]))
    array([ 1. , -0.5])
    """
    return _ROWS["eval_genlaguerre"](n, 0.0, x)


def eval_chebyc(n: Any, x: Any) -> Array:
    """Chebyshev polynomial C_n(x) = 2 T_n(x / 2) on [-2, 2], for all degrees of :func:`eval_chebyt`.

    Example
    -------
    >>> sa.special.eval_chebyc(3, sa.asarray([1.0, 2.0]))
    array([-2.,  2.])
    """
    return 2.0 * _ROWS["eval_chebyt"](n, 0.5 * x)


def eval_chebys(n: Any, x: Any) -> Array:
    """Chebyshev polynomial S_n(x) = U_n(x / 2) on [-2, 2], for all degrees of :func:`eval_chebyu`.

    Example
    -------
    >>> sa.special.eval_chebys(2, sa.asarray([0.0, 2.0]))
    array([-1.,  3.])
    """
    return _ROWS["eval_chebyu"](n, 0.5 * x)


@rounded_once()
def eval_sh_jacobi(n: Any, p: Any, q: Any, x: Any) -> Array:
    """Shifted Jacobi polynomial on [0, 1], ``P_n^(p - q, q - 1)(2 x - 1) / binom(2 n + p - 1, n)``.

    Differentiable in all arguments, for all degrees of :func:`eval_jacobi`.

    Example
    -------
    >>> sa.special.eval_sh_jacobi(2, 2.5, 1.5, sa.asarray([0.0, 0.5]))
    array([ 0.15151515, -0.0530303 ])
    """
    size = _ROWS["binom"](2.0 * n + p - 1.0, n)
    return _ROWS["eval_jacobi_shifted"](n, p - q, q - 1.0, x) / size


def _order(name: str, diff_n: int) -> int:
    """How many derivatives are asked for."""
    order = index(diff_n)
    if not 0 <= order <= 2:
        raise ValueError(f"{name}: diff_n must be 0, 1 or 2, got {diff_n}")
    return order


def _derivatives(f: Callable[[Array], Array], z: Array, order: int) -> list[Array]:
    """``f(z)`` and its elementwise derivatives up to an order of at most 2."""
    one = ones_like(z)
    if order == 0:
        return [f(z)]
    if order == 1:
        return list(jvp(f, (z,), (one,)))
    (value, first), (_, second) = jvp(lambda z: jvp(f, (z,), (one,)), (z,), (one,))
    return [value, first, second]


def legendre_p(n: Any, z: Any, *, diff_n: int = 0) -> Array:
    """Legendre polynomial with its derivatives up to the order ``diff_n`` along a first axis: ``(diff_n + 1, ...)``.

    As SciPy's the result has that axis also for ``diff_n=0``; ``eval_legendre`` has none. Differentiable again in ``z``. Keeps
    float32. Raises ``ValueError`` unless ``diff_n`` is 0, 1 or 2.

    Example
    -------
    >>> sa.special.legendre_p(2, sa.asarray([0.0, 1.0]), diff_n=1)
    array([[-0.5,  1. ],
           [ 0. ,  3. ]])
    """
    return _legendre(n, inexact(z), _order("legendre_p", diff_n))


@rounded_once(skip=1)
def _legendre(n: Any, z: Array, order: int) -> Array:
    return stack(_derivatives(lambda z: _ROWS["eval_legendre"](n, z), z, order))


def _column(values: np.ndarray, *after: Array) -> np.ndarray:
    """Host values along axes before those of the arguments."""
    return values.reshape(values.shape + (1,) * max(x.ndim for x in after))


def _table(name: str, n: Any, m: Any, *after: Array) -> tuple[np.ndarray, np.ndarray]:
    """All degrees to ``n`` as a column and the orders 0 to ``m``, then ``-m`` to -1, as a row."""
    n, m = index(n), index(m)
    if n < 0 or m < 0:
        raise ValueError(f"{name}: n and m must not be negative, got {n} and {m}")
    orders = np.concatenate([np.arange(m + 1), np.arange(-m, 0)])
    return _column(np.arange(n + 1)[:, None], *after), _column(orders[None], *after)


def legendre_p_all(n: int, z: Any, *, diff_n: int = 0) -> Array:
    """Legendre polynomials of all degrees to ``n`` with their derivatives: ``(diff_n + 1, n + 1, ...)``.

    As :func:`legendre_p`. Raises ``ValueError`` for a negative degree.

    Example
    -------
    >>> sa.special.legendre_p_all(2, sa.asarray([0.0, 1.0]))
    array([[[ 1. ,  1. ],
            [ 0. ,  1. ],
            [-0.5,  1. ]]])
    """
    z, n, order = inexact(z), index(n), _order("legendre_p_all", diff_n)
    if n < 0:
        raise ValueError(f"legendre_p_all: n must not be negative, got {n}")
    return _legendre(_operand(_column(np.arange(n + 1.0), z), z), z, order)


def _indices(name: str, n: Any, m: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Degree, magnitude of the order, and whether the order is negative, as integers on the host."""
    n, m = np.broadcast_arrays(np.asarray(n), np.asarray(m))
    if n.dtype.kind not in "iu" or m.dtype.kind not in "iu":
        raise TypeError(f"{name}: degree and order must be integers, got {n.dtype} and {m.dtype}")
    if (n < 0).any():
        raise ValueError(f"{name}: the degree must not be negative, got {n.min()}")
    return n.astype(np.int64), np.abs(m).astype(np.int64), m < 0


def _front(n: np.ndarray, m: np.ndarray) -> np.ndarray:
    """``(2m - 1)!! sqrt((n - m)! / (n + m)!)``, a product of factors below 1; 0 beyond the degree."""
    out = np.ones(n.shape)
    for k in range(1, int(m.max(initial=0)) + 1):
        low = (n - m + 2.0 * k - 1) * (n - m + 2.0 * k)
        with np.errstate(all="ignore"):
            out = np.where(k <= m, out * (2 * k - 1) / np.sqrt(low), out)
    return np.where(m <= n, out, 0.0)


def _operand(x: np.ndarray, like: Array) -> Array | float:
    """Host values where an array is; a single one is weak in promotion."""
    x = np.asarray(x)
    return asarray(x.astype(float), device=like.device) if x.ndim else float(x)


def _gegenbauer(n: np.ndarray, m: np.ndarray, x: Array, rest: Array | None = None) -> Array:
    """``C_(n - m)^(m + 1/2)(x)`` (DLMF 18.11.1), at ``x + rest`` to first order in the rest."""
    degree = _operand(np.maximum(n - m, 0), x)
    # Of order 0 by the recurrence that keeps digits next to 1, where those of others are times a small power.
    first = np.equal(m, 0)
    if first.all():
        polynomial = _ROWS["eval_legendre"](degree, x)
    else:
        polynomial = _ROWS["eval_gegenbauer"](degree, _operand(m + 0.5, x), x)
        if first.any():
            polynomial = _core.where(asarray(first, device=x.device), _ROWS["eval_legendre"](degree, x), polynomial)
    if rest is not None:
        # DLMF 18.9.19
        lower = _operand(np.maximum(n - m - 1, 0), x)
        slope = _ROWS["eval_gegenbauer"](lower, _operand(m + 1.5, x), x)
        polynomial = polynomial + rest * (_operand(np.where(n > m, 2.0 * m + 1.0, 0.0), x) * slope)
    return polynomial


def _polar_wave(n: np.ndarray, m: np.ndarray, theta: Array) -> Array:
    """``s**m`` times `_gegenbauer` of the cosine, for the cosine and sine of an angle; what rounding takes off the cosine is
    large beside that of a small angle.
    """
    x, half = _core.cos(theta), 0.5 * theta
    right = _core.greater(x, 0.0)
    # 1 - x = 2 sin^2(theta / 2) and 1 + x = 2 cos^2(theta / 2)
    part = _core.where(right, _core.sin(half), _core.cos(half))
    rest = _core.where(right, (1.0 - x) - 2.0 * (part * part), 2.0 * (part * part) - (1.0 + x))
    rest = _core.where(_core.less(_core.abs(x), 0.5), 0.0, stop_gradient(rest))
    s = _core.sin(theta)
    # Its size, but with the slope of the sine at the poles
    return _core.where(_core.less(s, 0.0), -s, s) ** _operand(m, x) * _gegenbauer(n, m, x, rest)


def _root_power(m: np.ndarray, z: Array, outer: np.ndarray) -> Array:
    """``sqrt(1 - z**2)**m``, or where ``outer`` is true ``(sqrt(z - 1) * sqrt(z + 1))**m``."""
    half = _operand(0.5 * m, z)
    # A half power of the square has the derivatives at -1 and 1 that a power of the root lacks.
    power = _core.pow((1.0 - z) * (1.0 + z), half)
    if not outer.any():
        return power
    square = (z - 1.0) * (z + 1.0)
    if z.dtype.kind == "c":
        turned = _core.less(_core.real(_core.sqrt(z - 1.0) * _core.sqrt(z + 1.0) * _core.conj(_core.sqrt(square))), 0.0)
    else:
        turned = _core.less(z, 0.0)
    odd = asarray(m % 2 == 1, device=z.device)
    other = _core.where(_core.logical_and(turned, odd), -1.0, 1.0) * _core.pow(square, half)
    return other if outer.all() else _core.where(asarray(outer, device=z.device), other, power)


def assoc_legendre_p(n: Any, m: Any, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0) -> Array:
    """Associated Legendre polynomial of integer degree and order with its derivatives in ``z``: ``(diff_n + 1, ...)``.

    With ``branch_cut=2`` the Ferrers function with the phase ``(-1)**m``, cut outside [-1, 1]; with 3 the function without that
    phase that is cut on [-1, 1]. Real ``z`` beyond the cut give NaN for odd orders, complex ones do not. ``norm`` makes it of
    unit norm on [-1, 1]. As SciPy's the result has its first axis also for ``diff_n=0``. Differentiable in ``z``. Raises
    ``TypeError`` for indices that are not integers, ``ValueError`` for negative degrees and for other values of ``branch_cut``
    and ``diff_n``. From Gegenbauer polynomials, DLMF 14.7.17 and 18.11.1.

    Example
    -------
    >>> sa.special.assoc_legendre_p(2, 1, sa.asarray([0.28, 0.6]))
    array([[-0.8064, -1.44  ]])
    """
    return _associated("assoc_legendre_p", n, m, inexact(z), branch_cut, norm, diff_n)


def _associated(name: str, n: Any, m: Any, z: Array, branch_cut: Any, norm: bool, diff_n: int) -> Array:
    degree, order, negative = _indices(name, n, m)
    branch = np.asarray(branch_cut)
    if not np.isin(branch, (2, 3)).all():
        raise ValueError(f"{name}: branch_cut must be 2 or 3, got {branch_cut}")
    outer = branch == 3
    front = _front(degree, order) * np.where(negative | outer, 1.0, (-1.0) ** order)
    if norm:
        front = front * np.sqrt(degree + 0.5)
    else:
        # What the symmetric factor lacks: sqrt((n + m)! / (n - m)!), or its inverse for negative orders
        rest = np.ones(degree.shape)
        for k in range(1, int(order.max(initial=0)) + 1):
            step = np.maximum((degree - order + 2.0 * k - 1) * (degree - order + 2.0 * k), 1.0)
            rest = np.where(k <= order, rest * np.sqrt(step), rest)
        front = np.where(negative, front / rest, front * rest)
    return _associated_values(degree, order, front, outer, z, _order(name, diff_n))


@rounded_once(skip=4)
def _associated_values(
    n: np.ndarray, m: np.ndarray, front: np.ndarray, outer: np.ndarray, z: Array, order: int
) -> Array:
    def f(z: Array) -> Array:
        out = _operand(front, z) * (_root_power(m, z, outer) * _gegenbauer(n, m, z))
        # 0 times the infinite slope of a root is none
        return out if (m <= n).all() else _core.where(asarray(m <= n, device=z.device), out, 0.0)

    return stack(_derivatives(f, z, order))


def assoc_legendre_p_all(n: int, m: int, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0) -> Array:
    """Associated Legendre polynomials of all degrees to ``n`` and orders 0 to ``m``, -m to -1:
    ``(diff_n + 1, n + 1, 2 m + 1, ...)``.

    As :func:`assoc_legendre_p`.

    Example
    -------
    >>> sa.special.assoc_legendre_p_all(1, 1, 0.6)
    array([[[ 1. ,  0. ,  0. ],
            [ 0.6, -0.8,  0.4]]])
    """
    z = inexact(z)
    branch = asarray(branch_cut)
    table = _table("assoc_legendre_p_all", n, m, z, branch)
    return _associated("assoc_legendre_p_all", *table, z, branch_cut, norm, diff_n)


#: Products of the first 0 to 149 negative odd numbers; beyond they overflow.
_ODD_PRODUCTS = np.cumprod(np.concatenate([[1.0], -1.0 - 2.0 * np.arange(149)]))


@rounded_once(skip=1)
def lpmv(m: Any, v: Any, x: Any) -> Array:
    """Ferrers function of integer order ``m`` and real degree ``v`` on [-1, 1], with the phase ``(-1)**m`` (DLMF 14.3.1).

    Differentiable in the degree and in ``x``. NaN outside [-1, 1]; at -1 the infinity that is its limit, where SciPy has one
    sign for all degrees. Raises ``TypeError`` for orders that are not integers. From :func:`eval_gegenbauer`, of degrees below
    the order and of orders from 151 on from Gauss's hypergeometric function.

    Example
    -------
    >>> sa.special.lpmv(1, 2.5, sa.asarray([-0.5, 0.0, 0.5]))
    array([ 1.1343052 ,  0.98361717, -0.98737818])
    """
    m = np.asarray(m)
    if m.dtype.kind == "f" and np.all(m == np.floor(m)) and np.all(np.abs(m) < 2**31):
        m = m.astype(np.int64)
    if m.dtype.kind not in "iu":
        raise TypeError(f"lpmv: the order must be an integer, got {m.dtype}")
    v, x = asarray(v), asarray(x)
    # P of the degrees v and -v - 1 is the same.
    v = _core.where(_core.less(v, -0.5), -v - 1.0, v)
    order = _operand(np.abs(m), x)
    whole = v == _core.floor(v)
    pole = (x == -1.0) & ~(whole & (v >= order))
    inner = _core.where(pole, 0.0, x)
    square = (1.0 - inner) * (1.0 + inner)
    # At the ends by a product of which no factor is 0, and without the root: both slopes may be infinite there.
    ends = square == 0.0
    square = _core.where(ends, 1.0 - inner * inner, square)
    root = _core.sqrt(_core.where(ends, 1.0, square))

    def power(scale: float) -> Array:
        return _core.pow(_core.where(ends, square, scale * root), _core.where(ends, 0.5 * order, order))

    def ratio(v: Array) -> Array:
        # (-v)_m (v + 1)_m, which the rounding of v - m does not touch
        product = _ROWS["poch"](-v, order) * _ROWS["poch"](v + 1.0, order)
        return _core.where(asarray(m < 0, device=x.device), 1.0, product)

    def by_gauss(v: Array, x: Array) -> Array:
        front = power(0.5) / _ROWS["gamma"](order + 1.0)
        return ratio(v) * front * _ROWS["hyp2f1"](order - v, order + v + 1.0, order + 1.0, 0.5 * (1.0 - x))

    # DLMF 18.11.1, for negative orders with 14.9.3; by Gauss below the order, where that is not 0, and for the largest ones
    most, negative = len(_ODD_PRODUCTS) - 1, asarray(m < 0, device=x.device)
    nothing = whole & ~negative & (v < order)
    beyond = (v < order) & asarray(m != 0, device=x.device) | asarray(np.abs(m) > most, device=x.device)
    below = beyond & ~nothing
    some = _core.is_recording() or bool(_core.any(below))
    degree = _core.where(below, 0.0, v - order) if some else v - order
    out = _operand(_ODD_PRODUCTS[np.minimum(np.abs(m), most)], x) * power(1.0)
    out = out * _ROWS["eval_gegenbauer"](degree, order + 0.5, inner)
    if np.any(m < 0):
        fall = _ROWS["poch"](
            _core.where(negative, _core.maximum(degree, 0.0), 0.0) + 1.0, _core.where(negative, 2.0 * order, 0.0)
        )
        out = _core.where(negative, _operand((-1.0) ** np.abs(m), x) * out / fall, out)
    if some:
        out = _core.where(below, by_gauss(_core.where(below, v, order), _core.where(below, inner, 1.0)), out)
    if _core.is_recording() or bool(_core.any(pole)):
        # The limit (DLMF 15.4.21, 15.4.23)
        side = ratio(v) * _ROWS["rgamma"](order - v)
        limit = _core.sign(side) / _core.where(pole, 1.0 + x, 1.0)
        out = _core.where(pole, _core.where(side == 0.0, 0.0, limit), out)
    return out


def sph_legendre_p(n: Any, m: Any, theta: Any, *, diff_n: int = 0) -> Array:
    """Spherical Legendre function of integer degree and order, the factor of :func:`sph_harm_y` in the polar angle ``theta``,
    with its derivatives: ``(diff_n + 1, ...)``.

    As SciPy's the result has that axis also for ``diff_n=0``. Differentiable again in ``theta``. Raises ``TypeError`` for
    indices that are not integers, ``ValueError`` for negative degrees and unless ``diff_n`` is 0, 1 or 2.

    Example
    -------
    >>> sa.special.sph_legendre_p(2, 1, sa.asarray([0.0, 0.5]))
    array([[-0.        , -0.32503853]])
    """
    return _polar("sph_legendre_p", n, m, inexact(theta), _order("sph_legendre_p", diff_n))


def _polar(name: str, n: Any, m: Any, theta: Array, order: int) -> Array:
    """The factor of the spherical harmonics in the polar angle, and its derivatives, along a first axis."""
    degree, magnitude, negative = _indices(name, n, m)
    front = _front(degree, magnitude) * np.sqrt((2 * degree + 1) / (4 * pi))
    return _polar_values(degree, magnitude, front * np.where(negative, 1.0, (-1.0) ** magnitude), theta, order)


@rounded_once(skip=3)
def _polar_values(n: np.ndarray, m: np.ndarray, front: np.ndarray, theta: Array, order: int) -> Array:
    return stack(_derivatives(lambda t: _operand(front, t) * _polar_wave(n, m, t), theta, order))


def sph_legendre_p_all(n: int, m: int, theta: Any, *, diff_n: int = 0) -> Array:
    """Spherical Legendre functions of all degrees to ``n`` and orders 0 to ``m``, -m to -1:
    ``(diff_n + 1, n + 1, 2 m + 1, ...)``.

    As :func:`sph_legendre_p`.

    Example
    -------
    >>> sa.special.sph_legendre_p_all(1, 1, 0.5).shape
    (1, 2, 3)
    """
    theta = inexact(theta)
    return sph_legendre_p(*_table("sph_legendre_p_all", n, m, theta), theta, diff_n=diff_n)


def sph_harm_y_all(n: int, m: int, theta: Any, phi: Any, *, diff_n: int = 0) -> Array | tuple[Array, ...]:
    """Spherical harmonics of all degrees to ``n`` and orders 0 to ``m``, -m to -1: ``(n + 1, 2 m + 1, ...)``.

    With ``diff_n`` also gradients and Hessian matrices, as :func:`sph_harm_y`.

    Example
    -------
    >>> sa.special.sph_harm_y_all(1, 1, 0.5, 0.25).shape
    (2, 3)
    """
    theta, phi = inexact(theta), inexact(phi)
    return sph_harm_y(*_table("sph_harm_y_all", n, m, theta, phi), theta, phi, diff_n=diff_n)


def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Array | tuple[Array, ...]:
    """Spherical harmonic of integer degree ``n`` and order ``m`` at polar angle ``theta`` and azimuth ``phi`` (DLMF 14.30.1).

    Complex; 0 for ``abs(m) > n``. ``diff_n`` of 1 adds the gradient in both angles, ``(..., 2)``, and 2 the Hessian matrix as
    well, ``(..., 2, 2)``. Differentiable in both angles. Raises ``TypeError`` for indices that are not integers, ``ValueError``
    for negative degrees and unless ``diff_n`` is 0, 1 or 2.

    Example
    -------
    >>> sa.special.sph_harm_y(1, 0, sa.asarray([0.0, 1.0]), 0.5)
    array([0.48860251+0.j, 0.26399306+0.j])
    """
    order = _order("sph_harm_y", diff_n)
    degree, magnitude, negative = _indices("sph_harm_y", n, m)
    signed = np.where(negative, -1, 1) * magnitude
    parts = _harmonics(signed, degree, inexact(theta), inexact(phi), order)
    if order == 0:
        return parts[0]
    first = stack([parts[1], parts[2]], axis=-1)
    if order == 1:
        return parts[0], first
    mixed = parts[4]
    second = stack([stack([parts[3], mixed], axis=-1), stack([mixed, parts[5]], axis=-1)], axis=-1)
    return parts[0], first, second


@rounded_once(skip=2)
def _harmonics(m: np.ndarray, n: np.ndarray, theta: Array, phi: Array, order: int) -> Array:
    """Spherical harmonics and their derivatives: in theta, phi, theta twice, theta and phi, phi twice."""
    sizes = _polar("sph_harm_y", n, m, theta, order)
    turn = _operand(m, phi)
    cosine, sine = _core.cos(turn * phi), _core.sin(turn * phi)

    def wave(size: Array, quarters: int) -> Array:
        # A derivative in phi is a quarter turn times m.
        size = size * turn**quarters
        re, im = [(cosine, sine), (-sine, cosine), (-cosine, -sine)][quarters]
        return _ROWS["complex"](size * re, size * im)

    orders = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    return stack([wave(sizes[i], j) for i, j in orders if i + j <= order])


def _degree(name: str, n: int) -> int:
    if not (1 <= n < inf and n == int(n)):
        raise ValueError(f"{name}: n must be a positive integer, got {n}")
    return int(n)


def _result(x: np.ndarray, w: np.ndarray, total: float, mu: bool) -> Rule:
    return (asarray(x), asarray(w), total) if mu else (asarray(x), asarray(w))


class _Family:
    """A polynomial and its slope on the host."""

    def __init__(self, f: Callable[..., Array], slope: Callable[..., Array]):
        self.f, self.df = f, slope

    def __call__(self, n: int, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.f(float(n), asarray(x)))

    def slope(self, n: int, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.df(float(n), asarray(x)))


def _gauss(
    diagonal: np.ndarray,
    squares: np.ndarray,
    total: float,
    p: _Family,
    symmetric: bool,
    mu: bool,
) -> Rule:
    """Nodes and weights of the rule whose monic polynomials have these recurrence coefficients.

    Eigenvalues and first components of eigenvectors of the Jacobi matrix (G. H. Golub, J. H. Welsch, Math. Comp. 23, 1969);
    then a Newton step, and the weights from the polynomials themselves where these do not overflow, which keeps the digits of
    small weights. ``p(n, x)`` is proportional to the polynomial of degree ``n``.
    """
    n = len(diagonal)
    off = np.sqrt(squares)
    x, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1))
    w = total * vectors[0] ** 2
    with np.errstate(all="ignore"):
        slope = p.slope(n, x)
        step = p(n, x) / slope
        refined = x - np.where(np.isfinite(step) & (np.abs(step) < 1e-6 * (1 + np.abs(x))), step, 0.0)
        below, slope = p(n - 1, refined), p.slope(n, refined)
        # Mantissas and exponents apart: the product of the two may overflow where the ratios of the weights do not.
        (below, low), (slope, high) = np.frexp(below), np.frexp(slope)
        exact = np.ldexp(1.0 / (below * slope), np.min(low + high) - (low + high))
        exact *= total / exact.sum()
    x = refined
    if np.isfinite(exact).all() and np.isfinite(below).all() and np.isfinite(slope).all():
        w = exact
    if symmetric:
        x, w = 0.5 * (x - x[::-1]), 0.5 * (w + w[::-1])
    return _result(x, w, total, mu)


def roots_jacobi(n: int, alpha: float, beta: float, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Jacobi quadrature: the weight ``(1 - x)**alpha * (1 + x)**beta`` on [-1, 1].

    With ``mu`` also the sum of the weights. Raises ``ValueError`` unless ``n >= 1``, ``alpha > -1``, ``beta > -1``. By the
    method of Golub and Welsch, on the host.

    Example
    -------
    >>> x, w = sa.special.roots_jacobi(2, 1.0, 1.0)
    >>> x, w
    (array([-0.4472136,  0.4472136]), array([0.66666667, 0.66666667]))
    """
    n = _degree("roots_jacobi", n)
    a, b = float(alpha), float(beta)
    if not (a > -1 and b > -1):
        raise ValueError(f"roots_jacobi: alpha and beta must exceed -1, got {a} and {b}")
    k = np.arange(1.0, n)
    s = 2 * k + a + b
    diagonal = np.concatenate([[(b - a) / (a + b + 2)], (b * b - a * a) / (s * (s + 2))])
    # The formula of DLMF 18.9.2 with a + b + 1 cancelled at k = 1
    with np.errstate(all="ignore"):
        squares = 4 * k * (k + a) * (k + b) * (k + a + b) / (s * s * (s + 1) * (s - 1))
    if n > 1:
        squares[0] = 4 * (1 + a) * (1 + b) / ((a + b + 2) ** 2 * (a + b + 3))
    if a + b < 1000:
        total = 2 ** (a + b + 1) * float(_ROWS["beta"](a + 1, b + 1))
    else:
        total = exp((a + b + 1) * log(2) + float(_ROWS["betaln"](a + 1, b + 1)))
    family = _Family(
        lambda d, x: _ROWS["eval_jacobi"](d, a, b, x),
        lambda d, x: 0.5 * (d + a + b + 1) * _ROWS["eval_jacobi"](d - 1, a + 1, b + 1, x),
    )
    return _gauss(diagonal, squares, total, family, a == b, mu)


def roots_legendre(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Legendre quadrature on [-1, 1].

    With ``mu`` also the sum of the weights, 2. Raises ``ValueError`` unless ``n >= 1``. By the method of Golub and Welsch, on
    the host.

    Example
    -------
    >>> x, w = sa.special.roots_legendre(3)
    >>> x, w
    (array([-0.77459667,  0.        ,  0.77459667]), array([0.55555556, 0.88888889, 0.55555556]))
    """
    n = _degree("roots_legendre", n)
    k = np.arange(1.0, n)
    family = _Family(_ROWS["eval_legendre"], lambda d, x: _ROWS["eval_gegenbauer"](d - 1, 1.5, x))
    return _gauss(np.zeros(n), k * k / (4 * k * k - 1), 2.0, family, True, mu)


def roots_sh_legendre(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Legendre quadrature on [0, 1].

    Example
    -------
    >>> x, w = sa.special.roots_sh_legendre(2)
    >>> x, w
    (array([0.21132487, 0.78867513]), array([0.5, 0.5]))
    """
    x, w = roots_legendre(_degree("roots_sh_legendre", n))[:2]
    return _result(0.5 * (np.asarray(x) + 1), 0.5 * np.asarray(w), 1.0, mu)


def roots_gegenbauer(n: int, alpha: float, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Gegenbauer quadrature: the weight ``(1 - x**2)**(alpha - 1/2)`` on [-1, 1].

    Raises ``ValueError`` unless ``n >= 1`` and ``alpha > -1/2``.

    Example
    -------
    >>> x, w = sa.special.roots_gegenbauer(2, 1.5)
    >>> x, w
    (array([-0.4472136,  0.4472136]), array([0.66666667, 0.66666667]))
    """
    if not float(alpha) > -0.5:
        raise ValueError(f"roots_gegenbauer: alpha must exceed -1/2, got {alpha}")
    return roots_jacobi(_degree("roots_gegenbauer", n), float(alpha) - 0.5, float(alpha) - 0.5, mu)


def roots_chebyt(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Chebyshev quadrature of the first kind: the weight ``1 / sqrt(1 - x**2)`` on [-1, 1].

    Example
    -------
    >>> x, w = sa.special.roots_chebyt(2)
    >>> x, w
    (array([-0.70710678,  0.70710678]), array([1.57079633, 1.57079633]))
    """
    n = _degree("roots_chebyt", n)
    # sin(pi x) is exact where cos of a rounded angle is not.
    x = np.asarray(_core.sinpi(asarray(np.arange(1.0 - n, n, 2.0) / (2 * n))))
    return _result(x, np.full(n, pi / n), pi, mu)


def roots_chebyu(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Chebyshev quadrature of the second kind: the weight ``sqrt(1 - x**2)`` on [-1, 1].

    Example
    -------
    >>> x, w = sa.special.roots_chebyu(2)
    >>> x, w
    (array([-0.5,  0.5]), array([0.78539816, 0.78539816]))
    """
    n = _degree("roots_chebyu", n)
    at = asarray(np.arange(1.0 - n, n, 2.0) / (2 * n + 2))
    w = pi / (n + 1) * np.asarray(_core.cospi(at)) ** 2
    return _result(np.asarray(_core.sinpi(at)), w, pi / 2, mu)


def _moved(rule: Rule, centre: float, width: float, weight: float, mu: bool) -> Rule:
    """The nodes at ``centre + width x`` with ``weight`` times the weights."""
    x, w = np.asarray(rule[0]), np.asarray(rule[1])
    return _result(centre + width * x, weight * w, weight * rule[2] if len(rule) > 2 else 0.0, mu)


def roots_chebyc(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Chebyshev quadrature with the weight ``1 / sqrt(1 - (x / 2)**2)`` on [-2, 2].

    Example
    -------
    >>> x, w = sa.special.roots_chebyc(2)
    >>> x, w
    (array([-1.41421356,  1.41421356]), array([3.14159265, 3.14159265]))
    """
    return _moved(roots_chebyt(_degree("roots_chebyc", n), True), 0.0, 2.0, 2.0, mu)


def roots_chebys(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Chebyshev quadrature with the weight ``sqrt(1 - (x / 2)**2)`` on [-2, 2].

    Example
    -------
    >>> x, w = sa.special.roots_chebys(2)
    >>> x, w
    (array([-1.,  1.]), array([1.57079633, 1.57079633]))
    """
    return _moved(roots_chebyu(_degree("roots_chebys", n), True), 0.0, 2.0, 2.0, mu)


def roots_sh_chebyt(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Chebyshev quadrature with the weight ``1 / sqrt(x - x**2)`` on [0, 1].

    Example
    -------
    >>> x, w = sa.special.roots_sh_chebyt(2)
    >>> x, w
    (array([0.14644661, 0.85355339]), array([1.57079633, 1.57079633]))
    """
    return _moved(roots_chebyt(_degree("roots_sh_chebyt", n), True), 0.5, 0.5, 1.0, mu)


def roots_sh_chebyu(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Chebyshev quadrature with the weight ``sqrt(x - x**2)`` on [0, 1].

    Example
    -------
    >>> x, w = sa.special.roots_sh_chebyu(2)
    >>> x, w
    (array([0.25, 0.75]), array([0.19634954, 0.19634954]))
    """
    return _moved(roots_chebyu(_degree("roots_sh_chebyu", n), True), 0.5, 0.5, 0.25, mu)


def roots_sh_jacobi(n: int, p1: float, q1: float, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Jacobi quadrature with the weight ``(1 - x)**(p1 - q1) * x**(q1 - 1)`` on [0, 1].

    Raises ``ValueError`` unless ``n >= 1``, ``p1 - q1 > -1`` and ``q1 > 0``.

    Example
    -------
    >>> x, w = sa.special.roots_sh_jacobi(2, 2.0, 2.0)
    >>> x, w
    (array([0.35505103, 0.84494897]), array([0.18195862, 0.31804138]))
    """
    p, q = float(p1), float(q1)
    if not (p - q > -1 and q > 0):
        raise ValueError(f"roots_sh_jacobi: p1 - q1 must exceed -1 and q1 must be positive, got {p} and {q}")
    return _moved(roots_jacobi(_degree("roots_sh_jacobi", n), p - q, q - 1, True), 0.5, 0.5, 0.5**p, mu)


def roots_genlaguerre(n: int, alpha: float, mu: bool = False) -> Rule:
    """Nodes and weights of generalized Gauss-Laguerre quadrature: the weight ``x**alpha * exp(-x)`` on [0, inf).

    Raises ``ValueError`` unless ``n >= 1`` and ``alpha > -1``.

    Example
    -------
    >>> x, w = sa.special.roots_genlaguerre(2, 1.0)
    >>> x, w
    (array([1.26794919, 4.73205081]), array([0.78867513, 0.21132487]))
    """
    n = _degree("roots_genlaguerre", n)
    a = float(alpha)
    if not a > -1:
        raise ValueError(f"roots_genlaguerre: alpha must exceed -1, got {a}")
    k = np.arange(1.0, n)
    family = _Family(
        lambda d, x: _ROWS["eval_genlaguerre"](d, a, x), lambda d, x: -_ROWS["eval_genlaguerre"](d - 1, a + 1, x)
    )
    return _gauss(2 * np.arange(float(n)) + a + 1, k * (k + a), float(_ROWS["gamma"](a + 1)), family, False, mu)


def roots_laguerre(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Laguerre quadrature: the weight ``exp(-x)`` on [0, inf).

    Example
    -------
    >>> x, w = sa.special.roots_laguerre(2)
    >>> x, w
    (array([0.58578644, 3.41421356]), array([0.85355339, 0.14644661]))
    """
    return roots_genlaguerre(_degree("roots_laguerre", n), 0.0, mu)


def roots_hermite(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Hermite quadrature: the weight ``exp(-x**2)`` on the line.

    Example
    -------
    >>> x, w = sa.special.roots_hermite(2)
    >>> x, w
    (array([-0.70710678,  0.70710678]), array([0.88622693, 0.88622693]))
    """
    n = _degree("roots_hermite", n)
    family = _Family(_ROWS["eval_hermite"], lambda d, x: 2 * d * _ROWS["eval_hermite"](d - 1, x))
    return _gauss(np.zeros(n), 0.5 * np.arange(1.0, n), sqrt(pi), family, True, mu)


def roots_hermitenorm(n: int, mu: bool = False) -> Rule:
    """Nodes and weights of Gauss-Hermite quadrature: the weight ``exp(-x**2 / 2)`` on the line.

    Example
    -------
    >>> x, w = sa.special.roots_hermitenorm(2)
    >>> x, w
    (array([-1.,  1.]), array([1.25331414, 1.25331414]))
    """
    n = _degree("roots_hermitenorm", n)
    family = _Family(_ROWS["eval_hermitenorm"], lambda d, x: d * _ROWS["eval_hermitenorm"](d - 1, x))
    return _gauss(np.zeros(n), np.arange(1.0, n), sqrt(2 * pi), family, True, mu)
