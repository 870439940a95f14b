"""Every op that has a kernel for a GPU gives the CPU's results there: the bits, where `docs/DESIGN.md` promises them."""

import itertools
from typing import Any

import numpy as np
import pytest
from cuda_host import same, same_bits
from test_cuda_elementwise import DTYPES, LONG, _function, arguments, is_short, samples

import sciarray as sa
from sciarray import _core

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")

ROWS: dict[str, dict[str, Any]] = _core._rows


def both(f, *args):
    """Results of a function for the same arguments on the CPU and on the device, as NumPy arrays."""
    results = []
    for device in ("cpu", "cuda:0"):
        y = f(*[sa.asarray(a, device=device) for a in args])
        ys = list(y) if isinstance(y, (tuple, list)) else [y]
        assert all(v.device == device for v in ys), (device, ys)
        results.append([v.to("cpu").numpy() for v in ys])
    return list(zip(*results))


def check_bits(f, *args, what: object = None):
    for cpu, gpu in both(f, *args):
        assert same_bits(gpu, cpu), what


def short_rows():
    """Rows that compile fast; all dtypes of them are run by the tests of the printed programs."""
    names = sorted(n for n in ROWS if is_short(n) or n in LONG)
    dtypes = {n: ROWS[n]["dtypes"] for n in names}
    return [(n, "float64" if "float64" in d else d[0]) for n, d in dtypes.items()]


@pytest.mark.parametrize(("name", "dtype"), short_rows())
def test_elementwise(name, dtype):
    rng = np.random.default_rng(1)
    f = ROWS[name].get("function") or _function(name)
    types = arguments(name, dtype)
    xs = [samples(rng, (3, 1, 29), types[0]), *[samples(rng, (5, 58), t)[:, ::-2] for t in types[1:]]]
    if name == "pow" or "shift" in name:
        xs[1] = np.abs(xs[1])
    check_bits(f, *xs, what=name)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "float64"])
def test_dtypes_of_operators(dtype):
    rng = np.random.default_rng(2)
    x, y = samples(rng, (4, 7), dtype), samples(rng, 7, dtype)
    check_bits(sa.multiply, x, y)
    check_bits(lambda x: x == x, x)
    check_bits(lambda x: sa.astype(x, "float32") if x.dtype.kind != "c" else x, x)


def test_layouts():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((2, 3, 2, 3, 2, 3, 2))
    for axes in ((6, 5, 4, 3, 2, 1, 0), (0, 2, 4, 6, 1, 3, 5)):
        check_bits(lambda x, axes=axes: sa.permute_dims(x, axes) + 1.0, x)
        # More dimensions than structures have unless told otherwise.
        check_bits(lambda x, axes=axes: sa.permute_dims(x, axes) + x.shape[0] * sa.permute_dims(x, axes)[::-1], x)
    for n in (0, 1, 2, 127, 1009, 4099):
        x = rng.standard_normal(n)
        check_bits(lambda x: x * 2.0, x)
        check_bits(lambda x: sa.sin(x[1:]) if x.size else x, x)
    y = sa.asarray(rng.standard_normal((30, 40)), device="cuda").T * 2.0
    assert y.strides == (8, 320)


REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "count_nonzero"]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    rng = np.random.default_rng(4)
    f = getattr(sa, name)
    dtype = {"prod": "float32", "count_nonzero": "complex64", "any": "uint8"}.get(name, "float64")
    for shape, axis in [
        ((1,), 0),
        ((257,), 0),
        ((17000,), 0),
        ((3, 300), 1),
        ((300, 3), 0),
        ((2, 5, 3), 1),
        ((4, 0), 0),
    ]:
        x = samples(rng, shape, dtype)
        x = np.sign(x) + (x > 0) if name == "prod" else x
        check_bits(lambda x, axis=axis: f(x, axis=axis), x, what=(shape, axis))
    if not name.startswith("arg"):
        x = samples(rng, (4, 3, 5), dtype)
        check_bits(lambda x: f(x.T[::-1], axis=(0, 2), keepdims=True), x)
    if name in ("sum", "prod", "any", "all", "count_nonzero"):
        check_bits(lambda x: f(x, axis=1), np.zeros((3, 0), dtype))


