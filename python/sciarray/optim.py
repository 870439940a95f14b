"""Gradient descent and quasi-Newton minimization over nested tuples, lists and dicts of arrays.

An optimizer is a description without memory: ``init(params)`` makes the state, ``update(grads, state, params)`` returns new
parameters and a new state. Both are trees of arrays, so a whole step can be differentiated, recorded and saved. Complex
parameters are minimized over their real and imaginary parts.
"""

from __future__ import annotations

import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

from . import _core, _tree, graph
from ._core import Array
from ._creation import asarray, zeros, zeros_like
from ._grad import value_and_grad
from ._manipulation import concat
from ._tree import tree_map

__all__ = ["LBFGS", "SGD", "Adam", "AdamW", "Optimizer", "Result", "minimize"]

Tree = Any
Rate = float | Callable[[Array], Any]
ValueAndGrad = Callable[[Tree], tuple[Array, Tree]]


class Optimizer(ABC):
    """What `minimize` needs of an optimizer."""

    @abstractmethod
    def init(self, params: Tree) -> Tree:
        """The state before the first update."""

    @abstractmethod
    def update(self, grads: Tree, state: Tree, params: Tree) -> tuple[Tree, Tree]:
        """``(params, state)`` after one update with the gradient at ``params``."""

    def step(
        self, f: ValueAndGrad, params: Tree, state: Tree, value: Array, grads: Tree
    ) -> tuple[Tree, Tree, Array, Tree]:
        """``(params, state, value, grads)`` after one step from a point whose value and gradient are known.

        ``f`` returns value and gradient. The same ``params`` object comes back where no step can improve on it.
        """
        params, state = self.update(grads, state, params)
        return params, state, *f(params)


def _rate(rate: Rate, count: Array) -> Any:
    return rate(count) if callable(rate) else rate


def _in(x: Any, like: Array) -> Any:
    """A factor that leaves the dtype of ``like`` as it is; numbers are weak already."""
    return _core.astype(x, like.dtype) if isinstance(x, Array) else x


def _each(n: int, f: Callable[..., tuple[Any, ...]], tree: Tree, *rest: Tree) -> tuple[Tree, ...]:
    """``n`` trees of the results of a function that returns ``n``."""
    rows: list[tuple[Any, ...]] = []
    tree_map(lambda *xs: rows.append(f(*map(asarray, xs))), tree, *rest)
    return tuple(_tree.rebuild(tree, iter([row[i] for row in rows])) for i in range(n))


def _check(name: str, **limits: tuple[float, float, float]) -> None:
    for what, (x, low, high) in limits.items():
        if not low <= x < high:
            raise ValueError(f"{name}: {what} must be in [{low:g}, {high:g}), got {x}")


class SGDState(NamedTuple):
    """Number of updates and the velocity of each parameter."""

    updates: Array
    velocity: Tree


@dataclass(frozen=True)
class SGD(Optimizer):
    """Gradient descent ``v = momentum * v + g``, ``x = x - learning_rate * v``.

    With ``nesterov`` the step is along ``g + momentum * v`` (Sutskever et al. 2013). ``weight_decay`` adds
    ``weight_decay * x`` to the gradient. ``learning_rate`` may be a function of the number of updates made.

    Example
    -------
    >>> opt = sa.optim.SGD(0.1)
    >>> params, state = opt.update([2.0], opt.init([1.0]), [1.0])
    >>> params
    [array(0.8)]
    """

    learning_rate: Rate = 1e-2
    momentum: float = 0.0
    nesterov: bool = False
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        _check("SGD", momentum=(self.momentum, 0.0, 1.0), weight_decay=(self.weight_decay, 0.0, math.inf))
        if self.nesterov and self.momentum == 0:
            raise ValueError("SGD: nesterov needs a momentum above 0, got 0.0")

    def init(self, params: Tree) -> SGDState:
        velocity = tree_map(zeros_like, params) if self.momentum else None
        return SGDState(zeros((), _core.int64), velocity)

    def update(self, grads: Tree, state: SGDState, params: Tree) -> tuple[Tree, SGDState]:
        rate = _rate(self.learning_rate, state.updates)

        def plain(x: Array, g: Array) -> tuple[Array]:
            return (x - _in(rate, x) * self._decayed(g, x),)

        def heavy(x: Array, g: Array, v: Array) -> tuple[Array, Array]:
            g = self._decayed(g, x)
            v = self.momentum * v + g
            return x - _in(rate, x) * (g + self.momentum * v if self.nesterov else v), v

        velocity = None
        if self.momentum:
            params, velocity = _each(2, heavy, params, grads, state.velocity)
        else:
            (params,) = _each(1, plain, params, grads)
        return params, SGDState(state.updates + 1, velocity)

    def _decayed(self, g: Array, x: Array) -> Array:
        return g + self.weight_decay * x if self.weight_decay else g


