"""Making arrays from Python objects, constants and ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._core import Array, broadcast_to, promote_types

__all__ = [
    "arange",
    "array",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "fromfunction",
    "full",
    "full_like",
    "geomspace",
    "identity",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]

DTypeLike = Any
Shape = int | Sequence[int]


def device_name(name: str, device: Any) -> str:
    """The full name of a device that can be used; ``name`` is the caller's in errors."""
    if device in (None, "cpu"):
        return "cpu"
    if isinstance(device, str) and device.partition(":")[0] == "cuda":
        from . import cuda

        return f"cuda:{cuda._prepare(device)}"
    raise ValueError(f"{name}: the only device is 'cpu', beside 'cuda', got {device!r}")


def _placed_on(name: str, x: Array, device: Any) -> Array:
    """The same values on a device, on that of ``x`` where it is None."""
    return x if device is None or device == x.device else _core.to(x, device_name(name, device))


def _holds_array(x: Any) -> bool:
    return isinstance(x, Array) or (isinstance(x, (list, tuple)) and any(_holds_array(item) for item in x))


def _convert(x: Any, dtype: DTypeLike | None, copy: bool | None) -> Array:
    if isinstance(x, Array):
        return _core.copy(x) if copy else x
    weak = _core.scalar(x, dtype)
    if weak is not None:
        if copy is False:
            raise ValueError("asarray: a Python scalar cannot be converted without a copy")
        return weak
    y = _core.from_buffer(x)
    if y is not None:
        return _core.copy(y) if copy else y
    if _holds_array(x):
        from ._manipulation import stack

        return stack([_convert(item, None, None) for item in x])
    if not isinstance(x, (list, tuple)):
        from ._exchange import from_cuda

        y = from_cuda(x)
        if y is not None:
            return _core.copy(y) if copy else y
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        x = np.from_dlpack(x)
    elif copy is False and not hasattr(x, "__array__"):
        raise ValueError(f"asarray: {type(x).__name__} cannot be converted without a copy")
    a = np.asarray(x)
    if a.dtype.kind not in "biufc":
        raise TypeError(f"asarray: only bool and numeric elements are supported, got dtype {a.dtype}")
    if not a.dtype.isnative:
        a = a.astype(a.dtype.newbyteorder("="))
    if a.dtype == np.float16:
        a = a.astype(np.float32)
    y = _core.from_buffer(np.require(a, requirements="A"))
    if y is None:
        raise TypeError(f"asarray: dtype {a.dtype} is not supported")
    return _core.copy(y) if copy else y


