"""Record and replay: a function's operations written down once and run again without Python."""

from __future__ import annotations

from .._core import Graph as Graph
from ._data import Node as Node, Profile as Profile
from ._explicit import (
    NotFinite as NotFinite,
    leaf as leaf,
    make_graphed as make_graphed,
    recording as recording,
    why_nan as why_nan,
)
from ._files import load as load
from ._record import Recorded as Recorded, assign as assign, name_scope as name_scope, record as record

__all__ = [
    "Graph",
    "Node",
    "NotFinite",
    "Profile",
    "Recorded",
    "assign",
    "leaf",
    "load",
    "make_graphed",
    "name_scope",
    "record",
    "recording",
    "why_nan",
]
