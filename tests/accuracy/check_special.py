"""Errors of the special functions against mpmath, over regions of their arguments.

Usage: check_special.py [--points N] [NAME ...]; runs the `eval` example; fails where a goal is missed.

A goal `Nu` bounds the error in ulps. A goal `Nc` bounds it in ulp(f) + eps * sum |x df/dx|, which forgives what one
rounding of the arguments would do. References are computed twice, the second time with more digits, until they agree.
"""

import argparse
import math
import pathlib
import subprocess
import sys

import mpmath
import numpy as np
from mpmath import mp, mpf

ROOT = pathlib.Path(__file__).resolve().parents[2]
EPS = 2.0**-52


def flat(low, high):
    return lambda rng, n: rng.uniform(low, high, n)


def positive(low, high):
    """Log-uniform."""
    return lambda rng, n: np.exp2(rng.uniform(math.log2(low), math.log2(high), n))


def negative(low, high):
    return lambda rng, n: -positive(low, high)(rng, n)


def near(*centres):
    """Points some ulps to some percent away from each centre."""

    def g(rng, n):
        c = rng.choice(np.asarray(centres, float), n)
        scale = np.where(c == 0, 1.0, np.abs(c))
        return c + scale * np.exp2(rng.uniform(-52, -5, n)) * rng.choice([-1.0, 1.0], n)

    return g


def integers(low, high):
    return lambda rng, n: rng.integers(low, high, n).astype(float)


def pairs(first, ratio):
    """`(a, a * ratio)`: the second argument in proportion to the first."""

    def g(rng, n):
        a = first(rng, n)
        return np.column_stack([a, a * ratio(rng, n)])

    return g


def transition(first, width):
    """`(a, x)` with `x` within `width` standard deviations of `a`."""

    def g(rng, n):
        a = first(rng, n)
        return np.column_stack([a, np.maximum(a + np.sqrt(a) * rng.uniform(-width, width, n), a * 1e-3)])

    return g


def independent(first, second):
    return lambda rng, n: np.column_stack([first(rng, n), second(rng, n)])


def incomplete(a, x):
    """`P`, `dP/da`, `d2P/da2` by the power series (DLMF 8.11.4), differentiated term by term."""
    t, td, tdd = mpf(1), mpf(0), mpf(0)
    s, sd, sdd = t, td, tdd
    b = mpf(a)
    tiny = mpf(2) ** -(mp.prec + 10)
    while True:
        b += 1
        t = t * x / b
        td = (td * x - t) / b
        tdd = (tdd * x - 2 * td) / b
        s, sd, sdd = s + t, sd + td, sdd + tdd
        if abs(tdd) <= tiny * abs(sdd) and abs(td) <= tiny * abs(sd) and t <= tiny * s and b > x:
            break
    front = mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a + 1))
    rate = mpmath.log(x) - mpmath.digamma(a + 1)
    bend = rate**2 - mpmath.psi(1, a + 1)
    return front * s, front * (rate * s + sd), front * (bend * s + 2 * rate * sd + sdd)


def tail_bits(a, x):
    """How far `Q` and its derivatives lie below 1."""
    return 40 + (int(1.5 * float(x - a - a * mpmath.log(x / a))) if x > a > 0 else 0)


def incomplete_part(k, sign=1):
    def f(a, x):
        with mp.workprec(mp.prec + tail_bits(a, x)):
            value = incomplete(a, x)[k]
            return +(value if sign > 0 else 1 - value)

    return f


def density(a, x):
    return mpmath.exp((a - 1) * mpmath.log(x) - x - mpmath.loggamma(a))


def density_da(a, x):
    return density(a, x) * (mpmath.log(x) - mpmath.digamma(a))


def density_dx(a, x):
    return density(a, x) * ((a - 1) / x - 1)


def precise(f, extra):
    def g(*x):
        with mp.workprec(mp.prec + extra):
            return +f(*x)

    return g


