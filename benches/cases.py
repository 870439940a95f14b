"""The cases, with the goals that ``docs/PERFORMANCE.md`` reports on."""

from __future__ import annotations

import numpy as np

from .measure import Case, Data


def normal(*shape: int, names: str = "a") -> Data:
    return lambda rng: {n: rng.standard_normal(shape) for n in names}


def positive(*shape: int, names: str = "a") -> Data:
    return lambda rng: {n: rng.uniform(0.1, 10.0, shape) for n in names}


def definite(batch: int, n: int) -> Data:
    def make(rng: np.random.Generator) -> dict[str, np.ndarray]:
        g = rng.standard_normal((batch, n, n))
        # Of a size whose determinant neither over- nor underflows.
        return {"A": (g @ g.swapaxes(-1, -2) / n + np.eye(n)) / 2, "b": rng.standard_normal((batch, n, 1))}

    return make


def overhead() -> list[Case]:
    two = normal(10, names="ab")
    exprs = {"a + b": "a + b", "a + 1.0": "a + 1.0", "sin": "xp.sin(a)", "sum": "a.sum()"}
    return [
        *(Case(f"overhead/{name} [10]", e, two, goals={"numpy": 0.5}) for name, e in exprs.items()),
        *(Case(f"tracked/{name} [10]", e, two, goals={"torch": 0.3}, tracked=True) for name, e in exprs.items()),
    ]


def elementwise() -> list[Case]:
    cases = []
    for n in (10**6, 10**7):
        for name, e in {
            "a + b": "a + b",
            "a * b": "a * b",
            "exp": "xp.exp(a)",
            "log": "xp.log(a)",
            "sin": "xp.sin(a)",
            "tanh": "xp.tanh(a)",
        }.items():
            cases.append(Case(f"elementwise/{name} [{n:.0e}]", e, positive(n, names="ab"), goals={"numpy": 1.0}))
    return cases


#: Special functions in common use, with the ranges of their arguments.
COMMON = {
    "betainc": ((0.5, 20), (0.5, 20), (0, 1)),
    "digamma": ((0.1, 10),),
    "erf": ((-4, 4),),
    "erfc": ((-4, 10),),
    "erfcx": ((-4, 50),),
    "erfinv": ((-1, 1),),
    "exp1": ((0.1, 20),),
    "expit": ((-20, 20),),
    "gamma": ((0.1, 50),),
    "gammainc": ((0.5, 50), (0, 50)),
    "gammaln": ((0.1, 10),),
    "i0": ((0, 20),),
    "j0": ((0, 50),),
    "j1": ((0, 50),),
    "k0": ((0.1, 20),),
    "log_ndtr": ((-20, 5),),
    "logit": ((0, 1),),
    "ndtr": ((-5, 5),),
    "ndtri": ((0, 1),),
    "xlogy": ((0, 10), (0, 10)),
}
OTHERS = {
    "airy": ((-20, 10),),
    "ber": ((0, 50),),
    "betaincinv": ((0.5, 20), (0.5, 20), (0, 1)),
    "ellipkinc": ((0, 1.5), (0, 1)),
    "gammaincinv": ((0.5, 50), (0, 1)),
    "hyp0f1": ((0.1, 10), (-20, 20)),
    "hyp1f1": ((-5, 5), (0.1, 10), (-20, 20)),
    "hyp2f1": ((-5, 5), (-5, 5), (0.2, 8), (-5, 0.95)),
    "iv": ((0, 10), (0, 20)),
    "jv": ((0, 10), (0, 50)),
    "kei": ((0, 50),),
    "kl_div": ((0, 10), (0, 10)),
    "kv": ((0, 10), (0.1, 20)),
    "modstruve": ((0, 5), (0, 20)),
    "ndtri_exp": ((-20, -0.1),),
    "owens_t": ((-3, 3), (-3, 3)),
    "spherical_jn": ((3, 3), (0, 50)),
    "stdtrit": ((0.5, 50), (0, 1)),
    "struve": ((0, 5), (0, 20)),
    "voigt_profile": ((-10, 10), (0.1, 5), (0.1, 5)),
    "yv": ((0, 10), (0.1, 50)),
    "zeta": ((1.1, 20), (0.1, 20)),
}


