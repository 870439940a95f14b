"""`record`: a function's programs, found by the signature of a call."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import ContextDecorator
from functools import update_wrapper
from types import MethodType
from typing import Any, overload

import numpy as np

from .. import _core, _tree
from .._core import Array, Graph
from .._creation import asarray
from ._origins import Origin, modules, origins

Function = Callable[..., Any]


# What is an input of a recorded function rather than a static argument.
_ARRAYS = (Array, np.ndarray, np.generic)


def _input(x: Any) -> Any:
    return asarray(x) if isinstance(x, _ARRAYS) else x


class _Program:
    """A graph, the structure of its results at each exit, and the ways to the objects that it reads."""

    __slots__ = ("graph", "origins", "results")

    def __init__(self) -> None:
        self.graph: Graph | None = None
        self.results: dict[int, Any] = {}
        self.origins: list[Origin] = []

    def record(self, f: Function, tree: Any, inputs: list[Array]) -> Any:
        """Runs the function and keeps what it did as the program, or as another path of it."""
        marked = iter(_core.record_begin(inputs, modules(f)))
        try:
            args, kwargs = _tree.tree_map(lambda x: next(marked) if isinstance(x, _ARRAYS) else x, tree)
            y = f(*args, **kwargs)
            outputs = [asarray(v) for v in _tree.leaves(y)]
            self.graph, number, values = _core.record_finish(outputs, self.graph)
        finally:
            _core.record_abandon()
        self.results[number] = _tree.tree_map(lambda _: ..., y)
        static = _tree.tree_map(lambda x: None if isinstance(x, _ARRAYS) else x, tree)
        self.origins = origins((f, static), self.graph.captured())
        return _tree.rebuild(self.results[number], iter(values))

    def result(self, outcome: tuple[int, list[Array]]) -> Any:
        number, values = outcome
        tree = self.results[number]
        return values[0] if tree is ... else _tree.rebuild(tree, iter(values))

    def replay(self, inputs: list[Array]) -> Any:
        """``(exit, values)``, a string that says what does not fit, or the segment after which nothing is recorded."""
        assert self.graph is not None
        for origin in self.origins:
            x = origin.now()
            if x is not origin.object:
                if type(x) is not type(origin.object):
                    return "a name that the function closes over means something else"
                self.graph.rebind(origin.number, x)
                origin.object = x
        return self.graph.replay(inputs)


class Recorded:
    """A function that is recorded at its first call and replayed afterwards; see `record`."""

    def __init__(self, f: Function, max_programs: int, max_paths: int) -> None:
        update_wrapper(self, f)
        self._f = f
        self._max_programs, self._max_paths = max_programs, max_paths
        self._programs: dict[Any, list[_Program]] = {}
        self._last: _Program | None = None
        self._warned = False

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _core.is_recording():
            return self._f(*args, **kwargs)
        # Calls with nothing but arrays need no look at their structure: the program that served the last one checks them.
        flat = not kwargs and set(map(type, args)) == {Array}
        if flat and self._last is not None:
            outcome = self._last.replay(list(args))
            if type(outcome) is tuple:
                return self._last.result(outcome)
        inputs, key = _core.tree_signature((args, kwargs), _input)
        try:
            programs = self._programs.setdefault(key, [])
        except TypeError as e:
            raise TypeError(f"record: arguments of {self._name} must be arrays or hashable: {e}") from None
        why = ""
        for program in programs:
            outcome = program.replay(inputs)
            if isinstance(outcome, int):
                assert program.graph is not None
                if len(program.results) >= self._max_paths:
                    parting = program.graph._guard_text(outcome)
                    why = f"more than max_paths={self._max_paths} ways through the function, which part at {parting}"
                    return self._give_up(why, args, kwargs)
                return program.record(self._f, (args, kwargs), inputs)
            if not isinstance(outcome, str):
                self._last = program if flat else self._last
                return program.result(outcome)
            why = f", last because {outcome}"
        if sum(map(len, self._programs.values())) >= self._max_programs:
            return self._give_up(f"more than max_programs={self._max_programs} signatures{why}", args, kwargs)
        program = _Program()
        y = program.record(self._f, (args, kwargs), inputs)
        programs.append(program)
        self._last = program if flat else self._last
        return y

    @property
    def _name(self) -> str:
        return getattr(self._f, "__name__", "the function")

    def _give_up(self, why: str, args: Any, kwargs: Any) -> Any:
        if not self._warned:
            self._warned = True
            warnings.warn(f"record: {self._name} runs without recording: {why}", RuntimeWarning, stacklevel=3)
        return self._f(*args, **kwargs)

    @property
    def graphs(self) -> list[Graph]:
        """The programs recorded so far."""
        return [p.graph for programs in self._programs.values() for p in programs if p.graph is not None]

    def explain(self) -> str:
        """The recorded programs, their branches and the lines that they come from, as text."""
        parts = []
        for k, graph in enumerate(self.graphs):
            paths = f"{graph.n_paths} path{'s' if graph.n_paths > 1 else ''}"
            parts.append(
                f"program {k} of {self._name}: {len(graph.ops())} nodes, {graph.n_steps} steps, {paths}\n{graph}"
            )
        return "\n".join(parts) or f"{self._name} has not been called"

    def clear(self) -> None:
        """Forgets all programs."""
        self._programs.clear()
        self._last = None
        self._warned = False


@overload
def record(f: Function, /, *, max_programs: int = ..., max_paths: int = ...) -> Recorded: ...
@overload
def record(f: None = None, /, *, max_programs: int = ..., max_paths: int = ...) -> Callable[[Function], Recorded]: ...
def record(f: Function | None = None, /, *, max_programs: int = 64, max_paths: int = 64) -> Any:
    """``f`` recorded at the first call for each structure, shapes and dtypes of its arguments, and replayed afterwards.

    Arrays, NumPy's too, are inputs; other leaves of the arguments are static and must be hashable. sciarray arrays that
    ``f`` closes over are read afresh at each replay, and in-place updates (``x[i] = v``, ``x += y``, ``.grad``) of
    arrays that are older than the call are repeated, so that a whole training step is one program; generators of
    random numbers move on as they do without recording. Where Python reads a ``bool`` or an ``int`` of an array, the program
    branches: a value not met before records the other way, up to ``max_paths``. So it does where a shape depends on
    values (``nonzero``, ``unique``, ``x[mask]``): what follows is recorded for each number of elements that was met, as
    ``explain`` says. Reading a float or NumPy array raises RuntimeError with the line. Other effects of ``f`` on
    Python objects happen only while recording. Whatever ``f`` returns comes back as arrays.

    Beyond ``max_programs`` signatures or ``max_paths`` ways ``f`` runs unrecorded, with a warning. A bad matrix makes
    its item of a batch NaN instead of raising LinAlgError.

    Example
    -------
    >>> f = sa.record(lambda x: sa.exp(-x * x) + 1.0)
    >>> f(sa.asarray([0.0]))
    array([2.])
    """
    if f is None:
        return lambda g: Recorded(g, max_programs, max_paths)
    return Recorded(f, max_programs, max_paths)


class name_scope(ContextDecorator):
    """Prefixes the names of the nodes that are recorded inside; also a decorator.

    What methods of an object record is named after the attribute, item or variable that holds it without this, as
    ``model.layers.0.add_1``.

    Example
    -------
    >>> @sa.record
    ... def f(x):
    ...     with sa.name_scope("layer"):
    ...         return sa.exp(x)
    >>> y = f(sa.asarray(0.0))
    >>> "layer.exp_1" in f.explain()
    True
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        _core.enter_scope(self.name)

    def __exit__(self, *exc: object) -> None:
        _core.leave_scope()


def assign(tree: Any, values: Any) -> None:
    """Assigns to each array of a tree, in place, the corresponding one of another: the last line of a recorded step.

    Example
    -------
    >>> params = {"w": sa.zeros(2)}
    >>> sa.graph.assign(params, {"w": sa.ones(2)})
    >>> params["w"]
    array([1., 1.])
    """
    targets, values = _tree.leaves(tree), _tree.leaves(values)
    if len(targets) != len(values):
        raise ValueError(f"assign: one value per array is required, got {len(values)} for {len(targets)}")
    for x, v in zip(targets, values):
        x[...] = v
