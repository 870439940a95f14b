"""Fits the polynomials of the elementary functions and prints rust/scalar/src/elementary/coefficients.rs.

Each polynomial interpolates at Chebyshev nodes, which is within a factor two of the minimax error, in 60 digits.
Usage: fit_elementary.py | rustfmt --edition 2024 > rust/scalar/src/elementary/coefficients.rs
"""

import itertools
import struct
import sys

from mpmath import asin, atan, cos, exp, lu_solve, matrix, mp, mpf, pi, sin, sqrt, tan, taylor

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
    (
        "LOG1P",
        "(log(1 + r) - r) / r^2, |r| <= 1/32",
        series(lambda r: mp.log(1 + r), 2),
        -mpf(1) / 32,
        mpf(1) / 32,
        8,
        2,
    ),
    (
        "LOG1P_TAIL",
        "(log(1 + r) - r + r^2/2 - r^3/3) / r^4, |r| <= 1/32",
        series(lambda r: mp.log(1 + r), 4),
        -mpf(1) / 32,
        mpf(1) / 32,
        8,
        4,
    ),
    ("SIN", "(sin(r)/r - 1) / z, z = r^2, |r| <= pi/4", series(sin, 3, 2), mpf(0), (pi / 4) ** 2, 6, 1.5),
    ("COS", "(cos(r) - 1 + z/2) / z^2, z = r^2, |r| <= pi/4", series(cos, 4, 2), mpf(0), (pi / 4) ** 2, 6, 2),
    (
        "ATAN",
        "(atan(t)/t - 1) / z, z = t^2, t <= tan(pi/8)",
        lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z,
        mpf(0),
        tan(pi / 8) ** 2,
        12,
        1.5,
    ),
    (
        "ASIN",
        "(asin(s)/s - 1) / z, z = s^2 <= 1/4",
        lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z,
        mpf(0),
        mpf("0.25"),
        12,
        1.5,
    ),
    ("RCBRT", "x^(-1/3) on 1 <= x < 2, a start for Newton steps", cbrt_start, mpf(1), mpf(2), 4, 0),
]


def log_tables():
    """Reciprocals of points of the 16 intervals of [0.703125, 1.40625), and minus their logarithms on a grid and the rest.

    The points are near the middles; where an interval holds 1 the point is 1, so that the logarithm of 1 is exact. The
    grid 2^-42 leaves room for exact sums with multiples of ln2 rounded alike.
    """
    bounds = [struct.unpack("<d", struct.pack("<q", (LOG_FIRST << 44) + (i << 48)))[0] for i in range(17)]
    ends = list(itertools.pairwise(bounds))
    inverse = [1.0 if a <= 1 < b else round(2 / (a + b) * 512) / 512 for a, b in ends]
    assert all(abs(m * v - 1) <= 1 / 32 for interval, v in zip(ends, inverse, strict=True) for m in interval)
    exact = [-mp.log(mpf(v)) for v in inverse]
    grid = [float(mp.nint(v * 2**42) / 2**42) for v in exact]
    return inverse, grid, [float(v - g) for v, g in zip(exact, grid)]


LOG_FIRST = 0x3FE68


def main():
    print("//! Polynomial coefficients, lowest degree first; made by `tests/accuracy/fit_elementary.py`.\n")
    print("use crate::real::Rows;\n")
    print(
        "/// By intervals of mantissas from `0.703125`: reciprocal of a point `c`, `log(c)` to a multiple of `2^-42`, rest."
    )
    print('#[rustfmt::skip]\npub static LOG: Rows<3, 16> = Rows::new("log", [')
    for column in log_tables():
        print(f"    {column!r},".replace("e-0", "e-"))
    print("]);")
    high = mp.nint(LN2 * 2**42) / 2**42
    print("/// `ln2` to a multiple of `2^-42`, and what is missing.")
    print(f"pub const LN2_GRID: (f64, f64) = ({float(high)!r}, {float(LN2 - high)!r});")
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
