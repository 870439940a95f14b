"""Nested tuples, lists and dicts of arrays: flattened to leaves and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._core import tree_leaves as leaves
from ._core import tree_rebuild as rebuild


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """``f`` applied to corresponding leaves of trees of one structure."""
    columns = [leaves(tree), *(leaves(r) for r in rest)]
    for column in columns[1:]:
        if len(column) != len(columns[0]):
            raise ValueError(
                f"tree_map: trees must have the same structure, got {len(columns[0])} and {len(column)} leaves"
            )
    return rebuild(tree, iter([f(*xs) for xs in zip(*columns)]))


def match(tree: Any, values: Any) -> Iterator[Any]:
    """For each leaf of the tree the corresponding one of ``values``, in which None stands for any subtree of Nones."""
    if values is None:
        yield from (None for _ in leaves(tree))
    elif isinstance(tree, (tuple, list)):
        if not isinstance(values, (tuple, list)) or len(values) != len(tree):
            raise ValueError(f"tree: a sequence of {len(tree)} is required, got {type(values).__name__}")
        for item, value in zip(tree, values):
            yield from match(item, value)
    elif isinstance(tree, dict):
        if not isinstance(values, dict) or values.keys() != tree.keys():
            raise ValueError(f"tree: a dict with the keys {sorted(tree, key=str)} is required, got {values!r:.200}")
        for key in sorted(tree, key=str):
            yield from match(tree[key], values[key])
    elif tree is not None:
        yield values
