"""Numbers of combinatorics: exactly in Python's integers, or as floats by the gamma function."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Number
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import device_of, inexact, promoted, read, rounded_once
from .._core import Array
from .._creation import asarray
from . import _rows

__all__ = ["bernoulli", "comb", "euler", "factorial", "factorial2", "factorialk", "perm", "stirling2"]


def _exactly(name: str, f: Callable[..., int], *args: Any) -> Any:
    """``f`` of whole numbers: a Python integer if none is an array, else an int64 array."""

    def whole(x: Any) -> int:
        if not x % 1 == 0:
            raise ValueError(f"{name}: exact=True needs whole numbers, got {x}")
        return int(x)

    if all(isinstance(x, Number) for x in args):
        return f(*map(whole, args))
    tables = np.broadcast_arrays(*[read(x, name) for x in args])
    values = [f(*map(whole, row)) for row in zip(*[t.ravel().tolist() for t in tables], strict=True)]
    if max(values, default=0) >= 2**63:
        raise OverflowError(f"{name}: exact=True answers arrays in int64, got numbers whose result is larger")
    return asarray(np.array(values, dtype=np.int64).reshape(tables[0].shape), device=device_of(*args))


def _multifactorial(n: int, k: int) -> int:
    if n < 0:
        return 0
    if k == 1:
        return math.factorial(n)
    # By halves, so that the numbers multiplied are of equal lengths.
    factors = list(range(n, 0, -k)) or [1]
    while len(factors) > 1:
        odd = factors[-1:] if len(factors) % 2 else []
        factors = [a * b for a, b in zip(factors[::2], factors[1::2])] + odd
    return factors[0]


def _factorial(name: str, n: Any, k: Any, exact: bool, extend: str) -> Any:
    if extend not in ("zero", "complex"):
        raise ValueError(f"{name}: extend must be 'zero' or 'complex', got {extend!r}")
    if exact and extend == "complex":
        raise ValueError(f"{name}: exact=True needs extend='zero', got extend='complex'")
    number, whole = isinstance(k, Number), isinstance(k, Integral)
    if not number or k == 0:
        raise ValueError(f"{name}: k must be a number other than 0, got {k!r}")
    if extend == "zero" and not (whole and k >= 1):
        raise ValueError(f"{name}: k must be a positive integer unless extend='complex', got {k!r}")
    y = asarray(n)
    refused = {"zero": "c" if name == "factorial" else "fc", "complex": ""}[extend]
    if y.dtype.kind in refused:
        raise ValueError(f"{name}: numbers that are not integers need extend='complex', got dtype {y.dtype.name}")
    if exact:
        if y.dtype.kind in "iub":
            return _exactly(name, lambda n: _multifactorial(n, int(k)), n)
        # As SciPy, which of floating point numbers lets these pass.
        if isinstance(n, float) and (math.isnan(n) or n < 2 and n % 1 == 0):
            return n if math.isnan(n) else int(n >= 0)
        raise ValueError(f"{name}: exact=True needs integers, got dtype {y.dtype.name}")
    if extend == "complex":
        return _gamma_extension(inexact(y), k)
    if k == 1:
        return _zero_extension(inexact(y))
    m = _core.astype(y, _core.float64)
    below = _core.less(m, 0.0)
    m = _core.where(below, 0.0, m)
    step = float(k)
    rest = _core.remainder(m, step)
    # The factors rest, rest + k, ..., n
    count = (m - rest) / step
    out = _core.pow(step, count) * _rows.poch(rest / step + 1.0, count) * _core.maximum(rest, 1.0)
    return _core.where(below, 0.0, out)


@rounded_once()
def _zero_extension(n: Array) -> Array:
    below = _core.less(n, 0.0)
    return _core.where(below, 0.0, _rows.gamma(_core.where(below, 0.0, n) + 1.0))


@rounded_once()
def _gamma_extension(n: Array, k: Any) -> Array:
    """``k**((n - 1) / k) * gamma(n / k + 1) / gamma(1 / k + 1)``, NaN at the poles."""
    if isinstance(k, complex) or k < 0:
        k = complex(k)
        n = n if n.dtype.kind == "c" else _core.complex(n, 0.0)
    elif k != 1:
        k = float(k)
    at = n / k + 1.0
    out = _rows.gamma(at)
    if n.dtype.kind != "c":
        out = out * _core.where(_core.equal(at, 0.0), math.nan, 1.0)
    if k == 1:
        return out
    return _core.pow(k, (n - 1.0) / k) * out * type(k)(_rows.rgamma(1.0 / k + 1.0))


def factorial(n: Any, exact: bool = False, extend: str = "zero") -> Any:
    """Factorial ``gamma(n + 1)``, of negative ``n`` 0, or with ``extend="complex"`` the gamma function's, NaN at its poles.

    Floats are differentiable; float32 and complex64 stay, integers become float64. ``exact=True`` takes integers, and gives a
    Python integer for one and an int64 array for arrays, where SciPy turns to arrays of objects: ``OverflowError`` if that is
    too small. Complex numbers need ``extend="complex"``. Raises ``ValueError`` for options and dtypes that do not go together.

    >>> sa.special.factorial(sa.asarray([0.0, 5.0]))
    array([  1., 120.])
    >>> sa.special.factorial(25, exact=True)
    15511210043330985984000000
    """
    return _factorial("factorial", n, 1, exact, extend)


def factorial2(n: Any, exact: bool = False, extend: str = "zero") -> Any:
    """Double factorial ``n * (n - 2) * (n - 4) ...`` of integers, 0 for negative ones (DLMF 5.4.2).

    ``extend="complex"`` is ``2**((n - 1) / 2) * gamma(n / 2 + 1) / gamma(3 / 2)``, for all numbers; that differs by
    ``sqrt(2 / pi)`` at even ``n``, at 0 as well, where SciPy gives 1 for a number and this for an array. Otherwise as
    :func:`factorial`.

    >>> sa.special.factorial2(sa.asarray([6, 7]))
    array([ 48., 105.])
    >>> sa.special.factorial2(-0.5, extend="complex")
    array(0.82217896)
    """
    return _factorial("factorial2", n, 2, exact, extend)


def factorialk(n: Any, k: Any, exact: bool = False, extend: str = "zero") -> Any:
    """Multifactorial ``n * (n - k) * (n - 2 k) ...`` of integers, 0 for negative ones.

    The step ``k`` is a positive integer, with ``extend="complex"`` any number but 0, and the result
    ``k**((n - 1) / k) * gamma(n / k + 1) / gamma(1 / k + 1)``, complex for complex or negative ``k``. Otherwise as
    :func:`factorial`.

    >>> sa.special.factorialk(sa.asarray([5, 7, 9]), 3, exact=True)
    array([ 10,  28, 162])
    """
    return _factorial("factorialk", n, k, exact, extend)


def comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Any:
    """Combinations of ``N`` things taken ``k`` at a time, 0 where ``k > N`` or one is negative.

    With ``repetition`` those of ``N + k - 1``. Floats are differentiable, float32 stays, and NaN gives NaN, where SciPy has 0.
    ``exact=True`` takes whole numbers and gives a Python integer, or for arrays, which SciPy does not take, an int64 array.
    Raises ``ValueError`` for other numbers, ``OverflowError`` for arrays of larger results.

    >>> sa.special.comb(5.0, sa.asarray([2.0, 6.0]))
    array([10.,  0.])
    >>> sa.special.comb(100, 50, exact=True)
    100891344545564193334812497256
    """
    if not exact:
        return _combinations(N, k, repetition)

    def count(n: int, m: int) -> int:
        if n < 0 or m < 0:
            return 0
        return math.comb(n + m - 1, m) if repetition and m > 0 else math.comb(n, m)

    return _exactly("comb", count, N, k)


@rounded_once()
def _combinations(N: Any, k: Any, repetition: bool) -> Array:
    n, m = promoted("comb", [inexact(N), inexact(k)])
    outside = _core.logical_or(_core.less(n, 0.0), _core.less(m, 0.0))
    if repetition:
        n = _core.where(_core.equal(m, 0.0), n, n + m - 1.0)
    else:
        outside = _core.logical_or(outside, _core.greater(m, n))
    return _core.where(outside, 0.0, _rows.binom(n, m))


def perm(N: Any, k: Any, exact: bool = False) -> Any:
    """Permutations of ``N`` things taken ``k`` at a time, ``poch(N - k + 1, k)``; 0 where ``k > N`` or one is negative.

    Floats are differentiable, float32 stays, and NaN gives NaN, where SciPy has 0. ``exact=True`` as in :func:`comb`.

    >>> sa.special.perm(10.0, sa.asarray([3.0, 4.0]))
    array([ 720., 5040.])
    >>> sa.special.perm(10, 3, exact=True)
    720
    """
    if exact:
        return _exactly("perm", lambda n, m: math.perm(n, m) if n >= 0 and m >= 0 else 0, N, k)
    return _permutations(N, k)


@rounded_once()
def _permutations(N: Any, k: Any) -> Array:
    n, m = promoted("perm", [inexact(N), inexact(k)])
    negative = _core.logical_or(_core.less(n, 0.0), _core.less(m, 0.0))
    outside = _core.logical_or(negative, _core.greater(m, n))
    inner, taken = _core.where(outside, 0.0, n), _core.where(outside, 0.0, m)
    return _core.where(outside, 0.0, _rows.poch(inner - taken + 1.0, taken))


def _subsets(n: int, k: int) -> int:
    """Partitions of ``n`` things into ``k`` parts (DLMF 26.8.6)."""
    if n < 0 or k < 0 or k > n:
        return 0
    return sum((-1) ** (k - j) * math.comb(k, j) * j**n for j in range(k + 1)) // math.factorial(k)


def stirling2(N: Any, K: Any, *, exact: bool = False) -> Any:
    """Stirling numbers of the second kind of integers, as float64: partitions of ``N`` things into ``K`` parts; 0 for
    ``K > N`` and negative numbers.

    Rounded from the exact integers, on the host, where SciPy approximates. ``exact=True`` as in :func:`comb`. Raises
    ``TypeError`` for other dtypes.

    >>> sa.special.stirling2(sa.asarray([10, 9]), 3)
    array([9330., 3025.])
    """
    for x in (N, K):
        if (dtype := asarray(x).dtype).kind not in "iu":
            raise TypeError(f"stirling2: N and K must be integers, got dtype {dtype.name}")
    if exact:
        return _exactly("stirling2", _subsets, N, K)
    n, k = np.broadcast_arrays(read(N, "stirling2"), read(K, "stirling2"))
    values = [_float(_subsets(a, b)) for a, b in zip(n.ravel().tolist(), k.ravel().tolist(), strict=True)]
    return asarray(np.array(values, dtype=np.float64).reshape(n.shape), device=device_of(N, K))


def _float(numerator: int, denominator: int = 1) -> float:
    """The nearest float64 of a fraction."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def _count(name: str, n: Any) -> int:
    try:
        count = index(n)
    except TypeError:
        count = -1
    if count < 0:
        raise ValueError(f"{name}: n must be an integer of at least 0, got {n}")
    return count


