"""Hypergeometric, Struve and Kelvin functions: limits, poles, identities, gradients where formulas change, mpmath's values."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import sciarray as sa
from sciarray import testing

INF, NAN = math.inf, math.nan
s = sa.special


def check(f, cases):
    for *args, expected in cases:
        got = float(f(*args))
        assert got == expected or (math.isnan(got) and math.isnan(expected)), (f.__name__, args, got, expected)


def test_edges_of_the_hypergeometric_functions():
    check(s.hyp0f1, [(0, 1, NAN), (-2, 1, NAN), (INF, 1, 1), (NAN, 1, NAN), (1, NAN, NAN), (3, 0, 1), (1, 1e300, INF)])
    check(
        s.hyp1f1,
        [
            (1, 0, 1, INF),
            (1, -2, 1, INF),
            (-1, -2, 1, 1.5),
            (-2, -2, 1, 2.5),
            (-3, -2, 1, INF),
            (2, 1.5, 0, 1),
            (0, 2, 5, 1),
        ]
        + [(1, INF, 1, 1), (NAN, 1, 1, NAN), (1, 1, NAN, NAN), (1, 1, 1000, INF)],
    )
    check(
        s.hyperu,
        [
            (1, 1, 0, INF),
            (1, 0.5, 0, 2),
            (0, 5, 3, 1),
            (-1, 2, 0, -2),
            (1, 1, -1, NAN),
            (1, 1, INF, 0),
            (-1, 1, INF, INF),
        ]
        + [(0, 1, INF, 1), (NAN, 1, 1, NAN), (1, 1, NAN, NAN)],
    )
    check(
        s.hyp2f1,
        [
            (1, 2, 3, 1, INF),
            (1, 1, 3, 2, INF),
            (-1, 2, 3, 1.5, 0),
            (1, 2, 0, 0.5, INF),
            (1, 2, -1, 0, 1),
            (-3, 1, -2, 0, 1),
            (-1, 2, -2, 0.5, 1.5),
            (1, 2, 3, 0, 1),
        ]
        + [(-1, 2, -1, 0.5, 2), (1, 2, 2, 0.5, 2), (1, 2, INF, 0.5, 1), (NAN, 2, 3, 0.5, NAN), (1, 2, 3, NAN, NAN)],
    )
    testing.assert_allclose(s.hyp2f1(1.0, 2.0, 4.0, sa.asarray(1.0)), 3.0, ulps=8)
    testing.assert_allclose(s.hyp2f1(1.0, 2.0, 2.0, sa.asarray(2.5)), -2 / 3, ulps=4)


def test_gauss_at_one():
    """By gamma functions (DLMF 15.4.20); poles of those below are zeros of the function."""
    quarters = np.arange(-8, 9) / 4
    points = np.stack(np.meshgrid(quarters, quarters, np.arange(1, 25) / 4), -1).reshape(-1, 3)
    rng = np.random.default_rng(8)
    points = np.concatenate([points, rng.uniform(-15, 15, (300, 3)), rng.uniform(-400, 400, (60, 3))])
    a, b, c = points[points[:, 2] - points[:, 0] - points[:, 1] > 0].T
    with mpmath.workdps(30):
        want = [mpmath.gammaprod([r, r - p - q], [r - p, r - q]) for p, q, r in zip(*map(list, (a, b, c)), strict=True)]
        want = np.array([float(w) for w in want])
    testing.assert_allclose(s.hyp2f1(a, b, c, 1.0), want, rtol=2e-12, atol=1e-300)


@pytest.mark.parametrize(
    "point",
    [
        (0.5, 1.0, 2.0),
        (-1.25, 0.75, 3.0),
        (-0.75, 2.0, 2.0),
        (-137.0, 132.5, 90.25),
        (0.0, 5.566092220373179e-77, 1.0),
        (1e-30, 0.7, 2.5),
        (1e-30, -7.7, -2.5),
    ],
)
def test_slopes_of_gauss_at_one(point):
    with mpmath.workdps(300):
        f = lambda a, b, c: mpmath.gammaprod([c, c - a - b], [c - a, c - b])
        at = list(map(mpmath.mpf, point))
        for i in range(3):
            got = float(sa.grad(s.hyp2f1, argnums=i)(*map(sa.asarray, point), sa.asarray(1.0)))
            want = mpmath.diff(f, at, tuple(int(i == k) for k in range(3)), h=mpmath.mpf(10) ** -100)
            assert got == pytest.approx(float(want), rel=1e-11, abs=0.0), i


def test_edges_of_struve_and_kelvin_functions():
    check(
        s.struve, [(0, 0, 0), (-2, 0, -INF), (0, INF, 0), (2, INF, INF), (0.5, -1, NAN), (NAN, 1, NAN), (1, NAN, NAN)]
    )
    check(s.modstruve, [(0, 0, 0), (-2, 0, -INF), (1, INF, INF), (0.5, -1, NAN), (0, 800, INF)])
    for f in (s.struve, s.modstruve):
        assert float(f(0, -1.5)) == -float(f(0, 1.5)) and float(f(1, -1.5)) == float(f(1, 1.5))
        testing.assert_allclose(f(-1.0, sa.asarray(0.0)), 2 / np.pi, ulps=1)
    # Orders -1/2 - n are Bessel functions (DLMF 11.4.3).
    x = sa.asarray([0.5, 3.0, 50.0])
    for n in (1, 2, 4):
        testing.assert_allclose(s.struve(-n - 0.5, x), (-1) ** n * np.asarray(s.jv(n + 0.5, x)), rtol=1e-13)
        testing.assert_allclose(s.modstruve(-n - 0.5, x), s.iv(n + 0.5, x), rtol=1e-13)
    check(s.ber, [(0, 1), (INF, NAN), (NAN, NAN)])
    check(s.bei, [(0, 0), (INF, NAN)])
    check(s.ker, [(0, INF), (INF, 0), (-1, NAN)])
    check(s.kei, [(0, -np.pi / 4), (INF, 0), (-1, NAN)])
    check(s.kerp, [(0, -INF), (INF, 0)])
    check(s.keip, [(0, 0), (INF, 0)])
    assert float(s.ber(-3)) == float(s.ber(3)) and float(s.beip(-3)) == -float(s.beip(3))
    for got, peer in zip(s.kelvin(sa.asarray([1.5, 4.0])), scipy.special.kelvin(np.array([1.5, 4.0])), strict=True):
        testing.assert_allclose(got, peer, rtol=1e-12)


# Where SciPy is wrong or lost: each point with mpmath.
HARD = {
    "hyp1f1": [(-20.5, 1.5, 30.0), (25.0, -10.5, -20.0), (0.5, 2.5, -700.0), (30.25, 1.5, 100.0)]
    # In steps of Taylor series or of the degree, after an asymptotic series without digits, past overflow
    + [(-100.25, 1.5, 60.0), (-90.0, 21.25, 125.0), (80.0, -97.75, -133.875), (85.0, -94.75, -42.5)]
    + [(-74.0, -13.75, 286.0), (23.5, 98.5, -68.5), (87.0, -96.25, 106.5), (62.0, -93.0 + 0.125, 273.5)]
    # Of a first term next to nothing and later ones that are not
    + [(-1e-20, 1.0, 39.0), (1e-20, 1.0, 29.5), (1e-19, 0.5, 38.0), (1e-18, 1.25, -37.0), (1.25 - 1e-15, 1.25, -30.0)],
    "hyperu": [(5.5, 5.5, 4.0), (-4.5, 3.25, 2.0), (0.5, -7.25, 0.02), (3.0, 2.0, 1e-5)]
    + [
        (-71.25, 54.0, 11.0),
        (-90.0, 73.75, 162.75),
        (-28.125, -24.0, 6.75),
        (-90.0, -34.0, 13.0),
    ],
    "hyp2f1": [
        (-11.75, -3.25, -46.125, 0.875),
        (26.5, 30.5, 38.75, 0.625),
        (20.5, -25.25, 3.5, 0.9),
        (28.0, 27.5, -12.5, -0.75),
        (0.5, 1.5, 2.0, 1 - 1e-12),
        (1.5, 2.0, 3.5, -1e6),
        (33.25, -31.0, -39.125, 0.9990234375),
        # Exponents at 1 that differ by an integer, polynomials times a power, powers out of range, more terms than a series has
        (-51.5, 58.5, 3.5, 0.9990234375),
        (-34.5, 60.5, -24.5, 0.984375),
        (-146.87082787536377, 154.12377361272416, 4.252945737360404, 0.999355129873358),
        (14.5, 2.5, -8.5, -4958.875),
        (71.5, -79.5, -56.5, -197.25),
        (46.0, -66.0, -20.5, 1 - 2.0**-16),
        (29.0, -70.0, 66.0, 1 - 2.0**-19),
        (24.0625, 47.6875, 85.125, 1 - 2.0**-18),
        (-35.0, -29.75, 29.0, -18.5),
        (-66.0, 20.75, 12.125, 0.75),
        (8.5, 8.0, 37.5, 0.98828125),
        (-5.875, -12.75, -27.25, 0.982421875),
    ],
    "hyp0f1": [(1.5, -5e3), (0.5, -300.0), (12.25, -1e4), (42.75, -933.0)],
    "struve": [(2.5, 34.0), (-3.25, 45.0), (0.0, 30.0)],
    "modstruve": [(-6.25, 12.0), (0.0, 20.0), (1.0, 600.0)],
}
EXACT = {"struve": "struveh", "modstruve": "struvel"}


@pytest.mark.parametrize("name", HARD)
def test_hard_points(name):
    f = getattr(mpmath, EXACT.get(name, name))
    for x in HARD[name]:
        with mpmath.workprec(200):
            expected = float(f(*map(mpmath.mpf, x)))
        testing.assert_allclose(getattr(s, name)(*map(sa.asarray, x)), expected, rtol=1e-12)


def test_gradients_where_the_formulas_change():
    for x in (-1e3, -0.5, 0.3, 0.59, 0.8, 0.95):
        testing.check_grads(s.hyp2f1, *map(sa.asarray, (0.75, 1.25, 2.0, x)))
    # The logarithmic case, and beside it
    testing.check_grads(s.hyp2f1, *map(sa.asarray, (0.5, 1.5, 2.0, 0.9)))
    for a, b, x in ((0.5, 1.5, 40.0), (0.5, 1.5, -40.0), (-2.0, 1.25, 3.0), (1.5, 2.5, -3.0)):
        testing.check_grads(s.hyp1f1, *map(sa.asarray, (a, b, x)))
    for a, b, x in ((0.5, 2.0, 3.0), (-1.5, 0.25, 0.5), (-2.0, 1.0, 1.5), (1.5, 1.0, 30.0)):
        testing.check_grads(s.hyperu, *map(sa.asarray, (a, b, x)))
    for v, x in ((0.5, 3.0), (-1.5, 2.0), (1.25, 50.0)):
        testing.check_grads(s.struve, sa.asarray(v), sa.asarray(x))
        testing.check_grads(s.modstruve, sa.asarray(v), sa.asarray(min(x, 20.0)))
    # Identities: d/da 1F1(a; a; x) + d/db = 0, U(a, a + 1, x) = x^-a
    x = sa.asarray(2.0)
    da, db = sa.grad(lambda a, b: s.hyp1f1(a, b, x), argnums=(0, 1))(sa.asarray(1.5), sa.asarray(1.5))
    testing.assert_allclose(da, -db, rtol=1e-14)
    slope = sa.grad(lambda a: s.hyperu(a, a + 1.0, x))(sa.asarray(0.75))
    testing.assert_allclose(slope, -(2.0**-0.75) * math.log(2.0), rtol=1e-13)


@pytest.mark.parametrize(
    ("name", "x", "want"),
    [
        # Sums of 1500 digits; mpmath's own stop early here. 15 % and 0.2 % off, NaN and NaN before.
        ("hyp1f1", (271.8563622553793, -215.7411238453269, -237.37332036402233), 2.9588739377068206e72),
        ("hyp1f1", (333.2686305336824, -204.55389425265048, -116.56443052665577), 3.7275751749779679e71),
        ("hyp1f1", (39.03028921395203, -325.83634600317043, -465.99506494896616), 7.1249093376562793e21),
        ("hyp1f1", (119.93517494860998, -37.96744905470547, -997.9577978186073), 1.0188972037190795e-114),
        # Of a ratio of gamma functions beyond the range: was inf
        ("hyp1f1", (42.188453355272486, 206.0995870379287, 803.237171187233), 3.9282276110316796e205),
        # Small beside its terms although the argument is large: was 0
        ("hyp1f1", (-58.04985246785256, 689.5236533772866, 1000.0), 2.3505690391993066e-33),
        # Taylor steps that a second parameter makes short: -3e4 before
        ("hyp1f1", (-160.16986911235853, 2780.586882392423, 413.6674751050693), 5.418951432273874e-12),
        # Gamma functions below the range, and terms after number -b: 2.4 times as much, and inf
        ("hyp0f1", (-169.04901039716324, -6429.927394718077), 3.7839145380128513e19),
        ("hyp0f1", (-173.01062456449344, -11969.097836612631), 1.0404991933838083e42),
        # Far left of 0 with a large third parameter: 5e-4 off, not told
        (
            "hyp2f1",
            (11.286898067910652, 10.224467586203847, 313.13981264279784, -58.716845736876216),
            7.7777146095753267e-5,
        ),
        # Small beside the terms of all sums: NaN before
        (
            "hyp2f1",
            (133.83507180842258, 234.3302455604806, 96.38362484472235, -1.5879482251459769),
            5.7231083060756979e-118,
        ),
        (
            "hyp2f1",
            (-1776.5746654002107, 209.31788112021047, 2.1696437150242747, 0.687856252542667),
            6.0072344179308994e-245,
        ),
        (
            "hyp2f1",
            (-0.20464841983440357, -537.6393149816071, 0.21040599349138367, 0.9925447081166133),
            7.3635139577208891,
        ),
    ],
)
def test_hypergeometric_functions_of_large_parameters(name, x, want):
    testing.assert_allclose(getattr(s, name)(*map(sa.asarray, x)), want, rtol=1e-11)


SLOPES = [
    ("hyp1f1", 0, (-100.25, 3.5, 60.0)),
    ("hyp1f1", 1, (-90.0, 21.25, 125.0)),
    ("hyp1f1", 0, (-90.0, 21.25, 125.0)),
    ("hyperu", 0, (-2.0 + 2.0**-23, 6.5, 12.0)),
    ("hyperu", 0, (-12.0 + 2.0**-23, 3.25, 1.5)),
    ("hyperu", 1, (-5.0, 20.0, 3.5)),
    ("hyperu", 0, (-37.0, 41.0, 0.03125)),
    ("hyp2f1", 1, (-31.0, 33.25, -39.125, 0.9990234375)),
    ("hyp2f1", 2, (-31.0, 33.25, -39.125, 0.9990234375)),
    ("hyp2f1", 0, (-28.0, -38.125, 1.25, 0.96875)),
    # 2e-8 off by a step down from larger functions, 4e-10 by gamma functions next to poles
    ("hyperu", 1, (2.671628177929252e-08, 3.9999999999999982, 0.005405655423735666)),
    ("hyperu", 1, (1.1409271131135019e-07, 5.015774445830573, 0.0021627922331464446)),
    ("hyp1f1", 1, (-2.0, -2.9990000000001, -90.0)),
]


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("name", "which", "x"), SLOPES)
def test_slopes_of_large_parameters_and_next_to_polynomials(name, which, x, order):
    exact = getattr(mpmath, name)
    with mpmath.workdps(120):
        h = mpmath.mpf(10) ** -20
        values = [
            exact(*(mpmath.mpf(v) + k * h * (i == which) for i, v in enumerate(x)), maxprec=20000) for k in (-1, 0, 1)
        ]
        expected = (values[2] - values[0]) / (2 * h) if order == 1 else (values[2] - 2 * values[1] + values[0]) / h**2
    f = lambda t: getattr(s, name)(*(t if i == which else v for i, v in enumerate(x)))
    slope = sa.grad(f) if order == 1 else sa.grad(sa.grad(f))
    testing.assert_allclose(slope(sa.asarray(x[which])), float(expected.real), rtol=1e-11)


def test_slopes_of_scaled_functions_keep_their_digits():
    z = 1e4
    with mpmath.workdps(60):
        ive = mpmath.diff(lambda t: mpmath.besseli(0.75, t) * mpmath.exp(-t), z)
        kve = mpmath.diff(lambda t: mpmath.besselk(0.75, t) * mpmath.exp(t), z, 2)
        ai = mpmath.diff(lambda t: mpmath.airyai(t) * mpmath.exp(2 * t * mpmath.sqrt(t) / 3), 100)
    testing.assert_allclose(sa.grad(lambda t: s.ive(0.75, t))(sa.asarray(z)), float(ive), rtol=1e-14)
    testing.assert_allclose(sa.grad(sa.grad(lambda t: s.kve(0.75, t)))(sa.asarray(z)), float(kve), rtol=1e-14)
    testing.assert_allclose(sa.grad(lambda t: s.airye(t)[0])(sa.asarray(100.0)), float(ai), rtol=1e-14)


KELVIN_ZEROS = [f"{n}_zeros" for n in ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip")]


@pytest.mark.parametrize("name", KELVIN_ZEROS)
def test_kelvin_zeros(name):
    zeros, f = getattr(s, name)(5), getattr(s, name[: name.index("_")])
    testing.assert_allclose(zeros, getattr(scipy.special, name)(5), rtol=1e-7)
    # What a rounding of the argument does.
    slopes = sa.vjp(f, zeros)[1](sa.ones(5))[0]
    assert np.all(np.abs(np.asarray(f(zeros))) < 1e-15 * np.abs(np.asarray(zeros * slopes)))


@pytest.mark.parametrize("name", ["ai_zeros", "bi_zeros"])
def test_airy_zeros(name):
    for got, peer in zip(getattr(s, name)(40), getattr(scipy.special, name)(40), strict=True):
        testing.assert_allclose(got, peer, rtol=1e-10)


@pytest.mark.parametrize(
    "x",
    [
        # Noise: what grows beside the polynomial was followed in one direction only.
        (-280.0, 251.418, -29.772, 0.066),
        (-343.0, 307.493, -39.654, 0.268),
        (-323.4302209776898, 371.428321385125, -98.64977071508767, 0.8743470064201255),
        # 0 by terms of 1e219
        (-280.0, 276.418, -4.772, 0.066),
        (-110.0, -377.64446983, -51.57892862, -0.80814),
        # Two negative parameters whose terms alternate
        (-3.39, 611.7, 7.0, -0.238),
        (-3.39, 650.3, 7.0, -0.6),
        (-100.0, 71.418, -29.772, 0.066),
    ],
)
def test_sums_that_lost_their_digits(x):
    with mpmath.workdps(700):
        want, condition = conditioned(gauss, x)
        assert abs(float(s.hyp2f1(*x)) / want - 1) < 1e-13 * condition


@pytest.mark.parametrize(
    ("x", "want", "rtol"),
    [
        # Both ends connected by solutions that cancel, which wants powers with twice the digits
        ((51.705, 53.493, 282.393, -349.297), 3.560797972336704e-80, 1e-14),
        ((7.302, 11.819, 288.82, -104.43), 2.908057291602892e-05, 1e-14),
        # A recurrence from functions of which the connection had left 7 digits
        ((-54.283, 57.676, 175.366, -995.034), 6.819433161080086e141, 1e-12),
        # Beyond the range before a power brings them back
        ((-129.1155, 33.784, 261.0825, -377.33), 2.1623919398427035e261, 1e-11),
        ((81.653, -199.7639, 31.7784, -13.5945), 1.081251315366236e265, 1e-12),
        ((-155.393, 58.328, 246.912, -195.7075), 2.696317535110114e294, 1e-11),
    ],
)
def test_gauss_far_left(x, want, rtol):
    testing.assert_allclose(s.hyp2f1(*x), want, rtol=rtol)


def summed(upper, lower, z):
    """A series also of a negative lower parameter: mpmath's own sum ends before its terms grow again behind the pole."""
    total = term = mpmath.mpf(1)
    least = max(0, *(-v for v in (*upper, *lower))) + 5
    n = 0
    while term and (n <= least or abs(term) > abs(total) * mpmath.eps):
        factor = mpmath.fprod(v + n for v in upper) / mpmath.fprod(v + n for v in lower)
        term = term * factor / (n + 1) * z
        total, n = total + term, n + 1
    return total


