"""Record and replay: a function's operations written down once and run again without Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from . import _core, _tree
from ._core import Graph
from ._creation import asarray

__all__ = ["Graph", "record"]


def record(f: Callable[..., Any]) -> Callable[..., Any]:
    """``f`` recorded at the first call for each structure, shapes and dtypes of its arguments, and replayed afterwards.

    Array arguments are inputs; other leaves are static and must be hashable. Arrays that ``f`` closes over are constants of
    the recording. Python must not read elements of arrays inside ``f``.

    Example
    -------
    >>> f = sa.record(lambda x: sa.exp(-x * x) + 1.0)
    >>> f(sa.asarray([0.0]))
    array([2.])
    """
    programs: dict[Any, tuple[Graph, Any]] = {}

    @wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        tree = (args, kwargs)
        inputs = [x for x in _tree.leaves(tree) if isinstance(x, _core.Array)]
        if _core.is_recording():
            return f(*args, **kwargs)
        key = _tree.structure(tree)
        if key not in programs:
            marked = iter(_core.record_begin(inputs))
            try:
                new_args, new_kwargs = _tree.tree_map(
                    lambda x: next(marked) if isinstance(x, _core.Array) else x, tree
                )
                y = f(*new_args, **new_kwargs)
                outputs = [asarray(v) for v in _tree.leaves(y)]
                programs[key] = _core.record_finish(outputs), y
            finally:
                _core.record_abandon()
        graph, y = programs[key]
        return _tree.rebuild(y, iter(graph.replay(inputs)))

    wrapper.programs = programs  # type: ignore[attr-defined]
    return wrapper