def special() -> list[Case]:
    def inside(ranges: tuple[tuple[float, float], ...], n: int, dtype: str) -> Data:
        return lambda rng: {k: rng.uniform(*r, n).astype(dtype) for k, r in zip("abcd", ranges, strict=False)}

    cases = []
    for functions, n, goal in ((COMMON, 10**6, 0.25), (OTHERS, 10**5, 1.0)):
        for name, ranges in functions.items():
            expr = f"special.{name}({', '.join('abcd'[: len(ranges)])})"
            if name == "airy":
                expr += "[0]"
            # jax does not return from small arguments of exp1, and compiles others for minutes.
            peers = {"": expr, "jax": expr if functions is COMMON and name != "exp1" else None}
            for dtype in ("float64", "float32"):
                cases.append(
                    Case(
                        f"special/{name} {dtype} [{n:.0e}]",
                        peers,
                        inside(ranges, n, dtype),
                        goals={"scipy": goal},
                        comparable=False,
                    )
                )
    return cases


def layout() -> list[Case]:
    def views(n: int) -> Data:
        return lambda rng: {k: rng.standard_normal((n, n)) for k in "ab"}

    cases = []
    for n in (1000, 3000):
        for name, setup, expr in (
            ("transposed + transposed", "x, y = a.T, b.T", "x + y"),
            ("transposed + contiguous", "x, y = a.T, b", "x + y"),
            ("exp(transposed)", "x = a.T", "xp.exp(x)"),
            ("row + matrix", "x, y = a[0], b", "x + y"),
            ("column + matrix", "x, y = a[:, :1], b", "x + y"),
        ):
            base = "xp.exp(a)" if "exp" in expr else "a + b"
            cases.append(Case(f"layout/{name} [{n}, {n}]", expr, views(n), setup, base, {"self": 1.5}))
        # As many elements on both sides; the cache lines of skipped elements are read all the same.
        for name, setup in (
            ("columns ::2", f"x, y = a[:, ::2], b[:, ::2]; c, d = (v[: {n // 2}] * 1.0 for v in (a, b))"),
            ("reversed", "x, y, c, d = a[::-1, ::-1], b, a, b"),
        ):
            cases.append(Case(f"layout/{name} [{n}, {n}]", "x + y", views(n), setup, "c + d", {"self": 1.5}))
    return cases


def reductions() -> list[Case]:
    n = 10**6
    square = normal(1000, 1000)
    return [
        Case("reduce/sum [1e+06]", "a.sum()", normal(n), goals={"numpy": 1.0}),
        Case("reduce/sum axis 0 [1000, 1000]", "xp.sum(a, 0)", square, goals={"numpy": 1.0}),
        Case("reduce/sum axis 1 [1000, 1000]", "xp.sum(a, 1)", square, goals={"numpy": 1.0}),
        Case("reduce/max [1e+06]", "a.max()", normal(n), goals={"numpy": 1.0}),
        Case("reduce/argmax [1e+06]", "xp.argmax(a)", normal(n), goals={"numpy": 1.0}),
        Case("reduce/mean [1e+06]", "a.mean()", normal(n), goals={"numpy": 1.0}),
        Case(
            "reduce/std [1e+06]", {"": "xp.std(a)", "torch": "xp.std(a, correction=0)"}, normal(n), goals={"numpy": 1.0}
        ),
        Case("scan/cumsum [1e+06]", {"": "xp.cumsum(a)", "torch": "xp.cumsum(a, 0)"}, normal(n), goals={"numpy": 1.0}),
        Case("sort/sort [1e+06]", {"": "xp.sort(a)", "torch": "xp.sort(a).values"}, normal(n), goals={"numpy": 1.0}),
        Case("sort/argsort [1e+06]", "xp.argsort(a)", normal(n), goals={"numpy": 1.0}),
    ]


