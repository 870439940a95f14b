"""Bessel functions, integrals and elliptic functions: edges, composites over several rows, derivatives in the order.

Accuracy over wide domains is measured by tests/accuracy/check_bessel.py.
"""

from __future__ import annotations

import doctest
import math
from typing import Any

import measure
import mpmath
import numpy as np
import pytest
import scipy.special

import sciarray as sa
from sciarray import testing
from sciarray.special import _bessel, _integrals

INF, NAN = math.inf, math.nan


def check(f: Any, cases: list[tuple[Any, ...]]) -> None:
    """Each case is the arguments and the expected value, signs of zeros included."""
    for *args, want in cases:
        got = float(f(*[sa.asarray(float(a)) for a in args]))
        same = math.isnan(got) if math.isnan(want) else got == want and math.copysign(1, got) == math.copysign(1, want)
        assert same, (f.__name__, args, got, want)


def test_orders_zero_and_one_at_the_edges():
    s = sa.special
    check(s.j0, [(0, 1), (INF, 0), (-INF, 0), (NAN, NAN)])
    check(s.j1, [(-0.0, -0.0), (INF, 0), (-INF, -0.0)])
    for f in (s.y0, s.y1):
        check(f, [(0, -INF), (INF, 0), (-1, NAN), (NAN, NAN)])
    check(s.i0, [(INF, INF), (-INF, INF)])
    check(s.i1, [(-0.0, -0.0), (INF, INF), (-INF, -INF)])
    for f in (s.k0, s.k1, s.k0e, s.k1e):
        check(f, [(0, INF), (INF, 0), (-1, NAN)])
    # The phase of an argument that is huge.
    with mpmath.workdps(340):
        expected = float(
            mpmath.cos(mpmath.mpf(1e300) - mpmath.pi / 4) * mpmath.sqrt(2 / (mpmath.pi * mpmath.mpf(1e300)))
        )
    testing.assert_allclose(s.j0(sa.asarray([1e300])), [expected], rtol=1e-14)


def test_real_orders_at_the_edges():
    s = sa.special
    check(
        s.jv,
        [
            (0, 0, 1),
            (0.5, 0, 0),
            (-0.5, 0, INF),
            (-1.5, 0, -INF),
            (2, INF, 0),
            (0.5, -1, NAN),
            (NAN, 1, NAN),
            (1, NAN, NAN),
        ],
    )
    check(s.yv, [(0, 0, -INF), (0.5, INF, 0), (0.5, -1, NAN), (1, 5e-324, -INF)])
    check(s.iv, [(0, 0, 1), (0.5, 0, 0), (0.5, INF, INF), (0.5, -1, NAN), (1, -INF, -INF)])
    check(s.kv, [(0.5, 0, INF), (0.5, INF, 0), (0.5, -1, NAN), (1, 5e-324, INF)])
    x = sa.asarray([0.5, 3.0, 30.0])
    for n in (1, 2, 3):
        testing.assert_allclose(s.jv(-n, x), (-1) ** n * np.asarray(s.jv(n, x)), ulps=0)
        testing.assert_allclose(s.jv(n, -x), (-1) ** n * np.asarray(s.jv(n, x)), ulps=0)
        testing.assert_allclose(s.iv(-n, x), np.asarray(s.iv(n, x)), ulps=4)
    testing.assert_allclose(s.kv(-2.7, x), np.asarray(s.kv(2.7, x)), ulps=0)
    # An underflow and an overflow, not a NaN.
    assert float(s.jv(400.0, sa.asarray(0.1))) == 0 and float(s.yv(400.0, sa.asarray(0.1))) == -INF
    assert float(s.iv(400.0, sa.asarray(0.1))) == 0 and float(s.kv(400.0, sa.asarray(0.1))) == INF


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv", "ive", "kve"])
def test_derivatives_in_the_order(name):
    """First and second, against differences of mpmath's functions at high precision."""
    exact = {"j": mpmath.besselj, "y": mpmath.bessely, "i": mpmath.besseli, "k": mpmath.besselk}[name[0]]
    scale = {"ive": lambda x: mpmath.exp(-x), "kve": mpmath.exp}.get(name, lambda x: 1)
    f = getattr(sa.special, name)
    orders = np.array([0.0, 0.3, 1.0, -1.6, 2.5, 12.0, 7.25])
    x = np.array([1.3, 0.2, 8.0, 4.4, 60.0, 3.0, 25.0])
    one = sa.ones(len(x))
    points = sa.asarray(x)

    def first(v):
        return sa.jvp(lambda v: f(v, points), (v,), (one,))[1]

    second = sa.jvp(first, (sa.asarray(orders),), (one,))[1]
    got = [np.asarray(first(sa.asarray(orders))), np.asarray(second)]
    with mpmath.workdps(80):
        for k, (v, z) in enumerate(zip(orders, x)):
            g = lambda t, z=z: scale(mpmath.mpf(z)) * exact(t, mpmath.mpf(z))
            for order in (1, 2):
                want = mpmath.diff(g, mpmath.mpf(v), order, h=mpmath.mpf(10) ** -20)
                size = abs(want) + abs(g(mpmath.mpf(v))) * 0.1
                assert abs(mpmath.mpf(float(got[order - 1][k])) - want) < 1e-12 * size, (order, v, z)


