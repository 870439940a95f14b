"""Facts about dtypes and about this namespace."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arguments import common_dtype
from ._core import Array, DType
from ._creation import asarray

__all__ = [
    "__array_namespace_info__",
    "astype",
    "can_cast",
    "dtype",
    "finfo",
    "iinfo",
    "isdtype",
    "issubdtype",
    "result_type",
]

_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
_ALL = (
    _core.bool,
    _core.int8,
    _core.int16,
    _core.int32,
    _core.int64,
    _core.uint8,
    _core.uint16,
    _core.uint32,
    _core.uint64,
    _core.float32,
    _core.float64,
    _core.complex64,
    _core.complex128,
)


def dtype(x: Any, /) -> DType:
    """The dtype that a name, a Python type or NumPy's dtype means.

    Raises TypeError for dtypes that arrays cannot have.

    Example
    -------
    >>> sa.dtype("f4") == sa.float32
    True
    """
    return _core.promote_types(x, x)


@dataclass(frozen=True)
class finfo_object:
    """Machine limits of a float dtype, as Python numbers."""

    dtype: DType
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    smallest_subnormal: float
    epsneg: float
    precision: int
    resolution: float

    @property
    def tiny(self) -> float:
        """NumPy's name of ``smallest_normal``."""
        return self.smallest_normal


@dataclass(frozen=True)
class iinfo_object:
    """Limits of an integer dtype."""

    dtype: DType
    bits: int
    max: int
    min: int


def _dtype_of(x: Any) -> DType:
    return dtype(x.dtype if isinstance(x, (Array, np.ndarray, np.generic)) else x)


def finfo(type: Any, /) -> finfo_object:
    """Limits of a float dtype, or of the parts of a complex one; an array stands for its dtype.

    Example
    -------
    >>> sa.finfo(sa.float32).bits
    32
    """
    d = _dtype_of(type)
    if d.kind not in "fc":
        raise TypeError(f"finfo: the dtype must be float or complex, got {d}")
    if d.kind == "c":
        d = _core.float32 if d == _core.complex64 else _core.float64
    f = np.finfo(d.name)
    return finfo_object(
        dtype=d,
        bits=f.bits,
        precision=f.precision,
        **{
            name: float(getattr(f, name))
            for name in ("eps", "max", "min", "smallest_normal", "smallest_subnormal", "epsneg", "resolution")
        },
    )


def iinfo(type: Any, /) -> iinfo_object:
    """Limits of an integer dtype; an array stands for its dtype.

    Example
    -------
    >>> sa.iinfo(sa.int8).max
    127
    """
    d = _dtype_of(type)
    if d.kind not in "iu":
        raise TypeError(f"iinfo: the dtype must be an integer, got {d}")
    i = np.iinfo(d.name)
    return iinfo_object(dtype=d, bits=i.bits, max=int(i.max), min=int(i.min))


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind: a dtype, one of the standard's kind names, or a tuple of these.

    Example
    -------
    >>> sa.isdtype(sa.float32, ("real floating", "complex floating"))
    True
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    d = _core.promote_types(dtype, dtype)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: kind must be one of {', '.join(_KINDS)}, got {kind!r}")
        return d.kind in _KINDS[kind]
    return d == kind


def issubdtype(arg1: Any, arg2: Any, /) -> bool:
    """Whether a dtype belongs to one of NumPy's abstract types or is that dtype.

    Example
    -------
    >>> import numpy as np
    >>> sa.issubdtype(sa.float32, np.floating)
    True
    """
    as_numpy = [x.name if isinstance(x, DType) else x for x in (arg1, arg2)]
    return bool(np.issubdtype(*as_numpy))


def can_cast(from_: Any, to: Any, casting: str = "safe", /) -> bool:
    """Whether values of a dtype, or of an array's, may be converted to another under NumPy's casting rule.

    Example
    -------
    >>> sa.can_cast(sa.int32, sa.float64), sa.can_cast(sa.float64, sa.int32)
    (True, False)
    """
    return bool(np.can_cast(_dtype_of(from_).name, dtype(to).name, casting=casting))  # type: ignore[arg-type]


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype at which arrays, dtypes and Python scalars meet; scalars yield to arrays, as in NumPy 2.

    Example
    -------
    >>> sa.result_type(sa.asarray([1], dtype="int8"), 3, sa.uint8)
    sciarray.int16
    """
    return common_dtype(arrays_and_dtypes)


class _NamespaceInfo:
    """What ``__array_namespace_info__()`` answers: capabilities, devices and dtypes."""

    __module__ = "sciarray"

    def capabilities(self) -> dict[str, Any]:
        """What code may rely on: boolean indexing and shapes that depend on data; any number of axes."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> str:
        """The device of new arrays."""
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """All devices that arrays can be on."""
        from . import cuda

        return ("cpu", *(f"cuda:{n}" for n in range(cuda.device_count())))

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The dtypes of new arrays by kind."""
        self._check(device)
        return {
            "real floating": _core.float64,
            "complex floating": _core.complex128,
            "integral": _core.int64,
            "indexing": _core.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """All dtypes of a kind by name."""
        self._check(device)
        return {d.name: d for d in _ALL if kind is None or isdtype(d, kind)}

    def _check(self, device: Any) -> None:
        if device is not None and device not in self.devices():
            raise ValueError(f"__array_namespace_info__: the devices are {self.devices()}, got {device!r}")


def __array_namespace_info__() -> _NamespaceInfo:
    """Capabilities, devices and dtypes of this namespace, as the Array API standard asks.

    Example
    -------
    >>> sa.__array_namespace_info__().default_device()
    'cpu'
    """
    return _NamespaceInfo()


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """``x`` in another dtype: floats are cut towards 0 for integers, everything but 0 is True for bool.

    The gradient is cast back. ``copy=False`` returns ``x`` itself where it has the dtype. Complex numbers lose their
    imaginary part under NumPy's ComplexWarning.

    Example
    -------
    >>> sa.astype(sa.asarray([1.7, -1.7]), sa.int64)
    array([ 1, -1])
    """
    x = asarray(x, device=device)
    d = _core.promote_types(dtype, dtype)
    if d == x.dtype and not copy:
        return x
    if x.dtype.kind == "c" and d.kind not in "bc":
        warnings.warn(f"astype: the imaginary part is dropped by conversion to {d}", np.exceptions.ComplexWarning, 2)
    return _core.astype(x, d)
