"""Times the kernels of `cuda/` on the first GPU beside PyTorch and CuPy, where these are installed: `python -m benches.gpu`.

Kernels are launched through the driver with operands that lie on the device; times are medians over launches that are waited
for together. The ceiling of bandwidth is a copy by the driver. Large matrices go through the library's own functions.
"""

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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from cuda_device import Driver, text
from cuda_host import c_type, layout, pack, piece

THREADS = 256


def median(start, wait, repeats=20, rounds=5):
    """Seconds per call of what runs without waiting."""
    start()
    wait()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(repeats):
            start()
        wait()
        times.append((time.perf_counter() - begin) / repeats)
    return statistics.median(times)


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

    def show(self, case, ours, moved=0, torch=None, cupy=None):
        theirs = [median(torch, self.torch.cuda.synchronize) if torch and self.torch else None]
        theirs.append(median(cupy, self.cupy.cuda.Device().synchronize) if cupy and self.cupy else None)
        shown = "".join(f"{f'{t * 1e6:.1f} us' if t else '-':>12}" for t in [ours, *theirs])
        print(f"{case:34}{shown}{moved / ours / 1e9 if moved else 0:10.0f}")


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
        for name, operands, on_torch, on_cupy in [
            ("positive", [a], lambda: t.clone(), lambda: c.copy()),
            ("add", [a, b], lambda: t + t, lambda: c + c),
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
            p = pack(*operands, values, pivots, info, n, n, columns, items, flags, layout([items], *strides))
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
        ]:
            # Decompositions one after the other take a second or more.
            few = {"repeats": 2, "rounds": 3} if items * n > 4096 and name in ("svd", "eig") else {}
            ours = median(f, sa.cuda.synchronize, **few)
            bench.show(f"{name}, {items} x {n} x {n} {dtype}", ours, torch=g)


if __name__ == "__main__":
    bench = Bench()
    elementwise(bench)
    linalg(bench)
    large(bench)