def test_scans():
    rng = np.random.default_rng(5)
    for dtype, shape, axis in [
        ("float64", (70, 3), 0),
        ("int16", (5, 33), 1),
        ("complex64", (9,), 0),
        ("float32", (0, 4), 1),
    ]:
        x = samples(rng, shape, dtype)
        for f, reverse, exclusive in itertools.product((_core.cumsum, _core.cumprod), (False, True), (False, True)):
            check_bits(lambda x, f=f, a=axis, r=reverse, e=exclusive: f(x, a, reverse=r, exclusive=e), x)
    # One long line has another tree than the CPU's.
    x = rng.standard_normal(9001)
    for cpu, gpu in both(sa.cumulative_sum, x):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("dtype", ["float64", "int8", "complex64"])
def test_sorts(dtype):
    rng = np.random.default_rng(6)
    for shape, axis in [((1,), 0), ((3, 17), 1), ((129, 3), 0), ((2500,), 0), ((0, 2), 1)]:
        x = samples(rng, shape, dtype)
        x = np.round(x.real).astype(dtype) if dtype != "int8" else x // 16
        for descending in (False, True):
            check_bits(lambda x, a=axis, d=descending: sa.sort(x, axis=a, descending=d), x)
            check_bits(lambda x, a=axis, d=descending: sa.argsort(x, axis=a, descending=d), x)
    line, values = np.sort(samples(rng, 100, dtype)), samples(rng, (3, 9), dtype)
    for side in ("left", "right"):
        check_bits(lambda a, v, side=side: sa.searchsorted(a, v, side=side), line, values)


def test_structure():
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal((4, 6, 3)), rng.standard_normal((4, 2, 3))
    for f in (
        lambda x, y: sa.concat([x, y], axis=1),
        lambda x, y: sa.stack([y, y], axis=-1),
        lambda x, y: sa.reshape(sa.permute_dims(x, (2, 0, 1)), (6, -1)),
        lambda x, y: sa.flip(x, axis=(0, 2)),
        lambda x, y: sa.roll(x, 2, axis=1),
        lambda x, y: sa.repeat(y, 3, axis=1),
        lambda x, y: sa.tile(y, (2, 1, 1)),
        lambda x, y: sa.tril(x),
        lambda x, y: sa.expand_dims(x, axis=1)[:, 0, ::2, None],
    ):
        check_bits(f, x, y)


def test_indexing():
    rng = np.random.default_rng(8)
    x = rng.standard_normal((6, 5, 4))
    i, j = rng.integers(-5, 5, (2, 7)), rng.integers(-4, 4, 7)
    check_bits(lambda x, i: x[:, i], x, i)
    check_bits(lambda x, i, j: x[1:, i, j], x, i, j)
    check_bits(lambda x, i, j: x[0, :, j], x, i, j)
    check_bits(lambda x, i: sa.take(x, i, axis=1), x, i)
    check_bits(lambda x: x[x > 0], x)
    check_bits(lambda x: x[sa.any(x > 1, axis=(1, 2))], x)
    check_bits(lambda x: sa.nonzero(x > 0.5), x)
    check_bits(lambda x: sa.nonzero(x > 100), x)
    along = rng.integers(0, 5, (6, 9, 4))
    check_bits(lambda x, k: sa.take_along_axis(x, k, axis=1), x, along)

    def assigned(x, i, v):
        y = x * 1.0
        y[:, i] = v
        return y

    check_bits(assigned, x, i, rng.standard_normal((6, 2, 7, 4)))


