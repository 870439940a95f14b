"""One expression evaluated with NumPy and with sciarray, and the results compared."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import strategies as st

import sciarray as sa

ERRORS = (ValueError, TypeError, IndexError, ZeroDivisionError, OverflowError)


def to_sciarray(x: Any) -> Any:
    return sa.asarray(x) if isinstance(x, np.ndarray) else x


def _leaves(x: Any) -> list[Any]:
    return [leaf for item in x for leaf in _leaves(item)] if isinstance(x, (tuple, list)) else [x]


def assert_same(got: Any, want: Any, rtol: float = 1e-12, dtypes: bool = True) -> None:
    """Equal structure, shapes, dtypes, and values up to a relative error (float32: 2e-6)."""
    gots, wants = _leaves(got), _leaves(want)
    assert len(gots) == len(wants), (got, want)
    for g, w in zip(gots, wants):
        if not isinstance(g, sa.Array):
            assert g == w
            continue
        w = np.asarray(w)
        g_numpy = np.asarray(memoryview(g))
        assert g.shape == w.shape
        if dtypes:
            assert g.dtype == w.dtype
        single = w.dtype in (np.float32, np.complex64)
        if w.dtype.kind in "fc":
            finite = np.abs(w[np.isfinite(w)])
            scale = float(finite.max()) if finite.size else 0.0
            np.testing.assert_allclose(
                g_numpy, w, rtol=2e-6 if single else rtol, atol=(2e-6 if single else rtol) * scale
            )
        else:
            np.testing.assert_array_equal(g_numpy, w)


def compare(f: Callable[..., Any], *xs: Any, rtol: float = 1e-12, dtypes: bool = True) -> None:
    """``f(np, *xs)`` and ``f(sa, *xs)`` agree, or both raise."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            want = f(np, *(x.copy() if isinstance(x, np.ndarray) else x for x in xs))
        except ERRORS:
            with pytest.raises(ERRORS):
                f(sa, *map(to_sciarray, xs))
            return
        got = f(sa, *map(to_sciarray, xs))
    assert_same(got, want, rtol, dtypes)


def _elements(dtype: np.dtype, special: bool | str) -> st.SearchStrategy[Any]:
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        return st.integers(0 if dtype.kind == "u" else -9, 9)
    reals = st.integers(-64, 64).map(lambda i: i / 8)
    if special:
        infinities = [] if special == "nan" else [np.inf, -np.inf]
        reals = st.one_of(reals, st.sampled_from([np.nan, -0.0, *infinities]))
    return reals if dtype.kind == "f" else st.builds(complex, reals, reals)


def arrays(
    dtypes: Sequence[str] = ("bool", "int8", "uint16", "int64", "float32", "float64", "complex128"),
    *,
    min_dims: int = 0,
    max_dims: int = 3,
    min_side: int = 0,
    max_side: int = 4,
    special: bool | str = False,
    shape: Any = None,
) -> st.SearchStrategy[np.ndarray]:
    """Small NumPy arrays of multiples of 1/8; ``special`` adds NaN, -0.0 and, unless it is ``"nan"``, infinities."""
    if shape is None:
        shape = hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side)
    return st.sampled_from([np.dtype(d) for d in dtypes]).flatmap(
        lambda d: hnp.arrays(d, shape, elements=_elements(d, special))
    )


def cases(table: dict[str, Callable[..., Any]]) -> Any:
    """A parametrization over named expressions."""
    return pytest.mark.parametrize("f", list(table.values()), ids=list(table))
