"""Errors of values and gradients of sciarray, SciPy, PyTorch and JAX at the same points, as a table for docs/ACCURACY.md.

Usage: check_peers.py [--points N] [NAME ...]; libraries that are not installed are left out. An error is divided by
`eps (|f| + sum |x_i df/dx_i|)`, for a gradient with the derivative in place of `f`.
"""

import argparse
import math
import pathlib
import sys
import warnings

import mpmath
import numpy as np
import scipy.special
from mpmath import mp, mpf

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests")]

import test_special_derivatives as cases  # noqa: E402

import sciarray as sa  # noqa: E402

try:
    import torch
except ImportError:
    torch = None
try:
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    import jax.scipy.special
except ImportError:
    jax = None

EPS = 2.0**-52
#: PyTorch's names where they are not SciPy's.
TORCH = {
    **{n: f"bessel_{n}" for n in ("j0", "j1", "y0", "y1")},
    **{n: f"modified_bessel_{n}" for n in ("k0", "k1")},
    **{f"{n}e": f"scaled_modified_bessel_{n}" for n in ("k0", "k1")},
}
#: Those of its polynomials, whose degree comes last.
POLYNOMIALS = {
    "eval_chebyt": "chebyshev_polynomial_t",
    "eval_chebyu": "chebyshev_polynomial_u",
    "eval_hermite": "hermite_polynomial_h",
    "eval_legendre": "legendre_polynomial_p",
}
#: One of the values of a function with several.
PARTS = {"fresnel_s": ("fresnel", 0), "fresnel_c": ("fresnel", 1)}


def sample(name, points, rng):
    """Points of the row's domain, uniform and towards its lower end, with those of the tests."""
    row = cases.ROWS[name]
    _, known = cases.CASES[name]
    whole = set(row["orders"]) | ({0} if name == "polygamma" else set())
    columns = []
    for i, (low, high) in enumerate(row["domain"]):
        x = rng.uniform(low, high, points)
        if low > 0:
            x[::2] = np.exp(rng.uniform(math.log(low), math.log(high), len(x[::2])))
        columns.append(np.round(x) if i in whole else x)
    drawn = [tuple(x) for x in np.transpose(columns).tolist()] if len(columns) == len(known[0]) else []
    return [tuple(map(float, x)) for x in known] + drawn


def part_of(module, name):
    whole, part = PARTS.get(name, (name, None))
    f = getattr(module, whole, None)
    return f if part is None or f is None else lambda x: f(x)[part]


def of_integer(f):
    return lambda n, x: f(int(n), x)


def sciarray_slope(f, x, i):
    return float(sa.grad(f, argnums=i)(*map(sa.asarray, x)))


def torch_slope(f, x, i):
    at = [torch.tensor(v, dtype=torch.float64, requires_grad=k == i) for k, v in enumerate(x)]
    return torch.autograd.grad(f(*at), at[i])[0].item()


def torch_value(f, x):
    return f(*[torch.tensor(v, dtype=torch.float64) for v in x]).item()


def libraries(name):
    """Of each library the value and the slope as functions of a point, or None."""
    ours = getattr(sa.special, name)
    found = {"sciarray": (lambda x: float(ours(*map(sa.asarray, x))), lambda x, i: sciarray_slope(ours, x, i))}
    peer = part_of(scipy.special, name)
    found["SciPy"] = (lambda x: float(peer(*x)), None) if peer else None
    f = torch and getattr(torch.special, TORCH.get(name, name), None)
    if torch and name in POLYNOMIALS:
        polynomial = getattr(torch.special, POLYNOMIALS[name])
        f = lambda n, x: polynomial(x, n)
    if f and name == "polygamma":
        f = of_integer(f)
    found["PyTorch"] = (lambda x: torch_value(f, x), lambda x, i: torch_slope(f, x, i)) if f else None
    h = jax and part_of(jax.scipy.special, name)
    if h and name == "polygamma":
        h = of_integer(h)
    found["JAX"] = (lambda x: float(h(*x)), lambda x, i: float(jax.grad(h, argnums=i)(*x))) if h else None
    return found


def error(compute, want, limit):
    """The error in units of the limit: inf for no number where there is one, None where the library refuses."""
    try:
        got = compute()
    except Exception:
        return None
    return float(abs(mpf(got) - want) / limit) if math.isfinite(got) else math.inf


def exact_of(f, x):
    """The value and what rounding the arguments and the value does to it, or None where there is no finite number."""
    try:
        value = f(*x)
        size = abs(value)
        for i, v in enumerate(x):
            h = abs(v) * mpf(2) ** -40
            size += abs(f(*x[:i], v + h, *x[i + 1 :]) - value) * mpf(2) ** 40 if h else 0
    except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence):
        return None
    small = not mpmath.isfinite(size) or abs(mpmath.im(value)) > size * EPS**2 or not 1e-280 < size < 1e280
    return None if small else (mpmath.re(value), size * EPS)


def settled(f, x):
    """[`exact_of`], of small numbers with the digits that differences from 1 cost."""
    for bits in (cases.BITS, 4 * cases.BITS):
        with mp.workprec(bits):
            found = exact_of(f, x)
        if found is None or found[1] > 1e-30 * EPS:
            break
    return found


def worse(worst, key, found):
    old = worst.get(key, 0.0)
    worst[key] = None if found is None or old is None else max(old, found)


def measure(name, points, rng):
    f, known = cases.CASES[name]
    fixed = {0} if name == "polygamma" else set(cases.ROWS[name]["orders"])
    libs = {n: lib for n, lib in libraries(name).items() if lib}
    worst = {}
    for x in sample(name, points, rng):
        at = tuple(map(mpf, x))
        want = settled(f, at)
        if want is None:
            continue
        for n, (value, _) in libs.items():
            worse(worst, (n, 0), error(lambda value=value: value(x), *want))
        for i in set(range(len(known[0]))) - fixed:
            want = settled(lambda *y, i=i: cases.slope(f, list(y), (i,)), at)
            for n, (_, slope) in libs.items():
                if slope and want:
                    worse(worst, (n, 1), error(lambda slope=slope, i=i: slope(x, i), *want))
    return libs, worst


def shown(found):
    if found is None:
        return "refused"
    if found == math.inf:
        return "NaN"
    return f"{found:.1f}" if found < 100 else f"{found:.0e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--points", type=int, default=20)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| function | sciarray | SciPy | PyTorch | JAX |\n|---|---|---|---|---|")
    for name in args.names or cases.CASES:
        libs, worst = measure(name, args.points, np.random.default_rng(17))
        cells = []
        for n in ("sciarray", "SciPy", "PyTorch", "JAX"):
            parts = [shown(worst[n, k]) for k in (0, 1) if (n, k) in worst]
            cells.append("; ".join(parts) if n in libs else "")
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
