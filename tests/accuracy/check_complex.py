"""Errors of the complex functions against mpmath, norm-wise: |got - want| in ulps of |want|.

The error of `pow` is divided by 1 + |w log z| besides, that of the special functions of unbounded condition by
ulp(|f|) + eps |z f'|. Arguments on a branch cut are left to the unit tests.

Usage: check_complex.py [--points N] [NAME ...]; runs the `eval` example; fails where a goal is missed.
"""

import argparse
import math
import pathlib
import subprocess
import sys

import mpmath
import numpy as np
from check_bessel import gegenbauer_polynomial, jacobi_polynomial, laguerre_polynomial
from mpmath import mp, mpc, mpf

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX = sys.float_info.max


def box(re, im):
    return lambda rng, n: np.column_stack([rng.uniform(-re, re, n), rng.uniform(-im, im, n)])


def spread(low, high):
    """Log-uniform magnitudes of both parts, all signs."""

    def g(rng, n):
        size = np.exp2(rng.uniform(math.log2(low), math.log2(high), (n, 2)))
        return size * rng.choice([-1.0, 1.0], (n, 2))

    return g


def circle(low, high):
    """Next to the unit circle."""

    def g(rng, n):
        r = 1 + rng.choice([-1.0, 1.0], n) * np.exp2(rng.uniform(low, high, n))
        t = rng.uniform(-math.pi, math.pi, n)
        return np.column_stack([r * np.cos(t), r * np.sin(t)])

    return g


def near(*centres, low=-52, high=-3):
    """Points at distances from some ulps to some percent of each centre, the parts independently."""

    def g(rng, n):
        c = rng.choice(np.asarray(centres, complex), n)
        d = np.exp2(rng.uniform(low, high, (n, 2))) * rng.choice([-1.0, 1.0], (n, 2))
        return np.column_stack([c.real + d[:, 0], c.imag + d[:, 1]])

    return g


def lines(rng, n):
    """Next to the axes, on both sides of each."""
    z = np.column_stack([rng.uniform(-5, 5, n), np.exp2(rng.uniform(-300, -5, n)) * rng.choice([-1.0, 1.0], n)])
    return np.where(rng.integers(0, 2, (n, 1)) == 0, z, z[:, ::-1])


def two(first, second):
    return lambda rng, n: np.hstack([first(rng, n), second(rng, n)])


def small_powers(rng, n):
    return np.column_stack([rng.integers(-12, 13, n), np.zeros(n)]).astype(float)


HALF_PI = math.pi / 2
PLANE = [box(3, 3), spread(1e-3, 1e3), lines, spread(1e-300, 1e-3), circle(-50, -1)]
HUGE = [spread(1e3, 1e300), spread(1e-308, MAX / 4)]
STRIP = [
    box(1, 1),
    box(20, 20),
    lines,
    spread(1e-300, 1e-3),
    near(1j * math.pi, 2j * math.pi, 1j * HALF_PI),
    box(700, 1e6),
]
TURNED = [lambda r, n, f=f: f(r, n)[:, ::-1] for f in STRIP]
TURNS = [box(3, 3), box(100, 50), near(1, 2, 0.5, 1.5), spread(1e-300, 1e-3)]
POLES = [near(1j * HALF_PI, -1j * HALF_PI, 3j * HALF_PI), box(30, 10)]


WIDE = [box(3, 3), box(12, 12), spread(1e-3, 30), lambda r, n: box(9, 1)(r, n) * [1, 1e-6]]


def orders(low, high):
    """Real orders, some of them integers, as complex numbers."""

    def g(rng, n):
        v = rng.uniform(low, high, n)
        return np.column_stack([np.where(rng.random(n) < 0.2, np.rint(v), v), np.zeros(n)])

    return g