def test_exponential_integrals_at_the_edges():
    check(
        sa.special.expn,
        [
            (0, 0, INF),
            (1, 0, INF),
            (0.5, 0, INF),
            (1.5, 0, 2),
            (3, -0.0, 0.5),
            (2.5, INF, 0),
            (INF, 1, 0),
            (INF, INF, 0),
            (1.5, -1, NAN),
            (-0.5, 1, NAN),
            (-1, 1, NAN),
            (NAN, 1, NAN),
            (1.5, NAN, NAN),
            (0.5, 800, 0),
            (0, 5e-324, INF),
        ],
    )
    # An overflow to its sign, not a NaN
    slope = lambda n, x: sa.grad(sa.special.expn)(n, x)
    check(slope, [(0, 1e-310, -INF), (1.5, 0, -4), (1.5, NAN, NAN), (INF, 1, 0)])
    for n, x, want in ((0, 1e-310, INF), (1.5, 0, 16)):
        assert float(sa.grad(slope)(sa.asarray(float(n)), sa.asarray(x))) == want
    with pytest.raises(NotImplementedError, match="expn: the third derivative in the order is not available"):
        sa.grad(sa.grad(slope))(sa.asarray(1.5), sa.asarray(2.0))


# At integers, next to them, between them, where the ways change, and where one comes down from higher orders for slopes in x
EXPN_ORDERS = [0.0, 1e-20, 0.25, 0.5, 1 - 2.0**-53, 1.0, 1 + 1e-12, 1.75, 2.0, 23.5, 24.5, 1000.25]
EXPN_POINTS = [1e-300, 1e-9, 0.5614594835668851, 0.999, 1.0, 40.0]


def expint(p: Any, x: Any) -> Any:
    """DLMF 8.19.10 between the integers, where mpmath's function takes long next to them."""
    term, total, k = mpmath.mpf(1), mpmath.mpf(0), 0
    while abs(term) > mpmath.mpf(2) ** -mpmath.mp.prec:
        total += term / (1 - p + k)
        k += 1
        term *= -x / k
    return mpmath.gamma(1 - p) * x ** (p - 1) - total


def in_order(p: float, x: float, up: int, down: int) -> Any:
    """A derivative of ``(-1)**down E_{p - down}(x)`` in the order, by differences of a part of the digits."""
    with mpmath.workprec(500):
        h = mpmath.mpf(2) ** -60
        steps = ((h**2,), (-1, 1), (-1, h**2, 1))[up]
        f = [expint(mpmath.mpf(p) - down + t * h, mpmath.mpf(x)) for t in steps]
        change = f[0] if up == 0 else (f[-1] - f[0]) / 2 if up == 1 else f[0] - 2 * f[1] + f[2]
        return (-1) ** down * change / h**up


