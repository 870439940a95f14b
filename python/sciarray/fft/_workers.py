"""The number of threads, under SciPy's names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from operator import index

from .. import _core

__all__ = ["get_workers", "set_workers"]


@contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Sets how many threads share the work of one call, in a ``with`` block.

    Negative numbers count down from the number of processors. It holds for all functions and all threads of the process,
    where SciPy's holds for the transforms of one thread; no result depends on it.

    Example
    -------
    >>> with sa.fft.set_workers(1):
    ...     sa.fft.get_workers()
    1
    """
    wanted, processors = index(workers), os.cpu_count() or 1
    count = wanted if wanted >= 0 else wanted + processors + 1
    if count < 1:
        raise ValueError(f"set_workers: workers must be from 1 on, or from -{processors} to -1, got {wanted}")
    before = _core.set_num_threads(count)
    try:
        yield
    finally:
        _core.set_num_threads(before)


def get_workers() -> int:
    """How many threads share the work of one call.

    Example
    -------
    >>> sa.fft.get_workers() >= 1
    True
    """
    return _core.num_threads()
