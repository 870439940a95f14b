"""Products and einsum against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_peer import arrays, assert_same, cases, compare

import sciarray as sa
from sciarray.testing import check_grads

few = settings(max_examples=15, deadline=None)
NUMBERS = ("int8", "int64", "float32", "float64", "complex128")

ANY_SHAPES = {
    "dot": lambda m, x, y: m.dot(x, y),
    "inner": lambda m, x, y: m.inner(x, y),
    "outer": lambda m, x, y: m.outer(x, y),
    "vdot": lambda m, x, y: m.vdot(x, y),
    "kron": lambda m, x, y: m.kron(x, y) if x.size and y.size else None,
    "matmul": lambda m, x, y: m.matmul(x, y),
    "tensordot": lambda m, x, y: m.tensordot(x, y, 1),
    "tensordot none": lambda m, x, y: m.tensordot(x, y, 0),
    "tensordot axes": lambda m, x, y: m.tensordot(x, y, ((0, -1), (-1, 0))),
    "vecdot": lambda m, x, y: m.vecdot(x, y),
}


@cases(ANY_SHAPES)
@few
@given(data=st.data())
def test_products(f, data):
    x = data.draw(arrays(NUMBERS, max_side=3))
    y = data.draw(
        st.one_of(arrays(NUMBERS, shape=x.shape), arrays(NUMBERS, shape=x.shape[::-1]), arrays(NUMBERS, max_side=3))
    )
    compare(f, x, y)


@few
@given(
    a=arrays(NUMBERS, shape=(2, 3, 4)),
    v=arrays(NUMBERS, shape=(4,)),
    w=arrays(NUMBERS, shape=(3,)),
    u=arrays(NUMBERS, shape=(5, 3)),
)
def test_products_of_matrices_and_vectors(a, v, w, u):
    compare(lambda m, a, v, w, u: [m.matvec(a, v), m.vecmat(w, a), m.cross(u, w), m.cross(u, w, axisc=0)], a, v, w, u)


EINSUMS = [
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("ij,jk", [(2, 3), (3, 4)]),
    ("ba,ca", [(2, 3), (4, 3)]),
    ("ii", [(3, 3)]),
    ("ii->i", [(3, 3)]),
    ("iij->ji", [(3, 3, 2)]),
    ("iii", [(2, 2, 2)]),
    ("ij->", [(2, 3)]),
    ("ij->j", [(2, 3)]),
    ("ji", [(2, 3)]),
    ("i,j", [(2,), (3,)]),
    ("i,i", [(3,), (3,)]),
    (",", [(), ()]),
    (",i", [(), (3,)]),
    ("...ij,...jk->...ik", [(5, 1, 2, 3), (4, 3, 2)]),
    ("...i,...i", [(2, 3), (3,)]),
    ("i...->...", [(2, 3, 4)]),
    ("b...i,ij->b...j", [(2, 4, 3), (3, 5)]),
    ("bij,bjk->bik", [(3, 2, 4), (3, 4, 2)]),
    ("bij,bij->b", [(3, 2, 4), (3, 2, 4)]),
    ("ij,kj->ikj", [(2, 3), (4, 3)]),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
    ("ij,jk,kl,lm,mn->in", [(2, 3), (3, 4), (4, 2), (2, 5), (5, 2)]),
    ("ea,fb,abcd,gc,hd->efgh", [(2, 2), (2, 2), (2, 2, 2, 2), (2, 2), (2, 2)]),
    ("a,b,c,d,e,f,g,h->", [(2,)] * 8),
    ("ab,bc,cd,de,ef,fg,gh,ha->", [(2, 2)] * 8),
    ("ij,j->ij", [(1, 3), (1,)]),
    ("ij,jk->ik", [(2, 1), (3, 4)]),
    ("ij,ij,ij->i", [(2, 3)] * 3),
    ("ij,jk->ik", [(2, 0), (0, 4)]),
    ("i,j,ij->", [(2,), (3,), (2, 3)]),
    ("ijk,k->", [(2, 3, 4), (4,)]),
]


@pytest.mark.parametrize(("subscripts", "shapes"), EINSUMS, ids=[s for s, _ in EINSUMS])
@pytest.mark.parametrize("optimize", [True, False, "greedy"])
def test_einsum(subscripts, shapes, optimize):
    rng = np.random.default_rng(3)
    for dtype in ("float64", "int64", "complex64"):
        xs = [np.asarray(rng.integers(-3, 4, s)).astype(dtype) for s in shapes]
        compare(lambda m, *xs: m.einsum(subscripts, *xs, optimize=optimize), *xs)


def test_einsum_with_lists_and_paths():
    x, y, z = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2)
    compare(lambda m, x, y: m.einsum(x, [0, 1], y, [1, 2], [0, 2]), x, y)
    compare(lambda m, x, y: m.einsum(x, [7, 1], y, [1, 2]), x, y)
    compare(lambda m, x: m.einsum(x, [Ellipsis, 0], [Ellipsis]), x)
    path, _ = sa.einsum_path("ij,jk,kl->il", x, y, z)
    assert_same(sa.einsum("ij,jk,kl->il", x, y, z, optimize=path), np.einsum("ij,jk,kl->il", x, y, z))


def test_the_chosen_order_has_the_fewest_multiplications():
    a, b, c = np.zeros((50, 2)), np.zeros((2, 50)), np.zeros((50, 2))
    assert sa.einsum_path("ij,jk,kl->il", a, b, c)[0][1:] == [(1, 2), (0, 1)]
    assert sa.einsum_path("ij,jk,kl->il", c.T, a, b)[0][1:] == [(0, 1), (0, 1)]


def test_einsum_of_bools_and_int8_keeps_the_dtype():
    x = np.array([[True, False], [True, True]])
    compare(lambda m, x: [m.einsum("ij->i", x), m.einsum("ij,jk", x, x)], x)
    y = np.full((3, 3), 100, np.int8)
    compare(lambda m, y: [m.einsum("ij->i", y), m.einsum("ij,jk", y, y)], y)


GRADIENTS = {
    "einsum": lambda x, y: sa.einsum("ij,jk,ik->i", x, y, x),
    "einsum trace": lambda x, y: sa.einsum("ii,jj->", x, y),
    "einsum broadcast": lambda x, y: sa.einsum("ij,j->i", x[:, :1], y[0]),
    "tensordot": lambda x, y: sa.tensordot(x, y, 2),
    "kron": lambda x, y: sa.kron(x, y),
    "vecdot": lambda x, y: sa.vecdot(x, y),
    "outer": lambda x, y: sa.outer(x, y),
}


@cases(GRADIENTS)
@pytest.mark.parametrize("phase", [1.0, 1.0 + 0.5j])
def test_gradients(f, phase):
    x = sa.asarray(np.array([[0.3, -0.8], [1.1, 0.6]]) * phase)
    check_grads(f, x, x + 0.25, order=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sa.tensordot(sa.ones((2, 3)), sa.ones((2, 3))[:, :2]), r"tensordot: .* \(2, 3\), \(2, 2\)"),
        (lambda: sa.vecdot(sa.ones(2), sa.ones(3)), "vecdot: .* got 2 and 3"),
        (lambda: sa.cross(sa.ones(2), sa.ones(3)), "cross: .* got 2 and 3"),
        (lambda: sa.einsum("ij,jk", sa.ones((2, 3)), sa.ones((4, 2))), "einsum: label 'j' has lengths 3 and 4"),
        (lambda: sa.einsum("ij", sa.ones(3)), "einsum: 'ij' does not fit an operand of 1 axes"),
        (lambda: sa.einsum("i->j", sa.ones(3)), "einsum: labels of the result"),
        (lambda: sa.einsum("i->ii", sa.ones(3)), "einsum: labels of the result"),
        (lambda: sa.einsum("i,i", sa.ones(3)), "einsum: 'i,i' is for 2 operands, got 1"),
        (lambda: sa.einsum("i$", sa.ones((3, 3))), "einsum: subscripts are letters"),
    ],
)
def test_errors_name_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call()
