"""Special functions that are formulas over others: reductions, combinatorics, distributions."""

from __future__ import annotations

import math
from operator import index
from typing import Any

from .. import _core
from .._arguments import Axis, inexact, promoted, rounded_once
from .._core import Array
from .._grad import stop_gradient
from . import _rows

__all__ = [
    "bdtr",
    "bdtrc",
    "bdtri",
    "bdtrik",
    "bdtrin",
    "chdtr",
    "chdtrc",
    "chdtri",
    "chdtriv",
    "comb",
    "diric",
    "factorial",
    "fdtr",
    "fdtrc",
    "fdtri",
    "fresnel",
    "gdtr",
    "gdtrc",
    "gdtria",
    "gdtrib",
    "gdtrix",
    "log_softmax",
    "logsumexp",
    "multigammaln",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "nbdtrik",
    "nbdtrin",
    "nrdtrimn",
    "nrdtrisd",
    "pdtr",
    "pdtrc",
    "pdtri",
    "pdtrik",
    "psi",
    "softmax",
]


def _shift(x: Array, axis: Axis) -> Array:
    """The largest element along the axes as a constant, 0 where it is infinite."""
    m = stop_gradient(_core.max(x, axis, keepdims=True))
    return _core.where(_core.isfinite(m), m, 0.0)


def _sums(x: Array, axis: Axis, weights: Array | None = None) -> tuple[Array, Array, Array]:
    """The shift ``m``, and the sums of ``exp(x - m)`` over the largest elements and over the others, which may be tiny."""
    m = _shift(x, axis)
    terms = _core.exp(x - m)
    if weights is not None:
        terms = terms * weights
    largest = _core.equal(x, _core.max(x, axis, keepdims=True))
    head, rest = (_core.where(largest, terms, 0.0), _core.where(largest, 0.0, terms))
    return m, _core.sum(head, axis, keepdims=True), _core.sum(rest, axis, keepdims=True)


@rounded_once()
def logsumexp(a: Any, axis: Axis = None, b: Any = None, keepdims: bool = False) -> Array:
    """``log(sum(b * exp(a)))`` over the axes, without overflow; all axes for ``axis=None``.

    Real ``a`` and weights ``b`` that broadcast with it; NaN where the weighted sum is negative. There is no ``return_sign``.

    >>> sa.special.logsumexp(sa.asarray([1000.0, 1000.0]))
    array(1000.69314718)
    """
    x = inexact(a)
    if b is not None:
        x, weights = promoted("logsumexp", [x, b])
        x, weights = _core.where(_core.equal(weights, 0.0), -math.inf, x), weights
    m, head, rest = _sums(x, axis, None if b is None else weights)
    out = _core.log(head) + _core.log1p(rest / _core.where(_core.equal(head, 0.0), 1.0, head)) + m
    if b is not None:
        # Weights of both signs may leave little of the first sum.
        out = _core.where(_core.less(2.0 * _core.abs(rest), head), out, _core.log(head + rest) + m)
    return out if keepdims else _core.sum(out, axis)


def softmax(x: Any, axis: Axis = None) -> Array:
    """``exp(x) / sum(exp(x))`` over the axes; all of them for ``axis=None``.

    >>> sa.special.softmax(sa.asarray([0.0, 0.0, 1000.0]))
    array([0., 0., 1.])
    """
    y = inexact(x)
    e = _core.exp(y - _shift(y, axis))
    return e / _core.sum(e, axis, keepdims=True)


def log_softmax(x: Any, axis: Axis = None) -> Array:
    """Logarithm of `softmax`, also where that underflows.

    >>> sa.special.log_softmax(sa.asarray([0.0, 1000.0]))
    array([-1000.,     0.])
    """
    y = inexact(x)
    m, head, rest = _sums(y, axis)
    return (y - m) - _core.log(head) - _core.log1p(rest / head)


