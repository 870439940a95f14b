"""Signals cut into overlapping blocks, and put together again."""

from __future__ import annotations

from .. import _core
from .._core import Array
from .._manipulation import pad


def frames(x: Array, size: int, hop: int) -> Array:
    """The blocks (..., count, size), ``hop`` samples apart, that lie in the last axis."""
    count = (x.shape[-1] - size) // hop + 1
    if count < 1:
        return _core.reshape(x[..., :0], (*x.shape[:-1], 0, size))
    # Cut into pieces of one hop, of which each block takes several.
    pieces = -(-size // hop)
    total = (count - 1 + pieces) * hop
    x = x[..., :total] if x.shape[-1] >= total else pad(x, {-1: (0, total - x.shape[-1])})
    x = _core.reshape(x, (*x.shape[:-1], count - 1 + pieces, hop))
    if pieces == 1:
        return x[..., :size]
    y = _core.concat([x[..., i : i + count, :] for i in range(pieces)], -1)
    return y if y.shape[-1] == size else y[..., :size]


def overlap_add(blocks: Array, hop: int) -> Array:
    """The sum of blocks (..., count, size), each ``hop`` samples after the one before."""
    count, size = blocks.shape[-2:]
    pieces = -(-size // hop)
    if pieces * hop != size:
        blocks = pad(blocks, {-1: (0, pieces * hop - size)})
    blocks = _core.reshape(blocks, (*blocks.shape[:-1], pieces, hop))
    total: Array | None = None
    for i in range(pieces):
        part = pad(blocks[..., i, :], {-2: (i, pieces - 1 - i)})
        total = part if total is None else total + part
    assert total is not None
    y = _core.reshape(total, (*total.shape[:-2], total.shape[-2] * hop))
    return y[..., : (count - 1) * hop + size]
