"""Special functions under SciPy's names."""

from __future__ import annotations

from sciarray import _core

globals().update({name: row["function"] for name, row in _core._rows.items() if row["namespace"] == "special"})

__all__ = [name for name, row in _core._rows.items() if row["namespace"] == "special"]