def rays(low, high):
    """Magnitudes of all sizes in all directions, on the axes and next to the imaginary one."""

    def g(rng, n):
        r = np.exp(rng.uniform(math.log(low), math.log(high), n))
        angle = rng.uniform(-math.pi, math.pi, n)
        upright = math.pi / 2 * rng.choice([-1.0, 1.0], n) * (1 - np.exp2(rng.uniform(-50, -4, n)))
        z = r * np.exp(1j * np.where(rng.random(n) < 0.2, upright, angle))
        turn = rng.choice([1, -1, 1j, -1j], n)
        z = np.where(rng.random(n) < 0.2, np.where(turn.imag == 0, r * turn.real + 0j, 1j * r * turn.imag), z)
        return np.column_stack([z.real, z.imag])

    return g


def half(low, high):
    """The right half-plane."""
    return lambda rng, n: np.abs(rays(low, high)(rng, n)) * np.column_stack([np.ones(n), rng.choice([-1.0, 1.0], n)])


BESSEL = [
    two(orders(-4, 4), rays(1e-3, 2)),
    two(orders(-4, 4), rays(2, 40)),
    two(orders(-100, 100), rays(1e-3, 300)),
    two(orders(-3, 3), rays(1e-300, 1e-3)),
]
SLOPES = [
    two(orders(-4, 4), rays(1e-3, 2)),
    two(orders(-4, 4), rays(2, 40)),
    two(orders(-40, 40), rays(1e-3, 60)),
]
CARLSON = [half(1e-3, 1e3), half(0.3, 3)]
# Off the imaginary axis, which the last argument of R_J must not reach.
INNER = [lambda rng, n: np.abs(box(3, 3)(rng, n)) * [1, -1], lambda rng, n: np.abs(spread(1e-3, 1e3)(rng, n))]


def third_kind(rng, n):
    """None of the first three negative, or two of them conjugates; the last one in all directions and next to its cut."""
    size = np.exp(rng.uniform(-7, 7, (n, 4)))
    angle = rng.uniform(-3.1, 3.1, (n, 2))
    edge = rng.choice([-1.0, 1.0], n) * (math.pi - np.exp2(rng.uniform(-40, -4, n)))
    p = size[:, 3] * np.exp(1j * np.where(rng.random(n) < 0.5, edge, angle[:, 0]))
    y = size[:, 1] * np.exp(1j * angle[:, 1])
    pair = rng.random(n) < 0.3
    x = np.where(rng.random(n) < 0.1, 0, size[:, 0]) + 0j
    args = [x, np.where(pair, y, size[:, 1]), np.where(pair, y.conj(), size[:, 2]), p]
    return np.column_stack([part for v in args for part in (v.real, v.imag)])


def parameters(*ranges):
    """Real parameters from these ranges, some of them integers."""
    return lambda rng, n: np.hstack([orders(low, high)(rng, n) for low, high in ranges])


def chosen(*codes):
    return lambda rng, n: np.column_stack([rng.choice(codes, n).astype(float), np.zeros(n)])


def corner(rng, n):
    """About the points `e^(+-i pi/3)`, where no transformation of Gauss's series helps."""
    z = np.exp(1j * math.pi / 3 * rng.choice([-1, 1], n)) + rng.normal(0, 0.15, n) + 1j * rng.normal(0, 0.15, n)
    return np.column_stack([z.real, z.imag])


def real_parameters(f):
    return lambda *x: f(*[v.real for v in x[:-1]], x[-1])


def kummer(a, b, z):
    """Poles in `b` are poles for `a = 0` too."""
    if b <= 0 and b == round(b):
        raise ZeroDivisionError
    return mpmath.hyp1f1(a, b, z)


def gauss(a, b, c, z):
    """mpmath takes the lower side of the cut."""
    out = mpmath.hyp2f1(a, b, c, z)
    return mpmath.conj(out) if z.imag == 0 and z.real > 1 else out


