"""The special functions far outside of the regions of their reference tables, where SciPy's or differences of their own
disagree, and what mpmath says of it.

Usage: check_wide.py [--points N] [--seed S] [--jobs J] [--slopes] [NAME ...]; N points of a function. Values are suspected
that are 1e-8 from SciPy's beyond the condition, with `--slopes` first derivatives that are 1e-3 from differences of two steps
that agree. Prints, per function, how many were suspected, how many of them mpmath had an answer for, how many are wrong by
`LOUD` units and the worst of these; and how often there is no number where SciPy, or differences, have one: of functions
where that, or an error, happens.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

import catalogue
import check_slopes
import make_tables
import measure
import numpy as np
import referee
import scipy.special

import sciarray as sa

LOUD = 1e5
#: Longest time for a function's references, in seconds.
PATIENCE = 40.0
#: Whose sums take minutes at such arguments.
SLOW = {"kolmogorov", "kolmogi", "smirnov", "smirnovi"}


def numbers(rng: np.random.Generator, n: int) -> np.ndarray:
    """Integers, halves, numbers beside integers, of all magnitudes to 1e6."""
    beside = rng.choice([1e-9, -1e-9, 1e-14, -1e-14, 1e-3], n)
    kinds = [
        rng.integers(-20, 30, n).astype(float),
        rng.integers(0, 600, n).astype(float),
        rng.integers(-40, 60, n) / 2,
        rng.integers(-10, 40, n) + beside,
        rng.uniform(0, 1, n),
        rng.uniform(-5, 5, n),
        rng.uniform(-50, 50, n),
        rng.uniform(0, 700, n),
        2 ** rng.uniform(-30, 20, n) * rng.choice([1, 1, -1], n),
    ]
    return np.choose(rng.integers(0, len(kinds), n), kinds)


def complexes(rng: np.random.Generator, n: int) -> np.ndarray:
    """On the axes, next to them and in all directions."""
    size = np.abs(numbers(rng, n))
    axis = rng.choice([1, 1j, -1, -1j], n)
    beside = rng.choice([1e-17, 1e-12, -1e-12, 1e-6, -1e-3], n)
    kinds = [axis, axis * np.exp(1j * beside), np.exp(1j * rng.uniform(-np.pi, np.pi, n))]
    # A cut has the values of one side here and those of each side of zero there.
    return size * np.choose(rng.integers(0, len(kinds), n), kinds) + 0


def arguments(name: str, points: int, rng: np.random.Generator) -> list[np.ndarray]:
    """A third of each is of the table, so that most points have only some arguments outside."""
    entry = catalogue.ENTRIES[name]
    args = []
    for i, column in enumerate(measure.columns(name, measure.load(name)["x"])):
        drawn = (complexes if np.iscomplexobj(column) else numbers)(rng, points)
        if i not in entry.free and (column == np.floor(column.real)).all():
            drawn = np.abs(np.round(drawn.real))
        args.append(np.where(rng.random(points) < 0.35, rng.choice(column, points), drawn))
    return args


def found(
    name: str, wrong: list[tuple[float, str]], suspects: int, asked: int, none: np.ndarray, args: Any
) -> list[str]:
    """The lines about a function, none where all is well."""
    at = [tuple(a[k].item() for a in args) for k in np.flatnonzero(none)[:2]]
    if not wrong and not at:
        return []
    line = (
        f"{name:22} {suspects:4} suspected, {asked:3} asked, {len(wrong):3} wrong, {none.sum():4} no number {at or ''}"
    )
    return [line, *(text for _, text in sorted(wrong, reverse=True)[:3])]


def at_arguments(of: Callable[..., list[str]]) -> check_slopes.Search:
    """A search with its function, arguments, generator and end of patience; errors become lines."""

    @functools.wraps(of)
    def search(name: str, points: int, seed: int) -> list[str]:
        make_tables.PATIENCE = 1
        end = time.monotonic() + PATIENCE
        rng = np.random.default_rng([seed, *map(ord, name)])
        try:
            return of(name, catalogue.ENTRIES[name].call(sa.special), arguments(name, points, rng), rng, end)
        except ValueError as error:
            return [f"{name:22} {error}"]

    return search


@at_arguments
def values(name: str, f: Any, args: list[np.ndarray], rng: np.random.Generator, end: float) -> list[str]:
    if not referee.has_peer(name):
        return []
    entry = catalogue.ENTRIES[name]
    got = np.asarray(f(*map(sa.asarray, args)))
    theirs = np.asarray(entry.call(scipy.special)(*args)).astype(got.dtype)
    size = np.abs(got)
    known = np.isfinite(theirs) & (np.abs(theirs) < 1e280)
    apart = np.abs(got - theirs) > 1e-8 * size + 1e-12 * referee.conditions(entry, f, args)
    suspects = np.flatnonzero(apart & known & np.isfinite(got) & (np.abs(theirs) > 1e-280) & (size < 1e280))
    wrong, asked = [], 0
    for k in rng.permutation(suspects):
        if time.monotonic() > end:
            break
        x = tuple(a[k].item() for a in args)
        error = referee.judged(entry, x, got[k].item())
        asked += error is not None
        if error is not None and error > LOUD:
            wrong.append((error, f"    at {x}: {got[k].item()} and {theirs[k].item()}, {error:.3g}"))
    return found(name, wrong, len(suspects), asked, known & ~np.isfinite(got), args)


@at_arguments
def slopes(name: str, f: Any, args: list[np.ndarray], rng: np.random.Generator, end: float) -> list[str]:
    entry = catalogue.ENTRIES[name]
    value = np.abs(np.asarray(f(*map(sa.asarray, args))))
    wrong, asked, suspects, none = [], 0, 0, np.zeros(len(value), bool)
    for i in entry.free:
        moved = lambda h, i=i: np.asarray(f(*map(sa.asarray, [*args[:i], args[i] + h, *args[i + 1 :]])))
        got = np.asarray(measure.slope(f, [sa.asarray(a) for a in args], (i,)))
        steps = [np.abs(args[i]) * 2.0**-k for k in (13, 14)]
        near, nearer = ((moved(h) - moved(-h)) / (2 * h) for h in steps)
        size = np.abs(nearer)
        settled = (np.abs(near - nearer) < 1e-4 * size) & (1e-13 * value / steps[1] < 1e-4 * size) & (size < 1e280)
        none |= settled & ~np.isfinite(got)
        apart = np.flatnonzero(settled & np.isfinite(got) & (np.abs(got - nearer) > 1e-3 * size) & (size > 1e-280))
        suspects += len(apart)
        for k in rng.permutation(apart):
            if time.monotonic() > end:
                break
            x = np.array([a[k] for a in args])
            reference = make_tables.patiently(make_tables.derivative, make_tables.at_row(entry, x), (i,))
            if reference is None:
                continue
            asked += 1
            error = measure.slope_error(got[k], *reference)
            if error > LOUD:
                wrong.append((error, f"    d{i} at {tuple(x.tolist())}: {got[k]} beside {nearer[k]}, {error:.3g}"))
    return found(name, wrong, suspects, asked, none, args)


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(check_slopes.search(__doc__, "--slopes", 6000, values, slopes, SLOW))
