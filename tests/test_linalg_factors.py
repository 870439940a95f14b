"""LDL^H and pivoted QR: against SciPy, reconstruction, and derivatives at fixed pivots."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import sciarray as sa
from sciarray.testing import check_grads

DTYPES = ["float64", "float32", "complex128", "complex64"]


def numbers(rng, shape, dtype):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def adjoint(x, conjugate=True):
    x = np.swapaxes(x, -1, -2)
    return np.conj(x) if conjugate else x


def symmetric(rng, shape, dtype, hermitian=True):
    x = numbers(rng, shape, dtype)
    return x + adjoint(x, hermitian)


def check_ldl(a, lower, hermitian, scale=1.0):
    L, D, p = (np.asarray(x) for x in sa.linalg.ldl(a, lower, hermitian))
    eps, n = np.finfo(a.dtype).eps, a.shape[-1]
    assert L.dtype == D.dtype == a.dtype and p.dtype == np.int64 and p.shape == a.shape[:-1]
    back = L @ D @ adjoint(L, hermitian)
    assert np.max(np.abs(back - a), initial=0.0) <= 60 * n * eps * scale
    T = np.take_along_axis(L, p[..., None], -2)
    assert np.array_equal(T, np.tril(T) if lower else np.triu(T))
    assert np.all(np.diagonal(T, axis1=-2, axis2=-1) == 1)
    beside = np.diagonal(D, -1, -2, -1) != 0
    assert not np.any(beside[..., 1:] & beside[..., :-1]) and np.array_equal(D, adjoint(D, hermitian))
    assert np.array_equal(D, np.triu(np.tril(D, 1), -1))
    return L, D, p


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 9, 16, 33, 65])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("hermitian", [True, False])
def test_ldl_is_that_of_scipy(n, dtype, lower, hermitian):
    a = symmetric(np.random.default_rng(n), (3, n, n), dtype, hermitian)
    # Only one triangle is read.
    other = np.where(np.tri(n, dtype=bool) == lower, a, np.nan) if n else a
    found = check_ldl(a, lower, hermitian)
    for x, y in zip(found, sa.linalg.ldl(np.where(np.eye(n, dtype=bool), a, other), lower, hermitian)):
        assert np.array_equal(x, np.asarray(y))
    for k in range(3 if n else 0):
        want = scipy.linalg.ldl(a[k], lower, hermitian)
        tol = 1e4 * n * np.finfo(dtype).eps
        assert all(np.allclose(x[k], y, rtol=tol, atol=tol) for x, y in zip(found, want))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(0, 2**32), st.floats(-280, 280), st.booleans(), st.booleans(), st.booleans())
def test_ldl_of_hard_matrices(n, seed, exponent, lower, hermitian, sparse):
    rng = np.random.default_rng(seed)
    a = symmetric(rng, (2, n, n), "complex128", hermitian)
    if sparse:
        keep = rng.uniform(size=(n, n)) < 0.4
        a = np.where(keep & keep.T, a, 0)
    scale = np.max(np.abs(a)) * 10.0**exponent
    # As LAPACK's, elements of the factor may grow where entries are tiny.
    check_ldl(a * 10.0**exponent, lower, hermitian, scale * max(1, n))


def test_ldl_at_edges():
    for a in (np.zeros((3, 3)), np.ones((4, 4)), np.diag([0.0, 1.0, 0.0]), np.array([[0.0, 1.0], [1.0, 0.0]])):
        for lower in (True, False):
            check_ldl(a, lower, True)
    bad = np.stack([np.eye(3), np.full((3, 3), np.nan), np.eye(3)])
    L, D, p = (np.asarray(x) for x in sa.linalg.ldl(bad))
    assert np.isnan(L[1]).all() and np.isnan(D[1]).all() and np.array_equal(L[[0, 2]], bad[[0, 2]])
    assert sa.linalg.ldl(sa.ones((2, 0, 0)))[2].shape == (2, 0)
    with pytest.raises(ValueError, match=r"ldl: a must be square in its last two axes, got shape \(2, 3\)"):
        sa.linalg.ldl(sa.ones((2, 3)))
    with pytest.raises(sa.linalg.LinAlgError):
        sa.grad(lambda x: sa.sum(sa.linalg.ldl(x)[0]))(sa.zeros((2, 2)))


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("hermitian", [True, False])
def test_gradients_of_ldl(dtype, lower, hermitian):
    a = symmetric(np.random.default_rng(3), (2, 4, 4), dtype, hermitian)
    # A diagonal of zeros asks for blocks of 2.
    a[1, range(4), range(4)] = 0
    assert np.any(np.diagonal(np.asarray(sa.linalg.ldl(a, lower, hermitian)[1]), -1, -2, -1))

    def f(x):
        y = x.mT if not hermitian or x.dtype.kind == "f" else sa.conj(x.mT)
        return tuple(sa.linalg.ldl((x + y) / 2, lower, hermitian)[:2])

    check_grads(f, a)
    g = np.asarray(sa.grad(lambda x: sa.sum(sa.abs(sa.linalg.ldl(x, lower, hermitian)[0])))(sa.asarray(a)))
    assert np.allclose(g, adjoint(g, hermitian), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (5, 3), (3, 5), (20, 17), (0, 2), (2, 0)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_pivoted_qr_is_that_of_scipy(shape, dtype):
    a = numbers(np.random.default_rng(4), (2, *shape), dtype)
    for mode, theirs in (("reduced", "economic"), ("complete", "full")):
        found = [np.asarray(x) for x in sa.linalg.qr(a, mode, pivoting=True)]
        tol = 100 * max(1, *shape) * np.finfo(dtype).eps
        for k in range(2):
            want = scipy.linalg.qr(a[k], mode=theirs, pivoting=True)
            Q, R, P = (x[k] for x in found)
            assert np.allclose(Q @ R, a[k][:, P], rtol=tol, atol=tol)
            assert R.shape == want[1].shape and Q.shape == want[0].shape
            assert np.array_equal(P, want[2])
            assert np.allclose(R, want[1], rtol=tol, atol=tol)
    R, P = sa.linalg.qr(a, "r", pivoting=True)
    assert R.shape == (2, min(shape), shape[1]) and P.dtype == sa.int64


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_gradients_of_pivoted_qr(shape, dtype):
    a = numbers(np.random.default_rng(5), (2, *shape), dtype)
    assert np.any(np.asarray(sa.linalg.qr(a, pivoting=True)[2]) != np.arange(shape[1]))
    check_grads(lambda x: tuple(sa.linalg.qr(x, pivoting=True)[:2]), a)
    check_grads(lambda x: sa.linalg.qr(x, "r", pivoting=True)[0], a[0])