def slope_in(f):
    """The derivative in the parameters `i` or `10 i + j`, by differences at three times the precision."""

    def g(code, *x):
        which = [int(d) - 1 for d in str(int(code.real))]
        with mp.workprec(3 * mp.prec + 80):
            h = mpf(2) ** (-mp.prec // 4)

            def at(*steps):
                y = list(x)
                for i, s in zip(which, steps, strict=True):
                    y[i] = y[i] + s * h
                return f(*y)

            if len(which) == 1:
                return (at(1) - at(-1)) / (2 * h)
            return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h)

    return g


def of_order(f, exponent=lambda z: 0):
    return lambda v, z: f(v.real, z) * mpmath.exp(exponent(z))


def order_slope(f, n):
    """The derivative `n` in the order, by differences at three times the precision from points beside it."""

    def g(v, z):
        with mp.workprec(3 * mp.prec + 80):
            h = mpf(2) ** (-mp.prec // 4)
            a, b, c, d = (f(v + k * h, z) for k in (-3, -1, 1, 3))
            return (27 * (c - b) - (d - a)) / (48 * h) if n == 1 else (d - c - b + a) / (8 * h * h)

    return g


def side(x):
    return -1 if x < 0 else 1


def airy_exponent(z):
    return z * mpmath.sqrt(z) * 2 / 3


def omega(z):
    branch = mpmath.ceil((z.imag - mpmath.pi) / (2 * mpmath.pi))
    return mpmath.lambertw(mpmath.exp(z), int(branch))


def several(n, regions):
    return [lambda r, k, f=f: np.hstack([f(r, k) for _ in range(n)]) for f in regions]


def faddeeva(z):
    return mpmath.exp(-z * z) * mpmath.erfc(-1j * z)


def dawson(z):
    return mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-z * z) * mpmath.erfi(z)


def far_right(f):
    """With the digits by which the function differs from its limit."""

    def g(z):
        with mp.workprec(mp.prec + min(3000, int(4 * abs(z.real)))):
            return f(z)

    return g


@far_right
def expit(z):
    return 1 / (1 + mpmath.exp(-z))


HYP0F1 = [
    two(parameters((-5, 20)), rays(1e-3, 300)),
    two(parameters((0.1, 50)), rays(1, 1e4)),
    two(parameters((-3, 5)), rays(100, 1e6)),
]
HYP1F1 = [
    two(parameters((-5, 10), (0.1, 10)), rays(1e-3, 30)),
    two(parameters((-5, 5), (-5, 5)), rays(20, 1e3)),
    two(parameters((-30, 30), (-30, 30)), rays(1e-1, 100)),
]
SMALL = parameters((-5, 5), (-5, 5), (0.1, 8))
HYP2F1 = [
    two(SMALL, box(1, 1)),
    two(SMALL, box(3, 3)),
    two(SMALL, corner),
    two(SMALL, near(1, low=-40, high=0)),
    two(SMALL, rays(1, 1e6)),
    two(parameters((-30, 30), (-30, 30), (-30, 30)), box(2, 2)),
]
DEGREES = lambda rng, n: np.column_stack([rng.integers(0, 40, n), np.zeros(n)]).astype(float)
PLANES = [box(1.5, 0.5), box(3, 3), near(1, -1, low=-20, high=-2)]


def polynomials(f, *ranges):
    """Of this degree and these parameters."""
    regions = (
        [two(two(DEGREES, parameters(*ranges)), z) for z in PLANES] if ranges else [two(DEGREES, z) for z in PLANES]
    )
    return (real_parameters(f), 8, regions)