def matrices() -> list[Case]:
    cases = [
        Case(f"matmul [{n}, {n}]", "xp.matmul(a, b)", normal(n, n, names="ab"), goals={"best": 1 / 0.9})
        for n in (64, 512, 1024)
    ]
    for batch, n, factor in ((10**5, 3, 20), (10**4, 8, 5)):
        goals = {"numpy": 1 / factor, "torch": 1 / factor}
        cases += [decomposition(name, batch, n, goals) for name in DECOMPOSITIONS]
    for batch, n in ((10**5, 2), (10**4, 4), (10**3, 16), (10**3, 32)):
        cases += [decomposition(name, batch, n, {"numpy": 1.0, "torch": 1.0}) for name in DECOMPOSITIONS]
    for n in (64, 128, 256, 512, 1024):
        cases += [decomposition(name, 1, n, {"best": 1 / 0.9}) for name in DECOMPOSITIONS]
    # The smallest systems that people solve in batches.
    cases += [decomposition("solve", 10**k, 3, {"numpy": 1.0, "torch": 1.0}) for k in (1, 2, 3, 4, 6)]
    return cases


#: Expressions of the factorizations that are compared, and whether all libraries give the same numbers: vectors have signs.
DECOMPOSITIONS = {
    "solve": ("linalg.solve(A, b)", True),
    "inv": ("linalg.inv(A)", True),
    "det": ("linalg.det(A)", True),
    "cholesky": ({"": "linalg.cholesky(A)", "scipy": "linalg.cholesky(A, lower=True)"}, True),
    "qr": ("linalg.qr(A)", False),
    "eigh": ("linalg.eigh(A)", False),
    "svd": ("linalg.svd(A)", False),
    "eig": ("linalg.eig(A)", False),
}


def decomposition(name: str, batch: int, n: int, goals: dict[str, float] | None = None) -> Case:
    """One of `DECOMPOSITIONS` for a batch of positive definite matrices, or of random ones where symmetry is no use."""
    expr, comparable = DECOMPOSITIONS[name]
    data = normal(batch, n, n, names="A") if name == "eig" else definite(batch, n)
    shape = f"[{batch}, {n}, {n}]" if batch < 10**3 else f"[{batch:.0e}, {n}, {n}]"
    return Case(f"linalg/{name} {shape}", expr, data, goals=goals or {}, comparable=comparable)


def transforms() -> list[Case]:
    def complex_normal(n: int) -> Data:
        return lambda rng: {"a": rng.standard_normal(n) + 1j * rng.standard_normal(n)}

    goals = {"scipy": 1 / 3, "torch": 1.0}
    cases = [
        Case(f"fft/fft c128 2^{k}", "fft.fft(a)", complex_normal(2**k), goals=goals)
        for k in (6, 8, 10, 12, 14, 16, 18, 20, 22)
    ]
    for kind, name, n in (
        ("fft", "2^10", 2**10),
        ("fft", "2^16", 2**16),
        ("fft", "2^20", 2**20),
        ("fft", "composite", 3**4 * 5**3 * 7),
        ("fft", "prime", 65537),
        ("rfft", "2^10", 2**10),
        ("rfft", "2^16", 2**16),
        ("rfft", "2^20", 2**20),
        ("rfft", "composite", 3**4 * 5**3 * 7),
    ):
        cases.append(Case(f"fft/{kind} {name}", f"fft.{kind}(a)", normal(n), goals=goals))
    for name, n in (("composite", 3**4 * 5**3 * 7), ("prime", 65537)):
        cases.append(Case(f"fft/fft c128 {name}", "fft.fft(a)", complex_normal(n), goals=goals))
    cases.append(Case("fft/rfft [10000, 128]", "fft.rfft(a)", normal(10_000, 128), goals=goals))
    cases.append(Case("fft/fft2 [1000, 1000]", "fft.fft2(a)", normal(1000, 1000), goals=goals))
    cases += [
        Case(f"fft/{kind} type {t} [{n}]", f"fft.{kind}(a, {t})", normal(n), goals={"scipy": 1.0})
        for n in (64, 2**16)
        for kind, t in (("dct", 1), ("dct", 2), ("dct", 3), ("dct", 4), ("dst", 1), ("dst", 2), ("dst", 4))
    ]
    cases.append(Case("fft/fft [64]", "fft.fft(a)", normal(64), goals={"numpy": 1.0}))
    return cases


