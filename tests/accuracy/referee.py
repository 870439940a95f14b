"""The special functions beside SciPy's of the same name, and mpmath where the two differ."""

from __future__ import annotations

import math
from typing import Any

import catalogue
import make_tables
import measure
import mpmath
import numpy as np
import scipy.special
from mpmath import mp, mpc, mpf

import sciarray as sa


def has_peer(name: str) -> bool:
    """Of the same name and of the same kind of arguments."""
    try:
        catalogue.ENTRIES[name].call(scipy.special)(*measure.columns(name, measure.load(name)["x"][:1]))
    except (AttributeError, TypeError):
        return False
    return True


def conditions(entry: catalogue.Entry, f: Any, args: list[np.ndarray]) -> np.ndarray:
    """`sum |x_i df/dx_i|` by derivatives, as far as there are any."""
    total = np.zeros(len(args[0]))
    with np.errstate(all="ignore"):
        for i in entry.free:
            slope = measure.slope(f, [sa.asarray(a) for a in args], (i,))
            total += np.nan_to_num(np.abs(np.asarray(slope) * args[i]), nan=0.0, posinf=0.0)
    return total


def same(a: Any, b: Any) -> bool:
    """Both no number, or both the same infinity."""
    parts = [(a.real, b.real), (a.imag, b.imag)] if isinstance(a, complex) else [(a, b)]
    return all(p == q or (math.isnan(p) and math.isnan(q)) for p, q in parts)


def reference(entry: catalogue.Entry, x: tuple[Any, ...]) -> make_tables.Function | None:
    """mpmath's function at a point, None on cuts."""
    f = make_tables.at_row(entry, x)
    return None if entry.complex and make_tables.patiently(make_tables.on_cut, f) else f


def judged(entry: catalogue.Entry, x: tuple[Any, ...], got: Any) -> float | None:
    """The error in the units of the goal, or None on cuts and where mpmath has no answer or takes too long."""
    f = reference(entry, x)
    if f is None:
        return None
    want = make_tables.patiently(make_tables.settled, f)
    if want is None:
        return unmeasured(entry, f, got)
    condition = make_tables.patiently(f.condition, (), 60)
    if condition is None:
        return None
    if not np.isfinite(got):
        return math.inf
    unit = math.ulp(float(abs(want))) + (measure.EPS * float(condition) if entry.conditioned else 0.0)
    return float(abs((mpc(got) if entry.complex else mpf(got)) - want)) / unit


def jumps(f: make_tables.Function, which: tuple[int, ...]) -> bool:
    """Whether the function, or this derivative of it, does not go on from the point in one of these or a complex argument."""
    # More than what mpmath's own functions may be off, and no smaller for a smaller step
    lasts = lambda far, near, size: near > size * mpf(2) ** -100 and 2 * near > far
    with mp.workprec(900 + f.spread):
        for i in which:
            far, near = (f.at((i, f.step(i, bits))) for bits in (200, 300))
            if lasts(abs(far - f.at()), abs(near - f.at()), abs(near)):
                return True
    # A derivative may have a cut where the function has none, which is seen from farther away.
    others = [i for i in range(len(f.x)) if f.entry.complex and i not in (*f.entry.real, *which)]
    places = [*((i, (40, 60), 90) for i in others), *((i, (150, 200), 500) for i in which)]
    for i, distances, finest in places:
        with mp.workprec(6 * finest + f.spread):
            gaps = []
            for bits in distances:
                h = f.step(i, bits)
                ahead, behind = ([v + s * h if k == i else v for k, v in enumerate(f.x)] for s in (1, -1))
                after, before = (f.slope(which, finest, x) for x in (ahead, behind))
                gaps.append(abs(after - before))
            if lasts(*gaps, abs(after)):
                return True
    return False


def leaves_the_reals(f: make_tables.Function, i: int) -> bool:
    slope = f.slope((i,), 130)
    return abs(mpmath.im(slope)) > abs(slope) * mpf(2) ** -60


def judged_slope(entry: catalogue.Entry, x: tuple[Any, ...], which: tuple[int, ...], got: Any) -> float | None:
    """The error of a derivative in units of `eps (|d| + condition)`, or None on cuts, where the value is infinite, where mpmath
    has no answer in time, and for what is not right where the function jumps."""
    f = reference(entry, x)
    if f is None:
        return None
    value = make_tables.patiently(f.at)
    if value is None or not mpmath.isfinite(value):
        return None
    found = make_tables.patiently(make_tables.derivative, f, which)
    if found is None:
        return None
    want, condition = found
    error = measure.slope_error(got, want, condition)
    if error <= measure.GOALS["first"]:
        return error
    # A mixed derivative may be real where the first ones are not.
    if len(which) > 1 and not entry.complex and any(make_tables.patiently(leaves_the_reals, f, i) for i in which):
        return None
    if make_tables.patiently(jumps, f, which):
        return None
    # mpmath's own functions may lose more than two steps show.
    finer = make_tables.patiently(f.slope, which, 500)
    return None if finer is None else measure.slope_error(got, finer, condition)


def unmeasured(entry: catalogue.Entry, f: make_tables.Function, got: Any) -> float | None:
    """0 for what a double has where there is no number to measure against: beyond its range, at poles, outside of domains."""
    found = []
    for bits in (800, 1200):
        with mp.workprec(bits):
            found.append(make_tables.patiently(f.at))
    last, want = found
    if want is None or last is None or not (last == want or mpmath.almosteq(last, want, rel_eps=1e-6)):
        return None
    size, found_size = abs(want), abs(mpc(got))
    if size >= make_tables.LARGEST:
        fits = not found_size < make_tables.LARGEST / 2
    elif size <= make_tables.SMALLEST:
        fits = found_size <= 2 * make_tables.SMALLEST
    elif not entry.complex and abs(mpmath.im(want)) > 1e-9 * size:
        fits = math.isnan(got)
    else:
        return None
    return 0.0 if fits else math.inf
