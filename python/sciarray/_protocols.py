"""How arrays meet NumPy, DLPack, pickling and copying."""

from __future__ import annotations

import copy as _copy
import inspect
import operator
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, SupportsIndex

import numpy as np

import sciarray

from . import _core
from ._core import Array
from ._creation import asarray
from ._exchange import cuda_array_interface

_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
    "fmax": "nanmax",
    "fmin": "nanmin",
}
_ACCUMULATIONS = {"add": "cumsum", "multiply": "cumprod"}

# NumPy functions whose result is no array of values, or that only read: they are given NumPy arrays.
_READERS = frozenset(
    "array2string array_repr array_str common_type copyto may_share_memory min_scalar_type save savetxt savez "
    "savez_compressed shares_memory".split()
)


def _numpy(x: Any) -> Any:
    """Arrays of a nested argument as NumPy arrays."""
    if isinstance(x, Array):
        return np.asarray(x)
    if type(x) in (list, tuple):
        return type(x)(_numpy(item) for item in x)
    return x


def _array(self: Array, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    """The values as a NumPy array, read-only and without a copy unless ``dtype`` or ``copy`` demand one."""
    return np.array(memoryview(self), dtype=None if dtype is None else np.dtype(str(dtype)), copy=copy)


def _to_numpy(self: Array) -> np.ndarray:
    """The values as a read-only NumPy array on the same memory; no gradient flows through it.

    A later write to the array leaves the result as it is. Inside a recording this raises RuntimeError, for an array on a GPU
    TypeError.

    Example
    -------
    >>> sa.asarray([1.0, 2.0]).numpy().dtype
    dtype('float64')
    """
    return _array(self)


def _missing(name: str) -> TypeError:
    return TypeError(f"{name}: not available for sciarray arrays; np.asarray(x) leaves sciarray, without a gradient")


def _foreign(x: Any) -> bool:
    """Whether an operand is of a type that should decide itself: no array of ours, no plain NumPy array, no array-like."""
    if isinstance(x, (Array, np.generic)) or type(x) in (np.ndarray, np.memmap):
        return False
    return isinstance(x, np.ndarray) or hasattr(x, "__array_ufunc__")


def _implementation(ufunc: np.ufunc) -> Callable[..., Any]:
    name = ufunc.__name__
    if getattr(np, name, None) is ufunc:
        f = getattr(sciarray, name, None)
        full = f"numpy.{name}"
    else:
        # SciPy's ufuncs have no module of their own; ours are looked up under their names.
        f = getattr(sciarray.special, name, None)
        full = f"ufunc {name}"
    if f is None:
        raise _missing(full)
    return f


def _store(name: str, out: Any, y: Array, where: Any = True, casting: str = "same_kind") -> Any:
    """Writes a result into ``out=``, a NumPy array or one of ours."""
    if out is None:
        if where is not True:
            raise TypeError(f"{name}: where= needs out=, which holds the other elements")
        return y
    if out.shape != y.shape:
        raise ValueError(f"{name}: out must have the shape of the result {y.shape}, got {out.shape}")
    if isinstance(out, np.ndarray):
        np.copyto(out, np.asarray(y), casting=casting, where=_numpy(where))  # type: ignore[arg-type]
        return out
    if not np.can_cast(y.dtype.name, out.dtype.name, casting):  # type: ignore[arg-type]
        raise TypeError(f"{name}: a result of dtype {y.dtype.name} cannot be stored in out of dtype {out.dtype.name}")
    out[...] = y if where is True else sciarray.where(where, y, out)
    return out


def _converted(ufunc: np.ufunc, inputs: Sequence[Any], dtype: Any) -> list[Any]:
    """Inputs in the dtype that ``dtype=`` demands of the result."""
    if all(t.endswith(("->?", "->O")) for t in ufunc.types):
        if np.dtype(dtype) != np.bool:
            raise TypeError(f"{ufunc.__name__}: the result is of dtype bool, got dtype={dtype}")
        return list(inputs)
    xs = [asarray(x) for x in inputs]
    for x in xs:
        if not np.can_cast(x.dtype.name, dtype, "same_kind"):
            raise TypeError(f"{ufunc.__name__}: an input of dtype {x.dtype.name} cannot be cast to dtype={dtype}")
    return [_core.astype(x, dtype) for x in xs]


def _reduce(
    ufunc: np.ufunc,
    x: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Array:
    name = f"{ufunc.__name__}.reduce"
    f = getattr(sciarray, _REDUCTIONS.get(ufunc.__name__, ""), None)
    if f is None:
        raise _missing(f"numpy.{name}")
    x = asarray(x)
    if dtype is not None:
        (x,) = _converted(ufunc, [x], dtype)
    if where is not True:
        neutral = ufunc.identity if initial is None else initial
        if neutral is None:
            raise ValueError(f"{name}: where= needs initial=, the operation has no identity")
        x = sciarray.where(where, x, neutral)
    y = f(x, axis=axis if x.ndim else None, keepdims=keepdims)
    return y if initial is None else _implementation(ufunc)(y, initial)


def _accumulate(ufunc: np.ufunc, x: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Array:
    f = getattr(sciarray, _ACCUMULATIONS.get(ufunc.__name__, ""), None)
    if f is None:
        raise _missing(f"numpy.{ufunc.__name__}.accumulate")
    return f(x, axis=axis, dtype=dtype)


def _outer(ufunc: np.ufunc, a: Any, b: Any, **kwargs: Any) -> Array:
    a, b = asarray(a), asarray(b)
    return _implementation(ufunc)(_core.reshape(a, a.shape + (1,) * b.ndim), b)


def _array_ufunc(self: Array, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """NumPy's and SciPy's ufuncs on sciarray arrays run as sciarray's functions of the same name, with gradients."""
    outs = kwargs.pop("out", None) or (None,) * ufunc.nout
    if any(_foreign(x) for x in (*inputs, *outs)):
        return NotImplemented
    where, casting = kwargs.pop("where", True), kwargs.pop("casting", "same_kind")
    dtype = kwargs.pop("dtype", None)
    for neutral in ("order", "subok"):
        kwargs.pop(neutral, None)
    if method in ("reduce", "accumulate"):
        kwargs["dtype"] = dtype
        if method == "reduce":
            kwargs["where"] = where
            y = _reduce(ufunc, *inputs, **kwargs)
        else:
            y = _accumulate(ufunc, *inputs, **kwargs)
        return _store(f"{ufunc.__name__}.{method}", outs[0], y, casting=casting)
    if method not in ("__call__", "outer"):
        raise _missing(f"numpy.{ufunc.__name__}.{method}")
    if kwargs:
        raise TypeError(f"{ufunc.__name__}: sciarray arrays do not take {', '.join(sorted(kwargs))}=")
    if dtype is not None:
        inputs = tuple(_converted(ufunc, inputs, dtype))
    y = _outer(ufunc, *inputs) if method == "outer" else _implementation(ufunc)(*inputs)
    if ufunc.nout == 1:
        return _store(ufunc.__name__, outs[0], y, where, casting)
    return tuple(_store(ufunc.__name__, out, part, where, casting) for out, part in zip(outs, y, strict=True))


@cache
def _names(f: Callable[..., Any], by_keyword: bool) -> tuple[str, ...]:
    """Names of the parameters that can be given by position, or of those that can be given by keyword."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:
        return ()
    unwanted = inspect.Parameter.POSITIONAL_ONLY if by_keyword else inspect.Parameter.KEYWORD_ONLY
    return tuple(p.name for p in parameters if p.kind is not unwanted)


def _array_function(self: Array, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """NumPy's functions on sciarray arrays run as sciarray's functions of the same name, with gradients."""
    if not all(issubclass(t, (Array, np.ndarray)) for t in types):
        return NotImplemented
    name = func.__name__
    if name in _READERS:
        return func(*_numpy(list(args)), **{key: _numpy(x) for key, x in kwargs.items()})
    module = func.__module__.removeprefix("numpy").lstrip(".")
    f = getattr(getattr(sciarray, module, None) if module else sciarray, name, None)
    if f is None:
        raise _missing(f"{func.__module__}.{name}")
    kwargs = {key: x for key, x in kwargs.items() if x is not np._NoValue}
    out = kwargs.pop("out", None)
    if kwargs:
        # Our first parameters have no public name: keywords that continue NumPy's positional arguments become such.
        for key in _names(func, False)[len(args) :]:
            if key not in kwargs or key in _names(f, True):
                break
            args = (*args, kwargs.pop(key))
    y = f(*args, **kwargs)
    return _store(name, out[0] if isinstance(out, tuple) else out, y) if out is not None else y


def _restore(data: Any, dtype: str, shape: tuple[int, ...], leaf: bool, device: str = "cpu") -> Array:
    y = asarray(np.frombuffer(data, dtype=dtype).reshape(shape), device=device)
    if leaf:
        y.requires_grad = True
    return y


def _is_tape_leaf(x: Array) -> bool:
    return x.requires_grad and x.is_leaf


def _reduce_ex(self: Array, protocol: SupportsIndex) -> tuple[Any, ...]:
    values = np.ascontiguousarray(_array(self.detach().to("cpu")))
    data: Any = values.tobytes()
    if operator.index(protocol) >= 5:
        data = pickle.PickleBuffer(values)  # type: ignore[arg-type]
    return _restore, (data, self.dtype.name, self.shape, _is_tape_leaf(self), self.device)


def _shallow_copy(self: Array) -> Array:
    if not _is_tape_leaf(self):
        return self[...]
    y = self.detach()
    y.requires_grad = True
    y.grad = self.grad
    return y


def _deep_copy(self: Array, memo: dict[int, Any]) -> Array:
    if not _is_tape_leaf(self):
        return _core.copy(self)
    y = _core.copy(self.detach())
    y.requires_grad = True
    y.grad = _copy.deepcopy(self.grad, memo)
    return y


for _name, _method in {
    "__array__": _array,
    "__array_ufunc__": _array_ufunc,
    "__array_function__": _array_function,
    "__cuda_array_interface__": property(cuda_array_interface),
    "__copy__": _shallow_copy,
    "__deepcopy__": _deep_copy,
    "__reduce_ex__": _reduce_ex,
    "numpy": _to_numpy,
}.items():
    setattr(Array, _name, _method)
