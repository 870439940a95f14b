"""The elementwise functions of the op table under their own names and NumPy's other ones.

They are made in Rust and re-exported as they are, so that a call has no Python frame.
"""

from __future__ import annotations

from . import _core

_ALIASES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "bitwise_not": "bitwise_invert",
    "conjugate": "conj",
    "fix": "trunc",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "true_divide": "divide",
}
_FUNCTIONS = {name: row["function"] for name, row in _core._rows.items() if row["namespace"] == ""}
_FUNCTIONS |= {alias: _FUNCTIONS[name] for alias, name in _ALIASES.items()}

globals().update(_FUNCTIONS)

__all__ = list(_FUNCTIONS)
