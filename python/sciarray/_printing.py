"""Text of arrays, as NumPy prints them."""

from __future__ import annotations

import numpy as np

from ._core import Array


def _values(x: Array) -> np.ndarray:
    return np.asarray(memoryview(x.detach().to("cpu")))


def _repr(self: Array) -> str:
    text = np.array2string(_values(self), separator=", ", prefix="array(")
    notes = []
    default = {"b": "bool", "i": "int64", "f": "float64", "c": "complex128"}.get(self.dtype.kind)
    if self.dtype.name != default or self.size == 0:
        notes.append(f"dtype={self.dtype.name}")
    if self.size == 0 and self.shape != (0,):
        notes.insert(0, f"shape={self.shape}")
    if self.device != "cpu":
        notes.append(f"device='{self.device}'")
    if self.requires_grad:
        notes.append("requires_grad=True")
    return f"array({', '.join([text, *notes])})"


def _str(self: Array) -> str:
    return str(_values(self))


def _format(self: Array, spec: str) -> str:
    return format(self.item(), spec) if self.ndim == 0 else format(_str(self), spec)


Array.__repr__ = _repr  # type: ignore[method-assign]
Array.__str__ = _str  # type: ignore[method-assign]
Array.__format__ = _format  # type: ignore[method-assign]
