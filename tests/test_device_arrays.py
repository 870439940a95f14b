"""Arrays on a GPU: where they are, how they get there and back, and what is refused."""

import threading

import numpy as np
import pytest
from cuda_host import same_bits

import sciarray as sa

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")


def on_gpu(x):
    return sa.asarray(x, device="cuda")


def test_values_travel():
    rng = np.random.default_rng(1)
    for shape in ((), (1,), (5,), (0, 3), (3, 4, 5)):
        for dtype in ("bool", "int8", "uint64", "float32", "float64", "complex128"):
            x = (rng.standard_normal(shape) * 9).astype(dtype)
            y = sa.asarray(x).to("cuda")
            assert (y.device, y.shape, y.dtype.name) == ("cuda:0", shape, dtype)
            assert same_bits(y.to("cpu").numpy(), x) and y.to("cuda:0") is not None
    x = rng.standard_normal((6, 7, 8))
    view = on_gpu(x)[::-2, 1:, ::3].T
    assert view.device == "cuda:0" and same_bits(view.to("cpu").numpy(), x[::-2, 1:, ::3].T)
    assert same_bits(sa.asarray(x.T[::2], device="cuda").to("cpu").numpy(), x.T[::2])
    spread = sa.broadcast_to(on_gpu([1.0, 2.0]), (3, 2))
    assert spread.strides == (0, 8) and spread.to("cpu").tolist() == [[1, 2]] * 3


