"""Closeness of arrays, absolute, relative, in units of rounding error, and by the condition of the problem."""

from __future__ import annotations

from typing import Any

import numpy as np

# What backward stable algorithms stay below, as a multiple of the unit roundoff times the condition number.
_STABLE = 16.0


def _parts(x: np.ndarray) -> list[np.ndarray]:
    return [x.real, x.imag] if x.dtype.kind == "c" else [x]


def _agree_where_not_finite(a: np.ndarray, d: np.ndarray) -> np.ndarray:
    same = [(x == y) | (np.isnan(x) & np.isnan(y)) for x, y in zip(_parts(a), _parts(d))]
    return np.logical_and.reduce(same)


def _magnitude(d: np.ndarray, condition: np.ndarray) -> np.ndarray:
    """Per element the size that a relative error refers to: normwise over the axes that ``condition`` lacks."""
    size = np.where(np.isfinite(d), np.abs(d), 0)
    if condition.ndim < d.ndim and d.size:
        size = size.max(axis=tuple(range(condition.ndim, d.ndim)), keepdims=True)
    return size


def assert_allclose(
    actual: Any,
    desired: Any,
    rtol: float | None = None,
    atol: float = 0.0,
    *,
    condition: Any = None,
    ulps: float | None = None,
) -> None:
    """Raises AssertionError unless two arrays agree; NaNs and equal infinities agree with themselves.

    Errors up to ``atol + rtol * abs(desired)`` pass, and those of rounding: ``ulps`` units of the coarser dtype's
    machine epsilon, multiplied by ``condition`` where it is given. A condition in the shape of ``desired`` is that of
    each element; one of its leading axes, ``(...)`` for matrices ``(..., n, n)``, or a number belongs to whole items,
    whose error is measured against their largest element. ``rtol`` is 1e-7 (1e-4 in single precision) if no other
    tolerance is given, ``ulps`` is 16 if ``condition`` is. Unlike NumPy's function, shapes must be equal unless
    ``desired`` is a scalar.

    Example
    -------
    >>> from sciarray.testing import assert_allclose
    >>> A = sa.asarray([[1.0, 1.0], [1.0, 1.0 + 1e-8]])
    >>> assert_allclose([1.00000001, 1.0], [1.0, 1.0], condition=4e8)
    >>> assert_allclose(sa.exp(1.0), 2.718281828459045, ulps=1)
    """
    a, d = np.asarray(actual), np.asarray(desired)
    if a.shape != d.shape and d.ndim:
        raise AssertionError(f"assert_allclose: shapes must be equal, got {a.shape} and {d.shape}")
    eps = max((np.finfo(x.dtype).eps for x in (a, d) if x.dtype.kind in "fc"), default=np.finfo(np.float64).eps)
    if rtol is None:
        rtol = (1e-7 if eps < 1e-10 else 1e-4) if ulps is None and condition is None else 0.0
    d = np.broadcast_to(d, a.shape)
    wide = np.result_type(a, d, np.float64)
    a, d = a.astype(wide), d.astype(wide)
    tolerance = atol + rtol * np.where(np.isfinite(d), np.abs(d), 0)
    if condition is not None:
        c = np.asarray(condition, dtype=np.float64)
        if c.shape != a.shape[: c.ndim]:
            raise ValueError(
                f"assert_allclose: condition must have leading axes of the shape {a.shape}, got shape {c.shape}"
            )
        each = c.reshape(c.shape + (1,) * (a.ndim - c.ndim))
        tolerance = tolerance + (_STABLE if ulps is None else ulps) * eps * each * _magnitude(d, c)
    elif ulps is not None:
        tolerance = tolerance + ulps * eps * _magnitude(d, np.empty(a.shape))
    finite = np.isfinite(a) & np.isfinite(d)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.where(finite, np.abs(a - d), np.where(_agree_where_not_finite(a, d), 0.0, np.inf))
    bad = ~(error <= tolerance)
    if not bad.any():
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.where(bad, error / np.maximum(tolerance, np.finfo(np.float64).tiny), 0.0)
    worst = np.unravel_index(int(np.argmax(excess)), a.shape)
    at = tuple(int(i) for i in worst)
    raise AssertionError(
        f"assert_allclose: {int(bad.sum())} of {a.size} elements differ, worst at index {at}: "
        f"got {a[at]!s}, expected {d[at]!s}, error {error[at]:.3g} with tolerance "
        f"{np.broadcast_to(tolerance, a.shape)[at]:.3g}"
    )
