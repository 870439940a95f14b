"""Functions of eigenvalues and singular values, with exact derivatives of every order where values repeat.

The derivatives of f(A) of a Hermitian A = V diag(w) V^H are sums of products with divided differences of f (Daleckii and Krein;
Higham, Functions of Matrices, 3.2): with M_k = V^H E_k V, the one along E_1, ..., E_k is V X V^H, where X is the sum over all
orders of the E of f[w_i, w_j, ..., w_l] M_1[i, j] ... M_k[.., l]. As a form in k + 1 Hermitian matrices it is symmetric, so it
is its own transpose in each of them, and its derivative in A is the form of the next order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np

from .. import _core
from .._arguments import inexact, read
from .._core import Array
from .._creation import asarray, ones_like, zeros
from .._grad import jvp
from ._factors import _square
from ._solvers import _adjoint

__all__ = ["hermitian_function", "singular_function"]

Function = Callable[[Array], Array]


def _applied(func: Function, w: Array) -> Array:
    y = func(w)
    if y.dtype != w.dtype or y.shape != w.shape:
        raise ValueError(
            f"hermitian_function: func must keep shape and dtype, got {y.shape} and {y.dtype} from {w.shape} and {w.dtype}"
        )
    return y


def _derivative(func: Function, order: int) -> Callable[[np.ndarray], np.ndarray]:
    """The elementwise derivative of so high an order, in NumPy."""

    def slope(f: Function) -> Function:
        return lambda x: jvp(f, (x,), (ones_like(x),))[1]

    for _ in range(order):
        func = slope(func)
    return lambda x: read(func(asarray(x)))


def _simplex(order: int, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Barycentric coordinates (nodes, order + 1) and weights of Gauss's rule in the coordinates of Duffy."""
    t, w = (x / 2 for x in np.polynomial.legendre.leggauss(points))
    t = t + 0.5
    grid = np.stack(np.meshgrid(*[t] * order, indexing="ij"), -1).reshape(-1, order)
    weights = np.prod(np.stack(np.meshgrid(*[w] * order, indexing="ij"), -1), -1).reshape(-1)
    coordinates = np.empty((len(grid), order + 1))
    rest = np.ones(len(grid))
    for k in range(order):
        coordinates[:, k] = rest * grid[:, k]
        weights = weights * (1 - grid[:, k]) ** (order - 1 - k)
        rest = rest * (1 - grid[:, k])
    coordinates[:, order] = rest
    return coordinates, weights


def _differences(func: Function, w: np.ndarray, order: int) -> np.ndarray:
    """The divided differences of `func` at all order + 1 of the ascending numbers w (..., n): (..., n, ..., n).

    Neighbours by the recurrence, or by the integral of the derivative over the simplex (Hermite and Genocchi), whichever has
    the smaller error: the first loses digits where numbers are close, the second converges only there.
    """
    n, eps = w.shape[-1], float(np.finfo(w.dtype).eps)
    table = read(_applied(func, asarray(w)))
    error = eps * np.abs(table)
    for k in range(1, order + 1):
        index = np.sort(np.indices((n,) * (k + 1)), axis=0)
        upper, lower = (..., *index[1:]), (..., *index[:-1])
        spread = w[..., index[k]] - w[..., index[0]]
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (table[upper] - table[lower]) / spread
            bound = (error[upper] + error[lower]) / spread + 4 * eps * np.abs(value)
        bound = np.where(spread > 0, bound, np.inf)
        near = ~((spread > 0) & (bound <= 64 * eps * np.abs(value)))
        if near.any():
            points = np.stack([w[..., i][near] for i in index], -1)
            derivative = _derivative(func, k)
            rules = []
            for nodes in (12, 8):
                coordinates, weights = _simplex(k, nodes)
                rules.append(derivative(points @ coordinates.T.astype(w.dtype)) @ weights)
            difference = np.abs(rules[0] - rules[1])
            rough = np.where(np.isnan(difference), np.inf, difference) + 4 * eps * np.abs(rules[0])
            better = rough < bound[near]
            value[near] = np.where(better, rules[0], value[near])
            bound[near] = np.where(better, rough, bound[near])
        table, error = value.astype(w.dtype), bound
    return table


def _hermitian(x: Array) -> Array:
    return (x + _adjoint(x)) * 0.5