def ndtr(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def erfinv(p):
    # Newton's method at full precision from mpmath's double answer.
    if abs(p) >= 1:
        raise ValueError("infinite")
    y = mpf(mpmath.erfinv(p))
    for _ in range(3):
        y -= (mpmath.erf(y) - p) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(y * y)
    return y


def erfcinv(q):
    """Newton's method on `log erfc`."""
    if q > 0.5:
        return erfinv(1 - q)
    l = mpmath.log(q)
    y = mpmath.sqrt(-l - mpmath.log(1 - l) / 2)
    for _ in range(12):
        c = mpmath.erfc(y)
        step = (mpmath.log(c) - l) * c * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(y * y)
        y += step
        if abs(step) < mpf(2) ** (-mp.prec + 20) * y:
            break
    return y


def ndtri(p):
    return -mpmath.sqrt(2) * erfcinv(2 * p) if p < 0.75 else mpmath.sqrt(2) * erfcinv(2 * (1 - p))


def beta_part(a, b, x):
    """The regularized lower tail by a series of positive terms (DLMF 8.17.8)."""
    t = s = mpf(1)
    n = 0
    tiny = mpf(2) ** -(mp.prec + 10)
    while True:
        t *= (a + b + n) * x / (a + 1 + n)
        s += t
        n += 1
        if t <= tiny * s and (a + b + n) * x < (a + 1 + n):
            break
    log = a * mpmath.log(x) + b * mpmath.log(1 - x) - mpmath.log(a)
    return mpmath.exp(log + mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)) * s


def betainc(a, b, x, upper=False):
    for extra in (100, 1200):
        with mp.workprec(mp.prec + extra):
            left = x * (a + b) <= a or x < 0.25
            # A tail at most as large as the other is a series; its complement needs the digits by which it lies below 1.
            tail = beta_part(a, b, x) if left else beta_part(b, a, 1 - x)
            if left != upper:
                return +tail
            if 1 - tail > mpf(2) ** -60 or extra > 100:
                return 1 - tail


def slopes(f, *orders):
    """Central differences of the given orders in the leading arguments, at a precision where they are exact to all purposes."""

    def g(*x):
        prec = mp.prec
        with mp.workprec(sum(orders) * (prec + 40) + prec + 80):
            h = mpf(2) ** -(prec // 2 + 30)

            def difference(at, i):
                if i == len(orders):
                    return f(*at)
                step = h * at[i]
                shifted = lambda k: difference([*at[:i], at[i] + k * step, *at[i + 1 :]], i + 1)
                if orders[i] == 0:
                    return shifted(0)
                if orders[i] == 1:
                    return (shifted(1) - shifted(-1)) / (2 * step)
                return (shifted(1) - 2 * shifted(0) + shifted(-1)) / step**2

            return difference(list(x), 0)

    return g


def beta_density(a, b, x):
    return mpmath.exp((a - 1) * mpmath.log(x) + (b - 1) * mpmath.log1p(-x)) / mpmath.beta(a, b)


def root_of(shift, start):
    """The root of `log tail` in the log of the odds or of `x`, by Newton's method: the logarithm is concave there.
    `shift(*shape, p, u)` is the step, `start` the double's answer."""

    def f(*args):
        u = start(*args)
        for _ in range(200):
            step = shift(*args, u)
            u -= max(min(step, 50), -50)
            if abs(step) < mpf(2) ** (-mp.prec // 2 - 20):
                return u
        raise mpmath.libmp.NoConvergence

    return f


def betaincinv(a, b, p, upper=False):
    if (p > 0.5) != upper:
        upper = not upper
        with mp.workprec(mp.prec + 100):
            p = 1 - p

    def shift(a, b, p, u):
        x = 1 / (1 + mpmath.exp(-u))
        tail = betainc(a, b, x, upper)
        slope = beta_density(a, b, x) * x / (1 + mpmath.exp(u))
        return (mpmath.log(tail) - mpmath.log(p)) * tail / (-slope if upper else slope)

    with mp.workprec(mp.prec + 20):
        u = root_of(shift, lambda a, b, p: mpmath.log(a / b))(a, b, p)
        return 1 / (1 + mpmath.exp(-u))


def gammaincinv(a, p, upper=False):
    if (p > 0.5) != upper:
        upper = not upper
        with mp.workprec(mp.prec + 100):
            p = 1 - p
    tail_of = incomplete_part(0, -1 if upper else 1)

    def shift(a, p, u):
        x = mpmath.exp(u)
        tail = tail_of(a, x)
        slope = density(a, x) * x
        return (mpmath.log(tail) - mpmath.log(p)) * tail / (-slope if upper else slope)

    def start(a, p):
        if upper:
            t = -mpmath.log(p)
            return mpmath.log(a + t + mpmath.sqrt(2 * a * t))
        return min((mpmath.log(p) + mpmath.loggamma(a + 1)) / a, mpmath.log(a))

    with mp.workprec(mp.prec + 30):
        return mpmath.exp(root_of(shift, start)(a, p))


def owens_t(h, a):
    """The integral over the angle, the whole tail less the rest where that is shorter."""
    h = abs(h)  # an even function
    # In steps, since nodes are found once for a precision
    with mp.workprec(256 * math.ceil((mp.prec + 60 + 0.75 * float(h * h)) / 256)):
        f = lambda x: mpmath.exp(-h * h * (1 + x * x) / 2) / (1 + x * x) / (2 * mpmath.pi)
        reach = mpmath.sqrt(2 * mp.prec) / h if h else a
        if a <= 1:
            stop = min(a, reach)
            return stop * mpmath.quad(lambda t: f(stop * t), mpmath.linspace(0, 1, 6))
        # x = 1/u from a to infinity
        g = lambda u: mpmath.exp(-h * h * (1 + 1 / (u * u)) / 2) / (1 + u * u) / (2 * mpmath.pi) if u else mpf(0)
        rest = mpmath.quad(lambda t: g(t / a), mpmath.linspace(0, 1, 6)) / a
        return mpmath.erfc(h / mpmath.sqrt(2)) / 4 - rest


def box_cox(log):
    def f(x, l):
        with mp.workprec(mp.prec + 100):
            return mpmath.expm1(l * log(x)) / l

    return f


def repeated_integral(n, x):
    before, value = 2 / mpmath.sqrt(mpmath.pi), mpmath.exp(x * x) * mpmath.erfc(x)
    for k in range(1, int(n) + 1):
        before, value = value, (before / 2 - x * value) / k
    return value


def dawsn_derivative(n, x):
    before, value = mpf(0), mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)
    for k in range(int(n)):
        before, value = value, (1 if k == 0 else 0) - 2 * x * value - 2 * k * before
    return value


def mpf_beta(a, b):
    """The beta function, its poles and limits aside; mpmath's own loses digits for large arguments."""
    with mp.workprec(mp.prec + 200):
        if min(a, b) > 0:
            return mpmath.exp(mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b))
        return mpmath.gammaprod([a, b], [a + b])


