"""Makes the reference tables of the special functions with mpmath, of all functions or of those named.

Usage: make_tables.py [--points N] [--slopes M] [--jobs J] [NAME ...]; N points and M places of derivatives per region.
A table holds points, values as a double and what it lacks, and `sum |x_i df/dx_i|`, the condition; at some of its points
first and second derivatives in each argument that has them, with their conditions. Half of the points are float32 numbers.
"""

import argparse
import dataclasses
import itertools
import signal
import sys
from concurrent.futures import ProcessPoolExecutor

import catalogue
import mpmath
import numpy as np
from mpmath import mp, mpc, mpf

#: Longest time for a value, and for one of its derivatives, in seconds.
PATIENCE = 10
LARGEST, SMALLEST = 2.0**1023, 1e-300
FAILURES = (ZeroDivisionError, OverflowError, ValueError, TypeError, TimeoutError, mpmath.libmp.NoConvergence)


def expired(*_):
    raise TimeoutError


class Function:
    """A reference at one point, every shifted point evaluated once."""

    def __init__(self, entry, x):
        self.entry, self.x, self.known = entry, list(x), {}
        # Parts of complex numbers of very unequal size need their ratio in digits.
        self.spread = 3 * max(abs(mpmath.mag(v)) if v else 0 for v in x) if entry.complex else 0

    def at(self, *steps):
        """With some arguments moved by multiples of a number."""
        key = (mp.prec, *steps)
        if key not in self.known:
            y = list(self.x)
            for i, step in steps:
                y[i] = y[i] + step
            self.known[key] = self.entry.exact(*y)
        return self.known[key]

    def slope(self, which, bits, shift=None):
        """The derivative in the numbered arguments by central differences of `2^-bits` at five times that precision."""
        with mp.workprec(5 * bits + self.spread):
            moved = self if shift is None else Function(self.entry, shift)
            if self.entry.first:
                first, *which = which
                first = self.entry.first[self.entry.free.index(first)]
                if not which:
                    return first(*moved.x)
                moved = Function(dataclasses.replace(self.entry, exact=first), moved.x)
            h = [self.step(i, bits) for i in which]
            if len(which) == 1:
                return (moved.at((which[0], h[0])) - moved.at((which[0], -h[0]))) / (2 * h[0])
            i, j = which
            if i == j:
                return (moved.at((i, h[0])) - 2 * moved.at() + moved.at((i, -h[0]))) / h[0] ** 2
            corner = lambda s, t: moved.at((i, s * h[0]), (j, t * h[1]))
            return (corner(1, 1) - corner(1, -1) - corner(-1, 1) + corner(-1, -1)) / (4 * h[0] * h[1])

    def step(self, i, bits):
        """Along complex arguments to the side on which they are from a cut."""
        h = abs(self.x[i] or mpf(1)) * mpf(2) ** -bits
        if self.entry.complex and i not in self.entry.real:
            return h * mpc(0.8, 0.6 if self.x[i].imag >= 0 else -0.6)
        return h

    def condition(self, which, bits):
        """`sum |x_i d/dx_i|` of a derivative, or of the value, in all arguments that are no whole numbers."""
        total = mpf(0)
        small = mpf(2) ** -30
        for i, v in enumerate(self.x):
            exact = i not in self.entry.free or i in self.entry.real
            if v == 0 or (exact and v == mpmath.nint(mpmath.re(v))):
                continue
            # Beside whole numbers functions may jump; a complex argument moves on its side of a cut.
            turn = self.step(i, 30) / abs(v) if self.entry.complex and i not in self.entry.real else small
            shift = list(self.x)
            shift[i] = v + abs(v) * turn
            if which:
                change = self.slope(which, bits, shift) - self.slope(which, bits)
            else:
                with mp.workprec(5 * bits + self.spread):
                    change = Function(self.entry, shift).at() - self.at()
            total += abs(change) / small
        return total


def at_row(entry, row):
    """The reference at a row of points."""
    return Function(entry, [mpf(v.real) if i in entry.real or not entry.complex else mpc(v) for i, v in enumerate(row)])


def settled(f):
    """The value, once two precisions agree far below an ulp."""
    last = None
    base = 120 + f.spread
    for bits in (base, base + 100, base + 300, base + 1000, base + 1500):
        with mp.workprec(bits):
            value = f.at()
            if not f.entry.complex:
                # Outside of the domain
                if mpmath.im(value) != 0:
                    return None
                value = mpmath.re(value)
        size = abs(value)
        if not mpmath.isfinite(size) or not SMALLEST < size < LARGEST:
            return None
        if last is not None and abs(value - last) <= size * mpf(2) ** -76:
            return value
        last = value
    return None


