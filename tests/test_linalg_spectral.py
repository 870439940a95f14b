"""Second derivatives where eigenvalues and singular values repeat, against analytic ones and differences."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

import sciarray as sa
from sciarray.linalg._spectral import _differences
from sciarray.testing import check_grads

SPECTRA = {"distinct": [1.0, 2.0, 3.0, 4.5], "pair": [1.0, 1.0, 2.0, 3.0], "three": [1.0, 3.0, 3.0, 3.0],
           "close": [1.0, 1.0 + 1e-9, 2.0, 2.0 + 1e-4], "one": [2.0] * 4, "zero": [0.0] * 4}  # fmt: skip


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def unitary(seed, complex_, n=4):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, n))
    return np.linalg.qr(x + 1j * rng.standard_normal((n, n)) if complex_ else x)[0]


def H(x):
    return sa.conj(x.mT) if x.dtype.kind == "c" else x.mT


def hermitian_part(x):
    return (x + H(x)) / 2


def hessian_product(f, a, e):
    """The derivative of the gradient along a direction."""
    return np.asarray(sa.jvp(sa.grad(f), (sa.asarray(a),), (sa.asarray(e),))[1])


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_functions_of_values_that_repeat(spectrum, complex_):
    w = np.array(SPECTRA[spectrum])
    U, V = unitary(1, complex_), unitary(2, complex_)
    check_grads(lambda x: sa.linalg.hermitian_function(hermitian_part(x), sa.sin), (U * w) @ adjoint(U))
    # An odd function, also at singular values of 0.
    check_grads(lambda x: sa.linalg.singular_function(x, lambda s: s + s**3), (U * w) @ adjoint(V))
    check_grads(lambda x: sa.linalg.singular_function(x, sa.tanh), ((U * w) @ adjoint(V))[:, :3])


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_hessians_of_sums_over_eigenvalues(spectrum, complex_):
    # Lewis and Sendov (2001): V (f'[w_i, w_j] o (V^H E V)) V^H.
    w, V = np.array(SPECTRA[spectrum]), unitary(3, complex_)
    a = (V * w) @ adjoint(V)
    E = unitary(4, complex_)
    E = E + adjoint(E)

    def f(x):
        y = sa.linalg.hermitian_function(x, sa.exp)
        return sa.sum(sa.real(y) * sa.eye(4) if complex_ else y * sa.eye(4))

    with mp.workdps(50):
        e = [mp.e ** mp.mpf(x) for x in w]
        at = lambda i, j: e[i] if w[i] == w[j] else (e[j] - e[i]) / (mp.mpf(w[j]) - mp.mpf(w[i]))
        table = np.array([[float(at(i, j)) for j in range(4)] for i in range(4)])
    want = V @ (table * (adjoint(V) @ E @ V)) @ adjoint(V)
    assert np.allclose(np.asarray(sa.grad(f)(sa.asarray(a))), (V * np.exp(w)) @ adjoint(V), rtol=1e-12, atol=1e-11)
    assert np.allclose(hessian_product(f, a, E), want, rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("w", [[1.0, 1.0, 2.0, 3.0], [1.0, 1.0, 4.0, 4.0], [0.0, 0.0, 0.0, 1.0]])
def test_second_derivatives_of_projectors(w, complex_):
    U, V = unitary(5, complex_), unitary(6, complex_)
    k = w.count(w[0])

    def eigenspaces(x):
        v = sa.linalg.eigh(hermitian_part(x)).eigenvectors
        return v[:, :k] @ H(v[:, :k])

    def singular_spaces(x):
        u, _, vh = sa.linalg.svd(x, full_matrices=False)
        return u[:, 4 - k :] @ H(u[:, 4 - k :]), H(vh[: 4 - k]) @ vh[: 4 - k], u[:, : 4 - k] @ vh[: 4 - k]

    # Differences of first derivatives lose their digits beside the equal values; this is Kato, Perturbation theory, II.2.14.
    rng = np.random.default_rng(10)
    E, C = (x + adjoint(x) for x in (unitary(rng.integers(99), complex_) for _ in range(2)))
    P = U[:, :k] @ adjoint(U[:, :k])
    S = (U[:, k:] / (np.array(w[k:]) - w[0])) @ adjoint(U[:, k:])
    twice = [(P, S, S), (S, P, S), (S, S, P)], [(P, P, S @ S), (P, S @ S, P), (S @ S, P, P)]
    second = sum(x @ E @ y @ E @ z for x, y, z in twice[0]) - sum(x @ E @ y @ E @ z for x, y, z in twice[1])
    a = (U * np.array(w)) @ adjoint(U)
    got = hessian_product(lambda x: sa.real(sa.sum(sa.asarray(C.T) * eigenspaces(x))), a, E)
    assert np.real(np.sum(np.conj(got) * E)) == pytest.approx(2 * np.real(np.trace(C @ second)), rel=1e-12, abs=0.0)
    check_grads(singular_spaces, (U * (np.array(w) + 1)) @ adjoint(V))
    check_grads(lambda x: singular_spaces(x)[1], (unitary(7, complex_, 5)[:, :4] * (np.array(w) + 1)) @ adjoint(V))


@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("s", [[2.0] * 4, [1.0, 1.0, 3.0, 3.0], [1.0, 2.0, 2.0, 2.0]])
def test_second_derivatives_of_the_unitary_factor_and_norms(s, complex_):
    U, V = unitary(8, complex_), unitary(9, complex_)
    a = (U * np.array(s)) @ adjoint(V)

    def factor(x):
        u, _, vh = sa.linalg.svd(x, full_matrices=False)
        return u @ vh

    check_grads(factor, a)
    check_grads(factor, a[:, :3] if s[0] == s[3] else (unitary(10, complex_, 6)[:, :4] * np.array(s)) @ adjoint(V))
    check_grads(lambda x: sa.linalg.matrix_norm(x, ord="nuc"), a)
    check_grads(lambda x: sa.linalg.polar(x), a)


def test_divided_differences_keep_their_digits():
    functions = {"exp": (sa.exp, mp.exp), "log": (sa.log, mp.log), "sqrt": (sa.sqrt, mp.sqrt), "sin": (sa.sin, mp.sin)}
    for gaps in ([1e-2, 1e-2], [1e-5, 3e-5], [1e-9, 1.0], [1e-13, 2e-13], [0.5, 1e-7]):
        for start in (1e-6, 1.0, 7.0):
            w = start * np.array([1.0, 1.0 + gaps[0], 1.0 + gaps[0] + gaps[1]])
            for name, (f, exact) in functions.items():
                with mp.workdps(60):
                    x = [mp.mpf(v) for v in w]
                    d = lambda i, j: (exact(x[j]) - exact(x[i])) / (x[j] - x[i])
                    first, second = float(d(0, 1)), float((d(1, 2) - d(0, 1)) / (x[2] - x[0]))
                one, two = _differences(f, w, 1)[0, 1], _differences(f, w, 2)[2, 0, 1]
                assert abs(one - first) <= 1e-13 * abs(first), (name, w)
                assert abs(two - second) <= 1e-10 * abs(second), (name, w)


def test_divided_differences_of_equal_numbers():
    # First differences at equal numbers, integrals, may differ in the last bit; over a distance of 0 that once was inf.
    for v in np.linspace(0.5, 3.0, 50):
        w = np.array([-v, -v, -0.4 * v, 1e-17, 0.4 * v, v, v])
        second = _differences(sa.tanh, w, 2)
        assert np.allclose(second[5:, 5:, 5:], -np.tanh(v) * (1 - np.tanh(v) ** 2), rtol=1e-12), v


def test_edges_of_functions_of_values():
    f = sa.linalg.hermitian_function
    assert f(sa.zeros((2, 0, 0)), sa.exp).shape == (2, 0, 0)
    assert f(sa.ones((2, 2), dtype=sa.float32), sa.exp).dtype == sa.float32
    a = np.stack([np.eye(2), np.full((2, 2), np.nan)])
    y, g = np.asarray(f(a, sa.exp)), np.asarray(sa.grad(lambda x: sa.sum(f(x, sa.exp)[0]))(sa.asarray(a)))
    assert np.allclose(y[0], np.e * np.eye(2), rtol=1e-12, atol=1e-13) and np.isnan(y[1]).all()
    assert np.allclose(g[0], np.e, rtol=1e-12, atol=1e-13)
    # Only the lower triangle is read.
    assert np.allclose(
        np.asarray(f(np.array([[2.0, np.nan], [1.0, 2.0]]), lambda w: w)), [[2, 1], [1, 2]], rtol=1e-12, atol=1e-13
    )
    assert sa.linalg.singular_function(sa.zeros((2, 3)), sa.tanh).shape == (2, 3)
    with pytest.raises(
        ValueError, match=r"hermitian_function: a must be square in its last two axes, got shape \(2, 3\)"
    ):
        f(sa.ones((2, 3)), sa.exp)
    with pytest.raises(ValueError, match="func must keep shape and dtype"):
        f(sa.eye(2), sa.sum)
