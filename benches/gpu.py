"""Times the kernels of `cuda/` and programs on the first GPU beside PyTorch and CuPy, where these are installed:
`python -m benches.gpu`.

Kernels are launched through the driver with operands that lie on the device, programs are called from Python; times are medians
over calls that are waited for together. The ceiling of bandwidth is a copy by the driver.
"""

import argparse
import ctypes
import datetime
import importlib.util
import pathlib
import statistics
import sys
import time

import numpy as np

import sciarray as sa
from sciarray import _core

from .cases import COMMON, OTHERS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from cuda_device import Driver, text
from cuda_host import c_type, layout, pack, piece

THREADS = 256
#: Seconds that a case is timed for, and longer for one call than which it is not repeated.
LONG = 0.2


def median(start, wait):
    """Seconds per call of what runs without waiting."""

    def timed(repeats):
        begin = time.perf_counter()
        for _ in range(repeats):
            start()
        wait()
        return (time.perf_counter() - begin) / repeats

    timed(1)
    one = timed(1)
    if one > LONG:
        return one
    repeats = max(1, min(20, int(LONG / 5 / one)))
    return statistics.median(timed(repeats) for _ in range(5))


class Bench:
    def __init__(self):
        self.driver = Driver()
        self.modules = {}
        self.torch = self.peer("torch", lambda m: m.cuda.is_available())
        self.cupy = self.peer("cupy", lambda m: m.cuda.runtime.getDeviceCount() > 0)
        print(f"{self.driver.name}, {datetime.date.today()}")
        print(f"{'case':34}{'ours':>12}{'torch':>12}{'cupy':>12}{'GB/s':>10}")

    @staticmethod
    def peer(name, works):
        if importlib.util.find_spec(name) is None:
            return None
        module = importlib.import_module(name)
        return module if works(module) else None

    @staticmethod
    def of_peer(f, wait):
        if not f or not wait:
            return "-"
        try:
            return f"{median(f, wait) * 1e6:.1f} us"
        except RuntimeError as error:
            # PyTorch's `eigh` of 100 000 matrices, for one.
            return type(error).__name__

    def upload(self, x):
        address = self.driver.allocate(x.nbytes)
        self.driver(
            "cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.nbytes)
        )
        return address

    def kernel(self, source, name):
        if source not in self.modules:
            self.modules[source] = self.driver.load(text(source))
        return self.driver.function(self.modules[source], name)

    def row(self, case, launches, moved=0, torch=None, cupy=None):
        """`launches` are functions, parameters, grids and blocks; `moved` the bytes that must be read and written."""

        def start():
            for launch in launches:
                self.driver.start(*launch)

        self.show(case, median(start, self.driver.wait), moved, torch, cupy)

    def call(self, case, f, torch=None, cupy=None):
        """A program on arrays of the device."""
        for _ in range(2):
            f()  # The first replay of a recording compiles, the second makes its graph.
        self.show(case, median(f, sa.cuda.synchronize), 0, torch, cupy)

    def show(self, case, ours, moved=0, torch=None, cupy=None):
        theirs = [
            self.of_peer(torch, self.torch and self.torch.cuda.synchronize),
            self.of_peer(cupy, self.cupy and self.cupy.cuda.Device().synchronize),
        ]
        shown = "".join(f"{t:>12}" for t in [f"{ours * 1e6:.1f} us", *theirs])
        print(f"{case:34}{shown}{moved / ours / 1e9 if moved else 0:10.0f}", flush=True)


