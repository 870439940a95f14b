"""The special functions that have reference tables: reference, goal, regions, and what to call.

References and regions are those of the scripts beside this file, which sample them more finely, and of this one for what has
no body of its own. SciPy has its functions under the same names, so a `call` serves both.
"""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import check_bessel
import check_complex
import check_elementary
import check_hypergeometric
import check_special
import mpmath
import numpy as np
import scipy.special
from check_bessel import jacobi_polynomial, laguerre_polynomial, triple
from check_special import betainc, flat, independent, integers, near, positive, precise, triples
from mpmath import mp, mpf

import sciarray as sa

Call = Callable[[Any], Callable[..., Any]]
Region = Callable[[np.random.Generator, int], np.ndarray]


@dataclass(frozen=True)
class Entry:
    """One function of real or of complex arguments."""

    exact: Callable[..., Any]
    #: The largest error in ulps, or in ulps and the condition together.
    goal: float
    conditioned: bool
    regions: Sequence[Region | tuple[Region, ...]]
    #: The function of a namespace.
    call: Call
    #: Arguments in which it is differentiable.
    free: tuple[int, ...]
    complex: bool = False
    #: Of complex functions, arguments that are real.
    real: tuple[int, ...] = ()
    #: First derivatives, where they are known and quicker than differences.
    first: tuple[Callable[..., Any], ...] = ()


def plain(name: str) -> Call:
    return lambda ns: getattr(ns, name)


def elementary(name: str) -> Call:
    """Of the main namespace, of NumPy where it is of SciPy's."""
    return lambda ns: getattr(np if ns is scipy.special else sa, name)


def summed(*x: Any) -> Any:
    return mpmath.log(mpmath.fsum(map(mpmath.exp, x)))


def part(name: str, k: int) -> Call:
    return lambda ns: lambda *x: getattr(ns, name)(*x)[k]


def upper_gamma(a: Any, x: Any) -> Any:
    return check_special.incomplete_part(0, -1)(a, x) if x > 0 else mpf(1)


def lower_gamma(a: Any, x: Any) -> Any:
    return check_special.incomplete_part(0)(a, x) if x > 0 else mpf(0)


def lower_beta(a: Any, b: Any, x: Any) -> Any:
    return betainc(a, b, x)


def upper_beta(a: Any, b: Any, x: Any) -> Any:
    return betainc(a, b, x, upper=True)


def polygamma(n: Any, x: Any) -> Any:
    """The function of Espinosa and Moll (2004), which is that of SciPy at the integers."""
    if n == mpmath.nint(n):
        return mpmath.psi(int(n), x)
    with mp.workprec(mp.prec + 40 - min(0, mpmath.mag(n - mpmath.nint(n)))):
        return mpmath.rgamma(-n) * (
            mpmath.zeta(n + 1, x, 1) + (mpmath.digamma(-n) + mpmath.euler) * mpmath.zeta(n + 1, x)
        )


