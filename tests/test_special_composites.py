"""Special functions that are formulas over rows: values against SciPy, gradients by the checker, limits."""

from __future__ import annotations

import doctest
import math
import re
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import example, given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import testing
from sciarray.special import _combinatorics, _composites
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
    assert np.isnan(float(sa.special.chdtrc(2.0, -1.0))) and np.isnan(float(sa.special.chdtr(2.0, -1.0)))
    for x, expected in ((0.0, 0.0), (1e300, 1.0)):
        assert float(sa.special.fdtr(2.0, 4.0, x)) == expected
    # Tails that a complement would lose.
    np.testing.assert_allclose(float(sa.special.fdtrc(2.0, 40.0, 1e4)), scipy.special.fdtrc(2.0, 40.0, 1e4), rtol=1e-12)


def test_distributions_outside_their_domains():
    inf = np.inf
    outside = {
        "bdtr": [(-1.1, 1, 0.5), (-0.5, 1, 0.5), (3, 2, 0.5), (inf, 2, 0.5), (1, inf, 0.5), (2, 2, inf), (2, 2, -0.1)],
        "bdtrc": [(2.1, 1, 0.5), (inf, 2, 0.5), (1, inf, 0.5), (2, 2, inf), (-1, 2, 1.5)],
        "bdtri": [(-1.1, 1, 0.5), (2.1, 1, 0.5), (2, 2, 0.5), (1, inf, 0.5), (1, 2, 1.5)],
        "nbdtr": [(-1, 3, 0.3), (1, 0, 0.3), (1, 2, 1.5)],
        "nbdtrc": [(-1, 3, 0.3), (1, 0, 0.3), (1, 2, -0.5)],
        "pdtr": [(-0.5, 2.0), (-2.0, 2.0), (1, -1.0)],
        "pdtrc": [(-0.5, 2.0), (-2.0, 2.0)],
        "fdtr": [(2.0, 3.0, -1.0), (inf, 3.0, -1.0), (0.0, 1.0, 0.5)],
        "fdtrc": [(2.0, 3.0, -1.0), (inf, 3.0, -1.0)],
        "gdtr": [(-1.0, 1.0, -1.0), (0.0, 1.0, -1.0), (1.0, 1.0, -1.0)],
        "gdtrc": [(-1.0, 1.0, -1.0), (0.0, 1.0, -1.0)],
        "gdtria": [(0.3, 1.0, 0.0), (0.0, 0.0, inf), (inf, 1.0, inf), (0.3, 1.0, -1.0)],
        "gdtrix": [(0.0, 0.0, 1.0), (0.0, inf, 1.0), (inf, 0.0, 0.0), (inf, inf, 0.0), (inf, 1.0, 0.3)],
    }
    for name, points in outside.items():
        for point in points:
            assert np.isnan(float(getattr(sa.special, name)(*point))), (name, point)
    for name, (args, _) in DISTRIBUTIONS.items():
        for i in range(len(args)):
            point = [np.nan if i == j else float(a[0]) for j, a in enumerate(args)]
            assert np.isnan(float(getattr(sa.special, name)(*point))), (name, point)
    assert float(sa.special.bdtrc(-1.1, 1, 0.5)) == 1.0
    assert float(sa.special.gdtria(0.0, 1.0, inf)) == 0.0
    assert sa.special.pdtrik([0.0, 0.5, 0.95, 1.0], [0.0, 0.0, 1e-20, 2.0]).tolist() == [0.0, 0.0, 0.0, inf]
    for name, (args, _) in DISTRIBUTIONS.items():
        assert getattr(sa.special, name)(*[np.float32(a[:3]) for a in args]).dtype == sa.float32, name
    # Beside such points gradients are those of the function.
    for name in ("bdtr", "bdtrc"):
        slope = sa.grad(lambda p, name=name: getattr(sa.special, name)([-2.0, 2.0, 2.0, 5.0], 3.0, p)[1:3].sum())(0.3)
        assert np.isfinite(float(slope)) and float(slope) != 0.0


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


def test_curvature_of_log_sums_beside_one():
    # p (1 - p), of which the second factor is small: all others together
    x, along = sa.asarray([-13.0, 0.0, -16.0]), sa.asarray([0.0, 1.0, 0.0])
    rest = np.exp(-13.0) + np.exp(-16.0)
    for f in (lambda v: sa.special.logsumexp(v), lambda v: -sa.special.log_softmax(v)[0] + v[0]):
        curve = sa.jvp(sa.grad(f), (x,), (along,))[1]
        testing.assert_allclose(curve[1], rest / (1.0 + rest) ** 2, rtol=1e-14)
    assert sa.special.log_softmax(sa.ones((0, 3)), axis=1).shape == (0, 3)


