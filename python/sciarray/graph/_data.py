"""Recorded programs as data: nodes, pictures, rewriting, derivatives, profiles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from .. import _core
from .._core import Array, Graph, zeros
from .._grad import vjp as _vjp

Rule = Callable[["Node", list[Array]], Any]


@dataclass(frozen=True)
class Node:
    """One operation of a program: its name, op and attributes, names of its inputs and outputs, and where it comes from."""

    name: str
    op: str
    attrs: dict[str, Any]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    dtypes: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    file: str | None
    line: int
    scope: str | None


def nodes(self: Graph) -> list[Node]:
    """The nodes that the outputs depend on, in order."""
    values = self._values()

    def node(row: Any) -> Node:
        name, op, attrs, ins, outs, file, line, scope, _, _ = row
        return Node(
            name,
            op,
            attrs,
            tuple(values[v][0] for v in ins),
            tuple(values[v][0] for v in outs),
            tuple(values[v][1].name for v in outs),
            tuple(values[v][2] for v in outs),
            file,
            line,
            scope,
        )

    return [node(row) for row in self._nodes() if row[8]]


def call(self: Graph, *args: Any) -> list[Array]:
    """The results for other arguments, as a flat list. Arguments that do not fit raise ValueError, which says why."""
    outcome = self.replay([_core.copy(a) if not isinstance(a, Array) else a for a in args])
    if isinstance(outcome, int):
        read = self._guard_text(outcome)
        raise ValueError(
            f"graph: nothing is recorded for this {read}; only the recorded function can tell what follows"
        )
    if isinstance(outcome, str):
        raise ValueError(f"graph: {outcome}")
    return outcome[1]


def _label(v: Any) -> str:
    return f"{v[1].name}{v[2]}"


def _edges(self: Graph) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Labels of boxes by name, and arrows between them; constants are left out."""
    values = self._values()
    maker: dict[int, str] = {}
    boxes: dict[str, str] = {}
    for v, kind, _ in self._inputs():
        maker[v] = values[v][0]
        boxes[values[v][0]] = f"{values[v][0]}\n{kind} {_label(values[v])}"
    arrows: list[tuple[str, str]] = []
    for name, op, _, ins, outs, _, _, _, live, _ in self._nodes():
        if live:
            boxes[name] = f"{name}\n{', '.join(_label(values[v]) for v in outs)}"
            arrows += [(maker[v], name) for v in dict.fromkeys(ins) if v in maker]
            maker |= dict.fromkeys(outs, name)
    for k, (outputs, n_results, _) in enumerate(self._exits()):
        for i, v in enumerate(outputs):
            name = f"{'output' if i < n_results else 'update'}_{k}_{i}"
            boxes[name] = name
            arrows += [(maker[v], name)] if v in maker else []
    used = {a for arrow in arrows for a in arrow}
    return {name: text for name, text in boxes.items() if name in used}, arrows


def to_dot(self: Graph) -> str:
    """The program as a graph in Graphviz' language."""
    boxes, arrows = _edges(self)
    lines = [f"  {json.dumps(name)} [label={json.dumps(text)}];" for name, text in boxes.items()]
    lines += [f"  {json.dumps(a)} -> {json.dumps(b)};" for a, b in arrows]
    return "\n".join(["digraph {", "  node [shape=box];", *lines, "}"])