def gauss(a, b, c, x):
    """The function for `x < 1` by DLMF 15.2.1 and 15.8.4, left of 0 by 15.8.1."""
    if any(v <= 0 and v == mpmath.nint(v) for v in (a, b)):
        return summed([a, b], [c], x)
    if x < 0:
        return (1 - x) ** -a * gauss(a, c - b, c, x / (x - 1))
    e, w = c - a - b, 1 - x
    # The connection has poles at integers.
    if x < (0.97 if e == mpmath.nint(e) else 0.75):
        return summed([a, b], [c], x)
    first = mpmath.gammaprod([c, e], [c - a, c - b]) * summed([a, b], [1 - e], w)
    return first + mpmath.gammaprod([c, -e], [a, b]) * w**e * summed([c - a, c - b], [1 + e], w)


def kummer(a, b, x):
    return summed([a], [b], x)


def slope_in(f, which):
    step = mpmath.mpf(10) ** -40
    at = lambda x, h: f(*(v + h if i == which else v for i, v in enumerate(x)))
    return lambda *x: (at(x, step) - at(x, -step)) / (2 * step)


def conditioned(f, point):
    """A value and its relative condition in all arguments."""
    x = [mpmath.mpf(v) for v in point]
    value, step = f(*x), mpmath.mpf(2) ** -200
    condition = 1
    for i in range(len(x)):
        moved = [v * (1 + step) if i == k else v for k, v in enumerate(x)]
        condition += abs((f(*moved) - value) / step / value) if value else 0
    return value, condition