def beta_slope(which):
    """Its derivatives "a", "aa" and "ab", of which next to axes and poles nearly all cancels."""

    def f(a, b):
        with mp.workprec(mp.prec + 400):
            a, b, end = mpf(a), mpf(b), mpf(a) + mpf(b)
            x, y = (mpmath.psi(0, v) - mpmath.psi(0, end) for v in (a, b))
            factor = {"a": x, "aa": x * x + mpmath.psi(1, a) - mpmath.psi(1, end), "ab": x * y - mpmath.psi(1, end)}
            return mpmath.gammaprod([a, b], [end]) * factor[which]

    return f


def poch(z, m):
    # The sum is exact, poles apart from what is next to them.
    with mp.workprec(mp.prec + 300 + abs(mpmath.mag(z) - mpmath.mag(m)) if z and m else mp.prec):
        return mpmath.gammaprod([z + m], [z])


def triples(first, second, third):
    return lambda rng, n: np.column_stack([first(rng, n), second(rng, n), third(rng, n)])


def about_mean(a, b, width):
    """`(a, b, x)` with `x` within `width` standard deviations of the mean of the beta distribution."""

    def g(rng, n):
        p, q = a(rng, n), b(rng, n)
        mean, spread = p / (p + q), np.sqrt(p * q / (p + q + 1)) / (p + q)
        return np.column_stack([p, q, np.clip(mean + spread * rng.uniform(-width, width, n), 1e-12, 1 - 1e-12)])

    return g


