"""Rearranging, joining and splitting arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from operator import index
from typing import Any

import numpy as np

from . import _core
from ._arguments import Axis, at, flat_or_axis, integers, known, normalize_axes, normalize_axis, promoted, read
from ._core import Array
from ._creation import Shape, arange, asarray, full

__all__ = [
    "append",
    "apply_along_axis",
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "column_stack",
    "concat",
    "concatenate",
    "copy",
    "delete",
    "dsplit",
    "dstack",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "insert",
    "matrix_transpose",
    "moveaxis",
    "ndim",
    "pad",
    "permute_dims",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rollaxis",
    "rot90",
    "shape",
    "size",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
    "unstack",
    "vsplit",
    "vstack",
]


def copy(x: Any, /) -> Array:
    """The same values in memory of their own.

    Never needed for safety: assignments do not reach other arrays anyway.

    Example
    -------
    >>> sa.copy(sa.asarray([1, 2]))
    array([1, 2])
    """
    return _core.copy(asarray(x))


def shape(x: Any, /) -> tuple[int, ...]:
    """The lengths of all axes.

    Example
    -------
    >>> sa.shape([[1, 2, 3]])
    (1, 3)
    """
    return asarray(x).shape


def ndim(x: Any, /) -> int:
    """The number of axes.

    Example
    -------
    >>> sa.ndim([[1, 2, 3]])
    2
    """
    return asarray(x).ndim


def size(x: Any, /, axis: Axis = None) -> int:
    """The number of elements, or that along some axes.

    Example
    -------
    >>> sa.size([[1, 2, 3]], axis=1)
    3
    """
    x = asarray(x)
    return prod(x.shape[a] for a in normalize_axes("size", axis, x.ndim))


def reshape(x: Any, /, shape: Shape, order: str = "C", *, copy: bool | None = None) -> Array:
    """The elements in a new shape; one length may be -1 and follows from the others.

    ``order="F"`` reads and writes with the first axis fastest. ``copy=True`` copies; ``copy=False`` is always met,
    because a copy is never visible.

    Example
    -------
    >>> sa.reshape(sa.arange(4), (2, -1))
    array([[0, 1],
           [2, 3]])
    """
    return _core.reshape(x, shape, order, copy)


def ravel(x: Any, /, order: str = "C") -> Array:
    """All elements in one axis.

    Example
    -------
    >>> sa.ravel(sa.asarray([[1, 2], [3, 4]]))
    array([1, 2, 3, 4])
    """
    return reshape(x, -1, order)


def permute_dims(x: Any, /, axes: Sequence[int]) -> Array:
    """The axes in another order.

    Example
    -------
    >>> sa.permute_dims(sa.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return _core.permute_dims(x, axes)


def transpose(x: Any, /, axes: Sequence[int] | None = None) -> Array:
    """The axes in another order, reversed unless told otherwise.

    Example
    -------
    >>> sa.transpose(sa.zeros((2, 3, 4))).shape
    (4, 3, 2)
    """
    return asarray(x).transpose(axes)


def matrix_transpose(x: Any, /) -> Array:
    """Transposed matrices: (..., m, n) becomes (..., n, m).

    Example
    -------
    >>> sa.matrix_transpose(sa.zeros((5, 2, 3))).shape
    (5, 3, 2)
    """
    return asarray(x).mT


def swapaxes(x: Any, /, axis1: int, axis2: int) -> Array:
    """Two axes exchanged.

    Example
    -------
    >>> sa.swapaxes(sa.zeros((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    x = asarray(x)
    order = list(range(x.ndim))
    i, j = normalize_axis("swapaxes", axis1, x.ndim), normalize_axis("swapaxes", axis2, x.ndim)
    order[i], order[j] = j, i
    return _core.permute_dims(x, order)


def moveaxis(x: Any, /, source: Axis, destination: Axis) -> Array:
    """Axes moved to new places, the others keep their order.

    Example
    -------
    >>> sa.moveaxis(sa.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = asarray(x)
    froms = normalize_axes("moveaxis", source, x.ndim)
    tos = normalize_axes("moveaxis", destination, x.ndim)
    if len(froms) != len(tos):
        raise ValueError(f"moveaxis: source and destination must be of one length, got {len(froms)} and {len(tos)}")
    order = [a for a in range(x.ndim) if a not in froms]
    for to, a in sorted(zip(tos, froms)):
        order.insert(to, a)
    return _core.permute_dims(x, order)


def rollaxis(x: Any, /, axis: int, start: int = 0) -> Array:
    """One axis moved to before another; ``moveaxis`` is the clearer spelling.

    Example
    -------
    >>> sa.rollaxis(sa.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    x = asarray(x)
    axis = normalize_axis("rollaxis", axis, x.ndim)
    start = normalize_axis("rollaxis", start, x.ndim + 1)
    return moveaxis(x, axis, start - 1 if axis < start else start)


def squeeze(x: Any, /, axis: Axis = None) -> Array:
    """Axes of length 1 removed: the given ones, or all.

    Example
    -------
    >>> sa.squeeze(sa.zeros((1, 3, 1)), axis=0).shape
    (3, 1)
    """
    x = asarray(x)
    if axis is None:
        return _core.reshape(x, tuple(n for n in x.shape if n != 1))
    axes = normalize_axes("squeeze", axis, x.ndim)
    for a in axes:
        if x.shape[a] != 1:
            raise ValueError(f"squeeze: only axes of length 1 can be removed, got axis {a} of shape {x.shape}")
    return _core.reshape(x, tuple(n for a, n in enumerate(x.shape) if a not in axes))


def expand_dims(x: Any, /, axis: int | Sequence[int] = 0) -> Array:
    """Axes of length 1 inserted at the given positions of the result.

    Example
    -------
    >>> sa.expand_dims(sa.asarray([1, 2]), axis=1).shape
    (2, 1)
    """
    x = asarray(x)
    n = x.ndim + len(integers(axis))
    places = normalize_axes("expand_dims", axis, n)
    sizes = iter(x.shape)
    return _core.reshape(x, tuple(1 if i in places else next(sizes) for i in range(n)))


def _at_least(n: int, arrays: tuple[Any, ...], before: Any) -> Any:
    out = []
    for x in arrays:
        x = asarray(x)
        missing = max(n - x.ndim, 0)
        lead = min(before(x.ndim), missing)
        out.append(_core.reshape(x, (1,) * lead + x.shape + (1,) * (missing - lead)))
    return out[0] if len(out) == 1 else tuple(out)


def atleast_1d(*arrays: Any) -> Any:
    """Arrays with at least one axis; several come as a tuple.

    Example
    -------
    >>> sa.atleast_1d(1.0)
    array([1.])
    """
    return _at_least(1, arrays, lambda ndim: 1)


def atleast_2d(*arrays: Any) -> Any:
    """Arrays with at least two axes, new ones in front; several come as a tuple.

    Example
    -------
    >>> sa.atleast_2d([1.0, 2.0]).shape
    (1, 2)
    """
    return _at_least(2, arrays, lambda ndim: 2)


def atleast_3d(*arrays: Any) -> Any:
    """Arrays with at least three axes: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1).

    Example
    -------
    >>> sa.atleast_3d([1.0, 2.0]).shape
    (1, 2, 1)
    """
    return _at_least(3, arrays, lambda ndim: 1 if ndim < 2 else 0)


def broadcast_to(x: Any, /, shape: Shape) -> Array:
    """``x`` repeated along new axes and axes of length 1, without a copy.

    Example
    -------
    >>> sa.broadcast_to(sa.asarray([1, 2]), (2, 2))
    array([[1, 2],
           [1, 2]])
    """
    return _core.broadcast_to(x, shape)


def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """The shape to which shapes broadcast.

    Example
    -------
    >>> sa.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    tuples = [integers(s) for s in shapes]
    n = max(map(len, tuples), default=0)
    out = []
    for column in zip(*((1,) * (n - len(s)) + s for s in tuples)):
        lengths = set(column) - {1}
        if len(lengths) > 1:
            raise ValueError(f"broadcast_shapes: shapes do not broadcast, got {', '.join(map(str, tuples))}")
        out.append(lengths.pop() if lengths else 1)
    if any(length < 0 for length in out):
        raise ValueError(f"broadcast_shapes: negative dimensions are not allowed, got {', '.join(map(str, tuples))}")
    return tuple(out)


def broadcast_arrays(*arrays: Any) -> tuple[Array, ...]:
    """Arrays of one shape, that to which they broadcast.

    Example
    -------
    >>> [x.shape for x in sa.broadcast_arrays([1, 2], [[3], [4]])]
    [(2, 2), (2, 2)]
    """
    xs = [asarray(x) for x in arrays]
    to = broadcast_shapes(*(x.shape for x in xs))
    return tuple(_core.broadcast_to(x, to) for x in xs)


def concat(arrays: Sequence[Any], /, axis: int | None = 0, *, dtype: Any = None) -> Array:
    """Arrays joined along an axis, in their common dtype; ``axis=None`` joins them flattened.

    Example
    -------
    >>> sa.concat([sa.asarray([1, 2]), sa.asarray([3.5])])
    array([1. , 2. , 3.5])
    """
    xs = promoted("concat", arrays, dtype)
    if axis is None:
        xs, axis = [_core.reshape(x, -1) for x in xs], 0
    return _core.concat(xs, axis)


concatenate = concat


def stack(arrays: Sequence[Any], /, axis: int = 0, *, dtype: Any = None) -> Array:
    """Arrays of one shape joined along a new axis.

    Example
    -------
    >>> sa.stack([sa.asarray([1, 2]), sa.asarray([3, 4])], axis=1)
    array([[1, 3],
           [2, 4]])
    """
    xs = promoted("stack", arrays, dtype)
    for x in xs:
        if x.shape != xs[0].shape:
            raise ValueError(f"stack: all arrays must have the same shape, got {xs[0].shape} and {x.shape}")
    axis = normalize_axis("stack", axis, xs[0].ndim + 1)
    return _core.concat([expand_dims(x, axis) for x in xs], axis)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The slices along an axis, which they lack.

    Example
    -------
    >>> sa.unstack(sa.asarray([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    x = asarray(x)
    axis = normalize_axis("unstack", axis, x.ndim)
    return tuple(x[at(axis, i)] for i in range(x.shape[axis]))


def vstack(arrays: Sequence[Any], /, *, dtype: Any = None) -> Array:
    """Arrays joined as rows: along the first axis, 1-d arrays as (1, n).

    Example
    -------
    >>> sa.vstack([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    return concat([atleast_2d(x) for x in arrays], 0, dtype=dtype)


def hstack(arrays: Sequence[Any], /, *, dtype: Any = None) -> Array:
    """Arrays joined along the second axis, 1-d arrays along the first.

    Example
    -------
    >>> sa.hstack([[1, 2], [3, 4]])
    array([1, 2, 3, 4])
    """
    xs = [atleast_1d(x) for x in arrays]
    return concat(xs, 0 if xs and xs[0].ndim == 1 else 1, dtype=dtype)


def dstack(arrays: Sequence[Any], /) -> Array:
    """Arrays joined along the third axis.

    Example
    -------
    >>> sa.dstack([[1, 2], [3, 4]]).shape
    (1, 2, 2)
    """
    return concat([atleast_3d(x) for x in arrays], 2)


def column_stack(arrays: Sequence[Any], /) -> Array:
    """1-d arrays as the columns of a matrix; 2-d arrays are joined as they are.

    Example
    -------
    >>> sa.column_stack([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    xs = [asarray(x) for x in arrays]
    return concat([_core.reshape(x, (-1, 1)) if x.ndim < 2 else x for x in xs], 1)


def block(arrays: Any, /) -> Array:
    """An array put together of nested lists of blocks, the innermost along the last axis.

    Example
    -------
    >>> sa.block([[sa.eye(2), sa.zeros((2, 1))], [sa.ones((1, 3))]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [1., 1., 1.]])
    """

    def depth(x: Any) -> int:
        return 1 + max(map(depth, x), default=0) if isinstance(x, list) else 0

    def largest(x: Any) -> int:
        return max(map(largest, x), default=0) if isinstance(x, list) else asarray(x).ndim

    levels = depth(arrays)
    n = max(levels, largest(arrays))

    def join(x: Any, level: int) -> Array:
        if not isinstance(x, list):
            y = asarray(x)
            return _core.reshape(y, (1,) * (n - y.ndim) + y.shape)
        if not x:
            raise ValueError("block: lists must not be empty")
        return concat([join(item, level - 1) for item in x], axis=-level)

    return join(arrays, levels)


def _split_points(op: str, n: int, sections: Any, equal: bool) -> list[int]:
    if isinstance(sections, (tuple, list, np.ndarray, Array)) and np.ndim(read(sections)) == 1:
        bounds = [slice(int(i)).indices(n)[1] for i in read(sections)]
        return [0, *bounds, n]
    count = index(sections)
    if count <= 0:
        raise ValueError(f"{op}: the number of sections must be positive, got {count}")
    if equal and n % count:
        raise ValueError(f"{op}: an axis of length {n} cannot be divided into {count} equal sections")
    short, longer = n // count, n % count
    return [i * short + min(i, longer) for i in range(count + 1)]


def _split(op: str, x: Any, sections: Any, axis: int, equal: bool) -> list[Array]:
    x = asarray(x)
    axis = normalize_axis(op, axis, x.ndim)
    points = _split_points(op, x.shape[axis], sections, equal)
    return [x[at(axis, slice(i, max(i, j)))] for i, j in pairwise(points)]


def split(x: Any, /, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Parts along an axis: a number of equal ones, or those between indices.

    Example
    -------
    >>> sa.split(sa.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    return _split("split", x, indices_or_sections, axis, True)


def array_split(x: Any, /, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """``split`` whose parts may differ in length by one.

    Example
    -------
    >>> sa.array_split(sa.arange(3), 2)
    [array([0, 1]), array([2])]
    """
    return _split("array_split", x, indices_or_sections, axis, False)


def vsplit(x: Any, /, indices_or_sections: Any) -> list[Array]:
    """``split`` along the first of at least two axes.

    Example
    -------
    >>> [part.shape for part in sa.vsplit(sa.zeros((4, 3)), 2)]
    [(2, 3), (2, 3)]
    """
    if asarray(x).ndim < 2:
        raise ValueError(f"vsplit: at least two axes are required, got shape {shape(x)}")
    return _split("vsplit", x, indices_or_sections, 0, True)


def hsplit(x: Any, /, indices_or_sections: Any) -> list[Array]:
    """``split`` along the second axis, or along the only one.

    Example
    -------
    >>> [part.shape for part in sa.hsplit(sa.zeros((4, 6)), 2)]
    [(4, 3), (4, 3)]
    """
    return _split("hsplit", x, indices_or_sections, 0 if asarray(x).ndim == 1 else 1, True)


def dsplit(x: Any, /, indices_or_sections: Any) -> list[Array]:
    """``split`` along the third axis.

    Example
    -------
    >>> [part.shape for part in sa.dsplit(sa.zeros((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return _split("dsplit", x, indices_or_sections, 2, True)


def flip(x: Any, /, axis: Axis = None) -> Array:
    """The order of elements reversed along some or all axes.

    Example
    -------
    >>> sa.flip(sa.asarray([1, 2, 3]))
    array([3, 2, 1])
    """
    x = asarray(x)
    axes = normalize_axes("flip", axis, x.ndim)
    return x[tuple(slice(None, None, -1) if a in axes else slice(None) for a in range(x.ndim))]


def fliplr(x: Any, /) -> Array:
    """``flip`` along the second axis.

    Example
    -------
    >>> sa.fliplr(sa.asarray([[1, 2]]))
    array([[2, 1]])
    """
    return flip(x, 1)


def flipud(x: Any, /) -> Array:
    """``flip`` along the first axis.

    Example
    -------
    >>> sa.flipud(sa.asarray([[1], [2]]))
    array([[2],
           [1]])
    """
    return flip(x, 0)


def rot90(x: Any, /, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Turned by ``k`` quarters from the first towards the second of two axes.

    Example
    -------
    >>> sa.rot90(sa.asarray([[1, 2], [3, 4]]))
    array([[2, 4],
           [1, 3]])
    """
    x = asarray(x)
    i, j = normalize_axes("rot90", axes, x.ndim)
    if k % 4 == 2:
        return flip(x, (i, j))
    if k % 4 == 1:
        return swapaxes(flip(x, j), i, j)
    if k % 4 == 3:
        return flip(swapaxes(x, i, j), j)
    return x[...]


def roll(x: Any, /, shift: int | Sequence[int], axis: Axis = None) -> Array:
    """Elements shifted along axes, those pushed out at the end coming in at the start.

    ``axis=None`` shifts in the flattened array.

    Example
    -------
    >>> sa.roll(sa.asarray([1, 2, 3]), 1)
    array([3, 1, 2])
    """
    x = asarray(x)
    if axis is None:
        return _core.reshape(roll(_core.reshape(x, -1), shift, 0), x.shape)
    axes = [normalize_axis("roll", a, x.ndim) for a in integers(axis)]
    shifts = list(integers(shift))
    if len(axes) != len(shifts) and 1 not in (len(axes), len(shifts)):
        raise ValueError(f"roll: shift and axis must be of one length, got {len(shifts)} and {len(axes)}")
    n = max(len(axes), len(shifts))
    for a, s in zip(axes * (n // len(axes)), shifts * (n // len(shifts))):
        cut = -s % max(x.shape[a], 1)
        if cut:
            x = _core.concat([x[at(a, slice(cut, None))], x[at(a, slice(cut))]], a)
    return x[...]


def tile(x: Any, /, repetitions: int | Sequence[int]) -> Array:
    """Copies of the whole array side by side along each axis, the last ones where fewer numbers than axes are given.

    Example
    -------
    >>> sa.tile(sa.asarray([1, 2]), (2, 2))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    x = asarray(x)
    reps = integers(repetitions)
    if any(r < 0 for r in reps):
        raise ValueError(f"tile: repetitions must not be negative, got {reps}")
    n = max(x.ndim, len(reps))
    reps = (1,) * (n - len(reps)) + reps
    sizes = (1,) * (n - x.ndim) + x.shape
    y = _core.reshape(x, tuple(k for s in sizes for k in (1, s)))
    y = _core.broadcast_to(y, tuple(k for pair in zip(reps, sizes) for k in pair))
    return _core.reshape(y, tuple(r * s for r, s in zip(reps, sizes)))


def repeat(x: Any, /, repeats: Any, axis: int | None = None) -> Array:
    """Each element, or each slice along an axis, several times in a row; ``repeats`` is a number or one per element.

    Example
    -------
    >>> sa.repeat(sa.asarray([1, 2]), sa.asarray([2, 3]))
    array([1, 1, 2, 2, 2])
    """
    x, axis = flat_or_axis("repeat", asarray(x), axis)
    counts = asarray(repeats)
    if counts.dtype.kind not in "biu":
        raise TypeError(f"repeat: repeats must be integers, got dtype {counts.dtype}")
    values = known(counts)
    if values is not None and values.size and values.min() < 0:
        raise ValueError(f"repeat: repeats must not be negative, got {values.min()}")
    n = x.shape[axis]
    if counts.ndim == 0 or (counts.size == 1 and n != 1):
        times = int(_core.reshape(counts, ()))
        y = expand_dims(x, axis + 1)
        y = _core.broadcast_to(y, (*x.shape[: axis + 1], times, *x.shape[axis + 1 :]))
        return _core.reshape(y, (*x.shape[:axis], n * times, *x.shape[axis + 1 :]))
    if counts.shape != (n,):
        raise ValueError(f"repeat: repeats must be one per element of the axis ({n}), got shape {counts.shape}")
    ends = _core.cumsum(_core.astype(counts, _core.int64), 0)
    total = int(ends[-1]) if n else 0
    return x[at(axis, _core.searchsorted(ends, arange(total, device=ends.device), "right"))]


def _pairs(op: str, width: Any, ndim: int) -> list[tuple[Any, Any]]:
    """``((before, after), ...)`` per axis from a number, a pair, or pairs."""
    if isinstance(width, dict):
        pairs: list[tuple[Any, Any]] = [(0, 0)] * ndim
        for axis, w in width.items():
            pairs[normalize_axis(op, axis, ndim)] = _pairs(op, w, 1)[0]
        return pairs
    try:
        table = np.broadcast_to(np.asarray(width, dtype=object), (ndim, 2))
    except ValueError:
        raise ValueError(
            f"{op}: one number or pair for all or for each of {ndim} axes is required, got {width}"
        ) from None
    return [tuple(row) for row in table]


def pad(x: Any, /, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Array:
    """Elements added before and after along each axis.

    ``pad_width`` is a number, a pair (before, after), one pair per axis or a dict from axes to pairs. Modes:
    ``constant`` (``constant_values`` in the same forms), ``edge``, ``reflect`` (without repeating the edge),
    ``symmetric`` and ``wrap``.

    Example
    -------
    >>> sa.pad(sa.asarray([1, 2, 3]), 2, mode="reflect")
    array([3, 2, 1, 2, 3, 2, 1])
    """
    x = asarray(x)
    widths = [(index(b), index(a)) for b, a in _pairs("pad", pad_width, x.ndim)]
    if any(w < 0 for pair in widths for w in pair):
        raise ValueError(f"pad: widths must not be negative, got {pad_width}")
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise ValueError(f"pad: mode must be constant, edge, reflect, symmetric or wrap, got {mode!r}")
    values = _pairs("pad", constant_values, x.ndim) if mode == "constant" else [(0, 0)] * x.ndim
    for axis, ((before, after), (first, last)) in enumerate(zip(widths, values)):
        n = x.shape[axis]
        if before == after == 0:
            continue
        if mode == "constant":
            sides = [
                full((*x.shape[:axis], w, *x.shape[axis + 1 :]), v, x.dtype, device=x.device)
                for w, v in ((before, first), (after, last))
            ]
            x = _core.concat([sides[0], x, sides[1]], axis)
            continue
        if n == 0:
            raise ValueError(f"pad: axis {axis} is empty and can only be padded with a constant, got mode {mode!r}")
        x = x[at(axis, asarray(np.pad(np.arange(n), (before, after), mode=mode)))]  # type: ignore[call-overload]
    return x[...]


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Array:
    """``func1d`` of each line along an axis, which the axes of its results replace; called once for each line.

    Example
    -------
    >>> sa.apply_along_axis(sa.cumsum, 1, sa.asarray([[1, 2], [3, 4]]))
    array([[1, 3],
           [3, 7]])
    """
    x = asarray(arr)
    axis = normalize_axis("apply_along_axis", axis, x.ndim)
    lines = moveaxis(x, axis, -1)
    lead = lines.shape[:-1]
    if 0 in lead:
        raise ValueError(f"apply_along_axis: at least one line is required, got shape {x.shape} and axis {axis}")
    results = stack([func1d(line, *args, **kwargs) for line in _core.reshape(lines, (-1, x.shape[axis]))])
    inner = results.ndim - 1
    results = _core.reshape(results, lead + results.shape[1:])
    places = range(len(lead), len(lead) + inner)
    return moveaxis(results, tuple(places), tuple(range(axis, axis + inner)))


def append(x: Any, values: Any, /, axis: int | None = None) -> Array:
    """``values`` joined to the end of ``x``; both flattened where ``axis`` is None.

    Example
    -------
    >>> sa.append(sa.asarray([1, 2]), 3)
    array([1, 2, 3])
    """
    return concat([x, values], axis)


def delete(x: Any, obj: Any, /, axis: int | None = None) -> Array:
    """``x`` without the slices at some places: an int, a slice, integers or a mask.

    Example
    -------
    >>> sa.delete(sa.asarray([1, 2, 3]), 1)
    array([1, 3])
    """
    x, axis = flat_or_axis("delete", asarray(x), axis)
    key = obj if isinstance(obj, slice) else read(obj)
    if not isinstance(key, slice) and key.size == 0:
        key = key.astype(np.intp)
    keep = np.delete(np.arange(x.shape[axis]), key)
    return x[at(axis, asarray(keep))]


def insert(x: Any, obj: Any, values: Any, /, axis: int | None = None) -> Array:
    """``values`` put in before the given places of an axis, as in NumPy.

    Example
    -------
    >>> sa.insert(sa.asarray([1, 2, 3]), 1, 9)
    array([1, 9, 2, 3])
    """
    x, axis = flat_or_axis("insert", asarray(x), axis)
    n = x.shape[axis]
    key = obj if isinstance(obj, slice) else read(obj)
    v = asarray(values, dtype=x.dtype)
    if not isinstance(key, slice) and key.ndim == 0:
        # One place takes all slices of the values, whose axis then counts.
        v = _core.reshape(v, (1,) * (x.ndim - v.ndim) + v.shape)
        if v.ndim == x.ndim > 1 and v.shape != (1,) * x.ndim:
            v = moveaxis(v, 0, axis)
        places = np.full(v.shape[axis], int(key))
    elif isinstance(key, slice) or key.dtype.kind != "b":
        places = np.arange(n)[key] if isinstance(key, slice) else key.ravel()
    else:
        places = np.flatnonzero(key)
    count = places.size
    if places.size and (places.min() < -n or places.max() > n):
        raise IndexError(f"insert: places must be in [-{n}, {n}], got {places}")
    v = _core.broadcast_to(v, (*x.shape[:axis], count, *x.shape[axis + 1 :]))
    places = np.where(places < 0, places + n, places)
    # Of each place in the result: where it comes from in x followed by the values.
    order = np.argsort(np.concatenate([places, np.arange(n)]), kind="stable")
    source = np.where(order < count, order + n, order - count)
    return _core.concat([x, v], axis)[at(axis, asarray(source))]