parameters = st.tuples(st.floats(0, 2.5), st.sampled_from([-1.0, 1.0])).map(lambda v: v[1] * 10 ** v[0])
points = st.one_of(
    st.floats(-0.999, 0.999),
    st.floats(-5, -0.2).map(lambda v: 1 - 10**v),
    st.floats(-1, 3).map(lambda v: -(10**v)),
).filter(lambda x: abs(x) > 1e-6)


@settings(max_examples=max(20, settings.default.max_examples // 4), deadline=None)
@example(-124.07397955931502, -7.808326057045213, -764.7630211223362, 0.6949744256453636)
@example(2.4676615931270813, -3.220609564554126, 158.48172034348522, 0.9810291864453039)
@example(-86.52948056867213, 47.813530022614835, -50.6592948086412, 0.4601310017662634)
@example(172.91996562553666, 76.63541862158081, -21.288576859896846, -0.06986197856202359)
@example(80.58421877614818, -273.8419634264361, -3.1622776601683795, 0.734375)
@given(parameters, parameters, parameters, points)
def test_gauss_of_large_parameters_at_random(a, b, c, x):
    for v in (a, b, c, c - a, c - b, c - a - b, a - b):
        assume(abs(v - round(v)) > 1e-6)
    with mpmath.workdps(700):
        want, condition = conditioned(gauss, (a, b, c, x))
        assume(1e-290 < abs(want) < 1e300)
        got = float(s.hyp2f1(a, b, c, x))
        assert math.isnan(got) or abs(got / want - 1) < 1e-12 * condition, (got, want, condition)


uppers = st.one_of(st.integers(-12, 0).map(float), st.floats(-20, 20))
lowers = st.floats(-20, 20).filter(lambda c: abs(c - round(c)) > 1e-3)


def check_slope(name, exact, which, point, digits=200):
    least = min((abs(v) for v in point if v), default=1.0)
    # A slope may be as small as the least parameter is, next to values of 1.
    with mpmath.workdps(digits + max(0, -math.frexp(least)[1] // 3)):
        want, condition = conditioned(slope_in(exact, which), point)
        f = lambda t: getattr(s, name)(*(t if i == which else v for i, v in enumerate(point)))
        got = float(sa.grad(f)(sa.asarray(point[which])))
        assert abs(got - want) <= 1e-12 * condition * abs(want), (got, want, condition)


@settings(max_examples=max(20, settings.default.max_examples // 4), deadline=None)
@example(0, -1.0, 1.159, -2.3, 0.1)
@example(0, -1.0, 1.159, -1.105, 0.675)
@example(1, 56.5, 106.69471547077642, -46.5, -1.6837459645711699)
@example(2, -2.281950778944197e-20, 12.07305467985934, 3.6461374000521545, -0.11667191683359929)
@example(1, -3.0594681642708126e-18, 2.1872718327800474e-3, 4.9393129755660965, 0.9999)
@example(2, -8.645843905553887, 9.257207621854027e-15, 16.57171216557569, 0.04076341576506115)
@given(st.integers(0, 2), uppers, uppers, lowers, points.filter(lambda x: x > -30))
def test_slopes_of_gauss_at_random(which, a, b, c, x):
    # Of such a parameter derivatives in the others may be as large as the roundings of a value of 1 (docs/ACCURACY.md).
    assume(all(v == 0 or abs(v) >= 1e-20 for i, v in enumerate((a, b)) if i != which))
    check_slope("hyp2f1", gauss, which, (a, b, c, x))


@pytest.mark.parametrize(
    ("which", "x"),
    [
        (1, (2.0544328241817463e-9, -2.8655365229415253e-3, -1.35987887641442, -2.833227794993667e59)),
        (0, (-5.6603958025068124e-2, 2.867423033363934e-13, -1.4002234850087307, -5.626554379430073e50)),
    ],
)
def test_slopes_of_gauss_far_left_beside_a_slight_parameter(which, x):
    check_slope("hyp2f1", gauss, which, x)


def test_slope_of_gauss_beside_two_slight_parameters():
    check_slope("hyp2f1", gauss, 0, (0.0, 9.056840321326512e-35, 3.141592653589793, 0.984375))


@settings(max_examples=max(20, settings.default.max_examples // 4), deadline=None)
@example(1, 0.0, 16.27, -29.87)
@example(1, 3.145197409853058e-282, 1.5, -1.0)
@example(1, -2.782309726661254e-58, -4.030013814317712, -58.80790957763688)
@example(1, 4.2683349518132645e-60, 13.451640110811333, -39.41788739743613)
@given(st.integers(0, 1), uppers, lowers, st.floats(-30, 30).filter(lambda x: abs(x) > 1e-6))
def test_slopes_of_kummer_at_random(which, a, b, x):
    # The numbers beside the least ones have few digits.
    assume(a == 0 or abs(a) > 1e-290)
    check_slope("hyp1f1", kummer, which, (a, b, x))


@pytest.mark.parametrize(
    ("name", "exact", "x"),
    [
        ("hyp1f1", kummer, (-4.0, -320.75, 8.265 + 234.97j)),
        ("hyp1f1", kummer, (-1.0, -55.38, 46.41 + 124.12j)),
        ("hyp1f1", kummer, (1.0, -562.34, 70.29)),
        ("hyp2f1", gauss, (0.0, -197.955, 12.3633, 0.97987)),
    ],
)
def test_slopes_of_values_that_end_before_them(name, exact, x):
    with mpmath.workdps(400):
        want = type(x[-1])(slope_in(exact, 0)(*map(mpmath.mpmathify, x)))
    a, *others = map(sa.asarray, x)
    _, got = sa.jvp(lambda a: getattr(s, name)(a, *others), (a,), (sa.ones_like(a),))
    testing.assert_allclose(got, want, rtol=1e-11)


@settings(max_examples=max(10, settings.default.max_examples // 8), deadline=None)
@example(None, 737.0722675267732, -2275.6004228230136, 0.04518310)
@example(None, 697.202821824272, -2336.419577802947, 0.1310665)
@example(1, 418.24382202694886, -2231.908368472701, 0.1790197)
@example(0, 230.75656147189406, -1178.0630307686831, 0.1725613)
@example(0, 1.0, -562.341325190349, 0.125)
@given(
    st.sampled_from([None, 0, 1]),
    st.floats(-1, 3.5).map(lambda e: 10**e),
    st.floats(2.4, 3.5).map(lambda e: -(10**e)),
    st.floats(0.01, 0.24),
)
def test_kummer_that_falls(which, a, b, share):
    # The terms alternate, and those behind the pole of the second parameter do not
    assume(abs(b - round(b)) > 1e-6)
    point = (a, b, -b * share)
    with mpmath.workdps(700):
        want, condition = conditioned(kummer, point)
        assume(1e-290 < abs(want) < 1e290)
        if which is None:
            got = float(s.hyp1f1(*point))
            assert abs(got / want - 1) < 64 * 2.0**-52 * condition, (got, want, condition)
        else:
            check_slope("hyp1f1", kummer, which, point, 700)


@settings(max_examples=max(10, settings.default.max_examples // 8), deadline=None)
@example(967.33844575, -3035.97107957, -811.6191969)
@example(31.60374218, -560.54393155, -472.54304019)
@example(102.46055442408169, -1002.4230516019657, -1979.3914263189326)
@given(*[st.floats(-1000, 1000)] * 3)
def test_kummer_of_large_parameters_at_random(a, b, x):
    assume(abs(b - round(b)) > 1e-6 and abs(x) > 1e-6)
    with mpmath.workdps(1500):
        want, condition = conditioned(kummer, (a, b, x))
        assume(1e-290 < abs(want) < 1e290)
        got = float(s.hyp1f1(a, b, x))
        assert abs(got / want - 1) < 64 * 2.0**-52 * condition, (got, want, condition)


@pytest.mark.parametrize(
    ("x", "want"),
    [
        # Below the range of what begins near 1
        ((-1533.954942313744, 1913.616620666367, 460.58501839474775), 7.098878217737151e-239),
        ((-1272.8898776249844, 464.0702205084408, 1394.6860014111283), 4.8274145513275612e-128),
        ((-4725.124999936814, -7019.3889202896025, -6292.012363740549), -1.0083727888175925e108),
        # Poles far off
        ((-6109.438254514162, -6472.6107317420965, -3036.9459099330197), -62090484297816.44),
        ((-55.737522935951915, -6106.227721539557, 5524.540442662944), -INF),
        # Gamma functions and powers out of range
        ((261.6380380522496, 325.787203999992, 1279.2208601590037), INF),
        ((-0.26647814105650725, 159.88047137095188, 6548.544242950882), -INF),
        ((-29.9310952, 46.1661042, 1400751.8), INF),
        ((-0.0006070190019978736, 58.0, 13867351.223005261), -INF),
        # Both parts
        ((-49.218691857256474, 0.0021152390827535697, 106384024.83047463), INF),
        ((-52.17569986454543, 34.5, 65397261.12082421), -INF),
    ],
)
def test_kummer_out_of_the_range_on_the_way(x, want):
    testing.assert_allclose(s.hyp1f1(*x), want, rtol=1e-11)


@settings(max_examples=max(20, settings.default.max_examples // 4), deadline=None)
@example(0, 2.065, -53594.2)
@example(-1, 2.065, 5e4)
@example(-30, 3.3, 1e4)
@given(st.integers(-30, 0), st.floats(0.1, 60), st.floats(3.5, 9).map(lambda e: 10**e) | st.floats(-1e9, -1e3))
def test_kummer_polynomials_far_out(a, b, x):
    with mpmath.workdps(60):
        want = float(kummer(mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(x)))
        slope = float(a / mpmath.mpf(b) * kummer(mpmath.mpf(a + 1), mpmath.mpf(b) + 1, mpmath.mpf(x))) if a else 0.0
    f = lambda v: s.hyp1f1(a, b, v)
    for v in (x, complex(x, 0.0)):
        v = sa.asarray(v)
        got = sa.jvp(f, (v,), (sa.ones_like(v),))
        np.testing.assert_allclose([complex(part) for part in got], [want, slope], rtol=1e-12)


@pytest.mark.parametrize("which", [1, 2])
def test_slopes_of_kummer_that_overflow(which):
    x = [12.1419475, 30.4324041, 1685065.72]
    got = sa.grad(lambda v: s.hyp1f1(*x[: which - 1], v, *x[which:]))(sa.asarray(x[which - 1]))
    assert float(got) == (INF if which == 1 else -INF)


@pytest.mark.parametrize("x", [0.75, -3.0, 2.0 + 1j])
@pytest.mark.parametrize(
    ("upper", "lower"), [((-2,), -3), ((-2,), -2), ((-1,), -1), ((-1, 0.75), -4), ((-3, 0.75), -3), ((0, 0.75), -2)]
)
def test_slopes_of_polynomials_whose_lower_parameter_is_a_pole(upper, lower, x):
    f = s.hyp1f1 if len(upper) == 1 else s.hyp2f1
    terms = [
        math.prod(math.prod(a + j for j in range(k)) for a in upper)
        / (math.prod(lower + j for j in range(k)) * math.factorial(k))
        for k in range(-int(upper[0]) + 1)
    ]
    want = np.polynomial.Polynomial(terms)
    of_lower = np.polynomial.Polynomial([-t * sum(1 / (lower + j) for j in range(k)) for k, t in enumerate(terms)])
    value = lambda c, v: f(*map(float, upper), c, v)
    g = lambda v: value(sa.asarray(float(lower)), v)
    by_lower = lambda v: sa.jvp(lambda c: value(c, v), (sa.asarray(float(lower)),), (sa.asarray(1.0),))[1]
    v = sa.asarray(x)
    for _ in range(4):
        testing.assert_allclose(g(v), want(x), rtol=1e-14, atol=1e-14)
        g, want = (lambda h: lambda v: sa.jvp(h, (v,), (sa.ones_like(v),))[1])(g), want.deriv()
    testing.assert_allclose(by_lower(v), of_lower(x), rtol=1e-14, atol=1e-14)
    _, mixed = sa.jvp(by_lower, (v,), (sa.ones_like(v),))
    testing.assert_allclose(mixed, of_lower.deriv()(x), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(
    ("x", "want", "rtol"),
    [
        # From third parameters between 1 and 2, in steps of 1
        ((822.38, 252.76, -45.637, -0.85526), -6.438915801423575e-86, 2e-12),
        ((-453.48, -457.93, -24.335, -0.74836), -6.703816120159986e147, 2e-12),
        ((744.53, -452.0, -4.7338, 0.17474), 9.081945308823904e22, 2e-12),
        ((591.46, -276.37, -182.56, 0.56116), -1.5694861557052403e196, 2e-12),
        ((535.67, 189.55, -2.4394, -0.51909), -3.2112788676088994e-60, 2e-12),
        ((-86.529, 47.814, -50.659, 0.46013), 3.691616995373301e20, 2e-12),
        # From both ends, where `c - a - b` is 0 or next to it
        ((-25.04, 26.34, 1.3, 0.8822), 0.013134006149891839, 1e-13),
        ((-30.96, 32.26, 1.3, 0.75), -0.026382479582761436, 1e-13),
        # With parameters at both ends next to poles of gamma functions, whose second doubles count there
        ((-51.999999999999886, 23.0, -25.999999999999968, 0.6417782615118789), -3.333270599328574e24, 1e-13),
        (
            (-55.999999999999936, 0.4737230956402909, -50.52627690435998, 0.9816398151686183),
            0.036856206555817936,
            1e-12,
        ),
        (
            (-3.9999999891709863, 0.9999999999999993, -51.99999998917099, -125.38322610379227),
            0.07875644731057943,
            1e-13,
        ),
        ((-6.999999999998505, -5.999999999999999, -44.99999999999851, -611.481131088528), 54247061346.65951, 1e-13),
        (
            (-3.522396395795751e-10, -5.999999999900653, -14.725969533899445, -517.9995381074152),
            -252.74109709708125,
            1e-13,
        ),
        # Matched at 1/2, where parts of slopes cancel
        (
            (2.999999999954324, 1.623737255393198e-07, -40.99999983767195, -589.3360104060034),
            -0.00022025106223890847,
            1e-12,
        ),
        ((2.4103302206012195e-12, -1.0191758351944013e-17, -58.379157005002945, -1942.460173672217), 1.0, 1e-13),
        # A solution about 1 by logarithms beside a series out of range
        ((-46.5, 5.99999999513642, 98.50000000485531, 0.9670402042256447), 0.09787160553031785, 1e-13),
        # Polynomials of which powers of `1 - x` are a factor
        ((-46.0, 44.2814892462486, 5.281489246248597, 0.999999916613205), -6.47313322330425e-48, 1e-13),
        ((2.546317587407156, -25.0, -4.453682412592844, 0.9999999999999686), 1.0257919430288039e-235, 1e-13),
        ((49.999999999999986, 52.0, 18.0, -7877.092133461007), 1.955877217953034e-213, 1e-13),
        # By the differential equation, next to poles of the third parameter
        ((46.0, -57.00000000006163, -14.000000000061632, 0.3607798526486006), 7.737934207499043e20, 1e-13),
        ((49.990891142260246, 45.5, -56.99999999258631, -1.4296554864716708), -64544283504763.07, 1e-13),
        ((42.50000006628067, 59.26383841317573, -7.00000072618949, -0.6006052477175581), 637.8348915722661, 1e-12),
        # From both ends, with gamma functions by their logarithms
        ((-10.84, -535.74, 72.308, 0.99996), 5701121703.5608, 2e-12),
        ((-378.15, -27.042, -52.522, 0.98281), -1.776240973275732e25, 2e-12),
        ((-607.61, 119.92, -4.8528, 0.99998), 1.6282269892642766e-121, 2e-12),
        ((243.35, -171.28, 4.6109, 0.99998), 3.976793859556586e246, 1e-9),
        ((2.0939, -119.17, -174.64, 0.99935), -6.938365188656745e138, 4e-11),
        ((21.508, 235.03, -108.86, -27.646), 5.2101345592941055e-37, 2e-12),
        ((-85.988, 405.63, -289.46, -11.762), 1.2615235963834912e113, 2e-12),
        ((-21.884, 34.941, -620.89, -200.84), -6.756047066838807e23, 4e-11),
        ((4.3774, 988.22, -741.39, -420.34), 6.846721752341303e-13, 2e-12),
        # Factors out of range
        ((-1.2626, 2.5009, -241.19, 0.99944), INF, 0),
        ((46.939, 947.45, -10.613, 0.97224), -INF, 0),
        ((-515.76, 147.49, -225.76, -261.17), INF, 0),
    ],
)
def test_gauss_of_large_parameters(x, want, rtol):
    testing.assert_allclose(s.hyp2f1(*x), want, rtol=rtol)


@pytest.mark.parametrize(
    ("x", "want", "rtol"),
    [
        # By the differential equation, for third parameters below 0
        (
            (8.0, -52.0, -35.000000000007084, 1.073487911046475 + 0.12728479567459666j),
            -3.9498288178460675e24 - 4.262973414711206e24j,
            1e-13,
        ),
        (
            (22.0, 35.0, -7.999999999999985, 1.705023757951054 + 2.953187776881674j),
            -1.8948853961241848e18 - 8.451276856987696e19j,
            1e-13,
        ),
        # By that from farther out
        (
            (-43.0000004792301, -15.45445886761663, -56.2975623714663, 0.5030044062161934 + 0.871000751698558j),
            0.32335671590275933 + 0.012021603442365811j,
            1e-13,
        ),
        (
            (-4.435788782188764, -55.5, -59.935788782188766, 0.5000010941464985 + 0.8660312777739109j),
            -0.3103880054966657 + 0.8015096359476158j,
            1e-13,
        ),
        (
            (38.0000002400409, -15.000000000000004, -11.999999759959106, 0.9843959578589461 + 0.004540169366330742j),
            -3.4552236784323997e53 - 1.7323046471088626e53j,
            1e-13,
        ),
        ((-45.8, -16.8, -48.8, 2.17 - 0.13j), 0.48610427614931134 + 0.11542570947437618j, 1e-13),
        # A polynomial of which a power of `1 - z` is a factor
        (
            (47.0, -47.0, 34.0, 1.0020294382118735 + 0.0003297723804086459j),
            -4.517730936349201e-92 + 4.618054398243763e-92j,
            2e-13,
        ),
    ],
)
def test_gauss_of_large_parameters_in_the_plane(x, want, rtol):
    testing.assert_allclose(s.hyp2f1(*x), want, rtol=rtol)


def test_kummer_is_real_on_the_real_axis():
    rng = np.random.default_rng(5)
    a, b, z = rng.uniform(-2.0, 2.0, 400), rng.uniform(0.2, 80.0, 400), -rng.uniform(30.0, 300.0, 400)
    args = [sa.asarray(v) for v in (a, b, z + 0j)]
    slope = sa.jvp(lambda b: sa.special.hyp1f1(args[0], b, args[2]), (args[1],), (sa.ones(400),))[1]
    for got in (sa.special.hyp1f1(*args), slope):
        assert np.all(np.asarray(got).imag == 0.0)
