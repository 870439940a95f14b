"""Tests of numerical code: gradient checks, closeness by the condition of a problem, Hypothesis strategies for arrays.

The strategies need the package ``hypothesis``, which is imported at their first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._compare import assert_allclose
from ._gradients import check_grads

if TYPE_CHECKING:
    from ._spectra import matrices, sides
    from ._strategies import arrays, axes, broadcastable_pairs, dtypes, shapes

__all__ = [
    "arrays",
    "assert_allclose",
    "axes",
    "broadcastable_pairs",
    "check_grads",
    "dtypes",
    "matrices",
    "shapes",
    "sides",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _spectra, _strategies

    return getattr(_spectra if name in _spectra.__all__ else _strategies, name)