UNIT = [
    triples(flat(0.01, 20), flat(0.01, 20), flat(0, 1)),
    triples(positive(1e-2, 1e3), positive(1e-2, 1e3), flat(0, 1)),
    triples(positive(1e-2, 100), positive(1e-2, 100), positive(1e-20, 1)),
    triples(positive(1e-8, 1), positive(1e-8, 1), flat(0, 1)),
    triples(positive(1e-8, 1), positive(0.1, 50), lambda r, n: 1 - np.exp2(r.uniform(-50, -1, n))),
    triples(positive(1e-8, 1), positive(0.1, 50), positive(1e-100, 1)),
    about_mean(positive(1, 1e4), positive(1, 1e4), 5),
    about_mean(positive(0.3, 30), positive(0.3, 30), 3),
]
QUANTILES = [
    triples(flat(0.1, 20), flat(0.1, 20), flat(0, 1)),
    triples(positive(1e-2, 1e3), positive(1e-2, 1e3), flat(0, 1)),
    triples(positive(0.1, 100), positive(0.1, 100), positive(1e-20, 1)),
    triples(positive(1, 1e4), positive(1, 1e4), flat(0, 1)),
]
SHAPES = [
    independent(flat(0.1, 20), flat(0, 1)),
    independent(positive(1e-2, 1e4), flat(0, 1)),
    independent(positive(1e-1, 1e4), positive(1e-20, 1)),
    independent(positive(1e-6, 1), positive(1e-8, 1)),
]
RATIOS = [
    independent(flat(0, 3), flat(0, 3)),
    independent(positive(1e-300, 1e300), positive(1e-300, 1e300)),
    pairs(positive(1e-10, 1e10), lambda r, n: 1 + np.exp2(r.uniform(-50, -1, n)) * r.choice([-1.0, 1.0], n)),
    pairs(positive(1e-10, 1e10), positive(0.1, 10)),
]
PLANE = [
    independent(flat(0, 10), flat(0, 10)),
    independent(positive(1e-3, 1e3), positive(1e-3, 1e3)),
    independent(positive(1e-200, 1), positive(1e-200, 1e10)),
    independent(positive(1, 1e8), positive(1, 1e8)),
    independent(near(1, 2, 8), near(1, 2, 7, 8)),
]
BETA_SLOPES = [
    independent(flat(0, 10), flat(0, 10)),
    independent(positive(1e-3, 1e3), positive(1e-3, 1e3)),
    independent(positive(1e-18, 1), positive(1e-18, 1e6)),
    independent(near(1, 2, 8), near(1, 2, 7, 8)),
    independent(flat(-10, 10), flat(-10, 10)),
    independent(positive(1e-18, 0.3), flat(-300, 0)),
    independent(near(-1, -2, -6), positive(1e-12, 0.3)),
    independent(flat(-0.3, 0.3), flat(-0.3, 0.3)),
    independent(near(-1, -3), near(-1, -2)),
]
GAMMA_LINE = [flat(0, 3), flat(3, 30), near(1, 2, 3, 8), flat(-5, 0), near(-1, -2, -3, -10), positive(1e-300, 1e-3)]
WIDE = [
    independent(flat(0.01, 20), flat(0.01, 30)),
    independent(positive(1e-3, 1e3), positive(1e-3, 1e3)),
    independent(positive(1e-12, 1), positive(1e-12, 2)),
    independent(positive(1e-200, 1e-3), positive(1e-300, 50)),
    pairs(flat(0.05, 30), flat(0.3, 3)),
    pairs(flat(20, 200), flat(0.6, 1.5)),
    transition(positive(0.5, 3e4), 6),
    independent(near(1, 2, 10, 25), near(1, 1.1, 10, 25)),
    independent(flat(0.01, 3), flat(1.1, 6)),
]

ZETA = [flat(-20, 8), near(0, 1, -2, -4), flat(8, 60), flat(-150, -20)]


def kolmogorov(x):
    if x > 0.2:
        return 2 * mpmath.fsum((-1) ** (k - 1) * mpmath.exp(-2 * k * k * x * x) for k in range(1, 150))
    return mpf(1)


def smirnov(n, d):
    # Whole also where the condition is measured
    n = int(mpmath.nint(n))
    p = lambda j: d + mpf(j) / n
    last = int(mpmath.floor(n * (1 - d)))
    return d * mpmath.fsum(mpmath.binomial(n, j) * p(j) ** (j - 1) * (1 - p(j)) ** (n - j) for j in range(last + 1))


def smirnov_slope(order):
    def f(n, d):
        return slopes(lambda d: smirnov(n, d), order)(d)

    return f


def smirnovi(n, p):
    shift = lambda n, p, u: (smirnov(n, u) - p) / smirnov_slope(1)(n, u)
    return root_of(shift, lambda n, p: mpmath.sqrt(-mpmath.log(p) / (2 * n)) * mpf(0.9))(n, p)


def tukey(x, l):
    """The smaller tail of Tukey's distribution for `x < 0`."""

    def shift(x, l, u):
        t = mpmath.exp(u)
        quantile = mpmath.log(t / (1 - t)) if l == 0 else (t**l - (1 - t) ** l) / l
        return (quantile - x) / (t**l + t * (1 - t) ** (l - 1))

    start = lambda x, l: min(mpmath.log(1 + l * x) / l if l else x, mpf(-0.7))
    return mpmath.exp(root_of(shift, start)(x, l))


def voigt(x, sigma, gamma):
    with mp.workprec(mp.prec + 200):
        z = mpmath.mpc(x, gamma) / sigma / mpmath.sqrt(2)
        w = mpmath.exp(-z * z) * mpmath.erfc(-1j * z)
        return mpmath.re(w) / sigma / mpmath.sqrt(2 * mpmath.pi)


SMIRNOV = [independent(integers(1, 40), flat(0, 1)), independent(integers(40, 300), positive(1e-3, 0.5))]