@pytest.mark.parametrize(("up", "down"), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)])
def test_exponential_integrals_of_real_order(up, down):
    n, x = (v.ravel() for v in np.meshgrid(EXPN_ORDERS, EXPN_POINTS))
    f = sa.special.expn
    for i in (0,) * up + (1,) * down:
        f = lambda n, x, f=f, i=i: sa.jvp(f, (n, x), tuple(sa.ones_like(n) * (i == k) for k in (0, 1)))[1]
    got = np.asarray(f(sa.asarray(n), sa.asarray(x)))
    for p, z, value in zip(n.tolist(), x.tolist(), got.tolist(), strict=True):
        want = in_order(p, z, up, down)
        if abs(want) > 1.7e308:
            assert value == math.copysign(INF, want), (p, z)
            continue
        # What rounding the order does to the power of x
        error = abs(value - want) / abs(want)
        assert error < (1e-12 if up or down else 2e-15 * (1 + p * abs(math.log(z)))), (p, z, value, float(error))


@pytest.mark.parametrize("name", ["sici", "shichi", "airy"])
def test_tuples_against_scipy(name):
    x = np.concatenate([np.linspace(0.1, 12, 40), [1e-8]])
    expected = getattr(scipy.special, name)(x)
    got = getattr(sa.special, name)(sa.asarray(x))
    for y, want in zip(got, expected, strict=True):
        testing.assert_allclose(y, want, rtol=2e-12, atol=1e-14)
    for i in range(len(got)):
        testing.check_grads(lambda v, i=i: getattr(sa.special, name)(v)[i], sa.asarray([0.7, 2.3, 5.0]))
    narrow = getattr(sa.special, name)(sa.asarray(x, dtype="float32"))
    assert {y.dtype.name for y in narrow} == {"float32"}


def test_airy_functions():
    x = np.linspace(-20, 8, 60)
    for y, want in zip(sa.special.airy(sa.asarray(x)), scipy.special.airy(x), strict=True):
        testing.assert_allclose(y, want, rtol=2e-12, atol=1e-13)
    for y, want in zip(sa.special.airye(sa.asarray(x)), scipy.special.airye(x), strict=True):
        testing.assert_allclose(y, want, rtol=2e-12, atol=1e-13)
    ends = [np.asarray(y) for y in sa.special.airy(sa.asarray([-INF, INF]))]
    np.testing.assert_array_equal(ends, [[0, 0], [NAN, 0], [0, INF], [NAN, INF]])


def test_jacobi_elliptic_functions():
    u, m = np.meshgrid(np.linspace(-4, 4, 9), [0.0, 1e-9, 0.3, 0.9, 1.0])
    sn, cn, dn, ph = (np.asarray(y) for y in sa.special.ellipj(sa.asarray(u), sa.asarray(m)))
    testing.assert_allclose(sn**2 + cn**2, np.ones_like(u), rtol=1e-14)
    testing.assert_allclose(dn**2 + m * sn**2, np.ones_like(u), rtol=1e-14)
    # F(am(u), m) = u
    testing.assert_allclose(sa.special.ellipkinc(sa.asarray(ph[:4]), sa.asarray(m[:4])), u[:4], rtol=1e-13, atol=1e-14)
    for y, want in zip((sn, cn, dn), (np.tanh(u[4]), 1 / np.cosh(u[4]), 1 / np.cosh(u[4]))):
        testing.assert_allclose(y[4], want, ulps=2)
    assert np.isnan(np.asarray(sa.special.ellipj(1.0, sa.asarray([-0.1, 1.1])).sn)).all()
    for i in range(4):
        testing.check_grads(
            lambda u, m, i=i: sa.special.ellipj(u, m)[i], sa.asarray([0.7, 2.1, -1.3]), sa.asarray([0.2, 0.6, 0.9])
        )