# Next to the pole, to 0 and to trivial zeros; the critical strip, sums of many terms, and far left
ZETA = [
    *WIDE,
    near(1, 0, -2),
    lambda rng, n: np.column_stack([rng.uniform(0, 1, n), rng.uniform(-100, 100, n)]),
    box(20, 300),
    lambda rng, n: np.column_stack([rng.uniform(-160, -20, n), rng.uniform(-50, 50, n)]),
]
# name: reference, goal in ulps, regions
FUNCTIONS = {
    "add": (lambda z, w: z + w, 1, [two(box(3, 3), box(3, 3))]),
    "multiply": (
        lambda z, w: z * w,
        2.3,
        [two(box(3, 3), box(3, 3)), two(spread(1e-100, 1e100), spread(1e-100, 1e100))],
    ),
    "divide": (
        lambda z, w: z / w,
        4,
        [
            two(box(3, 3), box(3, 3)),
            two(spread(1e-150, 1e150), spread(1e-150, 1e150)),
            two(spread(1e-10, 1e10), spread(1e297, MAX)),
            two(spread(1e-300, 1e-290), spread(1e-300, 1e-290)),
        ],
    ),
    "reciprocal": (lambda z: 1 / z, 4, [box(3, 3), spread(1e-300, 1e300)]),
    "square": (lambda z: z * z, 3, [box(3, 3), spread(1e-100, 1e100)]),
    "abs": (abs, 1, PLANE + HUGE),
    "angle": (mpmath.arg, 1, PLANE + HUGE),
    "sign": (lambda z: z / abs(z), 3, PLANE + HUGE),
    "exp": (mpmath.exp, 3, STRIP + [near(709.7)]),
    "exp2": (lambda z: mpmath.exp(z * mpmath.log(2)), 3, STRIP),
    "expm1": (mpmath.expm1, 3, STRIP + [near(0)]),
    "log": (mpmath.log, 3, PLANE + HUGE + [near(1, 1j, -1)]),
    "log1p": (lambda z: mpmath.log(1 + z), 3, PLANE + HUGE + [near(0, -1, -2, -1 + 1j)]),
    "log2": (lambda z: mpmath.log(z) / mpmath.log(2), 3, PLANE + HUGE),
    "log10": (lambda z: mpmath.log(z) / mpmath.log(10), 3, PLANE + HUGE),
    "sqrt": (mpmath.sqrt, 3, PLANE + HUGE),
    "rsqrt": (lambda z: 1 / mpmath.sqrt(z), 4, PLANE + HUGE),
    "pow": (
        lambda z, w: mpmath.exp(w * mpmath.log(z)),
        3,
        [two(box(3, 3), box(3, 3)), two(box(3, 3), small_powers), two(circle(-50, -1), box(10, 10))],
    ),
    "sin": (mpmath.sin, 3, TURNED),
    "cos": (mpmath.cos, 3, TURNED + [near(HALF_PI, 3 * HALF_PI)]),
    "tan": (mpmath.tan, 3, TURNED + [near(HALF_PI, 3 * HALF_PI, math.pi), box(10, 30)]),
    "sinh": (mpmath.sinh, 3, STRIP),
    "cosh": (mpmath.cosh, 3, STRIP),
    "tanh": (far_right(mpmath.tanh), 3, STRIP + POLES),
    "asin": (mpmath.asin, 3, PLANE + HUGE + [near(1, -1, 1j)]),
    "acos": (mpmath.acos, 3, PLANE + HUGE + [near(1, -1, 1j)]),
    "atan": (mpmath.atan, 3, PLANE + HUGE + [near(1j, -1j, 1)]),
    "asinh": (mpmath.asinh, 3, PLANE + HUGE + [near(1j, -1j)]),
    # mpmath's takes the other side of the cut where the imaginary part is tiny.
    "acosh": (lambda z: mpmath.log(z + mpmath.sqrt(z + 1) * mpmath.sqrt(z - 1)), 3, PLANE + HUGE + [near(1, -1)]),
    "atanh": (mpmath.atanh, 3, PLANE + HUGE + [near(1, -1, 1j)]),
    "sinpi": (mpmath.sinpi, 3, TURNS),
    "cospi": (mpmath.cospi, 3, TURNS),
    "sinc": (mpmath.sincpi, 4, TURNS),
    "expit": (expit, 4, STRIP + [near(1j * math.pi, -1j * math.pi)]),
    "wofz": (faddeeva, 4, [*WIDE, lambda r, n: box(30, 1)(r, n) * [1, 0]]),
    "erf": (mpmath.erf, 8, WIDE),
    "erfc": (mpmath.erfc, 8, WIDE),
    "erfi": (mpmath.erfi, 8, WIDE),
    "erfcx": (lambda z: faddeeva(1j * z), 8, WIDE),
    "dawsn": (dawson, 8, WIDE),
    "fresnel_s": (mpmath.fresnels, 8, WIDE),
    "fresnel_c": (mpmath.fresnelc, 8, WIDE),
    "ndtr": (lambda z: mpmath.erfc(-z / mpmath.sqrt(2)) / 2, 8, WIDE),
    "loggamma": (mpmath.loggamma, 8, WIDE + [near(1, 2, -0.5, -1.5), box(200, 200)]),
    "gamma": (mpmath.gamma, 8, WIDE + [near(1, 2, -0.5, -1.5), spread(1e-300, 1e-3)]),
    "rgamma": (mpmath.rgamma, 8, WIDE + [near(1, 2, -0.5, -1.5), spread(1e-300, 1e-3)]),
    "digamma": (mpmath.digamma, 8, WIDE + [near(1.4616, -0.5), box(200, 200)]),
    "riemann_zeta": (mpmath.zeta, 8, ZETA),
    "exp1": (mpmath.e1, 8, WIDE),
    "expi": (mpmath.ei, 8, WIDE),
    "sici_si": (mpmath.si, 8, WIDE),
    "sici_ci": (mpmath.ci, 8, WIDE),
    "shichi_shi": (mpmath.shi, 8, WIDE),
    "shichi_chi": (mpmath.chi, 8, WIDE),
    "spence": (lambda z: mpmath.polylog(2, 1 - z), 3, WIDE + [near(0, 1)]),
    "jv": (of_order(mpmath.besselj), 8, BESSEL),
    "yv": (of_order(mpmath.bessely), 8, BESSEL),
    "iv": (of_order(mpmath.besseli), 8, BESSEL),
    "kv": (of_order(mpmath.besselk), 8, BESSEL),
    "hankel1": (of_order(mpmath.hankel1), 8, BESSEL),
    "hankel2": (of_order(mpmath.hankel2), 8, BESSEL),
    "kve": (of_order(mpmath.besselk, lambda z: z), 8, BESSEL),
    "hankel1e": (of_order(mpmath.hankel1, lambda z: -1j * z), 8, BESSEL),
    "hankel2e": (of_order(mpmath.hankel2, lambda z: 1j * z), 8, BESSEL),
    "airy_ai": (mpmath.airyai, 8, [rays(1e-2, 1), rays(1, 40)]),
    "airy_aip": (lambda z: mpmath.airyai(z, derivative=1), 8, [rays(1e-2, 1), rays(1, 40)]),
    "airy_bi": (mpmath.airybi, 8, [rays(1e-2, 1), rays(1, 40)]),
    "airy_bip": (lambda z: mpmath.airybi(z, derivative=1), 8, [rays(1e-2, 1), rays(1, 40)]),
    "airye_ai": (lambda z: mpmath.airyai(z) * mpmath.exp(airy_exponent(z)), 16, [rays(1e-2, 1), rays(1, 40)]),
    "wrightomega": (omega, 3, [box(6, 12), near(-1 + 1j * math.pi, -1 - 1j * math.pi), box(300, 300)]),
    "elliprc": (mpmath.elliprc, 16, several(2, CARLSON)),
    "elliprf": (mpmath.elliprf, 16, several(3, CARLSON)),
    "elliprd": (mpmath.elliprd, 16, several(3, CARLSON)),
    "elliprg": (mpmath.elliprg, 16, several(3, CARLSON)),
    # Duplication, which integrals confirm in these regions
    "elliprj": (lambda *x: mpmath.elliprj(*x, integration=0), 16, [*several(4, INNER), third_kind]),
    "hyp0f1": (real_parameters(mpmath.hyp0f1), 16, HYP0F1),
    "hyp1f1": (real_parameters(kummer), 64, HYP1F1),
    "hyp2f1": (real_parameters(gauss), 64, HYP2F1),
    "hyp0f1_db": (slope_in(mpmath.hyp0f1), 4500, [two(chosen(1, 11), r) for r in HYP0F1[:2]]),
    "hyp1f1_dp": (slope_in(mpmath.hyp1f1), 4500, [two(chosen(1, 2, 11, 12, 22), r) for r in HYP1F1[:2]]),
    "hyp2f1_dp": (slope_in(mpmath.hyp2f1), 4500, [two(chosen(1, 2, 3, 11, 12, 13, 23, 33), r) for r in HYP2F1[:5]]),
    "eval_legendre": polynomials(mpmath.legendre),
    "eval_chebyt": polynomials(mpmath.chebyt),
    "eval_chebyu": polynomials(mpmath.chebyu),
    "eval_gegenbauer": polynomials(gegenbauer_polynomial, (0.1, 5)),
    "eval_genlaguerre": polynomials(laguerre_polynomial, (-0.9, 5)),
    "eval_jacobi": polynomials(jacobi_polynomial, (-0.9, 5), (-0.9, 5)),
}
# What has derivatives in the order: the functions, and what scales them
ORDERED = {
    "jv": (mpmath.besselj, lambda z: 0),
    "yv": (mpmath.bessely, lambda z: 0),
    "iv": (mpmath.besseli, lambda z: 0),
    "kv": (mpmath.besselk, lambda z: 0),
    "hankel1": (mpmath.hankel1, lambda z: 0),
    "hankel2": (mpmath.hankel2, lambda z: 0),
    "kve": (mpmath.besselk, lambda z: z),
    "hankel1e": (mpmath.hankel1, lambda z: -1j * z),
    "hankel2e": (mpmath.hankel2, lambda z: 1j * z),
    "jv_turned": (mpmath.besselj, lambda z: side(z.imag) * 1j * z),
    "yv_turned": (mpmath.bessely, lambda z: side(z.imag) * 1j * z),
    "iv_turned": (mpmath.besseli, lambda z: -side(z.real) * z),
}
for name, scaled in ORDERED.items():
    for n in (1, 2):
        FUNCTIONS[f"{name}_d{'v' * n}"] = (order_slope(of_order(*scaled), n), 64, SLOPES)
