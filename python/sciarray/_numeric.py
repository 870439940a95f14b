"""Differences, running sums, interpolation and comparison with tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._arguments import Axis, all_inexact, at, beside, flat_or_axis, inexact, normalize_axes, normalize_axis, promoted
from ._core import Array
from ._creation import asarray, full, ones, zeros
from ._manipulation import broadcast_arrays, broadcast_shapes, broadcast_to, concat

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "convolve",
    "correlate",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "ediff1d",
    "gradient",
    "interp",
    "isclose",
    "nancumprod",
    "nancumsum",
    "piecewise",
    "select",
    "trapezoid",
    "unwrap",
]


def diff(x: Any, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Array:
    """Differences of neighbours along an axis, taken ``n`` times; of bools, whether they differ.

    ``prepend`` and ``append`` are joined to ``x`` first; numbers stand for one slice.

    Example
    -------
    >>> sa.diff(sa.asarray([1, 4, 9]))
    array([3, 5])
    """
    x = asarray(x)
    if n < 0:
        raise ValueError(f"diff: the order n must not be negative, got {n}")
    axis = normalize_axis("diff", axis, x.ndim)
    ends = []
    for end in (prepend, append):
        if end is None:
            continue
        y = asarray(end)
        ends.append(y if y.ndim else broadcast_to(y, (*x.shape[:axis], 1, *x.shape[axis + 1 :])))
    if n == 0:
        return x[...]
    if ends:
        x = concat([*ends[: prepend is not None], x, *ends[prepend is not None :]], axis)
    subtract = _core.not_equal if x.dtype == _core.bool else _core.subtract
    for _ in range(n):
        x = subtract(x[at(axis, slice(1, None))], x[at(axis, slice(None, -1))])
    return x


def ediff1d(x: Any, /, to_end: Any = None, to_begin: Any = None) -> Array:
    """Differences of neighbours in the flattened array, with numbers put before and after.

    Example
    -------
    >>> sa.ediff1d(sa.asarray([1, 4, 9]), to_begin=0)
    array([0, 3, 5])
    """
    y = diff(_core.reshape(asarray(x), -1))
    ends = [None if e is None else _core.reshape(asarray(e, dtype=y.dtype), -1) for e in (to_begin, to_end)]
    return concat([part for part in (ends[0], y, ends[1]) if part is not None])


def _running(op: str, x: Any, axis: int | None, dtype: Any, product: bool) -> Array:
    x, axis = flat_or_axis(op, asarray(x), axis)
    scan = _core.cumprod if product else _core.cumsum
    # Narrow integers are widened by the scan, and cut again where their dtype is asked for.
    return scan(x, axis) if dtype is None else _core.astype(scan(_core.astype(x, dtype), axis), dtype)


def cumsum(x: Any, /, axis: int | None = None, dtype: Any = None) -> Array:
    """Running sum along an axis, or over the flattened array; integers in 64 bits.

    Example
    -------
    >>> sa.cumsum(sa.asarray([1, 2, 3]))
    array([1, 3, 6])
    """
    return _running("cumsum", x, axis, dtype, False)


def cumprod(x: Any, /, axis: int | None = None, dtype: Any = None) -> Array:
    """Running product along an axis, or over the flattened array; integers in 64 bits.

    The gradient is exact with zeros too.

    Example
    -------
    >>> sa.cumprod(sa.asarray([1, 2, 3]))
    array([1, 2, 6])
    """
    return _running("cumprod", x, axis, dtype, True)


def _cumulative(op: str, x: Any, axis: int | None, dtype: Any, include_initial: bool, product: bool) -> Array:
    x = asarray(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{op}: axis is required for arrays that are not 1-d, got shape {x.shape}")
        axis = 0
    axis = normalize_axis(op, axis, x.ndim)
    y = _running(op, x, axis, dtype, product)
    if not include_initial:
        return y
    first = (ones if product else zeros)((*x.shape[:axis], 1, *x.shape[axis + 1 :]), y.dtype)
    return _core.concat([first, y], axis)


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Running sum along an axis, which only 1-d arrays may omit; ``include_initial`` puts a 0 in front.

    Example
    -------
    >>> sa.cumulative_sum(sa.asarray([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative("cumulative_sum", x, axis, dtype, include_initial, False)


def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Running product along an axis, which only 1-d arrays may omit; ``include_initial`` puts a 1 in front.

    Example
    -------
    >>> sa.cumulative_prod(sa.asarray([1, 2, 3]))
    array([1, 2, 6])
    """
    return _cumulative("cumulative_prod", x, axis, dtype, include_initial, True)


def _without_nan(x: Any, replacement: int) -> Array:
    x = asarray(x)
    return _core.where(_core.isnan(x), replacement, x) if x.dtype.kind in "fc" else x


