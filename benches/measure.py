"""Timing of one case: every library in turn, in rounds, so that a disturbance hits all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from timeit import Timer
from typing import Any

import numpy as np

from .libraries import Library

#: A library that takes longer than this many seconds for all rounds of a case gets fewer of them, but not fewer than these.
LONGEST, FEWEST = 5.0, 3

Data = Callable[[np.random.Generator], dict[str, np.ndarray]]
Clock = Callable[[], float]


def _of(text: str | Mapping[str, str | None], library: str) -> str | None:
    return text if isinstance(text, str) else text.get(library, text.get(""))


@dataclass(frozen=True)
class Case:
    """An expression over named arrays, timed in every library that can evaluate it."""

    name: str
    #: The expression; where libraries differ in more than the namespace, one for each and ``""`` for the others, None for
    #: those that sit out.
    expr: str | Mapping[str, str | None]
    data: Data
    #: Statements executed once before, likewise.
    setup: str | Mapping[str, str | None] = ""
    #: Another expression for sciarray itself, shown as the column ``self``.
    baseline: str | None = None
    #: The largest time of sciarray relative to a column, ``best`` being the fastest peer.
    goals: dict[str, float] = field(default_factory=dict)
    #: Arrays are leaves whose operations are recorded for ``backward``.
    tracked: bool = False
    #: The expression is a function of the data that each library compiles in its way.
    compiled: bool = False
    #: All libraries compute the same numbers.
    comparable: bool = True
    #: The expression is timed as it stands, also where a library is always compiled.
    verbatim: bool = False

    def expression(self, library: str) -> str | None:
        return _of(self.expr, library)

    def preparation(self, library: str) -> str:
        return _of(self.setup, library) or ""


@dataclass
class Times:
    """Seconds per evaluation, one entry per round."""

    seconds: list[float] = field(default_factory=list)

    @property
    def min(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return float(np.median(self.seconds))


@dataclass
class Result:
    case: Case
    times: dict[str, Times]
    skipped: dict[str, str]

    def ratio(self, column: str, statistic: str = "min") -> float | None:
        """Time of sciarray relative to a column, below 1 where sciarray is faster."""
        ours = self.times.get("sciarray")
        if column == "best":
            others = [t for name, t in self.times.items() if name not in ("sciarray", "self")]
        else:
            others = [self.times[column]] if column in self.times else []
        if ours is None or not others:
            return None
        return getattr(ours, statistic) / min(getattr(t, statistic) for t in others)

    def held(self) -> bool | None:
        """Whether every goal that could be measured holds; None where there was nothing to measure."""
        ratios = [(self.ratio(column), limit) for column, limit in self.case.goals.items()]
        known = [r <= limit for r, limit in ratios if r is not None]
        return all(known) if known else None


def _evaluate(expr: str, library: Library, case: Case, data: dict[str, np.ndarray], clock: Clock) -> tuple[Timer, Any]:
    code = compile(expr, case.name, "eval")
    prepared = compile(case.preparation(library.name), case.name, "exec")
    if "xp" not in library.names and not {*code.co_names, *prepared.co_names} & set(library.names):
        raise NameError(f"{library.name} has no arrays of its own")
    names = dict(library.names)
    for key, value in data.items():
        names[key] = library.array(value)
        if case.tracked:
            if library.track is None:
                raise AttributeError(f"{library.name} has no tape")
            names[key] = library.track(names[key])
    exec(prepared, names)
    if not case.verbatim and (case.compiled or library.always_compiled):
        # Everything that the expression reads of the arrays is an argument: nothing may be folded as a constant.
        arrays = [n for n in code.co_names if n in names and n not in library.names and not callable(names[n])]
        function = eval(f"lambda {', '.join(arrays)}: {expr}", names)
        names["_call"] = library.compile(function)
        expr = f"_call({', '.join(arrays)})"
    if library.ready is not None:
        names["_ready"] = library.ready
        expr = f"_ready({expr})"
    value = eval(expr, names)
    return Timer(expr, timer=clock, globals=names), library.numpy(value) if case.comparable else None


def run(
    case: Case, libraries: list[Library], rounds: int, batch: float, seed: int = 0, clock: Clock = time.perf_counter
) -> Result:
    """Times ``case`` in ``rounds`` rounds of batches of about ``batch`` seconds of this clock per library."""
    data = case.data(np.random.default_rng(seed))
    timers: dict[str, Timer] = {}
    skipped: dict[str, str] = {}
    expected = None
    for library in libraries:
        columns = {library.name: case.expression(library.name)}
        if library.name == "sciarray":
            columns["self"] = case.baseline
        for column, expr in columns.items():
            if expr is None:
                continue
            try:
                timers[column], value = _evaluate(expr, library, case, data, clock)
            except Exception as e:
                # What a library cannot do it sits out.
                skipped[column] = f"{type(e).__name__}: {e}"
                continue
            if column != "self" and case.comparable:
                expected = value if expected is None else expected
                np.testing.assert_allclose(value, expected, 1e-6, 1e-8, err_msg=f"{case.name}: {library.name}")
    if "sciarray" not in timers:
        return Result(case, {}, skipped)

    numbers, turns = {}, {}
    for column, timer in timers.items():
        once = timer.timeit(1)
        if once < batch:
            once = min(once, timer.timeit(1), timer.timeit(1))
        numbers[column] = max(1, int(batch / max(once, 1e-9)))
        turns[column] = max(FEWEST, min(rounds, int(LONGEST / (2 * once))))
    times = {column: Times() for column in timers}
    order = list(timers)
    gc.collect()
    gc.disable()
    try:
        for k in range(rounds):
            for column in order[k % len(order) :] + order[: k % len(order)]:
                if k >= turns[column]:
                    continue
                # Threads of the one before may still spin; the first call refills caches.
                time.sleep(0.001)
                timers[column].timeit(1)
                times[column].seconds.append(timers[column].timeit(numbers[column]) / numbers[column])
    finally:
        gc.enable()
    return Result(case, times, skipped)