def signals() -> list[Case]:
    def coefficients(rng: np.random.Generator) -> dict[str, np.ndarray]:
        from scipy.signal import butter

        b, a = butter(4, 0.2)
        return {"x": rng.standard_normal((64, 16_000)), "b": b, "a": a, "sos": butter(4, 0.2, output="sos")}

    def pair(n: int, k: int) -> Data:
        return lambda rng: {"x": rng.standard_normal(n), "h": rng.standard_normal(k)}

    shape = "[64, 16000]"
    sft = "S = signal.ShortTimeFFT(signal.windows.hann(512, sym=False), 128, 1.0)"
    cases = [
        Case(f"signal/{name} {shape}", f"signal.{name}({args}, x)", coefficients, goals={"scipy": 1.0})
        for name, args in (("lfilter", "b, a"), ("sosfilt", "sos"))
    ]
    cases += [
        Case(f"backward/{name} {shape}", f"signal.{name}({args}, x).sum().backward()", coefficients,
             baseline=f"signal.{name}({args}, x)", tracked=True, comparable=False, goals={"self": 2.5})
        for name, args in (("lfilter", "b, a"), ("sosfilt", "sos"))
    ]  # fmt: skip
    cases += [
        Case("signal/stft [1e+06]", "S.stft(x)", pair(10**6, 1), sft, goals={"scipy": 1.0}),
        Case("signal/istft [1e+06]", "S.istft(S.stft(x))", pair(10**6, 1), sft, goals={"scipy": 1.0}),
    ]
    long = lambda rng: {**coefficients(rng), "x": rng.standard_normal(10**6)}
    cases.append(Case("signal/lfilter [1e+06]", "signal.lfilter(b, a, x)", long, goals={"scipy": 1.0}))
    return (
        cases
        + [
            Case(f"signal/{name} [{n:.0e}] * [{k}]", f"signal.{name}(x, h)", pair(n, k), goals={"scipy": 1.0})
            for name, n, k in (("fftconvolve", 10**5, 10**4), ("oaconvolve", 10**6, 200), ("convolve", 1000, 5))
        ]
        + [
            Case(f"convolve direct [{n:.0e}] * [{k}]", "xp.convolve(x, h)", pair(n, k), goals={"numpy": 1.0})
            for n, k in ((1000, 5), (10**5, 50))
        ]
    )