@pytest.mark.parametrize("mode", ["jvp", "vjp"])
def test_derivatives_of_softmax_beside_one(mode):
    # p (1 - p) and p (1 - p) (1 - 2 p), of which the second factor is small
    x = np.array([[-13.0, 0.0, -16.0], [0.0, 40.0, 1.0]])
    others = np.exp(x - x[:, 1:2])[:, ::2]
    rest = others.sum(1)
    want = rest / (1.0 + rest) ** 2
    x, along = sa.asarray(x), sa.asarray([[0.0, 1.0, 0.0]] * 2)
    f = lambda v: sa.special.softmax(v, axis=1)
    if mode == "jvp":
        slope = lambda v: sa.jvp(f, (v,), (along,))[1]
    else:
        slope = sa.grad(lambda v: f(v)[:, 1].sum())
    testing.assert_allclose(slope(x)[:, 1], want, rtol=1e-14)
    testing.assert_allclose(slope(x)[:, ::2], -others / (1.0 + rest[:, None]) ** 2, rtol=1e-14)
    testing.assert_allclose(sa.jvp(slope, (x,), (along,))[1][:, 1], -want * (1.0 - rest) / (1.0 + rest), rtol=1e-14)


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


def test_signs_of_log_sums():
    x, b = RNG.normal(size=(5, 4)), RNG.normal(size=(5, 4))
    for axis, keepdims in ((None, False), (0, True), ((0, 1), False)):
        got = sa.special.logsumexp(x, axis, b, keepdims, return_sign=True)
        for part, want in zip(got, scipy.special.logsumexp(x, axis, b, keepdims, return_sign=True), strict=True):
            testing.assert_allclose(part, want, rtol=1e-12)
    got = sa.special.logsumexp(x, 1, b)
    signs = sa.special.logsumexp(x, 1, b, return_sign=True)[1]
    np.testing.assert_array_equal(np.isnan(got), np.asarray(signs) < 0)
    value, sign = sa.special.logsumexp([1.0, 1.0], b=[1.0, -1.0], return_sign=True)
    assert float(value) == -np.inf and float(sign) == 0.0
    value, sign = sa.special.logsumexp([], return_sign=True)
    assert float(value) == -np.inf and float(sign) == 0.0
    check_grads(lambda v, b: sa.special.logsumexp(v, 1, b, return_sign=True)[0], sa.asarray(x), sa.asarray(b))


def test_log_sums_of_complex_numbers():
    z = RNG.uniform(1, 40, (6, 30)) + 1j * RNG.uniform(1, 40, (6, 30))
    got = sa.special.logsumexp(z, axis=1)
    testing.assert_allclose(got, np.log(np.exp(z).sum(1)), rtol=1e-12)
    value, phase = sa.special.logsumexp(z, axis=1, return_sign=True)
    testing.assert_allclose(value, np.asarray(got).real, rtol=1e-15)
    testing.assert_allclose(phase, np.exp(1j * np.asarray(got).imag), rtol=1e-13)
    # Small parts, real and imaginary
    value = complex(np.asarray(sa.special.logsumexp([0.0, -40.0 + 0.5j])))
    exact = complex(mpmath.log1p(mpmath.exp(mpmath.mpc(-40, 0.5))))
    assert value.real == pytest.approx(exact.real, rel=1e-14, abs=0.0) and value.imag == pytest.approx(
        exact.imag, rel=1e-14, abs=0.0
    )
    assert complex(np.asarray(sa.special.logsumexp([1e3 + 3j, 1e3 + 1j]))).imag == pytest.approx(
        2.0, rel=1e-14, abs=0.0
    )
    assert sa.special.logsumexp(np.complex64([1, 2j])).dtype == sa.complex64
    assert [y.dtype.name for y in sa.special.logsumexp(np.complex64([1, 2j]), return_sign=True)] == [
        "float32",
        "complex64",
    ]
    assert sa.special.logsumexp(np.float32([1, 2]), b=np.float64([1, 2])).dtype == sa.float64
    check_grads(lambda v: sa.special.logsumexp(v, axis=1), sa.asarray(z[:2, :3]))


