"""Bessel functions that are made of rows of the op table: spherical ones, Hankel's, Airy's, Kelvin's, derivatives, zeros."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._core import Array
from .._creation import asarray

_ROWS = {name: row["function"] for name, row in _core._rows.items()}

__all__ = [
    "ai_zeros",
    "airy",
    "airye",
    "bei_zeros",
    "beip_zeros",
    "ber_zeros",
    "berp_zeros",
    "bi_zeros",
    "h1vp",
    "h2vp",
    "hankel1",
    "hankel1e",
    "hankel2",
    "hankel2e",
    "ive",
    "ivp",
    "jn",
    "jn_zeros",
    "jnjnp_zeros",
    "jnp_zeros",
    "jnyn_zeros",
    "jve",
    "jvp",
    "kei_zeros",
    "keip_zeros",
    "kelvin",
    "kelvin_zeros",
    "ker_zeros",
    "kerp_zeros",
    "kn",
    "kvp",
    "spherical_in",
    "spherical_jn",
    "spherical_kn",
    "spherical_yn",
    "y0_zeros",
    "y1_zeros",
    "y1p_zeros",
    "yn",
    "yn_zeros",
    "ynp_zeros",
    "yve",
    "yvp",
]


def _sign(positive: Array, z: Array) -> Array:
    """1 or -1 in the precision of ``z``."""
    one = asarray(1.0, dtype=_core.real(z).dtype)
    return _core.where(positive, one, -one)


def _phase(angle: Array) -> Array:
    """``exp(1j * angle)``."""
    return _ROWS["complex"](_core.cos(angle), _core.sin(angle))


class AiryResult(NamedTuple):
    Ai: Array
    Aip: Array
    Bi: Array
    Bip: Array


def airy(z: Any) -> AiryResult:
    """Airy functions Ai, Ai', Bi, Bi' of real or complex arguments.

    0 at both infinities (Bi and Bi' infinite at +inf), where SciPy gives NaN; Ai' and Bi' oscillate without limit at -inf and
    are NaN there. Taylor series of ``y'' = z y`` from a grid, asymptotic expansions (DLMF 9.7).

    Example
    -------
    >>> ai, aip, bi, bip = sa.special.airy(sa.asarray([0.0, 1.0]))
    >>> ai, bip
    (array([0.35502805, 0.13529242]), array([0.44828836, 0.93243593]))
    """
    return AiryResult(*[_ROWS[f"airy_{part}"](z) for part in ("ai", "aip", "bi", "bip")])


def airye(z: Any) -> AiryResult:
    """Exponentially scaled Airy functions: Ai and Ai' times ``exp(2/3 z**1.5)``, Bi and Bi' times its inverse.

    Of negative real arguments Ai and Ai' are NaN, as in SciPy, and Bi and Bi' are not scaled. Bi and Bi' of complex arguments
    are scaled by ``exp(-abs(real(2/3 z**1.5)))``, so they are not holomorphic.

    Example
    -------
    >>> ai, aip, bi, bip = sa.special.airye(sa.asarray([1.0, 100.0]))
    >>> ai, bi
    (array([0.26351364, 0.08919692]), array([0.61991194, 0.17843101]))
    """
    z = asarray(z)
    if z.dtype.kind == "c":
        # A zero of either sign belongs to the upper side.
        z = z + 0.0
        zeta = 2 / 3 * (z * _core.sqrt(z))
        right = _core.logical_and(_core.greater_equal(_core.real(zeta), 0.0), _core.greater_equal(_core.real(z), 0.0))
        s = _sign(right, z)
        phase = _phase(s * _core.imag(zeta))
        bi, bip = (_ROWS[f"airy_{part}_turned"](s, z) * phase for part in ("bi", "bip"))
        return AiryResult(_ROWS["airye_ai"](z), _ROWS["airye_aip"](z), bi, bip)
    negative = _core.less(z, 0.0)
    ai, aip, bi, bip = (_ROWS[f"airye_{part}"](z) for part in ("ai", "aip", "bi", "bip"))
    return AiryResult(_core.where(negative, np.nan, ai), _core.where(negative, np.nan, aip), bi, bip)


class KelvinResult(NamedTuple):
    Be: Array
    Ke: Array
    Bep: Array
    Kep: Array


def kelvin(x: Any) -> KelvinResult:
    """Kelvin functions as complex numbers: ``ber + i bei``, ``ker + i kei`` and the derivatives of both (DLMF 10.61).

    Those of the second kind are NaN for ``x < 0``. Dtypes float32 and float64.

    Example
    -------
    >>> be, ke, bep, kep = sa.special.kelvin(sa.asarray([1.0]))
    >>> be, ke
    (array([0.98438178+0.24956604j]), array([0.28670621-0.49499464j]))
    """
    pairs = [("ber", "bei"), ("ker", "kei"), ("berp", "beip"), ("kerp", "keip")]
    return KelvinResult(*[_ROWS["complex"](_ROWS[re](x), _ROWS[im](x)) for re, im in pairs])


def _spherical(name: str, n: Any, z: Any, derivative: bool, below: float, above: float) -> Array:
    f = _ROWS[name]
    if not derivative:
        return f(n, z)
    # DLMF 10.51.2, 10.51.5; the first term is absent at n = 0.
    lower = _core.where(_core.equal(n, 0), 0.0, below * n * f(_core.maximum(n - 1, 0), z))
    return (lower + above * (n + 1) * f(n + 1, z)) / (2 * n + 1)


def spherical_jn(n: Any, z: Any, derivative: bool = False) -> Array:
    """Spherical Bessel function of the first kind of integer order, or its derivative (DLMF 10.47.3).

    Orders other than the integers 0 to 10000 (999 for complex ``z``) give NaN, and only ``z`` is differentiable. Keeps float32.

    Example
    -------
    >>> sa.special.spherical_jn(1, sa.asarray([0.0, 1.0]))
    array([0.        , 0.30116868])
    """
    return _spherical("spherical_jn", n, z, derivative, 1.0, -1.0)


def spherical_yn(n: Any, z: Any, derivative: bool = False) -> Array:
    """Spherical Bessel function of the second kind of integer order, or its derivative (DLMF 10.47.4).

    Orders other than the integers 0 to 10000 (999 for complex ``z``) give NaN, and only ``z`` is differentiable. Keeps float32.

    Example
    -------
    >>> sa.special.spherical_yn(1, sa.asarray([1.0, 2.0]))
    array([-1.38177329, -0.350612  ])
    """
    return _spherical("spherical_yn", n, z, derivative, 1.0, -1.0)


def spherical_in(n: Any, z: Any, derivative: bool = False) -> Array:
    """Modified spherical Bessel function of the first kind of integer order, or its derivative (DLMF 10.47.7).

    Orders other than the integers 0 to 10000 (999 for complex ``z``) give NaN, and only ``z`` is differentiable. Keeps float32.

    Example
    -------
    >>> sa.special.spherical_in(1, sa.asarray([0.0, 1.0]))
    array([0.        , 0.36787944])
    """
    return _spherical("spherical_in", n, z, derivative, 1.0, 1.0)


def spherical_kn(n: Any, z: Any, derivative: bool = False) -> Array:
    """Modified spherical Bessel function of the second kind of integer order, or its derivative (DLMF 10.47.9).

    Orders other than the integers 0 to 10000 (999 for complex ``z``) give NaN, and only ``z`` is differentiable. Keeps float32.

    Example
    -------
    >>> sa.special.spherical_kn(1, sa.asarray([1.0, 2.0]))
    array([1.15572735, 0.15943812])
    """
    return _spherical("spherical_kn", n, z, derivative, -1.0, -1.0)


def jn(v: Any, z: Any) -> Array:
    """The same as ``jv``.

    Example
    -------
    >>> sa.special.jn(2, sa.asarray([1.0]))
    array([0.11490348])
    """
    return _ROWS["jv"](v, z)


def yn(n: Any, x: Any) -> Array:
    """The same as ``yv``, which also serves orders that are not integers.

    Example
    -------
    >>> sa.special.yn(2, sa.asarray([1.0]))
    array([-1.65068261])
    """
    return _ROWS["yv"](n, x)


def kn(n: Any, x: Any) -> Array:
    """The same as ``kv``, which also serves orders that are not integers.

    Example
    -------
    >>> sa.special.kn(2, sa.asarray([1.0]))
    array([1.6248389])
    """
    return _ROWS["kv"](n, x)


def _upright(name: str, v: Any, z: Array) -> Array:
    """``jv`` or ``yv`` times ``exp(-abs(imag(z)))``: the holomorphic ``exp(1j * s * z)`` is part of the row."""
    s = _sign(_core.greater_equal(_core.imag(z), 0.0), z)
    return _ROWS[f"{name}_turned"](v, z) * _phase(-(s * _core.real(z)))


def jve(v: Any, z: Any) -> Array:
    """``jv(v, z) * exp(-abs(imag(z)))``, which is the same as ``jv`` for real arguments.

    Of complex arguments it is not holomorphic.

    Example
    -------
    >>> sa.special.jve(0, sa.asarray([1.0, 1 + 800j])).round(6)
    array([0.765198+0.j      , 0.007629-0.011866j])
    """
    z = asarray(z)
    return _upright("jv", v, z) if z.dtype.kind == "c" else _ROWS["jv"](v, z)


def yve(v: Any, z: Any) -> Array:
    """``yv(v, z) * exp(-abs(imag(z)))``, which is the same as ``yv`` for real arguments.

    Of complex arguments it is not holomorphic.

    Example
    -------
    >>> sa.special.yve(0, sa.asarray([1.0]))
    array([0.08825696])
    """
    z = asarray(z)
    return _upright("yv", v, z) if z.dtype.kind == "c" else _ROWS["yv"](v, z)


def ive(v: Any, z: Any) -> Array:
    """``iv(v, z) * exp(-abs(real(z)))`` of real order (DLMF 10.25.2), differentiable in the order.

    Orders beyond 1e5 give NaN. Of complex arguments it is not holomorphic.

    Example
    -------
    >>> sa.special.ive(0.5, sa.asarray([1.0, 2.5]))
    array([0.34495131, 0.25061318])
    """
    z = asarray(z)
    if z.dtype.kind != "c":
        return _ROWS["ive"](v, z)
    s = _sign(_core.greater_equal(_core.real(z), 0.0), z)
    return _ROWS["iv_turned"](v, z) * _phase(s * _core.imag(z))


def _third_kind(kind: int, v: Any, z: Array, n: int = 0) -> Array:
    """Derivative ``n`` of a Hankel function of real ``z``, left of 0 on the upper side of the cut (DLMF 10.11.5)."""
    negative = _core.less(z, 0)
    beyond = _core.is_recording() or bool(_core.any(negative))
    if beyond:
        z = _core.abs(z)
    j, y = (jvp(v, z, n), yvp(v, z, n)) if n else (_ROWS["jv"](v, z), _ROWS["yv"](v, z))
    re, im = j, y if kind == 1 else -y
    if beyond:
        angle = _core.where(negative, v, asarray(0.0, dtype=j.dtype))
        c, s = _ROWS["cospi"](angle), _ROWS["sinpi"](angle)
        if n % 2:
            c, s = -c, -s
        infinite = _core.isinf(y)
        cy, sy = (_core.where(infinite & (factor == 0), factor, factor * y) for factor in (c, s))
        left_re, left_im = (sy - c * j, s * j + cy) if kind == 1 else (3.0 * c * j - sy, s * j - cy)
        re, im = _core.where(negative, left_re, re), _core.where(negative, left_im, im)
    return _ROWS["complex"](re, im)


def hankel1(v: Any, z: Any) -> Array:
    """Hankel function ``jv(v, z) + 1j * yv(v, z)`` of real order (DLMF 10.4.3); complex128 or complex64.

    It is cut along the negative axis, which belongs to the upper side as in SciPy. Orders beyond 1e5 give NaN.

    Example
    -------
    >>> sa.special.hankel1(0, sa.asarray([1.0, 1 + 1j]))
    array([0.76519769+0.08825696j, 0.22744989-0.05105546j])
    """
    z = asarray(z)
    if z.dtype.kind == "c":
        return _ROWS["hankel1"](v, z)
    return _third_kind(1, v, z)


def hankel2(v: Any, z: Any) -> Array:
    """Hankel function ``jv(v, z) - 1j * yv(v, z)`` of real order (DLMF 10.4.3); complex128 or complex64.

    It is cut along the negative axis, which belongs to the upper side as in SciPy. Orders beyond 1e5 give NaN.

    Example
    -------
    >>> sa.special.hankel2(0, sa.asarray([1.0]))
    array([0.76519769-0.08825696j])
    """
    z = asarray(z)
    if z.dtype.kind == "c":
        return _ROWS["hankel2"](v, z)
    return _third_kind(2, v, z)


def hankel1e(v: Any, z: Any) -> Array:
    """``hankel1(v, z) * exp(-1j * z)``.

    Example
    -------
    >>> sa.special.hankel1e(0, sa.asarray([1.0]))
    array([0.48770375-0.59620621j])
    """
    z = asarray(z)
    return _ROWS["hankel1e"](v, z) if z.dtype.kind == "c" else hankel1(v, z) * _phase(-z)


def hankel2e(v: Any, z: Any) -> Array:
    """``hankel2(v, z) * exp(1j * z)``.

    Example
    -------
    >>> sa.special.hankel2e(0, sa.asarray([1.0]))
    array([0.48770375+0.59620621j])
    """
    z = asarray(z)
    return _ROWS["hankel2e"](v, z) if z.dtype.kind == "c" else hankel2(v, z) * _phase(z)


def _nth(name: str, v: Any, z: Any, n: int, sign: float, front: float) -> Array:
    """The ``n``-th derivative from orders ``v - n`` to ``v + n`` (DLMF 10.6.7, 10.29.5)."""
    if (n := index(n)) < 0:
        raise ValueError(f"{name}p: the number of derivatives must not be negative, got {n}")
    f = _ROWS[name]
    weight = (0.5 * front) ** n
    total = weight * f(v - n, z)
    for k in range(1, n + 1):
        weight *= sign * (n - k + 1) / k
        total = total + weight * f(v - n + 2 * k, z)
    return total


def jvp(v: Any, z: Any, n: int = 1) -> Array:
    """The ``n``-th derivative of ``jv`` in ``z`` (DLMF 10.6.7).

    Example
    -------
    >>> sa.special.jvp(0, sa.asarray([1.0]))
    array([-0.44005059])
    """
    return _nth("jv", v, z, n, -1.0, 1.0)


def yvp(v: Any, z: Any, n: int = 1) -> Array:
    """The ``n``-th derivative of ``yv`` in ``z`` (DLMF 10.6.7).

    Example
    -------
    >>> sa.special.yvp(0, sa.asarray([1.0]))
    array([0.78121282])
    """
    return _nth("yv", v, z, n, -1.0, 1.0)


def ivp(v: Any, z: Any, n: int = 1) -> Array:
    """The ``n``-th derivative of ``iv`` in ``z`` (DLMF 10.29.5).

    Example
    -------
    >>> sa.special.ivp(0, sa.asarray([1.0]))
    array([0.5651591])
    """
    return _nth("iv", v, z, n, 1.0, 1.0)


def kvp(v: Any, z: Any, n: int = 1) -> Array:
    """The ``n``-th derivative of ``kv`` in ``z`` (DLMF 10.29.5).

    Example
    -------
    >>> sa.special.kvp(0, sa.asarray([1.0]))
    array([-0.60190723])
    """
    return _nth("kv", v, z, n, 1.0, -1.0)


def h1vp(v: Any, z: Any, n: int = 1) -> Array:
    """Derivative ``n`` of Hankel's function of the first kind of real order, for real or complex ``z``.

    Example
    -------
    >>> sa.special.h1vp(0, sa.asarray([1.0]))
    array([-0.44005059+0.78121282j])
    """
    z = asarray(z)
    if z.dtype.kind == "c":
        return _nth("hankel1", v, z, n, -1.0, 1.0)
    return _third_kind(1, v, z, n)


def h2vp(v: Any, z: Any, n: int = 1) -> Array:
    """Derivative ``n`` of Hankel's function of the second kind of real order, for real or complex ``z``.

    Example
    -------
    >>> sa.special.h2vp(0, sa.asarray([1.0]))
    array([-0.44005059-0.78121282j])
    """
    z = asarray(z)
    if z.dtype.kind == "c":
        return _nth("hankel2", v, z, n, -1.0, 1.0)
    return _third_kind(2, v, z, n)


def _zeros(name: str, n: int, nt: int, f: Callable[[np.ndarray], np.ndarray], start: float) -> Array:
    """The first ``nt`` zeros beyond ``start``: by sign changes on a grid finer than their distance, then bisection."""
    if (n := index(n)) < 0 or (nt := index(nt)) < 1:
        raise ValueError(f"{name}: n must not be negative and nt must be positive, got n = {n}, nt = {nt}")
    # The zeros are about pi apart once past the turning point.
    length = 3.2 * nt + 3.0 * n ** (1 / 3) + 8.0
    while True:
        grid = np.linspace(start, start + length, int(2 * length) + 2)
        values = f(grid)
        at = np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))[:nt]
        if len(at) == nt:
            break
        length *= 1.5
    low, high = grid[at], grid[at + 1]
    left = np.signbit(values[at])
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = np.signbit(f(middle)) == left
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    # The end with the smaller value is the closer one.
    return asarray(np.where(np.abs(f(low)) <= np.abs(f(high)), low, high))


def _on_host(f: Callable[..., Array], n: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: np.asarray(f(float(n), asarray(x)))


def jn_zeros(n: int, nt: int) -> Array:
    """The first ``nt`` positive zeros of the Bessel function of the first kind of order ``n``.

    Raises ``ValueError`` for a negative order or no zeros.

    Example
    -------
    >>> sa.special.jn_zeros(0, 3)
    array([2.40482556, 5.52007811, 8.65372791])
    """
    return _zeros("jn_zeros", n, nt, _on_host(_ROWS["jv"], n), max(n, 0.5))


def jnp_zeros(n: int, nt: int) -> Array:
    """The first ``nt`` positive zeros of the derivative of the Bessel function of the first kind of order ``n``.

    Raises ``ValueError`` for a negative order or no zeros.

    Example
    -------
    >>> sa.special.jnp_zeros(0, 3)
    array([ 3.83170597,  7.01558667, 10.17346814])
    """
    return _zeros("jnp_zeros", n, nt, _on_host(jvp, n), max(n, 0.5))


def yn_zeros(n: int, nt: int) -> Array:
    """The first ``nt`` positive zeros of the Bessel function of the second kind of order ``n``.

    Raises ``ValueError`` for a negative order or no zeros.

    Example
    -------
    >>> sa.special.yn_zeros(0, 3)
    array([0.89357697, 3.95767842, 7.08605106])
    """
    return _zeros("yn_zeros", n, nt, _on_host(_ROWS["yv"], n), max(n, 0.5))


def ynp_zeros(n: int, nt: int) -> Array:
    """The first ``nt`` positive zeros of the derivative of the Bessel function of the second kind of order ``n``.

    Raises ``ValueError`` for a negative order or no zeros.

    Example
    -------
    >>> sa.special.ynp_zeros(0, 3)
    array([2.19714133, 5.42968104, 8.59600587])
    """
    return _zeros("ynp_zeros", n, nt, _on_host(yvp, n), max(n, 0.5))


def _second_kind(order: float) -> Callable[[Array], Array]:
    return lambda z: _ROWS["yv"](order, z)


def _left_zeros(near: Array, first: list[complex], f: Callable[[Array], tuple[Array, Array]]) -> Array:
    """Zeros in the left upper half plane by Newton's method, with ``f`` the function and its slope: the first ones, and those
    that are about ``log(3) / 2`` above the mirror images of real numbers.
    """
    z = asarray(np.concatenate([first, -np.asarray(near) + 0.5j * np.log(3.0)])[: near.size])
    for _ in range(20):
        value, slope = f(z)
        step = value / slope
        z = z - step
        if np.all(np.abs(np.asarray(step)) <= 1e-15 * np.abs(np.asarray(z))):
            break
    return z


def y0_zeros(nt: int, complex: bool = False) -> tuple[Array, Array]:
    """The first ``nt`` zeros of Y0, and its slopes there: the positive ones, or with ``complex`` those in the left upper half
    plane, whose conjugates are zeros below the cut.

    Unlike SciPy's the positive zeros are real, not complex numbers with a zero imaginary part, and the slopes have the sign of
    slopes. Raises ``ValueError`` for no zeros. By bisection, and Newton's method.

    Example
    -------
    >>> sa.special.y0_zeros(2)
    (array([0.89357697, 3.95767842]), array([ 0.8794208 , -0.40254267]))
    >>> sa.special.y0_zeros(1, complex=True)[0]
    array([-2.40301663+0.53988231j])
    """
    y0, y1 = _second_kind(0.0), _second_kind(1.0)
    if complex:
        z = _left_zeros(jn_zeros(0, nt), [], lambda z: (y0(z), -y1(z)))
    else:
        z = yn_zeros(0, nt)
    return z, -y1(z)


def y1_zeros(nt: int, complex: bool = False) -> tuple[Array, Array]:
    """The first ``nt`` zeros of Y1, and its slopes there, as :func:`y0_zeros`.

    Example
    -------
    >>> sa.special.y1_zeros(2)
    (array([2.19714133, 5.42968104]), array([ 0.52078641, -0.34031805]))
    """
    y0, y1 = _second_kind(0.0), _second_kind(1.0)
    if complex:
        z = _left_zeros(jn_zeros(1, nt), [-0.503 + 0.786j], lambda z: (y1(z), y0(z) - y1(z) / z))
    else:
        z = yn_zeros(1, nt)
    return z, y0(z)


def y1p_zeros(nt: int, complex: bool = False) -> tuple[Array, Array]:
    """The first ``nt`` zeros of the derivative of Y1, and the values of Y1 there, as :func:`y0_zeros`; the first complex one is
    right of the imaginary axis.

    Example
    -------
    >>> sa.special.y1p_zeros(2)
    (array([3.68302286, 6.94149995]), array([ 0.41672993, -0.30317374]))
    """
    y0, y1 = _second_kind(0.0), _second_kind(1.0)

    def f(z: Array) -> tuple[Array, Array]:
        slope = y0(z) - y1(z) / z
        return slope, -slope / z - (1.0 - 1.0 / (z * z)) * y1(z)

    if complex:
        z = _left_zeros(jnp_zeros(1, nt), [0.577 + 0.904j], f)
    else:
        z = ynp_zeros(1, nt)
    return z, y1(z)


def jnyn_zeros(n: int, nt: int) -> tuple[Array, Array, Array, Array]:
    """The first ``nt`` positive zeros of J_n, J_n', Y_n and Y_n'.

    Raises ``ValueError`` for a negative order or no zeros.

    Example
    -------
    >>> [float(z[0].round(6)) for z in sa.special.jnyn_zeros(1, 1)]
    [3.831706, 1.841184, 2.197141, 3.683023]
    """
    return jn_zeros(n, nt), jnp_zeros(n, nt), yn_zeros(n, nt), ynp_zeros(n, nt)


def jnjnp_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """The first ``nt`` zeros of all J_n and J_n' of integer orders together, in ascending order: the zeros, the orders, the
    numbers among the zeros of the same function, and 0 for J_n or 1 for J_n'.

    The first is that of J_0' at 0, whose number is 0. Unlike SciPy's, ``nt`` has no limit of 1200, and J_1 comes first at the
    zeros that it shares with J_0'. Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> zeros, order, number, kind = sa.special.jnjnp_zeros(3)
    >>> zeros, order, kind
    (array([0.        , 1.84118378, 2.40482556]), array([0, 1, 0], dtype=int32), array([1, 1, 0], dtype=int32))
    """
    if (nt := index(nt)) < 1:
        raise ValueError(f"jnjnp_zeros: nt must be positive, got nt = {nt}")
    # About x^2 / 4 zeros lie below x, those of order n beyond n and, but for order 0, more than pi apart.
    bound = 2.0 * np.sqrt(nt) + 2.0
    rows = [(0.0, 0, 0, 1)]
    for n in range(int(bound) + 1):
        most = int((bound - n) / np.pi) + 2
        of_value = np.asarray(jn_zeros(n, most))
        of_slope = np.asarray(jnp_zeros(n, most) if n else jn_zeros(1, most))
        rows += [(z, n, m, kind) for kind, zs in enumerate((of_value, of_slope)) for m, z in enumerate(zs.tolist(), 1)]
    rows = sorted((row for row in rows if row[0] <= bound), key=lambda row: (row[0], row[3]))[:nt]
    zeros, *labels = zip(*rows, strict=True)
    order, number, kind = (asarray(label, dtype="int32") for label in labels)
    return asarray(zeros), order, number, kind


def _airy_zeros(name: str, f: str, nt: int) -> Array:
    """Zeros on the negative axis, which are about pi apart in ``2/3 (-x)^1.5``."""

    def x(zeta: np.ndarray) -> np.ndarray:
        return -((1.5 * zeta) ** (2 / 3))

    zeta = np.asarray(_zeros(name, 0, nt, lambda zeta: np.asarray(_ROWS[f](asarray(x(zeta)))), 0.2))
    z = asarray(x(zeta))
    value = _ROWS[f](z)
    # One step of Newton's method; the slope of Ai' and Bi' is z times the function.
    slope = z * _ROWS[f[:-1]](z) if f.endswith("p") else _ROWS[f + "p"](z)
    return z - value / slope


def ai_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """The first ``nt`` zeros of Ai and of Ai', Ai at the latter and Ai' at the former (DLMF 9.9).

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.ai_zeros(1)
    (array([-2.33810741]), array([-1.01879297]), array([0.53565666]), array([0.70121082]))
    """
    a, b = _airy_zeros("ai_zeros", "airy_ai", nt), _airy_zeros("ai_zeros", "airy_aip", nt)
    return a, b, _ROWS["airy_ai"](b), _ROWS["airy_aip"](a)


def bi_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """The first ``nt`` negative zeros of Bi and of Bi', Bi at the latter and Bi' at the former (DLMF 9.9).

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.bi_zeros(1)
    (array([-1.17371322]), array([-2.29443968]), array([-0.45494438]), array([0.60195789]))
    """
    a, b = _airy_zeros("bi_zeros", "airy_bi", nt), _airy_zeros("bi_zeros", "airy_bip", nt)
    return a, b, _ROWS["airy_bi"](b), _ROWS["airy_bip"](a)


def kelvin_zeros(nt: int) -> tuple[Array, ...]:
    """The first ``nt`` positive zeros of ber, bei, ker, kei, ber', bei', ker' and kei'.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> len(sa.special.kelvin_zeros(3))
    8
    """
    names = ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip")
    return tuple(_kelvin_zeros(name, nt) for name in names)


def _kelvin_zeros(name: str, nt: int) -> Array:
    return _zeros(f"{name}_zeros", 0, nt, lambda x: np.asarray(_ROWS[name](asarray(x))), 0.5)


def ber_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the Kelvin function ber.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.ber_zeros(2)
    array([2.84891782, 7.23882945])
    """
    return _kelvin_zeros("ber", nt)


def bei_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the Kelvin function bei.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.bei_zeros(2)
    array([5.02622395, 9.4554063 ])
    """
    return _kelvin_zeros("bei", nt)


def ker_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the Kelvin function ker.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.ker_zeros(2)
    array([1.71854296, 6.12727913])
    """
    return _kelvin_zeros("ker", nt)


def kei_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the Kelvin function kei.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.kei_zeros(2)
    array([3.91466761, 8.34422506])
    """
    return _kelvin_zeros("kei", nt)


def berp_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the derivative of the Kelvin function ber.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.berp_zeros(2)
    array([ 6.03871081, 10.51364251])
    """
    return _kelvin_zeros("berp", nt)


def beip_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the derivative of the Kelvin function bei.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.beip_zeros(2)
    array([3.7726733 , 8.28098785])
    """
    return _kelvin_zeros("beip", nt)


def kerp_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the derivative of the Kelvin function ker.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.kerp_zeros(2)
    array([2.66583979, 7.17212212])
    """
    return _kelvin_zeros("kerp", nt)


def keip_zeros(nt: int) -> Array:
    """The first ``nt`` positive zeros of the derivative of the Kelvin function kei.

    Raises ``ValueError`` for no zeros.

    Example
    -------
    >>> sa.special.keip_zeros(2)
    array([4.93181194, 9.40405458])
    """
    return _kelvin_zeros("keip", nt)