def fresnel(z: Any) -> tuple[Array, Array]:
    """Fresnel's integrals ``(S, C)``, as `fresnel_s` and `fresnel_c` (DLMF 7.2.7-8).

    >>> sa.special.fresnel(2.0)
    (array(0.34341568), array(0.48825341))
    """
    return _rows.fresnel_s(z), _rows.fresnel_c(z)


@rounded_once()
def diric(x: Any, n: int) -> Array:
    """Dirichlet's kernel ``sin(n x / 2) / (n sin(x / 2))`` for an integer ``n >= 1``, differentiable also at its peaks.

    >>> sa.special.diric(sa.asarray([0.0, 1.0]), 3)
    array([1.        , 0.69353487])
    """
    n = index(n)
    if n < 1:
        raise ValueError(f"diric: n must be at least 1, got {n}")
    turns = inexact(x) * (0.5 / math.pi)
    whole = stop_gradient(_core.rint(turns))
    # The ratio of two sincs about the nearest peak, with the sign of that.
    rest = turns - whole
    out = _core.sinc(n * rest) / _core.sinc(rest)
    return out * _core.cospi(whole) if n % 2 == 0 else out


@rounded_once()
def multigammaln(a: Any, d: int) -> Array:
    """Logarithm of the multivariate gamma function of dimension ``d`` (DLMF 35.3), for ``a > (d - 1) / 2``.

    Raises ValueError for ``d < 1``; NaN where ``a`` is too small (SciPy raises).

    >>> sa.special.multigammaln(sa.asarray([2.0, 3.0]), 2)
    array([0.45158271, 1.55019499])
    """
    d = index(d)
    if d < 1:
        raise ValueError(f"multigammaln: d must be at least 1, got {d}")
    y = inexact(a)
    out = d * (d - 1) * 0.25 * math.log(math.pi) + _rows.gammaln(y)
    for j in range(1, d):
        out = out + _rows.gammaln(y - 0.5 * j)
    return out * _core.where(_core.greater(y, 0.5 * (d - 1)), 1.0, math.nan)


@rounded_once()
def factorial(n: Any) -> Array:
    """``gamma(n + 1)`` as a float, 0 for negative ``n`` as in SciPy.

    >>> sa.special.factorial(sa.asarray([0.0, 5.0]))
    array([  1., 120.])
    """
    y = inexact(n)
    below = _core.less(y, 0.0)
    return _core.where(below, 0.0, _rows.gamma(_core.where(below, 0.0, y) + 1.0))


@rounded_once()
def comb(N: Any, k: Any, repetition: bool = False) -> Array:
    """Combinations of ``N`` things taken ``k`` at a time as a float, 0 where ``k > N`` or one is negative.

    With ``repetition`` those of ``N + k - 1``.

    >>> sa.special.comb(5.0, sa.asarray([2.0, 6.0]))
    array([10.,  0.])
    """
    n, m = promoted("comb", [inexact(N), inexact(k)])
    inside = _core.logical_and(_core.greater_equal(n, 0.0), _core.greater_equal(m, 0.0))
    if repetition:
        out = _rows.binom(_core.where(_core.equal(m, 0.0), n, n + m - 1.0), m)
        return _core.where(inside, out, 0.0)
    return _core.where(_core.logical_and(inside, _core.less_equal(m, n)), _rows.binom(n, m), 0.0)


def bdtr(k: Any, n: Any, p: Any) -> Array:
    """Distribution function of the binomial distribution: at most ``floor(k)`` of ``n`` trials of probability ``p``.

    >>> sa.special.bdtr(1, 3, 0.5)
    array(0.5)
    """
    m = _core.floor(inexact(k))
    whole = _core.greater_equal(m, n)
    return _core.where(whole, 1.0, _rows.betaincc(m + 1.0, _core.where(whole, 1.0, n - m), p))


