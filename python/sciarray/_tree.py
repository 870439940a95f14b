"""Nested tuples, lists and dicts of arrays: flattened to leaves and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._core import Array


def _is_namedtuple(x: Any) -> bool:
    return isinstance(x, tuple) and hasattr(x, "_fields")


def leaves(tree: Any) -> list[Any]:
    """Everything in the tree that is no container, in order; None holds nothing."""
    return list(_walk(tree))


def _walk(tree: Any) -> Iterator[Any]:
    if isinstance(tree, (tuple, list)):
        for item in tree:
            yield from _walk(item)
    elif isinstance(tree, dict):
        for key in sorted(tree, key=str):
            yield from _walk(tree[key])
    elif tree is not None:
        yield tree


def rebuild(tree: Any, values: Iterator[Any]) -> Any:
    """The tree with its leaves replaced by the next values."""
    if _is_namedtuple(tree):
        return type(tree)(*(rebuild(item, values) for item in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(rebuild(item, values) for item in tree)
    if isinstance(tree, dict):
        new = {key: rebuild(tree[key], values) for key in sorted(tree, key=str)}
        return {key: new[key] for key in tree}
    return None if tree is None else next(values)


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
        yield from (None for _ in _walk(tree))
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


def structure(tree: Any) -> Any:
    """A hashable description: containers by kind, arrays by dtype and shape, other leaves by value."""
    if isinstance(tree, (tuple, list)):
        return (type(tree).__name__, tuple(structure(item) for item in tree))
    if isinstance(tree, dict):
        return ("dict", tuple((key, structure(tree[key])) for key in sorted(tree, key=str)))
    if isinstance(tree, Array):
        return ("array", tree.dtype.name, tree.shape)
    return ("static", type(tree).__name__, tree)
