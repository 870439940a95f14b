"""The special functions beside SciPy's at random arguments; where the two differ, mpmath decides. Derivatives beside mpmath's.

The domains are those of the reference tables.
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import catalogue
import make_tables
import measure
import mpmath
import numpy as np
import pytest
import referee
import scipy.special
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf

import sciarray as sa

#: Of each function; the deep profile's thousand take an hour of one core.
EXAMPLES = settings().max_examples if settings().max_examples > 100 else 5


NAMES = [n for n in catalogue.ENTRIES if referee.has_peer(n)]


def part(column: np.ndarray) -> st.SearchStrategy[float]:
    """Numbers between the ends of a column: evenly, by magnitude, at halves and next to them; whole ones if all are."""
    low, high = float(column.min()), float(column.max())
    if low == high:
        return st.just(low)
    if (column == np.floor(column)).all() and np.abs(column).max() < 1e6:
        return st.integers(int(low), int(high)).map(float)
    among = st.floats(low, high)
    if low * high > 0 and max(low / high, high / low) > 100:
        sign = math.copysign(1.0, low)
        logs = sorted((math.log2(abs(low)), math.log2(abs(high))))
        among |= st.floats(*logs).map(lambda e: min(max(sign * 2.0**e, low), high))
    halves = st.integers(math.ceil(2 * max(low, -1e6)), math.floor(2 * min(high, 1e6))).map(lambda k: k / 2)
    if math.ceil(2 * max(low, -1e6)) <= math.floor(2 * min(high, 1e6)):
        beside = st.builds(lambda x, k, s: x * (1 + s * 2.0**-k), halves, st.integers(5, 52), st.sampled_from([-1, 1]))
        among |= halves | beside.filter(lambda x: low <= x <= high)
    # Next to the smallest numbers other things overflow.
    return among.filter(lambda x: x == 0 or abs(x) > 1e-290) if np.abs(column).max() > 1e-250 else among


@functools.cache
def points(name: str) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    entry = catalogue.ENTRIES[name]
    rng = np.random.default_rng(3)

    def of_region(x: np.ndarray) -> st.SearchStrategy[list[tuple[Any, ...]]]:
        args = []
        for i, column in enumerate(x.T):
            if not entry.complex or i in entry.real:
                args.append(part(column.real))
            else:
                # A cut has the values of one side here and those of each side of zero there.
                args.append(st.builds(complex, part(column.real), part(column.imag)).map(lambda z: z + 0))
        return st.lists(st.tuples(*args), min_size=1, max_size=16)

    return st.one_of([of_region(x) for x in make_tables.points(entry, 200, rng)])


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_scipy_or_mpmath_agrees(name, data):
    entry = catalogue.ENTRIES[name]
    ours, peer = entry.call(sa.special), entry.call(scipy.special)
    xs = data.draw(points(name))
    args = [np.array(a) for a in zip(*xs, strict=True)]
    got = np.asarray(ours(*map(sa.asarray, args)))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = np.asarray(peer(*args)).astype(got.dtype)
        size = np.abs(got) + (referee.conditions(entry, ours, args) if entry.conditioned else 0.0)
        apart = np.abs(got - theirs) / (measure.EPS * size)
    for k in np.flatnonzero(np.isnan(apart)):
        apart[k] = 0.0 if referee.same(got[k].item(), theirs[k].item()) else math.inf
    apart[got == theirs] = 0.0
    # The points that differ the most, as long as mpmath would take for all of them
    for k in np.argsort(-apart)[:2]:
        if apart[k] > entry.goal / 2:
            error = referee.judged(entry, xs[k], got[k].item())
            assert error is None or error <= entry.goal, (name, xs[k], got[k].item(), theirs[k].item(), error)


SLOPED = [n for n, entry in catalogue.ENTRIES.items() if entry.free]


@pytest.mark.parametrize("name", SLOPED)
@settings(max_examples=max(1, EXAMPLES // 5))
@given(data=st.data())
def test_mpmath_agrees_with_slopes(name, data):
    entry = catalogue.ENTRIES[name]
    x = data.draw(points(name))[0]
    which = data.draw(st.sampled_from(catalogue.orders(entry)))
    # Powers of negative numbers are real at whole exponents only.
    assume(not (name in ("pow", "powm1") and x[0] < 0 and 1 in which))
    # In these, so small parameters are not found beside 1 (docs/ACCURACY.md).
    assume(not (name.startswith("eval_jacobi") and 3 in which and max(map(abs, x[1:])) < 1e-15))
    assume(not (name == "hyp2f1[c]" and min(which) < 3 and any(0 < abs(v) < 1e-20 for v in x[:2])))
    f, args = entry.call(sa.special), [sa.asarray(v) for v in x]
    # Where there is no number the values are judged.
    assume(np.isfinite(np.asarray(f(*args)).item()))
    got = np.asarray(measure.slope(f, args, which)).item()
    error = referee.judged_slope(entry, x, which, got)
    assert error is None or error <= measure.GOALS["first"], (name, x, which, got, error)


@pytest.mark.parametrize(
    ("name", "x", "which", "jumps"),
    [
        ("poch", (-1.0, 0.0), (1,), True),
        ("poch", (-2.0, 1.0), (1,), True),
        ("poch", (-2.0, 1.0), (0,), False),
        ("smirnov", (4.0, 0.5), (1,), False),
        ("smirnov", (4.0, 0.5), (1, 1), True),
        ("smirnov", (4.0, 0.4), (1, 1), False),
        ("xlogy", (0.0, 1.0), (0,), False),
        ("erf", (0.0,), (0,), False),
        ("hyp1f1", (0.5, 1.5, 2.0), (0, 2), False),
        ("lambertw_0[c]", (-0.3 + 0.1j,), (0,), False),
        ("eval_gegenbauer[c]", (12.0, 2.5, -1.25 + 0j), (0,), True),
        ("eval_gegenbauer[c]", (12.0, 2.5, -1.25 + 0j), (1,), False),
    ],
)
def test_the_referee_sees_jumps(name, x, which, jumps):
    f = referee.reference(catalogue.ENTRIES[name], x)
    assert f is not None
    assert referee.jumps(f, which) == jumps


#: What a long run has found, each with a cause of its own.
FOUND = [
    ("gammaln", (-2.61328125,)),
    ("gammaln", (-2.61106,)),
    ("eval_genlaguerre", (-2.0, 1.0, 1.0)),
    ("eval_genlaguerre", (-1.0, 5.405852956881452e-225, 1.0)),
    ("eval_genlaguerre[c]", (-1.0, 5.405852956881452e-225, 1.0 + 0j)),
    ("eval_jacobi", (-1.0, 1e-20, 0.3, 0.5)),
    ("eval_jacobi", (-1.0, 4.4675533563758994e-287, 0.0, 0.0)),
    ("hyperu", (1.2589231231107862e-158, 3.5, 0.01171875)),
    ("hyperu", (1e-158, 7.5, 0.001)),
    ("hyperu", (-1e-50, 2.5, 1e-20)),
    ("i0e", (0.9999999999999858,)),
    ("k1e", (0.9999999999295218,)),
    ("exprel", (702.9113353411408,)),
    ("digamma", (2.0713217828230475,)),
    ("iv", (37.939903259277344, 712.1043701171875)),
    ("spherical_jn", (230.0, 235.4252877482582)),
    (
        "elliprj[c]",
        (
            0.06524240157953876 + 0j,
            -0.18282741619518753 - 0.08738785511850657j,
            -0.18282741619518753 + 0.08738785511850657j,
            -0.2528269978512556 + 1.93993250152787e-05j,
        ),
    ),
    ("eval_jacobi[c]", (-1.0, 1e-20, 0.3, 0.5 + 0.1j)),
    ("eval_gegenbauer", (-1.0, 1e-20, 0.5)),
    ("eval_gegenbauer[c]", (-2.0, 1e-20, 0.5 + 0.1j)),
    ("eval_jacobi[c]", (39.0, 3.499999999999975, 0.8495485671180791, 0j)),
    ("eval_jacobi[c]", (17.0, -0.5295884599336134, 3.427057870632756, 0.9456796503622569 + 0j)),
    ("eval_laguerre", (38.0, 4.3591960588302505e-11)),
    ("eval_genlaguerre[c]", (19.0, 0.0, 1.192092896e-07 + 0j)),
    ("cosm1", (32.90885816625297,)),
    ("hyp1f1[c]", (0.125, 19.0, -1.0 + 85j)),
    ("hyp1f1[c]", (0.25, 13.0, -13.5 + 70j)),
    ("hyp1f1[c]", (0.25, 40.0, -13.5 + 60j)),
    ("hyp1f1[c]", (0.25, 70.25, -44.0 + 73.5j)),
    ("hyp1f1[c]", (-0.06261978633598475, 23.46104314559561, -2.7810843978114725 + 79.04560143301559j)),
    ("hyp1f1[c]", (-23.5, 3.791677569744539e-286, 53.0 + 70j)),
    ("shichi_shi", (490.0074768066406,)),
    ("gammainccinv", (0.5, 0.12232150776096251)),
    ("gammaincc", (0.5, 1.25)),
    ("fdtr", (1.0, 15.90588275928481, 1.0)),
    ("binom", (66468627.0, 0.030089247971773148)),
    ("jn", (182.0, 5.96875)),
    ("jn", (30.0, 32.5)),
    ("hyp1f1", (272.0, 23.0, 216.0)),
    ("hyp1f1", (6.0, 171.2674579883188, 119.23634921520403)),
    ("hyp1f1", (-43.90625, 342.0, 21.0)),
    ("hyp1f1", (-43.90625, 342.0, 120.0)),
    ("hyp1f1", (20.0, 544.0, -278033.59375)),
    ("hyp1f1[c]", (-20.0, 9.0, 255.88636647181048 + 345.48147053616054j)),
    ("hyp1f1[c]", (-23.842222466519125, 38.0, 308.35015398269036 - 473.21395793697167j)),
    (
        "hyp2f1[c]",
        (1.7392937422875603, 49.635632689122865, 675.7387073578036, 0.8078291627828372 + 0.06959882615768463j),
    ),
    ("hyp2f1[c]", (669.291307113349, 3.0, 696.2165354718298, -3 - 3e-17j)),
    ("hyp2f1[c]", (1.747, 0.402, 494.4, 8.5j)),
    ("hyp2f1[c]", (3.0, -1.0, 114.78114146055394, -3.8628840608213886 + 5.487207601257739j)),
    ("eval_gegenbauer", (36.707, 23.1878, -0.811302)),
    ("eval_genlaguerre[c]", (1635.8769664405313, 0.0, 3.0248 + 4.141j)),
    ("hyp2f1", (-3.125, 0.1979213866356524, 663.75, 0.740462209814212)),
    ("hyp2f1", (-20.5, 30.5, 900.0, 0.90625)),
    ("tklmbda", (-3.049450680317608e-08, 27.0)),
    ("chdtriv", (1e-14, 4.338574734093279e-06)),
    ("lpmv", (4.0, 429.0, 0.424381353969268)),
    ("polygamma", (115.0, 511.0)),
    ("polygamma", (120.0, 511.0)),
    ("polygamma", (200.0, 100.0)),
    ("jv[c]", (152.0, 30 + 0j)),
    ("fresnel_c[c]", (23 + 9.87890625j,)),
    ("iv[c]", (380.5, 265.5j)),
    ("lpmv", (3.0, 0.03716272234383503, 0.0)),
    ("eval_sh_jacobi", (11.0, 0.0, 0.3125, 0.0015044623287394643)),
    ("eval_jacobi", (15.5, 0.0, 0.25, 0.0)),
    ("eval_jacobi", (3.0, 0.0, 0.0, 1e-30)),
    ("eval_jacobi[c]", (3.0, 0.0, 0.0, 1.6975258617189575e-105 + 0j)),
    ("rgamma[c]", (7.836623070504361e-08j,)),
    ("hankel1e[c]", (16.0, 118 - 1j)),
    ("airye_ai[c]", (-9.11 + 1.758j,)),
    ("eval_genlaguerre[c]", (36.0, 4.0, 0.5 + 0j)),
    ("hyp2f1", (0.5, 1.0, 2.0, 1.0)),
    ("hyp2f1[c]", (-1.5, -2.48046875, 3.0, 1.5 + 0j)),
    ("eval_genlaguerre", (-1.0, 0.0, 1.0)),
    ("lambertw_0[c]", (-0.38875713391092875 + 0.02734375j,)),
    ("poch", (0.4999999999999999, -1.5)),
    ("elliprc", (532866446.95292556, 1.0643398384857505e-09)),
    ("eval_sh_jacobi", (3.0, -0.31271829432037834, 2.5467296484401856, 0.75)),
    ("eval_jacobi", (28.0, -5.903954004300418, 4.716993958983533, 0.9587952177933785)),
    ("eval_sh_legendre", (15.0, 4.4e-16)),
    ("beta", (1.3842833567012465e-105, -1.8905540222701173e-221)),
    ("beta", (-1e-200, -3e-200)),
    ("betaln", (-1e-160, 3e-160)),
    ("betaln", (1e-5, -1e-306)),
    ("polygamma", (2.0, 3.6381709190814553e106)),
    ("i0e", (0.0,)),
    ("hyp0f1", (-316.2277660168379, 11450.475699382812)),
    ("hyp0f1", (-1690.5324975989647, 65805.79768259553)),
    ("log_ndtr", (-1e17,)),
    ("log_ndtr", (-1.89e154,)),
    ("log_ndtr[c]", (2.5 + 100j,)),
    ("binom", (-10.5, 1e17)),
    ("binom", (5.5, 1e17)),
    ("yv", (1e-100, 1e-300)),
    ("btdtria", (0.25, 171.0, 8.42313169354797e-21)),
    ("gdtrib", (1e-30, 0.5285714285714286, 1e-30)),
    ("elliprj", (0.9999999, 1000.25, 1.0, 1e60)),
    ("eval_chebyt", (1.0, 3e154)),
    ("eval_chebyu", (-3.0, 3e154)),
    ("eval_sh_chebyu", (-3.0, 1e155)),
]


@pytest.mark.parametrize(("name", "x"), FOUND)
def test_found_points_hold_the_goal(name, x):
    entry = catalogue.ENTRIES[name]
    got = np.asarray(entry.call(sa.special)(*map(sa.asarray, x))).item()
    error = referee.judged(entry, x, got)
    assert error is not None and error <= entry.goal


@pytest.mark.parametrize(
    ("name", "x", "which"),
    [
        ("acosh[c]", (0.00011095931878424341 + 2.097884948797035e-06j,), (0, 0)),
        ("acosh[c]", (-1e-7 - 1e-9j,), (0, 0)),
        # The gap of a ratio of gamma functions, of which the parameter and 1 kept no digit
        ("eval_genlaguerre", (0.0, 1e-20, 0.0), (0,)),
        ("eval_genlaguerre[c]", (0.0, 7.399103417013481e-284, 0j), (0,)),
        ("eval_jacobi", (2.5, 1e-30, 0.25, 1.0), (0,)),
        # A term of which the derivative is 0, as reciprocals on either side of a pole add up to nothing
        ("hyp2f1", (0.0, 1e-40, -1.5, -0.5), (0,)),
        ("hyp2f1[c]", (0.0, 3.9e-146, -1.5, 1j), (0,)),
        # Three second derivatives of Gauss's function, of which little is left
        ("eval_gegenbauer", (32.0, 3.5, -0.998046875), (0, 0)),
        ("eval_gegenbauer[c]", (32.0, 3.5, -0.998046875 + 0j), (0, 0)),
        # Closer to 1 than its differential equation was followed
        ("eval_jacobi", (32.5, 3.0, 3.0, -0.998046875), (0, 1)),
        ("hyp2f1[c]", (-43.25, 39.25, 4.0, 1.000000024655354 - 1.9895627325035022e-08j), (2,)),
        # p (1 - p) of p next to 1
        ("logsumexp", (-13.0, -16.0, 0.0), (2, 2)),
        # Small derivatives beside large parameters
        ("hyp2f1", (-0.0023458371221196372, 18.43010562005104, 41.212625107224575, -38.04559319447413), (2, 2)),
        (
            "hyp2f1[c]",
            (-22.982105549573596, -0.0018144620863255422, 11.702061171293838, 0.9196747228564861 - 0.3027342075769213j),
            (2, 2),
        ),
        # Differences over the other parameter, of which the gamma functions leave little
        ("hyp1f1", (-0.0419021948716094, 52.5, -76.93165845230024), (1, 1)),
        ("hyp1f1[c]", (0.25, 49.0, -131.25 - 117.75j), (1, 1)),
        ("hyp1f1[c]", (-0.75, 142.0, -82.5 - 67.5j), (1, 1)),
        ("hyp2f1", (-8.374339483498346, -0.18208626599530148, 53.75841332576793, 0.9969349169438284), (2, 2)),
        ("hyp2f1", (11.506989085628106, -0.3052041472608268, 63.546428697984034, 0.99448395794216), (0, 0)),
        ("hyp2f1", (-0.9495753112159342, -0.08212978206743671, 26.046908869878518, 0.9999975953506774), (1, 1)),
        ("hyp2f1", (-0.8904055331558061, -0.39043307280181505, 187.27418986315658, 1.0), (1, 1)),
        ("hyp2f1", (0.3201630559027233, -0.9663791740496652, 160.0738401745687, 1.0), (0, 0)),
        # Powers in front of sums, of which small derivatives keep no digit
        ("hyp2f1", (-60.405, -0.18261, 48.283, 0.96687), (0, 0)),
        ("hyp2f1", (2.025, -0.0957, 88.33, 0.96342), (0, 0)),
        ("hyp2f1", (49.47709124246069, -0.10814545380902363, 184.49936510026555, 0.7944145453682011), (0, 2)),
        ("hyp2f1", (99.2299344543502, -1.0118568427309826, 129.80340680146614, -5.6125416480148695), (0, 0)),
        ("hyp2f1", (184.76391226614408, -0.3637511238559301, 16.88451958531539, -2.804742351704439), (0, 0)),
        ("hyp2f1", (-0.4332246319161186, -100.85437427337523, 1.145897625029225, 0.9662349580580167), (1, 1)),
        (
            "hyp2f1[c]",
            (175.5517131295539, -2.904564863824837, 152.76164633614533, -2.127361596037356 - 2.0122322372399726j),
            (0, 0),
        ),
        (
            "hyp2f1[c]",
            (-75.88859068406259, -0.20206027905953672, 170.49732028665747, 0.599041738353885 + 0.16338086109185768j),
            (2, 2),
        ),
        # Values that fall below their derivatives, which the way to them keeps
        ("hyp2f1", (45.0, -48.0, 8.0, 0.99999984), (2,)),
        ("hyp2f1", (-57.0, 13.0, 8.0, 0.9999999962783365), (2, 2)),
        # Both terms of the slope of Y in its order nearly cancel
        ("yv", (0.0, 0.0039), (0, 1)),
        ("yv", (1e-6, 0.0039), (0, 1)),
        ("yv[c]", (0.0, 0.00390625j), (0, 1)),
        ("yv[c]", (1e-10, 0.00390625j), (0, 1)),
        # A slope that is odd in the order, far left
        ("kve[c]", (-6.533549233660911e-179, -49.81988385820421 + 17.593085365044033j), (0,)),
        ("kv[c]", (1e-20, -20.0 + 15.0j), (0,)),
        # Next to the middle of the incomplete gamma function
        ("pdtrik", (0.4529599939928987, 18.50000110268593), (1, 1)),
        ("gammainc", (18.327003241429697, 18.50000110268593), (0, 0)),
        # A parameter of which its sum with 1 keeps no digit
        ("eval_genlaguerre", (-1.0, 1e-20, 1.0), (0,)),
        ("eval_genlaguerre", (-1.0, 1e-20, 1.0), (0, 1)),
        # Slight parameters
        ("hyp1f1[c]", (1.0002336957267473e-119, 1.0, -1.0 + 0j), (1,)),
        ("hyp1f1[c]", (7.25463645634623e-05, 1.75, -110.25 + 0j), (0, 0)),
        ("hyp1f1[c]", (-4.5366526843867556e-05, -70.5, -2.25 + 0j), (0, 1)),
        # Hankel's expansion of a negative order
        ("kve[c]", (-11.72039552509814, 1.1231268038287784e-07 - 74.42449217200324j), (0, 1)),
        ("hankel1e[c]", (-11.72, 74 + 1j), (0, 1)),
        # Below the range squared
        ("atan[c]", (7.760534948838851e94 + 16585945088j,), (0, 0)),
        # 1/x overflows
        ("gammaincinv", (0.013762987218797207, 5.645126782705123e-05), (0, 0)),
        ("gammaincinv", (0.013762987218797207, 5.645126782705123e-05), (0, 1)),
        ("gammainccinv", (2.8684132974143007e-05, 0.020569307144843178), (0, 1)),
        # Poles of both gamma functions, of one far closer
        ("eval_genlaguerre", (-1.0000000000000004, 0.05554341687463382, 29.5), (0, 0)),
        ("poch", (-4.999999999999999, -6.0), (0, 1)),
        # Series that end before the pole of the lower parameter
        ("hyp1f1", (-1.0, -2.0, 82.3810909837776), (1, 2)),
        ("hyp1f1", (-1.0, -1.0, 337.6458668260972), (1, 2)),
        ("hyp2f1", (3.25, 17.5, -17.0, -0.0), (2, 3)),
        ("hyp1f1[c]", (-2.0, -3.9999999999995453, -39.62023896464074 + 29.258974881608484j), (1, 2)),
        ("hyp1f1[c]", (-2.0, -3.9999999999995453, -39.62023896464074 + 29.258974881608484j), (1, 1)),
        # By steps of the continued fraction, where those of the last parameter alone lose all
        ("hyp2f1[c]", (-14.08, -19.82, -28.34, 0.83 + 0.99j), (2,)),
        ("hyp2f1[c]", (-14.08, -19.82, -28.34, 0.83 + 0.99j), (0, 0)),
        # A mixed derivative at an exponent of 0, where another power is out of range
        ("pow", (5e-308, 0.0), (0, 1)),
        # The exponent times a power that is out of range itself
        ("powm1", (3e-167, 1e-97), (0, 0)),
        ("pow", (2.5e-155, 1e-10), (0, 0)),
        # Next to a first parameter of 0 little depends on the second one
        ("hyperu", (1e-4, -3.2, 1.0), (1,)),
        ("hyperu", (-1e-4, -3.2, 1.0), (1, 1)),
        ("hyperu", (1e-6, 1.2, 2.0), (1,)),
        ("hyperu", (-1e-6, 2.0, 5.0), (1, 1)),
        ("hyperu", (1e-12, 1.5, 30.0), (1, 1)),
        ("hyperu", (1e-30, 7.5, 0.001), (1,)),
        # A difference in range of two that are not
        ("betaln", (6e-155, 1e-200), (0, 0)),
        # Slopes between subnormal numbers
        ("hypot", (5e-324, 5e-324), (0,)),
        ("hypot", (-1.5e-323, 2e-323), (1,)),
        # No series over the gamma function of the lower parameter next to its pole
        ("eval_jacobi[c]", (28.0, -0.9999999997671694, -0.2060724168748892, -1 - 0.3079706858454978j), (0,)),
        ("eval_jacobi[c]", (28.0, -0.9999999997671694, -0.2060724168748892, -1 - 0.3079706858454978j), (0, 1)),
        ("eval_jacobi[c]", (2.0, -0.9999999962747097, -1.0, -2.9964525754016527 - 0.3105221310942383j), (0, 0)),
        ("eval_jacobi[c]", (2.5, -0.9999999997671694, 0.5, -2 + 1j), (0, 1)),
        ("eval_gegenbauer[c]", (3.25, -0.5, -2 + 1j), (1, 1)),
        ("eval_jacobi", (2.5, -0.9999999997671694, -0.2060724168748892, -0.99), (1,)),
        ("eval_jacobi", (2.5, -0.9999999997671694, -0.2060724168748892, -0.999), (1, 1)),
        # Derivatives that grow as the value does not, next to 1
        ("eval_gegenbauer[c]", (40.0, 4.537096799878634, -1.0000045752545483 + 6.796909432833409e-06j), (0, 0)),
        ("eval_jacobi[c]", (38.0, 4.427991260059905, 4.990081366141017, -1.0001694160595032 - 1e-4j), (0, 0)),
        ("eval_jacobi[c]", (38.0, 4.427991260059905, 4.990081366141017, -1.0001694160595032 - 3.2e-12j), (0, 0)),
        # Jacobi's functions keep digits that the amplitude does not have next to quarter turns.
        ("ellipj_dn", (7.0, 1.0), (1, 1)),
        ("ellipj_dn", (12.0, 1.0), (1, 1)),
        ("ellipj_dn", (9.0, 0.9999999999999999), (1, 1)),
        ("ellipj_cn", (9.0, 1.0), (1, 1)),
        ("ellipj_sn", (20.0, 1.0), (1, 1)),
        # Two slight parameters far left, where a power leaves little of a series
        ("hyp2f1", (0.0, 7.352489723437457e-75, 1.0, -33.0), (0,)),
        ("hyp2f1", (0.0, 1e-10, 1.0, -40.0), (0,)),
        ("hyp2f1", (1e-40, 1e-10, 1.0, -40.0), (2,)),
        ("hyp2f1", (1e-30, -1e-3, 1.0, -1e4), (1,)),
        ("hyp2f1", (1e-20, 1e-40, 1.0, -40.0), (0, 0)),
        ("hyp2f1", (1e-40, 1e-20, 0.3, -40.0), (0, 2)),
        ("hyp2f1", (1e-40, 1e-30, 1.0, -9.0), (2, 2)),
        ("hyp2f1[c]", (1e-40, 1e-10, 1.0, -40 + 3j), (2,)),
        ("hyp2f1[c]", (1e-40, 1e-30, 2.5, -9 + 1j), (2,)),
        # By the differential equation from farther out, as other solutions grow
        ("hyp2f1", (-5.0, -7.800000000000001, -32.80092634547279, 0.9690077132142733), (0,)),
        ("hyp2f1", (57.0, -56.00000000457753, -41.00000000457753, 0.9974899641887132), (2,)),
        ("hyp2f1", (-30.84202754403841, -1.8870265342447468, -50.729054078283156, 0.999997507042229), (0, 1)),
        ("hyp2f1", (-47.029709334802504, -26.517384326844287, -108.54709366164673, 0.9837520168411787), (0, 0)),
        # A value next to a zero at the end of a ladder
        ("hyp2f1", (-56.978170969711975, 19.0, -3.0921637486011483e-16, 0.9999999999999146), (0, 2)),
    ],
)
def test_found_slopes_hold_the_goal(name, x, which):
    entry = catalogue.ENTRIES[name]
    got = np.asarray(measure.slope(entry.call(sa.special), [sa.asarray(v) for v in x], which)).item()
    error = referee.judged_slope(entry, x, which, got)
    assert error is not None and error <= measure.GOALS["first"]


@pytest.mark.parametrize("name", ["pow", "powm1"])
@pytest.mark.parametrize("x", [5e-308, 1e-300, 0.3, 0.0])
def test_powers_of_0_do_not_bend(name, x):
    f = catalogue.ENTRIES[name].call(sa.special)
    assert np.asarray(measure.slope(f, [sa.asarray(x), sa.asarray(0.0)], (0, 0))).item() == 0


@pytest.mark.parametrize(
    ("name", "x", "which"),
    [
        # A polynomial times a power, where the difference of two parameters is a whole number
        ("hyp2f1", (8.25, -13.0, 6.25, 0.9999821708511583), (1,)),
        ("hyp2f1", (-16.0, 9.25, 3.25, 0.99999), (0,)),
        ("hyp2f1[c]", (19.5, -22.0, 16.5, 0.999 + 1e-4j), (1,)),
        ("hyp2f1[c]", (17.75, -20.0, 4.75, 0.9999999984774779 - 7.396819083262431e-10j), (1, 1)),
    ],
)
def test_found_slopes_far_below_their_condition_are_right(name, x, which):
    entry = catalogue.ENTRIES[name]
    got = np.asarray(measure.slope(entry.call(sa.special), [sa.asarray(v) for v in x], which)).item()
    want = complex(referee.reference(entry, x).slope(which, 900))
    assert got == pytest.approx(want, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("n", [-1.0, -2.0, -7.0])
@pytest.mark.parametrize("alpha", [1e-38, -1e-30, 1e-20, 1e-15, 1e-6, 1e-3])
def test_laguerre_functions_vanish_at_whole_degrees_below_0_beside_every_alpha(n, alpha):
    x = 0.7
    slope = lambda *which: np.asarray(
        measure.slope(sa.special.eval_genlaguerre, [*map(sa.asarray, (n, alpha, x))], which)
    ).item()
    for which in ((1,), (2,), (1, 1), (1, 2), (2, 2)):
        assert slope(*which) == 0.0
    # Gamma(n + 1 + alpha) / (Gamma(n + 1) Gamma(1 + alpha)) times Kummer's function, with what a sum would lose
    with mpmath.workdps(200):
        front = lambda m, a: mpmath.gammaprod([m + 1 + a], [m + 1, a + 1])
        rising = [mpmath.diff(front, (mpf(n), mpf(alpha)), orders) for orders in ((1, 0), (2, 0), (1, 1))]
        kummer = lambda m, a, y: mpmath.hyp1f1(-m, 1 + a, y)
        f, f_n, f_a, f_x = (
            mpmath.diff(kummer, (mpf(n), mpf(alpha), mpf(x)), orders)
            for orders in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
        )
        want = [rising[0] * f, rising[1] * f + 2 * rising[0] * f_n, rising[2] * f + rising[0] * f_a, rising[0] * f_x]
    got = [slope(0), slope(0, 0), slope(0, 1), slope(0, 2)]
    np.testing.assert_allclose(got, [float(v) for v in want], rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "x"),
    [
        ("eval_jacobi", (-1.0, 1e-15, 0.3, 0.4)),
        ("eval_jacobi", (-3.0, 1e-15, 0.3, 0.4)),
        ("eval_gegenbauer", (-1.0, 1e-15, 0.4)),
        ("poch", (-3.0, 1e-15)),
    ],
)
def test_slopes_hold_the_goal_where_a_sum_next_to_a_pole_loses_an_argument(name, x):
    entry = catalogue.ENTRIES[name]
    args = [sa.asarray(v) for v in x]
    for which in catalogue.orders(entry):
        got = np.asarray(measure.slope(entry.call(sa.special), args, which)).item()
        error = referee.judged_slope(entry, x, which, got)
        assert error is None or error <= measure.GOALS["first"], (which, got, error)


@pytest.mark.parametrize("x", [(1e-38, -2.0), (-2.0, 1e-38), (-1e-15, -1.0), (0.01, -1.0), (-3.01, 0.02)])
def test_slopes_of_poch_next_to_poles(x):
    with mpmath.workdps(300):
        f = lambda z, m: mpmath.gammaprod([z + m], [z])
        for which in ((0,), (1,), (0, 0), (0, 1), (1, 1)):
            if which == (0, 1) and 0 < abs(x[0]) < 1e-3:
                continue  # Next to poles of both the slope of the difference of digamma functions loses z (docs/ACCURACY.md).
            want = mpmath.diff(f, tuple(map(mpf, x)), (which.count(0), which.count(1)))
            got = np.asarray(measure.slope(sa.special.poch, [sa.asarray(v) for v in x], which)).item()
            assert got == pytest.approx(float(want), rel=1e-12), which