def to_svg(self: Graph) -> str:
    """The program as a picture: each node below all that it reads."""
    from html import escape

    boxes, arrows = _edges(self)
    before: dict[str, list[str]] = {name: [] for name in boxes}
    for a, b in arrows:
        before[b].append(a)
    rank: dict[str, int] = {}
    rows: list[list[str]] = []
    # Boxes are in an order in which everything comes after what it reads.
    for name in boxes:
        rank[name] = max((rank[a] + 1 for a in before[name]), default=0)
        rows += [[] for _ in range(rank[name] + 1 - len(rows))]
        rows[rank[name]].append(name)
    # A letter of the font is 6.6 wide.
    longest = max((len(line) for text in boxes.values() for line in text.split("\n")), default=0)
    width, height, gap = 7 * longest + 16, 40, 24
    place: dict[str, tuple[float, float]] = {}
    for r, row in enumerate(rows):
        # A box stands below the mean of what it reads.
        wish = {n: sum(place[a][0] for a in before[n]) / len(before[n]) if before[n] else 0.0 for n in row}
        x = float("-inf")
        for name in sorted(row, key=lambda n: wish[n]):
            x = max(x + width + gap, wish[name])
            place[name] = (x, r * (height + 2 * gap))
    left = min((x for x, _ in place.values()), default=0.0)
    right = max((x for x, _ in place.values()), default=0.0) + width
    out = []
    for a, b in arrows:
        (x1, y1), (x2, y2) = place[a], place[b]
        start, end, bend = y1 + height, y2, (y2 - y1 - height) / 2
        out.append(
            f'<path d="M{x1 + width / 2:.0f},{start:.0f} C{x1 + width / 2:.0f},{start + bend:.0f} '
            f'{x2 + width / 2:.0f},{end - bend:.0f} {x2 + width / 2:.0f},{end:.0f}" fill="none" stroke="#889"/>'
        )
    for name, (x, y) in place.items():
        out.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width}" height="{height}" rx="5" fill="#eef" stroke="#447"/>'
        )
        for k, text in enumerate(boxes[name].split("\n")):
            out.append(f'<text x="{x + width / 2:.0f}" y="{y + 16 + 16 * k:.0f}">{escape(text)}</text>')
    size = f"{left - 10:.0f} -10 {right - left + 20:.0f} {len(rows) * (height + 2 * gap):.0f}"
    style = 'font-family="monospace" font-size="11" text-anchor="middle"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {style}>{"".join(out)}</svg>'


# Nodes, then the guard that follows them: its value, whether an int is read, and what was seen on this way.
_Stretch = tuple[list[int], tuple[int, bool, int] | None]


def _ways(self: Graph) -> list[list[_Stretch]]:
    """The way through the program to each exit."""
    segments = self._segments()
    before = {
        end: (s, (guard[0], guard[1], seen))
        for s, (_, guard, _) in enumerate(segments)
        if guard is not None
        for seen, end in guard[4]
    }
    ways: list[list[_Stretch]] = [[] for _ in self._exits()]
    for s, (nodes, _, done) in enumerate(segments):
        if done is not None:
            stretches: list[_Stretch] = [(nodes, None)]
            at = s
            while at in before:
                at, taken = before[at]
                stretches.append((segments[at][0], taken))
            ways[done[1]] = stretches[::-1]
    return ways


class _Impossible(Exception):
    """A way that is not taken once the program is rewritten."""


def _pass_guard(x: Array, guard: tuple[int, bool, int]) -> None:
    _, is_int, seen = guard
    if not _core.record_guard(x, is_int, seen) and (int(x) if is_int else int(bool(x))) != seen:
        raise _Impossible


def _moved(self: Graph, exit: int, way: list[_Stretch], wanted: Iterable[int]) -> list[tuple[Any, int]]:
    """The generators that values of a way draw from, and the values that are their states at its end."""
    rows = self._nodes()
    needed = set(wanted) | {guard[0] for _, guard in way if guard is not None}
    for k in reversed([k for nodes, _ in way for k in nodes]):
        if needed.intersection(rows[k][4]):
            needed.update(rows[k][3])
    streams = {k for v, kind, k in self._inputs() if kind == "stream" and v in needed}
    objects = dict(self.captured())
    outputs, n, writes = self._exits()[exit]
    # A gradient that is taken away has no output.
    stored = zip((k for k, is_grad, is_some in writes if is_some or not is_grad), outputs[n:])
    return [(objects[k], v) for k, v in stored if k in streams]


def _move(streams: list[tuple[Any, int]], values: dict[int, Array]) -> None:
    for stream, v in streams:
        _core.record_stream_moved(stream, values[v])


