"""Recorded programs on a GPU as CUDA graphs: the numbers of the eager program at every replay."""

import ctypes
import threading

import numpy as np
import pytest
from cuda_host import same_bits

import sciarray as sa

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")


def on_gpu(x):
    return sa.asarray(x, device="cuda")


def elements(x):
    return x.to("cpu").numpy()


def launches():
    """How many graphs were launched so far; None on a GPU, which does not tell."""
    count = getattr(ctypes.CDLL("libcuda.so.1"), "standin_graph_launches", None)
    return None if count is None else count()


def launched(before, n):
    return before is None or launches() - before == n


def leaves(y):
    return list(y) if isinstance(y, (tuple, list)) else [y]


def check_replays(f, *calls, graphs=None):
    """Records `f`; the results of each call are those of the eager function, bit for bit, still at the end."""
    recorded, got, want = sa.record(f), [], []
    counts = []
    for args in calls:
        before = launches()
        got.append(leaves(recorded(*args)))
        counts.append(None if before is None else launches() - before)
        want.append(leaves(f(*args)))
    for ys, zs in zip(got, want, strict=True):
        for y, z in zip(ys, zs, strict=True):
            assert (y.device, y.shape, y.dtype) == (z.device, z.shape, z.dtype)
            assert same_bits(elements(y), elements(z))
    if graphs is not None and counts[0] is not None:
        # The first call records, the first replay sends step by step.
        assert counts == [0, 0] + [graphs] * (len(calls) - 2), counts
    return recorded


def arrays(n, *shapes):
    rng = np.random.default_rng(5)
    return [tuple(on_gpu(rng.standard_normal(s)) for s in shapes) for _ in range(n)]


def chain(x, y):
    for k in range(6):
        x = sa.sum(sa.sin(x) * y, axis=0) + k * sa.cumulative_sum(x, axis=1)
    return x, sa.max(x), x.T


