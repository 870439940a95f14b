"""The kernels of `cuda/linalg.cu` and `cuda/eigen.cu` on the host, against the CPU's."""

import numpy as np
import pytest
from cuda_host import c_type, elements, kernels, layout, pack, piece, same

import sciarray as sa

LOWER, UNIT, TRANSPOSED, CONJ, IDENTITY, LOGARITHM, SCHUR, PIVOTING = (1 << k for k in range(8))
CASES = [
    ("float64", 1),
    ("float64", 4),
    ("float64", 32),
    ("float32", 8),
    ("complex128", 4),
    ("complex128", 16),
    ("complex64", 32),
]
# A block per matrix, with fewer and with more rows than threads.
BLOCKS = [("float64", 64), ("complex64", 64)]
SIZES = {1: [1], 4: [3, 4], 8: [5, 7, 8], 16: [9, 13], 32: [17, 31, 32], 64: [33, 70]}


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    texts = {
        f"{file}_{dtype}_{size}": piece(f"{file}.cu", SA_T=c_type(dtype), SA_G=size)
        for dtype, size in CASES + BLOCKS
        for file in ("linalg", "eigen")
    }
    return kernels(tmp_path_factory.mktemp("linalg"), texts)


def samples(rng, shape, dtype):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def launch(host, case, kernel, a, x=None, y=None, columns=0, flags=0, pivots=None, batch=None, values=None):
    """Runs a kernel on the last two axes of its operands; returns values and info."""
    dtype, size = case
    batch = a.shape[:-2] if batch is None else batch
    items = int(np.prod(batch))
    m, n = a.shape[-2:]
    values = np.zeros((*batch, n), np.dtype(dtype).type(0).real.dtype) if values is None else values
    info = np.full(batch, -1)
    operands = [np.zeros((*batch, 0, 0), dtype) if v is None else v for v in (a, x, y)]
    matrices = [None if v is None else v for v in (a, x, y)]
    fields = [f for v, o in zip(matrices, operands) for f in (v, *elements(o)[-2:])]
    dims = layout(batch, *[elements(o)[:-2] for o in operands])
    # Two blocks, of which each takes what the other leaves; those that are groups have two matrices and four numbers per row.
    room = np.zeros(2 * (2 * m * (max(n, columns) + 1) + 4 * max(m, n)), dtype) if size > 32 else None
    p = pack(*fields, values, pivots, info, room, m, n, columns, items, flags, dims)
    threads = size if size > 32 else 32 if np.dtype(dtype).itemsize > 8 else 64
    if items:
        host.launch(
            f"{'eigen' if kernel in ('sa_eig', 'sa_similarity') else 'linalg'}_{dtype}_{size}", kernel, p, 2, threads
        )
    return values, info


def tolerance(dtype):
    return {"rtol": 2e-4, "atol": 2e-4} if np.finfo(dtype).eps > 1e-10 else {"rtol": 1e-10, "atol": 1e-11}


@pytest.fixture(params=CASES, ids=str)
def case(request):
    return request.param


@pytest.fixture(params=CASES + BLOCKS, ids=str)
def any_case(request):
    return request.param


