"""SciPy's linear algebra: factors, functions of matrices, structured systems and matrix equations, with derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as sl

import sciarray as sa
from sciarray.testing import check_grads


def numbers(seed, shape, complex_=False):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if complex_ else x


def same(got, want, tol=1e-12):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert np.allclose(got, want, rtol=tol, atol=tol * max(1.0, np.max(np.abs(want), initial=0.0)))


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (3, 5), (1, 1), (20, 20), (0, 0)])
def test_lu(shape, complex_):
    a = numbers(1, shape, complex_)
    want = sl.lu(a) if a.size else (np.zeros((0, 0)),) * 3
    for g, w in zip(sa.linalg.lu(a), want):
        same(g, w)
    for g, w in zip(sa.linalg.lu(a, permute_l=True), sl.lu(a, permute_l=True) if a.size else want[:2]):
        same(g, w)
    p, L, U = (np.asarray(x) for x in sa.linalg.lu(a, p_indices=True))
    same(L[p] @ U, a)
    stack = np.stack([a, a[::-1]])
    P, L, U = (np.asarray(x) for x in sa.linalg.lu(stack))
    same(P @ L @ U, stack)


@pytest.mark.parametrize("complex_", [False, True])
def test_factor_and_solve(complex_):
    a, b = numbers(2, (2, 4, 4), complex_), numbers(3, (2, 4, 3), complex_)
    factors = sa.linalg.lu_factor(a)
    same(factors.lu[0], sl.lu_factor(a[0])[0])
    assert np.array_equal(factors.piv[1], sl.lu_factor(a[1])[1])
    for trans, form in enumerate([a, np.swapaxes(a, 1, 2), np.conj(np.swapaxes(a, 1, 2))]):
        same(sa.linalg.lu_solve(factors, b, trans=trans), np.linalg.solve(form, b), 1e-10)
        for lower in (False, True):
            want = [sl.solve_triangular(a[i], b[i], trans=trans, lower=lower) for i in range(2)]
            same(sa.linalg.solve_triangular(a, b, trans=trans, lower=lower), np.stack(want), 1e-9)
    h = a @ np.conj(np.swapaxes(a, 1, 2)) + np.eye(4)
    for lower in (False, True):
        same(sa.linalg.cho_solve(sa.linalg.cho_factor(h, lower), b), np.linalg.solve(h, b), 1e-10)
    same(sa.linalg.lu_solve(sa.linalg.lu_factor(a[0]), b[0, :, 0]), np.linalg.solve(a[0], b[0, :, 0]), 1e-10)

    check_grads(lambda a, b: sa.linalg.lu_solve(sa.linalg.lu_factor(a), b), a[0], b[0])
    check_grads(lambda a, b: sa.linalg.lu_solve(sa.linalg.lu_factor(a), b, trans=2), a[0], b[0])
    check_grads(lambda a: sa.linalg.lu(a)[1:], a)
    check_grads(lambda a: sa.linalg.lu(a)[1:], a[0, :, :2])
    check_grads(lambda a: sa.linalg.lu(a)[1:], a[0, :2])


@pytest.mark.parametrize("complex_", [False, True])
def test_polar_orth_null_space(complex_):
    a = numbers(4, (4, 3), complex_)
    for side in ("left", "right"):
        for g, w in zip(sa.linalg.polar(a, side), sl.polar(a, side)):
            same(g, w)
        check_grads(lambda x, side=side: sa.linalg.polar(x, side), a)
    # Singular values that repeat.
    check_grads(lambda x: sa.linalg.polar(x), np.eye(3) + 0j if complex_ else np.eye(3), order=1)
    deficient = numbers(5, (5, 2), complex_) @ numbers(6, (2, 4), complex_)
    Q = np.asarray(sa.linalg.orth(deficient))
    same(Q @ Q.conj().T @ deficient, deficient)
    N = np.asarray(sa.linalg.null_space(deficient))
    assert Q.shape == (5, 2) and N.shape == (4, 2)
    same(deficient @ N, np.zeros((5, 2)))


@pytest.mark.parametrize("complex_", [False, True])
def test_schur_and_hessenberg(complex_):
    a = numbers(7, (2, 6, 6), complex_)
    for output in ("real", "complex"):
        T, Z = (np.asarray(x) for x in sa.linalg.schur(a, output))
        same(Z @ T @ np.conj(np.swapaxes(Z, 1, 2)), a)
        assert np.allclose(np.tril(T, -2), 0, rtol=1e-12, atol=1e-13) and (
            output == "real" or np.allclose(np.tril(T, -1), 0, rtol=1e-12, atol=1e-13)
        )
    H, Q = (np.asarray(x) for x in sa.linalg.hessenberg(a, calc_q=True))
    same(Q @ H @ np.conj(np.swapaxes(Q, 1, 2)), a)
    assert np.array_equal(np.tril(H, -2), np.zeros_like(H))

    # Signs of real vectors stay, phases of complex ones are a choice of the derivative.
    normal = a[0, :4, :4] @ a[0, :4, :4].conj().T + 0.1 * a[0, :4, :4]
    check_grads(lambda x: tuple(map(sa.abs, sa.linalg.schur(x))) if complex_ else sa.linalg.schur(x), normal)
    check_grads(lambda x: sa.linalg.hessenberg(x, calc_q=True), a[:, :5, :5])
    for f in (sa.linalg.schur, sa.linalg.hessenberg):
        with pytest.raises(np.linalg.LinAlgError):
            sa.grad(lambda x: sa.real(f(x)[0]).sum())(sa.eye(4) * (1j if complex_ else 1.0))
    if not complex_:
        with pytest.raises(np.linalg.LinAlgError, match="real form"):
            sa.grad(lambda x: sa.linalg.schur(x)[0].sum())(sa.asarray([[0.0, 1.0], [-1.0, 0.0]]))


def positive(seed, n, complex_=False):
    """Eigenvalues in the right half plane."""
    a = numbers(seed, (n, n), complex_)
    return a @ a.conj().T / n + np.eye(n) + 0.3 * (a - a.conj().T)


@pytest.mark.parametrize("complex_", [False, True])
def test_exponentials(complex_):
    for scale in (1e-8, 0.1, 1.0, 30.0):
        a = scale * numbers(8, (3, 4, 4), complex_)
        same(sa.linalg.expm(a), np.stack([sl.expm(x) for x in a]), 1e-10)
    a = numbers(9, (3, 3), complex_)
    for name in ("cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"):
        same(getattr(sa.linalg, name)(a), getattr(sl, name)(a), 1e-9)
    got, want = (
        sa.linalg.expm_frechet(a, numbers(10, (3, 3), complex_)),
        sl.expm_frechet(a, numbers(10, (3, 3), complex_)),
    )
    same(got[0], want[0])
    same(got[1], want[1])
    same(sa.linalg.expm(np.array([[0.0, 1.0], [0.0, 0.0]])), [[1, 1], [0, 1]])
    assert sa.linalg.expm(np.zeros((0, 0))).shape == (0, 0)
    check_grads(sa.linalg.expm, a)
    check_grads(sa.linalg.expm, np.zeros((2, 2)))
    check_grads(lambda x: (sa.linalg.cosm(x), sa.linalg.sinm(x)), a)
    check_grads(sa.linalg.tanhm, a / 2)


@pytest.mark.parametrize("complex_", [False, True])
def test_roots_and_logarithms(complex_):
    a = np.stack([positive(11, 5, complex_), 100 * positive(12, 5, complex_)])
    root, log = np.asarray(sa.linalg.sqrtm(a)), np.asarray(sa.linalg.logm(a))
    assert root.dtype == log.dtype == a.dtype
    same(root @ root, a)
    same(log, np.stack([sl.logm(x) for x in a]), 1e-11)
    same(sa.linalg.expm(log), a, 1e-11)
    same(sa.linalg.signm(numbers(13, (4, 4), complex_)), sl.signm(numbers(13, (4, 4), complex_)), 1e-9)
    # Negative eigenvalues lead out of the real numbers; a defective matrix has a root all the same.
    same(sa.linalg.sqrtm(np.diag([-4.0, 9.0])), np.diag([2j, 3]))
    same(sa.linalg.sqrtm(np.array([[4.0, 1.0], [0.0, 4.0]])), [[2, 0.25], [0, 2]])
    same(sa.linalg.logm(np.array([[1.0, 1.0], [0.0, 1.0]])), [[0, 1], [0, 0]])
    for f in (sa.linalg.sqrtm, sa.linalg.logm, sa.linalg.signm):
        check_grads(f, positive(14, 3, complex_))
    # Eigenvalues that repeat.
    g = sa.grad(lambda x: sa.sum(sa.real(sa.linalg.sqrtm(x))))(4.0 * sa.eye(3))
    same(g, np.full((3, 3), 0.25))


def test_structured_matrices():
    c, r = numbers(15, 4), numbers(16, 3)
    z = numbers(17, 4, True)
    for name in ("toeplitz", "hankel"):
        same(getattr(sa.linalg, name)(c, r), getattr(sl, name)(c, r))
        same(getattr(sa.linalg, name)(z), getattr(sl, name)(z))
    same(sa.linalg.circulant(c), sl.circulant(c))
    same(sa.linalg.circulant(np.stack([c, 2 * c])), np.stack([sl.circulant(c), sl.circulant(2 * c)]))
    same(sa.linalg.companion(c), sl.companion(c))
    same(sa.linalg.hilbert(5), sl.hilbert(5))
    blocks = [[[1.0, 2.0]], [[3.0], [4.0]], np.zeros((0, 1)), 5.0]
    same(sa.linalg.block_diag(*blocks), sl.block_diag(*blocks))
    check_grads(lambda c, r: (sa.linalg.toeplitz(c, r), sa.linalg.hankel(c, r), sa.linalg.circulant(c)), c, r, order=1)


@pytest.mark.parametrize("complex_", [False, True])
def test_structured_systems(complex_):
    c, b = numbers(18, 5, complex_), numbers(19, (5, 2), complex_)
    same(sa.linalg.solve_toeplitz((c, 2 * c), b), sl.solve_toeplitz((c, 2 * c), b), 1e-9)
    same(sa.linalg.solve_circulant(c, b), sl.solve_circulant(c, b), 1e-10)
    check_grads(sa.linalg.solve_circulant, c, b)
    check_grads(sa.linalg.solve_toeplitz, c + 4 * np.eye(5)[0], b)
    for lower, upper in [(0, 0), (1, 1), (2, 1), (0, 2), (3, 0), (6, 6)]:
        for n in (1, 4, 30):
            ab, x = numbers(20, (lower + upper + 1, n), complex_), numbers(21, (n, 2), complex_)
            ab[upper] += 3
            want = sl.solve_banded((lower, upper), ab, x) if max(lower, upper) < n else None
            got = sa.linalg.solve_banded((lower, upper), ab, x)
            if want is not None:
                same(got, want, 1e-9)
                same(sa.linalg.solve_banded((lower, upper), ab, x[:, 0]), want[:, 0], 1e-9)
    ab, x = numbers(22, (4, 5), complex_), numbers(23, (5, 2), complex_)
    ab[1] += 3
    check_grads(lambda ab, x: sa.linalg.solve_banded((2, 1), ab, x), ab, x)
    check_grads(lambda ab, x: sa.linalg.solve_banded((2, 1), ab, x), np.stack([ab, 2 * ab]), np.stack([x, x]), order=1)
    half = numbers(24, (3, 6), complex_)
    half[-1] = 8
    same(sa.linalg.solveh_banded(half, numbers(25, 6)), sl.solveh_banded(half, numbers(25, 6)), 1e-10)
    half = half[::-1].copy()
    same(
        sa.linalg.solveh_banded(half, numbers(25, 6), lower=True),
        sl.solveh_banded(half, numbers(25, 6), lower=True),
        1e-10,
    )
    with pytest.raises(np.linalg.LinAlgError, match="solve_banded: A is singular"):
        sa.linalg.solve_banded((1, 1), np.zeros((3, 3)), np.ones(3))


@pytest.mark.parametrize("complex_", [False, True])
def test_equations(complex_):
    a, b, q = numbers(26, (4, 4), complex_), numbers(27, (3, 3), complex_), numbers(28, (4, 3), complex_)
    same(sa.linalg.solve_sylvester(a, b, q), sl.solve_sylvester(a, b, q), 1e-9)
    check_grads(sa.linalg.solve_sylvester, a + 4 * np.eye(4), b, q)
    h = numbers(29, (4, 4), complex_)
    same(sa.linalg.solve_continuous_lyapunov(a, h), sl.solve_continuous_lyapunov(a, h), 1e-9)
    same(sa.linalg.solve_discrete_lyapunov(a / 5, h), sl.solve_discrete_lyapunov(a / 5, h), 1e-9)
    check_grads(sa.linalg.solve_discrete_lyapunov, a / 5, h, order=1)


@pytest.mark.parametrize("complex_", [False, True])
def test_least_squares(complex_):
    deficient = numbers(31, (5, 2), complex_) @ numbers(32, (2, 4), complex_)
    for a in (numbers(33, (5, 3), complex_), numbers(34, (3, 5), complex_), numbers(35, (3, 3), complex_), deficient):
        for k in ((), (2,)):
            b = numbers(36, (a.shape[0], *k), complex_)
            got, want = sa.linalg.lstsq(a, b), np.linalg.lstsq(a, b)
            for g, w in zip(got, want):
                same(g, w, 1e-11)
            if a is not deficient:
                check_grads(lambda a, b: sa.linalg.lstsq(a, b).x, a, b)
    # Along directions that keep the rank.
    b = numbers(37, (5, 2), complex_)
    L, R = numbers(31, (5, 2), complex_), numbers(32, (2, 4), complex_)
    check_grads(lambda l, r, b: sa.linalg.lstsq(l @ r, b, rcond=1e-10).x, L, R, b)
    stack = numbers(38, (2, 5, 3), complex_)
    same(sa.linalg.lstsq(stack, b).x, np.stack([np.linalg.lstsq(x, b)[0] for x in stack]), 1e-11)


@pytest.mark.parametrize("complex_", [False, True])
def test_generalized_eigenvalues_and_reflections(complex_):
    a, b = numbers(39, (4, 4), complex_), numbers(40, (4, 4), complex_)
    a, b = a + a.conj().T, b @ b.conj().T + np.eye(4)
    for UPLO in "LU":
        w, v = (np.asarray(x) for x in sa.linalg.eigh(a, UPLO, b=b))
        same(w, sl.eigh(a, b, eigvals_only=True), 1e-11)
        same(a @ v, b @ v * w, 1e-10)
        same(v.conj().T @ b @ v, np.eye(4), 1e-11)

    def values(a, b):
        # Both are read as Hermitian, which a perturbation must not leave.
        a, b = (x + sa.conj(x.mT) for x in (a, b))
        return sa.linalg.eigh(a, b=b).eigenvalues

    check_grads(values, a, b, order=1)
    x = numbers(41, (5, 3), complex_)
    (h, tau), _ = sl.qr(x, mode="raw")
    same(sa.linalg.householder_product(h, tau), sl.qr(x, mode="economic")[0])