PROGRAMS = {
    "chain": chain,
    "linear algebra": lambda a, b: (
        sa.linalg.solve(a @ a.mT + 3.0, b),
        *sa.linalg.eigh(a + a.mT),
        *sa.linalg.qr(a),
        sa.linalg.det(a),
        sa.linalg.inv(a * a + 4.0 * sa.eye(4, device="cuda")),
    ),
    "signals": lambda a, b: (
        sa.fft.fft(a, 7),
        sa.fft.irfft(sa.fft.rfft(b), 4),
        sa.fft.dct(a),
        sa.signal.lfilter(a[0, :2], 2.0 + sa.abs(a[1]), b),
        sa.signal.fftconvolve(a, b, mode="same"),
    ),
    "gradient": sa.grad(
        lambda a, b: sa.sum(sa.linalg.solve(a @ a.mT + 3.0, sa.exp(b)) ** 2) + sa.sum(sa.cumulative_sum(a, axis=1) * b)
    ),
    "views": lambda a, b: (
        a.T,
        sa.broadcast_to(b[:1], (4, 4)),
        a[::-1, 1:] * 1.0,
        sa.concat([a, sa.flip(b), a.T, b.T]),
        sa.reshape(a.T, 16) + sa.sort(sa.reshape(b, 16)),
        sa.tril(sa.sort(a)) @ b,
        a,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_replays(name):
    check_replays(PROGRAMS[name], *arrays(5, (4, 4), (4, 4)), graphs=1)


def test_products_of_libraries_are_captured():
    def f(a, b):
        return a @ b @ a.mT @ b.mT @ (a @ a)

    check_replays(f, *arrays(4, (40, 40), (40, 40)), graphs=1)


def test_factorizations_of_libraries_run_between():
    def f(a, b):
        x = sa.linalg.solve(a @ a.mT + 40.0 * sa.eye(40, device="cuda"), b)
        L = sa.linalg.cholesky(x @ x.mT + sa.eye(40, device="cuda"))
        return L, sa.linalg.eigh(L + L.mT)[0], sa.linalg.qr(a)[1], sa.linalg.svdvals(L @ a)

    check_replays(f, *arrays(4, (40, 40), (40, 40)))


def test_layouts_of_operands_differ_from_replay_to_replay():
    def f(x, y):
        z = sa.cumulative_sum(x, axis=0) * y
        return sa.sort(z, axis=1), sa.sum(z, axis=1), sa.cumulative_sum(z, axis=1), sa.cumulative_prod(z, axis=0)

    (plain, y), (other, _) = arrays(2, (6, 6), ())
    spread = sa.broadcast_to(other[:1], (6, 6))
    calls = [plain, plain, plain, other.T, plain[::-1], spread, other]
    check_replays(f, *[(x, y) for x in calls], graphs=1)
    # Written down for an operand without a step along an axis, others are sent step by step.
    check_replays(f, *[(x, y) for x in (spread, spread, spread, spread)], graphs=1)
    check_replays(f, *[(x, y) for x in (spread, spread, spread, plain, other.T)])
    # A number may come from the CPU, then from the device.
    check_replays(f, *[(plain, v) for v in (sa.asarray(2.0), sa.asarray(3.0), sa.asarray(4.0), y, sa.asarray(5.0))])
    check_replays(f, *[(sa.zeros((0, 6), device="cuda"), y)] * 4)


def test_numbers_from_the_cpu_change():
    def step(p, rate):
        rate = sa.sqrt(rate) * 0.5
        for _ in range(3):
            p = p - rate * sa.cumulative_sum(sa.sort(p))
        return p

    p = arrays(1, (9,))[0][0]
    check_replays(step, *[(p, sa.asarray(v)) for v in (0.1, 0.2, 0.3, 0.4, 0.1)], graphs=1)


def test_results_stay_as_they_were():
    f = sa.record(lambda x: chain(x, x))
    kept = []
    for (x,) in arrays(6, (5, 5)):
        kept.append((x, f(x)))
    for x, ys in kept:
        for y, z in zip(ys, chain(x, x)):
            assert same_bits(elements(y), elements(z))


def test_guards_and_waits_part_a_graph():
    def f(x, i):
        y = sa.sort(sa.cumulative_sum(x) * 2.0)
        y = sa.cumulative_prod(sa.sort(-y))
        y = sa.take(y, i)  # Waits: are the indices in range?
        z = sa.cumulative_sum(sa.sort(y))
        z = sa.cumulative_sum(sa.sort(z * z))
        if sa.sum(z) > 0:
            z = sa.cumulative_sum(sa.sort(sa.cumulative_sum(sa.sort(sa.exp(-z)))))
        return z, sa.sum(z)

    i = on_gpu([3, 1, 1, 0])
    (x,), (other,) = arrays(2, (4,), ())[0][:1], arrays(3, (4,), ())[2][:1]
    check_replays(f, (x, i), (x, i), (x, i), (other, i), (x, i), graphs=3)
    g = check_replays(f, *[(x, i)] * 4)
    with pytest.raises(IndexError, match="index: 9 is out of bounds"):
        g(x, on_gpu([3, 1, 9, 0]))
    assert same_bits(g(x, i)[0].to("cpu").numpy(), f(x, i)[0].to("cpu").numpy())


def test_draws_go_on():
    rng, want = sa.random.default_rng(3, device="cuda"), sa.random.default_rng(3, device="cuda")

    def f(rng, x):
        a = rng.standard_normal(8)
        y = sa.cumulative_sum(sa.sort(a * x))
        y = sa.sort(sa.cumulative_sum(sa.sort(y)) * rng.random(8))
        y = sa.cumulative_sum(y) + rng.normal(sa.sum(x), 1.0, size=8)
        return sa.sort(sa.cumulative_prod(sa.sort(sa.cumulative_sum(y))))

    g = sa.record(lambda x: f(rng, x))
    for (x,) in arrays(6, (8,)):
        assert same_bits(g(x).to("cpu").numpy(), f(want, x).to("cpu").numpy())
    assert rng.state == want.state


def test_state_and_closures():
    state = {"p": on_gpu(np.arange(5.0)), "scale": on_gpu(2.0)}

    @sa.record
    def step(x):
        g = sa.cumulative_sum(sa.sort(state["p"] * x)) * state["scale"]
        state["p"] -= 0.1 * sa.cumulative_sum(sa.sort(g))
        return sa.sum(state["p"])

    p = np.arange(5.0)
    for k, (x,) in enumerate(arrays(6, (5,))):
        if k == 4:
            state["scale"] *= 0.5
        got = float(step(x))
        g = np.cumsum(np.sort(p * x.to("cpu").numpy())) * (2.0 if k < 4 else 1.0)
        p = p - 0.1 * np.cumsum(np.sort(g))
        assert got == pytest.approx(p.sum(), rel=1e-13, abs=0.0)
        np.testing.assert_allclose(state["p"].to("cpu").numpy(), p, rtol=1e-13)


def test_constants_live_as_long_as_the_graph():
    def f(x):
        for k in range(5):
            x = sa.sort(sa.cumulative_sum(x + (0.37 + k)))
        return sa.fft.fft(x)

    x = on_gpu(np.arange(6.0))
    g = check_replays(f, *[(x,)] * 4, graphs=1)
    for k in range(600):  # More than the cache of constants holds.
        x + (1e3 + k)
    assert same_bits(g(x).to("cpu").numpy(), f(x).to("cpu").numpy())


def test_bad_matrices_are_nan():
    f = sa.record(
        lambda a, b: sa.cumulative_sum(sa.linalg.solve(a, b) * 2.0 + sa.linalg.det(a)[:, None, None], axis=1) ** 2
    )
    a, b = np.random.default_rng(0).standard_normal((3, 4, 4)), np.ones((3, 4, 1))
    for k in range(5):
        a[1] = 0.0 if k % 2 else np.eye(4)  # Recorded with a good one.
        y = f(on_gpu(a), on_gpu(b)).to("cpu").numpy()
        assert np.isnan(y[1]).all() == bool(k % 2) and np.isfinite(y[[0, 2]]).all()


def test_large_arrays_are_not_copied():
    def f(x):
        for _ in range(5):
            x = sa.concat([x[1:], x[:1]])
        return x

    check_replays(f, *[(on_gpu(np.ones(1 << 19, complex)),)] * 3, graphs=0)
    recorded = check_replays(f, *[(on_gpu(np.arange(1 << 10)),)] * 4, graphs=1)
    plain = recorded.graphs[-1].optimized(capture=False)
    before = launches()
    for _ in range(3):
        plain(on_gpu(np.arange(1 << 10)))
    assert launched(before, 0)


def test_steps_between_graphs_keep_no_more_than_they_need():
    used = []

    @sa.leaf
    def look(x):
        sa.cuda.synchronize()
        used.append(sa.cuda.memory_stats()["used"])
        return x * 1.0

    def f(x):
        for _ in range(3):
            x = sa.concat([x[1:], x[:1]])
        return look(x)

    x, recorded = on_gpu(np.ones(1 << 19, complex)), sa.record(f)
    for _ in range(5):
        recorded(x)
    # The recording itself, then replays: step by step, written down, and as that says.
    assert len(used) == 5 and max(used[2:]) <= used[1], used


def test_threads_have_graphs_of_their_own():
    recorded, failures = sa.record(lambda x: chain(x, x)), []
    inputs = arrays(8, (5, 5))
    wanted = [[z.to("cpu").numpy() for z in chain(x, x)] for (x,) in inputs]
    recorded(inputs[0][0])

    def work(k):
        for j in range(6):
            (x,), want = inputs[(k + j) % 8], wanted[(k + j) % 8]
            if not all(same_bits(y.to("cpu").numpy(), z) for y, z in zip(recorded(x), want)):
                failures.append((k, j))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures


def test_captured_streams_are_left_alone():
    """Others read, and drop, arrays of a thread that writes one graph down after the other."""
    made, failures, is_over = [on_gpu(np.ones(6))], [], threading.Event()

    def read():
        while not is_over.is_set():
            x = made[-1]
            y = elements(sa.cumulative_sum(x * 0.0 + 1.0))
            if y.tolist() != [1, 2, 3, 4, 5, 6]:
                failures.append(y)
            if len(made) > 6:
                del made[:2]
            sa.cuda.synchronize()

    threads = [threading.Thread(target=read) for _ in range(2)]
    [t.start() for t in threads]
    before = launches()
    for k in range(10):
        f = sa.record(lambda x, k=k: sa.sort(sa.cumulative_sum(sa.sort(sa.cumulative_sum(x) + float(k)))))
        for _ in range(4):
            made.append(f(on_gpu(np.ones(6))))
    is_over.set()
    [t.join() for t in threads]
    assert not failures and launched(before, 20)


def test_memory_goes_with_the_program():
    x = on_gpu(np.ones((8, 8)))
    chain(x, x)
    sa.cuda.synchronize()
    before = sa.cuda.memory_stats()["used"]
    recorded = sa.record(lambda x: chain(x, x))
    for _ in range(4):
        recorded(x)
    sa.cuda.synchronize()
    assert sa.cuda.memory_stats()["used"] > before
    del recorded
    sa.cuda.synchronize()
    assert sa.cuda.memory_stats()["used"] == before


def test_programs_of_a_device_as_data(tmp_path):
    scale = on_gpu(np.arange(4.0))
    f = sa.record(lambda x: sa.sum(sa.cumulative_sum(sa.sin(x * scale)) * 2.0))
    (x,) = arrays(1, (4,))[0]
    f(x)
    graph = f.graphs[0]
    eager = lambda x: sa.sum(sa.cumulative_sum(sa.sin(x * scale)) * 2.0)
    inner = graph.extract(["sin_1"])
    cotangent = on_gpu(2.0)
    back = graph.vjp()
    other = graph.rewrite(lambda node, xs: sa.cos(xs[0]) if node.op == "sin" else None)
    graph.save(tmp_path / "g.zip")
    loaded = sa.graph.load(tmp_path / "g.zip")
    for (x,) in arrays(4, (4,)):
        for got, want in [
            (inner(x), sa.sin(x * scale)),
            (back(x, cotangent), 2.0 * sa.grad(eager)(x)),
            (other(x), sa.sum(sa.cumulative_sum(sa.cos(x * scale)) * 2.0)),
            (loaded(x), eager(x)),
        ]:
            assert got[0].device == "cuda:0" and same_bits(elements(got[0]), elements(want))
    with pytest.raises(ValueError, match="was recorded on cuda:0, got one on cpu"):
        inner(x.to("cpu"))