FORMULAS = {
    "mean and std": lambda x: (sa.mean(x, axis=0), sa.std(x, axis=1)),
    "quantiles": lambda x: (sa.median(x, axis=1), sa.percentile(x, [10, 50])),
    "histogram": lambda x: sa.histogram(x, bins=4),
    "sets": lambda x: tuple(sa.unique_all(sa.round(x))),
    "bincount": lambda x: sa.bincount(sa.astype(sa.abs(sa.reshape(x, (-1,))), sa.int64)),
    "differences": lambda x: (sa.diff(x, axis=1), sa.gradient(x[0]), sa.trapezoid(x[1])),
    "triangles": lambda x: (sa.tril(x), sa.triu(x, k=1), sa.diag(x[0]), sa.diagonal(x), sa.trace(x)),
    "pieces": lambda x: (sa.pad(x, 1), sa.delete(x, 2, axis=1), sa.insert(x, 1, 0.5, axis=0), sa.vander(x[0])),
    "linspace": lambda x: sa.linspace(x[0], x[1], 5),
    "polynomials": lambda x: (sa.poly(x[0]), sa.roots(x[1]), sa.polyfit(x[0], x[1], 2)),
    "trends": lambda x: sa.signal.detrend(x, axis=1, bp=[3]),
    "sampling": lambda x: sa.interp(x[0], sa.arange(3.0, device=x.device), sa.arange(3.0, device=x.device)),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_follow_their_arguments(name):
    for cpu, gpu in both(FORMULAS[name], np.random.default_rng(13).standard_normal((4, 6))):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-13, atol=1e-14)


def test_products():
    rng = np.random.default_rng(9)
    for n, k, m, lead in [(1, 1, 1, ()), (17, 33, 5, ()), (3, 0, 2, ()), (4, 5, 6, (2, 3))]:
        a, b = rng.standard_normal((*lead, n, k)), rng.standard_normal((*lead[1:], k, m))
        for cpu, gpu in both(lambda a, b: a @ b, a, b):
            np.testing.assert_allclose(gpu, cpu, rtol=1e-13, atol=1e-14)
        for cpu, gpu in both(lambda a, b: sa.matmul(sa.matrix_transpose(b), sa.matrix_transpose(a)), a, b):
            np.testing.assert_allclose(gpu, cpu, rtol=1e-13, atol=1e-14)
    z = rng.standard_normal((3, 4)) + 1j * rng.standard_normal((3, 4))
    for cpu, gpu in both(lambda z: z @ z.T, z.astype("complex64")):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-5)
    x = rng.integers(-100, 100, (5, 6)).astype("int8")
    for cpu, gpu in both(lambda x: x @ x.T, x):
        assert same(gpu, cpu)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_small_matrices(dtype):
    rng = np.random.default_rng(10)
    a = rng.standard_normal((3, 4, 4)) + (1j * rng.standard_normal((3, 4, 4)) if dtype == "complex128" else 0)
    b = rng.standard_normal((4, 2)).astype(dtype)
    h = a @ a.conj().swapaxes(-1, -2) + np.eye(4)
    la = sa.linalg

    def near(f, *args, rtol=1e-10):
        for cpu, gpu in both(f, *args):
            np.testing.assert_allclose(gpu, cpu, rtol=rtol, atol=1e-12)

    near(la.solve, a, b)
    near(la.inv, a)
    near(la.det, a)
    near(lambda a: la.slogdet(a), a)
    near(la.cholesky, h)
    near(lambda h: la.cholesky(h, upper=True), h)
    near(la.eigvalsh, h)
    near(la.svdvals, a[:, :, :3])
    near(la.svdvals, a[:, :3])
    near(lambda a: (lambda q, r: (q @ r, sa.abs(r)))(*la.qr(a)), a[:, :, :3])
    near(lambda h: (lambda w, v: (w, (v * w[..., None, :]) @ sa.conj(sa.matrix_transpose(v))))(*la.eigh(h)), h)
    for x in (a[:, :, :3], a[:, :3]):
        near(lambda x: (lambda u, s, vh: (s, (u * s[..., None, :]) @ vh))(*la.svd(x, full_matrices=False)), x)
        near(lambda x: (lambda u, s, vh: sa.abs(u @ sa.conj(sa.matrix_transpose(u))))(*la.svd(x)), x)
    near(lambda a: sa.sum(la.eigvals(a) ** 2, axis=-1), a)
    near(lambda a: (lambda w, v: ((v * w[..., None, :]) @ la.inv(v), sa.sum(sa.abs(v) ** 2, axis=-2)))(*la.eig(a)), a)
    near(lambda a: (lambda q, r, order: (q @ r, sa.abs(r), order))(*la.qr(a, pivoting=True)), a[:, :, :3])
    near(lambda a: la.lu(a), a)
    near(sa.grad(lambda a: sa.sum(sa.abs(la.lu(a)[2]) ** 3)), a)
    near(
        lambda a: (lambda h, q: (q @ h @ sa.conj(sa.matrix_transpose(q)), sa.abs(h)))(*la.hessenberg(a, calc_q=True)), a
    )
    near(lambda a: (lambda t, z: (z @ t @ sa.conj(sa.matrix_transpose(z)), sa.tril(t, k=-2)))(*la.schur(a)), a)
    near(lambda a, b: la.lu_solve(la.lu_factor(a), b), a, b)
    near(lambda b: la.solve_sylvester(b[:2], b[2:], b[:2]), b)
    with pytest.raises(np.linalg.LinAlgError, match="solve: A is singular in batch item"):
        la.solve(sa.asarray(a * np.array([1, 0, 1])[:, None, None], device="cuda"), sa.asarray(b, device="cuda"))
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        la.cholesky(sa.asarray(-h, device="cuda"))
    with sa.errstate(linalg="nan"):
        x = la.inv(sa.asarray(a * np.array([1, 0, 1])[:, None, None], device="cuda")).to("cpu").numpy()
    assert np.isnan(x[1]).all() and not np.isnan(x[[0, 2]]).any()


