"""Random numbers from a counter-based generator: the same stream on every device and for every number of threads.

Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). Every element of a call is a function
of the generator's state and its own place alone.
"""

from __future__ import annotations

import operator
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core, _creation
from ._core import Array, Stream
from ._creation import asarray, device_name

__all__ = ["Generator", "default_rng"]

Size = int | Sequence[int] | None


def _words(n: int) -> list[int]:
    """The 32-bit words of a non-negative integer, lowest first."""
    words = [n & 0xFFFFFFFF]
    while n := n >> 32:
        words.append(n & 0xFFFFFFFF)
    return words


def _entropy(seed: Any) -> list[int]:
    if seed is None:
        if _core.is_recording():
            raise RuntimeError("random: inside a recording a generator needs a seed, replays would repeat its numbers")
        return _words(secrets.randbits(128))
    if isinstance(seed, (list, tuple, np.ndarray, Array)):
        return [w for item in np.asarray(seed).ravel().tolist() for w in _entropy(item)]
    try:
        n = operator.index(seed)
    except TypeError:
        raise TypeError(f"random: a seed must be an integer or integers, got {type(seed).__name__}") from None
    if n < 0:
        raise ValueError(f"random: a seed must not be negative, got {n}")
    return _words(n)


def _shape(size: Size, *params: Array) -> tuple[int, ...]:
    common = np.broadcast_shapes(*(p.shape for p in params))
    if size is None:
        return common
    shape = (size,) if isinstance(size, int) else tuple(operator.index(n) for n in size)
    if np.broadcast_shapes(common, shape) != shape:
        raise ValueError(f"random: parameters must broadcast to the size {shape}, got shape {common}")
    return shape


def _require(name: str, rule: str, ok: Array, values: Array) -> None:
    if not bool(_core.all(ok)):
        shown = values.item() if values.size == 1 else f"an array with minimum {float(_core.min(values)):g}"
        raise ValueError(f"{name}: {rule}, got {shown}")


