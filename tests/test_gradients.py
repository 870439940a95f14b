"""Derivatives of the structural, reducing, gathering, linear algebra and Fourier operations; a line each.

Every case is checked to second order in both modes with real and with complex arguments.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sciarray as sa
from sciarray.testing import check_grads

INDEX = np.array([2, 0, 2])
MASK = np.array([[True, False, True, False], [False, False, True, True], [True, True, True, False]])


def put(x: sa.Array, key: Any, v: sa.Array) -> sa.Array:
    y = x * 1.0
    y[key] = v
    return y


def add_at(x: sa.Array, key: Any, v: sa.Array) -> sa.Array:
    y = x * 1.0
    y[key] += v
    return y


def hermitian(x: sa.Array) -> sa.Array:
    """Positive definite, from any square matrix."""
    return x @ sa.conj(sa.matrix_transpose(x)) + 3.0 * sa.eye(x.shape[-1])


def well_conditioned(x: sa.Array) -> sa.Array:
    return x + 4.0 * sa.eye(x.shape[-1])


# Shapes of the arguments and the function of them.
Case = tuple[list[tuple[int, ...]], Callable[..., Any]]

CASES: dict[str, Case] = {
    "identity": ([(3,)], lambda x: x),
    "copy": ([(2, 3)], sa.copy),
    "reshape": ([(2, 3)], lambda x: sa.reshape(x, (3, 2))),
    "reshape of a transpose": ([(2, 3)], lambda x: sa.reshape(sa.permute_dims(x, (1, 0)), (6,))),
    "permute_dims": ([(2, 3, 2)], lambda x: sa.permute_dims(x, (2, 0, 1))),
    "broadcast_to": ([(3, 1)], lambda x: sa.broadcast_to(x, (2, 3, 4))),
    "broadcast_to of a scalar": ([()], lambda x: sa.broadcast_to(x, (2, 2))),
    "expand_dims": ([(3,)], lambda x: sa.expand_dims(x, (0, 2))),
    "squeeze": ([(1, 3, 1)], sa.squeeze),
    "flip": ([(2, 3)], lambda x: sa.flip(x, 1)),
    "roll": ([(2, 3)], lambda x: sa.roll(x, 2)),
    "tile": ([(2, 1)], lambda x: sa.tile(x, (2, 3))),
    "repeat": ([(2, 2)], lambda x: sa.repeat(x, 2, 1)),
    "pad": ([(2, 2)], lambda x: sa.pad(x, ((1, 0), (2, 1)))),
    "slice": ([(4, 3)], lambda x: x[1:3, ::2]),
    "slice with negative steps": ([(4, 3)], lambda x: x[::-2, ::-1]),
    "integer and newaxis": ([(4, 3)], lambda x: x[None, 2, ..., None]),
    "empty slice": ([(4,)], lambda x: x[2:2]),
    "setitem": ([(4, 3), (2, 3)], lambda x, v: put(x, slice(1, 3), v)),
    "setitem broadcast": ([(4, 3), ()], lambda x, v: put(x, (slice(None), 1), v)),
    "setitem with negative step": ([(4,), (2,)], lambda x, v: put(x, slice(None, None, -2), v)),
    "setitem of everything": ([(3,), (3,)], lambda x, v: put(x, ..., v)),
    "in-place addition": ([(4,), (2,)], lambda x, v: add_at(x, slice(0, 2), v)),
    "concat": ([(2, 3), (1, 3)], lambda x, y: sa.concat([x, y, x])),
    "concat flattened": ([(2, 2), (3,)], lambda x, y: sa.concat([x, y], axis=None)),
    "stack": ([(2, 3), (2, 3)], lambda x, y: sa.stack([x, y], axis=1)),
    "sum": ([(2, 3)], lambda x: sa.sum(x)),
    "sum over axes": ([(2, 3, 2)], lambda x: sa.sum(x, axis=(0, -1), keepdims=True)),
    "prod": ([(2, 3)], lambda x: sa.prod(x)),
    "prod over an axis": ([(2, 3, 2)], lambda x: sa.prod(x, axis=1)),
    "prod over two axes": ([(2, 3, 2)], lambda x: sa.prod(x, axis=(0, 2), keepdims=True)),
    "where": ([(3, 4), (4,)], lambda x, y: sa.where(sa.asarray(MASK), x, y)),
    "matmul": ([(2, 3), (3, 4)], sa.matmul),
    "matmul vector matrix": ([(3,), (3, 2)], sa.matmul),
    "matmul matrix vector": ([(2, 3), (3,)], sa.matmul),
    "matmul vectors": ([(3,), (3,)], sa.matmul),
    "matmul of stacks": ([(2, 2, 3), (2, 3, 2)], sa.matmul),
    "matmul of broadcast stacks": ([(2, 1, 2, 3), (3, 3, 2)], sa.matmul),
    "matmul stack vector": ([(2, 2, 3), (3,)], sa.matmul),
    "matmul vector stack": ([(3,), (2, 3, 2)], sa.matmul),
    "matmul of a transpose": ([(2, 3)], lambda x: x @ sa.permute_dims(x, (1, 0))),
    "broadcast arithmetic": ([(2, 1), (3,)], lambda x, y: x * y + x / (y + 4.0) - y),
    "linspace": ([(), ()], lambda a, b: sa.linspace(a, b, 4)),
    "gather": ([(4, 2)], lambda x: x[INDEX]),
    "gather on a later axis": ([(2, 4)], lambda x: x[:, INDEX]),
    "gather by a pair": ([(3, 4)], lambda x: x[INDEX, np.array([1, 1, 3])]),
    "gather by a mask": ([(3, 4)], lambda x: x[MASK]),
    "take": ([(4, 2)], lambda x: sa.take(x, INDEX, axis=0)),
    "take_along_axis": ([(3, 2)], lambda x: sa.take_along_axis(x, sa.asarray([[0, 2], [1, 1]]), axis=0)),
    "setitem at indices": ([(4, 2), (2, 2)], lambda x, v: put(x, np.array([3, 0]), v)),
    "setitem at a mask": ([(3, 4), ()], lambda x, v: put(x, MASK, v)),
    "setitem of values at a mask": ([(3, 4), (7,)], lambda x, v: put(x, MASK, v)),
    "cumsum": ([(2, 4)], lambda x: sa.cumsum(x, axis=1)),
    "cumsum flattened": ([(2, 2)], lambda x: sa.cumsum(x)),
    "cumprod": ([(2, 4)], lambda x: sa.cumprod(x, axis=1)),
    "solve": ([(3, 3), (3, 2)], lambda a, b: sa.linalg.solve(well_conditioned(a), b)),
    "solve for a vector": ([(3, 3), (3,)], lambda a, b: sa.linalg.solve(well_conditioned(a), b)),
    "solve of stacks": ([(2, 2, 2), (2, 2, 1)], lambda a, b: sa.linalg.solve(well_conditioned(a), b)),
    "cholesky": ([(3, 3)], lambda x: sa.linalg.cholesky(hermitian(x))),
    "cholesky of stacks": ([(2, 2, 2)], lambda x: sa.linalg.cholesky(hermitian(x), upper=True)),
    "fft": ([(2, 5)], lambda x: sa.fft.fft(x)),
    "fft padded on another axis": ([(3, 2)], lambda x: sa.fft.fft(x, n=5, axis=0, norm="ortho")),
    "fft cut": ([(6,)], lambda x: sa.fft.fft(x, n=4)),
    "ifft": ([(4,)], lambda x: sa.fft.ifft(x)),
    "irfft": ([(4,)], lambda x: sa.fft.irfft(x)),
    "irfft of odd length": ([(3,)], lambda x: sa.fft.irfft(x, n=5)),
}

# Functions that complex numbers do not have, or whose derivative is not smooth on complex arguments.
REAL_CASES: dict[str, Case] = {
    "max": ([(2, 3)], lambda x: sa.max(x)),
    "max over an axis": ([(2, 3, 2)], lambda x: sa.max(x, axis=1, keepdims=True)),
    "min over two axes": ([(2, 3, 2)], lambda x: sa.min(x, axis=(0, 2))),
    "sort": ([(2, 4)], lambda x: sa.sort(x, axis=1)),
    "clip": ([(4,)], lambda x: sa.clip(x, -0.5, 0.5)),
    "rfft": ([(2, 5)], lambda x: sa.fft.rfft(x)),
    "rfft of even length": ([(4,)], lambda x: sa.fft.rfft(x, norm="forward")),
    "astype to complex": ([(3,)], lambda x: sa.astype(x, "complex128") * (1 + 2j)),
}


def arguments(name: str, shapes: list[tuple[int, ...]], complex_: bool) -> list[sa.Array]:
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    values = [rng.normal(size=s) + (1j * rng.normal(size=s) if complex_ else 0.0) for s in shapes]
    return [sa.asarray(v) for v in values]


@pytest.mark.parametrize("name", [*CASES, *REAL_CASES])
def test_real_arguments(name):
    shapes, f = {**CASES, **REAL_CASES}[name]
    check_grads(f, *arguments(name, shapes, False))


@pytest.mark.parametrize("name", CASES)
def test_complex_arguments(name):
    shapes, f = CASES[name]
    check_grads(f, *arguments(name, shapes, True))


@pytest.mark.parametrize("name", ["matmul", "setitem", "concat", "broadcast arithmetic", "solve", "where"])
def test_real_beside_complex_arguments(name):
    shapes, f = CASES[name]
    real, imaginary = arguments(name, shapes, False), arguments(name + "i", shapes, True)
    check_grads(f, imaginary[0], real[1])
    if name != "setitem":
        check_grads(f, real[0], imaginary[1])


@pytest.mark.parametrize("name", ["matmul", "prod over an axis", "sum over axes", "concat", "setitem"])
def test_single_precision(name):
    shapes, f = CASES[name]
    check_grads(f, *[sa.astype(x, "float32") for x in arguments(name, shapes, False)])


@pytest.mark.parametrize(
    ("source", "target"),
    [("float32", "float64"), ("float64", "float32"), ("float64", "complex128"), ("complex128", "complex64")],
)
def test_casts(source, target):
    x = sa.asarray([0.5, -1.25], dtype=source)
    check_grads(lambda x: sa.astype(x, target), x, rtol=1e-3, atol=1e-4)
    y, pullback = sa.vjp(lambda x: sa.astype(x, target), x)
    assert pullback(sa.ones_like(y))[0].dtype.name == source


@pytest.mark.filterwarnings("ignore:astype. the imaginary part is dropped")
def test_the_gradient_of_a_cast_that_drops_the_imaginary_part():
    z = sa.asarray([1 + 2j, 3 - 1j])
    check_grads(lambda z: sa.astype(z, "float64") * 2.0, z)
    np.testing.assert_array_equal(np.asarray(sa.grad(lambda z: sa.astype(z, "float64").sum())(z)), [1, 1])


def test_repeated_indices_add_their_gradients():
    x = sa.asarray([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(np.asarray(sa.grad(lambda x: x[INDEX].sum())(x)), [1, 0, 2])


def test_the_triangle_that_is_not_read_gets_the_symmetric_gradient():
    A = sa.asarray([[4.0, 1.0], [1.0, 3.0]])
    g = np.asarray(sa.grad(lambda A: sa.linalg.cholesky(A).sum())(A))
    np.testing.assert_array_equal(g, g.T)


def test_transposed_axes_of_a_large_product():
    """Operands beyond the small kernels' sizes, in layouts that they do not expect."""
    rng = np.random.default_rng(0)
    a, b = sa.asarray(rng.normal(size=(40, 70)).T), sa.asarray(rng.normal(size=(60, 40))[::-1].T)
    g = rng.normal(size=(70, 60))
    _, pullback = sa.vjp(sa.matmul, a, b)
    ga, gb = pullback(sa.asarray(g))
    np.testing.assert_allclose(np.asarray(ga), g @ np.asarray(b).T, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(gb), np.asarray(a).T @ g, rtol=1e-12)