class AdamState(NamedTuple):
    """Number of updates, and running means of the gradient and of its squared magnitude."""

    updates: Array
    mean: Tree
    square: Tree


@dataclass(frozen=True)
class Adam(Optimizer):
    """Steps along the mean gradient over the root of the mean squared gradient (Kingma & Ba 2015).

    The squared magnitude ``|g|**2`` takes the place of the square for complex parameters. ``learning_rate`` may be a
    function of the number of updates made.

    Example
    -------
    >>> opt = sa.optim.Adam(0.1)
    >>> params, state = opt.update({"x": 3.0}, opt.init({"x": 1.0}), {"x": 1.0})
    >>> params
    {'x': array(0.9)}
    """

    learning_rate: Rate = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8

    def __post_init__(self) -> None:
        name = type(self).__name__
        _check(name, beta1=(self.betas[0], 0.0, 1.0), beta2=(self.betas[1], 0.0, 1.0), eps=(self.eps, 0.0, math.inf))

    def init(self, params: Tree) -> AdamState:
        square = tree_map(lambda x: zeros_like(_core.real(asarray(x))), params)
        return AdamState(zeros((), _core.int64), tree_map(zeros_like, params), square)

    def update(self, grads: Tree, state: AdamState, params: Tree) -> tuple[Tree, AdamState]:
        b1, b2 = self.betas
        count = state.updates + 1
        # Both means start at 0; dividing by these takes that out.
        unbias1, unbias2 = 1 - _core.pow(b1, count), 1 - _core.pow(b2, count)
        rate = _rate(self.learning_rate, state.updates)
        size, shrink = rate / unbias1, 1 - rate * self._decay()

        def one(x: Array, g: Array, m: Array, v: Array) -> tuple[Array, Array, Array]:
            m = b1 * m + (1 - b1) * g
            v = b2 * v + (1 - b2) * (_core.square(_core.abs(g)) if g.dtype.kind == "c" else g * g)
            y = x * _in(shrink, x) if self._decay() else x
            return y - _in(size, x) * m / (_core.sqrt(v / _in(unbias2, v)) + self.eps), m, v

        params, mean, square = _each(3, one, params, grads, state.mean, state.square)
        return params, AdamState(count, mean, square)

    def _decay(self) -> float:
        return 0.0


@dataclass(frozen=True)
class AdamW(Adam):
    """`Adam` with weights that decay by ``learning_rate * weight_decay`` per update (Loshchilov & Hutter 2019).

    Example
    -------
    >>> opt = sa.optim.AdamW(0.1, weight_decay=0.5)
    >>> opt.update([0.0], opt.init([1.0]), [1.0])[0]
    [array(0.95)]
    """

    weight_decay: float = 1e-2

    def __post_init__(self) -> None:
        super().__post_init__()
        _check("AdamW", weight_decay=(self.weight_decay, 0.0, math.inf))

    def _decay(self) -> float:
        return self.weight_decay


def _flatten(tree: Tree) -> Array:
    """All leaves as one real vector; complex ones as their real parts, then their imaginary parts."""
    parts = []
    for x in map(asarray, _tree.leaves(tree)):
        for part in (_core.real(x), _core.imag(x)) if x.dtype.kind == "c" else (x,):
            parts.append(_core.reshape(part, -1))
    return concat(parts)


def _unflatten(flat: Array, like: Tree) -> Tree:
    """The tree whose `_flatten` is ``flat``, in the shapes and dtypes of ``like``."""
    at = 0

    def take(x: Array) -> Array:
        nonlocal at
        part = _core.reshape(flat[at : at + x.size], x.shape)
        at += x.size
        return part

    def leaf(x: Any) -> Array:
        x = asarray(x)
        y = _core.complex(take(x), take(x)) if x.dtype.kind == "c" else take(x)
        return _core.astype(y, x.dtype)

    return tree_map(leaf, like)


def _dot(a: Array, b: Array) -> float:
    return float((a * b).sum())


class LBFGSState(NamedTuple):
    """The last points and gradients as flat vectors, and the curvature pairs, the newest last."""

    point: Array | None
    gradient: Array | None
    steps: tuple[Array, ...]
    changes: tuple[Array, ...]


class _Trial(NamedTuple):
    """A point on the search line."""

    alpha: float
    value: float
    slope: float
    result: tuple[Tree, Array, Tree] | None


