"""Derivatives checked against finite differences, and forward against reverse mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core, _tree
from .._core import Array
from .._creation import asarray
from .._grad import jvp, vjp

Flat = Callable[..., list[Array]]


@dataclass(frozen=True)
class _Check:
    """What stays the same through the recursion over orders."""

    name: str
    modes: tuple[str, ...]
    rtol: float
    atol: float
    eps: float
    rng: np.random.Generator

    def direction(self, x: Array) -> Array:
        """Steps of random sign, near each element's magnitude and at most 1.

        They have few digits, so that ``x`` plus a power of two times the step is rounded as little as possible.
        """
        scale = 2.0 ** np.floor(np.log2(np.clip(np.abs(np.asarray(x)), 2.0**-6, 1.0)))

        def part() -> np.ndarray:
            return self.rng.integers(128, 256, x.shape) / 256 * self.rng.choice([-1.0, 1.0], x.shape) * scale

        return asarray(part() + 1j * part() if x.dtype.kind == "c" else part(), dtype=x.dtype)

    def cotangent(self, y: Array) -> Array:
        g = self.rng.normal(size=y.shape) + (1j * self.rng.normal(size=y.shape) if y.dtype.kind == "c" else 0.0)
        return asarray(g, dtype=y.dtype)

    def fail(self, what: str, at: tuple[int, ...], got: Any, expected: Any, tolerance: float) -> None:
        raise AssertionError(
            f"check_grads: {self.name}: {what}, worst at index {at}: got {got!s}, expected {expected!s}, "
            f"error {abs(got - expected):.3g} with tolerance {tolerance:.3g}"
        )

    def compare(self, what: str, got: np.ndarray, expected: np.ndarray, noise: np.ndarray) -> None:
        tolerance = self.atol + self.rtol * np.abs(expected) + noise
        with np.errstate(invalid="ignore"):
            error = np.abs(got - expected)
        bad = ~(error <= tolerance)
        if bad.any():
            excess = np.where(np.isnan(error), np.inf, error / tolerance)
            at = tuple(int(i) for i in np.unravel_index(int(np.argmax(np.where(bad, excess, 0.0))), got.shape))
            self.fail(what, at, got[at], expected[at], tolerance[at])


def _paths(tree: Any, path: str) -> Iterator[str]:
    """Names of the leaves, in the order of `_tree.leaves`."""
    if isinstance(tree, (tuple, list)):
        for i, item in enumerate(tree):
            yield from _paths(item, f"{path}[{i}]")
    elif isinstance(tree, dict):
        for key in sorted(tree, key=str):
            yield from _paths(tree[key], f"{path}[{key!r}]")
    elif tree is not None:
        yield path


def _is_differentiable(x: Any) -> bool:
    return isinstance(x, (Array, float, complex, np.ndarray, np.generic)) and asarray(x).dtype.kind in "fc"


def _inner(a: Array, b: Array) -> float:
    """Re<a, b>."""
    return float(np.sum((np.conj(np.asarray(a)) * np.asarray(b)).real))


def _weight(a: Array, b: Array) -> float:
    return float(np.sum(np.abs(np.asarray(a)) * np.abs(np.asarray(b))))


def _double(x: Array) -> Array:
    return _core.astype(x, "complex128" if x.dtype.kind == "c" else "float64")


def _replaced(xs: Sequence[Array], i: int, x: Array) -> list[Array]:
    return [*xs[:i], x, *xs[i + 1 :]]


def _numeric(f: Flat, xs: Sequence[Array], i: int, t: Array, eps: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Derivative of each output along ``t`` in input ``i``, and its rounding error.

    Central differences with steps eps, eps/2, eps/4 and Richardson's extrapolation, whose error is of order eps**6.
    """
    wide = [_double(x) for x in xs]
    x, d = wide[i], _double(t)
    slopes: list[list[np.ndarray]] = []
    size: list[np.ndarray] = []
    for h in (eps, eps / 2, eps / 4):
        ahead, behind = ([np.asarray(y) for y in f(*_replaced(wide, i, x + s * d))] for s in (h, -h))
        slopes.append([(a - b) / (2 * h) for a, b in zip(ahead, behind)])
        size = [np.maximum(np.abs(a), np.abs(b)) for a, b in zip(ahead, behind)]
    noise = [8 * np.finfo(np.float64).eps / (eps / 4) * s for s in size]
    coarse, middle, fine = slopes
    return [((64 * f2 - 20 * f1 + f0) / 45, e) for f0, f1, f2, e in zip(coarse, middle, fine, noise)]


