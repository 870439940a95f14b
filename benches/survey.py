"""Every special function over several ranges of its arguments, against SciPy."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from .libraries import Library
from .measure import Case, Data, Result, run
from .report import progress

SIZE = 20_000
RANGES = {
    "few": (0.1, 5.0),
    "signed": (-5.0, 5.0),
    "many": (0.0, 40.0),
    "large": (50.0, 2000.0),
    "unit": (0.0, 1.0),
    "whole": (0, 15),
    "complex": (-5.0, 5.0),
}
#: The ranges of all arguments, by their number.
MIXES = {
    1: ("few", "signed", "many", "large", "unit", "complex"),
    2: (
        *("few few", "few unit", "whole few", "whole unit", "unit few", "few many", "many many", "signed signed"),
        *("large large", "few complex", "whole complex", "large complex", "complex complex"),
    ),
    3: (
        *("few few few", "few few unit", "whole whole unit", "few unit few", "unit few few", "unit few unit"),
        *("whole many unit", "many many many", "few few many", "signed few signed"),
        *("few few complex", "whole few complex", "complex complex complex"),
    ),
    4: (
        *("few few few unit", "few few few signed", "whole few few unit", "few few few few", "signed signed few unit"),
        *("few few few complex", "whole few few complex", "complex complex complex complex"),
    ),
}


def _data(mix: str) -> Data:
    def draw(kind: str, rng: np.random.Generator) -> np.ndarray:
        low, high = RANGES[kind]
        if kind == "whole":
            return rng.integers(int(low), int(high), SIZE).astype(float)
        x = rng.uniform(low, high, SIZE)
        return x + 1j * rng.uniform(low, high, SIZE) if kind == "complex" else x

    return lambda rng: {name: draw(kind, rng) for name, kind in zip("abcd", mix.split())}


def _first(found: Any) -> np.ndarray:
    return np.asarray(found[0] if isinstance(found, tuple) else found)


def cases(ours: Any, theirs: Any, pattern: str, unanswered: list[str]) -> Iterator[Case]:
    """All that SciPy has as a ufunc and finds a number for at most points; those apart where sciarray finds fewer."""
    for name in sorted(vars(ours)):
        peer = getattr(theirs, name, None)
        if not isinstance(peer, np.ufunc):
            continue
        for mix in MIXES.get(peer.nin, ()):
            case = f"survey/{name} ({mix})"
            if not fnmatch.fnmatchcase(case, pattern):
                continue
            data = _data(mix)
            args = list(data(np.random.default_rng(0)).values())
            try:
                with np.errstate(all="ignore"):
                    found = peer(*args)
            except TypeError:
                continue
            wanted = _first(found)
            if np.isnan(wanted).mean() >= 0.3:
                continue
            try:
                lacking = np.isnan(_first(getattr(ours, name)(*args))[np.isfinite(wanted)]).mean() > 0.05
            except TypeError:
                lacking = True
            if lacking:
                unanswered.append(f"{name} ({mix})")
                continue
            part = "[0]" if isinstance(found, tuple) else ""
            expr = f"special.{name}({', '.join('abcd'[: peer.nin])}){part}"
            yield Case(case, expr, data, goals={"scipy": 1.0}, comparable=False)


def report(libraries: list[Library], pattern: str, rounds: int, seconds: float) -> None:
    """Prints those that take more of the processor's time, on all threads, than SciPy."""
    count, slower, missing, unanswered = 0, list[Result](), list[str](), list[str]()
    for case in cases(*(library.names["special"] for library in libraries), pattern, unanswered):
        progress(case.name)
        result = run(case, libraries, rounds, seconds, clock=time.process_time)
        ratio = result.ratio("scipy")
        if ratio is None:
            missing.append(case.name)
            continue
        count += 1
        if ratio > 1:
            slower.append(result)
    progress()
    print(f"{len(slower)} of {count} functions and ranges of arguments take longer than SciPy's:")
    for result in sorted(slower, key=lambda r: -(r.ratio("scipy") or 0)):
        print(f"{result.ratio('scipy'):6.2f}  {result.times['sciarray'].min / SIZE * 1e9:8.1f} ns  {result.case.name}")
    print("not measured:", ", ".join(missing) or "none")
    print("no answers where SciPy has some:", ", ".join(unanswered) or "none")
