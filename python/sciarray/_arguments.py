"""How arguments are read: axes, common dtypes, Python scalars beside arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from math import log2
from operator import index
from typing import Any, TypeVar

import numpy as np

from . import _core
from ._core import Array, DType
from ._creation import asarray

Axis = int | Sequence[int] | None
F = TypeVar("F", bound=Callable[..., Any])

# Kinds of numbers from narrow to wide: bool, int, float, complex.
_SCALARS: dict[type, int] = {bool: 0, int: 1, float: 2, complex: 3}
_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
_SINGLE = {"float32", "complex64"}
_DEFAULT = (_core.bool, _core.int64, _core.float64, _core.complex128)


def _weak_beside(rank: int, dtype: DType) -> DType:
    """The dtype at which arrays of a dtype meet a Python scalar of a kind."""
    if rank <= _RANK[dtype.kind]:
        return dtype
    return _core.promote_types(dtype, _core.complex64) if rank == 3 and dtype.kind == "f" else _DEFAULT[rank]


def integers(x: Any) -> tuple[int, ...]:
    """An integer or several."""
    try:
        return (index(x),)
    except TypeError:
        return tuple(map(index, x))


def common_dtype(xs: Sequence[Any]) -> DType:
    """The dtype at which arrays, array-likes and dtypes meet; Python scalars yield to arrays."""
    strong: DType | None = None
    weak = -1
    for x in xs:
        if type(x) in _SCALARS:
            weak = max(weak, _SCALARS[type(x)])
            continue
        if isinstance(x, (DType, str, type, np.dtype)):
            dtype = _core.promote_types(x, x)
        else:
            dtype = asarray(x).dtype
        strong = dtype if strong is None else _core.promote_types(strong, dtype)
    if strong is None:
        if weak < 0:
            raise ValueError("result_type: at least one array or dtype is required, got none")
        return _DEFAULT[weak]
    return _weak_beside(weak, strong)


def promoted(op: str, xs: Sequence[Any], dtype: Any = None) -> list[Array]:
    """Arrays of one dtype, that of the argument or the common one; Python scalars are weak. What is no array yet is made one
    where the others are.
    """
    if len(xs) == 0:
        raise ValueError(f"{op}: at least one array is required, got none")
    if all(type(x) is Array for x in xs):
        # The objects of dtypes are unique, and most calls mix none.
        common = xs[0].dtype if dtype is None else dtype
        if all(x.dtype is common for x in xs):
            return list(xs)
    device = device_of(*xs)
    xs = [x if type(x) in _SCALARS else beside(x, device) for x in xs]
    if dtype is None:
        dtype = common_dtype(xs)
    return [asarray(x, dtype=dtype, device=None if type(x) is Array else device) for x in xs]


def inexact(x: Any) -> Array:
    """An array of a float or complex dtype: integers and bools become float64."""
    x = asarray(x)
    return x if x.dtype.kind in "fc" else _core.astype(x, _core.float64)


def all_inexact(op: str, xs: Sequence[Any]) -> list[Array]:
    """Arrays of one float or complex dtype."""
    ys = promoted(op, xs)
    return [inexact(y) for y in ys]


def rounded_once(skip: int = 0) -> Callable[[F], F]:
    """Makes a formula of several steps compute float32 and complex64 in double precision and round its results; the first
    ``skip`` arguments are indices, which have no say in the precision.
    """

    def decorate(f: F) -> F:
        @wraps(f)
        def g(*args: Any, **kwargs: Any) -> Any:
            # Most calls are in double precision. Lists are, too, and other arguments have no say.
            rest = [x for x in args[skip:] if hasattr(x, "dtype")]
            single = not _SINGLE.isdisjoint({x.dtype.name for x in rest}) and not any(type(x) is list for x in args)
            if not single or common_dtype(rest).name not in _SINGLE:
                return f(*args, **kwargs)
            wide = [
                _cast(asarray(x), _core.float64, _core.complex128) if hasattr(x, "dtype") else x for x in args[skip:]
            ]
            return _cast(f(*args[:skip], *wide, **kwargs), _core.float32, _core.complex64)

        return g  # type: ignore[return-value]

    return decorate


def _cast(x: Array, real: DType, complex_: DType) -> Array:
    return _core.astype(x, complex_ if x.dtype.kind == "c" else real)


def normalize_axis(op: str, axis: Any, ndim: int) -> int:
    """An axis counted from the front."""
    n = index(axis)
    if not -ndim <= n < ndim:
        raise np.exceptions.AxisError(f"{op}: axis must be in [-{ndim}, {ndim}), got {n}")
    return n % ndim


def normalize_axes(op: str, axis: Axis, ndim: int) -> tuple[int, ...]:
    """Distinct axes counted from the front; None means all."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple(normalize_axis(op, a, ndim) for a in integers(axis))
    if len(set(axes)) != len(axes):
        raise ValueError(f"{op}: axes must not repeat, got {axis}")
    return axes


