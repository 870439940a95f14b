"""Einstein summation: parsing, the order of contractions, and each contraction as one batched matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from operator import index
from typing import Any

from . import _core
from ._arguments import promoted
from ._core import Array
from ._matrices import diagonal

__all__ = ["einsum", "einsum_path"]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Up to so many operands all orders are compared (3^n subsets), above them each step takes the best pair.
_EXHAUSTIVE = 7

Path = tuple[tuple[int, ...], ...]


def _from_lists(operands: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The subscripts of the form ``einsum(x, [0, 1], y, [1, 2], [0, 2])``."""

    def text(labels: Any) -> str:
        return "".join("..." if k is Ellipsis else _LETTERS[index(k)] for k in labels)

    arrays, lists = operands[::2], operands[1::2]
    if len(operands) % 2:
        return ",".join(map(text, lists)) + "->" + text(operands[-1]), arrays[:-1]
    return ",".join(map(text, lists)), arrays


def _parse(subscripts: str, ndims: Sequence[int]) -> tuple[list[str], str]:
    """The labels of each operand and of the result; an ellipsis becomes letters not used otherwise."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ndims):
        raise ValueError(f"einsum: {subscripts!r} is for {len(terms)} operands, got {len(ndims)}")
    free = [c for c in _LETTERS if c not in subscripts]
    extra = [n - len(t.replace("...", "")) for t, n in zip(terms, ndims)]
    for t, n, e in zip(terms, ndims, extra):
        if e < 0 or (e > 0 and "..." not in t):
            raise ValueError(f"einsum: {t!r} does not fit an operand of {n} axes")
    longest = max((e for t, e in zip(terms, extra) if "..." in t), default=0)
    batch = "".join(free[:longest])
    terms = [t.replace("...", batch[longest - e :]) for t, e in zip(terms, extra)]
    if arrow:
        right = right.replace("...", batch)
    else:
        letters = "".join(terms)
        right = batch + "".join(sorted(c for c in set(letters) if letters.count(c) == 1 and c not in batch))
    for c in "".join([*terms, right]):
        if c not in _LETTERS:
            raise ValueError(f"einsum: subscripts are letters, '...', ',' and '->', got {subscripts!r}")
    if len(set(right)) != len(right) or not set(right) <= set("".join(terms)):
        raise ValueError(f"einsum: labels of the result must be distinct and occur in an operand, got {subscripts!r}")
    return terms, right


def _sizes(terms: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for t, s in zip(terms, shapes):
        for c, n in zip(t, s):
            if sizes.setdefault(c, n) != n and n != 1 and sizes[c] != 1:
                raise ValueError(f"einsum: label {c!r} has lengths {sizes[c]} and {n}")
            if sizes[c] == 1:
                sizes[c] = n
    return sizes


def _kept(first: frozenset[str], second: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return (first | second) & others


@lru_cache(maxsize=256)
def _path(terms: tuple[str, ...], result: str, sizes: tuple[tuple[str, int], ...], greedy: bool) -> Path:
    """Pairs of positions to contract, the product going to the end; the fewest multiplications."""
    length = dict(sizes)

    def cost(labels: frozenset[str]) -> int:
        return prod(length[c] for c in labels)

    n = len(terms)
    labels = [frozenset(t) for t in terms]
    if n <= 2:
        return ((tuple(range(n))),)
    tree = (
        _greedy(labels, frozenset(result), cost)
        if greedy or n > _EXHAUSTIVE
        else _optimal(labels, frozenset(result), cost)
    )
    # From pairs of sets of operands to pairs of positions in the shrinking list.
    positions = [1 << i for i in range(n)]
    steps = []
    for a, b in tree:
        i, j = sorted((positions.index(a), positions.index(b)))
        steps.append((i, j))
        del positions[j], positions[i]
        positions.append(a | b)
    return tuple(steps)


def _optimal(labels: list[frozenset[str]], result: frozenset[str], cost: Any) -> list[tuple[int, int]]:
    """Dynamic programming over subsets of operands."""
    n = len(labels)
    everything = (1 << n) - 1

    def outside(subset: int) -> frozenset[str]:
        return result.union(*(labels[i] for i in range(n) if not subset >> i & 1))

    open_labels: dict[int, frozenset[str]] = {}
    best: dict[int, tuple[int, int]] = {}
    for subset in range(1, everything + 1):
        inside = frozenset().union(*(labels[i] for i in range(n) if subset >> i & 1))
        open_labels[subset] = inside & outside(subset)
        if subset & (subset - 1) == 0:
            open_labels[subset] = inside
            best[subset] = (0, 0)
            continue
        part = (subset - 1) & subset
        candidates = []
        while part > subset ^ part:
            other = subset ^ part
            work = cost(open_labels[part] | open_labels[other])
            candidates.append((best[part][0] + best[other][0] + work, part))
            part = (part - 1) & subset
        best[subset] = min(candidates)

    def steps(subset: int) -> list[tuple[int, int]]:
        if subset & (subset - 1) == 0:
            return []
        part = best[subset][1]
        return [*steps(part), *steps(subset ^ part), (part, subset ^ part)]

    return steps(everything)


def _greedy(labels: list[frozenset[str]], result: frozenset[str], cost: Any) -> list[tuple[int, int]]:
    """Always the pair whose product grows the memory least, then the cheapest."""
    live = {1 << i: s for i, s in enumerate(labels)}
    steps = []
    while len(live) > 1:
        best: Any = None
        keys = list(live)
        for x, a in enumerate(keys):
            for b in keys[x + 1 :]:
                rest = result.union(*(s for k, s in live.items() if k not in (a, b)))
                product = _kept(live[a], live[b], rest)
                rank = (cost(product) - cost(live[a]) - cost(live[b]), cost(live[a] | live[b]), a, b, product)
                if best is None or rank[:2] < best[:2]:
                    best = rank
        _, _, a, b, product = best
        del live[a], live[b]
        live[a | b] = product
        steps.append((a, b))
    return steps


def _simplify(x: Array, labels: str, keep: set[str], sizes: dict[str, int]) -> tuple[Array, str]:
    """Repeated labels become diagonals; axes of length 1 that broadcast and labels nobody needs go."""
    for c in dict.fromkeys(labels):
        while labels.count(c) > 1:
            i = labels.index(c)
            j = labels.index(c, i + 1)
            if x.shape[i] != x.shape[j]:
                raise ValueError(f"einsum: label {c!r} has lengths {x.shape[i]} and {x.shape[j]} in one operand")
            x = diagonal(x, 0, i, j)
            labels = labels[:i] + labels[i + 1 : j] + labels[j + 1 :] + c
    broadcast = [i for i, c in enumerate(labels) if x.shape[i] == 1 and sizes[c] != 1]
    if broadcast:
        x = _core.reshape(x, tuple(n for i, n in enumerate(x.shape) if i not in broadcast))
        labels = "".join(c for i, c in enumerate(labels) if i not in broadcast)
    gone = [i for i, c in enumerate(labels) if c not in keep]
    if gone:
        x = _total(x, gone)
        labels = "".join(c for i, c in enumerate(labels) if i not in gone)
    return x, labels


def _total(x: Array, axes: Sequence[int]) -> Array:
    """The sum in the array's own dtype, as einsum has it; of bools, whether any is true."""
    return _core.any(x, axes) if x.dtype == _core.bool else _core.sum(x, axes, x.dtype)


