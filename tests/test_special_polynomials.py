"""Classical polynomials and the quadrature rules that belong to them."""

from __future__ import annotations

import doctest
import math
from collections.abc import Callable
from typing import Any

import mpmath
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
    assert math.isnan(float(s.eval_hermite(1.5, sa.asarray(0.3))))
    for f in (s.eval_legendre, s.eval_chebyt, s.eval_chebyu, s.eval_hermite):
        assert math.isnan(float(f(2, sa.asarray(math.nan)))) and math.isnan(float(f(math.nan, sa.asarray(0.3))))


def test_gradients_in_the_parameters():
    a, b, x = sa.asarray([0.4, 1.5]), sa.asarray([2.0, 0.3]), sa.asarray([0.3, -0.6])
    for n in (0, 1, 5):
        testing.check_grads(lambda a, x, n=n: sa.special.eval_gegenbauer(n, a, x), a, x)
        testing.check_grads(lambda a, x, n=n: sa.special.eval_genlaguerre(n, a, x), a, x)
        testing.check_grads(lambda a, b, x, n=n: sa.special.eval_jacobi(n, a, b, x), a, b, x)
    with pytest.raises(NotImplementedError, match="eval_hermite: not differentiable in the degree n"):
        sa.grad(lambda n: sa.special.eval_hermite(n, 0.5))(sa.asarray(2.0))


FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "legendre": (mpmath.legendre, 0),
    "chebyt": (mpmath.chebyt, 0),
    "chebyu": (mpmath.chebyu, 0),
    "gegenbauer": (mpmath.gegenbauer, 1),
    "genlaguerre": (mpmath.laguerre, 1),
    "jacobi": (mpmath.jacobi, 2),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_real_degrees_against_mpmath(name):
    exact, count = FUNCTIONS[name]
    rng = np.random.default_rng(5)
    size = 150
    n = np.concatenate([rng.uniform(-3, 8, size // 2), rng.uniform(8, 35, size - size // 2)])
    parameters = [rng.uniform(0.1, 4, size) for _ in range(count)]
    x = rng.uniform(0, 30, size) if name == "genlaguerre" else rng.choice([1, 4], size) * rng.uniform(-0.9, 1, size)
    x = np.where(x < -1, 1.5, x)
    got = np.asarray(getattr(sa.special, f"eval_{name}")(*map(sa.asarray, (n, *parameters, x))))
    for point in zip(n, *parameters, x, got, strict=True):
        *args, value = map(float, point)
        with mpmath.workdps(50):
            at = list(map(mpmath.mpf, args))
            want = mpmath.re(exact(*at))
            step = mpmath.mpf(10) ** -20
            scale = abs(want)
            for i, v in enumerate(at):
                moved = [*at[:i], v - step, *at[i + 1 :]]
                scale += abs(v * (mpmath.re(exact(*moved)) - want) / step)
            assert abs(value - want) <= 16 * 2.0**-52 * scale, (args, value, float(want))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_degrees_between_integers_follow_scipy(name):
    f, peer = getattr(sa.special, f"eval_{name}"), getattr(scipy.special, f"eval_{name}")
    parameters = (0.7, 1.25)[: FUNCTIONS[name][1]]
    x = np.linspace(-0.9, 3, 14)
    for n in (-2.5, -0.5, 0.5, 1.5, 6.25):
        for argument in (x, x + 0.3j):
            expected = peer(n, *parameters, argument)
            testing.assert_allclose(f(n, *parameters, sa.asarray(argument)), expected, rtol=1e-8)
    if name != "genlaguerre":
        # The cut
        assert float(f(1.5, *parameters, sa.asarray(-2.0))) == math.inf == peer(1.5, *parameters, -2.0)
    # Both sides of an integer meet there, from where on another way is taken.
    for n in (0, 3, 12):
        near = [float(f(n + e, *parameters, sa.asarray(0.4))) for e in (-1e-13, 0.0, 1e-13)]
        np.testing.assert_allclose(near, near[1], rtol=1e-10, atol=1e-11)


def test_legendre_functions_far_out():
    """By two solutions that are infinite at every half degree; the first degrees end next to where a climb begins."""
    n = [0.5, 0.5 + 1e-14, 0.49999999692376723, -0.5, 1e-9 - 0.5, 0.25, 0.249, 1.5 - 1e-12, 20.75, 39.3, 1e-20, -1e-20]
    x = [2.5, 2.6, 7.0, 40.0, 79.0, 120.0, 1e4, 1e300]
    for v in n:
        got = np.asarray(sa.special.eval_legendre(v, sa.asarray(x)))
        for z, value in zip(x, got, strict=True):
            # A negligible distance from the poles of the referee's formula
            with mpmath.workdps(60):
                want = mpmath.legenp(mpmath.mpf(v) + mpmath.mpf(10) ** -25, 0, z, type=3)
                units = 4 * (1 + abs(v) + abs(v * mpmath.log(z)))
                assert value == float(want) or abs(value - want) <= units * 2.0**-52 * want, (v, z, value, want)
    testing.check_grads(lambda v, x: sa.special.eval_legendre(v, x), *map(sa.asarray, (2.25, 40.0)))


def test_polynomials_too_large_are_infinite():
    f = sa.special
    functions = (
        f.eval_legendre,
        f.eval_hermite,
        f.eval_hermitenorm,
        lambda n, x: f.eval_gegenbauer(n, 1.3, x),
        lambda n, x: f.eval_jacobi(n, 0.3, 0.6, x),
        lambda n, x: f.eval_genlaguerre(n, 0.3, -x),
    )
    for value in functions:
        for n, sign in ((200, 1), (201, -1)):
            for x in (1e10, math.inf):
                assert [float(value(n, sa.asarray(v))) for v in (x, -x)] == [math.inf, sign * math.inf]
    assert math.isnan(float(f.eval_gegenbauer(200, math.nan, sa.asarray(1e10))))


def test_negative_degrees():
    # C of degree -n - 2a is that of degree n, with the other sign where 2a is even; P of degree -n - 1 that of n
    f, x = sa.special, sa.asarray(np.linspace(-0.9, 0.9, 7))
    # A degree that is no integer has no parity (mpmath)
    testing.assert_allclose(f.eval_gegenbauer(-0.5, 0.75, sa.asarray(-0.3)), 0.9546207919926379, rtol=1e-14)
    for n in range(5):
        for a in (0.5, 1.0, 1.5, 2.0, 2.5):
            sign = 1.0 if 2 * a % 2 else -1.0
            got, want = f.eval_gegenbauer(-n - 2.0 * a, a, x), f.eval_gegenbauer(float(n), a, x)
            testing.assert_allclose(got, sign * np.asarray(want), rtol=1e-14, atol=1e-15)
        slopes = [sa.grad(lambda x, d=d: sa.sum(f.eval_legendre(d, x)))(x) for d in (float(n), -n - 1.0)]
        testing.assert_allclose(slopes[1], slopes[0], rtol=1e-14, atol=1e-15)


def test_jacobi_where_the_recurrence_divides_by_zero():
    # mpmath's values; SciPy gives 0.0085 and -0.00135
    f = sa.special.eval_jacobi
    testing.assert_allclose(f(5, -5.000000000000602, 3.0, 1.4189982248209057), 0.02259950691337013, rtol=1e-12)
    testing.assert_allclose(f(5, 3.7090887177860946e-05, -4.0, -1.2457517276946115), -0.0013079511390804313, rtol=1e-11)


def jacobi_sum(n: int, a: Any, b: Any, x: Any) -> Any:
    """DLMF 18.5.7, which has no case of its own for any parameters."""
    w, upper, lower, total = (x - 1) / 2, [mpmath.mpf(1)], mpmath.mpf(1), 0
    for k in range(n):
        upper.append(upper[k] * (n + a + b + 1 + k) / (k + 1))
    # By Horner's rule, with (a + k + 1)_{n - k} / (n - k)! from its last one
    for k in range(n, -1, -1):
        total = total * w + upper[k] * lower
        lower = lower * (a + k) / (n - k + 1)
    return total


PARAMETERS = [
    (0.75, 0.0),
    (-5.9, 4.7),
    (-3.25, 2.5),
    (-1.75, -0.125),
    (-0.5, -0.75),
    (0.5, -4.5),
    (-3.0, 4.75),
    (2.5, -2.0),
    (-2.0, -3.0),
    (-3.0, -3.0),
]


@pytest.mark.parametrize(("a", "b"), PARAMETERS)
def test_jacobi_polynomials_of_any_parameters(a, b):
    # Below -1 the first steps of the recurrence lose all digits or divide by 0, which SciPy answers with NaN.
    x = np.array([-1.0, -1 + 2.0**-25, -0.96875, -0.375, 0.25, 0.9375, 1.25])
    x = np.concatenate([x, x + 0.40625j])
    at, one = [sa.asarray(a), sa.asarray(b)], sa.asarray(1.0)
    for n in (1, 2, 3, 12, 57, 61, 181):

        def value(argument, p, q, n=n):
            return sa.special.eval_jacobi(n, p, q, sa.asarray(argument))

        def slope(argument, i, p, q, value=value):
            moved = (one, 0.0 * one) if i == 0 else (0.0 * one, one)
            return sa.jvp(lambda p, q: value(argument, p, q), (p, q), moved)[1]

        def bend(argument, i, k, slope=slope):
            moved = (one, 0.0 * one) if k == 0 else (0.0 * one, one)
            return sa.jvp(lambda p, q: slope(argument, i, p, q), tuple(at), moved)[1]

        def everywhere(f):
            return np.concatenate([np.asarray(f(x[: x.size // 2].real)), np.asarray(f(x[x.size // 2 :]))])

        values = everywhere(lambda v: value(v, *at))
        shifted = everywhere(lambda v: sa.special.eval_sh_jacobi(n, a + b + 1, b + 1, sa.asarray((v + 1) / 2)))
        slopes = [everywhere(lambda v, i=i: slope(v, i, *at)) for i in (0, 1)]
        bends = [everywhere(lambda v, i=i, k=k: bend(v, i, k)) for i, k in ((0, 0), (0, 1), (1, 1))]
        # NaN or 0 where the leading coefficient has no number
        size = float(sa.special.binom(2 * n + a + b, n))
        for point, w in enumerate(x):
            with mpmath.workdps(320):
                h, z = mpmath.mpf(10) ** -25, mpmath.mpmathify(w)
                f = lambda i, k, dz=0: jacobi_sum(n, a + i * h, b + k * h, z + dz * h)
                want = f(0, 0)
                exact = [(f(1, 0) - f(-1, 0)) / (2 * h), (f(0, 1) - f(0, -1)) / (2 * h)]
                mixed = (f(1, 1) - f(1, -1) - f(-1, 1) + f(-1, -1)) / (2 * h) ** 2
                second = [(f(1, 0) + f(-1, 0) - 2 * want) / h**2, mixed, (f(0, 1) + f(0, -1) - 2 * want) / h**2]
                scale = abs(want) + abs(a * exact[0]) + abs(b * exact[1]) + abs(z * (f(0, 0, 1) - want) / h)
                # The recurrence from degree 60 on rounds at each step.
                assert abs(values[point] - want) <= (2 if n < 60 else 8) * 2.0**-52 * scale, (n, w, values[point])
                if size and math.isfinite(size):
                    assert abs(shifted[point] * size - want) <= 16 * 2.0**-52 * scale, (n, w, shifted[point])
                for got, right in zip(slopes + bends, exact + second, strict=True):
                    assert abs(got[point] - right) <= 1e-12 * (abs(right) + scale), (n, w, got[point], complex(right))


def far_below_zero(name: str, rng: np.random.Generator, degree: int, reach: float) -> tuple[Any, ...]:
    """A degree, parameters that are mostly negative, of which some are integers or halves, and an argument."""
    n = int(rng.integers(2, degree))
    parameters = -(10 ** rng.uniform(-1, reach, 2 if name == "eval_jacobi" else 1))
    parameters = np.where(rng.random(parameters.size) < 0.2, np.round(2 * parameters) / 2, parameters)
    if name == "eval_jacobi" and rng.random() < 0.4:
        parameters[rng.integers(2)] *= -1
    far = 10 ** rng.uniform(-1, reach) if name == "eval_genlaguerre" else rng.uniform(0, 2)
    return (n, *parameters.tolist(), far * rng.choice([-1.0, 1.0]))


def exact_polynomial(name: str, n: int, *rest: Any) -> tuple[Any, Any]:
    """The value of a degree and of the one below."""
    *parameters, x = (mpmath.mpmathify(v) for v in rest)
    if name == "eval_jacobi":
        return jacobi_sum(n, *parameters, x), jacobi_sum(n - 1, *parameters, x)
    (a,) = parameters
    if name == "eval_genlaguerre":
        before, now = mpmath.mpf(1), 1 + a - x
        step = lambda k, now, before: ((2 * k + 1 + a - x) * now - (k + a) * before) / (k + 1)
    else:
        before, now = mpmath.mpf(1), 2 * a * x
        step = lambda k, now, before: (2 * (k + a) * x * now - (k + 2 * a - 1) * before) / (k + 1)
    for k in range(1, n):
        before, now = now, step(k, now, before)
    return now, before


@pytest.mark.parametrize("name", ["eval_gegenbauer", "eval_genlaguerre", "eval_jacobi"])
@pytest.mark.parametrize(("degree", "reach", "found"), [(60, 1.3, 0.98), (300, 2.5, 0.85)])
def test_polynomials_of_negative_parameters_are_right_or_nan(name, degree, reach, found):
    # Their recurrences lose up to all digits, which SciPy's answers do not tell.
    rng = np.random.default_rng(17)
    function, known, total = getattr(sa.special, name), 0, 0
    for turn in range(240):
        *arguments, x = far_below_zero(name, rng, degree, reach)
        x = x if turn % 2 else complex(x, rng.uniform(0, 1) * abs(x))
        with mpmath.workdps(500):
            want, below = exact_polynomial(name, *arguments, x)
            size = abs(want) + abs(below) * 1e-3
            if not 1e-280 < size < 1e280:
                continue
            got = complex(function(*arguments, sa.asarray(x)))
            if np.isnan(got):
                found_here = 0
            else:
                error = abs(got - want) / size
                assert error < 1e-5, (name, arguments, x, got, complex(want))
                found_here = error < 1e-9
        total, known = total + 1, known + found_here
    assert total > 150
    assert known >= found * total, (known, total)


@pytest.mark.parametrize(
    ("name", "arguments", "want"),
    [
        # mpmath's values. Of an integral parameter a Laguerre polynomial is a power times one of lower degree, and the
        # generating function of Gegenbauer's a polynomial; of a half Gauss's function has a pole, which the value at the end
        # takes away.
        ("eval_genlaguerre", (38, -11.0, 0.3547951743595536), -1.2158982145696794e-13),
        ("eval_genlaguerre", (50, -16.41225692152047, 0.9525276514651453), 8.7418957637662324e-14),
        ("eval_gegenbauer", (7, -3.0, 0.3), 0.0),
        ("eval_gegenbauer", (50, -9.000000001, 0.8046219086950335), -1.8338241821916187e-19),
        ("eval_gegenbauer", (47, -8.5, 0.8946773155737088), 1.051889441053794e-11),
        ("eval_jacobi", (75, -73.5, -20.5, 0.9), -3.4253438613141835e-6),
    ],
)
def test_polynomials_of_negative_parameters(name, arguments, want):
    testing.assert_allclose(getattr(sa.special, name)(*arguments), want, rtol=1e-12)
    *parameters, x = arguments
    testing.assert_allclose(getattr(sa.special, name)(*parameters, sa.asarray(complex(x))), want, rtol=1e-12)


def test_polynomials_of_negative_parameters_at_the_ends_of_the_range():
    f = sa.special
    # No number stays none, also where a polynomial is 0 or constant.
    assert np.isnan(float(f.eval_gegenbauer(7, 0.0, np.nan)))
    assert np.isnan(complex(f.eval_gegenbauer(7, -3.0, complex(np.nan, 0))))
    assert np.isnan(float(f.eval_jacobi(1, np.nan, 0.5, -1.0)))
    # What leaves the range is infinite, what is below it 0.
    assert float(f.eval_gegenbauer(2, -1.5, 1e300)) == np.inf
    assert float(f.eval_gegenbauer(61, -2.00000000000001, 1e10)) == -np.inf
    assert float(f.eval_jacobi(1000, -2.5, -3.5, 2.5)) == np.inf
    assert float(f.eval_genlaguerre(30, -2.0, 1e-300)) == 0.0
    assert float(f.eval_genlaguerre(30, -1.0, 1e-300)) == -1e-300
    assert float(f.eval_jacobi(1, -2.0, -2.0, 1e-300)) == -1e-300
    # A sum of parameters that ends the polynomial before its degree
    testing.assert_allclose(f.eval_jacobi(3, -0.5, -3.5, 1e100), 0.3125, rtol=1e-14)


def test_values_at_the_end_that_leave_the_range_on_the_way():
    # By gamma functions they are 0 or NaN.
    got = sa.special.eval_jacobi(-32.28, 186.0, 0.25, 1.0)
    testing.assert_allclose(got, 5.2141566335888604e-39, rtol=1e-12)
    got = sa.special.eval_genlaguerre(-32.28, 186.0, 8.5)
    testing.assert_allclose(got, 2.3257802474449189e-38, rtol=1e-12)


def test_laguerre_polynomials_of_degree_one_do_not_cancel():
    # 1 + a - x, 4.5e-12 off in the order 1 - x + a
    for x in (1e-5, 3e-9):
        assert float(sa.special.eval_genlaguerre(1.0, -1.0, sa.asarray(x))) == -x
        assert complex(sa.special.eval_genlaguerre(1.0, -1.0, sa.asarray(complex(x)))) == -x
    assert float(sa.special.eval_genlaguerre(1.0, 0.5, sa.asarray(np.inf))) == -np.inf


@pytest.mark.parametrize("turned", [False, True])
def test_laguerre_functions_by_recurrences(turned):
    # Where Kummer's series is long, up to where it is taken again; SciPy is inf or wrong at some of these.
    rng = np.random.default_rng(11)
    size = 160
    n = np.concatenate([10 ** rng.uniform(0.61, 2.4, size // 2), rng.uniform(3, 40, size // 2)])
    a = np.concatenate([10 ** rng.uniform(-2, 2.4, size // 2) - 1, rng.uniform(-0.9, 40, size // 2)])
    x = np.concatenate([10 ** rng.uniform(0.31, 2.4, size // 2), rng.uniform(0, 40, size // 2)])
    n, a, x = (np.append(v, w) for v, w in zip((n, a, x), (153.1561301830476, 145.69, 9.73), strict=True))
    if turned:
        x = x * np.exp(1j * rng.uniform(-np.pi, np.pi, x.size))
        x.real = np.minimum(x.real, 12)
        n, a, x = (np.append(v, w) for v, w in zip((n, a, x), (1635.8769664405313, 0.0, 3.0248 + 4.141j), strict=True))
    got = np.asarray(sa.special.eval_genlaguerre(*map(sa.asarray, (n, a, x))))
    for at, value in zip(zip(n.tolist(), a.tolist(), x.tolist(), strict=True), got.tolist(), strict=True):
        with mpmath.workdps(160):
            exact = lambda n, a, x: mpmath.binomial(n + a, n) * mpmath.hyp1f1(-n, a + 1, x, maxterms=10**5)
            at = list(map(mpmath.mpmathify, at))
            want, step = exact(*at), mpmath.mpf(10) ** -20
            scale = abs(want)
            for i, v in enumerate(at):
                scale += abs((exact(*at[:i], v * (1 + step), *at[i + 1 :]) - want) / step)
            assert abs(value - want) <= 8 * 2.0**-52 * scale, (at, value, complex(want))


def test_complex_legendre_functions_far_out():
    # On both sides of the cut and of where the series at infinity begins
    n = np.array([0.25, -0.5, 1.75, 0.5, 0.5 + 1e-12, 20.3, -3.6, 57.5])
    z = np.array(
        [2.49, 2.51j, -2.5 + 0.1j, -3 + 1e-9j, complex(-3, 0.0), complex(-3, -0.0), 4 - 5j, -40 - 1e3j, 5e3 + 1j]
    )
    got = np.asarray(sa.special.eval_legendre(sa.asarray(n[:, None]), sa.asarray(z)))
    for v, row in zip(n, got, strict=True):
        for w, value in zip(z, row, strict=True):
            with mpmath.workdps(50):
                side = mpmath.mpc(0, math.copysign(1e-40, w.imag)) if w.imag == 0 else 0
                exact = lambda v, w, side=side: mpmath.hyp2f1(-v, v + 1, 1, (1 - w - side) / 2)
                # Next to half degrees, where the referee's formula has poles
                at, step = mpmath.mpf(v) + mpmath.mpf(10) ** -25, mpmath.mpf(10) ** -15
                z0 = mpmath.mpc(w)
                want = exact(at, z0)
                scale = abs(want) + abs((exact(at * (1 + step), z0) - want) / step)
                scale += abs((exact(at, z0 * (1 + step)) - want) / step)
                assert abs(mpmath.mpc(value) - want) <= 4 * 2.0**-52 * scale, (v, w, value, complex(want))
    testing.check_grads(lambda v, z: sa.special.eval_legendre(v, z), sa.asarray(2.25), sa.asarray(-3 + 2j))


@pytest.mark.parametrize("name", ["legendre", "chebyt", "chebyu"])
def test_shifted_polynomials_next_to_the_ends(name):
    # 2 x - 1 would round what is left of a small x.
    f, exact = getattr(sa.special, f"eval_sh_{name}"), getattr(mpmath, name)
    for n in (1.0, 4.0, 27.0, 2.5, 7.25):
        for x in (0.0, 1e-300, 1e-17, 3e-9, 0.015, 0.3, 0.5, 0.7, 1 - 2.0**-40, 1.0, 1 + 2.0**-40, 2.5, -1e-17, -0.25):
            if n != int(n) and x <= 0:
                continue
            with mpmath.workdps(340 if 0 < x < 1e-30 else 60):
                want = mpmath.re(exact(mpmath.mpf(n), 2 * mpmath.mpf(x) - 1))
                step = mpmath.mpf(10) ** -20
                move = lambda n, x: mpmath.re(exact(n, 2 * x - 1))
                scale = abs(want)
                if x != 0:
                    scale += abs((move(mpmath.mpf(n), x * (1 + step)) - want) / step)
                if n != int(n):
                    scale += abs((move(n * (1 + step), mpmath.mpf(x)) - want) / step)
                got = float(f(n, sa.asarray(x)))
                assert abs(got - want) <= 8 * 2.0**-52 * scale, (n, x, got, float(want))
    testing.check_grads(f, sa.asarray([2.25, 3.5]), sa.asarray([0.2, 0.6]))


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
                expected = scipy.special.assoc_legendre_p(n, m, x, norm=norm)
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
    for order in (0, 1, 2):
        # Derivatives are larger.
        scale = 100.0**order
        got = special.legendre_p_all(6, sa.asarray(z), diff_n=order)
        testing.assert_allclose(got, peer.legendre_p_all(6, z, diff_n=order), rtol=1e-13 * scale, atol=1e-14 * scale)
        for norm in (False, True):
            got = special.assoc_legendre_p_all(4, 3, sa.asarray(z), norm=norm, diff_n=order)
            expected = peer.assoc_legendre_p_all(4, 3, z, norm=norm, diff_n=order)
            testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12 * scale)
        got = special.sph_legendre_p_all(4, 3, sa.asarray(theta), diff_n=order)
        expected = peer.sph_legendre_p_all(4, 3, theta, diff_n=order)
        testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14 * scale)
        got = special.sph_harm_y_all(4, 3, sa.asarray(theta), 0.3, diff_n=order)
        expected = peer.sph_harm_y_all(4, 3, theta, 0.3, diff_n=order)
        parts = zip(got, expected, strict=True) if order else [(got, expected)]
        for part, wanted in parts:
            testing.assert_allclose(part, wanted, rtol=1e-12, atol=1e-14 * scale)
    with pytest.raises(ValueError, match="legendre_p_all: n must not be negative, got -1"):
        special.legendre_p_all(-1, 0.5)
    with pytest.raises(ValueError, match="sph_harm_y_all: n and m must not be negative, got 2 and -1"):
        special.sph_harm_y_all(2, -1, 0.1, 0.2)


def test_both_branches_of_associated_legendre_functions():
    z = np.array([0.3 + 0.2j, -1.4 + 0.7j, 2 - 0.1j, -0.5 - 2j, 1j, -2j, 3, -2, 0.5, complex(-0.5, -0.0)])
    for cut in (2, 3):
        for norm in (False, True):
            for order in (0, 1, 2):
                got = sa.special.assoc_legendre_p_all(4, 4, z, branch_cut=cut, norm=norm, diff_n=order)
                expected = scipy.special.assoc_legendre_p_all(4, 4, z, branch_cut=cut, norm=norm, diff_n=order)
                size = np.abs(expected).max(axis=-1, keepdims=True)
                np.testing.assert_allclose(np.asarray(got) / (size + 1), expected / (size + 1), rtol=0, atol=1e-13)
    # Of real numbers beyond -1 there is no root to be lost of a function that is not cut there.
    got = sa.special.assoc_legendre_p(3, [1, 2], -1.5, branch_cut=3)
    np.testing.assert_allclose(
        np.asarray(got)[0], scipy.special.assoc_legendre_p(3, [1, 2], -1.5 + 0j, branch_cut=3)[0].real, rtol=1e-14
    )
    both = sa.special.assoc_legendre_p(3, 1, 0.5 + 1j, branch_cut=[2, 3])
    np.testing.assert_allclose(both, scipy.special.assoc_legendre_p(3, 1, 0.5 + 1j, branch_cut=[2, 3]), rtol=1e-14)
    with pytest.raises(ValueError, match="assoc_legendre_p: branch_cut must be 2 or 3, got 4"):
        sa.special.assoc_legendre_p(3, 1, 0.5, branch_cut=4)


def test_derivatives_of_legendre_functions():
    special = sa.special
    # At the ends, where SciPy's second derivatives at -1 have the wrong sign; P_5'' = (315 x^3 - 105 x) / 2
    ends = np.asarray(special.assoc_legendre_p(5, [[0], [2], [3]], sa.asarray([-1.0, 1.0]), diff_n=2))
    np.testing.assert_array_equal(ends[1], [[15, 15], [-210, -210], [0, 0]])
    np.testing.assert_array_equal(ends[2], [[-105, 105], [1890, -1890], [-np.inf, -np.inf]])
    # 0 beyond the degree, although the root alone has an infinite slope
    np.testing.assert_array_equal(np.asarray(special.assoc_legendre_p(0, 1, 1.0, diff_n=2)), np.zeros(3))
    theta = np.array([-0.4, 0.3, 3.5])
    testing.assert_allclose(
        special.sph_legendre_p(3, 1, theta, diff_n=1), scipy.special.sph_legendre_p(3, 1, theta, diff_n=1), rtol=1e-13
    )
    testing.check_grads(lambda z: special.legendre_p(4, z, diff_n=2), sa.asarray([0.3, -1.0]))
    testing.check_grads(lambda z: special.assoc_legendre_p(4, [[3], [1]], z, diff_n=2), sa.asarray([0.3, -0.2]))
    testing.check_grads(lambda t: special.sph_legendre_p(4, 1, t, diff_n=2), sa.asarray([-0.2, 0.3]))
    poles = np.array([0.0, np.pi])
    testing.assert_allclose(
        special.sph_legendre_p(4, 1, poles, diff_n=2), scipy.special.sph_legendre_p(4, 1, poles, diff_n=2), atol=1e-13
    )
    testing.check_grads(
        lambda t, p: sa.real(special.sph_harm_y(4, 3, t, p, diff_n=2)[2]),
        sa.asarray([0.4, 2.0]),
        sa.asarray([1.0, 0.3]),
    )
    single = np.float32([0.3, 0.4])
    assert special.assoc_legendre_p(2, 1, single, diff_n=2).dtype == sa.float32
    assert [y.dtype.name for y in special.sph_harm_y(2, 1, single, single, diff_n=2)] == ["complex64"] * 3
    recorded = sa.record(lambda t: special.sph_legendre_p(3, 2, t, diff_n=2))
    np.testing.assert_array_equal(recorded(sa.asarray(theta)), special.sph_legendre_p(3, 2, theta, diff_n=2))
    for bad in (-1, 3):
        with pytest.raises(ValueError, match=f"sph_harm_y: diff_n must be 0, 1 or 2, got {bad}"):
            special.sph_harm_y(2, 1, 0.1, 0.2, diff_n=bad)


def test_rules_of_large_parameters():
    # The integral of the weight by mpmath; gamma(2 + beta) alone overflows, as does the product of two factors of a weight.
    x, w, total = sa.special.roots_jacobi(250, 1.0, 658.0, mu=True)
    assert total == pytest.approx(1.0999369414318784e193, rel=1e-14, abs=0.0)
    nodes, weights, _ = scipy.special.roots_jacobi(250, 1.0, 658.0, mu=True)
    np.testing.assert_allclose(x, nodes, atol=1e-14)
    np.testing.assert_allclose(w, weights, rtol=1e-10)
    np.testing.assert_allclose(
        sa.special.roots_jacobi(5, 700.0, 400.0)[1], scipy.special.roots_jacobi(5, 700.0, 400.0)[1], rtol=1e-9
    )


def test_rules_take_whole_numbers_only():
    np.testing.assert_array_equal(sa.special.roots_legendre(3.0)[0], sa.special.roots_legendre(3)[0])
    for bad in (3.3, np.nan, np.inf):
        with pytest.raises(ValueError, match=f"roots_legendre: n must be a positive integer, got {bad}"):
            sa.special.roots_legendre(bad)


def test_ferrers_functions_of_orders_of_both_signs():
    m = np.array([-1, -3, -40, -2, 4, 2, 0, 400, -7])
    v = np.array([222.0, 100.5, 300.0, 1.5, 429.0, 50.5, 222.0, 3.0, 3.0])
    x = np.array([0.4, -0.3, 0.5, 0.9, 0.42, 0.3, 0.4, 0.42, 0.42])
    want = [-0.00011048685633629787, -1.0219140088324083e-8, 1.2253429986128602e-101, 0.024689179234893519]  # by mpmath
    want += [-988727531.42227903, -169.25919035866451, 0.050150558647959855, 0.0, 5.4525584226758107e-6]
    testing.assert_allclose(sa.special.lpmv(m, v, x), want, rtol=1e-12)
    for one in zip(m, v, x, want, strict=True):
        testing.assert_allclose(sa.special.lpmv(*one[:3]), one[3], rtol=1e-12)
    for order in (-2, -5):
        testing.check_grads(
            lambda v, x, m=order: sa.special.lpmv(m, v, x), sa.asarray([3.25, 7.0]), sa.asarray([0.3, -0.4])
        )


def test_ferrers_functions_of_real_degree():
    x = np.linspace(-0.95, 0.95, 9)
    for m in (0, 1, 2, 5, -1, -3):
        for v in (0.3, 2.5, -0.3, -2.5, 3.0, 12.25):
            expected = scipy.special.lpmv(m, v, x)
            testing.assert_allclose(sa.special.lpmv(m, v, sa.asarray(x)), expected, rtol=1e-11, atol=1e-11)
    for m, v in ((2, 2.25), (3, 0.5), (3, 1.0), (-2, 1.0)):
        testing.check_grads(lambda v, x, m=m: sa.special.lpmv(m, v, x), sa.asarray(v), sa.asarray(0.3))
    # Next to degree 0 below the order, where the rounding of v - m is 27 units of v; from mpmath
    testing.assert_allclose(sa.special.lpmv(3, 0.03716272234383503, 0.0), -0.07471131902804805, rtol=5e-16)
    # The infinities at -1 are those of the values beside it.
    m = np.array([0, 0, 1, 1, 2, -1, -3, 3, 1])
    v = np.array([0.5, 1.5, 0.5, 1.5, 0.5, 0.5, 1.0, 1.0, 2.0])
    beside = np.asarray(sa.special.lpmv(m, v, -1 + 1e-15))
    limits = np.append(np.copysign(np.inf, beside[:7]), [0.0, 0.0])
    np.testing.assert_array_equal(sa.special.lpmv(m, v, -1.0), limits)
    np.testing.assert_array_equal(sa.grad(lambda x: sa.special.lpmv(1, 0.5, x))(sa.asarray(-1.0)), np.inf)
    testing.assert_allclose(sa.special.lpmv(2.0, 2.5, sa.asarray(x)), scipy.special.lpmv(2.0, 2.5, x), rtol=1e-12)
    with pytest.raises(TypeError, match="lpmv: the order must be an integer, got float64"):
        sa.special.lpmv(0.5, 2.5, sa.asarray(x))
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
