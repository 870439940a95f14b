"""First and second derivatives of the real special functions in every argument against mpmath, limits and poles included."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import catalogue
import make_tables
import measure
import mpmath
import numpy as np
import pytest
from mpmath import mp

import sciarray as sa
from sciarray import _core, testing

INF = math.inf
s = sa.special
ROWS: dict[str, dict[str, Any]] = _core._rows
#: Bits of the references, and of the steps of their differences.
BITS, STEP = 260, 45


def solved(name: str, equation: Callable[..., Any]) -> Callable[..., Any]:
    """The root ``y`` of ``equation(y, *x)``, from the answer of sciarray on."""

    def g(*x: Any) -> Any:
        start = mpmath.mpf(float(getattr(s, name)(*map(float, x))))
        pair = (start, start * (1 + mpmath.mpf(2) ** -40))
        return mpmath.findroot(lambda y: equation(y, *x), pair, tol=mpmath.mpf(2) ** (-1.8 * BITS))

    return g


def gammainc(a: Any, x: Any) -> Any:
    return mpmath.gammainc(a, 0, x, regularized=True)


def gammaincc(a: Any, x: Any) -> Any:
    return 1 - gammainc(a, x)


def betainc(a: Any, b: Any, x: Any) -> Any:
    return mpmath.betainc(a, b, 0, x, regularized=True)


def betaincc(a: Any, b: Any, x: Any) -> Any:
    return 1 - betainc(a, b, x)


def ndtr(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def stdtr(df: Any, t: Any) -> Any:
    tail = betainc(df / 2, mpmath.mpf(1) / 2, df / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


def voigt(x: Any, sigma: Any, gamma: Any) -> Any:
    z = mpmath.mpc(x, gamma) / (sigma * mpmath.sqrt(2))
    return (mpmath.exp(-z * z) * mpmath.erfc(-1j * z)).real / (sigma * mpmath.sqrt(2 * mpmath.pi))


def owens_t(h: Any, a: Any) -> Any:
    return mpmath.quad(lambda t: mpmath.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a]) / (2 * mpmath.pi)


def smirnov(n: Any, d: Any) -> Any:
    n = int(n)
    terms = (mpmath.binomial(n, j) * (d + mpmath.mpf(j) / n) ** (j - 1) * (1 - d - mpmath.mpf(j) / n) ** (n - j)
             for j in range(int(mpmath.floor(n * (1 - d))) + 1))  # fmt: skip
    return d * mpmath.fsum(terms)


def kolmogorov(x: Any) -> Any:
    return 2 * mpmath.fsum((-1) ** (k - 1) * mpmath.exp(-2 * (k * x) ** 2) for k in range(1, 400))


def tukey(p: Any, lmbda: Any) -> Any:
    return mpmath.log(p / (1 - p)) if lmbda == 0 else (p**lmbda - (1 - p) ** lmbda) / lmbda


def box_cox(x: Any, lmbda: Any) -> Any:
    return mpmath.log(x) if lmbda == 0 else (x**lmbda - 1) / lmbda


def polynomial(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda n, *x: f(int(n), *x)


def real_degree(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *x: mpmath.re(f(*x))


def shifted(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda n, x: mpmath.re(f(n, 2 * x - 1))


def of_degrees(*x: float) -> list[tuple[float, ...]]:
    """Of polynomials, and of what is between them, summed or climbed to."""
    return [(n, *x) for n in (5.0, 0.0, 2.5, -0.75, 17.25)]


def spherical(f: Callable[..., Any], factor: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda n, x: factor(x) * f(int(n) + mpmath.mpf(1) / 2, x)


def root_of(c: Any) -> Callable[[Any], Any]:
    return lambda x: 1 / mpmath.sqrt(2 * x / c())


def scaled(f: Callable[..., Any], sign: int) -> Callable[..., Any]:
    return lambda *x: f(*x) * mpmath.exp(sign * x[-1])


erfcx = lambda x: mpmath.exp(x * x) * mpmath.erfc(x)
dawsn = lambda x: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)
half_pi = lambda: mpmath.pi

#: On both sides of what the expansion for large parameters serves, in one of them and in both
QUANTILES = [
    (0.5, 0.75, 0.2),
    (4.5, 8.0, 0.01),
    (203.0, 469.5, 0.75),
    (2.5, 350.0, 0.6),
    (300.0, 1.5, 0.1),
    (210.0, 240.0, 1e-10),
]

#: Orders and arguments between the differences of scaled Bessel functions and Hankel's expansions, and beside these
BETWEEN = [(9.25, 39.0), (9.25, 41.0), (-17.75, 144.0), (17.75, 53.5), (50.0, 1200.0), (300.0, 890.0), (300.0, 44000.0)]

#: Name, reference, points: in the bulk, in tails, beside the places where formulas change.
CASES: dict[str, tuple[Callable[..., Any], list[tuple[float, ...]]]] = {
    "exp10": (lambda x: mpmath.mpf(10) ** x, [(-30.5,), (2.25,)]),
    "expit": (lambda x: 1 / (1 + mpmath.exp(-x)), [(-40.0,), (0.5,), (36.0,)]),
    "log_expit": (lambda x: -mpmath.log1p(mpmath.exp(-x)), [(-40.0,), (0.5,), (36.0,)]),
    "softplus": (lambda x: mpmath.log1p(mpmath.exp(x)), [(-40.0,), (0.5,), (36.0,)]),
    "gamma": (mpmath.gamma, [(0.001,), (-2.5,), (4.75,), (150.5,)]),
    "gammaln": (lambda x: mpmath.log(abs(mpmath.gamma(x))), [(0.001,), (1.75,), (2.25,), (1e3,)]),
    "loggamma": (mpmath.loggamma, [(0.001,), (1.75,), (1e3,)]),
    "rgamma": (mpmath.rgamma, [(-2.5,), (0.25,), (30.5,)]),
    "digamma": (mpmath.digamma, [(-1.25,), (1.46,), (1e3,)]),
    "polygamma": (lambda n, x: mpmath.polygamma(int(n), x), [(1.0, 0.25), (3.0, 12.5)]),
    "gammainc": (gammainc, [(0.01, 0.5), (3.5, 2.0), (20.0, 24.0), (150.0, 140.0)]),
    "gammaincc": (gammaincc, [(0.01, 0.5), (3.5, 12.0), (20.0, 24.0), (150.0, 170.0)]),
    "gammaincinv": (solved("gammaincinv", lambda y, a, p: gammainc(a, y) - p), [(0.75, 0.01), (8.5, 0.5), (60.0, 0.9)]),
    "gammainccinv": (solved("gammainccinv", lambda y, a, p: gammaincc(a, y) - p), [(0.75, 0.01), (8.5, 0.5), (60.0, 0.9)]),
    "betainc": (betainc, [(0.5, 0.75, 0.25), (3.5, 8.0, 0.3), (40.0, 30.0, 0.6)]),
    "betaincc": (betaincc, [(0.5, 0.75, 0.25), (3.5, 8.0, 0.6), (40.0, 30.0, 0.6)]),
    "betaincinv": (solved("betaincinv", lambda y, a, b, p: betainc(a, b, y) - p), QUANTILES),
    "betainccinv": (solved("betainccinv", lambda y, a, b, p: betaincc(a, b, y) - p), QUANTILES),
    "btdtria": (solved("btdtria", lambda y, p, b, x: betainc(y, b, x) - p), [(0.3, 2.5, 0.4)]),
    "btdtrib": (solved("btdtrib", lambda y, a, p, x: betainc(a, y, x) - p), [(2.5, 0.3, 0.4)]),
    "beta": (mpmath.beta, [(0.25, 3.5), (12.0, 30.5), (0.5, -3.5), (200.25, -200.25), (-180.5, 0.5)]),
    "betaln": (lambda a, b: mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b), [(0.25, 3.5), (12.0, 300.5)]),
    "poch": (
        lambda z, m: mpmath.gamma(z + m) * mpmath.rgamma(z),
        [(0.5, 3.25), (12.5, 7.75), (-12.0, 6.5), (-12.000000001, 6.5), (-200.0, 0.5), (-165.0, -10.5), (-199.97, 3.5)],
    ),
    "binom": (
        mpmath.binomial,
        [(9.5, 2.25), (30.0, 4.5), (5.0, 7.0), (2.5, -3.0), (2.5, 5.5), (5.0, 200.0), (300.0, 500.0), (2.5, 300.5)],
    ),
    "stdtr": (stdtr, [(0.75, -3.0), (4.5, -0.5), (40.0, -8.0), (4.5, 1e-4), (15.5, 2.25e-8), (3.0, -1e-6)]),
    "stdtrit": (solved("stdtrit", lambda y, a, p: stdtr(a, y) - p), [(0.75, 0.01), (6.5, 0.3)]),
    "stdtridf": (solved("stdtridf", lambda y, p, t: stdtr(y, t) - p), [(0.125, -2.0)]),
    "fdtridfd": (
        solved("fdtridfd", lambda y, n, p, x: betainc(n / 2, y / 2, n * x / (n * x + y)) - p),
        [(3.5, 0.3, 1.5), (12.0, 0.04, 0.5)],
    ),
    "erf": (mpmath.erf, [(-2.0,), (0.25,), (5.0,)]),
    "erfc": (mpmath.erfc, [(-2.0,), (0.25,), (20.0,)]),
    "erfcx": (erfcx, [(-2.0,), (0.25,), (50.0,)]),
    "erfi": (mpmath.erfi, [(-2.0,), (0.25,), (20.0,)]),
    "dawsn": (dawsn, [(0.25,), (0.92,), (3.0,), (30.0,)]),
    "erfinv": (solved("erfinv", lambda y, p: mpmath.erf(y) - p), [(-0.5,), (0.25,), (0.999,)]),
    "erfcinv": (solved("erfcinv", lambda y, p: mpmath.erfc(y) - p), [(0.5,), (1.75,), (1e-20,)]),
    "ndtr": (ndtr, [(-20.0,), (0.5,), (6.0,)]),
    "ndtri": (solved("ndtri", lambda y, p: ndtr(y) - p), [(1e-20,), (0.3,), (0.9,)]),
    "log_ndtr": (lambda x: mpmath.log(ndtr(x)), [(-300.0,), (-1.5,), (4.0,)]),
    "ndtri_exp": (solved("ndtri_exp", lambda y, p: mpmath.log(ndtr(y)) - p), [(-200.0,), (-2.5,), (-0.1,)]),
    "fresnel_s": (mpmath.fresnels, [(0.5,), (3.25,), (20.0,)]),
    "fresnel_c": (mpmath.fresnelc, [(0.5,), (3.25,), (20.0,)]),
    "owens_t": (owens_t, [(0.5, 0.75), (2.0, 3.0)]),
    "voigt_profile": (voigt, [(0.5, 1.0, 0.5), (8.0, 0.5, 0.1)]),
    "j0": (mpmath.j0, [(0.5,), (2.4,), (40.0,)]),
    "j1": (mpmath.j1, [(0.5,), (3.83,), (40.0,)]),
    "y0": (lambda x: mpmath.bessely(0, x), [(0.5,), (40.0,)]),
    "y1": (lambda x: mpmath.bessely(1, x), [(0.5,), (40.0,)]),
    "i0": (lambda x: mpmath.besseli(0, x), [(-0.5,), (30.0,)]),
    "i1": (lambda x: mpmath.besseli(1, x), [(-0.5,), (30.0,)]),
    "i0e": (scaled(lambda x: mpmath.besseli(0, x), -1), [(0.5,), (30.0,), (1e4,)]),
    "i1e": (scaled(lambda x: mpmath.besseli(1, x), -1), [(0.5,), (30.0,), (1e4,)]),
    "k0": (lambda x: mpmath.besselk(0, x), [(0.1,), (30.0,)]),
    "k1": (lambda x: mpmath.besselk(1, x), [(0.1,), (30.0,)]),
    "k0e": (scaled(lambda x: mpmath.besselk(0, x), 1), [(0.1,), (30.0,), (1e4,)]),
    "k1e": (scaled(lambda x: mpmath.besselk(1, x), 1), [(0.1,), (30.0,), (1e4,)]),
    "jv": (mpmath.besselj, [(0.25, 1.5), (3.5, 12.0), (6.25, 60.0), (0.5, 21.0), (1.5, 20.5)]),
    "yv": (mpmath.bessely, [(0.25, 1.5), (3.5, 12.0), (6.25, 60.0), (0.5, 21.0), (1.5, 20.5)]),
    "iv": (mpmath.besseli, [(0.25, 1.5), (3.5, 12.0), (0.5, 22.0), (1e-6, 10.0), (0.0, 5.0)]),
    "kv": (mpmath.besselk, [(0.25, 1.5), (3.5, 12.0), (0.5, 22.0), (1e-8, 14.0)]),
    "ive": (scaled(mpmath.besseli, -1), [(0.25, 1.5), (3.5, 120.0), (2.5, 21.0), (-1e-4, 20.0), *BETWEEN]),
    "kve": (scaled(mpmath.besselk, 1), [(0.25, 1.5), (3.5, 120.0), (1.5, 20.5), *BETWEEN]),
    "spherical_jn": (spherical(mpmath.besselj, root_of(half_pi)), [(0.0, 0.5), (3.0, 7.5)]),
    "spherical_yn": (spherical(mpmath.bessely, root_of(half_pi)), [(0.0, 0.5), (3.0, 7.5)]),
    "spherical_in": (spherical(mpmath.besseli, root_of(half_pi)), [(0.0, 0.5), (3.0, 7.5)]),
    "spherical_kn": (spherical(mpmath.besselk, root_of(half_pi)), [(0.0, 0.5), (3.0, 7.5)]),
    "ber": (lambda x: mpmath.ber(0, x), [(0.5,), (12.0,)]),
    "bei": (lambda x: mpmath.bei(0, x), [(0.5,), (12.0,)]),
    "ker": (lambda x: mpmath.ker(0, x), [(0.5,), (12.0,)]),
    "kei": (lambda x: mpmath.kei(0, x), [(0.5,), (12.0,)]),
    "struve": (mpmath.struveh, [(0.5, 2.0), (2.25, 30.0), (-2.5000001, 6.0)]),
    "modstruve": (mpmath.struvel, [(0.5, 2.0), (2.25, 12.0), (-2.4999999, 12.0)]),
    "exp1": (mpmath.e1, [(0.1,), (25.0,)]),
    "expi": (mpmath.ei, [(0.1,), (25.0,), (-3.0,)]),
    "expn": (
        mpmath.expint,
        [(0.0, 0.5), (3.0, 2.0), (1.0, 0.01), (2.0, 0.99), (1.0, 1.01), (0.75, 0.25), (2.5, 0.8), (30.5, 0.2), (7.25, 40.0)],
    ),
    "spence": (lambda x: mpmath.polylog(2, 1 - x).real, [(0.25,), (1.25,), (30.0,)]),
    "ellipk": (mpmath.ellipk, [(-30.0,), (0.5,), (0.999,)]),
    "ellipkm1": (lambda p: mpmath.ellipk(1 - p), [(1e-6,), (0.5,)]),
    "ellipe": (mpmath.ellipe, [(-30.0,), (0.5,), (0.999,)]),
    "ellipkinc": (mpmath.ellipf, [(0.5, 0.75), (1.25, -3.0)]),
    "ellipeinc": (mpmath.ellipe, [(0.5, 0.75), (1.25, -3.0)]),
    "elliprc": (mpmath.elliprc, [(0.5, 2.0), (3.0, 0.25)]),
    "elliprf": (mpmath.elliprf, [(0.5, 2.0, 5.0)]),
    "elliprd": (mpmath.elliprd, [(0.5, 2.0, 5.0)]),
    "elliprg": (mpmath.elliprg, [(0.5, 2.0, 5.0)]),
    "elliprj": (mpmath.elliprj, [(0.5, 2.0, 5.0, 3.0)]),
    "hyp0f1": (mpmath.hyp0f1, [(0.75, 2.0), (3.5, -20.0), (1.5, -2e3), (-39.9999999, -12.0)]),
    "hyp1f1": (
        mpmath.hyp1f1,
        [(0.75, 1.5, 2.0), (2.5, 3.25, -12.0), (0.75, 1.5, 60.0), (-1e-7, 2.5, -400.0), (307.25, 107.5, 92.5)],
    ),
    "hyperu": (mpmath.hyperu, [(0.75, 1.5, 2.0), (2.5, -0.75, 20.0)]),
    "hyp2f1": (
        mpmath.hyp2f1,
        [
            (0.75, 1.5, 2.25, 0.3),
            (2.5, -0.75, 1.25, -4.0),
            (0.5, 1.25, 3.5, 0.97),
            (1e-7, 7.0, 4.0, -0.3),
            (1.5, -1e-7, 2.5, 0.9),
        ],
    ),
    "eval_legendre": (real_degree(mpmath.legendre), [*of_degrees(0.3), (-3e-10, -0.625)]),
    "eval_chebyt": (real_degree(mpmath.chebyt), of_degrees(0.3)),
    "eval_chebyu": (real_degree(mpmath.chebyu), [*of_degrees(0.3), (-6e-12, 2.96875)]),
    **{f"eval_sh_{k}": (shifted(getattr(mpmath, k)), of_degrees(0.65)) for k in ("legendre", "chebyt", "chebyu")},
    "eval_hermite": (polynomial(mpmath.hermite), [(5.0, 0.3)]),
    "eval_gegenbauer": (real_degree(mpmath.gegenbauer), [*of_degrees(0.75, 0.3), (3e-8, 4.75, 0.3)]),
    "eval_genlaguerre": (real_degree(mpmath.laguerre), of_degrees(0.75, 3.0)),
    "eval_jacobi": (real_degree(mpmath.jacobi), of_degrees(0.75, 1.25, 0.3)),
    "wrightomega": (lambda x: mpmath.lambertw(mpmath.exp(x)).real, [(-30.0,), (0.5,), (40.0,)]),
    "zetac": (lambda x: mpmath.zeta(x) - 1, [(-5.5,), (0.5,), (12.0,)]),
    "logit": (lambda p: mpmath.log(p / (1 - p)), [(1e-9,), (0.5,), (0.75,)]),
    "entr": (lambda x: -x * mpmath.log(x), [(1e-9,), (2.5,)]),
    "xlogy": (lambda x, y: x * mpmath.log(y), [(0.0, 2.5), (2.0, 1e-9)]),
    "xlog1py": (lambda x, y: x * mpmath.log1p(y), [(0.0, 2.5), (2.0, 1e-9)]),
    "rel_entr": (lambda x, y: x * mpmath.log(x / y), [(2.0, 2.0), (1e-9, 3.0)]),
    "kl_div": (lambda x, y: x * mpmath.log(x / y) - x + y, [(2.0, 2.0), (1e-9, 3.0)]),
    "pseudo_huber": (lambda d, r: d * d * (mpmath.sqrt(1 + (r / d) ** 2) - 1), [(0.5, 1e-9), (2.0, 30.0)]),
    "powm1": (lambda x, y: x**y - 1, [(1.0, 2.5), (2.5, -1e-9)]),
    "cosm1": (lambda x: mpmath.cos(x) - 1, [(1e-9,), (6.25,)]),
    "exprel": (lambda x: mpmath.expm1(x) / x, [(1e-9,), (-30.0,), (3.0,)]),
    "boxcox": (box_cox, [(2.5, 1e-9), (0.25, -2.0)]),
    "boxcox1p": (lambda x, lmbda: box_cox(1 + x, lmbda), [(1.5, 1e-9), (-0.25, -2.0)]),
    "inv_boxcox": (lambda y, lmbda: (1 + lmbda * y) ** (1 / lmbda), [(0.5, 1e-9), (0.5, 1.25)]),
    "inv_boxcox1p": (lambda y, lmbda: (1 + lmbda * y) ** (1 / lmbda) - 1, [(0.5, 1e-9), (0.5, 1.25)]),
    "kolmogorov": (kolmogorov, [(0.5,), (0.82,), (2.0,)]),
    "kolmogi": (solved("kolmogi", lambda y, p: kolmogorov(y) - p), [(0.001,), (0.9,)]),
    "smirnov": (smirnov, [(5.0, 0.33), (40.0, 0.11)]),
    "smirnovi": (solved("smirnovi", lambda y, a, p: smirnov(a, y) - p), [(5.0, 0.3), (40.0, 0.01)]),
    "tklmbda": (
        solved("tklmbda", lambda p, x, lmbda: tukey(p, lmbda) - x),
        [(-0.75, 0.5), (-3.0, -1.25), (-1.5, 0.0), (0.25, 0.5), (1.25, 0.25)],
    ),
}  # fmt: skip


def test_every_function_has_a_case():
    rows = {n for n, row in ROWS.items() if row["namespace"] == "special" and row["differentiable"]}
    # Derivatives of others, another scale, and a function of pieces.
    rows -= {"berp", "beip", "kerp", "keip", "eval_hermitenorm", "huber"}
    assert rows == set(CASES)


def slope(f: Callable[..., Any], x: list[Any], which: tuple[int, ...], step: int = STEP) -> Any:
    """The derivative in the numbered arguments by central differences at high precision."""
    h = [abs(x[i] or mpmath.mpf(1)) * mpmath.mpf(2) ** -step for i in which]

    def at(*signs: int) -> Any:
        y = list(x)
        for i, width, sign in zip(which, h, signs, strict=True):
            y[i] += sign * width
        return f(*y)

    if len(which) == 1:
        return (at(1) - at(-1)) / (2 * h[0])
    return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h[0] * h[1])


def condition(f: Callable[..., Any], x: list[Any], which: tuple[int, ...]) -> Any:
    """What relative changes of the arguments do to the derivative."""
    total = mpmath.mpf(0)
    for i, v in enumerate(x):
        y = list(x)
        y[i] = v * (1 + mpmath.mpf(2) ** -30)
        total += abs(slope(f, y, which) - slope(f, x, which)) * mpmath.mpf(2) ** 30
    return total


@pytest.mark.parametrize("name", CASES)
def test_derivatives(name):
    exact, points = CASES[name]
    f, fixed = getattr(s, name), set(ROWS[name]["orders"])
    if name == "polygamma":
        fixed = {0}
    free = [i for i in range(len(points[0])) if i not in fixed]
    columns = [sa.asarray(list(column)) for column in zip(*points, strict=True)]
    xs, one = [columns[i] for i in free], sa.ones(len(points))

    def of_free(*y):
        at = list(columns)
        for i, v in zip(free, y, strict=True):
            at[i] = v
        return f(*at)

    def first(k):
        return lambda *y: sa.vjp(of_free, *y)[1](one)[k]

    def close(got, which):
        for x, value in zip(points, np.asarray(got).tolist(), strict=True):
            with mp.workprec(BITS):
                at = list(map(mpmath.mpf, x))
                want = slope(exact, at, which)
                error = abs(value - want)
                if not error <= 1e-12 * abs(want):
                    limit = 1e-12 * (abs(want) + condition(exact, at, which))
                    assert error <= limit, (name, x, which, value, float(want), float(error / limit))

    for k, i in enumerate(free):
        close(first(k)(*xs), (i,))
        close(sa.jvp(of_free, tuple(xs), tuple(one if j == i else 0 * one for j in free))[1], (i,))
        for m, j in enumerate(free[k:], k):
            close(sa.vjp(first(k), *xs)[1](one)[m], (i, j))


@pytest.mark.parametrize("which", [(0, 0, 2), (0, 1, 2), (1, 1, 2), (0, 2, 2), (1, 2, 2)])
@pytest.mark.parametrize("x", [(30.0, 45.0, 0.3), (250.0, 420.0, 0.3), (250.0, 4.5, 0.6), (3.0, 350.0, 0.8)])
def test_third_derivatives_of_beta_quantiles_in_any_order(x, which):
    at = list(map(sa.asarray, x))
    f = s.betaincinv
    for i in which:
        f = sa.grad(f, argnums=i)
    g = s.betaincinv
    for i in reversed(which):
        g = sa.grad(g, argnums=i)
    assert float(f(*at)) == pytest.approx(float(g(*at)), rel=1e-8, abs=0.0)


@pytest.mark.parametrize("v", [0.0, 1e-9, -1e-3, 0.05, -0.1])
@pytest.mark.parametrize("x", [5.5, 20.0, 35.0, 36.5])
def test_the_slope_of_modstruve_next_to_order_zero(v, x):
    got = float(sa.grad(s.modstruve)(sa.asarray(v), sa.asarray(x)))
    with mp.workprec(BITS):
        assert got == pytest.approx(
            float(slope(mpmath.struvel, [mpmath.mpf(v), mpmath.mpf(x)], (0,))), rel=2e-12, abs=0.0
        )


@pytest.mark.parametrize("v", [0.0, 1e-9, -1e-3, 0.05, -0.1])
@pytest.mark.parametrize("x", [5.5, 20.0, 36.5, 300.0])
def test_the_mixed_slope_of_modstruve_next_to_order_zero(v, x):
    in_order = sa.grad(s.modstruve)
    got = float(sa.grad(in_order, argnums=1)(sa.asarray(v), sa.asarray(x)))
    # The other derivatives are larger by e^x.
    grown = int(1.5 * x)
    with mp.workprec(BITS + 4 * grown):
        want = float(slope(mpmath.struvel, [mpmath.mpf(v), mpmath.mpf(x)], (0, 1), STEP + grown))
        assert got == pytest.approx(want, rel=2e-12, abs=0.0)


#: Function, point, argument, first derivative in the limit.
LIMITS = [
    ("xlogy", (0.0, 0.0), 0, -INF),
    ("entr", (0.0,), 0, INF),
    ("gammaincc", (1.0, 0.0), 1, -1.0),
    ("gammainc", (0.5, 0.0), 1, INF),
    ("gammainc", (3.0, INF), 1, 0.0),
    ("betainc", (1.0, 3.0, 0.0), 2, 3.0),
    ("betainc", (2.0, 0.5, 1.0), 2, INF),
    ("i0", (0.0,), 0, 0.0),
    ("i1", (0.0,), 0, 0.5),
    ("j1", (0.0,), 0, 0.5),
    ("spherical_jn", (1.0, 0.0), 1, 1.0 / 3.0),
    ("y0", (0.0,), 0, INF),
    ("y1", (0.0,), 0, INF),
    ("wrightomega", (INF,), 0, 1.0),
    ("wrightomega", (-INF,), 0, 0.0),
    ("k0", (0.0,), 0, -INF),
    ("spence", (1.0,), 0, -1.0),
    ("erfcx", (INF,), 0, 0.0),
    ("ndtr", (-INF,), 0, 0.0),
    ("ndtri", (0.0,), 0, INF),
    ("log_ndtr", (INF,), 0, 0.0),
    ("expit", (INF,), 0, 0.0),
    ("exprel", (0.0,), 0, 0.5),
    ("ellipk", (0.0,), 0, math.pi / 8),
    ("ellipe", (1.0,), 0, -INF),
    ("kolmogorov", (0.0,), 0, 0.0),
    ("smirnov", (4.0, 1.0), 1, 0.0),
    ("smirnov", (1.0, 0.5), 1, -1.0),
    ("boxcox", (2.0, 0.0), 1, math.log(2.0) ** 2 / 2),
    ("tklmbda", (0.0, 0.0), 0, 0.25),
    ("tklmbda", (3.0, 0.5), 0, 0.0),
    ("tklmbda", (3.0, 0.5), 1, 0.0),
    ("rgamma", (-2.0,), 0, 2.0),
    ("jv", (1.0, 0.0), 1, 0.5),
    ("jv", (0.5, 0.0), 1, INF),
    ("expn", (2.0, 0.0), 1, -INF),
    ("expn", (2.0, 0.0), 0, -1.0),
    ("expn", (0.5, 0.0), 0, -INF),
    ("expn", (1.5, INF), 0, 0.0),
    ("ellipk", (1.0,), 0, INF),
    ("hyp2f1", (1.0, 2.0, 4.0, 0.0), 3, 0.5),
    ("hyp1f1", (2.0, 4.0, 0.0), 0, 0.0),
    ("struve", (0.0, 0.0), 1, 2.0 / math.pi),
    ("owens_t", (0.0, 0.0), 1, 0.5 / math.pi),
    ("voigt_profile", (0.0, 1.0, 0.0), 2, -1.0 / math.pi),
    ("kl_div", (0.0, 1.0), 1, 1.0),
    ("rel_entr", (0.0, 1.0), 1, 0.0),
    ("betaincinv", (1.0, 3.0, 0.0), 2, 1.0 / 3.0),
    ("gammainccinv", (1.0, 1.0), 1, -1.0),
    ("stdtrit", (1.0, 0.5), 1, math.pi),
    ("erfinv", (1.0,), 0, INF),
]


@pytest.mark.parametrize(("n", "slopes"), [(1.0, (-1.0, 0.0)), (2.0, (0.0, 2.0)), (5.0, (0.0, 0.0))])
def test_smirnov_ends_as_a_power(n, slopes):
    first = sa.grad(lambda d: s.smirnov(n, d))
    assert (float(first(1.0)), float(sa.grad(first)(1.0))) == slopes


@pytest.mark.parametrize(("name", "x", "i", "expected"), LIMITS)
def test_limits(name, x, i, expected):
    got = float(sa.grad(getattr(s, name), argnums=i)(*map(sa.asarray, x)))
    assert got == pytest.approx(expected, rel=4e-16, abs=0.0), got


@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        ("betainc", (2.5, 3.5, 1.0), (2, 2), 0.0),
        ("betainc", (2.5, 2.0, 1.0), (2, 2), -8.75),
        ("betainc", (2.5, 1.5, 1.0), (2, 2), -INF),
        ("betainc", (2.5, 1.0, 1.0), (2, 2), 3.75),
        ("betainc", (2.0, 3.0, 0.0), (2, 2), 12.0),
        ("betainc", (1.5, 3.0, 0.0), (2, 2), INF),
        ("betaincc", (1.0, 3.0, 0.0), (2, 2), 6.0),
        ("betainc", (2.5, 3.5, 0.0), (0, 2), 0.0),
        ("betaincc", (2.5, 3.5, 1.0), (1, 2), 0.0),
        ("gammainc", (3.5, 0.0), (1, 1), 0.0),
        ("gammainc", (2.0, 0.0), (1, 1), 1.0),
        ("gammainc", (1.5, 0.0), (1, 1), INF),
        ("gammaincc", (1.0, 0.0), (1, 1), 1.0),
        ("gammainc", (2.5, INF), (1, 1), 0.0),
        ("gammainc", (2.5, INF), (0, 1), 0.0),
        ("gammainc", (2.5, 0.0), (0, 1), 0.0),
        ("asinh", (1e200,), (0,), 1e-200),
        ("asinh", (1e137,), (0, 0), -1e-274),
        ("asinh", (INF,), (0, 0), 0.0),
        ("atan", (-INF,), (0, 0), 0.0),
        ("betainc", (0.0, 0.4, 0.3), (0,), -2.9818204164432136),
        ("betainc", (0.0, 0.4, 0.3), (1,), 0.0),
        ("betainc", (0.0, 0.4, 0.3), (0, 0), 14.09454852236434),
        ("betainc", (0.0, 0.4, 0.3), (0, 1), 6.912890360961146),
        ("betainc", (0.0, 0.4, 0.3), (0, 2), 4.128762687529159),
        ("betaincc", (2.0, 0.0, 0.3), (1,), -0.05667494393873237),
        ("betaincc", (2.0, 0.0, 0.3), (1, 1), -0.08678795072954154),
        ("betaincc", (2.0, 0.0, 0.3), (0, 1), 0.0943646012644069),
        ("betaincc", (2.0, 0.0, 0.3), (1, 2), -0.42857142857142855),
        ("gammainc", (0.0, 2.6), (0, 1), 0.028566760851666874),
        ("betaincinv", (0.5, 2.0, 0.0), (0,), 0.0),
        ("betaincinv", (0.5, 2.0, 0.0), (0, 1), 0.0),
        ("betaincinv", (0.5, 2.0, 0.0), (0, 2), 0.0),
        ("betaincinv", (1.5, 2.0, 0.0), (0, 2), INF),
        ("betaincinv", (1.5, 1.0, 1.0), (0, 2), -2 / 3 * (1 / 1.5)),
        ("betaincinv", (1.5, 0.5, 1.0), (1, 1), 0.0),
        ("betainccinv", (1.5, 2.5, 1.0), (1, 1), 0.0),
        ("gammaincinv", (0.5, 0.0), (0, 0), 0.0),
        ("gammaincinv", (0.5, 0.0), (0, 1), 0.0),
        ("gammainccinv", (2.5, 1.0), (0, 1), -INF),
        ("erf", (INF,), (0, 0), 0.0),
        ("erfc", (-INF,), (0, 0), 0.0),
        ("ndtr", (INF,), (0, 0), 0.0),
        ("ndtri", (0.0,), (0,), INF),
        ("ndtri", (0.0,), (0, 0), -INF),
        ("ndtri", (1.0,), (0,), INF),
        ("erfcinv", (0.0,), (0,), -INF),
        ("erfcinv", (0.0,), (0, 0), INF),
        ("erfcinv", (2.0,), (0,), -INF),
        ("erfcinv", (1e-300,), (0,), -1.9063218669084349e298),
        ("log_ndtr", (INF,), (0, 0), 0.0),
        ("log_ndtr", (-INF,), (0, 0), -1.0),
        ("owens_t", (INF, 0.5), (0, 0), 0.0),
        ("owens_t", (0.7, -INF), (0, 0), -0.10928887667836644),
        ("owens_t", (0.7, INF), (1, 1), 0.0),
        ("voigt_profile", (1.0, INF, 0.5), (1, 1), 0.0),
        ("stdtr", (INF, -1.5), (1,), 0.12951759566589174),
        ("stdtr", (INF, -1.5), (1, 1), 0.19427639349883759),
        ("stdtr", (INF, -1.5), (0, 1), 0.0),
        ("stdtr", (3.0, INF), (0, 0), 0.0),
        ("stdtrit", (INF, 0.25), (0,), 0.0),
        ("poch", (0.0, -0.93), (0,), -14.810323234122382),
        ("poch", (0.0, -0.93), (0, 0), 388.05541593783673),
        ("poch", (0.0, -0.93), (0, 1), 202.57645854190894),
        ("powm1", (0.0, 3.0), (1,), 0.0),
        ("factorial", (0.0,), (0,), -0.5772156649015329),
        ("elliprg", (0.0, 2.0, 3.0), (0,), 0.2502693451140266),
        ("elliprg", (0.0, 2.0, 3.0), (0, 1), -0.02970149595943857),
        ("elliprg", (4.0, 0.0, 0.0), (0,), 0.125),
        ("elliprg", (4.0, 0.0, 0.0), (0, 0), -0.015625),
        ("elliprg", (0.0, 4.0, 0.0), (0,), INF),
        ("elliprg", (4.0, 0.0, 0.0), (0, 1), -INF),
        ("elliprg", (0.0, 0.0, 4.0), (0, 1), -INF),
        ("elliprg", (1e-250, 2e-250, 1e-250), (0,), 1.5373839983569174e124),
        ("elliprg", (1.0, INF, 2.0), (0,), 0.0),
        ("struve", (0.8, 0.0), (0,), 0.0),
        ("struve", (0.8, 0.0), (0, 1), 0.0),
        ("modstruve", (2.5, 0.0), (0, 0), 0.0),
        ("hyperu", (2.0, -1.0, 0.0), (0,), -0.20935294473863341),
        ("hyperu", (2.0, -1.0, 0.0), (1,), 0.1388888888888889),
        ("hyperu", (2.0, -1.0, 0.0), (0, 0), 0.21566810686823788),
        ("hyperu", (2.0, -1.0, 0.0), (0, 1), -0.1271569613260086),
        ("hyperu", (2.0, -1.0, 0.0), (1, 1), 0.17592592592592593),
        ("fdtr", (1.0, 5.0, 0.0), (1,), 0.0),
        ("fdtr", (1.0, 5.0, 0.0), (2,), INF),
        ("fdtr", (2.0, 5.0, 0.0), (2, 2), -1.4),
        ("fdtr", (3.0, 5.0, 0.0), (0, 2), 0.0),
        ("fdtr", (3.0, 5.0, 0.0), (2, 2), INF),
        ("fdtrc", (4.0, 5.0, 0.0), (2, 2), -5.6),
        ("eval_gegenbauer", (0.0, -0.5, 0.3), (2,), 0.0),
        ("eval_genlaguerre", (0.0, -1.0, 0.3), (2,), 0.0),
        ("eval_jacobi", (0.0, -1.0, 0.5, 0.3), (3,), 0.0),
        ("eval_jacobi", (1.0, -2.0, 4.25, -0.25), (3, 3), 0.0),
        ("eval_legendre", (-2.0, -0.25), (1,), 1.0),
        ("lpmv", (2, 2.5, 1.0), (2,), -14.765625),
        ("lpmv", (1, 2.5, 1.0), (2,), INF),
        ("eval_gegenbauer", (0.0, -0.5, 0.3), (1, 2), 0.0),
        ("eval_gegenbauer", (0.0, -1.5, 0.3), (2, 2), 0.0),
        ("eval_jacobi", (0.0, -1.0, -2.0, 0.3), (3, 3), 0.0),
        ("eval_genlaguerre", (0.0, -1.0, 0.3), (2, 2), 0.0),
        ("eval_gegenbauer", (0.0, 0.75, 0.3), (2, 0), 0.9726365927213196),
        ("struve", (-1.5, 0.0), (0,), math.nan),
        # Of 1 / ((z - 1) (z - 2) (z - 3)), where 1 / gamma(z) underflows
        ("poch", (180.0, -3.0), (0,), -(1 / 179 + 1 / 178 + 1 / 177) / (179 * 178 * 177)),
        ("stdtr", (-3.0, 1.0), (1,), math.nan),
        ("digamma", (3.6e106,), (0, 0), -7.716049382716049e-214),
        ("zeta", (3.0, 3.6e106), (0,), -9.485144818782056e-212),
        ("zeta", (3.0, 1e110), (0,), -1.268921801146725e-218),
        ("poch", (-2.0, 1.0), (0,), 1.0),
        ("poch", (-5.0, 3.0), (0,), 47.0),
        ("poch", (-5.0, 3.0), (0, 0), -24.0),
        ("betaln", (INF, 2.5), (0,), 0.0),
        ("boxcox", (0.0, 1.5), (1,), 1 / 2.25),
        ("boxcox", (0.0, 1.5), (1, 1), -2 / 3.375),
        ("boxcox", (INF, -2.0), (1,), 0.25),
        ("boxcox1p", (INF, -2.0), (1, 1), 0.25),
        ("boxcox", (0.0, 1.5), (0, 1), 0.0),
        ("boxcox", (0.0, 1.5), (1, 0), 0.0),
        ("boxcox", (0.0, 0.5), (1, 0), -INF),
        ("pow", (1e-310, 2.0), (1, 0), 0.0),
        ("fdtr", (5.0, 5.0, -INF), (), math.nan),
        ("fdtr", (2.0, 0.0, 1.0), (), math.nan),
        ("fdtr", (2.0, 0.0, 1.0), (1,), math.nan),
        ("fdtrc", (0.0, 3.0, 1.0), (0,), math.nan),
        ("pow", (0.5, INF), (0,), 0.0),
        ("pow", (0.5, INF), (0, 0), 0.0),
        ("powm1", (0.5, INF), (0, 0), 0.0),
        ("powm1", (2.0, -INF), (0,), 0.0),
        ("hypot", (-INF, 2.0), (0,), -1.0),
        ("hypot", (INF, 2.0), (0, 0), 0.0),
        ("hypot", (INF, 2.0), (0, 1), 0.0),
        ("pseudo_huber", (INF, 0.75), (1,), 0.75),
        ("pseudo_huber", (INF, 0.75), (1, 1), 1.0),
        ("pseudo_huber", (INF, 0.75), (0, 0), 0.0),
        ("pseudo_huber", (INF, 0.75), (0, 1), 0.0),
        ("fdtr", (5.0, INF, 1.2), (2,), 0.48652173329641464),
        ("fdtr", (5.0, INF, 1.2), (2, 2), -0.6081521666205182),
        ("fdtr", (INF, 5.0, 1.2), (0,), 0.0),
        ("fdtri", (5.0, INF, 0.3), (1,), 0.0),
    ],
)
def test_derivatives_at_ends_are_their_limits(name, x, which, want):
    f = getattr(s, name, None) or getattr(sa, name)
    xs = [sa.asarray([v]) for v in x]
    got = measure.slope(f, xs, which) if which else f(*xs)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=1e-14)


def forward_over_backward(f: Callable[..., Any], x: tuple[float, ...], which: tuple[int, ...]) -> float:
    return float(measure.slope(f, [sa.asarray(v) for v in x], which))


def backward(f: Callable[..., Any], x: tuple[float, ...], which: tuple[int, ...]) -> float:
    for i in which:
        f = sa.grad(f, argnums=i)
    return float(f(*map(sa.asarray, x)))


@pytest.mark.parametrize("derivative", [forward_over_backward, backward])
@pytest.mark.parametrize(
    ("name", "x"),
    [
        ("beta", (INF, 2.5)),
        ("beta", (0.75, INF)),
        ("poch", (INF, -1.5)),
        ("polygamma", (2.0, INF)),
        ("betaincinv", (INF, 2.0, 0.3)),
        ("betaincinv", (2.0, INF, 0.3)),
        ("betainccinv", (INF, 2.0, 0.3)),
        ("fdtr", (2.5, 1.5, INF)),
        ("fdtr", (INF, INF, 0.9)),
        ("fdtrc", (INF, INF, 0.9)),
        ("hyp0f1", (INF, 2.0)),
        ("hyp1f1", (0.5, INF, 2.0)),
        ("hyperu", (1.5, 0.5, INF)),
        ("hyp2f1", (0.5, 1.5, INF, 0.25)),
        ("elliprj", (INF, 1.0, 2.0, 3.0)),
        ("elliprj", (1.0, 2.0, INF, 3.0)),
        ("elliprj", (1.0, 2.0, 3.0, INF)),
        ("ellipk", (-INF,)),
        ("ellipkm1", (INF,)),
        ("ellipkinc", (0.75, -INF)),
        ("tklmbda", (-0.25, INF)),
        ("tklmbda", (0.25, INF)),
        ("atan2", (INF, 2.0)),
        ("atan2", (2.0, -INF)),
    ],
)
def test_functions_that_settle_at_infinity_have_no_slope_there(name, x, derivative):
    f = getattr(s, name, None) or getattr(sa, name)
    orders = [(i,) for i in range(len(x))] + [(i, j) for i in range(len(x)) for j in range(len(x))]
    got = {which: derivative(f, x, which) for which in orders}
    assert not any(got.values()), got


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("name", "parameters", "infinite"),
    [
        ("beta", (2.5,), 0),
        ("betaincinv", (2.5, 0.3), 0),
        ("betaincinv", (2.5, 0.3), 1),
        ("hyp1f1", (0.5, 1.5), 1),
        ("poch", (-1.5,), 0),
    ],
)
def test_slopes_beside_infinities_of_one_argument(name, parameters, infinite, dtype):
    f = getattr(s, name)
    x = sa.asarray([1.5, INF, 2.5], dtype=dtype)

    def slopes(v: sa.Array, k: int) -> np.ndarray:
        args = [sa.asarray(p, dtype=dtype) for p in parameters]
        args.insert(infinite, v)
        of = args[k]
        return np.asarray(
            sa.vjp(lambda w: sa.sum(f(*args[:k], w, *args[k + 1 :])), of)[1](sa.asarray(1.0, dtype=dtype))[0]
        )

    for k in range(len(parameters) + 1):
        got = slopes(x, k)
        alone = [slopes(v, k) for v in (x[:1], x[1:2], x[2:])]
        assert got.dtype == dtype and not alone[1].any()
        want = np.concatenate(alone) if k == infinite else sum(alone)
        np.testing.assert_allclose(got, want, rtol=4 * float(np.finfo(dtype).eps))


@pytest.mark.parametrize("derivative", [forward_over_backward, backward])
@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        ("betaincinv", (0.25, 2.0, 0.0), (2, 2), 0.0),
        ("betaincinv", (0.5, 2.0, 0.0), (2, 2), 8 / 9),
        ("betaincinv", (0.75, 2.0, 0.0), (2, 2), INF),
        ("betaincinv", (1.0, 2.0, 0.0), (2, 2), 0.25),
        ("betaincinv", (1.5, 2.0, 0.0), (2, 2), -INF),
        ("betaincinv", (2.0, 0.25, 1.0), (2, 2), 0.0),
        ("betaincinv", (2.0, 0.5, 1.0), (2, 2), -8 / 9),
        ("betaincinv", (2.0, 1.0, 1.0), (2, 2), -0.25),
        ("betaincinv", (0.75, 2.0, 0.0), (2, 0), 0.0),
        ("betaincinv", (1.0, 2.0, 0.0), (2, 0), INF),
        ("betaincinv", (1.0, 2.0, 0.0), (2, 1), -0.25),
        ("betaincinv", (2.0, 1.0, 1.0), (2, 0), -0.25),
        ("betaincinv", (2.0, 0.5, 1.0), (2, 1), 0.0),
        ("betainccinv", (0.5, 2.0, 1.0), (2, 2), 8 / 9),
        ("betainccinv", (2.0, 1.0, 0.0), (2, 0), 0.25),
        ("gammaincinv", (0.25, 0.0), (1, 1), 0.0),
        ("gammaincinv", (0.5, 0.0), (1, 1), math.pi / 2),
        ("gammaincinv", (0.75, 0.0), (1, 1), INF),
        ("gammaincinv", (1.0, 0.0), (1, 1), 1.0),
        ("gammaincinv", (1.5, 0.0), (1, 1), -INF),
        ("gammaincinv", (1.5, 1.0), (1, 1), INF),
        ("gammaincinv", (0.75, 0.0), (1, 0), 0.0),
        ("gammainccinv", (0.5, 1.0), (1, 1), math.pi / 2),
        ("gammainccinv", (2.5, 0.0), (1, 0), -INF),
        ("chdtri", (1.0, 1.0), (1, 1), math.pi),
    ],
)
def test_second_derivatives_of_quantiles_at_their_ends(name, x, which, want, derivative):
    assert derivative(getattr(s, name), x, which) == pytest.approx(want, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("name", ["gammaincinv", "betaincinv"])
@pytest.mark.parametrize(("a", "p"), [(0.1031372919678688, 6.884443292519853e-20), (0.0125, 0.0078125), (0.5, 1e-150)])
def test_second_derivatives_of_tiny_quantiles(name, a, p):
    # Beside 1 the quantile is nothing, so it is a power of the probability.
    with mpmath.workprec(BITS):
        exponent, log_p = 1 / mpmath.mpf(a), mpmath.log(p)

        def log_quantile(a):
            log_front = (
                mpmath.loggamma(a + 1) if name == "gammaincinv" else mpmath.log(a * mpmath.beta(a, mpmath.mpf(1.75)))
            )
            return (log_p + log_front) / a

        x = mpmath.exp(log_quantile(1 / exponent))
        rate, bend = (mpmath.diff(log_quantile, 1 / exponent, n) for n in (1, 2))
        want = {
            (0, 0): x * (rate**2 + bend),
            (0, 1): x * (rate - exponent) * exponent / p,
            (1, 1): x * exponent * (exponent - 1) / mpmath.mpf(p) ** 2,
        }
    args = (a, p) if name == "gammaincinv" else (a, 1.75, p)
    at = {0: 0, 1: len(args) - 1}
    for which, value in want.items():
        got = measure.slope(getattr(s, name), [sa.asarray([v]) for v in args], tuple(at[i] for i in which))
        np.testing.assert_allclose(np.asarray(got), [float(value)], rtol=1e-10)


@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        ("betaln", (1e-160, 1e-150), (0, 0), INF),
        ("betaln", (1e-150, 1e-160), (1, 1), INF),
        ("betaln", (1e-150, 1e-160), (0, 0), 1.9999999997e290),
        ("k1e", (1e-90,), (0, 0), 2e270),
        ("k1e", (1e-160,), (0, 0), INF),
        ("tan", (2e5 + 400j,), (0, 0), 0.0),
        ("tan", (2e5 - 20j,), (0, 0), None),
    ],
)
def test_second_derivatives_next_to_overflow(name, x, which, want):
    f = getattr(s, name, None) or getattr(sa, name)
    if want is None:
        with mpmath.workprec(BITS):
            want = complex(mpmath.diff(getattr(mpmath, name), *x, 2))
    got = measure.slope(f, [sa.asarray([v]) for v in x], which)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=1e-14)


@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        ("eval_gegenbauer", (3.0, -0.5, 0.3), (0,), -0.28338520137995374),
        ("eval_genlaguerre", (3.0, -2.0, 0.75), (0,), -0.063369101686712),
        ("eval_jacobi", (4.0, -1.0, 0.5, 0.3), (0,), -0.01743881139990006),
        ("eval_jacobi", (4.0, -1.0, 0.5, 0.3), (0, 0), -0.42698175818271354),
        ("eval_jacobi", (4.0, -1.0, 0.5, 0.3), (0, 3), 1.535697437616039),
        ("eval_gegenbauer", (2.5, -1.5, -0.4), (), 2.3477475314790505),
        ("eval_genlaguerre", (12.5, -3.0, 5.4), (), 0.7101374952610113),
        ("eval_jacobi", (12.5, -3.0, 0.75, -0.4), (), -0.1888539552102286),
    ],
)
def test_degrees_beside_polynomials_whose_parameters_are_poles(name, x, which, want):
    f, xs = getattr(s, name), [sa.asarray([v]) for v in x]
    got = measure.slope(f, xs, which) if which else f(*xs)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=1e-13)
    if not which:
        z = np.asarray(f(*xs[:-1], sa.asarray([complex(x[-1])])))
        np.testing.assert_allclose(z, [want], rtol=1e-13)
    narrow = [v.astype(sa.float32) for v in xs]
    got = measure.slope(f, narrow, which) if which else f(*narrow)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=2e-5)


@pytest.mark.parametrize(
    ("name", "x", "which", "want", "tolerance"),
    [
        # mpmath's values. Where two gamma functions have poles, and next to there
        ("beta", (-20.0, 1.0), 0, -1 / 400, 1e-12),
        ("beta", (-7.0, 3.0), 0, -0.00485260770975057, 1e-12),
        ("poch", (-3.00000000000001, -13.0), 0, -4.43744548842348e-13, 1e-12),
        ("lpmv", (3.0, -3.99999999999999, 0.0589), 1, 15.1807104824506, 1e-12),
        ("eval_gegenbauer", (0.0, -6.445351939115128e-12, 0.07555828099335082), 0, 77575282889.61739, 1e-12),
        # Ratios of gamma functions below the range, and a slope beyond it
        ("hyp1f1", (0.6791565638179262, -196.83626811126908, 127.48444700169587), 0, -1.00154320504e105, 1e-10),
        ("hyp1f1", (0.0, 1.0, 1000.0), 0, INF, 1e-12),
        # Where terms before those that alternate tell nothing of how much these cancel; from sums of 1500 digits
        ("hyp1f1", (271.8563622553793, -215.7411238453269, -237.37332036402233), 0, 2.4259828427362919e72, 1e-11),
        ("hyp1f1", (271.8563622553793, -215.7411238453269, -237.37332036402233), 1, -1.4790175313767529e73, 1e-11),
        ("hyp1f1", (119.93517494860998, -37.96744905470547, -997.9577978186073), 1, -2.2662560933721792e-113, 1e-11),
        ("hyp0f1", (-169.04901039716324, -6429.927394718077), 0, 4.3578552449840171e19, 1e-11),
        # By the differential equation, where no sum leaves a digit
        (
            "hyp2f1",
            (133.83507180842258, 234.3302455604806, 96.38362484472235, -1.5879482251459769),
            0,
            -1.0087804745221641e-117,
            1e-12,
        ),
        (
            "hyp2f1",
            (133.83507180842258, 234.3302455604806, 96.38362484472235, -1.5879482251459769),
            1,
            -5.2168090525781738e-118,
            1e-12,
        ),
        (
            "hyp2f1",
            (133.83507180842258, 234.3302455604806, 96.38362484472235, -1.5879482251459769),
            2,
            8.5524352675816047e-118,
            1e-12,
        ),
        # Next to order 0, of which `v - 1` keeps nothing
        ("jv", (1e-12, 1e-5), 1, -4.899999999878019e-6, 1e-12),
        ("iv", (1e-12, 1e-5), 1, 5.1000000000006932e-6, 1e-12),
        # Next to degree 0, of which they are multiples
        ("eval_chebyt", (3e-10, 0.0625), 0, -6.8245045480459757e-10, 1e-12),
        ("eval_chebyt", (3e-10, 0.0625), 1, 1.3600890316315554e-19, 1e-12),
        (
            "eval_genlaguerre",
            (2.6149238417052775e-11, 0.9173223376274109, 38.72349548339844),
            2,
            -1499.6639168458905,
            1e-12,
        ),
        # A small step beside a negative number
        ("betaln", (-0.0009374220707675437, 7.350724710990958e-22), 0, -8.364893930456072e-16, 1e-12),
        ("poch", (-2.6368991104719726, -1.9778303183044905e-10), 0, -2.30026114113907e-09, 1e-12),
        # Of polynomials whose recurrences lose all, or only multiply
        ("eval_genlaguerre", (25.0, -9.036683381633104, 0.31802960569784755), 1, 1.459815495270327e-7, 1e-12),
        ("eval_gegenbauer", (60.0, -12.5, 0.9), 1, -1.2789562172702693e-14, 1e-12),
        ("eval_gegenbauer", (50.0, -9.25, 0.8046219), 1, -2.3357034009107176e-11, 1e-12),
        ("eval_gegenbauer", (558.0, -15.0, 1.0), 1, 8.8658880429078554e-53, 1e-12),
        ("eval_jacobi", (75.0, -73.5, -20.25, 0.9), 1, 1.2313708509589015e-5, 1e-12),
        ("eval_jacobi", (75.0, -73.5, -20.25, 0.9), 2, -1.8426786791382379e-7, 1e-12),
        # The recurrence keeps the polynomial's digits and none of this, of which sums leave eight or ten.
        ("eval_jacobi", (19.0, 1.842198371887207, 28.001, -0.9634895976954542), 0, 1.0220412122440658e34, 1e-6),
        ("eval_jacobi", (14.0, 1.842198371887207, 28.001, -0.9634895976954542), 0, -7.8594741261848774e35, 1e-8),
    ],
)
def test_first_derivatives_where_usual_formulas_lose_all(name, x, which, want, tolerance):
    got = measure.slope(getattr(s, name), [sa.asarray([v]) for v in x], (which,))
    np.testing.assert_allclose(np.asarray(got), [want], rtol=tolerance)


@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        ("eval_gegenbauer", (2.5, -0.5, 0.3), (1,), -0.28421260374438383),
        ("eval_gegenbauer", (2.5, -0.5, 0.3), (1, 1), -1.6662860606797618),
        ("eval_gegenbauer", (0.75, -2.5, -0.6), (1,), 14.664333979873012),
        ("eval_gegenbauer", (0.75, -2.5, -0.6), (0, 1), 111.22696114595936),
        ("eval_gegenbauer", (7.25, -3.5, 0.2), (1, 2), 4.1762542298890075),
        ("eval_gegenbauer", (5.5, -0.4999999999999, 0.9), (1,), 0.066018590933876806),
        ("eval_genlaguerre", (2.5, -1.0, 0.75), (1,), -0.43571022381557505),
        ("eval_genlaguerre", (2.5, -1.0, 0.75), (1, 1), 0.62440975357054084),
        ("eval_genlaguerre", (6.75, -4.0, 8.5), (1,), -50.045437857416106),
        ("eval_genlaguerre", (6.75, -4.0, -8.5), (0, 1), 1380.079566944667),
        ("eval_genlaguerre", (5.0, -2.0, 3.0), (0, 1), -1.0580138929752385),
        ("eval_genlaguerre", (1.5, -3.0, 2.0), (1, 2), -6.1538011115474094),
        ("eval_genlaguerre", (3.25, -2.0000000000001, 2.0), (1,), 0.97892915742556696),
        ("eval_jacobi", (2.5, -1.0, 0.75, 0.3), (1,), -0.46835481455160595),
        ("eval_jacobi", (2.5, -1.0, 0.75, 0.3), (2,), 0.17589830858889105),
        ("eval_jacobi", (2.5, -3.0, 0.75, -0.4), (1, 1), -13.641104789225742),
        ("eval_jacobi", (2.5, -3.0, 0.75, -0.4), (1, 2), 4.4530099334883273),
        ("eval_jacobi", (2.5, -3.0, 0.75, -0.4), (2, 2), -2.3652032732555944),
        ("eval_jacobi", (2.5, -3.0, 0.75, 2.5), (0, 1), -0.033593811300186822),
        ("eval_jacobi", (4.0, -2.0, 1.5, 0.3), (0, 1), -0.22227588666198878),
        ("eval_jacobi", (4.0, -2.0, 1.5, 0.3), (0, 2), -0.087372751421076939),
        ("eval_jacobi", (0.5, -2.0, 1.5, 0.3), (1, 3), -2.483636996543678),
        ("eval_jacobi", (12.25, -6.0, 2.5, 0.5), (1,), 0.0036300148083369712),
        ("eval_gegenbauer", (3.0, -0.5, 1.75), (0, 1), -1.6702822099073232),
        ("eval_genlaguerre", (2.5, -1.0, 0.0), (1,), 0.4),
        ("eval_genlaguerre", (2.5, -1.0, 0.0), (0,), 0.0),
        ("eval_gegenbauer", (2.5, -0.5, 1.0), (1,), -0.53333333333333333),
        ("eval_gegenbauer", (3.0, -0.5, 0.0), (0,), -0.33333333333333333),
        ("eval_jacobi", (2.5, -3.0, -0.5, 0.3), (0,), -0.016691965913252218),
        ("eval_jacobi", (2.5, -3.0, -0.5, 0.3), (1,), 1.0499747007534144),
        ("eval_jacobi", (2.5, -3.0, -0.5, 0.3), (2,), -0.016691965913252218),
        ("eval_gegenbauer", (2.5, -0.5, -1.0), (0,), 0.18108295747344536),
        ("eval_gegenbauer", (26.5, -0.5, -0.6), (0,), 0.011553578948968208),
        ("eval_gegenbauer", (2.5, -40.5, 0.3), (1,), 6638.7846440205223),
        ("eval_gegenbauer", (2.5, -0.49, -0.99), (1,), 0.11003951630243273),
        # The gamma function of the value at the end is next to a pole too.
        ("eval_gegenbauer", (1.0, -0.499999999, 1.293), (0, 0), -4.9999997277078134e17),
        ("eval_jacobi", (2.00390625, -2.998046875, 0.75, 0.625), (0, 0), 22690.055811403447),
        ("eval_genlaguerre", (1.001953125, -3.99609375, 2.5), (0, 1), -133063.81501434168),
    ],
)
def test_functions_of_real_degree_in_parameters_that_are_poles(name, x, which, want):
    f, xs = getattr(s, name), [sa.asarray([v]) for v in x]
    for derivative in (forward_over_backward, backward):
        assert derivative(f, x, which) == pytest.approx(want, rel=1e-13, abs=1e-15)
    on_axis = [*xs[:-1], sa.asarray([complex(x[-1])])]
    np.testing.assert_allclose(np.asarray(measure.slope(f, on_axis, which)), [want], rtol=1e-13, atol=1e-15)
    if x[1] > -10 and x[1] % 0.5 == 0:
        narrow = [v.astype(sa.float32) for v in xs]
        np.testing.assert_allclose(np.asarray(measure.slope(f, narrow, which)), [want], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        ("eval_gegenbauer", (2.5, -0.5, -0.2 + 2j), (0,), -3.4038690745535874 + 5.1290539766060188j),
        ("eval_gegenbauer", (2.5, -0.5, 0.2 + 0.5j), (1,), -0.22691859681084853 - 0.063705046320790618j),
        ("eval_genlaguerre", (6.25, -3.0, -1.5 + 2j), (0,), -0.87740339084752809 + 3.6235636133002168j),
        ("eval_genlaguerre", (6.25, -3.0, -1.5 + 2j), (1,), -8.983374942216287 + 1.4211173333945059j),
    ],
)
def test_complex_arguments_of_functions_whose_parameters_are_poles(name, x, which, want):
    got = measure.slope(getattr(s, name), [sa.asarray([complex(v)]) for v in x], which)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=1e-13)


def test_poles_beside_other_parameters_in_one_array():
    alpha = sa.asarray([-1.0, 0.5, -2.0, -50.005, -0.75, 3.0, -1.0])
    degree = sa.asarray([2.5, 2.5, 3.0, 2.5, 0.25, 4.0, 2.5])
    x = sa.asarray([0.75, 0.75, 1.5, 3.0, -2.0, 0.5, -1500.0])
    total = lambda n, a: s.eval_genlaguerre(n, a, x).sum()
    for i in (0, 1):
        together = np.asarray(sa.grad(total, argnums=i)(degree, alpha))
        alone = [
            float(sa.grad(lambda n, a, k=k: s.eval_genlaguerre(n, a, x[k]), argnums=i)(degree[k], alpha[k]))
            for k in range(len(x))
        ]
        np.testing.assert_array_equal(together, alone)
        assert np.isfinite(together[:6]).all()


@pytest.mark.parametrize(
    ("name", "x", "which"),
    [
        ("eval_legendre", (153.91461204650977, 0.12540837486873113), (0,)),
        ("eval_legendre", (136.0, 0.4559100568294525), (0, 0)),
        ("eval_gegenbauer", (86.0, 8.0, -0.4362444579601288), (0,)),
        ("eval_gegenbauer", (145.25, 4.75, 0.6953060128689661), (0, 1)),
        ("eval_jacobi", (584.3618085983685, 0.6105902172092009, 11.028836689122116, 0.01585131511092186), (2,)),
        ("eval_jacobi", (53.75, 23.5, -0.0084, 0.4350162324), (1, 2)),
        ("lpmv", (2.0, 79.0, -0.026608203004409248), (1,)),
        ("hyp2f1", (-322.767, 326.858, 0.576933, 0.0376487), (0,)),
        ("hyp2f1", (-141.0, 143.0, 2.5, 0.0708255), (1, 2)),
        ("hyp2f1", (-73.4384, 74.4384, 5.27011, 0.962444), (2, 2)),
        ("hyp2f1", (0.5, 379.0240169377151, 0.21214863657951355, -8.833562992792308), (0,)),
        ("eval_gegenbauer", (-70.0, 91.5, 0.0588973388), (0,)),
    ],
)
def test_derivatives_of_large_degrees(name, x, which):
    # Sums of many terms that alternate lose all digits: the recurrence keeps them.
    entry = catalogue.ENTRIES[name]
    reference = make_tables.derivative(make_tables.at_row(entry, np.array(x)), which)
    got = np.asarray(measure.slope(entry.call(s), [sa.asarray([v]) for v in x], which))[0]
    assert reference is not None and measure.slope_error(got, *reference) < 100


@pytest.mark.parametrize(
    ("name", "x"),
    [
        # Next to 1, and beside a parameter next to 0
        ("betaincinv", (0.125, 0.0625, 0.75)),
        ("betaincinv", (20.0, 3.0, 0.9999999)),
        ("betainccinv", (0.5, 0.25, 0.0009765625)),
        ("betainccinv", (2.0, 0.125, 0.125)),
        ("hyp2f1", (1e-12, -3.5, 3.5, -41.0)),
        ("hyp2f1", (1.3, 1e-14, 0.75, 0.984375)),
    ],
)
def test_derivatives_that_are_small_beside_what_they_are_found_from(name, x):
    entry = catalogue.ENTRIES[name]
    f = make_tables.at_row(entry, np.array(x))
    for which in catalogue.orders(entry):
        got = np.asarray(measure.slope(entry.call(s), [sa.asarray([v]) for v in x], which))[0]
        assert measure.slope_error(got, *make_tables.derivative(f, which)) < 1000, which


@pytest.mark.parametrize(
    ("name", "x", "which"),
    [
        ("eval_legendre", (-3.7e-9, 0.37), (1, 1)),
        ("eval_legendre", (-0.9999987, 0.37), (1,)),
        ("eval_gegenbauer", (1e-12, 0.8, 0.37), (2, 2)),
        ("eval_gegenbauer", (-0.9999987, -0.7, 0.37), (2, 2)),
        ("eval_gegenbauer", (1.2345e-6, -0.5, 0.37), (2,)),
        ("eval_genlaguerre", (1e-12, 0.4, 0.37), (2, 2)),
        ("eval_jacobi", (-3.7e-9, 0.3, 0.7, 0.37), (3, 3)),
        ("eval_jacobi", (-0.9999987, 0.0, 0.0, 0.37), (3,)),
        ("eval_chebyt", (1e-12, 0.37), (0, 1)),
        ("eval_chebyt", (-0.9999987, 0.37), (1, 1)),
        ("eval_chebyu", (-3.7e-9, 0.37), (1, 1)),
    ],
)
def test_derivatives_beside_degrees_of_which_functions_vanish(name, x, which):
    entry = catalogue.ENTRIES[name]
    reference = make_tables.derivative(make_tables.at_row(entry, np.array(x)), which)
    got = np.asarray(measure.slope(entry.call(s), [sa.asarray([v]) for v in x], which))[0]
    assert reference is not None
    np.testing.assert_allclose(got, float(reference[0]), rtol=1e-12)


@pytest.mark.parametrize(
    ("x", "which", "want"),
    [
        ((9.0, 3.25, 0.0), (0,), -35.99662567733745),
        ((9.0, 3.25, 0.0), (0, 0), -13.34389205199369),
        ((9.0, 3.25, 0.0), (0, 1), -34.72956790983837),
        ((8.0, 2.25, 0.0), (0, 2), 107.98987703201235),
        ((12.0, 0.5, 0.0), (0, 2), 4.4329004329004329),
    ],
)
def test_derivatives_at_zeros_of_polynomials(x, which, want):
    got = measure.slope(s.eval_gegenbauer, [sa.asarray([v]) for v in x], which)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "x", "which", "want"),
    [
        # Where poles of two gamma functions meet, the degree at one and the parameter beside it
        ("eval_genlaguerre", (-1.0, 0.01, 1.3), (0,), 363.3927599177484),
        ("eval_genlaguerre", (-1.0, 0.01, 1.3), (0, 0), -73372.01988756459),
        ("eval_genlaguerre", (-2.0, -1.01, 1.3), (0,), 784.2827195057602),
        ("eval_genlaguerre", (0.0, -1.001, 0.5), (2, 0), 1649.4538197800669),
        ("eval_genlaguerre", (0.0, -0.99, -0.5), (2, 0), -60.99567401856572),
        ("eval_gegenbauer", (0.0, -0.501, 0.3), (2, 0), 500.5680608566501),
        ("eval_gegenbauer", (-1.0, 0.01, 0.3), (0,), -0.3303797396190624),
        ("eval_jacobi", (0.0, -1.01, 0.7, 0.3), (3, 0), -71.94012427062117),
        ("eval_jacobi", (-1.0, 0.01, 0.7, 0.3), (0,), 135.35532922045613),
    ],
)
def test_derivatives_in_the_degree_at_poles(name, x, which, want):
    got = measure.slope(getattr(s, name), [sa.asarray([v]) for v in x], which)
    np.testing.assert_allclose(np.asarray(got), [want], rtol=1e-12)


def test_second_derivatives_next_to_degree_0():
    got = measure.slope(s.eval_chebyt, [sa.asarray([3e-10]), sa.asarray([0.0625])], (0, 0))
    np.testing.assert_allclose(np.asarray(got), [-2.2748348493486586], rtol=1e-14)
    got = measure.slope(s.stdtr, [sa.asarray([15.576766014099121] * 3), sa.asarray([1e-12, 0.0, -1e-300])], (0, 1))
    np.testing.assert_allclose(np.asarray(got), [0.0004036838813877095] * 3, rtol=1e-12)
    # Multiples of degrees of which 1 less is 1 less than 0
    slopes = [measure.slope(s.eval_legendre, [sa.asarray([n]), sa.asarray([0.3])], (1,)) for n in (1e-20, 1e-12)]
    np.testing.assert_allclose(np.asarray(slopes[0]) * 1e8, np.asarray(slopes[1]), rtol=1e-11)


@pytest.mark.parametrize(
    ("x", "want"),
    [
        # mpmath's values: next to one axis or both, also those of poles, and next to a pole of the sum
        ((1.5255528328369104e-18, 0.0022994456421946835), 2.3979098760467847),
        ((-5.099337163601862e-13, 6.443275626918382e-13), 2.4041138063188248),
        ((1e-17, 2.5), None),
        ((1e-9, 250.0), None),
        ((-1e-6, -3.25), None),
        ((1e-8, -4.0000001), None),
        ((-0.2, 1e-3), None),
        ((1.25, -1.2500001), None),
        ((3.5, 7.25), None),
    ],
)
def test_mixed_derivatives_of_beta(x, want):
    with mpmath.workdps(60):
        a, b = map(mpmath.mpf, x)
        pace = [mpmath.psi(0, v) - mpmath.psi(0, a + b) for v in (a, b)]
        value = float(mpmath.beta(a, b) * (pace[0] * pace[1] - mpmath.psi(1, a + b)))
    assert want is None or value == want
    for which, order in (((0, 1), x), ((1, 0), x), ((0, 1), x[::-1])):
        got = measure.slope(s.beta, [sa.asarray([v]) for v in order], which)
        np.testing.assert_allclose(np.asarray(got), [value], rtol=2e-14)


@pytest.mark.parametrize(
    "x",
    [
        # Next to a pole of one, whose residue is linear in the other; of both; of the sum; and of none
        (1.565818194717154, -1.000000000027583),
        (5.877658900354824e-13, -5.000000000000642),
        (-1.0410066845890158, -1.0000000000000415),
        (-3.25, 1.2500001),
        (-0.4087796622685742, 0.36716398648595305),
        (1e-17, 1e-3),
        (0.75, 40.0),
    ],
)
def test_second_derivatives_of_beta(x):
    with mpmath.workdps(80):
        a, b = map(mpmath.mpf, x)
        pace, bend = (mpmath.psi(k, a) - mpmath.psi(k, a + b) for k in (0, 1))
        want = [float(mpmath.beta(a, b) * v) for v in (pace, pace * pace + bend)]
    got = [measure.slope(s.beta, [sa.asarray([v]) for v in x], which) for which in ((0,), (0, 0))]
    np.testing.assert_allclose(np.asarray(got)[:, 0], want, rtol=2e-14)


def test_third_derivatives_of_beta():
    a, b = sa.asarray([0.3, 2.5, 14.0]), sa.asarray([1.7, 0.25, 9.5])
    testing.check_grads(lambda a, b: sa.vjp(s.beta, a, b)[1](sa.ones(3))[0], a, b, order=2)


def test_chebyshev_polynomials_in_the_degree_at_the_left_end():
    n = sa.asarray([0.57, 2.0, -14.25])
    f = lambda n: s.eval_chebyt(n, -1.0)
    slopes = sa.vjp(f, n)[1](sa.ones(3))[0]
    np.testing.assert_allclose(np.asarray(slopes), -np.pi * np.sin(np.pi * np.asarray(n)), rtol=1e-14, atol=1e-15)
    bend = sa.vjp(lambda n: sa.vjp(f, n)[1](sa.ones(3))[0], n)[1](sa.ones(3))[0]
    np.testing.assert_allclose(np.asarray(bend), -(np.pi**2) * np.cos(np.pi * np.asarray(n)), rtol=1e-14)
    for which in ((0, 1), (1, 0)):
        mixed = measure.slope(s.eval_chebyt, [sa.asarray([2.0, 3.0, -1.0, 2.5, 0.0]), sa.asarray([-1.0] * 5)], which)
        np.testing.assert_array_equal(np.asarray(mixed), [np.inf, -np.inf, np.inf, np.inf, 0.0])
    at = sa.asarray([-1 + 0j])
    np.testing.assert_allclose(
        np.asarray(sa.vjp(lambda n: s.eval_chebyt(n, at).real, n[:1])[1](sa.ones(1))[0]), slopes[:1]
    )
