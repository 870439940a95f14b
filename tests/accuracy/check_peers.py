"""Errors of sciarray, SciPy, PyTorch and JAX at the points of the reference tables, as the table in docs/ACCURACY.md.

Usage: check_peers.py [--write] [NAME ...]; libraries that are not installed are left out. Values are in ulps where the goal
is (`u`), else in ulps and the condition together (`c`); derivatives in `eps (|d| + sum |x_i dd/dx_i|)`. Each library runs in a
process of its own, since some calls of JAX do not return.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import pathlib
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import catalogue
import check_elementary
import measure
import numpy as np

DOC = pathlib.Path(__file__).resolve().parents[2] / "docs" / "ACCURACY.md"
#: Seconds for one function of one library.
PATIENCE = 60
LIBRARIES = ("SciPy", "PyTorch", "JAX")
#: Where PyTorch's names are not SciPy's.
TORCH = {
    **{n: f"bessel_{n}" for n in ("j0", "j1", "y0", "y1")},
    **{n: f"modified_bessel_{n}" for n in ("k0", "k1")},
    **{f"{n}e": f"scaled_modified_bessel_{n}" for n in ("k0", "k1")},
    **{"eval_chebyt": "chebyshev_polynomial_t", "eval_chebyu": "chebyshev_polynomial_u"},
    **{"eval_hermite": "hermite_polynomial_h", "eval_hermitenorm": "hermite_polynomial_he"},
    **{"eval_laguerre": "laguerre_polynomial_l", "eval_legendre": "legendre_polynomial_p"},
    **{"loggamma": "gammaln", "riemann_zeta": "zeta"},
}
JAX = {"jv": "bessel_jn", "jn": "bessel_jn", "loggamma": "gammaln", "riemann_zeta": "zeta"}
#: One of the values of a function with several.
PARTS = {"fresnel_s": ("fresnel", 0), "fresnel_c": ("fresnel", 1), "sici_si": ("sici", 0), "sici_ci": ("sici", 1)}


def scipy_function(name: str) -> Callable[..., Any]:
    import scipy.special

    return catalogue.ENTRIES[name].call(scipy.special)


def by_order(f: Callable[..., Any], where: Callable[..., Any]) -> Callable[..., Any]:
    """Of a function whose first argument is one integer: each integer apart."""

    def g(n: Any, x: Any) -> Any:
        out = 0.0 * x
        for k in sorted(set(np.asarray(n).astype(int).tolist())):
            out = where(n == k, f(k, x), out)
        return out

    return g


def function_of(special: Any, main: Any, name: str) -> Callable[..., Any]:
    """Of the main namespace only if it is elementary, since other functions have names of special ones."""
    return getattr(special, name, None) or getattr(main if name in check_elementary.FUNCTIONS else special, name)


def torch_function(name: str) -> Callable[..., Any]:
    import torch

    stem = name.removesuffix("[c]")
    if stem == "multigammaln":
        return lambda a: torch.special.multigammaln(a, 3)
    if stem == "logsumexp":
        return lambda *x: torch.logsumexp(torch.stack(x), 0)
    found = TORCH.get(stem, stem)
    f = function_of(torch.special, torch, found)
    if stem == "riemann_zeta":
        return lambda s: f(s, 1.0)
    if stem == "polygamma":
        return by_order(f, torch.where)
    return (lambda n, x: f(x, n)) if stem.startswith("eval_") else f


def jax_function(name: str) -> Callable[..., Any]:
    import jax.numpy as jnp
    import jax.scipy.special

    stem = name.removesuffix("[c]")
    if stem == "multigammaln":
        return lambda a: jax.scipy.special.multigammaln(a, 3)
    if stem == "logsumexp":
        return lambda *x: jax.scipy.special.logsumexp(jnp.stack(x), axis=0)
    found, part = PARTS.get(stem, (JAX.get(stem, stem), None))
    f = function_of(jax.scipy.special, jnp, found)
    if part is not None:
        return lambda x: f(x)[part]
    if stem in ("jv", "jn"):
        return lambda v, x: jnp.stack([f(t, v=int(np.max(v)))[int(k), i] for i, (k, t) in enumerate(zip(v, x))])
    if stem == "riemann_zeta":
        return lambda s: f(s, 1.0)
    return by_order(f, jnp.where) if stem == "polygamma" else f


def torch_slope(f: Callable[..., Any], args: list[np.ndarray], i: int) -> np.ndarray:
    import torch

    at = [torch.tensor(a, requires_grad=k == i) for k, a in enumerate(args)]
    return torch.autograd.grad(f(*at).sum(), at[i])[0].numpy()


def jax_slope(f: Callable[..., Any], args: list[np.ndarray], i: int) -> np.ndarray:
    import jax

    return np.asarray(jax.grad(lambda *x: f(*x).sum(), argnums=i)(*args))


def counted(found: np.ndarray) -> tuple[float, int]:
    """The worst error, and how many points have no number."""
    finite = np.isfinite(found)
    return float(found[finite].max(initial=0.0)), int((~finite).sum())


def measured(library: str, name: str) -> tuple[tuple[float, int] | None, tuple[float, int] | None] | None:
    """The errors of the value and of the first derivatives, None for what is refused; None for no such function."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    slope: Callable[..., Any] | None = None
    try:
        if library == "SciPy":
            f = scipy_function(name)
        elif library == "PyTorch":
            f, slope = torch_function(name), torch_slope
        else:
            importlib.import_module("jax").config.update("jax_enable_x64", True)
            f, slope = jax_function(name), jax_slope
    except (AttributeError, ImportError):
        return None
    entry, table = catalogue.ENTRIES[name], measure.load(name)
    tensor = importlib.import_module("torch").tensor if library == "PyTorch" else lambda a: a
    value = first = None
    try:
        got = np.asarray(f(*map(tensor, measure.columns(name, table["x"]))))
        unit = measure.ulp(table["value"]) + (measure.EPS * table["condition"] if entry.conditioned else 0.0)
        value = counted(measure.errors(got, table["value"], table["rest"], unit))
    except Exception:
        pass
    if slope and not entry.complex:
        try:
            args = measure.columns(name, table["x"][table["at"]])
            found = []
            for k, (i,) in enumerate(w for w in catalogue.orders(entry) if len(w) == 1):
                want, condition = table["slope"][:, k], table["slope_condition"][:, k]
                unit = measure.EPS * (np.abs(want) + condition)
                error = measure.errors(slope(f, args, i), want, np.zeros_like(want), unit)
                found.append(error[np.isfinite(condition)])
            first = counted(np.concatenate(found))
        except Exception:
            pass
    return value, first