def _form(func: Function, a: Array, along: tuple[Array, ...]) -> Array:
    """The derivative of f at `a` along Hermitian matrices, of which there may be none."""
    k = len(along)

    def forward(a: Array, *along: Array) -> tuple[Array]:
        w, V = _core.eigh(a, False)
        if a.size == 0:
            return (_core.copy(a),)
        if k == 0:
            return (_core.matmul(V * _applied(func, w)[..., None, :], _adjoint(V)),)
        turned = [read(_core.matmul(_core.matmul(_adjoint(V), e), V)) for e in along]
        values = read(w)
        finite = np.isfinite(values)
        there = lambda x: func(x.to(a.device))
        table = _differences(there, np.where(finite, values, 0.0).astype(values.dtype), k)
        letters = "abcdefghijklmnop"[: k + 1]
        terms = "".join(f",...{letters[i : i + 2]}" for i in range(k))
        total = sum(
            np.einsum(f"...{letters}{terms}->...{letters[0]}{letters[-1]}", table, *order, optimize=True)
            for order in permutations(turned)
        )
        inner = _core.astype(asarray(np.asarray(total), device=a.device), a.dtype)
        return (_core.matmul(_core.matmul(V, inner), _adjoint(V)),)

    def vjp(ins: Any, outs: Any, gs: Any) -> list[Array]:
        a, along, g = ins[0], tuple(ins[1:]), _hermitian(gs[0])
        others = [_form(func, a, (*along[:i], g, *along[i + 1 :])) for i in range(k)]
        return [_form(func, a, (*along, g)), *others]

    def jvp(ins: Any, outs: Any, ts: Any) -> list[Array]:
        a, along = ins[0], tuple(ins[1:])
        parts = [] if ts[0] is None else [_form(func, a, (*along, _hermitian(ts[0])))]
        parts += [
            _form(func, a, (*along[:i], _hermitian(t), *along[i + 1 :])) for i, t in enumerate(ts[1:]) if t is not None
        ]
        return [sum(parts[1:], parts[0])]

    return _core.custom_op("hermitian_function", forward, vjp, jvp, [a, *along])[0]


def hermitian_function(a: Any, func: Function, /) -> Array:
    """``V @ diag(func(w)) @ V.mH`` of Hermitian ``a = V @ diag(w) @ V.mH`` (..., n, n), of which the lower triangle is read.

    ``func`` maps real arrays elementwise, without arguments that gradients are wanted for. Derivatives of every order are
    exact where eigenvalues repeat, which those through `eigh` cannot be: its trace is a sum over eigenvalues with an exact
    Hessian. They are Hermitian. The k-th one takes time and memory of n**(k + 1) (Daleckii and Krein; Higham, Functions of
    Matrices, 3.2). Items that are not finite give NaN.

    Example
    -------
    >>> f = lambda x: sa.linalg.hermitian_function(x, lambda w: w**3)
    >>> sa.grad(lambda x: f(x)[0, 1])(sa.eye(2))
    array([[0. , 1.5],
           [1.5, 0. ]])
    """
    return _form(func, _square("hermitian_function", a), ())


def singular_function(a: Any, func: Function, /) -> Array:
    """``U @ diag(func(S)) @ Vh`` of ``a = U @ diag(S) @ Vh`` (..., m, n).

    ``func`` maps arrays of positive numbers elementwise and stands for its odd continuation: derivatives at singular values of
    0 exist as far as those of the latter, and are exact there and where values repeat. It is a block of
    `hermitian_function` of ``[[0, a], [a.mH, 0]]``, whose eigenvalues are S, -S and 0 (Golub and Van Loan, Matrix
    Computations, 8.6.1).

    Example
    -------
    >>> sa.linalg.singular_function(sa.asarray([[0.0, 2.0], [3.0, 0.0]]), lambda s: s**3)
    array([[ 0.,  8.],
           [27.,  0.]])
    """
    a = inexact(a)
    if a.ndim < 2:
        raise ValueError(f"singular_function: at least two axes are required, got shape {a.shape}")
    m, n = a.shape[-2:]
    top = _core.concat([zeros((*a.shape[:-2], m, m), a.dtype, device=a.device), a], a.ndim - 1)
    bottom = _core.concat([_adjoint(a), zeros((*a.shape[:-2], n, n), a.dtype, device=a.device)], a.ndim - 1)

    def odd(x: Array) -> Array:
        negative = _core.less(x, 0.0)
        y = func(_core.where(negative, -x, x))
        return _core.where(negative, -y, y)

    return _form(odd, _core.concat([top, bottom], a.ndim - 2), ())[..., :m, m:]