# name: reference, goal, regions of the arguments
FUNCTIONS = {
    "gamma": (mpmath.gamma, "4u", GAMMA_LINE + [flat(8, 171.6), flat(-170, -5), flat(-184, -170)]),
    "rgamma": (mpmath.rgamma, "4u", GAMMA_LINE + [flat(8, 178), flat(-170, -5)]),
    "gammaln": (
        lambda x: mpmath.log(abs(mpmath.gamma(x))) if x < 1000 else mpmath.loggamma(x),
        "3c",
        GAMMA_LINE
        + [positive(30, 1e300), near(-2.4570247382208006, -2.7476826467274127, -3.1435808883499799), flat(-100, -5)],
    ),
    "digamma": (
        mpmath.digamma,
        "3c",
        GAMMA_LINE + [near(1.4616321449683622), positive(10, 1e300), near(-0.50408300826445541), flat(-100, -5)],
    ),
    "trigamma": (lambda x: mpmath.psi(1, x), "4u", GAMMA_LINE + [positive(10, 1e300), flat(-100, -5)]),
    "polygamma": (
        lambda n, x: mpmath.psi(int(n), x),
        "4u",
        [
            independent(integers(1, 20), positive(1e-3, 1e3)),
            independent(integers(2, 100), positive(0.3, 50)),
            independent(integers(1, 5), flat(0, 10)),
        ],
    ),
    "riemann_zeta": (mpmath.zeta, "4c", ZETA),
    "zetac": (lambda s: mpmath.zeta(s) - 1, "4c", ZETA),
    "riemann_zeta_ds": (slopes(mpmath.zeta, 1), "200c", [flat(-12, 20)]),
    "kolmogorov": (kolmogorov, "4c", [flat(0.2, 2), flat(2, 15)]),
    "smirnov": (smirnov, "16c", SMIRNOV),
    "smirnov_dx": (smirnov_slope(1), "4500c", SMIRNOV),
    "smirnov_dxx": (smirnov_slope(2), "4500c", SMIRNOV),
    "smirnovi": (smirnovi, "8c", [independent(integers(2, 30), flat(0.01, 0.99))]),
    "tklmbda": (tukey, "8c", [independent(flat(-3, 0), flat(-3, 0.3)), independent(negative(1e-8, 1), flat(-1, 0.9))]),
    "voigt_profile": (
        voigt,
        "8c",
        [
            lambda r, n: np.column_stack(
                [positive(1e-2, 1e3)(r, n), positive(1e-2, 1e2)(r, n), positive(1e-12, 1e2)(r, n)]
            ),
            lambda r, n: np.column_stack([flat(0, 9)(r, n), flat(0.9, 1.1)(r, n), positive(1e-15, 10)(r, n)]),
        ],
    ),
    "zeta": (
        mpmath.zeta,
        "4u",
        [
            independent(flat(1.01, 30), flat(0.05, 30)),
            independent(positive(1.0001, 300), positive(0.5, 1e4)),
            independent(lambda r, n: 1 + abs(near(1)(r, n) - 1), flat(0.1, 20)),
        ],
    ),
    "erf": (mpmath.erf, "1u", [flat(-1, 1), flat(-6, 6), near(0.5, 1), positive(1e-300, 1e-3)]),
    "erfc": (mpmath.erfc, "1u", [flat(-1, 1), flat(-6, 6), flat(0.4, 4), near(0.65, 1, 2), flat(4, 26.6)]),
    "bell": (lambda x: mpmath.exp(-x * x), "1u", [flat(-6, 6), flat(20, 26.6), positive(1e-300, 1)]),
    "normal_density": (mpmath.npdf, "1u", [flat(-9, 9), flat(30, 37.6), positive(1e-300, 1)]),
    "erfcx": (
        precise(lambda x: mpmath.exp(x * x) * mpmath.erfc(x), 100),
        "4u",
        [flat(-1, 1), flat(0, 10), flat(-26, 0), near(0.5), flat(10, 1e3), positive(20, 1e300)],
    ),
    "erfinv": (
        erfinv,
        "2u",
        [flat(-1, 1), positive(1e-300, 1e-3), near(0.5), lambda r, n: 1 - np.exp2(r.uniform(-53, -2, n))],
    ),
    "erfcinv": (erfcinv, "4u", [flat(0, 2), positive(1e-300, 1), near(0.5, 1)]),
    "ndtr": (ndtr, "2c", [flat(-3, 3), flat(-37, 0), flat(0, 9), positive(1e-300, 1e-3)]),
    "log_ndtr": (
        precise(lambda x: mpmath.log1p(-ndtr(-x)) if x > 0 else mpmath.log(ndtr(x)), 100),
        "2c",
        [flat(-3, 3), flat(-100, 0), flat(0, 37), negative(100, 1e4)],
    ),
    "ndtri": (
        ndtri,
        "3u",
        [flat(0, 1), positive(1e-300, 1), near(0.5, 0.25, 0.75), lambda r, n: 1 - np.exp2(r.uniform(-53, -2, n))],
    ),
    "ndtri_exp": (
        lambda y: ndtri(mpmath.exp(y)) if y < -0.3 else -ndtri(-mpmath.expm1(y)),
        "4c",
        [flat(-3, 0), negative(1e-300, 1), negative(1, 700), near(-0.3, -1.5, -0.6931471805599453)],
    ),
    "ierfcx": (
        precise(repeated_integral, 600),
        "64c",
        [independent(integers(0, 4), flat(-5, 5)), independent(integers(0, 4), positive(0.3, 100))],
    ),
    "inverse_mills": (
        precise(lambda x: mpmath.npdf(x) / ndtr(x), 200),
        "8c",
        [flat(-3, 3), flat(-100, 0), flat(0, 37), negative(100, 1e8)],
    ),
    "mills_gap": (
        precise(lambda x: x + mpmath.npdf(x) / ndtr(x), 400),
        "64c",
        [flat(-3, 3), flat(-50, 0), flat(0, 37)],
    ),
    "dawsn_derivative": (
        precise(dawsn_derivative, 300),
        "4500c",
        [independent(integers(0, 4), flat(-7, 7)), independent(integers(0, 4), positive(6, 100))],
    ),
    "dawsn": (
        precise(lambda x: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x), 200),
        "4u",
        [flat(-1, 1), flat(0, 10), flat(10, 100), near(0.5, 1, 32), positive(1e-300, 0.5)],
    ),
    "erfi": (mpmath.erfi, "4u", [flat(-1, 1), flat(0, 10), flat(10, 26.6), near(0.5, 1, 2), positive(1e-300, 0.5)]),
    "fresnel_s": (mpmath.fresnels, "4c", [flat(-2, 2), flat(0, 12), near(1, 8), positive(1e-100, 1), positive(1, 1e5)]),
    "fresnel_c": (mpmath.fresnelc, "4c", [flat(-2, 2), flat(0, 12), near(1, 8), positive(1e-300, 1), positive(1, 1e5)]),
    "owens_t": (
        owens_t,
        "8c",
        [
            independent(flat(0, 5), flat(0, 3)),
            independent(flat(0, 30), positive(1e-3, 10)),
            independent(positive(1e-3, 10), positive(1, 1e4)),
            independent(positive(1e-10, 37), positive(1e-200, 1)),
            independent(flat(0, 10), near(1)),
        ],
    ),
    "beta": (mpf_beta, "4c", PLANE + [independent(flat(-10, 10), flat(-10, 10))]),
    **{f"beta_d{which}": (beta_slope(which), "64c", BETA_SLOPES) for which in ("a", "aa", "ab")},
    "betaln": (lambda a, b: mpmath.log(abs(mpf_beta(a, b))), "4c", PLANE + [independent(flat(-10, 10), flat(-10, 10))]),
    "polygamma_step": (
        precise(lambda n, a, b: mpmath.psi(int(n), a + b) - mpmath.psi(int(n), a), 400),
        "16c",
        [
            triples(integers(0, 4), positive(1e-3, 1e8), positive(1e-20, 1e6)),
            triples(integers(0, 3), flat(0.1, 20), flat(0, 2)),
        ],
    ),
    "betainc": (betainc, "8c", UNIT),
    "betaincc": (lambda a, b, x: betainc(a, b, x, upper=True), "8c", UNIT),
    "betainc_da": (slopes(betainc, 1), "64c", UNIT),
    "betainc_db": (slopes(betainc, 0, 1), "64c", UNIT),
    "betainc_daa": (slopes(betainc, 2), "64c", UNIT),
    "betainc_dab": (slopes(betainc, 1, 1), "64c", UNIT),
    "betainc_dbb": (slopes(betainc, 0, 2), "64c", UNIT),
    "betainc_dx": (beta_density, "8c", UNIT),
    "stdtr": (
        lambda df, t: (lambda tail: 1 - tail if t > 0 else tail)(betainc(df / 2, mpf(1) / 2, df / (df + t * t)) / 2),
        "8c",
        [independent(flat(0.3, 30), flat(-10, 10)), independent(positive(0.5, 1e3), flat(-40, 5))],
    ),
    "betaincinv": (betaincinv, "8c", QUANTILES),
    "betainccinv": (lambda a, b, q: betaincinv(a, b, q, upper=True), "8c", QUANTILES),
    "rgamma_dx": (
        lambda x: -mpmath.psi(0, x) * mpmath.rgamma(x),
        "16c",
        [flat(0, 20), flat(-20, 0), near(-1, -2, -3, 1.46), positive(1e-300, 1)],
    ),
    "rgamma_dxx": (
        lambda x: mpmath.rgamma(x) * (mpmath.psi(0, x) ** 2 - mpmath.psi(1, x)),
        "64c",
        [flat(0, 20), flat(-20, 0), near(-1, -2, -3, 1.46)],
    ),
    "poch": (
        poch,
        "8c",
        [
            independent(flat(0, 10), flat(-5, 10)),
            independent(positive(1e-3, 1e6), flat(-5, 20)),
            independent(positive(1, 1e8), flat(-2, 2)),
            independent(flat(-20, 0), flat(-10, 20)),
            independent(flat(-20, 20), integers(-8, 9)),
        ],
    ),
    "binom": (
        lambda n, k: mpmath.binomial(n, k),
        "8c",
        [
            independent(flat(0, 20), flat(0, 10)),
            independent(positive(1, 1e8), flat(0, 20)),
            independent(positive(1, 1e3), positive(1e-3, 1e3)),
            independent(flat(-10, 20), flat(-10, 20)),
        ],
    ),
    "logit": (
        lambda x: mpmath.log(x) - mpmath.log1p(-x),
        "2u",
        [flat(0, 1), positive(1e-300, 1), near(0.5, 0.25, 0.75)],
    ),
    "entr": (lambda x: -x * mpmath.log(x), "2u", [flat(0, 3), near(1), positive(1e-300, 1e300)]),
    "xlogy": (
        lambda x, y: x * mpmath.log(y),
        "2u",
        [independent(flat(-3, 3), flat(0, 3)), independent(flat(0, 3), near(1))],
    ),
    "xlog1py": (
        lambda x, y: x * mpmath.log1p(y),
        "2u",
        [independent(flat(-3, 3), flat(-1, 3)), independent(flat(0, 3), positive(1e-200, 1))],
    ),
    "log_ratio": (lambda x, y: mpmath.log(x / y), "2u", RATIOS),
    "rel_entr": (lambda x, y: x * mpmath.log(x / y), "2u", RATIOS),
    "kl_div": (precise(lambda x, y: x * mpmath.log(x / y) - x + y, 200), "4u", RATIOS),
    "pseudo_huber": (
        precise(lambda d, r: d * d * (mpmath.sqrt(1 + (r / d) ** 2) - 1), 200),
        "4u",
        [independent(flat(0, 3), flat(-3, 3)), independent(positive(1e-10, 1e10), positive(1e-10, 1e10))],
    ),
    "powm1": (
        precise(lambda x, y: mpmath.power(x, y) - 1, 400),
        "2u",
        [
            independent(flat(0, 3), flat(-3, 3)),
            independent(near(1), flat(-100, 100)),
            independent(positive(1e-300, 1e300), positive(1e-100, 1)),
            independent(flat(-3, -0.1), integers(-9, 10)),
        ],
    ),
    "cosm1": (
        precise(lambda x: mpmath.cos(x) - 1, 400),
        "2u",
        [flat(-10, 10), positive(1e-150, 1), near(2 * math.pi, 4 * math.pi, 20 * math.pi), positive(1, 1e10)],
    ),
    "exprel": (
        precise(lambda x: mpmath.expm1(x) / x, 100),
        "2u",
        [flat(-5, 5), flat(-50, 716), positive(1e-300, 1), near(1)],
    ),
    "exprel_derivative": (
        lambda n, x: mpmath.hyp1f1(n + 1, n + 2, x) / (n + 1),
        "32c",
        [independent(integers(1, 4), flat(-60, 60)), independent(integers(1, 4), flat(40, 700))],
    ),
    "log1prel": (
        precise(
            lambda n, t: (-1) ** int(n) * mpmath.factorial(n) / (n + 1) * mpmath.hyp2f1(n + 1, n + 1, n + 2, -t), 100
        ),
        "32c",
        [independent(integers(0, 4), flat(-0.9, 5)), independent(integers(0, 4), positive(1e-100, 100))],
    ),
    "boxcox": (
        box_cox(mpmath.log),
        "2c",
        [
            independent(flat(0, 3), flat(-3, 3)),
            independent(positive(1e-9, 1e9), positive(1e-20, 1)),
            independent(near(1), flat(-3, 3)),
        ],
    ),
    "boxcox1p": (
        box_cox(mpmath.log1p),
        "2c",
        [independent(flat(-1, 3), flat(-3, 3)), independent(positive(1e-200, 1e9), positive(1e-20, 1))],
    ),
    "inv_boxcox": (
        precise(lambda y, l: mpmath.exp(mpmath.log1p(l * y) / l), 100),
        "2c",
        [
            independent(flat(0, 3), flat(0, 3)),
            independent(flat(-1, 1), flat(-0.9, 0.9)),
            independent(flat(-5, 5), positive(1e-20, 0.1)),
        ],
    ),
    "inv_boxcox1p": (
        precise(lambda y, l: mpmath.expm1(mpmath.log1p(l * y) / l), 100),
        "2c",
        [
            independent(flat(0, 3), flat(0, 3)),
            independent(flat(-1, 1), flat(-0.9, 0.9)),
            independent(flat(-5, 5), positive(1e-20, 0.1)),
        ],
    ),
    "gammainc": (incomplete_part(0), "8c", WIDE),
    "gammaincc": (incomplete_part(0, -1), "8c", WIDE),
    "gammaincinv": (gammaincinv, "8c", SHAPES),
    "gammainccinv": (lambda a, q: gammaincinv(a, q, upper=True), "8c", SHAPES),
    "gammainc_da": (incomplete_part(1), "4500c", WIDE),
    "gammainc_daa": (incomplete_part(2), "4500c", WIDE),
    "gammainc_dx": (density, "8c", WIDE),
    "gammainc_dax": (density_da, "16c", WIDE),
    "gammainc_dxx": (density_dx, "8c", WIDE),
}