def nancumsum(x: Any, /, axis: int | None = None, dtype: Any = None) -> Array:
    """Running sum in which NaN counts as 0.

    Example
    -------
    >>> sa.nancumsum(sa.asarray([1.0, sa.nan, 3.0]))
    array([1., 1., 4.])
    """
    return cumsum(_without_nan(x, 0), axis, dtype)


def nancumprod(x: Any, /, axis: int | None = None, dtype: Any = None) -> Array:
    """Running product in which NaN counts as 1.

    Example
    -------
    >>> sa.nancumprod(sa.asarray([2.0, sa.nan, 3.0]))
    array([2., 2., 6.])
    """
    return cumprod(_without_nan(x, 1), axis, dtype)


def _spacing(d: Any, axis: int, x: Array) -> Any:
    """The distances between samples along an axis, broadcastable to ``x``: a number or (n - 1,)."""
    if isinstance(d, (int, float)):
        return d
    d = asarray(d)
    if d.ndim == 0:
        return d
    if d.shape != (x.shape[axis],):
        raise ValueError(f"gradient: coordinates must match axis {axis} of shape {x.shape}, got shape {d.shape}")
    return _core.reshape(diff(d), (-1,) + (1,) * (x.ndim - axis - 1))


def gradient(f: Any, /, *varargs: Any, axis: Axis = None, edge_order: int = 1) -> Any:
    """Slopes along axes by central differences of second order, one-sided at the ends.

    ``varargs`` are the spacings: one for all axes, or for each a number or coordinates. Several axes give a tuple. Not
    to be confused with ``grad``, which differentiates a function.

    Example
    -------
    >>> sa.gradient(sa.asarray([1.0, 4.0, 9.0]))
    array([3., 4., 5.])
    """
    f = inexact(f)
    axes = normalize_axes("gradient", axis, f.ndim)
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError(f"gradient: one spacing or one per axis ({len(axes)}) is required, got {len(varargs)}")
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: edge_order must be 1 or 2, got {edge_order}")
    spacings = varargs * (len(axes) // len(varargs)) if varargs else (1.0,) * len(axes)
    out = []
    for a, d in zip(axes, spacings):
        n = f.shape[a]
        if n < edge_order + 1:
            raise ValueError(f"gradient: axis {a} needs at least {edge_order + 1} elements, got shape {f.shape}")
        h = _spacing(d, a, f)
        out.append(_slopes(f, a, h, edge_order))
    return out[0] if len(axes) == 1 else tuple(out)


def _slopes(f: Array, axis: int, h: Any, edge_order: int) -> Array:
    slope = (f[at(axis, slice(1, None))] - f[at(axis, slice(None, -1))]) / h
    left, right = slope[at(axis, slice(None, -1))], slope[at(axis, slice(1, None))]
    ratio_first: Any = 0.5
    ratio_last: Any = 0.5
    if isinstance(h, (int, float)) or h.ndim == 0:
        middle = (left + right) / 2
    else:
        # The parabola through three points: each one-sided slope is weighted with the other side's distance.
        before, after = h[:-1], h[1:]
        middle = (left * after + right * before) / (before + after)
        if edge_order == 2:
            ratio_first, ratio_last = (h[0] / (h[0] + h[1]))[None], (h[-1] / (h[-1] + h[-2]))[None]
    first, last = slope[at(axis, slice(0, 1))], slope[at(axis, slice(-1, None))]
    if edge_order == 2:
        first = first - (slope[at(axis, slice(1, 2))] - first) * ratio_first
        last = last + (last - slope[at(axis, slice(-2, -1))]) * ratio_last
    return concat([first, middle, last], axis)


def trapezoid(y: Any, /, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Array:
    """The integral of samples along an axis by the trapezoidal rule, at coordinates ``x`` or steps ``dx``.

    Example
    -------
    >>> sa.trapezoid(sa.asarray([1.0, 2.0, 3.0]))
    array(4.)
    """
    y = asarray(y)
    axis = normalize_axis("trapezoid", axis, y.ndim)
    d = dx
    if x is not None:
        x = asarray(x)
        if x.ndim == 1:
            d = _core.reshape(diff(x), (-1 if x.size > 1 else 0,) + (1,) * (y.ndim - axis - 1))
        else:
            d = diff(x, axis=axis)
    parts = d * (y[at(axis, slice(1, None))] + y[at(axis, slice(None, -1))]) / 2.0
    return _core.sum(parts, axis)


def interp(x: Any, /, xp: Any, fp: Any, left: Any = None, right: Any = None, period: float | None = None) -> Array:
    """Piecewise linear interpolation at ``x`` of the values ``fp`` at increasing ``xp``.

    Outside of ``xp`` the first and last values hold, or ``left`` and ``right``; with ``period`` the samples repeat.
    Differentiable in ``x``, ``xp`` and ``fp``, which may be complex.

    Example
    -------
    >>> sa.interp(sa.asarray([0.5, 3.0]), [0.0, 1.0], [10.0, 20.0])
    array([15., 20.])
    """
    x, xp = all_inexact("interp", [x, xp])
    fp = inexact(beside(fp, x.device))
    if xp.ndim != 1 or fp.shape != xp.shape:
        raise ValueError(f"interp: xp and fp must be vectors of one length, got shapes {xp.shape} and {fp.shape}")
    if xp.size == 0:
        raise ValueError("interp: at least one sample is required, got none")
    if period is not None:
        if period == 0:
            raise ValueError("interp: period must not be 0")
        period = abs(period)
        x, xp = _core.remainder(x, period), _core.remainder(xp, period)
        order = _core.argsort(xp, 0)
        xp, fp = xp[order], fp[order]
        xp = _core.concat([xp[-1:] - period, xp, xp[:1] + period], 0)
        fp = _core.concat([fp[-1:], fp, fp[:1]], 0)
        left = right = None
    n = xp.shape[0]
    low = fp[0] if left is None else left
    high = fp[n - 1] if right is None else right
    if n == 1:
        y = broadcast_to(fp[0], x.shape)
    else:
        j = _core.minimum(_core.maximum(_core.searchsorted(xp.detach(), x.detach(), "right") - 1, 0), n - 2)
        x0, x1, y0, y1 = xp[j], xp[j + 1], fp[j], fp[j + 1]
        slope = (y1 - y0) / (x1 - x0)
        y = y0 + slope * (x - x0)
        # With infinite samples the formula can be NaN where the one from the other side, a sample or a constant is not.
        y = _core.where(_core.isnan(y), y1 + slope * (x - x1), y)
        y = _core.where(_core.logical_or(x == x0, y0 == y1), y0, _core.where(x == x1, y1, y))
    y = _core.where(x < xp[0], low, _core.where(x > xp[n - 1], high, y))
    return _core.where(_core.isnan(x), x, y)


def convolve(a: Any, v: Any, /, mode: str = "full") -> Array:
    """The discrete convolution of two vectors, summed directly.

    Modes: ``full``, ``same`` (as long as the longer) and ``valid`` (where they overlap entirely).

    Example
    -------
    >>> sa.convolve([1, 2, 3], [0, 1])
    array([0, 1, 2, 3])
    """
    a, v = promoted("convolve", [a, v])
    if a.ndim != 1 or v.ndim != 1 or 0 in (a.size, v.size):
        raise ValueError(f"convolve: vectors that are not empty are required, got shapes {a.shape} and {v.shape}")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"convolve: mode must be full, same or valid, got {mode!r}")
    if a.size < v.size:
        a, v = v, a
    n, k = a.size, v.size
    first, length = {"full": (0, n + k - 1), "same": ((k - 1) // 2, n), "valid": (k - 1, n - k + 1)}[mode]
    if a.dtype.kind in "fc":
        return _core.fir(v, a, first, length)
    # Cut into blocks so that the matrix of windows stays small.
    edge = zeros(k - 1, a.dtype)
    padded = _core.concat([edge, a, edge], 0)
    kernel = v[::-1]
    block = max(1, min(n + k - 1, (1 << 22) // k))
    parts = []
    for start in range(0, n + k - 1, block):
        length = min(block, n + k - 1 - start)
        segment = padded[start : start + length + k - 1]
        # Rows of k of a vector stretched by one: row i begins at element i.
        rows = broadcast_to(segment[None], (k, length + k - 1))
        skewed = _core.reshape(rows, -1)
        skewed = _core.concat([skewed, zeros(k, a.dtype)], 0)
        windows = _core.reshape(skewed, (k, length + k))[:, :length]
        parts.append(_core.matmul(kernel, windows))
    full_result = parts[0] if len(parts) == 1 else _core.concat(parts, 0)
    return full_result[first : first + length]


def correlate(a: Any, v: Any, /, mode: str = "valid") -> Array:
    """The cross-correlation ``sum a[n + k] * conj(v[n])`` of two vectors; modes as in ``convolve``.

    Example
    -------
    >>> sa.correlate([1, 2, 3], [0, 1, 0.5])
    array([3.5])
    """
    a, v = promoted("correlate", [a, v])
    if a.size < v.size:
        y = correlate(v, a, mode)[::-1]
        return _core.conj(y) if y.dtype.kind == "c" else y
    reverse = (_core.conj(v) if v.dtype.kind == "c" else v)[::-1]
    return convolve(a, reverse, mode)


def unwrap(p: Any, /, discont: float | None = None, axis: int = -1, *, period: float = 6.283185307179586) -> Array:
    """Angles with the jumps of a period between neighbours taken out; the gradient is that of the identity.

    Example
    -------
    >>> sa.unwrap(sa.asarray([0.0, 4.0, 8.0]), period=5.0)
    array([ 0., -1., -2.])
    """
    p = inexact(p)
    axis = normalize_axis("unwrap", axis, p.ndim)
    d = diff(p.detach(), axis=axis)
    half = period / 2
    wrapped = _core.remainder(d + half, period) - half
    wrapped = _core.where(_core.logical_and(wrapped == -half, d > 0), half, wrapped)
    correction = wrapped - d
    limit = half if discont is None else max(discont, half)
    correction = _core.where(_core.abs(d) < limit, 0.0, correction)
    head = p[at(axis, slice(0, 1))]
    return _core.concat([head, p[at(axis, slice(1, None))] + _core.cumsum(correction, axis)], axis)


def isclose(a: Any, b: Any, /, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Array:
    """Truth of ``abs(a - b) <= atol + rtol * abs(b)``; infinities are close to themselves.

    Example
    -------
    >>> sa.isclose(sa.asarray([1.0, 1.1]), 1.0)
    array([ True, False])
    """
    a, b = promoted("isclose", [a, b])
    if b.dtype.kind in "biu":
        a, b = _core.astype(a, _core.float64), _core.astype(b, _core.float64)
    near = _core.less_equal(_core.abs(a - b), atol + rtol * _core.abs(b))
    y = _core.logical_or(_core.logical_and(near, _core.isfinite(b)), a == b)
    return _core.logical_or(y, _core.logical_and(_core.isnan(a), _core.isnan(b))) if equal_nan else y


def allclose(a: Any, b: Any, /, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> bool:
    """Whether all elements are close, as ``isclose`` decides.

    Example
    -------
    >>> sa.allclose([1.0, 1e-9], [1.0, 0.0])
    True
    """
    return bool(_core.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a: Any, b: Any, /, equal_nan: bool = False) -> bool:
    """Whether two arrays have one shape and equal elements.

    Example
    -------
    >>> sa.array_equal([1, 2], [1.0, 2.0])
    True
    """
    a, b = asarray(a), asarray(b)
    if a.shape != b.shape:
        return False
    same = _core.equal(a, b)
    if equal_nan:
        same = _core.logical_or(same, _core.logical_and(_core.not_equal(a, a), _core.not_equal(b, b)))
    return bool(_core.all(same))


def array_equiv(a: Any, b: Any, /) -> bool:
    """Whether two arrays broadcast to one shape with equal elements.

    Example
    -------
    >>> sa.array_equiv([1, 1], 1)
    True
    """
    a, b = asarray(a), asarray(b)
    try:
        broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return False
    return bool(_core.all(_core.equal(a, b)))


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Array:
    """Of each element the choice of the first true condition, ``default`` where none is.

    The gradient of a choice is 0 where it was not taken, even where it would be infinite.

    Example
    -------
    >>> x = sa.arange(4)
    >>> sa.select([x < 1, x > 2], [x, x * 10], -1)
    array([ 0, -1, -1, 30])
    """
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError(
            f"select: one choice per condition is required, got {len(choicelist)} for {len(condlist)} conditions"
        )
    for c in condlist:
        if asarray(c).dtype != _core.bool:
            raise TypeError(f"select: conditions must be bools, got dtype {asarray(c).dtype}")
    *choices, y = promoted("select", [*choicelist, default])
    for c, choice in zip(reversed(condlist), reversed(choices)):
        y = _core.where(c, choice, y)
    return y


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], /, *args: Any, **kwargs: Any) -> Array:
    """A function given by pieces: of each element the function, or number, of the last true condition.

    One more function than conditions is the default, otherwise 0. Unlike NumPy's, the functions see all of ``x``, which
    keeps shapes known; branches not taken have gradient 0.

    Example
    -------
    >>> x = sa.asarray([-2.0, 3.0])
    >>> sa.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * v])
    array([2., 9.])
    """
    x = asarray(x)
    conditions = [asarray(c) for c in condlist] if isinstance(condlist, (list, tuple)) else [asarray(condlist)]
    if conditions and conditions[0].shape != x.shape and x.ndim and conditions[0].ndim == 0:
        conditions = [asarray(condlist)]
    n = len(conditions)
    if len(funclist) not in (n, n + 1):
        raise ValueError(f"piecewise: {n} or {n + 1} functions are required for {n} conditions, got {len(funclist)}")

    def value(f: Any) -> Array:
        y = f(x, *args, **kwargs) if callable(f) else asarray(f)
        return _core.astype(asarray(y), x.dtype)

    y = value(funclist[n]) if len(funclist) == n + 1 else full((), 0, x.dtype)
    for c, f in zip(conditions, funclist):
        y = _core.where(c, value(f), y)
    return broadcast_arrays(y, x)[0]