def on_cut(f):
    """Whether a complex argument on an axis has another value beside it, whose side is a matter of convention."""
    for i, v in enumerate(f.x):
        for part, turn in ((v.real, mpf(1)), (v.imag, mpc(0, 1))):
            if i in f.entry.real or part != 0:
                continue
            h = turn * (abs(v) or 1) * mpf(2) ** -60
            with mp.workprec(1500 + f.spread):
                ends = [f.at((i, s * h)) for s in (1, -1)]
            if abs(ends[0] - ends[1]) > 1e-6 * abs(ends[0]):
                return True
    return False


def derivative(f, which):
    """A derivative and its condition, once two steps agree."""
    condition = f.condition(which, 60)
    values = [f.slope(which, bits) for bits in (90, 130)]
    scale = abs(values[1]) + condition
    if not mpmath.isfinite(scale) or not SMALLEST < scale < LARGEST:
        return None
    if abs(values[0] - values[1]) > scale * mpf(2) ** -60:
        return None
    if f.entry.complex:
        return values[1], condition
    # Some functions of whole orders are complex beside them.
    return (mpmath.re(values[1]), condition) if abs(mpmath.im(values[1])) < scale * mpf(2) ** -60 else None


def patiently(f, *args):
    signal.signal(signal.SIGALRM, expired)
    try:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            return f(*args)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except FAILURES:
        return None


def two_parts(value):
    """A number as the nearest double and what it lacks."""
    if isinstance(value, mpc):
        (a, b), (c, d) = two_parts(value.real), two_parts(value.imag)
        return complex(a, c), complex(b, d)
    high = float(value)
    return high, float(value - high)


def points(entry, count, rng):
    """Points of all regions, every second one rounded to single precision, as rows."""
    for region in entry.regions:
        x = catalogue.drawn(region, rng, count)
        with np.errstate(over="ignore"):
            rounded = x[::2].astype(np.float32).astype(float)
        x[::2] = np.where(np.isfinite(rounded) & (rounded != 0), rounded, x[::2])
        if entry.complex:
            x = np.ascontiguousarray(x).view(complex)
        yield x


def table(name, count, places):
    entry = catalogue.ENTRIES[name]
    rng = np.random.default_rng([*map(ord, name)])
    which = catalogue.orders(entry)
    rows, slopes = [], []
    for x in points(entry, count, rng):
        for k, row in enumerate(x):
            f = at_row(entry, row)
            if entry.complex and patiently(on_cut, f):
                continue
            value = patiently(settled, f)
            condition = patiently(f.condition, (), 60) if value is not None else None
            if condition is None:
                continue
            # A subnormal argument has fewer digits than a derivative.
            if k < places and not ((0 < np.abs(row)) & (np.abs(row) < 1e-290)).any():
                found = [patiently(derivative, f, w) or (np.nan, np.nan) for w in which]
                if any(np.isfinite(float(c)) for _, c in found):
                    slopes.append((len(rows), [complex(v) if entry.complex else float(v) for v, _ in found],
                                   [float(c) for _, c in found]))  # fmt: skip
            rows.append((row, *two_parts(value), float(condition)))
    kind = complex if entry.complex else float
    out = {
        "x": np.array([r[0] for r in rows], kind),
        "value": np.array([r[1] for r in rows], kind),
        "rest": np.array([r[2] for r in rows], kind),
        "condition": np.array([r[3] for r in rows]),
        "at": np.array([s[0] for s in slopes], int),
        "slope": np.array([s[1] for s in slopes], kind).reshape(len(slopes), len(which)),
        "slope_condition": np.array([s[2] for s in slopes]).reshape(len(slopes), len(which)),
    }
    catalogue.table_of(name).parent.mkdir(exist_ok=True)
    np.savez(catalogue.table_of(name), **out)
    lost = np.isnan(out["slope_condition"]).sum() / max(1, out["slope_condition"].size)
    return f"{name:18} {len(rows):4} points, {len(slopes):3} with derivatives, {lost:.0%} of those unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=24)
    parser.add_argument("--slopes", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        names = args.names or catalogue.ENTRIES
        for line in pool.map(table, names, itertools.repeat(args.points), itertools.repeat(args.slopes)):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