def bernoulli(n: int) -> Array:
    """Bernoulli's numbers ``B_0`` to ``B_n``, shape ``(n + 1,)``, with ``B_1 = -1/2`` (DLMF 24.2.1).

    Each is the nearest float64, infinite beyond ``B_258``. Raises ``ValueError`` for negative ``n``. From the tangent numbers
    (R. P. Brent, D. Harvey, "Fast computation of Bernoulli, tangent and secant numbers", 2013).

    >>> sa.special.bernoulli(4)
    array([ 1.        , -0.5       ,  0.16666667,  0.        , -0.03333333])
    """
    n = _count("bernoulli", n)
    half = min(n // 2, 130)
    tangent = [math.factorial(max(k - 1, 0)) for k in range(half + 1)]
    for k in range(2, half + 1):
        for j in range(k, half + 1):
            tangent[j] = (j - k) * tangent[j - 1] + (j - k + 2) * tangent[j]
    out = np.zeros(n + 1)
    out[::2] = [(-1) ** (k - 1) * math.inf for k in range(n // 2 + 1)]
    out[:2] = [1.0, -0.5][: n + 1]
    for k in range(1, half + 1):
        out[2 * k] = _float((-1) ** (k - 1) * 2 * k * tangent[k], 4**k * (4**k - 1))
    return asarray(out)


def euler(n: int) -> Array:
    """Euler's numbers ``E_0`` to ``E_n``, shape ``(n + 1,)`` (DLMF 24.2.6).

    Each is the nearest float64, infinite beyond ``E_186``. Raises ``ValueError`` for negative ``n``. From the secant numbers,
    as :func:`bernoulli`.

    >>> sa.special.euler(6)
    array([  1.,   0.,  -1.,   0.,   5.,   0., -61.])
    """
    n = _count("euler", n)
    half = min(n // 2, 100)
    secant = [math.factorial(k) for k in range(half + 1)]
    for k in range(1, half + 1):
        for j in range(k + 1, half + 1):
            secant[j] = (j - k) * secant[j - 1] + (j - k + 1) * secant[j]
    out = np.zeros(n + 1)
    out[::2] = [(-1) ** k * math.inf for k in range(n // 2 + 1)]
    out[: 2 * half + 1 : 2] = [_float((-1) ** k * secant[k]) for k in range(half + 1)]
    return asarray(out)
