"""Every function of `linalg`, from one table: batches, dtypes, and derivatives of second order in both modes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import sciarray as sa
from sciarray.testing import check_grads

DTYPES = ["float64", "float32", "complex128", "complex64"]
L = sa.linalg
#: Of float64 numbers near 1
close = functools.partial(np.allclose, rtol=1e-12, atol=1e-13)
Arrays = tuple[np.ndarray, ...]


def numbers(rng, shape, kind):
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if kind == "c" else x


def H(x):
    return sa.conj(x.mT) if x.dtype.kind == "c" else x.mT


def square(rng, lead, kind, n=3):
    """Well away from singular ones, with eigenvalues that differ and have positive real parts."""
    return 0.3 * numbers(rng, (*lead, n, n), kind) + np.diag(np.arange(1.0, n + 1))


def pair(f, k=1):
    """Arguments of a matrix and a right-hand side (..., n, k)."""
    return lambda rng, lead, kind: (f(rng, lead, kind), numbers(rng, (*lead, 3, k), kind))


def one(*shape):
    return lambda rng, lead, kind: (numbers(rng, (*lead, *shape), kind),)


def several(*shapes):
    return lambda rng, lead, kind: tuple(numbers(rng, (*lead, *s), kind) for s in shapes)


def matrix(rng, lead, kind):
    return (square(rng, lead, kind),)


def band(rng, lead, kind):
    ab = numbers(rng, (*lead, 3, 4), kind)
    ab[..., 1, :] += 4
    return ab, numbers(rng, (*lead, 4, 2), kind)


def half_band(rng, lead, kind):
    ab = 0.5 * numbers(rng, (*lead, 2, 4), kind)
    ab[..., 1, :] = 3 + np.abs(ab[..., 1, :])
    return ab, numbers(rng, (*lead, 4, 2), kind)


def identity(a):
    return sa.eye(a.shape[-1], dtype=a.dtype)


def symmetrized(f):
    """Of a Hermitian positive definite matrix, which a perturbation of the argument does not leave."""
    return lambda a, *rest: f(a @ H(a) + 0.5 * identity(a), *rest)


def hermitian(f):
    return lambda a, *rest: f(a + H(a), *rest)


def spectral(w, V):
    """What does not depend on phases of vectors."""
    return w, V[..., :1] @ H(V[..., :1])


def right_vectors(result):
    w, V = result
    return w, L.solve(V.mT, (V * sa.exp(0.3 * w)[..., None, :]).mT).mT


def singular(result):
    U, S, Vh = result
    return S, (U * sa.sin(S)[..., None, :]) @ Vh


def triangular(T, Z):
    """The same for all phases of the columns of Z, and for any order of the eigenvalues."""
    return sa.exp(L.diagonal(T)).sum(-1), Z @ T @ T @ H(Z), sa.square(sa.abs(sa.triu(T, k=1))).sum((-2, -1))


def span(Q):
    return Q @ H(Q)


@dataclass(frozen=True)
class Row:
    name: str
    f: Callable[..., Any]
    data: Callable[[np.random.Generator, tuple[int, ...], str], Arrays] = field(default=matrix)
    #: Items of a batch are those of single calls.
    batched: bool = True


ROWS = [
    Row("cholesky", symmetrized(L.cholesky)),
    Row("cholesky", symmetrized(lambda a: L.cholesky(a, upper=True))),
    Row("qr", lambda a: tuple(L.qr(a)), one(4, 3)),
    Row("qr", lambda a: tuple(L.qr(a)), one(3, 4)),
    Row("qr", lambda a: L.qr(a, mode="r"), one(3, 3)),
    Row("eigh", hermitian(lambda a: spectral(*L.eigh(a)))),
    Row("eigh", lambda a, b: spectral(*L.eigh(a + H(a), b=b @ H(b) + identity(b))), several((3, 3), (3, 3))),
    Row("eigvalsh", hermitian(L.eigvalsh)),
    Row("eig", lambda a: right_vectors(L.eig(a))),
    Row("eigvals", lambda a: sa.exp(L.eigvals(a)).sum(-1)),
    Row("svd", lambda a: singular(L.svd(a, full_matrices=False)), one(4, 3)),
    Row("svd", lambda a: span(L.svd(a).U[..., 2:]), one(4, 2)),
    Row("svdvals", L.svdvals, one(3, 4)),
    Row("householder_product", L.householder_product, several((4, 3), (3,))),
    Row("ldl", symmetrized(lambda a: L.ldl(a)[:2])),
    Row("ldl", lambda a: L.ldl(a + a.mT, lower=False, hermitian=False)[:2]),
    Row("hermitian_function", hermitian(lambda a: L.hermitian_function(a, sa.exp))),
    Row("singular_function", lambda a: L.singular_function(a, sa.tanh), one(3, 4)),
    Row("lu", lambda a: L.lu(a)[1:], one(4, 3)),
    Row("lu", lambda a: L.lu(a)[1:], one(3, 4)),
    Row("lu_factor", lambda a: L.lu_factor(a).lu),
    Row("lu_solve", lambda a, b: L.lu_solve(L.lu_factor(a), b), pair(square)),
    Row("cho_factor", symmetrized(lambda a: L.cho_factor(a, lower=True)[0])),
    Row("cho_solve", symmetrized(lambda a, b: L.cho_solve(L.cho_factor(a), b)), pair(square)),
    Row("solve_triangular", L.solve_triangular, pair(square)),
    Row("solve_triangular", lambda a, b: L.solve_triangular(a, b, trans=2, lower=True), pair(square)),
    Row("polar", lambda a: L.polar(a), one(4, 3)),
    Row("polar", lambda a: L.polar(a, "left"), one(3, 4)),
    Row("orth", lambda a: span(L.orth(a)), one(4, 2)),
    Row("null_space", lambda a: span(L.null_space(a)), one(2, 4)),
    Row("schur", lambda a: triangular(*L.schur(a @ H(a) + 0.1 * a))),
    Row("schur", lambda a: triangular(*L.schur(a, "complex"))),
    Row("hessenberg", lambda a: L.hessenberg(a, calc_q=True), one(4, 4)),
    Row("solve", L.solve, pair(square)),
    Row("inv", L.inv),
    Row("pinv", L.pinv, one(4, 3)),
    Row("pinv", hermitian(lambda a: L.pinv(a, hermitian=True))),
    Row("lstsq", lambda a, b: L.lstsq(a, b).x, several((4, 3), (4, 2))),
    Row("tensorsolve", L.tensorsolve, several((2, 3, 6), (2, 3)), batched=False),
    Row("tensorinv", L.tensorinv, one(2, 2, 4), batched=False),
    Row("det", L.det),
    Row("slogdet", lambda a: tuple(L.slogdet(a))),
    Row("cond", L.cond),
    Row("cond", lambda a: L.cond(a, 1)),
    *(Row("matrix_norm", lambda a, p=p: L.matrix_norm(a, ord=p), one(3, 4)) for p in ("fro", "nuc", 2, -2, 1, -1)),
    *(Row("vector_norm", lambda a, p=p: L.vector_norm(a, axis=-1, ord=p), one(4)) for p in (1, 2, 3.5, -1, np.inf)),
    Row("norm", lambda a: L.norm(a, axis=(-2, -1)), one(3, 4)),
    Row("matrix_power", lambda a: L.matrix_power(a, 3)),
    Row("matrix_power", lambda a: L.matrix_power(a, -2)),
    Row("multi_dot", lambda *xs: L.multi_dot(xs), several((2, 3), (3, 4), (4, 1)), batched=False),
    Row("cross", L.cross, several((3,), (3,))),
    Row("diagonal", L.diagonal),
    Row("trace", L.trace),
    Row("matmul", L.matmul, several((2, 3), (3, 2))),
    Row("matrix_transpose", L.matrix_transpose),
    Row("outer", L.outer, several((2,), (3,)), batched=False),
    Row("tensordot", lambda a, b: L.tensordot(a, b, axes=1), several((2, 3), (3, 2)), batched=False),
    Row("vecdot", L.vecdot, several((3,), (3,))),
    Row("kron", L.kron, several((2, 2), (2, 3)), batched=False),
    Row("block_diag", L.block_diag, several((2, 2), (1, 3))),
    Row("toeplitz", L.toeplitz, several((3,), (4,))),
    Row("hankel", L.hankel, several((3,), (4,))),
    Row("circulant", L.circulant, one(3)),
    Row("companion", L.companion, one(3)),
    Row("solve_toeplitz", lambda c, b: L.solve_toeplitz((c, 2.0 * c), b), several((3,), (3, 1))),
    Row("solve_circulant", L.solve_circulant, several((3,), (3, 1))),
    Row("solve_banded", lambda ab, b: L.solve_banded((1, 1), ab, b), band),
    Row("solveh_banded", L.solveh_banded, half_band),
    Row("expm", L.expm),
    Row("expm_frechet", lambda a, e: L.expm_frechet(a, e), several((2, 2), (2, 2))),
    *(Row(n, getattr(L, n), matrix) for n in ("cosm", "sinm", "coshm", "sinhm")),
    *(Row(n, lambda a, n=n: getattr(L, n)(a / 4), matrix) for n in ("tanm", "tanhm")),
    Row("sqrtm", L.sqrtm),
    Row("logm", L.logm),
    Row("signm", lambda a: L.signm(a - 1.5 * identity(a))),
    Row("solve_sylvester", L.solve_sylvester, lambda r, l, k: (square(r, l, k), square(r, l, k), *one(3, 3)(r, l, k))),
    Row("solve_continuous_lyapunov", L.solve_continuous_lyapunov, pair(square, 3)),
    Row("solve_discrete_lyapunov", lambda a, q: L.solve_discrete_lyapunov(a / 8, q), pair(square, 3)),
    Row("cg", symmetrized(lambda a, b: L.cg(a, b, rtol=1e-13)[0]), lambda r, l, k: (square(r, l, k), *one(3)(r, l, k))),
    Row("gmres", lambda a, b: L.gmres(a, b, rtol=1e-13)[0], lambda r, l, k: (square(r, l, k), *one(3)(r, l, k))),
]  # fmt: skip

#: What has no derivative, or is a table of constants.
OTHERS = {"matrix_rank", "hilbert", "aslinearoperator", "solve_lyapunov"}


def label(row):
    return f"{row.name}-{ROWS.index(row)}"


def test_the_table_is_complete():
    public = {n for n in dir(L) if not n.startswith("_") and callable(getattr(L, n)) and n[0].islower()}
    functions = {n for n in public if not isinstance(getattr(L, n), type)}
    assert functions - {row.name for row in ROWS} - OTHERS == set()


@pytest.mark.parametrize("kind", ["f", "c"])
@pytest.mark.parametrize("row", ROWS, ids=label)
def test_derivatives(row, kind):
    xs = row.data(np.random.default_rng(3), (), kind)
    check_grads(row.f, *xs)


def parts(y):
    return [np.asarray(v) for v in (y if isinstance(y, tuple) else (y,))]


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_batches_and_dtypes(row):
    lead = (2,) if row.batched else ()
    for dtype in DTYPES:
        kind = np.dtype(dtype).kind
        xs = row.data(np.random.default_rng(4), lead, kind)
        single = np.finfo(dtype).eps > 1e-10
        want = parts(row.f(*map(sa.asarray, xs)))
        got = parts(row.f(*(sa.asarray(x.astype(dtype)) for x in xs)))
        tolerance = 2e-3 if single else 1e-9
        for g, w in zip(got, want):
            allowed = {dtype, np.dtype(dtype).type(0).real.dtype.name, np.result_type(dtype, "complex64").name}
            assert g.dtype.name in allowed, (row.name, dtype)
            assert g.shape == w.shape and np.allclose(g, w, rtol=tolerance, atol=tolerance)
        for i in range(*lead) if lead else ():
            item = parts(row.f(*(sa.asarray(x[i]) for x in xs)))
            for g, w in zip(item, want):
                assert g.shape == w[i].shape and np.allclose(g, w[i], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("n", [0, 1])
def test_smallest_matrices(n):
    for lead in ((), (2,), (0,)):
        a = np.ones((*lead, n, n)) * 4.0
        for name in (
            *(
                "cholesky",
                "qr",
                "eigh",
                "eigvalsh",
                "eig",
                "eigvals",
                "svd",
                "svdvals",
                "lu",
                "lu_factor",
                "polar",
                "inv",
            ),
            *(
                "orth",
                "null_space",
                "pinv",
                "det",
                "slogdet",
                "expm",
                "cosm",
                "sinm",
                "tanm",
                "coshm",
                "sinhm",
                "tanhm",
            ),
            *("signm", "matrix_norm", "matrix_rank", "trace", "diagonal", "matrix_transpose"),
            *("schur", "hessenberg", "sqrtm", "logm"),
        ):
            got = parts(getattr(L, name)(a))
            assert all(g.shape[: len(lead)] == lead for g in got), name
            peer = getattr(np.linalg, name, None)
            if peer is not None and name not in ("eig", "eigvals", "matrix_norm"):
                for g, w in zip(got, parts(peer(a))):
                    assert g.shape == w.shape and close(np.abs(g), np.abs(w)), name
        b = np.ones((*lead, n, 2))
        for f in (
            L.solve,
            lambda a, b: L.lu_solve(L.lu_factor(a), b),
            lambda a, b: L.lstsq(a, b).x,
            L.solve_triangular,
        ):
            assert close(f(a, b), b / 4)
        assert close(L.solve_discrete_lyapunov(a / 8, a), a / 0.75)
        assert close(L.solve_sylvester(a, a, a), 0.5 if n else a)
        for k in (0, 3, -2):
            assert close(L.matrix_power(a, k), 4.0**k)
        assert L.cg(a, b[..., 0])[0].shape == L.gmres(a, b[..., 0])[0].shape == (*lead, n)


def test_whole_numbers_count_as_float64():
    a = [[2, 1], [1, 3]]
    for name in sorted({row.name for row in ROWS if row.data is matrix} - {"hermitian_function"}):
        got = parts(getattr(L, name)(a, *([-2] if name == "matrix_power" else [])))
        if name not in ("diagonal", "trace", "matrix_transpose"):
            assert got[0].dtype in (np.float64, np.complex128), name
        wide = parts(getattr(L, name)(np.array(a, "float64"), *([-2] if name == "matrix_power" else [])))
        assert all(np.array_equal(g, w) for g, w in zip(got, wide)), name


#: Functions of matrices (..., 3, 3), the second of which is bad.
FAILING = {
    "solve": lambda a: L.solve(a, np.ones((3, 1))),
    "inv": L.inv,
    "matrix_power": lambda a: L.matrix_power(a, -2),
    "cholesky": L.cholesky,
    "cho_factor": lambda a: L.cho_factor(a, lower=True)[0],
    "eigh": lambda a: L.eigh(np.eye(3), b=a).eigenvalues,
    "solve_triangular": lambda a: L.solve_triangular(a, np.ones((3, 1))),
    "lu_solve": lambda a: L.lu_solve(L.lu_factor(a), np.ones((3, 1))),
    "solve_banded": lambda a: L.solve_banded((1, 1), a, np.ones((3, 1))),
    "solve_toeplitz": lambda a: L.solve_toeplitz(sa.asarray(a)[..., 0], np.ones((3, 1))),
    "tanm": lambda a: L.solve(a, a),
    "solve_discrete_lyapunov": lambda a: L.solve_discrete_lyapunov(sa.eye(3) - a, np.eye(3)),
    "signm": L.signm,
}


@pytest.mark.parametrize("name", FAILING)
def test_one_bad_matrix_does_not_kill_a_batch(name):
    a = np.stack([4 * np.eye(3) + 0.1, np.zeros((3, 3)), 5 * np.eye(3) + 0.2])
    f = FAILING[name]
    with pytest.raises(np.linalg.LinAlgError, match=r"batch item.*\(?1"):
        f(a)
    with sa.errstate(linalg="nan"):
        y = np.asarray(f(a))
    assert np.all(np.isnan(y[1]).any())
    for i in (0, 2):
        assert np.allclose(y[i], np.asarray(f(a[i : i + 1]))[0], rtol=1e-14)


@pytest.mark.parametrize("n", [3, 20])
def test_items_that_are_not_finite_leave_the_others_alone(n):
    a = np.diag(np.arange(1.0, n + 1)) + 0.1 * np.random.default_rng(5).standard_normal((3, n, n))
    a = a @ np.swapaxes(a, 1, 2) / n
    for name in (
        *("lu", "polar", "pinv", "slogdet", "cond", "expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "signm"),
        *("sqrtm", "logm", "schur", "hessenberg"),
    ):
        want = parts(getattr(L, name)(a))
        for bad in (np.nan, np.inf):
            b = a.copy()
            b[1, 0, 0] = bad
            with sa.errstate(linalg="nan"):
                got = parts(getattr(L, name)(b))
            assert all(np.allclose(g[[0, 2]], w[[0, 2]], rtol=1e-12) for g, w in zip(got, want)), name
            assert any(not np.all(np.isfinite(g[1])) for g in got), name


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_huge_and_tiny_elements(scale):
    a = np.diag([1.0, 2.0, 3.0]) + 0.1 * np.random.default_rng(6).standard_normal((3, 3))
    assert close(L.signm(a * scale), L.signm(a))
    assert close(L.cond(a * scale), L.cond(a))
    for got, want, factor in zip(L.polar(a * scale), L.polar(a), (1, scale)):
        assert close(np.asarray(got) / factor, want)
    assert close(np.asarray(L.inv(a * scale)) * scale, L.inv(a))
    assert close(np.asarray(L.pinv(a * scale)) * scale, L.pinv(a))
    assert close(L.solve(a * scale, a * scale), np.eye(3))
    assert close(L.lstsq(a * scale, a * scale).x, np.eye(3))
    assert close(np.asarray(L.sqrtm(a * scale)) / np.sqrt(scale), L.sqrtm(a))
    assert np.allclose(L.logm(a * scale), np.asarray(L.logm(a)) + np.log(scale) * np.eye(3), rtol=1e-12, atol=1e-11)
