"""Rearranging, joining and splitting arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._core import Array
from ._creation import asarray

__all__ = ["concat", "concatenate", "expand_dims", "stack"]


def _promoted(name: str, arrays: Sequence[Any], dtype: Any = None) -> list[Array]:
    """Arrays of one dtype, that of the argument or the common one; Python scalars are weak."""
    xs = [asarray(a) for a in arrays]
    if not xs:
        raise ValueError(f"{name}: at least one array is required, got none")
    if dtype is None:
        dtype = xs[0].dtype
        for x in xs[1:]:
            dtype = _core.promote_types(dtype, x.dtype)
    return [_core.astype(x, dtype) for x in xs]


def concat(arrays: Sequence[Any], /, axis: int | None = 0, *, dtype: Any = None) -> Array:
    """Arrays joined along an axis, in their common dtype; ``axis=None`` joins them flattened.

    Example
    -------
    >>> sa.concat([sa.asarray([1, 2]), sa.asarray([3.5])])
    array([1. , 2. , 3.5])
    """
    xs = _promoted("concat", arrays, dtype)
    if axis is None:
        xs, axis = [_core.reshape(x, -1) for x in xs], 0
    return _core.concat(xs, axis)


concatenate = concat


def expand_dims(x: Any, /, axis: int | Sequence[int] = 0) -> Array:
    """Axes of length 1 inserted at the given positions of the result.

    Example
    -------
    >>> sa.expand_dims(sa.asarray([1, 2]), axis=1).shape
    (2, 1)
    """
    x = asarray(x)
    axes = [axis] if isinstance(axis, int) else list(axis)
    n = x.ndim + len(axes)
    places = []
    for a in axes:
        if not -n <= a < n:
            raise IndexError(f"expand_dims: axis must be in [-{n}, {n}), got {a}")
        places.append(a % n)
    if len(set(places)) != len(places):
        raise ValueError(f"expand_dims: axes must not repeat, got {axis}")
    sizes = iter(x.shape)
    return _core.reshape(x, tuple(1 if i in places else next(sizes) for i in range(n)))


def stack(arrays: Sequence[Any], /, axis: int = 0) -> Array:
    """Arrays of one shape joined along a new axis.

    Example
    -------
    >>> sa.stack([sa.asarray([1, 2]), sa.asarray([3, 4])], axis=1)
    array([[1, 3],
           [2, 4]])
    """
    xs = _promoted("stack", arrays)
    for x in xs:
        if x.shape != xs[0].shape:
            raise ValueError(f"stack: all arrays must have the same shape, got {xs[0].shape} and {x.shape}")
    n = xs[0].ndim + 1
    if not -n <= axis < n:
        raise IndexError(f"stack: axis must be in [-{n}, {n}), got {axis}")
    return _core.concat([expand_dims(x, axis) for x in xs], axis % n)
