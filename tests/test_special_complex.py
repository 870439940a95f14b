"""Complex special functions, zeta functions and Voigt's profile against mpmath, with derivatives, cuts and limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
from mpmath import mp

import sciarray as sa
from sciarray import special, testing
from sciarray.testing import check_grads


def wofz(z: Any) -> Any:
    return mpmath.exp(-z * z) * mpmath.erfc(-1j * z)


def log_ndtr(z: Any) -> Any:
    return mpmath.log(mpmath.erfc(-z / mpmath.sqrt(2)) / 2)


# Name: reference, and the bound of the error in ulps of the magnitude plus eps |z f'|.
FUNCTIONS: dict[str, tuple[Callable[..., Any], float]] = {
    "wofz": (wofz, 4),
    "erf": (mpmath.erf, 4),
    "erfc": (mpmath.erfc, 4),
    "erfcx": (lambda z: wofz(1j * z), 4),
    "erfi": (mpmath.erfi, 4),
    "dawsn": (lambda z: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-z * z) * mpmath.erfi(z), 4),
    "fresnel_s": (mpmath.fresnels, 4),
    "fresnel_c": (mpmath.fresnelc, 4),
    "ndtr": (lambda z: mpmath.erfc(-z / mpmath.sqrt(2)) / 2, 4),
    "log_ndtr": (log_ndtr, 6),
    "loggamma": (mpmath.loggamma, 8),
    "gamma": (mpmath.gamma, 8),
    "rgamma": (mpmath.rgamma, 8),
    "digamma": (mpmath.digamma, 4),
    "zeta": (mpmath.zeta, 8),
    "exp1": (mpmath.e1, 4),
    "expi": (mpmath.ei, 4),
    "spence": (lambda z: mpmath.polylog(2, 1 - z), 4),
    "lambertw": (mpmath.lambertw, 4),
}


def points(seed: int, n: int = 12) -> np.ndarray:
    """The core, magnitudes from 1e-3 to 30 in all directions, and next to the real axis."""
    rng = np.random.default_rng(seed)
    core = rng.uniform(-3, 3, n) + 1j * rng.uniform(-3, 3, n)
    wide = 10 ** rng.uniform(-3, 1.3, n) * np.exp(1j * rng.uniform(-3.1, 3.1, n))
    low = rng.uniform(-8, 8, n) + 1j * 10 ** rng.uniform(-8, -1, n)
    return np.concatenate([core, wide, low])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives(name):
    reference, bound = FUNCTIONS[name]
    z = points(1)
    f = getattr(special, name)
    value, tangent = sa.jvp(f, (sa.asarray(z),), (sa.ones(len(z), dtype="complex128"),))
    with mp.workprec(300):
        for x, y, dy in zip(z, np.asarray(value), np.asarray(tangent), strict=True):
            at = mpmath.mpc(complex(x))
            expected = reference(at)
            h = mpmath.mpf(2) ** -80
            slope = (reference(at + h) - reference(at - h)) / (2 * h)
            bend = (reference(at + h) - 2 * expected + reference(at - h)) / h**2
            unit = math.ulp(float(abs(expected))) + 2.0**-52 * float(abs(at * slope))
            assert abs(mpmath.mpc(complex(y)) - expected) <= bound * unit, (x, y, complex(expected))
            assert abs(mpmath.mpc(complex(dy)) - slope) <= 1e-12 * (abs(slope) + abs(at * bend)), (
                x,
                dy,
                complex(slope),
            )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives(name):
    f = getattr(special, name)
    check_grads(f, sa.asarray(points(2, 2) * 0.5 + 0.3j))


@pytest.mark.parametrize(("name", "part"), [("sici", 0), ("sici", 1), ("shichi", 0), ("shichi", 1)])
def test_sine_and_cosine_integrals(name, part):
    z = points(3)

    def f(x: Any) -> Any:
        return getattr(special, name)(x)[part]

    testing.assert_allclose(f(sa.asarray(z)), getattr(scipy.special, name)(z)[part], rtol=1e-12)
    check_grads(f, sa.asarray(z[:6]))
    if part == 0:
        _, slope = sa.jvp(f, (sa.asarray([0j]),), (sa.asarray([1 + 0j]),))
        testing.assert_allclose(slope, [1.0], rtol=1e-15)


def test_branches_of_lambert():
    z = points(4)
    for k in (-3, -1, 0, 1, 2):
        w = special.lambertw(sa.asarray(z), k)
        testing.assert_allclose(w, scipy.special.lambertw(z, k), rtol=1e-13)
        check_grads(lambda x, k=k: special.lambertw(x, k), sa.asarray(z[:4]))
    # Both sides of the branch point, and a real argument of a branch that is complex.
    with mp.workprec(200):
        for step in (1e-12, -1e-12, 1e-5j, -1e-5j):
            x = complex(-1 / math.e + step)
            for k in (0, -1, 1):
                got = complex(np.asarray(special.lambertw(sa.asarray(x), k)))
                assert abs(got - complex(mpmath.lambertw(x, k))) <= 1e-15, (x, k)
    assert complex(np.asarray(special.lambertw(1.0, 1))) == pytest.approx(
        complex(scipy.special.lambertw(1.0, 1)), rel=1e-15, abs=0.0
    )
    assert special.lambertw(1.0).dtype.name == "float64"


def test_cuts_belong_to_the_side_of_the_zero():
    for name in ("exp1", "loggamma", "spence"):
        f = getattr(special, name)
        above = np.asarray(f(sa.asarray([complex(-2.5, 0.0), complex(-2.5, 1e-300)])))
        below = np.asarray(f(sa.asarray([complex(-2.5, -0.0), complex(-2.5, -1e-300)])))
        testing.assert_allclose(sa.asarray(above[:1]), above[1:], rtol=1e-15)
        testing.assert_allclose(sa.asarray(below), above.conj(), rtol=1e-15)


def test_limits():
    inf = math.inf
    z = sa.asarray([complex(inf, 0.0), complex(-inf, 0.0)])
    testing.assert_allclose(special.erf(z), [1.0, -1.0])
    testing.assert_allclose(special.erfc(z), [0.0, 2.0])
    testing.assert_allclose(special.wofz(z), [0.0, 0.0])
    assert np.isnan(np.asarray(special.wofz(complex(math.nan, 0.0)))).all()
    assert np.isnan(np.asarray(special.gamma(sa.asarray([0j, -3 + 0j])))).all()


def test_zeta():
    s = np.array([-30.5, -8.0, -2.5, -1e-9, 0.3, 0.5, 1 + 1e-9, 1.5, 4.0, 40.0])
    value, slope = sa.jvp(special.zeta, (sa.asarray(s),), (sa.ones(10),))
    with mp.workprec(200):
        testing.assert_allclose(value, [float(mpmath.zeta(x)) for x in s], rtol=1e-14, atol=1e-300)
        expected = [float(mpmath.diff(mpmath.zeta, x, h=mpmath.mpf(2) ** -60)) for x in s]
        testing.assert_allclose(slope, expected, rtol=1e-12)
    check_grads(special.zeta, sa.asarray([-6.3, -0.7, 0.2, 3.1]))
    check_grads(special.zeta, sa.asarray([1.3, 2.0, 7.5]), sa.asarray([0.4, 3.0, 40.0]))
    testing.assert_allclose(
        special.zeta(3.0, sa.asarray([-0.5, -2.0])), scipy.special.zeta(3.0, [-0.5, -2.0]), rtol=1e-14
    )
    with pytest.raises(NotImplementedError, match="zeta: the third derivative"):
        sa.grad(sa.grad(sa.grad(special.zeta)))(3.0)


def test_zeta_of_complex_arguments():
    z = np.array(
        [0.5 + 14.1j, 0.5 + 1000j, 0.3 - 60j, 1 + 1e-9j, 1e-15j, -2 + 1e-15j, -200 + 30j, -40.5 - 3j, 300 + 40j]
    )
    value, slope = sa.jvp(special.zeta, (sa.asarray(z),), (sa.ones(len(z), dtype="complex128"),))
    with mp.workprec(1000):
        exact = [mpmath.mpc(complex(x)) for x in z]
        testing.assert_allclose(value, [complex(mpmath.zeta(x)) for x in exact], rtol=3e-13)
        h = mpmath.mpf(2) ** -200
        slopes = [complex((mpmath.zeta(x + h) - mpmath.zeta(x - h)) / (2 * h)) for x in exact]
        testing.assert_allclose(slope, slopes, rtol=1e-12)
    check_grads(special.zeta, sa.asarray([0.5 + 14.1j, 1.3 - 0.2j, -3.2 + 5j, 0.01 - 0.02j]))
    np.testing.assert_array_equal(np.asarray(special.zeta(sa.asarray(z.conj()))), np.asarray(value).conj())
    # Zeros, the pole, what is out of range, and the limit to the right
    edges = np.array([-4 + 0j, 1 + 0j, complex(math.inf, 2), complex(-math.inf, 2), complex(0.5, math.inf)])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.asarray(special.zeta(sa.asarray(edges))), scipy.special.zeta(edges))
    far = np.asarray(special.zeta(sa.asarray([-294.86605461349745 + 13.992648136816397j])))
    np.testing.assert_array_equal(far, [complex(-math.inf, math.inf)])
    with pytest.raises(TypeError, match="zeta: complex numbers"):
        special.zeta(sa.asarray([2 + 1j]), 2.0)


def test_polygamma_between_the_integers():
    x = sa.asarray([0.3, 1.7, 20.0])
    # Continuous in the order, and shifted by a step of the argument: psi(n, x + 1) - psi(n, x) by Espinosa and Moll, (2.13).
    testing.assert_allclose(special.polygamma(2.0 + 1e-13, x), np.asarray(special.polygamma(2.0, x)), rtol=1e-11)
    check_grads(special.polygamma, sa.asarray([0.1, 0.5, 2.0]), x)
    with mp.workprec(150):
        n, at = mpmath.mpf(1.5), mpmath.mpf(1.7)
        f = lambda v: mpmath.rgamma(-v) * mpmath.zeta(v + 1, at)
        expected = mpmath.diff(f, n, h=mpmath.mpf(2) ** -40) + mpmath.euler * f(n)
    testing.assert_allclose(special.polygamma(1.5, 1.7), float(expected), rtol=1e-14)


def test_voigt_profile_in_its_corners():
    x, sigma, gamma = np.meshgrid([0.0, 1e-3, 1.0, 7.0, 1e3], [1e-3, 1.0, 50.0], [1e-10, 1e-3, 1.0, 30.0])
    with mp.workprec(300):
        f = np.vectorize(
            lambda x, s, g: float(
                mpmath.re(wofz(mpmath.mpc(x, g) / s / mpmath.sqrt(2))) / s / mpmath.sqrt(2 * mpmath.pi)
            )
        )
        expected = f(x, sigma, gamma)
    args = [sa.asarray(a) for a in (x, sigma, gamma)]
    testing.assert_allclose(special.voigt_profile(*args), expected, rtol=3e-14)
    # The limits: Cauchy's and the normal distribution, with gradients there.
    testing.assert_allclose(special.voigt_profile(2.0, 0.0, 1.0), 1 / (5 * math.pi), rtol=1e-15)
    testing.assert_allclose(special.voigt_profile(2.0, 1.0, 0.0), math.exp(-2) / math.sqrt(2 * math.pi), rtol=1e-15)
    slope = sa.grad(special.voigt_profile, 0)(2.0, 0.0, 1.0)
    testing.assert_allclose(slope, -4 / (25 * math.pi), rtol=1e-15)
    check_grads(
        special.voigt_profile, sa.asarray([0.3, 2.0, 9.0]), sa.asarray([1.0, 0.4, 0.5]), sa.asarray([0.2, 1.0, 0.1])
    )