def bdtrc(k: Any, n: Any, p: Any) -> Array:
    """Complement of `bdtr`.

    >>> sa.special.bdtrc(1, 4, 0.5)
    array(0.6875)
    """
    m = _core.floor(inexact(k))
    whole = _core.greater_equal(m, n)
    return _core.where(whole, 0.0, _rows.betainc(m + 1.0, _core.where(whole, 1.0, n - m), p))


def bdtri(k: Any, n: Any, y: Any) -> Array:
    """Inverse of `bdtr` in ``p``.

    >>> sa.special.bdtri(1, 3, 0.5)
    array(0.5)
    """
    m = _core.floor(inexact(k))
    return _rows.betainccinv(m + 1.0, n - m, y)


def chdtr(v: Any, x: Any) -> Array:
    """Distribution function of the chi-squared distribution with ``v`` degrees of freedom.

    >>> sa.special.chdtr(2.0, 2.0)
    array(0.63212056)
    """
    return _rows.gammainc(inexact(v) * 0.5, inexact(x) * 0.5)


def chdtrc(v: Any, x: Any) -> Array:
    """Complement of `chdtr`.

    >>> sa.special.chdtrc(2.0, 2.0)
    array(0.36787944)
    """
    y = inexact(x)
    return _core.where(_core.less(y, 0.0), 1.0, _rows.gammaincc(inexact(v) * 0.5, _core.maximum(y, 0.0) * 0.5))


def chdtri(v: Any, p: Any) -> Array:
    """Inverse of `chdtrc` in ``x``.

    >>> sa.special.chdtri(2.0, 0.5)
    array(1.38629436)
    """
    return 2.0 * _rows.gammainccinv(inexact(v) * 0.5, p)


def _odds_tail(a: Any, b: Any, odds: Array, upper: bool) -> Array:
    """``I_x(a, b)`` or its complement at ``x = odds / (1 + odds)``, by whichever of ``x`` and ``1 - x`` is the smaller."""
    # At infinity nothing moves it.
    odds = _core.where(_core.equal(odds, math.inf), math.inf, odds)
    left = _core.less(odds, 1.0)
    inner = _core.where(left, odds, 0.0)
    # Beside an infinite derivative there is no room for one that is 0.
    edge, steep = _core.equal(odds, 0.0), _core.logical_and(_core.less(a, 2.0), _core.not_equal(a, 1.0))
    x = _core.where(_core.logical_and(edge, steep), inner, inner / (1.0 + inner))
    y = 1.0 / (1.0 + _core.where(left, 1.0, odds))
    lower, other = (_rows.betaincc, _rows.betainc) if upper else (_rows.betainc, _rows.betaincc)
    return _core.where(left, lower(a, b, x), other(b, a, y))


def _degrees(df: Any) -> Array:
    """Degrees of freedom, for infinitely many as many as make no difference to any digit; NaN for none, as in SciPy."""
    df = inexact(df)
    return _core.where(_core.equal(df, math.inf), 1e30, df * _core.where(_core.greater(df, 0.0), 1.0, math.nan))


def _f_odds(dfn: Array, dfd: Array, x: Any) -> Array:
    """``dfn * x / dfd``, which does not move with the degrees of freedom where it is 0 beside an infinite density or slope."""
    edge, slanted = _core.equal(x, 0.0), _core.equal(dfn, 2.0)
    scale = _core.where(edge, stop_gradient(dfn), dfn)
    over = _core.where(_core.logical_and(edge, ~slanted), stop_gradient(dfd), dfd)
    return scale * x / over


@rounded_once()
def fdtr(dfn: Any, dfd: Any, x: Any) -> Array:
    """Distribution function of the F distribution with ``dfn`` and ``dfd`` degrees of freedom.

    >>> sa.special.fdtr(2.0, 4.0, 2.0)
    array(0.75)
    """
    dfn, dfd = _degrees(dfn), _degrees(dfd)
    return _odds_tail(0.5 * dfn, 0.5 * dfd, _f_odds(dfn, dfd, x), upper=False)


