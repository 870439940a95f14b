"""Record and replay: a function's operations written down once and run again without Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from . import _core, _tree
from ._core import Array, Graph
from ._creation import asarray

__all__ = ["Graph", "record"]


def _input(x: Any) -> Any:
    return asarray(x) if isinstance(x, (np.ndarray, np.generic)) else x


def _recorded(f: Callable[..., Any], tree: Any, inputs: list[Array]) -> tuple[Graph, Any]:
    """The program of one call, and the structure of its result."""
    marked = iter(_core.record_begin(inputs))
    try:
        args, kwargs = _tree.tree_map(lambda x: next(marked) if isinstance(x, Array) else x, tree)
        y = f(*args, **kwargs)
        graph = _core.record_finish([asarray(v) for v in _tree.leaves(y)])
    finally:
        _core.record_abandon()
    return graph, _tree.tree_map(lambda _: ..., y)


def record(f: Callable[..., Any]) -> Callable[..., Any]:
    """``f`` recorded at the first call for each structure, shapes and dtypes of its arguments, and replayed afterwards.

    Arrays, NumPy's too, are inputs; other leaves are static and must be hashable. Arrays that ``f`` closes over are
    constants of the recording. Python must not read elements of arrays inside ``f``; whatever it returns comes back as
    arrays.

    Example
    -------
    >>> f = sa.record(lambda x: sa.exp(-x * x) + 1.0)
    >>> f(sa.asarray([0.0]))
    array([2.])
    """
    programs: dict[Any, tuple[Graph, Any]] = {}

    @wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if _core.is_recording():
            return f(*args, **kwargs)
        tree = _tree.tree_map(_input, (args, kwargs))
        inputs = [x for x in _tree.leaves(tree) if isinstance(x, Array)]
        key = _tree.structure(tree)
        try:
            program = programs.get(key)
        except TypeError as e:
            name = getattr(f, "__name__", "record")
            raise TypeError(f"record: arguments of {name} must be arrays or hashable: {e}") from None
        if program is None:
            program = programs[key] = _recorded(f, tree, inputs)
        graph, result = program
        return _tree.rebuild(result, iter(graph.replay(inputs)))

    wrapper.programs = programs  # type: ignore[attr-defined]
    return wrapper
