"""Searches the regions of the reference tables for points where values or derivatives miss their goals.

Usage: check_regions.py [--points N] [--seed N] [--snap] [NAME ...]. Of many points of each region mpmath judges those at
which a value differs from SciPy's, or a derivative from a difference of values; `--snap` moves real parts to halves and next
to them.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import catalogue
import make_tables
import measure
import numpy as np
import referee
import scipy.special

import sciarray as sa

#: Seconds for the judged points of one region.
PATIENCE = 60
#: Judged points of one region and quantity.
JUDGED = 10
#: Steps of differences, beside the arguments, and what their own error may be.
STEP, ROUGH = 1e-5, 1e-5


def snapped(column: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Some at halves, some next to them, the others as they are."""
    halves = np.round(2 * column) / 2
    beside = halves * (1 + rng.choice([-1, 1], column.size) * 2.0 ** -rng.integers(5, 53, column.size))
    share = np.where(np.abs(column) < 1e6, rng.random(column.size), 1.0)
    return np.clip(np.where(share < 0.3, halves, np.where(share < 0.5, beside, column)), column.min(), column.max())


def regions(entry: catalogue.Entry, count: int, snap: bool, rng: np.random.Generator) -> Iterator[list[np.ndarray]]:
    """The arguments of many points of each region."""
    moved = (lambda c: snapped(c, rng)) if snap else (lambda c: c)
    for x in make_tables.points(entry, count, rng):
        real = [not entry.complex or i in entry.real for i in range(x.shape[1])]
        # Adding 0 takes the cuts from one side.
        yield [
            moved(c.real.copy()) if plain else moved(c.real.copy()) + 1j * moved(c.imag.copy()) + 0
            for c, plain in zip(x.T, real, strict=True)
        ]


def worst(
    args: list[np.ndarray], apart: np.ndarray, least: float, judge: Callable[[int, tuple[Any, ...]], float | None]
) -> tuple[float, tuple[Any, ...]]:
    """The largest error that mpmath finds among the points that are farthest apart."""
    begin, found = time.monotonic(), (0.0, ())
    for k in np.argsort(-apart)[:JUDGED]:
        if not apart[k] > least or time.monotonic() - begin > PATIENCE:
            break
        x = tuple(a[k].item() for a in args)
        error = judge(k, x)
        found = max(found, (error or 0.0, x), key=lambda f: f[0])
    return found


def values(entry: catalogue.Entry, args: list[np.ndarray]) -> tuple[float, tuple[Any, ...]]:
    ours, peer = entry.call(sa.special), entry.call(scipy.special)
    got = np.asarray(ours(*map(sa.asarray, args)))
    theirs = np.asarray(peer(*args)).astype(got.dtype)
    size = np.abs(got) + (referee.conditions(entry, ours, args) if entry.conditioned else 0.0)
    apart = np.abs(got - theirs) / (measure.EPS * size)
    same = np.array([referee.same(a.item(), b.item()) for a, b in zip(got, theirs, strict=True)])
    apart = np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))
    return worst(args, apart, entry.goal / 2, lambda k, x: referee.judged(entry, x, got[k].item()))


def slopes(entry: catalogue.Entry, args: list[np.ndarray], which: tuple[int, ...]) -> tuple[float, tuple[Any, ...]]:
    """A second derivative beside differences of the first one."""
    f = entry.call(sa.special)
    *inner, i = which
    step = STEP * np.maximum(np.abs(args[i]), 1e-3)

    def at(sign: float) -> tuple[np.ndarray, np.ndarray]:
        x = [a + sign * step if k == i else a for k, a in enumerate(args)]
        arrays = [sa.asarray(a) for a in x]
        return np.asarray(measure.slope(f, arrays, tuple(inner)) if inner else f(*arrays)), x[i]

    value = np.asarray(f(*map(sa.asarray, args)))
    got = np.asarray(measure.slope(f, [sa.asarray(a) for a in args], which))
    (after, right), (before, left) = at(1.0), at(-1.0)
    difference = (after - before) / (right - left)
    scale = np.abs(got) + np.abs(difference) + np.abs(after) / np.maximum(np.abs(args[i]), 1e-3)
    apart = np.abs(got - difference) / scale
    apart = np.where(np.isfinite(got), np.where(np.isnan(apart), 0.0, apart), np.inf)
    apart = np.where(np.isfinite(value), apart, 0.0)
    return worst(args, apart, ROUGH, lambda k, x: referee.judged_slope(entry, x, which, got[k].item()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--snap", action="store_true")
    args = parser.parse_args()
    missed = 0
    warnings.simplefilter("ignore")
    for name in args.names or catalogue.ENTRIES:
        entry, rng = catalogue.ENTRIES[name], np.random.default_rng(args.seed)
        found: dict[Any, tuple[float, tuple[Any, ...]]] = {}
        with np.errstate(all="ignore"):
            for x in regions(entry, args.points, args.snap, rng):
                quantities = [("value", entry.goal, lambda x=x: values(entry, x))] if referee.has_peer(name) else []
                goal = measure.GOALS["first"]
                quantities += [(w, goal, lambda x=x, w=w: slopes(entry, x, w)) for w in catalogue.orders(entry)]
                for what, goal, search in quantities:
                    error, point = search()
                    if error > goal and error > found.get(what, (0.0,))[0]:
                        found[what] = (error, point)
        for what, (error, point) in found.items():
            missed += 1
            print(f"{name:20} {what} {error:.3g} at {point}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
