"""Iterative solvers: values against direct ones and SciPy, implicit derivatives, closed-over arrays and recordings."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest
import scipy.sparse.linalg as ssl
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray.testing import check_grads

DTYPES = ["float64", "float32", "complex128", "complex64"]
# Names of a module are closed over too.
WEIGHTS = sa.asarray([1.0, 2.0, 4.0])


def numbers(rng, shape, dtype="float64"):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def definite(rng, n, dtype="float64", lead=()):
    a = numbers(rng, (*lead, n, n), dtype)
    return (a @ np.conj(np.swapaxes(a, -1, -2)) / max(n, 1) + np.eye(n)).astype(dtype)


def residual(a, x, b):
    a, x, b = (np.asarray(v, np.complex128) for v in (a, x, b))
    unit = np.max(np.abs(b), axis=-1, keepdims=True)
    x, b = x / unit, b / unit
    return np.linalg.norm((a @ x[..., None])[..., 0] - b, axis=-1) / np.linalg.norm(b, axis=-1)


@given(
    st.sampled_from(DTYPES),
    st.sampled_from([1, 2, 3, 7, 30]),
    st.sampled_from([(), (1,), (3,), (2, 2)]),
    st.floats(-250, 250),
    st.integers(0, 2**32),
)
def test_solutions(dtype, n, lead, exponent, seed):
    rng = np.random.default_rng(seed)
    scale = 10.0 ** (exponent if dtype.endswith(("64", "128")) and dtype != "complex64" else exponent / 10)
    rtol = 1e-11 if np.finfo(dtype).eps < 1e-10 else 1e-5
    h, b = definite(rng, n, dtype), (numbers(rng, (*lead, n), dtype) * scale).astype(dtype)
    for solver, a in ((sa.linalg.cg, h), (sa.linalg.gmres, h + numbers(rng, (n, n), dtype) / (3 * n))):
        for A in (a, sa.linalg.aslinearoperator(a), lambda x, a=a: x @ sa.asarray(a).mT):
            x, info = solver(A, b, rtol=rtol)
            assert x.dtype == b.dtype and info.shape == lead and not np.any(info)
            assert np.all(residual(a, x, b) <= 20 * rtol)
    stacked = definite(rng, n, dtype, (3,))
    x, info = sa.linalg.cg(stacked, b[..., None, :], rtol=rtol)
    assert x.shape == (*lead, 3, n) and not np.any(info)
    assert np.all(residual(stacked, x, np.broadcast_to(b[..., None, :], x.shape)) <= 20 * rtol)


def test_as_scipy():
    rng = np.random.default_rng(1)
    a, b = definite(rng, 40), rng.standard_normal(40)
    jacobi = 1 / np.diag(a)
    ours, theirs = [], []
    for options in ({}, {"x0": rng.standard_normal(40)}, {"atol": 1e-3}, {"maxiter": 5}, {"M": np.diag(jacobi)}):
        x, info = sa.linalg.cg(a, b, **options, callback=lambda x: ours.append(np.array(x)))
        want, code = ssl.cg(a, b, **options, callback=lambda x: theirs.append(x.copy()))
        assert np.allclose(x, want, rtol=1e-9, atol=1e-12) and int(info) == code
    assert len(ours) == len(theirs) and np.allclose(ours[3], theirs[3])
    a = a + 0.05 * rng.standard_normal((40, 40))
    for options in ({}, {"restart": 5, "maxiter": 300}, {"restart": 5, "maxiter": 2}, {"M": np.diag(jacobi)}):
        norms, want_norms = [], []
        x, info = sa.linalg.gmres(a, b, rtol=1e-8, **options, callback=norms.append)
        want, code = ssl.gmres(a, b, rtol=1e-8, **options, callback=want_norms.append, callback_type="pr_norm")
        assert (int(info) == 0) == (code == 0)
        assert np.allclose(x, want, atol=1e-5) and abs(len(norms) - len(want_norms)) <= 1
        # SciPy's are those of the preconditioned system.
        assert "M" in options or np.allclose(norms[:4], want_norms[:4], rtol=1e-6)


@pytest.mark.parametrize("solver", [sa.linalg.cg, sa.linalg.gmres])
def test_ends(solver):
    assert solver(np.eye(0), np.zeros(0))[0].shape == (0,)
    assert solver(np.eye(3), np.zeros((0, 3)))[0].shape == (0, 3)
    x, info = solver(np.eye(3), np.zeros(3), x0=np.ones(3))
    assert np.allclose(x, 0) and int(info) == 0
    # One bad item leaves the others alone, and ends at once.
    x, info = solver(2 * np.eye(3), np.array([[1.0, 2, 3], [np.nan, 1, 1], [np.inf, 1, 1], [4.0, 4, 4]]))
    assert np.allclose(np.asarray(x)[[0, 3]], [[0.5, 1, 1.5], [2, 2, 2]])
    assert np.array_equal(np.asarray(info) > 0, [False, True, True, False]) and np.all(np.isnan(x[1:3]))
    x, info = solver(np.zeros((2, 2)), np.ones(2))
    assert int(info) > 0 and np.array_equal(x, [0.0, 0.0])
    with pytest.raises(ValueError, match=r"A must be 3 x 3 to fit b \(..., 3\), got shape \(2, 2\)"):
        solver(np.eye(2), np.ones(3))
    with pytest.raises(ValueError, match="A must be linear"):
        solver(lambda x: x + 1, np.ones(3))
    with pytest.raises(ValueError, match=r"A must map vectors to vectors of their shape, got \(2,\) for \(3,\)"):
        solver(lambda x: x[:2], np.ones(3))
    with pytest.raises(ValueError, match="b must be"):
        solver(np.eye(2), 1.0)


def test_gmres_reaches_what_a_singular_matrix_allows():
    a = np.diag([1.0, 2.0, 0.0])
    x, info = sa.linalg.gmres(a, np.array([1.0, 1.0, 0.0]))
    assert np.allclose(x, [1, 0.5, 0]) and int(info) == 0
    assert int(sa.linalg.gmres(a, np.ones(3))[1]) > 0


@pytest.mark.parametrize("solver", [sa.linalg.cg, sa.linalg.gmres])
@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_matrices_of_any_magnitude(solver, scale):
    a, b = definite(np.random.default_rng(8), 12), np.ones(12)
    want = np.linalg.solve(a, b)
    for factor in (1.0, scale):
        x, info = solver(a * scale, b * factor, rtol=1e-11)
        assert int(info) == 0 and np.allclose(np.asarray(x) / factor * scale, want)


def test_a_preconditioner_saves_steps():
    rng = np.random.default_rng(2)
    d = 10.0 ** rng.uniform(-2, 2, 50)
    a, b = np.diag(d) + 1e-4 * definite(rng, 50), rng.standard_normal(50)
    for solver in (sa.linalg.cg, sa.linalg.gmres):
        counts = []
        for M in (None, lambda r: r / d):
            steps = []
            x, info = solver(a, b, M=M, rtol=1e-6, maxiter=200, callback=steps.append)
            counts.append(len(steps))
        assert int(info) == 0 and residual(a, x, b) < 1e-5 and counts[1] * 3 < counts[0]


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_gradients(dtype):
    rng = np.random.default_rng(3)
    n = 3
    a, b = numbers(rng, (n, n), dtype), numbers(rng, (2, n), dtype)

    def positive(a):
        a = sa.asarray(a)
        return a @ a.mH + 3 * sa.eye(n)

    def matrix(a, b):
        return sa.linalg.cg(positive(a), b, rtol=1e-13)[0]

    def function(a, b):
        k = positive(a)
        return sa.linalg.cg(lambda x: x @ k.mT, b, rtol=1e-13, M=lambda x: x / sa.real(sa.linalg.diagonal(k)))[0]

    def product(x, factor, shift):
        return ((x @ sa.conj(factor)) @ factor.mT) + shift * x

    def arguments(a, b):
        operator = sa.linalg.LinearOperator((n, n), product, args=(a, 3.0))
        return sa.linalg.cg(operator, b, rtol=1e-13)[0]

    def bound(a, b):
        return sa.linalg.cg(partial(product, factor=a, shift=3.0), b, rtol=1e-13)[0]

    check_grads(matrix, a, b)
    for f in (function, arguments, bound):
        check_grads(f, a, b, order=1)
        assert np.allclose(f(a, b), np.linalg.solve(np.asarray(positive(a)), b.T).T)

    def general(a, b):
        return sa.linalg.gmres(a + 5 * sa.eye(n), b, rtol=1e-13)[0]

    def rolled(a, b):
        # The adjoint comes from reverse mode, that of the preconditioner too.
        d = sa.linalg.diagonal(a)
        return sa.linalg.gmres(lambda x: (5 + d) * x + sa.roll(x, 1, axis=-1), b, rtol=1e-13, M=lambda x: x / (5 + d))[
            0
        ]

    def given_adjoint(a, b):
        operator = sa.linalg.LinearOperator((n, n), lambda x: x @ a.mT + 5 * x, lambda y: y @ sa.conj(a) + 5 * y)
        return sa.linalg.gmres(operator, b, rtol=1e-13)[0]

    check_grads(rolled, a, b)
    for f in (general, given_adjoint):
        check_grads(f, a, b, order=1)


def test_gradients_of_mixed_dtypes():
    rng = np.random.default_rng(4)
    h, z = definite(rng, 4), numbers(rng, 4, "complex128")
    check_grads(lambda h, z: sa.linalg.cg(h + h.mT, z, rtol=1e-13)[0], h, z)
    check_grads(lambda h, z: sa.linalg.gmres(h * (1 + 1j), sa.real(z), rtol=1e-13)[0], h, z)
    x = sa.linalg.cg(h.astype("float32"), np.ones(4, "float32"))[0]
    assert x.dtype == sa.float32
    g = sa.grad(lambda h: sa.linalg.cg(h, sa.ones(4))[0].sum())(sa.asarray(h.astype("float32")))
    assert g.dtype == sa.float32 and np.all(np.isfinite(g))


def test_backward_and_third_order():
    d = sa.asarray([1.0, 2.0, 4.0], requires_grad=True)
    loss = sa.linalg.cg(lambda x: d * x, sa.ones(3), rtol=1e-13)[0].sum()
    loss.backward()
    assert np.allclose(d.grad, [-1, -1 / 4, -1 / 16])
    f = lambda t: sa.linalg.cg(lambda x: t * x, sa.ones(1), rtol=1e-14)[0].sum()
    g = f
    for want in (-1 / 4, 2 / 8, -6 / 16):
        g = sa.grad(g)
        assert float(g(2.0)) == pytest.approx(want, rel=1e-10, abs=0.0)


def test_what_functions_close_over():
    helper = lambda x, scale: scale * x

    def tree(p, x=None):
        pairs = [p["a"], (p["b"],)]

        def outer(x, scale=2.0 * p["a"]):
            return helper(x, scale) + pairs[1][0] * x

        return sa.linalg.cg(outer, sa.ones(3), rtol=1e-13)[0].sum()

    g = sa.grad(tree)({"a": 1.0, "b": 2.0})
    assert np.allclose([float(g["a"]), float(g["b"])], [-3 * 2 / 16, -3 / 16])

    # A name that is bound anew later is not what was solved with.
    def total(ks):
        loss = 0.0
        for i in range(3):
            k = ks[i]
            loss = loss + sa.linalg.cg(lambda x: k * x, sa.ones(1), rtol=1e-13)[0].sum()
        return loss

    assert np.allclose(sa.grad(total)(sa.asarray([1.0, 2.0, 4.0])), [-1, -1 / 4, -1 / 16])

    # Names of the module; and what the function counts stays where it counts it.
    calls = []

    def counted(x):
        calls.append(1)
        return WEIGHTS * x

    WEIGHTS.requires_grad = True
    try:
        sa.linalg.cg(counted, sa.ones(3), rtol=1e-13)[0].sum().backward()
        assert np.allclose(WEIGHTS.grad, [-1, -1 / 4, -1 / 16]) and calls
    finally:
        WEIGHTS.requires_grad = False

    class Scaled:
        def __init__(self, k):
            self.k = k

        def product(self, x):
            return self.k * x

    assert np.allclose(sa.linalg.cg(Scaled(2.0).product, sa.ones(2))[0], 0.5)
    for transform in (sa.grad, sa.record):
        with pytest.raises(TypeError, match="cg: A depends on an array under differentiation or recording"):
            transform(lambda k: sa.linalg.cg(Scaled(k).product, sa.ones(2))[0].sum())(sa.asarray(2.0))


def test_recorded():
    rng = np.random.default_rng(5)
    n = 6
    outside = sa.asarray(1.0)

    def solution(a, b):
        k = a @ a.mT + outside * sa.eye(n)
        x, info = sa.linalg.cg(lambda x: x @ k.mT, b, rtol=1e-13)
        y, _ = sa.linalg.gmres(k + 0.1 * a, b, x0=x, rtol=1e-13)
        return x, y, info

    recorded = sa.record(solution)
    slope = lambda a, b: sa.square(solution(a, b)[0] + solution(a, b)[1]).sum()
    recorded_slope = sa.record(sa.grad(slope))
    for k in range(4):
        a, b = sa.asarray(rng.standard_normal((n, n))), sa.asarray(rng.standard_normal((2, n)))
        if k == 2:
            outside += 2.0
        for got, want in zip(recorded(a, b), solution(a, b)):
            assert np.allclose(got, want)
        assert np.allclose(recorded_slope(a, b), sa.grad(slope)(a, b))
        assert np.allclose(sa.grad(lambda a: sa.square(sum(recorded(a, b)[:2])).sum())(a), sa.grad(slope)(a, b))


def test_a_derivative_that_does_not_converge_warns():
    rng = np.random.default_rng(6)
    a = definite(rng, 30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sa.grad(lambda b: sa.linalg.cg(a, b)[0].sum())(sa.ones(30))
        with pytest.raises(RuntimeWarning, match="cg: the system of a derivative did not converge"):
            sa.grad(lambda b: sa.linalg.cg(a, b, maxiter=2)[0].sum())(sa.ones(30))


def test_operators():
    rng = np.random.default_rng(7)
    a = numbers(rng, (3, 5), "complex128")
    x, y = numbers(rng, (2, 5), "complex128"), numbers(rng, (2, 3), "complex128")
    full = sa.linalg.aslinearoperator(a)
    free = sa.linalg.LinearOperator((3, 5), lambda v: v @ sa.asarray(a).mT)
    for operator in (full, free, sa.linalg.aslinearoperator(full)):
        assert operator.shape == (3, 5) and operator.H.shape == (5, 3)
        assert np.allclose(operator @ x, x @ a.T) and np.allclose(operator.matvec(x), x @ a.T)
        assert np.allclose(operator.rmatvec(y), y @ a.conj()) and np.allclose(operator.H.H @ x, x @ a.T)
    check_grads(lambda a, y: sa.linalg.aslinearoperator(a).rmatvec(y), a, y)
