"""Bessel, Airy and spherical functions, Carlson's integrals and Wright's omega function of complex arguments.

SciPy is the peer, mpmath the referee where they differ; cuts, limits, dtypes and gradients. Accuracy over wide domains is
measured by tests/accuracy/check_complex.py.
"""

from __future__ import annotations

import cmath
import functools
import math
from collections.abc import Callable
from typing import Any

import measure
import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpc, mpf

import sciarray as sa
from sciarray import special, testing
from sciarray.testing import check_grads

INF, NAN = math.inf, math.nan


def scaled(f: Callable[..., Any], exponent: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda v, z: f(v, z) * mpmath.exp(exponent(z))


def besseli(v: Any, z: Any) -> Any:
    """mpmath's finds no value of negative whole orders next to 0."""
    return mpmath.besseli(abs(v) if mpmath.isint(v) else v, z)


ORDERS: dict[str, Callable[..., Any]] = {
    "jv": mpmath.besselj,
    "yv": mpmath.bessely,
    "iv": besseli,
    "kv": mpmath.besselk,
    "hankel1": mpmath.hankel1,
    "hankel2": mpmath.hankel2,
    "jve": scaled(mpmath.besselj, lambda z: -abs(z.imag)),
    "yve": scaled(mpmath.bessely, lambda z: -abs(z.imag)),
    "ive": scaled(besseli, lambda z: -abs(z.real)),
    "kve": scaled(mpmath.besselk, lambda z: z),
    "hankel1e": scaled(mpmath.hankel1, lambda z: -1j * z),
    "hankel2e": scaled(mpmath.hankel2, lambda z: 1j * z),
}


def unit(f: Callable[..., Any], v: float, z: complex, value: Any) -> float:
    """One ulp and what one rounding of the arguments does."""
    h = mpf(2) ** -60
    at = mpc(z)
    # Away from the cut.
    step = abs(at) * h * mpc(0.6, 0.8 if z.imag >= 0 else -0.8)
    slope = abs(at * (f(v, at + step) - value) / step) + abs(v * (f(v + h, at) - value) / h)
    return math.ulp(float(abs(value))) + 2.0**-52 * float(slope)


parts = st.one_of(st.floats(-30, 30), st.floats(-1, 1), st.sampled_from([0.0, 1e-12, -1e-12, 2.0, -20.0]))
orders = st.one_of(st.floats(-40, 40), st.integers(-8, 8).map(float), st.sampled_from([0.5, -1.5, 1 / 3]))


@pytest.mark.parametrize("name", ORDERS)
@given(v=orders, x=parts, y=parts)
@example(v=-34.0, x=0.0, y=0.03125)
def test_bessel_functions(name, v, x, y):
    z = complex(x, y)
    if abs(z) < 1e-9:
        return
    got = complex(np.asarray(getattr(special, name)(v, sa.asarray(z))))
    peer = complex(getattr(scipy.special, name)(v, z))
    if cmath.isfinite(peer) and abs(got - peer) <= 1e-14 * abs(peer):
        return
    f = ORDERS[name]
    with mp.workdps(100 + int(abs(v))):
        value = f(mpf(v), mpc(z))
        if 1e-290 < abs(value) < 1e290:
            error = float(abs(mpc(got) - value)) / unit(f, v, z, value)
            assert error <= 16, (v, z, got, complex(value), peer)


RNG = np.random.default_rng(3)
SIZES = 10.0 ** RNG.uniform(0, 3.2, 12)
# Of the first four either core alone is out of range, while the functions are not.
LARGE = [
    (868.4758972009904, -449.5925677023819 - 414.86451549833805j),
    (900.7, -450.35 + 270.21j),
    (953.61562422765, 210.43594340146072 - 340.56926568151124j),
    (-311.5528172344418, -23.190162542176314 - 8.149358143850355j),
    *zip(RNG.uniform(-999, 999, 12), SIZES * np.exp(1j * RNG.uniform(-3.1, 3.1, 12)), strict=True),
]


@pytest.mark.parametrize("name", ORDERS)
def test_large_orders(name):
    f = ORDERS[name]
    for v, z in LARGE:
        got = complex(getattr(special, name)(v, sa.asarray(complex(z))))
        peer = complex(getattr(scipy.special, name)(v, z))
        if cmath.isfinite(peer) and abs(got - peer) <= 1e-11 * abs(peer):
            continue
        with mp.workdps(100 + int(abs(v))):
            want = f(mpf(float(v)), mpc(complex(z)))
            if 1e-300 < abs(want) < 1e300:
                assert abs(mpc(got) - want) <= 16 * unit(f, float(v), complex(z), want), (v, z)
            elif abs(want) <= 1e-300:
                assert abs(got) < 1e-299, (v, z)


def test_orders_to_a_hundred_thousand():
    v = np.array([5000.25, 20000.5, 99999.0, -30000.75])
    z = np.array([6000 + 300j, 21000 - 500j, 100500 + 20j, 29990 + 100j])
    for name in ("jv", "yv", "hankel1", "kv"):
        got, peer = np.asarray(getattr(special, name)(v, sa.asarray(z))), getattr(scipy.special, name)(v, z)
        known = np.isfinite(peer) & (peer != 0)
        assert name == "kv" or known.all()
        np.testing.assert_allclose(got[known], peer[known], rtol=1e-9)
    assert np.isnan(complex(special.jv(1.1e9, sa.asarray(1e9 + 1j))))


@pytest.mark.parametrize("name", ORDERS)
def test_cuts_and_limits(name):
    f, peer = getattr(special, name), getattr(scipy.special, name)
    # Both zeros belong to the upper side.
    z = np.array([complex(-2.5, 0.0), complex(-2.5, -0.0), complex(-40.0, 0.0), complex(-2.5, -1e-300)])
    for v in (0.0, 2.0, 0.3, -1.7):
        testing.assert_allclose(f(v, sa.asarray(z)), peer(v, z), rtol=1e-12, atol=1e-16)
    assert np.isnan(np.asarray(f(sa.asarray([1.0, NAN, 1.1e9]), sa.asarray([complex(NAN, 1), 1j, 1j])))).all()
    narrow = f(sa.asarray([0.5], dtype="float32"), sa.asarray([1 + 2j], dtype="complex64"))
    assert narrow.dtype.name == "complex64"
    testing.assert_allclose(narrow, peer(0.5, np.array([1 + 2j])), rtol=1e-7)
    with pytest.raises(TypeError, match="the order must be real, got complex128"):
        special.jv(sa.asarray(1j), sa.asarray(1j))


def test_values_at_the_edges():
    s = special
    at = lambda f, v, z: complex(np.asarray(f(v, sa.asarray(complex(z)))))
    assert at(s.jv, 0.0, 0) == 1 and at(s.iv, 0.0, 0) == 1 and at(s.jv, 2.0, 0) == 0 and at(s.jv, -3.0, 0) == 0
    assert at(s.yv, 0.5, 0).real == -INF and at(s.kv, 0.5, 0).real == INF
    assert at(s.jv, 1.0, INF) == 0 and at(s.kv, 0.5, INF) == 0 and at(s.iv, 0.5, INF).real == INF
    # Far out nothing but the unscaled functions leave the range.
    z = sa.asarray([1e6 + 1e6j, -1e6 + 1e6j, 1e6j, 1e100 - 1e100j])
    for f in (s.jve, s.yve, s.ive, s.hankel1e, s.hankel2e, s.kve):
        y = np.asarray(f(2.5, z))
        testing.assert_allclose(
            y, np.asarray(f(0.5, z)) * np.where(abs(y / np.asarray(f(0.5, z)) - 1) < 1, 1, -1), rtol=1e-5
        )
    # Tiny arguments: only the leading term is left.
    z = 1e-200 * np.exp(1j * np.array([0.3, 2.0, -3.0, -1.0]))
    testing.assert_allclose(s.jv(1.0, sa.asarray(z)), z / 2, rtol=1e-15)
    testing.assert_allclose(s.kv(1.0, sa.asarray(z)), 1 / z, rtol=1e-15)


POINTS = np.array([0.7 + 1.1j, -2.0 + 0.4j, 3.0 - 2.5j, -0.6 - 5.0j, 14.0 + 21.0j])


@pytest.mark.parametrize("name", ORDERS)
def test_gradients(name):
    f = getattr(special, name)
    for v in (0.0, 1.3, -2.0, 7.5):
        # The unscaled ones grow like the exponential.
        z = POINTS if name.endswith("e") else POINTS[:4]
        check_grads(lambda z, v=v: f(v, z), sa.asarray(z))


@pytest.mark.parametrize("name", ["jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp"])
def test_derivatives_of_any_order(name):
    for n in (0, 1, 3):
        got = getattr(special, name)(1.5, sa.asarray(POINTS), n)
        testing.assert_allclose(got, getattr(scipy.special, name)(1.5, POINTS, n), rtol=1e-12)


@pytest.mark.parametrize("name", ["kve", "hankel1e", "hankel2e"])
def test_slopes_of_scaled_functions_far_out(name):
    # Neighbouring orders cancel there; both sides of 20, where the way changes, and both of the negative axis.
    f = lambda z: getattr(special, name)(1.3, z)
    angles = np.concatenate([np.arange(-3.1, 3.2, 0.31), [np.pi, -np.pi + 1e-3, np.pi - 1e-3]])
    z = np.concatenate([r * np.exp(1j * angles) for r in (19.9, 20.1, 60.0)])
    one = sa.ones_like(sa.asarray(z))
    slope = lambda z: sa.jvp(f, (z,), (one,))[1]
    first = np.asarray(slope(sa.asarray(z)))
    second = np.asarray(sa.jvp(slope, (sa.asarray(z),), (one,))[1])
    front = {
        "kve": (1, mpmath.besselk),
        "hankel1e": (mpc(0, -1), mpmath.hankel1),
        "hankel2e": (mpc(0, 1), mpmath.hankel2),
    }
    turn, bessel = front[name]
    with mp.workdps(160):
        v = mpf(1.3)
        for at, d1, d2 in zip(z, first, second, strict=True):
            w = mpc(complex(at))
            y, up = (mpmath.exp(turn * w) * bessel(v + k, w) for k in (0, 1))
            # DLMF 10.6.2, 10.29.2 and the differential equations
            want = (v / w + turn) * y - up
            bend = (2 * turn - 1 / w) * want + (turn / w + v * v / w**2) * y
            assert abs(mpc(complex(d1)) - want) < 1e-12 * abs(want), at
            assert abs(mpc(complex(d2)) - bend) < (1e-12 if abs(at) > 20 else 1e-11) * abs(bend), at


def circles(*radii: float) -> np.ndarray:
    return np.array(
        [r * np.exp(1j * t) for r in radii for t in (0.0, 0.7, 1.5, 1.57, 1.65, 2.0, 2.7, 3.1, -0.4, -1.56, -2.2)]
    )


FAR = circles(21.0, 300.0, 1e5)
#: Between the differences of neighbours and Hankel's expansions
MIDDLE = {9.3: [41.0], -14.3: [101.0], 60.0: [190.0, 1790.0]}


def rows(name: str) -> Callable[..., Any]:
    """A function that is no public one."""
    return lambda *x: special._bessel._ROWS[name](*x)


def hankel1(v: Any, z: Any) -> Any:
    """Where the function is small, by K, since J and i Y would cancel."""
    if z.imag < 0:
        return mpmath.besselj(v, z) + mpc(0, 1) * mpmath.bessely(v, z)
    return mpc(0, -2) / mpmath.pi * mpmath.expjpi(-v / 2) * mpmath.besselk(v, mpc(z.imag, -z.real))


def hankel2(v: Any, z: Any) -> Any:
    return mpmath.conj(hankel1(v, mpmath.conj(z)))


#: What jve, yve and ive are a real factor away from, and functions scaled by `e^(rate z)`; f' = (f_- + sign f_+) / 2
SCALED = {
    "jv_turned": (mpmath.besselj, -1, lambda z: mpc(0, -1 if z.imag < 0 else 1)),
    "yv_turned": (mpmath.bessely, -1, lambda z: mpc(0, -1 if z.imag < 0 else 1)),
    "iv_turned": (mpmath.besseli, 1, lambda z: mpc(1 if z.real < 0 else -1)),
    "hankel1e": (hankel1, -1, lambda z: mpc(0, -1)),
    "hankel2e": (hankel2, -1, lambda z: mpc(0, 1)),
}


@pytest.mark.parametrize("name", SCALED)
def test_slopes_far_out(name):
    # A difference of neighbours would lose digits like `eps |z|`.
    f, (bessel, sign, side) = rows(name), SCALED[name]
    binomial = mpmath.binomial
    for v in (0.0, 1.3, -2.0, -0.4, *MIDDLE):
        z = np.concatenate([FAR, [21j, -300j, 1e5j, 21.0, -300.0, 1e5]])
        if v in MIDDLE:
            z = np.concatenate([circles(*MIDDLE[v])[::2], *(r * np.array([1j, -1j, 1, -1]) for r in MIDDLE[v])])
        order, at = sa.full(z.shape, v), sa.asarray(z)
        one, ones = sa.ones_like(at), sa.ones_like(order)
        slope = lambda z, order=order, one=one: sa.jvp(lambda z: f(order, z), (z,), (one,))[1]
        rate = lambda z, order=order, ones=ones: sa.jvp(lambda v: f(v, z), (order,), (ones,))[1]
        first, second, mixed = slope(at), sa.jvp(slope, (at,), (one,))[1], sa.jvp(rate, (at,), (one,))[1]
        other = sa.jvp(lambda v, at=at, one=one: sa.jvp(lambda z: f(v, z), (at,), (one,))[1], (order,), (ones,))[1]
        with mp.workdps(50):
            for i, w in enumerate(map(mpc, z)):
                rate_of, h = side(w), mpf(10) ** -12
                beside = functools.cache(lambda shift, v=v, w=w: bessel(mpf(v) + shift, w))

                def exact(n, shift, w=w, rate_of=rate_of, beside=beside):
                    """The derivative `n` in the argument, beside the order."""
                    terms = lambda k: (binomial(k, j) * sign**j * beside(shift - k + 2 * j) for j in range(k + 1))
                    parts = (binomial(n, k) * rate_of ** (n - k) * mpmath.fsum(terms(k)) / 2**k for k in range(n + 1))
                    return mpmath.exp(rate_of * w) * mpmath.fsum(parts)

                sizes = [abs(exact(n, 0)) for n in range(4)]
                cross = [(exact(n, h) - exact(n, -h)) / (2 * h) for n in (1, 2)]
                slanted = abs(cross[0]) + abs(w * cross[1]) + sizes[1]
                for got, want, unit in [
                    (first, exact(1, 0), sizes[1] + abs(w) * sizes[2]),
                    (second, exact(2, 0), sizes[2] + abs(w) * sizes[3]),
                    (mixed, cross[0], slanted),
                    (other, cross[0], slanted),
                ]:
                    assert abs(mpc(complex(np.asarray(got)[i])) - want) < 1e-13 * unit, (v, w)


@pytest.mark.parametrize("kind", ["airye_ai", "airye_aip", "airy_bi_turned", "airy_bip_turned"])
def test_slopes_of_scaled_airy_functions(kind):
    derivative, base = int("p" in kind[6:]), mpmath.airybi if "bi" in kind else mpmath.airyai
    edges = [9.99, 10.01, -9.99, -10.01, 9.99j, 2.01, 2.01j, -2.01, -1e3, 1e3]
    for at in np.concatenate([FAR[:11] / 8, FAR[:11] / 3, FAR[:22] / 2, FAR[22:] / 100, edges]):
        z = sa.asarray(complex(at))
        with mp.workdps(60):
            w = mpc(complex(at))
            exponent = w * mpmath.sqrt(w) * 2 / 3
            right = exponent.real >= 0 and w.real >= 0
            s = 1 if "bi" not in kind or not right else -1
            # From w'' = z w: those of the scaled functions by the products of both
            y, up = (mpmath.exp(s * exponent) * base(w, derivative=k) for k in (0, 1))
            root, half = s * mpmath.sqrt(w), s / (2 * mpmath.sqrt(w))
            d = [y, up + root * y]
            e = [up, w * y + root * up]
            d.append(e[1] + half * y + root * d[1])
            e.append(y + w * d[1] + half * up + root * e[1])
            third = -s / (4 * w * mpmath.sqrt(w))
            d.append(e[2] + third * y + 2 * half * d[1] + root * d[2])
            e.append(2 * d[1] + w * d[2] + third * up + 2 * half * e[1] + root * e[2])
            want = e if derivative else d
            f = rows(kind) if "turned" not in kind else lambda z, s=s: rows(kind)(sa.asarray(float(-s)), z)
            slope = lambda z, f=f: sa.jvp(f, (z,), (sa.ones_like(z),))[1]
            got = [slope(z), sa.jvp(slope, (z,), (sa.ones_like(z),))[1]]
            for k in range(2):
                unit = abs(want[k + 1]) + abs(w * want[k + 2])
                assert abs(mpc(complex(np.asarray(got[k]))) - want[k + 1]) < 1e-13 * unit, (at, k)


def test_fifth_derivatives_of_expansions_are_not_numbers():
    f = lambda z: special.kve(0.3, z)
    for z in (30.0, 30 + 1j):
        g, x = f, sa.asarray(z)
        for n in range(1, 6):
            g = lambda z, g=g: sa.jvp(g, (z,), (sa.ones_like(z),))[1]
            assert bool(sa.isnan(g(x))) == (n > 4)


@pytest.mark.parametrize("name", ["airy", "airye"])
def test_airy_functions(name):
    f = getattr(special, name)
    rng = np.random.default_rng(1)
    z = 10 ** rng.uniform(-2, 1.4, 60) * np.exp(1j * rng.uniform(-math.pi, math.pi, 60))
    z = np.concatenate([z, [0j, -3 + 0j, 3 + 0j, 2j]])
    for y, want in zip(f(sa.asarray(z)), getattr(scipy.special, name)(z), strict=True):
        testing.assert_allclose(y, want, rtol=2e-12, atol=1e-15)
    # SciPy is wrong on this side of the cut: Ai is -0.3788142936776582.
    on, below = (np.asarray(f(sa.asarray(complex(-3, y)))) for y in (0.0, -0.0))
    np.testing.assert_array_equal(on, below)
    for i in range(4):
        check_grads(lambda z, i=i: f(z)[i], sa.asarray([0.4 + 0.2j, 2.0 - 1.0j, -1.5 + 2.0j, -3.0 - 1.0j]))
    with mp.workdps(80):
        x = -7.25 + 1e-3j
        want = mpmath.airyai(mpc(x)) * (mpmath.exp(mpc(x) * mpmath.sqrt(mpc(x)) * 2 / 3) if name == "airye" else 1)
    assert abs(complex(np.asarray(f(sa.asarray(x))[0])) / complex(want) - 1) < 1e-13


@pytest.mark.parametrize("name", ["spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"])
def test_spherical_functions(name):
    kind = {"j": mpmath.besselj, "y": mpmath.bessely, "i": mpmath.besseli, "k": mpmath.besselk}[name[10]]
    f = getattr(special, name)
    for n in (0, 1, 4, 30):
        value, slope = f(n, sa.asarray(POINTS)), f(n, sa.asarray(POINTS), derivative=True)
        with mp.workdps(60):
            exact = lambda z, n=n: kind(n + mpf(0.5), z) * mpmath.sqrt(mpmath.pi / 2) / mpmath.sqrt(z)
            want = [complex(exact(mpc(z))) for z in POINTS]
            bend = [complex(mpmath.diff(exact, mpc(z), h=mpf(10) ** -20)) for z in POINTS]
        testing.assert_allclose(value, want, rtol=2e-14)
        testing.assert_allclose(slope, bend, rtol=1e-12)
    check_grads(lambda z: f(2, z), sa.asarray(POINTS[:3]))
    # The leading term where the function of order n + 1/2 would leave the range
    if name in ("spherical_jn", "spherical_in"):
        testing.assert_allclose(
            f(1, sa.asarray([1e-300j, 1e-300 + 1e-300j])), [1e-300j / 3, (1 + 1j) * 1e-300 / 3], rtol=1e-15
        )


CARLSON = {"elliprc": 2, "elliprf": 3, "elliprd": 3, "elliprg": 3, "elliprj": 4}


@pytest.mark.parametrize("name", CARLSON)
def test_integrals_of_carlson(name):
    f, n = getattr(special, name), CARLSON[name]
    rng = np.random.default_rng(2)
    args = [10 ** rng.uniform(-3, 3, 40) * np.exp(1j * rng.uniform(-1.5, 1.5, 40)) for _ in range(n)]
    testing.assert_allclose(f(*map(sa.asarray, args)), getattr(scipy.special, name)(*args), rtol=1e-14)
    equal = [np.full(3, 1 + 2j)] * n
    testing.assert_allclose(f(*map(sa.asarray, equal)), getattr(scipy.special, name)(*equal), rtol=1e-14)
    check_grads(f, *[sa.asarray(rng.uniform(0.5, 2, 3) + 1j * rng.uniform(-1, 1, 3)) for _ in range(n)])
    check_grads(f, *[sa.asarray([0.7 + 0.4j])] * n)
    assert np.isnan(np.asarray(f(*[sa.asarray(complex(v)) for v in (-1, 1, 1, 1)[:n]]))).all()


@pytest.mark.parametrize(
    "x",
    [
        (0.0, 2 + 1j, 3.0),
        (1 - 2j, 0.0, 0.5j),
        (0.0, 3e-260 + 2e-260j, 1e-260),
        (1 + 4j, 0.0, 0.0),
        (1 + 4j, 1e-24j, 3e-23),
        (1 - 4j, 1e-9j, 3e-12),
    ],
)
def test_slopes_of_the_symmetric_integral_beside_zeros(x):
    def exact(x, y, z):
        if y == z == 0:
            return 1 / (4 * mpmath.sqrt(x))
        return (mpmath.elliprf(x, y, z) - (x * mpmath.elliprd(y, z, x) / 3 if x else 0)) / 4

    args = [sa.asarray([complex(v)]) for v in x]
    with mp.workdps(100):
        z = [mpc(v) for v in x]
        want = {(0,): exact(*z)}
        if x[0]:
            want[0, 0] = mpmath.diff(lambda v: exact(v, *z[1:]), z[0])
    for which, slope in want.items():
        testing.assert_allclose(measure.slope(special.elliprg, args, which), [complex(slope)], rtol=1e-14)


@settings(max_examples=max(20, settings.default.max_examples // 4), deadline=None)
@example([-150.1, -209.1, -280.1], [-0.2, 1.4, 1.2], 3)
@example([-310.1, -320.1, 2.1], [0.3, -1.4, 1.2], 3)
@example([170.1, 150.1, 162.1], [0.3, -1.4, 1.2], 2)
@given(
    *[st.lists(st.floats(low, high), min_size=3, max_size=3) for low, high in ((-323, 307), (-1.5, 1.5))],
    st.integers(1, 3),
)
def test_symmetric_integral_of_the_second_kind_in_the_whole_range(sizes, angles, count):
    x = [10.0**e * cmath.exp(1j * a) if k < count else 0j for k, (e, a) in enumerate(zip(sizes, angles, strict=True))]
    # mpmath's cancels by as much as they differ.
    with mp.workdps(1000):
        z = sorted(map(mpc, x), key=abs)
        want = complex(
            mpmath.sqrt(z[2]) / 2 if not z[1] else mpmath.elliprg(*(v / z[2] for v in z)) * mpmath.sqrt(z[2])
        )
    got = complex(special.elliprg(*map(sa.asarray, x)))
    assert abs(got - want) <= 16 * 2.0**-52 * abs(want), (x, got, want)


def test_integral_of_the_third_kind_with_conjugates():
    z = np.array([0.3 + 2j, 1 - 0.5j])
    p = np.array([-1 + 0.5j, -2 - 1j])
    with mp.workdps(40):
        want = [complex(mpmath.elliprj(1, mpc(a), mpc(a).conjugate(), mpc(b))) for a, b in zip(z, p, strict=True)]
    testing.assert_allclose(special.elliprj(1.0, sa.asarray(z), sa.asarray(z.conj()), sa.asarray(p)), want, rtol=1e-14)


def test_integral_of_the_third_kind_with_a_turned_parameter():
    x = [2.6079259610312584, 0.0, 1.5, 2.7242025330442177]
    y = [3.075607754173131, 1.0, 1.5, 11.531191294680287]
    z = [0.664808327749004, 2.0, 3.0, 35.863071388539865]
    p = [-0.3337544975494202 - 1.1343940930907772j, -5 + 1e-9j, -0.2 + 3j, -35.84510532542677 + 0.0002961519547218662j]
    with mp.workdps(30):
        want = [complex(mpmath.elliprj(*map(mpc, v))) for v in zip(x, y, z, p, strict=True)]
    args = [sa.asarray(np.array(v, complex)) for v in (x, y, z, p)]
    testing.assert_allclose(special.elliprj(*args), want, rtol=5e-15)
    check_grads(lambda p: special.elliprj(x[0], y[0], z[0], p), sa.asarray([p[0], p[2]]))
    # The principal value on the cut, without derivatives; nothing where the other arguments are not real
    real = [1.0, 2.0, 3.0, -0.5]
    testing.assert_allclose(
        special.elliprj(*[sa.asarray(v + 0j) for v in real]), special.elliprj(*map(sa.asarray, real)), rtol=0
    )
    assert np.isnan(np.asarray(sa.grad(lambda p: special.elliprj(1.0, 2.0, 3.0, p).real)(sa.asarray(-0.5 + 0j))))
    assert np.isnan(np.asarray(special.elliprj(1.0, 2.0, 3 + 1j, sa.asarray(-0.5 + 1j))))


@given(x=st.floats(-60, 60), y=st.floats(-20, 20), near=st.booleans())
def test_wrightomega(x, y, near):
    z = complex(x, y) if not near else complex(-1 + x * 1e-3, math.copysign(math.pi, y) + y * 1e-3)
    got = complex(np.asarray(special.wrightomega(sa.asarray(z))))
    with mp.workdps(60):
        at = mpc(z)
        branch = int(mpmath.ceil((at.imag - mpmath.pi) / (2 * mpmath.pi)))
        want = mpmath.lambertw(mpmath.exp(at), branch)
        bound = math.ulp(float(abs(want))) + 2.0**-52 * float(abs(at * want / (1 + want)))
        assert abs(mpc(got) - want) <= 4 * bound, (z, got, complex(want))


def test_wrightomega_at_the_edges():
    z = [complex(-INF, 0), complex(INF, 0), complex(-INF, 1), complex(-INF, 4), complex(NAN, 0), 1e300 + 1e300j]
    got = np.asarray(special.wrightomega(sa.asarray(z)))
    np.testing.assert_array_equal(got, scipy.special.wrightomega(z))
    check_grads(special.wrightomega, sa.asarray([0.3 + 0.2j, -2 + 3j, -2 + 4j, 5 - 9j]))


@pytest.mark.parametrize("name", ["xlogy", "xlog1py"])
def test_products_with_logarithms(name):
    f, peer = getattr(special, name), getattr(scipy.special, name)
    x = np.array([0, 0, 0, 2 - 1j, 1j, 1e-200j])
    y = np.array([0, -1 + 1j, complex(NAN, 0), 3 + 2j, -2 - 1e-9j, 1e-12 + 1e-13j])
    testing.assert_allclose(f(sa.asarray(x), sa.asarray(y)), peer(x, y), rtol=1e-14)
    check_grads(f, sa.asarray(x[3:]), sa.asarray([3 + 2j, -2 - 1j, 0.5j]))