@dataclass(frozen=True)
class LBFGS(Optimizer):
    """Quasi-Newton steps from the last ``history`` curvature pairs (Nocedal & Wright 2006, algorithm 7.4).

    In `minimize` each step satisfies the strong Wolfe conditions with ``c1`` and ``c2`` (algorithms 3.5 and 3.6) or, where
    changes of the value are all rounding, their approximate form (Hager & Zhang 2005). ``update`` alone cannot evaluate
    the function and takes the full step, after a first one of length ``first_step`` at most.

    Example
    -------
    >>> f = lambda x: sa.square(x - 3.0).sum()
    >>> result = sa.optim.minimize(f, sa.zeros(2), sa.optim.LBFGS(), tol=1e-9)
    >>> result.params
    array([3., 3.])
    """

    history: int = 10
    c1: float = 1e-4
    c2: float = 0.9
    first_step: float = 1.0
    max_evaluations: int = 25

    def __post_init__(self) -> None:
        if self.history < 1 or self.max_evaluations < 1:
            raise ValueError(
                f"LBFGS: history and max_evaluations must be at least 1, got {self.history} and {self.max_evaluations}"
            )
        if not 0 < self.c1 < self.c2 < 1:
            raise ValueError(f"LBFGS: 0 < c1 < c2 < 1 is required, got {self.c1} and {self.c2}")

    def init(self, params: Tree) -> LBFGSState:
        return LBFGSState(None, None, (), ())

    def update(self, grads: Tree, state: LBFGSState, params: Tree) -> tuple[Tree, LBFGSState]:
        x, g = _flatten(params), _flatten(grads)
        state = self._observe(x, g, state)
        direction = self._direction(g, state)
        return _unflatten(x + self._first(g, state) * direction, params), state

    def step(
        self, f: ValueAndGrad, params: Tree, state: LBFGSState, value: Array, grads: Tree
    ) -> tuple[Tree, LBFGSState, Array, Tree]:
        x, g = _flatten(params), _flatten(grads)
        state = self._observe(x, g, state)
        # A search that fails with old curvature is tried again along the gradient.
        for pairs in (state, LBFGSState(x, g, (), ())) if state.steps else (state,):
            direction = self._direction(g, pairs)

            def phi(alpha: float, direction: Array = direction) -> _Trial:
                at = _unflatten(x + alpha * direction, params)
                v, grad = f(at)
                return _Trial(alpha, float(v), _dot(_flatten(grad), direction), (at, v, grad))

            origin = _Trial(0.0, float(value), _dot(g, direction), None)
            found = self._search(phi, origin, self._first(g, pairs))
            if found is not None and found.result is not None:
                at, v, grad = found.result
                return at, pairs, v, grad
        return params, state, value, grads

    def _first(self, g: Array, state: LBFGSState) -> float:
        if state.steps:
            return 1.0
        norm = math.sqrt(_dot(g, g))
        return min(1.0, self.first_step / norm) if norm > 0 else 1.0

    def _observe(self, x: Array, g: Array, state: LBFGSState) -> LBFGSState:
        """The state with the curvature pair from the last point to this one, if it is a positive one."""
        steps, changes = state.steps, state.changes
        if state.point is not None and state.gradient is not None:
            s, y = x - state.point, g - state.gradient
            if _dot(s, y) > 1e-14 * _dot(y, y):
                steps, changes = (*steps, s)[-self.history :], (*changes, y)[-self.history :]
        return LBFGSState(x, g, steps, changes)

    def _direction(self, g: Array, state: LBFGSState) -> Array:
        """Minus the approximate inverse Hessian times the gradient, by the two-loop recursion."""
        q, weights = g, []
        for s, y in zip(reversed(state.steps), reversed(state.changes)):
            a = _dot(s, q) / _dot(s, y)
            q = q - a * y
            weights.append(a)
        if state.steps:
            s, y = state.steps[-1], state.changes[-1]
            q = q * (_dot(s, y) / _dot(y, y))
        for s, y, a in zip(state.steps, state.changes, reversed(weights)):
            q = q + s * (a - _dot(y, q) / _dot(s, y))
        return -q

    def _search(self, phi: Callable[[float], _Trial], origin: _Trial, alpha: float) -> _Trial | None:
        """A trial that satisfies the Wolfe conditions, else the best one found, else None."""
        if not origin.slope < 0:
            return None
        rounding = 8 * sys.float_info.epsilon * abs(origin.value)

        def decreases(t: _Trial) -> bool:
            if t.value <= origin.value + self.c1 * t.alpha * origin.slope:
                return True
            return t.value <= origin.value + rounding and t.slope <= (2 * self.c1 - 1) * origin.slope

        low, high = origin, None
        for _ in range(self.max_evaluations):
            t = phi(alpha)
            usable = math.isfinite(t.value) and math.isfinite(t.slope)
            if not usable or not decreases(t) or t.value > low.value + rounding:
                high = t
            elif abs(t.slope) <= -self.c2 * origin.slope:
                return t
            else:
                ahead = math.inf if high is None else high.alpha - low.alpha
                if t.slope * ahead >= 0:
                    high = low
                low = t
            alpha = _between(low, high) if high is not None else _beyond(low)
            if high is not None and abs(high.alpha - low.alpha) <= 1e-12 * max(high.alpha, low.alpha):
                break
        return low if low.value < origin.value else None


