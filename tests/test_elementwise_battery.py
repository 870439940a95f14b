"""Every row of the op table: values, dtypes, layouts, special values, gradients, recordings, errors, documentation.

Exactness is proven against mpmath elsewhere; here the peers are NumPy and SciPy, whose own errors the tolerances allow.
"""

from __future__ import annotations

import doctest
import importlib
import itertools
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import _core, testing

ROWS: dict[str, dict[str, Any]] = _core._rows
PUBLIC = sorted(name for name, row in ROWS.items() if row["namespace"] != "-")
FLOAT = [n for n in PUBLIC if "float64" in ROWS[n]["dtypes"] and n != "where"]
# Their arguments before the last are real, also where that is complex.
REAL_ORDERS = {"jv", "yv", "iv", "kv", "kve", "spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"}
REAL_ORDERS |= {"hyp0f1", "hyp1f1", "hyp2f1", *(n for n in PUBLIC if n.startswith("eval_"))}
# Polygamma takes complex arguments at integer orders only.
COMPLEX = [n for n in FLOAT if "complex128" in ROWS[n]["dtypes"] and n != "polygamma" and n not in REAL_ORDERS]
INTEGER = [n for n in PUBLIC if "int64" in ROWS[n]["dtypes"] and n != "where"]
DIFFERENTIABLE = [n for n in FLOAT if ROWS[n]["differentiable"]]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = ["bool", *INTEGERS, "float32", "float64", "complex64", "complex128"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, np.inf, -np.inf, np.nan, 5e-324, -1e-310, 1.7e308, -1.7e308, 1e-200]


def by_mpmath(f: Callable[..., Any]) -> Callable[..., np.ndarray]:
    return np.vectorize(lambda *xs: float(f(*map(mpmath.mpf, map(float, xs)))), otypes=[float])


def from_parts(re: np.ndarray, im: np.ndarray) -> np.ndarray:
    z = np.empty(re.shape, complex)
    z.real, z.imag = re, im
    return z


def polygamma(n: Any, x: Any) -> Any:
    """The function of Espinosa and Moll (2004), which SciPy has at the integers only."""
    with mpmath.workprec(90):
        if n == int(n):
            return mpmath.psi(int(n), x)
        h = mpmath.mpf(2) ** -20
        f = [mpmath.rgamma(-v) * mpmath.zeta(v + 1, x) for v in (n - h, n, n + h, n - 2 * h, n + 2 * h)]
        return (8 * (f[2] - f[0]) - f[4] + f[3]) / (12 * h) + mpmath.euler * f[1]


def tukey(x, lmbda):
    """Newton's steps from SciPy's value, which has 5 digits where lambda is small."""
    p = mpmath.mpf(scipy.special.tklmbda(float(x), float(lmbda)))
    for _ in range(4):
        here, there = mpmath.log(p), mpmath.log1p(-p)
        quantile = (mpmath.expm1(lmbda * here) - mpmath.expm1(lmbda * there)) / lmbda if lmbda else here - there
        p -= (quantile - x) / (mpmath.exp((lmbda - 1) * here) + mpmath.exp((lmbda - 1) * there))
    return p


def expn(n: Any, x: Any) -> Any:
    """SciPy's has integer orders only."""
    with mpmath.workprec(200):
        return mpmath.expint(n, x)


# Rows whose peers lack the function or are not accurate enough to judge.
OWN_REFERENCE: dict[str, Callable[..., Any]] = {
    "complex": from_parts,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sinpi": by_mpmath(mpmath.sinpi),
    "cospi": by_mpmath(mpmath.cospi),
    "tanpi": by_mpmath(lambda x: mpmath.sinpi(x) / mpmath.cospi(x)),
    "sinc": by_mpmath(mpmath.sincpi),
    "polygamma": by_mpmath(polygamma),
    "tklmbda": by_mpmath(tukey),
    "expn": by_mpmath(expn),
    "fresnel_s": lambda x: scipy.special.fresnel(x)[0],
    "fresnel_c": lambda x: scipy.special.fresnel(x)[1],
}

# SciPy's functions of degrees between integers lose all digits from degrees of 20 on; ours are compared with mpmath in
# test_special_polynomials.py.
DEGREES = {n for n in FLOAT if n.startswith("eval_")}
ORDERS = DEGREES | {n for n in FLOAT if ROWS[n]["orders"]}
# SciPy takes these degrees as integers only.
OWN_REFERENCE["eval_hermite"] = lambda n, x: scipy.special.eval_hermite(n.astype(int), x)
OWN_REFERENCE["eval_hermitenorm"] = lambda n, x: scipy.special.eval_hermitenorm(n.astype(int), x)

