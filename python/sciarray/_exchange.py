"""Memory that is shared with other libraries, both ways: DLPack, and ``__cuda_array_interface__`` on GPUs."""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np

from . import _core
from ._core import Array
from ._creation import device_name

__all__ = ["from_dlpack"]


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """An array on the memory of a DLPack exporter, such as a NumPy array or a PyTorch tensor, of the CPU or of a GPU.

    The memory is not copied, unless ``copy=True`` or its layout demands it; ``copy=False`` raises ValueError there. Later
    writes by their owner show, writes to the result never reach it. On a GPU the exporter's pending work is waited for on the
    thread's stream. ``device`` asks for the result there: the exporter for a copy in CPU memory, ourselves for one on a GPU.
    float16 and other dtypes that sciarray lacks raise TypeError, memory of other devices BufferError.

    Example
    -------
    >>> sa.from_dlpack(np.arange(3.0))
    array([0., 1., 2.])
    """
    if device is not None:
        device = device_name("from_dlpack", device)
    if isinstance(x, Array):
        if device not in (None, x.device):
            if copy is False:
                raise ValueError(f"from_dlpack: an array on {x.device} is not on {device} without a copy")
            return _core.to(x, device)
        return _core.copy(x) if copy else x
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: the argument must have __dlpack__, got {type(x).__name__}")
    kind, number = map(int, x.__dlpack_device__())
    options: dict[str, Any] = {"max_version": (1, 0)}
    if device == "cpu":
        options["dl_device"] = (1, 0)
    elif kind == 2:
        # The exporter's work is waited for by this thread's.
        options["stream"] = _core.cuda_stream(int(device_name("from_dlpack", f"cuda:{number}")[5:]))
    elif kind not in (1, 3):
        raise BufferError(
            f"from_dlpack: the exporter must lie in memory of the CPU or of a GPU, got device ({kind}, {number}); "
            "device='cpu' asks it for a copy there"
        )
    if copy is False:
        options["copy"] = False
    try:
        capsule = x.__dlpack__(**options)
    except TypeError:
        # Exporters from before DLPack 1.0 take no such arguments.
        capsule = x.__dlpack__(**{k: options[k] for k in ("stream",) if k in options})
    y = _core.from_capsule(capsule, copy is not False)
    if y is None:
        raise ValueError("from_dlpack: the layout of the memory demands a copy, got copy=False")
    if device not in (None, y.device):
        if copy is False:
            raise ValueError(f"from_dlpack: memory on {y.device} is not on {device} without a copy")
        return _core.to(y, device)
    return _core.copy(y) if copy else y


def from_cuda(x: Any) -> Array | None:
    """The array on the memory of a GPU that an object of another library lends; None where it does not."""
    if hasattr(x, "__dlpack_device__") and int(x.__dlpack_device__()[0]) == 2:
        return from_dlpack(x)
    lent = getattr(x, "__cuda_array_interface__", None)
    if lent is None:
        return None
    dtype = np.dtype(lent["typestr"])
    if lent.get("mask") is not None or not dtype.isnative:
        raise TypeError(f"asarray: memory of a GPU must be native and have no mask, got {lent!r}")
    shape, strides = lent["shape"], lent.get("strides")
    if strides is None:
        strides = [dtype.itemsize * math.prod(shape[k + 1 :]) for k in range(len(shape))]
    device_name("asarray", "cuda")
    return _core.cuda_adopt(x, lent["data"][0] or 0, dtype.name, shape, strides, lent.get("stream"))


# What objects that were asked for `__cuda_array_interface__` have lent, until they go: it has no way to hand memory back.
_LENT: dict[tuple[int, int], Array] = {}


def _take_back(key: tuple[int, int]) -> None:
    x = _LENT.pop(key)
    _core.cuda_synchronize(int(x.device[5:]))


def cuda_array_interface(self: Array) -> dict[str, Any]:
    """The memory of an array on a GPU for Numba, CuPy and others, read-only (version 3); AttributeError on the CPU.

    The memory is lent as long as this object lives, and then waits for all work of the device; DLPack waits for less.

    Example
    -------
    >>> hasattr(sa.zeros(3), "__cuda_array_interface__")
    False
    """
    if self.device == "cpu":
        raise AttributeError("__cuda_array_interface__: the array is on the CPU, got device 'cpu'")
    address, stream = _core.cuda_address(self)
    key = id(self), address
    if key not in _LENT:
        _LENT[key] = self.detach()
        weakref.finalize(self, _take_back, key).atexit = False
    return {
        "shape": self.shape,
        "typestr": np.dtype(self.dtype.name).str,
        "data": (address, True),
        "strides": self.strides,
        "stream": stream,
        "version": 3,
    }
