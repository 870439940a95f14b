"""Errors of the elementary functions in ulps against mpmath, over regions of their arguments.

Usage: check_elementary.py [--points N] [NAME ...]; builds and runs the `eval` example; fails where a goal is missed.
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
MIN, MAX = 2.0**-1022, sys.float_info.max
mp.prec = 160


def precise(f, extra=1100):
    """With enough digits for cancellation next to 0 and for huge arguments of trigonometric functions."""

    def g(*x):
        with mp.workprec(max(mp.prec, 160) + extra):
            return +f(*map(mpf, x))

    return g


def logaddexp(a, b):
    m, d = max(a, b), -abs(a - b)
    return m + mpmath.log1p(mpmath.exp(d))


def logaddexp2(a, b):
    m, d = max(a, b), -abs(a - b)
    return m + mpmath.log1p(mpf(2) ** d) / mpmath.log(2)


def spread(low, high):
    """Log-uniform magnitudes of both signs."""
    return lambda rng, n: np.exp2(rng.uniform(math.log2(low), math.log2(high), n)) * rng.choice([-1.0, 1.0], n)


def positive(low, high):
    return lambda rng, n: np.exp2(rng.uniform(math.log2(low), math.log2(high), n))


def flat(low, high):
    return lambda rng, n: rng.uniform(low, high, n)


def subnormal(rng, n):
    return (rng.integers(1, 2**52, n) >> rng.integers(0, 50, n)).clip(1).view(np.float64) * rng.choice([-1.0, 1.0], n)


def any_double(rng, n):
    return rng.integers(0, 0x7FF << 52, n).view(np.float64) * rng.choice([-1.0, 1.0], n)


def near(*centres):
    """Points some ulps to some percent away from each centre."""

    def g(rng, n):
        c = rng.choice(np.asarray(centres, float), n)
        scale = np.where(c == 0, 1.0, np.abs(c))
        return c + scale * np.exp2(rng.uniform(-53, -5, n)) * rng.choice([-1.0, 0.0, 1.0], n)

    return g


def multiples(step, count):
    """The doubles next to multiples of a step, where a periodic function has its roots and poles."""
    return lambda rng, n: np.nextafter(rng.integers(-count, count, n) * step, rng.choice([-9.0, 0.0, 9.0], n) * 1e9)


def integers(rng, n):
    return rng.integers(-1075, 1075, n) + rng.choice([0.0, 0.5, 2.0**-30], n)


ANGLES = [
    flat(-7, 7),
    spread(1e-10, 1),
    spread(1, 1e5),
    multiples(math.pi / 4, 4000),
    multiples(math.pi / 2, 10**7),
    spread(2.0**21, 2.0**24),
    spread(1e6, MAX),
    subnormal,
]
TURNS = [
    flat(-3, 3),
    spread(1e-10, 1),
    spread(1, 1e6),
    multiples(0.25, 4000),
    spread(2.0**48, 2.0**54),
    spread(1e-300, 1e-10),
    subnormal,
]
LOGS = [
    positive(1e-3, 1e3),
    near(1),
    near(0.5**0.5, 2**0.5, 2, 0.5),
    positive(MIN, MAX),
    lambda r, n: abs(subnormal(r, n)),
]
EXPS = [flat(-1, 1), flat(-30, 30), spread(1e-20, 1), multiples(math.log(2) / 2, 2000)]
UNIT = [flat(-1, 1), near(0.5, -0.5), near(1, -1), spread(1e-20, 1), subnormal]
LINE = [
    flat(-2, 2),
    spread(1e-3, 1e3),
    spread(MIN, MAX),
    near(1, -1),
    near(math.tan(math.pi / 8), 1 + 2**0.5),
    subnormal,
]

# name: reference, goal in ulps, regions of the arguments (a tuple where there are two)
FUNCTIONS = {
    "exp": (mpmath.exp, 1, EXPS + [flat(-746, 710), flat(-746, -707)]),
    "exp2": (lambda x: mpf(2) ** x, 1, EXPS + [flat(-1076, 1024), flat(-1076, -1020), integers]),
    "exp10": (lambda x: mpf(10) ** x, 1, EXPS + [flat(-324, 308), flat(-324, -307)]),
    "expm1": (
        precise(mpmath.expm1, 300),
        1,
        EXPS + [flat(-60, 709), near(0.3466, -0.3466), spread(MIN, 1e-15), subnormal],
    ),
    "log": (mpmath.log, 1, LOGS),
    "log2": (lambda x: mpmath.log(x, 2), 1, LOGS),
    "log10": (mpmath.log10, 1, LOGS),
    "log1p": (
        precise(mpmath.log1p),
        1,
        LOGS + [flat(-1, 1), spread(1e-20, 0.9), near(-1), near(2**0.5 - 1, 0.5**0.5 - 1), subnormal],
    ),
    "sqrt": (mpmath.sqrt, 0.501, LOGS),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), 1, [spread(1e-3, 1e3), spread(MIN, MAX), subnormal]),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), 1, LOGS),
    "sin": (precise(mpmath.sin), 1, ANGLES),
    "cos": (precise(mpmath.cos), 1, ANGLES),
    "tan": (precise(mpmath.tan), 1, ANGLES),
    "sinpi": (precise(mpmath.sinpi, 200), 1, TURNS),
    "cospi": (precise(mpmath.cospi, 200), 1, TURNS),
    "tanpi": (precise(lambda x: mpmath.sinpi(x) / mpmath.cospi(x), 200), 1, TURNS),
    "sinc": (precise(mpmath.sincpi, 200), 1, TURNS),
    "asin": (mpmath.asin, 1, UNIT),
    "acos": (precise(mpmath.acos, 100), 1, UNIT),
    "atan": (mpmath.atan, 1, LINE),
    "sinh": (mpmath.sinh, 1, EXPS + [flat(-710.4, 710.4), near(0.3466), subnormal]),
    "cosh": (mpmath.cosh, 1, EXPS + [flat(-710.4, 710.4)]),
    "tanh": (mpmath.tanh, 1, EXPS + [near(0.17, 0.55), subnormal]),
    "asinh": (precise(mpmath.asinh), 1, LINE + [near(2.0**27, 2.0**28), spread(1e6, 1e10)]),
    "acosh": (
        precise(mpmath.acosh, 200),
        1,
        [flat(1, 3), lambda r, n: abs(near(1)(r, n)) + 1e-16, positive(1, 1e3), positive(1e6, 1e10), positive(1, MAX)],
    ),
    "atanh": (precise(mpmath.atanh), 1, UNIT),
    "expit": (lambda x: 1 / (1 + mpmath.exp(-x)), 1, EXPS + [flat(-745, 40)]),
    "log_expit": (precise(lambda x: -mpmath.log1p(mpmath.exp(-x))), 1, EXPS + [flat(-40, 745), spread(1, MAX)]),
    "softplus": (precise(lambda x: mpmath.log1p(mpmath.exp(x))), 1, EXPS + [flat(-745, 40), spread(1, MAX)]),
    "pow": (
        lambda x, y: mpf(x) ** mpf(y),
        1,
        [
            (positive(1e-3, 1e3), flat(-50, 50)),
            (near(1), spread(1, 1e15)),
            (positive(MIN, MAX), flat(-1.05, 1.05)),
            (lambda r, n: abs(subnormal(r, n)), flat(-1, 1)),
            (positive(0.4, 2.5), flat(-1000, 1000)),
            (lambda r, n: -r.integers(1, 50, n).astype(float), lambda r, n: r.integers(-180, 180, n).astype(float)),
        ],
    ),
    "hypot": (
        lambda x, y: mpmath.sqrt(x * x + y * y),
        1,
        [
            (flat(-2, 2), flat(-2, 2)),
            (spread(1e-10, 1e10), spread(1e-10, 1e10)),
            (any_double, any_double),
            (subnormal, subnormal),
            (spread(1e300, MAX), spread(1e300, MAX)),
        ],
    ),
    "atan2": (
        lambda y, x: mpmath.atan2(y, x),
        1,
        [
            (flat(-2, 2), flat(-2, 2)),
            (spread(1e-3, 1e3), spread(1e-3, 1e3)),
            (any_double, any_double),
            (subnormal, subnormal),
            (spread(1e300, MAX), spread(1e300, MAX)),
        ],
    ),
    "logaddexp": (
        precise(logaddexp),
        (2, 1.5),
        [
            (flat(-2, 2), flat(-2, 2)),
            (flat(-700, 700), flat(-700, 700)),
            (near(-1, -0.693), near(-0.459, -0.693)),
            (spread(1e-10, 1e10), spread(1e-10, 1e10)),
        ],
    ),
    "logaddexp2": (
        precise(logaddexp2),
        (2, 1.5),
        [
            (flat(-2, 2), flat(-2, 2)),
            (flat(-1000, 1000), flat(-1000, 1000)),
            (near(-1), near(-1)),
            (spread(1e-10, 1e10), spread(1e-10, 1e10)),
        ],
    ),
}


def evaluate(binary, name, x):
    out = subprocess.run([binary, name], input=x.tobytes(), stdout=subprocess.PIPE, check=True).stdout
    return np.frombuffer(out)


def ulps(got, want, condition):
    """|got - want| in units in the last place of want, or in those of the larger `condition`."""
    if abs(want) >= mpf(2) ** 1024 * (1 - mpf(2) ** -54):
        return 0.0 if math.isinf(got) and (got > 0) == (want > 0) else math.inf
    if not math.isfinite(got):
        return math.inf
    scale = max(abs(want), mpf(condition))
    exponent = max(int(mpmath.floor(mpmath.log(scale, 2))) if scale else -1074, -1022)
    if mpf(2) ** exponent > scale:
        exponent -= 1
    return float(abs(mpf(got) - want) * mpf(2) ** (52 - max(exponent, -1022)))


def check(binary, name, points, rng):
    f, goal, regions = FUNCTIONS[name]
    conditioned = isinstance(goal, tuple)
    goal = goal[0] if conditioned else goal
    worst = (0.0, None)
    for region in regions:
        parts = region if isinstance(region, tuple) else (region,)
        x = np.column_stack([p(rng, points) for p in parts])
        for row, got in zip(x.tolist(), evaluate(binary, name, np.ascontiguousarray(x)).tolist(), strict=True):
            try:
                want = f(*map(mpf, row))
            except (ZeroDivisionError, OverflowError):
                continue
            if not isinstance(want, mpf) or not mpmath.isfinite(want):
                continue
            e = ulps(got, want, max(map(abs, row)) if conditioned else 0)
            if e > worst[0]:
                worst = (e, (row, got, region))
    return worst, goal


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=1000, help="points per region")
    args = parser.parse_args()
    subprocess.run(
        ["cargo", "build", "--release", "-q", "-p", "sciarray-scalar", "--example", "eval"], cwd=ROOT, check=True
    )
    binary = ROOT / "target/release/examples/eval"
    missed = 0
    for name in args.names or FUNCTIONS:
        (error, where), goal = check(binary, name, args.points, np.random.default_rng(7))
        ok = error <= goal
        missed += not ok
        row = [v.hex() for v in where[0]] if where else []
        print(f"{name:12} {error:8.4f} of {goal} ulp{'' if ok else '  MISSED'}  at {' '.join(row)}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
