"""Hypothesis strategies: dtypes, shapes, axes, and arrays in every memory layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from .. import _core
from .._core import Array
from .._creation import asarray

__all__ = ["arrays", "axes", "broadcastable_pairs", "dtypes", "shapes"]

_DTYPES = {
    "b": ("bool",),
    "i": ("int64", "int32", "int16", "int8"),
    "u": ("uint64", "uint32", "uint16", "uint8"),
    "f": ("float64", "float32"),
    "c": ("complex128", "complex64"),
}


def dtypes(kinds: str = "biufc") -> st.SearchStrategy[Any]:
    """Dtypes of the given kinds, NumPy's letters; the widest of each kind comes first.

    Example
    -------
    >>> from sciarray import testing
    >>> testing.dtypes("f").example().kind  # doctest: +SKIP
    'f'
    """
    unknown = set(kinds) - set(_DTYPES)
    if unknown:
        raise ValueError(f"dtypes: kinds must be letters of 'biufc', got {''.join(sorted(unknown))!r}")
    return st.sampled_from([getattr(_core, name) for kind in kinds for name in _DTYPES[kind]])


def shapes(
    min_dims: int = 0, max_dims: int = 3, min_side: int = 0, max_side: int = 5
) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes, among them ``()`` and, with ``min_side=0``, those without elements.

    Example
    -------
    >>> from sciarray import testing
    >>> len(testing.shapes(min_dims=2, max_dims=2).example())  # doctest: +SKIP
    2
    """
    return hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side)


def axes(ndim: int) -> st.SearchStrategy[int | tuple[int, ...] | None]:
    """Values of ``axis=`` for a reduction of ``ndim`` axes: None, one axis, or several; negative ones too.

    Example
    -------
    >>> from sciarray import testing
    >>> testing.axes(2).example() in (None, 0, 1, -1, -2)  # doctest: +SKIP
    True
    """
    if ndim == 0:
        return st.one_of(st.none(), st.just(()))
    one = st.integers(-ndim, ndim - 1)
    several = st.lists(one, max_size=ndim, unique_by=lambda a: a % ndim).map(tuple)
    return st.one_of(st.none(), one, several)


def _as_strategy(x: Any, default: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    if x is None:
        return default
    return x if isinstance(x, st.SearchStrategy) else st.just(x)


def _laid_out(values: np.ndarray, steps: Sequence[int], fortran: bool) -> np.ndarray:
    """The same values as a view that steps through a larger block whose other elements differ."""
    block = np.full([n * abs(s) for n, s in zip(values.shape, steps)], 77, values.dtype, order="F" if fortran else "C")
    index: Any = (*(slice(None, None, s) for s in steps), ...)
    view = block[index]
    view[...] = values
    return view


@st.composite
def _values(draw: st.DrawFn, dtype: Any, shape: Any, elements: Any, layouts: bool) -> Array:
    d = np.dtype(str(draw(dtype)))
    size = draw(shape)
    values = draw(hnp.arrays(d, size, elements=hnp.from_dtype(d) if elements is None else elements))
    if not layouts:
        return asarray(values)
    if values.ndim and values.size and draw(st.booleans()):
        stretched = draw(st.integers(0, values.ndim - 1))
        return asarray(np.broadcast_to(values.take([0], stretched), values.shape))
    steps = draw(st.tuples(*[st.sampled_from([1, -1, 2, -2])] * values.ndim))
    return asarray(_laid_out(values, steps, draw(st.booleans())))


def arrays(
    dtype: Any = None, shape: Any = None, elements: st.SearchStrategy[Any] | None = None, *, layouts: bool = True
) -> st.SearchStrategy[Array]:
    """Arrays of a dtype and shape, given or drawn, in any layout.

    Layouts are contiguous, strided, reversed, in Fortran order, and stretched from one element.

    Without ``elements`` all values of the dtype occur: NaN, infinities, both zeros, subnormal and extreme numbers.
    ``layouts=False`` gives contiguous arrays only.

    Example
    -------
    >>> from hypothesis import given, settings, strategies as st
    >>> from sciarray import testing
    >>> @settings(max_examples=10, database=None)
    ... @given(testing.arrays("float64", elements=st.floats(-10, 10)))
    ... def test(x):
    ...     testing.assert_allclose(sa.exp(x) * sa.exp(-x), 1.0, ulps=8)
    >>> test()
    """
    return _values(_as_strategy(dtype, dtypes()), _as_strategy(shape, shapes()), elements, layouts)


@st.composite
def _pairs(draw: st.DrawFn, dtype: Any, elements: Any, layouts: bool) -> tuple[Array, Array]:
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, min_side=0, max_dims=3, max_side=4)).input_shapes
    a, b = (draw(_values(dtype, st.just(s), elements, layouts)) for s in both)
    return a, b


def broadcastable_pairs(
    dtype: Any = None, elements: st.SearchStrategy[Any] | None = None, *, layouts: bool = True
) -> st.SearchStrategy[tuple[Array, Array]]:
    """Pairs of arrays whose shapes broadcast; dtypes are drawn one by one where ``dtype`` is a strategy or None.

    Example
    -------
    >>> from hypothesis import given, settings
    >>> from sciarray import testing
    >>> @settings(max_examples=10, database=None)
    ... @given(testing.broadcastable_pairs("int64"))
    ... def test(pair):
    ...     x, y = pair
    ...     assert (x + y).shape == (y + x).shape
    >>> test()
    """
    return _pairs(_as_strategy(dtype, dtypes()), elements, layouts)
