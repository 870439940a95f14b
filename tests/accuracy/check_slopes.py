"""Errors of first and second derivatives at new random points of the regions of the reference tables, and derivatives that are
not the limits of those beside.

Usage: check_slopes.py [--points N] [--seed S] [--jobs J] [--ends] [NAME ...]; N points per region. Prints the worst
errors in units of `eps (|d| + sum |x_i dd/dx_i|)`, of which 4504 are 1e-12, and points above `LOUD`; with `--ends` places
where an argument is 0, an integer or infinite and a derivative is NaN or a number that those beside do not converge to.
"""

import argparse
import itertools
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import catalogue
import make_tables
import measure
import numpy as np

import sciarray as sa

#: The lines about a function by its name, the number of points and a seed.
Search = Callable[[str, int, int], list[str]]

LOUD = 1500.0
#: Longest time for a function, in seconds.
PATIENCE = 60.0
PLACES = [0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, np.inf, -np.inf]
#: How far beside a place, on both sides of a finite one, derivatives are compared.
BESIDE, FAR = (1e-7, 1e-8), (1e15, 1e30)


def arguments(name: str, x: np.ndarray) -> list[Any]:
    return [sa.asarray(column) for column in measure.columns(name, x)]


def random(name: str, points: int, seed: int) -> list[str]:
    """Lines about the derivatives at random points."""
    entry = catalogue.ENTRIES[name]
    make_tables.PATIENCE = 1
    rng = np.random.default_rng([seed, *map(ord, name)])
    f, which = entry.call(sa.special), catalogue.orders(entry)
    end = time.monotonic() + PATIENCE
    worst, loud, count = [0.0, 0.0], [], 0
    for x in make_tables.points(entry, points, rng):
        rows, references = [], []
        for row in x:
            if time.monotonic() > end or ((0 < np.abs(row)) & (np.abs(row) < 1e-290)).any():
                continue
            at = make_tables.at_row(entry, row)
            if entry.complex and make_tables.patiently(make_tables.on_cut, at):
                continue
            rows.append(row)
            references.append([make_tables.patiently(make_tables.derivative, at, w) for w in which])
        if not rows:
            continue
        xs = arguments(name, np.array(rows))
        for k, w in enumerate(which):
            for row, reference, got in zip(rows, references, np.asarray(measure.slope(f, xs, w)), strict=True):
                if reference[k] is None:
                    continue
                count += 1
                found = measure.slope_error(got, *reference[k])
                worst[len(w) - 1] = max(worst[len(w) - 1], found)
                if found > LOUD:
                    loud.append(f"    d{w} at {[v.item() for v in row]}: {found:.3g}")
    return [f"{name:20} {count:5} derivatives, {worst[0]:.3g}, {worst[1]:.3g}", *loud]


def ends(name: str, points: int, seed: int) -> list[str]:
    """Lines about derivatives at special places that are not the limits there."""
    entry = catalogue.ENTRIES[name]
    if entry.complex:
        return []
    rng = np.random.default_rng(seed)
    f, lines = entry.call(sa.special), []
    table = measure.load(name)["x"]
    for i, place in itertools.product(entry.free, PLACES):
        x = table[rng.integers(0, len(table), points)].copy()

        def slopes(v: float, which: tuple[int, ...], x: np.ndarray = x, i: int = i) -> np.ndarray:
            x[:, i] = v
            return np.asarray(measure.slope(f, arguments(name, x), which))

        for w in catalogue.orders(entry):
            try:
                got = slopes(place, w)
                sides = [[place + s * h for h in BESIDE] for s in (1, -1)]
                sides = sides if np.isfinite(place) else [[np.copysign(h, place) for h in FAR]]
                # A number is wrong that lies at neither side's limit.
                wrong, seen = np.full(points, True), np.full(points, np.nan)
                for side in sides:
                    a, b = (slopes(v, w) for v in side)
                    size = np.maximum(np.abs(a), np.abs(b))
                    settled = (np.abs(a - b) <= 1e-4 * size) | ((size < 1e-5) & (np.abs(b) <= np.abs(a)))
                    grows = (a * b > 0) & (np.abs(b) > 1.5 * np.abs(a)) & (np.abs(b) > 1e3)
                    settled = (settled | grows) & np.isfinite(a) & np.isfinite(b)
                    apart = np.where(grows, np.isfinite(got), ~(np.abs(got - b) <= 1e-3 * size + 1e-5))
                    b = np.where(grows, np.copysign(np.inf, b), b)
                    wrong &= np.where(settled, apart, np.isnan(a) | np.isnan(got))
                    seen = np.where(settled & apart, b, seen)
                for k in np.flatnonzero(wrong & ~np.isnan(seen))[:1]:
                    x[k, i] = place
                    lines.append(f"    d{w} at {x[k].tolist()}: {got[k]:.6g} beside {seen[k]:.6g}")
            except (NotImplementedError, ValueError):
                continue
    return [name, *lines] if lines else []


def search(
    description: str | None, flag: str, points: int, usual: Search, flagged: Search, skipped: Iterable[str] = ()
) -> int:
    """The command line of a search over functions, side by side, which has two kinds of it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=points)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(flag, action="store_true", dest="flagged")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    names = args.names or [n for n in catalogue.ENTRIES if n not in skipped]
    with ProcessPoolExecutor(args.jobs) as pool:
        of = flagged if args.flagged else usual
        for lines in pool.map(of, names, itertools.repeat(args.points), itertools.repeat(args.seed)):
            for line in lines:
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(search(__doc__, "--ends", 6, random, ends))
