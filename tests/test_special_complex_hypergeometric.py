"""Hypergeometric functions and orthogonal polynomials of complex arguments.

mpmath is the referee, SciPy the peer for cuts, poles and the polynomials. Accuracy over wide domains is measured by
tests/accuracy/check_complex.py.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import catalogue
import measure
import mpmath
import numpy as np
import pytest
import referee
import scipy.special
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpc, mpf

import sciarray as sa
from sciarray import special, testing
from sciarray.testing import check_grads

INF, NAN = math.inf, math.nan
# Parameters and arguments: power series, right and left half-plane, imaginary axis, asymptotic expansions, the path between.
CASES: dict[str, list[tuple[Any, ...]]] = {
    "hyp0f1": [
        (1.5, 0.3 + 0.2j),
        (-2.7, 40 - 30j),
        (4.0, -200 + 1j),
        (0.25, -3e4 + 2e3j),
        (30.0, -900 + 400j),
        (2.0, 5000j),
        (70.0, -9000 + 50j),
    ],
    "hyp1f1": [
        (0.5, 1.5, 1 - 2j),
        (-3.0, 2.5, 4 + 50j),
        (2.25, -1.5, -20 + 3j),
        (1.5, 4.0, 35j),
        (0.3, 0.7, -300 - 200j),
        (20.0, 11.5, 90j),
        (-15.5, 7.25, 60 + 40j),
        (-2.0, -4.0, 3 + 3j),
    ],
    "hyp2f1": [
        (0.5, 1.5, 2.25, 0.3 + 0.4j),
        (1.0, 2.0, 4.0, 0.9 + 0.1j),
        (0.25, -1.75, 3.0, 0.5 + 0.87j),
        (1.5, 0.5, 2.0, 0.48 - 0.9j),
        (2.0, 3.0, 4.5, 2 + 0.2j),
        (-0.5, 1.25, 0.75, -7 + 5j),
        (1.0, 1.0, 2.0, 1e5 - 1e6j),
        (3.0, 1.0, 4.0, 1 + 1e-8j),
        (-4.0, 2.5, 1.5, 1.9 - 0.5j),
        (-2.0, 3.0, -5.0, 2 + 3j),
        (12.5, -17.25, 8.0, 0.7 + 0.9j),
    ],
}


def scalar(y: Any) -> complex:
    return complex(np.asarray(y))


@pytest.mark.parametrize("name", CASES)
def test_values_against_mpmath(name):
    f, exact = getattr(special, name), getattr(mpmath, name)
    for *p, z in CASES[name]:
        got = scalar(f(*p, sa.asarray(z)))
        with mp.workdps(60):
            want = exact(*map(mpf, p), mpc(z))
            slope = abs(z * mpmath.diff(lambda t, p=p: exact(*map(mpf, p), t), mpc(z), h=mpf(10) ** -20))
        assert abs(mpc(got) - want) <= 2e-15 * abs(want) + 4e-15 * slope, (p, z, got, complex(want))
        assert scalar(f(*p, sa.asarray(z.conjugate()))) == pytest.approx(got.conjugate(), rel=1e-14, abs=0.0)


@pytest.mark.parametrize("name", CASES)
def test_gradients(name):
    f = getattr(special, name)
    for *p, z in CASES[name]:
        # Next to the singularity and beside poles differences say little.
        if abs(z - 1) < 1e-3 or p[-1] <= 0 and p[-1] == round(p[-1]):
            continue
        if not any(v <= 0 and v == round(v) for v in p) and abs(z) < 100:
            check_grads(f, *[sa.asarray([float(v)]) for v in p], sa.asarray([z]))
        elif abs(z) < 1e4:
            check_grads(lambda z, p=p: f(*p, z), sa.asarray([z]))


@pytest.mark.parametrize("name", CASES)
def test_parameters_are_real(name):
    f = getattr(special, name)
    p = CASES[name][0][:-1]
    with pytest.raises(TypeError, match=r"the parameters must be real, got complex128"):
        f(sa.asarray(1j), *p[1:], sa.asarray(1j))
    narrow = f(*p, sa.asarray([0.5 + 0.25j], dtype="complex64"))
    assert narrow.dtype.name == "complex64"
    testing.assert_allclose(narrow, getattr(scipy.special, name)(*p, np.array([0.5 + 0.25j])), rtol=1e-6)
    assert np.isnan(np.asarray(f(*p, sa.asarray([complex(NAN, 0), complex(0, NAN)])))).all()


def test_on_the_real_line():
    x = np.array([-30.0, -2.5, 0.0, 0.4, 0.99])
    for args in ((0.5, 1.5, 2.75), (-3.0, 2.0, 0.5)):
        testing.assert_allclose(
            special.hyp2f1(*args, sa.asarray(x + 0j)), special.hyp2f1(*args, sa.asarray(x)), rtol=1e-13
        )
    for args in ((0.5, 1.5), (-3.0, 2.0)):
        testing.assert_allclose(
            special.hyp1f1(*args, sa.asarray(x + 0j)), special.hyp1f1(*args, sa.asarray(x)), rtol=1e-13
        )
    testing.assert_allclose(special.hyp0f1(0.5, sa.asarray(x + 0j)), special.hyp0f1(0.5, sa.asarray(x)), rtol=1e-13)


@pytest.mark.parametrize(
    "x",
    [
        (13.9, 20.7, 29.0, 0.37 - 0.75j),  # parts about 1 exceed the value by 4e16
        (8.8, 11.2, 19.8, 0.43 - 2.82j),
        (-14.9, -14.3, -29.3, 1.27 + 1.06j),  # solutions about 1 that are almost proportional
        (28.9, 26.0, -22.5, 0.095 + 2.23j),
        (25.1, 28.2, 6.76, 0.38 - 0.61j),
        (47.5, 33.2, 56.1, 0.43 + 2.65j),
        (28.56, 28.21, -54.4, 0.556 - 0.988j),  # no digit is left of what is matched, but of gamma functions
        (29.905577004135836, 39.88919290058098, -35.47680887283822, 0.38551566103532636 - 1.2172471799353146j),
        (-18.06538872717107, -5.077678014036493, -30.508623910226504, 600.165718477008 + 1896.3702629855131j),
        (-1.3399734574545192, 9.34385612565653, -43.549942103559715, 0.4730339752898056 + 0.5957076182712634j),
        (19.0000003, -23.5, 1.9e-284, 0.5 + 1.107j),  # beside the pole, whose parts leave the range
        (0.0913020110346423, 25.59715245207736, -1.6814322773825353e-297, 0.5082509029781176 + 0.8999881761703483j),
    ],
)
def test_gauss_of_large_parameters(x):
    with mp.workdps(120):
        want = complex(mpmath.hyp2f1(*x))
    testing.assert_allclose(special.hyp2f1(*map(sa.asarray, x)), want, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "arguments", "want"),
    [
        # mpmath's values: series of positive parameters, of which connected ends and one that cancels left nothing
        ("hyp2f1", (0.75, 4.5, 119.0, -4.5 + 0j), 0.89133057779823046),
        ("hyp2f1", (1.0, 1.5, 67.0, 0.3 + 0.6j), 1.0064816535951926 + 0.013726353580840099j),
        # A polynomial by its recurrence
        ("hyp1f1", (-60.0, 2.5, 40 + 8j), -175012917.98735697 - 594510536.80524376j),
        # Terms that cancel more than at their argument's angle, and in steps from another second parameter
        (
            "hyp1f1",
            (194.20765345515227, 0.6752785911112162, -123.40948663032815 - 80.68085008081582j),
            25735705406.255075 + 34972160742.040669j,
        ),
        (
            "hyp1f1",
            (72.59406038230844, -30.899210028499326, -74.46793404229018 - 32.91771112854321j),
            8.4644633089938025e23 + 1.2274662037480685e24j,
        ),
        # -3e56, by Taylor steps that the second parameter makes short, and NaN, of a ratio of gamma functions beyond the range
        (
            "hyp1f1",
            (0.47812768574308806, 1361.1728496527678, 209.87933930291442 - 899.4903700345076j),
            0.91856133273668868 - 0.30153521335164398j,
        ),
        (
            "hyp1f1",
            (1.8490156521937469, 244.64653173519838, 820.8696760835031 - 784.042436397722j),
            -5.7586412158348681e91 - 8.5337292926458619e91j,
        ),
        # A Bessel function where other solutions outgrow the series: 1e237 for the first
        (
            "hyp0f1",
            (-136.30565725457447, -63630.429549884495 + 26958.46786166525j),
            3.0989217317578865e141 + 4.4199038955909818e141j,
        ),
        (
            "hyp0f1",
            (-266.1253400431054, -957.2546966963122 - 763.3261596687705j),
            -35.799744444515194 + 8.5158405527079602j,
        ),
    ],
)
def test_large_parameters(name, arguments, want):
    *parameters, z = arguments
    testing.assert_allclose(getattr(sa.special, name)(*parameters, sa.asarray(z)), want, rtol=1e-12)


@pytest.mark.parametrize(
    ("x", "want"),
    [
        ((0.5, 9.0, 258.5, 0.6 + 1j), 1.010094131217454 + 0.01801213614735318j),
        ((1.6958, -50.222, 500.03, 0.54818 + 0.27665j), 0.9115695370710013 - 0.040849964964193956j),
        ((-37.817, 212.28, 730.0, 0.3474 - 4.9126j), -315608829.7627947 + 649102277.8246559j),
        ((122.48, 42.13, 340.87, 3.465 - 6.3261j), -1.7876458824163493e-14 - 2.020489643373566e-14j),
        ((-12.161, -55.039, 658.16, -0.87181 - 5.9586j), 2.0531473880067805 + 1.062405407418231j),
        ((-0.35398, 239.8, 253.4, 0.86262 - 1.0881j), 0.8948011772194285 + 0.4813126244932854j),
    ],
)
def test_gauss_by_its_differential_equation(x, want):
    testing.assert_allclose(special.hyp2f1(*map(sa.asarray, x)), want, rtol=1e-13)
    # DLMF 15.5.19
    a, b, c, z = map(sa.asarray, x)
    slope = sa.jvp(lambda z: special.hyp2f1(a, b, c, z), (z,), (sa.ones_like(z),))[1]
    other = (x[2] - x[0]) * special.hyp2f1(a - 1.0, b, c, z) + (x[0] - x[2] + x[1] * x[3]) * want
    testing.assert_allclose(x[3] * (1 - x[3]) * slope, other, rtol=1e-10)


@pytest.mark.parametrize(
    ("x", "want", "rtol"),
    [
        # On a straight line of z others outgrow them: of z / (z - 1), and of the logarithm of 1 - z
        ((0.1081, 0.1608, 463.86, 5.04 + 6.28j), 1.0001880563819119 + 0.0002386530207983711j, 1e-13),
        ((-0.3887, -44.531, 136.95, 2.226 - 0.7578j), 1.239481028502699 - 0.06878469827647557j, 1e-13),
        ((302.8469, -0.5954, 2.46726, 4.2476 - 1.0264j), -6.967720717413054 + 43.641565933342505j, 1e-13),
        # Once 3.5e252: what others had gained fell below the range before it rose.
        ((4.3063, -85.296, 427.338, 4.6674 - 1.4884j), 0.04211090522414325 + 0.03333735499623971j, 1e-8),
        # Once 1e-195 and 1e-298: the solutions about 1 of a negative exponent
        ((-108.72, 116.63, 194.69, -45.25 + 0.09j), 1.364555530894302e163 - 2.907890918086223e162j, 1e-12),
        ((123.227, -37.2, 275.28, -125.2 + 0.25j), 2.7801363351958765e66 - 2.0369630913250379e65j, 1e-12),
        # On the way beyond the range
        ((69.81, -178.47, 217.975, -55.36 + 0.11j), 5.267146954117784e258 - 1.8904106978687079e258j, 1e-11),
    ],
)
def test_gauss_where_others_or_the_range_end(x, want, rtol):
    testing.assert_allclose(special.hyp2f1(*map(sa.asarray, x)), want, rtol=rtol)


@pytest.mark.parametrize(
    ("x", "want"),
    [
        ((14.461, 201.64, -87.111, 0.2661 + 0.42j), -1.4655137451176676e93 + 8.405601365265823e93j),
        ((-261.88, 18.792, -15.04, 0.8047 + 0.4294j), -1.5665539234962318e-18 + 4.7470813228820465e-18j),
        ((11.173, -9.0845, -547.94, -56.16 - 12.72j), 1.2376498640992986 + 0.11748574802046974j),
        ((31.402, -738.24, -68.829, -0.133 + 0.6277j), -6.296931556847623e208 + 2.0891946016279337e209j),
        ((-13.349, -258.78, -176.96, 0.9219 - 0.05475j), 4.2026688693121974e-05 + 3.3539208175705846e-05j),
        ((2.7999, -823.65, -76.871, 0.9995 - 0.03102j), -0.004020903630929795 - 0.0003884085862197417j),
        ((603.14, -7.9256, -233.83, 2.993 - 3.923j), 400426708.17347825 - 396254470.5798431j),
        ((26.991, 325.32, -208.79, 7.111 + 1.928j), 3.2560846269858525e-29 - 7.026202800223819e-30j),
        ((420.07, -9.9193, -978.39, -35.48 + 27.44j), 3853287296648.234 - 2441010450843.868j),
        # Once 2e-5 off, by steps of which each adds its roundings
        (
            (-147.37351117690005, -75.67381447954175, 194.67275173189822, 16.204852784590248 + 4.074373946577578j),
            -2.508867041146191e73 - 1.4062164969823597e72j,
        ),
        (
            (48.051458048238956, 39.08329934965947, -32.82217865608259, 0.43450214138830373 - 0.9858070083207341j),
            -2.352248256028546e49 + 1.875103980457e49j,
        ),
    ],
)
def test_gauss_by_recurrences_and_from_both_ends(x, want):
    testing.assert_allclose(special.hyp2f1(*map(sa.asarray, x)), want, rtol=3e-12)


@pytest.mark.parametrize(
    ("x", "want"),
    [
        # From second parameters between 1 and 2, in steps of 1
        ((383.58, -49.506, -19.48 - 38.91j), 3.3193981789940396e97 + 1.08280549674989e97j),
        ((-789.74, -7.8136, 9.653 + 21.75j), 1.2410588287066533e80 - 9.439782948513924e79j),
        ((-781.05, -5.1339, 5.898 - 4.444j), -3.860392437048186e30 - 6.65422831236083e30j),
        ((396.69, -17.201, 20.76 - 176.2j), 2.3264133056518693e204 - 1.6477998192991834e204j),
        # Once 7 % off
        (
            (48.154848963829, -86.86788308272932, -47.48685759766742 - 26.59586285611843j),
            -1.6503073012294924e29 - 2.5998854846563118e29j,
        ),
        # As a sum, where a march would end in other solutions
        ((-2.4147, -722.77, 64.67 - 82.08j), 1.2070530854046813 - 0.30928563063008324j),
        ((-41.69, -597.81, -132.8 - 101.1j), -5.682194675649982e-05 - 4.499055319988632e-05j),
    ],
)
def test_kummer_of_large_parameters(x, want):
    testing.assert_allclose(special.hyp1f1(*map(sa.asarray, x)), want, rtol=1e-12)


moderate = st.floats(-4, 4).filter(lambda v: abs(v - round(v)) > 1e-3)
slight = st.builds(lambda size, sign: sign * 10.0**size, st.floats(-12, -2), st.sampled_from([-1, 1]))


@settings(max_examples=max(20, settings.default.max_examples // 4), deadline=None)
# About |z| = |1 - z| = 1, where parts that are not small are followed by the differential equation, and beside it
@example((1,), False, 2e-12, -0.225, -0.837, 0.663 - 0.789j)
@example((0,), True, -1.6e-10, -0.13, 2.89, 0.7 - 0.84j)
@example((2,), True, -7e-12, -0.41, 3.17, 0.744 + 1.015j)
@example((1, 2), False, 2.2e-12, 0.5, 0.7, 0.55 + 0.936j)
# Beside 1, where a power of a large number is taken
@example((0,), True, 1e-4, 1.5, 1.5, complex(1.0, 4.5e-30))
@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=2).map(lambda w: tuple(sorted(w))),
    st.booleans(),
    slight,
    moderate,
    moderate,
    st.builds(lambda size, angle: cmath.rect(10.0**size, angle), st.floats(-1, 1), st.floats(-3.1, 3.1)),
)
def test_slopes_of_gauss_beside_a_slight_parameter(which, second, least, other, c, z):
    entry, x = catalogue.ENTRIES["hyp2f1[c]"], ((other, least, c, z) if second else (least, other, c, z))
    got = np.asarray(measure.slope(special.hyp2f1, [sa.asarray(v) for v in x], which)).item()
    error = referee.judged_slope(entry, x, which, got)
    assert error is None or error <= measure.GOALS["first"], (which, x, got, error)


def test_sums_without_digits_are_nan():
    # Other solutions outgrow Kummer's function on the way: 4.6e68 for 6e44.
    kummer = (-118.20835652553299, -180.5437495378631, 117.14737914692317 + 145.57639471934388j)
    assert np.isnan(scalar(special.hyp1f1(*map(sa.asarray, kummer))))


def test_cut_and_poles_of_gauss():
    f, peer = special.hyp2f1, scipy.special.hyp2f1
    z = np.array([complex(x, y) for x in (1.25, 2.0, 40.0) for y in (0.0, -0.0, 1e-200, -1e-200)])
    for p in ((0.5, 1.5, 2.25), (1.0, 2.0, 4.0), (0.3, -1.2, 0.7)):
        testing.assert_allclose(f(*p, sa.asarray(z)), peer(*p, z), rtol=1e-12)
    testing.assert_allclose(f(0.5, 0.25, 2.0, sa.asarray(1 + 0j)), peer(0.5, 0.25, 2.0, 1 + 0j), rtol=1e-14)
    assert scalar(f(0.5, 1.5, 1.0, sa.asarray(1 + 0j))).real == INF
    assert scalar(f(0.5, 1.5, -2.0, sa.asarray(0.5j))).real == INF
    assert scalar(f(0.5, 1.5, -2.0, sa.asarray(0j))) == 1
    assert scalar(special.hyp1f1(0.5, -2.0, sa.asarray(0.5j))).real == INF


FAMILIES: dict[str, tuple[float, ...]] = {
    "legendre": (),
    "sh_legendre": (),
    "chebyt": (),
    "chebyu": (),
    "chebyc": (),
    "chebys": (),
    "sh_chebyt": (),
    "sh_chebyu": (),
    "laguerre": (),
    "genlaguerre": (0.75,),
    "gegenbauer": (1.25,),
    "jacobi": (0.5, -0.25),
    "sh_jacobi": (2.5, 1.5),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_polynomials(name):
    f, peer = getattr(special, f"eval_{name}"), getattr(scipy.special, f"eval_{name}")
    p = FAMILIES[name]
    # SciPy's sums lose up to eight digits here.
    z = np.array([0.3 + 0.2j, -0.9 + 1e-3j, 2 - 1j, -1.5 + 0j, 0.1j, -3 - 2j])
    for n in (0, 1, 2, 7, 12):
        testing.assert_allclose(f(n, *p, sa.asarray(z)), peer(n, *p, z), rtol=1e-6)
        check_grads(lambda z, n=n: f(n, *p, z), sa.asarray(z))
    if p:
        check_grads(lambda *x: f(4, *x), *[sa.asarray([v]) for v in p], sa.asarray([0.3 + 0.7j]))
    with pytest.raises(TypeError, match=r"degree and parameters must be real, got complex128|binom: dtype complex128"):
        f(sa.asarray(1j), *p, sa.asarray(1j))


POLYNOMIALS: dict[str, tuple[Callable[..., Any], tuple[float, ...]]] = {
    "eval_legendre": (mpmath.legendre, ()),
    "eval_chebyt": (mpmath.chebyt, ()),
    "eval_chebyu": (mpmath.chebyu, ()),
    "eval_hermite": (mpmath.hermite, ()),
    "eval_genlaguerre": (mpmath.laguerre, (0.75,)),
    "eval_gegenbauer": (mpmath.gegenbauer, (1.25,)),
    "eval_jacobi": (mpmath.jacobi, (0.5, -0.25)),
}


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials_next_to_zeros_and_ends(name):
    exact, p = POLYNOMIALS[name]
    f = getattr(special, name)
    for n in (3, 17):
        for z in (1e-9 + 1e-12j, 1 + 1e-10j, -1 - 1e-6j, 0.5 + 0.1j):
            got = scalar(f(n, *p, sa.asarray(z)))
            with mp.workdps(60):
                want = exact(n, *map(mpf, p), mpc(z))
                slope = mpmath.diff(lambda t, n=n: exact(n, *map(mpf, p), t), mpc(z), h=mpf(10) ** -20)
            assert abs(mpc(got) - want) <= 4e-15 * (abs(want) + abs(z * slope)), (n, z, got, complex(want))
    if name == "eval_hermite":
        assert np.isnan(scalar(f(1.5, sa.asarray(0.3j))))
        return
    rng = np.random.default_rng(3)
    n = rng.uniform(-3, 30, 60)
    z = rng.uniform(-2, 2, 60) + 1j * rng.uniform(-2, 2, 60)
    got = np.asarray(f(sa.asarray(n), *p, sa.asarray(z)))
    for v, w, value in zip(n.tolist(), z.tolist(), got.tolist(), strict=True):
        with mp.workdps(50):
            want = exact(mpf(v), *map(mpf, p), mpc(w))
            step = mpf(10) ** -20
            by_degree = v * (exact(mpf(v) + step, *map(mpf, p), mpc(w)) - want) / step
            by_argument = abs(w) * (exact(mpf(v), *map(mpf, p), mpc(w) + step) - want) / step
            size = abs(want) + abs(by_degree) + abs(by_argument)
        assert abs(mpc(value) - want) <= 32 * 2.0**-52 * size, (v, w, value, complex(want))
    check_grads(lambda n, z: f(n, *p, z), sa.asarray([2.0, 2.5, -0.5]), sa.asarray([0.3 + 0.7j, -0.4 - 0.2j, 2 + 1j]))


def test_polynomials_of_low_degree_beside_large_parameters():
    """These were NaN or noise for one complex argument in three: no form but the plain one keeps their digits."""
    rng = np.random.default_rng(11)
    n = rng.integers(1, 31, 400).astype(float)
    b = rng.choice([-1, -1, 1], 400) * 10 ** rng.uniform(1, 4, 400)
    b = np.where(rng.random(400) < 0.4, np.round(b), b)
    c = rng.choice([-1, 1], 400) * 10 ** rng.uniform(-1, 2, 400)
    z = 10 ** rng.uniform(-1, 2, 400) * np.exp(1j * rng.uniform(-np.pi, np.pi, 400))
    got = np.asarray(special.hyp2f1(b, -n, c, sa.asarray(z)))
    for k in range(400):
        with mp.workdps(80):
            term, terms = mpf(1), [mpf(1)]
            for j in range(int(n[k])):
                term *= (mpf(b[k]) + j) * (j - n[k]) / ((mpf(c[k]) + j) * (j + 1)) * mpc(z[k])
                terms.append(term)
            want = mpmath.fsum(terms)
            lost = max(map(abs, terms)) / abs(want)
            if abs(want) < 1e290:
                assert abs(got[k] - want) < 1e-13 * (1 + lost * 1e-12) * abs(want), (n[k], b[k], c[k], z[k])


def test_polynomials_of_which_connections_lose_less_than_sums():
    got = special.hyp2f1(-10.739324576254313, -177.0, -9.739324576254313, sa.asarray([5.68e-17 - 0.9275209272071058j]))
    testing.assert_allclose(got, [-6.044281711645486e22 + 3.171463907096373e22j], rtol=1e-12)


def test_gegenbauer_polynomials_of_negative_degree_have_the_parity_of_another():
    got = special.eval_gegenbauer(sa.asarray([-3.0, -12.0]), 0.5, sa.asarray([-1 + 0.3j, -0.5 + 0j]))
    testing.assert_allclose(got, [0.865 - 0.9j, complex(special.eval_gegenbauer(-12, 0.5, -0.5))], rtol=1e-12)


def test_gegenbauer_polynomials_of_negative_parameters_at_the_end():
    got = special.eval_gegenbauer(558, -15.3, sa.asarray([1 + 0j, -1 + 0j]))
    testing.assert_allclose(got, [-2.4417499511664862e-54] * 2, rtol=1e-12)