class Generator:
    """A stream of random numbers; `default_rng` makes one from a seed.

    ``dtype`` is float64 or float32 for continuous variates; ``loc``, ``scale`` and bounds are differentiable.

    Example
    -------
    >>> rng = sa.random.default_rng(0)
    >>> rng.normal(size=3).shape
    (3,)
    """

    def __init__(
        self, stream: Stream, entropy: Sequence[int], spawn_key: Sequence[int] = (), device: str = "cpu"
    ) -> None:
        self._stream = stream
        self._entropy = list(entropy)
        self._spawn_key = list(spawn_key)
        self._children = 0
        self._device = device

    def __repr__(self) -> str:
        return f"Generator(Philox4x32, state={tuple(self._stream.state)})"

    def __reduce__(self) -> Any:
        return _restore, (tuple(self._stream.state), self._entropy, self._spawn_key, self._children, self._device)

    @property
    def state(self) -> tuple[int, ...]:
        """Two key words and three position words, lowest first; assigning it restores the stream."""
        return tuple(self._stream.state)

    @state.setter
    def state(self, state: Sequence[int]) -> None:
        if _core.is_recording():
            raise RuntimeError("Generator.state: cannot be set inside a recording; do it outside the recorded function")
        self._stream = Stream(list(state))

    def spawn(self, n: int) -> list[Generator]:
        """``n`` generators with streams of their own, independent of this one and of earlier children."""
        if _core.is_recording():
            raise RuntimeError(
                "Generator.spawn: replays would repeat the children; spawn outside the recorded function"
            )
        children = []
        for _ in range(n):
            key = [*self._spawn_key, self._children]
            self._children += 1
            children.append(Generator(Stream(_core.seed_state(self._entropy, key)), self._entropy, key, self._device))
        return children

    def jumped(self, jumps: int = 1) -> Generator:
        """This generator as if ``jumps * 2**64`` blocks had been drawn."""
        return Generator(self._stream.jumped(jumps), self._entropy, self._spawn_key, self._device)

    def _draw(self, name: str, shape: Sequence[int], dtype: Any, *params: Array) -> Array:
        return _core.fill(name, self._stream, shape, dtype, list(params), self._device)

    def random(self, size: Size = None, dtype: Any = None) -> Array:
        """Uniform numbers in [0, 1)."""
        return self._draw("uniform", _shape(size), dtype or _core.float64)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Size = None, dtype: Any = None) -> Array:
        """Uniform numbers in [low, high)."""
        low, high = asarray(low), asarray(high)
        u = self._draw("uniform", _shape(size, low, high), dtype or _core.float64)
        return _core.astype(low, u.dtype) + _core.astype(high - low, u.dtype) * u

    def standard_normal(self, size: Size = None, dtype: Any = None) -> Array:
        """Normal numbers of mean 0 and standard deviation 1 (Box and Muller, 1958)."""
        return self._draw("normal", _shape(size), dtype or _core.float64)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = None) -> Array:
        """Normal numbers of mean ``loc`` and standard deviation ``scale``, differentiable in both."""
        loc, scale = asarray(loc), asarray(scale)
        _require("normal", "scale must not be negative", scale.detach() >= 0, scale)
        z = self._draw("normal", _shape(size, loc, scale), dtype or _core.float64)
        return _core.astype(loc, z.dtype) + _core.astype(scale, z.dtype) * z

    def standard_exponential(self, size: Size = None, dtype: Any = None) -> Array:
        """Exponential numbers of mean 1."""
        return self._draw("exponential", _shape(size), dtype or _core.float64)

    def exponential(self, scale: Any = 1.0, size: Size = None, dtype: Any = None) -> Array:
        """Exponential numbers of mean ``scale``, differentiable in it."""
        scale = asarray(scale)
        _require("exponential", "scale must not be negative", scale.detach() >= 0, scale)
        e = self._draw("exponential", _shape(size, scale), dtype or _core.float64)
        return _core.astype(scale, e.dtype) * e

    def integers(
        self, low: Any, high: Any = None, size: Size = None, dtype: Any = None, endpoint: bool = False
    ) -> Array:
        """Integers in [low, high), or in [low, high] with ``endpoint``; without bias (Lemire, 2019)."""
        if high is None:
            low, high = 0, low
        d = _creation.zeros((), _core.int64 if dtype is None else dtype).dtype
        span = np.iinfo(d.name) if d.kind in "iu" else None
        first, last = np.asarray(low, dtype=object), np.asarray(high, dtype=object)
        if not endpoint:
            last = np.asarray(last - 1, dtype=object)
        if np.any(first > last):
            raise ValueError(f"integers: low must be below high, got {low} and {high}")
        bounds = (int(span.min), int(span.max)) if span else (0, 1)
        if np.any(first < bounds[0]) or np.any(last > bounds[1]):
            raise ValueError(f"integers: bounds must fit {d.name}, got {low} and {high}")
        a, b = asarray(first.astype(d.name)), asarray(last.astype(d.name))
        return self._draw("integers", _shape(size, a, b), d, a, b)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Size = None, dtype: Any = None) -> Array:
        """Gamma numbers (Marsaglia and Tsang, 2000), differentiable in ``scale``."""
        k, scale = asarray(shape), asarray(scale)
        _require("gamma", "shape must not be negative", k.detach() >= 0, k)
        _require("gamma", "scale must not be negative", scale.detach() >= 0, scale)
        g = self._draw("gamma", _shape(size, k, scale), dtype or _core.float64, k)
        return _core.astype(scale, g.dtype) * g

    def beta(self, a: Any, b: Any, size: Size = None, dtype: Any = None) -> Array:
        """Beta numbers in [0, 1]."""
        a, b = asarray(a), asarray(b)
        _require("beta", "a must be positive", a.detach() > 0, a)
        _require("beta", "b must be positive", b.detach() > 0, b)
        return self._draw("beta", _shape(size, a, b), dtype or _core.float64, a, b)

    def poisson(self, lam: Any = 1.0, size: Size = None) -> Array:
        """Poisson counts of mean ``lam``, int64 (Hoermann, 1993)."""
        lam = asarray(lam)
        _require("poisson", "lam must not be negative or NaN", lam.detach() >= 0, lam)
        return self._draw("poisson", _shape(size, lam), _core.int64, lam)

    def binomial(self, n: Any, p: Any, size: Size = None) -> Array:
        """Successes of ``n`` trials of probability ``p``, int64 (Hoermann, 1993)."""
        n, p = asarray(n), asarray(p)
        if n.dtype.kind not in "iub":
            raise TypeError(f"binomial: n must be an integer, got {n.dtype.name}")
        _require("binomial", "n must not be negative", n >= 0, n)
        _require("binomial", "p must be in [0, 1]", _core.logical_and(p.detach() >= 0, p.detach() <= 1), p)
        return self._draw("binomial", _shape(size, n, p), _core.int64, n, p)

    def permutation(self, x: Any, axis: int = 0) -> Array:
        """A random order of ``range(x)`` for an integer, or of the elements of ``x`` along an axis."""
        if isinstance(x, int):
            return _core.permutation(self._stream, x, x)
        x = asarray(x)
        if x.ndim == 0:
            raise ValueError("permutation: x must be an integer or have at least one axis, got a 0-d array")
        axis = range(x.ndim)[axis]
        n = x.shape[axis]
        return x[(slice(None),) * axis + (_core.permutation(self._stream, n, n),)]

    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None, axis: int = 0) -> Array:
        """Elements drawn from ``range(a)`` or along an axis of ``a``, uniformly or with probabilities ``p``."""
        values = None if isinstance(a, int) else asarray(a)
        if values is not None and values.ndim == 0:
            raise ValueError("choice: a must be an integer or have at least one axis, got a 0-d array")
        axis = 0 if values is None else range(values.ndim)[axis]
        n = a if values is None else values.shape[axis]
        shape = _shape(size)
        count = int(np.prod(shape, dtype=np.int64))
        if n <= 0 and count > 0:
            raise ValueError(f"choice: there must be something to choose from, got {n} elements")
        if p is not None:
            index = self._weighted(n, count, replace, asarray(p))
        elif replace:
            index = self.integers(0, max(n, 1), size=count)
        else:
            if count > n:
                raise ValueError(f"choice: without replacement at most {n} elements can be drawn, got {count}")
            index = _core.permutation(self._stream, n, count)
        index = _core.reshape(index, shape)
        return index if values is None else values[(slice(None),) * axis + (index,)]

    def _weighted(self, n: int, count: int, replace: bool, p: Array) -> Array:
        p = _core.astype(p, _core.float64).detach()
        if p.shape != (n,):
            raise ValueError(f"choice: p must have shape {(n,)}, got {p.shape}")
        _require("choice", "p must not be negative", p >= 0, p)
        total = float(_core.sum(p))
        if not abs(total - 1.0) < 1e-8:
            raise ValueError(f"choice: p must sum to 1, got {total}")
        if replace:
            steps = _core.cumsum(p, 0)
            return _core.searchsorted(steps / steps[-1], self.random(count), "right")
        possible = int(_core.count_nonzero(p))
        if count > possible:
            raise ValueError(f"choice: p allows at most {possible} different elements, got {count}")
        # The smallest of exponential times with rates p come in the order of draws without replacement.
        return _core.argsort(self.standard_exponential(n) / p, 0)[:count]


def _restore(
    state: Sequence[int], entropy: list[int], spawn_key: list[int], children: int, device: str = "cpu"
) -> Generator:
    rng = Generator(Stream(list(state)), entropy, spawn_key, device)
    rng._children = children
    return rng


def default_rng(seed: Any = None, *, device: Any = None) -> Generator:
    """A `Generator` from an integer or integers, or from the system's entropy; a Generator is returned as it is.

    With ``device`` it draws there, the same numbers as on the CPU: uniform, normal and exponential variates and integers;
    others raise NotImplementedError.

    Example
    -------
    >>> bool(sa.all(sa.random.default_rng(1).random(2) == sa.random.default_rng(1).random(2)))
    True
    """
    if isinstance(seed, Generator):
        return seed
    entropy = _entropy(seed)
    return Generator(Stream(_core.seed_state(entropy, [])), entropy, (), device_name("default_rng", device))
