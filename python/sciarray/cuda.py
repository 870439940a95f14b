"""NVIDIA GPUs: what is there, and waiting for it.

The driver and NVIDIA's libraries are opened when something first asks for them; ``pip install sciarray[cuda13]`` installs the
libraries, the driver comes with the system.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from . import _core

__all__ = ["device_count", "is_available", "memory_stats", "stream", "synchronize"]


@cache
def _find_libraries() -> None:
    """Tells the core where NVIDIA's wheels and the toolkit keep their libraries."""
    folders = []
    for package in ("nvidia.cu13", "nvidia.cuda_nvrtc"):
        try:
            spec = find_spec(package)
        except ModuleNotFoundError:
            continue
        places = spec.submodule_search_locations if spec else None
        folders += [Path(place) / "lib" for place in places or ()]
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        path = load_nvidia_dynamic_lib("nvrtc").abs_path
        folders += [Path(path).parent] if path else []
    except (ImportError, RuntimeError, OSError):
        pass
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if root := os.environ.get(name):
            folders += [Path(root) / "lib64", Path(root) / "lib"]
    _core.cuda_set_folders(list(dict.fromkeys(str(f) for f in folders if f.is_dir())))


def _number(device: int | str | None) -> int:
    """The number of ``cuda``, ``cuda:1`` or ``1``."""
    if device is None:
        return 0
    if isinstance(device, str):
        kind, _, number = device.partition(":")
        if kind != "cuda" or not (number.isdecimal() or device == "cuda"):
            raise ValueError(f"cuda: a device is 'cuda' or 'cuda:N', got {device!r}")
        return int(number or 0)
    if device < 0:
        raise ValueError(f"cuda: the number of a device is at least 0, got {device}")
    return int(device)


def _prepare(device: int | str | None) -> int:
    """Opens what a device needs; raises RuntimeError that names what is missing and how to get it."""
    _find_libraries()
    number = _number(device)
    _core.cuda_prepare(number)
    return number


def device_count() -> int:
    """Number of GPUs that the CUDA driver reports; 0 without a driver.

    >>> sa.cuda.device_count() >= 0
    True
    """
    try:
        return _core.cuda_device_count()
    except RuntimeError:
        return 0


def is_available() -> bool:
    """Whether there is a GPU, and the driver and compiler that it needs.

    >>> sa.cuda.is_available() in (False, True)
    True
    """
    if device_count() == 0:
        return False
    try:
        _prepare(0)
    except RuntimeError:
        return False
    return True


def synchronize(device: int | str | None = None) -> None:
    """Waits until a device, by default ``cuda:0``, has done all its work; raises RuntimeError where it cannot be used.

    >>> if sa.cuda.is_available():
    ...     sa.cuda.synchronize()
    """
    _core.cuda_synchronize(_prepare(device))


def memory_stats(device: int | str | None = None) -> dict[str, int]:
    """Bytes of a device's memory: ``total``, ``free``, and what arrays use and the driver keeps for them: ``used``, ``kept``.

    Raises RuntimeError where the device cannot be used. Memory that is no longer used is kept for later arrays.

    >>> stats = sa.cuda.memory_stats() if sa.cuda.is_available() else {"free": 0, "total": 0}
    >>> stats["free"] <= stats["total"]
    True
    """
    number = _prepare(device)
    free, total = _core.cuda_memory(number)
    used, kept = _core.cuda_pool_memory(number)
    return {"free": free, "total": total, "used": used, "kept": kept}


def stream(device: int | str | None = None) -> int:
    """The handle (``CUstream``) of the stream that this thread works on, for libraries that take one.

    Raises RuntimeError where the device cannot be used.

    >>> handle = sa.cuda.stream() if sa.cuda.is_available() else 0
    >>> handle >= 0
    True
    """
    return _core.cuda_stream(_prepare(device))
