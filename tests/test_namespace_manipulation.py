"""Rearranging, joining and splitting against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_peer import arrays, cases, compare

import sciarray as sa

few = settings(max_examples=15, deadline=None)

UNARY = {
    "reshape": lambda m, x: m.reshape(x, (-1, 2)),
    "reshape F": lambda m, x: m.reshape(x, (2, -1), order="F"),
    "ravel": lambda m, x: m.ravel(x),
    "ravel F": lambda m, x: m.ravel(x, order="F"),
    "transpose": lambda m, x: m.transpose(x),
    "transpose axes": lambda m, x: m.transpose(x, (1, 0)),
    "matrix_transpose": lambda m, x: m.matrix_transpose(x),
    "swapaxes": lambda m, x: m.swapaxes(x, 0, -1),
    "moveaxis": lambda m, x: m.moveaxis(x, 0, -1),
    "moveaxis several": lambda m, x: m.moveaxis(x, (0, -1), (-1, 0)),
    "rollaxis": lambda m, x: m.rollaxis(x, 1),
    "rollaxis start": lambda m, x: m.rollaxis(x, 0, 2),
    "squeeze": lambda m, x: m.squeeze(x),
    "squeeze axis": lambda m, x: m.squeeze(x, axis=0) if x.ndim else None,
    "expand_dims": lambda m, x: m.expand_dims(x, axis=(0, -1)),
    "atleast": lambda m, x: (m.atleast_1d(x), m.atleast_2d(x), m.atleast_3d(x)),
    "flip": lambda m, x: m.flip(x),
    "flip axis": lambda m, x: m.flip(x, -1),
    "fliplr": lambda m, x: m.fliplr(x),
    "flipud": lambda m, x: m.flipud(x),
    "rot90": lambda m, x: [m.rot90(x, k) for k in range(-1, 4)],
    "rot90 axes": lambda m, x: m.rot90(x, 1, axes=(-1, 0)),
    "roll": lambda m, x: m.roll(x, 3),
    "roll axis": lambda m, x: m.roll(x, -1, axis=0),
    "roll axes": lambda m, x: m.roll(x, (1, -2), axis=(0, 1)),
    "roll one axis twice": lambda m, x: m.roll(x, (1, 1), axis=0),
    "tile": lambda m, x: m.tile(x, 2),
    "tile axes": lambda m, x: m.tile(x, (2, 0, 1, 3)),
    "repeat": lambda m, x: m.repeat(x, 2),
    "repeat axis": lambda m, x: m.repeat(x, 3, axis=-1) if x.ndim else None,
    "repeat each": lambda m, x: m.repeat(x, [2, 0, 1], axis=0),
    "pad": lambda m, x: m.pad(x, 1),
    "pad values": lambda m, x: m.pad(x, (1, 2), constant_values=(1, 0)),
    "pad pairs": lambda m, x: m.pad(x, ((0, 1), (2, 0))),
    "pad edge": lambda m, x: m.pad(x, 2, mode="edge"),
    "pad reflect": lambda m, x: m.pad(x, 5, mode="reflect"),
    "pad symmetric": lambda m, x: m.pad(x, 5, mode="symmetric"),
    "pad wrap": lambda m, x: m.pad(x, 5, mode="wrap"),
    "split": lambda m, x: m.split(x, 2),
    "split indices": lambda m, x: m.split(x, [1, 3, 2, -1], axis=-1),
    "array_split": lambda m, x: m.array_split(x, 3),
    "vsplit": lambda m, x: m.vsplit(x, 2),
    "hsplit": lambda m, x: m.hsplit(x, 2),
    "dsplit": lambda m, x: m.dsplit(x, 2),
    "unstack": lambda m, x: m.unstack(x, axis=-1),
    "apply_along_axis": lambda m, x: [
        m.apply_along_axis(m.cumsum, 0, x),
        m.apply_along_axis(m.sum, -1, x),
        m.apply_along_axis(lambda v: v[:, None] * v, -1, x),
    ],
    "delete": lambda m, x: m.delete(x, 1),
    "delete axis": lambda m, x: m.delete(x, [0, -1], axis=-1),
    "delete slice": lambda m, x: m.delete(x, slice(None, None, 2), axis=0),
    "insert": lambda m, x: m.insert(x, 0, 1),
    "insert several": lambda m, x: m.insert(x, [0, 0, -1], 1),
    "insert axis": lambda m, x: m.insert(x, 1, 1, axis=0),
    "size": lambda m, x: m.size(x),
    "ndim": lambda m, x: m.ndim(x),
    "shape": lambda m, x: m.shape(x),
    "diagonal": lambda m, x: m.diagonal(x),
    "diagonal offset": lambda m, x: [m.diagonal(x, k, -1, 0) for k in (-5, -1, 1, 5)],
    "trace": lambda m, x: m.trace(x, 1),
    "diag": lambda m, x: [m.diag(x, k) for k in (-5, -1, 0, 2)],
    "diagflat": lambda m, x: m.diagflat(x, -1),
    "tril": lambda m, x: m.tril(x) if x.ndim > 1 else None,
    "triu": lambda m, x: m.triu(x, 1) if x.ndim > 1 else None,
    "broadcast_to": lambda m, x: m.broadcast_to(x, (2, 3)),
}


@cases(UNARY)
@few
@given(x=arrays())
def test_of_one_array(f, x):
    compare(f, x)


PAIRS = {
    "concat": lambda m, x, y: m.concat([x, y]),
    "concat axis": lambda m, x, y: m.concatenate((x, y), axis=-1),
    "concat flat": lambda m, x, y: m.concat([x, y], axis=None),
    "concat dtype": lambda m, x, y: m.concatenate([x, y], dtype="complex128"),
    "stack": lambda m, x, y: m.stack([x, y], axis=-1),
    "vstack": lambda m, x, y: m.vstack([x, y]),
    "hstack": lambda m, x, y: m.hstack([x, y]),
    "dstack": lambda m, x, y: m.dstack([x, y]),
    "column_stack": lambda m, x, y: m.column_stack([x, y]) if x.ndim < 3 else None,
    "block": lambda m, x, y: m.block([[x, y]]),
    "append": lambda m, x, y: m.append(x, y),
    "append axis": lambda m, x, y: m.append(x, y, axis=0),
    "broadcast_arrays": lambda m, x, y: list(m.broadcast_arrays(x, y)),
    "meshgrid": lambda m, x, y: list(m.meshgrid(x, y)) if x.ndim <= 1 >= y.ndim else None,
}


@cases(PAIRS)
@few
@given(data=st.data())
def test_of_two_arrays(f, data):
    x = data.draw(arrays())
    y = data.draw(st.one_of(arrays(shape=x.shape), arrays()))
    compare(f, x, y)


FIXED = {
    "tri": lambda m: [m.tri(3, 2, 1), m.tri(2, dtype="int8"), m.tri(0)],
    "indices of triangles of a matrix": lambda m: [
        m.tril_indices_from(m.zeros((3, 4)), -1),
        m.triu_indices_from(m.zeros((3, 2)), 1),
        m.diag_indices_from(m.zeros((2, 2, 2))),
    ],
    "mgrid": lambda m: [m.mgrid[0:3], m.mgrid[1:2:5j], m.mgrid[0:3, -1:1:0.5], m.mgrid[:2, 0:1:3j, 4:9:2]],
    "ogrid": lambda m: [m.ogrid[0:3], list(m.ogrid[0:3, -1:1:4j])],
    "indices of triangles": lambda m: [m.tril_indices(3, 1), m.triu_indices(3, -1, 4), m.diag_indices(2, 3)],
    "indices": lambda m: [m.indices((2, 3)), m.indices((0, 2)), m.indices((2,), sparse=True)],
    "meshgrid": lambda m: [
        m.meshgrid(m.arange(3), m.arange(2), m.arange(4), indexing=i, sparse=s)
        for i in ("xy", "ij")
        for s in (True, False)
    ],
    "unravel_index": lambda m: m.unravel_index(m.asarray([0, 5, 11]), (3, 2, 2)),
    "ravel_multi_index": lambda m: m.ravel_multi_index((m.asarray([0, 2]), m.asarray([1, 0])), (3, 2)),
    "vander": lambda m: [m.vander(m.asarray([1, 2, 3])), m.vander(m.asarray([0.5, -2.0]), 4, increasing=True)],
    "broadcast_shapes": lambda m: [
        m.broadcast_shapes((3, 1), (4,), ()),
        m.broadcast_shapes(2, 1),
        m.broadcast_shapes(),
    ],
    "identity": lambda m: [m.identity(3), m.eye(2, 3, k=1), m.eye(2, 3, -1, dtype="bool")],
    "ix_": lambda m: m.ix_(m.asarray([0, 2]), m.asarray([True, False, True])),
    "pad dict": lambda m: m.pad(m.ones((2, 3)), {-1: (1, 2)}),
    "linspace": lambda m: [m.linspace(0, 1, n, endpoint=e) for n in (0, 1, 2, 7) for e in (True, False)],
    "linspace arrays": lambda m: m.linspace(m.asarray([0.0, 1.0]), 5, 4, axis=-1),
    "linspace step": lambda m: m.linspace(0, 3, 4, retstep=True),
    "linspace integers": lambda m: m.linspace(-3, 5, 7, dtype="int64"),
    "logspace": lambda m: [m.logspace(0, 2, 5), m.logspace(0, 3, 4, base=2, endpoint=False)],
    "geomspace": lambda m: [m.geomspace(1, 1000, 4), m.geomspace(-1.0, -8.0, 4), m.geomspace(1j, 8j, 4)],
    "arange": lambda m: [
        m.arange(5),
        m.arange(1, 2, 0.25),
        m.arange(5, 0, -2),
        m.arange(3, dtype="float32"),
        m.arange(0),
    ],
    "array": lambda m: [m.array([1, 2.5]), m.array(m.arange(2), ndmin=3), m.array([[1], [2]], "float32")],
    "fromfunction": lambda m: m.fromfunction(lambda i, j: i - 2 * j, (2, 3)),
    "like": lambda m: [m.zeros_like(m.arange(2), "float32"), m.full_like(m.arange(2), 7), m.empty_like(m.ones(0))],
    "full": lambda m: [m.full((2,), 3), m.full(2, True), m.full((), 1j), m.full((2, 2), m.asarray([1.0, 2.0]))],
}


@cases(FIXED)
def test_fixed(f):
    compare(f)


def test_fill_diagonal():
    def run(m, shape, value, wrap=False):
        x = m.zeros(shape)
        m.fill_diagonal(x, value, wrap)
        return x

    for args in [((3, 3), 1), ((5, 2), 2), ((5, 2), 2, True), ((2, 5), 3), ((3, 3, 3), 1), ((3, 3), [1, 2, 3])]:
        compare(lambda m, a=args: run(m, *a))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sa.stack([sa.ones(2), sa.ones(3)]), r"stack: .* got \(2,\) and \(3,\)"),
        (lambda: sa.concat([]), "concat: at least one array"),
        (lambda: sa.flip(sa.ones(2), 1), r"flip: axis must be in \[-1, 1\), got 1"),
        (lambda: sa.squeeze(sa.ones(2), 0), r"squeeze: .* got axis 0 of shape \(2,\)"),
        (lambda: sa.split(sa.ones(3), 2), "split: an axis of length 3"),
        (lambda: sa.pad(sa.ones(3), -1), "pad: widths must not be negative"),
        (lambda: sa.pad(sa.ones(0), 1, mode="wrap"), "pad: axis 0 is empty"),
        (lambda: sa.moveaxis(sa.ones((2, 2)), 0, (0, 1)), "moveaxis: .* got 1 and 2"),
        (lambda: sa.broadcast_shapes((2,), (3,)), r"broadcast_shapes: .* \(2,\), \(3,\)"),
        (lambda: sa.repeat(sa.ones(2), [1, 2, 3]), r"repeat: .* \(2\), got shape \(3,\)"),
        (lambda: sa.tile(sa.ones(2), -1), "tile: repetitions must not be negative"),
        (lambda: sa.meshgrid(sa.ones(2), indexing="xz"), "meshgrid: indexing"),
        (lambda: sa.mgrid[1:], "mgrid: slices with an end are required, got slice"),
        (lambda: sa.triu_indices_from(sa.ones(2)), "triu_indices_from: a matrix is required"),
        (lambda: sa.diag_indices_from(sa.ones((2, 3))), "diag_indices_from: at least two axes"),
        (lambda: sa.apply_along_axis(sa.sum, 0, sa.ones((2, 0))), "apply_along_axis: at least one line"),
    ],
)
def test_errors_name_the_rule(call, message):
    with pytest.raises((ValueError, IndexError), match=message):
        call()


def test_array_copies():
    x = sa.asarray([1.0, 2.0])
    y = sa.array(x)
    y[0] = 9.0
    assert x.tolist() == [1.0, 2.0]
    assert sa.array([1.0], requires_grad=True).requires_grad


def test_results_do_not_share_with_their_argument():
    x = sa.asarray(np.arange(4.0))
    for f in (
        lambda v: sa.clip(v),
        lambda v: sa.round(sa.astype(v, "int64")),
        lambda v: sa.roll(v, 0),
        sa.ravel,
        sa.squeeze,
    ):
        y = f(x)
        y[0] = 9
        assert float(x[0]) == 0.0