@rounded_once()
def fdtrc(dfn: Any, dfd: Any, x: Any) -> Array:
    """Complement of `fdtr`.

    >>> sa.special.fdtrc(2.0, 4.0, 2.0)
    array(0.25)
    """
    dfn, dfd = _degrees(dfn), _degrees(dfd)
    return _odds_tail(0.5 * dfn, 0.5 * dfd, _f_odds(dfn, dfd, x), upper=True)


@rounded_once()
def fdtri(dfn: Any, dfd: Any, p: Any) -> Array:
    """Inverse of `fdtr` in ``x``.

    >>> sa.special.fdtri(2.0, 4.0, 0.75)
    array(2.)
    """
    dfn, dfd = _degrees(dfn), _degrees(dfd)
    x, rest = _rows.betaincinv(0.5 * dfn, 0.5 * dfd, p), _rows.betainccinv(0.5 * dfd, 0.5 * dfn, p)
    return dfd * x / (dfn * rest)


@rounded_once()
def gdtr(a: Any, b: Any, x: Any) -> Array:
    """Distribution function of the gamma distribution with rate ``a`` and shape ``b``.

    >>> sa.special.gdtr(1.0, 2.0, 2.0)
    array(0.59399415)
    """
    return _rows.gammainc(b, inexact(a) * x)


@rounded_once()
def gdtrc(a: Any, b: Any, x: Any) -> Array:
    """Complement of `gdtr`.

    >>> sa.special.gdtrc(1.0, 2.0, 2.0)
    array(0.40600585)
    """
    return _rows.gammaincc(b, inexact(a) * x)


@rounded_once()
def gdtria(p: Any, b: Any, x: Any) -> Array:
    """Inverse of `gdtr` in the rate ``a``.

    >>> sa.special.gdtria(0.5, 1.0, 2.0)
    array(0.34657359)
    """
    return _rows.gammaincinv(b, p) / x


@rounded_once()
def gdtrix(a: Any, b: Any, p: Any) -> Array:
    """Inverse of `gdtr` in ``x``.

    >>> sa.special.gdtrix(2.0, 1.0, 0.5)
    array(0.34657359)
    """
    return _rows.gammaincinv(b, p) / a


def nbdtr(k: Any, n: Any, p: Any) -> Array:
    """Distribution function of the negative binomial distribution: at most ``floor(k)`` failures before ``n`` successes.

    >>> sa.special.nbdtr(1, 2, 0.5)
    array(0.5)
    """
    return _rows.betainc(n, _core.floor(inexact(k)) + 1.0, p)


def nbdtrc(k: Any, n: Any, p: Any) -> Array:
    """Complement of `nbdtr`.

    >>> sa.special.nbdtrc(1, 2, 0.5)
    array(0.5)
    """
    return _rows.betaincc(n, _core.floor(inexact(k)) + 1.0, p)


def nbdtri(k: Any, n: Any, y: Any) -> Array:
    """Inverse of `nbdtr` in ``p``.

    >>> sa.special.nbdtri(1, 2, 0.5)
    array(0.5)
    """
    return _rows.betaincinv(n, _core.floor(inexact(k)) + 1.0, y)


def pdtr(k: Any, m: Any) -> Array:
    """Distribution function of the Poisson distribution with mean ``m``.

    >>> sa.special.pdtr(1, 1.0)
    array(0.73575888)
    """
    return _rows.gammaincc(_core.floor(inexact(k)) + 1.0, m)


def pdtrc(k: Any, m: Any) -> Array:
    """Complement of `pdtr`.

    >>> sa.special.pdtrc(1, 1.0)
    array(0.26424112)
    """
    return _rows.gammainc(_core.floor(inexact(k)) + 1.0, m)


