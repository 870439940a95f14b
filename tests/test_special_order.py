"""Functions that tiles evaluate in short ways and class by class: neither may show in the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpc, mpf

import sciarray as sa
from sciarray import special

RNG = np.random.default_rng(11)


def flat(low: float, high: float) -> np.ndarray:
    return RNG.uniform(low, high, 1500)


def disc(radius: float) -> np.ndarray:
    return flat(-radius, radius) + 1j * flat(-radius, radius)


# More points than are sorted together, with some that no way serves.
CASES: dict[str, tuple[np.ndarray, ...]] = {
    "hyp2f1": (flat(-5, 5), flat(-5, 5), flat(-1, 8), flat(-8, 1.1)),
    "gammainc": (flat(0.1, 60), flat(-1, 60)),
    "gammaincinv": (flat(0.1, 60), flat(0, 1)),
    "stdtrit": (flat(0.2, 60), flat(-0.01, 1)),
    "stdtridf": (flat(0.01, 0.5), flat(-8, 1)),
    "chdtriv": (flat(0.01, 1), flat(0.1, 30)),
    "zeta": (flat(1, 20), flat(-3, 30)),
    "ber": (flat(-40, 40),),
    "kei": (flat(-1, 40),),
    "complex hyp2f1": (flat(-5, 5), flat(-5, 5), flat(-1, 8), disc(3)),
    "complex hankel1": (flat(-10, 10), disc(30)),
    "complex kve": (flat(0, 10), disc(30)),
    "complex sici": (disc(10),),
    "complex airy": (disc(10),),
}


def bits(y: Any) -> np.ndarray:
    return np.stack(
        [np.ascontiguousarray(np.asarray(v)).view(np.uint64) for v in (y if isinstance(y, tuple) else (y,))]
    )


@pytest.mark.parametrize("name", CASES)
def test_a_value_does_not_depend_on_its_neighbours(name: str) -> None:
    f = getattr(special, name.split()[-1])
    args = list(CASES[name])
    for x in args:
        x[::97] = np.nan
        x[5::101] = np.inf
    all_at_once = bits(f(*map(sa.asarray, args)))
    order = RNG.permutation(args[0].size)
    moved = bits(f(*(sa.asarray(x[order]) for x in args)))
    parts = all_at_once.shape[1] // order.size
    for k in range(parts):
        assert np.array_equal(all_at_once[:, k::parts][:, order], moved[:, k::parts])
    for i in order[:40]:
        alone = bits(f(*(sa.asarray(x[i : i + 1]) for x in args)))
        assert np.array_equal(alone, all_at_once[:, parts * i : parts * (i + 1)])


def conditioned(f: Callable[..., Any], x: tuple[Any, ...], got: Any) -> float:
    """The error over `ulp(f) + eps sum |x df/dx|`."""
    with mp.workprec(160):
        exact = tuple(mpc(v) if isinstance(v, complex) else mpf(v) for v in x)
        value = f(*exact)
        allowed = mpf(0)
        for i, v in enumerate(exact):
            h = abs(v) * mpf(2) ** -50
            allowed += abs(v) * abs(f(*exact[:i], v + h, *exact[i + 1 :]) - value) / h
        unit = np.spacing(float(abs(value)))
        return float(abs(mpc(got) - value) / (unit + allowed * 2.0**-52))


# Both sides of the borders between the ways: of the series, of the connection, next to integers, of the parameters.
BORDERS = [
    (a, b, c, x)
    for x in (0.599, 0.601, 0.949, 0.951, 0.999, -1.49, -1.51, -18.9, -19.1, -1e5)
    for a, b, c in (
        (1.5, 2.25, 4.5),
        (0.75, 1.25, 2.041),
        (0.75, 1.25, 2.039),
        (1.0, 2.0, 3.0),
        (-2.5, 4.25, 0.5),
        (11.9, 2.5, 7.0),
        (12.1, 2.5, 7.0),
        (14.9, 2.5, 7.0),
        (15.1, 2.5, 7.0),
        (39.9, 2.5, -37.25),
        (40.1, 2.5, -37.25),
        (0.5, 1.0, 14.75),
        (59.9, 2.5, 37.0),
        (60.1, 2.5, 37.0),
        (2.5, 1.25, -3.75),
        (2.5, 1.25, -2.001),
    )
]


def test_gauss_at_the_borders_of_its_ways() -> None:
    got = np.asarray(special.hyp2f1(*(sa.asarray(list(x)) for x in zip(*BORDERS, strict=True))))
    for x, y in zip(BORDERS, got, strict=True):
        assert conditioned(mpmath.hyp2f1, x, float(y)) < 30, x


def test_gauss_with_parameters_of_both_signs() -> None:
    n = 150
    rng = np.random.default_rng(6)
    a, b, c = rng.uniform(-20, 20, (3, n))
    # Where the terms grow again behind the pole of c, or c - a - b is next to an integer
    c[:20] = np.round(c[:20]) + 1e-3
    b[20:40] = c[20:40] - a[20:40] - rng.integers(-6, 7, 20) + 1e-3
    x = 1 - np.exp(rng.uniform(-7, 3, n))
    points = [
        # 1e5 by a series in plain double precision whose terms, still growing, were cut off
        (7.080989771951447, 3.2289334902746454, -7.70590637418225, 0.9471556436758127),
        (17.284863120501427, -15.329660275679021, -15.55814082423531, -14.816161493262296),
        *zip(a.tolist(), b.tolist(), c.tolist(), x.tolist(), strict=True),
    ]
    got = np.asarray(special.hyp2f1(*(sa.asarray(list(x)) for x in zip(*points, strict=True))))
    for x, y in zip(points, got.tolist(), strict=True):
        assert conditioned(mpmath.hyp2f1, x, y) < 60, x


def test_gauss_polynomials() -> None:
    for x in (
        (-20.0, 34.70822346030832, 8.06967147999066, 0.99999),
        (-9.0, -59.46047998155336, 8.780999715722633, 0.97),
        (-5.0, 17.75850096597801, 4.931211912985901, 0.999),
        (-12.0, 19.5, 0.75, 0.98),
        (-20.0, 100.0, 4.999999999, 0.999),
    ):
        assert conditioned(mpmath.hyp2f1, x, float(special.hyp2f1(*map(sa.asarray, x)))) < 30, x
    for z in (0.3, 0.9, -7.0, 0.9 + 0.4j):
        assert complex(special.hyp2f1(0.0, -46.94340205158696, 9.016481787789363, sa.asarray(z))) == 1


def test_complex_gauss_where_the_series_and_its_continuation_meet() -> None:
    for x in (
        # 190 for the second by the continuation
        (2.4, 1.2, 7.1, 0.13 - 1.43j),
        (2.82687438688013, 4.5266553943503105, 7.303286290034515, 0.46261510401295247 - 0.7343149800455464j),
        (0.75, 1.25, 2.039, 0.6 + 0.3j),
        (0.75, 1.25, 2.041, 2.5 - 0.5j),
        (1.0, 2.0, 3.0, 0.9 + 0.2j),
        (-2.5, 4.25, 0.5, -0.9 + 0.1j),
        # NaN, and 6e4 off, by the long series about 0
        (14.311259769042309, -10.98259342068275, 9.374907307874658, 0.45452132738483475 - 0.9715655612380035j),
        (-5.045638612619335, 8.667366620391217, -15.027246286441756, 0.7233851654046917 + 0.6415919423414452j),
        # 3e5 by the connection, whose parts outgrow the sum of positive terms
        (8.831345728695851, 8.33266589348085, 17.825577617167518, 0.2542033141972533 + 1.945772956564414j),
    ):
        got = complex(np.asarray(special.hyp2f1(*x[:3], sa.asarray(x[3]))))
        assert conditioned(mpmath.hyp2f1, x, got) < 60, x


def test_complex_gauss_in_all_its_forms() -> None:
    n = 60
    rng = np.random.default_rng(5)
    third = np.exp(1j * np.pi / 3)
    for low, high, whole in ((-5.0, 5.0, False), (-5.0, 5.0, True), (0.1, 5.0, False), (-12.0, 12.0, False)):
        a, b = rng.uniform(low, high, (2, n))
        # Where c - a - b is an integer, half the values next to one
        gap = rng.integers(-3, 4, n) + np.where(rng.uniform(size=n) < 0.5, 0, 1e-3)
        c = a + b + gap if whole else rng.uniform(0.2, 8, n)
        z = 3 * np.sqrt(rng.uniform(size=n)) * np.exp(1j * rng.uniform(-np.pi, np.pi, n))
        z[:15] = third + 0.2 * (rng.uniform(-1, 1, 15) + 1j * rng.uniform(-1, 1, 15))
        got = np.asarray(special.hyp2f1(*map(sa.asarray, (a, b, c, z))))
        for *x, y in zip(a.tolist(), b.tolist(), c.tolist(), z.tolist(), got.tolist(), strict=True):
            assert conditioned(mpmath.hyp2f1, tuple(x), y) < 60, x


def test_inverses_of_the_error_function() -> None:
    x = np.concatenate([RNG.uniform(0.5, 1, 60), 1 - 10.0 ** RNG.uniform(-15, -1, 60)])
    for f, inverse, at, limit in (
        (special.erfinv, lambda y, p: mpmath.erf(y) - p, x, 2.0),
        (special.erfcinv, lambda y, q: q - mpmath.erfc(y), 10.0 ** RNG.uniform(-300, -0.4, 60), 2.0),
        (special.ndtri, lambda y, p: mpmath.ncdf(y) - p, 10.0 ** RNG.uniform(-300, -0.7, 60), 2.0),
    ):
        got = np.asarray(f(sa.asarray(at)))
        for p, y in zip(at, got, strict=True):
            with mp.workprec(1200):
                slope = mpmath.diff(lambda t, p=p, inverse=inverse: inverse(t, mpf(float(p))), mpf(float(y)))
                error = abs(inverse(mpf(float(y)), mpf(float(p))) / slope)
            assert error < limit * np.spacing(abs(y)), p


def test_shapes_solve_their_equations() -> None:
    df, t = flat(0.5, 60), -flat(0.3, 8)
    p = special.stdtr(sa.asarray(df), sa.asarray(t))
    back = special.stdtr(special.stdtridf(p, sa.asarray(t)), sa.asarray(t))
    assert np.abs(np.asarray(back / p) - 1).max() < 5e-14
    n, d, x = sa.asarray(flat(0.5, 30)), sa.asarray(df), sa.asarray(flat(1.0, 4))
    p = special.fdtr(n, d, x)
    back = special.fdtr(n, special.fdtridfd(n, p, x), x)
    assert np.abs(np.asarray(back / p) - 1).max() < 5e-14
    a, b, x = flat(0.5, 10), flat(0.5, 10), flat(0.05, 0.95)
    a, b, x = map(sa.asarray, (a, b, x))
    p = special.betainc(a, b, x)
    inside = np.asarray((p > 1e-12) & (p < 1 - 1e-9))
    for found in (special.betainc(special.btdtria(p, b, x), b, x), special.betainc(a, special.btdtrib(a, p, x), x)):
        assert np.abs(np.asarray(found / p) - 1)[inside].max() < 5e-14


def test_the_degrees_of_freedom_of_a_variance_ratio() -> None:
    # Left of 1 the distribution function rises to a maximum and falls to that of infinite degrees.
    n, x = 20.0, 0.5
    degrees = np.geomspace(1e-3, 1e3, 4000)
    values = np.asarray(special.fdtr(n, sa.asarray(degrees), x))
    top, end = values.max(), float(special.gammainc(n / 2, n * x / 2))
    for p in (0.5 * end, 0.5 * (top + end), 0.99 * top):
        found = float(special.fdtridfd(n, p, x))
        assert found < degrees[values.argmax()]
        assert abs(float(special.fdtr(n, found, x)) / p - 1) < 1e-14
    # Close to a maximum at few degrees, where a start behind it finds nothing
    found = float(special.fdtridfd(11.205833938095449, 0.025879839699929626, 0.08107830500346987))
    assert abs(found / 0.06721202097031 - 1) < 1e-11
    bad = [
        (n, 1.01 * top, x),
        (n, 0.0, x),
        (n, 1.0, x),
        (n, 0.5, 0.0),
        (n, 0.5, np.inf),
        (-1.0, 0.5, 1.0),
        (n, np.nan, x),
    ]
    for args in bad:
        assert np.isnan(float(special.fdtridfd(*args))), args
