"""Gradients: functional transformations and the ``requires_grad`` tape, both over one mechanism.

The gradient of a real loss with respect to a complex variable is ``dL/dRe + i dL/dIm``, the direction of steepest
ascent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ContextDecorator
from functools import wraps
from typing import Any

import numpy as np

from . import _core, _tree
from ._core import Array, broadcast_to
from ._creation import asarray, ones_like, zeros

__all__ = [
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "enable_grad",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "linearize",
    "no_grad",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]

Function = Callable[..., Any]


def _differentiable(name: str, x: Any) -> Array:
    """A leaf of an argument as an array that can have a gradient; Python floats become float64."""
    x = asarray(x)
    if x.dtype.kind not in "fc":
        raise TypeError(f"{name}: differentiated arguments must be float or complex, got {x.dtype.name}")
    return x


class _Tape:
    """A function's run under one scope: its outputs, their tree, and the leaves it was run on."""

    def __init__(self, name: str, f: Function, trees: Sequence[Any]) -> None:
        primals = [_differentiable(name, x) for x in _tree.leaves(list(trees))]
        self.scope = _core.Scope()
        try:
            self.leaves = [self.scope.leaf(x) for x in primals]
            values = iter(self.leaves)
            self.tree = f(*[_tree.rebuild(t, values) for t in trees])
        finally:
            self.scope.close()
        self.outputs = [asarray(y) for y in _tree.leaves(self.tree)]

    def values(self) -> Any:
        return _tree.rebuild(self.tree, iter([_core.settle(y) for y in self.outputs]))

    def pullback(self, cotangents: Sequence[Array | None]) -> list[Array]:
        found = self.scope.pullback(self.outputs, list(cotangents), self.leaves)
        return [_zeros_of(x) if g is None else g for x, g in zip(self.leaves, found)]

    def pushforward(self, tangents: Sequence[Array | None]) -> list[Array]:
        found = self.scope.pushforward(self.leaves, list(tangents), self.outputs)
        return [_zeros_of(y) if t is None else t for y, t in zip(self.outputs, found)]


def _zeros_of(x: Array) -> Array:
    return broadcast_to(zeros((), x.dtype, device=x.device), x.shape)


def _matching(name: str, given: Any, values: Sequence[Array]) -> list[Array]:
    """Leaves of tangents or cotangents, one per value, in its dtype and shape."""
    leaves = [asarray(g) for g in _tree.leaves(given)]
    if len(leaves) != len(values):
        raise ValueError(f"{name}: one array per value is required, got {len(leaves)} for {len(values)}")
    out = []
    for g, v in zip(leaves, values):
        if g.shape != v.shape:
            raise ValueError(f"{name}: shapes must match those of the values, got {g.shape} for {v.shape}")
        if g.dtype.kind == "c" and v.dtype.kind == "f":
            raise TypeError(f"{name}: a complex array does not fit a real value")
        out.append(_core.astype(g, v.dtype))
    return out


def _select(name: str, args: tuple[Any, ...], argnums: int | Sequence[int]) -> tuple[list[int], bool]:
    nums = [argnums] if isinstance(argnums, int) else list(argnums)
    for n in nums:
        if not -len(args) <= n < len(args):
            raise ValueError(f"{name}: argnums must name positional arguments, got {n} for {len(args)} arguments")
    return [n % len(args) for n in nums], isinstance(argnums, int)


def _partial(f: Function, args: tuple[Any, ...], kwargs: dict[str, Any], nums: list[int]) -> Function:
    def g(*chosen: Any) -> Any:
        full = list(args)
        for n, x in zip(nums, chosen):
            full[n] = x
        return f(*full, **kwargs)

    return g


def _scalar_loss(name: str, outputs: Sequence[Array]) -> Array:
    if len(outputs) != 1 or outputs[0].shape != ():
        shapes = ", ".join(str(y.shape) for y in outputs)
        raise TypeError(f"{name}: the function must return one scalar, got {len(outputs)} outputs of shape {shapes}")
    if outputs[0].dtype.kind != "f":
        raise TypeError(f"{name}: the function must return a real float, got {outputs[0].dtype.name}")
    return outputs[0]