def _between(low: _Trial, high: _Trial) -> float:
    """The minimum of the cubic through both trials (Nocedal & Wright, 3.59), kept off the ends."""
    width = high.alpha - low.alpha
    middle = low.alpha + 0.5 * width
    if not (math.isfinite(high.value) and math.isfinite(high.slope)):
        return low.alpha + 0.1 * width
    d1 = low.slope + high.slope - 3 * (low.value - high.value) / (low.alpha - high.alpha)
    radicand = d1 * d1 - low.slope * high.slope
    if not 0 <= radicand < math.inf:
        return middle
    d2 = math.copysign(math.sqrt(radicand), width)
    denominator = high.slope - low.slope + 2 * d2
    if denominator == 0:
        return middle
    at = high.alpha - width * (high.slope + d2 - d1) / denominator
    near, far = sorted((low.alpha + 0.05 * width, high.alpha - 0.05 * width))
    return min(max(at, near), far)


def _beyond(low: _Trial) -> float:
    """A longer step, while the function still falls."""
    return 4.0 * low.alpha


class Result(NamedTuple):
    """What `minimize` found."""

    params: Tree
    value: Array
    steps: int
    converged: bool


def minimize(
    f: Callable[[Tree], Any],
    params: Tree,
    optimizer: Optimizer | None = None,
    steps: int = 1000,
    *,
    tol: float | None = None,
    callback: Callable[[int, Array, Tree], Any] | None = None,
    progress: bool = False,
    record: bool = False,
) -> Result:
    """Minimizes a scalar function of a tree of arrays; by `LBFGS` unless another optimizer is given.

    It stops after ``steps`` steps, or once no entry of the gradient exceeds ``tol`` in magnitude, or when the optimizer
    finds no better point; the last two leave ``converged`` True and False. ``callback(step, value, params)`` sees the point
    after each step and stops by returning True. ``progress`` draws a bar on stderr. With ``record``, value and gradient
    are recorded at the first step and replayed afterwards; ``f`` must then be such as `record` takes. A value that is not
    finite raises FloatingPointError.

    Example
    -------
    >>> result = sa.optim.minimize(lambda p: sa.square(p["a"] - 2.0) + p["b"] * p["b"], {"a": 0.0, "b": 1.0}, tol=1e-8)
    >>> result.converged, round(float(result.params["a"]), 6)
    (True, 2.0)
    """
    if steps < 0:
        raise ValueError(f"minimize: steps must not be negative, got {steps}")
    optimizer = LBFGS() if optimizer is None else optimizer
    params = tree_map(asarray, params)
    both: ValueAndGrad = value_and_grad(f)
    if record:
        both = graph.record(both)
    value, grads = both(params)
    state = optimizer.init(params)
    bar = _Progress(steps) if progress else None
    done, converged, stopped = 0, False, False
    while True:
        if not math.isfinite(float(value)):
            raise FloatingPointError(f"minimize: the function is {float(value)} at step {done}")
        converged = tol is not None and all(float(_core.abs(g).max()) <= tol for g in _tree.leaves(grads) if g.size)
        if converged or stopped or done == steps:
            break
        before = params
        params, state, value, grads = optimizer.step(both, params, state, value, grads)
        if params is before:
            break
        done += 1
        if callback is not None and callback(done, value, params) is True:
            stopped = True
        if bar is not None:
            bar.show(done, float(value))
    if bar is not None:
        bar.close(done, float(value))
    return Result(params, value, done, converged)


class _Progress:
    """A bar on a terminal, redrawn at most ten times a second; elsewhere a line for each tenth of the way."""

    WIDTH = 30

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total = max(total, 1)
        self.stream = sys.stderr if stream is None else stream
        self.start = time.perf_counter()
        self.live = self.stream.isatty()
        self.next = 0.0

    def _line(self, done: int, value: float) -> str:
        filled = self.WIDTH * done // self.total
        bar = "█" * filled + "░" * (self.WIDTH - filled)
        return f"{bar} {done}/{self.total}  value {value:.6g}  {time.perf_counter() - self.start:.1f} s"

    def show(self, done: int, value: float) -> None:
        if self.live:
            now = time.perf_counter()
            if now >= self.next:
                self.next = now + 0.1
                self.stream.write(f"\r\x1b[K{self._line(done, value)}")
                self.stream.flush()
        elif done >= self.next:
            self.next = done + self.total / 10
            self.stream.write(f"{self._line(done, value)}\n")

    def close(self, done: int, value: float) -> None:
        self.stream.write(("\r\x1b[K" if self.live else "") + f"{self._line(done, value)}\n")
        self.stream.flush()