# What is divided by the condition in all parameters and the argument.
PARAMETRIC = {
    "hyp0f1",
    "hyp1f1",
    "hyp2f1",
    "hyp0f1_db",
    "hyp1f1_dp",
    "hyp2f1_dp",
    *(n for n in FUNCTIONS if n[:5] == "eval_"),
}
# What is divided by the condition too, of functions with an order in both arguments.
BY_ORDER = {
    *("jv", "yv", "iv", "kv", "kve", "hankel1", "hankel2", "hankel1e", "hankel2e"),
    *(n for n in FUNCTIONS if n.endswith(("_dv", "_dvv"))),
}
CONDITIONED = {
    *("airy_ai", "airy_aip", "airy_bi", "airy_bip", "airye_ai", "wrightomega"),
    *("erf", "erfc", "erfi", "erfcx", "dawsn", "fresnel_s", "fresnel_c", "ndtr", "wofz"),
    *("loggamma", "gamma", "rgamma", "digamma", "exp1", "expi", "sici_si", "sici_ci", "shichi_shi", "shichi_chi"),
    "riemann_zeta",
}


def settled(f, x):
    """`f` at the complex numbers whose parts are `x`, with digits added until two answers agree."""
    z = [mpc(*x[i : i + 2]) for i in range(0, len(x), 2)]
    last = None
    # Sums of parts of very unequal size need their ratio in digits.
    base = 200 + 3 * max(abs(math.frexp(v)[1]) for v in x)
    for prec in (base, base + 300, base + 3000):
        with mp.workprec(prec):
            try:
                value = mpc(f(*z))
            except (ZeroDivisionError, OverflowError, ValueError):
                return None
            size = abs(value)
            if not mpmath.isfinite(size) or size > mpf(MAX) / 2 or size < 1e-306:
                return None
            if last is not None and abs(value - last) <= size * mpf(2) ** -80:
                return value
            last = value
    return None


