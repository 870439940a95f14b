"""The special functions of the op table."""

from __future__ import annotations

from .. import _core

_FUNCTIONS = {name: row["function"] for name, row in _core._rows.items() if row["namespace"] == "special"}

globals().update(_FUNCTIONS)

__all__ = list(_FUNCTIONS)