def flat_or_axis(op: str, x: Array, axis: int | None) -> tuple[Array, int]:
    """The array and a normalized axis; flattened with axis 0 where ``axis`` is None."""
    if axis is None:
        return _core.reshape(x, -1), 0
    return x, normalize_axis(op, axis, x.ndim)


def at(axis: int, key: Any) -> tuple[Any, ...]:
    """The index that applies ``key`` along one axis and takes the others whole."""
    return (slice(None),) * axis + (key,)


def beside(x: Any, device: str) -> Array:
    """An array as it is, anything else as one on a device."""
    return x if type(x) is Array else asarray(x, device=device)


def device_of(*xs: Any) -> str:
    """Where the arrays among arguments are: the first device that is not the CPU, if there is one."""
    for x in xs:
        here = x.device if isinstance(x, Array) else device_of(*x) if isinstance(x, (tuple, list)) else "cpu"
        if here != "cpu":
            return here
    return "cpu"


def moved(tree: Any, device: str) -> Any:
    """The arrays among arguments or results on a device, the rest as it is."""
    if isinstance(tree, Array):
        return tree.to(device)
    if type(tree) is dict:
        return {key: moved(x, device) for key, x in tree.items()}
    return type(tree)(moved(x, device) for x in tree) if type(tree) in (tuple, list) else tree


def on_cpu(f: F) -> F:
    """A function of many small steps over a few numbers, or of values that decide on the result, for which a device would be
    waited for: it works on the CPU, and its results go where its arguments are.
    """

    @wraps(f)
    def g(*args: Any, **kwargs: Any) -> Any:
        device = device_of(*args, *kwargs.values())
        if device == "cpu":
            return f(*args, **kwargs)
        return moved(f(*moved(args, "cpu"), **moved(kwargs, "cpu")), device)

    return g  # type: ignore[return-value]


def read(x: Any, op: str | None = None) -> np.ndarray:
    """The values of an argument that decides on a shape or a table; refused inside recordings, naming ``op``."""
    try:
        return np.asarray(memoryview(asarray(x, device="cpu").detach()))
    except RuntimeError as error:
        if op is None:
            raise
        raise RuntimeError(f"{op}: the values of an argument decide on the shape of the result; {error}") from None


def known(x: Any) -> np.ndarray | None:
    """Values for checks of arguments; None inside recordings, where they cannot be read."""
    try:
        return read(x)
    except RuntimeError:
        return None


def decided(x: Array, below: int) -> list[int]:
    """Integers from 0 to ``below`` as Python's, to decide with; inside recordings guards, several digits to each."""
    x = _core.reshape(x, -1)
    values = known(x)
    if values is not None:
        return [int(v) for v in values]
    digits = max(1, int(62 / log2(max(below, 2))))
    out = []
    for i in range(0, x.size, digits):
        part = x[i : i + digits]
        packed = int(_core.sum(part * asarray([below**j for j in range(part.size)], device=part.device)))
        out += [packed // below**j % below for j in range(part.size)]
    return out
