"""Methods and attributes of arrays that are functions of this package."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from . import _core, _indexing, _info, _linear, _manipulation, _matrices, _numeric, _searching, _statistics
from ._core import Array
from ._creation import asarray
from ._elementwise import clip, divmod, round


def _flatten(self: Array, /, order: str = "C") -> Array:
    """All elements in one axis."""
    return _manipulation.ravel(self, order)


def _sort(self: Array, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> None:
    """Sorts in place along an axis; the function ``sort`` returns a copy."""
    self[...] = _searching.sort(self, axis, descending=descending, stable=stable)


def _fill(self: Array, value: Any, /) -> None:
    """Assigns one value to all elements."""
    self[...] = value


def _divmod(self: Array, other: Any) -> Any:
    return _operator(divmod, self, other)


def _rdivmod(self: Array, other: Any) -> Any:
    return _operator(divmod, other, self)


def _operator(f: Any, x1: Any, x2: Any) -> Any:
    """NotImplemented for operands that are neither arrays nor numbers, so that Python asks them."""
    for x in (x1, x2):
        if x is None or isinstance(x, str) or getattr(x, "__array_ufunc__", True) is None:
            return NotImplemented
    return f(x1, x2)


def _iter(self: Array) -> Iterator[Array]:
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    return (self[i] for i in range(self.shape[0]))


def _contains(self: Array, value: Any) -> bool:
    return bool(_core.any(_core.equal(self, value)))


def _array_namespace(self: Array, /, *, api_version: str | None = None) -> ModuleType:
    """The module whose functions take this array."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(
            f"__array_namespace__: versions 2021.12 to 2025.12 of the standard are met, got {api_version!r}"
        )
    return sys.modules[__name__.partition(".")[0]]


def _to(self: Array, device: str, /) -> Array:
    """The same values on a device, ``cpu``, ``cuda`` or ``cuda:N``; itself where it is there, and a gradient flows back.

    RuntimeError names what is missing where a device cannot be used, ValueError a name that is none.

    Example
    -------
    >>> sa.asarray([1.0]).to("cpu").device
    'cpu'
    """
    return asarray(self, device=device)


def _to_device(self: Array, device: Any, /, *, stream: Any = None) -> Array:
    """``to`` as the Array API standard calls it; ``stream`` must be None: work is done in the order it is sent in."""
    if stream is not None:
        raise ValueError(f"to_device: stream must be None, got {stream!r}")
    return asarray(self, device=device)


def _flat(self: Array) -> Array:
    """The elements in one axis, to read and iterate over."""
    return _core.reshape(self, -1)


def _assign_flat(self: Array, values: Any) -> None:
    _indexing.put(self, range(self.size), values)


def _adjoint(self: Array) -> Array:
    """Conjugated and transposed matrices (..., m, n)."""
    y = _manipulation.matrix_transpose(self)
    return _core.conj(y) if y.dtype.kind == "c" else y


def _real(self: Array) -> Array:
    """The real part."""
    return _core.real(self)


def _imag(self: Array) -> Array:
    """The imaginary part; zeros for real numbers."""
    return _core.imag(self)


def _set_real(self: Array, value: Any) -> None:
    if self.dtype.kind == "c":
        imag = _core.imag(self)
        value = _core.complex(_core.broadcast_to(asarray(value, dtype=imag.dtype), self.shape), imag)
    self[...] = value


def _set_imag(self: Array, value: Any) -> None:
    if self.dtype.kind != "c":
        raise TypeError(f"imag: only complex arrays can be assigned an imaginary part, got dtype {self.dtype}")
    real = _core.real(self)
    self[...] = _core.complex(real, _core.broadcast_to(asarray(value, dtype=real.dtype), self.shape))


def _conjugate(self: Array, /) -> Array:
    """The complex conjugate."""
    return _core.conj(self)


def _compress(self: Array, condition: Any, /, axis: int | None = None) -> Array:
    """Slices along an axis where a vector of truths is true."""
    return _indexing.compress(condition, self, axis)


def _argmax(self: Array, /, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Position of the first largest element along an axis, or in the flattened array."""
    return _core.argmax(self, axis, keepdims=keepdims)


def _argmin(self: Array, /, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Position of the first smallest element along an axis, or in the flattened array."""
    return _core.argmin(self, axis, keepdims=keepdims)


_FUNCTIONS = {
    **{
        f.__name__: f
        for f in (
            _indexing.choose,
            _indexing.put,
            _indexing.take,
            _info.astype,
            _linear.dot,
            _manipulation.copy,
            _manipulation.ravel,
            _manipulation.repeat,
            _manipulation.squeeze,
            _manipulation.swapaxes,
            _matrices.diagonal,
            _matrices.trace,
            _numeric.cumprod,
            _numeric.cumsum,
            _searching.argpartition,
            _searching.argsort,
            _searching.nonzero,
            _searching.searchsorted,
            _statistics.mean,
            _statistics.ptp,
            _statistics.std,
            _statistics.var,
            clip,
            round,
        )
    },
    "__array_namespace__": _array_namespace,
    "__contains__": _contains,
    "__divmod__": _divmod,
    "__iter__": _iter,
    "__rdivmod__": _rdivmod,
    "argmax": _argmax,
    "argmin": _argmin,
    "compress": _compress,
    "conj": _conjugate,
    "conjugate": _conjugate,
    "fill": _fill,
    "flatten": _flatten,
    "sort": _sort,
    "to": _to,
    "to_device": _to_device,
}

_PROPERTIES = {
    "flat": property(_flat, _assign_flat),
    "imag": property(_imag, _set_imag),
    "mH": property(_adjoint),
    "real": property(_real, _set_real),
}

for _name, _member in {**_FUNCTIONS, **_PROPERTIES}.items():
    setattr(Array, _name, _member)
