"""Where a function finds the objects that it closes over, so that a replay notices when a name means another array."""

from __future__ import annotations

import functools
from collections import Counter, deque
from collections.abc import Callable, Iterator
from operator import attrgetter, itemgetter
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from .._core import Array

# Objects looked at per function; closed-over data beyond that is bound by identity alone.
_LIMIT = 4000
_DEPTH = 9
_ALIASES = 3

Getter = Callable[[Any], Any]


def _cell(cell: Any) -> Getter:
    return lambda _: cell.cell_contents


def _global(names: dict[str, Any], name: str) -> Getter:
    return lambda _: names[name]


def _member(name: str) -> Getter:
    return lambda x: x.__dict__[name]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield from _names(c)


def _children(x: Any) -> Iterator[tuple[Any, Getter, str]]:
    """What an object leads to, how, and the name that it has there for the user, if any."""
    if isinstance(x, FunctionType):
        # The names in this package's own closures are not the user's.
        own = (x.__globals__.get("__package__") or "").partition(".")[0] == __package__.partition(".")[0]
        for name, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
            try:
                yield cell.cell_contents, _cell(cell), "" if own else name
            except ValueError:
                pass
        for name in _names(x.__code__):
            if name in x.__globals__:
                yield x.__globals__[name], _global(x.__globals__, name), "" if own else name
        yield x.__defaults__, attrgetter("__defaults__"), ""
        yield x.__kwdefaults__, attrgetter("__kwdefaults__"), ""
        if hasattr(x, "__wrapped__"):
            yield x.__wrapped__, attrgetter("__wrapped__"), ""
    elif isinstance(x, MethodType):
        yield x.__func__, attrgetter("__func__"), ""
        yield x.__self__, attrgetter("__self__"), ""
    elif isinstance(x, functools.partial):
        for name in ("func", "args", "keywords"):
            yield getattr(x, name), attrgetter(name), ""
    elif isinstance(x, dict):
        yield from ((value, itemgetter(key), str(key)) for key, value in x.items())
    elif isinstance(x, (list, tuple)):
        yield from ((value, itemgetter(k), str(k)) for k, value in enumerate(x))
    elif isinstance(getattr(x, "__dict__", None), dict) and not isinstance(x, (type, ModuleType)):
        yield from ((value, _member(name), name) for name, value in vars(x).items())


class Origin:
    """One of the objects that a recorded function closes over, and the ways to it."""

    __slots__ = ("number", "object", "paths", "root")

    def __init__(self, number: int, x: Any, root: Any) -> None:
        self.number, self.object, self.root = number, x, root
        self.paths: list[tuple[Getter, ...]] = []

    def now(self) -> Any:
        """What the ways lead to now, or None where they part: which one the function takes is not known."""
        found = self.object if not self.paths else None
        for k, path in enumerate(self.paths):
            x = self.root
            try:
                for step in path:
                    x = step(x)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError):
                return None
            if k and x is not found:
                return None
            found = x
        return found


def origins(f: Any, wanted: list[tuple[int, Any]]) -> list[Origin]:
    """Ways from a function to numbered objects, as far as there are any."""
    found = {id(x): Origin(k, x, f) for k, x in wanted}
    visits: Counter[int] = Counter()
    queue: deque[tuple[Any, tuple[Getter, ...]]] = deque([(f, ())])
    while found and queue and visits.total() < _LIMIT:
        x, path = queue.popleft()
        if id(x) in found:
            found[id(x)].paths.append(path)
        elif len(path) < _DEPTH and not isinstance(x, (str, bytes, int, float, Array)):
            visits[id(x)] += 1
            # A container may be met under several names, each of which can be bound anew.
            if visits[id(x)] <= _ALIASES:
                queue.extend((child, (*path, step)) for child, step, _ in _children(x))
    return [origin for origin in found.values() if origin.paths]


def modules(f: Any) -> list[tuple[Any, str]]:
    """The objects with attributes that a function leads to, with the names of attributes, items and variables on the way."""
    found: dict[int, tuple[Any, str]] = {}
    seen: set[int] = set()
    queue: deque[tuple[Any, str, int]] = deque([(f, "", 0)])
    while queue and len(seen) < _LIMIT:
        x, path, depth = queue.popleft()
        if id(x) in seen or depth > _DEPTH or isinstance(x, (str, bytes, int, float, Array)):
            continue
        seen.add(id(x))
        if (
            path
            and not isinstance(x, (FunctionType, MethodType, ModuleType, type, functools.partial))
            and hasattr(x, "__dict__")
        ):
            found[id(x)] = (x, path)
        for child, _, name in _children(x):
            queue.append((child, f"{path}.{name}" if path and name else path or name, depth + 1))
    return list(found.values())
