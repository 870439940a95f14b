"""Functions that tiles evaluate in short ways and class by class: neither may show in the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
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
    "betaincinv": (flat(0.01, 5), flat(0.01, 5), flat(-0.5, 1.5)),
    "hyperu": (flat(-3, 8), flat(-3, 8), flat(-0.1, 5)),
    "expn": (np.round(flat(-2, 30) * 4) / 4, flat(-0.1, 20)),
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


def test_parameters_next_to_integers() -> None:
    # Terms that grow again behind a pole once one was negligible, connections by gamma functions next to their poles, and steps
    # from functions that are much larger: 1e2 to 1e8 units off
    for f, peer, points in (
        (
            special.hyp2f1,
            mpmath.hyp2f1,
            (
                (-4.708669962056304, -4.561092967637627e-16, -3.999999804327104, -1.9133996194731253),
                (0.7101755713046787, 1.9809394278335978e-16, -0.9999983318882713, -1.5340648296105712),
                (1.2070237372245033e-09, -3.4396147141622953, -4.999992511514894, 0.9438281628280283),
                (0.3933988049270791, -2.813541256395064e-15, -4.999999997423655, -9.404740203494656),
                (-0.2036503088388546, -1.40382968205572e-17, -4.000000000002549, -3902.947271085473),
                (-3.9999999999999996, -2.9999999889554956, -4.9999999999996, 0.8157946100072668),
                (-1.4066099893480475, -1.0000000000139113, -4.999999945738967, 0.6886121319893814),
                (3.58175873344079e-15, -4.999999999999999, 2.000023850300856, -583.9259145784806),
                (2.44670090560088e-14, -4.999999877656012, -4.257715786730248, -42260.14478664667),
                (-4.996555762782153, 4.219648105483134e-17, 3.0000000000000457, -766333.7233868041),
            ),
        ),
        (
            special.hyp1f1,
            mpmath.hyp1f1,
            (
                (1.230329045373817e-15, -1.9999970293282163, -162.86492422073937),
                (2.2946062526501544e-07, -4.98952559314262, -74.1811743076802),
                (-3.116533815279439e-11, -1.0000000057326341, -583.3011508381428),
            ),
        ),
        (
            special.hyperu,
            mpmath.hyperu,
            (
                (-1.2279585944358533e-08, 5.00000009692715, 0.001503583491111738),
                (-6.099286789676136e-17, 4.000012957304718, 0.12125388621588691),
                (-2.4809933530295757e-08, 4.060558074577916, 0.16424905136084275),
                (-8.919652747338147e-05, 4.0, 0.017290850306560305),
                (-7.251225679408542e-06, 5.000007526667174, 0.32688155958289955),
                (-9.0, -8.0, 1e-6),
                (-6.0, -3.0, 0.01),
            ),
        ),
    ):
        for x in points:
            assert conditioned(peer, x, float(f(*map(sa.asarray, x)))) < 30, (peer.__name__, x)


def test_gauss_sums_that_end_where_a_parameter_cancels() -> None:
    # As mpmath and SciPy's complex function have it; its real one does not right of 1 and left of -1.
    for b in (-1.0, -2.0, -5.0):
        for a in (1.5, 1.0, -0.25, b, b - 1, b + 1):
            for x in (-4.0, -0.75, 0.5, 0.95, 3.0):
                want = float(
                    mpmath.fsum(mpmath.rf(a, k) * mpf(x) ** k / mpmath.factorial(k) for k in range(int(-b) + 1))
                )
                for args in ((a, b, b), (b, a, b)):
                    np.testing.assert_allclose(
                        float(special.hyp2f1(*args, sa.asarray(x))), want, rtol=2e-14, atol=1e-14
                    )
                    got = complex(special.hyp2f1(*args, sa.asarray(complex(x))))
                    np.testing.assert_allclose(got, want, rtol=2e-14, atol=1e-14)


def test_binomials_next_to_negative_integers() -> None:
    points = [
        (-2.9999999999999996, 2.348410365384126),
        (-7.999999999999999, 6.703127842957478),
        (-2.9999999999999996, -5.25),
        (-6.000000000000001, 0.4),
        (-2.9999999999999996, -1.5),
        (-1.0000000000000002, -1.0000000000000002),
        (-3.9999986183414453, 2.0747489500040155e-15),
        (-2.0000028362939397, -2.107857413435881e-17),
        (-4.0005, 30.25),
    ]
    for x in points:
        with mp.workprec(200):
            exact = mpmath.binomial(*map(mpf, x))
            assert abs(float(special.binom(*map(sa.asarray, x))) / exact - 1) < 1e-14, x


def test_kummer_polynomials_with_poles_beyond_their_ends() -> None:
    for m in range(8):
        for n in range(1, m + 1):
            for x in (-1e20, -30000.0, -27562.7, -3.0, 0.5, 9e3, 1e40):
                with mp.workprec(200):
                    terms = [
                        mpmath.rf(-n, k) / mpmath.rf(-m, k) * mpf(x) ** k / mpmath.factorial(k) for k in range(n + 1)
                    ]
                    exact, size = mpmath.fsum(terms), mpmath.fsum(map(abs, terms))
                    error = abs(mpf(float(special.hyp1f1(float(-n), float(-m), sa.asarray(x)))) - exact)
                    assert error <= 2.0**-52 * abs(exact) + 2.0**-100 * size, (n, m, x)


def test_gauss_of_large_parameters() -> None:
    # What is matched between the ends keeps few digits, or none of these; the connection by gamma functions keeps them
    for x in (
        (50.3279, -50.3777, 1.1079, 0.89717),
        (19.06270183683965, -52.42057209816642, -1.3791911134231896, 0.9777750504128204),
        (-0.00045312889560022995, 89.20016134755758, 51.16213193802008, 0.9999768694406242),
        (-55.88127857656322, 57.74551536258312, 22.86267861729334, 0.9999999673793636),
        (-3.078410845706891, -18.117322062391974, -36.10421260869906, -28.291617336475078),
        (20.037239680259233, 84.94637462416023, -98.59368367716334, -155.50747370365264),
        (16.171885211772377, 23.644090606055777, -27.230995241609868, -45.69258589148252),
        # Gamma functions of rounded arguments
        (-19.787572585059603, 0.08422436191673555, 15.411214996060536, 0.7110482331655574),
    ):
        assert conditioned(mpmath.hyp2f1, x, float(special.hyp2f1(*map(sa.asarray, x)))) < 30, x


def test_gauss_of_which_roundings_left_nothing() -> None:
    for x, want in (
        ((43.643412, 56.8153738, -58.9676459, -1.9817781), 1743.814949707562),
        ((43.6433588, 56.8153573, -58.9677201, -1.9817806), 1753.9202350144922),
    ):
        assert float(special.hyp2f1(*map(sa.asarray, x))) == pytest.approx(want, rel=2e-12, abs=0.0)


def test_complex_gauss_next_to_integers() -> None:
    # 1e3 to 1e7 units off by terms that grow again behind a pole, or by factors next to zeros of 1 / gamma; the last one is
    # short in Euler's form
    for x in (
        (-5.350830535490548, 4.702911106866702e-13, -8.000000271734917, 0.5719986011467328 - 1.139489108305096j),
        (4.790306496080468e-14, -3.880942340904028, -4.999999939424264, 0.5238229634886599 + 0.9114640676816627j),
        (2.421577124845873e-15, 2.2421304039705365, -5.99999998160575, 45.56201903960281 - 137.1305914870388j),
        (4.999999973569546, 9.235322403982472e-17, -4.000000000026276, 367.72388695056657 - 15.66260231013877j),
        (-1.999999999998486, -7.000000006712831, -5.999999999914275, -0.052850603779056066 + 0.2262751398337874j),
        (-1.0000000000032256, -0.29426707790192985, -7.0000000023053355, 0.24701427364856093 + 0.9751370348385064j),
        (0.014037393652789554, 5.0, 7.630582831101539, -9.906416919895053 + 9.034991165060825j),
    ):
        got = complex(special.hyp2f1(*map(sa.asarray, x)))
        assert conditioned(mpmath.hyp2f1, x, got) < 30, x


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


def test_tricomi_where_its_ways_meet() -> None:
    n = 80
    rng = np.random.default_rng(7)
    points = [
        # 1e-2 and 1e4 units off by gamma functions next to their poles
        (-2.0, 3.0 + 2.0**-44, 3.5),
        (-3.0, 2.0001666469303374, 0.735480128550153),
        (0.0002756603540306511, -1.3848964925222298e-08, 2.742373473730541e-08),
        # A small parameter, of which the function grows out of 1 only as b goes up
        (1.2372777948227992e-05, 3.5113326562929004, 0.0069594005575828975),
        (2.2320277547768817e-06, 1.4921310371360215, 5.236891830290397e-07),
    ]
    for a, b, x in (
        (rng.uniform(0, 5, n), rng.uniform(0, 5, n), rng.uniform(0, 1, n)),
        (rng.uniform(0, 30, n), rng.uniform(-30, 40, n), rng.uniform(0, 5, n)),
        (np.exp(rng.uniform(-12, 0, n)), rng.uniform(0, 5, n), np.exp(rng.uniform(-15, 0, n))),
    ):
        b[:20] = np.round(b[:20]) + rng.choice([-1, 1], 20) * 10.0 ** rng.uniform(-18, -1, 20)
        b[20:25] = np.floor(b[20:25]) + 0.5
        points += zip(a.tolist(), b.tolist(), x.tolist(), strict=True)
    # Between the series and the recurrence, and where the recurrence would be too long
    points += [(a, 1.25, x) for a in (2.0, 4.0) for x in (2 / a * (1 - 1e-9), 2 / a * (1 + 1e-9), 1.0, 1.000001)]
    points += [(59.9, 1.25, 0.2), (59.9, 1.25, 0.25), (60.1, 1.25, 0.25), (0.5, 59.9, 0.25), (0.5, 60.1, 0.25)]
    got = np.asarray(special.hyperu(*(sa.asarray(list(x)) for x in zip(*points, strict=True))))
    for x, y in zip(points, got.tolist(), strict=True):
        assert conditioned(mpmath.hyperu, x, y) < 64, x


def test_the_incomplete_beta_function_next_to_an_end() -> None:
    def series(a: Any, b: Any, x: Any) -> Any:
        # The complement of the tail at 0, which may be as small as a
        term, total, k = mpf(1), mpf(0), 1
        while abs(term) > mpf(2) ** -200:
            term *= (k - b) * x / k
            total += term / (a + k)
            k += 1
        log = mpmath.loggamma(a + b) - mpmath.loggamma(b) - mpmath.loggamma(a + 1)
        return -mpmath.expm1(a * mpmath.log(x) + log + mpmath.log1p(a * total))

    rng = np.random.default_rng(8)
    n = 150
    x = np.exp2(rng.uniform(-60, np.log2(0.03), n))
    a = np.exp2(rng.uniform(-25, 0.5, n))
    b = np.minimum(np.exp2(rng.uniform(-25, 12, n)), rng.uniform(0.5, 3, n) / x)
    points = [
        (3.146140701109618e-06, 0.7224853942359946, 0.0110817364178047),
        (0.10003464940528714, 111.91349061051794, 0.00010398741878336342),
        *(
            (a, b, x)
            for x in (0.01999, 0.02001)
            for a in (0.01, 0.999, 1.001)
            for b in (0.02, 8.0, 0.999 / x, 1.001 / x)
        ),
        *zip(a.tolist(), b.tolist(), x.tolist(), strict=True),
    ]
    got = np.asarray(special.betaincc(*(sa.asarray(list(v)) for v in zip(*points, strict=True))))
    with mp.workprec(300):
        for v, y in zip(points, got.tolist(), strict=True):
            if y > 1e-290:
                assert conditioned(series, v, y) < 8, v


def test_inverses_of_the_error_function() -> None:
    x = np.concatenate([RNG.uniform(0.5, 1, 60), 1 - 10.0 ** RNG.uniform(-15, -1, 60)])
    # Tails of the normal distribution between 2^-11 and 1/4 have a table on eighths of octaves.
    cuts = np.ldexp(1 + np.arange(8)[:, None] / 8, np.arange(-11, -2)).ravel()
    cuts = cuts[cuts < 0.235]
    tails = np.concatenate([cuts, np.nextafter(cuts, 0), np.exp2(RNG.uniform(-11.5, -2.1, 100))])
    for f, inverse, at, limit in (
        (special.erfinv, lambda y, p: mpmath.erf(y) - p, x, 2.0),
        (special.erfcinv, lambda y, q: q - mpmath.erfc(y), 10.0 ** RNG.uniform(-300, -0.4, 60), 2.0),
        (special.ndtri, lambda y, p: mpmath.ncdf(y) - p, 10.0 ** RNG.uniform(-300, -0.7, 60), 2.0),
        (special.erfinv, lambda y, p: mpmath.erf(y) - p, 1 - 2 * tails, 1.0),
        (special.erfcinv, lambda y, q: q - mpmath.erfc(y), 2 * tails, 1.0),
        (special.ndtri, lambda y, p: mpmath.ncdf(y) - p, np.concatenate([tails, 1 - tails]), 1.0),
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
        (n, 1.0, x),
        (n, 0.5, 0.0),
        (n, 0.5, np.inf),
        (-1.0, 0.5, 1.0),
        (n, np.nan, x),
    ]
    for args in bad:
        assert np.isnan(float(special.fdtridfd(*args))), args
    assert float(special.fdtridfd(n, 0.0, x)) == 0.0
    # Left of 1, but rising to the limit of infinite degrees
    limit = float(scipy.special.gammainc(1.5, 1.5 * 0.5))
    assert np.isnan(float(special.fdtridfd(3.0, 1.001 * limit, 0.5)))
    found = float(special.fdtridfd(3.0, 0.999 * limit, 0.5))
    assert abs(float(special.fdtr(3.0, found, 0.5)) / (0.999 * limit) - 1) < 1e-13


def test_parameters_of_certain_and_impossible_events():
    for f in (special.btdtria, lambda p, b, x: special.btdtrib(b, 1 - p, x)):
        assert (float(f(0.0, 3.0, 0.7)), float(f(1.0, 3.0, 0.7))) == (np.inf, 0.0)
        assert np.isnan(float(f(0.0, -1.0, 0.7))) and np.isnan(float(f(1.0, 3.0, 1.5)))
    for f in (special.bdtrik, special.nbdtrik):
        assert float(f(0.0, 3.0, 0.7)) == 0.0 == getattr(scipy.special, f.__name__)(0.0, 3.0, 0.7)
