"""Averages, spread, order statistics, their NaN-ignoring forms, histograms and correlation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, prod
from typing import Any

from . import _core
from ._arguments import Axis, beside, inexact, known, normalize_axes, promoted
from ._core import Array
from ._creation import arange, asarray, linspace, ones, zeros
from ._manipulation import broadcast_to, concat, moveaxis, stack
from ._matrices import diagonal

__all__ = [
    "amax",
    "amin",
    "average",
    "bincount",
    "corrcoef",
    "cov",
    "digitize",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "mean",
    "median",
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "percentile",
    "ptp",
    "quantile",
    "std",
    "var",
]

amax = _core.max
amin = _core.min


def _count(x: Array, axis: Axis) -> int:
    return x.size if axis is None else prod(x.shape[a] for a in normalize_axes("mean", axis, x.ndim))


def mean(x: Any, /, axis: Axis = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Arithmetic mean over the axes; float64 for integers, NaN where there are no elements.

    Example
    -------
    >>> sa.mean(sa.asarray([1, 2, 6]))
    array(3.)
    """
    x = inexact(x) if dtype is None else _core.astype(asarray(x), dtype)
    return _core.sum(x, axis, keepdims=keepdims) / _count(x, axis)


def var(
    x: Any,
    /,
    axis: Axis = None,
    dtype: Any = None,
    *,
    ddof: float | None = None,
    keepdims: bool = False,
    correction: float = 0.0,
) -> Array:
    """Variance over the axes: squared distances from the mean, summed and divided by ``n - correction``.

    ``ddof`` is NumPy's name of ``correction``. Real for complex numbers.

    Example
    -------
    >>> sa.var(sa.asarray([1.0, 3.0]), correction=1)
    array(2.)
    """
    x = inexact(x) if dtype is None else _core.astype(asarray(x), dtype)
    return _spread(x, axis, _count(x, axis), correction if ddof is None else ddof, keepdims)


def _squared(d: Array) -> Array:
    return _core.square(_core.real(d)) + _core.square(_core.imag(d)) if d.dtype.kind == "c" else _core.square(d)


def _spread(x: Array, axis: Axis, n: int, correction: float, keepdims: bool) -> Array:
    d = x - _core.sum(x, axis, keepdims=True) / n
    return _core.sum(_squared(d), axis, keepdims=keepdims) / max(n - correction, 0)


def _root(v: Array) -> Array:
    """The square root of a variance; its gradient at 0 is 0, the subgradient of least norm."""
    positive = v > 0
    return _core.where(positive, _core.sqrt(_core.where(positive, v, 1.0)), v)


def std(
    x: Any,
    /,
    axis: Axis = None,
    dtype: Any = None,
    *,
    ddof: float | None = None,
    keepdims: bool = False,
    correction: float = 0.0,
) -> Array:
    """Standard deviation over the axes, the square root of ``var``; its gradient is 0 for constant input.

    Example
    -------
    >>> sa.std(sa.asarray([1.0, 3.0]))
    array(1.)
    """
    return _root(var(x, axis, dtype, ddof=ddof, keepdims=keepdims, correction=correction))