def ulp(x):
    m = abs(float(x))
    return math.ulp(m) if math.isfinite(m) else math.ulp(sys.float_info.max)


def settled(f, x):
    """`f(x)`, once two precisions agree far below an ulp; None where they do not or where it is not a finite double."""
    last = None
    for prec in (120, 200, 400, 1000):
        with mp.workprec(prec):
            try:
                value = mpf(f(*map(mpf, x)))
            except (ZeroDivisionError, OverflowError, ValueError, mpmath.libmp.NoConvergence):
                return None
            if not mpmath.isfinite(value) or abs(value) > sys.float_info.max or abs(value) < 1e-307:
                return None
            if last is not None and abs(value - last) <= abs(value) * mpf(2) ** -76:
                return value
            last = value
    return None


def condition(f, x):
    """`sum |x_i df/dx_i|` by differences at high precision."""
    total = mpf(0)
    with mp.workprec(240):
        h = mpf(2) ** -60
        for i in range(len(x)):
            up, down = list(map(mpf, x)), list(map(mpf, x))
            up[i] *= 1 + h
            # Upwards alone where an order that is cut off to an integer would jump
            whole = x[i] == math.floor(x[i])
            if not whole:
                down[i] *= 1 - h
            total += abs(f(*up) - f(*down)) / (h if whole else 2 * h)
    return float(total)