def asarray(
    obj: Any,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Array:
    """An array from array-likes: numbers, nested sequences, NumPy arrays, buffers, DLPack exporters.

    NumPy arrays, buffers, and what others have on a GPU (DLPack, ``__cuda_array_interface__``) are taken without a copy,
    read-only and strided ones too; later writes by their owner show, writes to the result never reach them. ``device`` moves
    them to a device. ``copy=True`` copies, ``copy=False`` raises ValueError where a copy is needed. ``requires_grad=True``
    makes a leaf for ``backward``. float16 becomes float32.

    Example
    -------
    >>> sa.asarray([[1, 2], [3, 4]], dtype="float64")
    array([[1., 2.],
           [3., 4.]])
    """
    if type(obj) is Array and dtype is None and not copy and device is None and not requires_grad:
        return obj
    y = _placed_on("asarray", _convert(obj, dtype, copy), device)
    if dtype is not None and y.dtype != dtype:
        if copy is False:
            raise ValueError(f"asarray: conversion from {y.dtype.name} to {dtype} needs a copy")
        y = _core.astype(y, dtype)
    if requires_grad:
        y = y.detach()
        y.requires_grad = True
    return y


def array(
    obj: Any,
    /,
    dtype: DTypeLike | None = None,
    *,
    copy: bool | None = True,
    ndmin: int = 0,
    requires_grad: bool = False,
) -> Array:
    """A new array from array-likes: ``asarray`` that copies, with at least ``ndmin`` axes, new ones in front.

    Example
    -------
    >>> sa.array([1, 2], ndmin=2)
    array([[1, 2]])
    """
    y = asarray(obj, dtype=dtype, copy=copy)
    if y.ndim < ndmin:
        y = _core.reshape(y, (1,) * (ndmin - y.ndim) + y.shape)
    return asarray(y, requires_grad=True) if requires_grad else y


def fromfunction(function: Callable[..., Any], shape: Sequence[int], /, *, dtype: DTypeLike | None = None) -> Any:
    """``function`` of the index of each element along each axis, given as arrays; float64 unless ``dtype`` says otherwise.

    Example
    -------
    >>> sa.fromfunction(lambda i, j: 10 * i + j, (2, 2))
    array([[ 0.,  1.],
           [10., 11.]])
    """
    sizes = tuple(shape)
    grids = []
    for axis, n in enumerate(sizes):
        places = arange(n, dtype=_core.float64 if dtype is None else dtype)
        line = _core.reshape(places, (1,) * axis + (n,) + (1,) * (len(sizes) - axis - 1))
        grids.append(broadcast_to(line, sizes))
    return function(*grids)


def zeros(shape: Shape, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """Zeros of a shape; float64 unless ``dtype`` says otherwise.

    Example
    -------
    >>> sa.zeros(2)
    array([0., 0.])
    """
    if device not in (None, "cpu"):
        return full(shape, 0, dtype if dtype is not None else _core.float64, device=device)
    return _core.zeros(shape, dtype)


def full(shape: Shape, fill_value: Any, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """An array filled with one value, in the dtype of that value unless ``dtype`` says otherwise.

    Example
    -------
    >>> sa.full((2,), 1.5)
    array([1.5, 1.5])
    """
    value = _placed_on("full", asarray(fill_value, dtype=dtype), device)
    return _core.copy(broadcast_to(value, shape))


def ones(shape: Shape, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """Ones of a shape; float64 unless ``dtype`` says otherwise.

    Example
    -------
    >>> sa.ones(2)
    array([1., 1.])
    """
    return full(shape, 1, dtype if dtype is not None else _core.float64, device=device)


def empty(shape: Shape, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """An array to be filled; its elements are 0, unlike NumPy's.

    Example
    -------
    >>> sa.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype, device=device)


def zeros_like(x: Any, /, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """Zeros in the shape and dtype of ``x``.

    Example
    -------
    >>> sa.zeros_like(sa.asarray([1, 2]))
    array([0, 0])
    """
    x = asarray(x)
    return zeros(x.shape, x.dtype if dtype is None else dtype, device=x.device if device is None else device)


def ones_like(x: Any, /, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """Ones in the shape and dtype of ``x``.

    Example
    -------
    >>> sa.ones_like(sa.asarray([1, 2]))
    array([1, 1])
    """
    x = asarray(x)
    return ones(x.shape, x.dtype if dtype is None else dtype, device=x.device if device is None else device)


def full_like(x: Any, /, fill_value: Any, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """One value in the shape and dtype of ``x``.

    Example
    -------
    >>> sa.full_like(sa.asarray([1, 2]), 7)
    array([7, 7])
    """
    x = asarray(x)
    d = x.dtype if dtype is None else dtype
    return full(x.shape, fill_value, d, device=x.device if device is None else device)


def empty_like(x: Any, /, dtype: DTypeLike | None = None, *, device: Any = None) -> Array:
    """An array to be filled, in the shape and dtype of ``x``; its elements are 0.

    Example
    -------
    >>> sa.empty_like(sa.asarray([1, 2])).dtype
    sciarray.int64
    """
    return zeros_like(x, dtype=dtype, device=device)


def arange(
    start: Any, /, stop: Any = None, step: Any = 1, *, dtype: DTypeLike | None = None, device: Any = None
) -> Array:
    """Numbers from ``start`` to before ``stop`` in steps; ``arange(stop)`` starts at 0.

    Example
    -------
    >>> sa.arange(2, 5)
    array([2, 3, 4])
    """
    if stop is None:
        start, stop = 0, start
    values = np.arange(start, stop, step, dtype=None if dtype is None else str(asarray(0, dtype=dtype).dtype))
    return _placed_on("arange", asarray(values), device)


def _line(op: str, start: Any, stop: Any, num: int, endpoint: bool) -> tuple[Array, Array]:
    """Even steps along a new first axis, and the step."""
    if num < 0:
        raise ValueError(f"{op}: num must not be negative, got {num}")
    start, stop = asarray(start), asarray(stop)
    common = promote_types(promote_types(start.dtype, stop.dtype), _core.float32)
    if start.dtype.kind not in "fc" and stop.dtype.kind not in "fc":
        common = _core.float64
    start, stop = _core.astype(start, common), _core.astype(stop, common)
    steps = num - 1 if endpoint else num
    places = _core.astype(arange(num, device=stop.device if start.device == "cpu" else start.device), common)
    places = _core.reshape(places, (num, *([1] * max(start.ndim, stop.ndim))))
    step = (stop - start) / steps if steps > 0 else (stop - start) * float("nan")
    # Without a step there is only the start, at place 0.
    y = start + places * (step if steps > 0 else stop - start)
    if endpoint and num > 1:
        y[-1] = stop
    return y, step


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """``num`` numbers in even steps from ``start`` to ``stop``, the last included unless ``endpoint`` is False.

    Differentiable in ``start`` and ``stop``, which may be arrays: their axes come after the new one, which is the first
    unless ``axis`` places it. ``retstep=True`` adds the step to the result.

    Example
    -------
    >>> sa.linspace(0.0, 1.0, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    y, step = _line("linspace", start, stop, num, endpoint)
    y = _placed(y, axis)
    if dtype is not None:
        # Rounded down for integers, so that negative ranges are as even as positive ones.
        integer = promote_types(dtype, dtype).kind in "iu"
        y = _core.astype(_core.floor(y) if integer and y.dtype.kind == "f" else y, dtype)
    y = _placed_on("linspace", y, device)
    return (y, step) if retstep else y


def _placed(y: Array, axis: int) -> Array:
    if axis == 0:
        return y
    from ._manipulation import moveaxis

    return moveaxis(y, 0, axis)


def logspace(
    start: Any,
    stop: Any,
    /,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """``base`` to the powers of ``linspace(start, stop, num)``.

    Example
    -------
    >>> sa.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    y = _core.pow(base, linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else _core.astype(y, dtype)


def geomspace(
    start: Any, stop: Any, /, num: int = 50, endpoint: bool = True, dtype: DTypeLike | None = None, axis: int = 0
) -> Array:
    """``num`` numbers in even ratios from ``start`` to ``stop``, which must not be 0 and must have one sign.

    Complex numbers run along a logarithmic spiral.

    Example
    -------
    >>> sa.geomspace(1.0, 8.0, 4)
    array([1., 2., 4., 8.])
    """
    start, stop = asarray(start), asarray(stop)
    first = _core.astype(start, promote_types(start.dtype, _core.float64 if start.dtype.kind in "biu" else start.dtype))
    ratio = stop / first
    y, _ = _line("geomspace", _core.log(ratio) * 0.0, _core.log(ratio), num, endpoint)
    y = first * _core.exp(y)
    if num > 0:
        y[0] = first
    if endpoint and num > 1:
        y[-1] = stop
    y = _placed(y, axis)
    return y if dtype is None else _core.astype(y, dtype)


def diagonal_slice(n: int, m: int, k: int) -> slice:
    """The ``k``-th diagonal among the elements of an (n, m) matrix in one axis."""
    length = min(n, m - k) if k >= 0 else min(n + k, m)
    start = k if k >= 0 else -k * m
    return slice(start, start + length * (m + 1), m + 1) if length > 0 else slice(0, 0)


def eye(
    n_rows: int, n_cols: int | None = None, /, k: int = 0, dtype: DTypeLike | None = None, *, device: Any = None
) -> Array:
    """Ones on the ``k``-th diagonal, zeros elsewhere.

    Example
    -------
    >>> sa.eye(2)
    array([[1., 0.],
           [0., 1.]])
    """
    n, m = n_rows, n_rows if n_cols is None else n_cols
    if n < 0 or m < 0:
        raise ValueError(f"eye: negative dimensions are not allowed, got {n} and {m}")
    y = _core.zeros(n * m, dtype)
    y[diagonal_slice(n, m, k)] = 1
    return _placed_on("eye", _core.reshape(y, (n, m)), device)


def identity(n: int, /, dtype: DTypeLike | None = None) -> Array:
    """The square matrix with ones on the main diagonal and zeros elsewhere.

    Example
    -------
    >>> sa.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=dtype)