# Where gradients are sampled if the domain holds kinks, jumps or poles: each argument's points.
SMOOTH: dict[str, tuple[list[float], ...]] = {
    "remainder": ([2.3, -1.7, 0.4], [1.0, 0.7, -0.9]),
    "fmod": ([2.3, -1.7, 0.4], [1.0, 0.7, -0.9]),
    "tan": ([0.4, -1.1, 2.0],),
    "tanpi": ([0.2, -0.3, 0.85],),
    "atan2": ([0.5, -1.5, 2.0], [-0.7, 1.2, 0.9]),
    "maximum": ([0.5, -1.5, 2.0], [-0.7, 1.2, 0.9]),
    "minimum": ([0.5, -1.5, 2.0], [-0.7, 1.2, 0.9]),
}


def reference(name: str) -> Callable[..., Any]:
    if name in OWN_REFERENCE:
        return OWN_REFERENCE[name]
    module, _, attribute = ROWS[name]["reference"].rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def function(name: str) -> Callable[..., Any]:
    return ROWS[name]["function"]


def arity(name: str) -> int:
    return len(ROWS[name]["args"])


def domain(name: str, i: int) -> tuple[float, float]:
    bounds = ROWS[name]["domain"]
    return bounds[i] if i < len(bounds) else (-np.inf, np.inf)


def orders(name: str) -> list[int]:
    """Arguments that take whole numbers only and have no derivative."""
    return ROWS[name]["orders"]


def whole(name: str) -> list[int]:
    """Arguments that are whole numbers where values are compared."""
    return [0] if name in DEGREES else orders(name)


def sample(name: str, i: int, n: int, seed: int = 0) -> np.ndarray:
    """Points of all magnitudes in the domain of an argument."""
    rng = np.random.default_rng([seed, i])
    lo, hi = domain(name, i)
    if i in whole(name):
        return rng.integers(max(lo, 0), min(hi, 6), n).astype(float)
    x = rng.choice([-1.0, 1.0], 40 * n) * 10.0 ** rng.uniform(-6, 6, 40 * n)
    inside = x[(x >= lo) & (x <= hi)]
    if np.isfinite(lo) and np.isfinite(hi):
        inside[::2] = rng.uniform(lo, hi, inside[::2].shape)
    return np.resize(inside, n)


def smooth_points(name: str) -> list[np.ndarray]:
    """A few points well inside the domain, away from 0 where that could be a kink or a pole."""
    if name in SMOOTH:
        return [np.array(x) for x in SMOOTH[name]]
    out = []
    for i in range(arity(name)):
        if i in orders(name):
            out.append(np.array([1.0, 0.0, 3.0, 2.0]) + max(domain(name, i)[0], 0.0))
            continue
        lo, hi = np.clip(domain(name, i), -3, 3)
        margin = 0.1 * (hi - lo)
        points = np.random.default_rng(i).uniform(lo + margin, hi - margin, 4)
        out.append(np.where(np.abs(points) < 0.2, np.sign(points) * 0.2 + points, points))
    return out


def arrays(xs: list[Any], dtype: str = "float64") -> list[sa.Array]:
    return [sa.asarray(x, dtype=dtype) for x in xs]


def bits(x: sa.Array) -> tuple[Any, ...]:
    """What two equal results share: dtype, shape and every bit but those of NaNs."""
    a = np.array(x)
    parts = [a.real, a.imag] if a.dtype.kind == "c" else [a]
    canonical = [np.where(np.isnan(p), np.asarray(np.nan, p.dtype), p) if p.dtype.kind == "f" else p for p in parts]
    return a.dtype, a.shape, [np.ascontiguousarray(p).tobytes() for p in canonical]


def test_every_row_is_compared_with_something():
    assert [n for n in PUBLIC if not ROWS[n]["reference"] and n not in OWN_REFERENCE] == []


