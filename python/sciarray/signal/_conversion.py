"""Filters as polynomials (b, a), as zeros, poles and gain, and as second-order sections; changes of their frequency."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import _core
from .._arguments import all_inexact, decided, inexact, known, on_cpu, promoted
from .._core import Array
from .._creation import asarray, ones, zeros
from .._manipulation import pad, stack
from .._numeric import convolve
from .._polynomials import from_roots, roots_of

__all__ = [
    "BadCoefficients",
    "bilinear",
    "bilinear_zpk",
    "lp2bp",
    "lp2bp_zpk",
    "lp2bs",
    "lp2bs_zpk",
    "lp2hp",
    "lp2hp_zpk",
    "lp2lp",
    "lp2lp_zpk",
    "normalize",
    "sos2tf",
    "sos2zpk",
    "tf2sos",
    "tf2zpk",
    "zpk2sos",
    "zpk2tf",
]


class BadCoefficients(UserWarning):
    """Leading coefficients of a numerator vanish beside the others."""


def vector(name: str, x: Any) -> Array:
    x = inexact(x)
    if x.ndim > 1:
        raise ValueError(f"{name}: coefficients and roots must be vectors, got shape {x.shape}")
    return _core.reshape(x, -1)


def _complex(x: Array) -> Array:
    return x if x.dtype.kind == "c" else _core.astype(x, _core.complex128)


def normalize(b: Any, a: Any) -> tuple[Array, Array]:
    """Numerator and denominator divided by the denominator's first coefficient, without leading zeros.

    Numerators may be stacked: (k, n). Warns of `BadCoefficients` where the numerator has leading zeros.

    Example
    -------
    >>> b, a = sa.signal.normalize([2.0, 4.0], [2.0, 1.0])
    >>> b, a
    (array([1., 2.]), array([1. , 0.5]))
    """
    b, a = inexact(b), inexact(a)
    b, a = (_core.reshape(x, -1) if x.ndim == 0 else x for x in (b, a))
    if a.ndim != 1 or b.ndim > 2:
        raise ValueError(f"normalize: b must be (n,) or (k, n) and a (m,), got shapes {b.shape} and {a.shape}")
    values = known(a)
    if values is not None:
        if not values.any():
            raise ValueError("normalize: the denominator must have a coefficient that is not 0")
        a = a[int(np.flatnonzero(values)[0]) :]
    b, a = b / a[0], a / a[0]
    values = known(b)
    if values is None:
        return b, a
    small = np.abs(values).reshape(-1, b.shape[-1]).max(0) <= 1e-14
    leading = min(int(np.argmin(small)) if not small.all() else small.size, b.shape[-1] - 1)
    if leading or small.all():
        warnings.warn("normalize: leading coefficients of the numerator are 0", BadCoefficients, stacklevel=2)
    return b[..., leading:], a


def tf2zpk(b: Any, a: Any) -> tuple[Array, Array, Array]:
    """Zeros, poles and gain of numerator and denominator polynomials.

    Derivatives are those of simple roots, to the third order.

    Example
    -------
    >>> z, p, k = sa.signal.tf2zpk([1.0, -0.5], [1.0, -0.25])
    >>> z, p, k
    (array([0.5+0.j]), array([0.25+0.j]), array(1.))
    """
    b, a = normalize(vector("tf2zpk", b), vector("tf2zpk", a))
    return roots_of(b / b[0]), roots_of(a), b[0]


def zpk2tf(z: Any, p: Any, k: Any) -> tuple[Array, Array]:
    """Numerator and denominator polynomials of zeros, poles and gain; real where the roots come in conjugate pairs.

    Example
    -------
    >>> b, a = sa.signal.zpk2tf([1.0], [0.5], 2.0)
    >>> b, a
    (array([ 2., -2.]), array([ 1. , -0.5]))
    """
    return k * from_roots(vector("zpk2tf", z)), from_roots(vector("zpk2tf", p))


def _ranks(x: Array) -> list[list[int]]:
    """The places that the elements of each row have in order."""
    n = x.shape[-1]
    flat = decided(_core.argsort(_core.argsort(x, -1), -1), n)
    return [flat[i : i + n] for i in range(0, len(flat), n)] if n else [[] for _ in range(x.shape[0])]


class _Roots:
    """The roots of one side of a filter: one of each conjugate pair, then the real ones, and where to find them.

    ``values`` decide on the pairing, by their ranks alone, ``source`` has the roots that the sections are made of.
    """

    def __init__(self, name: str, x: Array, extra: int) -> None:
        x = pad(_complex(x), (0, extra))
        r, n = x.detach(), x.size
        real, imag = _core.real(r), _core.imag(r)
        order = _core.argsort(_core.abs(imag), 0)
        order = order[_core.argsort(real[order], 0)]
        tolerance = 100 * np.finfo(np.float64).eps
        kinds = decided(_core.where(_core.abs(imag) <= tolerance * _core.abs(r), 0, _core.where(imag > 0, 1, 2)), 3)
        places = decided(order, n)
        reals, above, below = ([i for i in places if kinds[i] == kind] for kind in range(3))
        gaps = _core.abs(_core.conj(r) - r[:, None])
        near = _ranks(gaps) if above else []
        upper, lower = [], []
        for i in above:
            partner = min(below, key=lambda j: near[i][j], default=None)
            wide = None if partner is None else known(gaps[i, partner] > tolerance * _core.abs(r[i]))
            if partner is None or wide:
                raise ValueError(f"{name}: complex roots must come in conjugate pairs, got {known(r)}")
            below.remove(partner)
            upper.append(i)
            lower.append(partner)
        if below:
            raise ValueError(f"{name}: complex roots must come in conjugate pairs, got {known(r)}")
        self.count = len(upper)
        uppers, lowers, reals_at = (asarray(i, dtype=_core.int64) for i in (upper, lower, reals))
        self.values = _core.concat([r[uppers], _complex(real[reals_at])], 0)
        c = (x[uppers] + _core.conj(x[lowers])) / 2
        # One of each pair, the real roots, the others of the pairs, a root at 0.
        self.source = _core.concat([c, _complex(_core.real(x[reals_at])), _core.conj(c), zeros(1, _core.complex128)], 0)
        self.left = list(range(self.values.size))

    def is_real(self, i: int) -> bool:
        return i >= self.count

    def of(self, real: bool) -> list[int]:
        return [i for i in self.left if self.is_real(i) == real]

    def partner(self, i: int) -> int:
        """Place in ``source`` of the conjugate."""
        return self.values.size + i

    def take(self, ranks: list[int], among: list[int]) -> int:
        """The one of lowest rank, which is left no more."""
        i = min(among, key=lambda j: ranks[j])
        self.left.remove(i)
        return i

    def quadratics(self, sections: list[list[int]]) -> Array:
        """Coefficients (sections, 3) of the products of up to two factors."""
        zero = self.source.size - 1
        first, second = ([(s + [zero, zero])[k] for s in sections] for k in (0, 1))
        r1, r2 = self.source[np.asarray(first)], self.source[np.asarray(second)]
        table = stack([zeros(len(sections)), ones(len(sections)), _core.real(-(r1 + r2)), _core.real(r1 * r2)], -1)
        columns = {2: (1, 2, 3), 1: (0, 1, 2), 0: (0, 0, 1)}
        return table[np.arange(len(sections))[:, None], np.asarray([columns[len(s)] for s in sections])]


@on_cpu
def zpk2sos(z: Any, p: Any, k: Any, pairing: str | None = None, *, analog: bool = False) -> Array:
    """Second-order sections (n, 6), rows ``b0 b1 b2 a0 a1 a2``, of zeros, poles and gain.

    The poles nearest to the unit circle come last, each with the nearest zeros. Of an odd number, "nearest" (the default)
    adds a pole and a zero at 0, "keep_odd" leaves a section of first order, "minimal" (for analog filters) adds nothing.
    Differentiable in the roots and the gain, at a fixed pairing.

    Example
    -------
    >>> sa.signal.zpk2sos([-1.0, -1.0], [0.5, 0.25], 2.0)
    array([[ 2.   ,  4.   ,  2.   ,  1.   , -0.75 ,  0.125]])
    """
    z, p = vector("zpk2sos", z), vector("zpk2sos", p)
    k = asarray(k, dtype=_core.float64) if asarray(k).dtype.kind != "c" else _core.real(k)
    pairing = ("minimal" if analog else "nearest") if pairing is None else pairing
    if pairing not in ("nearest", "keep_odd", "minimal"):
        raise ValueError(f"zpk2sos: pairing must be 'nearest', 'keep_odd' or 'minimal', got {pairing!r}")
    if analog and pairing != "minimal":
        raise ValueError(f"zpk2sos: analog filters need the pairing 'minimal', got {pairing!r}")
    if pairing == "minimal" and p.size < z.size:
        raise ValueError(f"zpk2sos: pairing 'minimal' needs as many poles as zeros, got {p.size} and {z.size}")
    if z.size == p.size == 0:
        unit = ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]) if analog else ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
        return _core.concat([asarray([unit[0]]) * k, asarray([unit[1]])], 1)
    count = max(z.size, p.size)
    even = count + (count % 2 if pairing == "nearest" else 0)
    minimal = pairing == "minimal"
    top = _Roots("zpk2sos", z, 0 if minimal else even - z.size)
    bottom = _Roots("zpk2sos", p, 0 if minimal else even - p.size)
    # Poles by their distance from the edge of stability, and zeros by that from each pole.
    v = bottom.values
    [worst] = _ranks((_core.abs(_core.real(v)) if analog else _core.abs(1 - _core.abs(v)))[None])
    nearest = _ranks(_core.abs(top.values - v[:, None]))
    above, below = [], []
    for _ in range((count + 1) // 2):
        one = bottom.take(worst, bottom.left)
        near = nearest[one]
        real = bottom.is_real(one)
        others = bottom.of(True)
        if real and not others:
            # The last real pole, alone.
            below.append([one])
            above.append([top.take(near, top.of(True))] if top.of(True) else [])
            if not minimal:
                above[-1].append(top.source.size - 1)
                below[-1].append(bottom.source.size - 1)
            continue
        last_reals = len(bottom.left) + 1 == len(top.left) and not real and len(others) == len(top.of(True)) == 1
        below.append([one, bottom.take(worst, others) if real else bottom.partner(one)])
        if not top.left:
            above.append([])
            continue
        # The last real zero is left to the last real pole.
        zero = top.take(near, top.of(False) if last_reals else top.left)
        if not top.is_real(zero):
            above.append([zero, top.partner(zero)])
        elif top.of(True):
            above.append([zero, top.take(near, top.of(True))])
        elif top.of(False):
            # One real zero alone cannot fill a section of second order; SciPy fails here.
            top.left.append(zero)
            zero = top.take(near, top.of(False))
            above.append([zero, top.partner(zero)])
        else:
            above.append([zero])
    numerators = top.quadratics(above[::-1])
    numerators = _core.concat([numerators[:1] * k, numerators[1:]], 0)
    return _core.concat([numerators, bottom.quadratics(below[::-1])], 1)


def sections_of(name: str, sos: Any) -> Array:
    sos = inexact(sos)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError(f"{name}: sections must have shape (n, 6), got {sos.shape}")
    leading = known(sos[:, 3])
    if leading is not None and not (leading == 1).all():
        raise ValueError(f"{name}: the denominators must begin with 1, got {leading}")
    return sos


@on_cpu
def tf2sos(b: Any, a: Any, pairing: str | None = None, *, analog: bool = False) -> Array:
    """Second-order sections of numerator and denominator polynomials, by `tf2zpk` and `zpk2sos`.

    Example
    -------
    >>> sa.signal.tf2sos([1.0, 2.0, 1.0], [1.0, 0.0, 0.25]).shape
    (1, 6)
    """
    return zpk2sos(*tf2zpk(b, a), pairing=pairing, analog=analog)


def sos2tf(sos: Any) -> tuple[Array, Array]:
    """Numerator and denominator polynomials of second-order sections: the products of theirs.

    Example
    -------
    >>> b, a = sa.signal.sos2tf([[1.0, 2.0, 1.0, 1.0, 0.0, 0.25]])
    >>> b, a
    (array([1., 2., 1.]), array([1.  , 0.  , 0.25]))
    """
    sos = inexact(sos)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError(f"sos2tf: sections must have shape (n, 6), got {sos.shape}")
    b = a = ones(1, sos.dtype)
    for i in range(sos.shape[0]):
        b, a = convolve(b, sos[i, :3]), convolve(a, sos[i, 3:])
    return b, a


def sos2zpk(sos: Any) -> tuple[Array, Array, Array]:
    """Zeros, poles and gain of second-order sections, two of each for each section; missing ones are 0.

    Example
    -------
    >>> z, p, k = sa.signal.sos2zpk([[2.0, -1.0, 0.0, 1.0, 0.0, 0.0]])
    >>> z, k
    (array([0.5+0.j, 0. +0.j]), array(2.))
    """
    sos = inexact(sos)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError(f"sos2zpk: sections must have shape (n, 6), got {sos.shape}")
    gain = asarray(1.0)
    sides: tuple[list[Array], list[Array]] = ([], [])
    for i in range(sos.shape[0]):
        z, p, k = tf2zpk(sos[i, :3], sos[i, 3:])
        gain = gain * k
        for side, r in zip(sides, (z, p)):
            side.append(pad(r, (0, 2 - r.size)))
    return _core.concat(sides[0], 0), _core.concat(sides[1], 0), gain


def _degree(name: str, z: Array, p: Array) -> int:
    if p.size < z.size:
        raise ValueError(f"{name}: a filter must have at least as many poles as zeros, got {p.size} and {z.size}")
    return p.size - z.size


def _prod(x: Array) -> Array:
    return _core.prod(x) if x.size else ones((), x.dtype)


def _gain_ratio(z: Array, p: Array) -> Array:
    ratio = _prod(z) / _prod(p)
    return _core.real(ratio) if ratio.dtype.kind == "c" else ratio


def _zpk(name: str, z: Any, p: Any, k: Any) -> tuple[Array, Array, Array]:
    return vector(name, z), vector(name, p), inexact(k)


def _repeated(x: Array, value: Any, times: int) -> Array:
    if times == 0:
        return x
    return _core.concat(promoted("concat", [x, ones(times, device=x.device) * value]), 0)


def lp2lp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0) -> tuple[Array, Array, Array]:
    """An analog lowpass of cut-off 1 moved to the cut-off ``wo``.

    Example
    -------
    >>> z, p, k = sa.signal.lp2lp_zpk([], [-1.0], 1.0, wo=3.0)
    >>> p, k
    (array([-3.]), array(3.))
    """
    z, p, k = _zpk("lp2lp_zpk", z, p, k)
    wo = inexact(wo)
    return z * wo, p * wo, k * wo ** _degree("lp2lp_zpk", z, p)


def lp2hp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0) -> tuple[Array, Array, Array]:
    """An analog lowpass of cut-off 1 turned into a highpass of cut-off ``wo``.

    Example
    -------
    >>> z, p, k = sa.signal.lp2hp_zpk([], [-1.0], 1.0, wo=3.0)
    >>> z, p, k
    (array([0.]), array([-3.]), array(1.))
    """
    z, p, k = _zpk("lp2hp_zpk", z, p, k)
    wo = inexact(wo)
    degree = _degree("lp2hp_zpk", z, p)
    return _repeated(wo / z, 0.0, degree), wo / p, k * _gain_ratio(-z, -p)


def _split(x: Array, wo: Array) -> Array:
    """The two solutions of s + wo^2 / s = 2 x for each x."""
    x = _complex(x)
    root = _core.sqrt(x * x - wo * wo)
    return _core.concat([x + root, x - root], 0)


def lp2bp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0, bw: Any = 1.0) -> tuple[Array, Array, Array]:
    """An analog lowpass of cut-off 1 turned into a bandpass of centre ``wo`` and width ``bw``.

    Example
    -------
    >>> z, p, k = sa.signal.lp2bp_zpk([], [-1.0], 1.0, wo=1.0, bw=2.0)
    >>> z, k
    (array([0.+0.j]), array(2.))
    """
    z, p, k = _zpk("lp2bp_zpk", z, p, k)
    wo, bw = inexact(wo), inexact(bw)
    degree = _degree("lp2bp_zpk", z, p)
    return _repeated(_split(z * (bw / 2), wo), 0.0, degree), _split(p * (bw / 2), wo), k * bw**degree


def lp2bs_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0, bw: Any = 1.0) -> tuple[Array, Array, Array]:
    """An analog lowpass of cut-off 1 turned into a bandstop of centre ``wo`` and width ``bw``.

    Example
    -------
    >>> z, p, k = sa.signal.lp2bs_zpk([], [-1.0], 1.0, wo=1.0, bw=2.0)
    >>> z, k
    (array([0.+1.j, 0.-1.j]), array(1.))
    """
    z, p, k = _zpk("lp2bs_zpk", z, p, k)
    wo, bw = inexact(wo), inexact(bw)
    degree = _degree("lp2bs_zpk", z, p)
    top, bottom = _split((bw / 2) / z, wo), _split((bw / 2) / p, wo)
    top = _repeated(_repeated(top, 1j * wo, degree), -1j * wo, degree)
    return top, bottom, k * _gain_ratio(-z, -p)


def bilinear_zpk(z: Any, p: Any, k: Any, fs: Any) -> tuple[Array, Array, Array]:
    """The digital filter, of sampling frequency ``fs``, of an analog one by Tustin's substitution.

    Example
    -------
    >>> z, p, k = sa.signal.bilinear_zpk([], [-1.0], 1.0, fs=0.5)
    >>> z, p, k
    (array([-1.]), array([0.]), array(0.5))
    """
    z, p, k = _zpk("bilinear_zpk", z, p, k)
    degree = _degree("bilinear_zpk", z, p)
    twice = 2 * inexact(fs)
    top, bottom = ((twice + x) / (twice - x) for x in (z, p))
    return _repeated(top, -1.0, degree), bottom, k * _gain_ratio(twice - z, twice - p)


def _power(p: Array, n: int) -> Array:
    y = ones(1, p.dtype)
    for _ in range(n):
        y = convolve(y, p)
    return y


def _substituted(name: str, b: Any, a: Any, top: Array, bottom: Array) -> tuple[Array, Array]:
    """The polynomials of b(s)/a(s) at s = top/bottom, which are polynomials of their own."""
    b, a, top, bottom = all_inexact(name, [vector(name, b), vector(name, a), top, bottom])
    degree = max(b.size, a.size) - 1
    width = max(top.size, bottom.size) - 1
    rows = []
    for j in range(degree, -1, -1):
        row = convolve(_power(top, j), _power(bottom, degree - j))
        rows.append(pad(row, (degree * width + 1 - row.size, 0)))
    basis = stack(rows)
    num, den = (_core.matmul(x, basis[degree + 1 - x.size :]) for x in (b, a))
    with warnings.catch_warnings():
        # Numerators of lower degree are no bad sign here.
        warnings.simplefilter("ignore", BadCoefficients)
        return normalize(num, den)


@on_cpu
def lp2lp(b: Any, a: Any, wo: Any = 1.0) -> tuple[Array, Array]:
    """`lp2lp_zpk` for polynomials.

    Example
    -------
    >>> b, a = sa.signal.lp2lp([1.0], [1.0, 1.0], wo=3.0)
    >>> b, a
    (array([3.]), array([1., 3.]))
    """
    wo = _core.reshape(inexact(wo), 1)
    return _substituted("lp2lp", b, a, _core.concat([ones(1, wo.dtype), zeros(1, wo.dtype)], 0), wo)


@on_cpu
def lp2hp(b: Any, a: Any, wo: Any = 1.0) -> tuple[Array, Array]:
    """`lp2hp_zpk` for polynomials.

    Example
    -------
    >>> b, a = sa.signal.lp2hp([1.0], [1.0, 1.0], wo=3.0)
    >>> b, a
    (array([1., 0.]), array([1., 3.]))
    """
    return _substituted("lp2hp", b, a, _core.reshape(inexact(wo), 1), asarray([1.0, 0.0]))


def _band(wo: Any, bw: Any) -> tuple[Array, Array]:
    wo, bw = (_core.reshape(x, 1) for x in all_inexact("band", [wo, bw]))
    one, zero = ones(1, wo.dtype), zeros(1, wo.dtype)
    return _core.concat([one, zero, wo * wo], 0), _core.concat([bw, zero], 0)


@on_cpu
def lp2bp(b: Any, a: Any, wo: Any = 1.0, bw: Any = 1.0) -> tuple[Array, Array]:
    """`lp2bp_zpk` for polynomials.

    Example
    -------
    >>> b, a = sa.signal.lp2bp([1.0], [1.0, 1.0], wo=3.0, bw=2.0)
    >>> b, a
    (array([2., 0.]), array([1., 2., 9.]))
    """
    top, bottom = _band(wo, bw)
    return _substituted("lp2bp", b, a, top, bottom)


@on_cpu
def lp2bs(b: Any, a: Any, wo: Any = 1.0, bw: Any = 1.0) -> tuple[Array, Array]:
    """`lp2bs_zpk` for polynomials.

    Example
    -------
    >>> b, a = sa.signal.lp2bs([1.0], [1.0, 1.0], wo=3.0, bw=2.0)
    >>> b, a
    (array([1., 0., 9.]), array([1., 2., 9.]))
    """
    top, bottom = _band(wo, bw)
    return _substituted("lp2bs", b, a, bottom, top)


@on_cpu
def bilinear(b: Any, a: Any, fs: Any = 1.0) -> tuple[Array, Array]:
    """`bilinear_zpk` for polynomials.

    Example
    -------
    >>> b, a = sa.signal.bilinear([1.0], [1.0, 1.0], fs=0.5)
    >>> b, a
    (array([0.5, 0.5]), array([1., 0.]))
    """
    twice = _core.reshape(2 * inexact(fs), 1)
    return _substituted("bilinear", b, a, twice * asarray([1.0, -1.0]), asarray([1.0, 1.0]))