def _again(
    self: Graph,
    args: Sequence[Array],
    way: list[_Stretch],
    rule: Rule | None = None,
    wanted: Iterable[int] | None = None,
) -> dict[int, Array]:
    """The values of the program for these arguments on one way, computed node by node through the gate.

    With ``wanted`` it stops as soon as these are there.
    """
    values: dict[int, Array] = dict(self._constants())
    objects = dict(self.captured())
    for v, kind, k in self._inputs():
        if kind == "argument":
            values[v] = args[k]
        elif kind == "stream":
            values[v] = _core.record_stream(objects[k])
        else:
            values[v] = objects[k] if kind == "array" else objects[k].grad
    missing = None if wanted is None else set(wanted) - values.keys()
    records = {n.name: n for n in self.nodes()}
    rows = self._nodes()
    for stretch, guard in way:
        for k in stretch:
            name, _, _, ins, outs, _, _, _, live, (tape, scopes) = rows[k]
            if missing is not None and not missing:
                return values
            if not live:
                continue
            now = _core.open_scopes()
            before = _core.exchange_scopes((now & 1 if tape else 0) | (now & ~1 if scopes else 0))
            try:
                given = [values[v] for v in ins]
                made = rule(records[name], given) if rule is not None else None
                if made is None:
                    made = self._apply(k, given)
                elif isinstance(made, Array):
                    made = [made]
            finally:
                _core.exchange_scopes(before)
            for v, y in zip(outs, made, strict=True):
                values[v] = y
            if missing is not None:
                missing.difference_update(outs)
        if missing is not None and not missing:
            return values
        if guard is not None:
            _pass_guard(values[guard[0]], guard)
    return values


def _zeros_like(value: tuple[str, Any, tuple[int, ...], str]) -> Array:
    _, dtype, shape, device = value
    return zeros(shape, dtype).to(device)


def _arguments(self: Graph) -> list[Array]:
    """Zeros in the shapes and dtypes of the arguments, where these were."""
    values = self._values()
    found = {k: _zeros_like(values[v]) for v, kind, k in self._inputs() if kind == "argument"}
    return [found[k] for k in sorted(found)]


def _recorded(inputs: list[Array], ways: Iterable[Callable[[list[Array]], list[Array]]]) -> Graph:
    """The program of which each function computes one way."""
    graph: Graph | None = None
    for f in ways:
        shown = _core.record_begin(inputs)
        try:
            graph, _, _ = _core.record_finish(f(shown), graph)
        except _Impossible:
            pass
        finally:
            _core.record_abandon()
    assert graph is not None
    return graph


def rewrite(self: Graph, rule: Rule) -> Graph:
    """The program with some nodes replaced: ``rule(node, inputs)`` returns arrays in place of a node's outputs, or None.

    The rule computes with arrays as any function does; it runs once, on the values for arguments that are all zero. What
    results no longer need is dropped, and so are the updates of arrays that the function closes over. Generators that
    results draw from move on as those of the program do.

    Example
    -------
    >>> f = sa.record(lambda x: sa.exp(x) * 2.0)
    >>> y = f(sa.asarray(0.0))
    >>> g = f.graphs[0].rewrite(lambda node, xs: 1.0 + xs[0] if node.op == "exp" else None)
    >>> g(sa.asarray(3.0))
    [array(8.)]
    """

    def along(way: list[_Stretch], outputs: list[int], exit: int) -> Callable[[list[Array]], list[Array]]:
        def run(args: list[Array]) -> list[Array]:
            values = _again(self, args, way, rule)
            _move(_moved(self, exit, way, outputs), values)
            return [values[v] for v in outputs]

        return run

    exits = enumerate(zip(_ways(self), self._exits()))
    return _recorded(_arguments(self), [along(way, outputs[:n], k) for k, (way, (outputs, n, _)) in exits])


def replace(self: Graph, name: str, f: Callable[..., Any]) -> Graph:
    """The program with the node of this name replaced by a function of its inputs."""
    if name not in {n.name for n in self.nodes()}:
        raise ValueError(f"replace: there is no node {name!r}")
    return rewrite(self, lambda node, xs: f(*xs) if node.name == name else None)