def test_gradients_of_reductions():
    x = sa.asarray(RNG.normal(size=(3, 4)))
    for name in ("logsumexp", "softmax", "log_softmax"):
        for axis in (None, 1, (0, 1)):
            check_grads(lambda v, name=name, axis=axis: getattr(sa.special, name)(v, axis=axis), x)
    check_grads(
        lambda v: sa.special.softmax(v, axis=0), sa.asarray(RNG.normal(size=(3, 2)) + 1j * RNG.normal(size=(3, 2)))
    )
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
    n, x = np.array([[1.0], [4.0], [5.0], [0.0], [-3.0], [2.5], [np.nan]]), np.array([0.3, -2.0, 7.0, np.nan])
    np.testing.assert_allclose(sa.special.diric(x, n), scipy.special.diric(x, n), rtol=1e-13)
    assert sa.special.diric(np.float32([1.0]), 3).dtype == sa.float32


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
    for bad in (0, 2.5, np.nan):
        with pytest.raises(ValueError, match=f"multigammaln: d must be a whole number of at least 1, got {bad}"):
            sa.special.multigammaln(2.0, bad)
    check_grads(lambda a: sa.special.multigammaln(a, 3), sa.asarray([1.5, 4.0]))


def product_of_every(n: int, k: int) -> int:
    return math.prod(range(n, 0, -k)) if n >= 0 else 0


def test_exact_combinatorics():
    special = sa.special
    got = [
        special.comb(100, 50, exact=True),
        special.comb(7.0, np.int64(3), exact=True),
        special.comb(3, 5, exact=True),
    ]
    assert got == [math.comb(100, 50), 35, 0] and all(type(x) is int for x in got)
    for n in range(-2, 7):
        for k in range(-2, 7):
            assert special.comb(n, k, exact=True) == scipy.special.comb(n, k, exact=True)
            assert special.comb(n, k, exact=True, repetition=True) == scipy.special.comb(
                n, k, exact=True, repetition=True
            )
            assert special.perm(n, k, exact=True) == scipy.special.perm(n, k, exact=True) == float(special.perm(n, k))
    for k in (1, 2, 3, 7):
        n = np.arange(-3, 20)
        want = [product_of_every(int(v), k) for v in n]
        exact = special.factorialk(n, k, exact=True)
        assert exact.dtype == sa.int64 and exact.tolist() == want
        testing.assert_allclose(special.factorialk(n, k), np.array(want, dtype=float), ulps=8)
        assert special.factorialk(400, k, exact=True) == product_of_every(400, k)
        large = np.array([float(product_of_every(v, k)) for v in range(100, 170)])
        testing.assert_allclose(special.factorialk(np.arange(100, 170), k), large, ulps=8)
    assert special.factorial2(7, exact=True) == 105 and float(special.factorial2(6)) == 48.0
    assert [special.factorial(v, exact=True) for v in (-4.0, 0.0, 1.0)] == [0, 1, 1]
    assert math.isnan(special.factorial(math.nan, exact=True))
    row = sa.special.stirling2(np.int64(30), np.arange(32))
    testing.assert_allclose(row, [float(mpmath.stirling2(30, k)) for k in range(32)], ulps=0.5)
    assert special.stirling2(60, 30, exact=True) == int(mpmath.stirling2(60, 30, exact=True))
    assert special.stirling2([5, 5], [2, 3], exact=True).tolist() == [15, 25]


