"""Errors of the special functions at the points of their reference tables.

Usage: measure.py [--record] [NAME ...]; prints them beside the goals, or writes them to `errors.json`, above which the tests
let none of them grow.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import catalogue
import numpy as np
from mpmath import mpc

import sciarray as sa

RECORD = pathlib.Path(__file__).parent / "errors.json"
EPS = 2.0**-52
#: Of float32 in ulps, of first and second derivatives in units of `eps (|d| + sum |x_i dd/dx_i|)`: 1e-12.
GOALS = {"float32": 1.0, "first": 4504.0, "second": 4504.0}

Errors = dict[str, float]


def load(name: str) -> dict[str, np.ndarray]:
    return dict(np.load(catalogue.table_of(name)))


def columns(name: str, x: np.ndarray) -> list[np.ndarray]:
    """The arguments, those real that are."""
    real = catalogue.ENTRIES[name].real
    return [np.ascontiguousarray(c.real if i in real else c) for i, c in enumerate(x.T)]


def errors(got: Any, value: np.ndarray, rest: np.ndarray, units: np.ndarray) -> np.ndarray:
    """`|got - want| / units`, infinite where there is no number."""
    got = np.asarray(got).astype(value.dtype)
    with np.errstate(invalid="ignore"):
        out = np.abs((got - value) - rest) / units
    return np.where(np.isfinite(got), out, math.inf)


def ulp(value: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    return np.spacing(np.abs(value).astype(dtype)).astype(float)


def values(name: str, table: dict[str, np.ndarray], f: Callable[..., Any]) -> tuple[float, float]:
    """The worst error in ulps, and in ulps and the condition together."""
    value, rest = table["value"], table["rest"]
    got = f(*columns(name, table["x"]))
    unit = ulp(value)
    plain, conditioned = (errors(got, value, rest, u) for u in (unit, unit + EPS * table["condition"]))
    return float(plain.max()), float(conditioned.max())


def narrow(name: str, table: dict[str, np.ndarray], f: Callable[..., Any]) -> float:
    """The worst error in ulps of single precision, at the points that have it."""
    x, value = table["x"], np.abs(table["value"])
    kind = np.complex64 if np.iscomplexobj(x) else np.float32
    with np.errstate(over="ignore"):
        held = (x.astype(kind).astype(x.dtype) == x).all(axis=1) & (value < 1e38) & (value > 1e-44)
    if not held.any():
        return 0.0
    args = [c.astype(np.float32 if c.dtype == float else kind) for c in columns(name, x[held])]
    got = np.asarray(f(*args))
    if got.dtype not in (np.float32, np.complex64):
        raise TypeError(f"{name}: float32 gave {got.dtype}")
    return float(errors(got, table["value"][held], table["rest"][held], ulp(value[held], np.float32)).max())


def slope(f: Callable[..., Any], xs: list[Any], which: tuple[int, ...]) -> Any:
    """The derivative in the numbered arguments: outer ones and those of complex functions forward, real inner ones backward."""
    i, *outer = which
    at = lambda v, k: [*xs[:k], v, *xs[k + 1 :]]
    one = sa.ones_like(xs[i])
    if outer:
        (j,) = outer
        return sa.jvp(lambda v: slope(f, at(v, j), (i,)), (xs[j],), (sa.ones_like(xs[j]),))[1]
    if any(x.dtype.kind == "c" for x in xs):
        return sa.jvp(lambda v: f(*at(v, i)), (xs[i],), (one,))[1]
    return sa.vjp(lambda v: f(*at(v, i)), xs[i])[1](one)[0]


def slope_error(got: Any, want: Any, condition: Any) -> float:
    """The error of a derivative beside mpmath's, in the units of its goal."""
    if not np.isfinite(got):
        return math.inf
    return float(abs(mpc(complex(got)) - want) / (EPS * (abs(want) + condition)))


def slopes(name: str, table: dict[str, np.ndarray], f: Callable[..., Any]) -> tuple[float, float]:
    """The worst errors of first and of second derivatives."""
    xs = [sa.asarray(c) for c in columns(name, table["x"][table["at"]])]
    worst = [0.0, 0.0]
    for k, which in enumerate(catalogue.orders(catalogue.ENTRIES[name])):
        want, condition = table["slope"][:, k], table["slope_condition"][:, k]
        known = np.isfinite(condition)
        if not known.any():
            continue
        unit = EPS * (np.abs(want) + condition)
        found = np.where(known, errors(slope(f, xs, which), want, np.zeros_like(want), unit), 0.0)
        worst[len(which) - 1] = max(worst[len(which) - 1], float(found.max()))
    return worst[0], worst[1]


def of_arrays(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *x: call(*map(sa.asarray, x))


def measure(name: str) -> Errors:
    entry, table = catalogue.ENTRIES[name], load(name)
    f = entry.call(sa.special)
    plain, conditioned = values(name, table, of_arrays(f))
    first, second = slopes(name, table, f)
    return {"ulp": plain, "conditioned": conditioned, "float32": narrow(name, table, of_arrays(f)),
            "first": first, "second": second}  # fmt: skip


def goals(name: str) -> Errors:
    entry = catalogue.ENTRIES[name]
    value = {"conditioned" if entry.conditioned else "ulp": entry.goal}
    # The parts of complex numbers round apart.
    return {**value, **GOALS, **({"float32": 2.0} if entry.complex else {})}


def rounded_up(x: float) -> float:
    """To three digits."""
    if not 0 < x < math.inf:
        return x
    step = 10.0 ** (math.floor(math.log10(x)) - 2)
    return float(f"{math.ceil(x / step) * step:.3g}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    record: dict[str, Errors] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    missed = 0
    for name in args.names or catalogue.ENTRIES:
        found = measure(name)
        record[name] = {k: rounded_up(v) for k, v in found.items()}
        over = [k for k, goal in goals(name).items() if not found[k] <= goal]
        missed += bool(over)
        print(f"{name:20}", *(f"{k} {v:<9.3g}" for k, v in found.items()), *(f"MISSED {k}" for k in over), flush=True)
    if args.record:
        lines = (f"  {json.dumps(k)}: {json.dumps(record[k])}" for k in catalogue.ENTRIES if k in record)
        RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
