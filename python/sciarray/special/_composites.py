"""Special functions that are formulas over others: reductions and distributions."""

from __future__ import annotations

import math
from typing import Any

from .. import _core
from .._arguments import Axis, all_inexact, inexact, promoted, rounded_once
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
    "diric",
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


#: A turn in parts, of which the first ones have so few bits that their multiples are exact.
_TURN = (6.2831854820251465, -1.7484555314695172e-07, -6.8604979977715316e-15)


def _size(x: Array) -> Array:
    """What decides how large ``exp(x)`` is."""
    return _core.real(x) if x.dtype.kind == "c" else x


def _shift(m: Array) -> Array:
    """The largest elements, 0 where they are infinite."""
    return _core.where(_core.isfinite(m), m, 0.0)


def _sums(x: Array, axis: Axis, weights: Array | None = None) -> tuple[Array, Array, Array]:
    """The shift ``m``, and the sums of ``exp(x - m)`` over the largest elements and over the others, which may be tiny.

    The shift is a constant, but where all others together are smaller: there it moves along, which leaves second derivatives
    ``p (1 - p)`` no difference from 1.
    """
    size = _size(x)
    moving = _core.max(size, axis, keepdims=True)
    top = stop_gradient(moving)
    largest = _core.equal(size, top)
    others = stop_gradient(_core.max(_core.where(largest, -math.inf, size), axis, keepdims=True))
    count = max(x.size // max(top.size, 1), 1)
    alone = _core.less(others - top, -1.0 - math.log(count))
    m = _shift(_core.where(alone, moving, top))
    terms = _core.exp(x - m)
    if weights is not None:
        terms = terms * weights
    head, rest = (_core.where(largest, terms, 0.0), _core.where(largest, 0.0, terms))
    return m, _core.sum(head, axis, keepdims=True), _core.sum(rest, axis, keepdims=True)


def logsumexp(a: Any, axis: Axis = None, b: Any = None, keepdims: bool = False, return_sign: bool = False) -> Any:
    """``log(sum(b * exp(a)))`` over the axes, without overflow; all axes for ``axis=None``.

    Real or complex ``a`` and weights ``b`` that broadcast with it; the imaginary part is in (-pi, pi]. NaN where a real sum is
    negative, unless ``return_sign`` asks for the logarithm of its absolute value and its sign, of complex sums their phase; the
    sign of an empty sum is 0 (SciPy: -1). float32 and complex64 stay, integers become float64.

    >>> sa.special.logsumexp(sa.asarray([1000.0, 1000.0]))
    array(1000.69314718)
    >>> sa.special.logsumexp([1.0, 2.0], b=[1.0, -1.0], return_sign=True)
    (array(1.54132485), array(-1.))
    """
    args = all_inexact("logsumexp", [a] if b is None else [a, b])
    single = args[0].dtype in (_core.float32, _core.complex64)
    x, *weights = [_core.astype(v, _core.complex128 if v.dtype.kind == "c" else _core.float64) for v in args]
    out, total = _log_of_sum(x, weights[0] if weights else None, axis)
    if return_sign:
        results = [out, _core.sign(total)]
    elif x.dtype.kind == "c":
        results = [_core.complex(out, _core.imag(_core.log(total)))]
    else:
        results = [_within(out, _core.logical_not(_core.less(total, 0.0))) if weights else out]
    if not keepdims:
        results = [_core.sum(y, axis) for y in results]
    if single:
        results = [_core.astype(y, _core.complex64 if y.dtype.kind == "c" else _core.float32) for y in results]
    return tuple(results) if return_sign else results[0]


def _log_of_sum(x: Array, weights: Array | None, axis: Axis) -> tuple[Array, Array]:
    """Logarithm of the size of the sum of exponentials, and the sum but for a positive factor."""
    if weights is not None:
        x = _core.where(_core.equal(weights, 0.0), -math.inf, x)
    if x.size == 0:
        total = _core.sum(x, axis, keepdims=True)
        return _core.log(_core.abs(total)), total
    m, head, rest = _sums(x, axis, weights)
    total = head + rest
    if weights is None and x.dtype.kind != "c":
        return _core.log(head) + _core.log1p(rest / _core.where(_core.equal(head, 0.0), 1.0, head)) + m, total
    # Weights of both signs may leave little of the first sum.
    near = _core.logical_and(_core.less(2.0 * _core.abs(rest), _core.abs(head)), _core.isfinite(head))
    parts = _core.log1p(rest / _core.where(near, head, 1.0))
    if x.dtype.kind == "c":
        near_log, far_log = _core.real(_core.log(head) + parts), _core.real(_core.log(total))
    else:
        near_log, far_log = _core.log(_core.abs(head)) + parts, _core.log(_core.abs(total))
    return _core.where(near, near_log, far_log) + m, total


def softmax(x: Any, axis: Axis = None) -> Array:
    """``exp(x) / sum(exp(x))`` over the axes; all of them for ``axis=None``.

    >>> sa.special.softmax(sa.asarray([0.0, 0.0, 1000.0]))
    array([0., 0., 1.])
    """
    y = inexact(x)
    z = stop_gradient(y)
    e = _core.exp(z - _shift(_core.max(_size(z), axis, keepdims=True)))
    return _core.softmax(y, e / _core.sum(e, axis, keepdims=True), axis)


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
def diric(x: Any, n: Any) -> Array:
    """Dirichlet's kernel ``sin(n x / 2) / (n sin(x / 2))`` for whole ``n >= 1``, differentiable in ``x`` also at its peaks.

    Arguments broadcast; NaN for other ``n``, as SciPy. Keeps float32.

    >>> sa.special.diric(sa.asarray([0.0, 1.0]), 3)
    array([1.        , 0.69353487])
    """
    y, count = promoted("diric", [inexact(x), n])
    count = stop_gradient(count)
    whole = stop_gradient(_core.rint(y * (0.5 / math.pi)))
    # The ratio of two sincs about the nearest peak, from which the distance is exact, with the sign of that.
    rest = y
    for part in _TURN:
        rest = rest - whole * part
    rest = rest * (0.5 / math.pi)
    out = _core.sinc(count * rest) / _core.sinc(rest)
    # Far out only the sine itself knows the distance.
    far = _core.greater(_core.abs(whole), 2.0**20)
    half = _core.where(far, 0.5 * y, 1.0)
    direct = _core.sin(count * half) / (count * _core.sin(half))
    sign = _core.where(_core.equal(_core.remainder(count, 2.0), 0.0), _core.cospi(whole), 1.0)
    valid = _core.logical_and(_core.greater_equal(count, 1.0), _core.equal(count, _core.floor(count)))
    return _within(_core.where(far, direct, out * sign), valid)


@rounded_once()
def multigammaln(a: Any, d: int) -> Array:
    """Logarithm of the multivariate gamma function of dimension ``d`` (DLMF 35.3), for ``a > (d - 1) / 2``.

    Raises ValueError unless ``d`` is a positive whole number; NaN where ``a`` is too small (SciPy raises).

    >>> sa.special.multigammaln(sa.asarray([2.0, 3.0]), 2)
    array([0.45158271, 1.55019499])
    """
    if not (1 <= d < math.inf and d == int(d)):
        raise ValueError(f"multigammaln: d must be a whole number of at least 1, got {d}")
    d = int(d)
    y = inexact(a)
    out = d * (d - 1) * 0.25 * math.log(math.pi) + _rows.gammaln(y)
    for j in range(1, d):
        out = out + _rows.gammaln(y - 0.5 * j)
    return _within(out, _core.greater(y, 0.5 * (d - 1)))


def _within(out: Array, *conditions: Array) -> Array:
    """A result where all conditions hold, elsewhere NaN with NaN gradients."""
    for condition in conditions:
        out = _core.where(condition, out, out * math.nan)
    return out


def _trials(k: Any, n: Any, p: Any) -> tuple[Array, tuple[Array, ...]]:
    """The whole part of ``k``, and what must hold of the number of trials and the probability."""
    m = _core.floor(inexact(k))
    possible = _core.logical_and(_core.greater_equal(p, 0.0), _core.less_equal(p, 1.0))
    return m, (_core.less(n, math.inf), _core.less_equal(m, n), possible)


def bdtr(k: Any, n: Any, p: Any) -> Array:
    """Distribution function of the binomial distribution: at most ``floor(k)`` of ``n`` trials of probability ``p``.

    NaN for ``k < 0``, ``k > n`` and infinite ``n``, as SciPy.

    >>> sa.special.bdtr(1, 3, 0.5)
    array(0.5)
    """
    m, valid = _trials(k, n, p)
    whole = _core.equal(m, n)
    out = _core.where(whole, 1.0, _rows.betaincc(m + 1.0, _core.where(whole, 1.0, n - m), p))
    return _within(out, _core.greater_equal(m, 0.0), *valid)


def bdtrc(k: Any, n: Any, p: Any) -> Array:
    """Complement of `bdtr`, 1 for ``k < 0``.

    >>> sa.special.bdtrc(1, 4, 0.5)
    array(0.6875)
    """
    m, valid = _trials(k, n, p)
    whole, below = _core.equal(m, n), _core.less(m, 0.0)
    out = _rows.betainc(_core.where(below, 0.0, m) + 1.0, _core.where(whole, 1.0, n - m), p)
    return _within(_core.where(below, 1.0, _core.where(whole, 0.0, out)), *valid)


def bdtri(k: Any, n: Any, y: Any) -> Array:
    """Inverse of `bdtr` in ``p``, NaN unless ``0 <= k < n``.

    >>> sa.special.bdtri(1, 3, 0.5)
    array(0.5)
    """
    m, valid = _trials(k, n, y)
    return _within(_rows.betainccinv(m + 1.0, n - m, y), _core.greater_equal(m, 0.0), _core.less(m, n), *valid)


def chdtr(v: Any, x: Any) -> Array:
    """Distribution function of the chi-squared distribution with ``v`` degrees of freedom.

    >>> sa.special.chdtr(2.0, 2.0)
    array(0.63212056)
    """
    return _rows.gammainc(inexact(v) * 0.5, inexact(x) * 0.5)


def chdtrc(v: Any, x: Any) -> Array:
    """Complement of `chdtr`; NaN for ``x < 0`` as that.

    >>> sa.special.chdtrc(2.0, 2.0)
    array(0.36787944)
    """
    return _rows.gammaincc(inexact(v) * 0.5, inexact(x) * 0.5)


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
    out = _odds_tail(0.5 * dfn, 0.5 * dfd, _f_odds(dfn, dfd, x), upper=False)
    return _within(out, _core.greater_equal(x, 0.0))


@rounded_once()
def fdtrc(dfn: Any, dfd: Any, x: Any) -> Array:
    """Complement of `fdtr`.

    >>> sa.special.fdtrc(2.0, 4.0, 2.0)
    array(0.25)
    """
    dfn, dfd = _degrees(dfn), _degrees(dfd)
    out = _odds_tail(0.5 * dfn, 0.5 * dfd, _f_odds(dfn, dfd, x), upper=True)
    return _within(out, _core.greater_equal(x, 0.0))


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
    return _within(_rows.gammainc(b, inexact(a) * x), _core.greater_equal(x, 0.0))


@rounded_once()
def gdtrc(a: Any, b: Any, x: Any) -> Array:
    """Complement of `gdtr`.

    >>> sa.special.gdtrc(1.0, 2.0, 2.0)
    array(0.40600585)
    """
    return _within(_rows.gammaincc(b, inexact(a) * x), _core.greater_equal(x, 0.0))


@rounded_once()
def gdtria(p: Any, b: Any, x: Any) -> Array:
    """Inverse of `gdtr` in the rate ``a``; NaN unless ``x`` is positive.

    >>> sa.special.gdtria(0.5, 1.0, 2.0)
    array(0.34657359)
    """
    proper = _core.logical_or(_core.greater(b, 0.0), _core.less(x, math.inf))
    return _within(_rows.gammaincinv(b, p) / x, proper, _core.greater(x, 0.0))


@rounded_once()
def gdtrix(a: Any, b: Any, p: Any) -> Array:
    """Inverse of `gdtr` in ``x``; NaN of an infinite ``a`` or ``b``, and where both are 0.

    >>> sa.special.gdtrix(2.0, 1.0, 0.5)
    array(0.34657359)
    """
    shaped = _core.logical_or(_core.not_equal(a, 0.0), _core.not_equal(b, 0.0))
    return _within(_rows.gammaincinv(b, p) / a, _core.less(a, math.inf), _core.less(b, math.inf), shaped)


def nbdtr(k: Any, n: Any, p: Any) -> Array:
    """Distribution function of the negative binomial distribution: at most ``floor(k)`` failures before ``n`` successes.

    NaN unless ``k >= 0`` and ``n > 0``, as SciPy.

    >>> sa.special.nbdtr(1, 2, 0.5)
    array(0.5)
    """
    m = _core.floor(inexact(k))
    return _within(_rows.betainc(n, m + 1.0, p), _core.greater_equal(m, 0.0), _core.greater(n, 0.0))


def nbdtrc(k: Any, n: Any, p: Any) -> Array:
    """Complement of `nbdtr`.

    >>> sa.special.nbdtrc(1, 2, 0.5)
    array(0.5)
    """
    m = _core.floor(inexact(k))
    return _within(_rows.betaincc(n, m + 1.0, p), _core.greater_equal(m, 0.0), _core.greater(n, 0.0))


def nbdtri(k: Any, n: Any, y: Any) -> Array:
    """Inverse of `nbdtr` in ``p``.

    >>> sa.special.nbdtri(1, 2, 0.5)
    array(0.5)
    """
    return _rows.betaincinv(n, _core.floor(inexact(k)) + 1.0, y)


def pdtr(k: Any, m: Any) -> Array:
    """Distribution function of the Poisson distribution with mean ``m``: at most ``floor(k)`` events, NaN for ``k < 0``.

    >>> sa.special.pdtr(1, 1.0)
    array(0.73575888)
    """
    count = _core.floor(inexact(k))
    return _within(_rows.gammaincc(count + 1.0, m), _core.greater_equal(count, 0.0))


def pdtrc(k: Any, m: Any) -> Array:
    """Complement of `pdtr`.

    >>> sa.special.pdtrc(1, 1.0)
    array(0.26424112)
    """
    count = _core.floor(inexact(k))
    return _within(_rows.gammainc(count + 1.0, m), _core.greater_equal(count, 0.0))


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
    """Inverse of `pdtr` in ``k``, a real number; 0 where every ``k`` gives more than ``p``, as SciPy, and inf for ``p = 1``.

    >>> sa.special.pdtrik(0.5, 4.0)
    array(3.32838046)
    """
    m = inexact(m)
    none = _core.logical_and(_core.equal(m, 0.0), _core.logical_and(_core.greater_equal(p, 0.0), _core.less(p, 1.0)))
    out = _core._rows["gammaincc_shape"]["function"](p, _core.where(none, 1.0, m)) - 1.0
    return _core.where(none, 0.0, _core.maximum(out, 0.0))


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