def check(binary, name, points, rng):
    f, goal, regions = FUNCTIONS[name]
    limit, conditioned = float(goal[:-1]), goal[-1] == "c"
    worst = (0.0, None)
    for region in regions:
        x = np.ascontiguousarray(region(rng, points).reshape(points, -1))
        out = subprocess.run([binary, name], input=x.tobytes(), stdout=subprocess.PIPE, check=True).stdout
        for row, got in zip(x.tolist(), np.frombuffer(out).tolist(), strict=True):
            want = settled(f, row)
            if want is None:
                continue
            error = float(abs(mpf(got) - want)) if math.isfinite(got) else math.inf
            units = error / ulp(want)
            if conditioned and units > limit:
                units = error / (ulp(want) + EPS * condition(f, row))
            if units > worst[0]:
                worst = (units, (row, got, float(want)))
    return worst, limit


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=100, help="points per region")
    parser.add_argument("--binary", help="an `eval` that is built already")
    args = parser.parse_args()
    build = ["cargo", "build", "--release", "-q", "-p", "sciarray-scalar", "--example", "eval"]
    if not args.binary:
        subprocess.run(build, cwd=ROOT, check=True)
    binary = args.binary or ROOT / "target/release/examples/eval"
    missed = 0
    for name in args.names or FUNCTIONS:
        (error, where), limit = check(binary, name, args.points, np.random.default_rng(7))
        ok = error <= limit
        missed += not ok
        print(f"{name:13} {error:9.3g} of {FUNCTIONS[name][1]:6}{'' if ok else ' MISSED'}  {where}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