def check(binary, name, points, rng):
    f, goal, regions = FUNCTIONS[name]
    worst = (0.0, None)
    for region in regions:
        x = np.ascontiguousarray(region(rng, points), float)
        out = subprocess.run([binary, f"complex:{name}"], input=x.tobytes(), stdout=subprocess.PIPE, check=True).stdout
        for row, got in zip(x.tolist(), np.frombuffer(out).reshape(-1, 2).tolist(), strict=True):
            want = settled(f, row)
            if want is None:
                continue
            finite = all(map(math.isfinite, got))
            unit = math.ulp(float(abs(want)))
            if name == "pow":
                # One rounding of the exponent moves the result by |w log z| roundings of its own.
                unit *= 1 + abs(complex(*row[2:]) * np.log(complex(*row[:2])))
            if name in CONDITIONED:
                with mp.workprec(300):
                    z, h = mpc(*row), mpf(2) ** -100
                    unit += 2.0**-52 * float(abs(z * (f(z + h) - f(z - h)) / (2 * h)))
            if name in BY_ORDER:
                with mp.workprec(400 + int(4 * math.hypot(*row[2:]))):
                    v, z, h = mpc(*row[:2]), mpc(*row[2:]), mpf(2) ** -100
                    # A step off the axes, away from the cut
                    step = z * h * mpc(0.8, 0.6 if (z.imag < 0) == (z.real < 0) else -0.6)
                    exact = f(v, z)
                    slopes = abs(z * (f(v, z + step) - exact) / step) + abs(v * (f(v + h, z) - exact) / h)
                    unit += 2.0**-52 * float(slopes)
            if name in PARAMETRIC:
                with mp.workprec(300):
                    z = [mpc(*row[i : i + 2]) for i in range(0, len(row), 2)]
                    # Neither numbers of derivatives nor degrees are rounded; a step that stays on its side of a cut.
                    for i in range(name[-3:-1] == "_d" or name[:5] == "eval_", len(z)):
                        h = abs(z[i]) * mpf(2) ** -60
                        h = h * mpc(0.8, 0.6 if z[i].imag >= 0 else -0.6) if i == len(z) - 1 else h
                        if h:
                            moved = f(*z[:i], z[i] + h, *z[i + 1 :])
                            unit += 2.0**-52 * float(abs((moved - want) / h * z[i]))
            error = float(abs(mpc(*got) - want) / unit) if finite else math.inf
            if error > worst[0]:
                worst = (error, (row, got, complex(want)))
    return worst, goal


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=300, help="points per region")
    parser.add_argument("--binary", help="an `eval` that is built already")
    args = parser.parse_args()
    build = ["cargo", "build", "--release", "-q", "-p", "sciarray-scalar", "--example", "eval"]
    if not args.binary:
        subprocess.run(build, cwd=ROOT, check=True)
    binary = args.binary or ROOT / "target/release/examples/eval"
    missed = 0
    for name in args.names or FUNCTIONS:
        (error, where), goal = check(binary, name, args.points, np.random.default_rng(7))
        ok = error <= goal
        missed += not ok
        print(f"{name:12} {error:9.3g} of {goal}{'' if ok else '  MISSED'}  {where}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