# Errors of the peers themselves, in ulp.
ULPS = {"numpy": 8.0, "scipy": 200.0, "gammainc": 4000.0, "gammaincc": 4000.0}
# Next to their roots the relative error is that of the argument.
ULPS |= dict.fromkeys(["fresnel_s", "fresnel_c"], 100.0)
ULPS |= dict.fromkeys(["j0", "j1", "y0", "y1", "jv", "yv", "spherical_jn", "spherical_yn", "spence", *ORDERS], 1e7)
# SciPy loses digits of its own, most where its series cancel.
ULPS |= dict.fromkeys(
    ["ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip", "hyp0f1", "struve", "modstruve"], 1e9
)
ULPS |= dict.fromkeys(["hyp1f1", "hyp2f1", "hyperu"], 1e12)
ULPS |= {"polygamma": 1000.0, "stdtridf": 1e9, "fdtridfd": 1e9, "expn": 16.0}
ULPS |= dict.fromkeys(["iv", "kv", "ive", "kve", "spherical_in", "spherical_kn"], 1e4)


@pytest.mark.parametrize("name", FLOAT)
def test_values(name):
    xs = [sample(name, i, 200) for i in range(arity(name))]
    with np.errstate(all="ignore"):
        expected = reference(name)(*xs)
    peer = ROWS[name]["reference"].split(".")[0]
    ulps = ULPS.get(name, 4.0 if name in OWN_REFERENCE else ULPS[peer])
    testing.assert_allclose(function(name)(*arrays(xs)), expected, ulps=ulps, atol=1e-300)


@pytest.mark.parametrize("name", FLOAT)
def test_single_precision_values(name):
    if name == "nextafter":
        pytest.skip("its values depend on the precision")
    with np.errstate(over="ignore"):
        xs = [np.float32(sample(name, i, 200, seed=1)) for i in range(arity(name))]
    y = function(name)(*arrays(xs, "float32"))
    assert y.dtype.name in ("float32", "bool", "complex64")
    with np.errstate(all="ignore"):
        expected = reference(name)(*[x.astype(float) for x in xs])
        small = np.abs(expected) < np.finfo(np.float32).max
    # Both sides of the largest and smallest numbers may round to different sides.
    ulps = max(3, ULPS.get(name, 0) * 2**-29)
    testing.assert_allclose(np.asarray(y)[small], expected[small], ulps=ulps, atol=1e-44)


# What has a body of its own for single precision.
SINGLE = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"]
SINGLE += ["expit", "log_expit", "softplus", "erf", "erfc", "ndtr", "xlogy"]


