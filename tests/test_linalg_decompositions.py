"""Decompositions: reconstruction, orthogonality, agreement with NumPy, and derivatives where values repeat."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sciarray as sa
from sciarray.testing import check_grads

DTYPES = ["float64", "float32", "complex128", "complex64"]
# Around the edges of closed forms, lanes, small kernels and blocks.
SIZES = [0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 33, 65, 129]


def numbers(rng, shape, dtype):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def unitary(rng, n, dtype="float64"):
    return np.linalg.qr(numbers(rng, (n, n), dtype))[0]


def close(a, b, dtype, scale=1.0, factor=40.0):
    eps = np.finfo(dtype).eps
    n = max(np.shape(a)[-2:], default=1) if np.ndim(a) > 1 else max(np.shape(a), default=1)
    assert np.shape(a) == np.shape(b)
    if np.size(a):
        assert np.max(np.abs(np.asarray(a) - np.asarray(b))) <= factor * eps * max(n, 1) * scale


def check_svd(a, full):
    U, S, Vh = (np.asarray(x) for x in sa.linalg.svd(a, full_matrices=full))
    m, n = a.shape[-2:]
    k = min(m, n)
    scale = max(1e-300, np.max(np.abs(a), initial=0.0)) * max(m, n)
    assert S.shape == (*a.shape[:-2], k) and S.dtype == a.real.dtype and np.all(S >= 0)
    assert np.all(np.diff(S, axis=-1) <= 0)
    close(U[..., :k] * S[..., None, :] @ Vh[..., :k, :], a, a.dtype, scale)
    close(adjoint(U) @ U, np.broadcast_to(np.eye(U.shape[-1]), (*a.shape[:-2], *U.shape[-1:] * 2)), a.dtype)
    close(Vh @ adjoint(Vh), np.broadcast_to(np.eye(Vh.shape[-2]), (*a.shape[:-2], *Vh.shape[-2:-1] * 2)), a.dtype)
    close(np.asarray(sa.linalg.svdvals(a)), S, a.dtype, scale)
    if a.size:
        close(S, np.linalg.svd(a, compute_uv=False), a.dtype, scale)


def check_eigh(a, UPLO="L"):
    w, V = (np.asarray(x) for x in sa.linalg.eigh(a, UPLO))
    h = np.tril(a) if UPLO == "L" else np.triu(a)
    h = h + adjoint(h) - np.eye(a.shape[-1]) * np.real(h)
    scale = max(1e-300, np.max(np.abs(h), initial=0.0)) * a.shape[-1]
    assert w.dtype == a.real.dtype and V.dtype == a.dtype and np.all(np.diff(w, axis=-1) >= 0)
    close(V * w[..., None, :] @ adjoint(V), h, a.dtype, scale)
    close(adjoint(V) @ V, np.broadcast_to(np.eye(a.shape[-1]), a.shape), a.dtype)
    close(np.asarray(sa.linalg.eigvalsh(a, UPLO)), w, a.dtype, scale)


def check_qr(a):
    m, n = a.shape[-2:]
    for mode in ("reduced", "complete"):
        Q, R = (np.asarray(x) for x in sa.linalg.qr(a, mode))
        close(Q @ R, a, a.dtype, max(1e-300, np.max(np.abs(a), initial=0.0)) * max(m, n))
        close(adjoint(Q) @ Q, np.broadcast_to(np.eye(Q.shape[-1]), (*a.shape[:-2], *Q.shape[-1:] * 2)), a.dtype)
        assert np.array_equal(R, np.triu(R)) and np.all(np.diagonal(R, axis1=-2, axis2=-1).imag == 0)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_factors_multiply_to_the_matrix(n, dtype):
    rng = np.random.default_rng(n)
    for lead in [(), (1,), (3,), (19,), (2, 0)] if n <= 17 else [(), (2,)]:
        for m in {n, n + 3, 2 * n} if n <= 33 else {n}:
            a = numbers(rng, (*lead, m, n), dtype)
            for x in (a, np.swapaxes(a, -1, -2)):
                check_svd(x, False)
                check_svd(x, True)
                check_qr(x)
        a = numbers(rng, (*lead, n, n), dtype)
        check_eigh(a, "L")
        check_eigh(a, "U")


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 17, 40])
@pytest.mark.parametrize("dtype", DTYPES)
def test_signs_are_those_of_lapack(n, dtype):
    a = numbers(np.random.default_rng(n), (3, n + 1, n), dtype)
    for x in (a, a[:, :n], np.swapaxes(a, 1, 2)):
        for mode in ("reduced", "complete"):
            got, want = sa.linalg.qr(x, mode), np.linalg.qr(x, mode)
            k = min(x.shape[1:])
            close(np.asarray(got.R), want.R, dtype, 30.0)
            close(np.asarray(got.Q)[..., :k], want.Q[..., :k], dtype, 30.0 * n)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 20, 70])
@pytest.mark.parametrize("items", [3, 19])
@pytest.mark.parametrize("dtype", DTYPES)
def test_eig(n, items, dtype):
    a = numbers(np.random.default_rng(n), (items, n, n), dtype)
    w, V = (np.asarray(x) for x in sa.linalg.eig(a))
    close(a @ V, V * w[:, None, :], dtype, 10.0 * n)
    close(np.linalg.norm(V, axis=-2), np.ones((items, n)), dtype)
    if np.dtype(dtype).kind == "f":
        # Pairs and what is real have no rounding.
        np.testing.assert_array_equal(np.sort_complex(w), np.sort_complex(w.conj()))
        np.testing.assert_array_equal(V.imag[np.broadcast_to((w.imag == 0)[:, None, :], V.shape)], 0.0)
    want = np.linalg.eigvals(a)
    for got in (w, np.asarray(sa.linalg.eigvals(a))):
        gap = np.min(np.abs(got[:, :, None] - want[:, None, :]), axis=-1)
        assert np.max(gap) <= 1e3 * n * np.finfo(dtype).eps


def test_eigenvalues_that_are_small_beside_the_matrix():
    """Couplings are never small beside those, in batches and alone."""
    for dtype in ("float64", "float32"):
        x = np.random.default_rng(1).standard_normal((400, 3, 3)).astype(dtype)
        skew = x - x.swapaxes(1, 2)
        size = np.linalg.norm(skew, axis=(1, 2))
        w = np.asarray(sa.linalg.eigvals(skew))
        eps = np.finfo(dtype).eps
        np.testing.assert_allclose(np.abs(w).max(-1), size / np.sqrt(2), rtol=8 * eps)
        assert np.all(np.abs(w).min(-1) <= 8 * eps * size)
        np.testing.assert_allclose(np.asarray(sa.linalg.eigvals(skew[0])), w[0], atol=8 * eps * size[0])


@pytest.mark.parametrize("items", [1, 20])
def test_eigenvectors_with_equal_magnitudes(items):
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    for a in (quarter, np.kron(quarter, np.ones((2, 2))), np.roll(np.eye(4), 1, axis=0)):
        w, V = (np.asarray(x) for x in sa.linalg.eig(np.repeat(a[None], items, axis=0)))
        np.testing.assert_allclose(a @ V, V * w[:, None, :], atol=1e-14)
        np.testing.assert_allclose(np.linalg.norm(V, axis=-2), 1.0, rtol=1e-14)


def hard_matrices(m, n, dtype):
    """A batch that fills the lanes: zero, low rank, graded, repeated values, next to random ones."""
    rng = np.random.default_rng(m + n)
    k = min(m, n)
    a = numbers(rng, (18, m, n), np.complex128 if np.dtype(dtype).kind == "c" else np.float64)
    graded = 10.0 ** -np.arange(k)
    a[0], a[1], a[2] = 0.0, np.eye(m, n), 1.0
    a[3] = a[3][:, :1] * np.ones(n)
    a[4] = np.eye(m, k) @ np.diag(graded) @ np.eye(k, n)
    a[5] *= 10.0 ** -np.arange(n)
    a[6] *= 10.0 ** -np.arange(m)[:, None]
    a[7] = np.triu(np.ones((m, n)))
    a[8][:, -1] = a[8][:, 0]
    a[9][-1] = 0.0
    a[10] = a[10][:, :2] @ a[11][:2]
    return a.astype(dtype)


@pytest.mark.parametrize(
    ("m", "n"), [(5, 5), (9, 9), (16, 16), (24, 24), (40, 40), (20, 9), (9, 20), (40, 11), (30, 3)]
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_batches_of_hard_matrices(m, n, dtype):
    a = hard_matrices(m, n, dtype)
    bound = 4 * max(m, n) * np.finfo(dtype).eps
    norms = np.linalg.norm(a, axis=(1, 2)).astype(float)

    def is_close(x, y):
        assert np.all(np.linalg.norm(x - y, axis=(1, 2)) <= bound * norms)

    def is_orthonormal(x):
        assert np.max(np.abs(np.swapaxes(x.conj(), 1, 2) @ x - np.eye(x.shape[2]))) <= bound

    for full in (False, True):
        U, S, Vh = (np.asarray(x) for x in sa.linalg.svd(a, full))
        k = S.shape[1]
        is_close((U[..., :k] * S[:, None, :]) @ Vh[:, :k], a)
        is_orthonormal(U)
        is_orthonormal(np.swapaxes(Vh.conj(), 1, 2))
        assert np.all(np.diff(S) <= 0) and np.all(S >= 0)
        assert np.all(np.abs(np.asarray(sa.linalg.svdvals(a)) - S).max(1) <= bound * norms)
        Q, R = (np.asarray(x) for x in sa.linalg.qr(a, "complete" if full else "reduced"))
        is_close(Q @ R, a)
        is_orthonormal(Q)
    if m == n:
        a = a + np.swapaxes(a.conj(), 1, 2)
        norms = np.linalg.norm(a, axis=(1, 2)).astype(float)
        w, V = (np.asarray(x) for x in sa.linalg.eigh(a))
        is_close((V * w[:, None, :]) @ np.swapaxes(V.conj(), 1, 2), a)
        is_orthonormal(V)
        assert np.all(np.abs(np.asarray(sa.linalg.eigvalsh(a)) - w).max(1) <= bound * norms)


def spectra(n):
    """Values that are hard in one way each."""
    return {
        "one": np.ones(n),
        "clustered": 1 + np.arange(n) * 1e-14,
        "graded": 10.0 ** -np.linspace(0, 18, n),
        "rank one": np.eye(1, n)[0],
        "projector": (np.arange(n) < n // 2).astype(float),
        "zero": np.zeros(n),
        "huge": np.linspace(1, 2, n) * 1e300,
        "tiny": np.linspace(1, 2, n) * 1e-300,
        "signs": np.where(np.arange(n) % 2, 1.0, -1.0),
    }


@pytest.mark.parametrize("n", [2, 3, 8, 16, 17, 40, 130])
@pytest.mark.parametrize("complex_", [False, True])
def test_hard_spectra(n, complex_):
    rng = np.random.default_rng(n)
    dtype = "complex128" if complex_ else "float64"
    for name, values in spectra(n).items():
        U, V = unitary(rng, n, dtype), unitary(rng, n, dtype)
        a = np.stack([(U * values) @ adjoint(U), (U * values) @ adjoint(V)])
        scale = np.max(np.abs(values)) or 1.0
        for lead in (1, 6):
            h = np.repeat(a[:1], lead, 0)
            with np.errstate(all="ignore"):
                w, W = (np.asarray(x) for x in sa.linalg.eigh(h))
                back = (W * (w / scale)[:, None, :]) @ adjoint(W)
                close(back, h / scale, dtype)
                close(adjoint(W) @ W, np.broadcast_to(np.eye(n), h.shape), dtype)
                assert np.max(np.abs(w / scale - np.sort(values) / scale)) <= 60 * n * 2.3e-16, name
                g = np.repeat(a[1:], lead, 0)
                u, s, vh = (np.asarray(x) for x in sa.linalg.svd(g))
                close((u * (s / scale)[:, None, :]) @ vh, g / scale, dtype)
                close(adjoint(u) @ u, np.broadcast_to(np.eye(n), g.shape), dtype)
                close(vh @ adjoint(vh), np.broadcast_to(np.eye(n), g.shape), dtype)
                assert np.max(np.abs(s / scale - np.sort(np.abs(values))[::-1] / scale)) <= 60 * n * 2.3e-16, name


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32), st.floats(-290, 290), st.booleans())
def test_elements_of_any_magnitude(m, n, seed, exponent, row_wise):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((2, m, n))
    if row_wise:
        a *= 10.0 ** rng.uniform(-8, 8, (2, m, 1))
    a = a * 10.0 ** min(exponent, 290 if not row_wise else 280)
    scale = np.max(np.abs(a))
    u, s, vh = (np.asarray(x) for x in sa.linalg.svd(a, full_matrices=False))
    close((u * (s / scale)[..., None, :]) @ vh, a / scale, "float64", max(m, n))
    q, r = (np.asarray(x) for x in sa.linalg.qr(a))
    close(q @ (r / scale), a / scale, "float64", max(m, n))


def test_items_that_are_not_finite_become_nan_and_the_others_stand():
    for n in (2, 3, 8, 20):
        a = np.random.default_rng(n).standard_normal((9, n, n))
        a = a + adjoint(a)
        clean = [np.asarray(x) for x in (*sa.linalg.eigh(a), *sa.linalg.svd(a), *sa.linalg.qr(a), *sa.linalg.eig(a))]
        bad = a.copy()
        bad[2, 0, 0], bad[5, 1, 0] = np.nan, np.inf
        found = [
            np.asarray(x) for x in (*sa.linalg.eigh(bad), *sa.linalg.svd(bad), *sa.linalg.qr(bad), *sa.linalg.eig(bad))
        ]
        for x, y in zip(clean, found):
            keep = [i for i in range(9) if i not in (2, 5)]
            assert np.array_equal(x[keep], y[keep])
            assert np.isnan(y[2]).any() and np.isnan(y[5]).any()


def test_batch_equals_items_bit_for_bit():
    for n in (3, 8, 16):
        a = np.random.default_rng(n).standard_normal((21, n, n))
        for f in (sa.linalg.svd, sa.linalg.eigh, sa.linalg.qr, sa.linalg.inv, sa.linalg.det):
            whole, part = f(a), f(a[8:16])
            for x, y in zip(*((z if isinstance(z, tuple) else (z,)) for z in (whole, part))):
                assert np.array_equal(np.asarray(x)[8:16], np.asarray(y))


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"eigh: A must be square in its last two axes, got shape \(2, 3\)"):
        sa.linalg.eigh(sa.ones((2, 3)))
    with pytest.raises(ValueError, match=r"svd: A must have two axes or more, got shape \(3,\)"):
        sa.linalg.svd(sa.ones(3))
    with pytest.raises(ValueError, match="qr: mode must be"):
        sa.linalg.qr(sa.ones((2, 2)), "raw")
    with pytest.raises(ValueError, match="eigh: UPLO must be"):
        sa.linalg.eigh(sa.ones((2, 2)), "X")


# Derivatives. Losses do not depend on phases of vectors.


def spread(n, seed, complex_=False, m=None):
    """A matrix with well separated singular values and eigenvalues."""
    rng = np.random.default_rng(seed)
    dtype = "complex128" if complex_ else "float64"
    m = m or n
    U, V = unitary(rng, m, dtype), unitary(rng, n, dtype)
    k = min(m, n)
    return (U[:, :k] * np.linspace(1, 2, k)) @ adjoint(V)[:k]


def hermitian_part(x):
    return (x + sa.conj(x.mT)) / 2 if x.dtype.kind == "c" else (x + x.mT) / 2


def constant(shape, complex_, seed=9):
    return sa.asarray(numbers(np.random.default_rng(seed), shape, "complex128" if complex_ else "float64"))


def H(x):
    return sa.conj(x.mT) if x.dtype.kind == "c" else x.mT


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 4)])
def test_gradients_of_svd(shape, complex_):
    a = spread(shape[1], 1, complex_, shape[0])
    C = constant(shape, complex_)

    def reduced(x):
        U, S, Vh = sa.linalg.svd(x, full_matrices=False)
        return sa.sin(S), (U * S**2) @ Vh, U[:, :1] @ H(U[:, :1]), H(Vh[:2]) @ Vh[:2]

    def full(x):
        U, S, Vh = sa.linalg.svd(x)
        k = S.shape[0]
        return U[:, k:] @ H(U[:, k:]) + U[:, :1] @ H(U[:, :1]), H(Vh[k:]) @ Vh[k:], sa.exp(S)

    check_grads(reduced, a)
    check_grads(full, a)
    check_grads(lambda x: sa.linalg.svdvals(x) ** 3, a)
    check_grads(lambda x: sa.linalg.matrix_norm(x + C, ord="nuc"), a)


@pytest.mark.parametrize("complex_", [False, True])
def test_gradients_of_eigh(complex_):
    a = spread(3, 2, complex_)
    a = np.stack([a + adjoint(a), 2 * a @ adjoint(a)])

    def f(x):
        w, V = sa.linalg.eigh(hermitian_part(x))
        return sa.sin(w), (V * sa.exp(w)[:, None, :]) @ H(V), V[..., :1] @ H(V[..., :1])

    check_grads(f, a)
    check_grads(lambda x: sa.linalg.eigvalsh(hermitian_part(x), "U"), a)
    # One triangle is read, the gradient is symmetric.
    g = np.asarray(sa.grad(lambda x: sa.linalg.eigvalsh(x)[:, 0].sum())(sa.asarray(a)))
    assert np.allclose(g, adjoint(g), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("complex_", [False, True])
def test_gradients_of_eig(complex_):
    rng = np.random.default_rng(3)
    T = numbers(rng, (3, 3), "complex128" if complex_ else "float64") + 2 * np.eye(3)
    a = T @ np.diag([1.0, 2.0, 4.0]) @ np.linalg.inv(T)

    def f(x):
        w, V = sa.linalg.eig(x)
        return sa.sin(w), sa.linalg.solve(V.mT, (V * w**2).mT).mT, sa.abs(V)

    check_grads(f, a, rtol=1e-5)
    check_grads(lambda x: sa.linalg.eigvals(x) ** 2, a)
    # Eigenvalues in conjugate pairs.
    check_grads(lambda x: sa.linalg.eigvals(x), np.array([[1.0, -2.0], [3.0, 1.5]]))


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_gradients_of_qr(shape, complex_):
    a = numbers(np.random.default_rng(4), (2, *shape), "complex128" if complex_ else "float64")
    check_grads(lambda x: tuple(sa.linalg.qr(x)), a)
    check_grads(lambda x: sa.linalg.qr(x, "r"), a[0])

    def complete(x):
        Q, R = sa.linalg.qr(x, "complete")
        k = min(shape)
        return Q[..., :k], Q[..., k:] @ H(Q[..., k:]), R

    check_grads(complete, a[0])


@pytest.mark.parametrize("complex_", [False, True])
def test_gradients_where_values_repeat(complex_):
    rng = np.random.default_rng(5)
    dtype = "complex128" if complex_ else "float64"
    U, V = unitary(rng, 4, dtype), unitary(rng, 4, dtype)
    C = numbers(rng, (4, 4), dtype)

    # Sums of functions of eigenvalues: the derivative of the sum of f is f'.
    w = np.array([1.0, 1.0, 1.0, 3.0])
    a = (U * w) @ adjoint(U)
    g = sa.grad(lambda x: sa.sum(sa.exp(sa.linalg.eigvalsh(x))))(sa.asarray(a))
    close(np.asarray(g), (U * np.exp(w)) @ adjoint(U), dtype, 100.0)
    # A projector onto a whole eigenspace: dP = sum over pairs P_i dA P_j / (w_i - w_j) and its adjoint.
    P, rest = U[:, 3:] @ adjoint(U[:, 3:]), U[:, :3] @ adjoint(U[:, :3])

    def projector(x):
        v = sa.linalg.eigh(x).eigenvectors[:, 3:]
        return sa.sum(sa.real(sa.asarray(C) * sa.conj(v @ H(v))) if complex_ else sa.asarray(C) * (v @ H(v)))

    Ch = (C + adjoint(C)) / 2
    close(np.asarray(sa.grad(projector)(sa.asarray(a))), (P @ Ch @ rest + rest @ Ch @ P) / 2, dtype, 100.0)

    # The unitary factor of a matrix whose singular values are all equal: d(U V^H) = skew part of (dA V U^H) U V^H / s.
    b = 2.0 * U @ adjoint(V)

    def factor(x):
        u, _, vh = sa.linalg.svd(x)
        y = u @ vh
        return sa.sum(sa.real(sa.asarray(C) * sa.conj(y)) if complex_ else sa.asarray(C) * y)

    W = U @ adjoint(V)
    want = (C - W @ adjoint(C) @ W) / 4
    close(np.asarray(sa.grad(factor)(sa.asarray(b))), want, dtype, 100.0)
    # Norms with repeated and zero singular values.
    c = (U * np.array([2.0, 2.0, 0.0, 0.0])) @ adjoint(V)
    g = sa.grad(lambda x: sa.sum(sa.linalg.svdvals(x) ** 2))(sa.asarray(c))
    close(np.asarray(g), 2 * c, dtype, 100.0)
    g = np.asarray(sa.grad(lambda x: sa.linalg.matrix_norm(x, ord="nuc"))(sa.asarray(c)))
    assert np.all(np.isfinite(g))
    zero = sa.zeros((3, 3))
    for f in (sa.linalg.svdvals, lambda x: sa.linalg.svd(x).U, sa.linalg.eigvalsh, lambda x: sa.linalg.eigh(x)[1]):
        assert np.all(np.isfinite(np.asarray(sa.grad(lambda x, f=f: sa.sum(f(x)))(zero))))
