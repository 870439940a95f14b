"""Special functions under SciPy's names."""

from __future__ import annotations

from . import _rows
from ._rows import *  # noqa: F403

__all__: list[str] = []
__all__ += _rows.__all__
