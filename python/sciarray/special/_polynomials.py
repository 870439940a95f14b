"""Polynomials that follow from others, and the nodes and weights of Gauss's quadrature rules."""

from __future__ import annotations

from collections.abc import Callable
from math import gamma, pi, sqrt
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import rounded_once
from .._core import Array
from .._creation import asarray
from .._grad import stop_gradient

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


def legendre_p(n: Any, z: Any) -> Array:
    """Legendre polynomial: ``eval_legendre`` under its newer name, without ``diff_n``.

    Example
    -------
    >>> sa.special.legendre_p(2, sa.asarray([0.0, 1.0]))
    array([-0.5,  1. ])
    """
    return _ROWS["eval_legendre"](n, z)


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


def legendre_p_all(n: int, z: Any) -> Array:
    """Legendre polynomials of all degrees to ``n``, shape ``(n + 1, ...)``; SciPy's option ``diff_n`` and its axis are absent.

    Example
    -------
    >>> sa.special.legendre_p_all(2, sa.asarray([0.0, 1.0]))
    array([[ 1. ,  1. ],
           [ 0. ,  1. ],
           [-0.5,  1. ]])
    """
    z = asarray(z)
    return _ROWS["eval_legendre"](_operand(_column(np.arange(index(n) + 1.0), z), z), z)


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


def _wave(n: np.ndarray, m: np.ndarray, x: Array, s: Array, rest: Array | None = None) -> Array:
    """``s**m C_(n - m)^(m + 1/2)(x)`` (DLMF 18.11.1), at ``x + rest`` to first order in the rest."""
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
    return s ** _operand(m, x) * polynomial


def _polar_wave(n: np.ndarray, m: np.ndarray, theta: Array) -> Array:
    """`_wave` of the cosine and sine of an angle; what rounding takes off the cosine is large beside that of a small angle."""
    x, half = _core.cos(theta), 0.5 * theta
    right = _core.greater(x, 0.0)
    # 1 - x = 2 sin^2(theta / 2) and 1 + x = 2 cos^2(theta / 2)
    part = _core.where(right, _core.sin(half), _core.cos(half))
    rest = _core.where(right, (1.0 - x) - 2.0 * (part * part), 2.0 * (part * part) - (1.0 + x))
    rest = _core.where(_core.less(_core.abs(x), 0.5), 0.0, stop_gradient(rest))
    return _wave(n, m, x, _core.sin(theta), rest)


@rounded_once(skip=2)
def assoc_legendre_p(n: Any, m: Any, z: Any, *, norm: bool = False) -> Array:
    """Associated Legendre polynomial (Ferrers function) of integer degree and order on [-1, 1], with the phase ``(-1)**m``.

    ``norm`` makes it of unit norm on [-1, 1]. Differentiable in ``z``; SciPy's options ``branch_cut`` and ``diff_n`` are not
    offered. NaN outside [-1, 1] for odd orders. Raises ``TypeError`` for indices that are not integers, ``ValueError`` for
    negative degrees. From Gegenbauer polynomials, DLMF 14.7.17 and 18.11.1.

    Example
    -------
    >>> sa.special.assoc_legendre_p(2, 1, sa.asarray([0.28, 0.6]))
    array([-0.8064, -1.44  ])
    """
    degree, order, negative = _indices("assoc_legendre_p", n, m)
    z = asarray(z)
    front = _front(degree, order) * np.where(negative, 1.0, (-1.0) ** order)
    if norm:
        front *= np.sqrt(degree + 0.5)
    else:
        # What the symmetric factor lacks: sqrt((n + m)! / (n - m)!), or its inverse for negative orders
        rest = np.ones(degree.shape)
        for k in range(1, int(order.max(initial=0)) + 1):
            step = np.maximum((degree - order + 2.0 * k - 1) * (degree - order + 2.0 * k), 1.0)
            rest = np.where(k <= order, rest * np.sqrt(step), rest)
        front = np.where(negative, front / rest, front * rest)
    return _operand(front, z) * _wave(degree, order, z, _core.sqrt((1.0 - z) * (1.0 + z)))