SMALL = """
def f(a, b):
    for _ in range(40):
        a = xp.sin(a) * b + a
        a = a - b * 0.5
    return a
"""
MIXED = """
def f(a, b):
    for _ in range(40):
        a = a * 0.5 + a.sum()
        b = xp.cumsum(b, 0) * 0.01
        a = a[50:] @ b[50:] - a
    return a
"""
LONG = """
def f(a):
    for _ in range({n}):
        a = a * 1.0001
    return a
"""
MANDELBROT = """
def f(c):
    z, n = c * 0.0, 0
    while n < 60 and xp.any(xp.abs(z[n % 8 :: 8]) < 2.0):
        z = xp.where(xp.abs(z) < 2.0, z * z + c, z)
        n += 1
    return z
"""
# `both(f, *argnums)`: value and gradient in the terms of each library.
BOTH = {
    "sciarray": """
def both(f, *argnums):
    return xp.value_and_grad(f, argnums=argnums)
""",
    "jax": """
import jax
def both(f, *argnums):
    return jax.value_and_grad(f, argnums=argnums)
""",
    "torch": """
def both(f, *argnums):
    g = xp.func.grad_and_value(f, argnums=argnums)
    return lambda *args: g(*args)[::-1]
""",
}
GREEKS = """
def price(S, K, T, r, v):
    d = (xp.log(S / K) + (r + 0.5 * v * v) * T) / (v * xp.sqrt(T))
    return S * special.ndtr(d) - K * xp.exp(-r * T) * special.ndtr(d - v * xp.sqrt(T))
def f(S, K, T, r, v):
    value, greeks = both(lambda *p: price(*p).sum(), 0, 2, 3, 4)(S, K, T, r, v)
    return xp.stack([*greeks, 0.0 * S + value])
"""
PROCESS = """
def loss(p, d, y, eye):
    K = xp.exp(p[0]) * xp.exp(-0.5 * d / xp.exp(p[1])) + xp.exp(p[2]) * eye
    return 0.5 * (y * linalg.solve(K, y)).sum() + 0.5 * linalg.slogdet(K)[1]
def f(p, d, y, eye):
    value, (g,) = both(loss, 0)(p, d, y, eye)
    return p - 0.01 * g
"""
FILTER = """
def loss(w, X, y):
    e = fft.irfft(X * (0.5 + 0.5 * xp.tanh(w))) - y
    return (e * e).sum() / len(y)
def f(w, X, y):
    value, (g,) = both(loss, 0)(w, X, y)
    return w - 0.1 * g
"""


def options(rng: np.random.Generator) -> dict[str, np.ndarray]:
    n = 10**5
    ranges = {"S": (80, 120), "K": (80, 120), "T": (0.1, 2), "r": (0.0, 0.05), "v": (0.1, 0.5)}
    return {name: rng.uniform(*r, n) for name, r in ranges.items()}


def process(rng: np.random.Generator) -> dict[str, np.ndarray]:
    x = np.sort(rng.uniform(0, 10, 200))
    y = np.sin(x) + 0.1 * rng.standard_normal(200)
    return {"p": np.array([0.0, 0.0, -2.0]), "d": (x[:, None] - x) ** 2, "y": y[:, None], "eye": np.eye(200)}


def spectrum(rng: np.random.Generator) -> dict[str, np.ndarray]:
    y = np.cumsum(rng.standard_normal(2**15))
    X = np.fft.rfft(y + rng.standard_normal(len(y)))
    return {"w": np.zeros(len(X)), "X": X, "y": y}