def test_numbers_of_bernoulli_and_euler():
    for name, f in (("bernoulli", mpmath.bernoulli), ("euler", mpmath.eulernum)):
        numbers = getattr(sa.special, name)
        got, most = np.asarray(numbers(300)), 258 if name == "bernoulli" else 186
        want = [float(f(k)) if k != 1 or name == "euler" else -0.5 for k in range(most + 1)]
        np.testing.assert_allclose(got[: most + 1], want, rtol=2.3e-16)
        assert np.isinf(got[most + 2 :: 2]).all() and (got[most + 1 :: 2] == 0).all()
        np.testing.assert_array_equal(
            np.sign(got[most + 2 :: 2]), np.resize([-np.sign(want[-1]), np.sign(want[-1])], (300 - most) // 2)
        )
        for n in (0, 1, 2):
            np.testing.assert_array_equal(numbers(n), got[: n + 1])
        for bad in (-1, 2.5):
            with pytest.raises(ValueError, match=f"{name}: n must be an integer of at least 0, got {bad}"):
                numbers(bad)


def test_factorials_of_all_numbers():
    special, peer = sa.special, scipy.special
    x = np.array([-3.3, -0.5, 0.0, 0.7, 2.0, 5.5, np.inf])
    z = np.array([2 + 2j, -1.5 + 0.3j, 0.2 - 4j])
    testing.assert_allclose(special.factorial(x), peer.factorial(x), rtol=1e-14)
    for values in (x, z):
        for got, want in (
            (special.factorial(values, extend="complex"), peer.factorial(values, extend="complex")),
            (special.factorial2(values, extend="complex"), peer.factorial2(values, extend="complex")),
            (special.factorialk(values, 2.5, extend="complex"), peer.factorialk(values, 2.5, extend="complex")),
        ):
            testing.assert_allclose(got, want, rtol=1e-13)
    for k in (-2, 1.5 - 2j):
        testing.assert_allclose(
            special.factorialk(z, k, extend="complex"), peer.factorialk(z, k, extend="complex"), rtol=1e-13
        )
    for k in (1, 2, 3):
        assert np.isnan(special.factorialk(k * np.array([-1.0, -2.0, -5.0]), k, extend="complex")).all()
    assert float(special.factorial2(0, extend="complex")) == pytest.approx(np.sqrt(2 / np.pi), rel=1e-15, abs=0.0)
    assert np.isnan(special.factorial([np.nan, 1.0])).tolist() == [True, False]
    assert (
        special.factorial(np.float32(3)).dtype
        == special.factorialk(np.float32(3), 3, extend="complex").dtype
        == sa.float32
    )
    assert special.factorial2(np.complex64(3), extend="complex").dtype == sa.complex64
    assert special.factorial2(np.uint8(5)).dtype == sa.float64
    inner = sa.asarray([-0.5, 0.7, 4.2])
    check_grads(lambda n: special.factorial2(n, extend="complex"), inner)
    check_grads(lambda n: special.factorialk(n, 2.5, extend="complex"), inner)
    check_grads(special.factorial, sa.asarray([0.4, 2.3]))
    check_grads(special.perm, sa.asarray([5.5, 8.0]), sa.asarray([2.0, 3.5]))
    check_grads(special.comb, sa.asarray([5.5, 8.0]), sa.asarray([2.0, 3.5]))


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (lambda s: s.comb(3.4, 1, exact=True), ValueError, "comb: exact=True needs whole numbers, got 3.4"),
        (lambda s: s.perm(3, np.nan, exact=True), ValueError, "perm: exact=True needs whole numbers, got nan"),
        (lambda s: s.factorial(2.0, exact=True), ValueError, "factorial: exact=True needs integers, got dtype float64"),
        (lambda s: s.factorial([21], exact=True), OverflowError, "factorial: exact=True answers arrays in int64"),
        (
            lambda s: s.factorial(1, extend="none"),
            ValueError,
            "factorial: extend must be 'zero' or 'complex', got 'none'",
        ),
        (lambda s: s.factorial(1, True, "complex"), ValueError, "factorial: exact=True needs extend='zero'"),
        (lambda s: s.factorial(1j), ValueError, "factorial: numbers that are not integers need extend='complex'"),
        (lambda s: s.factorial2(2.0), ValueError, "factorial2: numbers that are not integers need extend='complex'"),
        (lambda s: s.factorialk(2, 2.0), ValueError, "factorialk: k must be a positive integer unless"),
        (
            lambda s: s.factorialk(2, 0, extend="complex"),
            ValueError,
            "factorialk: k must be a number other than 0, got 0",
        ),
        (lambda s: s.stirling2(2.0, 1), TypeError, "stirling2: N and K must be integers, got dtype float64"),
    ],
)
def test_combinatorics_that_are_refused(f, error, message):
    with pytest.raises(error, match=re.escape(message)):
        f(sa.special)


def test_combinations_of_nothing_and_of_nan():
    for f in (sa.special.comb, sa.special.perm):
        assert np.isnan(f([np.nan, 3.0], [2.0, np.nan])).all()
        assert f(np.float32(5), np.float32(2)).dtype == sa.float32
    assert sa.special.comb([0, 3, 0], [0, 0, 2], repetition=True).tolist() == [1.0, 1.0, 0.0]


def test_fresnel():
    x = RNG.normal(size=30) * 3
    for got, expected in zip(sa.special.fresnel(x), scipy.special.fresnel(x)):
        testing.assert_allclose(got, expected, rtol=1e-13)


def test_documentation():
    for module in (_composites, _combinatorics):
        results = doctest.testmod(module, extraglobs={"sa": sa}, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert results.attempted >= len(module.__all__) and results.failed == 0


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