def test_long_arrays_travel_in_pieces():
    piece = 4 << 20
    for n in ((1 << 20) - 1, 1 << 20, piece, piece + 1, 3 * piece + 5):
        x = np.random.default_rng(n).integers(0, 256, n).astype("uint8")
        y = sa.asarray(x, copy=True)
        z = y.to("cuda")
        y += 1  # The pieces are filled when the call is back.
        assert same_bits(z.to("cpu").numpy(), x)
    failures = []

    def work(k):
        x = np.full(piece // 4 + k, float(k))
        if not same_bits((on_gpu(x) + 1.0).to("cpu").numpy(), x + 1.0):
            failures.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures


def test_creation():
    for f, want in [
        (lambda d: sa.zeros((2, 3), device=d), np.zeros((2, 3))),
        (lambda d: sa.ones(4, "float32", device=d), np.ones(4, "float32")),
        (lambda d: sa.full((2,), 7, device=d), np.full(2, 7)),
        (lambda d: sa.arange(5, device=d), np.arange(5)),
        (lambda d: sa.eye(3, device=d), np.eye(3)),
        (lambda d: sa.linspace(0.0, 1.0, 5, device=d), np.linspace(0, 1, 5)),
    ]:
        x = f("cuda")
        assert x.device == "cuda:0" and same_bits(x.to("cpu").numpy(), want)
        assert sa.zeros_like(x).device == sa.full_like(x, 2).device == "cuda:0"
        assert f(None).device == f("cpu").device == "cpu"


def test_reads_of_elements():
    x = on_gpu([[1.5, 2.0], [3.0, -4.0]])
    assert float(x[0, 0]) == 1.5 and x[1, 1].item() == -4.0 and int(x[1, 0]) == 3 and bool(x[0, 1])
    assert x.tolist() == [[1.5, 2.0], [3.0, -4.0]]
    assert repr(x) == "array([[ 1.5,  2. ],\n       [ 3. , -4. ]], device='cuda:0')"
    assert [float(v) for v in x[0]] == [1.5, 2.0] and len(x) == 2


def test_memory_of_a_device_is_not_read_from_outside():
    x = on_gpu([1.0])
    for read in (np.asarray, np.array, memoryview, lambda x: x.numpy()):
        with pytest.raises((TypeError, BufferError), match=r'the array is on cuda:0: x.to\("cpu"\)'):
            read(x)
    assert x.__dlpack_device__() == (2, 0)


def test_devices_do_not_mix():
    x, y = on_gpu([1.0, 2.0]), sa.asarray([1.0, 2.0])
    for f in (lambda: x + y, lambda: sa.concat([y, x]), lambda: sa.matmul(x, y)):
        with pytest.raises(ValueError, match=r"must be on one device, got cuda:0 and cpu: move one with"):
            f()
    with pytest.raises(ValueError, match="set_slice: arrays must be on one device, got cuda:0 and cpu"):
        x[:] = y
    # What is one element goes along.
    assert (x * 2.0 + sa.asarray(1.0)).to("cpu").tolist() == [3.0, 5.0]
    assert (3.0 / x).device == sa.where(x > 1, 0.0, x).device == "cuda:0"
    if sa.cuda.device_count() > 1:
        z = x.to("cuda:1")
        assert z.device == "cuda:1" and (z + z).to("cuda").to("cpu").tolist() == [2.0, 4.0]
        with pytest.raises(ValueError, match="one device, got cuda:0 and cuda:1"):
            x + z


def test_custom_functions_run_where_their_arrays_are():
    @sa.custom_vjp
    def double(x):
        return x * 2.0

    double.defvjp(lambda x: (x * 2.0, None), lambda _, g: (g * 2.0,))
    x = on_gpu([1.0, 2.0])
    assert double(x).device == sa.grad(lambda x: sa.sum(double(x)))(x).device == "cuda:0"


def test_gradients_cross_devices():
    w = sa.asarray([1.0, -2.0, 3.0])

    def loss(w):
        x = w.to("cuda")
        return sa.sum(sa.exp(x) * x).to("cpu")

    g = sa.grad(loss)(w)
    assert g.device == "cpu"
    np.testing.assert_allclose(g.numpy(), np.exp(w.numpy()) * (1 + w.numpy()), rtol=1e-14)
    # Entirely on the device, to second order and by the tape.
    x = w.to("cuda")
    h = sa.grad(lambda x: sa.sum(sa.grad(lambda x: sa.sum(x**3))(x) ** 2))(x)
    assert h.device == "cuda:0"
    np.testing.assert_allclose(h.to("cpu").numpy(), 36 * w.numpy() ** 3, rtol=1e-14)
    leaf = sa.asarray([1.0, 2.0], device="cuda", requires_grad=True)
    (leaf * leaf).sum().backward()
    assert leaf.grad.device == "cuda:0" and leaf.grad.to("cpu").tolist() == [2.0, 4.0]
    # A scalar on the CPU beside arrays of the device gets its gradient there.
    scale = sa.asarray(3.0)
    g = sa.grad(lambda s: sa.sum(x * s).to("cpu"))(scale)
    assert g.device == "cpu" and float(g) == 2.0
    y, t = sa.jvp(lambda w: sa.sin(w.to("cuda")), (w,), (sa.ones(3),))
    assert t.device == "cuda:0"
    np.testing.assert_allclose(t.to("cpu").numpy(), np.cos(w.numpy()), rtol=1e-15)


def test_assignment_is_by_value():
    x = on_gpu(np.arange(6.0).reshape(2, 3))
    before = x[...]
    x[0, 1:] = 9
    x[1] = on_gpu([7.0, 8.0, 9.0])
    x += 1.0
    assert x.to("cpu").tolist() == [[1, 10, 10], [8, 9, 10]]
    assert before.to("cpu").tolist() == [[0, 1, 2], [3, 4, 5]]
    x[x > 9] = 0.0
    x[[0, 1], [0, 0]] = on_gpu([5.0, 6.0])
    assert x.to("cpu").tolist() == [[5, 0, 0], [6, 9, 0]]


def test_indices_out_of_range_are_errors():
    x = on_gpu(np.arange(12.0).reshape(3, 4))
    for bad in (lambda: x[[0, 3]], lambda: x[:, on_gpu([1, -5])], lambda: x[7]):
        with pytest.raises(IndexError, match=r"index: (3|-5|7) is out of bounds for axis [01] with size [34]"):
            bad()


def test_recordings_replay_on_the_device():
    calls = []

    @sa.record
    def f(x, y):
        calls.append(0)
        z = sa.exp(x) * y + 2.0
        return sa.sum(z, axis=0), sa.sqrt(sa.abs(z)).T

    rng = np.random.default_rng(2)
    for _ in range(3):
        a, b = rng.standard_normal((4, 5)), rng.standard_normal(5)
        got = f(on_gpu(a), on_gpu(b))
        want = (lambda x, y: (z := sa.exp(x) * y + 2.0, (sa.sum(z, axis=0), sa.sqrt(sa.abs(z)).T))[1])(
            sa.asarray(a), sa.asarray(b)
        )
        for g, w in zip(got, want):
            assert g.device == "cuda:0" and same_bits(g.to("cpu").numpy(), w.numpy())
    assert len(calls) == 1
    # The same function for arrays of the CPU is another recording.
    assert f(sa.asarray(a), sa.asarray(b))[0].device == "cpu" and len(calls) == 2

    @sa.record
    def branch(x):
        return x * 2 if sa.sum(x) > 0 else x.to("cpu") - 1

    for _ in range(2):
        assert branch(on_gpu([1.0, 2.0])).to("cpu").tolist() == [2, 4]
        y = branch(on_gpu([-1.0, -2.0]))
        assert y.device == "cpu" and y.tolist() == [-2, -3]


def test_operations_of_the_cpu_are_not_fused_with_those_of_the_device():
    f = sa.grad(lambda x: sa.sum(sa.linalg.lu(x)[2] ** 3))
    recorded = sa.record(f)
    for seed in (0, 1, 2):
        x = np.random.default_rng(seed).standard_normal((3, 3))
        y = recorded(sa.asarray(x).to("cuda"))
        assert str(y.device) == "cuda:0"
        np.testing.assert_allclose(np.asarray(y.to("cpu")), np.asarray(f(sa.asarray(x))), rtol=1e-12, atol=1e-12)


def test_random_numbers_are_those_of_the_cpu():
    for draw in (
        lambda r: r.random((3, 5)),
        lambda r: r.standard_normal(1001, dtype="float32"),
        lambda r: r.exponential(size=7),
        lambda r: r.integers(-5, 100, size=(4, 9)),
        lambda r: r.normal(1.0, 2.0, size=6),
        lambda r: r.gamma([0.0, 0.01, 0.5, 1.0, 7.5, 1e6], size=(40, 6)),
        lambda r: r.beta([[0.5], [1e-320], [3.0]], [2.0, 1e-320, 0.1], size=(20, 3, 3)),
        lambda r: r.poisson([0.0, 0.1, 9.9, 10.0, 500.0, 1e12], size=(40, 6)),
        lambda r: r.binomial([0, 5, 40, 1000, 2**40], [[0.3], [0.9], [0.0], [1.0]], size=(10, 4, 5)),
    ):
        a, b = sa.random.default_rng(3), sa.random.default_rng(3, device="cuda")
        for _ in range(2):
            x, y = draw(a), draw(b)
            assert y.device == "cuda:0" and same_bits(y.to("cpu").numpy(), x.numpy())
        assert a.state == b.state


def test_threads_have_streams_that_wait_for_each_other():
    first = sa.exp(on_gpu(np.linspace(0, 1, 1000)))
    streams, results = [sa.cuda.stream()], []

    def work():
        streams.append(sa.cuda.stream())
        results.append(sa.sum(first * 2.0))

    for _ in range(3):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    want = sa.sum(sa.exp(sa.asarray(np.linspace(0, 1, 1000))) * 2.0)
    assert len(set(streams[:2])) == 2
    # The results of other threads, whose streams nobody has waited for.
    assert all(same_bits((r * 1.0).to("cpu").numpy(), want.numpy()) for r in results)
    sa.cuda.synchronize()


def test_memory_is_given_back():
    sa.cuda.synchronize()
    before = sa.cuda.memory_stats()["used"]
    x = on_gpu(np.ones(1 << 16))
    assert sa.cuda.memory_stats()["used"] >= before + (8 << 16)
    for _ in range(20):
        x = x + 1.0
    del x
    sa.cuda.synchronize()
    assert sa.cuda.memory_stats()["used"] <= before + 1024


def test_solvers_by_products_and_functions_of_eigenvalues():
    rng = np.random.default_rng(8)
    x = rng.standard_normal((5, 5))
    spd, b = x @ x.T + 5 * np.eye(5), rng.standard_normal((3, 5))
    shift = lambda a: sa.linalg.LinearOperator((5, 5), lambda v, m: v @ m.mT + v, dtype="float64", args=(a,))

    def check(f, *args):
        for got, want in zip(f(*map(on_gpu, args)), f(*map(sa.asarray, args)), strict=True):
            assert got.device == "cuda:0"
            np.testing.assert_allclose(got.to("cpu").numpy(), want.numpy(), rtol=1e-8, atol=1e-9)

    check(lambda a, b: sa.linalg.cg(a, b, rtol=1e-12), spd, b)
    check(lambda a, b: sa.linalg.gmres(a, b, rtol=1e-12, M=sa.linalg.inv(a) * 0.9), x + 3 * np.eye(5), b)
    check(lambda a, b: sa.linalg.gmres(shift(a), b, x0=b, rtol=1e-12), x + 3 * np.eye(5), b)
    for solver in (sa.linalg.cg, sa.linalg.gmres):
        loss = lambda a, b, solver=solver: sa.sum(solver(a, b, rtol=1e-13)[0] ** 2)
        check(lambda a, b, loss=loss: sa.grad(loss, argnums=(0, 1))(a, b), spd, b)
    check(lambda a: (sa.linalg.hermitian_function(a, sa.exp), sa.linalg.signm(a)), spd)
    check(lambda a: (sa.grad(lambda a: sa.sum(sa.linalg.hermitian_function(a, sa.log) ** 2))(a),), spd)
    check(lambda a: (sa.grad(lambda a: sa.sum(sa.linalg.singular_function(a, sa.tanh) ** 3))(a),), x[:, :3])