def points(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {"c": (rng.uniform(-2, 0.5, 10**5) + 1j * rng.uniform(-1.2, 1.2, 10**5))}


def steps() -> list[Case]:
    def both(text: str) -> dict[str, str]:
        return {name: code + text for name, code in BOTH.items()} | {"": ""}

    def first_call(n: int) -> Case:
        calls = {"sciarray": "xp.record(lambda a: f(a))(a)", "jax": "jax.jit(lambda a: f(a))(a)"}
        import_jax = {"jax": "import jax" + LONG.format(n=n), "": LONG.format(n=n)}
        if n > 1000:
            # JAX takes minutes.
            calls.pop("jax")
        goals = {"jax": 0.1} if "jax" in calls else {}
        return Case(f"recorded/first call, {n:.0e} nodes", calls, normal(10), import_jax, verbatim=True, goals=goals)

    two = normal(100, names="ab")
    greeks, process_step, filter_step = (
        ("Black-Scholes and greeks [1e+05]", "f(S, K, T, r, v)", options, both(GREEKS)),
        ("Gaussian process step [200]", "f(p, d, y, eye)", process, both(PROCESS)),
        ("FFT filter step [32768]", "f(w, X, y)", spectrum, both(FILTER)),
    )
    cases = [
        Case("recorded/200 small ops [100]", "f(a, b)", two, SMALL, compiled=True, goals={"torch": 0.1, "jax": 1.0}),
        Case("eager/200 small ops [100]", "f(a, b)", two, SMALL, goals={"torch": 1.0}),
        Case("recorded/280 ops that fuse little [100]", "f(a, b)", two, MIXED, compiled=True, goals={"torch": 0.2}),
        Case("recorded/Mandelbrot, guarded [1e+05]", "f(c)", points, MANDELBROT, compiled=True, goals={"numpy": 1.0}),
        first_call(1000),
        first_call(10**5),
    ]
    for name, expr, data, setup in (greeks, process_step, filter_step):
        cases.append(Case(f"recorded/{name}", expr, data, setup, compiled=True, goals={"torch": 1.0, "jax": 1.0}))
        cases.append(Case(f"eager/{name}", expr, data, setup, goals={"torch": 1.0}))
    return cases


def programs() -> list[Case]:
    chain = "xp.sqrt(xp.exp(-a * b) + a * a) * xp.tanh(b - 0.5 * a) + xp.cos(a)"
    fused = {"": chain, "numexpr": f"numexpr.evaluate({chain.replace('xp.', '')!r}, {{'a': a, 'b': b}})"}
    return [
        Case("recorded/10 elementwise ops [1e+06]", fused, normal(10**6, names="ab"), compiled=True,
             goals={"numpy": 0.2, "jax": 1.0}),
        Case("recorded/10 elementwise ops [100]", fused, normal(100, names="ab"), compiled=True,
             goals={"numpy": 0.2, "jax": 1.0}),
        Case("eager/10 elementwise ops [1e+06]", chain, normal(10**6, names="ab"), goals={"numpy": 1.0}),
        Case("backward/10 elementwise ops [1e+04]", f"({chain}).sum().backward()", normal(10**4, names="ab"),
             tracked=True, comparable=False, goals={"torch": 1.0}),
    ]  # fmt: skip


def sampling() -> list[Case]:
    def nothing(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {}

    n = 10**6
    goals = {"numpy": 1.0, "torch": 1.0}
    return [
        Case(
            f"random/{name} [1e+06]",
            {
                **dict.fromkeys(("sciarray", "numpy"), f"rng.{method}({n})"),
                "torch": f"xp.{torch}({n}, dtype=xp.float64)",
            },
            nothing,
            {"": "rng = xp.random.default_rng(1)", "torch": ""},
            comparable=False,
            goals=goals,
        )
        for name, method, torch in (("normal", "standard_normal", "randn"), ("uniform", "random", "rand"))
    ]


def indexing() -> list[Case]:
    def gather(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"a": rng.standard_normal(10**6), "i": rng.integers(0, 10**6, 10**5)}

    def small(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"a": rng.standard_normal((10, 10))}

    eager = ("numpy", "sciarray", "torch")
    return [
        Case("index/a[3] [10, 10]", dict.fromkeys(eager, "a[3]"), small, goals={"numpy": 1.0}),
        Case("index/a[2:8, 1] [10, 10]", dict.fromkeys(eager, "a[2:8, 1]"), small, goals={"numpy": 1.0}),
        Case("index/gather 1e5 of 1e6", "a[i]", gather, goals={"numpy": 1.0}),
        Case("index/mask of 1e6", dict.fromkeys(eager, "a[a > 0]"), normal(10**6), goals={"numpy": 1.0}),
        Case("index/where [1e+06]", "xp.where(a > 0, a, b)", normal(10**6, names="ab"), goals={"numpy": 1.0}),
    ]


def all_cases() -> list[Case]:
    families = (
        overhead, elementwise, special, layout, reductions, matrices, transforms, signals, programs, steps, sampling, indexing,
    )  # fmt: skip
    return [case for family in families for case in family()]
