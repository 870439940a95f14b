"""The special functions beside SciPy's at random arguments; where the two differ, mpmath decides.

The domains are those of the reference tables.
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import catalogue
import make_tables
import measure
import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpc, mpf

import sciarray as sa

#: Of each function; the deep profile's thousand take an hour of one core.
EXAMPLES = settings().max_examples if settings().max_examples > 100 else 5


def has_peer(name: str) -> bool:
    """Of the same name and of the same kind of arguments."""
    try:
        catalogue.ENTRIES[name].call(scipy.special)(*measure.columns(name, measure.load(name)["x"][:1]))
    except (AttributeError, TypeError):
        return False
    return True


NAMES = [n for n in catalogue.ENTRIES if has_peer(n)]


def part(column: np.ndarray) -> st.SearchStrategy[float]:
    """Numbers between the ends of a column: evenly, by magnitude, at halves and next to them; whole ones if all are."""
    low, high = float(column.min()), float(column.max())
    if low == high:
        return st.just(low)
    if (column == np.floor(column)).all() and np.abs(column).max() < 1e6:
        return st.integers(int(low), int(high)).map(float)
    among = st.floats(low, high)
    if low * high > 0 and max(low / high, high / low) > 100:
        sign = math.copysign(1.0, low)
        logs = sorted((math.log2(abs(low)), math.log2(abs(high))))
        among |= st.floats(*logs).map(lambda e: min(max(sign * 2.0**e, low), high))
    halves = st.integers(math.ceil(2 * max(low, -1e6)), math.floor(2 * min(high, 1e6))).map(lambda k: k / 2)
    if math.ceil(2 * max(low, -1e6)) <= math.floor(2 * min(high, 1e6)):
        beside = st.builds(lambda x, k, s: x * (1 + s * 2.0**-k), halves, st.integers(5, 52), st.sampled_from([-1, 1]))
        among |= halves | beside.filter(lambda x: low <= x <= high)
    # Next to the smallest numbers other things overflow.
    return among.filter(lambda x: x == 0 or abs(x) > 1e-290) if np.abs(column).max() > 1e-250 else among


@functools.cache
def points(name: str) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    entry = catalogue.ENTRIES[name]
    rng = np.random.default_rng(3)

    def of_region(x: np.ndarray) -> st.SearchStrategy[list[tuple[Any, ...]]]:
        args = []
        for i, column in enumerate(x.T):
            if not entry.complex or i in entry.real:
                args.append(part(column.real))
            else:
                # A cut has the values of one side here and those of each side of zero there.
                args.append(st.builds(complex, part(column.real), part(column.imag)).map(lambda z: z + 0))
        return st.lists(st.tuples(*args), min_size=1, max_size=16)

    return st.one_of([of_region(x) for x in make_tables.points(entry, 200, rng)])


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


def judged(entry: catalogue.Entry, x: tuple[Any, ...], got: Any) -> float | None:
    """The error in the units of the goal, or None on cuts and where mpmath has no answer or takes too long."""
    exact = [mpc(v) if isinstance(v, complex) else mpf(v) for v in x]
    f = make_tables.Function(entry, exact)
    if entry.complex and make_tables.patiently(make_tables.on_cut, f):
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


def unmeasured(entry: catalogue.Entry, f: make_tables.Function, got: Any) -> float | None:
    """0 for what a double has where there is no number to measure against: beyond its range, at poles, outside of domains."""
    found = []
    for bits in (800, 1200):
        with mp.workprec(bits):
            found.append(make_tables.patiently(f.at))
    last, want = found
    if want is None or last is None or not (last == want or mpmath.almosteq(last, want, rel_eps=1e-6)):
        return None
    size = abs(want)
    if size >= make_tables.LARGEST:
        fits = not abs(got) < make_tables.LARGEST / 2
    elif size <= make_tables.SMALLEST:
        fits = abs(got) <= 2 * make_tables.SMALLEST
    elif not entry.complex and abs(mpmath.im(want)) > 1e-9 * size:
        fits = math.isnan(got)
    else:
        return None
    return 0.0 if fits else math.inf


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_scipy_or_mpmath_agrees(name, data):
    entry = catalogue.ENTRIES[name]
    ours, peer = entry.call(sa.special), entry.call(scipy.special)
    xs = data.draw(points(name))
    args = [np.array(a) for a in zip(*xs, strict=True)]
    got = np.asarray(ours(*map(sa.asarray, args)))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = np.asarray(peer(*args)).astype(got.dtype)
        size = np.abs(got) + (conditions(entry, ours, args) if entry.conditioned else 0.0)
        apart = np.abs(got - theirs) / (measure.EPS * size)
    for k in np.flatnonzero(np.isnan(apart)):
        apart[k] = 0.0 if same(got[k].item(), theirs[k].item()) else math.inf
    apart[got == theirs] = 0.0
    # The points that differ the most, as long as mpmath would take for all of them
    for k in np.argsort(-apart)[:2]:
        if apart[k] > entry.goal / 2:
            error = judged(entry, xs[k], got[k].item())
            assert error is None or error <= entry.goal, (name, xs[k], got[k].item(), theirs[k].item(), error)


#: What a long run has found, each with a cause of its own.
FOUND = [
    ("gammainccinv", (0.5, 0.12232150776096251)),
    ("gammaincc", (0.5, 1.25)),
    ("fdtr", (1.0, 15.90588275928481, 1.0)),
    ("binom", (66468627.0, 0.030089247971773148)),
    ("jn", (182.0, 5.96875)),
    ("jn", (30.0, 32.5)),
    ("hyp1f1", (272.0, 23.0, 216.0)),
    ("hyp1f1", (6.0, 171.2674579883188, 119.23634921520403)),
    ("hyp1f1", (-43.90625, 342.0, 21.0)),
    ("hyp1f1", (-43.90625, 342.0, 120.0)),
    ("hyp2f1", (-3.125, 0.1979213866356524, 663.75, 0.740462209814212)),
    ("hyp2f1", (-20.5, 30.5, 900.0, 0.90625)),
    ("tklmbda", (-3.049450680317608e-08, 27.0)),
    ("chdtriv", (1e-14, 4.338574734093279e-06)),
    ("lpmv", (4.0, 429.0, 0.424381353969268)),
    ("polygamma", (115.0, 511.0)),
    ("polygamma", (120.0, 511.0)),
    ("polygamma", (200.0, 100.0)),
    ("jv[c]", (152.0, 30 + 0j)),
    ("iv[c]", (380.5, 265.5j)),
    ("lpmv", (3.0, 0.03716272234383503, 0.0)),
    ("eval_sh_jacobi", (11.0, 0.0, 0.3125, 0.0015044623287394643)),
    ("eval_jacobi", (15.5, 0.0, 0.25, 0.0)),
    ("eval_jacobi", (3.0, 0.0, 0.0, 1e-30)),
    ("eval_jacobi[c]", (3.0, 0.0, 0.0, 1.6975258617189575e-105 + 0j)),
    ("rgamma[c]", (7.836623070504361e-08j,)),
    ("hankel1e[c]", (16.0, 118 - 1j)),
    ("airye_ai[c]", (-9.11 + 1.758j,)),
    ("eval_genlaguerre[c]", (36.0, 4.0, 0.5 + 0j)),
    ("hyp2f1", (0.5, 1.0, 2.0, 1.0)),
    ("hyp2f1[c]", (-1.5, -2.48046875, 3.0, 1.5 + 0j)),
    ("eval_genlaguerre", (-1.0, 0.0, 1.0)),
    ("lambertw_0[c]", (-0.38875713391092875 + 0.02734375j,)),
    ("poch", (0.4999999999999999, -1.5)),
    ("elliprc", (532866446.95292556, 1.0643398384857505e-09)),
    ("eval_sh_jacobi", (3.0, -0.31271829432037834, 2.5467296484401856, 0.75)),
    ("eval_jacobi", (28.0, -5.903954004300418, 4.716993958983533, 0.9587952177933785)),
    ("eval_sh_legendre", (15.0, 4.4e-16)),
    ("beta", (1.3842833567012465e-105, -1.8905540222701173e-221)),
    ("beta", (-1e-200, -3e-200)),
    ("betaln", (-1e-160, 3e-160)),
    ("betaln", (1e-5, -1e-306)),
    ("polygamma", (2.0, 3.6381709190814553e106)),
    ("i0e", (0.0,)),
]


@pytest.mark.parametrize(("name", "x"), FOUND)
def test_found_points_hold_the_goal(name, x):
    entry = catalogue.ENTRIES[name]
    got = np.asarray(entry.call(sa.special)(*map(sa.asarray, x))).item()
    error = judged(entry, x, got)
    assert error is not None and error <= entry.goal