def bracketed(f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The root between two points of different sign: bisection, then secants (method of Illinois)."""
    at_low, at_high = f(low), f(high)
    if at_low * at_high > 0:
        raise mpmath.libmp.NoConvergence
    tiny = mpf(2) ** (10 - mp.prec)
    for k in range(4 * mp.prec):
        middle = (low + high) / 2 if k < 6 else (low * at_high - high * at_low) / (at_high - at_low)
        value = f(middle)
        if value == 0:
            return middle
        if value * at_high < 0:
            low, at_low = high, at_high
        elif k >= 6:
            at_low /= 2
        moved = abs(middle - high)
        high, at_high = middle, value
        if k >= 6 and moved <= tiny * abs(middle):
            return middle
    raise mpmath.libmp.NoConvergence


def root(f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The root between two points of different sign: of few digits within them, then of all by secants."""
    with mp.workprec(70):
        x = bracketed(f, low, high)
    before, at_before = x, f(x)
    x = x + (abs(x) + mpf(2) ** -30) * mpf(2) ** -40
    for _ in range(40):
        value = f(x)
        if value == at_before:
            return x
        step = value * (x - before) / (value - at_before)
        before, at_before = x, value
        x = x - step
        if abs(step) <= mpf(2) ** (8 - mp.prec) * abs(x):
            return x
    raise mpmath.libmp.NoConvergence


def inverse(tail: Callable[..., Any], place: int, low: float, high: float) -> Callable[..., Any]:
    """The function that solves `tail = p` for the argument at `place`, where `p` stands instead, on a logarithmic scale."""

    def f(*x: Any) -> Any:
        p = x[place]
        with mp.workprec(mp.prec + 30):
            logs = lambda u: mpmath.log(tail(*x[:place], mpmath.exp(u), *x[place + 1 :])) - mpmath.log(p)
            return mpmath.exp(root(logs, mpmath.log(mpf(low)), mpmath.log(mpf(high))))

    return f


def odds(dfn: Any, dfd: Any, x: Any, upper: bool = False) -> Any:
    return betainc(dfn / 2, dfd / 2, dfn * x / (dfn * x + dfd), upper)


def odds_inverse(dfn: Any, dfd: Any, p: Any) -> Any:
    with mp.workprec(mp.prec + 60):
        x = check_special.betaincinv(dfn / 2, dfd / 2, p)
        rest = check_special.betaincinv(dfd / 2, dfn / 2, p, upper=True)
        return dfd * x / (dfn * rest)


def student(df: Any, t: Any) -> Any:
    tail = betainc(df / 2, mpf(1) / 2, df / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


def student_inverse(df: Any, p: Any) -> Any:
    if p == 0.5:
        return mpf(0)
    with mp.workprec(mp.prec + 60):
        q = min(p, 1 - p)
        x = check_special.betaincinv(df / 2, mpf(1) / 2, 2 * q)
        t = mpmath.sqrt(df * check_special.betaincinv(mpf(1) / 2, df / 2, 2 * q, upper=True) / x)
        return -t if p < 0.5 else t


def ferrers(m: Any, v: Any, x: Any) -> Any:
    """DLMF 14.3.1 with the phase, by Gauss's function with its poles taken out."""
    m = int(mpmath.nint(m))
    front = (-1) ** m * mpmath.rf(v - m + 1, 2 * m) / mpf(2) ** m / mpmath.factorial(m)
    return front * mpmath.sqrt((1 - x) * (1 + x)) ** m * mpmath.hyp2f1(m - v, m + v + 1, m + 1, (1 - x) / 2)


def spherical_legendre(n: Any, m: Any, theta: Any) -> Any:
    n, m = int(mpmath.nint(n)), int(mpmath.nint(m))
    if m > n:
        return mpf(0)
    front = mpmath.sqrt((2 * n + 1) / (4 * mpmath.pi) * mpmath.factorial(n - m) / mpmath.factorial(n + m))
    polynomial = mpmath.gegenbauer(n - m, m + mpf(1) / 2, mpmath.cos(theta))
    return (-1) ** m * front * mpmath.fac2(2 * m - 1) * mpmath.sin(theta) ** m * polynomial


def shifted_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:
    return jacobi_polynomial(n, p - q, q - 1, 2 * x - 1) / mpmath.binomial(2 * n + p - 1, n)


def kolmogi(p: Any) -> Any:
    def f(x: Any) -> Any:
        # The sum of Jacobi's other theta function where that converges
        if x < 1:
            terms = (mpmath.exp(-(((2 * k - 1) * mpmath.pi / x) ** 2) / 8) for k in range(1, 60))
            return 1 - mpmath.sqrt(2 * mpmath.pi) / x * mpmath.fsum(terms)
        return 2 * mpmath.fsum((-1) ** (k - 1) * mpmath.exp(-2 * (k * x) ** 2) for k in range(1, 60))

    with mp.workprec(mp.prec + 60):
        return root(lambda x: f(x) - p, mpf(1) / 20, mpf(30))


def dirichlet(n: int) -> Callable[[Any], Any]:
    return lambda x: mpmath.sin(n * x / 2) / (n * mpmath.sin(x / 2))


def multigamma(d: int) -> Callable[[Any], Any]:
    return lambda a: (
        d * (d - 1) * mpmath.log(mpmath.pi) / 4 + mpmath.fsum(mpmath.loggamma(a - mpf(j) / 2) for j in range(d))
    )


def huber(delta: Any, r: Any) -> Any:
    return r * r / 2 if abs(r) <= delta else delta * (abs(r) - delta / 2)


def with_tail(f: Callable[..., Any], place: int, *regions: Region) -> Region:
    """Arguments of an inverse that has an answer: what `f` gives stands where the answer stood."""

    def g(rng: np.random.Generator, n: int) -> np.ndarray:
        x = [r(rng, n) for r in regions]
        x[place] = f(*x)
        return np.column_stack(x)

    return g


def whole_call(f: Callable[..., Any]) -> Callable[..., Any]:
    """With degree and order as integers."""
    return lambda n, m, *x: f(np.asarray(n).astype(int), np.asarray(m).astype(int), *x)


def first_of(f: Callable[..., Any]) -> Callable[..., Any]:
    """The value of what is returned with its derivatives along an axis."""
    return lambda *x: f(*x)[0]


def whole_degree(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda n, x: f(np.asarray(n).astype(int), x)


COUNTS = [
    triples(integers(0, 12), lambda r, n: r.integers(12, 60, n).astype(float), flat(0.01, 0.99)),
    triples(integers(0, 3), lambda r, n: r.integers(3, 9, n).astype(float), positive(1e-9, 1)),
]
TAILS = [independent(integers(0, 30), positive(0.05, 60)), independent(integers(0, 4), flat(0, 3))]
CHI = [independent(flat(0.1, 30), flat(0, 60)), independent(positive(1e-2, 1e3), positive(1e-3, 1e3))]
CHI_INVERSE = [independent(flat(0.2, 30), flat(0.001, 0.999)), independent(positive(0.2, 1e3), positive(1e-12, 1))]
DEGREES = [triples(flat(0.2, 30), flat(0.2, 30), flat(0, 5)), triples(*[positive(0.1, 300)] * 2, positive(1e-3, 1e3))]
RATES = [triples(flat(0.1, 5), flat(0.1, 20), flat(0, 10)), triples(*[positive(1e-2, 100)] * 3)]
SHIFTED = [independent(integers(0, 40), flat(0, 1)), independent(integers(0, 12), flat(-1, 3))]

#: What has no body of its own: reference, goal, regions, arguments that are whole, and the call if the name does not say it.
OTHERS: dict[str, tuple[Any, ...]] = {
    "loggamma": (mpmath.loggamma, "3c", [flat(0, 3), flat(3, 30), near(1, 2, 8), positive(1e-300, 1e300)], ()),
    "polygamma_real": (
        polygamma, "8c", [independent(flat(0, 6), positive(0.05, 30)), independent(near(1, 2), flat(0.1, 5))], (),
        plain("polygamma"),
    ),
    "chdtr": (lambda v, x: lower_gamma(v / 2, x / 2), "8c", CHI, ()),
    "chdtrc": (lambda v, x: upper_gamma(v / 2, x / 2), "8c", CHI, ()),
    "chdtri": (lambda v, p: 2 * check_special.gammaincinv(v / 2, p, upper=True), "8c", CHI_INVERSE, ()),
    "gdtr": (lambda a, b, x: lower_gamma(b, a * x), "8c", RATES, ()),
    "gdtrc": (lambda a, b, x: upper_gamma(b, a * x), "8c", RATES, ()),
    "gdtria": (
        lambda p, b, x: check_special.gammaincinv(b, p) / x, "8c",
        [triples(flat(0.01, 0.99), flat(0.2, 20), flat(0.1, 9))], (),
    ),
    "gdtrix": (
        lambda a, b, p: check_special.gammaincinv(b, p) / a, "8c",
        [triples(flat(0.1, 9), flat(0.2, 20), flat(0.01, 0.99))], (),
    ),
    "gdtrib": (
        lambda a, p, x: inverse(lower_gamma, 0, 1e-3, 1e3)(p, a * x), "8c",
        [triples(flat(0.5, 3), flat(0.01, 0.99), flat(0.5, 9))], (),
    ),
    "chdtriv": (
        lambda p, x: 2 * inverse(lower_gamma, 0, 1e-3, 1e3)(p, x / 2), "8c",
        [independent(flat(0.01, 0.99), flat(0.5, 20))], (),
    ),
    "pdtr": (lambda k, m: upper_gamma(k + 1, m), "8c", TAILS, (0,)),
    "pdtrc": (lambda k, m: lower_gamma(k + 1, m), "8c", TAILS, (0,)),
    "pdtri": (
        lambda k, p: check_special.gammaincinv(k + 1, p, upper=True), "8c", [independent(integers(0, 30), flat(0.001, 0.999))],
        (0,),
    ),
    "pdtrik": (
        lambda p, m: inverse(upper_gamma, 0, 1e-3, 1e3)(p, m) - 1, "8c", [independent(flat(0.2, 0.99), flat(3, 30))], (),
    ),
    "bdtr": (lambda k, n, p: upper_beta(k + 1, n - k, p), "8c", COUNTS, (0, 1)),
    "bdtrc": (lambda k, n, p: lower_beta(k + 1, n - k, p), "8c", COUNTS, (0, 1)),
    "bdtri": (lambda k, n, p: check_special.betaincinv(k + 1, n - k, p, upper=True), "8c", COUNTS[:1], (0, 1)),
    "nbdtr": (lambda k, n, p: lower_beta(n, k + 1, p), "8c", COUNTS, (0,)),
    "nbdtrc": (lambda k, n, p: upper_beta(n, k + 1, p), "8c", COUNTS, (0,)),
    "nbdtri": (lambda k, n, p: check_special.betaincinv(n, k + 1, p), "8c", COUNTS[:1], (0,)),
    "btdtria": (
        inverse(lower_beta, 0, 1e-4, 1e5), "64c", [triples(flat(0.02, 0.98), flat(0.3, 20), flat(0.05, 0.95))], (),
    ),
    "btdtrib": (
        lambda a, p, x: inverse(lower_beta, 1, 1e-4, 1e5)(a, p, x), "64c",
        [triples(flat(0.3, 20), flat(0.02, 0.98), flat(0.05, 0.95))], (),
    ),
    "fdtr": (odds, "8c", DEGREES, ()),
    "fdtrc": (lambda *x: odds(*x, upper=True), "8c", DEGREES, ()),
    "fdtri": (odds_inverse, "8c", [triples(flat(0.3, 30), flat(0.3, 30), flat(0.01, 0.99))], ()),
    "stdtr": (student, "8c", [independent(flat(0.3, 30), flat(-10, 10)), independent(positive(0.5, 1e3), flat(-40, 5))], ()),
    "stdtrit": (
        student_inverse, "8c",
        [independent(flat(0.3, 30), flat(0.001, 0.999)), independent(positive(0.5, 1e3), positive(1e-9, 1))], (),
    ),
    "stdtridf": (
        inverse(student, 0, 0.1, 300), "64c",
        [with_tail(scipy.special.stdtr, 0, positive(0.3, 100), check_elementary.spread(0.2, 8))], (),
    ),
    "fdtridfd": (
        inverse(odds, 1, 0.1, 300), "64c",
        [with_tail(scipy.special.fdtr, 1, flat(0.5, 20), positive(0.5, 100), flat(1.2, 9))], (),
    ),
    "kolmogi": (kolmogi, "4c", [flat(0.001, 0.999), positive(1e-30, 1)], ()),
    "nrdtrimn": (
        lambda p, std, x: x - std * check_special.ndtri(p), "4c",
        [triples(flat(0.01, 0.99), flat(0.1, 5), flat(-5, 5))], (),
    ),
    "nrdtrisd": (
        lambda mn, p, x: (x - mn) / check_special.ndtri(p), "4c",
        [triples(flat(-5, 5), flat(0.01, 0.99), flat(-5, 5))], (),
    ),
    "lpmv": (ferrers, "8c", [triples(integers(0, 6), flat(0, 20), flat(-0.95, 1))], (0,)),
    "sph_legendre_p": (
        spherical_legendre, "8c", [triples(lambda r, n: r.integers(8, 30, n).astype(float), integers(0, 8), flat(0, 3.14))],
        (0, 1), lambda ns: whole_call(first_of(ns.sph_legendre_p)),
    ),
    "sph_harm_y": (
        lambda n, m, theta, phi: spherical_legendre(n, m, theta) * mpmath.cos(m * phi), "16c",
        [triple(lambda r, n: r.integers(8, 30, n).astype(float), integers(0, 8), flat(0, 3.14), flat(-7, 7))], (0, 1),
        lambda ns: lambda n, m, theta, phi: whole_call(ns.sph_harm_y)(n, m, theta, phi).real,
    ),
    "eval_laguerre": (
        lambda n, x: laguerre_polynomial(n, 0, x), "8c", [independent(integers(0, 30), flat(0, 40))], (0,),
    ),
    "eval_chebyc": (lambda n, x: 2 * mpmath.chebyt(n, x / 2), "8c", [independent(integers(0, 40), flat(-2, 2))], (0,)),
    "eval_chebys": (lambda n, x: mpmath.chebyu(n, x / 2), "8c", [independent(integers(0, 40), flat(-2, 2))], (0,)),
    "eval_sh_legendre": (lambda n, x: mpmath.legendre(n, 2 * x - 1), "8c", SHIFTED, (0,)),
    "eval_sh_chebyt": (lambda n, x: mpmath.chebyt(n, 2 * x - 1), "8c", SHIFTED, (0,)),
    "eval_sh_chebyu": (lambda n, x: mpmath.chebyu(n, 2 * x - 1), "8c", SHIFTED, (0,)),
    "eval_sh_jacobi": (
        shifted_jacobi, "8c", [lambda r, n: np.column_stack([
            integers(0, 15)(r, n), (q := flat(0.3, 4)(r, n)) + flat(-0.9, 4)(r, n), q, flat(0, 1)(r, n)])], (0,),
    ),
    "multigammaln": (
        multigamma(3), "4c", [flat(1.01, 30), positive(1.5, 1e6)], (), lambda ns: lambda a: ns.multigammaln(a, 3),
    ),
    "diric": (dirichlet(5), "4c", [flat(-10, 10), flat(-100, 100)], (), lambda ns: lambda x: ns.diric(x, 5)),
    "jn": (mpmath.besselj, "4c", check_bessel.ORDER_X, (0,)),
    "logsumexp": (
        summed, "2c", [triples(*[flat(-5, 5)] * 3), triples(*[flat(-300, 300)] * 3), triples(near(-1), near(-1), flat(-3, 0))],
        (), lambda ns: lambda *x: ns.logsumexp((np if ns is scipy.special else sa).stack(x), axis=0),
    ),
    "factorial": (lambda n: mpmath.gamma(n + 1), "4c", [integers(0, 170), flat(0, 170)], ()),
    "comb": (mpmath.binomial, "8c", [independent(lambda r, n: r.integers(20, 60, n).astype(float), integers(0, 20))], (0, 1)),
    "huber": (huber, "2u", [independent(flat(0, 3), flat(-9, 9)), independent(positive(1e-9, 1e9), positive(1e-9, 1e9))], ()),
}  # fmt: skip
#: Elementary functions that SciPy calls special.
SPECIAL = {"exp2", "exp10", "expm1", "log1p", "cbrt", "expit", "log_expit", "softplus"}
#: Whole numbers that are no place to differentiate.
WHOLE = {
    **dict.fromkeys(("smirnov", "smirnovi", "eval_hermite", "eval_hermitenorm"), (0,)),
    **{f"spherical_{kind}n": (0,) for kind in "jyik"},
    # A reference for whole numbers only; real ones have an entry of their own.
    "polygamma": (0,),
}
CALLS: dict[str, Call] = {
    "riemann_zeta": plain("zeta"),
    # SciPy's take degrees as integers only.
    **{
        n: lambda ns, n=n: whole_degree(getattr(ns, n)) if ns is scipy.special else getattr(ns, n)
        for n in ("eval_hermite", "eval_hermitenorm")
    },
    "lambertw_0": lambda ns: lambda x: real_part(ns.lambertw(x)),
    "lambertw_m1": lambda ns: lambda x: real_part(ns.lambertw(x, -1)),
    **{f"sici_{n}": part("sici", k) for k, n in enumerate(("si", "ci"))},
    **{f"shichi_{n}": part("shichi", k) for k, n in enumerate(("shi", "chi"))},
    **{f"ellipj_{n}": part("ellipj", k) for k, n in enumerate(("sn", "cn", "dn", "ph"))},
    **{f"airy_{n}": part("airy", k) for k, n in enumerate(("ai", "aip", "bi", "bip"))},
    **{f"airye_{n}": part("airye", k) for k, n in enumerate(("ai", "aip", "bi", "bip"))},
    **{f"fresnel_{n}": part("fresnel", k) for k, n in enumerate(("s", "c"))},
}  # fmt: skip
FIRST: dict[str, tuple[Callable[..., Any], ...]] = {
    # Owen (1956)
    "owens_t": (
        lambda h, a: -mpmath.exp(-h * h / 2) * mpmath.erf(a * h / mpmath.sqrt(2)) / mpmath.sqrt(8 * mpmath.pi),
        lambda h, a: mpmath.exp(-h * h * (1 + a * a) / 2) / (1 + a * a) / (2 * mpmath.pi),
    )
}
#: Bodies that only derivatives need, and functions that are tabled otherwise.
HIDDEN = {"trigamma", "ierfcx", "inverse_mills", "mills_gap", "dawsn_derivative", "polygamma_step", "log_ratio"}
HIDDEN |= {"exprel_derivative", "log1prel", "expn_below", "kelvin", "betainc_dx", "bell", "normal_density"}
#: Of complex arguments: reference, goal, whether that counts the condition, regions, and the call.
COMPLEX: dict[str, tuple[Any, ...]] = {
    **{
        f"lambertw_{branch}[c]": (
            lambda z, k=k: mpmath.lambertw(z, k), 3.0, False,
            [check_complex.box(3, 3), check_complex.spread(1e-3, 200), check_complex.near(-1 / np.e, low=-26)],
            lambda ns, k=k: lambda z: ns.lambertw(z, k),
        )
        for branch, k in (("0", 0), ("1", 1), ("m1", -1), ("2", 2))
    },
    "log_ndtr[c]": (
        lambda z: mpmath.log(mpmath.erfc(-z / mpmath.sqrt(2)) / 2), 8.0, True, [check_complex.box(3, 3)], plain("log_ndtr"),
    ),
}  # fmt: skip
#: Complex functions of which NumPy is the reference elsewhere.
ARITHMETIC = {"add", "multiply", "divide", "reciprocal", "square", "abs", "angle", "sign", "pow"}


def real_part(z: Any) -> Any:
    """Of SciPy's answers that are always complex; ours are real."""
    return z.real if isinstance(z, np.ndarray | np.generic) and z.dtype.kind == "c" else z


def drawn(region: Any, rng: np.random.Generator, count: int) -> np.ndarray:
    """Points as rows."""
    parts = region if isinstance(region, tuple) else (region,)
    return np.column_stack([p(rng, count) for p in parts]).astype(float)


def arity(regions: Sequence[Any]) -> int:
    return drawn(regions[0], np.random.default_rng(0), 2).shape[1]


def is_slope(name: str, known: Any) -> bool:
    stem, _, tail = name.rpartition("_")
    return stem in known and tail[:1] == "d" and name not in ("ellipj_dn",)


def entries() -> dict[str, Entry]:
    found = {}
    bodies = {**check_special.FUNCTIONS, **check_bessel.FUNCTIONS, **check_hypergeometric.FUNCTIONS}
    stems = {*bodies, "riemann_zeta", "ellipj", "i0e", "k0e", "ellipk"}
    for name, (exact, goal, regions) in bodies.items():
        if name in HIDDEN or name in OTHERS or is_slope(name, stems):
            continue
        free = tuple(i for i in range(arity(regions)) if i not in WHOLE.get(name, ()))
        call = CALLS.get(name, plain(name))
        first = FIRST.get(name, ())
        found[name] = Entry(exact, float(goal[:-1]), goal[-1] == "c", regions, call, free, first=first)
    for name, (exact, goal, regions) in check_elementary.FUNCTIONS.items():
        conditioned = isinstance(goal, tuple)
        call = plain(name) if name in SPECIAL else elementary(name)
        found[name] = Entry(
            exact, float(goal[0] if conditioned else goal), conditioned, regions, call, tuple(range(arity(regions)))
        )
    for name, (exact, goal, regions, whole, *call) in OTHERS.items():
        free = tuple(i for i in range(arity(regions)) if i not in whole)
        call = call[0] if call else plain(name)
        found[name] = Entry(precise(exact, 60), float(goal[:-1]), goal[-1] == "c", regions, call, free)
    conditioned = check_complex.CONDITIONED | check_complex.PARAMETRIC | check_complex.BY_ORDER
    stems = {*check_complex.FUNCTIONS, *check_complex.ORDERED}
    for name, (exact, goal, regions) in check_complex.FUNCTIONS.items():
        if name in ARITHMETIC or is_slope(name, stems):
            continue
        n = arity(regions) // 2
        with_order = name in check_complex.BY_ORDER | check_complex.PARAMETRIC
        real = tuple(range(n - 1)) if with_order else ()
        call = elementary(name) if name in {*check_elementary.FUNCTIONS} - SPECIAL else CALLS.get(name, plain(name))
        found[f"{name}[c]"] = Entry(exact, goal, name in conditioned, regions, call, (*real, n - 1), True, real)
    for name, (exact, goal, counted, regions, call) in COMPLEX.items():
        found[name] = Entry(exact, goal, counted, regions, call, (0,), True)
    return found


ENTRIES = entries()


def table_of(name: str) -> pathlib.Path:
    return pathlib.Path(__file__).parent / "tables" / f"{name.replace('[c]', '-complex')}.npz"


def orders(entry: Entry) -> list[tuple[int, ...]]:
    """The derivatives that a table holds, first and second ones."""
    return [(i,) for i in entry.free] + list(itertools.combinations_with_replacement(entry.free, 2))
