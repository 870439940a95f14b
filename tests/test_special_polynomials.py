"""Classical polynomials and the quadrature rules that belong to them."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
import scipy.special

import sciarray as sa
from sciarray import testing
from sciarray.special import _polynomials

FAMILIES = ["laguerre", "chebyc", "chebys", "sh_legendre", "sh_chebyt", "sh_chebyu"]
RULES: dict[str, tuple[float, ...]] = {
    "legendre": (),
    "sh_legendre": (),
    "jacobi": (0.5, 1.5),
    "gegenbauer": (1.25,),
    "chebyt": (),
    "chebyu": (),
    "laguerre": (),
    "genlaguerre": (1.5,),
    "hermite": (),
    "hermitenorm": (),
    "chebyc": (),
    "chebys": (),
    "sh_chebyt": (),
    "sh_chebyu": (),
    "sh_jacobi": (2.5, 1.5),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_composites_against_scipy(name):
    f, peer = getattr(sa.special, f"eval_{name}"), getattr(scipy.special, f"eval_{name}")
    x = np.linspace(-0.9, 1.9, 31)
    for n in (0, 1, 2, 9):
        testing.assert_allclose(f(n, sa.asarray(x)), peer(n, x), rtol=1e-12, atol=1e-12)
        testing.check_grads(lambda v, n=n: f(n, v), sa.asarray([0.2, 0.6]))


def test_exact_values():
    s = sa.special
    for n in range(12):
        # Odd polynomials vanish at 0 exactly.
        for f in (s.eval_legendre, s.eval_chebyt, s.eval_chebyu, s.eval_hermite, s.eval_hermitenorm):
            assert (float(f(n, sa.asarray(0.0))) == 0) == (n % 2 == 1)
        ends = sa.asarray([-1.0, 1.0])
        np.testing.assert_array_equal(np.asarray(s.eval_legendre(n, ends)), [(-1) ** n, 1])
        np.testing.assert_array_equal(np.asarray(s.eval_chebyt(n, ends)), [(-1) ** n, 1])
        np.testing.assert_array_equal(np.asarray(s.eval_chebyu(n, ends)), [(-1) ** n * (n + 1), n + 1])
    for f in (s.eval_legendre, s.eval_chebyt, s.eval_hermite):
        assert math.isnan(float(f(1.5, sa.asarray(0.3)))) and math.isnan(float(f(2, sa.asarray(math.nan))))


def test_gradients_in_the_parameters():
    a, b, x = sa.asarray([0.4, 1.5]), sa.asarray([2.0, 0.3]), sa.asarray([0.3, -0.6])
    for n in (0, 1, 5):
        testing.check_grads(lambda a, x, n=n: sa.special.eval_gegenbauer(n, a, x), a, x)
        testing.check_grads(lambda a, x, n=n: sa.special.eval_genlaguerre(n, a, x), a, x)
        testing.check_grads(lambda a, b, x, n=n: sa.special.eval_jacobi(n, a, b, x), a, b, x)
    with pytest.raises(NotImplementedError, match="eval_legendre: not differentiable in the degree n"):
        sa.grad(lambda n: sa.special.eval_legendre(n, 0.5))(sa.asarray(2.0))


@pytest.mark.parametrize("name", RULES)
def test_quadrature_rules(name):
    f, peer = getattr(sa.special, f"roots_{name}"), getattr(scipy.special, f"roots_{name}")
    args = RULES[name]
    for n in (1, 2, 3, 10, 50):
        x, w, total = f(n, *args, mu=True)
        expected = peer(n, *args, mu=True)
        testing.assert_allclose(x, expected[0], rtol=1e-12, atol=1e-13)
        testing.assert_allclose(w, expected[1], rtol=1e-10, atol=1e-290)
        testing.assert_allclose([total, np.sum(np.asarray(w))], [expected[2]] * 2, rtol=1e-13)
        assert len(f(n, *args)) == 2
    with pytest.raises(ValueError, match=f"roots_{name}: n must be a positive integer, got 0"):
        f(0, *args)


def test_spherical_harmonics():
    theta, phi = np.linspace(0, np.pi, 9), np.linspace(-3, 3, 9)
    for n in (0, 1, 4, 20):
        for m in {0, 1, -1, n, -n, n + 1, 3, -2}:
            got = sa.special.sph_harm_y(n, m, sa.asarray(theta), sa.asarray(phi))
            testing.assert_allclose(got, scipy.special.sph_harm_y(n, m, theta, phi), rtol=1e-12, atol=1e-14)
            x = np.cos(theta[1:-1])
            for norm in (False, True):
                got = sa.special.assoc_legendre_p(n, m, sa.asarray(x), norm=norm)
                expected = scipy.special.assoc_legendre_p(n, m, x, norm=norm)[0]
                testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-13 * (1 + np.abs(expected).max()))
    testing.check_grads(
        lambda t, p: sa.real(sa.special.sph_harm_y(4, 3, t, p)), sa.asarray([0.4, 2.0]), sa.asarray([1.0, 0.3])
    )
    with pytest.raises(TypeError, match="sph_harm_y: degree and order must be integers"):
        sa.special.sph_harm_y(1.5, 0, 0.1, 0.2)
    with pytest.raises(ValueError, match="sph_harm_y: the degree must not be negative, got -1"):
        sa.special.sph_harm_y(-1, 0, 0.1, 0.2)


def test_tables_of_legendre_functions():
    z, theta = np.linspace(-0.9, 0.9, 5), np.linspace(0.1, 3, 5)
    special, peer = sa.special, scipy.special
    testing.assert_allclose(
        special.legendre_p_all(6, sa.asarray(z)), peer.legendre_p_all(6, z)[0], rtol=1e-13, atol=1e-14
    )
    for norm in (False, True):
        got = special.assoc_legendre_p_all(4, 3, sa.asarray(z), norm=norm)
        testing.assert_allclose(got, peer.assoc_legendre_p_all(4, 3, z, norm=norm)[0], rtol=1e-12, atol=1e-12)
    got = special.sph_legendre_p_all(4, 3, sa.asarray(theta))
    testing.assert_allclose(got, peer.sph_legendre_p_all(4, 3, theta)[0], rtol=1e-12, atol=1e-14)
    got = special.sph_harm_y_all(4, 3, sa.asarray(theta), 0.3)
    testing.assert_allclose(got, peer.sph_harm_y_all(4, 3, theta, 0.3), rtol=1e-12, atol=1e-14)
    with pytest.raises(ValueError, match="sph_harm_y_all: n and m must not be negative, got 2 and -1"):
        special.sph_harm_y_all(2, -1, 0.1, 0.2)


def test_ferrers_functions_of_real_degree():
    x = np.linspace(-0.95, 0.95, 9)
    for m in (0, 1, 2, 5, -1, -3):
        for v in (0.3, 2.5, -0.3, -2.5, 3.0, 12.25):
            expected = scipy.special.lpmv(m, v, x)
            testing.assert_allclose(sa.special.lpmv(m, v, sa.asarray(x)), expected, rtol=1e-11, atol=1e-11)
    testing.check_grads(lambda v, x: sa.special.lpmv(2, v, x), sa.asarray(2.25), sa.asarray(0.3))
    testing.check_grads(lambda p, q, x: sa.special.eval_sh_jacobi(3, p, q, x), *map(sa.asarray, (2.5, 1.5, 0.3)))
    testing.assert_allclose(
        sa.special.eval_sh_jacobi(4, 2.5, 1.5, sa.asarray(0.3)),
        scipy.special.eval_sh_jacobi(4, 2.5, 1.5, 0.3),
        rtol=1e-13,
    )


def test_rules_refuse_weights_without_an_integral():
    with pytest.raises(ValueError, match="roots_jacobi: alpha and beta must exceed -1"):
        sa.special.roots_jacobi(3, -1.0, 0.0)
    with pytest.raises(ValueError, match="roots_genlaguerre: alpha must exceed -1"):
        sa.special.roots_genlaguerre(3, -1.5)
    with pytest.raises(ValueError, match="roots_gegenbauer: alpha must exceed -1/2"):
        sa.special.roots_gegenbauer(3, -0.5)


def test_examples_run():
    results = doctest.testmod(_polynomials, extraglobs={"sa": sa}, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted and not results.failed