def pdtri(k: Any, y: Any) -> Array:
    """Inverse of `pdtr` in ``m``.

    >>> sa.special.pdtri(1, 0.5)
    array(1.67834699)
    """
    return _rows.gammainccinv(_core.floor(inexact(k)) + 1.0, y)


def psi(z: Any) -> Array:
    """`digamma` by its other name.

    >>> sa.special.psi(1.0)
    array(-0.57721566)
    """
    return _rows.digamma(z)


def chdtriv(p: Any, x: Any) -> Array:
    """Inverse of `chdtr` in the degrees of freedom ``v``.

    >>> sa.special.chdtriv(0.5, 1.0)
    array(1.5971476)
    """
    return 2.0 * _gammainc_shape(p, 0.5 * inexact(x))


@rounded_once()
def gdtrib(a: Any, p: Any, x: Any) -> Array:
    """Inverse of `gdtr` in the shape ``b``.

    >>> sa.special.gdtrib(1.0, 0.5, 2.0)
    array(2.32348868)
    """
    return _gammainc_shape(p, inexact(a) * x)


@rounded_once()
def pdtrik(p: Any, m: Any) -> Array:
    """Inverse of `pdtr` in ``k``, a real number; 0 where every ``k`` gives more than ``p``, as SciPy.

    >>> sa.special.pdtrik(0.5, 4.0)
    array(3.32838046)
    """
    return _core.maximum(_core._rows["gammaincc_shape"]["function"](p, m) - 1.0, 0.0)


@rounded_once()
def bdtrik(y: Any, n: Any, p: Any) -> Array:
    """Inverse of `bdtr` in the number of successes ``k``, a real number; 0 where every ``k`` gives more, as SciPy.

    >>> sa.special.bdtrik(0.5, 3.0, 0.5)
    array(1.)
    """
    return _core.maximum(_core._rows["beta_split"]["function"](y, 1.0 + inexact(n), p) - 1.0, 0.0)


@rounded_once()
def bdtrin(k: Any, y: Any, p: Any) -> Array:
    """Inverse of `bdtr` in the number of trials ``n``, a real number.

    >>> sa.special.bdtrin(1.0, 0.5, 0.5)
    array(3.)
    """
    k = inexact(k)
    return k + _rows.btdtrib(k + 1.0, 1.0 - inexact(y), p)


@rounded_once()
def nbdtrik(y: Any, n: Any, p: Any) -> Array:
    """Inverse of `nbdtr` in the number of failures ``k``, a real number; 0 where every ``k`` gives more, as SciPy.

    >>> sa.special.nbdtrik(0.5, 2.0, 0.5)
    array(1.)
    """
    return _core.maximum(_rows.btdtrib(n, y, p) - 1.0, 0.0)


def nbdtrin(k: Any, y: Any, p: Any) -> Array:
    """Inverse of `nbdtr` in the number of successes ``n``, a real number.

    >>> sa.special.nbdtrin(1.0, 0.5, 0.5)
    array(2.)
    """
    return _rows.btdtria(y, inexact(k) + 1.0, p)


@rounded_once()
def nrdtrimn(p: Any, std: Any, x: Any) -> Array:
    """The mean of the normal distribution of deviation ``std`` whose distribution function is ``p`` at ``x``.

    >>> sa.special.nrdtrimn(0.5, 1.0, 2.0)
    array(2.)
    """
    return inexact(x) - std * _rows.ndtri(p)


@rounded_once()
def nrdtrisd(mn: Any, p: Any, x: Any) -> Array:
    """The deviation of the normal distribution of mean ``mn`` whose distribution function is ``p`` at ``x``.

    >>> sa.special.nrdtrisd(0.0, 0.75, 1.0)
    array(1.48260222)
    """
    return (inexact(x) - mn) / _rows.ndtri(p)


def _gammainc_shape(p: Any, x: Any) -> Array:
    return _core._rows["gammainc_shape"]["function"](p, x)
