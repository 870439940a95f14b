"""Programs in files: a zip of ``graph.json`` and one ``.npy`` per array.

``graph.json`` holds ``format`` ("sciarray-graph"), ``version`` (1), ``inputs``, ``constants``, ``nodes``, ``outputs``,
``results`` and ``writes``. Values are numbered: inputs, constants, then the outputs of the nodes in order. An input is
``{"dtype", "shape"}``, an argument, or ``{"array": file}``, an array that the program keeps and may update. A node is
``{"op", "attrs", "ins", "name", "scope", "file", "line", "watched"}``; a dtype among the attributes is ``{"dtype": name}``.
The first ``results`` of the ``outputs`` are returned; ``writes`` says which inputs the others are stored in. Nothing in a
file is ever executed as code.
"""

from __future__ import annotations

import json
import zipfile
from os import PathLike
from typing import Any

import numpy as np

from .. import _core
from .._core import DType, Graph
from .._creation import asarray

FORMAT, VERSION = "sciarray-graph", 1


def _write(z: zipfile.ZipFile, name: str, x: Any) -> str:
    with z.open(name, "w") as f:
        np.lib.format.write_array(f, np.asarray(x.detach()), allow_pickle=False)
    return name


def _read(z: zipfile.ZipFile, name: str) -> Any:
    with z.open(name) as f:
        return _core.copy(asarray(np.lib.format.read_array(f, allow_pickle=False)))


def save(self: Graph, path: str | PathLike[str]) -> None:
    """Writes the program to a file, with the present values of the arrays that it closes over.

    Programs that branch on values, draw from a generator they close over, or call Python (`leaf`, `custom_vjp`) raise
    ValueError when they are saved or loaded.
    """
    if self.n_paths != 1:
        raise ValueError("save: the program branches; record a function without branches on values")
    values, inputs, constants = self._values(), self._inputs(), self._constants()
    outputs, n_results, writes = self._exits()[0]
    objects = dict(self.captured())
    if any(kind in ("stream", "gradient") for _, kind, _ in inputs) or any(w[1] for w in writes):
        raise ValueError("save: the program uses a generator, or gradients of arrays, that it closes over")
    number = {v: i for i, v in enumerate([v for v, _, _ in inputs] + [v for v, _ in constants])}
    place = {k: i for i, (_, _, k) in enumerate(inputs)}
    nodes: list[dict[str, Any]] = []
    for name, op, attrs, ins, outs, file, line, scope, live, watched in self._nodes():
        if not live:
            continue
        shown = {k: {"dtype": a.name} if isinstance(a, DType) else a for k, a in attrs.items()}
        node = {"op": op, "attrs": shown, "ins": [number[v] for v in ins], "name": name, "scope": scope}
        nodes.append(node | {"file": file, "line": line, "watched": watched})
        for v in outs:
            number[v] = len(number)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        data = {
            "format": FORMAT,
            "version": VERSION,
            "inputs": [
                {"dtype": values[v][1].name, "shape": values[v][2]}
                if kind == "argument"
                else {"array": _write(z, f"array_{k}.npy", objects[k])}
                for v, kind, k in inputs
            ],
            "constants": [_write(z, f"constant_{i}.npy", c) for i, (_, c) in enumerate(constants)],
            "nodes": nodes,
            "outputs": [number[v] for v in outputs],
            "results": n_results,
            "writes": [(place[k], leaf) for k, _, leaf in writes],
        }
        z.writestr("graph.json", json.dumps(data))


def load(path: str | PathLike[str]) -> Graph:
    """The program that `Graph.save` wrote. It is checked as it is read; a file that does not fit raises ValueError.

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
            inputs = [
                _read(z, i["array"]) if "array" in i else (getattr(_core, i["dtype"]), i["shape"])
                for i in data["inputs"]
            ]
            constants = [_read(z, name) for name in data["constants"]]
            nodes = []
            for n in data["nodes"]:
                attrs = {k: getattr(_core, a["dtype"]) if isinstance(a, dict) else a for k, a in n["attrs"].items()}
                nodes.append(
                    (n["op"], attrs, n["ins"], n["file"], n["line"], n["scope"], n["name"], tuple(n["watched"]))
                )
            writes = [(k, False, leaf) for k, leaf in data["writes"]]
            return _core.graph_from_parts(inputs, constants, nodes, data["outputs"], data["results"], writes)
        except (KeyError, TypeError, AttributeError) as e:
            raise ValueError(f"load: {path} is not a program of sciarray: {e!r}") from e


Graph.save = save  # type: ignore[method-assign]
