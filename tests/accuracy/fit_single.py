"""Fits the polynomials of functions in single precision and prints rust/scalar/src/single/coefficients.rs.

python tests/accuracy/fit_single.py | rustfmt --edition 2024 > rust/scalar/src/single/coefficients.rs
"""

import sys

import fit_elementary as elementary
import mpmath
from fit_bessel import octaves, rows
from mpmath import exp, mp, mpf, pi, sqrt

LN2 = mp.log(2)
EDGE = (pi / 4) ** 2

# Name, formula, function, interval, degree, and the power of the argument that it stands beside.
FITS = [
    ("EXP", "(exp(r) - 1 - r) / r^2 on |r| <= ln2/2", elementary.series(exp, 2), -LN2 / 2, LN2 / 2, 5, 2),
    (
        "LOG1P",
        "(log(1 + r) - r) / r^2, |r| <= 1/32",
        elementary.series(mpmath.log1p, 2),
        -mpf(1) / 32,
        mpf(1) / 32,
        4,
        1,
    ),
    ("SIN", "(sin(r)/r - 1) / z, z = r^2, |r| <= pi/4", elementary.series(mpmath.sin, 3, 2), mpf(0), EDGE, 3, 1),
    ("COS", "(cos(r) - 1) / z, z = r^2, |r| <= pi/4", elementary.series(mpmath.cos, 2, 2), mpf(0), EDGE, 3, 1),
]


def main():
    print("//! Tables, by columns, and polynomials, lowest degree first; made by `tests/accuracy/fit_single.py`.\n")
    print("use crate::real::Rows;\n")
    for name, what, g, a, b, degree, power in FITS:
        c = elementary.fit(g, a, b, degree)
        e = elementary.error(g, c, a, b) * b**power
        print(f"{name}: contributes {mp.nstr(mp.log(e, 2), 4)} bits", file=sys.stderr)
        print(f"/// `{what}`\npub const {name}: [f64; {len(c)}] = {c!r};")
    quarters = [(mpf(k) / 4, mpf(k + 1) / 4) for k in range(16)]
    rows(
        "ERF_SINGLE", "erf(x) / x; quarters of [0, 4).", lambda x: mpmath.erf(x) / x if x else 2 / sqrt(pi), quarters, 7
    )
    octaves("ERFCX_SINGLE", "e^(x^2) erfc(x) at u = x + 1", lambda u: exp((u - 1) ** 2) * mpmath.erfc(u - 1), 0, 4, 8)


if __name__ == "__main__":
    main()