def test_elliptic_integrals_at_the_edges():
    s = sa.special
    check(s.ellipk, [(1, INF), (-INF, 0), (2, NAN), (INF, NAN)])
    check(s.ellipe, [(1, 1), (-INF, INF), (2, NAN)])
    check(s.ellipkinc, [(0, 0.5, 0), (-0.0, 0.5, -0.0), (INF, 0.5, INF), (1, 2, NAN), (1, -INF, 0), (2, 1, INF)])
    check(s.ellipeinc, [(0, 0.5, 0), (INF, 0.5, INF), (1, 2, NAN), (1, -INF, INF)])
    check(s.elliprf, [(0, 0, 1, INF), (INF, 1, 1, 0), (-1, 1, 1, NAN), (1, 1, 1, 1)])
    check(s.elliprc, [(1, 0, NAN), (1, INF, 0), (-1, 1, NAN), (4, 4, 0.5)])
    check(s.elliprd, [(0, 0, 1, INF), (1, 1, 0, INF), (1, 1, INF, 0), (4, 4, 4, 0.125)])
    check(s.elliprg, [(0, 0, 4, 1), (0, 0, 0, 0), (INF, 1, 1, INF), (1, 1, 1, 1)])
    # Sums and products out of range
    big = [
        (1e300, 2e300, 3e300),
        (1.7e308, 1.7e308, 1.7e308),
        (0, 1e-300, 1e-300),
        (1e300, 1e300, 1),
        (1, 1e300, 1e-200),
    ]
    for name in ("elliprf", "elliprd", "elliprg"):
        want = [float(getattr(mpmath, name)(*map(mpmath.mpf, x))) for x in big]
        testing.assert_allclose(getattr(s, name)(*map(sa.asarray, np.array(big).T)), want, rtol=1e-15, atol=1e-310)
    check(s.elliprj, [(1, 1, 1, 0, INF), (1, 1, 1, INF, 0), (-1, 1, 1, 1, NAN)])
    # Principal values
    testing.assert_allclose(s.elliprc(1.0, sa.asarray(-2.0)), scipy.special.elliprc(1.0, -2.0), ulps=20)
    testing.assert_allclose(
        s.elliprj(1.0, 2.0, 3.0, sa.asarray(-1.5)), scipy.special.elliprj(1.0, 2.0, 3.0, -1.5), rtol=1e-13
    )


@pytest.mark.parametrize("x", [(1.0, 2.0, 3.0, -1.5), (5.0, 0.25, 2.0, -40.0), (2.0, 2.0, 0.5, -0.125)])
def test_principal_values_of_carlsons_third_integral_have_derivatives(x):
    args = [sa.asarray([v]) for v in x]
    testing.check_grads(sa.special.elliprj, *args, order=2)

    def exact(*x):
        low, middle, high = sorted(x[:3])
        q = -x[3]
        gap = (high - middle) * (middle - low) / (middle + q)
        sum, product = low * high, (middle + gap) * q
        root = mpmath.sqrt(sum * middle / (sum + product))
        rest = root * mpmath.elliprc(sum + product, product) - mpmath.elliprf(low, middle, high)
        return (gap * mpmath.elliprj(low, middle, high, middle + gap) + 3 * rest) / (middle + q)

    # Beside equal arguments the order changes, the function does not.
    with mpmath.workdps(60):
        for which in ((3,), (0,), (1,), (3, 3), (0, 3), (1, 2), (2, 2)):
            orders = [which.count(i) for i in range(4)]
            want = mpmath.diff(exact, tuple(map(mpmath.mpf, x)), tuple(orders))
            got = float(np.asarray(measure.slope(sa.special.elliprj, args, which))[0])
            assert got == pytest.approx(float(want), rel=1e-13, abs=0.0), (which, got, want)


@pytest.mark.parametrize("name", ["y0_zeros", "y1_zeros", "y1p_zeros"])
def test_complex_zeros(name):
    z, value = getattr(sa.special, name)(12, complex=True)
    places, values = scipy.special.__dict__[name](12, complex=True)
    # SciPy has nine digits, and returns Y1 for the slope of Y0.
    np.testing.assert_allclose(z, places, rtol=1e-8)
    np.testing.assert_allclose(value, -values if name == "y0_zeros" else values, rtol=1e-7)
    with mpmath.workdps(30):
        order = int(name[1])
        for at, slope in zip(np.asarray(z), np.asarray(value), strict=True):
            prime = name == "y1p_zeros"
            root = mpmath.findroot(lambda t: mpmath.bessely(order, t, derivative=int(prime)), mpmath.mpc(at))
            assert abs(at - complex(root)) <= 1e-15 * abs(at)
            assert abs(slope - complex(mpmath.bessely(order, root, derivative=int(not prime)))) <= 1e-14 * abs(slope)


