"""Derivatives of Bessel functions of complex argument in their order: first, second and mixed ones against mpmath.

At integers, half-integers and 0, of negative orders, in both half-planes, on and next to the axes and where algorithms change.
Accuracy over wide domains is measured by tests/accuracy/check_complex.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpc, mpf

import sciarray as sa
from sciarray import special
from sciarray.testing import check_grads


def power(v: Any, z: Any, sign: int) -> Any:
    """`J` (-1) or `I` (1) by their power series, DLMF 10.16.9 and 10.39.9."""
    return mpmath.exp(v * mpmath.log(z / 2)) * mpmath.rgamma(v + 1) * mpmath.hyp0f1(v + 1, sign * z * z / 4)


def first(sign: int, exponent: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda v, z: power(v, z, sign) * mpmath.exp(exponent(z))


def second(exponent: Callable[[Any], Any]) -> Callable[..., Any]:
    """`Y`, DLMF 10.2.3."""
    y = lambda v, z: (power(v, z, -1) * mpmath.cospi(v) - power(-v, z, -1)) / mpmath.sinpi(v)
    return lambda v, z: y(v, z) * mpmath.exp(exponent(z))


def third(side: int, exponent: Callable[[Any], Any]) -> Callable[..., Any]:
    """Hankel functions, DLMF 10.4.7 and 10.4.8."""
    h = lambda v, z: (power(-v, z, -1) - mpmath.expjpi(-side * v) * power(v, z, -1)) / (side * 1j * mpmath.sinpi(v))
    return lambda v, z: h(v, z) * mpmath.exp(exponent(z))


def falling(exponent: Callable[[Any], Any]) -> Callable[..., Any]:
    """`K`, DLMF 10.27.4."""
    k = lambda v, z: mpmath.pi / 2 * (power(-v, z, 1) - power(v, z, 1)) / mpmath.sinpi(v)
    return lambda v, z: k(v, z) * mpmath.exp(exponent(z))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "jv": first(-1, lambda z: 0),
    "yv": second(lambda z: 0),
    "iv": first(1, lambda z: 0),
    "kv": falling(lambda z: 0),
    "hankel1": third(1, lambda z: 0),
    "hankel2": third(-1, lambda z: 0),
    "jve": first(-1, lambda z: -abs(z.imag)),
    "yve": second(lambda z: -abs(z.imag)),
    "ive": first(1, lambda z: -abs(z.real)),
    "kve": falling(lambda z: z),
    "hankel1e": third(1, lambda z: -1j * z),
    "hankel2e": third(-1, lambda z: 1j * z),
}
#: Those that are no holomorphic functions of the argument
TURNED = ("jve", "yve", "ive")
ORDERS = [0.0, 1e-9, -0.02, 0.3, 0.5, -0.5, 1.0, 2.0, -1.0, -3.0, 2.5, -2.5, 10.25, -17.3, 60.75]
#: In all quadrants, on the axes, on both sides of the places where algorithms change
POINTS = [
    *(0.03 + 0.02j, -0.7 + 0.4j, 1.5 - 0.6j, -1.25 - 3.0j, 4.0 + 5.5j, 11.0 - 3.0j, -9.0 + 7.0j),
    *(0.999j, 1.001j, -2.5j, 1.25 + 0j, -1.75 + 0j, 19.0 + 2.0j, -6.0 - 22.0j, 30.0 + 4.0j),
]
STEP = mpf(2) ** -60


def stencil(f: Callable[[Any], Any], v: float) -> list[Any]:
    """The first three derivatives from points beside the order, which may be a pole of the formulas."""
    a, b, c, d = (f(v + k * STEP) for k in (-3, -1, 1, 3))
    return [
        (27 * (c - b) - (d - a)) / (48 * STEP),
        (d - c - b + a) / (8 * STEP**2),
        (d - 3 * c + 3 * b - a) / (8 * STEP**3),
    ]


def references(name: str, v: float, z: complex) -> tuple[list[complex], list[float]]:
    """The first and the second derivative in the order, and that of the first one in the argument; the units of each."""
    f, at = FUNCTIONS[name], mpc(z)
    with mp.workprec(700 + int(8 * abs(z) + 12 * abs(v))):
        # To the side of the argument, away from the cut
        h = STEP * abs(at) * mpc(0.6, 0.8 if z.imag >= 0 else -0.8)
        here, one, two = (stencil(lambda v, k=k: f(v, at + k * h), mpf(v)) for k in (0, 1, 2))
        slopes = [(4 * b - 3 * a - c) / (2 * h) for a, b, c in zip(here, one, two, strict=True)]
        bend = (here[0] - 2 * one[0] + two[0]) / h**2
        want = [*here[:2], slopes[0]]
        units = [
            abs(here[0]) + abs(v * here[1]) + abs(at * slopes[0]),
            abs(here[1]) + abs(v * here[2]) + abs(at * slopes[1]),
            # What the neighbouring orders that it comes from are worth
            abs(slopes[0]) + abs(v * slopes[1]) + abs(at * bend) + abs(here[0]) * (1 + abs(v / at)),
        ]
        return [complex(w) for w in want], [float(u) for u in units]


def tangents(f: Callable[..., Any], v: np.ndarray, z: np.ndarray) -> list[np.ndarray]:
    """The first and the second derivative in the order, and that of the first one in the argument."""
    order, at = sa.asarray(v), sa.asarray(z)
    ones, complex_ones = sa.ones_like(order), sa.ones_like(at)
    slope = lambda v, z: sa.jvp(lambda v: f(v, z), (v,), (ones,))[1]
    one = slope(order, at)
    two = sa.jvp(lambda v: slope(v, at), (order,), (ones,))[1]
    mixed = sa.jvp(lambda z: slope(order, z), (at,), (complex_ones,))[1]
    return [np.asarray(d) for d in (one, two, mixed)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_in_the_order(name):
    f = getattr(special, name)
    v, z = (x.ravel() for x in np.meshgrid(ORDERS, POINTS))
    # Each order meets a third of the points.
    v, z = v[::3], z[::3]
    got = tangents(f, v, z)
    for i, (order, at) in enumerate(zip(v.tolist(), z.tolist(), strict=True)):
        want, units = references(name, order, at)
        # The mixed one counts only where the function is holomorphic.
        for k in range(2 if name in TURNED else 3):
            assert abs(complex(got[k][i]) - want[k]) <= 1e-12 * units[k], (k, order, at, got[k][i], want[k])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_both_arguments(name):
    f = getattr(special, name)
    v = np.array([0.3, 1.0, -2.0, 0.0, 4.5])
    z = np.array([0.7 + 1.1j, -2.0 + 0.4j, 1.4 - 1.5j, -0.6 - 2.0j, 3.0 + 1.0j])
    check_grads(f, sa.asarray(v), sa.asarray(z))
    # The pullback of a real order is the real part.
    g = np.array([1.0, 1j, 2 - 1j, -0.5, 1 + 1j])
    order, at = sa.asarray(v), sa.asarray(z)
    slope = np.asarray(sa.jvp(lambda v: f(v, at), (order,), (sa.ones_like(order),))[1])
    _, back = sa.vjp(lambda v: f(v, at), order)
    [pulled] = back(sa.asarray(g))
    np.testing.assert_allclose(np.asarray(pulled), (g.conj() * slope).real, rtol=1e-13, atol=1e-15)
    gradient = sa.grad(lambda v: sa.real(f(v, at)).sum())(order)
    np.testing.assert_allclose(np.asarray(gradient), slope.real, rtol=1e-14)


@pytest.mark.parametrize("name", ["iv", "ive", "kv", "kve"])
def test_slopes_next_to_order_zero(name):
    # That of I is the exponentially smaller -K at order 0, that of K 0; both are what is left of larger parts.
    f, z = getattr(special, name), np.array([3 - 1j, 12 + 5j, 17 - 2j, 25 + 3j, 9 + 0j, 1e-6j, 0.3 + 0.4j, -4 + 1j])
    z = z if name[0] == "k" else z[:-1]
    for v in (0.0, 1e-9, -1e-9, 1e-4, -5e-3, 0.029, 0.031):
        got = tangents(f, np.full(z.shape, v), z)[0]
        for value, at in zip(got.tolist(), z.tolist(), strict=True):
            want = references(name, v, at)[0][0] if v or name[0] == "i" else 0.0
            assert abs(value - want) <= 1e-12 * abs(want), (v, at, value, want)


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv", "kve"])
def test_real_arguments_have_real_derivatives(name):
    f = getattr(special, name)
    v = np.array([0.0, 0.3, 2.0, -1.0, -2.5, 12.0])
    x = np.array([0.4, 1.7, 3.5, 8.0, 15.0, 26.0])
    real = tangents(f, v, x)
    for zero in (0.0, -0.0):
        z = x + 0j
        z.imag = zero
        got = tangents(f, v, z)
        for k in range(2):
            assert (got[k].imag == 0).all()
            np.testing.assert_allclose(got[k].real, real[k], rtol=1e-11)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_cut_belongs_to_the_upper_side(name):
    f = getattr(special, name)
    z = np.array([complex(-2.5, 0.0), complex(-2.5, -0.0), complex(-2.5, 1e-300), complex(-2.5, -1e-300)])
    for v in (0.0, 2.0, 0.3, -1.7):
        one, two, _ = tangents(f, np.full(4, v), z)
        for d in (one, two):
            np.testing.assert_array_equal(d[:1], d[1:2])
            np.testing.assert_allclose(d[0], d[2], rtol=1e-14)
        # The lower side is another one, but of slopes that are 0 or -pi J_0 / 2.
        whole = v == 0.0 and name in ("kv", "kve", "yv", "yve")
        assert whole or abs(one[0] - one[3]) > 1e-3 * abs(one[0])


def test_limits():
    at = lambda name, v, z: complex(tangents(getattr(special, name), np.array([v]), np.array([z], complex))[0][0])
    for name in ("jv", "iv"):
        assert at(name, 1.5, 0) == 0
        assert at(name, 0.0, 0).real == -np.inf
    assert at("kv", 0.5, 0).real == np.inf
    assert np.isnan(at("jv", 2e9, 1j))
    # Underflows are zeros.
    assert at("jv", 500.0, 1e-3 + 1e-3j) == 0 and at("kv", 2.0, 1e6 + 1j) == 0


@pytest.mark.parametrize("v", [150.3, 1211.5, -1211.25, 30000.0])
def test_large_orders_between_the_expansions(v):
    # By a recurrence up to 20000 beyond the order, then by Debye's expansions, then by that of Hankel from half its square on;
    # neighbours satisfy the recurrence in the order and, with those of the second kind, Wronski's relation.
    m = abs(v)
    for z in (m + 19999.0, m + 20001.0, 0.499 * m * m, 0.501 * m * m, 733866.125):
        for turn in (0.0, 1e-6, 0.7, 1.5):
            at = complex(z * np.cos(turn), z * np.sin(turn))
            w = sa.asarray(at)
            below, here, above = (complex(special.jve(v + k, w)) for k in (-1, 0, 1))
            unit = abs(below) + abs(here) + abs(above)
            # Each has the condition in its order and its argument.
            allowed = 2e-16 * (10 + m * m / abs(at) + abs(at))
            assert abs(below + above - 2 * v / at * here) <= allowed * unit, (z, turn)
            # J_v Y_{v - 1} - J_{v - 1} Y_v (DLMF 10.5.2), both of which are scaled
            y_below, y = (complex(special.yve(v + k, w)) for k in (-1, 0))
            cross = here * y_below - below * y
            if abs(at.imag) < 300:
                want = 2 / (np.pi * at) * np.exp(-2 * abs(at.imag))
                assert abs(cross - want) <= allowed * unit * (abs(y) + abs(y_below)), (z, turn)


def test_large_orders_against_mpmath():
    # Debye's expansion with more terms than sciarray has
    points = [(1211.5, 733866.125 + 0j), (300.25, 22000 + 3j), (5000.0, 40000 + 1e4j), (9e4, 2e5 - 50j), (2000.5, 1e6j)]
    for v, z in points:
        want, slope = (complex(debye(mpf(v), mpc(z), n)) for n in (0, 1))
        got = complex(special.jve(v, sa.asarray(z)))
        rate = complex(tangents(special.jve, np.array([v]), np.array([z]))[0][0])
        unit = abs(want) + abs(v * slope) + abs(z * want)
        assert abs(got - want) <= 1e-15 * unit, (v, z, got, want)
        bend = complex(debye(mpf(v), mpc(z), 2))
        assert abs(rate - slope) <= 1e-15 * (abs(slope) + abs(v * bend) + abs(z * slope)), (v, z, rate, slope)


def debye(v: Any, z: Any, n: int) -> Any:
    """`e^-|Im z| J_v(z)` or a derivative in `v`, by DLMF 10.41 and 10.27 with eight terms."""
    with mp.workdps(60):
        lower, z = z.imag < 0, mpc(z.real, abs(z.imag))
        w = -1j * z
        polynomials = [[mpf(1)]]
        for _ in range(8):
            # DLMF 10.41.9
            last, after = polynomials[-1], [mpf(0)] * (len(polynomials[-1]) + 3)
            for k, c in enumerate(last):
                after[k + 1] += c * (mpf(k) / 2 + mpf(1) / (8 * (k + 1)))
                after[k + 3] -= c * (mpf(k) / 2 + mpf(5) / (8 * (k + 3)))
            polynomials.append(after)

        def value(v: Any) -> Any:
            root = mpmath.sqrt(w + 1j * v) * mpmath.sqrt(w - 1j * v)
            exponent = root - v * mpmath.asinh(v / w)
            terms = [mpmath.polyval(p[::-1], v / root) / v**k for k, p in enumerate(polynomials)]
            falls = mpmath.fsum((-1) ** k * t for k, t in enumerate(terms))
            side = mpmath.sign(w.imag)
            other = mpc(-mpmath.sinpi(v), side * mpmath.cospi(v)) * mpmath.exp(-exponent) * falls
            total = mpmath.exp(exponent) * mpmath.fsum(terms) + other
            return mpmath.expjpi(v / 2) * total * mpmath.exp(-abs(z.imag)) / mpmath.sqrt(2 * mpmath.pi * root)

        out = mpmath.diff(value, v, n, h=mpf(10) ** -15) if n else value(v)
        return mpmath.conj(out) if lower else out


def test_higher_derivatives_in_the_order_are_refused():
    slope = lambda f: lambda v: sa.jvp(f, (v,), (sa.ones_like(v),))[1]
    for name in FUNCTIONS:
        f = lambda v, name=name: getattr(special, name)(v, sa.asarray(1 + 1j))
        with pytest.raises(NotImplementedError, match="the third derivative in the order is not available"):
            slope(slope(slope(f)))(sa.asarray(0.5))