def test_recursive_filters():
    rng = np.random.default_rng(11)
    for constant, order in itertools.product((True, False), (1, 3)):
        x = rng.standard_normal((2, 50))
        a = rng.uniform(-0.3, 0.3, (2, 1 if constant else 50, order))
        for reverse in (False, True):
            check_bits(lambda a, x, r=reverse: _core.allpole(a, x, reverse=r), a, x)
    x, a = rng.standard_normal((1, 5000)), np.array([[[-0.5, 0.2]]])
    for cpu, gpu in both(_core.allpole, a, x):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-10, atol=1e-12)


def test_recurrences_and_convolutions():
    rng = np.random.default_rng(14)
    for dtype in ("float32", "float64", "complex64", "complex128"):
        a, b = (rng.uniform(-1, 1, (3, 40, 2)).astype(dtype) for _ in range(2))
        for reverse in (False, True):
            check_bits(lambda a, b, r=reverse: _core.recurrence(a.T[::-1], b.T[::-1], 1, reverse=r), a, b)
        x, h = (rng.standard_normal(shape).astype(dtype) for shape in ((4, 1, 300), (3, 9)))
        check_bits(lambda h, x: _core.fir(h, x[..., ::-2], 0, 158), h, x)
        check_bits(lambda h, x: _core.fir(h, x, -5, 30), h[:, :0], x)
    check_bits(lambda h, x: _core.fir(h, x, 0, 0), np.ones(3), np.ones((0, 4)))
    # Long lines are cut into chunks, of another order.
    a, b = rng.uniform(-1, 1, (2, 5000)), rng.standard_normal((2, 5000))
    for cpu, gpu in both(lambda a, b: (_core.recurrence(a, b, 1), _core.fir(a, b, 4999, 7)), a, b):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-12, atol=1e-12)


