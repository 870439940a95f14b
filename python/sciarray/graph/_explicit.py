"""Recordings by hand, functions whose gradient is a replay too, and the search for values that are not finite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _core, _tree
from .._core import Array, Graph
from .._creation import asarray
from .._grad import _pull, checkpoint, custom_vjp, no_grad
from ._record import record

Function = Callable[..., Any]


class recording:
    """Records what happens inside a ``with`` block; ``replay`` repeats it.

    Arrays that are older than the block are its inputs, filled by assignment before a replay, and in-place updates of
    them are repeated. Arrays made inside that are named by ``output`` are updated by each replay.

    Example
    -------
    >>> x = sa.zeros(2)
    >>> with sa.recording() as g:
    ...     y = g.output(sa.exp(x) + 1.0)
    >>> x[...] = [0.0, 1.0]
    >>> _ = g.replay()
    >>> y
    array([2.        , 3.71828183])
    """

    def __init__(self) -> None:
        self.graph: Graph | None = None
        self._outputs: list[Any] = []

    def __enter__(self) -> recording:
        if self.graph is not None:
            raise RuntimeError("recording: a recording cannot be entered twice")
        _core.record_begin([])
        return self

    def output(self, tree: Any) -> Any:
        """Makes the arrays of a tree outputs, and returns it."""
        self._outputs.append(tree)
        return tree

    def __exit__(self, kind: Any, *exc: object) -> None:
        try:
            if kind is None:
                self.graph, _, _ = _core.record_finish([asarray(y) for y in _tree.leaves(self._outputs)])
        finally:
            _core.record_abandon()

    def replay(self) -> Any:
        """Computes everything again from the present values of the inputs; returns the outputs."""
        if self.graph is None:
            raise RuntimeError("recording: nothing was recorded")
        outcome = self.graph.replay([])
        if isinstance(outcome, int):
            read = self.graph._guard_text(outcome)
            raise RuntimeError(
                f"recording: {read} differs from what was recorded; use sa.record for functions that branch"
            )
        if isinstance(outcome, str):
            raise ValueError(f"recording: {outcome}")
        with no_grad():
            for y, value in zip(_tree.leaves(self._outputs), outcome[1]):
                y[...] = value
        return self._outputs[0] if len(self._outputs) == 1 else tuple(self._outputs)


def _graphed(f: Function) -> Function:
    """A function of arrays that returns a list of arrays: forward, and backward of every order, are replays."""
    forward = record(f)
    backward: dict[tuple[int, tuple[str, ...]], Function] = {}

    def pull(xs: tuple[Array, ...], gs: Sequence[Array]) -> list[Array | None]:
        n, kinds = len(xs), tuple(x.dtype.kind for x in xs)

        def derivative(*both: Array) -> list[Array]:
            found = _pull(f, both[:n], both[n:])
            return [g for g in found if g is not None]

        if (n, kinds) not in backward:
            backward[n, kinds] = _graphed(derivative)
        found = iter(backward[n, kinds](*xs, *gs))
        return [next(found) if kind in "fc" else None for kind in kinds]

    g = custom_vjp(forward)
    g.defvjp(lambda *xs: (None, xs), pull)
    return g


def make_graphed(f: Function, example_args: Sequence[Any]) -> Function:
    """``f`` as a function whose value and gradients of every order are replays, recorded at their first use.

    ``example_args`` are recorded at once; arguments have their structure. Gradients reach the arguments, not arrays that
    ``f`` closes over.

    Example
    -------
    >>> f = sa.graph.make_graphed(lambda x: (x**3).sum(), (sa.asarray([1.0, 2.0]),))
    >>> sa.grad(f)(sa.asarray([1.0, 2.0]))
    array([ 3., 12.])
    """
    structure = _tree.tree_map(lambda _: ..., list(example_args))
    result: list[Any] = []

    def flat(*xs: Array) -> list[Array]:
        y = f(*_tree.rebuild(structure, iter(xs)))
        result[:] = [_tree.tree_map(lambda _: ..., y)]
        return [asarray(v) for v in _tree.leaves(y)]

    g = _graphed(flat)

    def wrapper(*args: Any) -> Any:
        values = g(*[asarray(x) for x in _tree.leaves(list(args))])
        return _tree.rebuild(result[0], iter(values))

    wrapper(*example_args)
    return wrapper


def leaf(f: Function) -> Function:
    """``f`` as one node of recorded programs, by its name; its Python code runs at each replay.

    Gradients reach the arguments, not arrays that ``f`` closes over.

    Example
    -------
    >>> @sa.leaf
    ... def block(x):
    ...     return sa.exp(x) + 1.0
    >>> f = sa.record(lambda x: 2.0 * block(x))
    >>> y = f(sa.asarray(0.0))
    >>> [n.name for n in f.graphs[0].nodes()]
    ['block_1', 'multiply_1']
    """
    return checkpoint(f)


@dataclass(frozen=True)
class NotFinite:
    """The first operation that made a value that is not finite, its operands and result, and the user's line."""

    op: str
    inputs: tuple[str, ...]
    output: str
    source: str

    def __str__(self) -> str:
        return f"{self.op} made a value that is not finite, {self.output} of {', '.join(self.inputs)}, at {self.source}"


def why_nan(f: Function, *args: Any, **kwargs: Any) -> NotFinite | None:
    """Runs ``f`` and names the first operation with a result that is not finite, or returns None.

    Operations of gradients that are taken inside ``f`` count too.

    Example
    -------
    >>> sa.why_nan(lambda x: sa.sin(sa.log(x)), sa.asarray([1.0, 0.0])).op
    'log'
    """
    _core.search_begin()
    try:
        f(*args, **kwargs)
    finally:
        found = _core.search_finish()
    if found is None:
        return None
    op, inputs, output, source = found
    return NotFinite(op, tuple(inputs), output, source)
