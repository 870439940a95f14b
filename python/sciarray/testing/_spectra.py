"""Hypothesis strategies: matrices with the spectra that linear algebra finds hard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import _core
from .._core import Array
from .._creation import asarray
from ._strategies import _as_strategy, _laid_out

__all__ = ["matrices", "sides"]

# Around the edges of closed forms, vector lanes, small kernels and blocks.
_SIDES = (2, 0, 1, 3, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129)

Values = Callable[[np.random.Generator, int, type], np.ndarray]


def _scaled(exponent: float) -> Values:
    def values(rng: np.random.Generator, n: int, dtype: type) -> np.ndarray:
        limit = np.finfo(dtype).max if exponent > 0 else 1 / np.finfo(dtype).tiny
        return rng.uniform(1.0, 2.0, n) * float(limit) ** exponent

    return values


#: Positive values in descending order by what is hard about them; the limits of 1e300 and 1e-300 are those of float64.
_SPECTRA: dict[str, Values] = {
    "separate": lambda rng, n, dtype: np.linspace(2.0, 1.0, n),
    "clustered": lambda rng, n, dtype: 1 + np.finfo(dtype).eps * rng.integers(0, 50, n),
    "repeated": lambda rng, n, dtype: np.repeat(rng.uniform(1.0, 2.0, n), 3)[:n],
    "graded": lambda rng, n, dtype: np.finfo(dtype).eps ** np.linspace(0.0, 1.2, n),
    "singular": lambda rng, n, dtype: np.where(np.arange(n) < (n + 1) // 2, 1.0, 0.0) * rng.uniform(1.0, 2.0, n),
    "projector": lambda rng, n, dtype: np.where(np.arange(n) < rng.integers(0, n + 1), 1.0, 0.0),
    "zero": lambda rng, n, dtype: np.zeros(n),
    "huge": _scaled(0.974),
    "tiny": _scaled(-0.974),
}
_STRUCTURES = ("general", "hermitian", "definite", "defective")


def sides(max_side: int = 129) -> st.SearchStrategy[int]:
    """Lengths around 0, 4, 16, 32, 64 and 128, where kernels change.

    Example
    -------
    >>> from sciarray import testing
    >>> testing.sides(17).example() <= 17  # doctest: +SKIP
    True
    """
    return st.sampled_from([n for n in _SIDES if n <= max_side])


def _unitary(rng: np.random.Generator, n: int, complex_: bool) -> np.ndarray:
    x = rng.standard_normal((n, n))
    return np.linalg.qr(x + 1j * rng.standard_normal((n, n)) if complex_ else x)[0]


def _matrix(rng: np.random.Generator, m: int, n: int, structure: str, values: np.ndarray, complex_: bool) -> np.ndarray:
    k = len(values)
    U = _unitary(rng, m, complex_)[:, :k]
    if structure == "general":
        return (U * values) @ _unitary(rng, n, complex_)[:k]
    if structure == "defective":
        # Jordan blocks of up to three, in a unitary basis.
        T = np.diag(np.repeat(values, 3)[:k])
        T = T + np.diag(np.where(np.arange(1, k) % 3, np.max(values, initial=0.0), 0.0), 1) if k else T
        return U @ T @ U.conj().T
    signs = rng.choice([-1.0, 1.0], k) if structure == "hermitian" else 1.0
    a = (U * (values * signs)) @ U.conj().T
    return a / 2 + a.conj().T / 2


@st.composite
def _drawn(draw: st.DrawFn, dtype: Any, shape: Any, structure: Any, spectrum: Any, layouts: bool) -> Array:
    d = np.dtype(str(draw(dtype)))
    form = draw(structure)
    if form not in _STRUCTURES:
        raise ValueError(f"matrices: structure must be one of {', '.join(_STRUCTURES)}, got {form!r}")
    name = draw(spectrum)
    if name not in _SPECTRA:
        raise ValueError(f"matrices: spectrum must be one of {', '.join(_SPECTRA)}, got {name!r}")
    size: tuple[int, ...]
    if shape is None:
        n = draw(sides(17))
        size = (draw(sides(17)) if form == "general" else n, n)
    else:
        size = draw(shape)
    m, n = size[-2:]
    if form != "general" and m != n:
        raise ValueError(f"matrices: {form} matrices are square, got shape {tuple(size)}")
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    complex_ = d.kind == "c"
    items = []
    for _ in range(int(np.prod(size[:-2]))):
        values = _SPECTRA[name](rng, min(m, n), d.type)
        items.append(_matrix(rng, m, n, form, values, complex_))
    a = np.array(items, dtype=d).reshape(size)
    if not layouts:
        return asarray(a)
    steps = draw(st.tuples(*[st.sampled_from([1, -1, 2])] * a.ndim))
    return asarray(_laid_out(a, steps, draw(st.booleans())))


def matrices(
    dtype: Any = None,
    shape: Any = None,
    *,
    structure: Any = "general",
    spectrum: Any = None,
    layouts: bool = True,
) -> st.SearchStrategy[Array]:
    """Float or complex matrices (..., m, n) with given or drawn singular values or eigenvalues, in any memory layout.

    ``structure`` is "general" (random singular vectors), "hermitian", "definite" (positive semidefinite where the spectrum
    has zeros), or "defective" (Jordan blocks of up to three in a unitary basis). ``spectrum`` is "separate", "clustered"
    (equal but for rounding), "repeated", "graded" (from 1 to below rounding), "singular" (half of the values are 0),
    "projector" (ones and zeros), "zero", "huge" or "tiny" (1e300 and 1e-300, for float32 1e37 and 1e-37). Each argument may
    be a value or a strategy, None means any; sides are those of `sides` up to 17 by default.

    Example
    -------
    >>> from hypothesis import given, settings
    >>> from sciarray import testing
    >>> @settings(max_examples=10, database=None)
    ... @given(testing.matrices("float64", (3, 3), structure="hermitian", spectrum="repeated"))
    ... def test(a):
    ...     w, V = sa.linalg.eigh(a)
    ...     testing.assert_allclose(V * w @ V.mT, a, condition=1.0)
    >>> test()
    """
    kinds = st.sampled_from([_core.float64, _core.float32, _core.complex128, _core.complex64])
    return _drawn(
        _as_strategy(dtype, kinds),
        None if shape is None else _as_strategy(shape, st.nothing()),
        _as_strategy(structure, st.sampled_from(_STRUCTURES)),
        _as_strategy(spectrum, st.sampled_from(list(_SPECTRA))),
        layouts,
    )
