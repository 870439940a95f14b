"""Fits the polynomials of the elementary functions and prints rust/scalar/src/elementary/coefficients.rs.

Each polynomial interpolates at Chebyshev nodes, which is within a factor two of the minimax error, in 60 digits.
Usage: fit_elementary.py > rust/scalar/src/elementary/coefficients.rs
"""

import sys

from mpmath import asin, atan, atanh, cos, exp, lu_solve, matrix, mp, mpf, pi, sin, sqrt, tan, taylor

mp.dps = 60
LN2 = mp.log(2)


def series(f, skip, step=1, terms=40):
    """f(x) = sum_j t[j] x^j as a function of z = x^step, without the terms below x^skip."""
    t = taylor(f, 0, terms * step)[skip::step]
    return lambda z: mp.polyval(t[::-1], z)


def nodes(a, b, n):
    return [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]


def fit(g, a, b, degree):
    """Coefficients, lowest first, rounded to double: the terms they multiply are far below one, so rounding is harmless."""
    xs = nodes(a, b, degree + 1)
    rows = matrix([[x**j for j in range(degree + 1)] for x in xs])
    return [float(c) for c in lu_solve(rows, matrix([g(x) for x in xs]))]


def error(g, c, a, b):
    return max(abs(mp.polyval([mpf(v) for v in c[::-1]], x) - g(x)) for x in nodes(a, b, 400))


def cbrt_start(x):
    return mp.cbrt(1 / x)


FITS = [
    ("EXP", "(exp(r) - 1 - r - r^2/2) / r^3 on |r| <= ln2/2", series(exp, 3), -LN2 / 2, LN2 / 2, 9, 3),
    ("ATANH", "(2 atanh(s)/s - 2) / z, z = s^2, s <= 3 - 2 sqrt 2",
     series(lambda s: 2 * atanh(s), 3, 2), mpf(0), (3 - 2 * sqrt(mpf(2))) ** 2, 7, 1.5),
    ("ATANH_TAIL", "((2 atanh(s)/s - 2) / z - 2/3 - 2/5 z) / z^2, z and s as above",
     series(lambda s: 2 * atanh(s), 7, 2), mpf(0), (3 - 2 * sqrt(mpf(2))) ** 2, 7, 3.5),
    ("SIN", "(sin(r)/r - 1) / z, z = r^2, |r| <= pi/4", series(sin, 3, 2), mpf(0), (pi / 4) ** 2, 6, 1.5),
    ("COS", "(cos(r) - 1 + z/2) / z^2, z = r^2, |r| <= pi/4", series(cos, 4, 2), mpf(0), (pi / 4) ** 2, 6, 2),
    ("ATAN", "(atan(t)/t - 1) / z, z = t^2, t <= tan(pi/8)", lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z,
     mpf(0), tan(pi / 8) ** 2, 12, 1.5),
    ("ASIN", "(asin(s)/s - 1) / z, z = s^2 <= 1/4", lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), mpf("0.25"), 12, 1.5),
    ("RCBRT", "x^(-1/3) on 1 <= x < 2, a start for Newton steps", cbrt_start, mpf(1), mpf(2), 4, 0),
]


def main():
    print("//! Polynomial coefficients, lowest degree first; made by `tests/accuracy/fit_elementary.py`.\n")
    for name, what, g, a, b, degree, power in FITS:
        c = fit(g, a, b, degree)
        e = error(g, c, a, b) * b**power
        print(f"{name}: contributes {mp.nstr(mp.log(e, 2), 4)} bits", file=sys.stderr)
        print(f"/// `{what}`")
        print(f"pub const {name}: [f64; {len(c)}] = [")
        for v in c:
            print(f"    {v!r},".replace("e-0", "e-"))
        print("];")


if __name__ == "__main__":
    main()
