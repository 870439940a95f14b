"""Results as a Markdown table and as JSON."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

from .libraries import Library
from .measure import Result


def progress(text: str = "") -> None:
    """Shows what is being measured in place of what was before, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _seconds(s: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if s >= scale:
            return f"{s / scale:.3g} {unit}"
    return f"{s / 1e-9:.0f} ns"


def _ratio(result: Result, column: str) -> str:
    low, middle = result.ratio(column, "min"), result.ratio(column, "median")
    return "" if low is None or middle is None else f"{low:.2f} / {middle:.2f}"


def _goal(result: Result) -> str:
    goals = ", ".join(f"{column} {limit:.2g}" for column, limit in result.case.goals.items())
    return {None: goals, True: f"{goals}: held", False: f"{goals}: missed"}[result.held()]


def table(results: list[Result], columns: list[str]) -> str:
    """One line per case: time of sciarray, and its ratio to each column as minimum / median."""
    rows = [["case", "sciarray", *columns, "goal"]]
    for r in results:
        rows.append([r.case.name, _seconds(r.times["sciarray"].min), *(_ratio(r, c) for c in columns), _goal(r)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rows.insert(1, ["-" * w for w in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in rows
    )


def write_json(path: Path, results: list[Result], libraries: list[Library], extra: dict[str, Any]) -> None:
    """Everything that was measured, in seconds per evaluation."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cases = [
        {
            "name": r.case.name,
            "goals": r.case.goals,
            "held": r.held(),
            "skipped": r.skipped,
            "seconds": {
                column: {"min": t.min, "median": t.median, "rounds": t.seconds} for column, t in r.times.items()
            },
        }
        for r in results
    ]
    machine = {"processor": platform.processor() or platform.machine(), "python": platform.python_version()}
    versions = {library.name: library.version for library in libraries}
    path.write_text(json.dumps({"machine": machine, "versions": versions, **extra, "cases": cases}, indent=1) + "\n")
