"""Determinants, inverses, norms, ranks and products against NumPy, with derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_peer import compare

import sciarray as sa
from sciarray.testing import assert_allclose, check_grads

DTYPES = ["float64", "float32", "complex128", "complex64"]


def numbers(rng, shape, dtype="float64"):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 7, 16, 17, 33, 65, 129])
@pytest.mark.parametrize("dtype", DTYPES)
def test_inv_det_slogdet(n, dtype):
    rng = np.random.default_rng(n)
    for lead in [(), (3,), (2, 9), (0,)]:
        a = numbers(rng, (*lead, n, n), dtype)
        for x in (a, np.swapaxes(a, -1, -2), a[..., ::-1, :]):
            wide = x.astype("complex128" if np.dtype(dtype).kind == "c" else "float64")
            condition = np.linalg.cond(wide) if n and x.size else np.ones(lead)
            assert_allclose(
                sa.linalg.inv(x), np.linalg.inv(wide).astype(dtype), condition=condition, ulps=8.0 * max(n, 1)
            )
            sign, log = sa.linalg.slogdet(x)
            want = np.linalg.slogdet(wide)
            tolerance = 8 * max(n, 1) * np.finfo(dtype).eps * condition
            assert np.all(np.abs(np.asarray(sign) - want.sign) <= tolerance)
            rounding = 8 * np.finfo(dtype).eps * np.abs(want.logabsdet)
            assert np.all(np.abs(np.asarray(log) - want.logabsdet) <= tolerance + rounding)
            assert sign.dtype == np.dtype(dtype) and log.dtype == x.real.dtype
            if n < 30:
                assert np.allclose(sa.linalg.det(x), np.linalg.det(wide), rtol=tolerance, atol=0)


def test_determinants_of_singular_matrices():
    a = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert float(sa.linalg.det(a)) == 0.0
    sign, log = sa.linalg.slogdet(np.stack([a, np.eye(2)]))
    assert np.array_equal(sign, [0.0, 1.0]) and np.array_equal(log, [-np.inf, 0.0])
    with pytest.raises(np.linalg.LinAlgError, match=r"inv: A is singular in batch item \(0,\)"):
        sa.linalg.inv(np.stack([a, np.eye(2)]))
    with sa.errstate(linalg="nan"):
        x = np.asarray(sa.linalg.inv(np.stack([a, 2 * np.eye(2)])))
    assert np.all(np.isnan(x[0])) and np.array_equal(x[1], np.eye(2) / 2)


def cofactors(a):
    """The derivative of the determinant, element by element."""
    n = a.shape[0]
    out = np.empty_like(a)
    for i in range(n):
        for j in range(n):
            minor = np.delete(np.delete(a, i, 0), j, 1)
            out[i, j] = (-1) ** (i + j) * np.linalg.det(minor)
    return np.conj(out)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("complex_", [False, True])
def test_the_gradient_of_det_of_singular_matrices(n, complex_):
    rng = np.random.default_rng(n)
    dtype = "complex128" if complex_ else "float64"
    full = numbers(rng, (n, n), dtype)
    rank_one_less = full.copy()
    rank_one_less[:, -1] = rank_one_less[:, 0] if n > 1 else 0
    rank_two_less = rank_one_less.copy()
    if n > 2:
        rank_two_less[:, 1] = rank_two_less[:, 0]
    for a in (full, rank_one_less, rank_two_less, np.zeros((n, n), dtype), np.eye(n, dtype=dtype)):
        loss = lambda x: sa.real(sa.linalg.det(x)) if complex_ else sa.linalg.det(x)
        g = np.asarray(sa.grad(loss)(sa.asarray(a)))
        assert np.allclose(g, cofactors(a), rtol=1e-12, atol=1e-13)
        check_grads(sa.linalg.det, a)


@pytest.mark.parametrize("complex_", [False, True])
def test_gradients(complex_):
    rng = np.random.default_rng(7)
    a = numbers(rng, (2, 3, 3), "complex128" if complex_ else "float64") + 3 * np.eye(3)
    check_grads(sa.linalg.inv, a)
    check_grads(sa.linalg.det, a)
    check_grads(lambda x: tuple(sa.linalg.slogdet(x)), a)
    check_grads(sa.linalg.pinv, a[:, :, :2])
    check_grads(sa.linalg.pinv, a[:, :2])
    check_grads(lambda x: sa.linalg.matrix_power(x, -3), a)
    check_grads(lambda x: sa.linalg.matrix_power(x, 5), a)
    for ord in ("fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf):
        check_grads(lambda x, ord=ord: sa.linalg.matrix_norm(x, ord=ord), a)
    for ord in (0.5, 1, 2, 3, -1, np.inf):
        check_grads(lambda x, ord=ord: sa.linalg.vector_norm(x, ord=ord, axis=-1), a)
    check_grads(sa.linalg.cond, a)
    check_grads(lambda x: sa.linalg.tensorsolve(x, sa.ones(3)), a[0])


def test_pinv_of_deficient_rank():
    rng = np.random.default_rng(8)
    L, R = rng.standard_normal((4, 2)), rng.standard_normal((2, 3))
    a = L @ R
    assert np.allclose(sa.linalg.pinv(a), np.linalg.pinv(a), rtol=1e-12, atol=1e-13)
    # Along directions that keep the rank.
    check_grads(lambda l, r: sa.linalg.pinv(l @ r, rtol=1e-10), L, R)
    # Singular values that repeat.
    t = sa.asarray(rng.standard_normal((3, 3)))
    assert np.allclose(sa.jvp(sa.linalg.pinv, (sa.eye(3),), (t,))[1], -np.asarray(t), rtol=1e-12, atol=1e-13)


def test_norms_at_zero_and_of_any_magnitude():
    for ord in (1, 2, 3):
        g = np.asarray(sa.grad(lambda x, ord=ord: sa.linalg.vector_norm(x, ord=ord))(sa.zeros(3)))
        assert np.array_equal(g, np.zeros(3))
    assert np.array_equal(sa.grad(sa.linalg.matrix_norm)(sa.zeros((2, 2))), np.zeros((2, 2)))
    x = np.array([3e300, 4e300])
    assert float(sa.linalg.norm(x)) == pytest.approx(5e300, rel=1e-15)
    assert float(sa.linalg.norm(x * 1e-320 * 1e-300)) >= 0
    assert float(sa.linalg.norm(np.array([3e-300, 4e-300]))) == pytest.approx(5e-300, rel=1e-15, abs=0.0)
    assert np.isinf(float(sa.linalg.norm(np.array([1.0, np.inf]))))
    assert np.isnan(float(sa.linalg.norm(np.array([1.0, np.nan]))))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 5), st.sampled_from(DTYPES), st.data())
def test_as_numpy(seed, m, n, dtype, data):
    rng = np.random.default_rng(seed)
    a = numbers(rng, (2, m, n), dtype)
    keepdims = data.draw(st.booleans())
    tol = 3e-5 if dtype in ("float32", "complex64") else 1e-11

    # NumPy's are compared by value, single precision differs in the last digits.
    def same(f):
        with np.errstate(all="ignore"):
            got, want = np.asarray(f(sa)), np.asarray(f(np))
        assert got.shape == want.shape and got.dtype == want.dtype
        assert np.allclose(got, want, rtol=tol, atol=tol * np.max(np.abs(a)), equal_nan=True)

    ord = data.draw(st.sampled_from([None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]))
    same(lambda m: m.linalg.norm(a, ord, axis=(-2, -1), keepdims=keepdims))
    ord = data.draw(st.sampled_from([None, 0, 1, 2, 3, 2.5, np.inf, -np.inf]))
    same(lambda m: m.linalg.norm(a, ord, axis=data.draw(st.just(1)), keepdims=keepdims))
    same(lambda m: m.linalg.vector_norm(a, axis=(0, 2), keepdims=keepdims))
    same(lambda m: m.linalg.norm(a))
    same(lambda m: m.linalg.matrix_rank(a))
    same(lambda m: m.linalg.pinv(a))
    same(lambda m: m.linalg.diagonal(a, offset=1))
    same(lambda m: m.linalg.trace(a))
    same(lambda m: m.linalg.multi_dot([a[0], a[1].T, a[0]]))


def test_more_of_numpy():
    rng = np.random.default_rng(2)
    a = rng.standard_normal((3, 3))
    for n in (-2, -1, 0, 1, 2, 3, 7):
        compare(lambda m, x, n=n: m.linalg.matrix_power(x, n), a, rtol=1e-10)
    compare(lambda m, x: m.linalg.matrix_power(x, 3), np.arange(4).reshape(2, 2))
    for p in (None, 1, -1, 2, -2, np.inf, -np.inf, "fro"):
        compare(lambda m, x, p=p: m.linalg.cond(x, p), a, rtol=1e-10)
    compare(
        lambda m, x, y: m.linalg.tensorsolve(x, y),
        rng.standard_normal((2, 3, 6)),
        rng.standard_normal((2, 3)),
        rtol=1e-9,
    )
    compare(lambda m, x: m.linalg.tensorinv(x), rng.standard_normal((4, 6, 8, 3)), rtol=1e-8)
    compare(lambda m, x: m.linalg.inv(x), np.array([[2, 1], [1, 1]]))
    compare(lambda m, x: m.linalg.det(x), np.array([[2, 1], [1, 1]]))
    compare(lambda m, x, y: m.linalg.cross(x, y), rng.standard_normal((2, 3)), rng.standard_normal((2, 3)))
    assert float(sa.linalg.cond(np.zeros((2, 2)))) == np.inf
    assert int(sa.linalg.matrix_rank(np.zeros(3))) == 0
