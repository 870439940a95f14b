"""The special functions at the points of their reference tables: no recorded error may grow, and every goal is held."""

from __future__ import annotations

import json
from typing import Any

import catalogue
import measure
import pytest

import sciarray as sa
from sciarray import _core

ROWS: dict[str, dict[str, Any]] = _core._rows
RECORD: dict[str, dict[str, float]] = json.loads(measure.RECORD.read_text())


@pytest.mark.parametrize("name", catalogue.ENTRIES)
def test_no_error_grows(name):
    found = measure.measure(name)
    grown = {k: (v, RECORD[name][k]) for k, v in found.items() if not v <= RECORD[name][k]}
    assert grown == {}, "measured, recorded"


@pytest.mark.parametrize("name", catalogue.ENTRIES)
def test_goals_are_held(name):
    missed = {k: (RECORD[name][k], goal) for k, goal in measure.goals(name).items() if not RECORD[name][k] <= goal}
    assert missed == {}, "recorded, goal"


def test_every_row_has_a_table():
    tabled = set()

    class Names:
        def __getattr__(self, name: str) -> Any:
            tabled.add(name)
            return getattr(sa.special, name)

    for name, entry in catalogue.ENTRIES.items():
        table = measure.load(name)
        assert len(table["x"]) >= 8, name
        entry.call(Names())(*measure.columns(name, table["x"][:1]))
    rows = {n for n, row in ROWS.items() if row["namespace"] == "special" and row["differentiable"]}
    tabled |= {"fresnel_s", "fresnel_c"}  # The parts of one
    assert rows - tabled == set()