def _ordered(x: Array, order: list[int]) -> Array:
    return x if order == sorted(order) else _core.permute_dims(x, order)


def _shaped(x: Array, shape: tuple[int, ...]) -> Array:
    return x if x.shape == shape else _core.reshape(x, shape)


def _contract(x: Array, a: str, y: Array, b: str, keep: set[str]) -> tuple[Array, str]:
    """The product of two operands, summed over the labels that both have and nobody keeps."""
    shared = [c for c in a if c in b]
    batch = [c for c in shared if c in keep]
    summed = [c for c in shared if c not in keep]
    rows = [c for c in a if c not in b]
    columns = [c for c in b if c not in a]

    def lengths(v: Array, labels: str, names: list[str]) -> list[int]:
        return [v.shape[labels.index(c)] for c in names]

    lead, m, n = lengths(x, a, batch), lengths(x, a, rows), lengths(y, b, columns)
    left = _ordered(x, [a.index(c) for c in (*batch, *rows, *summed)])
    right = _ordered(y, [b.index(c) for c in (*batch, *summed, *columns)])
    labels = "".join([*batch, *rows, *columns])
    if not summed:
        left = _shaped(left, (*lead, *m, *([1] * len(n))))
        right = _shaped(right, (*lead, *([1] * len(m)), *n))
        return _core.multiply(left, right), labels
    k = prod(lengths(x, a, summed))
    z = _core.matmul(_shaped(left, (*lead, prod(m), k)), _shaped(right, (*lead, k, prod(n))))
    return _shaped(z, (*lead, *m, *n)), labels


