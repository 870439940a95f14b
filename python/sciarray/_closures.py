"""What functions close over, as arguments of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from ._core import Array

# Longer containers are data of another kind and are not searched.
_LIMIT = 1000


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield from _names(c)


def _home(x: Any) -> Any:
    """The module of the first function in a tree."""
    if isinstance(x, FunctionType):
        return x.__globals__.get("__name__")
    if isinstance(x, (partial, MethodType)):
        return _home(x.func if isinstance(x, partial) else x.__func__)
    if isinstance(x, (tuple, list)):
        return next((home for home in map(_home, x) if home is not None), None)
    return None


class _Hole:
    """The place of an array."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Copy:
    """Copies of functions and containers with other objects in place of those of one class.

    Functions get cells of their own, so that a name that is bound anew later does not change them.
    """

    def __init__(self, kind: type, new: Callable[[Any], Any], home: Any) -> None:
        self._kind, self._new, self._home = kind, new, home
        self._done: dict[int, Any] = {}

    def __call__(self, x: Any) -> Any:
        if isinstance(x, self._kind):
            return self._new(x)
        if isinstance(x, FunctionType):
            if id(x) not in self._done:
                # A function that leads to itself finds the old one there.
                self._done[id(x)] = x
                self._done[id(x)] = self._function(x)
            return self._done[id(x)]
        if type(x) is partial:
            f, args, keywords = self((x.func, x.args, x.keywords))
            return partial(f, *args, **keywords)
        if (isinstance(x, tuple) or type(x) in (list, dict)) and len(x) <= _LIMIT:
            old = list(x.values() if isinstance(x, dict) else x)
            new = list(map(self, old))
            # What holds nothing of the kind stays the object that others may change.
            if all(a is b for a, b in zip(old, new)):
                return x
            if isinstance(x, dict):
                return dict(zip(x, new))
            return type(x)(*new) if hasattr(x, "_fields") else type(x)(new)
        return x

    def _function(self, f: FunctionType) -> FunctionType:
        seen = set(_names(f.__code__)) & f.__globals__.keys() if f.__globals__.get("__name__") == self._home else set()
        held = {n: f.__globals__[n] for n in seen if self._searched(f.__globals__[n])}
        changed = {n: y for n, y in self(held).items() if y is not held[n]}
        if not (changed or f.__closure__ or f.__defaults__ or f.__kwdefaults__):
            return f
        cells = None if f.__closure__ is None else tuple(map(self._cell, f.__closure__))
        names = {**f.__globals__, **changed} if changed else f.__globals__
        g = FunctionType(f.__code__, names, f.__name__, self(f.__defaults__), cells)
        g.__kwdefaults__ = self(f.__kwdefaults__)
        g.__dict__.update(f.__dict__)
        return g

    def _cell(self, cell: CellType) -> CellType:
        try:
            return CellType(self(cell.cell_contents))
        except ValueError:
            # It is empty still.
            return cell

    def _searched(self, x: Any) -> bool:
        """Functions of other modules are not searched by way of global names."""
        return not isinstance(x, FunctionType) or x.__globals__.get("__name__") == self._home


def closed_over(tree: Any) -> tuple[list[Array], Callable[[Sequence[Array]], Any]]:
    """The arrays in a tree of functions and containers, and the same tree with others in their place.

    They are looked for in closures, defaults, and global names of the functions and of the functions there; not in
    attributes of objects.
    """
    found: dict[int, tuple[Array, _Hole]] = {}
    home = _home(tree)

    def taken(x: Array) -> _Hole:
        return found.setdefault(id(x), (x, _Hole(len(found))))[1]

    frozen = _Copy(Array, taken, home)(tree)

    def rebuilt(values: Sequence[Array]) -> Any:
        return _Copy(_Hole, lambda hole: values[hole.number], home)(frozen)

    return [x for x, _ in found.values()], rebuilt