class Worker:
    """One library in a process that is started again after a call that did not return."""

    def __init__(self, library: str) -> None:
        self.library = library
        self.start()

    def start(self) -> None:
        self.pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))

    def measure(self, name: str) -> Any:
        future = self.pool.submit(measured, self.library, name)
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            for process in self.pool._processes.values():
                process.kill()
            self.start()
            return "hangs"


def shown(found: tuple[float, int] | None) -> str:
    if found is None:
        return "refused"
    worst, lost = found
    number = f"{worst:.1f}" if worst < 100 else f"{worst:.0e}"
    return f"{number}, {lost} NaN" if lost else number


def cell(found: Any, with_slope: bool) -> str:
    if found is None or found == (None, None):
        return ""
    if found == "hangs":
        return "hangs"
    value, first = found
    return f"{shown(value)}; {shown(first)}" if with_slope else shown(value)


def rows(names: list[str]) -> Iterator[str]:
    workers = [Worker(library) for library in LIBRARIES]
    yield f"| function | goal | sciarray | float32 | derivatives | {' | '.join(LIBRARIES)} |"
    yield "|" + "---|" * (5 + len(LIBRARIES))
    for name in names:
        entry, own = catalogue.ENTRIES[name], measure.measure(name)
        value = own["conditioned" if entry.conditioned else "ulp"]
        slopes = ", ".join(shown((own[k], 0)) for k in ("first", "second"))
        cells = [cell(w.measure(name), w.library != "SciPy" and not entry.complex) for w in workers]
        goal = f"{entry.goal:g}{'c' if entry.conditioned else 'u'}"
        yield f"| `{name}` | {goal} | {value:.1f} | {own['float32']:.1f} | {slopes} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument(
        "--write", action="store_true", help="into docs/ACCURACY.md, of named functions in place of their rows"
    )
    args = parser.parse_args()
    lines = []
    for line in rows(args.names or list(catalogue.ENTRIES)):
        print(line, flush=True)
        lines.append(line)
    if args.write:
        text = DOC.read_text()
        start = text.index("| function | goal |")
        stop = text.index("\n\n", start)
        # Beside named functions the other rows stay.
        table = {line.split("|")[1]: line for line in [*(text[start:stop].split("\n") if args.names else []), *lines]}
        DOC.write_text(text[:start] + "\n".join(table.values()) + text[stop:])


if __name__ == "__main__":
    sys.exit(main())
