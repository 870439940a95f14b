"""Linear algebra on a device beyond the kernels of small matrices: NVIDIA's libraries, blocks of our own, banded systems."""

import ctypes
import threading
import time

import numpy as np
import pytest
from cuda_host import same, same_bits
from test_device_parity import both

import sciarray as sa

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")

la = sa.linalg
DTYPES = ["float32", "float64", "complex64", "complex128"]


def samples(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def adjoint(x):
    return sa.conj(sa.matrix_transpose(x))


def near(f, *args, digits=0.6):
    """Results of both devices agree to a part of the digits of their dtype."""
    for cpu, gpu in both(f, *args):
        assert gpu.dtype == cpu.dtype and gpu.shape == cpu.shape
        if cpu.dtype.kind not in "fc":
            assert same(gpu, cpu)
            continue
        size = np.abs(cpu)
        scale = size[np.isfinite(size)].max(initial=1e-30)
        np.testing.assert_allclose(gpu / scale, cpu / scale, rtol=0, atol=np.finfo(cpu.dtype).eps ** digits)


def definite(a):
    return a @ a.conj().swapaxes(-1, -2) / a.shape[-1] + np.eye(a.shape[-1], dtype=a.dtype)


@pytest.fixture(params=DTYPES)
def dtype(request):
    return request.param


def test_products(dtype):
    for lead_a, lead_b, n, k, m in [
        ((), (), 33, 64, 100),
        ((), (), 1, 100, 1),
        ((), (), 40, 1, 50),
        ((3,), (3,), 33, 34, 35),
        ((5,), (), 3, 40, 4),
        ((), (5,), 40, 3, 4),
        ((2, 1, 3), (4, 1), 5, 33, 2),
        ((0,), (), 40, 40, 40),
        ((2,), (2,), 40, 0, 3),
    ]:
        a, b = samples((*lead_a, n, k), dtype, 1), samples((*lead_b, k, m), dtype, 2)
        near(sa.matmul, a, b)
        near(lambda a, b: sa.matmul(sa.matrix_transpose(b), sa.matrix_transpose(a)), a, b)
        # Rows and columns with gaps, in reverse, and repeated.
        near(lambda a, b: sa.matmul(a[..., ::2, :], b[..., ::-1]), a, b)
        near(lambda a, b: sa.matmul(a[..., 1:], b[..., 1:, :]), a, b)
        near(lambda a, b: sa.matmul(sa.broadcast_to(a[..., :1, :], a.shape), b), a, b)
    # More than one call takes.
    x = np.arange(70000 * 33, dtype="float32").astype(dtype).reshape(70000, 1, 33)[::-1] / 2**20
    near(lambda x: x @ sa.matrix_transpose(x), x)
    a, b = samples((7, 50, 40), dtype), samples((40, 60), dtype)
    first, again = (sa.matmul(*(sa.asarray(x, device="cuda") for x in (a, b))).to("cpu").numpy() for _ in range(2))
    assert same_bits(first, again)


def test_products_of_integers_have_a_kernel_of_their_own():
    x = np.random.default_rng(1).integers(-100, 100, (50, 60)).astype("int16")
    for cpu, gpu in both(lambda x: x @ x.T, x):
        assert same(gpu, cpu)


# One matrix, a batch that goes to routines for batches, and one of matrices that are too large for these.
SHAPES = [((), 33), ((), 100), ((2, 3), 64), ((2,), 300), ((0,), 40)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_systems(shape, dtype):
    lead, n = shape
    # Of good condition, with rows to exchange.
    a = samples((*lead, n, n), dtype) / np.float32(2 * n**0.5) + np.eye(n, dtype=dtype)
    a = a[..., np.random.default_rng(n).permutation(n), :]
    b, vector = samples((n, 5), dtype, 1), samples(n, dtype, 2)
    near(la.solve, a, b)
    near(la.solve, a, vector)
    near(lambda a, b: la.solve(sa.matrix_transpose(a), b[:, ::2]), a, b)
    near(la.inv, a)
    near(lambda a: la.slogdet(a), a)
    near(la.det, a)
    near(lambda a: la.lu(a), a)
    near(lambda a: la.lu(a[..., : n // 2]), a)
    near(lambda a, b: la.lu_solve(la.lu_factor(a), b), a, b)
    near(lambda a, b: la.lu_solve(la.lu_factor(sa.matrix_transpose(a)), b, trans=2), a, b)
    near(lambda a: la.lu_factor(a), a)


@pytest.mark.parametrize(
    ("f", "call", "items", "n", "times"),
    [
        (la.lu_factor, "cublas<t>getrfBatched", 1, 100, 0),
        (la.lu_factor, "cublas<t>getrfBatched", 3, 256, 1),
        (la.lu_factor, "cublas<t>getrfBatched", 3, 257, 0),
        (la.lu_factor, "cublas<t>getrfBatched", 4, 512, 1),
        (la.lu_factor, "cublas<t>getrfBatched", 4, 513, 0),
        (la.cholesky, "cusolverDn<t>potrfBatched", 4, 512, 1),
        (la.cholesky, "cusolverDn<t>potrfBatched", 4, 513, 0),
        (la.qr, "cusolverDnXgeqrf", 15, 128, 15),
        (la.qr, "cusolverDnXgeqrf", 16, 128, 0),
        (la.qr, "cusolverDnXgeqrf", 16, 129, 16),
    ],
)
def test_ways_of_batches(f, call, items, n, times):
    """Whole batches, matrix after matrix, or kernels of our own, by the number and the size of the matrices."""
    try:
        standin = ctypes.CDLL("libcublas.so.13" if call.startswith("cublas") else "libcusolver.so.12")
        calls = standin.standin_calls
    except (OSError, AttributeError):
        pytest.skip("the calls are counted by the stand-in")
    a = samples((items, n, n), "float32") / np.float32(2 * n**0.5) + np.eye(n, dtype="float32")
    a = a + np.swapaxes(a, 1, 2) if f is la.cholesky else a
    before = calls(call.encode())
    near(f, a)
    assert calls(call.encode()) == before + times


def test_a_bad_pivot_among_many():
    factors = la.lu_factor(sa.asarray(samples((1030, 3, 3), "float64")))
    pivots = np.array(factors.piv)
    pivots[700, 1] = 9
    lu, b = sa.asarray(factors.lu, device="cuda"), sa.asarray(np.ones((3, 1)), device="cuda")
    with pytest.raises(ValueError, match=r"lu_solve: pivots must be in \[0, 3\), got 9"):
        la.lu_solve((lu, sa.asarray(pivots, device="cuda")), b)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_triangles(shape, dtype):
    lead, n = shape
    a, b = samples((*lead, n, n), dtype), samples((n, 3), dtype, 1)
    t = a / n + 2 * np.eye(n, dtype=dtype)
    for lower in (False, True):
        for unit in (False, True):
            for trans in (0, 1, 2):
                for turn in (lambda t: t, sa.matrix_transpose):
                    near(
                        lambda t, b, lower=lower, unit=unit, trans=trans, turn=turn: la.solve_triangular(
                            turn(t), b, trans=trans, lower=lower, unit_diagonal=unit
                        ),
                        t,
                        b,
                    )
    h = definite(a)
    near(la.cholesky, h)
    near(lambda h: la.cholesky(h, upper=True), h)
    near(lambda h, b: la.cho_solve((la.cholesky(h), True), b), h, b)
    # Of one triangle the other is not read, nor imaginary parts on the diagonal.
    mixed = np.tril(h) + np.triu(np.full((n, n), np.nan, dtype), 1) + (1j * np.eye(n) if h.dtype.kind == "c" else 0)
    near(la.cholesky, mixed.astype(dtype))
    near(lambda x: la.cholesky(sa.matrix_transpose(x), upper=True), mixed.astype(dtype))


@pytest.mark.parametrize("shape", [(33, 33), (100, 40), (40, 100), (2, 64, 5), (2, 5, 64), (2, 3, 34, 33), (0, 40, 3)])
def test_orthogonal_factors(shape, dtype):
    a = samples(shape, dtype) * 2.0**40
    near(lambda a: la.qr(a), a)
    near(lambda a: la.qr(a, mode="r"), a)
    near(lambda a: la.qr(sa.matrix_transpose(a)), a)
    near(lambda a: la.qr(a, pivoting=True), a)
    near(lambda a: la.qr(sa.matrix_transpose(a)[..., ::-1, :], mode="r", pivoting=True), a)
    k = min(shape[-2:])

    def whole(a, pivoting):
        q, r, *order = la.qr(a, mode="complete", pivoting=pivoting)
        return q[..., :k], r, q @ r, adjoint(q) @ q, *order

    for pivoting in (False, True):
        near(lambda a, pivoting=pivoting: whole(a, pivoting), a)
    near(la.svdvals, a)

    def product(a, full):
        u, s, vh = la.svd(a, full_matrices=full)
        return s, (u[..., :k] * s[..., None, :]) @ vh[..., :k, :], adjoint(u) @ u, vh @ adjoint(vh)

    for full in (False, True):
        near(lambda a, full=full: product(a, full), a)
        near(lambda a, full=full: product(sa.matrix_transpose(a), full), a)


@pytest.mark.parametrize("shape", [((), 33), ((2, 2), 50), ((0,), 40)], ids=str)
def test_eigenvalues(shape, dtype):
    lead, n = shape
    # Squares of the elements leave the range of the dtype.
    a = samples((*lead, n, n), dtype) * np.array(2.0, dtype).real ** (
        100 if "32" in dtype or "64" == dtype[-2:] else 600
    )
    a = a if np.isfinite(a).all() else samples((*lead, n, n), dtype)
    h = (a + a.conj().swapaxes(-1, -2)) / 2

    def spectral(h, **kind):
        w, v = la.eigh(h, **kind)
        return w, (v * w[..., None, :]) @ adjoint(v), adjoint(v) @ v

    near(spectral, h)
    near(la.eigvalsh, h)
    mixed = np.tril(h) + np.triu(np.full((n, n), np.nan, dtype), 1)
    near(la.eigvalsh, mixed)
    near(lambda x: spectral(sa.matrix_transpose(x), UPLO="U"), mixed)

    a = samples((*lead, n, n), dtype, 3)

    def general(a):
        w, v = la.eig(a)
        lengths = sa.sum(sa.abs(v) ** 2, axis=-2)
        return (v * w[..., None, :]) @ la.inv(v), lengths, sa.sum(la.eigvals(a) ** 2, axis=-1)

    near(general, a, digits=0.4)
    if np.dtype(dtype).kind == "f":
        w, v = (x.to("cpu").numpy() for x in la.eig(sa.asarray(a, device="cuda")))
        pair = w.imag > 0
        assert same_bits(w[np.roll(pair, 1, -1)], w[pair].conj())
        columns = v.swapaxes(-1, -2)
        assert same_bits(columns[np.roll(pair, 1, -1)], columns[pair].conj()) and not columns[w.imag == 0].imag.any()


def test_failing_items_are_named_or_become_nan(dtype):
    n = 40
    for lead, at in (((3,), (1,)), ((2, 2), (0, 1))):
        a = samples((*lead, n, n), dtype) + 3 * np.eye(n, dtype=dtype)
        a[at][7] = 0
        b = samples((n, 2), dtype)
        h = definite(a)
        h[at][9, 9] = -1
        t = np.tril(h)
        t[at][5, 5] = 0
        where = ", ".join(map(str, at)) + ("," if len(at) == 1 else "")
        cases = [
            ("solve: A is singular", la.solve, (a, b)),
            ("inv: A is singular", la.inv, (a,)),
            ("cholesky: A is not positive definite", la.cholesky, (h,)),
            ("solve_triangular: A is singular", lambda t, b: la.solve_triangular(t, b, lower=True), (t, b)),
        ]
        for words, f, args in cases:
            errors = []
            for device in ("cpu", "cuda"):
                with pytest.raises(np.linalg.LinAlgError, match=rf"{words} in batch item \({where}\)") as raised:
                    f(*(sa.asarray(x, device=device) for x in args))
                errors.append(str(raised.value))
            assert errors[0] == errors[1] or "singular" in words
            with sa.errstate(linalg="nan"):
                x = f(*(sa.asarray(x, device="cuda") for x in args)).to("cpu").numpy()
            bad = np.isnan(x).reshape(*lead, -1)
            assert bad[at].all() and bad.sum() == bad[at].size
        # A singular matrix has a determinant and factors, and more are named where more fail.
        near(lambda a: (la.det(a / 10), *la.slogdet(a)), a, digits=0.4)
        with pytest.raises(np.linalg.LinAlgError, match=r"in \d batch items, the first is \(0"):
            la.cholesky(sa.asarray(-h, device="cuda"))


def test_what_is_not_finite_stays_in_its_item(dtype):
    a = samples((3, 34, 34), dtype)
    expected = {}
    calls = {
        "eigh": lambda x: la.eigh(x),
        "svd": lambda x: la.svd(x),
        "svdvals": lambda x: (la.svdvals(x),),
        "qr": lambda x: la.qr(x),
        "eig": lambda x: la.eig(x),
        "eigvals": lambda x: (la.eigvals(x),),
        "schur": lambda x: la.schur(x),
        "hessenberg": lambda x: la.hessenberg(x, calc_q=True),
        "pivoted qr": lambda x: la.qr(x, pivoting=True),
    }
    for bad in (np.nan, np.inf):
        x = a.copy()
        x[1, 3, 2] = bad
        for name, f in calls.items():
            with sa.errstate(linalg="nan"):
                got = [y.to("cpu").numpy() for y in f(sa.asarray(x, device="cuda"))]
                clean = expected.setdefault(name, [y.to("cpu").numpy() for y in f(sa.asarray(a, device="cuda"))])
            for y, z in zip(got, clean):
                if y.dtype.kind == "i":
                    assert same(y[1], np.arange(34)), name
                else:
                    assert np.isnan(y[1]).all() if name != "qr" else np.isnan(np.diagonal(y[1])).all(), name
                assert same_bits(y[[0, 2]], z[[0, 2]]), name


GRADIENTS = {
    "matmul": lambda x: sa.sum((x @ sa.matrix_transpose(x)) ** 2),
    "solve": lambda x: sa.sum(la.solve(x + 4 * sa.eye(34, device=x.device), x[..., :3]) ** 2),
    "inv": lambda x: sa.sum(la.inv(x + 9 * sa.eye(34, device=x.device)) ** 2),
    "slogdet": lambda x: sa.sum(la.slogdet(x + 9 * sa.eye(34, device=x.device))[1]),
    "cholesky": lambda x: sa.sum(la.cholesky(x @ sa.matrix_transpose(x) + sa.eye(34, device=x.device)) ** 3),
    "eigh": lambda x: sa.sum(la.eigh(x + sa.matrix_transpose(x))[1][..., 0] ** 4),
    "svd": lambda x: sa.sum(la.svd(x)[0][..., 0] ** 4) + sa.sum(la.svdvals(x) ** 3),
    "qr": lambda x: sa.sum(la.qr(x)[0] ** 3) + sa.sum(la.qr(x, mode="r") ** 3),
    "pivoted qr": lambda x: sum(sa.sum(y**3) for y in la.qr(x, pivoting=True)[:2]),
    "lu": lambda x: sa.sum(la.lu(x)[2] ** 3),
    "eig": lambda x: sa.sum(sa.abs(la.eig(x)[1]) ** 4),
    "det": lambda x: sa.sum(la.det(x / 5)),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name):
    f = GRADIENTS[name]
    x = samples((2, 34, 34), "float64", 4)
    near(sa.grad(f), x, digits=0.4)
    recorded = sa.record(sa.grad(f))
    for seed in range(4):
        x = sa.asarray(samples((2, 34, 34), "float64", seed), device="cuda")
        assert same_bits(recorded(x).to("cpu").numpy(), sa.grad(f)(x).to("cpu").numpy())


def squared(T, Z):
    """What does not depend on the order of the eigenvalues."""
    return Z @ (T @ T) @ sa.matrix_transpose(Z)


# Formulas over these, which bring constants of their own.
COMPOSITES = {
    "lstsq": lambda x: la.lstsq(x, x[:, :2] ** 2)[0],
    "pinv": lambda x: la.pinv(x),
    "expm": lambda x: la.expm(x[:40] / 20),
    "polar": lambda x: la.polar(x)[0],
    "norm": lambda x: la.norm(x, 2) + la.norm(x, "nuc"),
    "cond": lambda x: la.cond(x),
    "lu": lambda x: la.lu(x)[1] + sa.sum(la.lu(x)[2]),
    "hessenberg": lambda x: la.hessenberg(x[:40])[:3],
    "schur": lambda x: squared(*la.schur(x[:34, :34] + sa.matrix_transpose(x[:34, :34]))),
    "ldl": lambda x: sa.sum(la.ldl(x[:40] + sa.matrix_transpose(x[:40]))[1] ** 2),
    "sqrtm": lambda x: la.sqrtm(x[:40] @ sa.matrix_transpose(x[:40]) / 40 + sa.eye(40, device=x.device)),
    "logm": lambda x: la.logm(x[:40] @ sa.matrix_transpose(x[:40]) / 40 + sa.eye(40, device=x.device)),
    "sylvester": lambda x: la.solve_sylvester(
        x[:40] + 9 * sa.eye(40, device=x.device), sa.eye(2, device=x.device), x[:40, :2]
    ),
    "generalized": lambda x: la.eigh(x[:40], b=x.mT @ x / 40 + sa.eye(40, device=x.device))[0],
    "structured": lambda x: la.companion(x[0]) + la.hankel(x[0, :39]),
}


@pytest.mark.parametrize("name", COMPOSITES)
def test_composites_and_their_gradients(name):
    f = COMPOSITES[name]
    x = samples((50, 40), "float64", 9)
    near(lambda x: sa.abs(f(x)), x)
    near(sa.grad(lambda x: sa.sum(sa.abs(f(x)) ** 3)), x, digits=0.4)


def test_second_derivatives():
    v = samples((34, 34), "float64", 5)
    f = lambda x: sa.sum(la.solve(x, x[:, :2] ** 2))

    def product(x, v):
        return sa.grad(lambda x: sa.sum(sa.grad(f)(x) * v))(x)

    near(product, samples((34, 34), "float64", 6) + 9 * np.eye(34), v, digits=0.5)
    near(lambda x, v: sa.jvp(la.cholesky, (x,), (v,))[1], definite(samples((34, 34), "float64", 7)), v)


@pytest.mark.parametrize("shape", [(40, 0), (3, 0), (0, 40), (2, 0, 3), (0, 0)], ids=str)
def test_factors_of_nothing(shape):
    a = np.zeros(shape)
    near(lambda a: (*la.qr(a, mode="complete", pivoting=True), *la.qr(a, mode="complete"), *la.svd(a)), a)
    near(lambda a: (la.pinv(a), la.matrix_rank(a), *la.lstsq(a, sa.ones((a.shape[-2], 2), device=a.device))), a)


# By parts of warps, and by blocks of 64 and 128 threads.
@pytest.mark.parametrize("shape", [((3,), 8), ((), 33), ((2, 2), 64), ((), 100), ((0,), 40)], ids=str)
def test_similarities(shape, dtype):
    lead, n = shape
    a = samples((*lead, n, n), dtype) * 2.0**40
    near(lambda a: la.hessenberg(a, calc_q=True), a, digits=0.5)
    near(lambda a: la.hessenberg(sa.matrix_transpose(a)[..., ::-1, :]), a, digits=0.5)
    for kind in ("real", "complex") if n < 100 else ("real",):

        def product(a, kind=kind):
            t, z = la.schur(a, kind)
            return z @ t @ adjoint(z), adjoint(z) @ z, sa.sum(sa.square(sa.trace(t / 2.0**40, axis1=-2, axis2=-1)))

        near(product, a, digits=0.5)
        t = la.schur(sa.asarray(a, device="cuda"), kind)[0].to("cpu").numpy()
        down = np.diagonal(t, -1, -2, -1)
        assert not np.tril(t, -2).any() and not (
            down.any() if t.dtype.kind == "c" else (down[..., 1:] * down[..., :-1]).any()
        )
        again = la.schur(sa.asarray(a, device="cuda"), kind)[0].to("cpu").numpy()
        assert same_bits(t, again)


@pytest.mark.parametrize("n", [9, 16, 24, 40])
def test_factors_of_a_low_rank_are_orthogonal(n, dtype):
    """What rounding leaves after the first step is small, and smaller after each: its squares leave the range of float32."""
    a = np.ones((n, n), dtype)
    graded = samples((n, n), dtype) * (2.0 ** -np.linspace(0, 120, n)).astype("float32")
    for x in (a, np.stack([a, graded])):
        for f in (
            lambda x: la.hessenberg(x, calc_q=True)[1],
            lambda x: la.schur(x)[1],
            lambda x: la.qr(x)[0],
            lambda x: la.qr(x, pivoting=True)[0],
            lambda x: la.svd(x)[0],
        ):
            near(lambda x, f=f: adjoint(f(x)) @ f(x), x)
    # Columns keep their digits beside much longer ones.
    near(lambda x: la.qr(x[..., ::-1], pivoting=True)[1] / sa.max(sa.abs(x), axis=0), graded)


def test_batches_that_blocks_factor(dtype):
    """Q and R of 16 matrices and more, which the library has one after the other."""
    for shape in ((16, 40, 33), (4, 5, 33, 34), (17, 1, 40)):
        a = samples(shape, dtype)
        near(la.qr, a)
        near(lambda a: la.qr(a, mode="r"), a)
        near(lambda a: la.qr(a, mode="complete")[0], a)
    near(sa.grad(lambda a: sa.sum(sa.abs(la.qr(a)[1]) ** 3)), samples((16, 36, 33), dtype), digits=0.4)


def test_batches_of_medium_matrices():
    a = definite(samples((4, 300, 300), "float64"))
    near(lambda a: (la.cholesky(a), la.inv(a), *la.slogdet(a)), a)
    near(la.solve, a, samples((4, 300, 2), "float64", 1))


def test_failures_in_long_batches():
    a = samples((3000, 3, 3), "float64") + 9 * np.eye(3)
    near(la.inv, a)
    a[2345, :, 2] = 0
    with pytest.raises(np.linalg.LinAlgError, match=r"inv: A is singular in batch item \(2345,\)"):
        la.inv(sa.asarray(a, device="cuda"))


def test_rows_beyond_the_threads_of_a_block():
    a = samples((257, 257), "float32")
    near(la.hessenberg, a, digits=0.4)
    near(lambda a: la.ldl(a + sa.matrix_transpose(a)), a, digits=0.4)
    near(lambda a: la.qr(a[:, :40], pivoting=True), a)
    near(lambda a: la.qr(a[:40], pivoting=True), a)


def test_block_diagonal_factors(dtype):
    for lead, n in (
        ((), 1),
        ((), 2),
        ((3,), 5),
        ((2, 2), 8),
        ((0,), 4),
        ((), 17),
        ((), 32),
        ((), 33),
        ((2,), 64),
        ((), 100),
    ):
        a = samples((*lead, n, n), dtype)
        for hermitian in (True, False):
            h = a + (a.conj() if hermitian else a).swapaxes(-1, -2)
            for lower in (True, False):
                f = lambda h, lower=lower, hermitian=hermitian: la.ldl(h, lower=lower, hermitian=hermitian)
                digits = 0.6 if n <= 32 else 0.5
                for scale in (1.0, 2.0**60) if n <= 32 else (2.0**60,):
                    near(f, h * scale, digits=digits)
                near(lambda h, f=f: f(sa.matrix_transpose(h)[..., ::-1, ::-1]), h, digits=digits)
    for n in (4, 40):
        zero = np.zeros((2, n, n), dtype)
        zero[1, 2, 0] = zero[1, 0, 2] = 3
        near(la.ldl, zero)
        for cpu, gpu in both(la.ldl, np.where(np.arange(2)[:, None, None] == 1, np.nan, samples((2, n, n), dtype))):
            assert same(np.isnan(gpu), np.isnan(cpu))
    for n in (6, 34):
        x = samples((2, n, n), dtype, 8)
        near(sa.grad(lambda x: sum(sa.sum(sa.abs(y) ** 3) for y in la.ldl(x + adjoint(x))[:2])), x, digits=0.4)


def test_banded_systems(dtype):
    for lead, n, lower, upper, k in [
        ((), 1, 0, 0, 1),
        ((), 7, 1, 1, 3),
        ((3,), 50, 2, 1, 2),
        ((2, 2), 40, 0, 3, 1),
        ((), 300, 5, 4, 40),
        ((2,), 6, 5, 5, 2),
        ((0,), 4, 1, 1, 1),
    ]:
        ab, b = samples((*lead, lower + upper + 1, n), dtype), samples((*lead, n, k), dtype, 1)
        ab[..., upper, :] += 1
        f = lambda ab, b, lower=lower, upper=upper: la.solve_banded((lower, upper), ab, b)
        near(f, ab, b, digits=0.45)
        if dtype in ("float64", "complex128"):
            near(sa.grad(lambda ab, b, f=f: sa.sum(sa.abs(f(ab, b)) ** 2), argnums=(0, 1)), ab, b, digits=0.4)
    ab = np.ones((2, 3, 5), dtype)
    ab[:, 1] = 3
    ab[1, :, 3] = 0
    b = np.ones((2, 5, 1), dtype)
    with pytest.raises(np.linalg.LinAlgError, match=r"solve_banded: A is singular in batch item \(1,\), pivot"):
        la.solve_banded((1, 1), sa.asarray(ab, device="cuda"), sa.asarray(b, device="cuda"))
    with sa.errstate(linalg="nan"):
        near(lambda ab, b: sa.isnan(la.solve_banded((1, 1), ab, b)), ab, b)


def test_threads_and_devices_have_handles_of_their_own():
    a, b = samples((2, 40, 40), "float64") + 9 * np.eye(40), samples((40, 3), "float64", 1)

    def work(device, results):
        x, y = (sa.asarray(v, device=device) for v in (a, b))
        results.append(la.solve(x @ x, la.qr(x)[0] @ y))

    (want,) = (results := [], work("cpu", results), results)[0]
    for device in [f"cuda:{i}" for i in range(min(sa.cuda.device_count(), 2))]:
        work(device, [])
        sa.cuda.synchronize(device)
        used, results = sa.cuda.memory_stats(device)["used"], []
        for _ in range(2):
            thread = threading.Thread(target=work, args=(device, results))
            thread.start()
            thread.join()
        assert len(results) == 2
        for x in results:
            np.testing.assert_allclose(x.to("cpu").numpy(), want.numpy(), rtol=1e-11, atol=1e-13)
        del x, results
        # The workspaces of threads that have ended are given back, by the end of the thread, for which `join` need not wait.
        for _ in range(100):
            sa.cuda.synchronize(device)
            if sa.cuda.memory_stats(device)["used"] <= used + (1 << 20):
                break
            time.sleep(0.05)
        assert sa.cuda.memory_stats(device)["used"] <= used + (1 << 20)
