"""The libraries under measurement: how each makes arrays, compiles a function and waits for a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


def _same(x: Any) -> Any:
    return x


@dataclass(frozen=True)
class Library:
    """One contender. Expressions of cases are evaluated in ``names``; what a library lacks it sits out."""

    name: str
    version: str
    names: dict[str, Any]
    array: Callable[[np.ndarray], Any] = _same
    numpy: Callable[[Any], np.ndarray] = np.asarray
    #: Makes an array whose operations are recorded for ``backward``.
    track: Callable[[Any], Any] | None = None
    #: What a user of this library does to a function before calling it often.
    compile: Callable[[Callable[..., Any]], Callable[..., Any]] = _same
    #: Every expression is compiled, because that is the only fast way to use this library.
    always_compiled: bool = False
    #: Waits until a result is there.
    ready: Callable[[Any], Any] | None = None


def _namespaces(xp: Any, *names: str) -> dict[str, Any]:
    return {"xp": xp} | {n: getattr(xp, n) for n in names if hasattr(xp, n)}


def _tracked(x: Any) -> Any:
    x.requires_grad = True
    return x


def _sciarray(threads: int) -> Library:
    import sciarray as sa

    return Library(
        "sciarray",
        getattr(sa, "__version__", ""),
        _namespaces(sa, "linalg", "fft", "signal", "special", "random"),
        array=lambda x: sa.asarray(x, copy=True),
        track=_tracked,
        compile=sa.record,
    )


def _numpy(threads: int) -> Library:
    return Library("numpy", np.__version__, _namespaces(np, "linalg", "fft", "random"), array=np.copy)


def _scipy(threads: int) -> Library:
    import scipy
    from scipy import fft, linalg, signal, special

    fft.set_workers(threads).__enter__()
    return Library(
        "scipy", scipy.__version__, {"linalg": linalg, "fft": fft, "signal": signal, "special": special}, array=np.copy
    )


def _torch(threads: int) -> Library:
    import torch

    torch.set_num_threads(threads)
    return Library(
        "torch",
        torch.__version__,
        _namespaces(torch, "linalg", "fft", "special"),
        array=lambda x: torch.from_numpy(x.copy()),
        numpy=lambda x: x.detach().numpy(),
        track=_tracked,
    )


def _jax(threads: int) -> Library:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    from jax.scipy import special

    return Library(
        "jax",
        jax.__version__,
        {**_namespaces(jnp, "linalg", "fft"), "special": special, "random": jax.random},
        array=jnp.asarray,
        compile=jax.jit,
        always_compiled=True,
        ready=jax.block_until_ready,
    )


def _numexpr(threads: int) -> Library:
    import numexpr

    numexpr.set_num_threads(threads)
    return Library("numexpr", numexpr.__version__, {"numexpr": numexpr}, array=np.copy)


_MAKERS = {
    "sciarray": _sciarray,
    "numpy": _numpy,
    "scipy": _scipy,
    "torch": _torch,
    "jax": _jax,
    "numexpr": _numexpr,
}
PEERS = [name for name in _MAKERS if name != "sciarray"]


def load(peers: list[str], threads: int) -> list[Library]:
    """sciarray and those of ``peers`` that are installed."""
    found = []
    for name in ["sciarray", *peers]:
        try:
            found.append(_MAKERS[name](threads))
        except ImportError:
            if name == "sciarray":
                raise
    return found
