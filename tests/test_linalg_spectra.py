"""Factorizations of matrices with hard spectra, at the sizes where kernels change, by LAPACK and without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sciarray as sa
from sciarray import _core
from sciarray.testing import matrices

L = sa.linalg
SIDES = [0, 1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129]


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def unit_of(a):
    """A power of two near the largest element, and eps times the longer side."""
    largest = np.max(np.abs(a), initial=0.0)
    unit = 2.0 ** np.floor(np.log2(largest)) if largest > 0 else 1.0
    return unit, 30 * np.finfo(a.dtype).eps * max(1, *a.shape[-2:])


def wide(*xs):
    return [np.asarray(x).astype(np.complex128 if np.asarray(x).dtype.kind == "c" else np.float64) for x in xs]


def assert_small(x, bound):
    assert np.all(np.isfinite(x))
    assert np.max(np.abs(x), initial=0.0) <= bound


def assert_orthonormal(Q, bound):
    assert_small(adjoint(Q) @ Q - np.eye(Q.shape[-1]), bound)


def size_of(x):
    return np.max(np.linalg.norm(x, axis=(-2, -1)), initial=0.0)


def check_general(array):
    a = np.asarray(array)
    unit, bound = unit_of(a)
    (x,) = wide(a / a.dtype.type(unit))
    size = size_of(x)
    U, s, Vh = wide(*L.svd(array, full_matrices=False))
    s = s / unit
    assert np.all(s >= 0) and np.all(np.diff(s, axis=-1) <= 0)
    assert_small((U * s[..., None, :]) @ Vh - x, bound * size)
    assert_orthonormal(U, bound)
    assert_orthonormal(adjoint(Vh), bound)
    assert_small(wide(L.svdvals(array))[0] / unit - s, bound * size)
    Q, R = wide(*L.qr(array))
    assert_small(Q @ (R / unit) - x, bound * size)
    assert_orthonormal(Q, bound)
    P, lower, upper = wide(*L.lu(array))
    product = lower @ (upper / unit)
    growth = np.max(np.abs(lower) @ np.abs(upper / unit), initial=0.0)
    assert_small(P @ product - x, bound * growth)
    # LAPACK takes the pivot of the largest sum of real and imaginary magnitude.
    assert np.all(np.abs(lower) <= (np.sqrt(2) if a.dtype.kind == "c" else 1) + bound)


def check_square(array):
    a = np.asarray(array)
    unit, bound = unit_of(a)
    (x,) = wide(a / a.dtype.type(unit))
    size = size_of(x)
    w, V = wide(*L.eig(array))
    w = w / unit
    assert_small(x @ V - V * w[..., None, :], bound * max(size, 1e-300) * (1 if a.shape[-1] else 0))
    sign, log = wide(*L.slogdet(array))
    values = np.linalg.svd(x, compute_uv=False)
    small = np.min(values, axis=-1, initial=np.inf)
    regular = small > bound * size
    expected = np.sum(np.log(np.where(values > 0, values, 1)), axis=-1) + a.shape[-1] * np.log(unit)
    error = np.where(regular, np.abs(log - expected), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.all(error <= np.where(regular, bound * (10 + size / small + np.abs(expected)), 0))
        assert np.allclose(np.abs(sign[regular]), 1)
    # Backward stable: the residual is small whatever the condition.
    b = np.asarray(array) @ np.ones((a.shape[-1], 1), a.dtype)
    with sa.errstate(linalg="nan"):
        (y,) = wide(L.solve(array, b))
    good = np.all(np.isfinite(y), axis=(-2, -1))
    assert np.all(good | ~regular)
    residual = x @ np.where(good[..., None, None], y, 0) - np.where(good[..., None, None], wide(b)[0] / unit, 0)
    length = np.max(np.linalg.norm(np.where(good[..., None, None], y, 0), axis=(-2, -1)), initial=0.0)
    assert_small(residual, bound * size * max(1.0, length))


def check_hermitian(array, definite):
    a = np.asarray(array)
    unit, bound = unit_of(a)
    (x,) = wide(a / a.dtype.type(unit))
    size = size_of(x)
    for UPLO in "LU":
        w, V = wide(*L.eigh(array, UPLO))
        w = w / unit
        assert np.all(np.diff(w, axis=-1) >= 0)
        assert_small((V * w[..., None, :]) @ adjoint(V) - x, bound * size)
        assert_orthonormal(V, bound)
        assert_small(wide(L.eigvalsh(array, UPLO))[0] / unit - w, bound * size)
    if definite:
        for upper in (False, True):
            (F,) = wide(L.cholesky(array, upper=upper))
            F = F / np.sqrt(unit)
            assert_small((adjoint(F) @ F if upper else F @ adjoint(F)) - x, bound * size)


def examples(n):
    return settings(max_examples=10 if n <= 17 else 4 if n <= 33 else 2)


@pytest.mark.parametrize("n", SIDES)
def test_general(n):
    rows = st.sampled_from([n, n + 1, 2 * n] if n <= 33 else [n])

    @examples(n)
    @given(rows.flatmap(lambda m: st.sampled_from([(m, n), (n, m)])).flatmap(lambda s: matrices(shape=s)))
    def test(a):
        check_general(a)

    test()


@pytest.mark.parametrize("n", SIDES)
def test_square(n):
    @examples(n)
    @given(matrices(shape=(n, n), structure=st.sampled_from(["general", "defective", "hermitian"])))
    def test(a):
        check_square(a)

    test()


@pytest.mark.parametrize("n", SIDES)
def test_hermitian(n):
    regular = st.sampled_from(["separate", "clustered", "repeated", "huge", "tiny"])

    @examples(n)
    @given(st.booleans().flatmap(lambda d: st.tuples(st.just(d), matrices(
        shape=(n, n), structure="definite" if d else "hermitian", spectrum=regular if d else None))))  # fmt: skip
    def test(drawn):
        definite, a = drawn
        check_hermitian(a, definite)

    test()


@given(st.integers(1, 17).flatmap(lambda n: matrices(shape=(5, n, n), structure="definite", spectrum="separate")))
def test_batches(a):
    check_general(a)
    check_square(a)
    check_hermitian(a, True)


@given(st.data())
def test_matrices_are_what_they_are_called(data):
    n = data.draw(st.sampled_from([1, 2, 5, 16]))
    a = np.asarray(data.draw(matrices("float64", (2, n, n), structure="hermitian", spectrum="singular")))
    assert np.array_equal(a, adjoint(a)) and np.all(np.linalg.matrix_rank(a, tol=1e-8) == (n + 1) // 2)
    a = np.asarray(data.draw(matrices("complex64", (n, 3), spectrum="projector")))
    assert a.dtype == np.complex64 and np.allclose(a @ adjoint(a) @ a, a, atol=1e-5)
    a = np.asarray(data.draw(matrices("float64", (n, n), structure="defective", spectrum="separate")))
    assert n < 3 or np.linalg.cond(np.linalg.eig(a)[1]) > 1e4
    a = np.asarray(data.draw(matrices("float32", (n, n), spectrum="huge")))
    assert np.all(np.isfinite(a)) and np.max(np.abs(a)) > 1e36
    for wrong in ({"structure": "triangular"}, {"spectrum": "white"}, {"shape": (2, 3), "structure": "definite"}):
        with pytest.raises(ValueError, match="matrices: "):
            data.draw(matrices(**wrong))


# Two defects of faer 0.24.4 in its divide and conquer, for n >= 129: results that depend on the scale, and wrong singular
# values of projectors.
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("factor", [1.0, 10.0, 1e8, 1e-20])
def test_the_scale_of_a_large_symmetric_matrix_does_not_matter(dtype, factor):
    a = np.random.default_rng(0).standard_normal((129, 129))
    check_hermitian(sa.asarray(((a + a.T) * factor).astype(dtype)), False)


def test_singular_values_of_projectors_of_every_rank():
    rng = np.random.default_rng(1)
    factors = [np.linalg.qr(rng.standard_normal((150, rank)))[0] for rank in range(1, 151)]
    a = np.stack([Q @ Q.T for Q in factors])
    s = np.asarray(L.svdvals(a))
    assert np.max(np.abs(s - (np.arange(150) < np.arange(1, 151)[:, None]))) < 1e-12
    check_general(sa.asarray(a[75]))


@pytest.mark.skipif(not _core.has_lapack(), reason="this is the run without LAPACK")
@pytest.mark.parametrize("of", ["decompositions", "factors", "functions", "spectra", "systems"])
def test_without_lapack(of):
    file = Path(__file__).with_name(f"test_linalg_{of}.py")
    args = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(args, env={**os.environ, "SCIARRAY_LAPACK": ""}, capture_output=True, text=True)
    assert done.returncode == 0 and ("skipped" in done.stdout) == (of == "spectra"), done.stdout[-4000:]
