"""Errors of hypergeometric, Struve and Kelvin functions against mpmath; usage and goals as in check_special.py."""

import sys

import check_special as harness
import mpmath
import numpy as np
from check_bessel import triple
from check_special import flat, independent, integers, negative, positive
from mpmath import mpf


def below_one(low, high):
    """`1 - y` for log-uniform `y`."""
    return lambda rng, n: 1 - positive(low, high)(rng, n)


def slope(f, *which):
    """The derivative in the numbered arguments by differences of a part of the digits, at four times the precision."""

    def shifted(x, h, steps):
        y = list(x)
        for i, s in steps:
            y[i] = y[i] + s * h
        return f(*y)

    def g(*x):
        prec = mpmath.mp.prec
        with mpmath.mp.workprec(3 * prec + 80):
            h = mpf(2) ** (-prec)
            if len(which) == 1:
                (i,) = which
                return (shifted(x, h, [(i, 1)]) - shifted(x, h, [(i, -1)])) / (2 * h)
            i, j = which
            corners = [(s, t, s * t) for s in (1, -1) for t in (1, -1)]
            return sum(c * shifted(x, h, [(i, s), (j, t)]) for s, t, c in corners) / (4 * h * h)

    return g


def numbered(f):
    """Derivatives of a function of three or four arguments whose first argument is `i` or `10 i + j`."""

    def g(code, *x):
        digits = [int(d) - 1 for d in str(int(code))]
        return slope(f, *digits)(*x)

    return g


def coded(codes, *regions):
    choose = lambda rng, n: rng.choice(codes, n).astype(float)
    return [lambda rng, n, r=r: np.column_stack([choose(rng, n), r(rng, n)]) for r in regions]


def kelvin_slope(kind, n, x):
    f = [mpmath.ber, mpmath.bei, mpmath.ker, mpmath.kei][int(kind)]
    return mpmath.diff(lambda t: f(0, t), x, int(n), h=mpf(2) ** (-mpmath.mp.prec // 6))


HYP0F1 = [
    independent(flat(-5, 20), flat(-50, 50)),
    independent(flat(0.1, 50), flat(-1000, 1000)),
    independent(flat(-30, 30), negative(100, 1e5)),
]
HYP1F1 = [
    triple(flat(-5, 10), flat(0.1, 10), flat(-20, 20)),
    triple(flat(-30, 30), flat(-30, 30), flat(-100, 100)),
    triple(flat(-3, 3), flat(-3, 3), flat(-500, 500)),
    triple(flat(0, 5), flat(0, 5), negative(100, 1e6)),
]
HYPERU = [
    triple(flat(0.01, 10), flat(-10, 10), positive(0.01, 50)),
    triple(flat(-10, 10), flat(-10, 10), positive(0.01, 100)),
    triple(integers(-6, 7), integers(-6, 7), positive(0.01, 30)),
    triple(flat(-5, 20), flat(-5, 20), positive(20, 1e6)),
]
HYP2F1 = [
    triple(flat(-5, 5), flat(-5, 5), flat(0.1, 8), flat(-1, 1)),
    triple(flat(-5, 5), flat(-5, 5), flat(0.1, 8), below_one(1e-15, 0.4)),
    triple(flat(-5, 5), flat(-5, 5), flat(0.1, 8), negative(1, 1e6)),
    triple(flat(-30, 30), flat(-30, 30), flat(-30, 30), flat(-1, 1)),
    # Logarithmic cases
    triple(flat(0.5, 0.5), integers(1, 4), lambda r, n: r.integers(0, 6, n) + 0.5, below_one(1e-10, 0.4)),
]
STRUVE = [
    independent(flat(-1.4, 5), flat(0.01, 20)),
    independent(flat(-10, 30), flat(10, 60)),
    independent(flat(-5, 10), positive(30, 650)),
    independent(integers(-4, 6), positive(1e-3, 100)),
]
KELVIN = [flat(0, 10), flat(8, 100), positive(1e-10, 1), positive(100, 900)]


def kelvin_first(part, kind, sign):
    """DLMF 10.61.1-2 with 10.29.3: the first derivative along the diagonal."""

    def f(x):
        turn = mpmath.expjpi(mpf(1) / 4)
        return part(sign * turn * kind(1, x * turn))

    return f


SLOPES = {
    "berp": kelvin_first(mpmath.re, mpmath.besseli, 1),
    "beip": kelvin_first(mpmath.im, mpmath.besseli, 1),
    "kerp": kelvin_first(mpmath.re, mpmath.besselk, -1),
    "keip": kelvin_first(mpmath.im, mpmath.besselk, -1),
}
FIRST = [(n, f) for n, f in (("ber", mpmath.ber), ("bei", mpmath.bei), ("ker", mpmath.ker), ("kei", mpmath.kei))]

FUNCTIONS = {
    "hyp0f1": (mpmath.hyp0f1, "16c", HYP0F1),
    "hyp0f1_d1": (slope(mpmath.hyp0f1, 0), "4500c", HYP0F1),
    "hyp1f1": (mpmath.hyp1f1, "64c", HYP1F1),
    "hyp1f1_d1": (numbered(mpmath.hyp1f1), "4500c", coded([1, 2], *HYP1F1)),
    "hyp1f1_d2": (numbered(mpmath.hyp1f1), "4500c", coded([11, 12, 22], *HYP1F1[:1])),
    "hyperu": (mpmath.hyperu, "64c", HYPERU),
    "hyperu_d1": (numbered(mpmath.hyperu), "4500c", coded([1, 2], *HYPERU[:2])),
    "hyp2f1": (mpmath.hyp2f1, "64c", HYP2F1),
    "hyp2f1_d1": (numbered(mpmath.hyp2f1), "4500c", coded([1, 2, 3], *HYP2F1[:3])),
    "hyp2f1_d2": (numbered(mpmath.hyp2f1), "4500c", coded([11, 12, 13, 33], *HYP2F1[:1])),
    "struve": (mpmath.struveh, "16c", STRUVE),
    "struve_dv": (slope(mpmath.struveh, 0), "4500c", STRUVE),
    "modstruve": (mpmath.struvel, "16c", STRUVE),
    "modstruve_dv": (slope(mpmath.struvel, 0), "4500c", STRUVE[:3]),
    **{n: (lambda x, f=f: f(0, x), "16c", KELVIN) for n, f in FIRST},
    **{n: (f, "16c", KELVIN) for n, f in SLOPES.items()},
    "kelvin": (kelvin_slope, "100c", [triple(integers(0, 4), integers(2, 4), flat(0.1, 60))]),
}

if __name__ == "__main__":
    harness.FUNCTIONS = FUNCTIONS
    harness.__doc__ = __doc__
    sys.exit(harness.main())
