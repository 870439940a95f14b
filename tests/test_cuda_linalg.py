"""The kernels of `cuda/linalg.cu` on the host, against the CPU's."""

import numpy as np
import pytest
from cuda_host import c_type, elements, kernels, layout, pack, piece

import sciarray as sa

LOWER, UNIT, TRANSPOSED, CONJ, IDENTITY, LOGARITHM = (1 << k for k in range(6))
CASES = [
    ("float64", 1),
    ("float64", 4),
    ("float64", 32),
    ("float32", 8),
    ("complex128", 4),
    ("complex128", 16),
    ("complex64", 32),
]
SIZES = {1: [1], 4: [3, 4], 8: [5, 7, 8], 16: [9, 13], 32: [17, 31, 32]}


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    texts = {f"{dtype}_{size}": piece("linalg.cu", SA_T=c_type(dtype), SA_G=size) for dtype, size in CASES}
    return kernels(tmp_path_factory.mktemp("linalg"), texts)


def samples(rng, shape, dtype):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def launch(host, case, kernel, a, x=None, y=None, columns=0, flags=0, pivots=None, batch=None):
    """Runs a kernel on the last two axes of its operands; returns values and info."""
    dtype, size = case
    batch = a.shape[:-2] if batch is None else batch
    items = int(np.prod(batch))
    m, n = a.shape[-2:]
    values, info = np.zeros((*batch, n), np.dtype(dtype).type(0).real.dtype), np.full(batch, -1)
    operands = [np.zeros((*batch, 0, 0), dtype) if v is None else v for v in (a, x, y)]
    matrices = [None if v is None else v for v in (a, x, y)]
    fields = [f for v, o in zip(matrices, operands) for f in (v, *elements(o)[-2:])]
    dims = layout(batch, *[elements(o)[:-2] for o in operands])
    p = pack(*fields, values, pivots, info, m, n, columns, items, flags, dims)
    threads = 32 if np.dtype(dtype).itemsize > 8 else 64
    if items:
        host.launch(f"{dtype}_{size}", kernel, p, 2, threads)
    return values, info


def tolerance(dtype):
    return {"rtol": 2e-4, "atol": 2e-4} if np.finfo(dtype).eps > 1e-10 else {"rtol": 1e-10, "atol": 1e-11}


@pytest.fixture(params=CASES, ids=str)
def case(request):
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
