"""The kernels of `cuda/`, run by the host compiler's words of CUDA, against the kernels of the CPU."""

import itertools

import numpy as np
import pytest
from cuda_host import c_type, elements, kernels, layout, pack, piece, same, same_bits

import sciarray as sa
from sciarray import _core

# Around the sizes of lanes, blocks and units; primes among them.
SIZES = [1, 2, 3, 15, 16, 17, 31, 33, 255, 256, 257, 1009, 4096, 16383, 16385, 40009]


def samples(rng, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    x = rng.standard_normal(shape) * 2.0 ** rng.integers(-30, 30, shape)
    if dtype.kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


# name: fold, source, accumulator, result.
REDUCTIONS = {
    "sum32": ("sum", "float32", "float64", "float32"),
    "sum64": ("sum", "float64", "float64", "float64"),
    "sumc": ("sum", "complex64", "complex128", "complex64"),
    "sumi": ("sum", "int16", "int64", "int64"),
    "prod64": ("prod", "float64", "float64", "float64"),
    "min32": ("min", "float32", "float32", "float32"),
    "maxc": ("max", "complex128", "complex128", "complex128"),
    "any8": ("any", "uint8", "bool", "bool"),
    "all64": ("all", "float64", "bool", "bool"),
    "count": ("count", "complex64", "int64", "int64"),
    "argmin": ("argmin", "float64", "float64", "int64"),
    "argmax": ("argmax", "int8", "int8", "int64"),
    "squares": ("squares", "float32", "float64", "float64"),
}
SCANS = {
    "cumsum32": ("sum", "float32", "float64", "float32"),
    "cumsumi": ("sum", "int32", "int64", "int64"),
    "cumprodc": ("prod", "complex128", "complex128", "complex128"),
    "cummax": ("max", "float32", "float32", "float32"),
}
IDENTITIES = {"sum": 0, "prod": 1, "max": -np.inf}
DRAWS = [(d, t) for d in ("uniform", "exponential", "normal") for t in ("float32", "float64")]
DRAWS += [("integers", t) for t in ("bool", "int8", "int64", "uint64")]
DRAWS += [("gamma", "float32"), ("gamma", "float64"), ("beta", "float64"), ("poisson", "int64"), ("binomial", "int64")]
# Parameters of draws: every branch of the methods, and what is no parameter.
PARAMETERS = {
    "gamma": [[0.0, 1e-3, 0.4, 1.0, 3.3, 1e9, -1.0, np.nan]],
    "beta": [[0.3, 2.0, 1e-320, 1e-3, 50.0, 0.0], [0.6, 9.0, 2e-320, 5.0, 1e-3, 1.0]],
    "poisson": [[0.0, 1e-9, 3.0, 9.99, 10.0, 1e4, 1e17, 1e30, -2.0, np.nan]],
    "binomial": [[0, 1, 12, 100, 10**6, 2**62, -3], [0.0, 0.3, 0.5, 0.9, 1.0, 0.02, np.nan, 2.0]],
}
SORTED = ["bool", "int8", "uint64", "int64", "float32", "float64", "complex64", "complex128"]


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    texts = {}
    for name, (fold, *types) in REDUCTIONS.items():
        texts[name] = piece("reduce.cu", SA_FOLD=fold, **dict(zip(("SA_IN", "SA_ACC", "SA_OUT"), map(c_type, types))))
    for name, (step, *types) in SCANS.items():
        texts[name] = piece("scan.cu", SA_SCAN=step, **dict(zip(("SA_IN", "SA_ACC", "SA_OUT"), map(c_type, types))))
    for size in (1, 2, 4, 8):
        texts[f"copy{size}"] = piece("copy.cu", SA_T=f"sa_u{8 * size}")
    texts["copy16"] = piece("copy.cu", SA_T="sa_u128")
    for dtype in SORTED:
        texts[f"sort_{dtype}"] = piece("sort.cu", SA_T=c_type(dtype))
    for k in (1, 2):
        texts[f"gather{k}"] = piece("gather.cu", SA_T="double", SA_INDICES=k)
    for dtype in ("float64", "complex64"):
        texts[f"filter_{dtype}"] = piece("filter.cu", SA_T=c_type(dtype))
        texts[f"fir_{dtype}"] = piece("fir.cu", SA_T=c_type(dtype))
    for dtype in ("float32", "float64"):
        texts[f"fft_{dtype}"] = piece("fft.cu", SA_T=c_type(dtype))
    for dist, dtype in DRAWS:
        texts[f"{dist}_{dtype}"] = piece("random.cu", _core.print_random(), SA_DIST=dist, SA_T=c_type(dtype))
    return kernels(tmp_path_factory.mktemp("kernels"), texts)


def reduce_on_host(host, name, x, axes, kernel, params=None):
    """Reduces over trailing or leading axes as the runtime launches it."""
    fold, _, acc, out = REDUCTIONS[name]
    axes = sorted(a % x.ndim for a in axes)
    kept = [a for a in range(x.ndim) if a not in axes]
    shape, strides = np.array(x.shape, int), np.array(elements(x), int)
    n, outputs = int(np.prod(shape[axes])), int(np.prod(shape[kept]))
    y = np.empty([x.shape[a] for a in kept], out)
    if y.size == 0:
        return y
    units = -(-n // (256 * 64))
    size = (
        np.dtype(acc).itemsize if fold not in ("min", "max", "argmin", "argmax") else 8 + max(8, np.dtype(acc).itemsize)
    )
    rooms = [np.zeros(units * outputs * size, np.uint8) for _ in range(2)]
    mean = params if params is not None else np.zeros(outputs)
    dims = (layout(shape[axes], strides[axes]), layout(shape[kept], strides[kept]))
    host.launch(
        name,
        kernel,
        pack(x, mean, rooms[0], y, n, outputs, units, *dims),
        3,
        256 if kernel == "sa_reduce_lines" else 64,
    )
    while units > 1:
        host.launch(name, "sa_reduce_units", pack(rooms[0], rooms[1], y, units, outputs), 2, 64)
        rooms.reverse()
        units = -(-units // 512)
    return y


def on_cpu(name, x, axes, mean=None):
    fold, _, _, out = REDUCTIONS[name]
    a = sa.asarray(x)
    if fold == "count":
        return sa.count_nonzero(a, axis=axes).numpy()
    if fold in ("argmin", "argmax"):
        return getattr(sa, fold)(a, axis=axes[0]).numpy()
    if fold in ("sum", "prod"):
        return getattr(sa, fold)(a, axis=axes, dtype=out).numpy()
    return getattr(sa, fold)(a, axis=axes).numpy()


@pytest.mark.parametrize("name", [n for n in REDUCTIONS if n != "squares"])
def test_reductions(host, name):
    rng = np.random.default_rng(1)
    fold, dtype, *_ = REDUCTIONS[name]
    compare = same_bits if fold in ("sum", "prod") else same
    cases = [(samples(rng, n, dtype), (0,)) for n in SIZES]
    cases.append((samples(rng, (7, 300), dtype)[:, ::-2], (1,)))
    cases.append((samples(rng, (300, 7), dtype), (0,)))
    cases.append((samples(rng, (40009, 2), dtype), (0,)))
    if not fold.startswith("arg"):
        cases.append((samples(rng, (5, 3, 257, 2), dtype), (0, 2)))
        cases.append((samples(rng, (2, 3, 4), dtype).transpose(2, 0, 1), (0, 1, 2)))
    cases.append((samples(rng, (0, 4), dtype), (1,)))
    for x, axes in cases:
        if fold == "prod":
            x = np.sign(x) * np.abs(x) ** (1 / 64)
        expected = on_cpu(name, x, axes)
        for kernel in ("sa_reduce_lines", "sa_reduce_rows"):
            assert compare(reduce_on_host(host, name, x, axes, kernel), expected), (x.shape, x.strides, kernel)


def test_extrema_of_nan_ties_and_zeros(host):
    x = np.array([3.0, np.nan, -1.0, np.nan, -0.0, 0.0] * 100)
    for kernel in ("sa_reduce_lines", "sa_reduce_rows"):
        assert reduce_on_host(host, "argmin", x, (0,), kernel) == 1
        assert reduce_on_host(host, "argmin", x[2::6], (0,), kernel) == 0
        assert np.isnan(reduce_on_host(host, "min32", x.astype("float32"), (0,), kernel))
        z = np.array([1 + 1j, complex(0, np.nan), 2, complex(np.nan, 5)] * 90)
        assert same_bits(reduce_on_host(host, "maxc", z, (0,), kernel), np.array(z[1]))
        assert same(reduce_on_host(host, "sum64", np.full(5, -0.0), (0,), kernel), np.array(-0.0))


def test_many_units_are_one_tree(host):
    """More units than one launch combines: 512 of 64 blocks of 256."""
    n = 256 * 64 * 515 + 7
    x = np.zeros(n, "float32")
    x[::1013] = np.random.default_rng(3).standard_normal(len(x[::1013]))
    # A sum of few elements per block is the same without walking through all of them on fibers.
    assert same_bits(reduce_on_host(host, "sum32", x, (0,), "sa_reduce_rows"), sa.sum(sa.asarray(x)).numpy())


def test_squared_deviations(host):
    rng = np.random.default_rng(2)
    for shape, axes in (((1000,), (0,)), ((3, 513), (1,)), ((513, 3), (0,))):
        x = rng.standard_normal(shape).astype("float32")
        mean = np.ascontiguousarray(x.mean(axes, dtype=float))
        for kernel in ("sa_reduce_lines", "sa_reduce_rows"):
            got = reduce_on_host(host, "squares", x, axes, kernel, mean)
            kept = [n for a, n in enumerate(x.shape) if a not in axes]
            want = ((x.astype(float) - np.expand_dims(mean.reshape(kept), axes)) ** 2).sum(axes)
            assert got.shape == tuple(kept)
            np.testing.assert_allclose(got, want, rtol=1e-14)


def scan_on_host(host, name, x, axis, reverse, exclusive, by_chunks):
    step, _, acc, out = SCANS[name]
    y = np.empty(x.shape, out)
    if x.size == 0:
        return y
    n, turn = x.shape[axis], -1 if reverse else 1
    views = [v[(slice(None),) * axis + (slice(None, None, turn),)] for v in (x, y)]
    others = [a for a in range(x.ndim) if a != axis]
    shape = [x.shape[a] for a in others]
    strides = [[elements(v)[a] for a in others] for v in views]
    lines, chunks = x.size // n, -(-n // 2048)
    room = np.zeros(lines * chunks, acc)
    identity = np.dtype(out).type(IDENTITIES[step])
    steps = [elements(v)[axis] for v in views]
    p = pack(*views, room, identity, n, lines, chunks, *steps, exclusive, layout(shape, *strides))
    if not by_chunks:
        host.launch(name, "sa_scan_lines", p, 2, 32)
        return y
    host.launch(name, "sa_scan_totals", p, 3, 256)
    host.launch(name, "sa_scan_carries", p, 1, 32)
    host.launch(name, "sa_scan_show", p, 2, 256)
    return y


def scan_on_cpu(step, x, axis, reverse, exclusive):
    if step != "max":
        f = _core.cumsum if step == "sum" else _core.cumprod
        return f(sa.asarray(x), axis, reverse=reverse, exclusive=exclusive).numpy()
    x = np.flip(x, axis) if reverse else x
    y = np.maximum.accumulate(x, axis)
    if exclusive and x.shape[axis]:
        first = np.full_like(np.take(y, [0], axis), IDENTITIES[step])
        y = np.concatenate([first, np.delete(y, -1, axis)], axis)
    return np.flip(y, axis) if reverse else y


@pytest.mark.parametrize("name", SCANS)
def test_scans(host, name):
    rng = np.random.default_rng(4)
    step, dtype, *_ = SCANS[name]
    cases = [(samples(rng, n, dtype), 0) for n in (1, 2, 5, 8, 9, 2047, 2048, 2049, 5003)]
    cases += [
        (samples(rng, (3, 70, 4), dtype), 1),
        (samples(rng, (90, 5), dtype)[::-3].T, 1),
        (samples(rng, (3, 0), dtype), 1),
    ]
    for (x, axis), reverse, exclusive in itertools.product(cases, (False, True), (False, True)):
        if step == "prod":
            x = np.exp(1j * np.abs(x))
        expected = scan_on_cpu(step, x, axis, reverse, exclusive)
        assert same_bits(scan_on_host(host, name, x, axis, reverse, exclusive, False), expected)
        if x.size:
            got = scan_on_host(host, name, x, axis, reverse, exclusive, True)
            if got.dtype.kind == "i" or step == "max":
                assert same(got, expected)
            else:
                scale = np.abs(x).sum() if step == "sum" else 1
                np.testing.assert_allclose(
                    got, expected, rtol=1e-6 if dtype == "float32" else 1e-12, atol=1e-13 * scale
                )


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
def test_transposes_and_fills(host, dtype):
    rng = np.random.default_rng(5)
    name = f"copy{np.dtype(dtype).itemsize}"
    for batch, rows, columns in [(1, 1, 1), (1, 32, 32), (2, 33, 31), (3, 7, 100), (1, 101, 64)]:
        x = samples(rng, (batch, rows, columns + 3), dtype)[:, :, 2:-1]
        y = np.zeros((batch, columns, rows), dtype)
        dims = layout([batch], [elements(x)[0]], [elements(y)[0]])
        host.launch(
            name, "sa_transpose_tiles", pack(x, y, rows, columns, elements(x)[1], rows, batch, dims), 2, (32, 8)
        )
        assert same(y, x.transpose(0, 2, 1))
        z = np.zeros((rows, columns, 2), dtype)[:, ::-2, :]
        host.launch(name, "sa_fill_all", pack(z, x[0, 0, 0], z.size, layout(z.shape, elements(z))), 2, 32)
        assert (z == x[0, 0, 0]).all()


def sort_on_host(host, x, axis, descending, indices):
    text, n = f"sort_{x.dtype}", x.shape[axis]
    y = np.empty(x.shape, np.int64 if indices else x.dtype)
    if x.size == 0:
        return y
    others = [a for a in range(x.ndim) if a != axis]
    dims = layout([x.shape[a] for a in others], *[[elements(v)[a] for a in others] for v in (x, y)])
    key = 24 if x.dtype.kind == "c" else 8
    keys = [np.zeros(x.size * key, np.uint8) for _ in range(2)]
    order = [np.zeros(x.size, np.uint32) for _ in range(2)]
    out = (None, y) if indices else (y, None)
    steps = [elements(v)[axis] for v in (x, y)]

    def launch(kernel, run, grid, block):
        p = pack(
            x, keys[0], order[0], keys[1], order[1], *out, n, x.size // n, run, not indices, descending, *steps, dims
        )
        host.launch(text, kernel, p, grid, block)

    launch("sa_sort_load", 0, 2, 64)
    launch("sa_sort_tiles", 0, 2, 256)
    run = 1024
    while run < n:
        launch("sa_sort_merge", run, 3, 64)
        keys.reverse()
        order.reverse()
        run *= 2
    launch("sa_sort_store", 0, 2, 64)
    return y


@pytest.mark.parametrize("dtype", SORTED)
def test_sorts(host, dtype):
    rng = np.random.default_rng(6)
    for shape, axis in [
        ((1,), 0),
        ((2,), 0),
        ((3, 17), 1),
        ((129, 3), 0),
        ((1023,), 0),
        ((1025,), 0),
        ((3001,), 0),
        ((0, 2), 1),
    ]:
        x = samples(rng, shape, dtype)
        if x.dtype.kind in "fc":
            # Ties, both zeros and NaN.
            x = np.round(x)
            x[rng.random(shape) < 0.1] = -0.0
            x[rng.random(shape) < 0.05] = np.nan
        elif x.dtype.kind != "b":
            x = x // np.asarray(np.iinfo(dtype).max // 9, dtype)
        a = sa.asarray(x)
        for descending in (False, True):
            assert same_bits(sort_on_host(host, x, axis, descending, False), _core.sort(a, axis, descending).numpy())
            assert same(sort_on_host(host, x, axis, descending, True), _core.argsort(a, axis, descending).numpy())
        if x.ndim == 1:
            line = np.sort(x)
            values = np.concatenate([line[::7], samples(rng, 50, dtype)])[::-1]
            for side, sorter in itertools.product(("left", "right"), (False, True)):
                source, order = (x, np.argsort(x, kind="stable")) if sorter else (line, None)
                y = np.empty(values.shape, np.int64)
                dims = layout(values.shape, elements(values))
                p = pack(source, values, order, y, len(x), len(values), elements(source)[0], 1, side == "right", dims)
                host.launch(f"sort_{dtype}", "sa_search_all", p, 2, 32)
                assert same(y, sa.searchsorted(sa.asarray(line), sa.asarray(values), side=side).numpy())


@pytest.mark.parametrize(("dist", "dtype"), DRAWS)
def test_random_streams(host, dist, dtype):
    # Positions that carry into the upper words, and that wrap around.
    for state in ([1, 2, 3, 4, 5], [0, 7, 2**32 - 2, 2**32 - 1, 9], [5, 5, 2**32 - 1, 2**32 - 1, 2**32 - 1]):
        for n in (1, 2, 3, 64, 1001):
            params = []
            if dist == "integers":
                ends = (
                    [(0, 1), (1, 1)]
                    if dtype == "bool"
                    else [
                        (np.iinfo(dtype).min, np.iinfo(dtype).max),
                        (3, 3),
                        (0, 100),
                        (5, 2 + np.iinfo(dtype).max // 4 * 3),
                    ]
                )
                low, last = (np.array([e[k] for e in ends], dtype)[np.arange(n) % len(ends)] for k in range(2))
                params = [low, last]
            elif dist in PARAMETERS:
                params = [np.resize(v, n) for v in PARAMETERS[dist]]
            expected = _core.fill(dist, _core.Stream(state), (n,), getattr(sa, dtype), params).numpy()
            out = np.zeros(n, dtype)
            position = np.array([state[2] | state[3] << 32, state[4]], np.uint64)
            operands = (params + [None, None])[:2]
            dims = layout([n], [1], [1])
            p = pack(out, *operands, position.tobytes(), np.array(state[:2], np.uint32).tobytes(), n, dims)
            host.launch(f"{dist}_{dtype}", "sa_random_fill", p, 2, 32)
            assert same_bits(out, expected), (state, n)


def index_parameters(array, values, axes, index, position):
    """Operands of an indexing: the array has no step along the points, index arrays none along the other axes."""
    common = index[0].shape
    rest = [a for a in range(array.ndim) if a not in axes]
    before, after = rest[:position], rest[position:]
    steps = elements(array)
    of_array = [steps[a] for a in before] + [0] * len(common) + [steps[a] for a in after]
    of_index = [[0] * len(before) + elements(i) + [0] * len(after) for i in index]
    dims = layout(values.shape, of_array, elements(values), *of_index)
    sizes, strides = [array.shape[a] for a in axes], [steps[a] for a in axes]
    return pack(array, values, *index, *sizes, *strides, values.size, dims)


def test_gathers_and_scatters(host):
    rng = np.random.default_rng(7)
    cases = [
        ((11,), (0,), (40,), 0),
        ((5, 7, 3), (1,), (2, 9), 1),
        ((6, 5, 4), (0, 1), (13,), 0),
        ((6, 5, 4), (0, 2), (31,), 1),
    ]
    for shape, axes, points, position in cases:
        array = rng.standard_normal(shape)
        index = [rng.integers(-shape[a], shape[a], points)[..., ::-1] for a in axes]
        key = [slice(None)] * array.ndim
        for a, i in zip(axes, index):
            key[a] = i
        rest = [n for a, n in enumerate(shape) if a not in axes]
        values = np.empty((*rest[:position], *points, *rest[position:]))
        text = f"gather{len(axes)}"
        host.launch(text, "sa_gather_all", index_parameters(array, values, axes, index, position), 2, 32)
        # NumPy puts the points first where indices are apart.
        expected = array[tuple(key)]
        if len(axes) > 1 and axes[1] - axes[0] > 1:
            expected = np.moveaxis(expected, 0, position)
        assert same(values, expected)

        values = rng.standard_normal(values.shape)
        targets = np.zeros(values.size, np.uint64)
        for kernel in ("sa_scatter_set", "sa_scatter_add"):
            got = array.copy()
            p = index_parameters(got, values, axes, index, position)
            host.launch(text, "sa_scatter_targets", pack(p, targets), 2, 32)
            order = np.argsort(targets, kind="stable")
            keys, places = targets[order], order.astype(np.uint32)
            host.launch(text, kernel, pack(p, keys, places), 3, 32)
            want = array.copy().ravel()
            for t, v in zip(targets, values.ravel()):
                want[t] = v if kernel == "sa_scatter_set" else want[t] + v
            assert same_bits(got.ravel(), want)
    index = np.array([0, 3, -4, 4, -5, 9])
    bad = np.array([2**64 - 1], np.uint64)
    host.launch("gather1", "sa_check_indices", pack(index, bad, 6, 4, layout([6], [1])), 1, 32)
    assert bad[0] == 3


def filter_on_host(host, a, x, reverse, delayed, by_chunks):
    y, n, order = np.zeros_like(x), x.shape[-1], a.shape[-1]
    if y.size == 0:
        return y
    lines, chunks = x.size // n, -(-n // 256)
    strides = [elements(v) for v in (a, x, y)]
    along = 0 if a.shape[-2] == 1 else strides[0][-2]
    dims = layout(x.shape[:-1], strides[0][:-2], strides[1][:-1], strides[2][:-1])
    rooms = [np.zeros(lines * order * 256, x.dtype), np.zeros(lines * chunks * max(order, 1), x.dtype)]
    steps = (along, strides[0][-1], strides[1][-1], strides[2][-1])
    p = pack(a, x, y, *steps, n, order, reverse, delayed, lines, chunks, *rooms, dims)
    for kernel in ("chunks", "responses", "states", "join") if by_chunks else ("lines",):
        host.launch(f"filter_{x.dtype}", f"sa_filter_{kernel}", p, 2, 32)
    return y


def delayed_recurrence(a, x, reverse):
    """The recurrence whose coefficients stand at the place of the sample that they multiply."""
    y, n, step = np.zeros_like(x), x.shape[-1], 1 if reverse else -1
    for t in range(n)[::-step]:
        total = x[..., t].copy()
        for k in range(a.shape[-1], 0, -1):
            source = t + k * step
            if 0 <= source < n:
                total = total - a[..., source if a.shape[-2] > 1 else 0, k - 1] * y[..., source]
        y[..., t] = total
    return y


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_recursive_filters(host, dtype):
    rng = np.random.default_rng(8)
    for shape, order in [
        ((1,), 1),
        ((257,), 2),
        ((2, 1000), 3),
        ((3, 255), 4),
        ((2, 2, 513), 7),
        ((3, 0), 2),
        ((5,), 0),
    ]:
        x = rng.standard_normal(shape)
        x = (x + 1j * rng.standard_normal(shape) if dtype == "complex64" else x).astype(dtype)
        for constant, reverse in itertools.product((True, False), (True, False)):
            times = 1 if constant else shape[-1]
            a = rng.uniform(-0.9, 0.9, (*shape[:-1], times, order)) / max(order, 1)
            a = a.astype(dtype)
            expected = _core.allpole(sa.asarray(a), sa.asarray(x), reverse=reverse).numpy()
            assert same_bits(filter_on_host(host, a, x, reverse, False, False), expected)
            delayed = filter_on_host(host, a, x, reverse, True, False)
            np.testing.assert_allclose(delayed, delayed_recurrence(a, x, reverse), rtol=1e-4, atol=1e-5)
            if constant and order:
                got = filter_on_host(host, a, x, reverse, False, True)
                np.testing.assert_allclose(
                    got,
                    expected,
                    rtol=1e-4 if dtype == "complex64" else 1e-12,
                    atol=1e-5 if dtype == "complex64" else 1e-13,
                )


def recurrence_on_host(host, a, b, axis, reverse, by_chunks):
    y, n = np.zeros_like(b), b.shape[axis]
    if y.size == 0:
        return y
    lines, chunks = b.size // n, -(-n // 256)
    others = [d for d in range(b.ndim) if d != axis]
    steps = [[elements(v)[d] for d in others] for v in (a, b, y)]
    rooms = [np.zeros(lines * chunks, b.dtype) for _ in range(2)]
    along = [elements(v)[axis] for v in (a, b, y)]
    p = pack(a, b, y, *along, n, reverse, lines, chunks, *rooms, layout([b.shape[d] for d in others], *steps))
    for kernel in ("chunks", "states", "show") if by_chunks else ("lines",):
        host.launch(f"filter_{b.dtype}", f"sa_recurrence_{kernel}", p, 2, 32)
    return y


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_recurrences(host, dtype):
    rng = np.random.default_rng(9)
    for shape, axis in [((1,), 0), ((256,), 0), ((257, 2), 0), ((2, 1030, 3), 1), ((3, 0), 1), ((0, 3), 1)]:
        a, b = (v / 4 for v in (samples(rng, shape, dtype), rng.standard_normal(shape).astype(dtype)))
        a = (a / np.maximum(abs(a), 1)).astype(dtype)
        for c, d in ((a, b), (a[..., ::-1], np.asfortranarray(b))):
            for reverse in (False, True):
                expected = _core.recurrence(sa.asarray(c), sa.asarray(d), axis, reverse=reverse).numpy()
                assert same_bits(recurrence_on_host(host, c, d, axis, reverse, False), expected)
                got = recurrence_on_host(host, c, d, axis, reverse, True)
                np.testing.assert_allclose(got, expected, rtol=1e-12 if dtype == "float64" else 1e-5, atol=1e-14)
    # Products of coefficients that overflow, where nothing has been added yet.
    a, b = np.full(1000, 1e10, dtype), np.zeros(1000, dtype)
    b[990:] = 1
    for reverse in (False, True):
        expected = recurrence_on_host(host, a, b, 0, reverse, False)
        with np.errstate(invalid="ignore"):
            assert same(recurrence_on_host(host, a, b, 0, reverse, True), expected)


def fir_on_host(host, b, x, offset, m, by_chunks):
    y = np.full((*x.shape[:-1], m), 7, x.dtype)[..., ::-1]
    taps, n, lines = b.shape[-1], x.shape[-1], int(np.prod(x.shape[:-1]))
    if y.size == 0:
        return y
    chunks = -(-min(taps, n) // 8192) or 1
    room = np.zeros(y.size * chunks, x.dtype)
    steps = [elements(v) for v in (b, x, y)]
    dims = layout(x.shape[:-1], *[s[:-1] for s in steps])
    p = pack(b, x, y, *[s[-1] for s in steps], taps, n, m, offset, lines, chunks, room, dims)
    if by_chunks:
        host.launch(f"fir_{x.dtype}", "sa_fir_chunks", p, 3, 256)
        host.launch(f"fir_{x.dtype}", "sa_fir_join", p, 2, 32)
    else:
        host.launch(f"fir_{x.dtype}", "sa_fir_tiles", p, 2, 256)
    return y


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_convolutions(host, dtype):
    rng = np.random.default_rng(10)
    for lead, taps, n, offset, m in [
        ((), 1, 1, 0, 1),
        ((2, 3), 5, 17, 0, 21),
        ((3,), 17, 5, 2, 16),
        ((), 255, 257, 0, 511),
        ((), 300, 1009, -3, 1100),
        ((), 600, 40, 30, 600),
        ((2,), 20000, 20003, 20000, 5),
        ((), 9000, 70, 8000, 300),
        ((), 3, 4, 10, 20),
        ((), 3, 4, -10, 5),
        ((2,), 0, 4, 0, 3),
        ((2,), 3, 0, 0, 20),
        ((0,), 3, 4, 0, 3),
    ]:
        b, x = (samples(rng, (*lead, k), dtype) for k in (taps, 2 * n))
        b, x = b.astype(dtype)[..., ::-1], x[..., ::2]
        expected = _core.fir(sa.asarray(b), sa.asarray(x), offset, m).numpy()
        tiles, chunks = (fir_on_host(host, b, x, offset, m, by_chunks) for by_chunks in (False, True))
        # The CPU adds few results in another order.
        assert m < 16 or same(tiles, expected), (taps, n, offset, m)
        scale = np.abs(b).max(initial=0) * np.abs(x).max(initial=0) * max(min(taps, n), 1)
        for got in (tiles, chunks):
            np.testing.assert_allclose(got, expected, rtol=0, atol=scale * np.finfo(dtype).eps)
    # Only products of elements that exist count.
    x = np.full(40, np.inf, dtype)
    x[20:] = 1
    y = fir_on_host(host, np.ones(3, dtype), x, 0, 42, False)
    assert np.isfinite(y[23:]).all() and not np.isfinite(y[:22]).any()
    y = fir_on_host(host, np.full(3, np.inf, dtype), np.ones(4, dtype), 4, 20, False)
    assert not np.isfinite(y[:2]).any() and (y[2:] == 0).all()


REAL_X, HALF_X, REAL_Y, HALF_Y, MIRROR_Y, CONJ_Y, SWAP_X, SWAP_Y, SWAP_END, ACROSS_X, ACROSS_Y, PAIRS = (
    1 << k for k in range(12)
)


def radices(n):
    found = []
    for r in (4, 2, 3, 5, 7, 11, 13):
        while n % r == 0:
            n //= r
            found.append(r)
    assert n == 1
    return sum(r << 4 * i for i, r in enumerate(found))


def roots(n, count, step=1):
    return np.exp(-2j * np.pi * (np.arange(count) * step % n) / n)


def fft_on_host(host, x, y, n, axis, flags, *, scale=1.0, before=None, after=None, places=None, count=None):
    """Lines of a length that fit into shared memory, reals as half as many pairs."""
    real = x.real.dtype
    length = n
    if flags & PAIRS:
        length, turns = n // 2, roots(n, n).astype(np.result_type(real, "complex64"))
        before, after = (turns, None) if flags & HALF_X else (None, turns)
    others = [d for d in range(x.ndim) if d != axis]
    of_x, of_y = elements(x), elements(y)
    none = [0] * len(others)
    shape = [x.shape[d] for d in others]
    steps = [of_x[axis], of_y[axis]]
    dims = layout(shape, [of_x[d] for d in others], [of_y[d] for d in others], none, none)
    lines = int(np.prod(shape))
    table = roots(length, length).astype(np.result_type(real, "complex64"))
    fields = [x, y, table, before, after, None, None, np.float64(scale), length, radices(length), n, lines, 0, flags]
    fields += [*steps, 1, 1, n if places is None else places, x.shape[axis], n if count is None else count]
    host.launch(f"fft_{real}", "sa_fft_lines", pack(*fields, *steps, dims), 3, 256)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fourier_transforms_of_short_lines(host, dtype):
    rng = np.random.default_rng(11)
    wide = np.result_type(dtype, "complex64")
    most = 16384 // wide.itemsize
    for n in (1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 30, 60, 77, 91, 128, 169, 243, 625, 1001, most, 2 * most):
        near = 4 * np.finfo(dtype).eps * (1 + np.log2(n))
        for shape, axis in (((n,), 0), ((7, n, 2), 1), ((3, n + 2), 1), ((n + 1, 5), 0)):
            z = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(wide)
            full = [n if d == axis else m for d, m in enumerate(shape)]
            half = [n // 2 + 1 if d == axis else m for d, m in enumerate(shape)]
            cases = [
                (z, full, 0, np.fft.fft(z.astype(complex), n, axis), n),
                (z, full, SWAP_X | SWAP_END, np.fft.ifft(z.astype(complex), n, axis, norm="forward"), n),
                (z.real.copy(), half, REAL_X | HALF_Y, np.fft.rfft(z.real, n, axis), n // 2 + 1),
                (z.real.copy(), full, REAL_X | HALF_Y | MIRROR_Y, np.fft.fft(z.real, n, axis), n // 2 + 1),
                (z, full, HALF_X | REAL_Y | SWAP_X | SWAP_END, np.fft.irfft(z, n, axis, norm="forward"), n),
            ]
            cases = [
                (x, result, flags | pairs, expected, count)
                for x, result, flags, expected, count in cases
                for pairs in (0, PAIRS)
                if (n <= most if pairs == 0 else n % 2 == 0 and flags & (REAL_X | HALF_X))
            ]
            for x, result, flags, expected, count in cases:
                for across in (0, ACROSS_X, ACROSS_Y):
                    y = np.full(result, 7, dtype if flags & REAL_Y else wide)
                    fft_on_host(host, x, y, n, axis, flags | across, scale=0.5, count=count)
                    scale = np.linalg.norm(expected, axis=axis, keepdims=True) / np.sqrt(n) + 1e-30
                    assert (np.abs(2 * y - expected) / scale).max() <= near, (n, shape, flags)
                    if flags & HALF_Y:
                        assert not np.take(y, 0, axis).imag.any() and (n % 2 or not np.take(y, n // 2, axis).imag.any())
                    if flags & MIRROR_Y and n > 1:
                        assert same(np.take(y, n - 1, axis), np.take(y, 1, axis).conj())


def test_convolutions_with_a_chirp(host):
    rng = np.random.default_rng(12)
    for n in (17, 31, 127, 509):
        m = 1 << (2 * n - 2).bit_length()
        chirp = roots(2 * n, 2 * n)[np.arange(n) ** 2 % (2 * n)]
        wave = np.zeros(m, complex)
        wave[:n] = chirp.conj()
        wave[m - n + 1 :] = chirp.conj()[1:][::-1]
        kernel = np.fft.fft(wave) / m
        x = rng.standard_normal((3, n)) + 1j * rng.standard_normal((3, n))
        middle, y = np.zeros((3, m), complex), np.zeros((3, n), complex)
        fft_on_host(host, x, middle, m, 1, 0, before=chirp, after=kernel, places=n)
        fft_on_host(host, middle, y, m, 1, SWAP_X | SWAP_Y, after=chirp, count=n)
        expected = np.fft.fft(x)
        assert np.abs(y - expected).max() <= 1e-14 * np.log2(n) * np.abs(expected).max()
