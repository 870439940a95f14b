"""Special functions that are formulas over rows: values against SciPy, gradients by the checker, limits."""

from __future__ import annotations

import doctest
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import example, given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import testing
from sciarray.special import _composites
from sciarray.testing import check_grads

RNG = np.random.default_rng(2)
SHAPE, UNIT = RNG.uniform(0.5, 20, 40), RNG.uniform(0.01, 0.99, 40)
COUNT, MORE = RNG.integers(0, 9, 40).astype(float), RNG.integers(9, 30, 40).astype(float)

# Arguments, and which of them are differentiable.
DISTRIBUTIONS: dict[str, tuple[tuple[np.ndarray, ...], tuple[int, ...]]] = {
    "bdtr": ((COUNT, MORE, UNIT), (2,)),
    "bdtrc": ((COUNT, MORE, UNIT), (2,)),
    "bdtri": ((COUNT, MORE, UNIT), (2,)),
    "bdtrik": ((UNIT, MORE, UNIT[::-1].copy()), (0, 1, 2)),
    "bdtrin": ((COUNT, UNIT, UNIT[::-1].copy()), (1, 2)),
    "chdtr": ((SHAPE, 30 * UNIT), (0, 1)),
    "chdtrc": ((SHAPE, 30 * UNIT), (0, 1)),
    "chdtri": ((SHAPE, UNIT), (0, 1)),
    "chdtriv": ((UNIT, SHAPE), (0, 1)),
    "fdtr": ((SHAPE, SHAPE[::-1].copy(), 5 * UNIT), (0, 1, 2)),
    "fdtrc": ((SHAPE, SHAPE[::-1].copy(), 5 * UNIT), (0, 1, 2)),
    "fdtri": ((SHAPE, SHAPE[::-1].copy(), UNIT), (0, 1, 2)),
    "gdtr": ((SHAPE, SHAPE[::-1].copy(), 2 * UNIT), (0, 1, 2)),
    "gdtrc": ((SHAPE, SHAPE[::-1].copy(), 2 * UNIT), (0, 1, 2)),
    "gdtrib": ((SHAPE, UNIT, SHAPE[::-1].copy()), (0, 1, 2)),
    "gdtria": ((UNIT, SHAPE, SHAPE[::-1].copy()), (0, 1, 2)),
    "gdtrix": ((SHAPE, SHAPE[::-1].copy(), UNIT), (0, 1, 2)),
    "nbdtr": ((COUNT, MORE, UNIT), (1, 2)),
    "nbdtrc": ((COUNT, MORE, UNIT), (1, 2)),
    "nbdtri": ((COUNT, MORE, UNIT), (1, 2)),
    "nbdtrik": ((UNIT, MORE, UNIT[::-1].copy()), (0, 1, 2)),
    "nbdtrin": ((COUNT, UNIT, UNIT[::-1].copy()), (1, 2)),
    "nrdtrimn": ((UNIT, SHAPE, 2 * SHAPE), (0, 1, 2)),
    "nrdtrisd": ((SHAPE, UNIT, 2 * SHAPE), (0, 1, 2)),
    "pdtr": ((COUNT, SHAPE), (1,)),
    "pdtrc": ((COUNT, SHAPE), (1,)),
    "pdtri": ((COUNT, UNIT), (1,)),
    "pdtrik": ((UNIT, 30 + SHAPE), (0, 1)),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_distributions(name):
    args, free = DISTRIBUTIONS[name]
    f = getattr(sa.special, name)
    whole = [
        a.astype(int) if a is COUNT or (a is MORE and name in ("bdtr", "bdtrc", "nbdtr", "nbdtrc")) else a for a in args
    ]
    with np.errstate(all="ignore"):
        expected = getattr(scipy.special, name)(*whole)
    testing.assert_allclose(f(*map(sa.asarray, args)), expected, rtol=1e-10)

    def g(*values: Any) -> Any:
        full: list[Any] = [sa.asarray(a[:4]) for a in args]
        for i, v in zip(free, values):
            full[i] = v
        return f(*full)

    check_grads(g, *[sa.asarray(args[i][:4]) for i in free])


def test_distributions_at_the_ends():
    assert float(sa.special.bdtr(3.0, 3.0, 0.5)) == 1.0 and float(sa.special.bdtrc(3.0, 3.0, 0.5)) == 0.0
    assert float(sa.special.chdtrc(2.0, -1.0)) == 1.0
    for x, expected in ((0.0, 0.0), (1e300, 1.0)):
        assert float(sa.special.fdtr(2.0, 4.0, x)) == expected
    # Tails that a complement would lose.
    np.testing.assert_allclose(float(sa.special.fdtrc(2.0, 40.0, 1e4)), scipy.special.fdtrc(2.0, 40.0, 1e4), rtol=1e-12)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_reductions(axis):
    x = RNG.normal(size=(4, 5)) * 50
    x[1, 2] = -np.inf
    for name in ("logsumexp", "softmax", "log_softmax"):
        expected = getattr(scipy.special, name)(x, axis=axis)
        # SciPy's log_softmax is 0 where it is smaller than eps.
        atol = 2e-16 if name == "log_softmax" else 1e-300
        testing.assert_allclose(getattr(sa.special, name)(sa.asarray(x), axis=axis), expected, rtol=1e-13, atol=atol)
    kept = sa.special.logsumexp(sa.asarray(x), axis=axis, keepdims=True)
    assert kept.shape == scipy.special.logsumexp(x, axis=axis, keepdims=True).shape


def test_small_parts_of_log_sums_are_kept():
    x = sa.asarray([0.0, -40.0, -41.0])
    rest = np.log1p(np.exp(-40.0) + np.exp(-41.0))
    testing.assert_allclose(sa.special.logsumexp(x), rest, rtol=1e-15)
    testing.assert_allclose(sa.special.log_softmax(x), np.array([-rest, -40.0, -41.0]), rtol=1e-15)
    weights = sa.asarray([1.0, 2.0, -3.0])
    rest = np.log1p(2 * np.exp(-40.0) - 3 * np.exp(-41.0))
    testing.assert_allclose(sa.special.logsumexp(x, b=weights), rest, rtol=1e-15)


def test_logsumexp_weights_and_limits():
    x, b = RNG.normal(size=(3, 4)), RNG.uniform(0, 2, (3, 4))
    b[0, 0] = 0
    x[0, 0] = np.inf
    testing.assert_allclose(
        sa.special.logsumexp(sa.asarray(x), 1, b=sa.asarray(b)), scipy.special.logsumexp(x, 1, b=b), rtol=1e-13
    )
    assert float(sa.special.logsumexp(sa.asarray([-np.inf, -np.inf]))) == -np.inf
    assert float(sa.special.logsumexp(sa.asarray([np.inf, 1.0]))) == np.inf
    assert np.isnan(float(sa.special.logsumexp(sa.asarray([np.nan, 1.0]))))


def test_gradients_of_reductions():
    x = sa.asarray(RNG.normal(size=(3, 4)))
    for name in ("logsumexp", "softmax", "log_softmax"):
        check_grads(lambda v, name=name: getattr(sa.special, name)(v, axis=1), x)
    check_grads(lambda v, b: sa.special.logsumexp(v, axis=0, b=b), x, sa.asarray(RNG.uniform(0.5, 2, (3, 4))))


@given(st.integers(1, 12), st.floats(-40, 40))
@example(7, 2 * np.pi + 1e-8)
def test_diric(n, x):
    got, peer = float(sa.special.diric(x, n)), float(scipy.special.diric(x, n))
    allowed = 1e-13 + 1e-14 * n * abs(x)
    if abs(got - peer) > allowed:
        # Next to its peaks SciPy loses half of its digits.
        with mpmath.workdps(50):
            peer = float(mpmath.sin(n * mpmath.mpf(x) / 2) / (n * mpmath.sin(mpmath.mpf(x) / 2)))
    assert abs(got - peer) <= allowed


def test_diric_at_its_peaks():
    check_grads(lambda x: sa.special.diric(x, 5), sa.asarray([0.0, 0.3, 2 * np.pi, -6.0]))
    assert float(sa.special.diric(2 * np.pi, 4)) == -1.0
    with pytest.raises(ValueError, match="diric: n must be at least 1, got 0"):
        sa.special.diric(1.0, 0)


def test_combinatorics():
    n, k = np.meshgrid(np.arange(-1.0, 12), np.arange(-1.0, 12))
    testing.assert_allclose(sa.special.comb(n, k), scipy.special.comb(n, k), ulps=2)
    testing.assert_allclose(
        sa.special.comb(n[1:, 2:], k[1:, 2:], repetition=True),
        scipy.special.comb(n[1:, 2:], k[1:, 2:], repetition=True),
        ulps=2,
    )
    testing.assert_allclose(
        sa.special.factorial(np.arange(-2.0, 60)), scipy.special.factorial(np.arange(-2.0, 60)), ulps=8
    )
    for d in (1, 2, 5):
        a = RNG.uniform(3, 30, 20)
        testing.assert_allclose(sa.special.multigammaln(a, d), scipy.special.multigammaln(a, d), rtol=1e-13, atol=1e-13)
    assert np.isnan(float(sa.special.multigammaln(0.4, 2)))
    assert np.isnan(float(sa.grad(lambda a: sa.special.multigammaln(a, 2))(sa.asarray(0.4))))
    with pytest.raises(ValueError, match="multigammaln: d must be at least 1, got 0"):
        sa.special.multigammaln(2.0, 0)
    check_grads(lambda a: sa.special.multigammaln(a, 3), sa.asarray([1.5, 4.0]))


def test_fresnel():
    x = RNG.normal(size=30) * 3
    for got, expected in zip(sa.special.fresnel(x), scipy.special.fresnel(x)):
        testing.assert_allclose(got, expected, rtol=1e-13)


def test_documentation():
    results = doctest.testmod(_composites, extraglobs={"sa": sa}, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted >= len(_composites.__all__) and results.failed == 0


@pytest.mark.parametrize("name", ["cbrt", "exp2", "expm1", "log1p", "round", "sinc"])
def test_functions_that_the_main_namespace_has_too(name):
    x = np.array([-0.7, 0.0, 0.5, 2.5])
    np.testing.assert_allclose(getattr(sa.special, name)(x), getattr(scipy.special, name)(x), rtol=1e-15, atol=1e-16)


def test_incomplete_beta_of_small_parameters_next_to_an_end():
    # A continued fraction multiplies a hundred ratios there, and their roundings.
    points = [
        (0.155015627, 0.209335143, 0.024459404),
        (0.176301656, 0.259148526, 0.022945869),
        (0.1991701, 0.3226069, 0.036368394),
    ]
    for a, b, x in points:
        x = 1 - (1 - x)  # so that 1 - x is exact
        exact = float(mpmath.betainc(mpmath.mpf(a), mpmath.mpf(b), 0, mpmath.mpf(x), regularized=True))
        assert abs(float(sa.special.betainc(a, b, x)) / exact - 1) < 1.5e-15
        assert abs(float(sa.special.betaincc(b, a, 1 - x)) / exact - 1) < 1.5e-15


def test_incomplete_beta_of_small_integers():
    # By finite sums up to 16; the neighbours of those, in either parameter, go another way.
    x = np.array([1e-300, 2.3e-9, 0.04, 0.1835851773340394, 0.5, 0.77, 1 - 2.0**-30, 1 - 2.0**-53])
    for a in (1.0, 2.0, 7.0, 16.0, 17.0, 2.5):
        for b in (1.0, 3.0, 13.0, 16.0, 17.0):
            lower, upper = np.asarray(sa.special.betainc(a, b, x)), np.asarray(sa.special.betaincc(a, b, x))
            for v, tails in zip(x, zip(lower, upper, strict=True), strict=True):
                with mpmath.workdps(400):
                    at = mpmath.mpf(v)
                    terms = [mpmath.rf(a, k) / mpmath.factorial(k) * (1 - at) ** k for k in range(int(b))]
                    exact = at**a * mpmath.fsum(terms)
                    moved = at**a * (1 - at) ** (b - 1) / mpmath.beta(a, b)
                    for got, want in zip(tails, (exact, 1 - exact), strict=True):
                        slack = (
                            2.5 * (want + moved)
                            if max(a, b) <= 16 and a != 2.5
                            else 8 * (want + moved * (1 - mpmath.log(at)))
                        )
                        assert abs(got - want) <= 2.0**-1073 + 2.0**-52 * slack, (a, b, v, got, float(want))


def test_quantiles_of_one_and_two_degrees_of_freedom():
    p = np.array([5e-324, 1e-300, 1e-9, 0.1, 0.25, 0.3, 0.5 - 2.0**-54, 0.5, 0.5 + 2.0**-53, 0.75, 0.9, 1 - 2.0**-53])
    with mpmath.workdps(400):
        for df, quantile in (
            (1.0, lambda q: -mpmath.cot(mpmath.pi * q)),
            (2.0, lambda q: (2 * q - 1) / mpmath.sqrt(2 * q * (1 - q))),
        ):
            want = [float(quantile(mpmath.mpf(v))) for v in p]
            np.testing.assert_allclose(np.asarray(sa.special.stdtrit(df, p)), want, rtol=5e-16, atol=1e-300)
    np.testing.assert_array_equal(
        np.asarray(sa.special.stdtrit([1.0, 2.0, 1.0, 2.0], [0.0, 0.0, 1.0, 1.0])), [-np.inf] * 2 + [np.inf] * 2
    )
    check_grads(lambda df, p: sa.special.stdtrit(df, p), sa.asarray([1.0, 2.0]), sa.asarray([0.2, 0.9]))
