"""The special functions at the ends of the range and of arguments that are NaN."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import catalogue
import measure
import mpmath
import numpy as np
import pytest
import referee
import scipy.special

import sciarray as sa

S = sa.special
INF = math.inf

SIZES = [1e-310, 1e-300, 1e-100, 1e-17, 1e-8, 0.3, 1.0, 1.5, 10.5, 1000.25, 1e8, 1e17, 1e60, 1e155, 1e250, 1e300]
GRID = np.array([-x for x in SIZES[::-1]] + [0.0] + SIZES)


def real_functions(count: int) -> list[str]:
    names = [n for n, e in catalogue.ENTRIES.items() if not e.complex and referee.has_peer(n)]
    return [n for n in names if measure.load(n)["x"].shape[1] == count]


#: SciPy's are complex, or raise, where these have no value.
PARTIAL = {"lambertw_0", "lambertw_m1", "multigammaln"}


@pytest.mark.parametrize("name", [n for n in real_functions(1) if n not in PARTIAL])
def test_no_nan_where_scipy_has_a_number(name):
    call = catalogue.ENTRIES[name].call
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = np.asarray(call(scipy.special)(GRID))
    ours = np.asarray(call(S)(sa.asarray(GRID)))
    assert not GRID[np.isnan(ours) & np.isfinite(theirs)].size


@pytest.mark.parametrize(
    ("name", "first"),
    [
        *[(n, (0.3, 1.5, 10.5, 1000.25, 1e8)) for n in ("gammainc", "gammaincc", "chdtr", "chdtrc", "pdtr", "pdtrc")],
        *[(n, (1e-300, 1e-100, 1e-17, 0.3, 1.5, 10.5)) for n in ("jv", "yv", "iv", "kv", "ive", "kve")],
        ("zeta", (1.5, 10.5, 1e17, 1e155, 1e300)),
        ("pdtrik", (0.3, 0.5)),
        ("chdtriv", (0.3, 0.5)),
    ],
)
def test_large_and_small_second_arguments_are_scipys(name, first):
    a, x = (np.array(v) for v in np.meshgrid(first, [x for x in SIZES if x > 1e-305], indexing="ij"))
    with np.errstate(all="ignore"):
        theirs = getattr(scipy.special, name)(a, x)
    ours = np.asarray(getattr(S, name)(a, x))
    # Phases of 1e17 and more are lost in one rounding.
    sure = np.isfinite(theirs) & (np.abs(theirs) > 1e-300) & ((x < 1e10) if name[0] in "jy" else True)
    np.testing.assert_allclose(ours[sure], theirs[sure], rtol=1e-7)


def neighbours(f, shapes, x, p):
    """Whether `p` lies between the values next to the argument, but for roundings of the function."""
    values = [np.asarray(f(*shapes, v)) for v in (np.nextafter(x, -1.0), x, np.nextafter(x, 2.0))]
    low, high = np.min(values, axis=0), np.max(values, axis=0)
    return (low * (1 - 1e-9) <= p) & (p <= high * (1 + 1e-9))


@pytest.mark.parametrize(("inverse", "function"), [("betaincinv", "betainc"), ("betainccinv", "betaincc")])
def test_quantiles_of_large_shapes_and_tiny_tails(inverse, function):
    sizes = [1.0, 10.0, 1e3, 1e5, 1e6, 1e8, 1e10]
    a, b, p = (g.ravel() for g in np.meshgrid(sizes, sizes, [1e-300, 1e-100, 1e-17, 1e-11, 0.3], indexing="ij"))
    x = np.asarray(getattr(S, inverse)(a, b, p))
    # Next to 1 an argument has no digits for a tail there.
    told = x < 1 - 1e-6
    assert told.sum() > 150
    assert neighbours(getattr(S, function), (a, b), x, p)[told].all()


@pytest.mark.parametrize("x", [1e3, 1e8, 1e12, 1e20, 1e40, 1e200])
@pytest.mark.parametrize("p", [1e-12, 0.3, 0.5, 0.9])
def test_shapes_of_large_arguments(p, x):
    a = float(S.pdtrik(p, x))
    # Its standard deviation is a root of the mean, and the median 2/3 below that.
    z = scipy.special.ndtri(p)
    assert abs((a - x) - (z * math.sqrt(x) + (z * z - 4) / 6)) < 1e-2 * math.sqrt(x) + 4 * math.ulp(x)


@pytest.mark.parametrize("k", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("b", [1e250, 1e279, 1e281, 1e300])
def test_beta_distributions_beyond_the_range_of_sums(k, b):
    """Those of a moderate and a large shape are gamma distributions."""
    x = np.array([0.1, 1.0, 10.0])
    want = scipy.special.gammainc(k, x)
    np.testing.assert_allclose(np.asarray(S.betainc(k, b, x / b)), want, rtol=1e-13)
    np.testing.assert_allclose(np.asarray(S.fdtr(2 * k, 2 * b, x / k)), want, rtol=1e-13)
    np.testing.assert_allclose(float(S.betaincinv(k, b, 0.3)), scipy.special.gammaincinv(k, 0.3) / b, rtol=1e-13)
    assert float(S.betainc(b, k, 0.9)) == 0.0


def test_two_shapes_beyond_the_range_of_sums():
    np.testing.assert_array_equal(np.asarray(S.betainc(1e290, 1e300, sa.asarray([0.9e-10, 1.1e-10]))), [0.0, 1.0])


@pytest.mark.parametrize(
    ("name", "args", "want"),
    [
        ("jv", (0.5, complex(0, INF)), INF),
        ("jv", (0.5, complex(INF, 1)), 0.0),
        ("iv", (0.5, complex(INF, 1)), INF),
        ("kv", (0.5, complex(INF, 1)), 0.0),
        ("kv", (0.5, complex(-INF, 1)), INF),
        ("hankel1", (0.5, complex(0, INF)), 0.0),
        ("hankel1", (0.5, complex(0, -INF)), INF),
        ("spherical_jn", (2.0, complex(INF, INF)), INF),
        ("spherical_kn", (2.0, complex(INF, INF)), 0.0),
        ("airy_ai", (8.3 + 8.9e307j,), INF),
        ("airy_ai", (8.9e307 + 5j,), 0.0),
        ("airy_bi", (8.9e307 + 5j,), INF),
        ("airy_aip", (-8.9e307 - 10j,), INF),
    ],
)
def test_far_complex_arguments(name, args, want):
    index = {"airy_ai": 0, "airy_aip": 1, "airy_bi": 2}.get(name)
    got = getattr(S, name)(*args) if index is None else S.airy(*args)[index]
    got = complex(got)
    assert (max(abs(got.real), abs(got.imag)) == INF) if want else got == 0


def gegenbauer_exactly(n: int, a: int, x: float) -> Fraction:
    before, now = Fraction(1), 2 * a * Fraction(x)
    if n == 0:
        return before
    for k in range(1, n):
        before, now = now, (2 * Fraction(x) * (k + a) * now - (k + 2 * a - 1) * before) / (k + 1)
    return now


@pytest.mark.parametrize("a", [-1, -2, -3, -7, -13, -24])
def test_gegenbauer_polynomials_of_negative_whole_parameters(a):
    """mpmath has 0 for most of them."""
    for n in range(55):
        for x in (0.3, -1.7, 3.0, -797.0, 1e3, -5.475469839256856e77 if n < 4 else 40.0):
            want = gegenbauer_exactly(n, a, x)
            for got in (float(S.eval_gegenbauer(n, a, x)), complex(S.eval_gegenbauer(n, a, complex(x))).real):
                # Next to roots, which lie within [-1, 1], only what one rounding leaves
                slack = 1e-14 if abs(x) > 1 else 1e-10
                assert abs(Fraction(got) - want) <= Fraction(slack) * abs(want), (n, x)


@pytest.mark.parametrize("p", [1e45, 1e60, 1e300, 404e200])
def test_carlsons_third_integral_of_a_last_argument_beyond_the_others(p):
    """DLMF 19.27.11"""
    x = (0.5, 1000.25, 2.0)
    want = 3 * float(S.elliprf(*x)) / p
    assert float(S.elliprj(*x, p)) == pytest.approx(want, rel=1e-15, abs=0.0)
    assert complex(S.elliprj(*x, complex(0, p))) == pytest.approx(-1j * want, rel=1e-15, abs=0.0)
    assert float(sa.grad(S.elliprj, argnums=3)(*map(sa.asarray, x), sa.asarray(1e40))) == pytest.approx(
        -want * p / 1e80
    )


@pytest.mark.parametrize(
    ("b", "x"), [(-316.2277660168379, 11450.475699382812), (-1690.5324975989647, 65805.79768259553), (-55.3, 2500.0)]
)
def test_hyp0f1_of_parameters_far_below_0(b, x):
    """Its terms cancel to the right of 0."""
    with mpmath.workdps(300):
        at, h = mpmath.mpf(b), mpmath.mpf(10) ** -60
        below, value, above = (mpmath.hyp0f1(at + k * h, x) for k in (-1, 0, 1))
        slope, bend = (above - below) / (2 * h), (above - 2 * value + below) / h**2
        mixed = (mpmath.hyp0f1(at + 1 + h, x) / (at + h) - mpmath.hyp0f1(at + 1 - h, x) / (at - h)) / (2 * h)
    first = sa.grad(S.hyp0f1)
    b, x = sa.asarray(b), sa.asarray(x)
    assert float(S.hyp0f1(b, x)) == pytest.approx(float(value), rel=1e-12, abs=0.0)
    assert float(first(b, x)) == pytest.approx(float(slope), rel=1e-12, abs=0.0)
    assert float(sa.grad(lambda b: first(b, x))(b)) == pytest.approx(float(bend), rel=1e-12, abs=0.0)
    assert float(sa.grad(lambda x: first(b, x))(x)) == pytest.approx(float(mixed), rel=1e-12, abs=0.0)


def test_binomial_coefficients_of_orders_out_of_the_range_of_beta():
    n, k = 2.99807699606115e154, 5 / 3
    assert float(S.binom(n, k)) == pytest.approx(math.exp(k * math.log(n)) / math.gamma(k + 1), rel=1e-12, abs=0.0)


@pytest.mark.parametrize("x", [-1e205, -1e250, -1.7e308])
def test_airy_functions_far_left_keep_their_size(x):
    size = math.sqrt(math.pi) * abs(x) ** 0.25
    ai, _, bi, _ = (float(v) for v in S.airy(x))
    assert math.hypot(ai, bi) * size == pytest.approx(1.0, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("name", [n for n, e in catalogue.ENTRIES.items() if not e.complex])
def test_nan_in_any_argument_is_nan(name):
    entry = catalogue.ENTRIES[name]
    f = entry.call(S)
    x = measure.load(name)["x"][:6]
    for i in entry.free:
        columns = [np.ascontiguousarray(c) for c in x.T]
        columns[i] = np.full(len(x), math.nan)
        assert np.isnan(np.asarray(f(*map(sa.asarray, columns)))).all(), i


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *[("eval_genlaguerre", a) for a in ((0.0, math.nan, 0.5), (0.0, 0.5, math.nan))],
        *[("eval_gegenbauer", a) for a in ((0.0, math.nan, 0.5), (0.0, 0.5, math.nan))],
        *[
            ("eval_jacobi", a)
            for a in ((0.0, math.nan, 0.5, 0.5), (0.0, 0.5, math.nan, 0.5), (0.0, 0.5, 0.5, math.nan))
        ],
        ("eval_hermite", (0.0, math.nan)),
        ("eval_hermitenorm", (0.0, math.nan)),
        ("eval_laguerre", (0.0, math.nan)),
        ("iv", (math.nan, INF)),
    ],
)
def test_nan_of_polynomials_of_degree_0(name, args):
    assert math.isnan(float(getattr(S, name)(*args)))
    if name != "iv":
        assert math.isnan(abs(complex(getattr(S, name)(*args[:-1], complex(args[-1])))))


def test_nan_of_jacobian_elliptic_functions():
    assert all(math.isnan(float(v)) for v in S.ellipj(math.nan, 0.0))
    assert all(math.isnan(float(v)) for v in S.ellipj(0.0, math.nan))
