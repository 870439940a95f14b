"""Programs in files: a zip of ``graph.json`` and one ``.npy`` per array.

``graph.json`` holds ``format`` ("sciarray-graph"), ``version`` (3), ``inputs``, ``constants``, ``nodes``, ``branches`` and
``exits``. Values are numbered: inputs, constants, then the outputs of the nodes in order. An input is
``{"dtype", "shape", "device"}``, an argument; ``{"array": file, "device"}``, an array that the program keeps and may update; or
``{"stream": words}``, the state of a generator that it keeps. Constants are arrays too. A node is ``{"op", "attrs", "ins",
"name", "scope", "file", "line", "watched"}``; a dtype among the attributes is ``{"dtype": name}``.

A branch has the number of its ``nodes``, which follow on those of the branch before in the list, and either a ``guard``,
``{"value", "read", "file", "line", "ways"}`` with the branch that follows for each ``bool`` or ``int`` read of the value, or
``outputs`` and the number of their ``exit``. An exit has the number of its ``results`` among the outputs; ``writes`` says which
inputs the others are stored in. Nothing in a file is ever executed as code.
"""

from __future__ import annotations

import json
import zipfile
from os import PathLike
from typing import Any

import numpy as np

from .. import _core
from .._core import DType, Graph
from .._creation import array

FORMAT, VERSION = "sciarray-graph", 3


def _write(z: zipfile.ZipFile, name: str, x: Any) -> dict[str, str]:
    with z.open(name, "w") as f:
        np.lib.format.write_array(f, np.asarray(x.detach().to("cpu")), allow_pickle=False)
    return {"array": name, "device": x.device}


def _read(z: zipfile.ZipFile, x: dict[str, str]) -> Any:
    with z.open(x["array"]) as f:
        return array(np.lib.format.read_array(f, allow_pickle=False)).to(x["device"])


def save(self: Graph, path: str | PathLike[str]) -> None:
    """Writes the program to a file, with the present values of the arrays and generators that it closes over.

    Programs that call Python (`leaf`, `custom_vjp`) or keep gradients in ``.grad`` raise ValueError.
    """
    self._check_loadable()
    values, inputs, constants = self._values(), self._inputs(), self._constants()
    objects = dict(self.captured())
    exits = self._exits()
    if any(kind == "gradient" for _, kind, _ in inputs) or any(w[1] for _, _, writes in exits for w in writes):
        raise ValueError("save: the program uses gradients of arrays that it closes over")
    number = {v: i for i, v in enumerate([v for v, _, _ in inputs] + [v for v, _ in constants])}
    place = {k: i for i, (_, _, k) in enumerate(inputs)}
    nodes: list[dict[str, Any]] = []
    branches: list[dict[str, Any]] = []
    rows = self._nodes()
    for members, guard, done in self._segments():
        count = 0
        for k in members:
            name, op, attrs, ins, outs, file, line, scope, live, watched = rows[k]
            if not live:
                continue
            count += 1
            shown = {k: {"dtype": a.name} if isinstance(a, DType) else a for k, a in attrs.items()}
            node = {"op": op, "attrs": shown, "ins": [number[v] for v in ins], "name": name, "scope": scope}
            nodes.append(node | {"file": file, "line": line, "watched": watched})
            for v in outs:
                number[v] = len(number)
        if guard is not None:
            v, is_int, file, line, ways = guard
            read = "int" if is_int else "bool"
            shown = {"value": number[v], "read": read, "file": file, "line": line, "ways": ways}
            branches.append({"nodes": count, "guard": shown})
        elif done is not None:
            branches.append({"nodes": count, "outputs": [number[v] for v in done[0]], "exit": done[1]})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:

        def described(v: int, kind: str, k: int) -> dict[str, Any]:
            if kind == "argument":
                return {"dtype": values[v][1].name, "shape": values[v][2], "device": values[v][3]}
            if kind == "stream":
                return {"stream": objects[k].state}
            return _write(z, f"array_{k}.npy", objects[k])

        data = {
            "format": FORMAT,
            "version": VERSION,
            "inputs": [described(*i) for i in inputs],
            "constants": [_write(z, f"constant_{i}.npy", c) for i, (_, c) in enumerate(constants)],
            "nodes": nodes,
            "branches": branches,
            "exits": [{"results": n, "writes": [(place[k], leaf) for k, _, leaf in ws]} for _, n, ws in exits],
        }
        z.writestr("graph.json", json.dumps(data))


def _given(z: zipfile.ZipFile, i: dict[str, Any]) -> Any:
    if "array" in i:
        return _read(z, i)
    return _core.Stream(i["stream"]) if "stream" in i else (getattr(_core, i["dtype"]), i["shape"], i["device"])


def _branch(b: dict[str, Any]) -> tuple[Any, ...]:
    if "guard" not in b:
        return b["nodes"], None, (b["outputs"], b["exit"])
    g = b["guard"]
    ways = [(seen, branch) for seen, branch in g["ways"]]
    return b["nodes"], (g["value"], {"bool": False, "int": True}[g["read"]], g["file"], g["line"], ways), None


def load(path: str | PathLike[str]) -> Graph:
    """The program that `Graph.save` wrote. It is checked as it is read; a file that does not fit raises ValueError.

    Arrays that it closes over are where they were: RuntimeError says what is missing for a GPU.

    Example
    -------
    >>> import os, tempfile
    >>> f = sa.record(lambda x: sa.exp(x) + 1.0)
    >>> y = f(sa.asarray(0.0))
    >>> path = os.path.join(tempfile.mkdtemp(), "f.zip")
    >>> f.graphs[0].save(path)
    >>> sa.graph.load(path)(sa.asarray(0.0))
    [array(2.)]
    """
    with zipfile.ZipFile(path) as z:
        try:
            data = json.loads(z.read("graph.json"))
            if data["format"] != FORMAT or data["version"] != VERSION:
                raise ValueError(f"load: version {VERSION} of {FORMAT} is read, got {data['version']}")
            inputs = [_given(z, i) for i in data["inputs"]]
            constants = [_read(z, c) for c in data["constants"]]
            nodes = []
            for n in data["nodes"]:
                attrs = {k: getattr(_core, a["dtype"]) if isinstance(a, dict) else a for k, a in n["attrs"].items()}
                nodes.append(
                    (n["op"], attrs, n["ins"], n["file"], n["line"], n["scope"], n["name"], tuple(n["watched"]))
                )
            branches = [_branch(b) for b in data["branches"]]
            exits = [(e["results"], [(k, leaf) for k, leaf in e["writes"]]) for e in data["exits"]]
            return _core.graph_from_parts(inputs, constants, nodes, branches, exits)
        except (KeyError, TypeError, AttributeError, OverflowError) as e:
            raise ValueError(f"load: {path} is not a program of sciarray: {e!r}") from e


Graph.save = save  # type: ignore[method-assign]