@lru_cache(maxsize=256)
def _plan(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> tuple[list[str], str, dict[str, int]]:
    """The labels of operands and result, and the length of each."""
    terms, result = _parse(subscripts, [len(s) for s in shapes])
    return terms, result, _sizes(terms, shapes)


def _prepare(operands: tuple[Any, ...]) -> tuple[list[str], str, list[Array], dict[str, int]]:
    if not operands:
        raise ValueError("einsum: subscripts and at least one operand are required, got none")
    if isinstance(operands[0], str):
        subscripts, arrays = operands[0], operands[1:]
    else:
        subscripts, arrays = _from_lists(operands)
    xs = promoted("einsum", arrays)
    terms, result, sizes = _plan(subscripts, tuple(x.shape for x in xs))
    return terms, result, xs, sizes


def _chosen(terms: list[str], result: str, sizes: dict[str, int], optimize: Any) -> Path:
    if isinstance(optimize, (tuple, list)):
        return tuple(tuple(step) for step in optimize if not isinstance(step, str))
    if optimize is False:
        # From left to right: the running product is always the last in the list.
        n = len(terms)
        return ((0, 1), *((0, k) for k in range(n - 2, 0, -1))) if n > 2 else (tuple(range(n)),)
    if optimize not in (True, "optimal", "greedy"):
        raise ValueError(f"einsum: optimize must be a bool, 'optimal', 'greedy' or a path, got {optimize!r}")
    return _path(tuple(terms), result, tuple(sorted(sizes.items())), optimize == "greedy")


def einsum(*operands: Any, optimize: Any = True) -> Array:
    """Einstein summation: products over labelled axes, summed over the labels that the result lacks.

    Takes ``einsum("ij,jk->ik", x, y)`` or ``einsum(x, [0, 1], y, [1, 2], [0, 2])``. Without ``->`` the result has, in
    alphabetical order, the labels that occur once; ``...`` stands for broadcast axes. The operands are contracted in
    pairs by matrix products, in the order with the fewest multiplications (for more than 7 operands, a greedy one);
    ``optimize`` may also be False (left to right), ``"greedy"``, or a path as ``einsum_path`` returns.

    Example
    -------
    >>> sa.einsum("ij,jk->ik", sa.ones((2, 3)), sa.ones((3, 2)))
    array([[3., 3.],
           [3., 3.]])
    """
    terms, result, xs, sizes = _prepare(operands)
    path = _chosen(terms, result, sizes, optimize)
    live = [
        _simplify(x, t, set(result).union(*terms[:i], *terms[i + 1 :]), sizes)
        for i, (x, t) in enumerate(zip(xs, terms))
    ]
    for step in path:
        chosen = [live.pop(i) for i in sorted(step, reverse=True)][::-1]
        while len(chosen) > 1:
            (x, a), (y, b), *more = chosen
            keep = set(result).union(*(t for _, t in more), *(t for _, t in live))
            x, a = _simplify(x, a, keep | set(b), sizes)
            y, b = _simplify(y, b, keep | set(a), sizes)
            chosen = [_contract(x, a, y, b, keep), *more]
        live.extend(chosen)
    (x, labels), *rest = live
    if rest:
        raise ValueError(f"einsum: the path {path} leaves {len(live)} operands")
    x, labels = _simplify(x, labels, set(result), sizes)
    missing = "".join(c for c in result if c not in labels)
    x = _core.permute_dims(x, [labels.index(c) for c in result if c in labels])
    if not missing:
        return x
    x = _core.reshape(x, tuple(1 if c in missing else sizes[c] for c in result))
    return _core.broadcast_to(x, tuple(sizes[c] for c in result))


def einsum_path(*operands: Any, optimize: Any = True) -> tuple[list[Any], str]:
    """The order in which ``einsum`` would contract: pairs of positions, each product going to the end; and a summary.

    Example
    -------
    >>> sa.einsum_path("ij,jk,kl->il", sa.ones((9, 2)), sa.ones((2, 9)), sa.ones((9, 2)))[0]
    ['einsum_path', (1, 2), (0, 1)]
    """
    terms, result, _, sizes = _prepare(operands)
    path = _chosen(terms, result, sizes, optimize)
    live = list(terms)
    lines = [f"{','.join(terms)}->{result}"]
    for step in path:
        chosen = [live.pop(i) for i in sorted(step, reverse=True)][::-1]
        needed = set(result).union(*live)
        product = "".join(dict.fromkeys(c for t in chosen for c in t if c in needed))
        work = prod(sizes[c] for c in set("".join(chosen)))
        lines.append(f"{','.join(chosen)}->{product}: {work} multiplications")
        live.append(product)
    return ["einsum_path", *path], "\n".join(lines)