def ptp(x: Any, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Largest minus smallest element over the axes.

    Example
    -------
    >>> sa.ptp(sa.asarray([3, 1, 7]))
    array(6)
    """
    x = asarray(x)
    return _core.max(x, axis, keepdims=keepdims) - _core.min(x, axis, keepdims=keepdims)


def average(
    x: Any, /, axis: Axis = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """Weighted mean over the axes; with ``returned`` also the sum of weights.

    Weights have the shape of ``x`` or are a vector along the one axis. Raises ZeroDivisionError where they sum to 0.

    Example
    -------
    >>> sa.average(sa.asarray([1.0, 4.0]), weights=[2, 1])
    array(2.)
    """
    x = asarray(x)
    if weights is None:
        y = mean(x, axis, keepdims=keepdims)
        total = broadcast_to(asarray(float(_count(x, axis)), device=x.device), y.shape)
        return (y, total) if returned else y
    w = beside(weights, x.device)
    axes = normalize_axes("average", axis, x.ndim)
    if w.shape != x.shape:
        if axis is None:
            raise TypeError(f"average: axis is required for weights of another shape, got {w.shape} and {x.shape}")
        if w.shape != tuple(x.shape[a] for a in axes):
            raise ValueError(f"average: weights must match the axes {axes} of shape {x.shape}, got shape {w.shape}")
        order = sorted(range(w.ndim), key=axes.__getitem__)
        w = _core.reshape(_core.permute_dims(w, order), tuple(n if a in axes else 1 for a, n in enumerate(x.shape)))
        w = broadcast_to(w, x.shape)
    x, w = (inexact(v) for v in promoted("average", [x, w]))
    total = _core.sum(w, axes, keepdims=keepdims)
    if not _core.is_recording() and _core.any(total == 0):
        raise ZeroDivisionError("average: weights sum to 0")
    y = _core.sum(x * w, axes, keepdims=keepdims) / total
    return (y, total) if returned else y


def cov(
    m: Any,
    /,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Array:
    """Covariance matrix of variables in rows (columns unless ``rowvar``) and observations in the other axis.

    Normalized by ``n - ddof``, which is ``n - 1`` unless ``bias``. ``fweights`` are counts of observations,
    ``aweights`` their importance.

    Example
    -------
    >>> sa.cov(sa.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    parts = [_observations("cov", v, rowvar) for v in (m, y) if v is not None]
    x = inexact(concat(parts) if len(parts) > 1 else parts[0])
    if dtype is not None:
        x = _core.astype(x, dtype)
    n = x.shape[1]
    if ddof is None:
        ddof = 0 if bias else 1
    w = None
    if fweights is not None:
        w = asarray(fweights)
        if w.dtype.kind not in "iu" or w.shape != (n,):
            raise ValueError(f"cov: fweights must be {n} integers, got {w.dtype} of shape {w.shape}")
    if aweights is not None:
        a = asarray(aweights)
        if a.shape != (n,):
            raise ValueError(f"cov: aweights must be {n} numbers, got shape {a.shape}")
        w = a if w is None else w * a
    if w is None:
        scale: Any = max(n - ddof, 0)
        x = x - mean(x, 1, keepdims=True)
        weighted = x
    else:
        w = _core.astype(w, _core.promote_types(w.dtype, _core.float64))
        total = _core.sum(w)
        x = x - _core.sum(x * w, 1, keepdims=True) / total
        scale = total - ddof * (_core.sum(w * a) / total if aweights is not None else 1)
        scale = _core.maximum(scale, 0)
        weighted = x * w
    transposed = _core.permute_dims(x, (1, 0))
    c = _core.matmul(weighted, _core.conj(transposed) if x.dtype.kind == "c" else transposed) / scale
    return _core.reshape(c, ()) if c.size == 1 else c


def _observations(op: str, v: Any, rowvar: bool) -> Array:
    v = asarray(v)
    if v.ndim > 2:
        raise ValueError(f"{op}: at most two axes are allowed, got shape {v.shape}")
    if v.ndim < 2:
        return _core.reshape(v, (1, v.size))
    return v if rowvar or v.shape[0] == 1 else _core.permute_dims(v, (1, 0))


def corrcoef(x: Any, /, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Array:
    """Correlation matrix of variables in rows (columns unless ``rowvar``); NaN for constant variables.

    Example
    -------
    >>> sa.corrcoef(sa.asarray([[0.0, 1.0, 2.0], [4.0, 2.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    d = _core.sqrt(_core.real(diagonal(c)))
    return _clipped(c / d[:, None] / d)


def _clipped(c: Array) -> Array:
    if c.dtype.kind == "c":
        return _core.complex(_clipped(_core.real(c)), _clipped(_core.imag(c)))
    return _core.minimum(_core.maximum(c, -1.0), 1.0)


# Order statistics

_CONTINUOUS = {
    "linear": (1.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
    "interpolated_inverted_cdf": (0.0, 1.0),
}


# Methods whose result is one of the elements, in their own dtype.
_SELECTING = ("lower", "higher", "nearest", "closest_observation", "inverted_cdf")


def _places(method: str, n: Array, q: Array) -> tuple[Array, Array]:
    """The lower of two neighbouring places among ``n`` sorted values (float), and the weight of the upper one.

    Hyndman and Fan, Sample quantiles in statistical packages, 1996; the discontinuous ones have weights 0, 1/2 and 1.
    """
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        v = n * q + (alpha + q * (1.0 - alpha - beta)) - 1.0 if method != "linear" else (n - 1.0) * q
        v = _core.minimum(_core.maximum(v, 0.0), n - 1.0)
        low = _core.floor(v)
        return low, v - low
    if method in ("lower", "higher", "midpoint", "nearest"):
        v = (n - 1.0) * q
        low = _core.floor(v)
        part = v - low
        if method == "nearest":
            return _core.rint(v), part * 0.0
        weight = {"lower": 0.0, "higher": 1.0, "midpoint": 0.5}[method]
        return low, _core.where(part > 0, weight, 0.0)
    if method == "closest_observation":
        v = n * q - 1.5
        low = _core.floor(v)
        stay = _core.logical_and(v == low, _core.remainder(low, 2.0) == 1.0)
        return _core.maximum(low, 0.0), _core.where(_core.logical_or(stay, low < 0), 0.0, 1.0)
    if method in ("inverted_cdf", "averaged_inverted_cdf"):
        v = n * q - 1.0
        low = _core.floor(v)
        whole = v == low
        tie = 0.5 if method == "averaged_inverted_cdf" else 0.0
        return _core.maximum(low, 0.0), _core.where(low < 0, 0.0, _core.where(whole, tie, 1.0))
    names = ", ".join([*_CONTINUOUS, "lower, higher, midpoint, nearest, closest_observation, inverted_cdf"])
    raise ValueError(f"quantile: method must be one of {names}, averaged_inverted_cdf, got {method!r}")


def _quantile(op: str, x: Any, q: Any, axis: Axis, method: str, keepdims: bool, ignore_nan: bool) -> Array:
    selecting = method in _SELECTING
    x, q = asarray(x) if selecting else inexact(x), inexact(q)
    if x.dtype.kind == "c" or q.dtype.kind == "c":
        raise TypeError(f"{op}: only real numbers are ordered, got dtypes {x.dtype} and {q.dtype}")
    if q.ndim > 1:
        raise ValueError(f"{op}: q must be a number or a vector, got shape {q.shape}")
    if not _core.is_recording() and not _core.all(_core.logical_and(q >= 0, q <= 1)):
        raise ValueError(f"{op}: probabilities must be in [0, 1], percentages in [0, 100]")
    axes = normalize_axes(op, axis, x.ndim)
    kept = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
    rest = tuple(n for a, n in enumerate(x.shape) if a not in axes)
    n = prod(x.shape[a] for a in axes)
    shape = q.shape + (kept if keepdims else rest)
    # The places are found in float64, whatever the dtype of the values, which the result keeps.
    dtype = x.dtype
    if n == 0:
        return broadcast_to(asarray(float("nan"), dtype=dtype if dtype.kind == "f" else _core.float64), shape)
    lines = _core.reshape(moveaxis(x, axes, tuple(range(-len(axes), 0))) if axes else x, (prod(rest), n))
    lines = _core.sort(lines, 1)
    probabilities = _core.astype(_core.reshape(q.to(x.device), (1, q.size)), _core.float64)
    bad = _core.isnan(lines) if dtype.kind == "f" else zeros(lines.shape, _core.bool, device=x.device)
    if ignore_nan:
        count = _core.astype(n - _core.count_nonzero(bad, 1, keepdims=True), _core.float64)
    else:
        count = broadcast_to(asarray(float(n), device=x.device), (lines.shape[0], 1))
    low, weight = _places(method, _core.maximum(count, 1.0), probabilities)
    first = broadcast_to(_core.astype(low, _core.int64), (lines.shape[0], q.size))
    second = _core.minimum(first + 1, _core.astype(_core.maximum(count, 1.0), _core.int64) - 1)
    a = _core.take_along_axis(lines, first, 1)
    b = _core.take_along_axis(lines, second, 1)
    if selecting:
        y = _core.where(weight == 1, b, a)
    else:
        weight = _core.astype(weight, dtype)
        d = b - a
        # Between equal values there is nothing to add; with an infinite distance the other form keeps infinities.
        y = _core.where(_core.isfinite(d), a + d * weight, a * (1 - weight) + b * weight)
        y = _core.where(_core.logical_or(a == b, weight == 0), a, _core.where(weight == 1, b, y))
    if not ignore_nan and dtype.kind == "f":
        y = _core.where(bad[:, -1:], float("nan"), y)
    return _core.reshape(_core.permute_dims(y, (1, 0)), shape)


def quantile(x: Any, /, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """Quantiles of probabilities ``q`` in [0, 1] over the axes; NaN where there is a NaN.

    ``q`` may be a vector, whose axis comes first. ``method`` is one of NumPy's. Differentiable in ``x``, and in ``q``
    where the method is continuous.

    Example
    -------
    >>> sa.quantile(sa.asarray([1.0, 2.0, 4.0]), 0.75)
    array(3.)
    """
    return _quantile("quantile", x, q, axis, method, keepdims, False)


def percentile(x: Any, /, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """``quantile`` of percentages in [0, 100].

    Example
    -------
    >>> sa.percentile(sa.asarray([1.0, 2.0, 4.0]), 75)
    array(3.)
    """
    return _quantile("percentile", x, _core.divide(q, 100.0), axis, method, keepdims, False)


def median(x: Any, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """The middle of the sorted values over the axes, or the mean of the two middle ones; NaN where there is a NaN.

    Example
    -------
    >>> sa.median(sa.asarray([1.0, 5.0, 2.0]))
    array(2.)
    """
    return _quantile("median", x, 0.5, axis, "linear", keepdims, False)


def nanquantile(x: Any, /, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """``quantile`` of the values that are not NaN; NaN where there are none.

    Example
    -------
    >>> sa.nanquantile(sa.asarray([1.0, sa.nan, 3.0]), 0.5)
    array(2.)
    """
    return _quantile("nanquantile", x, q, axis, method, keepdims, True)


def nanpercentile(x: Any, /, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """``percentile`` of the values that are not NaN; NaN where there are none.

    Example
    -------
    >>> sa.nanpercentile(sa.asarray([1.0, sa.nan, 3.0]), 50)
    array(2.)
    """
    return _quantile("nanpercentile", x, _core.divide(q, 100.0), axis, method, keepdims, True)


def nanmedian(x: Any, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """``median`` of the values that are not NaN; NaN where there are none.

    Example
    -------
    >>> sa.nanmedian(sa.asarray([1.0, sa.nan, 3.0]))
    array(2.)
    """
    return _quantile("nanmedian", x, 0.5, axis, "linear", keepdims, True)


# Reductions that ignore NaN


def _numbers(x: Any, replacement: Any) -> tuple[Array, Array | None]:
    """``x`` with NaN replaced, and where they were; None for dtypes without NaN."""
    x = asarray(x)
    if x.dtype.kind not in "fc":
        return x, None
    bad = _core.isnan(x)
    return _core.where(bad, replacement, x), bad


def nansum(x: Any, /, axis: Axis = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Sum over the axes in which NaN counts as 0.

    Example
    -------
    >>> sa.nansum(sa.asarray([1.0, sa.nan]))
    array(1.)
    """
    return _core.sum(_numbers(x, 0)[0], axis, dtype, keepdims=keepdims)


def nanprod(x: Any, /, axis: Axis = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Product over the axes in which NaN counts as 1.

    Example
    -------
    >>> sa.nanprod(sa.asarray([2.0, sa.nan]))
    array(2.)
    """
    return _core.prod(_numbers(x, 1)[0], axis, dtype, keepdims=keepdims)


def _nan_extremum(x: Any, axis: Axis, keepdims: bool, reduce: Callable[..., Array], worst: float) -> Array:
    y, bad = _numbers(x, worst)
    y = reduce(y, axis, keepdims=keepdims)
    return y if bad is None else _core.where(_core.all(bad, axis, keepdims=keepdims), float("nan"), y)


def nanmax(x: Any, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Largest element that is not NaN over the axes; NaN where there are none.

    Example
    -------
    >>> sa.nanmax(sa.asarray([1.0, sa.nan]))
    array(1.)
    """
    return _nan_extremum(x, axis, keepdims, _core.max, -float("inf"))


def nanmin(x: Any, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Smallest element that is not NaN over the axes; NaN where there are none.

    Example
    -------
    >>> sa.nanmin(sa.asarray([1.0, sa.nan]))
    array(1.)
    """
    return _nan_extremum(x, axis, keepdims, _core.min, float("inf"))


def _nan_place(op: str, x: Any, axis: int | None, keepdims: bool, find: Callable[..., Array], worst: float) -> Array:
    y, bad = _numbers(x, worst)
    if bad is not None and not _core.is_recording() and _core.any(_core.all(bad, axis)):
        raise ValueError(f"{op}: a slice holds nothing but NaN")
    return find(y, axis, keepdims=keepdims)


def nanargmax(x: Any, /, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Position of the largest element that is not NaN; ValueError where there are none.

    Example
    -------
    >>> sa.nanargmax(sa.asarray([sa.nan, 1.0, 2.0]))
    array(2)
    """
    return _nan_place("nanargmax", x, axis, keepdims, _core.argmax, -float("inf"))


def nanargmin(x: Any, /, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Position of the smallest element that is not NaN; ValueError where there are none.

    Example
    -------
    >>> sa.nanargmin(sa.asarray([sa.nan, 1.0, 2.0]))
    array(1)
    """
    return _nan_place("nanargmin", x, axis, keepdims, _core.argmin, float("inf"))


def _nan_mean(y: Array, bad: Array, axis: Axis, keepdims: bool) -> tuple[Array, Array]:
    n = _core.sum(_core.logical_not(bad), axis, _core.real(y).dtype, keepdims=keepdims)
    return _core.sum(y, axis, keepdims=keepdims) / n, n


def nanmean(x: Any, /, axis: Axis = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Mean of the elements that are not NaN over the axes; NaN where there are none.

    Example
    -------
    >>> sa.nanmean(sa.asarray([1.0, sa.nan, 3.0]))
    array(2.)
    """
    x = asarray(x) if dtype is None else asarray(x, dtype=dtype)
    y, bad = _numbers(x, 0)
    return mean(y, axis, keepdims=keepdims) if bad is None else _nan_mean(y, bad, axis, keepdims)[0]


def nanvar(
    x: Any,
    /,
    axis: Axis = None,
    dtype: Any = None,
    *,
    ddof: float | None = None,
    keepdims: bool = False,
    correction: float = 0.0,
) -> Array:
    """``var`` of the elements that are not NaN; NaN where no more than ``correction`` are left.

    Example
    -------
    >>> sa.nanvar(sa.asarray([1.0, sa.nan, 3.0]))
    array(1.)
    """
    correction = correction if ddof is None else ddof
    x = asarray(x) if dtype is None else asarray(x, dtype=dtype)
    y, bad = _numbers(x, 0)
    if bad is None:
        return var(y, axis, keepdims=keepdims, correction=correction)
    m, n = _nan_mean(y, bad, axis, True)
    v = _core.sum(_squared(_core.where(bad, 0, y - m)), axis, keepdims=True)
    left = n - correction
    v = _core.where(left > 0, v / left, float("nan"))
    return v if keepdims else _core.sum(v, axis)


def nanstd(
    x: Any,
    /,
    axis: Axis = None,
    dtype: Any = None,
    *,
    ddof: float | None = None,
    keepdims: bool = False,
    correction: float = 0.0,
) -> Array:
    """``std`` of the elements that are not NaN; NaN where no more than ``correction`` are left.

    Example
    -------
    >>> sa.nanstd(sa.asarray([1.0, sa.nan, 3.0]))
    array(1.)
    """
    return _root(nanvar(x, axis, dtype, ddof=ddof, keepdims=keepdims, correction=correction))


# Counting


def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Array:
    """How often each number from 0 occurs among non-negative integers, or the sum of weights there.

    Differentiable in ``weights``.

    Example
    -------
    >>> sa.bincount(sa.asarray([0, 2, 2]))
    array([1, 0, 2])
    """
    x = asarray(x)
    if x.size == 0 and x.ndim == 1:
        x = _core.astype(x, _core.int64)
    if x.ndim != 1 or x.dtype.kind not in "biu":
        raise TypeError(f"bincount: a vector of integers is required, got {x.dtype} of shape {x.shape}")
    if minlength < 0:
        raise ValueError(f"bincount: minlength must not be negative, got {minlength}")
    values = known(x)
    if values is not None and values.size and values.min() < 0:
        raise ValueError(f"bincount: integers must not be negative, got {values.min()}")
    n = max(int(_core.max(x)) + 1 if x.size else 0, minlength)
    if weights is None:
        return _counts(x, n)
    w = inexact(weights)
    if w.shape != x.shape:
        raise ValueError(f"bincount: weights must have the shape of x, got {w.shape} and {x.shape}")
    return _binned_sum(x, w, n)


def _counts(x: Array, n: int) -> Array:
    """Occurrences of 0 to n - 1."""
    ends = _core.searchsorted(_core.sort(_core.astype(x, _core.int64), 0), arange(n + 1, device=x.device), "left")
    return ends[1:] - ends[:-1]


def _binned_sum(bins: Array, w: Array, n: int) -> Array:
    """Sums of the weights in each bin: the transpose of taking ``bins`` from a vector of ``n``."""
    from ._grad import vjp

    _, pullback = vjp(lambda z: z[bins], zeros(n, w.dtype, device=w.device))
    return pullback(w)[0]


def histogram_bin_edges(
    x: Any, /, bins: Any = 10, range: tuple[float, float] | None = None, weights: Any = None
) -> Array:
    """The edges that ``histogram`` uses: of a number of equal bins, or the given ones.

    Of NumPy's rules for the number, ``auto``, ``fd``, ``rice``, ``scott``, ``sqrt`` and ``sturges`` exist.

    Example
    -------
    >>> sa.histogram_bin_edges(sa.asarray([0.0, 4.0]), bins=2)
    array([0., 2., 4.])
    """
    x = _core.reshape(asarray(x), -1)
    if not isinstance(bins, (int, str)):
        edges = beside(bins, x.device)
        if edges.ndim == 0:
            return histogram_bin_edges(x, int(edges), range, weights)
        if edges.ndim != 1:
            raise ValueError(f"histogram: edges must be a vector, got shape {edges.shape}")
        if not _core.is_recording() and _core.any(edges[1:] < edges[:-1]):
            raise ValueError("histogram: edges must increase")
        return edges[...]
    first, last = _outer_edges(x, range)
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError(f"histogram: the rule {bins!r} is not for weighted data")
        bins = _rule(bins, inexact(x), float(first), float(last), x.dtype.kind in "iu")
    if bins < 1:
        raise ValueError(f"histogram: the number of bins must be positive, got {bins}")
    return linspace(first, last, bins + 1)


def _outer_edges(x: Array, range: tuple[float, float] | None) -> tuple[Any, Any]:
    first: Any
    last: Any
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError(f"histogram: the range must increase, got {range}")
    elif x.size == 0:
        first, last = 0.0, 1.0
    else:
        first, last = inexact(_core.min(x)), inexact(_core.max(x))
    if not _core.is_recording():
        if not (_core.isfinite(first) and _core.isfinite(last)):
            raise ValueError(f"histogram: the range must be finite, got {float(first)} to {float(last)}")
        if first == last:
            first, last = first - 0.5, last + 0.5
    return first, last


def _rule(name: str, x: Array, first: float, last: float, integral: bool) -> int:
    """The number of bins by one of the common rules."""
    x = x[_core.logical_and(x >= first, x <= last)]
    n = x.size
    if n == 0:
        return 1
    spread = float(_core.max(x) - _core.min(x))

    def width(rule: str) -> float:
        if rule == "fd":
            q = percentile(x, [75, 25])
            return 2.0 * float(q[0] - q[1]) * n ** (-1 / 3)
        if rule == "scott":
            return (24.0 * 3.141592653589793**0.5 / n) ** (1 / 3) * float(std(x))
        if rule == "sturges":
            return spread / (float(_core.log2(float(n))) + 1.0)
        if rule == "rice":
            return spread / (2.0 * n ** (1 / 3))
        if rule == "sqrt":
            return spread / n**0.5
        if rule == "auto":
            return min(max(width("fd"), width("sqrt") / 2), width("sturges"))
        raise ValueError(
            f"histogram: bins must be a number, edges, auto, fd, rice, scott, sqrt or sturges, got {rule!r}"
        )

    w = width(name)
    if integral and 0 < w < 1:
        w = 1.0
    return ceil((last - first) / w) if w else 1


def _places_among(op: str, x: Array, edges: Array) -> Array:
    """The bin of each value, from 1; 0 and one more than there are bins for what lies outside."""
    values, limits = (v.detach() for v in promoted(op, [x, edges]))
    n = edges.shape[0] - 1
    places = _core.searchsorted(limits, values, "right")
    places = _core.where(values == limits[-1], n, places)
    return _core.where(values <= limits[-1], places, n + 1)


def histogram(
    x: Any,
    /,
    bins: Any = 10,
    range: tuple[float, float] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Array, Array]:
    """How many values lie in each bin, and the edges; the last bin includes its right edge.

    ``weights`` are summed instead of counted, and the sums are differentiable in them. ``density`` divides by the total
    and the widths.

    Example
    -------
    >>> counts, edges = sa.histogram(sa.asarray([1.0, 2.0, 1.0]), bins=[0, 1, 2, 3])
    >>> counts
    array([0, 2, 1])
    """
    x = _core.reshape(asarray(x), -1)
    edges = histogram_bin_edges(x, bins, range, weights)
    n = edges.shape[0] - 1
    if weights is None:
        values, limits = (v.detach() for v in promoted("histogram", [x, edges]))
        ordered = _core.sort(values, 0)
        ends = concat(
            [_core.searchsorted(ordered, limits[:-1], "left"), _core.searchsorted(ordered, limits[-1:], "right")]
        )
        counts = ends[1:] - ends[:-1]
    else:
        w = _core.reshape(beside(weights, x.device), -1)
        if w.shape != x.shape:
            raise ValueError(f"histogram: weights must have the shape of x, got {asarray(weights).shape}")
        places = _places_among("histogram", x, edges)
        counts = _binned_sum(_core.where(places <= n, places, 0), inexact(w), n + 1)[1:]
    if density:
        counts = inexact(counts)
        return counts / (edges[1:] - edges[:-1]) / _core.sum(counts), edges
    return counts, edges


def histogramdd(
    sample: Any,
    /,
    bins: Any = 10,
    range: Sequence[tuple[float, float] | None] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Array, list[Array]]:
    """How many points (n, d), or of d vectors in a list, lie in each cell of a grid of d axes, and the edges along each.

    ``bins`` is a number, or for each axis a number or edges; last bins include their right edges. ``weights`` are summed
    instead of counted, and the sums are differentiable in them. ``density`` divides by the total and the cells' volumes.

    Example
    -------
    >>> counts, edges = sa.histogramdd(sa.asarray([[0.0, 0.0], [0.9, 0.1]]), bins=2)
    >>> counts
    array([[1, 0],
           [0, 1]])
    """
    points = stack(promoted("histogramdd", sample), -1) if isinstance(sample, (list, tuple)) else asarray(sample)
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2:
        raise ValueError(f"histogramdd: points must have shape (n, d), got {points.shape}")
    n, d = points.shape
    each = [bins] * d if isinstance(bins, int) else list(bins)
    ranges = [None] * d if range is None else list(range)
    if len(each) != d or len(ranges) != d:
        raise ValueError(
            f"histogramdd: one of bins and range per axis is required, got {len(each)} and {len(ranges)} for {d}"
        )
    edges, cell, inside = [], zeros(n, _core.int64, device=points.device), ones(n, _core.bool, device=points.device)
    for axis, (b, r) in enumerate(zip(each, ranges)):
        x = points[:, axis]
        edges.append(histogram_bin_edges(x, b, r))
        m = edges[-1].shape[0] - 1
        place = _places_among("histogramdd", x, edges[-1])
        inside = _core.logical_and(inside, _core.logical_and(place >= 1, place <= m))
        cell = cell * m + (place - 1)
    shape = [e.shape[0] - 1 for e in edges]
    cells = prod(shape)
    cell = _core.where(inside, cell + 1, 0)
    if weights is None:
        counts = _counts(cell, cells + 1)[1:]
    else:
        w = inexact(beside(weights, points.device))
        if w.shape != (n,):
            raise ValueError(f"histogramdd: one weight per point is required, got shape {w.shape} for {n} points")
        counts = _binned_sum(cell, w, cells + 1)[1:]
    counts = _core.reshape(counts, shape)
    if density:
        counts = inexact(counts) / _core.sum(counts)
        for axis, e in enumerate(edges):
            counts = counts / _core.reshape(e[1:] - e[:-1], (-1,) + (1,) * (d - axis - 1))
    return counts, edges


def histogram2d(
    x: Any,
    y: Any,
    /,
    bins: Any = 10,
    range: Sequence[tuple[float, float] | None] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Array, Array, Array]:
    """``histogramdd`` of points (x, y): counts and the edges along both axes; ``bins`` may be edges for both.

    Example
    -------
    >>> counts, xs, ys = sa.histogram2d([0.0, 0.9], [0.0, 0.1], bins=2)
    >>> counts
    array([[1, 0],
           [0, 1]])
    """
    both = bins if isinstance(bins, int) or len(bins) == 2 else [asarray(bins)] * 2
    counts, (xs, ys) = histogramdd([x, y], both, range, density, weights)
    return counts, xs, ys


def digitize(x: Any, bins: Any, /, right: bool = False) -> Array:
    """The bin of each value: the number of monotonic edges before it, an edge equal to it counting unless ``right``.

    Example
    -------
    >>> sa.digitize(sa.asarray([0.5, 2.0]), [1.0, 2.0])
    array([0, 2])
    """
    x, edges = promoted("digitize", [x, bins])
    if edges.ndim != 1:
        raise ValueError(f"digitize: bins must be a vector, got shape {edges.shape}")
    falling = edges.size > 1 and bool(edges[0] > edges[-1])
    if falling:
        edges = edges[::-1]
    if _core.any(edges[1:] < edges[:-1]):
        raise ValueError("digitize: bins must increase or decrease")
    if not falling:
        return _core.searchsorted(edges, x, "left" if right else "right")
    return edges.shape[0] - _core.searchsorted(edges, x, "left" if right else "right")
