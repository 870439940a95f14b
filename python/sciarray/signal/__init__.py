"""Signal processing, with the names and conventions of `scipy.signal`."""

from __future__ import annotations

from . import windows as windows
from .windows import get_window

__all__ = [
    "get_window",
    "windows",
]