def test_lambert_w():
    s = sa.special
    e = math.exp(-1)
    check(s.lambertw, [(0, 0), (-0.0, -0.0), (INF, INF), (-1, NAN), (NAN, NAN)])
    check(lambda z: s.lambertw(z, -1), [(0, -INF), (0.1, NAN), (-1, NAN)])
    near = np.array([-e, -e * (1 - 1e-12), -e * (1 - 1e-6), -0.3])
    with mpmath.workdps(40):
        for k in (0, -1):
            # The double nearest to -1/e lies left of the branch point, and counts as it.
            expected = [float(mpmath.lambertw(mpmath.mpf(z), k).real) for z in near]
            testing.assert_allclose(s.lambertw(sa.asarray(near), k), expected, ulps=2)
    testing.check_grads(s.lambertw, sa.asarray([-0.2, 0.0, 0.5, 30.0]))
    testing.check_grads(lambda z: s.lambertw(z, -1), sa.asarray([-0.3, -0.1, -1e-3]))
    testing.assert_allclose(s.lambertw(sa.asarray([1.0]), 1), scipy.special.lambertw([1.0], 1), rtol=1e-14)
    z, k = np.array([-0.2, 1.0, 5.0]), np.array([[0], [-1], [3]])
    testing.assert_allclose(s.lambertw(z, k, 1e-3), scipy.special.lambertw(z, k), rtol=1e-13)
    assert s.lambertw(np.float32([1.0]), [0, 1]).dtype == sa.complex64
    with pytest.raises(TypeError, match="lambertw: k must be an integer or an array of integers, got dtype float64"):
        s.lambertw(1.0, [0.5])


@pytest.mark.parametrize("kind", "jyik")
def test_spherical_functions(kind):
    name = f"spherical_{kind}n"
    f, peer = getattr(sa.special, name), getattr(scipy.special, name)
    x = np.linspace(0.4, 30, 25)
    for n in (0, 1, 2, 7):
        for derivative in (False, True):
            testing.assert_allclose(f(n, sa.asarray(x), derivative), peer(n, x, derivative), rtol=1e-11, atol=1e-15)
        testing.assert_allclose(f(n, sa.asarray(-x)), peer(n, -x), rtol=1e-11, atol=1e-13)
    testing.check_grads(lambda z: f(3, z), sa.asarray([0.5, 2.0, 9.0]))
    assert math.isnan(float(f(0.5, sa.asarray(1.0)))) and math.isnan(float(f(-1, sa.asarray(1.0))))


def test_small_spherical_values_have_gradients_at_zero():
    for n, slopes in enumerate([(0.0, -1 / 3), (1 / 3, 0.0), (0.0, 2 / 15)]):
        f = lambda z, n=n: sa.special.spherical_jn(n, z)
        first = sa.grad(f)(sa.asarray(0.0))
        second = sa.grad(sa.grad(f))(sa.asarray(0.0))
        testing.assert_allclose([float(first), float(second)], slopes, ulps=4)


def test_hankel_functions_and_derivatives():
    x = np.array([0.5, 2.0, 15.0])
    for name in ("hankel1", "hankel2", "hankel1e", "hankel2e"):
        testing.assert_allclose(
            getattr(sa.special, name)(0.75, sa.asarray(x)), getattr(scipy.special, name)(0.75, x), rtol=1e-13
        )
    for name in ("jvp", "yvp", "ivp", "kvp"):
        for n in (0, 1, 2, 3):
            testing.assert_allclose(
                getattr(sa.special, name)(0.75, sa.asarray(x), n), getattr(scipy.special, name)(0.75, x, n), rtol=1e-12
            )
    with pytest.raises(ValueError, match="jvp: the number of derivatives must not be negative, got -1"):
        sa.special.jvp(0, sa.asarray([1.0]), -1)