def _check_forward(check: _Check, f: Flat, xs: Sequence[Array], names: Sequence[str], what: str) -> None:
    for i, (x, name) in enumerate(zip(xs, names)):
        t = check.direction(x)
        values, tangents = jvp(lambda v, i=i: f(*_replaced(xs, i, v)), (x,), (t,))
        for k, (y, got, (expected, noise)) in enumerate(zip(values, tangents, _numeric(f, xs, i, t, check.eps))):
            label = f"{what}, forward mode, argument {name}, output {k}"
            if (got.dtype, got.shape) != (y.dtype, y.shape):
                raise AssertionError(
                    f"check_grads: {check.name}: {label}: the tangent must be {y.dtype.name} of shape {y.shape}, "
                    f"got {got.dtype.name} of shape {got.shape}"
                )
            check.compare(label, np.asarray(got), expected, noise)


def _check_reverse(check: _Check, f: Flat, xs: Sequence[Array], names: Sequence[str], what: str) -> None:
    """Re<g, J t> = Re<J^H g, t> for random g and t, argument by argument."""
    values, pullback = vjp(lambda *vs: f(*vs), *xs)
    gs = [check.cotangent(y) for y in values]
    cotangents = pullback(gs)
    for i, (x, name, found) in enumerate(zip(xs, names, cotangents)):
        label = f"{what}, reverse mode, argument {name}"
        if (found.dtype, found.shape) != (x.dtype, x.shape):
            raise AssertionError(
                f"check_grads: {check.name}: {label}: the gradient must be {x.dtype.name} of shape {x.shape}, "
                f"got {found.dtype.name} of shape {found.shape}"
            )
        t = check.direction(x)
        pushed = [(asarray(p), e) for p, e in _pushed(check, f, xs, i, t)]
        expected = sum(_inner(g, p) for g, (p, _) in zip(gs, pushed))
        got = _inner(found, t)
        size = sum(_weight(g, p) for g, (p, _) in zip(gs, pushed)) + _weight(found, t)
        noise = sum(_weight(g, asarray(e)) for g, (_, e) in zip(gs, pushed))
        tolerance = check.atol + check.rtol * size + noise
        if not abs(got - expected) <= tolerance:
            at, one, other = _worst(check, f, xs, i, gs, np.asarray(found))
            check.fail(label, at, one, other, tolerance)


def _pushed(check: _Check, f: Flat, xs: Sequence[Array], i: int, t: Array) -> list[tuple[Any, Any]]:
    """J t in one input with its error: by forward mode if that is checked too, else numerically."""
    if "forward" not in check.modes:
        return list(_numeric(f, xs, i, t, check.eps))
    tangents = jvp(lambda v: f(*_replaced(xs, i, v)), (xs[i],), (t,))[1]
    return [(p, np.zeros(p.shape)) for p in tangents]


def _worst(
    check: _Check, f: Flat, xs: Sequence[Array], i: int, gs: Sequence[Array], found: np.ndarray
) -> tuple[tuple[int, ...], Any, Any]:
    """Index, value and expected value of the gradient's worst element, by one forward pass per element."""
    x = xs[i]
    units: list[complex] = [1.0, 1.0j] if x.dtype.kind == "c" else [1.0]
    expected = np.zeros(x.shape, np.asarray(_double(x)).dtype)
    for at in np.ndindex(x.shape):
        for unit in units:
            e = np.zeros_like(expected)
            e[at] = unit
            pushed = _pushed(check, f, xs, i, asarray(e, dtype=x.dtype))
            expected[at] += unit * sum(_inner(g, asarray(p)) for g, (p, _) in zip(gs, pushed))
    error = np.abs(found - expected)
    at = np.unravel_index(int(np.argmax(np.where(np.isnan(error), np.inf, error))), x.shape)
    return tuple(int(j) for j in at), found[at], expected[at]