def test_systems(host, case):
    rng = np.random.default_rng(1)
    dtype, size = case
    threads = 32 if np.dtype(dtype).itemsize > 8 else 64
    for n in SIZES[size]:
        # One group more and one less than fill a block; transposed matrices too.
        for batch in ((), (threads // size + 1,), (2, max(threads // size - 1, 1)), (0,)):
            a = samples(rng, (*batch, n, n), dtype)
            if len(batch) == 2:
                a = a.swapaxes(-1, -2)
            for columns in (1, 3, size + 1):
                b = samples(rng, (*batch, n, columns), dtype)
                y = np.zeros_like(b)
                _, info = launch(host, case, "sa_solve", a, b, y, columns)
                np.testing.assert_allclose(y, sa.linalg.solve(sa.asarray(a), sa.asarray(b)).numpy(), **tolerance(dtype))
                assert not info.any()
            inverse = np.zeros_like(a)
            launch(host, case, "sa_solve", a, None, inverse, n, IDENTITY)
            np.testing.assert_allclose(inverse, sa.linalg.inv(sa.asarray(a)).numpy(), **tolerance(dtype))

            lu, pivots = np.zeros_like(a), np.zeros((*batch, n), np.int64)
            launch(host, case, "sa_lu_factor", a, lu, pivots=pivots)
            for flags, form in (
                (0, a),
                (TRANSPOSED, a.swapaxes(-1, -2)),
                (TRANSPOSED | CONJ, a.swapaxes(-1, -2).conj()),
            ):
                launch(host, case, "sa_lu_solve", lu, b, y, b.shape[-1], flags, pivots)
                np.testing.assert_allclose(
                    y, sa.linalg.solve(sa.asarray(form), sa.asarray(b)).numpy(), **tolerance(dtype)
                )

            det = np.zeros((*batch, 1, 1), dtype)
            launch(host, case, "sa_determinant", a, det)
            np.testing.assert_allclose(det[..., 0, 0], sa.linalg.det(sa.asarray(a)).numpy(), **tolerance(dtype))
            values, _ = launch(host, case, "sa_determinant", a, det, flags=LOGARITHM)
            sign, log = (v.numpy() for v in sa.linalg.slogdet(sa.asarray(a)))
            np.testing.assert_allclose(det[..., 0, 0], sign, **tolerance(dtype))
            np.testing.assert_allclose(values.ravel()[: log.size].reshape(log.shape), log, **tolerance(dtype))

            h = a @ a.swapaxes(-1, -2).conj() + np.eye(n, dtype=dtype)
            factor = np.full_like(h, 7)
            _, info = launch(host, case, "sa_cholesky", h, factor)
            np.testing.assert_allclose(factor, sa.linalg.cholesky(sa.asarray(h)).numpy(), **tolerance(dtype))
            assert not info.any()
            for flags in (LOWER, TRANSPOSED | LOWER, LOWER | UNIT, LOWER | TRANSPOSED | CONJ):
                t = np.tril(factor)
                if flags & UNIT:
                    t = np.tril(t / size, -1) + np.eye(n, dtype=dtype)
                launch(host, case, "sa_triangular", np.ascontiguousarray(t), b, y, b.shape[-1], flags)
                t = t.conj() if flags & CONJ else t
                t = t.swapaxes(-1, -2) if flags & TRANSPOSED else t
                np.testing.assert_allclose(t @ y, b, **tolerance(dtype))


def test_failing_items_are_named_and_become_nan(host):
    case = ("float64", 4)
    a = np.array([np.eye(4), np.zeros((4, 4)), np.diag([1.0, 2, 0, 1]), 2 * np.eye(4)])
    b, y = np.ones((4, 4, 1)), np.zeros((4, 4, 1))
    _, info = launch(host, case, "sa_solve", a, b, y, 1)
    assert list(info) == [0, 1, 3, 0]
    assert np.isnan(y[[1, 2]]).all() and (y[[0, 3]] == [[[1]], [[0.5]]]).all()
    _, info = launch(host, case, "sa_cholesky", a - np.diag([0, 0, 0, 1.5]), factor := np.zeros_like(a))
    assert list(info) == [4, 1, 3, 0] and np.isnan(factor[:3]).all() and not np.isnan(factor[3]).any()
    values, info = launch(host, case, "sa_eigh", np.where(np.arange(4)[:, None, None] == 1, np.nan, a))
    assert np.isnan(values[1]).all() and not np.isnan(values[[0, 2, 3]]).any()


def test_decompositions(host, case):
    rng = np.random.default_rng(2)
    dtype, size = case
    # Fibers change places at each barrier, of which rotations of large matrices have many.
    for n in SIZES[size] if size < 32 else (17,):
        for batch in ((), (5,)) if size < 32 else ((),):
            a = samples(rng, (*batch, n, n), dtype)
            h = a + a.swapaxes(-1, -2).conj()
            if n > 2:
                # A value of high multiplicity, and a huge scale.
                h = h if batch else (np.eye(n) + np.outer(v := rng.standard_normal(n), v)).astype(dtype) * 2.0**40
            expected = sa.linalg.eigvalsh(sa.asarray(h)).numpy()
            scale = np.abs(expected).max()
            for flags in (0, LOWER):
                v = np.zeros_like(h)
                w, info = launch(host, case, "sa_eigh", h, v, flags=flags)
                assert not info.any()
                np.testing.assert_allclose(w / scale, expected / scale, **tolerance(dtype))
                np.testing.assert_allclose(h @ v / scale, v * w[..., None, :] / scale, **tolerance(dtype))
                np.testing.assert_allclose(
                    v.swapaxes(-1, -2).conj() @ v, np.broadcast_to(np.eye(n), h.shape), **tolerance(dtype)
                )
            w, _ = launch(host, case, "sa_eigh", h)
            np.testing.assert_allclose(w / scale, expected / scale, **tolerance(dtype))

            for m, k in {(n, n), (n, max(n // 2, 1)), (max(n // 2, 1), n)} if size < 32 else {(n, n - 5), (9, n)}:
                x = samples(rng, (*batch, m, k), dtype)
                for columns in {min(m, k), m}:
                    q, r = np.zeros((*batch, m, columns), dtype), np.zeros((*batch, columns, k), dtype)
                    launch(host, case, "sa_qr", x, q, r, columns)
                    np.testing.assert_allclose(q @ r, x, **tolerance(dtype))
                    np.testing.assert_allclose(
                        q.swapaxes(-1, -2).conj() @ q,
                        np.broadcast_to(np.eye(columns), (*batch, columns, columns)),
                        **tolerance(dtype),
                    )
                    assert not np.tril(r, -1).any()
                wide = m < k
                tall = x.swapaxes(-1, -2) if wide else x
                x0 = tall.copy()
                if min(m, k) > 2 and not batch:
                    x0[..., 1] = x0[..., 0]
                m1, n1 = x0.shape[-2:]
                u, vh = np.zeros((*batch, m1, n1), dtype), np.zeros((*batch, n1, n1), dtype)
                s, info = launch(host, case, "sa_svd", x0, u, vh, n1)
                assert not info.any() and (np.diff(s) <= 0).all()
                np.testing.assert_allclose(s, sa.linalg.svdvals(sa.asarray(x0)).numpy(), **tolerance(dtype))
                np.testing.assert_allclose(u * s[..., None, :] @ vh, x0, **tolerance(dtype))
                np.testing.assert_allclose(
                    u.swapaxes(-1, -2).conj() @ u, np.broadcast_to(np.eye(n1), vh.shape), **tolerance(dtype)
                )
                launch(host, case, "sa_svd", x0, u, vh, n1, flags=CONJ)
                np.testing.assert_allclose(u * s[..., None, :] @ vh, x0, **tolerance(dtype))
                s, _ = launch(host, case, "sa_svd", x0)
                np.testing.assert_allclose(s, sa.linalg.svdvals(sa.asarray(x0)).numpy(), **tolerance(dtype))


def eig(host, case, a, vectors=True):
    """Eigenvalues and eigenvectors, or None, and info."""
    wide = np.result_type(a.dtype, "complex64")
    w, v = np.zeros(a.shape[:-1], wide), np.zeros(a.shape, wide) if vectors else None
    return w, v, launch(host, case, "sa_eig", a, v, values=w)[1]


def check_eig(host, case, a):
    """Residuals, lengths, conjugate pairs, and that values are the same without vectors."""
    w, v, info = eig(host, case, a)
    assert not info.any()
    alone = eig(host, case, a, vectors=False)[0]
    n, near = a.shape[-1], 20 * np.finfo(a.dtype).eps
    scale = np.abs(a).max((-2, -1), keepdims=True) * n
    assert (np.abs(a @ v - v * w[..., None, :]) <= near * scale).all()
    np.testing.assert_allclose(np.linalg.norm(v, axis=-2), 1, rtol=near * n)
    if a.dtype.kind == "f":
        pair = w.imag > 0
        assert (w.imag[..., :-1] > 0)[pair[..., :-1]].all() and not pair[..., -1].any()
        after = np.roll(pair, 1, -1)
        assert same(w[after], w[pair].conj()) and not w.imag[~(pair | after)].any()
        columns = v.swapaxes(-1, -2)
        assert same(columns[after], columns[pair].conj()) and not columns[~(pair | after)].imag.any()
    return w, alone


def test_eigenvalues_without_symmetry(host, case):
    rng = np.random.default_rng(3)
    dtype, size = case
    threads = 32 if np.dtype(dtype).itemsize > 8 else 64
    for n in SIZES[size] if size < 32 else (17, 32):
        for batch in ((), (threads // size + 1,), (2, 3), (0,)) if size < 32 else ((),):
            a = samples(rng, (*batch, n, n), dtype)
            if len(batch) == 2:
                a = a.swapaxes(-1, -2)[..., ::-1, :]
            w, alone = check_eig(host, case, a)
            expected = np.linalg.eigvals(a.astype(np.complex128))
            for got in (w, alone):
                gaps = np.abs(got[..., :, None] - expected[..., None, :]).min(-1, initial=np.inf)
                assert (gaps <= tolerance(dtype)["atol"] * (1 + np.abs(expected).max(initial=0))).all()


def test_balancing_does_no_harm(host):
    """A matrix of Frank, which loses digits where rows and columns are measured without the diagonal."""
    n = 27
    frank = np.array([[min(i, j) + 1.0 if i <= j + 1 else 0.0 for j in range(n)] for i in range(n)])
    check_eig(host, ("float64", 32), frank)


def test_special_matrices_without_symmetry(host):
    rng = np.random.default_rng(4)
    for case in (("float64", 32), ("complex128", 16)):
        n = 9
        shift = np.roll(np.eye(n), 1, 0)
        triangle = np.triu(rng.standard_normal((n, n)))
        order = rng.permutation(n)
        graded = rng.standard_normal((n, n)) * 10.0 ** (np.arange(n)[:, None] - np.arange(n))
        blocks = np.kron(np.eye(3), [[0, 1, 0], [-4, 0, 0], [0, 0, 2]])
        for a in (np.eye(n), shift, triangle, triangle[order][:, order], blocks, np.ones((n, n)), graded * 2.0**300):
            w, alone = check_eig(host, case, a.astype(case[0]))
            near = 1e-8 * np.abs(w).max()
            np.testing.assert_allclose(np.sort(w.real), np.sort(alone.real), atol=near)
            np.testing.assert_allclose(np.sort(w.imag), np.sort(alone.imag), atol=near)
        w, _, _ = eig(host, case, triangle[order][:, order].astype(case[0]))
        np.testing.assert_array_equal(np.sort_complex(w), np.sort(np.diag(triangle)))
        w, v, _ = eig(host, case, np.zeros((n, n), case[0]))
        assert not w.any() and same(v, np.eye(n, dtype=v.dtype))
        # Values that are small beside the matrix, to which couplings are never small.
        x = rng.standard_normal((40, 3, 3))
        skew = (x - x.swapaxes(-1, -2)).astype(case[0])
        w, _ = check_eig(host, case, skew)
        expected = np.sqrt((skew**2).sum((-2, -1)) / 2).real
        np.testing.assert_allclose(np.abs(w).max(-1), expected, rtol=1e-13)
        # A Jordan block, whose vectors are all one.
        jordan = (np.eye(n) * 2 + np.eye(n, k=1)).astype(case[0])
        w, v, info = eig(host, case, jordan)
        assert (w == 2).all() and not info.any() and np.abs(np.abs(v[0]) - 1).max() < 1e-12
        # An item that is not finite does not touch the others.
        a = rng.standard_normal((3, n, n)).astype(case[0])
        expected = eig(host, case, a)
        a[1, 2, 3] = np.nan
        w, v, info = eig(host, case, a)
        assert np.isnan(w[1]).all() and np.isnan(v[1]).all() and not info.any()
        assert same(w[[0, 2]], expected[0][[0, 2]]) and same(v[[0, 2]], expected[1][[0, 2]])


def test_similarities(host, any_case):
    rng = np.random.default_rng(5)
    dtype, size = case = any_case
    for n in SIZES[size] if size != 32 else (17,):
        for batch in ((), (3,)) if size < 32 else ((3,),) if n == 33 else ((),):
            a = samples(rng, (*batch, n, n), dtype).swapaxes(-1, -2) * 2.0**20
            for flags in (0, SCHUR):
                middle, q = np.zeros_like(a), np.zeros_like(a)
                _, info = launch(host, case, "sa_similarity", a, middle, q, flags=flags)
                adjoint = q.swapaxes(-1, -2).conj()
                assert not info.any()
                np.testing.assert_allclose(q @ middle @ adjoint / 2.0**20, a / 2.0**20, **tolerance(dtype))
                np.testing.assert_allclose(q @ adjoint, np.broadcast_to(np.eye(n), a.shape), **tolerance(dtype))
                assert not np.tril(middle, -2).any()
                down = np.diagonal(middle, -1, -2, -1)
                if flags == 0:
                    assert not down.imag.any()
                elif a.dtype.kind == "c":
                    assert not down.any()
                else:
                    # Blocks do not touch, and have equal elements on the diagonal and others of opposite signs.
                    at = down != 0
                    assert not (at[..., 1:] & at[..., :-1]).any()
                    diagonal, up = np.diagonal(middle, 0, -2, -1), np.diagonal(middle, 1, -2, -1)
                    assert (diagonal[..., 1:] == diagonal[..., :-1])[at].all() and (up * down < 0)[at].all()
                    expected = np.sort_complex(np.linalg.eigvals(a / 2.0**20))
                    got = np.sort_complex(np.linalg.eigvals(middle / 2.0**20))
                    np.testing.assert_allclose(np.sort(got.real), np.sort(expected.real), **tolerance(dtype))


def test_pivoted_qr(host, any_case):
    rng = np.random.default_rng(6)
    dtype, size = case = any_case
    for n in SIZES[size] if size != 32 else (17,):
        for m, k in {(n, n), (n, max(n // 2, 1)), (max(n // 2, 1), n)}:
            for batch in ((), (3,)) if size != 32 else ((),):
                a = samples(rng, (*batch, m, k), dtype)
                a[..., k // 2] = 0
                columns = min(m, k)
                q, r = np.zeros((*batch, m, columns), dtype), np.zeros((*batch, columns, k), dtype)
                order = np.full((*batch, k), -1)
                launch(host, case, "sa_qr", a, q, r, columns, PIVOTING, pivots=order)
                expected = sa.linalg.qr(sa.asarray(a), pivoting=True)[2].numpy()
                assert same(order, expected)
                np.testing.assert_allclose(q @ r, np.take_along_axis(a, order[..., None, :], -1), **tolerance(dtype))
                down = np.abs(np.diagonal(r, 0, -2, -1))
                assert not np.tril(r, -1).any() and (np.diff(down) <= tolerance(dtype)["atol"]).all()