def assoc_legendre_p_all(n: int, m: int, z: Any, *, norm: bool = False) -> Array:
    """Associated Legendre polynomials of all degrees to ``n`` and orders 0 to ``m``, -m to -1: ``(n + 1, 2 m + 1, ...)``.

    As :func:`assoc_legendre_p`; SciPy's option ``diff_n`` and its axis are absent.

    Example
    -------
    >>> sa.special.assoc_legendre_p_all(1, 1, 0.6)
    array([[ 1. , -0. ,  0. ],
           [ 0.6, -0.8,  0.4]])
    """
    z = asarray(z)
    return assoc_legendre_p(*_table("assoc_legendre_p_all", n, m, z), z, norm=norm)


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


@rounded_once(skip=2)
def sph_legendre_p(n: Any, m: Any, theta: Any) -> Array:
    """Spherical Legendre function of integer degree and order: the factor of :func:`sph_harm_y` in the polar angle ``theta``.

    SciPy's option ``diff_n`` and its axis are absent; differentiable in ``theta``.

    Example
    -------
    >>> sa.special.sph_legendre_p(2, 1, sa.asarray([0.0, 0.5]))
    array([-0.        , -0.32503853])
    """
    degree, order, negative = _indices("sph_legendre_p", n, m)
    theta = asarray(theta)
    front = _front(degree, order) * np.sqrt((2 * degree + 1) / (4 * pi)) * np.where(negative, 1.0, (-1.0) ** order)
    return _operand(front, theta) * _polar_wave(degree, order, theta)


def sph_legendre_p_all(n: int, m: int, theta: Any) -> Array:
    """Spherical Legendre functions of all degrees to ``n`` and orders 0 to ``m``, -m to -1: ``(n + 1, 2 m + 1, ...)``.

    Example
    -------
    >>> sa.special.sph_legendre_p_all(1, 1, 0.5).shape
    (2, 3)
    """
    theta = asarray(theta)
    return sph_legendre_p(*_table("sph_legendre_p_all", n, m, theta), theta)


def sph_harm_y_all(n: int, m: int, theta: Any, phi: Any) -> Array:
    """Spherical harmonics of all degrees to ``n`` and orders 0 to ``m``, -m to -1: ``(n + 1, 2 m + 1, ...)``.

    Example
    -------
    >>> sa.special.sph_harm_y_all(1, 1, 0.5, 0.25).shape
    (2, 3)
    """
    theta, phi = asarray(theta), asarray(phi)
    return sph_harm_y(*_table("sph_harm_y_all", n, m, theta, phi), theta, phi)


@rounded_once(skip=2)
def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any) -> Array:
    """Spherical harmonic of integer degree ``n`` and order ``m`` at polar angle ``theta`` and azimuth ``phi`` (DLMF 14.30.1).

    Complex; 0 for ``abs(m) > n``; differentiable in both angles, where SciPy has ``diff_n``. Raises ``TypeError`` for indices
    that are not integers, ``ValueError`` for negative degrees.

    Example
    -------
    >>> sa.special.sph_harm_y(1, 0, sa.asarray([0.0, 1.0]), 0.5)
    array([0.48860251+0.j, 0.26399306+0.j])
    """
    degree, order, negative = _indices("sph_harm_y", n, m)
    theta, phi = asarray(theta), asarray(phi)
    front = _front(degree, order) * np.sqrt((2 * degree + 1) / (4 * pi)) * np.where(negative, 1.0, (-1.0) ** order)
    size = _operand(front, theta) * _polar_wave(degree, order, theta)
    angle = _operand(np.where(negative, -1.0, 1.0) * order, phi) * phi
    return _ROWS["complex"](size * _core.cos(angle), size * _core.sin(angle))


def _degree(name: str, n: int) -> int:
    if (n := index(n)) < 1:
        raise ValueError(f"{name}: n must be a positive integer, got {n}")
    return n


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
        below, slope = below / np.abs(below).max(), slope / np.abs(slope).max()
        exact = 1.0 / (below * slope)
        exact *= total / exact.sum()
    x = refined
    if np.isfinite(exact).all():
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
    total = 2 ** (a + b + 1) * gamma(a + 1) * gamma(b + 1) / gamma(a + b + 2)
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
    return _gauss(2 * np.arange(float(n)) + a + 1, k * (k + a), gamma(a + 1), family, False, mu)


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