def _check_order(check: _Check, f: Flat, xs: list[Array], names: list[str], order: int, top: int, history: str) -> None:
    what = f"order {top - order + 1}{history}"
    if "forward" in check.modes:
        _check_forward(check, f, xs, names, what)
    if "reverse" in check.modes:
        _check_reverse(check, f, xs, names, what)
    if order == 1:
        return
    n = len(xs)
    if "forward" in check.modes:
        ts = [check.direction(x) for x in xs]
        _check_order(
            check,
            lambda *vs: jvp(f, vs[:n], vs[n:])[1],
            [*xs, *ts],
            [*names, *(f"tangent of {name}" for name in names)],
            order - 1,
            top,
            f"{history} of forward mode",
        )
    if "reverse" in check.modes:
        gs = [check.cotangent(y) for y in f(*xs)]
        _check_order(
            check,
            lambda *vs: list(vjp(f, *vs[:n])[1](list(vs[n:]))),
            [*xs, *gs],
            [*names, *(f"cotangent {k}" for k in range(len(gs)))],
            order - 1,
            top,
            f"{history} of reverse mode",
        )


def check_grads(
    f: Callable[..., Any],
    *args: Any,
    order: int = 2,
    modes: Sequence[str] = ("forward", "reverse"),
    rtol: float | None = None,
    atol: float | None = None,
    eps: float = 2.0**-10,
    seed: int = 0,
) -> None:
    """Raises AssertionError unless the derivatives of ``f`` at ``args`` are right up to ``order`` in each of the modes.

    Forward mode is compared with finite differences along random directions, reverse mode with forward mode by
    ``Re<g, J t> = Re<J^H g, t>``; higher orders check the derivatives' derivatives in all combinations of the modes.
    Float and complex leaves of the arguments are differentiated one by one, other leaves stay as they are. Single
    precision is kept, but its finite differences are computed in double precision. ``eps`` is the largest step,
    relative to elements below 1 and absolute above; ``f`` must be smooth within it. ``rtol`` is 1e-6 and ``atol`` 1e-8,
    or 1e-3 and 1e-4 where an argument is single precision. The message names mode, order, argument and worst index.

    Example
    -------
    >>> from sciarray.testing import check_grads
    >>> check_grads(lambda x, y: sa.sin(x) * y, sa.asarray([0.5, 1.5]), 2.0)
    >>> check_grads(lambda z: sa.abs(z) ** 3, sa.asarray([1 + 2j, 3 - 1j]))
    """
    unknown = set(modes) - {"forward", "reverse"}
    if unknown or not modes:
        raise ValueError(f"check_grads: modes must be 'forward' or 'reverse', got {tuple(modes)!r}")
    if order < 1:
        raise ValueError(f"check_grads: order must be at least 1, got {order}")
    leaves = _tree.leaves(list(args))
    places = [k for k, x in enumerate(leaves) if _is_differentiable(x)]
    paths = list(_paths(list(args), "args"))
    if not places:
        raise TypeError("check_grads: at least one argument must be float or complex")

    def flat(*values: Array) -> list[Array]:
        full = list(leaves)
        for k, v in zip(places, values):
            full[k] = v
        outputs = [asarray(y) for y in _tree.leaves(f(*_tree.rebuild(list(args), iter(full))))]
        return [y for y in outputs if y.dtype.kind in "fc"]

    xs = [asarray(leaves[k]) for k in places]
    single = any(x.dtype.name in ("float32", "complex64") for x in xs)
    check = _Check(
        getattr(f, "__name__", type(f).__name__),
        tuple(modes),
        (1e-3 if single else 1e-6) if rtol is None else rtol,
        (1e-4 if single else 1e-8) if atol is None else atol,
        eps,
        np.random.default_rng(seed),
    )
    _check_order(check, flat, xs, [paths[k] for k in places], order, order, "")