def value_and_grad(f: Function, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Function:
    """A function that returns ``(f(*args), gradient)`` of a scalar function.

    The gradient has the structure of the arguments that ``argnums`` names. With ``has_aux``, ``f`` returns
    ``(loss, aux)`` and the result is ``((loss, aux), gradient)``.

    Example
    -------
    >>> sa.value_and_grad(lambda x: (x * x).sum())(sa.asarray([1.0, 2.0]))
    (array(5.), array([2., 4.]))
    """

    @wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        nums, single = _select("grad", args, argnums)
        aux: list[Any] = []

        def loss(*chosen: Any) -> Any:
            y = _partial(f, args, kwargs, nums)(*chosen)
            if has_aux:
                y, extra = y
                aux.append(extra)
            return y

        tape = _Tape("grad", loss, [args[n] for n in nums])
        y = _scalar_loss("grad", tape.outputs)
        found = iter(tape.pullback([ones_like(y.detach())]))
        grads = tuple(_tree.rebuild(args[n], found) for n in nums)
        value = tape.values()
        if has_aux:
            extra = _tree.tree_map(lambda x: _core.settle(x) if isinstance(x, Array) else x, aux[0])
            value = (value, extra)
        return value, grads[0] if single else grads

    return wrapper


def grad(f: Function, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient of a scalar function; see `value_and_grad`.

    Example
    -------
    >>> sa.grad(lambda x: sa.sin(x))(0.0)
    array(1.)
    """
    both = value_and_grad(f, argnums, has_aux)

    @wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        value, g = both(*args, **kwargs)
        return (g, value[1]) if has_aux else g

    return wrapper


def vjp(f: Function, *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """``(f(*primals), pullback)``, where ``pullback(cotangents)`` returns one cotangent per primal.

    Example
    -------
    >>> y, pullback = sa.vjp(lambda x: sa.asarray([1.0, 2.0]) * x, 3.0)
    >>> pullback(sa.asarray([1.0, 1.0]))
    (array(3.),)
    """
    tape = _Tape("vjp", f, primals)

    def pullback(cotangents: Any) -> tuple[Any, ...]:
        found = iter(tape.pullback(_matching("vjp", cotangents, tape.outputs)))
        return tuple(_tree.rebuild(p, found) for p in primals)

    return tape.values(), pullback


def linearize(f: Function, *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """``(f(*primals), pushforward)``, where ``pushforward(*tangents)`` returns the tangents of the outputs.

    Example
    -------
    >>> y, pushforward = sa.linearize(sa.exp, 0.0)
    >>> pushforward(2.0)
    array(2.)
    """
    tape = _Tape("linearize", f, primals)

    def pushforward(*tangents: Any) -> Any:
        given = _matching("linearize", list(tangents), tape.leaves)
        return _tree.rebuild(tape.tree, iter(tape.pushforward(given)))

    return tape.values(), pushforward


def jvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """``(f(*primals), tangents of the outputs)`` for the given tangents of the primals.

    Example
    -------
    >>> sa.jvp(sa.sin, (0.0,), (2.0,))
    (array(0.), array(2.))
    """
    value, pushforward = linearize(f, *primals)
    return value, pushforward(*tangents)


def _basis(x: Array) -> Iterator[Array]:
    """Unit vectors of the shape and dtype of ``x``."""
    for i in range(x.size):
        e = zeros((x.size,), x.dtype, device=x.device)
        e[i] = 1
        yield _core.reshape(e, x.shape)


def _block(pieces: list[Array], y: Array, x: Array, axis: int) -> Array:
    """The derivative of ``y`` in ``x`` from its columns (axis -1) or rows (axis 0)."""
    from ._manipulation import stack

    shape = y.shape + x.shape
    return _core.reshape(stack(pieces, axis=axis), shape) if pieces else zeros(shape, y.dtype, device=y.device)


def jacobian(f: Function, argnums: int | Sequence[int] = 0, mode: str = "auto") -> Function:
    """A function that returns the derivative of what ``f`` returns, of shape ``output.shape + input.shape``.

    For trees of arrays it is the output's tree, each leaf replaced by the tree of derivatives in the arguments that
    ``argnums`` names. ``mode`` is "forward", "reverse", or "auto": the one that needs fewer passes. In complex
    arguments the function must be complex differentiable; for others use `vjp` or `jvp`.

    Example
    -------
    >>> sa.jacobian(lambda x: x * x)(sa.asarray([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    if mode not in ("auto", "forward", "reverse"):
        raise ValueError(f"jacobian: mode must be 'auto', 'forward' or 'reverse', got {mode!r}")

    @wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        nums, single = _select("jacobian", args, argnums)
        chosen = [args[n] for n in nums]
        tape = _Tape("jacobian", _partial(f, args, kwargs, nums), chosen)
        xs, ys = tape.leaves, tape.outputs
        if any(x.dtype.kind == "c" for x in xs) and any(y.dtype.kind != "c" for y in ys):
            raise TypeError("jacobian: a real function of a complex argument has no complex derivative, use vjp or jvp")
        if mode == "forward" or (mode == "auto" and sum(x.size for x in xs) < sum(y.size for y in ys)):
            columns = [[tape.pushforward(_at(i, e, xs)) for e in _basis(x)] for i, x in enumerate(xs)]
            blocks = [
                [_block([c[k] for c in columns[i]], y, x, axis=-1) for i, x in enumerate(xs)] for k, y in enumerate(ys)
            ]
        else:
            rows = [[_row(tape, k, e) for e in _basis(y)] for k, y in enumerate(ys)]
            blocks = [
                [_block([r[i] for r in rows[k]], y, x, axis=0) for i, x in enumerate(xs)] for k, y in enumerate(ys)
            ]

        def in_arguments(row: list[Array]) -> Any:
            values = iter(row)
            trees = tuple(_tree.rebuild(tree, values) for tree in chosen)
            return trees[0] if single else trees

        return _tree.rebuild(tape.tree, iter([in_arguments(row) for row in blocks]))

    return wrapper


def _row(tape: _Tape, k: int, e: Array) -> list[Array]:
    """The derivative of the element of output ``k`` that ``e`` selects, in each argument."""
    found = tape.pullback(_at(k, e, tape.outputs))
    if e.dtype.kind != "c":
        return found
    # The pullback is the adjoint, of which a real argument takes the real part.
    xs = tape.leaves
    turned = tape.pullback(_at(k, 1j * e, tape.outputs)) if any(x.dtype.kind == "f" for x in xs) else found
    return [_core.conj(g) if x.dtype.kind == "c" else _core.complex(g, h) for x, g, h in zip(xs, found, turned)]


def _at(i: int, e: Array, values: Sequence[Array]) -> list[Array | None]:
    """``e`` for the ``i``-th of the values, zero for the others."""
    return [e if k == i else None for k in range(len(values))]


def hessian(f: Function, argnums: int | Sequence[int] = 0) -> Function:
    """A function that returns the second derivative of a scalar function, of shape ``input.shape * 2``.

    For trees of arrays it is a tree of trees, as `jacobian` of the gradient.

    Example
    -------
    >>> sa.hessian(lambda x: (x**3).sum())(sa.asarray([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    return jacobian(grad(f, argnums), argnums, mode="forward")


def hvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """The Hessian of a scalar function times a vector, for the first of the primals or all of them as a tuple.

    Example
    -------
    >>> sa.hvp(lambda x: (x**3).sum(), (sa.asarray([1.0, 2.0]),), (sa.asarray([1.0, 0.0]),))
    array([6., 0.])
    """
    single = len(primals) == 1
    g = grad(f, 0 if single else tuple(range(len(primals))))
    return jvp(g, primals, tangents)[1]


class _Scopes(ContextDecorator):
    """Changes which scopes watch operations, for a ``with`` block or a decorated function."""

    def _scopes(self, now: int) -> int:
        raise NotImplementedError

    def __enter__(self) -> None:
        self._stack: list[int] = getattr(self, "_stack", [])
        self._stack.append(_core.exchange_scopes(self._scopes(_core.open_scopes())))

    def __exit__(self, *exc: object) -> None:
        _core.exchange_scopes(self._stack.pop())


class no_grad(_Scopes):
    """Context in which nothing is recorded for differentiation; also a decorator.

    Example
    -------
    >>> x = sa.asarray([1.0], requires_grad=True)
    >>> with sa.no_grad():
    ...     (x * 2).requires_grad
    False
    """

    def _scopes(self, now: int) -> int:
        return 0


class enable_grad(_Scopes):
    """Context in which the ``requires_grad`` tape records again inside `no_grad`; also a decorator.

    Example
    -------
    >>> x = sa.asarray([1.0], requires_grad=True)
    >>> with sa.no_grad(), sa.enable_grad():
    ...     (x * 2).requires_grad
    True
    """

    def _scopes(self, now: int) -> int:
        return now | 1


def stop_gradient(x: Any) -> Array:
    """The same values as a constant: no gradient flows into ``x``.

    Example
    -------
    >>> sa.grad(lambda x: x * sa.stop_gradient(x))(3.0)
    array(3.)
    """
    return asarray(x).detach()


def backward(self: Array, gradient: Any = None, *, create_graph: bool = False) -> None:
    """Adds the gradient of this array to ``.grad`` of every leaf with ``requires_grad`` that it depends on.

    ``gradient`` is the cotangent of this array; it may be left out for a real scalar. With ``create_graph`` the
    gradients can be differentiated again.
    """
    if not self.requires_grad:
        raise RuntimeError("backward: the array does not depend on any array with requires_grad")
    if gradient is None:
        _scalar_loss("backward", [self])
        gradient = ones_like(self.detach())
    _core.backward([self], _matching("backward", gradient, [self]), create_graph)


def _is_array(x: Any) -> bool:
    return isinstance(x, (Array, float, complex, np.ndarray, np.generic))


class _Call:
    """A user's function as one of the arrays among its arguments, with flat results; other leaves stay as they are."""

    def __init__(self, f: Function, args: tuple[Any, ...]) -> None:
        self._f = f
        self._args = list(args)
        self._leaves = _tree.leaves(self._args)
        self._places = [k for k, x in enumerate(self._leaves) if _is_array(x)]
        self._result: Any = None
        self.inputs = [asarray(self._leaves[k]) for k in self._places]

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        return self._rebuilt(values, self._leaves)

    def tangents(self, values: Sequence[Any]) -> list[Any]:
        return self._rebuilt(values, [None] * len(self._leaves))

    def _rebuilt(self, values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
        full = list(others)
        for k, v in zip(self._places, values):
            full[k] = v
        return _tree.rebuild(self._args, iter(full))

    def cotangents(self, given: Sequence[Any]) -> list[Array | None]:
        """One per input from one tree per argument, in which None stands for zero."""
        flat = list(_tree.match(self._args, list(given)))
        return [None if flat[k] is None else asarray(flat[k]) for k in self._places]

    def __call__(self, *values: Array) -> list[Array]:
        y = self._f(*self.arguments(values))
        # Only the structure: kept arrays would keep their memory and their history.
        self._result = _tree.tree_map(lambda _: ..., y)
        return [asarray(v) for v in _tree.leaves(y)]

    def result(self, values: Sequence[Array]) -> Any:
        return _tree.rebuild(self._result, iter(values))


def _filled(values: Sequence[Array | None], like: Sequence[Array]) -> list[Array]:
    return [_zeros_of(x) if v is None else v for v, x in zip(values, like)]


def _pull(f: Function, at: Sequence[Array], cotangents: Sequence[Array]) -> list[Array | None]:
    """Cotangents of the arguments of ``f``; None for those that have no derivative."""
    chosen = [i for i, x in enumerate(at) if x.dtype.kind in "fc"]

    def of_chosen(*values: Array) -> Any:
        full = list(at)
        for i, v in zip(chosen, values):
            full[i] = v
        return f(*full)

    _, pullback = vjp(of_chosen, *[at[i] for i in chosen])
    found = dict(zip(chosen, pullback(cotangents)))
    return [found.get(i) for i in range(len(at))]


class custom_vjp:
    """A function with a reverse rule of its own.

    ``f.defvjp(fwd, bwd)``: ``fwd(*args)`` returns ``(f(*args), residuals)``, ``bwd(residuals, cotangents)`` one
    cotangent per argument, in its structure, or None for zero and for what is no float array. Both run in the backward
    pass, so that higher orders differentiate the residuals too. Forward mode is the transpose of ``bwd``. Gradients
    reach the arguments, not arrays that ``f`` closes over.

    Example
    -------
    >>> @sa.custom_vjp
    ... def clipped(x):
    ...     return x
    >>> clipped.defvjp(lambda x: (x, None), lambda _, g: (sa.clip(g, -1.0, 1.0),))
    >>> sa.grad(lambda x: 5.0 * clipped(x))(2.0)
    array(1.)
    """

    def __init__(self, f: Function) -> None:
        # First: it copies the attributes of `f`, which may be such an object itself.
        wraps(f)(self)
        self._f = f
        self._fwd: Function | None = None
        self._bwd: Function | None = None

    def defvjp(self, fwd: Function, bwd: Function) -> None:
        """Sets the forward function, which returns residuals too, and the backward one."""
        self._fwd, self._bwd = fwd, bwd

    def __call__(self, *args: Any) -> Any:
        name = getattr(self._f, "__name__", "custom_vjp")
        if self._fwd is None or self._bwd is None:
            raise TypeError(f"{name}: custom_vjp needs defvjp before the first call")
        fwd, bwd = self._fwd, self._bwd
        call = _Call(self._f, args)

        def reverse(ins: tuple[Any, ...], outs: tuple[Any, ...], gs: tuple[Any, ...]) -> list[Array | None]:
            _, residuals = fwd(*call.arguments(ins))
            found = bwd(residuals, call.result(_filled(gs, outs)))
            if not isinstance(found, (tuple, list)):
                found = (found,)
            if len(found) != len(args):
                raise ValueError(f"{name}: the rule must return {len(args)} cotangents, got {len(found)}")
            return call.cotangents(found)

        return call.result(_core.custom_op(name, call, reverse, None, call.inputs))


class custom_jvp:
    """A function with a forward rule of its own, which reverse mode transposes.

    ``f.defjvp(rule)``: ``rule(primals, tangents)`` returns ``(f(*primals), tangents of the outputs)`` and is linear in
    the tangents.

    Example
    -------
    >>> @sa.custom_jvp
    ... def f(x):
    ...     return sa.sin(x)
    >>> f.defjvp(lambda p, t: (f(*p), 2.0 * t[0]))
    >>> sa.grad(f)(0.0)
    array(2.)
    """

    def __init__(self, f: Function) -> None:
        wraps(f)(self)
        self._f = f
        self._rule: Function | None = None

    def defjvp(self, rule: Function) -> None:
        """Sets the forward rule."""
        self._rule = rule

    def __call__(self, *args: Any) -> Any:
        name = getattr(self._f, "__name__", "custom_jvp")
        if self._rule is None:
            raise TypeError(f"{name}: custom_jvp needs defjvp before the first call")
        rule = self._rule
        call = _Call(self._f, args)

        def push(ins: Sequence[Array], tangents: Sequence[Array]) -> list[Array]:
            _, out = rule(tuple(call.arguments(ins)), tuple(call.tangents(tangents)))
            return [asarray(t) for t in _tree.leaves(out)]

        def forward(ins: tuple[Any, ...], outs: tuple[Any, ...], ts: tuple[Any, ...]) -> list[Array]:
            return push(ins, _filled(ts, ins))

        def reverse(ins: tuple[Any, ...], outs: tuple[Any, ...], gs: tuple[Any, ...]) -> list[Array | None]:
            return _pull(lambda *ts: push(ins, ts), [_zeros_of(x) for x in ins], _filled(gs, outs))

        return call.result(_core.custom_op(name, call, reverse, forward, call.inputs))


def checkpoint(f: Function) -> Function:
    """``f`` computed again during the backward pass instead of keeping its intermediate values.

    Gradients reach the arguments, not arrays that ``f`` closes over.

    Example
    -------
    >>> sa.grad(sa.checkpoint(lambda x: sa.sin(sa.sin(x))))(0.0)
    array(1.)
    """

    @wraps(f)
    def wrapper(*args: Any) -> Any:
        call = _Call(f, args)

        def reverse(ins: tuple[Any, ...], outs: tuple[Any, ...], gs: tuple[Any, ...]) -> list[Array | None]:
            return _pull(call, ins, _filled(gs, outs))

        name = getattr(f, "__name__", "checkpoint")
        return call.result(_core.custom_op(name, call, reverse, None, call.inputs))

    return wrapper


Array.backward = backward  # type: ignore[method-assign]