FILTERS = {
    "lfilter": lambda x: sa.signal.lfilter(x[0, :3], 2 + sa.abs(x[1, :3]), x),
    "lfilter with a state": lambda x: sa.signal.lfilter(x[0, :3], 2 + sa.abs(x[1, :3]), x, zi=x[:, :2]),
    "lfilter along an axis": lambda x: sa.signal.lfilter(x[0, :2] + 1, x[1, :3] / 9 + 1, x, axis=0),
    "filtfilt": lambda x: sa.signal.filtfilt(x[0, :2], 2 + sa.abs(x[1, :2]), x, padlen=4),
    "sosfilt": lambda x: sa.signal.sosfilt(sa.signal.butter(4, 0.3, output="sos").to(x.device), x),
    "sosfiltfilt": lambda x: sa.signal.sosfiltfilt(sa.signal.butter(2, 0.3, output="sos").to(x.device), x),
    "convolve": lambda x: sa.convolve(x[0], x[1, :5], mode="same"),
    "convolve by sums": lambda x: sa.signal.convolve(x, x[:2, :3], method="direct"),
    "savgol": lambda x: sa.signal.savgol_filter(x, 5, 2),
    "allpole": lambda x: sa.signal.allpole(x[:, :2] / 10, x),
    "cumprod": lambda x: sa.cumulative_prod(x, axis=1),
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters_and_their_gradients(name):
    f, x = FILTERS[name], np.random.default_rng(15).standard_normal((4, 40))

    def loss(x):
        ys = f(x)
        return sum(sa.sum(y * y * y) for y in (ys if isinstance(ys, tuple) else (ys,)))

    for g in (f, sa.grad(loss)):
        for cpu, gpu in both(g, x):
            np.testing.assert_allclose(gpu, cpu, rtol=1e-9, atol=1e-11)


GRADIENTS = {
    "elementwise": lambda x: sa.sum(sa.exp(x) * sa.sin(x) / (1.0 + x * x)),
    "where": lambda x: sa.sum(sa.where(x > 0, x * x, -x)),
    "broadcast": lambda x: sa.sum((x - sa.mean(x, axis=0)) ** 2),
    "prod": lambda x: sa.sum(sa.prod(x, axis=1)),
    "max": lambda x: sa.sum(sa.max(x, axis=1)),
    "sort": lambda x: sa.sum(sa.sort(x, axis=1) * sa.asarray(np.arange(5.0), device=x.device)),
    "gather": lambda x: sa.sum(x[:, [0, 2, 2]] ** 2),
    "cumsum": lambda x: sa.sum(sa.cumulative_sum(x, axis=1) ** 2),
    "matmul": lambda x: sa.sum((x @ x.T) ** 2),
    "solve": lambda x: sa.sum(sa.linalg.solve(x @ x.T + sa.eye(4, device=x.device), x) ** 2),
    "cholesky": lambda x: sa.sum(sa.linalg.cholesky(x @ x.T + sa.eye(4, device=x.device)) ** 3),
    "eigh": lambda x: sa.sum(sa.linalg.eigh(x @ x.T)[1][..., 0] ** 4),
    "svd": lambda x: sa.sum(sa.linalg.svdvals(x) ** 3),
    "eig": lambda x: sa.sum(sa.abs(sa.linalg.eig(x[:, :4])[1]) ** 4),
    "eigvals": lambda x: sa.sum(sa.abs(sa.linalg.eigvals(x[:, :4])) ** 3),
    "det": lambda x: sa.linalg.det(x[:, :4]),
    "slice": lambda x: sa.sum(x[1:, ::2] * x[:-1, ::2]),
    "concat": lambda x: sa.sum(sa.concat([x, x * x], axis=0) ** 2),
    "fft": lambda x: sa.sum(sa.abs(sa.fft.rfft(x)) ** 4) + sa.sum(sa.fft.dct(x) ** 3),
    "filter": lambda x: sa.sum(sa.signal.lfilter(x[0, :2], 2.0 + x[1, :2] ** 2, x) ** 3),
    "cumprod": lambda x: sa.sum(sa.cumulative_prod(x, axis=1) ** 2),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name):
    f = GRADIENTS[name]
    x = np.random.default_rng(12).standard_normal((4, 5))
    for cpu, gpu in both(sa.grad(f), x):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-9, atol=1e-11)
    # Recorded, replayed step by step and as a CUDA graph: the bits of the eager device.
    g = sa.record(sa.grad(f))
    for seed in range(4):
        x = sa.asarray(np.random.default_rng(seed).standard_normal((4, 5)), device="cuda")
        assert same_bits(g(x).to("cpu").numpy(), sa.grad(f)(x).to("cpu").numpy())