def elementwise(bench):
    n = 1 << 26
    for dtype in ("float32", "float64"):
        x = np.random.default_rng(0).random(n).astype(dtype)
        a, b, y = (bench.upload(x) for _ in range(3))
        grid = n // THREADS // 4
        size = ctypes.c_size_t(x.nbytes)
        copy = median(
            lambda: bench.driver("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(y), ctypes.c_uint64(a), size, None),
            bench.driver.wait,
        )
        print(f"{'copy by the driver, ' + dtype:34}{copy * 1e6:9.1f} us{2 * x.nbytes / copy / 1e9:34.0f}")
        t = bench.torch and bench.torch.from_numpy(x).cuda()
        c = bench.cupy and bench.cupy.asarray(x)
        u, d = t is not None and t.clone(), c is not None and c.copy()
        for name, operands, on_torch, on_cupy in [
            ("positive", [a], lambda: t.clone(), lambda: c.copy()),
            ("add", [a, b], lambda: t + u, lambda: c + d),
            ("fma", [a, b, b], lambda: bench.torch.addcmul(t, t, t), lambda: c * c + c),
            ("exp", [a], lambda: bench.torch.exp(t), lambda: bench.cupy.exp(c)),
        ]:
            if name not in _core._rows:
                continue
            program = _core.print_elementwise(name, [dtype] * len(operands))
            f = bench.kernel(piece("map.h", program, SA_MAP=1), "sa_map_flat")
            p = pack(*operands, y, n, 0, layout([n], *[[1]] * (len(operands) + 1)))
            moved = (len(set(operands)) + 1) * x.nbytes
            bench.row(f"{name}, {n} {dtype}", [(f, p, grid, THREADS)], moved, on_torch, on_cupy)
        source = piece("reduce.cu", SA_FOLD="sum", SA_IN=c_type(dtype), SA_ACC="double", SA_OUT=c_type(dtype))
        units = -(-n // (256 * 64))
        dims = (layout([n], [1]), layout([], []))
        rooms = [bench.driver.allocate(8 * units) for _ in range(2)]
        launches = [(bench.kernel(source, "sa_reduce_lines"), pack(a, 0, rooms[0], y, n, 1, units, *dims), units, 256)]
        while units > 1:
            p = pack(rooms[0], rooms[1], y, units, 1)
            launches.append((bench.kernel(source, "sa_reduce_units"), p, -(-units // 512), 256))
            rooms.reverse()
            units = -(-units // 512)
        bench.row(f"sum, {n} {dtype}", launches, x.nbytes, lambda: t.sum(), lambda: c.sum())
        side = 8192
        source = piece("copy.cu", SA_T=f"sa_u{8 * x.itemsize}")
        p = pack(a, y, side, side, side, side, 1, layout([1], [0], [0]))
        launch = (bench.kernel(source, "sa_transpose_tiles"), p, (side // 32) ** 2, (32, 8))
        moved = 2 * side * side * x.itemsize
        square = t is not None and t[: side * side].view(side, side)
        bench.row(f"transpose, {side}^2 {dtype}", [launch], moved, lambda: square.T.contiguous())


def linalg(bench):
    for items, n in ((100_000, 3), (10_000, 3), (10_000, 8), (10_000, 32)):
        size = 1 << (n - 1).bit_length()
        a = np.random.default_rng(1).standard_normal((items, n, n)) + 4 * np.eye(n)
        h = a + a.swapaxes(1, 2)
        b = np.random.default_rng(2).standard_normal((items, n, 1))
        da, dh, db = map(bench.upload, (a, h, b))
        dx, dy = bench.driver.allocate(a.nbytes), bench.driver.allocate(a.nbytes)
        values, info, pivots = (bench.driver.allocate(8 * items * n) for _ in range(3))
        t = [bench.torch and bench.torch.from_numpy(v).cuda() for v in (a, h, b)]
        square = (n, 1)
        groups = 64 // size
        source = piece("linalg.cu", SA_T="double", SA_G=size)

        def launch(kernel, m, x, y, columns=0, x_shape=(n, n), y_shape=(n, n), flags=0):
            strides = [[n * n], [x_shape[0] * x_shape[1]], [y_shape[0] * y_shape[1]]]
            operands = (m, *square, x, x_shape[1], 1, y, y_shape[1], 1)
            p = pack(*operands, values, pivots, info, None, n, n, columns, items, flags, layout([items], *strides))
            return [(bench.kernel(source, kernel), p, -(-items // groups), 64)]

        on = bench.torch and bench.torch.linalg
        for name, launches, f in [
            ("solve", launch("sa_solve", da, db, dy, 1, (n, 1), (n, 1)), lambda: on.solve(t[0], t[2])),
            ("inv", launch("sa_solve", da, 0, dy, n, flags=16), lambda: on.inv(t[0])),
            ("det", launch("sa_determinant", da, dx, 0, x_shape=(1, 1)), lambda: on.det(t[0])),
            ("qr", launch("sa_qr", da, dx, dy, n), lambda: on.qr(t[0])),
            ("eigh", launch("sa_eigh", dh, dx, 0), lambda: on.eigh(t[1])),
            ("svd", launch("sa_svd", da, dx, dy, n), lambda: on.svd(t[0])),
        ]:
            bench.row(f"{name}, {items} x {n} x {n} float64", launches, 0, f)


def large(bench):
    la, on = sa.linalg, bench.torch and bench.torch.linalg
    for items, n, dtype in ((1000, 64, "float64"), (1, 512, "float64"), (1, 512, "float32"), (8, 512, "float64")):
        a = (np.random.default_rng(1).standard_normal((items, n, n)) + 4 * np.eye(n)).astype(dtype)
        h = a @ a.swapaxes(1, 2) / n
        x, y, b = (sa.asarray(v, device="cuda") for v in (a, h, a[..., :1]))
        t = [bench.torch and bench.torch.from_numpy(v).cuda() for v in (a, h, a[..., :1].copy())]
        for name, f, g in [
            ("matmul", lambda: x @ x, lambda: t[0] @ t[0]),
            ("solve", lambda: la.solve(x, b), lambda: on.solve(t[0], t[2])),
            ("inv", lambda: la.inv(x), lambda: on.inv(t[0])),
            ("cholesky", lambda: la.cholesky(y), lambda: on.cholesky(t[1])),
            ("qr", lambda: la.qr(x), lambda: on.qr(t[0])),
            ("eigh", lambda: la.eigh(y), lambda: on.eigh(t[1])),
            ("svd", lambda: la.svd(x), lambda: on.svd(t[0])),
            ("eig", lambda: la.eig(x), lambda: on.eig(t[0])),
            ("ldl", lambda: la.ldl(y), lambda: on.ldl_factor(t[1])),
            ("qr with pivots", lambda: la.qr(x, pivoting=True), None),
            ("hessenberg", lambda: la.hessenberg(x, calc_q=True), None),
            ("schur", lambda: la.schur(x), None),
        ]:
            bench.call(f"{name}, {items} x {n} x {n} {dtype}", f, g)


def seed(bench):
    """`solve` on (n, 3, 3), where batches of small matrices began; NumPy's time is in the peers' first column."""
    for n in (10, 100, 1000, 10_000, 100_000, 1_000_000):
        a = np.random.default_rng(1).standard_normal((n, 3, 3)) + 4 * np.eye(3)
        b = np.random.default_rng(2).standard_normal((n, 3, 1))
        x, y = sa.asarray(a, device="cuda"), sa.asarray(b, device="cuda")
        ours = median(lambda x=x, y=y: sa.linalg.solve(x, y), sa.cuda.synchronize)
        theirs = median(lambda a=a, b=b: np.linalg.solve(a, b), lambda: None)
        print(f"{f'solve, {n} x 3 x 3, NumPy on the CPU':34}{ours * 1e6:9.1f} us{theirs * 1e6:9.1f} us")


def transforms(bench):
    # On both sides of what goes to cuFFT, which the peers take for all: many lines, long ones, and prime factors above 13.
    lines = [
        (200, 256),
        (50, 1024),
        (10_000, 256),
        (1000, 1024),
        (1000, 1025),
        (1000, 2048),
        (1000, 4096),
        (1000, 127),
        (1000, 131),
    ]
    lines += [(1 << 20,), (1 << 24,), (10_007,), (1_000_003,)]
    for name, dtype, shapes in [
        ("fft", "complex128", lines),
        ("fft", "complex64", lines),
        ("rfft", "float64", lines),
        ("irfft", "complex128", lines),
        ("fft", "float64", [(1000, 1024), (1000, 4096), (1 << 20,)]),
        ("fft2", "complex128", [(512, 512), (1000, 1000), (4096, 4096)]),
        ("rfft2", "float64", [(512, 512), (4096, 4096)]),
        ("fftn", "complex64", [(128, 128, 128), (2100, 3, 2100)]),
    ]:
        for shape in shapes:
            x = np.random.default_rng(3).standard_normal(shape).astype(dtype)
            d = sa.asarray(x, device="cuda")
            t, c = bench.torch and bench.torch.from_numpy(x).cuda(), bench.cupy and bench.cupy.asarray(x)
            ours, on_torch, on_cupy = (m and getattr(m.fft, name) for m in (sa, bench.torch, bench.cupy))
            case = f"{name}, {' x '.join(map(str, shape))} {dtype}"
            bench.call(case, lambda: ours(d), lambda: on_torch(t), lambda: on_cupy(c))
    x = sa.asarray(np.random.default_rng(4).standard_normal((64, 100_000)), device="cuda")
    b, a = sa.signal.butter(4, 0.2)
    b, a = b.to("cuda"), a.to("cuda")
    bench.call("lfilter of order 4, 64 x 100000", lambda: sa.signal.lfilter(b, a, x))


def programs(bench):
    """What a graph saves: many small operations, sent one by one and as one."""

    def small(x):
        for _ in range(50):
            x = sa.cumulative_sum(sa.sort(x)) * 0.5 + sa.flip(x)
        return x

    def on_torch(x):
        for _ in range(50):
            x = bench.torch.cumsum(bench.torch.sort(x)[0], 0) * 0.5 + bench.torch.flip(x, (0,))
        return x

    x = sa.asarray(np.random.default_rng(5).standard_normal(100), device="cuda")
    t = bench.torch and bench.torch.from_numpy(x.to("cpu").numpy()).cuda()
    bench.call("200 small operations, eager", lambda: small(x), lambda: on_torch(t))
    recorded = sa.record(small)
    recorded(x)
    plain = recorded.graphs[0].optimized(capture=False)
    bench.call("200 small operations, recorded", lambda: plain(x))
    bench.call("200 small operations, as a graph", lambda: recorded(x))

    rng = np.random.default_rng(6)
    data, target = sa.asarray(rng.standard_normal((256, 16)), device="cuda"), sa.asarray(rng.random(256), device="cuda")
    weights = [sa.asarray(0.1 * rng.standard_normal(s), device="cuda") for s in ((16, 32), (32, 32), (32, 1))]

    def loss(u, v, w):
        y = sa.tanh(sa.tanh(data @ u) @ v) @ w
        return sa.mean((y[:, 0] - target) ** 2)

    def step(u, v, w):
        return [p - 0.1 * g for p, g in zip((u, v, w), sa.grad(loss, argnums=(0, 1, 2))(u, v, w))]

    bench.call("training step, eager", lambda: step(*weights))
    recorded_step = sa.record(step)
    recorded_step(*weights)
    plain_step = recorded_step.graphs[0].optimized(capture=False)
    bench.call("training step, recorded", lambda: plain_step(*weights))
    bench.call("training step, as a graph", lambda: recorded_step(*weights))


#: What PyTorch calls otherwise than SciPy.
ON_TORCH = {"j0": "bessel_j0", "j1": "bessel_j1", "k0": "modified_bessel_k0", "airy": "airy_ai"}


def special(bench):
    """The functions, domains and points of the benchmark on the CPU."""
    functions = [bench.torch and bench.torch.special, None]
    if bench.cupy:
        functions[1] = importlib.import_module("cupyx.scipy.special")
    for name, domain in {**COMMON, **OTHERS}.items():
        for dtype in ("float64", "float32"):
            rng = np.random.default_rng(7)
            xs = [rng.uniform(*r, 10**6).astype(dtype) for r in domain]
            ds = [sa.asarray(x, device="cuda") for x in xs]
            ts = bench.torch and [bench.torch.from_numpy(x).cuda() for x in xs]
            cs = bench.cupy and [bench.cupy.asarray(x) for x in xs]
            ours = getattr(sa.special, name)
            on_torch, on_cupy = (getattr(f, n, None) for f, n in zip(functions, (ON_TORCH.get(name, name), name)))
            bench.call(
                f"{name}, 1e6 {dtype}",
                lambda f=ours, ds=ds: f(*ds),
                on_torch and (lambda f=on_torch, ts=ts: f(*ts)),
                on_cupy and (lambda f=on_cupy, cs=cs: f(*cs)),
            )


PARTS = [elementwise, special, linalg, large, seed, transforms, programs]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benches.gpu")
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=f"of {', '.join(p.__name__ for p in PARTS)}; all where none is named"
    )
    chosen = parser.parse_args().parts
    if unknown := set(chosen) - {part.__name__ for part in PARTS}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    bench = Bench()
    for part in PARTS:
        if not chosen or part.__name__ in chosen:
            part(bench)
