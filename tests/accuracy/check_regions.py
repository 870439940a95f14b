"""Points of the regions of the reference tables at which values or derivatives miss their goals.

Usage: check_regions.py [--points N] [--seed S] [--jobs J] [--slopes] [NAME ...]; N points per region, a half of their parts
moved to halves and next to them. mpmath judges those where a value is farthest from SciPy's or, with `--slopes`, a first or
second derivative from a difference. Prints the worst that misses its goal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import catalogue
import check_slopes
import make_tables
import measure
import numpy as np
import referee
import scipy.special

import sciarray as sa

#: Seconds for the judged points of one region.
PATIENCE = 60.0
#: Judged points of one region.
JUDGED = 10
#: Steps of differences, beside the arguments, and what their own error may be.
STEP, ROUGH = 1e-5, 1e-5


def moved(column: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Some at halves, some next to them, the others as they are, and so whole numbers; a cut has the values of one side."""
    if np.iscomplexobj(column):
        return moved(column.real, rng) + 1j * moved(column.imag, rng) + 0
    if np.array_equal(column, np.round(column)):
        return column
    halves = np.round(2 * column) / 2
    beside = halves * (1 + rng.choice([-1, 1], column.size) * 2.0 ** -rng.integers(5, 53, column.size))
    share = np.where(np.abs(column) < 1e6, rng.random(column.size), 1.0)
    return np.clip(np.where(share < 0.3, halves, np.where(share < 0.5, beside, column)), column.min(), column.max())


def regions(name: str, points: int, seed: int) -> Iterator[list[np.ndarray]]:
    rng = np.random.default_rng([seed, *map(ord, name)])
    for x in make_tables.points(catalogue.ENTRIES[name], points, rng):
        yield [moved(column, rng) for column in measure.columns(name, x)]


def missed(
    args: list[np.ndarray],
    apart: np.ndarray,
    least: float,
    goal: float,
    judge: Callable[[int, tuple[Any, ...]], float | None],
) -> tuple[float, tuple[Any, ...]] | None:
    """The largest error above the goal among the points that are farthest apart."""
    end, found = time.monotonic() + PATIENCE, []
    for k in np.argsort(-apart)[:JUDGED]:
        if not apart[k] > least or time.monotonic() > end:
            break
        x = tuple(a[k].item() for a in args)
        found.append((judge(k, x) or 0.0, x))
    worst = max(found, key=lambda f: f[0], default=(0.0, ()))
    return worst if worst[0] > goal else None


def values(name: str, points: int, seed: int) -> list[str]:
    if not referee.has_peer(name):
        return []
    entry, lines = catalogue.ENTRIES[name], []
    ours, peer = entry.call(sa.special), entry.call(scipy.special)
    for args in regions(name, points, seed):
        got = np.asarray(ours(*map(sa.asarray, args)))
        theirs = np.asarray(peer(*args)).astype(got.dtype)
        size = np.abs(got) + (referee.conditions(entry, ours, args) if entry.conditioned else 0.0)
        apart = np.abs(got - theirs) / (measure.EPS * size)
        same = np.array([referee.same(a.item(), b.item()) for a, b in zip(got, theirs, strict=True)])
        apart = np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))
        judge = lambda k, x, got=got: referee.judged(entry, x, got[k].item())
        if found := missed(args, apart, entry.goal / 2, entry.goal, judge):
            lines.append(f"{name:20} {found[0]:.3g} at {found[1]}")
    return lines


def slopes(name: str, points: int, seed: int) -> list[str]:
    entry, lines = catalogue.ENTRIES[name], []
    f = entry.call(sa.special)

    def derivative(args: list[np.ndarray], which: tuple[int, ...]) -> np.ndarray:
        arrays = [sa.asarray(a) for a in args]
        return np.asarray(measure.slope(f, arrays, which) if which else f(*arrays))

    for args in regions(name, points, seed):
        value = derivative(args, ())
        for which in catalogue.orders(entry):
            *inner, i = which
            got = derivative(args, which)
            step = STEP * np.maximum(np.abs(args[i]), 1e-3)
            after, before = ([*args[:i], args[i] + h, *args[i + 1 :]] for h in (step, -step))
            ahead, behind = (derivative(x, tuple(inner)) for x in (after, before))
            difference = (ahead - behind) / (after[i] - before[i])
            scale = np.abs(got) + np.abs(difference) + np.abs(ahead) / np.maximum(np.abs(args[i]), 1e-3)
            apart = np.nan_to_num(np.abs(got - difference) / scale, nan=0.0, posinf=np.inf)
            apart = np.where(np.isfinite(value), np.where(np.isfinite(got), apart, np.inf), 0.0)
            judge = lambda k, x, which=which, got=got: referee.judged_slope(entry, x, which, got[k].item())
            if found := missed(args, apart, ROUGH, measure.GOALS["first"], judge):
                lines.append(f"{name:20} d{which} {found[0]:.3g} at {found[1]}")
    return lines


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(check_slopes.search(__doc__, "--slopes", 2000, values, slopes))