def test_hankel_functions_left_of_zero_are_those_above_the_cut():
    rng = np.random.default_rng(3)
    v, z = rng.uniform(-8, 8, 300), rng.uniform(-30, 5, 300)
    v[::4], v[1::4] = np.round(v[::4]), np.round(v[1::4]) + 0.5
    for name in ("hankel1", "hankel2", "hankel1e", "hankel2e"):
        f = getattr(sa.special, name)
        testing.assert_allclose(f(v, sa.asarray(z)), getattr(scipy.special, name)(v, z), rtol=1e-11)
        testing.assert_allclose(sa.record(f)(sa.asarray(v), sa.asarray(z)), f(v, sa.asarray(z)), rtol=1e-14)
    for name in ("h1vp", "h2vp"):
        f, peer = getattr(sa.special, name), getattr(scipy.special, name)
        for n in (0, 1, 2):
            testing.assert_allclose(f(v[::4], sa.asarray(z[::4]), n), peer(v[::4], z[::4] + 0j, n), rtol=1e-10)
    value = sa.special.hankel1(-0.766735510274243, sa.asarray(-4.161287063181592))
    testing.assert_allclose(value, 0.23475728068090515 + 0.31508762907691445j, rtol=1e-14)
    assert sa.special.hankel1(2, sa.asarray([-3, 2], dtype="float32")).dtype == sa.complex64
    assert complex(sa.special.hankel1(2, sa.asarray(-1e-200))) == complex(0.0, -np.inf)

    def parts(v, z):
        return sa.real(sa.special.hankel2(v, z)) + sa.imag(sa.special.hankel1e(v, z))

    testing.check_grads(parts, sa.asarray([0.7, 0.7, -1.0]), sa.asarray([-2.3, 1.5, -6.0]))


@pytest.mark.parametrize("name", ["jn_zeros", "jnp_zeros", "yn_zeros", "ynp_zeros"])
@pytest.mark.parametrize("n", [0, 1, 6, 40])
def test_zeros(name, n):
    testing.assert_allclose(getattr(sa.special, name)(n, 12), getattr(scipy.special, name)(n, 12), rtol=1e-14)
    with pytest.raises(ValueError, match=f"{name}: n must not be negative and nt must be positive"):
        getattr(sa.special, name)(n, 0)


@pytest.mark.parametrize("nt", [1, 2, 5, 6, 50, 1200])
def test_zeros_of_all_orders(nt):
    got = [np.asarray(part) for part in sa.special.jnjnp_zeros(nt)]
    want = np.stack(scipy.special.jnjnp_zeros(1200), 1)
    # SciPy has the zeros that J_1 and J_0' share in either order.
    want = want[np.lexsort((want[:, 3], want[:, 0].round(9)))][:nt]
    testing.assert_allclose(got[0], want[:, 0], rtol=1e-14)
    assert np.array_equal(np.stack(got[1:], 1), want[:, 1:])
    assert [part.dtype for part in got] == [np.float64, np.int32, np.int32, np.int32]


def test_zeros_of_all_orders_beyond_scipy():
    zeros, n, m, kind = (np.asarray(part) for part in sa.special.jnjnp_zeros(2000))
    assert len(zeros) == 2000 and (np.diff(zeros) >= 0).all()
    at = np.flatnonzero((n == 7) & (kind == 0))
    assert np.array_equal(m[at], np.arange(1, len(at) + 1))
    testing.assert_allclose(zeros[at], scipy.special.jn_zeros(7, len(at)), rtol=1e-14)
    with pytest.raises(ValueError, match="jnjnp_zeros: nt must be positive, got nt = 0"):
        sa.special.jnjnp_zeros(0)


@pytest.mark.parametrize("module", [_bessel, _integrals], ids=lambda m: m.__name__)
def test_examples_run(module):
    flags = doctest.NORMALIZE_WHITESPACE
    results = doctest.testmod(module, extraglobs={"sa": sa}, optionflags=flags)
    assert results.attempted and not results.failed


def test_spherical_kn_left_of_zero():
    n = np.array([50.0, 41.0, 17.0, 0.0, 60.0, 3.0])
    x = np.array([-25.98925511896544, -41.0910246392716, -12.5, -2.0, -0.5, -700.0])

    def exact(n: float, x: float) -> float:
        """DLMF 10.49.12."""
        n, x = int(n), mpmath.mpf(x)
        terms = [
            mpmath.factorial(n + k) / (mpmath.factorial(k) * mpmath.factorial(n - k) * (2 * x) ** k)
            for k in range(n + 1)
        ]
        return float(mpmath.pi / 2 * mpmath.exp(-x) / x * mpmath.fsum(terms))

    with mpmath.workdps(60):
        want = [exact(*at) for at in zip(n, x, strict=True)]
    np.testing.assert_allclose(np.asarray(sa.special.spherical_kn(n, x)), want, rtol=1e-14)