@pytest.mark.parametrize("name", SINGLE)
def test_single_precision_is_that_of_doubles_rounded_within_a_hundredth(name):
    x = np.arange(0, 2**32, 20011, dtype=np.uint64).astype(np.uint32).view(np.float32)
    x = np.concatenate([x, np.float32([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan])])
    xs = [x] if arity(name) == 1 else [x, np.random.default_rng(2).permutation(x)]
    y = np.asarray(function(name)(*arrays(xs, "float32")))
    with np.errstate(all="ignore"):
        exact = np.asarray(function(name)(*arrays([v.astype(float) for v in xs])))
        rounded = exact.astype(np.float32)
        np.testing.assert_array_equal(np.isnan(y), np.isnan(exact))
        np.testing.assert_array_equal(np.isinf(y), np.isinf(rounded))
        known = np.isfinite(rounded)
        np.testing.assert_array_equal(np.signbit(y[known]), np.signbit(exact[known]))
        assert np.abs((y - exact)[known] / np.spacing(np.abs(rounded[known])).astype(float)).max() < 0.51


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_values(name):
    rng = np.random.default_rng(5)
    xs = [rng.normal(size=50) + 1j * rng.normal(size=50) for _ in range(arity(name))]
    expected = {
        "cospi": lambda z: np.cos(np.pi * z),
        "expit": lambda z: 1 / (1 + np.exp(-z)),
        "sinc": np.sinc,
        "sinpi": lambda z: np.sin(np.pi * z),
    }.get(name) or reference(name)
    y = function(name)(*arrays(xs, "complex128"))
    testing.assert_allclose(y, expected(*xs), rtol=1e-13, atol=1e-14)
    narrow = function(name)(*arrays(xs, "complex64"))
    assert narrow.dtype.name in ("complex64", "float32", "bool")
    rounded = [x.astype(np.complex64).astype(complex) for x in xs]
    testing.assert_allclose(narrow, expected(*rounded), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("name", INTEGER)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_values(name, dtype):
    if dtype not in ROWS[name]["dtypes"]:
        with pytest.raises(TypeError, match=f"{name}: dtype {dtype} is not supported"):
            function(name)(*arrays([[1, 2]] * arity(name), dtype))
        return
    info = np.iinfo(dtype)
    pool = np.array([info.min, info.min + 1, 0, 1, 2, 7, info.max - 1, info.max, info.max // 3], dtype)
    pairs = [np.array(x, dtype) for x in zip(*itertools.product(pool, repeat=arity(name)))]
    if name.endswith("shift"):
        pairs[1] = pairs[1] % np.array(2 * info.bits, dtype)
    if name == "pow":
        pairs[1] = np.abs(pairs[1]) % np.array(9, dtype)
    if name in ("gcd", "lcm"):
        # The magnitude of the smallest integer does not exist.
        pairs = [np.where(x == info.min, np.array(5, dtype), x) if info.min else x for x in pairs]
    with np.errstate(all="ignore"):
        expected = reference(name)(*pairs)
    y = function(name)(*arrays(pairs, dtype))
    if name == "rint":
        expected = pairs[0]  # NumPy converts to floats.
    defined = pairs[0] != 0 if name == "reciprocal" else np.ones(len(pairs[0]), bool)
    np.testing.assert_array_equal(np.asarray(y)[defined], expected[defined])
    assert np.asarray(y).dtype == expected.dtype


# Where SciPy overflows, loses the limit or the sign of zero, and where it differs from C's lgamma.
INF, NAN, SMALLEST, LARGEST = np.inf, np.nan, 5e-324, 1.7e308
PEER_FAILS = {
    "erfinv": (0.0, -0.0),
    "erfcinv": (SMALLEST,),
    "gammaln": (SMALLEST, -1e-310, -INF),
    "loggamma": (SMALLEST,),
    "kolmogi": (SMALLEST,),
    "gammainc": (SMALLEST,),
    "gammaincc": (SMALLEST,),
    "gammaincinv": (SMALLEST, -1e-310, -0.0),
    "gammainccinv": (SMALLEST, -1e-310, -0.0, 1e-200),
    "fresnel_s": (LARGEST, -LARGEST, -0.0),
    "fresnel_c": (LARGEST, -LARGEST, -0.0),
    # The quantile of 0 is -inf.
    "stdtrit": (SMALLEST, 1e-200, 0.0, -0.0),
    # Poles beside NaN, arguments as integers of C, intermediate overflow and underflow.
    "beta": (NAN, LARGEST, -LARGEST, SMALLEST, -1e-310, -1.0),
    "betaln": (NAN, LARGEST, -LARGEST, SMALLEST, -1e-310),
    "betainc": (LARGEST, SMALLEST),
    "betaincc": (LARGEST, SMALLEST),
    "betaincinv": (INF, LARGEST, SMALLEST, 1e-200),
    "betainccinv": (INF, LARGEST, SMALLEST, 1e-200),
    "poch": (INF, -INF, NAN, LARGEST, -LARGEST, SMALLEST, -1e-310, -1.0),
    "binom": (INF, -INF, LARGEST, -LARGEST, SMALLEST, -2.5, 1e-200),
    # inf - inf, 0 * inf and such; powm1 is NaN where pow is not.
    "kl_div": (INF, LARGEST, SMALLEST),
    "pseudo_huber": (INF, LARGEST, -LARGEST, SMALLEST, 1e-200),
    "powm1": (INF, -INF, -LARGEST, -1.0, -2.5),
    "boxcox": (INF, -INF, 1e-200),
    "boxcox1p": (INF, -INF, -1.0),
    "inv_boxcox": (SMALLEST,),
    # It takes a small lmbda * y for a small y.
    "inv_boxcox1p": (SMALLEST, -1e-310, 1e-200),
}
# At infinity SciPy's Bessel functions are NaN, at 1.7e308 their phase is lost.
PEER_FAILS |= dict.fromkeys(["j0", "j1", "y0", "y1"], (np.inf, -np.inf, 1.7e308, -1.7e308))
PEER_FAILS |= {"i0": (np.inf, -np.inf), "i1": (0.0, -0.0, np.inf, -np.inf), "i1e": (0.0, -0.0)}
PEER_FAILS |= dict.fromkeys(["k0", "k0e", "k1", "k1e"], (SMALLEST,))
PEER_FAILS |= {"spence": (np.inf,)}
# Their edges are tested in test_special_bessel.py: SciPy truncates orders, and gives NaN at subnormal or infinite arguments.
OWN_EDGES = {
    *ORDERS,
    *("ellipeinc", "ellipkinc", "elliprc", "elliprd", "elliprf", "elliprg", "elliprj"),
    *("expn", "polygamma", "btdtria", "btdtrib", "voigt_profile"),
    # Where SciPy gives 5, 1e10 or +-1e100 for what does not exist, and the ends of bisections for zeros and infinite lambda.
    *("stdtridf", "fdtridfd", "tklmbda"),
    *("iv", "ive", "jv", "kv", "kve", "yv"),
    # And in test_special_hypergeometric.py.
    *("hyp0f1", "hyp1f1", "hyp2f1", "hyperu", "struve", "modstruve"),
    *("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip"),
}


@pytest.mark.parametrize("name", [n for n in FLOAT if n not in OWN_EDGES | {"tanpi"}])
def test_special_values(name):
    failing = [repr(float(x)) for x in PEER_FAILS.get(name, ())]
    points = [x for x in SPECIAL if repr(float(x)) not in failing]
    places = [[1.0, 2.0, 5.0] if i in whole(name) else points for i in range(arity(name))]
    xs = [np.array(x) for x in zip(*itertools.product(*places))]
    peer = np.sinc if name == "sinc" else reference(name)
    with np.errstate(all="ignore"):
        expected = np.asarray(peer(*xs))
    y = np.asarray(function(name)(*arrays(xs)))
    # NumPy's sinc is not exactly 0 at integers.
    testing.assert_allclose(y, expected, rtol=1e-12, atol=1e-16 if name == "sinc" else 1e-300)
    zeros = (y == 0) & (expected == 0)
    if y.dtype.kind == "f" and name not in OWN_REFERENCE:
        np.testing.assert_array_equal(np.signbit(y[zeros]), np.signbit(expected[zeros]))


@pytest.mark.parametrize("name", [n for n in PUBLIC if n != "where"])
def test_dtypes(name):
    """float32 in gives float32 out, integers compute in float64 or stay, everything else is refused by name."""
    f, row = function(name), ROWS[name]
    converts = row["dtypes"] == ["bool"] or ("float64" in row["dtypes"] and "int64" not in row["dtypes"])
    for dtype in DTYPES:
        args = arrays([[1, 1]] * arity(name), dtype)
        if name in REAL_ORDERS and dtype.startswith("complex"):
            args[:-1] = [sa.real(x) for x in args[:-1]]
        if dtype in row["dtypes"]:
            got = f(*args).dtype.name
            alone = {"complex": {"float32": "complex64", "float64": "complex128"}}.get(name, {}).get(dtype, dtype)
            real_part = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
            assert got in (alone, real_part, "bool"), dtype
        elif converts and dtype not in ("complex64", "complex128"):
            assert bits(f(*args)) == bits(f(*arrays([[1, 1]] * arity(name), "float64"))), dtype
        elif row["dtypes"] != ["bool"]:
            with pytest.raises(TypeError, match=f"{name}: dtype {dtype} is not supported"):
                f(*args)


@pytest.mark.parametrize("name", [n for n in FLOAT if arity(n) == 2])
def test_python_scalars_are_weak(name):
    f = function(name)
    x = sa.asarray([1.0, 2.0], dtype="float32")
    assert bits(f(x, 1)) == bits(f(x, 1.0)) == bits(f(x, sa.asarray(1.0, dtype="float32")))
    wide = f(x, sa.asarray([1.0, 1.0]))
    assert bits(wide) == bits(f(sa.asarray([1.0, 2.0]), 1.0))


def layouts(x: np.ndarray) -> list[np.ndarray]:
    """The same values with a step, reversed, transposed twice, and as the middle of a larger block."""
    spaced = np.full((2 * x.size,), 77, x.dtype)
    spaced[::2] = x
    block = np.full((x.size, 3), 77, x.dtype)
    block[:, 1] = x
    return [spaced[::2], x[::-1].copy()[::-1], block[:, 1]]


@pytest.mark.parametrize("name", PUBLIC)
def test_layouts(name):
    """Strided, reversed and broadcast inputs give the bits of contiguous ones; empty and 0-d inputs work."""
    f, n = function(name), arity(name)
    dtype = "float64" if name in FLOAT or name == "where" else ROWS[name]["dtypes"][0]
    xs = [np.abs(sample(name, i, 37, seed=2)).astype(dtype) for i in range(n)]
    if name == "where":
        xs[0] = xs[0] > 1
    expected = bits(f(*map(sa.asarray, xs)))
    for variants in zip(*map(layouts, xs)):
        assert bits(f(*map(sa.asarray, variants))) == expected
        assert bits(f(sa.asarray(variants[0]), *map(sa.asarray, xs[1:]))) == expected
    whole = f(*map(sa.asarray, xs))
    items = [f(*[sa.asarray(x[k]) for x in xs]) for k in (0, 17, 36)]
    assert [bits(y) for y in items] == [bits(whole[k]) for k in (0, 17, 36)]
    assert f(*[sa.asarray(x[:0]) for x in xs]).shape == (0,)
    assert f(*[sa.asarray(x[:0].reshape(3, 0)) for x in xs]).shape == (3, 0)
    square = [x[:36].reshape(6, 6) for x in xs]
    assert bits(f(*[sa.asarray(x.T) for x in square])) == bits(f(*[sa.asarray(x.T.copy()) for x in square]))
    if n > 1:
        column, row = [x[:6, None] for x in xs[:-1]], xs[-1][:5]
        full = [np.broadcast_to(x, (6, 5)).copy() for x in (*column, row)]
        assert bits(f(*map(sa.asarray, (*column, row)))) == bits(f(*map(sa.asarray, full)))


@given(st.data())
def test_any_layout_gives_the_same_bits(data):
    name = data.draw(st.sampled_from([n for n in PUBLIC if n != "where" and arity(n) <= 2]))
    # Powers of integers refuse negative exponents, degrees and orders are real.
    kinds = "fc" if name == "pow" else "biuf" if orders(name) or name in REAL_ORDERS else "biufc"
    dtype = data.draw(st.sampled_from([d for d in ROWS[name]["dtypes"] if d[0] in kinds]))
    if arity(name) == 1:
        xs = [data.draw(testing.arrays(dtype))]
    else:
        xs = list(data.draw(testing.broadcastable_pairs(dtype)))
    shape = np.broadcast_shapes(*[x.shape for x in xs])
    plain = [sa.asarray(np.broadcast_to(np.array(x), shape).copy()) for x in xs]
    assert bits(function(name)(*xs)) == bits(function(name)(*plain))


def at_free_arguments(name: str, xs: list[Any]) -> tuple[Callable[..., Any], list[Any]]:
    """The row as a function of its differentiable arguments."""
    free = [i for i in range(arity(name)) if i not in orders(name)]

    def f(*values: Any) -> Any:
        full = list(xs)
        for i, v in zip(free, values):
            full[i] = v
        return function(name)(*full)

    f.__name__ = name
    return f, [xs[i] for i in free]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    f, xs = at_free_arguments(name, arrays(smooth_points(name)))
    testing.check_grads(f, *xs)
    single, _ = at_free_arguments(name, arrays(smooth_points(name), "float32"))
    y, pullback = sa.vjp(f, *xs)
    narrow, narrow_pullback = sa.vjp(single, *[sa.astype(x, "float32") for x in xs])
    for g, expected in zip(narrow_pullback(sa.ones_like(narrow)), pullback(sa.ones_like(y))):
        assert g.dtype.name == "float32"
        testing.assert_allclose(g, np.asarray(expected), rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("name", [n for n in COMPLEX if ROWS[n]["differentiable"]])
def test_complex_gradients(name):
    rng = np.random.default_rng(3)
    xs = [sa.asarray(rng.normal(size=4) + 1j * rng.normal(size=4) + 0.1) for _ in range(arity(name))]
    if name == "elliprj":
        # Defined for the right half-plane.
        xs = [sa.complex(abs(sa.real(x)), sa.imag(x)) for x in xs]
    f = function(name)
    testing.check_grads(f, *xs)
    if arity(name) == 2:
        real = sa.asarray([0.7, 1.3, 2.1, 0.4])
        testing.check_grads(f, real, xs[1])
        testing.check_grads(f, xs[0], real)


@pytest.mark.parametrize("name", [n for n in PUBLIC if not ROWS[n]["differentiable"] and n in FLOAT])
def test_piecewise_constant_rows_have_zero_gradients(name):
    f = function(name)
    xs = arrays([[0.3, -1.7, 2.6], [0.7, 1.1, -0.4]][: arity(name)])

    def loss(x, *rest):
        return (sa.astype(f(x, *rest), "float64") * x).sum()

    expected = sa.astype(f(*xs), "float64")
    testing.assert_allclose(sa.grad(loss)(*xs), np.asarray(expected), ulps=1)
    testing.assert_allclose(sa.jvp(loss, xs, xs)[1], np.sum(np.asarray(expected * xs[0])), rtol=1e-14)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_masked_points_never_disturb_gradients(name):
    """Where `where` does not take a value, its derivatives are 0 to second order, however singular they are."""
    points = [np.ones(len(SPECIAL)) if i in whole(name) else np.array(SPECIAL) for i in range(arity(name))]
    nowhere = sa.asarray(np.zeros(len(SPECIAL), bool))
    f, xs = at_free_arguments(name, arrays(points))

    def loss(*values):
        y = f(*values)
        y = sa.real(y) if y.dtype.kind == "c" else y
        return sa.where(nowhere, y, 0.0).sum()

    everywhere = tuple(range(len(xs)))

    def total(*values):
        return sum((g.sum() for g in sa.grad(loss, everywhere)(*values)), sa.asarray(0.0))

    ones = [sa.ones_like(x) for x in xs]
    results = [*sa.grad(loss, everywhere)(*xs), *sa.grad(total, everywhere)(*xs), sa.jvp(loss, xs, ones)[1]]
    results += sa.jvp(sa.grad(loss, everywhere), xs, ones)[1]
    assert all(bool(sa.all(sa.equal(r, 0.0))) for r in results)


@pytest.mark.parametrize("name", PUBLIC)
def test_recorded_equals_eager(name):
    f = function(name)
    dtype = "float64" if name in FLOAT or name == "where" else ROWS[name]["dtypes"][0]
    xs = [np.abs(sample(name, i, 33, seed=4)).astype(dtype) for i in range(arity(name))]
    if name == "where":
        xs[0] = xs[0] > 1
    first, again = ([sa.asarray(np.roll(x, k)) for x in xs] for k in (0, 5))
    recorded = sa.record(f)
    for args in (first, again, first):
        assert bits(recorded(*args)) == bits(f(*args))
    if name not in DIFFERENTIABLE:
        return

    def gradient(*values):
        g, free = at_free_arguments(name, list(values))
        y, pullback = sa.vjp(g, *free)
        return pullback(sa.ones_like(y))

    program = sa.record(gradient)
    for args in (first, again, first):
        eager = [bits(g) for g in gradient(*args)]
        assert [bits(g) for g in program(*args)] == eager
        g, free = at_free_arguments(name, list(args))
        y, pullback = sa.vjp(sa.record(g), *free)
        assert [bits(v) for v in pullback(sa.ones_like(y))] == eager


@pytest.mark.parametrize("name", PUBLIC)
def test_errors(name):
    f, n = function(name), arity(name)
    listed = ", ".join(ROWS[name]["args"])
    for args in ([], [sa.asarray([True])] * (n + 1)):
        with pytest.raises(TypeError) as e:
            f(*args)
        assert str(e.value) == f"{name}: takes {n} arguments ({listed}), got {len(args)}"
    with pytest.raises(TypeError, match=f"{name}: takes no keyword arguments"):
        f(*[1] * n, out=None)
    for wrong in (None, "1", object()):
        with pytest.raises(TypeError, match=f"{name}: arguments must be arrays or numbers, got"):
            f(*[wrong] * n)
    if n > 1:
        dtype = ROWS[name]["dtypes"][0]
        xs = [sa.asarray([1] * k, dtype="bool" if name == "where" else dtype) for k in (2, 3, 2, 2)[:n]]
        with pytest.raises(ValueError, match=rf"{name}: .*\(2,\).*\(3,\)"):
            f(*xs)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_documentation(name):
    row = ROWS[name]
    first = row["doc"].split("\n")[0]
    assert first.endswith("."), "the first line is one sentence"
    if name not in PUBLIC:
        return
    home = getattr(sa, row["namespace"]) if row["namespace"] else sa
    assert callable(getattr(home, name))
    text = function(name).__doc__
    test = doctest.DocTestParser().get_doctest(text, {"sa": sa}, name, None, 0)
    assert test.examples, "a runnable example"
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


# The functions for mpmath, which differentiates them.
DERIVATIVES: dict[str, Callable[..., Any]] = {
    "acos": mpmath.acos,
    "acosh": mpmath.acosh,
    "asin": mpmath.asin,
    "asinh": mpmath.asinh,
    "atan": mpmath.atan,
    "atan2": mpmath.atan2,
    "atanh": mpmath.atanh,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "cos": mpmath.cos,
    "cosh": mpmath.cosh,
    "cospi": mpmath.cospi,
    "digamma": mpmath.digamma,
    "divide": lambda x, y: x / y,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "erfinv": mpmath.erfinv,
    "ellipe": mpmath.ellipe,
    "ellipk": mpmath.ellipk,
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.power(2, x),
    "expit": lambda x: 1 / (1 + mpmath.exp(-x)),
    "exp1": mpmath.e1,
    "expi": mpmath.ei,
    "expm1": mpmath.expm1,
    "gamma": mpmath.gamma,
    "gammaln": mpmath.loggamma,
    "beta": mpmath.beta,
    "betaln": lambda a, b: mpmath.log(mpmath.beta(a, b)),
    "boxcox": lambda x, l: mpmath.expm1(l * mpmath.log(x)) / l,
    "boxcox1p": lambda x, l: mpmath.expm1(l * mpmath.log1p(x)) / l,
    "cosm1": lambda x: mpmath.cos(x) - 1,
    "dawsn": lambda x: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x),
    "entr": lambda x: -x * mpmath.log(x),
    "erfcx": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
    "erfi": mpmath.erfi,
    "exprel": lambda x: mpmath.expm1(x) / x,
    "fresnel_c": mpmath.fresnelc,
    "fresnel_s": mpmath.fresnels,
    "inv_boxcox": lambda y, l: mpmath.exp(mpmath.log1p(l * y) / l),
    "inv_boxcox1p": lambda y, l: mpmath.expm1(mpmath.log1p(l * y) / l),
    "log_ndtr": lambda x: mpmath.log(mpmath.ncdf(x)),
    "logit": lambda x: mpmath.log(x / (1 - x)),
    "ndtr": mpmath.ncdf,
    "poch": lambda z, m: mpmath.gammaprod([z + m], [z]),
    "powm1": lambda x, y: mpmath.power(x, y) - 1,
    "pseudo_huber": lambda d, r: d * d * (mpmath.sqrt(1 + (r / d) ** 2) - 1),
    "rel_entr": lambda x, y: x * mpmath.log(x / y),
    "rgamma": mpmath.rgamma,
    "xlog1py": lambda x, y: x * mpmath.log1p(y),
    "xlogy": lambda x, y: x * mpmath.log(y),
    "hypot": mpmath.hypot,
    "j0": lambda x: mpmath.besselj(0, x),
    "j1": lambda x: mpmath.besselj(1, x),
    "log": mpmath.log,
    "log10": mpmath.log10,
    "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x, 2),
    "log_expit": lambda x: -mpmath.log1p(mpmath.exp(-x)),
    "logaddexp": lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)),
    "pow": mpmath.power,
    "reciprocal": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "sin": mpmath.sin,
    "sinc": mpmath.sincpi,
    "sinh": mpmath.sinh,
    "sinpi": mpmath.sinpi,
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "sqrt": mpmath.sqrt,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
    "tanpi": lambda x: mpmath.tan(mpmath.pi * x),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives_keep_their_digits(name):
    """First and second derivatives to 1e-12, times their condition, over the whole domain."""
    n = arity(name)
    xs = [np.clip(sample(name, i, 12, seed=9), -700, 700) for i in range(n)]
    f = function(name)
    for i in range(n):
        one = sa.ones(12)

        def first(*values, i=i):
            return sa.jvp(lambda v: f(*values[:i], v, *values[i + 1 :]), (values[i],), (one,))[1]

        def second(*values, i=i):
            return sa.jvp(lambda v: first(*values[:i], v, *values[i + 1 :]), (values[i],), (one,))[1]

        with mpmath.workdps(150):
            for order, got in ((1, first(*arrays(xs))), (2, second(*arrays(xs)))):
                for k, y in enumerate(np.asarray(got)):
                    at = [mpmath.mpf(float(x[k])) for x in xs]

                    def slope(x, order, at=at, i=i):
                        g = lambda v: mpmath.re(DERIVATIVES[name](*at[:i], v, *at[i + 1 :]))
                        return mpmath.diff(g, x, order, h=mpmath.mpf(2) ** -100 * min(1, abs(x)))

                    expected, steeper = slope(at[i], order), slope(at[i], order + 1)
                    scale = abs(expected) + abs(at[i] * steeper)
                    noise = 1e-50 * abs(slope(at[i], 0)) / min(1, abs(at[i])) ** 3
                    if scale < noise or not 1e-290 < scale < 1e290:
                        continue
                    error = abs(mpmath.mpf(float(y)) - expected) / scale
                    assert error < 1e-12, (order, i, [float(x) for x in at], float(y), float(expected))
