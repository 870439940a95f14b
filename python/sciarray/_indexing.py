"""Selecting elements by indices and masks through functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._arguments import at, flat_or_axis, promoted
from ._core import Array
from ._creation import arange, asarray
from ._manipulation import broadcast_shapes, broadcast_to

__all__ = ["choose", "compress", "extract", "place", "put", "put_along_axis", "putmask", "take", "take_along_axis"]


def _indices(op: str, indices: Any) -> Array:
    i = asarray(indices)
    if i.size == 0 and i.dtype.kind == "f":
        i = _core.astype(i, _core.int64)
    if i.dtype.kind not in "iu":
        raise IndexError(f"{op}: indices must be integers, got dtype {i.dtype}")
    return i


def _in_mode(op: str, i: Array, n: int, mode: str) -> Array:
    if mode == "raise":
        return i
    if n == 0 and i.size:
        raise IndexError(f"{op}: an empty axis has nothing to take")
    if mode == "wrap":
        return _core.remainder(i, n)
    if mode == "clip":
        return _core.minimum(_core.maximum(i, 0), n - 1)
    raise ValueError(f"{op}: mode must be raise, wrap or clip, got {mode!r}")


def take(x: Any, /, indices: Any, axis: int | None = None, *, mode: str = "raise") -> Array:
    """Slices at some places of an axis, of the flattened array where ``axis`` is None.

    The axis is replaced by those of ``indices``. Negative indices count from the end; ``mode="clip"`` and ``"wrap"``
    bring others into range, otherwise they raise IndexError.

    Example
    -------
    >>> sa.take(sa.asarray([10, 20, 30]), [2, 0])
    array([30, 10])
    """
    x, axis = flat_or_axis("take", asarray(x), axis)
    i = _in_mode("take", _indices("take", indices), x.shape[axis], mode)
    return x[at(axis, i)]


def take_along_axis(x: Any, /, indices: Any, axis: int | None = -1) -> Array:
    """Elements at places along an axis that differ from line to line, as ``argsort`` returns them.

    The other axes of ``x`` and ``indices`` broadcast. Both count as flattened where ``axis`` is None.

    Example
    -------
    >>> x = sa.asarray([[3, 1], [2, 4]])
    >>> sa.take_along_axis(x, sa.argsort(x), axis=-1)
    array([[1, 3],
           [2, 4]])
    """
    x, axis = flat_or_axis("take_along_axis", asarray(x), axis)
    i = _indices("take_along_axis", indices)
    if i.ndim != x.ndim:
        raise ValueError(f"take_along_axis: x and indices must have as many axes, got shapes {x.shape} and {i.shape}")
    if x.shape[:axis] != i.shape[:axis] or x.shape[axis + 1 :] != i.shape[axis + 1 :]:
        lead = broadcast_shapes(x.shape[:axis], i.shape[:axis])
        rest = broadcast_shapes(x.shape[axis + 1 :], i.shape[axis + 1 :])
        x, i = broadcast_to(x, (*lead, x.shape[axis], *rest)), broadcast_to(i, (*lead, i.shape[axis], *rest))
    return _core.take_along_axis(x, i, axis)


def put_along_axis(x: Array, indices: Any, values: Any, axis: int | None) -> None:
    """Assigns to elements of ``x`` at places along an axis that differ from line to line.

    Example
    -------
    >>> x = sa.asarray([[3, 1], [2, 4]])
    >>> sa.put_along_axis(x, sa.argmax(x, axis=1, keepdims=True), 0, axis=1)
    >>> x
    array([[0, 1],
           [2, 0]])
    """
    _check_target("put_along_axis", x)
    y, a = flat_or_axis("put_along_axis", x, axis)
    i = _indices("put_along_axis", indices)
    if i.ndim != y.ndim:
        raise ValueError(f"put_along_axis: x and indices must have as many axes, got shapes {y.shape} and {i.shape}")
    key = [
        _core.reshape(arange(n), (1,) * b + (n,) + (1,) * (y.ndim - b - 1)) if b != a else i
        for b, n in enumerate(y.shape)
    ]
    y[tuple(key)] = values
    x[...] = _core.reshape(y, x.shape)


def _check_target(op: str, x: Any) -> None:
    if not isinstance(x, Array):
        raise TypeError(f"{op}: x must be an Array to be assigned to, got {type(x).__name__}")


def put(x: Array, indices: Any, values: Any, /, mode: str = "raise") -> None:
    """Assigns to places of the flattened ``x``; values repeat where there are fewer.

    Example
    -------
    >>> x = sa.zeros(3)
    >>> sa.put(x, [0, 2], [5.0, 6.0])
    >>> x
    array([5., 0., 6.])
    """
    _check_target("put", x)
    y = _core.reshape(x, -1)
    i = _core.reshape(_in_mode("put", _indices("put", indices), x.size, mode), -1)
    v = _core.reshape(asarray(values), -1)
    if i.size and v.size:
        y[i] = v[arange(i.size) % v.size].to(x.device)
        x[...] = _core.reshape(y, x.shape)


def putmask(x: Array, mask: Any, values: Any, /) -> None:
    """Assigns ``values``, repeated to the shape of ``x``, where the mask is true.

    Example
    -------
    >>> x = sa.arange(4)
    >>> sa.putmask(x, x > 1, 9)
    >>> x
    array([0, 1, 9, 9])
    """
    _check_target("putmask", x)
    v = _core.reshape(asarray(values), -1)
    if v.size != 1:
        v = _core.reshape(v[arange(x.size) % v.size], x.shape)
    x[...] = _core.astype(_core.where(mask, v, x), x.dtype)


def place(x: Array, mask: Any, values: Any, /) -> None:
    """Assigns the values, one after another, to the elements where the mask is true.

    Example
    -------
    >>> x = sa.arange(4)
    >>> sa.place(x, x > 1, [8, 9])
    >>> x
    array([0, 1, 8, 9])
    """
    _check_target("place", x)
    (places,) = _core.nonzero(_core.reshape(asarray(mask), -1))
    put(x, places, values)


def compress(condition: Any, x: Any, /, axis: int | None = None) -> Array:
    """Slices along an axis where a vector of truths, which may be shorter, is true.

    Example
    -------
    >>> sa.compress([False, True], sa.asarray([1, 2, 3]))
    array([2])
    """
    x, axis = flat_or_axis("compress", asarray(x), axis)
    c = asarray(condition)
    if c.ndim != 1:
        raise ValueError(f"compress: the condition must be a vector, got shape {c.shape}")
    (places,) = _core.nonzero(c)
    return x[at(axis, places)]


def extract(condition: Any, x: Any, /) -> Array:
    """The elements, in one axis, where the condition is true.

    Example
    -------
    >>> x = sa.arange(4)
    >>> sa.extract(x > 1, x)
    array([2, 3])
    """
    return compress(_core.reshape(asarray(condition), -1), _core.reshape(asarray(x), -1))


def choose(indices: Any, choices: Sequence[Any], /, mode: str = "raise") -> Array:
    """Of each element the choice of that number.

    Example
    -------
    >>> sa.choose([1, 0], [[10, 20], [30, 40]])
    array([30, 20])
    """
    options = promoted("choose", list(choices))
    i = _in_mode("choose", _indices("choose", indices), len(options), mode)
    checked = mode == "raise" and i.size and not _core.is_recording()
    if checked and _core.any(_core.logical_or(i < 0, i >= len(options))):
        raise ValueError(f"choose: indices must be in [0, {len(options)})")
    y = options[-1]
    for number, option in enumerate(options[:-1]):
        y = _core.where(i == number, option, y)
    return y if y.shape == i.shape or y.ndim > i.ndim else broadcast_to(y, i.shape)
