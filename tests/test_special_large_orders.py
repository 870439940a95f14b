"""Bessel functions of large order: Debye's expansions, and recurrences from their border through the turning point.

Struve functions too, which an asymptotic series gives on both sides of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
from mpmath import mp, mpc, mpf

import sciarray as sa
from sciarray import special

RNG = np.random.default_rng(21)
EPS = mpf(2) ** -52


def first(v: Any, z: Any) -> Any:
    return mpmath.besselj(v, z, maxprec=100_000)


def second(v: Any, z: Any) -> Any:
    """Of orders that are no integers."""
    return (first(v, z) * mpmath.cospi(v) - first(-v, z)) / mpmath.sinpi(v)


def growing(v: Any, z: Any) -> Any:
    return mpmath.besseli(v, z, maxprec=100_000)


def falling(v: Any, z: Any) -> Any:
    return mpmath.pi / 2 * (growing(-v, z) - growing(v, z)) / mpmath.sinpi(v)


def struve(v: Any, z: Any) -> Any:
    front = (z / 2) ** (v + 1) * mpmath.rgamma(v + mpf(3) / 2) * 2 / mpmath.sqrt(mpmath.pi)
    return front * mpmath.hyper([1], [mpf(3) / 2, v + mpf(3) / 2], -(z**2) / 4, maxprec=100_000)


REFERENCE: dict[str, Callable[..., Any]] = {
    "jv": first,
    "yv": second,
    "iv": growing,
    "kv": falling,
    "ive": lambda v, z: growing(v, z) * mpmath.exp(-z),
    "kve": lambda v, z: falling(v, z) * mpmath.exp(z),
    "struve": struve,
    "hankel1": lambda v, z: first(v, z) + 1j * second(v, z),
    "hankel2": lambda v, z: first(v, z) - 1j * second(v, z),
}
COMPLEX = ("jv", "yv", "iv", "kv", "hankel1", "hankel2")


def orders(n: int, least: float, most: float) -> np.ndarray:
    """No integers, and exact where 1 is added."""
    return np.floor(np.exp(RNG.uniform(np.log(least), np.log(most), n))) + RNG.integers(1, 32, n) / 32


def places(v: np.ndarray) -> np.ndarray:
    """Arguments on both sides of the order, many of them next to it."""
    n = v.size
    near = np.maximum(1 + RNG.uniform(-12, 12, n) * v ** (-2 / 3), 0.1)
    return v * np.where(RNG.uniform(size=n) < 0.5, near, np.exp(RNG.uniform(-2, 1, n)))


def units(f: Callable[..., Any], v: float, z: complex | float, got: complex | float) -> float:
    """The error over the rounding of the result and of the arguments, complex ones with the order."""
    with mp.workdps(60 + int(0.95 * abs(z))):
        w, h = (mpc(z) if isinstance(z, complex) else mpf(z)), mpf(10) ** -18
        exact = f(mpf(v), w)
        moved = abs(w * (f(mpf(v), w + h) - f(mpf(v), w - h)))
        if isinstance(z, complex):
            moved += abs(v * (f(mpf(v) + h, w) - f(mpf(v) - h, w)))
        return float(abs(got - exact) / (EPS * max(abs(exact), moved / (4 * h))))


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv", "ive", "kve", "struve"])
def test_real_arguments(name: str) -> None:
    v = orders(60, 30, 900)
    x = places(v)
    got = np.asarray(getattr(special, name)(sa.asarray(v), sa.asarray(x)))
    compared = 0
    for a, b, y in zip(v.tolist(), x.tolist(), got.tolist(), strict=True):
        if 1e-290 < abs(y) < 1e290:
            assert units(REFERENCE[name], a, b, y) < 8, (a, b)
            compared += 1
    assert compared > 30


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_arguments(name: str) -> None:
    v = orders(40, 30, 300)
    angles = np.where(RNG.uniform(size=40) < 0.5, RNG.uniform(-1.6, 1.6, 40), 10 ** RNG.uniform(-5, -0.5, 40))
    turned = np.pi / 2 if name in ("iv", "kv") and RNG.uniform() < 0.5 else 0.0
    z = places(v) * np.exp(1j * (turned - angles))
    got = np.asarray(getattr(special, name)(sa.asarray(v), sa.asarray(z)))
    for a, b, y in zip(v.tolist(), z.tolist(), got.tolist(), strict=True):
        if 1e-290 < abs(y) < 1e290:
            assert units(REFERENCE[name], a, b, y) < 16, (a, b)


def test_extrema_beside_the_real_axis() -> None:
    # 19.5 units off by a recurrence over 77 orders
    assert units(first, 89.375, 93 + 0.015625j, complex(special.jv(89.375, sa.asarray(93 + 0.015625j)))) < 8


def test_scaled_functions_out_of_range() -> None:
    # inf and 0 by the scaled functions, which are out of range before these
    for v, x in ((1000.25, 400.0), (1200.25, 600.0), (-1000.25, 400.0)):
        for name in ("iv", "kv"):
            f = getattr(special, name)
            assert units(REFERENCE[name], v, x, float(f(v, sa.asarray(x)))) < 8
            slopes = sa.grad(lambda v, x, f=f: f(v, x), argnums=(0, 1))(sa.asarray(v), sa.asarray(x))
            bends = sa.grad(lambda v, x, f=f: sa.grad(f)(v, x), argnums=(0, 1))(sa.asarray(v), sa.asarray(x))
            with mp.workdps(80):
                g, h = REFERENCE[name], mpf(10) ** -12
                grid = [[g(mpf(v) + i * h, mpf(x) + j * h) for j in (-1, 0, 1)] for i in (-1, 0, 1)]
                wanted = [
                    (grid[2][1] - grid[0][1]) / (2 * h),
                    (grid[1][2] - grid[1][0]) / (2 * h),
                    (grid[2][1] - 2 * grid[1][1] + grid[0][1]) / h**2,
                    (grid[2][2] - grid[2][0] - grid[0][2] + grid[0][0]) / (4 * h * h),
                ]
            np.testing.assert_allclose([float(s) for s in (*slopes, *bends)], [float(w) for w in wanted], rtol=1e-11)


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv", "ive", "kve", "struve"])
def test_derivatives_in_the_order(name: str) -> None:
    v = orders(12, 40, 300)
    x = places(v)
    f = getattr(special, name)
    slope = sa.grad(lambda v, x: f(v, x).sum())(sa.asarray(v), sa.asarray(x))
    bend = sa.grad(lambda v, x: sa.grad(lambda v, x: f(v, x).sum())(v, x).sum())(sa.asarray(v), sa.asarray(x))
    for a, b, s, t in zip(v.tolist(), x.tolist(), np.asarray(slope).tolist(), np.asarray(bend).tolist(), strict=True):
        with mp.workdps(80 + int(0.95 * b)):
            h, g = mpf(10) ** -15, REFERENCE[name]
            below, here, above = (g(mpf(a) + k * h, mpf(b)) for k in (-1, 0, 1))
            if not 1e-280 < abs(here) < 1e280:
                continue
            # The rounding of the argument, in the derivatives too
            moved = (g(mpf(a) + h, b * (1 + h)) - g(mpf(a) - h, b * (1 + h)) - above + below) / (2 * h * h)
            allowed = EPS * (abs(moved) + abs((above - below) / (2 * h)) + abs(here))
            assert abs(s - (above - below) / (2 * h)) < 16 * allowed, (a, b)
            assert abs(t - (above - 2 * here + below) / h**2) < 64 * allowed, (a, b)


@pytest.mark.parametrize("v", [1.5e4, 1e6 + 0.25, 3e7, 9e8])
def test_orders_to_a_thousand_million(v: float) -> None:
    width = v ** (1 / 3)
    x = v + width * np.array([-30.0, -10.0, -3.0, -1.0, 0.0, 1.0, 5.0, 12.0, 100.0, 0.5 * v / width, v / width])
    orders = np.array([[v - 1], [v], [v + 1]])
    j, y = (np.asarray(f(sa.asarray(orders), sa.asarray(x))) for f in (special.jv, special.yv))
    inside = np.isfinite(y).all(axis=0) & (np.abs(j) > 1e-290).all(axis=0)
    assert inside.sum() >= 9
    # DLMF 10.5.2, a difference that loses v^(1/3) next to the turning point, where a rounding of x moves both by v^(2/3)
    wronskian = (j[2] * y[1] - j[1] * y[2])[inside]
    np.testing.assert_allclose(wronskian, 2 / (np.pi * x[inside]), rtol=1e-11 + 20 * float(EPS) * v)
    # DLMF 10.19.8 at the turning point
    here = float(mpf(2) ** (mpf(1) / 3) / (3 ** (mpf(2) / 3) * mpmath.gamma(mpf(2) / 3) * mpf(v) ** (mpf(1) / 3)))
    np.testing.assert_allclose(j[1, 4], here, rtol=max(1e-9, 0.1 * v ** (-4 / 3)))
    # Where the scaled functions are in range
    x = v * v / np.array([4.0, 50.0, 400.0])
    i, k = (np.asarray(f(sa.asarray(orders), sa.asarray(x))) for f in (special.ive, special.kve))
    np.testing.assert_allclose(i[1] * k[2] + i[2] * k[1], 1 / x, rtol=1e-9)


def test_phases_of_large_orders() -> None:
    # By five of Debye's terms with 50 digits; Wronskians do not see a phase
    for v, want in ((1e6, -0.00033747216262188043739), (1e8, 6.0120115352155150136e-5)):
        np.testing.assert_allclose(float(special.jv(v, sa.asarray(2 * v))), want, rtol=1e-13)


def test_orders_beyond_are_nan() -> None:
    for name in ("jv", "yv", "iv", "kv", "ive", "kve"):
        assert np.isnan(float(getattr(special, name)(2e9, sa.asarray(1e9))))


@pytest.mark.parametrize("name", ["jv", "jve", "iv", "ive"])
def test_complex_functions_of_the_first_kind_that_vanish(name):
    f = getattr(sa.special, name)
    v = np.repeat([152.0, 310.0, 700.0, 1e6, 1e6], 4)
    size = np.repeat([0.3, 10.0, 90.0, 1.3e5, 5e-324], 4)
    z = size * np.tile([1, 1j, -0.6 + 0.8j, -1.0], 5)
    v = sa.asarray(v)
    for found in (f(v, z), *sa.jvp(lambda w: f(w, z), (v,), (sa.ones_like(v),))):
        assert (np.asarray(found) == 0).all()
    # Beside others in a register, and next to where they would vanish
    few = np.array([152.0, 200.5, 10.25, 152.0]), np.array([0.3, 40.0 + 1j, 2.0 - 1j, 30.0])
    together = np.asarray(f(*few))
    assert [complex(w) for w in together] == [complex(np.asarray(f(*pair))) for pair in zip(*few, strict=True)]
    np.testing.assert_allclose(together, getattr(scipy.special, name)(*few), rtol=1e-10)
    for bad in (complex(1, math.nan), complex(math.nan, 1)):
        assert np.isnan(np.asarray(f(400.0, bad)))


@pytest.mark.parametrize("beside", [0.0, 1e-300, 1e-30, 1e-17])
def test_complex_functions_on_the_axes(beside):
    """Between the turning points of `I` on the imaginary axis, where only rounding says on which side of it an argument is."""
    v = RNG.uniform(30, 600, 4000)
    x = v * RNG.uniform(0.05, 2.0, 4000)
    z = x + 1j * beside * x
    real = {name: np.asarray(getattr(special, name)(v, x)) for name in ("jv", "yv")}
    hankel = real["jv"] - 1j * real["yv"]
    for got, want in [
        (special.jv(v, z), real["jv"]),
        (special.jve(v, z), real["jv"]),
        (special.jv(v, z.conj()), real["jv"]),
        (special.yv(v, z), real["yv"]),
        (special.hankel2(v, z), hankel),
        (special.hankel1(v, z.conj()), hankel.conj()),
        (special.iv(v, 1j * z), real["jv"] * np.exp(0.5j * np.pi * np.fmod(v, 4))),
    ]:
        known = (np.abs(want) > 1e-290) & (np.abs(want) < 1e290)
        assert known.sum() > 2000
        # Next to extrema and zeros beside the size of the wave
        size = np.maximum(np.abs(want), np.where(x > v, np.abs(hankel), 0.0))
        assert (np.abs(np.asarray(got) - want)[known] <= 1e-10 * size[known]).all()