def extract(self: Graph, names: Iterable[str]) -> Graph:
    """The program that computes the values of these names, and nothing else.

    Of a program that branches the ways remain on which all of them are computed.

    Example
    -------
    >>> f = sa.record(lambda x: sa.sin(sa.exp(x)))
    >>> y = f(sa.asarray(0.0))
    >>> f.graphs[0].extract(["exp_1"])(sa.asarray(0.0))
    [array(1.)]
    """
    numbers = {name: v for v, (name, *_) in enumerate(self._values())}
    wanted = list(names)
    for name in wanted:
        if name not in numbers:
            raise ValueError(f"extract: there is no value {name!r}")
    chosen = [numbers[name] for name in wanted]
    rows = self._nodes()
    always = {v for v, _ in self._constants()} | {v for v, _, _ in self._inputs()}

    def made(way: list[_Stretch]) -> set[int]:
        return always | {v for nodes, _ in way for k in nodes if rows[k][8] for v in rows[k][4]}

    ways = [(k, way) for k, way in enumerate(_ways(self)) if made(way).issuperset(chosen)]
    if not ways:
        there = set().union(*(made(way) for way in _ways(self)))
        lost = next((name for name in wanted if numbers[name] not in there), wanted[0])
        raise ValueError(f"extract: no output depends on {lost!r}, so it was not kept, or no way computes all of them")

    def along(exit: int, way: list[_Stretch]) -> Callable[[list[Array]], list[Array]]:
        # No branch counts after the last of them.
        n = next(k for k in range(1, len(way) + 1) if made(way[:k]).issuperset(chosen))
        streams = _moved(self, exit, [*way[: n - 1], (way[n - 1][0], None)], chosen)

        def run(args: list[Array]) -> list[Array]:
            # How far generators move on may be decided at any branch.
            found = _again(self, args, way, wanted=None if streams else chosen)
            _move(streams, found)
            return [found[v] for v in chosen]

        return run

    return _recorded(_arguments(self), [along(exit, way) for exit, way in ways])


def vjp(self: Graph) -> Graph:
    """The program of the derivative: arguments and one cotangent per float result to cotangents of the float arguments.

    The results of a program that branches must have the same dtypes and shapes on all ways. Random numbers are drawn anew.
    """
    values = self._values()
    args = _arguments(self)
    chosen = [i for i, x in enumerate(args) if x.dtype.kind in "fc"]
    results = [[v for v in outputs[:n] if values[v][1].kind in "fc"] for outputs, n, _ in self._exits()]
    cotangents = [_zeros_like(values[v]) for v in results[0]]
    like = [values[v][1:] for v in results[0]]
    if any([values[v][1:] for v in found] != like for found in results):
        raise ValueError("vjp: the ways of the program return different dtypes, shapes or devices")

    def along(exit: int, way: list[_Stretch], found: list[int]) -> Callable[[list[Array]], list[Array]]:
        def run(given: list[Array]) -> list[Array]:
            xs, gs = given[: len(args)], given[len(args) :]

            def f(*floats: Array) -> list[Array]:
                full = list(xs)
                for i, x in zip(chosen, floats):
                    full[i] = x
                made = _again(self, full, way)
                _move(_moved(self, exit, way, found), made)
                return [made[v] for v in found]

            return list(_vjp(f, *[xs[i] for i in chosen])[1](gs))

        return run

    ways = enumerate(zip(_ways(self), results))
    return _recorded(args + cotangents, [along(exit, way, found) for exit, (way, found) in ways])


@dataclass
class Profile:
    """Start and duration in seconds of each step of a replay, with the names of its nodes and the bytes of its results."""

    steps: list[tuple[str, float, float, int]] = field(default_factory=list)

    def __str__(self) -> str:
        total = sum(t for _, _, t, _ in self.steps) or 1.0
        rows = [f"{t * 1e6:10.1f} us {100 * t / total:5.1f} % {size:12d} B  {name}" for name, _, t, size in self.steps]
        return "\n".join([*rows, f"{total * 1e6:10.1f} us in {len(self.steps)} steps"])

    def to_chrome(self, path: str | PathLike[str]) -> None:
        """Writes a trace that chrome://tracing and Perfetto show."""
        events = [
            {"name": name, "ph": "X", "ts": start * 1e6, "dur": t * 1e6, "pid": 0, "tid": 0, "args": {"bytes": size}}
            for name, start, t, size in self.steps
        ]
        Path(path).write_text(json.dumps({"traceEvents": events}))


def profile(self: Graph, *args: Array) -> Profile:
    """Times of the steps of one replay. Arrays that the function closes over are read, but not updated."""
    found = Profile()

    def step(names: list[str], start: float, t: float, outs: list[Array]) -> None:
        found.steps.append((" + ".join(names), start, t, sum(y.nbytes for y in outs)))

    self._walk(list(args), step)
    return found


for _name, _method in {
    "__call__": call,
    "_repr_svg_": to_svg,
    "extract": extract,
    "nodes": nodes,
    "profile": profile,
    "replace": replace,
    "rewrite": rewrite,
    "to_dot": to_dot,
    "to_svg": to_svg,
    "vjp": vjp,
}.items():
    setattr(Graph, _name, _method)
